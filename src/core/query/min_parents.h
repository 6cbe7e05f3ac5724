/* Deterministic parents: the valid parent of smallest id, whatever strategy ran. */
#ifndef FRI_CORE_MIN_PARENTS_H
#define FRI_CORE_MIN_PARENTS_H

#include "core/strategy.h"

/* After a BFS: replaces the parents in job->out by the minimum ones. */
void fri_min_parents_bfs(fri_job *job);
/* The same for one array of levels; level 0 is a source, a negative level or INT32_MAX means not
 * reached. */
void fri_min_parents_row(const fri_job *job, const int32_t *level, int32_t *parent);
/* FR_UNSUPPORTED if a query for all pairs wants the smallest parents and distances are floats. Called by
 * strategies that sum weights in another order than the path's. */
fr_status fri_refuse_min_parents_of_floats(fri_job *job);

#endif
