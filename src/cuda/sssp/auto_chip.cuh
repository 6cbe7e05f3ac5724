/* Wide rounds of SSSP `auto`: pending vertices from queues in memory, a warp for up to 32 of them.
 */
#ifndef FRI_AUTO_CHIP_CUH
#define FRI_AUTO_CHIP_CUH

#include "cuda/sssp/auto_paths.cuh"

enum { AT_ONCE = 2, STAGE = AT_ONCE * FRI_WARP };

namespace {
/* A warp's own shared memory: what it walks, and what it has found near and not yet queued. */
template <class K> struct bundle {
    int64_t begin[FRI_WARP];
    K d[FRI_WARP];
    int32_t v[sizeof(K) == 4 ? FRI_WARP : 1]; /* unused with keys of 64 bits */
    int before[FRI_WARP];                     /* edges of the vertices before */
    entry<K> stage[STAGE];
};

/* Where finds go: near ones into the next round's queue, far ones onto the pile. */
template <class T> struct sink {
    typedef typename T::K K;
    slot *next;
    entry<K> *near, *far, *stage;
    part *parts;
    unsigned long long far_base;
    K last;     /* keys up to it are near */
    int staged; /* the same in all lanes */
    bool lost;  /* the pile ran over: finds beyond `last` are left to the search */
};
} // namespace

template <class T>
static __device__ sink<T> sink_of(const world<T> &w, const state &s, bundle<typename T::K> *b) {
    int next = (s.round + 1) & 1;
    return {&w.c->turn[(s.round + 1) % SLOTS],
            w.near[next],
            w.far[s.pile],
            b->stage,
            w.parts[next],
            s.raised ? 0 : s.far,
            (typename T::K)s.last,
            0,
            s.lost != 0};
}

/* Whole warp: places for `count` more; one atomic for all of them. */
static __device__ __forceinline__ unsigned long long reserve(unsigned long long *tail, int count) {
    unsigned long long base = 0;
    if (fri_lane() == 0) /* other warps append too */
        base = atomicAdd(tail, (unsigned long long)count);
    return __shfl_sync(FRI_FULL, base, 0);
}

/* Whole warp: what is staged goes into the queue. */
template <class T> static __device__ void flush(const world<T> &w, sink<T> *to) {
    __syncwarp(); /* the stage is written */
    if (to->staged == 0)
        return;
    unsigned long long base = reserve(&to->next->near, to->staged);
    for (int i = fri_lane(); i < to->staged; i += FRI_WARP)
        if (base + (unsigned)i < w.near_room)
            to->near[base + (unsigned)i] = to->stage[i];
    __syncwarp(); /* and read */
    to->staged = 0;
}

template <class T>
static __device__ void put_near(const world<T> &w, sink<T> *to, bool yes, int32_t v,
                                typename T::K d) {
    int total, at = fri_warp_count(yes, &total);
    if (to->staged + total > STAGE)
        flush(w, to);
    if (yes)
        to->stage[to->staged + at] = {d, v};
    to->staged += total;
}

template <class T>
static __device__ void put_far(const world<T> &w, const sink<T> &to, bool yes, int32_t v,
                               typename T::K d) {
    int total, at = fri_warp_count(yes, &total);
    if (total == 0 || to.lost)
        return;
    unsigned long long i = to.far_base + reserve(&to.next->far, total) + (unsigned)at;
    if (yes && i < w.far_room)
        to.far[i] = {d, v};
}

/* Whole warp: the lanes' vertices of `degree` > 0 edges as parts of the next round; all lanes share
 * the writing evenly. */
template <class T>
static __device__ void put_parts(const world<T> &w, const sink<T> &to, int32_t v, typename T::K d,
                                 int64_t begin, int64_t degree) {
    int count = (int)((degree + SPAN - 1) / SPAN), total, before = fri_warp_sum(count, &total);
    unsigned long long base = reserve(&to.next->parts, total);
    for (int i0 = 0; i0 < total; i0 += FRI_WARP) {
        int i = i0 + fri_lane(), owner = 0;
        for (int step = FRI_WARP / 2; step; step /= 2) /* the last lane with before <= i */
            if (__shfl_sync(FRI_FULL, before, owner + step) <= i)
                owner += step;
        int64_t skip = (int64_t)(i - __shfl_sync(FRI_FULL, before, owner)) * SPAN;
        int64_t left = __shfl_sync(FRI_FULL, degree, owner) - skip;
        part x = {__shfl_sync(FRI_FULL, begin, owner) + skip, __shfl_sync(FRI_FULL, d, owner),
                  __shfl_sync(FRI_FULL, v, owner), (int32_t)FRI_MIN(left, (int64_t)SPAN)};
        if (i < total && base + (unsigned)i < w.parts_room)
            to.parts[base + (unsigned)i] = x;
    }
}

/* Whole warp: each lane relaxes AT_ONCE edges, those that are on; all reads of a kind are on their
 * way before the first is needed. */
template <class T>
static __device__ __forceinline__ void relax(const world<T> &w, const int32_t *u,
                                             const typename T::K *d, const int64_t *e,
                                             const bool *on, sink<T> *to, tally *mine) {
    typedef typename T::K K;
    int32_t v[AT_ONCE];
    K sum[AT_ONCE], old[AT_ONCE];
    bool low = false, fell[AT_ONCE], any_far = false;
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        v[j] = on[j] ? w.p.targets[e[j]] : 0;
        sum[j] = on[j] ? T::sum(d[j], fri_weight(w.p, e[j]), w.p.cap, &low) : T::far();
    }
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) /* racy: the atomic decides */
        old[j] = on[j] && w.test ? fri_racy_load(&w.p.dist[v[j]]) : T::far();
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        mine->edges += on[j];
        FRI_COUNT(w.p, FR_COUNT_EDGES, on[j]);
        FRI_COUNT(w.p, FR_COUNT_ATOMICS, sum[j] < old[j]);
        fell[j] = sum[j] < old[j];
        if (fell[j]) /* many lower one vertex */
            old[j] = fri_key_min(&w.p.dist[v[j]], sum[j]);
    }
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        fell[j] = fell[j] && sum[j] < old[j];
        mine->relaxed += fell[j];
        FRI_COUNT(w.p, FR_COUNT_RELAXATIONS, fell[j]);
        if (fell[j])
            note_parent(w, v[j], sum[j], u[j]);
        any_far |= fell[j] && sum[j] > to->last;
        if (fell[j] && sum[j] > to->last)
            mine->far_least = least_of(mine->far_least, sum[j]);
        else if (fell[j])
            mine->near_least = least_of(mine->near_least, sum[j]);
        FRI_COUNT(w.p, FR_COUNT_ENQUEUES, fell[j]);
    }
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++)
        put_near(w, to, fell[j] && sum[j] <= to->last, v[j], sum[j]);
    if (!to->lost && __any_sync(FRI_FULL, any_far)) {
        FRI_UNROLL
        for (int j = 0; j < AT_ONCE; j++)
            put_far(w, *to, fell[j] && sum[j] > to->last, v[j], sum[j]);
    }
}

/* Whole warp: the lanes' edges [begin, begin + count), numbered through and taken 64 at a time. */
template <class T>
static __device__ void walk(const world<T> &w, int32_t u, typename T::K d, int64_t begin, int count,
                            bundle<typename T::K> *b, sink<T> *to, tally *mine) {
    int edges, before = fri_warp_sum(count, &edges);
    typename T::K from[AT_ONCE];
    int32_t by[AT_ONCE];
    int64_t e[AT_ONCE];
    bool on[AT_ONCE];
    if (edges == 0)
        return;
    b->begin[fri_lane()] = begin;
    b->d[fri_lane()] = d;
    if (sizeof d == 4)
        b->v[fri_lane()] = u;
    b->before[fri_lane()] = before;
    __syncwarp(); /* the bundle is written */
    for (int k0 = fri_lane(); k0 - fri_lane() < edges; k0 += STAGE) {
        FRI_UNROLL
        for (int j = 0; j < AT_ONCE; j++) {
            int k = k0 + j * FRI_WARP, owner = fri_owner(b->before, FRI_WARP, k);
            on[j] = k < edges;
            from[j] = b->d[owner];
            by[j] = b->v[sizeof d == 4 ? owner : 0];
            e[j] = b->begin[owner] + (k - b->before[owner]);
        }
        relax(w, by, from, e, on, to, mine);
    }
    __syncwarp(); /* and read */
}

/* Whole warp: passes on the lanes' vertices; hubs wait for the next round, in parts. */
template <class T>
static __device__ void relax_vertices(const world<T> &w, bool on, int32_t v, typename T::K d,
                                      bundle<typename T::K> *b, sink<T> *to, tally *mine) {
    int64_t begin = on ? w.p.offsets[v] : 0, degree = on ? w.p.offsets[v + 1] - begin : 0;
    bool hub = degree > SPAN;
    if (__any_sync(FRI_FULL, hub)) {
        put_parts(w, *to, v, d, begin, hub ? degree : 0);
        if (hub)
            mine->near_least = least_of(mine->near_least, d);
    }
    walk(w, v, d, begin, hub ? 0 : (int)degree, b, to, mine);
}

/* Entries that each warp takes at a time, so that few spread over the chip. */
static __device__ __forceinline__ int per_warp(unsigned long long count) {
    long long each = ((long long)count + team_warps() - 1) / team_warps();
    return each < 1 ? 1 : each < FRI_WARP ? (int)each : FRI_WARP;
}

template <class T>
static __device__ void relax_parts(const world<T> &w, const part *parts, unsigned long long count,
                                   bundle<typename T::K> *b, sink<T> *to, tally *mine) {
    int per = per_warp(count);
    for (int64_t first = team_warp() * per; first < (int64_t)count; first += team_warps() * per) {
        int64_t i = first + fri_lane();
        bool on = fri_lane() < per && i < (int64_t)count;
        part x = on ? parts[i] : part{0, 0, 0, 0};
        on = on && fri_racy_load(&w.p.dist[x.v]) == x.d; /* racy: as above */
        walk(w, x.v, (typename T::K)x.d, x.begin, on ? x.count : 0, b, to, mine);
    }
}

/* Queue or pile: what is within the window is passed on, the rest goes onto the other pile. */
template <class T>
static __device__ void relax_entries(const world<T> &w, const entry<typename T::K> *queue,
                                     unsigned long long count, bundle<typename T::K> *b,
                                     sink<T> *to, tally *mine) {
    int per = per_warp(count);
    for (int64_t first = team_warp() * per; first < (int64_t)count; first += team_warps() * per) {
        int64_t i = first + fri_lane();
        bool on = fri_lane() < per && i < (int64_t)count;
        entry<typename T::K> x = on ? queue[i] : entry<typename T::K>{0, 0};
        on = on && fri_racy_load(&w.p.dist[x.v]) == x.d; /* racy: a later fall is queued too */
        bool stays = on && x.d > to->last;
        if (stays)
            mine->far_least = least_of(mine->far_least, x.d);
        put_far(w, *to, stays, (int32_t)x.v, x.d);
        relax_vertices(w, on && !stays, (int32_t)x.v, x.d, b, to, mine);
    }
}

/* All vertices with keys in [from, to->last]; far_least learns of those beyond. */
template <class T>
static __device__ void relax_all(const world<T> &w, typename T::K from, bundle<typename T::K> *b,
                                 sink<T> *to, tally *mine) {
    for (int64_t first = team_warp() * FRI_WARP; first < w.p.n; first += team_warps() * FRI_WARP) {
        int64_t v = first + fri_lane();
        typename T::K d = v < w.p.n ? fri_racy_load(&w.p.dist[v]) : T::far(); /* racy: as above */
        if (d > to->last && d != T::far())
            mine->far_least = least_of(mine->far_least, d);
        relax_vertices(w, d >= from && d <= to->last, (int32_t)v, d, b, to, mine);
    }
}

/* All warps: one round. */
template <class T>
static __device__ void chip_round(const world<T> &w, const state &s, const slot &now,
                                  bundle<typename T::K> *b, sink<T> *to, tally *mine) {
    bool search = s.all || (s.raised && s.lost);
    if (!s.all) {
        relax_parts(w, w.parts[s.round & 1], now.parts, b, to, mine);
        relax_entries(w, w.near[s.round & 1], now.near, b, to, mine);
    }
    if (s.raised && !s.lost)
        relax_entries(w, w.far[s.pile ^ 1], s.far, b, to, mine);
    if (search)
        relax_all(w, (typename T::K)(s.all ? s.near_least : s.before + 1), b, to, mine);
}

#endif
