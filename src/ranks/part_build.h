/* Edges that ranks hold -> parts. */
#ifndef FRI_RANKS_PART_BUILD_H
#define FRI_RANKS_PART_BUILD_H

#include "ranks/edge_source.h"
#include "ranks/part.h"

/* Collective; status: of the step that made `source` on this rank, begun at begin_ns. source->n is
 * the same on every rank. ids is taken over. */
fr_status fri_part_build(fr_ctx *ctx, fr_world *world, fr_status status, fri_edge_source *source,
                         const fr_load_options *options, fri_ids *ids, int64_t begin_ns,
                         fr_part **out);

#endif
