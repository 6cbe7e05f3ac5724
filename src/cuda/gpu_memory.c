/* Device memory and the way there and back. */
#include "cuda/gpu.h"

#include <string.h>

enum { STAGE_BYTES = 8 << 20 }; /* of each of two pinned buffers; 55 GB/s from some MB on */

fr_status fri_gpu_check(fri_gpu *g, cudaError_t error, const char *what) {
    if (error == cudaSuccess)
        return FR_OK;
    cudaGetLastError(); /* a sticky error is said once */
    return fri_fail(g->job->ctx, error == cudaErrorMemoryAllocation ? FR_NOMEM : FR_DEVICE,
                    "GPU: %s: %s", what, cudaGetErrorString(error));
}

fr_status fri_gpu_alloc(fri_gpu *g, void **out, size_t bytes) {
    fr_ctx *ctx = g->job->ctx;
    size_t limit = ctx->max_gpu_bytes;
    *out = NULL;
    if (!bytes)
        return FR_OK;
    bool allowed = !limit || bytes <= limit - FRI_MIN(limit, ctx->gpu_bytes);
    cudaError_t error = allowed ? cudaMalloc(out, bytes) : cudaErrorMemoryAllocation;
    if (g->blocks == FRI_GPU_MAX_BLOCKS || error == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        cudaFree(*out);
        *out = NULL;
        return fri_fail(ctx, FR_NOMEM, "GPU: %.6g MB more are needed beside %.6g MB%s",
                        (double)bytes / 1e6, (double)ctx->gpu_bytes / 1e6,
                        allowed ? "" : ", which passes the limit");
    }
    FRI_GPU_TRY(fri_gpu_check(g, error, "allocating"));
    g->block[g->blocks++] = *out;
    g->held_bytes += bytes;
    ctx->gpu_bytes += bytes;
    return FR_OK;
}

/* Fills one pinned buffer while the other travels. narrow: int64 -> uint32 on the way. */
static fr_status stage(fri_gpu *g, char *to, const char *from, size_t bytes, bool narrow) {
    size_t step = FRI_MIN(bytes, (size_t)STAGE_BYTES), out_bytes;
    char *pinned[2] = {NULL, NULL};
    cudaEvent_t done[2] = {NULL, NULL};
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < 2 && !error; i++) {
        error = cudaHostAlloc((void **)&pinned[i], step, cudaHostAllocDefault);
        if (!error)
            error = cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming);
    }
    for (size_t at = 0, turn = 0; at < bytes && !error; at += step, turn++) {
        size_t part = FRI_MIN(step, bytes - at);
        char *buffer = pinned[turn % 2];
        if (turn >= 2)
            error = cudaEventSynchronize(done[turn % 2]);
        if (error)
            break;
        out_bytes = narrow ? part / 2 : part;
        if (narrow)
            for (size_t i = 0; i < part / 8; i++)
                ((uint32_t *)(void *)buffer)[i] =
                    (uint32_t)((const int64_t *)(const void *)(from + at))[i];
        else
            memcpy(buffer, from + at, part);
        error = cudaMemcpyAsync(to, buffer, out_bytes, cudaMemcpyHostToDevice, g->stream);
        if (!error)
            error = cudaEventRecord(done[turn % 2], g->stream);
        to += out_bytes;
    }
    cudaError_t last = cudaStreamSynchronize(g->stream);
    for (int i = 0; i < 2; i++) {
        if (done[i])
            cudaEventDestroy(done[i]);
        cudaFreeHost(pinned[i]);
    }
    return fri_gpu_check(g, error ? error : last, "uploading");
}

/* Pinning two buffers and giving them back is not worth it for so little: it goes as it lies. */
enum { SMALL_BYTES = 1 << 20 };

fr_status fri_gpu_upload(fri_gpu *g, void *to, const void *from, size_t bytes) {
    if (bytes > SMALL_BYTES)
        return stage(g, to, from, bytes, false);
    if (!bytes)
        return FR_OK;
    FRI_GPU_TRY(fri_gpu_check(
        g, cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, g->stream), "uploading"));
    return fri_gpu_check(g, cudaStreamSynchronize(g->stream), "uploading");
}

fr_status fri_gpu_upload_narrow(fri_gpu *g, uint32_t *to, const int64_t *from, int64_t count) {
    return stage(g, (char *)to, (const char *)from, (size_t)count * sizeof *from, true);
}

fr_status fri_gpu_download(fri_gpu *g, void *to, const void *from, size_t bytes) {
    FRI_GPU_TRY(fri_gpu_check(g, cudaGetLastError(), "launching a kernel")); /* it may not fit */
    if (!bytes)
        return FR_OK;
    FRI_GPU_TRY(fri_gpu_check(
        g, cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, g->stream), "downloading"));
    return fri_gpu_check(g, cudaStreamSynchronize(g->stream), "downloading");
}

fr_status fri_gpu_clear_words(fri_gpu *g) {
    return fri_gpu_check(g, cudaMemsetAsync(g->words, 0, FRI_GPU_WORDS_BYTES, g->stream),
                         "clearing");
}

fr_status fri_gpu_read_counts(fri_gpu *g) {
    fr_stats *stats = &g->job->out->stats;
    unsigned long long counts[FR_COUNT_KINDS];
    if (!g->job->count)
        return FR_OK;
    FRI_GPU_TRY(fri_gpu_download(g, counts, g->out.counts, sizeof counts));
    for (int kind = 0; kind < FR_COUNT_KINDS; kind++) {
        bool counted = counts[kind] || (g->job->row->counts & FRI_COUNTS(kind));
        stats->counted |= counted ? FRI_COUNTS(kind) : 0;
        stats->count[kind] = (int64_t)counts[kind];
    }
    return FR_OK;
}

fr_status fri_gpu_read_words(fri_gpu *g, int first, int count) {
    return fri_gpu_download(g, g->host_words + first, g->words + first,
                            (size_t)count * sizeof *g->words);
}
