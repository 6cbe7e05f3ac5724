#include "cuda/drivers/apsp.h"
#include "cuda/prim/device.cuh"

template <class T>
static __global__ void gather_kernel(const T *dist, const int32_t *targets, int64_t count, T *to) {
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        to[i] = dist[targets[i]];
}

void fri_gpu_gather(fri_gpu *g, const int32_t *targets, int64_t count, void *to) {
    if (fr_type_size(g->job->in->dist_type) == sizeof(int32_t))
        FRI_RUN_EACH(gather_kernel<int32_t>, count, 256, (const int32_t *)g->sssp.values, targets,
                     count, (int32_t *)to);
    else
        FRI_RUN_EACH(gather_kernel<int64_t>, count, 256, (const int64_t *)g->sssp.values, targets,
                     count, (int64_t *)to);
}
