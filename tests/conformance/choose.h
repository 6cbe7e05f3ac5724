/* What the command line and the environment of a GPU suite choose (tests/gpu/run_gpu.py). */
#ifndef CONFORMANCE_CHOOSE_H
#define CONFORMANCE_CHOOSE_H

#include "conformance/harness.h"

/* "--strategies": prints the names of the rows of cf_backend, one a line; true when it was asked to. */
bool cf_list_strategies(fr_problem problem, int argc, char **argv);
/* "ROW SHAPE...": is this shape, or none at all, among those named? */
bool cf_shape_chosen(const char *shape, int argc, char **argv);
/* "ROW...": is this row among those named, or none is? */
bool cf_row_chosen(const char *row, int argc, char **argv);
/* Can the first row of cf_backend be opened? Says why not when no GPU can be used. */
bool cf_device_there(fr_ctx *ctx, fr_problem problem);
/* A context on a device, or anywhere if `on_host`; NULL: there is none, and why is said. */
fr_ctx *cf_device_context(fr_problem problem, bool on_host);
/* So many settings cf_knobs has for the row. */
int cf_knob_settings(const fr_strategy_info *row);
/* FRINGE_REDUCED=N: at most N knob settings a row and shape, one query each; 0: everything. */
int cf_reduced(void);

/* What cannot be gone on without failed: says so, with the context's words where there is one, and
 * ends the program. */
_Noreturn void cf_give_up(fr_ctx *ctx, const char *what);

#endif
