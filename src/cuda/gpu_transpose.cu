/* In-edges made on the device: the CSR there with rows and columns exchanged.
 *
 * Source: LSD radix sort of CUB (cub::DeviceRadixSort; Adinets, Merrill: Onesweep, 2022).
 * Idea: the edges of a CSR lie in ascending order of their sources, so that a stable sort of
 *   (target, source) by target alone leaves every row of the result ascending. Only the bits that
 *   a vertex has are sorted, 8 to a pass; the offsets are found in the sorted targets.
 * Needs: 12 bytes an edge and what CUB wants beside both CSRs while it lasts:
 *   fri_gpu_makes_in_edges asks for it, and the host exchanges rows and columns where it is not
 *   there. Weights are not carried along: no row pulls over weights. Work: 4 m + 16 m bytes a pass.
 * Under the host's executor a counting sort stands in for CUB.
 */
#include "cuda/prim/device.cuh"

#ifndef FRI_SIMT
#define CUB_DISABLE_CDP
#include <cub/device/device_radix_sort.cuh>
#endif

namespace {
enum { BLOCK = 256, EACH = 8, TILE = BLOCK * EACH };

/* Two buffers of each; the sorted pairs are to lie in keys[now] and values[now]. */
struct pairs {
    uint32_t *keys[2];
    int32_t *values[2];
    int64_t count;
    int bits, now;
};
} // namespace

/* Of rows low .. high the last that begins at or before the edge: not an empty one. */
template <class O>
static __device__ __forceinline__ int32_t row_of(const O *offsets, int32_t low, int32_t high,
                                                 O edge) {
    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;
        if (offsets[middle] <= edge)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* The row of the edge after one of `row`: that, the next, or a later one. */
template <class O>
static __device__ __forceinline__ int32_t next_row(const O *offsets, int32_t row, int32_t last,
                                                   O edge) {
    if (offsets[row + 1] > edge)
        return row;
    return offsets[row + 2] > edge ? row + 1 : row_of(offsets, row + 2, last, edge);
}

/* A block takes TILE edges: finds the rows of the first and the last, then each thread that of the
 * first of its EACH between them, and walks. sources: room for a whole number of EACH. */
template <class O>
static __global__ void sources_kernel(fri_rows<O> rows, int32_t n, int64_t m, int4 *sources) {
    FRI_SHARED(int32_t, ends, 2);
    const int64_t first = (int64_t)blockIdx.x * TILE, end = FRI_MIN(first + TILE, m);
    const int64_t mine = first + (int64_t)threadIdx.x * EACH;
    if (threadIdx.x < 2)
        ends[threadIdx.x] = row_of(rows.offsets, 0, n - 1, (O)(threadIdx.x ? end - 1 : first));
    __syncthreads(); /* both ends are known */
    if (mine >= end)
        return;
    int32_t row = row_of(rows.offsets, ends[0], ends[1], (O)mine), at[EACH];
    FRI_UNROLL
    for (int i = 0; i < EACH; i++) {
        if (i && mine + i < end)
            row = next_row(rows.offsets, row, ends[1], (O)(mine + i));
        at[i] = row;
    }
    sources[mine / 4] = {at[0], at[1], at[2], at[3]};
    sources[mine / 4 + 1] = {at[4], at[5], at[6], at[7]};
}

/* A thread an offset: how many sorted targets are less than v. */
template <class O>
static __global__ void offsets_kernel(const uint32_t *sorted, int64_t m, int32_t n, O *offsets) {
    const int64_t v = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    int64_t low = 0, high = m;
    if (v > n)
        return;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if ((int64_t)sorted[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    offsets[v] = (O)low;
}

/* ---- the sort: with temp NULL only *bytes is set ---- */

#ifdef FRI_SIMT
static cudaError_t sort(pairs *p, void *temp, size_t *bytes, cudaStream_t) {
    const size_t size = (size_t)p->count * sizeof(uint32_t);
    *bytes = 1;
    if (!temp)
        return cudaSuccess;
    uint32_t *keys = new uint32_t[2 * p->count], *to = keys + p->count;
    int32_t *values = new int32_t[2 * p->count], *values_to = values + p->count;
    int64_t *at = new int64_t[((size_t)1 << p->bits) + 1]();
    cudaMemcpy(keys, p->keys[p->now], size, cudaMemcpyDeviceToHost);
    cudaMemcpy(values, p->values[p->now], size, cudaMemcpyDeviceToHost);
    for (int64_t i = 0; i < p->count; i++)
        at[keys[i] + 1]++;
    for (size_t k = 0; k < (size_t)1 << p->bits; k++)
        at[k + 1] += at[k];
    for (int64_t i = 0; i < p->count; i++) {
        int64_t place = at[keys[i]]++;
        to[place] = keys[i];
        values_to[place] = values[i];
    }
    p->now ^= 1;
    cudaMemcpy(p->keys[p->now], to, size, cudaMemcpyHostToDevice);
    cudaMemcpy(p->values[p->now], values_to, size, cudaMemcpyHostToDevice);
    delete[] at;
    delete[] values;
    delete[] keys;
    return cudaSuccess;
}
static int passes(int) { return 1; }
#else
static cudaError_t sort(pairs *p, void *temp, size_t *bytes, cudaStream_t stream) {
    cub::DoubleBuffer<uint32_t> keys(p->keys[p->now], p->keys[!p->now]);
    cub::DoubleBuffer<int32_t> values(p->values[p->now], p->values[!p->now]);
    const cudaError_t error = cub::DeviceRadixSort::SortPairs(
        temp, *bytes, keys, values, (uint32_t)p->count, 0, p->bits, stream);
    p->now ^= temp ? keys.selector : 0;
    return error;
}
/* A guess, right for large graphs: which buffer to begin with. */
static int passes(int bits) { return (bits + 7) / 8; }
#endif

static int bits_of(int32_t n) {
    int bits = 1;
    while (bits < 31 && (int32_t)1 << bits < n)
        bits++;
    return bits;
}

static size_t array_bytes(const fri_gpu *g) {
    return fri_gpu_line(fri_bytes(g->m, sizeof(int32_t)));
}

extern "C" size_t fri_gpu_transpose_bytes(const fri_gpu *g) {
    pairs p = {};
    size_t own = 0;
    p.count = g->m;
    p.bits = bits_of(g->n);
    if (!g->m)
        return 0;
    if (sort(&p, nullptr, &own, nullptr)) {
        cudaGetLastError(); /* no device: the solver will say so */
        own = fri_bytes(g->m, 1);
    }
    return 3 * array_bytes(g) + fri_gpu_line(own);
}

static char *carve(char **room, size_t bytes) {
    char *at = *room;
    *room += bytes;
    return at;
}

/* sources and targets -> g->in.targets, with the sorted targets where *sorted says. */
static fr_status sort_edges(fri_gpu *g, char *room, size_t bytes, const uint32_t **sorted) {
    pairs p = {};
    int32_t *targets = (int32_t *)(uintptr_t)g->in.targets;
    p.count = g->m;
    p.bits = bits_of(g->n);
    for (int i = 0; i < 2; i++)
        p.keys[i] = (uint32_t *)carve(&room, array_bytes(g));
    p.values[0] = targets;
    p.values[1] = (int32_t *)carve(&room, array_bytes(g));
    bytes -= 3 * array_bytes(g);
    p.now = passes(p.bits) & 1;
    const unsigned blocks = fri_gpu_blocks((g->m + TILE - 1) / TILE, 1);
    FRI_BY_WIDTH(g, (FRI_LAUNCH((sources_kernel<O>), blocks, BLOCK, 0, g->stream,
                                fri_rows_of<O>(g->out), g->n, g->m, (int4 *)p.values[p.now])));
    size_t array = fri_bytes(g->m, sizeof(int32_t));
    FRI_GPU_TRY(fri_gpu_check(
        g,
        cudaMemcpyAsync(p.keys[p.now], g->out.targets, array, cudaMemcpyDeviceToDevice, g->stream),
        "copying targets"));
    FRI_GPU_TRY(fri_gpu_check(g, sort(&p, room, &bytes, g->stream), "sorting edges"));
    *sorted = p.keys[p.now];
    if (p.values[p.now] == targets)
        return FR_OK;
    return fri_gpu_check(
        g, cudaMemcpyAsync(targets, p.values[p.now], array, cudaMemcpyDeviceToDevice, g->stream),
        "copying sources");
}

extern "C" fr_status fri_gpu_transpose(fri_gpu *g) {
    const size_t bytes = fri_gpu_transpose_bytes(g);
    const int64_t count = (int64_t)g->n + 1;
    const uint32_t *sorted = nullptr;
    void *room = g->scratch, *offsets, *targets;
    const fri_gpu_part parts[] = {{&offsets, fri_bytes(count, g->wide ? 8 : 4)},
                                  {&targets, fri_bytes(g->m, sizeof(int32_t))}};
    FRI_GPU_TRY(fri_gpu_alloc_parts(g, parts, 2));
    if (!g->scratch)
        FRI_GPU_TRY(fri_gpu_alloc(g, &room, bytes));
    g->in = {};
    g->in.offsets = offsets;
    g->in.targets = (const int32_t *)targets;
    if (g->m)
        FRI_GPU_TRY(sort_edges(g, (char *)room, bytes, &sorted));
    FRI_BY_WIDTH(g, (FRI_LAUNCH((offsets_kernel<O>), fri_gpu_blocks(count, BLOCK), BLOCK, 0,
                                g->stream, sorted, g->m, g->n, (O *)offsets)));
    FRI_GPU_TRY(fri_gpu_check(g, cudaStreamSynchronize(g->stream), "making in-edges"));
    if (!g->scratch)
        fri_gpu_drop(g, room, bytes);
    return FR_OK;
}
