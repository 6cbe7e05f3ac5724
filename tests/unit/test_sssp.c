/* Shortest paths on the CPU beyond the conformance suite: an exhausted bucket pool, the largest and
 * smallest values of a distance type, rounds of several buckets, and min_parents where edges weigh 0. */
#include "conformance/harness.h"
#include "cpu/sssp/buckets.h"
#include "support/support.h"

typedef struct {
    int32_t n;
    int64_t m;
    int32_t *src, *dst, *w;
} edge_list;

static fr_graph *build(fr_ctx *ctx, const edge_list *l, bool undirected) {
    fr_load_options options = {.direction =
                                   undirected ? FR_DIRECTION_UNDIRECTED : FR_DIRECTION_DIRECTED};
    fr_graph *graph = NULL;
    assert_ok(ctx, fr_graph_from_edges(ctx, l->n, l->m, l->src, l->dst, l->w, FR_TYPE_I32, &options,
                                       &graph));
    return graph;
}

static void free_edges(edge_list *l) {
    free(l->src);
    free(l->dst);
    free(l->w);
}

/* One query on a solver of its own; returns the status. */
static fr_status solve(fr_ctx *ctx, const fr_graph *graph, const fr_solver_options *options,
                       const fr_query *query, fr_result *result) {
    fr_solver *solver = NULL;
    fr_status status = fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, options, &solver);
    if (!status)
        status = fr_solve(solver, query, result);
    fr_solver_free(solver);
    return status;
}

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
    fr_graph *graph = build(ctx, &l, false);
    fr_query query = {.sources = &source, .source_count = 1};
    for (int i = 0; i < 6; i++) {
        assert_ok(ctx, fr_ctx_set_threads(ctx, 1 + i % 3));
        fr_solver_options options = {.strategy = "delta-step", .knobs = knobs[i / 3]};
        fr_result result = {.dist = dist};
        assert_ok(ctx, solve(ctx, graph, &options, &query, &result));
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
    free_edges(&l);
}

/* The largest int32 distance is 2^31 - 2. One more is refused with a message that names int64. */
static void largest_int32_distance(void **state) {
    fr_strategy_info strategy = {0};
    for (int over = 0; over < 2; over++) {
        int32_t src[] = {0, 1}, dst[] = {1, 2}, w[] = {INT32_MAX - 10, 9 + over};
        edge_list l = {3, 2, src, dst, w};
        fr_graph *graph = build(*state, &l, over);
        for (int r = 0; cf_strategy(FR_PROBLEM_SSSP, r, &strategy); r++) {
            int32_t source = 0, dist[3];
            int64_t wide[3];
            fr_query query = {.sources = &source, .source_count = 1};
            fr_solver_options options = {.strategy = strategy.name};
            fr_result result = {.dist = dist};
            fr_status status = solve(*state, graph, &options, &query, &result);
            assert_int_equal(status, over ? FR_OVERFLOW : FR_OK);
            if (over)
                assert_non_null(strstr(fr_ctx_error(*state), "int64"));
            else
                assert_int_equal(dist[2], INT32_MAX - 1);
            options.dist_type = FR_TYPE_I64;
            result = (fr_result){.dist = wide};
            assert_ok(*state, solve(*state, graph, &options, &query, &result));
            assert_int_equal(wide[2], (int64_t)INT32_MAX - 1 + over);
        }
        fr_graph_free(graph);
    }
}

/* Distances below the range of float. They are refused, since minus infinity means a negative cycle. */
static void float_underflow(void **state) {
    int32_t src[] = {0, 1}, dst[] = {1, 2}, source = 0;
    const float weight[] = {-3e38f, -3e38f};
    fr_load_options directed = {.direction = FR_DIRECTION_DIRECTED};
    fr_query query = {.sources = &source, .source_count = 1};
    fr_graph *graph;
    assert_ok(*state,
              fr_graph_from_edges(*state, 3, 2, src, dst, weight, FR_TYPE_F32, &directed, &graph));
    for (int past = 0; past < 2; past++) {
        double dist[3];
        fr_result result = {.dist = dist};
        fr_solver_options options = {.strategy = "bellman-ford"};
        query.mark_negative_cycles = past;
        assert_int_equal(solve(*state, graph, &options, &query, &result), FR_OVERFLOW);
        options.dist_type = FR_TYPE_F64;
        assert_ok(*state, solve(*state, graph, &options, &query, &result));
        assert_true(dist[2] == 2 * (double)weight[0]);
    }
    fr_graph_free(graph);
}

/* A sum above the range of float on a path that returns within the limit. */
static void float_overflow_within_a_limit(void **state) {
    int32_t src[] = {0, 1, 2}, dst[] = {1, 2, 3}, source = 0;
    const float weight[] = {3e38f, 3e38f, -3e38f};
    float dist[4];
    fr_load_options directed = {.direction = FR_DIRECTION_DIRECTED};
    fr_query query = {.sources = &source, .source_count = 1, .max_distance = 3.2e38};
    fr_result result = {.dist = dist};
    fr_graph *graph;
    assert_ok(*state,
              fr_graph_from_edges(*state, 4, 3, src, dst, weight, FR_TYPE_F32, &directed, &graph));
    assert_int_equal(solve(*state, graph, NULL, &query, &result), FR_OVERFLOW);
    query.max_distance = 0;
    assert_int_equal(solve(*state, graph, NULL, &query, &result), FR_OVERFLOW);
    fr_graph_free(graph);
}

/* Vertices 1, 2, 3 are a cycle of weight 0: smallest parents are the documented ones and a forest. */
static void min_parents_on_a_zero_cycle(void **state) {
    int32_t src[] = {0, 1, 2, 3, 0}, dst[] = {3, 2, 3, 1, 4}, w[] = {5, 0, 0, 0, 5};
    edge_list l = {5, 5, src, dst, w};
    fr_graph *graph = build(*state, &l, true);
    fr_strategy_info strategy = {0};
    const int32_t want[] = {0, 3, 3, 0, 0};
    for (int r = 0; cf_strategy(FR_PROBLEM_SSSP, r, &strategy); r++) {
        int32_t source = 0, dist[5], parent[5];
        fr_query query = {.sources = &source, .source_count = 1, .parent_rule = FR_PARENT_MIN_ID};
        fr_result result = {.dist = dist, .parent = parent};
        assert_ok(*state, solve(*state, graph, &(fr_solver_options){.strategy = strategy.name},
                                &query, &result));
        assert_memory_equal(parent, want, sizeof want);
    }
    fr_graph_free(graph);
}

/* On a path each bucket has few vertices; a round of one bucket each would be a barrier per vertex. */
static void a_round_takes_many_small_buckets(void **state) {
    (void)state;
    fr_ctx *ctx = test_ctx_threads(2);
    enum { N = 20000 };
    fr_load_options load = {.weights = FR_WEIGHTS_RANDOM, .weight_low = 1, .weight_high = 255};
    fr_graph *graph;
    assert_ok(ctx, fr_graph_generate(ctx, "path:n=20000", &load, &graph));
    fr_solver_options options = {.strategy = "delta-step"};
    int32_t source = 0, *dist = malloc(N * sizeof *dist), *parent = malloc(N * sizeof *parent);
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.dist = dist, .parent = parent};
    assert_ok(ctx, solve(ctx, graph, &options, &query, &result));
    assert_ok(ctx, fr_verify_sssp(ctx, graph, &query, false, dist, FR_TYPE_I32, parent));
    assert_true(result.stats.levels < N / 50);
    free(dist);
    free(parent);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

static void spans_follow_the_work(void **state) {
    (void)state;
    assert_int_equal(fri_sssp_span(1, 0), 2);
    assert_int_equal(fri_sssp_span(FRI_BUCKETS / 2, 0), FRI_BUCKETS / 2);
    assert_int_equal(fri_sssp_span(16, 8000), 16);
    assert_in_range(fri_sssp_span(16, 40000), 1, 2);
    assert_int_equal(fri_sssp_span(16, 1 << 30), 1);
    assert_int_equal(fri_sssp_span(1, 1 << 30), 1);
}

TEST_PROGRAM(TEST(pool_is_exhausted), TEST(a_round_takes_many_small_buckets),
             TEST(spans_follow_the_work), TEST(largest_int32_distance), TEST(float_underflow),
             TEST(float_overflow_within_a_limit), TEST(min_parents_on_a_zero_cycle))
