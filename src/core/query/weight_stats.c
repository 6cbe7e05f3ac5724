#include "core/query/weight_stats.h"

#include "graph/weights.h"

fri_weight_stats fri_weight_stats_of(const fri_job *job) {
    fri_derived *derived = job->derived ? job->derived->of : NULL;
    fri_weight_stats stats;
    if (derived && fri_derived_weights(derived, &stats))
        return stats;
    fri_weights_stats(job->ctx, &job->csr, job->in->threads, &stats);
    if (derived)
        fri_derived_set_weights(derived, stats);
    return stats;
}
