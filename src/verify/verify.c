/* Labels, edges, sources: what every checker needs. */
#include "verify/verify.h"

#include <stdio.h>

fri_label fri_verify_label(const fr_graph *graph, int32_t vertex) {
    fri_label label;
    bool known = vertex >= 0 && vertex < graph->csr.n;
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
    if (csr->symmetric && degree(csr, v) < degree(csr, u)) { /* the mirror image, sooner found */
        int32_t from = u;
        u = v;
        v = from;
    }
    int64_t low = csr->offsets[u], end = csr->offsets[u + 1], high = end;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (csr->targets[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && csr->targets[low] == v ? low : -1;
}

static fr_status check_vertices(fr_ctx *ctx, const char *what, int32_t n, const int32_t *list,
                                int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (list[i] < 0 || list[i] >= n)
            return fri_fail(ctx, FR_NOT_FOUND, "%s vertex %d is not in 0 .. %d", what, list[i],
                            n - 1);
    return FR_OK;
}

fr_status fri_verify_sources(fr_ctx *ctx, const fr_graph *graph, const fr_query *query,
                             uint64_t **map) {
    *map = NULL;
    if (!query || !query->sources || query->source_count < 1 || query->target_count < 0)
        return fri_fail(ctx, FR_INVALID, "checking needs the query with its sources");
    int32_t n = graph->csr.n;
    fr_status status = fr_graph_check(ctx, graph);
    if (!status)
        status = check_vertices(ctx, "source", n, query->sources, query->source_count);
    if (!status)
        status = check_vertices(ctx, "target", n, query->targets, query->target_count);
    if (status)
        return status;
    *map = fri_calloc(ctx, fri_bitmap_bytes(n));
    if (!*map)
        return FR_NOMEM;
    for (int64_t i = 0; i < query->source_count; i++)
        fri_bit_set(*map, query->sources[i]);
    return FR_OK;
}
