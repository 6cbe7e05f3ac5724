/* Per-block state of the small kernel, in a cluster or in persistent blocks: counters, claims,
 * shares. */
#ifndef FRI_CUDA_BFS_AUTO_BLOCK_STATE_CUH
#define FRI_CUDA_BFS_AUTO_BLOCK_STATE_CUH

#include "cuda/bfs/auto/queue_writer.cuh"

static const int MAX_CLUSTER_BLOCKS = 16, HISTORY_BITS = 12;

namespace {
/* What a block adds to a frontier; indexed by phase, as level_counters. */
struct alignas(16) block_counters {
    int32_t entries, vertices;
    uint32_t edges;
    int32_t overflowed; /* an entry was dropped */
};

/* Totals over the blocks' counters. */
struct frontier_totals {
    block_counters total;
    int32_t imbalanced;      /* the next four only for persistent blocks */
    int32_t mean_share;      /* mean entries per block */
    int32_t keep_limit;      /* others may take a block's entries from this position on */
    int32_t next_keep_limit; /* the same for the next frontier, as far as known */
    int32_t balance_limit;   /* entries of the next frontier up to which a block is balanced */
    int32_t unused[3];
};

/* The part of all blocks' surplus entries that this block takes. Positions number the surplus block
 * by block. */
struct share_plan {
    /* per block: surplus entries of the blocks before it */
    int32_t surplus_before[MAX_GRID_BLOCKS];
    int32_t base, count;
    uint32_t tag; /* of the level that the plan is for */
};

/* State of one block of the cluster or of the persistent blocks. */
struct block_state {
    /* edge chunks [2][block_capacity], or ELL rows [2][block_capacity] and their vertex_parent
     * [2][block_capacity]; by depth modulo 2 */
    char *queue;
    uint32_t *bitmap;         /* [words / blocks]; NULL: claims as on the grid */
    block_counters *counters; /* [FRI_PHASES] */
    /* [2][MAX_CLUSTER_BLOCKS][2] by depth modulo 2, sender; persistent: [2][ARRIVAL_WORDS] */
    uint64_t *mailbox;
    unsigned rank_mask; /* cluster: number of blocks - 1 */
    int log2_blocks;    /* log2 of the number of blocks */
    unsigned rank;      /* rank in the cluster */
    share_plan *plan;   /* persistent: surplus entries of others that this block takes */
    int32_t *history;   /* persistent: [1 << HISTORY_BITS] vertices by hash; or NULL */
};
/* One type per variant, so that a kernel contains no code of the others, which would cost registers
 * and instruction cache. ITEMS: edges of a chunk, or targets of ELL rows, that a lane scans at
 * once; with 3, two lanes scan six edges in one iteration. */
struct cluster : block_state {
    static const bool is_persistent = false, has_ell = false;
    enum { ITEMS = 2 };
};
struct cluster_ell : block_state {
    static const bool is_persistent = false, has_ell = true;
    enum { ITEMS = 1 };
};
struct persistent : block_state { /* a cooperative grid, here and below */
    static const bool is_persistent = true, has_ell = false;
    enum { ITEMS = 3 };
};
struct persistent_ell : block_state {
    static const bool is_persistent = true, has_ell = true;
    enum { ITEMS = 3 };
};

/* An ELL entry: a vertex and the vertex it was found from. */
struct alignas(8) vertex_parent {
    int32_t v, parent;
};

/* The same in global memory, readable by other blocks; the high half of each word is the level's
 * tag. */
struct alignas(16) shared_entry {
    uint64_t v, parent;
};

/* The frontier of one depth as ELL rows in a block's shared memory. */
struct ell_frontier {
    int32_t *targets; /* 1 << log2_ell_width targets per entry */
    vertex_parent *entries;
};

/* Shared memory of a block's two frontiers. */
static __host__ __device__ __forceinline__ size_t frontier_bytes(int32_t block_capacity,
                                                                 int32_t log2_ell_width) {
    return 2 * (size_t)block_capacity *
           (log2_ell_width ? (sizeof(int32_t) << log2_ell_width) + sizeof(vertex_parent)
                           : sizeof(edge_chunk));
}

/* A thread's counters of the vertices it finds in a level. */
struct found_counters {
    uint32_t vertices, edges;
};
} // namespace

/* As claim_begin() and claim_won() of params.cuh; claim_bit() claims in a bitmap in all cases. */
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

/* Any thread: whether a thread of this block has recently tried to claim v, so that v is visited;
 * if not, the caller must claim it. Many of a level's edges lead back, or to a vertex that a
 * neighbor finds. */
template <class C> static __device__ __forceinline__ bool history_cull(const C &b, int32_t v) {
    if (!C::is_persistent || !b.history)
        return false;
    /* of the block's threads that test v at the same time, exactly one gets another answer */
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
    const int32_t parity = depth & 1, capacity = p.block_capacity;
    int32_t *targets = (int32_t *)b.queue;
    return {targets + ((parity * capacity) << p.log2_ell_width),
            (vertex_parent *)(targets + ((2 * capacity) << p.log2_ell_width)) + parity * capacity};
}

/* Persistent blocks: entries that a block keeps for itself when shares are rebalanced. */
static __device__ __forceinline__ int32_t keep_limit_of(int32_t mean_share) {
    return mean_share + mean_share / 16 + 8;
}

/* Entries of a block up to which it counts as balanced. With ELL rows the excess costs about as
 * much as work sharing does; rebalancing chunks costs more. */
template <class O, class C>
static __device__ __forceinline__ int32_t balance_limit_of(const bfs_params<O> &p, const C &b,
                                                           int32_t mean_share) {
    (void)b; /* only its type is used */
    return C::has_ell && p.features & FEATURE_STRICT_BALANCE
               ? mean_share + mean_share / 8 + (int32_t)blockDim.x / 8
               : 2 * mean_share + 2 * FRI_WARP;
}

template <class C> static __device__ __forceinline__ unsigned home_block(const C &b, int32_t v) {
    return ((uint32_t)v * 0x9e3779b1u >> 28) & b.rank_mask;
}

/* Any thread: reserves a position in the next frontier of block `rank`. */
template <class C>
static __device__ __forceinline__ int32_t reserve_entry(const C &b, unsigned rank, int phase) {
    /* threads of all blocks append */
    return atomicAdd(&fri_cluster_at(b.counters, rank)[phase].entries, 1);
}

/* Whole warp: adds its found vertices to the block's counters. */
template <class C>
static __device__ __forceinline__ void add_found(const C &b, int phase,
                                                 const found_counters &mine) {
    if (!__any_sync(FRI_FULL_MASK, mine.vertices))
        return;
    unsigned vertices = fri_warp_total(mine.vertices), edges = fri_warp_total(mine.edges);
    if (fri_lane() == 0) { /* the block's warps add */
        atomicAdd(&b.counters[phase].vertices, (int32_t)vertices);
        atomicAdd(&b.counters[phase].edges, edges);
    }
}

#endif
