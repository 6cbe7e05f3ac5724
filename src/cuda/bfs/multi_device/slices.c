/* The slices of BFS `multi-device`: cuts the graph, makes the rows of each GPU on the host and uploads
 * them, and runs a host thread per GPU. */
#include "cuda/bfs/multi_device/slices.h"

#include "base/bitmap.h"
#include "cuda/device/context.h"

#include <pthread.h>
#include <sched.h>

enum { CHUNK_EDGES = 256, CHUNK_BYTES = 16, SPINS = 10000 };

static size_t words_bytes(int64_t vertices) {
    return fri_bytes((vertices + 31) / 32, sizeof(uint32_t));
}

/* ---- memory ---- */

/* Buffers of a slice, in the order of its members; for a plan `to` of each is ignored. */
enum { MAX_BUFFERS = 24 };
typedef struct layout {
    fri_gpu_buffer buffer[MAX_BUFFERS];
    int count;
} layout;

static void add(layout *l, void *to, size_t bytes) {
    l->buffer[l->count++] = (fri_gpu_buffer){to, FRI_MAX(bytes, sizeof(int64_t))};
}

static int64_t queue_capacity(const fri_slice *s) {
    return FRI_MIN((int64_t)s->job.csr.n, s->edges) + s->edges / CHUNK_EDGES + 1;
}

size_t fri_slice_queue_bytes(const fri_slice *s) {
    return fri_bytes(queue_capacity(s), CHUNK_BYTES);
}

static layout layout_of(fri_slice *s, fri_gpu *g) {
    const int64_t n = g->n, own = s->own;
    const size_t offset = g->offsets64 ? sizeof(int64_t) : sizeof(uint32_t), id = sizeof(int32_t);
    const bool finds_hubs = s->job.knob[FRI_SLICE_KNOB_HUB_PARENTS] != 0;
    layout l = {.count = 0};
    add(&l, &g->control, FRI_GPU_CONTROL_BYTES);
    add(&l, &s->pull.offsets, fri_bytes(own + 1, offset));
    add(&l, &s->pull.targets, fri_bytes(s->edges, id));
    add(&l, &s->push.offsets, fri_bytes(n + 1, offset));
    add(&l, &s->push.targets, fri_bytes(s->edges, id));
    if (!s->job.csr.symmetric)
        add(&l, &s->out_offsets, fri_bytes(own + 1, offset));
    add(&l, &g->bfs.level, fri_bytes(own, id));
    add(&l, &g->parent_store, fri_bytes(own, id));
    add(&l, &g->sources, fri_bytes(n, id));
    add(&l, &g->target_map, words_bytes(own));
    add(&l, &s->bits, 3 * words_bytes(n));
    add(&l, &s->visited, words_bytes(own));
    add(&l, &s->no_in_edges, words_bytes(own));
    if (finds_hubs)
        add(&l, &s->hub_parents, fri_bytes(own, id));
    add(&l, &s->queue, fri_slice_queue_bytes(s));
    add(&l, &s->lists, fri_bytes(2 * (int64_t)s->all->count * s->all->list_edges, id));
    add(&l, &s->long_row_tiles, fri_bytes((own + 31) / 32, id));
    add(&l, &s->words, fri_slice_words_bytes());
    if (s->index == 0)
        add(&l, &s->trace, fri_gpu_trace_bytes());
    return l;
}

static fr_status take_memory(fri_slice *s) {
    fri_gpu *g = s->g;
    const layout l = layout_of(s, g);
    FRI_GPU_TRY(fri_gpu_alloc_many(g, l.buffer, l.count));
    g->out.counts = (unsigned long long *)(void *)(g->control + FRI_GPU_CONTROL_WORDS);
    s->pull.counts = s->push.counts = g->out.counts;
    if (s->job.csr.symmetric)
        s->out_offsets = s->pull.offsets;
    if (!s->job.told.levels)
        s->trace = NULL;
    return FR_OK;
}

/* ---- the cut ---- */

static int device_count(const fri_job *job, int64_t *max_degree) {
    const fri_devices_input in = fri_devices_input_of(job);
    *max_degree = in.max_degree;
    return job->knob[FRI_SLICE_KNOB_ALL] != 0 ? in.devices : fri_devices_that_pay(&in);
}

static int32_t list_edges(const fri_job *job) {
    return (int32_t)fri_job_knob(job, FRI_SLICE_KNOB_LIST_EDGES, fri_list_edges(job->csr.n));
}

/* Cuts the vertices into slices by their in-edges. An estimate of memory for a directed graph has no
 * in-edges yet and uses the out-edges. */
static void cut(const fri_job *job, fri_slices *all) {
    const fr_csr *in = job->in.offsets && !job->csr.symmetric ? &job->in : &job->csr;
    int32_t first[FRI_SLICES_MAX + 1];
    all->list_edges = list_edges(job);
    fri_cut_slices(job->csr.n, in->offsets, all->count, first);
    for (int k = 0; k < all->count; k++) {
        fri_slice *s = &all->slice[k];
        const int32_t end = first[k + 1];
        s->all = all;
        s->index = k;
        s->dirty = 7; /* nothing has cleared the bitmaps */
        s->job = *job;
        s->first = first[k];
        s->own = end - s->first;
        s->edges = in->offsets[end] - in->offsets[s->first];
        s->out_edges = job->csr.offsets[end] - job->csr.offsets[s->first];
    }
}

size_t fri_slices_bytes(const fri_job *job) {
    fri_gpu g = {0};
    fri_slices all = {0};
    size_t max_bytes = 0;
    all.count = FRI_MIN(device_count(job, &all.max_degree), FRI_SLICES_MAX);
    fri_gpu_bind_job(&g, (fri_job *)(uintptr_t)job);
    cut(job, &all);
    for (int k = 0; k < all.count; k++) {
        const layout l = layout_of(&all.slice[k], &g);
        size_t bytes = 0;
        for (int i = 0; i < l.count; i++)
            bytes += fri_gpu_align(l.buffer[i].bytes);
        max_bytes = FRI_MAX(max_bytes, bytes);
    }
    return max_bytes;
}

/* ---- threads ---- */

bool fri_slices_agree(fri_slice *slice, fr_status status) {
    fri_slices *all = slice->all;
    const uint32_t barriers = __atomic_load_n(&all->barriers, __ATOMIC_ACQUIRE);
    int none = 0;
    if (status)
        __atomic_compare_exchange_n(&all->failed_slice, &none, slice->index + 1, false,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    if (__atomic_add_fetch(&all->arrived, 1, __ATOMIC_ACQ_REL) == all->count) {
        all->arrived = 0;
        all->agreed_failure = __atomic_load_n(&all->failed_slice, __ATOMIC_RELAXED);
        __atomic_store_n(&all->barriers, barriers + 1, __ATOMIC_RELEASE);
    }
    /* short waits spin, so that the launches begin together */
    for (int spins = 0; __atomic_load_n(&all->barriers, __ATOMIC_ACQUIRE) == barriers; spins++)
        if (spins > SPINS)
            sched_yield();
    return !all->agreed_failure; /* it changes when all have arrived again */
}

typedef struct thread_call {
    fri_slice *slice;
    fr_status (*run)(fri_slice *slice);
    const int *gate; /* atomic: 0: wait, 1: run, -1: leave */
} thread_call;

static void *run_one(void *arg) {
    const thread_call *c = arg;
    int gate;
    while ((gate = __atomic_load_n(c->gate, __ATOMIC_ACQUIRE)) == 0)
        sched_yield();
    if (gate > 0)
        c->slice->status = c->run(c->slice);
    return NULL;
}

/* Returns the first failure, which caused the others if the slices have agreed on it. */
static fr_status first_failure(fri_slices *all) {
    int failed = all->failed_slice ? all->failed_slice - 1 : 0;
    while (failed < all->count && !all->slice[failed].status)
        failed++;
    if (failed == all->count)
        return FR_OK;
    const fri_slice *s = &all->slice[failed];
    return failed ? fri_fail(all->job->ctx, s->status, "GPU %d: %s", s->job.ctx->device,
                             fr_ctx_error(s->job.ctx))
                  : s->status;
}

fr_status fri_slices_run(fri_slices *all, fr_status (*run)(fri_slice *slice)) {
    thread_call calls[FRI_SLICES_MAX];
    int started = 1, gate = 0;
    all->arrived = all->failed_slice = all->agreed_failure = 0;
    for (int k = 0; k < all->count; k++) {
        calls[k] = (thread_call){&all->slice[k], run, &gate};
        all->slice[k].status = FR_OK;
    }
    for (; started < all->count; started++)
        if (pthread_create(&all->slice[started].thread, NULL, run_one, &calls[started]))
            break;
    /* they wait for each other: all of them or none */
    __atomic_store_n(&gate, started == all->count ? 1 : -1, __ATOMIC_RELEASE);
    run_one(&calls[0]);
    for (int k = 1; k < started; k++)
        pthread_join(all->slice[k].thread, NULL);
    return started < all->count ? fri_fail(all->job->ctx, FR_NOMEM, "no thread for GPU %d",
                                           all->slice[started].job.ctx->device)
                                : first_failure(all);
}

/* ---- making ---- */

static fr_status upload_push_rows(fri_slice *s) {
    fri_gpu *g = s->g;
    fri_slice_rows rows = {0};
    FRI_GPU_TRY(fri_make_slice_rows(s->job.ctx, &s->job.csr, s->first, s->own, s->first, 0, &rows));
    fr_status status = fri_upload_slice_offsets(g, s->push.offsets, rows.offsets, g->n);
    if (!status)
        status = fri_gpu_upload(g, (void *)(uintptr_t)s->push.targets, rows.targets,
                                fri_bytes(s->edges, sizeof *rows.targets));
    fri_free_slice_rows(&rows);
    return status;
}

static fr_status upload_rows(fri_slice *s) {
    const fr_csr *in = s->job.csr.symmetric ? &s->job.csr : &s->job.in;
    const int64_t begin = fri_now_ns();
    FRI_GPU_TRY(fri_upload_slice_offsets(s->g, s->pull.offsets, in->offsets + s->first, s->own));
    FRI_GPU_TRY(fri_gpu_upload(s->g, (void *)(uintptr_t)s->pull.targets,
                               in->targets + in->offsets[s->first],
                               fri_bytes(s->edges, sizeof *in->targets)));
    if (!s->job.csr.symmetric)
        FRI_GPU_TRY(
            fri_upload_slice_offsets(s->g, s->out_offsets, s->job.csr.offsets + s->first, s->own));
    FRI_GPU_TRY(upload_push_rows(s));
    s->g->job->told.upload_ns += fri_now_ns() - begin;
    return FR_OK;
}

/* On four GPUs compute-sanitizer's initcheck takes what another GPU stored in a list for never written: in builds for
 * tools the lists are cleared first. */
static fr_status clear_for_tools(fri_slice *s) {
#ifdef FRI_SANITIZER_BUILD
    const size_t bytes =
        fri_bytes(2 * (int64_t)s->all->count * s->all->list_edges, sizeof(int32_t));
    return fri_gpu_zero(s->g, s->lists, bytes);
#else
    (void)s;
    return FR_OK;
#endif
}

static fr_status prepare_slice(fri_slice *s) {
    fri_gpu *g = s->g;
    FRI_GPU_TRY(fri_open_peer(g));
    FRI_GPU_TRY(fri_gpu_check_memory(g));
    FRI_GPU_TRY(fri_enable_peers(g, s->all->job->ctx, s->all->count));
    FRI_GPU_TRY(take_memory(s));
    FRI_GPU_TRY(fri_gpu_clear_control(g));
    FRI_GPU_TRY(fri_gpu_zero(g, s->words, fri_slice_words_bytes()));
    FRI_GPU_TRY(clear_for_tools(s));
    FRI_GPU_TRY(upload_rows(s));
    FRI_GPU_TRY(fri_slice_preprocess(s));
    return fri_gpu_wait(g, "preparing");
}

/* The contexts of the further GPUs, and a fri_gpu for each slice. */
static fr_status bind_slices(fri_slices *all) {
    fri_job *job = all->job;
    for (int k = 1; k < all->count; k++) {
        fri_slice *s = &all->slice[k];
        FRI_GPU_TRY(fri_bind_peer(job, k, &s->job));
        s->g = s->job.device;
    }
    return FR_OK;
}

fr_status fri_slices_prepare(fri_job *job) {
    fri_gpu *g = fri_calloc(job->ctx, sizeof *g);
    fri_slices *all = fri_calloc(job->ctx, sizeof *all);
    if (g)
        g->state = all;
    job->device = g;
    if (!g || !all) {
        fri_free(all);
        fri_free(g);
        job->device = NULL;
        return FR_NOMEM;
    }
    fri_gpu_bind_job(g, job);
    all->count = device_count(job, &all->max_degree);
    FRI_GPU_TRY(fri_check_joint_launch(job->ctx, all->count));
    all->job = job;
    all->n = job->csr.n;
    all->m = job->csr.m;
    all->max_polls = FRI_MAX_POLLS;
    all->barrier = 1;
    cut(job, all);
    all->slice[0].g = g;
    FRI_GPU_TRY(bind_slices(all));
    FRI_GPU_TRY(fri_slices_run(all, prepare_slice));
    for (int k = 0; k < all->count; k++)
        all->reachable += all->slice[k].reachable;
    return FR_OK;
}

void fri_slices_release(fri_job *job) {
    fri_gpu *g = job->device;
    if (!g)
        return;
    fri_slices *all = g->state;
    for (int k = 1; k < all->count && k < FRI_SLICES_MAX; k++)
        if (all->slice[k].g) {
            cudaSetDevice(all->slice[k].job.ctx->device); /* freeing waits for that device */
            fri_gpu_release(&all->slice[k].job);
        }
    cudaSetDevice(job->ctx->device);
    fri_gpu_release(job); /* and `all` */
}
