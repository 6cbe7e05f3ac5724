/* In-rows: the edges into each vertex with their weights, over which a directed graph pulls.
 *
 * They are made on the device, from the out-rows before these are sorted and packed. Edges are counted by target,
 * a prefix sum of the counts gives the rows, and each edge reserves the next position of its row, so that the order
 * within a row differs between runs until the rows are sorted. transpose.cu moves every edge twice, in order, and no
 * weights; this moves an edge once, to a random place, and needs no memory beside the result.
 * Work: two atomics per edge, and 8 bytes (12 for weights of 64 bits) to a random place. */
#ifndef FRI_CUDA_SSSP_AUTO_IN_ROWS_CUH
#define FRI_CUDA_SSSP_AUTO_IN_ROWS_CUH

#include "cuda/prim/distance.cuh"
#include "cuda/prim/scan.cuh"

enum { IN_ROW_THREADS = 256, MAX_SHARES = 1024 };
#ifdef FRI_SIMT /* several shares on small graphs */
enum { MIN_SHARE = 48 };
#else
enum { MIN_SHARE = 4096 };
#endif

namespace {
/* W: an integer as wide as the weights. */
template <class W> struct in_rows_job {
    const int64_t *offsets; /* [n + 1], [m], [m] the out-rows */
    const int32_t *targets;
    const W *weights; /* NULL: all are 1 */
    int32_t n;
    int64_t m;
    /* [n + 1] the result; at v + 1 first the number of edges into v, then their first position, then
     * the next free one, at last their end */
    int64_t *in_offsets;
    int32_t *in_sources;      /* [m] */
    W *in_weights;            /* [m] or NULL */
    unsigned long long *sums; /* [shares] edges into the vertices of a share */
    int64_t share;            /* vertices of a block */
};
} // namespace

static int in_row_shares(int32_t n) {
    return FRI_MIN((n + (int64_t)MIN_SHARE - 1) / MIN_SHARE, (int64_t)MAX_SHARES);
}

/* One thread per edge, in_offsets zero before. */
template <class W> static __global__ void count_in_edges_kernel(in_rows_job<W> t) {
    int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (e < t.m) /* atomic: other edges have the same target */
        atomicAdd((unsigned long long *)&t.in_offsets[t.targets[e] + (int64_t)1], 1ull);
}

/* One block per share. */
template <class W>
static __global__ void __launch_bounds__(IN_ROW_THREADS) sum_in_edges_kernel(in_rows_job<W> t) {
    const int64_t low = blockIdx.x * t.share, high = FRI_MIN(low + t.share, (int64_t)t.n);
    unsigned long long mine = 0;
    for (int64_t v = low + threadIdx.x; v < high; v += IN_ROW_THREADS)
        mine += (unsigned long long)t.in_offsets[v + 1];
    mine = fri_block_total(mine);
    if (threadIdx.x == 0)
        t.sums[blockIdx.x] = mine;
}

/* The same: the first position of each row. */
template <class W>
static __global__ void __launch_bounds__(IN_ROW_THREADS) begin_in_rows_kernel(in_rows_job<W> t) {
    const int64_t low = blockIdx.x * t.share, high = FRI_MIN(low + t.share, (int64_t)t.n);
    unsigned long long mine = 0, done, all;
    for (unsigned i = threadIdx.x; i < blockIdx.x; i += IN_ROW_THREADS)
        mine += t.sums[i];
    fri_block_prefix<unsigned long long>(mine, &done);
    for (int64_t first = low; first < high; first += IN_ROW_THREADS) {
        const int64_t v = first + threadIdx.x;
        mine = v < high ? (unsigned long long)t.in_offsets[v + 1] : 0;
        const unsigned long long before = fri_block_prefix<unsigned long long>(mine, &all);
        if (v < high)
            t.in_offsets[v + 1] = (int64_t)(done + before);
        done += all;
    }
}

/* FRI_EDGES_PER_THREAD edges per thread. */
template <class W> static __global__ void place_in_edges_kernel(in_rows_job<W> t) {
    FRI_EACH_EDGE(t, u, e) {
        /* atomic: reserves this edge's position in the row */
        const unsigned long long at =
            atomicAdd((unsigned long long *)&t.in_offsets[t.targets[e] + (int64_t)1], 1ull);
        t.in_sources[at] = u;
        if (t.weights)
            t.in_weights[at] = t.weights[e];
    }
}

/* Host: fills g->in, whose arrays exist; the scratch of the strategy is at its disposal. */
template <class W> static void make_in_rows(fri_gpu *g) {
    const int shares = in_row_shares(g->n);
    const in_rows_job<W> t = {(const int64_t *)g->out.offsets,
                              g->out.targets,
                              (const W *)g->out.weights,
                              g->n,
                              g->m,
                              (int64_t *)(uintptr_t)g->in.offsets,
                              (int32_t *)(uintptr_t)g->in.targets,
                              (W *)(uintptr_t)g->in.weights,
                              (unsigned long long *)g->scratch,
                              (g->n + (int64_t)shares - 1) / shares};
    cudaMemsetAsync(t.in_offsets, 0, fri_bytes((int64_t)g->n + 1, sizeof(int64_t)), g->stream);
    FRI_RUN_EACH((count_in_edges_kernel<W>), g->m, IN_ROW_THREADS, t);
    FRI_RUN((sum_in_edges_kernel<W>), (unsigned)shares, IN_ROW_THREADS, t);
    FRI_RUN((begin_in_rows_kernel<W>), (unsigned)shares, IN_ROW_THREADS, t);
    FRI_RUN((place_in_edges_kernel<W>), fri_edge_blocks(g, IN_ROW_THREADS), IN_ROW_THREADS, t);
}

#endif
