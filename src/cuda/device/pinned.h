/* The page-locked host memory of a context, with the streams that transfer through it. */
#ifndef FRI_CUDA_DEVICE_PINNED_H
#define FRI_CUDA_DEVICE_PINNED_H

#include "cuda/device/gpu.h"

enum { FRI_DOWNLOAD_THREADS = 16 };
#ifdef FRI_SIMT
enum { FRI_PIECE_VALUES = 1 << 6 };
#else
enum { FRI_PIECE_VALUES = 1 << 14 }; /* of device/staging.c */
#endif

struct fri_pinned {
    char *words; /* slots of control words, then flags, then the buffers: one allocation */
    /* [buffer_bytes / FRI_PIECE_VALUES], written by kernels: the round that completed the piece */
    uint64_t *flags;
    uint64_t rounds; /* of device/staging.c so far */
    char *buffers;
    size_t buffer_bytes;      /* of all buffers, which one upload or download uses at a time */
    uint32_t slots_used;      /* atomic: one bit per used slot; see device/context.h */
    cudaStream_t copy_stream; /* uploads the graph concurrently with other work */
    cudaStream_t download_stream[FRI_DOWNLOAD_THREADS]; /* NULL until a download needs it */
};

#endif
