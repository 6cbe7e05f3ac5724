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
    for (size_t i = 0; i < COUNT(cases); i++) {
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

static void refusals(void **state) {
    static const int64_t far[] = {0, INT64_C(1) << 32}, offsets[] = {0, 1, 2}, down[] = {0, 3, 2},
                         late[] = {1, 2, 2}, below[] = {-1, 0, 2}, many = INT64_C(1) << 31;
    static const int32_t pair[] = {0, 1}, beyond[] = {0, 2};
    static const double weights[] = {1, NAN};
#define SIZES .n = 2, .m = 2
#define ROWS  SIZES, .offsets = offsets, .targets = pair
    const struct {
        fr_arrays arrays;
        fr_status status;
        const char *words;
    } cases[] = {
        {{ROWS}, FR_OK, ""},
        {{SIZES, .offsets = offsets, .targets = beyond}, FR_INVALID, "edge 1 goes to 2; vertices"},
        {{SIZES, .offsets = offsets, .targets = far, .vertex_type = FR_TYPE_I64},
         FR_INVALID,
         "edge 1 goes to 4294967296"},
        {{SIZES, .offsets = down, .targets = pair}, FR_INVALID, "descend after row 1"},
        {{SIZES, .offsets = late, .targets = pair}, FR_INVALID, "from 0 to m"},
        {{SIZES, .offsets = below, .targets = pair}, FR_INVALID, "from 0 to m"},
        {{ROWS, .sources = pair}, FR_INVALID, "not both"},
        {{SIZES, .targets = pair}, FR_INVALID, "not neither"},
        {{ROWS, .weights = weights, .weight_type = FR_TYPE_F64},
         FR_RANGE,
         "the weight of edge 1, nan"},
        {{ROWS, .weights = weights}, FR_INVALID, "weight_type"},
        {{.n = many, .m = 2, .offsets = offsets, .targets = pair}, FR_INVALID, "2^31"},
        {{ROWS, .vertex_type = FR_TYPE_F32}, FR_INVALID, "int32 or int64"},
        {{.n = 2, .weight_type = (fr_type)9}, FR_INVALID, "known weight_type"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        fr_graph *graph = NULL;
        assert_refused(*state, fr_graph_from_arrays(*state, &cases[i].arrays, NULL, &graph),
                       cases[i].status, cases[i].words);
        assert_int_equal(graph != NULL, cases[i].status == FR_OK);
        fr_graph_free(graph);
    }
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
    assert_refused(ctx, fr_graph_from_device_csr(ctx, &csr, &graph), FR_INVALID, "targets");
    csr.struct_size = 7;
    assert_refused(ctx, fr_graph_from_device_csr(ctx, &csr, &graph), FR_INVALID, "fr_device_csr");
}

TEST_PROGRAM(TEST(borrowed), TEST(refusals), TEST(on_no_device))
