/* One breadth-first sweep over the undirected view of a graph. */
#ifndef FRI_SWEEP_H
#define FRI_SWEEP_H

#include "base/pace.h"
#include "graph/stats.h"

typedef struct fri_sweep {
    fr_ctx *ctx;
    const fri_undirected_view *view;
    int32_t *level;               /* [n] -1: not reached */
    int32_t *queue;               /* [n] ordered by level, in any order within a level */
    int32_t depth;                /* of the last sweep: the eccentricity of the start */
    int64_t last_begin, last_end; /* the range of the deepest level in the queue */
    fri_pace pace;
} fri_sweep;

fr_status fri_sweep_from(fri_sweep *sweep, int32_t start);

#endif
