#include "cuda/drivers/graph_call.h"

#include "core/query/in_edges.h"
#include "cuda/device/memory_plan.h"

void fri_gpu_call_bind(fri_gpu_call *call, fr_ctx *ctx, const fr_graph *graph,
                       const fri_strategy *strategy) {
    *call = (fri_gpu_call){.derived = fri_derived_open(ctx, graph->derived)};
    fri_job *job = &call->job;
    job->ctx = ctx;
    job->in = &call->in;
    call->in.problem = strategy->problem;
    call->in.graph = graph;
    call->in.ids = graph->ids;
    call->in.dist_type = FR_TYPE_I32;
    call->in.threads = ctx->threads;
    job->csr = graph->csr;
    job->csr.weights = NULL;
    job->csr.weight_type = FR_TYPE_NONE;
    job->in_edges = job->csr;
    job->derived = &call->derived;
    job->weight_mean = job->weight_min = job->weight_max = 1;
    job->strategy = strategy;
}

static bool wants_in_edges(const fri_job *job) {
    return (job->strategy->needs & FRI_NEEDS_IN_EDGES) && !job->csr.symmetric;
}

fr_status fri_gpu_call_fits(fri_gpu_call *call, double left, bool *fits) {
    size_t free_bytes, bytes = fri_gpu_bytes(&call->job);
    *fits = false;
    FRI_GPU_TRY(fri_gpu_allocatable_bytes(&call->job, &free_bytes));
    *fits = (1 + left) * (double)bytes <= (double)free_bytes;
    return FR_OK;
}

fr_status fri_gpu_call_open(fri_gpu_call *call, fri_gpu **out) {
    fri_job *job = &call->job;
    job->makes_in_edges = fri_gpu_makes_in_edges(job);
    if (wants_in_edges(job) && !job->makes_in_edges)
        FRI_GPU_TRY(fri_in_edges_take(job, &call->derived, &call->transposed));
    FRI_GPU_TRY(fri_gpu_prepare(job));
    *out = job->device;
    return fri_gpu_clear_control(*out);
}

void fri_gpu_call_close(fri_gpu_call *call) {
    fri_gpu_release(&call->job);
    fri_derived_close(&call->derived);
    fri_csr_free(&call->transposed);
}
