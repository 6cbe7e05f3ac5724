/* Queries with mark_negative_cycles: minus infinity where a negative cycle leads, finite
 * distances elsewhere. */
#ifndef CONFORMANCE_PAST_CYCLES_H
#define CONFORMANCE_PAST_CYCLES_H

#include "conformance/harness.h"

typedef struct cf_past {
    int32_t source;
    bool cycle;      /* it reaches one */
    cf_number *dist; /* [n] to free */
} cf_past;

/* The answer by n sweeps over all edges: once for all strategies. */
cf_past cf_past_new(const cf_graph *g, int32_t source);
void cf_past_check(fr_ctx *ctx, const cf_config *config, const cf_past *want);

/* One strategy from one source against plain Bellman-Ford over the edges of the graph, with and
 * without parents. Then the verifier on results with one seeded fault. */
void cf_past_cycles(fr_ctx *ctx, const cf_config *config, int32_t source);

#endif
