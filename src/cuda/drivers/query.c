#include "cuda/drivers/query.h"

#include "base/bitmap.h"

void fri_gpu_begin_query(fri_gpu *g) {
    int32_t *parent = g->job->out->parent;
    g->source_count = (int32_t)g->job->query.source_count; /* the solver has removed duplicates */
    g->parent = !parent ? NULL : fri_gpu_is_direct(g, parent) ? parent : g->parent_store;
}

fr_status fri_gpu_send_query(fri_gpu *g, bool sources) {
    const fr_query *q = &g->job->query;
    if (g->job->target_map)
        FRI_GPU_TRY(fri_gpu_send(g, g->target_map, g->job->target_map, fri_bitmap_bytes(g->n)));
    return sources ? fri_gpu_send(g, g->sources, q->sources,
                                  fri_bytes(g->source_count, sizeof *g->sources))
                   : FR_OK;
}

fr_status fri_gpu_run_levels(fri_gpu *g, const char *phase, int32_t first, int32_t most,
                             fri_gpu_progress *progress) {
    fri_gpu_range_begin(g, phase, first);
    fr_status status = g->strategy->run_levels
                           ? g->strategy->run_levels(g, first, most, progress)
                           : g->strategy->run_level(g, first, &progress->found, &progress->edges);
    fri_gpu_range_end(g);
    return status;
}

/* Arrays that no team fills while the traversal runs. */
static fr_status traverse_and_download(fri_gpu *g, fri_gpu_delivery *d,
                                       fri_gpu_traversal *traverse) {
    FRI_GPU_TRY(traverse(g, d));
    if (!d->ready)
        return FR_OK;
    const int64_t begin = fri_now_ns();
    fri_gpu_range_begin(g, "download", -1);
    fr_status status = fri_gpu_download_results(g, d->outputs, d->count, d->pending,
                                                d->counts ? &d->count_what : NULL);
    fri_gpu_range_end(g);
    d->ns = fri_now_ns() - begin;
    return status;
}

fr_status fri_gpu_answer(fri_gpu *g, fri_gpu_delivery *d, fri_gpu_traversal *traverse) {
    fri_gpu_delivery by_team = *d;
    by_team.count = fri_gpu_staged_outputs(g, d->outputs, d->count, by_team.outputs);
    if (by_team.count) {
        *d = by_team;
        FRI_GPU_TRY(fri_gpu_stage(g, d, traverse));
        FRI_GPU_TRY(fri_gpu_await_results(g, d->pending, d->counts));
    } else {
        FRI_GPU_TRY(traverse_and_download(g, d, traverse));
    }
    g->job->out->stats.transfer_ns = d->ns;
    return FR_OK;
}

fr_status fri_gpu_end_query(fri_gpu *g) {
    FRI_GPU_TRY(fri_gpu_read_occupancy(g));
    return fri_gpu_read_counts(g);
}
