/* Offsets of the other width, made from a copy on the device: BFS uses 32 bits where they suffice,
 * SSSP and APSP always 64. */
#include "cuda/graph/resident.h"
#include "cuda/prim/device.cuh"

static const int BLOCK = 256;

template <class From, class To>
static __global__ void convert_kernel(const From *from, To *to, int64_t count) {
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        to[i] = (To)from[i];
}

extern "C" void fri_gpu_convert_offsets(fri_gpu *g, const void *from, void *to, bool widen,
                                        int64_t count) {
    const unsigned blocks = fri_gpu_blocks(count, BLOCK);
    if (widen)
        FRI_RUN((convert_kernel<uint32_t, int64_t>), blocks, BLOCK, (const uint32_t *)from,
                (int64_t *)to, count);
    else
        FRI_RUN((convert_kernel<int64_t, uint32_t>), blocks, BLOCK, (const int64_t *)from,
                (uint32_t *)to, count);
}
