/* Appends to a queue in global memory: a prefix sum over a warp or block, one atomicAdd for all.
 *
 * The enqueue of Merrill, Garland, Grimshaw (PPoPP 2012); BFS-4K (section 5.1) describes it as
 * well. */
#ifndef FRI_CUDA_PRIM_APPEND_CUH
#define FRI_CUDA_PRIM_APPEND_CUH

#include "cuda/prim/device.cuh"
#include "cuda/prim/scan.cuh"

/* Called by all 32 lanes, each with its share (entries, or a packed sum) of what the warp appends;
 * returns the lane's first position. Warp-aggregated: one atomicAdd, none if all shares are 0. The
 * caller checks the queue's capacity. `counted`: as in FRI_COUNT. */
template <class T, class C>
static __device__ __forceinline__ T fri_warp_place(const C &counted, fri_nondeduced<T> share,
                                                   T *tail) {
    T total, before = fri_warp_prefix(share, &total), at = 0;
    if (fri_lane() == 0 && total) {
        FRI_COUNT(counted, FR_COUNTER_ATOMICS, 1);
        at = atomicAdd(tail, total); /* reserves the warp's share of the queue */
    }
    return __shfl_sync(FRI_FULL_MASK, at, 0) + before;
}

/* Where one call of the block appends: this thread at `at`, the block up to `end` (the same in all
 * threads). */
struct fri_place {
    unsigned long long at, end;
};

/* Called by all threads of the block; those with `yes` get one position each. The caller checks the
 * queue's capacity. May be called again at once. `counted`: as in FRI_COUNT. */
template <class C>
static __device__ __forceinline__ fri_place fri_block_place(const C &counted, bool yes,
                                                            unsigned long long *tail) {
    FRI_SHARED(unsigned long long, base, 1);
    int total, before = fri_block_prefix(yes, &total);
    if (total == 0)
        return {0, 0};
    if (threadIdx.x == 0) {
        FRI_COUNT(counted, FR_COUNTER_ATOMICS, 1);
        /* reserves the block's share of the queue */
        *base = atomicAdd(tail, (unsigned long long)total);
    }
    /* its start is written; the barriers of the next call's sum keep it until all have read */
    __syncthreads();
    return {*base + (unsigned long long)before, *base + (unsigned long long)total};
}

/* ---- positions ----
 *
 * Strategies that collect entries in shared memory before they write them to a queue use both
 * functions, for positions in shared memory and in the queue: BFS `auto` collects per warp
 * (bfs/auto/queue_writer.cuh), SSSP `auto` per block (sssp/auto/grid_rounds.cuh). */

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
