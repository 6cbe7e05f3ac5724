/* The checkers of floats, negative cycles and matrices. */
#include "conformance/oracle.h"
#include "support/support.h"
#include "verify/verify.h"

#include <math.h>

static const double NONE = (double)INFINITY;

/* way 0: as the list has them; 1: each edge in both directions, where the checker goes by halves.
 */
static fr_graph *floats(fr_ctx *ctx, int32_t n, int64_t m, const double edges[][3], fr_type type,
                        int way) {
    const fr_load_options ways[] = {{0}, {.direction = FR_DIRECTION_UNDIRECTED}};
    int32_t src[16], dst[16];
    double wide[16];
    float narrow[16];
    for (int64_t i = 0; i < m; i++) {
        src[i] = (int32_t)edges[i][0];
        dst[i] = (int32_t)edges[i][1];
        wide[i] = edges[i][2];
        narrow[i] = (float)edges[i][2];
    }
    fr_graph *graph;
    const void *weights = type == FR_TYPE_F32 ? (const void *)narrow : wide;
    assert_ok(ctx, fr_graph_from_edges(ctx, n, m, src, dst, weights, type, &ways[way], &graph));
    assert_true(!way || fr_graph_csr(graph)->symmetric);
    return graph;
}

static fr_status verdict(fr_ctx *ctx, const fr_graph *graph, int32_t n, const double *dist,
                         const int32_t *parent, fr_type type) {
    const int32_t source = 0;
    fr_query query = {.sources = &source, .source_count = 1};
    float narrow[16];
    for (int32_t v = 0; v < n; v++)
        narrow[v] = (float)dist[v];
    const void *claim = type == FR_TYPE_F32 ? (const void *)narrow : dist;
    fr_ctx_set_threads(ctx, 1);
    fr_status one = fr_verify_sssp(ctx, graph, &query, false, claim, type, parent);
    fr_ctx_set_threads(ctx, 2);
    assert_int_equal(fr_verify_sssp(ctx, graph, &query, false, claim, type, parent), one);
    return one;
}

/* 0 -> 1 -> 2 -> 3 and a longer 0 -> 3; 4 and 5 hold each other at weight 0. */
static const double edges[][3] = {{0, 1, 0.1}, {1, 2, 0.2}, {2, 3, 0.3},
                                  {0, 3, 0.7}, {4, 5, 0},   {5, 4, 0}};

static void floats_within_rounding_pass(void **state) {
    const fr_type types[] = {FR_TYPE_F32, FR_TYPE_F64};
    for (int i = 0; i < 4; i++) {
        int t = i % 2;
        fr_graph *graph = floats(*state, 6, 6, edges, types[t], i / 2);
        double dist[] = {0, 0.1, 0.1 + 0.2, 0.1 + 0.2 + 0.3, NONE, NONE};
        const int32_t parent[] = {0, 0, 1, 2, -1, -1};
        assert_ok(*state, verdict(*state, graph, 6, dist, parent, types[t]));
        assert_ok(*state, verdict(*state, graph, 6, dist, NULL, types[t]));
        dist[3] = 0.1 + (0.2 + 0.3); /* another order */
        assert_ok(*state, verdict(*state, graph, 6, dist, parent, types[t]));
        assert_ok(*state, verdict(*state, graph, 6, dist, NULL, types[t]));
        fr_graph_free(graph);
    }
}

static void wrong_floats_fail(void **state) {
    static const struct {
        double dist[6];
        int32_t parent[6];
    } faults[] = {
        {{0, 0.1, 0.3, 0.7, INFINITY, INFINITY}, {0, 0, 1, 0, -1, -1}}, /* a longer way */
        {{0, 0.1, 0.3, 0.6002, INFINITY, INFINITY}, {0, 0, 1, 2, -1, -1}},
        {{0, 0.1, 0.3, 0.5998, INFINITY, INFINITY}, {0, 0, 1, 2, -1, -1}},
        {{0, 0.1, 0.3, 0.6, 5, 5}, {0, 0, 1, 2, 5, 4}}, /* on nothing */
        {{0, 0.1, 0.3, INFINITY, INFINITY, INFINITY}, {0, 0, 1, -1, -1, -1}},
        {{0, NAN, 0.3, 0.6, INFINITY, INFINITY}, {0, 0, 1, 2, -1, -1}},
        {{0, 0.1, -INFINITY, 0.6, INFINITY, INFINITY}, {0, 0, 1, 2, -1, -1}},
        {{0.1, 0.2, 0.4, 0.7, INFINITY, INFINITY}, {0, 0, 1, 2, -1, -1}}, /* all moved */
        {{0, 0.1, 0.3, 0.6, INFINITY, INFINITY}, {0, 0, 1, 1, -1, -1}},   /* no such edge */
        {{0, 0.1, 0.3, 0.6, INFINITY, INFINITY}, {0, 0, 1, 0, -1, -1}},   /* not by that edge */
    };
    const fr_type types[] = {FR_TYPE_F32, FR_TYPE_F64};
    for (int k = 0; k < 4; k++) {
        int t = k % 2;
        fr_graph *graph = floats(*state, 6, 6, edges, types[t], k / 2);
        for (size_t i = 0; i < COUNT(faults); i++) {
            assert_int_equal(verdict(*state, graph, 6, faults[i].dist, faults[i].parent, types[t]),
                             FR_VERIFY_FAILED);
            if (i < 8) /* without parents the last two are right */
                assert_int_equal(verdict(*state, graph, 6, faults[i].dist, NULL, types[t]),
                                 FR_VERIFY_FAILED);
        }
        fr_graph_free(graph);
    }
}

/* Errors far below the tolerance of one edge must not add up along a path. */
static void small_errors_do_not_add_up(void **state) {
    enum { N = 4000 };
    int32_t *src = malloc(N * 4), *dst = malloc(N * 4), *parent = malloc(N * 4);
    double *weights = malloc(N * 8), *claim = malloc(N * 8);
    for (int32_t v = 0; v < N; v++) {
        src[v] = v;
        dst[v] = v + 1;
        weights[v] = 1;
        parent[v] = v ? v - 1 : 0;
        claim[v] = v * 0.9999; /* each step within 1e-4, as is each edge */
    }
    fr_graph *graph;
    assert_ok(*state,
              fr_graph_from_edges(*state, N, N - 1, src, dst, weights, FR_TYPE_F64, NULL, &graph));
    const int32_t source = 0;
    fr_query query = {.sources = &source, .source_count = 1};
    assert_int_equal(fr_verify_sssp(*state, graph, &query, false, claim, FR_TYPE_F64, parent),
                     FR_VERIFY_FAILED);
    assert_int_equal(fr_verify_sssp(*state, graph, &query, false, claim, FR_TYPE_F64, NULL),
                     FR_VERIFY_FAILED);
    for (int32_t v = 0; v < N; v++)
        claim[v] = v;
    assert_ok(*state, fr_verify_sssp(*state, graph, &query, false, claim, FR_TYPE_F64, parent));
    fr_graph_free(graph);
    free(src);
    free(dst);
    free(parent);
    free(weights);
    free(claim);
}

static void cycles(void **state) {
    /* 0 -> 1 -> 2 -> 3 -> 1 weighs -1 by the lighter of 2 -> 3; 4 -> 4 weighs -2, apart from 0 */
    const double list[][3] = {{0, 1, 1},  {1, 2, 1},  {2, 3, 5}, {2, 3, 2},
                              {3, 1, -4}, {4, 4, -2}, {2, 0, 9}};
    int32_t src[7], dst[7], weights[7];
    for (int i = 0; i < 7; i++) {
        src[i] = (int32_t)list[i][0];
        dst[i] = (int32_t)list[i][1];
        weights[i] = (int32_t)list[i][2];
    }
    fr_graph *graph;
    assert_ok(*state,
              fr_graph_from_edges(*state, 5, 7, src, dst, weights, FR_TYPE_I32, NULL, &graph));
    const int32_t zero = 0;
    fr_query from_zero = {.sources = &zero, .source_count = 1}, everywhere = {0};
    static const struct {
        int32_t cycle[5], length;
        double weight;
        fr_status zero, all;
    } claims[] = {
        {{1, 2, 3}, 3, -1, FR_OK, FR_OK},
        {{3, 1, 2}, 3, -1, FR_OK, FR_OK},
        {{1, 2, 3}, 3, -2, FR_VERIFY_FAILED, FR_VERIFY_FAILED}, /* another weight */
        {{1, 2, 3}, 3, 2, FR_VERIFY_FAILED, FR_VERIFY_FAILED},  /* by the heavier parallel edge */
        {{0, 1, 2}, 3, 11, FR_VERIFY_FAILED, FR_VERIFY_FAILED}, /* a cycle, but positive */
        {{0, 1, 2}, 3, -11, FR_VERIFY_FAILED, FR_VERIFY_FAILED},
        {{3, 2, 1}, 3, -1, FR_VERIFY_FAILED, FR_VERIFY_FAILED}, /* against the edges */
        {{1, 2}, 2, -1, FR_VERIFY_FAILED, FR_VERIFY_FAILED},    /* does not close */
        {{4}, 1, -2, FR_VERIFY_FAILED, FR_OK},                  /* 0 does not reach it */
        {{4, 4}, 2, -4, FR_VERIFY_FAILED, FR_VERIFY_FAILED},    /* twice around */
        {{1, 2, 5}, 3, -1, FR_VERIFY_FAILED, FR_VERIFY_FAILED}, /* no vertex */
        {{1, 2, -1}, 3, -1, FR_VERIFY_FAILED, FR_VERIFY_FAILED},
        {{1}, 0, -1, FR_VERIFY_FAILED, FR_VERIFY_FAILED},
        {{1}, 6, -1, FR_VERIFY_FAILED, FR_VERIFY_FAILED},
        {{1, 2, 3}, 3, NAN, FR_VERIFY_FAILED, FR_VERIFY_FAILED},
    };
    for (size_t i = 0; i < COUNT(claims); i++) {
        assert_int_equal(fr_verify_cycle(*state, graph, &from_zero, claims[i].cycle,
                                         claims[i].length, claims[i].weight),
                         claims[i].zero);
        assert_int_equal(fr_verify_cycle(*state, graph, &everywhere, claims[i].cycle,
                                         claims[i].length, claims[i].weight),
                         claims[i].all);
    }
    fr_graph_free(graph);
}

enum { N = 10 };

/* Rows that are not sampled are compared with those that are: on the path 0 - 1 - 2 a wrong
 * distance from 0 to 2 is detected in row 0 and, by the triangle inequality over 1, in row 1, but
 * not in row 2. */
static void triangles(void **state) {
    const double list[][3] = {{0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {2, 1, 1}};
    fr_graph *graph = floats(*state, 3, 4, list, FR_TYPE_F64, 0);
    const double right[] = {0, 1, 2, 1, 0, 1, 2, 1, 0}, bad[] = {0, 1, 2.7, 1, 0, 1, 2, 1, 0};
    int caught = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        assert_ok(*state,
                  fr_verify_apsp(*state, graph, NULL, false, right, FR_TYPE_F64, NULL, 1, seed));
        fr_status status =
            fr_verify_apsp(*state, graph, NULL, false, bad, FR_TYPE_F64, NULL, 1, seed);
        caught += status == FR_VERIFY_FAILED;
    }
    assert_in_range(caught, 30, 59); /* two rows of three; with its own row alone it would be 20 */
    fr_graph_free(graph);
}

enum { FOREST = 20000 };

typedef struct {
    int32_t depth[FOREST], calls[FOREST];
} visits;

static void note(void *arg, int32_t v, int32_t parent) {
    visits *seen = arg;
    seen->depth[v] = v == parent ? 0 : seen->depth[parent] + 1;
    seen->calls[v]++;
}

/* Each vertex of a forest is visited once and after its parent, for short and long chains in any
 * numbering. Otherwise the smallest vertex whose chain has no root is reported. */
static void forests(void **state) {
    int32_t *parent = malloc(FOREST * sizeof *parent), detached;
    visits *seen = malloc(sizeof *seen);
    uint64_t random = 5;
    for (int shape = 0; shape < 16; shape++) {
        int reach = (int[]){1, 3, 100, FOREST}[shape / 4]; /* 1: one path; large: flat */
        for (int32_t i = 0; i < FOREST; i++) {
            int32_t up = i - cf_between(&random, 1, reach < i ? reach : i ? i : 1);
            up = i ? up : 0;
            parent[shape & 1 ? FOREST - 1 - i : i] = shape & 1 ? FOREST - 1 - up : up;
        }
        int32_t loose = cf_between(&random, 100, FOREST - 100);
        if (shape & 2) { /* a cycle of two vertices with its descendants */
            parent[loose] = loose + (shape & 1 ? -1 : 1);
            parent[parent[loose]] = loose;
        }
        memset(seen, 0, sizeof *seen);
        fr_ctx_set_threads(*state, 1 + shape % 3);
        assert_ok(*state, fri_verify_walk(*state, FOREST, parent, note, seen, &detached));
        assert_int_equal(detached < 0, !(shape & 2));
        for (int32_t v = 0; v < FOREST; v++) {
            if (shape & 2 && !seen->calls[v])
                assert_true(detached <= v);
            else
                assert_int_equal(seen->calls[v], 1);
            if (seen->calls[v] && parent[v] != v)
                assert_int_equal(seen->depth[v], seen->depth[parent[v]] + 1);
        }
        assert_true(detached < 0 || !seen->calls[detached]);
    }
    free(parent);
    free(seen);
}

TEST_PROGRAM(TEST(floats_within_rounding_pass), TEST(wrong_floats_fail),
             TEST(small_errors_do_not_add_up), TEST(cycles), TEST(triangles), TEST(forests))
