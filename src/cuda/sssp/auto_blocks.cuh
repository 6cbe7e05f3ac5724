/* Thin rounds of SSSP `auto`: each block passes on its share of the pending vertices, what these
 * lower near by, and so on for some hops, from queues in shared memory with no barrier but its own.
 */
#ifndef FRI_AUTO_BLOCKS_CUH
#define FRI_AUTO_BLOCKS_CUH

#include "cuda/sssp/auto_chip.cuh"

enum { LONG_TURNS = 8 /* of a group of lanes: longer rows become parts */ };

/* One thread: a find, as put does it for a warp. */
template <class K>
static __device__ __forceinline__ void put_alone(const bin<K> &b, entry<K> *queue, int *tail,
                                                 const entry<K> &x) {
    int i = atomicAdd(tail, 1); /* its place; others append too */
    if (i < b.room) {
        queue[i] = x;
        return;
    }
    unsigned long long at = b.out_base + atomicAdd(b.out_tail, 1ull); /* its place out there */
    if (at < b.out_room)
        b.out[at] = x;
}

/* One thread: into the block's queue of hop `hop`; onto the pile. */
template <class T>
static __device__ __forceinline__ void put_local(const local<T> &l, int hop,
                                                 const entry<typename T::K> &x, tally *mine) {
    mine->near_least = least_of(mine->near_least, x.d);
    put_alone(l.to->near, l.queues + (hop & 1) * local<T>::HALF, &l.tails[hop % SLOTS], x);
}
template <class T>
static __device__ __forceinline__ void put_beyond(const local<T> &l, const entry<typename T::K> &x,
                                                  tally *mine) {
    mine->far_least = least_of(mine->far_least, x.d);
    if (!l.to->lost)
        put_alone(l.to->far, l.to->far.queue, l.to->far.tail, x);
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
static __device__ __forceinline__ void hop_from(const world<T> &w, const local<T> &l, int hop,
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
            put_parts_alone(w, *l.to, x, begin, end, mine);
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
        if (sum <= l.to->last) {
            fri_prefetch(&w.p.offsets[v]);
            put_local(l, hop + 1, {sum, v}, mine);
        } else
            put_beyond(l, {sum, v}, mine);
    }
}

/* All threads of the block: its share of what is pending and near becomes the queue of hop 0. */
template <class T>
static __device__ void take_share(const world<T> &w, const local<T> &l, const state &s,
                                  const slot &now, tally *mine) {
    const entry<typename T::K> *queue = w.near[s.round & 1], *pile = w.far[s.pile ^ 1];
    int64_t step = (int64_t)gridDim.x * blockDim.x;
    int64_t count = (int64_t)now.near + (s.raised ? (int64_t)s.far : 0);
    for (int64_t i = (int64_t)threadIdx.x * gridDim.x + blockIdx.x; i < count; i += step) {
        entry<typename T::K> x = i < (int64_t)now.near ? queue[i] : pile[i - (int64_t)now.near];
        if (fri_racy_load(&w.p.dist[x.v]) != x.d) /* racy: a later fall is queued too */
            continue;
        if (x.d <= l.to->last)
            put_local(l, 0, x, mine);
        else
            put_beyond(l, x, mine);
    }
}

/* All threads of the block: one hop from many entries, whose edges all share evenly. */
template <class T>
static __device__ void hop_together(const world<T> &w, const local<T> &l, int hop, int count,
                                    tally *mine) {
    const entry<typename T::K> *queue = l.queues + (hop & 1) * local<T>::HALF;
    for (int first = 0; first < count; first += (int)blockDim.x) {
        int i = first + (int)threadIdx.x;
        entry<typename T::K> x = i < count ? queue[i] : entry<typename T::K>{0, 0};
        bool on = i < count && fri_racy_load(&w.p.dist[x.v]) == x.d; /* racy: as above */
        int64_t begin = on ? w.p.offsets[x.v] : 0, end = on ? w.p.offsets[x.v + 1] : 0;
        if (end - begin > LONG) {
            put_parts_alone(w, *l.to, x, begin, end, mine);
            end = begin;
        }
        walk(w, l, line_up(l.rows, (int32_t)x.v, x.d, begin, (int)(end - begin)), mine);
    }
}

/* All threads of each block: up to w.hops hops. */
template <class T>
static __device__ void blocks_hop(const world<T> &w, const state &s, const slot &now,
                                  const local<T> &l, tally *mine) {
    int hop = 0, count = 0, groups = (int)blockDim.x / w.width;
    bin<typename T::K> *near = &l.to->near;
    take_share(w, l, s, now, mine);
    for (;; hop++) {
        __syncthreads(); /* the queue of this hop is complete, the one before read */
        count = FRI_MIN(l.tails[hop % SLOTS], local<T>::HALF);
        if (count == 0 || hop == w.hops || (hop && count > w.cut))
            break;
        if (threadIdx.x == 0) { /* read a hop ago, written in the next one */
            l.tails[(hop + 2) % SLOTS] = 0;
            near->queue = l.queues + ((hop + 1) & 1) * local<T>::HALF;
            near->tail = &l.tails[(hop + 1) % SLOTS];
        }
        if (count > w.lean * groups) {
            hop_together(w, l, hop, count, mine);
            continue;
        }
        for (int i = (int)threadIdx.x / w.width; i < count; i += groups)
            hop_from(w, l, hop, l.queues[(hop & 1) * local<T>::HALF + i], mine);
    }
    if (threadIdx.x == 0) { /* what the hops left over goes to the next round */
        near->queue = l.queues + (hop & 1) * local<T>::HALF;
        near->tail = &l.tails[hop % SLOTS];
    }
    __syncthreads(); /* the bin is what is left */
}

#endif
