/* Claiming a vertex for the next level: the innermost step of every top-down row. */
#ifndef FRI_VISIT_CUH
#define FRI_VISIT_CUH

#include "cuda/prim/dialect.cuh"

/* True for exactly one of all threads that try: it owns v, whose level and parent it has written.
 * Any thread. The racy test before the atomic spares most atomics: most ends are visited. */
static __device__ __forceinline__ bool fri_claim(int32_t v, int32_t u, int32_t depth,
                                                 int32_t *level, int32_t *parent) {
    if (fri_racy_load(&level[v]) >= 0 || atomicCAS(&level[v], -1, depth + 1) != -1)
        return false;
    if (parent)
        parent[v] = u;
    return true;
}

#endif
