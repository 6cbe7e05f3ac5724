/* SSSP `auto` with weights: a search that reaches little of a large graph is answered by Dijkstra's algorithm before
 * anything is prepared, with the answer of the strategy `dijkstra`; after one that reaches more, a
 * strategy answers, and some queries skip that search. */
#include "support/support.h"

#include <string.h>

enum {
    ISLAND = 30, /* vertices of a ring with chords, which no edge leaves */
    MAIN = 4000,
    DEGREE = 8, /* the rest: enough edges that `auto` chooses no plain dijkstra */
    N = ISLAND + MAIN,
    M = 3 * ISLAND + MAIN * DEGREE,
    LARGE = 1 << 30
};

typedef struct {
    int32_t src[M], dst[M];
    double weight[M];
} edges;

static edges *make_edges(void) {
    edges *l = malloc(sizeof *l);
    uint64_t random = 1;
    for (int64_t e = 0; e < M; e++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const int32_t island = (int32_t)(e / 3), k = (int32_t)(e % 3);
        const int32_t chord[] = {1, 5, ISLAND - 1};
        const int inside = e < 3 * ISLAND;
        l->src[e] = inside ? island : ISLAND + (int32_t)((e - 3 * ISLAND) / DEGREE);
        l->dst[e] =
            inside ? (island + chord[k]) % ISLAND : ISLAND + (int32_t)((random >> 33) % MAIN);
        l->weight[e] = (double)(1 + (random >> 40) % 20);
    }
    return l;
}

static fr_graph *make_graph(fr_ctx *ctx, const edges *l, fr_type type) {
    fr_load_options options = {.direction = FR_DIRECTION_DIRECTED, .weight_type = type};
    return test_of_edges(ctx, N, M, l->src, l->dst, l->weight, FR_TYPE_F64, &options);
}

typedef struct {
    fr_ctx *ctx;
    fr_solver *automatic, *dijkstra;
    size_t size;
} pair;

static pair open_pair(fr_ctx *ctx, const fr_graph *graph, fr_type dist_type) {
    pair p = {.ctx = ctx, .size = fr_type_size(dist_type)};
    fr_solver_options options = {.dist_type = dist_type, .backend = FR_BACKEND_CPU};
    p.automatic = test_solver(ctx, graph, FR_PROBLEM_SSSP, &options);
    options.strategy = "dijkstra";
    p.dijkstra = test_solver(ctx, graph, FR_PROBLEM_SSSP, &options);
    return p;
}

static void close_pair(pair *p) {
    fr_solver_free(p->automatic);
    fr_solver_free(p->dijkstra);
}

/* Both answer alike; returns whether `auto` chose dijkstra. */
static int answers_agree(const pair *p, const fr_query *query) {
    static char dist[2][N * 8];
    static int32_t parent[N];
    fr_result found = {.dist = dist[0], .parent = parent}, wanted = {.dist = dist[1]};
    memset(dist, 1, sizeof dist);
    assert_ok(p->ctx, fr_solve(p->automatic, query, &found));
    assert_ok(p->ctx, fr_solve(p->dijkstra, query, &wanted));
    assert_memory_equal(dist[0], dist[1], N * p->size);
    assert_int_equal(found.stats.reached, wanted.stats.reached);
    assert_int_equal(found.stats.reached_edges, wanted.stats.reached_edges);
    int64_t parents = 0;
    for (int32_t v = 0; v < N; v++)
        parents += parent[v] >= 0;
    assert_int_equal(parents, wanted.stats.reached);
    return strcmp(found.stats.strategy, "dijkstra") == 0;
}

static const struct {
    fr_type weight, dist;
} types[] = {
    {FR_TYPE_I32, FR_TYPE_I32}, {FR_TYPE_I32, FR_TYPE_I64}, {FR_TYPE_I64, FR_TYPE_I64},
    {FR_TYPE_F32, FR_TYPE_F32}, {FR_TYPE_F32, FR_TYPE_F64}, {FR_TYPE_F64, FR_TYPE_F64},
};

static void an_island(void **state) {
    edges *l = make_edges();
    for (size_t t = 0; t < COUNT(types); t++) {
        fr_graph *graph = make_graph(*state, l, types[t].weight);
        pair p = open_pair(*state, graph, types[t].dist);
        int32_t sources[] = {3, 17, 3}, targets[] = {5, 29}, apart[] = {4, ISLAND};
        assert_true(answers_agree(&p, &(fr_query){.sources = sources, .source_count = 1}));
        assert_true(answers_agree(&p, &(fr_query){.sources = sources, .source_count = 3}));
        assert_true(answers_agree(
            &p, &(fr_query){
                    .sources = sources, .source_count = 1, .targets = targets, .target_count = 2}));
        assert_true(answers_agree(
            &p, &(fr_query){
                    .sources = sources, .source_count = 1, .targets = apart, .target_count = 2}));
        assert_true(answers_agree(
            &p, &(fr_query){.sources = sources, .source_count = 1, .max_distance = 4.5}));
        close_pair(&p);
        fr_graph_free(graph);
    }
    free(l);
}

/* Targets and limits end a search in the large part, too. */
static void near_vertices(void **state) {
    edges *l = make_edges();
    fr_graph *graph = make_graph(*state, l, FR_TYPE_I32);
    pair p = open_pair(*state, graph, FR_TYPE_I32);
    int32_t source = ISLAND + 7, target = source;
    assert_true(answers_agree(
        &p,
        &(fr_query){.sources = &source, .source_count = 1, .targets = &target, .target_count = 1}));
    assert_true(
        answers_agree(&p, &(fr_query){.sources = &source, .source_count = 1, .max_distance = 2}));
    close_pair(&p);
    fr_graph_free(graph);
    free(l);
}

/* A search that does not end is followed by 1, then 3 and again 3 queries that skip it. */
static void attempts_rest(void **state) {
    edges *l = make_edges();
    fr_graph *graph = make_graph(*state, l, FR_TYPE_F64);
    pair p = open_pair(*state, graph, FR_TYPE_F64);
    int32_t far = ISLAND, near = 0;
    const fr_query large = {.sources = &far, .source_count = 1};
    const fr_query small = {.sources = &near, .source_count = 1};
    assert_false(answers_agree(&p, &large)); /* tried */
    assert_false(answers_agree(&p, &small)); /* rests */
    assert_true(answers_agree(&p, &small));
    assert_true(answers_agree(&p, &small));
    const int rests[] = {1, 3, 3};
    for (int k = 0; k < 3; k++) {
        assert_false(answers_agree(&p, &large));
        for (int i = 0; i < rests[k]; i++)
            assert_false(answers_agree(&p, &small));
    }
    assert_true(answers_agree(&p, &small));
    close_pair(&p);
    fr_graph_free(graph);
    free(l);
}

/* A distance that does not fit int32 is refused as by other strategies. */
static void a_distance_too_large(void **state) {
    edges *l = make_edges();
    for (int64_t e = 0; e < 3 * ISLAND; e++)
        l->weight[e] = LARGE;
    fr_graph *graph = make_graph(*state, l, FR_TYPE_I32);
    pair p = open_pair(*state, graph, FR_TYPE_I32);
    int32_t source = 3, dist[N];
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.dist = dist};
    assert_int_equal(fr_solve(p.automatic, &query, &result), FR_OVERFLOW);
    close_pair(&p);
    fr_graph_free(graph);
    free(l);
}

TEST_PROGRAM(TEST(an_island), TEST(near_vertices), TEST(attempts_rest), TEST(a_distance_too_large))
