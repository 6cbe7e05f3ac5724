/* What fr_microbench_run passes to a backend's microbenchmarks: the receiver of the results. */
#ifndef FRI_CORE_MICROBENCH_H
#define FRI_CORE_MICROBENCH_H

#include "base/base.h"
#include "fringe_tune.h"

#ifdef __CUDACC__
#define FRI_HOST_DEVICE static __host__ __device__ inline
#else
#define FRI_HOST_DEVICE static inline
#endif

typedef struct fri_microbench {
    fr_ctx *ctx;
    fr_microbench_fn found;
    void *user;
} fri_microbench;

/* Passes one result on; FR_CANCELLED if the caller asked to stop. */
fr_status fri_microbench_report(const fri_microbench *l, const fr_microbench *result);

enum { FRI_MICROBENCH_RUNS = 5 }; /* the best run counts, since the result is a bound */

/* A pseudo-random function of `i`: an index, or the start of a thread's range. */
FRI_HOST_DEVICE uint32_t fri_microbench_mix(uint32_t i) {
    i = (i ^ i >> 16) * 0x7feb352du;
    i = (i ^ i >> 15) * 0x846ca68bu;
    return i ^ i >> 16;
}

/* Runs all microbenchmarks of the CPU's threads, one after the other. */
fr_status fri_cpu_microbench(const fri_microbench *l);

#endif
