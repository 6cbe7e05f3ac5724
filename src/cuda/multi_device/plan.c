/* How many GPUs a traversal uses, and which vertices each gets. */
#include "core/gpu_interface.h"
#include "cuda/multi_device/slices.h"

#include <math.h>
#include <stdio.h>

/* BFS: from Kronecker graphs and lattices on one H200, `joint` from Kronecker 22, 24 and 26 on two (2026-11-23). */
const fri_devices_cost fri_bfs_devices_cost = {
    .edge = 0.0008, .vertex = 0.002, .start = 2e4, .level = 1.4e3, .joint = 1.05e4, .levels = 8};
/* SSSP: from Kronecker 20 to 24 and lattices on H200s. A round on several GPUs has a joint barrier (4.7 us), at
 * most one barrier of the grid, and the stores to peers; on one GPU without hubs blocks continue alone for
 * several hops. `sent`: every distance goes to the other GPUs before pulls. */
const fri_devices_cost fri_sssp_devices_cost = {.edge = 0.0055,
                                                .vertex = 0.01,
                                                .start = 3e4,
                                                .sent = 0.006,
                                                .level = 2.5e3,
                                                .joint = 1.5e4,
                                                .levels = 20};
/* A graph without vertices of high degree is assumed to be as deep as a grid, with about sqrt(n) levels;
 * any other to have few. */
enum { HUB_DEGREE = 64, SHALLOW_MEAN = 8 };
/* Weight of a vertex among edges when slices are cut. */
enum { VERTEX_EDGES = 4 };

/* ---- the number of GPUs ---- */

fri_devices_input fri_devices_input_of(const fri_job *job) {
    const fr_csr *csr = &job->csr;
    fri_devices_input in = {csr->n, csr->m, 0, job->ctx->device_count};
    for (int32_t v = 0; v < csr->n; v++)
        in.max_degree = FRI_MAX(in.max_degree, csr->offsets[v + 1] - csr->offsets[v]);
    return in;
}

double fri_expected_ns(const fri_devices_cost *cost, const fri_devices_input *in, int devices) {
    const bool has_hubs = in->max_degree >= HUB_DEGREE, is_dense = in->m >= SHALLOW_MEAN * in->n;
    const double levels = has_hubs || is_dense ? cost->levels : sqrt((double)in->n);
    const double work = (double)in->m * cost->edge + (double)in->n * cost->vertex;
    return cost->start + work / devices + (double)in->n * cost->sent * (devices - 1) / devices +
           levels * (devices > 1 ? cost->joint : cost->level);
}

int fri_devices_that_pay(const fri_devices_cost *cost, const fri_devices_input *in) {
    return in->devices > 1 && fri_expected_ns(cost, in, in->devices) < fri_expected_ns(cost, in, 1)
               ? in->devices
               : 1;
}

/* FR_NO_DEVICE if a GPU that the context names does not exist. */
static fr_status check_devices(fr_ctx *ctx) {
    fr_status status = FR_OK;
    for (int i = 0; i < ctx->device_count && !status; i++) {
        fr_device_info info = FR_INIT(fr_device_info);
        status = fri_gpu_describe_device(ctx, ctx->devices[i], &info);
    }
    return status;
}

extern const fri_strategy fri_gpu_bfs_auto, fri_gpu_sssp_auto;

fr_status fri_gpu_prefer_one(fri_job *job) {
    if (!(job->strategy->needs & FRI_SPANS_DEVICES))
        return FR_OK;
    FRI_GPU_TRY(check_devices(job->ctx));
    const fri_devices_cost *cost = job->strategy->gpu->slices->cost;
    const fri_devices_input in = fri_devices_input_of(job);
    if (fri_devices_that_pay(cost, &in) > 1)
        return FR_OK;
    fri_job_give(job, job->in->problem == FR_PROBLEM_BFS ? &fri_gpu_bfs_auto : &fri_gpu_sssp_auto);
    if (in.devices > 1)
        snprintf(job->told.note, sizeof job->told.note,
                 "on one of %d GPUs: about %.2f ms are expected there and %.2f ms on all of them, "
                 "which multi-device with the knob all=1 uses",
                 in.devices, fri_expected_ns(cost, &in, 1) * 1e-6,
                 fri_expected_ns(cost, &in, in.devices) * 1e-6);
    else
        snprintf(job->told.note, sizeof job->told.note, "the context names one GPU");
    return FR_OK;
}

/* ---- the cut ---- */

void fri_cut_slices(int32_t n, const int64_t *in_offsets, int devices, int32_t *first) {
    const int64_t units = ((int64_t)n + FRI_SLICE_UNIT - 1) / FRI_SLICE_UNIT;
    const double all = (double)in_offsets[n] + (double)n * VERTEX_EDGES;
    int64_t unit = 0;
    first[0] = 0;
    for (int k = 1; k < devices; k++) {
        int64_t low = unit, high = units;
        while (low < high) { /* the least unit with at least k shares before it */
            const int64_t middle = (low + high) / 2, v = FRI_MIN(middle * FRI_SLICE_UNIT, n);
            if ((double)in_offsets[v] + (double)v * VERTEX_EDGES < all * k / devices)
                low = middle + 1;
            else
                high = middle;
        }
        unit = low;
        first[k] = (int32_t)FRI_MIN(unit * FRI_SLICE_UNIT, n);
    }
    first[devices] = n;
}
