/* Queries beyond what conformance and the random test draw: the order of a large graph, rows that stop early, and
 * fr_solve_each, whose failure leaves the rows before it. Refused queries: test_misuse.c. */
#include "support/support.h"

/* A graph whose vertices threads order in parts: many that are reached and many that are not. */
static void a_shared_order_is_by_level_and_number(void **state) {
    (void)state;
    fr_graph *graph;
    fr_ctx *ctx = test_ctx_threads(3);
    assert_ok(ctx, fr_graph_generate(ctx, "kronecker:scale=17,edge_factor=2,seed=5", NULL, &graph));
    int32_t n = fr_graph_vertex_count(graph), source = 0, at = 0;
    while (fr_graph_csr(graph)->offsets[source + 1] == 0)
        source++;
    int32_t *level = malloc((size_t)n * sizeof *level), *order = malloc((size_t)n * sizeof *order);
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.level = level, .order = order};
    fr_solver *solver = test_solver(ctx, graph, FR_PROBLEM_BFS, NULL);
    assert_ok(ctx, fr_solve(solver, &query, &result));
    for (int32_t d = 0; d <= result.stats.levels; d++)
        for (int32_t v = 0; v < n; v++)
            if (level[v] == d && order[at++] != v)
                fail_msg("order[%d] is %d, not %d", at - 1, order[at - 1], v);
    assert_int_equal(at, result.stats.reached);
    assert_true(at > n / 4 && at < n);
    free(level);
    free(order);
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* A row ends when its targets are settled, or at the limit. */
static void stops_early(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = test_generated(ctx, "grid2d:rows=60,cols=60", 0);
    const char *const strategies[] = {"multi-sssp", "multi-bfs"};
    int32_t source = 0, target = 61, *dist = malloc(3600 * sizeof *dist);
    for (int k = 0; k < 2; k++) {
        fr_solver_options options = {.strategy = strategies[k], .unit_weights = true};
        fr_solver *solver = test_solver(ctx, graph, FR_PROBLEM_APSP, &options);
        fr_query query = {.sources = &source, .source_count = 1};
        fr_result whole = {.dist = dist}, limited = {.dist = dist}, column = {.dist = dist};
        assert_ok(ctx, fr_solve(solver, &query, &whole));
        query.max_distance = 3;
        assert_ok(ctx, fr_solve(solver, &query, &limited));
        assert_true(limited.stats.edges_examined * 10 < whole.stats.edges_examined);
        query.max_distance = 0;
        query.targets = &target;
        query.target_count = 1;
        assert_ok(ctx, fr_solve(solver, &query, &column));
        assert_int_equal(dist[0], 2);
        if (k == 0)
            assert_true(column.stats.edges_examined * 10 < whole.stats.edges_examined);
        fr_solver_free(solver);
    }
    free(dist);
    fr_graph_free(graph);
}

/* ---- one query per source ---------------------------------------------------------------------- */

enum { SOURCES = 5 };
static const int32_t sources[SOURCES] = {3, 0, 7, 3, 100};

/* Levels only, and only the counts. */
static void left_out(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = test_generated(ctx, "kronecker:scale=8,seed=1", 0);
    int32_t *level = calloc((size_t)fr_graph_vertex_count(graph) * 2, sizeof *level);
    const fr_query query = {.sources = sources, .source_count = 2};
    fr_result with = {.level = level}, without = {0};
    fr_solver *solver = test_solver(ctx, graph, FR_PROBLEM_BFS, NULL);
    assert_ok(ctx, fr_solve_each(solver, &query, &with, NULL));
    assert_int_equal(level[sources[0]], 0);
    assert_int_equal(level[fr_graph_vertex_count(graph) + sources[1]], 0);
    assert_ok(ctx, fr_solve_each(solver, &query, &without, NULL));
    assert_int_equal(with.stats.reached, without.stats.reached);
    free(level);
    fr_solver_free(solver);
    fr_graph_free(graph);
}

/* The third of four sources is no vertex: two rows are there, the others untouched. */
static void rows_before_a_failure(void **state) {
    const int32_t bad[] = {3, 0, 1 << 20, 7};
    int32_t level[4 * 10];
    int64_t solved;
    fr_graph *graph = test_generated(*state, "path:n=10", 0);
    fr_result result = {.level = level};
    memset(level, 0x5a, sizeof level);
    fr_solver *solver = test_solver(*state, graph, FR_PROBLEM_BFS, NULL);
    assert_refused(
        *state,
        fr_solve_each(solver, &(fr_query){.sources = bad, .source_count = 4}, &result, &solved),
        FR_NOT_FOUND, "source vertex 1048576");
    assert_true(solved == 2 && level[3] == 0 && level[10] == 0 && level[30] == 0x5a5a5a5a);
    fr_solver_free(solver);
    solver = test_solver(*state, graph, FR_PROBLEM_APSP, NULL);
    assert_refused(*state,
                   fr_solve_each(solver, &(fr_query){.sources = bad, .source_count = 2},
                                 &(fr_result){0}, &solved),
                   FR_UNSUPPORTED, "row per source");
    fr_solver_free(solver);
    fr_graph_free(graph);
}

/* The second of three sources reaches a negative cycle. */
static void negative_cycle(void **state) {
    fr_ctx *ctx = *state;
    const int32_t three[] = {0, 2, 1};
    const fr_query query = {.sources = three, .source_count = 3, .mark_negative_cycles = true};
    int32_t dist[12];
    fr_result result = {.dist = dist};
    int64_t solved;
    fr_graph *graph = test_graph_of(ctx, "4: 0>1/5 2>3/-2 3>2/1", FR_TYPE_I32);
    fr_solver *solver = test_solver(ctx, graph, FR_PROBLEM_SSSP, NULL);
    assert_int_equal(fr_solve_each(solver, &query, &result, &solved), FR_NEGATIVE_CYCLE);
    assert_int_equal(solved, 1);
    assert_int_equal(dist[1], 5);
    assert_int_equal(dist[4 + 3], FR_NEG_INF_I32);
    assert_int_equal(result.cycle_length, 2);
    assert_true(result.cycle_weight < 0 && result.cycle != NULL);
    fr_solver_free(solver);
    fr_graph_free(graph);
}

static int stop_at_third(void *user, const char *phase, int64_t done, int64_t total) {
    *(int64_t *)user += 1;
    return strcmp(phase, "solving") == 0 && total == SOURCES && done == 2;
}

static void cancelled(void **state) {
    (void)state;
    int64_t calls = 0, solved;
    const fr_ctx_options options = {.progress = stop_at_third, .progress_user = &calls};
    const fr_query query = {.sources = sources, .source_count = SOURCES};
    fr_ctx *ctx = test_ctx(&options);
    fr_graph *graph = test_generated(ctx, "kronecker:scale=8,seed=1", 0);
    int32_t *level = calloc((size_t)fr_graph_vertex_count(graph) * SOURCES, sizeof *level);
    fr_result result = {.level = level};
    fr_solver *solver = test_solver(ctx, graph, FR_PROBLEM_BFS, NULL);
    assert_int_equal(fr_solve_each(solver, &query, &result, &solved), FR_CANCELLED);
    assert_int_equal(solved, 2);
    assert_true(calls >= 3);
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    free(level);
}

TEST_PROGRAM(TEST(a_shared_order_is_by_level_and_number), TEST(stops_early), TEST(left_out),
             TEST(rows_before_a_failure), TEST(negative_cycle), TEST(cancelled))
