/* Replaces `multi-device` by `auto` on one GPU where several GPUs are not expected to be faster. */
#include "core/gpu_interface.h"
#include "cuda/bfs/multi_device/plan.h"
#include "cuda/sssp/multi_device/plan.h"

#include <stdio.h>

/* FR_NO_DEVICE if a GPU that the context names does not exist. */
static fr_status check_devices(fr_ctx *ctx) {
    fr_status status = FR_OK;
    for (int i = 0; i < ctx->device_count && !status; i++) {
        fr_device_info info = FR_INIT(fr_device_info);
        status = fri_gpu_describe_device(ctx, ctx->devices[i], &info);
    }
    return status;
}

extern const fri_strategy fri_gpu_bfs_auto, fri_gpu_sssp_auto;

fr_status fri_gpu_prefer_one(fri_job *job) {
    if (!(job->strategy->needs & FRI_SPANS_DEVICES))
        return FR_OK;
    FRI_GPU_TRY(check_devices(job->ctx));
    const fri_devices_input in = fri_devices_input_of(job);
    const bool bfs = job->problem == FR_PROBLEM_BFS;
    const double one = bfs ? fri_expected_ns_on_one(&in) : fri_sssp_expected_ns_on_one(&in);
    const double all = bfs ? fri_expected_ns_on_many(&in, in.devices)
                           : fri_sssp_expected_ns_on_many(&in, in.devices);
    if (fri_all_devices_pay(&in, one, all))
        return FR_OK;
    fri_job_give(job, bfs ? &fri_gpu_bfs_auto : &fri_gpu_sssp_auto);
    if (in.devices > 1)
        snprintf(job->told.note, sizeof job->told.note,
                 "on one of %d GPUs: about %.2f ms are expected there and %.2f ms on all of them, "
                 "which multi-device with the knob all=1 uses",
                 in.devices, one * 1e-6, all * 1e-6);
    else
        snprintf(job->told.note, sizeof job->told.note, "the context names one GPU");
    return FR_OK;
}
