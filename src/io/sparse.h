/* The number of vertices that a file with few entries may have. */
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

#endif
