/* The page-locked host memory of a context, with the streams that transfer through it. */
#ifndef FRI_CUDA_DEVICE_PINNED_H
#define FRI_CUDA_DEVICE_PINNED_H

#include "cuda/device/gpu.h"

enum { FRI_DOWNLOAD_THREADS = 16 };
/* Arrays of more are written around the caches: through them, each line is first read from memory. */
#ifdef FRI_SIMT
enum { FRI_LARGE_BYTES = 1 << 12 };
#else
enum { FRI_LARGE_BYTES = 1 << 24 };
#endif
/* Values of a piece of device/staging.c: multiples of UNIT, at most MAX_PIECE. */
#ifdef FRI_SIMT
enum { FRI_PIECE_UNIT = 1 << 4, FRI_MAX_PIECE = 1 << 6 };
#else
enum { FRI_PIECE_UNIT = 1 << 11, FRI_MAX_PIECE = 1 << 14 };
#endif

/* A flag has a cache line of its own: while threads poll one, the device writes its neighbors. */
enum { FRI_FLAG_STRIDE = FRI_CACHE_LINE / sizeof(uint64_t) };

struct fri_pinned {
    char *words; /* slots of control words, then flags, then the buffers: one allocation */
    /* [buffer_bytes / FRI_PIECE_UNIT * FRI_FLAG_STRIDE], written by kernels: the number of the piece
     * in the slot */
    uint64_t *flags;
    uint64_t pieces; /* numbers of device/staging.c that are in use */
    char *buffers;
    size_t buffer_bytes;      /* of all buffers, which one upload or download uses at a time */
    uint32_t slots_used;      /* atomic: one bit per used slot; see device/context.h */
    cudaStream_t copy_stream; /* uploads the graph concurrently with other work */
    cudaStream_t download_stream[FRI_DOWNLOAD_THREADS]; /* NULL until a download needs it */
};

#endif
