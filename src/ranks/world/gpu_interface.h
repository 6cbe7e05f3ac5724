/* The functions that ranks need from the GPU side; src/cuda/ranks defines them. They are declared here
 * because ranks may not include cuda. Collective are the exchanges alone: fri_gpu_part_bfs_exchange, and of SSSP
 * _exchange, _send_lists and _send_distances. */
#ifndef FRI_RANKS_GPU_INTERFACE_H
#define FRI_RANKS_GPU_INTERFACE_H

#ifdef __cplusplus
extern "C" {
#endif

#include "fringe_ranks.h"
#include "base/base.h"

typedef struct fri_gpu_part fri_gpu_part;

/* The record that every rank sends to the others after a level or round. */
typedef struct fri_level_report {
    int64_t status; /* fr_status of this rank */
    int64_t count;  /* BFS: vertices found; SSSP: distances lowered */
    int64_t edges; /* in-edges of the vertices found; SSSP with count 0, on GPUs always: the minimum
                        beyond the bound */
    int64_t work_ns; /* since the last exchange */
    int64_t examined;
} fri_level_report;

/* A distance that a rank has lowered. The distance is in two halves so that the entry has 12
 * bytes. */
typedef struct fri_lowered {
    int32_t slot;
    uint32_t dist[2];
} fri_lowered;

/* Makes the rank's GPU the context's and opens it. FR_NO_DEVICE: it has none. */
fr_status fri_gpu_part_take_device(fr_ctx *ctx, int host_rank);
void fri_gpu_part_free(fri_gpu_part *part);

/* ---- BFS: a rank's part on its GPU ---- */

/* Uses s->no_in_edges and s->hub_parent. */
fr_status fri_gpu_part_bfs_new(const fr_part_solver *s, fri_gpu_part **out);
/* Each level is submitted and then exchanged: begin, exchange, then step, exchange, ... Statuses are
 * this rank's alone.
 * begin: the vertices of `sources` that belong to this rank; level 0. */
fr_status fri_gpu_part_bfs_begin(fri_gpu_part *part, const int64_t *sources, int64_t count);
/* Finds this rank's vertices of level `depth` from the frontier of all ranks, by push or pull. */
fr_status fri_gpu_part_bfs_step(fri_gpu_part *part, int32_t depth, bool pull);
/* Sends the vertices found and `status` to all ranks; waits, and sets reports [ranks]. */
fr_status fri_gpu_part_bfs_exchange(fri_gpu_part *part, fr_status status,
                                    fri_level_report *reports);
/* Bytes that a rank receives in it. */
int64_t fri_gpu_part_bfs_level_bytes(const fr_part *part);
/* level, parent: [own] on the host; parents as slots. */
fr_status fri_gpu_part_bfs_download(fri_gpu_part *part, int32_t *level, int32_t *parent);

/* ---- SSSP ---- */

/* The beginning of a rank's message after a round. Minima are infinity where there is none. */
typedef struct fri_sssp_record {
    fri_level_report level;
    int64_t near_min;   /* of the distances lowered below the bound, which are in the list */
    int64_t near_edges; /* in-edges of these vertices, counted if the graph is pulled */
    int64_t lost;       /* parents are missing: fri_gpu_part_sssp_recover must follow */
} fri_sssp_record;
/* A message is a record and a list of fri_lowered, if that fits; the bytes are the same for all ranks. */
#ifdef FRI_SIMT /* so that small graphs have lists that do not fit */
enum { FRI_SSSP_MESSAGE_BYTES = 256 };
#else
enum { FRI_SSSP_MESSAGE_BYTES = 4096 };
#endif

/* Uses s->pull_edges, which has slots as sources; NULL: it never pulls. */
fr_status fri_gpu_part_sssp_new(const fr_part_solver *s, fri_gpu_part **out);
/* Steps are submitted; statuses are this rank's alone. A query: begin, then for each round exchange, recover
 * and exchange again if a rank has lost events, one of send_lists and send_distances, and a step. */
fr_status fri_gpu_part_sssp_begin(fri_gpu_part *part, const int64_t *sources, int64_t count);
/* Sends `status` and what this rank has lowered, if it is short, to all ranks; waits, and sets records
 * [ranks]. */
fr_status fri_gpu_part_sssp_exchange(fri_gpu_part *part, fr_status status,
                                     fri_sssp_record *records);
fr_status fri_gpu_part_sssp_recover(fri_gpu_part *part);
/* For a relaxation: the lists, of which the longest has `longest` entries. */
fr_status fri_gpu_part_sssp_send_lists(fri_gpu_part *part, int64_t longest);
/* For a pull: all distances. */
fr_status fri_gpu_part_sssp_send_distances(fri_gpu_part *part);
/* Relaxes the edges of the frontier to own vertices. moved: the bound is another than in the step before. */
fr_status fri_gpu_part_sssp_relax(fri_gpu_part *part, int64_t bound, bool moved);
/* Own vertices search their in-edges; no distance below lower_bound is pending. */
fr_status fri_gpu_part_sssp_pull(fri_gpu_part *part, int64_t lower_bound, int64_t bound);
/* Bytes that a rank receives in the three exchanges. */
int64_t fri_gpu_part_sssp_message_bytes(const fr_part *part);
int64_t fri_gpu_part_sssp_list_bytes(const fr_part *part, int64_t longest);
int64_t fri_gpu_part_sssp_distance_bytes(const fr_part *part);
/* dist, parent: [own] on the host; parents as slots. */
fr_status fri_gpu_part_sssp_download(fri_gpu_part *part, int64_t *dist, int32_t *parent);

#ifdef __cplusplus
}
#endif
#endif
