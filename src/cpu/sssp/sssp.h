/* What the SSSP strategies share.
 *
 * The algorithms are in cpu/sssp/typed/, compiled once per pair of weight and distance type
 * (cpu/typed.h); the functions here take any job.
 */
#ifndef FRI_CPU_SSSP_H
#define FRI_CPU_SSSP_H

#include "base/bitmap.h"
#include "base/pace.h"
#include "base/balance.h"
#include "core/strategy.h"

#include <math.h>

extern const fri_strategy fri_sssp_bellman_ford, fri_sssp_dijkstra, fri_sssp_delta_step,
    fri_sssp_spira_window;

/* ---- the end of a query ---------------------------------------------------------------------- */

/* The largest integer distance that the query's limit keeps; `inf`, the type's own, where the
 * limit excludes nothing that the type can hold. The limit is a real number: no distance is
 * rounded. */
static inline int64_t fri_sssp_last(const fri_job *job, int64_t inf) {
    double limit = job->in->query.max_distance;
    return limit > 0 && limit < (double)inf ? (int64_t)limit : inf;
}

/* Every SSSP strategy ends with this; see cpu/sssp/typed/finish.c. Requires the true distance of
 * every vertex within the query's targets and limit, and fri_sssp_finish_bytes of scratch that the
 * row no longer uses. */
fr_status fri_sssp_finish(fri_job *job, void *spare);
static inline size_t fri_sssp_finish_bytes(const fri_job *job) {
    return fri_bytes(job->csr.n, 2 * sizeof(int32_t));
}
/* FR_OVERFLOW if a sum that overflowed was dropped, so that a vertex is not reached although a neighbor
 * is. `dist` has all distances, none cut off by targets or limits; `maximum` is the largest. */
fr_status fri_sssp_check_sums(const fri_job *job, const void *dist, double maximum);
/* Records that the distance of v, `value` in words or "", does not fit. */
fr_status fri_sssp_overflow(const fri_job *job, int32_t v, const char *value);
/* Parents that do not depend on the schedule; see cpu/sssp/typed/min_parents.c. spare: 2 n
 * int32. FR_INVALID: the graph was written to during the query. */
fr_status fri_sssp_min_parents(fri_job *job, int32_t *spare);
/* Gives parents to the vertices whose entry is INT32_MAX, hop by hop over tight edges from those that have
 * one. dist: of the distance type, with `wide` of sum_t; hops, queue: n each. */
fr_status fri_sssp_hop_parents(const fri_job *job, const void *dist, bool wide, int32_t *hops,
                               int32_t *queue);

/* ---- searches ---------------------------------------------------------------------------------- */

/* Of delta-step and spira-window, at the begin of their scratch: at most what they keep between queries. auto's plain
 * search uses the rest. */
enum { FRI_SSSP_KEPT_BYTES = 512 };

/* The default delta: 2 mean weight / the expected degree at the end of an edge, the reason is in
 * cpu/sssp/typed/delta_stepping.c; on several threads in sparse graphs up to 2 threads times as much; at least
 * mean weight / 256, on several threads / 32. */
double fri_sssp_bucket_width(const fri_job *job, int threads);
/* The expected degree at the end of an edge: sum of squared degrees / edges, at least 1. */
double fri_sssp_edge_biased_degree(const fri_job *job);

/* Delta-stepping. `rows` from fri_adjacency_fill, or NULL: the CSR's; `pool`: the size of the chunk pool, a
 * multiple of what a rebuild needs; scratch of fri_sssp_delta_bytes. */
enum { FRI_SSSP_POOL = 2 }; /* the default */
fr_status fri_sssp_delta_run(fri_job *job, const void *rows, double delta, double pool,
                             fri_share *share, char *scratch);
size_t fri_sssp_delta_bytes(const fri_job *job, double pool);

/* Dijkstra's algorithm until it has examined `edges` edges or its heap has more than `held` entries. *done: the answer is complete, as after
 * fri_sssp_finish, and reached and reached_edges are counted. Otherwise a strategy has to run. Requires
 * weights that are not negative, at most `edges` sources and scratch of fri_sssp_bounded_bytes; writes no
 * parents by FR_PARENT_MIN_ID and records no levels. */
fr_status fri_sssp_bounded_run(fri_job *job, int64_t edges, int32_t held, char *scratch,
                               bool *done);
size_t fri_sssp_bounded_bytes(int64_t edges);

/* ---- rows of edges ------------------------------------------------------------------------------- */

/* The rows that the bucket strategies read are edge_t (cpu/typed.h): target and weight of an edge are
 * adjacent, rows may be sorted by weight, so that one stream is read and the light edges of a vertex
 * are a prefix. */

/* Edges to vertex 0 past the end, so that prefetching needs no check. */
enum { FRI_ADJACENCY_PAD = 16 };

static inline size_t fri_adjacency_edge_bytes(fr_type weights) {
    return fr_type_size(weights) == 8 ? 16 : 8;
}
static inline size_t fri_adjacency_bytes(const fri_job *job) {
    size_t size = fri_adjacency_edge_bytes(job->csr.weight_type);
    return fri_align_line(fri_bytes(job->csr.m + FRI_ADJACENCY_PAD, size));
}
/* The rows sorted by weight that all solvers of the graph share; makes them if there are none. They
 * stay until the solver is freed. Not for weights that are the solver's own. FR_NOMEM,
 * FR_CANCELLED. */
fr_status fri_adjacency_share(const fri_job *job, const void **rows);
/* The bytes that it would take. */
size_t fri_adjacency_share_bytes(const fri_job *job);
/* Fills `rows` of fri_adjacency_bytes from job->csr. by_weight: sorts each row, which otherwise
 * keeps its order. FR_CANCELLED: the user cancelled. */
fr_status fri_adjacency_fill(const fri_job *job, void *rows, bool by_weight);

/* Whether rows sorted by weight pay in the long run: most edges lie beyond the distance of their far end
 * where an edge ends at a vertex of `edge_degree`, the mean degree is m / n and the weights are spread.
 * docs/performance.md has measurements. */
static inline bool fri_sssp_is_small_world(double edge_degree, int64_t n, int64_t m, double min,
                                           double max) {
    enum { MANY_EDGE_DEGREE = 12, MANY_MEAN = 4, SPREAD = 8 };
    return edge_degree >= MANY_EDGE_DEGREE && m >= MANY_MEAN * n && max > 0 && max >= SPREAD * min;
}
/* The width of a window in which a vertex has two edges, which repays a scan of all vertices, if weights are
 * uniform from 0 on. */
static inline double fri_sssp_window_width(double mean_weight, int64_t n, int64_t m) {
    return 4 * mean_weight * (double)n / (double)FRI_MAX(m, 1);
}

/* The same for the job's weights, of which most may be far shorter than their mean: a sample of them tells. */
double fri_sssp_sampled_width(const fri_job *job);

/* ---- expected times of sorting, and what sorted rows save (auto.c) --------------------------- */

/* Sorting all rows of a graph with m edges. */
double fri_sssp_sort_ns(int64_t m, int threads);
/* Testing whether a graph that is not marked symmetric is, or transposing it; 0 for a symmetric one. */
double fri_sssp_in_edges_ns(const fr_csr *csr, int threads);
/* What spira-window saves on a query for which delta-step examines `edges` edges. */
double fri_sssp_sorted_saving_ns(int64_t edges, int threads);

#endif
