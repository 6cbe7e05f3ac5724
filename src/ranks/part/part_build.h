/* Builds the parts of a graph from the edges that the ranks hold. */
#ifndef FRI_RANKS_PART_BUILD_H
#define FRI_RANKS_PART_BUILD_H

#include "ranks/part/edge_source.h"
#include "ranks/part/part.h"

/* Collective. status: of the step that made `source` on this rank and began at begin_ns. source->n
 * must be the same on every rank. Takes ownership of ids. */
fr_status fri_part_build(fr_ctx *ctx, fr_world *world, fr_status status, fri_edge_source *source,
                         const fr_load_options *options, fri_ids *ids, int64_t begin_ns,
                         fr_part **out);

#endif
