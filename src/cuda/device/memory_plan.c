/* Device memory planning: required bytes, free bytes, and the fallback strategy. */
#include "cuda/device/memory_plan.h"
#include "cuda/device/context.h"
#include "cuda/device/published.h"
#include "cuda/drivers/apsp.h"
#include "cuda/graph/resident.h"

#include "base/bitmap.h"

#include <stdio.h>
#include <string.h>

size_t fri_gpu_weight_size(const fri_gpu *g, const fr_csr *csr) {
    return csr->weights && g->dist_type == FR_TYPE_F64 ? sizeof(double)
                                                       : fr_type_size(csr->weight_type);
}

size_t fri_gpu_dist_bytes(const fri_gpu *g) {
    bool wide = fr_type_size(g->dist_type) == 8 || g->job->weight_min < 0;
    return fri_bytes(g->n, wide ? 8 : 4);
}

size_t fri_gpu_driver_scratch_bytes(const fri_gpu *g) {
    return 3 * fri_align_line(fri_bytes(g->n, sizeof(int32_t)));
}

static bool has_in_edges(const fri_job *job, const fri_strategy *strategy) {
    return (strategy->needs & FRI_NEEDS_IN_EDGES) && !job->csr.symmetric;
}

size_t fri_gpu_graph_bytes(const fri_gpu *g) {
    return fri_resident_missing_bytes(g) + fri_gpu_align(FRI_GPU_CONTROL_BYTES);
}

fr_status fri_gpu_allocatable_bytes(const fri_job *job, size_t *allocatable) {
    fri_gpu g = {0};
    size_t unused, uncharged, limit = job->ctx->max_gpu_bytes;
    const fr_ctx *own = fri_gpu_account(job->ctx);
    FRI_GPU_TRY(fri_gpu_free_bytes(job->ctx, allocatable));
    fri_gpu_bind_job(&g, (fri_job *)(uintptr_t)job);
    FRI_GPU_TRY(fri_gpu_open(&g)); /* strategies plan with the device's attributes */
    fri_resident_claims(&g, &unused, &uncharged);
    const size_t used = __atomic_load_n(&own->gpu_bytes, __ATOMIC_RELAXED);
    const size_t left = limit - FRI_MIN(limit, used);
    *allocatable -= FRI_MIN(*allocatable, unused);
    if (limit)
        *allocatable = FRI_MIN(*allocatable, left - FRI_MIN(left, uncharged));
    return FR_OK;
}

/* Whether `need` bytes fit, after freeing idle solvers if necessary. */
static fr_status fits(const fri_job *job, size_t need, size_t *allocatable, bool *does) {
    fr_ctx *ctx = job->ctx;
    FRI_GPU_TRY(fri_gpu_allocatable_bytes(job, allocatable));
    if (need > *allocatable && ctx->free_idle && ctx->free_idle(ctx))
        FRI_GPU_TRY(fri_gpu_allocatable_bytes(job, allocatable));
    *does = need <= *allocatable;
    return FR_OK;
}

/* Graphs of more than 2^32 edges are excluded: the sort was never tested there. */
bool fri_gpu_makes_in_edges(const fri_job *job) {
    const fri_strategy *strategy = job->strategy;
    fri_gpu g = {0};
    size_t free_bytes;
    bool does = false;
    if (strategy->backend != FR_BACKEND_CUDA || !has_in_edges(job, strategy) ||
        (strategy->needs & FRI_SPANS_DEVICES) || job->csr.m > (int64_t)UINT32_MAX)
        return false;
    fri_gpu_bind_job(&g, (fri_job *)(uintptr_t)job);
    if (fri_resident_has_in_edges(&g))
        return true;
    return fri_gpu_free_bytes(job->ctx, &free_bytes) || /* no device: the solver reports it */
           (fri_gpu_can_transpose(&g) &&
            !fits(job, fri_gpu_graph_bytes(&g) + fri_gpu_transpose_bytes(&g), &free_bytes, &does) &&
            does);
}

/* Memory that is needed in addition to the graph, and freed before the other arrays are allocated.
 */
static size_t transient_bytes(const fri_gpu *g) {
    bool makes = g->job->makes_in_edges && has_in_edges(g->job, g->job->strategy) &&
                 !fri_resident_has_in_edges(g);
    return makes ? fri_gpu_transpose_bytes(g) : 0;
}

/* Maximum number of edges for 32-bit offsets; tests/simt builds this file with fewer. */
#ifndef FRI_MAX_EDGES_OFFSETS32
#define FRI_MAX_EDGES_OFFSETS32 ((int64_t)UINT32_MAX)
#endif

bool fri_gpu_has_levels(const fri_gpu *g) {
    return g->job->in->problem == FR_PROBLEM_BFS || g->strategy->distances_are_levels;
}

void fri_gpu_bind_job(fri_gpu *g, fri_job *job) {
    g->job = job;
    g->strategy = job->strategy->gpu;
    g->n = job->csr.n;
    g->m = job->csr.m;
    g->dist_type = job->in->dist_type;
    g->sssp.target_mask = -1;
    /* SSSP and APSP kernels are templates on the type of distances, not on the offsets' width */
    g->offsets64 = job->csr.m > FRI_MAX_EDGES_OFFSETS32 || !fri_gpu_has_levels(g);
}

/* Must equal the sum of graph/device_graph.c's allocations. */
size_t fri_gpu_vertex_bytes(const fri_gpu *g) {
    if (g->strategy->scratch_only)
        return fri_gpu_align(g->strategy->scratch(g));
    size_t ids = fri_gpu_align(fri_bytes(g->n, sizeof(int32_t)));
    size_t bytes = 2 * ids + fri_gpu_align(fri_bitmap_bytes(g->n));
    bytes +=
        g->job->in->problem == FR_PROBLEM_SSSP && !fri_gpu_has_levels(g)
            ? fri_gpu_align(fri_gpu_dist_bytes(g)) + fri_gpu_align(fri_gpu_driver_scratch_bytes(g))
            : ids;
    return bytes + (g->strategy->scratch ? fri_gpu_align(g->strategy->scratch(g)) : 0);
}

size_t fri_gpu_bytes(const fri_job *job) {
    fri_gpu g = {0};
    fri_gpu_bind_job(&g, (fri_job *)(uintptr_t)job);
    if (fri_gpu_open(&g)) { /* the solver reports why; until then plan for a common device */
        g.multiprocessors = 108;
        g.compute_capability = 80;
        g.max_threads_per_sm = 2048;
        g.max_shared_per_block = 163 << 10;
    }
    size_t graph = fri_gpu_graph_bytes(&g), transient = transient_bytes(&g);
    if (job->in->problem != FR_PROBLEM_APSP)
        return graph + FRI_MAX(transient, fri_gpu_vertex_bytes(&g));
    fri_gpu_apsp_plan(&g);
    return graph + FRI_MAX(transient, fri_gpu_apsp_bytes(&g));
}

fr_status fri_gpu_free_bytes(fr_ctx *ctx, size_t *bytes) {
    size_t total = 0;
    fri_job job = {.ctx = ctx};
    fri_gpu g = {.job = &job};
    *bytes = 0;
    FRI_GPU_TRY(fri_gpu_open(&g));
    FRI_GPU_TRY(fri_gpu_check(&g, cudaMemGetInfo(bytes, &total), "querying free memory"));
    *bytes += fri_gpu_spare_bytes(ctx) + fri_resident_evictable(ctx);
    size_t used = __atomic_load_n(&fri_gpu_account(ctx)->gpu_bytes, __ATOMIC_RELAXED);
    if (ctx->max_gpu_bytes)
        *bytes = FRI_MIN(*bytes, ctx->max_gpu_bytes - FRI_MIN(ctx->max_gpu_bytes, used));
    return FR_OK;
}

fr_status fri_gpu_check_memory(fri_gpu *g) {
    fri_job *job = g->job;
    size_t free_bytes, held = 0, need = job->strategy->device_bytes(job);
    bool does;
    FRI_GPU_TRY(fits(job, need, &free_bytes, &does));
    if (does)
        return FR_OK;
    for (int i = 0; i < g->held_count; i++)
        held += fri_resident_block_bytes(g->held[i]);
    return fri_fail(job->ctx, FR_NOMEM,
                    "not enough GPU memory: strategy %s needs %s, %s of it for the edges; %s are "
                    "available%s",
                    job->strategy->name, fri_size(need + held).text,
                    fri_size((size_t)job->csr.m * 4).text, fri_size(free_bytes + held).text,
                    job->ctx->max_gpu_bytes ? "; max_gpu_bytes sets the limit" : "");
}

/* Replacements of `auto`; the first that fits and accepts the weights is used. */
static const char *const fallbacks[FR_PROBLEM_COUNT][4] = {
    [FR_PROBLEM_BFS] = {FRI_PUBLISHED_SMALL_BFS, NULL},
    [FR_PROBLEM_SSSP] = {FRI_PUBLISHED_SMALL_SSSP, NULL},
};

/* Whether the job's strategy accepts the weights and fits; `allocatable` is what it may allocate. */
static fr_status is_possible(const fri_job *job, size_t *need, size_t *allocatable, bool *is) {
    *need = job->strategy->device_bytes(job);
    FRI_GPU_TRY(fits(job, *need, allocatable, is));
    *is = *is && !((job->strategy->needs & FRI_NEEDS_NON_NEGATIVE) && job->weight_min < 0);
    return FR_OK;
}

/* Sets knobs of `auto` with which it fits, if there are any. */
static fr_status save_memory(fri_job *job, size_t need, size_t available, bool *does) {
    fri_job less = *job;
    size_t min_bytes = 0, left;
    const fri_gpu_strategy *gpu = job->strategy->gpu;
    for (int step = 0; gpu->save_memory && !*does; step++) {
        if (!gpu->save_memory(&less, step))
            return FR_OK;
        FRI_GPU_TRY(is_possible(&less, &min_bytes, &left, does));
    }
    if (!*does)
        return FR_OK;
    memcpy(job->knob, less.knob, sizeof job->knob);
    snprintf(job->told.note, sizeof job->told.note,
             "auto with less memory: it needs %s on the GPU instead of %s, and %s are available",
             fri_size(min_bytes).text, fri_size(need).text, fri_size(available).text);
    return FR_OK;
}

extern const fri_strategy fri_bfs_auto, fri_sssp_auto, fri_apsp_auto;

static const fri_strategy *on_the_cpu(fr_problem problem) {
    const fri_strategy *const all[] = {&fri_bfs_auto, &fri_sssp_auto, &fri_apsp_auto};
    return all[problem];
}

/* Gives the job to the first fallback of this build that is possible, which leaves other knobs, else to the CPU. */
static fr_status choose_fallback(fri_job *job) {
    size_t ignored;
    bool does = false;
    FRI_GPU_TRY(fri_job_fetch_rows(job)); /* `auto` alone plans without them */
    for (int i = 0; fallbacks[job->in->problem][i]; i++) {
        const fri_strategy *other =
            fri_strategy_find(job->in->problem, FR_BACKEND_CUDA, fallbacks[job->in->problem][i]);
        if (!other) /* FRINGE_GPU_STRATEGIES=auto */
            continue;
        fri_job_give(job, other);
        FRI_GPU_TRY(is_possible(job, &ignored, &ignored, &does));
        if (does)
            return FR_OK;
    }
    fri_job_give(job, on_the_cpu(job->in->problem));
    return FR_OK;
}

/* Gives the job that no strategy of the GPU takes to the CPU. */
static void leave(fri_job *job, const char *why) {
    fri_job_give(job, on_the_cpu(job->in->problem));
    fri_job_note(job, "on the CPU: %s", why);
}

fr_status fri_gpu_resolve(fri_job *job) {
    size_t free_bytes, need;
    bool does;
    if (job->strategy->backend != FR_BACKEND_CUDA)
        return FR_OK;
    if (job->in->problem == FR_PROBLEM_APSP && job->csr.weight_type == FR_TYPE_I64 &&
        (job->weight_min < 0 || job->in->in_place)) {
        leave(job, "int64 weights below 0, or in place: no APSP strategy on the GPU takes them");
        return FR_OK;
    }
    if (job->strategy->gpu->choose)
        job->strategy->gpu->choose(job);
    if (!job->in->in_place && job->strategy->check &&
        job->strategy->check(job)) { /* the CPU takes none in place */
        leave(job, job->ctx->message);
        fri_begin(job->ctx);
        return FR_OK;
    }
    const char *chosen = job->strategy->name;
    FRI_GPU_TRY(is_possible(job, &need, &free_bytes, &does));
    if (!does)
        FRI_GPU_TRY(save_memory(job, need, free_bytes, &does));
    if (does)
        return FR_OK;
    FRI_GPU_TRY(choose_fallback(job));
    snprintf(job->told.note, sizeof job->told.note,
             "%s: %s needs %s on the GPU, and %s are available",
             job->strategy->backend == FR_BACKEND_CUDA ? job->strategy->name : "on the CPU", chosen,
             fri_size(need).text, fri_size(free_bytes).text);
    return FR_OK;
}
