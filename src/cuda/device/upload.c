/* Uploads large arrays through pinned staging buffers filled by several threads.
 *
 * Idea: a copy from pageable memory passes through one thread of the driver. Here each member of a
 *   team takes the next piece of the array, copies it into one of its two pinned buffers and
 *   submits the transfer, while the other buffer is being transferred. Pinning memory costs far
 *   more than filling it: the buffers are few, and the context keeps them after its first solver.
 */
#include "cuda/device/results/pinned.h"

#include "base/team.h"

#include <string.h>

/* Pieces are small under the SIMT executor, so that small graphs take several. */
#ifdef FRI_SIMT
enum { BUFFER_BYTES = 1 << 12, SMALL_BYTES = 1 << 14 };
#else
enum { BUFFER_BYTES = 1 << 20, SMALL_BYTES = 1 << 20 };
#endif
enum { THREADS = 6, BUFFERS = 2 };
enum { CONTROL_SLOTS = 32, CONTROL_BYTES = FRI_GPU_HOST_CONTROL_BYTES };

typedef struct {
    fri_gpu *g;
    char *to;
    const char *from;
    size_t bytes;
    bool narrows; /* int64 -> uint32 */
    const fri_gpu_overlap *overlap;
    int64_t cursor;
    int64_t reached[THREADS]; /* per member: it holds no piece before this offset */
    int error;                /* the cudaError_t of any member */
    fr_status status;         /* of the overlapped work */
} transfer;

static void fill(char *buffer, const char *from, size_t bytes, bool narrows) {
    const int64_t *wide = (const int64_t *)(const void *)from;
    uint32_t *out = (uint32_t *)(void *)buffer;
    if (!narrows)
        memcpy(buffer, from, bytes);
    for (size_t i = 0; narrows && i < bytes / sizeof *wide; i++)
        out[i] = (uint32_t)wide[i];
}

static cudaError_t send(const transfer *t, int64_t at, size_t bytes, char *buffer,
                        cudaEvent_t sent) {
    size_t shrunk = t->narrows ? 2 : 1;
    fill(buffer, t->from + at, bytes, t->narrows);
    cudaError_t error = cudaMemcpyAsync(t->to + (size_t)at / shrunk, buffer, bytes / shrunk,
                                        cudaMemcpyHostToDevice, t->g->copy_stream);
    return error ? error : cudaEventRecord(sent, t->g->copy_stream);
}

/* Run by the caller's thread, the only one that may set an error message. Its time is not upload
 * time if no other thread uploads at the same time. */
static fr_status run_first(fri_gpu *g, const fri_gpu_overlap *overlap, bool alone) {
    const int64_t begin = fri_now_ns();
    fr_status status = overlap->first(g);
    g->job->told.upload_ns -= alone ? fri_now_ns() - begin : 0;
    return status;
}

static void report_sent(transfer *t, int members) {
    int64_t min_reached = t->reached[0];
    /* acquire: pairs with the release in the team, so that the submitted transfers are on
     * copy_stream */
    for (int i = 1; i < members; i++)
        min_reached = FRI_MIN(min_reached, __atomic_load_n(&t->reached[i], __ATOMIC_ACQUIRE));
    if (!t->status)
        t->status = t->overlap->sent(t->g, (size_t)min_reached);
}

static void upload_worker(fri_member me, void *arg) {
    transfer *t = arg;
    const bool leads = me.index == 0 && t->overlap;
    fr_ctx *ctx = t->g->job->ctx;
    char *own = ctx->pinned->buffers + (size_t)me.index * (size_t)(BUFFERS * BUFFER_BYTES);
    cudaEvent_t sent[BUFFERS] = {NULL};
    cudaError_t error = cudaSetDevice(ctx->device); /* the current device is per thread */
    int64_t at, end;
    if (leads)
        t->status = run_first(t->g, t->overlap, me.count == 1);
    for (int i = 0; i < BUFFERS && !error; i++)
        error = cudaEventCreateWithFlags(&sent[i], cudaEventDisableTiming);
    for (int buffer_index = 0;
         !error && fri_team_next_chunk(&t->cursor, (int64_t)t->bytes, BUFFER_BYTES, &at, &end);
         buffer_index = (buffer_index + 1) % BUFFERS) {
        /* release: see report_sent */
        __atomic_store_n(&t->reached[me.index], at, __ATOMIC_RELEASE);
        if (leads)
            report_sent(t, me.count);
        /* returns at once if the event was never recorded */
        error = cudaEventSynchronize(sent[buffer_index]);
        if (!error)
            error = send(t, at, (size_t)(end - at), own + buffer_index * BUFFER_BYTES,
                         sent[buffer_index]);
    }
    for (int i = 0; i < BUFFERS; i++)
        if (sent[i])
            cudaEventDestroy(sent[i]);
    if (!error)
        __atomic_store_n(&t->reached[me.index], (int64_t)t->bytes, __ATOMIC_RELEASE);
    if (error) /* relaxed: read after the team has joined */
        __atomic_store_n(&t->error, (int)error, __ATOMIC_RELAXED);
}

static void unpin(struct fri_pinned *pinned) {
    cudaFreeHost(pinned->words);
    if (pinned->copy_stream)
        cudaStreamDestroy(pinned->copy_stream);
    for (int i = 0; i < FRI_DOWNLOAD_THREADS; i++)
        if (pinned->download_stream[i])
            cudaStreamDestroy(pinned->download_stream[i]);
    fri_free(pinned);
}

/* Called after the device is opened; its time counts as device initialization. */
fr_status fri_gpu_pin(fri_gpu *g) {
    fr_ctx *ctx = g->job->ctx;
    struct fri_pinned *pinned;
    void *block = NULL;
    if (ctx->pinned)
        return FR_OK;
    size_t slots = (size_t)CONTROL_SLOTS * CONTROL_BYTES,
           buffers = (size_t)THREADS * BUFFER_BYTES * BUFFERS,
           flags = buffers / FRI_PIECE_UNIT * FRI_FLAG_STRIDE * sizeof *pinned->flags;
    FRI_GPU_TRY(fri_gpu_check(
        g, cudaHostAlloc(&block, slots + flags + buffers, cudaHostAllocDefault), "pinning memory"));
    pinned = fri_calloc(ctx, sizeof *pinned);
    if (!pinned) {
        cudaFreeHost(block);
        return FR_NOMEM;
    }
    pinned->words = block;
    pinned->flags = (uint64_t *)(void *)(pinned->words + slots);
    memset(pinned->flags, 0, flags); /* numbers of pieces are counted from 1 */
    pinned->buffers = pinned->words + slots + flags;
    pinned->buffer_bytes = buffers;
    ctx->pinned = pinned;
    ctx->unpin = unpin;
    return fri_gpu_check(g, cudaStreamCreateWithFlags(&pinned->copy_stream, cudaStreamNonBlocking),
                         "creating a stream");
}

cudaStream_t fri_gpu_copy_stream(const fri_gpu *g) { return g->job->ctx->pinned->copy_stream; }

/* If a context has more solvers than slots, the others pin their own words. */
fr_status fri_gpu_acquire_control(fri_gpu *g) {
    struct fri_pinned *pinned = g->job->ctx->pinned;
    void *own = NULL;
    for (int i = 0; i < CONTROL_SLOTS; i++)
        if (!(__atomic_fetch_or(&pinned->slots_used, 1u << i, __ATOMIC_ACQUIRE) >> i & 1)) {
            g->host_control = (int32_t *)(void *)(pinned->words + i * (int)CONTROL_BYTES);
            memset(g->host_control, 0, CONTROL_BYTES);
            return FR_OK;
        }
    FRI_GPU_TRY(fri_gpu_check(g, cudaHostAlloc(&own, CONTROL_BYTES, cudaHostAllocDefault),
                              "pinning memory"));
    g->host_control = memset(own, 0, CONTROL_BYTES);
    return FR_OK;
}

void fri_gpu_release_control(fri_gpu *g) {
    struct fri_pinned *pinned = g->job->ctx->pinned;
    char *words = (char *)g->host_control;
    if (!words)
        return;
    if (words >= pinned->words && words < pinned->buffers)
        __atomic_fetch_and(&pinned->slots_used,
                           ~(1u << (words - pinned->words) / (int)CONTROL_BYTES), __ATOMIC_RELEASE);
    else
        cudaFreeHost(words);
}

static fr_status upload_staged(fri_gpu *g, void *to, const void *from, size_t bytes, bool narrows,
                               const fri_gpu_overlap *overlap) {
    transfer t = {g, to, from, bytes, narrows, overlap, 0, {0}, cudaSuccess, FR_OK};
    fri_team_run(g->job->ctx, FRI_MIN(g->job->in->threads, THREADS), upload_worker, &t);
    if (!t.error && overlap)
        report_sent(&t, 1);
    cudaError_t last = cudaStreamSynchronize(g->copy_stream);
    FRI_GPU_TRY(t.status);
    return fri_gpu_check(g, t.error ? (cudaError_t)t.error : last, "uploading");
}

fr_status fri_gpu_upload(fri_gpu *g, void *to, const void *from, size_t bytes) {
    if (bytes > (size_t)SMALL_BYTES)
        return upload_staged(g, to, from, bytes, false, NULL);
    if (!bytes)
        return FR_OK;
    FRI_GPU_TRY(fri_gpu_check(
        g, cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, g->copy_stream), "uploading"));
    return fri_gpu_check(g, cudaStreamSynchronize(g->copy_stream), "uploading");
}

fr_status fri_gpu_send(fri_gpu *g, void *to, const void *from, size_t bytes) {
    if (bytes > (size_t)SMALL_BYTES)
        return fri_gpu_upload(g, to, from, bytes);
    return fri_gpu_check(g, cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, g->stream),
                         "uploading");
}

fr_status fri_gpu_upload_narrow(fri_gpu *g, uint32_t *to, const int64_t *from, int64_t count) {
    size_t bytes = fri_bytes(count, sizeof *from);
    if (bytes > (size_t)SMALL_BYTES)
        return upload_staged(g, to, from, bytes, true, NULL);
    uint32_t *narrows = fri_alloc(g->job->ctx, fri_bytes(count, sizeof *narrows));
    if (!narrows)
        return FR_NOMEM;
    fill((char *)narrows, (const char *)from, bytes, true);
    fr_status status = fri_gpu_upload(g, to, narrows, bytes / 2);
    fri_free(narrows);
    return status;
}

fr_status fri_gpu_upload_overlapped(fri_gpu *g, void *to, const void *from, size_t bytes,
                                    const fri_gpu_overlap *overlap) {
    if (bytes > (size_t)SMALL_BYTES)
        return upload_staged(g, to, from, bytes, false, overlap);
    if (overlap)
        FRI_GPU_TRY(run_first(g, overlap, true));
    FRI_GPU_TRY(fri_gpu_upload(g, to, from, bytes));
    return overlap ? overlap->sent(g, bytes) : FR_OK;
}
