/* Event counters of kernels, for `--counters` (fr_solver_options.counters).
 *
 * Counting takes time, so that kernels count only in a build of its own (`make counting`, which
 * defines FRI_COUNTING for every file). In any other build FRI_COUNT is empty, and a solver that is
 * asked for counters of a GPU strategy refuses (core/solver.c).
 *
 *   FRI_COUNT(view, FR_COUNTER_EDGES, k)   from any thread; view: an fri_csr_view, or anything else
 *                                          with fri_gpu_csr's `counts`
 *
 * A strategy lists in fri_strategy.counts what it counts, which distinguishes 0 from "not counted".
 */
#ifndef FRI_CUDA_PRIM_COUNT_CUH
#define FRI_CUDA_PRIM_COUNT_CUH

#include "cuda/prim/dialect.cuh"

#ifdef FRI_COUNTING

#define FRI_COUNT(csr, kind, times) fri_count((csr).counts, kind, (unsigned long long)(times))

static __device__ __forceinline__ void fri_count(unsigned long long *counts, int kind,
                                                 unsigned long long times) {
    if (times)
        atomicAdd(&counts[kind], times); /* atomic: all threads add to one counter */
}

#else

#define FRI_COUNT(csr, kind, times) ((void)sizeof(csr), (void)sizeof(times))

#endif

/* Counters of strategies that claim vertices by an atomic and enqueue them. */
#define FRI_COUNTS_CLAIMS                                                                          \
    (FRI_COUNTER_BIT(FR_COUNTER_EDGES) | FRI_COUNTER_BIT(FR_COUNTER_ENQUEUES) |                                  \
     FRI_COUNTER_BIT(FR_COUNTER_DUPLICATES_FOUND) | FRI_COUNTER_BIT(FR_COUNTER_ATOMICS))

#endif
