/* Reads a text file on all ranks: each parses a range of its bytes. */
#ifndef FRI_RANKS_READ_TEXT_H
#define FRI_RANKS_READ_TEXT_H

#include "fringe_ranks.h"
#include "io/format.h"
#include "ranks/world/world.h"

/* Opens the file if its format lets ranks divide it, because a line's vertices are known without
 * other lines; else *format is NULL, also after a failure. */
fr_status fri_text_open(fr_ctx *ctx, const char *path, const fr_load_options *options,
                        fri_input *text, const fri_format **format);

/* Collective. Free `edges` also after a failure. */
fr_status fri_text_read_share(fr_ctx *ctx, fr_world *world, const fri_input *text,
                              const fri_format *format, const fr_load_options *options,
                              fri_edge_list *edges);

#endif
