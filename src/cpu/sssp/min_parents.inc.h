/* See cpu/sssp/min_parents.c. */

/* Is u -> v of weight w tight? Floats are summed as the strategies do it. */
static inline bool FN(tight)(D du, W w, D dv) {
#if INTEGER
    D sum;
    return !__builtin_add_overflow(du, w, &sum) && sum == dv && dv != INF;
#else
    return du + (D)w == dv && dv != INF;
#endif
}

static inline W FN(weight)(const fr_csr *csr, int64_t e) {
    return csr->weights ? ((const W *)csr->weights)[e] : (W)1;
}

/* For every vertex the least tight in-neighbour that is nearer. */
static void FN(nearer)(const fri_job *job) {
    const fr_csr *csr = &job->csr;
    const D *dist = job->out->dist;
    int32_t *parent = job->out->parent;
#pragma omp parallel for schedule(FRI_DYNAMIC, 1024) num_threads(job->threads) if (csr->m > 65536)
    for (int32_t u = 0; u < csr->n; u++) {
        if (dist[u] == INF)
            continue;
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int32_t v = csr->targets[e];
            if (!(dist[u] < dist[v]) || !FN(tight)(dist[u], FN(weight)(csr, e), dist[v]))
                continue;
            /* several threads may offer a parent: the least wins */
            int32_t old = __atomic_load_n(&parent[v], __ATOMIC_RELAXED);
            while (u < old && !__atomic_compare_exchange_n(&parent[v], &old, u, true,
                                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED))
                ;
        }
    }
}

/* Gives parents to those that have none yet, hop by hop over tight edges. */
static void FN(hop_by_hop)(const fri_job *job, int32_t *hops, int32_t *queue) {
    const fr_csr *csr = &job->csr;
    const D *dist = job->out->dist;
    int32_t *parent = job->out->parent;
    int64_t tail = 0;
    for (int32_t v = 0; v < csr->n; v++) {
        bool placed = parent[v] >= 0 && parent[v] != INT32_MAX;
        hops[v] = placed ? 0 : INT32_MAX;
        if (placed)
            queue[tail++] = v;
    }
    for (int64_t head = 0; head < tail; head++) {
        int32_t u = queue[head];
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int32_t v = csr->targets[e];
            if (hops[v] <= hops[u] || parent[v] < 0 ||
                !FN(tight)(dist[u], FN(weight)(csr, e), dist[v]))
                continue;
            if (hops[v] == INT32_MAX) {
                hops[v] = hops[u] + 1;
                queue[tail++] = v;
            }
            parent[v] = FRI_MIN(parent[v], u);
        }
    }
}

static void FN(minimum)(fri_job *job, int32_t *spare) {
    const D *dist = job->out->dist;
    int32_t *parent = job->out->parent, n = job->csr.n;
    bool past = job->query.mark_negative_cycles;
    for (int32_t v = 0; v < n; v++)
        parent[v] = dist[v] == INF || (past && dist[v] == NEG_INF) ? -1 : INT32_MAX;
    if (job->weight_min >= 0)
        FN(nearer)(job);
    for (int64_t i = 0; i < job->query.source_count; i++)
        if (dist[job->query.sources[i]] == 0)
            parent[job->query.sources[i]] = job->query.sources[i];
    for (int32_t v = 0; v < n; v++)
        if (parent[v] == INT32_MAX) {
            FN(hop_by_hop)(job, spare, spare + n);
            return;
        }
}
