/* Sends every edge to the rank that owns its target. */
#ifndef FRI_RANKS_DISTRIBUTE_H
#define FRI_RANKS_DISTRIBUTE_H

#include "fringe_ranks.h"
#include "ranks/part/edge_source.h"
#include "ranks/part/part.h"

/* Collective. Fills `edges` with the edges into own vertices, as (slot of the source, own index of
 * the target), from the edge sources of all ranks. With options->weights RANDOM it also draws the
 * weights. part: world, share and own are set. Free `edges` also after a failure. */
fr_status fri_distribute_edges(fr_ctx *ctx, const fr_part *part, fri_edge_source *source,
                               const fr_load_options *options, fri_edge_list *edges);

#endif
