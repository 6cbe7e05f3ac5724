/* The in-neighbor that bottom-up tests first. */
#ifndef FRI_CPU_BFS_HUB_PARENTS_H
#define FRI_CPU_BFS_HUB_PARENTS_H

#include "cpu/bfs/state.h"

/* Fills hub_parents[n] with an in-neighbor of high in-degree per vertex. classes: [n] of
 * temporary memory. */
void fri_bfs_fill_hub_parents(const fri_bfs *b, uint8_t *classes, int32_t *hub_parents);

#endif
