/* The in-edges of a job's graph: the transpose, shared by the solvers of the graph where its weights
 * are the graph's.
 */
#ifndef FRI_CORE_IN_EDGES_H
#define FRI_CORE_IN_EDGES_H

#include "core/strategy.h"

/* Bytes of the arrays of a CSR, or of its transpose, which has the same size. */
size_t fri_csr_bytes(const fr_csr *csr);
/* Whether there is a transpose that this job can share; the job then uses it until its solver is
 * freed. `use`: the solver's share in what is derived from the graph whose edges job->csr has. */
bool fri_in_edges_found(const fri_job *job, fri_derived_use *use);
/* Sets job->in_edges to the transpose and makes it if necessary. *own is a transpose that cannot be
 * shared, which the caller frees, else zero. */
fr_status fri_in_edges_take(fri_job *job, fri_derived_use *use, fr_csr *own);
/* For a job without weights: compares both directions of the edges unless an earlier solver of the
 * graph did. If they are the same, the rows are their own in-edges, and job->csr is marked symmetric.
 * Takes a fraction of the time of a transposition. */
fr_status fri_in_edges_compare(fri_job *job, fri_derived_use *use);
/* The same, if an earlier solver has compared them; takes no time. */
void fri_in_edges_recall(fri_job *job, fri_derived_use *use);

#endif
