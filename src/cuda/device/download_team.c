/* Downloads results by transfers: those of a batch's query while the next query runs, and those of a
 * single query into arrays that have no pages yet.
 *
 * Idea: each member of a team takes the next piece, copies it into one of its two pinned buffers, and
 *   expands it into the caller's array while the other buffer is being filled. The copies are
 *   transfers of the device on streams of their own: they take no multiprocessor from the traversal
 *   and do not wait for it, as the kernel of device/staging.c would. */
#include "cuda/device/expand.h"
#include "cuda/device/pinned.h"
#include "cuda/device/results.h"

#include "base/team.h"

enum {
    BUFFERS = 2,
    ALIGNMENT = 256, /* of buffers, bytes */
    PIECE_UNIT = 32, /* values: pieces begin at whole cache lines of the caller's array */
    PIECES_PER_THREAD = 4
};
#ifdef FRI_SIMT /* small, so that small graphs take several pieces */
enum { MIN_PIECE_BYTES = 1 << 7 };
#else
/* of the caller's array: more transfers take longer to start */
enum { MIN_PIECE_BYTES = 1 << 18 };
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
    const int64_t max_values = (int64_t)(buffer_bytes / (size_t)o->sent);
    const int64_t fair = o->count / (threads * PIECES_PER_THREAD) + 1;
    const int64_t wanted = FRI_MIN(max_values, FRI_MAX(fair, MIN_PIECE_BYTES / o->size));
    p->piece = (wanted + PIECE_UNIT - 1) / PIECE_UNIT * PIECE_UNIT; /* `max_values` is a multiple */
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

cudaError_t fri_gpu_download_by_team(fri_gpu *g, const fri_gpu_output *outputs, int count,
                                     cudaEvent_t after, int threads) {
    transfer t = {.g = g, .count = count, .after = after};
    for (int i = 0; i < count; i++)
        t.parts[i].output = outputs[i];
    return run_team(&t, threads);
}

/* Submits what the team waits for: *after, or NULL where nothing is pending. */
static fr_status narrow_all(fri_gpu *g, fri_gpu_output *outputs, int count, bool pending,
                            cudaEvent_t *after) {
    *after = NULL;
    for (int i = 0; i < count; i++)
        if (outputs[i].sent < outputs[i].size) { /* of one output: parents have all their bytes */
            FRI_GPU_TRY(fri_gpu_narrow_output(g, &outputs[i], g->sources));
            pending = true;
        }
    if (!pending)
        return FR_OK;
    *after = g->upload_event;
    return fri_gpu_check(g, cudaEventRecord(*after, g->stream), "downloading");
}

fr_status fri_gpu_transfer(fri_gpu *g, fri_gpu_output *outputs, int count, bool pending,
                           const fri_gpu_counting *counting) {
    size_t bytes = 0;
    cudaEvent_t after;
    for (int i = 0; i < count; i++)
        bytes += (size_t)outputs[i].count * (size_t)outputs[i].size;
    const int threads = fri_gpu_download_threads(g, bytes);
    FRI_GPU_TRY(narrow_all(g, outputs, count, pending, &after));
    if (counting) /* the team does not wait for it */
        FRI_GPU_TRY(fri_gpu_count_reached(g, counting));
    FRI_GPU_TRY(fri_gpu_download_streams(g, threads));
    return fri_gpu_check(g, fri_gpu_download_by_team(g, outputs, count, after, threads),
                         "downloading");
}
