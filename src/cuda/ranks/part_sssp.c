/* SSSP on a rank's GPU: memory, upload, the exchanges of a round, download. */
#include "cuda/ranks/part.h"

#include "ranks/solver.h"

#include <string.h>

enum { LIST_MULTIPLE = 32 }; /* so that the list of a rank begins at a whole line */

/* ---- memory ------------------------------------------------------------------------------------ */

static void set_sizes(fri_gpu_part *p) {
    const fr_part *part = p->part;
    fri_sssp_arrays *a = &p->sssp;
    a->inf = fri_dist_inf(p->weight_type);
    a->own = part->own;
    a->words = part->share / 32;
    a->share = part->share;
    a->ranks = part->world->size;
    a->rank = part->world->rank;
    a->base = fri_part_base(part);
    a->events_size = FRI_MAX(part->own, 1);
}

/* Of a target and a weight, as cpu/typed.h has them (edge_t). */
static size_t pull_edge_bytes(const fri_gpu_part *p) { return 2 * fr_type_size(p->weight_type); }

static fr_status allocate(fri_gpu_part *p, bool pulls) {
    const fr_part *part = p->part;
    fri_sssp_arrays *a = &p->sssp;
    const size_t number = sizeof(int32_t), map = fri_bytes(a->words, number);
    const size_t messages = fri_bytes(a->ranks, FRI_SSSP_MESSAGE_BYTES);
    const fr_type type = p->weight_type;
    const int64_t pull_rows = pulls ? (int64_t)a->own + 1 : 0, pull_edges = pulls ? p->m : 0;
    const fri_gpu_buffer buffers[] = {
        {(void **)&a->push_offsets, fri_gpu_part_offset_bytes(p, fri_part_slots(part) + 1)},
        {(void **)&a->pull_offsets, fri_gpu_part_offset_bytes(p, pull_rows)},
        {(void **)&a->push_targets, fri_bytes(p->m, number)},
        {(void **)&a->push_weights, type ? fri_bytes(p->m, fr_type_size(type)) : 0},
        {(void **)&a->pull_edges, fri_bytes(pull_edges, pull_edge_bytes(p))},
        {(void **)&a->dist, fri_bytes(a->share, sizeof *a->dist)},
        {(void **)&a->parent, fri_bytes(a->own, number)},
        {(void **)&a->pending, map},
        {(void **)&a->lost, map},
        {(void **)&a->events, fri_bytes(a->events_size, sizeof *a->events)},
        {(void **)&a->lowered, fri_bytes(a->share, sizeof *a->lowered)},
        {(void **)&a->lists, fri_bytes(fri_part_slots(part), sizeof *a->lists)},
        {(void **)&a->messages[0], messages},
        {(void **)&a->messages[1], messages},
        {(void **)&a->record, sizeof *a->record},
        {&a->queue, fri_bytes(p->queue_size, FRI_PART_CHUNK_BYTES)},
        {(void **)&p->records, fri_bytes(a->ranks, sizeof *p->records)},
        {(void **)&a->control, FRI_PART_CONTROL_WORDS * sizeof *a->control},
    };
    FRI_GPU_TRY(fri_gpu_alloc_many(&p->g, buffers, (int)(sizeof buffers / sizeof *buffers)));
    a->all_dist = (int64_t *)a->lists;
    return FR_OK;
}

static fr_status upload(fri_gpu_part *p, const void *pull_edges) {
    const fr_part *part = p->part;
    const fr_csr *push = &part->push->csr;
    const fri_sssp_arrays *a = &p->sssp;
    fri_gpu *g = &p->g;
    FRI_GPU_TRY(
        fri_gpu_part_upload_offsets(p, a->push_offsets, push->offsets, fri_part_slots(part) + 1));
    FRI_GPU_TRY(fri_gpu_upload(g, (void *)(uintptr_t)a->push_targets, push->targets,
                               fri_bytes(p->m, sizeof *push->targets)));
    if (p->weight_type)
        FRI_GPU_TRY(fri_gpu_upload(g, (void *)(uintptr_t)a->push_weights, push->weights,
                                   fri_bytes(p->m, fr_type_size(p->weight_type))));
    if (pull_edges) {
        FRI_GPU_TRY(fri_gpu_part_upload_offsets(p, a->pull_offsets, part->pull_offsets,
                                                (int64_t)part->own + 1));
        FRI_GPU_TRY(fri_gpu_upload(g, (void *)(uintptr_t)a->pull_edges, pull_edges,
                                   fri_bytes(p->m, pull_edge_bytes(p))));
    }
    return FR_OK;
}

/* Lists and messages are sent with what follows their entries. */
static fr_status clear_exchanged(fri_gpu_part *p) {
    const fri_sssp_arrays *a = &p->sssp;
    const size_t messages = fri_bytes(a->ranks, FRI_SSSP_MESSAGE_BYTES);
    FRI_GPU_TRY(fri_gpu_part_clear(p, a->messages[0], messages));
    FRI_GPU_TRY(fri_gpu_part_clear(p, a->messages[1], messages));
    FRI_GPU_TRY(fri_gpu_part_clear(p, a->lowered, fri_bytes(a->share, sizeof *a->lowered)));
    return fri_gpu_part_clear(p, a->lists, fri_bytes(fri_part_slots(p->part), sizeof *a->lists));
}

static fr_status fill(fri_gpu_part *p, const fr_part_solver *s) {
    set_sizes(p);
    FRI_GPU_TRY(allocate(p, s->pull_edges != NULL));
    FRI_GPU_TRY(upload(p, s->pull_edges));
    return clear_exchanged(p);
}

fr_status fri_gpu_part_sssp_new(const fr_part_solver *s, fri_gpu_part **out) {
    return fri_gpu_part_open(s, out, fill);
}

/* ---- bytes that a rank receives ---------------------------------------------------------------- */

static int64_t padded(int64_t entries) {
    return (entries + LIST_MULTIPLE - 1) / LIST_MULTIPLE * LIST_MULTIPLE;
}

int64_t fri_gpu_part_sssp_message_bytes(const fr_part *part) {
    return (part->world->size - 1) * (int64_t)FRI_SSSP_MESSAGE_BYTES;
}

int64_t fri_gpu_part_sssp_list_bytes(const fr_part *part, int64_t longest) {
    const int64_t others = part->world->size - 1;
    return longest > FRI_SSSP_SHORT_LIST ? others * padded(longest) * (int64_t)sizeof(fri_lowered)
                                         : 0;
}

int64_t fri_gpu_part_sssp_distance_bytes(const fr_part *part) {
    return (part->world->size - 1) * part->share * (int64_t)sizeof(int64_t);
}

/* ---- a query ----------------------------------------------------------------------------------- */

fr_status fri_gpu_part_sssp_begin(fri_gpu_part *p, const int64_t *sources, int64_t count) {
    FRI_GPU_TRY(fri_gpu_part_select(p));
    p->sssp.phase = 0;
    fri_gpu_part_sssp_clear(p);
    fri_gpu_part_each_source(p, sources, count, fri_gpu_part_sssp_set_sources);
    return fri_gpu_part_launched(p);
}

fr_status fri_gpu_part_sssp_exchange(fri_gpu_part *p, fr_status status, fri_sssp_record *records) {
    const fri_sssp_arrays *a = &p->sssp;
    char *all = a->messages[a->phase ^ 1];
    const char *mine = all + (int64_t)a->rank * FRI_SSSP_MESSAGE_BYTES;
    fri_gpu_part_sssp_finish_message(p, status);
    FRI_GPU_TRY(fri_gpu_part_gather(p, mine, all, FRI_SSSP_MESSAGE_BYTES));
    FRI_GPU_TRY(fri_gpu_part_await_records(p, all, FRI_SSSP_MESSAGE_BYTES));
    memcpy(records, p->host_records, fri_bytes(a->ranks, sizeof *records));
    return FR_OK;
}

fr_status fri_gpu_part_sssp_recover(fri_gpu_part *p) {
    fri_gpu_part_sssp_run_recover(p);
    return fri_gpu_part_launched(p);
}

fr_status fri_gpu_part_sssp_send_lists(fri_gpu_part *p, int64_t longest) {
    fri_sssp_arrays *a = &p->sssp;
    a->long_lists = longest > FRI_SSSP_SHORT_LIST;
    a->list_size = a->long_lists ? padded(longest) : longest;
    if (!a->long_lists)
        return FR_OK;
    return fri_gpu_part_gather(p, a->lowered, a->lists,
                               fri_bytes(a->list_size, sizeof *a->lowered));
}

fr_status fri_gpu_part_sssp_send_distances(fri_gpu_part *p) {
    const fri_sssp_arrays *a = &p->sssp;
    return fri_gpu_part_gather(p, a->dist, a->all_dist, fri_bytes(a->share, sizeof *a->dist));
}

/* The frontier that was sent belongs to the step which begins. */
static void next_phase(fri_gpu_part *p, int64_t bound) {
    p->sssp.phase ^= 1;
    p->sssp.bound = bound;
}

fr_status fri_gpu_part_sssp_relax(fri_gpu_part *p, int64_t bound, bool moved) {
    next_phase(p, bound);
    fri_gpu_part_sssp_run_relax(p, moved);
    return fri_gpu_part_launched(p);
}

fr_status fri_gpu_part_sssp_pull(fri_gpu_part *p, int64_t lower_bound, int64_t bound) {
    next_phase(p, bound);
    p->sssp.lower_bound = lower_bound;
    /* it relaxes the edges of all that was pending, and lists or marks what it lowers */
    FRI_GPU_TRY(
        fri_gpu_part_clear(p, p->sssp.pending, fri_bytes(p->sssp.words, sizeof *p->sssp.pending)));
    fri_gpu_part_sssp_run_pull(p);
    return fri_gpu_part_launched(p);
}

fr_status fri_gpu_part_sssp_download(fri_gpu_part *p, int64_t *dist, int32_t *parent) {
    const fri_sssp_arrays *a = &p->sssp;
    FRI_GPU_TRY(fri_gpu_download(&p->g, dist, a->dist, fri_bytes(a->own, sizeof *dist)));
    return fri_gpu_download(&p->g, parent, a->parent, fri_bytes(a->own, sizeof *parent));
}
