/* What the command line and the environment of a GPU suite choose (tests/gpu/run_gpu.py). */
#ifndef CONFORMANCE_CHOOSE_H
#define CONFORMANCE_CHOOSE_H

#include "fringe_tune.h"
#include "conformance/harness.h"

/* "--strategies": prints the strategies of cf_backend, one name per line, and returns true. */
bool cf_list_strategies(fr_problem problem, int argc, char **argv);
/* "STRATEGY SHAPE...": is this shape named, or no shape at all? Instead of names "2/5" is the second of five shares, of
 * which each shape is in one, and "-2/5" the other four. */
bool cf_shape_chosen(const char *shape, int argc, char **argv);
/* The same of a program whose arguments begin with the shapes: "SHAPE...". */
bool cf_part_chosen(const char *part, int argc, char **argv);
/* "STRATEGY...": is this strategy named, or none at all? */
bool cf_strategy_chosen(const char *strategy, int argc, char **argv);
/* Can the first strategy of cf_backend be opened? If not, prints "skip: reason". */
bool cf_device_there(fr_ctx *ctx, fr_problem problem);
/* A context on a device, or on any machine if `on_host`. NULL: no device; the reason is printed.
 */
fr_ctx *cf_device_context(fr_problem problem, bool on_host);
/* The number of settings that cf_knobs has for the strategy. */
int cf_knob_settings(const fr_strategy_info *strategy);
/* FRINGE_REDUCED=N: at most N knob settings per strategy and shape, one query each. 0:
 * everything. */
int cf_reduced(void);

/* Prints what failed, with the message of the context where there is one, and ends the program.
 */
_Noreturn void cf_give_up(fr_ctx *ctx, const char *what);

#endif
