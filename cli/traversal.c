#include "traversal.h"

#include "cli/io/number.h"
#include "cli/ranks/ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *array(const traversal *t, size_t size) {
    return cli_alloc((size_t)t->x->csr->n * size);
}

static fr_status make_solver(traversal *t) {
    int64_t begin = cli_now_ns();
    fr_status status =
        t->x->ranks ? ranks_solver_new(t)
                    : fr_solver_new(t->x->ctx, t->x->graph, t->problem, &t->options, &t->solver);
    t->made_ns += cli_now_ns() - begin;
    if (status || t->x->ranks)
        return status;
    t->x->ran_on = fr_solver_backend(t->solver);
    t->answer.type = t->problem == FR_PROBLEM_BFS ? FR_TYPE_I32 : fr_solver_dist_type(t->solver);
    free(t->answer.value);
    t->answer.value = array(t, fr_type_size(t->answer.type));
    t->result.level = t->problem == FR_PROBLEM_BFS ? t->answer.value : NULL;
    t->result.dist = t->problem == FR_PROBLEM_BFS ? NULL : t->answer.value;
    return FR_OK;
}

fr_status traversal_open(traversal *t, session *x, fr_problem problem,
                         const fr_solver_options *options) {
    *t = (traversal){.x = x, .s = x->s, .problem = problem, .options = *options};
    t->result.struct_size = sizeof t->result;
    t->answer.problem = problem;
    t->answer.marks_cycles = x->s->mark_negative_cycles;
    t->answer.parent = x->ranks ? NULL : array(t, sizeof(int32_t));
    return make_solver(t);
}

void traversal_close(traversal *t) {
    ranks_solver_free(t);
    fr_solver_free(t->solver);
    free(t->answer.value);
    free(t->answer.parent);
    free(t->runs);
}

bool traversal_unit_weights(const traversal *t) {
    return t->problem == FR_PROBLEM_SSSP && t->options.unit_weights;
}

double traversal_edges(const fr_csr *csr, const fr_stats *stats) {
    return (double)stats->reached_edges / (csr->symmetric ? 2 : 1);
}

void query_limits(const settings *s, fr_query *query) {
    query->limit_level = s->max_level >= 0;
    query->max_level = query->limit_level ? s->max_level : 0;
    query->limit_distance = s->max_distance >= 0;
    query->max_distance = query->limit_distance ? s->max_distance : 0;
}

static fr_status verify(traversal *t) {
    const fr_graph *graph;
    fr_query query = t->query;
    fr_status status = session_traversed(t->x, &graph, &query);
    if (status)
        return status;
    return t->problem == FR_PROBLEM_BFS
               ? fr_verify_bfs(t->x->ctx, graph, &query, t->answer.value, t->answer.parent)
               : fr_verify_sssp(t->x->ctx, graph, &query, traversal_unit_weights(t),
                                t->answer.value, t->answer.type, t->answer.parent);
}

fr_status traversal_check(traversal *t) {
    fr_status status = t->x->ranks ? ranks_verify(t) : verify(t);
    t->verified = status == FR_OK;
    t->wrong = status == FR_VERIFY_FAILED;
    if (t->wrong)
        snprintf(t->message, sizeof t->message, "%s", fr_ctx_error(t->x->ctx));
    return status;
}

static fr_status check_cycle(traversal *t) {
    const fr_graph *graph;
    fr_query query = t->query;
    fr_status status = session_traversed(t->x, &graph, &query);
    if (!status)
        status = fr_verify_cycle(t->x->ctx, graph, &query, t->result.cycle, t->result.cycle_length,
                                 t->result.cycle_weight);
    t->verified = status == FR_OK;
    if (!status && t->query.mark_negative_cycles)
        status = traversal_check(t);
    return status ? status : FR_NEGATIVE_CYCLE;
}

static void record_run(traversal *t, int64_t call_ns) {
    t->runs = cli_realloc(t->runs, (size_t)(t->run_count + 1) * sizeof *t->runs);
    run_record *r = &t->runs[t->run_count++];
    r->source = t->query.sources[0];
    r->stats = t->result.stats;
    r->call_ns = call_ns;
    r->ns = r->stats.traverse_ns > 0 ? r->stats.traverse_ns : 1;
    r->mteps = traversal_edges(t->x->csr, &r->stats) * 1e3 / (double)r->ns;
}

static fr_status timed_solve(traversal *t, int64_t *call_ns) {
    int64_t begin = cli_now_ns();
    fr_status status = t->x->ranks ? ranks_solve(t) : fr_solve(t->solver, &t->query, &t->result);
    *call_ns = cli_now_ns() - begin;
    if (!t->first_ns && status != FR_OVERFLOW)
        t->first_ns = t->made_ns - t->result.stats.device_init_ns + *call_ns;
    return status;
}

fr_status traversal_run(traversal *t, bool record, bool check) {
    int64_t call_ns;
    t->result.parent = t->wants_parents || check ? t->answer.parent : NULL;
    fr_status status = timed_solve(t, &call_ns);
    if (session_widens(t->x, status, t->answer.type, &t->options)) {
        fr_solver_free(t->solver);
        t->solver = NULL;
        status = make_solver(t);
        if (!status)
            status = timed_solve(t, &call_ns);
    }
    if (t->solver && (!status || status == FR_NEGATIVE_CYCLE))
        snprintf(t->why, sizeof t->why, "%s", fr_solver_explain(t->solver));
    bool marks_cycles = status == FR_NEGATIVE_CYCLE && t->query.mark_negative_cycles;
    if (record && (!status || marks_cycles))
        record_run(t, call_ns);
    if (status == FR_NEGATIVE_CYCLE && check)
        return check_cycle(t);
    if (status)
        return status;
    return check ? traversal_check(t) : FR_OK;
}

/* ---- the answer -------------------------------------------------------------------------------- */

double answer_value(const answer *a, int64_t v) {
    switch (a->type) {
    case FR_TYPE_I64: return (double)((const int64_t *)a->value)[v];
    case FR_TYPE_F32: return (double)((const float *)a->value)[v];
    case FR_TYPE_F64: return ((const double *)a->value)[v];
    default: return ((const int32_t *)a->value)[v];
    }
}

int64_t answer_whole(const answer *a, int64_t v) {
    return a->type == FR_TYPE_I64 ? ((const int64_t *)a->value)[v] : ((const int32_t *)a->value)[v];
}

bool answer_reached(const answer *a, int64_t v) {
    if (a->problem == FR_PROBLEM_BFS)
        return ((const int32_t *)a->value)[v] >= 0;
    switch (a->type) {
    case FR_TYPE_I64: return ((const int64_t *)a->value)[v] != FR_INF_I64;
    case FR_TYPE_F32: return ((const float *)a->value)[v] != INFINITY;
    case FR_TYPE_F64: return ((const double *)a->value)[v] != (double)INFINITY;
    default: return ((const int32_t *)a->value)[v] != FR_INF_I32;
    }
}

/* ---- measurements ---------------------------------------------------------------------------- */

static quantiles quantiles_of(double *values, int64_t count) {
    double inverse = 0;
    for (int64_t i = 0; i < count; i++)
        inverse += 1 / values[i];
    sort_doubles(values, count);
    quantiles out = {values[0],
                     quantile(values, count, 0.25),
                     quantile(values, count, 0.5),
                     quantile(values, count, 0.75),
                     values[count - 1],
                     values[0] > 0 ? (double)count / inverse : 0};
    free(values);
    return out;
}

quantiles quantiles_of_rates(const run_record *runs, int64_t count) {
    double *values = cli_alloc((size_t)count * sizeof *values);
    for (int64_t i = 0; i < count; i++)
        values[i] = runs[i].mteps;
    return quantiles_of(values, count);
}

quantiles quantiles_of_times(const run_record *runs, int64_t count) {
    double *values = cli_alloc((size_t)count * sizeof *values);
    for (int64_t i = 0; i < count; i++)
        values[i] = (double)runs[i].ns;
    return quantiles_of(values, count);
}

quantiles quantiles_of_calls(const run_record *runs, int64_t count) {
    double *values = cli_alloc((size_t)count * sizeof *values);
    for (int64_t i = 0; i < count; i++)
        values[i] = (double)runs[i].call_ns;
    return quantiles_of(values, count);
}

typedef struct ranked {
    int64_t ns, index;
} ranked;

static int by_time(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns < y->ns ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

const run_record *median_run(const run_record *runs, int64_t count) {
    ranked *order = cli_alloc((size_t)count * sizeof *order);
    for (int64_t i = 0; i < count; i++)
        order[i] = (ranked){runs[i].ns, i};
    qsort(order, (size_t)count, sizeof *order, by_time);
    const run_record *middle = &runs[order[(count - 1) / 2].index];
    free(order);
    return middle;
}
