/* Claims a vertex for the next level and enqueues it: the innermost steps of top-down strategies.
 */
#ifndef FRI_CUDA_PRIM_VISIT_CUH
#define FRI_CUDA_PRIM_VISIT_CUH

#include "cuda/prim/device.cuh"

/* True for exactly one of all threads that try: it owns v, and has written its level and parent.
 * Any thread. The racy test before the atomic avoids most atomics: most targets are already
 * visited. */
template <class O>
static __device__ __forceinline__ bool fri_claim(fri_csr_view<O> csr, int32_t v, int32_t u,
                                                 int32_t depth, int32_t *level, int32_t *parent) {
    if (fri_racy_load(&level[v]) >= 0)
        return false;
    FRI_COUNT(csr, FR_COUNTER_ATOMICS, 1);
    if (atomicCAS(&level[v], -1, depth + 1) != -1) {
        FRI_COUNT(csr, FR_COUNTER_DUPLICATES_FOUND, 1);
        return false;
    }
    if (parent)
        parent[v] = u;
    return true;
}

/* Appends v to a queue. Any thread. */
template <class O>
static __device__ __forceinline__ void fri_append(fri_csr_view<O> csr, int32_t v, int32_t *next,
                                                  int32_t *tail) {
    FRI_COUNT(csr, FR_COUNTER_ATOMICS, 1);
    FRI_COUNT(csr, FR_COUNTER_ENQUEUES, 1);
    next[atomicAdd(tail, 1)] = v;
}

#endif
