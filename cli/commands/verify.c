/* fringe verify: checks the result file of any program. */
#include "cli/io/json.h"
#include "cli/io/number.h"
#include "cli/io/progress.h"
#include "cli/io/result_read.h"
#include "cli/io/vertex.h"
#include "cli/traversal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct checked {
    session *x;
    result_file file;
    fr_problem problem;
    fr_query query;
    bool sources_guessed;
    void *values; /* as the checker needs them */
    fr_type type;
    int64_t reached;
} checked;

/* Chooses the problem by --problem, by the header, or by values that only one of the two writes. */
static int choose_problem(checked *c) {
    const settings *s = c->x->s;
    int named = s->problem ? s->problem : c->file.problem;
    bool fractions = !c->file.all_whole;
    if (!named && c->file.marks_bfs && !fractions)
        named = 1 + FR_PROBLEM_BFS;
    if (!named && fractions)
        named = 1 + FR_PROBLEM_SSSP;
    if (!named)
        return cli_usage("%s may be a result of bfs or of sssp: give --problem bfs or sssp",
                         s->args[1]);
    if (s->problem && c->file.problem && s->problem != c->file.problem)
        return cli_usage("%s has the header of the other problem", s->args[1]);
    c->problem = (fr_problem)(named - 1);
    return CLI_OK;
}

static bool is_reached(const checked *c, int32_t v) {
    if (c->problem == FR_PROBLEM_BFS && c->file.value[v] == -1)
        return false;
    return !isinf(c->file.value[v]);
}

/* Minus infinity, which marks a vertex that a negative cycle reaches. */
static bool is_neg_inf(const checked *c, int32_t v) {
    return c->file.value[v] == -(double)INFINITY;
}

static int wrong_value(const checked *c, int32_t v, const char *what) {
    return cli_fail(FR_VERIFY_FAILED, "%s: wrong answer: vertex %s has the value %.17g, %s",
                    c->x->s->args[1], VERTEX_TEXT(c->x->graph, v), c->file.value[v], what);
}

static int make_levels(checked *c) {
    int32_t n = c->x->csr->n, *level = cli_alloc((size_t)n * sizeof *level);
    c->values = level;
    c->type = FR_TYPE_I32;
    for (int32_t v = 0; v < n; v++) {
        if (!is_reached(c, v) && !is_neg_inf(c, v)) {
            level[v] = -1;
            continue;
        }
        double value = c->file.value[v];
        if (value != floor(value) || value < 0 || value >= n)
            return wrong_value(c, v, "which is no level");
        level[v] = (int32_t)value;
        c->reached++;
    }
    return CLI_OK;
}

/* Floats may differ by the rounding of their sums, so the tolerance depends on the type. */
static fr_type distance_type(const checked *c) {
    fr_type weights = c->x->csr->weight_type;
    if (c->x->s->dist_type)
        return (fr_type)c->x->s->dist_type;
    if (weights == FR_TYPE_I32 || weights == FR_TYPE_I64 || weights == FR_TYPE_NONE)
        return FR_TYPE_I64;
    return weights == FR_TYPE_F32 || c->file.single ? FR_TYPE_F32 : FR_TYPE_F64;
}

static int make_distances(checked *c) {
    const fr_csr *csr = c->x->csr;
    c->type = distance_type(c);
    c->values = cli_alloc((size_t)csr->n * 8);
    for (int32_t v = 0; v < csr->n; v++) {
        bool reached = is_reached(c, v);
        c->reached += reached;
        double value = c->file.value[v];
        if (is_neg_inf(c, v) && !c->x->s->mark_negative_cycles)
            return wrong_value(c, v, "which only --mark-negative-cycles allows");
        if (c->type == FR_TYPE_F32)
            ((float *)c->values)[v] = (float)value;
        if (c->type == FR_TYPE_F64)
            ((double *)c->values)[v] = value;
        if (c->type != FR_TYPE_I64)
            continue;
        if (reached && value != floor(value))
            return wrong_value(c, v, "but all weights are integers");
        if (reached && !c->file.all_whole && fabs(value) >= 0x1p53)
            return wrong_value(c, v, "which is no sum of these weights");
        ((int64_t *)c->values)[v] = reached            ? c->file.whole[v]
                                    : is_neg_inf(c, v) ? FR_NEG_INF_I64
                                                       : FR_INF_I64;
    }
    return CLI_OK;
}

/* Without -s: vertices with value 0 that, if the file has parents, are their own parent. */
static int guess_sources(checked *c) {
    int32_t n = c->x->csr->n;
    int64_t count = 0;
    c->x->sources = cli_alloc((size_t)n * sizeof *c->x->sources);
    for (int32_t v = 0; v < n; v++)
        if (is_reached(c, v) && c->file.value[v] == 0 &&
            (!c->file.parent || c->file.parent[v] == v))
            c->x->sources[count++] = v;
    c->query.source_count = count;
    c->sources_guessed = true;
    return count ? CLI_OK
                 : cli_fail(FR_VERIFY_FAILED,
                            "%s: wrong answer: no vertex is a source (has the value 0%s)",
                            c->x->s->args[1], c->file.parent ? " and is its own parent" : "");
}

static fr_status check(const checked *c) {
    session *x = c->x;
    const fr_graph *graph;
    fr_query query = c->query;
    fr_status status = session_traversed(x, &graph, &query);
    if (status)
        return status;
    if (c->problem == FR_PROBLEM_BFS)
        return fr_verify_bfs(x->ctx, graph, &query, c->values, c->file.parent);
    return fr_verify_sssp(x->ctx, graph, &query, false, c->values, c->type, c->file.parent);
}

static void report_json(const checked *c, fr_status status) {
    json_t *o = json_head(c->x);
    json_set(o, "problem", json_string(fr_problem_name(c->problem)));
    json_set(o, "result", json_string(c->x->s->args[1]));
    json_set(o, "verification", json_string(status ? "wrong" : "right"));
    if (status)
        json_set(o, "verification_message", json_string(fr_ctx_error(c->x->ctx)));
    json_set(o, "reached", json_integer(c->reached));
    json_set(o, "sources", json_integer(c->query.source_count));
    json_set(o, "sources_guessed", json_boolean(c->sources_guessed));
    json_set(o, "parents_checked", json_boolean(c->file.parent != NULL));
    outcome_object(o);
}

static void report(const checked *c) {
    const session *x = c->x;
    summary_graph(x);
    if (c->query.source_count == 1)
        summary_line(x, "source", "%s%s", VERTEX_TEXT(x->graph, x->sources[0]),
                     c->sources_guessed ? " (by its value 0)" : "");
    else
        summary_line(x, "sources", "%s%s", human_count(c->query.source_count).text,
                     c->sources_guessed ? " (by their value 0; -s ID checks them too)" : "");
    summary_line(x, "reached", "%s", human_items(c->reached, "vertex", "vertices").text);
    summary_line(x, "verified", "%sthe answer is right%s (%s, %s)", color(x->summary_out, "32"),
                 color(x->summary_out, "0"), fr_problem_name(c->problem),
                 c->file.parent ? "values and parents" : "values; it has no parents");
}

static int verify(checked *c) {
    const settings *s = c->x->s;
    int code = choose_problem(c);
    if (!code)
        code = c->problem == FR_PROBLEM_BFS ? make_levels(c) : make_distances(c);
    c->query = (fr_query){.source_count = s->sources.count,
                          .targets = c->x->targets,
                          .target_count = s->targets.count,
                          .mark_negative_cycles = s->mark_negative_cycles};
    query_limits(s, &c->query);
    if (!code && !s->sources.count)
        code = guess_sources(c);
    c->query.sources = c->x->sources;
    if (code)
        return code;
    fr_status status = check(c);
    progress_clear();
    if (s->json && (!status || status == FR_VERIFY_FAILED))
        report_json(c, status);
    if (status == FR_VERIFY_FAILED)
        return cli_fail(status, "%s: wrong answer: %s", s->args[1], fr_ctx_error(c->x->ctx));
    if (status)
        return cli_fail_ctx(c->x->ctx, status);
    if (!s->json && !s->quiet)
        report(c);
    return CLI_OK;
}

static int run(session *x) {
    checked c = {.x = x};
    int code = result_read(x, x->s->args[1], &c.file);
    if (!code)
        code = verify(&c);
    result_free(&c.file);
    free(c.values);
    return code;
}

int cmd_verify(const settings *s) {
    if (strcmp(s->args[0], "-") == 0 && strcmp(s->args[1], "-") == 0)
        return cli_usage("GRAPH and RESULT cannot both be standard input");
    return session_run(s, run);
}
