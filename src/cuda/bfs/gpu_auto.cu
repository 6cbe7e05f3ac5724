/* BFS, `auto` on the GPU: many levels in one launch, on as much of the chip as the frontier needs.
 *
 * Source: ours. Layers of synchronisation as in UIUC-BFS (Luo, Wong, Hwu, DAC 2010); directions by
 *   Beamer, Asanovic, Patterson (SC 2012); a whole traversal in one persistent kernel as in BLEST.
 * Idea: while the frontier is thin, one thread-block cluster takes level after level, frontier and
 *   visited bitmap in its shared memory, the counters coming with its barrier (auto_thin.cuh,
 *   auto_cell.cuh); in graphs of at most 3 edges a vertex an entry carries its targets
 *   (auto_rows.cuh). A middling frontier lies in the shared memory of a crew, one block a
 *   multiprocessor, claims in L2; in graphs without such rows the crew begins. A wider one gets the
 *   whole chip and a grid barrier. There each level goes top-down from a queue
 *   or bottom-up on bitmaps, by expected time (auto_policy.h). Queue entries are spans of at most
 *   256 edges that carry their place in the edge array: no hub is walked by one warp, and offsets
 *   are read while a vertex is claimed. A pull looks at one in-neighbour of many edges first, and
 *   its lanes take the vertices that are still open, wherever these stand.
 * Needs: in-edges, cooperative launch. Scratch: two queues of n + m / 256 spans (16 bytes), three
 *   bitmaps, n heads, n rows of 16 bytes where m <= 3 n. Preparation: heads, at most 8 in-edges of
 *   each vertex; rows. Work: m; what a pull
 *   looks at in vain comes again. Launches: one per change of layer or 1,024 levels. Barriers: one
 *   per level, one more where the frontier's form changes or a pull puts vertices off. Atomics: a
 *   claim per edge end that looks new top-down (on the cluster per edge), four per block and level.
 * Good at: power laws and uniform graphs: in its first form the fastest row of five of the nine
 *   graphs of `--suite gpu` on an H200. Bad at: graphs too small for a GPU; that form also lost to
 *   bfs4k on the lattice, the 3D grid and moscow by 2, 25 and 6 %, and to xbfs on the wiki-like
 *   graph by 12. This form was not measured.
 */
#include "cuda/bfs/auto_plan.cuh"
#include "cuda/bfs/auto_policy.h"
#include "cuda/bfs/auto_pull.cuh"
#include "cuda/bfs/auto_push.cuh"
#include "cuda/bfs/auto_start.cuh"
#include "cuda/bfs_queues.h"

#include <string.h>

static const char *const ways[] = {"cluster", "top-down", "bottom-up", "crew"};
static const int PER_SM = 2; /* blocks: 64 registers a thread */
static const int PATIENCE = 8, FILL_BLOCK = 256, WIDE_DEGREE = 8, HUB_SPANS = 4;
static const int ALL_PARTS = 511;

/* All threads of the block, after a grid barrier: a slot that other SMs wrote before it. One thread
 * reads it for all: reads of one place queue up in L2. */
template <class O> static __device__ slot read_slot(const world<O> &w, int turn) {
    FRI_SHARED(slot, copy, 1);
    if (threadIdx.x == 0) {
        const slot *s = &w.c->turn[turn];
        copy[0] = {fri_racy_load(&s->edges), fri_racy_load(&s->vertices),
                   fri_racy_load(&s->entries), fri_racy_load(&s->late), 0};
    }
    __syncthreads(); /* it is there */
    return copy[0];
}

template <class O>
static __device__ fri_gpu_facts facts_of(const world<O> &w, const state &s, const slot &now) {
    return {(float)now.vertices,
            (float)now.edges,
            (float)FRI_MAX(w.reachable - s.seen, 1),
            (float)((unsigned long long)w.m - s.explored),
            (float)w.n,
            (float)w.m,
            w.bias,
            s.form == BITMAP,
            s.form == QUEUE};
}

template <class O>
static __device__ bool pulls(const world<O> &w, const state &s, const slot &now) {
    fri_gpu_facts f = facts_of(w, s, now);
    return fri_gpu_pulls(&f);
}

/* Whether the level after a push of `now` will be pulled, so that no queue need be written. */
template <class O>
static __device__ bool leans(const world<O> &w, const state &s, const slot &now) {
    fri_gpu_facts f = facts_of(w, s, now);
    return (w.parts & PART_LEAN) && !w.direction && fri_gpu_pulls_next(&f);
}

/* The team: the frontier in the form that the level needs; ends with a grid barrier. */
template <class O>
static __device__ slot convert(const world<O> &w, const state &s, const slot &now, bool down,
                               bundle *b) {
    if (s.form != BITMAP) {
        to_bitmap(w, s.depth);
        fri_grid_sync(); /* the bitmap is there */
    }
    if (down)
        return now;
    to_queue(w, s.depth, &w.c->turn[s.turn], b);
    fri_grid_sync(); /* the queue is there */
    return read_slot(w, s.turn);
}

/* The team: one level, bottom-up if `down`, but for what a pull puts off; the next one's form. */
template <class O>
static __device__ form one_level(const world<O> &w, const state &s, slot now, bool down,
                                 bundle *b) {
    slot *next = &w.c->turn[(s.turn + 1) % SLOTS];
    tally<O> mine = {0, 0, 0};
    finds to = {{b, &next->entries, s.depth + 1, 0}, !down && leans(w, s, now)};
    if (s.form != (down ? BITMAP : QUEUE))
        now = convert(w, s, now, down, b);
    if (down)
        pull(w, s.depth, next, b, &mine);
    else
        push(w, s.depth, now, b, &to, &mine);
    settle(w, mine, &to.out, next);
    return down ? BITMAP : to.lean ? LEVELS : QUEUE;
}

/* The team: a pull's late spans, if there are any; the next level's slot. */
template <class O>
static __device__ slot finish_late(const world<O> &w, const state &s, bundle *b) {
    int turn = (s.turn + 1) % SLOTS;
    slot next = read_slot(w, turn);
    if (s.form != BITMAP || next.late == 0)
        return next;
    tally<O> mine = {0, 0, 0};
    outlet none = {b, nullptr, s.depth, 0};
    pull_late(w, s.depth, next.late, &mine);
    settle(w, mine, &none, &w.c->turn[turn]);
    fri_grid_sync(); /* the level is complete */
    return read_slot(w, turn);
}

/* Levels from s.depth on, until the frontier is empty, `most` are done, or the cluster fits better.
 */
template <class O>
static __global__ void __launch_bounds__(MOST_THREADS, PER_SM)
    levels_kernel(const __grid_constant__ world<O> w, state s) {
    FRI_SHARED(bundle, bundles, MOST_THREADS / FRI_WARP);
    int32_t done = 0, calm = 0;
    if (w.starts) {
        start(w);
        fri_grid_sync(); /* arrays and queue are there */
    }
    slot now = read_slot(w, s.turn);
    for (;;) {
        /* a bitmap's entries are no fact yet: faster blocks may be queueing it */
        int32_t entries = s.form == QUEUE ? now.entries : now.vertices;
        bool thin = is_thin(entries, now.edges, w.small / 2);
        calm = thin ? calm + 1 : 0;
        if (done && (now.vertices == 0 || done == w.most || (calm > PATIENCE && s.form == QUEUE)))
            break;
        s.seen += now.vertices;
        s.explored += now.edges;
        if (blockIdx.x == 0 && threadIdx.x == 0) /* nobody reads or writes this slot now */
            w.c->turn[(s.turn + 2) % SLOTS] = {0, 0, 0, 0, 0};
        bool down = w.direction ? w.direction == 2 : calm <= PATIENCE && pulls(w, s, now);
        tell(w, done, now, down ? WAY_PULL : WAY_PUSH);
        s.form = one_level(w, s, now, down, &bundles[fri_warp()]);
        fri_grid_sync(); /* the level is complete, or all but what was put off */
        now = finish_late(w, s, &bundles[fri_warp()]);
        s.turn = (s.turn + 1) % SLOTS;
        s.depth++;
        done++;
    }
    leave(w, s, done);
}

static size_t map_bytes(const fri_gpu *g) {
    return fri_line(fri_bytes(words_of(g->n), sizeof(uint32_t)));
}
static size_t queue_bytes(const fri_gpu *g) {
    return fri_line(fri_bytes(queue_room(g), sizeof(span)));
}
static size_t heads_bytes(const fri_gpu *g) {
    return has_part(g, PART_HEADS) ? fri_line(fri_bytes(g->n, sizeof(int32_t))) : 0;
}
static const size_t LINES_BYTES = (FRI_GPU_MOST_LEVELS + 1) * sizeof(line);

static size_t scratch(const fri_gpu *g) {
    return 2 * queue_bytes(g) + 3 * map_bytes(g) + heads_bytes(g) + rows_bytes(g) +
           fri_line(LINES_BYTES);
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
    w.heads = heads_bytes(g) ? (int32_t *)fri_carve(&at, heads_bytes(g)) : nullptr;
    w.rows = rows_bytes(g) ? (int4 *)fri_carve(&at, rows_bytes(g)) : nullptr;
    w.lines = g->job->levels ? (line *)fri_carve(&at, LINES_BYTES) : nullptr;
    w.sources = g->sources;
    w.c = (control *)g->words;
    w.parts = (int32_t)g->job->knob[KNOB_PARTS];
    w.probe = (int32_t)g->job->knob[KNOB_PROBE];
    w.bias = (float)g->job->knob[KNOB_BIAS] / 100.0f;
    w.direction = (int32_t)g->job->knob[KNOB_DIRECTION];
    return w;
}

static control *host_control(fri_gpu *g) { return (control *)g->host_words; }

/* The graph's facts and heads, after what every row prepares. */
static fr_status prepare(fri_job *job) {
    FRI_GPU_TRY(fri_gpu_prepare(job));
    fri_gpu *g = (fri_gpu *)job->device;
    holding *h = (holding *)fri_calloc(job->ctx, sizeof(holding));
    if (!h)
        return FR_NOMEM;
    g->state = h;
    FRI_GPU_TRY(fri_gpu_clear_words(g));
    FRI_BY_WIDTH(g, (FRI_LAUNCH((heads_kernel<O>), fri_gpu_blocks(g->n, FILL_BLOCK), FILL_BLOCK, 0,
                                g->stream, fri_rows_of<O>(g->out), fri_rows_of<O>(g->in), g->n,
                                world_of<O>(g).heads, (facts *)g->words)));
    FRI_GPU_TRY(fri_gpu_read_words(g, 0, (int)(sizeof(facts) / sizeof(int32_t))));
    memcpy(&h->graph, g->host_words, sizeof(facts));
    if (has_rows(g))
        FRI_BY_WIDTH(g,
                     (FRI_LAUNCH((rows_kernel<O>), fri_gpu_blocks(g->n, FILL_BLOCK), FILL_BLOCK, 0,
                                 g->stream, fri_rows_of<O>(g->out), g->n, world_of<O>(g).rows)));
    FRI_BY_WIDTH(g, h->near = choose_near<O>(g));
    return fri_gpu_check(g, cudaGetLastError(), "making rows");
}

/* Whether the first level is for the cluster, which begins with few edges for sure. */
static bool starts_thin(const fri_gpu *g) {
    return g->m <= (int64_t)WIDE_DEGREE * g->n && held(g)->graph.widest <= HUB_SPANS * SPAN;
}

/* Whether `leap` fills the arrays, and zeroes the counters, itself. */
static bool starts(const fri_gpu *g) {
    return has_part(g, PART_START) && g->source_count == 1 && !g->job->target_map && !g->job->count;
}

/* One source: `leap` fills the arrays. More: they are filled, now the queue and the bitmap. */
static fr_status begin(fri_gpu *g) {
    static_assert(sizeof(control) <= FRI_WORD_SUM * sizeof(int32_t), "control fits the words");
    memset(g->host_words, 0, FRI_GPU_WORDS * sizeof(int32_t));
    /* decides on the layer of the first level; no less than there are, if none is a hub */
    host_control(g)->turn[0].entries = FRI_MIN(g->source_count, INT32_MAX / HUB_SPANS) * HUB_SPANS;
    if (starts(g))
        return FR_OK;
    FRI_GPU_TRY(fri_gpu_check(
        g, cudaMemsetAsync(world_of<uint32_t>(g).visited, 0, map_bytes(g), g->stream), "clearing"));
    FRI_BY_WIDTH(g, (FRI_LAUNCH((seed_kernel<O>), fri_gpu_blocks(g->source_count, FILL_BLOCK),
                                FILL_BLOCK, 0, g->stream, world_of<O>(g), g->source_count)));
    return FR_OK;
}

template <class O>
static void launch(fri_gpu *g, const world<O> &w, const state &s, const near_plan *near) {
    unsigned full = (unsigned)(PER_SM * g->multiprocessors);
    if (!near) {
        FRI_LAUNCH_COOPERATIVE((levels_kernel<O>), full,
                               (unsigned)block_of(g, KNOB_BLOCK, MOST_THREADS), 0, g->stream, w, s);
        return;
    }
    if (w.starts)
        FRI_LAUNCH((start_kernel<O>), FRI_MIN(8 * full, fri_gpu_blocks(g->n / 4, FILL_BLOCK)),
                   FILL_BLOCK, 0, g->stream, w);
    if (w.crew) {
        FRI_LAUNCH_COOPERATIVE((thin_kernel<O>), (unsigned)near->blocks, (unsigned)near->threads,
                               near->bytes, g->stream, w, s, (int32_t)0);
        return;
    }
    FRI_LAUNCH_CLUSTER((thin_kernel<O>), (unsigned)near->blocks, (unsigned)near->threads,
                       near->bytes, g->stream, w, s, (int32_t)near->has_map);
}

template <class O> static fr_status launch_levels(fri_gpu *g, int32_t depth, int32_t most) {
    const control *c = host_control(g);
    const state s = {depth, c->form, c->seen, depth % SLOTS, c->explored};
    const slot *now = &c->turn[s.turn];
    near_plan near = held(g)->near;
    world<O> w = world_of<O>(g);
    w.reachable = held(g)->graph.reachable;
    w.most = most;
    w.rows = has_rows(g) ? w.rows : nullptr;
    w.starts = depth == 0 && starts(g);
    memcpy(w.met, c->met, sizeof w.met);
    set_limits(g, &w);
    bool may = s.form == QUEUE && w.direction != 2 && (depth || starts_thin(g));
    bool thin = may && is_thin(now->entries, now->edges, w.small);
    w.crew = may && !thin && is_thin(now->entries, now->edges, w.middle);
    if (w.crew)
        near = plan_crew(g);
    else if (!thin)
        w.small = FRI_MAX(w.small, w.middle / 8);
    w.room = near.room;
    launch(g, w, s, thin || w.crew ? &near : nullptr);
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
    FRI_GPU_TRY(fri_gpu_check(g, cudaEventRecord(g->end, g->stream), "stopping the clock"));
    g->ended = true;
    FRI_GPU_TRY(fri_gpu_read_words(g, 0, (int)(sizeof(control) / sizeof(int32_t))));
    did->levels = c->levels;
    did->found = c->turn[(depth + c->levels) % SLOTS].vertices;
    did->edges = (int64_t)(c->examined - before);
    did->told = g->job->levels != nullptr;
    return did->told ? tell_lines(g, did->levels) : FR_OK;
}

static const fr_knob knobs[] = {
    {"cluster", FR_KNOB_AUTO, 1, 16,
     "blocks of the cluster that takes thin levels, a power of two; default 16"},
    {"small", FR_KNOB_AUTO, 0, 1e9,
     "queue entries up to which a level is thin; default: the cluster's threads where entries "
     "carry "
     "their targets, else 0"},
    {"direction", 0, 0, 2, "0 by expected time, 1 always top-down, 2 always bottom-up"},
    {"block", FR_KNOB_AUTO, 32, MOST_THREADS,
     "threads per block, whole warps; default 512, fewer on graphs below 8,192 vertices"},
    {"threads", FR_KNOB_AUTO, 32, THIN_THREADS,
     "threads per block of the cluster; default as block's"},
    {"probe", 128, 0, 65536, "edges a pull has several lanes look at before the whole chip helps"},
    {"bias", 100, 1, 10000, "expected time of top-down levels, per cent"},
    {"parts", (double)ALL_PARTS, 0, (double)ALL_PARTS,
     "sum of: 1 fill and begin in one launch; 2 claims in the bitmap; 4 in the cluster's shared "
     "memory; 8 no queue before a pull; 16 likely parents first; 32 finds stay in their block; 64 "
     "entries carry their targets there; 128 the next ones' fetched ahead; 256 the crew's blocks "
     "skip what they have tried"},
    {"middle", 65536, 0, 1e6,
     "queue entries up to which a crew of one block a multiprocessor takes levels that are not "
     "thin; "
     "0: none"},
    {"crew", FR_KNOB_AUTO, 32, THIN_THREADS, "threads per block of the crew; default 1,024"},
    {nullptr, 0, 0, 0, nullptr}};
static const fri_gpu_row device_side = {
    .scratch = scratch, .begin = begin, .leap = leap, .starts = starts};

FRI_GPU_ROW(fri_gpu_bfs_auto) = {
    .name = "auto",
    .source = "fringe",
    .text = "thin levels on a cluster, wide ones on the whole chip, top-down or bottom-up",
    .problem = FR_BFS,
    .backend = FR_CUDA,
    .needs = FRI_IN_EDGES,
    .knobs = knobs,
    .counts = FRI_COUNTS_CLAIMS,
    .gpu = &device_side,
    .device_bytes = fri_gpu_bytes,
    .prepare = prepare,
    .release = fri_gpu_release,
    .run = fri_gpu_bfs_run,
};
