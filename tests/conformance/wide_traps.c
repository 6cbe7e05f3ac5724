#include "conformance/wide_traps.h"
#include "conformance/negative_cycles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sums that leave int64 upwards, downwards, down a cycle, and out and back again. */
typedef struct {
    const char *name;
    int m;
    int64_t edge[4][3]; /* source, target, weight */
    double limit;
    fr_status status;
    int64_t last; /* FR_OK: the distance of vertex 3 */
} trap;

#define HALF (INT64_C(1) << 62)
static const trap traps[] = {
    {"wide-far", 2, {{0, 1, HALF}, {1, 2, HALF}}, 0, FR_OVERFLOW, 0},
    {"wide-far-limit", 2, {{0, 1, HALF}, {1, 2, HALF}}, 0x1p62, FR_OK, INT64_MAX},
    {"wide-limit", 2, {{0, 1, HALF}, {1, 3, 1}}, 0x1p62, FR_OK, INT64_MAX},
    {"wide-infinite", 1, {{0, 3, INT64_MAX}}, 0, FR_OVERFLOW, 0},
    {"wide-max", 1, {{0, 3, INT64_MAX - 1}}, 0, FR_OK, INT64_MAX - 1},
    {"wide-max-limit", 1, {{0, 3, INT64_MAX - 1}}, 1e300, FR_OK, INT64_MAX - 1},
    {"wide-low", 3, {{0, 1, -HALF}, {1, 2, -HALF}, {2, 3, -1}}, 0, FR_OVERFLOW, 0},
    {"wide-minus", 2, {{0, 1, -HALF}, {1, 3, -HALF}}, 0, FR_OVERFLOW, 0},
    {"wide-min", 2, {{0, 1, -HALF}, {1, 3, 1 - HALF}}, 0, FR_OK, INT64_MIN + 1},
    {"wide-cycle", 3, {{0, 1, -HALF}, {1, 2, -HALF}, {2, 1, 5}}, 0, FR_NEGATIVE_CYCLE, 0},
    {"wide-flat-cycle",
     4,
     {{0, 1, 1}, {1, 2, HALF}, {2, 1, -HALF - 1}, {2, 3, 7}},
     0,
     FR_NEGATIVE_CYCLE,
     0},
    {"wide-no-cycle",
     4,
     {{0, 1, 1}, {1, 2, HALF}, {2, 1, -HALF + 1}, {2, 3, 7}},
     0,
     FR_OK,
     HALF + 8},
    {"wide-detour", 3, {{0, 1, HALF}, {1, 2, HALF}, {2, 3, -HALF}}, 0x1p62, FR_OK, HALF},
    {"wide-detour-kept", 3, {{0, 1, HALF}, {1, 2, HALF}, {2, 3, -HALF}}, 0, FR_OVERFLOW, 0},
    {0},
};

static bool is_negative(const trap *t) {
    for (int i = 0; i < t->m; i++)
        if (t->edge[i][2] < 0)
            return true;
    return false;
}

static fr_graph *trap_graph(fr_ctx *ctx, const trap *t) {
    int32_t src[4], dst[4];
    int64_t weight[4];
    fr_graph *graph = NULL;
    fr_load_options options = {.direction = FR_DIRECTION_DIRECTED};
    for (int i = 0; i < t->m; i++) {
        src[i] = (int32_t)t->edge[i][0];
        dst[i] = (int32_t)t->edge[i][1];
        weight[i] = t->edge[i][2];
    }
    if (fr_graph_from_edges(ctx, 4, t->m, src, dst, weight, FR_TYPE_I64, &options, &graph)) {
        printf("FAILED trap %s: %s\n", t->name, fr_ctx_error(ctx));
        cf_failures++;
    }
    return graph;
}

static void check(fr_ctx *ctx, const cf_config *c, const trap *t, const fr_query *query,
                  const fr_result *r) {
    fr_status status = FR_OK;
    if (t->status == FR_OK && !(is_negative(t) && t->limit > 0)) /* that cannot be checked */
        status = fr_verify_sssp(ctx, c->g->graph, query, false, r->dist, FR_TYPE_I64, r->parent);
    if (t->status == FR_NEGATIVE_CYCLE)
        status =
            fr_verify_cycle(ctx, c->g->graph, query, r->cycle, r->cycle_length, r->cycle_weight);
    if (status)
        cf_fail(c, NULL, "the verifier fails: %s", fr_ctx_error(ctx));
}

/* The name of the strategy that answers from vertex 3, which has no out-edges, so that no sum leaves int64. */
static const char *strategy_from_the_end(fr_ctx *ctx, const cf_config *c, fr_solver *solver) {
    int64_t dist[4] = {0};
    int32_t end = 3;
    fr_query query = {.sources = &end, .source_count = 1};
    fr_result result = {.dist = dist};
    fr_status status = fr_solve(solver, &query, &result);
    cf_cases++;
    if (status || dist[3] != 0)
        cf_fail(c, NULL, "from vertex 3: %s (%s), at %lld", fr_status_name(status),
                fr_ctx_error(ctx), (long long)dist[3]);
    return status ? "none" : result.stats.strategy;
}

/* Afterwards the solver names the strategy that a new one names: what answered for a trap is forgotten. */
static void check_name(fr_ctx *ctx, const cf_config *c, fr_solver *solver) {
    fr_solver *other = cf_solver_new(ctx, c);
    if (other) {
        const char *name = strategy_from_the_end(ctx, c, solver),
                   *wanted = strategy_from_the_end(ctx, c, other);
        if (strcmp(name, wanted) != 0)
            cf_fail(c, NULL, "after the trap %s answers, should be %s", name, wanted);
    }
    fr_solver_free(other);
}

/* Twice: the second query runs on the state that the first one left. */
static void run_trap(fr_ctx *ctx, const trap *t, const cf_config *c) {
    int64_t dist[4] = {0};
    int32_t parent[4], source = 0;
    fr_query query = {.sources = &source, .source_count = 1, .max_distance = t->limit};
    fr_result result = {.dist = dist, .parent = parent};
    fr_solver *solver = cf_solver_new(ctx, c);
    for (int turn = 0; solver && turn < 2; turn++) {
        fr_status status = fr_solve(solver, &query, &result);
        cf_cases++;
        if (status != t->status || (!status && dist[3] != t->last))
            cf_fail(c, NULL, "%s (%s), should be %s; vertex 3 at %lld", fr_status_name(status),
                    fr_ctx_error(ctx), fr_status_name(t->status), (long long)dist[3]);
        else
            check(ctx, c, t, &query, &result);
    }
    if (solver)
        check_name(ctx, c, solver);
    fr_solver_free(solver);
}

void cf_wide_traps(fr_ctx *ctx, fr_problem problem, const char *only) {
    for (const trap *t = traps; t->name; t++) {
        cf_graph g = {.shape = t->name, .weights = CF_I64_NEGATIVE, .n = 4};
        cf_config c = {.g = &g, .threads = 2, .seed = 1};
        g.graph = trap_graph(ctx, t);
        for (int r = 0; g.graph && cf_strategy(problem, r, &c.strategy); r++) {
            bool takes = (!only || strcmp(only, c.strategy.name) == 0) &&
                         (!is_negative(t) || cf_takes_negative(&c.strategy)) &&
                         (problem == FR_PROBLEM_SSSP || !(t->limit > 0)) &&
                         !cf_refuses_weights(ctx, &c);
            if (!takes)
                continue;
            run_trap(ctx, t, &c);
            if (problem == FR_PROBLEM_SSSP && t->status != FR_OVERFLOW && !(t->limit > 0))
                cf_past_cycles(ctx, &c, 0);
        }
        fr_graph_free(g.graph);
    }
}
