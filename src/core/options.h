/* What the fields of fr_solver_options mean for a job. */
#ifndef FRI_CORE_OPTIONS_H
#define FRI_CORE_OPTIONS_H

#include "core/strategy.h"
#include "fringe_tune.h"

/* The caller's options and their tuning, of any size, or the defaults for NULL. own->tuning is then
 * NULL or `tuning`. */
fr_status fri_options_read(fr_ctx *ctx, const fr_solver_options *options, fr_solver_options *own,
                           fr_tuning *tuning);
fr_status fri_options_dist_type(fri_job *job, const fr_solver_options *options);
fr_status fri_options_strategy(fri_job *job, const fr_solver_options *options,
                               const fri_strategy **strategy);
/* "alpha=15,beta=18" over the row's defaults. */
fr_status fri_options_knobs(fri_job *job, const fri_strategy *strategy, const char *text);
/* Mean and maximum of the weights; refuses negative ones where the row needs none. */
fr_status fri_options_weights(fri_job *job, const fri_strategy *strategy);
/* Whether `auto` becomes what tuning found: *as are then the options without it. */
bool fri_options_tuned(fr_problem problem, const fr_solver_options *options, fr_solver_options *as);
/* What fr_solver_explain says of it; why_not: the message of a failure, NULL: it is used. */
void fri_options_tuned_note(fri_job *job, const fr_tuning *tuning, const char *why_not);

#endif
