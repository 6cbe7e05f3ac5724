/* Queries with closed vertices or edges. */
#ifndef FRI_CORE_CLOSED_H
#define FRI_CORE_CLOSED_H

#include "core/solver.h"

/* What the last query closed, the graph without it and a solver on that. */
struct fri_closed {
    uint64_t *vertices, *edges;
    fr_graph *filtered;
    fr_solver *solver;
};

static inline bool fri_closes(const fr_query *query) {
    return query->closed_vertices || query->closed_edges;
}

#endif
