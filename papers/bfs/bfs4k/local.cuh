/* bfs4k's local queues: found vertices are kept per thread, then written to the next frontier by
 * prefix sums (section 5.1) with coalescing induced among the lanes (section 5.6, Fig. 9). */
#ifndef FRI_CUDA_BFS_BFS4K_LOCAL_CUH
#define FRI_CUDA_BFS_BFS4K_LOCAL_CUH

#include "papers/bfs/bfs4k/search.cuh"
#include "cuda/prim/scan.cuh"

namespace {

enum { BFS4K_LOCAL = 16 }; /* found vertices of a thread; above the paper's K7 = 10 */

struct bfs4k_local {
    int32_t v[BFS4K_LOCAL];
    int count;
};

/* The minimum over the warp's lanes, in logarithmic time. All lanes. */
static __device__ __forceinline__ int bfs4k_warp_min(int value) {
    for (int d = FRI_WARP / 2; d; d /= 2) {
        int other = __shfl_xor_sync(FRI_FULL_MASK, value, d);
        value = other < value ? other : value;
    }
    return value;
}

/* Writes the warp's found vertices to [base, base + total); `before` of them belong to lower lanes.
 * If the queues are long enough the lanes first write one vertex each to adjacent positions, as
 * often as the shortest queue allows. All lanes. */
static __device__ __forceinline__ void bfs4k_write(const fri_bfs4k_plan &plan, bfs4k_local &found,
                                                   const bfs4k_output &output, int32_t base,
                                                   int before, int total) {
    int even = 0;
    if (plan.coalesce_from && total >= plan.coalesce_from * FRI_WARP) {
        even = bfs4k_warp_min(found.count);
        for (int k = 0; k < even; k++)
            bfs4k_store(output, base + k * FRI_WARP + fri_lane(), found.v[k]);
        base += even * FRI_WARP;
        before -= even * fri_lane();
    }
    for (int k = even; k < found.count; k++)
        bfs4k_store(output, base + before + k - even, found.v[k]);
    found.count = 0;
}

/* Reserves `total` entries of the next frontier. One thread. */
template <class O>
static __device__ __forceinline__ int32_t bfs4k_reserve(const bfs4k_search<O> &s,
                                                        const bfs4k_output &output, int total) {
    FRI_COUNT(s.csr, FR_COUNTER_ATOMICS, 1);
    FRI_COUNT(s.csr, FR_COUNTER_ENQUEUES, total);
    /* the tail of a full queue is not increased further, so that it cannot wrap; racy: one more
     * round of additions is harmless */
    int32_t full = output.block_queue_capacity > output.queue_capacity ? output.block_queue_capacity
                                                                       : output.queue_capacity;
    if (!output.exact && fri_racy_load(output.tail) > full)
        return full;
    return atomicAdd(output.tail, total); /* all warps append to one frontier */
}

/* Uses one atomic per found vertex instead of prefix sums. */
template <class O>
static __device__ __forceinline__ void bfs4k_append(const bfs4k_search<O> &s, bfs4k_local &found,
                                                    const bfs4k_output &output) {
    for (int k = 0; k < found.count; k++)
        bfs4k_store(output, bfs4k_reserve(s, output, 1), found.v[k]);
    found.count = 0;
}

/* Flushes the local queues of a warp: a sum over its lanes, by ballots if no lane has more than one
 * vertex, and one atomic. All lanes. */
template <class O>
static __device__ __forceinline__ void bfs4k_flush(const bfs4k_search<O> &s, bfs4k_local &found,
                                                   const bfs4k_output &output) {
    if (s.plan.scan == 0) {
        bfs4k_append(s, found, output);
        return;
    }
    int total, before, base = 0;
    if (s.plan.scan > 1 && !__any_sync(FRI_FULL_MASK, found.count > 1))
        before = fri_warp_prefix_count(found.count == 1, &total);
    else
        before = fri_warp_prefix(found.count, &total);
    if (total == 0)
        return;
    if (fri_lane() == 0)
        base = bfs4k_reserve(s, output, total);
    bfs4k_write(s.plan, found, output, __shfl_sync(FRI_FULL_MASK, base, 0), before, total);
}

/* The same for a block with one atomic in global memory. All threads of the block; may be called
 * repeatedly. */
template <class O>
static __device__ __forceinline__ void
bfs4k_flush_block(const bfs4k_search<O> &s, bfs4k_local &found, const bfs4k_output &output) {
    FRI_SHARED(int32_t, gathered, 2);
    int total, before, base = 0;
    if (s.plan.scan == 0) {
        bfs4k_append(s, found, output);
        return;
    }
    if (threadIdx.x == 0)
        gathered[0] = 0;
    if (s.plan.scan > 1 && !__any_sync(FRI_FULL_MASK, found.count > 1))
        before = fri_warp_prefix_count(found.count == 1, &total);
    else
        before = fri_warp_prefix(found.count, &total);
    __syncthreads(); /* the sum is cleared */
    if (fri_lane() == 0 && total)
        base = atomicAdd(&gathered[0], total); /* warps add in shared memory */
    __syncthreads();                           /* all warps are in the sum */
    if (threadIdx.x == 0 && gathered[0])
        gathered[1] = bfs4k_reserve(s, output, gathered[0]);
    __syncthreads(); /* the block's position is known */
    if (total)
        bfs4k_write(s.plan, found, output, gathered[1] + __shfl_sync(FRI_FULL_MASK, base, 0),
                    before, total);
}

} // namespace

#endif
