/* The way of large arrays to the device: pinned pieces that several threads fill and send.
 *
 * Idea: a copy out of memory that is not pinned passes through one thread of the driver. Here each
 *   member of a team takes the next piece of the array, copies it into one of its two pinned
 *   buffers and sends that, while the other travels. To pin memory costs far more than to fill it:
 *   the buffers are few, and the context keeps them from its first solver on.
 */
#include "cuda/gpu.h"

#include "base/team.h"

#include <string.h>

/* Under the executor small pieces, so that small graphs come in several. */
#ifdef FRI_SIMT
enum { PIECE_BYTES = 1 << 12, SMALL_BYTES = 1 << 14 };
#else
enum { PIECE_BYTES = 1 << 20, SMALL_BYTES = 1 << 20 };
#endif
enum { THREADS = 6, BUFFERS = 2 };
enum { SLOTS = 32, SLOT_BYTES = FRI_GPU_WORDS * sizeof(int32_t) };

/* What a context pins. */
struct fri_pinned {
    char *words; /* SLOTS, then the buffers: one allocation */
    char *buffers;
    uint32_t taken;   /* slots, a bit each */
    cudaStream_t bus; /* the graph's way to the device, beside other work */
};

typedef struct {
    fri_gpu *g;
    char *to;
    const char *from;
    size_t bytes;
    bool narrow; /* int64 -> uint32 on the way */
    const fri_gpu_beside *beside;
    int64_t cursor;
    int64_t reached[THREADS]; /* by each member: it holds no piece before */
    int error;                /* a cudaError_t of any member */
    fr_status status;         /* of what is done beside */
} transfer;

static void fill(char *buffer, const char *from, size_t bytes, bool narrow) {
    const int64_t *wide = (const int64_t *)(const void *)from;
    uint32_t *out = (uint32_t *)(void *)buffer;
    if (!narrow)
        memcpy(buffer, from, bytes);
    for (size_t i = 0; narrow && i < bytes / sizeof *wide; i++)
        out[i] = (uint32_t)wide[i];
}

static cudaError_t send(const transfer *t, int64_t at, size_t bytes, char *buffer,
                        cudaEvent_t sent) {
    size_t shrunk = t->narrow ? 2 : 1;
    fill(buffer, t->from + at, bytes, t->narrow);
    cudaError_t error = cudaMemcpyAsync(t->to + (size_t)at / shrunk, buffer, bytes / shrunk,
                                        cudaMemcpyHostToDevice, t->g->bus);
    return error ? error : cudaEventRecord(sent, t->g->bus);
}

/* By the caller's thread, which alone may fail in words. Where nobody carries meanwhile it is no
 * upload. */
static fr_status do_first(fri_gpu *g, const fri_gpu_beside *beside, bool alone) {
    const int64_t begin = fri_now_ns();
    fr_status status = beside->first(g);
    g->job->upload_ns -= alone ? fri_now_ns() - begin : 0;
    return status;
}

static void tell_sent(transfer *t, int members) {
    int64_t least = t->reached[0];
    for (int i = 1; i < members; i++) /* acquire: what those sent is on the bus */
        least = FRI_MIN(least, __atomic_load_n(&t->reached[i], __ATOMIC_ACQUIRE));
    if (!t->status)
        t->status = t->beside->sent(t->g, (size_t)least);
}

static void carry(fri_member me, void *arg) {
    transfer *t = arg;
    const bool leads = me.index == 0 && t->beside;
    fr_ctx *ctx = t->g->job->ctx;
    char *own = ctx->pinned->buffers + (size_t)me.index * (size_t)(BUFFERS * PIECE_BYTES);
    cudaEvent_t sent[BUFFERS] = {NULL};
    cudaError_t error = cudaSetDevice(ctx->device); /* each thread has its own */
    int64_t at, end;
    if (leads)
        t->status = do_first(t->g, t->beside, me.count == 1);
    for (int i = 0; i < BUFFERS && !error; i++)
        error = cudaEventCreateWithFlags(&sent[i], cudaEventDisableTiming);
    for (int turn = 0;
         !error && fri_team_take(&t->cursor, (int64_t)t->bytes, PIECE_BYTES, &at, &end);
         turn = (turn + 1) % BUFFERS) {
        __atomic_store_n(&t->reached[me.index], at, __ATOMIC_RELEASE); /* see tell_sent */
        if (leads)
            tell_sent(t, me.count);
        error = cudaEventSynchronize(sent[turn]); /* at once when it was never recorded */
        if (!error)
            error = send(t, at, (size_t)(end - at), own + turn * PIECE_BYTES, sent[turn]);
    }
    for (int i = 0; i < BUFFERS; i++)
        if (sent[i])
            cudaEventDestroy(sent[i]);
    if (!error)
        __atomic_store_n(&t->reached[me.index], (int64_t)t->bytes, __ATOMIC_RELEASE);
    if (error) /* relaxed: read after the team has parted */
        __atomic_store_n(&t->error, (int)error, __ATOMIC_RELAXED);
}

static void unpin(struct fri_pinned *pinned) {
    cudaFreeHost(pinned->words);
    if (pinned->bus)
        cudaStreamDestroy(pinned->bus);
    fri_free(pinned);
}

/* With the device opened, on that clock. */
fr_status fri_gpu_pin(fri_gpu *g) {
    fr_ctx *ctx = g->job->ctx;
    struct fri_pinned *pinned;
    void *block = NULL;
    if (ctx->pinned)
        return FR_OK;
    size_t slots = (size_t)SLOTS * SLOT_BYTES, buffers = (size_t)THREADS * PIECE_BYTES * BUFFERS;
    FRI_GPU_TRY(fri_gpu_check(g, cudaHostAlloc(&block, slots + buffers, cudaHostAllocDefault),
                              "pinning memory"));
    pinned = fri_calloc(ctx, sizeof *pinned);
    if (!pinned) {
        cudaFreeHost(block);
        return FR_NOMEM;
    }
    pinned->words = block;
    pinned->buffers = pinned->words + slots;
    ctx->pinned = pinned;
    ctx->unpin = unpin;
    return fri_gpu_check(g, cudaStreamCreateWithFlags(&pinned->bus, cudaStreamNonBlocking),
                         "making a stream");
}

cudaStream_t fri_gpu_bus(const fri_gpu *g) { return g->job->ctx->pinned->bus; }

/* More solvers of a context than slots: they pin their own. */
fr_status fri_gpu_take_words(fri_gpu *g) {
    struct fri_pinned *pinned = g->job->ctx->pinned;
    void *own = NULL;
    for (int i = 0; i < SLOTS; i++)
        if (!(pinned->taken >> i & 1)) {
            pinned->taken |= 1u << i;
            g->host_words = (int32_t *)(void *)(pinned->words + i * (int)SLOT_BYTES);
            memset(g->host_words, 0, SLOT_BYTES);
            return FR_OK;
        }
    FRI_GPU_TRY(
        fri_gpu_check(g, cudaHostAlloc(&own, SLOT_BYTES, cudaHostAllocDefault), "pinning memory"));
    g->host_words = own;
    return FR_OK;
}

void fri_gpu_return_words(fri_gpu *g) {
    struct fri_pinned *pinned = g->job->ctx->pinned;
    char *words = (char *)g->host_words;
    if (!words)
        return;
    if (words >= pinned->words && words < pinned->buffers)
        pinned->taken &= ~(1u << (words - pinned->words) / (int)SLOT_BYTES);
    else
        cudaFreeHost(words);
}

static fr_status staged(fri_gpu *g, void *to, const void *from, size_t bytes, bool narrow,
                        const fri_gpu_beside *beside) {
    transfer t = {g, to, from, bytes, narrow, beside, 0, {0}, cudaSuccess, FR_OK};
    fri_team_run(FRI_MIN(g->job->threads, THREADS), carry, &t);
    if (!t.error && beside)
        tell_sent(&t, 1);
    cudaError_t last = cudaStreamSynchronize(g->bus);
    FRI_GPU_TRY(t.status);
    return fri_gpu_check(g, t.error ? (cudaError_t)t.error : last, "uploading");
}

fr_status fri_gpu_upload(fri_gpu *g, void *to, const void *from, size_t bytes) {
    if (bytes > (size_t)SMALL_BYTES)
        return staged(g, to, from, bytes, false, NULL);
    if (!bytes)
        return FR_OK;
    FRI_GPU_TRY(fri_gpu_check(g, cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, g->bus),
                              "uploading"));
    return fri_gpu_check(g, cudaStreamSynchronize(g->bus), "uploading");
}

fr_status fri_gpu_upload_narrow(fri_gpu *g, uint32_t *to, const int64_t *from, int64_t count) {
    size_t bytes = fri_bytes(count, sizeof *from);
    if (bytes > (size_t)SMALL_BYTES)
        return staged(g, to, from, bytes, true, NULL);
    uint32_t *narrow = fri_alloc(g->job->ctx, fri_bytes(count, sizeof *narrow));
    if (!narrow)
        return FR_NOMEM;
    fill((char *)narrow, (const char *)from, bytes, true);
    fr_status status = fri_gpu_upload(g, to, narrow, bytes / 2);
    fri_free(narrow);
    return status;
}

fr_status fri_gpu_carry(fri_gpu *g, void *to, const void *from, size_t bytes,
                        const fri_gpu_beside *beside) {
    if (bytes > (size_t)SMALL_BYTES)
        return staged(g, to, from, bytes, false, beside);
    if (beside)
        FRI_GPU_TRY(do_first(g, beside, true));
    FRI_GPU_TRY(fri_gpu_upload(g, to, from, bytes));
    return beside ? beside->sent(g, bytes) : FR_OK;
}
