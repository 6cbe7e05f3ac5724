/* Bellman-Ford on a frontier whose edges are divided evenly among threads and whose duplicates are
 * removed.
 *
 * Source: A. Davidson, S. Baxter, M. Garland, J. D. Owens: Work-efficient parallel GPU methods for
 *   single-source shortest paths, IPDPS 2014, as H-BF (Busato, Bombieri, TPDS 2016) describes and
 *   measures it: sections 3 and 4.2, Table 2 ("WorkFront Sweep").
 * Idea: see workfront.cuh.
 * Differs: the frontier's edges are found by binary search over a prefix sum of the degrees, eight
 *   edges per thread, where the paper uses merge path: the shares are equal either way. The filter
 *   compacts by one atomic per vertex.
 * Needs: nothing.
 * Scratch: 24 n bytes.
 * Work: an edge is examined each time that the distance of its source has fallen; log n per 8 edges.
 * Launches: 5 per round.
 * Atomics: one per edge that seems to lower its end, two per enqueue.
 * Good at: skewed degrees in wide frontiers.
 * Bad at: small frontiers (five launches), many corrections. */
#include "fringe_tune.h"
#include "papers/sssp/workfront.cuh"

static size_t scratch(const fri_gpu *g) { return wf_bytes(g); }

static fr_status run_rounds(fri_gpu *g, int32_t round, int32_t max_rounds,
                            fri_gpu_progress *progress) {
    fr_status status;
    FRI_BY_KIND(g, status = wf_rounds<T>(g, round, max_rounds, wf_split<T>{}, progress));
    return status;
}

static const fr_knob knobs[] = {{"block", 256, 32, 1024, "threads per block, whole warps"},
                                FRI_ROUNDS_KNOB,
                                {nullptr, 0, 0, 0, nullptr}};
static const fri_gpu_strategy device_side = {
    .scratch = scratch, .start_query = wf_begin, .run_levels = run_rounds};

FRI_GPU_STRATEGY(fri_gpu_sssp_workfront_sweep) = {
    .name = "workfront-sweep",
    .source = "Davidson, Baxter, Garland, Owens: Work-efficient parallel GPU methods, IPDPS 2014",
    .text = "frontier Bellman-Ford, equal shares of edges per thread, duplicates removed by a "
            "lookup table",
    .problem = FR_PROBLEM_SSSP,
    .backend = FR_BACKEND_CUDA,
    .knobs = knobs,
    .counts = FRI_COUNTER_BIT(FR_COUNTER_EDGES) | FRI_COUNTER_BIT(FR_COUNTER_RELAXATIONS) |
              FRI_COUNTER_BIT(FR_COUNTER_ENQUEUES) | FRI_COUNTER_BIT(FR_COUNTER_ATOMICS) |
              FRI_COUNTER_BIT(FR_COUNTER_DUPLICATES_FOUND),
    FRI_GPU_SSSP_STRATEGY(device_side),
};
