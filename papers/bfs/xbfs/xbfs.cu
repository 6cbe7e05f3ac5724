/* BFS that chooses per level how the frontier queue is built, and pulls with balanced, asynchronous
 * bottom-up passes.
 *
 * Source: A. Gaihre, Z. Wu, F. Yao, H. Liu: XBFS: eXploring Runtime Optimizations for Breadth-First
 *   Search on GPUs, HPDC 2019. Queues: sections 4.1 (scan-free, single-scan, no queue) and 4.2
 *   (double-scan); rules: 4.3, equations 1 and 2; bottom-up: 5.1 (static, thread-centric,
 *   warp-centric, donation) and 5.2 (asynchronous, Algorithm 3).
 *
 * Idea: small levels enqueue by atomics while they expand (scan-free); the level before the switch
 *   marks vertices without atomics and scans the levels once (single-scan); from alpha of all edges
 *   on, unvisited vertices, sorted by a double-scan, search for a parent; the first top-down level
 *   after that reads the same queue. A search's length does not follow the degree, so threads fetch
 *   vertices as they finish. A vertex that sees no parent but a neighbor on its own level is
 *   settled one level early.
 *
 * Differs:
 * - The paper leaves the top-down split of work to Enterprise (thread, warp or block by degree:
 *   by_degree=1); here one 64-bit atomic gives a vertex its position in the queue and the number of
 *   edges before it, so that warps take equal shares of edges.
 * - Found vertices are enqueued 32 at a time by scan-free, where the paper has an atomic for each,
 *   and a block at a time by single-scan: by a prefix sum, which the paper's Observation 1 rejects,
 *   where the paper has an atomic for each. No knob gives the paper's form of these two.
 * - In the double-scan each lane writes its own vertex, with eight strips in flight, where in the
 *   paper the responsible thread alone writes those of its segment.
 * - Offsets have 4 bytes where the edges allow it (paper: 8).
 * - The rules' edgeCheck is the out-edges of the level's frontier, in both directions.
 * - The next double-scan keeps vertices that an asynchronous pass settled early in its queue, so
 *   that "no queue" finds them; the first scan-free level enqueues them beforehand. No vertex is
 *   settled early when the query has targets, nor beyond max_level.
 * - By default a pass settles vertices early only if equation 2 predicts another pull (async=1:
 *   always, as in the paper): the vertices that the last pull settled would have to be enqueued
 *   separately.
 * - Balancing is static by default: 3 to 14 % faster here than fetching by warps, which the paper
 *   prefers (papers/pages/xbfs.md, Fig. 14).
 * - A search checks its first neighbor alone and loads the others a few at a time (batch=1: the
 *   paper). Threads request their next vertex when they start one, not when they are done.
 * - Single-scan does Scan I of the double-scan that it predicts in the same pass, and only counts
 *   the new frontier; the next level enqueues it if it is top-down after all (fuse_scans=0: the
 *   paper, two scans).
 * - Small levels that do not grow are launched several at a time (levels_per_sync=1: the paper).
 * - pull_queue=2 scans the last pull's queue (Lemma 1), 1 the levels each time (the paper).
 * - Donation in thread-centric balancing begins when the counter has run out.
 * - The paper's baseline (Enterprise): queue=2, pull_queue=0, no_queue=0, balance=0, async=0,
 *   by_degree=1, batch=1, levels_per_sync=1. Its program classifies vertices into a queue and a
 *   kernel per class of degrees; by_degree=1 tests the degree within one kernel.
 *
 * Needs: in-edges. Scratch: two queues of n (vertex and offset), m / 1024 hubs. Work: at most n + m
 *   per direction; a pulled level checks few edges per vertex. Launches: 1 per scan-free level, up
 *   to 4 per other; one read of 48 bytes per level. Atomics: scan-free: a claim per edge with an
 *   unvisited target, one per 32 found vertices.
 * Good at: small worlds, whose largest levels are pulled. Bad at: long narrow graphs (a launch per
 *   level).
 * Measured on an H200: all parts together are 1.2 to 2.4 times as fast as the paper's baseline, 1.6 in
 *   the mean. Asynchrony gains nothing, as it saves 4 % of the edge checks, 23 % in the paper
 *   (papers/pages/xbfs.md, Figs. 11 and 15).
 */
#include "papers/bfs/xbfs/bottom_up.cuh"
#include "papers/bfs/xbfs/scan.cuh"
#include "papers/bfs/xbfs/top_down.cuh"
#include "papers/vertex_queues.cuh"

/* Host side of xbfs: state, scratch, launches. */

namespace {

enum generator { SCAN_FREE, SINGLE_SCAN, DOUBLE_SCAN };
enum pull_queue { STRIDED, BALLOT, FROM_LAST };

enum { /* knobs */
       BLOCK,
       ALPHA,
       QUEUE,
       NO_QUEUE,
       PULL_QUEUE,
       BALANCE,
       FETCH,
       DONATE,
       ASYNC,
       BATCH,
       LEVELS_PER_SYNC,
       SHARE,
       HUB,
       GRAIN,
       FUSE_SCANS,
       BY_DEGREE_TOP_DOWN
};

struct xbfs {                         /* host state of a traversal */
    int64_t edges, prior;             /* out-edges of the frontier, and of the previous frontier */
    int64_t early_found, early_edges; /* of the next level, settled early */
    int64_t unvisited;
    uint32_t listed; /* size of the last level's bottom-up queue */
    bool pulled;     /* the last level was bottom-up */
    bool again;      /* by equation 2 the level after this one is bottom-up too */
    /* the last level did Scan I of the unvisited vertices, and did not queue those it found */
    bool counted;
    int current;  /* which of the two queues holds the frontier, or the last pull's queue */
    int32_t levels_per_sync; /* levels to launch at once if all are small */
    int bits, grain;
    level_counters *counters; /* [RING] pinned, kept between queries */
    int32_t sizes[RING]; /* of the levels launched at once */
};

size_t offset_bytes(const fri_gpu *g) { return g->offsets64 ? sizeof(int64_t) : sizeof(uint32_t); }
size_t vertex_bytes(int64_t count) { return fri_align_line(fri_bytes(count, sizeof(int32_t))); }
size_t queue_part(const fri_gpu *g, int64_t count) {
    return vertex_bytes(count) + fri_align_line(fri_bytes(count, offset_bytes(g)));
}
int64_t max_hubs(const fri_gpu *g) { return g->m / (int64_t)g->job->knob[HUB] + 1; }
/* Resident threads of kernels with 40 registers per thread. */
int64_t max_threads(const fri_gpu *g) { return (int64_t)g->multiprocessors * 1536; }
int64_t max_segments(const fri_gpu *g) { return max_threads(g) + 1024; } /* the last block full */

/* Blocks for that many threads, at most as many as are resident at once. */
unsigned resident_blocks(const fri_gpu *g, int64_t threads, int block) {
    return fri_gpu_blocks(FRI_MIN(threads, max_threads(g)), block);
}

/* Scratch: the ring of counters, two queues, the hubs' queue, the double-scan's sums and totals. */
size_t scratch(const fri_gpu *g) {
    return RING * sizeof(level_counters) + 2 * queue_part(g, g->n) + queue_part(g, max_hubs(g)) +
           2 * fri_align_line(fri_bytes(max_segments(g), sizeof(packed)));
}

/* Queue 0 or 1; queue 2 holds the hubs. */
template <class O> edge_queue<O> queue_of(const fri_gpu *g, int which, packed *tail) {
    int64_t capacity = which < 2 ? g->n : max_hubs(g);
    char *at = g->scratch + RING * sizeof(level_counters) + (size_t)which * queue_part(g, g->n);
    return {(int32_t *)(void *)at, (O *)(void *)(at + vertex_bytes(capacity)), tail};
}
packed *sums_of(const fri_gpu *g) {
    return (packed *)(void *)(g->scratch + RING * sizeof(level_counters) + 2 * queue_part(g, g->n) +
                              queue_part(g, max_hubs(g)));
}
/* The counters of a level; the driver clears depth -1, for the sources. */
level_counters *counters_of(const fri_gpu *g, int32_t depth) {
    return depth < 0 ? (level_counters *)(void *)g->control
                     : (level_counters *)(void *)g->scratch + depth % RING;
}

template <class O> traversal<O> traversal_of(const fri_gpu *g, int32_t depth) {
    const xbfs *x = (const xbfs *)g->state;
    const fr_query *q = &g->job->in->query;
    double async = g->job->knob[ASYNC];
    bool deeper = !q->max_level || depth + 2 <= q->max_level;
    return {fri_csr_view_of<O>(g->out),
            fri_csr_view_of<O>(g->in),
            g->n,
            depth,
            g->bfs.level,
            g->parent,
            x->bits,
            x->grain,
            (int)g->job->knob[BATCH],
            (async >= 2 ? x->again : async >= 1) && deeper && !g->job->target_map,
            x->early_found > 0,
            counters_of(g, depth),
            counters_of(g, depth - 1),
            counters_of(g, depth + 1)};
}

/* All vertices of a level. */
scanned vertices_of(int32_t level) { return {nullptr, nullptr, level, level, false, NO_LEVEL}; }

template <class O> void launch_seed(fri_gpu *g) {
    int block = fri_gpu_block_knob(g, BLOCK);
    traversal<O> t = traversal_of<O>(g, -1);
    FRI_RUN_EACH((seed_kernel<O>), g->source_count, block, t, g->sources, (uint32_t)g->source_count,
                 queue_of<O>(g, 0, &t.now->found));
}

template <class O>
void launch_single_scan(fri_gpu *g, const traversal<O> &t, const scanned &s, int64_t size,
                        const edge_queue<O> &to) {
    int block = fri_gpu_block_knob(g, BLOCK);
    FRI_RUN((single_scan_kernel<O>), resident_blocks(g, (size + TAKE - 1) / TAKE, block), block, t,
            s, to);
}

unsigned double_scan_blocks(const fri_gpu *g, int64_t size) {
    return resident_blocks(g, (size + FRI_WARP - 1) / FRI_WARP, fri_gpu_block_knob(g, BLOCK));
}
double_scan double_scan_of(const fri_gpu *g, const scanned &s, bool by_edges) {
    packed *sums = sums_of(g);
    return {s, g->job->knob[PULL_QUEUE] < BALLOT, by_edges, sums, sums + max_segments(g)};
}
template <class O>
void launch_scan_1(fri_gpu *g, const traversal<O> &t, const double_scan &d, int64_t size) {
    FRI_RUN((count_kernel<O>), double_scan_blocks(g, size), fri_gpu_block_knob(g, BLOCK), t, d);
}
template <class O>
void launch_scan_2(fri_gpu *g, const traversal<O> &t, const double_scan &d, int64_t size,
                   const edge_queue<O> &to) {
    FRI_RUN((place_kernel<O>), double_scan_blocks(g, size), fri_gpu_block_knob(g, BLOCK), t, d, to);
}

/* A warp's share of `units`: as small as keeps the GPU full, so that searches stay short. */
uint32_t span_of(const fri_gpu *g, int64_t units) {
    int64_t share = units / (max_threads(g) / FRI_WARP) / FRI_WARP * FRI_WARP;
    return (uint32_t)FRI_MIN(FRI_MAX(share, FRI_WARP), 16 * FRI_WARP);
}

/* edges: approximate out-edges of the queue's vertices. */
template <class O>
void launch_top_down(fri_gpu *g, const traversal<O> &t, const edge_queue<O> &from,
                     const edge_queue<O> &to, bool enqueue, int64_t edges) {
    int block = fri_gpu_block_knob(g, BLOCK);
    if (g->job->knob[BY_DEGREE_TOP_DOWN] >= 1) {
        FRI_LAUNCH((by_degree_top_down_kernel<O>), resident_blocks(g, FRI_MAX(edges, 1), block),
                   block, pending_bytes_of(block), g->stream, t, from, to, enqueue);
        return;
    }
    int64_t units = FRI_MAX(edges >> t.grain, 1);
    uint32_t span = span_of(g, units);
    unsigned blocks = fri_gpu_blocks((units + span - 1) / span * FRI_WARP, block);
    FRI_LAUNCH((top_down_kernel<O>), blocks, block, pending_bytes_of(block), g->stream, t, from, to,
               enqueue, span);
}

template <class O>
void launch_no_queue(fri_gpu *g, const traversal<O> &t, const edge_queue<O> &list,
                     const edge_queue<O> &to, bool enqueue) {
    int block = fri_gpu_block_knob(g, BLOCK);
    const xbfs *x = (const xbfs *)g->state;
    edge_queue<O> hubs = queue_of<O>(g, 2, &t.now->hubs);
    FRI_LAUNCH((no_queue_kernel<O>), resident_blocks(g, x->listed, block), block,
               pending_bytes_of(block), g->stream, t, list.vertex, to, enqueue, hubs,
               (uint32_t)g->job->knob[HUB]);
    if (x->edges >= (int64_t)g->job->knob[HUB]) /* there may be a hub */
        launch_top_down(g, t, hubs, to, enqueue, x->edges);
}

template <class O>
void launch_pull(fri_gpu *g, const traversal<O> &t, const int32_t *list, int64_t size) {
    const double *knob = g->job->knob;
    int block = fri_gpu_block_knob(g, BLOCK), balance = (int)knob[BALANCE];
    unsigned blocks = resident_blocks(g, size / (int64_t)knob[SHARE], block);
    uint32_t fetch = (uint32_t)knob[FETCH] / FRI_WARP * FRI_WARP;
    if (balance == BY_DEGREE)
        FRI_RUN((by_degree_kernel<O>), blocks, block, t, list);
    else
        FRI_RUN((by_thread_kernel<O>), blocks, block, t, list, balance, fetch, (int)knob[DONATE]);
}

} // namespace

static const fr_knob knobs[] = {
    {"block", 256, 32, 1024, "threads per block, whole warps"},
    {"alpha", 0.1, 0, 2,
     "a level is pulled if its frontier has this share of all edges; default as in the paper; "
     "above 1: never"},
    {"queue", FR_KNOB_AUTO, 0, 2,
     "top-down queue: 0: scan-free; 1: single-scan; 2: double-scan; default by the growth of the "
     "frontier's edges (equation 2)"},
    {"no_queue", 1, 0, 1, "1: the first top-down level after a pull reads the pull's queue"},
    {"pull_queue", FROM_LAST, 0, 2,
     "bottom-up queue by double-scan: 0: with strided reads (Enterprise); 1: by ballot (the "
     "paper); 2: by ballot, without vertices that have no in-edges, from the last pull's queue if "
     "there is one"},
    {"balance", BY_STATIC, 0, 3,
     "bottom-up: 0: thread, warp or block by degree; 1: static; 2: warp-centric; 3: "
     "thread-centric"},
    {"fetch", 32, 32, 1024, "vertices that a warp fetches at once if warp-centric, whole warps"},
    {"donate", 0, 0, 64,
     "neighbors checked between two tests whether only one lane is still active (paper: 5); 0: no "
     "donation, which the paper measures as 1 to 5% faster"},
    {"async", 2, 0, 2,
     "a bottom-up pass also settles vertices of the level after the next: 0: never; 1: always (the "
     "paper); 2: if by equation 2 another such pass follows"},
    {"batch", 4, 1, MAX_BATCH, "neighbors a bottom-up search loads at once, after its first"},
    {"levels_per_sync", 16, 1, 32,
     "maximum small levels launched before the host reads their sizes; paper: 1"},
    {"share", 1, 1, 64, "minimum vertices per thread of a bottom-up pass"},
    {"hub", 1024, 32, 1 << 20,
     "no queue: edges (times grain) from which the whole grid expands a vertex"},
    {"grain", 1, 1, 16, "edges of one vertex that a lane takes at once top-down, a power of two"},
    {"fuse_scans", 1, 0, 1,
     "1: a single-scan before a pull does the pull's first scan and queues nothing; 0: it queues "
     "the frontier, as in the paper"},
    {"by_degree", 0, 0, 1,
     "top-down: 0: equal shares of the frontier's edges; 1: a thread, warp or block a vertex by its "
     "degree (Enterprise)"},
    {nullptr, 0, 0, 0, nullptr}};

namespace {

/* The first of the levels to expand: builds the frontier's queue if there is none, and enqueues the
 * vertices of the next level that are already settled, which no search would find. */
template <class O>
edge_queue<O> ready_frontier(fri_gpu *g, const traversal<O> &t, bool reuse, bool enqueue) {
    xbfs *x = (xbfs *)g->state;
    edge_queue<O> from = queue_of<O>(g, x->current, &t.last->found);
    if (x->counted || (x->pulled && !reuse)) {
        from = queue_of<O>(g, x->current ^= 1, &t.now->listed);
        launch_single_scan(g, t, vertices_of(t.depth), g->n, from);
    }
    if (enqueue && x->early_found) {
        scanned early = vertices_of(t.depth + 1);
        if (reuse) {
            early.list = from.vertex;
            early.tail = &t.last->listed;
        }
        launch_single_scan(g, t, early, reuse ? (int64_t)x->listed : g->n,
                           queue_of<O>(g, x->current ^ 1, &t.now->found));
    }
    return from;
}

scanned unvisited_of(const fri_gpu *g, int32_t count_level) {
    return {nullptr,    nullptr, UNVISITED, UNVISITED, g->job->knob[PULL_QUEUE] >= FROM_LAST,
            count_level};
}

/* soon: by equation 2, the level after this one will be pulled. */
template <class O> void top_down(fri_gpu *g, int32_t depth, int how, bool soon) {
    xbfs *x = (xbfs *)g->state;
    traversal<O> t = traversal_of<O>(g, depth);
    bool reuse = x->pulled && g->job->knob[NO_QUEUE] >= 1, enqueue = how == SCAN_FREE;
    edge_queue<O> from = ready_frontier(g, t, reuse, enqueue);
    edge_queue<O> to = queue_of<O>(g, x->current ^= 1, &t.now->found);
    if (reuse)
        launch_no_queue(g, t, from, to, enqueue);
    else
        launch_top_down(g, t, from, to, enqueue, x->edges);
    x->counted = how == SINGLE_SCAN && soon && g->job->knob[FUSE_SCANS] >= 1;
    if (x->counted) {
        launch_scan_1(g, t, double_scan_of(g, unvisited_of(g, depth + 1), false), g->n);
    } else if (how == SINGLE_SCAN) {
        launch_single_scan(g, t, vertices_of(depth + 1), g->n, to);
    } else if (how == DOUBLE_SCAN) {
        double_scan d = double_scan_of(g, vertices_of(depth + 1), true);
        launch_scan_1(g, t, d, g->n);
        launch_scan_2(g, t, d, g->n, to);
    }
}

template <class O> void bottom_up(fri_gpu *g, int32_t depth) {
    xbfs *x = (xbfs *)g->state;
    traversal<O> t = traversal_of<O>(g, depth);
    scanned s = unvisited_of(g, NO_LEVEL);
    int64_t size = x->unvisited + x->early_found, from = g->n;
    if (x->early_found) /* "no queue" may need the vertices settled early */
        s.also = depth + 1;
    if (x->pulled && s.rooted) { /* Lemma 1: the last queue holds all unvisited vertices */
        s.list = queue_of<O>(g, x->current, nullptr).vertex;
        s.tail = &t.last->listed;
        s.rooted = false;
        from = x->listed;
    }
    edge_queue<O> to = queue_of<O>(g, x->current ^= 1, &t.now->listed);
    double_scan d = double_scan_of(g, s, false);
    if (!x->counted)
        launch_scan_1(g, t, d, from);
    launch_scan_2(g, t, d, from, to);
    launch_pull(g, t, to.vertex, size);
    x->counted = false;
}

/* Scan-free levels after the first, of sizes that the host does not know. */
template <class O> void top_down_unsynced(fri_gpu *g, int32_t depth, int32_t end, int64_t edges) {
    xbfs *x = (xbfs *)g->state;
    for (; depth < end; depth++) {
        traversal<O> t = traversal_of<O>(g, depth);
        edge_queue<O> from = queue_of<O>(g, x->current, &t.last->found);
        launch_top_down(g, t, from, queue_of<O>(g, x->current ^= 1, &t.now->found), true, edges);
    }
}

double growth_of(const xbfs *x) {
    return x->prior ? (double)x->edges / (double)x->prior : (double)x->edges;
}

/* Levels that may be launched before the host reads their sizes: as long as the frontier, growing
 * as before, stays small. *max_edges: an upper estimate of their edges. */
enum { SMALL_EDGES = 1 << 17 /* edges; their work takes about half of a wait for the host */ };
int32_t levels_at_once(const fri_gpu *g, int32_t depth, int32_t max_levels, int64_t *max_edges) {
    const xbfs *x = (const xbfs *)g->state;
    double lambda = FRI_MAX(growth_of(x), 1.0), edges = (double)x->edges;
    double small = FRI_MIN((double)SMALL_EDGES, g->job->knob[ALPHA] * (double)g->m);
    max_levels = FRI_MIN(FRI_MIN(max_levels, x->levels_per_sync), RING - depth % RING);
    int32_t levels = 1;
    for (; levels < max_levels && edges * lambda <= small; levels++)
        edges *= lambda;
    *max_edges = (int64_t)(2 * edges);
    return levels;
}

/* Updates the state for one level. Returns the vertices of the next. */
int64_t account(xbfs *x, const level_counters *w, bool pull, int64_t *checked) {
    packed mask = ((packed)1 << x->bits) - 1;
    int64_t found = (int64_t)(w->found & mask), edges = (int64_t)(w->found >> x->bits << x->grain);
    *checked += pull || x->grain ? (int64_t)w->checked : x->edges;
    int64_t all = found + (pull ? x->early_found : 0); /* top-down: they are already in the queue */
    x->unvisited -= found - (pull ? 0 : x->early_found);
    x->prior = x->edges;
    x->edges = edges + (pull ? x->early_edges : 0);
    x->early_found = pull ? (int64_t)(w->early & mask) : 0;
    x->early_edges = pull ? (int64_t)(w->early >> x->bits << x->grain) : 0;
    x->unvisited -= x->early_found;
    x->listed = (uint32_t)(w->listed & mask);
    x->pulled = pull;
    return all;
}

/* Waits for the levels' counters and reads them. */
fr_status close_levels(fri_gpu *g, int32_t depth, int32_t levels, bool pull,
                       fri_gpu_progress *progress) {
    xbfs *x = (xbfs *)g->state;
    FRI_GPU_TRY(fri_gpu_check(g, cudaGetLastError(), "launching a level"));
    FRI_GPU_TRY(fri_gpu_download(g, x->counters, counters_of(g, depth),
                                 (size_t)levels * sizeof *x->counters));
    progress->levels = 0;
    do {
        progress->found = account(x, &x->counters[progress->levels], pull, &progress->edges);
        x->sizes[progress->levels++] = (int32_t)progress->found;
    } while (progress->found && progress->levels < levels);
    progress->sizes = levels > 1 ? x->sizes : nullptr;
    bool steady = !pull && growth_of(x) <= 1.5;
    x->levels_per_sync =
        steady ? FRI_MIN(2 * x->levels_per_sync, (int32_t)g->job->knob[LEVELS_PER_SYNC]) : 1;
    return FR_OK;
}

fr_status run_levels(fri_gpu *g, int32_t depth, int32_t max_levels, fri_gpu_progress *progress) {
    static const char *const names[] = {"scan-free", "single-scan", "double-scan"};
    xbfs *x = (xbfs *)g->state;
    if (!x->edges) /* the frontier has no out-edges */
        return FR_OK;
    double pulled_from = g->job->knob[ALPHA] * (double)g->m; /* edges */
    bool pull = (double)x->edges >= pulled_from;
    bool soon = x->prior && (double)x->edges * growth_of(x) >= pulled_from; /* equation 2 */
    x->again = pull && soon;
    int how = (int)fri_job_knob(g->job, QUEUE, soon ? SINGLE_SCAN : SCAN_FREE);
    bool reuse = x->pulled && g->job->knob[NO_QUEUE] >= 1;
    progress->method = pull ? "bottom-up" : reuse ? "no-queue" : names[how];
    int64_t edges = 0;
    int32_t levels = pull || how != SCAN_FREE ? 1 : levels_at_once(g, depth, max_levels, &edges);
    if (pull)
        FRI_BY_OFFSET_TYPE(g, bottom_up<O>(g, depth));
    else
        FRI_BY_OFFSET_TYPE(g, top_down<O>(g, depth, how, soon));
    if (levels > 1)
        FRI_BY_OFFSET_TYPE(g, top_down_unsynced<O>(g, depth + 1, depth + levels, edges));
    return close_levels(g, depth, levels, pull, progress);
}

/* Sets how the 64 bits of a packed sum are divided; if the bits above the vertices cannot hold all
 * edges, a unit is more than one edge. */
void share_bits(const fri_gpu *g, xbfs *x) {
    while (g->n >> x->bits)
        x->bits++;
    while (2 << x->grain <= (int)g->job->knob[GRAIN])
        x->grain++;
    while (((packed)g->m >> x->grain) + (packed)g->n >= (packed)1 << (64 - x->bits))
        x->grain++;
}

fr_status start_query(fri_gpu *g) {
    xbfs *x = (xbfs *)g->state;
    const fr_query *q = &g->job->in->query;
    level_counters *counters = x->counters;
    *x = {};
    x->counters = counters;
    x->levels_per_sync = 1;
    share_bits(g, x);
    x->unvisited = g->n - g->source_count;
    for (int64_t i = 0; i < q->source_count; i++)
        x->edges += g->job->csr.offsets[q->sources[i] + 1] - g->job->csr.offsets[q->sources[i]];
    FRI_BY_OFFSET_TYPE(g, launch_seed<O>(g));
    return FR_OK;
}

/* Pinning memory takes a millisecond. */
fr_status prepare_host(fri_gpu *g) {
    xbfs *x = (xbfs *)(g->state = fri_calloc(g->job->ctx, sizeof(xbfs)));
    if (!x)
        return FR_NOMEM;
    return fri_gpu_check(
        g, cudaHostAlloc((void **)&x->counters, RING * sizeof *x->counters, cudaHostAllocDefault),
        "pinning memory");
}

void release(fri_job *job) {
    fri_gpu *g = (fri_gpu *)job->device;
    if (g && g->state)
        cudaFreeHost(((xbfs *)g->state)->counters);
    fri_gpu_release(job);
}

const fri_gpu_strategy device_side = {.scratch = scratch,
                                      .start_query = start_query,
                                      .run_levels = run_levels,
                                      .prepare_during_upload = prepare_host};

} // namespace

FRI_GPU_STRATEGY(fri_gpu_bfs_xbfs) = {
    .name = "xbfs",
    .source = "Gaihre, Wu, Yao, Liu: XBFS: eXploring runtime optimizations for breadth-first "
              "search on GPUs, HPDC 2019",
    .text = "queue by scan-free, single-scan, double-scan or none per level; balanced asynchronous "
            "bottom-up",
    .problem = FR_PROBLEM_BFS,
    .backend = FR_BACKEND_CUDA,
    .needs = FRI_NEEDS_IN_EDGES,
    .knobs = knobs,
    .counts = FRI_COUNTS_CLAIMS | FRI_COUNTER_BIT(FR_COUNTER_EARLY),
    .gpu = &device_side,
    .device_bytes = fri_gpu_bytes,
    .prepare = fri_gpu_prepare,
    .release = release,
    .run = fri_gpu_bfs_run,
};
