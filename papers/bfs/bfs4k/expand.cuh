/* bfs4k's two ways of sharing a frontier's edges among warps: dynamic virtual warps (section 5.2)
 * and edge-discover (section 5.4); and the vertices that are deferred to child kernels (section
 * 5.3). */
#ifndef FRI_CUDA_BFS_BFS4K_EXPAND_CUH
#define FRI_CUDA_BFS_BFS4K_EXPAND_CUH

#include "papers/bfs/bfs4k/local.cuh"
#include "cuda/prim/scan.cuh"

/* ---- edge-discover ----
 *
 * Load balancing by binary search (section 5.4, Fig. 6): the lanes of a warp are assigned edges of its
 * vertices instead of vertices. A shuffle scan of the degrees numbers the edges, each lane finds the owner
 * of its edge by a binary search with shuffles and fetches the owner's first edge by one more. Extended
 * (EXT): once the last lane is in a row that fills whole windows of 32, these are processed without
 * searching. */

/* The largest lane whose `before` is at most `at`: the lane whose row owns position `at` of the
 * concatenated rows. All 32 lanes; `before` ascends from 0. */
static __device__ __forceinline__ int fri_warp_owner(int before, int at) {
    int owner = 0;
    for (int step = FRI_WARP / 2; step; step /= 2) {
        int there = __shfl_sync(FRI_FULL_MASK, before, owner + step);
        if (there <= at)
            owner += step;
    }
    return owner;
}

/* Called by all 32 lanes, each with a row of edges [first, first + count) of `vertex` (count 0:
 * none). Calls visit(there, vertex, edge) in all lanes at once, so that visit may use warp-wide
 * collectives; `there` is false in lanes without an edge. */
template <class Visit>
static __device__ __forceinline__ void
fri_edge_discover(int32_t vertex, int64_t first, int64_t count, bool extended, Visit visit) {
    const int64_t step_edges =
        1 << 25; /* edges of one row per step: the sum of 32 of them is below 2^31 */
    while (__any_sync(FRI_FULL_MASK, count > 0)) {
        int mine = (int)(count < step_edges ? count : step_edges), total;
        int before = fri_warp_prefix(mine, &total);
        for (int from = 0; from < total; from += FRI_WARP) {
            int at = from + fri_lane(), owner = fri_warp_owner(before, at);
            int64_t row = __shfl_sync(FRI_FULL_MASK, first - before, owner);
            visit(at < total, __shfl_sync(FRI_FULL_MASK, vertex, owner), row + at);
            if (!extended)
                continue;
            int last = __shfl_sync(FRI_FULL_MASK, owner, FRI_WARP - 1);
            int end = __shfl_sync(FRI_FULL_MASK, before + mine, last);
            int32_t u = __shfl_sync(FRI_FULL_MASK, vertex, last);
            row = __shfl_sync(FRI_FULL_MASK, row, FRI_WARP - 1);
            for (; from + 2 * FRI_WARP <= end; from += FRI_WARP) /* whole windows of that row */
                visit(true, u, row + from + FRI_WARP + fri_lane());
        }
        first += mine;
        count -= mine;
    }
}

/* bfs4k's innermost step, the filter: whether the target of an edge is new, and which thread keeps
 * it (section 6). */

namespace {

enum { BFS4K_IN_FLIGHT = 4 }; /* edges of a lane in flight at once */

/* Any thread: whether hash64 leaves v, whose level was just read as -1, to this thread. */
template <class O>
static __device__ __forceinline__ bool bfs4k_is_kept(const bfs4k_search<O> &s, int32_t v,
                                                     const fri_hash_table &table) {
    int verdict = fri_hash64(table, v);
    FRI_COUNT(s.csr, FR_COUNTER_DUPLICATES_FOUND, verdict == FRI_HASH_DUPLICATE);
    FRI_COUNT(s.csr, FR_COUNTER_CONFLICTS, verdict == FRI_HASH_CONFLICT);
    return verdict != FRI_HASH_DUPLICATE; /* the thread that keeps a duplicate writes its level */
}

/* Any thread: sets the level of v. Returns its previous level. */
template <class O>
static __device__ __forceinline__ int32_t bfs4k_claim(const bfs4k_search<O> &s, int32_t depth,
                                                      int32_t v, const bfs4k_output &output) {
    if (output.exact) {
        FRI_COUNT(s.csr, FR_COUNTER_ATOMICS, 1);
        /* exactly one of the threads that claim v keeps it */
        return atomicCAS(&s.level[v], -1, depth + 1);
    }
    FRI_COUNT(s.csr, FR_COUNTER_DUPLICATES_MISSED, atomicExch(&s.level[v], depth + 1) >= 0);
    fri_racy_store(&s.level[v], depth + 1); /* racy: all store the same value */
    return -1;
}

/* Any thread: filters targets v[k] of u's edges by the levels seen there; new vertices get their
 * level and u as parent and go into the local queue. The latencies of the claims overlap. */
template <class O>
static __device__ __forceinline__ void
bfs4k_expand_edge(const bfs4k_search<O> &s, int32_t depth, int32_t u,
                  const int32_t (&v)[BFS4K_IN_FLIGHT], const int32_t (&seen)[BFS4K_IN_FLIGHT],
                  const bfs4k_output &output, const fri_hash_table &table, bfs4k_local &found) {
    int32_t before[BFS4K_IN_FLIGHT]; /* -1: claimed by this thread */
    for (int k = 0; k < BFS4K_IN_FLIGHT; k++)
        before[k] =
            seen[k] < 0 && bfs4k_is_kept(s, v[k], table) ? bfs4k_claim(s, depth, v[k], output) : 0;
    for (int k = 0; k < BFS4K_IN_FLIGHT; k++) {
        FRI_COUNT(s.csr, FR_COUNTER_DUPLICATES_FOUND, before[k] == depth + 1);
        if (before[k] >= 0)
            continue;
        if (s.parent)
            fri_racy_store(&s.parent[v[k]], u); /* racy: each of them is a valid parent */
        fri_prefetch(&s.csr.offsets[v[k]]);     /* needed in the next level */
        found.v[found.count++] = v[k];
    }
}

} // namespace

namespace {

/* A warp's working set while it expands one level. */
template <class O> struct bfs4k_work {
    const bfs4k_search<O> &s;
    int32_t depth;
    bfs4k_frontier frontier;
    bfs4k_output output;
    fri_hash_table table;
    int64_t warp, warps; /* among those that share the frontier */
    int32_t threads;     /* #ResThreads of the paper's formulas */
    int *hubs_deferred;  /* in shared memory: set if a hub is deferred to a child; NULL: not used */
};

/* A frontier vertex with its edges [first, first + degree). */
struct bfs4k_row {
    int32_t u;
    int64_t first, degree;
};

/* The i-th frontier vertex of each lane, without edges if there is none. */
template <class O>
static __device__ __forceinline__ bfs4k_row bfs4k_row_of(const bfs4k_work<O> &w, int64_t i) {
    bfs4k_row row = {bfs4k_vertex(w.s, w.depth, w.frontier, i), 0, 0};
    if (row.u >= 0) {
        row.first = w.s.csr.offsets[row.u];
        row.degree = w.s.csr.offsets[row.u + 1] - row.first;
    }
    return row;
}

/* Defers hubs to child kernels or to the whole grid. `mine`: this lane acts for the row that
 * `width` lanes share. A deferred row has no edges any more; a row that does not fit into the list
 * is unchanged. All lanes of the warp. */
template <class O>
static __device__ __forceinline__ void bfs4k_defer_hubs(const bfs4k_work<O> &w, bfs4k_row &row,
                                                        bool mine, int width) {
    bool hub = row.degree >= w.s.plan.hub_degree;
    if (!__any_sync(FRI_FULL_MASK, hub))
        return;
    int left = 0;
    if (hub && mine) {
        unsigned long long units = (unsigned long long)((row.degree - 1) / w.s.plan.hub_unit + 1);
        FRI_COUNT(w.s.csr, FR_COUNTER_ATOMICS, 1);
        /* hubs of all blocks share the list; one atomic for both fields, so that units ascend along
         * it */
        unsigned long long before =
            atomicAdd(bfs4k_hub_word(w.s, w.depth + 1), (1ull << BFS4K_UNIT_BITS) + units);
        int32_t at = (int32_t)(before >> BFS4K_UNIT_BITS);
        left = at < w.s.plan.max_hubs;
        if (left) {
            w.s.hubs[at] = row.u;
            w.s.units[at] = (int32_t)before; /* at most m / hub_unit */
        }
        if (left && w.hubs_deferred)
            fri_racy_store(w.hubs_deferred, 1); /* racy: all store 1 */
    }
    if (__shfl_sync(FRI_FULL_MASK, left, fri_lane() & ~(width - 1)))
        row.degree = 0;
}

/* Each lane scans its row's edges at, at + width, ...; all lanes of the warp. */
template <class O>
static __device__ __forceinline__ void bfs4k_scan_edges(const bfs4k_work<O> &w,
                                                        const bfs4k_row &row, int64_t at, int width,
                                                        bfs4k_local &found) {
    FRI_COUNT(w.s.csr, FR_COUNTER_EDGES,
              at < row.degree ? (row.degree - at + width - 1) / width : 0);
    while (__any_sync(FRI_FULL_MASK, at < row.degree)) {
        int32_t v[BFS4K_IN_FLIGHT], seen[BFS4K_IN_FLIGHT];
        for (int k = 0; k < BFS4K_IN_FLIGHT; k++) {
            int64_t e = at + k * width;
            v[k] = e < row.degree ? w.s.csr.targets[row.first + e] : -1;
        }
        for (int k = 0; k < BFS4K_IN_FLIGHT; k++) /* racy: the filter handles a stale -1 */
            seen[k] = v[k] >= 0 ? fri_racy_load(&w.s.level[v[k]]) : 0;
        bfs4k_expand_edge(w.s, w.depth, row.u, v, seen, w.output, w.table, found);
        at += BFS4K_IN_FLIGHT * width;
        if (__any_sync(FRI_FULL_MASK, found.count > BFS4K_LOCAL - BFS4K_IN_FLIGHT))
            bfs4k_flush(w.s, found, w.output);
    }
}

/* WarpSize_i = nearest_pow2(#ResThreads / |F_i|) in [K1, 32]. */
template <class O> static __device__ __forceinline__ int bfs4k_width(const bfs4k_work<O> &w) {
    int width = w.s.plan.min_width;
    while (w.s.plan.dynamic && width < FRI_WARP &&
           2 * width * (int64_t)w.frontier.size <= w.threads)
        width *= 2;
    return width;
}

/* Virtual warps: `width` lanes per vertex. All lanes of the warp. */
template <class O>
static __device__ __forceinline__ void bfs4k_virtual(const bfs4k_work<O> &w, int width,
                                                     bfs4k_local &found) {
    int each = FRI_WARP / width, lane = fri_lane() & (width - 1);
    for (int64_t base = w.warp * each; base < w.frontier.items; base += w.warps * each) {
        bfs4k_row row = bfs4k_row_of(w, base + fri_lane() / width);
        bfs4k_defer_hubs(w, row, lane == 0, width);
        bfs4k_scan_edges(w, row, lane, width, found);
    }
}

/* Virtual warps of 32 with coalesced reads: the lanes read 32 vertices at once and distribute them
 * by shuffles. All lanes of the warp. */
template <class O>
static __device__ __forceinline__ void bfs4k_shared_reads(const bfs4k_work<O> &w,
                                                          bfs4k_local &found) {
    for (int64_t base = w.warp * FRI_WARP; base < w.frontier.items; base += w.warps * FRI_WARP) {
        bfs4k_row mine = bfs4k_row_of(w, base + fri_lane());
        bfs4k_defer_hubs(w, mine, true, 1);
        for (unsigned left = __ballot_sync(FRI_FULL_MASK, mine.degree > 0); left;
             left &= left - 1) {
            int from = __ffs((int)left) - 1;
            bfs4k_row row = {__shfl_sync(FRI_FULL_MASK, mine.u, from),
                             __shfl_sync(FRI_FULL_MASK, mine.first, from),
                             __shfl_sync(FRI_FULL_MASK, mine.degree, from)};
            bfs4k_scan_edges(w, row, fri_lane(), FRI_WARP, found);
        }
    }
}

/* Edge-discover: the vertices are divided among all warps. All lanes. */
template <class O>
static __device__ __forceinline__ void bfs4k_discover(const bfs4k_work<O> &w, bfs4k_local &found) {
    int64_t share = (w.frontier.items + w.warps - 1) / w.warps;
    int take = share < FRI_WARP ? (int)share : FRI_WARP;
    for (int64_t base = w.warp * take; base < w.frontier.items; base += w.warps * take) {
        bfs4k_row row = {-1, 0, 0};
        if (fri_lane() < take)
            row = bfs4k_row_of(w, base + fri_lane());
        bfs4k_defer_hubs(w, row, true, 1);
        FRI_COUNT(w.s.csr, FR_COUNTER_EDGES, row.degree);
        fri_edge_discover(row.u, row.first, row.degree, w.s.plan.extended,
                          [&](bool there, int32_t u, int64_t e) {
                              int32_t v[BFS4K_IN_FLIGHT] = {}, seen[BFS4K_IN_FLIGHT] = {};
                              if (there) {
                                  v[0] = w.s.csr.targets[e];
                                  /* racy: the filter handles a stale -1 */
                                  seen[0] = fri_racy_load(&w.s.level[v[0]]);
                              }
                              bfs4k_expand_edge(w.s, w.depth, u, v, seen, w.output, w.table, found);
                              if (__any_sync(FRI_FULL_MASK, found.count == BFS4K_LOCAL))
                                  bfs4k_flush(w.s, found, w.output);
                          });
    }
}

/* One level's share of a warp; found vertices may remain in the local queues. All lanes. */
template <class O>
static __device__ __forceinline__ void bfs4k_expand(const bfs4k_work<O> &w, bfs4k_local &found) {
    int width = bfs4k_width(w);
    bool few = (int64_t)w.frontier.size * w.s.plan.k4 < w.threads;
    bool a_warp_each = width == FRI_WARP && w.frontier.size <= w.warps; /* no edge to search for */
    if (w.s.plan.k4 && few && w.frontier.at && !a_warp_each)
        bfs4k_discover(w, found);
    else if (w.s.plan.share_reads && width == FRI_WARP && w.frontier.size > w.threads)
        bfs4k_shared_reads(w, found);
    else
        bfs4k_virtual(w, width, found);
}

} // namespace

#endif
