/* Validation for readers that get complete CSR rows from a file. */
#ifndef FRI_IO_CSR_CHECK_H
#define FRI_IO_CSR_CHECK_H

#include "base/base.h"

/* Whether offsets ascend from 0 to m and targets are within n. No index may be followed before this
 * check. */
bool fri_csr_is_valid(int threads, const fr_csr *csr);
/* Whether each row ascends by target, then by weight. */
bool fri_csr_is_sorted(int threads, const fr_csr *csr);
/* Sorts each row by target, then weight, in place. The caller must own the arrays. */
void fri_csr_sort_rows(int threads, const fr_csr *csr);
/* Whether every edge u -> v has a mirror v -> u of the same weight. Compares two 64-bit sums, which
 * agree by chance with probability 2^-64. */
bool fri_csr_is_mirrored(int threads, const fr_csr *csr);
/* In sorted rows, the first edge without a mirror; false: all edges have one. Single-threaded, for
 * messages. */
bool fri_csr_find_unmirrored(const fr_csr *csr, int32_t *from, int32_t *to);

#endif
