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

static uint32_t draw(uint64_t seed, uint64_t i, uint32_t below) {
    return (uint32_t)fri_random_below(fri_random(seed, i), below);
}

static edges make(uint64_t seed) {
    edges x = {.n = 1 + (int32_t)draw(seed, 0, N), .m = draw(seed, 1, M)};
    x.undirected = seed % 3 == 0;
    for (int64_t i = 0; i < x.m; i++) {
        x.src[i] = (int32_t)draw(seed, 5 + 3 * (uint64_t)i, (uint32_t)x.n);
        x.dst[i] = (int32_t)draw(seed, 6 + 3 * (uint64_t)i, (uint32_t)x.n);
        x.w[i] = (int32_t)draw(seed, 7 + 3 * (uint64_t)i, 9) - 2;
    }
    return x;
}

static fr_graph *build(fr_ctx *ctx, const edges *x, bool turned, bool weighted) {
    fr_load_options options = {.direction =
                                   x->undirected ? FR_DIRECTION_UNDIRECTED : FR_DIRECTION_DIRECTED};
    fr_graph *graph = NULL;
    assert_ok(ctx, fr_graph_from_edges(ctx, x->n, x->m, turned ? x->dst : x->src,
                                       turned ? x->src : x->dst, weighted ? x->w : NULL,
                                       weighted ? FR_TYPE_I32 : FR_TYPE_NONE, &options, &graph));
    return graph;
}

static void transposed(void **state) {
    fr_ctx *ctx = *state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        edges x = make(seed);
        fr_graph *graph = build(ctx, &x, false, seed % 2), *want = build(ctx, &x, true, seed % 2);
        fr_graph *got = NULL, *back = NULL;
        assert_ok(ctx, fr_graph_transpose(ctx, graph, &got));
        assert_ok(ctx, fr_graph_transpose(ctx, got, &back));
        assert_same_graph("transposed", got, want);
        assert_same_graph("twice transposed", back, graph);
        fr_graph_free(back);
        fr_graph_free(got);
        fr_graph_free(graph);
        fr_graph_free(want);
    }
}

/* Weights in the order of the CSR, of every type. */
static void weights(void **state) {
    fr_ctx *ctx = *state;
    static int32_t i32[2 * M], src[2 * M];
    static int64_t i64[2 * M];
    static float f32[2 * M];
    static double f64[2 * M];
    const void *lists[] = {NULL, i32, i64, f32, f64};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        edges x = make(seed);
        fr_graph *graph = build(ctx, &x, false, seed % 2), *got = NULL, *want = NULL;
        const fr_csr *csr = fr_graph_csr(graph);
        fr_type type = (fr_type)(seed % 5);
        bool keeps_symmetry = draw(seed, 3, 2);
        for (int32_t u = 0; u < csr->n; u++)
            for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
                src[e] = u;
                int32_t w = (int32_t)draw(seed, 9000 + (uint64_t)e, 50);
                i32[e] = keeps_symmetry ? u + csr->targets[e] : w;
                i64[e] = f32[e] = i32[e];
                f64[e] = i32[e];
            }
        assert_ok(ctx, fr_graph_set_weights(ctx, graph, lists[type], type, &got));
        fr_load_options options = {.direction = FR_DIRECTION_DIRECTED};
        assert_ok(ctx, fr_graph_from_edges(ctx, csr->n, csr->m, src, csr->targets, lists[type],
                                           type, &options, &want));
        assert_same_graph("other weights", got, want);
        assert_ptr_equal(fr_graph_csr(got)->targets, csr->targets);
        fr_graph_free(want);
        fr_graph_free(got);
        fr_graph_free(graph);
    }
}

static void subgraphs(void **state) {
    fr_ctx *ctx = *state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        edges x = make(seed), part = x;
        int32_t list[2 * N], map[N], number[N], count = 0;
        for (uint64_t i = 0; i < draw(seed, 2, 2 * N); i++)
            list[count++] = (int32_t)draw(seed, 5000 + i, (uint32_t)x.n);
        part.n = part.m = 0;
        for (int32_t v = 0; v < x.n; v++) {
            number[v] = -1;
            for (int32_t i = 0; i < count && number[v] < 0; i++)
                number[v] = list[i] == v ? part.n++ : -1;
        }
        for (int64_t i = 0; i < x.m; i++)
            if (number[x.src[i]] >= 0 && number[x.dst[i]] >= 0) {
                part.src[part.m] = number[x.src[i]];
                part.dst[part.m] = number[x.dst[i]];
                part.w[part.m++] = x.w[i];
            }
        fr_graph *graph = build(ctx, &x, false, seed % 2),
                 *want = build(ctx, &part, false, seed % 2);
        fr_graph *got = NULL;
        assert_ok(ctx, fr_graph_subgraph(ctx, graph, list, count, seed % 5 ? map : NULL, &got));
        const fr_csr *a = fr_graph_csr(got), *b = fr_graph_csr(want);
        assert_int_equal(a->n, b->n);
        assert_int_equal(a->m, b->m);
        assert_int_equal(a->symmetric, b->symmetric);
        assert_memory_equal(a->offsets, b->offsets, ((size_t)a->n + 1) * 8);
        assert_memory_equal(a->targets, b->targets, (size_t)a->m * 4);
        if (a->weights)
            assert_memory_equal(a->weights, b->weights, (size_t)a->m * 4);
        for (int32_t v = 0; v < x.n; v++) {
            assert_true(seed % 5 == 0 || map[v] == number[v]);
            if (number[v] >= 0)
                assert_int_equal(fr_graph_id(got, number[v]), fr_graph_id(graph, v));
        }
        fr_graph_free(graph); /* the subgraph does not depend on it */
        for (int32_t v = 0; v < x.n; v++)
            assert_int_equal(fr_graph_vertex(got, v), number[v]);
        fr_graph_free(got);
        fr_graph_free(want);
    }
}

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

TEST_PROGRAM_IN_FOLDER(TEST(transposed), TEST(weights), TEST(subgraphs), TEST(ids_are_kept),
                       TEST(refusals))
