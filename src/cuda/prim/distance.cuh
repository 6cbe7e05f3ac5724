/* Distances on the device, and the arguments common to all SSSP kernels.
 *
 * A distance is stored as a key: an integer whose order is the distances' order, so that one
 * atomicMin serves all types. Integers are their own keys; of a negative float all bits but the
 * sign are inverted. Sums that overflow the type, or exceed the largest distance wanted, become
 * unreached(), which lowers nothing; a sum below the type is reported to the driver, which restarts
 * with 64 bits, or on the host if it was int64. The smallest key, neg_inf(), marks what a negative
 * cycle reaches (drivers/sssp_negative_cycles.c).
 * Offsets are int64 in all SSSP strategies, so that the kind is the only template parameter of
 * kernels. */
#ifndef FRI_CUDA_PRIM_DISTANCE_CUH
#define FRI_CUDA_PRIM_DISTANCE_CUH

#include "cuda/drivers/sssp.h"
#include "cuda/prim/device.cuh"
#include "cuda/prim/reduce.cuh"

/* The kinds of distances, template parameter T of kernels. W: type of weights; K: type of keys.
 *   unreached()            the key of a vertex without a distance; the host may call it, too, while
 *                          all other functions are for the device only
 *   neg_inf()              the key of minus infinity
 *   sum(d, w, cap, &low)   the key of d + w; unreached() if that exceeds cap; sets low if K cannot
 *                          hold it because it is too small
 *   value(d)               the distance that key d encodes
 *   add_width(d, width)    the last key of the interval [d, d + width) */
struct fri_kind_i32 {
    typedef int32_t W, K;
    static __host__ __device__ __forceinline__ K unreached() { return INT32_MAX; }
    static __device__ __forceinline__ K neg_inf() { return INT32_MIN; }
    static __device__ __forceinline__ K sum(K d, W w, K cap, bool *low) {
        int64_t s = (int64_t)d + w;
        *low |= s <= INT32_MIN;
        return s > cap || s <= INT32_MIN ? unreached() : (K)s;
    }
    static __device__ __forceinline__ K value(K d) { return d; }
    static __device__ __forceinline__ K add_width(K d, double width) {
        double end = (double)d + width - 1;
        return end >= (double)unreached() ? unreached() - 1 : end <= (double)d ? d : (K)end;
    }
};

struct fri_kind_i64 {
    typedef int32_t W;
    typedef int64_t K;
    static __host__ __device__ __forceinline__ K unreached() { return INT64_MAX; }
    static __device__ __forceinline__ K neg_inf() { return INT64_MIN; }
    static __device__ __forceinline__ K sum(K d, W w, K cap, bool *) {
        /* n weights never reach -2^63; a sum that wraps is large and lowers nothing */
        return w > 0 && d > cap - w ? unreached() : (K)((uint64_t)d + (uint64_t)(K)w);
    }
    static __device__ __forceinline__ K value(K d) { return d; }
    static __device__ __forceinline__ K add_width(K d, double width) {
        double end = (double)d + width - 1;
        return end >= 9e18 ? unreached() - 1 : end <= (double)d ? d : (K)end;
    }
};

/* Weights of 64 bits, whose sums may fall below int64 as well: the driver then solves on the host.
 */
struct fri_kind_w64 : fri_kind_i64 {
    typedef int64_t W;
    static __device__ __forceinline__ K sum(K d, W w, K cap, bool *low) {
        if (w >= 0)
            return d > cap - w ? unreached() : d + w;
        bool below = d <= neg_inf() - w; /* INT64_MIN - w does not wrap */
        *low |= below;
        return below ? unreached() : d + w;
    }
};

/* Floats of 32 and 64 bits. */
#define FRI_FLOAT_KIND(name, real, key, bits_of, real_of, max_key, infinity)                       \
    struct name {                                                                                  \
        typedef real W;                                                                            \
        typedef key K;                                                                             \
        static __device__ __forceinline__ K order_bits(K b) { return b < 0 ? b ^ max_key : b; }    \
        static __device__ __forceinline__ K of(W x) { return order_bits(bits_of(x + (W)0)); }      \
        static __device__ __forceinline__ W value(K d) { return real_of(order_bits(d)); }          \
        static __host__ __device__ __forceinline__ K unreached() { return infinity; }              \
        /* the inverted bits of +inf */                                                            \
        static __device__ __forceinline__ K neg_inf() { return -(infinity)-1; }                    \
        static __device__ __forceinline__ K sum(K d, W w, K cap, bool *) {                         \
            K s = of(value(d) + w);                                                                \
            return s > cap ? unreached() : s;                                                      \
        }                                                                                          \
        static __device__ __forceinline__ K add_width(K d, double width) {                         \
            K end = of((W)((double)value(d) + width)) - 1;                                         \
            return end < d ? d : end;                                                              \
        }                                                                                          \
    }
FRI_FLOAT_KIND(fri_kind_f32, float, int32_t, __float_as_int, __int_as_float, INT32_MAX, 0x7f800000);
FRI_FLOAT_KIND(fri_kind_f64, double, int64_t, __double_as_longlong, __longlong_as_double, INT64_MAX,
               INT64_C(0x7ff0000000000000));

/* Kernel argument, passed by value. */
template <class T> struct fri_sssp_view {
    typedef typename T::K K;
    const int64_t *offsets;
    const int32_t *targets;
    const typename T::W *weights; /* NULL: every edge has weight 1 */
    unsigned long long *counts;
    K *dist;
    K cap;
    int32_t *control;
    int32_t n, mask; /* targets[e] & mask is the vertex */
    int64_t m;
    int32_t weight_shift; /* targets[e] >> shift is the weight; 0: `weights` has it */
};
template <class T> static inline fri_sssp_view<T> fri_sssp_view_of(const fri_gpu *g) {
    typedef typename T::K K;
    return {(const int64_t *)g->out.offsets,
            g->out.targets,
            (const typename T::W *)g->out.weights,
            g->out.counts,
            (K *)g->dist,
            (K)g->sssp.max_key,
            g->control,
            g->n,
            g->sssp.target_mask,
            g->m,
            g->sssp.weight_shift};
}

/* Runs what follows with T defined as the kind of the distances on the device; WIDE: if weights are
 * int64. */
#define FRI_BY_KINDS(g, WIDE, ...)                                                                 \
    do {                                                                                           \
        if ((g)->job->csr.weight_type == FR_TYPE_I64 && (g)->dist_type == FR_TYPE_I64)             \
            FRI_WITH(T, WIDE, __VA_ARGS__);                                                        \
        else                                                                                       \
            FRI_BY_TYPE(T, (g)->dist_type, fri_kind_i32, fri_kind_i64, fri_kind_f32, fri_kind_f64, \
                        __VA_ARGS__);                                                              \
    } while (0)
#define FRI_BY_KIND(g, ...) FRI_BY_KINDS(g, fri_kind_w64, __VA_ARGS__)

static __device__ __forceinline__ int32_t fri_key_min(int32_t *at, int32_t key) {
    return atomicMin((int *)at, (int)key);
}
static __device__ __forceinline__ int64_t fri_key_min(int64_t *at, int64_t key) {
    return (int64_t)atomicMin((long long *)at, (long long)key);
}

template <class T>
static __device__ __forceinline__ typename T::W fri_weight(const fri_sssp_view<T> &p, int64_t e,
                                                           int32_t word) {
    return p.weight_shift ? (typename T::W)((uint32_t)word >> p.weight_shift)
           : p.weights    ? __ldg(&p.weights[e])
                          : (typename T::W)1;
}
/* The same of an edge whose target's word has not been read. No instruction after the branches uses that word:
 * even a predicated one would wait for the loads of other edges. */
template <class T>
static __device__ __forceinline__ typename T::W fri_weight(const fri_sssp_view<T> &p, int64_t e) {
    return p.weight_shift ? (typename T::W)((uint32_t)__ldg(&p.targets[e]) >> p.weight_shift)
           : p.weights    ? __ldg(&p.weights[e])
                          : (typename T::W)1;
}

/* The key of a path to the end of edge e from `from`; reports sums below K to the driver. From
 * minus infinity it is any value that lowers no vertex at minus infinity. */
template <class T>
static __device__ __forceinline__ typename T::K fri_path_key(const fri_sssp_view<T> &p,
                                                             typename T::K from, int64_t e) {
    bool low = false;
    typename T::K sum = T::sum(from, fri_weight(p, e), p.cap, &low);
    if (low && from != T::neg_inf())
        fri_racy_store(&p.control[FRI_CONTROL_BELOW_INT32], 1); /* racy: all write 1 */
    return sum;
}

/* Lowers v to `key`; true when this thread did. The racy test avoids most atomics. Any thread. */
template <class T>
static __device__ __forceinline__ bool fri_relax(const fri_sssp_view<T> &p, int32_t v,
                                                 typename T::K key) {
    if (!(key < fri_racy_load(&p.dist[v])))
        return false;
    FRI_COUNT(p, FR_COUNTER_ATOMICS, 1);
    if (!(key < fri_key_min(&p.dist[v], key)))
        return false;
    FRI_COUNT(p, FR_COUNTER_RELAXATIONS, 1);
    return true;
}

/* Called at the end of a kernel: adds the edges examined and distances lowered by all threads of
 * the grid. All threads of each block, once. */
static __device__ __forceinline__ void fri_add_stats(int32_t *control, unsigned long long edges,
                                                     unsigned long long relaxed) {
    fri_grid_add((unsigned long long *)&control[FRI_CONTROL_EDGES], edges);
    __syncthreads(); /* the block's sums are read before they are written again */
    fri_grid_add((unsigned long long *)&control[FRI_CONTROL_RELAXED], relaxed);
}

/* Kernels of several rounds are launched without the host in between. control[at] is the last round
 * that was live; a round is live when the one before was and left work. So after the last round, or
 * after a queue overflow, kernels change nothing until the host has read the state.
 * Racy: the first thread of a live round writes the round while others still read it; both values
 * give the same answer. All threads of a grid get the same answer. */
static __device__ __forceinline__ bool fri_is_live_round(const int32_t *control, int at,
                                                         int32_t round) {
    return fri_racy_load(&control[at]) >= round - 1;
}

/* The vertex whose row contains edge e: the last u in [low, n) with offsets[u] <= e. */
static __device__ __forceinline__ int32_t fri_edge_source(const int64_t *offsets, int32_t low,
                                                          int32_t n, int64_t e) {
    int32_t high = n;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (offsets[middle] <= e)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* All edges of the graph, FRI_EDGES_PER_THREAD consecutive ones per thread, whatever the degrees:
 * FRI_EACH_EDGE(p, u, e) { ... }. Launch fri_edge_blocks(g, block) blocks. */
enum {
    FRI_EDGES_PER_THREAD = 16,
    FRI_LINEAR_STEPS = 4 /* rows to step over before a binary search is cheaper */
};
static __device__ __forceinline__ int32_t fri_next_edge_source(const int64_t *offsets, int32_t u,
                                                               int32_t n, int64_t e) {
    for (int i = 0; i < FRI_LINEAR_STEPS; i++, u++)
        if (e < offsets[u + 1])
            return u;
    return fri_edge_source(offsets, u, n, e);
}
#define FRI_EACH_EDGE(p, u, e)                                                                     \
    int64_t first_ = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) * FRI_EDGES_PER_THREAD;      \
    int64_t end_ = first_ + FRI_EDGES_PER_THREAD < (p).m ? first_ + FRI_EDGES_PER_THREAD : (p).m;  \
    int32_t u = first_ < end_ ? fri_edge_source((p).offsets, 0, (p).n, first_) : 0;                \
    for (int64_t e = first_;                                                                       \
         e < end_ && (u = fri_next_edge_source((p).offsets, u, (p).n, e), true); e++)

static inline unsigned fri_edge_blocks(const fri_gpu *g, int block) {
    return fri_gpu_blocks((g->m + FRI_EDGES_PER_THREAD - 1) / FRI_EDGES_PER_THREAD, block);
}

/* The last fields of every SSSP strategy. */
#define FRI_GPU_SSSP_STRATEGY(side)                                                                \
    .scratch = fri_gpu_sssp_scratch, .gpu = &(side), .device_bytes = fri_gpu_bytes,                \
    .prepare = fri_gpu_prepare, .release = fri_gpu_release, .run = fri_gpu_sssp_run

#endif
