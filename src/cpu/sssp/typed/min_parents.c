/* Parents that are the same on every run: the smallest of all allowed parents.
 *
 * Rule: an edge u -> v is tight when dist[u] + w = dist[v]. hops[v] is 0 for a source and for a
 *   vertex with a tight in-edge from a nearer vertex; otherwise it is the smallest number of tight
 *   edges of weight 0 that lead to v from a vertex with hops 0. The parent of v is the smallest id
 *   among the tight in-neighbors u with (dist[u], hops[u]) < (dist[v], hops[v]), in that order.
 *   Parents strictly descend in a finite order, so cycles of weight 0 cannot close. With unit
 *   weights the parent is the smallest neighbor one level up. Where a weight is negative, nearer does
 *   not mean earlier: hops then count all tight edges from the sources (a merged source whose
 *   distance is below 0 through another source is not a source), and distance is left out of the
 *   order.
 * Work: one pass over the edges; where hops are needed, a second one on one thread.
 */
#include "cpu/sssp/typed/pair.h"

/* Whether u -> v of weight w is tight. Floats are summed as in the strategies. */
static inline bool is_tight(dist_t du, weight_t w, dist_t dv) {
#if DIST_IS_INTEGER
    dist_t sum;
    return !__builtin_add_overflow(du, w, &sum) && sum == dv && dv != DIST_INF;
#else
    return du + (dist_t)w == dv && dv != DIST_INF;
#endif
}

/* Gives every vertex the smallest tight in-neighbor that is nearer. */
static void choose_nearer(const fri_job *job) {
    const fr_csr *csr = &job->csr;
    const dist_t *dist = job->out->dist;
    int32_t *parent = job->out->parent;
#pragma omp parallel for schedule(FRI_DYNAMIC, 1024) num_threads(fri_job_threads(job, 2 * csr->m))
    for (int32_t u = 0; u < csr->n; u++) {
        if (dist[u] == DIST_INF)
            continue;
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int32_t v = csr->targets[e];
            if (!(dist[u] < dist[v]) || !is_tight(dist[u], weight_at(csr, e), dist[v]))
                continue;
            /* several threads may propose a parent: the smallest is kept */
            int32_t old = __atomic_load_n(&parent[v], __ATOMIC_RELAXED);
            while (u < old && !__atomic_compare_exchange_n(&parent[v], &old, u, true,
                                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED))
                ;
        }
    }
}

static inline sum_t value_at(const void *dist, bool wide, int32_t v) {
    return wide ? ((const sum_t *)dist)[v] : (sum_t)((const dist_t *)dist)[v];
}

FRI_SSSP_FUNCTION(fr_status, fri_sssp_hop_parents,
                  (const fri_job *job, const void *dist, bool wide, int32_t *hops, int32_t *queue),
                  (job, dist, wide, hops, queue)) {
    const fr_csr *csr = &job->csr;
    int32_t *parent = job->out->parent, lost = 0;
    int64_t tail = 0;
    for (int32_t v = 0; v < csr->n; v++) {
        bool placed = parent[v] >= 0 && parent[v] != INT32_MAX;
        hops[v] = placed ? 0 : INT32_MAX;
        if (placed)
            queue[tail++] = v;
    }
    for (int64_t head = 0; head < tail; head++) {
        int32_t u = queue[head];
        sum_t from = value_at(dist, wide, u);
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int32_t v = csr->targets[e];
            if (hops[v] <= hops[u] || parent[v] < 0 ||
                from + (sum_t)weight_at(csr, e) != value_at(dist, wide, v))
                continue;
            if (hops[v] == INT32_MAX) {
                hops[v] = hops[u] + 1;
                queue[tail++] = v;
            }
            parent[v] = FRI_MIN(parent[v], u);
        }
    }
    for (int32_t v = 0; v < csr->n; v++)
        if (parent[v] == INT32_MAX) {
            parent[v] = -1;
            lost++;
        }
    /* every distance is the length of a path, so only another graph leaves a vertex without a parent */
    return lost ? fri_fail(job->ctx, FR_INVALID, "the weights have changed during the query")
                : FR_OK;
}

FRI_SSSP_FUNCTION(fr_status, fri_sssp_min_parents, (fri_job * job, int32_t *spare), (job, spare)) {
    const dist_t *dist = job->out->dist;
    int32_t *parent = job->out->parent, n = job->csr.n;
    bool marks_cycles = job->in->query.mark_negative_cycles;
    for (int32_t v = 0; v < n; v++)
        parent[v] =
            dist[v] == DIST_INF || (marks_cycles && dist[v] == DIST_NEG_INF) ? -1 : INT32_MAX;
    if (job->weight_min >= 0)
        choose_nearer(job);
    for (int64_t i = 0; i < job->in->query.source_count; i++)
        if (dist[job->in->query.sources[i]] == 0)
            parent[job->in->query.sources[i]] = job->in->query.sources[i];
    for (int32_t v = 0; v < n; v++)
        if (parent[v] == INT32_MAX)
            return fri_sssp_hop_parents(job, dist, false, spare, spare + n);
    return FR_OK;
}
