/* Shortest paths from a batch of sources at once: parents from the distances, and the conversion
 * from [n][width] to rows. Included by multi_sssp.cu only.
 *
 * Parents: the smallest tight neighbor that is nearer, and where there is none, hop by hop over
 *   tight edges from vertices that have a parent; so they form a forest whatever the order of
 *   relaxations. One bit per vertex and source marks those placed before the hop, another the new
 *   ones. */
#ifndef FRI_CUDA_APSP_MULTI_SSSP_ROWS_CUH
#define FRI_CUDA_APSP_MULTI_SSSP_ROWS_CUH

#include "cuda/apsp/multi_sssp/rounds.cuh"

#include <math.h>

enum { TRANSPOSE_ROWS = 8 /* warps of a block that transposes 32 x 32 cells */ };

template <class T>
static __device__ __forceinline__ int32_t *batch_parent(const batch<T> &b, int32_t v,
                                                        int32_t group) {
    return &b.parent[(int64_t)v * b.width + group * FRI_WARP + fri_lane()];
}

template <class T> static __global__ void batch_no_parents_kernel(batch<T> b) {
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (int64_t)b.p.n * b.width)
        b.parent[i] = b.p.dist[i] == T::unreached() ? -1 : INT32_MAX;
}

template <class T> static __global__ void batch_roots_kernel(batch<T> b, const int32_t *sources) {
    int32_t s = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (s < b.count)
        b.parent[(int64_t)sources[s] * b.width + s] = sources[s];
}

/* One warp per edge run and group: FRI_EDGES_PER_THREAD consecutive edges. */
template <class T> static __global__ void __launch_bounds__(512) batch_nearer_kernel(batch<T> b) {
    int64_t warp = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / FRI_WARP;
    int32_t group = (int32_t)(warp % b.groups);
    int64_t e = warp / b.groups * FRI_EDGES_PER_THREAD;
    int64_t end = e + FRI_EDGES_PER_THREAD < b.p.m ? e + FRI_EDGES_PER_THREAD : b.p.m;
    int32_t u = e < end ? fri_edge_source(b.p.offsets, 0, b.p.n, e) : 0;
    for (; e < end; e++) {
        u = fri_next_edge_source(b.p.offsets, u, b.p.n, e);
        int32_t v = b.p.targets[e];
        typename T::K du = *batch_key(b, u, group), dv = *batch_key(b, v, group);
        bool low = false;
        if (!(du < dv) || dv == T::unreached() ||
            T::sum(du, fri_weight(b.p, e), b.p.cap, &low) != dv)
            continue;
        int32_t *at = batch_parent(b, v, group);
        if (fri_racy_load(at) > u) /* racy test avoids most atomics */
            atomicMin(at, u);      /* atomic: the smallest candidate, the same on every run */
    }
}

/* Sets the bits of what has a parent in `placed` and `now`; control[LOST] = 1 if any vertex has
 * none. */
template <class T>
static __global__ void __launch_bounds__(512) batch_placed_kernel(batch<T> b, uint32_t *now) {
    int32_t first, group;
    uint32_t placed = 0;
    bool lost = false;
    if (!batch_place(b, &first, &group))
        return;
    for (int lane = 0; lane < FRI_WARP && first + lane < b.p.n; lane++) {
        int32_t parent = *batch_parent(b, first + lane, group);
        unsigned has = __ballot_sync(FRI_FULL_MASK, parent >= 0 && parent != INT32_MAX);
        placed = lane == fri_lane() ? has : placed;
        lost |= parent == INT32_MAX;
    }
    if (lost)
        fri_racy_store(&b.p.control[LOST], 1); /* racy: all write 1 */
    if (first + fri_lane() < b.p.n) {
        *batch_word(b, b.far_bits, first, group) = placed;
        *batch_word(b, now, first, group) = placed;
    }
}

/* One hop from `now`, which is empty afterwards, to `next`. b.far_bits: placed before. */
template <class T>
static __global__ void __launch_bounds__(512)
    batch_hop_kernel(batch<T> b, uint32_t *now, uint32_t *next) {
    int32_t first, group;
    if (!batch_place(b, &first, &group))
        return;
    uint32_t *at = batch_word(b, now, first, group), word = at ? *at : 0;
    if (word)
        *at = 0;
    for (unsigned left = __ballot_sync(FRI_FULL_MASK, word != 0); left; left &= left - 1) {
        int lane = __ffs((int)left) - 1;
        int32_t u = first + lane;
        bool mine = __shfl_sync(FRI_FULL_MASK, word, lane) >> fri_lane() & 1, low = false;
        typename T::K du = *batch_key(b, u, group);
        for (int64_t e = b.p.offsets[u]; e < b.p.offsets[u + 1]; e++) {
            int32_t v = b.p.targets[e];
            int64_t place = (int64_t)group * b.p.n + v;
            typename T::K dv = *batch_key(b, v, group);
            bool fits = mine && dv != T::unreached() && !(b.far_bits[place] >> fri_lane() & 1) &&
                        T::sum(du, fri_weight(b.p, e), b.p.cap, &low) == dv;
            if (fits)
                /* atomic: the smallest candidate, the same on every run */
                atomicMin(batch_parent(b, v, group), u);
            unsigned fresh = __ballot_sync(FRI_FULL_MASK, fits);
            if (fri_lane() == 0 && fresh) {
                /* atomic: other warps place v for other sources */
                atomicOr(&next[place], fresh);
                fri_racy_store(&b.p.control[FOUND], 1); /* racy: all write 1 */
            }
        }
    }
}

static __global__ void batch_join_kernel(uint32_t *placed, const uint32_t *fresh, int64_t words) {
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < words)
        placed[i] |= fresh[i];
}

/* ---- rows -------------------------------------------------------------------------------- */

namespace {
struct taken {
    void *dist; /* [count][n] of type */
    fr_type type;
    int32_t *parent; /* [count][n] or NULL */
    const double *h; /* [n] potentials that the weights were shifted by, or NULL */
    const int32_t *sources;
    long long *overflow_at; /* the smallest (row, vertex) whose distance does not fit */
};
} // namespace

/* Converts a distance of shifted weights back to the job's type. True: it fits. */
static __device__ __forceinline__ bool batch_unshift(const taken &to, int64_t at, double d,
                                                     bool reached) {
    switch (to.type) {
    case FR_TYPE_I32: {
        bool fits = d < INT32_MAX && d >= INT32_MIN;
        ((int32_t *)to.dist)[at] = reached && fits ? (int32_t)d : INT32_MAX;
        return fits || !reached;
    }
    case FR_TYPE_I64: ((int64_t *)to.dist)[at] = reached ? (int64_t)d : INT64_MAX; break;
    case FR_TYPE_F32: ((float *)to.dist)[at] = reached ? (float)d : INFINITY; break;
    default: ((double *)to.dist)[at] = reached ? d : (double)INFINITY;
    }
    return true;
}

/* A block transposes 32 vertices x 32 sources: blockIdx.x vertices, blockIdx.y the group. */
template <class T> static __global__ void batch_rows_kernel(batch<T> b, taken to) {
    FRI_SHARED(typename T::K, keys, FRI_WARP * (FRI_WARP + 1));
    FRI_SHARED(int32_t, parents, FRI_WARP * (FRI_WARP + 1));
    int32_t first = (int32_t)blockIdx.x * FRI_WARP, group = (int32_t)blockIdx.y;
    for (int i = fri_warp(); i < FRI_WARP; i += TRANSPOSE_ROWS) {
        bool in = first + i < b.p.n;
        keys[i * (FRI_WARP + 1) + fri_lane()] =
            in ? *batch_key(b, first + i, group) : T::unreached();
        if (to.parent)
            parents[i * (FRI_WARP + 1) + fri_lane()] = in ? *batch_parent(b, first + i, group) : -1;
    }
    __syncthreads(); /* the square is written */
    int32_t v = first + fri_lane();
    for (int i = fri_warp(); i < FRI_WARP; i += TRANSPOSE_ROWS) {
        int32_t s = group * FRI_WARP + i;
        if (s >= b.count || v >= b.p.n)
            continue;
        int64_t at = (int64_t)s * b.p.n + v;
        typename T::K key = keys[fri_lane() * (FRI_WARP + 1) + i];
        auto d = T::value(key);
        if (!to.h)
            ((decltype(d) *)to.dist)[at] = d; /* unreached() is the value of unreached vertices */
        else if (!batch_unshift(to, at, (double)d - to.h[to.sources[s]] + to.h[v],
                                key != T::unreached()))
            atomicMin(to.overflow_at, (long long)s << 32 | v); /* atomic: the first is reported */
        if (to.parent)
            to.parent[at] = parents[fri_lane() * (FRI_WARP + 1) + i];
    }
}

/* Computes non-negative weights: w + h[u] - h[v], if both ends are reached; floats round. */
static __global__ void shift_kernel(const int64_t *offsets, const int32_t *targets,
                                    const void *weights, fr_type type, const double *h, int32_t n,
                                    int64_t m, double *out) {
    int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= m)
        return;
    int32_t u = fri_edge_source(offsets, 0, n, e);
    double w = type == FR_TYPE_I32   ? ((const int32_t *)weights)[e]
               : type == FR_TYPE_F32 ? (double)((const float *)weights)[e]
                                : ((const double *)weights)[e];
    double from = h[u], to = h[targets[e]];
    bool both = from < (double)INFINITY && to < (double)INFINITY;
    out[e] = both && w + from - to > 0 ? w + from - to : 0;
}

#endif
