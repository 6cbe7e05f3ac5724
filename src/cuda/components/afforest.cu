/* Weakly connected components by a lock-free union-find that skips most edges.
 *
 * Source: M. Sutton, T. Ben-Nun, A. Barak: Optimizing parallel graph connectivity computation via
 *   subgraph sampling (Afforest), IPDPS 2018. Rows by degree, to threads, warps and blocks, as in
 *   J. Jaiganesh, M. Burtscher: A high-performance connected components implementation for GPUs
 *   (ECL-CC), HPDC 2018.
 * Idea: every vertex is linked to its first two neighbors; a sample of labels then finds the giant
 *   component, and only vertices outside it process the rest of their rows.
 * Differs: always links the larger root to the smaller one, so that the label is the minimum vertex
 *   for every order of threads; components are then numbered in the order of their labels. In a
 *   directed graph no vertex is skipped, since an edge into the giant component may be stored at
 *   either end.
 * Needs: nothing. Scratch: 8 bytes per vertex. Work: at most n + m, typically 2 n and the edges
 *   outside the giant component. Launches: 13. Atomics: one per attempted link, one per vertex or
 *   warp for the sizes. */
#include "core/gpu_interface.h"
#include "cuda/components/labels.cuh"
#include "cuda/drivers/graph_call.h"
#include "cuda/prim/device.cuh"

enum { GIANT = FRI_LABELS_WORDS, LONG_ROWS }; /* control words */
/* WARP_ROW, BLOCK_ROW: edges of a row beyond which a warp, and a block, process it. */
#ifdef FRI_SIMT /* small, since every thread costs time */
enum { SAMPLES = 64, BLOCK = 64, WARP_ROW = 4, BLOCK_ROW = 48 };
#else
enum { SAMPLES = 256, BLOCK = 256, WARP_ROW = 24, BLOCK_ROW = 8192 };
#endif
enum { FIRST_NEIGHBORS = 2 };

namespace {
/* rank: first the list of long rows. */
typedef fri_labels forest;
} // namespace

static __device__ void join(int32_t *label, int32_t u, int32_t v) {
    /* racy: labels only decrease, and a stale one only lengthens the path */
    int32_t a = fri_racy_load(&label[u]), b = fri_racy_load(&label[v]);
    while (a != b) {
        int32_t high = a > b ? a : b, low = a > b ? b : a, above = fri_racy_load(&label[high]);
        /* only a root may be linked, and only by one thread: the compare-and-swap decides */
        if (above == low || (above == high && atomicCAS(&label[high], high, low) == high))
            return;
        a = fri_racy_load(&label[fri_racy_load(&label[high])]);
        b = fri_racy_load(&label[low]);
    }
}

static __global__ void begin_kernel(forest f) {
    int32_t v = fri_labels_thread();
    if (v < f.n)
        f.label[v] = v;
}

template <class O>
static __global__ void link_neighbor_kernel(fri_csr_view<O> csr, forest f, int32_t index) {
    int32_t v = fri_labels_thread();
    if (v >= f.n)
        return;
    O e = csr.offsets[v] + (O)index;
    if (e < csr.offsets[v + 1])
        join(f.label, v, csr.targets[e]);
}

static __global__ void flatten_kernel(forest f) {
    int32_t v = fri_labels_thread();
    if (v >= f.n)
        return;
    /* racy: every label on the path leads to the root, whether flattened yet or not */
    int32_t root = fri_racy_load(&f.label[v]), above;
    while ((above = fri_racy_load(&f.label[root])) != root)
        root = above;
    fri_racy_store(&f.label[v], root);
}

/* One block: the most frequent label among SAMPLES vertices. */
static __global__ void sample_kernel(forest f) {
    FRI_SHARED(int32_t, candidate, SAMPLES);
    FRI_SHARED(int, best, 1);
    const int i = (int)threadIdx.x;
    const uint32_t mixed = (uint32_t)(((uint64_t)i + 1) * 0x9e3779b97f4a7c15ull >> 32);
    candidate[i] = f.label[(int64_t)((uint64_t)mixed * (uint64_t)f.n >> 32)];
    if (i == 0)
        *best = 0;
    __syncthreads(); /* all candidates are written */
    int count = 0;
    for (int k = 0; k < SAMPLES; k++)
        count += candidate[k] == candidate[i];
    atomicMax(best, count);
    __syncthreads(); /* the maximum is known */
    /* atomic: candidates of equal count; any is right */
    if (count == *best)
        atomicExch(&f.control[GIANT], candidate[i]);
}

/* Links the rest of a thread's row. The warp shares a long row, and lists rows for whole blocks. */
template <class O> static __device__ void link_rows(fri_csr_view<O> csr, forest f, bool skips) {
    const int32_t v = fri_labels_thread();
    O e = 0, end = 0;
    /* racy: a label that is just being linked below the giant's root only costs its row */
    if (v < f.n && !(skips && fri_racy_load(&f.label[v]) == f.control[GIANT])) {
        e = csr.offsets[v];
        end = csr.offsets[v + 1];
        e = end - e > FIRST_NEIGHBORS ? e + FIRST_NEIGHBORS : end;
    }
    if (end - e > BLOCK_ROW) {
        f.rank[atomicAdd(&f.control[LONG_ROWS], 1)] = v; /* reserves a place in the list */
        e = end;
    }
    for (unsigned left = __ballot_sync(FRI_FULL_MASK, end - e > WARP_ROW); left; left &= left - 1) {
        const int lane = __ffs((int)left) - 1;
        const O first = __shfl_sync(FRI_FULL_MASK, e, lane);
        const O last = __shfl_sync(FRI_FULL_MASK, end, lane);
        const int32_t u = __shfl_sync(FRI_FULL_MASK, v, lane);
        for (O k = first + (O)fri_lane(); k < last; k += FRI_WARP)
            join(f.label, u, csr.targets[k]);
        __syncwarp();
        if (fri_lane() == lane)
            e = end;
    }
    for (; e < end; e++)
        join(f.label, v, csr.targets[e]);
}

template <class O>
static __global__ void link_rows_kernel(fri_csr_view<O> csr, forest f, bool skips) {
    link_rows(csr, f, skips);
}

/* Links the listed rows, one block per row. */
template <class O>
static __global__ void __launch_bounds__(FRI_LABELS_BLOCK)
    link_long_rows_kernel(fri_csr_view<O> csr, forest f) {
    for (int32_t i = (int32_t)blockIdx.x; i < f.control[LONG_ROWS]; i += (int32_t)gridDim.x) {
        const int32_t v = f.rank[i];
        for (O e = csr.offsets[v] + FIRST_NEIGHBORS + threadIdx.x; e < csr.offsets[v + 1];
             e += (O)blockDim.x)
            join(f.label, v, csr.targets[e]);
    }
}

/* ---- host -------------------------------------------------------------------------------- */

static size_t device_scratch(const fri_gpu *g) { return fri_carved_bytes(g, fri_labels_carve); }

static fr_status link_first(fri_gpu *g, const forest &f) {
    const unsigned blocks = fri_gpu_blocks(g->n, BLOCK);
    FRI_RUN(begin_kernel, blocks, BLOCK, f);
    for (int32_t i = 0; i < FIRST_NEIGHBORS; i++) {
        FRI_BY_OFFSET_TYPE(
            g, FRI_RUN((link_neighbor_kernel<O>), blocks, BLOCK, fri_csr_view_of<O>(g->out), f, i));
        FRI_RUN(flatten_kernel, blocks, BLOCK, f);
    }
    return fri_gpu_launched(g);
}

static fr_status link_rest(fri_gpu *g, const forest &f) {
    const unsigned blocks = fri_gpu_blocks(g->n, BLOCK);
    const bool skips = g->job->csr.symmetric;
    if (skips)
        FRI_RUN(sample_kernel, 1, SAMPLES, f);
    FRI_BY_OFFSET_TYPE(
        g, FRI_RUN((link_rows_kernel<O>), blocks, BLOCK, fri_csr_view_of<O>(g->out), f, skips));
    FRI_BY_OFFSET_TYPE(g, FRI_RUN((link_long_rows_kernel<O>), (unsigned)g->multiprocessors,
                                  FRI_LABELS_BLOCK, fri_csr_view_of<O>(g->out), f));
    FRI_RUN(flatten_kernel, blocks, BLOCK, f);
    return fri_gpu_launched(g);
}

static fr_status run(fri_gpu *g, int32_t *label, int32_t *size, int32_t *count) {
    char *at = g->scratch;
    const forest f = fri_labels_carve(g, &at);
    FRI_GPU_TRY(link_first(g, f));
    FRI_GPU_TRY(link_rest(g, f));
    return fri_labels_finish(g, f, label, size, count);
}

FRI_GPU_CALL_STRATEGY(strategy, "components", FR_PROBLEM_BFS, 0, device_scratch);

fr_status fri_gpu_components(fr_ctx *ctx, const fr_graph *graph, int32_t *label, int32_t *size,
                             int32_t *count) {
    return fri_labels_call(ctx, graph, &strategy, run, label, size, count);
}
