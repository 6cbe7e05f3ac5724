#include "cuda/drivers/query.h"

#include "base/bitmap.h"

void fri_gpu_begin_query(fri_gpu *g) {
    int32_t *parent = g->job->out->parent;
    g->source_count = (int32_t)g->job->in->query.source_count; /* without duplicates */
    g->parent = !parent ? NULL : fri_gpu_is_direct(g, parent) ? parent : g->parent_store;
}

fr_status fri_gpu_send_query(fri_gpu *g, bool sources) {
    const fr_query *q = &g->job->in->query;
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

fr_status fri_gpu_end_query(fri_gpu *g) {
    FRI_GPU_TRY(fri_gpu_read_occupancy(g));
    return fri_gpu_read_counts(g);
}
