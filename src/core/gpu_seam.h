/* What the solver asks of the GPU side; src/cuda defines it. Declared here because core may not
 * include cuda. */
#ifndef FRI_CORE_GPU_SEAM_H
#define FRI_CORE_GPU_SEAM_H

#ifdef __cplusplus
extern "C" {
#endif

#include "core/strategy.h"

/* Whether this GPU strategy's in-edges are made on the device. Then job->in is nobody's. */
bool fri_gpu_makes_in_edges(const fri_job *job, const fri_strategy *row);

/* `auto` on the GPU where its memory does not fit: *row becomes the next of a list that does, in
 * the end the CPU's auto, and job->note says so. Any other row stays as it is. FR_NO_DEVICE
 * where there is no GPU. */
fr_status fri_gpu_fallback(fri_job *job, const fri_strategy **row);

#ifdef __cplusplus
}
#endif
#endif
