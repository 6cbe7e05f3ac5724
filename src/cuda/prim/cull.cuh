/* Local duplicate culling: small tables in shared memory that catch most, but not all, duplicates.
 *
 * Merrill, Garland, Grimshaw, "Scalable GPU Graph Traversal" (PPoPP 2012): warp culling and history
 * culling. Duplicates that pass cause redundant but correct work; a culled vertex is always kept by
 * another thread of the same block in the same launch.
 * Called by: papers/bfs/expand_contract.cu. */
#ifndef FRI_CUDA_PRIM_CULL_CUH
#define FRI_CUDA_PRIM_CULL_CUH

#include "cuda/prim/count.cuh"

/* Called by all lanes of the warp, with the warp's own table of `entries` words; v < 0: none. Of the
 * lanes with the same v one keeps it and the others get -1; lanes whose entry was taken by another
 * vertex all keep theirs. `counted`: as in FRI_COUNT. */
template <class C>
static __device__ __forceinline__ int32_t fri_warp_cull(const C &counted, int32_t v, int32_t *table,
                                                        int entries) {
    int32_t *entry = &table[v < 0 ? 0 : v % entries];
    if (v >= 0)
        fri_racy_store(entry, v); /* racy: any of the vertices may remain */
    __syncwarp();                 /* all vertices are written */
    bool kept = v >= 0 && fri_racy_load(entry) == v;
    __syncwarp(); /* all have read the entry before lanes replace it */
    FRI_COUNT(counted, FR_COUNTER_CONFLICTS, v >= 0 && !kept);
    if (kept)
        fri_racy_store(entry, fri_lane()); /* racy: the lane that remains keeps v */
    __syncwarp();                          /* all lanes are written */
    bool duplicate = kept && fri_racy_load(entry) != fri_lane();
    __syncwarp(); /* all have read the entry before the next call */
    FRI_COUNT(counted, FR_COUNTER_DUPLICATES_FOUND, duplicate);
    return duplicate ? -1 : v;
}

/* Called by any thread; `seen` has `entries` words, -1 at first. -1 when a thread of the block
 * recently kept the same v. Racy: two threads that test at the same time both keep it. */
template <class C>
static __device__ __forceinline__ int32_t fri_history_cull(const C &counted, int32_t v,
                                                           int32_t *seen, int entries) {
    if (v < 0)
        return -1;
    if (fri_racy_load(&seen[v % entries]) == v) {
        FRI_COUNT(counted, FR_COUNTER_DUPLICATES_FOUND, 1);
        return -1;
    }
    fri_racy_store(&seen[v % entries], v);
    return v;
}

#endif
