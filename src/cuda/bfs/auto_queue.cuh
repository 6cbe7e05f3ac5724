/* The queue of `auto`: spans of frontier vertices, staged by warp, written by block. */
#ifndef FRI_AUTO_QUEUE_CUH
#define FRI_AUTO_QUEUE_CUH

#include "cuda/bfs/auto_world.cuh"

enum { AT_ONCE = 2, STAGE = AT_ONCE * FRI_WARP, SHELF = 256, HOARD = 64 };

namespace {
/* Two blocks' shared memory is kept below 49 KB in all, so that L1 has the rest (see SHEAF).
 *
 * A warp's own: spans that it has found and not yet queued. */
template <class O> struct bundle {
    O begin[STAGE];
    int32_t v[STAGE];
    uint16_t count[STAGE];
};

/* A block's: vertices of more edges than a span that it has found and not yet queued. */
template <class O> struct hoard {
    int32_t count, spans; /* count: of all that came, HOARD at most are held */
    O begin[HOARD], degree[HOARD];
    int32_t v[HOARD];
    int at[HOARD]; /* spans of those before */
};

/* A block's: the spans it walks. */
template <class O> struct shelf {
    O begin[SHELF];
    int32_t v[SHELF];
    int before[SHELF]; /* edges of the spans before */
    uint16_t count[SHELF];
};

/* Where a warp's finds go: few registers, the rest is in the world. */
template <class O> struct outlet {
    bundle<O> *b;
    int32_t *entries; /* the queue's size */
    int32_t depth;    /* of what is queued */
    int staged;       /* the same in all lanes */
    hoard<O> *wide;   /* or NULL: nothing is held back */
};

/* A block's sums at the end of a level. */
template <class O> struct ledger {
    edge_sum<O> edges, examined, behind;
    int32_t vertices, staged, base;
};
} // namespace

/* Edges that make a vertex worth queueing: an only one leads back, but not from a source. */
template <class O>
static __device__ __forceinline__ O least_edges(const world<O> &w, int32_t depth) {
    return w.symmetric && depth > 0 ? 2 : 1;
}

/* Whole warp: makes room for `count` entries in the queue; one atomic for all of them. */
static __device__ __forceinline__ int reserve(int32_t *entries, int count) {
    int base = 0;
    if (fri_lane() == 0) /* other warps append too */
        base = atomicAdd(entries, count);
    return __shfl_sync(FRI_FULL, base, 0);
}

/* Whole warp: what is staged goes into the queue from `base` on. */
template <class O>
static __device__ __forceinline__ void unstage(const world<O> &w, outlet<O> *out, int base) {
    __syncwarp(); /* the stage is written */
    FRI_ROLLED
    for (int i = fri_lane(); i < out->staged; i += FRI_WARP)
        w.queue[out->depth & 1][base + i] = {out->b->v[i], out->b->count[i],
                                             (int64_t)out->b->begin[i]};
    __syncwarp(); /* and read */
    out->staged = 0;
}

/* Whole warp: the same, at the queue's end. */
template <class O> static __device__ __forceinline__ void flush(const world<O> &w, outlet<O> *out) {
    if (out->staged)
        unstage(w, out, reserve(out->entries, out->staged));
}

/* Spans of a vertex of that many edges. */
template <class O> static __device__ __forceinline__ int spans_of(O degree) {
    return (int)((degree + SPAN - 1) / SPAN);
}

/* The nth of them, the vertex's edges being [begin, begin + degree). */
template <class O>
static __device__ __forceinline__ span nth_span(int32_t v, O begin, O degree, int nth) {
    const O gone = (O)nth * SPAN;
    return {v, (int32_t)FRI_MIN((O)(degree - gone), (O)SPAN), (int64_t)(begin + gone)};
}

/* Whole warp: edges [begin, begin + degree) of the lanes' vertices behind the `entries` of a queue,
 * as spans; the lanes share all of them evenly. Rolled: its copies were most of the kernel. */
static __device__ void append_wide(span *queue, int32_t *entries, int32_t v, int64_t begin,
                                   int64_t degree) {
    int parts = (int)((degree + SPAN - 1) / SPAN), total, before = fri_warp_sum(parts, &total);
    if (total == 0)
        return;
    span *at = queue + reserve(entries, total);
    FRI_ROLLED
    for (int i0 = 0; i0 < total; i0 += FRI_WARP) {
        int i = i0 + fri_lane(), owner = 0;
        FRI_ROLLED
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

/* Any thread: true if the vertex of many edges is held until the level ends, when its block writes
 * its spans: a warp that finds the hubs of a word alone would be busy with theirs for long. */
template <class O>
static __device__ __forceinline__ bool hold(hoard<O> *wide, int32_t v, O begin, O degree) {
    const int i = wide ? atomicAdd(&wide->count, 1) : (int)HOARD; /* the block's threads add */
    if (i >= HOARD)
        return false;
    wide->v[i] = v;
    wide->begin[i] = begin;
    wide->degree[i] = degree;
    wide->at[i] = atomicAdd(&wide->spans, spans_of(degree)); /* as above */
    return true;
}

/* All threads of the block, at the end of a level: the spans of what is held, a warp a vertex. */
template <class O>
static __device__ __forceinline__ void let_go(const world<O> &w, const outlet<O> &out) {
    FRI_SHARED(int32_t, base, 1);
    const hoard<O> *wide = out.wide;
    __syncthreads(); /* all is held that will be */
    const int count = FRI_MIN(wide->count, (int)HOARD);
    if (count == 0)
        return;
    if (threadIdx.x == 0)
        *base = atomicAdd(out.entries, wide->spans); /* other blocks append, too */
    __syncthreads();                                 /* the place is known */
    FRI_ROLLED
    for (int i = fri_warp(); i < count; i += (int)(blockDim.x / FRI_WARP)) {
        const O begin = wide->begin[i], degree = wide->degree[i];
        span *to = w.queue[out.depth & 1] + *base + wide->at[i];
        FRI_ROLLED
        for (int nth = fri_lane(); nth < spans_of(degree); nth += FRI_WARP)
            to[nth] = nth_span(wide->v[i], begin, degree, nth);
    }
}

/* Whole warp: stages or queues the lanes' vertices, AT_ONCE each, those with `least` edges or more.
 */
template <class O>
static __device__ __forceinline__ void enqueue(const world<O> &w, const int32_t *v, const O *begin,
                                               const O *degree, O least, outlet<O> *out) {
    int before[AT_ONCE], total = 0;
    bool wide = false;
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        int some;
        FRI_COUNT(w.out, FR_COUNT_ENQUEUES, degree[j] >= least);
        before[j] = total + fri_warp_count(degree[j] >= least && degree[j] <= (O)SPAN, &some);
        wide |= degree[j] > (O)SPAN;
        total += some;
    }
    if (out->staged + total > STAGE)
        flush(w, out);
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++)
        if (degree[j] >= least && degree[j] <= (O)SPAN) {
            const int at = out->staged + before[j];
            out->b->v[at] = v[j];
            out->b->begin[at] = begin[j];
            out->b->count[at] = (uint16_t)degree[j];
        }
    out->staged += total;
    if (!__any_sync(FRI_FULL, wide))
        return;
    FRI_ROLLED
    for (int j = 0; j < AT_ONCE; j++) {
        int32_t one = 0;
        O from = 0, its = 0;
        FRI_UNROLL
        for (int k = 0; k < AT_ONCE; k++) /* no index that is not known: it would cost registers */
            if (k == j)
                one = v[k], from = begin[k], its = degree[k];
        const bool left = its > (O)SPAN && !hold(out->wide, one, from, its);
        if (__any_sync(FRI_FULL, left))
            append_wide(w.queue[out->depth & 1], out->entries, one, (int64_t)from,
                        left ? (int64_t)its : 0);
    }
}

/* All threads of the block, at the end of a level: what is staged into the queue and the tallies
 * into the next slot, with one atomic a block for each: thousands of one address queue up in L2. */
template <class O>
static __device__ __forceinline__ void settle(const world<O> &w, const tally<O> &mine,
                                              outlet<O> *out, slot *next) {
    FRI_SHARED(ledger<O>, sum, 1);
    int place = 0;
    if (threadIdx.x == 0)
        *sum = {0, 0, 0, 0, 0, 0};
    __syncthreads(); /* the sums are zero */
    if (__any_sync(FRI_FULL, mine.vertices || mine.examined || mine.behind || out->staged)) {
        edge_sum<O> edges = warp_total(mine.edges), examined = warp_total(mine.examined);
        edge_sum<O> behind = warp_total(mine.behind);
        int32_t vertices = (int32_t)warp_total((unsigned)mine.vertices);
        if (fri_lane() == 0) { /* one warp of up to 16 that add */
            atomicAdd(&sum->edges, edges);
            atomicAdd(&sum->examined, examined);
            atomicAdd(&sum->behind, behind);
            atomicAdd(&sum->vertices, vertices);
            place = atomicAdd(&sum->staged, out->staged);
        }
    }
    __syncthreads();        /* the block's sums are complete */
    if (threadIdx.x == 0) { /* one block of many that add */
        if (sum->staged)
            sum->base = atomicAdd(out->entries, sum->staged);
        if (sum->edges)
            atomicAdd(&next->edges, (unsigned long long)sum->edges);
        if (sum->vertices)
            atomicAdd(&next->vertices, sum->vertices);
        if (sum->behind)
            atomicAdd(&next->behind, (unsigned long long)sum->behind);
        if (sum->examined)
            atomicAdd(&w.c->examined, (unsigned long long)sum->examined);
    }
    __syncthreads(); /* the block's place in the queue is known */
    if (out->staged)
        unstage(w, out, sum->base + __shfl_sync(FRI_FULL, place, 0));
}

#endif
