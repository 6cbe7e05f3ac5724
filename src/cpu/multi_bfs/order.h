/* A copy of a graph for many searches from all of its vertices; see order.c. */
#ifndef FRI_CPU_MULTI_BFS_ORDER_H
#define FRI_CPU_MULTI_BFS_ORDER_H

#include "graph/graph.h"

typedef struct {
    fr_csr out, in;        /* in is out where symmetric; neighbors have numbers near each other */
    const int32_t *vertex; /* [n] the graph's vertex that each vertex of the copy is */
    void *block;           /* for fri_free */
} fri_ordered;

/* Without weights, self-loops and parallel edges. Depends on the graph alone. O(n + m), one thread; 16 n + 4 m
 * bytes, where directed 24 n + 8 m. */
fr_status fri_ordered_new(fr_ctx *ctx, const fr_csr *csr, fri_ordered *out);

#endif
