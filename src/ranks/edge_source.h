/* The edges that a rank has before they are dealt: of a generator, of rows of a file, of arrays. */
#ifndef FRI_RANKS_EDGE_SOURCE_H
#define FRI_RANKS_EDGE_SOURCE_H

#include "base/edge_list.h"

typedef struct fri_edge_source {
    int64_t n, count;    /* vertices of the whole graph, edges here */
    fr_type weight_type; /* FR_TYPE_NONE: no weights */
    bool undirected;     /* an edge counts in both directions, a loop once */
    const fri_edge_list *list;
    const fr_csr *rows; /* ... of vertices first_row .. last_row - 1 */
    int32_t first_row, last_row;
    const int64_t *from, *to;
    const void *weights;
    /* where the next edge is taken from: a block or row, and an edge of it */
    int64_t place, at;
} fri_edge_source;

fri_edge_source fri_source_of_list(const fri_edge_list *list);
/* The rows that are share `share` of `shares` of the edges. */
fri_edge_source fri_source_of_rows(const fr_csr *rows, int share, int shares);
fri_edge_source fri_source_of_arrays(int64_t n, int64_t count, const int64_t *from,
                                     const int64_t *to, const void *weights, fr_type type);

/* Takes the next edge: ends, and the weight's address or NULL. The sentence of a failure is what a
 * damaged file has wrong, NULL after success. */
const char *fri_source_next(fri_edge_source *s, int64_t *u, int64_t *v, const void **weight);

#endif
