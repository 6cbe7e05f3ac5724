/* The ratio of two medians and how sure it is. */
#ifndef CLI_INTERVAL_H
#define CLI_INTERVAL_H

#include "bench_lines.h"

typedef enum interval_kind { INTERVAL_NONE, INTERVAL_SAMPLES, INTERVAL_QUARTILES } interval_kind;

typedef struct interval {
    interval_kind kind;
    double a, b;             /* medians, ns */
    double ratio, low, high; /* b / a; low and high unless INTERVAL_NONE */
} interval;

/* confidence: 0.95; the same seed gives the same samples. */
interval interval_of(const run_times *a, const run_times *b, double confidence, uint64_t seed);

#endif
