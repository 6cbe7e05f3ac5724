/* Distances from many sources at once in a graph with weights of at least 0, for centrality.
 *
 * Distances are doubles whatever the type of the weights, as in cpu/centrality/pass.h: sums of
 * integers are exact below 2^53, which fri_pass_check ensures, and sums of floats are rounded in the
 * order of the path, so that both backends find the same bits. dist[v][s] is the distance of v from source s;
 * sources are padded to whole groups of 32. */
#ifndef FRI_CUDA_CENTRALITY_WEIGHTED_SEARCHES_CUH
#define FRI_CUDA_CENTRALITY_WEIGHTED_SEARCHES_CUH

#include "cuda/apsp/multi_sssp/run.cuh"
#include "cuda/drivers/graph_call.h"

#ifdef FRI_SIMT /* small, since every thread costs time */
enum { FRI_SEARCHES_BLOCK = 64 };
#else
enum { FRI_SEARCHES_BLOCK = 256 };
#endif

/* Runs what follows with W defined as the type of the weights. */
#define FRI_BY_WEIGHT(g, ...)                                                                      \
    FRI_BY_TYPE(W, (g)->job->csr.weight_type, int32_t, int64_t, float, double, __VA_ARGS__)

struct fri_searches {
    int32_t n;
    int32_t width, groups, count; /* of this batch: count padded to whole groups, groups, sources */
    double *dist;                 /* [n][width] infinity: not reached */
    int32_t *sources;             /* [width] distinct */
    rows_memory rows;             /* of the blocks that search */
};

/* Sets what needs no device. The strategy's problem is FR_PROBLEM_SSSP. */
void fri_searches_bind(fri_gpu_call *call, fr_ctx *ctx, const fr_graph *graph,
                       const fri_strategy *strategy);
/* Chooses how many sources a batch has: the most that `count` fills, that occupy the GPU, and that
 * fit the free memory twice; at least 32. */
fr_status fri_searches_plan(fri_gpu_call *call, int64_t count);

/* The number of sources and of distances of the largest batch. */
int64_t fri_searches_sources(const fri_gpu *g);
static inline int64_t fri_searches_cells(const fri_gpu *g) {
    return fri_searches_sources(g) * g->n;
}
fri_searches fri_searches_carve(const fri_gpu *g, char **at);

/* Sets the distances of a batch. sources: NULL, or in host memory; then entries first .. first +
 * count - 1. NULL: these vertices. total: sources of all batches. Uses control words 0 .. 7. */
fr_status fri_searches_run(fri_gpu *g, fri_searches *s, const int32_t *sources, int64_t first,
                           int32_t count, const char *phase, int64_t total);

/* Whole warp: the sum over its lanes, in all lanes, in an order that is always the same. */
static __device__ __forceinline__ double fri_searches_warp_sum(double value) {
    for (int d = FRI_WARP / 2; d; d /= 2)
        value += __shfl_xor_sync(FRI_FULL_MASK, value, d);
    return value;
}

#endif
