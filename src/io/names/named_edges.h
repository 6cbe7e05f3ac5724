/* Reads edge lists whose ids are strings. */
#ifndef FRI_IO_NAMED_EDGES_H
#define FRI_IO_NAMED_EDGES_H

#include "base/edge_list.h"
#include "io/input.h"

/* Whether the ids are strings: FR_IDS_STRINGS, or FR_IDS_AUTO and a source or target in the second
 * line (in the first, if it is the only one) is no integer. The reason for a choice of FR_IDS_AUTO is
 * noted in `edges`. FR_FORMAT: a chosen column does not exist. */
fr_status fri_ids_are_strings(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                              fri_edge_list *edges, bool *strings);

/* Reads a table whose ids are strings: vertices are numbered in order of first appearance, and
 * edges->ids.names has their names. On failure the caller still frees edges. */
fr_status fri_named_edges_read(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                               fri_edge_list *edges);

#endif
