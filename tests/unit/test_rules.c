/* What a query can compute in addition to distances, for every strategy on the CPU: reversed edges, limits of
 * 0, parents by rule, order, origins and float distances of unit weights. The reference relaxes
 * edges until nothing changes and applies the definitions. */
#include "fringe_tune.h"
#include "support/support.h"

#include "base/rng.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { N = 24, M = 90, MAX_SOURCES = 3 };

typedef struct {
    int32_t n;
    int64_t m;
    int32_t src[M], dst[M];
    double w[M];
    bool negative;
    double dist[N];
    int32_t hops[N], nearest[N], origin[N];
} sample;

/* ---- all pairs ---- */

/* ---- what is refused, and the edge of a limit ---- */

static void refusals(void **state) {
    fr_ctx *ctx = *state;
    const int32_t ends[] = {0, 1, 1, 2}, source = 0;
    int32_t list[9], dist[9];
    fr_graph *graph = test_graph(ctx, 3, 2, ends, false);
    fr_solver *bfs = NULL, *sssp = NULL, *apsp = NULL;
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_BFS, NULL, &bfs));
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, NULL, &sssp));
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_APSP, NULL, &apsp));
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result order = {.dist = dist, .order = list}, origin = {.dist = dist, .origin = list};
    assert_int_equal(fr_solve(sssp, &query, &order), FR_UNSUPPORTED);
    assert_int_equal(fr_solve(apsp, &query, &origin), FR_UNSUPPORTED);
    fr_result plain = {.dist = dist};
    query = (fr_query){.sources = &source, .source_count = 1, .limit_level = true};
    assert_int_equal(fr_solve(apsp, &query, &plain), FR_UNSUPPORTED);
    query.parent_rule = (fr_parent_rule)9;
    assert_int_equal(fr_solve(bfs, &query, &plain), FR_INVALID);
    fr_solver_free(bfs);
    fr_solver_free(sssp);
    fr_solver_free(apsp);
    fr_graph_free(graph);
}

/* The minimum positive weight is beyond a limit of 0, not within it. */
static void min_positive_weight_exceeds_0(void **state) {
    fr_ctx *ctx = *state;
    const int32_t src[] = {0, 1}, dst[] = {1, 2}, source = 0;
    const double weight[] = {0, DBL_TRUE_MIN};
    fr_graph *graph = NULL;
    assert_ok(ctx, fr_graph_from_edges(ctx, 3, 2, src, dst, weight, FR_TYPE_F64, NULL, &graph));
    fr_strategy_info info = {0};
    for (int i = 0; fr_strategy_get(i, &info); i++) {
        if (info.backend != FR_BACKEND_CPU || info.problem != FR_PROBLEM_SSSP)
            continue;
        fr_solver_options options = {.strategy = info.name, .backend = FR_BACKEND_CPU};
        fr_solver *solver = NULL;
        double dist[3];
        int32_t parent[3];
        fr_query query = {.sources = &source, .source_count = 1, .limit_distance = true};
        fr_result result = {.dist = dist, .parent = parent};
        assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, &options, &solver));
        assert_ok(ctx, fr_solve(solver, &query, &result));
        assert_true(dist[1] == 0 && dist[2] == (double)INFINITY);
        assert_true(parent[1] == 0 && parent[2] == -1 && result.stats.reached == 2);
        fr_solver_free(solver);
    }
    fr_graph_free(graph);
}

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
    fr_solver *solver;
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_BFS, NULL, &solver));
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

TEST_PROGRAM(TEST(refusals), TEST(min_positive_weight_exceeds_0),
             TEST(a_shared_order_is_by_level_and_number))
