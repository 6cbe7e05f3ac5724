/* What the drivers of BFS and SSSP share: the start of a query, a step, its statistics. */
#ifndef FRI_CUDA_DRIVERS_QUERY_H
#define FRI_CUDA_DRIVERS_QUERY_H

#include "cuda/device/results/delivery.h"

/* Sets the number of sources, and where parents go. */
void fri_gpu_begin_query(fri_gpu *g);
/* Sends the bitmap of targets, if there are any, and with `sources` these. */
fr_status fri_gpu_send_query(fri_gpu *g, bool sources);
/* Calls run_levels or run_level of the strategy for at most `most` levels or rounds from `first` on. */
fr_status fri_gpu_run_levels(fri_gpu *g, const char *phase, int32_t first, int32_t most,
                             fri_gpu_progress *progress);
/* Also of APSP: the occupancy of kernels, and their counters. */
fr_status fri_gpu_end_query(fri_gpu *g);

#endif
