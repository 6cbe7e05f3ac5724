/* Functions shared by the kernels of hbf: relaxing an edge by its class, and enqueueing. See
 * hbf.cu. */
#ifndef FRI_CUDA_SSSP_HBF_RELAX_CUH
#define FRI_CUDA_SSSP_HBF_RELAX_CUH

#include "cuda/prim/distance.cuh"
#include "cuda/prim/scan.cuh"

enum {
    HBF_PLAIN,
    HBF_LOOP,
    HBF_SINGLE,
    HBF_LEAF,
    HBF_FIRST,
    HBF_CLASS_SHIFT = 30
}; /* section 4.1 */
enum { HBF_IN_FLIGHT = 4 /* edges per lane at a time */ };
/* Control words: the frontier sizes of rounds in turn; the listed chunks of hubs for odd and even
 * rounds, and the blocks that are done; the last round; whether some edge leads to a leaf. */
enum {
    HBF_SIZE = 0 /* three of 64 bits */,
    HBF_CHUNKS = 6 /* two */,
    HBF_ROUND = 8,
    HBF_DONE = 9 /* two */,
    HBF_LEAVES = 11
};

/* The state of one round, passed by value. */
template <class T> struct hbf_round {
    fri_sssp_view<T> p;
    unsigned long long *info; /* [n] packed: key, then round */
    int32_t *stamp;           /* [n] not packed: the round of the last enqueue, or 1: did not fit */
    const int32_t *queue;
    int32_t *next;
    unsigned long long *size, *tail; /* control words: of queue, of next */
    unsigned long long capacity;     /* capacity of a queue */
    int32_t round;
    int32_t source; /* whose edges are set directly, -1: none */
    int32_t child;  /* degrees above it go to the child grid; 0: none */
    int32_t *hubs;  /* [max_chunks] pairs: a hub and the index of its chunk */
    int64_t max_chunks;
    int32_t hub;      /* degrees above it are processed by the whole warp; 0: none */
    int32_t resident; /* threads that can be resident on the device */
    int width;        /* of virtual warps; 0: from the frontier */
    int work, staging_size; /* work 0: one vertex per virtual warp, -1: from the frontier */
    bool classes, once, packed, cache; /* once: duplicates are removed */
    bool overlapped;                   /* HBF_IN_FLIGHT edges per lane at a time */
};

/* A frontier vertex: its distance, its edges. */
template <class T> struct hbf_vertex {
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

/* Bypasses L1 (section 5.1, 3): the location is accessed once. Only one thread writes v in this
 * round. */
template <class T>
static __device__ __forceinline__ void hbf_set(const hbf_round<T> &r, int32_t v, typename T::K s) {
    FRI_COUNT(r.p, FR_COUNTER_RELAXATIONS, 1);
    if (r.packed && r.cache)
        __stcg(&r.info[v], hbf_pack(s, r.round));
    else if (r.packed)
        fri_racy_store(&r.info[v], hbf_pack(s, r.round));
    else if (r.cache)
        __stcg(&r.p.dist[v], s);
    else
        fri_racy_store(&r.p.dist[v], s);
}

template <class T>
static __device__ __forceinline__ typename T::K hbf_sum(const hbf_round<T> &r, typename T::K from,
                                                        int64_t e) {
    if (r.cache || !r.p.weights)
        return fri_path_key(r.p, from, e);
    bool low = false;
    typename T::K s = T::sum(from, r.p.weights[e], r.p.cap, &low);
    if (low && from != T::neg_inf())
        fri_racy_store(&r.p.control[FRI_CONTROL_BELOW_INT32], 1); /* racy: all write 1 */
    return s;
}

/* Totals of a thread: edges whose target was tested (Fig. 9's relax operations), and distances that
 * it lowered. */
struct hbf_counters {
    unsigned long long edges, relaxed;
};

/* Whole block, once, at the kernel's end; most blocks of a small round did nothing. */
template <class T>
static __device__ __forceinline__ void hbf_add_stats(const hbf_round<T> &r,
                                                     const hbf_counters &progress) {
    if (!__syncthreads_or(progress.edges != 0))
        return; /* the whole block returns */
    FRI_COUNT(r.p, FR_COUNTER_EDGES, progress.edges);
    fri_add_stats(r.p.control, progress.edges, progress.relaxed);
}

/* The candidate distance that an edge offers its target, as it passes through Algorithm 4. */
template <class T> struct hbf_candidate {
    int32_t v;
    int kind; /* HBF_LOOP: no candidate */
    typename T::K s;
    unsigned long long was; /* packed: v's word before the atomic; else its key */
};

template <class T>
static __device__ __forceinline__ hbf_candidate<T>
hbf_read(const hbf_round<T> &r, const hbf_vertex<T> &vertex, int64_t e, hbf_counters *progress) {
    int32_t target = r.cache ? __ldg(&r.p.targets[e]) : r.p.targets[e];
    hbf_candidate<T> o = {target & r.p.mask, HBF_PLAIN, hbf_sum(r, vertex.from, e), 0};
    if (r.classes)
        o.kind = (int)((uint32_t)target >> HBF_CLASS_SHIFT);
    o.kind = o.kind == HBF_LEAF ? HBF_LOOP : o.kind;
    progress->edges += o.kind != HBF_LOOP;
    if (o.s == T::unreached())
        o.kind = HBF_LOOP;
    /* the first of parallel edges has the smallest weight */
    else if (r.source == vertex.u && o.kind != HBF_LOOP)
        o.kind = e > vertex.first && (r.p.targets[e - 1] & r.p.mask) == o.v ? HBF_LOOP : HBF_FIRST;
    return o;
}

/* Algorithms 5 and 6, the write; the previous value is returned while other accesses are in flight.
 */
template <class T>
static __device__ __forceinline__ void hbf_write(const hbf_round<T> &r, hbf_candidate<T> *o) {
    /* no other thread writes it in this round */
    if (o->kind == HBF_FIRST || o->kind == HBF_SINGLE) {
        hbf_set(r, o->v, o->s);
    } else if (o->kind == HBF_PLAIN) {
        FRI_COUNT(r.p, FR_COUNTER_ATOMICS, 1);
        o->was = r.packed ? atomicMin(&r.info[o->v], hbf_pack(o->s, r.round))
                          : (unsigned long long)fri_key_min(&r.p.dist[o->v], o->s);
    }
}

/* True when v is to be enqueued. */
template <class T>
static __device__ __forceinline__ bool
hbf_must_enqueue(const hbf_round<T> &r, const hbf_candidate<T> &o, hbf_counters *progress) {
    typename T::K was = r.packed ? hbf_key<typename T::K>(o.was) : (typename T::K)o.was;
    bool lowered = o.kind != HBF_LOOP && (o.kind != HBF_PLAIN || o.s < was);
    progress->relaxed += lowered;
    if (!lowered || o.kind != HBF_PLAIN)
        return lowered;
    FRI_COUNT(r.p, FR_COUNTER_RELAXATIONS, 1);
    if (!r.once)
        return true;
    bool seen;
    if (r.packed) {
        /* the thread that lowered it first enqueued it */
        seen = (int32_t)(uint32_t)o.was == r.round;
    } else {
        FRI_COUNT(r.p, FR_COUNTER_ATOMICS, 1);
        /* atomic: exactly one thread enqueues it */
        seen = atomicExch(&r.stamp[o.v], r.round) == r.round;
    }
    FRI_COUNT(r.p, FR_COUNTER_DUPLICATES_FOUND, seen);
    return !seen;
}

/* Algorithm 4 for `max_edges` edges of a vertex, every width-th from e on, with their loads and atomics
 * in flight together. Bit i: v[i] is to be enqueued. max_edges: a constant, at most HBF_IN_FLIGHT. */
template <class T>
static __device__ __forceinline__ unsigned
hbf_relax(const hbf_round<T> &r, const hbf_vertex<T> &vertex, int64_t e, int64_t width, int max_edges,
          int32_t v[HBF_IN_FLIGHT], hbf_counters *progress) {
    hbf_candidate<T> o[HBF_IN_FLIGHT];
    typename T::K old[HBF_IN_FLIGHT];
    unsigned put = 0;
    FRI_UNROLL
    for (int i = 0; i < max_edges; i++) {
        o[i] = {0, HBF_LOOP, T::unreached(), 0};
        if (e + i * width < vertex.end)
            o[i] = hbf_read(r, vertex, e + i * width, progress);
    }
    FRI_UNROLL
    for (int i = 0; i < max_edges; i++)
        /* a target of in-degree 1 may be a source */
        if (o[i].kind == HBF_PLAIN || o[i].kind == HBF_SINGLE)
            old[i] = hbf_dist(r, o[i].v);
    FRI_UNROLL
    for (int i = 0; i < max_edges; i++) { /* racy test: most edges lower nothing */
        if (o[i].kind == HBF_PLAIN || o[i].kind == HBF_SINGLE)
            o[i].kind = o[i].s < old[i] ? o[i].kind : HBF_LOOP;
        hbf_write(r, &o[i]);
    }
    FRI_UNROLL
    for (int i = 0; i < max_edges; i++) {
        put |= (unsigned)hbf_must_enqueue(r, o[i], progress) << i;
        v[i] = o[i].v;
    }
    return put;
}

/* ---- enqueue ----------------------------------------------------------------------------- */

/* With duplicates more may be enqueued than the queue holds: vertices that do not fit are marked,
 * and collected at the round's end. */
template <class T>
static __device__ __forceinline__ void hbf_put(const hbf_round<T> &r, unsigned long long at,
                                               int32_t v) {
    if (at < r.capacity)
        r.next[at] = v;
    else
        fri_racy_store(&r.stamp[v], 1); /* racy: all write 1 */
}

/* A warp's staging buffer in shared memory (section 5.1, 4): vertices are collected there and
 * written together. */
struct hbf_staging {
    int32_t *at;
    int held;
};

/* Whole warp: writes the buffer to the queue. */
template <class T> static __device__ void hbf_flush(const hbf_round<T> &r, hbf_staging *staging) {
    unsigned long long base = 0;
    __syncwarp(); /* the buffer is written */
    if (fri_lane() == 0 && staging->held) {
        FRI_COUNT(r.p, FR_COUNTER_ATOMICS, 1);
        FRI_COUNT(r.p, FR_COUNTER_ENQUEUES, staging->held);
        base =
            /* atomic: reserves the warp's share of the queue */
            atomicAdd(r.tail, (unsigned long long)staging->held);
    }
    base = __shfl_sync(FRI_FULL_MASK, base, 0);
    for (int i = fri_lane(); i < staging->held; i += FRI_WARP)
        hbf_put(r, base + (unsigned long long)i, staging->at[i]);
    __syncwarp(); /* all have read the buffer before it is filled again */
    staging->held = 0;
}

/* Whole block, at the kernel's end: writes the remaining contents of its buffers, with one atomic
 * for all. */
template <class T>
static __device__ void hbf_flush_block(const hbf_round<T> &r, hbf_staging *staging) {
    FRI_SHARED(unsigned long long, base, 1);
    FRI_SHARED(int, counts, FRI_WARP);
    int warps = (int)blockDim.x / FRI_WARP, before = 0, total = 0;
    if (fri_lane() == 0)
        counts[fri_warp()] = staging->held;
    if (!__syncthreads_or(staging->held)) /* all warps' counts and buffers are written */
        return;                        /* the whole block returns */
    for (int w = 0; w < warps; w++) {
        before += w < fri_warp() ? counts[w] : 0;
        total += counts[w];
    }
    if (threadIdx.x == 0 && total) {
        FRI_COUNT(r.p, FR_COUNTER_ATOMICS, 1);
        FRI_COUNT(r.p, FR_COUNTER_ENQUEUES, total);
        /* atomic: reserves the block's share of the queue */
        *base = atomicAdd(r.tail, (unsigned long long)total);
    }
    __syncthreads(); /* the base is written */
    for (int i = fri_lane(); i < staging->held; i += FRI_WARP)
        hbf_put(r, *base + (unsigned long long)(before + i), staging->at[i]);
    staging->held = 0;
}

/* Whole warp; lanes with `yes` enqueue their v. Without buffers by one atomic each. */
template <class T>
static __device__ __forceinline__ void hbf_enqueue(const hbf_round<T> &r, hbf_staging *staging,
                                                   bool yes, int32_t v) {
    if (r.staging_size == 0) {
        if (yes) {
            FRI_COUNT(r.p, FR_COUNTER_ATOMICS, 1);
            FRI_COUNT(r.p, FR_COUNTER_ENQUEUES, 1);
            hbf_put(r, atomicAdd(r.tail, 1ull), v); /* atomic: reserves a position */
        }
        return;
    }
    int total, before = fri_warp_prefix_count(yes, &total);
    if (staging->held + total > r.staging_size)
        hbf_flush(r, staging);
    if (yes)
        staging->at[staging->held + before] = v;
    staging->held += total;
}

#endif
