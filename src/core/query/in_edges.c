#include "core/query/in_edges.h"

size_t fri_csr_bytes(const fr_csr *csr) {
    return fri_bytes((int64_t)csr->n + 1, sizeof(int64_t)) + fri_bytes(csr->m, sizeof(int32_t)) +
           fri_bytes(csr->m, fr_type_size(csr->weight_type));
}

/* The entry that holds the transpose; FRI_DERIVED_COUNT: it is not shared. */
static fri_derived_kind kind_of(const fri_job *job) {
    if (!job->csr.weights)
        return FRI_DERIVED_TRANSPOSE;
    return job->own_weights ? FRI_DERIVED_COUNT : FRI_DERIVED_WEIGHTED_TRANSPOSE;
}

bool fri_in_edges_found(const fri_job *job, fri_derived_use *use) {
    fri_derived_kind kind = kind_of(job);
    fri_derived_blocks blocks;
    return kind != FRI_DERIVED_COUNT && fri_derived_take(use, kind, &blocks);
}

fr_status fri_in_edges_take(fri_job *job, fri_derived_use *use, fr_csr *own) {
    fri_derived_kind kind = kind_of(job);
    fri_derived_blocks made;
    *own = (fr_csr){0};
    bool found = kind != FRI_DERIVED_COUNT && fri_derived_take(use, kind, &made);
    if (!found) {
        fr_csr in;
        fr_status status = fri_csr_transpose(job->ctx, &job->csr, &in);
        if (status)
            return status;
        if (kind == FRI_DERIVED_COUNT) {
            job->in_edges = *own = in;
            return FR_OK;
        }
        made = (fri_derived_blocks){{in.offsets, in.targets, in.weights}};
        fri_derived_give(use, kind, &made);
    }
    job->in_edges = job->csr;
    job->in_edges.offsets = made.block[0];
    job->in_edges.targets = made.block[1];
    job->in_edges.weights = made.block[2];
    return FR_OK;
}

void fri_in_edges_recall(fri_job *job, fri_derived_use *use) {
    if (fri_derived_symmetry(use->of) != FRI_SYMMETRY_FOUND)
        return;
    job->csr.symmetric = true;
    job->in_edges = job->csr;
}

fr_status fri_in_edges_compare(fri_job *job, fri_derived_use *use) {
    bool same;
    if (fri_derived_symmetry(use->of) == FRI_SYMMETRY_UNKNOWN) {
        fr_status status = fri_csr_is_symmetric(job->ctx, &job->csr, &same);
        if (status)
            return status;
        fri_derived_set_symmetry(use->of, same ? FRI_SYMMETRY_FOUND : FRI_SYMMETRY_NONE);
    }
    fri_in_edges_recall(job, use);
    return FR_OK;
}
