/* The end of every SSSP strategy: the rule of targets and limits, and the check for overflow.
 *
 * Targets: exactly the vertices at most as far as the farthest target keep their values (all of
 *   them when a target cannot be reached); the others become not reached, whatever a strategy has
 *   computed for them, so that every strategy gives the same answer. With negative weights all
 *   vertices keep theirs.
 * Limit: vertices farther than max_distance become not reached.
 * Overflow: strategies compare sums as unsigned numbers (or as floats) and drop a sum that
 *   overflows the distance type, so a vertex whose distance does not fit is unreached although a
 *   neighbor is reached. This requires that the largest distance plus the largest weight
 *   overflow; one pass over the vertices excludes that, and only otherwise are the edges scanned.
 * All pairs: once per row. */
#include "base/team.h"
#include "cpu/sssp/typed/pair.h"

typedef struct {
    fri_job *job;
    dist_t bound, maximum; /* atomic: the largest distance kept */
    limit_t limit;
} trimming;

/* Makes vertices beyond the bound or the limit unreached. */
static void trim_piece(fri_member me, void *arg, int64_t first, int64_t end) {
    trimming *t = arg;
    const dist_t bound = t->bound;
    const limit_t limit = t->limit;
    dist_t *dist = t->job->out->dist, maximum = 0, seen;
    int32_t *parent = t->job->out->parent;
    (void)me;
    const bool cuts = bound != DIST_INF || limit != NO_LIMIT;
#pragma omp simd reduction(max : maximum)
    for (int64_t v = first; v < (cuts ? first : end); v++) {
        const dist_t d = dist[v] == DIST_INF ? 0 : dist[v];
        maximum = d > maximum ? d : maximum;
    }
    for (int64_t v = first; cuts && v < end; v++) {
        if (dist[v] == DIST_INF)
            continue;
        if (dist[v] <= bound && (limit_t)dist[v] <= limit) {
            maximum = FRI_MAX(maximum, dist[v]);
            continue;
        }
        dist[v] = DIST_INF;
        if (parent)
            parent[v] = -1;
    }
    __atomic_load(&t->maximum, &seen, __ATOMIC_RELAXED); /* relaxed: read after the team */
    while (seen < maximum && !__atomic_compare_exchange(&t->maximum, &seen, &maximum, true,
                                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* Makes vertices beyond `bound` or `limit` unreached; returns the largest distance kept. */
static dist_t trim(fri_job *job, dist_t bound, limit_t limit) {
    trimming t = {.job = job, .bound = bound, .limit = limit};
    fri_team_loop(job->ctx, job->in->threads, job->csr.n, 65536, trim_piece, &t);
    return t.maximum;
}

#ifdef FRI_ONCE
fr_status fri_sssp_overflow(const fri_job *job, int32_t v, const char *value) {
    return fri_fail(job->ctx, FR_OVERFLOW, "the distance%s of vertex %lld does not fit %s%s", value,
                    (long long)fri_id_of(&job->in->ids, v), fr_type_name(job->in->dist_type),
                    fri_wider_type_hint(job->in->dist_type));
}
#endif

FRI_SSSP_FUNCTION(fr_status, fri_sssp_check_sums,
                  (const fri_job *job, const void *distances, double maximum),
                  (job, distances, maximum)) {
    const fr_csr *csr = &job->csr;
    const dist_t *dist = distances;
    int64_t lost = -1;
    if (sums_fit(job, maximum))
        return FR_OK;
#pragma omp parallel for reduction(max : lost) num_threads(fri_job_threads(job, csr->m))
    for (int32_t u = 0; u < csr->n; u++) {
        if (dist[u] == DIST_INF || dist[u] == DIST_NEG_INF)
            continue;
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            if (dist[csr->targets[e]] == DIST_INF)
                lost = FRI_MAX(lost, (int64_t)csr->targets[e]);
    }
    return lost < 0 ? FR_OK : fri_sssp_overflow(job, (int32_t)lost, "");
}

FRI_SSSP_FUNCTION(fr_status, fri_sssp_finish, (fri_job * job, void *spare), (job, spare)) {
    const bool min_id = job->in->query.parent_rule == FR_PARENT_MIN_ID && job->out->parent,
               negative = job->weight_min < 0;
    dist_t bound = kept_bound(job);
    limit_t limit = query_limit(job);
    fr_status status = FR_OK;
    if (negative && min_id) /* a path may lead through vertices beyond the limit */
        status = fri_sssp_min_parents(job, spare);
    dist_t maximum = trim(job, bound, limit);
    if (!status && bound == DIST_INF && limit == NO_LIMIT)
        status = fri_sssp_check_sums(job, job->out->dist, (double)maximum);
    if (!status && !negative && min_id)
        status = fri_sssp_min_parents(job, spare);
    return status;
}
