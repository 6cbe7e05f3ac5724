/* What the blocks of `auto`'s cluster, or of its crew, share: counters, claims, shares. */
#ifndef FRI_AUTO_CELL_CUH
#define FRI_AUTO_CELL_CUH

#include "cuda/bfs/auto_queue.cuh"

static const int MOST_CELLS = 16, TRIED_BITS = 12;

namespace {
/* What a block adds to a frontier; one of these by turn, as the slots. */
struct alignas(16) post {
    int32_t entries, vertices;
    uint32_t edges;
    int32_t over; /* something found no room */
};

/* The blocks' posts in one. */
struct sums {
    post all;
    int32_t spread; /* shares have become uneven; of a crew: */
    int32_t fair;   /* entries a block */
    int32_t keep;   /* what a block has beyond so many entries others may take */
    int32_t next;   /* the same of the next frontier, as far as known */
    int32_t even;   /* entries of the next one up to which shares count as even */
    int32_t unused[3];
};

/* Of what others have too much, position after position, block after block: what a block takes. */
struct board {
    int32_t before[MOST_CREW]; /* of each block, what those before it have over */
    int32_t base, count;
    uint32_t mark; /* of the level that this is of */
};

/* A block's part of cluster or crew. */
struct cell {
    char *queue;     /* spans [2][room], or rows [2][room] and their ties [2][room]; by depth
                        modulo 2 */
    uint32_t *map;   /* [words / blocks]; NULL: claims as the grid does */
    post *counts;    /* [SLOTS] */
    uint64_t *inbox; /* [2][MOST_CELLS][2] by depth modulo 2 and sender; of a crew [2][MET] */
    unsigned mask;   /* of a cluster, blocks - 1 */
    int shift;       /* log2 of blocks */
    unsigned rank;   /* in the cluster */
    board *help;     /* of a crew: what the block may take of others */
    int32_t *tried;  /* of a crew: [1 << TRIED_BITS] vertices by hash; or NULL */
};
/* Kinds of their own, so that a level has no code of another's, which would cost registers and
 * places in the instruction cache. LOOKS: edges of a span, or targets of rows, that a lane looks at
 * at once; with 3, two lanes are through with six edges in one turn. */
struct cluster : cell {
    static const bool is_crew = false, has_rows = false;
    enum { LOOKS = 2 };
};
struct row_cluster : cell {
    static const bool is_crew = false, has_rows = true;
    enum { LOOKS = 1 };
};
struct crew : cell { /* the blocks are the whole chip's, here and below */
    static const bool is_crew = true, has_rows = false;
    enum { LOOKS = 3 };
};
struct row_crew : cell {
    static const bool is_crew = true, has_rows = true;
    enum { LOOKS = 3 };
};

/* Of a row: its vertex, and where that was found from. */
struct alignas(8) tie {
    int32_t v, from;
};

/* The same in memory, for other blocks; each half is marked with the level. */
struct alignas(16) parcel {
    uint64_t v, from;
};

/* The rows in a block's shared memory, of one depth. */
struct rack {
    int32_t *targets; /* 1 << row_bits of each */
    tie *who;
};

/* Of a block's shared memory: two frontiers. */
static __host__ __device__ __forceinline__ size_t near_bytes(int32_t room, int32_t row_bits) {
    return 2 * (size_t)room *
           (row_bits ? (sizeof(int32_t) << row_bits) + sizeof(tie) : sizeof(span));
}

/* A thread's finds of a level. */
struct catches {
    uint32_t vertices, edges;
};
} // namespace

/* As try_for and won; try_bit: in a bitmap in any case. */
template <class O, class C>
static __device__ __forceinline__ uint32_t try_bit(const world<O> &w, const C &d, int32_t v) {
    const unsigned word = (unsigned)v / FRI_WARP;
    uint32_t *at = !C::is_crew && d.map ? fri_cluster_at(&d.map[word >> d.shift], word & d.mask)
                                        : &w.visited[word];
    return atomicOr(at, 1u << (v % FRI_WARP)); /* threads of any block may find v */
}
template <class O, class C>
static __device__ __forceinline__ uint32_t try_near(const world<O> &w, const C &d, int32_t v,
                                                    int32_t depth) {
    return d.map ? try_bit(w, d, v) : try_for(w, v, depth);
}
template <class O, class C>
static __device__ __forceinline__ bool won_near(const world<O> &w, const C &d, int32_t v,
                                                uint32_t answer, int32_t depth) {
    return d.map ? is_first(v, answer) : won(w, v, answer, depth);
}

/* Any thread: whether a thread of this block has lately tried to claim v, which so is visited; if
 * not, the caller must. Much of a level's edges lead back, or to what a neighbour finds. */
template <class C> static __device__ __forceinline__ bool tried(const C &d, int32_t v) {
    if (!C::is_crew || !d.tried)
        return false;
    /* of the block's threads that come with v, one gets another answer */
    return atomicExch(&d.tried[(uint32_t)v * 0x9e3779b1u >> (32 - TRIED_BITS)], v) == v;
}

template <class O>
static __device__ __forceinline__ void note(const world<O> &w, int32_t v, int32_t parent,
                                            int32_t depth) {
    w.level[v] = depth;
    if (w.parent)
        w.parent[v] = parent;
}

template <class O, class C>
static __device__ __forceinline__ rack rack_of(const world<O> &w, const C &d, int32_t depth) {
    const int32_t one = depth & 1, room = w.room;
    int32_t *targets = (int32_t *)d.queue;
    return {targets + ((one * room) << w.row_bits),
            (tie *)(targets + ((2 * room) << w.row_bits)) + one * room};
}

/* Of a crew: entries that a block keeps for itself when shares are made even. */
static __device__ __forceinline__ int32_t kept_of(int32_t fair) { return fair + fair / 16 + 8; }

/* Entries of a block up to which shares count as even: with rows the more costs about as long as
 * help does, a deal costs more. */
template <class O, class C>
static __device__ __forceinline__ int32_t even_of(const world<O> &w, const C &d, int32_t fair) {
    (void)d; /* its kind counts */
    return C::has_rows && w.parts & PART_TURNS ? fair + fair / 8 + (int32_t)blockDim.x / 8
                                               : 2 * fair + 2 * FRI_WARP;
}

template <class C> static __device__ __forceinline__ unsigned home_of(const C &d, int32_t v) {
    return ((uint32_t)v * 0x9e3779b1u >> 28) & d.mask;
}

/* Any thread: a place in that block's next frontier. */
template <class C>
static __device__ __forceinline__ int32_t reserve_near(const C &d, unsigned rank, int turn) {
    return atomicAdd(&fri_cluster_at(d.counts, rank)[turn].entries, 1); /* all append there */
}

/* Whole warp: its finds into the block's counters. */
template <class C>
static __device__ __forceinline__ void add_catches(const C &d, int turn, const catches &mine) {
    if (!__any_sync(FRI_FULL, mine.vertices))
        return;
    unsigned vertices = warp_total(mine.vertices), edges = warp_total(mine.edges);
    if (fri_lane() == 0) { /* the block's warps add */
        atomicAdd(&d.counts[turn].vertices, (int32_t)vertices);
        atomicAdd(&d.counts[turn].edges, edges);
    }
}

#endif
