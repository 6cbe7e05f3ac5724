/* What `auto` does before its first level: facts and heads of a graph, once; the arrays and the
 * first queue of a traversal. */
#ifndef FRI_AUTO_START_CUH
#define FRI_AUTO_START_CUH

#include "cuda/bfs/auto_queue.cuh"

/* In-edges that are looked through for a head; of those on their way at a time. */
static const int HEAD_OF = 8, HEADS_AHEAD = 4;

namespace {
/* Of a graph, found by the device; in fri_gpu.words. */
struct facts {
    int32_t reachable; /* vertices with in-edges */
    uint32_t widest;   /* out-edges of a vertex */
};
} // namespace

/* A thread a row at a time: which are empty, how many are not; the longest. Blocks of whole words.
 */
template <class O>
static __global__ void facts_kernel(fri_rows<O> rows, int32_t n, uint32_t *closed, facts *all) {
    const int64_t stride = (int64_t)gridDim.x * blockDim.x;
    uint32_t widest = 0;
    int32_t reachable = 0;
    for (int64_t v = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; v - fri_lane() < n;
         v += stride) {
        O degree = v < n ? rows.offsets[v + 1] - rows.offsets[v] : 0;
        uint32_t open = __ballot_sync(FRI_FULL, degree > 0);
        reachable += __popc(open);
        if (fri_lane() == 0 && closed)
            closed[v / FRI_WARP] = ~open;
        widest = FRI_MAX(widest, (uint32_t)FRI_MIN(degree, (O)UINT32_MAX));
    }
    if (fri_lane() == 0) /* other warps add */
        atomicAdd(&all->reachable, reachable);
    if (widest > fri_racy_load(&all->widest)) /* racy: spares most atomics */
        atomicMax(&all->widest, widest);      /* all threads */
}

/* A thread a vertex: of its first in-neighbours the one with most out-edges. */
template <class O>
static __global__ void heads_kernel(fri_rows<O> out, fri_rows<O> in, int32_t n, int32_t *heads) {
    int32_t v = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x), head = -1, u[HEADS_AHEAD];
    O its[HEADS_AHEAD], most = 0;
    if (v >= n)
        return;
    const O begin = in.offsets[v], end = in.offsets[v + 1];
    FRI_ROLLED
    for (O at = begin; at < FRI_MIN(end, begin + (O)HEAD_OF); at += HEADS_AHEAD) {
        FRI_UNROLL
        for (int i = 0; i < HEADS_AHEAD; i++)
            u[i] = at + (O)i < end ? in.targets[at + (O)i] : -1;
        FRI_UNROLL
        for (int i = 0; i < HEADS_AHEAD; i++)
            its[i] = u[i] < 0 ? 0 : out.offsets[u[i] + 1] - out.offsets[u[i]];
        FRI_UNROLL
        for (int i = 0; i < HEADS_AHEAD; i++) {
            head = its[i] > most ? u[i] : head;
            most = FRI_MAX(its[i], most);
        }
    }
    heads[v] = end - begin == 1 ? -2 - head : head;
}

/* -1 for vertices 4 i .. 4 i + 3, `value` for the source. */
static __device__ __forceinline__ int4 four_of(int64_t i, int32_t source, int32_t value) {
    int32_t at = i == source / 4 ? source % 4 : -1;
    return {at == 0 ? value : -1, at == 1 ? value : -1, at == 2 ? value : -1, at == 3 ? value : -1};
}

/* Any thread: the first frontier's counters, from the offsets of the source. */
template <class O> static __device__ __forceinline__ tip first_tip(O begin, O end) {
    const O degree = end - begin;
    return {(unsigned long long)degree, 1, (int32_t)((degree + SPAN - 1) / SPAN)};
}

/* All threads of the grid: bitmaps of a traversal from one source, level and parent, if `blank` of
 * the source alone, the counters and the first queue; each block's first thread gets the counters.
 * No barrier within, one must follow. */
template <class O> static __device__ void start(const world<O> &w, bool blank, tip *first) {
    const int64_t me = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int64_t all = (int64_t)gridDim.x * blockDim.x;
    const int32_t source = w.source, quads = blank ? 0 : w.n / 4;
    const bool leads = threadIdx.x < FRI_WARP;
    const O begin = leads ? w.out.offsets[source] : 0; /* on its way meanwhile */
    const O end = leads ? w.out.offsets[source + 1] : 0;
    FRI_ROLLED
    for (int64_t i = me; i < quads; i += all) {
        ((int4 *)w.level)[i] = four_of(i, source, 0);
        if (w.parent)
            ((int4 *)w.parent)[i] = four_of(i, source, source);
    }
    FRI_ROLLED
    for (int64_t v = blank ? w.n : 4 * (int64_t)quads + me; v < w.n; v += all) {
        w.level[v] = v == source ? 0 : -1;
        if (w.parent)
            w.parent[v] = v == source ? source : -1;
    }
    FRI_ROLLED
    for (int64_t i = me; i < words_of(w.n); i += all) {
        uint32_t beyond = (i + 1) * FRI_WARP > w.n ? FRI_FULL << (w.n % FRI_WARP) : 0;
        uint32_t closed = w.closed ? w.closed[i] : beyond;
        w.visited[i] = closed | (source / FRI_WARP == i ? 1u << (source % FRI_WARP) : 0);
        w.front[0][i] = w.front[1][i] = 0;
    }
    if (!leads)
        return;
    const tip now = first_tip(begin, end);
    if (fri_lane() == 0 && first)
        *first = now;
    if (blockIdx.x)
        return;
    for (int32_t i = fri_lane(); i < now.entries; i += FRI_WARP) {
        const int64_t at = (int64_t)begin + (int64_t)i * SPAN;
        w.queue[0][i] = {source, (int32_t)FRI_MIN((int64_t)end - at, (int64_t)SPAN), at};
    }
    if (fri_lane() == 0) {
        if (blank) {
            w.level[source] = 0;
            if (w.parent)
                w.parent[source] = source;
        }
        *w.c = {};
        w.c->turn[0] = {now.edges, now.vertices, now.entries, 0, 0};
    }
}

template <class O> static __global__ void start_kernel(const __grid_constant__ world<O> w) {
    start(w, false, nullptr);
}

/* A thread a source: the queue and the bitmap, which is zero or `closed`, where level and parent
 * are set. */
template <class O>
static __global__ void seed_kernel(const __grid_constant__ world<O> w, int32_t count) {
    FRI_SHARED(bundle<O>, bundles, 256 / FRI_WARP);
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    bool in = i < count;
    int32_t v[AT_ONCE] = {in ? w.sources[i] : 0};
    O begin[AT_ONCE] = {w.out.offsets[v[0]]};
    O degree[AT_ONCE] = {in ? w.out.offsets[v[0] + 1] - begin[0] : 0};
    outlet<O> out = {&bundles[fri_warp()], &w.c->turn[0].entries, 0, 0};
    tally<O> mine = {(edge_sum<O>)degree[0], 0, in};
    if (in) /* other threads set other bits */
        atomicOr(&w.visited[v[0] / FRI_WARP], 1u << (v[0] % FRI_WARP));
    if (i == 0 && w.n % FRI_WARP)
        atomicOr(&w.visited[w.n / FRI_WARP], FRI_FULL << (w.n % FRI_WARP));
    enqueue(w, v, begin, degree, (O)1, &out);
    settle(w, mine, &out, &w.c->turn[0]);
}

#endif
