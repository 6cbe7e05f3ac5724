/* fringe apsp: writes each row as soon as it is finished. */
#include "cli/io/json.h"
#include "cli/io/number.h"
#include "cli/io/progress.h"
#include "cli/traversal.h"
#include "cli/io/vertex.h"

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
    output_file out;
    bool npy, writing;
    int64_t next; /* the next row to write */
    void **held;  /* [rows] copies of rows that were finished early, distances, then parents */
    bool widened, verified;
    int64_t reached; /* pairs */
} matrix;

static void put_tsv_row(matrix *m, int32_t source, const answer *a) {
    const int32_t *targets = m->query.targets;
    const fr_graph *graph = m->x->graph;
    vertex_text_room room;
    const char *head = vertex_text(graph, source, &room);
    size_t length = strlen(head);
    for (int64_t i = 0; i < m->columns && !output_file_failed(&m->out); i++) {
        char *at = output_file_reserve(&m->out);
        memcpy(at, head, length);
        at[length] = '\t';
        at = put_vertex(at + length + 1, graph, targets ? targets[i] : (int32_t)i);
        *at++ = '\t';
        at = answer_put(a, i, "inf", at);
        if (a->parent) {
            *at++ = '\t';
            at = a->parent[i] < 0 ? put_int64(at, -1) : put_vertex(at, graph, a->parent[i]);
        }
        *at++ = '\n';
        output_file_end(&m->out, at);
    }
}

static void put_row(matrix *m, int64_t row, const void *dist, const int32_t *parent) {
    size_t size = fr_type_size(m->type);
    answer a = {.problem = FR_PROBLEM_APSP,
                .type = m->type,
                .value = (void *)(uintptr_t)dist,
                .parent = (int32_t *)(uintptr_t)parent};
    int32_t source = m->query.sources ? m->query.sources[row] : (int32_t)row;
    for (int64_t i = 0; i < m->columns; i++)
        m->reached += answer_reached(&a, i);
    if (!m->writing)
        return;
    if (m->npy)
        output_file_put(&m->out, dist, (size_t)m->columns * size);
    else
        put_tsv_row(m, source, &a);
}

/* An fr_apsp_row_fn. Writes rows in order; the solver may finish them in any order. */
static int take_row(void *user, int64_t row, int32_t source, const void *dist,
                    const int32_t *parent) {
    matrix *m = user;
    (void)source;
    size_t bytes = (size_t)m->columns * fr_type_size(m->type);
    size_t ids = parent ? (size_t)m->columns * sizeof *parent : 0;
    if (row != m->next) {
        m->held[row] = cli_alloc(bytes + ids);
        memcpy(m->held[row], dist, bytes);
        if (parent)
            memcpy((char *)m->held[row] + bytes, parent, ids);
    } else {
        put_row(m, m->next++, dist, parent);
    }
    while (m->next < m->rows && m->held[m->next]) {
        const void *held = m->held[m->next];
        put_row(m, m->next, held,
                parent ? (const int32_t *)(const void *)((const char *)held + bytes) : NULL);
        free(m->held[m->next]);
        m->held[m->next++] = NULL;
    }
    return progress_stopped() || output_file_failed(&m->out);
}

static int begin_file(matrix *m) {
    const settings *s = m->x->s;
    m->next = m->reached = 0;
    if (!s->out)
        return CLI_OK;
    int code = output_file_open(&m->out, s->out);
    m->writing = !code;
    if (code)
        return code;
    char shape[64];
    snprintf(shape, sizeof shape, "(%lld, %lld)", (long long)m->rows, (long long)m->columns);
    const char *head =
        m->query.want_parents ? "source\tvertex\tdistance\tparent\n" : "source\tvertex\tdistance\n";
    if (m->npy)
        npy_header(&m->out, npy_type(m->type), shape);
    else
        output_file_put(&m->out, head, strlen(head));
    return CLI_OK;
}

static fr_status make_solver(matrix *m) {
    const session *x = m->x;
    fr_status status = fr_solver_new(x->ctx, x->graph, FR_PROBLEM_APSP, &m->options, &m->solver);
    if (status)
        return status;
    m->type = fr_solver_dist_type(m->solver);
    if (x->s->verify || x->s->verify_rows) {
        free(m->all);
        size_t cells = (size_t)m->rows * (size_t)m->columns;
        m->all = cli_alloc(cells * fr_type_size(m->type));
        m->result.dist = m->all;
        free(m->all_parents);
        m->all_parents = m->query.want_parents ? cli_alloc(cells * sizeof(int32_t)) : NULL;
        m->result.parent = m->all_parents;
    }
    return FR_OK;
}

/* One attempt: *code is the exit code of writing the file, the result the status of the solver. */
static fr_status attempt(matrix *m, int *code) {
    fr_status status = make_solver(m);
    if (status)
        return status;
    *code = begin_file(m);
    if (*code)
        return FR_OK;
    m->query.row = take_row;
    m->query.row_user = m;
    status = fr_solve(m->solver, &m->query, &m->result);
    if (status == FR_CANCELLED && output_file_failed(&m->out) && !progress_stopped()) {
        *code = output_file_close(&m->out, true); /* prints the failure of the file */
        m->writing = false;
        return FR_OK;
    }
    return status;
}

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
    return status;
}

static void report(const matrix *m) {
    const session *x = m->x;
    const fr_stats *stats = &m->result.stats;
    summary_graph(x);
    const char *why = fr_solver_explain(m->solver);
    summary_line(x, "strategy", "%s%s%s%s", stats->strategy, *why ? " (" : "", why,
                 *why ? ")" : "");
    if (m->widened)
        summary_line(x, "distances", "int64: a sum overflowed int32");
    summary_line(x, "rows", "%s of %s columns, %s pairs reached", human_count(m->rows).text,
                 human_count(m->columns).text, human_count(m->reached).text);
    summary_line(x, "time", "%s solving and writing, %s preparing",
                 human_ns((double)stats->traverse_ns).text,
                 human_ns((double)stats->prepare_ns).text);
    summary_counts(x, stats);
    if (m->verified)
        summary_line(x, "verified", "%sthe answer is right%s", color(x->summary_out, "32"),
                     color(x->summary_out, "0"));
    if (m->writing && strcmp(x->s->out, "-") != 0)
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
    json_set(o, "edges_examined", json_integer(stats->edges_examined));
    json_set(o, "relaxations", json_integer(stats->relaxations));
    if (stats->counter_mask)
        json_set(o, "counters", json_counts(stats));
    json_peak(o, x);
    json_set(o, "verification", json_string(m->verified ? "right" : "not asked for"));
    outcome_object(o);
}

static int failed(const matrix *m, fr_status status) {
    const session *x = m->x;
    if (status == FR_VERIFY_FAILED)
        return cli_fail(status, "%s: wrong answer: %s", fr_graph_name(x->graph),
                        fr_ctx_error(x->ctx));
    if (status != FR_NEGATIVE_CYCLE)
        return cli_fail_ctx(x->ctx, status);
    if (x->s->json)
        json_negative_cycle(x, FR_PROBLEM_APSP, &m->result);
    return cycle_fail(x, &m->result);
}

static int solve(matrix *m) {
    int code = CLI_OK;
    fr_status status = attempt(m, &code);
    if (status == FR_OVERFLOW && m->type == FR_TYPE_I32 && !m->options.dist_type) {
        output_file_close(&m->out, false);
        fr_solver_free(m->solver);
        m->solver = NULL;
        m->options.dist_type = FR_TYPE_I64;
        m->widened = true;
        status = attempt(m, &code);
    }
    if (!status && !code)
        status = check(m);
    progress_clear();
    if (m->writing) {
        int closed = output_file_close(&m->out, !status && !code);
        code = code ? code : closed;
    }
    if (status)
        return failed(m, status);
    if (!code && m->x->s->json)
        report_json(m);
    else if (!code && !m->x->s->quiet)
        report(m);
    if (!code && !m->x->s->json && m->x->s->explain)
        explain(m);
    return code;
}

static int all_rows(session *x, const int32_t *sources, int64_t count, int32_t *targets) {
    const settings *s = x->s;
    matrix m = {.x = x, .rows = sources ? count : x->csr->n, .out = {.fd = -1}};
    m.columns = targets ? s->targets.count : x->csr->n;
    m.npy = result_format_choose(s) == RESULT_NPY;
    m.options =
        (fr_solver_options){.strategy = s->strategy,
                            .backend = s->devices ? FR_BACKEND_CUDA : (fr_backend)s->backend,
                            .knobs = s->knobs,
                            .dist_type = (fr_type)s->dist_type,
                            .reverse = s->reverse,
                            .record_levels = s->explain,
                            .counters = s->counters,
                            .max_sources = (int32_t)m.rows};
    m.query = (fr_query){.sources = sources,
                         .source_count = sources ? count : 0,
                         .targets = targets,
                         .target_count = targets ? s->targets.count : 0,
                         .want_parents = s->parent_column > 0};
    if (s->parent_column)
        m.query.parent_rule = (fr_parent_rule)(s->parent_column - 1);
    query_limits(s, &m.query);
    closings_set(&x->closed, NULL, &m.query);
    m.held = cli_alloc((size_t)m.rows * sizeof *m.held);
    int code = solve(&m);
    fr_solver_free(m.solver);
    for (int64_t i = 0; i < m.rows; i++)
        free(m.held[i]);
    free(m.held);
    free(m.all);
    free(m.all_parents);
    return code;
}

int cmd_apsp(const settings *s) {
    if (s->stream)
        return cmd_stream(s);
    if (s->sources.count && s->random_sources)
        return cli_usage("-s and --sources exclude each other");
    int format = result_format_choose(s);
    if (format < 0)
        return CLI_USAGE;
    if (format == RESULT_GRAPHALYTICS)
        return cli_usage("--format takes tsv or npy here");
    if (format == RESULT_NPY && s->parent_column)
        return cli_usage("--parents adds a column to TSV; a .npy matrix has the distances alone");
    session x;
    int32_t *sources = NULL, *targets = NULL;
    int64_t count = s->sources.count ? s->sources.count : s->random_sources;
    int code = session_open(&x, s, s->args[0]);
    if (!code && s->sources.count)
        code = session_vertices(&x, "source", &s->sources, &sources);
    else if (!code && count)
        code = session_random_sources(&x, &count, &sources);
    if (!code && s->targets.count)
        code = session_vertices(&x, "target", &s->targets, &targets);
    if (!code)
        code = all_rows(&x, sources, count, targets);
    free(sources);
    free(targets);
    session_end(&x);
    return code;
}
