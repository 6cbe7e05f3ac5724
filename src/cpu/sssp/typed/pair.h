/* The types of the pair (weight type, distance type) for which a file of this folder is compiled.
 *
 * The build compiles every .c file of this folder once per pair, with one FRI_PAIR_* defined
 * (cmake/typed.cmake). Within a file the code is plain C on weight_t, dist_t and edge_t. Only
 * exported functions differ in name between the pairs: the macros below append the pair's suffix
 * to them. A file includes this header first; cpu/sssp/dispatch.c selects the pair at run time.
 */
#ifndef FRI_CPU_SSSP_TYPED_PAIR_H
#define FRI_CPU_SSSP_TYPED_PAIR_H

#if defined FRI_PAIR_I32_I32
#define FRI_TYPED(name) name##_i32_i32
#elif defined FRI_PAIR_I32_I64
#define FRI_TYPED(name) name##_i32_i64
#elif defined FRI_PAIR_I64_I64
#define FRI_TYPED(name) name##_i64_i64
#elif defined FRI_PAIR_F32_F32
#define FRI_TYPED(name) name##_f32_f32
#elif defined FRI_PAIR_F32_F64
#define FRI_TYPED(name) name##_f32_f64
#elif defined FRI_PAIR_F64_F64
#define FRI_TYPED(name) name##_f64_f64
#else
#error "define one FRI_PAIR_*; see cmake/typed.cmake"
#endif

/* Before the headers that declare them. */
#define fri_adjacency_fill          FRI_TYPED(fri_adjacency_fill)
#define fri_delta_engine_bytes      FRI_TYPED(fri_delta_engine_bytes)
#define fri_delta_engine_clear      FRI_TYPED(fri_delta_engine_clear)
#define fri_delta_engine_create     FRI_TYPED(fri_delta_engine_create)
#define fri_delta_engine_finish     FRI_TYPED(fri_delta_engine_finish)
#define fri_delta_engine_run        FRI_TYPED(fri_delta_engine_run)
#define fri_delta_engine_set_width  FRI_TYPED(fri_delta_engine_set_width)
#define fri_sssp_bellman_ford_run   FRI_TYPED(fri_sssp_bellman_ford_run)
#define fri_sssp_bounded_run        FRI_TYPED(fri_sssp_bounded_run)
#define fri_sssp_delta_bytes        FRI_TYPED(fri_sssp_delta_bytes)
#define fri_sssp_delta_run          FRI_TYPED(fri_sssp_delta_run)
#define fri_sssp_dijkstra_run       FRI_TYPED(fri_sssp_dijkstra_run)
#define fri_sssp_check_sums         FRI_TYPED(fri_sssp_check_sums)
#define fri_sssp_finish             FRI_TYPED(fri_sssp_finish)
#define fri_sssp_fits               FRI_TYPED(fri_sssp_fits)
#define fri_sssp_hop_parents        FRI_TYPED(fri_sssp_hop_parents)
#define fri_sssp_kept_bound         FRI_TYPED(fri_sssp_kept_bound)
#define fri_sssp_min_parents        FRI_TYPED(fri_sssp_min_parents)
#define fri_sssp_overflow           FRI_TYPED(fri_sssp_overflow)
#define fri_sssp_spira_window_bytes FRI_TYPED(fri_sssp_spira_window_bytes)
#define fri_sssp_spira_window_run   FRI_TYPED(fri_sssp_spira_window_run)

#include "cpu/sssp/typed.h"

/* The weight: weight_t; edge_t, an edge of a sorted adjacency; sum_t, which holds any sum of n
 * weights and n times their negation (floats: the distance type). */
#if defined FRI_PAIR_I32_I32 || defined FRI_PAIR_I32_I64
typedef int32_t weight_t;
typedef fri_edge_i32 edge_t;
typedef int64_t sum_t;
#define SUM_INF INT64_MAX
#elif defined FRI_PAIR_I64_I64
typedef int64_t weight_t;
typedef fri_edge_i64 edge_t;
typedef __int128 sum_t;
#define SUM_INF ((sum_t)1 << 126)
#elif defined FRI_PAIR_F64_F64
typedef double weight_t;
typedef fri_edge_f64 edge_t;
typedef double sum_t;
#define SUM_INF DIST_INF
#elif defined FRI_PAIR_F32_F64
typedef float weight_t;
typedef fri_edge_f32 edge_t;
typedef double sum_t;
#define SUM_INF DIST_INF
#else
typedef float weight_t;
typedef fri_edge_f32 edge_t;
typedef float sum_t;
#define SUM_INF DIST_INF
#endif
#define SUM_NEG_INF (-SUM_INF) /* n weights never sum to it */

/* The distance: DIST_INF, not reached; DIST_NEG_INF, beyond a negative cycle where the query sets
 * mark_negative_cycles; unsigned_dist_t, the unsigned integer of its size. */
#if defined FRI_PAIR_I32_I32
typedef int32_t dist_t;
typedef uint32_t unsigned_dist_t;
#define DIST_INF     FR_INF_I32
#define DIST_NEG_INF FR_NEG_INF_I32
#elif defined FRI_PAIR_I32_I64 || defined FRI_PAIR_I64_I64
typedef int64_t dist_t;
typedef uint64_t unsigned_dist_t;
#define DIST_INF     FR_INF_I64
#define DIST_NEG_INF FR_NEG_INF_I64
#elif defined FRI_PAIR_F32_F32
typedef float dist_t;
#define DIST_INF     INFINITY
#define DIST_NEG_INF (-INFINITY)
#define DIST_MAX     ((double)FLT_MAX)
#else
typedef double dist_t;
#define DIST_INF     ((double)INFINITY)
#define DIST_NEG_INF (-(double)INFINITY)
#define DIST_MAX     DBL_MAX
#endif

/* limit_t: the type in which a distance is compared with the query's limit; NO_LIMIT: no limit. */
#if defined FRI_PAIR_I32_I32 || defined FRI_PAIR_I32_I64 || defined FRI_PAIR_I64_I64
#define DIST_IS_INTEGER 1
typedef dist_t limit_t;
#define NO_LIMIT DIST_INF
#else
#define DIST_IS_INTEGER 0
typedef double limit_t;
#define NO_LIMIT        ((double)INFINITY)
#endif

/* Integers compare as unsigned numbers: a sum that overflowed is greater than DIST_INF. */
static inline bool dist_less(dist_t a, dist_t b) {
#if DIST_IS_INTEGER
    return (unsigned_dist_t)a < (unsigned_dist_t)b;
#else
    return a < b;
#endif
}

static inline dist_t dist_sum(dist_t d, weight_t w) {
#if DIST_IS_INTEGER
    return (dist_t)((unsigned_dist_t)d + (unsigned_dist_t)w);
#else
    return d + (dist_t)w;
#endif
}

/* The largest distance that the query's limit keeps; NO_LIMIT: all. */
static inline limit_t query_limit(const fri_job *job) {
#if DIST_IS_INTEGER
    return (limit_t)fri_sssp_last(job, DIST_INF);
#else
    double limit = job->query.max_distance;
    return limit > 0 && limit < DIST_MAX ? limit : NO_LIMIT;
#endif
}

/* The farthest distance that the query's targets keep; DIST_INF: all, also with negative weights, where
 * the path to a vertex within the bound may lead through one beyond it. */
dist_t fri_sssp_kept_bound(const fri_job *job);
/* Whether `maximum` plus any weight is within the range of the distance type. */
bool fri_sssp_fits(const fri_job *job, dist_t maximum);
/* FR_OVERFLOW if a sum that overflowed was dropped, so that a vertex is not reached although a neighbor
 * is. `dist` has all distances, none cut off by targets or limits; `maximum` is the largest. */
fr_status fri_sssp_check_sums(const fri_job *job, const dist_t *dist, dist_t maximum);
/* Records that the distance of v does not fit. */
fr_status fri_sssp_overflow(const fri_job *job, int32_t v);
/* Gives parents to the vertices whose entry is INT32_MAX, hop by hop over tight edges from those that have
 * one; see cpu/sssp/typed/min_parents.c. dist: dist_t, with `wide` sum_t; hops, queue: n each. */
fr_status fri_sssp_hop_parents(const fri_job *job, const void *dist, bool wide, int32_t *hops,
                               int32_t *queue);

/* The weight of stored edge e; 1 in a graph without weights. */
static inline weight_t weight_at(const fr_csr *csr, int64_t e) {
    return csr->weights ? ((const weight_t *)csr->weights)[e] : (weight_t)1;
}

#endif
