/* Thin levels of `auto`: one thread-block cluster with the frontier in its shared memory, or a crew
 * of one block a multiprocessor.
 *
 * Each block holds a share of the frontier and, where it fits, every c-th word of the bitmap of
 * visited vertices; other blocks reach both through distributed shared memory. A vertex stays in
 * the block that found it, or, when shares have become uneven, goes to the one that its number
 * hashes to. A frontier's entry carries what the next level begins with: a span, or, where the
 * graph has rows, the targets themselves. What does not fit is not kept: the levels tell that
 * frontier, and the grid goes on.
 *
 * The crew reaches no other block's memory: claims are made in the bitmap in L2, finds stay where
 * they are made until a block has twice its share; then all are queued and dealt out anew, runs of
 * neighbours together, so that most of what is found twice is found by one block (tried).
 */
#ifndef FRI_AUTO_THIN_CUH
#define FRI_AUTO_THIN_CUH

#include "cuda/bfs/auto_near.cuh"
#include "cuda/bfs/auto_rows.cuh"

static const int THIN_THREADS = 1024, MOST_ROOM = 4096, CREW_PATIENCE = 64;

/* Neighbours in the queue that go to one block together. */
template <class C> static __device__ __forceinline__ int32_t run_of(int32_t entries) {
    const int32_t each = entries / (int32_t)gridDim.x;
    return !C::is_crew || each < FRI_WARP ? 1 : each < 4 * FRI_WARP ? 8 : FRI_WARP;
}

/* All threads: the block's share of the frontier and of the bitmap. A cluster barrier must follow.
 */
template <class O, class C>
static __device__ void enter(const world<O> &w, const C &d, const state &s) {
    const slot *now = &w.c->turn[s.turn];
    const span *from = w.queue[s.depth & 1];
    const rack to = rack_of(w, d, s.depth);
    span *queue = (span *)d.queue + (s.depth & 1) * w.room;
    const int32_t blocks = (int32_t)gridDim.x, rank = (int32_t)blockIdx.x, all = words_of(w.n);
    const int32_t entries = fri_racy_load(&now->entries); /* racy: past L1 */
    const int32_t run = run_of<C>(entries), lap = run * blocks, rest = entries % lap - rank * run;
    const int32_t count = entries / lap * run + FRI_MAX(FRI_MIN(rest, run), 0);
    clear_inbox(d, s.depth);
    if (threadIdx.x == 0) {
        for (int turn = 0; turn < SLOTS; turn++)
            d.counts[turn] = {0, 0, 0, 0};
        d.counts[s.turn] = {w.rows ? 0 : count, rank ? 0 : now->vertices,
                            rank ? 0 : (uint32_t)now->edges, 0};
    }
    __syncthreads(); /* the counters are there */
    for (int32_t i = (int32_t)threadIdx.x; i < count; i += (int32_t)blockDim.x) {
        const span one = from[i / run * lap + rank * run + i % run];
        if (w.rows)
            place_rows(w, d, to, d.rank, one.v, (O)one.begin, one.count, s.turn);
        else
            queue[i] = one;
    }
    for (int32_t i = (int32_t)threadIdx.x; d.map && (i << d.shift) + rank < all;
         i += (int32_t)blockDim.x)
        d.map[i] = w.visited[(i << d.shift) + rank];
}

/* Any thread: entry i of the block's frontier as a span; of no edges, if another row of its vertex
 * stands for it. */
template <class O, class C>
static __device__ __forceinline__ span span_of(const world<O> &w, const C &d, int32_t depth,
                                               int32_t i) {
    if (!w.rows)
        return ((const span *)d.queue)[(depth & 1) * w.room + i];
    const int32_t v = rack_of(w, d, depth).who[i];
    if (v < 0)
        return {0, 0, 0};
    const O begin = w.out.offsets[v];
    return {v, (int32_t)(w.out.offsets[v + 1] - begin), (int64_t)begin};
}

/* All threads: the block's frontier into the queue, behind what is there. */
template <class O, class C>
static __device__ void queue_up(const world<O> &w, const C &d, const state &s, const post &now) {
    slot *to = &w.c->turn[s.turn];
    const int32_t count = now.over ? 0 : d.counts[s.turn].entries;
    for (int32_t i = (int32_t)threadIdx.x; i - fri_lane() < count; i += (int32_t)blockDim.x) {
        const span one = i < count ? span_of(w, d, s.depth, i) : span{0, 0, 0};
        int total, before = fri_warp_count(one.count > 0, &total);
        int32_t base = reserve(&to->entries, total);
        if (one.count > 0)
            w.queue[s.depth & 1][base + before] = one;
    }
}

/* All threads of the crew: the frontier dealt out anew. */
template <class O, class C>
static __device__ void deal(const world<O> &w, const C &d, const state &s, const post &now) {
    slot *to = &w.c->turn[s.turn];
    if (blockIdx.x == 0 && threadIdx.x == 0) { /* entries are 0 since the level before */
        to->edges = now.edges;
        to->vertices = now.vertices;
    }
    queue_up(w, d, s, now);
    fri_grid_sync(); /* the queue is there */
    enter(w, d, s);
    __syncthreads(); /* and the block's share of it */
}

/* All threads, behind a barrier of all: frontier and bitmap back to where the next launch looks for
 * them. */
template <class O, class C>
static __device__ void hand_over(const world<O> &w, const C &d, const state &s, const post &now) {
    const int32_t rank = (int32_t)blockIdx.x, all = words_of(w.n);
    if (rank == 0 && threadIdx.x == 0) {
        w.c->turn[s.turn] = {now.edges, now.vertices, 0, 0, 0};
        w.c->turn[(s.turn + 1) % SLOTS] = {0, 0, 0, 0, 0};
    }
    if (C::is_crew)
        fri_grid_sync(); /* nothing is queued yet */
    else
        fri_cluster_sync(); /* the same */
    queue_up(w, d, s, now);
    for (int32_t i = (int32_t)threadIdx.x; d.map && (i << d.shift) + rank < all;
         i += (int32_t)blockDim.x)
        w.visited[(i << d.shift) + rank] = d.map[i];
}

/* Whether the layer goes on: a vertex may be several rows. */
template <class O, class C>
static __device__ __forceinline__ bool stays(const world<O> &w, const post &now) {
    return is_thin(FRI_MIN(now.entries, now.vertices), now.edges, C::is_crew ? w.middle : w.small);
}

/* Levels from s.depth on, until the frontier is empty, `most` are done, or it is no longer thin. */
template <class O, class C>
static __global__ void __launch_bounds__(THIN_THREADS, 1)
    thin_kernel(const __grid_constant__ world<O> w, state s, int32_t has_map) {
    FRI_SHARED(post, counts, SLOTS);
    FRI_SHARED(uint64_t, inbox, 2 * FRI_WARP);
    FRI_SHARED(uint64_t, met, 2 * MET);
    FRI_SHARED_DYNAMIC(char, queues);
    const C d = {
        {queues,
         !C::is_crew && has_map ? (uint32_t *)(queues + near_bytes(w.room, w.rows)) : nullptr,
         counts, inbox, gridDim.x - 1, __popc(gridDim.x - 1), C::is_crew ? 0 : blockIdx.x,
         C::is_crew && w.parts & PART_TRIED ? (int32_t *)(queues + near_bytes(w.room, w.rows))
                                            : nullptr}};
    int32_t done = 0, calm = 0;
    unsigned long long looked = 0;
    if (threadIdx.x < 2 * MET)
        met[threadIdx.x] = w.met[threadIdx.x];
    for (int i = (int)threadIdx.x; d.tried && i < 1 << TRIED_BITS; i += (int)blockDim.x)
        d.tried[i] = -1;
    enter(w, d, s);
    sums sum = meet(w, d, s.turn, s.depth, true, INT32_MAX / 2, met);
    post now = sum.all;
    while (!now.over && (!done || (now.vertices && done < w.most && stays<O, C>(w, now)))) {
        calm = is_thin(now.entries, now.edges, w.small / 2) ? calm + 1 : 0;
        if (C::is_crew && done && calm > CREW_PATIENCE)
            break;
        s.seen += now.vertices;
        s.explored += now.edges;
        if (C::is_crew && sum.spread)
            deal(w, d, s, now);
        const bool spread = !C::is_crew && sum.spread;
        if (threadIdx.x == 0) { /* nobody reads or writes these now */
            d.counts[(s.turn + 2) % SLOTS] = {0, 0, 0, 0};
            if (C::is_crew && blockIdx.x == 0)
                w.c->turn[(s.turn + 2) % SLOTS].entries = 0;
        }
        tell(w, done, {now.edges, now.vertices, 0, 0, 0}, C::is_crew ? WAY_CREW : WAY_THIN, 0);
        looked += w.rows ? row_level(w, d, s, spread) : near_level(w, d, s, spread);
        s.turn = (s.turn + 1) % SLOTS;
        s.depth++;
        done++;
        sum = meet(w, d, s.turn, s.depth, sum.spread, now.entries, met);
        now = sum.all;
    }
    looked = warp_total(looked);
    if (fri_lane() == 0 && looked)
        atomicAdd(&w.c->examined, looked); /* other warps add */
    s.form = now.over ? LEVELS : QUEUE;
    hand_over(w, d, s, now);
    leave(w, s, done);
    if (!C::is_crew)
        fri_cluster_sync(); /* nobody reads this block's memory any more */
}

#endif
