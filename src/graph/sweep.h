/* One breadth-first sweep over a graph seen undirected. */
#ifndef FRI_SWEEP_H
#define FRI_SWEEP_H

#include "base/pace.h"
#include "graph/stats.h"

typedef struct fri_sweep {
    fr_ctx *ctx;
    const fri_undirected_view *view;
    int32_t *level;               /* [n] -1: not reached */
    int32_t *queue;               /* [n] in order of their level; within one level in any order */
    int32_t depth;                /* of the last sweep: the start's eccentricity */
    int64_t last_begin, last_end; /* the deepest level's part of the queue */
    fri_pace pace;
} fri_sweep;

fr_status fri_sweep_from(fri_sweep *sweep, int32_t start);

#endif
