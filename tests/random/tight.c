/* Tight edges and numbers of shortest paths against their definitions. */
#include "fringe_measures.h"
#include "measures.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define AT(option) [(option)-RI_FRAME_OPTIONS]

enum {
    TI_TYPE = RI_FRAME_OPTIONS, /* of the values */
    TI_EXACT_VALUES,            /* nearest to the exact distances, not a traversal's */
    TI_SOURCES,
    TI_COUNT_ONLY,  /* fr_tight_edges: no bits */
    TI_NO_INTEGERS, /* fr_path_counts: exact NULL */
    TI_NO_REALS
};
static const char *const types[] = {"levels", "int32", "int64", "float32", "float64", NULL};
static const ri_option options[] = {
    AT(TI_TYPE) = {.name = "values", .kind = RI_NAME, .names = types},
    AT(TI_EXACT_VALUES) = {.name = "exact_values"},
    AT(TI_SOURCES) = {.name = "sources", .kind = RI_VERTICES, .least = 1},
    AT(TI_COUNT_ONLY) = {.name = "count_only"},
    AT(TI_NO_INTEGERS) = {.name = "no_integers"},
    AT(TI_NO_REALS) = {.name = "no_reals"},
    {0},
};

static bool takes(const ri_case *c) { return c->graph.n > 0; }

static void draw(ri_case *c, ri_rng *rng) {
    const fr_type w = c->graph.type;
    me_draw_vertices(c, rng, ri_of(c, -1, TI_SOURCES), RI_PICK(rng, 1, 1, 2, 4));
    ri_of(c, -1, TI_TYPE)->number = ri_chance(rng, 20)  ? FR_TYPE_NONE
                                    : w == FR_TYPE_NONE ? ri_between(rng, 0, 4)
                                    : w == FR_TYPE_I32  ? FR_TYPE_I32 + ri_below(rng, 2)
                                    : w == FR_TYPE_F32  ? FR_TYPE_F32 + ri_below(rng, 2)
                                                        : (int64_t)w;
    ri_of(c, -1, TI_EXACT_VALUES)->number = ri_chance(rng, 40);
    ri_of(c, -1, TI_COUNT_ONLY)->number = ri_chance(rng, 20);
    ri_of(c, -1, TI_NO_INTEGERS)->number = ri_chance(rng, 30);
    ri_of(c, -1, TI_NO_REALS)->number = ri_chance(rng, 20);
}

/* Where values come from, and what follows from them. */
typedef struct values {
    ri_case *c;
    fr_graph *graph;
    const int32_t *sources;
    int64_t source_count;
    fr_type type; /* FR_TYPE_NONE: levels */
    void *value;
    bool *tight;
    int64_t tight_count;
    long double *paths;       /* by vertex */
    unsigned __int128 *whole; /* the same; saturated */
    bool cycle;
} values;

static size_t size_of(fr_type type) { return type == FR_TYPE_I64 || type == FR_TYPE_F64 ? 8 : 4; }

static void put(values *t, int32_t v, const ri_distances *d) {
    const bool reached = d->kind[v] == RI_FINITE;
    const double x = reached ? ri_double(d, v) : INFINITY;
    switch (t->type) {
    case FR_TYPE_I32: ((int32_t *)t->value)[v] = reached ? (int32_t)x : FR_INF_I32; break;
    case FR_TYPE_F32: ((float *)t->value)[v] = (float)x; break;
    case FR_TYPE_F64: ((double *)t->value)[v] = x; break;
    default: break;
    }
}

/* The nearest to the exact distances; false: they do not fit, or are not simply converted. */
static bool set_exactly(values *t) {
    const ri_arcs *arcs = &t->c->stored;
    const ri_distances d = ri_shortest(t->c, arcs, t->sources, t->source_count);
    if (t->type == FR_TYPE_NONE || t->type == FR_TYPE_I64 || d.cycle || !ri_is_exact(&d, t->type))
        return false;
    for (int32_t v = 0; v < d.n; v++)
        if (d.kind[v] == RI_FINITE && !ri_fits(&d, v, t->type))
            return false;
    for (int32_t v = 0; v < d.n; v++)
        put(t, v, &d);
    return true;
}

static void set_by_traversal(values *t) {
    ri_case *c = t->c;
    fr_query q = FR_INIT(fr_query);
    fr_result r = FR_INIT(fr_result);
    fr_solver_options o = FR_INIT(fr_solver_options);
    fr_solver *solver = NULL;
    q.sources = t->sources, q.source_count = t->source_count;
    o.backend = FR_BACKEND_CPU;
    const bool levels = t->type == FR_TYPE_NONE;
    if (!levels)
        o.dist_type = t->type;
    if (levels)
        r.level = t->value;
    else
        r.dist = t->value;
    RI_OK(c,
          fr_solver_new(c->ctx, t->graph, levels ? FR_PROBLEM_BFS : FR_PROBLEM_SSSP, &o, &solver));
    RI_FREE_AT_END(c, fr_solver_free, solver);
    const fr_status s = RI_DO(c, fr_solve(solver, &q, &r));
    if (s == FR_NEGATIVE_CYCLE || s == FR_OVERFLOW)
        ri_stop(c); /* queries.c judges that */
    ri_ok(c, s, "fr_solve");
}

static bool is_reached(const values *t, int32_t v) {
    switch (t->type) {
    case FR_TYPE_NONE: return ((const int32_t *)t->value)[v] >= 0;
    case FR_TYPE_I32: return ((const int32_t *)t->value)[v] != FR_INF_I32;
    case FR_TYPE_I64: return ((const int64_t *)t->value)[v] != FR_INF_I64;
    default: return isfinite(ri_read(t->type, t->value, v));
    }
}

static bool is_zero(const values *t, int32_t v) {
    return is_reached(t, v) &&
           ri_read(t->type == FR_TYPE_NONE ? FR_TYPE_I32 : t->type, t->value, v) == 0;
}

/* The value of u plus the weight is the value of v, in the type's arithmetic. */
static bool is_tight(const values *t, const ri_edge *a) {
    const fr_type weights = t->c->graph.type;
    const int32_t u = a->from, v = a->to;
    if (u == v || !is_reached(t, u) || !is_reached(t, v))
        return false;
    const int64_t w = t->type == FR_TYPE_NONE || weights == FR_TYPE_NONE ? 1 : a->weight.i;
    const double x = weights == FR_TYPE_NONE ? 1 : a->weight.f;
    switch (t->type) {
    case FR_TYPE_NONE:
    case FR_TYPE_I32:
        return (__int128)((const int32_t *)t->value)[u] + w == ((const int32_t *)t->value)[v];
    case FR_TYPE_I64:
        return (__int128)((const int64_t *)t->value)[u] + w == ((const int64_t *)t->value)[v];
    case FR_TYPE_F32: {
        const float sum = ((const float *)t->value)[u] + (float)x;
        return sum == ((const float *)t->value)[v];
    }
    default: return ((const double *)t->value)[u] + x == ((const double *)t->value)[v];
    }
}

/* Counts in the order in which vertices have all their predecessors. */
static void count_paths(values *t) {
    ri_case *c = t->c;
    const ri_arcs *s = &c->stored;
    const size_t n = (size_t)s->n;
    int32_t *missing = ri_alloc(c, n * 4), *queue = ri_alloc(c, n * 4), tail = 0, reached = 0;
    bool *seen = ri_alloc(c, n), *from_source = ri_alloc(c, n);
    int64_t *row = ri_alloc(c, (n + 2) * 8);
    t->paths = ri_alloc(c, n * sizeof *t->paths);
    t->whole = ri_alloc(c, n * sizeof *t->whole);
    for (int64_t e = 0; e < s->m; e++)
        row[s->arcs[e].from + 1]++;
    for (size_t v = 0; v < n; v++)
        row[v + 1] += row[v];
    for (int64_t i = 0; i < t->source_count; i++)
        from_source[t->sources[i]] = is_zero(t, t->sources[i]);
    for (int32_t v = 0; v < s->n; v++) {
        t->paths[v] = (long double)(t->whole[v] = from_source[v]);
        reached += seen[v] = is_reached(t, v);
    }
    for (int64_t e = 0; e < s->m; e++)
        missing[s->arcs[e].to] += t->tight[e];
    for (int32_t v = 0; v < s->n; v++)
        if (seen[v] && !missing[v])
            queue[tail++] = v;
    for (int32_t head = 0; head < tail; head++)
        for (int64_t e = row[queue[head]]; e < row[queue[head] + 1]; e++)
            if (t->tight[e]) {
                const int32_t u = queue[head], v = s->arcs[e].to;
                t->paths[v] += t->paths[u];
                t->whole[v] += t->whole[u];
                if (t->whole[v] >> 100)
                    t->whole[v] = (unsigned __int128)1 << 100;
                if (--missing[v] == 0)
                    queue[tail++] = v;
            }
    t->cycle = tail < reached;
}

static void judge_tight(values *t) {
    ri_case *c = t->c;
    const int64_t m = c->stored.m;
    uint64_t *bits = ri_out(c, (size_t)((m + 63) / 64) * 8);
    int64_t *count = ri_out(c, 8);
    const bool only = ri_at(c, -1, TI_COUNT_ONLY);
    RI_OK(c, fr_tight_edges(c->ctx, t->graph, t->type, t->value, only ? NULL : bits, count));
    RI_CHECK(c, *count == t->tight_count, "%lld tight edges, not %lld", (long long)*count,
             (long long)t->tight_count);
    for (int64_t e = 0; e < m && !only; e++)
        RI_CHECK(c, (bits[e / 64] >> (e % 64) & 1) == t->tight[e],
                 "stored edge %lld, %d -> %d, is %stight", (long long)e, c->stored.arcs[e].from,
                 c->stored.arcs[e].to, t->tight[e] ? "" : "not ");
}

static void judge_counts(values *t) {
    ri_case *c = t->c;
    const size_t n = (size_t)c->graph.n;
    const bool integers = !ri_at(c, -1, TI_NO_INTEGERS), reals = !ri_at(c, -1, TI_NO_REALS);
    double *count = ri_out(c, n * 8);
    int64_t *exact = ri_out(c, n * 8);
    bool beyond = false;
    for (size_t v = 0; v < n; v++)
        beyond |= (integers && t->whole[v] > INT64_MAX) || t->paths[v] > DBL_MAX;
    const fr_status s =
        RI_DO(c, fr_path_counts(c->ctx, t->graph, t->type, t->value, t->sources, t->source_count,
                                reals ? count : NULL, integers ? exact : NULL));
    const fr_status want = t->cycle ? FR_UNSUPPORTED : beyond ? FR_OVERFLOW : FR_OK;
    if (ri_is_excused(c, s))
        ri_stop(c);
    RI_CHECK(c, s == want, "fr_path_counts: %s, not %s: %s", fr_status_name(s),
             fr_status_name(want), fr_ctx_error(c->ctx));
    if (s) {
        ri_refuse(c);
        return;
    }
    for (int32_t v = 0; v < c->graph.n; v++) {
        if (integers)
            RI_CHECK(c, exact[v] == (int64_t)t->whole[v], "%lld shortest paths to %d, not %lld",
                     (long long)exact[v], v, (long long)t->whole[v]);
        if (reals)
            RI_CHECK(c, me_near(count[v], (double)t->paths[v], DBL_EPSILON * (c->graph.n + 2)),
                     "%.17g shortest paths to %d, not %.17g", count[v], v, (double)t->paths[v]);
    }
}

static void run(ri_case *c) {
    const ri_setting *sources = ri_of(c, -1, TI_SOURCES);
    values t = {.c = c,
                .type = (fr_type)ri_at(c, -1, TI_TYPE),
                .sources = sources->list,
                .source_count = sources->count};
    const fr_type w = c->graph.type;
    if (t.type && w &&
        !(t.type == w || (w == FR_TYPE_I32 && t.type == FR_TYPE_I64) ||
          (w == FR_TYPE_F32 && t.type == FR_TYPE_F64)))
        t.type = w; /* a smaller case */
    snprintf(c->what, sizeof c->what, "tight %s of %s", t.type ? fr_type_name(t.type) : "levels",
             w ? fr_type_name(w) : "none");
    t.graph = ri_make_graph(c);
    t.value = ri_out(c, (size_t)c->graph.n * size_of(t.type));
    if (!ri_at(c, -1, TI_EXACT_VALUES) || !set_exactly(&t))
        set_by_traversal(&t);
    RI_OK(c, fr_graph_check(c->ctx, t.graph));
    t.tight = ri_alloc(c, (size_t)c->stored.m);
    for (int64_t e = 0; e < c->stored.m; e++)
        t.tight_count += t.tight[e] = is_tight(&t, &c->stored.arcs[e]);
    judge_tight(&t);
    count_paths(&t);
    judge_counts(&t);
}

const ri_call ri_call_tight = {"tight", options, 6, draw, run, takes};
