/* fr_router against SSSP on every small shape, and its k paths against all simple paths. */
#include "fringe_measures.h"
#include "base/base.h"
#include "conformance/shapes.h"
#include "support/allocator.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>

enum { ALL_PAIRS = 40, SAMPLE = 10, K = 12, TINY = 6, WILD_GRAPHS = 300 };

typedef struct arrays { /* of one shape, with weights of every type */
    cf_edges edges;
    int32_t *src, *dst, *i32;
    int64_t *i64;
    float *f32;
    double *f64, *x, *y;
} arrays;

static arrays arrays_of(const cf_shape *shape, uint64_t seed) {
    arrays a = {0};
    shape->build(&a.edges);
    size_t m = (size_t)a.edges.m + 1, n = (size_t)a.edges.n + 1;
    a.src = calloc(m, sizeof *a.src), a.dst = calloc(m, sizeof *a.dst);
    a.i32 = calloc(m, sizeof *a.i32), a.i64 = calloc(m, sizeof *a.i64);
    a.f32 = calloc(m, sizeof *a.f32), a.f64 = calloc(m, sizeof *a.f64);
    a.x = calloc(n, sizeof *a.x), a.y = calloc(n, sizeof *a.y);
    for (int64_t i = 0; i < a.edges.m; i++) {
        a.src[i] = a.edges.ends[2 * i];
        a.dst[i] = a.edges.ends[2 * i + 1];
        a.i32[i] = (int32_t)(cf_random(seed, (uint64_t)i) % 9);
        a.i64[i] = a.i32[i] * INT64_C(5000000000);
        a.f32[i] = (float)a.i32[i] * 0.3f;
        a.f64[i] = a.i32[i] ? a.i32[i] / 7.0 : 0.01;
    }
    for (int32_t v = 0; v < a.edges.n; v++) {
        a.x[v] = cf_random(seed + 1, (uint64_t)v) % 100;
        a.y[v] = cf_random(seed + 2, (uint64_t)v) % 100;
    }
    return a;
}

static void arrays_free(arrays *a) {
    free(a->edges.ends), free(a->src), free(a->dst), free(a->i32), free(a->i64);
    free(a->f32), free(a->f64), free(a->x), free(a->y);
}

static double value(fr_type type, const void *values, int64_t i) {
    if (type == FR_TYPE_F64)
        return ((const double *)values)[i];
    int64_t v = ((const int64_t *)values)[i];
    return v == FR_INF_I64 ? INFINITY : (double)v;
}

static bool same(double a, double b) { return a == b || fabs(a - b) <= 1e-12 * fabs(b); }

/* The path has its ends, its edges exist, and the lightest of each sum to the distance. */
static bool path_fits(const fr_graph *graph, const int32_t *path, int32_t length, int32_t s,
                      int32_t t, double dist) {
    const fr_csr *csr = fr_graph_csr(graph);
    if (length == 0)
        return dist == INFINITY;
    double sum = 0;
    for (int32_t i = 0; i + 1 < length; i++) {
        int64_t e = csr->offsets[path[i]], end = csr->offsets[path[i] + 1];
        while (e < end && csr->targets[e] != path[i + 1])
            e++;
        if (e == end)
            return false;
        switch (csr->weight_type) {
        case FR_TYPE_I32: sum += ((const int32_t *)csr->weights)[e]; break;
        case FR_TYPE_I64: sum += (double)((const int64_t *)csr->weights)[e]; break;
        case FR_TYPE_F32: sum += (double)((const float *)csr->weights)[e]; break;
        case FR_TYPE_F64: sum += ((const double *)csr->weights)[e]; break;
        default: sum++;
        }
    }
    return path[0] == s && path[length - 1] == t && same(sum, dist);
}

static void check_router(fr_ctx *ctx, const fr_graph *graph, fr_router *router) {
    int32_t n = fr_graph_vertex_count(graph), length, step = n > ALL_PAIRS ? 1 + n / SAMPLE : 1;
    fr_type type = fr_router_dist_type(router);
    fr_solver_options options = {.backend = FR_BACKEND_CPU, .dist_type = type};
    fr_solver *solver = NULL;
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, &options, &solver));
    int64_t *want = calloc((size_t)n + 1, sizeof *want), one, *pairs, *table;
    pairs = calloc((size_t)n + 1, sizeof *pairs), table = calloc((size_t)n + 1, sizeof *table);
    int32_t *path = calloc((size_t)n + 1, sizeof *path), *from, *to;
    from = calloc((size_t)n + 1, sizeof *from), to = calloc((size_t)n + 1, sizeof *to);
    for (int32_t s = 0; s < n; s += step) {
        fr_result result = {.dist = want};
        assert_ok(ctx, fr_solve(solver, &(fr_query){.sources = &s, .source_count = 1}, &result));
        int64_t count = 0;
        for (int32_t t = s % step; t < n; t += step, count++) {
            assert_ok(ctx, fr_router_path(router, s, t, &one, path, &length));
            if (!same(value(type, &one, 0), value(type, want, t)))
                fail_msg("%s: %d to %d: %g, not %g", fr_graph_name(graph), s, t,
                         value(type, &one, 0), value(type, want, t));
            assert_true(path_fits(graph, path, length, s, t, value(type, &one, 0)));
            from[count] = s, to[count] = t;
        }
        assert_ok(ctx, fr_router_distances(router, from, to, count, pairs));
        for (int64_t i = 0; i < count; i++)
            assert_true(same(value(type, pairs, i), value(type, want, to[i])));
        assert_ok(ctx, fr_router_table(router, &s, 1, to, count, table));
        for (int64_t i = 0; i < count; i++)
            assert_true(same(value(type, table, i), value(type, want, to[i])));
        assert_ok(ctx, fr_router_distances(router, to, from, count, pairs));
        assert_ok(ctx, fr_router_table(router, to, count, &s, 1, table));
        for (int64_t i = 0; i < count; i++)
            assert_true(same(value(type, table, i), value(type, pairs, i)));
    }
    free(want), free(pairs), free(table), free(path), free(from), free(to);
    fr_solver_free(solver);
}

static void all_shapes(void **state) {
    fr_ctx *ctx = *state;
    for (const cf_shape *shape = cf_shapes; shape->name; shape++) {
        if (shape->large)
            continue;
        arrays a = arrays_of(shape, 5);
        const void *weights[] = {NULL, a.i32, a.i64, a.f32, a.f64};
        for (int type = FR_TYPE_NONE; type <= FR_TYPE_F64; type++)
            for (int algorithm = FR_ROUTE_BIDIRECTIONAL; algorithm <= FR_ROUTE_ALT; algorithm++) {
                fr_load_options load = {.direction = shape->directed ? FR_DIRECTION_DIRECTED
                                                                     : FR_DIRECTION_UNDIRECTED};
                fr_router_options options = {
                    .algorithm = (fr_route_algorithm)algorithm, .landmarks = 3, .x = a.x, .y = a.y};
                fr_graph *graph = NULL;
                fr_router *router = NULL;
                assert_ok(ctx, fr_graph_from_edges(ctx, a.edges.n, a.edges.m, a.src, a.dst,
                                                   weights[type], (fr_type)type, &load, &graph));
                assert_ok(ctx, fr_router_new(ctx, graph, &options, &router));
                assert_int_equal(fr_router_algorithm(router), algorithm);
                check_router(ctx, graph, router);
                fr_router_free(router);
                fr_graph_free(graph);
            }
        arrays_free(&a);
    }
}

/* Weights that are nearly the lengths of the edges, so that the bounds are tight. */
static void straight_lines(void **state) {
    fr_ctx *ctx = *state;
    enum { PLACES = 40, ROADS = 160 };
    for (uint64_t seed = 0; seed < 20; seed++) {
        int32_t src[ROADS], dst[ROADS];
        double x[PLACES], y[PLACES], exact[ROADS];
        int64_t whole[ROADS];
        uint64_t draws = seed;
        for (int v = 0; v < PLACES; v++)
            x[v] = cf_between(&draws, -500, 500), y[v] = cf_between(&draws, -500, 500);
        for (int i = 0; i < ROADS; i++) {
            src[i] = cf_between(&draws, 0, PLACES - 1);
            dst[i] = cf_between(&draws, 0, PLACES - 1);
            exact[i] = 3 * hypot(x[src[i]] - x[dst[i]], y[src[i]] - y[dst[i]]);
            whole[i] = (int64_t)ceil(exact[i]) + cf_between(&draws, 0, 2);
        }
        for (int real = 0; real < 2; real++) {
            fr_router_options options = {.algorithm = FR_ROUTE_ASTAR, .x = x, .y = y};
            fr_graph *graph = NULL;
            fr_router *router = NULL;
            assert_ok(ctx, fr_graph_from_edges(ctx, PLACES, ROADS, src, dst,
                                               real ? (void *)exact : (void *)whole,
                                               real ? FR_TYPE_F64 : FR_TYPE_I64, NULL, &graph));
            assert_ok(ctx, fr_router_new(ctx, graph, &options, &router));
            check_router(ctx, graph, router);
            fr_router_free(router);
            fr_graph_free(graph);
        }
    }
}

typedef struct tiny { /* a directed graph by its matrix of lightest weights; -1: no edge */
    int32_t n;
    int64_t w[TINY][TINY];
} tiny;

typedef struct ranked {
    int64_t dist[2000];
    int count;
} ranked;

static void enumerate(const tiny *g, int32_t u, int32_t t, unsigned seen, int64_t sum,
                      ranked *out) {
    if (u == t) {
        out->dist[out->count++] = sum;
        return;
    }
    for (int32_t v = 0; v < g->n; v++)
        if (g->w[u][v] >= 0 && !(seen >> v & 1))
            enumerate(g, v, t, seen | 1u << v, sum + g->w[u][v], out);
}

static int ascending(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

typedef struct got {
    const tiny *g;
    fr_type type;
    int64_t count;
    double dist[K];
    int32_t path[K][TINY], length[K];
} got;

static int collect(void *user, int64_t index, const void *dist, const int32_t *path,
                   int32_t length) {
    got *k = user;
    assert_int_equal(index, k->count++);
    k->dist[index] = value(k->type, dist, 0);
    k->length[index] = length;
    memcpy(k->path[index], path, (size_t)length * sizeof *path);
    unsigned seen = 0;
    double sum = 0;
    for (int32_t i = 0; i < length; i++) {
        assert_false(seen >> path[i] & 1);
        seen |= 1u << path[i];
        if (i)
            assert_true(k->g->w[path[i - 1]][path[i]] >= 0);
        sum += i ? (double)k->g->w[path[i - 1]][path[i]] : 0;
    }
    assert_true(sum == k->dist[index]);
    for (int64_t i = 0; i < index; i++)
        assert_false(k->length[i] == length &&
                     !memcmp(k->path[i], path, (size_t)length * sizeof *path));
    return 0;
}

static void k_paths(void **state) {
    fr_ctx *ctx = *state;
    int64_t paths = 0;
    for (uint64_t seed = 0; seed < 500; seed++) {
        uint64_t draws = seed * 7919 + 1;
        tiny g = {.n = cf_between(&draws, 2, TINY)};
        memset(g.w, -1, sizeof g.w);
        int32_t src[60], dst[60], m = cf_between(&draws, 0, 60), i32[60];
        float f32[60];
        for (int32_t i = 0; i < m; i++) {
            int32_t u = src[i] = cf_between(&draws, 0, g.n - 1);
            int32_t v = dst[i] = cf_between(&draws, 0, g.n - 1);
            i32[i] = cf_between(&draws, 0, 6);
            f32[i] = (float)i32[i];
            g.w[u][v] = g.w[u][v] < 0 || i32[i] < g.w[u][v] ? i32[i] : g.w[u][v];
        }
        bool real = seed % 2;
        fr_graph *graph = NULL;
        fr_router *router = NULL;
        assert_ok(ctx, fr_graph_from_edges(ctx, g.n, m, src, dst, real ? (void *)f32 : (void *)i32,
                                           real ? FR_TYPE_F32 : FR_TYPE_I32, NULL, &graph));
        assert_ok(ctx, fr_router_new(ctx, graph, NULL, &router));
        int32_t s = cf_between(&draws, 0, g.n - 1), t = cf_between(&draws, 0, g.n - 1);
        ranked want = {.count = 0};
        enumerate(&g, s, t, 1u << s, 0, &want);
        qsort(want.dist, (size_t)want.count, sizeof *want.dist, ascending);
        got k = {.g = &g, .type = fr_router_dist_type(router)};
        assert_ok(ctx, fr_router_k_paths(router, s, t, K, collect, &k));
        assert_int_equal(k.count, want.count < K ? want.count : K);
        for (int64_t i = 0; i < k.count; i++)
            assert_true(k.dist[i] == (double)want.dist[i]);
        paths += k.count;
        fr_router_free(router);
        fr_graph_free(graph);
    }
    assert_true(paths > 1000);
}

/* A graph of few vertices by its matrix, with weights at every scale of its type. */
typedef struct wild {
    int32_t n, m, src[24], dst[24];
    bool real;
    double x[TINY], y[TINY], f64[24], real_w[TINY][TINY]; /* -1: no edge */
    int64_t i64[24], int_w[TINY][TINY];
} wild;

static double wild_real(uint64_t *draws, int scale) {
    switch (scale) {
    case 0: return cf_between(draws, 0, 3) * 5e307;
    case 1: return cf_between(draws, 0, 5) * 5e-324;
    case 2: return cf_between(draws, 0, 2) ? cf_between(draws, 0, 9) * 1e-9 : 8388608.3;
    default: return pow(10, cf_between(draws, -12, 12)) * cf_between(draws, 0, 9);
    }
}

static int64_t wild_int(uint64_t *draws, int scale) {
    const int64_t eighth = INT64_C(1) << 60, few = cf_between(draws, 0, 4);
    const int64_t large[] = {0, 2 * eighth, 4 * eighth - 1, 4 * eighth, INT64_MAX - 1};
    return scale % 2 ? few : large[few];
}

static wild draw_wild(uint64_t seed) {
    uint64_t draws = seed * 7919 + 5;
    wild g = {.n = cf_between(&draws, 2, TINY), .m = cf_between(&draws, 1, 24)};
    int scale = cf_between(&draws, 0, 3);
    double unit = cf_between(&draws, 0, 1) ? 1e-160 : 1;
    g.real = cf_between(&draws, 0, 2) > 0;
    memset(g.int_w, -1, sizeof g.int_w);
    for (int32_t u = 0; u < g.n; u++) {
        g.x[u] = cf_between(&draws, -9, 9) * unit, g.y[u] = cf_between(&draws, -9, 9) * unit;
        for (int32_t v = 0; v < g.n; v++)
            g.real_w[u][v] = -1;
    }
    for (int32_t i = 0; i < g.m; i++) {
        int32_t u = g.src[i] = cf_between(&draws, 0, g.n - 1);
        int32_t v = g.dst[i] = cf_between(&draws, 0, g.n - 1);
        double *real = &g.real_w[u][v], length = hypot(g.x[u] - g.x[v], g.y[u] - g.y[v]);
        int64_t *integer = &g.int_w[u][v];
        g.f64[i] = wild_real(&draws, scale);
        if (scale == 3 && seed % 3 == 0) /* tight bounds */
            g.f64[i] = length;
        g.i64[i] = wild_int(&draws, scale);
        *real = *real < 0 || g.f64[i] < *real ? g.f64[i] : *real;
        *integer = *integer < 0 || g.i64[i] < *integer ? g.i64[i] : *integer;
    }
    return g;
}

typedef struct sums { /* of all simple paths between two vertices; overflows are not listed */
    union {
        int64_t i64[400];
        double f64[400];
    } of;
    int64_t count, overflows;
    bool real;
} sums;

static void enumerate_wild(const wild *g, int32_t u, int32_t t, unsigned seen, int64_t i64,
                           double f64, sums *out) {
    bool overflow = g->real ? f64 == INFINITY : i64 == FR_INF_I64;
    if (u == t) {
        if (overflow)
            out->overflows++;
        else if (g->real)
            out->of.f64[out->count++] = f64;
        else
            out->of.i64[out->count++] = i64;
        return;
    }
    for (int32_t v = 0; v < g->n; v++)
        if (g->int_w[u][v] >= 0 && !(seen >> v & 1)) {
            int64_t w = g->int_w[u][v], sum = w > FR_INF_I64 - i64 ? FR_INF_I64 : i64 + w;
            enumerate_wild(g, v, t, seen | 1u << v, sum, f64 + g->real_w[u][v], out);
        }
}

static int ascending_reals(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static sums all_sums(const wild *g, int32_t s, int32_t t) {
    sums all = {.real = g->real};
    enumerate_wild(g, s, t, 1u << s, 0, 0, &all);
    qsort(&all.of, (size_t)all.count, 8, g->real ? ascending_reals : ascending);
    return all;
}

typedef struct next_sum {
    const sums *want;
    int64_t count;
} next_sum;

static int check_next(void *user, int64_t index, const void *dist, const int32_t *path,
                      int32_t length) {
    next_sum *k = user;
    (void)path, (void)length;
    assert_int_equal(index, k->count++);
    assert_true(index < k->want->count);
    assert_memory_equal(dist, &k->want->of.i64[index], 8);
    return 0;
}

static bool is_least(const sums *all, bool exact, int64_t dist) {
    if (exact || !all->real)
        return dist == all->of.i64[0];
    double sum;
    memcpy(&sum, &dist, sizeof sum);
    return sum >= all->of.f64[0] && sum <= all->of.f64[0] * (1 + 0x1p-48);
}

static void check_wild(fr_router *router, const wild *g, uint64_t seed) {
    fr_route_algorithm algorithm = fr_router_algorithm(router);
    bool exact = algorithm != FR_ROUTE_BIDIRECTIONAL; /* the least rounded sum */
    for (int32_t s = 0; s < g->n; s++)
        for (int32_t t = 0; t < g->n; t++) {
            sums all = all_sums(g, s, t);
            fr_status want = all.count || !all.overflows ? FR_OK : FR_OVERFLOW;
            int64_t dist[3];
            int32_t length;
            fr_status status[] = {fr_router_path(router, s, t, &dist[0], NULL, &length),
                                  fr_router_distances(router, &s, &t, 1, &dist[1]),
                                  fr_router_table(router, &s, 1, &t, 1, &dist[2])};
            assert_int_equal(length > 0, all.count > 0);
            for (int i = 0; i < 3; i++) {
                if (status[i] != want || (all.count && !is_least(&all, exact || i == 2, dist[i])))
                    fail_msg("seed %d, algorithm %d, call %d: %d to %d", (int)seed, algorithm, i, s,
                             t);
                if (!all.count)
                    assert_true(value(g->real ? FR_TYPE_F64 : FR_TYPE_I64, &dist[i], 0) ==
                                INFINITY);
            }
            next_sum k = {.want = &all};
            status[0] = fr_router_k_paths(router, s, t, 1000, check_next, &k);
            assert_int_equal(status[0], all.overflows ? FR_OVERFLOW : FR_OK);
            assert_int_equal(k.count, all.count);
        }
}

static void wild_weights(void **state) {
    fr_ctx *ctx = *state;
    int with_landmarks = 0;
    for (uint64_t seed = 0; seed < WILD_GRAPHS; seed++) {
        wild g = draw_wild(seed);
        fr_graph *graph = NULL;
        assert_ok(ctx, fr_graph_from_edges(ctx, g.n, g.m, g.src, g.dst,
                                           g.real ? (void *)g.f64 : (void *)g.i64,
                                           g.real ? FR_TYPE_F64 : FR_TYPE_I64, NULL, &graph));
        for (int algorithm = FR_ROUTE_BIDIRECTIONAL; algorithm <= FR_ROUTE_ALT; algorithm++) {
            fr_router_options options = {
                .algorithm = (fr_route_algorithm)algorithm, .landmarks = 3, .x = g.x, .y = g.y};
            fr_router *router = NULL;
            fr_status status = fr_router_new(ctx, graph, &options, &router);
            assert_true(status == FR_OK || (algorithm == FR_ROUTE_ALT && status == FR_OVERFLOW));
            if (status)
                continue;
            with_landmarks += algorithm == FR_ROUTE_ALT;
            check_wild(router, &g, seed);
            fr_router_free(router);
        }
        fr_graph_free(graph);
    }
    assert_true(with_landmarks > WILD_GRAPHS / 2);
}

static int cancel_path(void *user, int64_t index, const void *dist, const int32_t *path,
                       int32_t length) {
    (void)dist, (void)path, (void)length;
    *(int64_t *)user = index + 1;
    return 1;
}

static void refusals(void **state) {
    fr_ctx *ctx = *state;
    const int32_t src[] = {0, 1, 0}, dst[] = {1, 2, 0}, minus[] = {1, -1, 1};
    const int64_t wide[] = {INT64_MAX - 5, 100, 1};
    const int32_t large[] = {INT32_MAX, INT32_MAX, 1};
    fr_graph *graph = NULL;
    fr_router *router = NULL;
    int64_t dist, count = 0;
    int32_t length;
    assert_ok(ctx, fr_graph_from_edges(ctx, 4, 3, src, dst, minus, FR_TYPE_I32, NULL, &graph));
    assert_int_equal(fr_router_new(ctx, graph, NULL, &router), FR_NEGATIVE_WEIGHT);
    assert_null(router);
    fr_graph_free(graph);
    for (int algorithm = FR_ROUTE_BIDIRECTIONAL; algorithm <= FR_ROUTE_ASTAR; algorithm++) {
        const double place[4] = {0};
        fr_router_options options = {
            .algorithm = (fr_route_algorithm)algorithm, .x = place, .y = place};
        assert_ok(ctx, fr_graph_from_edges(ctx, 4, 3, src, dst, wide, FR_TYPE_I64, NULL, &graph));
        assert_ok(ctx, fr_router_new(ctx, graph, &options, &router));
        assert_int_equal(fr_router_path(router, 0, 2, &dist, NULL, NULL), FR_OVERFLOW);
        assert_ok(ctx, fr_router_path(router, 0, 1, &dist, NULL, &length));
        assert_true(dist == INT64_MAX - 5 && length == 2);
        assert_ok(ctx, fr_router_path(router, 2, 0, &dist, NULL, &length));
        assert_true(dist == FR_INF_I64 && length == 0);
        assert_int_equal(fr_router_path(router, 0, 4, &dist, NULL, NULL), FR_NOT_FOUND);
        assert_int_equal(fr_router_k_paths(router, 0, 1, 0, cancel_path, &count), FR_INVALID);
        assert_int_equal(fr_router_k_paths(router, 0, 1, 2, cancel_path, &count), FR_CANCELLED);
        assert_int_equal(fr_router_k_paths(router, 0, 2, 2, cancel_path, &count), FR_OVERFLOW);
        assert_int_equal(count, 1);
        fr_router_free(router);
        fr_graph_free(graph);
    }
    assert_ok(ctx, fr_graph_from_edges(ctx, 4, 3, src, dst, large, FR_TYPE_I32, NULL, &graph));
    fr_router_options none = {.algorithm = FR_ROUTE_ASTAR};
    assert_int_equal(fr_router_new(ctx, graph, &none, &router), FR_INVALID);
    none = (fr_router_options){.landmarks = 65};
    assert_int_equal(fr_router_new(ctx, graph, &none, &router), FR_INVALID);
    assert_ok(ctx, fr_router_new(ctx, graph, NULL, &router));
    assert_ok(ctx, fr_router_path(router, 0, 2, &dist, NULL, NULL));
    assert_true(dist == 2 * (int64_t)INT32_MAX);
    fr_router_free(router);
    fr_graph_free(graph);
}

static void parents(void **state) {
    fr_ctx *ctx = *state;
    const int32_t parent[] = {0, 0, 1, -1, 5, 4, 9};
    int32_t path[7], length;
    assert_ok(ctx, fr_path(ctx, parent, 7, 2, path, &length));
    assert_true(length == 3 && path[0] == 0 && path[1] == 1 && path[2] == 2);
    assert_ok(ctx, fr_path(ctx, parent, 7, 0, NULL, &length));
    assert_int_equal(length, 1);
    assert_ok(ctx, fr_path(ctx, parent, 7, 3, path, &length));
    assert_int_equal(length, 0);
    assert_int_equal(fr_path(ctx, parent, 7, 4, path, &length), FR_INVALID);
    assert_int_equal(fr_path(ctx, parent, 7, 6, path, &length), FR_INVALID);
    assert_int_equal(fr_path(ctx, parent, 7, 7, path, &length), FR_NOT_FOUND);
}

static int ignore_path(void *user, int64_t index, const void *dist, const int32_t *path,
                       int32_t length) {
    (void)user, (void)index, (void)dist, (void)path, (void)length;
    return 0;
}

static fr_status whole_session(fr_ctx *ctx) {
    cf_edges edges = {0};
    cf_grid(&edges, 5);
    fr_graph *graph = NULL;
    fr_router *router = NULL;
    int32_t ends[25], src[100], dst[100];
    int64_t dist[25 * 25];
    for (int32_t i = 0; i < 25; i++)
        ends[i] = i;
    for (int64_t i = 0; i < edges.m; i++)
        src[i] = edges.ends[2 * i], dst[i] = edges.ends[2 * i + 1];
    fr_status s =
        fr_graph_from_edges(ctx, edges.n, edges.m, src, dst, NULL, FR_TYPE_NONE, NULL, &graph);
    s = s ? s : fr_router_new(ctx, graph, &(fr_router_options){.landmarks = 2}, &router);
    s = s ? s : fr_router_distances(router, ends, ends, 25, dist);
    s = s ? s : fr_router_table(router, ends, 25, ends, 24, dist);
    s = s ? s : fr_router_k_paths(router, 0, 24, 20, ignore_path, NULL);
    fr_router_free(router);
    fr_graph_free(graph);
    free(edges.ends);
    return s;
}

static void failing_allocations(void **state) {
    (void)state;
    int64_t k = 0;
    fr_status status;
    do {
        test_allocator c = {.fail_at = ++k};
        fr_ctx_options options = test_allocator_options(&c, 2);
        fr_ctx *ctx = NULL;
        status = fr_ctx_new(&options, &ctx);
        status = status ? status : whole_session(ctx);
        fr_ctx_free(ctx);
        assert_true(status == FR_OK || status == FR_NOMEM);
        assert_int_equal(c.live, 0);
    } while (status);
    assert_true(k > 30);
}

static int stop_routing(void *user, const char *phase, int64_t done, int64_t total) {
    (void)done, (void)total;
    return *(bool *)user && !strcmp(phase, "routing");
}

static void cancellation(void **state) {
    (void)state;
    bool stop = false;
    fr_ctx *ctx = NULL;
    fr_ctx_options options = {.threads = 2, .progress = stop_routing, .progress_user = &stop};
    assert_ok(ctx, fr_ctx_new(&options, &ctx));
    ctx->pace_ns = 0; /* progress is reported at every opportunity */
    fr_graph *graph = NULL;
    fr_router *router = NULL;
    int64_t dist[4];
    int32_t ends[] = {0, 5000, 9000, 9999}, length;
    assert_ok(ctx, fr_graph_generate(ctx, "grid2d:rows=100,cols=100", NULL, &graph));
    assert_ok(ctx, fr_router_new(ctx, graph, NULL, &router));
    stop = true;
    assert_int_equal(fr_router_path(router, 0, 9999, dist, NULL, NULL), FR_CANCELLED);
    assert_int_equal(fr_router_table(router, ends, 2, ends, 2, dist), FR_CANCELLED);
    assert_int_equal(fr_router_k_paths(router, 0, 9999, 3, ignore_path, NULL), FR_CANCELLED);
    stop = false;
    assert_ok(ctx, fr_router_path(router, 0, 9999, dist, NULL, &length));
    assert_true(dist[0] == 198 && length == 199);
    fr_router_free(router);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

TEST_PROGRAM(TEST(all_shapes), TEST(straight_lines), TEST(k_paths), TEST(wild_weights),
             TEST(refusals), TEST(parents), TEST(failing_allocations), TEST(cancellation))
