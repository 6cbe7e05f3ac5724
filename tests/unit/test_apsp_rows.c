/* All pairs with columns, limits and parents by rule, against the oracle and against SSSP. */
#include "base/rng.h"
#include "conformance/harness.h"
#include "support/support.h"

#include <math.h>

enum { GRAPHS = 500, N = 40, COLUMNS = 50 };

/* A query, its answer in arrays and by callback. */
typedef struct {
    fr_ctx *ctx;
    const cf_graph *g;
    const char *strategy;
    fr_type type;
    bool unit;
    int32_t sources[N], targets[COLUMNS];
    fr_query query;
    int64_t rows, width;
    double dist[N * COLUMNS];    /* of any type */
    int32_t parent[N * COLUMNS]; /* */
    bool has_parents;
    bool collects_dist, collects_parents; /* the arrays are filled by the callback */
    int64_t delivered;
} asked;

/* A path 0 - 1 - 2 - 3 of edges of weight 2. */
static fr_graph *path_graph(fr_ctx *ctx, fr_type type) {
    const int32_t src[] = {0, 1, 2}, dst[] = {1, 2, 3}, whole[] = {2, 2, 2};
    const double real[] = {2, 2, 2};
    fr_load_options options = {.direction = FR_DIRECTION_UNDIRECTED};
    fr_graph *graph;
    const void *weights = type == FR_TYPE_F64 ? (const void *)real : whole;
    assert_ok(ctx, fr_graph_from_edges(ctx, 4, 3, src, dst, weights, type, &options, &graph));
    return graph;
}

/* A row ends when its targets are settled, or at the limit. */
static void stops_early(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = test_generated(ctx, "grid2d:rows=60,cols=60", 0);
    const char *const strategies[] = {"multi-sssp", "multi-bfs"};
    int32_t source = 0, target = 61, *dist = malloc(3600 * sizeof *dist);
    for (int k = 0; k < 2; k++) {
        fr_solver_options options = {.strategy = strategies[k], .unit_weights = true};
        fr_solver *solver;
        assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_APSP, &options, &solver));
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

static void expect(fr_solver *solver, fr_ctx *ctx, const fr_query *query, fr_result *result,
                   fr_status status, const char *words) {
    assert_int_equal(fr_solve(solver, query, result), status);
    if (!strstr(fr_ctx_error(ctx), words))
        fail_msg("'%s' lacks '%s'", fr_ctx_error(ctx), words);
}

static void refuses(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = path_graph(ctx, FR_TYPE_F64);
    double dist[16];
    int32_t parent[16], lost = 4;
    fr_result result = {.dist = dist, .parent = parent};
    fr_solver_options options = {.strategy = "floyd-warshall"};
    fr_solver *solver;
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_APSP, &options, &solver));
    fr_query query = {.parent_rule = FR_PARENT_NEAREST};
    expect(solver, ctx, &query, &result, FR_UNSUPPORTED, "multi-sssp");
    query.parent_rule = FR_PARENT_MIN_ID;
    expect(solver, ctx, &query, &result, FR_UNSUPPORTED, "multi-sssp");
    result.parent = NULL; /* and distances alone follow no rule */
    assert_ok(ctx, fr_solve(solver, &query, &result));
    result.parent = parent;
    query = (fr_query){.max_level = 2};
    expect(solver, ctx, &query, &result, FR_UNSUPPORTED, "max_distance");
    query = (fr_query){.targets = &lost, .target_count = 1};
    expect(solver, ctx, &query, &result, FR_NOT_FOUND, "target");
    fr_solver_free(solver);
    fr_graph_free(graph);
}

/* Where a weight is negative, johnson and `auto` refuse the smallest parents of floats, too. */
static void refuses_negative_floats(void **state) {
    fr_ctx *ctx = *state;
    const int32_t src[] = {0, 1, 2}, dst[] = {1, 2, 3};
    const double weights[] = {2, -1, 2};
    fr_load_options directed = {.direction = FR_DIRECTION_DIRECTED};
    fr_graph *graph;
    assert_ok(ctx,
              fr_graph_from_edges(ctx, 4, 3, src, dst, weights, FR_TYPE_F64, &directed, &graph));
    const char *const strategies[] = {"johnson", "floyd-warshall", "auto"};
    for (int i = 0; i < 3; i++) {
        double dist[16];
        int32_t parent[16];
        fr_solver_options options = {.strategy = strategies[i]};
        fr_solver *solver;
        assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_APSP, &options, &solver));
        fr_query query = {.parent_rule = FR_PARENT_MIN_ID};
        fr_result result = {.dist = dist, .parent = parent};
        expect(solver, ctx, &query, &result, FR_UNSUPPORTED, "fr_solve_each");
        query.parent_rule = FR_PARENT_ANY;
        assert_ok(ctx, fr_solve(solver, &query, &result));
        fr_solver_free(solver);
    }
    fr_graph_free(graph);
}

TEST_PROGRAM(TEST(stops_early), TEST(refuses), TEST(refuses_negative_floats))
