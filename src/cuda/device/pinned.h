/* The page-locked host memory of a context, with the streams that transfer through it. */
#ifndef FRI_CUDA_DEVICE_PINNED_H
#define FRI_CUDA_DEVICE_PINNED_H

#include "cuda/device/gpu.h"

enum { FRI_DOWNLOAD_THREADS = 16 };

struct fri_pinned {
    char *words; /* slots of control words, then the buffers: one allocation */
    char *buffers;
    size_t buffer_bytes;      /* of all buffers, which one upload or download uses at a time */
    uint32_t slots_used;      /* atomic: one bit per used slot; see device/context.h */
    cudaStream_t copy_stream; /* uploads the graph concurrently with other work */
    cudaStream_t download_stream[FRI_DOWNLOAD_THREADS]; /* NULL until a download needs it */
};

#endif
