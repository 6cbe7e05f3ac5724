/* The ratio of two medians with a confidence interval. */
#ifndef CLI_INTERVAL_H
#define CLI_INTERVAL_H

#include "bench_lines.h"

typedef enum interval_kind { INTERVAL_NONE, INTERVAL_SAMPLES, INTERVAL_QUARTILES } interval_kind;

typedef struct interval {
    interval_kind kind;
    double a, b;             /* medians, ns */
    double ratio, low, high; /* b / a; low and high are unset with INTERVAL_NONE */
} interval;

/* confidence: for example 0.95. The same seed gives the same samples. */
interval interval_of(const run_times *a, const run_times *b, double confidence, uint64_t seed);

#endif
