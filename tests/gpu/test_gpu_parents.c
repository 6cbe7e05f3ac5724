/* The smallest parents of all pairs by every strategy for the GPU: the same as those of SSSP on the CPU,
 * on every run; refused where a strategy adds up floats in another order. Small random graphs,
 * directed and not, with self-loops and parallel edges. Then graphs of floats whose cycles weigh 0, by every
 * strategy that takes negative weights. Runs on the host (FRI_SIMT) and on a GPU. */
#include "base/rng.h"
#include "conformance/choose.h"
#include "conformance/harness.h"
#include "fringe.h"
#include "gpu/gpu_check.h"
#include "gpu/gpu_host.h"
#include "support/float_cycles.h"

#include <stdio.h>
#include <string.h>

enum { N = 80, GRAPHS = 16, HEIGHTS = 4 };

static const cf_weights kinds[] = {CF_NONE, CF_I32, CF_NONE,     CF_ZERO,
                                   CF_NONE, CF_F64, CF_NEGATIVE, CF_F32};
enum { KINDS = sizeof kinds / sizeof *kinds };

static uint32_t draw(uint64_t seed, uint64_t i, uint32_t below) {
    return (uint32_t)fri_random_below(fri_random(seed, i), below);
}

/* parent[n][n], row after row, by SSSP on the CPU; false: it failed. */
static bool sssp_rows(fr_ctx *ctx, const cf_graph *g, int32_t *parent) {
    fr_solver_options options = {.strategy = "bellman-ford", .backend = FR_BACKEND_CPU};
    fr_solver *solver = NULL;
    fr_status status = fr_solver_new(ctx, g->graph, FR_PROBLEM_SSSP, &options, &solver);
    for (int32_t s = 0; !status && s < g->n; s++) {
        fr_query query = {.sources = &s, .source_count = 1, .parent_rule = FR_PARENT_MIN_ID};
        fr_result result = {.parent = parent + (int64_t)s * g->n};
        status = fr_solve(solver, &query, &result);
    }
    fr_solver_free(solver);
    CHECK(!status, "%s", fr_ctx_error(ctx));
    return !status;
}

/* Does the strategy add up floats in the order of a path? */
static bool follows_paths(const cf_graph *g, const char *ran) {
    bool floats = g->weights == CF_F32 || g->weights == CF_F64;
    return !floats || strcmp(ran, "floyd-warshall") != 0;
}

static void check_rows(fr_ctx *ctx, const cf_graph *g, fr_solver *solver, const char *name,
                       const int32_t *want, uint64_t seed) {
    static int32_t parent[N * N];
    static double dist[N * N]; /* of any type */
    fr_query query = {.parent_rule = FR_PARENT_MIN_ID};
    fr_result result = {.dist = dist, .parent = parent};
    fr_status status = fr_solve(solver, &query, &result);
    const char *ran = result.stats.strategy ? result.stats.strategy : name;
    if (!follows_paths(g, ran)) {
        CHECK(status == FR_UNSUPPORTED, "%s takes the smallest parents of floats", name);
        CHECK(strstr(fr_ctx_error(ctx), "multi-sssp"), "%s", fr_ctx_error(ctx));
        return;
    }
    CHECK(!status, "%s, seed %d: %s", name, (int)seed, fr_ctx_error(ctx));
    for (int32_t i = 0; !status && i < g->n * g->n; i++)
        if (parent[i] != want[i]) {
            CHECK(parent[i] == want[i],
                  "%s, %s weights, %s, seed %d: the parent of %d from %d is %d, the smallest is %d",
                  name, cf_weights_name[g->weights], g->directed ? "directed" : "undirected",
                  (int)seed, i % g->n, i / g->n, parent[i], want[i]);
            return;
        }
    CHECK(true, "%s", name);
}

static void check_graph(fr_ctx *ctx, const cf_graph *g, uint64_t seed) {
    static int32_t want[N * N];
    fr_strategy_info strategy = {0};
    if (!sssp_rows(ctx, g, want))
        return;
    for (int i = 0; cf_strategy(FR_PROBLEM_APSP, i, &strategy); i++) {
        fr_solver_options options = {.strategy = strategy.name, .backend = FR_BACKEND_CUDA};
        fr_solver *solver = NULL;
        if (!fr_solver_new(ctx, g->graph, FR_PROBLEM_APSP, &options, &solver))
            check_rows(ctx, g, solver, strategy.name, want, seed);
        fr_solver_free(solver);
    }
}

static cf_graph *graph_of(fr_ctx *ctx, uint64_t seed) {
    const cf_weights weights = kinds[seed % KINDS];
    cf_random_kind kind = {.weights = weights, .low = weights != CF_ZERO, .high = 3};
    kind.directed = weights == CF_NEGATIVE || draw(seed, 1, 3) > 0;
    kind.potential = weights == CF_NEGATIVE ? 5 : 0;
    const uint32_t n =
        1 + draw(seed, 2, weights == CF_NONE ? N : N / 2); /* also two words of sources */
    uint64_t random = seed;
    return cf_random_graph(ctx, (int32_t)n, draw(seed, 3, 6 * n), &kind, &random);
}

static void check_heights(fr_ctx *ctx, fr_problem problem) {
    fr_strategy_info strategy = {0};
    heights h;
    for (int i = 0; cf_strategy(problem, i, &strategy); i++)
        for (uint64_t seed = 0;
             seed < HEIGHTS && cf_takes_negative(&strategy) && strcmp(strategy.name, "multi-bfs");
             seed++) {
            bool right = heights_check(ctx, seed, problem, strategy.name, FR_BACKEND_CUDA, &h);
            CHECK(right, "%s, heights of seed %d: %s", strategy.name, (int)seed, h.why);
        }
}

int main(void) {
    cf_backend = FR_BACKEND_CUDA;
    fr_ctx *ctx = cf_device_context(FR_PROBLEM_APSP, ON_HOST);
    if (!ctx)
        return 77;
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        simt_seed(seed);
        cf_graph *g = graph_of(ctx, seed);
        CHECK(g, "seed %d", (int)seed);
        if (g)
            check_graph(ctx, g, seed);
        cf_graph_free(g);
    }
    check_heights(ctx, FR_PROBLEM_SSSP);
    check_heights(ctx, FR_PROBLEM_APSP);
    fr_ctx_free(ctx);
    return checks_end("parents on the GPU");
}
