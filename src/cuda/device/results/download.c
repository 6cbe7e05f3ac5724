/* Fills the caller's arrays: small ones by one thread, those that the device can write by one copy
 * of the device, others through page-locked memory: by a kernel (device/staging.c), or, where the array
 * has no pages yet, by transfers (device/download_team.c). Into an array with pages the kernel is
 * faster; into a new one transfers are, since neighboring pieces of the kernel are smaller and their
 * page faults wait for each other.
 * The drivers call it before a query and at its end. */
#include "core/query/level_sums.h"
#include "cuda/device/results/delivery.h"
#include "cuda/device/results/expand.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef FRI_SIMT /* small, so that small graphs take several pieces */
enum { SMALL_BYTES = 1 << 9 };
#else
enum { SMALL_BYTES = 1 << 17 }; /* one thread copies these while others wake up */
#endif

static bool is_pinned(const void *array, size_t bytes) {
    const char *const ends[] = {array, (const char *)array + bytes - 1};
    struct cudaPointerAttributes found = {.type = cudaMemoryTypeHost};
    for (int i = 0; i < 2 && found.type == cudaMemoryTypeHost; i++)
        if (cudaPointerGetAttributes(&found, ends[i])) {
            cudaGetLastError(); /* not known to the driver */
            return false;
        }
    return found.type == cudaMemoryTypeHost;
}

/* Whether pages of the array exist: a sample inside, since allocators write the ends. */
static bool is_resident(const fri_gpu_output *o) {
    enum { SAMPLES = 4 };
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)o->to;
    const size_t step = (size_t)o->count * (size_t)o->size / SAMPLES;
    for (size_t i = 1; i < SAMPLES; i++) {
        unsigned char resident = 1; /* also where the call is not supported */
        mincore((void *)((at + i * step) / page * page), 1, &resident);
        if (!(resident & 1))
            return false;
    }
    return true;
}

static size_t bytes_of(const fri_gpu_output *o) { return (size_t)o->count * (size_t)o->size; }

fri_gpu_copy_method fri_gpu_copy_method_of(const fri_gpu *g, const fri_gpu_output *o) {
    if (!o->to || o->to == o->from || !o->count)
        return FRI_COPY_NONE;
    return g->job->in->query.result_memory == FR_MEMORY_DEVICE || is_pinned(o->to, bytes_of(o))
               ? FRI_COPY_DEVICE
               : FRI_COPY_TEAM;
}

void fri_gpu_write_output(const fri_gpu_output *o, int64_t at, const void *from, int sent,
                          int64_t count, bool around_caches) {
    char *to = o->to;
    if (o->sums)
        fri_level_sums_write(o->sums, to + at * (int64_t)fr_type_size(o->sums->of.type), from, sent,
                             count);
    else
        (around_caches ? fri_expand_around_caches : fri_expand)(to + at * o->size, o->size, from,
                                                                sent, count);
}

static fr_status copy(fri_gpu *g, void *to, const fri_gpu_output *o) {
    return fri_gpu_check(g, cudaMemcpyAsync(to, o->from, bytes_of(o), cudaMemcpyDefault, g->stream),
                         "downloading");
}

fr_status fri_gpu_narrow_output(fri_gpu *g, fri_gpu_output *o, void *to) {
    fri_gpu_narrow(g, o->from, o->size, to, o->sent, o->count);
    o->from = to;
    return fri_gpu_launched(g);
}

/* Small arrays: one thread, one transfer each, and one wait for all work of the stream. */
static fr_status copy_small(fri_gpu *g, const fri_gpu_output *outputs, int count) {
    char *at = g->job->ctx->pinned->buffers;
    for (int i = 0; i < count; at += bytes_of(&outputs[i++]))
        FRI_GPU_TRY(copy(g, at, &outputs[i]));
    FRI_GPU_TRY(fri_gpu_wait(g, "downloading"));
    at = g->job->ctx->pinned->buffers;
    for (int i = 0; i < count; at += bytes_of(&outputs[i++]))
        fri_gpu_write_output(&outputs[i], 0, at, outputs[i].size, outputs[i].count, false);
    return FR_OK;
}

fr_status fri_gpu_await_results(fri_gpu *g, bool pending, bool counts) {
    if (pending)
        return fri_gpu_wait(g, "downloading");
    return counts ? fri_gpu_await_control(g) : FR_OK;
}

static fr_status copy_large(fri_gpu *g, fri_gpu_output *outputs, int count, bool pending,
                            const fri_gpu_counting *counting) {
    fri_gpu_delivery d = {.g = g, .count = count, .ready = true, .counts = counting != NULL};
    bool resident = true;
    for (int i = 0; i < count; i++) {
        resident = resident && is_resident(&outputs[i]);
        d.outputs[i] = outputs[i];
    }
    if (counting)
        d.count_what = *counting;
    if (!resident)
        return fri_gpu_transfer(g, outputs, count, pending, counting);
    fri_gpu_stage_cut(&d);
    fri_gpu_delivery_launch(&d, FR_OK);
    if (!d.status)
        fri_team_share(g->job->ctx, d.threads, fri_gpu_delivery_help, &d);
    return fri_gpu_stage_join(&d);
}

/* Leaves in `to` the outputs that a team delivers, if it can fill all that were asked for: none is
 * page-locked or lacks pages, and no batch is active. Else 0. */
static int staged_outputs(const fri_gpu *g, const fri_gpu_output *outputs, int count,
                          fri_gpu_output *to) {
    int found = 0;
    size_t bytes = 0;
    if (fri_gpu_is_batched(g))
        return 0;
    for (int i = 0; i < count; i++) {
        const fri_gpu_copy_method how = fri_gpu_copy_method_of(g, &outputs[i]);
        if (how == FRI_COPY_DEVICE)
            return 0;
        if (how == FRI_COPY_TEAM) {
            to[found++] = outputs[i];
            bytes += bytes_of(&outputs[i]);
        }
    }
    for (int i = 0; i < found && bytes > (size_t)SMALL_BYTES; i++)
        if (!is_resident(&to[i]))
            return 0;
    return found;
}

fr_status fri_gpu_download_results(fri_gpu *g, const fri_gpu_output *outputs, int count,
                                   bool pending, const fri_gpu_counting *counting) {
    fri_gpu_output by_team[FRI_GPU_MAX_OUTPUTS];
    int team_count = 0;
    size_t bytes = 0;
    if (fri_gpu_is_batched(g))
        return fri_gpu_batch_add(g, outputs, count, pending, counting);
    FRI_GPU_TRY(fri_gpu_launched(g));
    for (int i = 0; i < count; i++) {
        const fri_gpu_copy_method how = fri_gpu_copy_method_of(g, &outputs[i]);
        if (how == FRI_COPY_TEAM) {
            by_team[team_count++] = outputs[i];
            bytes += bytes_of(&outputs[i]);
        } else if (how == FRI_COPY_DEVICE) {
            FRI_GPU_TRY(copy(g, outputs[i].to, &outputs[i]));
            pending = true;
        }
    }
    if (bytes > (size_t)SMALL_BYTES) {
        FRI_GPU_TRY(copy_large(g, by_team, team_count, pending, counting));
    } else {
        if (counting)
            FRI_GPU_TRY(fri_gpu_count_reached(g, counting));
        if (team_count)
            return copy_small(g, by_team, team_count);
    }
    return fri_gpu_await_results(g, pending, counting != NULL);
}

fr_status fri_gpu_download_array(fri_gpu *g, const char *what, void *to, const void *from,
                                 int64_t count, int size) {
    const fri_gpu_output output = {to, from, count, size, size};
    FRI_GPU_TRY(fri_gpu_wait(g, what));
    return fri_gpu_download_results(g, &output, 1, false, NULL);
}

void fri_gpu_delivery_begin(fri_gpu *g, fri_gpu_delivery *d) {
    fri_gpu_output staged[FRI_GPU_MAX_OUTPUTS];
    const int count = staged_outputs(g, d->outputs, d->count, staged);
    d->g = g;
    d->threads = 1;
    if (!count)
        return;
    memcpy(d->outputs, staged, (size_t)count * sizeof *staged);
    d->count = count;
    fri_gpu_stage_cut(d);
    g->delivery = d;
}

fr_status fri_gpu_delivery_end(fri_gpu_delivery *d) {
    fri_gpu *g = d->g;
    if (d->all) {
        FRI_GPU_TRY(fri_gpu_stage_join(d));
        FRI_GPU_TRY(fri_gpu_await_results(g, d->pending, d->counts));
    } else if (!d->status && d->ready) {
        fri_gpu_range_begin(g, "download", -1);
        d->status = fri_gpu_download_results(g, d->outputs, d->count, d->pending,
                                             d->counts ? &d->count_what : NULL);
        fri_gpu_range_end(g);
        d->ns = fri_now_ns() - d->begin;
    }
    g->job->out->stats.transfer_ns = d->ns;
    return d->status;
}
