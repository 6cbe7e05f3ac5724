/* APSP `auto` on the GPU: chooses a strategy from properties known before the first query.
 *
 * Source: ours; the strategies cite theirs.
 * Idea: each strategy that is correct for these weights has an expected cost, by the formulas
 *   below; the cheapest is used.
 *     floyd-warshall  any weights      n^3 add-mins, whatever is requested, and a launch per tile
 *     multi-bfs       no weights       rows m / 64 words, and launches
 *     multi-sssp      none negative    rows m relaxations, a few times each
 *     johnson         any weights      the same, and one Bellman-Ford
 *   So Floyd-Warshall is used for dense graphs of a few thousand vertices, and never for few rows.
 *   It is not used if the matrix does not fit the device, or sums of weights may not fit double.
 * The choice is made once, by fr_solver_new; the solver then has the chosen strategy. */
#include "cuda/drivers/apsp.h"
#include "cuda/device/memory_plan.h"
#include "cuda/prim/device.cuh"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Cost constants, estimated from the H200's specification: 64 add-mins per clock and
 * multiprocessor, half of that achieved; gathers of 8 and 128 adjacent bytes; launches and reads of
 * control words. Only their ratios matter. */
static const double CELL_NS = 1.5e-4, CELL_WIDE_NS = 6e-4, TILE_NS = 2e4;
static const double LEVEL_EDGE_NS = 2e-3, PATH_EDGE_NS = 3e-2, VERTEX_NS = 1e-2;

extern "C" const fri_strategy fri_gpu_apsp_floyd_warshall, fri_gpu_apsp_multi_bfs,
    fri_gpu_apsp_multi_sssp, fri_gpu_apsp_johnson;

static double matrix_ns(const fri_job *job) {
    double n = FRI_MAX(job->csr.n, 64); /* at least one tile */
    return n * n * n * (fr_type_size(job->in->dist_type) == 4 ? CELL_NS : CELL_WIDE_NS) +
           n / 64 * TILE_NS;
}

static double rows_ns(const fri_job *job, bool levels) {
    double edges = (double)job->csr.m, n = job->csr.n;
    return (double)job->in->row_capacity *
           (edges * (levels ? LEVEL_EDGE_NS : PATH_EDGE_NS) + n * VERTEX_NS);
}

static bool is_unit(const fri_job *job) {
    bool integers = job->in->dist_type == FR_TYPE_I32 || job->in->dist_type == FR_TYPE_I64;
    return !job->csr.weights || (integers && job->weight_min >= 1 && job->weight_max <= 1);
}

static const fri_strategy *row_by_rows(const fri_job *job) {
    return is_unit(job)          ? &fri_gpu_apsp_multi_bfs
           : job->weight_min < 0 ? &fri_gpu_apsp_johnson
                                 : &fri_gpu_apsp_multi_sssp;
}

static bool matrix_fits(const fri_job *job) {
    size_t free_bytes;
    fri_job dense = *job;
    fri_job_give(&dense, &fri_gpu_apsp_floyd_warshall);
    return fri_gpu_free_bytes(job->ctx, &free_bytes) ||
           dense.strategy->device_bytes(&dense) <= free_bytes;
}

/* Whether sums of real weights are finite in the matrix. */
static bool sums_fit(const fri_job *job) {
    return job->csr.n * fmax(fabs(job->weight_min), fabs(job->weight_max)) < DBL_MAX / 4;
}

static void explain(fri_job *job, const fri_strategy *sparse, bool fits, double matrix,
                    double each) {
    fri_job_note(
        job,
        "%s: %s weights, %.3g edges per vertex, %lld rows of %d; floyd-warshall %s %.3g ms, %s "
        "%.3g ms (estimated)",
        job->strategy->name,
        is_unit(job)          ? "unit"
        : job->weight_min < 0 ? "negative"
                              : "non-negative",
        job->csr.n ? (double)job->csr.m / job->csr.n : 0.0, (long long)job->in->row_capacity,
        job->csr.n, fits              ? "would take"
        : !sums_fit(job)    ? "cannot add up such weights, otherwise"
                            : "does not fit the GPU, otherwise", matrix / 1e6,
        sparse->name, each / 1e6);
}

/* Always gives the job away; multi-bfs gets it without its weights, which are 1. */
static void choose(fri_job *job) {
    const fri_strategy *sparse = row_by_rows(job);
    const double matrix = matrix_ns(job), each = rows_ns(job, is_unit(job));
    const bool fits = job->in->in_place || (sums_fit(job) && matrix_fits(job));
    fri_job_give(job, job->in->in_place || (fits && matrix < each) ? &fri_gpu_apsp_floyd_warshall
                                                                   : sparse);
    explain(job, sparse, fits, matrix, each);
    if (job->strategy == &fri_gpu_apsp_multi_bfs) {
        job->csr.weights = nullptr;
        job->csr.weight_type = FR_TYPE_NONE;
    }
}

static const fri_gpu_strategy device_side = {.choose = choose};

FRI_GPU_STRATEGY(fri_gpu_apsp_auto) = {
    .name = "auto",
    .source = "fringe",
    .text = "chooses by expected cost: floyd-warshall, multi-bfs, multi-sssp or johnson",
    .problem = FR_PROBLEM_APSP,
    .backend = FR_BACKEND_CUDA,
    .gpu = &device_side,
};
