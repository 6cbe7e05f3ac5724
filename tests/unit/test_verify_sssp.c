/* The SSSP verifier accepts right results and rejects all others: integers. */
#include "conformance/oracle.h"
#include "support/support.h"

enum { MAX_N = 9 };

typedef struct {
    fr_graph *graph;
    cf_graph *own; /* of random examples: the graph with the oracle's copy; NULL: `graph` is all */
    int32_t n, sources[2];
    fr_query query;
    cf_number exact[MAX_N];
    int64_t dist[MAX_N]; /* `exact` as the verifier takes it */
    int32_t parent[MAX_N];
} example;

/* Many weights are 0: a checker can be misled by cycles of weight 0 whose vertices support each
 * other's distances. */
static const struct {
    int max_m;
    cf_random_kind kind;
} kinds[] = {
    {24, {CF_I32, 0, 3, 0, true}},  {16, {CF_I32, 0, 1, 0, false}}, {24, {CF_I32, 0, 0, 0, true}},
    {24, {CF_I32, 0, 2, 6, true}},  {24, {CF_I32, 1, 9, 20, true}}, {24, {CF_I32, 0, 0, 5, true}},
    {20, {CF_I32, 1, 9, 0, false}},
};
enum { KINDS = COUNT(kinds) };

static void narrow(const int64_t *dist, int32_t *out) {
    for (int i = 0; i < MAX_N; i++)
        out[i] = dist[i] == FR_INF_I64 ? FR_INF_I32 : (int32_t)dist[i];
}

/* The verdict on 64-bit distances, as int32 and int64, on one and two threads. */
static fr_status verdict(fr_ctx *ctx, example *x, const int64_t *dist, const int32_t *parent) {
    int32_t small[MAX_N];
    narrow(dist, small);
    x->query.sources = x->sources;
    fr_ctx_set_threads(ctx, 1);
    fr_status one = fr_verify_sssp(ctx, x->graph, &x->query, false, dist, FR_TYPE_I64, parent);
    char message[512];
    strcpy(message, fr_ctx_error(ctx));
    fr_ctx_set_threads(ctx, 2);
    fr_status two = fr_verify_sssp(ctx, x->graph, &x->query, false, small, FR_TYPE_I32, parent);
    assert_int_equal(one, two);
    if (one)
        assert_string_equal(message, fr_ctx_error(ctx));
    return one;
}

static fr_graph *weighted(fr_ctx *ctx, int32_t n, int64_t m, const int32_t edges[][3]) {
    int32_t src[16], dst[16], weights[16];
    for (int64_t i = 0; i < m; i++) {
        src[i] = edges[i][0];
        dst[i] = edges[i][1];
        weights[i] = edges[i][2];
    }
    fr_graph *graph;
    assert_ok(ctx, fr_graph_from_edges(ctx, n, m, src, dst, weights, FR_TYPE_I32, NULL, &graph));
    return graph;
}

static void faults_are_named(void **state) {
    /* 2 <-> 3 and the loop at 4 have weight 0 and are unreachable; 0 -> 1 has a parallel edge */
    const int32_t edges[][3] = {{0, 1, 7}, {0, 1, 4}, {2, 3, 0}, {3, 2, 0}, {4, 4, 0}};
    example x = {.graph = weighted(*state, 5, 5, edges), .query = {.source_count = 1}};
    const int64_t none = FR_INF_I64;
    const struct {
        int64_t dist[MAX_N];
        int32_t parent[5];
        const char *message;
    } faults[] = {
        {{0, 7, none, none, none},
         {0, 0, -1, -1, -1},
         "vertex 1 (distance 7, parent 0): the "
         "parent's distance plus the edge's weight is not the distance"},
        {{0, 4, 1, 1, none},
         {0, 0, 3, 2, -1},
         "vertex 2 (distance 1, parent 3): the chain of "
         "parents does not end at a source"},
        {{0, 4, none, none, 1},
         {0, 0, -1, -1, 4},
         "vertex 4 (distance 1, parent 4): only a source "
         "is its own parent"},
        {{0, none, none, none, none},
         {0, -1, -1, -1, -1},
         "vertex 1: the vertex is marked as "
         "unreached, over edge 0 -> 1 it is 4"},
        {{0, 4, none, none, none},
         {0, 0, 3, 2, -1},
         "vertex 2 (unreached, parent 3): an unreached "
         "vertex must have parent -1"},
        {{1, 5, none, none, none},
         {0, 0, -1, -1, -1},
         "vertex 0 (distance 1, parent 0): a source "
         "must have distance 0"},
    };
    for (size_t i = 0; i < COUNT(faults); i++) {
        assert_int_equal(verdict(*state, &x, faults[i].dist, faults[i].parent), FR_VERIFY_FAILED);
        assert_string_equal(fr_ctx_error(*state), faults[i].message);
    }
    const int64_t cycle[MAX_N] = {0, 4, 1, 1, none}, loop[MAX_N] = {0, 4, none, none, 1};
    assert_refused(*state, verdict(*state, &x, cycle, NULL), FR_VERIFY_FAILED,
                   "vertex 2 (distance 1, parent unknown): no path "
                   "from a source has this length");
    assert_int_equal(verdict(*state, &x, loop, NULL), FR_VERIFY_FAILED);
    fr_graph_free(x.graph);
}

/* In an undirected graph, of which the checker examines half of the edges: no distance is right. */
static void a_negative_loop_is_noticed(void **state) {
    const int32_t src[] = {0, 1}, dst[] = {1, 1}, parent[] = {0, 0};
    const fr_load_options undirected = {.direction = FR_DIRECTION_UNDIRECTED};
    for (int32_t weight = -1; weight <= 0; weight++) {
        const int32_t weights[] = {3, weight};
        const int64_t dist[MAX_N] = {0, 3};
        example x = {.query = {.source_count = 1}};
        assert_ok(*state, fr_graph_from_edges(*state, 2, 2, src, dst, weights, FR_TYPE_I32,
                                              &undirected, &x.graph));
        const fr_status right = weight < 0 ? FR_VERIFY_FAILED : FR_OK;
        assert_int_equal(verdict(*state, &x, dist, parent), right);
        assert_int_equal(verdict(*state, &x, dist, NULL), right);
        fr_graph_free(x.graph);
    }
}

static void limits_define_what_may_be_missing(void **state) {
    const int32_t edges[][3] = {{0, 1, 2}, {1, 2, 2}, {0, 3, 4}, {2, 4, 3}};
    example x = {.graph = weighted(*state, 6, 4, edges), .query = {.source_count = 1}};
    const int64_t none = FR_INF_I64;
    const int64_t all[MAX_N] = {0, 2, 4, 4, 7, none}, four[MAX_N] = {0, 2, 4, 4, none, none},
                  two[MAX_N] = {0, 2, none, none, none, none},
                  gap[MAX_N] = {0, 2, 4, none, none, none};
    const double limits[] = {0, 100, 7, 6.5, 4, 3.9, 2};
    const int64_t *const answers[] = {all, all, all, four, four, two, two};
    const int64_t *const candidates[] = {all, four, two, gap};
    for (int i = 0; i < 7; i++)
        for (int k = 0; k < 4; k++) {
            x.query.max_distance = limits[i];
            assert_int_equal(verdict(*state, &x, candidates[k], NULL),
                             candidates[k] == answers[i] ? FR_OK : FR_VERIFY_FAILED);
        }
    const int32_t targets[] = {2, 1, 5};
    x.query.targets = targets;
    for (int i = 0; i < 3; i++) { /* to 2 and 1: four; also to 5, unreachable: all; up to 2: two */
        x.query.target_count = i == 1 ? 3 : 2;
        x.query.max_distance = i == 2 ? 2 : 0;
        const int64_t *answer = i == 0 ? four : i == 1 ? all : two;
        for (int k = 0; k < 4; k++)
            assert_int_equal(verdict(*state, &x, candidates[k], NULL),
                             candidates[k] == answer ? FR_OK : FR_VERIFY_FAILED);
    }
    fr_graph_free(x.graph);
}

/* A path leads beyond the limit and returns: what is missing is computed. */
static void a_limit_hides_part_of_a_path(void **state) {
    const int32_t edges[][3] = {{0, 1, 10}, {1, 2, -5}, {2, 3, 1}, {3, 4, 0}, {4, 3, 0}};
    example x = {.graph = weighted(*state, 5, 5, edges),
                 .query = {.source_count = 1, .max_distance = 7}};
    const int64_t right[MAX_N] = {0, FR_INF_I64, 5, 6, 6},
                  wrong[][MAX_N] = {{0, FR_INF_I64, 5, 7, 7},
                                    {0, FR_INF_I64, 4, 5, 5},
                                    {0, 10, 5, 6, 6},
                                    {0, FR_INF_I64, FR_INF_I64, 6, 6}};
    const int32_t parent[MAX_N] = {0, -1, 1, 2, 3},
                  bad[][MAX_N] = {{0, -1, 0, 2, 3}, {0, 0, 1, 2, 3}, {0, -1, 1, 4, 3}};
    assert_int_equal(verdict(*state, &x, right, NULL), FR_OK);
    assert_int_equal(verdict(*state, &x, right, parent), FR_OK);
    for (int i = 0; i < 4; i++)
        assert_int_equal(verdict(*state, &x, wrong[i], NULL), FR_VERIFY_FAILED);
    for (int i = 0; i < 3; i++)
        assert_int_equal(verdict(*state, &x, right, bad[i]), FR_VERIFY_FAILED);
    fr_graph_free(x.graph);
}

static void min_parents_are_demanded(void **state) {
    const int32_t edges[][3] = {{0, 1, 1}, {0, 2, 1}, {1, 3, 1}, {2, 3, 1}};
    example x = {.graph = weighted(*state, 4, 4, edges), .query = {.source_count = 1}};
    const int64_t dist[MAX_N] = {0, 1, 1, 2};
    const int32_t min_ids[] = {0, 0, 0, 1}, other[] = {0, 0, 0, 2};
    assert_ok(*state, verdict(*state, &x, dist, other));
    x.query.parent_rule = FR_PARENT_MIN_ID;
    assert_ok(*state, verdict(*state, &x, dist, min_ids));
    assert_int_equal(verdict(*state, &x, dist, other), FR_VERIFY_FAILED);
    fr_graph_free(x.graph);
}

/* Sums that exceed 32 bits are computed in 64. */
static void sums_beyond_32_bits(void **state) {
    const int32_t big = INT32_MAX, edges[][3] = {{0, 1, big}, {1, 2, big}, {2, 3, big}};
    fr_graph *graph = weighted(*state, 4, 3, edges);
    const int32_t source = 0;
    fr_query query = {.sources = &source, .source_count = 1};
    const int64_t right[] = {0, big, 2LL * big, 3LL * big};
    const int64_t wrapped[] = {0, big, -2, 3LL * big}, huge[] = {0, INT64_MAX - 1, 0, 0};
    const int32_t lost[] = {0, INT32_MAX, INT32_MAX, INT32_MAX}, capped[] = {0, big - 1, -2, -3};
    assert_ok(*state, fr_verify_sssp(*state, graph, &query, false, right, FR_TYPE_I64, NULL));
    assert_int_equal(fr_verify_sssp(*state, graph, &query, false, wrapped, FR_TYPE_I64, NULL),
                     FR_VERIFY_FAILED);
    assert_int_equal(fr_verify_sssp(*state, graph, &query, false, huge, FR_TYPE_I64, NULL),
                     FR_VERIFY_FAILED);
    assert_int_equal(fr_verify_sssp(*state, graph, &query, false, lost, FR_TYPE_I32, NULL),
                     FR_VERIFY_FAILED);
    assert_int_equal(fr_verify_sssp(*state, graph, &query, false, capped, FR_TYPE_I32, NULL),
                     FR_VERIFY_FAILED);
    const int64_t unit[] = {0, 1, 2, 3};
    assert_ok(*state, fr_verify_sssp(*state, graph, &query, true, unit, FR_TYPE_I64, NULL));
    assert_int_equal(fr_verify_sssp(*state, graph, &query, true, right, FR_TYPE_I64, NULL),
                     FR_VERIFY_FAILED);
    fr_graph_free(graph);
}

TEST_PROGRAM(TEST(faults_are_named), TEST(a_negative_loop_is_noticed),
             TEST(limits_define_what_may_be_missing), TEST(a_limit_hides_part_of_a_path),
             TEST(min_parents_are_demanded), TEST(sums_beyond_32_bits))
