#include "conformance/oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const cf_weights_name[] = {
    "none",         "i32",    "zero",     "f32",       "f64",        "negative", "huge",
    "wide",         "sevens", "unit-f32", "lognormal", "tenths-f32", "unit-f64", "exponential",
    "tenths-f64",   "i64",    "i64-40",   "i64-31",    "i64-53",     "i64-62",   "i64-over",
    "i64-negative", "cycles", "cycles-f", "i64-cycles"};

static void *need(size_t count, size_t size) {
    void *p = calloc(count + 1, size);
    if (!p)
        abort();
    return p;
}

/* A number in (0, 1] of 53 bits. */
static double draw_unit(uint64_t seed, int64_t i) {
    const uint64_t r =
        (uint64_t)cf_random(seed + 77, (uint64_t)i) << 32 | cf_random(seed + 78, (uint64_t)i);
    return (double)((r >> 11) + 1) * 0x1p-53;
}

/* Box and Muller. */
static double draw_normal(uint64_t seed, int64_t i) {
    return sqrt(-2 * log(draw_unit(seed, i))) * cos(2 * 3.14159265358979 * draw_unit(seed + 2, i));
}

/* The weight of edge i. A negative kind adds the difference of two potentials to a weight of at
 * least 1: edges may be negative, cycles are positive. */
static cf_number draw_weight(cf_weights kind, uint64_t seed, int64_t i, int32_t u, int32_t v,
                             int32_t n) {
    uint32_t r = cf_random(seed + 77, (uint64_t)i);
    switch (kind) {
    case CF_NONE: return 1;
    case CF_I32: return 1 + r % 255;
    case CF_ZERO: return r % 3;
    case CF_F32: return (cf_number)(1 + r % 800) / 8;
    case CF_F64: return (cf_number)(1 + r % 100000) / 1024;
    case CF_NEGATIVE:
        return (cf_number)(1 + r % 20) + cf_random(seed + 5, (uint64_t)u) % 16 -
               (cf_number)(cf_random(seed + 5, (uint64_t)v) % 16);
    case CF_HUGE: return (cf_number)(1 << 30) + r % 1000;
    case CF_WIDE: return 1 + r % (1 << 20);
    case CF_SEVENS: return 7;
    case CF_UNIT_F32: return (float)draw_unit(seed, i);
    case CF_LOGNORMAL: return (float)(100 * exp(1.5 * draw_normal(seed, i)));
    case CF_TENTHS_F32: return 0.1f;
    case CF_UNIT_F64: return draw_unit(seed, i);
    case CF_EXPONENTIAL: return -100 * log(draw_unit(seed, i));
    case CF_TENTHS_F64: return 0.1;
    case CF_I64: return 1 + r % 255;
    case CF_I64_40: return 1 + floorl((cf_number)draw_unit(seed, i) * (INT64_C(1) << 40));
    case CF_I64_31: return (cf_number)(INT64_C(1) << 31) - 500 + r % 1000;
    case CF_I64_53: return (cf_number)(INT64_C(1) << 53) - 5 + r % 11;
    case CF_I64_62: return (cf_number)((INT64_C(1) << 62) / (n + 1)) + r % 1000;
    case CF_I64_OVER: return (cf_number)(INT64_C(1) << 62) + r % 1000;
    case CF_I64_NEGATIVE:
        return (cf_number)(1 + r % 20) +
               ((cf_number)cf_random(seed + 5, (uint64_t)u) - cf_random(seed + 5, (uint64_t)v)) *
                   (1 << 22);
    case CF_I64_CYCLES: return ((cf_number)(r % 24) - 2) * ((INT64_C(1) << 44) + 1);
    case CF_CYCLES: return (cf_number)(r % 24) - 2;
    case CF_CYCLES_F: return ((cf_number)(r % 192) - 16) / 8;
    case CF_WEIGHTS_COUNT: break;
    }
    abort();
}

bool cf_is_negative(cf_weights kind) { return kind == CF_NEGATIVE || kind == CF_I64_NEGATIVE; }

fr_type cf_weight_type(cf_weights kind) {
    if ((kind >= CF_I64 && kind <= CF_I64_NEGATIVE) || kind == CF_I64_CYCLES)
        return FR_TYPE_I64;
    switch (kind) {
    case CF_NONE: return FR_TYPE_NONE;
    case CF_F32:
    case CF_UNIT_F32:
    case CF_LOGNORMAL:
    case CF_TENTHS_F32:
    case CF_CYCLES_F: return FR_TYPE_F32;
    case CF_F64:
    case CF_UNIT_F64:
    case CF_EXPONENTIAL:
    case CF_TENTHS_F64: return FR_TYPE_F64;
    default: return FR_TYPE_I32;
    }
}

/* The distance through edge k of a vertex at distance d. */
static cf_number sum(const cf_graph *g, bool unit, cf_number d, int64_t k) {
    const cf_number w = unit ? 1 : g->weight[k];
    const fr_type type = unit ? FR_TYPE_NONE : cf_weight_type(g->weights);
    return type == FR_TYPE_F32   ? (cf_number)((float)d + (float)w)
           : type == FR_TYPE_F64 ? (cf_number)((double)d + (double)w)
                                 : d + w;
}

/* The oracle's adjacency: an undirected edge counts in both directions, a loop once. */
static void adjacency(cf_graph *g, const cf_edges *e, const cf_number *weight) {
    g->offset = need((size_t)g->n + 1, sizeof *g->offset);
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < e->m; i++)
            for (int back = 0; back < (g->directed || e->ends[2 * i] == e->ends[2 * i + 1] ? 1 : 2);
                 back++) {
                int32_t u = e->ends[2 * i + back], v = e->ends[2 * i + 1 - back];
                int64_t at = pass ? --g->offset[u] : 0;
                if (!pass)
                    g->offset[u]++;
                else {
                    g->to[at] = v;
                    g->weight[at] = weight[i];
                }
            }
        if (pass)
            break;
        for (int32_t v = 0; v < g->n;
             v++) /* ends of rows; the second pass decrements them to the starts */
            g->offset[v + 1] += g->offset[v];
        g->m = g->n ? g->offset[g->n - 1] : 0;
        g->offset[g->n] = g->m;
        g->to = need((size_t)g->m, sizeof *g->to);
        g->weight = need((size_t)g->m, sizeof *g->weight);
    }
}

static void find_special(cf_graph *g) {
    char *touched = need((size_t)g->n, 1);
    g->hub = g->n ? 0 : -1;
    g->isolated = -1;
    for (int32_t u = 0; u < g->n; u++) {
        int64_t degree = g->offset[u + 1] - g->offset[u];
        if (degree > g->offset[g->hub + 1] - g->offset[g->hub])
            g->hub = u;
        touched[u] |= degree > 0;
        for (int64_t k = g->offset[u]; k < g->offset[u + 1]; k++)
            touched[g->to[k]] = 1;
    }
    for (int32_t u = 0; u < g->n; u++)
        if (!touched[u])
            g->isolated = u;
    free(touched);
}

/* The library's graph from the same edges. */
static void build(fr_ctx *ctx, cf_graph *g, const cf_edges *e, const cf_number *weight) {
    fr_type type = cf_weight_type(g->weights);
    int32_t *src = need((size_t)e->m, sizeof *src), *dst = need((size_t)e->m, sizeof *dst);
    void *typed = need((size_t)e->m, sizeof(double));
    for (int64_t i = 0; i < e->m; i++) {
        src[i] = e->ends[2 * i];
        dst[i] = e->ends[2 * i + 1];
        if (type == FR_TYPE_I32)
            ((int32_t *)typed)[i] = (int32_t)weight[i];
        else if (type == FR_TYPE_I64)
            ((int64_t *)typed)[i] = (int64_t)weight[i];
        else if (type == FR_TYPE_F32)
            ((float *)typed)[i] = (float)weight[i];
        else
            ((double *)typed)[i] = (double)weight[i];
    }
    fr_load_options options = {.direction =
                                   g->directed ? FR_DIRECTION_DIRECTED : FR_DIRECTION_UNDIRECTED};
    fr_status status = fr_graph_from_edges(ctx, e->n, e->m, src, dst, type ? typed : NULL, type,
                                           &options, &g->graph);
    if (status)
        printf("FAILED shape %s: fr_graph_from_edges: %s: %s\n", g->shape, fr_status_name(status),
               fr_ctx_error(ctx));
    free(src);
    free(dst);
    free(typed);
}

/* Takes the storage of `edges` and of `weight`. */
static cf_graph *assemble(fr_ctx *ctx, const char *name, cf_edges *edges, bool directed,
                          cf_weights weights, cf_number *weight) {
    cf_graph *g = need(1, sizeof *g);
    *g = (cf_graph){.shape = name, .weights = weights, .n = edges->n, .directed = directed};
    adjacency(g, edges, weight);
    find_special(g);
    build(ctx, g, edges, weight);
    free(weight);
    free(edges->ends);
    if (g->graph)
        return g;
    cf_graph_free(g);
    return NULL;
}

cf_graph *cf_graph_from(fr_ctx *ctx, const char *name, cf_edges *edges, bool directed,
                        cf_weights weights, uint64_t seed) {
    cf_number *weight = need((size_t)edges->m, sizeof *weight);
    for (int64_t i = 0; i < edges->m; i++)
        weight[i] =
            draw_weight(weights, seed, i, edges->ends[2 * i], edges->ends[2 * i + 1], edges->n);
    return assemble(ctx, name, edges, directed, weights, weight);
}

cf_graph *cf_random_graph(fr_ctx *ctx, int32_t n, int64_t m, const cf_random_kind *kind,
                          uint64_t *state) {
    cf_edges edges = {.n = n};
    int32_t *height = need((size_t)n, sizeof *height);
    cf_number *weight = need((size_t)m, sizeof *weight);
    for (int32_t v = 0; v < n; v++)
        height[v] = cf_between(state, 0, kind->potential);
    for (int64_t i = 0; i < m; i++) {
        int32_t u = cf_between(state, 0, n - 1), v = cf_between(state, 0, n - 1);
        cf_edge(&edges, u, v);
        weight[i] = cf_between(state, kind->low, kind->high) + height[u] - height[v];
    }
    free(height);
    return assemble(ctx, "random", &edges, kind->directed, kind->weights, weight);
}

cf_graph *cf_graph_new(fr_ctx *ctx, const cf_shape *shape, cf_weights weights) {
    cf_edges edges = {0};
    shape->build(&edges);
    bool directed = shape->directed;
    bool signed_kind = cf_is_negative(weights) || weights >= CF_CYCLES;
    if (signed_kind && !directed) { /* both directions, each with its own weight */
        for (int64_t i = 0, m = edges.m; i < m; i++)
            cf_edge(&edges, edges.ends[2 * i + 1], edges.ends[2 * i]);
        directed = true;
    }
    cf_graph *g = cf_graph_from(ctx, shape->name, &edges, directed, weights, 9);
    if (g)
        g->large = shape->large;
    return g;
}

void cf_graph_free(cf_graph *g) {
    if (!g)
        return;
    fr_graph_free(g->graph);
    free(g->offset);
    free(g->to);
    free(g->weight);
    free(g);
}

static void find_min_parents(const cf_graph *g, bool unit, const cf_number *dist,
                             int32_t *min_parents) {
    for (int32_t v = 0; v < g->n; v++)
        min_parents[v] = -1;
    for (int32_t u = 0; u < g->n; u++) /* ascending: the first that fits is the least */
        for (int64_t k = g->offset[u]; k < g->offset[u + 1] && dist[u] < INFINITY; k++)
            if (min_parents[g->to[k]] < 0 && sum(g, unit, dist[u], k) == dist[g->to[k]])
                min_parents[g->to[k]] = u;
}

bool cf_solve(const cf_graph *g, bool unit, const int32_t *sources, int64_t count, cf_number *dist,
              int32_t *min_parents) {
    int32_t *queue = need((size_t)g->n, sizeof *queue), *entered = need((size_t)g->n, sizeof(int));
    char *queued = need((size_t)g->n, 1);
    int64_t head = 0, tail = 0; /* of a ring buffer that holds each vertex at most once */
    bool fine = true;
    for (int32_t v = 0; v < g->n; v++)
        dist[v] = INFINITY;
    for (int64_t i = 0; i < count; i++)
        if (dist[sources[i]] != 0) {
            dist[sources[i]] = 0;
            queued[sources[i]] = 1;
            queue[tail++ % g->n] = sources[i];
        }
    while (head < tail && fine) {
        int32_t u = queue[head++ % g->n];
        queued[u] = 0;
        for (int64_t k = g->offset[u]; k < g->offset[u + 1]; k++) {
            int32_t v = g->to[k];
            cf_number d = sum(g, unit, dist[u], k);
            if (d >= dist[v])
                continue;
            dist[v] = d;
            if (!queued[v]) {
                queued[v] = 1;
                queue[tail++ % g->n] = v;
                fine &= ++entered[v] <= g->n;
            }
        }
    }
    if (min_parents && fine)
        find_min_parents(g, unit, dist, min_parents);
    for (int64_t i = 0; min_parents && fine && i < count; i++)
        if (dist[sources[i]] == 0)
            min_parents[sources[i]] = sources[i];
    free(queue);
    free(entered);
    free(queued);
    return fine;
}

void cf_as_int64(const cf_number *dist, int32_t n, int64_t *out) {
    for (int32_t v = 0; v < n; v++)
        out[v] = dist[v] < (cf_number)INFINITY ? (int64_t)dist[v] : FR_INF_I64;
}

static bool is_root(const int32_t *sources, int64_t count, const cf_number *dist, int32_t v) {
    for (int64_t i = 0; i < count && dist[v] == 0; i++)
        if (sources[i] == v)
            return true;
    return false;
}

void cf_parents(const cf_graph *g, bool unit, const int32_t *sources, int64_t count,
                const cf_number *dist, int32_t *parent) {
    int32_t *queue = need((size_t)g->n, sizeof *queue);
    int64_t head = 0, tail = 0;
    for (int32_t v = 0; v < g->n; v++) {
        parent[v] = is_root(sources, count, dist, v) ? v : -1;
        if (parent[v] == v)
            queue[tail++] = v;
    }
    for (; head < tail; head++) {
        int32_t u = queue[head];
        for (int64_t k = g->offset[u]; k < g->offset[u + 1]; k++) {
            int32_t v = g->to[k];
            if (parent[v] < 0 && sum(g, unit, dist[u], k) == dist[v]) {
                parent[v] = u;
                queue[tail++] = v;
            }
        }
    }
    free(queue);
}

/* A vertex on a cycle of parents, -1: none. Each vertex is visited once; `walk` is the number of
 * the walk that visited it. */
static int32_t find_cycle(int32_t n, const int32_t *parent) {
    int32_t *walk = need((size_t)n, sizeof *walk), found = -1;
    for (int32_t v = 0; v < n && found < 0; v++) {
        int32_t u = v;
        for (; parent[u] >= 0 && parent[u] != u && !walk[u]; u = parent[u])
            walk[u] = v + 1;
        if (walk[u] == v + 1 && parent[u] != u)
            found = u;
    }
    free(walk);
    return found;
}

int32_t cf_wrong_parent(const cf_graph *g, bool unit, const int32_t *sources, int64_t count,
                        const cf_number *dist, const int32_t *parent) {
    char *tight = need((size_t)g->n, 1); /* does an edge parent[v] -> v give v its distance? */
    for (int32_t u = 0; u < g->n; u++)
        for (int64_t k = g->offset[u]; k < g->offset[u + 1]; k++)
            if (parent[g->to[k]] == u && sum(g, unit, dist[u], k) == dist[g->to[k]])
                tight[g->to[k]] = 1;
    int32_t wrong = -1;
    for (int32_t v = 0; v < g->n && wrong < 0; v++) {
        bool right = dist[v] == (cf_number)INFINITY     ? parent[v] == -1
                     : is_root(sources, count, dist, v) ? parent[v] == v
                                                        : parent[v] != v && tight[v];
        if (!right)
            wrong = v;
    }
    free(tight);
    return wrong < 0 ? find_cycle(g->n, parent) : wrong;
}
