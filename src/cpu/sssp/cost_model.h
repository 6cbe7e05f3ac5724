/* Expected times of sorting the rows by weight, and what sorted rows save: pure functions. */
#ifndef FRI_CPU_SSSP_COST_MODEL_H
#define FRI_CPU_SSSP_COST_MODEL_H

#include <stdint.h>

/* Sorting all rows of a graph with m edges. */
double fri_sssp_sort_ns(int64_t m, int threads);
/* What spira-window saves on a query for which delta-step examines `edges` edges. */
double fri_sssp_sorted_saving_ns(int64_t edges, int threads);

#endif
