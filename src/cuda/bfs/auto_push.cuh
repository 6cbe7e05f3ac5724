/* Top-down levels of `auto`: spans of frontier vertices are walked, the next queue is written. */
#ifndef FRI_AUTO_PUSH_CUH
#define FRI_AUTO_PUSH_CUH

#include "cuda/bfs/auto_queue.cuh"

namespace {
/* What a push writes to. */
struct finds {
    outlet out;
    bool lean; /* no queue: the levels tell the next frontier */
};
} // namespace

/* Whole warp: each lane looks at AT_ONCE edges, those that are on; all reads of a kind are on their
 * way before the first is needed, and offsets come while claims are on their way. */
template <class O>
static __device__ __forceinline__ void look(const world<O> &w, int32_t depth, const int32_t *u,
                                            const O *e, const bool *on, finds *to, tally<O> *mine) {
    int32_t v[AT_ONCE];
    uint32_t answer[AT_ONCE];
    O begin[AT_ONCE], degree[AT_ONCE];
    bool open[AT_ONCE], any = false;
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++)
        v[j] = on[j] ? w.out.targets[e[j]] : 0;
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++)
        open[j] = on[j] && looks_new(w, v[j]);
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        begin[j] = open[j] && !to->lean ? w.out.offsets[v[j]] : 0;
        degree[j] = open[j] && !to->lean ? w.out.offsets[v[j] + 1] : 0;
    }
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        mine->examined += on[j];
        FRI_COUNT(w.out, FR_COUNT_EDGES, on[j]);
        FRI_COUNT(w.out, FR_COUNT_ATOMICS, open[j]);
        answer[j] = open[j] ? try_for(w, v[j], depth) : 0;
    }
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        bool fresh = open[j] && won(w, v[j], answer[j], depth);
        if (fresh && w.parent)
            w.parent[v[j]] = u[j];
        if (fresh && to->lean) /* of few of those that looked new, and nobody waits for them */
            degree[j] = w.out.offsets[v[j] + 1] - w.out.offsets[v[j]];
        degree[j] = fresh ? degree[j] - begin[j] : 0;
        mine->vertices += fresh;
        mine->edges += (edge_sum<O>)degree[j];
        any |= degree[j] > 0;
    }
    if (!to->lean && __any_sync(FRI_FULL, any))
        enqueue(w, v, begin, degree, &to->out);
}

/* Short spans: `width` lanes to each, no sums. */
template <class O>
static __device__ void push_short(const world<O> &w, int32_t depth, const span *queue,
                                  int32_t count, int width, finds *to, tally<O> *mine) {
    int per = FRI_WARP / width;
    for (uint32_t first = (uint32_t)(team_warp() * per); first < (uint32_t)count;
         first += (uint32_t)(team_warps() * per)) {
        uint32_t i = first + (uint32_t)(fri_lane() / width);
        O e[AT_ONCE];
        span s = i < (uint32_t)count ? queue[i] : span{0, 0, 0};
        int32_t u[AT_ONCE] = {s.v, s.v};
        bool on[AT_ONCE];
        for (int k = fri_lane() % width; __any_sync(FRI_FULL, k < s.count); k += width * AT_ONCE) {
            FRI_UNROLL
            for (int j = 0; j < AT_ONCE; j++) {
                on[j] = k + j * width < s.count;
                e[j] = (O)(s.begin + k + j * width);
            }
            look(w, depth, u, e, on, to, mine);
        }
    }
}

/* Spans of any length: the warp numbers the edges of `per` spans and takes 64 at a time. */
template <class O>
static __device__ void push_merged(const world<O> &w, int32_t depth, const span *queue,
                                   int32_t count, int per, bundle *b, finds *to, tally<O> *mine) {
    for (uint32_t first = (uint32_t)(team_warp() * per); first < (uint32_t)count;
         first += (uint32_t)(team_warps() * per)) {
        uint32_t i = first + (uint32_t)fri_lane();
        O e[AT_ONCE];
        span s = fri_lane() < per && i < (uint32_t)count ? queue[i] : span{0, 0, 0};
        int edges, before = fri_warp_sum(s.count, &edges);
        int32_t u[AT_ONCE];
        bool on[AT_ONCE];
        b->v[fri_lane()] = s.v;
        b->begin[fri_lane()] = s.begin;
        b->before[fri_lane()] = before;
        __syncwarp(); /* the bundle is written */
        for (int k0 = fri_lane(); k0 - fri_lane() < edges; k0 += STAGE) {
            FRI_UNROLL
            for (int j = 0; j < AT_ONCE; j++) {
                int k = k0 + j * FRI_WARP, owner = fri_owner(b->before, per, k);
                on[j] = k < edges;
                u[j] = b->v[owner];
                e[j] = (O)(b->begin[owner] + (k - b->before[owner]));
            }
            look(w, depth, u, e, on, to, mine);
        }
        __syncwarp(); /* and read */
    }
}

/* Lanes for a short span: as many as there are for all, at least 1. */
static __device__ __forceinline__ int lanes_each(int32_t count) {
    int width = FRI_WARP;
    while (width > 1 && (int64_t)count * width > (int64_t)team_warps() * FRI_WARP)
        width /= 2;
    return width;
}

/* The team: one level from a queue to the next frontier; settle must follow. */
template <class O>
static __device__ void push(const world<O> &w, int32_t depth, const slot &now, bundle *b, finds *to,
                            tally<O> *mine) {
    const span *queue = w.queue[depth & 1];
    int width = lanes_each(now.entries);
    if (now.edges <= (unsigned long long)now.entries * AT_ONCE * (unsigned)width)
        push_short(w, depth, queue, now.entries, width, to, mine);
    else
        push_merged(w, depth, queue, now.entries, FRI_WARP / width, b, to, mine);
}

#endif
