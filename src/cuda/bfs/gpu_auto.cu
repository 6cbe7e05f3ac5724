/* BFS, `auto` on the GPU: many levels in one launch, on as much of the chip as the frontier needs.
 *
 * Source: ours. Layers of synchronisation as in UIUC-BFS (Luo, Wong, Hwu, DAC 2010); directions by
 *   Beamer, Asanovic, Patterson (SC 2012); a whole traversal in one persistent kernel as in BLEST.
 * Idea: while the frontier is thin, one thread-block cluster takes level after level, frontier and
 *   visited bitmap in its shared memory, the counters coming with its barrier (auto_thin.cuh,
 *   auto_meet.cuh); where vertices have few edges an entry carries its targets, which come into
 *   shared memory while the barrier is waited for (auto_rows.cuh). A middling frontier lies in the
 *   shared memory of a crew, one block a multiprocessor, claims in L2, and blocks take from each
 *   other what is too much (auto_help.cuh). A wider one gets the whole chip and a grid barrier.
 *   There each level goes top-down from a queue or bottom-up on bitmaps, by expected time
 *   (auto_policy.h). Queue entries are spans of at most 256 edges that carry their place in the
 *   edge array: no hub is walked by one warp, offsets are read while a vertex is claimed, and a
 *   block deals its spans' edges out evenly. Where the bitmap of visited vertices fits into L1 it
 *   is read there, a warp claims a word's vertices at once (auto_hot.cuh), and levels of few edges
 *   are taken by one block while the others wait (auto_solo.cuh). A pull looks at one in-neighbour
 *   of many edges of all open vertices first, if the graph has hubs; then a warp's lanes take what
 *   is still open from a list, a sector of in-edges at a time, and the next vertex when they are
 *   through with one; what is still open after 128 edges is dealt out evenly. A push before a pull
 *   writes neither levels nor a queue: the pull writes those levels with its own, a line at a time,
 *   and the first pull -1 where it found nothing, so that nobody fills the arrays. A pull before a
 *   push queues what it finds.
 * Needs: in-edges, cooperative launch. Scratch: two queues of n + m / 256 spans (16 bytes), four
 *   bitmaps, n heads, n rows of 16 bytes where m <= 3 n, of 32 where an undirected graph has
 *   5 n <= m <= 7 n, with rows 32 KB a multiprocessor. Preparation: facts, heads from at most 8
 *   in-edges of each vertex, rows. Work: m; what a pull looks at in vain comes again. Launches: one
 *   per change of layer or 1,024 levels; the first, if the whole chip begins, and both ends of the
 *   clock are one graph (prim/clocked.cuh). Barriers: one per level, or for all that one block
 *   takes in a row, one or two more where the frontier's form changes, one where a pull puts
 *   vertices off. Atomics: a claim per edge end that looks new top-down (on the cluster and by one
 *   block per edge), four or five per block and level, of a crew with rows one.
 * Good at: power laws, uniform and deep graphs. Bad at: graphs too small for a GPU.
 * Medians in ms, H200, driver 580.159.04, `--suite gpu` with 64 sources: "fourth" at commit
 * 194ab34, "now" at b74840c; in brackets the aims:
 *
 *     graph            fourth now    aim            graph       fourth now    aim
 *     Kronecker 21     0.103  0.095  (0.113)        moscow      1.17   1.02   (1.3)
 *     Kronecker 24     0.505  0.475  (0.81)         lattice     4.10   2.83   (4.0)
 *     uniform          0.189  0.182  (0.198)        215^3 grid  2.47   1.81   (2.0)
 *     LiveJournal-like 0.203  0.181  (0.199)        cnr-2000    0.315  0.172  (0.116)
 *     wiki-like        0.136  0.113  (0.116)
 *
 *   What each part brings: docs/performance-notes.md.
 */
#include "cuda/bfs/auto_level.cuh"
#include "cuda/bfs/auto_plan.cuh"
#include "cuda/bfs/auto_start.cuh"
#include "cuda/bfs_queues.h"

#include <string.h>

static const char *const ways[] = {"cluster", "top-down", "bottom-up", "crew", "one block"};
static const int PER_SM = 2; /* blocks: 64 registers a thread */
static const int SOON = 12;  /* a frontier that is no longer thin by then grows fast */
static const int ALL_PARTS = 131071;

/* Levels from s.depth on, until the frontier is empty, `most` are done, or the cluster fits better.
 */
template <class O, bool HOT>
static __global__ void __launch_bounds__(MOST_THREADS, PER_SM)
    levels_kernel(const __grid_constant__ world<O> w, state s) {
    FRI_SHARED(arena<O>, room, 1);
    FRI_SHARED(choice, mind, 1);
    const bool blank = w.starts && (w.parts & PART_BLANK) && (w.parts & PART_MAP);
    if (threadIdx.x == 0) {
        *mind = {};
        mind->explored = s.explored;
        mind->seen = s.seen;
        mind->clean = s.clean;
        mind->next = (form)s.form;
        mind->blank = blank;
        if (!w.starts)
            mind->first = read_tip(w, s.turn);
    }
    if (w.starts) {
        start(w, blank, &mind->first);
        fri_grid_sync(); /* arrays and queue are there */
    }
    for (;;) {
        if (threadIdx.x == 0) {
            choose<O, HOT>(w, s.depth, s.turn, mind);
            if (HOT)
                room->push.wide.count = room->push.wide.spans = 0;
        }
        __syncthreads(); /* the block knows what to do */
        if (mind->ends)
            break;
        if (blockIdx.x == 0 && threadIdx.x == 0) /* nobody reads or writes this slot now */
            w.c->turn[(s.turn + 2) % SLOTS] = {0, 0, 0, 0, 0};
        if (HOT && mind->solo) {
            levels_solo(w, &s, mind, &room->solo);
            continue;
        }
        one_level(w, s, *mind, room, HOT);
        /* read before the first thread may choose again */
        const bool down = mind->down, queues = mind->also.queues;
        fri_grid_sync(); /* the level is complete, or all but what was put off */
        if (down)
            finish_late(w, s, queues, &room->push.on);
        s.turn = (s.turn + 1) % SLOTS;
        s.depth++;
    }
    if (mind->blank || mind->also.owed)
        pay_all(w, s.depth, mind->also.owed, mind->blank, &w.c->turn[s.turn]);
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

static const size_t POSTS_BYTES = 2 * MOST_CREW * sizeof(uint32_t);
static const size_t LINES_BYTES = (FRI_GPU_MOST_LEVELS + 1) * sizeof(line);

static size_t parcel_bytes(const fri_gpu *g) {
    return rows_bytes(g) ? fri_line(2 * (size_t)crew_blocks(g) * CREW_ROOM * sizeof(parcel)) : 0;
}

static size_t scratch(const fri_gpu *g) {
    return 2 * queue_bytes(g) + 3 * map_bytes(g) + heads_bytes(g) + closed_bytes(g) +
           rows_bytes(g) + parcel_bytes(g) + fri_line(POSTS_BYTES) + fri_line(LINES_BYTES);
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
    w.posts = (uint32_t *)fri_carve(&at, fri_line(POSTS_BYTES));
    w.parcels = parcel_bytes(g) ? (parcel *)fri_carve(&at, parcel_bytes(g)) : nullptr;
    w.lines = g->job->levels ? (line *)fri_carve(&at, LINES_BYTES) : nullptr;
    w.sources = g->sources;
    w.c = (control *)g->words;
    w.parts = (int32_t)g->job->knob[KNOB_PARTS];
    w.bias = (float)g->job->knob[KNOB_BIAS] / 100.0f;
    w.direction = (int32_t)g->job->knob[KNOB_DIRECTION];
    return w;
}

static unsigned grid_threads(const fri_gpu *g) {
    return (unsigned)block_of(g, KNOB_BLOCK, MOST_THREADS);
}
static unsigned grid_blocks(const fri_gpu *g) { return (unsigned)(PER_SM * g->multiprocessors); }

template <class O> static void (*levels_of(const fri_gpu *g))(world<O>, state) {
    return is_hot(g) ? levels_kernel<O, true> : levels_kernel<O, false>;
}

static control *host_control(fri_gpu *g) { return (control *)g->host_words; }

/* Marks for a launch of so many levels, none of which stands in the parcels: when numbers run out,
 * and before the first, no mark does. */
static fr_status take_marks(fri_gpu *g, int32_t most, uint32_t *first) {
    uint32_t *next = &((holding *)g->state)->serial;
    const bool clears = parcel_bytes(g) && (*next == 0 || *next > INT32_MAX);
    *next = *next == 0 || *next > INT32_MAX ? 1 : *next;
    *first = *next;
    *next += (uint32_t)most + 2;
    return clears ? fri_gpu_check(g,
                                  cudaMemsetAsync(world_of<uint32_t>(g).parcels, 0, parcel_bytes(g),
                                                  g->stream),
                                  "clearing marks")
                  : FR_OK;
}

/* What offsets tell, and what launches ask of the driver. */
static fr_status ahead(fri_gpu *g) {
    const bool symmetric = g->job->csr.symmetric;
    holding *h = (holding *)fri_calloc(g->job->ctx, sizeof(holding));
    cudaError_t error = cudaSuccess;
    if (!h)
        return FR_NOMEM;
    g->state = h;
    FRI_BY_WIDTH(g, look_at_offsets<O>(g, g->out, symmetric ? world_of<O>(g).closed : nullptr));
    FRI_BY_WIDTH(g, fri_load_kernel((const void *)heads_kernel<O>));
    FRI_GPU_TRY(read_facts(g, &h->graph));
    FRI_BY_WIDTH(g, h->near = choose_near<O>(g));
    FRI_BY_WIDTH(g, error = fri_clocked_open(&h->whole, levels_of<O>(g), grid_blocks(g),
                                             grid_threads(g), g->begin, g->end, g->stream,
                                             world_of<O>(g), state()));
    return fri_gpu_check(g, error, "making a launch");
}

/* What edges tell. */
static fr_status late(fri_gpu *g) {
    facts of_in;
    uint32_t none;
    if (!g->job->csr.symmetric) {
        FRI_GPU_TRY(fri_gpu_clear_words(g));
        FRI_BY_WIDTH(g, look_at_offsets<O>(g, g->in, world_of<O>(g).closed));
    }
    FRI_BY_WIDTH(g, look_at_edges<O>(g, world_of<O>(g)));
    FRI_GPU_TRY(take_marks(g, 0, &none));
    FRI_GPU_TRY(read_facts(g, &of_in)); /* undirected: ahead's, again */
    held(g)->graph.reachable = of_in.reachable;
    return FR_OK;
}

static void release(fri_job *job) {
    fri_gpu *g = (fri_gpu *)job->device;
    if (g && g->state)
        fri_clocked_close(&held(g)->whole);
    fri_gpu_release(job);
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
    host_control(g)->turn[0].entries = g->source_count; /* decides on the first level's layer */
    if (starts(g))
        return FR_OK;
    FRI_GPU_TRY(clear_visited(g));
    FRI_BY_WIDTH(g, (FRI_LAUNCH((seed_kernel<O>), fri_gpu_blocks(g->source_count, FILL_BLOCK),
                                FILL_BLOCK, 0, g->stream, world_of<O>(g), g->source_count)));
    return FR_OK;
}

/* On cluster or crew. */
template <class O>
static void launch_near(fri_gpu *g, const world<O> &w, const state &s, const near_plan *near) {
    if (w.starts)
        FRI_LAUNCH((start_kernel<O>),
                   FRI_MIN(8 * grid_blocks(g), fri_gpu_blocks(g->n / 4, FILL_BLOCK)), FILL_BLOCK, 0,
                   g->stream, w);
    const unsigned blocks = (unsigned)near->blocks, threads = (unsigned)near->threads;
    const auto of_crew = w.rows ? thin_kernel<O, row_crew> : thin_kernel<O, crew>;
    const auto of_cluster = w.rows ? thin_kernel<O, row_cluster> : thin_kernel<O, cluster>;
    if (near->is_crew)
        FRI_LAUNCH_COOPERATIVE(of_crew, blocks, threads, near->bytes, g->stream, w, s, (int32_t)0);
    else
        FRI_LAUNCH_CLUSTER(of_cluster, blocks, threads, near->bytes, g->stream, w, s,
                           (int32_t)near->has_map);
}

/* With the clock started before, in a traversal's first launch, and stopped behind. */
template <class O>
static fr_status launch(fri_gpu *g, const world<O> &w, const state &s, const near_plan *near) {
    const auto levels = levels_of<O>(g);
    if (w.starts && !near)
        return fri_gpu_check(g,
                             FRI_LAUNCH_CLOCKED(&held(g)->whole, levels, grid_blocks(g),
                                                grid_threads(g), g->stream, w, s),
                             "launching levels");
    if (w.starts)
        FRI_GPU_TRY(fri_gpu_check(g, cudaEventRecord(g->begin, g->stream), "starting the clock"));
    if (near)
        launch_near(g, w, s, near);
    else
        FRI_LAUNCH_COOPERATIVE(levels, grid_blocks(g), grid_threads(g), 0, g->stream, w, s);
    FRI_GPU_TRY(fri_gpu_check(g, cudaGetLastError(), "launching levels"));
    return fri_gpu_check(g, cudaEventRecord(g->end, g->stream), "stopping the clock");
}

template <class O> static fr_status launch_levels(fri_gpu *g, int32_t depth, int32_t most) {
    const control *c = host_control(g);
    const int clean = depth == 0 && starts(g) ? 3 : 0; /* start clears the bitmaps */
    const state s = {depth, c->form, c->seen, c->turn_at, clean, c->explored};
    const slot *now = &c->turn[s.turn];
    near_plan near = held(g)->near;
    world<O> w = world_of<O>(g);
    w.reachable = held(g)->graph.reachable;
    w.widest = held(g)->graph.widest;
    w.most = most;
    w.rows = has_rows(g) ? w.rows : nullptr;
    w.heads = has_heads(g) ? w.heads : nullptr;
    w.starts = depth == 0 && starts(g);
    w.row_bits = w.rows ? row_bits(g) : 0;
    w.source = g->job->query.sources[0];
    FRI_GPU_TRY(take_marks(g, most, &w.serial));
    w.serial -= (uint32_t)depth; /* marks are serial + depth */
    set_limits(g, &w);
    w.bias *= is_hot(g) ? FRI_PUSH_HOT : 1.0f;
    bool may = s.form == QUEUE && w.direction != 2 && (depth || starts_thin(g));
    bool thin = may && is_thin(now->entries, now->edges, w.small);
    const bool soon = depth && depth <= SOON; /* a crew would have it for a level or two */
    const bool middling = may && !thin && !soon && is_thin(now->entries, now->edges, w.middle);
    if (middling)
        near = plan_crew(g);
    else if (!thin)
        w.small = FRI_MAX(w.small, w.middle / 8);
    w.room = near.room;
    return launch(g, w, s, thin || middling ? &near : nullptr);
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
    g->ended = true;
    FRI_GPU_TRY(fri_gpu_read_words(g, 0, (int)(sizeof(control) / sizeof(int32_t))));
    did->levels = c->levels;
    did->found = c->turn[c->turn_at].vertices;
    did->edges = (int64_t)(c->examined - before);
    did->told = g->job->levels != nullptr;
    return did->told ? tell_lines(g, did->levels) : FR_OK;
}

static const fr_knob knobs[] = {
    {"cluster", FR_KNOB_AUTO, 1, 16,
     "blocks of the cluster that takes thin levels, a power of two; default 16"},
    {"small", FR_KNOB_AUTO, 0, 1e9,
     "queue entries up to which a level is thin; default: the cluster's threads where entries "
     "carry four targets or there is no crew, 2,048 where they carry eight, else 1,024"},
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
     "blocks skip what they have tried; 2048 shares count as uneven where it costs a turn; 4096 a "
     "pull writes the levels of what was found before it; 8192 a pull queues its finds where a "
     "push will follow; 16384 the first pull fills the arrays; 32768 pushes mind words that many "
     "edges lead to, where the bitmap fits into L1; 65536 one block takes levels of few edges "
     "there"},
    {"middle", 65536, 0, 1e6,
     "queue entries up to which a crew of one block a multiprocessor takes levels that are not "
     "thin; 0: none"},
    {"crew", FR_KNOB_AUTO, 32, THIN_THREADS,
     "threads per block of the crew; default 768 where entries carry their targets, at least 64 "
     "there, else 1,024"},
    {nullptr, 0, 0, 0, nullptr}};
static const fri_gpu_row device_side = {.scratch = scratch,
                                        .begin = begin,
                                        .leap = leap,
                                        .starts = starts,
                                        .ahead = ahead,
                                        .late = late};

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
    .prepare = fri_gpu_prepare,
    .release = release,
    .run = fri_gpu_bfs_run,
};
