/* Bitmaps of vertices in device memory: bit v % 32 of word v / 32. The bits past the last vertex
 * stay 0. (BFS `auto` has bitmaps of its own in bfs/auto/params.cuh: in `visited` those bits are
 * 1.)
 * Called by: papers/bfs/spmv.cu. */
#ifndef FRI_CUDA_PRIM_BITMAP_CUH
#define FRI_CUDA_PRIM_BITMAP_CUH

#include "cuda/prim/device.cuh"

/* Words of a bitmap of n bits. */
static inline int32_t fri_bits_words(int32_t n) { return (int32_t)(((int64_t)n + 31) / 32); }

/* Any thread, while no thread writes the map. */
static __device__ __forceinline__ bool fri_bit_test(const uint32_t *map, int32_t v) {
    return map[v / 32] >> (v % 32) & 1;
}

/* Any thread. Atomic: 32 vertices share the word. counted: as in FRI_COUNT. */
template <class C>
static __device__ __forceinline__ void fri_bit_set(const C &counted, uint32_t *map, int32_t v) {
    FRI_COUNT(counted, FR_COUNTER_ATOMICS, 1);
    atomicOr(&map[v / 32], 1u << (v % 32));
}

/* True for exactly one of all threads that claim v, whose bit was 0 and is now 1. The racy test
 * before the atomic avoids most atomics: a bit once set stays set. */
template <class C>
static __device__ __forceinline__ bool fri_bit_claim(const C &counted, uint32_t *map, int32_t v) {
    uint32_t bit = 1u << (v % 32);
    if (fri_racy_load(&map[v / 32]) & bit)
        return false;
    FRI_COUNT(counted, FR_COUNTER_ATOMICS, 1);
    if (!(atomicOr(&map[v / 32], bit) & bit))
        return true;
    FRI_COUNT(counted, FR_COUNTER_DUPLICATES_FOUND, 1);
    return false;
}

#endif
