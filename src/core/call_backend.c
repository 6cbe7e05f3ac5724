#include "fringe_measures.h"
#include "core/call_backend.h"

#include "core/backend.h"
#include "core/gpu_interface.h"

#include <math.h>

#ifdef FRI_CUDA_ALL

static double cpu_ns(const fr_ctx *ctx, const fri_call_work *work) {
    int64_t threads = work->units ? FRI_MIN(ctx->threads, work->units) : ctx->threads;
    return work->cpu_ns / (double)FRI_MAX(threads, 1);
}

static double gpu_ns(const fr_ctx *ctx, const fr_graph *graph, const fri_call_work *work) {
    fr_csr csr = graph->csr;
    csr.weight_type = FR_TYPE_NONE; /* weights, which few calls use, are not counted */
    fri_backend_input in = fri_backend_input_of(&csr, ctx->threads);
    fri_backend_skip_done(&in, ctx, graph);
    fri_backend_cost cost = fri_backend_predict(&in).gpu;
    return cost.open + cost.prepare + work->gpu_ns;
}

#else

fr_status fri_call_not_built(fr_ctx *ctx, const char *call) {
#ifdef FRI_CUDA
    return fri_fail(ctx, FR_NO_DEVICE, "%s has no implementation for cuda" FRI_GPU_LACKS, call);
#else
    (void)call;
    return fri_fail(ctx, FR_NO_DEVICE, FRI_GPU_NOT_BUILT);
#endif
}

#endif

double fri_call_levels(const fr_csr *csr) {
    const fri_backend_input in = fri_backend_input_of(csr, 1);
    return fri_backend_levels(&in);
}

double fri_call_shared(double levels) { return levels * (1 - pow(1 - 1 / levels, 32)) / 32; }

/* 2 launches per level. Constants: fitted to times of one H200, 2026-11-22. */
double fri_call_ms_bfs_ns(const fr_csr *csr, double sources, double levels) {
    const double n = csr->n, m = (double)csr->m;
    const double together = FRI_MIN(sources, FRI_MAX(32, (1 << 25) / FRI_MAX(n, 1)));
    return sources / FRI_MAX(together, 1) * 30e3 * levels +
           sources * fri_call_shared(levels) * (0.45 * n + 0.0025 * m);
}

/* Constants: within a factor of 2 of times of 8 threads and one H200, 2026-11-23. */
double fri_call_weighted_cpu_ns(const fr_csr *csr, double sources) {
    const double n = csr->n, m = (double)csr->m;
    return sources * 10 * (n * log2(n + 1) + m);
}

/* A batch has 32 sources, or as many as fill 2^28 distances. Constants: as above (one H200). */
double fri_call_weighted_gpu_ns(const fr_csr *csr, double sources) {
    const double n = csr->n, m = (double)csr->m, levels = FRI_MAX(fri_call_levels(csr), 1);
    const double together = FRI_MIN(sources, FRI_MAX(32, (1 << 28) / FRI_MAX(n, 1)));
    return sources / FRI_MAX(together, 1) * 60e3 * levels + sources * (0.7 * n + 0.07 * m);
}

fr_status fri_call_backend(fr_ctx *ctx, const fr_graph *graph, fr_backend backend,
                           const fri_call_work *work, bool *gpu) {
    *gpu = false;
    ctx->call_backend = FR_BACKEND_CPU;
    if ((unsigned)backend > FR_BACKEND_CUDA)
        return fri_fail(ctx, FR_INVALID, "%s: there is no backend %d", work->name, (int)backend);
    if (backend == FR_BACKEND_CUDA && work->refused)
        return fri_fail(ctx, FR_UNSUPPORTED, "%s", work->refused);
#ifdef FRI_CUDA_ALL
    if (backend == FR_BACKEND_CPU || work->refused)
        return FR_OK;
    if (backend == FR_BACKEND_ANY && gpu_ns(ctx, graph, work) >= cpu_ns(ctx, work))
        return FR_OK;
    fr_status status = fri_gpu_open_now(ctx);
    *gpu = !status;
    ctx->call_backend = *gpu ? FR_BACKEND_CUDA : FR_BACKEND_CPU;
    if (backend == FR_BACKEND_CUDA)
        return status;
    fri_begin(ctx);
#else
    (void)graph;
    if (backend == FR_BACKEND_CUDA)
        return fri_call_not_built(ctx, work->name);
#endif
    return FR_OK;
}

bool fri_call_falls_back(fr_ctx *ctx, fr_backend backend, fr_status status) {
    if (backend != FR_BACKEND_ANY || status != FR_NOMEM)
        return false;
    fri_begin(ctx);
    ctx->call_backend = FR_BACKEND_CPU;
    return true;
}

fr_backend fr_ctx_call_backend(const fr_ctx *ctx) {
    return ctx ? ctx->call_backend : FR_BACKEND_ANY;
}
