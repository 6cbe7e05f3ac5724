/* Downloads results into the caller's arrays.
 *
 * Idea: a copy to pageable memory passes through one thread of the driver, which also takes the
 *   page faults of an array that was never touched. Here each member of a team takes the next piece,
 *   copies it into one of its two pinned buffers, and expands it into the caller's array while the
 *   other buffer is being filled: the pages of a new array are taken by all threads. Integers
 *   cross the bus in as few bytes as hold them (device/expand.h): on an H200 the expansion of one
 *   byte to four by 8 to 16 threads takes less time than the transfer of four bytes. */
#include "cuda/device/expand.h"
#include "cuda/device/pinned.h"
#include "cuda/device/results.h"

#include "base/team.h"

#include <string.h>

enum {
    BUFFERS = 2,
    ALIGNMENT = 256, /* of buffers, bytes */
    PIECE_UNIT = 32, /* values: pieces begin at whole cache lines of the caller's array */
    PIECES_PER_THREAD = 4
};
#ifdef FRI_SIMT /* small, so that small graphs take several pieces */
enum { SMALL_BYTES = 1 << 9, MIN_PIECE_BYTES = 1 << 7 };
#else
enum {
    SMALL_BYTES = 1 << 17,    /* one thread copies these while others wake up */
    MIN_PIECE_BYTES = 1 << 18 /* of the caller's array: more transfers take longer to start */
};
#endif

typedef struct {
    fri_gpu_output output;
    int64_t piece; /* values per piece */
    int64_t pieces;
} part;

typedef struct {
    fri_gpu *g;
    part parts[FRI_GPU_MAX_OUTPUTS];
    int count;
    cudaEvent_t after; /* every stream waits for it; NULL: there is nothing to wait for */
    size_t buffer_bytes;
    int64_t pieces, cursor;
    int error; /* the cudaError_t of any member */
} transfer;

/* Part of an output. */
typedef struct {
    const fri_gpu_output *of;
    int64_t at, count;
} piece;

static bool take(transfer *t, piece *out) {
    int64_t index, end;
    const part *p = t->parts;
    if (!fri_team_next_chunk(&t->cursor, t->pieces, 1, &index, &end))
        return false;
    for (; index >= p->pieces; p++)
        index -= p->pieces;
    *out = (piece){&p->output, index * p->piece, 0};
    out->count = FRI_MIN(p->piece, p->output.count - out->at);
    return true;
}

static cudaError_t submit(const piece *p, char *buffer, cudaStream_t stream) {
    const size_t sent = (size_t)p->of->sent;
    return cudaMemcpyAsync(buffer, (const char *)p->of->from + (size_t)p->at * sent,
                           (size_t)p->count * sent, cudaMemcpyDeviceToHost, stream);
}

static void expand(const piece *p, const char *buffer) {
    fri_expand((char *)p->of->to + p->at * p->of->size, p->of->size, buffer, p->of->sent, p->count);
}

static void download_worker(fri_member me, void *arg) {
    transfer *t = arg;
    struct fri_pinned *pinned = t->g->job->ctx->pinned;
    cudaStream_t stream = pinned->download_stream[me.index];
    char *buffer = pinned->buffers + (size_t)(me.index * BUFFERS) * t->buffer_bytes;
    char *next_buffer = buffer + t->buffer_bytes;
    piece now, next;
    bool more = take(t, &now);
    cudaError_t error = cudaSetDevice(t->g->job->ctx->device); /* per thread */
    if (more && !error && t->after)
        error = cudaStreamWaitEvent(stream, t->after, 0);
    if (more && !error)
        error = submit(&now, buffer, stream);
    while (more && !error) {
        more = take(t, &next);
        error = cudaStreamSynchronize(stream);
        if (more && !error)
            error = submit(&next, next_buffer, stream);
        if (!error)
            expand(&now, buffer);
        char *free_buffer = buffer;
        buffer = next_buffer;
        next_buffer = free_buffer;
        now = next;
    }
    if (error) {
        cudaStreamSynchronize(stream); /* no copy may arrive in a buffer that is used again */
        __atomic_store_n(&t->error, (int)error, __ATOMIC_RELAXED); /* read after the join */
    }
}

int fri_gpu_download_threads(const fri_gpu *g, size_t bytes) {
    const int64_t useful = (int64_t)(bytes / MIN_PIECE_BYTES) + 1;
    return (int)FRI_MIN(useful, (int64_t)FRI_MIN(g->job->threads, FRI_DOWNLOAD_THREADS));
}

fr_status fri_gpu_download_streams(fri_gpu *g, int threads) {
    struct fri_pinned *pinned = g->job->ctx->pinned;
    for (int i = 0; i < threads; i++)
        if (!pinned->download_stream[i])
            FRI_GPU_TRY(fri_gpu_check(
                g, cudaStreamCreateWithFlags(&pinned->download_stream[i], cudaStreamNonBlocking),
                "creating a stream"));
    return FR_OK;
}

/* Several pieces per thread, so that all end at about the same time. */
static void cut(part *p, size_t buffer_bytes, int threads) {
    const fri_gpu_output *o = &p->output;
    const int64_t most = (int64_t)(buffer_bytes / (size_t)o->sent);
    const int64_t fair = o->count / (threads * PIECES_PER_THREAD) + 1;
    const int64_t wanted = FRI_MIN(most, FRI_MAX(fair, MIN_PIECE_BYTES / o->size));
    p->piece = (wanted + PIECE_UNIT - 1) / PIECE_UNIT * PIECE_UNIT; /* `most` is a multiple */
    p->pieces = (o->count + p->piece - 1) / p->piece;
}

static cudaError_t run_team(transfer *t, int threads) {
    t->buffer_bytes = t->g->job->ctx->pinned->buffer_bytes / (BUFFERS * FRI_DOWNLOAD_THREADS) /
                      ALIGNMENT * ALIGNMENT;
    for (int i = 0; i < t->count; i++) {
        cut(&t->parts[i], t->buffer_bytes, threads);
        t->pieces += t->parts[i].pieces;
    }
    fri_team_run(threads, download_worker, t);
    return (cudaError_t)t->error;
}

/* ---- the ways of an output --------------------------------------------------------------- */

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

static size_t bytes_of(const fri_gpu_output *o) { return (size_t)o->count * (size_t)o->size; }

fri_gpu_way fri_gpu_way_of(const fri_gpu *g, const fri_gpu_output *o) {
    if (!o->to || o->to == o->from || !o->count)
        return FRI_WAY_NONE;
    return g->job->query.result_memory == FR_MEMORY_DEVICE || is_pinned(o->to, bytes_of(o))
               ? FRI_WAY_DEVICE
               : FRI_WAY_TEAM;
}

cudaError_t fri_gpu_download_by_team(fri_gpu *g, const fri_gpu_output *outputs, int count,
                                     cudaEvent_t after, int threads) {
    transfer t = {.g = g, .count = count, .after = after};
    for (int i = 0; i < count; i++)
        t.parts[i].output = outputs[i];
    return run_team(&t, threads);
}

static fr_status copy(fri_gpu *g, void *to, const fri_gpu_output *o) {
    return fri_gpu_check(g, cudaMemcpyAsync(to, o->from, bytes_of(o), cudaMemcpyDefault, g->stream),
                         "downloading");
}

fr_status fri_gpu_narrow_output(fri_gpu *g, fri_gpu_output *o, void *to) {
    fri_gpu_narrow(g, o->from, o->size, to, o->sent, o->count);
    o->from = to;
    return fri_gpu_check(g, cudaGetLastError(), "launching a kernel");
}

/* Small arrays: one thread, one transfer each, and one wait for all work of the stream. */
static fr_status copy_small(const transfer *t) {
    char *at = t->g->job->ctx->pinned->buffers;
    for (int i = 0; i < t->count; at += bytes_of(&t->parts[i++].output))
        FRI_GPU_TRY(copy(t->g, at, &t->parts[i].output));
    FRI_GPU_TRY(fri_gpu_check(t->g, cudaStreamSynchronize(t->g->stream), "downloading"));
    at = t->g->job->ctx->pinned->buffers;
    for (int i = 0; i < t->count; at += bytes_of(&t->parts[i++].output))
        memcpy(t->parts[i].output.to, at, bytes_of(&t->parts[i].output));
    return FR_OK;
}

/* Submits what the team waits for. */
static fr_status narrow_all(transfer *t, bool pending) {
    fri_gpu *g = t->g;
    for (int i = 0; i < t->count; i++)
        if (t->parts[i].output.sent < t->parts[i].output.size) {
            FRI_GPU_TRY(fri_gpu_narrow_output(g, &t->parts[i].output, g->sources));
            pending = true;
        }
    if (!t->count || !pending)
        return FR_OK;
    t->after = g->upload_event;
    return fri_gpu_check(g, cudaEventRecord(t->after, g->stream), "downloading");
}

static fr_status download_staged(transfer *t) {
    size_t bytes = 0;
    for (int i = 0; i < t->count; i++)
        bytes += bytes_of(&t->parts[i].output);
    const int threads = fri_gpu_download_threads(t->g, bytes);
    FRI_GPU_TRY(fri_gpu_download_streams(t->g, threads));
    return fri_gpu_check(t->g, run_team(t, threads), "downloading");
}

fr_status fri_gpu_download_results(fri_gpu *g, const fri_gpu_output *outputs, int count,
                                   bool pending, const fri_gpu_counting *counting) {
    transfer t = {.g = g};
    size_t staged_bytes = 0;
    if (fri_gpu_is_batched(g))
        return fri_gpu_batch_add(g, outputs, count, pending, counting);
    FRI_GPU_TRY(fri_gpu_check(g, cudaGetLastError(), "launching a kernel"));
    for (int i = 0; i < count; i++) {
        const fri_gpu_way how = fri_gpu_way_of(g, &outputs[i]);
        if (how == FRI_WAY_TEAM) {
            t.parts[t.count++].output = outputs[i];
            staged_bytes += bytes_of(&outputs[i]);
        } else if (how == FRI_WAY_DEVICE) {
            FRI_GPU_TRY(copy(g, outputs[i].to, &outputs[i]));
            pending = true;
        }
    }
    const bool small = t.count && staged_bytes <= (size_t)SMALL_BYTES;
    if (!small)
        FRI_GPU_TRY(narrow_all(&t, pending));
    if (counting) /* the team does not wait for it */
        FRI_GPU_TRY(fri_gpu_count_reached(g, counting));
    if (small)
        return copy_small(&t);
    if (t.count)
        FRI_GPU_TRY(download_staged(&t));
    return pending || counting ? fri_gpu_check(g, cudaStreamSynchronize(g->stream), "downloading")
                               : FR_OK;
}
