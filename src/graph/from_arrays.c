/* Graphs from a caller's arrays. */
#include "graph/weights.h"

#include <math.h>
#include <string.h>

static bool finite_weights(fr_ctx *ctx, const void *weights, fr_type type, int64_t m) {
    int bad = 0;
    if (type == FR_TYPE_F32) {
#pragma omp parallel for reduction(| : bad) num_threads(ctx->threads)
        for (int64_t e = 0; e < m; e++)
            bad |= !isfinite(((const float *)weights)[e]);
    } else if (type == FR_TYPE_F64) {
#pragma omp parallel for reduction(| : bad) num_threads(ctx->threads)
        for (int64_t e = 0; e < m; e++)
            bad |= !isfinite(((const double *)weights)[e]);
    }
    return !bad;
}

fr_status fri_weights_check(fr_ctx *ctx, const void *weights, fr_type type, int64_t m) {
    if (!weights)
        return FR_OK;
    if (type != FR_TYPE_I32 && type != FR_TYPE_I64 && type != FR_TYPE_F32 && type != FR_TYPE_F64)
        return fri_fail(ctx, FR_INVALID, "weight_type must be int32, int64, float32 or float64");
    return finite_weights(ctx, weights, type, m)
               ? FR_OK
               : fri_fail(ctx, FR_RANGE, "a weight is not a finite number");
}

static fr_status check_edges(fr_ctx *ctx, int32_t n, int64_t m, const int32_t *src,
                             const int32_t *dst) {
    if (n < 0 || m < 0 || m > INT64_C(1) << 40 || (m && (!src || !dst)))
        return fri_fail(
            ctx, FR_INVALID,
            "a graph from edges needs n of at least 0, m from 0 to 2^40, and src and dst");
    int64_t bad = m;
#pragma omp parallel for reduction(min : bad) num_threads(ctx->threads)
    for (int64_t i = 0; i < m; i++)
        if ((uint32_t)src[i] >= (uint32_t)n || (uint32_t)dst[i] >= (uint32_t)n)
            bad = FRI_MIN(bad, i);
    return bad == m
               ? FR_OK
               : fri_fail(ctx, FR_INVALID, "edge %lld goes from %d to %d; vertices are 0 to %d",
                          (long long)bad, src[bad], dst[bad], n - 1);
}

static fr_status copy_edges(fr_ctx *ctx, int64_t m, const int32_t *src, const int32_t *dst,
                            const void *weights, fri_edge_list *edges) {
    size_t size = fr_type_size(edges->weight_type);
    edges->blocks = fri_calloc(ctx, sizeof *edges->blocks);
    if (!edges->blocks)
        return FR_NOMEM;
    edges->block_count = 1;
    fri_edge_block *block = edges->blocks;
    block->ends = fri_alloc(ctx, fri_bytes(m, 2 * sizeof(int32_t)));
    if (block->ends && size)
        block->weights = fri_alloc(ctx, fri_bytes(m, size));
    if (!block->ends || (size && !block->weights))
        return FR_NOMEM;
    block->count = m;
#pragma omp parallel for num_threads(ctx->threads)
    for (int64_t i = 0; i < m; i++) {
        block->ends[2 * i] = src[i];
        block->ends[2 * i + 1] = dst[i];
    }
    if (size && m)
        memcpy(block->weights, weights, fri_bytes(m, size));
    return FR_OK;
}

fr_status fr_graph_from_edges(fr_ctx *ctx, int32_t n, int64_t m, const int32_t *src,
                              const int32_t *dst, const void *weights, fr_type weight_type,
                              const fr_load_options *options, fr_graph **out) {
    fri_begin(ctx);
    *out = NULL;
    fr_load_options own;
    fr_status status = fri_load_options_read(ctx, options, &own);
    if (!status)
        status = check_edges(ctx, n, m, src, dst);
    if (!status)
        status = fri_weights_check(ctx, weights, weight_type, m);
    if (status)
        return status;
    fri_edge_list edges = {.n = n, .weight_type = weights ? weight_type : FR_TYPE_NONE};
    fr_graph *graph = fri_graph_new(ctx, "edges");
    status = graph ? copy_edges(ctx, m, src, dst, weights, &edges) : FR_NOMEM;
    if (!status)
        status = fri_graph_build(ctx, &edges, &own, graph);
    fri_edge_list_free(&edges);
    if (status)
        fr_graph_free(graph);
    else
        *out = graph;
    return status;
}

/* ---- a caller's CSR ---- */

static bool weights_ascend(const fr_csr *csr, int64_t e) {
    if (csr->weight_type == FR_TYPE_I32)
        return ((const int32_t *)csr->weights)[e - 1] <= ((const int32_t *)csr->weights)[e];
    if (csr->weight_type == FR_TYPE_I64)
        return ((const int64_t *)csr->weights)[e - 1] <= ((const int64_t *)csr->weights)[e];
    if (csr->weight_type == FR_TYPE_F32)
        return ((const float *)csr->weights)[e - 1] <= ((const float *)csr->weights)[e];
    return ((const double *)csr->weights)[e - 1] <= ((const double *)csr->weights)[e];
}

static bool row_is_sound(const fr_csr *csr, int64_t u) {
    for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
        if ((uint32_t)csr->targets[e] >= (uint32_t)csr->n)
            return false;
        if (e == csr->offsets[u] || csr->targets[e - 1] < csr->targets[e])
            continue;
        if (csr->targets[e - 1] > csr->targets[e] || (csr->weights && !weights_ascend(csr, e)))
            return false;
    }
    return true;
}

static fr_status check_rows(fr_ctx *ctx, const fr_csr *csr) {
    int64_t n = csr->n, bad = n;
    for (int64_t u = 0; u < n; u++) /* before any offset is followed */
        if (csr->offsets[u] > csr->offsets[u + 1])
            return fri_fail(ctx, FR_INVALID, "the offsets must ascend; they descend after row %lld",
                            (long long)u);
    if (csr->offsets[0] != 0 || csr->offsets[n] != csr->m)
        return fri_fail(ctx, FR_INVALID, "the offsets must run from 0 to m, not from %lld to %lld",
                        (long long)csr->offsets[0], (long long)csr->offsets[n]);
#pragma omp parallel for reduction(min : bad) schedule(FRI_DYNAMIC, 1024) num_threads(ctx->threads)
    for (int64_t u = 0; u < n; u++)
        if (!row_is_sound(csr, u))
            bad = FRI_MIN(bad, u);
    return bad == n ? FR_OK
                    : fri_fail(ctx, FR_INVALID,
                               "row %lld has a target outside 0 to %d or is not sorted by target, "
                               "then weight",
                               (long long)bad, csr->n - 1);
}

static fr_status check_csr(fr_ctx *ctx, const fr_csr *csr) {
    if (!csr || csr->n < 0 || csr->m < 0 || !csr->offsets || (csr->m && !csr->targets) ||
        (csr->m && !csr->weights != !csr->weight_type))
        return fri_fail(ctx, FR_INVALID,
                        "a CSR needs n, m, offsets, targets, and a weight_type "
                        "exactly when it has weights");
    fr_status status = fri_weights_check(ctx, csr->weights, csr->weight_type, csr->m);
    if (!status)
        status = check_rows(ctx, csr);
    bool same = true;
    if (!status && csr->symmetric)
        status = fri_csr_is_symmetric(ctx, csr, &same);
    if (!status && !same)
        status =
            fri_fail(ctx, FR_INVALID,
                     "the CSR is marked symmetric, but an edge has no reverse of the same weight");
    return status;
}

/* A graph without edges may have NULL weights, but readers recognise a weighted graph by the
 * pointer. */
static fr_csr with_weights(const fr_csr *csr) {
    fr_csr same = *csr;
    if (csr->m == 0 && csr->weight_type && !csr->weights)
        same.weights = csr->offsets; /* any address is valid: none of the m elements is read */
    return same;
}

fr_status fr_graph_from_csr(fr_ctx *ctx, const fr_csr *csr, fr_graph **out) {
    fri_begin(ctx);
    *out = NULL;
    fr_csr own = csr ? with_weights(csr) : (fr_csr){0};
    fr_status status = check_csr(ctx, csr ? &own : NULL);
    if (status)
        return status;
    fr_graph *graph = fri_graph_new(ctx, "csr");
    if (!graph)
        return FR_NOMEM;
    graph->csr = own;
    *out = graph;
    return FR_OK;
}
