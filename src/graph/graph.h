/* The graph object and what builds it. */
#ifndef FRI_GRAPH_H
#define FRI_GRAPH_H

#include "base/edges.h"

struct fr_graph {
    fr_csr csr;
    fri_ids ids;
    char *name;
    /* who owns the arrays of csr: fri_free'd when set; else borrowed or part of a mapping */
    int64_t *own_offsets;
    int32_t *own_targets;
    void *own_weights;
    void *mapping; /* of a binary file; NULL: none */
    size_t mapping_bytes;
};

/* An empty graph object with a copy of `name`; NULL (recorded) without memory. */
fr_graph *fri_graph_new(fr_ctx *ctx, const char *name);

/* Consumes `edges` (also on failure) and fills graph->csr, sorted, as options ask for. */
fr_status fri_graph_build(fr_ctx *ctx, fri_edges *edges, const fr_load_options *options,
                          fr_graph *graph);

/* The in-edges of a CSR as a CSR of its own: row v holds the sources of v's in-edges, ascending.
 * Free offsets, targets and weights with fri_csr_free. */
fr_status fri_csr_transpose(fr_ctx *ctx, const fr_csr *csr, fr_csr *out);
void fri_csr_free(fr_csr *csr);

/* Parallel: is every edge there in both directions with the same weight? */
bool fri_csr_is_symmetric(fr_ctx *ctx, const fr_csr *csr);

#endif
