/* The host side of BFS `multi-device`: the memory and rows of a slice, and a query: a thread per GPU submits it,
 * launches at the same time as the others, and downloads its slice of the results. The kernels are in
 * multi_device.cu. */
#include "cuda/device/results/expand.h"
#include "cuda/device/results/results.h"
#include "cuda/multi_device/slices.h"

#include "base/bitmap.h"

#include <stdio.h>
#include <string.h>

enum { CHUNK_EDGES = 256, CHUNK_BYTES = 16 };
enum { ALL_DIRTY = 7 }; /* nothing has cleared the three bitmaps */

/* ---- the slices ---- */

static size_t words_bytes(int64_t vertices) {
    return fri_bytes((vertices + 31) / 32, sizeof(uint32_t));
}

size_t fri_slice_queue_bytes(const fri_slice *s) {
    const int64_t vertices = FRI_MIN((int64_t)s->job.csr.n, s->edges);
    return fri_bytes(vertices + s->edges / CHUNK_EDGES + 1, CHUNK_BYTES);
}

static void plan(fri_gpu *g, fri_slices *all) {
    all->bfs.list_edges =
        (int32_t)fri_job_knob(g->job, FRI_SLICE_KNOB_LIST_EDGES, fri_list_edges(g->n));
}

static size_t list_bytes(const fri_slice *s) {
    return fri_bytes(2 * (int64_t)s->all->count * s->all->bfs.list_edges, sizeof(int32_t));
}

static void lay_out(fri_slice *s, fri_slice_layout *l) {
    fri_gpu *g = s->g;
    fri_bfs_slice *b = &s->bfs;
    const int64_t n = g->n, own = s->own;
    const size_t offset = g->offsets64 ? sizeof(int64_t) : sizeof(uint32_t), id = sizeof(int32_t);
    fri_slice_add(l, &s->pull.offsets, fri_bytes(own + 1, offset));
    fri_slice_add(l, &s->pull.targets, fri_bytes(s->edges, id));
    fri_slice_add(l, &s->push.offsets, fri_bytes(n + 1, offset));
    fri_slice_add(l, &s->push.targets, fri_bytes(s->edges, id));
    if (!s->job.csr.symmetric)
        fri_slice_add(l, &b->out_offsets, fri_bytes(own + 1, offset));
    fri_slice_add(l, &g->bfs.level, fri_bytes(own, id));
    fri_slice_add(l, &g->parent_store, fri_bytes(own, id));
    fri_slice_add(l, &g->sources, fri_bytes(n, id));
    fri_slice_add(l, &g->target_map, words_bytes(own));
    fri_slice_add(l, &b->bits, 3 * words_bytes(n));
    fri_slice_add(l, &b->visited, words_bytes(own));
    fri_slice_add(l, &b->no_in_edges, words_bytes(own));
    if (s->job.knob[FRI_SLICE_KNOB_HUB_PARENTS] != 0)
        fri_slice_add(l, &b->hub_parents, fri_bytes(own, id));
    fri_slice_add(l, &b->queue, fri_slice_queue_bytes(s));
    fri_slice_add(l, &b->lists, list_bytes(s));
    fri_slice_add(l, &b->long_row_tiles, words_bytes(own));
}

/* On four GPUs compute-sanitizer's initcheck takes what another GPU stored in a list for never written: in builds for
 * tools the lists are cleared first. */
static fr_status clear_for_tools(fri_slice *s) {
#ifdef FRI_SANITIZER_BUILD
    return fri_gpu_zero(s->g, s->bfs.lists, list_bytes(s));
#else
    (void)s;
    return FR_OK;
#endif
}

static fr_status upload(fri_slice *s) {
    const fr_csr *out = &s->job.csr, *in = out->symmetric ? out : &s->job.in_edges;
    s->pull.counts = s->push.counts = s->g->out.counts;
    s->bfs.dirty = ALL_DIRTY;
    FRI_GPU_TRY(clear_for_tools(s));
    FRI_GPU_TRY(fri_upload_slice_offsets(s->g, s->pull.offsets, in->offsets + s->first, s->own));
    FRI_GPU_TRY(fri_gpu_upload(s->g, (void *)(uintptr_t)s->pull.targets,
                               in->targets + in->offsets[s->first],
                               fri_bytes(s->edges, sizeof *in->targets)));
    if (out->symmetric)
        s->bfs.out_offsets = s->pull.offsets;
    else
        FRI_GPU_TRY(
            fri_upload_slice_offsets(s->g, s->bfs.out_offsets, out->offsets + s->first, s->own));
    return fri_upload_push_rows(s, s->first, 0);
}

const fri_slices_kind fri_bfs_slices_kind = {.cost = &fri_bfs_devices_cost,
                                             .plan = plan,
                                             .lay_out = lay_out,
                                             .upload = upload,
                                             .complete = fri_slice_preprocess};

/* ---- the start ---- */

static int64_t out_degree(const fr_csr *csr, int32_t v) {
    return csr->offsets[v + 1] - csr->offsets[v];
}

/* Sets the state of the query before the first launch. */
static void begin_query(fri_slices *all) {
    const fri_job *job = all->job;
    const fr_query *q = &job->in->query;
    fri_slice_report first = {.frontier_vertices = (unsigned long long)q->source_count,
                              .next_barrier = all->barrier};
    for (int64_t i = 0; i < q->source_count; i++) {
        first.frontier_edges += (unsigned long long)out_degree(&job->csr, q->sources[i]);
        first.targets_found += job->target_map && fri_bit_get(job->target_map, q->sources[i]);
    }
    first.has_list = q->source_count == 1;
    first.has_bitmap = !first.has_list;
    first.has_hubs = first.frontier_edges > FRI_SLICE_HUB_EDGES;
    first.listed[0] = first.has_list;
    all->bfs.report = first;
    all->bfs.depth = 0;
    for (int k = 0; k < all->count; k++) {
        fri_slice *s = &all->slice[k];
        s->in.query = job->in->query;
        s->job.out = job->out;
        s->job.told.device_ns = 0;
    }
}

/* The words of the bitmap of targets that belong to the slice; it is little-endian. */
static fr_status send_targets(fri_slice *s) {
    const char *map = (const char *)s->all->job->target_map;
    if (!map || !s->own)
        return FR_OK;
    return fri_gpu_send(s->g, s->g->target_map, map + s->first / 8,
                        ((size_t)s->own + 31) / 32 * sizeof(uint32_t));
}

static fr_status send_query(fri_slice *s) {
    fri_gpu *g = s->g;
    const fr_query *q = &s->all->job->in->query;
    g->source_count = (int32_t)q->source_count;
    g->parent = s->all->job->out->parent ? g->parent_store : NULL;
    FRI_GPU_TRY(send_targets(s));
    if (g->source_count > 1)
        FRI_GPU_TRY(fri_gpu_send(g, g->sources, q->sources,
                                 fri_bytes(g->source_count, sizeof *g->sources)));
    if (s->all->failed) /* no other device uses them now */
        FRI_GPU_TRY(fri_slice_clear_words(s));
    FRI_GPU_TRY(fri_gpu_clear_control(g));
    /* a peer's kernel may begin before this one: its stores must find the words cleared */
    return fri_gpu_wait(g, "starting");
}

/* ---- launches ---- */

static int32_t max_levels(const fri_slices *all) {
    const int32_t deepest = all->job->in->query.max_level;
    return deepest ? FRI_MIN(deepest - all->bfs.depth, FRI_GPU_MAX_LEVELS) : FRI_GPU_MAX_LEVELS;
}

static fr_status launch(fri_slice *s) {
    fri_gpu *g = s->g;
    if (s->all->bfs.depth == 0)
        FRI_GPU_TRY(fri_gpu_start_clock(g));
    FRI_GPU_TRY(fri_slice_launch(s, max_levels(s->all)));
    return fri_gpu_stop_clock(g);
}

static fr_status wait_for_launch(fri_slice *s, fri_slice_report *report) {
    FRI_GPU_TRY(fri_slice_read_report(s, report));
    if (report->completed)
        return FR_OK;
    return fri_fail(s->job.ctx, FR_DEVICE,
                    "this GPU waited too long for another one of the traversal, which has failed "
                    "or is in use");
}

/* Called for the first slice while the others wait: takes over the report and decides whether a launch
 * follows. */
static fr_status continue_traversal(fri_slices *all, const fri_slice_report *report) {
    fri_job *job = all->job;
    const int32_t deepest = job->in->query.max_level;
    const bool hit = job->target_map && (int64_t)report->targets_found >= job->target_count;
    all->bfs.progress = (fri_gpu_progress){.levels = report->levels};
    FRI_GPU_TRY(fri_gpu_report_levels(all->slice[0].g, all->slice[0].trace,
                                      fri_slice_method_names(), &all->bfs.progress));
    all->bfs.report = *report;
    all->barrier = report->next_barrier;
    all->bfs.depth += report->levels;
    all->bfs.continues =
        report->frontier_vertices && !hit && !(deepest && all->bfs.depth >= deepest);
    all->bfs.depth +=
        all->bfs.continues && !report->levels; /* such a launch counts, too: the loop ends */
    if (all->bfs.continues && fri_progress(job->ctx, "traversing", all->bfs.depth, 0))
        return FR_CANCELLED;
    return all->bfs.continues ? fri_gpu_check_steps(job, "levels", all->bfs.depth, job->csr.n)
                              : FR_OK;
}

/* ---- the results ---- */

static void *slice_of(int32_t *array, const fri_slice *s) {
    return array ? array + s->first : NULL;
}

static fr_status download(fri_slice *s) {
    fri_gpu *g = s->g;
    const fr_result *out = s->all->job->out;
    const int value = sizeof(int32_t), level = fri_narrow_size(value, -1, s->all->bfs.depth);
    const fri_gpu_output outputs[] = {{slice_of(out->level, s), g->bfs.level, s->own, value, level},
                                      {slice_of(out->parent, s), g->parent, s->own, value, value}};
    fri_gpu_range_begin(g, "download", -1);
    fr_status status = fri_gpu_download_results(g, outputs, 2, false, NULL);
    fri_gpu_range_end(g);
    return status;
}

/* Clears the control words between launches. The counters after them continue. */
static fr_status clear_words(fri_gpu *g) {
    return fri_gpu_zero(g, g->control, FRI_GPU_CONTROL_WORDS * sizeof *g->control);
}

/* Runs the query in the thread of each GPU. */
static fr_status traverse(fri_slice *s) {
    fri_slices *all = s->all;
    fri_slice_report report;
    fr_status status = fri_gpu_select(s->g);
    if (!status)
        status = send_query(s);
    s->bfs.edges_scanned = 0;
    for (bool more = true; more; more = all->bfs.continues) {
        if (!fri_slices_agree(s, status))
            return status;
        status = launch(s);
        if (!status)
            status = wait_for_launch(s, &report);
        if (!fri_slices_agree(s, status))
            return status;
        s->bfs.edges_scanned += (int64_t)report.edges_scanned;
        s->bfs.dirty = report.dirty;
        if (s->index == 0)
            status = continue_traversal(all, &report);
        if (!status)
            status = clear_words(s->g);
        if (!fri_slices_agree(s, status))
            return status;
    }
    s->bfs.device_ns = 0;
    status = fri_gpu_read_clock(s->g, &s->bfs.device_ns);
    return status ? status : download(s);
}

/* ---- the query ---- */

static void fill_stats(fri_slices *all) {
    fri_job *job = all->job;
    fr_stats *stats = &job->out->stats;
    const fri_slice_report *r = &all->bfs.report;
    stats->levels = all->bfs.depth - (r->frontier_vertices == 0);
    stats->reached = (int64_t)(r->vertices_visited + r->frontier_vertices);
    stats->reached_edges = (int64_t)(r->edges_of_frontiers + r->frontier_edges);
    all->bfs.published = fri_published_bytes((int64_t)r->words_published, all->count);
    for (int k = 0; k < all->count; k++) {
        stats->edges_examined += all->slice[k].bfs.edges_scanned;
        job->told.device_ns = FRI_MAX(job->told.device_ns, all->slice[k].bfs.device_ns);
    }
}

static void explain(const fri_slices *all) {
    fri_job *job = all->job;
    if (all->count > 1)
        snprintf(job->told.why, sizeof job->told.why, "on %d GPUs, %s stored to other GPUs",
                 all->count, fri_size((size_t)all->bfs.published).text);
}

/* Counters of each device's kernels, into the first's job. */
static fr_status read_counts(fri_slices *all) {
    fr_stats *stats = &all->job->out->stats;
    for (int k = 0; k < all->count && all->job->in->counters; k++) {
        fri_gpu *g = all->slice[k].g;
        int64_t before[FR_COUNTER_CAPACITY];
        memcpy(before, stats->counters, sizeof before);
        FRI_GPU_TRY(fri_gpu_select(g));
        FRI_GPU_TRY(fri_gpu_read_counts(g));
        for (int i = 0; i < FR_COUNTER_COUNT; i++)
            stats->counters[i] += before[i];
    }
    return fri_gpu_select(all->slice[0].g);
}

static fr_status check_query(fri_gpu *g) {
    const fri_job *job = g->job;
    FRI_GPU_TRY(fri_gpu_select(g));
    FRI_GPU_TRY(fri_gpu_open_results(g));
    FRI_GPU_TRY(fri_gpu_check_host_results(g));
    return fri_progress(job->ctx, "traversing", 0, 0) ? FR_CANCELLED : FR_OK;
}

/* The next query begins as after fri_slices_prepare(). */
static void give_up(fri_slices *all) {
    all->barrier = 1;
    for (int k = 0; k < all->count; k++)
        all->slice[k].bfs.dirty = ALL_DIRTY;
}

fr_status fri_slices_solve(fri_job *job) {
    fri_gpu *g = job->device;
    fri_slices *all = fri_slices_of(job);
    FRI_GPU_TRY(check_query(g));
    begin_query(all);
    fr_status status = fri_slices_run(all, traverse);
    all->failed = status != FR_OK;
    if (status)
        give_up(all);
    FRI_GPU_TRY(status);
    fill_stats(all);
    explain(all);
    FRI_GPU_TRY(read_counts(all));
    return fri_gpu_read_occupancy(g);
}
