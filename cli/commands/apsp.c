/* fringe apsp: the library writes each row when those before it are finished; with a check, all of
 * them after it. */
#include "cli/io/json.h"
#include "cli/io/number.h"
#include "cli/io/progress.h"
#include "cli/traversal.h"

#include <stdlib.h>
#include <string.h>

typedef struct matrix {
    session *x;
    fr_solver *solver;
    fr_solver_options options;
    fr_query query;
    fr_result result;
    int64_t rows, columns;
    fr_type type;
    void *all;            /* [rows][columns], for the check; NULL: not kept */
    int32_t *all_parents; /* the same */
    bool verified;
    int64_t reached; /* pairs */
} matrix;

/* An fr_apsp_row_fn. */
static int count_row(void *user, int64_t row, int32_t source, const void *dist,
                     const int32_t *parent) {
    matrix *m = user;
    answer a = {.problem = FR_PROBLEM_APSP, .type = m->type, .value = (void *)(uintptr_t)dist};
    (void)row, (void)source, (void)parent;
    for (int64_t i = 0; i < m->columns; i++)
        m->reached += answer_reached(&a, i);
    return progress_stopped();
}

/* Bytes of a value per pair; SIZE_MAX, which cli_alloc refuses, if they exceed size_t. */
static size_t bytes_of_pairs(const matrix *m, size_t size) {
    size_t cells, bytes;
    bool over = __builtin_mul_overflow((size_t)m->rows, (size_t)m->columns, &cells) ||
                __builtin_mul_overflow(cells, size, &bytes);
    return over ? SIZE_MAX : bytes;
}

static fr_status make_solver(matrix *m) {
    const session *x = m->x;
    fr_status status = fr_solver_new(x->ctx, x->graph, FR_PROBLEM_APSP, &m->options, &m->solver);
    if (status)
        return status;
    m->x->ran_on = fr_solver_backend(m->solver);
    m->type = fr_solver_dist_type(m->solver);
    if (x->s->verify || x->s->verify_rows) {
        free(m->all);
        m->all = cli_alloc(bytes_of_pairs(m, fr_type_size(m->type)));
        m->result.dist = m->all;
        free(m->all_parents);
        m->all_parents =
            m->query.want_parents ? cli_alloc(bytes_of_pairs(m, sizeof(int32_t))) : NULL;
        m->result.parent = m->all_parents;
    }
    return FR_OK;
}

static fr_output output_of(const settings *s) {
    return (fr_output){.path = s->out, .format = s->format};
}

static fr_status attempt(matrix *m) {
    const char *path = m->x->s->out;
    fr_output out = output_of(m->x->s);
    fr_status status = make_solver(m);
    if (status)
        return status;
    m->reached = 0;
    m->query.row = count_row;
    m->query.row_user = m;
    return path && !m->all ? fr_apsp_write(m->solver, &m->query, &m->result, &out)
                           : fr_solve(m->solver, &m->query, &m->result);
}

/* Checks and writes a matrix that is kept. */
static fr_status check(matrix *m) {
    session *x = m->x;
    const fr_graph *graph;
    fr_query query = m->query;
    if (!m->all)
        return FR_OK;
    fr_status status = session_traversed(x, &graph, &query);
    if (!status)
        status = fr_verify_apsp(x->ctx, graph, &query, m->options.unit_weights, m->all, m->type,
                                m->all_parents, x->s->verify_rows, x->s->load.seed);
    m->verified = status == FR_OK;
    fr_output out = output_of(x->s);
    return status || !x->s->out
               ? status
               : fr_matrix_write(x->ctx, x->graph, &m->query, m->type, &m->result, &out);
}

static void report(const matrix *m) {
    const session *x = m->x;
    const fr_stats *stats = &m->result.stats;
    summary_graph(x);
    const char *why = fr_solver_explain(m->solver);
    summary_strategy(x, stats->strategy, why);
    summary_widened(x, m->type);
    summary_line(x, "rows", "%s of %s, %s reached", human_count(m->rows).text,
                 human_items(m->columns, "column", "columns").text,
                 human_items(m->reached, "pair", "pairs").text);
    summary_line(x, "time", "%s solving and writing, %s preparing",
                 human_ns((double)stats->traverse_ns).text,
                 human_ns((double)stats->prepare_ns).text);
    summary_counts(x, stats);
    if (m->verified)
        summary_verified(x, "the answer is right");
    if (x->s->out && strcmp(x->s->out, "-") != 0)
        summary_line(x, "written", "%s", x->s->out);
}

static void explain(const matrix *m) {
    traversal t = {.x = m->x, .s = m->x->s, .solver = m->solver};
    snprintf(t.why, sizeof t.why, "%s", fr_solver_explain(m->solver));
    summary_explain(&t);
}

static void report_json(const matrix *m) {
    const session *x = m->x;
    const fr_stats *stats = &m->result.stats;
    const char *asked = x->s->strategy ? x->s->strategy : "auto";
    json_t *o = json_head(x);
    json_set(o, "problem", json_string("apsp"));
    json_set(o, "strategy", json_string(stats->strategy));
    json_set(o, "strategy_asked", json_string(asked));
    json_set(o, "why", json_string(fr_solver_explain(m->solver)));
    json_set(o, "knobs", json_knobs(x->s, FR_PROBLEM_APSP, asked));
    json_set(o, "dist_type", json_string(fr_type_name(m->type)));
    json_set(o, "rows", json_integer(m->rows));
    json_set(o, "columns", json_integer(m->columns));
    json_set(o, "reached", json_integer(m->reached));
    json_set(o, "prepare_ns", json_integer(stats->prepare_ns));
    json_set(o, "transfer_ns", json_integer(stats->transfer_ns));
    json_set(o, "traverse_ns", json_integer(stats->traverse_ns));
    json_set(o, "call_ns", json_integer(stats->call_ns));
    json_set(o, "edges_examined", json_integer(stats->edges_examined));
    json_set(o, "relaxations", json_integer(stats->relaxations));
    if (stats->counter_mask)
        json_set(o, "counters", json_counts(stats));
    json_peak(o, x);
    json_set(o, "verification", json_string(m->verified ? "right" : "not asked for"));
    outcome_object(o);
}

static int solve(matrix *m) {
    fr_status status = attempt(m);
    if (session_widens(m->x, status, m->type, &m->options)) {
        fr_solver_free(m->solver);
        m->solver = NULL;
        status = attempt(m);
    }
    if (!status)
        status = check(m);
    if (status)
        return session_fail(m->x, status, FR_PROBLEM_APSP, &m->result);
    hint_unreached(m->x, m->reached, m->rows, m->columns);
    progress_clear();
    if (m->x->s->json)
        report_json(m);
    else if (!m->x->s->quiet)
        report(m);
    if (!m->x->s->json && m->x->s->explain)
        explain(m);
    return CLI_OK;
}

static int all_rows(session *x) {
    const settings *s = x->s;
    matrix m = {.x = x, .rows = x->sources ? x->source_count : x->csr->n};
    m.columns = x->targets ? s->targets.count : x->csr->n;
    m.options =
        (fr_solver_options){.strategy = s->strategy,
                            .backend = s->devices ? FR_BACKEND_CUDA : (fr_backend)s->backend,
                            .knobs = s->knobs,
                            .dist_type = (fr_type)s->dist_type,
                            .reverse = s->reverse,
                            .record_levels = s->explain,
                            .counters = s->counters,
                            .max_sources = (int32_t)m.rows};
    m.query = (fr_query){.sources = x->sources,
                         .source_count = x->source_count,
                         .targets = x->targets,
                         .target_count = s->targets.count,
                         .want_parents = s->parent_column > 0};
    if (s->parent_column)
        m.query.parent_rule = (fr_parent_rule)(s->parent_column - 1);
    query_limits(s, &m.query);
    closed_sets_use(&x->closed, NULL, &m.query);
    int code = solve(&m);
    fr_solver_free(m.solver);
    free(m.all);
    free(m.all_parents);
    return code;
}

int cmd_apsp(const settings *s) {
    if (s->stream)
        return cmd_stream(s);
    if (s->sources.count && s->random_sources)
        return cli_usage("-s and --sources exclude each other");
    const char *format = result_format(s);
    if (!format)
        return CLI_USAGE;
    if (strcmp(format, "graphalytics") == 0)
        return cli_usage("--format takes tsv or npy here");
    if (strcmp(format, "npy") == 0 && s->parent_column)
        return cli_usage("--parents adds a column to TSV; a .npy matrix has the distances alone");
    return session_run(s, all_rows);
}
