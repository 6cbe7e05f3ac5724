/* Thin rounds of SSSP `auto`: each block passes on its share of the pending vertices, what these
 * lower near by, and so on for some hops, from queues in shared memory with no barrier but its own.
 */
#ifndef FRI_AUTO_BLOCKS_CUH
#define FRI_AUTO_BLOCKS_CUH

#include "cuda/sssp/auto_chip.cuh"

enum { LOCAL_BYTES = 8192, LONG_TURNS = 8 /* of a group of lanes: longer rows become parts */ };
enum { BEYOND = 3 }; /* of `tails`; before it three that take turns */

namespace {
/* A block's queues. */
template <class T> struct local {
    typedef typename T::K K;
    static const int ROOM = LOCAL_BYTES / sizeof(entry<K>), FAR_ROOM = ROOM / 2;
    entry<K> *queues, *beyond; /* [2][ROOM], by hop modulo 2; of the pile */
    int *tails;
};
} // namespace

/* One thread: into the next round's queue; onto the pile. */
template <class T>
static __device__ void put_near_alone(const world<T> &w, const sink<T> &to,
                                      const entry<typename T::K> &x) {
    unsigned long long i = atomicAdd(&to.next->near, 1ull); /* its place */
    if (i < w.near_room)
        to.near[i] = x;
}
template <class T>
static __device__ void put_far_alone(const world<T> &w, const sink<T> &to,
                                     const entry<typename T::K> &x) {
    unsigned long long i = to.far_base + atomicAdd(&to.next->far, 1ull); /* its place */
    if (i < w.far_room)
        to.far[i] = x;
}

/* One thread: into the block's queue of hop `hop`, or where there is room. */
template <class T>
static __device__ __forceinline__ void put_local(const world<T> &w, const local<T> &l,
                                                 const sink<T> &to, int hop,
                                                 const entry<typename T::K> &x, tally *mine) {
    int i = atomicAdd(&l.tails[hop % SLOTS], 1); /* its place; others append too */
    mine->near_least = least_of(mine->near_least, x.d);
    if (i < local<T>::ROOM)
        l.queues[(hop & 1) * local<T>::ROOM + i] = x;
    else
        put_near_alone(w, to, x);
}
template <class T>
static __device__ __forceinline__ void put_beyond(const world<T> &w, const local<T> &l,
                                                  const sink<T> &to, const entry<typename T::K> &x,
                                                  tally *mine) {
    mine->far_least = least_of(mine->far_least, x.d);
    if (to.lost)
        return;
    int i = atomicAdd(&l.tails[BEYOND], 1); /* its place; others append too */
    if (i < local<T>::FAR_ROOM)
        l.beyond[i] = x;
    else
        put_far_alone(w, to, x);
}

/* One thread: a long row waits for the next round. */
template <class T>
static __device__ void put_parts_alone(const world<T> &w, const sink<T> &to,
                                       const entry<typename T::K> &x, int64_t begin, int64_t end,
                                       tally *mine) {
    unsigned long long parts = (unsigned long long)((end - begin + SPAN - 1) / SPAN);
    unsigned long long i = atomicAdd(&to.next->parts, parts); /* their places */
    mine->near_least = least_of(mine->near_least, x.d);
    for (; begin < end && i < w.parts_room; begin += SPAN, i++)
        to.parts[i] = {begin, x.d, (int32_t)x.v, (int32_t)FRI_MIN(end - begin, (int64_t)SPAN)};
}

/* One of the `width` lanes that pass on an entry together; they need not agree. */
template <class T>
static __device__ __forceinline__ void hop_from(const world<T> &w, const local<T> &l,
                                                const sink<T> &to, int hop,
                                                const entry<typename T::K> &x, tally *mine) {
    int lane = fri_lane() & (w.width - 1);
    /* racy: a later fall is queued too */
    typename T::K d = fri_racy_load(&w.p.dist[x.v]);
    int64_t begin = w.p.offsets[x.v], end = w.p.offsets[x.v + 1];
    bool low = false;
    if (d != x.d)
        return;
    if (end - begin > LONG_TURNS * w.width) {
        if (lane == 0)
            put_parts_alone(w, to, x, begin, end, mine);
        return;
    }
    for (int64_t e = begin + lane; e < end; e += w.width) {
        int32_t v = w.p.targets[e];
        typename T::K sum = T::sum(d, fri_weight(w.p, e), w.p.cap, &low);
        mine->edges++;
        FRI_COUNT(w.p, FR_COUNT_EDGES, 1);
        if (sum == T::far() || (w.test == 2 && !(sum < fri_racy_load(&w.p.dist[v]))))
            continue;
        FRI_COUNT(w.p, FR_COUNT_ATOMICS, 1);
        if (!(sum < fri_key_min(&w.p.dist[v], sum))) /* many lower one vertex */
            continue;
        note_parent(w, v, sum, (int32_t)x.v);
        mine->relaxed++;
        FRI_COUNT(w.p, FR_COUNT_RELAXATIONS, 1);
        FRI_COUNT(w.p, FR_COUNT_ENQUEUES, 1);
        if (sum <= to.last) {
            fri_prefetch(&w.p.offsets[v]);
            put_local(w, l, to, hop + 1, {sum, v}, mine);
        } else
            put_beyond(w, l, to, {sum, v}, mine);
    }
}

/* All threads of the block: its share of what is pending and near becomes the queue of hop 0. */
template <class T>
static __device__ void take_share(const world<T> &w, const local<T> &l, const state &s,
                                  const slot &now, const sink<T> &to, tally *mine) {
    const entry<typename T::K> *queue = w.near[s.round & 1], *pile = w.far[s.pile ^ 1];
    int64_t step = (int64_t)gridDim.x * blockDim.x;
    int64_t first = (int64_t)threadIdx.x * gridDim.x + blockIdx.x;
    for (int64_t i = first; i < (int64_t)now.near; i += step) {
        entry<typename T::K> x = queue[i];
        if (x.d <= to.last)
            put_local(w, l, to, 0, x, mine);
        else
            put_beyond(w, l, to, x, mine);
    }
    for (int64_t i = first; s.raised && i < (int64_t)s.far; i += step) {
        entry<typename T::K> x = pile[i];
        if (fri_racy_load(&w.p.dist[x.v]) != x.d) /* racy: a later fall is queued too */
            continue;
        if (x.d <= to.last)
            put_local(w, l, to, 0, x, mine);
        else
            put_beyond(w, l, to, x, mine);
    }
}

/* All threads of the block: what the hops left over goes to the next round. */
template <class T>
static __device__ void leave_rest(const world<T> &w, const local<T> &l, const sink<T> &to, int hop,
                                  int count) {
    FRI_SHARED(unsigned long long, base, 2);
    int beyond = FRI_MIN(l.tails[BEYOND], local<T>::FAR_ROOM);
    if (threadIdx.x == 0) {
        base[0] = count ? atomicAdd(&to.next->near, (unsigned long long)count) : 0; /* places */
        base[1] = to.far_base;
        if (beyond)
            base[1] += atomicAdd(&to.next->far, (unsigned long long)beyond);
    }
    __syncthreads(); /* the places are known */
    for (int i = (int)threadIdx.x; i < count; i += (int)blockDim.x)
        if (base[0] + (unsigned)i < w.near_room)
            to.near[base[0] + (unsigned)i] = l.queues[(hop & 1) * local<T>::ROOM + i];
    for (int i = (int)threadIdx.x; i < beyond; i += (int)blockDim.x)
        if (base[1] + (unsigned)i < w.far_room)
            to.far[base[1] + (unsigned)i] = l.beyond[i];
}

/* All threads of each block: one round of up to w.hops hops. */
template <class T>
static __device__ void blocks_round(const world<T> &w, const state &s, const slot &now,
                                    bundle<typename T::K> *b, sink<T> *to, tally *mine) {
    typedef typename T::K K;
    FRI_SHARED(entry<K>, queues, 2 * local<T>::ROOM);
    FRI_SHARED(entry<K>, beyond, local<T>::FAR_ROOM);
    FRI_SHARED(int, tails, BEYOND + 1);
    local<T> l = {queues, beyond, tails};
    int hop = 0, count = 0, groups = (int)blockDim.x / w.width;
    if (threadIdx.x <= BEYOND)
        tails[threadIdx.x] = 0;
    __syncthreads(); /* the queues are empty */
    relax_parts(w, w.parts[s.round & 1], now.parts, b, to, mine);
    take_share(w, l, s, now, *to, mine);
    for (;; hop++) {
        __syncthreads(); /* the queue of this hop is complete, the one before read */
        count = FRI_MIN(tails[hop % SLOTS], local<T>::ROOM);
        if (count == 0 || hop == w.hops || (hop && count > w.cut))
            break;
        if (threadIdx.x == 0) /* read a hop ago, written in the next one */
            tails[(hop + 2) % SLOTS] = 0;
        for (int i = (int)threadIdx.x / w.width; i < count; i += groups)
            hop_from(w, l, *to, hop, l.queues[(hop & 1) * local<T>::ROOM + i], mine);
    }
    leave_rest(w, l, *to, hop, count);
}

#endif
