/* Positions for the items that the lanes of a warp append: one atomic serves all lanes.
 *
 * Strategies that collect entries in shared memory before they write them to a queue use both
 * functions, for positions in shared memory and in the queue: BFS `auto` collects per warp
 * (bfs/auto/queue_writer.cuh), SSSP `auto` per block (sssp/auto/grid_rounds.cuh). */
#ifndef FRI_CUDA_PRIM_RESERVE_CUH
#define FRI_CUDA_PRIM_RESERVE_CUH

#include "cuda/prim/scan.cuh"

/* Whole warp: reserves `count` positions from *tail on with one atomic; returns the first. */
template <class N> static __device__ __forceinline__ N fri_reserve(N *tail, int count) {
    N base = 0;
    if (fri_lane() == 0) /* other warps append too */
        base = atomicAdd(tail, (N)count);
    return __shfl_sync(FRI_FULL_MASK, base, 0);
}

/* Whole warp: assigns consecutive positions, beginning at *total, to the lanes with `yes`; returns
 * the lane's position and adds the number of positions to *total. Call it once per item of a
 * lane. */
static __device__ __forceinline__ int fri_assign_positions(bool yes, int *total) {
    int count, before = fri_warp_prefix_count(yes, &count), position = *total + before;
    *total += count;
    return position;
}

#endif
