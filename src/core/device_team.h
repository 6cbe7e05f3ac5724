/* Several GPUs of one host: a solver of the same graph and strategy on each, among which the rows of a
 * query are divided. Every GPU has a copy of the graph; nothing travels between them. */
#ifndef FRI_CORE_DEVICE_TEAM_H
#define FRI_CORE_DEVICE_TEAM_H

#include "core/solver.h"

typedef struct fri_device_team fri_device_team;

/* Sets s->team if the context names further GPUs and the strategy of `s`, which is ready, solves rows
 * separately on its GPU; NULL otherwise. options: those of `s`. */
fr_status fri_device_team_new(fr_solver *s, const fr_graph *graph,
                              const fr_solver_options *options);
void fri_device_team_free(fri_device_team *team);

/* Whether the query has rows in host memory to divide. */
bool fri_device_team_divides(const fr_solver *s, const fr_query *query);
/* fr_solve on all GPUs; query and result are of this library's size. */
fr_status fri_device_team_solve(fr_solver *s, const fr_query *query, fr_result *result);

#endif
