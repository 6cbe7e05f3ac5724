/* What the SSSP strategies share.
 *
 * The algorithms are in cpu/sssp/typed/, compiled once per pair of weight and distance type
 * (cpu/sssp/typed/pair.h). The functions here take any job; cpu/sssp/dispatch.c calls the one of
 * the job's pair. Within cpu/sssp/typed/ the same names denote the function of the file's own pair.
 */
#ifndef FRI_CPU_SSSP_TYPED_H
#define FRI_CPU_SSSP_TYPED_H

#include "base/bitmap.h"
#include "base/pace.h"
#include "cpu/sssp/sorted_adjacency.h"
#include "core/strategy.h"

#include <float.h>
#include <math.h>

/* The largest integer distance that the query's limit keeps; `inf`, the type's own, where the
 * limit excludes nothing that the type can hold. The limit is a real number: no distance is
 * rounded. */
static inline int64_t fri_sssp_last(const fri_job *job, int64_t inf) {
    double limit = job->query.max_distance;
    return limit > 0 && limit < (double)inf ? (int64_t)limit : inf;
}

/* Every SSSP strategy ends with this; see cpu/sssp/typed/finish.c. Requires the true distance of
 * every vertex within the query's targets and limit, and fri_sssp_finish_bytes of scratch that the
 * row no longer uses. */
fr_status fri_sssp_finish(fri_job *job, void *spare);
static inline size_t fri_sssp_finish_bytes(const fri_job *job) {
    return fri_bytes(job->csr.n, 2 * sizeof(int32_t));
}

/* The default delta: 2 mean weight / the expected degree at the end of an edge; the reason is in
 * cpu/sssp/delta_stepping.c. */
double fri_sssp_bucket_width(const fri_job *job);
/* The expected degree at the end of an edge: sum of squared degrees / edges, at least 1. */
double fri_sssp_edge_biased_degree(const fri_job *job);

/* The algorithms; the strategy of the same name documents each. */
fr_status fri_sssp_dijkstra_run(fri_job *job);
fr_status fri_sssp_bellman_ford_run(fri_job *job);
/* `rows` from fri_adjacency_fill, or NULL: the CSR's; scratch of fri_sssp_delta_bytes and fri_sssp_finish_bytes;
 * `pool`: the size of the chunk pool, a multiple of what a rebuild needs. */
fr_status fri_sssp_delta_run(fri_job *job, const void *rows, double delta, double pool,
                             char *scratch);
size_t fri_sssp_delta_bytes(const fri_job *job, double pool);
/* Rows sorted by weight; width of a window; delta of the bucket engine; `pull`: the knob; scratch
 * of fri_sssp_spira_window_bytes and fri_sssp_finish_bytes. */
fr_status fri_sssp_spira_window_run(fri_job *job, const void *rows, double width, double delta,
                                    double pull, char *scratch);
size_t fri_sssp_spira_window_bytes(const fri_job *job);

/* Dijkstra's algorithm until it has examined `edges` edges. *done: the answer is complete, as after
 * fri_sssp_finish, and reached and reached_edges are counted. Otherwise a strategy has to run. Requires
 * weights that are not negative, at most `edges` sources and scratch of fri_sssp_bounded_bytes; writes no
 * parents by FR_PARENT_MIN_ID and records no levels. */
fr_status fri_sssp_bounded_run(fri_job *job, int64_t edges, char *scratch, bool *done);
size_t fri_sssp_bounded_bytes(int64_t edges);

/* Delta-stepping for one row of many: `rows` from fri_adjacency_fill, scratch of
 * fri_sssp_buckets_bytes. */
fr_status fri_sssp_buckets(fri_job *job, const void *rows, double delta, char *scratch);
size_t fri_sssp_buckets_bytes(const fri_job *job);

/* Parents that do not depend on the schedule; see cpu/sssp/typed/min_parents.c. spare: 2 n
 * int32. FR_INVALID: the graph was written to during the query. */
fr_status fri_sssp_min_parents(fri_job *job, int32_t *spare);

#endif
