/* Reads a text file on all ranks: each parses a range of its bytes. */
#ifndef FRI_RANKS_READ_TEXT_H
#define FRI_RANKS_READ_TEXT_H

#include "base/edge_list.h"
#include "ranks/world.h"

/* Returns whether the format allows it: whether a line's vertices are known without other lines.
 * Every rank gets the same answer. */
bool fri_text_is_shared(const char *path, const fr_load_options *options);

/* Collective. Free `edges` also after a failure. */
fr_status fri_text_read_share(fr_ctx *ctx, fr_world *world, const char *path,
                              const fr_load_options *options, fri_edge_list *edges);

#endif
