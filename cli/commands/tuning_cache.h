/* The tuning cache that `fringe tune` keeps: where it is, and what it says of a graph. */
#ifndef CLI_TUNING_CACHE_H
#define CLI_TUNING_CACHE_H

#include "cli/session.h"
#include "fringe_tune.h"

/* --tuning-cache, or fringe/tuning.tsv in the user's cache folder; malloc'd, NULL where there is no
 * such folder. With `make` the folders of the latter are made. */
char *tuning_cache_path(const settings *s, bool make);
/* Lets auto take what the tuning cache has for this graph. A tuning cache that cannot be used is
 * said and left. `found` must live as long as `options` do. */
void use_tuning_cache(const session *x, fr_problem problem, fr_solver_options *options,
                      fr_tuning *found);

#endif
