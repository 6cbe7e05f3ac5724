/* See cpu/sssp/finish.c. */

/* The farthest distance that is kept; INF: all, also with negative weights, where the path to what
 * is kept may lead through what would be cut off. */
static D FN(kept)(const fri_job *job) {
    const D *dist = job->out->dist;
    D bound = job->query.target_count && job->weight_min >= 0 ? 0 : INF;
    for (int64_t i = 0; bound != INF && i < job->query.target_count; i++)
        bound = FRI_MAX(bound, dist[job->query.targets[i]]);
    return bound;
}

/* What a distance may be at most by the query's limit; NO_LIMIT: whatever D holds. */
static LIMIT FN(limit)(const fri_job *job) {
#if INTEGER
    return (D)fri_sssp_last(job, INF);
#else
    double limit = job->query.max_distance;
    return limit > 0 && limit < MOST ? limit : NO_LIMIT;
#endif
}

/* Forgets what lies beyond `bound` and `limit`; returns the greatest distance kept. */
static D FN(trim)(fri_job *job, D bound, LIMIT limit) {
    D *dist = job->out->dist, maximum = 0;
    int32_t *parent = job->out->parent, n = job->csr.n;
#pragma omp parallel for reduction(max : maximum) num_threads(job->threads) if (n > 65536)
    for (int32_t v = 0; v < n; v++) {
        if (dist[v] == INF)
            continue;
        if (dist[v] <= bound && (LIMIT)dist[v] <= limit) {
            maximum = FRI_MAX(maximum, dist[v]);
            continue;
        }
        dist[v] = INF;
        if (parent)
            parent[v] = -1;
    }
    return maximum;
}

static fr_status FN(overflow)(const fri_job *job) {
    const D *dist = job->out->dist;
    const fr_csr *csr = &job->csr;
    int64_t lost = -1;
#pragma omp parallel for reduction(max : lost) num_threads(job->threads) if (csr->m > 65536)
    for (int32_t u = 0; u < csr->n; u++) {
        if (dist[u] == INF)
            continue;
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            if (dist[csr->targets[e]] == INF)
                lost = FRI_MAX(lost, (int64_t)csr->targets[e]);
    }
    if (lost < 0)
        return FR_OK;
    return fri_fail(job->ctx, FR_OVERFLOW, "the distance of vertex %lld does not fit %s%s",
                    (long long)fri_id_of(&job->ids, (int32_t)lost), fr_type_name(job->dist_type),
                    fri_wider_type_hint(job->dist_type));
}

static fr_status FN(finish)(fri_job *job) {
    D bound = FN(kept)(job);
    LIMIT limit = FN(limit)(job);
    D maximum = FN(trim)(job, bound, limit);
    if (bound != INF || limit != NO_LIMIT)
        return FR_OK;
#if INTEGER
    bool fits = (double)maximum + job->weight_max < (double)INF * (1 - 0x1p-40);
#else
    bool fits = maximum + (D)job->weight_max < INF;
#endif
    return fits ? FR_OK : FN(overflow)(job);
}
