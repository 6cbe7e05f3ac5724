/* Where a caller's array of a GPU test is. */
#ifndef GPU_PLACES_H
#define GPU_PLACES_H

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* HALF_PINNED: the first half of pageable memory is registered. */
typedef enum place { PAGEABLE, PINNED, DEVICE, PLACES, HALF_PINNED = PLACES } place;
static const char *const place_names[] = {"pageable", "pinned", "device", "half pinned"};

static inline void must(cudaError_t error, const char *what) {
    if (error) {
        printf("FAILED %s: %s\n", what, cudaGetErrorString(error));
        exit(1);
    }
}

static inline void *array_new(place where, size_t bytes) {
    void *at = NULL;
    if (where == PAGEABLE || where == HALF_PINNED)
        at = malloc(bytes);
    else if (where == PINNED)
        must(cudaHostAlloc(&at, bytes, cudaHostAllocDefault), "pinning");
    else
        must(cudaMalloc(&at, bytes), "allocating");
    if (where != DEVICE)
        memset(at, 0x5a, bytes);
    if (where == HALF_PINNED)
        must(cudaHostRegister(at, bytes / 2, cudaHostRegisterDefault), "registering");
    return at;
}

static inline void array_free(place where, void *at) {
    if (where == HALF_PINNED)
        cudaHostUnregister(at);
    if (where == PAGEABLE || where == HALF_PINNED)
        free(at);
    else if (where == PINNED)
        cudaFreeHost(at);
    else
        cudaFree(at);
}

#endif
