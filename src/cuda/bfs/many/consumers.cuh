/* What is done with the new bits of vertices. A consumer has
 *   take<W>(own, v, gains, any, depth)   called by whole warps: this lane has vertex v, or -1; own[0 .. W - 1]
 *     are its new bits, in shared memory, if `gains`; lane w < W has in `any` the or of word w over the lanes;
 * and for searches of a block each (blocks.cuh)
 *   found(i, v, depth)   called by any thread once for each vertex that source i reaches;
 *   ADDS                 whether a source needs sums over its levels, of edges backward: then
 *   load(v), store(v, sums) get and set those of source v, by one thread. */
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

/* Over the levels of a search: vertices, distances, reciprocals of those above 0. */
struct fri_level_sums {
    double reached, far, near;
    __device__ __forceinline__ void add(unsigned found, int32_t depth) {
        reached += found;
        far += (double)found * depth;
        near += (double)found / depth;
    }
};

/* Rows of levels. Threads hold the words of a vertex, but rows have vertices side by side: for each source
 * the warp writes the values of its 32 vertices together. */
struct fri_many_rows {
    void *dist; /* [count][n], of int32 or int64; NULL: none */
    bool wide;
    int32_t n;
    static const bool ADDS = false;
    __device__ __forceinline__ void found(int64_t i, int32_t v, int32_t depth) const {
        if (dist)
            fri_many_put(dist, wide, i * n + v, depth);
    }
    __device__ __forceinline__ fri_level_sums load(int32_t) const { return {}; }
    __device__ __forceinline__ void store(int32_t, const fri_level_sums &) const {}
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
    double *reached, *far, *near; /* [n] */
    static const bool ADDS = true;
    __device__ __forceinline__ void found(int64_t, int32_t, int32_t) const {}
    __device__ __forceinline__ fri_level_sums load(int32_t v) const {
        return {reached[v], far[v], near[v]};
    }
    __device__ __forceinline__ void store(int32_t v, const fri_level_sums &sums) const {
        reached[v] = sums.reached;
        far[v] = sums.far;
        near[v] = sums.near;
    }
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
