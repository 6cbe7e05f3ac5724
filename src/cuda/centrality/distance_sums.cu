/* Sums over the distances to vertices, for closeness and harmonic centrality.
 *
 * Source: the searches of bfs/many/state.cuh (Then et al., VLDB 2014), on deep graphs those of bfs/many/blocks.cuh.
 * Idea: searches in the transposed graph, which count the vertices of a level for each source, so that no
 *   row of distances is made, and a vertex needs no other sources.
 * Needs: in-edges; no weights. Scratch: that of the searches.
 * Work: for each 512 sources that of the searches, and the words of the vertices that gain bits in a level, added
 *   bit-sliced (bfs/many/consumers.cuh).
 * Called by: fr_distance_centrality(). */
#include "core/gpu_interface.h"
#include "cuda/centrality/searches.cuh"
#include "cuda/device/results/results.h"

enum { SUMS = 3 };

namespace {
struct batch {
    double *sum[SUMS]; /* [fri_searches_at_once] */
    unsigned *tally;   /* [FRI_PHASES] of them */
};
} // namespace

static batch carve(const fri_gpu *g, char **at) {
    batch b = {};
    for (double *&sum : b.sum)
        fri_carve_array(at, &sum, fri_searches_at_once(g));
    fri_carve_array(at, &b.tally, FRI_PHASES * fri_searches_at_once(g));
    return b;
}
static size_t device_scratch(const fri_gpu *g) {
    return fri_carved_bytes(g, carve) + fri_searches_bytes(g);
}

template <class O>
static fr_status run(fri_gpu *g, const char *phase, fri_vertex_part part, double *const to[SUMS]) {
    char *at = g->scratch;
    const batch b = carve(g, &at);
    const size_t cleared = (size_t)(at - (char *)b.sum[0]);
    size_t zeroed;
    fri_many_control end;
    fri_many<O> p = fri_searches_carve<O>(g, &at, &zeroed);
    const fri_csr_view<O> out = p.out;
    p.out = p.in;
    p.in = out;
    p.reached = b.sum[0];
    p.far = b.sum[1];
    p.near = b.sum[2];
    p.tally = b.tally;
    for (int64_t done = 0; done < part.count; done += p.count) {
        p.first = (int32_t)(part.first + done);
        p.count = (int32_t)FRI_MIN((int64_t)fri_searches_at_once(g), part.count - done);
        FRI_GPU_TRY(fri_gpu_zero(g, b.sum[0], cleared));
        FRI_GPU_TRY(
            fri_searches_any(g, p, zeroed, fri_many_tally{}, {phase, done, part.count}, &end));
        for (int i = 0; i < SUMS; i++)
            FRI_GPU_TRY(
                fri_gpu_download(g, to[i] + done, b.sum[i], fri_bytes(p.count, sizeof *to[i])));
    }
    return FR_OK;
}

FRI_GPU_CALL_STRATEGY(strategy, "distance-sums", FR_PROBLEM_BFS, FRI_NEEDS_IN_EDGES,
                      device_scratch);

fr_status fri_gpu_distance_sums(fr_ctx *ctx, const fr_graph *graph, const char *phase,
                                fri_vertex_part part, fri_distance_sums sums) {
    fri_gpu_call call;
    double *const to[SUMS] = {sums.reached, sums.far, sums.near};
    if (!part.count)
        return FR_OK;
    fri_gpu_call_bind(&call, ctx, graph, &strategy);
    return fri_gpu_call_run(&call, fri_searches_plan(&call, part.count), [&](fri_gpu *g) {
        fr_status status = FR_OK;
        FRI_BY_OFFSET_TYPE(g, status = run<O>(g, phase, part, to));
        return status;
    });
}
