/* Deterministic parents: of all allowed parents the one of least id, whatever strategy ran. */
#ifndef FRI_CORE_MIN_PARENTS_H
#define FRI_CORE_MIN_PARENTS_H

#include "core/strategy.h"

/* After a BFS: replaces the parents in job->out by the least ones. */
void fri_min_parents_bfs(fri_job *job);
/* The same for one row of levels; level 0: a source, below 0 or INT32_MAX: not reached. */
void fri_min_parents_row(const fri_job *job, const int32_t *level, int32_t *parent);

#endif
