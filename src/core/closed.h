/* Queries with closed vertices or edges. */
#ifndef FRI_CORE_CLOSED_H
#define FRI_CORE_CLOSED_H

#include "core/solver.h"

static inline bool fri_closes(const fr_query *query) {
    return query->closed_vertices || query->closed_edges;
}

/* Sets s->on_filtered to a solver like `s` for the graph without the closed vertices and edges of
 * the query. Keeps the last one if its masks were the same. */
fr_status fri_closed_prepare(fr_solver *s, const fr_query *query);
void fri_closed_free(fr_solver *s);

#endif
