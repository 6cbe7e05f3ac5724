/* Minimum, maximum and mean weight of a graph: one pass at the speed of memory. */
#ifndef FRI_CORE_WEIGHT_STATS_H
#define FRI_CORE_WEIGHT_STATS_H

#include "core/strategy.h"
#include "graph/derived.h"

/* Statistics of the weights of job->csr, which must have weights; computed by the graph's first solver
 * only. */
fri_weight_stats fri_weight_stats_of(const fri_job *job);

#endif
