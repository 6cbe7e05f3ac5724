/* Expected times of sorting the rows by weight, and what sorted rows save: pure functions. */
#ifndef FRI_CPU_SSSP_COST_MODEL_H
#define FRI_CPU_SSSP_COST_MODEL_H

#include "fringe.h"

/* Sorting all rows of a graph with m edges. */
double fri_sssp_sort_ns(int64_t m, int threads);
/* Testing whether a graph that is not marked symmetric is, or transposing it; 0 for a symmetric one. */
double fri_sssp_in_edges_ns(const fr_csr *csr, int threads);
/* What spira-window saves on a query for which delta-step examines `edges` edges. */
double fri_sssp_sorted_saving_ns(int64_t edges, int threads);

#endif
