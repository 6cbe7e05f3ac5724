/* Checks a caller's CSR in device memory: one pass over the offsets, one over the edges, one over the
 * weights.
 *
 * Idea: a thread takes consecutive edges and finds the row of the first by binary search, so that hubs
 *   need nothing special. The pass over the edges follows offsets and therefore begins only where
 *   the pass before found none wrong; it reads that on the device, so the host waits once.
 * Symmetry: the sum over edges of a hash of the pair and the weight, positive upwards and negative
 *   downwards, is 0 if every edge has its reverse, and otherwise with probability 2^-64.
 * Work: n + m. */
#include "cuda/graph/rows_check.h"
#include "cuda/prim/device.cuh"
#include "cuda/prim/reduce.cuh"
#include "graph/derived.h"

#include <limits.h>
#include <string.h>

static const int BLOCK = 256, EDGES_PER_THREAD = 16;
static const unsigned long long DEGREE_LIMIT = 1 << 20; /* no sum of squares wraps */

/* ---- offsets ----------------------------------------------------------------------------- */

template <class O>
static __global__ void check_offsets_kernel(const O *offsets, int32_t n, fri_rows_report *report) {
    const int64_t u = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long square = 0;
    if (u == 0) {
        report->first = offsets[0];
        report->last = offsets[n];
    }
    if (u < n && offsets[u] > offsets[u + 1])
        atomicMin(&report->row, (unsigned long long)u);
    else if (u < n) {
        const unsigned long long degree = (unsigned long long)(offsets[u + 1] - offsets[u]);
        square = degree * (degree < DEGREE_LIMIT ? degree : DEGREE_LIMIT);
    }
    fri_grid_add(&report->squares, square);
}

static __device__ __forceinline__ bool offsets_are_valid(const fri_rows_report *report, int64_t m) {
    return report->row == ULLONG_MAX && report->first == 0 && report->last == m;
}

/* ---- edges ------------------------------------------------------------------------------- */

struct no_weight {}; /* of an unweighted graph */

template <class W> struct rows_of {
    const void *offsets;
    const int32_t *targets;
    const W *weights;
    int32_t n;
    int64_t m;
};

/* The last row that begins at or before edge e, from row `low` on. */
template <class O>
static __device__ __forceinline__ int32_t row_at(const O *offsets, int32_t low, int32_t n,
                                                 int64_t e) {
    int32_t high = n;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (offsets[middle] <= e)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static __device__ __forceinline__ unsigned long long mixed(unsigned long long x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static __device__ __forceinline__ unsigned long long bits_of(int32_t w) { return (uint32_t)w; }
static __device__ __forceinline__ unsigned long long bits_of(int64_t w) {
    return (unsigned long long)w;
}
static __device__ __forceinline__ unsigned long long bits_of(float w) {
    return (uint32_t)__float_as_int(w);
}
static __device__ __forceinline__ unsigned long long bits_of(double w) {
    return (unsigned long long)__double_as_longlong(w);
}

template <class W>
static __device__ __forceinline__ unsigned long long weight_bits(const rows_of<W> &rows,
                                                                 int64_t e) {
    return bits_of(rows.weights[e]);
}
static __device__ __forceinline__ unsigned long long weight_bits(const rows_of<no_weight> &,
                                                                 int64_t) {
    return 0;
}
template <class W>
static __device__ __forceinline__ bool descends(const rows_of<W> &rows, int64_t e) {
    return rows.weights[e - 1] > rows.weights[e];
}
static __device__ __forceinline__ bool descends(const rows_of<no_weight> &, int64_t) {
    return false;
}

/* Edge e of row u, which begins at `begin`; returns its part of report->mirror. */
template <class W>
static __device__ __forceinline__ unsigned long long
check_edge(const rows_of<W> &rows, int32_t u, int64_t begin, int64_t e, fri_rows_report *report) {
    const int32_t v = rows.targets[e], before = e > begin ? rows.targets[e - 1] : -1;
    if ((uint32_t)v >= (uint32_t)rows.n)
        atomicMin(&report->target, (unsigned long long)e);
    else if (e > begin && (before > v || (before == v && descends(rows, e))))
        atomicMin(&report->order, (unsigned long long)e);
    if (u == v)
        return 0;
    const unsigned long long low = (uint32_t)(u < v ? u : v), high = (uint32_t)(u < v ? v : u);
    const unsigned long long hash = mixed(mixed(low << 32 | high) ^ weight_bits(rows, e));
    return u < v ? hash : 0 - hash;
}

template <class O, class W>
static __global__ void check_edges_kernel(rows_of<W> rows, fri_rows_report *report) {
    const O *offsets = (const O *)rows.offsets;
    int64_t e = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) * EDGES_PER_THREAD;
    int64_t end = e + EDGES_PER_THREAD < rows.m ? e + EDGES_PER_THREAD : rows.m;
    unsigned long long sum = 0;
    if (e < rows.m && offsets_are_valid(report, rows.m)) {
        int32_t u = row_at(offsets, 0, rows.n, e);
        for (; e < end; e++) {
            if (offsets[u + 1] <= e)
                u = row_at(offsets, u + 1, rows.n, e);
            sum += check_edge(rows, u, (int64_t)offsets[u], e, report);
        }
    }
    fri_grid_add(&report->mirror, sum);
}

template <class W>
static void check_edges(fri_gpu *g, const fr_device_csr *csr, fri_rows_report *report) {
    const rows_of<W> rows = {csr->offsets, csr->targets, (const W *)csr->weights, csr->n, csr->m};
    const unsigned blocks =
        fri_gpu_blocks((csr->m + EDGES_PER_THREAD - 1) / EDGES_PER_THREAD, BLOCK);
    if (csr->offset_type == FR_TYPE_I32)
        FRI_RUN((check_edges_kernel<int32_t, W>), blocks, BLOCK, rows, report);
    else
        FRI_RUN((check_edges_kernel<int64_t, W>), blocks, BLOCK, rows, report);
}

/* ---- weights ----------------------------------------------------------------------------- */

/* Integers in the order of the weights. */
static __host__ __device__ __forceinline__ long long ordered(long long bits) {
    return bits < 0 ? bits ^ LLONG_MAX : bits;
}
static __device__ __forceinline__ long long key_of(int32_t w) { return w; }
static __device__ __forceinline__ long long key_of(int64_t w) { return w; }
static __device__ __forceinline__ long long key_of(double w) {
    return ordered(__double_as_longlong(w));
}
static __device__ __forceinline__ long long key_of(float w) { return key_of((double)w); }
static __device__ __forceinline__ bool is_finite(int64_t) { return true; }
static __device__ __forceinline__ bool is_finite(double w) { return w - w == 0; }

struct weight_range {
    long long min, max;
    double sum;
    int fractions;
};

/* The range of a warp, in all its lanes. */
static __device__ __forceinline__ weight_range warp_range(weight_range mine) {
    for (int d = FRI_WARP / 2; d; d /= 2) {
        const long long other_min = __shfl_xor_sync(FRI_FULL_MASK, mine.min, d);
        const long long other_max = __shfl_xor_sync(FRI_FULL_MASK, mine.max, d);
        mine.sum += __shfl_xor_sync(FRI_FULL_MASK, mine.sum, d);
        mine.min = other_min < mine.min ? other_min : mine.min;
        mine.max = other_max > mine.max ? other_max : mine.max;
        mine.fractions |= __shfl_xor_sync(FRI_FULL_MASK, mine.fractions, d);
    }
    return mine;
}

template <class W, class WIDE>
static __global__ void check_weights_kernel(const W *weights, int64_t m, fri_rows_report *report) {
    weight_range mine = {LLONG_MAX, LLONG_MIN, 0, 0};
    for (int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; e < m;
         e += (int64_t)gridDim.x * blockDim.x) {
        const W w = weights[e];
        const long long key = key_of(w);
        if (!is_finite((WIDE)w))
            atomicMin(&report->weight, (unsigned long long)e);
        mine.min = key < mine.min ? key : mine.min;
        mine.max = key > mine.max ? key : mine.max;
        mine.sum += (double)w;
        mine.fractions |= FRI_HAS_FRACTION((WIDE)w);
    }
    mine = warp_range(mine);
    if (threadIdx.x % FRI_WARP)
        return;
    atomicMin(&report->min, mine.min);
    atomicMax(&report->max, mine.max);
    atomicAdd(&report->sum, mine.sum);
    if (mine.fractions)
        atomicMax(&report->fractions, 1);
}

template <class W, class WIDE>
static void check_weighted(fri_gpu *g, const fr_device_csr *csr, fri_rows_report *report) {
    const unsigned resident = (unsigned)(g->multiprocessors * g->max_threads_per_sm / BLOCK);
    check_edges<W>(g, csr, report);
    FRI_RUN((check_weights_kernel<W, WIDE>), FRI_MIN(fri_gpu_blocks(csr->m, BLOCK), resident),
            BLOCK, (const W *)csr->weights, csr->m, report);
}

/* ---- all --------------------------------------------------------------------------------- */

static fr_status clear(fri_gpu *g, fri_rows_report *report) {
    static const fri_rows_report nothing = {ULLONG_MAX, ULLONG_MAX, ULLONG_MAX, ULLONG_MAX, 0, 0,
                                            0,          0,          LLONG_MAX,  LLONG_MIN,  0, 0};
    return fri_gpu_check(
        g, cudaMemcpyAsync(report, &nothing, sizeof nothing, cudaMemcpyHostToDevice, g->stream),
        "uploading");
}

fr_status fri_gpu_check_rows(fri_gpu *g, const fr_device_csr *csr, fri_rows_report *report) {
    FRI_GPU_TRY(clear(g, report));
    if (csr->offset_type == FR_TYPE_I32)
        FRI_RUN_EACH((check_offsets_kernel<int32_t>), csr->n, BLOCK, (const int32_t *)csr->offsets,
                     csr->n, report);
    else
        FRI_RUN_EACH((check_offsets_kernel<int64_t>), csr->n, BLOCK, (const int64_t *)csr->offsets,
                     csr->n, report);
    if (csr->m)
        switch (csr->weight_type) {
        case FR_TYPE_I32: check_weighted<int32_t, int64_t>(g, csr, report); break;
        case FR_TYPE_I64: check_weighted<int64_t, int64_t>(g, csr, report); break;
        case FR_TYPE_F32: check_weighted<float, double>(g, csr, report); break;
        case FR_TYPE_F64: check_weighted<double, double>(g, csr, report); break;
        default: check_edges<no_weight>(g, csr, report);
        }
    return fri_gpu_launched(g);
}

extern "C" double fri_rows_weight(fr_type type, long long key) {
    double value;
    if (type == FR_TYPE_I32 || type == FR_TYPE_I64)
        return (double)key;
    key = ordered(key);
    memcpy(&value, &key, sizeof value);
    return value;
}
