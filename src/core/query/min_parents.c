/* Minimum parents, computed by a pass over finished levels.
 *
 * Idea: which of several valid parents a parallel traversal returns depends on timing; the one of
 *   smallest id does not, and the levels of any strategy determine it. With in-edges available a
 *   vertex takes its first in-neighbor one level up (adjacency lists are sorted); otherwise every
 *   vertex offers itself along its out-edges. Work: at most n + m.
 */
#include "core/query/min_parents.h"

static bool has_in_edges(const fri_job *job) {
    return job->csr.symmetric || job->in_edges.targets != job->csr.targets;
}

static bool wants_parent(const int32_t *level, int32_t v) {
    return level[v] > 0 && level[v] != INT32_MAX;
}

static void take_first(const fr_csr *in, int threads, const int32_t *level, int32_t *parent) {
#pragma omp parallel for schedule(FRI_DYNAMIC, 1024) num_threads(threads)
    for (int32_t v = 0; v < in->n; v++) {
        if (!wants_parent(level, v))
            continue;
        int64_t e = in->offsets[v];
        while (level[in->targets[e]] != level[v] - 1)
            e++; /* one exists: v was reached through it */
        parent[v] = in->targets[e];
    }
}

static void offer(int32_t *parent, int32_t u) {
    int32_t old = __atomic_load_n(parent, __ATOMIC_RELAXED);
    /* atomic minimum, tested first: candidates come roughly in ascending order */
    while (u < old &&
           !__atomic_compare_exchange_n(parent, &old, u, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static void offer_all(const fr_csr *out, int threads, const int32_t *level, int32_t *parent) {
#pragma omp parallel num_threads(threads)
    {
#pragma omp for /* its barrier: all parents are reset before the first candidate */
        for (int32_t v = 0; v < out->n; v++)
            if (wants_parent(level, v))
                parent[v] = INT32_MAX;
#pragma omp for schedule(FRI_DYNAMIC, 1024)
        for (int32_t u = 0; u < out->n; u++)
            for (int64_t e = out->offsets[u]; level[u] >= 0 && e < out->offsets[u + 1]; e++) {
                int32_t v = out->targets[e];
                if (wants_parent(level, v) && level[v] - 1 == level[u])
                    offer(&parent[v], u);
            }
    }
}

void fri_min_parents_row(const fri_job *job, const int32_t *level, int32_t *parent) {
    const int threads = fri_job_threads(job, job->csr.m);
    if (has_in_edges(job))
        take_first(job->csr.symmetric ? &job->csr : &job->in_edges, threads, level, parent);
    else
        offer_all(&job->csr, threads, level, parent);
}

void fri_min_parents_bfs(fri_job *job) {
    if (job->out->parent)
        fri_min_parents_row(job, job->out->level, job->out->parent);
}

fr_status fri_refuse_min_parents_of_floats(fri_job *job) {
    const fr_query *q = &job->in->query;
    bool floats = job->in->dist_type == FR_TYPE_F32 || job->in->dist_type == FR_TYPE_F64;
    bool wants = job->out->parent || (q->row && q->want_parents);
    if (!floats || !wants || q->parent_rule != FR_PARENT_MIN_ID)
        return FR_OK;
    return fri_fail(job->ctx, FR_UNSUPPORTED,
                    "strategy %s adds up float weights in another order than a path has, so its "
                    "distances do not show the smallest parents; %s",
                    job->strategy->name,
                    job->weight_min < 0 ? "SSSP from each source does (fr_solve_each)"
                                        : "strategy multi-sssp does");
}
