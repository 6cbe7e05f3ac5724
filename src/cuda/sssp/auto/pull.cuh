/* Pulls over rows of in-edges sorted by weight, of undirected graphs the out-edges: a vertex scans the
 * edges that can still lower it. In a sweep every vertex does; after it exactly the vertices that it
 * lowered are pending, and the smallest of their keys is the next lower bound.
 *
 * If nothing below `lower_bound` is pending or to come, an edge of weight w can lower a vertex at
 * distance t only while lower_bound + w < t: only the first few edges of a sorted row (the pruning
 * by V. Chakaravarthy, F. Checconi, F. Petrini, Y. Sabharwal, IPDPS 2014, with a lower bound instead
 * of the bucket). */
#ifndef FRI_CUDA_SSSP_AUTO_PULL_CUH
#define FRI_CUDA_SSSP_AUTO_PULL_CUH

#include "cuda/sssp/auto/grid_rounds.cuh"
#include "cuda/sssp/auto/sorted_rows.cuh"

enum { PULL_ITEMS = 4, THREAD_EDGES = 16 };

namespace {
/* A vertex that searches for a nearer neighbor, and the best one found. */
template <class T> struct pull_state {
    typename T::K best, lower_bound;
    int32_t parent;
};
} // namespace

/* One thread: edge (u, weight) of a sorted row; false: neither it nor the following edges can lower
 * the vertex. */
template <class T>
static __device__ __forceinline__ bool pull_edge(const sssp_params<T> &p, pull_state<T> *s,
                                                 int32_t u, typename T::K d, typename T::W weight) {
    bool low = false;
    if (!(T::sum(s->lower_bound, weight, p.view.cap, &low) < s->best))
        return false;
    typename T::K sum = T::sum(d, weight, p.view.cap, &low);
    if (sum < s->best) {
        s->best = sum;
        s->parent = u;
    }
    return true;
}

/* One thread: edges [e, end) while they can lower the vertex, PULL_ITEMS in flight together; false:
 * the rest cannot. */
template <class T>
static __device__ bool pull_thread(const sssp_params<T> &p, pull_state<T> *s, int64_t e,
                                   int64_t end, thread_counters<T> *mine) {
    for (; e < end; e += PULL_ITEMS) {
        int32_t u[PULL_ITEMS];
        typename T::W weight[PULL_ITEMS];
        typename T::K d[PULL_ITEMS];
        FRI_UNROLL
        for (int j = 0; j < PULL_ITEMS; j++) {
            u[j] = edge_target(p, e + j < end ? e + j : e, &weight[j]);
        }
        FRI_UNROLL
        for (int j = 0; j < PULL_ITEMS; j++) /* racy: a neighbor lowered later is scanned again */
            d[j] = fri_racy_load(&p.view.dist[u[j]]);
        FRI_UNROLL
        for (int j = 0; j < PULL_ITEMS; j++) {
            if (e + j >= end)
                return true;
            mine->edges++;
            FRI_COUNT(p.view, FR_COUNTER_EDGES, 1);
            if (!pull_edge(p, s, u[j], d[j], weight[j]))
                return false;
        }
    }
    return true;
}

/* Whole warp: the same for one vertex, 32 edges at a time; all lanes hold s and get the result. */
template <class T>
static __device__ void pull_warp(const sssp_params<T> &p, pull_state<T> *s, int64_t e, int64_t end,
                                 thread_counters<T> *mine) {
    for (bool on = true; e < end && __all_sync(FRI_FULL_MASK, on); e += FRI_WARP) {
        int64_t at = e + fri_lane();
        on = at < end;
        if (on) {
            typename T::W weight;
            int32_t u = edge_target(p, at, &weight);
            mine->edges++;
            FRI_COUNT(p.view, FR_COUNTER_EDGES, 1);
            on = pull_edge(p, s, u, fri_racy_load(&p.view.dist[u]), weight); /* racy: as above */
        }
        for (int d = FRI_WARP / 2; d; d /= 2) {
            typename T::K best = __shfl_xor_sync(FRI_FULL_MASK, s->best, d);
            int32_t parent = __shfl_xor_sync(FRI_FULL_MASK, s->parent, d);
            if (best < s->best || (best == s->best && parent < s->parent)) {
                s->best = best;
                s->parent = parent;
            }
        }
    }
}

/* Whole warp: the best path to each lane's vertex, which is at `now`, over its edges [e, end) within a
 * tile. */
template <class T>
static __device__ __forceinline__ pull_state<T>
pull_best(const sssp_params<T> &p, typename T::K now, typename T::K lower_bound, int64_t e,
          int64_t end, thread_counters<T> *mine) {
    pull_state<T> s = {now, lower_bound, INT32_MAX};
    int64_t thread_end = FRI_MIN(end, e + THREAD_EDGES);
    bool more = pull_thread(p, &s, e, thread_end, mine) && thread_end < end;
    for (unsigned rest = __ballot_sync(FRI_FULL_MASK, more); rest; rest &= rest - 1) {
        int lane = __ffs((int)rest) - 1;
        pull_state<T> shared = {__shfl_sync(FRI_FULL_MASK, s.best, lane), lower_bound,
                                __shfl_sync(FRI_FULL_MASK, s.parent, lane)};
        pull_warp(p, &shared, __shfl_sync(FRI_FULL_MASK, thread_end, lane),
                  __shfl_sync(FRI_FULL_MASK, end, lane), mine);
        if (fri_lane() == lane)
            s = shared;
    }
    return s;
}

/* One thread: v gets the best path found, unless it is no shorter; whether v fell. */
template <class T>
static __device__ __forceinline__ bool pull_lower(const sssp_params<T> &p, const pull_state<T> &s,
                                                  typename T::K now, int32_t v,
                                                  thread_counters<T> *mine) {
    if (!(s.best < now))
        return false;
    FRI_COUNT(p.view, FR_COUNTER_ATOMICS, 1);
    /* atomic: other tiles of its row lower it too */
    if (!(s.best < fri_key_min(&p.view.dist[v], s.best)))
        return false;
    record_parent(p, v, s.best, s.parent);
    mine->relaxed++;
    FRI_COUNT(p.view, FR_COUNTER_RELAXATIONS, 1);
    return true;
}

/* Whole warp: the lanes' vertices and their edges [e, end) within a tile; those that fall form the next
 * round's queue. */
template <class T>
static __device__ void pull_rows(const sssp_params<T> &p, const block_queues<T> &q,
                                 typename T::K lower_bound, int32_t v, int64_t e, int64_t end,
                                 thread_counters<T> *mine) {
    typedef typename T::K K;
    K now = e < end ? fri_racy_load(&p.view.dist[v]) : lower_bound; /* racy: the atomic decides */
    if (!(now > lower_bound))
        end = e;
    pull_state<T> s = pull_best(p, now, lower_bound, e, end, mine);
    bool fallen[] = {pull_lower(p, s, now, v, mine)};
    if (fallen[0]) {
        mine->near_min = FRI_MIN(mine->near_min, s.best);
        FRI_COUNT(p.view, FR_COUNTER_ENQUEUES, 1);
    }
    int32_t ends[] = {v};
    K keys[] = {s.best};
    append_near(q, fallen, ends, keys);
}

/* All warps: one sweep; the lowered vertices form the next round's queue. */
template <class T>
static __device__ void pull(const sssp_params<T> &p, const block_queues<T> &q,
                            thread_counters<T> *mine) {
    typename T::K lower_bound = (typename T::K)q.round->s.lower_bound;
    for (int64_t first = (int64_t)fri_grid_warp() * TILES_PER_WARP; first < p.tiles;
         first += fri_grid_warps() * TILES_PER_WARP) {
        /* rows that continue from the previous tile */
        int64_t tile = first + fri_lane(), e = tile * TILE_EDGES;
        bool on = fri_lane() < TILES_PER_WARP && tile < p.tiles;
        int32_t v = on ? p.tile_first_row[tile] : 0;
        on = on && p.view.offsets[v] < e;
        pull_rows(p, q, lower_bound, v, e, on ? FRI_MIN(p.view.offsets[v + 1], e + TILE_EDGES) : e,
                  mine);
    }
    for (int64_t first = (int64_t)fri_grid_warp() * FRI_WARP; first < p.view.n;
         first += fri_grid_warps() * FRI_WARP) {
        int64_t v = first + fri_lane();
        int64_t e = v < p.view.n ? p.view.offsets[v] : 0,
                end = v < p.view.n ? p.view.offsets[v + 1] : 0;
        pull_rows(p, q, lower_bound, (int32_t)v, e, FRI_MIN(end, tile_end(e)), mine);
    }
}

#endif
