/* BFS on a rank's GPU: memory, upload, the exchange of a level, download. */
#include "cuda/ranks/part.h"

#include "ranks/solver.h"

#include <string.h>

/* ---- memory ------------------------------------------------------------------------------------ */

static int64_t slice_bytes(const fr_part *part) {
    const int64_t bytes = part->share / 8 + FRI_PART_RECORD_BYTES;
    return (bytes + FRI_PART_LINE_BYTES - 1) / FRI_PART_LINE_BYTES * FRI_PART_LINE_BYTES;
}

int64_t fri_gpu_part_bfs_level_bytes(const fr_part *part) {
    return (part->world->size - 1) * slice_bytes(part);
}

static fr_status set_sizes(fri_gpu_part *p) {
    const fr_part *part = p->part;
    const int64_t slice = slice_bytes(part);
    if (slice * 8 * part->world->size > INT32_MAX)
        return fri_fail(p->job.ctx, FR_RANGE, "%lld vertices are too many for %d ranks on GPUs",
                        (long long)part->n, part->world->size);
    p->bfs.own = part->own;
    p->bfs.words = part->share / 32;
    p->bfs.slice_words = (int32_t)(slice / 4);
    p->bfs.ranks = part->world->size;
    p->bfs.rank = part->world->rank;
    return FR_OK;
}

static fr_status allocate(fri_gpu_part *p) {
    const fr_part *part = p->part;
    fri_part_arrays *a = &p->bfs;
    const size_t number = sizeof(int32_t);
    const size_t map = fri_bytes(a->words, number), own = fri_bytes(a->own, number);
    const fri_gpu_buffer buffers[] = {
        {(void **)&a->push_offsets, fri_gpu_part_offset_bytes(p, fri_part_slots(part) + 1)},
        {(void **)&a->pull_offsets, fri_gpu_part_offset_bytes(p, (int64_t)a->own + 1)},
        {(void **)&a->push_targets, fri_bytes(p->m, number)},
        {(void **)&a->pull_sources, fri_bytes(p->m, number)},
        {(void **)&a->hub_parent, own},
        {(void **)&a->front, fri_bytes((int64_t)a->ranks * a->slice_words, number)},
        {(void **)&a->no_in_edges, map},
        {(void **)&a->given, map},
        {(void **)&a->seen, map},
        {(void **)&a->before, map},
        {(void **)&a->level, own},
        {(void **)&a->parent, own},
        {&a->queue, fri_bytes(p->queue_size, FRI_PART_CHUNK_BYTES)},
        {(void **)&p->records, fri_bytes(a->ranks, sizeof *p->records)},
        {(void **)&a->control, FRI_PART_CONTROL_WORDS * sizeof *a->control},
    };
    FRI_GPU_TRY(fri_gpu_alloc_many(&p->g, buffers, (int)(sizeof buffers / sizeof *buffers)));
    a->mine = a->front + (int64_t)a->rank * a->slice_words;
    return FR_OK;
}

static fr_status upload(fri_gpu_part *p, const fr_part_solver *s) {
    const fr_part *part = p->part;
    const fr_csr *push = &part->push->csr;
    fri_part_arrays *a = &p->bfs;
    fri_gpu *g = &p->g;
    const size_t edges = fri_bytes(p->m, sizeof(int32_t));
    FRI_GPU_TRY(
        fri_gpu_part_upload_offsets(p, a->push_offsets, push->offsets, fri_part_slots(part) + 1));
    FRI_GPU_TRY(fri_gpu_part_upload_offsets(p, a->pull_offsets, part->pull_offsets,
                                            (int64_t)part->own + 1));
    FRI_GPU_TRY(fri_gpu_upload(g, (void *)(uintptr_t)a->push_targets, push->targets, edges));
    FRI_GPU_TRY(fri_gpu_upload(g, a->pull_sources, part->pull_sources, edges));
    FRI_GPU_TRY(fri_gpu_upload(g, a->hub_parent, s->hub_parent,
                               fri_bytes(part->own, sizeof *s->hub_parent)));
    FRI_GPU_TRY(fri_gpu_upload(g, a->no_in_edges, s->no_in_edges,
                               fri_bytes(fri_part_words(part), sizeof *s->no_in_edges)));
    fri_gpu_part_bfs_place(p);
    /* slices have gaps, which are sent too */
    return fri_gpu_part_clear(p, a->front,
                              fri_bytes((int64_t)a->ranks * a->slice_words, sizeof *a->front));
}

static fr_status fill(fri_gpu_part *p, const fr_part_solver *s) {
    FRI_GPU_TRY(set_sizes(p));
    FRI_GPU_TRY(allocate(p));
    return upload(p, s);
}

fr_status fri_gpu_part_bfs_new(const fr_part_solver *s, fri_gpu_part **out) {
    return fri_gpu_part_open(s, out, fill);
}

/* ---- a query ----------------------------------------------------------------------------------- */

fr_status fri_gpu_part_bfs_begin(fri_gpu_part *p, const int64_t *sources, int64_t count) {
    const fri_part_arrays *a = &p->bfs;
    FRI_GPU_TRY(fri_gpu_part_select(p));
    FRI_GPU_TRY(fri_gpu_part_clear(p, a->given, fri_bytes(a->words, sizeof *a->given)));
    fri_gpu_part_each_source(p, sources, count, fri_gpu_part_bfs_set_sources);
    fri_gpu_part_bfs_start(p);
    return fri_gpu_part_launched(p);
}

fr_status fri_gpu_part_bfs_step(fri_gpu_part *p, int32_t depth, bool pull) {
    fri_gpu_part_bfs_level(p, depth, pull);
    return fri_gpu_part_launched(p);
}

fr_status fri_gpu_part_bfs_exchange(fri_gpu_part *p, fr_status status, fri_level_report *reports) {
    const fri_part_arrays *a = &p->bfs;
    const size_t slice = (size_t)a->slice_words * sizeof *a->front;
    fri_gpu_part_bfs_finish_report(p, status);
    FRI_GPU_TRY(fri_gpu_part_gather(p, a->mine, a->front, slice));
    FRI_GPU_TRY(fri_gpu_part_await_records(p, a->front + a->words, (int64_t)slice));
    for (int r = 0; r < a->ranks; r++)
        memcpy(&reports[r], &p->host_records[r], sizeof *reports);
    return FR_OK;
}

fr_status fri_gpu_part_bfs_download(fri_gpu_part *p, int32_t *level, int32_t *parent) {
    const size_t bytes = fri_bytes(p->bfs.own, sizeof *level);
    fri_gpu_part_bfs_answer(p);
    FRI_GPU_TRY(fri_gpu_download(&p->g, level, p->bfs.level, bytes));
    return fri_gpu_download(&p->g, parent, p->bfs.parent, bytes);
}
