/* One traversal from a source on one thread: breadth first, or Dijkstra's algorithm with weights.
 * Distances are doubles, which are exact for levels and for integer weights whose sums stay below
 * 2^53; fri_pass_check ensures this. */
#ifndef FRI_CENTRALITY_PASS_H
#define FRI_CENTRALITY_PASS_H

#include "graph/derived.h"

/* Vertices by distance: a binary heap with the place of each vertex. */
typedef struct fri_pass_heap {
    int32_t *vertex, *place; /* [n] each */
    int32_t size;
} fri_pass_heap;

typedef struct fri_pass {
    double *dist;    /* [n]; infinity: not reached */
    int32_t *order;  /* [reached] by ascending distance */
    int32_t reached; /* of the last run */
    fri_pass_heap heap;
} fri_pass;

/* fr_graph_check; FR_NEGATIVE_WEIGHT; FR_OVERFLOW if n times the largest integer weight is 2^53 or more, or
 * n^2 times the largest real one is no double. *weights: 1 without weights. */
fr_status fri_pass_check(fr_ctx *ctx, const fr_graph *graph, const char *what,
                         fri_weight_stats *weights);

/* Arrays for `count` passes over a graph: one block, for fri_free. */
fr_status fri_passes_new(fr_ctx *ctx, const fr_csr *csr, int count, fri_pass **out);

/* Resets the entries of the last run first. */
void fri_pass_run(fri_pass *pass, const fr_csr *csr, int32_t source);

/* Pushes v, or moves it up after dist[v] fell; place[v] is -1 for a vertex outside the heap. */
void fri_pass_heap_raise(fri_pass_heap *heap, const double *dist, int32_t v);
int32_t fri_pass_heap_pop(fri_pass_heap *heap, const double *dist);

#endif
