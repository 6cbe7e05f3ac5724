/* A binary copy of a loaded graph beside its input. */
#ifndef FRI_CACHE_H
#define FRI_CACHE_H

#include "graph/graph.h"

/* The key of loading path with these options: of all bytes of the file, its name and every option
 * that shapes the graph. FR_INVALID (recorded) for what cannot be cached. */
fr_status fri_cache_key(fr_ctx *ctx, const char *path, const fr_load_options *options,
                        uint64_t *key);
/* Fills graph from the copy; false: there is none, it is stale or damaged. Nothing is recorded. */
bool fri_cache_find(fr_ctx *ctx, const char *path, uint64_t key, fr_graph *graph);
/* Writes the copy, unless the input changed since the key was made. FR_CANCELLED, or FR_OK: where a
 * copy cannot be written there is none, and the context's message says why. */
fr_status fri_cache_keep(fr_ctx *ctx, const char *path, const fr_load_options *options,
                         uint64_t key, const fr_graph *graph);

#endif
