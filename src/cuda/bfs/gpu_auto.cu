/* BFS, `auto` on the GPU: many levels in one launch, on as much of the chip as the frontier needs.
 *
 * Source: ours. Layers of synchronisation as in UIUC-BFS (Luo, Wong, Hwu, DAC 2010); directions by
 *   Beamer, Asanovic, Patterson (SC 2012); a whole traversal in one persistent kernel as in BLEST.
 * Idea: while the frontier is thin, one thread-block cluster takes level after level, frontier and
 *   visited bitmap in its shared memory, the counters coming with its barrier (auto_thin.cuh,
 *   auto_cell.cuh); in graphs of at most 3 edges a vertex an entry carries its targets
 *   (auto_rows.cuh). A middling frontier lies in the shared memory of a crew, one block a
 *   multiprocessor, claims in L2. A wider one gets the whole chip and a grid barrier. There each
 *   level goes top-down from a queue or bottom-up on bitmaps, by expected time (auto_policy.h).
 *   Queue entries are spans of at most 256 edges that carry their place in the edge array: no hub
 *   is walked by one warp, offsets are read while a vertex is claimed, and a block deals its spans'
 *   edges out evenly. A pull looks at one in-neighbour of many edges of all open vertices first, if
 *   the graph has hubs, and its lanes take those that are still open, wherever these stand; what is
 *   still open after 32 edges is dealt out evenly too.
 * Needs: in-edges, cooperative launch. Scratch: two queues of n + m / 256 spans (16 bytes), four
 *   bitmaps, n heads, n rows of 16 bytes where m <= 3 n. Preparation: facts, heads from at most 8
 *   in-edges of each vertex, rows. Work: m; what a pull looks at in vain comes again. Launches: one
 *   per change of layer or 1,024 levels. Barriers: one per level, one more where the frontier's
 *   form changes or a pull puts vertices off. Atomics: a claim per edge end that looks new top-down
 *   (on the cluster per edge), four per block and level.
 * Good at: power laws, deep graphs. Bad at: graphs too small for a GPU; uniform graphs are slower
 *   than in the second form. Medians in ms, H200, driver 580.159.04: "second" is commit 9615e23
 *   with 8-32 sources, "now" commit 4145fb0, `--suite gpu` with 64; in brackets the aims;
 *   Kronecker 24 with 8 sources by a form just before the last:
 *
 *     graph            second       now                 graph      second  now
 *     Kronecker 21     0.124-0.125  0.116 (0.113)       uniform    0.217   0.252 (0.198)
 *     Kronecker 24     1.41         0.74 (0.81)         moscow     1.55    1.18 (1.3)
 *     LiveJournal-like 0.305-0.311  0.258 (0.199)       lattice    5.3-5.4 4.12 (4.0)
 *     wiki-like        0.157-0.214  0.157 (0.116)       215^3 grid 3.9     2.75 (2.0)
 *     cnr-2000         0.532-0.604  0.312 (0.116)       ribbon     3.85    3.78
 *
 *   What each part brings: docs/performance-notes.md.
 */
#include "cuda/bfs/auto_choice.cuh"
#include "cuda/bfs/auto_plan.cuh"
#include "cuda/bfs/auto_pull.cuh"
#include "cuda/bfs/auto_push.cuh"
#include "cuda/bfs/auto_start.cuh"
#include "cuda/bfs_queues.h"

#include <string.h>

static const char *const ways[] = {"cluster", "top-down", "bottom-up", "crew"};
static const int PER_SM = 2; /* blocks: 64 registers a thread */
static const int FILL_BLOCK = 256, WIDE_DEGREE = 8, HUB_SPANS = 4;
static const int ALL_PARTS = 4095;

/* All threads of the block, after a grid barrier: a count that other SMs wrote before it. One
 * thread reads it for all: reads of one place queue up in L2. */
static __device__ int32_t read_count(const int32_t *count) {
    FRI_SHARED(int32_t, copy, 1);
    if (threadIdx.x == 0)
        *copy = fri_racy_load(count);
    __syncthreads(); /* it is there */
    return *copy;
}

/* The team: the frontier in the form that the level needs; ends with a grid barrier. Entries of its
 * queue. */
template <class O>
static __device__ int32_t convert(const world<O> &w, const state &s, const choice &to_do,
                                  bundle<O> *b) {
    if (to_do.has != BITMAP) {
        to_bitmap(w, s.depth);
        fri_grid_sync(); /* the bitmap is there */
    }
    if (to_do.down)
        return 0;
    to_queue(w, s.depth, &w.c->turn[s.turn], b);
    fri_grid_sync(); /* the queue is there */
    return read_count(&w.c->turn[s.turn].entries);
}

/* The team: one level, as chosen, but for what a pull puts off. */
template <class O>
static __device__ void one_level(const world<O> &w, const state &s, const choice &to_do,
                                 bundle<O> *b, shelf<O> *on) {
    int32_t entries = to_do.entries;
    slot *next = &w.c->turn[(s.turn + 1) % SLOTS];
    tally<O> mine = {0, 0, 0};
    finds<O> to = {{b, &next->entries, s.depth + 1, 0}, to_do.lean, nullptr};
    if (to_do.down)
        to.out = {b, &next->late, s.depth, 0};
    if (to_do.lean && to_do.next == BITMAP)
        to.bits = w.front[(s.depth + 1) & 1];
    if (to_do.has != (to_do.down ? BITMAP : QUEUE))
        entries = convert(w, s, to_do, b);
    if (to_do.down)
        pull(w, s.depth, on, &to.out, &mine);
    else
        push(w, s.depth, entries, on, &to, &mine);
    settle(w, mine, &to.out, next);
}

/* The team, after a pull: what it put off, if anything. */
template <class O>
static __device__ void finish_late(const world<O> &w, const state &s, bundle<O> *b, shelf<O> *on) {
    slot *next = &w.c->turn[(s.turn + 1) % SLOTS];
    const int32_t late = read_count(&next->late);
    if (late == 0)
        return;
    tally<O> mine = {0, 0, 0};
    outlet<O> none = {b, nullptr, s.depth, 0};
    pull_late(w, s.depth, late, on, &mine);
    settle(w, mine, &none, next);
    fri_grid_sync(); /* the level is complete */
}

/* Levels from s.depth on, until the frontier is empty, `most` are done, or the cluster fits better.
 */
template <class O>
static __global__ void __launch_bounds__(MOST_THREADS, PER_SM)
    levels_kernel(const __grid_constant__ world<O> w, state s) {
    FRI_SHARED(bundle<O>, bundles, MOST_THREADS / FRI_WARP);
    FRI_SHARED(sheaf, sheaves, MOST_THREADS / FRI_WARP);
    shelf<O> *shelves = (shelf<O> *)sheaves;
    FRI_SHARED(choice, mind, 1);
    if (threadIdx.x == 0)
        *mind = {s.explored, s.seen,       0,     0,     0,    0.0f, s.clean,
                 QUEUE,      (form)s.form, false, false, false};
    if (w.starts) {
        start(w);
        fri_grid_sync(); /* arrays and queue are there */
    }
    for (;;) {
        if (threadIdx.x == 0)
            choose(w, s.depth, s.turn, mind);
        __syncthreads(); /* the block knows what to do */
        if (mind->ends)
            break;
        if (blockIdx.x == 0 && threadIdx.x == 0) /* nobody reads or writes this slot now */
            w.c->turn[(s.turn + 2) % SLOTS] = {0, 0, 0, 0, 0};
        one_level(w, s, *mind, &bundles[fri_warp()], shelves);
        const bool down = mind->down; /* read before the first thread may choose again */
        fri_grid_sync();              /* the level is complete, or all but what was put off */
        if (down)
            finish_late(w, s, &bundles[fri_warp()], shelves);
        s.turn = (s.turn + 1) % SLOTS;
        s.depth++;
    }
    s.form = mind->has;
    s.seen = mind->seen;
    s.explored = mind->explored;
    leave(w, s, mind->done);
}

static size_t map_bytes(const fri_gpu *g) {
    return fri_line(fri_bytes(words_of(g->n), sizeof(uint32_t)));
}
static size_t queue_bytes(const fri_gpu *g) {
    return fri_line(fri_bytes(queue_room(g), sizeof(span)));
}
static size_t closed_bytes(const fri_gpu *g) { return has_part(g, PART_CLOSED) ? map_bytes(g) : 0; }

static const size_t LINES_BYTES = (FRI_GPU_MOST_LEVELS + 1) * sizeof(line);

static size_t scratch(const fri_gpu *g) {
    return 2 * queue_bytes(g) + 3 * map_bytes(g) + heads_bytes(g) + closed_bytes(g) +
           rows_bytes(g) + fri_line(LINES_BYTES);
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
    w.closed = closed_bytes(g) ? (uint32_t *)fri_carve(&at, closed_bytes(g)) : nullptr;
    w.rows = rows_bytes(g) ? (int4 *)fri_carve(&at, rows_bytes(g)) : nullptr;
    w.lines = g->job->levels ? (line *)fri_carve(&at, LINES_BYTES) : nullptr;
    w.sources = g->sources;
    w.c = (control *)g->words;
    w.parts = (int32_t)g->job->knob[KNOB_PARTS];
    w.bias = (float)g->job->knob[KNOB_BIAS] / 100.0f;
    w.direction = (int32_t)g->job->knob[KNOB_DIRECTION];
    return w;
}

static control *host_control(fri_gpu *g) { return (control *)g->host_words; }

/* The graph's facts, heads and rows, after what every row prepares. */
static fr_status prepare(fri_job *job) {
    FRI_GPU_TRY(fri_gpu_prepare(job));
    fri_gpu *g = (fri_gpu *)job->device;
    holding *h = (holding *)fri_calloc(job->ctx, sizeof(holding));
    if (!h)
        return FR_NOMEM;
    g->state = h;
    FRI_GPU_TRY(fri_gpu_clear_words(g));
    const unsigned blocks = fri_gpu_blocks(g->n, FILL_BLOCK);
    FRI_BY_WIDTH(
        g, (FRI_LAUNCH((facts_kernel<O>), blocks, FILL_BLOCK, 0, g->stream, fri_rows_of<O>(g->out),
                       fri_rows_of<O>(g->in), g->n, world_of<O>(g).closed, (facts *)g->words)));
    FRI_GPU_TRY(fri_gpu_read_words(g, 0, (int)(sizeof(facts) / sizeof(int32_t))));
    memcpy(&h->graph, g->host_words, sizeof(facts));
    if (has_heads(g))
        FRI_BY_WIDTH(g, (FRI_LAUNCH((heads_kernel<O>), blocks, FILL_BLOCK, 0, g->stream,
                                    fri_rows_of<O>(g->out), fri_rows_of<O>(g->in), g->n,
                                    world_of<O>(g).heads)));
    if (has_rows(g))
        FRI_BY_WIDTH(g, (FRI_LAUNCH((rows_kernel<O>), blocks, FILL_BLOCK, 0, g->stream,
                                    fri_rows_of<O>(g->out), g->n, world_of<O>(g).rows)));
    FRI_BY_WIDTH(g, h->near = choose_near<O>(g));
    return fri_gpu_check(g, cudaGetLastError(), "making heads and rows");
}

/* Whether the first level is for the cluster, which begins with few edges for sure. */
static bool starts_thin(const fri_gpu *g) {
    return g->m <= (int64_t)WIDE_DEGREE * g->n && held(g)->graph.widest <= HUB_SPANS * SPAN;
}

/* Whether `leap` fills the arrays, and zeroes the counters, itself. */
static bool starts(const fri_gpu *g) {
    return has_part(g, PART_START) && g->source_count == 1 && !g->job->target_map && !g->job->count;
}

static fr_status clear_visited(fri_gpu *g) {
    const world<uint32_t> w = world_of<uint32_t>(g);
    size_t bytes = fri_bytes(words_of(g->n), sizeof(uint32_t));
    return fri_gpu_check(
        g,
        w.closed ? cudaMemcpyAsync(w.visited, w.closed, bytes, cudaMemcpyDeviceToDevice, g->stream)
                 : cudaMemsetAsync(w.visited, 0, bytes, g->stream),
        "clearing");
}

/* One source: `leap` fills the arrays. More: they are filled, now the queue and the bitmap. */
static fr_status begin(fri_gpu *g) {
    static_assert(sizeof(control) <= FRI_WORD_SUM * sizeof(int32_t), "control fits the words");
    memset(g->host_words, 0, FRI_GPU_WORDS * sizeof(int32_t));
    /* decides on the layer of the first level; no less than there are, if none is a hub */
    host_control(g)->turn[0].entries = FRI_MIN(g->source_count, INT32_MAX / HUB_SPANS) * HUB_SPANS;
    if (starts(g))
        return FR_OK;
    FRI_GPU_TRY(clear_visited(g));
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
    if (near->is_crew) {
        FRI_LAUNCH_COOPERATIVE((thin_kernel<O, crew>), (unsigned)near->blocks,
                               (unsigned)near->threads, near->bytes, g->stream, w, s, (int32_t)0);
        return;
    }
    FRI_LAUNCH_CLUSTER((thin_kernel<O, cluster>), (unsigned)near->blocks, (unsigned)near->threads,
                       near->bytes, g->stream, w, s, (int32_t)near->has_map);
}

template <class O> static fr_status launch_levels(fri_gpu *g, int32_t depth, int32_t most) {
    const control *c = host_control(g);
    const int clean = depth == 0 && starts(g) ? 3 : 0; /* start clears the bitmaps */
    const state s = {depth, c->form, c->seen, depth % SLOTS, clean, c->explored};
    const slot *now = &c->turn[s.turn];
    near_plan near = held(g)->near;
    world<O> w = world_of<O>(g);
    w.reachable = held(g)->graph.reachable;
    w.widest = held(g)->graph.widest;
    w.most = most;
    w.rows = has_rows(g) ? w.rows : nullptr;
    w.heads = has_heads(g) ? w.heads : nullptr;
    w.starts = depth == 0 && starts(g);
    memcpy(w.met, c->met, sizeof w.met);
    set_limits(g, &w);
    bool may = s.form == QUEUE && w.direction != 2 && (depth || starts_thin(g));
    bool thin = may && is_thin(now->entries, now->edges, w.small);
    const bool middling = may && !thin && is_thin(now->entries, now->edges, w.middle);
    if (middling)
        near = plan_crew(g);
    else if (!thin)
        w.small = FRI_MAX(w.small, w.middle / 8);
    w.room = near.room;
    launch(g, w, s, thin || middling ? &near : nullptr);
    return fri_gpu_check(g, cudaGetLastError(), "launching levels");
}

static fr_status tell_lines(fri_gpu *g, int32_t levels) {
    line lines[FRI_GPU_MOST_LEVELS + 1];
    size_t bytes = ((size_t)levels + 1) * sizeof(line);
    FRI_GPU_TRY(fri_gpu_download(g, lines, world_of<uint32_t>(g).lines, bytes));
    for (int32_t i = 0; i < levels; i++)
        fri_job_level_expected(
            g->job, ways[lines[i].way], lines[i].vertices, (int64_t)lines[i].edges,
            (int64_t)(lines[i + 1].began - lines[i].began), (double)lines[i].expected_ps * 1e-3);
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
     "carry their targets or there is no crew, else 1,024"},
    {"direction", 0, 0, 2, "0 by expected time, 1 always top-down, 2 always bottom-up"},
    {"block", FR_KNOB_AUTO, 32, MOST_THREADS,
     "threads per block, whole warps; default 512, fewer on graphs below 8,192 vertices"},
    {"threads", FR_KNOB_AUTO, 32, THIN_THREADS,
     "threads per block of the cluster; default as block's"},
    {"bias", 100, 1, 10000, "expected time of top-down levels, per cent"},
    {"parts", (double)ALL_PARTS, 0, (double)ALL_PARTS,
     "sum of: 1 fill and begin in one launch; 2 claims in the bitmap; 4 in the cluster's shared "
     "memory; 8 no queue before a pull; 16 likely parents first, where there are hubs; 32 finds "
     "stay in their block; 64 entries carry their targets there; 128 vertices without in-edges "
     "known; 256 pushes dealt out evenly; 512 finds straight into the bitmap; 1024 the crew's "
     "blocks skip what they have tried; 2048 shares count as uneven where it costs a turn"},
    {"middle", 65536, 0, 1e6,
     "queue entries up to which a crew of one block a multiprocessor takes levels that are not "
     "thin; 0: none"},
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
