/* Breadth-first search on the CPU beyond the conformance suite, which crosses every strategy with
 * shapes, knobs, threads and queries: frontiers larger than its shapes have, and the levels that a solver records. */
#include "conformance/queries.h"
#include "support/support.h"

static cf_graph *graph_of(fr_ctx *ctx, const char *name, cf_edges edges, bool directed) {
    cf_graph *g = cf_graph_from(ctx, name, &edges, directed, CF_NONE, 1);
    assert_non_null(g);
    return g;
}

/* A few vertices have very many edges: auto takes bottom-up steps. */
static cf_graph *skewed(fr_ctx *ctx) {
    enum { N = 50000, M = 400000 };
    cf_edges edges = {.n = N};
    for (uint64_t i = 0; i < M; i++) {
        double x = cf_random(6, 2 * i) / 4294967296.0, y = cf_random(6, 2 * i + 1) / 4294967296.0;
        cf_edge(&edges, (int32_t)(x * x * x * N), (int32_t)(y * y * y * N));
    }
    return graph_of(ctx, "skewed", edges, false);
}

/* The conformance suite's queries on one strategy, or on all of the CPU where `strategy` is NULL. */
static void check(fr_ctx *ctx, const cf_graph *g, const char *strategy, int threads) {
    cf_task tasks[CF_MAX_QUERIES];
    int count = cf_tasks_new(g, true, tasks);
    cf_config config = {.g = g, .threads = threads};
    int64_t before = cf_cases;
    for (int r = 0; cf_strategy(FR_PROBLEM_BFS, r, &config.strategy); r++)
        if (!strategy || strcmp(strategy, config.strategy.name) == 0)
            cf_run_tasks(ctx, &config, tasks, count);
    cf_tasks_free(tasks, count);
    assert_true(cf_cases > before);
    assert_int_equal(cf_failures, 0);
}

/* Frontiers of some hundred vertices over 900 levels: auto wakes its threads, and each takes up the
 * vertices that it found itself. */
static void small_frontiers_on_several_threads(void **state) {
    cf_edges edges = {0};
    cf_grid(&edges, 450);
    cf_graph *g = graph_of(*state, "grid-450", edges, false);
    for (int threads = 2; threads <= 4; threads++)
        check(*state, g, "auto", threads);
    cf_graph_free(g);
}

/* More threads than cores: queues, bitmaps of many members, and bottom-up, with and without in-edges. */
static void many_threads(void **state) {
    cf_edges mesh = {0}, directed = {.n = 40000};
    cf_grid(&mesh, 300);
    for (uint64_t i = 0; i < 400000; i++) {
        double x = cf_random(7, 2 * i) / 4294967296.0;
        cf_edge(&directed, (int32_t)(x * x * 40000), (int32_t)(cf_random(7, 2 * i + 1) % 40000));
    }
    cf_graph *graphs[] = {graph_of(*state, "grid-300", mesh, false), skewed(*state),
                          graph_of(*state, "directed", directed, true)};
    for (int i = 0; i < 3; i++) {
        for (int threads = 8; threads <= 16; threads += 8)
            check(*state, graphs[i], "auto", threads);
        check(*state, graphs[i], "direction-optimizing", 8);
        cf_graph_free(graphs[i]);
    }
}

/* One vertex has enough edges that all threads share them. */
static void hub_shared_by_threads(void **state) {
    for (int directed = 0; directed < 2; directed++) {
        cf_edges edges = {0};
        cf_star(&edges, 17000, 0);
        for (int32_t v = 1; v + 1 < edges.n; v++)
            cf_edge(&edges, v, edges.n - 1);
        cf_graph *g = graph_of(*state, "star-17000", edges, directed);
        for (int threads = 1; threads <= 3; threads++)
            check(*state, g, NULL, threads);
        cf_graph_free(g);
    }
}

/* The recorded levels add up to the statistics, and the explanation names the steps. */
static void levels_are_recorded(void **state) {
    fr_ctx *ctx = *state;
    cf_graph *g = skewed(ctx);
    fr_solver_options options = {
        .strategy = "auto", .backend = FR_BACKEND_CPU, .record_levels = true};
    fr_solver *solver = test_solver(ctx, g->graph, FR_PROBLEM_BFS, &options);
    int32_t source = 0;
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {0};
    assert_ok(ctx, fr_solve(solver, &query, &result));
    int64_t count, frontier = 0, edges = 0;
    bool pulled = false;
    const fr_level *line = fr_solver_levels(solver, &count);
    for (int64_t i = 0; i < count; i++) {
        frontier += line[i].frontier;
        edges += line[i].edges;
        pulled |= strcmp(line[i].method, "bottom-up") == 0;
    }
    assert_true(pulled);
    assert_in_range(frontier, 1, result.stats.reached);
    assert_int_equal(edges, result.stats.edges_examined);
    assert_non_null(strstr(fr_solver_explain(solver), "bottom-up"));
    fr_solver_free(solver);
    cf_graph_free(g);
}

static void *alloc_ones(void *user, size_t bytes) {
    (void)user;
    void *block = malloc(bytes);
    if (block)
        memset(block, 0xff, bytes);
    return block;
}

static void free_block(void *user, void *block) {
    (void)user;
    free(block);
}

/* auto relies on no memory that it has not written: neither the first query does nor a later one. */
static void memory_is_not_clear(void **state) {
    enum { QUERIES = 10 };
    cf_graph *g = skewed(*state);
    cf_query query[QUERIES];
    cf_number *want[QUERIES];
    for (int32_t i = 0; i < QUERIES; i++) {
        query[i] = (cf_query){.name = "clear", .sources = {49000 + i}, .source_count = 1};
        want[i] = malloc((size_t)g->n * sizeof *want[i]);
        assert_true(cf_solve(g, true, query[i].sources, 1, want[i], NULL));
    }
    for (int threads = 1; threads <= 4; threads++) {
        fr_ctx_options options = {.threads = threads, .alloc = alloc_ones, .free = free_block};
        fr_ctx *ctx = test_ctx(&options);
        cf_config config = {.g = g, .threads = threads};
        for (int r = 0; !config.strategy.name || strcmp(config.strategy.name, "auto") != 0; r++)
            assert_true(cf_strategy(FR_PROBLEM_BFS, r, &config.strategy));
        fr_solver *solver = cf_solver_new(ctx, &config);
        assert_non_null(solver);
        int marks = 0; /* queries with a bitmap per thread */
        for (int i = 0; i < QUERIES; i++) {
            cf_check(ctx, &config, solver, &query[i], want[i], NULL);
            assert_int_equal(cf_failures, 0);
            marks += !strstr(fr_solver_explain(solver), " 0 top-down bitmap");
        }
        assert_in_range(marks, 1, QUERIES);
        fr_solver_free(solver);
        fr_ctx_free(ctx);
    }
    for (int i = 0; i < QUERIES; i++)
        free(want[i]);
    cf_graph_free(g);
}

/* A wide level ends a run of windows of levels, and the next run finds nothing: the depth is that of the wide level's
 * children. */
static void windows_begin_again(void **state) {
    (void)state;
    fr_ctx *ctx = test_ctx_threads(3);
    fr_graph *graph = test_graph_of(ctx, "14: 13>0 11>3 1>8 8>7 2>11 3>5 7>10 9>13 0>2 3>4 2>1 8>6",
                                    FR_TYPE_NONE);
    const int32_t source = 9;
    const fr_query query = {.sources = &source, .source_count = 1};
    int32_t level[14];
    fr_result result = {.level = level};
    assert_ok(ctx, test_solve(ctx, graph, FR_PROBLEM_BFS, NULL, &query, &result));
    assert_int_equal(level[10], 7);
    assert_int_equal(result.stats.levels, 7);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

TEST_PROGRAM(TEST(windows_begin_again), TEST(small_frontiers_on_several_threads),
             TEST(many_threads), TEST(hub_shared_by_threads), TEST(levels_are_recorded),
             TEST(memory_is_not_clear))
