/* The arrays that a caller may hand to a query: kinds of memory. Included by test_gpu_results.c only. */
#ifndef FRI_TESTS_GPU_RESULT_ARRAYS_H
#define FRI_TESTS_GPU_RESULT_ARRAYS_H

#include "gpu/gpu_host.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef enum place { PAGEABLE, UNTOUCHED, PINNED, DEVICE, DEVICE_UNALIGNED, PLACES } place;
static const char *const place_names[] = {"pageable", "untouched", "pinned", "device",
                                          "device, unaligned"};

typedef struct array {
    place where;
    char *block, *at; /* `at`: what the library gets */
    size_t bytes;
} array;

static void must(cudaError_t error, const char *what) {
    if (error) {
        printf("FAILED %s: %s\n", what, cudaGetErrorString(error));
        exit(1);
    }
}

/* With garbage, or on the device with whatever it holds. */
static array array_new(place where, size_t bytes, size_t size) {
    array a = {where, NULL, NULL, bytes};
    void *block = NULL;
    const size_t shift = where == DEVICE_UNALIGNED || where == PINNED ? size : 0;
    if (where == PAGEABLE)
        block = malloc(bytes);
    else if (where == UNTOUCHED)
        block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    else if (where == PINNED)
        must(cudaHostAlloc(&block, bytes + shift, cudaHostAllocDefault), "pinning");
    else
        must(cudaMalloc(&block, bytes + shift), "allocating");
    a.block = block;
    a.at = a.block + shift;
    if (where == PAGEABLE || where == PINNED)
        memset(a.at, 0x5a, bytes);
    return a;
}

static void array_free(array *a) {
    if (a->where == PAGEABLE)
        free(a->block);
    else if (a->where == UNTOUCHED)
        munmap(a->block, a->bytes);
    else if (a->where == PINNED)
        cudaFreeHost(a->block);
    else
        cudaFree(a->block);
}

static bool on_device(place where) { return where == DEVICE || where == DEVICE_UNALIGNED; }

#endif
