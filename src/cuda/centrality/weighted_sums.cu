/* Sums over the distances to every vertex of a graph with weights, for closeness and harmonic
 * centrality.
 *
 * Source: the searches of centrality/weighted_searches.cuh.
 * Idea: a warp per vertex adds the distances from the sources of a batch, one per lane.
 * Differs: groups of 32 sources are added one after the other, so that sums are the same bits on every
 *   run and for every size of the batches.
 * Needs: weights of at least 0. Scratch per vertex 24 bytes, per vertex and source of a batch 8 bytes
 *   and 3 bits.
 * Work: for each batch its searches, and 8 bytes read per vertex and source. Atomics: none of its own.
 * Called by: fr_closeness() and fr_harmonic(). */
#include "core/gpu_interface.h"
#include "cuda/centrality/weighted_searches.cuh"
#include "cuda/device/results/results.h"

#include <math.h>

enum { REACHED, FAR, NEAR, SUMS };

namespace {
struct sums {
    double *of[SUMS]; /* [n] */
};
} // namespace

static __global__ void __launch_bounds__(FRI_SEARCHES_BLOCK) add_kernel(fri_searches s, sums to) {
    const int64_t v = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / FRI_WARP;
    if (v >= s.n)
        return;
    double reached = to.of[REACHED][v], far = to.of[FAR][v], near = to.of[NEAR][v];
    for (int32_t i = fri_lane(); i < s.width; i += FRI_WARP) {
        const double d = i < s.count ? s.dist[v * s.width + i] : (double)INFINITY;
        const bool is_reached = d != (double)INFINITY;
        reached += fri_searches_warp_sum(is_reached);
        far += fri_searches_warp_sum(is_reached ? d : 0);
        near += fri_searches_warp_sum(is_reached && d > 0 ? 1 / d : 0);
    }
    if (fri_lane() == 0) {
        to.of[REACHED][v] = reached;
        to.of[FAR][v] = far;
        to.of[NEAR][v] = near;
    }
}

/* ---- host -------------------------------------------------------------------------------- */

static size_t device_scratch(const fri_gpu *g) {
    return fri_carved_bytes(g, fri_searches_carve) +
           SUMS * fri_align_line(fri_bytes(g->n, sizeof(double)));
}

static fr_status run(fri_gpu *g, const char *phase, double *const to[SUMS]) {
    const int64_t batch = fri_searches_sources(g);
    char *at = g->scratch;
    sums own = {};
    fri_searches s = fri_searches_carve(g, &at);
    for (double *&sum : own.of) {
        fri_carve_array(&at, &sum, g->n);
        FRI_GPU_TRY(fri_gpu_zero(g, sum, fri_bytes(g->n, sizeof *sum)));
    }
    for (int64_t first = 0; first < g->n; first += batch) {
        const int32_t count = (int32_t)FRI_MIN(batch, g->n - first);
        FRI_GPU_TRY(fri_searches_run(g, &s, nullptr, first, count, phase, g->n));
        FRI_RUN_EACH(add_kernel, (int64_t)g->n * FRI_WARP, FRI_SEARCHES_BLOCK, s, own);
    }
    for (int i = 0; i < SUMS; i++)
        FRI_GPU_TRY(fri_gpu_download_array(g, phase, to[i], own.of[i], g->n, sizeof *own.of[i]));
    return FR_OK;
}

FRI_GPU_CALL_STRATEGY(strategy, "weighted-distance-sums", FR_PROBLEM_SSSP, FRI_NEEDS_NON_NEGATIVE,
                      device_scratch);

fr_status fri_gpu_weighted_distance_sums(fr_ctx *ctx, const fr_graph *graph, const char *phase,
                                         double *reached, double *far, double *near) {
    fri_gpu_call call;
    double *const to[SUMS] = {reached, far, near};
    if (!graph->csr.n)
        return FR_OK;
    fri_searches_bind(&call, ctx, graph, &strategy);
    return fri_gpu_call_run(&call, fri_searches_plan(&call, graph->csr.n),
                            [&](fri_gpu *g) { return run(g, phase, to); });
}
