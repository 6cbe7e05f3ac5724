/* Closed vertices and edges beyond the random test of the interface, which closes them at random in graphs and in
 * queries: parallel edges by number, isolated sources, options that a query with closed edges keeps. */
#include "fringe_tune.h"
#include "support/support.h"

/* 0 - 1 three times; edge 6 of the CSR is 1 -> 2. */
#define PARALLEL "3: 0-1/5 1-0/3 0-1/3 1-2/1"

static void names_edges(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = test_graph_of(ctx, PARALLEL, FR_TYPE_I32);
    int64_t count;
    assert_int_equal(fr_graph_edge(graph, 0, 1, &count), 0);
    assert_int_equal(count, 3);
    assert_int_equal(fr_graph_edge(graph, 1, 2, &count), 6);
    assert_int_equal(count, 1);
    assert_int_equal(fr_graph_edge(graph, 0, 2, &count), -1);
    assert_int_equal(count, 0);
    assert_int_equal(fr_graph_edge(graph, 3, 0, NULL), -1);
    assert_int_equal(fr_graph_edge(graph, 0, -1, NULL), -1);
    fr_graph_free(graph);
}

/* One of several parallel edges, by either of its directions: the same graph remains. */
static void closes_one_of_parallel_edges(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = test_graph_of(ctx, PARALLEL, FR_TYPE_I32);
    for (int64_t k = 0; k < 3; k++)
        for (int turned = 0; turned < 2; turned++) {
            uint64_t edges = UINT64_C(1) << (fr_graph_edge(graph, turned, !turned, NULL) + k);
            fr_graph *open = NULL;
            assert_ok(ctx, fr_graph_filter(ctx, graph, NULL, &edges, &open));
            const fr_csr *csr = fr_graph_csr(open);
            const int32_t *w = csr->weights;
            assert_int_equal(csr->m, 6);
            assert_true(csr->symmetric);
            assert_int_equal(csr->offsets[1], 2);
            assert_int_equal(w[0], 3);
            assert_int_equal(w[1], k == 2 ? 3 : 5);
            assert_int_equal(w[2], 3);
            assert_int_equal(w[3], k == 2 ? 3 : 5);
            fr_graph_free(open);
        }
    fr_graph_free(graph);
}

/* Rows that hold both directions without being declared undirected: one is closed, the other stays. */
static void closes_one_of_two_directed_edges(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = test_graph_of(ctx, "3: 0>1/5 1>0/5 1>2/1 2>1/1", FR_TYPE_I32), *open = NULL;
    const uint64_t edge = UINT64_C(1) << fr_graph_edge(graph, 0, 1, NULL);
    int32_t source = 1, dist[3];
    assert_true(fr_graph_is_symmetric(graph) && !fr_graph_is_undirected(graph));
    assert_ok(ctx, fr_graph_filter(ctx, graph, NULL, &edge, &open));
    assert_false(fr_graph_is_symmetric(open));
    assert_int_equal(fr_graph_edge(open, 0, 1, NULL), -1);
    assert_int_equal(fr_graph_edge(open, 1, 0, NULL), 0);
    fr_graph_free(open);
    fr_solver *solver = test_solver(ctx, graph, FR_PROBLEM_SSSP, NULL);
    const fr_query query = {.sources = &source, .source_count = 1, .closed_edges = &edge};
    assert_ok(ctx, fr_solve(solver, &query, &(fr_result){.dist = dist}));
    assert_int_equal(dist[0], 5);
    fr_solver_free(solver);
    fr_graph_free(graph);
}

/* A closed source reaches only itself, and the vertices keep their ids. */
static void closes_vertices(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = test_graph_of(ctx, PARALLEL, FR_TYPE_I32), *open = NULL;
    const uint64_t middle = 2;
    int32_t source = 1, level[3];
    assert_ok(ctx, fr_graph_filter(ctx, graph, &middle, NULL, &open));
    assert_int_equal(fr_graph_edge_count(open), 0);
    assert_int_equal(fr_graph_vertex_count(open), 3);
    assert_int_equal(fr_graph_id(open, 2), fr_graph_id(graph, 2));
    fr_graph_free(open);
    fr_solver *solver = test_solver(ctx, graph, FR_PROBLEM_BFS, NULL);
    fr_query query = {.sources = &source, .source_count = 1, .closed_vertices = &middle};
    fr_result result = {.level = level};
    assert_ok(ctx, fr_solve(solver, &query, &result));
    assert_int_equal(level[0], -1);
    assert_int_equal(level[1], 0);
    assert_int_equal(level[2], -1);
    assert_int_equal(result.stats.reached, 1);
    fr_solver_free(solver);
    fr_graph_free(graph);
}

/* Knobs belong to the solver; levels and explanation to the last query. */
static void keeps_the_options(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = test_graph_of(ctx, PARALLEL, FR_TYPE_I32);
    const uint64_t last = 4;
    int32_t source = 0, dist[3];
    fr_solver_options options = {
        .strategy = "delta-step", .knobs = "delta=2", .record_levels = true};
    const int threads = fr_ctx_threads(ctx);
    /* one thread: a level per bucket; several join small buckets */
    assert_ok(ctx, fr_ctx_set_threads(ctx, 1));
    fr_solver *solver = test_solver(ctx, graph, FR_PROBLEM_SSSP, &options);
    fr_query query = {.sources = &source, .source_count = 1, .closed_vertices = &last};
    fr_result result = {.dist = dist};
    int64_t with, without;
    assert_ok(ctx, fr_solve(solver, &query, &result));
    assert_int_equal(dist[1], 3);
    assert_int_equal(dist[2], FR_INF_I32);
    assert_string_equal(result.stats.strategy, "delta-step");
    fr_solver_levels(solver, &with);
    query.closed_vertices = NULL;
    assert_ok(ctx, fr_solve(solver, &query, &result));
    assert_int_equal(dist[2], 4);
    fr_solver_levels(solver, &without);
    assert_true(with >= 1 && without > with);
    fr_solver_free(solver);
    assert_ok(ctx, fr_ctx_set_threads(ctx, threads));
    fr_graph_free(graph);
}

/* A negative cycle with a closed edge does not count. */
static void closes_a_negative_cycle(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = test_graph_of(ctx, "3: 0>1/1 1>2/-3 2>1/1", FR_TYPE_I32);
    const uint64_t back = UINT64_C(1) << fr_graph_edge(graph, 2, 1, NULL);
    int32_t source = 0, dist[3];
    fr_solver *solver = test_solver(ctx, graph, FR_PROBLEM_SSSP, NULL);
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.dist = dist};
    assert_int_equal(fr_solve(solver, &query, &result), FR_NEGATIVE_CYCLE);
    assert_ok(ctx, fr_verify_cycle(ctx, graph, &query, result.cycle, result.cycle_length,
                                   result.cycle_weight));
    query.closed_edges = &back;
    assert_int_equal(
        fr_verify_cycle(ctx, graph, &query, result.cycle, result.cycle_length, result.cycle_weight),
        FR_VERIFY_FAILED);
    assert_ok(ctx, fr_solve(solver, &query, &result));
    assert_int_equal(dist[2], -2);
    assert_int_equal(result.cycle_length, 0);
    fr_solver_free(solver);
    fr_graph_free(graph);
}

TEST_PROGRAM(TEST(names_edges), TEST(closes_one_of_parallel_edges),
             TEST(closes_one_of_two_directed_edges), TEST(closes_vertices), TEST(keeps_the_options),
             TEST(closes_a_negative_cycle))
