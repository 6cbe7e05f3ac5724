/* Components: a deep path, threads, labels that the checker must refuse, cancellation. Random graphs: tests/random/measures.c.
 */
#include "fringe_measures.h"
#include "support/support.h"

/* The checker finds components that were joined or divided. */
static void wrong_partitions(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = test_graph_of(ctx, "4: 0>1 1>0 2>3 3>2 1>2", FR_TYPE_NONE);
    const int32_t right[] = {0, 0, 1, 1}, joined[] = {0, 0, 0, 0}, divided[] = {0, 1, 2, 2};
    assert_ok(ctx, fr_verify_components(ctx, graph, FR_COMPONENTS_STRONG, right, 2));
    assert_refused(ctx, fr_verify_components(ctx, graph, FR_COMPONENTS_STRONG, joined, 1),
                   FR_VERIFY_FAILED, "within its label");
    assert_refused(ctx, fr_verify_components(ctx, graph, FR_COMPONENTS_STRONG, divided, 3),
                   FR_VERIFY_FAILED, "cycle of labels");
    assert_ok(ctx, fr_verify_components(ctx, graph, FR_COMPONENTS_WEAK, joined, 1));
    assert_int_equal(fr_verify_components(ctx, graph, FR_COMPONENTS_WEAK, right, 2),
                     FR_VERIFY_FAILED);
    const int32_t apart[] = {0, 1, 2, 3};
    fr_graph *empty = test_graph_of(ctx, "4:", FR_TYPE_NONE);
    assert_ok(ctx, fr_verify_components(ctx, empty, FR_COMPONENTS_WEAK, apart, 4));
    assert_int_equal(fr_verify_components(ctx, empty, FR_COMPONENTS_WEAK, joined, 1),
                     FR_VERIFY_FAILED);
    fr_graph_free(empty);
    fr_graph_free(graph);
}

/* A path and a cycle of a million vertices: no recursion. */
static void deep(void **state) {
    fr_ctx *ctx = *state;
    enum { DEEP = 1000000 };
    static int32_t src[DEEP], dst[DEEP], label[DEEP], count;
    for (int32_t v = 0; v < DEEP; v++) {
        src[v] = v;
        dst[v] = (v + 1) % DEEP;
    }
    for (int cycle = 0; cycle < 2; cycle++) {
        fr_graph *graph =
            test_of_edges(ctx, DEEP, DEEP - 1 + cycle, src, dst, NULL, FR_TYPE_NONE, NULL);
        assert_ok(ctx, fr_components(ctx, graph, FR_COMPONENTS_STRONG, FR_BACKEND_CPU, label, NULL,
                                     &count));
        assert_int_equal(count, cycle ? 1 : DEEP);
        assert_ok(ctx, fr_verify_components(ctx, graph, FR_COMPONENTS_STRONG, label, count));
        fr_graph_free(graph);
    }
}

static void cancelled(void **state) {
    (void)state;
    test_watch watch = {0};
    fr_ctx *ctx = test_ctx_watched(&watch, 2);
    fr_graph *graph = test_graph_of(ctx, "3: 0>1 1>2", FR_TYPE_NONE);
    int32_t label[3], count;
    for (int kind = 0; kind < 2; kind++) {
        watch.stop_at = watch.calls + 1;
        assert_int_equal(
            fr_components(ctx, graph, (fr_component_kind)kind, FR_BACKEND_CPU, label, NULL, &count),
            FR_CANCELLED);
    }
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* After a cancellation no further rows are read. */
static void cancelled_early(void **state) {
    enum { LONG = 1 << 20 };
    (void)state;
    test_watch watch = {0};
    fr_ctx *ctx = test_ctx_watched(&watch, 1);
    fr_graph *graph = test_generated(ctx, "path:n=1048576", 0);
    int32_t *label = malloc(LONG * sizeof *label), count;
    watch.stop_at = watch.calls + 2; /* the first report of the loop over rows */
    assert_int_equal(
        fr_components(ctx, graph, FR_COMPONENTS_WEAK, FR_BACKEND_CPU, label, NULL, &count),
        FR_CANCELLED);
    assert_int_equal(label[LONG - 1], LONG - 1);
    free(label);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* A build without CUDA, or a machine without a GPU, says so. */
static void on_the_gpu(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = test_graph_of(ctx, "3: 0>1 1>2", FR_TYPE_NONE);
    int32_t label[3] = {9, 9, 9}, count = 9;
    fr_status status =
        fr_components(ctx, graph, FR_COMPONENTS_WEAK, FR_BACKEND_CUDA, label, NULL, &count);
    assert_true(status == FR_OK || status == FR_NO_DEVICE);
    assert_int_equal(label[2], status ? 9 : 0);
    status = fr_components(ctx, graph, FR_COMPONENTS_STRONG, FR_BACKEND_CUDA, label, NULL, &count);
    assert_true(status == FR_OK || status == FR_NO_DEVICE);
    assert_int_equal(count, status ? 0 : 3);
    assert_ok(ctx,
              fr_components(ctx, graph, FR_COMPONENTS_WEAK, FR_BACKEND_ANY, label, NULL, &count));
    assert_int_equal(count, 1);
    fr_graph_free(graph);
}

/* One thread and several give the same labels, and these are right: with few and many edges per vertex, in both
 * directions and in one, with many components and with one. */
static void on_threads(void **state) {
    const char *const of[] = {"uniform:n=150000,edges=60000", "uniform:n=150000,edges=200000",
                              "uniform:n=60000,edges=400000", "kronecker:scale=16,edge_factor=16",
                              "grid2d:rows=300,cols=400,keep=0.6"};
    fr_ctx *alone = test_ctx_threads(1), *team = test_ctx_threads(4);
    for (size_t i = 0; i < 2 * sizeof of / sizeof *of; i++) {
        fr_graph *graph = test_made(
            *state, of[i / 2],
            (fr_load_options){.direction = i % 2 ? FR_DIRECTION_DIRECTED : FR_DIRECTION_FILE});
        const int32_t n = fr_graph_vertex_count(graph);
        int32_t *label = malloc(2 * (size_t)n * sizeof *label), *other = label + n, count, others;
        assert_ok(alone, fr_components(alone, graph, FR_COMPONENTS_WEAK, FR_BACKEND_CPU, label,
                                       NULL, &count));
        assert_ok(team, fr_components(team, graph, FR_COMPONENTS_WEAK, FR_BACKEND_CPU, other, NULL,
                                      &others));
        assert_int_equal(count, others);
        assert_memory_equal(label, other, (size_t)n * sizeof *label);
        assert_ok(*state, fr_verify_components(*state, graph, FR_COMPONENTS_WEAK, label, count));
        fr_graph_stats stats = {.struct_size =
                                    sizeof stats}; /* of both directions of directed edges */
        assert_ok(team, fr_graph_compute_stats(team, graph, &stats));
        assert_int_equal(stats.components, count);
        free(label);
        fr_graph_free(graph);
    }
    fr_ctx_free(alone);
    fr_ctx_free(team);
}

TEST_PROGRAM(TEST(wrong_partitions), TEST(deep), TEST(on_threads), TEST(cancelled),
             TEST(cancelled_early), TEST(on_the_gpu))
