/* The rows of cpu/sssp/sorted_adjacency.h that solvers share. */
#include "cpu/sssp/sorted_adjacency.h"

static fri_derived_kind kind_of(const fri_job *job) {
    return job->csr.weights ? FRI_DERIVED_SORTED_ROWS : FRI_DERIVED_UNIT_ROWS;
}

size_t fri_adjacency_share_bytes(const fri_job *job) {
    fri_derived_blocks made;
    return fri_derived_take(job->derived, kind_of(job), &made) ? 0 : fri_adjacency_bytes(job);
}

fr_status fri_adjacency_share(const fri_job *job, const void **rows) {
    fri_derived_blocks made;
    if (!fri_derived_take(job->derived, kind_of(job), &made)) {
        void *fresh = fri_alloc(job->ctx, fri_adjacency_bytes(job));
        if (!fresh)
            return FR_NOMEM;
        fr_status status = fri_adjacency_fill(job, fresh, true);
        if (status) {
            fri_free(fresh);
            return status;
        }
        made = (fri_derived_blocks){{fresh}};
        fri_derived_give(job->derived, kind_of(job), &made);
    }
    *rows = made.block[0];
    return FR_OK;
}
