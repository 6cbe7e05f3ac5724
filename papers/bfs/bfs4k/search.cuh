/* What every kernel of bfs4k receives, and the source and destination of its frontier. */
#ifndef FRI_CUDA_BFS_BFS4K_SEARCH_CUH
#define FRI_CUDA_BFS_BFS4K_SEARCH_CUH

#include "papers/bfs/bfs4k/plan.h"
#include "cuda/prim/device.cuh"

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
 * more conflicts. */

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

/* Control words of the traversal. Three of each kind are used cyclically by depth modulo 3: while
 * level d is expanded, [d] is read, [d + 1] is added to and [d + 2] is set to zero. */
enum {
    BFS4K_TAIL = 0,  /* sizes of frontiers */
    BFS4K_DEPTH = 3, /* levels expanded, the sources' level as 0 */
    /* two words each: hubs deferred while the previous level was expanded, see below */
    BFS4K_HUBS = 4,
    BFS4K_CONTROL_WORDS = 10
};

namespace {

/* Hubs in the upper 24 bits, the units of their edges in the lower 40. */
enum { BFS4K_UNIT_BITS = 40 };

template <class O> struct bfs4k_search {
    fri_csr_view<O> csr;
    int32_t n;
    int32_t *level, *parent; /* parent may be NULL */
    int32_t *queue[2];       /* [plan.capacity], by parity of the level */
    int32_t *hubs, *units;   /* [BFS4K_MAX_HUBS] deferred vertices; units of those before each */
    int32_t *control;
    fri_bfs4k_plan plan;
};

/* The frontier being expanded: vertices listed `at`, or, if a queue did not hold them all, every
 * vertex of the level, found by a sweep over the level array. */
struct bfs4k_frontier {
    const int32_t *at; /* NULL: sweep */
    int64_t items;     /* of the list, or n */
    int32_t size;      /* vertices, duplicates included */
};

/* Destination of found vertices: position p of the next frontier is block_queue[p] (shared memory),
 * or queue[p] beyond block_queue_capacity; beyond queue_capacity it is dropped, and the tail then
 * indicates that a sweep is due. */
struct bfs4k_output {
    int32_t *block_queue, *queue;
    int32_t block_queue_capacity, queue_capacity;
    int32_t *tail;
    bool exact; /* claims are atomic: no vertex occurs twice */
};

template <class O>
static __device__ __forceinline__ bfs4k_frontier bfs4k_queued(const bfs4k_search<O> &s,
                                                              int32_t depth, int32_t size) {
    if (size > s.plan.capacity)
        return {nullptr, s.n, size};
    return {s.queue[depth & 1], size, size};
}

/* The i-th vertex of the frontier, -1 if the sweep is at another level's vertex. */
template <class O>
static __device__ __forceinline__ int32_t bfs4k_vertex(const bfs4k_search<O> &s, int32_t depth,
                                                       const bfs4k_frontier &f, int64_t i) {
    if (i >= f.items)
        return -1;
    if (f.at)
        return f.at[i];
    /* racy: others may be setting it to depth + 1, never to depth */
    return fri_racy_load(&s.level[i]) == depth ? (int32_t)i : -1;
}

template <class O>
static __device__ __forceinline__ unsigned long long *bfs4k_hub_word(const bfs4k_search<O> &s,
                                                                     int32_t depth) {
    return (unsigned long long *)&s.control[BFS4K_HUBS + 2 * (depth % 3)];
}

static __device__ __forceinline__ void bfs4k_store(const bfs4k_output &output, int32_t at,
                                                   int32_t v) {
    if (at < output.block_queue_capacity)
        output.block_queue[at] = v;
    else if (at < output.queue_capacity)
        output.queue[at] = v;
}

/* One thread of the grid, once per level: clears the words of the level after next. */
template <class O>
static __device__ __forceinline__ void bfs4k_clear_counters(const bfs4k_search<O> &s,
                                                            int32_t depth) {
    s.control[BFS4K_TAIL + (depth + 2) % 3] = 0;
    *bfs4k_hub_word(s, depth + 2) = 0;
}

} // namespace

#endif
