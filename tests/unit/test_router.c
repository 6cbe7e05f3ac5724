/* fr_router beyond the random test of the interface, which compares paths, tables and k paths with all simple paths
 * (tests/random/routes.c): what is refused, sums at the ends of their types, memory, cancellation. */
#include "fringe_measures.h"
#include "support/allocator.h"
#include "support/support.h"

static fr_router *router_of(fr_ctx *ctx, const fr_graph *graph, const fr_router_options *options) {
    fr_router *router = NULL;
    assert_ok(ctx, fr_router_new(ctx, graph, options, &router));
    return router;
}

static int cancel_path(void *user, int64_t index, const void *dist, const int32_t *path,
                       int32_t length) {
    (void)dist, (void)path, (void)length;
    *(int64_t *)user = index + 1;
    return 1;
}

static void makes_no_router(void **state) {
    static const struct {
        const char *graph;
        fr_router_options options;
        fr_status status;
    } cases[] = {{"4: 0>1/1 1>2/-1 0>0/1", {0}, FR_NEGATIVE_WEIGHT},
                 {"2: 0>1/1", {.algorithm = FR_ROUTE_ASTAR}, FR_INVALID},
                 {"2: 0>1/1", {.landmarks = 65}, FR_INVALID}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        fr_graph *graph = test_graph_of(*state, cases[i].graph, FR_TYPE_I32);
        fr_router *router = NULL;
        assert_refused(*state, fr_router_new(*state, graph, &cases[i].options, &router),
                       cases[i].status, "");
        assert_null(router);
        fr_graph_free(graph);
    }
}

/* One edge of INT64_MAX - 5, then one that exceeds int64. */
static void sums_beyond_int64(void **state) {
    fr_ctx *ctx = *state;
    const double place[4] = {0};
    fr_graph *graph = test_graph_of(ctx, "4: 0>1/9223372036854775802 1>2/100 0>0/1", FR_TYPE_I64);
    for (int algorithm = FR_ROUTE_BIDIRECTIONAL; algorithm <= FR_ROUTE_ASTAR; algorithm++) {
        const fr_router_options options = {
            .algorithm = (fr_route_algorithm)algorithm, .x = place, .y = place};
        fr_router *router = router_of(ctx, graph, &options);
        int64_t dist, count = 0;
        int32_t length;
        assert_int_equal(fr_router_path(router, 0, 2, &dist, NULL, NULL), FR_OVERFLOW);
        assert_ok(ctx, fr_router_path(router, 0, 1, &dist, NULL, &length));
        assert_true(dist == INT64_MAX - 5 && length == 2);
        assert_ok(ctx, fr_router_path(router, 2, 0, &dist, NULL, &length));
        assert_true(dist == FR_INF_I64 && length == 0);
        assert_int_equal(fr_router_path(router, 0, 4, &dist, NULL, NULL), FR_NOT_FOUND);
        assert_int_equal(fr_router_k_paths(router, 0, 1, 0, cancel_path, &count), FR_INVALID);
        assert_int_equal(fr_router_k_paths(router, 0, 1, 2, cancel_path, &count), FR_CANCELLED);
        assert_int_equal(fr_router_k_paths(router, 0, 2, 2, cancel_path, &count), FR_OVERFLOW);
        assert_int_equal(count, 1);
        fr_router_free(router);
    }
    fr_graph_free(graph);
}

static int note_path(void *user, int64_t index, const void *dist, const int32_t *path,
                     int32_t length) {
    (void)path, (void)length;
    ((int32_t *)user)[index] = (int32_t) * (const int64_t *)dist;
    return 0;
}

/* From vertex 0 to the last: where two searches first meet is not always on the shortest path, and a path may deviate
 * from one that itself deviates. */
static void lengths_of_paths(void **state) {
    static const struct {
        const char *graph;
        int32_t dist[5]; /* 0: no more */
    } cases[] = {{"5: 0>1/5 1>4/5 0>2/3 2>3/3 3>4/3", {9, 10}},
                 {"4: 0>1/1 1>3/1 0>2/1 2>3/2 1>2/1 0>3/5", {2, 3, 4, 5}}};
    const double place[5] = {0};
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int algorithm = FR_ROUTE_BIDIRECTIONAL; algorithm <= FR_ROUTE_ASTAR; algorithm++) {
            const fr_router_options options = {
                .algorithm = (fr_route_algorithm)algorithm, .x = place, .y = place};
            fr_graph *graph = test_graph_of(*state, cases[i].graph, FR_TYPE_I32);
            fr_router *router = router_of(*state, graph, &options);
            const int32_t last = fr_graph_vertex_count(graph) - 1;
            int32_t dist[5] = {0};
            int64_t one; /* the type of a router's sums */
            assert_ok(*state, fr_router_path(router, 0, last, &one, NULL, NULL));
            assert_int_equal(one, cases[i].dist[0]);
            assert_ok(*state, fr_router_k_paths(router, 0, last, 5, note_path, dist));
            assert_memory_equal(dist, cases[i].dist, sizeof dist);
            fr_router_free(router);
            fr_graph_free(graph);
        }
}

static void sums_beyond_int32(void **state) {
    fr_graph *graph = test_graph_of(*state, "3: 0>1/2147483647 1>2/2147483647", FR_TYPE_I32);
    fr_router *router = router_of(*state, graph, NULL);
    int64_t dist;
    assert_ok(*state, fr_router_path(router, 0, 2, &dist, NULL, NULL));
    assert_true(dist == 2 * (int64_t)INT32_MAX);
    fr_router_free(router);
    fr_graph_free(graph);
}

static void parents(void **state) {
    fr_ctx *ctx = *state;
    const int32_t parent[] = {0, 0, 1, -1, 5, 4, 9};
    int32_t path[7], length;
    assert_ok(ctx, fr_path(ctx, parent, 7, 2, path, &length));
    assert_true(length == 3 && path[0] == 0 && path[1] == 1 && path[2] == 2);
    assert_ok(ctx, fr_path(ctx, parent, 7, 0, NULL, &length));
    assert_int_equal(length, 1);
    assert_ok(ctx, fr_path(ctx, parent, 7, 3, path, &length));
    assert_int_equal(length, 0);
    assert_int_equal(fr_path(ctx, parent, 7, 4, path, &length), FR_INVALID);
    assert_int_equal(fr_path(ctx, parent, 7, 6, path, &length), FR_INVALID);
    assert_int_equal(fr_path(ctx, parent, 7, 7, path, &length), FR_NOT_FOUND);
}

static int ignore_path(void *user, int64_t index, const void *dist, const int32_t *path,
                       int32_t length) {
    (void)user, (void)index, (void)dist, (void)path, (void)length;
    return 0;
}

static fr_status whole_session(fr_ctx *ctx, void *arg) {
    fr_graph *graph = NULL;
    fr_router *router = NULL;
    int32_t ends[25];
    int64_t dist[25 * 25];
    (void)arg;
    for (int32_t i = 0; i < 25; i++)
        ends[i] = i;
    fr_status s = fr_graph_generate(ctx, "grid2d:rows=5,cols=5", NULL, &graph);
    s = s ? s : fr_router_new(ctx, graph, &(fr_router_options){.landmarks = 2}, &router);
    s = s ? s : fr_router_distances(router, ends, ends, 25, dist);
    s = s ? s : fr_router_table(router, ends, 25, ends, 24, dist);
    s = s ? s : fr_router_k_paths(router, 0, 24, 20, ignore_path, NULL);
    fr_router_free(router);
    fr_graph_free(graph);
    return s;
}

static void failing_allocations(void **state) {
    (void)state;
    assert_true(test_each_allocation("router", whole_session, NULL) > 30);
}

static void cancellation(void **state) {
    (void)state;
    test_watch watch = {.phase = "routing"};
    fr_ctx *ctx = test_ctx_watched(&watch, 2);
    fr_graph *graph = test_generated(ctx, "grid2d:rows=100,cols=100", 0);
    fr_router *router = router_of(ctx, graph, NULL);
    int64_t dist[4];
    int32_t ends[] = {0, 5000, 9000, 9999}, length;
    for (int call = 0; call < 3; call++) {
        watch.stop_at = watch.calls + 1;
        fr_status status = call == 0   ? fr_router_path(router, 0, 9999, dist, NULL, NULL)
                           : call == 1 ? fr_router_table(router, ends, 2, ends, 2, dist)
                                       : fr_router_k_paths(router, 0, 9999, 3, ignore_path, NULL);
        assert_int_equal(status, FR_CANCELLED);
    }
    assert_ok(ctx, fr_router_path(router, 0, 9999, dist, NULL, &length));
    assert_true(dist[0] == 198 && length == 199);
    fr_router_free(router);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

TEST_PROGRAM(TEST(makes_no_router), TEST(sums_beyond_int64), TEST(lengths_of_paths),
             TEST(sums_beyond_int32), TEST(parents), TEST(failing_allocations), TEST(cancellation))
