/* Queries with mark_negative_cycles: minus infinity where a negative cycle leads, finite
 * distances elsewhere. */
#ifndef CONFORMANCE_PAST_CYCLES_H
#define CONFORMANCE_PAST_CYCLES_H

#include "conformance/harness.h"

/* One strategy from one source against plain Bellman-Ford over the edges of the graph, with and
 * without parents. Then the verifier on results with one seeded fault. */
void cf_past_cycles(fr_ctx *ctx, const cf_config *config, int32_t source);

#endif
