/* Wide rounds of SSSP `auto`: pending vertices from queues in memory, a block for up to as many as
 * it has threads, which share the edges of all of them evenly.
 */
#ifndef FRI_AUTO_CHIP_CUH
#define FRI_AUTO_CHIP_CUH

#include "cuda/sssp/auto_paths.cuh"

enum { AT_ONCE = 2, LOOKS = 4, LOCAL_BYTES = 16384, BEYOND_BYTES = 8192 };

namespace {
/* What a block walks: rows, and the edges of those before each. */
template <class K> struct crowd {
    int64_t begin[MOST_THREADS];
    K d[MOST_THREADS];
    int32_t v[MOST_THREADS];
    int before[MOST_THREADS], sums[MOST_THREADS / FRI_WARP];
};

/* Where a block's finds of a kind go: `room` into shared memory, what finds none there to `out`. */
template <class K> struct bin {
    entry<K> *queue, *out;
    int *tail, room;
    unsigned long long *out_tail, out_base, out_room;
};

/* In shared memory: near finds for the next round or hop, far ones for the pile. */
template <class T> struct sink {
    typedef typename T::K K;
    bin<K> near, far;
    slot *next;
    part *parts;
    K last;    /* keys up to it are near */
    bool lost; /* the pile ran over: finds beyond `last` are left to the search */
};

/* A block's shared memory: queues of `near` and `far`; blocks_hop halves the former. */
template <class T> struct local {
    typedef typename T::K K;
    static const int ROOM = LOCAL_BYTES / sizeof(entry<K>), HALF = ROOM / 2;
    static const int FAR_ROOM = BEYOND_BYTES / sizeof(entry<K>);
    sink<T> *to;
    crowd<K> *rows;
    entry<K> *queues;
    int *tails; /* of hops modulo SLOTS, the first of chip_round too; then of the pile */
};
} // namespace

/* All threads of the block, at the start of a round. */
template <class T>
static __device__ void set_out(const world<T> &w, const state &s, const local<T> &l,
                               entry<typename T::K> *beyond) {
    typedef local<T> L;
    int next = (s.round + 1) & 1;
    slot *to = &w.c->turn[(s.round + 1) % SLOTS];
    if (threadIdx.x == 0) {
        l.to->near = {l.queues, w.near[next], l.tails, s.narrow ? L::HALF : L::ROOM, &to->near,
                      0,        w.near_room};
        l.to->far = {beyond,   w.far[s.pile],        l.tails + SLOTS, L::FAR_ROOM,
                     &to->far, s.raised ? 0 : s.far, w.far_room};
        l.to->next = to;
        l.to->parts = w.parts[next];
        l.to->last = (typename T::K)s.last;
        l.to->lost = s.lost != 0;
    }
    if (threadIdx.x <= SLOTS)
        l.tails[threadIdx.x] = 0;
    __syncthreads(); /* all is set */
}

/* Whole warp: places for `count` more; one atomic for all of them. */
template <class N> static __device__ __forceinline__ N reserve(N *tail, int count) {
    N base = 0;
    if (fri_lane() == 0) /* other warps append too */
        base = atomicAdd(tail, (N)count);
    return __shfl_sync(FRI_FULL, base, 0);
}

/* Whole warp: finds of the lanes that say yes. */
template <class K>
static __device__ __forceinline__ void put(const bin<K> &b, bool yes, int32_t v, K d) {
    int total, i = fri_warp_count(yes, &total), room = b.room;
    if (total == 0)
        return;
    int base = reserve(b.tail, total), miss = base + total - FRI_MAX(base, room);
    i += base;
    if (yes && i < room)
        b.queue[i] = {d, v};
    if (miss <= 0)
        return;
    unsigned long long at = b.out_base + reserve(b.out_tail, miss);
    at += (unsigned)(i - FRI_MAX(base, room));
    if (yes && i >= room && at < b.out_room)
        b.out[at] = {d, v};
}

/* All threads of the block: what the bin holds in shared memory goes out. */
template <class K> static __device__ void empty_bin(const bin<K> &b) {
    FRI_SHARED(unsigned long long, place, 1);
    __syncthreads(); /* the bin is filled; the last place is read */
    int count = FRI_MIN(*b.tail, b.room);
    if (count && threadIdx.x == 0) /* one block of many that append */
        *place = b.out_base + atomicAdd(b.out_tail, (unsigned long long)count);
    __syncthreads(); /* the place is known; the tail is read */
    for (int i = (int)threadIdx.x; i < count; i += (int)blockDim.x)
        if (*place + (unsigned)i < b.out_room)
            b.out[*place + (unsigned)i] = b.queue[i];
    __syncthreads(); /* the queue is read */
    if (threadIdx.x == 0)
        *b.tail = 0;
    __syncthreads(); /* the bin is empty */
}

/* All threads of the block, while none fills them: both bins, where little room is left. */
template <class T> static __device__ __forceinline__ void make_room(const sink<T> &to) {
    __syncthreads(); /* the bins are filled */
    bool near = *to.near.tail > to.near.room / 2, far = *to.far.tail > to.far.room / 2;
    __syncthreads(); /* the tails are read */
    if (near)
        empty_bin(to.near);
    if (far)
        empty_bin(to.far);
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
                                             const bool *on, const sink<T> &to, tally *mine) {
    typedef typename T::K K;
    int32_t v[AT_ONCE];
    K sum[AT_ONCE], old[AT_ONCE], last = to.last;
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
        any_far |= fell[j] && sum[j] > last;
        if (fell[j] && sum[j] > last)
            mine->far_least = least_of(mine->far_least, sum[j]);
        else if (fell[j]) {
            fri_prefetch(&w.p.offsets[v[j]]);
            mine->near_least = least_of(mine->near_least, sum[j]);
        }
        FRI_COUNT(w.p, FR_COUNT_ENQUEUES, fell[j]);
    }
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++)
        put(to.near, fell[j] && sum[j] <= last, v[j], sum[j]);
    if (!to.lost && __any_sync(FRI_FULL, any_far)) {
        FRI_UNROLL
        for (int j = 0; j < AT_ONCE; j++)
            put(to.far, fell[j] && sum[j] > last, v[j], sum[j]);
    }
}

/* All threads of the block: the threads' rows of `count` edges, one after the other, as rows that
 * walk shares out; how many edges they are. */
template <class K>
static __device__ __forceinline__ int line_up(crowd<K> *c, int32_t v, K d, int64_t begin,
                                              int count) {
    int i = (int)threadIdx.x, all, sum, before = fri_warp_sum(count, &sum);
    __syncthreads(); /* the rows before are walked */
    c->begin[i] = begin;
    c->d[i] = d;
    c->v[i] = v;
    if (fri_lane() == 0)
        c->sums[fri_warp()] = sum;
    __syncthreads(); /* the warps' sums are there */
    bool on = fri_lane() < (int)blockDim.x / FRI_WARP;
    sum = fri_warp_sum(on ? c->sums[fri_lane()] : 0, &all);
    c->before[i] = before + __shfl_sync(FRI_FULL, sum, fri_warp());
    __syncthreads(); /* the rows are there */
    return all;
}

/* All warps of the block: neighbouring lanes take neighbouring edges. */
template <class T>
static __device__ void walk(const world<T> &w, const local<T> &l, int edges, tally *mine) {
    const crowd<typename T::K> *c = l.rows;
    int step = (int)blockDim.x;
    for (int k0 = fri_warp() * FRI_WARP; k0 < edges; k0 += AT_ONCE * step) {
        typename T::K from[AT_ONCE];
        int32_t by[AT_ONCE];
        int64_t e[AT_ONCE];
        bool on[AT_ONCE];
        FRI_UNROLL
        for (int j = 0; j < AT_ONCE; j++) {
            int k = k0 + fri_lane() + j * step, owner = fri_owner(c->before, step, k);
            on[j] = k < edges;
            from[j] = c->d[owner];
            by[j] = c->v[owner];
            e[j] = c->begin[owner] + (k - c->before[owner]);
        }
        relax(w, by, from, e, on, *l.to, mine);
    }
}

/* All threads of the block: passes on their vertices, those that are on; hubs wait for the next
 * round, in parts. count: edges of a part; 0: the whole row. */
template <class T>
static __device__ void relax_rows(const world<T> &w, const local<T> &l, bool on, int32_t v,
                                  typename T::K d, int64_t begin, int count, tally *mine) {
    bool row = on && count == 0;
    if (row)
        begin = w.p.offsets[v];
    int64_t degree = row ? w.p.offsets[v + 1] - begin : on ? count : 0;
    bool hub = degree > LONG;
    if (__any_sync(FRI_FULL, hub)) {
        put_parts(w, *l.to, v, d, begin, hub ? degree : 0);
        if (hub)
            mine->near_least = least_of(mine->near_least, d);
    }
    walk(w, l, line_up(l.rows, v, d, begin, hub ? 0 : (int)degree), mine);
    make_room(*l.to);
}

/* How many of `count` a block takes at a time: the blocks' shares are even. */
static __device__ __forceinline__ unsigned per_block(unsigned count) {
    unsigned turn = gridDim.x * blockDim.x, turns = (count + turn - 1) / turn;
    unsigned places = FRI_MAX(turns, 1u) * gridDim.x;
    return (count + places - 1) / places;
}

/* All threads of each block: `parts` parts, then `near` of the queue, then `far` of the pile. What
 * is beyond the window goes onto the other pile. All three together are fewer than 2^32. */
template <class T>
static __device__ void relax_pending(const world<T> &w, const state &s, const local<T> &l,
                                     unsigned parts, unsigned near, unsigned far, tally *mine) {
    typedef typename T::K K;
    unsigned count = parts + near + far, per = per_block(count);
    for (unsigned first = 0; first < count; first += gridDim.x * per) {
        unsigned i = first + blockIdx.x * per + threadIdx.x;
        int64_t begin = 0;
        bool on = threadIdx.x < per && i < count, stays = false;
        entry<K> x = {0, 0};
        int edges = 0;
        if (on && i < parts) {
            part p = w.parts[s.round & 1][i];
            x = {(K)p.d, p.v};
            begin = p.begin;
            edges = p.count;
        } else if (on) {
            x = i < parts + near ? w.near[s.round & 1][i - parts]
                                 : w.far[s.pile ^ 1][i - parts - near];
            stays = x.d > l.to->last;
        }
        on = on && fri_racy_load(&w.p.dist[x.v]) == x.d; /* racy: a later fall is queued too */
        stays = stays && on;
        if (stays)
            mine->far_least = least_of(mine->far_least, x.d);
        if (!l.to->lost)
            put(l.to->far, stays, (int32_t)x.v, x.d);
        relax_rows(w, l, on && !stays, (int32_t)x.v, x.d, begin, edges, mine);
    }
}

/* All vertices with keys in [from, last]; far_least learns of those beyond. */
template <class T>
static __device__ void relax_all(const world<T> &w, typename T::K from, const local<T> &l,
                                 tally *mine) {
    typedef typename T::K K;
    K last = l.to->last;
    int64_t each = (int64_t)blockDim.x * LOOKS;
    for (int64_t first = blockIdx.x * each; first < w.p.n; first += gridDim.x * each) {
        K d[LOOKS];
        FRI_UNROLL
        for (int j = 0; j < LOOKS; j++) { /* racy: a later fall is queued too */
            int64_t v = first + j * (int64_t)blockDim.x + threadIdx.x;
            d[j] = v < w.p.n ? fri_racy_load(&w.p.dist[v]) : T::far();
        }
        int64_t v = first + threadIdx.x;
        for (int j = 0; j < LOOKS; j++, v += blockDim.x) {
            bool on = d[0] >= from && d[0] <= last;
            if (d[0] > last && d[0] != T::far())
                mine->far_least = least_of(mine->far_least, d[0]);
            if (__syncthreads_or(on)) /* warps keep step: what follows is the block's */
                relax_rows(w, l, on, (int32_t)v, d[0], 0, 0, mine);
            FRI_UNROLL
            for (int k = 1; k < LOOKS; k++) /* registers have no index */
                d[k - 1] = d[k];
        }
    }
}

/* All blocks: what is pending and not for the blocks' own queues. */
template <class T>
static __device__ void chip_round(const world<T> &w, const state &s, const slot &now,
                                  const local<T> &l, tally *mine) {
    bool all = s.all || (s.raised && s.lost);
    unsigned far = s.raised && !s.lost && !s.narrow ? (unsigned)s.far : 0;
    if (!s.all)
        relax_pending(w, s, l, (unsigned)now.parts, s.narrow ? 0 : (unsigned)now.near, far, mine);
    if (all)
        relax_all(w, (typename T::K)(s.all ? s.near_least : s.before + 1), l, mine);
}

#endif
