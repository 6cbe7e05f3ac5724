/* The pairs (weight type, distance type) that every SSSP algorithm is compiled for, and what the
 * SSSP rows share.
 *
 * Use: an algorithm is written once in NAME.inc.h with the macros W (weight), EDGE (of
 * sssp_rows.h), D (distance), INF (not reached), MINUS_INF (beyond a negative cycle, where the
 * query goes past_cycles), U (unsigned integer of D's size), INTEGER, SUM (holds any sum of n
 * weights and n times their negation; floats: D), SUM_INF, LIMIT (what a distance is compared with
 * a limit as, NO_LIMIT: none), floats: MOST (the greatest finite distance), and FN(name); its .c
 * file does #define PAIR_BODY "cpu/sssp_NAME.inc.h" #include "cpu/sssp_pairs.inc.h" static
 * fr_status (*const run_pair[])(fri_job *) = PAIR_TABLE(run); and calls
 * run_pair[fri_sssp_pair(job)](job).
 */
#ifndef FRI_SSSP_PAIRS_H
#define FRI_SSSP_PAIRS_H

#include "base/bitmap.h"
#include "cpu/sssp_rows.h"
#include "run/strategy.h"

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

#define PAIR_TABLE(name)                                                                           \
    {                                                                                              \
        name##_i32_i32, name##_i32_i64, name##_i64_i64, name##_f32_f32, name##_f32_f64,            \
            name##_f64_f64                                                                         \
    }

static inline fri_pair fri_sssp_pair(const fri_job *job) {
    if (job->csr.weight_type == FR_F64)
        return PAIR_F64_F64;
    if (job->csr.weight_type == FR_I64)
        return PAIR_I64_I64;
    if (job->csr.weight_type == FR_F32)
        return job->dist_type == FR_F64 ? PAIR_F32_F64 : PAIR_F32_F32;
    return job->dist_type == FR_I64 ? PAIR_I32_I64 : PAIR_I32_I32;
}

/* The greatest integer distance that the query's limit keeps; `inf`, the type's own, where the
 * limit cuts off nothing that the type can hold. The limit is a real number: no distance is
 * rounded. */
static inline int64_t fri_sssp_last(const fri_job *job, int64_t inf) {
    double limit = job->query.max_distance;
    return limit > 0 && limit < (double)inf ? (int64_t)limit : inf;
}

/* Every SSSP row ends with this; see sssp_finish.c. Needs the true distance of every vertex that
 * is not beyond the query's targets and limit, and fri_sssp_finish_bytes of scratch that the row
 * has no more use for. */
fr_status fri_sssp_finish(fri_job *job, void *spare);
size_t fri_sssp_finish_bytes(const fri_job *job);

/* A width of buckets from the degrees and weights; see sssp_delta.c. */
double fri_sssp_delta(const fri_job *job);
/* The degree met at the end of an edge: sum of squared degrees / edges, at least 1. */
double fri_sssp_along(const fri_job *job);

/* Delta-stepping for other rows: `rows` from fri_rows_fill, scratch of fri_sssp_buckets_bytes. */
fr_status fri_sssp_buckets(fri_job *job, const void *rows, double delta, char *scratch);
size_t fri_sssp_buckets_bytes(const fri_job *job);

/* Parents that do not depend on the schedule; see sssp_least.c. spare: 2 n int32. */
void fri_sssp_least_parents(fri_job *job, int32_t *spare);

#endif
