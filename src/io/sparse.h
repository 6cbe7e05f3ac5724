/* What the header of a file may declare: counts, and how many vertices with few entries. */
#ifndef FRI_SPARSE_H
#define FRI_SPARSE_H

#include "io/input.h"

/* False for more than 2^22 vertices plus 16 per entry, unless the caller set the context's memory
 * limit. Call it before allocating anything of n elements. */
bool fri_sparse_fits(const fr_ctx *ctx, int64_t n, int64_t entries);
/* FR_NOMEM, with the position `at`, unless the vertices fit and the memory limit allows the minimum
 * memory of a graph of n vertices. */
fr_status fri_sparse_check(fr_ctx *ctx, const fri_input *text, const char *at, int64_t n,
                           int64_t entries);

/* What stands in messages for the edges of a format. */
typedef struct fri_edge_words {
    const char *one, *many; /* "arc", "arcs" */
} fri_edge_words;
/* FR_RANGE, with the position `at`: more vertices or edges are declared than a graph can have. */
fr_status fri_check_counts(fr_ctx *ctx, const fri_input *text, const char *at, int64_t n, int64_t m,
                           fri_edge_words edges);
/* The same, and FR_FORMAT: the bytes from `body` on are too few for m lines of line_bytes; then as
 * fri_sparse_check. */
fr_status fri_check_size(fr_ctx *ctx, const fri_input *text, const char *at, int64_t n, int64_t m,
                         const char *body, int line_bytes, fri_edge_words edges);
/* FR_FORMAT: another number of edges follows than is declared. */
fr_status fri_check_declared(fr_ctx *ctx, const fri_input *text, const char *at, int64_t declared,
                             int64_t found, fri_edge_words edges);

#endif
