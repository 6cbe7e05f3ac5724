/* Horizontal bars, one per strategy with times, as SVG; the style sheet of the page has the
 * colors. */
#include "cli/io/number.h"
#include "report.h"

#include <math.h>

/* The drawing is as wide as the screen of a phone: names, bars, values. */
enum { WIDTH = 360, LEFT = 126, RIGHT = 300, ROW = 20, BAR = 10, AXIS = 22, MAX_LABELS = 4 };

const report_row *report_fastest(const report_graph *g) {
    const report_row *best = NULL;
    for (int64_t i = 0; i < g->rows; i++)
        if (g->row[i].runs && (!best || g->row[i].time.median < best->time.median))
            best = &g->row[i];
    return best;
}

static int rows_with_times(const report_graph *g) {
    int count = 0;
    for (int64_t i = 0; i < g->rows; i++)
        count += g->row[i].runs > 0;
    return count;
}

static void begin(const report_graph *g, const char *label, output_file *out) {
    html_printf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n", WIDTH,
                rows_with_times(g) * ROW + AXIS, label);
}

static void grid_line(double x, int rows, const char *label, output_file *out) {
    html_printf(out, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"%d\"/>\n", x, x,
                rows * ROW);
    if (label)
        html_printf(out, "<text class=\"soft mid\" x=\"%.1f\" y=\"%d\">%s</text>\n", x,
                    rows * ROW + 15, label);
}

static void name_of_row(const report_graph *g, const report_row *row, int at, output_file *out) {
    bool both = g->on_cpu && g->on_gpu;
    html_printf(out, "<text class=\"end\" x=\"%d\" y=\"%d\">%s%s%s</text>\n", LEFT - 6,
                at * ROW + 14, both ? row->backend : "", both ? " " : "", row->strategy);
}

static void bar(const report_row *row, const report_row *best, int at, double to,
                output_file *out) {
    html_printf(out,
                "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n"
                "<text x=\"%d\" y=\"%d\">",
                row == best ? "bar best" : "bar", LEFT, at * ROW + (ROW - BAR) / 2,
                fmax(to - LEFT, 0.5), BAR, RIGHT + 6, at * ROW + 14);
}

/* ---- times: logarithmic -------------------------------------------------------------------- */

typedef struct decades {
    int low, high; /* powers of ten, ns */
} decades;

static decades decades_of(const report_graph *g) {
    const report_row *best = report_fastest(g);
    double min = best->time.min, max = best->time.max;
    for (int64_t i = 0; i < g->rows; i++)
        if (g->row[i].runs) {
            min = fmin(min, g->row[i].time.min);
            max = fmax(max, g->row[i].time.max);
        }
    decades d = {(int)floor(log10(fmax(min, 1))), (int)ceil(log10(fmax(max, 1)))};
    d.high += d.high == d.low;
    return d;
}

static double place(const decades *d, double ns) {
    return LEFT + (log10(ns) - d->low) / (d->high - d->low) * (RIGHT - LEFT);
}

static void decade_lines(const decades *d, int rows, output_file *out) {
    static const char *const units[] = {"ns", "us", "ms", "s"};
    int step = (d->high - d->low) / MAX_LABELS + 1;
    for (int power = d->low; power <= d->high; power++) {
        int unit = power / 3 < 3 ? power / 3 : 3;
        char label[32];
        snprintf(label, sizeof label, "%.0f %s", pow(10, power - 3 * unit), units[unit]);
        grid_line(place(d, pow(10, power)), rows, (power - d->low) % step ? NULL : label, out);
    }
}

static void time_bar(const decades *d, const report_row *row, const report_row *best, int at,
                     output_file *out) {
    const quantiles *t = &row->time;
    double middle = at * ROW + ROW / 2.0;
    bar(row, best, at, place(d, t->median), out);
    html_printf(out, "%s</text>\n", human_ns(t->median).text);
    html_printf(out,
                "<line class=\"all\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>\n"
                "<line class=\"half\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>\n",
                place(d, t->min), place(d, t->max), middle, middle, place(d, t->quartile1),
                place(d, t->quartile3), middle, middle);
}

void report_time_bars(const report_graph *g, output_file *out) {
    const report_row *best = report_fastest(g);
    decades d = decades_of(g);
    int at = 0;
    begin(g, "time of each strategy, logarithmic", out);
    decade_lines(&d, rows_with_times(g), out);
    for (int64_t i = 0; i < g->rows; i++)
        if (g->row[i].runs) {
            name_of_row(g, &g->row[i], at, out);
            time_bar(&d, &g->row[i], best, at++, out);
        }
    html_printf(out, "</svg>\n");
}

/* ---- speed relative to the fastest: linear -------------------------------------------------- */

void report_speed_bars(const report_graph *g, output_file *out) {
    static const char *const labels[] = {"0", NULL, "0.5", NULL, "1"};
    const report_row *best = report_fastest(g);
    int at = 0;
    begin(g, "speed of each strategy relative to the fastest", out);
    for (int i = 0; i <= 4; i++)
        grid_line(LEFT + i * (RIGHT - LEFT) / 4.0, rows_with_times(g), labels[i], out);
    for (int64_t i = 0; i < g->rows; i++) {
        const report_row *row = &g->row[i];
        if (!row->runs)
            continue;
        double speed = best->time.median / row->time.median;
        name_of_row(g, row, at, out);
        bar(row, best, at++, LEFT + speed * (RIGHT - LEFT), out);
        html_printf(out, "%.3g</text>\n", speed);
    }
    html_printf(out, "</svg>\n");
}
