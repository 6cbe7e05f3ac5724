/* The slices of a solver: their memory, the GPUs that they are on, and a host thread for each. */
#include "cuda/multi_device/slices.h"

#include "core/device_team.h"
#include "cuda/device/context.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { SPINS = 10000 };

/* ---- memory ---- */

void fri_slice_add(fri_slice_layout *l, const void *to, size_t bytes) {
    l->buffer[l->count++] =
        (fri_gpu_buffer){(void **)(uintptr_t)to, FRI_MAX(bytes, sizeof(int64_t))};
}

/* Whether the slice's fri_gpu is its own, not the fri_gpu of a whole graph. */
static bool has_own_gpu(const fri_slice *s) { return s->index || !s->all->kind->whole_graph; }

static fri_slice_layout layout_of(fri_slice *s) {
    fri_slice_layout l = {.count = 0};
    if (has_own_gpu(s))
        fri_slice_add(&l, &s->g->control, FRI_GPU_CONTROL_BYTES);
    s->all->kind->lay_out(s, &l);
    fri_slice_add(&l, &s->words, FRI_SLICE_WORDS_BYTES);
    if (s->index == 0)
        fri_slice_add(&l, &s->trace, fri_gpu_trace_bytes());
    return l;
}

fr_status fri_slice_clear_words(fri_slice *s) {
    return fri_gpu_zero(s->g, s->words, FRI_SLICE_WORDS_BYTES);
}

static fr_status take_memory(fri_slice *s) {
    fri_gpu *g = s->g;
    const fri_slice_layout l = layout_of(s);
    FRI_GPU_TRY(fri_gpu_alloc_many(g, l.buffer, l.count));
    if (!s->job.told.levels)
        s->trace = NULL;
    if (has_own_gpu(s)) {
        g->out.counts = (unsigned long long *)(void *)(g->control + FRI_GPU_CONTROL_WORDS);
        FRI_GPU_TRY(fri_gpu_clear_control(g));
    }
    return fri_slice_clear_words(s);
}

/* ---- the cut ---- */

static int device_count(const fri_job *job) {
    const fri_devices_input in = fri_devices_input_of(job);
    return job->knob[FRI_SLICE_KNOB_ALL] != 0
               ? FRI_MAX(in.devices, 1)
               : fri_devices_that_pay(job->strategy->gpu->slices->cost, &in);
}

/* In-offsets of a directed graph. */
static fr_status count_in_edges(const fri_job *job, int64_t **offsets) {
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

/* Cuts the vertices into slices by their in-edges. Where an estimate of memory for a directed graph has no
 * in-edges yet, it uses the out-edges. */
static fr_status cut(fri_slices *all) {
    const fri_job *job = all->job;
    const int64_t *in = job->csr.offsets;
    int64_t *counted = NULL;
    int32_t first[FRI_SLICES_MAX + 1];
    if (!job->csr.symmetric && all->kind->whole_graph) {
        FRI_GPU_TRY(count_in_edges(job, &counted));
        in = counted;
    } else if (!job->csr.symmetric && job->in_edges.offsets) {
        in = job->in_edges.offsets;
    }
    fri_cut_slices(job->csr.n, in, all->count, first);
    for (int k = 0; k < all->count; k++) {
        fri_slice *s = &all->slice[k];
        s->all = all;
        s->index = k;
        s->job = *job;
        s->in = *job->in;
        s->job.in = &s->in;
        s->first = first[k];
        s->own = first[k + 1] - first[k];
        s->edges = in[first[k + 1]] - in[first[k]];
    }
    fri_free(counted);
    return FR_OK;
}

/* What the job alone decides. */
static fr_status plan(fri_gpu *g, int devices, fri_slices *all) {
    all->job = g->job;
    all->kind = g->strategy->slices;
    all->count = FRI_MIN(devices, FRI_SLICES_MAX);
    all->max_polls = FRI_MAX_POLLS;
    all->barrier = 1;
    all->kind->plan(g, all);
    return cut(all);
}

size_t fri_slices_bytes(const fri_job *job) {
    fri_gpu g = {0};
    fri_slices all = {0};
    size_t max_bytes = 0;
    fri_gpu_bind_job(&g, (fri_job *)(uintptr_t)job);
    if (plan(&g, device_count(job), &all))
        return SIZE_MAX; /* memory of the host is short, too */
    for (int k = 0; k < all.count; k++) {
        all.slice[k].g = &g;
        const fri_slice_layout l = layout_of(&all.slice[k]);
        size_t bytes = has_own_gpu(&all.slice[k]) ? 0 : fri_gpu_bytes(job);
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

fr_status fri_slice_failure(const fri_slice *s, fr_status status) {
    const fr_ctx *ctx = s->job.ctx;
    return status && s->index
               ? fri_fail(s->all->job->ctx, status, "GPU %d: %s", ctx->device, fr_ctx_error(ctx))
               : status;
}

/* Returns the first failure, which caused the others if the slices have agreed on it. */
static fr_status first_failure(fri_slices *all) {
    int failed = all->failed_slice ? all->failed_slice - 1 : 0;
    while (failed < all->count && !all->slice[failed].status)
        failed++;
    return failed < all->count ? fri_slice_failure(&all->slice[failed], all->slice[failed].status)
                               : FR_OK;
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

/* FR_UNSUPPORTED if the kernels of `count` GPUs could not run at the same time. With CUDA_LAUNCH_BLOCKING a launch
 * returns when its kernel has ended, and the kernel waits for kernels of the next devices, which are then never
 * launched. */
static fr_status check_joint_launch(fr_ctx *ctx, int count) {
    const char *blocking = getenv("CUDA_LAUNCH_BLOCKING");
    if (count > FRI_SLICES_MAX)
        return fri_fail(ctx, FR_UNSUPPORTED, "multi-device runs on at most %d GPUs, not %d",
                        FRI_SLICES_MAX, count);
    if (count < 2 || !blocking || strcmp(blocking, "1") != 0)
        return FR_OK;
    return fri_fail(ctx, FR_UNSUPPORTED,
                    "multi-device on %d GPUs cannot run with CUDA_LAUNCH_BLOCKING=1: its kernels "
                    "wait for each other",
                    count);
}

/* Makes own->device. */
static fr_status make_gpu(fri_job *own) {
    fri_gpu *g = own->device = fri_calloc(own->ctx, sizeof *g);
    if (!g)
        return FR_NOMEM;
    fri_gpu_bind_job(g, own);
    return FR_OK;
}

/* The job of a further GPU: the solver's with the context of that GPU, and a fri_gpu. */
static fr_status bind_peer(fri_slice *s) {
    fri_job *own = &s->job;
    own->device = NULL;
    FRI_GPU_TRY(fri_device_peer(s->all->job->ctx, s->index, &own->ctx));
    own->ctx->progress = NULL;
    own->told.upload_ns = 0;
    own->told.levels = NULL;
    own->told.kernels = NULL;
    s->in.threads = own->ctx->threads;
    fr_status status = make_gpu(own);
    s->g = own->device;
    return status ? fri_fail(s->all->job->ctx, status, "%s", fr_ctx_error(own->ctx)) : FR_OK;
}

/* Selects and opens the slice's GPU: stream, clock, control words' host copy. */
static fr_status open_gpu(fri_gpu *g) {
    FRI_GPU_TRY(fri_gpu_open(g));
    FRI_GPU_TRY(fri_gpu_time_init(g, fri_gpu_pin));
    FRI_GPU_TRY(fri_gpu_check(g, fri_gpu_streams_take(g), "creating a stream"));
    FRI_GPU_TRY(fri_gpu_acquire_control(g));
    fri_gpu_ranges_open(g);
    return FR_OK;
}

/* Lets g's device access the memory of all GPUs of `ctx`, the solver's context. */
static fr_status enable_peers(fri_gpu *g, const fr_ctx *ctx, int count) {
    const int here = g->job->ctx->device;
    for (int k = 0; k < count; k++) {
        const int peer = k ? ctx->devices[k] : ctx->device;
        int can = 0;
        if (peer == here)
            continue;
        FRI_GPU_TRY(
            fri_gpu_check(g, cudaDeviceCanAccessPeer(&can, here, peer), "asking for peer access"));
        if (!can)
            return fri_fail(g->job->ctx, FR_UNSUPPORTED,
                            "multi-device needs GPUs that access each other's memory, and GPU %d "
                            "cannot access GPU %d",
                            here, peer);
        cudaError_t error = cudaDeviceEnablePeerAccess(peer, 0);
        if (error == cudaErrorPeerAccessAlreadyEnabled)
            cudaGetLastError();
        else
            FRI_GPU_TRY(fri_gpu_check(g, error, "enabling peer access"));
    }
    return FR_OK;
}

static fr_status prepare_slice(fri_slice *s) {
    const fri_slices *all = s->all;
    fri_gpu *g = s->g;
    if (has_own_gpu(s))
        FRI_GPU_TRY(open_gpu(g));
    if (!all->kind->whole_graph)
        FRI_GPU_TRY(fri_gpu_check_memory(g));
    FRI_GPU_TRY(enable_peers(g, all->job->ctx, all->count));
    FRI_GPU_TRY(take_memory(s));
    const int64_t begin = fri_now_ns();
    FRI_GPU_TRY(all->kind->upload(s));
    g->job->told.upload_ns += fri_now_ns() - begin;
    FRI_GPU_TRY(all->kind->complete(s));
    return fri_gpu_wait(g, "preparing");
}

fr_status fri_slices_prepare(fri_job *job) {
    const int devices = device_count(job);
    FRI_GPU_TRY(check_joint_launch(job->ctx, devices));
    FRI_GPU_TRY(job->strategy->gpu->slices->whole_graph ? fri_gpu_prepare(job) : make_gpu(job));
    fri_gpu *g = job->device;
    fri_slices *all = g->state = fri_calloc(job->ctx, sizeof *all);
    if (!all)
        return FR_NOMEM;
    FRI_GPU_TRY(plan(g, devices, all));
    all->slice[0].g = g;
    for (int k = 1; k < all->count; k++)
        FRI_GPU_TRY(bind_peer(&all->slice[k]));
    return fri_slices_run(all, prepare_slice);
}

void fri_slices_release(fri_job *job) {
    fri_gpu *g = job->device;
    if (!g)
        return;
    fri_slices *all = g->state;
    for (int k = 1; all && k < all->count; k++)
        if (all->slice[k].g) {
            cudaSetDevice(all->slice[k].job.ctx->device); /* freeing waits for that device */
            fri_gpu_release(&all->slice[k].job);
        }
    cudaSetDevice(job->ctx->device);
    fri_gpu_release(job); /* and `all` */
}
