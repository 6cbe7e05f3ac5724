/* The context: threads, memory, the last failure, progress. */
#include "base/crew.h"
#include "base/heap.h"
#include "base/pace.h"
#include "base/sized.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool devices_are_valid(const fr_ctx_options *o) {
    if (o->device < 0 || o->device_count < 0 || o->device_count > FRI_MAX_DEVICES)
        return false;
    if (o->device_count && (!o->devices || o->alloc))
        return false;
    for (int i = 0; i < o->device_count; i++)
        for (int j = 0; j <= i; j++)
            if (o->devices[i] < 0 || (j < i && o->devices[j] == o->devices[i]))
                return false;
    return true;
}

static void set_devices(fr_ctx *ctx, const fr_ctx_options *o) {
    ctx->device_count = FRI_MAX((int)o->device_count, 1);
    ctx->devices[0] = o->device;
    for (int i = 0; i < o->device_count; i++)
        ctx->devices[i] = o->devices[i];
    ctx->device = ctx->devices[0];
}

fr_status fr_ctx_new(const fr_ctx_options *options, fr_ctx **out) {
    if (!out)
        return FR_INVALID;
    *out = NULL;
    fr_ctx_options o;
    if (FRI_SIZED_READ(NULL, fr_ctx_options, options, &o) || o.threads < 0 || !o.alloc != !o.free ||
        !devices_are_valid(&o))
        return FR_INVALID;
    fr_ctx *ctx = calloc(1, sizeof *ctx);
    if (!ctx)
        return FR_NOMEM;
    ctx->heap = fri_heap_new(&o);
    if (!ctx->heap) {
        free(ctx);
        return FR_NOMEM;
    }
    ctx->pace_ns = 50 * 1000 * 1000;
    ctx->limit_given = o.max_memory_bytes != 0;
    set_devices(ctx, &o);
    ctx->max_gpu_bytes = o.max_gpu_bytes;
    ctx->progress = o.progress;
    ctx->progress_user = o.progress_user;
    fr_status status = fr_ctx_set_threads(ctx, o.threads);
    if (status)
        fr_ctx_free(ctx);
    else
        *out = ctx;
    return status;
}

void fr_ctx_free(fr_ctx *ctx) {
    if (!ctx)
        return;
    if (ctx->idle_solvers) /* first: idle solvers return what follows */
        ctx->free_idle_solvers(ctx->idle_solvers);
    for (int i = 1; i < FRI_MAX_DEVICES; i++)
        fr_ctx_free(ctx->peers[i]);
    if (ctx->gpu)
        ctx->close_gpu(ctx->gpu);
    if (ctx->pinned)
        ctx->unpin(ctx->pinned);
    fri_crew_free(ctx->crew);
    fri_heap_release(ctx->heap);
    free(ctx);
}

const char *fr_ctx_error(const fr_ctx *ctx) { return ctx ? ctx->message : ""; }
int fr_ctx_threads(const fr_ctx *ctx) { return ctx ? ctx->threads : 0; }
size_t fr_ctx_peak_bytes(const fr_ctx *ctx) { return ctx ? fri_heap_peak(ctx->heap) : 0; }
size_t fr_ctx_max_bytes(const fr_ctx *ctx) { return ctx ? fri_heap_limit(ctx->heap) : 0; }

fr_status fr_ctx_set_threads(fr_ctx *ctx, int threads) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    if (threads < 0 || threads > 4096)
        return fri_fail(ctx, FR_INVALID, "threads must be 0 (all) to 4096, not %d", threads);
    ctx->processors = fri_processors();
    int wanted = threads ? threads : ctx->processors;
    int startable = fri_startable_threads(wanted);
    if (threads && startable < wanted)
        return fri_fail(ctx, FR_NOMEM,
                        "the system can start only %d of %d threads: ask for fewer "
                        "(fr_ctx_options.threads) or raise its limits (ulimit -u, ulimit -v)",
                        startable, wanted);
    ctx->threads = startable;
    return FR_OK;
}

fr_status fri_fail(fr_ctx *ctx, fr_status status, const char *format, ...) {
    va_list args;
    if (!ctx)
        return status;
    va_start(args, format);
    vsnprintf(ctx->message, sizeof ctx->message, format, args);
    va_end(args);
    return status;
}

fr_status fri_progress(fr_ctx *ctx, const char *phase, int64_t done, int64_t total) {
    if (ctx->progress && ctx->progress(ctx->progress_user, phase, done, total))
        return fri_fail(ctx, FR_CANCELLED, "cancelled while %s", phase);
    return FR_OK;
}

bool fri_pace_ask(fri_pace *p, int64_t done) {
    p->work = 0;
    if (p->status || !p->ctx->progress)
        return p->status != FR_OK;
    int64_t now = fri_now_ns();
    if (now < p->next_ns)
        return false;
    p->next_ns = now + p->ctx->pace_ns;
    fr_status status = fri_progress(p->ctx, p->phase, done, p->total);
    __atomic_store_n(&p->status, status, __ATOMIC_RELAXED); /* other threads read it */
    return status != FR_OK;
}
