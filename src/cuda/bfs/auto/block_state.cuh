/* What the blocks of `auto`'s cluster, or of its crew, share: counters, claims, shares. */
#ifndef FRI_CUDA_BFS_AUTO_BLOCK_STATE_CUH
#define FRI_CUDA_BFS_AUTO_BLOCK_STATE_CUH

#include "cuda/bfs/auto/queue_writer.cuh"

static const int MAX_CLUSTER_BLOCKS = 16, HISTORY_BITS = 12;

namespace {
/* What a block adds to a frontier; one of these by turn, as the slots. */
struct alignas(16) block_counters {
    int32_t entries, vertices;
    uint32_t edges;
    int32_t overflowed; /* something found no room */
};

/* The blocks' posts in one. */
struct frontier_totals {
    block_counters total;
    int32_t imbalanced;      /* shares have become uneven; of a crew: */
    int32_t mean_share;      /* entries a block */
    int32_t keep_limit;      /* what a block has beyond so many entries others may take */
    int32_t next_keep_limit; /* the same of the next frontier, as far as known */
    int32_t balance_limit;   /* entries of the next one up to which shares count as even */
    int32_t unused[3];
};

/* Of what others have too much, position after position, block after block: what a block takes. */
struct share_plan {
    int32_t surplus_before[MAX_GRID_BLOCKS]; /* of each block, what those before it have over */
    int32_t base, count;
    uint32_t tag; /* of the level that this is of */
};

/* A block's part of cluster or crew. */
struct block_state {
    char *queue;      /* spans [2][room], or rows [2][room] and their ties [2][room]; by depth
                        modulo 2 */
    uint32_t *bitmap; /* [words / blocks]; NULL: claims as the grid does */
    block_counters *counters; /* [PHASES] */
    uint64_t
        *mailbox; /* [2][MAX_CLUSTER_BLOCKS][2] by depth modulo 2 and sender; of a crew [2][MET] */
    unsigned rank_mask; /* of a cluster, blocks - 1 */
    int log2_blocks;    /* log2 of blocks */
    unsigned rank;      /* in the cluster */
    share_plan *plan;   /* of a crew: what the block may take of others */
    int32_t *history;   /* of a crew: [1 << HISTORY_BITS] vertices by hash; or NULL */
};
/* Kinds of their own, so that a level has no code of another's, which would cost registers and
 * places in the instruction cache. ITEMS: edges of a span, or targets of rows, that a lane looks at
 * at once; with 3, two lanes are through with six edges in one turn. */
struct cluster : block_state {
    static const bool is_persistent = false, has_ell = false;
    enum { ITEMS = 2 };
};
struct cluster_ell : block_state {
    static const bool is_persistent = false, has_ell = true;
    enum { ITEMS = 1 };
};
struct persistent : block_state { /* the blocks are the whole chip's, here and below */
    static const bool is_persistent = true, has_ell = false;
    enum { ITEMS = 3 };
};
struct persistent_ell : block_state {
    static const bool is_persistent = true, has_ell = true;
    enum { ITEMS = 3 };
};

/* Of a row: its vertex, and where that was found from. */
struct alignas(8) vertex_parent {
    int32_t v, parent;
};

/* The same in memory, for other blocks; each half is marked with the level. */
struct alignas(16) shared_entry {
    uint64_t v, parent;
};

/* The rows in a block's shared memory, of one depth. */
struct ell_frontier {
    int32_t *targets; /* 1 << log2_ell_width of each */
    vertex_parent *entries;
};

/* Of a block's shared memory: two frontiers. */
static __host__ __device__ __forceinline__ size_t frontier_bytes(int32_t capacity,
                                                                 int32_t log2_ell_width) {
    return 2 * (size_t)capacity *
           (log2_ell_width ? (sizeof(int32_t) << log2_ell_width) + sizeof(vertex_parent)
                           : sizeof(edge_chunk));
}

/* A thread's finds of a level. */
struct found_counters {
    uint32_t vertices, edges;
};
} // namespace

/* As claim_begin and won; claim_bit: in a bitmap in any case. */
template <class O, class C>
static __device__ __forceinline__ uint32_t claim_bit(const bfs_params<O> &p, const C &b,
                                                     int32_t v) {
    const unsigned word = (unsigned)v / FRI_WARP;
    uint32_t *at = !C::is_persistent && b.bitmap
                       ? fri_cluster_at(&b.bitmap[word >> b.log2_blocks], word & b.rank_mask)
                       : &p.visited[word];
    return atomicOr(at, 1u << (v % FRI_WARP)); /* threads of any block may find v */
}
template <class O, class C>
static __device__ __forceinline__ uint32_t claim_begin(const bfs_params<O> &p, const C &b,
                                                       int32_t v, int32_t depth) {
    return b.bitmap ? claim_bit(p, b, v) : claim_begin(p, v, depth);
}
template <class O, class C>
static __device__ __forceinline__ bool claim_won(const bfs_params<O> &p, const C &b, int32_t v,
                                                 uint32_t answer, int32_t depth) {
    return b.bitmap ? bit_was_clear(v, answer) : claim_won(p, v, answer, depth);
}

/* Any thread: whether a thread of this block has lately tried to claim v, which so is visited; if
 * not, the caller must. Much of a level's edges lead back, or to what a neighbour finds. */
template <class C> static __device__ __forceinline__ bool history_cull(const C &b, int32_t v) {
    if (!C::is_persistent || !b.history)
        return false;
    /* of the block's threads that come with v, one gets another answer */
    return atomicExch(&b.history[(uint32_t)v * 0x9e3779b1u >> (32 - HISTORY_BITS)], v) == v;
}

template <class O>
static __device__ __forceinline__ void set_level(const bfs_params<O> &p, int32_t v, int32_t parent,
                                                 int32_t depth) {
    p.level[v] = depth;
    if (p.parent)
        p.parent[v] = parent;
}

template <class O, class C>
static __device__ __forceinline__ ell_frontier ell_frontier_of(const bfs_params<O> &p, const C &b,
                                                               int32_t depth) {
    const int32_t parity = depth & 1, capacity = p.capacity;
    int32_t *targets = (int32_t *)b.queue;
    return {targets + ((parity * capacity) << p.log2_ell_width),
            (vertex_parent *)(targets + ((2 * capacity) << p.log2_ell_width)) + parity * capacity};
}

/* Of a crew: entries that a block keeps for itself when shares are made even. */
static __device__ __forceinline__ int32_t keep_limit_of(int32_t mean_share) {
    return mean_share + mean_share / 16 + 8;
}

/* Entries of a block up to which shares count as even: with rows the more costs about as long as
 * help does, a deal costs more. */
template <class O, class C>
static __device__ __forceinline__ int32_t balance_limit_of(const bfs_params<O> &p, const C &b,
                                                           int32_t mean_share) {
    (void)b; /* its kind counts */
    return C::has_ell && p.features & FEATURE_STRICT_BALANCE
               ? mean_share + mean_share / 8 + (int32_t)blockDim.x / 8
               : 2 * mean_share + 2 * FRI_WARP;
}

template <class C> static __device__ __forceinline__ unsigned home_block(const C &b, int32_t v) {
    return ((uint32_t)v * 0x9e3779b1u >> 28) & b.rank_mask;
}

/* Any thread: a place in that block's next frontier. */
template <class C>
static __device__ __forceinline__ int32_t reserve_entry(const C &b, unsigned rank, int phase) {
    return atomicAdd(&fri_cluster_at(b.counters, rank)[phase].entries, 1); /* all append there */
}

/* Whole warp: its finds into the block's counters. */
template <class C>
static __device__ __forceinline__ void add_found(const C &b, int phase,
                                                 const found_counters &mine) {
    if (!__any_sync(FRI_FULL_MASK, mine.vertices))
        return;
    unsigned vertices = warp_total(mine.vertices), edges = warp_total(mine.edges);
    if (fri_lane() == 0) { /* the block's warps add */
        atomicAdd(&b.counters[phase].vertices, (int32_t)vertices);
        atomicAdd(&b.counters[phase].edges, edges);
    }
}

#endif
