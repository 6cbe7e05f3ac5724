/* The driver of APSP strategies on the GPU, and their common host functions. A strategy computes a
 * batch of rows at a time (fri_gpu_strategy.solve_rows); the driver passes it to the caller's
 * arrays and callback. */
#ifndef FRI_CUDA_DRIVERS_APSP_H
#define FRI_CUDA_DRIVERS_APSP_H

#include "cuda/device/gpu.h"

FRI_C_BEGIN

#include "core/query/min_parents.h"

/* The driver's control words; strategies use those from 0 upwards. */
enum {
    FRI_WORD_EXAMINED = FRI_GPU_CONTROL_WORDS - 6, /* edges, 64 bits */
    FRI_WORD_LOWERED = FRI_GPU_CONTROL_WORDS - 8   /* distances, 64 bits */
};

/* Chooses the number of rows per batch: as many as the strategy wants and the device holds. Does
 * nothing for BFS and SSSP. */
void fri_gpu_apsp_plan(fri_gpu *g);
/* Device bytes in addition to the graph. */
size_t fri_gpu_apsp_bytes(const fri_gpu *g);
fr_status fri_gpu_apsp_alloc(fri_gpu *g);

/* Host scratch of the driver, which precedes the strategy's own; where that begins. */
size_t fri_gpu_apsp_scratch(const fri_job *job);
char *fri_gpu_apsp_own(const fri_job *job);
fr_status fri_gpu_apsp_run(fri_job *job);
/* Whether the rows need parents: requested by array or callback, or to add up paths. */
bool fri_gpu_apsp_parents(const fri_job *job);

/* Passes a row in host memory to the query's callback, if there is one. FR_CANCELLED: that ends the query. */
fr_status fri_gpu_apsp_pass_row(const fri_job *job, int64_t row, const void *dist,
                                const int32_t *parent);

/* Called when a pivot or distance indicates a negative cycle: searches for one among all vertices
 * that the query's sources reach, by the CPU's Bellman-Ford in `scratch` of
 * fri_gpu_apsp_cycle_bytes. FR_OK: there is none, which is possible for floats. */
size_t fri_gpu_apsp_cycle_bytes(const fri_job *job);
fr_status fri_gpu_apsp_cycle(fri_job *job, char *scratch);

/* Makes the parents of one row a forest, from its distances [n] of the job's dist_type: the
 * smallest parents if the query requests those. Floats get the distances of the forest, too.
 * scratch: of fri_gpu_apsp_row_bytes. `rebuild`: there are no parents yet (apsp_parents.c). */
fr_status fri_gpu_apsp_repair_row(const fri_job *job, int32_t source, void *dist, int32_t *parent,
                                  char *scratch, bool rebuild);
size_t fri_gpu_apsp_row_bytes(const fri_job *job);
/* Floats of which some are negative: the driver makes every row the sums of its paths, on the host. */
bool fri_gpu_apsp_adds_paths(const fri_job *job);
/* The same for `count` rows, by all of the job's threads; scratch: of fri_gpu_apsp_paths_bytes. */
fr_status fri_gpu_apsp_add_paths(fri_job *job, const int32_t *sources, int64_t count, char *dist,
                                 int32_t *parent, char *scratch);
size_t fri_gpu_apsp_paths_bytes(const fri_job *job);

/* to[i] = the distance of targets[i] in the last query of SSSP, i < count; all on the device, `to` of the job's type
 * (apsp/each_sssp/gather.cu). */
void fri_gpu_gather(fri_gpu *g, const int32_t *targets, int64_t count, void *to);

/* Copies rows of `width` bytes from one pitch to another, by all of the job's threads. */
void fri_gpu_copy_rows(char *to, size_t to_pitch, const char *from, size_t from_pitch, size_t width,
                       int64_t rows, int threads);

FRI_C_END
#endif
