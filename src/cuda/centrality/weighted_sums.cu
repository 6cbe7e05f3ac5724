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

static size_t sum_bytes(const fri_gpu *g) {
    return fri_align_line(fri_bytes(g->n, sizeof(double)));
}
static size_t device_scratch(const fri_gpu *g) {
    return fri_searches_bytes(g) + SUMS * sum_bytes(g);
}

static fr_status run(fri_gpu *g, const char *phase, double *const to[SUMS]) {
    const int64_t batch = fri_searches_sources(g);
    const int size = sizeof(double);
    char *at = g->scratch;
    fri_searches s = fri_searches_carve(g, &at);
    sums own = {};
    for (double *&sum : own.of) {
        sum = (double *)fri_carve(&at, sum_bytes(g));
        FRI_GPU_TRY(fri_gpu_zero(g, sum, sum_bytes(g)));
    }
    for (int64_t first = 0; first < g->n; first += batch) {
        const int32_t count = (int32_t)FRI_MIN(batch, g->n - first);
        FRI_GPU_TRY(fri_searches_run(g, &s, nullptr, first, count, phase, g->n));
        FRI_RUN_EACH(add_kernel, (int64_t)g->n * FRI_WARP, FRI_SEARCHES_BLOCK, s, own);
    }
    FRI_GPU_TRY(fri_gpu_wait(g, phase));
    for (int i = 0; i < SUMS; i++) {
        const fri_gpu_output outputs[] = {{to[i], own.of[i], g->n, size, size}};
        FRI_GPU_TRY(fri_gpu_download_results(g, outputs, 1, false, nullptr));
    }
    return FR_OK;
}

FRI_GPU_CALL_STRATEGY(strategy, "weighted-distance-sums", FR_PROBLEM_SSSP, FRI_NEEDS_NON_NEGATIVE,
                      device_scratch);

extern "C" fr_status fri_gpu_weighted_distance_sums(fr_ctx *ctx, const fr_graph *graph,
                                                    const char *phase, double *reached, double *far,
                                                    double *near) {
    fri_gpu_call call;
    fri_gpu *g;
    double *const to[SUMS] = {reached, far, near};
    if (!graph->csr.n)
        return FR_OK;
    fri_searches_bind(&call, ctx, graph, &strategy);
    fr_status status = fri_searches_plan(&call, graph->csr.n);
    if (!status)
        status = fri_gpu_call_open(&call, &g);
    if (!status)
        status = run(g, phase, to);
    fri_gpu_call_close(&call);
    return status;
}
