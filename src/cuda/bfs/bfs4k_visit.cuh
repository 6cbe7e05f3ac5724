/* bfs4k's innermost step, the filter: is the far end of an edge new, and who keeps it (section 6).
 */
#ifndef FRI_BFS4K_VISIT_CUH
#define FRI_BFS4K_VISIT_CUH

#include "cuda/bfs/bfs4k_local.cuh"

namespace {

enum { BFS4K_AHEAD = 4 }; /* edges of a lane in flight at once */

/* Does hash64 leave v, which was just seen without a level, to this thread? Any thread. */
template <class O>
static __device__ __forceinline__ bool bfs4k_pass(const bfs4k_search<O> &s, int32_t v,
                                                  const fri_hash_table &table) {
    int verdict = fri_hash64(table, v);
    FRI_COUNT(s.csr, FR_COUNT_DUPLICATES_FOUND, verdict == FRI_HASH_DUPLICATE);
    FRI_COUNT(s.csr, FR_COUNT_CONFLICTS, verdict == FRI_HASH_CONFLICT);
    return verdict != FRI_HASH_DUPLICATE; /* whoever keeps a duplicate writes its level */
}

/* Gives v its level; its level before. Any thread. */
template <class O>
static __device__ __forceinline__ int32_t bfs4k_claim(const bfs4k_search<O> &s, int32_t depth,
                                                      int32_t v, const bfs4k_output &output) {
    if (output.exact) {
        FRI_COUNT(s.csr, FR_COUNT_ATOMICS, 1);
        return atomicCAS(&s.level[v], -1, depth + 1); /* of all who meet here one keeps v */
    }
    FRI_COUNT(s.csr, FR_COUNT_DUPLICATES_MISSED, atomicExch(&s.level[v], depth + 1) >= 0);
    fri_racy_store(&s.level[v], depth + 1); /* racy: all who get here write the same */
    return -1;
}

/* Far ends v[k] of u's edges and the levels seen there: finds get their level and u as parent and
 * go into the local queue. The waits for claims overlap. Any thread. */
template <class O>
static __device__ __forceinline__ void
bfs4k_expand_edge(const bfs4k_search<O> &s, int32_t depth, int32_t u,
                  const int32_t (&v)[BFS4K_AHEAD], const int32_t (&seen)[BFS4K_AHEAD],
                  const bfs4k_output &output, const fri_hash_table &table, bfs4k_local &found) {
    int32_t before[BFS4K_AHEAD]; /* -1: mine */
    for (int k = 0; k < BFS4K_AHEAD; k++)
        before[k] =
            seen[k] < 0 && bfs4k_pass(s, v[k], table) ? bfs4k_claim(s, depth, v[k], output) : 0;
    for (int k = 0; k < BFS4K_AHEAD; k++) {
        FRI_COUNT(s.csr, FR_COUNT_DUPLICATES_FOUND, before[k] == depth + 1);
        if (before[k] >= 0)
            continue;
        if (s.parent)
            fri_racy_store(&s.parent[v[k]], u); /* racy: each of them is a right parent */
        fri_prefetch(&s.csr.offsets[v[k]]);     /* wanted next level */
        found.v[found.count++] = v[k];
    }
}

} // namespace

#endif
