/* Routers: paths, pairs, tables and k paths between vertices, against exact distances and all simple paths. */
#include "fringe_measures.h"
#include "measures.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AT(option) [(option)-RI_FRAME_OPTIONS]

enum {
    RO_ALGORITHM = RI_FRAME_OPTIONS,
    RO_LANDMARKS,
    RO_PLACES, /* coordinates */
    RO_ASK,
    RO_SOURCES,
    RO_TARGETS,
    RO_K
};
static const char *const algorithms[] = {"auto", "bidirectional", "astar", "alt", NULL};
static const char *const places[] = {"one", "random", "embedded", "tiny", "huge", NULL};
typedef enum ask { PATH, PAIRS, TABLE, K_PATHS } ask;
static const char *const asks[] = {"path", "pairs", "table", "k_paths", NULL};
static const ri_option options[] = {
    AT(RO_ALGORITHM) = {.name = "algorithm", .kind = RI_NAME, .names = algorithms},
    AT(RO_LANDMARKS) = {.name = "landmarks"},
    AT(RO_PLACES) = {.name = "coordinates", .kind = RI_NAME, .names = places},
    AT(RO_ASK) = {.name = "ask", .kind = RI_NAME, .each = true, .names = asks, .least = 1},
    AT(RO_SOURCES) = {.name = "sources", .kind = RI_VERTICES, .each = true, .least = 1},
    AT(RO_TARGETS) = {.name = "targets", .kind = RI_VERTICES, .each = true, .least = 1},
    AT(RO_K) = {.name = "k", .each = true},
    {0},
};

static bool takes(const ri_case *c) {
    return c->graph.n > 0 && (!me_facts_of(c).negative || c->graph.m % 16 == 0);
}

static void draw(ri_case *c, ri_rng *rng) {
    ri_of(c, -1, RO_ALGORITHM)->number = ri_below(rng, 4);
    if (ri_chance(rng, 70))
        ri_of(c, -1, RO_LANDMARKS)->number = RI_PICK(rng, 1, 2, 3, 5, 16, 64);
    ri_of(c, -1, RO_PLACES)->number = ri_below(rng, 5);
    c->rounds = (int)RI_PICK(rng, 1, 2, 3, 5);
    for (int round = 0; round < c->rounds; round++) {
        ri_of(c, round, RO_ASK)->number = ri_below(rng, 4);
        me_draw_vertices(c, rng, ri_of(c, round, RO_SOURCES), 1 + ri_below(rng, 5));
        me_draw_vertices(c, rng, ri_of(c, round, RO_TARGETS), 1 + ri_below(rng, 5));
        ri_of(c, round, RO_K)->number = RI_PICK(rng, 1, 2, 3, 5, 20, 200);
    }
}

typedef struct routes {
    ri_case *c;
    fr_router *router;
    fr_type type; /* of distances */
    int64_t *row; /* first arc of each vertex, [n+1] */
    double *x, *y;
} routes;

/* ---- the router -------------------------------------------------------------------------------- */

static void set_places(routes *r) {
    ri_case *c = r->c;
    const int64_t kind = ri_at(c, -1, RO_PLACES);
    const double unit = kind == 3 ? 1e-160 : kind == 4 ? 1e148 : 1;
    const int32_t first = 0;
    const ri_distances d = ri_shortest(c, &c->stored, &first, 1);
    r->x = ri_alloc(c, (size_t)c->graph.n * 8);
    r->y = ri_alloc(c, (size_t)c->graph.n * 8);
    for (int32_t v = 0; v < c->graph.n && kind; v++) {
        ri_rng rng = ri_seeded((uint64_t)ri_at(c, -1, RI_MADE_DETAIL), (uint64_t)v);
        const double near = d.kind[v] == RI_FINITE ? fmin(ri_double(&d, v), 1e150) : 0;
        r->x[v] = kind == 2 ? near : unit * (double)ri_between(&rng, -20, 20);
        r->y[v] = kind == 2 ? 0 : unit * (double)ri_between(&rng, -20, 20);
    }
}

/* Whether some sum of weights may be beyond the type of distances. */
static bool may_overflow(const ri_case *c) {
    const double high = ri_is_real(c->graph.type) ? DBL_MAX / 2 : 0x1p62;
    return me_facts_of(c).largest >= high / (c->graph.n + 1.0);
}

/* False: refused. */
static bool open_router(routes *r, const fr_graph *graph) {
    ri_case *c = r->c;
    const me_facts f = me_facts_of(c);
    fr_router_options o = FR_INIT(fr_router_options);
    o.algorithm = (fr_route_algorithm)ri_at(c, -1, RO_ALGORITHM);
    o.landmarks = (int32_t)ri_at(c, -1, RO_LANDMARKS);
    o.x = r->x, o.y = r->y;
    const fr_status s = RI_DO(c, fr_router_new(c->ctx, graph, &o, &r->router));
    if (ri_is_excused(c, s))
        ri_stop(c);
    if (f.negative || (s == FR_OVERFLOW && may_overflow(c))) {
        RI_CHECK(c, s == (f.negative ? FR_NEGATIVE_WEIGHT : FR_OVERFLOW), "fr_router_new: %s",
                 fr_status_name(s));
        ri_refuse(c);
        return false;
    }
    ri_ok(c, s, "fr_router_new");
    RI_FREE_AT_END(c, fr_router_free, r->router);
    const fr_route_algorithm used = fr_router_algorithm(r->router);
    RI_CHECK(c,
             used == (o.algorithm   ? o.algorithm
                      : o.landmarks ? FR_ROUTE_ALT
                                    : FR_ROUTE_BIDIRECTIONAL),
             "algorithm %d is used", used);
    r->type = fr_router_dist_type(r->router);
    RI_CHECK(c, r->type == (ri_is_real(c->graph.type) ? FR_TYPE_F64 : FR_TYPE_I64),
             "distances are %s", fr_type_name(r->type));
    return true;
}

/* ---- distances ---------------------------------------------------------------------------------- */

static const void *at(const void *dist, int64_t i) { return (const char *)dist + 8 * i; }

static bool is_infinite(const routes *r, const void *dist) {
    return r->type == FR_TYPE_I64 ? *(const int64_t *)dist == FR_INF_I64
                                  : *(const double *)dist == INFINITY;
}

static void check_distance(routes *r, const ri_distances *d, int32_t s, int32_t t,
                           const void *dist) {
    ri_case *c = r->c;
    const bool reached = d->kind[t] == RI_FINITE;
    RI_CHECK(c, is_infinite(r, dist) == !reached, "%d to %d: %.17g, but %d is %sreached", s, t,
             ri_read(r->type, dist, 0), t, reached ? "" : "not ");
    if (reached)
        RI_CHECK(c, ri_is(d, t, r->type, dist, 0), "%d to %d: %.17g, not %.17g", s, t,
                 ri_read(r->type, dist, 0), ri_double(d, t));
}

static ri_distances from(routes *r, int32_t s) { return ri_shortest(r->c, &r->c->stored, &s, 1); }

static bool fits(const routes *r, const ri_distances *d, int32_t t) {
    return d->kind[t] != RI_FINITE || ri_fits(d, t, r->type);
}

static bool status_is(routes *r, fr_status s, bool all_fit, const char *what) {
    ri_case *c = r->c;
    if (ri_is_excused(c, s))
        ri_stop(c);
    RI_CHECK(c, s == (all_fit ? FR_OK : FR_OVERFLOW), "%s: %s: %s", what, fr_status_name(s),
             fr_ctx_error(c->ctx));
    return !s;
}

/* ---- paths --------------------------------------------------------------------------------------- */

/* The lightest arc u -> v; -1: none. */
static int64_t arc_between(const routes *r, int32_t u, int32_t v) {
    for (int64_t e = r->row[u]; e < r->row[u + 1]; e++)
        if (r->c->stored.arcs[e].to == v)
            return e;
    return -1;
}

typedef struct sum { /* along a path, from its first vertex on */
    __int128 i;
    double f;
} sum;

static sum plus(sum a, const ri_edge *e, fr_type weights) {
    if (ri_is_real(weights))
        a.f += e->weight.f;
    else
        a.i += e->weight.i;
    return a;
}

static void check_path(routes *r, const int32_t *path, int32_t length, int32_t s, int32_t t,
                       const void *dist) {
    ri_case *c = r->c;
    sum all = {0};
    RI_CHECK(c, length >= 1 && length <= c->graph.n, "%d to %d: %d vertices", s, t, length);
    RI_CHECK(c, path[0] == s && path[length - 1] == t, "a path from %d to %d is %d ... %d", s, t,
             path[0], path[length - 1]);
    for (int32_t i = 0; i + 1 < length; i++) {
        const int64_t e = arc_between(r, path[i], path[i + 1]);
        RI_CHECK(c, e >= 0, "a path has %d -> %d, which is no edge", path[i], path[i + 1]);
        all = plus(all, &c->stored.arcs[e], c->graph.type);
    }
    if (r->type == FR_TYPE_I64)
        RI_CHECK(c, all.i == *(const int64_t *)dist, "%d to %d: the path has %.17g, dist is %lld",
                 s, t, (double)all.i, (long long)*(const int64_t *)dist);
    else
        RI_CHECK(c, all.f == *(const double *)dist, "%d to %d: the path has %.17g, dist is %.17g",
                 s, t, all.f, *(const double *)dist);
}

static void ask_path(routes *r, int32_t s, int32_t t) {
    ri_case *c = r->c;
    int32_t *path = ri_out(c, (size_t)c->graph.n * 4), *length = ri_out(c, 4);
    void *dist = ri_out(c, 8);
    const ri_distances d = from(r, s);
    const fr_status status = RI_DO(c, fr_router_path(r->router, s, t, dist, path, length));
    if (!status_is(r, status, fits(r, &d, t), "fr_router_path"))
        return;
    check_distance(r, &d, s, t, dist);
    if (d.kind[t] == RI_FINITE)
        check_path(r, path, *length, s, t, dist);
    else
        RI_CHECK(c, *length == 0, "no path has %d vertices", *length);
    RI_CHECK(c, fr_router_settled(r->router) >= 0, "settled %lld",
             (long long)fr_router_settled(r->router));
}

static void ask_pairs(routes *r, const ri_setting *sources, const ri_setting *targets) {
    ri_case *c = r->c;
    const int64_t count = sources->count < targets->count ? sources->count : targets->count;
    void *dist = ri_out(c, (size_t)count * 8);
    ri_distances d[64];
    bool all = true;
    for (int64_t i = 0; i < count; i++) {
        d[i] = from(r, sources->list[i]);
        all &= fits(r, &d[i], targets->list[i]);
    }
    const fr_status status =
        RI_DO(c, fr_router_distances(r->router, sources->list, targets->list, count, dist));
    if (!status_is(r, status, all, "fr_router_distances"))
        return;
    for (int64_t i = 0; i < count; i++)
        check_distance(r, &d[i], sources->list[i], targets->list[i], at(dist, i));
}

static void ask_table(routes *r, const ri_setting *sources, const ri_setting *targets) {
    ri_case *c = r->c;
    void *dist = ri_out(c, (size_t)(sources->count * targets->count) * 8);
    ri_distances d[64];
    bool all = true;
    for (int64_t i = 0; i < sources->count; i++) {
        d[i] = from(r, sources->list[i]);
        for (int64_t j = 0; j < targets->count; j++)
            all &= fits(r, &d[i], targets->list[j]);
    }
    const fr_status status = RI_DO(c, fr_router_table(r->router, sources->list, sources->count,
                                                      targets->list, targets->count, dist));
    if (!status_is(r, status, all, "fr_router_table"))
        return;
    for (int64_t i = 0; i < sources->count; i++)
        for (int64_t j = 0; j < targets->count; j++)
            check_distance(r, &d[i], sources->list[i], targets->list[j],
                           at(dist, i * targets->count + j));
}

/* ---- k paths ------------------------------------------------------------------------------------- */

enum { MOST_PATHS = 4096, MOST_STEPS = 200000 };

typedef struct enumeration { /* sums of all simple paths */
    const routes *r;
    int32_t target;
    bool *seen;
    sum *found;
    int64_t count, overflows, steps;
} enumeration;

static void enumerate(enumeration *all, int32_t u, sum so_far) {
    const ri_arcs *s = &all->r->c->stored;
    if (++all->steps > MOST_STEPS || all->count >= MOST_PATHS)
        return;
    if (u == all->target) {
        if (so_far.i >= FR_INF_I64 || so_far.f > DBL_MAX)
            all->overflows++;
        else
            all->found[all->count++] = so_far;
        return;
    }
    all->seen[u] = true;
    for (int64_t e = all->r->row[u]; e < all->r->row[u + 1]; e++) {
        const ri_edge *a = &s->arcs[e];
        const bool parallel = e > all->r->row[u] && s->arcs[e - 1].to == a->to;
        if (!parallel && !all->seen[a->to])
            enumerate(all, a->to, plus(so_far, a, s->type));
    }
    all->seen[u] = false;
}

static int ascending(const void *a, const void *b) {
    const sum *x = a, *y = b;
    if (x->i != y->i)
        return x->i < y->i ? -1 : 1;
    return (x->f > y->f) - (x->f < y->f);
}

typedef struct ranked {
    ri_case *c;
    int64_t count, wrong_index;
    struct {
        int64_t dist;
        int32_t *path, length;
    } of[200];
} ranked;

static int collect(void *user, int64_t index, const void *dist, const int32_t *path,
                   int32_t length) {
    ranked *k = user;
    if (index != k->count || index >= 200) {
        k->wrong_index = index;
        return 1;
    }
    memcpy(&k->of[index].dist, dist, 8);
    k->of[index].length = length;
    k->of[index].path = ri_alloc(k->c, (size_t)length * 4);
    memcpy(k->of[index].path, path, (size_t)length * 4);
    k->count++;
    return 0;
}

static void check_ranked(routes *r, const ranked *k, int32_t s, int32_t t) {
    ri_case *c = r->c;
    bool *seen = ri_alloc(c, (size_t)c->graph.n);
    for (int64_t i = 0; i < k->count; i++) {
        check_path(r, k->of[i].path, k->of[i].length, s, t, &k->of[i].dist);
        memset(seen, 0, (size_t)c->graph.n);
        for (int32_t j = 0; j < k->of[i].length; j++) {
            RI_CHECK(c, !seen[k->of[i].path[j]], "path %lld visits %d twice", (long long)i,
                     k->of[i].path[j]);
            seen[k->of[i].path[j]] = true;
        }
        for (int64_t j = 0; j < i; j++)
            RI_CHECK(c,
                     k->of[i].length != k->of[j].length ||
                         memcmp(k->of[i].path, k->of[j].path, (size_t)k->of[i].length * 4),
                     "paths %lld and %lld are the same", (long long)j, (long long)i);
        if (i)
            RI_CHECK(c,
                     ri_read(r->type, &k->of[i - 1].dist, 0) <= ri_read(r->type, &k->of[i].dist, 0),
                     "path %lld is longer than the next: %.17g, %.17g", (long long)i - 1,
                     ri_read(r->type, &k->of[i - 1].dist, 0), ri_read(r->type, &k->of[i].dist, 0));
    }
}

static void ask_k_paths(routes *r, int32_t s, int32_t t, int64_t count) {
    ri_case *c = r->c;
    ranked *k = ri_alloc(c, sizeof *k);
    *k = (ranked){.c = c, .wrong_index = -1};
    count = count < 1 ? 1 : count > 200 ? 200 : count;
    const fr_status status = RI_DO(c, fr_router_k_paths(r->router, s, t, count, collect, k));
    if (ri_is_excused(c, status))
        ri_stop(c);
    RI_CHECK(c, k->wrong_index < 0, "path %lld comes after %lld", (long long)k->wrong_index,
             (long long)k->count);
    check_ranked(r, k, s, t);
    enumeration all = {.r = r, .target = t};
    all.seen = ri_alloc(c, (size_t)c->graph.n);
    all.found = ri_alloc(c, MOST_PATHS * sizeof *all.found);
    enumerate(&all, s, (sum){0});
    if (all.steps > MOST_STEPS || all.count >= MOST_PATHS) { /* too many: only the first one */
        const ri_distances d = from(r, s);
        const bool reached = d.kind[t] == RI_FINITE, fit = fits(r, &d, t);
        RI_CHECK(c, (k->count > 0) == (reached && fit), "%lld paths are found",
                 (long long)k->count);
        RI_CHECK(c, fit || status == FR_OVERFLOW, "fr_router_k_paths: %s", fr_status_name(status));
        if (k->count)
            check_distance(r, &d, s, t, &k->of[0].dist);
        return;
    }
    qsort(all.found, (size_t)all.count, sizeof *all.found, ascending);
    const bool too_few = all.count < count;
    RI_CHECK(c, status == (too_few && all.overflows ? FR_OVERFLOW : FR_OK),
             "fr_router_k_paths: %s: %lld of %lld paths fit", fr_status_name(status),
             (long long)all.count, (long long)(all.count + all.overflows));
    RI_CHECK(c, k->count == (too_few ? all.count : count), "%lld of %lld paths",
             (long long)k->count, (long long)all.count);
    for (int64_t i = 0; i < k->count; i++) {
        const sum want = all.found[i];
        const bool right = r->type == FR_TYPE_I64 ? k->of[i].dist == (int64_t)want.i
                                                  : memcmp(&k->of[i].dist, &want.f, 8) == 0;
        RI_CHECK(c, right, "path %lld has %.17g, not %.17g", (long long)i,
                 ri_read(r->type, &k->of[i].dist, 0),
                 r->type == FR_TYPE_I64 ? (double)want.i : want.f);
    }
}

/* ---- the case --------------------------------------------------------------------------------------- */

static void run(ri_case *c) {
    routes r = {.c = c};
    snprintf(c->what, sizeof c->what, "router %s", algorithms[ri_at(c, -1, RO_ALGORITHM)]);
    fr_graph *graph = ri_make_graph(c);
    r.row = ri_alloc(c, (size_t)(c->graph.n + 2) * 8);
    for (int64_t e = 0; e < c->stored.m; e++)
        r.row[c->stored.arcs[e].from + 1]++;
    for (int32_t v = 0; v < c->graph.n; v++)
        r.row[v + 1] += r.row[v];
    set_places(&r);
    if (!open_router(&r, graph))
        return;
    for (int round = 0; round < c->rounds; round++) {
        const ri_setting *sources = ri_of(c, round, RO_SOURCES),
                         *targets = ri_of(c, round, RO_TARGETS);
        switch ((ask)ri_at(c, round, RO_ASK)) {
        case PATH: ask_path(&r, sources->list[0], targets->list[0]); break;
        case PAIRS: ask_pairs(&r, sources, targets); break;
        case TABLE: ask_table(&r, sources, targets); break;
        case K_PATHS:
            ask_k_paths(&r, sources->list[0], targets->list[0], ri_at(c, round, RO_K));
            break;
        }
    }
}

const ri_call ri_call_routes = {"routes", options, 16, draw, run, takes};
