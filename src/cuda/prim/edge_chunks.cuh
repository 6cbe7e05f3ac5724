/* Rows cut into chunks, which are queue entries of their own, so that no warp processes the row of
 * a hub alone. */
#ifndef FRI_CUDA_PRIM_EDGE_CHUNKS_CUH
#define FRI_CUDA_PRIM_EDGE_CHUNKS_CUH

#include "cuda/prim/device.cuh"
#include "cuda/prim/scan.cuh"

/* Edges [begin, begin + count) of v. Because it holds their position in the edge array, the warp
 * that expands them does not wait for offsets. */
struct alignas(16) fri_edge_chunk {
    int32_t v, count;
    int64_t begin;
};

/* Chunks of at most EDGES edges in a row of `degree` edges. */
template <int EDGES, class O> static __device__ __forceinline__ O fri_chunk_count(O degree) {
    return (degree + EDGES - 1) / EDGES;
}

/* The nth of them; the row of v is edges [begin, begin + degree). */
template <int EDGES, class O>
static __device__ __forceinline__ fri_edge_chunk fri_nth_chunk(int32_t v, O begin, O degree,
                                                               int nth) {
    const O skipped = (O)nth * EDGES;
    return {v, (int32_t)FRI_MIN((O)(degree - skipped), (O)EDGES), (int64_t)(begin + skipped)};
}

/* Whole warp: the last lane with before <= `at`. SEARCH_UNROLL: see fri_for_each_chunk(). */
template <int SEARCH_UNROLL = 5>
static __device__ __forceinline__ int fri_owner_lane(int before, int at) {
    int owner = 0;
    FRI_UNROLL_BY(SEARCH_UNROLL)
    for (int step = FRI_WARP / 2; step; step /= 2)
        if (__shfl_sync(FRI_FULL_MASK, before, owner + step) <= at)
            owner += step;
    return owner;
}

/* Whole warp: calls put(i, owner, chunk) for each chunk i of the lanes' rows. Each lane has one
 * row, edges [begin, begin + degree) of v; `before` is the number of chunks in the rows of lower
 * lanes, `total` the number in all rows. `owner` is the lane whose row the chunk belongs to. The
 * lanes take consecutive chunks, 32 at a time, whichever lane owns them. So that `put` may contain
 * warp-wide operations, all lanes call it together; lanes that have no chunk get i >= total and
 * must ignore `chunk`. SEARCH_UNROLL: how many of the five steps of the binary search for the owner
 * are unrolled: 5, but 1 in a kernel with many copies of this function, where it would be most of
 * the code. */
template <int EDGES, int SEARCH_UNROLL, class P>
static __device__ __forceinline__ void fri_for_each_chunk(int before, int total, int32_t v,
                                                          int64_t begin, int64_t degree, P put) {
    FRI_ROLLED
    for (int i0 = 0; i0 < total; i0 += FRI_WARP) {
        int i = i0 + fri_lane(), owner = fri_owner_lane<SEARCH_UNROLL>(before, i);
        int nth = i - __shfl_sync(FRI_FULL_MASK, before, owner);
        int32_t u = __shfl_sync(FRI_FULL_MASK, v, owner);
        int64_t start = __shfl_sync(FRI_FULL_MASK, begin, owner) + (int64_t)nth * EDGES;
        int64_t left = __shfl_sync(FRI_FULL_MASK, degree, owner) - (int64_t)nth * EDGES;
        put(i, owner, fri_edge_chunk{u, (int32_t)FRI_MIN(left, (int64_t)EDGES), start});
    }
}

#endif
