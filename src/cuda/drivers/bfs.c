/* Drives a BFS strategy on the GPU: outputs, sources, levels, limits, times. The strategy chooses
 * the direction of a level, `auto` in bfs/auto/decide.cuh. SSSP where every edge counts the same is driven, too: its
 * distances are the levels, or follow from them (core/query/level_sums.h); its g->bfs.unreached is FR_INF_I32.
 * It is `run` of every BFS strategy of the GPU and of such SSSP. */
#include "cuda/device/results/expand.h"
#include "cuda/drivers/query.h"

static fr_status init_arrays(fri_gpu *g) {
    FRI_GPU_TRY(fri_gpu_clear_control(g));
    fri_gpu_fill(g, g->bfs.level, g->n, g->bfs.unreached);
    if (g->parent)
        fri_gpu_fill(g, g->parent, g->n, -1);
    fri_gpu_set_sources(g);
    return FR_OK;
}

static fr_status start_arrays(fri_gpu *g) {
    const bool initializes = g->strategy->initializes_arrays && g->strategy->initializes_arrays(g);
    FRI_GPU_TRY(fri_gpu_send_query(g, !initializes));
    if (!initializes) { /* else run_levels reads the source from the query, and starts the clock */
        FRI_GPU_TRY(fri_gpu_start_clock(g));
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
    const int32_t deepest = g->bfs.max_level;
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
        if (found == 0 || !left || (g->bfs.max_level && depth >= g->bfs.max_level))
            break;
        if (fri_progress(job->ctx, "traversing", depth, 0))
            return FR_CANCELLED;
        fri_gpu_progress progress = {.levels = 1};
        int64_t begin = fri_now_ns();
        FRI_GPU_TRY(fri_gpu_run_levels(g, "level", depth, max_levels(g, depth), &progress));
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
    return g->parent && g->job->in->query.parent_rule == FR_PARENT_MIN_ID;
}

/* The farthest level within the limit of SSSP. */
static int32_t last_distance(const fri_job *job) {
    const double limit = job->in->query.max_distance;
    return limit > 0 && limit < INT32_MAX - 1 ? (int32_t)limit : INT32_MAX - 1;
}

/* The caller's array on the device, for sums of levels; else NULL, and the host replaces levels by them. */
static void *device_sums(const fri_gpu *g) {
    const fri_job *job = g->job;
    return job->sums && job->in->query.result_memory == FR_MEMORY_DEVICE ? job->out->dist : NULL;
}

/* *pending: the stream has work that the host has not waited for. */
static fr_status finish(fri_gpu *g, bool *pending) {
    const bool sources_only = g->strategy->distances_are_levels && !last_distance(g->job);
    *pending = sources_only || device_sums(g) || wants_min_parents(g) || !g->bfs.end_recorded;
    if (wants_min_parents(g))
        fri_gpu_min_parents(g);
    if (sources_only)
        fri_gpu_keep_sources(g);
    if (device_sums(g))
        fri_gpu_sum_levels(g, device_sums(g));
    return *pending ? fri_gpu_stop_clock(g) : FR_OK;
}

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
    return *pending ? FR_OK : fri_gpu_read_clock(g, &g->job->told.device_ns);
}

static fr_status traverse(fri_gpu *g, fri_gpu_delivery *d) {
    int32_t expanded = 0;
    if (!g->bfs.submitted)
        FRI_GPU_TRY(start(g));
    FRI_GPU_TRY(settle(g, level_loop(g, &expanded)));
    FRI_GPU_TRY(stop(g, &d->pending));
    d->count_what =
        (fri_gpu_counting){g->bfs.level, sizeof *g->bfs.level, g->bfs.unreached, expanded - 1};
    if (g->strategy->distances_are_levels && !last_distance(g->job))
        g->job->out->stats.reached = 0;      /* more than are kept */
    d->counts = !g->job->out->stats.reached; /* which a strategy that counts makes positive */
    if (!d->outputs[0].sent)
        d->outputs[0].sent = sent_size(g);
    d->ready = true;
    return FR_OK;
}

/* Levels and parents. `sent` of levels, in bytes, is not known yet: the device chooses it, or it follows from
 * the depth (sent_size). */
static fri_gpu_delivery delivery_of(const fri_gpu *g) {
    const fr_result *out = g->job->out;
    const int value = sizeof(int32_t);
    const bool distances = g->strategy->distances_are_levels;
    void *to = device_sums(g) ? NULL : distances ? out->dist : out->level;
    return (fri_gpu_delivery){.outputs = {{to, g->bfs.level, g->n, value, 0},
                                          {out->parent, g->parent, g->n, value, value}},
                              .count = 2,
                              .ahead = g->strategy->ends_with_levels && !wants_min_parents(g)};
}

/* Threads that write the caller's distances write sums of levels at once. */
static void sum_in_download(fri_gpu *g, fri_gpu_output *distances) {
    fri_job *job = g->job;
    job->told.summed =
        job->sums_in_download && fri_gpu_copy_method_of(g, distances) == FRI_COPY_TEAM;
    distances->sums = job->told.summed ? job->sums : NULL;
}

/* In each thread of the delivery. */
static void answer(fri_member me, void *arg) {
    fri_gpu_delivery *d = arg;
    if (me.index == 0)
        fri_gpu_delivery_launch(d, traverse(d->g, d));
    fri_gpu_delivery_help(me, d);
}

static fr_status run_query(fri_gpu *g) {
    fr_stats *stats = &g->job->out->stats;
    fri_gpu_begin_query(g);
    g->bfs.end_recorded = g->bfs.submitted = false;
    fri_gpu_delivery d = delivery_of(g);
    FRI_GPU_TRY(submit(g));
    FRI_GPU_TRY(settle(g, fri_gpu_check_host_results(g)));
    sum_in_download(g, &d.outputs[0]);
    fri_gpu_delivery_begin(g, &d);
    fri_team_share(g->job->ctx, d.threads, answer, &d);
    FRI_GPU_TRY(fri_gpu_delivery_end(&d));
    if (d.pending)
        FRI_GPU_TRY(fri_gpu_read_clock(g, &g->job->told.device_ns));
    const int64_t edges = d.counts ? fri_gpu_take_reached(g) : 0;
    if (!stats->edges_examined) /* 0: run_level read exactly the out-edges of the levels expanded */
        stats->edges_examined = edges;
    return fri_gpu_end_query(g);
}

/* level: the caller's array of levels or distances. */
static fr_status run(fri_job *job, int32_t *level, int32_t max_level) {
    fri_gpu *g = job->device;
    int32_t *own = g->bfs.level;
    g->bfs.max_level = max_level;
    g->bfs.unreached = g->strategy->distances_are_levels ? FR_INF_I32 : -1;
    FRI_GPU_TRY(fri_gpu_select(g));
    FRI_GPU_TRY(fri_gpu_open_results(g));
    if (!device_sums(g) && fri_gpu_is_direct(g, level))
        g->bfs.level = level;
    fr_status status = run_query(g);
    g->bfs.level = own;
    return status;
}

fr_status fri_gpu_bfs_run(fri_job *job) {
    return run(job, job->out->level, job->in->query.max_level);
}

/* A limit below 1 leaves the sources: as levels they are those of one level, of which the second is cut off. */
fr_status fri_gpu_levels_run(fri_job *job) {
    const int32_t last = last_distance(job);
    return run(job, job->out->dist, last == INT32_MAX - 1 ? 0 : FRI_MAX(last, 1));
}
