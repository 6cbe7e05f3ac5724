/* Queries with closed vertices or edges. */
#ifndef FRI_CORE_CLOSED_H
#define FRI_CORE_CLOSED_H

#include "core/solver.h"

static inline bool fri_closes(const fr_query *query) {
    return query->closed_vertices || query->closed_edges;
}

/* Makes s->on_filtered a solver like `s` on the graph without what the query closes, unless it is one
 * already. */
fr_status fri_closed_prepare(fr_solver *s, const fr_query *query);
void fri_closed_free(fr_solver *s);

#endif
