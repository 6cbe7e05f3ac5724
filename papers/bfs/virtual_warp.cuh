/* Load balancing by virtual warps: `width` consecutive lanes of a warp process one row together.
 *
 * Hong, Kim, Oguntebi, Olukotun: Accelerating CUDA graph algorithms at maximum warp, PPoPP 2011, as
 * BFS-4K (Busato, Bombieri, TPDS 2015, section 5.2) and H-BF (TPDS 2016, section 5.2, Fig. 6)
 * describe it. The lanes of one virtual warp take the same branches; two virtual warps of one warp
 * may diverge. Blocks are whole warps. */
#ifndef FRI_BFS_VIRTUAL_WARP_CUH
#define FRI_BFS_VIRTUAL_WARP_CUH

#include "cuda/prim/device.cuh"

struct fri_virtual_warp {
    int64_t index;  /* in the grid */
    int width;      /* 1, 2, 4, 8, 16 or 32 lanes */
    int lane, base; /* within it; its first lane within the warp */
    unsigned mask;  /* its lanes, for shuffles and votes */
};

/* Any thread; the same `width` in the whole grid. */
static __device__ __forceinline__ fri_virtual_warp fri_virtual_warp_of(int width) {
    fri_virtual_warp w;
    w.index = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) >> (__ffs(width) - 1);
    w.width = width;
    w.lane = fri_lane() & (width - 1);
    w.base = fri_lane() - w.lane;
    w.mask = (FRI_FULL_MASK >> (FRI_WARP - width)) << w.base;
    return w;
}

/* Called by all lanes of the virtual warp; bit i is the vote of lane i. */
static __device__ __forceinline__ unsigned fri_virtual_warp_ballot(const fri_virtual_warp &w,
                                                                   bool yes) {
    return (__ballot_sync(w.mask, yes) & w.mask) >> w.base;
}

/* Lane `from`'s value; called by all lanes of the virtual warp. */
template <class T>
static __device__ __forceinline__ T fri_virtual_warp_get(const fri_virtual_warp &w, T value,
                                                         int from) {
    return __shfl_sync(w.mask, value, w.base + from);
}

/* One lane's share of a row's edges [from, to): FRI_VIRTUAL_WARP_WALK(w, e, from, to) { ... e ...
 * }. The lanes take consecutive edges, so that reads coalesce; lanes may make different numbers of
 * steps. */
#define FRI_VIRTUAL_WARP_WALK(w, e, from, to)                                                      \
    for (int64_t e = (int64_t)(from) + (w).lane; e < (int64_t)(to); e += (w).width)

/* Blocks for one virtual warp per item. */
static inline unsigned fri_virtual_warp_blocks(int64_t items, int width, int block) {
    return fri_gpu_blocks(items, block / width);
}

/* A knob rounded down to a valid width. */
static inline int fri_virtual_warp_knob(const fri_gpu *g, int index) {
    int wanted = (int)g->job->knob[index], width = 1;
    while (2 * width <= wanted && width < FRI_WARP)
        width *= 2;
    return width;
}

#endif
