/* A graph that borrows a caller's CSR after checking it. */
#include "graph/weights.h"

#include <math.h>

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

bool fri_csr_rows_sorted(fr_ctx *ctx, const fr_csr *csr) {
    int bad = 0;
#pragma omp parallel for reduction(| : bad) schedule(FRI_DYNAMIC, 1024) num_threads(ctx->threads)
    for (int32_t u = 0; u < csr->n; u++)
        bad |= !row_is_sound(csr, u);
    return !bad;
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

/* A graph without edges may have NULL weights, but readers recognize a weighted graph by the
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
