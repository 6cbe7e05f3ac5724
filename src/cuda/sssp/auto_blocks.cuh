/* Thin rounds of SSSP `auto`: each block passes on its share of the pending vertices, what these
 * lower near by, and so on for some hops, from queues in shared memory with no barrier but its own.
 */
#ifndef FRI_AUTO_BLOCKS_CUH
#define FRI_AUTO_BLOCKS_CUH

#include "cuda/sssp/auto_chip.cuh"

enum { LONG_TURNS = 8 /* of a group of lanes: longer rows become parts */ };

/* One thread: into the block's queue, or where there is room. */
template <class K>
static __device__ __forceinline__ void put_alone(entry<K> *here, int *tail, int room,
                                                 const pool<K> &there, const entry<K> &x) {
    int i = atomicAdd(tail, 1); /* its place; others append too */
    if (i < room) {
        here[i] = x;
        return;
    }
    unsigned long long out = there.base + atomicAdd(there.count, 1ull);
    if (out < there.room)
        there.at[out] = x;
}
/* The same for what is within the window, in hop `hop`, or beyond it. */
template <class T>
static __device__ __forceinline__ void put_local(const local<T> &l, int hop,
                                                 const entry<typename T::K> &x) {
    if (x.d <= l.d->last)
        put_alone(l.queues + (hop & 1) * local<T>::ROOM, &l.d->tails[hop % SLOTS], local<T>::ROOM,
                  l.d->near, x);
    else if (!l.d->lost)
        put_alone(l.beyond, &l.d->tails[BEYOND], local<T>::FAR_ROOM, l.d->far, x);
}

/* One thread: a long row waits for the next round. */
template <class T>
static __device__ void put_parts_alone(const world<T> &w, const local<T> &l, int32_t v,
                                       typename T::K d, tally<T> *mine) {
    int64_t begin = w.p.offsets[v], end = w.p.offsets[v + 1];
    unsigned long long parts = (unsigned long long)((end - begin + SPAN - 1) / SPAN);
    unsigned long long i = atomicAdd(&l.d->next->parts, parts); /* their places */
    mine->near_least = FRI_MIN(mine->near_least, d);
    for (; begin < end && i < w.parts_room; begin += SPAN, i++)
        l.d->parts[i] = {begin, d, v, (int32_t)FRI_MIN(end - begin, (int64_t)SPAN)};
}

/* One of the w.width lanes that share entries `first`, first + groups and so on of hop `hop`: its
 * edge of each, that in turn `turn`; true: there are further ones. What an entry is gets read in
 * each turn, as most rows take one. */
template <class T, int C>
static __device__ __forceinline__ bool pass_on(const world<T> &w, const local<T> &l, int hop,
                                               int count, int first, int turn, tally<T> *mine) {
    typedef typename T::K K;
    const entry<K> *queue = l.queues + (hop & 1) * local<T>::ROOM;
    int lane = fri_lane() & (w.width - 1), groups = (int)blockDim.x / w.width;
    int32_t u[C], v[C];
    K from[C], sum[C];
    int64_t e[C];
    int left[C];
    bool on[C], fell[C], more = false;
    FRI_UNROLL
    for (int j = 0; j < C; j++) {
        on[j] = first + j * groups < count;
        entry<K> x = queue[on[j] ? first + j * groups : first];
        u[j] = (int32_t)x.v;
        from[j] = x.d;
    }
    FRI_UNROLL
    for (int j = 0; j < C; j++) { /* racy: a later fall is queued too */
        sum[j] = on[j] ? fri_racy_load(&w.p.dist[u[j]]) : T::far();
        e[j] = on[j] ? w.p.offsets[u[j]] : 0;
        int64_t degree = on[j] ? w.p.offsets[u[j] + 1] - e[j] : 0;
        left[j] = (int)FRI_MIN(degree, (int64_t)INT32_MAX);
    }
    FRI_UNROLL
    for (int j = 0; j < C; j++) {
        bool live = on[j] && sum[j] == from[j], hub = left[j] > LONG_TURNS * w.width;
        if (live && hub && lane == 0 && turn == 0)
            put_parts_alone(w, l, u[j], from[j], mine);
        int skip = turn * w.width + lane;
        e[j] += skip;
        on[j] = live && !hub && left[j] > skip;
        more |= live && !hub && left[j] > skip + w.width;
    }
    lower(w, w.test == 2, l.d->last, u, from, e, on, v, sum, fell, mine);
    FRI_UNROLL
    for (int j = 0; j < C; j++)
        if (fell[j])
            put_local(l, hop + 1, {sum[j], v[j]});
    return more;
}

/* One thread: an entry of the queue or the pile that is not stale. */
template <class T>
static __device__ __forceinline__ void take(const local<T> &l, const entry<typename T::K> &x,
                                            tally<T> *mine) {
    if (x.d <= l.d->last)
        mine->near_least = FRI_MIN(mine->near_least, x.d);
    else
        mine->far_least = FRI_MIN(mine->far_least, x.d);
    put_local(l, 0, x);
}

/* All threads of the block: its share of what is pending and near becomes the queue of hop 0. */
template <class T>
static __device__ void take_share(const world<T> &w, const local<T> &l, tally<T> *mine) {
    const state &s = l.d->s;
    const entry<typename T::K> *queue = w.near[s.round & 1], *pile = w.far[s.pile ^ 1];
    int64_t step = (int64_t)gridDim.x * blockDim.x;
    int64_t first = (int64_t)threadIdx.x * gridDim.x + blockIdx.x;
    for (int64_t i = first; i < (int64_t)l.d->now.near; i += step)
        take(l, queue[i], mine);
    for (int64_t i = first; s.raised && i < (int64_t)s.far; i += step) {
        entry<typename T::K> x = pile[i];
        if (fri_racy_load(&w.p.dist[x.v]) == x.d) /* racy: a later fall is queued too */
            take(l, x, mine);
    }
}

/* All threads of each block: one round of up to w.hops hops; which queue holds what is left. */
template <class T>
static __device__ int blocks_round(const world<T> &w, const local<T> &l, tally<T> *mine) {
    int hop = 0, *tails = l.d->tails; /* that of hop 0 holds what parts gave, too */
    take_share(w, l, mine);
    for (;; hop++) {
        __syncthreads(); /* the queue of this hop is complete, the one before read */
        int count = FRI_MIN(tails[hop % SLOTS], local<T>::ROOM);
        if (count == 0 || hop == w.hops || (hop && count > w.cut))
            return hop;
        if (threadIdx.x == 0) /* read a hop ago, written in the next one */
            tails[(hop + 2) % SLOTS] = 0;
        int groups = (int)blockDim.x / w.width, first = (int)threadIdx.x / w.width;
        if (count <= groups)
            for (int turn = 0, more = first < count; more; turn++)
                more = pass_on<T, 1>(w, l, hop, count, first, turn, mine);
        else
            for (; first < count; first += AT_ONCE * groups)
                for (int turn = 0, more = 1; more; turn++)
                    more = pass_on<T, AT_ONCE>(w, l, hop, count, first, turn, mine);
    }
}

#endif
