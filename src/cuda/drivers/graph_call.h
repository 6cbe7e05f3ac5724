/* A call that runs once on a graph's device copy, without a solver: components and centrality. Its
 * fri_strategy is in no table; scratch, needs and name have their meaning of core/strategy.h. */
#ifndef FRI_CUDA_DRIVERS_GRAPH_CALL_H
#define FRI_CUDA_DRIVERS_GRAPH_CALL_H

#include "cuda/device/gpu.h"

FRI_C_BEGIN

typedef struct fri_gpu_call {
    fri_job job; /* job.in is `in` */
    fri_job_input in;
    fri_derived_use derived;
    fr_csr transposed; /* in-edges that the graph does not share */
} fri_gpu_call;

/* Defines the descriptor of a call: its name, problem, bits of `needs`, and scratch. */
#define FRI_GPU_CALL_STRATEGY(variable, title, of_problem, bits, device_scratch)                   \
    static const fri_gpu_strategy variable##_device = {.scratch = (device_scratch),                \
                                                       .scratch_only = true};                      \
    static const fri_strategy variable = {.name = (title),                                         \
                                          .problem = (of_problem),                                 \
                                          .backend = FR_BACKEND_CUDA,                              \
                                          .needs = (bits),                                         \
                                          .gpu = &variable##_device,                               \
                                          .device_bytes = fri_gpu_bytes,                           \
                                          .prepare = fri_gpu_prepare,                              \
                                          .release = fri_gpu_release}

/* Sets what needs no device. job.knob may be changed until fri_gpu_call_open. `call` must not move. */
void fri_gpu_call_bind(fri_gpu_call *call, fr_ctx *ctx, const fr_graph *graph,
                       const fri_strategy *strategy);
/* Whether the call's memory fits and leaves at least `left` times as many bytes free. */
fr_status fri_gpu_call_fits(fri_gpu_call *call, double left, bool *fits);
/* Allocates, uploads what is not on the device, zeroes the control words. Call fri_gpu_call_close
 * also after a failure. */
fr_status fri_gpu_call_open(fri_gpu_call *call, fri_gpu **out);
void fri_gpu_call_close(fri_gpu_call *call);

FRI_C_END

#ifdef __cplusplus
/* Opens a call that is planned, runs and closes it. */
template <class F> fr_status fri_gpu_call_run(fri_gpu_call *call, fr_status planned, F run) {
    fri_gpu *g;
    fr_status status = planned ? planned : fri_gpu_call_open(call, &g);
    if (!status)
        status = run(g);
    fri_gpu_call_close(call);
    return status;
}
#endif
#endif
