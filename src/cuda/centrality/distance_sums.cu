/* Sums over the distances to every vertex, for closeness and harmonic centrality.
 *
 * Source: the searches of bfs/many/state.cuh (Then et al., VLDB 2014).
 * Idea: the number of bits that are new at a vertex in a level is the number of sources at that
 *   distance, so that no row of distances is made.
 * Needs: in-edges; no weights. Scratch: 24 bytes per vertex, and that of the searches.
 * Work: for each 512 sources that of bfs/many/state.cuh, and 48 bytes per vertex and distance.
 * Called by: fr_closeness() and fr_harmonic(). */
#include "core/gpu_interface.h"
#include "cuda/centrality/searches.cuh"
#include "cuda/device/results/results.h"

enum { SUMS = 3 };

static fri_many_sums carve(const fri_gpu *g, char **at) {
    fri_many_sums s = {};
    fri_carve_array(at, &s.reached, g->n);
    fri_carve_array(at, &s.far, g->n);
    fri_carve_array(at, &s.near, g->n);
    return s;
}
static size_t device_scratch(const fri_gpu *g) {
    return fri_carved_bytes(g, carve) + fri_searches_bytes(g);
}

template <class O>
static fr_status run_batches(fri_gpu *g, const fri_many_sums &s, char *scratch, const char *phase) {
    size_t zeroed;
    fri_many_control end;
    fri_many<O> p = fri_searches_carve<O>(g, &scratch, &zeroed);
    for (int64_t first = 0; first < g->n; first += p.count) {
        p.first = (int32_t)first;
        p.count = (int32_t)FRI_MIN((int64_t)fri_searches_at_once(g), g->n - first);
        FRI_GPU_TRY(fri_searches_run(g, p, zeroed, s, {phase, first, g->n}, &end));
    }
    return FR_OK;
}

static fr_status run(fri_gpu *g, const char *phase, double *const to[SUMS]) {
    char *at = g->scratch;
    const fri_many_sums s = carve(g, &at);
    double *const own[SUMS] = {s.reached, s.far, s.near};
    fr_status status = FR_OK;
    for (double *sum : own)
        FRI_GPU_TRY(fri_gpu_zero(g, sum, fri_bytes(g->n, sizeof *sum)));
    FRI_BY_OFFSET_TYPE(g, status = run_batches<O>(g, s, at, phase));
    for (int i = 0; i < SUMS && !status; i++)
        status = fri_gpu_download_array(g, phase, to[i], own[i], g->n, sizeof *own[i]);
    return status;
}

FRI_GPU_CALL_STRATEGY(strategy, "distance-sums", FR_PROBLEM_BFS, FRI_NEEDS_IN_EDGES,
                      device_scratch);

fr_status fri_gpu_distance_sums(fr_ctx *ctx, const fr_graph *graph, const char *phase,
                                double *reached, double *far, double *near) {
    fri_gpu_call call;
    double *const to[SUMS] = {reached, far, near};
    if (!graph->csr.n)
        return FR_OK;
    fri_gpu_call_bind(&call, ctx, graph, &strategy);
    return fri_gpu_call_run(&call, fri_searches_plan(&call, graph->csr.n),
                            [&](fri_gpu *g) { return run(g, phase, to); });
}
