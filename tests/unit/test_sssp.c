/* The SSSP strategies against Dijkstra's, and the corners that the conformance suite does not
   make. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>

typedef struct {
    int32_t n;
    int64_t m;
    int32_t *src, *dst, *w;
} edge_list;

static uint64_t next(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* A connected small world of n vertices; weights low .. high. */
static edge_list random_edges(int32_t n, int64_t m, int32_t low, int32_t high, uint64_t seed) {
    size_t bytes = (size_t)m * sizeof(int32_t);
    edge_list l = {n, m, malloc(bytes), malloc(bytes), malloc(bytes)};
    for (int64_t i = 0; i < m; i++) {
        l.src[i] = i < n - 1 ? (int32_t)i : (int32_t)(next(&seed) % (uint64_t)n);
        l.dst[i] = i < n - 1 ? (int32_t)i + 1 : (int32_t)(next(&seed) % (uint64_t)n);
        l.w[i] = low + (int32_t)(next(&seed) % (uint64_t)(high - low + 1));
    }
    return l;
}

static fr_graph *build(fr_ctx *ctx, const edge_list *l, bool undirected) {
    fr_load_options options = {.direction =
                                   undirected ? FR_DIRECTION_UNDIRECTED : FR_DIRECTION_DIRECTED};
    fr_graph *graph = NULL;
    assert_ok(ctx, fr_graph_from_edges(ctx, l->n, l->m, l->src, l->dst, l->w, FR_TYPE_I32, &options,
                                       &graph));
    return graph;
}

static void free_edges(edge_list *l) {
    free(l->src);
    free(l->dst);
    free(l->w);
}

/* Solves into dist and parent ([n] or NULL) and gives the status. */
static fr_status solve(fr_ctx *ctx, const fr_graph *graph, const fr_solver_options *options,
                       const fr_query *query, fr_result *result) {
    fr_solver *solver = NULL;
    fr_status status = fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, options, &solver);
    if (!status)
        status = fr_solve(solver, query, result);
    fr_solver_free(solver);
    return status;
}

/* Every configuration gives Dijkstra's distances, and parents that the verifier takes. */
static void compare_rows(fr_ctx *ctx, const fr_graph *graph, const fr_query *query) {
    static const struct {
        const char *strategy, *knobs;
    } rows[] = {{"delta-step", NULL},
                {"delta-step", "delta=1"},
                {"delta-step", "delta=5000,pool=1"},
                {"spira-window", NULL},
                {"spira-window", "window=3"},
                {"spira-window", "window=400,pull=0"},
                {"spira-window", "pull=1e9"},
                {"bellman-ford", NULL},
                {"auto", NULL}};
    int32_t n = fr_graph_csr(graph)->n;
    size_t bytes = (size_t)n * sizeof(int32_t);
    int32_t *want = malloc(bytes), *dist = malloc(bytes), *parent = malloc(bytes);
    fr_result oracle = {.dist = want};
    assert_ok(ctx, solve(ctx, graph, &(fr_solver_options){.strategy = "dijkstra"}, query, &oracle));
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (int threads = 1; threads <= 4; threads += threads) {
            assert_ok(ctx, fr_ctx_set_threads(ctx, threads));
            fr_solver_options options = {.strategy = rows[r].strategy, .knobs = rows[r].knobs};
            fr_result result = {.dist = dist, .parent = threads == 2 ? NULL : parent};
            assert_ok(ctx, solve(ctx, graph, &options, query, &result));
            if (memcmp(dist, want, bytes) != 0)
                fail_msg("%s %s on %d threads: wrong distances", rows[r].strategy,
                         rows[r].knobs ? rows[r].knobs : "", threads);
            assert_ok(ctx,
                      fr_verify_sssp(ctx, graph, query, false, dist, FR_TYPE_I32, result.parent));
        }
    free(want);
    free(dist);
    free(parent);
}

static void rows_agree(void **state) {
    static const struct {
        int32_t n;
        int64_t m;
        int32_t low, high;
        bool undirected;
    } shapes[] = {{2000, 16000, 1, 255, true},
                  {2000, 16000, 0, 3, true},
                  {402, 1600, 0, 100000, false},
                  {500, 499, 7, 7, true},
                  {401, 6000, 1, 1000000, true}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        edge_list l = random_edges(shapes[i].n, shapes[i].m, shapes[i].low, shapes[i].high, i + 1);
        fr_graph *graph = build(*state, &l, shapes[i].undirected);
        int32_t sources[] = {0, 17, 0, 399}, targets[] = {3, 90, 3};
        compare_rows(*state, graph, &(fr_query){.sources = sources, .source_count = 1});
        compare_rows(*state, graph, &(fr_query){.sources = sources, .source_count = 4});
        compare_rows(
            *state, graph,
            &(fr_query){
                .sources = sources + 1, .source_count = 1, .targets = targets, .target_count = 3});
        compare_rows(*state, graph,
                     &(fr_query){.sources = sources, .source_count = 1, .max_distance = 40});
        fr_graph_free(graph);
        free_edges(&l);
    }
}

/* A fan whose distances fall again and again: far more entries than vertices in one bucket, so the
 * pool (room=1) runs dry and the bins are rebuilt. */
static void pool_runs_dry(void **state) {
    fr_ctx *ctx = *state;
    enum { CHAIN = 400, FAN = 400, N = CHAIN + FAN };
    edge_list l = {.n = N, .m = CHAIN - 1 + CHAIN * FAN};
    l.src = malloc((size_t)l.m * sizeof(int32_t));
    l.dst = malloc((size_t)l.m * sizeof(int32_t));
    l.w = malloc((size_t)l.m * sizeof(int32_t));
    int64_t at = 0;
    for (int32_t i = 0; i < CHAIN; i++) {
        if (i + 1 < CHAIN) {
            l.src[at] = i;
            l.dst[at] = i + 1;
            l.w[at++] = 1;
        }
        for (int32_t j = 0; j < FAN; j++) {
            l.src[at] = i;
            l.dst[at] = CHAIN + j;
            l.w[at++] = 1000000 - 1000 * i + j; /* the next of the chain is always better */
        }
    }
    fr_graph *graph = build(ctx, &l, false);
    int32_t source = 0, dist[N], want[N];
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result oracle = {.dist = want};
    assert_ok(ctx,
              solve(ctx, graph, &(fr_solver_options){.strategy = "dijkstra"}, &query, &oracle));
    for (int threads = 1; threads <= 3; threads++) {
        assert_ok(ctx, fr_ctx_set_threads(ctx, threads));
        fr_solver_options options = {.strategy = "delta-step", .knobs = "pool=1,delta=1"};
        fr_result result = {.dist = dist};
        assert_ok(ctx, solve(ctx, graph, &options, &query, &result));
        assert_memory_equal(dist, want, sizeof want);
        /* each of the fan fell CHAIN times: more entries than the pool of room 1 has places */
        assert_true(result.stats.relaxations > 100 * N);
    }
    fr_graph_free(graph);
    free_edges(&l);
}

/* At the edge of int32: 2^31 - 2 fits, one more does not, and says what to do. */
static void overflow_at_the_edge(void **state) {
    static const char *const rows[] = {"dijkstra", "bellman-ford", "delta-step", "spira-window",
                                       "auto"};
    for (int over = 0; over < 2; over++) {
        int32_t src[] = {0, 1}, dst[] = {1, 2}, w[] = {INT32_MAX - 10, 9 + over};
        edge_list l = {3, 2, src, dst, w};
        fr_graph *graph = build(*state, &l, over);
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            int32_t source = 0, dist[3];
            int64_t wide[3];
            fr_query query = {.sources = &source, .source_count = 1};
            fr_solver_options options = {.strategy = rows[r]};
            fr_result result = {.dist = dist};
            fr_status status = solve(*state, graph, &options, &query, &result);
            assert_int_equal(status, over ? FR_OVERFLOW : FR_OK);
            if (over)
                assert_non_null(strstr(fr_ctx_error(*state), "int64"));
            else
                assert_int_equal(dist[2], INT32_MAX - 1);
            options.dist_type = FR_TYPE_I64;
            result = (fr_result){.dist = wide};
            assert_ok(*state, solve(*state, graph, &options, &query, &result));
            assert_int_equal(wide[2], (int64_t)INT32_MAX - 1 + over);
        }
        fr_graph_free(graph);
    }
}

/* Floats that leave float downwards, where minus infinity would stand for a negative cycle. */
static void float_underflow(void **state) {
    int32_t src[] = {0, 1}, dst[] = {1, 2}, source = 0;
    const float weight[] = {-3e38f, -3e38f};
    fr_load_options directed = {.direction = FR_DIRECTION_DIRECTED};
    fr_query query = {.sources = &source, .source_count = 1};
    fr_graph *graph;
    assert_ok(*state,
              fr_graph_from_edges(*state, 3, 2, src, dst, weight, FR_TYPE_F32, &directed, &graph));
    for (int past = 0; past < 2; past++) {
        double dist[3];
        fr_result result = {.dist = dist};
        fr_solver_options options = {.strategy = "bellman-ford"};
        query.mark_negative_cycles = past;
        assert_int_equal(solve(*state, graph, &options, &query, &result), FR_OVERFLOW);
        options.dist_type = FR_TYPE_F64;
        assert_ok(*state, solve(*state, graph, &options, &query, &result));
        assert_true(dist[2] == 2 * (double)weight[0]);
    }
    fr_graph_free(graph);
}

/* Weights made negative by potentials: the distances are known. Then one edge closes a cycle. */
static void negative_weights(void **state) {
    fr_ctx *ctx = *state;
    enum { N = 1500 };
    edge_list l = random_edges(N, 9000, 0, 50, 5);
    fr_graph *plain = build(ctx, &l, false);
    int32_t source = 0, want[N], dist[N], potential[N];
    uint64_t seed = 9;
    for (int32_t v = 0; v < N; v++)
        potential[v] = (int32_t)(next(&seed) % 1000);
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result oracle = {.dist = want}, result = {.dist = dist};
    assert_ok(ctx,
              solve(ctx, plain, &(fr_solver_options){.strategy = "dijkstra"}, &query, &oracle));
    for (int64_t e = 0; e < l.m; e++)
        l.w[e] += potential[l.src[e]] - potential[l.dst[e]];
    fr_graph *graph = build(ctx, &l, false);
    assert_ok(ctx, solve(ctx, graph, NULL, &query, &result));
    for (int32_t v = 0; v < N; v++)
        assert_int_equal(dist[v], want[v] + potential[0] - potential[v]);
    l.src[l.m - 1] = N - 1; /* back along the chain, for less than the whole way gains */
    l.dst[l.m - 1] = N - 2;
    l.w[l.m - 1] = -l.w[N - 2] - 1;
    fr_graph *cyclic = build(ctx, &l, false);
    fr_solver *solver;
    assert_ok(ctx, fr_solver_new(ctx, cyclic, FR_PROBLEM_SSSP, NULL, &solver));
    assert_int_equal(fr_solve(solver, &query, &result), FR_NEGATIVE_CYCLE);
    assert_ok(ctx, fr_verify_cycle(ctx, cyclic, &query, result.cycle, result.cycle_length,
                                   result.cycle_weight));
    fr_solver_free(solver);
    fr_graph_free(plain);
    fr_graph_free(graph);
    fr_graph_free(cyclic);
    free_edges(&l);
}

static int keep_row(void *user, int64_t row, int32_t source, const void *dist,
                    const int32_t *parent) {
    enum { N = 300 };
    memcpy((int32_t *)user + row * N, dist, N * sizeof(int32_t));
    return parent[source] != source;
}

/* Johnson's rows are those of one query each; handed out or written, they are the same. */
static void johnson_rows(void **state) {
    fr_ctx *ctx = *state;
    enum { N = 300 };
    edge_list l = random_edges(N, 2000, 0, 50, 11);
    for (int64_t e = 0; e < l.m; e++)
        l.w[e] += 7 * (l.src[e] % 13) - 7 * (l.dst[e] % 13);
    fr_graph *graph = build(ctx, &l, false);
    int32_t *all = malloc(N * N * sizeof(int32_t)), *handed = malloc(N * N * sizeof(int32_t)),
            want[N];
    fr_solver *solver;
    fr_solver_options options = {.strategy = "johnson"};
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_APSP, &options, &solver));
    fr_result result = {.dist = all}, none = {0};
    assert_ok(ctx, fr_solve(solver, &(fr_query){0}, &result));
    fr_query query = {.row = keep_row, .row_user = handed, .want_parents = true};
    assert_ok(ctx, fr_solve(solver, &query, &none));
    assert_memory_equal(all, handed, N * N * sizeof(int32_t));
    for (int32_t s = 0; s < N; s += 50) {
        fr_result one = {.dist = want};
        assert_ok(ctx,
                  solve(ctx, graph, NULL, &(fr_query){.sources = &s, .source_count = 1}, &one));
        assert_memory_equal(all + s * N, want, sizeof want);
    }
    fr_solver_free(solver);
    fr_graph_free(graph);
    free_edges(&l);
    free(all);
    free(handed);
}

/* Zero-weight cycle 1 - 2 - 3 behind 0: least parents stay a forest and are the documented ones. */
static void least_parents_on_a_zero_cycle(void **state) {
    int32_t src[] = {0, 1, 2, 3, 0}, dst[] = {3, 2, 3, 1, 4}, w[] = {5, 0, 0, 0, 5};
    edge_list l = {5, 5, src, dst, w};
    fr_graph *graph = build(*state, &l, true);
    static const char *const rows[] = {"dijkstra", "bellman-ford", "delta-step", "spira-window",
                                       "auto"};
    const int32_t want[] = {0, 3, 3, 0, 0};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        int32_t source = 0, dist[5], parent[5];
        fr_query query = {.sources = &source, .source_count = 1, .min_parents = true};
        fr_result result = {.dist = dist, .parent = parent};
        assert_ok(*state,
                  solve(*state, graph, &(fr_solver_options){.strategy = rows[r]}, &query, &result));
        assert_memory_equal(parent, want, sizeof want);
    }
    fr_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_agree, test_ctx_new, test_ctx_free),
        cmocka_unit_test_setup_teardown(pool_runs_dry, test_ctx_new, test_ctx_free),
        cmocka_unit_test_setup_teardown(overflow_at_the_edge, test_ctx_new, test_ctx_free),
        cmocka_unit_test_setup_teardown(float_underflow, test_ctx_new, test_ctx_free),
        cmocka_unit_test_setup_teardown(negative_weights, test_ctx_new, test_ctx_free),
        cmocka_unit_test_setup_teardown(johnson_rows, test_ctx_new, test_ctx_free),
        cmocka_unit_test_setup_teardown(least_parents_on_a_zero_cycle, test_ctx_new, test_ctx_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
