/* The spine holds: edges -> graph -> solver -> levels. */
#include "support/support.h"

static void bfs_on_a_path(void **state) {
    fr_ctx *ctx = *state;
    const int32_t ends[] = {0, 1, 1, 2, 2, 3};
    fr_graph *graph = test_graph(ctx, 5, 3, ends, true);
    int32_t source = 1, level[5], parent[5];
    fr_solver *solver;
    fr_solver_options options = {.strategy = "serial"};
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver));
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.level = level, .parent = parent};
    assert_ok(ctx, fr_solve(solver, &query, &result));
    const int32_t levels[] = {1, 0, 1, 2, -1}, parents[] = {1, 1, 1, 2, -1};
    assert_memory_equal(level, levels, sizeof levels);
    assert_memory_equal(parent, parents, sizeof parents);
    assert_int_equal(result.stats.reached, 4);
    assert_int_equal(result.stats.levels, 2);
    fr_solver_free(solver);
    fr_graph_free(graph);
}

TEST_PROGRAM(TEST(bfs_on_a_path))
