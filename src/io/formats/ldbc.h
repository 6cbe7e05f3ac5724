/* LDBC Graphalytics: the reader, for its entry in the format table. */
#ifndef FRI_IO_FORMATS_LDBC_H
#define FRI_IO_FORMATS_LDBC_H

#include "io/format.h"

fr_status fri_ldbc_read(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                        fri_edge_list *edges);

#endif
