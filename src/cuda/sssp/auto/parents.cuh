/* Parents of SSSP `auto`: from the words that rounds packed with 32-bit keys; otherwise, where rows are
 * sorted, each vertex searches its in-edges for a neighbor over which its distance is tight.
 *
 * The weights end the search: distances are at least 0, so no edge longer than the distance of
 *   the vertex is tight, and the edge to a parent is among the shortest. A lane examines the first
 *   edges of its vertex, PULL_ITEMS at a time, then the warp the rest of the rows that have one.
 * A parent must be nearer than its child. Vertices that have none (an edge of weight 0, or that
 *   rounding makes 0) take a tight neighbor that already has a parent, in a few passes (`adopts`): the
 *   order in time excludes cycles. The driver continues hop by hop where that does not suffice. */
#ifndef FRI_CUDA_SSSP_AUTO_PARENTS_CUH
#define FRI_CUDA_SSSP_AUTO_PARENTS_CUH

#include "cuda/sssp/auto/pull.cuh"

enum { PARENT_THREADS = 256, ADOPT_PASSES = 2, NO_PARENT = INT32_MAX };

/* Parents from the packed words; NO_PARENT if the parent is not nearer, which happens over edges of
 * weight 0 and by rounding. If `weights_positive` (integers of at least 1) every parent is
 * nearer. */
template <class T>
static __global__ void packed_parents_kernel(const __grid_constant__ sssp_params<T> p,
                                             bool weights_positive, int32_t *parent) {
    int64_t v = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= p.view.n)
        return;
    unsigned long long best = p.packed_parents[v];
    int32_t u = (int32_t)(uint32_t)best;
    if (p.view.dist[v] == T::unreached())
        u = -1;
    else if (p.view.dist[v] == 0 && best == ULLONG_MAX) /* no thread lowered a source */
        u = (int32_t)v;
    else if (!weights_positive && p.view.dist[u] >= p.view.dist[v])
        u = NO_PARENT;
    parent[v] = u;
}

namespace {
/* A vertex that searches for its parent. */
template <class T> struct parent_search {
    typename T::K d;
    int32_t v;
    bool adopts;
};
enum { EDGE_LOOSE, EDGE_TIGHT, EDGE_TOO_LONG };
} // namespace

/* One thread: whether the edge from u at `from` is tight and u may be the parent. */
template <class T>
static __device__ __forceinline__ int check_edge(const sssp_params<T> &p, const parent_search<T> &s,
                                                 int32_t u, typename T::K from,
                                                 typename T::W weight, const int32_t *parent) {
    bool low = false;
    if (T::sum(0, weight, p.view.cap, &low) > s.d)
        return EDGE_TOO_LONG;
    if (from == T::unreached() || T::sum(from, weight, p.view.cap, &low) != s.d)
        return EDGE_LOOSE;
    /* racy: another vertex may find its parent in this pass, before or after */
    const bool may = s.adopts ? u != s.v && fri_racy_load(&parent[u]) != NO_PARENT : from < s.d;
    return may ? EDGE_TIGHT : EDGE_LOOSE;
}

/* One thread: edges [*e, end) of a tile, until one is tight: its end; or too long: *e is then the next tile. */
template <class T>
static __device__ int32_t find_parent(const sssp_params<T> &p, const parent_search<T> &s,
                                      int64_t *e, int64_t end, const int32_t *parent) {
    for (; *e < end; *e += PULL_ITEMS) { /* beyond the end its last edge again */
        int32_t u[PULL_ITEMS];
        typename T::W weight[PULL_ITEMS];
        typename T::K from[PULL_ITEMS];
        FRI_UNROLL
        for (int j = 0; j < PULL_ITEMS; j++)
            u[j] = edge_target(p, FRI_MIN(*e + j, end - 1), &weight[j]);
        FRI_UNROLL
        for (int j = 0; j < PULL_ITEMS; j++)
            from[j] = p.view.dist[u[j]];
        FRI_UNROLL
        for (int j = 0; j < PULL_ITEMS; j++) {
            const int edge = check_edge(p, s, u[j], from[j], weight[j], parent);
            if (edge == EDGE_TIGHT)
                return u[j];
            if (edge == EDGE_TOO_LONG) {
                *e = tile_end(*e);
                return NO_PARENT;
            }
        }
    }
    *e = end;
    return NO_PARENT;
}

/* Whole warp: the same for one vertex, to the end of its row. */
template <class T>
static __device__ int32_t find_parent_by_warp(const sssp_params<T> &p, const parent_search<T> &s,
                                              int64_t e, int64_t end, const int32_t *parent) {
    while (e < end) {
        const int64_t part = FRI_MIN(end, tile_end(e)), at = e + fri_lane();
        int edge = EDGE_LOOSE;
        int32_t u = 0;
        if (at < part) {
            typename T::W weight;
            u = edge_target(p, at, &weight);
            edge = check_edge(p, s, u, p.view.dist[u], weight, parent);
        }
        const unsigned tight = __ballot_sync(FRI_FULL_MASK, edge == EDGE_TIGHT);
        if (tight)
            return __shfl_sync(FRI_FULL_MASK, u, __ffs((int)tight) - 1);
        const bool next = __any_sync(FRI_FULL_MASK, edge == EDGE_TOO_LONG);
        e = next ? part : FRI_MIN(e + FRI_WARP, part);
    }
    return NO_PARENT;
}

/* A lane per vertex; p: with in-rows. `adopts`: those without a parent so far. */
template <class T>
static __global__ void __launch_bounds__(PARENT_THREADS)
    search_parents_kernel(const __grid_constant__ sssp_params<T> p, bool adopts, int32_t *parent) {
    const int64_t v = fri_thread_of_grid();
    const typename T::K d = v < p.view.n ? p.view.dist[v] : T::unreached();
    const parent_search<T> s = {d, (int32_t)v, adopts};
    const bool root = d == 0 && !adopts; /* a source, or at the end of an edge of weight 0 */
    const bool on = d != T::unreached() && (adopts ? parent[v] == NO_PARENT : !root);
    int64_t e = on ? p.view.offsets[v] : 0, end = on ? p.view.offsets[v + 1] : 0;
    int64_t own = FRI_MIN(end, e + THREAD_EDGES);
    int32_t found = on ? find_parent(p, s, &e, FRI_MIN(own, tile_end(e)), parent) : NO_PARENT;
    for (unsigned rest = __ballot_sync(FRI_FULL_MASK, on && found == NO_PARENT && e < end); rest;
         rest &= rest - 1) {
        const int lane = __ffs((int)rest) - 1;
        const parent_search<T> shared = {__shfl_sync(FRI_FULL_MASK, d, lane),
                                         __shfl_sync(FRI_FULL_MASK, (int32_t)v, lane), adopts};
        const int32_t u = find_parent_by_warp(p, shared, __shfl_sync(FRI_FULL_MASK, e, lane),
                                              __shfl_sync(FRI_FULL_MASK, end, lane), parent);
        if (fri_lane() == lane)
            found = u;
    }
    if (v < p.view.n && (on || !adopts)) /* racy: others read it */
        fri_racy_store(&parent[v], d == T::unreached() ? -1 : found);
}

/* The sources are their own parents. */
template <class T>
static __global__ void root_parents_kernel(const __grid_constant__ sssp_params<T> p,
                                           const int32_t *sources, int32_t count, int32_t *parent) {
    const int64_t i = fri_thread_of_grid();
    if (i < count && p.view.dist[sources[i]] == 0)
        parent[sources[i]] = sources[i];
}

#endif
