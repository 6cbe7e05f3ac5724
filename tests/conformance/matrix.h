/* One APSP query against what the oracle found for every source. */
#ifndef CONFORMANCE_MATRIX_H
#define CONFORMANCE_MATRIX_H

#include "conformance/harness.h"

/* want: [n][n] (at least the rows of `sources`). sources NULL: every vertex. `callback`: rows by
 * callback, else by array. Checks each row as it arrives, then all rows with the verifier of the
 * library. */
void cf_check_matrix(fr_ctx *ctx, const cf_config *c, fr_solver *solver, const char *name,
                     const cf_number *want, const int32_t *sources, int64_t count, bool callback,
                     bool parents);

#endif
