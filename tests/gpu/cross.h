/* What the programs that cross strategies with graphs, weights, queries and knobs share. */
#ifndef FRI_TESTS_GPU_CROSS_H
#define FRI_TESTS_GPU_CROSS_H

#include "gpu/harness.h"

enum { MIXES = 5, MIXED = -1 }; /* cases with all knobs mixed at random, per strategy and shape */

/* The knobs of that setting, or MIXED by the seed. */
void cross_knobs(cf_config *c, int setting, uint64_t seed);
/* Makes a solver and lets `check` use it; no device memory may be left behind. */
typedef void (*cross_check)(fr_ctx *ctx, const cf_config *c, fr_solver *solver, const void *arg);
void cross_case(fr_ctx *ctx, const cf_config *c, cross_check check, const void *arg);
/* A cross_check whose arg is a cf_task. */
void cross_task(fr_ctx *ctx, const cf_config *c, fr_solver *solver, const void *task);
/* Under a tool that slows kernels down (FRINGE_REDUCED=N): every how many settings one runs. */
int cross_reduced_step(int settings);

/* SSSP and APSP: negative cycles, cycles of weight 0 and sums that leave int32, then int64 weights near the ends of
 * int64, and floats whose cycles weigh 0 but for rounding. `only`: NULL: every strategy. */
void cross_traps(fr_ctx *ctx, fr_problem problem, const char *only);

#endif
