/* The frontier of workfront-sweep and near-far: relaxing by equal shares of edges, and removing
 * duplicates through a lookup table.
 *
 * Davidson, Baxter, Garland, Owens: Work-efficient parallel GPU methods for single-source shortest
 * paths, IPDPS 2014, as H-BF (Busato, Bombieri, TPDS 2016) describes it in sections 3 and 4.2: the
 * frontier's edges are assigned to threads in equal numbers; then one kernel writes each vertex's
 * place in the queue into a table, a second one keeps a vertex where its own place stands, and what
 * is kept is compacted. Four kernels a round:
 *   wf_degrees  degrees of the frontier, summed within blocks of WF_BLOCK
 *   wf_totals   the sums before each block
 *   wf_relax    every thread its share of edges; what fell is appended to the raw queue
 *   wf_mark     the table
 * and wf_filter, the row's own. The raw queue has room for n: vertices beyond are marked in the
 * table, and a pass over all vertices adds them (wf_rest).
 */
#ifndef FRI_WORKFRONT_CUH
#define FRI_WORKFRONT_CUH

#include "cuda/bfs_queues.h"
#include "cuda/prim/distance.cuh"
#include "cuda/prim/scan.cuh"

enum { WF_BLOCK = 256, WF_SHARE = 8 /* edges a thread takes at a time */, WF_LEFT = -2 };
enum { WF_RAW = 0 /* 64 bits */, WF_SUM = 2 /* 64 bits */, WF_TAIL = 4, WF_FAR = 5 }; /* words */

/* Exclusive sums of 64 bits over a block of WF_BLOCK threads; all of them. */
static __device__ __forceinline__ int64_t wf_block_sum(int64_t value, int64_t *total) {
    FRI_SHARED(int64_t, sums, WF_BLOCK / FRI_WARP);
    int64_t sum = value;
    for (int d = 1; d < FRI_WARP; d *= 2) {
        int64_t below = __shfl_up_sync(FRI_FULL, sum, d);
        if (fri_lane() >= d)
            sum += below;
    }
    if (fri_lane() == FRI_WARP - 1)
        sums[fri_warp()] = sum;
    __syncthreads(); /* all warps' sums are there */
    int64_t before = 0;
    *total = 0;
    for (int w = 0; w < WF_BLOCK / FRI_WARP; w++) {
        before += w < fri_warp() ? sums[w] : 0;
        *total += sums[w];
    }
    __syncthreads(); /* and read: the array may be used again */
    return before + sum - value;
}

template <class T>
static __global__ void __launch_bounds__(1024)
    wf_degrees_kernel(fri_paths<T> p, const int32_t *queue, int32_t size, int64_t *before,
                      int64_t *totals) {
    int64_t i = (int64_t)blockIdx.x * WF_BLOCK + threadIdx.x, total;
    int32_t u = i < size ? queue[i] : 0;
    int64_t sum = wf_block_sum(i < size ? p.offsets[u + 1] - p.offsets[u] : 0, &total);
    if (i < size)
        before[i] = sum;
    if (threadIdx.x == 0)
        totals[blockIdx.x] = total;
}

/* One block. */
static __global__ void __launch_bounds__(1024)
    wf_totals_kernel(int64_t *totals, int32_t count, int64_t *sum) {
    int64_t base = 0;
    for (int32_t first = 0; first < count; first += WF_BLOCK) {
        int32_t i = first + (int32_t)threadIdx.x;
        int64_t all, mine = wf_block_sum(i < count ? totals[i] : 0, &all);
        if (i < count)
            totals[i] = base + mine;
        base += all;
    }
    if (threadIdx.x == 0)
        *sum = base;
}

/* Edges of the frontier before its i-th vertex. */
static __device__ __forceinline__ int64_t wf_before(const int64_t *before, const int64_t *totals,
                                                    int32_t i) {
    return totals[i / WF_BLOCK] + before[i];
}

/* The vertex that owns edge k of the frontier: the last i in [low, size) that starts at most there.
 */
static __device__ __forceinline__ int32_t wf_owner(const int64_t *before, const int64_t *totals,
                                                   int32_t low, int32_t size, int64_t k) {
    int32_t high = size;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (wf_before(before, totals, middle) <= k)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Appends to the raw queue, or marks v in the table where that is full. Any thread. */
template <class T>
static __device__ __forceinline__ void wf_append(const fri_paths<T> &p, int32_t v, int32_t *raw,
                                                 int32_t *lookup) {
    unsigned long long at = atomicAdd((unsigned long long *)&p.words[WF_RAW], 1ull); /* its place */
    FRI_COUNT(p, FR_COUNT_ATOMICS, 1);
    FRI_COUNT(p, FR_COUNT_ENQUEUES, 1);
    if (at < (unsigned long long)p.n)
        raw[at] = v;
    else
        fri_racy_store(&lookup[v], (int32_t)WF_LEFT); /* racy: all write the same */
}

template <class T>
static __global__ void __launch_bounds__(1024)
    wf_relax_kernel(fri_paths<T> p, const int32_t *queue, int32_t size, const int64_t *before,
                    const int64_t *totals, const int64_t *sum, int32_t *raw, int32_t *lookup) {
    int64_t step = (int64_t)gridDim.x * blockDim.x * WF_SHARE, all = *sum;
    int64_t at = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) * WF_SHARE;
    unsigned long long edges = 0, relaxed = 0;
    for (; at < all; at += step) {
        int32_t i = wf_owner(before, totals, 0, size, at);
        for (int64_t k = at; k < at + WF_SHARE && k < all; k++) {
            while (i + 1 < size && wf_before(before, totals, i + 1) <= k)
                i++;
            int32_t u = queue[i];
            int64_t e = p.offsets[u] + (k - wf_before(before, totals, i));
            int32_t v = p.targets[e];
            edges++;
            /* racy: u may be lowered meanwhile; it is then in the next frontier */
            if (!fri_lower(p, v, fri_along(p, fri_racy_load(&p.dist[u]), e)))
                continue;
            relaxed++;
            wf_append(p, v, raw, lookup);
        }
    }
    FRI_COUNT(p, FR_COUNT_EDGES, edges);
    fri_tell(p.words, edges, relaxed);
}

/* racy: of the places of a vertex any may stand in the table, but one alone */
static __global__ void __launch_bounds__(1024)
    wf_mark_kernel(const int32_t *raw, const unsigned long long *count, int32_t room,
                   int32_t *lookup) {
    int64_t size = *count < (unsigned long long)room ? (int64_t)*count : room;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < size;
         i += (int64_t)gridDim.x * blockDim.x)
        fri_racy_store(&lookup[raw[i]], (int32_t)i);
}

/* Where the round's vertices go: those with keys up to `last` into the next frontier, each once,
 * the others onto the far pile unless they lie there. */
template <class T> struct wf_split {
    typename T::K last;
    int32_t *next, *far_pile;
    uint8_t *piled; /* [n] 1: on the far pile; NULL: there is none */
};

template <class T>
static __device__ __forceinline__ void wf_place(const fri_paths<T> &p, const wf_split<T> &s,
                                                int32_t v) {
    if (!s.piled || p.dist[v] <= s.last)
        s.next[atomicAdd(&p.words[WF_TAIL], 1)] = v; /* its place */
    else if (!s.piled[v]) {
        s.piled[v] = 1; /* v comes by once in a kernel */
        s.far_pile[atomicAdd(&p.words[WF_FAR], 1)] = v;
    }
}

template <class T>
static __global__ void __launch_bounds__(1024)
    wf_filter_kernel(fri_paths<T> p, wf_split<T> s, const int32_t *raw, const int32_t *lookup) {
    unsigned long long count = *(const unsigned long long *)&p.words[WF_RAW];
    int64_t size = count < (unsigned long long)p.n ? (int64_t)count : p.n;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < size;
         i += (int64_t)gridDim.x * blockDim.x) {
        bool own = lookup[raw[i]] == (int32_t)i;
        FRI_COUNT(p, FR_COUNT_DUPLICATES_FOUND, !own);
        if (own)
            wf_place(p, s, raw[i]);
    }
}

/* After an overflow: the vertices that only the table has. */
template <class T>
static __global__ void __launch_bounds__(1024)
    wf_rest_kernel(fri_paths<T> p, wf_split<T> s, int32_t *lookup) {
    int64_t v = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= p.n || lookup[v] != WF_LEFT)
        return;
    lookup[v] = -1;
    wf_place(p, s, (int32_t)v);
}

/* ---- host -------------------------------------------------------------------------------- */

/* Scratch: before [n], totals, two queues, raw, lookup; near-far adds its own behind. */
struct wf_arrays {
    int64_t *before, *totals;
    int32_t *queue[2], *raw, *lookup;
    char *after;
};
static inline size_t wf_words_bytes(const fri_gpu *g) {
    return fri_line(fri_bytes(g->n, sizeof(int32_t)));
}
static inline size_t wf_totals_bytes(const fri_gpu *g) {
    return fri_line(fri_bytes(g->n / WF_BLOCK + 1, sizeof(int64_t)));
}
static inline size_t wf_bytes(const fri_gpu *g) {
    return 2 * wf_words_bytes(g) + wf_totals_bytes(g) + 4 * wf_words_bytes(g) + FRI_CACHE_LINE;
}
static inline wf_arrays wf_arrays_of(const fri_gpu *g) {
    char *at = g->scratch;
    wf_arrays a;
    a.before = (int64_t *)fri_carve(&at, fri_bytes(g->n, sizeof(int64_t)));
    a.totals = (int64_t *)fri_carve(&at, wf_totals_bytes(g));
    a.queue[0] = (int32_t *)fri_carve(&at, wf_words_bytes(g));
    a.queue[1] = (int32_t *)fri_carve(&at, wf_words_bytes(g));
    a.raw = (int32_t *)fri_carve(&at, wf_words_bytes(g));
    a.lookup = (int32_t *)fri_carve(&at, wf_words_bytes(g));
    a.after = at;
    return a;
}

static inline fr_status wf_begin(fri_gpu *g) {
    wf_arrays a = wf_arrays_of(g);
    fri_gpu_fill(g, a.lookup, g->n, -1);
    g->host_words[WF_TAIL] = g->source_count;
    return fri_gpu_check(g,
                         cudaMemcpyAsync(a.queue[1], g->sources,
                                         (size_t)g->source_count * sizeof(int32_t),
                                         cudaMemcpyDeviceToDevice, g->stream),
                         "starting the queue");
}

/* Blocks for work whose amount only the device knows: all that are resident. */
static inline unsigned wf_resident(const fri_gpu *g, int block) {
    return (unsigned)(g->multiprocessors * (g->threads_most / block));
}

/* From the frontier of `round` to that of the next one, words[WF_TAIL] long. */
template <class T>
static inline fr_status wf_round(fri_gpu *g, int32_t round, int block, wf_split<T> split) {
    wf_arrays a = wf_arrays_of(g);
    int32_t size = g->host_words[WF_TAIL], *queue = a.queue[round & 1];
    unsigned blocks = fri_gpu_blocks(size, WF_BLOCK);
    unsigned wide = fri_gpu_blocks(g->m, block * WF_SHARE), most = wf_resident(g, block);
    int64_t *sum = (int64_t *)(void *)&g->words[WF_SUM];
    wide = wide < most ? wide : most;
    split.next = a.queue[~round & 1];
    FRI_GPU_TRY(fri_gpu_check(g, cudaMemsetAsync(g->words, 0, 5 * sizeof(int32_t), g->stream),
                              "emptying the queues"));
    FRI_LAUNCH((wf_degrees_kernel<T>), blocks, WF_BLOCK, 0, g->stream, fri_paths_of<T>(g), queue,
               size, a.before, a.totals);
    FRI_LAUNCH(wf_totals_kernel, 1, WF_BLOCK, 0, g->stream, a.totals, (int32_t)blocks, sum);
    FRI_LAUNCH((wf_relax_kernel<T>), wide, block, 0, g->stream, fri_paths_of<T>(g), queue, size,
               a.before, a.totals, sum, a.raw, a.lookup);
    FRI_LAUNCH(wf_mark_kernel, wide, block, 0, g->stream, a.raw,
               (const unsigned long long *)&g->words[WF_RAW], g->n, a.lookup);
    FRI_LAUNCH((wf_filter_kernel<T>), wide, block, 0, g->stream, fri_paths_of<T>(g), split, a.raw,
               a.lookup);
    FRI_GPU_TRY(fri_gpu_sssp_words(g));
    if (!g->host_words[WF_RAW + 1] && (uint32_t)g->host_words[WF_RAW] <= (uint32_t)g->n)
        return FR_OK;
    FRI_LAUNCH((wf_rest_kernel<T>), fri_gpu_blocks(g->n, block), block, 0, g->stream,
               fri_paths_of<T>(g), split, a.lookup);
    return fri_gpu_sssp_words(g);
}

#endif
