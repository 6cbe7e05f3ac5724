/* The checker of distances without parents where weights are lost in rounding (d + w is d) or where
 * an edge is nearly tight: right answers pass, cycles that hold themselves up do not. */
#include "conformance/shapes.h"
#include "support/support.h"

#include <math.h>

enum { MAX_VERTICES = 16, MAX_EDGES = 48 };

typedef struct {
    int32_t n;
    int64_t m;
    int32_t src[MAX_EDGES], dst[MAX_EDGES];
    double weight[MAX_EDGES];
} edge_list;

static void add(edge_list *l, int32_t u, int32_t v, double w) {
    l->src[l->m] = u;
    l->dst[l->m] = v;
    l->weight[l->m++] = w;
}

static fr_graph *graph_of(fr_ctx *ctx, const edge_list *l, fr_type type, bool undirected) {
    const fr_load_options options = {.direction = undirected ? FR_DIRECTION_UNDIRECTED
                                                             : FR_DIRECTION_DIRECTED};
    float narrow[MAX_EDGES];
    for (int64_t i = 0; i < l->m; i++)
        narrow[i] = (float)l->weight[i];
    fr_graph *graph;
    assert_ok(ctx, fr_graph_from_edges(ctx, l->n, l->m, l->src, l->dst,
                                       type == FR_TYPE_F32 ? (const void *)narrow : l->weight, type,
                                       &options, &graph));
    return graph;
}

/* Without parents, on one thread and two. */
static fr_status verdict(fr_ctx *ctx, const fr_graph *graph, int32_t source, const void *dist,
                         fr_type type) {
    const fr_query query = {.sources = &source, .source_count = 1};
    fr_ctx_set_threads(ctx, 1);
    fr_status one = fr_verify_sssp(ctx, graph, &query, false, dist, type, NULL);
    fr_ctx_set_threads(ctx, 2);
    assert_int_equal(fr_verify_sssp(ctx, graph, &query, false, dist, type, NULL), one);
    assert_int_equal(fr_verify_apsp(ctx, graph, &query, false, dist, type, NULL, 0, 1), one);
    return one;
}

static void solve(fr_ctx *ctx, const fr_graph *graph, fr_problem problem, const char *strategy,
                  int32_t source, void *dist) {
    const fr_solver_options options = {.strategy = strategy, .backend = FR_BACKEND_CPU};
    const fr_query one = {.sources = &source, .source_count = 1}, all = {0};
    fr_result result = {.dist = dist};
    fr_solver *solver;
    assert_ok(ctx, fr_solver_new(ctx, graph, problem, &options, &solver));
    assert_ok(ctx, fr_solve(solver, problem == FR_PROBLEM_APSP ? &all : &one, &result));
    fr_solver_free(solver);
}

/* Once found by a random test: 2 and 5 each look like the other's parent. */
static const double found[][3] = {
    {6, 5, 4.863445115407402e-05},   {2, 4, 2.39550941941452118e-09},
    {5, 2, 9.69808840818852150e+03}, {10, 4, 2.5707258527305475e-08},
    {0, 1, 26102041523.054241},      {1, 3, 8742425959.868944},
    {7, 9, 8.02937944389918e-11},    {3, 8, 395.88389676901295},
    {4, 7, 3291203.9535533176},      {8, 10, 3.6790937168250879e-12},
    {9, 6, 5.92180361300720867e-02},
};

static void a_right_answer_passes(void **state) {
    edge_list l = {.n = 11};
    double dist[MAX_VERTICES], matrix[MAX_VERTICES * MAX_VERTICES];
    for (size_t i = 0; i < COUNT(found); i++)
        add(&l, (int32_t)found[i][0], (int32_t)found[i][1], found[i][2]);
    for (int way = 0; way < 2; way++) {
        fr_graph *graph = graph_of(*state, &l, FR_TYPE_F64, way);
        for (int32_t s = 0; s < l.n; s++) {
            solve(*state, graph, FR_PROBLEM_SSSP, "dijkstra", s, dist);
            assert_ok(*state, verdict(*state, graph, s, dist, FR_TYPE_F64));
        }
        solve(*state, graph, FR_PROBLEM_APSP, "floyd-warshall", 0, matrix);
        assert_ok(*state,
                  fr_verify_apsp(*state, graph, NULL, false, matrix, FR_TYPE_F64, NULL, 0, 1));
        solve(*state, graph, FR_PROBLEM_APSP, "johnson", 0, matrix);
        assert_ok(*state,
                  fr_verify_apsp(*state, graph, NULL, false, matrix, FR_TYPE_F64, NULL, 0, 1));
        fr_graph_free(graph);
    }
}

/* The weights between 2 and 3 are absorbed by their distance; no other edge explains it. */
static void a_seeded_cycle_fails(void **state) {
    static const struct {
        double two, three;
    } claims[] = {{5e5, 5e5},         {5e5, 5e5 + 1e-10}, {5e5 + 1e-10, 5e5},
                  {1e10, 1e10},       {2e6, 2e6},         {1000005 * (1 - 1e-9), 1000005},
                  {1000005, 1000006}, {1000004, 1000005}};
    for (int way = 0; way < 4; way++) {
        edge_list l = {.n = 4};
        bool joined = way & 1, undirected = way & 2;
        add(&l, 0, 1, 5);
        add(&l, 2, 3, 1e-12);
        if (!undirected)
            add(&l, 3, 2, 1e-12);
        if (joined)
            add(&l, 1, 2, 1e6);
        fr_graph *graph = graph_of(*state, &l, FR_TYPE_F64, undirected);
        for (size_t i = 0; i < COUNT(claims); i++) {
            const double dist[] = {0, 5, claims[i].two, claims[i].three};
            assert_int_equal(verdict(*state, graph, 0, dist, FR_TYPE_F64), FR_VERIFY_FAILED);
        }
        const double right[] = {0, 5, 1000005, 1000005}, apart[] = {0, 5, INFINITY, INFINITY};
        assert_ok(*state, verdict(*state, graph, 0, joined ? right : apart, FR_TYPE_F64));
        assert_int_equal(verdict(*state, graph, 0, joined ? apart : right, FR_TYPE_F64),
                         FR_VERIFY_FAILED);
        fr_graph_free(graph);
    }
}

/* 0 -> 2 is nearly as short as 0 -> 1 -> 2, and has fewer edges; a weight below 0 lies elsewhere.
 */
static void nearly_tight_edges_do_not_mislead(void **state) {
    edge_list l = {.n = 5};
    add(&l, 0, 2, 1.00005);
    add(&l, 0, 1, 0.5);
    add(&l, 1, 2, 0.5);
    add(&l, 2, 3, -0.25);
    add(&l, 4, 0, 1);
    fr_graph *graph = graph_of(*state, &l, FR_TYPE_F64, false);
    double dist[] = {0, 0.5, 1, 0.75, INFINITY};
    assert_ok(*state, verdict(*state, graph, 0, dist, FR_TYPE_F64));
    dist[2] = 1.00005; /* its edge accounts for it, but it is not the least */
    dist[3] = 0.75005;
    assert_int_equal(verdict(*state, graph, 0, dist, FR_TYPE_F64), FR_VERIFY_FAILED);
    fr_graph_free(graph);
}

TEST_PROGRAM(TEST(a_right_answer_passes), TEST(a_seeded_cycle_fails),
             TEST(nearly_tight_edges_do_not_mislead))
