/* Measures one configuration: a separate solver, a warm-up whose answer is checked, then several
 * rounds over all sources, of which the minimum time per source counts. A trial stops early if it
 * cannot beat the rival. */
#include "tune/tune.h"

#include "base/checksum.h"

#include <stdlib.h>
#include <string.h>

/* The first traversal runs on cold caches and fresh pages. Above COLD_SLOWER times the rival's time it
 * has lost; above CANCEL_SLOWER times (plus a grace period for short ones) it is cancelled. */
static const double COLD_SLOWER = 4, CANCEL_SLOWER = 10;
/* When warm, a configuration has lost above FAR_SLOWER times the rival's time on the first source;
 * above TOO_SLOW times on all sources further rounds are not worthwhile. */
static const double FAR_SLOWER = 1.6, TOO_SLOW = 1.3;
/* 3 rounds, more for short traversals, fewer if a trial would take 1/25 of the time. */
enum { ROUNDS = 3, MAX_ROUNDS = 30, GRACE_NS = 50000000, ENOUGH_NS = 10000000, SHARE = 25 };

static fr_status solve(fri_tuner *t, fr_solver *solver, int64_t source, int64_t *ns) {
    fr_query query = {.sources = t->options->sources + source, .source_count = 1};
    fr_result result = {.parent = t->parent};
    if (t->problem == FR_PROBLEM_BFS)
        result.level = t->value;
    else
        result.dist = t->value;
    fr_status status = fr_solve(solver, &query, &result);
    *ns = FRI_MAX(result.stats.traverse_ns, 1);
    return status;
}

static fr_status check(fri_tuner *t, fr_solver *solver, int64_t source) {
    fr_query query = {.sources = t->options->sources + source, .source_count = 1};
    t->trial_end = INT64_MAX; /* a check is not limited by time */
    return t->problem == FR_PROBLEM_BFS
               ? fr_verify_bfs(t->ctx, t->graph, &query, t->value, t->parent)
               : fr_verify_sssp(t->ctx, t->graph, &query, t->options->unit_weights, t->value,
                                fr_solver_dist_type(solver), t->parent);
}

/* Compares the values with those already checked, or checks them now. */
static fr_status compare(fri_tuner *t, fr_solver *solver, int64_t source) {
    uint64_t sum = fri_checksum(t->ctx->threads, t->value, t->value_bytes);
    if (t->answer_known[source] && t->answer[source] == sum)
        return FR_OK;
    fr_status status = check(t, solver, source);
    if (!status && !t->answer_known[source]) {
        t->answer_known[source] = true;
        t->answer[source] = sum;
    }
    return status;
}

static fr_status open_solver(fri_tuner *t, const fri_config *s, fr_solver **solver) {
    char knobs[FRI_KNOBS_CAPACITY];
    fr_solver_options options = {.strategy = s->strategy->name,
                                 .backend = s->strategy->backend,
                                 .knobs = fri_config_text(s, knobs),
                                 .dist_type = t->dist_type,
                                 .unit_weights = t->options->unit_weights,
                                 .expected_queries = INT64_MAX}; /* the steady state counts */
    fr_status status = fr_solver_new(t->ctx, t->graph, t->problem, &options, solver);
    if (status || t->value)
        return status;
    fr_type type = t->problem == FR_PROBLEM_BFS ? FR_TYPE_I32 : fr_solver_dist_type(*solver);
    int32_t n = fr_graph_csr(t->graph)->n;
    t->value_bytes = fri_bytes(n, fr_type_size(type));
    t->value = fri_alloc(t->ctx, t->value_bytes);
    if (!t->parent)
        t->parent = fri_alloc(t->ctx, fri_bytes(n, sizeof *t->parent));
    return t->value && t->parent ? FR_OK : FR_NOMEM;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(const double *values, int64_t count) {
    double sorted[FR_TUNE_MAX_SOURCES];
    memcpy(sorted, values, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, ascending);
    return (sorted[count / 2] + sorted[(count - 1) / 2]) / 2;
}

static void limit(fri_tuner *t, const fri_measurement *rival) {
    if (rival)
        t->trial_end =
            FRI_MIN(t->end, fri_now_ns() + GRACE_NS + (int64_t)(CANCEL_SLOWER * rival->first_ns));
}

/* Solves from every source once; `min_ns` keeps the minimum times. */
static fr_status round_of(fri_tuner *t, fr_solver *solver, const fri_measurement *rival, bool first,
                          double *min_ns) {
    for (int64_t i = 0; i < t->options->source_count; i++) {
        int64_t ns;
        limit(t, rival);
        fr_status status = solve(t, solver, i, &ns);
        if (!status && first)
            status = compare(t, solver, i);
        if (status)
            return status;
        min_ns[i] = first ? (double)ns : FRI_MIN(min_ns[i], (double)ns);
    }
    return FR_OK;
}

/* The first, cold traversal with a check of its answer, and a second one if that was slow. */
static fr_status warm_up(fri_tuner *t, fr_solver *solver, const fri_measurement *rival,
                         fri_measurement *out) {
    int64_t ns;
    limit(t, rival);
    fr_status status = solve(t, solver, 0, &ns);
    if (status)
        return status;
    out->ns = (double)ns;
    status = compare(t, solver, 0);
    if (status || !rival || out->ns < FAR_SLOWER * rival->first_ns)
        return status;
    if (out->ns > COLD_SLOWER * rival->first_ns)
        return FR_CANCELLED;
    limit(t, rival);
    status = solve(t, solver, 0, &ns);
    out->ns = status ? out->ns : (double)ns;
    return !status && out->ns > FAR_SLOWER * rival->first_ns ? FR_CANCELLED : status;
}

static fr_status measure(fri_tuner *t, fr_solver *solver, const fri_measurement *rival,
                         fri_measurement *out) {
    double min_ns[FR_TUNE_MAX_SOURCES];
    int64_t begin = fri_now_ns(), share = t->budget_ms * 1000000 / SHARE;
    fr_status status = warm_up(t, solver, rival, out);
    for (int round = 0; round < MAX_ROUNDS && !status; round++) {
        status = round_of(t, solver, rival, round == 0, min_ns);
        if (status)
            break;
        out->ns = median(min_ns, t->options->source_count);
        out->first_ns = min_ns[0];
        int64_t spent = fri_now_ns() - begin;
        if (rival && out->ns > TOO_SLOW * rival->ns)
            break;
        if ((round + 1 >= ROUNDS && spent > ENOUGH_NS) || spent > share)
            break;
    }
    return status;
}

fr_status fri_trial(fri_tuner *t, const fri_config *s, const fri_measurement *rival,
                    fri_measurement *out) {
    fr_solver *solver = NULL;
    int64_t begin = fri_now_ns();
    *out = (fri_measurement){.config = *s};
    t->trial_end = rival ? t->end : INT64_MAX;
    fr_status status = open_solver(t, s, &solver);
    /* multi-device is left to one GPU only without knobs */
    out->own_knobs =
        solver && (solver->job.strategy == s->strategy || s->strategy->needs & FRI_SPANS_DEVICES);
    if (!status)
        status = measure(t, solver, rival, out);
    fr_solver_free(solver);
    out->cost_ns = fri_now_ns() - begin;
    t->trial_end = INT64_MAX;
    return status;
}

fr_status fri_trial_check(fri_tuner *t, const fri_config *s) {
    fr_solver *solver = NULL;
    int64_t ns;
    fr_status status = open_solver(t, s, &solver);
    if (!status)
        status = solve(t, solver, 0, &ns);
    if (!status)
        status = check(t, solver, 0);
    fr_solver_free(solver);
    return status;
}
