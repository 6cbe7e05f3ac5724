/* Levels of `auto` in graphs whose edges stay near and whose visited bitmap fits one
 * multiprocessor: a squad of one block each, with a copy of that bitmap in its shared memory
 * (auto_copy.cuh).
 *
 * Finds go into the block's own part of the queue. The squad's barrier: each block posts one word,
 * with a mark and the size of its part, and waits for all blocks' words, whose sums tell it which
 * entries of the next frontier are its share. While there are few edges the first block is alone,
 * with the frontier in its shared memory: its copy is then the bitmap itself, and the others wait.
 * What finds no room is not kept: the levels tell that frontier, and the grid goes on.
 */
#ifndef FRI_AUTO_SQUAD_CUH
#define FRI_AUTO_SQUAD_CUH

#include "cuda/bfs/auto_copy.cuh"
#include "cuda/bfs/auto_plan.cuh"

/* What a post can say. */
static const uint32_t POST_ENTRIES = (1 << 14) - 1, POST_VERTICES = (1 << 17) - 1,
                      POST_EDGES = (1 << 24) - 1, MARKS = 255;
/* Times the entries that the first block takes alone: edges that it does. */
static const int ALONE_EDGES = 4;

/* Edges a vertex has at most; n / NEAR_PART is near; where the count of such vertices is made. */
static const int SQUAD_DEGREE = 32, NEAR_PART = 64, STAYS_WORD = 16;

namespace {
/* What the first block tells the others when it is no longer alone. */
struct baton {
    uint64_t mark; /* the how manieth it is */
    strength now;
    unsigned long long explored;
    int32_t seen, depth, done, unused;
};

/* In device memory, zero before the first launch. */
struct parade {
    uint64_t posts[2][MOST_SQUAD]; /* by number of the barrier modulo 2 */
    baton given;
    uint64_t batons;     /* given in the launches before; `met`: barriers in them */
    uint32_t met, ready; /* ready: blocks that know how this launch begins */
};
} // namespace

/* First thread: the block's word at a barrier. Sums are cut short, which only `--explain` sees. */
static __device__ __forceinline__ uint64_t post_of(const strength &c, int32_t room, uint32_t met) {
    const bool over = c.entries > room;
    return (uint64_t)(1 + met % MARKS) << 56 | (uint64_t)over << 55 |
           (uint64_t)(over ? 0 : (uint32_t)c.entries) << 41 |
           (uint64_t)FRI_MIN((uint32_t)c.vertices, POST_VERTICES) << 24 |
           FRI_MIN(c.edges, POST_EDGES);
}

/* All threads, at the end of a level: barrier number `met` of the squad; the next frontier's sums,
 * and where each block's part of it begins. */
template <class O>
static __device__ strength meet_squad(const world<O> &w, const squad &d, int turn, uint32_t met) {
    FRI_SHARED(strength, sum, 1);
    uint64_t *posts = w.shown->posts[met & 1], word = 0;
    if (threadIdx.x == 0)
        *sum = {0, 0, 0, 0};
    __syncthreads(); /* the block's counters are complete, the sums are zero */
    if (threadIdx.x == 0) {
        const uint64_t mine = post_of(d.counts[turn], d.room, met);
        __threadfence();                          /* what the block has queued is there */
        fri_racy_store(&posts[blockIdx.x], mine); /* racy: the others wait for it */
    }
    if (threadIdx.x < gridDim.x)
        do
            word = fri_racy_load(&posts[threadIdx.x]); /* racy: a wait */
        while (word >> 56 != 1 + met % MARKS);
    const int entries = (int)(word >> 41 & POST_ENTRIES);
    __syncwarp(); /* lanes waited one by one */
    if (threadIdx.x - (unsigned)fri_lane() < gridDim.x) {
        const uint32_t vertices = warp_total((uint32_t)(word >> 24) & POST_VERTICES);
        const uint32_t edges = warp_total((uint32_t)word & POST_EDGES);
        const bool over = __any_sync(FRI_FULL, word >> 55 & 1);
        if (fri_lane() == 0) { /* a few warps add */
            atomicAdd(&sum->vertices, (int32_t)vertices);
            atomicAdd(&sum->edges, edges);
            atomicOr(&sum->over, (int32_t)over);
        }
    }
    int total, before = fri_block_sum(entries, &total); /* and the sums are complete */
    if (threadIdx.x < gridDim.x)
        d.before[threadIdx.x] = before;
    const strength now = {total, sum->vertices, sum->edges, sum->over};
    __syncthreads(); /* the blocks' places are there, the sums are read */
    return now;
}

/* Whether the first block takes a level alone. */
template <class O>
static __device__ __forceinline__ bool suits_one(const world<O> &w, const strength &now) {
    return now.entries <= FRI_MIN(w.small, (int32_t)ALONE_ROOM) &&
           now.edges <= (uint32_t)(w.small * ALONE_EDGES);
}

/* Whether the launch ends before this level. */
template <class O>
static __device__ __forceinline__ bool is_end(const world<O> &w, const strength &now,
                                              int32_t done) {
    return done && (now.vertices == 0 || done >= w.most || now.over);
}

/* All threads of the first block, before it takes levels alone: copy and frontier into its memory.
 */
template <class O>
static __device__ void begin_alone(const world<O> &w, const squad &d, const state &s,
                                   const strength &now) {
    renew(w, d);
    for (int32_t i = (int32_t)threadIdx.x; i < now.entries; i += (int32_t)blockDim.x)
        d.own[(s.depth & 1) * ALONE_ROOM + i] = entry_of(w, d, s.depth, i);
}

/* All threads of the first block, behind a barrier: it is no longer alone. */
template <class O>
static __device__ void end_alone(const world<O> &w, const state &s, const strength &now,
                                 int32_t done, uint64_t mark) {
    if (threadIdx.x)
        return;
    w.shown->given = {mark - 1, now, s.explored, s.seen, s.depth, done, 0};
    __threadfence();                            /* the queue, and what is said, are there */
    fri_racy_store(&w.shown->given.mark, mark); /* racy: the others wait for it */
}

/* All threads of the other blocks: wait until the first is no longer alone. */
template <class O>
static __device__ strength wait_for(const world<O> &w, const squad &d, state *s, int32_t *done,
                                    uint64_t mark) {
    FRI_SHARED(baton, copy, 1);
    const uint64_t *from = (const uint64_t *)&w.shown->given;
    if (threadIdx.x == 0) {
        while (fri_racy_load(from) != mark) /* racy: a wait */
            ;
        for (int i = 0; i < (int)(sizeof(baton) / sizeof(uint64_t)); i++)
            ((uint64_t *)copy)[i] = fri_racy_load(&from[i]); /* racy: past L1 */
    }
    if (threadIdx.x < SLOTS)
        d.counts[threadIdx.x] = {0, 0, 0, 0};
    __syncthreads(); /* all know */
    s->turn = (s->turn + copy->depth - s->depth) % SLOTS;
    s->depth = copy->depth;
    s->seen = copy->seen;
    s->explored = copy->explored;
    *done = copy->done;
    return copy->now;
}

/* All threads: the frontier is one piece, from the queue's beginning. A barrier must follow. */
static __device__ void in_one_piece(const squad &d, int32_t entries) {
    if (threadIdx.x < gridDim.x)
        d.before[threadIdx.x] = threadIdx.x ? entries : 0;
}

/* First thread of the squad, at the end of a launch: what the next frontier is, told by its levels.
 */
template <class O>
static __device__ void dismiss(const world<O> &w, const state &s, const strength &now, uint32_t met,
                               uint64_t batons) {
    while (fri_racy_load(&w.shown->ready) != gridDim.x) /* racy: a wait; they read the slots */
        ;
    w.shown->ready = 0;
    w.shown->met = met;
    w.shown->batons = batons;
    w.c->turn[s.turn] = {now.edges, now.vertices, 0, 0, 0};
    w.c->turn[(s.turn + 1) % SLOTS] = w.c->turn[(s.turn + 2) % SLOTS] = {0, 0, 0, 0, 0};
}

/* Levels from s.depth on, until the frontier is empty, `most` are done, or something
 * found no room.
 */
template <class O>
static __global__ void __launch_bounds__(SQUAD_THREADS, 1)
    squad_kernel(const __grid_constant__ world<O> w, state s) {
    FRI_SHARED(strength, counts, SLOTS);
    FRI_SHARED(int, before, MOST_SQUAD);
    FRI_SHARED_DYNAMIC(char, all);
    FRI_SHARED(int, lists, 1);
    const size_t map = squad_map_bytes(w.n);
    span *walked = (span *)(all + map / 2 * 5);
    squad d = {(uint32_t *)all,
               (uint32_t *)(all + map),
               (uint16_t *)(all + 2 * map),
               walked,
               walked + SQUAD_THREADS,
               counts,
               before,
               lists,
               w.room,
               false};
    const slot *first = &w.c->turn[s.turn]; /* racy, and the next two: past L1 */
    strength now = {fri_racy_load(&first->entries), fri_racy_load(&first->vertices),
                    (uint32_t)fri_racy_load(&first->edges), 0};
    uint32_t met = fri_racy_load(&w.shown->met);
    uint64_t batons = fri_racy_load(&w.shown->batons);
    unsigned long long looked = 0;
    int32_t done = 0;
    if (threadIdx.x < SLOTS)
        counts[threadIdx.x] = {0, 0, 0, 0};
    for (int32_t i = (int32_t)threadIdx.x; i < words_of(w.n); i += (int32_t)blockDim.x)
        d.news[i] = 0;
    in_one_piece(d, now.entries);
    __syncthreads(); /* all of it is there */
    if (threadIdx.x == 0)
        atomicAdd(&w.shown->ready, 1); /* all blocks do */
    for (;;) {
        const bool ends = is_end(w, now, done), one = !ends && suits_one(w, now);
        if (d.alone && !one) {
            end_alone(w, s, now, done, batons);
            in_one_piece(d, now.entries);
            d.alone = false;
            __syncthreads(); /* the blocks' places are there */
        }
        if (ends)
            break;
        if (one && !d.alone) {
            batons += 2;
            if (blockIdx.x) {
                now = wait_for(w, d, &s, &done, batons);
                in_one_piece(d, now.entries);
                __syncthreads(); /* the same; and what was said is read */
                continue;
            }
            begin_alone(w, d, s, now);
            d.alone = true;
        } else if (!d.alone)
            renew(w, d); /* a barrier is in the level */
        tell(w, done, {now.edges, now.vertices, 0, 0, 0}, d.alone ? WAY_ALONE : WAY_SQUAD, 0);
        s.seen += now.vertices;
        s.explored += now.edges;
        if (threadIdx.x == 0) /* nobody reads or writes this now */
            counts[(s.turn + 2) % SLOTS] = {0, 0, 0, 0};
        squad_level(w, d, s, now.entries, &looked);
        s.turn = (s.turn + 1) % SLOTS;
        s.depth++;
        done++;
        if (!d.alone) {
            now = meet_squad(w, d, s.turn, ++met);
            continue;
        }
        __syncthreads(); /* the next frontier is complete */
        now = counts[s.turn];
        now.over = now.entries > d.room;
    }
    looked = warp_total(looked);
    if (fri_lane() == 0 && looked)
        atomicAdd(&w.c->examined, looked); /* other warps add */
    s.form = LEVELS;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        dismiss(w, s, now, met, batons);
    leave(w, s, done);
}

/* A thread a vertex: adds those whose middle edge stays near, less those whose does not. */
template <class O>
static __global__ void stays_near_kernel(fri_rows<O> out, int32_t n, int32_t *all) {
    const int32_t v = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    const O begin = v < n ? out.offsets[v] : 0, end = v < n ? out.offsets[v + 1] : 0;
    const int32_t u = begin < end ? out.targets[begin + (end - begin) / 2] : 0;
    const bool near = begin < end && FRI_MAX(u - v, v - u) <= n / NEAR_PART;
    const int yes = __popc(__ballot_sync(FRI_FULL, near));
    const int some = __popc(__ballot_sync(FRI_FULL, begin < end));
    if (fri_lane() == 0 && some)
        atomicAdd(all, 2 * yes - some); /* other warps add */
}

/* The squad; no blocks if the graph is not for it: its bitmap is too large, or its edges so many or
 * so far that most are better pulled; or the cluster serves it, which needs few edges. */
static near_plan plan_squad(const fri_gpu *g) {
    near_plan p = {0,   block_of(g, KNOB_CREW, SQUAD_THREADS), 0, false, false, squad_bytes(g->n),
                   true};
    const bool even = g->m <= (int64_t)THIN_EDGES * g->n && held(g)->graph.widest <= (uint32_t)SPAN;
    const bool fair = held(g)->stays_near && !even && g->m <= (int64_t)SQUAD_DEGREE * g->n;
    const int wanted = (int)g->job->knob[KNOB_SQUAD];
    if (p.bytes > shared_limit(g) || wanted == 0 || (wanted == 1 && !fair) ||
        g->job->knob[KNOB_DIRECTION] == 2)
        return p;
    const int64_t most = FRI_MIN(FRI_MIN(g->multiprocessors, (int)MOST_SQUAD), p.threads);
    p.blocks = (int)FRI_MIN(most, FRI_MAX(queue_room(g) / p.threads, 1));
    p.room = (int)FRI_MIN(queue_room(g) / p.blocks, (int64_t)POST_ENTRIES);
    return p;
}

template <class O> static void prepare_squad(const fri_gpu *g, parade *shown) {
    const near_plan p = plan_squad(g);
    cudaMemsetAsync(shown, 0, sizeof(parade), g->stream);
    if (p.blocks) /* asks for more shared memory than a block gets unasked */
        (void)fri_cluster_fits(squad_kernel<O>, 1, (unsigned)p.threads, p.bytes);
}

#endif
