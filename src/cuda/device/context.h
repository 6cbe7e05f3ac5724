/* What a context keeps on its device beyond a solver: the device's attributes, streams and small
 * allocations that earlier solvers returned, and the graphs whose copies its solvers have used.
 *
 * Threads: the thread of the context uses all of it, and a thread that frees a graph returns what
 *   an idle solver held (core/idle_solvers.h); therefore there is a lock. */
#ifndef FRI_CUDA_DEVICE_CONTEXT_H
#define FRI_CUDA_DEVICE_CONTEXT_H

#include "cuda/device/gpu.h"

#include <pthread.h>

FRI_C_BEGIN

/* SPARE_BYTES: larger allocations are freed at once. Under the SIMT executor all are, so that it
 * detects reads of what a solver has not written. */
enum {
    FRI_SPARE_STREAMS = 4,
    FRI_SPARE_BLOCKS = 16,
    FRI_SPARE_BYTES = FRI_GPU_SEPARATE_BUFFERS ? 0 : 1 << 20
};

typedef struct fri_gpu_streams {
    cudaStream_t stream;
    cudaEvent_t clock_start, clock_stop, upload_event;
} fri_gpu_streams;

struct fri_gpu_context {
    pthread_mutex_t lock;
    bool opened;
    int multiprocessors, compute_capability, max_threads_per_sm;
    size_t max_shared_per_block;
    fri_gpu_streams streams[FRI_SPARE_STREAMS];
    int stream_count;
    struct {
        void *memory;
        size_t bytes;
    } spare[FRI_SPARE_BLOCKS];
    int spare_count;
    struct fri_resident_link *links; /* graph/resident_object.c: graphs that solvers have used */
    struct fri_resident_charge *charges; /* the copies that count in ctx->gpu_bytes */
    struct fri_opening *opening;         /* device.c: the thread that opens the device */
};

/* Makes ctx->gpu if there is none. FR_NOMEM. */
fr_status fri_gpu_context_new(fr_ctx *ctx);
/* A stream and its events, as before their first use. Both return what cudaStreamCreate would. */
cudaError_t fri_gpu_streams_take(fri_gpu *g);
void fri_gpu_streams_give(fri_gpu *g);
/* A small block of about `bytes`; NULL: none. give: false if it is too large or there are too many,
 * and the caller frees it. */
void *fri_gpu_spare_take(fr_ctx *ctx, size_t bytes);
bool fri_gpu_spare_give(fr_ctx *ctx, void *block, size_t bytes);
/* Frees what is not in use: spare blocks, copies of graphs that no solver uses, and, if these do
 * not suffice for `bytes`, idle solvers. False: there was nothing to free. */
bool fri_gpu_make_room(fr_ctx *ctx, size_t bytes);
/* The bytes that spare blocks hold. */
size_t fri_gpu_spare_bytes(fr_ctx *ctx);
/* The context whose limit and use count: several of a GPU share one. */
static inline fr_ctx *fri_gpu_account(fr_ctx *ctx) { return ctx->account ? ctx->account : ctx; }
/* Atomic: changes gpu_bytes of the account. */
void fri_gpu_count_bytes(fr_ctx *ctx, size_t added, size_t removed);

/* ---- device.c: opening in a thread of its own ---------------------------------------------- */

/* Waits for the thread and frees the object; NULL: there is none. */
struct fri_opening;
void fri_gpu_opening_join(struct fri_opening *opening);

FRI_C_END
#endif
