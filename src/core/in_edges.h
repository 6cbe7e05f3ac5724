/* The in-edges of a job's graph: the transpose, shared by the solvers of the graph where its weights
 * are the graph's.
 */
#ifndef FRI_CORE_IN_EDGES_H
#define FRI_CORE_IN_EDGES_H

#include "core/strategy.h"

/* Bytes of a CSR's arrays: those of its transpose. */
size_t fri_csr_bytes(const fr_csr *csr);
/* `use`: the share in what is derived from the graph whose edges job->csr has. Is there a transpose
 * that this job can share? Then the job uses it until its solver is freed. */
bool fri_in_edges_found(const fri_job *job, fri_derived_use *use);
/* Sets job->in to the transpose and makes it if need be. One that cannot be shared is the caller's:
 * *own, else zero. */
fr_status fri_in_edges_take(fri_job *job, fri_derived_use *use, fr_csr *own);

#endif
