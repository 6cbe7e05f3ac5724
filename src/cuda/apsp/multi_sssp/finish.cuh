/* What follows a search of search.cuh, by its block: distances that do not fit, parents, what the caller gets;
 * and the kernel.
 *
 * Parents: the smallest tight neighbor that is nearer, and where there is none, hop by hop over tight edges from
 *   vertices that have a parent; so they form a forest whatever the order of relaxations, the same on every run.
 *   The bits of `far`, of which none is left, are those of vertices placed before the hop, `late` those of the
 *   hop. */
#ifndef FRI_CUDA_APSP_MULTI_SSSP_FINISH_CUH
#define FRI_CUDA_APSP_MULTI_SSSP_FINISH_CUH

#include "cuda/apsp/multi_sssp/search.cuh"
#include "cuda/drivers/apsp.h"

#include <math.h>

/* All threads of the block: edges(vertex, from, e) for the rows of all reached vertices, and barriers before and
 * after. */
template <class T, class F>
static __device__ __forceinline__ void rows_walk_all(const rows_search<T> &s, const F &edges) {
    rows_phase *phase = &s.common->phase[0];
    if (threadIdx.x == 0)
        *phase = {0, 0};
    __syncthreads(); /* it is empty */
    FRI_ROLLED
    for (int64_t u0 = threadIdx.x - fri_lane(); u0 < s.b.p.n; u0 += blockDim.x) {
        const int32_t u = u0 + fri_lane() < s.b.p.n ? (int32_t)u0 + fri_lane() : -1;
        const typename T::K key = u >= 0 ? fri_volatile_load(s.key(u)) : T::unreached();
        rows_walk(s, phase, key < T::unreached() ? u : -1, key, edges);
    }
    __syncthreads(); /* long rows are listed */
    rows_walk_hubs(s, phase, edges);
    __syncthreads(); /* all edges are done */
}

/* If sums beyond the type were dropped, some vertex with a reached in-neighbor may not be reached. */
template <class T> static __device__ void rows_find_lost(const rows_search<T> &s) {
    rows_walk_all(s, [&](const int32_t(&)[ROWS_ITEMS], const typename T::K(&)[ROWS_ITEMS],
                         const int64_t(&e)[ROWS_ITEMS]) {
        for (int k = 0; k < ROWS_ITEMS; k++) {
            const int32_t v = e[k] >= 0 ? s.b.p.targets[e[k]] : -1;
            if (v >= 0 && fri_volatile_load(s.key(v)) == T::unreached())
                atomicMax(&s.b.control->lost, v + 1); /* any such vertex suffices */
        }
    });
}

/* ---- parents ------------------------------------------------------------------------------ */

/* All threads: whether e leads from a vertex whose key is `from` to one for which it is tight; *v: that one. */
template <class T>
static __device__ __forceinline__ bool rows_is_tight(const rows_search<T> &s, typename T::K from,
                                                     int64_t e, int32_t *v, typename T::K *to) {
    bool low = false;
    *v = e >= 0 ? s.b.p.targets[e] : 0;
    *to = e >= 0 ? fri_volatile_load(s.key(*v)) : T::unreached();
    return *to != T::unreached() && T::sum(from, fri_weight(s.b.p, e), s.b.p.cap, &low) == *to;
}
static __device__ __forceinline__ void rows_take_parent(int32_t *at, int32_t u) {
    if (fri_racy_load(at) > u) /* racy: avoids most atomics */
        atomicMin(at, u);      /* the smallest candidate */
}

/* All threads of the block: parents where a tight neighbor is nearer. Whether some vertices have none; then the bits
 * of `far` and of the first hop are those of all others. */
template <class T>
static __device__ bool rows_place(const rows_search<T> &s, int32_t source, int32_t *parent,
                                  int32_t round) {
    bool misses = false;
    FRI_ROLLED
    for (int64_t v = threadIdx.x; v < s.b.p.n; v += blockDim.x)
        parent[v] = v == source                                     ? v
                    : fri_volatile_load(s.key(v)) == T::unreached() ? -1
                                                                    : INT32_MAX;
    rows_walk_all(s, [&](const int32_t(&u)[ROWS_ITEMS], const typename T::K(&from)[ROWS_ITEMS],
                         const int64_t(&e)[ROWS_ITEMS]) {
        for (int k = 0; k < ROWS_ITEMS; k++) {
            int32_t v;
            typename T::K to;
            if (rows_is_tight(s, from[k], e[k], &v, &to) && from[k] < to)
                rows_take_parent(&parent[v], u[k]);
        }
    });
    FRI_ROLLED
    for (int64_t v0 = threadIdx.x - fri_lane(); v0 < s.b.p.n; v0 += blockDim.x) {
        const int64_t v = v0 + fri_lane();
        const int32_t u = v < s.b.p.n ? fri_volatile_load(&parent[v]) : -1;
        const unsigned placed = __ballot_sync(FRI_FULL_MASK, u >= 0 && u != INT32_MAX);
        misses |= u == INT32_MAX;
        if (fri_lane() == 0)
            s.far()[v0 / FRI_WARP] = s.late(round)[v0 / FRI_WARP] = placed;
    }
    if (threadIdx.x == 0)
        for (rows_phase &phase : s.common->phase)
            phase = {0, 0};
    return __syncthreads_or(misses); /* a barrier, too: bits and phases are complete */
}

/* All threads of the block: hops until one places no vertex (true), or no steps are left. Each but the last places
 * one. */
template <class T>
static __device__ bool rows_hops(const rows_search<T> &s, int32_t *parent, int32_t *round,
                                 int32_t *steps) {
    for (; *steps > 0; --*steps, ++*round) {
        rows_phase *phase = s.found_by(*round);
        uint32_t *next = s.late(*round + 1);
        const auto hop = [&](const int32_t(&u)[ROWS_ITEMS], const typename T::K(&from)[ROWS_ITEMS],
                             const int64_t(&e)[ROWS_ITEMS]) {
            for (int k = 0; k < ROWS_ITEMS; k++) {
                int32_t v;
                typename T::K to;
                const bool tight = rows_is_tight(s, from[k], e[k], &v, &to);
                const unsigned word = (unsigned)v / FRI_WARP, bit = 1u << (unsigned)v % FRI_WARP;
                if (!tight || (fri_volatile_load(&s.far()[word]) & bit))
                    continue;
                rows_take_parent(&parent[v], u[k]);
                atomicOr(&next[word], bit);        /* other threads place v or its neighbors */
                fri_racy_store(&phase->found, 1u); /* racy: all write 1 */
            }
        };
        if (threadIdx.x == 0)
            *s.found_by(*round + 1) = {0, 0};
        rows_each_bit(s, s.late(*round), [&](int32_t u) {
            rows_walk(s, phase, u, u >= 0 ? fri_volatile_load(s.key(u)) : T::unreached(), hop);
            return false;
        });
        __syncthreads(); /* the hop is complete, except for long rows */
        if (rows_walk_hubs(s, phase, hop))
            __syncthreads(); /* complete */
        const bool found = phase->found != 0;
        for (unsigned w = threadIdx.x; w < s.words(); w += blockDim.x)
            s.far()[w] = found ? fri_volatile_load(&s.far()[w]) | fri_volatile_load(&next[w]) : 0;
        __syncthreads(); /* what is placed is complete */
        if (!found)
            return true;
    }
    return false;
}

/* ---- results ------------------------------------------------------------------------------ */

/* Converts a distance of shifted weights back to the job's type. True: it fits. */
static __device__ __forceinline__ bool rows_unshift(void *to, fr_type type, int64_t at, double d,
                                                    bool reached) {
    switch (type) {
    case FR_TYPE_I32: {
        bool fits = d < INT32_MAX && d >= INT32_MIN;
        ((int32_t *)to)[at] = reached && fits ? (int32_t)d : INT32_MAX;
        return fits || !reached;
    }
    case FR_TYPE_I64: ((int64_t *)to)[at] = reached ? (int64_t)d : INT64_MAX; break;
    case FR_TYPE_F32: ((float *)to)[at] = reached ? (float)d : INFINITY; break;
    default: ((double *)to)[at] = reached ? d : (double)INFINITY;
    }
    return true;
}

/* All threads of the block: the distances of source i, or of its targets. */
template <class T>
static __device__ void rows_deliver(const rows_search<T> &s, int32_t i, int32_t source) {
    const int64_t width = s.b.targets ? s.b.target_count : s.b.p.n;
    FRI_ROLLED
    for (int64_t j = threadIdx.x; j < width; j += blockDim.x) {
        const int32_t v = s.b.targets ? s.b.targets[j] : (int32_t)j;
        const typename T::K key = fri_volatile_load(s.key(v));
        auto d = T::value(key); /* unreached() is the value of unreached vertices */
        const int64_t at = i * width + j;
        if (!s.b.h)
            ((decltype(d) *)s.b.out)[at] = d;
        else if (!rows_unshift(s.b.out, s.b.type, at, (double)d - s.b.h[source] + s.b.h[v],
                               key != T::unreached()))
            /* the first is reported */
            atomicMax(&s.b.control->too_large, INT64_MAX - ((long long)i << 32 | v));
    }
}

/* All threads of the block, whose search of source i has ended and which found no parents before. True: nothing is
 * left to do; else rows_hops follows. */
template <class T>
static __device__ bool rows_finish(const rows_search<T> &s, int32_t i, int32_t source,
                                   int32_t round) {
    if (s.common->dropped && s.b.p.cap == T::unreached() - 1) /* else a limit cuts off */
        rows_find_lost(s);
    if (s.b.out)
        rows_deliver(s, i, source);
    if (!s.b.parent || rows_place(s, source, s.b.parent + (int64_t)i * s.b.p.n, round))
        return !s.b.parent;
    for (unsigned w = threadIdx.x; w < s.words(); w += blockDim.x)
        s.far()[w] = s.late(round)[w] = 0;
    return true;
}

/* Searches from the sources that no block has taken. All launches of a batch have the same number of blocks. */
template <class T>
static __global__ void __launch_bounds__(ROWS_THREADS, 1)
    rows_kernel(const __grid_constant__ rows_batch<T> b, unsigned ring, int32_t steps) {
    FRI_SHARED(rows_common<typename T::K>, common, 1);
    rows_search<T> s = {b, common, b.p.dist, ring};
    rows_state *state = &b.states[blockIdx.x];
    rows_window<typename T::K> w = {};
    rows_sums sums = {0, 0};
    int32_t i = state->source - 1;
    bool resumes = i >= 0, hops = state->finds_parents, ended = true;
    FRI_ROLLED
    while (ended) {
        if (!resumes && threadIdx.x == 0)
            common->taken = (int32_t)atomicAdd(&b.control->taken, 1u); /* other blocks take, too */
        __syncthreads(); /* all threads have the last search's, or the next source */
        i = resumes ? i : common->taken;
        if (i >= b.count)
            break;
        s.dist = b.p.dist + (b.own ? (int64_t)blockIdx.x : (int64_t)i) * b.row;
        if (resumes)
            rows_resume(s, *state, &w);
        else
            rows_begin(s, b.sources[i], &w);
        resumes = false;
        if (!hops) {
            ended = rows_rounds(s, &w, &steps, &sums);
            hops = ended && !rows_finish(s, i, b.sources[i], w.round);
        }
        if (hops)
            ended = rows_hops(s, b.parent + (int64_t)i * b.p.n, &w.round, &steps);
        if (!ended)
            rows_suspend(s, w, state);
        hops &= !ended;
        if (ended && threadIdx.x == 0) { /* atomics: other blocks end searches */
            atomicAdd(&b.control->ended, 1);
            atomicMax(&b.control->rounds, w.round);
        }
    }
    if (threadIdx.x == 0) {
        state->source = ended ? 0 : i + 1;
        state->finds_parents = hops;
    }
    fri_grid_add((unsigned long long *)&b.p.control[FRI_WORD_EXAMINED], sums.examined);
    __syncthreads(); /* the block's sums are read before they are written again */
    fri_grid_add((unsigned long long *)&b.p.control[FRI_WORD_LOWERED], sums.lowered);
}

#endif
