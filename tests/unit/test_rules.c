/* What a query can compute in addition to distances, for every strategy on the CPU: reversed edges, limits of
 * 0, parents by rule, order, origins and float distances of unit weights. The reference relaxes
 * edges until nothing changes and applies the definitions. */
#include "fringe_tune.h"
#include "support/support.h"

#include "base/rng.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { N = 24, M = 90, MAX_SOURCES = 3 };

typedef struct {
    int32_t n;
    int64_t m;
    int32_t src[M], dst[M];
    double w[M];
    bool negative;
    double dist[N];
    int32_t hops[N], nearest[N], origin[N];
} sample;

static uint32_t draw(uint64_t seed, uint64_t i, uint32_t below) {
    return (uint32_t)fri_random_below(fri_random(seed, i), below);
}

/* Small weights, many of them 0, so that ties are common. kind 2: potentials, some below 0. */
static sample make(uint64_t seed, int kind) {
    sample s = {
        .n = 2 + (int32_t)draw(seed, 0, N - 2), .m = draw(seed, 1, M), .negative = kind == 2};
    double potential[N];
    for (int32_t v = 0; v < N; v++)
        potential[v] = draw(seed, 1000 + (uint64_t)v, 4);
    for (int64_t i = 0; i < s.m; i++) {
        s.src[i] = (int32_t)draw(seed, 10 + 3 * (uint64_t)i, (uint32_t)s.n);
        s.dst[i] = (int32_t)draw(seed, 11 + 3 * (uint64_t)i, (uint32_t)s.n);
        s.w[i] = kind == 0 ? 1 : draw(seed, 12 + 3 * (uint64_t)i, 3);
        if (kind == 2)
            s.w[i] += potential[s.src[i]] - potential[s.dst[i]];
    }
    return s;
}

static void relax_all(const sample *s, const int32_t *sources, int count, double *dist) {
    for (int32_t v = 0; v < s->n; v++)
        dist[v] = INFINITY;
    for (int i = 0; i < count; i++)
        dist[sources[i]] = 0;
    for (bool again = true; again;) {
        again = false;
        for (int64_t i = 0; i < s->m; i++)
            if (dist[s->src[i]] + s->w[i] < dist[s->dst[i]]) {
                dist[s->dst[i]] = dist[s->src[i]] + s->w[i];
                again = true;
            }
    }
}

static bool tight(const sample *s, int64_t i) {
    double d = s->dist[s->src[i]];
    return d < INFINITY && d + s->w[i] == s->dist[s->dst[i]];
}

/* (distance, hops) of u below those of v; the distance is left out where weights are negative. */
static bool below(const sample *s, int32_t u, int32_t v) {
    if (!s->negative && s->dist[u] != s->dist[v])
        return s->dist[u] < s->dist[v];
    return s->hops[u] < s->hops[v];
}

/* The rank of u among the parents of v: by distance if it is nearer, else by hops. */
static double rank(const sample *s, int32_t u, int32_t v) {
    return !s->negative && s->dist[u] < s->dist[v] ? s->dist[u] : 1e6 + s->hops[u];
}

static void find_hops(sample *s, const int32_t *sources, int count) {
    for (int32_t v = 0; v < s->n; v++)
        s->hops[v] = INT32_MAX - 1;
    for (int i = 0; i < count; i++)
        if (s->dist[sources[i]] == 0)
            s->hops[sources[i]] = 0;
    for (int64_t i = 0; i < s->m && !s->negative; i++)
        if (tight(s, i) && s->dist[s->src[i]] < s->dist[s->dst[i]])
            s->hops[s->dst[i]] = 0;
    for (int round = 0; round < s->n; round++)
        for (int64_t i = 0; i < s->m; i++)
            if (tight(s, i) && s->hops[s->src[i]] + 1 < s->hops[s->dst[i]])
                s->hops[s->dst[i]] = s->hops[s->src[i]] + 1;
}

static void refer(sample *s, const int32_t *sources, int count) {
    double alone[N];
    relax_all(s, sources, count, s->dist);
    find_hops(s, sources, count);
    for (int32_t v = 0; v < s->n; v++)
        s->nearest[v] = s->origin[v] = -1;
    for (int i = 0; i < count; i++)
        if (s->dist[sources[i]] == 0)
            s->nearest[sources[i]] = sources[i];
    for (int64_t i = 0; i < s->m; i++) {
        int32_t u = s->src[i], v = s->dst[i], p = s->nearest[v];
        if (p == v || !tight(s, i) || !below(s, u, v))
            continue;
        if (p < 0 || rank(s, u, v) < rank(s, p, v) || (rank(s, u, v) == rank(s, p, v) && u < p))
            s->nearest[v] = u;
    }
    for (int i = count - 1; i >= 0; i--) {
        relax_all(s, &sources[i], 1, alone);
        for (int32_t v = 0; v < s->n; v++)
            if (alone[v] < INFINITY && alone[v] == s->dist[v])
                s->origin[v] = i;
    }
}

static double value(const void *dist, fr_type type, int32_t v) {
    switch (type) {
    case FR_TYPE_I32: {
        int32_t d = ((const int32_t *)dist)[v];
        return d == FR_INF_I32 ? INFINITY : d;
    }
    case FR_TYPE_I64: {
        int64_t d = ((const int64_t *)dist)[v];
        return d == FR_INF_I64 ? INFINITY : (double)d;
    }
    case FR_TYPE_F32: return (double)((const float *)dist)[v];
    default: return ((const double *)dist)[v];
    }
}

/* The graph of the sample, with its edges turned round if asked. */
static fr_graph *build(fr_ctx *ctx, const sample *s, fr_type type, bool turned) {
    int32_t i32[M];
    int64_t i64[M];
    float f32[M];
    for (int64_t i = 0; i < s->m; i++) {
        i32[i] = (int32_t)s->w[i];
        i64[i] = i32[i];
        f32[i] = (float)s->w[i];
    }
    const void *weights[] = {NULL, i32, i64, f32, s->w};
    const int32_t *src = turned ? s->dst : s->src, *dst = turned ? s->src : s->dst;
    fr_graph *graph = NULL;
    assert_ok(ctx,
              fr_graph_from_edges(ctx, s->n, s->m, src, dst, weights[type], type, NULL, &graph));
    return graph;
}

static int pick_sources(uint64_t seed, const sample *s, int32_t *sources) {
    int count = 1 + (int)draw(seed, 2, MAX_SOURCES);
    for (int i = 0; i < count; i++)
        sources[i] = (int32_t)draw(seed, 3 + (uint64_t)i, (uint32_t)s->n);
    return count;
}

static void compare(const char *strategy, uint64_t seed, const sample *s, double limit,
                    const fr_result *r, fr_type type) {
    for (int32_t v = 0; v < s->n; v++) {
        bool cut = s->dist[v] > limit;
        double want = cut ? INFINITY : s->dist[v], got = value(r->dist, type, v);
        int32_t parent = cut ? -1 : s->nearest[v], origin = cut ? -1 : s->origin[v];
        if (got != want || r->parent[v] != parent || r->origin[v] != origin)
            fail_msg("%s seed %llu %s vertex %d: distance %g parent %d origin %d, not %g %d %d",
                     strategy, (unsigned long long)seed, fr_type_name(type), v, got, r->parent[v],
                     r->origin[v], want, parent, origin);
    }
}

static void try_sssp(fr_ctx *ctx, const char *strategy, uint64_t seed, bool reverse) {
    int kind = (int)(seed % 3);
    fr_type type = (fr_type)(kind == 0 ? FR_TYPE_NONE : 1 + (int)draw(seed, 7, 4));
    sample s = make(seed, kind);
    int32_t sources[MAX_SOURCES], parent[N], origin[N];
    double dist[N];
    int count = pick_sources(seed, &s, sources);
    refer(&s, sources, count);
    fr_graph *graph = build(ctx, &s, type, reverse);
    fr_type types[] = {FR_TYPE_I32, FR_TYPE_I64, FR_TYPE_F32, FR_TYPE_F64};
    fr_solver_options options = {.strategy = strategy,
                                 .backend = FR_BACKEND_CPU,
                                 .reverse = reverse,
                                 .dist_type = kind ? FR_TYPE_NONE : types[draw(seed, 8, 4)]};
    fr_solver *solver = NULL;
    fr_status status = fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, &options, &solver);
    if (kind == 2 && status == FR_NEGATIVE_WEIGHT) {
        fr_graph_free(graph);
        return;
    }
    assert_ok(ctx, status);
    assert_int_equal(fr_solver_dist_type(solver), kind ? type : options.dist_type);
    fr_query query = {.sources = sources,
                      .source_count = count,
                      .parent_rule = FR_PARENT_NEAREST,
                      .limit_distance = seed % 5 == 0};
    fr_result result = {.dist = dist, .parent = parent, .origin = origin};
    if (!s.negative || !query.limit_distance) {
        assert_ok(ctx, fr_solve(solver, &query, &result));
        compare(strategy, seed, &s, query.limit_distance ? 0 : INFINITY, &result,
                fr_solver_dist_type(solver));
        fr_graph *forward = NULL;
        assert_ok(ctx, fr_graph_transpose(ctx, graph, &forward));
        assert_ok(ctx, fr_verify_sssp(ctx, reverse ? forward : graph, &query, false, dist,
                                      fr_solver_dist_type(solver), parent));
        fr_graph_free(forward);
    }
    fr_solver_free(solver);
    fr_graph_free(graph);
}

static void try_bfs(fr_ctx *ctx, const char *strategy, uint64_t seed, bool reverse) {
    sample s = make(seed, 0);
    int32_t sources[MAX_SOURCES], level[N], parent[N], origin[N], order[N], at = 0;
    int count = pick_sources(seed, &s, sources);
    refer(&s, sources, count);
    fr_graph *graph = build(ctx, &s, FR_TYPE_NONE, reverse);
    fr_solver_options options = {
        .strategy = strategy, .backend = FR_BACKEND_CPU, .reverse = reverse};
    fr_solver *solver = NULL;
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver));
    fr_query query = {.sources = sources,
                      .source_count = count,
                      .parent_rule = FR_PARENT_NEAREST,
                      .limit_level = seed % 5 == 0};
    fr_result result = {.level = level, .parent = parent, .origin = origin, .order = order};
    assert_ok(ctx, fr_solve(solver, &query, &result));
    double limit = query.limit_level ? 0 : INFINITY;
    for (int32_t v = 0; v < s.n; v++) {
        bool cut = s.dist[v] > limit || s.dist[v] == (double)INFINITY;
        if (level[v] != (cut ? -1 : (int32_t)s.dist[v]) || parent[v] != (cut ? -1 : s.nearest[v]) ||
            origin[v] != (cut ? -1 : s.origin[v]))
            fail_msg("%s seed %llu vertex %d: level %d parent %d origin %d", strategy,
                     (unsigned long long)seed, v, level[v], parent[v], origin[v]);
    }
    for (int32_t d = 0; d < s.n; d++)
        for (int32_t v = 0; v < s.n; v++)
            if (level[v] == d && order[at++] != v)
                fail_msg("%s seed %llu: order[%d] is not %d", strategy, (unsigned long long)seed,
                         at - 1, v);
    assert_int_equal(result.stats.reached, at);
    fr_solver_free(solver);
    fr_graph_free(graph);
}

static void each_strategy(void **state) {
    fr_ctx *ctx = *state;
    fr_strategy_info info = {0};
    int tried = 0;
    for (int i = 0; fr_strategy_get(i, &info); i++) {
        if (info.backend != FR_BACKEND_CPU || info.problem == FR_PROBLEM_APSP)
            continue;
        tried++;
        for (uint64_t seed = 0; seed < 200; seed++)
            (info.problem == FR_PROBLEM_BFS ? try_bfs : try_sssp)(ctx, info.name, seed,
                                                                  seed % 2 == 1);
    }
    assert_true(tried >= 8);
}

/* ---- all pairs ---- */

static int keep_row(void *user, int64_t row, int32_t source, const void *dist,
                    const int32_t *parent) {
    (void)source, (void)parent;
    memcpy((double *)user + row * 4, dist, 4 * sizeof(double));
    return 0;
}

static void all_pairs(void **state) {
    fr_ctx *ctx = *state;
    const int32_t ends[] = {0, 1, 1, 2, 2, 3};
    fr_graph *graph = test_graph(ctx, 4, 3, ends, false);
    fr_strategy_info info = {0};
    for (int i = 0; fr_strategy_get(i, &info); i++) {
        if (info.backend != FR_BACKEND_CPU || info.problem != FR_PROBLEM_APSP)
            continue;
        fr_solver_options options = {.strategy = info.name,
                                     .backend = FR_BACKEND_CPU,
                                     .dist_type = FR_TYPE_F64,
                                     .reverse = true};
        fr_solver *solver = NULL;
        double dist[16], rows[16];
        assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_APSP, &options, &solver));
        fr_query query = {.row = keep_row, .row_user = rows};
        fr_result result = {.dist = dist};
        assert_ok(ctx, fr_solve(solver, &query, &result));
        for (int u = 0; u < 4; u++)
            for (int v = 0; v < 4; v++) { /* row u: distances to u */
                double want = v <= u ? u - v : (double)INFINITY;
                assert_true(dist[4 * u + v] == want && rows[4 * u + v] == want);
            }
        fr_solver_free(solver);
    }
    fr_graph_free(graph);
}

/* ---- what is refused, and the edge of a limit ---- */

static void refusals(void **state) {
    fr_ctx *ctx = *state;
    const int32_t ends[] = {0, 1, 1, 2}, source = 0;
    int32_t list[9], dist[9];
    fr_graph *graph = test_graph(ctx, 3, 2, ends, false);
    fr_solver *bfs = NULL, *sssp = NULL, *apsp = NULL;
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_BFS, NULL, &bfs));
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, NULL, &sssp));
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_APSP, NULL, &apsp));
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result order = {.dist = dist, .order = list}, origin = {.dist = dist, .origin = list};
    assert_int_equal(fr_solve(sssp, &query, &order), FR_UNSUPPORTED);
    assert_int_equal(fr_solve(apsp, &query, &origin), FR_UNSUPPORTED);
    fr_result plain = {.dist = dist};
    query = (fr_query){.sources = &source, .source_count = 1, .limit_level = true};
    assert_int_equal(fr_solve(apsp, &query, &plain), FR_UNSUPPORTED);
    query.parent_rule = (fr_parent_rule)9;
    assert_int_equal(fr_solve(bfs, &query, &plain), FR_INVALID);
    fr_solver_free(bfs);
    fr_solver_free(sssp);
    fr_solver_free(apsp);
    fr_graph_free(graph);
}

/* The checker demands the parent of the rule. */
static void rules_are_checked(void **state) {
    fr_ctx *ctx = *state;
    const int32_t src[] = {0, 0, 1, 2}, dst[] = {1, 2, 3, 3}, w[] = {4, 1, 1, 4}, source = 0;
    const int32_t dist[] = {0, 4, 1, 5}, min_ids[] = {0, 0, 0, 1}, nearest[] = {0, 0, 0, 2};
    fr_graph *graph = NULL;
    assert_ok(ctx, fr_graph_from_edges(ctx, 4, 4, src, dst, w, FR_TYPE_I32, NULL, &graph));
    fr_query query = {.sources = &source, .source_count = 1, .parent_rule = FR_PARENT_NEAREST};
    assert_ok(ctx, fr_verify_sssp(ctx, graph, &query, false, dist, FR_TYPE_I32, nearest));
    assert_int_equal(fr_verify_sssp(ctx, graph, &query, false, dist, FR_TYPE_I32, min_ids),
                     FR_VERIFY_FAILED);
    assert_non_null(strstr(fr_ctx_error(ctx), "parent 1 is not the nearest, 2 is nearer"));
    query.parent_rule = FR_PARENT_MIN_ID;
    assert_ok(ctx, fr_verify_sssp(ctx, graph, &query, false, dist, FR_TYPE_I32, min_ids));
    assert_int_equal(fr_verify_sssp(ctx, graph, &query, false, dist, FR_TYPE_I32, nearest),
                     FR_VERIFY_FAILED);
    fr_graph_free(graph);
}

/* Of parents at one distance the one of smallest id. */
static void the_smallest_of_equally_near_parents_is_demanded(void **state) {
    fr_ctx *ctx = *state;
    const int32_t src[] = {0, 0, 1, 2}, dst[] = {1, 2, 3, 3}, w[] = {1, 1, 1, 1}, source = 0;
    const int32_t dist[] = {0, 1, 1, 2}, smaller[] = {0, 0, 0, 1}, greater[] = {0, 0, 0, 2};
    fr_graph *graph = NULL;
    assert_ok(ctx, fr_graph_from_edges(ctx, 4, 4, src, dst, w, FR_TYPE_I32, NULL, &graph));
    fr_query query = {.sources = &source, .source_count = 1, .parent_rule = FR_PARENT_NEAREST};
    assert_ok(ctx, fr_verify_sssp(ctx, graph, &query, false, dist, FR_TYPE_I32, smaller));
    assert_int_equal(fr_verify_sssp(ctx, graph, &query, false, dist, FR_TYPE_I32, greater),
                     FR_VERIFY_FAILED);
    assert_non_null(strstr(fr_ctx_error(ctx), "parent 2 is not the nearest, 1 is nearer"));
    fr_graph_free(graph);
}

/* A path as long as the mark of an unreached vertex does not give an unreached vertex a parent. */
static void mark_is_no_length(void **state) {
    fr_ctx *ctx = *state;
    const int32_t src[] = {0, 0, 1}, dst[] = {1, 2, 2}, source = 0, parent[] = {0, 0, -1};
    const int64_t weight[] = {1, INT64_MAX, INT64_MAX - 1}, dist[] = {0, 1, FR_INF_I64};
    fr_graph *graph = NULL;
    assert_ok(ctx, fr_graph_from_edges(ctx, 3, 3, src, dst, weight, FR_TYPE_I64, NULL, &graph));
    fr_query query = {.sources = &source, .source_count = 1, .max_distance = 2};
    for (fr_parent_rule rule = FR_PARENT_ANY; rule <= FR_PARENT_NEAREST; rule++) {
        query.parent_rule = rule;
        assert_ok(ctx, fr_verify_sssp(ctx, graph, &query, false, dist, FR_TYPE_I64, parent));
    }
    assert_ok(ctx, fr_verify_sssp(ctx, graph, &query, false, dist, FR_TYPE_I64, NULL));
    fr_graph_free(graph);
}

/* The minimum positive weight is beyond a limit of 0, not within it. */
static void min_positive_weight_exceeds_0(void **state) {
    fr_ctx *ctx = *state;
    const int32_t src[] = {0, 1}, dst[] = {1, 2}, source = 0;
    const double weight[] = {0, DBL_TRUE_MIN};
    fr_graph *graph = NULL;
    assert_ok(ctx, fr_graph_from_edges(ctx, 3, 2, src, dst, weight, FR_TYPE_F64, NULL, &graph));
    fr_strategy_info info = {0};
    for (int i = 0; fr_strategy_get(i, &info); i++) {
        if (info.backend != FR_BACKEND_CPU || info.problem != FR_PROBLEM_SSSP)
            continue;
        fr_solver_options options = {.strategy = info.name, .backend = FR_BACKEND_CPU};
        fr_solver *solver = NULL;
        double dist[3];
        int32_t parent[3];
        fr_query query = {.sources = &source, .source_count = 1, .limit_distance = true};
        fr_result result = {.dist = dist, .parent = parent};
        assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, &options, &solver));
        assert_ok(ctx, fr_solve(solver, &query, &result));
        assert_true(dist[1] == 0 && dist[2] == (double)INFINITY);
        assert_true(parent[1] == 0 && parent[2] == -1 && result.stats.reached == 2);
        fr_solver_free(solver);
    }
    fr_graph_free(graph);
}

/* A graph whose vertices threads order in parts: many that are reached and many that are not. */
static void a_shared_order_is_by_level_and_number(void **state) {
    (void)state;
    fr_ctx *ctx;
    fr_graph *graph;
    assert_int_equal(fr_ctx_new(&(fr_ctx_options){.threads = 3}, &ctx), FR_OK);
    assert_ok(ctx, fr_graph_generate(ctx, "kronecker:scale=17,edge_factor=2,seed=5", NULL, &graph));
    int32_t n = fr_graph_vertex_count(graph), source = 0, at = 0;
    while (fr_graph_csr(graph)->offsets[source + 1] == 0)
        source++;
    int32_t *level = malloc((size_t)n * sizeof *level), *order = malloc((size_t)n * sizeof *order);
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.level = level, .order = order};
    fr_solver *solver;
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_BFS, NULL, &solver));
    assert_ok(ctx, fr_solve(solver, &query, &result));
    for (int32_t d = 0; d <= result.stats.levels; d++)
        for (int32_t v = 0; v < n; v++)
            if (level[v] == d && order[at++] != v)
                fail_msg("order[%d] is %d, not %d", at - 1, order[at - 1], v);
    assert_int_equal(at, result.stats.reached);
    assert_true(at > n / 4 && at < n);
    free(level);
    free(order);
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

TEST_PROGRAM(TEST(each_strategy), TEST(all_pairs), TEST(refusals), TEST(rules_are_checked),
             TEST(the_smallest_of_equally_near_parents_is_demanded), TEST(mark_is_no_length),
             TEST(min_positive_weight_exceeds_0), TEST(a_shared_order_is_by_level_and_number))
