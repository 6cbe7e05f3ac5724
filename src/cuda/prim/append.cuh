/* Appending to a queue in global memory: a prefix sum over the block, one atomicAdd per block.
 *
 * The enqueue of Merrill, Garland, Grimshaw (PPoPP 2012), as BFS-4K (section 5.1) tells it too.
 */
#ifndef FRI_APPEND_CUH
#define FRI_APPEND_CUH

#include "cuda/prim/count.cuh"
#include "cuda/prim/scan.cuh"

/* Where one call of the block appends: this thread at `at`, the block up to `end` (the same in all
 * threads). */
struct fri_place {
    unsigned long long at, end;
};

/* Called by all threads of the block; those that say yes get a place of their own. Whether the
 * queue has that place is the caller's to see. May be called again at once. `counted`: as in
 * FRI_COUNT. */
template <class C>
static __device__ __forceinline__ fri_place fri_block_place(const C &counted, bool yes,
                                                            unsigned long long *tail) {
    FRI_SHARED(unsigned long long, base, 1);
    int total, before = fri_block_sum(yes, &total);
    if (total == 0)
        return {0, 0};
    if (threadIdx.x == 0) {
        FRI_COUNT(counted, FR_COUNT_ATOMICS, 1);
        *base = atomicAdd(tail, (unsigned long long)total); /* the block's share of the queue */
    }
    __syncthreads(); /* its start is known; the next call's sum keeps it until all have read */
    return {*base + (unsigned long long)before, *base + (unsigned long long)total};
}

#endif
