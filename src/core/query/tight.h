/* Tight edges: those on which a distance or level is attained. */
#ifndef FRI_CORE_TIGHT_H
#define FRI_CORE_TIGHT_H

#include "core/strategy.h"

#include <math.h>

/* Levels count as int32 distances of unit weights. */
static inline const void *fri_values(const fri_job *job) {
    return job->in->problem == FR_PROBLEM_BFS ? job->out->level : job->out->dist;
}
static inline fr_type fri_value_type(const fri_job *job) {
    return job->in->problem == FR_PROBLEM_BFS ? FR_TYPE_I32 : job->in->dist_type;
}

/* Whether v has a finite value: a level of -1 is none, a negative distance is one. */
static inline bool fri_has_value(const fri_job *job, int32_t v) {
    const void *values = fri_values(job);
    bool marks = job->in->query.mark_negative_cycles;
    switch (fri_value_type(job)) {
    case FR_TYPE_I32: {
        int32_t d = ((const int32_t *)values)[v];
        return job->in->problem == FR_PROBLEM_BFS
                   ? d >= 0
                   : d != FR_INF_I32 && !(marks && d == FR_NEG_INF_I32);
    }
    case FR_TYPE_I64: {
        int64_t d = ((const int64_t *)values)[v];
        return d != FR_INF_I64 && !(marks && d == FR_NEG_INF_I64);
    }
    case FR_TYPE_F32: return isfinite(((const float *)values)[v]);
    default: return isfinite(((const double *)values)[v]);
    }
}

/* -1, 0 or 1: the value of u is less than, equal to or greater than the value of v. */
static inline int fri_compare_values(const fri_job *job, int32_t u, int32_t v) {
#define FRI_COMPARE(type)                                                                          \
    do {                                                                                           \
        const type *d = values;                                                                    \
        return d[u] < d[v] ? -1 : d[u] > d[v];                                                     \
    } while (0)
    const void *values = fri_values(job);
    switch (fri_value_type(job)) {
    case FR_TYPE_I32: FRI_COMPARE(int32_t);
    case FR_TYPE_I64: FRI_COMPARE(int64_t);
    case FR_TYPE_F32: FRI_COMPARE(float);
    default: FRI_COMPARE(double);
    }
#undef FRI_COMPARE
}

static inline bool fri_is_tight_sum(int64_t from, int64_t w, int64_t to) {
    int64_t sum;
    return !__builtin_add_overflow(from, w, &sum) && sum == to;
}

/* Whether the edge e from u to v is tight; u and v have values. Floats are summed in the type of
 * the distances, as in the strategies. */
static inline bool fri_is_tight(const fri_job *job, int32_t u, int64_t e, int32_t v) {
    const void *values = fri_values(job);
    const fr_csr *csr = &job->csr;
    switch (fri_value_type(job)) {
    case FR_TYPE_I32:
        return fri_is_tight_sum(((const int32_t *)values)[u], fri_csr_int_weight(csr, e),
                                ((const int32_t *)values)[v]);
    case FR_TYPE_I64:
        return fri_is_tight_sum(((const int64_t *)values)[u], fri_csr_int_weight(csr, e),
                                ((const int64_t *)values)[v]);
    case FR_TYPE_F32: {
        const float *d = values;
        float sum = d[u] + (float)fri_csr_weight(csr, e);
        return sum == d[v];
    }
    default: {
        const double *d = values;
        return d[u] + fri_csr_weight(csr, e) == d[v];
    }
    }
}

/* Whether paths begin at the source v: its value is 0. Among several sources one may reach another at a
 * negative distance. */
static inline bool fri_is_root(const fri_job *job, int32_t v) {
    const void *values = fri_values(job);
    switch (fri_value_type(job)) {
    case FR_TYPE_I32: return ((const int32_t *)values)[v] == 0;
    case FR_TYPE_I64: return ((const int64_t *)values)[v] == 0;
    case FR_TYPE_F32: return ((const float *)values)[v] == 0;
    default: return ((const double *)values)[v] == 0;
    }
}

#endif
