/* The profile that `fringe tune` keeps: where it is, and what it says of a graph. */
#ifndef CLI_PROFILE_USE_H
#define CLI_PROFILE_USE_H

#include "session.h"

/* --profile, or fringe/profile.tsv in the user's cache folder; malloc'd, NULL where there is no
 * such folder. With `make` the folders of the latter are made. */
char *profile_path(const settings *s, bool make);
/* Lets auto take what the profile has for this graph. A profile that cannot be used is said and
 * left. `found` must live as long as `options` do. */
void profile_use(const session *x, fr_problem problem, fr_solver_options *options,
                 fr_tuning *found);

#endif
