/* Top-down levels of `auto`: spans of frontier vertices are walked, the next queue is written. */
#ifndef FRI_AUTO_PUSH_CUH
#define FRI_AUTO_PUSH_CUH

#include "cuda/bfs/auto_world.cuh"

namespace {
/* What one warp walks at a time, in shared memory. */
struct bundle {
    int64_t begin[FRI_WARP];
    int32_t v[FRI_WARP];
    int before[FRI_WARP]; /* edges of the spans before */
};
} // namespace

/* Whole warp: a vertex of more than one span is written by all lanes. */
template <class O>
static __device__ void write_spans(span *at, int parts, int before, int32_t v, O begin,
                                   int64_t degree) {
    for (unsigned rest = __ballot_sync(FRI_FULL, parts > 0); rest; rest &= rest - 1) {
        int from = __ffs((int)rest) - 1;
        int many = __shfl_sync(FRI_FULL, parts, from), first = __shfl_sync(FRI_FULL, before, from);
        int32_t u = __shfl_sync(FRI_FULL, v, from);
        int64_t start = (int64_t)__shfl_sync(FRI_FULL, begin, from);
        int64_t edges = __shfl_sync(FRI_FULL, degree, from);
        for (int i = fri_lane(); i < many; i += FRI_WARP) {
            int64_t left = edges - (int64_t)i * SPAN;
            at[first + i] = {u, (int32_t)FRI_MIN(left, (int64_t)SPAN), start + (int64_t)i * SPAN};
        }
    }
}

/* Whole warp: queues the fresh lanes' vertices of `least` edges or more and counts them all. */
template <class O>
static __device__ __forceinline__ void enqueue(const world<O> &w, bool fresh, int32_t v,
                                               int32_t least, span *next, int32_t *entries,
                                               tally *mine) {
    if (!__any_sync(FRI_FULL, fresh))
        return;
    O begin = 0;
    int64_t degree = 0;
    if (fresh) {
        begin = w.out.offsets[v];
        degree = (int64_t)(w.out.offsets[v + 1] - begin);
        mine->vertices++;
        mine->edges += (unsigned long long)degree;
    }
    int parts = degree >= least ? (int)((degree + SPAN - 1) / SPAN) : 0, total, base = 0;
    bool wide = __any_sync(FRI_FULL, parts > 1);
    int before = wide ? fri_warp_sum(parts, &total) : fri_warp_count(parts > 0, &total);
    if (total == 0)
        return;
    FRI_COUNT(w.out, FR_COUNT_ENQUEUES, parts);
    if (fri_lane() == 0) /* one place per warp for all of its entries */
        base = atomicAdd(entries, total);
    base = __shfl_sync(FRI_FULL, base, 0);
    if (wide)
        write_spans(next + base, parts, before, v, begin, degree);
    else if (parts)
        next[base + before] = {v, (int32_t)degree, (int64_t)begin};
}

/* Whole warp: lane looks at edge e of u, where `on`. */
template <class O>
static __device__ __forceinline__ void look(const world<O> &w, bool on, int32_t u, int64_t e,
                                            span *next, int32_t *entries, tally *mine) {
    int32_t v = on ? w.out.targets[e] : 0;
    mine->examined += on;
    FRI_COUNT(w.out, FR_COUNT_EDGES, on);
    bool fresh = on && fri_claim(w.out, v, u, w.depth, w.level, w.parent);
    enqueue(w, fresh, v, w.least, next, entries, mine);
}

/* Short spans: `width` lanes to each, no sums. */
template <class O>
static __device__ void push_short(const world<O> &w, const span *queue, int32_t count, int width,
                                  span *next, int32_t *entries, tally *mine) {
    int per = FRI_WARP / width;
    for (int64_t first = (int64_t)team_warp() * per; first < count;
         first += (int64_t)team_warps() * per) {
        int64_t i = first + fri_lane() / width;
        span s = i < count ? queue[i] : span{0, 0, 0};
        for (int k = fri_lane() % width; __any_sync(FRI_FULL, k < s.count); k += width)
            look(w, k < s.count, s.v, s.begin + k, next, entries, mine);
    }
}

/* Spans of any length: the warp numbers the edges of `per` spans and takes 32 at a time. */
template <class O>
static __device__ void push_merged(const world<O> &w, const span *queue, int32_t count, int per,
                                   bundle *b, span *next, int32_t *entries, tally *mine) {
    for (int64_t first = (int64_t)team_warp() * per; first < count;
         first += (int64_t)team_warps() * per) {
        int64_t i = first + fri_lane();
        span s = fri_lane() < per && i < count ? queue[i] : span{0, 0, 0};
        int edges, before = fri_warp_sum(s.count, &edges);
        b->v[fri_lane()] = s.v;
        b->begin[fri_lane()] = s.begin;
        b->before[fri_lane()] = before;
        __syncwarp(); /* the bundle is written */
        for (int k0 = 0; k0 < edges; k0 += FRI_WARP) {
            int k = k0 + fri_lane(), owner = fri_owner(b->before, per, k);
            look(w, k < edges, b->v[owner], b->begin[owner] + (k - b->before[owner]), next, entries,
                 mine);
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

/* The team: one level from a queue to the next queue. */
template <class O>
static __device__ void push(const world<O> &w, const slot &now, slot *next, bundle *b,
                            tally *mine) {
    const span *queue = w.queue[w.depth & 1];
    span *out = w.queue[(w.depth + 1) & 1];
    int width = lanes_each(now.entries);
    if (now.edges <= (unsigned long long)now.entries * 4 * (unsigned)width)
        push_short(w, queue, now.entries, width, out, &next->entries, mine);
    else
        push_merged(w, queue, now.entries, FRI_WARP / width, b, out, &next->entries, mine);
}

#endif
