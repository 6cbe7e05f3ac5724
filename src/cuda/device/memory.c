/* Device memory: allocation, downloads, control words. */
#include "cuda/device/context.h"

#include "base/team.h"

#include <sched.h>

/* Reads of a number, about 50 us, before asking the driver: it takes a lock that other threads need to
 * submit copies. */
enum { SPINS = 1 << 11 };

fr_status fri_gpu_check(fri_gpu *g, cudaError_t error, const char *what) {
    if (error == cudaSuccess)
        return FR_OK;
    cudaGetLastError(); /* report an error once */
    return fri_fail(g->job->ctx, error == cudaErrorMemoryAllocation ? FR_NOMEM : FR_DEVICE,
                    "GPU: %s: %s", what, cudaGetErrorString(error));
}

fr_status fri_gpu_select(fri_gpu *g) {
    return fri_gpu_check(g, cudaSetDevice(g->job->ctx->device), "selecting the device");
}

fr_status fri_gpu_launched(fri_gpu *g) {
    return fri_gpu_check(g, cudaGetLastError(), "launching a kernel");
}

fr_status fri_gpu_wait(fri_gpu *g, const char *what) {
    return fri_gpu_check(g, cudaStreamSynchronize(g->stream), what);
}

fr_status fri_gpu_zero(fri_gpu *g, void *at, size_t bytes) {
    return fri_gpu_check(g, cudaMemsetAsync(at, 0, bytes, g->stream), "clearing");
}

fr_status fri_gpu_start_clock(fri_gpu *g) {
    return fri_gpu_check(g, cudaEventRecord(g->clock_start, g->stream), "starting the clock");
}

fr_status fri_gpu_stop_clock(fri_gpu *g) {
    return fri_gpu_check(g, cudaEventRecord(g->clock_stop, g->stream), "stopping the clock");
}

fr_status fri_gpu_read_clock(fri_gpu *g, int64_t *ns) {
    float ms = 0;
    FRI_GPU_TRY(fri_gpu_check(g, cudaEventElapsedTime(&ms, g->clock_start, g->clock_stop),
                              "reading the clock"));
    *ns += (int64_t)((double)ms * 1e6);
    return FR_OK;
}

static fr_status no_memory(fr_ctx *ctx, size_t bytes, bool allowed) {
    const fr_ctx *own = fri_gpu_account(ctx);
    if (allowed)
        return fri_fail(ctx, FR_NOMEM, "not enough GPU memory: cannot allocate %s beyond %s in use",
                        fri_size(bytes).text, fri_size(own->gpu_bytes).text);
    return fri_fail(ctx, FR_NOMEM,
                    "not enough GPU memory: %s beyond %s in use would exceed the limit of %s; "
                    "max_gpu_bytes sets the limit",
                    fri_size(bytes).text, fri_size(own->gpu_bytes).text,
                    fri_size(own->max_gpu_bytes).text);
}

/* Counts the bytes if the limit allows that. */
static bool reserve(fr_ctx *ctx, size_t bytes) {
    fr_ctx *own = fri_gpu_account(ctx);
    const size_t limit = own->max_gpu_bytes;
    size_t used = __atomic_load_n(&own->gpu_bytes, __ATOMIC_RELAXED);
    do { /* again only if another thread has counted its own */
        if (limit && bytes > limit - FRI_MIN(limit, used))
            return false;
    } while (!__atomic_compare_exchange_n(&own->gpu_bytes, &used, used + bytes, false,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return true;
}

fr_status fri_gpu_take(fri_gpu *g, void **out, size_t bytes) {
    fr_ctx *ctx = g->job->ctx;
    bool allowed = reserve(ctx, bytes);
    if (!allowed && ctx->free_idle &&
        ctx->free_idle(ctx)) /* idle solvers count against the limit */
        allowed = reserve(ctx, bytes);
    *out = allowed ? fri_gpu_spare_take(ctx, bytes) : NULL;
    cudaError_t error = !allowed ? cudaErrorMemoryAllocation
                        : *out   ? cudaSuccess
                                 : cudaMalloc(out, bytes);
    while (allowed && error == cudaErrorMemoryAllocation && fri_gpu_make_room(ctx, bytes)) {
        cudaGetLastError();
        error = cudaMalloc(out, bytes);
    }
    if (error && allowed)
        fri_gpu_count_bytes(ctx, 0, bytes);
    if (error == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        *out = NULL;
        return no_memory(ctx, bytes, allowed);
    }
    return fri_gpu_check(g, error, "allocating");
}

void fri_gpu_give(fr_ctx *ctx, void *block, size_t bytes) {
    if (!block)
        return;
    fri_gpu_count_bytes(ctx, 0, bytes);
    if (!fri_gpu_spare_give(ctx, block, bytes))
        cudaFree(block);
}

fr_status fri_gpu_alloc(fri_gpu *g, void **out, size_t bytes) {
    *out = NULL;
    if (!bytes)
        return FR_OK;
    if (g->allocations == FRI_GPU_MAX_ALLOCATIONS)
        return no_memory(g->job->ctx, bytes, true);
    FRI_GPU_TRY(fri_gpu_take(g, out, bytes));
    g->allocation_bytes[g->allocations] = bytes;
    g->allocation[g->allocations++] = *out;
    g->allocated_bytes += bytes;
    return FR_OK;
}

/* Takes part of g->reserved, or a new allocation. */
static fr_status carve_or_alloc(fri_gpu *g, void **out, size_t bytes) {
    if (bytes > g->reserved_bytes)
        return fri_gpu_alloc(g, out, bytes);
    *out = g->reserved;
    g->reserved += bytes;
    g->reserved_bytes -= bytes;
    return FR_OK;
}

fr_status fri_gpu_alloc_many(fri_gpu *g, const fri_gpu_buffer *buffers, int count) {
    size_t all = 0;
    void *block = NULL;
    for (int i = 0; i < count; i++)
        all += fri_gpu_align(buffers[i].bytes);
    FRI_GPU_TRY(FRI_GPU_SEPARATE_BUFFERS ? FR_OK : carve_or_alloc(g, &block, all));
    char *at = block;
    for (int i = 0; i < count; i++) {
        if (FRI_GPU_SEPARATE_BUFFERS)
            FRI_GPU_TRY(fri_gpu_alloc(g, buffers[i].to, fri_gpu_align(buffers[i].bytes)));
        else
            *buffers[i].to = buffers[i].bytes ? at : NULL;
        at += FRI_GPU_SEPARATE_BUFFERS ? 0 : fri_gpu_align(buffers[i].bytes);
    }
    return FR_OK;
}

void fri_gpu_free(fri_gpu *g, void *block, size_t bytes) {
    int i = 0;
    if (!block)
        return;
    while (g->allocation[i] != block)
        i++;
    fri_gpu_give(g->job->ctx, block, bytes);
    g->allocation[i] = g->allocation[--g->allocations];
    g->allocation_bytes[i] = g->allocation_bytes[g->allocations];
    g->allocated_bytes -= bytes;
}

fr_status fri_gpu_download(fri_gpu *g, void *to, const void *from, size_t bytes) {
    /* a launch may have failed */
    FRI_GPU_TRY(fri_gpu_launched(g));
    if (!bytes)
        return FR_OK;
    FRI_GPU_TRY(fri_gpu_check(
        g, cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, g->stream), "downloading"));
    return fri_gpu_wait(g, "downloading");
}

fr_status fri_gpu_clear_control(fri_gpu *g) {
    return fri_gpu_zero(g, g->control, FRI_GPU_CONTROL_BYTES);
}

fr_status fri_gpu_read_counts(fri_gpu *g) {
    fr_stats *stats = &g->job->out->stats;
    unsigned long long counts[FR_COUNTER_COUNT];
    if (!g->job->in->counters)
        return FR_OK;
    FRI_GPU_TRY(fri_gpu_download(g, counts, g->out.counts, sizeof counts));
    for (int kind = 0; kind < FR_COUNTER_COUNT; kind++) {
        bool counted = counts[kind] || (g->job->strategy->counts & FRI_COUNTER_BIT(kind));
        stats->counter_mask |= counted ? FRI_COUNTER_BIT(kind) : 0;
        stats->counters[kind] = (int64_t)counts[kind];
    }
    return FR_OK;
}

uint64_t *fri_gpu_published(const fri_gpu *g) {
    return (uint64_t *)(void *)(g->host_control + FRI_GPU_CONTROL_WORDS);
}

static cudaError_t ask(const fri_gpu *g) {
    cudaError_t state = cudaSetDevice(g->job->ctx->device); /* per thread */
    if (!state)
        state = cudaStreamQuery(g->stream);
    if (state)
        cudaGetLastError(); /* "not ready" counts as an error, too */
    return state;
}

static bool is_reached(const uint64_t *number, uint64_t minimum) {
    return __atomic_load_n(number, __ATOMIC_ACQUIRE) >= minimum;
}

cudaError_t fri_gpu_await(const fri_gpu *g, const uint64_t *number, uint64_t minimum) {
    for (int spins = 1; !is_reached(number, minimum); spins = spins % SPINS + 1) {
        if (spins < SPINS) {
            fri_relax();
            continue;
        }
        const cudaError_t state = ask(g); /* a failed kernel sets no number */
        if (state != cudaErrorNotReady)
            return state || is_reached(number, minimum) ? state : cudaErrorUnknown;
        sched_yield(); /* the stream has other work first, or processors are few */
    }
    return cudaSuccess;
}

fr_status fri_gpu_await_control(fri_gpu *g) {
    FRI_GPU_TRY(fri_gpu_launched(g));
    return fri_gpu_check(g, fri_gpu_await(g, fri_gpu_published(g), g->publications), "downloading");
}

fr_status fri_gpu_read_control(fri_gpu *g, int first, int count) {
    /* a launch may have failed */
    FRI_GPU_TRY(fri_gpu_launched(g));
    fri_gpu_publish(g, first, count);
    return fri_gpu_await_control(g);
}
