/* What the kernels of hbf share: relaxing an edge by its class, and enqueueing. See hbf.cu. */
#ifndef FRI_HBF_RELAX_CUH
#define FRI_HBF_RELAX_CUH

#include "cuda/prim/distance.cuh"
#include "cuda/prim/scan.cuh"

enum { HBF_PLAIN, HBF_LOOP, HBF_SINGLE, HBF_LEAF, HBF_CLASS_SHIFT = 30 }; /* section 4.1 */
/* Words: the frontiers of rounds in turn, children launched by odd and even ones, the last round.
 */
enum { HBF_SIZE = 0 /* three of 64 bits */, HBF_CHILDREN = 6 /* two */, HBF_ROUND = 8 };

/* One round, by value. */
template <class T> struct hbf_round {
    fri_paths<T> p;
    unsigned long long *info; /* [n] key, then round: packed */
    int32_t *stamp;           /* [n] not packed: the round of the last enqueue, or 1: left over */
    const int32_t *queue;
    int32_t *next;
    unsigned long long *size, *tail; /* words: of queue, of next */
    int32_t round;
    int32_t source;   /* whose edges are set directly, -1: nobody's */
    int32_t child;    /* degrees above it get a grid of their own; 0: none */
    int32_t hub;      /* degrees above it get the whole warp; 0: none */
    int32_t resident; /* threads that the device holds */
    int width;        /* of virtual warps; 0: from the frontier */
    int work, slots;  /* work 0: a vertex per virtual warp, -1: from the frontier */
    bool classes, once, packed, cache; /* once: duplicates are removed */
};

/* A frontier vertex: its distance, its edges. */
template <class T> struct hbf_row {
    int32_t u;
    typename T::K from;
    int64_t first, end;
};

/* (distance, round) in one word whose order is the distances' (Fig. 4). */
template <class K>
static __device__ __forceinline__ unsigned long long hbf_pack(K key, int32_t round) {
    return (unsigned long long)((uint32_t)key ^ 0x80000000u) << 32 | (uint32_t)round;
}
template <class K> static __device__ __forceinline__ K hbf_key(unsigned long long word) {
    return (K)(int32_t)((uint32_t)(word >> 32) ^ 0x80000000u);
}

/* racy: a vertex may be lowered at any time; it is then in the next frontier */
template <class T>
static __device__ __forceinline__ typename T::K hbf_dist(const hbf_round<T> &r, int32_t v) {
    return r.packed ? hbf_key<typename T::K>(fri_racy_load(&r.info[v]))
                    : fri_racy_load(&r.p.dist[v]);
}

/* Past L1 (section 5.1, 3): the place is met once. Only one thread writes v in this round. */
template <class T>
static __device__ __forceinline__ void hbf_set(const hbf_round<T> &r, int32_t v, typename T::K s) {
    FRI_COUNT(r.p, FR_COUNT_RELAXATIONS, 1);
    if (r.packed && r.cache)
        __stcg(&r.info[v], hbf_pack(s, r.round));
    else if (r.packed)
        fri_racy_store(&r.info[v], hbf_pack(s, r.round));
    else if (r.cache)
        __stcg(&r.p.dist[v], s);
    else
        fri_racy_store(&r.p.dist[v], s);
}

/* Algorithms 5 and 6. True when v is to be enqueued; *lowered: it fell. */
template <class T>
static __device__ __forceinline__ bool hbf_lower(const hbf_round<T> &r, int32_t v, typename T::K s,
                                                 bool *lowered) {
    if (!r.packed) {
        *lowered = fri_lower(r.p, v, s);
        if (!*lowered || !r.once)
            return *lowered;
        FRI_COUNT(r.p, FR_COUNT_ATOMICS, 1);
        bool first = atomicExch(&r.stamp[v], r.round) != r.round; /* one of all enqueues it */
        FRI_COUNT(r.p, FR_COUNT_DUPLICATES_FOUND, !first);
        return first;
    }
    if (!T::falls(s, hbf_dist(r, v), r.p.slack)) /* racy test: most edges lower nothing */
        return false;
    FRI_COUNT(r.p, FR_COUNT_ATOMICS, 1);
    unsigned long long old = atomicMin(&r.info[v], hbf_pack(s, r.round));
    *lowered = s < hbf_key<typename T::K>(old);
    bool seen = (int32_t)(uint32_t)old == r.round; /* who lowered it first enqueued it */
    FRI_COUNT(r.p, FR_COUNT_RELAXATIONS, *lowered);
    FRI_COUNT(r.p, FR_COUNT_DUPLICATES_FOUND, *lowered && seen);
    return *lowered && !seen;
}

template <class T>
static __device__ __forceinline__ typename T::K hbf_sum(const hbf_round<T> &r, typename T::K from,
                                                        int64_t e) {
    if (r.cache || !r.p.weights)
        return fri_along(r.p, from, e);
    bool low = false;
    typename T::K s = T::sum(from, r.p.weights[e], r.p.cap, &low);
    if (low && from != T::minus())
        fri_racy_store(&r.p.words[FRI_WORD_LOW], 1); /* racy: all write 1 */
    return s;
}

/* What a thread did: edges whose far end was looked at (Fig. 9's relax operations), and distances
 * that it lowered. */
struct hbf_did {
    unsigned long long edges, relaxed;
};

/* Algorithm 4 for edge e of u, whose row starts at `row`; true: *v is to be enqueued. */
template <class T>
static __device__ bool hbf_relax(const hbf_round<T> &r, int32_t u, typename T::K from, int64_t row,
                                 int64_t e, int32_t *v, hbf_did *did) {
    int32_t target = r.cache ? __ldg(&r.p.targets[e]) : r.p.targets[e];
    int kind = r.classes ? (int)((uint32_t)target >> HBF_CLASS_SHIFT) : HBF_PLAIN;
    *v = target & r.p.mask;
    if (kind == HBF_LOOP || kind == HBF_LEAF)
        return false;
    did->edges++;
    typename T::K s = hbf_sum(r, from, e);
    if (s == T::far())
        return false;
    bool lowered = false, put;
    if (r.source == u) { /* of parallel edges the first is the least */
        if (e > row && (r.p.targets[e - 1] & r.p.mask) == *v)
            return false;
        hbf_set(r, *v, s);
        lowered = put = true;
    } else if (kind == HBF_SINGLE) { /* nobody else writes *v; but it may be a source */
        put = lowered = T::falls(s, hbf_dist(r, *v), r.p.slack);
        if (put)
            hbf_set(r, *v, s);
    } else {
        put = hbf_lower(r, *v, s, &lowered);
    }
    did->relaxed += lowered;
    return put;
}

/* ---- enqueue ----------------------------------------------------------------------------- */

/* With duplicates more may be enqueued than there is room for: what is left over is marked, and
 * the round's end collects it. */
template <class T>
static __device__ __forceinline__ void hbf_put(const hbf_round<T> &r, unsigned long long at,
                                               int32_t v) {
    if (at < (unsigned long long)r.p.n)
        r.next[at] = v;
    else
        fri_racy_store(&r.stamp[v], 1); /* racy: all write 1 */
}

/* A warp's slot in shared memory (section 5.1, 4): vertices gather there and leave together. */
struct hbf_slot {
    int32_t *at;
    int held;
};

/* Whole warp. */
template <class T> static __device__ void hbf_flush(const hbf_round<T> &r, hbf_slot *slot) {
    unsigned long long base = 0;
    __syncwarp(); /* the slot is written */
    if (fri_lane() == 0 && slot->held) {
        FRI_COUNT(r.p, FR_COUNT_ATOMICS, 1);
        FRI_COUNT(r.p, FR_COUNT_ENQUEUES, slot->held);
        base =
            atomicAdd(r.tail, (unsigned long long)slot->held); /* the warp's share of the queue */
    }
    base = __shfl_sync(FRI_FULL, base, 0);
    for (int i = fri_lane(); i < slot->held; i += FRI_WARP)
        hbf_put(r, base + (unsigned long long)i, slot->at[i]);
    __syncwarp(); /* and read, before it is filled again */
    slot->held = 0;
}

/* Whole warp; lanes that say yes enqueue their v. Without slots an atomic each. */
template <class T>
static __device__ __forceinline__ void hbf_enqueue(const hbf_round<T> &r, hbf_slot *slot, bool yes,
                                                   int32_t v) {
    if (r.slots == 0) {
        if (yes) {
            FRI_COUNT(r.p, FR_COUNT_ATOMICS, 1);
            FRI_COUNT(r.p, FR_COUNT_ENQUEUES, 1);
            hbf_put(r, atomicAdd(r.tail, 1ull), v); /* its place */
        }
        return;
    }
    int total, before = fri_warp_count(yes, &total);
    if (slot->held + total > r.slots)
        hbf_flush(r, slot);
    if (yes)
        slot->at[slot->held + before] = v;
    slot->held += total;
}

#endif
