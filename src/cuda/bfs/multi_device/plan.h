/* BFS `multi-device`: the number of GPUs that pays for a graph, and the bytes that pass between them.
 * Pure functions that need no GPU. */
#ifndef FRI_CUDA_BFS_MULTI_DEVICE_PLAN_H
#define FRI_CUDA_BFS_MULTI_DEVICE_PLAN_H

#ifdef __cplusplus
extern "C" {
#endif

#include "cuda/drivers/peers.h"

/* Expected times of a traversal in nanoseconds on one GPU (strategy `auto`) and on `devices`. */
double fri_expected_ns_on_one(const fri_devices_input *in);
double fri_expected_ns_on_many(const fri_devices_input *in, int devices);
/* The number of GPUs with the lowest expected time: one or all. */
int fri_devices_that_pay(const fri_devices_input *in);

/* The most vertices of a list: their number is part of a word of a joint barrier (params.cuh). */
enum { FRI_SLICE_MAX_LISTED = (1 << 21) - 4 };

/* Most edges of a level that exchanges lists by default; also the most vertices of a list. */
static inline int32_t fri_list_edges(int32_t n) {
    return FRI_MIN(FRI_MAX(n / 32, 1024), (int32_t)FRI_SLICE_MAX_LISTED);
}

/* Bytes that all devices together store to others in a level that finds vertices in `words` words of 32
 * vertices or lists `words` vertices: each is stored once to every other device. */
static inline int64_t fri_published_bytes(int64_t words, int devices) {
    return words * (int64_t)sizeof(uint32_t) * (devices - 1);
}

#ifdef __cplusplus
}
#endif
#endif
