/* Shortest paths on the CPU beyond the conformance suite: an exhausted bucket pool, sums at the ends of the types of
 * distances, rounds of several buckets, limits of 0, and the plain queue of Bellman-Ford. */
#include "cpu/sssp/buckets.h"
#include "support/support.h"

#include "base/base.h"
#include "base/rng.h"

#include <math.h>

typedef struct {
    int32_t n;
    int64_t m;
    int32_t *src, *dst, *w;
} edge_list;

enum { HUBS = 400, FAN = 400, POOL_N = 1 + HUBS + 2 * FAN };

static void add_edge(edge_list *l, int32_t from, int32_t to, int32_t weight) {
    l->src[l->m] = from;
    l->dst[l->m] = to;
    l->w[l->m++] = weight;
}

/* The place of hub i in the order in which one thread processes the hubs: the chunk filled last comes
 * first. */
static int32_t place_of(int32_t i) {
    enum { ENTRIES = (FRI_CHUNK_BYTES - sizeof(fri_bucket_chunk)) / (2 * sizeof(int32_t)) };
    return (HUBS / ENTRIES - i / ENTRIES) * ENTRIES + i % ENTRIES;
}

/* A source, HUBS at distance 1, each with an edge to each vertex of the fan, which is the shorter the later
 * the hub is processed, and a leaf behind each vertex of the fan. Fills the distances. */
static edge_list hubs_and_fan(int32_t *dist) {
    const size_t bytes = (HUBS + HUBS * FAN + FAN) * sizeof(int32_t);
    edge_list l = {.n = POOL_N, .src = malloc(bytes), .dst = malloc(bytes), .w = malloc(bytes)};
    dist[0] = 0;
    for (int32_t v = 1; v < POOL_N; v++)
        dist[v] = v <= HUBS ? 1 : INT32_MAX;
    for (int32_t i = 0; i < HUBS; i++) {
        add_edge(&l, 0, 1 + i, 1);
        for (int32_t j = 0; j < FAN; j++) {
            const int32_t weight = 1000000 - 1000 * place_of(i) + j, v = 1 + HUBS + j;
            add_edge(&l, 1 + i, v, weight);
            dist[v] = FRI_MIN(dist[v], 1 + weight);
        }
    }
    for (int32_t v = 1 + HUBS; v <= HUBS + FAN; v++) {
        add_edge(&l, v, v + FAN, 1);
        dist[v + FAN] = dist[v] + 1;
    }
    return l;
}

/* The distances of 400 vertices decrease up to 400 times: far more entries than vertices, so the pool
 * (pool=1) is exhausted, entries are dropped, among them those that lead to the leaves, and the buckets are
 * rebuilt. With narrow buckets the entries belong to later buckets, with wide ones to the present one. */
static void pool_is_exhausted(void **state) {
    static const char *const knobs[] = {"pool=1,delta=1", "pool=1,delta=1e9"};
    fr_ctx *ctx = *state;
    int32_t dist[POOL_N], want[POOL_N], source = 0;
    edge_list l = hubs_and_fan(want);
    fr_graph *graph = test_of_edges(ctx, l.n, l.m, l.src, l.dst, l.w, FR_TYPE_I32, NULL);
    fr_query query = {.sources = &source, .source_count = 1};
    for (int i = 0; i < 6; i++) {
        assert_ok(ctx, fr_ctx_set_threads(ctx, 1 + i % 3));
        fr_solver_options options = {.strategy = "delta-step", .knobs = knobs[i / 3]};
        fr_result result = {.dist = dist};
        assert_ok(ctx, test_solve(ctx, graph, FR_PROBLEM_SSSP, &options, &query, &result));
        for (int32_t v = 0; v < POOL_N; v++)
            if (dist[v] != want[v])
                fail_msg("%s, %d threads: vertex %d is at %d, not %d", options.knobs, 1 + i % 3, v,
                         dist[v], want[v]);
        /* one thread meets the hubs in the order that lowers most */
        const double entries = (double)fri_chunk_pool_size(POOL_N, 1, 8, 1) * FRI_CHUNK_BYTES / 8;
        if (i % 3 == 0 && (double)result.stats.relaxations <= entries)
            fail_msg("%s: %lld relaxations do not fill a pool of %.0f entries", options.knobs,
                     (long long)result.stats.relaxations, entries);
    }
    fr_graph_free(graph);
    free(l.src);
    free(l.dst);
    free(l.w);
}

/* ---- one row per answer or refusal, by every strategy or one -------------------------------------- */

#define FLOAT_BELOW   "3: 0>1/-3e38 1>2/-3e38" /* minus infinity means a negative cycle */
#define FLOAT_RETURNS "4: 0>1/3e38 1>2/3e38 2>3/-3e38"

static const struct {
    const char *graph;
    fr_type weights, dist;
    const char *strategy; /* NULL: all that take the weights */
    fr_query query;
    fr_status status;
    double last; /* the distance of the last vertex */
} cases[] = {
    {"3: 0>1/2147483637 1>2/9", FR_TYPE_I32, FR_TYPE_I32, NULL, {0}, FR_OK, 2147483646},
    {"3: 0>1/2147483637 1>2/10", FR_TYPE_I32, FR_TYPE_I32, NULL, {0}, FR_OVERFLOW, 0},
    {"3: 0-1/2147483637 1-2/10", FR_TYPE_I32, FR_TYPE_I32, NULL, {0}, FR_OVERFLOW, 0},
    {"3: 0>1/2147483637 1>2/10", FR_TYPE_I32, FR_TYPE_I64, NULL, {0}, FR_OK, 2147483647},
    {FLOAT_BELOW, FR_TYPE_F32, FR_TYPE_F32, "bellman-ford", {0}, FR_OVERFLOW, 0},
    {FLOAT_BELOW, FR_TYPE_F32, FR_TYPE_F64, "bellman-ford", {0}, FR_OK, 2 * (double)-3e38f},
    {FLOAT_BELOW,
     FR_TYPE_F32,
     FR_TYPE_F32,
     "bellman-ford",
     {.mark_negative_cycles = true},
     FR_OVERFLOW,
     0},
    {FLOAT_RETURNS, FR_TYPE_F32, FR_TYPE_F32, "auto", {0}, FR_OVERFLOW, 0},
    {FLOAT_RETURNS, FR_TYPE_F32, FR_TYPE_F32, "auto", {.max_distance = 3.2e38}, FR_OVERFLOW, 0},
    /* the smallest positive weight is beyond a limit of 0 */
    {"3: 0>1/0 1>2/4.9e-324",
     FR_TYPE_F64,
     FR_TYPE_F64,
     NULL,
     {.limit_distance = true},
     FR_OK,
     INFINITY},
    /* an integer is compared with a real limit exactly */
    {"3: 0>1/9007199254740991 1>2/2",
     FR_TYPE_I64,
     FR_TYPE_I64,
     NULL,
     {.max_distance = 0x1p53},
     FR_OK,
     INFINITY},
    {"3: 0>1/9007199254740991 1>2/2",
     FR_TYPE_I64,
     FR_TYPE_I64,
     NULL,
     {.max_distance = 0x1p53 + 2},
     FR_OK,
     0x1p53},
    {"3: 0>1/9007199254740991 1>2/2",
     FR_TYPE_I64,
     FR_TYPE_I64,
     NULL,
     {.max_distance = 1e300},
     FR_OK,
     0x1p53},
};

static double last_of(const void *dist, fr_type type, int32_t v) {
    const int64_t wide = ((const int64_t *)dist)[v];
    switch (type) {
    case FR_TYPE_I32: return ((const int32_t *)dist)[v];
    case FR_TYPE_I64: return wide == FR_INF_I64 ? INFINITY : (double)wide;
    case FR_TYPE_F32: return (double)((const float *)dist)[v];
    default: return ((const double *)dist)[v];
    }
}

static void ends_of_types(void **state) {
    const int32_t source = 0;
    for (size_t i = 0; i < COUNT(cases); i++) {
        fr_graph *graph = test_graph_of(*state, cases[i].graph, cases[i].weights);
        fr_solver_options options = {.dist_type = cases[i].dist};
        fr_query query = cases[i].query;
        query.sources = &source;
        query.source_count = 1;
        for (int k = 0; test_strategy(FR_PROBLEM_SSSP, k, &options); k++) {
            double dist[4];
            fr_result result = {.dist = dist};
            if (cases[i].strategy && strcmp(cases[i].strategy, options.strategy) != 0)
                continue;
            fr_status status =
                test_solve(*state, graph, FR_PROBLEM_SSSP, &options, &query, &result);
            double last = last_of(dist, cases[i].dist, fr_graph_vertex_count(graph) - 1);
            if (status != cases[i].status || (!status && last != cases[i].last))
                fail_msg("case %zu, %s: %s, %g", i, options.strategy, fr_status_name(status), last);
            if (status && cases[i].weights == FR_TYPE_I32)
                assert_non_null(strstr(fr_ctx_error(*state), "int64"));
        }
        fr_graph_free(graph);
    }
}

/* On a path each bucket and each window has few vertices: no other thread is woken for them. */
static void small_rounds_have_one_thread(void **state) {
    (void)state;
    static const char *const names[] = {"delta-step", "spira-window"};
    fr_ctx *ctx = test_ctx_threads(2);
    ctx->teams = FRI_TEAMS_FITTED;
    enum { N = 2000 };
    fr_graph *graph = test_generated(ctx, "path:n=2000", 255);
    int32_t source = 0, dist[N], parent[N];
    fr_query query = {.sources = &source, .source_count = 1};
    for (size_t i = 0; i < COUNT(names); i++) {
        fr_solver_options options = {.strategy = names[i]};
        fr_result result = {.struct_size = sizeof result, .dist = dist, .parent = parent};
        assert_ok(ctx, test_solve(ctx, graph, FR_PROBLEM_SSSP, &options, &query, &result));
        assert_ok(ctx, fr_verify_sssp(ctx, graph, &query, false, dist, FR_TYPE_I32, parent));
        assert_int_equal(result.stats.threads, 1);
    }
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

static void spans_follow_the_work(void **state) {
    (void)state;
    assert_int_equal(fri_sssp_span(1, 0, 1), 1); /* one thread meets nobody */
    assert_int_equal(fri_sssp_span(1, 0, 2), 8); /* grows from round to round */
    assert_int_equal(fri_sssp_span(FRI_BUCKETS / 2, 0, 16), FRI_BUCKETS / 2);
    assert_int_equal(fri_sssp_span(100, 550, 16), 33); /* roads of Moscow, weights 1..255 */
    assert_int_equal(fri_sssp_span(100, 550, 4), 14);
    assert_int_equal(fri_sssp_span(16, 1 << 30, 16), 1);
    assert_int_equal(fri_sssp_enough(1), 4 << 13);
    assert_int_equal(fri_sssp_enough(2), 2 << 13);
    assert_in_range(fri_sssp_enough(16), 4000, 5000);
}

/* Edges of the first round of delta-step from vertex 0 with two threads, and of the largest. */
static int64_t first_round(fr_ctx *ctx, const fr_graph *graph, const char *knobs, int64_t *most) {
    fr_solver_options options = {.strategy = "delta-step", .knobs = knobs, .record_levels = true};
    const int32_t source = 0;
    const fr_query query = {.sources = &source, .source_count = 1};
    int32_t *dist = malloc((size_t)fr_graph_vertex_count(graph) * sizeof *dist);
    fr_result result = {.dist = dist};
    fr_solver *solver;
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, &options, &solver));
    assert_ok(ctx, fr_solve(solver, &query, &result));
    assert_ok(ctx, fr_verify_sssp(ctx, graph, &query, false, dist, FR_TYPE_I32, NULL));
    int64_t count;
    const fr_level *levels = fr_solver_levels(solver, &count);
    const int64_t first = levels[0].edges;
    *most = 0;
    for (int64_t i = 0; i < count; i++)
        *most = FRI_MAX(*most, levels[i].edges);
    fr_solver_free(solver);
    free(dist);
    return first;
}

/* All vertices are in one bucket, which the source alone begins: a round of one thread. */
static void a_round_that_grows_gets_more_threads(void **state) {
    (void)state;
    fr_ctx *ctx = test_ctx_threads(2);
    ctx->teams = FRI_TEAMS_FITTED;
    fr_graph *graph = test_generated(ctx, "uniform:n=20000,edges=200000", 255);
    int64_t most;
    assert_in_range(first_round(ctx, graph, "delta=1e6", &most), 4 << 13, 5 << 13);
    assert_true(most > 5 << 13); /* the rest is one round */
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* Paths, where a round gets many buckets, to a graph of random edges, whose order a round must not lose. */
static void a_round_of_many_buckets_ends_early(void **state) {
    (void)state;
    enum { PATHS = 100, PATH = PATHS * 61, RANDOM = 10000, EDGES = PATH + 300000 };
    static int32_t end[2][EDGES], weights[EDGES];
    for (int32_t i = 0; i < EDGES; i++) {
        for (int k = 0; k < 2; k++)
            end[k][i] = 1 + PATH + (int32_t)(fri_mix64((uint64_t)(2 * i + k)) % RANDOM);
        if (i < PATH) {
            end[0][i] = FRI_MAX(i - PATHS, 0) + (i >= PATHS);
            end[1][i] = i + 1;
        } else if (i < PATH + PATHS)
            end[0][i] = i - PATHS + 1;
        weights[i] = i < PATH ? 1 : 1 + i % 255;
    }
    const fr_load_options options = {.direction = FR_DIRECTION_UNDIRECTED};
    fr_ctx *ctx = test_ctx_threads(2);
    ctx->teams = FRI_TEAMS_FITTED;
    fr_graph *graph = test_of_edges(ctx, 1 + PATH + RANDOM, EDGES, end[0], end[1], weights,
                                    FR_TYPE_I32, &options);
    int64_t most;
    assert_int_equal(first_round(ctx, graph, "delta=1", &most), PATHS);
    assert_true(most < fr_graph_edge_count(graph) / 8);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* The edges that a FIFO queue of vertices whose distance fell examines, from vertex 0. */
static int64_t edges_of_a_queue(const fr_csr *csr) {
    enum { N = 900 };
    assert_int_equal(csr->n, N);
    const int32_t *weights = csr->weights;
    int32_t dist[N] = {0}, queue[N] = {0};
    bool waits[N] = {true};
    int64_t edges = 0;
    for (int32_t v = 1; v < N; v++)
        dist[v] = INT32_MAX;
    for (int64_t head = 0, tail = 1; head < tail; head++) {
        const int32_t u = queue[head % N];
        waits[u] = false;
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++, edges++) {
            const int32_t v = csr->targets[e];
            if (dist[u] + weights[e] >= dist[v])
                continue;
            dist[v] = dist[u] + weights[e];
            if (!waits[v])
                queue[tail++ % N] = v;
            waits[v] = true;
        }
    }
    return edges;
}

/* `subtrees=0` is the text's form of Bellman-Ford; the forest saves edges, and is what `auto` runs. */
static void queue_without_subtrees(void **state) {
    static const char *const knobs[] = {"subtrees=0", "", "subtrees=1"};
    int32_t source = 0, dist[900];
    fr_graph *graph = test_generated(*state, "grid2d:rows=30,cols=30", 255);
    const int64_t want = edges_of_a_queue(fr_graph_csr(graph));
    fr_query query = {.sources = &source, .source_count = 1};
    int64_t examined[3];
    for (int i = 0; i < 3; i++) {
        fr_solver_options options = {.strategy = "bellman-ford", .knobs = knobs[i]};
        fr_result result = {.dist = dist};
        assert_ok(*state, test_solve(*state, graph, FR_PROBLEM_SSSP, &options, &query, &result));
        examined[i] = result.stats.edges_examined;
    }
    assert_int_equal(examined[0], want);
    assert_true(examined[1] < want && examined[1] == examined[2]);
    fr_graph_free(graph);
}

TEST_PROGRAM(TEST(pool_is_exhausted), TEST(ends_of_types), TEST(small_rounds_have_one_thread),
             TEST(a_round_that_grows_gets_more_threads), TEST(a_round_of_many_buckets_ends_early),
             TEST(spans_follow_the_work), TEST(queue_without_subtrees))
