/* Centralities and all shortest paths beyond the random test of the interface, which compares them with their
 * definitions (tests/random/measures.c, tight.c): known values, bounds that spare traversals, the same bits for any
 * number of threads, samples, counts and sums at the ends of double, what is refused, cancellation, memory. */
#include "fringe_measures.h"
#include "support/allocator.h"
#include "support/support.h"

#include "base/base.h"

#include <math.h>

enum { MAX_VERTICES = 600 };

static void assert_near(double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want))))
        fail_msg("got %.17g, expected %.17g", got, want);
}

/* ---- the measures ------------------------------------------------------------------------------ */

typedef fr_status (*measure_fn)(fr_ctx *ctx, const fr_graph *graph, double *score);

static fr_status betweenness(fr_ctx *ctx, const fr_graph *graph, double *score) {
    return fr_betweenness(ctx, graph, NULL, score, NULL);
}
static fr_status normalized(fr_ctx *ctx, const fr_graph *graph, double *score) {
    return fr_betweenness(ctx, graph, &(fr_betweenness_options){.normalized = true}, score, NULL);
}
static fr_status sampled(fr_ctx *ctx, const fr_graph *graph, double *score) {
    return fr_betweenness(ctx, graph, &(fr_betweenness_options){.samples = 3}, score, NULL);
}
static fr_status closeness(fr_ctx *ctx, const fr_graph *graph, double *score) {
    return fr_closeness(ctx, graph, false, FR_BACKEND_CPU, score);
}
static fr_status reached(fr_ctx *ctx, const fr_graph *graph, double *score) {
    return fr_closeness(ctx, graph, true, FR_BACKEND_CPU, score);
}
static fr_status harmonic(fr_ctx *ctx, const fr_graph *graph, double *score) {
    return fr_harmonic(ctx, graph, FR_BACKEND_CPU, score);
}
static fr_status eccentricity(fr_ctx *ctx, const fr_graph *graph, double *score) {
    return fr_eccentricity(ctx, graph, FR_BACKEND_ANY, score, NULL, NULL, NULL);
}
/* The number of shortest paths from vertex 0, by weight or, without weights, level. */
static fr_status paths(fr_ctx *ctx, const fr_graph *graph, double *score) {
    const int32_t source = 0;
    const fr_type type = fr_graph_weight_type(graph);
    int64_t values[MAX_VERTICES], tight;
    fr_status status = type ? fr_sssp(ctx, graph, 0, values, NULL)
                            : fr_bfs(ctx, graph, 0, (int32_t *)values, NULL);
    status = status ? status : fr_tight_edges(ctx, graph, type, values, NULL, &tight);
    return status ? status : fr_path_counts(ctx, graph, type, values, &source, 1, score, NULL);
}

static const measure_fn measures[] = {betweenness, sampled,      closeness,
                                      harmonic,    eccentricity, paths};

/* ---- values and refusals ----------------------------------------------------------------------- */

#define BOW  "5: 0-1 0-2 1-2 2-3 2-4 3-4" /* two triangles share vertex 2 */
#define ZERO "4: 0>1/1 0>2/1 1>2/0 2>3/1"
/* 0 is on the path from 2 to 1, whose length is beyond double: no score may leave it out */
#define BEYOND "4: 2>0/1.7e308 0>1/1.7e308 3>2/1"

static const struct {
    const char *graph;
    fr_type weights;
    measure_fn measure;
    double scores[5];
    fr_status status;
} cases[] = {
    {BOW, FR_TYPE_NONE, betweenness, {0, 0, 4, 0, 0}},
    {BOW, FR_TYPE_NONE, normalized, {0, 0, 2.0 / 3, 0, 0}},
    {BOW, FR_TYPE_NONE, closeness, {2.0 / 3, 2.0 / 3, 1, 2.0 / 3, 2.0 / 3}},
    {BOW, FR_TYPE_NONE, harmonic, {3, 3, 4, 3, 3}},
    {BOW, FR_TYPE_NONE, eccentricity, {2, 2, 1, 2, 2}},
    {"4: 0>1/2 1>2/0.5 0>2/2.5", FR_TYPE_F64, betweenness, {0, 0.5, 0, 0}},
    {"4: 0>1/2 1>2/0.5 0>2/2.5", FR_TYPE_F64, closeness, {0, 1.0 / 6, 4.0 / 9, 0}},
    {"4: 0>1/2 1>2/0.5 0>2/2.5", FR_TYPE_F64, reached, {0, 0.5, 2.0 / 3, 0}},
    {"4: 0>1/2 1>2/0.5 0>2/2.5", FR_TYPE_F64, harmonic, {0, 0.5, 2.4, 0}},
    {"4: 0>1/2 1>2/0.5 0>2/2.5", FR_TYPE_F64, eccentricity, {2.5, 0.5, 0, 0}},
    {"4: 0>1/2 1>2/0.5 0>2/2.5", FR_TYPE_F64, paths, {1, 1, 2, 0}},
    /* a loop of weight 0 is no cycle of shortest paths; parallel edges are different paths */
    {"3: 0>1/2 0>1/2 1>1/0 1>2/1", FR_TYPE_I32, paths, {1, 2, 2}},
    {ZERO, FR_TYPE_I32, betweenness, {0}, FR_UNSUPPORTED},
    {ZERO, FR_TYPE_I32, paths, {1, 1, 2, 2}},
    {"4: 0-1/1 0-2/1 1-2/0 2-3/1", FR_TYPE_I32, paths, {0}, FR_UNSUPPORTED},
    {"4: 0>1/2 0>2/1 1>2/-1 2>3/1", FR_TYPE_I32, betweenness, {0}, FR_NEGATIVE_WEIGHT},
    {"4: 0>1/2 0>2/1 1>2/-1 2>3/1", FR_TYPE_I32, harmonic, {0}, FR_NEGATIVE_WEIGHT},
    {"4: 0>1/2 0>2/1 1>2/-1 2>3/1", FR_TYPE_I32, eccentricity, {0}, FR_NEGATIVE_WEIGHT},
    {"4: 0>1/2 0>2/1 1>2/-1 2>3/1", FR_TYPE_I32, paths, {1, 1, 2, 2}},
    {"4: 0>1/1 0>2/4503599627370496 1>2/1 2>3/1", FR_TYPE_I64, closeness, {0}, FR_OVERFLOW},
    {"4: 0>1/1 0>2/1 1>2/1 2>3/1e-30", FR_TYPE_F64, betweenness, {0}, FR_UNSUPPORTED},
    {BEYOND, FR_TYPE_F64, betweenness, {0}, FR_OVERFLOW},
    {BEYOND, FR_TYPE_F64, reached, {0}, FR_OVERFLOW},
    {BEYOND, FR_TYPE_F64, harmonic, {0}, FR_OVERFLOW},
    {BEYOND, FR_TYPE_F64, eccentricity, {0}, FR_OVERFLOW},
    {"4: 2>0/1e307 0>1/1e307 3>2/1", FR_TYPE_F64, betweenness, {2, 0, 2, 0}},
};

static void values_and_refusals(void **state) {
    for (size_t i = 0; i < COUNT(cases); i++) {
        fr_graph *graph = test_graph_of(*state, cases[i].graph, cases[i].weights);
        double score[5];
        fr_status status = cases[i].measure(*state, graph, score);
        if (status != cases[i].status)
            fail_msg("case %zu, %s: %s", i, cases[i].graph, fr_ctx_error(*state));
        for (int32_t v = 0; !status && v < fr_graph_vertex_count(graph); v++)
            assert_near(score[v], cases[i].scores[v]);
        fr_graph_free(graph);
    }
}

/* ---- larger graphs ----------------------------------------------------------------------------- */

/* Computes every eccentricity by its own BFS. */
static void check_bounds(fr_ctx *ctx, const char *text, bool weighted, int64_t max_passes) {
    fr_graph *graph = test_generated(ctx, text, weighted ? 9 : 0);
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

/* All scores of one graph, computed by `threads` threads. */
static void answer(const char *text, bool weighted, int threads,
                   double score[COUNT(measures)][MAX_VERTICES]) {
    fr_ctx *ctx = test_ctx_threads(threads);
    fr_graph *graph = test_generated(ctx, text, weighted ? 9 : 0);
    assert_in_range(fr_graph_vertex_count(graph), 1, MAX_VERTICES);
    for (size_t i = 0; i < COUNT(measures); i++)
        assert_ok(ctx, measures[i](ctx, graph, score[i]));
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

static void same_for_any_threads(void **state) {
    (void)state;
    static double one[COUNT(measures)][MAX_VERTICES], more[COUNT(measures)][MAX_VERTICES];
    const char *texts[] = {"kronecker:scale=9,edge_factor=6,seed=5", "grid2d:rows=20,cols=25"};
    const int threads[] = {2, 3, 8};
    for (int i = 0; i < 4; i++) {
        answer(texts[i / 2], i % 2, 1, one);
        for (int t = 0; t < 3; t++) {
            answer(texts[i / 2], i % 2, threads[t], more);
            assert_memory_equal(one, more, sizeof one);
        }
    }
}

static void samples_are_within_the_bound(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = test_generated(ctx, "kronecker:scale=9,edge_factor=6,seed=5", 0);
    int32_t n = fr_graph_vertex_count(graph);
    double exact[512], estimate[512], bound, error = 0, sum = 0, exact_sum = 0;
    fr_betweenness_options options = FR_INIT(fr_betweenness_options);
    options.normalized = true;
    assert_ok(ctx, fr_betweenness(ctx, graph, &options, exact, NULL));
    options.samples = 200;
    for (options.seed = 1; options.seed <= 20; options.seed++) {
        assert_ok(ctx, fr_betweenness(ctx, graph, &options, estimate, &bound));
        for (int32_t v = 0; v < n; v++) {
            assert_true(fabs(estimate[v] - exact[v]) <= bound);
            error = fmax(error, fabs(estimate[v] - exact[v]));
            sum += estimate[v];
            exact_sum += exact[v];
        }
    }
    assert_near(bound, n / (n - 1.0) * (n - 2.0) / (n - 2.0) * sqrt(log(40.0 * n) / 400));
    assert_true(error > 0 && fabs(sum / exact_sum - 1) < 0.05);
    fr_graph_free(graph);
}

static const int32_t diamond[4][2] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};

/* A chain of diamonds doubles the number of paths each time. */
static void many_paths(void **state) {
    fr_ctx *ctx = *state;
    enum { DIAMONDS = 1100, VERTICES = 3 * DIAMONDS + 1 };
    static int32_t src[4 * DIAMONDS], dst[4 * DIAMONDS], level[VERTICES];
    static double count[VERTICES];
    static int64_t exact[VERTICES];
    const int32_t source = 0;
    for (int32_t i = 0; i < 4 * DIAMONDS; i++) {
        src[i] = i / 4 * 3 + diamond[i % 4][0];
        dst[i] = i / 4 * 3 + diamond[i % 4][1];
    }
    const int diamonds[] = {62, 63, 1023, DIAMONDS};
    const fr_status want[][3] = {{FR_OK, FR_OK, FR_OK},
                                 {FR_OVERFLOW, FR_OK, FR_OK},
                                 {FR_OVERFLOW, FR_OK, FR_OK},
                                 {FR_OVERFLOW, FR_OVERFLOW, FR_OVERFLOW}};
    for (int i = 0; i < 4; i++) {
        fr_graph *graph = test_of_edges(ctx, 3 * diamonds[i] + 1, 4 * diamonds[i], src, dst, NULL,
                                        FR_TYPE_NONE, NULL);
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
    static int32_t src[EDGES], dst[EDGES], ones[EDGES];
    static double shared[VERTICES], single[VERTICES];
    fr_betweenness_options options = FR_INIT(fr_betweenness_options);
    options.samples = 11;
    for (int32_t i = 0; i < EDGES; i++) {
        const int32_t d = (i - LEAVES) / 4, first = LEAVES + 3 * d;
        src[i] = i < LEAVES ? i : first + diamond[i % 4][0];
        dst[i] = i < LEAVES ? LEAVES : first + diamond[i % 4][1];
        ones[i] = 1;
    }
    const int diamonds[] = {3, 900, MAX_DIAMONDS};
    for (int i = 0; i < 3; i++) {
        const int32_t n = LEAVES + 3 * diamonds[i] + 1, m = LEAVES + 4 * diamonds[i];
        fr_graph *graph = test_of_edges(ctx, n, m, src, dst, NULL, FR_TYPE_NONE, NULL), *weighted;
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

/* ---- cancellation and memory ------------------------------------------------------------------- */

typedef struct {
    const char *graph;
    bool weighted;
    measure_fn measure;
    const fr_graph *made; /* NULL: the call makes it */
} call;

static fr_status measure_graph(fr_ctx *ctx, void *arg) {
    const call *c = arg;
    double score[MAX_VERTICES];
    fr_graph *own = NULL;
    const fr_load_options weights = {
        .weights = FR_WEIGHTS_RANDOM, .weight_low = 1, .weight_high = 9};
    fr_status status =
        c->made ? FR_OK : fr_graph_generate(ctx, c->graph, c->weighted ? &weights : NULL, &own);
    status = status ? status : c->measure(ctx, c->made ? c->made : own, score);
    fr_graph_free(own);
    return status;
}

static void cancelled(void **state) {
    (void)state;
    test_watch watch = {0};
    fr_ctx *ctx = test_ctx_watched(&watch, 3);
    for (int weighted = 0; weighted < 2; weighted++) {
        fr_graph *graph = test_generated(ctx, "grid2d:rows=20,cols=25", weighted ? 9 : 0);
        for (size_t i = 0; i < COUNT(measures); i++) {
            call c = {.measure = measures[i], .made = graph};
            assert_true(test_each_report(ctx, &watch, 1, measure_graph, &c) > 0);
        }
        fr_graph_free(graph);
    }
    fr_ctx_free(ctx);
}

/* Betweenness does without shared searches where there is no memory for them. */
static void failing_allocations(void **state) {
    static const char *const graphs[] = {"grid2d:rows=6,cols=7",
                                         "uniform:n=60,edges=200,directed=1,seed=3"};
    (void)state;
    for (int variant = 0; variant < 4; variant++)
        for (size_t i = 0; i < COUNT(measures); i++) {
            call c = {graphs[variant / 2], variant % 2, measures[i], NULL};
            assert_true(test_each_allocation(c.graph, measure_graph, &c) > 0);
        }
}

TEST_PROGRAM(TEST(values_and_refusals), TEST(bounds_spare_traversals), TEST(same_for_any_threads),
             TEST(samples_are_within_the_bound), TEST(many_paths), TEST(shared_searches),
             TEST(cancelled), TEST(failing_allocations))
