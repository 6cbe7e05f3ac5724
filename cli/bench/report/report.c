#include "report.h"

#include "cli/io/progress.h"

#include <stdlib.h>
#include <string.h>

int report_begin(report *r, const settings *s, fr_problem problem) {
    *r = (report){.path = s->report, .problem = problem};
    if (!s->report)
        return CLI_OK;
    if (strcmp(s->report, "-") == 0)
        return cli_usage("--report takes a file name, not '-'");
    return output_file_open(&r->out, s->report);
}

static report_graph *add_graph(report *r, const char *name, const char *note) {
    r->graph = cli_realloc(r->graph, (size_t)(r->graphs + 1) * sizeof *r->graph);
    r->graph[r->graphs] =
        (report_graph){.name = cli_format("%s", name), .note = cli_format("%s", note)};
    return &r->graph[r->graphs++];
}

void report_graph_skip(report *r, const char *name, const char *why) {
    if (r->path)
        add_graph(r, name, "")->skipped = cli_format("%s", why);
}

void report_graph_begin(report *r, const session *x, const char *name, const char *note,
                        int64_t sources) {
    if (!r->path)
        return;
    report_graph *g = add_graph(r, name, note);
    g->n = x->csr->n;
    g->m = x->csr->m;
    g->sources = sources;
    g->seed = x->s->load.seed;
    g->symmetric = x->csr->symmetric;
    r->threads = fr_ctx_threads(x->ctx);
}

void report_row_add(report *r, const fr_strategy_info *strategy, const traversal *t,
                    const char *why) {
    if (!r->path)
        return;
    report_graph *g = &r->graph[r->graphs - 1];
    g->row = cli_realloc(g->row, (size_t)(g->rows + 1) * sizeof *g->row);
    report_row *out = &g->row[g->rows++];
    *out = (report_row){.strategy = strategy->name,
                        .backend = fr_backend_name(strategy->backend),
                        .why = cli_format("%s", t->why),
                        .verdict = cli_format("%s", why ? why : "right"),
                        .wrong = t->wrong};
    const char *ran = strategy->name;
    if (t->run_count && !t->wrong) {
        out->runs = t->run_count;
        out->time = quantiles_of_times(t->runs, t->run_count);
        out->call = quantiles_of_calls(t->runs, t->run_count);
        out->first = (double)t->first_ns;
        out->rate = quantiles_of_rates(t->runs, t->run_count);
        out->stats = median_run(t->runs, t->run_count)->stats;
        ran = out->stats.strategy ? out->stats.strategy : ran;
        g->on_gpu |= strategy->backend == FR_BACKEND_CUDA;
        g->on_cpu |= strategy->backend == FR_BACKEND_CPU;
    }
    out->ran = cli_format("%s", ran);
}

void report_levels(report *r, session *x, const fr_solver_options *options, int32_t source,
                   int64_t limit_ns) {
    if (!r->path || !r->graph[r->graphs - 1].row[r->graph[r->graphs - 1].rows - 1].runs)
        return;
    report_graph *g = &r->graph[r->graphs - 1];
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
        g->row[g->rows - 1].profile = level_profile_of(t.solver);
    traversal_close(&t);
}

static void row_free(report_row *row) {
    free(row->ran);
    free(row->why);
    free(row->verdict);
    level_profile_free(&row->profile);
}

int report_end(report *r, int code) {
    if (!r->path)
        return code;
    bool keep = code == cli_exit_code(FR_OK) || code == cli_exit_code(FR_VERIFY_FAILED);
    if (keep)
        report_write(r, &r->out);
    int closed = output_file_close(&r->out, keep);
    for (int64_t i = 0; i < r->graphs; i++) {
        for (int64_t k = 0; k < r->graph[i].rows; k++)
            row_free(&r->graph[i].row[k]);
        free(r->graph[i].row);
        free(r->graph[i].name);
        free(r->graph[i].note);
        free(r->graph[i].skipped);
    }
    free(r->graph);
    return closed ? closed : code;
}
