/* bfs4k's innermost step, the filter: is the far end of an edge new, and who keeps it (section 6).
 */
#ifndef FRI_BFS4K_VISIT_CUH
#define FRI_BFS4K_VISIT_CUH

#include "cuda/bfs/bfs4k_local.cuh"

namespace {

/* Gives v, which was just seen without a level, its level and parent; true when this thread puts it
 * into the next frontier. Any thread. */
template <class O>
static __device__ __forceinline__ bool bfs4k_keep(const bfs4k_search<O> &s, int32_t depth,
                                                  int32_t u, int32_t v, const bfs4k_sink &sink,
                                                  const fri_hash_table &table) {
    int verdict = fri_hash64(table, v);
    FRI_COUNT(s.rows, FR_COUNT_DUPLICATES_FOUND, verdict == FRI_HASH_DUPLICATE);
    FRI_COUNT(s.rows, FR_COUNT_CONFLICTS, verdict == FRI_HASH_CONFLICT);
    if (verdict == FRI_HASH_DUPLICATE) /* whoever is left keeps it and writes its level */
        return false;
    if (sink.exact) {
        FRI_COUNT(s.rows, FR_COUNT_ATOMICS, 1);
        if (atomicCAS(&s.level[v], -1, depth + 1) != -1) { /* of all who meet here one keeps v */
            FRI_COUNT(s.rows, FR_COUNT_DUPLICATES_FOUND, 1);
            return false;
        }
    } else {
        FRI_COUNT(s.rows, FR_COUNT_DUPLICATES_MISSED, atomicExch(&s.level[v], depth + 1) >= 0);
        fri_racy_store(&s.level[v], depth + 1); /* racy: all who get here write the same */
    }
    if (s.parent)
        fri_racy_store(&s.parent[v], u); /* racy: each of them is a right parent */
    fri_prefetch(&s.rows.offsets[v]);    /* wanted next level */
    return true;
}

/* The same for an edge's far end, whose level was read; a find goes into the local queue. */
template <class O>
static __device__ __forceinline__ void
bfs4k_look(const bfs4k_search<O> &s, int32_t depth, int32_t u, int32_t v, int32_t seen,
           const bfs4k_sink &sink, const fri_hash_table &table, bfs4k_local &found) {
    if (seen < 0 && bfs4k_keep(s, depth, u, v, sink, table))
        found.v[found.count++] = v;
}

} // namespace

#endif
