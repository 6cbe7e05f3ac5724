/* Event counters of kernels, for `--counters` (fr_solver_options.counters).
 *
 * Every strategy's .cu file is compiled twice: as it is, and with FRI_COUNTING for the strategy's
 * counting twin, whose name ends in _counted and which the solver uses when counters are requested.
 * So the timed path contains no counting code, and everything in such a file must have internal
 * linkage: functions and kernels `static`, types in an anonymous namespace when they hold an
 * fri_csr_view.
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

#define FRI_COUNTING_NAME(name)     name##_counted
#define FRI_COUNT(csr, kind, times) fri_count((csr).counts, kind, (unsigned long long)(times))

static __device__ __forceinline__ void fri_count(unsigned long long *counts, int kind,
                                                 unsigned long long times) {
    if (times)
        atomicAdd(&counts[kind], times); /* atomic: all threads add to one counter */
}

#else

#define FRI_COUNTING_NAME(name)     name
#define FRI_COUNT(csr, kind, times) ((void)sizeof(csr), (void)sizeof(times))

#endif

/* Counters of strategies that claim vertices by an atomic and enqueue them. */
#define FRI_COUNTS_CLAIMS                                                                          \
    (FRI_COUNTER_BIT(FR_COUNTER_EDGES) | FRI_COUNTER_BIT(FR_COUNTER_ENQUEUES) |                                  \
     FRI_COUNTER_BIT(FR_COUNTER_DUPLICATES_FOUND) | FRI_COUNTER_BIT(FR_COUNTER_ATOMICS))

#endif
