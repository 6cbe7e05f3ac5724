/* fringe's own binary graph format: what the reader, the cache and the graph object share. */
#ifndef FRI_IO_FORMATS_FRINGE_H
#define FRI_IO_FORMATS_FRINGE_H

#include "io/format.h"

/* The hash of a graph: of n, its edges and weights, and its ids; independent of the file it came
 * from. */
uint64_t fri_graph_view_hash(int threads, const fri_graph_view *view);

/* The key in a binary file that read_csr has accepted. */
uint64_t fri_binary_key(const fri_input *text);

/* Checks the complete content: checksums, ascending offsets, targets within n, sorted rows, finite
 * weights. name: for the message. */
fr_status fri_binary_check(fr_ctx *ctx, const char *name, const void *data, size_t bytes);

/* The same divided among `shares` ranks (ranks/part/part.c), of a file whose header read_csr has accepted: each
 * sums its share of the sections, all compare the totals with the header, and each checks its rows
 * (fri_csr_share). Names are not checked. */
enum { FRI_BINARY_SECTIONS = 6 };
void fri_binary_sum(int threads, const void *data, int share, int shares,
                    uint64_t sums[FRI_BINARY_SECTIONS]);
fr_status fri_binary_check_sums(fr_ctx *ctx, const char *name, const void *data,
                                const uint64_t sums[FRI_BINARY_SECTIONS]);
fr_status fri_binary_check_rows(fr_ctx *ctx, const char *name, const void *data, int share,
                                int shares);

#endif
