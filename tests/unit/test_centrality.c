/* All shortest paths and centralities against definitions computed from all pairs of distances and
 * path counts, on random small graphs; the same bits for any number of threads; cancellation;
 * allocations that fail. */
#include "fringe_measures.h"
#include "support/allocator.h"
#include "support/support.h"

#include "base/base.h"
#include "base/rng.h"

#include <math.h>
#include <stdio.h>

enum { N = 24, M = 70 };

/* All pairs by definition: dist of Floyd and Warshall, the number of shortest paths by a recursion
 * over distances. */
typedef struct {
    int32_t n;
    double dist[N][N], paths[N][N];
    bool symmetric;
} oracle;

static double weight_of(const fr_csr *csr, int64_t e) {
    switch (csr->weight_type) {
    case FR_TYPE_I32: return ((const int32_t *)csr->weights)[e];
    case FR_TYPE_F64: return ((const double *)csr->weights)[e];
    default: return 1;
    }
}

static double count_paths(oracle *o, const fr_csr *csr, int32_t s, int32_t t) {
    if (s == t)
        return 1;
    if (o->paths[s][t] >= 0)
        return o->paths[s][t];
    double sum = 0;
    for (int32_t u = 0; u < csr->n && o->dist[s][t] < INFINITY; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            if (csr->targets[e] == t && u != t &&
                o->dist[s][u] + weight_of(csr, e) == o->dist[s][t])
                sum += count_paths(o, csr, s, u);
    return o->paths[s][t] = sum;
}

static void solve_oracle(oracle *o, const fr_csr *csr, bool counts) {
    int32_t n = o->n = csr->n;
    o->symmetric = csr->symmetric;
    for (int32_t u = 0; u < n; u++)
        for (int32_t v = 0; v < n; v++) {
            o->dist[u][v] = u == v ? 0 : INFINITY;
            o->paths[u][v] = -1;
        }
    for (int32_t u = 0; u < n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            o->dist[u][csr->targets[e]] = fmin(o->dist[u][csr->targets[e]], weight_of(csr, e));
    for (int32_t k = 0; k < n; k++)
        for (int32_t u = 0; u < n; u++)
            for (int32_t v = 0; v < n; v++)
                o->dist[u][v] = fmin(o->dist[u][v], o->dist[u][k] + o->dist[k][v]);
    for (int32_t u = 0; u < n && counts; u++)
        for (int32_t v = 0; v < n; v++)
            o->paths[u][v] = count_paths(o, csr, u, v);
}

static void assert_near(double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want))))
        fail_msg("got %.17g, expected %.17g", got, want);
}

static double betweenness_of(const oracle *o, int32_t v) {
    double sum = 0;
    for (int32_t s = 0; s < o->n; s++)
        for (int32_t t = 0; t < o->n; t++)
            if (s != t && s != v && t != v && o->paths[s][t] > 0 &&
                o->dist[s][v] + o->dist[v][t] == o->dist[s][t])
                sum += o->paths[s][v] * o->paths[v][t] / o->paths[s][t];
    return o->symmetric ? sum / 2 : sum;
}

static void check_betweenness(fr_ctx *ctx, const fr_graph *graph, const oracle *o) {
    double score[N + 1], normalized[N + 1], bound = -1;
    fr_betweenness_options options = FR_INIT(fr_betweenness_options);
    assert_ok(ctx, fr_betweenness(ctx, graph, NULL, score, NULL));
    options.normalized = true;
    options.samples = o->n; /* every vertex: exact */
    assert_ok(ctx, fr_betweenness(ctx, graph, &options, normalized, &bound));
    assert_true(bound == 0);
    double pairs = (o->n - 1.0) * (o->n - 2.0) / (o->symmetric ? 2 : 1);
    for (int32_t v = 0; v < o->n; v++) {
        assert_near(score[v], betweenness_of(o, v));
        if (o->n > 2)
            assert_near(normalized[v], score[v] / pairs);
    }
}

static void check_nearness(fr_ctx *ctx, const fr_graph *graph, const oracle *o) {
    double close[N + 1], part[N + 1], near[N + 1];
    assert_ok(ctx, fr_closeness(ctx, graph, false, FR_BACKEND_CPU, close));
    assert_ok(ctx, fr_closeness(ctx, graph, true, FR_BACKEND_CPU, part));
    assert_ok(ctx, fr_harmonic(ctx, graph, FR_BACKEND_CPU, near));
    for (int32_t v = 0; v < o->n; v++) {
        double far = 0, sum = 0, others = 0;
        for (int32_t u = 0; u < o->n; u++) {
            if (u == v || o->dist[u][v] == INFINITY)
                continue;
            others++;
            far += o->dist[u][v];
            sum += o->dist[u][v] > 0 ? 1 / o->dist[u][v] : 0;
        }
        assert_near(part[v], far > 0 ? others / far : 0);
        assert_near(close[v], far > 0 ? others / far * others / (o->n - 1) : 0);
        assert_near(near[v], sum);
    }
}

static void check_extent(fr_ctx *ctx, const fr_graph *graph, const oracle *o) {
    double ecc[N + 1], diameter = -1, radius = -1, far = 0, minimum = o->n ? INFINITY : 0, alone[2];
    int64_t passes = -1;
    assert_ok(ctx, fr_eccentricity(ctx, graph, FR_BACKEND_ANY, ecc, &diameter, &radius, &passes));
    for (int32_t v = 0; v < o->n; v++) {
        double own = 0;
        for (int32_t u = 0; u < o->n; u++)
            own = o->dist[v][u] < INFINITY ? fmax(own, o->dist[v][u]) : own;
        assert_true(ecc[v] == own);
        far = fmax(far, own);
        minimum = fmin(minimum, own);
    }
    assert_true(diameter == far && radius == minimum);
    assert_in_range(passes, 0, 2 * o->n);
    assert_ok(ctx, fr_eccentricity(ctx, graph, FR_BACKEND_ANY, NULL, &alone[0], &alone[1], NULL));
    assert_true(alone[0] == far && alone[1] == minimum);
}

/* From one source; `type` FR_TYPE_NONE: levels. */
static void check_paths(fr_ctx *ctx, const fr_graph *graph, const oracle *o, int32_t s) {
    const fr_csr *csr = fr_graph_csr(graph);
    int32_t level[N + 1];
    double dist[N + 1], count[N + 1];
    int64_t exact[N + 1], tight = -1, expected = 0;
    uint64_t bits[2 * M / 64 + 2];
    bool levels = csr->weight_type == FR_TYPE_NONE;
    fr_type type = csr->weight_type;
    const void *values = levels ? (const void *)level : dist;
    assert_ok(ctx,
              levels ? fr_bfs(ctx, graph, s, level, NULL) : fr_sssp(ctx, graph, s, dist, NULL));
    assert_ok(ctx, fr_tight_edges(ctx, graph, type, values, bits, &tight));
    for (int32_t u = 0; u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int32_t v = csr->targets[e];
            bool is = u != v && o->dist[s][v] < INFINITY &&
                      o->dist[s][u] + weight_of(csr, e) == o->dist[s][v];
            expected += is;
            assert_int_equal(bits[e / 64] >> e % 64 & 1, is);
        }
    assert_int_equal(tight, expected);
    assert_ok(ctx, fr_path_counts(ctx, graph, type, values, &s, 1, count, exact));
    for (int32_t v = 0; v < csr->n; v++) {
        assert_near(count[v], o->paths[s][v]);
        assert_int_equal(exact[v], (int64_t)o->paths[s][v]);
    }
}

/* Weights: none, int32 1 .. 4 or double. */
static fr_graph *draw(fr_ctx *ctx, uint64_t seed) {
    int32_t n = (int32_t)fri_random_below(fri_random(seed, 3), N + 1), src[M], dst[M];
    int64_t m = n ? (int64_t)fri_random_below(fri_random(seed, 4), M) : 0;
    int32_t whole[M];
    double real[M];
    for (int64_t i = 0; i < m; i++) {
        src[i] = (int32_t)fri_random_below(fri_random(seed, 10 + 3 * (uint64_t)i), (uint64_t)n);
        dst[i] = (int32_t)fri_random_below(fri_random(seed, 11 + 3 * (uint64_t)i), (uint64_t)n);
        whole[i] = 1 + (int32_t)fri_random_below(fri_random(seed, 12 + 3 * (uint64_t)i), 4);
        real[i] = whole[i] / 4.0;
    }
    const void *weights[] = {NULL, whole, real};
    const fr_type types[] = {FR_TYPE_NONE, FR_TYPE_I32, FR_TYPE_F64};
    fr_load_options options = FR_INIT(fr_load_options);
    options.direction = seed % 2 ? FR_DIRECTION_UNDIRECTED : FR_DIRECTION_DIRECTED;
    fr_graph *graph = NULL;
    assert_ok(ctx, fr_graph_from_edges(ctx, n, m, src, dst, weights[seed % 3], types[seed % 3],
                                       &options, &graph));
    return graph;
}

static void random_graphs(void **state) {
    fr_ctx *ctx = *state;
    static oracle o;
    for (uint64_t seed = 0; seed < 600; seed++) {
        fr_graph *graph = draw(ctx, seed);
        solve_oracle(&o, fr_graph_csr(graph), true);
        check_betweenness(ctx, graph, &o);
        check_nearness(ctx, graph, &o);
        check_extent(ctx, graph, &o);
        const fr_csr *csr = fr_graph_csr(graph);
        /* fr_sssp gives int32 distances, the oracle's type is double */
        if (o.n && csr->weight_type != FR_TYPE_I32)
            check_paths(ctx, graph, &o, (int32_t)(seed % (uint64_t)o.n));
        fr_graph_free(graph);
    }
}

static fr_graph *generated(fr_ctx *ctx, const char *text, bool weighted) {
    fr_load_options options = FR_INIT(fr_load_options);
    fr_graph *graph = NULL;
    if (weighted) {
        options.weights = FR_WEIGHTS_RANDOM;
        options.weight_low = 1;
        options.weight_high = 9;
    }
    assert_ok(ctx, fr_graph_generate(ctx, text, &options, &graph));
    return graph;
}

/* Computes every eccentricity by its own BFS. */
static void check_bounds(fr_ctx *ctx, const char *text, bool weighted, int64_t max_passes) {
    fr_graph *graph = generated(ctx, text, weighted);
    int32_t n = fr_graph_vertex_count(graph), *dist = malloc((size_t)n * sizeof *dist);
    double *ecc = malloc((size_t)n * sizeof *ecc), diameter, radius, far = 0, minimum = INFINITY;
    int64_t passes;
    assert_ok(ctx, fr_eccentricity(ctx, graph, FR_BACKEND_ANY, ecc, NULL, NULL, NULL));
    assert_ok(ctx, fr_eccentricity(ctx, graph, FR_BACKEND_ANY, NULL, &diameter, &radius, &passes));
    for (int32_t s = 0; s < n; s++) {
        int32_t own = 0;
        assert_ok(ctx, fr_sssp(ctx, graph, s, dist, NULL));
        for (int32_t v = 0; v < n; v++)
            own = dist[v] != FR_INF_I32 ? FRI_MAX(own, dist[v]) : own;
        assert_true(ecc[s] == own);
        far = fmax(far, own);
        minimum = fmin(minimum, own);
    }
    assert_true(diameter == far && radius == minimum);
    if (passes > max_passes)
        fail_msg("%s: %lld passes", text, (long long)passes);
    free(dist);
    free(ecc);
    fr_graph_free(graph);
}

/* Components above the size that is traversed from every vertex. */
static void bounds_spare_traversals(void **state) {
    check_bounds(*state, "grid2d:rows=17,cols=23", false, 40);
    check_bounds(*state, "grid2d:rows=17,cols=23", true, 150);
    check_bounds(*state, "kronecker:scale=9,edge_factor=4,seed=1", false, 400);
    check_bounds(*state, "kronecker:scale=9,edge_factor=4,seed=2", true, 400);
    check_bounds(*state, "uniform:n=400,edges=1400,directed=1,seed=3", false, 900);
}

typedef struct {
    double values[5][600], diameter;
} answers;

static void answer(const char *text, bool weighted, int threads, answers *a) {
    fr_ctx_options options = FR_INIT(fr_ctx_options);
    fr_betweenness_options sampled = FR_INIT(fr_betweenness_options);
    options.threads = threads;
    sampled.samples = 100;
    fr_ctx *ctx = NULL;
    assert_int_equal(fr_ctx_new(&options, &ctx), FR_OK);
    fr_graph *graph = generated(ctx, text, weighted);
    assert_in_range(fr_graph_vertex_count(graph), 1, 600);
    memset(a, 0, sizeof *a);
    assert_ok(ctx, fr_betweenness(ctx, graph, NULL, a->values[0], NULL));
    assert_ok(ctx, fr_betweenness(ctx, graph, &sampled, a->values[1], &a->diameter));
    assert_ok(ctx, fr_closeness(ctx, graph, false, FR_BACKEND_CPU, a->values[2]));
    assert_ok(ctx, fr_harmonic(ctx, graph, FR_BACKEND_CPU, a->values[3]));
    assert_ok(ctx,
              fr_eccentricity(ctx, graph, FR_BACKEND_ANY, a->values[4], &a->diameter, NULL, NULL));
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

static void same_for_any_threads(void **state) {
    (void)state;
    static answers one, more;
    const char *texts[] = {"kronecker:scale=9,edge_factor=6,seed=5", "grid2d:rows=20,cols=25"};
    const int threads[] = {2, 3, 8};
    for (int i = 0; i < 4; i++) {
        answer(texts[i / 2], i % 2, 1, &one);
        for (int t = 0; t < 3; t++) {
            answer(texts[i / 2], i % 2, threads[t], &more);
            assert_memory_equal(&one, &more, sizeof one);
        }
    }
}

static void samples_are_within_the_bound(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = generated(ctx, "kronecker:scale=9,edge_factor=6,seed=5", false);
    int32_t n = fr_graph_vertex_count(graph);
    double exact[512], estimate[512], bound, error = 0;
    fr_betweenness_options options = FR_INIT(fr_betweenness_options);
    options.normalized = true;
    assert_ok(ctx, fr_betweenness(ctx, graph, &options, exact, NULL));
    options.samples = 200;
    for (options.seed = 1; options.seed <= 20; options.seed++) {
        assert_ok(ctx, fr_betweenness(ctx, graph, &options, estimate, &bound));
        for (int32_t v = 0; v < n; v++) {
            assert_true(fabs(estimate[v] - exact[v]) <= bound);
            error = fmax(error, fabs(estimate[v] - exact[v]));
        }
    }
    assert_near(bound, n / (n - 1.0) * (n - 2.0) / (n - 2.0) * sqrt(log(40.0 * n) / 400));
    assert_true(error > 0);
    fr_graph_free(graph);
}

/* A chain of diamonds doubles the number of paths each time. */
static void many_paths(void **state) {
    fr_ctx *ctx = *state;
    enum { DIAMONDS = 1100, VERTICES = 3 * DIAMONDS + 1 };
    static int32_t ends[8 * DIAMONDS], level[VERTICES];
    static double count[VERTICES];
    static int64_t exact[VERTICES];
    const int32_t source = 0;
    for (int32_t i = 0; i < DIAMONDS; i++) {
        const int32_t pairs[] = {0, 1, 0, 2, 1, 3, 2, 3};
        for (int j = 0; j < 8; j++)
            ends[8 * i + j] = 3 * i + pairs[j];
    }
    const int diamonds[] = {62, 63, 1023, DIAMONDS};
    const fr_status want[][3] = {{FR_OK, FR_OK, FR_OK},
                                 {FR_OVERFLOW, FR_OK, FR_OK},
                                 {FR_OVERFLOW, FR_OK, FR_OK},
                                 {FR_OVERFLOW, FR_OVERFLOW, FR_OVERFLOW}};
    for (int i = 0; i < 4; i++) {
        fr_graph *graph = test_graph(ctx, 3 * diamonds[i] + 1, 4 * diamonds[i], ends, false);
        assert_ok(ctx, fr_bfs(ctx, graph, 0, level, NULL));
        assert_int_equal(fr_path_counts(ctx, graph, FR_TYPE_NONE, level, &source, 1, NULL, exact),
                         want[i][0]);
        assert_int_equal(fr_path_counts(ctx, graph, FR_TYPE_NONE, level, &source, 1, count, NULL),
                         want[i][1]);
        if (!want[i][1])
            assert_true(count[3 * diamonds[i]] == ldexp(1, diamonds[i]));
        assert_int_equal(fr_betweenness(ctx, graph, NULL, count, NULL), want[i][2]);
        fr_graph_free(graph);
    }
}

/* Sources that share a search: leaves of a tree whose root begins a chain of diamonds. The shared search
 * and a search per source, which weights ask for, find the same. */
static void shared_searches(void **state) {
    fr_ctx *ctx = *state;
    enum {
        LEAVES = 30000,
        MAX_DIAMONDS = 1100,
        VERTICES = LEAVES + 3 * MAX_DIAMONDS + 1,
        EDGES = LEAVES + 4 * MAX_DIAMONDS
    };
    static int32_t ends[2 * EDGES], ones[EDGES];
    static double shared[VERTICES], single[VERTICES];
    fr_betweenness_options options = FR_INIT(fr_betweenness_options);
    options.samples = 11;
    for (int32_t i = 0; i < EDGES; i++) {
        const int32_t d = (i - LEAVES) / 4, first = LEAVES + 3 * d;
        const int32_t pairs[] = {0, 1, 0, 2, 1, 3, 2, 3};
        ends[2 * i] = i < LEAVES ? i : first + pairs[2 * (i % 4)];
        ends[2 * i + 1] = i < LEAVES ? LEAVES : first + pairs[2 * (i % 4) + 1];
        ones[i] = 1;
    }
    const int diamonds[] = {3, 900, MAX_DIAMONDS};
    for (int i = 0; i < 3; i++) {
        const int32_t n = LEAVES + 3 * diamonds[i] + 1, m = LEAVES + 4 * diamonds[i];
        fr_graph *graph = test_graph(ctx, n, m, ends, false), *weighted = NULL;
        assert_ok(ctx, fr_graph_set_weights(ctx, graph, ones, FR_TYPE_I32, &weighted));
        const fr_status want = diamonds[i] == MAX_DIAMONDS ? FR_OVERFLOW : FR_OK;
        assert_int_equal(fr_betweenness(ctx, graph, &options, shared, NULL), want);
        assert_int_equal(fr_betweenness(ctx, weighted, &options, single, NULL), want);
        for (int32_t v = 0; v < n && !want; v++)
            assert_near(shared[v], single[v]);
        fr_graph_free(weighted);
        fr_graph_free(graph);
    }
}

/* Zero and negative weights, and sums that exceed double. */
static void refused_weights(void **state) {
    fr_ctx *ctx = *state;
    const int32_t src[] = {0, 0, 1, 2}, dst[] = {1, 2, 2, 3}, source = 0;
    const int32_t zero[] = {1, 1, 0, 1}, negative[] = {2, 1, -1, 1};
    double score[4], count[4];
    int32_t dist[4];
    fr_graph *graph = NULL;
    for (int undirected = 0; undirected < 2; undirected++) {
        fr_load_options options = FR_INIT(fr_load_options);
        options.direction = undirected ? FR_DIRECTION_UNDIRECTED : FR_DIRECTION_DIRECTED;
        assert_ok(ctx,
                  fr_graph_from_edges(ctx, 4, 4, src, dst, zero, FR_TYPE_I32, &options, &graph));
        assert_int_equal(fr_betweenness(ctx, graph, NULL, score, NULL), FR_UNSUPPORTED);
        assert_ok(ctx, fr_closeness(ctx, graph, false, FR_BACKEND_CPU, score));
        assert_ok(ctx, fr_sssp(ctx, graph, 0, dist, NULL));
        fr_status status = fr_path_counts(ctx, graph, FR_TYPE_I32, dist, &source, 1, count, NULL);
        assert_int_equal(status, undirected ? FR_UNSUPPORTED : FR_OK);
        if (!undirected)
            assert_true(count[2] == 2 && count[3] == 2);
        fr_graph_free(graph);
    }
    assert_ok(ctx, fr_graph_from_edges(ctx, 4, 4, src, dst, negative, FR_TYPE_I32, NULL, &graph));
    assert_int_equal(fr_betweenness(ctx, graph, NULL, score, NULL), FR_NEGATIVE_WEIGHT);
    assert_int_equal(fr_harmonic(ctx, graph, FR_BACKEND_CPU, score), FR_NEGATIVE_WEIGHT);
    assert_int_equal(fr_eccentricity(ctx, graph, FR_BACKEND_ANY, score, NULL, NULL, NULL),
                     FR_NEGATIVE_WEIGHT);
    assert_ok(ctx, fr_sssp(ctx, graph, 0, dist, NULL));
    assert_ok(ctx, fr_path_counts(ctx, graph, FR_TYPE_I32, dist, &source, 1, count, NULL));
    assert_true(count[2] == 2 && count[3] == 2);
    fr_graph_free(graph);
    const int64_t large[] = {1, INT64_C(1) << 52, 1, 1};
    assert_ok(ctx, fr_graph_from_edges(ctx, 4, 4, src, dst, large, FR_TYPE_I64, NULL, &graph));
    assert_int_equal(fr_closeness(ctx, graph, false, FR_BACKEND_CPU, score), FR_OVERFLOW);
    fr_graph_free(graph);
    const double tiny[] = {1, 1, 1, 1e-30};
    assert_ok(ctx, fr_graph_from_edges(ctx, 4, 4, src, dst, tiny, FR_TYPE_F64, NULL, &graph));
    assert_int_equal(fr_betweenness(ctx, graph, NULL, score, NULL), FR_UNSUPPORTED);
    fr_graph_free(graph);
}

/* 0 is on the path from 2 to 1, whose length is beyond double: no score may leave it out. */
static void sums_beyond_double(void **state) {
    fr_ctx *ctx = *state;
    const int32_t src[] = {2, 0, 3}, dst[] = {0, 1, 2};
    const double weights[] = {1.7e308, 1.7e308, 1}, less[] = {1e307, 1e307, 1};
    double score[4];
    fr_graph *graph = NULL;
    assert_ok(ctx, fr_graph_from_edges(ctx, 4, 3, src, dst, weights, FR_TYPE_F64, NULL, &graph));
    assert_int_equal(fr_betweenness(ctx, graph, NULL, score, NULL), FR_OVERFLOW);
    assert_int_equal(fr_closeness(ctx, graph, true, FR_BACKEND_CPU, score), FR_OVERFLOW);
    assert_int_equal(fr_harmonic(ctx, graph, FR_BACKEND_CPU, score), FR_OVERFLOW);
    assert_int_equal(fr_eccentricity(ctx, graph, FR_BACKEND_CPU, score, NULL, NULL, NULL),
                     FR_OVERFLOW);
    fr_graph_free(graph);
    assert_ok(ctx, fr_graph_from_edges(ctx, 4, 3, src, dst, less, FR_TYPE_F64, NULL, &graph));
    assert_ok(ctx, fr_betweenness(ctx, graph, NULL, score, NULL));
    assert_true(score[0] == 2 && score[1] == 0 && score[2] == 2 && score[3] == 0);
    fr_graph_free(graph);
}

/* A self-loop of weight 0 is no cycle of shortest paths, and parallel edges are different paths. */
static void loops_and_parallel_edges(void **state) {
    fr_ctx *ctx = *state;
    const int32_t src[] = {0, 0, 1, 1}, dst[] = {1, 1, 1, 2}, source = 0;
    const int32_t weights[] = {2, 2, 0, 1};
    int32_t dist[3];
    int64_t exact[3], tight;
    fr_graph *graph = NULL;
    assert_ok(ctx, fr_graph_from_edges(ctx, 3, 4, src, dst, weights, FR_TYPE_I32, NULL, &graph));
    assert_ok(ctx, fr_sssp(ctx, graph, 0, dist, NULL));
    assert_ok(ctx, fr_tight_edges(ctx, graph, FR_TYPE_I32, dist, NULL, &tight));
    assert_int_equal(tight, 3);
    assert_ok(ctx, fr_path_counts(ctx, graph, FR_TYPE_I32, dist, &source, 1, NULL, exact));
    assert_int_equal(exact[2], 2);
    fr_graph_free(graph);
}

static void refused_arguments(void **state) {
    fr_ctx *ctx = *state;
    const int32_t ends[] = {0, 1, 1, 2}, level[] = {0, 1, 2}, source = 3;
    double score[3];
    fr_graph *graph = test_graph(ctx, 3, 2, ends, false);
    assert_int_equal(fr_betweenness(ctx, NULL, NULL, score, NULL), FR_INVALID);
    assert_int_equal(fr_closeness(ctx, graph, false, FR_BACKEND_CPU, NULL), FR_INVALID);
    assert_int_equal(fr_eccentricity(ctx, NULL, FR_BACKEND_ANY, score, NULL, NULL, NULL),
                     FR_INVALID);
    assert_int_equal(fr_tight_edges(ctx, graph, FR_TYPE_NONE, NULL, NULL, NULL), FR_INVALID);
    assert_int_equal(fr_path_counts(ctx, graph, FR_TYPE_NONE, level, &source, 1, score, NULL),
                     FR_NOT_FOUND);
    assert_int_equal(fr_path_counts(ctx, graph, FR_TYPE_NONE, level, NULL, 0, score, NULL),
                     FR_INVALID);
    fr_graph_free(graph);
}

typedef fr_status (*measure_fn)(fr_ctx *ctx, const fr_graph *graph, double *score);

static fr_status betweenness(fr_ctx *ctx, const fr_graph *graph, double *score) {
    fr_betweenness_options options = FR_INIT(fr_betweenness_options);
    options.samples = 3;
    return fr_betweenness(ctx, graph, &options, score, NULL);
}
static fr_status closeness(fr_ctx *ctx, const fr_graph *graph, double *score) {
    return fr_closeness(ctx, graph, false, FR_BACKEND_CPU, score);
}
static fr_status harmonic(fr_ctx *ctx, const fr_graph *graph, double *score) {
    return fr_harmonic(ctx, graph, FR_BACKEND_CPU, score);
}
static fr_status eccentricity(fr_ctx *ctx, const fr_graph *graph, double *score) {
    return fr_eccentricity(ctx, graph, FR_BACKEND_ANY, score, NULL, NULL, NULL);
}
static fr_status paths(fr_ctx *ctx, const fr_graph *graph, double *score) {
    int32_t level[600] = {0};
    int64_t tight;
    const int32_t source = 0;
    fr_status status = fr_tight_edges(ctx, graph, FR_TYPE_NONE, level, NULL, &tight);
    return status ? status
                  : fr_path_counts(ctx, graph, FR_TYPE_NONE, level, &source, 1, score, NULL);
}
static const measure_fn measures[] = {betweenness, closeness, harmonic, eccentricity, paths};
enum { MEASURES = sizeof measures / sizeof *measures };

typedef struct {
    int64_t left;
} budget;

static int stop_later(void *user, const char *phase, int64_t done, int64_t total) {
    (void)phase, (void)done, (void)total;
    return ((budget *)user)->left-- <= 0;
}

/* Stops at the k-th report, for every k, until a call ends by itself. */
static void cancelled(void **state) {
    (void)state;
    for (int weighted = 0; weighted < 2; weighted++)
        for (int i = 0; i < MEASURES; i++) {
            budget b = {.left = INT64_MAX};
            fr_ctx_options options = FR_INIT(fr_ctx_options);
            options.threads = 3;
            options.progress = stop_later;
            options.progress_user = &b;
            fr_ctx *ctx = NULL;
            double score[600];
            assert_int_equal(fr_ctx_new(&options, &ctx), FR_OK);
            ctx->pace_ns = 0;
            fr_graph *graph = generated(ctx, "grid2d:rows=20,cols=25", weighted);
            fr_status status = FR_CANCELLED;
            int64_t k = 0;
            for (; status && k < 10000; k++) {
                b.left = k;
                status = measures[i](ctx, graph, score);
                assert_true(status == FR_CANCELLED || status == FR_OK);
            }
            assert_int_equal(status, FR_OK);
            assert_true(k > 1);
            fr_graph_free(graph);
            fr_ctx_free(ctx);
        }
}

/* The k-th allocation of a measure fails, for every k. Betweenness then does without shared searches. */
static void failing_allocations(void **state) {
    (void)state;
    for (int variant = 0; variant < 4; variant++)
        for (int i = 0; i < MEASURES; i++) {
            test_allocator c = {0};
            const fr_ctx_options options = test_allocator_options(&c, 2);
            fr_ctx *ctx = NULL;
            double score[600];
            assert_int_equal(fr_ctx_new(&options, &ctx), FR_OK);
            fr_graph *graph = generated(ctx,
                                        variant / 2 ? "uniform:n=60,edges=200,directed=1,seed=3"
                                                    : "grid2d:rows=6,cols=7",
                                        variant % 2);
            int64_t live = c.live, k = 0, refused = 0;
            fr_status status;
            do {
                c.fail_at = c.calls + ++k;
                status = measures[i](ctx, graph, score);
                assert_true(status == FR_NOMEM || status == FR_OK);
                refused += status == FR_NOMEM;
                assert_int_equal(c.live, live);
            } while (c.calls >= c.fail_at);
            c.fail_at = 0;
            assert_int_equal(status, FR_OK);
            assert_true(refused > 0);
            fr_graph_free(graph);
            fr_ctx_free(ctx);
            assert_int_equal(c.live, 0);
        }
}

TEST_PROGRAM(TEST(random_graphs), TEST(bounds_spare_traversals), TEST(same_for_any_threads),
             TEST(samples_are_within_the_bound), TEST(many_paths), TEST(shared_searches),
             TEST(refused_weights), TEST(sums_beyond_double), TEST(loops_and_parallel_edges),
             TEST(refused_arguments), TEST(cancelled), TEST(failing_allocations))
