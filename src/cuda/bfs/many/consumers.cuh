/* What is done with the new bits of vertices. A consumer has
 *   take<W>(own, v, gains, any, depth)   called by whole warps: this lane has vertex v, or -1; own[0 .. W - 1]
 *     are its new bits, in shared memory, if `gains`; lane w < W has in `any` the or of word w over the lanes. */
#ifndef FRI_CUDA_BFS_MANY_CONSUMERS_CUH
#define FRI_CUDA_BFS_MANY_CONSUMERS_CUH

#include "cuda/bfs/many/state.cuh"

static __device__ __forceinline__ void fri_many_put(void *dist, bool wide, int64_t at,
                                                    int32_t level) {
    if (wide)
        ((int64_t *)dist)[at] = level;
    else
        ((int32_t *)dist)[at] = level;
}

/* Rows of levels. Threads hold the words of a vertex, but rows have vertices side by side: for each source
 * the warp writes the values of its 32 vertices together. */
struct fri_many_rows {
    void *dist; /* [count][n], of int32 or int64; NULL: none */
    bool wide;
    int32_t n;
    /* A block's search from source i (blocks.cuh) finds v, in any thread. */
    __device__ __forceinline__ void found(int64_t i, int32_t v, int32_t depth) const {
        if (dist)
            fri_many_put(dist, wide, i * n + v, depth);
    }
    template <int W>
    __device__ __forceinline__ void take(const fri_bits *own, int32_t v, bool gains, fri_bits any,
                                         int32_t depth) const {
        FRI_ROLLED
        for (int w = 0; w < W && dist; w++) {
            const fri_bits bits = gains ? own[w] : 0;
            for (fri_bits left = __shfl_sync(FRI_FULL_MASK, any, w); left; left &= left - 1) {
                const int bit = __ffsll((long long)left) - 1;
                if (bits >> bit & 1)
                    fri_many_put(dist, wide, ((int64_t)w * 64 + bit) * n + v, depth);
            }
        }
    }
};

/* Sums over the sources that reach a vertex. A vertex has one warp at a time, and levels ascend, so that
 * the sums are the same bits on every run. */
struct fri_many_sums {
    double *reached, *far, *near; /* [n]: number, distances, reciprocals of those above 0 */
    template <int W>
    __device__ __forceinline__ void take(const fri_bits *own, int32_t v, bool gains, fri_bits,
                                         int32_t depth) const {
        int bits = 0;
        if (!gains)
            return;
        FRI_UNROLL_BY(4)
        for (int w = 0; w < W; w++)
            bits += __popcll(own[w]);
        reached[v] += bits;
        far[v] += (double)bits * depth;
        if (depth)
            near[v] += (double)bits / depth;
    }
};

#endif
