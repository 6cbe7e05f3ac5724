/* Validation for readers that get complete CSR rows from a file. */
#ifndef FRI_IO_CSR_CHECK_H
#define FRI_IO_CSR_CHECK_H

#include "base/base.h"

typedef struct fri_rows {
    int32_t first, last; /* rows first .. last - 1 */
} fri_rows;

static inline fri_rows fri_csr_all_rows(const fr_csr *csr) { return (fri_rows){0, csr->n}; }
/* The rows of share `share` of `shares`, about equally many edges each: the shares follow each other
 * from row 0 to row n, also where offsets do not ascend; there last may be below first. */
fri_rows fri_csr_share(const fr_csr *csr, int share, int shares);

/* Whether offsets ascend within 0 .. m, from 0 at row 0 to m at row n, and targets are within n. No
 * index of these rows may be followed before this check. False if rows.last < rows.first, so that
 * shares that are all valid make a valid CSR. */
bool fri_csr_is_valid(int threads, const fr_csr *csr, fri_rows rows);
/* Whether each row ascends by target, then by weight; the rows are valid. */
bool fri_csr_is_sorted(int threads, const fr_csr *csr, fri_rows rows);
/* Sorts each row by target, then weight, in place. The caller must own the arrays. */
void fri_csr_sort_rows(int threads, const fr_csr *csr);
/* Whether every edge u -> v has a mirror v -> u of the same weight. Compares two 64-bit sums, which
 * agree by chance with probability 2^-64. */
bool fri_csr_is_mirrored(int threads, const fr_csr *csr);
/* In sorted rows, the first edge without a mirror; false: all edges have one. Single-threaded, for
 * messages. */
bool fri_csr_find_unmirrored(const fr_csr *csr, int32_t *from, int32_t *to);

#endif
