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

/* The block's counts of the vertices that a source finds in a level, where fri_many.tally is not NULL. */
template <int W> static __device__ __forceinline__ unsigned *fri_many_counted() {
    FRI_SHARED(unsigned, counted, W * 64);
    return counted;
}

/* Counts the vertices of each level for each source. A warp transposes the bits of 32 sources and its 32
 * vertices, so that a lane counts those of a source. */
struct fri_many_tally {
    template <int W>
    __device__ __forceinline__ void take(const fri_bits *own, int32_t, bool gains, fri_bits any,
                                         int32_t) const {
        FRI_ROLLED
        for (int half = 0; half < 2 * W; half++) {
            const int shift = half % 2 * 32;
            if (!(uint32_t)(__shfl_sync(FRI_FULL_MASK, any, half / 2) >> shift))
                continue;
            uint32_t bits = gains ? (uint32_t)(own[half / 2] >> shift) : 0, mask = 0xffff;
            FRI_UNROLL
            for (int step = FRI_WARP / 2; step; step /= 2, mask ^= mask << step) {
                const uint32_t other = __shfl_xor_sync(FRI_FULL_MASK, bits, step);
                bits = fri_lane() & step ? (bits & ~mask) | (other >> step & mask)
                                         : (bits & mask) | (other & mask) << step;
            }
            if (bits) /* other warps add */
                atomicAdd(&fri_many_counted<W>()[half * 32 + fri_lane()], (unsigned)__popc(bits));
        }
    }
};

/* All threads of the block, at the end of a level and before a barrier of the grid. */
template <int W>
static __device__ __forceinline__ void fri_many_tally_add(unsigned *tally, int32_t depth) {
    unsigned *counted = fri_many_counted<W>(), *to = tally + depth % FRI_PHASES * W * 64;
    for (int i = (int)threadIdx.x; i < W * 64; i += (int)blockDim.x) {
        if (counted[i])
            atomicAdd(&to[i], counted[i]); /* other blocks add */
        counted[i] = 0;
    }
}

/* All threads of a block: adds level `depth` to the sums of the sources, of which each has a thread, so that
 * they are the same bits on every run and on the CPU. */
template <int W, class O>
static __device__ __forceinline__ void fri_many_tally_end(const fri_many<O> &p, int32_t depth) {
    for (int i = (int)threadIdx.x; i < p.count; i += (int)blockDim.x) {
        const unsigned found = fri_volatile_load(&p.tally[depth % FRI_PHASES * W * 64 + i]);
        p.tally[(depth + 2) % FRI_PHASES * W * 64 + i] = 0; /* read a level ago, added to in two */
        p.reached[i] += found;
        p.far[i] += (double)found * depth;
        p.near[i] += depth ? (double)found / depth : 0;
    }
}

#endif
