/* Steps of appending to a queue in global memory through a stage in shared memory, so that one
 * atomic reserves the positions of many entries.
 *
 * What a stage is differs between strategies: BFS `auto` has one per warp, which is written out
 * when it is full (bfs/auto/queue_writer.cuh); SSSP `auto` has one per block, which keeps its
 * entries for the block's next hop, and what does not fit goes to the global queue
 * (sssp/auto/grid_rounds.cuh). */
#ifndef FRI_CUDA_PRIM_STAGED_APPEND_CUH
#define FRI_CUDA_PRIM_STAGED_APPEND_CUH

#include "cuda/prim/scan.cuh"

/* Whole warp: reserves `count` positions of a queue or stage with one atomic; returns the first. */
template <class N> static __device__ __forceinline__ N fri_reserve(N *tail, int count) {
    N base = 0;
    if (fri_lane() == 0) /* other warps append too */
        base = atomicAdd(tail, (N)count);
    return __shfl_sync(FRI_FULL_MASK, base, 0);
}

/* Whole warp: numbers the lanes' items with `yes` consecutively from *total on, which becomes their
 * end; returns the lane's. */
static __device__ __forceinline__ int fri_number_items(bool yes, int *total) {
    int count, before = fri_warp_count(yes, &count), position = *total + before;
    *total += count;
    return position;
}

#endif
