/* A copy of a graph for many searches from all of its vertices; see order.c. */
#ifndef FRI_CPU_MULTI_BFS_ORDER_H
#define FRI_CPU_MULTI_BFS_ORDER_H

#include "graph/graph.h"

typedef struct {
    fr_csr out, in;         /* in is out where symmetric */
    const int32_t *vertex;  /* [n] of the graph: that of each vertex of the copy */
    const int32_t *label;   /* [n] its inverse */
    const int32_t *sources; /* [n] the vertices of the copy, neighbors near each other */
    void *block;            /* for fri_free */
} fri_ordered;

/* Without weights, self-loops and parallel edges. Depends on the graph alone. O(n + m), one thread; 4 bytes an
 * edge, twice where directed, 12 to 32 n. */
fr_status fri_ordered_new(fr_ctx *ctx, const fr_csr *csr, fri_ordered *out);

#endif
