/* What the kernels of ranks share: passes over bitmaps by whole warps, the grids for them. */
#ifndef FRI_CUDA_RANKS_PART_CUH
#define FRI_CUDA_RANKS_PART_CUH

#include "cuda/prim/device.cuh"
#include "cuda/prim/edge_chunks.cuh"
#include "cuda/ranks/part.h"

static_assert(sizeof(fri_edge_chunk) == FRI_PART_CHUNK_BYTES, "the queue's entries");

static __device__ __forceinline__ int64_t threads_of_grid() {
    return (int64_t)gridDim.x * blockDim.x;
}
static __device__ __forceinline__ int64_t warp_of_grid() { return fri_thread_of_grid() / FRI_WARP; }
static __device__ __forceinline__ int64_t warps_of_grid() { return threads_of_grid() / FRI_WARP; }

/* Whole grid: calls body(index, word) by whole warps for each word_of(index) that is not 0. A warp
 * reads `step` consecutive words at once, a lane each. */
template <class W, class B>
static __device__ __forceinline__ void for_each_word(int64_t words, int step, W word_of, B body) {
    for (int64_t base = warp_of_grid() * step; base < words; base += warps_of_grid() * step) {
        const int64_t mine = base + fri_lane();
        const uint32_t word = fri_lane() < step && mine < words ? word_of(mine) : 0;
        for (unsigned left = __ballot_sync(FRI_FULL_MASK, word != 0); left; left &= left - 1) {
            const int owner = __ffs((int)left) - 1;
            body(base + owner, __shfl_sync(FRI_FULL_MASK, word, owner));
        }
    }
}

/* Whole warp, a row per lane, edges [begin, begin + degree) of v: appends the chunks of rows longer than
 * FRI_PART_CHUNK to `queue`; returns the number of edges that the lane's own row has left, 0 if it was cut. */
template <class O>
static __device__ __forceinline__ int
queue_long_rows(fri_edge_chunk *queue, unsigned long long *tail, int32_t v, O begin, O degree) {
    const bool is_long = degree > FRI_PART_CHUNK;
    if (__any_sync(FRI_FULL_MASK, is_long)) {
        int total;
        const int pieces = is_long ? (int)fri_chunk_count<FRI_PART_CHUNK>(degree) : 0;
        const int before = fri_warp_prefix(pieces, &total);
        unsigned long long at = 0;
        if (fri_lane() == 0) /* reserves the warp's places */
            at = atomicAdd(tail, (unsigned long long)total);
        at = __shfl_sync(FRI_FULL_MASK, at, 0);
        fri_for_each_chunk<FRI_PART_CHUNK, 1>(before, total, v, (int64_t)begin,
                                              is_long ? (int64_t)degree : 0,
                                              [&](int i, int, fri_edge_chunk chunk) {
                                                  if (i < total)
                                                      queue[at + (unsigned)i] = chunk;
                                              });
    }
    return is_long ? 0 : (int)degree;
}

/* ---- launches ---------------------------------------------------------------------------------- */

static inline unsigned blocks_for(const fri_gpu_part *p, int64_t threads) {
    return FRI_MIN(fri_gpu_blocks(threads, FRI_PART_BLOCK), p->blocks);
}

/* The number of items that a warp reads at once, smaller where there are few, so that all warps have
 * some. */
static inline int32_t step_for(const fri_gpu_part *p, int64_t items) {
    const int64_t warps = (int64_t)p->blocks * (FRI_PART_BLOCK / FRI_WARP);
    int32_t step = 1;
    while (step < FRI_WARP && warps * step < items)
        step *= 2;
    return step;
}

static inline unsigned blocks_of_items(const fri_gpu_part *p, int32_t step, int64_t items) {
    return blocks_for(p, (items + step - 1) / step * FRI_WARP);
}

#endif
