/* Host side of xbfs: state, scratch, launches. */
#ifndef FRI_XBFS_HOST_CUH
#define FRI_XBFS_HOST_CUH

#include "cuda/bfs/xbfs_bottom_up.cuh"
#include "cuda/bfs/xbfs_scan.cuh"
#include "cuda/bfs/xbfs_top_down.cuh"
#include "cuda/bfs_queues.h"

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
       LEAP,
       SHARE,
       HUB,
       GRAIN
};

struct xbfs {                         /* host state of a traversal */
    int64_t edges, prior;             /* that leave the frontier, and the frontier before */
    int64_t ahead_found, ahead_edges; /* of the next level, settled early */
    int64_t unvisited;
    uint32_t listed; /* size of the last level's bottom-up queue */
    bool pulled;     /* the last level was bottom-up */
    bool again;      /* by equation 2 the level after this one is bottom-up too */
    bool counted;    /* the last level did Scan I of the unvisited, and left its finds unqueued */
    int current;     /* which of the two queues holds the frontier, or the last pull's queue */
    int32_t leap;    /* levels to launch at once, were they all thin */
    int bits, grain;
    level_words *words;  /* [RING] pinned, kept from query to query */
    int32_t sizes[RING]; /* of the levels of a leap */
};

size_t offset_bytes(const fri_gpu *g) { return g->offsets64 ? sizeof(int64_t) : sizeof(uint32_t); }
size_t vertex_bytes(int64_t count) { return fri_line(fri_bytes(count, sizeof(int32_t))); }
size_t queue_part(const fri_gpu *g, int64_t count) {
    return vertex_bytes(count) + fri_line(fri_bytes(count, offset_bytes(g)));
}
int64_t max_hubs(const fri_gpu *g) { return g->m / (int64_t)g->job->knob[HUB] + 1; }
/* What a chip holds of kernels with 40 registers a thread. */
int64_t max_threads(const fri_gpu *g) { return (int64_t)g->multiprocessors * 1536; }
int64_t max_segments(const fri_gpu *g) { return max_threads(g) + 1024; } /* the last block full */

/* Blocks for that many threads, no more than fit on the chip at once. */
unsigned resident_blocks(const fri_gpu *g, int64_t threads, int block) {
    return fri_gpu_blocks(FRI_MIN(threads, max_threads(g)), block);
}

/* Scratch: the ring of words, two queues, the queue of hubs, the double-scan's sums and totals. */
size_t scratch(const fri_gpu *g) {
    return RING * sizeof(level_words) + 2 * queue_part(g, g->n) + queue_part(g, max_hubs(g)) +
           2 * fri_line(fri_bytes(max_segments(g), sizeof(packed)));
}

/* Queue 0, 1 or 2: the hubs'. */
template <class O> edge_queue<O> queue_of(const fri_gpu *g, int which, packed *tail) {
    int64_t capacity = which < 2 ? g->n : max_hubs(g);
    char *at = g->scratch + RING * sizeof(level_words) + (size_t)which * queue_part(g, g->n);
    return {(int32_t *)(void *)at, (O *)(void *)(at + vertex_bytes(capacity)), tail};
}
packed *sums_of(const fri_gpu *g) {
    return (packed *)(void *)(g->scratch + RING * sizeof(level_words) + 2 * queue_part(g, g->n) +
                              queue_part(g, max_hubs(g)));
}
/* The sources' are words that the driver has cleared. */
level_words *words_of(const fri_gpu *g, int32_t depth) {
    return depth < 0 ? (level_words *)(void *)g->control
                     : (level_words *)(void *)g->scratch + depth % RING;
}

template <class O> traversal<O> traversal_of(const fri_gpu *g, int32_t depth) {
    const xbfs *x = (const xbfs *)g->state;
    const fr_query *q = &g->job->query;
    double ahead = g->job->knob[ASYNC];
    bool deeper = !q->max_level || depth + 2 <= q->max_level;
    return {fri_csr_view_of<O>(g->out),
            fri_csr_view_of<O>(g->in),
            g->n,
            depth,
            g->level,
            g->parent,
            x->bits,
            x->grain,
            (int)g->job->knob[BATCH],
            (ahead >= 2 ? x->again : ahead >= 1) && deeper && !g->job->target_map,
            x->ahead_found > 0,
            words_of(g, depth),
            words_of(g, depth - 1),
            words_of(g, depth + 1)};
}

/* All vertices of a level. */
scanned vertices_of(int32_t level) { return {nullptr, nullptr, level, level, false, NO_LEVEL}; }

template <class O> void launch_seed(fri_gpu *g) {
    int block = fri_gpu_block_knob(g, BLOCK);
    traversal<O> t = traversal_of<O>(g, -1);
    FRI_LAUNCH((seed_kernel<O>), fri_gpu_blocks(g->source_count, block), block, 0, g->stream, t,
               g->sources, (uint32_t)g->source_count, queue_of<O>(g, 0, &t.now->found));
}

template <class O>
void launch_single_scan(fri_gpu *g, const traversal<O> &t, const scanned &s, int64_t size,
                        const edge_queue<O> &to) {
    int block = fri_gpu_block_knob(g, BLOCK);
    FRI_LAUNCH((single_scan_kernel<O>), resident_blocks(g, (size + TAKE - 1) / TAKE, block), block,
               0, g->stream, t, s, to);
}

unsigned double_scan_blocks(const fri_gpu *g, int64_t size) {
    return resident_blocks(g, (size + FRI_WARP - 1) / FRI_WARP, fri_gpu_block_knob(g, BLOCK));
}
double_scan double_scan_of(const fri_gpu *g, const scanned &s, bool weigh) {
    packed *sums = sums_of(g);
    return {s, g->job->knob[PULL_QUEUE] < BALLOT, weigh, sums, sums + max_segments(g)};
}
template <class O>
void launch_scan_1(fri_gpu *g, const traversal<O> &t, const double_scan &d, int64_t size) {
    FRI_LAUNCH((count_kernel<O>), double_scan_blocks(g, size), fri_gpu_block_knob(g, BLOCK), 0,
               g->stream, t, d);
}
template <class O>
void launch_scan_2(fri_gpu *g, const traversal<O> &t, const double_scan &d, int64_t size,
                   const edge_queue<O> &to) {
    FRI_LAUNCH((place_kernel<O>), double_scan_blocks(g, size), fri_gpu_block_knob(g, BLOCK), 0,
               g->stream, t, d, to);
}

/* A warp's share of `units`: as little as keeps the chip full, so that few search for long. */
uint32_t span_of(const fri_gpu *g, int64_t units) {
    int64_t share = units / (max_threads(g) / FRI_WARP) / FRI_WARP * FRI_WARP;
    return (uint32_t)FRI_MIN(FRI_MAX(share, FRI_WARP), 16 * FRI_WARP);
}

/* edges: about how many leave the queue's vertices. */
template <class O>
void launch_top_down(fri_gpu *g, const traversal<O> &t, const edge_queue<O> &from,
                     const edge_queue<O> &to, bool enqueue, int64_t edges) {
    int block = fri_gpu_block_knob(g, BLOCK);
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
    if (x->edges >= (int64_t)g->job->knob[HUB]) /* there may be one */
        launch_top_down(g, t, hubs, to, enqueue, x->edges);
}

template <class O>
void launch_pull(fri_gpu *g, const traversal<O> &t, const int32_t *list, int64_t size) {
    const double *knob = g->job->knob;
    int block = fri_gpu_block_knob(g, BLOCK), balance = (int)knob[BALANCE];
    unsigned blocks = resident_blocks(g, size / (int64_t)knob[SHARE], block);
    uint32_t fetch = (uint32_t)knob[FETCH] / FRI_WARP * FRI_WARP;
    if (balance == BY_DEGREE)
        FRI_LAUNCH((by_degree_kernel<O>), blocks, block, 0, g->stream, t, list);
    else
        FRI_LAUNCH((by_thread_kernel<O>), blocks, block, 0, g->stream, t, list, balance, fetch,
                   (int)knob[DONATE]);
}

} // namespace

#endif
