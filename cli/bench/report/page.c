/* The page: machine and version, one table of all graphs, then for each graph its bars, its numbers
 * and the levels of each strategy. Tags are closed as XML requires. */
#include <commit.h> /* made by the build */
#include "cli/io/json.h"
#include "cli/machine.h"
#include "cli/io/number.h"
#include "report.h"

#include <string.h>
#include <time.h>

/* ---- style: one column, light or dark like the system of the reader --------------------- */

static const char report_style[] =
    ":root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--soft:#5a6472;--line:#d8dde4;"
    "--bar:#8fb4dc;--best:#4c9a6d;--mark:#1b1f24;--front:#1f5fa8;--edge:#b8500f;--bad:#b3261e;"
    "--k0:#8fb4dc;--k1:#e0a45c;--k2:#7dbb94;--k3:#c79ac9;--k4:#b9b04d;--k5:#9aa3ad}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e4e8ed;--paper:#14181d;--soft:#9aa6b4;"
    "--line:#333b45;--bar:#3f6591;--best:#3c7d58;--mark:#e4e8ed;--front:#78b0ee;--edge:#f0985a;"
    "--bad:#f2938c;--k0:#3f6591;--k1:#96652a;--k2:#3c7d58;--k3:#7d5580;--k4:#77702a;"
    "--k5:#5b646e}}\n"
    "body{margin:0 auto;max-width:46rem;padding:1rem;background:var(--paper);color:var(--ink);"
    "font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}\n"
    "h1{font-size:1.6rem;margin:.3rem 0}h2{font-size:1.25rem;margin:2.2rem 0 .3rem}"
    "h3{font-size:1rem;margin:1.2rem 0 .3rem}p{margin:.4rem 0}a{color:var(--front)}\n"
    ".soft{color:var(--soft)}.bad{color:var(--bad)}.wide{overflow-x:auto}\n"
    "table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.25rem .6rem;text-align:right;white-space:nowrap;"
    "border-bottom:1px solid var(--line)}\n"
    "th:first-child,td:first-child,.left{text-align:left}th{font-weight:600}"
    "td.best{font-weight:700}\n"
    "td.say{white-space:normal;min-width:12rem;text-align:left}\n"
    "summary{cursor:pointer;padding:.35rem 0}"
    "details{border-bottom:1px solid var(--line)}\n"
    "svg{display:block;width:100%;max-width:32rem;height:auto}"
    "svg text{font:11px system-ui,sans-serif;fill:var(--ink)}\n"
    "svg text.soft{fill:var(--soft)}.end{text-anchor:end}.mid{text-anchor:middle}\n"
    ".grid{stroke:var(--line);stroke-width:1}.bar{fill:var(--bar)}.bar.best{fill:var(--best)}\n"
    ".all{stroke:var(--mark);stroke-width:1}.half{stroke:var(--mark);stroke-width:4}\n"
    "polyline{fill:none;stroke-width:2;stroke-linejoin:round}"
    "polyline.frontier{stroke:var(--front)}"
    "polyline.edges{stroke:var(--edge);stroke-dasharray:6 3}\n"
    "circle.frontier{fill:var(--front)}circle.edges{fill:var(--edge)}"
    "b.frontier{color:var(--front)}b.edges{color:var(--edge)}\n"
    ".k0{fill:var(--k0);background:var(--k0)}.k1{fill:var(--k1);background:var(--k1)}"
    ".k2{fill:var(--k2);background:var(--k2)}.k3{fill:var(--k3);background:var(--k3)}"
    ".k4{fill:var(--k4);background:var(--k4)}.k5{fill:var(--k5);background:var(--k5)}\n"
    ".swatch{display:inline-block;width:.7rem;height:.7rem;margin-right:.4rem}\n";

/* ---- head ---------------------------------------------------------------------------------- */

static void head(output_file *out) {
    html_printf(out,
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                "<title>fringe bench</title>\n<style>\n%s</style>\n</head>\n<body>\n"
                "<h1>fringe bench</h1>\n",
                report_style);
}

static bool any_on_gpu(const report *r) {
    for (int64_t i = 0; i < r->graphs; i++)
        if (r->graph[i].on_gpu)
            return true;
    return false;
}

static void machine(const report *r, output_file *out) {
    char model[128];
    machine_cpu_model(model, sizeof model);
    html_text(out, model);
    html_printf(out, ", %d thread%s", r->threads, r->threads == 1 ? "" : "s");
    if (!any_on_gpu(r))
        return;
    json_t *gpu = json_gpu_device();
    html_printf(out, "; ");
    html_text(out, json_string_value(json_object_get(gpu, "name")));
    html_printf(out, ", driver %s, CUDA %s", json_string_value(json_object_get(gpu, "driver")),
                json_string_value(json_object_get(gpu, "cuda")));
    json_decref(gpu);
}

static void write_summary(const report *r, output_file *out) {
    char day[32];
    time_t now = time(NULL);
    struct tm utc;
    strftime(day, sizeof day, "%Y-%m-%d %H:%M UTC", gmtime_r(&now, &utc));
    html_printf(out, "<p>%s on ",
                r->problem == FR_PROBLEM_BFS ? "Breadth-first search" : "Shortest paths");
    machine(r, out);
    html_printf(out, ".<br/><span class=\"soft\">fringe %s", fr_version());
    if (*FRINGE_COMMIT)
        html_printf(out, ", commit %s", FRINGE_COMMIT);
    html_printf(out, ", %s</span></p>\n", day);
    html_printf(
        out, "<p class=\"soft\">Times are those of the traversal only; all strategies of a graph "
             "have the same sources. MTEPS: millions of edges of the reached part per second, an "
             "undirected edge counted once; harmonic mean of the runs.</p>\n");
}

/* ---- all graphs in one table --------------------------------------------------------------- */

/* Whether an earlier graph, or an earlier row of this one, has this strategy. */
static bool seen_before(const report *r, int64_t graph, int64_t row) {
    const report_row *wanted = &r->graph[graph].row[row];
    for (int64_t i = 0; i <= graph; i++)
        for (int64_t k = 0; k < (i < graph ? r->graph[i].rows : row); k++)
            if (strcmp(r->graph[i].row[k].strategy, wanted->strategy) == 0 &&
                strcmp(r->graph[i].row[k].backend, wanted->backend) == 0)
                return true;
    return false;
}

static void cell(const report_graph *g, const report_row *like, output_file *out) {
    for (int64_t k = 0; k < g->rows; k++) {
        const report_row *row = &g->row[k];
        if (strcmp(row->strategy, like->strategy) != 0 || strcmp(row->backend, like->backend) != 0)
            continue;
        if (row->runs)
            html_printf(out, "<td%s>%s</td>", row == report_fastest(g) ? " class=\"best\"" : "",
                        human_ns(row->time.median).text);
        else
            html_printf(out, "<td class=\"soft\">%s</td>", row->wrong ? "wrong" : "not run");
        return;
    }
    html_printf(out, "<td></td>");
}

static void overview(const report *r, output_file *out) {
    html_printf(out, "<h2>Median times</h2>\n<div class=\"wide\"><table>\n<tr><th>strategy</th>");
    for (int64_t i = 0; i < r->graphs; i++) {
        html_printf(out, "<th><a href=\"#g%lld\">", (long long)i);
        html_text(out, r->graph[i].name);
        html_printf(out, "</a></th>");
    }
    html_printf(out, "</tr>\n");
    for (int64_t i = 0; i < r->graphs; i++)
        for (int64_t k = 0; k < r->graph[i].rows; k++) {
            const report_row *row = &r->graph[i].row[k];
            if (seen_before(r, i, k))
                continue;
            html_printf(out, "<tr><td>%s %s</td>", row->backend, row->strategy);
            for (int64_t g = 0; g < r->graphs; g++)
                cell(&r->graph[g], row, out);
            html_printf(out, "</tr>\n");
        }
    html_printf(out, "</table></div>\n");
}

/* ---- a graph ------------------------------------------------------------------------------- */

static void times_of_row(const report_row *row, output_file *out) {
    const quantiles *t = &row->time;
    const double ns[] = {row->first,   row->call.median, t->median, t->min,
                         t->quartile1, t->quartile3,     t->max};
    for (int i = 0; i < (int)(sizeof ns / sizeof *ns); i++)
        html_printf(out, "<td>%s</td>", human_ns(ns[i]).text);
    html_printf(out, "<td>%.4g</td><td>%s</td><td>%s</td><td>%d</td>", row->rate.harmonic_mean,
                human_ns((double)row->stats.prepare_ns).text,
                human_ns((double)(row->stats.transfer_ns - row->stats.upload_ns)).text,
                row->stats.levels);
}

static void numbers_of_row(const report_row *row, output_file *out) {
    html_printf(out, "<tr><td>%s %s</td>", row->backend, row->strategy);
    if (row->runs)
        times_of_row(row, out);
    html_printf(out, "<td class=\"say%s\"%s>", row->wrong ? " bad" : "",
                row->runs ? "" : " colspan=\"12\"");
    html_text(out, row->verdict);
    html_printf(out, "</td></tr>\n");
}

static void numbers(const report_graph *g, output_file *out) {
    html_printf(out, "<h3>Numbers</h3>\n<div class=\"wide\"><table>\n<tr><th>strategy</th>"
                     "<th>first answer</th><th>call</th><th>traversal</th><th>min</th>"
                     "<th>quartile</th><th>quartile</th><th>max</th>"
                     "<th>MTEPS</th><th>preparation</th><th>download</th><th>levels</th>"
                     "<th class=\"left\">checked</th></tr>\n");
    for (int64_t i = 0; i < g->rows; i++)
        numbers_of_row(&g->row[i], out);
    html_printf(out, "</table></div>\n");
}

static void spans(const level_profile *p, output_file *out) {
    html_printf(out, "<div class=\"wide\"><table>\n<tr><th>choice</th><th>levels</th>"
                     "<th>vertices</th><th>edges</th><th>time</th></tr>\n");
    for (int64_t i = 0; i < p->span_count && i < PROFILE_SPANS; i++) {
        const level_span *s = &p->spans[i];
        html_printf(out, "<tr><td><span class=\"swatch k%d\"></span>", s->kind % 6);
        html_text(out, s->method);
        html_printf(out, "</td><td>%lld", (long long)s->first);
        if (s->last > s->first)
            html_printf(out, " to %lld", (long long)s->last);
        html_printf(out, "</td><td>%s</td><td>%s</td><td>%s</td></tr>\n",
                    human_count(s->frontier).text,
                    p->has_edges ? human_count(s->edges).text : "not recorded",
                    p->has_times ? human_ns((double)s->ns).text : "not recorded");
    }
    html_printf(out, "</table></div>\n");
    if (p->span_count > PROFILE_SPANS)
        html_printf(out, "<p class=\"soft\">%s later changes of the method are left out.</p>\n",
                    human_count(p->span_count - PROFILE_SPANS).text);
}

static void levels_of_row(const report_row *row, bool open, output_file *out) {
    html_printf(out, "<details%s><summary>%s %s", open ? " open=\"open\"" : "", row->backend,
                row->strategy);
    if (strcmp(row->ran, row->strategy) != 0) {
        html_printf(out, ", ran ");
        html_text(out, row->ran);
    }
    html_printf(out, "</summary>\n");
    if (*row->why) {
        html_printf(out, "<p>");
        html_text(out, row->why);
        html_printf(out, "</p>\n");
    }
    if (row->profile.levels) {
        report_level_lines(&row->profile, out);
        spans(&row->profile, out);
    } else {
        html_printf(out, "<p class=\"soft\">No levels were recorded.</p>\n");
    }
    html_printf(out, "</details>\n");
}

static void levels(const report_graph *g, output_file *out) {
    html_printf(out,
                "<h3>Levels, from the first source</h3>\n<p class=\"soft\">Logarithmic: "
                "<b class=\"frontier\">vertices of the frontier</b>, <b class=\"edges\">edges "
                "examined (dashed)</b>; if there are many levels, each point is the maximum of "
                "several.</p>\n");
    for (int64_t i = 0; i < g->rows; i++)
        if (g->row[i].runs)
            levels_of_row(&g->row[i], &g->row[i] == report_fastest(g), out);
}

static void section(const report_graph *g, int64_t index, output_file *out) {
    html_printf(out, "<section id=\"g%lld\">\n<h2>", (long long)index);
    html_text(out, g->name);
    html_printf(out, "</h2>\n<p class=\"soft\">");
    if (g->skipped) {
        html_printf(out, "Left out: ");
        html_text(out, g->skipped);
        html_printf(out, "</p>\n</section>\n");
        return;
    }
    html_text(out, g->note);
    html_printf(out, "%s%s, %s %s %s, %s", *g->note ? ": " : "",
                human_items(g->n, "vertex", "vertices").text, human_count(g->m).text,
                g->symmetric ? "stored (undirected)" : "directed", g->m == 1 ? "edge" : "edges",
                human_items(g->sources, "source", "sources").text);
    html_printf(out, " drawn with seed %llu</p>\n", (unsigned long long)g->seed);
    if (report_fastest(g)) {
        html_printf(out, "<h3>Time, logarithmic</h3>\n<p class=\"soft\">Bar: median; thick line: "
                         "quartiles; thin line: minimum to maximum.</p>\n");
        report_time_bars(g, out);
        html_printf(out, "<h3>Speed relative to the fastest</h3>\n");
        report_speed_bars(g, out);
    }
    numbers(g, out);
    if (report_fastest(g))
        levels(g, out);
    html_printf(out, "</section>\n");
}

void report_write(const report *r, output_file *out) {
    head(out);
    write_summary(r, out);
    if (r->graphs > 1)
        overview(r, out);
    for (int64_t i = 0; i < r->graphs; i++)
        section(&r->graph[i], i, out);
    html_printf(out, "</body>\n</html>\n");
}
