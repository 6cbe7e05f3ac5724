/* The subgraph induced by a set of vertices.
 *
 * Idea: the vertices that are kept are numbered in ascending order, so a row stays sorted when its
 *   targets are renamed: one pass counts each row's remaining edges, one copies them. */
#include "graph/graph.h"

#include "base/pace.h"

#include <string.h>

typedef struct {
    fr_ctx *ctx;
    const fr_graph *graph;
    int32_t *map; /* [n] new number, -1: left out */
    int32_t *old; /* [kept] */
    int32_t kept;
} selection;

/* Marks the listed vertices, then numbers them in ascending order. */
static fr_status number(selection *s, const int32_t *vertices, int64_t count) {
    int32_t n = s->graph->csr.n;
    for (int32_t v = 0; v < n; v++)
        s->map[v] = -1;
    fr_status status = fri_check_vertices(s->ctx, "vertex", vertices, count, n);
    if (status)
        return status;
    for (int64_t i = 0; i < count; i++) {
        if (s->map[vertices[i]] < 0)
            s->kept++;
        s->map[vertices[i]] = 0;
    }
    s->old = fri_alloc(s->ctx, fri_bytes(s->kept, sizeof *s->old));
    if (!s->old)
        return FR_NOMEM;
    int32_t next = 0;
    for (int32_t v = 0; v < n; v++)
        if (s->map[v] == 0) {
            s->old[next] = v;
            s->map[v] = next++;
        }
    return FR_OK;
}

/* A fri_take_row_fn: the edges of row u of the subgraph. */
static int64_t take_row(const void *user, int32_t u, int64_t at, int32_t *targets, char *weights) {
    const selection *s = user;
    const fr_csr *csr = &s->graph->csr;
    const size_t size = fr_type_size(csr->weight_type);
    const char *from = csr->weights;
    const int64_t begin = csr->offsets[s->old[u]], end = csr->offsets[s->old[u] + 1], first = at;
    for (int64_t e = begin; !targets && e < end; e++)
        at += s->map[csr->targets[e]] >= 0;
    for (int64_t e = begin; targets && e < end; e++) {
        if (s->map[csr->targets[e]] < 0)
            continue;
        if (weights)
            fri_copy_weight(weights + (size_t)at * size, from + (size_t)e * size, size);
        targets[at++] = s->map[csr->targets[e]];
    }
    return at - first;
}

/* ---- rows in two passes ------------------------------------------------------------------------- */

typedef struct {
    const fr_csr *csr;
    const int32_t *old;
    fri_take_row_fn take;
    const void *user;
    int threads;
    fri_pace pace;
} rows;

/* Calls for the rows 0 .. n - 1: the first pass without arrays sets offsets[u + 1] to the edges of row u. */
static void take_all(rows *r, int32_t n, int64_t *offsets, int32_t *targets, char *weights) {
#pragma omp parallel for schedule(FRI_DYNAMIC, 1024) num_threads(r->threads)
    for (int32_t u = 0; u < n; u++) {
        const int32_t from = r->old ? r->old[u] : u;
        if (FRI_PACE_STOP_LOOP(&r->pace, r->csr->offsets[from + 1] - r->csr->offsets[from] + 1, u))
            continue;
        int64_t edges = r->take(r->user, u, targets ? offsets[u] : 0, targets, weights);
        if (!targets)
            offsets[u + 1] = edges;
    }
}

fr_status fri_graph_take_rows(fr_ctx *ctx, const char *doing, const fr_csr *csr, int32_t n,
                              const int32_t *old, fri_take_row_fn take, const void *user,
                              fr_graph *out) {
    const size_t size = fr_type_size(csr->weight_type);
    rows r = {csr, old, take, user, ctx->threads, fri_pace_begin(ctx, doing, n)};
    int64_t *offsets = out->own_offsets =
        fri_alloc(ctx, fri_bytes((int64_t)n + 1, sizeof *offsets));
    if (!offsets)
        return FR_NOMEM;
    offsets[0] = 0;
    take_all(&r, n, offsets, NULL, NULL);
    for (int32_t u = 0; u < n && !r.pace.status; u++)
        offsets[u + 1] += offsets[u];
    if (r.pace.status)
        return r.pace.status;
    const int64_t m = offsets[n];
    out->own_targets = fri_alloc(ctx, fri_bytes(m, sizeof(int32_t)));
    out->own_weights = size ? fri_alloc(ctx, fri_bytes(m, size)) : NULL;
    if (!out->own_targets || (size && !out->own_weights))
        return FR_NOMEM;
    take_all(&r, n, offsets, out->own_targets, out->own_weights);
    out->csr = (fr_csr){
        n, m, offsets, out->own_targets, out->own_weights, csr->weight_type, out->csr.symmetric};
    return r.pace.status;
}

/* ---- the subgraph ------------------------------------------------------------------------------- */

/* The names of the vertices that are kept. */
static fr_status keep_names(selection *s, fr_graph *out) {
    const fri_names *names = s->graph->ids.names;
    size_t size = 0;
    for (int32_t u = 0; u < s->kept; u++)
        size += strlen(fri_names_get(names, s->old[u])) + 1;
    int64_t *offsets = fri_alloc(s->ctx, fri_bytes((int64_t)s->kept + 1, sizeof *offsets));
    char *bytes = offsets ? fri_alloc(s->ctx, size) : NULL;
    if (bytes) {
        offsets[0] = 0;
        for (int32_t u = 0; u < s->kept; u++) {
            const char *name = fri_names_get(names, s->old[u]);
            size_t length = strlen(name) + 1;
            memcpy(bytes + offsets[u], name, length);
            offsets[u + 1] = offsets[u] + (int64_t)length;
        }
        out->ids.names = fri_names_new(s->ctx, s->kept, offsets, bytes, size, false);
    }
    if (out->ids.names)
        return FR_OK;
    fri_free(offsets);
    fri_free(bytes);
    return FR_NOMEM;
}

/* The result keeps the ids: a list, unless the kept vertices are the first ones. */
static fr_status keep_ids(selection *s, fr_graph *out) {
    if (s->graph->ids.names)
        return keep_names(s, out);
    out->ids.base = s->graph->ids.base;
    if (!s->graph->ids.list && (s->kept == 0 || s->old[s->kept - 1] == s->kept - 1))
        return FR_OK;
    out->ids.list = fri_alloc(s->ctx, fri_bytes(s->kept, sizeof *out->ids.list));
    if (!out->ids.list)
        return FR_NOMEM;
    for (int32_t u = 0; u < s->kept; u++)
        out->ids.list[u] = fr_graph_id(s->graph, s->old[u]);
    return FR_OK;
}

static fr_status fill(selection *s, fr_graph *out) {
    const fr_csr *csr = &s->graph->csr;
    fr_status status =
        fri_graph_take_rows(s->ctx, "selecting", csr, s->kept, s->old, take_row, s, out);
    if (!status)
        status = keep_ids(s, out);
    out->undirected = s->graph->undirected;
    return status ? status : fri_csr_find_symmetry(s->ctx, &out->csr, csr->symmetric);
}

fr_status fr_graph_subgraph(fr_ctx *ctx, const fr_graph *graph, const int32_t *vertices,
                            int64_t count, int32_t *map, fr_graph **out) {
    fr_status status = fri_graph_begin(ctx, out);
    if (!status && (!graph || count < 0 || (count && !vertices)))
        status = fri_fail(ctx, FR_INVALID, "a subgraph needs a graph and a list of vertices");
    if (!status)
        status = fr_graph_check(ctx, graph);
    if (status)
        return status;
    selection s = {.ctx = ctx, .graph = graph, .map = map};
    fr_graph *part = fri_graph_new(ctx, graph->name);
    int32_t *own = map ? NULL : fri_alloc(ctx, fri_bytes(graph->csr.n, sizeof *map));
    if (!map)
        s.map = own;
    status = part && s.map ? number(&s, vertices, count) : FR_NOMEM;
    if (!status)
        status = fill(&s, part);
    fri_free(s.old);
    fri_free(own);
    return fri_graph_give(status, part, out);
}
