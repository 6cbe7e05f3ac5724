/* The driver of APSP rows on the GPU, and what they share on the host. A row fills a band of rows
 * at a time (fri_gpu_strategy.rows); the driver brings it to the caller's arrays and callback. */
#ifndef FRI_CUDA_DRIVERS_APSP_H
#define FRI_CUDA_DRIVERS_APSP_H

#include "cuda/device/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The driver's words; rows use those from 0 upwards. */
enum {
    FRI_WORD_EXAMINED = FRI_GPU_CONTROL_WORDS - 6, /* edges, 64 bits */
    FRI_WORD_LOWERED = FRI_GPU_CONTROL_WORDS - 8   /* distances, 64 bits */
};

/* How many rows a band has: as many as the row wants and the device holds. Nothing for BFS and
 * SSSP. */
void fri_gpu_apsp_plan(fri_gpu *g);
/* Device bytes beside the graph's. */
size_t fri_gpu_apsp_bytes(const fri_gpu *g);
fr_status fri_gpu_apsp_alloc(fri_gpu *g);

/* Host scratch of the driver, which stands before the row's own; where that begins. */
size_t fri_gpu_apsp_scratch(const fri_job *job);
char *fri_gpu_apsp_own(const fri_job *job);
fr_status fri_gpu_apsp_run(fri_job *job);
/* Are parents wanted, by array or callback? */
bool fri_gpu_apsp_parents(const fri_job *job);

/* After a negative cycle was met: looks for one among all that the query's sources reach, by the
 * CPU's Bellman-Ford in `scratch` of fri_gpu_apsp_cycle_bytes. FR_OK: there is none, as floats can
 * have it. */
size_t fri_gpu_apsp_cycle_bytes(const fri_job *job);
fr_status fri_gpu_apsp_cycle(fri_job *job, char *scratch);

/* Makes the parents of one row a forest, from its distances [n] of the job's dist_type: the least
 * where the query wants those. spare: [2 n]. `anew`: there are none yet (apsp_parents.c). */
void fri_gpu_apsp_repair_parents(const fri_job *job, int32_t source, const void *dist,
                                 int32_t *parent, int32_t *scratch, bool anew);

/* Rows of `width` bytes from one pitch to another, by all of the job's threads. */
void fri_gpu_copy_rows(char *to, size_t to_pitch, const char *from, size_t from_pitch, size_t width,
                       int64_t rows, int threads);

/* The last fields of every APSP row but scratch, prepare and device side. */
#define FRI_GPU_APSP_ROW(side)                                                                     \
    .gpu = &(side), .device_bytes = fri_gpu_bytes, .release = fri_gpu_release,                     \
    .run = fri_gpu_apsp_run

#ifdef __cplusplus
}
#endif
#endif
