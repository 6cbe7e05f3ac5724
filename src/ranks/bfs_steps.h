/* One level of BFS on a rank: finds this rank's next vertices from the frontier of all ranks. */
#ifndef FRI_RANKS_BFS_STEPS_H
#define FRI_RANKS_BFS_STEPS_H

#include "fringe_ranks.h"
#include "base/team.h"
#include "cpu/bfs/cost_model.h"
#include "ranks/solver.h"

enum { FRI_PART_CHUNK_WORDS = 64, FRI_PART_BUFFER = 64 * FRI_PART_CHUNK_WORDS };

/* A query. All threads run the same step, with a barrier before and after. */
typedef struct fri_part_bfs_state {
    fr_part_solver *s;
    const fr_part *p;
    const fr_csr *rows; /* of the push */
    bool is_bitmap;     /* the frontier: s->front, else s->list[0 .. frontier-1] */
    bool found_bitmap;  /* the vertices found: in s->mine, else in s->found, as slots */
    int64_t frontier, frontier_edges, unseen_edges, unseen_here;
    double
        new_share; /* share of the edges examined here in the last level that led to a new vertex */
    int32_t depth;
    fri_bfs_method method;
    const fr_part_query *query;
    fr_status status;
    bool over;
    _Alignas(FRI_CACHE_LINE) int64_t cursor; /* 0 before a step */
    _Alignas(FRI_CACHE_LINE) int64_t merge_cursor;
} fri_part_bfs_state;

/* Runs one step by b->method. Sets level and parent of the vertices found, marks them in s->seen,
 * and counts them in the workers. */
void fri_part_bfs_step(fri_part_bfs_state *b, fri_member me);
/* Converts the frontier to a form that b->method reads. Member 0 calls it before a step. */
void fri_part_bfs_convert(fri_part_bfs_state *b);

/* The bits of words begin .. end of a bitmap as numbers, `base` added; returns how many there
 * are. */
int64_t fri_part_list_bits(const uint64_t *map, int64_t begin, int64_t end, int32_t base,
                           int32_t *list);

#endif
