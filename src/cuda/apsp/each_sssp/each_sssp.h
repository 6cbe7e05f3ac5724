/* The kernel of all pairs by a query of SSSP per row. */
#ifndef FRI_CUDA_APSP_EACH_SSSP_H
#define FRI_CUDA_APSP_EACH_SSSP_H

#include "cuda/device/gpu.h"

FRI_C_BEGIN

/* to[i] = the distance of targets[i] in the last query, i < count; all in device memory, `to` of the job's type. */
void fri_gpu_gather(fri_gpu *g, const int32_t *targets, int64_t count, void *to);

FRI_C_END
#endif
