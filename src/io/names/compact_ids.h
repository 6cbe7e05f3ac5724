/* Numbers the ids that occur in an edge list 0, 1, ... in ascending order. */
#ifndef FRI_IO_COMPACT_IDS_H
#define FRI_IO_COMPACT_IDS_H

#include "io/text/edge_lines.h"

/* Replaces the ids in edges (as fri_edge_lines_read returned them, with base 0) by vertices; sets edges->n
 * and edges->ids. There is at least one edge. Scratch: 3/16 byte per number of the range, or 16 bytes per
 * edge if that is less. */
fr_status fri_ids_compact(fr_ctx *ctx, const fri_edge_lines_result *found, fri_edge_list *edges);

/* The first line that contains the id; for messages. */
const char *fri_ids_find(const fri_input *text, int64_t id);

#endif
