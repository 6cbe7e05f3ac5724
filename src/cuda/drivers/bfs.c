/* Drives a BFS strategy on the GPU: outputs, sources, levels, limits, times. The strategy chooses
 * the direction of a level, `auto` in bfs/auto/decide.cuh.
 * Called by: core/query/solve.c, as `run` of every BFS strategy of the GPU. */
#include "cuda/device/results/expand.h"
#include "cuda/device/results/results.h"

#include "base/bitmap.h"

static fr_status init_arrays(fri_gpu *g) {
    FRI_GPU_TRY(fri_gpu_clear_control(g));
    fri_gpu_fill(g, g->bfs.level, g->n, -1);
    if (g->parent)
        fri_gpu_fill(g, g->parent, g->n, -1);
    fri_gpu_set_sources(g);
    return FR_OK;
}

static fr_status start_clock(fri_gpu *g) {
    return fri_gpu_check(g, cudaEventRecord(g->clock_start, g->stream), "starting the clock");
}

static void set_query(fri_gpu *g) {
    int32_t *parent = g->job->out->parent;
    g->source_count = (int32_t)g->job->query.source_count; /* the solver has removed duplicates */
    g->parent = !parent ? NULL : fri_gpu_is_direct(g, parent) ? parent : g->parent_store;
    g->bfs.end_recorded = g->bfs.submitted = false;
}

/* `initializes`: the strategy reads the source from the query itself. */
static fr_status upload_query(fri_gpu *g, bool initializes) {
    const fr_query *q = &g->job->query;
    if (g->job->target_map)
        FRI_GPU_TRY(fri_gpu_send(g, g->target_map, g->job->target_map, fri_bitmap_bytes(g->n)));
    return initializes ? FR_OK
                       : fri_gpu_send(g, g->sources, q->sources,
                                      fri_bytes(g->source_count, sizeof *g->sources));
}

static fr_status start_arrays(fri_gpu *g) {
    const bool initializes = g->strategy->initializes_arrays && g->strategy->initializes_arrays(g);
    FRI_GPU_TRY(upload_query(g, initializes));
    if (!initializes) { /* else run_levels starts the clock */
        FRI_GPU_TRY(start_clock(g));
        FRI_GPU_TRY(init_arrays(g));
    }
    return g->strategy->start_query ? g->strategy->start_query(g) : FR_OK;
}

static fr_status start(fri_gpu *g) {
    fri_gpu_range_begin(g, "start", -1);
    fr_status status = start_arrays(g);
    fri_gpu_range_end(g);
    return status;
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

/* The first launch: what the results need on the host, such as a team, takes microseconds, which it
 * hides. With targets no launch may be needed. */
static fr_status submit(fri_gpu *g) {
    if (!g->strategy->submit_levels || g->job->target_map)
        return FR_OK;
    FRI_GPU_TRY(start(g));
    FRI_GPU_TRY(g->strategy->submit_levels(g, max_levels(g, 0)));
    g->bfs.submitted = true;
    return FR_OK;
}

/* One level, or up to FRI_GPU_MAX_LEVELS by run_levels: the NVTX range is named by the first. */
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
static void trace_levels(fri_job *job, int64_t frontier, const fri_gpu_progress *progress,
                         int64_t ns) {
    const char *method = progress->method ? progress->method : job->strategy->name;
    int32_t lines = progress->traced ? 0 : progress->sizes ? progress->levels : 1;
    for (int32_t i = 0; i < lines; i++) {
        fri_job_level(job, method, frontier, i + 1 == lines ? progress->edges : 0, ns / lines);
        frontier = progress->sizes ? progress->sizes[i] : 0;
    }
}

/* Sets stats.levels, edges_examined (0: the strategy counted none) and, if the strategy counts
 * them, what was reached. *expanded: levels whose vertices were expanded, from level 0; one more
 * than the deepest level if the last was expanded and found nothing, else as many. */
static fr_status level_loop(fri_gpu *g, int32_t *expanded) {
    fri_job *job = g->job;
    fr_stats *stats = &job->out->stats;
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
        trace_levels(job, found, &progress, fri_now_ns() - begin);
        found = progress.found;
        stats->edges_examined += progress.edges;
        stats->reached = progress.reached;
        stats->reached_edges = progress.reached_edges;
        depth += progress.levels - (found == 0); /* found == 0: the last level led to no other */
        *expanded += FRI_MAX(progress.levels, 1);
        if (found)
            FRI_GPU_TRY(fri_gpu_check_steps(job, "levels", *expanded, g->n));
    }
    stats->levels = depth;
    return FR_OK;
}

static bool wants_min_parents(const fri_gpu *g) {
    return g->parent && g->job->query.parent_rule == FR_PARENT_MIN_ID;
}

/* *pending: the stream has work that the host has not waited for. */
static fr_status finish(fri_gpu *g, bool *pending) {
    *pending = wants_min_parents(g) || !g->bfs.end_recorded;
    if (wants_min_parents(g))
        fri_gpu_min_parents(g);
    return *pending
               ? fri_gpu_check(g, cudaEventRecord(g->clock_stop, g->stream), "stopping the clock")
               : FR_OK;
}

static fr_status read_clock(fri_gpu *g) {
    float ms = 0;
    FRI_GPU_TRY(fri_gpu_check(g, cudaEventElapsedTime(&ms, g->clock_start, g->clock_stop),
                              "reading the clock"));
    g->job->told.device_ns = (int64_t)((double)ms * 1e6);
    return FR_OK;
}

/* The state of a query until its results are on the device. */
typedef struct traversal {
    bool pending;
    fri_gpu_counting counting; /* used if the strategy did not count */
} traversal;

static int sent_size(const fri_gpu *g) {
    return fri_narrow_size(sizeof *g->bfs.level, -1, g->job->out->stats.levels);
}

/* After a failure: waits for the launch that is under way, since it writes the arrays. */
static fr_status settle(fri_gpu *g, fr_status status) {
    if (status && g->bfs.submitted && cudaStreamSynchronize(g->stream))
        cudaGetLastError();
    return status;
}

/* With work pending the clock still runs. Else it is read here, while others may deliver pieces. */
static fr_status stop(fri_gpu *g, bool *pending) {
    FRI_GPU_TRY(finish(g, pending));
    return *pending ? FR_OK : read_clock(g);
}

static fr_status traverse(fri_gpu *g, fri_gpu_delivery *d) {
    traversal *t = d->arg;
    int32_t expanded = 0;
    if (!g->bfs.submitted)
        FRI_GPU_TRY(start(g));
    FRI_GPU_TRY(settle(g, level_loop(g, &expanded)));
    FRI_GPU_TRY(stop(g, &t->pending));
    t->counting = (fri_gpu_counting){g->bfs.level, sizeof *g->bfs.level, -1, expanded - 1};
    /* 0: the strategy did not count; the sources alone make it positive */
    d->counting = g->job->out->stats.reached ? NULL : &t->counting;
    if (!d->outputs[0].sent)
        d->outputs[0].sent = sent_size(g);
    d->ready = true;
    return FR_OK;
}

/* Describes levels and parents. `sent` of levels, in bytes, is not known yet: the device chooses it, or it
 * follows from the depth (sent_size). */
static int outputs_of(const fri_gpu *g, fri_gpu_output *to) {
    const fr_result *out = g->job->out;
    const int value = sizeof(int32_t);
    to[0] = (fri_gpu_output){out->level, g->bfs.level, g->n, value, 0};
    to[1] = (fri_gpu_output){out->parent, g->parent, g->n, value, value};
    return 2;
}

/* Downloads to arrays that no team fills while the traversal runs. */
static fr_status download(fri_gpu *g, const traversal *t, const fri_gpu_counting *counting) {
    fri_gpu_output outputs[FRI_GPU_MAX_OUTPUTS];
    const int count = outputs_of(g, outputs);
    outputs[0].sent = sent_size(g);
    fri_gpu_range_begin(g, "download", -1);
    fr_status status = fri_gpu_download_results(g, outputs, count, t->pending, counting);
    fri_gpu_range_end(g);
    return status;
}

static fr_status solve(fri_gpu *g, fri_gpu_delivery *d) {
    fri_gpu_output outputs[FRI_GPU_MAX_OUTPUTS];
    traversal *t = d->arg;
    const int count = outputs_of(g, outputs);
    FRI_GPU_TRY(submit(g));
    FRI_GPU_TRY(settle(g, fri_gpu_check_host_results(g)));
    d->count = fri_gpu_staged_outputs(g, outputs, count, d->outputs);
    d->ahead = g->strategy->ends_with_levels && !wants_min_parents(g);
    if (d->count) {
        d->solve = traverse;
        FRI_GPU_TRY(fri_gpu_stage(g, d));
        FRI_GPU_TRY(fri_gpu_await_results(g, t->pending, d->counting));
    } else {
        FRI_GPU_TRY(traverse(g, d));
        const int64_t begin = fri_now_ns();
        FRI_GPU_TRY(download(g, t, d->counting));
        d->ns = fri_now_ns() - begin;
    }
    return FR_OK;
}

static fr_status run_query(fri_gpu *g) {
    fr_stats *stats = &g->job->out->stats;
    traversal t = {0};
    fri_gpu_delivery d = {.arg = &t};
    set_query(g);
    FRI_GPU_TRY(solve(g, &d));
    stats->transfer_ns = g->job->told.upload_ns + d.ns;
    if (t.pending)
        FRI_GPU_TRY(read_clock(g));
    const int64_t edges = d.counting ? fri_gpu_take_reached(g) : 0;
    if (!stats->edges_examined) /* 0: run_level read exactly the out-edges of the levels expanded */
        stats->edges_examined = edges;
    FRI_GPU_TRY(fri_gpu_read_occupancy(g));
    return fri_gpu_read_counts(g);
}

fr_status fri_gpu_bfs_run(fri_job *job) {
    fri_gpu *g = job->device;
    int32_t *own = g->bfs.level;
    FRI_GPU_TRY(fri_gpu_check(g, cudaSetDevice(job->ctx->device), "selecting the device"));
    FRI_GPU_TRY(fri_gpu_open_results(g));
    if (fri_gpu_is_direct(g, job->out->level))
        g->bfs.level = job->out->level;
    fr_status status = run_query(g);
    g->bfs.level = own;
    return status;
}
