/* int64 weights near the ends of int64, on every strategy that accepts them. */
#ifndef CONFORMANCE_WIDE_TRAPS_H
#define CONFORMANCE_WIDE_TRAPS_H

#include "conformance/harness.h"

/* SSSP or APSP; `only`: the one strategy to run, NULL: all of cf_backend. */
void cf_wide_traps(fr_ctx *ctx, fr_problem problem, const char *only);

#endif
