/* Load balancing by binary search: the lanes of a warp are assigned edges of its vertices instead
 * of vertices.
 *
 * Edge-discover of BFS-4K (Busato, Bombieri, TPDS 2015, section 5.4, Fig. 6): a shuffle scan of the
 * degrees numbers the edges, each lane finds the owner of its edge by a binary search with shuffles
 * and fetches the owner's first edge by one more. Extended (EXT): once the last lane is in a row
 * that fills whole windows of 32, these are processed without searching.
 * Called by: papers/bfs/bfs4k. */
#ifndef FRI_CUDA_PRIM_EDGE_DISCOVER_CUH
#define FRI_CUDA_PRIM_EDGE_DISCOVER_CUH

#include "cuda/prim/scan.cuh"

/* The largest lane whose `before` is at most `at`: the lane whose row owns position `at` of the
 * concatenated rows. All 32 lanes; `before` ascends from 0. */
static __device__ __forceinline__ int fri_warp_owner(int before, int at) {
    int owner = 0;
    for (int step = FRI_WARP / 2; step; step /= 2) {
        int there = __shfl_sync(FRI_FULL_MASK, before, owner + step);
        if (there <= at)
            owner += step;
    }
    return owner;
}

/* Called by all 32 lanes, each with a row of edges [first, first + count) of `vertex` (count 0:
 * none). Calls visit(there, vertex, edge) in all lanes at once, so that visit may use warp-wide
 * collectives; `there` is false in lanes without an edge. */
template <class Visit>
static __device__ __forceinline__ void
fri_edge_discover(int32_t vertex, int64_t first, int64_t count, bool extended, Visit visit) {
    const int64_t step_edges =
        1 << 25; /* edges of one row per step: the sum of 32 of them is below 2^31 */
    while (__any_sync(FRI_FULL_MASK, count > 0)) {
        int mine = (int)(count < step_edges ? count : step_edges), total;
        int before = fri_warp_prefix(mine, &total);
        for (int from = 0; from < total; from += FRI_WARP) {
            int at = from + fri_lane(), owner = fri_warp_owner(before, at);
            int64_t row = __shfl_sync(FRI_FULL_MASK, first - before, owner);
            visit(at < total, __shfl_sync(FRI_FULL_MASK, vertex, owner), row + at);
            if (!extended)
                continue;
            int last = __shfl_sync(FRI_FULL_MASK, owner, FRI_WARP - 1);
            int end = __shfl_sync(FRI_FULL_MASK, before + mine, last);
            int32_t u = __shfl_sync(FRI_FULL_MASK, vertex, last);
            row = __shfl_sync(FRI_FULL_MASK, row, FRI_WARP - 1);
            for (; from + 2 * FRI_WARP <= end; from += FRI_WARP) /* whole windows of that row */
                visit(true, u, row + from + FRI_WARP + fri_lane());
        }
        first += mine;
        count -= mine;
    }
}

#endif
