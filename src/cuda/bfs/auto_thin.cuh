/* Thin levels of `auto`: one thread-block cluster with the frontier in its shared memory.
 *
 * Each block holds a share of the frontier and, where it fits, every c-th word of the bitmap of
 * visited vertices; other blocks reach both through distributed shared memory. A vertex stays in
 * the block that found it, or, when shares have become uneven, goes to the one that its number
 * hashes to; with it go its offsets, which are read while the claim is on its way. So a level is a
 * chain of targets, offsets (beside the claim), place and one cluster barrier. The barrier waits
 * until all writes have arrived; level and parent are therefore written a level later, in time.
 * What does not fit is not kept: the levels tell that frontier, and the grid goes on.
 */
#ifndef FRI_AUTO_THIN_CUH
#define FRI_AUTO_THIN_CUH

#include "cuda/bfs/auto_queue.cuh"

static const int THIN_THREADS = 1024, MOST_ROOM = 4096, HUB = 8 * SPAN;
static const uint32_t CAP = 1 << 20; /* of what a vertex adds to `edges` */

namespace {
/* An entry of the frontier. */
struct alignas(16) stay {
    int32_t v, parent; /* parent -1: it is written, and the level with it */
    uint64_t edges;    /* the first << 16 | how many */
};

/* What a block adds to a frontier; one of these by turn, as the slots. One read of 16 bytes. */
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

/* A block's part of the cluster. */
struct cell {
    stay *queue;   /* [2][room] by depth modulo 2 */
    uint32_t *map; /* [words / blocks]; NULL: claims as the grid does */
    post *counts;  /* [SLOTS] */
    unsigned mask; /* blocks - 1 */
    int shift;     /* log2 of blocks */
};
} // namespace

/* As try_for and won. */
template <class O>
static __device__ __forceinline__ uint32_t try_near(const world<O> &w, const cell &d, int32_t v,
                                                    int32_t depth) {
    unsigned word = (unsigned)v / FRI_WARP;
    if (d.map) /* threads of any block may find v */
        return atomicOr(fri_cluster_at(&d.map[word >> d.shift], word & d.mask),
                        1u << (v % FRI_WARP));
    return try_for(w, v, depth);
}
template <class O>
static __device__ __forceinline__ bool won_near(const world<O> &w, const cell &d, int32_t v,
                                                uint32_t answer, int32_t depth) {
    if (!d.map)
        return won(w, v, answer, depth);
    return !(answer >> (v % FRI_WARP) & 1);
}

template <class O>
static __device__ __forceinline__ void note(const world<O> &w, int32_t v, int32_t parent,
                                            int32_t depth) {
    w.level[v] = depth;
    if (w.parent)
        w.parent[v] = parent;
}

static __device__ __forceinline__ unsigned home_of(const cell &d, int32_t v) {
    return ((uint32_t)v * 0x9e3779b1u >> 28) & d.mask;
}

/* Any thread: a place in that block's next frontier. */
static __device__ __forceinline__ int32_t reserve_near(const cell &d, unsigned rank, int turn) {
    return atomicAdd(&fri_cluster_at(d.counts, rank)[turn].entries, 1); /* all append there */
}

/* Any thread: a vertex of many edges as several entries. */
template <class O>
static __device__ void place_wide(const world<O> &w, const cell &d, stay *queue, int32_t v, O begin,
                                  O degree, int turn) {
    unsigned rank = home_of(d, v);
    if (degree > (O)HUB) { /* more than one thread should deal out: for the grid */
        fri_racy_store(&d.counts[turn].over, 1); /* racy: all store the same */
        return;
    }
    for (O left = degree; left > 0; rank = (rank + 1) & d.mask) {
        O part = FRI_MIN(left, (O)SPAN);
        int32_t at = reserve_near(d, rank, turn);
        if (at < w.room)
            *fri_cluster_at(&queue[at], rank) = {v, -1, (uint64_t)begin << 16 | (uint64_t)part};
        begin += part;
        left -= part;
    }
}

/* Any thread: v's edges as entries of the next frontier, AT_ONCE vertices, those of degree 0 left
 * out. What finds no room is missed when the entries are summed up. */
template <class O>
static __device__ __forceinline__ void
place(const world<O> &w, const cell &d, int32_t depth, int turn, bool spread, const int32_t *v,
      const int32_t *parent, const O *begin, const O *degree) {
    const O least = least_edges(w, depth + 1);
    stay *queue = d.queue + ((depth + 1) & 1) * w.room;
    int32_t at[AT_ONCE];
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        FRI_COUNT(w.out, FR_COUNT_ENQUEUES, degree[j] >= least);
        at[j] = w.room;
        if (degree[j] >= least && degree[j] <= (O)SPAN)
            at[j] = spread ? reserve_near(d, home_of(d, v[j]), turn)
                           : atomicAdd(&d.counts[turn].entries, 1); /* the block's threads append */
    }
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        if (degree[j] > (O)SPAN)
            place_wide(w, d, queue, v[j], begin[j], degree[j], turn);
        else if (at[j] < w.room)
            *(spread ? fri_cluster_at(&queue[at[j]], home_of(d, v[j])) : &queue[at[j]]) = {
                v[j], parent[j], (uint64_t)begin[j] << 16 | (uint64_t)degree[j]};
        else if (parent[j] >= 0) /* no room */
            note(w, v[j], parent[j], depth + 1);
    }
}

/* Any thread: edges e of u, those that are on; all reads of a kind on their way at once. */
template <class O>
static __device__ __forceinline__ void look_near(const world<O> &w, const cell &d, int32_t depth,
                                                 int turn, bool spread, int32_t u, const O *e,
                                                 const bool *on) {
    const bool late = d.map && (w.parts & PART_LATE);
    int32_t v[AT_ONCE], parent[AT_ONCE];
    uint32_t answer[AT_ONCE];
    O begin[AT_ONCE], degree[AT_ONCE];
    bool open[AT_ONCE];
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++)
        v[j] = on[j] ? w.out.targets[e[j]] : 0;
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) { /* also of those not to be won: nobody waits for them */
        begin[j] = on[j] ? w.out.offsets[v[j]] : 0;
        degree[j] = on[j] ? w.out.offsets[v[j] + 1] : 0;
        open[j] = on[j] && (d.map || looks_new(w, v[j])); /* the map is as near as its test */
    }
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        FRI_COUNT(w.out, FR_COUNT_EDGES, on[j]);
        FRI_COUNT(w.out, FR_COUNT_ATOMICS, open[j]);
        answer[j] = open[j] ? try_near(w, d, v[j], depth) : 0;
    }
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        bool fresh = open[j] && won_near(w, d, v[j], answer[j], depth);
        degree[j] = fresh ? degree[j] - begin[j] : 0;
        bool queued = degree[j] >= least_edges(w, depth + 1) && degree[j] <= (O)SPAN;
        parent[j] = late && queued ? u : -1;
        if (!fresh)
            continue;
        if (parent[j] < 0)
            note(w, v[j], u, depth + 1);
        atomicAdd(&d.counts[turn].vertices, 1); /* the block's threads add, here and below */
        atomicAdd(&d.counts[turn].edges, degree[j] < (O)CAP ? (uint32_t)degree[j] : CAP);
        fri_prefetch(&w.out.targets[begin[j]]);
    }
    place(w, d, depth, turn, spread, v, parent, begin, degree);
}

/* All threads: one level; the edges looked at by this thread. A cluster barrier must follow. */
template <class O>
static __device__ __forceinline__ unsigned long long near_level(const world<O> &w, const cell &d,
                                                                const state &s, bool spread) {
    const stay *queue = d.queue + (s.depth & 1) * w.room;
    const int32_t count = d.counts[s.turn].entries;
    int width = FRI_WARP;
    unsigned long long looked = 0;
    while (width > 2 && count * width > (int)blockDim.x)
        width /= 2;
    for (int i = (int)threadIdx.x / width; i < count; i += (int)blockDim.x / width) {
        stay entry = queue[i];
        const int edges = (int)(entry.edges & 0xffff);
        if (entry.parent >= 0 && (int)threadIdx.x % width == 0)
            note(w, entry.v, entry.parent, s.depth);
        for (int k = (int)threadIdx.x % width; k < edges; k += width * AT_ONCE) {
            O e[AT_ONCE];
            bool on[AT_ONCE];
            FRI_UNROLL
            for (int j = 0; j < AT_ONCE; j++) {
                on[j] = k + j * width < edges;
                e[j] = (O)(entry.edges >> 16) + (O)(k + j * width);
                looked += on[j];
            }
            look_near(w, d, s.depth, (s.turn + 1) % SLOTS, spread, entry.v, e, on);
        }
    }
    return looked;
}

/* All threads, after a cluster barrier: the sums over the blocks' posts of that turn. */
template <class O>
static __device__ __forceinline__ sums sum_up(const world<O> &w, const cell &d, int turn) {
    FRI_SHARED(sums, result, 1);
    if (fri_warp() == 0) {
        unsigned lane = (unsigned)fri_lane();
        post p = {0, 0, 0, 0};
        if (lane <= d.mask)
            p = fri_cluster_at(d.counts, lane)[turn];
        int32_t most = warp_most(p.entries), blocks = (int32_t)d.mask + 1;
        post all = {(int32_t)warp_total((unsigned)p.entries),
                    (int32_t)warp_total((unsigned)p.vertices), warp_total(p.edges),
                    __any_sync(FRI_FULL, p.over || p.entries > w.room)};
        bool even = most <= w.room / 4 && most * blocks <= 2 * all.entries + FRI_WARP * blocks;
        if (lane == 0)
            *result = {all, !(even && w.parts & PART_STAY), {0, 0, 0}};
    }
    __syncthreads(); /* the sums are there; the next are written behind a cluster barrier */
    return *result;
}

/* All threads: the block's share of the frontier and of the bitmap. A cluster barrier must follow.
 */
template <class O> static __device__ void enter(const world<O> &w, const cell &d, const state &s) {
    const slot *now = &w.c->turn[s.turn];
    const span *from = w.queue[s.depth & 1];
    stay *to = d.queue + (s.depth & 1) * w.room;
    const int32_t blocks = (int32_t)d.mask + 1, rank = (int32_t)blockIdx.x, all = words_of(w.n);
    const int32_t count = (now->entries - rank + blocks - 1) / blocks;
    for (int32_t i = (int32_t)threadIdx.x; i < count; i += (int32_t)blockDim.x)
        to[i] = {from[i * blocks + rank].v, -1,
                 (uint64_t)from[i * blocks + rank].begin << 16 |
                     (uint64_t)from[i * blocks + rank].count};
    for (int32_t i = (int32_t)threadIdx.x; d.map && (i << d.shift) + rank < all;
         i += (int32_t)blockDim.x)
        d.map[i] = w.visited[(i << d.shift) + rank];
    if (threadIdx.x)
        return;
    for (int turn = 0; turn < SLOTS; turn++)
        d.counts[turn] = {0, 0, 0, 0};
    d.counts[s.turn] = {count, rank ? 0 : now->vertices, rank ? 0 : (uint32_t)now->edges, 0};
}

/* All threads: frontier and bitmap back to where the next launch looks for them. */
template <class O>
static __device__ void hand_over(const world<O> &w, const cell &d, const state &s,
                                 const post &now) {
    FRI_SHARED(int32_t, base, 1);
    const int32_t rank = (int32_t)blockIdx.x, all = words_of(w.n);
    const stay *from = d.queue + (s.depth & 1) * w.room;
    if (threadIdx.x == 0) {
        *base = 0;
        for (unsigned r = 0; r < blockIdx.x; r++)
            *base += fri_cluster_at(d.counts, r)[s.turn].entries;
    }
    __syncthreads(); /* the block's place in the queue is known */
    for (int32_t i = (int32_t)threadIdx.x; i < FRI_MIN(d.counts[s.turn].entries, w.room);
         i += (int32_t)blockDim.x) {
        if (from[i].parent >= 0)
            note(w, from[i].v, from[i].parent, s.depth);
        if (!now.over)
            w.queue[s.depth & 1][*base + i] = {from[i].v, (int32_t)(from[i].edges & 0xffff),
                                               (int64_t)(from[i].edges >> 16)};
    }
    for (int32_t i = (int32_t)threadIdx.x; d.map && (i << d.shift) + rank < all;
         i += (int32_t)blockDim.x)
        w.visited[(i << d.shift) + rank] = d.map[i];
    if (rank || threadIdx.x)
        return;
    w.c->turn[s.turn] = {now.edges, now.vertices, now.over ? 0 : now.entries, 0, 0};
    w.c->turn[(s.turn + 1) % SLOTS] = {0, 0, 0, 0, 0};
}

/* Levels from s.depth on, until the frontier is empty, `most` are done, or it is no longer thin. */
template <class O>
static __global__ void __launch_bounds__(THIN_THREADS, 1)
    thin_kernel(const __grid_constant__ world<O> w, state s, int32_t has_map) {
    FRI_SHARED(post, counts, SLOTS);
    FRI_SHARED_DYNAMIC(stay, queues);
    const cell d = {queues, has_map ? (uint32_t *)(queues + 2 * w.room) : nullptr, counts,
                    gridDim.x - 1, __popc(gridDim.x - 1)};
    int32_t done = 0;
    unsigned long long looked = 0;
    enter(w, d, s);
    fri_cluster_sync(); /* every block's part is there */
    sums sum = sum_up(w, d, s.turn);
    post now = sum.all;
    while (!now.over &&
           (!done || (now.vertices && done < w.most && is_thin(now.entries, now.edges, w.small)))) {
        s.seen += now.vertices;
        s.explored += now.edges;
        if (threadIdx.x == 0) /* nobody reads or writes these now */
            d.counts[(s.turn + 2) % SLOTS] = {0, 0, 0, 0};
        tell(w, done, {now.edges, now.vertices, 0, 0, 0}, 0);
        looked += near_level(w, d, s, sum.spread);
        __syncwarp();       /* the barrier wants whole warps */
        fri_cluster_sync(); /* the level is complete */
        s.turn = (s.turn + 1) % SLOTS;
        s.depth++;
        done++;
        sum = sum_up(w, d, s.turn);
        now = sum.all;
    }
    looked = warp_total(looked);
    if (fri_lane() == 0 && looked)
        atomicAdd(&w.c->examined, looked); /* other warps add */
    s.form = now.over ? LEVELS : QUEUE;
    hand_over(w, d, s, now);
    leave(w, s, done);
    fri_cluster_sync(); /* nobody reads this block's memory any more */
}

#endif
