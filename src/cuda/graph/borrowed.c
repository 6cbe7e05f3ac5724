/* Graphs whose rows are a caller's arrays in device memory: checked on the device, used where they
 * are, and copied to the host when something needs them there. */
#include "core/gpu_interface.h"
#include "cuda/device/context.h"
#include "cuda/device/results/results.h"
#include "cuda/graph/resident.h"
#include "cuda/graph/rows_check.h"

#include <limits.h>
#include <string.h>

/* ---- the check --------------------------------------------------------------------------- */

static fr_status check_places(const fri_gpu *g, const fr_device_csr *csr) {
    const struct {
        const char *name;
        const void *at;
        size_t bytes;
    } arrays[] = {
        {"offsets", csr->offsets, fri_bytes((int64_t)csr->n + 1, fr_type_size(csr->offset_type))},
        {"targets", csr->targets, fri_bytes(csr->m, sizeof(int32_t))},
        {"weights", csr->weights, fri_bytes(csr->m, fr_type_size(csr->weight_type))}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (arrays[i].at && arrays[i].bytes &&
            !fri_gpu_is_on_device(g, arrays[i].at, arrays[i].bytes))
            return fri_fail(g->job->ctx, FR_INVALID, "the %s are not in memory of GPU %d",
                            arrays[i].name, g->job->ctx->device);
    return FR_OK;
}

static fr_status wrong_target(fri_gpu *g, const fr_device_csr *csr, int64_t e) {
    int32_t target;
    FRI_GPU_TRY(fri_gpu_download(g, &target, csr->targets + e, sizeof target));
    return fri_fail(g->job->ctx, FR_INVALID, "edge %lld goes to %d; vertices are 0 to %d",
                    (long long)e, target, csr->n - 1);
}

static fr_status check_report(fri_gpu *g, const fr_device_csr *csr, const fri_rows_report *found) {
    fr_ctx *ctx = g->job->ctx;
    if (found->row != ULLONG_MAX)
        return fri_fail(ctx, FR_INVALID, "the offsets must ascend; they descend after row %lld",
                        (long long)found->row);
    if (found->first != 0 || found->last != csr->m)
        return fri_fail(ctx, FR_INVALID, "the offsets must run from 0 to m, not from %lld to %lld",
                        found->first, found->last);
    if (found->target != ULLONG_MAX)
        return wrong_target(g, csr, (int64_t)found->target);
    if (found->weight != ULLONG_MAX)
        return fri_fail(ctx, FR_RANGE, "the weight of edge %lld is not a finite number",
                        (long long)found->weight);
    if (found->order != ULLONG_MAX)
        return fri_fail(ctx, FR_INVALID,
                        "rows must be sorted by target, then weight; edge %lld belongs before the "
                        "one before it",
                        (long long)found->order);
    if (csr->symmetric && found->mirror)
        return fri_fail(ctx, FR_INVALID,
                        "the CSR is marked symmetric, but an edge has no reverse of the same "
                        "weight");
    return FR_OK;
}

static fr_status check_with(fri_gpu *g, const fr_device_csr *csr, fri_rows_report *found) {
    void *report;
    FRI_GPU_TRY(fri_gpu_wait_for_caller(g));
    FRI_GPU_TRY(fri_gpu_take(g, &report, sizeof *found));
    fr_status status = fri_gpu_check_rows(g, csr, report);
    if (!status)
        status = fri_gpu_download(g, found, report, sizeof *found);
    fri_gpu_give(g->job->ctx, report, sizeof *found);
    return status ? status : check_report(g, csr, found);
}

static fr_status check(fri_gpu *g, const fr_device_csr *csr, fri_rows_report *found) {
    FRI_GPU_TRY(fri_gpu_open(g));
    FRI_GPU_TRY(check_places(g, csr));
    FRI_GPU_TRY(fri_gpu_check(g, fri_gpu_streams_take(g), "creating a stream"));
    fr_status status = check_with(g, csr, found);
    fri_gpu_streams_give(g);
    return status;
}

/* ---- the copy on the host ---------------------------------------------------------------- */

typedef struct {
    int64_t *offsets;
    int32_t *targets;
    void *weights;
} host_rows;

static fr_status copy(fri_gpu *g, void *to, const void *from, size_t bytes) {
    return bytes ? fri_gpu_check(g, cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost),
                                 "downloading the graph")
                 : FR_OK;
}

/* Narrow offsets arrive in the upper half of the wide ones: none is overwritten before it is read. */
static fr_status copy_offsets(fri_gpu *g, int64_t *to, const fr_device_csr *csr) {
    const int64_t count = (int64_t)csr->n + 1;
    const size_t size = fr_type_size(csr->offset_type);
    char *from = (char *)to + (size_t)count * (sizeof *to - size);
    FRI_GPU_TRY(copy(g, from, csr->offsets, (size_t)count * size));
    for (int64_t i = 0; i < count && size < sizeof *to; i++) {
        int32_t narrow;
        memcpy(&narrow, from + (size_t)i * size, size);
        to[i] = narrow;
    }
    return FR_OK;
}

static fr_status copy_rows(fri_gpu *g, const fr_device_csr *csr, host_rows *rows) {
    fr_ctx *ctx = g->job->ctx;
    const size_t targets = fri_bytes(csr->m, sizeof *rows->targets),
                 weights = fri_bytes(csr->m, fr_type_size(csr->weight_type));
    rows->offsets = fri_alloc(ctx, fri_bytes((int64_t)csr->n + 1, sizeof *rows->offsets));
    rows->targets = fri_alloc(ctx, targets);
    rows->weights = csr->weight_type ? fri_alloc(ctx, weights) : NULL;
    if (!rows->offsets || !rows->targets || (csr->weight_type && !rows->weights))
        return FR_NOMEM;
    FRI_GPU_TRY(copy_offsets(g, rows->offsets, csr));
    FRI_GPU_TRY(copy(g, rows->targets, csr->targets, targets));
    return copy(g, rows->weights, csr->weights, weights);
}

static void publish(fr_graph *graph, const host_rows *rows) {
    graph->own_offsets = rows->offsets;
    graph->own_targets = rows->targets;
    graph->own_weights = rows->weights;
    graph->csr.offsets = rows->offsets;
    graph->csr.targets = rows->targets;
    graph->csr.weights = rows->weights;
    /* release: threads that read 0 read csr */
    __atomic_store_n(&graph->unchecked, 0, __ATOMIC_RELEASE);
}

static fr_status fetch_locked(fr_ctx *ctx, fr_graph *graph, const fr_device_csr *csr) {
    fri_job job = {.ctx = ctx};
    fri_gpu g = {.job = &job};
    host_rows rows = {NULL, NULL, NULL};
    int current = 0;
    FRI_GPU_TRY(fri_gpu_check(&g, cudaGetDevice(&current), "reading the current device"));
    FRI_GPU_TRY(fri_gpu_check(&g, cudaSetDevice(graph->device), "selecting the device"));
    fr_status status = copy_rows(&g, csr, &rows);
    cudaSetDevice(current); /* the caller's */
    if (!status) {
        publish(graph, &rows);
        return FR_OK;
    }
    fri_free(rows.offsets);
    fri_free(rows.targets);
    fri_free(rows.weights);
    return status;
}

static fr_status fetch(fr_ctx *ctx, fr_graph *graph) {
    const fr_device_csr *csr = fri_resident_lock_borrowed(graph);
    /* another thread may have been first */
    const bool away = __atomic_load_n(&graph->unchecked, __ATOMIC_ACQUIRE);
    fr_status status = away ? fetch_locked(ctx, graph, csr) : FR_OK;
    fri_resident_unlock_borrowed(graph);
    return status;
}

/* ---- the graph --------------------------------------------------------------------------- */

static void keep_stats(fr_graph *graph, const fr_device_csr *csr, const fri_rows_report *found) {
    const double m = csr->m ? (double)csr->m : 1;
    graph->edge_degree = (double)found->squares / m;
    const fr_type type = csr->weight_type;
    const bool whole = type == FR_TYPE_I32 || type == FR_TYPE_I64 || !found->fractions;
    if (csr->m && type)
        fri_derived_set_weights(
            graph->derived, (fri_weight_stats){found->sum / m, fri_rows_weight(type, found->min),
                                               fri_rows_weight(type, found->max), whole});
}

fr_status fri_gpu_borrow_graph(fr_ctx *ctx, const fr_device_csr *csr, fr_graph *graph) {
    fri_rows_report found;
    const fri_job_input in = {.query = {.result_memory = FR_MEMORY_DEVICE, .stream = csr->stream}};
    fri_job job = {.ctx = ctx, .in = &in};
    fri_gpu g = {.job = &job};
    FRI_GPU_TRY(check(&g, csr, &found));
    FRI_GPU_TRY(fri_resident_borrow(ctx, graph, csr));
    keep_stats(graph, csr, &found);
    graph->fetch = fetch;
    return FR_OK;
}
