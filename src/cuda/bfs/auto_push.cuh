/* Top-down levels of `auto`: spans of frontier vertices are walked, the next queue is written. */
#ifndef FRI_AUTO_PUSH_CUH
#define FRI_AUTO_PUSH_CUH

#include "cuda/bfs/auto_world.cuh"

enum { AT_ONCE = 2, STAGE = AT_ONCE * FRI_WARP };

namespace {
/* A warp's own shared memory: what it walks, and what it has found and not yet queued. */
struct bundle {
    int64_t begin[FRI_WARP];
    int32_t v[FRI_WARP];
    int before[FRI_WARP]; /* edges of the spans before */
    span stage[STAGE];
};

/* Where a warp's finds go. */
struct outlet {
    span *queue;
    int32_t *entries; /* the queue's size */
    span *stage;
    int staged;    /* the same in all lanes */
    int32_t least; /* edges that make a vertex worth queueing: an only one leads back */
};
} // namespace

/* Whole warp: makes room for `count` entries in the queue; one atomic for all of them. */
static __device__ __forceinline__ int reserve(const outlet &out, int count) {
    int base = 0;
    if (fri_lane() == 0) /* other warps append too */
        base = atomicAdd(out.entries, count);
    return __shfl_sync(FRI_FULL, base, 0);
}

/* Whole warp: what is staged goes into the queue. */
static __device__ __forceinline__ void flush(outlet *out) {
    __syncwarp(); /* the stage is written */
    if (out->staged == 0)
        return;
    int base = reserve(*out, out->staged);
    for (int i = fri_lane(); i < out->staged; i += FRI_WARP)
        out->queue[base + i] = out->stage[i];
    __syncwarp(); /* and read */
    out->staged = 0;
}

/* Whole warp: edges [begin, begin + degree) of the lanes' vertices into the queue, as spans; the
 * lanes share all of them evenly. */
static __device__ void append_wide(const outlet &out, int32_t v, int64_t begin, int64_t degree) {
    int parts = (int)((degree + SPAN - 1) / SPAN), total, before = fri_warp_sum(parts, &total);
    span *at = out.queue + reserve(out, total);
    for (int i0 = 0; i0 < total; i0 += FRI_WARP) {
        int i = i0 + fri_lane(), owner = 0;
        for (int step = FRI_WARP / 2; step; step /= 2) /* the last lane with before <= i */
            if (__shfl_sync(FRI_FULL, before, owner + step) <= i)
                owner += step;
        int nth = i - __shfl_sync(FRI_FULL, before, owner);
        int32_t u = __shfl_sync(FRI_FULL, v, owner);
        int64_t start = __shfl_sync(FRI_FULL, begin, owner) + (int64_t)nth * SPAN;
        int64_t left = __shfl_sync(FRI_FULL, degree, owner) - (int64_t)nth * SPAN;
        if (i < total)
            at[i] = {u, (int32_t)FRI_MIN(left, (int64_t)SPAN), start};
    }
}

/* Whole warp: stages or queues the lanes' fresh vertices, AT_ONCE each, and counts them. */
template <class O>
static __device__ __forceinline__ void enqueue(const world<O> &w, const bool *fresh,
                                               const int32_t *v, outlet *out, tally *mine) {
    O begin[AT_ONCE], degree[AT_ONCE];
    int before[AT_ONCE], total = 0;
    bool any = false, wide = false;
    const O least = (O)out->least;
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++)
        any |= fresh[j];
    if (!__any_sync(FRI_FULL, any))
        return;
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        begin[j] = fresh[j] ? w.out.offsets[v[j]] : 0;
        degree[j] = fresh[j] ? w.out.offsets[v[j] + 1] : 0;
    }
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        int some;
        degree[j] -= begin[j];
        mine->vertices += fresh[j];
        mine->edges += (unsigned long long)degree[j];
        FRI_COUNT(w.out, FR_COUNT_ENQUEUES, degree[j] >= least);
        before[j] = total + fri_warp_count(degree[j] >= least && degree[j] <= (O)SPAN, &some);
        wide |= degree[j] > (O)SPAN;
        total += some;
    }
    if (out->staged + total > STAGE)
        flush(out);
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++)
        if (degree[j] >= least && degree[j] <= (O)SPAN)
            out->stage[out->staged + before[j]] = {v[j], (int32_t)degree[j], (int64_t)begin[j]};
    out->staged += total;
    if (!__any_sync(FRI_FULL, wide))
        return;
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++)
        append_wide(*out, v[j], (int64_t)begin[j], degree[j] > (O)SPAN ? (int64_t)degree[j] : 0);
}

/* Whole warp: each lane looks at AT_ONCE edges, those that are on; all reads of a kind are on their
 * way before the first is needed. */
template <class O>
static __device__ __forceinline__ void look(const world<O> &w, int32_t depth, const int32_t *u,
                                            const O *e, const bool *on, outlet *out, tally *mine) {
    int32_t v[AT_ONCE], level[AT_ONCE];
    bool fresh[AT_ONCE];
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++)
        v[j] = on[j] ? w.out.targets[e[j]] : 0;
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++)
        level[j] = on[j] ? fri_racy_load(&w.level[v[j]]) : 0; /* the atomic decides */
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        mine->examined += on[j];
        FRI_COUNT(w.out, FR_COUNT_EDGES, on[j]);
        FRI_COUNT(w.out, FR_COUNT_ATOMICS, level[j] < 0);
        fresh[j] = level[j] < 0; /* several may find v: one claims it */
        if (fresh[j])
            level[j] = atomicCAS(&w.level[v[j]], -1, depth + 1);
    }
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        fresh[j] = fresh[j] && level[j] < 0;
        if (fresh[j] && w.parent)
            w.parent[v[j]] = u[j];
    }
    enqueue(w, fresh, v, out, mine);
}

/* Short spans: `width` lanes to each, no sums. */
template <class O>
static __device__ void push_short(const world<O> &w, int32_t depth, const span *queue,
                                  int32_t count, int width, outlet *out, tally *mine) {
    int per = FRI_WARP / width;
    for (int64_t first = (int64_t)team_warp() * per; first < count;
         first += (int64_t)team_warps() * per) {
        int64_t i = first + fri_lane() / width;
        O e[AT_ONCE];
        span s = i < count ? queue[i] : span{0, 0, 0};
        int32_t u[AT_ONCE] = {s.v, s.v};
        bool on[AT_ONCE];
        for (int k = fri_lane() % width; __any_sync(FRI_FULL, k < s.count); k += width * AT_ONCE) {
            FRI_UNROLL
            for (int j = 0; j < AT_ONCE; j++) {
                on[j] = k + j * width < s.count;
                e[j] = (O)(s.begin + k + j * width);
            }
            look(w, depth, u, e, on, out, mine);
        }
    }
}

/* Spans of any length: the warp numbers the edges of `per` spans and takes 64 at a time. */
template <class O>
static __device__ void push_merged(const world<O> &w, int32_t depth, const span *queue,
                                   int32_t count, int per, bundle *b, outlet *out, tally *mine) {
    for (int64_t first = (int64_t)team_warp() * per; first < count;
         first += (int64_t)team_warps() * per) {
        int64_t i = first + fri_lane();
        O e[AT_ONCE];
        span s = fri_lane() < per && i < count ? queue[i] : span{0, 0, 0};
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
            look(w, depth, u, e, on, out, mine);
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

template <class O>
static __device__ outlet outlet_of(const world<O> &w, int32_t depth, int32_t *entries, bundle *b) {
    return {w.queue[depth & 1], entries, b->stage, 0, w.symmetric ? 2 : 1};
}

/* The team: one level from a queue to the next queue. */
template <class O>
static __device__ void push(const world<O> &w, int32_t depth, const slot &now, slot *next,
                            bundle *b, tally *mine) {
    const span *queue = w.queue[depth & 1];
    outlet out = outlet_of(w, depth + 1, &next->entries, b);
    int width = lanes_each(now.entries);
    if (now.edges <= (unsigned long long)now.entries * AT_ONCE * (unsigned)width)
        push_short(w, depth, queue, now.entries, width, &out, mine);
    else
        push_merged(w, depth, queue, now.entries, FRI_WARP / width, b, &out, mine);
    flush(&out);
}

#endif
