/* Labels, edges, sources and weights, shared by all checkers. */
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

fri_label fri_verify_label(const fr_graph *graph, int32_t vertex) {
    fri_label label;
    bool known = vertex >= 0 && vertex < graph->csr.n;
    const char *name = known ? fr_graph_vertex_name(graph, vertex) : NULL;
    if (name) {
        snprintf(label.text, sizeof label.text, "%.31s", name);
        return label;
    }
    long long id = known ? (long long)fr_graph_id(graph, vertex) : (long long)vertex;
    snprintf(label.text, sizeof label.text, known || vertex == -1 ? "%lld" : "no. %lld", id);
    return label;
}

fri_label fri_verify_sum(__int128 sum) {
    fri_label label = {"beyond int64"};
    if (sum == (int64_t)sum)
        snprintf(label.text, sizeof label.text, "%lld", (long long)sum);
    return label;
}

static int64_t degree(const fr_csr *csr, int32_t v) {
    return csr->offsets[v + 1] - csr->offsets[v];
}

int64_t fri_verify_edge(const fr_csr *csr, int32_t u, int32_t v) {
    if (csr->symmetric && degree(csr, v) < degree(csr, u)) { /* the mirror edge is found faster */
        int32_t from = u;
        u = v;
        v = from;
    }
    const int64_t e = fri_csr_lower_bound(csr, u, v);
    return e < csr->offsets[u + 1] && csr->targets[e] == v ? e : -1;
}

fr_status fri_verify_sources(fr_ctx *ctx, const fr_graph *graph, const fr_query *query,
                             uint64_t **map) {
    *map = NULL;
    if (!query || !query->sources || query->source_count < 1 || query->target_count < 0)
        return fri_fail(ctx, FR_INVALID, "verification needs the query with its sources");
    if (query->target_count && !query->targets)
        return fri_fail(ctx, FR_INVALID, "target_count is %lld, but targets is NULL",
                        (long long)query->target_count);
    int32_t n = graph->csr.n;
    fr_status status = fr_graph_check(ctx, graph);
    if (!status)
        status = fri_check_vertices(ctx, "source vertex", query->sources, query->source_count, n);
    if (!status)
        status = fri_check_vertices(ctx, "target vertex", query->targets, query->target_count, n);
    if (status)
        return status;
    *map = fri_calloc(ctx, fri_bitmap_bytes(n));
    if (!*map)
        return FR_NOMEM;
    for (int64_t i = 0; i < query->source_count; i++)
        fri_bit_set(*map, query->sources[i]);
    return FR_OK;
}

fr_status fri_verify_filter(fr_ctx *ctx, const fr_query *query, const fr_graph **graph,
                            fr_graph **own) {
    *own = NULL;
    if (!query->closed_vertices && !query->closed_edges)
        return FR_OK;
    fr_status status =
        fr_graph_filter(ctx, *graph, query->closed_vertices, query->closed_edges, own);
    if (!status)
        *graph = *own;
    return status;
}

/* ---- distances --------------------------------------------------------------------------- */

fr_status fri_verify_fail(const fri_candidate *c, int32_t v, const char *message) {
    int32_t p = c->parent ? c->parent[v] : -1;
    fri_label id = fri_verify_label(c->graph, v), parent = fri_verify_label(c->graph, p);
    const char *name = c->parent ? parent.text : "unknown";
    if (!fri_candidate_reached(c, v))
        return fri_fail(c->ctx, FR_VERIFY_FAILED, "vertex %s (%s, parent %s): %s", id.text,
                        fri_candidate_is_neg_inf(c, v) ? "minus infinity" : "unreached", name,
                        message);
    if (c->exact)
        return fri_fail(c->ctx, FR_VERIFY_FAILED, "vertex %s (distance %lld, parent %s): %s",
                        id.text, (long long)fri_candidate_int(c, v), name, message);
    return fri_fail(c->ctx, FR_VERIFY_FAILED, "vertex %s (distance %.9g, parent %s): %s", id.text,
                    fri_candidate_float(c, v), name, message);
}

int64_t fri_verify_find_edge(const fri_candidate *c, fri_edge_rule broken, int32_t *from,
                             fri_pace *pace) {
    const int threads = fri_threads_for(c->ctx, c->ctx->threads, 2 * (c->csr.n + c->csr.m));
    int64_t first = INT64_MAX;
#pragma omp parallel for reduction(min : first) schedule(FRI_DYNAMIC, 1024) num_threads(threads)
    for (int32_t u = 0; u < c->csr.n; u++) {
        int64_t work = c->csr.offsets[u + 1] - c->csr.offsets[u] + 1;
        if (!fri_candidate_reached(c, u) || FRI_PACE_STOP_LOOP(pace, work, u))
            continue;
        for (int64_t e = c->csr.offsets[u]; e < c->csr.offsets[u + 1]; e++)
            if (broken(c, u, e, c->csr.targets[e]))
                first = FRI_MIN(first, e);
    }
    if (first == INT64_MAX || pace->status)
        return -1;
    for (*from = 0; c->csr.offsets[*from + 1] <= first;) /* error path */
        ++*from;
    return first;
}

void fri_verify_weights(fri_candidate *c) {
    double minimum = 0, reach = 0;
#pragma omp parallel for reduction(min                                                             \
                                   : minimum) reduction(max                                        \
                                                        : reach)                                   \
    num_threads(fri_threads_for(c->ctx, c->ctx->threads, c->csr.m))
    for (int64_t e = 0; e < c->csr.m; e++) {
        double w = fri_candidate_weight(c, e);
        minimum = FRI_MIN(minimum, w);
        reach = FRI_MAX(reach, fabs(w));
    }
    c->negative = minimum < 0;
    c->max_abs_weight = reach;
}
