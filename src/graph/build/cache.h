/* A binary copy of a loaded graph next to its input. */
#ifndef FRI_CACHE_H
#define FRI_CACHE_H

#include "graph/graph.h"

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
