/* Building blocks of graph statistics: an undirected view of a graph, its components, its
 * sweeps. */
#ifndef FRI_GRAPH_STATS_H
#define FRI_GRAPH_STATS_H

#include "graph/graph.h"

/* Both directions of every edge: the rows of `out` and, unless it is symmetric, of `in`. */
typedef struct fri_undirected_view {
    const fr_csr *out;
    const fr_csr *in; /* NULL when out is symmetric */
} fri_undirected_view;

static inline int64_t fri_csr_degree(const fr_csr *csr, int32_t v) {
    return csr->offsets[v + 1] - csr->offsets[v];
}
static inline int64_t fri_undirected_degree(const fri_undirected_view *view, int32_t v) {
    return fri_csr_degree(view->out, v) + (view->in ? fri_csr_degree(view->in, v) : 0);
}

/* label[v], [n]: the minimum vertex of v's weakly connected component. Parallel. view->in may also be
 * NULL for a directed graph: all edges are then followed. */
fr_status fri_components(fr_ctx *ctx, const fri_undirected_view *view, int32_t *label);

/* label[v], [n]: the strongly connected component of v, a number from 1 to n. */
fr_status fri_strong_components(fr_ctx *ctx, const fr_csr *csr, int32_t *label);

/* A lower bound of the diameter of the component with label `root`, independent of the number of
 * threads. */
fr_status fri_double_sweep(fr_ctx *ctx, const fri_undirected_view *view, const int32_t *label,
                           int32_t root, int32_t *lower_bound);

#endif
