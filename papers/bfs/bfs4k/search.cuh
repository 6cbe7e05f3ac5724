/* What every kernel of bfs4k receives, and the source and destination of its frontier. */
#ifndef FRI_CUDA_BFS_BFS4K_SEARCH_CUH
#define FRI_CUDA_BFS_BFS4K_SEARCH_CUH

#include "papers/bfs/bfs4k/plan.h"
#include "cuda/prim/device.cuh"
#include "cuda/prim/hash64.cuh"

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
