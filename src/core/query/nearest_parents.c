/* Parents by nearness (FR_PARENT_NEAREST): as found by a Dijkstra that keeps the first of equal ones.
 *
 * Rule: an edge u -> v is tight when dist[u] + w = dist[v]. The parent is the nearest tight
 *   in-neighbor, of several at that distance the smallest id. Where none is nearer than v itself: hops
 *   is 0 for the vertices above and the sources, otherwise the smallest number of tight edges of weight 0
 *   that lead to v from one of them, and the parent is the smallest id among the tight in-neighbors
 *   with one hop less, so no cycle of weight 0 closes. Where a weight is negative a path may lead through
 *   farther vertices: hops then count all tight edges from the sources, and distance is left out of the
 *   order.
 * Source: the order in which E. W. Dijkstra: A note on two problems in connexion with graphs,
 *   Numerische Mathematik 1, 1959, settles vertices. The implementation in SciPy keeps the same
 *   parent, up to the order of vertices at one distance.
 * Work: one pass over the edges; where hops are needed, a second one on one thread.
 */
#include "core/query/post.h"
#include "core/query/tight.h"

enum { UNSET = INT32_MAX };

/* Whether u is a nearer parent than `old`. */
static bool is_better(const fri_job *job, int32_t u, int32_t old) {
    if (old == UNSET)
        return true;
    int order = fri_compare_values(job, u, old);
    return order < 0 || (order == 0 && u < old);
}

static void choose_nearer(const fri_job *job) {
    const fr_csr *csr = &job->csr;
    int32_t *parent = job->out->parent;
#pragma omp parallel for schedule(FRI_DYNAMIC, 1024) num_threads(fri_job_threads(job, 2 * csr->m))
    for (int32_t u = 0; u < csr->n; u++) {
        if (!fri_has_value(job, u))
            continue;
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int32_t v = csr->targets[e];
            if (!fri_has_value(job, v) || fri_compare_values(job, u, v) >= 0 ||
                !fri_is_tight(job, u, e, v))
                continue;
            /* several threads may propose a parent: the nearest is kept */
            int32_t old = __atomic_load_n(&parent[v], __ATOMIC_RELAXED);
            while (is_better(job, u, old) &&
                   !__atomic_compare_exchange_n(&parent[v], &old, u, true, __ATOMIC_RELAXED,
                                                __ATOMIC_RELAXED))
                ;
        }
    }
}

/* Gives parents to the vertices that have none yet, hop by hop over tight edges. */
static void hop_by_hop(const fri_job *job, int32_t *hops, int32_t *queue) {
    const fr_csr *csr = &job->csr;
    int32_t *parent = job->out->parent, tail = 0;
    for (int32_t v = 0; v < csr->n; v++) {
        bool placed = parent[v] >= 0 && parent[v] != UNSET;
        hops[v] = placed ? 0 : UNSET;
        if (placed)
            queue[tail++] = v;
    }
    for (int32_t head = 0; head < tail; head++) {
        int32_t u = queue[head];
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int32_t v = csr->targets[e];
            if (parent[v] < 0 || hops[v] <= hops[u] || !fri_is_tight(job, u, e, v))
                continue;
            if (hops[v] == UNSET) {
                hops[v] = hops[u] + 1;
                queue[tail++] = v;
            }
            parent[v] = FRI_MIN(parent[v], u);
        }
    }
}

/* Every value is the length of a path, so only another graph leaves a vertex without a parent. */
static fr_status check_all_placed(const fri_job *job) {
    int32_t *parent = job->out->parent, lost = 0;
    for (int32_t v = 0; v < job->csr.n; v++)
        if (parent[v] == UNSET) {
            parent[v] = -1;
            lost++;
        }
    return lost ? fri_fail(job->ctx, FR_INVALID, "the weights have changed during the query")
                : FR_OK;
}

fr_status fri_nearest_parents(fri_job *job, int32_t *scratch) {
    int32_t *parent = job->out->parent, n = job->csr.n;
    for (int32_t v = 0; v < n; v++)
        parent[v] = fri_has_value(job, v) ? UNSET : -1;
    if (job->weight_min >= 0)
        choose_nearer(job);
    for (int64_t i = 0; i < job->in->query.source_count; i++)
        if (fri_is_root(job, job->in->query.sources[i]))
            parent[job->in->query.sources[i]] = job->in->query.sources[i];
    for (int32_t v = 0; v < n; v++)
        if (parent[v] == UNSET) {
            hop_by_hop(job, scratch, scratch + n);
            return check_all_placed(job);
        }
    return FR_OK;
}
