/* Queries that go past negative cycles: minus infinities and the finite distances beside them. */
#ifndef CONFORMANCE_PAST_CYCLES_H
#define CONFORMANCE_PAST_CYCLES_H

#include "conformance/harness.h"

/* One row from one source against plain Bellman-Ford over the graph's edges, with and without
 * parents; then the checker against answers that are wrong in one place. */
void cf_past_cycles(fr_ctx *ctx, const cf_config *config, int32_t source);

#endif
