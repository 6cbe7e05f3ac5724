/* All pairs with targets, a limit or parents by nearness. Strategies compute whole rows; what the query
 * asks for is taken from each finished row, so that every strategy and backend has it. Those that
 * solve one source at a time also stop early. */
#ifndef FRI_CORE_APSP_ROWS_H
#define FRI_CORE_APSP_ROWS_H

#include "core/solver.h"

/* Whether the query needs this file; `result` has the caller's arrays. */
bool fri_apsp_rows_needed(const fri_job *job, const fr_result *result);
/* Refuses what a row cannot give. Only if needed. */
fr_status fri_apsp_rows_check(fri_job *job, const fr_result *result);

/* Before the run: takes the caller's arrays out of *internal where rows are not written to them directly,
 * and replaces the job's row callback; allocates the rows of the solver that are missing. */
fr_status fri_apsp_rows_begin(fr_solver *s, fr_result *internal);
/* After the run: finishes the rows that were written directly. */
fr_status fri_apsp_rows_end(fr_solver *s);

/* The number of values in a row of the result. */
static inline int64_t fri_apsp_row_width(const fri_job *job) {
    return job->in->problem == FR_PROBLEM_APSP && job->in->query.target_count
               ? job->in->query.target_count
               : job->csr.n;
}

#endif
