/* What fits on the GPU. Needs nothing of CUDA's headers, so that the engine can ask. */
#ifndef FRI_CUDA_DEVICE_MEMORY_PLAN_H
#define FRI_CUDA_DEVICE_MEMORY_PLAN_H

#ifdef __cplusplus
extern "C" {
#endif

#include "core/gpu_seam.h"

/* Bytes of device memory that the context may still take: its limit's, or what is free. */
fr_status fri_gpu_free_bytes(fr_ctx *ctx, size_t *bytes);

/* "NVIDIA H200": the context's device. */
fr_status fri_gpu_name(fr_ctx *ctx, char *out, size_t free_bytes);

#ifdef __cplusplus
}
#endif
#endif
