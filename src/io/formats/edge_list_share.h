/* Reads a part of a GAP edge list (.el, .wel), for ranks that read a file together. */
#ifndef FRI_IO_FORMATS_EDGE_LIST_SHARE_H
#define FRI_IO_FORMATS_EDGE_LIST_SHARE_H

#include "base/edge_list.h"
#include "io/input.h"

typedef struct fri_gap_share {
    int64_t count, n; /* edges read; vertices that they or the comments need */
} fri_gap_share;

/* The lines that begin in share `share` of `shares` of the bytes. edges->n stays 0, and weights are of
 * the type that these lines need. */
fr_status fri_gap_read_share(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                             bool weighted, int share, int shares, fri_edge_list *edges,
                             fri_gap_share *out);

#endif
