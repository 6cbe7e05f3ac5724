/* Host side of kernels that run many levels (rounds of SSSP) per launch: the trace that they write,
 * and their threads per block. Device side: prim/persistent.cuh. */
#ifndef FRI_CUDA_DRIVERS_PERSISTENT_H
#define FRI_CUDA_DRIVERS_PERSISTENT_H

#include "cuda/device/gpu.h"

FRI_C_BEGIN

/* A level of a launch, for `--explain`. The record after the last level's ends its time. The
 * frontier's size is in two words, so that kernels that count it in 32 bits do no 64-bit sums. */
typedef struct fri_level_record {
    unsigned long long edges, began; /* edges scanned; device time in ns */
    uint32_t frontier_low;
    int32_t method;    /* index into the strategy's method names */
    float expected_ps; /* 0: no expectation */
    uint32_t frontier_high;
} fri_level_record;

/* Bytes of a launch's trace, for the strategy's scratch: FRI_GPU_MAX_LEVELS + 1 records. */
size_t fri_gpu_trace_bytes(void);
/* The trace at *scratch, which advances; NULL, and *scratch stays, if the job records no levels. */
fri_level_record *fri_gpu_carve_trace(const fri_gpu *g, char **scratch);
/* Adds the progress->levels records of the last launch to the job's levels and sets
 * progress->traced, unless `trace` is NULL. Waits for the stream. */
fr_status fri_gpu_report_levels(fri_gpu *g, const fri_level_record *trace,
                                const char *const *method_names, fri_gpu_progress *progress);

/* Threads per block, whole warps: the knob's value, or as many as the graph can keep busy, at most
 * max_threads. */
int fri_gpu_threads_per_block(const fri_gpu *g, int knob, int max_threads);

FRI_C_END
#endif
