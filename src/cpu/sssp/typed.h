/* The pairs (weight type, distance type) that every SSSP algorithm is compiled for, and what the
 * SSSP strategies share.
 *
 * Use: an algorithm is written once in NAME.inc.h with the macros W (weight), EDGE (of
 * cpu/sssp/sorted_adjacency.h), D (distance), INF (not reached), NEG_INF (beyond a negative cycle,
 * where the query goes mark_negative_cycles), U (unsigned integer of D's size), INTEGER, SUM (holds
 * any sum of n weights and n times their negation; floats: D), SUM_INF, LIMIT (what a distance is
 * compared with a limit as, NO_LIMIT: none), floats: MOST (the greatest finite distance), and
 * FN(name); its .c file does #define TYPED_BODY "cpu/sssp_NAME.inc.h" #include
 * "cpu/sssp/typed.inc.h" static fr_status (*const run_typed[])(fri_job *) = TYPED_TABLE(run); and
 * calls run_typed[fri_sssp_type(job)](job).
 */
#ifndef FRI_CPU_SSSP_TYPED_H
#define FRI_CPU_SSSP_TYPED_H

#include "base/bitmap.h"
#include "base/pace.h"
#include "cpu/sssp/sorted_adjacency.h"
#include "core/strategy.h"

#include <float.h>
#include <math.h>

typedef enum {
    PAIR_I32_I32,
    PAIR_I32_I64,
    PAIR_I64_I64,
    PAIR_F32_F32,
    PAIR_F32_F64,
    PAIR_F64_F64
} fri_pair;

#define TYPED_TABLE(name)                                                                          \
    {                                                                                              \
        name##_i32_i32, name##_i32_i64, name##_i64_i64, name##_f32_f32, name##_f32_f64,            \
            name##_f64_f64                                                                         \
    }

static inline fri_pair fri_sssp_type(const fri_job *job) {
    if (job->csr.weight_type == FR_TYPE_F64)
        return PAIR_F64_F64;
    if (job->csr.weight_type == FR_TYPE_I64)
        return PAIR_I64_I64;
    if (job->csr.weight_type == FR_TYPE_F32)
        return job->dist_type == FR_TYPE_F64 ? PAIR_F32_F64 : PAIR_F32_F32;
    return job->dist_type == FR_TYPE_I64 ? PAIR_I32_I64 : PAIR_I32_I32;
}

/* The greatest integer distance that the query's limit keeps; `inf`, the type's own, where the
 * limit cuts off nothing that the type can hold. The limit is a real number: no distance is
 * rounded. */
static inline int64_t fri_sssp_last(const fri_job *job, int64_t inf) {
    double limit = job->query.max_distance;
    return limit > 0 && limit < (double)inf ? (int64_t)limit : inf;
}

/* Every SSSP strategy ends with this; see cpu/sssp/finish.c. Needs the true distance of every
 * vertex that is not beyond the query's targets and limit, and fri_sssp_finish_bytes of scratch
 * that the row has no more use for. */
fr_status fri_sssp_finish(fri_job *job, void *spare);
size_t fri_sssp_finish_bytes(const fri_job *job);

/* A width of buckets from the degrees and weights; see cpu/sssp/delta_stepping.c. */
double fri_sssp_bucket_width(const fri_job *job);
/* The degree met at the end of an edge: sum of squared degrees / edges, at least 1. */
double fri_sssp_edge_biased_degree(const fri_job *job);

/* Delta-stepping for other rows: `rows` from fri_adjacency_fill, scratch of
   fri_sssp_buckets_bytes. */
fr_status fri_sssp_buckets(fri_job *job, const void *rows, double delta, char *scratch);
size_t fri_sssp_buckets_bytes(const fri_job *job);

/* Parents that do not depend on the schedule; see cpu/sssp/min_parents.c. spare: 2 n int32. */
void fri_sssp_min_parents(fri_job *job, int32_t *spare);

#endif
