/* Finds duplicates by a table in shared memory: hash64 of BFS-4K (Busato, Bombieri, TPDS 2015,
 * section 6, Fig. 11).
 *
 * A thread writes (vertex, thread) as one 64-bit word to the vertex's hash slot and reads the word
 * back: its own word or another vertex (a conflict) means keep, the same vertex of another thread
 * means that this one is a duplicate. Of all threads with the same vertex at least one keeps it:
 * the last to write reads its own word or a conflict. Words of earlier uses cannot be misread,
 * since each thread writes before it reads. The paper relies on lock-step warps; the result is the
 * same without them.
 *
 * Between threads of different warps the paper's two accesses miss a duplicate that is written
 * after the other thread has read. With `exchange` they are one atomic exchange of the vertex
 * alone, on twice as many slots of half the size: then the first thread keeps the vertex, and only
 * conflicts hide duplicates. A vertex must not be tested again once it has been kept and its level
 * written.
 *
 * With `by_warp` every warp has its own part of the table, as in Merrill, Garland, Grimshaw (PPoPP
 * 2012), with which the paper compares: duplicates of different warps are not found, and there are
 * more conflicts.
 * Called by: papers/bfs/bfs4k. */
#ifndef FRI_CUDA_PRIM_HASH64_CUH
#define FRI_CUDA_PRIM_HASH64_CUH

#include "cuda/prim/dialect.cuh"

struct fri_hash_table {
    uint64_t *words; /* [2^bits] in shared memory */
    int bits;        /* 0: no table, nothing is a duplicate */
    bool exchange, by_warp;
};

/* Any thread: the word for v. */
static __device__ __forceinline__ uint64_t *fri_hash_word(const fri_hash_table &table, int32_t v) {
    int warps = ((int)blockDim.x + FRI_WARP - 1) / FRI_WARP;
    int shared = table.by_warp && warps > 1 ? 32 - __clz(warps - 1) : 0; /* bits of the warp */
    shared = shared < table.bits ? shared : 0;
    int bits = table.bits - shared;
    uint32_t first = shared ? threadIdx.x / FRI_WARP << bits : 0;
    return &table.words[first + ((uint32_t)v * 0x9e3779b1u >> (32 - bits))];
}

/* Before the first use; all threads of the block; a barrier must follow. */
static __device__ __forceinline__ void fri_hash_clear(const fri_hash_table &table) {
    if (table.bits && table.exchange)
        for (int i = (int)threadIdx.x; i < 1 << table.bits; i += (int)blockDim.x)
            table.words[i] = UINT64_MAX;
}

enum { FRI_HASH_KEEP, FRI_HASH_CONFLICT, FRI_HASH_DUPLICATE };

/* Any thread of the block that owns the table. */
static __device__ __forceinline__ int fri_hash64(const fri_hash_table &table, int32_t v) {
    if (table.bits == 0)
        return FRI_HASH_KEEP;
    if (table.exchange) {
        int32_t *place = (int32_t *)table.words + ((uint32_t)v * 0x9e3779b1u >> (31 - table.bits));
        /* atomic: a thread that finds v there is not the first */
        int32_t old = atomicExch(place, v);
        return old == v ? FRI_HASH_DUPLICATE : old < 0 ? FRI_HASH_KEEP : FRI_HASH_CONFLICT;
    }
    uint64_t *at = fri_hash_word(table, v);
    uint64_t mine = (uint64_t)(uint32_t)v << 32 | threadIdx.x;
    fri_racy_store(at, mine); /* racy: the word that remains decides, see above */
    uint64_t now = fri_racy_load(at);
    if (now == mine)
        return FRI_HASH_KEEP;
    return now >> 32 == mine >> 32 ? FRI_HASH_DUPLICATE : FRI_HASH_CONFLICT;
}

#endif
