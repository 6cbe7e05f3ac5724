/* APSP `auto` on the GPU: chooses a strategy from properties known before the first query.
 *
 * Source: ours; the strategies cite theirs.
 * Idea: each strategy that is correct for these weights has an expected cost (costs.h), of the rows
 *   that a query may request; the cheapest is used.
 *     floyd-warshall  any weights      n^3 add-mins, whatever is requested, and a launch per tile
 *     multi-bfs       no weights       words of 64 rows, levels, and passes over the edges; or rows and levels
 *     multi-sssp      none negative    turns of the blocks, levels and edges
 *     each-sssp       none negative    rows times the cost of SSSP `auto`, several at once
 *     johnson         any weights      as multi-sssp, and one Bellman-Ford
 *   So Floyd-Warshall is used for dense graphs of a few thousand vertices, and never for few rows;
 *   multi-sssp for many rows of deep or small graphs, each-sssp for others.
 *   Floyd-Warshall is not used if the matrix does not fit the device, or sums of weights may not fit double. It
 *   must gain more than the others wait for launches: it refuses rules for parents of floats, and needs all rows.
 * The choice is made once, by fr_solver_new; the solver then has the chosen strategy. */
#include "cuda/apsp/costs.h"
#include "cuda/drivers/apsp.h"
#include "cuda/device/memory_plan.h"
#include "cuda/prim/device.cuh"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

FRI_C_BEGIN
#include "core/backend.h"
FRI_C_END

extern "C" const fri_strategy fri_gpu_apsp_floyd_warshall, fri_gpu_apsp_multi_bfs,
    fri_gpu_apsp_multi_sssp, fri_gpu_apsp_each_sssp, fri_gpu_apsp_johnson;

static fri_apsp_work work_of(const fri_job *job) {
    const fri_backend_input in = fri_backend_input_of(&job->csr, job->in->threads);
    return {(double)in.n,
            (double)in.m,
            (double)job->in->row_capacity,
            fri_backend_levels(&in),
            fr_type_size(job->in->dist_type) == 8,
            job->ctx->threads};
}

static bool is_unit(const fri_job *job) {
    bool integers = job->in->dist_type == FR_TYPE_I32 || job->in->dist_type == FR_TYPE_I64;
    return !job->csr.weights || (integers && job->weight_min >= 1 && job->weight_max <= 1);
}

namespace {
struct plan {
    const fri_strategy *sparse; /* that computes the rows alone */
    fri_apsp_cost matrix, rows;
    bool fits; /* the matrix, and floyd-warshall takes the weights */
};
} // namespace

static void plan_rows(const fri_job *job, const fri_apsp_work *w, plan *p) {
    const fri_apsp_cost many = fri_apsp_multi_sssp_cost(w), each = fri_apsp_each_sssp_cost(w);
    const bool by_each = fri_apsp_ns(each) < fri_apsp_ns(many);
    if (is_unit(job)) {
        p->sparse = &fri_gpu_apsp_multi_bfs;
        p->rows = fri_apsp_bfs_cost(w);
        p->rows.work += fri_apsp_bfs_rows_ns(w);
    } else if (job->weight_min < 0) {
        p->sparse = &fri_gpu_apsp_johnson;
        p->rows = many;
    } else {
        p->sparse = by_each ? &fri_gpu_apsp_each_sssp : &fri_gpu_apsp_multi_sssp;
        p->rows = by_each ? each : many;
    }
}

static bool matrix_fits(const fri_job *job) {
    size_t free_bytes;
    fri_job dense = *job;
    fri_job_give(&dense, &fri_gpu_apsp_floyd_warshall);
    return fri_gpu_allocatable_bytes(&dense, &free_bytes) ||
           dense.strategy->device_bytes(&dense) <= free_bytes;
}

/* Whether sums of real weights are finite in the matrix. */
static bool sums_fit(const fri_job *job) {
    return job->csr.n * fmax(fabs(job->weight_min), fabs(job->weight_max)) < DBL_MAX / 4;
}

static const char *whether_matrix(const fri_job *job, const plan *p) {
    return p->fits                               ? "would take"
           : job->csr.weight_type == FR_TYPE_I64 ? "takes no int64 weights, otherwise"
           : !sums_fit(job)                      ? "cannot add up such weights, otherwise"
                                                 : "does not fit the GPU, otherwise";
}

static void explain(fri_job *job, const plan *p) {
    fri_job_note(
        job,
        "%s: %s weights, %.3g edges per vertex, %lld rows of %d; floyd-warshall %s %.3g ms, %s "
        "%.3g ms (estimated)",
        job->strategy->name,
        is_unit(job)          ? "unit"
        : job->weight_min < 0 ? "negative"
                              : "non-negative",
        job->csr.n ? (double)job->csr.m / job->csr.n : 0.0, (long long)job->in->row_capacity,
        job->csr.n, whether_matrix(job, p), fri_apsp_ns(p->matrix) / 1e6, p->sparse->name,
        fri_apsp_ns(p->rows) / 1e6);
}

/* Always gives the job away; multi-bfs gets it without its weights, which are 1. */
static void choose(fri_job *job) {
    const fri_apsp_work w = work_of(job);
    plan p = {nullptr, fri_apsp_matrix_cost(&w), {0, 0}, true};
    plan_rows(job, &w, &p);
    if (!job->in->in_place)
        p.fits = job->csr.weight_type != FR_TYPE_I64 && sums_fit(job) && matrix_fits(job);
    const bool dense = job->in->in_place || (p.fits && fri_apsp_ns(p.matrix) < p.rows.work);
    fri_job_give(job, dense ? &fri_gpu_apsp_floyd_warshall : p.sparse);
    explain(job, &p);
    if (job->strategy == &fri_gpu_apsp_multi_bfs) {
        job->csr.weights = nullptr;
        job->csr.weight_type = FR_TYPE_NONE;
    }
}

static const fri_gpu_strategy device_side = {.choose = choose};

FRI_GPU_STRATEGY(fri_gpu_apsp_auto) = {
    .name = "auto",
    .source = "fringe",
    .text = "chooses by expected cost: floyd-warshall, multi-bfs, multi-sssp, each-sssp or johnson",
    .problem = FR_PROBLEM_APSP,
    .backend = FR_BACKEND_CUDA,
    .gpu = &device_side,
};
