/* Translates the fields of fr_solver_options into a job, and chooses strategy and backend. */
#ifndef FRI_CORE_OPTIONS_H
#define FRI_CORE_OPTIONS_H

#include "core/strategy.h"
#include "fringe_tune.h"

/* The caller's options and their tuning, of any size, or the defaults for NULL. own->tuning is then
 * NULL or `tuning`. */
fr_status fri_options_read(fr_ctx *ctx, const fr_solver_options *options, fr_solver_options *own,
                           fr_tuning *tuning);
fr_status fri_options_dist_type(const fri_job *job, const fr_solver_options *options, fr_type *to);
/* Sets job->strategy. */
fr_status fri_options_strategy(fri_job *job, const fr_solver_options *options);
/* Parses "alpha=15,beta=18"; other knobs get the defaults of job->strategy. */
fr_status fri_options_knobs(fri_job *job, const char *text);
/* Computes mean, minimum and maximum of the weights; fails if a weight is negative and the strategy
 * does not support that. */
fr_status fri_options_weights(fri_job *job);
/* Whether a tuning result replaces `auto`: *as is then the options with that result applied. *why_not: why one
 * does not, if the options ask for it, or NULL. */
bool fri_options_tuned(fr_problem problem, const fr_solver_options *options, fr_solver_options *as,
                       const char **why_not);
/* Adds the tuning result to fr_solver_explain; why_not: what prevented its use, or NULL. */
void fri_options_tuned_note(fri_job *job, const fr_tuning *tuning, const char *why_not);

#endif
