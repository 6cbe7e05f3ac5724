/* Wide rounds of SSSP `auto`: pending vertices from queues in memory, a warp for up to 32 of them.
 */
#ifndef FRI_AUTO_CHIP_CUH
#define FRI_AUTO_CHIP_CUH

#include "cuda/sssp/auto_paths.cuh"

enum { MOST_PARTS = 128 /* of a block's own */ };
enum { AT_ONCE = 2, STEP = AT_ONCE * FRI_WARP, SEEN = 4, LOCAL_BYTES = 8192 };
enum { BEYOND = SLOTS }; /* of desk.tails; before it those of three hops that take turns */

namespace {
/* A warp's own shared memory: what it walks. */
template <class K> struct bundle {
    int64_t begin[FRI_WARP];
    K d[FRI_WARP];
    int32_t v[sizeof(K) == 4 ? FRI_WARP : 1]; /* unused with keys of 64 bits */
    int before[FRI_WARP];                     /* edges of the vertices before */
};

/* A block's shared memory for what it finds: near, of two hops that take turns or all of a wide
 * round; and beyond the window. */
template <class T> struct local {
    typedef typename T::K K;
    static const int ROOM = LOCAL_BYTES / sizeof(entry<K>), FAR_ROOM = ROOM;
    entry<K> *queues, *beyond; /* [2 ROOM], [FAR_ROOM] */
    desk<T> *d;
    bundle<K> *b; /* the warp's */
    part *parts;  /* [MOST_PARTS] of rows that all warps of the block walk */
    int room;     /* of the queue that whole warps put into */
};
} // namespace

/* Whole warp: places for `count` more; one atomic for all of them. */
template <class N> static __device__ __forceinline__ N reserve(N *tail, int count) {
    N base = 0;
    if (fri_lane() == 0) /* other warps append too */
        base = atomicAdd(tail, (N)count);
    return __shfl_sync(FRI_FULL, base, 0);
}

/* Whole warp: the lanes' finds into the block's shared memory, and what finds no room there into
 * that of all blocks. */
template <class K, int C>
static __device__ __forceinline__ void put(entry<K> *here, int *tail, int room,
                                           const pool<K> &there, const bool (&yes)[C],
                                           const int32_t (&v)[C], const K (&d)[C]) {
    int total = 0, at[C];
    FRI_UNROLL
    for (int j = 0; j < C; j++) {
        int count;
        at[j] = total + fri_warp_count(yes[j], &count);
        total += count;
    }
    if (total == 0)
        return;
    int base = reserve(tail, total);
    if (base + total <= room) {
        FRI_UNROLL
        for (int j = 0; j < C; j++)
            if (yes[j])
                here[base + at[j]] = {d[j], v[j]};
        return;
    }
    int kept = base < room ? room - base : 0;
    unsigned long long out = there.base + reserve(there.count, total - kept);
    FRI_UNROLL
    for (int j = 0; j < C; j++)
        if (yes[j] && at[j] < kept)
            here[base + at[j]] = {d[j], v[j]};
        else if (yes[j] && out + (unsigned)(at[j] - kept) < there.room)
            there.at[out + (unsigned)(at[j] - kept)] = {d[j], v[j]};
}
template <class T, int C>
static __device__ __forceinline__ void put_near(const local<T> &l, const bool (&yes)[C],
                                                const int32_t (&v)[C],
                                                const typename T::K (&d)[C]) {
    put(l.queues, &l.d->tails[0], l.room, l.d->near, yes, v, d);
}
template <class T, int C>
static __device__ __forceinline__ void put_far(const local<T> &l, const bool (&yes)[C],
                                               const int32_t (&v)[C], const typename T::K (&d)[C]) {
    if (!l.d->lost)
        put(l.beyond, &l.d->tails[BEYOND], local<T>::FAR_ROOM, l.d->far, yes, v, d);
}

/* Whole warp: the lanes' vertices of `degree` > 0 edges as parts, which all lanes write: `own` for
 * the block's warps, what finds no room there for the next round, when the whole chip takes them.
 */
template <class T>
static __device__ void put_parts(const world<T> &w, const local<T> &l, bool own, int32_t v,
                                 typename T::K d, int64_t begin, int64_t degree) {
    int count = (int)((degree + SPAN - 1) / SPAN), total, before = fri_warp_sum(count, &total);
    if (total == 0)
        return;
    int base = own ? reserve(&l.d->parts_tail, total) : MOST_PARTS;
    int kept = FRI_MIN(FRI_MAX(MOST_PARTS - base, 0), total);
    unsigned long long out = kept < total ? reserve(&l.d->next->parts, total - kept) : 0;
    for (int i0 = 0; i0 < total; i0 += FRI_WARP) {
        int i = i0 + fri_lane(), owner = 0;
        for (int step = FRI_WARP / 2; step; step /= 2) /* the last lane with before <= i */
            if (__shfl_sync(FRI_FULL, before, owner + step) <= i)
                owner += step;
        int64_t skip = (int64_t)(i - __shfl_sync(FRI_FULL, before, owner)) * SPAN;
        int64_t left = __shfl_sync(FRI_FULL, degree, owner) - skip;
        part x = {__shfl_sync(FRI_FULL, begin, owner) + skip, __shfl_sync(FRI_FULL, d, owner),
                  __shfl_sync(FRI_FULL, v, owner), (int32_t)FRI_MIN(left, (int64_t)SPAN)};
        if (i < kept)
            l.parts[base + i] = x;
        else if (i < total && out + (unsigned)(i - kept) < w.parts_room)
            l.d->parts[out + (unsigned)(i - kept)] = x;
    }
}

/* Any thread: the weights of edges e whose words have been read, those that are on. */
template <class T, int C>
static __device__ __forceinline__ void weigh(const world<T> &w, const int64_t (&e)[C],
                                             const bool (&on)[C], const int32_t (&word)[C],
                                             typename T::W (&weight)[C]) {
    FRI_UNROLL
    for (int j = 0; j < C; j++)
        weight[j] = (typename T::W)(w.shift ? (uint32_t)word[j] >> w.shift : 1);
    if (w.shift || !w.p.weights)
        return;
    FRI_UNROLL
    for (int j = 0; j < C; j++)
        weight[j] = on[j] ? __ldg(&w.p.weights[e[j]]) : 0;
}

/* Any thread: lowers the ends v of the edges e that are on, from u at `from`; tells which fell. All
 * reads of a kind are on their way before the first is needed. */
template <class T, int C>
static __device__ __forceinline__ void
lower(const world<T> &w, bool test, typename T::K last, const int32_t (&u)[C],
      const typename T::K (&from)[C], const int64_t (&e)[C], const bool (&on)[C], int32_t (&v)[C],
      typename T::K (&sum)[C], bool (&fell)[C], tally<T> *mine) {
    typedef typename T::K K;
    typename T::W weight[C];
    K old[C];
    bool low = false;
    FRI_UNROLL
    for (int j = 0; j < C; j++)
        v[j] = on[j] ? __ldg(&w.p.targets[e[j]]) : 0;
    weigh(w, e, on, v, weight);
    FRI_UNROLL
    for (int j = 0; j < C; j++) {
        v[j] &= w.p.mask;
        sum[j] = on[j] ? T::sum(from[j], weight[j], w.p.cap, &low) : T::far();
    }
    FRI_UNROLL
    for (int j = 0; j < C; j++) /* racy: the atomic decides */
        old[j] = on[j] && test ? fri_racy_load(&w.p.dist[v[j]]) : T::far();
    FRI_UNROLL
    for (int j = 0; j < C; j++) {
        mine->edges += on[j];
        FRI_COUNT(w.p, FR_COUNT_EDGES, on[j]);
        FRI_COUNT(w.p, FR_COUNT_ATOMICS, sum[j] < old[j]);
        fell[j] = sum[j] < old[j];
        if (fell[j]) /* many lower one vertex */
            old[j] = fri_key_min(&w.p.dist[v[j]], sum[j]);
    }
    FRI_UNROLL
    for (int j = 0; j < C; j++) {
        fell[j] = fell[j] && sum[j] < old[j];
        FRI_COUNT(w.p, FR_COUNT_RELAXATIONS, fell[j]);
        FRI_COUNT(w.p, FR_COUNT_ENQUEUES, fell[j]);
        if (!fell[j])
            continue;
        mine->relaxed++;
        note_parent(w, v[j], sum[j], u[j]);
        if (sum[j] <= last) {
            fri_prefetch(&w.p.offsets[v[j]]);
            mine->near_least = FRI_MIN(mine->near_least, sum[j]);
        } else
            mine->far_least = FRI_MIN(mine->far_least, sum[j]);
    }
}

/* Whole warp: each lane relaxes AT_ONCE edges, those that are on. */
template <class T>
static __device__ __forceinline__ void
relax(const world<T> &w, const local<T> &l, const int32_t (&u)[AT_ONCE],
      const typename T::K (&from)[AT_ONCE], const int64_t (&e)[AT_ONCE], const bool (&on)[AT_ONCE],
      tally<T> *mine) {
    int32_t v[AT_ONCE];
    typename T::K sum[AT_ONCE], last = l.d->last;
    bool fell[AT_ONCE], near[AT_ONCE], far[AT_ONCE];
    lower(w, w.test != 0, last, u, from, e, on, v, sum, fell, mine);
    FRI_UNROLL
    for (int j = 0; j < AT_ONCE; j++) {
        near[j] = fell[j] && sum[j] <= last;
        far[j] = fell[j] && sum[j] > last;
    }
    put_near(l, near, v, sum);
    put_far(l, far, v, sum);
}

/* Whole warp: the lanes' edges [begin, begin + count), numbered through and taken STEP at a time.
 */
template <class T>
static __device__ void walk(const world<T> &w, const local<T> &l, int32_t u, typename T::K d,
                            int64_t begin, int count, tally<T> *mine) {
    int edges, before = fri_warp_sum(count, &edges);
    bundle<typename T::K> *b = l.b;
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
    for (int k0 = fri_lane(); k0 - fri_lane() < edges; k0 += STEP) {
        FRI_UNROLL
        for (int j = 0; j < AT_ONCE; j++) {
            int k = k0 + j * FRI_WARP, owner = fri_owner(b->before, FRI_WARP, k);
            on[j] = k < edges;
            from[j] = b->d[owner];
            by[j] = sizeof d == 4 ? b->v[owner] : 0;
            e[j] = b->begin[owner] + (k - b->before[owner]);
        }
        relax(w, l, by, from, e, on, mine);
    }
    __syncwarp(); /* and read */
}

/* Entries that each warp takes at a time, so that few spread over all of them. */
static __device__ __forceinline__ unsigned per_warp(unsigned count, unsigned warps) {
    return count >= FRI_WARP * warps ? FRI_WARP : FRI_MAX(1u, (count + warps - 1) / warps);
}

/* Whole warp: the lanes' entries of a queue or the pile, those that are on. What is within the
 * window is to be walked, its edges from *begin, how many the lane gets; but hubs wait for the next
 * list or round in parts. The rest goes onto the other pile. */
template <class T>
static __device__ __forceinline__ int admit(const world<T> &w, const local<T> &l, bool on,
                                            const entry<typename T::K> &x, int64_t *begin,
                                            tally<T> *mine) {
    typedef typename T::K K;
    int32_t v[1] = {(int32_t)x.v};
    K d[1] = {x.d}, now = fri_racy_load(&w.p.dist[x.v]); /* racy: falls are queued too */
    bool near = on && x.d <= l.d->last, walks = near && now == x.d;
    bool stays[1] = {on && !near && now == x.d};
    *begin = near ? w.p.offsets[x.v] : 0;
    int64_t degree = near ? w.p.offsets[x.v + 1] - *begin : 0;
    bool hub = walks && degree > SPAN;
    if (stays[0])
        mine->far_least = FRI_MIN(mine->far_least, x.d);
    put_far(l, stays, v, d);
    if (__any_sync(FRI_FULL, hub)) {
        FRI_ROLLED
        for (int own = 1; own >= 0; own--)
            put_parts(w, l, own != 0, v[0], x.d, *begin,
                      hub && (degree <= BLOCK_PARTS * SPAN) == (own != 0) ? degree : 0);
        if (hub)
            mine->near_least = FRI_MIN(mine->near_least, x.d);
    }
    return walks && !hub ? (int)degree : 0;
}

/* What a round may pass on, in this order; thin rounds the parts alone. */
enum { PARTS, QUEUE, PILE, OWN_PARTS, LISTS };

/* All threads of each block. A list begins at the warp after the last one that the list before kept
 * busy. */
template <class T>
static __device__ void relax_lists(const world<T> &w, const local<T> &l, tally<T> *mine) {
    typedef typename T::K K;
    const state &s = l.d->s;
    unsigned warps = team_warps(), me = team_warp();
    FRI_ROLLED
    for (int list = 0; list < (s.narrow ? QUEUE : LISTS); list++) {
        const entry<K> *entries = list == QUEUE ? w.near[s.round & 1] : w.far[s.pile ^ 1];
        const part *parts = list == PARTS ? w.parts[s.round & 1] : l.parts;
        unsigned long long items = list == PARTS ? l.d->now.parts : l.d->now.near;
        if (list == PILE)
            items = s.raised && !s.lost ? s.far : 0;
        if (list == OWN_PARTS) {
            __syncthreads(); /* they are written */
            items = (unsigned)FRI_MIN(l.d->parts_tail, MOST_PARTS);
            warps = blockDim.x / FRI_WARP;
            me = threadIdx.x / FRI_WARP;
        }
        unsigned count = (unsigned)items, per = per_warp(count, warps);
        FRI_ROLLED
        for (unsigned first = me * per; first < count; first += warps * per) {
            unsigned i = first + (unsigned)fri_lane();
            int64_t begin;
            bool on = (unsigned)fri_lane() < per && i < count;
            entry<K> x = {0, 0};
            int edges;
            if (list == PARTS || list == OWN_PARTS) {
                part y = on ? parts[i] : part{0, 0, 0, 0};
                x = {(K)y.d, y.v};
                begin = y.begin;
                edges = fri_racy_load(&w.p.dist[y.v]) == x.d ? y.count : 0; /* racy: as above */
            } else {
                if (on)
                    x = entries[i];
                edges = admit(w, l, on, x, &begin, mine);
            }
            walk(w, l, (int32_t)x.v, x.d, begin, edges, mine);
        }
        unsigned busy = (count + per - 1) / per % warps;
        me = me < busy ? me + warps - busy : me - busy;
    }
}

/* All vertices with keys in [from, last] into the next round's queue, which spreads them evenly;
 * far_least learns of those beyond. */
template <class T>
static __device__ void gather_all(const world<T> &w, const local<T> &l, typename T::K from,
                                  tally<T> *mine) {
    typename T::K last = l.d->last;
    for (int64_t first = (int64_t)team_warp() * SEEN * FRI_WARP; first < w.p.n;
         first += team_warps() * SEEN * FRI_WARP) {
        int32_t v[SEEN];
        typename T::K d[SEEN];
        bool near[SEEN];
        FRI_UNROLL
        for (int j = 0; j < SEEN; j++) {
            int64_t i = first + j * FRI_WARP + fri_lane();
            v[j] = (int32_t)i;
            d[j] = i < w.p.n ? fri_racy_load(&w.p.dist[i]) : T::far(); /* racy: as above */
        }
        FRI_UNROLL
        for (int j = 0; j < SEEN; j++) {
            near[j] = d[j] >= from && d[j] <= last;
            if (near[j])
                mine->near_least = FRI_MIN(mine->near_least, d[j]);
            else if (d[j] > last && d[j] != T::far())
                mine->far_least = FRI_MIN(mine->far_least, d[j]);
        }
        put_near(l, near, v, d);
    }
}

/* All warps: one round but for what the lists give. */
template <class T>
static __device__ void search(const world<T> &w, const local<T> &l, tally<T> *mine) {
    const state &s = l.d->s;
    if (s.all || (s.raised && s.lost))
        gather_all(w, l, (typename T::K)(s.all ? s.near_least : s.before + 1), mine);
}

/* All threads of the block, at the end of a round: its near finds, which are in the queue of hop
 * `hop`, those beyond, the least keys and, for `--explain`, the edges become the next round's. */
template <class T>
static __device__ void hand_in(const world<T> &w, const local<T> &l, int hop, tally<T> *mine) {
    desk<T> *d = l.d;
    const entry<typename T::K> *queue = l.queues + (hop & 1) * local<T>::ROOM;
    typename T::K least[LEASTS] = {mine->near_least, mine->far_least};
    FRI_UNROLL
    for (int i = 0; i < LEASTS; i++)
        if (__any_sync(FRI_FULL, least[i] != T::far())) {
            for (int step = FRI_WARP / 2; step; step /= 2) {
                typename T::K other = __shfl_xor_sync(FRI_FULL, least[i], step);
                least[i] = FRI_MIN(least[i], other);
            }
            if (fri_lane() == 0)
                atomicMin(&d->sums[i], (long long)least[i]); /* one warp of up to 16 */
        }
    if (w.lines && mine->edges != mine->told) /* all threads add */
        atomicAdd((unsigned long long *)&d->sums[EDGES],
                  (unsigned long long)(mine->edges - mine->told));
    mine->told = mine->edges;
    mine->near_least = mine->far_least = T::far();
    __syncthreads(); /* the block's finds and sums are complete */
    int counts[2] = {FRI_MIN(d->tails[hop % SLOTS], l.room),
                     FRI_MIN(d->tails[BEYOND], local<T>::FAR_ROOM)};
    int me = (int)threadIdx.x;
    if (me < 2) { /* side by side; one block of many that add */
        const pool<typename T::K> &to = me ? d->far : d->near;
        int count = me ? counts[1] : counts[0];
        d->base[me] = to.base + (count ? atomicAdd(to.count, (unsigned long long)count) : 0);
    } else if (me < 2 + LEASTS && d->sums[me - 2] != NONE)
        atomicMin(me == 2 ? &d->next->near_least : &d->next->far_least, d->sums[me - 2]);
    else if (me == 2 + EDGES && d->sums[EDGES])
        atomicAdd(&d->next->edges, (unsigned long long)d->sums[EDGES]);
    __syncthreads(); /* the places are known */
    for (int i = me; i < counts[0]; i += (int)blockDim.x)
        if (d->base[0] + (unsigned)i < d->near.room)
            d->near.at[d->base[0] + (unsigned)i] = queue[i];
    for (int i = me; i < counts[1]; i += (int)blockDim.x)
        if (d->base[1] + (unsigned)i < d->far.room)
            d->far.at[d->base[1] + (unsigned)i] = l.beyond[i];
}

#endif
