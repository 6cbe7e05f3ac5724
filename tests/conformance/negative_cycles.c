#include "conformance/negative_cycles.h"

#include <math.h>
#include <stdlib.h>

static cf_number weight_of(const fr_csr *csr, int64_t e) {
    if (!csr->weights)
        return 1;
    return csr->weight_type == FR_TYPE_I32   ? ((const int32_t *)csr->weights)[e]
           : csr->weight_type == FR_TYPE_I64 ? (cf_number)((const int64_t *)csr->weights)[e]
           : csr->weight_type == FR_TYPE_F32 ? (cf_number)((const float *)csr->weights)[e]
                                             : (cf_number)((const double *)csr->weights)[e];
}

/* Lowers every vertex once over every edge; to minus infinity when `sink`. */
static bool sweep(const fr_csr *csr, cf_number *dist, bool sink) {
    bool fell = false;
    for (int32_t u = 0; u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1] && dist[u] < INFINITY; e++) {
            cf_number d = dist[u] + weight_of(csr, e), *to = &dist[csr->targets[e]];
            if (d < *to) {
                *to = sink ? -(cf_number)INFINITY : d;
                fell = true;
            }
        }
    return fell;
}

/* n sweeps for the distances; what falls after them lies beyond a negative cycle. */
static bool oracle(const fr_csr *csr, int32_t source, cf_number *dist) {
    for (int32_t v = 0; v < csr->n; v++)
        dist[v] = v == source ? 0 : (cf_number)INFINITY;
    for (int32_t i = 0; i < csr->n; i++)
        if (!sweep(csr, dist, false))
            return false;
    if (!sweep(csr, dist, true))
        return false;
    while (sweep(csr, dist, true))
        ;
    return true;
}

static cf_number value(fr_type type, const void *values, int64_t at) {
    if (type == FR_TYPE_I32 && ((const int32_t *)values)[at] == FR_NEG_INF_I32)
        return -(cf_number)INFINITY;
    if (type == FR_TYPE_I64 && ((const int64_t *)values)[at] == FR_NEG_INF_I64)
        return -(cf_number)INFINITY;
    return cf_value(FR_PROBLEM_SSSP, type, values, at);
}

static void put(fr_type type, void *values, int64_t at, bool minus) {
    switch (type) {
    case FR_TYPE_I32: ((int32_t *)values)[at] = minus ? FR_NEG_INF_I32 : 0; break;
    case FR_TYPE_I64: ((int64_t *)values)[at] = minus ? FR_NEG_INF_I64 : 0; break;
    case FR_TYPE_F32: ((float *)values)[at] = minus ? -INFINITY : 0; break;
    default: ((double *)values)[at] = minus ? -(double)INFINITY : 0;
    }
}

static bool check_values(const cf_config *c, const cf_number *want, fr_type type, const void *dist,
                         const int32_t *parent) {
    for (int32_t v = 0; v < c->g->n; v++) {
        cf_number got = value(type, dist, v);
        if (got != want[v]) {
            cf_fail(c, NULL, "past cycles: vertex %d has %.20Lg, should have %.20Lg", v, got,
                    want[v]);
            return false;
        }
        if (parent && isinf(want[v]) && parent[v] != -1) {
            cf_fail(c, NULL, "past cycles: vertex %d at %Lg has parent %d", v, got, parent[v]);
            return false;
        }
    }
    return true;
}

/* One vertex from finite to minus infinity, one the other way round: both are wrong. */
static void break_values(fr_ctx *ctx, const cf_config *c, const fr_query *query,
                         const cf_number *want, fr_type type, void *dist) {
    int32_t broken[2] = {-1, -1}; /* a finite one, one at minus infinity */
    for (int32_t v = 0; v < c->g->n; v++)
        if (want[v] < INFINITY)
            broken[want[v] == -(cf_number)INFINITY] = v;
    for (int k = 0; k < 2; k++) {
        double kept[1];
        if (broken[k] < 0)
            continue;
        char *at = (char *)dist + (size_t)broken[k] * fr_type_size(type);
        for (size_t b = 0; b < fr_type_size(type); b++)
            ((char *)kept)[b] = at[b];
        put(type, dist, broken[k], k == 0);
        if (fr_verify_sssp(ctx, c->g->graph, query, false, dist, type, NULL) != FR_VERIFY_FAILED)
            cf_fail(c, NULL, "the verifier lets vertex %d pass at %s", broken[k],
                    k == 0 ? "minus infinity" : "0");
        for (size_t b = 0; b < fr_type_size(type); b++)
            at[b] = ((char *)kept)[b];
    }
}

static void check_verifier(fr_ctx *ctx, const cf_config *c, fr_query *query, const fr_result *r,
                           const cf_number *want, fr_type type) {
    fr_status status = fr_verify_sssp(ctx, c->g->graph, query, false, r->dist, type, r->parent);
    if (status)
        cf_fail(c, NULL, "past cycles: the verifier returns %s: %s", fr_status_name(status),
                fr_ctx_error(ctx));
    if (r->cycle &&
        fr_verify_cycle(ctx, c->g->graph, query, r->cycle, r->cycle_length, r->cycle_weight))
        cf_fail(c, NULL, "past cycles: the cycle: %s", fr_ctx_error(ctx));
    break_values(ctx, c, query, want, type, r->dist);
    query->mark_negative_cycles = false;
    if (r->cycle && fr_verify_sssp(ctx, c->g->graph, query, false, r->dist, type, r->parent) !=
                        FR_VERIFY_FAILED)
        cf_fail(c, NULL, "the verifier accepts minus infinity as a distance");
    query->mark_negative_cycles = true;
}

static void solve(fr_ctx *ctx, const cf_config *c, fr_solver *solver, const cf_past *want) {
    size_t n = (size_t)c->g->n;
    fr_type type = fr_solver_dist_type(solver);
    int32_t *parent = malloc(n * sizeof *parent);
    void *dist = malloc(n * 8);
    for (int repeat = 0; repeat < 3; repeat++) {
        fr_query query = {.sources = &want->source,
                          .source_count = 1,
                          .mark_negative_cycles = true,
                          .parent_rule = repeat == 2 ? FR_PARENT_MIN_ID : FR_PARENT_ANY};
        fr_result result = {.dist = dist, .parent = repeat == 1 ? NULL : parent};
        cf_cases++;
        fr_status status = fr_solve(solver, &query, &result);
        if (status != (want->cycle ? FR_NEGATIVE_CYCLE : FR_OK) || want->cycle != !!result.cycle)
            cf_fail(c, NULL, "past cycles: %s (%s), %s", fr_status_name(status), fr_ctx_error(ctx),
                    want->cycle ? "there is a cycle" : "there is none");
        else if (check_values(c, want->dist, type, dist, result.parent))
            check_verifier(ctx, c, &query, &result, want->dist, type);
    }
    free(parent);
    free(dist);
}

cf_past cf_past_new(const cf_graph *g, int32_t source) {
    cf_past want = {.source = source, .dist = malloc(((size_t)g->n + 1) * sizeof *want.dist)};
    want.cycle = oracle(fr_graph_csr(g->graph), source, want.dist);
    return want;
}

void cf_past_check(fr_ctx *ctx, const cf_config *c, const cf_past *want) {
    fr_solver *solver = cf_solver_new(ctx, c);
    if (solver)
        solve(ctx, c, solver, want);
    fr_solver_free(solver);
}

void cf_past_cycles(fr_ctx *ctx, const cf_config *c, int32_t source) {
    const cf_past want = cf_past_new(c->g, source);
    cf_past_check(ctx, c, &want);
    free(want.dist);
}
