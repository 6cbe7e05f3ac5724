/* What fr_limits_measure hands to the part that measures: where the findings go. */
#ifndef FRI_LIMITS_H
#define FRI_LIMITS_H

#include "base/base.h"

#ifdef __CUDACC__
#define FRI_ON_BOTH static __host__ __device__ inline
#else
#define FRI_ON_BOTH static inline
#endif

typedef struct fri_limits {
    fr_ctx *ctx;
    fr_limit_fn found;
    void *user;
} fri_limits;

/* Hands one on; FR_CANCELLED when the caller wants no more. */
fr_status fri_limits_tell(const fri_limits *l, const fr_limit *limit);

enum { FRI_LIMITS_RUNS = 5 }; /* the best of them counts: it is a limit */

/* A number that follows from `i` and looks random: an index, or the start of a thread's row. */
FRI_ON_BOTH uint32_t fri_limits_mix(uint32_t i) {
    i = (i ^ i >> 16) * 0x7feb352du;
    i = (i ^ i >> 15) * 0x846ca68bu;
    return i ^ i >> 16;
}

/* All that the CPU's threads can do, one finding after the other. */
fr_status fri_cpu_limits(const fri_limits *l);

#endif
