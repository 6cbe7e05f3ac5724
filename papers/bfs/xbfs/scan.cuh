/* Queues of xbfs built by scanning: single-scan and double-scan (sections 4.1 and 4.2). */
#ifndef FRI_CUDA_BFS_XBFS_SCAN_CUH
#define FRI_CUDA_BFS_XBFS_SCAN_CUH

#include "papers/bfs/xbfs/queue.cuh"

namespace {

/* Input of a scan: the status array, or the queue of a bottom-up pass. */
struct scanned {
    const int32_t *list; /* NULL: all vertices */
    const packed *tail;  /* of the list */
    int32_t want, also;  /* levels to pick */
    bool rooted;         /* only vertices with in-edges */
    int32_t count_level; /* a level whose vertices are only counted, or NO_LEVEL */
};
enum { UNVISITED = -1, NO_LEVEL = -2 };

template <class O>
__device__ __forceinline__ uint32_t size_of(const traversal<O> &t, const scanned &s) {
    return s.list ? count_of(t, *s.tail) : (uint32_t)t.n;
}
__device__ __forceinline__ int32_t vertex_at(const scanned &s, uint32_t i) {
    return s.list ? s.list[i] : (int32_t)i;
}

/* The i-th vertex if it is to be picked, otherwise -1. */
template <class O>
__device__ __forceinline__ int32_t pick(const traversal<O> &t, const scanned &s, uint32_t size,
                                        uint32_t i, packed *level_sum) {
    if (i >= size)
        return -1;
    int32_t v = vertex_at(s, i), level = t.level[v];
    if (level == s.count_level)
        *level_sum += one_of(t, v);
    bool fits = level == s.want || level == s.also;
    if (fits && s.rooted)
        fits = t.in.offsets[v] != t.in.offsets[v + 1];
    return fits ? v : -1;
}

/* Puts the sources into the first queue. */
template <class O>
static __global__ void seed_kernel(traversal<O> t, const int32_t *sources, uint32_t count,
                                   edge_queue<O> to) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    append(t, to, i < count, i < count ? sources[i] : 0);
    clear_next(t);
}

/* Single-scan: picked vertices go into the queue in any order, with one atomic per block. */
enum { TAKE = 8 };
template <class O>
static __global__ void __launch_bounds__(1024)
    single_scan_kernel(traversal<O> t, scanned s, edge_queue<O> to) {
    FRI_SHARED(packed, place, 1);
    uint32_t size = size_of(t, s), step = gridDim.x * blockDim.x * TAKE;
    for (uint32_t first = blockIdx.x * blockDim.x * TAKE; first < size; first += step) {
        uint32_t i = first + threadIdx.x;
        packed sum = 0, none = 0, total;
        unsigned picked = 0;
        for (int k = 0; k < TAKE; k++) {
            int32_t v = pick(t, s, size, i + (uint32_t)k * blockDim.x, &none);
            picked |= (unsigned)(v >= 0) << k;
            sum += v >= 0 ? one_of(t, v) : 0;
        }
        packed at = fri_block_prefix(sum, &total);
        if (threadIdx.x == 0) {
            FRI_COUNT(t.out, FR_COUNTER_ATOMICS, total > 0);
            *place = total ? atomicAdd(to.tail, total) : 0; /* one position for the whole block */
        }
        __syncthreads(); /* the position is known */
        at += *place;
        for (; picked; picked &= picked - 1) {
            int32_t v = vertex_at(s, i + (uint32_t)(__ffs((int)picked) - 1) * blockDim.x);
            put(t, to, at, v);
            at += one_of(t, v);
        }
    }
}

/* Double-scan: a segment per thread, of a multiple of 32 vertices; the queue comes out sorted.
 * strided: each thread reads its own segment (Enterprise); otherwise a warp reads its 32 segments
 * one after the other, by ballot. by_edges: the queue's edges are numbered too. */
enum { STRIPES = 8 /* a divisor of 32 */ };
struct double_scan {
    scanned from;
    bool strided, by_edges;
    packed *sums, *totals; /* picked before each segment in its block; in each block */
};

__device__ __forceinline__ uint32_t strips_of_segment(uint32_t size) {
    uint32_t lanes = gridDim.x * blockDim.x * FRI_WARP; /* segments x 32 */
    return size / lanes + (size % lanes != 0);
}

/* All 32 lanes: the sum of what lower lanes have picked (v >= 0), and the sum of all lanes. */
template <class O>
__device__ __forceinline__ packed picked_before(const traversal<O> &t, const double_scan &d,
                                                int32_t v, packed *total) {
    if (d.by_edges)
        return fri_warp_prefix(v >= 0 ? one_of(t, v) : 0, total);
    int count, before = fri_warp_prefix_count(v >= 0, &count);
    *total = (packed)count;
    return (packed)before;
}

/* Writes a picked vertex, if it is one, to its position. */
template <class O>
__device__ __forceinline__ void place(const traversal<O> &t, const double_scan &d,
                                      const edge_queue<O> &to, packed at, int32_t v) {
    if (v < 0)
        return;
    to.vertex[count_of(t, at)] = v;
    if (d.by_edges)
        to.before[count_of(t, at)] = units_of(t, at);
}

/* Scan I and II over a warp's 32 segments. at: the sum before this lane's segment; writes the queue
 * when there is one. Returns what is picked in this lane's segment. */
template <class O>
__device__ packed scan_together(const traversal<O> &t, const double_scan &d, uint32_t size,
                                packed at, const edge_queue<O> *to, packed *level_sum) {
    uint32_t rows = strips_of_segment(size), lane = (uint32_t)fri_lane();
    uint32_t first = (blockIdx.x * blockDim.x + threadIdx.x - lane) * rows * FRI_WARP, row = 0;
    packed mine = 0;
    for (int segment = 0; segment < FRI_WARP && first < size; first += STRIPES * FRI_WARP) {
        int32_t picked[STRIPES]; /* read together, so that their latencies overlap */
        for (uint32_t k = 0; k < STRIPES; k++)
            picked[k] = pick(t, d.from, size, first + k * FRI_WARP + lane, level_sum);
        for (int k = 0; k < STRIPES; k++) {
            int32_t v = picked[k];
            packed total, before = picked_before(t, d, v, &total);
            if (to) {
                packed at_segment = __shfl_sync(FRI_FULL_MASK, at + mine, segment);
                place(t, d, *to, at_segment + before, v);
            }
            mine += (int)lane == segment ? total : 0;
            row = row + 1 == rows ? 0 : row + 1;
            segment += row == 0;
        }
    }
    return mine;
}

/* The same, each thread by itself. */
template <class O>
__device__ packed scan_alone(const traversal<O> &t, const double_scan &d, uint32_t size, packed at,
                             const edge_queue<O> *to, packed *level_sum) {
    uint32_t length = strips_of_segment(size) * FRI_WARP;
    uint32_t first = (blockIdx.x * blockDim.x + threadIdx.x) * length;
    packed mine = 0;
    for (uint32_t i = first; i < size && i - first < length; i++) {
        int32_t v = pick(t, d.from, size, i, level_sum);
        if (v < 0)
            continue;
        if (to)
            place(t, d, *to, at + mine, v);
        mine += d.by_edges ? one_of(t, v) : 1;
    }
    return mine;
}

/* Scan I: counts. Vertices of the level count_level are added to the level's counters. */
template <class O>
static __global__ void __launch_bounds__(1024) count_kernel(traversal<O> t, double_scan d) {
    uint32_t size = size_of(t, d.from);
    packed level_sum = 0, total;
    packed mine = d.strided ? scan_alone<O>(t, d, size, 0, nullptr, &level_sum)
                            : scan_together<O>(t, d, size, 0, nullptr, &level_sum);
    packed before = fri_block_prefix(mine, &total);
    d.sums[blockIdx.x * blockDim.x + threadIdx.x] = before;
    if (threadIdx.x == 0)
        d.totals[blockIdx.x] = total;
    if (d.from.count_level == NO_LEVEL)
        return;
    fri_block_prefix(level_sum, &total);
    if (threadIdx.x == 0 && total)
        atomicAdd(&t.now->found, total); /* one per block */
}

/* Scan II: sums the blocks before, writes the queue and its tail. */
template <class O>
static __global__ void __launch_bounds__(1024)
    place_kernel(traversal<O> t, double_scan d, edge_queue<O> to) {
    uint32_t size = size_of(t, d.from);
    packed partial = 0, none = 0, base;
    for (uint32_t b = threadIdx.x; b < blockIdx.x; b += blockDim.x)
        partial += d.totals[b];
    fri_block_prefix(partial, &base);
    packed at = base + d.sums[blockIdx.x * blockDim.x + threadIdx.x];
    packed mine = d.strided ? scan_alone(t, d, size, at, &to, &none)
                            : scan_together(t, d, size, at, &to, &none);
    FRI_COUNT(t.out, FR_COUNTER_ENQUEUES, count_of(t, mine));
    if (threadIdx.x == 0 && blockIdx.x == gridDim.x - 1)
        *to.tail = base + d.totals[blockIdx.x];
}

} // namespace

#endif
