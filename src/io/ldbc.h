/* LDBC Graphalytics: the reader, for the row of the table. */
#ifndef FRI_LDBC_H
#define FRI_LDBC_H

#include "io/format.h"

fr_status fri_ldbc_read(fr_ctx *ctx, const fri_text *text, const fr_load_options *options,
                        fri_edges *edges);

#endif
