/* SSSP on ranks: what its files share. */
#ifndef FRI_RANKS_SSSP_H
#define FRI_RANKS_SSSP_H

#include "base/team.h"
#include "ranks/solver.h"

/* On cores; in typed/sssp.c. Sets s->cores. */
fr_status fri_part_sssp_make(fr_part_solver *s);
/* Sets s->windows, once s->push_edges and s->pull_edges are made. */
fr_status fri_part_sssp_make_windows(fr_part_solver *s);
fr_status fri_part_sssp_run(fr_part_solver *s, const fr_part_query *query);

/* A width as a distance: at least 1 for integers, positive for doubles. */
int64_t fri_part_sssp_width(const fr_part *p, double width);

#endif
