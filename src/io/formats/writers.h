/* Writers of the formats whose readers are in separate files. */
#ifndef FRI_IO_FORMATS_WRITERS_H
#define FRI_IO_FORMATS_WRITERS_H

#include "io/format.h"

fr_status fri_mtx_write(fr_ctx *ctx, const fri_graph_view *view, FILE *out);
fr_status fri_snap_write(fr_ctx *ctx, const fri_graph_view *view, FILE *out);
fr_status fri_el_write(fr_ctx *ctx, const fri_graph_view *view, FILE *out);
fr_status fri_wel_write(fr_ctx *ctx, const fri_graph_view *view, FILE *out);

/* FR_UNSUPPORTED where the graph has weights, which `format` cannot hold and `other` can. */
fr_status fri_refuse_weights(fr_ctx *ctx, const fri_graph_view *view, const char *format,
                             const char *other);

#endif
