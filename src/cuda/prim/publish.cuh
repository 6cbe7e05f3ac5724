/* Publishes words to the host: a block copies them into page-locked memory and then sets a number that
 * the host polls. This is faster than a transfer, which waits for the larger transfers of other
 * streams. */
#ifndef FRI_CUDA_PRIM_PUBLISH_CUH
#define FRI_CUDA_PRIM_PUBLISH_CUH

#include "cuda/prim/dialect.cuh"

/* Every thread of the block, after its writes to host memory: the barrier orders them before the fence
 * of one thread, which orders them before the number. */
static __device__ __forceinline__ void fri_publish(uint64_t *number, uint64_t value) {
    __syncthreads(); /* all threads have written, before the fence */
    if (threadIdx.x == 0) {
        __threadfence_system();
        fri_volatile_store(number, value);
    }
}

/* Every thread of the block. */
static __device__ __forceinline__ void fri_publish_words(const int32_t *from, int32_t *to, int count,
                                                         uint64_t *number, uint64_t value) {
    for (int i = (int)threadIdx.x; i < count; i += (int)blockDim.x)
        to[i] = from[i];
    fri_publish(number, value);
}

#endif
