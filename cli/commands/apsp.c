/* fringe apsp: the library writes each row when those before it are finished; with a check, all of
 * them after it. */
#include "cli/io/json.h"
#include "cli/io/number.h"
#include "cli/io/progress.h"
#include "cli/io/result_sink.h"
#include "cli/io/vertex.h"
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
    void *all;             /* [rows][columns], for the check; NULL: not kept */
    int32_t *all_parents;  /* the same */
    bool verified, said;   /* said: the size is printed */
    int64_t reached;       /* pairs */
    int64_t done;          /* rows */
    int64_t began, spoken; /* ns: of solving, of the last line about the rows */
    int file_code;         /* the exit code of a file that failed */
} matrix;

/* ---- what is said before and while it is solved ------------------------------------------------- */

/* Bytes of the file; of text an estimate, by the widest id and distances of five digits. */
static double file_bytes(const matrix *m, double pairs) {
    const session *x = m->x;
    if (result_is(x->s, "npy") || result_is(x->s, "npz"))
        return pairs *
               (double)(fr_type_size(m->type) + (m->query.want_parents ? sizeof(int64_t) : 0));
    vertex_text_buffer id;
    const double id_bytes =
        m->x->csr->n ? (double)strlen(vertex_text(x->graph, x->csr->n - 1, &id)) : 1;
    const double names = result_is(x->s, "json") || result_is(x->s, "ndjson") ? 40 : 3;
    return pairs * (2 * id_bytes + 5 + names);
}

/* The time that the solver expects, which auto writes as "NAME 12.3 ms"; 0: it says none. */
static double expected_ns(const matrix *m) {
    const char *why = fr_solver_explain(m->solver);
    const size_t length = strcspn(why, ":");
    for (const char *at = why + length; length && (at = memmem(at, strlen(at), why, length));
         at++) {
        char *end;
        const double ms = strtod(at + length, &end);
        if (end > at + length && strncmp(end, " ms", 3) == 0)
            return ms * 1e6;
    }
    return 0;
}

/* The size of a matrix that takes a while, or much space, before it is computed. */
static void say_size(matrix *m) {
    enum { LARGE = 1 << 22, SLOW_NS = 2000000000 };
    const session *x = m->x;
    const double pairs = (double)m->rows * (double)m->columns, ns = expected_ns(m);
    if (m->said || x->s->quiet || (pairs < LARGE && ns < SLOW_NS))
        return;
    m->said = true;
    fprintf(stderr, "fringe: %s of %s", human_items(m->rows, "row", "rows").text,
            human_items(m->columns, "column", "columns").text);
    const bool exact = result_is(x->s, "npy") || result_is(x->s, "npz");
    if (x->s->out)
        fprintf(stderr, ", %s%s in %s", exact ? "" : "about ",
                human_bytes(file_bytes(m, pairs)).text,
                strcmp(x->s->out, "-") == 0 ? "standard output" : x->s->out);
    if (ns > 0)
        fprintf(stderr, ", expected to be computed in %s", human_ns(ns).text);
    fputc('\n', stderr);
}

/* Arrays without ids: where the places are not the ids, the reader has to know which vertex a row is of. */
static void say_no_ids(const session *x) {
    const int32_t n = x->csr->n;
    const bool places_are_ids = !x->sources && !x->targets && n && !has_names(x->graph) &&
                                fr_graph_id(x->graph, 0) == 0 &&
                                fr_graph_id(x->graph, n - 1) == n - 1;
    if (x->s->out && result_is(x->s, "npy") && !x->s->quiet && !places_are_ids)
        fprintf(stderr,
                "fringe: %s has the distances alone, in the order of %s; a file .npz has the ids "
                "of the rows and columns, too\n",
                x->s->out, x->sources ? "the sources given" : "the ids");
}

/* The rest of the time, by the rows so far: after some seconds, then twice as long after, to a minute. A terminal has
 * the bar, too. */
static void say_rest(matrix *m) {
    enum { FIRST = 3, MINUTE = 60 };
    const int64_t second = 1000000000, now = cli_now_ns(), spent = now - m->began;
    const int64_t wait = m->spoken ? m->spoken - m->began : FIRST * second;
    const int64_t longest = MINUTE * second;
    if (m->x->s->quiet ||
        now - (m->spoken ? m->spoken : m->began) < (wait < longest ? wait : longest))
        return;
    m->spoken = now;
    const double rest = (double)spent * (double)(m->rows - m->done) / (double)m->done;
    progress_clear();
    fprintf(stderr, "fringe: %s of %s rows after %s, %s left\n", human_count(m->done).text,
            human_count(m->rows).text, human_ns((double)spent).text, human_ns(rest).text);
}

/* An fr_apsp_row_fn. */
static int count_row(void *user, int64_t row, int32_t source, const void *dist,
                     const int32_t *parent) {
    matrix *m = user;
    answer a = {.problem = FR_PROBLEM_APSP, .type = m->type, .value = (void *)(uintptr_t)dist};
    (void)row, (void)source, (void)parent;
    for (int64_t i = 0; i < m->columns; i++)
        m->reached += answer_reached(&a, i);
    m->done++;
    if (m->done < m->rows)
        say_rest(m);
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
    /* parents are an array behind that of the distances, which is written first */
    const bool keeps = m->query.want_parents && x->s->out && result_is(x->s, "npz");
    if (x->s->verify || x->s->verify_rows || keeps) {
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

/* Writes the file: the rows while they are solved, or those that are kept. */
static fr_status write_matrix(matrix *m) {
    const session *x = m->x;
    result_sink k;
    m->file_code = result_sink_open(&k, x);
    if (m->file_code)
        return FR_DISK;
    fr_status status = result_sink_vertices(&k, "sources", m->query.sources, m->rows);
    if (!status)
        status = result_sink_vertices(&k, "targets", m->query.targets, m->columns);
    fr_output out = result_sink_output(&k, "values");
    fr_result written = m->result;
    if (k.is_archive)
        written.parent = NULL;
    if (!status)
        status = m->all ? fr_matrix_write(x->ctx, x->graph, &m->query, m->type, &written, &out)
                        : fr_apsp_write(m->solver, &m->query, &m->result, &out);
    if (!status && m->all_parents)
        status = result_sink_vertex_matrix(&k, "parents", m->all_parents, m->rows, m->columns);
    const bool lost = k.file.error;
    m->file_code = result_sink_close(&k, lost ? FR_OK : status);
    return m->file_code && !status ? FR_DISK : status;
}

static fr_status attempt(matrix *m) {
    fr_status status = make_solver(m);
    if (status)
        return status;
    say_size(m);
    m->reached = m->done = m->spoken = 0;
    m->began = cli_now_ns();
    m->query.row = count_row;
    m->query.row_user = m;
    return m->x->s->out && !m->all ? write_matrix(m) : fr_solve(m->solver, &m->query, &m->result);
}

static fr_status verify(matrix *m) {
    session *x = m->x;
    const fr_graph *graph;
    fr_query query = m->query;
    fr_status status = session_traversed(x, &graph, &query);
    if (!status)
        status = fr_verify_apsp(x->ctx, graph, &query, m->options.unit_weights, m->all, m->type,
                                m->all_parents, x->s->verify_rows, x->s->load.seed);
    m->verified = status == FR_OK;
    return status;
}

/* Checks and writes a matrix that is kept. */
static fr_status check(matrix *m) {
    const settings *s = m->x->s;
    const fr_status status = s->verify || s->verify_rows ? verify(m) : FR_OK;
    return status || !s->out || !m->all ? status : write_matrix(m);
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
    json_set(o, "threads", json_integer(stats->threads));
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
    if (m->file_code)
        return m->file_code;
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
    matrix m = {
        .x = x, .result = FR_INIT(fr_result), .rows = x->sources ? x->source_count : x->csr->n};
    m.columns = x->targets ? x->target_count : x->csr->n;
    m.options = session_solver_options(s);
    m.options.max_sources = (int32_t)m.rows;
    m.query = (fr_query){.sources = x->sources,
                         .source_count = x->source_count,
                         .targets = x->targets,
                         .target_count = x->target_count,
                         .want_parents = s->parent_column > 0};
    if (s->parent_column)
        m.query.parent_rule = (fr_parent_rule)(s->parent_column - 1);
    query_limits(s, &m.query);
    closed_sets_use(&x->closed, NULL, &m.query);
    say_no_ids(x);
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
    if (!result_format(s, RESULT_TABLE))
        return CLI_USAGE;
    if (s->parent_column && result_is(s, "npy"))
        return cli_usage("--parents adds a column to lines (tsv, csv, json, ndjson) or an array to "
                         "a file .npz; a matrix .npy has the distances alone");
    return session_run(s, all_rows);
}
