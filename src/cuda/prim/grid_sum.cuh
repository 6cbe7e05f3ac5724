/* A grid barrier that also sums a number over all blocks, split into arrival and wait.
 *
 * The inter-block barrier by a counter in global memory of S. Xiao, W. Feng: Inter-block GPU
 * communication via fast barrier synchronization (Virginia Tech TR-09-19; "GPU simple
 * synchronization"), which UIUC-BFS uses. Here the counter is the upper half of a word whose lower
 * half holds the sum, so that the sum needs no additional memory access; and blocks may work
 * between their arrival and the wait.
 *
 * For cooperative launches only: all blocks must be resident. The word is 0 before the first
 * arrival and may be zeroed again once every block has left the wait, which is guaranteed after the
 * next barrier (on another word).
 * Called by: papers/bfs/hier_queue. */
#ifndef FRI_CUDA_PRIM_GRID_SUM_CUH
#define FRI_CUDA_PRIM_GRID_SUM_CUH

#include "cuda/prim/dialect.cuh"

/* Called by all threads of every block. value: the block's contribution to the sum, from thread 0.
 */
static __device__ __forceinline__ void fri_grid_arrive(unsigned long long *word, uint32_t value) {
    __syncthreads(); /* all threads of the block have written */
    if (threadIdx.x == 0) {
        __threadfence(); /* the block's writes are visible before its arrival is */
        atomicAdd(word, 1ull << 32 | value);
    }
}

/* Called by all threads; all get the sum, and see what all blocks wrote before they arrived. */
static __device__ __forceinline__ uint32_t fri_grid_wait(const unsigned long long *word) {
    FRI_SHARED(uint32_t, sum, 1);
    if (threadIdx.x == 0) {
        unsigned long long now;
        do
            now = fri_racy_load(word); /* racy: others are arriving */
        while (now >> 32 != gridDim.x);
        __threadfence(); /* reads after the wait see all arrivals' writes */
        *sum = (uint32_t)now;
    }
    __syncthreads(); /* the sum is written */
    uint32_t mine = *sum;
    __syncthreads(); /* all have read it before the next wait */
    return mine;
}

#endif
