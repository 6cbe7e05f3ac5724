/* BFS that chooses per level how the frontier queue is made, and pulls with balanced, asynchronous
 * bottom-up passes.
 *
 * Source: A. Gaihre, Z. Wu, F. Yao, H. Liu: XBFS: eXploring Runtime Optimizations for Breadth-First
 *   Search on GPUs, HPDC 2019. Queues: sections 4.1 (scan-free, single-scan, no queue) and 4.2
 *   (double-scan); rules: 4.3, equations 1 and 2; bottom-up: 5.1 (static, thread-centric,
 *   warp-centric, donation) and 5.2 (asynchronous, Algorithm 3).
 *
 * Idea: thin levels enqueue by atomics as they go (scan-free); the level before the switch marks
 *   without atomics and scans the levels once (single-scan); from alpha of all edges on, unvisited
 *   vertices, sorted by a double-scan, look for a parent; the first level back reads that same
 *   queue. A search's length does not follow the degree, so threads fetch vertices as they finish.
 *   A vertex that sees no parent but a neighbour on its own level is settled one level early.
 *
 * Differs:
 * - The text leaves the top-down split of work to Enterprise (thread, warp or block by degree);
 *   here one 64-bit atomic gives a vertex its place in the queue and the number of edges before
 *   it, so that warps take equal shares of edges. Finds are enqueued 32 or a block at a time.
 * - The rules' edgeCheck is the out-edges of the level's frontier, in both directions.
 * - What an asynchronous pass settled early, the next double-scan keeps in its queue, so that "no
 *   queue" finds it; the first scan-free level enqueues it beforehand. Nothing is settled early
 *   when the query has targets, nor beyond max_level.
 * - A search checks its first neighbour alone and loads the others a few at a time (batch=1: the
 *   text). Threads ask for their next vertex when they take one up, not when they are done.
 * - Donation in thread-centric balancing begins when the counter has run out.
 * - queue=2, pull_queue=0, no_queue=0, balance=0, async=0 is the text's baseline (Enterprise).
 *
 * Needs: in-edges. Scratch: two queues of n (vertex and offset), m / 1024 hubs. Work: at most
 *   n + m per direction; a pulled level checks few edges per vertex. Launches: 1 per scan-free
 *   level, up to 4 per other; one read of 48 bytes per level. Atomics: scan-free: a claim per
 *   unvisited edge end, one per 32 finds.
 * Good at: small worlds, whose widest levels are pulled. Bad at: thin long graphs (a host round
 *   trip per level).
 */
#include "cuda/bfs/xbfs_bottom_up.cuh"
#include "cuda/bfs/xbfs_scan.cuh"
#include "cuda/bfs/xbfs_top_down.cuh"
#include "cuda/bfs_queues.h"

enum generator { SCAN_FREE, SINGLE_SCAN, DOUBLE_SCAN };
enum pull_queue { STRIDED, BALLOT, FROM_LAST };

enum {
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
    SHARE,
    GRAIN
};
static const fr_knob knobs[] = {
    {"block", 256, 32, 1024, "threads per block, whole warps"},
    {"alpha", 0.1, 0, 2,
     "a level is pulled when its frontier has this share of all edges; default as the text has it; "
     "above 1: never"},
    {"queue", FR_KNOB_AUTO, 0, 2,
     "top-down queue by 0 scan-free, 1 single-scan, 2 double-scan; default by the growth of the "
     "frontier's edges (equation 2)"},
    {"no_queue", 1, 0, 1, "1: the first top-down level after a pull reads the pull's queue"},
    {"pull_queue", BALLOT, 0, 2,
     "bottom-up queue by double-scan: 0 with strided reads (Enterprise), 1 by ballot (the text), "
     "2 by ballot, without vertices that have no in-edges, and of the last pull's queue if any"},
    {"balance", WARP_CENTRIC, 0, 3,
     "bottom-up by 0 thread, warp or block by degree, 1 static, 2 warp-centric, 3 thread-centric"},
    {"fetch", 32, 32, 1024, "vertices that a warp fetches at once when warp-centric, whole warps"},
    {"donate", 0, 0, 64,
     "neighbours checked between two looks whether one lane alone is still at work (text: 5); "
     "0: no donation, which the text measures as 1 to 5% faster"},
    {"async", 1, 0, 1, "1: a bottom-up pass also settles vertices of the level after the next"},
    {"batch", 4, 1, MOST_BATCH, "neighbours a bottom-up search loads at once, after its first"},
    {"share", 1, 1, 64, "least vertices per thread of a bottom-up pass"},
    {"grain", 1, 1, 16, "edges of one vertex that a lane takes at once top-down, a power of two"},
    {nullptr, 0, 0, 0, nullptr}};

namespace {

struct xbfs {                         /* host state of a traversal */
    int64_t edges, prior;             /* that leave the frontier, and the frontier before */
    int64_t ahead_found, ahead_edges; /* of the next level, settled early */
    int64_t unvisited;
    uint32_t listed; /* size of the last level's bottom-up queue */
    bool pulled;     /* the last level was bottom-up */
    int turn;        /* which of the two queues holds the frontier, or the last pull's queue */
    int bits, grain;
};

size_t offset_bytes(const fri_gpu *g) { return g->wide ? sizeof(int64_t) : sizeof(uint32_t); }
size_t vertex_part(int64_t count) { return fri_line(fri_bytes(count, sizeof(int32_t))); }
size_t queue_part(const fri_gpu *g, int64_t count) {
    return vertex_part(count) + fri_line(fri_bytes(count, offset_bytes(g)));
}
int64_t most_hubs(const fri_gpu *g) { return g->m / HUB + 1; }
int64_t most_threads(const fri_gpu *g) { return (int64_t)g->multiprocessors * 2048; }

/* Blocks for that many threads, no more than fit on the chip at once. */
unsigned resident_blocks(const fri_gpu *g, int64_t threads, int block) {
    return fri_gpu_blocks(FRI_MIN(threads, most_threads(g)), block);
}

/* Scratch: two queues, the queue of hubs, and the double-scan's sums and totals. */
size_t scratch(const fri_gpu *g) {
    int64_t segments = most_threads(g) + 1024; /* a block more, if the last is not full */
    return 2 * queue_part(g, g->n) + queue_part(g, most_hubs(g)) +
           2 * fri_line(fri_bytes(segments, sizeof(packed)));
}

template <class O> edge_queue<O> queue_at(const fri_gpu *g, char *at, int64_t count, packed *tail) {
    (void)g;
    return {(int32_t *)at, (O *)(at + vertex_part(count)), tail};
}
template <class O> edge_queue<O> queue_of(const fri_gpu *g, int which, packed *tail) {
    return queue_at<O>(g, g->scratch + (size_t)which * queue_part(g, g->n), g->n, tail);
}
template <class O> edge_queue<O> hubs_of(const fri_gpu *g, packed *tail) {
    return queue_at<O>(g, g->scratch + 2 * queue_part(g, g->n), most_hubs(g), tail);
}

int words_at(int32_t depth) {
    return (depth + RING) % RING * (int)(sizeof(level_words) / sizeof(int32_t));
}

template <class O> traversal<O> traversal_of(const fri_gpu *g, int32_t depth) {
    const xbfs *x = (const xbfs *)g->state;
    const fr_query *q = &g->job->query;
    bool deeper = !q->max_level || depth + 2 <= q->max_level;
    return {fri_rows_of<O>(g->out),
            fri_rows_of<O>(g->in),
            g->n,
            depth,
            g->level,
            g->parent,
            x->bits,
            x->grain,
            (int)g->job->knob[BATCH],
            g->job->knob[ASYNC] >= 1 && deeper && !g->job->target_map,
            x->ahead_found > 0,
            (level_words *)(void *)(g->words + words_at(depth)),
            (level_words *)(void *)(g->words + words_at(depth - 1)),
            (level_words *)(void *)(g->words + words_at(depth + 1))};
}

template <class O>
void launch_single_scan(fri_gpu *g, const traversal<O> &t, const scanned &s, int64_t size,
                        const edge_queue<O> &to) {
    int block = fri_gpu_block_knob(g, BLOCK);
    FRI_LAUNCH((single_scan_kernel<O>), resident_blocks(g, (size + TAKE - 1) / TAKE, block), block,
               0, g->stream, t, s, to);
}

template <class O>
void launch_double_scan(fri_gpu *g, const traversal<O> &t, const scanned &s, int64_t size,
                        bool strided, bool weigh, const edge_queue<O> &to) {
    int block = fri_gpu_block_knob(g, BLOCK);
    unsigned blocks = resident_blocks(g, (size + FRI_WARP - 1) / FRI_WARP, block);
    packed *sums =
        (packed *)(void *)(g->scratch + 2 * queue_part(g, g->n) + queue_part(g, most_hubs(g)));
    double_scan d = {s, strided, weigh, sums, sums + most_threads(g) + 1024};
    FRI_LAUNCH((count_kernel<O>), blocks, block, 0, g->stream, t, d);
    FRI_LAUNCH((place_kernel<O>), blocks, block, 0, g->stream, t, d, to);
}

/* A warp's share of `units`: as little as keeps the chip full, so that few search for long. */
uint32_t span_of(const fri_gpu *g, int64_t units) {
    int64_t share = units / (most_threads(g) / FRI_WARP) / FRI_WARP * FRI_WARP;
    return (uint32_t)FRI_MIN(FRI_MAX(share, FRI_WARP), 16 * FRI_WARP);
}

template <class O>
void launch_top_down(fri_gpu *g, const traversal<O> &t, const edge_queue<O> &from,
                     const edge_queue<O> &to, bool enqueue) {
    int block = fri_gpu_block_knob(g, BLOCK);
    const xbfs *x = (const xbfs *)g->state;
    int64_t units = FRI_MAX(x->edges >> x->grain, 1);
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
    edge_queue<O> hubs = hubs_of<O>(g, &t.now->hubs);
    FRI_LAUNCH((no_queue_kernel<O>), resident_blocks(g, x->listed, block), block,
               pending_bytes_of(block), g->stream, t, list.vertex, to, enqueue, hubs);
    if (x->edges >> x->grain >= HUB) /* there may be one */
        launch_top_down(g, t, hubs, to, enqueue);
}

template <class O> void top_down(fri_gpu *g, int32_t depth, int how) {
    xbfs *x = (xbfs *)g->state;
    traversal<O> t = traversal_of<O>(g, depth);
    bool reuse = x->pulled && g->job->knob[NO_QUEUE] >= 1, enqueue = how == SCAN_FREE;
    edge_queue<O> from = queue_of<O>(g, x->turn, &t.last->found);
    if (x->pulled && !reuse) { /* the queue in its place is the pull's */
        from = queue_of<O>(g, x->turn ^= 1, &t.now->listed);
        launch_single_scan(g, t, {nullptr, nullptr, depth, depth, false}, g->n, from);
    }
    edge_queue<O> to = queue_of<O>(g, x->turn ^ 1, &t.now->found);
    scanned all = {nullptr, nullptr, depth + 1, depth + 1, false};
    if (enqueue && x->ahead_found) { /* what the last pull settled early nobody will enqueue */
        scanned pulled = {from.vertex, &t.last->listed, depth + 1, depth + 1, false};
        launch_single_scan(g, t, reuse ? pulled : all, reuse ? (int64_t)x->listed : g->n, to);
    }
    if (reuse)
        launch_no_queue(g, t, from, to, enqueue);
    else
        launch_top_down(g, t, from, to, enqueue);
    if (how == SINGLE_SCAN)
        launch_single_scan(g, t, all, g->n, to);
    else if (how == DOUBLE_SCAN)
        launch_double_scan(g, t, all, g->n, g->job->knob[PULL_QUEUE] < 1, true, to);
    x->turn ^= 1;
}

template <class O> void bottom_up(fri_gpu *g, int32_t depth) {
    xbfs *x = (xbfs *)g->state;
    const double *knob = g->job->knob;
    traversal<O> t = traversal_of<O>(g, depth);
    int64_t size = x->unvisited + x->ahead_found, from = g->n;
    scanned s = {nullptr, nullptr, -1, x->ahead_found ? depth + 1 : -1,
                 knob[PULL_QUEUE] >= FROM_LAST && !x->pulled};
    if (x->pulled && knob[PULL_QUEUE] >= FROM_LAST) { /* Lemma 1: it holds all that is unvisited */
        s.list = queue_of<O>(g, x->turn, nullptr).vertex;
        s.tail = &t.last->listed;
        from = x->listed;
    }
    edge_queue<O> to = queue_of<O>(g, x->turn ^= 1, &t.now->listed);
    launch_double_scan(g, t, s, from, knob[PULL_QUEUE] < 1, false, to);
    int block = fri_gpu_block_knob(g, BLOCK), balance = (int)knob[BALANCE];
    unsigned blocks = resident_blocks(g, size / (int64_t)knob[SHARE], block);
    uint32_t fetch = (uint32_t)knob[FETCH] / FRI_WARP * FRI_WARP;
    if (balance == BY_DEGREE)
        FRI_LAUNCH((by_degree_kernel<O>), blocks, block, 0, g->stream, t, to.vertex);
    else
        FRI_LAUNCH((by_thread_kernel<O>), blocks, block, 0, g->stream, t, to.vertex, balance, fetch,
                   (int)knob[DONATE]);
}

/* Equation 2: will the next level, growing as this one did, be pulled? */
int generator_of(const fri_gpu *g) {
    const xbfs *x = (const xbfs *)g->state;
    double alpha = g->job->knob[ALPHA], lambda = x->prior ? (double)x->edges / (double)x->prior : 0;
    bool soon = (double)x->edges * lambda >= alpha * (double)g->m;
    return (int)fri_job_knob(g->job, QUEUE, soon ? SINGLE_SCAN : SCAN_FREE);
}

/* Reads the level's words, waiting for it, and keeps the books. */
fr_status close_level(fri_gpu *g, int32_t depth, bool pull, fri_gpu_leap *did) {
    xbfs *x = (xbfs *)g->state;
    const level_words *w = (const level_words *)(const void *)(g->host_words + words_at(depth));
    FRI_GPU_TRY(fri_gpu_read_words(g, words_at(depth), (int)(sizeof *w / sizeof(int32_t))));
    packed mask = ((packed)1 << x->bits) - 1;
    int64_t found = (int64_t)(w->found & mask), edges = (int64_t)(w->found >> x->bits << x->grain);
    did->edges = pull || x->grain ? (int64_t)w->checked : x->edges;
    did->found = found + (pull ? x->ahead_found : 0); /* top-down: it is in the queue */
    x->prior = x->edges;
    x->edges = edges + (pull ? x->ahead_edges : 0);
    x->unvisited -= found - (pull ? 0 : x->ahead_found);
    x->ahead_found = pull ? (int64_t)(w->ahead & mask) : 0;
    x->ahead_edges = pull ? (int64_t)(w->ahead >> x->bits << x->grain) : 0;
    x->unvisited -= x->ahead_found;
    x->listed = (uint32_t)(w->listed & mask);
    x->pulled = pull;
    return FR_OK;
}

fr_status leap(fri_gpu *g, int32_t depth, int32_t most, fri_gpu_leap *did) {
    static const char *const names[] = {"scan-free", "single-scan", "double-scan"};
    const xbfs *x = (const xbfs *)g->state;
    (void)most;
    if (!x->edges) /* nothing leaves the frontier */
        return FR_OK;
    bool pull = (double)x->edges >= g->job->knob[ALPHA] * (double)g->m;
    int how = generator_of(g);
    did->choice = pull ? "bottom-up" : x->pulled ? "no-queue" : names[how];
    if (pull)
        FRI_BY_WIDTH(g, bottom_up<O>(g, depth));
    else
        FRI_BY_WIDTH(g, top_down<O>(g, depth, how));
    return close_level(g, depth, pull, did);
}

/* How the 64 bits of a packed sum are shared; where all edges do not fit above the vertices, a unit
 * is more than one. */
void share_bits(const fri_gpu *g, xbfs *x) {
    while (g->n >> x->bits)
        x->bits++;
    while (2 << x->grain <= (int)g->job->knob[GRAIN])
        x->grain++;
    while (((packed)g->m >> x->grain) + (packed)g->n >= (packed)1 << (64 - x->bits))
        x->grain++;
}

template <class O> void seed(fri_gpu *g) {
    int block = fri_gpu_block_knob(g, BLOCK);
    traversal<O> t = traversal_of<O>(g, 0);
    FRI_LAUNCH((seed_kernel<O>), fri_gpu_blocks(g->source_count, block), block, 0, g->stream, t,
               g->sources, (uint32_t)g->source_count, queue_of<O>(g, 0, &t.last->found));
}

fr_status begin(fri_gpu *g) {
    xbfs *x = (xbfs *)g->state;
    *x = {};
    share_bits(g, x);
    x->unvisited = g->n - g->source_count;
    const fr_query *q = &g->job->query;
    for (int64_t i = 0; i < q->source_count; i++)
        x->edges += g->job->csr.offsets[q->sources[i] + 1] - g->job->csr.offsets[q->sources[i]];
    FRI_BY_WIDTH(g, seed<O>(g));
    return FR_OK;
}

fr_status prepare(fri_job *job) {
    FRI_GPU_TRY(fri_gpu_prepare(job));
    fri_gpu *g = (fri_gpu *)job->device;
    g->state = fri_calloc(job->ctx, sizeof(xbfs));
    return g->state ? FR_OK : FR_NOMEM;
}

const fri_gpu_row device_side = {scratch, begin, nullptr, nullptr, leap};

} // namespace

FRI_GPU_ROW(fri_gpu_bfs_xbfs) = {
    .name = "xbfs",
    .source = "Gaihre, Wu, Yao, Liu: XBFS: eXploring runtime optimizations for breadth-first "
              "search on GPUs, HPDC 2019",
    .text = "queue by scan-free, single-scan, double-scan or none per level; balanced asynchronous "
            "bottom-up",
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
