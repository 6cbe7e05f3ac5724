/* The frontier of workfront-sweep and near-far: relaxation by equal shares of edges, and removal of
 * duplicates through a lookup table.
 *
 * Davidson, Baxter, Garland, Owens: Work-efficient parallel GPU methods for single-source shortest
 * paths, IPDPS 2014, as H-BF (Busato, Bombieri, TPDS 2016) describes it in sections 3 and 4.2: the
 * frontier's edges are assigned to threads in equal numbers; then one kernel writes each vertex's
 * position in the queue to a table, a second one keeps a vertex only at the position found in the
 * table, and the kept vertices are compacted. Up to 32 rounds are launched before the host reads
 * the sizes, which the kernels read from device memory. Five kernels per round:
 *   wf_degrees  degrees of the frontier, summed within blocks of WF_BLOCK
 *   wf_totals   the sums before each block
 *   wf_relax    relaxes an equal share of edges per thread; lowered vertices enter the raw queue
 *   wf_mark     writes the table
 * and wf_filter, which is the strategy's own. The raw queue has a capacity of n: further vertices
 * are marked in the table, and a pass over all vertices adds them (wf_rest). */
#ifndef FRI_CUDA_SSSP_WORKFRONT_CUH
#define FRI_CUDA_SSSP_WORKFRONT_CUH

#include "papers/vertex_queues.cuh"
#include "cuda/prim/distance.cuh"
#include "cuda/prim/scan.cuh"

enum { WF_BLOCK = 256, WF_SHARE = 8 /* edges that a thread takes at a time */, WF_LEFT = -2 };
/* Control words; WF_SIZE: frontiers of odd and even rounds. WF_ROUND: the last live round
 * (fri_is_live_round). */
enum {
    WF_RAW = 0 /* 64 bits */,
    WF_SUM = 2 /* 64 bits */,
    WF_SIZE = 10,
    WF_FAR = 5,
    WF_ROUND = 12
};

/* Exclusive 64-bit prefix sums over a block of WF_BLOCK threads; called by all of them. */
static __device__ __forceinline__ int64_t wf_block_sum(int64_t value, int64_t *total) {
    FRI_SHARED(int64_t, sums, WF_BLOCK / FRI_WARP);
    int64_t sum = value;
    for (int d = 1; d < FRI_WARP; d *= 2) {
        int64_t below = __shfl_up_sync(FRI_FULL_MASK, sum, d);
        if (fri_lane() >= d)
            sum += below;
    }
    if (fri_lane() == FRI_WARP - 1)
        sums[fri_warp()] = sum;
    __syncthreads(); /* all warps' sums are written */
    int64_t before = 0;
    *total = 0;
    for (int w = 0; w < WF_BLOCK / FRI_WARP; w++) {
        before += w < fri_warp() ? sums[w] : 0;
        *total += sums[w];
    }
    __syncthreads(); /* all have read: the array may be reused */
    return before + sum - value;
}

/* The size of the round's frontier; 0 if the round is not live or the previous raw queue
 * overflowed. For wf_totals and the kernels before it. */
static __device__ __forceinline__ int32_t wf_size(const int32_t *words, int32_t n, int32_t round) {
    bool fits = *(const unsigned long long *)&words[WF_RAW] <= (unsigned long long)n;
    return words[WF_ROUND] == round - 1 && fits ? words[WF_SIZE + (round & 1)] : 0;
}

template <class T>
static __global__ void __launch_bounds__(1024)
    wf_degrees_kernel(fri_sssp_view<T> p, int32_t round, const int32_t *queue, int64_t *before,
                      int64_t *totals) {
    int32_t size = wf_size(p.control, p.n, round);
    for (int64_t first = (int64_t)blockIdx.x * WF_BLOCK; first < size;
         first += (int64_t)gridDim.x * WF_BLOCK) { /* the same number of steps in the whole block */
        int64_t i = first + threadIdx.x, total;
        int32_t u = i < size ? queue[i] : 0;
        int64_t sum = wf_block_sum(i < size ? p.offsets[u + 1] - p.offsets[u] : 0, &total);
        if (i < size)
            before[i] = sum;
        if (threadIdx.x == 0)
            totals[first / WF_BLOCK] = total;
    }
}

/* One block; marks the round as live. */
static __global__ void __launch_bounds__(1024)
    wf_totals_kernel(int32_t *words, int32_t n, int32_t round, int64_t *totals) {
    int32_t size = wf_size(words, n, round), count = (size + WF_BLOCK - 1) / WF_BLOCK;
    int64_t base = 0;
    for (int32_t first = 0; first < count; first += WF_BLOCK) {
        int32_t i = first + (int32_t)threadIdx.x;
        int64_t all, mine = wf_block_sum(i < count ? totals[i] : 0, &all);
        if (i < count)
            totals[i] = base + mine;
        base += all;
    }
    if (threadIdx.x != 0 || size == 0)
        return;
    /* the barriers of the sums guarantee that every thread has read the size */
    *(int64_t *)&words[WF_SUM] = base;
    *(int64_t *)&words[WF_RAW] = 0;
    words[WF_SIZE + (~round & 1)] = 0;
    words[WF_ROUND] = round;
}

/* The number of edges of the frontier before its i-th vertex. */
static __device__ __forceinline__ int64_t wf_before(const int64_t *before, const int64_t *totals,
                                                    int32_t i) {
    return totals[i / WF_BLOCK] + before[i];
}

/* The vertex that owns edge k of the frontier: the last i in [low, size) whose edges start at or
 * before k. */
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

/* Appends to the raw queue, or marks v in the table if the queue is full. Any thread. */
template <class T>
static __device__ __forceinline__ void wf_append(const fri_sssp_view<T> &p, int32_t v, int32_t *raw,
                                                 int32_t *lookup) {
    unsigned long long at =
        atomicAdd((unsigned long long *)&p.control[WF_RAW], 1ull); /* atomic: reserves a position */
    FRI_COUNT(p, FR_COUNTER_ATOMICS, 1);
    FRI_COUNT(p, FR_COUNTER_ENQUEUES, 1);
    if (at < (unsigned long long)p.n)
        raw[at] = v;
    else
        fri_racy_store(&lookup[v], (int32_t)WF_LEFT); /* racy: all write the same */
}

template <class T>
static __global__ void __launch_bounds__(1024)
    wf_relax_kernel(fri_sssp_view<T> p, int32_t round, const int32_t *queue, const int64_t *before,
                    const int64_t *totals, int32_t *raw, int32_t *lookup) {
    if (p.control[WF_ROUND] != round)
        return; /* the whole grid returns */
    int32_t size = p.control[WF_SIZE + (round & 1)];
    int64_t step = (int64_t)gridDim.x * blockDim.x * WF_SHARE;
    int64_t all = *(const int64_t *)&p.control[WF_SUM];
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
            /* racy: another thread may lower u; it is then in the next frontier */
            if (!fri_relax(p, v, fri_path_key(p, fri_racy_load(&p.dist[u]), e)))
                continue;
            relaxed++;
            wf_append(p, v, raw, lookup);
        }
    }
    FRI_COUNT(p, FR_COUNTER_EDGES, edges);
    fri_add_stats(p.control, edges, relaxed);
}

/* Entries that the raw queue holds; 0 if the round is not live. */
static __device__ __forceinline__ int64_t wf_raw_size(const int32_t *words, int32_t n,
                                                      int32_t round) {
    unsigned long long count = *(const unsigned long long *)&words[WF_RAW];
    if (words[WF_ROUND] != round)
        return 0;
    return count < (unsigned long long)n ? (int64_t)count : n;
}

/* racy: any of a vertex's positions may remain in the table, but exactly one does */
static __global__ void __launch_bounds__(1024)
    wf_mark_kernel(const int32_t *words, int32_t n, int32_t round, const int32_t *raw,
                   int32_t *lookup) {
    int64_t size = wf_raw_size(words, n, round);
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < size;
         i += (int64_t)gridDim.x * blockDim.x)
        fri_racy_store(&lookup[raw[i]], (int32_t)i);
}

/* Destinations of the round's vertices: those with keys up to `last` enter the next frontier, each
 * once, the others the far pile unless they are on it. */
template <class T> struct wf_split {
    typename T::K last;
    int32_t *far_pile;
    uint8_t *piled; /* [n] 1: on the far pile; NULL: there is no pile */
    int32_t *next;
    int32_t round;
};

template <class T>
static __device__ __forceinline__ void wf_place(const fri_sssp_view<T> &p, const wf_split<T> &s,
                                                int32_t v) {
    if (!s.piled || p.dist[v] <= s.last)
        /* atomic: reserves a position */
        s.next[atomicAdd(&p.control[WF_SIZE + (~s.round & 1)], 1)] = v;
    else if (!s.piled[v]) {
        s.piled[v] = 1; /* no race: v is visited once in a kernel */
        s.far_pile[atomicAdd(&p.control[WF_FAR], 1)] = v;
    }
}

template <class T>
static __global__ void __launch_bounds__(1024)
    wf_filter_kernel(fri_sssp_view<T> p, wf_split<T> s, const int32_t *raw, const int32_t *lookup) {
    int64_t size = wf_raw_size(p.control, p.n, s.round);
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < size;
         i += (int64_t)gridDim.x * blockDim.x) {
        bool own = lookup[raw[i]] == (int32_t)i;
        FRI_COUNT(p, FR_COUNTER_DUPLICATES_FOUND, !own);
        if (own)
            wf_place(p, s, raw[i]);
    }
}

/* After an overflow: adds the vertices that only the table holds. */
template <class T>
static __global__ void __launch_bounds__(1024)
    wf_rest_kernel(fri_sssp_view<T> p, wf_split<T> s, int32_t *lookup) {
    int64_t v = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= p.n || lookup[v] != WF_LEFT)
        return;
    lookup[v] = -1;
    wf_place(p, s, (int32_t)v);
}

/* ---- host -------------------------------------------------------------------------------- */

/* Scratch: before [n], totals, two queues, raw, lookup; near-far's own arrays follow. */
struct wf_arrays {
    int64_t *before, *totals;
    int32_t *queue[2], *raw, *lookup;
    char *after;
};
static inline size_t wf_words_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes(g->n, sizeof(int32_t)));
}
static inline size_t wf_totals_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes(g->n / WF_BLOCK + 1, sizeof(int64_t)));
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
    fri_gpu_fill(g, &g->control[WF_SIZE + 1], 1, g->source_count); /* size for round 1 */
    return fri_gpu_check(g,
                         cudaMemcpyAsync(a.queue[1], g->sources,
                                         (size_t)g->source_count * sizeof(int32_t),
                                         cudaMemcpyDeviceToDevice, g->stream),
                         "starting the queue");
}

/* Blocks for work whose size only the device knows: as many as can be resident. */
static inline unsigned wf_resident(const fri_gpu *g, int block) {
    return (unsigned)(g->multiprocessors * (g->max_threads_per_sm / block));
}

template <class T>
static inline void wf_launch(fri_gpu *g, int32_t round, int block, unsigned tiles,
                             wf_split<T> split) {
    wf_arrays a = wf_arrays_of(g);
    int32_t *queue = a.queue[round & 1];
    unsigned blocks = fri_gpu_blocks(g->m, block * WF_SHARE), max_blocks = wf_resident(g, block);
    blocks = blocks < max_blocks ? blocks : max_blocks;
    split.round = round;
    split.next = a.queue[~round & 1];
    FRI_RUN((wf_degrees_kernel<T>), tiles, WF_BLOCK, fri_sssp_view_of<T>(g), round, queue, a.before,
            a.totals);
    FRI_RUN(wf_totals_kernel, 1, WF_BLOCK, g->control, g->n, round, a.totals);
    FRI_RUN((wf_relax_kernel<T>), blocks, block, fri_sssp_view_of<T>(g), round, queue, a.before,
            a.totals, a.raw, a.lookup);
    FRI_RUN(wf_mark_kernel, blocks, block, g->control, g->n, round, a.raw, a.lookup);
    FRI_RUN((wf_filter_kernel<T>), blocks, block, fri_sssp_view_of<T>(g), split, a.raw, a.lookup);
}

/* Called after a round whose raw queue overflowed. */
template <class T> static inline fr_status wf_rest(fri_gpu *g, int block, wf_split<T> split) {
    wf_arrays a = wf_arrays_of(g);
    split.next = a.queue[~split.round & 1];
    FRI_RUN_EACH((wf_rest_kernel<T>), g->n, block, fri_sssp_view_of<T>(g), split, a.lookup);
    FRI_GPU_TRY(fri_gpu_check(g, cudaMemsetAsync(&g->control[WF_RAW], 0, 8, g->stream),
                              "clearing a queue"));
    return fri_gpu_sssp_read_control(g);
}

/* The first knobs of both strategies. */
enum { WF_KNOB_BLOCK, WF_KNOB_ROUNDS };

/* Runs rounds from `round` on, at most `max_rounds`; progress->found is the size of the next frontier. */
template <class T>
static inline fr_status wf_rounds(fri_gpu *g, int32_t round, int32_t max_rounds, wf_split<T> split,
                                  fri_gpu_progress *progress) {
    int block = fri_gpu_block_knob(g, WF_KNOB_BLOCK);
    int32_t known = round == 1 ? g->source_count : g->host_control[WF_SIZE + (round & 1)];
    int32_t stride = fri_gpu_sssp_rounds_per_check(g, WF_KNOB_ROUNDS, max_rounds, known);
    unsigned tiles = fri_gpu_blocks(stride == 1 ? known : g->n, WF_BLOCK);
    if (stride > 1)
        tiles = FRI_MIN(tiles, wf_resident(g, WF_BLOCK));
    for (int32_t r = round; r < round + stride; r++)
        wf_launch<T>(g, r, block, tiles, split);
    FRI_GPU_TRY(fri_gpu_sssp_read_control(g));
    split.round = g->host_control[WF_ROUND];
    if (g->host_control[WF_RAW + 1] || (uint32_t)g->host_control[WF_RAW] > (uint32_t)g->n)
        FRI_GPU_TRY(wf_rest<T>(g, block, split));
    progress->levels = split.round - round + 1;
    progress->found = g->host_control[WF_SIZE + (~split.round & 1)];
    return FR_OK;
}

#endif
