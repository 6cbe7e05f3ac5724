/* Drives a BFS strategy on the GPU: outputs, sources, levels, limits, times. */
#include "cuda/device/gpu.h"

#include "base/bitmap.h"

static fr_status fill(fri_gpu *g) {
    FRI_GPU_TRY(fri_gpu_clear_control(g));
    fri_gpu_fill(g, g->level, g->n, -1);
    if (g->parent)
        fri_gpu_fill(g, g->parent, g->n, -1);
    fri_gpu_set_sources(g);
    return FR_OK;
}

static fr_status start(fri_gpu *g) {
    const fr_query *q = &g->job->query;
    g->source_count = (int32_t)q->source_count; /* the solver has removed duplicates */
    g->parent = g->job->out->parent ? g->parent_store : NULL;
    if (g->job->target_map)
        FRI_GPU_TRY(fri_gpu_upload(g, g->target_map, g->job->target_map, fri_bitmap_bytes(g->n)));
    g->end_recorded = false;
    if (!g->strategy->initializes_arrays || !g->strategy->initializes_arrays(g)) {
        FRI_GPU_TRY(fri_gpu_upload(g, g->sources, q->sources,
                                   fri_bytes(g->source_count, sizeof *g->sources)));
        FRI_GPU_TRY(fri_gpu_check(g, cudaEventRecord(g->begin, g->stream), "starting the clock"));
        FRI_GPU_TRY(fill(g));
    }
    return g->strategy->begin ? g->strategy->begin(g) : FR_OK;
}

static fr_status targets_left(fri_gpu *g, bool *left) {
    *left = true;
    if (!g->job->target_map)
        return FR_OK;
    fri_gpu_count_targets(g);
    FRI_GPU_TRY(fri_gpu_read_control(g, FRI_CONTROL_TARGETS, 1));
    *left = g->host_control[FRI_CONTROL_TARGETS] < g->job->target_count;
    return FR_OK;
}

static int32_t max_levels(const fri_gpu *g, int32_t depth) {
    int32_t deepest = g->job->query.max_level;
    if (g->job->target_map)
        return 1;
    return deepest ? FRI_MIN(deepest - depth, FRI_GPU_MAX_LEVELS) : FRI_GPU_MAX_LEVELS;
}

static fr_status expand(fri_gpu *g, int32_t depth, fri_gpu_progress *progress) {
    fri_gpu_range_begin(g, "level", depth);
    fr_status status = g->strategy->run_levels
                           ? g->strategy->run_levels(g, depth, max_levels(g, depth), progress)
                           : g->strategy->run_level(g, depth, &progress->found, &progress->edges);
    fri_gpu_range_end(g);
    return status;
}

/* One trace line per level if the sizes are known; the time of the call is divided evenly among
 * them. */
static void record_levels(fri_job *job, int64_t frontier, const fri_gpu_progress *progress,
                          int64_t ns) {
    const char *method = progress->method ? progress->method : job->strategy->name;
    int32_t lines = progress->traced ? 0 : progress->sizes ? progress->levels : 1;
    for (int32_t i = 0; i < lines; i++) {
        fri_job_level(job, method, frontier, i + 1 == lines ? progress->edges : 0, ns / lines);
        frontier = progress->sizes ? progress->sizes[i] : 0;
    }
}

static fr_status level_loop(fri_gpu *g, int32_t *levels, int64_t *edges, int32_t *expanded) {
    fri_job *job = g->job;
    int64_t found = g->source_count;
    int32_t depth = 0;
    for (;;) {
        bool left;
        FRI_GPU_TRY(targets_left(g, &left));
        if (found == 0 || !left || (job->query.max_level && depth >= job->query.max_level))
            break;
        if (fri_progress(job->ctx, "traversing", depth, 0))
            return FR_CANCELLED;
        fri_gpu_progress progress = {.levels = 1};
        int64_t begin = fri_now_ns();
        FRI_GPU_TRY(expand(g, depth, &progress));
        record_levels(job, found, &progress, fri_now_ns() - begin);
        found = progress.found;
        *edges += progress.edges;
        depth += progress.levels - (found == 0);
        *expanded += progress.levels;
    }
    *levels = depth;
    return FR_OK;
}

static fr_status finish(fri_gpu *g) {
    float ms = 0;
    bool min_parents = g->parent && g->job->query.parent_rule == FR_PARENT_MIN_ID;
    if (min_parents)
        fri_gpu_min_parents(g);
    if (min_parents || !g->end_recorded)
        FRI_GPU_TRY(fri_gpu_check(g, cudaEventRecord(g->end, g->stream), "stopping the clock"));
    FRI_GPU_TRY(fri_gpu_check(g, cudaStreamSynchronize(g->stream), "running the traversal"));
    FRI_GPU_TRY(fri_gpu_check(g, cudaEventElapsedTime(&ms, g->begin, g->end), "reading the clock"));
    g->job->device_ns = (int64_t)((double)ms * 1e6);
    return FR_OK;
}

static fr_status download(fri_gpu *g) {
    fri_job *job = g->job;
    size_t bytes = fri_bytes(g->n, sizeof(int32_t));
    int64_t begin = fri_now_ns();
    fri_gpu_range_begin(g, "download", -1);
    fr_status status = fri_gpu_download(g, job->out->level, g->level, bytes);
    if (!status && g->parent)
        status = fri_gpu_download(g, job->out->parent, g->parent, bytes);
    fri_gpu_range_end(g);
    job->out->stats.transfer_ns = job->upload_ns + fri_now_ns() - begin;
    return status;
}

static fr_status run(fri_gpu *g) {
    fr_stats *stats = &g->job->out->stats;
    int32_t expanded = 0;
    fri_gpu_range_begin(g, "start", -1);
    fr_status status = start(g);
    fri_gpu_range_end(g);
    if (!status)
        status = level_loop(g, &stats->levels, &stats->edges_examined, &expanded);
    FRI_GPU_TRY(status ? status : finish(g));
    FRI_GPU_TRY(download(g));
    if (!stats->edges_examined)
        FRI_GPU_TRY(fri_gpu_sum_degrees(g, expanded, &stats->edges_examined));
    FRI_GPU_TRY(fri_gpu_read_occupancy(g));
    return fri_gpu_read_counts(g);
}

fr_status fri_gpu_bfs_run(fri_job *job) {
    fri_gpu *g = job->device;
    FRI_GPU_TRY(fri_gpu_check(g, cudaSetDevice(job->ctx->device), "selecting the device"));
    return run(g);
}
