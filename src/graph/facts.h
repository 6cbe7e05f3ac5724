/* What facts are found with: a graph seen undirected, its components, its sweeps. */
#ifndef FRI_FACTS_H
#define FRI_FACTS_H

#include "graph/graph.h"

/* Both directions of every edge: rows of `out` and, unless it is symmetric, of `in`. */
typedef struct fri_view {
    const fr_csr *out;
    const fr_csr *in; /* NULL when out is symmetric */
} fri_view;

static inline int64_t fri_row(const fr_csr *csr, int32_t v) {
    return csr->offsets[v + 1] - csr->offsets[v];
}
static inline int64_t fri_view_degree(const fri_view *view, int32_t v) {
    return fri_row(view->out, v) + (view->in ? fri_row(view->in, v) : 0);
}

/* label[v], [n]: the least vertex of v's weakly connected component. Parallel. */
fr_status fri_components(fr_ctx *ctx, const fri_view *view, int32_t *label);

/* A lower bound of the diameter of the component that label names `root`, the same on any number
 * of threads. */
fr_status fri_diameter(fr_ctx *ctx, const fri_view *view, const int32_t *label, int32_t root,
                       int32_t *at_least);

#endif
