/* Thin levels of `auto`: one thread-block cluster with the frontier in its shared memory, or a crew
 * of one block a multiprocessor.
 *
 * Each block holds a share of the frontier and, where it fits, every c-th word of the bitmap of
 * visited vertices; other blocks reach both through distributed shared memory. A vertex stays in
 * the block that found it, or, when shares have become uneven, goes to the one that its number
 * hashes to. A frontier's entry carries what the next level begins with: a span, or, where the
 * graph has rows, its row of targets. What does not fit is not kept: the levels tell that
 * frontier, and the grid goes on.
 *
 * The crew reaches no other block's memory: claims are made in the bitmap in L2, finds stay where
 * they are made, so that most of what is found twice is found by one block (tried). Of rows, blocks
 * that have much more than their share let others take some (auto_help.cuh); of spans, where a
 * block has twice its share, all are queued and dealt out anew, runs of neighbours together.
 */
#ifndef FRI_AUTO_THIN_CUH
#define FRI_AUTO_THIN_CUH

#include "cuda/bfs/auto_help.cuh"
#include "cuda/bfs/auto_near.cuh"

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
    if (threadIdx.x == 0) {
        for (int turn = 0; turn < SLOTS; turn++)
            d.counts[turn] = {0, 0, 0, 0};
        d.counts[s.turn] = {count, rank ? 0 : now->vertices, rank ? 0 : (uint32_t)now->edges, 0};
    }
    for (int32_t i = (int32_t)threadIdx.x; i < count; i += (int32_t)blockDim.x) {
        const span one = from[i / run * lap + rank * run + i % run];
        if (C::has_rows)
            to.who[i] = {one.v, NONE};
        else
            queue[i] = one;
    }
    for (int32_t i = (int32_t)threadIdx.x; d.map && (i << d.shift) + rank < all;
         i += (int32_t)blockDim.x)
        d.map[i] = w.visited[(i << d.shift) + rank];
}

/* Any thread: entry i of the block's frontier as a span. */
template <class O, class C>
static __device__ __forceinline__ span span_of(const world<O> &w, const C &d, int32_t depth,
                                               int32_t i) {
    if (!C::has_rows)
        return ((const span *)d.queue)[(depth & 1) * w.room + i];
    const int32_t v = rack_of(w, d, depth).who[i].v;
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
        if (!C::has_rows)
            continue;
        const unsigned edges = warp_total((unsigned)one.count);
        if (fri_lane() == 0) /* all blocks' warps add */
            atomicAdd(&to->edges, (unsigned long long)edges);
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
        /* rows are counted as they are queued; else by the mean */
        const unsigned long long rows =
            now.over ? (unsigned long long)(w.m / w.n) * (unsigned)now.vertices : 0;
        w.c->turn[s.turn] = {C::has_rows ? rows : now.edges, now.vertices, 0, 0, 0};
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

/* Whether a frontier is thin. Rows tell how many edges they have when they are walked. */
template <class C>
static __device__ __forceinline__ bool has_little(const C &d, const post &now, int32_t small) {
    (void)d; /* its kind counts */
    return is_thin(FRI_MIN(now.entries, now.vertices), C::has_rows ? 0 : now.edges, small);
}

/* Levels from s.depth on, until the frontier is empty, `most` are done, or it is no longer thin. */
template <class O, class C>
static __global__ void __launch_bounds__(THIN_THREADS, 1)
    thin_kernel(const __grid_constant__ world<O> w, state s, int32_t has_map) {
    FRI_SHARED(post, counts, SLOTS);
    FRI_SHARED(uint64_t, inbox, 2 * FRI_WARP);
    FRI_SHARED(board, help, 1);
    FRI_SHARED_DYNAMIC(char, queues);
    char *rest = queues + near_bytes(w.room, w.row_bits);
    const C d = {{queues, !C::is_crew && has_map ? (uint32_t *)rest : nullptr, counts, inbox,
                  gridDim.x - 1, __popc(gridDim.x - 1), C::is_crew ? 0 : blockIdx.x, help,
                  C::is_crew && w.parts & PART_TRIED ? (int32_t *)rest : nullptr}};
    int32_t done = 0, calm = 0;
    unsigned looked = 0; /* of at most 1,024 levels */
    for (int i = (int)threadIdx.x; d.tried && i < 1 << TRIED_BITS; i += (int)blockDim.x)
        d.tried[i] = -1;
    clear_posts(w, d, s.depth);
    if (threadIdx.x == 0)
        fri_racy_store(&help->mark, w.serial + (uint32_t)s.depth - 1); /* of no level */
    if (C::is_crew)
        fri_grid_sync(); /* nobody takes an old post for a new one */
    enter(w, d, s);
    sums sum = meet(w, d, s.turn, s.depth, true, INT32_MAX, INT32_MAX);
    post now = sum.all;
    if (C::has_rows) /* entries and those that lead nowhere */
        now.vertices = w.c->turn[s.turn].vertices;
    while (!now.over && (!done || (now.vertices && done < w.most &&
                                   has_little(d, now, C::is_crew ? w.middle : w.small)))) {
        calm = has_little(d, now, w.small / 2) ? calm + 1 : 0;
        if (C::is_crew && done && calm > CREW_PATIENCE)
            break;
        s.seen += now.vertices;
        s.explored += C::has_rows ? 0 : now.edges;
        if (C::is_crew && sum.spread && !C::has_rows)
            deal(w, d, s, now);
        const bool spread = !C::is_crew && sum.spread;
        if (threadIdx.x == 0) { /* nobody reads or writes these now */
            d.counts[(s.turn + 2) % SLOTS] = {0, 0, 0, 0};
            if (C::is_crew && blockIdx.x == 0)
                w.c->turn[(s.turn + 2) % SLOTS].entries = 0;
        }
        tell(w, done, {now.edges, now.vertices, 0, 0, 0}, C::is_crew ? WAY_CREW : WAY_THIN, 0);
        looked += C::has_rows ? row_level(w, d, s, sum) : near_level(w, d, s, spread);
        s.turn = (s.turn + 1) % SLOTS;
        s.depth++;
        done++;
        sum = meet(w, d, s.turn, s.depth, sum.spread, sum.next, sum.even);
        now = sum.all;
        if (C::has_rows && w.lines && blockIdx.x == 0 && threadIdx.x == 0)
            w.lines[done - 1].edges = now.edges; /* of the rows that were walked */
    }
    s.form = now.over ? LEVELS : QUEUE;
    leave(w, s, done);
    hand_over(w, d, s, now);
    const unsigned long long edges = warp_total((unsigned long long)looked);
    if (fri_lane() == 0 && edges) { /* other warps add */
        atomicAdd(&w.c->examined, edges);
        if (C::has_rows)
            atomicAdd(&w.c->explored, edges);
    }
    if (!C::is_crew)
        fri_cluster_sync(); /* nobody reads this block's memory any more */
}

#endif
