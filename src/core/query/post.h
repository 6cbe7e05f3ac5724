/* What the solver adds to the result of any strategy: further outputs and rules that follow from
 * levels or distances alone. All run on the host, on the calling thread unless they say otherwise. */
#ifndef FRI_CORE_POST_H
#define FRI_CORE_POST_H

#include "core/strategy.h"

/* Refuses what the problem does not have: FR_UNSUPPORTED. */
fr_status fri_post_check(fri_job *job, const fr_result *result);

/* int32 elements of scratch that the functions below need. */
static inline int64_t fri_post_entries(const fri_job *job) { return 2 * (int64_t)job->csr.n + 2; }

/* FR_PARENT_NEAREST: replaces the parents in job->out. Parallel, O(n + m). FR_INVALID: the graph was
 * written to during the query. */
fr_status fri_nearest_parents(fri_job *job, int32_t *scratch);

/* BFS: fills job->out->order. */
void fri_level_order(fri_job *job, int32_t *scratch);

/* Fills job->out->origin with indices in the caller's list of sources. */
void fri_origins(fri_job *job, const int32_t *sources, int64_t count, int32_t *scratch);

/* Strategies read a limit of 0 as no limit. So a limit of distance 0 becomes the smallest positive
 * number, with limit_distance only then, and a query with a limit of level 0 is answered here. */
void fri_zero_distance_limit(fr_query *query);
bool fri_is_zero_level(const fri_job *job);
fr_status fri_solve_zero_level(fri_job *job);
/* Makes vertices at the smallest positive number unreached, the only ones wrongly within that limit;
 * false: the query has no such limit. */
bool fri_cut_min_distance(fri_job *job);

/* Makes vertices beyond the limit unreached, with their parents and origins. Where a weight is negative, the
 * path to a vertex within the limit may lead beyond it, so origins are found first. */
void fri_cut_after_origins(fri_job *job, double limit);

/* Who fills result->parent by the query's rule: the strategy, or the solver from levels (BFS) or distances in
 * host memory. Most drivers of GPUs find the smallest parents themselves. */
typedef enum fri_parents_by {
    FRI_NO_PARENTS,
    FRI_PARENTS_BY_STRATEGY,
    FRI_PARENTS_BY_LEVEL,  /* the smallest ones */
    FRI_PARENTS_BY_NEAREST /* fri_nearest_parents; the strategy finds none */
} fri_parents_by;
fri_parents_by fri_parents_found(const fri_job *job, const fr_result *result);

/* Whether the host computes more than the strategy does, from levels or distances in host memory. */
bool fri_needs_host_values(const fri_job *job, const fr_result *result);

#endif
