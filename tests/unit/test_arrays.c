/* Graphs from arrays of pairs and rows, in any order and type, against fr_graph_from_edges. */
#include "support/files.h"

#include "base/rng.h"

#include <math.h>

enum { N = 40, M = 400 };

typedef struct {
    int32_t n, src[M], dst[M], offsets32[N + 1];
    int64_t m, src64[M], dst64[M], offsets64[N + 1];
    int32_t i32[M];
    int64_t i64[M];
    float f32[M];
    double f64[M];
} arrays;

static int64_t draw(uint64_t seed, uint64_t i, int64_t below) {
    return (int64_t)fri_random_below(fri_random(seed, i), (uint64_t)below);
}

static void set_edge(arrays *a, int64_t i, int32_t u, int32_t v, int32_t w) {
    a->src64[i] = a->src[i] = u;
    a->dst64[i] = a->dst[i] = v;
    a->i64[i] = a->i32[i] = w;
    a->f64[i] = a->f32[i] = (float)w;
}

/* Edges in the order of their sources, so that they serve as rows; targets in any order. */
static void make(arrays *a, uint64_t seed) {
    a->n = 1 + (int32_t)draw(seed, 0, N);
    a->m = draw(seed, 1, M);
    int64_t at = 0;
    for (int32_t u = 0; u < a->n; u++) {
        a->offsets64[u] = a->offsets32[u] = (int32_t)at;
        int64_t end =
            u + 1 == a->n ? a->m : at + draw(seed, 100 + (uint64_t)u, 2 * a->m / a->n + 1);
        for (; at < end && at < a->m; at++)
            set_edge(a, at, u, (int32_t)draw(seed, 1000 + 2 * (uint64_t)at, a->n),
                     (int32_t)draw(seed, 1001 + 2 * (uint64_t)at, 20) - 5);
    }
    a->offsets64[a->n] = a->offsets32[a->n] = (int32_t)at;
}

static const void *weights_of(const arrays *a, fr_type type) {
    const void *lists[] = {NULL, a->i32, a->i64, a->f32, a->f64};
    return lists[type];
}

static void any_form(void **state) {
    fr_ctx *ctx = *state;
    static arrays a;
    for (uint64_t seed = 0; seed < 400; seed++) {
        make(&a, seed);
        bool rows = seed % 2, wide_vertices = seed / 2 % 2, wide_offsets = seed / 4 % 2;
        fr_type type = (fr_type)(seed % 5);
        fr_load_options options = {
            .direction = (fr_direction)(seed / 8 % 3),
            .drop_loops = seed % 7 == 0,
            .drop_parallel = seed % 3 == 0,
            .weights = seed % 11 ? FR_WEIGHTS_FILE : FR_WEIGHTS_RANDOM,
            .weight_low = 1,
            .weight_high = 9,
        };
        fr_arrays given = {.n = a.n,
                           .m = a.m,
                           .sources = rows            ? NULL
                                      : wide_vertices ? (void *)a.src64
                                                      : a.src,
                           .offsets = !rows          ? NULL
                                      : wide_offsets ? (void *)a.offsets64
                                                     : a.offsets32,
                           .targets = wide_vertices ? (void *)a.dst64 : a.dst,
                           .vertex_type = wide_vertices ? FR_TYPE_I64 : FR_TYPE_I32,
                           .offset_type = wide_offsets ? FR_TYPE_I64 : FR_TYPE_I32,
                           .weights = weights_of(&a, type),
                           .weight_type = type};
        fr_graph *want = NULL, *got = NULL;
        assert_ok(ctx, fr_graph_from_edges(ctx, a.n, a.m, a.src, a.dst, weights_of(&a, type), type,
                                           &options, &want));
        assert_ok(ctx, fr_graph_from_arrays(ctx, &given, &options, &got));
        assert_same_graph("arrays", got, want);
        fr_graph_free(got);
        fr_graph_free(want);
    }
}

/* What fits is borrowed, and nothing else is. */
static void borrowed(void **state) {
    fr_ctx *ctx = *state;
    const int64_t offsets[] = {0, 2, 4, 4};
    const int32_t sorted[] = {1, 1, 0, 2}, unsorted[] = {1, 0, 0, 2};
    const int32_t light_first[] = {1, 2, 3, 4}, heavy_first[] = {2, 1, 3, 4};
    const struct {
        const int32_t *targets, *weights;
        bool copy, drop, borrowed;
    } cases[] = {
        {sorted, light_first, false, false, true},    {sorted, heavy_first, false, false, false},
        {unsorted, light_first, false, false, false}, {sorted, light_first, true, false, false},
        {sorted, light_first, false, true, false},    {sorted, NULL, false, false, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fr_arrays given = {.n = 3,
                           .m = 4,
                           .offsets = offsets,
                           .targets = cases[i].targets,
                           .weights = cases[i].weights,
                           .weight_type = cases[i].weights ? FR_TYPE_I32 : FR_TYPE_NONE,
                           .copy = cases[i].copy};
        fr_load_options options = {.drop_parallel = cases[i].drop};
        fr_graph *graph = NULL;
        assert_ok(ctx, fr_graph_from_arrays(ctx, &given, &options, &graph));
        const fr_csr *csr = fr_graph_csr(graph);
        assert_int_equal(csr->targets == cases[i].targets, cases[i].borrowed);
        assert_int_equal(csr->offsets == offsets, cases[i].borrowed);
        assert_int_equal(csr->m, cases[i].drop ? 3 : 4);
        fr_graph_free(graph);
    }
}

static void refuse(fr_ctx *ctx, fr_arrays given, fr_status status, const char *message) {
    fr_graph *graph = NULL;
    assert_int_equal(fr_graph_from_arrays(ctx, &given, NULL, &graph), status);
    assert_null(graph);
    if (!strstr(fr_ctx_error(ctx), message))
        fail_msg("\"%s\" lacks \"%s\"", fr_ctx_error(ctx), message);
}

static void refusals(void **state) {
    fr_ctx *ctx = *state;
    const int64_t far[] = {0, INT64_C(1) << 32}, offsets[] = {0, 1, 2}, down[] = {0, 3, 2},
                  late[] = {1, 2, 2}, below[] = {-1, 0, 2};
    const int32_t pair[] = {0, 1}, beyond[] = {0, 2};
    const double weights[] = {1, NAN};
    fr_arrays good = {.n = 2, .m = 2, .offsets = offsets, .targets = pair}, x = good;
    fr_graph *graph = NULL;
    assert_ok(ctx, fr_graph_from_arrays(ctx, &good, NULL, &graph));
    fr_graph_free(graph);
    x.targets = beyond;
    refuse(ctx, x, FR_INVALID, "edge 1 goes to 2; vertices are 0 to 1");
    x.targets = far, x.vertex_type = FR_TYPE_I64;
    refuse(ctx, x, FR_INVALID, "edge 1 goes to 4294967296");
    x = good, x.offsets = down;
    refuse(ctx, x, FR_INVALID, "descend after row 1");
    x.offsets = late;
    refuse(ctx, x, FR_INVALID, "from 0 to m");
    x.offsets = below;
    refuse(ctx, x, FR_INVALID, "from 0 to m");
    x = good, x.sources = pair;
    refuse(ctx, x, FR_INVALID, "not both");
    x = good, x.offsets = NULL;
    refuse(ctx, x, FR_INVALID, "not neither");
    x = good, x.weights = weights, x.weight_type = FR_TYPE_F64;
    refuse(ctx, x, FR_RANGE, "the weight of edge 1, nan, is not a finite number");
    x.weight_type = FR_TYPE_NONE;
    refuse(ctx, x, FR_INVALID, "weight_type");
    x = good, x.n = INT64_C(1) << 31;
    refuse(ctx, x, FR_INVALID, "2^31");
    x = good, x.vertex_type = FR_TYPE_F32;
    refuse(ctx, x, FR_INVALID, "int32 or int64");
    x = (fr_arrays){.n = 2, .weight_type = (fr_type)9};
    refuse(ctx, x, FR_INVALID, "known weight_type");
}

/* Rows in device memory; arrays on the host are none. The shape is checked before a GPU is asked for. */
static void on_no_device(void **state) {
    fr_ctx *ctx = *state;
    const int64_t offsets[] = {0, 1, 2};
    const int32_t targets[] = {0, 1};
    fr_device_csr csr = {.n = 2, .m = 2, .offsets = offsets, .targets = targets};
    fr_graph *graph = NULL;
    fr_status status = fr_graph_from_device_csr(ctx, &csr, &graph);
    assert_true(status == FR_NO_DEVICE || status == FR_INVALID); /* with a GPU */
    assert_null(graph);
    csr.targets = NULL;
    assert_int_equal(fr_graph_from_device_csr(ctx, &csr, &graph), FR_INVALID);
    assert_non_null(strstr(fr_ctx_error(ctx), "targets"));
    csr.struct_size = 7;
    assert_int_equal(fr_graph_from_device_csr(ctx, &csr, &graph), FR_INVALID);
    assert_non_null(strstr(fr_ctx_error(ctx), "fr_device_csr"));
}

TEST_PROGRAM(TEST(any_form), TEST(borrowed), TEST(refusals), TEST(on_no_device))
