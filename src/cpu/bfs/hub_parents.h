/* The in-neighbor that bottom-up tests first. */
#ifndef FRI_CPU_BFS_HUB_PARENTS_H
#define FRI_CPU_BFS_HUB_PARENTS_H

#include "cpu/bfs/state.h"

/* Fills classes[n] with the logarithms of in-degrees; 0: no in-edge. */
void fri_bfs_fill_classes(fr_ctx *ctx, fri_bfs_csr in, int32_t n, int threads, uint8_t *classes);
/* Fills hub_parents[n] with an in-neighbor of high in-degree per vertex, by the classes of all sources. */
void fri_bfs_fill_hub_parents(fr_ctx *ctx, fri_bfs_csr in, int32_t n, int threads,
                              const uint8_t *classes, int32_t *hub_parents);

#endif
