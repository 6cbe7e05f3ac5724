/* What readers that are given whole rows need: are they those of a graph? */
#ifndef FRI_IO_CSR_CHECK_H
#define FRI_IO_CSR_CHECK_H

#include "base/base.h"

/* Offsets ascending from 0 to m, targets within n. Nothing may follow an index before this. */
bool fri_csr_is_sound(int threads, const fr_csr *csr);
/* Targets ascending within each row. */
bool fri_csr_is_sorted(int threads, const fr_csr *csr);
/* Sorts each row by target, then weight, in place. The arrays are the caller's own. */
void fri_csr_sort_rows(int threads, const fr_csr *csr);
/* Does every edge u -> v have its mirror v -> u of the same weight? Judged by two 64-bit sums that
 * agree by chance once in 2^64. */
bool fri_csr_is_mirrored(int threads, const fr_csr *csr);
/* In sorted rows, the first edge without its mirror; false: all have one. One thread, for messages.
 */
bool fri_csr_find_unmirrored(const fr_csr *csr, int32_t *from, int32_t *to);

#endif
