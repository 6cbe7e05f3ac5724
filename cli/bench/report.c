#include <commit.h>      /* made by the build */
#include <report_page.h> /* made by the build from page.html */
#include "report.h"
#include "bench_lines.h"
#include "cli/io/progress.h"
#include "cli/machine.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- page and graphs ----------------------------------------------------------------------- */

int report_begin(report *r, const settings *s, fr_problem problem) {
    *r = (report){.path = s->report, .problem = problem};
    if (!s->report)
        return CLI_OK;
    if (strcmp(s->report, "-") == 0)
        return cli_usage("--report takes a file name, not '-'");
    r->page = json_object();
    r->graphs = json_array();
    json_set(r->page, "graphs", r->graphs);
    return output_file_open(&r->out, s->report);
}

static json_t *add_graph(report *r, const char *name) {
    json_t *graph = json_object();
    json_set(graph, "name", json_text(name));
    json_array_append_new(r->graphs, graph);
    return graph;
}

void report_graph_skip(report *r, const char *name, const char *why) {
    if (r->path)
        json_set(add_graph(r, name), "skipped", json_text(why));
}

void report_graph_begin(report *r, const session *x, const char *name, const char *note,
                        int64_t sources) {
    if (!r->path)
        return;
    json_t *graph = add_graph(r, name);
    r->rows = json_array();
    json_set(graph, "note", json_text(note));
    json_set(graph, "n", json_integer(x->csr->n));
    json_set(graph, "m", json_integer(x->csr->m));
    json_set(graph, "undirected", json_boolean(session_undirected(x)));
    json_set(graph, "sources", json_integer(sources));
    json_set(graph, "seed", json_sprintf("%llu", (unsigned long long)x->s->load.seed));
    json_set(graph, "rows", r->rows);
    json_set(r->page, "cpu", json_device(x->ctx));
}

/* ---- a strategy ---------------------------------------------------------------------------- */

void report_row_add(report *r, const fr_strategy_info *strategy, const traversal *t,
                    const char *why) {
    if (!r->path)
        return;
    r->row = json_object();
    json_array_append_new(r->rows, r->row);
    json_set(r->row, "strategy", json_string(strategy->name));
    json_set(r->row, "backend", json_string(fr_backend_name(strategy->backend)));
    json_set(r->row, "why", json_text(t->why));
    json_set(r->row, "verdict", json_text(why ? why : "right"));
    json_set(r->row, "wrong", json_boolean(t->wrong));
    if (!t->run_count || t->wrong)
        return;
    const fr_stats *stats = &median_run(t->runs, t->run_count)->stats;
    json_set(r->row, "ran", json_text(stats->strategy ? stats->strategy : strategy->name));
    bench_put_times(r->row, t);
    r->on_gpu |= strategy->backend == FR_BACKEND_CUDA;
}

/* ---- the levels of a strategy, as many as a plot and a table show -------------------------- */

enum { POINTS = 400, SPANS = 60 };

/* "bucket 7" and "bucket 8" are one kind of method. */
static size_t kind_length(const char *method) {
    const char *space = strrchr(method, ' ');
    return space && space[1] && !space[1 + strspn(space + 1, "0123456789")]
               ? (size_t)(space - method)
               : strlen(method);
}

static bool same_kind(const fr_level *a, const fr_level *b) {
    const size_t length = kind_length(a->method);
    return length == kind_length(b->method) && memcmp(a->method, b->method, length) == 0;
}

/* Levels first .. end-1 as [method, first, last, vertices, edges, ns]: sums, or maxima with the first one's
 * method. */
static json_t *json_levels(const fr_level *levels, int64_t first, int64_t end, bool sum) {
    fr_level all = {0};
    for (int64_t i = first; i < end; i++) {
        const fr_level *l = &levels[i];
        all.frontier = sum                          ? all.frontier + l->frontier
                       : l->frontier > all.frontier ? l->frontier
                                                    : all.frontier;
        all.edges = sum ? all.edges + l->edges : l->edges > all.edges ? l->edges : all.edges;
        all.ns += l->ns;
    }
    return json_pack("[s%, I, I, I, I, I]", levels[first].method, kind_length(levels[first].method),
                     (json_int_t)first, (json_int_t)end - 1, (json_int_t)all.frontier,
                     (json_int_t)all.edges, (json_int_t)all.ns);
}

static json_t *json_profile(const fr_solver *solver) {
    int64_t count, spans = 0;
    const fr_level *levels = fr_solver_levels(solver, &count);
    const int64_t shown = count < POINTS ? count : POINTS;
    json_t *profile = json_object(), *points = json_array(), *span = json_array();
    for (int64_t i = 0; i < shown; i++) /* of consecutive levels the maximum */
        json_array_append_new(points, json_levels(levels, (i * count + shown - 1) / shown,
                                                  ((i + 1) * count + shown - 1) / shown, false));
    for (int64_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && same_kind(&levels[i], &levels[end]);)
            end++;
        if (spans++ < SPANS)
            json_array_append_new(span, json_levels(levels, i, end, true));
    }
    json_set(profile, "levels", json_integer(count));
    json_set(profile, "points", points);
    json_set(profile, "spans", span);
    json_set(profile, "left_out", json_integer(spans > SPANS ? spans - SPANS : 0));
    return profile;
}

void report_levels(report *r, session *x, const fr_solver_options *options, int32_t source,
                   int64_t limit_ns) {
    if (!r->path || !json_object_get(r->row, "traverse_ns"))
        return;
    fr_solver_options recording = *options;
    recording.record_levels = true;
    traversal t;
    progress_deadline(limit_ns ? cli_now_ns() + limit_ns : 0);
    fr_status status = traversal_open(&t, x, r->problem, &recording);
    t.query = (fr_query){.sources = &source, .source_count = 1};
    t.wants_parents = r->problem == FR_PROBLEM_BFS;
    if (!status)
        status = traversal_run(&t, false, false);
    progress_deadline(0);
    if (!status) /* otherwise the page reports that no levels were recorded */
        json_set(r->row, "profile", json_profile(t.solver));
    traversal_close(&t);
}

/* ---- writing ------------------------------------------------------------------------------- */

static void finish(report *r) {
    char day[32];
    time_t now = time(NULL);
    struct tm utc;
    strftime(day, sizeof day, "%Y-%m-%d %H:%M UTC", gmtime_r(&now, &utc));
    json_set(r->page, "problem", json_string(fr_problem_name(r->problem)));
    json_set(r->page, "version", json_string(fr_version()));
    json_set(r->page, "commit", json_string(FRINGE_COMMIT));
    json_set(r->page, "date", json_string(day));
    if (r->on_gpu)
        json_set(r->page, "gpu", json_gpu_device());
}

/* The page with the JSON in its place; "<" is escaped, so that no name ends the element that holds it. */
static void write_page(report *r) {
    static const char place[] = "{\"graphs\":[]}";
    const char *page = (const char *)report_page, *at = strstr(page, place);
    char *text = json_dumps(r->page, JSON_COMPACT | JSON_REAL_PRECISION(9));
    if (!text || !at)
        cli_no_memory();
    output_file_put(&r->out, page, (size_t)(at - page));
    for (const char *c = text; *c; c++)
        output_file_put(&r->out, *c == '<' ? "\\u003c" : c, *c == '<' ? 6 : 1);
    at += sizeof place - 1;
    output_file_put(&r->out, at, strlen(at));
    free(text);
}

int report_end(report *r, int code) {
    if (!r->path)
        return code;
    bool keep = code == cli_exit_code(FR_OK) || code == cli_exit_code(FR_VERIFY_FAILED);
    if (keep) {
        finish(r);
        write_page(r);
    }
    int closed = output_file_close(&r->out, keep);
    json_decref(r->page);
    return closed ? closed : code;
}
