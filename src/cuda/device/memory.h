/* Device memory of a solver, and what passes between it and the host. Errors of CUDA become statuses
 * here. */
#ifndef FRI_CUDA_DEVICE_MEMORY_H
#define FRI_CUDA_DEVICE_MEMORY_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "core/strategy.h"

typedef struct fri_gpu fri_gpu; /* device/gpu.h */

/* ---- memory.c ---------------------------------------------------------------------------- */

/* FR_OK, or FR_DEVICE / FR_NOMEM with CUDA's error string. */
fr_status fri_gpu_check(fri_gpu *g, cudaError_t error, const char *what);
/* The same for frequent calls. The device is selected for the calling thread; the others are of g->stream. */
fr_status fri_gpu_select(fri_gpu *g);
fr_status fri_gpu_launched(fri_gpu *g); /* whether launches so far have failed */
fr_status fri_gpu_wait(fri_gpu *g, const char *what);
fr_status fri_gpu_zero(fri_gpu *g, void *at, size_t bytes);
fr_status fri_gpu_start_clock(fri_gpu *g);
fr_status fri_gpu_stop_clock(fri_gpu *g);
/* Adds the time between the two, which must be over. */
fr_status fri_gpu_read_clock(fri_gpu *g, int64_t *ns);
/* Allocates device memory until fri_gpu_release; NULL for 0 bytes. FR_NOMEM with the sizes in the
 * message. */
fr_status fri_gpu_alloc(fri_gpu *g, void **out, size_t bytes);
/* The same without a record in g: the caller frees it with fri_gpu_give. Before it fails, it
 * frees what is not in use (fri_gpu_make_room of device/context.h). */
fr_status fri_gpu_take(fri_gpu *g, void **out, size_t bytes);
void fri_gpu_give(fr_ctx *ctx, void *block, size_t bytes);
/* Whether each buffer is an allocation of its own, so that the SIMT executor detects accesses
 * beyond its bounds. */
#ifdef FRI_SIMT
enum { FRI_GPU_SEPARATE_BUFFERS = 1 };
#else
enum { FRI_GPU_SEPARATE_BUFFERS = 0 };
#endif
/* A part of a device allocation: where to store its address, its bytes. */
typedef struct fri_gpu_buffer {
    void **to;
    size_t bytes;
} fri_gpu_buffer;
/* Carves all buffers from one allocation, or from g->reserved if that is large enough; each buffer
 * is aligned to 256 bytes. */
fr_status fri_gpu_alloc_many(fri_gpu *g, const fri_gpu_buffer *parts, int count);
static inline size_t fri_gpu_align(size_t bytes) { return (bytes + 255) / 256 * 256; }
/* Frees the block, which was allocated with `bytes` bytes. */
void fri_gpu_free(fri_gpu *g, void *block, size_t bytes);
/* Waits for the stream. */
fr_status fri_gpu_download(fri_gpu *g, void *to, const void *from, size_t bytes);
/* Reads control[first .. first+count) into host_control, once the stream's work is done. */
fr_status fri_gpu_read_control(fri_gpu *g, int first, int count);
/* Waits for all that fri_gpu_publish has submitted. */
fr_status fri_gpu_await_control(fri_gpu *g);
/* The number of publications of control words that are complete; kernels write it. */
uint64_t *fri_gpu_published(const fri_gpu *g);
/* Waits until *number, written by kernels of g->stream, is at least `least`. Returns the stream's
 * error if its work ends without that. Any thread. */
cudaError_t fri_gpu_await(const fri_gpu *g, const uint64_t *number, uint64_t minimum);
/* Zeroes control words and counters: the start of every query. */
fr_status fri_gpu_clear_control(fri_gpu *g);
/* Reads the kernels' counters into out->stats if the job asks for them: the end of every query. */
fr_status fri_gpu_read_counts(fri_gpu *g);

/* ---- upload.c ---------------------------------------------------------------------------- */

/* Uploads large arrays through pinned buffers filled by several threads, to use the full bandwidth
 * of the bus. */
fr_status fri_gpu_upload(fri_gpu *g, void *to, const void *from, size_t bytes);
/* Part of a query: as fri_gpu_upload, but need not have ended when it returns. Work on g->stream
 * follows it; `from` must not change before the host waits for that stream. */
fr_status fri_gpu_send(fri_gpu *g, void *to, const void *from, size_t bytes);
/* Uploads offsets, narrowed to 32 bits. */
fr_status fri_gpu_upload_narrow(fri_gpu *g, uint32_t *to, const int64_t *from, int64_t count);
/* Work of the caller's thread while other threads upload an array. */
typedef struct fri_gpu_overlap {
    /* called once; then the caller's thread uploads, too */
    fr_status (*first)(fri_gpu *g);
    /* `bytes` bytes are submitted to g->copy_stream; called repeatedly, the last time for all */
    fr_status (*sent)(fri_gpu *g, size_t bytes);
} fri_gpu_overlap;
/* fri_gpu_upload with overlapped work, or NULL. If no other thread uploads at the same time, the
 * time of `first` is subtracted from the job's upload_ns. */
fr_status fri_gpu_upload_overlapped(fri_gpu *g, void *to, const void *from, size_t bytes,
                                    const fri_gpu_overlap *overlap);
/* Pins what a context pins once: upload buffers with their stream, and host_control of its solvers. */
fr_status fri_gpu_pin(fri_gpu *g);
/* The stream of the upload buffers; valid after fri_gpu_pin. */
cudaStream_t fri_gpu_copy_stream(const fri_gpu *g);
/* Sets g->host_control to a part of the pinned words, or to new pinned memory; release gives it back. */
fr_status fri_gpu_acquire_control(fri_gpu *g);
void fri_gpu_release_control(fri_gpu *g);

#ifdef __cplusplus
}
#endif
#endif
