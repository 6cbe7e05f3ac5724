/* What fr_load_options ask of weights. */
#ifndef FRI_WEIGHTS_H
#define FRI_WEIGHTS_H

#include "graph/graph.h"

/* FR_INVALID for options that no graph could satisfy. */
fr_status fri_load_options_check(fr_ctx *ctx, const fr_load_options *options);
/* The caller's options, of any size, or the defaults for NULL; checked. */
fr_status fri_load_options_read(fr_ctx *ctx, const fr_load_options *options, fr_load_options *own);

/* Before the build: drops the list's weights, or brings them to options->weight_type. FR_RANGE
 * when one does not fit, or is no finite number. */
fr_status fri_weights_convert(fr_ctx *ctx, fri_edge_list *edges, const fr_load_options *options);

/* Are weights made after the build? */
static inline bool fri_weights_made(const fr_load_options *o) {
    return o->weights == FR_WEIGHTS_RANDOM || o->weights == FR_WEIGHTS_POTENTIAL;
}

/* After the build: those weights, a function of the seed and the edge's two ends. */
fr_status fri_weights_random(fr_ctx *ctx, fr_graph *graph, const fr_load_options *options);

#endif
