/* One level of BFS on a rank: from the frontier of all ranks to the vertices found by this one. */
#ifndef FRI_RANKS_BFS_STEPS_H
#define FRI_RANKS_BFS_STEPS_H

#include "cpu/bfs/cost_model.h"
#include "ranks/solver.h"

enum { FRI_PART_CHUNK_WORDS = 64, FRI_PART_BUFFER = 64 * FRI_PART_CHUNK_WORDS };

/* Of a level: what this rank has found. */
typedef struct fri_part_found {
    int64_t count, edges; /* vertices, and their in-edges */
    int64_t examined;     /* edges */
    bool is_bitmap;       /* s->mine has them; else s->found, as slots */
} fri_part_found;

/* The frontier is s->front where is_bitmap says so, else s->list[0 .. count-1]; both, where a step has
 * converted it. Sets level and parent of what it finds, and marks it in s->seen. */
fri_part_found fri_part_bfs_step(fr_part_solver *s, fri_bfs_method method, bool is_bitmap,
                                 int64_t count, int32_t depth);

/* The bits of words begin .. end of a bitmap as numbers, `base` added; returns how many there are. */
int64_t fri_part_list_bits(const uint64_t *map, int64_t begin, int64_t end, int32_t base,
                           int32_t *list);

static inline int64_t fri_part_in_degree(const fr_part *p, int32_t i) {
    return p->pull_offsets[i + 1] - p->pull_offsets[i];
}

#endif
