#include "support/support.h"

int test_ctx_new(void **state) {
    fr_ctx *ctx;
    fr_ctx_options options = {.threads = 2};
    if (fr_ctx_new(&options, &ctx))
        return -1;
    *state = ctx;
    return 0;
}

int test_ctx_free(void **state) {
    fr_ctx_free(*state);
    return 0;
}

fr_graph *test_graph(fr_ctx *ctx, int32_t n, int64_t m, const int32_t *ends, bool undirected) {
    int32_t *src = malloc((size_t)(m + 1) * sizeof *src),
            *dst = malloc((size_t)(m + 1) * sizeof *dst);
    for (int64_t i = 0; i < m; i++) {
        src[i] = ends[2 * i];
        dst[i] = ends[2 * i + 1];
    }
    fr_load_options options = {.direction =
                                   undirected ? FR_DIRECTION_UNDIRECTED : FR_DIRECTION_FILE};
    fr_graph *graph = NULL;
    assert_ok(ctx, fr_graph_from_edges(ctx, n, m, src, dst, NULL, FR_TYPE_NONE, &options, &graph));
    free(src);
    free(dst);
    return graph;
}
