/* More edges than 32 bits count: `gpu_large [STRATEGY...]` runs each BFS strategy, or those
 * named, on a band of n = 131,072 vertices, each joined to all within REACH of it, whose levels are
 * known without an oracle: level(v) = ceil(|v - source| / reach). A reach of 9,000 gives 2.28e9
 * edges, more than int32_t holds; 18,000 gives 4.39e9, more than uint32_t holds, so the device
 * keeps 64-bit offsets. Needs 9 and 18 GB on the host and as much on the device (twice for
 * strategies with an array per edge); a strategy without enough memory is left out with a message.
 * The same rule validates the parents. */
#include "conformance/choose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 131072 };

/* Vertices within `reach` of v are from first_of(v) to last_of(v), v among them. */
static int32_t first_of(int32_t v, int32_t reach) { return v < reach ? 0 : v - reach; }
static int32_t last_of(int32_t v, int32_t reach) { return v + reach >= N ? N - 1 : v + reach; }

static bool make_band(int32_t reach, fr_csr *csr) {
    int64_t *offsets = malloc((N + 1) * sizeof *offsets);
    if (!offsets)
        return false;
    offsets[0] = 0;
    for (int32_t v = 0; v < N; v++)
        offsets[v + 1] = offsets[v] + last_of(v, reach) - first_of(v, reach);
    int32_t *targets = malloc((size_t)offsets[N] * sizeof *targets);
#pragma omp parallel for schedule(static)
    for (int32_t v = 0; v < (targets ? N : 0); v++) {
        int32_t *to = targets + offsets[v];
        for (int32_t u = first_of(v, reach); u <= last_of(v, reach); u++)
            if (u != v)
                *to++ = u;
    }
    *csr = (fr_csr){.n = N, .m = offsets[N], .offsets = offsets, .targets = targets};
    csr->symmetric = true;
    return targets;
}

static int wrong_answers(int32_t source, int32_t reach, const fr_result *r) {
    int wrong = 0;
    for (int32_t v = 0; v < N; v++) {
        int32_t level = (abs(v - source) + reach - 1) / reach, p = r->parent[v];
        bool fits = v == source ? p == v
                                : p >= 0 && p < N && p != v && abs(p - v) <= reach &&
                                      r->level[p] == level - 1;
        wrong += r->level[v] != level || !fits;
    }
    return wrong;
}

/* From one end, whose last levels read the last offsets, and from near the middle. */
static int run_row(fr_ctx *ctx, const fr_graph *graph, const char *strategy, int32_t reach,
                   int *done) {
    static int32_t level[N], parent[N];
    fr_solver_options options = {.strategy = strategy, .backend = FR_BACKEND_CUDA};
    fr_solver *solver;
    fr_status status = fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver);
    if (status == FR_NOMEM) {
        printf("skip: %s: %s\n", strategy, fr_ctx_error(ctx));
        return 0;
    }
    int failures = 0;
    for (int i = 0; i < 2 && !status; i++, ++*done) {
        int32_t source = i ? N / 2 + 5 : 0;
        fr_query query = {.sources = &source, .source_count = 1};
        fr_result result = {.level = level, .parent = parent};
        status = fr_solve(solver, &query, &result);
        int wrong = status ? 0 : wrong_answers(source, reach, &result);
        if (wrong)
            printf("FAILED %s, reach %d, source %d: %d wrong vertices\n", strategy, reach, source,
                   wrong);
        failures += wrong > 0;
    }
    if (status)
        printf("FAILED %s, reach %d: %s\n", strategy, reach, fr_ctx_error(ctx));
    fr_solver_free(solver);
    return failures + (status != FR_OK);
}

static int run_reach(fr_ctx *ctx, int32_t reach, int argc, char **argv, int *done) {
    fr_csr csr = {0};
    fr_graph *graph = NULL;
    fr_strategy_info strategy = {0};
    int failures = 0;
    if (!make_band(reach, &csr))
        printf("skip: no memory for a band of reach %d\n", reach);
    else if (fr_graph_from_csr(ctx, &csr, &graph)) {
        printf("FAILED reach %d: %s\n", reach, fr_ctx_error(ctx));
        failures = 1;
    }
    for (int r = 0; graph && cf_strategy(FR_PROBLEM_BFS, r, &strategy); r++)
        if (cf_strategy_chosen(strategy.name, argc, argv))
            failures += run_row(ctx, graph, strategy.name, reach, done);
    fr_graph_free(graph);
    free((void *)(uintptr_t)csr.offsets);
    free((void *)(uintptr_t)csr.targets);
    return failures;
}

int main(int argc, char **argv) {
    static const int32_t reaches[] = {9000, 18000};
    fr_ctx *ctx;
    int failures = 0, done = 0;
    cf_backend = FR_BACKEND_CUDA;
    ctx = cf_device_context(FR_PROBLEM_BFS, false);
    if (!ctx)
        return 77;
    for (int i = 0; i < 2; i++)
        failures += run_reach(ctx, reaches[i], argc, argv, &done);
    fr_ctx_free(ctx);
    printf("more edges than 32 bits count: %d traversals, %d failed\n", done, failures);
    return failures || !done;
}
