/* Least, greatest and mean weight of a graph: one pass at the speed of memory. */
#ifndef FRI_CORE_WEIGHT_STATS_H
#define FRI_CORE_WEIGHT_STATS_H

#include "core/strategy.h"
#include "graph/derived.h"

/* Of the weights of job->csr, which has some: what an earlier solver of the graph has computed, or
 * computes it. */
fri_weight_stats fri_weight_stats_of(const fri_job *job);

#endif
