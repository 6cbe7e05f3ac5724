/* Shortest paths from many sources, a block for each: near-far with the near vertices in shared memory.
 *
 * Source: near and far: A. Davidson, S. Baxter, M. Garland, J. D. Owens, IPDPS 2014; a block per source: bfs/many/
 *   blocks.cuh.
 * Idea: one source leaves most of a GPU idle on all graphs but the largest, and waits for the barriers of a grid. A
 *   block's round costs a few microseconds, and all multiprocessors have searches of their own.
 * Data: the source's distances in memory (`cell`), as keys (prim/distance.cuh); the near vertices with their keys in
 *   a ring in shared memory; those that it has no room for are bits of `late`, those beyond the window bits of `far`.
 *   An entry whose vertex has fallen again is dropped.
 * Round: 32 near vertices or fewer per warp, whose edges its lanes share evenly; rows of more than `hub` edges are left
 *   to all warps. When no near vertex is left, the window moves: it begins at the nearest far key, and a scan of the
 *   bits of `far` finds its vertices. Where windows have few vertices a round, they become wider, and the reverse.
 * Suspension: a launch ends after `steps` rounds of each block, with the near vertices in `late`; the next
 *   launch continues with the same numbers of blocks. */
#ifndef FRI_CUDA_APSP_MULTI_SSSP_SEARCH_CUH
#define FRI_CUDA_APSP_MULTI_SSSP_SEARCH_CUH

#include "cuda/prim/distance.cuh"
#include "cuda/prim/edge_chunks.cuh"
#include "cuda/prim/persistent.cuh"

enum {
    ROWS_MAPS = 3 /* late of even and odd rounds, far */,
    ROWS_HUBS = 64 /* that a block lists */
};
enum { ROWS_ITEMS = 4 /* edges of a lane at a time */, ROWS_THREADS = 1024 };
enum { ROWS_WIDEST = 64, ROWS_NARROWEST = 16 /* windows, times and parts of `delta` */ };

/* Of a batch, zero before it, at the begin of the control words. */
struct rows_control {
    unsigned taken; /* sources */
    int32_t ended;  /* searches */
    int32_t lost;   /* 1 + a vertex whose distance does not fit */
    int32_t rounds; /* of the longest search */
    long long
        too_large; /* INT64_MAX - (row, vertex) of the first distance that does not fit when unshifted */
};

/* Of a block between two launches. */
struct rows_state {
    int64_t last, far_min; /* keys */
    double delta;
    int32_t source; /* 1 + its place; 0: none */
    int32_t round, dropped, finds_parents;
};

namespace {
/* Kernel parameter. */
template <class T> struct rows_batch {
    fri_sssp_view<T> p; /* dist: of the first source; or of the first block, if each has its own */
    int64_t row, cell;  /* keys from a source to the next, from a vertex to the next */
    bool own;
    int32_t count, hub; /* sources; edges of the longest row that a warp takes */
    const int32_t *sources;
    double delta,
        fill; /* the first window; vertices per round below which windows grow, 0: they do not */
    uint32_t *bits;     /* [blocks][ROWS_MAPS][words of n bits] */
    rows_state *states; /* [blocks] */
    rows_control *control;
    int32_t *parent; /* [count][n]; NULL: none */
    /* what the caller gets, if not the keys: [count][n], or [count][target_count], of `type` */
    void *out;
    fr_type type;
    const double *h; /* [n] potentials that the weights were shifted by, or NULL */
    const int32_t *targets;
    int64_t target_count;
};

/* What round r finds and leaves to all warps is in phase (r + 1) % FRI_PHASES. */
struct rows_phase {
    unsigned found, hubs;
};
template <class K> struct rows_common {
    rows_phase phase[FRI_PHASES];
    K far_min; /* no far key is less */
    int32_t taken, dropped, hub[ROWS_HUBS];
    K hub_key[ROWS_HUBS];
};

template <class T> struct rows_search {
    typedef typename T::K K;
    const rows_batch<T> &b;
    rows_common<K> *common;
    K *dist;
    unsigned ring; /* entries, a power of two */
    __device__ __forceinline__ K *key(int32_t v) const { return dist + (int64_t)v * b.cell; }
    __device__ __forceinline__ K *entry_key(unsigned i) const {
        FRI_SHARED_DYNAMIC(K, keys);
        return keys + (i & (ring - 1));
    }
    __device__ __forceinline__ int32_t *entry(unsigned i) const {
        return (int32_t *)(entry_key(0) + ring) + (i & (ring - 1));
    }
    __device__ __forceinline__ unsigned words() const {
        return ((unsigned)b.p.n + FRI_WARP - 1) / FRI_WARP;
    }
    __device__ __forceinline__ uint32_t *map(int i) const {
        return b.bits + ((int64_t)blockIdx.x * ROWS_MAPS + i) * words();
    }
    __device__ __forceinline__ uint32_t *late(int32_t round) const { return map(round & 1); }
    __device__ __forceinline__ uint32_t *far() const { return map(2); }
    __device__ __forceinline__ rows_phase *found_by(int32_t round) const {
        return &common->phase[(round + 1) % FRI_PHASES];
    }
};

/* Of all threads: the near vertices are entries head .. end - 1 of the ring, and bits of `late`. */
template <class K> struct rows_window {
    int32_t round;
    unsigned head, end;
    bool is_late;
    K last; /* of the window */
    double delta;
    unsigned long long found, rounds; /* near vertices of all rounds of this window */
};
/* Of a thread. */
struct rows_sums {
    unsigned long long examined, lowered;
};
} // namespace

/* ---- edges -------------------------------------------------------------------------------- */

/* Whole warp: calls edges(from, e) for the row of u, whose key is `from`: edges `first`, first + step and so
 * on, ROWS_ITEMS of each lane at a time; -1: none. */
template <class T, class F>
static __device__ __forceinline__ void rows_walk_row(const rows_search<T> &s, int32_t u,
                                                     typename T::K from, int first, int step,
                                                     const F &edges) {
    const int64_t end = s.b.p.offsets[u + 1];
    int64_t at = s.b.p.offsets[u] + first;
    FRI_ROLLED
    for (; __any_sync(FRI_FULL_MASK, at < end); at += (int64_t)ROWS_ITEMS * step) {
        int32_t vertex[ROWS_ITEMS];
        typename T::K key[ROWS_ITEMS];
        int64_t e[ROWS_ITEMS];
        FRI_UNROLL
        for (int k = 0; k < ROWS_ITEMS; k++) {
            vertex[k] = u;
            key[k] = from;
            e[k] = at + (int64_t)k * step < end ? at + (int64_t)k * step : -1;
        }
        edges(vertex, key, e);
    }
}

/* Whole warp: the same for the rows of the lanes' vertices u, -1: none. Long ones are left to rows_walk_hubs. */
template <class T, class F>
static __device__ __forceinline__ void rows_walk(const rows_search<T> &s, rows_phase *phase,
                                                 int32_t u, typename T::K from, const F &edges) {
    int64_t begin = u >= 0 ? s.b.p.offsets[u] : 0;
    const int64_t all = u >= 0 ? s.b.p.offsets[u + 1] - begin : 0;
    const bool is_long = all > s.b.hub;
    unsigned place = ROWS_HUBS;
    if (is_long)
        place = atomicAdd(&phase->hubs, 1u); /* other threads list theirs */
    if (is_long && place < ROWS_HUBS) {
        s.common->hub[place] = u;
        s.common->hub_key[place] = from;
    }
    FRI_ROLLED
    for (unsigned left = __ballot_sync(FRI_FULL_MASK, is_long && place >= ROWS_HUBS); left;
         left &= left - 1) {
        const int lane = __ffs((int)left) - 1;
        rows_walk_row(s, __shfl_sync(FRI_FULL_MASK, u, lane),
                      __shfl_sync(FRI_FULL_MASK, from, lane), fri_lane(), FRI_WARP, edges);
    }
    int total;
    const int before = fri_warp_prefix(is_long ? 0 : (int)all, &total);
    begin -= before;
    FRI_ROLLED
    for (int i0 = 0; i0 < total; i0 += ROWS_ITEMS * FRI_WARP) {
        int32_t vertex[ROWS_ITEMS];
        typename T::K key[ROWS_ITEMS];
        int64_t e[ROWS_ITEMS];
        FRI_UNROLL
        for (int k = 0; k < ROWS_ITEMS; k++) {
            const int i = i0 + k * FRI_WARP + fri_lane(), owner = fri_owner_lane(before, i);
            vertex[k] = __shfl_sync(FRI_FULL_MASK, u, owner);
            key[k] = __shfl_sync(FRI_FULL_MASK, from, owner);
            e[k] = __shfl_sync(FRI_FULL_MASK, begin, owner) + i;
            e[k] = i < total ? e[k] : -1;
        }
        edges(vertex, key, e);
    }
}

/* All threads of the block, after a barrier: the rows that the round has listed. Whether there were any; then a
 * barrier follows. */
template <class T, class F>
static __device__ __forceinline__ bool rows_walk_hubs(const rows_search<T> &s,
                                                      const rows_phase *phase, const F &edges) {
    const unsigned hubs = FRI_MIN(phase->hubs, (unsigned)ROWS_HUBS);
    FRI_ROLLED
    for (unsigned i = 0; i < hubs; i++)
        rows_walk_row(s, s.common->hub[i], s.common->hub_key[i], (int)threadIdx.x, (int)blockDim.x,
                      edges);
    return hubs > 0;
}

/* All threads of the block: keep(v) for the vertices of a map, a lane each, -1: none, all lanes of a warp
 * together; bits of which it is false are cleared. */
template <class T, class F>
static __device__ __forceinline__ void rows_each_bit(const rows_search<T> &s, uint32_t *map,
                                                     const F &keep) {
    FRI_ROLLED
    for (unsigned w = threadIdx.x - fri_lane(); w < s.words(); w += blockDim.x) {
        const unsigned mine = w + fri_lane();
        const uint32_t bits = mine < s.words() ? fri_volatile_load(&map[mine]) : 0;
        uint32_t kept = 0;
        FRI_ROLLED
        for (uint32_t left = bits; __any_sync(FRI_FULL_MASK, left != 0); left &= left - 1) {
            const int bit = __ffs((int)left) - 1;
            if (keep(left ? (int32_t)(mine * FRI_WARP) + bit : -1))
                kept |= 1u << bit;
        }
        if (kept != bits)
            map[mine] = kept;
    }
}

/* ---- near and far ------------------------------------------------------------------------- */

/* Whole warp: vertices v with keys of at most w.last, where `near`, become near ones of the next round. */
template <class T, int COUNT>
static __device__ __forceinline__ void
rows_append(const rows_search<T> &s, const rows_window<typename T::K> &w, const bool (&near)[COUNT],
            const int32_t (&v)[COUNT], const typename T::K (&key)[COUNT]) {
    unsigned total = 0, first = 0;
    FRI_UNROLL
    for (int k = 0; k < COUNT; k++)
        total += (unsigned)__popc(__ballot_sync(FRI_FULL_MASK, near[k]));
    if (!total)
        return;
    if (fri_lane() == 0)
        first = atomicAdd(&s.found_by(w.round)->found, total); /* other warps append */
    first = __shfl_sync(FRI_FULL_MASK, first, 0);
    FRI_UNROLL
    for (int k = 0; k < COUNT; k++) {
        int count;
        const unsigned n = first + (unsigned)fri_warp_prefix_count(near[k], &count);
        first += (unsigned)count;
        if (!near[k])
            continue;
        if (n < s.ring - (w.end - w.head)) {
            *s.entry(w.end + n) = v[k];
            *s.entry_key(w.end + n) = key[k];
        } else {
            atomicOr(&s.late(w.round + 1)[(unsigned)v[k] / FRI_WARP],
                     1u << (unsigned)v[k] % FRI_WARP); /* other threads share the word */
        }
    }
}

/* Any thread: no far key is less. */
template <class T>
static __device__ __forceinline__ void rows_bound_far(const rows_search<T> &s, typename T::K key) {
    if (key < fri_racy_load(&s.common->far_min)) /* racy: avoids most atomics */
        fri_key_min(&s.common->far_min, key);
}

namespace {
/* Lowers the ends of edges. */
template <class T> struct rows_relax {
    typedef typename T::K K;
    const rows_search<T> &s;
    const rows_window<K> &w;
    rows_sums *sums;

    __device__ __forceinline__ void operator()(const int32_t (&)[ROWS_ITEMS],
                                               const K (&from)[ROWS_ITEMS],
                                               const int64_t (&e)[ROWS_ITEMS]) const {
        const fri_sssp_view<T> &p = s.b.p;
        int32_t v[ROWS_ITEMS];
        K sum[ROWS_ITEMS];
        bool fell[ROWS_ITEMS], low = false, dropped = false;
        FRI_UNROLL
        for (int k = 0; k < ROWS_ITEMS; k++)
            v[k] = e[k] >= 0 ? p.targets[e[k]] : 0;
        FRI_UNROLL
        for (int k = 0; k < ROWS_ITEMS; k++)
            sum[k] = e[k] >= 0 ? T::sum(from[k], fri_weight(p, e[k]), p.cap, &low) : T::unreached();
        FRI_UNROLL
        for (int k = 0; k < ROWS_ITEMS; k++) {
            sums->examined += e[k] >= 0;
            dropped |= e[k] >= 0 && sum[k] == T::unreached();
            /* racy: avoids most atomics */
            fell[k] = sum[k] < T::unreached() && sum[k] < fri_racy_load(s.key(v[k]));
        }
        FRI_UNROLL
        for (int k = 0; k < ROWS_ITEMS; k++)
            fell[k] = fell[k] && sum[k] < fri_key_min(s.key(v[k]), sum[k]);
        FRI_UNROLL
        for (int k = 0; k < ROWS_ITEMS; k++) {
            FRI_COUNT(p, FR_COUNTER_RELAXATIONS, fell[k]);
            sums->lowered += fell[k];
            if (fell[k] && sum[k] > w.last) {
                /* other threads share the word */
                atomicOr(&s.far()[(unsigned)v[k] / FRI_WARP], 1u << (unsigned)v[k] % FRI_WARP);
                rows_bound_far(s, sum[k]);
            }
            fell[k] = fell[k] && sum[k] <= w.last;
        }
        if (dropped)
            fri_racy_store(&s.common->dropped, 1); /* racy: all write 1 */
        rows_append(s, w, fell, v, sum);
    }
};
} // namespace

/* All threads of the block: relaxes the near vertices, up to but not including the barrier. */
template <class T>
static __device__ __forceinline__ void rows_relax_near(const rows_search<T> &s,
                                                       const rows_window<typename T::K> &w,
                                                       const rows_relax<T> &relax) {
    typedef typename T::K K;
    const unsigned count = w.end - w.head, warps = blockDim.x / FRI_WARP;
    const unsigned each = FRI_MIN(FRI_MAX((count + warps - 1) / warps, 1u), (unsigned)FRI_WARP);
    rows_phase *phase = s.found_by(w.round);
    FRI_ROLLED
    for (unsigned i = fri_warp() * each; i < count; i += warps * each) {
        const unsigned mine = i + (unsigned)fri_lane();
        const bool is = fri_lane() < (int)each && mine < count;
        const K key = is ? *s.entry_key(w.head + mine) : T::unreached();
        const int32_t v = is ? *s.entry(w.head + mine) : 0;
        /* racy: what lowers it now appends it again */
        const bool live = is && fri_racy_load(s.key(v)) == key;
        rows_walk(s, phase, live ? v : -1, key, relax);
    }
    if (w.is_late)
        rows_each_bit(s, s.late(w.round), [&](int32_t v) {
            /* racy: as above */
            rows_walk(s, phase, v, v >= 0 ? fri_racy_load(s.key(v)) : T::unreached(), relax);
            return false;
        });
}

/* All threads of the block, none left near: moves the window to the nearest far vertex, and begins to find its
 * vertices, up to but not including the barrier. False: nothing is far. */
template <class T>
static __device__ __forceinline__ bool rows_move(const rows_search<T> &s,
                                                 rows_window<typename T::K> *w) {
    typedef typename T::K K;
    const K nearest = s.common->far_min, settled = w->last;
    const double mean = (double)w->found / (double)FRI_MAX(w->rounds, 1ull);
    __syncthreads(); /* all threads have read it */
    if (nearest == T::unreached())
        return false;
    if (threadIdx.x == 0)
        s.common->far_min = T::unreached();
    if (mean < s.b.fill && w->delta < ROWS_WIDEST * s.b.delta)
        w->delta *= 2;
    else if (s.b.fill > 0 && mean > 8 * s.b.fill && w->delta > s.b.delta / ROWS_NARROWEST)
        w->delta /= 2;
    w->last = T::add_width(nearest, w->delta);
    w->found = w->rounds = 0;
    __syncthreads(); /* the bound is that of what the scan leaves */
    rows_each_bit(s, s.far(), [&](int32_t v) {
        const K key[] = {v >= 0 ? fri_volatile_load(s.key(v)) : T::unreached()};
        const bool near[] = {v >= 0 && key[0] > settled && key[0] <= w->last};
        const bool far = v >= 0 && key[0] > w->last;
        const int32_t at[] = {v};
        rows_append(s, *w, near, at, key);
        if (far)
            rows_bound_far(s, key[0]);
        return far;
    });
    return true;
}

/* All threads of the block: rounds until nothing is left (true), or no steps are. Each round makes the nearest of the
 * near vertices final; of two moves in a row the second finds a vertex. */
template <class T>
static __device__ __forceinline__ bool rows_rounds(const rows_search<T> &s,
                                                   rows_window<typename T::K> *w, int32_t *steps,
                                                   rows_sums *sums) {
    const rows_relax<T> relax = {s, *w, sums};
    for (; *steps > 0; --*steps) {
        if (threadIdx.x == 0)
            *s.found_by(w->round + 1) = {0, 0};
        if (w->head == w->end && !w->is_late) {
            if (!rows_move(s, w))
                return true;
        } else {
            rows_relax_near(s, *w, relax);
        }
        __syncthreads(); /* the next near vertices are complete, except for long rows */
        if (rows_walk_hubs(s, s.found_by(w->round), relax))
            __syncthreads(); /* complete */
        const unsigned found = s.found_by(w->round)->found, room = s.ring - (w->end - w->head);
        w->round++;
        w->head = w->end;
        w->end += FRI_MIN(found, room);
        w->is_late = found > room;
        w->found += found;
        w->rounds++;
    }
    return false;
}

/* All threads of the block: the search from the source v begins; it is the only near vertex. */
template <class T>
static __device__ __forceinline__ void rows_begin(const rows_search<T> &s, int32_t v,
                                                  rows_window<typename T::K> *w) {
    FRI_ROLLED
    for (int64_t u = threadIdx.x; s.b.own && u < s.b.p.n; u += blockDim.x)
        *s.key((int32_t)u) = T::unreached();
    *w = {0, 0, 1, false, T::add_width(0, s.b.delta), s.b.delta, 0, 0};
    __syncthreads(); /* no vertex is reached */
    if (threadIdx.x == 0) {
        s.common->phase[0] = s.common->phase[1] = {0, 0};
        s.common->far_min = T::unreached();
        s.common->dropped = 0;
        *s.key(v) = 0; /* the key of 0 in every kind */
        *s.entry(0) = v;
        *s.entry_key(0) = 0;
    }
    __syncthreads(); /* the source is there */
}

/* All threads of the block: continues what rows_suspend has stored. */
template <class T>
static __device__ __forceinline__ void rows_resume(const rows_search<T> &s, const rows_state &state,
                                                   rows_window<typename T::K> *w) {
    typedef typename T::K K;
    *w = {state.round, 0, 0, true, (K)state.last, state.delta, 0, 0};
    if (threadIdx.x == 0) {
        for (rows_phase &phase : s.common->phase)
            phase = {0, 0};
        s.common->far_min = (K)state.far_min;
        s.common->dropped = state.dropped;
    }
    __syncthreads(); /* the state is there */
}
template <class T>
static __device__ __forceinline__ void
rows_suspend(const rows_search<T> &s, const rows_window<typename T::K> &w, rows_state *state) {
    FRI_ROLLED
    for (unsigned i = w.head + threadIdx.x; (int)(w.end - i) > 0; i += blockDim.x) {
        const unsigned v = (unsigned)*s.entry(i);
        atomicOr(&s.late(w.round)[v / FRI_WARP], 1u << v % FRI_WARP); /* as in rows_append */
    }
    if (threadIdx.x == 0) {
        state->last = w.last;
        state->far_min = s.common->far_min;
        state->delta = w.delta;
        state->round = w.round;
        state->dropped = s.common->dropped;
    }
}

#endif
