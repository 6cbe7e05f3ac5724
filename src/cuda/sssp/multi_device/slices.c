/* The slices of SSSP `multi-device`: cuts the graph, makes the rows of each GPU on the host and uploads
 * them. */
#include "cuda/sssp/multi_device/plan.h"
#include "cuda/sssp/multi_device/state.h"

#include <stdio.h>

/* ---- memory ---- */

/* Buffers of a slice; for a plan `to` of each is ignored. */
enum { MAX_BUFFERS = 24 };
typedef struct layout {
    fri_gpu_buffer buffer[MAX_BUFFERS];
    int count;
} layout;

static void add(layout *l, void *to, size_t bytes) {
    l->buffer[l->count++] = (fri_gpu_buffer){to, FRI_MAX(bytes, sizeof(int64_t))};
}

static size_t weight_bytes(const fri_sssp_slices *all, const fri_sssp_slice *s) {
    const fri_gpu *g = s->g;
    return all->job->csr.weights ? fri_bytes(s->edges, fri_gpu_weight_size(g, &g->job->csr)) : 0;
}

static void add_rows(layout *l, fri_gpu_csr *rows, int64_t count, int64_t edges, size_t weights) {
    add(l, &rows->offsets, fri_bytes(count + 1, sizeof(int64_t)));
    add(l, &rows->targets, fri_bytes(edges, sizeof(int32_t)));
    if (weights)
        add(l, &rows->weights, weights);
}

/* What queries write. */
static void add_lists(layout *l, const fri_sssp_slices *all, fri_sssp_slice *s) {
    add(l, &s->frontier, fri_bytes(4 * (int64_t)all->job->csr.n, all->entry_bytes));
    for (int i = 0; i < 2; i++) {
        add(l, &s->near_list[i], fri_bytes(fri_sssp_near_capacity(s), all->entry_bytes));
        add(l, &s->far_pile[i], fri_bytes(fri_sssp_far_capacity(all, s), all->entry_bytes));
        add(l, &s->chunks[i], fri_bytes(fri_sssp_chunk_capacity(s), all->chunk_bytes));
    }
    if (all->packs_parents)
        add(l, &s->packed_parents, fri_bytes(s->own, sizeof(uint64_t)));
}

/* The fri_gpu of the first slice has control words, distances and sources. */
static layout layout_of(const fri_sssp_slices *all, fri_sssp_slice *s, bool first) {
    const int64_t n = all->job->csr.n;
    layout l = {.count = 0};
    if (!first) {
        add(&l, &s->g->control, FRI_GPU_CONTROL_BYTES);
        add(&l, &s->dist, fri_bytes(n, all->entry_bytes / 2));
        add(&l, &s->sources, fri_bytes(n, sizeof(int32_t)));
    }
    add_rows(&l, &s->push, n, s->edges, weight_bytes(all, s));
    if (all->pulls) {
        add_rows(&l, &s->pull, s->own, s->edges, weight_bytes(all, s));
        add(&l, &s->tile_first_row, fri_bytes(fri_sssp_tile_count(all, s), sizeof(int32_t)));
    }
    add_lists(&l, all, s);
    add(&l, &s->control, fri_sssp_control_bytes());
    add(&l, &s->words, fri_sssp_words_bytes());
    add(&l, &s->trace, fri_gpu_trace_bytes());
    return l;
}

static size_t bytes_of(const layout *l) {
    size_t bytes = 0;
    for (int i = 0; i < l->count; i++)
        bytes += fri_gpu_align(l->buffer[i].bytes);
    return bytes;
}

/* ---- the cut ---- */

static int device_count(const fri_job *job) {
    const fri_devices_input in = fri_devices_input_of(job);
    return job->knob[FRI_SSSP_SLICE_KNOB_ALL] != 0 ? FRI_MAX(in.devices, 1)
                                                   : fri_sssp_devices_that_pay(&in);
}

/* In-offsets of a directed graph. */
static fr_status count_in_edges(fri_job *job, int64_t **offsets) {
    const fr_csr *csr = &job->csr;
    int64_t *count = fri_calloc(job->ctx, fri_bytes((int64_t)csr->n + 1, sizeof *count));
    *offsets = count;
    if (!count)
        return FR_NOMEM;
    for (int64_t e = 0; e < csr->m; e++)
        count[csr->targets[e] + 1]++;
    for (int32_t v = 0; v < csr->n; v++)
        count[v + 1] += count[v];
    return FR_OK;
}

static fr_status cut(fri_job *job, fri_sssp_slices *all) {
    const int64_t *in = job->csr.offsets;
    int64_t *counted = NULL;
    int32_t first[FRI_SLICES_MAX + 1];
    if (!job->csr.symmetric)
        FRI_GPU_TRY(count_in_edges(job, &counted));
    in = counted ? counted : in;
    fri_cut_slices(job->csr.n, in, all->count, first);
    for (int k = 0; k < all->count; k++) {
        fri_sssp_slice *s = &all->slice[k];
        s->first = first[k];
        s->own = first[k + 1] - first[k];
        s->edges = in[first[k + 1]] - in[first[k]];
    }
    fri_free(counted);
    return FR_OK;
}

/* What the job alone decides. */
static fr_status plan(fri_gpu *g, fri_sssp_slices *all) {
    all->job = g->job;
    all->count = FRI_MIN(device_count(g->job), FRI_SLICES_MAX);
    fri_sssp_plan(g, all);
    return cut(g->job, all);
}

size_t fri_sssp_slices_bytes(const fri_job *job) {
    fri_gpu g = {0};
    fri_sssp_slices all = {0};
    size_t max_bytes = 0;
    fri_gpu_bind_job(&g, (fri_job *)(uintptr_t)job);
    if (plan(&g, &all))
        return SIZE_MAX; /* memory of the host is short, too */
    const size_t whole = fri_gpu_bytes(job);
    for (int k = 0; k < all.count; k++) {
        all.slice[k].g = &g;
        const layout l = layout_of(&all, &all.slice[k], k == 0);
        max_bytes = FRI_MAX(max_bytes, bytes_of(&l) + (k ? 0 : whole));
    }
    return max_bytes;
}

/* ---- making ---- */

static void *writable(const void *at) { return (void *)(uintptr_t)at; }

static fr_status upload_push_rows(const fri_sssp_slices *all, fri_sssp_slice *s) {
    fri_gpu *g = s->g;
    const fr_csr *csr = &all->job->csr;
    const size_t weight = csr->weights ? fri_gpu_weight_size(g, csr) : 0;
    fri_slice_rows rows = {0};
    FRI_GPU_TRY(fri_make_slice_rows(all->job->ctx, csr, s->first, s->own, 0, weight, &rows));
    fr_status status = fri_gpu_upload(g, writable(s->push.offsets), rows.offsets,
                                      fri_bytes((int64_t)csr->n + 1, sizeof *rows.offsets));
    if (!status)
        status = fri_gpu_upload(g, writable(s->push.targets), rows.targets,
                                fri_bytes(s->edges, sizeof *rows.targets));
    if (!status && weight)
        status =
            fri_gpu_upload(g, writable(s->push.weights), rows.weights, fri_bytes(s->edges, weight));
    fri_free_slice_rows(&rows);
    return status;
}

/* Own rows of the graph, whose weights have 32 bits. */
static fr_status upload_pull_rows(const fri_sssp_slices *all, fri_sssp_slice *s) {
    fri_gpu *g = s->g;
    const fr_csr *csr = &all->job->csr;
    const int64_t begin = csr->offsets[s->first];
    const size_t bytes = fri_bytes(s->edges, sizeof(int32_t));
    FRI_GPU_TRY(fri_upload_slice_offsets(g, s->pull.offsets, csr->offsets + s->first, s->own));
    FRI_GPU_TRY(fri_gpu_upload(g, writable(s->pull.targets), csr->targets + begin, bytes));
    return csr->weights ? fri_gpu_upload(g, writable(s->pull.weights),
                                         (const int32_t *)csr->weights + begin, bytes)
                        : FR_OK;
}

static fr_status take_memory(const fri_sssp_slices *all, fri_sssp_slice *s, bool first) {
    fri_gpu *g = s->g;
    const layout l = layout_of(all, s, first);
    FRI_GPU_TRY(fri_gpu_alloc_many(g, l.buffer, l.count));
    if (first) {
        s->dist = g->dist;
        s->sources = g->sources;
    } else {
        g->out.counts = (unsigned long long *)(void *)(g->control + FRI_GPU_CONTROL_WORDS);
        FRI_GPU_TRY(fri_gpu_clear_control(g));
    }
    return fri_gpu_zero(g, s->words, fri_sssp_words_bytes());
}

static fr_status prepare_slice(fri_sssp_slices *all, int k) {
    fri_sssp_slice *s = &all->slice[k];
    fri_job *job = all->job;
    const int64_t begin = fri_now_ns();
    if (k) {
        FRI_GPU_TRY(fri_bind_peer(job, k, &s->job));
        s->g = s->job.device;
        FRI_GPU_TRY(fri_open_peer(s->g));
    }
    FRI_GPU_TRY(fri_enable_peers(s->g, job->ctx, all->count));
    FRI_GPU_TRY(take_memory(all, s, k == 0));
    FRI_GPU_TRY(upload_push_rows(all, s));
    if (all->pulls)
        FRI_GPU_TRY(upload_pull_rows(all, s));
    FRI_GPU_TRY(fri_sssp_change_slice(all, s));
    job->told.upload_ns += fri_now_ns() - begin;
    return fri_gpu_wait(s->g, "preparing");
}

/* With the message of the GPU in the solver's context. */
static fr_status prepare_slices(fri_sssp_slices *all) {
    fri_job *job = all->job;
    for (int k = 0; k < all->count; k++) {
        const fri_sssp_slice *s = &all->slice[k];
        const fr_status status = prepare_slice(all, k);
        if (status && k && s->job.ctx && s->job.ctx != job->ctx)
            return fri_fail(job->ctx, status, "GPU %d: %s", s->job.ctx->device,
                            fr_ctx_error(s->job.ctx));
        if (status)
            return status;
    }
    return fri_gpu_select(all->slice[0].g);
}

fr_status fri_sssp_slices_prepare(fri_job *job) {
    FRI_GPU_TRY(fri_check_joint_launch(job->ctx, device_count(job)));
    FRI_GPU_TRY(fri_gpu_prepare(job));
    fri_gpu *g = job->device;
    fri_sssp_slices *all = fri_calloc(job->ctx, sizeof *all);
    g->state = all;
    if (!all)
        return FR_NOMEM;
    FRI_GPU_TRY(plan(g, all));
    all->slice[0].g = g;
    all->barrier = 1;
    all->max_polls = FRI_MAX_POLLS;
    return prepare_slices(all);
}

void fri_sssp_slices_release(fri_job *job) {
    fri_gpu *g = job->device;
    if (!g)
        return;
    fri_sssp_slices *all = g->state;
    for (int k = 1; all && k < all->count; k++)
        if (all->slice[k].g) {
            cudaSetDevice(all->slice[k].job.ctx->device); /* freeing waits for that device */
            fri_gpu_release(&all->slice[k].job);
        }
    cudaSetDevice(job->ctx->device);
    fri_gpu_release(job); /* and `all` */
}
