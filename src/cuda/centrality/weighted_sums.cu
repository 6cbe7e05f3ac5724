/* Sums over the distances to every vertex of a graph with weights, for closeness and harmonic
 * centrality.
 *
 * Source: the searches of centrality/weighted_searches.cuh.
 * Idea: the lanes of a warp have 32 sources, in whose order distances lie side by side.
 * Differs: sums are the same bits on every run and for every size of the batches: warp k of WARPS adds the
 *   vertices k, k + WARPS, .. and then the sums of the warps are added in order.
 * Needs: weights of at least 0. Scratch per vertex and source of a batch 8 bytes and 3 bits.
 * Work: for each batch its searches, and 8 bytes read per vertex and source. Atomics: none of its own.
 * Graph: fr_distance_centrality() passes the transposed one. */
#include "core/gpu_interface.h"
#include "cuda/centrality/weighted_searches.cuh"
#include "cuda/device/results/results.h"

#include <math.h>

enum { REACHED, FAR, NEAR, SUMS, WARPS = 256 };

namespace {
struct sums {
    double *part[SUMS]; /* [WARPS][width] */
    double *of[SUMS];   /* [width] */
};
} // namespace

static __global__ void __launch_bounds__(FRI_SEARCHES_BLOCK) add_kernel(fri_searches s, sums to) {
    const int64_t warp = fri_thread_of_grid() / FRI_WARP, k = warp % WARPS;
    const int64_t i = warp / WARPS * FRI_WARP + fri_lane();
    double reached = 0, far = 0, near = 0;
    if (warp >= (int64_t)s.groups * WARPS)
        return;
    for (int64_t v = k; v < s.n && i < s.count; v += WARPS) {
        const double d = s.dist[v * s.width + i];
        if (d == (double)INFINITY)
            continue;
        reached += 1;
        far += d;
        near += d > 0 ? 1 / d : 0;
    }
    to.part[REACHED][k * s.width + i] = reached;
    to.part[FAR][k * s.width + i] = far;
    to.part[NEAR][k * s.width + i] = near;
}

static __global__ void __launch_bounds__(FRI_SEARCHES_BLOCK) join_kernel(fri_searches s, sums to) {
    const int64_t i = fri_thread_of_grid();
    for (int kind = 0; kind < SUMS && i < s.count; kind++) {
        double sum = 0;
        for (int64_t k = 0; k < WARPS; k++)
            sum += to.part[kind][k * s.width + i];
        to.of[kind][i] = sum;
    }
}

/* ---- host -------------------------------------------------------------------------------- */

static sums carve_sums(const fri_gpu *g, char **at) {
    const int64_t width = fri_searches_sources(g);
    sums s = {};
    for (int i = 0; i < SUMS; i++) {
        fri_carve_array(at, &s.part[i], WARPS * width);
        fri_carve_array(at, &s.of[i], width);
    }
    return s;
}
static size_t device_scratch(const fri_gpu *g) {
    return fri_carved_bytes(g, fri_searches_carve) + fri_carved_bytes(g, carve_sums);
}

static fr_status run(fri_gpu *g, const char *phase, fri_vertex_part part,
                     const fri_distance_sums &result) {
    double *const to[SUMS] = {result.reached, result.far, result.near};
    const int64_t batch = fri_searches_sources(g);
    char *at = g->scratch;
    fri_searches s = fri_searches_carve(g, &at);
    const sums own = carve_sums(g, &at);
    for (int64_t done = 0; done < part.count; done += batch) {
        const int32_t count = (int32_t)FRI_MIN(batch, part.count - done);
        FRI_GPU_TRY(fri_searches_run(g, &s, nullptr, part.first + done, count, phase, g->n));
        FRI_RUN_EACH(add_kernel, (int64_t)s.groups * WARPS * FRI_WARP, FRI_SEARCHES_BLOCK, s, own);
        FRI_RUN_EACH(join_kernel, count, FRI_SEARCHES_BLOCK, s, own);
        for (int i = 0; i < SUMS; i++)
            FRI_GPU_TRY(
                fri_gpu_download(g, to[i] + done, own.of[i], fri_bytes(count, sizeof *to[i])));
    }
    return FR_OK;
}

FRI_GPU_CALL_STRATEGY(strategy, "weighted-distance-sums", FR_PROBLEM_SSSP, FRI_NEEDS_NON_NEGATIVE,
                      device_scratch);

fr_status fri_gpu_weighted_distance_sums(fr_ctx *ctx, const fr_graph *graph, const char *phase,
                                         fri_vertex_part part, fri_distance_sums to,
                                         fri_next_sums next, void *user) {
    fri_gpu_call call;
    if (!part.count)
        return FR_OK;
    fri_searches_bind(&call, ctx, graph, &strategy);
    return fri_gpu_call_run(&call, fri_searches_plan(&call, part.count), [&](fri_gpu *g) {
        fr_status status;
        do {
            status = run(g, phase, part, to);
        } while (!status && next(user, &part, &to));
        return status;
    });
}
