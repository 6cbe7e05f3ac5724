/* What makes one graph of another, what is asked of a graph, and negative cycles. */
#include "measures.h"
#include "solve.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AT(option) [(option)-RI_FRAME_OPTIONS]

typedef enum operation {
    TRANSPOSE,
    FILTER,
    SUBGRAPH,
    SET_WEIGHTS,
    STATISTICS,
    LOOK_UP,
    REDUCE
} operation;
static const char *const operations[] = {"transpose",  "filter",  "subgraph", "set_weights",
                                         "statistics", "look_up", "reduce",   NULL};
enum {
    OP_WHAT = RI_FRAME_OPTIONS,
    OP_VERTICES, /* closed or kept */
    OP_EDGES,    /* closed */
    OP_TYPE,     /* of new weights */
    OP_EVEN,     /* new weights are the same in both directions */
    OP_NO_MAP,
    OP_LOOPS, /* drop_loops */
    OP_PARALLEL,
    OP_ROWS /* from rows that are not sorted, not from pairs */
};
static const char *const types[] = {"none", "int32", "int64", "float32", "float64", NULL};
static const ri_option options[] = {
    AT(OP_WHAT) = {.name = "operation", .kind = RI_NAME, .names = operations, .least = 1},
    AT(OP_VERTICES) = {.name = "vertices", .kind = RI_VERTICES},
    AT(OP_EDGES) = {.name = "closed_edges", .kind = RI_EDGES},
    AT(OP_TYPE) = {.name = "new_type", .kind = RI_NAME, .names = types},
    AT(OP_EVEN) = {.name = "even"},
    AT(OP_NO_MAP) = {.name = "no_map"},
    AT(OP_LOOPS) = {.name = "drop_loops"},
    AT(OP_PARALLEL) = {.name = "drop_parallel"},
    AT(OP_ROWS) = {.name = "rows"},
    {0},
};

static void draw(ri_case *c, ri_rng *rng) {
    const int64_t n = c->graph.n, m = c->graph.m;
    int32_t some[16];
    int64_t count = m ? ri_below(rng, 16) : 0;
    ri_of(c, -1, OP_WHAT)->number = ri_below(rng, 7);
    if (ri_chance(rng, 80))
        me_draw_vertices(c, rng, ri_of(c, -1, OP_VERTICES), ri_below(rng, n < 60 ? n + 2 : 60));
    for (int64_t i = 0; i < count; i++)
        some[i] = (int32_t)ri_below(rng, m);
    ri_set_list(ri_of(c, -1, OP_EDGES), some, count);
    ri_of(c, -1, OP_TYPE)->number = ri_below(rng, 5);
    ri_of(c, -1, OP_EVEN)->number = ri_chance(rng, 50);
    ri_of(c, -1, OP_NO_MAP)->number = ri_chance(rng, 20);
    for (int option = OP_LOOPS; option <= OP_ROWS; option++)
        ri_of(c, -1, option)->number = ri_chance(rng, 50);
}

/* ---- rows ------------------------------------------------------------------------------------------ */

static fr_type sorted_type;
static int by_row(const void *first, const void *second) {
    const ri_edge *a = first, *b = second;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    if (ri_is_real(sorted_type))
        return (a->weight.f > b->weight.f) - (a->weight.f < b->weight.f);
    return (a->weight.i > b->weight.i) - (a->weight.i < b->weight.i);
}

static ri_weight weight_at(const fr_csr *csr, int64_t e) {
    ri_weight w = {.i = 1};
    switch (csr->weight_type) {
    case FR_TYPE_I32: w.i = ((const int32_t *)csr->weights)[e]; break;
    case FR_TYPE_I64: w.i = ((const int64_t *)csr->weights)[e]; break;
    case FR_TYPE_F32: w.f = (double)((const float *)csr->weights)[e]; break;
    case FR_TYPE_F64: w.f = ((const double *)csr->weights)[e]; break;
    default: break;
    }
    return w;
}

void me_check_arcs(ri_case *c, const fr_graph *graph, ri_arcs *want) {
    RI_OK(c, fr_graph_check(c->ctx, graph));
    const fr_csr *csr = fr_graph_csr(graph);
    sorted_type = want->type;
    if (want->m)
        qsort(want->arcs, (size_t)want->m, sizeof *want->arcs, by_row);
    RI_CHECK(c, csr->n == want->n && csr->m == want->m && csr->weight_type == want->type,
             "the graph has %d vertices, %lld edges, %s; not %d, %lld, %s", csr->n,
             (long long)csr->m, fr_type_name(csr->weight_type), want->n, (long long)want->m,
             fr_type_name(want->type));
    int64_t e = 0;
    for (int32_t u = 0; u < want->n; u++) {
        RI_CHECK(c, csr->offsets[u] == e, "row %d begins at %lld", u, (long long)csr->offsets[u]);
        for (; e < want->m && want->arcs[e].from == u; e++) {
            const ri_weight w = weight_at(csr, e);
            RI_CHECK(c,
                     csr->targets[e] == want->arcs[e].to &&
                         (ri_is_real(want->type) ? w.f == want->arcs[e].weight.f
                                                 : w.i == want->arcs[e].weight.i),
                     "stored edge %lld, %d -> %d, is not %d -> %d with its weight", (long long)e, u,
                     csr->targets[e], u, want->arcs[e].to);
        }
    }
    RI_CHECK(c, csr->offsets[want->n] == want->m, "offsets end at %lld",
             (long long)csr->offsets[want->n]);
    RI_CHECK(c, csr->symmetric == fr_graph_is_symmetric(graph), "two answers about symmetry");
    RI_CHECK(c, !csr->symmetric || ri_twins(c, want), "it is called symmetric and is not");
}

static ri_arcs copy_of(ri_case *c) {
    ri_arcs s = c->stored;
    s.arcs = ri_alloc(c, (size_t)s.m * sizeof *s.arcs);
    if (s.m)
        memcpy(s.arcs, c->stored.arcs, (size_t)s.m * sizeof *s.arcs);
    return s;
}

/* ---- operations ---------------------------------------------------------------------------------------- */

static bool *flags_of(ri_case *c, int option, int64_t count) {
    const ri_setting *set = ri_of(c, -1, option);
    bool *flags = ri_alloc(c, (size_t)count);
    for (int64_t i = 0; i < set->count; i++)
        flags[set->list[i]] = true;
    return flags;
}

static void transpose(ri_case *c, const fr_graph *graph) {
    fr_graph *made = NULL, *back = NULL;
    ri_arcs want = copy_of(c), twice = copy_of(c);
    RI_OK(c, fr_graph_transpose(c->ctx, graph, &made));
    RI_FREE_AT_END(c, fr_graph_free, made);
    for (int64_t e = 0; e < want.m; e++) {
        want.arcs[e].from = c->stored.arcs[e].to;
        want.arcs[e].to = c->stored.arcs[e].from;
    }
    me_check_arcs(c, made, &want);
    RI_OK(c, fr_graph_transpose(c->ctx, made, &back));
    RI_FREE_AT_END(c, fr_graph_free, back);
    me_check_arcs(c, back, &twice);
}

static void filter(ri_case *c, const fr_graph *graph) {
    const ri_setting *vertices = ri_of(c, -1, OP_VERTICES), *edges = ri_of(c, -1, OP_EDGES);
    const bool *closed = flags_of(c, OP_VERTICES, c->graph.n),
               *given = flags_of(c, OP_EDGES, c->graph.m);
    bool *arcs = ri_alloc(c, (size_t)c->stored.m);
    fr_graph *made = NULL;
    for (int64_t e = 0; e < c->stored.m; e++) /* of two directions one suffices */
        arcs[e] = given[c->stored.given[e]] && (e % 3 || c->stored.twin[e] <= e);
    ri_arcs want = ri_view(c, &c->stored, closed, arcs, false, false);
    RI_OK(c, fr_graph_filter(c->ctx, graph, vertices->count ? me_bits(c, closed, c->graph.n) : NULL,
                             edges->count ? me_bits(c, arcs, c->stored.m) : NULL, &made));
    RI_FREE_AT_END(c, fr_graph_free, made);
    me_check_arcs(c, made, &want);
    for (int32_t v = 0; v < c->graph.n; v++)
        RI_CHECK(c, fr_graph_id(made, v) == fr_graph_id(graph, v), "vertex %d has another id", v);
}

static void subgraph(ri_case *c, const fr_graph *graph) {
    const ri_setting *vertices = ri_of(c, -1, OP_VERTICES);
    const bool *kept = flags_of(c, OP_VERTICES, c->graph.n), no_map = ri_at(c, -1, OP_NO_MAP);
    int32_t *map = ri_out(c, (size_t)c->graph.n * 4), count = 0;
    int32_t *want_map = ri_alloc(c, (size_t)c->graph.n * 4);
    ri_arcs want = copy_of(c);
    fr_graph *made = NULL;
    RI_OK(c, fr_graph_subgraph(c->ctx, graph, vertices->list, vertices->count, no_map ? NULL : map,
                               &made));
    RI_FREE_AT_END(c, fr_graph_free, made);
    for (int32_t v = 0; v < c->graph.n; v++)
        want_map[v] = kept[v] ? count++ : -1;
    want.n = count, want.m = 0;
    for (int64_t e = 0; e < c->stored.m; e++) {
        const ri_edge a = c->stored.arcs[e];
        if (kept[a.from] && kept[a.to])
            want.arcs[want.m++] = (ri_edge){want_map[a.from], want_map[a.to], a.weight};
    }
    me_check_arcs(c, made, &want);
    for (int32_t v = 0; v < c->graph.n; v++) {
        RI_CHECK(c, no_map || map[v] == want_map[v], "map[%d] is %d, not %d", v, map[v],
                 want_map[v]);
        if (kept[v])
            RI_CHECK(c, fr_graph_id(made, want_map[v]) == fr_graph_id(graph, v),
                     "vertex %d has another id", want_map[v]);
    }
}

static void put(void *to, fr_type type, int64_t e, ri_weight *w, int64_t number) {
    switch (type) {
    case FR_TYPE_I32: w->i = ((int32_t *)to)[e] = (int32_t)number; break;
    case FR_TYPE_I64: w->i = ((int64_t *)to)[e] = number * INT64_C(3000000000); break;
    case FR_TYPE_F32: w->f = (double)(((float *)to)[e] = (float)number * 0.3f); break;
    case FR_TYPE_F64: w->f = ((double *)to)[e] = (double)number / 7; break;
    default: w->i = 1;
    }
}

static void set_weights(ri_case *c, const fr_graph *graph) {
    ri_rng rng = ri_run_rng(c);
    const fr_type type = (fr_type)ri_at(c, -1, OP_TYPE);
    const bool even = ri_at(c, -1, OP_EVEN) && fr_graph_is_symmetric(graph);
    const int64_t *twin = even ? ri_twins(c, &c->stored) : NULL;
    void *weights = ri_alloc(c, (size_t)c->stored.m * 8);
    int64_t *number = ri_alloc(c, (size_t)c->stored.m * 8);
    ri_arcs want = copy_of(c);
    fr_graph *made = NULL;
    want.type = type;
    for (int64_t e = 0; e < want.m; e++) {
        number[e] = ri_between(&rng, -3, 9);
        if (twin && twin[e] < e)
            number[e] = number[twin[e]];
        put(weights, type, e, &want.arcs[e].weight, number[e]);
    }
    RI_OK(c, fr_graph_set_weights(c->ctx, graph, type ? weights : NULL, type, &made));
    RI_FREE_AT_END(c, fr_graph_free, made);
    me_check_arcs(c, made, &want);
    if ((even || type == FR_TYPE_NONE) && fr_graph_is_symmetric(graph))
        RI_CHECK(c, fr_graph_is_symmetric(made), "it is symmetric and not called so");
}

/* Arrays of edges of which some are dropped. */
static void reduce(ri_case *c, const fr_graph *graph) {
    const bool loops = ri_at(c, -1, OP_LOOPS), parallel = ri_at(c, -1, OP_PARALLEL);
    const size_t n = (size_t)c->graph.n, m = (size_t)c->graph.m;
    int64_t *offsets = ri_alloc(c, (n + 2) * 8);
    int32_t *from = ri_alloc(c, m * 4), *to = ri_alloc(c, m * 4);
    void *weights = ri_alloc(c, m * 8);
    fr_load_options o = FR_INIT(fr_load_options);
    fr_arrays a = FR_INIT(fr_arrays);
    fr_graph *made = NULL;
    (void)graph;
    for (size_t e = 0; e < m; e++)
        offsets[c->graph.edges[e].from + 2]++;
    for (size_t v = 0; v < n; v++)
        offsets[v + 2] += offsets[v + 1];
    for (size_t e = 0; e < m; e++) {
        const ri_edge *edge = &c->graph.edges[e];
        const int64_t at = offsets[edge->from + 1]++;
        from[at] = edge->from, to[at] = edge->to;
        switch (c->graph.type) {
        case FR_TYPE_I32: ((int32_t *)weights)[at] = (int32_t)edge->weight.i; break;
        case FR_TYPE_I64: ((int64_t *)weights)[at] = edge->weight.i; break;
        case FR_TYPE_F32: ((float *)weights)[at] = (float)edge->weight.f; break;
        case FR_TYPE_F64: ((double *)weights)[at] = edge->weight.f; break;
        default: break;
        }
    }
    a.n = c->graph.n, a.m = c->graph.m, a.targets = to;
    a.weights = c->graph.type ? weights : NULL, a.weight_type = c->graph.type;
    if (ri_at(c, -1, OP_ROWS))
        a.offsets = offsets;
    else
        a.sources = from;
    o.direction = c->graph.undirected ? FR_DIRECTION_UNDIRECTED : FR_DIRECTION_DIRECTED;
    o.drop_loops = loops, o.drop_parallel = parallel;
    RI_OK(c, fr_graph_from_arrays(c->ctx, &a, &o, &made));
    RI_FREE_AT_END(c, fr_graph_free, made);
    ri_arcs want = copy_of(c);
    want.m = 0;
    for (int64_t e = 0; e < c->stored.m; e++) { /* of parallel edges the lightest is the first */
        const ri_edge *arc = &c->stored.arcs[e];
        const bool again = e && arc[-1].from == arc->from && arc[-1].to == arc->to;
        if (!(loops && arc->from == arc->to) && !(parallel && again))
            want.arcs[want.m++] = *arc;
    }
    me_check_arcs(c, made, &want);
}

/* ---- questions ------------------------------------------------------------------------------------------ */

static void look_up(ri_case *c, const fr_graph *graph) {
    const ri_arcs *s = &c->stored;
    const fr_csr *csr;
    RI_OK(c, fr_graph_check(c->ctx, graph));
    csr = fr_graph_csr(graph);
    for (int32_t v = 0; v < s->n; v++)
        RI_CHECK(c, fr_graph_vertex(graph, fr_graph_id(graph, v)) == v,
                 "vertex %d is not that of its id", v);
    for (int64_t i = 0; i < 40 && s->n; i++) {
        const int32_t u = (int32_t)((i * 7 + 1) % s->n);
        const int32_t v = i % 2 && s->m ? s->arcs[i * 13 % s->m].to : (int32_t)(i % (s->n + 1));
        int64_t count = -5, first = -1, number = 0;
        for (int64_t e = 0; e < s->m; e++)
            if (s->arcs[e].from == u && s->arcs[e].to == v) {
                first = first < 0 ? e : first;
                number++;
            }
        const int64_t found = fr_graph_edge(graph, u, v, &count);
        RI_CHECK(c, found == first && count == number,
                 "edge %d -> %d: %lld and %lld, not %lld, %lld", u, v, (long long)found,
                 (long long)count, (long long)first, (long long)number);
    }
    RI_CHECK(c,
             fr_graph_vertex_count(graph) == s->n && fr_graph_edge_count(graph) == s->m &&
                 fr_graph_weight_type(graph) == s->type && csr->n == s->n,
             "counts differ");
}

static int bin_of(int64_t x) {
    int bin = 0;
    for (; x > 0; x >>= 1)
        bin++;
    return bin < FR_DEGREE_BINS ? bin : FR_DEGREE_BINS - 1;
}

/* The largest number of hops between two vertices of a component, edges taken both ways. */
static int32_t diameter_of(ri_case *c, const int32_t *label, int32_t component) {
    ri_arcs both = {.n = c->stored.n, .type = FR_TYPE_NONE};
    both.arcs = ri_alloc(c, (size_t)c->stored.m * 2 * sizeof *both.arcs);
    for (int64_t e = 0; e < c->stored.m; e++) {
        const ri_edge a = c->stored.arcs[e];
        both.arcs[both.m++] = a;
        both.arcs[both.m++] = (ri_edge){a.to, a.from, a.weight};
    }
    int32_t most = 0;
    for (int32_t v = 0; v < both.n; v++) {
        if (label[v] != component)
            continue;
        const int32_t *level = ri_levels(c, &both, &v, 1);
        for (int32_t u = 0; u < both.n; u++)
            most = level[u] > most ? level[u] : most;
    }
    return most;
}

static void check_weights(ri_case *c, const fr_graph_stats *s) {
    int64_t negative = 0, loops = 0, parallel = 0, low = INT64_MAX, high = INT64_MIN;
    double least = INFINITY, most = -INFINITY;
    const bool real = ri_is_real(c->stored.type), none = c->stored.type == FR_TYPE_NONE;
    for (int64_t e = 0; e < c->stored.m; e++) {
        const ri_edge *a = &c->stored.arcs[e];
        const double w = real ? a->weight.f : (double)a->weight.i;
        negative += w < 0;
        loops += a->from == a->to;
        parallel += e && a[-1].from == a->from && a[-1].to == a->to;
        least = fmin(least, w), most = fmax(most, w);
        low = !real && a->weight.i < low ? a->weight.i : low;
        high = !real && a->weight.i > high ? a->weight.i : high;
    }
    RI_CHECK(
        c, s->negative_edges == negative && s->self_loops == loops && s->parallel_edges == parallel,
        "%lld negative, %lld loops, %lld parallel; not %lld, %lld, %lld",
        (long long)s->negative_edges, (long long)s->self_loops, (long long)s->parallel_edges,
        (long long)negative, (long long)loops, (long long)parallel);
    if (!c->stored.m)
        return;
    RI_CHECK(c, s->weight_min == (none ? 0 : least) && s->weight_max == (none ? 0 : most),
             "weights from %.17g to %.17g", s->weight_min, s->weight_max);
    RI_CHECK(c,
             s->int_weight_min == (real || none ? 0 : low) &&
                 s->int_weight_max == (real || none ? 0 : high),
             "whole weights from %lld to %lld", (long long)s->int_weight_min,
             (long long)s->int_weight_max);
}

static void check_degrees(ri_case *c, const fr_graph_stats *s) {
    const int32_t n = c->stored.n;
    int64_t *degree = ri_alloc(c, (size_t)n * 8), bins[FR_DEGREE_BINS] = {0};
    bool *touched = ri_alloc(c, (size_t)n);
    int64_t most = 0, isolated = 0;
    double squares = 0;
    for (int64_t e = 0; e < c->stored.m; e++) {
        degree[c->stored.arcs[e].from]++;
        touched[c->stored.arcs[e].from] = touched[c->stored.arcs[e].to] = true;
    }
    for (int32_t v = 0; v < n; v++) {
        most = degree[v] > most ? degree[v] : most;
        squares += (double)(degree[v] * degree[v]);
        isolated += !touched[v];
        bins[bin_of(degree[v])]++;
    }
    const double mean = n ? (double)c->stored.m / n : 0;
    const double variance = n ? squares / n - mean * mean : 0;
    RI_CHECK(
        c, s->degree_max == most && s->isolated == isolated && me_near(s->degree_mean, mean, 1e-12),
        "degrees: %d, %d isolated, mean %g; not %lld, %lld, %g", s->degree_max, s->isolated,
        s->degree_mean, (long long)most, (long long)isolated, mean);
    RI_CHECK(c, fabs(s->degree_stddev * s->degree_stddev - variance) <= 1e-9 * (1 + variance),
             "the standard deviation is %g, not %g", s->degree_stddev, sqrt(variance));
    RI_CHECK(c, memcmp(bins, s->degree_histogram, sizeof bins) == 0, "the histogram of degrees");
    int64_t times = 0, best = 0;
    for (int32_t v = 0; v < n; v++) {
        int64_t same = 0;
        for (int32_t u = 0; u < n; u++)
            same += degree[u] == degree[v];
        best = same > best ? same : best;
        times = degree[v] == s->degree_mode ? same : times;
    }
    RI_CHECK(c, times == best, "degree %d is not the most frequent", s->degree_mode);
}

static void statistics(ri_case *c, const fr_graph *graph) {
    fr_graph_stats s = FR_INIT(fr_graph_stats);
    const size_t n = (size_t)c->stored.n;
    int32_t *label = ri_alloc(c, n * 4), *size = ri_alloc(c, n * 4), largest = 0;
    int64_t bins[FR_DEGREE_BINS] = {0};
    RI_OK(c, fr_graph_compute_stats(c->ctx, graph, &s));
    RI_CHECK(c,
             s.n == c->stored.n && s.m == c->stored.m && s.weight_type == c->stored.type &&
                 s.symmetric == fr_graph_is_symmetric(graph),
             "sizes differ");
    check_weights(c, &s);
    check_degrees(c, &s);
    const int32_t count = me_components(c, false, label, size);
    for (int32_t i = 0; i < count; i++) {
        largest = size[i] > largest ? size[i] : largest;
        bins[bin_of(size[i])]++;
    }
    RI_CHECK(c, s.components == count && s.largest_component == largest,
             "%d components, the largest %d; not %d, %d", s.components, s.largest_component, count,
             largest);
    RI_CHECK(c, memcmp(bins, s.component_histogram, sizeof bins) == 0,
             "the histogram of components");
    int32_t high = 0, low = INT32_MAX; /* of the components of that size */
    for (int32_t i = 0; i < count && me_is_small(c); i++)
        if (size[i] == largest) {
            const int32_t d = diameter_of(c, label, i);
            high = d > high ? d : high;
            low = d < low ? d : low;
        }
    RI_CHECK(c,
             !me_is_small(c) || !n ||
                 (s.diameter_lower_bound <= high && 2 * s.diameter_lower_bound >= low),
             "a bound of the diameter is %d, it is %d", s.diameter_lower_bound, high);
}

static bool takes(const ri_case *c) { return c->graph.n <= 400; }

static void run(ri_case *c) {
    static void (*const run_of[])(ri_case *, const fr_graph *) = {
        transpose, filter, subgraph, set_weights, statistics, look_up, reduce};
    snprintf(c->what, sizeof c->what, "graph %s", operations[ri_at(c, -1, OP_WHAT)]);
    const fr_graph *graph = ri_make_graph(c);
    RI_OK(c, fr_graph_check(c->ctx, graph));
    run_of[ri_at(c, -1, OP_WHAT)](c, graph);
}

const ri_call ri_call_operations = {"operations", options, 8, draw, run, takes};

/* ---- negative cycles ------------------------------------------------------------------------------------ */

enum { CY_NO_CYCLE = RI_FRAME_OPTIONS, CY_VERIFY };
static const ri_option cycle_options[] = {
    AT(CY_NO_CYCLE) = {.name = "no_cycle"},
    AT(CY_VERIFY) = {.name = "verify"},
    {0},
};

static void draw_cycle(ri_case *c, ri_rng *rng) {
    me_draw_backend(c, rng);
    ri_of(c, -1, CY_NO_CYCLE)->number = ri_chance(rng, 20);
    ri_of(c, -1, CY_VERIFY)->number = ri_chance(rng, 50);
}

static bool takes_cycle(const ri_case *c) { return me_facts_of(c).negative || c->graph.m % 8 == 0; }

static void run_cycle(ri_case *c) {
    char why[512];
    const bool none = ri_at(c, -1, CY_NO_CYCLE);
    int32_t *cycle = ri_out(c, (size_t)c->graph.n * 4), *length = ri_out(c, 4);
    double *weight = ri_out(c, 8);
    fr_solver_options o = FR_INIT(fr_solver_options);
    o.backend = me_backend(c);
    snprintf(c->what, sizeof c->what, "cycle %s of %s", fr_backend_name(o.backend),
             c->graph.type ? fr_type_name(c->graph.type) : "none");
    fr_graph *graph = ri_make_graph(c);
    const fr_status s =
        RI_DO(c, fr_negative_cycle(c->ctx, graph, &o, none ? NULL : cycle, length, weight));
    if (ri_is_excused(c, s))
        ri_stop(c);
    so_row row = {.c = c,
                  .view = &c->stored,
                  .source_count = -1,
                  .negative = true,
                  .type = ri_is_real(c->graph.type) ? c->graph.type : FR_TYPE_I64};
    so_expect(&row);
    const so_answer answer = so_cycle(&row);
    if (s == FR_OVERFLOW) {
        RI_CHECK(c, me_facts_of(c).largest * (c->graph.n + 1.0) >= 0x1p62, "FR_OVERFLOW");
        ri_refuse(c);
        return;
    }
    RI_CHECK(c, s == FR_OK || s == FR_NEGATIVE_CYCLE, "%s: %s", fr_status_name(s),
             fr_ctx_error(c->ctx));
    RI_CHECK(c, answer == SO_MAY || (answer == SO_MUST) == (s == FR_NEGATIVE_CYCLE),
             "%s, but a negative cycle is %sthere", fr_status_name(s), answer ? "" : "not ");
    if (!s)
        RI_CHECK(c, *length == 0, "no cycle has %d vertices", *length);
    if (!s || none)
        return;
    RI_CHECK(c, so_cycle_is_right(&row, cycle, *length, *weight, why), "%s", why);
    if (!ri_at(c, -1, CY_VERIFY) || *weight < -DBL_MAX)
        return;
    RI_OK(c, fr_verify_cycle(c->ctx, graph, NULL, cycle, *length, *weight));
    const fr_status wrong = RI_DO(c, fr_verify_cycle(c->ctx, graph, NULL, cycle, *length, 1));
    RI_CHECK(c, wrong == FR_VERIFY_FAILED || ri_is_excused(c, wrong),
             "the checker takes a cycle of weight 1: %s", fr_status_name(wrong));
}

const ri_call ri_call_cycles = {"cycles", cycle_options, 5, draw_cycle, run_cycle, takes_cycle};
