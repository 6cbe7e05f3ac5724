/* BFS, `auto` on the GPU: many levels in one launch, on as much of the chip as the frontier needs.
 *
 * Source: ours. Layers of synchronisation as in UIUC-BFS (Luo, Wong, Hwu, DAC 2010); directions by
 *   Beamer, Asanovic, Patterson (SC 2012); a whole traversal in one persistent kernel as in BLEST.
 * Idea: while the frontier is thin, one thread-block cluster takes level after level, its hardware
 *   barrier between them; a wider one gets the whole chip and a grid barrier. There each level goes
 *   top-down from a queue or bottom-up on bitmaps, by expected time (policy.h). Queue entries are
 *   spans of at most 256 edges that carry their place in the edge array: no hub is walked by one
 *   warp, and the chain of dependent reads is entry, far end, its level, the queue's end.
 * Needs: in-edges, cooperative launch. Scratch: two queues of n + m / 256 spans (16 bytes), three
 *   bitmaps. Work: n + m at most. Launches: one per change of layer or 1,024 levels. Barriers: one
 *   per level, one more where queue and bitmap change. Atomics: a claim per unvisited edge end
 *   looked at top-down, an append per warp.
 * Good at: everything measured. Bad at: graphs too small for a GPU.
 */
#include "cuda/bfs/auto_policy.h"
#include "cuda/bfs/auto_pull.cuh"
#include "cuda/bfs_queues.h"

#include <string.h>

enum { KNOB_CLUSTER, KNOB_SMALL, KNOB_DIRECTION, KNOB_BLOCK };
enum { WAY_THIN, WAY_PUSH, WAY_PULL };
static const char *const ways[] = {"cluster", "top-down", "bottom-up"};
static const int PER_SM = 2; /* blocks: 64 registers a thread */
static const int PATIENCE = 8, SEED_BLOCK = 256, THIN_EDGES = 4, WIDE_DEGREE = 8;

/* All threads of the block: a slot that other SMs wrote before the last barrier. One thread reads
 * it for all: reads of one place queue up in L2. */
template <class O> static __device__ slot read_slot(const world<O> &w, int turn) {
    FRI_SHARED(slot, copy, 1);
    __syncthreads(); /* the copy before is read */
    if (threadIdx.x == 0) {
        const slot *s = &w.c->turn[turn];
        copy[0] = {fri_racy_load(&s->edges), fri_racy_load(&s->vertices),
                   fri_racy_load(&s->entries), fri_racy_load(&s->late), 0};
    }
    __syncthreads(); /* it is there */
    return copy[0];
}

template <class O>
static __device__ bool pulls(const world<O> &w, const state &s, const slot &now) {
    if (w.direction || w.team == CLUSTER)
        return w.direction == 2;
    fri_gpu_facts f = {(float)now.vertices,
                       (float)now.edges,
                       (float)(w.n - s.seen),
                       (float)((unsigned long long)w.m - s.explored),
                       (float)w.n,
                       (float)w.m,
                       s.is_bitmap != 0};
    return fri_gpu_pulls(&f);
}

/* The team: one level, bottom-up if `down`, but for what a pull puts off. */
template <class O>
static __device__ void one_level(const world<O> &w, const state &s, slot now, bool down,
                                 bundle *b) {
    slot *next = &w.c->turn[(s.turn + 1) % SLOTS];
    tally mine = {0, 0, 0};
    if (down && !s.is_bitmap) {
        to_bitmap(w, s.depth);
        team_sync(w); /* the bitmaps are there */
    } else if (!down && s.is_bitmap) {
        to_queue(w, s.depth, &w.c->turn[s.turn], b);
        team_sync(w); /* the queue is there */
        now = read_slot(w, s.turn);
    }
    if (down)
        pull(w, s.depth, next, b, &mine);
    else
        push(w, s.depth, now, next, b, &mine);
    settle(mine, next, w.c);
}

/* The team: a pull's late spans, if there are any; the next level's slot. */
template <class O> static __device__ slot finish_late(const world<O> &w, const state &s) {
    int turn = (s.turn + 1) % SLOTS;
    slot next = read_slot(w, turn);
    if (!s.is_bitmap || next.late == 0)
        return next;
    tally mine = {0, 0, 0};
    pull_late(w, s.depth, next.late, &mine);
    settle(mine, &w.c->turn[turn], w.c);
    team_sync(w); /* the level is complete */
    return read_slot(w, turn);
}

template <class O>
static __device__ void tell(const world<O> &w, int32_t at, const slot &now, int32_t way) {
    if (w.lines && blockIdx.x == 0 && threadIdx.x == 0)
        w.lines[at] = {now.edges, fri_clock_ns(), now.vertices, way};
}

template <class O> static __device__ void leave(const world<O> &w, const state &s, int32_t levels) {
    tell(w, levels, {0, 0, 0, 0, 0}, 0);
    if (blockIdx.x || threadIdx.x)
        return;
    w.c->levels = levels;
    w.c->seen = s.seen;
    w.c->is_bitmap = s.is_bitmap;
    w.c->explored = s.explored;
}

/* Little enough for a cluster: few entries, and few edges each. */
template <class O> static __host__ __device__ bool is_thin(const world<O> &w, const slot &now) {
    return now.entries <= w.small && now.edges <= (unsigned long long)w.small * THIN_EDGES;
}

/* Levels from s.depth on, until the frontier is empty, `most` are done, or another layer fits. */
template <class O>
static __global__ void __launch_bounds__(MOST_THREADS, PER_SM)
    levels_kernel(const __grid_constant__ world<O> w, state s) {
    FRI_SHARED(bundle, bundles, MOST_THREADS / FRI_WARP);
    int32_t done = 0, calm = 0;
    slot now = read_slot(w, s.turn);
    for (;;) {
        bool thin = !s.is_bitmap && is_thin(w, now);
        calm = thin ? calm + 1 : 0;
        if (done &&
            (now.vertices == 0 || done == w.most || (w.team == CLUSTER ? !thin : calm > PATIENCE)))
            break;
        s.seen += now.vertices;
        s.explored += now.edges;
        if (blockIdx.x == 0 && threadIdx.x == 0) /* nobody reads or writes this slot now */
            w.c->turn[(s.turn + 2) % SLOTS] = {0, 0, 0, 0, 0};
        bool down = pulls(w, s, now);
        tell(w, done, now, down ? WAY_PULL : w.team == GRID ? WAY_PUSH : WAY_THIN);
        one_level(w, s, now, down, &bundles[fri_warp()]);
        s.is_bitmap = down;
        team_sync(w); /* the level is complete, or all but what was put off */
        now = finish_late(w, s);
        s.turn = (s.turn + 1) % SLOTS;
        s.depth++;
        done++;
    }
    leave(w, s, done);
}

template <class O>
static __global__ void seed_kernel(const __grid_constant__ world<O> w, const int32_t *sources,
                                   int32_t count) {
    FRI_SHARED(bundle, bundles, SEED_BLOCK / FRI_WARP);
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    bool fresh[AT_ONCE] = {i < count};
    int32_t v[AT_ONCE] = {i < count ? sources[i] : 0};
    outlet out = outlet_of(w, 0, &w.c->turn[0].entries, &bundles[fri_warp()]);
    tally mine = {0, 0, 0};
    out.least = 1; /* a source's only edge leads on */
    enqueue(w, fresh, v, &out, &mine);
    flush(&out);
    settle(mine, &w.c->turn[0], w.c);
}

static int64_t queue_room(const fri_gpu *g) { return (int64_t)g->n + g->m / SPAN + 1; }
static size_t map_bytes(const fri_gpu *g) {
    return fri_line(fri_bytes(((int64_t)g->n + 31) / 32, sizeof(uint32_t)));
}
static size_t queue_bytes(const fri_gpu *g) {
    return fri_line(fri_bytes(queue_room(g), sizeof(span)));
}

static const size_t LINES_BYTES = (FRI_GPU_MOST_LEVELS + 1) * sizeof(line);

static size_t scratch(const fri_gpu *g) {
    return 2 * queue_bytes(g) + 3 * map_bytes(g) + fri_line(LINES_BYTES);
}

template <class O> static world<O> world_of(fri_gpu *g) {
    char *at = g->scratch;
    world<O> w = {};
    w.out = fri_rows_of<O>(g->out);
    w.in = fri_rows_of<O>(g->in);
    w.n = g->n;
    w.m = g->m;
    w.symmetric = g->job->csr.symmetric;
    w.level = g->level;
    w.parent = g->parent;
    for (int i = 0; i < 2; i++)
        w.queue[i] = (span *)fri_carve(&at, queue_bytes(g));
    for (int i = 0; i < 2; i++)
        w.front[i] = (uint32_t *)fri_carve(&at, map_bytes(g));
    w.visited = (uint32_t *)fri_carve(&at, map_bytes(g));
    w.lines = g->job->levels ? (line *)fri_carve(&at, LINES_BYTES) : nullptr;
    w.c = (control *)g->words;
    return w;
}

static control *host_control(fri_gpu *g) { return (control *)g->host_words; }

static fr_status begin(fri_gpu *g) {
    static_assert(sizeof(control) <= FRI_WORD_SUM * sizeof(int32_t), "control fits the words");
    memset(g->host_words, 0, FRI_GPU_WORDS * sizeof(int32_t));
    host_control(g)->turn[0].entries = g->source_count; /* the layer of the first level */
    FRI_BY_WIDTH(
        g, (FRI_LAUNCH((seed_kernel<O>), fri_gpu_blocks(g->source_count, SEED_BLOCK), SEED_BLOCK, 0,
                       g->stream, world_of<O>(g), g->sources, g->source_count)));
    return FR_OK;
}

/* Threads per block: no more than the graph can keep busy. */
static int block_of(const fri_gpu *g) {
    int64_t threads = (int64_t)fri_job_knob(g->job, KNOB_BLOCK, (double)(g->n / 16));
    return (int)FRI_MIN(FRI_MAX(threads / FRI_WARP * FRI_WARP, FRI_WARP), MOST_THREADS);
}

static int cluster_of(const fri_gpu *g) {
    int blocks = (int)fri_job_knob(g->job, KNOB_CLUSTER, FRI_MIN(16, g->multiprocessors));
    return g->compute_capability >= 90 ? blocks : 1;
}

template <class O> static void launch(fri_gpu *g, const world<O> &w, const state &s) {
    unsigned block = (unsigned)block_of(g);
    if (w.team == CLUSTER)
        FRI_LAUNCH_CLUSTER((levels_kernel<O>), (unsigned)cluster_of(g), block, 0, g->stream, w, s);
    else
        FRI_LAUNCH_COOPERATIVE((levels_kernel<O>), (unsigned)(PER_SM * g->multiprocessors), block,
                               0, g->stream, w, s);
}

template <class O> static fr_status launch_levels(fri_gpu *g, int32_t depth, int32_t most) {
    const control *c = host_control(g);
    state s = {depth, c->is_bitmap, c->seen, depth % SLOTS, c->explored};
    world<O> w = world_of<O>(g);
    w.most = most;
    w.direction = (int32_t)fri_job_knob(g->job, KNOB_DIRECTION, 0);
    /* four lanes to an entry, in two turns */
    w.small = (int32_t)fri_job_knob(g->job, KNOB_SMALL, cluster_of(g) * block_of(g) / 2);
    bool starts_wide = depth == 0 && g->m > (int64_t)WIDE_DEGREE * g->n;
    bool thin = !s.is_bitmap && !starts_wide && is_thin(w, c->turn[s.turn]);
    w.team = thin && w.direction != 2 ? CLUSTER : GRID;
    launch(g, w, s);
    return fri_gpu_check(g, cudaGetLastError(), "launching levels");
}

static fr_status tell_lines(fri_gpu *g, int32_t levels) {
    line lines[FRI_GPU_MOST_LEVELS + 1];
    size_t bytes = ((size_t)levels + 1) * sizeof(line);
    FRI_GPU_TRY(fri_gpu_download(g, lines, world_of<uint32_t>(g).lines, bytes));
    for (int32_t i = 0; i < levels; i++)
        fri_job_level(g->job, ways[lines[i].way], lines[i].vertices, (int64_t)lines[i].edges,
                      (int64_t)(lines[i + 1].began - lines[i].began));
    return FR_OK;
}

static fr_status leap(fri_gpu *g, int32_t depth, int32_t most, fri_gpu_leap *did) {
    control *c = host_control(g);
    unsigned long long before = c->examined;
    fr_status status = FR_OK;
    FRI_BY_WIDTH(g, status = launch_levels<O>(g, depth, most));
    FRI_GPU_TRY(status);
    FRI_GPU_TRY(fri_gpu_read_words(g, 0, (int)(sizeof(control) / sizeof(int32_t))));
    did->levels = c->levels;
    did->found = c->turn[(depth + c->levels) % SLOTS].vertices;
    did->edges = (int64_t)(c->examined - before);
    did->told = g->job->levels != nullptr;
    return did->told ? tell_lines(g, did->levels) : FR_OK;
}

static const fr_knob knobs[] = {
    {"cluster", FR_KNOB_AUTO, 1, 16, "blocks of the cluster that takes thin levels; default 16"},
    {"small", FR_KNOB_AUTO, 0, 1e9,
     "queue entries up to which a level is thin; default: half of the cluster's threads"},
    {"direction", 0, 0, 2, "0 by expected time, 1 always top-down, 2 always bottom-up"},
    {"block", FR_KNOB_AUTO, 32, MOST_THREADS,
     "threads per block, whole warps; default 512, fewer on graphs below 8,192 vertices"},
    {nullptr, 0, 0, 0, nullptr}};
static const fri_gpu_row device_side = {scratch, begin, nullptr, nullptr, leap};

FRI_GPU_ROW(fri_gpu_bfs_auto) = {
    .name = "auto",
    .source = "fringe",
    .text = "thin levels on a cluster, wide ones on the whole chip, top-down or bottom-up",
    .problem = FR_BFS,
    .backend = FR_CUDA,
    .needs = FRI_IN_EDGES,
    .knobs = knobs,
    .counts = FRI_COUNTS_CLAIMS,
    FRI_GPU_BFS_ROW(device_side),
};
