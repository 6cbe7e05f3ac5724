/* Device memory planning. Does not include CUDA headers, so that other folders can include it. */
#ifndef FRI_CUDA_DEVICE_MEMORY_PLAN_H
#define FRI_CUDA_DEVICE_MEMORY_PLAN_H

#ifdef __cplusplus
extern "C" {
#endif

#include "core/gpu_interface.h"

/* Bytes of device memory that the context may still allocate: the free memory, at most the rest of
 * its limit. */
fr_status fri_gpu_free_bytes(fr_ctx *ctx, size_t *bytes);

/* What the job may still allocate: copies of its graph that it will use are not free for it. */
fr_status fri_gpu_allocatable_bytes(const fri_job *job, size_t *bytes);

/* The name of the context's device, such as "NVIDIA H200", into out[size]. */
fr_status fri_gpu_name(fr_ctx *ctx, char *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
