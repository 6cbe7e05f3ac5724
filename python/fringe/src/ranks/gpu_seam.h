/* The functions that ranks need from the GPU side; src/cuda/ranks defines them. They are declared here
 * because ranks may not include cuda. None is collective except fri_gpu_part_exchange. */
#ifndef FRI_RANKS_GPU_SEAM_H
#define FRI_RANKS_GPU_SEAM_H

#ifdef __cplusplus
extern "C" {
#endif

#include "base/base.h"

typedef struct fri_gpu_part fri_gpu_part;

/* The record that every rank sends to the others after a level or round. */
typedef struct fri_level_report {
    int64_t status;  /* fr_status of this rank */
    int64_t count;   /* BFS: vertices found; SSSP: distances lowered */
    int64_t edges;   /* in-edges of the vertices found; SSSP with count 0: the minimum beyond the
                        bound */
    int64_t work_ns; /* since the last exchange */
    int64_t examined;
} fri_level_report;

/* Makes the rank's GPU the context's and opens it. FR_NO_DEVICE: it has none. */
fr_status fri_gpu_part_take_device(fr_ctx *ctx, int host_rank);

/* A rank's part on its GPU. Uses s->no_in_edges and s->hub_parent. */
fr_status fri_gpu_part_new(const fr_part_solver *s, fri_gpu_part **out);
void fri_gpu_part_free(fri_gpu_part *part);

/* Each level is submitted and then exchanged: fri_gpu_part_begin, exchange, then fri_gpu_part_step,
 * exchange, ... Statuses are this rank's alone.
 * begin: the vertices of `sources` that belong to this rank; level 0. */
fr_status fri_gpu_part_begin(fri_gpu_part *part, const int64_t *sources, int64_t count);
/* Finds this rank's vertices of level `depth` from the frontier of all ranks, by push or pull. */
fr_status fri_gpu_part_step(fri_gpu_part *part, int32_t depth, bool pull);
/* Sends the vertices found and `status` to all ranks; waits, and sets reports [ranks]. */
fr_status fri_gpu_part_exchange(fri_gpu_part *part, fr_status status, fri_level_report *reports);
/* Bytes that a rank receives in it. */
int64_t fri_gpu_part_level_bytes(const fr_part *part);
/* level, parent: [own] on the host; parents as slots. */
fr_status fri_gpu_part_download(fri_gpu_part *part, int32_t *level, int32_t *parent);

#ifdef __cplusplus
}
#endif
#endif
