/* Eccentricities of given vertices by breadth-first searches from many of them at once.
 *
 * Source: the searches of bfs/many/state.cuh (Then et al., VLDB 2014).
 * Idea: the last level in which a source finds a vertex is its eccentricity.
 * Needs: in-edges; no weights. Scratch: that of the searches.
 * Work: for each 512 sources that of bfs/many/state.cuh. */
#include "core/gpu_interface.h"
#include "cuda/centrality/searches.cuh"
#include "cuda/device/results/results.h"

namespace {
struct batch {
    int32_t *source, *depth; /* [fri_searches_at_once] */
};
} // namespace

static batch carve(const fri_gpu *g, char **at) {
    batch b = {};
    fri_carve_array(at, &b.source, fri_searches_at_once(g));
    fri_carve_array(at, &b.depth, fri_searches_at_once(g));
    return b;
}
static size_t device_scratch(const fri_gpu *g) {
    return fri_carved_bytes(g, carve) + fri_searches_bytes(g);
}

template <class O>
static fr_status run(fri_gpu *g, const char *phase, const int32_t *vertex, int32_t count,
                     int32_t *e) {
    char *at = g->scratch;
    const batch b = carve(g, &at);
    size_t zeroed;
    fri_many_control end;
    fri_many<O> p = fri_searches_carve<O>(g, &at, &zeroed);
    p.aligns = true;
    p.sources = b.source;
    p.depth = b.depth;
    for (int32_t first = 0; first < count; first += p.count) {
        p.count = FRI_MIN(fri_searches_at_once(g), count - first);
        const size_t bytes = fri_bytes(p.count, sizeof *e);
        FRI_GPU_TRY(fri_gpu_send(g, b.source, vertex + first, bytes));
        FRI_GPU_TRY(fri_searches_any(g, p, zeroed, fri_many_rows{}, {phase, first, count}, &end));
        FRI_GPU_TRY(fri_gpu_download(g, e + first, b.depth, bytes));
    }
    return FR_OK;
}

FRI_GPU_CALL_STRATEGY(strategy, "eccentricities", FR_PROBLEM_BFS, FRI_NEEDS_IN_EDGES,
                      device_scratch);

fr_status fri_gpu_eccentricities(fr_ctx *ctx, const fr_graph *graph, const char *phase,
                                 const int32_t *vertex, int32_t count, int32_t *e) {
    fri_gpu_call call;
    if (!count)
        return FR_OK;
    fri_gpu_call_bind(&call, ctx, graph, &strategy);
    return fri_gpu_call_run(&call, fri_searches_plan(&call, count), [&](fri_gpu *g) {
        fr_status status = FR_OK;
        FRI_BY_OFFSET_TYPE(g, status = run<O>(g, phase, vertex, count, e));
        return status;
    });
}
