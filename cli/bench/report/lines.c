/* Frontier and edges over the levels, on a logarithmic scale with 0 below 1; a colored band above
 * shows the method of each level. */
#include "cli/io/number.h"
#include "report.h"

#include <math.h>

enum {
    WIDTH = 360,
    LEFT = 46,
    RIGHT = 352,
    BAND = 6,
    TOP = 16,
    ONE = 168,
    ZERO = 180,
    HEIGHT = 200
};
enum { MAX_LABELS = 5, MAX_DOTS = 40, KINDS = 6 };

static int powers(const level_profile *p) {
    int64_t max = 10;
    for (int64_t i = 0; i < p->point_count; i++) {
        max = p->points[i].frontier > max ? p->points[i].frontier : max;
        max = p->points[i].edges > max ? p->points[i].edges : max;
    }
    return (int)ceil(log10((double)max));
}

static double across(const level_profile *p, double point) {
    double last = (double)p->point_count - 1;
    return last > 0 ? LEFT + point / last * (RIGHT - LEFT) : (LEFT + RIGHT) / 2.0;
}

static double height(int64_t value, int top) {
    return value < 1 ? ZERO : ONE - log10((double)value) / top * (ONE - TOP);
}

static void axes(const level_profile *p, int top, output_file *out) {
    static const char *const units[] = {"", "k", "M", "G", "T", "P", "E"};
    int step = top / MAX_LABELS + 1;
    for (int power = 0; power <= top; power++) {
        double y = ONE - (double)power / top * (ONE - TOP);
        html_printf(out, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>\n",
                    LEFT, RIGHT, y, y);
        if (power % step == 0)
            html_printf(out, "<text class=\"soft end\" x=\"%d\" y=\"%.1f\">%.0f%s</text>\n",
                        LEFT - 6, y + 4, pow(10, power % 3), units[power / 3]);
    }
    html_printf(out, "<text class=\"soft end\" x=\"%d\" y=\"%d\">0</text>\n", LEFT - 6, ZERO + 4);
    html_printf(out, "<text class=\"soft\" x=\"%d\" y=\"%d\">level 0</text>\n", LEFT, HEIGHT - 3);
    if (p->levels > 1)
        html_printf(out, "<text class=\"soft end\" x=\"%d\" y=\"%d\">%s</text>\n", RIGHT,
                    HEIGHT - 3, human_count(p->levels - 1).text);
}

static void band(const level_profile *p, output_file *out) {
    double each = (RIGHT - LEFT) / (double)p->point_count;
    for (int64_t i = 0, end; i < p->point_count; i = end) {
        for (end = i + 1; end < p->point_count && p->points[end].kind == p->points[i].kind;)
            end++;
        html_printf(out, "<rect class=\"k%d\" x=\"%.2f\" y=\"0\" width=\"%.2f\" height=\"%d\"/>\n",
                    p->points[i].kind % KINDS, LEFT + (double)i * each, (double)(end - i) * each,
                    BAND);
    }
}

static int64_t value_of(const level_point *point, bool edges) {
    return edges ? point->edges : point->frontier;
}

static void line(const level_profile *p, bool edges, int top, output_file *out) {
    const char *name = edges ? "edges" : "frontier";
    html_printf(out, "<polyline class=\"%s\" points=\"", name);
    for (int64_t i = 0; i < p->point_count; i++)
        html_printf(out, "%s%.1f,%.1f", i ? " " : "", across(p, (double)i),
                    height(value_of(&p->points[i], edges), top));
    html_printf(out, "\"/>\n");
    for (int64_t i = 0; i < p->point_count && p->point_count <= MAX_DOTS; i++) {
        const int64_t value = value_of(&p->points[i], edges);
        html_printf(
            out,
            "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"><title>level %lld: "
            "%s</title></circle>\n",
            name, across(p, (double)i), height(value, top), (long long)i,
            (edges ? human_items(value, "edge", "edges") : human_items(value, "vertex", "vertices"))
                .text);
    }
}

void report_level_lines(const level_profile *p, output_file *out) {
    int top = powers(p);
    html_printf(out,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"frontier and edges of each "
                "level, logarithmic\">\n",
                WIDTH, HEIGHT);
    axes(p, top, out);
    band(p, out);
    if (p->has_edges)
        line(p, true, top, out);
    line(p, false, top, out);
    html_printf(out, "</svg>\n");
}
