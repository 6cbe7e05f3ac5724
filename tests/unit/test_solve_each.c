/* fr_solve_each on the CPU: every row is the result of fr_solve from that source, the stats are sums,
 * and a failure leaves the rows before it. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

enum { SOURCES = 5 };
static const int32_t sources[SOURCES] = {3, 0, 7, 3, 100};

static fr_graph *graph_of(fr_ctx *ctx, fr_type type) {
    const fr_load_options options = {.direction = FR_DIRECTION_DIRECTED,
                                     .weights = type ? FR_WEIGHTS_RANDOM : FR_WEIGHTS_NONE,
                                     .weight_low = 1,
                                     .weight_high = 9,
                                     .weight_type = type};
    fr_graph *graph = NULL;
    assert_ok(ctx, fr_graph_generate(ctx, "kronecker:scale=8,seed=1", &options, &graph));
    return graph;
}

/* Levels only, and only the counts. */
static void left_out(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = graph_of(ctx, FR_TYPE_NONE);
    fr_solver *solver = NULL;
    int32_t *level = calloc((size_t)fr_graph_vertex_count(graph) * 2, sizeof *level);
    const fr_query query = {.sources = sources, .source_count = 2};
    fr_result with = {.level = level}, without = {0};
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_BFS, NULL, &solver));
    assert_ok(ctx, fr_solve_each(solver, &query, &with, NULL));
    assert_int_equal(level[sources[0]], 0);
    assert_int_equal(level[fr_graph_vertex_count(graph) + sources[1]], 0);
    assert_ok(ctx, fr_solve_each(solver, &query, &without, NULL));
    assert_int_equal(with.stats.reached, without.stats.reached);
    free(level);
    fr_solver_free(solver);
    fr_graph_free(graph);
}

static void refuse(fr_solver *solver, fr_ctx *ctx, fr_query query, fr_result result,
                   fr_status status, int64_t rows_done, const char *message) {
    int64_t solved = -1;
    assert_int_equal(fr_solve_each(solver, &query, &result, &solved), status);
    assert_int_equal(solved, rows_done);
    if (!strstr(fr_ctx_error(ctx), message))
        fail_msg("\"%s\" lacks \"%s\"", fr_ctx_error(ctx), message);
}

static void refusals(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = graph_of(ctx, FR_TYPE_NONE);
    const size_t n = (size_t)fr_graph_vertex_count(graph);
    const int32_t bad[] = {3, 0, 1 << 20, 7};
    int32_t *level = malloc(4 * n * sizeof *level), *order = malloc(4 * n * sizeof *order);
    const fr_query query = {.sources = bad, .source_count = 4};
    const fr_result levels = {.level = level};
    fr_solver *solver = NULL;
    memset(level, 0x5a, 4 * n * sizeof *level);
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_BFS, NULL, &solver));
    refuse(solver, ctx, query, levels, FR_NOT_FOUND, 2, "source vertex 1048576");
    assert_int_equal(level[3], 0);
    assert_int_equal(level[n], 0);
    assert_int_equal(level[3 * n], 0x5a5a5a5a);
    refuse(solver, ctx, query, (fr_result){.order = order}, FR_UNSUPPORTED, 0, "no order");
    refuse(solver, ctx, query, (fr_result){.origin = order}, FR_UNSUPPORTED, 0, "no origin");
    refuse(solver, ctx, (fr_query){.source_count = 1}, levels, FR_INVALID, 0, "at least one");
    refuse(solver, ctx, (fr_query){.sources = bad}, levels, FR_INVALID, 0, "at least one");
    refuse(solver, ctx, (fr_query){.struct_size = 1}, levels, FR_INVALID, 0, "fr_query");
    refuse(solver, ctx, query, (fr_result){.struct_size = 1}, FR_INVALID, 0, "fr_result");
    fr_solver_free(solver);
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_APSP, NULL, &solver));
    refuse(solver, ctx, query, (fr_result){0}, FR_UNSUPPORTED, 0, "row per source");
    fr_solver_free(solver);
    fr_graph_free(graph);
    free(level);
    free(order);
}

/* The second of three sources reaches a negative cycle. */
static void negative_cycle(void **state) {
    fr_ctx *ctx = *state;
    const int32_t from[] = {0, 2, 3}, to[] = {1, 3, 2}, weights[] = {5, -2, 1}, three[] = {0, 2, 1};
    const fr_load_options directed = {.direction = FR_DIRECTION_DIRECTED};
    const fr_query query = {.sources = three, .source_count = 3, .mark_negative_cycles = true};
    int32_t dist[12];
    fr_result result = {.dist = dist};
    int64_t solved;
    fr_graph *graph = NULL;
    fr_solver *solver = NULL;
    assert_ok(ctx,
              fr_graph_from_edges(ctx, 4, 3, from, to, weights, FR_TYPE_I32, &directed, &graph));
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, NULL, &solver));
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
    fr_solver *solver = NULL;
    fr_ctx *ctx = test_ctx(&options);
    fr_graph *graph = graph_of(ctx, FR_TYPE_NONE);
    int32_t *level = calloc((size_t)fr_graph_vertex_count(graph) * SOURCES, sizeof *level);
    fr_result result = {.level = level};
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_BFS, NULL, &solver));
    assert_int_equal(fr_solve_each(solver, &query, &result, &solved), FR_CANCELLED);
    assert_int_equal(solved, 2);
    assert_true(calls >= 3);
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    free(level);
}

TEST_PROGRAM(TEST(left_out), TEST(refusals), TEST(negative_cycle), TEST(cancelled))
