/* What SSSP adds to cpu/typed.h for the files of this folder. */
#ifndef FRI_CPU_SSSP_TYPED_PAIR_H
#define FRI_CPU_SSSP_TYPED_PAIR_H

#include "cpu/sssp/sssp.h"
#include "cpu/typed.h"

/* Defines a function of an SSSP job, as FRI_TYPED_FUNCTION does. */
#define FRI_SSSP_FUNCTION(result, name, parameters, arguments)                                     \
    FRI_TYPED_FUNCTION(FRI_ALL_PAIRS, fri_pair(job->csr.weight_type, job->in->dist_type), result,  \
                       name, parameters, arguments)

/* sum_t holds any sum of n weights, and n times their negation. */
typedef int64_t fri_sum_I32;
typedef __int128 fri_sum_I64;
typedef dist_t fri_sum_F32, fri_sum_F64;
typedef FRI_JOIN(fri_sum_, FRI_WEIGHT) sum_t;
#if DIST_IS_INTEGER
#define SUM_INF ((sum_t)1 << (8 * sizeof(sum_t) - 2))
#else
#define SUM_INF DIST_INF
#endif
#define SUM_NEG_INF (-SUM_INF) /* n weights never sum to it */

/* limit_t: the type in which a distance is compared with the query's limit; NO_LIMIT: no limit. */
#if DIST_IS_INTEGER
typedef dist_t limit_t;
#define NO_LIMIT DIST_INF
#else
typedef double limit_t;
#define NO_LIMIT ((double)INFINITY)
#endif

/* The largest distance that the query's limit keeps; NO_LIMIT: all. */
static inline limit_t query_limit(const fri_job *job) {
#if DIST_IS_INTEGER
    return (limit_t)fri_sssp_last(job, DIST_INF);
#else
    double limit = job->in->query.max_distance;
    return limit > 0 && limit < DIST_MAX ? limit : NO_LIMIT;
#endif
}

/* The farthest distance that the query's targets keep; DIST_INF: all, also with negative weights, where
 * the path to a vertex within the bound may lead through one beyond it. */
static inline dist_t kept_bound(const fri_job *job) {
    const dist_t *dist = job->out->dist;
    dist_t bound = job->in->query.target_count && job->weight_min >= 0 ? 0 : DIST_INF;
    for (int64_t i = 0; bound != DIST_INF && i < job->in->query.target_count; i++)
        bound = FRI_MAX(bound, dist[job->in->query.targets[i]]);
    return bound;
}

/* Whether `maximum` plus any weight is within the range of the distance type. */
static inline bool sums_fit(const fri_job *job, double maximum) {
#if DIST_IS_INTEGER
    return maximum + job->weight_max < (double)DIST_INF * (1 - 0x1p-40);
#else
    return (dist_t)maximum + (dist_t)job->weight_max < DIST_INF;
#endif
}

#endif
