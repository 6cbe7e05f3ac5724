#include "cuda/device/context.h"
#include "cuda/graph/resident.h"

#include <stdlib.h>

static void destroy(fri_gpu_streams *s) {
    if (s->clock_start)
        cudaEventDestroy(s->clock_start);
    if (s->clock_stop)
        cudaEventDestroy(s->clock_stop);
    if (s->upload_event)
        cudaEventDestroy(s->upload_event);
    if (s->stream)
        cudaStreamDestroy(s->stream);
    *s = (fri_gpu_streams){0};
}

static size_t free_spares(struct fri_gpu_context *own) {
    size_t freed = 0;
    pthread_mutex_lock(&own->lock);
    while (own->spare_count) {
        own->spare_count--;
        freed += own->spare[own->spare_count].bytes;
        cudaFree(own->spare[own->spare_count].memory);
    }
    pthread_mutex_unlock(&own->lock);
    return freed;
}

static void close_gpu(struct fri_gpu_context *own) {
    fri_gpu_opening_join(own->opening);
    fri_resident_unlink_context(own);
    free_spares(own);
    while (own->stream_count)
        destroy(&own->streams[--own->stream_count]);
    pthread_mutex_destroy(&own->lock);
    free(own);
}

fr_status fri_gpu_context_new(fr_ctx *ctx) {
    if (ctx->gpu)
        return FR_OK;
    struct fri_gpu_context *own = calloc(1, sizeof *own); /* as fr_ctx itself */
    if (!own)
        return fri_fail(ctx, FR_NOMEM, "not enough memory for the GPU's part of the context");
    pthread_mutex_init(&own->lock, NULL);
    ctx->gpu = own;
    ctx->close_gpu = close_gpu;
    return FR_OK;
}

static cudaError_t make(fri_gpu_streams *s) {
    cudaError_t error = cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking);
    if (!error)
        error = cudaEventCreate(&s->clock_start);
    if (!error)
        error = cudaEventCreate(&s->clock_stop);
    if (!error)
        error = cudaEventCreateWithFlags(&s->upload_event, cudaEventDisableTiming);
    if (error)
        destroy(s);
    return error;
}

cudaError_t fri_gpu_streams_take(fri_gpu *g) {
    struct fri_gpu_context *own = g->job->ctx->gpu;
    fri_gpu_streams s = {0};
    pthread_mutex_lock(&own->lock);
    if (own->stream_count)
        s = own->streams[--own->stream_count];
    pthread_mutex_unlock(&own->lock);
    cudaError_t error = s.stream ? cudaSuccess : make(&s);
    g->stream = s.stream;
    g->copy_stream = s.stream;
    g->clock_start = s.clock_start;
    g->clock_stop = s.clock_stop;
    g->upload_event = s.upload_event;
    return error;
}

void fri_gpu_streams_give(fri_gpu *g) {
    struct fri_gpu_context *own = g->job->ctx->gpu;
    fri_gpu_streams s = {g->stream, g->clock_start, g->clock_stop, g->upload_event};
    if (!s.stream)
        return;
    /* the next solver must not wait for this one, and must not get a stream in error */
    const bool usable = cudaStreamSynchronize(s.stream) == cudaSuccess;
    pthread_mutex_lock(&own->lock);
    if (usable && own->stream_count < FRI_SPARE_STREAMS) {
        own->streams[own->stream_count++] = s;
        s = (fri_gpu_streams){0};
    }
    pthread_mutex_unlock(&own->lock);
    destroy(&s);
}

static bool suits(size_t spare, size_t bytes) { return spare >= bytes && spare / 2 <= bytes; }

void *fri_gpu_spare_take(fr_ctx *ctx, size_t bytes) {
    struct fri_gpu_context *own = ctx->gpu;
    void *found = NULL;
    pthread_mutex_lock(&own->lock);
    for (int i = 0; i < own->spare_count && !found; i++)
        if (suits(own->spare[i].bytes, bytes)) {
            found = own->spare[i].memory;
            own->spare[i] = own->spare[--own->spare_count];
        }
    pthread_mutex_unlock(&own->lock);
    return found;
}

bool fri_gpu_spare_give(fr_ctx *ctx, void *block, size_t bytes) {
    struct fri_gpu_context *own = ctx->gpu;
    pthread_mutex_lock(&own->lock);
    const bool kept = bytes <= FRI_SPARE_BYTES && own->spare_count < FRI_SPARE_BLOCKS;
    if (kept) {
        own->spare[own->spare_count].memory = block;
        own->spare[own->spare_count++].bytes = bytes;
    }
    pthread_mutex_unlock(&own->lock);
    return kept;
}

size_t fri_gpu_spare_bytes(fr_ctx *ctx) {
    size_t bytes = 0;
    pthread_mutex_lock(&ctx->gpu->lock);
    for (int i = 0; i < ctx->gpu->spare_count; i++)
        bytes += ctx->gpu->spare[i].bytes;
    pthread_mutex_unlock(&ctx->gpu->lock);
    return bytes;
}

bool fri_gpu_make_room(fr_ctx *ctx, size_t bytes) {
    size_t freed = free_spares(ctx->gpu);
    if (freed < bytes)
        freed += fri_resident_evict(ctx);
    if (freed < bytes && ctx->free_idle && ctx->free_idle(ctx))
        freed += 1 + free_spares(ctx->gpu) + fri_resident_evict(ctx);
    return freed > 0;
}

void fri_gpu_count_bytes(fr_ctx *ctx, size_t added, size_t removed) {
    __atomic_add_fetch(&fri_gpu_account(ctx)->gpu_bytes, added - removed, __ATOMIC_RELAXED);
}
