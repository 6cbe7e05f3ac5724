/* Graphs whose rows are in device memory: made from a caller's CSR there, and copied to the host when
 * something needs them. */
#include "base/sized.h"
#include "core/gpu_interface.h"
#include "core/strategy.h"

fr_status fri_job_fetch_rows(fri_job *job) {
    if (!job->csr_on_device_only)
        return FR_OK;
    fr_status status = fr_graph_check(job->ctx, job->in->graph);
    if (status)
        return status;
    const fr_csr *csr = fr_graph_csr(job->in->graph);
    job->csr.offsets = job->in_edges.offsets = csr->offsets;
    job->csr.targets = job->in_edges.targets = csr->targets;
    if (job->csr.weights) /* NULL: the solver counts edges, whatever they weigh */
        job->csr.weights = job->in_edges.weights = csr->weights;
    job->csr_on_device_only = false;
    return FR_OK;
}

#ifndef FRI_CUDA
fr_status fri_gpu_borrow_graph(fr_ctx *ctx, const fr_device_csr *csr, fr_graph *graph) {
    (void)csr, (void)graph;
    return fri_fail(ctx, FR_NO_DEVICE, FRI_GPU_NOT_BUILT);
}
#endif

static bool is_weight_type(fr_type type) {
    return type == FR_TYPE_NONE || type == FR_TYPE_I32 || type == FR_TYPE_I64 ||
           type == FR_TYPE_F32 || type == FR_TYPE_F64;
}

static fr_status check_shape(fr_ctx *ctx, const fr_device_csr *csr) {
    if (csr->n < 0 || csr->m < 0 || !csr->offsets || (csr->m && !csr->targets) ||
        (csr->m && !csr->weights != !csr->weight_type))
        return fri_fail(ctx, FR_INVALID,
                        "a CSR needs n, m, offsets, targets, and a weight_type exactly when it has "
                        "weights");
    if (!is_weight_type(csr->weight_type))
        return fri_fail(ctx, FR_INVALID, "weight_type must be int32, int64, float32 or float64");
    if (csr->offset_type != FR_TYPE_I32 && csr->offset_type != FR_TYPE_I64)
        return fri_fail(ctx, FR_INVALID, "offset_type must be int32 or int64");
    return FR_OK;
}

fr_status fr_graph_from_device_csr(fr_ctx *ctx, const fr_device_csr *csr, fr_graph **out) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    fr_device_csr own;
    if (!out)
        return fri_null_output(ctx);
    *out = NULL;
    fr_status status = FRI_SIZED_READ(ctx, fr_device_csr, csr, &own);
    if (status)
        return status;
    own.offset_type = own.offset_type ? own.offset_type : FR_TYPE_I64;
    status = check_shape(ctx, &own);
    fr_graph *graph = status ? NULL : fri_graph_new(ctx, "device csr");
    if (!graph)
        return status ? status : FR_NOMEM;
    graph->csr = (fr_csr){.n = own.n,
                          .m = own.m,
                          .weights = own.weight_type ? graph : NULL, /* see fri_graph_rows */
                          .weight_type = own.weight_type,
                          .symmetric = own.symmetric};
    graph->undirected = own.symmetric;
    graph->device = ctx->device;
    graph->unchecked = 1;
    status = fri_gpu_borrow_graph(ctx, &own, graph);
    if (status)
        fr_graph_free(graph);
    else
        *out = graph;
    return status;
}
