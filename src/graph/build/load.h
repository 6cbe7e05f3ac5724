/* What comes before and after the reader of a text, for one process and for ranks. */
#ifndef FRI_GRAPH_LOAD_H
#define FRI_GRAPH_LOAD_H

#include "io/format.h"

/* Chooses the format by options, content and name, and refuses options that it does not have, and a
 * text whose lines end in a way that its reader would not see. */
fr_status fri_load_format(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                          const fri_format **format);

/* Refuses int64 weights made of doubles that may differ from what is written. name: of the file. */
fr_status fri_load_check_int64(fr_ctx *ctx, const char *name, const fr_load_options *options,
                               const fri_edge_list *edges);

#endif
