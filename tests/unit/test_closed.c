/* Closed vertices and edges: in a graph (fr_graph_filter) and in queries, against the oracle on the
 * edges that stay open. */
#include "base/bitmap.h"
#include "base/rng.h"
#include "conformance/harness.h"
#include "support/support.h"

#include <math.h>

enum { GRAPHS = 500, N = 40, WORDS = 16 };

typedef struct {
    uint64_t vertices[WORDS], edges[WORDS];
    bool closes_vertices, closes_edges;
} mask;

static uint32_t draw(uint64_t seed, uint64_t i, uint32_t below) {
    return (uint32_t)fri_random_below(fri_random(seed, i), below);
}

static bool pair_is_closed(const cf_graph *g, const uint64_t *pairs, int32_t u, int32_t v) {
    return fri_bit_get(pairs, (int64_t)u * N + v) ||
           (!g->directed && fri_bit_get(pairs, (int64_t)v * N + u));
}

/* Closes some vertices, and all edges of some pairs, in one direction where both are stored. */
static mask draw_mask(const cf_graph *g, uint64_t seed, uint64_t *pairs) {
    mask m = {.closes_vertices = draw(seed, 1, 3) > 0};
    m.closes_edges = !m.closes_vertices || draw(seed, 2, 2);
    for (int32_t v = 0; m.closes_vertices && v < g->n; v++)
        if (draw(seed, 10 + (uint64_t)v, 8) == 0)
            fri_bit_set(m.vertices, v);
    memset(pairs, 0, fri_bitmap_bytes(N * N));
    const fr_csr *csr = fr_graph_csr(g->graph);
    for (int32_t u = 0; m.closes_edges && u < g->n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int64_t count, first = fr_graph_edge(g->graph, u, csr->targets[e], &count);
            if (first != e || draw(seed, 100 + (uint64_t)e, 4))
                continue;
            fri_bit_set(pairs, (int64_t)u * N + csr->targets[e]);
            for (int64_t k = 0; k < count; k++)
                fri_bit_set(m.edges, first + k);
        }
    return m;
}

/* Makes the oracle's graph of the open edges, or of the reversed ones; free with free_open. */
static cf_graph open_graph(const cf_graph *g, const mask *m, const uint64_t *pairs, bool reverse) {
    cf_graph open = *g;
    open.offset = calloc((size_t)g->n + 2, sizeof *open.offset);
    open.to = calloc((size_t)g->m + 1, sizeof *open.to);
    open.weight = calloc((size_t)g->m + 1, sizeof *open.weight);
    open.m = 0;
    for (int32_t row = 0; row < g->n; row++) {
        for (int32_t u = 0; u < g->n; u++)
            for (int64_t e = g->offset[u]; e < g->offset[u + 1]; e++) {
                int32_t v = g->to[e];
                if ((reverse ? v : u) != row || fri_bit_get(m->vertices, u) ||
                    fri_bit_get(m->vertices, v) || pair_is_closed(g, pairs, u, v))
                    continue;
                open.to[open.m] = reverse ? u : v;
                open.weight[open.m++] = g->weight[e];
            }
        open.offset[row + 1] = open.m;
    }
    return open;
}

static void free_open(cf_graph *open) {
    free(open->offset);
    free(open->to);
    free(open->weight);
}

typedef struct {
    fr_ctx *ctx;
    const cf_graph *g;
    fr_problem problem;
    fr_solver *solver;
    fr_type type;
    bool reverse;
    const char *strategy;
} solved;

static void compare(const solved *x, const cf_graph *open, const int32_t *sources, int64_t count,
                    const void *values, const int32_t *parent) {
    cf_number want[N];
    bool unit = x->problem == FR_PROBLEM_BFS || open->weights == CF_NONE;
    assert_true(cf_solve(open, unit, sources, count, want, NULL));
    for (int32_t v = 0; v < open->n; v++) {
        cf_number got = cf_value(x->problem, x->type, values, v);
        if (got != want[v])
            fail_msg("%s %s: vertex %d has %Lg, not %Lg", fr_problem_name(x->problem), x->strategy,
                     v, got, want[v]);
    }
    int32_t wrong = cf_wrong_parent(open, unit, sources, count, want, parent);
    if (wrong >= 0)
        fail_msg("%s %s: vertex %d has a wrong parent", fr_problem_name(x->problem), x->strategy,
                 wrong);
}

/* A query with the mask (NULL: none) on a solver that had other masks before. */
static void check_query(const solved *x, const mask *m, const uint64_t *pairs, uint64_t seed) {
    static const mask nothing;
    static const uint64_t no_pairs[N * N / 64 + 1];
    int32_t n = x->g->n,
            sources[2] = {(int32_t)draw(seed, 3, (uint32_t)n), (int32_t)draw(seed, 4, (uint32_t)n)};
    bool all = x->problem == FR_PROBLEM_APSP;
    int64_t values[N * N];
    int32_t parent[N * N];
    fr_query query = {.sources = all ? NULL : sources, .source_count = all ? 0 : 2};
    if (m && m->closes_vertices)
        query.closed_vertices = m->vertices;
    if (m && m->closes_edges)
        query.closed_edges = m->edges;
    fr_result result = {.parent = parent};
    if (x->problem == FR_PROBLEM_BFS)
        result.level = (int32_t *)values;
    else
        result.dist = values;
    assert_ok(x->ctx, fr_solve(x->solver, &query, &result));
    cf_graph open = open_graph(x->g, m ? m : &nothing, m ? pairs : no_pairs, x->reverse);
    for (int32_t s = 0; all && s < n; s++)
        compare(x, &open, &s, 1, (char *)values + (size_t)s * (size_t)n * fr_type_size(x->type),
                parent + (size_t)s * (size_t)n);
    if (!all)
        compare(x, &open, sources, 2, values, parent);
    free_open(&open);
    if (x->reverse) /* the checkers take the transposed graph, whose edges have other numbers */
        return;
    fr_graph *graph = x->g->graph;
    if (x->problem == FR_PROBLEM_BFS)
        assert_ok(x->ctx, fr_verify_bfs(x->ctx, graph, &query, result.level, parent));
    else if (!all)
        assert_ok(x->ctx, fr_verify_sssp(x->ctx, graph, &query, false, values, x->type, parent));
    else
        assert_ok(x->ctx,
                  fr_verify_apsp(x->ctx, graph, &query, false, values, x->type, parent, 0, 0));
}

/* A CPU strategy of the problem that takes these weights, another one for each seed. */
static const char *choose(const cf_graph *g, fr_problem problem, uint64_t seed) {
    fr_strategy_info all[32] = {0};
    int count = 0;
    for (int i = 0; cf_strategy(problem, i, &all[count]); i++)
        if (problem == FR_PROBLEM_BFS || !cf_is_negative(g->weights) ||
            cf_takes_negative(&all[count]))
            if (strcmp(all[count].name, "multi-bfs") != 0 || g->weights == CF_NONE)
                count++;
    return all[draw(seed, 5, (uint32_t)count)].name;
}

static void check_problem(fr_ctx *ctx, const cf_graph *g, fr_problem problem, uint64_t seed) {
    solved x = {.ctx = ctx, .g = g, .problem = problem, .reverse = draw(seed, 6, 4) == 0};
    x.strategy = choose(g, problem, seed);
    fr_solver_options options = {.strategy = x.strategy, .reverse = x.reverse};
    assert_ok(ctx, fr_solver_new(ctx, g->graph, problem, &options, &x.solver));
    x.type = problem == FR_PROBLEM_BFS ? FR_TYPE_I32 : fr_solver_dist_type(x.solver);
    uint64_t pairs[N * N / 64 + 1], other_pairs[N * N / 64 + 1];
    mask m = draw_mask(g, seed, pairs), other = draw_mask(g, seed + GRAPHS, other_pairs);
    check_query(&x, &m, pairs, seed);
    check_query(&x, &m, pairs, seed + 1);
    check_query(&x, NULL, NULL, seed);
    check_query(&x, &other, other_pairs, seed);
    fr_solver_free(x.solver);
}

static void random_graphs(void **state) {
    fr_ctx *ctx = *state;
    static const cf_weights kinds[] = {CF_NONE, CF_I32, CF_ZERO, CF_F64, CF_NEGATIVE, CF_I64};
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        cf_random_kind kind = {.weights = kinds[seed % 6], .low = seed % 6 != 2, .high = 9};
        kind.directed = seed % 6 == 4 || draw(seed, 7, 2);
        kind.potential = seed % 6 == 4 ? 9 : 0;
        int32_t n = 1 + (int32_t)draw(seed, 8, N);
        uint64_t random = seed;
        cf_graph *g = cf_random_graph(ctx, n, draw(seed, 9, 3 * (uint32_t)n), &kind, &random);
        assert_non_null(g);
        assert_true(fr_graph_edge_count(g->graph) <= 64 * WORDS);
        check_problem(ctx, g, FR_PROBLEM_BFS, seed);
        check_problem(ctx, g, FR_PROBLEM_SSSP, seed);
        check_problem(ctx, g, FR_PROBLEM_APSP, seed);
        cf_graph_free(g);
    }
}

/* 0 - 1 three times, with weights 5, 3 and 3; 1 - 2 with weight 1. */
static fr_graph *parallel_graph(fr_ctx *ctx) {
    const int32_t src[] = {0, 1, 0, 1}, dst[] = {1, 0, 1, 2}, weights[] = {5, 3, 3, 1};
    fr_load_options options = {.direction = FR_DIRECTION_UNDIRECTED};
    fr_graph *graph = NULL;
    assert_ok(ctx,
              fr_graph_from_edges(ctx, 3, 4, src, dst, weights, FR_TYPE_I32, &options, &graph));
    return graph;
}

static void names_edges(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = parallel_graph(ctx);
    int64_t count;
    assert_int_equal(fr_graph_edge(graph, 0, 1, &count), 0);
    assert_int_equal(count, 3);
    assert_int_equal(fr_graph_edge(graph, 1, 2, &count), 6);
    assert_int_equal(count, 1);
    assert_int_equal(fr_graph_edge(graph, 0, 2, &count), -1);
    assert_int_equal(count, 0);
    assert_int_equal(fr_graph_edge(graph, 3, 0, NULL), -1);
    assert_int_equal(fr_graph_edge(graph, 0, -1, NULL), -1);
    fr_graph_free(graph);
}

/* One of several parallel edges, by either of its directions: the same graph remains. */
static void closes_one_of_parallel_edges(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = parallel_graph(ctx);
    for (int64_t k = 0; k < 3; k++)
        for (int turned = 0; turned < 2; turned++) {
            uint64_t edges = UINT64_C(1) << (fr_graph_edge(graph, turned, !turned, NULL) + k);
            fr_graph *open = NULL;
            assert_ok(ctx, fr_graph_filter(ctx, graph, NULL, &edges, &open));
            const fr_csr *csr = fr_graph_csr(open);
            const int32_t *w = csr->weights;
            assert_int_equal(csr->m, 6);
            assert_true(csr->symmetric);
            assert_int_equal(csr->offsets[1], 2);
            assert_int_equal(w[0], 3);
            assert_int_equal(w[1], k == 2 ? 3 : 5);
            assert_int_equal(w[2], 3);
            assert_int_equal(w[3], k == 2 ? 3 : 5);
            fr_graph_free(open);
        }
    fr_graph_free(graph);
}

/* A closed source reaches only itself, and the vertices keep their ids. */
static void closes_vertices(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = parallel_graph(ctx), *open = NULL;
    const uint64_t middle = 2;
    int32_t source = 1, level[3];
    assert_ok(ctx, fr_graph_filter(ctx, graph, &middle, NULL, &open));
    assert_int_equal(fr_graph_edge_count(open), 0);
    assert_int_equal(fr_graph_vertex_count(open), 3);
    assert_int_equal(fr_graph_id(open, 2), fr_graph_id(graph, 2));
    fr_graph_free(open);
    fr_solver *solver;
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_BFS, NULL, &solver));
    fr_query query = {.sources = &source, .source_count = 1, .closed_vertices = &middle};
    fr_result result = {.level = level};
    assert_ok(ctx, fr_solve(solver, &query, &result));
    assert_int_equal(level[0], -1);
    assert_int_equal(level[1], 0);
    assert_int_equal(level[2], -1);
    assert_int_equal(result.stats.reached, 1);
    fr_solver_free(solver);
    fr_graph_free(graph);
}

/* Knobs are those of the solver; levels and explanation are those of the last query. */
static void keeps_the_options(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = parallel_graph(ctx);
    const uint64_t last = 4;
    int32_t source = 0, dist[3];
    fr_solver_options options = {
        .strategy = "delta-step", .knobs = "delta=2", .record_levels = true};
    fr_solver *solver;
    const int threads = fr_ctx_threads(ctx);
    /* one thread: a level per bucket; several join small buckets */
    assert_ok(ctx, fr_ctx_set_threads(ctx, 1));
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, &options, &solver));
    fr_query query = {.sources = &source, .source_count = 1, .closed_vertices = &last};
    fr_result result = {.dist = dist};
    int64_t with, without;
    assert_ok(ctx, fr_solve(solver, &query, &result));
    assert_int_equal(dist[1], 3);
    assert_int_equal(dist[2], FR_INF_I32);
    assert_string_equal(result.stats.strategy, "delta-step");
    fr_solver_levels(solver, &with);
    query.closed_vertices = NULL;
    assert_ok(ctx, fr_solve(solver, &query, &result));
    assert_int_equal(dist[2], 4);
    fr_solver_levels(solver, &without);
    assert_true(with >= 1 && without > with);
    fr_solver_free(solver);
    assert_ok(ctx, fr_ctx_set_threads(ctx, threads));
    fr_graph_free(graph);
}

/* A checker without the mask refuses a result with it, and the other way round. */
static void the_checkers_know_the_mask(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = parallel_graph(ctx);
    const uint64_t bridge = UINT64_C(1) << 6;
    const int32_t source = 0, level[] = {0, 1, -1}, parent[] = {0, 0, -1}, dist[] = {0, 3, 4},
                  other[] = {0, 3, FR_INF_I32};
    fr_query plain = {.sources = &source, .source_count = 1}, closed = plain;
    closed.closed_edges = &bridge;
    assert_ok(ctx, fr_verify_bfs(ctx, graph, &closed, level, parent));
    assert_int_equal(fr_verify_bfs(ctx, graph, &plain, level, parent), FR_VERIFY_FAILED);
    assert_ok(ctx, fr_verify_sssp(ctx, graph, &closed, false, other, FR_TYPE_I32, NULL));
    assert_int_equal(fr_verify_sssp(ctx, graph, &closed, false, dist, FR_TYPE_I32, NULL),
                     FR_VERIFY_FAILED);
    assert_ok(ctx, fr_verify_apsp(ctx, graph, &closed, false, other, FR_TYPE_I32, NULL, 0, 0));
    assert_int_equal(fr_verify_apsp(ctx, graph, &closed, false, dist, FR_TYPE_I32, NULL, 0, 0),
                     FR_VERIFY_FAILED);
    fr_graph_free(graph);
}

/* A negative cycle with a closed edge does not count. */
static void closes_a_negative_cycle(void **state) {
    fr_ctx *ctx = *state;
    const int32_t src[] = {0, 1, 2}, dst[] = {1, 2, 1}, weights[] = {1, -3, 1};
    fr_load_options options = {.direction = FR_DIRECTION_DIRECTED};
    fr_graph *graph;
    assert_ok(ctx,
              fr_graph_from_edges(ctx, 3, 3, src, dst, weights, FR_TYPE_I32, &options, &graph));
    const uint64_t back = UINT64_C(1) << fr_graph_edge(graph, 2, 1, NULL);
    int32_t source = 0, dist[3];
    fr_solver *solver;
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, NULL, &solver));
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.dist = dist};
    assert_int_equal(fr_solve(solver, &query, &result), FR_NEGATIVE_CYCLE);
    assert_ok(ctx, fr_verify_cycle(ctx, graph, &query, result.cycle, result.cycle_length,
                                   result.cycle_weight));
    query.closed_edges = &back;
    assert_int_equal(
        fr_verify_cycle(ctx, graph, &query, result.cycle, result.cycle_length, result.cycle_weight),
        FR_VERIFY_FAILED);
    assert_ok(ctx, fr_solve(solver, &query, &result));
    assert_int_equal(dist[2], -2);
    assert_int_equal(result.cycle_length, 0);
    fr_solver_free(solver);
    fr_graph_free(graph);
}

TEST_PROGRAM(TEST(random_graphs), TEST(names_edges), TEST(closes_one_of_parallel_edges),
             TEST(closes_vertices), TEST(keeps_the_options), TEST(the_checkers_know_the_mask),
             TEST(closes_a_negative_cycle))
