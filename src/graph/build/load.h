/* What comes before and after the reader of a text, for one process and for ranks. */
#ifndef FRI_GRAPH_LOAD_H
#define FRI_GRAPH_LOAD_H

#include "graph/graph.h"

/* Chooses the format by options, content and name, and refuses options that it does not have, and a
 * text whose lines end in a way that its reader would not see. */
fr_status fri_load_format(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                          const fri_format **format);

/* Refuses int64 weights made of doubles that may differ from what is written. name: of the file. */
fr_status fri_load_check_int64(fr_ctx *ctx, const char *name, const fr_load_options *options,
                               const fri_edge_list *edges);

/* ---- a binary copy of a loaded graph next to its input (cache.c) -------------------------------- */

/* The key for loading path with these options: of all bytes of the file, its name and every option
 * that affects the graph. FR_INVALID (recorded) for input that cannot be cached. */
fr_status fri_cache_key(fr_ctx *ctx, const char *path, const fr_load_options *options,
                        uint64_t *key);
/* Fills graph from the copy; false: there is none, or it is stale or damaged. Records no
 * message. */
bool fri_cache_find(fr_ctx *ctx, const char *path, uint64_t key, fr_graph *graph);
/* Writes the copy, unless the input changed since the key was computed. Returns FR_CANCELLED or
 * FR_OK; if a copy cannot be written there is none, and the context's message contains the
 * reason. */
fr_status fri_cache_keep(fr_ctx *ctx, const char *path, const fr_load_options *options,
                         uint64_t key, const fr_graph *graph);

#endif
