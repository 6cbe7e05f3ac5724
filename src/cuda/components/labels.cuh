/* Components labeled by their smallest vertex: numbers them in that order and counts their sizes. */
#ifndef FRI_CUDA_COMPONENTS_LABELS_CUH
#define FRI_CUDA_COMPONENTS_LABELS_CUH

#include "cuda/device/results/results.h"
#include "cuda/drivers/graph_call.h"
#include "cuda/prim/device.cuh"
#include "cuda/prim/scan.cuh"

#ifdef FRI_SIMT /* small, since every thread costs time */
enum { FRI_LABELS_BLOCK = 128 };
#else
enum { FRI_LABELS_BLOCK = 1024 };
#endif
enum { FRI_LABELS_COUNT, FRI_LABELS_WORDS }; /* control words; afforest.cu adds its own */

struct fri_labels {
    int32_t n;
    int32_t *label;   /* [n] */
    int32_t *rank;    /* [n] a root's number, last the sizes; free before fri_labels_finish */
    int32_t *roots;   /* roots in each block of vertices, then in those before it */
    int32_t *control;
};

static __device__ __forceinline__ int32_t fri_labels_thread() {
    return (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
}

static __global__ void fri_labels_count_roots_kernel(fri_labels f) {
    const int32_t v = fri_labels_thread();
    const int roots = __syncthreads_count(v < f.n && f.label[v] == v);
    if (threadIdx.x == 0)
        f.roots[blockIdx.x] = roots;
}

/* Replaces f.roots by the sums over earlier blocks. One block. */
static __global__ void __launch_bounds__(FRI_LABELS_BLOCK) fri_labels_sum_roots_kernel(fri_labels f, int32_t blocks) {
    int32_t before = 0;
    for (int32_t first = 0; first < blocks; first += (int32_t)blockDim.x) {
        const int32_t i = first + (int32_t)threadIdx.x;
        int32_t total, sum = fri_block_prefix(i < blocks ? f.roots[i] : 0, &total);
        if (i < blocks)
            f.roots[i] = before + sum;
        before += total;
    }
    if (threadIdx.x == 0)
        f.control[FRI_LABELS_COUNT] = before;
}

static __global__ void fri_labels_rank_roots_kernel(fri_labels f) {
    const int32_t v = fri_labels_thread();
    const bool is_root = v < f.n && f.label[v] == v;
    int total, before = fri_block_prefix((int)is_root, &total);
    if (is_root)
        f.rank[v] = f.roots[blockIdx.x] + before;
}

static __global__ void fri_labels_number_kernel(fri_labels f) {
    const int32_t v = fri_labels_thread();
    if (v < f.n)
        f.label[v] = f.rank[f.label[v]];
}

/* Counts the sizes in f.rank, which is zero before. A warp adds the label of its first lane
 * once. */
static __global__ void fri_labels_sizes_kernel(fri_labels f) {
    const int32_t v = fri_labels_thread(), label = v < f.n ? f.label[v] : -1;
    const int32_t first = __shfl_sync(FRI_FULL_MASK, label, 0);
    const int same = __popc(__ballot_sync(FRI_FULL_MASK, label == first));
    if (label >= 0 && (label != first || fri_lane() == 0))
        atomicAdd(&f.rank[label], label == first ? same : 1); /* several warps may have the label */
}

/* ---- host -------------------------------------------------------------------------------- */

static inline unsigned fri_labels_blocks(const fri_gpu *g) {
    return fri_gpu_blocks(g->n, FRI_LABELS_BLOCK);
}
static inline fri_labels fri_labels_carve(const fri_gpu *g, char **at) {
    fri_labels f = {};
    f.n = g->n;
    fri_carve_array(at, &f.label, g->n);
    fri_carve_array(at, &f.rank, g->n);
    fri_carve_array(at, &f.roots, fri_labels_blocks(g));
    f.control = g->control;
    return f;
}

static inline fr_status fri_labels_number(fri_gpu *g, const fri_labels &f, int32_t *count) {
    const unsigned blocks = fri_labels_blocks(g);
    FRI_RUN(fri_labels_count_roots_kernel, blocks, FRI_LABELS_BLOCK, f);
    FRI_RUN(fri_labels_sum_roots_kernel, 1, FRI_LABELS_BLOCK, f, (int32_t)blocks);
    FRI_RUN(fri_labels_rank_roots_kernel, blocks, FRI_LABELS_BLOCK, f);
    FRI_RUN(fri_labels_number_kernel, blocks, FRI_LABELS_BLOCK, f);
    FRI_GPU_TRY(fri_gpu_read_control(g, 0, FRI_LABELS_WORDS));
    *count = g->host_control[FRI_LABELS_COUNT];
    return FR_OK;
}

static inline fr_status fri_labels_measure(fri_gpu *g, const fri_labels &f, int32_t count) {
    FRI_GPU_TRY(fri_gpu_zero(g, f.rank, fri_bytes(count, sizeof(int32_t))));
    FRI_RUN(fri_labels_sizes_kernel, fri_labels_blocks(g), FRI_LABELS_BLOCK, f);
    return fri_gpu_launched(g);
}

/* Numbers the components and fills the caller's arrays; size may be NULL. */
static inline fr_status fri_labels_finish(fri_gpu *g, const fri_labels &f, int32_t *label,
                                          int32_t *size, int32_t *count) {
    const int id = sizeof(int32_t);
    FRI_GPU_TRY(fri_labels_number(g, f, count));
    if (size)
        FRI_GPU_TRY(fri_labels_measure(g, f, *count));
    FRI_GPU_TRY(fri_gpu_wait(g, "finding components"));
    const fri_gpu_output outputs[] = {{label, f.label, g->n, id, id}, {size, f.rank, *count, id, id}};
    return fri_gpu_download_results(g, outputs, 2, false, nullptr);
}

/* The part of a call that differs between strategies: labels the components on the device, then calls
 * fri_labels_finish. */
typedef fr_status fri_labels_run(fri_gpu *g, int32_t *label, int32_t *size, int32_t *count);

/* The whole call: opens the graph on the device, runs, and closes it. */
static inline fr_status fri_labels_call(fr_ctx *ctx, const fr_graph *graph,
                                        const fri_strategy *strategy, fri_labels_run *run,
                                        int32_t *label, int32_t *size, int32_t *count) {
    fri_gpu_call call;
    *count = 0;
    if (!graph->csr.n)
        return FR_OK;
    FRI_GPU_TRY(fri_progress(ctx, "finding components", 0, 1));
    fri_gpu_call_bind(&call, ctx, graph, strategy);
    return fri_gpu_call_run(&call, FR_OK, [&](fri_gpu *g) { return run(g, label, size, count); });
}

#endif
