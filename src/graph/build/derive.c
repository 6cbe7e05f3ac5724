/* Graphs that share the arrays of another graph: the transposed one, and one with other weights.
 * They borrow what they do not change, so the other graph must outlive them. */
#include "graph/build/bucket_sort.h"
#include "graph/weights.h"

#include <string.h>

fr_status fr_graph_transpose(fr_ctx *ctx, const fr_graph *graph, fr_graph **out) {
    fr_status status = fri_graph_begin(ctx, out);
    if (!status && !graph)
        status = fri_fail(ctx, FR_INVALID, "transposing needs a graph");
    if (!status)
        status = fr_graph_check(ctx, graph);
    if (status)
        return status;
    fr_graph *transposed = fri_graph_borrow(ctx, graph);
    if (!transposed)
        return FR_NOMEM;
    fr_csr *csr = &transposed->csr;
    if (!csr->symmetric)
        status = fri_csr_transpose(ctx, &graph->csr, csr);
    if (!status && !csr->symmetric) {
        transposed->own_offsets = (int64_t *)(uintptr_t)csr->offsets;
        transposed->own_targets = (int32_t *)(uintptr_t)csr->targets;
        transposed->own_weights = (void *)(uintptr_t)csr->weights;
    }
    return fri_graph_give(status, transposed, out);
}

/* Of parallel edges the lighter ones come first, in every graph. */
static void sort_parallel(fr_ctx *ctx, fr_csr *csr, char *weights) {
    size_t size = fr_type_size(csr->weight_type);
    int32_t *targets = (int32_t *)(uintptr_t)csr->targets; /* without `drop` they are not written */
#pragma omp parallel for schedule(FRI_DYNAMIC, 1024) num_threads(ctx->threads)
    for (int32_t u = 0; u < csr->n; u++) {
        int64_t begin = csr->offsets[u], count = csr->offsets[u + 1] - begin;
        if (count > 1)
            fri_dedup_row(targets + begin, weights + (size_t)begin * size, csr->weight_type, count,
                          false);
    }
}

static fr_status put_weights(fr_ctx *ctx, const void *weights, fr_type type, fr_graph *graph) {
    fr_csr *csr = &graph->csr;
    size_t bytes = fri_bytes(csr->m, fr_type_size(type));
    csr->weights = NULL;
    csr->weight_type = type;
    if (!type)
        return FR_OK;
    csr->weights = graph->own_weights = fri_alloc(ctx, bytes);
    if (!csr->weights)
        return FR_NOMEM;
    if (csr->m)
        memcpy(graph->own_weights, weights, bytes);
    sort_parallel(ctx, csr, graph->own_weights);
    return csr->symmetric ? fri_csr_find_symmetry(ctx, csr, false) : FR_OK;
}

fr_status fr_graph_set_weights(fr_ctx *ctx, const fr_graph *graph, const void *weights,
                               fr_type type, fr_graph **out) {
    fr_status status = fri_graph_begin(ctx, out);
    if (!status && (!graph || (graph->csr.m && !weights != !type)))
        status = fri_fail(ctx, FR_INVALID,
                          "new weights need a graph and, unless there are none, their type");
    if (!status)
        status = fr_graph_check(ctx, graph);
    if (!status && type && fr_type_size(type) == 0)
        status = fri_fail(ctx, FR_INVALID, "there is no type %d of weights", (int)type);
    if (!status)
        status = fri_weights_check(ctx, weights, type, graph->csr.m);
    if (status)
        return status;
    fr_graph *other = fri_graph_borrow(ctx, graph);
    return other ? fri_graph_give(put_weights(ctx, weights, type, other), other, out) : FR_NOMEM;
}
