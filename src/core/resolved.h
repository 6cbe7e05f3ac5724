/* The options that make a solver like `s` for another graph or device. */
#ifndef FRI_CORE_RESOLVED_H
#define FRI_CORE_RESOLVED_H

#include "core/solver.h"

enum { FRI_KNOBS_TEXT = FRI_MAX_KNOBS * 64 }; /* a name and a number each */

/* Strategy, backend and types are those that `s` has chosen; the result points to `knobs`. */
fr_solver_options fri_resolved_options(const fr_solver *s, char knobs[FRI_KNOBS_TEXT]);

#endif
