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
 *   It is not used if the matrix does not fit the device.
 * Scratch, preparation, work: those of the chosen strategy. */
#include "cuda/drivers/apsp.h"
#include "cuda/device/memory_plan.h"
#include "cuda/prim/device.cuh"

#include <stdio.h>
#include <string.h>

/* Cost constants, estimated from the H200's specification: 64 add-mins per clock and
 * multiprocessor, half of that achieved; gathers of 8 and 128 adjacent bytes; launches and reads of
 * control words. Only their ratios matter. */
static const double CELL_NS = 1.5e-4, CELL_WIDE_NS = 6e-4, TILE_NS = 2e4;
static const double LEVEL_EDGE_NS = 2e-3, PATH_EDGE_NS = 3e-2, VERTEX_NS = 1e-2;

namespace {
struct choice {
    const fri_strategy *row;
    fri_job inner; /* the job as the chosen strategy sees it */
    char why[256];
};
} // namespace

static double matrix_ns(const fri_job *job) {
    double n = FRI_MAX(job->csr.n, 64); /* at least one tile */
    return n * n * n * (fr_type_size(job->dist_type) == 4 ? CELL_NS : CELL_WIDE_NS) +
           n / 64 * TILE_NS;
}

static double rows_ns(const fri_job *job, bool levels) {
    double edges = (double)job->csr.m, n = job->csr.n;
    return (double)job->row_capacity *
           (edges * (levels ? LEVEL_EDGE_NS : PATH_EDGE_NS) + n * VERTEX_NS);
}

static bool is_unit(const fri_job *job) {
    bool integers = job->dist_type == FR_TYPE_I32 || job->dist_type == FR_TYPE_I64;
    return !job->csr.weights || (integers && job->weight_min >= 1 && job->weight_max <= 1);
}

/* The job as a strategy sees it: with the strategy's own knobs at their defaults. */
static fri_job inner_job(const fri_job *job, const fri_strategy *row) {
    fri_job inner = *job;
    inner.strategy = row;
    inner.device = nullptr;
    if (!(row->needs & FRI_NEEDS_IN_EDGES))
        inner.in = job->csr;
    if (strcmp(row->name, "multi-bfs") == 0) {
        inner.csr.weights = inner.in.weights = nullptr;
        inner.csr.weight_type = inner.in.weight_type = FR_TYPE_NONE;
    }
    for (int i = 0; row->knobs && row->knobs[i].name; i++)
        inner.knob[i] = row->knobs[i].value;
    return inner;
}

static bool fits_device(const fri_job *job, const fri_strategy *row) {
    size_t free_bytes;
    fri_job inner = inner_job(job, row);
    return fri_gpu_free_bytes(job->ctx, &free_bytes) || row->device_bytes(&inner) <= free_bytes;
}

static const fri_strategy *row_by_rows(const fri_job *job) {
    return fri_strategy_find(FR_PROBLEM_APSP, FR_BACKEND_CUDA,
                             is_unit(job)          ? "multi-bfs"
                             : job->weight_min < 0 ? "johnson"
                                                   : "multi-sssp");
}

static void describe(const fri_job *job, choice *c) {
    const fri_strategy *dense = fri_strategy_find(FR_PROBLEM_APSP, FR_BACKEND_CUDA, "floyd-warshall");
    const fri_strategy *sparse = row_by_rows(job);
    double matrix = matrix_ns(job), each = rows_ns(job, is_unit(job));
    bool fits = fits_device(job, dense);
    c->row = fits && matrix < each ? dense : sparse;
    snprintf(c->why, sizeof c->why,
             "%s: %s weights, %.3g edges per vertex, %lld rows of %d; floyd-warshall %s %.3g ms, %s "
             "%.3g ms (estimated)",
             c->row->name,
             is_unit(job)          ? "unit"
             : job->weight_min < 0 ? "negative"
                                   : "non-negative",
             job->csr.n ? (double)job->csr.m / job->csr.n : 0.0, (long long)job->row_capacity,
             job->csr.n, fits ? "would take" : "does not fit the GPU, otherwise", matrix / 1e6,
             sparse->name, each / 1e6);
    c->inner = inner_job(job, c->row);
}

static size_t device_bytes(const fri_job *job) {
    choice c;
    describe(job, &c);
    return c.row->device_bytes(&c.inner);
}

/* The larger scratch of the strategies that may be chosen: the free device memory may change before the
 * choice is repeated, the expected costs do not. */
static size_t scratch(const fri_job *job) {
    fri_job dense = inner_job(job, fri_strategy_find(FR_PROBLEM_APSP, FR_BACKEND_CUDA, "floyd-warshall"));
    fri_job sparse = inner_job(job, row_by_rows(job));
    size_t bytes = sparse.strategy->scratch(&sparse);
    if (matrix_ns(job) < rows_ns(job, is_unit(job)))
        bytes = FRI_MAX(bytes, dense.strategy->scratch(&dense));
    return bytes > SIZE_MAX / 2 ? bytes : bytes + fri_align_line(sizeof(choice));
}

static fr_status prepare(fri_job *job) {
    choice *c = (choice *)job->scratch;
    describe(job, c);
    job->chosen = c->row;
    c->inner.scratch = (char *)job->scratch + fri_align_line(sizeof *c);
    c->inner.scratch_bytes = job->scratch_bytes - fri_align_line(sizeof *c);
    fr_status status = c->row->prepare(&c->inner);
    job->device = c->inner.device;
    job->upload_ns = c->inner.upload_ns;
    job->rows_at_once = c->inner.rows_at_once;
    return status;
}

static void release(fri_job *job) {
    if (!job->device)
        return;
    choice *c = (choice *)job->scratch;
    c->row->release(&c->inner);
    job->device = nullptr;
}

static fr_status run(fri_job *job) {
    choice *c = (choice *)job->scratch;
    c->inner.query = job->query;
    c->inner.out = job->out;
    c->inner.levels = job->levels;
    c->inner.level_capacity = job->level_capacity;
    c->inner.level_count = 0;
    c->inner.kernels = job->kernels;
    c->inner.kernel_count = 0;
    c->inner.device_ns = 0;
    fr_status status = c->row->run(&c->inner);
    job->level_count = c->inner.level_count;
    job->kernel_count = c->inner.kernel_count;
    job->device_ns = c->inner.device_ns;
    job->chosen = c->row;
    snprintf(job->why, sizeof job->why, "%s", c->why);
    return status;
}

FRI_GPU_STRATEGY(fri_gpu_apsp_auto) = {
    .name = "auto",
    .source = "fringe",
    .text = "chooses by expected cost: floyd-warshall, multi-bfs, multi-sssp or johnson",
    .problem = FR_PROBLEM_APSP,
    .backend = FR_BACKEND_CUDA,
    .needs = FRI_NEEDS_IN_EDGES,
    .scratch = scratch,
    .device_bytes = device_bytes,
    .prepare = prepare,
    .release = release,
    .run = run,
};
