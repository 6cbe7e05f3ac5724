/* What the blocks of `auto`'s cluster share: counters, claims, and the barrier between levels.
 *
 * The barrier: when a block's threads are through with a level, one warp of it writes the block's
 * counters, marked with the level, into every block's inbox, and waits for the others' in its own.
 * So the counters come with the barrier and no thread waits until its writes to memory have
 * arrived, as cluster-scope release would: nobody reads them in this launch. A claim has been
 * answered before its block posts, and what a block keeps is read by itself alone. Only where finds
 * went to other blocks the hardware's barrier stands before the posts.
 */
#ifndef FRI_AUTO_CELL_CUH
#define FRI_AUTO_CELL_CUH

#include "cuda/bfs/auto_queue.cuh"

static const int MOST_CELLS = 16, TRIED_BITS = 12, ROW = 4; /* targets */

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
    int32_t spread, unused[3]; /* spread: shares have become uneven */
};

/* A block's part of cluster or crew. */
struct cell {
    char *queue;     /* spans [2][room], or rows [2][room] and their vertices [2][room]; by depth
                        modulo 2 */
    uint32_t *map;   /* [words / blocks]; NULL: claims as the grid does */
    post *counts;    /* [SLOTS] */
    uint64_t *inbox; /* [2][MOST_CELLS][2] by depth modulo 2 and sender */
    unsigned mask;   /* of a cluster, blocks - 1 */
    int shift;       /* log2 of blocks */
    unsigned rank;   /* in the cluster */
    int32_t *tried;  /* of a crew: [1 << TRIED_BITS] vertices by hash; or NULL */
};
/* Kinds of their own, so that a cluster's level has no code of a crew's. LOOKS: edges of a span
 * that a lane looks at at once; with 3, two lanes are through with six edges in one turn. */
struct cluster : cell {
    static const bool is_crew = false;
    enum { LOOKS = 2 };
};
struct crew : cell { /* the blocks are the whole chip's */
    static const bool is_crew = true;
    enum { LOOKS = 3 };
};

/* Of a block's shared memory: two frontiers. */
static __host__ __device__ __forceinline__ size_t near_bytes(int32_t room, bool rows) {
    return 2 * (size_t)room * (rows ? sizeof(int4) + sizeof(int32_t) : sizeof(span));
}

/* A thread's finds of a level. */
struct catches {
    uint32_t vertices, edges;
};
} // namespace

/* As try_for and won. */
template <class O, class C>
static __device__ __forceinline__ uint32_t try_near(const world<O> &w, const C &d, int32_t v,
                                                    int32_t depth) {
    unsigned word = (unsigned)v / FRI_WARP;
    if (d.map) /* threads of any block may find v */
        return atomicOr(fri_cluster_at(&d.map[word >> d.shift], word & d.mask),
                        1u << (v % FRI_WARP));
    return try_for(w, v, depth);
}
template <class O, class C>
static __device__ __forceinline__ bool won_near(const world<O> &w, const C &d, int32_t v,
                                                uint32_t answer, int32_t depth) {
    if (!d.map)
        return won(w, v, answer, depth);
    return !(answer >> (v % FRI_WARP) & 1);
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

/* Before the first barrier: no post of that depth or the next stands in the inbox. All threads. */
template <class C> static __device__ __forceinline__ void clear_inbox(const C &d, int32_t depth) {
    for (int i = (int)threadIdx.x; i < 2 * FRI_WARP; i += (int)blockDim.x)
        d.inbox[i] = (uint64_t)((uint32_t)(depth - 1) & 0xffff) << 48;
}

/* Warp 0: the block's counters of that turn to all blocks. A lane writes one of a post's two words:
 * mark, entries, vertices; mark, over, edges. */
template <class C>
static __device__ __forceinline__ void send_post(const C &d, int turn, int32_t depth) {
    const unsigned lane = (unsigned)fri_lane(), rank = d.rank;
    const post mine = d.counts[turn];
    uint64_t word = (uint64_t)((uint32_t)depth & 0xffff) << 48;
    if (lane / 2 > d.mask)
        return;
    word |= lane % 2 ? (uint64_t)(mine.over != 0) << 32 | mine.edges
                     : (uint64_t)FRI_MIN(mine.entries, 0xffff) << 32 | (uint32_t)mine.vertices;
    uint64_t *to = &d.inbox[(depth & 1) * FRI_WARP + (int)(2 * rank + lane % 2)];
    fri_racy_store(fri_cluster_at(to, lane / 2), word); /* racy: the other block waits for it */
}

/* Warp 0: the sums over the blocks' posts, once they are there. */
template <class O, class C>
static __device__ __forceinline__ sums await_posts(const world<O> &w, const C &d, int32_t depth) {
    const unsigned lane = (unsigned)fri_lane(), mark = (uint32_t)depth & 0xffff;
    const bool due = lane / 2 <= d.mask, odd = lane % 2;
    uint64_t word;
    do
        word = due ? fri_racy_load(&d.inbox[(depth & 1) * FRI_WARP + (int)lane]) /* racy: a wait */
                   : (uint64_t)mark << 48;
    while (!__all_sync(FRI_FULL, word >> 48 == mark));
    const uint32_t high = (uint32_t)(word >> 32) & 0xffff, low = (uint32_t)word;
    const int32_t most = warp_most(odd ? 0 : (int32_t)high), blocks = (int32_t)d.mask + 1;
    const post all = {(int32_t)warp_total(odd ? 0 : high), (int32_t)warp_total(odd ? 0 : low),
                      warp_total(odd ? low : 0),
                      __any_sync(FRI_FULL, odd ? high != 0 : (int32_t)high > w.room)};
    bool even = most <= w.room / 4 && most * blocks <= 2 * all.entries + FRI_WARP * blocks;
    if (w.rows && w.parts & PART_TURNS) { /* some block has to go twice where none would */
        const int32_t at_once = (int32_t)blockDim.x / ROW, mean = all.entries >> d.shift;
        even &= most <= at_once || mean + mean / 4 + 8 > at_once;
    }
    return {all, !(even && w.parts & PART_STAY), {0, 0, 0}};
}

/* Warp 0: the same on the whole chip, by words in memory that only grow: marked by how many blocks
 * have added. met: their values when the last level of that depth modulo 2 was complete. */
template <class O, class C>
static __device__ __forceinline__ sums meet_crew(const world<O> &w, const C &d, int turn,
                                                 int32_t depth, int32_t before, uint64_t *met) {
    const int lane = fri_lane(), at = (depth & 1) * MET + lane, blocks = (int)gridDim.x;
    const post mine = d.counts[turn];
    const bool over = mine.over || mine.entries > w.room, due = lane < MET;
    const bool uneven = (mine.entries - 2 * FRI_WARP) * blocks > 2 * before;
    uint64_t word = lane == 0 ? (uint64_t)over << 34 | (uint64_t)uneven << 44 |
                                    (uint32_t)FRI_MIN(mine.entries, w.room)
                    : lane == 1 ? (uint32_t)mine.vertices
                                : mine.edges;
    unsigned long long *to = (unsigned long long *)&w.c->met[at];
    const uint64_t old = due ? met[at] : 0;
    if (due) /* all blocks add */
        atomicAdd(to, (unsigned long long)(word | 1ull << 54));
    do
        word = due ? fri_racy_load(to) - old : (uint64_t)blocks << 54; /* racy: a wait */
    while (!__all_sync(FRI_FULL, word >> 54 == (uint64_t)blocks));
    if (due)
        met[at] = old + word;
    const uint64_t first = __shfl_sync(FRI_FULL, word, 0);
    const uint32_t low = (uint32_t)word;
    return {{(int32_t)(uint32_t)first, __shfl_sync(FRI_FULL, (int32_t)low, 1),
             __shfl_sync(FRI_FULL, low, 2), (first >> 34 & 1023) != 0},
            (first >> 44 & 1023) != 0,
            {0, 0, 0}};
}

/* All threads, at the end of a level: a barrier of the cluster; the next frontier's sums. `spread`:
 * whether finds went to other blocks. */
template <class O, class C>
static __device__ __forceinline__ sums meet(const world<O> &w, const C &d, int turn, int32_t depth,
                                            bool spread, int32_t before, uint64_t *met) {
    FRI_SHARED(sums, result, 1);
    if (spread && !C::is_crew) {
        __syncwarp();       /* the barrier wants whole warps */
        fri_cluster_sync(); /* finds have arrived */
    } else
        __syncthreads(); /* the block's counters are complete */
    if (fri_warp() == 0) {
        sums sum;
        if (C::is_crew)
            sum = meet_crew(w, d, turn, depth, before, met);
        else {
            send_post(d, turn, depth);
            sum = await_posts(w, d, depth);
        }
        if (fri_lane() == 0)
            *result = sum;
    }
    __syncthreads(); /* the sums are there; the next are written behind a barrier */
    return *result;
}

#endif
