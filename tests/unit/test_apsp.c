/* All pairs beyond the conformance suite: sizes around a block, sums that overflow inside a block or in the result,
 * negative cycles of lengths around a block, cancellation within a step. */
#include "conformance/matrix.h"
#include "support/support.h"

static const char *const strategies[] = {"floyd-warshall", "auto", NULL};

/* A random directed graph whose weights are low .. high. */
static cf_graph *graph_of(fr_ctx *ctx, int32_t n, int64_t m, int low, int high) {
    const cf_random_kind kind = {.weights = CF_I32, .low = low, .high = high, .directed = true};
    uint64_t random = (uint64_t)n * 1000 + (uint64_t)m;
    cf_graph *g = cf_random_graph(ctx, n, m, &kind, &random);
    assert_non_null(g);
    return g;
}

/* All rows, compared with the oracle and verified. */
static void check_all(fr_ctx *ctx, const cf_graph *g, const char *strategy, fr_type type,
                      bool parents) {
    const fr_solver_options options = {.strategy = strategy, .dist_type = type};
    cf_config c = {.g = g, .strategy.name = strategy, .threads = fr_ctx_threads(ctx)};
    cf_number *want = malloc(((size_t)g->n * (size_t)g->n + 1) * sizeof *want);
    for (int32_t v = 0; v < g->n; v++)
        assert_true(cf_solve(g, false, &v, 1, want + (size_t)v * (size_t)g->n, NULL));
    fr_solver *solver = test_solver(ctx, g->graph, FR_PROBLEM_APSP, &options);
    cf_check_matrix(ctx, &c, solver, "all", want, NULL, 0, false, parents);
    assert_int_equal(cf_failures, 0);
    fr_solver_free(solver);
    free(want);
}

static void sizes_around_a_block(void **state) {
    const int32_t sizes[] = {0, 1, 2, 64, 65, 130};
    for (const char *const *strategy = strategies; *strategy; strategy++)
        for (size_t i = 0; i < COUNT(sizes); i++)
            for (int degree = 0; degree <= 8; degree += 4) {
                cf_graph *g = graph_of(*state, sizes[i], (int64_t)sizes[i] * degree, 1, 50);
                for (int threads = 1; threads <= 2; threads++) {
                    fr_ctx_set_threads(*state, threads);
                    check_all(*state, g, *strategy, FR_TYPE_NONE, false);
                    check_all(*state, g, *strategy, FR_TYPE_I64, true);
                }
                cf_graph_free(g);
            }
}

/* Weights so large that 32-bit sums inside a block overflow; in the second graph the distances fit. */
static void large_weights(void **state) {
    const fr_solver_options options = {.strategy = "floyd-warshall"};
    static int32_t dist[70 * 70];
    fr_result result = {.dist = dist};
    cf_graph *g = graph_of(*state, 70, 300, 1000000000, 2000000000);
    check_all(*state, g, "floyd-warshall", FR_TYPE_I64, true);
    assert_int_equal(
        test_solve(*state, g->graph, FR_PROBLEM_APSP, &options, &(fr_query){0}, &result),
        FR_OVERFLOW);
    cf_graph_free(g);
    g = graph_of(*state, 40, 30, 30000000, 60000000);
    check_all(*state, g, "floyd-warshall", FR_TYPE_I32, true);
    cf_graph_free(g);
}

/* A ring of `length` vertices with total weight -1, entered from vertex 0; vertex n-1 has no
 * out-edges. */
static fr_graph *ring(fr_ctx *ctx, int32_t length, fr_type type) {
    int32_t src[256], dst[256], whole[256];
    float parts[256];
    for (int32_t i = 0; i < length; i++) {
        src[i] = i + 1;
        dst[i] = (i + 1) % length + 1;
        whole[i] = i ? 3 : -3 * (length - 1) - 1;
    }
    src[length] = 0;
    dst[length] = 1;
    whole[length] = 5;
    for (int32_t i = 0; i <= length; i++)
        parts[i] = (float)whole[i] / 4;
    const void *weights = type == FR_TYPE_I32 ? (const void *)whole : parts;
    return test_of_edges(ctx, length + 2, length + 1, src, dst, weights, type, NULL);
}

static void negative_cycles(void **state) {
    const int32_t lengths[] = {1, 2, 63, 64, 65, 200};
    static int32_t dist[202 * 202];
    for (int k = 0; k < 12; k++) {
        const int32_t length = lengths[k % 6], entry = 0, apart = length + 1;
        const fr_type type = k < 6 ? FR_TYPE_I32 : FR_TYPE_F32;
        const fr_solver_options options = {.strategy = "floyd-warshall"};
        fr_graph *graph = ring(*state, length, type);
        fr_query query = {.sources = &entry, .source_count = 1};
        fr_result result = {.dist = dist};
        fr_solver *solver = test_solver(*state, graph, FR_PROBLEM_APSP, &options);
        assert_int_equal(fr_solve(solver, &query, &result), FR_NEGATIVE_CYCLE);
        assert_int_equal(result.cycle_length, length);
        assert_true(result.cycle_weight == (type == FR_TYPE_I32 ? -1 : -0.25));
        assert_ok(*state, fr_verify_cycle(*state, graph, &query, result.cycle, result.cycle_length,
                                          result.cycle_weight));
        query.sources = &apart; /* does not reach the ring */
        assert_ok(*state, fr_solve(solver, &query, &result));
        assert_ok(*state, fr_verify_apsp(*state, graph, &query, false, dist, type, NULL, 0, 1));
        fr_solver_free(solver);
        fr_graph_free(graph);
    }
}

/* A weight far above the others: rows are right all the same. */
static void scales_of_floats(void **state) {
    enum { N = 70, M = 2 * N };
    static const char *const names[] = {"floyd-warshall", "johnson", "auto"};
    static double weight[M], dist[N * N];
    static int32_t src[M], dst[M], parent[N * N];
    for (int32_t e = 0; e < M; e++) {
        src[e] = e % N;
        dst[e] = (e % N + (e < N ? 1 : 17)) % N;
        weight[e] = e == 40 ? 1e17 : e % 3 ? 0 : 0.5 * (e % 5);
    }
    fr_graph *graph = test_of_edges(*state, N, M, src, dst, weight, FR_TYPE_F64, NULL);
    for (int i = 0; i < 3; i++) {
        const fr_solver_options options = {.strategy = names[i]};
        fr_result result = {.dist = dist, .parent = parent};
        assert_ok(*state,
                  test_solve(*state, graph, FR_PROBLEM_APSP, &options, &(fr_query){0}, &result));
        assert_ok(*state,
                  fr_verify_apsp(*state, graph, NULL, false, dist, FR_TYPE_F64, parent, 0, 1));
    }
    fr_graph_free(graph);
    /* from 0 to 2 it is -6e38, from 2 to 3 it is not -inf */
    graph = test_graph_of(*state, "4: 0>1/-3e38 1>2/-3e38 2>3/3e38", FR_TYPE_F32);
    for (int i = 0; i < 3; i++)
        assert_int_equal(test_solve(*state, graph, FR_PROBLEM_APSP,
                                    &(fr_solver_options){.strategy = names[i]}, &(fr_query){0},
                                    &(fr_result){.dist = dist, .parent = parent}),
                         FR_OVERFLOW);
    fr_graph_free(graph);
}

/* floyd-warshall refuses sums that may leave double; `auto` then takes another strategy. */
static void sums_beyond_double(void **state) {
    enum { N = 70 };
    static int32_t from[N * N], to[N * N];
    static double weight[N * N], dist[N * N];
    for (int32_t e = 0; e < N * N; e++)
        from[e] = e / N, to[e] = e % N, weight[e] = 1e307;
    fr_graph *graph = test_of_edges(*state, N, N * N, from, to, weight, FR_TYPE_F64, NULL);
    for (int i = 0; strategies[i]; i++)
        assert_int_equal(test_solve(*state, graph, FR_PROBLEM_APSP,
                                    &(fr_solver_options){.strategy = strategies[i]}, &(fr_query){0},
                                    &(fr_result){.dist = dist}),
                         i ? FR_OK : FR_OVERFLOW);
    for (int32_t e = 0; e < N * N; e++)
        assert_true(dist[e] == (from[e] == to[e] ? 0 : 1e307));
    fr_graph_free(graph);
}

static int32_t matrix[1300 * 1300];

static fr_status solve_all(fr_ctx *ctx, void *solver) {
    fr_result result = {.dist = matrix};
    (void)ctx;
    return fr_solve(solver, &(fr_query){0}, &result);
}

/* 21 pivot blocks and two bands report 23 times; further reports come from within a step. Any report may cancel. */
static void progress_within_a_step(void **state) {
    (void)state;
    test_watch watch = {0};
    fr_ctx *ctx = test_ctx_watched(&watch, 1);
    cf_graph *g = graph_of(ctx, 1300, 2600, 1, 9);
    const fr_solver_options options = {.strategy = "floyd-warshall"};
    fr_solver *solver = test_solver(ctx, g->graph, FR_PROBLEM_APSP, &options);
    watch.calls = 0;
    assert_ok(ctx, solve_all(ctx, solver));
    assert_true(watch.calls > 23);
    assert_true(test_each_report(ctx, &watch, watch.calls / 40, solve_all, solver) >= 40);
    fr_solver_free(solver);
    cf_graph_free(g);
    fr_ctx_free(ctx);
}

TEST_PROGRAM(TEST(sizes_around_a_block), TEST(large_weights), TEST(negative_cycles),
             TEST(scales_of_floats), TEST(sums_beyond_double), TEST(progress_within_a_step))
