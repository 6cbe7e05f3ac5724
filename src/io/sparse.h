/* How many vertices a file of few entries may have. */
#ifndef FRI_SPARSE_H
#define FRI_SPARSE_H

#include "io/input.h"

/* False for more than 2^22 vertices and 16 per entry, unless the context has a memory limit that
 * its owner chose. To be asked before anything of n elements is allocated. */
bool fri_sparse_fits(const fr_ctx *ctx, int64_t n, int64_t entries);
/* FR_NOMEM, with the place `at`,, unless they fit and the memory limit allows what a graph of n
 * vertices needs at least. */
fr_status fri_sparse_check(fr_ctx *ctx, const fri_input *text, const char *at, int64_t n,
                           int64_t entries);

#endif
