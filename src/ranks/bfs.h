/* What BFS on ranks decides alike on cores and on GPUs. */
#ifndef FRI_RANKS_BFS_H
#define FRI_RANKS_BFS_H

#include "cpu/bfs/cost_model.h"
#include "ranks/solver.h"

/* After a level; of all ranks but for `here`. */
typedef struct fri_part_bfs_counts {
    int64_t frontier, frontier_edges; /* its in-edges */
    int64_t unseen_edges, unseen_here;
    double
        new_share; /* share of the edges examined here in the last level that led to a new vertex */
} fri_part_bfs_counts;

fri_part_bfs_counts fri_part_bfs_counts_of(const fr_part_solver *s); /* before the sources */
/* Takes a level, whose reports the ranks have exchanged. */
void fri_part_bfs_count(fri_part_bfs_counts *c, const fr_part_solver *s,
                        const fri_level_report *sum);
/* For the cost model, with one thread and the frontier as a bitmap. */
fri_bfs_policy_input fri_part_bfs_input(const fr_part *p, const fri_part_bfs_counts *c);

/* Sets no_in_edges, in_edge_vertices and hub_parent. Collective. mine: [share], degrees: [slots] of temporary
 * memory. */
fr_status fri_part_bfs_find_hub_parents(fr_part_solver *s, int32_t *mine, int32_t *degrees);

#endif
