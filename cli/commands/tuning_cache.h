/* The tuning cache of `fringe tune`: its path and its entry for a graph. */
#ifndef CLI_TUNING_CACHE_H
#define CLI_TUNING_CACHE_H

#include "cli/session.h"
#include "fringe_tune.h"

/* --tuning-cache, or fringe/tuning.tsv in the user's cache folder; malloc'd, NULL if there is no
 * such folder. With `make` the folders of the latter are created. */
char *tuning_cache_path(const settings *s, bool make);
/* Sets the options to the tuning cache's entry for this graph. Reports a tuning cache that cannot
 * be used and ignores it. `found` must live as long as `options`. */
void use_tuning_cache(const session *x, fr_problem problem, fr_solver_options *options,
                      fr_tuning *found);

#endif
