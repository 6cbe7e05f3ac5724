/* Graphs made from graphs: transposed, with other weights, induced by vertices. Random graphs are
 * compared with graphs built from the edges that must be there. */
#include "support/files.h"

#include "base/rng.h"

#include <math.h>

enum { N = 40, M = 300, SEEDS = 120 };

typedef struct {
    int32_t n, src[M], dst[M], w[M];
    int64_t m;
    bool undirected;
} edges;

static void ids_are_kept(void **state) {
    fr_ctx *ctx = *state;
    const char text[] = "10 20\n20 30\n30 10\n30 40\n";
    fr_graph *graph = NULL, *turned = NULL, *part = NULL;
    assert_ok(ctx, fr_graph_load(ctx, test_put("ids.txt", text, sizeof text - 1), NULL, &graph));
    assert_ok(ctx, fr_graph_transpose(ctx, graph, &turned));
    assert_int_equal(fr_graph_id(turned, 3), 40);
    const int32_t last[] = {3, 1};
    assert_ok(ctx, fr_graph_subgraph(ctx, graph, last, 2, NULL, &part));
    assert_int_equal(fr_graph_id(part, 0), 20);
    assert_int_equal(fr_graph_vertex(part, 40), 1);
    fr_graph_free(part);
    fr_graph_free(turned);
    fr_graph_free(graph);
}

static void refusals(void **state) {
    fr_ctx *ctx = *state;
    const int32_t ends[] = {0, 1, 1, 2}, bad[] = {0, 3};
    const float weights[] = {1, (float)HUGE_VAL};
    fr_graph *graph = test_graph(ctx, 3, 2, ends, false), *out = graph;
    assert_int_equal(fr_graph_transpose(ctx, NULL, &out), FR_INVALID);
    assert_null(out);
    assert_int_equal(fr_graph_set_weights(ctx, graph, weights, FR_TYPE_F32, &out), FR_RANGE);
    assert_int_equal(fr_graph_set_weights(ctx, graph, weights, FR_TYPE_NONE, &out), FR_INVALID);
    assert_int_equal(fr_graph_set_weights(ctx, graph, NULL, FR_TYPE_F32, &out), FR_INVALID);
    assert_int_equal(fr_graph_set_weights(ctx, graph, weights, (fr_type)9, &out), FR_INVALID);
    assert_int_equal(fr_graph_subgraph(ctx, graph, bad, 2, NULL, &out), FR_NOT_FOUND);
    assert_int_equal(fr_graph_subgraph(ctx, graph, NULL, 2, NULL, &out), FR_INVALID);
    assert_null(out);
    fr_graph_free(graph);
}

TEST_PROGRAM_IN_FOLDER(TEST(ids_are_kept), TEST(refusals))
