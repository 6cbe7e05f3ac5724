/* What fits on the GPU. Needs nothing of CUDA's headers, so that the engine can ask. */
#ifndef FRI_CUDA_DEVICE_MEMORY_PLAN_H
#define FRI_CUDA_DEVICE_MEMORY_PLAN_H

#ifdef __cplusplus
extern "C" {
#endif

#include "run/strategy.h"

/* Bytes of device memory that the context may still take: its limit's, or what is free. */
fr_status fri_gpu_free_bytes(fr_ctx *ctx, size_t *bytes);

/* Whether this GPU row's in-edges are made on the device. Then job->in is nobody's. */
bool fri_gpu_makes_in_edges(const fri_job *job, const fri_strategy *row);

/* "NVIDIA H200": the context's device. */
fr_status fri_gpu_name(fr_ctx *ctx, char *out, size_t free_bytes);

/* `auto` on the GPU where its memory does not fit: *row becomes the next of a list that does, in
 * the end the CPU's auto, and job->note says so. Any other row stays as it is. FR_NO_DEVICE
 * where there is no GPU. */
fr_status fri_gpu_fallback(fri_job *job, const fri_strategy **row);

#ifdef __cplusplus
}
#endif
#endif
