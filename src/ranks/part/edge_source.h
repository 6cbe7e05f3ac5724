/* The edges that a rank holds before they are distributed: from a generator, a file's rows, or
 * arrays. */
#ifndef FRI_RANKS_EDGE_SOURCE_H
#define FRI_RANKS_EDGE_SOURCE_H

#include "base/edge_list.h"

typedef struct fri_edge_source {
    int64_t n, count;    /* vertices of the whole graph, edges here */
    fr_type weight_type; /* FR_TYPE_NONE: no weights */
    bool undirected;     /* an edge counts in both directions, a loop once */
    const fri_edge_list *list;
    const fr_csr *rows;       /* or: rows, which are valid */
    const int64_t *from, *to; /* or: arrays of ends and weights */
    const void *weights;
    int64_t place, at; /* the next edge: its block or row, and its index */
} fri_edge_source;

fri_edge_source fri_source_of_list(const fri_edge_list *list);
/* The rows of fri_csr_share, which have been checked. */
fri_edge_source fri_source_of_rows(const fr_csr *csr, int share, int shares);
fri_edge_source fri_source_of_arrays(int64_t n, int64_t count, const int64_t *from,
                                     const int64_t *to, const void *weights, fr_type type);

/* Reads the next edge: its ends, and the weight's address or NULL. Returns whether both ends are
 * vertices; those of an array need not be. */
bool fri_source_next(fri_edge_source *s, int64_t *u, int64_t *v, const void **weight);

#endif
