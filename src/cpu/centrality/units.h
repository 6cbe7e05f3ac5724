/* Runs many independent units of work, such as one traversal per source, so that sums over them do
 * not depend on the number of threads.
 *
 * Idea: unit i belongs to a fixed block, and each block adds to an accumulator of its own. One
 *   thread at a time runs a block, in ascending order of its units; the caller then adds the
 *   accumulators in the order of the blocks (fri_units_add). Floating-point sums are therefore the
 *   same bits for any number of threads. More threads than FRI_UNIT_BLOCKS are not used.
 */
#ifndef FRI_CENTRALITY_UNITS_H
#define FRI_CENTRALITY_UNITS_H

#include "base/pace.h"

enum { FRI_UNIT_BLOCKS = 32 };

/* thread: 0 .. fri_unit_threads() - 1, 0 the calling one; block: 0 .. fri_unit_blocks() - 1. pace: for units that
 * take long. */
typedef void (*fri_unit_fn)(void *arg, fri_pace *pace, int thread, int block, int64_t unit);

static inline int fri_unit_blocks(int64_t units) {
    return (int)FRI_MAX(1, FRI_MIN(units, FRI_UNIT_BLOCKS));
}
static inline int fri_unit_threads(const fr_ctx *ctx, int64_t units) {
    return FRI_MIN(ctx->threads, fri_unit_blocks(units));
}

/* `work`: vertices and edges of one unit, about. FR_CANCELLED. */
fr_status fri_units_run(fr_ctx *ctx, const char *phase, int64_t units, int64_t work,
                        fri_unit_fn run, void *arg);

/* Sets sum[v], for `count` values, to the sum of part[block * count + v] over the blocks in
 * order. */
void fri_units_add(const fr_ctx *ctx, const double *part, int blocks, int64_t count, double *sum);

#endif
