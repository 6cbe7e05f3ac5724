/* Measures the limits of a GPU. Does not include CUDA headers, so that tune/ can include it. */
#ifndef FRI_CUDA_MICROBENCH_H
#define FRI_CUDA_MICROBENCH_H

#ifdef __cplusplus
extern "C" {
#endif

#include "core/microbench.h"

/* FR_NO_DEVICE if there is no GPU. */
fr_status fri_gpu_microbench(const fri_microbench *l);

#ifdef __cplusplus
}
#endif
#endif
