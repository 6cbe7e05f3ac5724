/* The library's graph from the case's, in one of RI_WAYS. Whatever the way, its rows must equal the rows of
 * ri_arcs. Details come from ri_run_rng: they decide nothing that could be shrunk. */
#include "device.h"

#include <stdlib.h>
#include <string.h>

typedef struct lists {
    int32_t n;
    int64_t m;
    int32_t *from, *to;
    ri_weight *weights;
} lists;

static void *typed(ri_case *c, const ri_weight *w, int64_t m, fr_type type) {
    if (type == FR_TYPE_NONE)
        return NULL;
    void *made = ri_alloc(c, (size_t)m * fr_type_size(type));
    for (int64_t i = 0; i < m; i++)
        switch (type) {
        case FR_TYPE_I32: ((int32_t *)made)[i] = (int32_t)w[i].i; break;
        case FR_TYPE_I64: ((int64_t *)made)[i] = w[i].i; break;
        case FR_TYPE_F32: ((float *)made)[i] = (float)w[i].f; break;
        default: ((double *)made)[i] = w[i].f;
        }
    return made;
}

static void *wide(ri_case *c, const int32_t *values, int64_t count) {
    int64_t *made = ri_alloc(c, (size_t)count * sizeof *made);
    for (int64_t i = 0; i < count; i++)
        made[i] = values[i];
    return made;
}

/* The edges in a random order; `extra` more at the end, random. */
static lists shuffled(ri_case *c, ri_rng *rng, int64_t extra) {
    const ri_graph *g = &c->graph;
    extra = g->n ? extra : 0;
    lists l = {g->n, g->m + extra, NULL, NULL, NULL};
    l.from = ri_alloc(c, (size_t)l.m * sizeof *l.from);
    l.to = ri_alloc(c, (size_t)l.m * sizeof *l.to);
    l.weights = ri_alloc(c, (size_t)l.m * sizeof *l.weights);
    for (int64_t i = 0; i < g->m; i++) {
        int64_t j = ri_below(rng, i + 1);
        l.from[i] = l.from[j], l.to[i] = l.to[j], l.weights[i] = l.weights[j];
        l.from[j] = g->edges[i].from, l.to[j] = g->edges[i].to, l.weights[j] = g->edges[i].weight;
    }
    for (int64_t i = g->m; i < l.m; i++) {
        l.from[i] = (int32_t)ri_below(rng, g->n), l.to[i] = (int32_t)ri_below(rng, g->n);
        if (ri_is_real(g->type))
            l.weights[i].f = 0.5;
        else
            l.weights[i].i = ri_between(rng, -1, 3);
    }
    return l;
}

static fr_load_options directions(const ri_case *c) {
    fr_load_options o = FR_INIT(fr_load_options);
    o.direction = c->graph.undirected ? FR_DIRECTION_UNDIRECTED : FR_DIRECTION_DIRECTED;
    return o;
}

static fr_graph *from_lists(ri_case *c, const lists *l, fr_type type, bool keep) {
    fr_load_options options = directions(c);
    fr_graph *made = NULL;
    void *weights = typed(c, l->weights, l->m, type);
    RI_OK(c,
          fr_graph_from_edges(c->ctx, l->n, l->m, l->from, l->to, weights, type, &options, &made));
    if (keep)
        RI_FREE_AT_END(c, fr_graph_free, made);
    return made;
}

static fr_graph *plainly(ri_case *c, ri_rng *rng) {
    lists l = shuffled(c, rng, 0);
    return from_lists(c, &l, c->graph.type, true);
}

static fr_graph *by_pairs(ri_case *c, ri_rng *rng) {
    lists l = shuffled(c, rng, 0);
    fr_load_options options = directions(c);
    fr_arrays a = FR_INIT(fr_arrays);
    fr_graph *made = NULL;
    a.n = l.n, a.m = l.m, a.weight_type = c->graph.type;
    a.weights = typed(c, l.weights, l.m, c->graph.type);
    a.copy = ri_chance(rng, 50);
    a.vertex_type = ri_chance(rng, 50) ? FR_TYPE_I64 : ri_chance(rng, 50) ? FR_TYPE_I32 : 0;
    a.sources = a.vertex_type == FR_TYPE_I64 ? wide(c, l.from, l.m) : l.from;
    a.targets = a.vertex_type == FR_TYPE_I64 ? wide(c, l.to, l.m) : l.to;
    RI_OK(c, fr_graph_from_arrays(c->ctx, &a, &options, &made));
    RI_FREE_AT_END(c, fr_graph_free, made);
    return made;
}

typedef struct rows {
    int64_t *offsets;
    int32_t *offsets32, *targets;
    void *weights;
} rows;

static rows rows_of(ri_case *c, const ri_arcs *s) {
    rows r = {ri_alloc(c, (size_t)(s->n + 1) * 8), ri_alloc(c, (size_t)(s->n + 1) * 4),
              ri_alloc(c, (size_t)s->m * 4), NULL};
    ri_weight *w = ri_alloc(c, (size_t)s->m * sizeof *w);
    for (int64_t e = 0; e < s->m; e++) {
        r.offsets[s->arcs[e].from + 1]++;
        r.targets[e] = s->arcs[e].to;
        w[e] = s->arcs[e].weight;
    }
    for (int32_t v = 0; v < s->n; v++)
        r.offsets[v + 1] += r.offsets[v];
    for (int32_t v = 0; v <= s->n; v++)
        r.offsets32[v] = (int32_t)r.offsets[v];
    r.weights = typed(c, w, s->m, s->type);
    return r;
}

static fr_graph *by_rows(ri_case *c, ri_rng *rng) {
    rows r = rows_of(c, &c->stored);
    fr_arrays a = FR_INIT(fr_arrays);
    fr_graph *made = NULL;
    a.n = c->stored.n, a.m = c->stored.m, a.weight_type = c->graph.type;
    a.copy = ri_chance(rng, 50);
    a.vertex_type = ri_chance(rng, 30) ? FR_TYPE_I64 : FR_TYPE_NONE;
    a.offset_type = ri_chance(rng, 30) ? FR_TYPE_I32 : FR_TYPE_NONE;
    a.offsets = a.offset_type ? (const void *)r.offsets32 : r.offsets;
    a.targets = a.vertex_type ? wide(c, r.targets, a.m) : r.targets;
    a.weights = r.weights;
    RI_OK(c, fr_graph_from_arrays(c->ctx, &a, NULL, &made));
    RI_FREE_AT_END(c, fr_graph_free, made);
    ri_no_twins(&c->stored); /* each entry is a directed edge */
    return made;
}

static fr_graph *by_csr(ri_case *c) {
    rows r = rows_of(c, &c->stored);
    fr_graph *made = NULL;
    fr_csr csr = {c->stored.n, c->stored.m,   r.offsets,          r.targets,
                  r.weights,   c->graph.type, c->graph.undirected};
    RI_OK(c, fr_graph_from_csr(c->ctx, &csr, &made));
    RI_FREE_AT_END(c, fr_graph_free, made);
    return made;
}

/* Whether files of the format say that a graph is undirected; others list both directions. */
static bool says_undirected(const char *format) {
    static const char *const names[] = {"mtx", "pajek", "ldbc", "sg", "wsg", "fringe", "metis"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(format, names[i]) == 0)
            return true;
    return false;
}

/* Through a file in memory, written by the library, of a format that takes the graph. */
static fr_graph *by_file(ri_case *c, ri_rng *rng) {
    fr_graph *plain = plainly(c, rng), *made = NULL;
    int formats = 0;
    while (fr_format_name(formats))
        formats++;
    const char *format = fr_format_name((int)ri_below(rng, formats));
    if (c->graph.m == 0 && strcmp(format, "fringe") != 0)
        return plain; /* text without edges does not say of which type weights are */
    void *bytes = NULL;
    size_t size = 0;
    fr_status s = RI_DO(c, fr_graph_write_memory(c->ctx, plain, format, &bytes, &size));
    if (s == FR_INVALID || s == FR_UNSUPPORTED)
        return plain; /* the format cannot hold it */
    ri_ok(c, s, "fr_graph_write_memory");
    fr_load_options options = FR_INIT(fr_load_options);
    options.format = format;
    options.weight_type = c->graph.type;
    options.weights = c->graph.type ? FR_WEIGHTS_FILE : FR_WEIGHTS_NONE;
    if (strcmp(format, "snap") == 0 || strcmp(format, "el") == 0 || strcmp(format, "wel") == 0)
        options.direction = FR_DIRECTION_DIRECTED; /* both directions are in the file */
    s = RI_DO(c, fr_graph_load_memory(c->ctx, bytes, size, &options, &made));
    fr_memory_free(bytes);
    if (ri_is_excused(c, s))
        ri_stop(c);
    RI_CHECK(c, !s, "%s: a file written as %s is not read: %s", fr_status_name(s), format,
             fr_ctx_error(c->ctx));
    RI_FREE_AT_END(c, fr_graph_free, made);
    if (strcmp(format, "metis") == 0) {
        c->stored.twin = ri_twins(c, &c->stored);
        c->stored.undirected = true;
    } else if (!says_undirected(format))
        ri_no_twins(&c->stored);
    return made;
}

static fr_graph *by_set_weights(ri_case *c, ri_rng *rng) {
    lists l = shuffled(c, rng, 0);
    fr_graph *plain = from_lists(c, &l, FR_TYPE_NONE, true), *made = NULL;
    rows r = rows_of(c, &c->stored);
    RI_OK(c, fr_graph_set_weights(c->ctx, plain, r.weights, c->graph.type, &made));
    RI_FREE_AT_END(c, fr_graph_free, made);
    return made;
}

static fr_graph *by_transpose(ri_case *c, ri_rng *rng) {
    lists l = shuffled(c, rng, 0);
    int32_t *from = l.from;
    l.from = l.to, l.to = from;
    fr_graph *turned = from_lists(c, &l, c->graph.type, true), *made = NULL;
    RI_OK(c, fr_graph_transpose(c->ctx, turned, &made));
    RI_FREE_AT_END(c, fr_graph_free, made);
    return made;
}

/* With further edges, which are closed. */
static fr_graph *by_filter(ri_case *c, ri_rng *rng) {
    ri_case more = *c; /* shares the blocks; only its graph differs */
    lists l = shuffled(c, rng, 1 + ri_below(rng, 6));
    more.graph.m = l.m;
    more.graph.edges = ri_alloc(c, (size_t)l.m * sizeof *more.graph.edges);
    for (int64_t i = 0; i < l.m; i++)
        more.graph.edges[i] = (ri_edge){l.from[i], l.to[i], l.weights[i]};
    more.blocks = c->blocks;
    ri_store(&more);
    c->blocks = more.blocks;
    fr_graph *wide_graph = from_lists(c, &l, c->graph.type, true), *made = NULL;
    uint64_t *closed = ri_alloc(c, (size_t)(more.stored.m / 64 + 1) * 8);
    for (int64_t e = 0; e < more.stored.m; e++)
        if (more.stored.given[e] >= c->graph.m)
            closed[e / 64] |= UINT64_C(1) << (e % 64);
    RI_OK(c, fr_graph_filter(c->ctx, wide_graph, NULL, closed, &made));
    RI_FREE_AT_END(c, fr_graph_free, made);
    return made;
}

/* With further vertices, which are left out. */
static fr_graph *by_subgraph(ri_case *c, ri_rng *rng) {
    lists l = shuffled(c, rng, 0);
    const int32_t n = l.n, more = n + 1 + (int32_t)ri_below(rng, 4);
    int32_t *place = ri_alloc(c, (size_t)n * sizeof *place), at = 0;
    for (int32_t v = 0; v < n; v++) {
        while (at < more - (n - v) && ri_chance(rng, 30))
            at++;
        place[v] = at++;
    }
    for (int64_t i = 0; i < l.m; i++)
        l.from[i] = place[l.from[i]], l.to[i] = place[l.to[i]];
    l.n = more;
    fr_graph *large = from_lists(c, &l, c->graph.type, true), *made = NULL;
    int32_t *map = ri_out(c, (size_t)more * sizeof *map);
    RI_OK(c, fr_graph_subgraph(c->ctx, large, place, n, map, &made));
    RI_FREE_AT_END(c, fr_graph_free, made);
    for (int32_t v = 0; v < n; v++) {
        RI_CHECK(c, map[place[v]] == v, "fr_graph_subgraph: map[%d] is %d, not %d", place[v],
                 map[place[v]], v);
        RI_CHECK(c, fr_graph_id(made, v) == place[v], "vertex %d of a subgraph has id %lld", v,
                 (long long)fr_graph_id(made, v));
    }
    return made;
}

static void *on_device(ri_case *c, const void *from, size_t bytes) {
    void *made = ri_out_at(c, RI_DEVICE, bytes);
    ri_place_copy(made, from, bytes);
    return made;
}

static fr_graph *by_device_csr(ri_case *c, ri_rng *rng) {
    rows r = rows_of(c, &c->stored);
    fr_device_csr csr = FR_INIT(fr_device_csr);
    fr_graph *made = NULL;
    const size_t n = (size_t)c->stored.n, m = (size_t)c->stored.m;
    csr.n = c->stored.n, csr.m = c->stored.m;
    csr.offset_type = ri_chance(rng, 50) ? FR_TYPE_I32 : FR_TYPE_I64;
    csr.offsets = csr.offset_type == FR_TYPE_I32 ? on_device(c, r.offsets32, 4 * (n + 1))
                                                 : on_device(c, r.offsets, 8 * (n + 1));
    csr.targets = on_device(c, r.targets, 4 * m);
    csr.weight_type = c->graph.type;
    csr.weights = r.weights ? on_device(c, r.weights, m * fr_type_size(c->graph.type)) : NULL;
    csr.symmetric = c->graph.undirected;
    RI_OK(c, fr_graph_from_device_csr(c->ctx, &csr, &made));
    RI_FREE_AT_END(c, fr_graph_free, made);
    return made;
}

/* ---- the rows ------------------------------------------------------------------------------------------ */

static bool same_weight(const fr_csr *csr, int64_t e, ri_weight w) {
    switch (csr->weight_type) {
    case FR_TYPE_NONE: return true;
    case FR_TYPE_I32: return ((const int32_t *)csr->weights)[e] == w.i;
    case FR_TYPE_I64: return ((const int64_t *)csr->weights)[e] == w.i;
    case FR_TYPE_F32: return ((const float *)csr->weights)[e] == (float)w.f;
    default: return ((const double *)csr->weights)[e] == w.f;
    }
}

static void check_rows(ri_case *c, const fr_graph *graph) {
    const ri_arcs *s = &c->stored;
    const fr_csr *csr = fr_graph_csr(graph);
    RI_CHECK(c, csr->n == s->n && csr->m == s->m && csr->weight_type == s->type,
             "the graph has %d vertices, %lld edges, %s; not %d, %lld, %s", csr->n,
             (long long)csr->m, fr_type_name(csr->weight_type), s->n, (long long)s->m,
             fr_type_name(s->type));
    int64_t e = 0;
    for (int32_t u = 0; u < s->n; u++)
        for (RI_CHECK(c, csr->offsets[u] == e, "row %d begins at %lld", u,
                      (long long)csr->offsets[u]);
             e < s->m && s->arcs[e].from == u; e++)
            RI_CHECK(c, csr->targets[e] == s->arcs[e].to && same_weight(csr, e, s->arcs[e].weight),
                     "stored edge %lld is not %d -> %d with its weight", (long long)e, u,
                     s->arcs[e].to);
    RI_CHECK(c, csr->offsets[s->n] == s->m, "offsets end at %lld", (long long)csr->offsets[s->n]);
}

/* A directed graph may be symmetric, too. Arrays are compared only where memory suffices. */
static void check_symmetry(ri_case *c, const fr_graph *graph) {
    const bool symmetric = fr_graph_is_symmetric(graph);
    const bool is_short = ri_at(c, -1, RI_MAX_MEMORY) > 0;
    RI_CHECK(c, is_short || fr_graph_is_undirected(graph) == c->stored.undirected,
             "it is called %s", c->stored.undirected ? "directed" : "undirected");
    RI_CHECK(c, !symmetric || ri_twins(c, &c->stored), "a graph is called symmetric that is not");
}

static fr_graph *make(ri_case *c, ri_rng *rng) {
    switch ((ri_way)ri_at(c, -1, RI_MADE_BY)) {
    case RI_BY_PAIRS: return by_pairs(c, rng);
    case RI_BY_ROWS: return by_rows(c, rng);
    case RI_BY_CSR: return by_csr(c);
    case RI_BY_FILE: return by_file(c, rng);
    case RI_BY_SET_WEIGHTS: return by_set_weights(c, rng);
    case RI_BY_TRANSPOSE: return by_transpose(c, rng);
    case RI_BY_FILTER: return by_filter(c, rng);
    case RI_BY_SUBGRAPH: return by_subgraph(c, rng);
    case RI_BY_DEVICE: return ri_have_gpu() ? by_device_csr(c, rng) : by_csr(c);
    case RI_BY_EDGES: break;
    }
    return plainly(c, rng);
}

fr_graph *ri_make_graph(ri_case *c) {
    ri_rng rng = ri_run_rng(c);
    ri_context(c);
    fr_graph *graph = make(c, &rng);
    check_symmetry(c, graph);
    if (ri_at(c, -1, RI_MADE_BY) != RI_BY_DEVICE || !ri_have_gpu())
        check_rows(c, graph);
    return graph;
}
