/* The rounds of shortest paths from a batch of sources at once. Included by search.cuh and rows.cuh.
 *
 * dist[v][s] is the key (prim/distance.cuh) of v from source s; a warp processes a vertex and a
 * group of 32 sources, so that edges are read once for all of them and the distances of the lanes
 * are adjacent. A bit per vertex and source marks pending ones: near in this round, far later. */
#ifndef FRI_CUDA_APSP_MULTI_SSSP_ROUNDS_CUH
#define FRI_CUDA_APSP_MULTI_SSSP_ROUNDS_CUH

#include "cuda/drivers/apsp.h"
#include "cuda/prim/distance.cuh"

/* Control words; all except NEAREST and LOST are cleared before each round. */
enum { FOUND = 0, HUBS = 1, NEAREST = 4 /* 64 bits */, LOST = 6, DROPPED = 7 };
enum { HUB_RUN = 256 /* edges of a hub that a warp takes at a time */ };

namespace {
struct hub { /* a vertex of many edges, left to all warps */
    int32_t vertex, group;
    uint32_t mask;
};

template <class T> struct batch {
    typedef typename T::K K;
    fri_sssp_view<T> p;           /* dist [n][width] */
    int32_t width, groups, count; /* sources padded to whole groups, groups of 32, sources */
    uint32_t *far_bits;           /* [groups][n] */
    int32_t *parent;              /* [n][width] */
    hub *hubs;
    /* vertices with more edges are hubs; HUB_RUN pieces of the largest */
    int32_t hub_degree, hub_runs;
};

/* Totals of a thread, added up at the end of the kernel. */
struct thread_counters {
    unsigned long long edges, lowered;
};
} // namespace

/* The 32 consecutive vertices and the group of sources of a warp. False: none. */
template <class T>
static __device__ __forceinline__ bool batch_place(const batch<T> &b, int32_t *first,
                                                   int32_t *group) {
    int64_t warp = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / FRI_WARP;
    *group = (int32_t)(warp % b.groups);
    *first = (int32_t)(warp / b.groups < b.p.n / FRI_WARP + 1 ? warp / b.groups * FRI_WARP : b.p.n);
    return *first < b.p.n;
}

/* The word of the lane's own vertex. */
template <class T>
static __device__ __forceinline__ uint32_t *batch_word(const batch<T> &b, uint32_t *bits,
                                                       int32_t first, int32_t group) {
    int32_t v = first + fri_lane();
    return v < b.p.n ? &bits[(int64_t)group * b.p.n + v] : nullptr;
}

template <class T>
static __device__ __forceinline__ typename T::K *batch_key(const batch<T> &b, int32_t v,
                                                           int32_t group) {
    return &b.p.dist[(int64_t)v * b.width + group * FRI_WARP + fri_lane()];
}

/* Relaxes edges first .. end-1 of u for the sources in mask. A whole warp. */
template <class T>
static __device__ __forceinline__ void
batch_walk(const batch<T> &b, int32_t u, int32_t group, uint32_t mask, int64_t first, int64_t end,
           typename T::K last, uint32_t *near_bits, thread_counters *sum) {
    bool mine = mask >> fri_lane() & 1, low = false, dropped = false, found = false;
    /* racy: a thread that lowers it later sets its bit for the next round */
    typename T::K from = mine ? fri_racy_load(batch_key(b, u, group)) : T::unreached();
    for (int64_t e = first; e < end; e++) {
        int32_t v = b.p.targets[e];
        typename T::K *at = batch_key(b, v, group);
        typename T::K s = mine ? T::sum(from, fri_weight(b.p, e), b.p.cap, &low) : T::unreached();
        /* racy test avoids most atomics */
        bool lowered = s < fri_racy_load(at) && s < fri_key_min(at, s);
        unsigned close = __ballot_sync(FRI_FULL_MASK, lowered && s <= last);
        unsigned beyond = __ballot_sync(FRI_FULL_MASK, lowered && s > last);
        int64_t word = (int64_t)group * b.p.n + v;
        if (fri_lane() == 0 && close)
            atomicOr(&near_bits[word], close); /* atomic: other warps lower v for other sources */
        if (fri_lane() == 0 && beyond)
            atomicOr(&b.far_bits[word], beyond); /* atomic: as above */
        FRI_COUNT(b.p, FR_COUNTER_RELAXATIONS, lowered);
        dropped |= mine && s == T::unreached();
        found |= close != 0;
        sum->lowered += lowered;
    }
    sum->edges += mine ? (unsigned long long)(end - first) : 0;
    if (dropped)
        fri_racy_store(&b.p.control[DROPPED], 1); /* racy: all write 1 */
    if (found)
        fri_racy_store(&b.p.control[FOUND], 1); /* racy: all write 1 */
}

template <class T>
static __device__ __forceinline__ void batch_report(const batch<T> &b, const thread_counters &sum) {
    fri_grid_add((unsigned long long *)&b.p.control[FRI_WORD_EXAMINED], sum.edges);
    __syncthreads(); /* the block's sums are read before they are written again */
    fri_grid_add((unsigned long long *)&b.p.control[FRI_WORD_LOWERED], sum.lowered);
}

/* Relaxes all near vertices; `now` is empty afterwards. */
template <class T>
static __global__ void __launch_bounds__(512)
    batch_round_kernel(batch<T> b, typename T::K last, uint32_t *now, uint32_t *next) {
    int32_t first, group;
    thread_counters sum = {0, 0};
    if (batch_place(b, &first, &group)) {
        uint32_t *at = batch_word(b, now, first, group), word = at ? *at : 0;
        if (word)
            *at = 0;
        for (unsigned left = __ballot_sync(FRI_FULL_MASK, word != 0); left; left &= left - 1) {
            int lane = __ffs((int)left) - 1;
            int32_t u = first + lane;
            uint32_t mask = __shfl_sync(FRI_FULL_MASK, word, lane);
            int64_t begin = b.p.offsets[u], end = b.p.offsets[u + 1];
            if (end - begin <= b.hub_degree)
                batch_walk(b, u, group, mask, begin, end, last, next, &sum);
            else if (fri_lane() == 0)
                /* atomic: reserves a position */
                b.hubs[atomicAdd(&b.p.control[HUBS], 1)] = {u, group, mask};
        }
    }
    batch_report(b, sum);
}

/* Relaxes the round's hubs, by all warps of the grid. */
template <class T>
static __global__ void __launch_bounds__(512)
    batch_hubs_kernel(batch<T> b, typename T::K last, uint32_t *next) {
    int64_t warps = (int64_t)gridDim.x * (blockDim.x / FRI_WARP);
    int64_t at = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / FRI_WARP;
    int64_t end = (int64_t)b.p.control[HUBS] * b.hub_runs;
    thread_counters sum = {0, 0};
    for (; at < end; at += warps) {
        hub h = b.hubs[at / b.hub_runs];
        int64_t begin = b.p.offsets[h.vertex] + at % b.hub_runs * HUB_RUN;
        int64_t stop = b.p.offsets[h.vertex + 1];
        stop = begin + HUB_RUN < stop ? begin + HUB_RUN : stop;
        if (begin < stop)
            batch_walk(b, h.vertex, h.group, h.mask, begin, stop, last, next, &sum);
    }
    batch_report(b, sum);
}

/* control[NEAREST] = the smallest key above `last` of the far vertices. */
template <class T>
static __global__ void __launch_bounds__(512) batch_nearest_kernel(batch<T> b, typename T::K last) {
    int32_t first, group;
    long long min_key = INT64_MAX;
    if (!batch_place(b, &first, &group))
        return;
    uint32_t *at = batch_word(b, b.far_bits, first, group), word = at ? *at : 0;
    for (unsigned left = __ballot_sync(FRI_FULL_MASK, word != 0); left; left &= left - 1) {
        int lane = __ffs((int)left) - 1;
        uint32_t mask = __shfl_sync(FRI_FULL_MASK, word, lane);
        long long key = mask >> fri_lane() & 1 ? (long long)*batch_key(b, first + lane, group)
                                               : (long long)INT64_MAX;
        min_key = key > last && key < min_key ? key : min_key;
    }
    for (int d = FRI_WARP / 2; d; d /= 2) {
        long long other = __shfl_down_sync(FRI_FULL_MASK, min_key, d);
        min_key = other < min_key ? other : min_key;
    }
    if (fri_lane() == 0 && min_key != INT64_MAX)
        /* atomic: the minimum over all warps */
        atomicMin((long long *)&b.p.control[NEAREST], min_key);
}

/* Far vertices at most delta above `nearest` become near; those settled since are dropped.
 * control[NEAREST] = the new threshold's key. */
template <class T>
static __global__ void __launch_bounds__(512)
    batch_split_kernel(batch<T> b, typename T::K settled, typename T::K nearest, double delta,
                       uint32_t *near_bits) {
    int32_t first, group;
    typename T::K last = T::add_width(nearest, delta);
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *(long long *)&b.p.control[NEAREST] = last;
    if (!batch_place(b, &first, &group))
        return;
    uint32_t *at = batch_word(b, b.far_bits, first, group), word = at ? *at : 0;
    uint32_t close = 0, beyond = 0;
    for (unsigned left = __ballot_sync(FRI_FULL_MASK, word != 0); left; left &= left - 1) {
        int lane = __ffs((int)left) - 1;
        uint32_t mask = __shfl_sync(FRI_FULL_MASK, word, lane);
        typename T::K key = *batch_key(b, first + lane, group);
        unsigned in = __ballot_sync(FRI_FULL_MASK, key > settled && key <= last) & mask;
        unsigned out = __ballot_sync(FRI_FULL_MASK, key > last) & mask;
        close = lane == fri_lane() ? in : close;
        beyond = lane == fri_lane() ? out : beyond;
    }
    if (word) {
        *at = beyond;
        *batch_word(b, near_bits, first, group) = close;
    }
}

/* ---- begin and end ----------------------------------------------------------------------- */

template <class T>
static __global__ void batch_far_kernel(batch<T> b, uint32_t *now, uint32_t *next) {
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (int64_t)b.p.n * b.width)
        b.p.dist[i] = T::unreached();
    if (i < (int64_t)b.p.n * b.groups)
        now[i] = next[i] = b.far_bits[i] = 0;
}

template <class T>
static __global__ void batch_sources_kernel(batch<T> b, const int32_t *sources, uint32_t *now) {
    int32_t s = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (s >= b.count)
        return;
    b.p.dist[(int64_t)sources[s] * b.width + s] = 0; /* the key of 0 in every kind */
    /* atomic: sources share the word */
    atomicOr(&now[(int64_t)(s / FRI_WARP) * b.p.n + sources[s]], 1u << s % FRI_WARP);
}

/* control[LOST] = a vertex that some source does not reach although it reaches an
 * in-neighbor. */
template <class T> static __global__ void batch_unreached_kernel(batch<T> b) {
    int64_t e = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / FRI_WARP;
    if (e >= b.p.m)
        return;
    int32_t u = fri_edge_source(b.p.offsets, 0, b.p.n, e), v = b.p.targets[e];
    for (int32_t g = 0; g < b.groups; g++)
        if (*batch_key(b, u, g) != T::unreached() && *batch_key(b, v, g) == T::unreached())
            atomicMax(&b.p.control[LOST], v); /* atomic: any such vertex is sufficient */
}

#endif
