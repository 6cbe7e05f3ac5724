/* All pairs against the oracle from every source: sizes around a block, types, rows by list and
 * callback, parents, negative cycles, sums that overflow. */
#include "base/base.h"
#include "conformance/harness.h"
#include "support/support.h"

#include <math.h>

static const char *const rows[] = {"floyd-warshall", "auto", NULL};

/* A random directed graph whose weights are low .. high plus potentials, stored as `type`. */
static cf_graph *graph_of(fr_ctx *ctx, int32_t n, int64_t m, int low, int high, int potential,
                          fr_type type) {
    cf_random_kind kind = {.low = low, .high = high, .potential = potential, .directed = true};
    kind.weights = type == FR_TYPE_I32   ? CF_I32
                   : type == FR_TYPE_I64 ? CF_I64
                   : type == FR_TYPE_F32 ? CF_F32
                                         : CF_F64;
    uint64_t random = (uint64_t)n * 1000 + (uint64_t)m;
    cf_graph *g = cf_random_graph(ctx, n, m, &kind, &random);
    assert_non_null(g);
    return g;
}

/* All rows by arrays, compared with the oracle (every seventh in larger graphs) and verified. */
static void check_all(fr_ctx *ctx, const cf_graph *g, const char *strategy, fr_type type,
                      bool parents, bool min_ids) {
    int32_t n = g->n;
    fr_solver_options options = {.strategy = strategy, .dist_type = type};
    fr_solver *solver;
    assert_ok(ctx, fr_solver_new(ctx, g->graph, FR_PROBLEM_APSP, &options, &solver));
    type = fr_solver_dist_type(solver);
    size_t cells = (size_t)n * (size_t)n + 1;
    void *dist = malloc(cells * 8);
    int32_t *parent = malloc(cells * sizeof *parent);
    cf_number *want = malloc((size_t)(n + 1) * sizeof *want);
    fr_query query = {.parent_rule = min_ids ? FR_PARENT_MIN_ID : FR_PARENT_ANY};
    fr_result result = {.dist = dist, .parent = parents ? parent : NULL};
    assert_ok(ctx, fr_solve(solver, &query, &result));
    assert_ok(ctx, fr_verify_apsp(ctx, g->graph, &query, false, dist, type, result.parent,
                                  n > 80 ? 15 : 0, 1));
    for (int32_t s = 0; s<n; s += n> 80 ? 7 : 1) {
        assert_true(cf_solve(g, false, &s, 1, want, NULL));
        for (int32_t v = 0; v < n; v++) {
            cf_number got = cf_value(FR_PROBLEM_APSP, type, dist, (int64_t)s * n + v);
            if (got != want[v])
                fail_msg("%s n=%d: %d to %d is %Lg, not %Lg", strategy, n, s, v, got, want[v]);
        }
    }
    fr_solver_free(solver);
    free(dist);
    free(parent);
    free(want);
}

static void sizes_around_a_block(void **state) {
    const int32_t sizes[] = {0, 1, 2, 64, 65, 130};
    for (const char *const *row = rows; *row; row++)
        for (size_t i = 0; i < COUNT(sizes); i++)
            for (int degree = 0; degree <= 8; degree += 4) {
                int32_t n = sizes[i];
                cf_graph *g = graph_of(*state, n, (int64_t)n * degree, 1, 50, 0, FR_TYPE_I32);
                for (int threads = 1; threads <= 2; threads++) {
                    fr_ctx_set_threads(*state, threads);
                    check_all(*state, g, *row, FR_TYPE_NONE, false, false);
                    check_all(*state, g, *row, FR_TYPE_I64, true, false);
                }
                cf_graph_free(g);
            }
}

/* Weights so large that 32-bit sums inside a block overflow. */
static void large_weights(void **state) {
    cf_graph *g = graph_of(*state, 70, 300, 1000000000, 2000000000, 0, FR_TYPE_I32);
    check_all(*state, g, "floyd-warshall", FR_TYPE_I64, true, false);
    fr_solver_options options = {.strategy = "floyd-warshall"};
    fr_solver *solver;
    assert_ok(*state, fr_solver_new(*state, g->graph, FR_PROBLEM_APSP, &options, &solver));
    int32_t *dist = malloc(70 * 70 * sizeof *dist);
    fr_query query = {0};
    fr_result result = {.dist = dist};
    assert_int_equal(fr_solve(solver, &query, &result), FR_OVERFLOW);
    fr_solver_free(solver);
    cf_graph_free(g);
    free(dist);
    g = graph_of(*state, 40, 30, 30000000, 60000000, 0,
                 FR_TYPE_I32); /* the distances fit, the sums inside do not */
    check_all(*state, g, "floyd-warshall", FR_TYPE_I32, true, false);
    cf_graph_free(g);
}

typedef struct {
    fr_ctx *ctx;
    const fr_graph *graph;
    int64_t next;
    const int32_t *sources;
    bool parents;
    int stop_at;
} receiver;

static void more_rows_than_max_sources(void **state) {
    cf_graph *g = graph_of(*state, 150, 300, 0, 9, 5, FR_TYPE_I32);
    fr_solver_options options = {.strategy = "floyd-warshall", .max_sources = 4};
    fr_solver *solver;
    assert_ok(*state, fr_solver_new(*state, g->graph, FR_PROBLEM_APSP, &options, &solver));
    fr_query all = {0};
    fr_result result = {0};
    assert_refused(*state, fr_solve(solver, &all, &result), FR_INVALID, "150 sources");
    fr_solver_free(solver);
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
    fr_graph *graph;
    const void *weights = type == FR_TYPE_I32 ? (const void *)whole : parts;
    assert_ok(ctx, fr_graph_from_edges(ctx, length + 2, length + 1, src, dst, weights, type, NULL,
                                       &graph));
    return graph;
}

static void negative_cycles(void **state) {
    const int32_t lengths[] = {1, 2, 63, 64, 65, 200};
    for (int k = 0; k < 12; k++) {
        int32_t length = lengths[k % 6], n = length + 2;
        fr_type type = k < 6 ? FR_TYPE_I32 : FR_TYPE_F32;
        fr_graph *graph = ring(*state, length, type);
        fr_solver_options options = {.strategy = "floyd-warshall"};
        fr_solver *solver;
        assert_ok(*state, fr_solver_new(*state, graph, FR_PROBLEM_APSP, &options, &solver));
        int32_t *dist = malloc((size_t)n * (size_t)n * 4), entry = 0, apart = n - 1;
        fr_query query = {.sources = &entry, .source_count = 1};
        fr_result result = {.dist = dist};
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
        free(dist);
    }
}

typedef struct {
    int calls, stop_at; /* stop_at 0: never */
} watcher;

static int watch(void *user, const char *phase, int64_t done, int64_t total) {
    watcher *w = user;
    (void)phase, (void)done, (void)total;
    return ++w->calls == w->stop_at;
}

/* 21 pivot blocks and two bands report 23 times; further reports come from within a step. Any
 * report may cancel. */
/* A weight far above the others, and sums beyond float that potentials need: rows are right all the same. */
static void scales_of_floats(void **state) {
    fr_ctx *ctx = *state;
    enum { N = 70, M = 2 * N };
    static double dist[N * N];
    static int32_t parent[N * N];
    const char *const names[] = {"floyd-warshall", "johnson", "auto"};
    int32_t src[M], dst[M];
    double weight[M];
    const int32_t below_src[] = {0, 1, 2}, below_dst[] = {1, 2, 3};
    const float below[] = {-3e38f, -3e38f, 3e38f};
    fr_graph *graphs[2] = {0};
    for (int32_t e = 0; e < M; e++) {
        src[e] = e % N;
        dst[e] = (e % N + (e < N ? 1 : 17)) % N;
        weight[e] = e == 40 ? 1e17 : e % 3 ? 0 : 0.5 * (e % 5);
    }
    fr_load_options directed = {.direction = FR_DIRECTION_DIRECTED};
    assert_ok(ctx,
              fr_graph_from_edges(ctx, N, M, src, dst, weight, FR_TYPE_F64, &directed, &graphs[0]));
    assert_ok(ctx, fr_graph_from_edges(ctx, 4, 3, below_src, below_dst, below, FR_TYPE_F32,
                                       &directed, &graphs[1]));
    for (int i = 0; i < 6; i++) {
        fr_solver_options options = {.strategy = names[i % 3]};
        fr_solver *solver = NULL;
        const fr_query query = {0};
        fr_result result = {.dist = dist, .parent = parent};
        assert_ok(ctx, fr_solver_new(ctx, graphs[i / 3], FR_PROBLEM_APSP, &options, &solver));
        fr_status status = fr_solve(solver, &query, &result);
        if (i < 3) {
            assert_ok(ctx, status);
            assert_ok(ctx, fr_verify_apsp(ctx, graphs[0], &query, false, dist, FR_TYPE_F64, parent,
                                          0, 1));
        } else { /* from 0 to 2 it is -6e38, from 2 to 3 it is not -inf */
            assert_int_equal(status, FR_OVERFLOW);
        }
        fr_solver_free(solver);
    }
    fr_graph_free(graphs[0]);
    fr_graph_free(graphs[1]);
}

/* floyd-warshall refuses sums that may leave double; `auto` then takes another strategy. */
static void sums_beyond_double(void **state) {
    enum { N = 70 };
    static int32_t from[N * N], to[N * N];
    static double weight[N * N], dist[N * N];
    fr_load_options options = {.direction = FR_DIRECTION_DIRECTED};
    fr_graph *graph;
    for (int32_t e = 0; e < N * N; e++)
        from[e] = e / N, to[e] = e % N, weight[e] = 1e307;
    assert_ok(*state, fr_graph_from_edges(*state, N, (int64_t)N * N, from, to, weight, FR_TYPE_F64,
                                          &options, &graph));
    for (int i = 0; rows[i]; i++) {
        fr_solver_options named = {.strategy = rows[i]};
        fr_query query = {0};
        fr_result result = {.dist = dist};
        fr_solver *solver;
        assert_ok(*state, fr_solver_new(*state, graph, FR_PROBLEM_APSP, &named, &solver));
        assert_int_equal(fr_solve(solver, &query, &result), i ? FR_OK : FR_OVERFLOW);
        fr_solver_free(solver);
    }
    for (int32_t e = 0; e < N * N; e++)
        assert_true(dist[e] == (from[e] == to[e] ? 0 : 1e307));
    fr_graph_free(graph);
}

static void progress_within_a_step(void **state) {
    enum { N = 1300, PHASES = 23 };
    (void)state;
    watcher w = {0};
    fr_ctx_options context = {.threads = 1, .progress = watch, .progress_user = &w};
    fr_ctx *ctx = test_ctx(&context);
    ctx->pace_ns = 0; /* all reports, however fast the machine is */
    cf_graph *g = graph_of(ctx, N, 2 * N, 1, 9, 0, FR_TYPE_I32);
    fr_solver_options options = {.strategy = "floyd-warshall"};
    fr_solver *solver;
    assert_ok(ctx, fr_solver_new(ctx, g->graph, FR_PROBLEM_APSP, &options, &solver));
    int32_t *dist = malloc(sizeof(int32_t) * N * N);
    fr_query query = {0};
    fr_result result = {.dist = dist};
    w.calls = 0;
    assert_ok(ctx, fr_solve(solver, &query, &result));
    int calls = w.calls;
    assert_true(calls > PHASES);
    for (int k = 1; k <= calls; k += calls / 40) {
        w = (watcher){.stop_at = k};
        assert_int_equal(fr_solve(solver, &query, &result), FR_CANCELLED);
        assert_int_equal(w.calls, k);
    }
    fr_solver_free(solver);
    cf_graph_free(g);
    fr_ctx_free(ctx);
    free(dist);
}

TEST_PROGRAM(TEST(sizes_around_a_block), TEST(large_weights), TEST(more_rows_than_max_sources),
             TEST(negative_cycles), TEST(scales_of_floats), TEST(sums_beyond_double),
             TEST(progress_within_a_step))
