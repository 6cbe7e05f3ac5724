/* The breadth-first strategies of the CPU against a reference of the test's own: every step
 * forced by knobs or by the shape, targets, depth limits, merged sources, thread counts. */
#include "support/support.h"

#include <stdio.h>

#include "base/rng.h"
#include "graph/graph.h"
#include "core/strategy.h"

typedef struct {
    const char *name;
    int32_t n;
    int64_t m;
    int32_t *ends;
    bool undirected;
} shape;

static shape shape_new(const char *name, int32_t n, int64_t m, bool undirected) {
    return (shape){name, n, m, malloc((size_t)(2 * m + 2) * sizeof(int32_t)), undirected};
}

static shape random_shape(const char *name, int32_t n, int64_t m, bool undirected, uint64_t seed) {
    shape s = shape_new(name, n, m, undirected);
    for (int64_t i = 0; i < 2 * m; i++)
        s.ends[i] = (int32_t)fri_random_below(fri_random(seed, (uint64_t)i), (uint64_t)n);
    return s;
}

/* Ends drawn with the square of a uniform number: a few vertices have very many edges. */
static shape skewed_shape(const char *name, int32_t n, int64_t m, bool undirected, uint64_t seed) {
    shape s = shape_new(name, n, m, undirected);
    for (int64_t i = 0; i < 2 * m; i++) {
        double x = fri_random_unit(fri_random(seed, (uint64_t)i));
        s.ends[i] = (int32_t)(x * x * x * n);
    }
    return s;
}

static shape path_shape(int32_t n, bool undirected) {
    shape s = shape_new("path", n, n - 1, undirected);
    for (int32_t i = 0; i + 1 < n; i++) {
        s.ends[2 * i] = i;
        s.ends[2 * i + 1] = i + 1;
    }
    return s;
}

/* Vertex 0 points at all others, which point at vertex n - 1. */
static shape star_shape(int32_t n, bool undirected) {
    shape s = shape_new("star", n, 2 * (int64_t)(n - 2), undirected);
    for (int32_t i = 1; i + 1 < n; i++) {
        int32_t *e = s.ends + 4 * (int64_t)(i - 1);
        e[0] = 0;
        e[1] = e[2] = i;
        e[3] = n - 1;
    }
    return s;
}

static shape grid_shape(int32_t side) {
    shape s = shape_new("grid", side * side, 0, true);
    s.ends = realloc(s.ends, (size_t)side * (size_t)side * 4 * sizeof(int32_t));
    for (int32_t v = 0; v < side * side; v++) {
        if ((v + 1) % side) {
            s.ends[2 * s.m] = v;
            s.ends[2 * s.m++ + 1] = v + 1;
        }
        if (v + side < side * side) {
            s.ends[2 * s.m] = v;
            s.ends[2 * s.m++ + 1] = v + side;
        }
    }
    return s;
}

static fr_graph *build(fr_ctx *ctx, shape *s) {
    fr_graph *graph = test_graph(ctx, s->n, s->m, s->ends, s->undirected);
    free(s->ends);
    s->ends = NULL;
    return graph;
}

/* Levels by the rule of fr_query: the level of the last target is the last. */
static void reference(const fr_csr *g, const fr_query *q, int32_t *level) {
    int32_t *queue = malloc(((size_t)g->n + 1) * sizeof *queue);
    int64_t head = 0, tail = 0, left = 0;
    bool *wanted = calloc((size_t)g->n + 1, 1);
    for (int64_t i = 0; i < q->target_count; i++) {
        left += !wanted[q->targets[i]];
        wanted[q->targets[i]] = true;
    }
    for (int32_t v = 0; v < g->n; v++)
        level[v] = -1;
    for (int64_t i = 0; i < q->source_count; i++)
        if (level[q->sources[i]] < 0) {
            level[q->sources[i]] = 0;
            left -= wanted[q->sources[i]];
            queue[tail++] = q->sources[i];
        }
    int32_t last = left || !q->target_count ? INT32_MAX : 0;
    if (q->max_level && q->max_level < last)
        last = q->max_level;
    for (; head < tail && level[queue[head]] < last; head++)
        for (int64_t e = g->offsets[queue[head]]; e < g->offsets[queue[head] + 1]; e++) {
            int32_t v = g->targets[e];
            if (level[v] >= 0)
                continue;
            level[v] = level[queue[head]] + 1;
            queue[tail++] = v;
            left -= wanted[v];
            if (q->target_count && left == 0 && level[v] < last)
                last = level[v];
        }
    free(queue);
    free(wanted);
}

/* Rows ascend. */
static bool has_edge(const fr_csr *g, int32_t u, int32_t v) {
    int64_t low = g->offsets[u], high = g->offsets[u + 1];
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (g->targets[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low < g->offsets[u + 1] && g->targets[low] == v;
}

static void check_parents(const fr_csr *g, const int32_t *level, const int32_t *parent) {
    for (int32_t v = 0; v < g->n; v++) {
        if (level[v] <= 0) {
            assert_int_equal(parent[v], level[v] < 0 ? -1 : v);
            continue;
        }
        assert_in_range(parent[v], 0, g->n - 1);
        assert_int_equal(level[parent[v]], level[v] - 1);
        assert_true(has_edge(g, parent[v], v));
    }
}

static void check_query(fr_ctx *ctx, fr_solver *solver, const fr_csr *g, const fr_query *query) {
    size_t bytes = ((size_t)g->n + 1) * sizeof(int32_t);
    int32_t *expected = malloc(bytes), *level = malloc(bytes), *parent = malloc(bytes);
    reference(g, query, expected);
    int32_t deepest = 0;
    for (int32_t v = 0; v < g->n; v++)
        deepest = expected[v] > deepest ? expected[v] : deepest;
    for (int with_parents = 0; with_parents < 2; with_parents++) {
        memset(level, 0x55, bytes);
        memset(parent, 0x55, bytes);
        fr_result result = {.level = level, .parent = with_parents ? parent : NULL};
        assert_ok(ctx, fr_solve(solver, query, &result));
        assert_memory_equal(level, expected, (size_t)g->n * sizeof *level);
        assert_int_equal(result.stats.levels, deepest);
    }
    check_parents(g, level, parent);
    free(expected);
    free(level);
    free(parent);
}

static void check_strategy(fr_ctx *ctx, const fr_graph *graph, const char *strategy,
                           const char *knobs, uint64_t seed) {
    fr_solver_options options = {.strategy = strategy, .knobs = knobs, .backend = FR_BACKEND_CPU};
    const fr_csr *g = fr_graph_csr(graph);
    fr_solver *solver;
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver));
    int32_t list[8];
    for (uint64_t i = 0; i < 8; i++)
        list[i] = (int32_t)fri_random_below(fri_random(seed, i), (uint64_t)g->n);
    list[1] = 0;
    list[2] = list[0]; /* a source named twice */
    list[4] = list[3]; /* a target named twice */
    const fr_query queries[] = {
        {.sources = list, .source_count = 1},
        {.sources = list + 1, .source_count = 1},
        {.sources = list, .source_count = 3},
        {.sources = list, .source_count = 1, .max_level = 3},
        {.sources = list, .source_count = 1, .targets = list + 3, .target_count = 2},
        {.sources = list, .source_count = 2, .targets = list, .target_count = 5},
        {.sources = list, .source_count = 1, .targets = list, .target_count = 1},
    };
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        check_query(ctx, solver, g, &queries[i]);
    fr_solver_free(solver);
}

/* Every BFS strategy of the CPU, and beamer pinned to each direction. */
static void check_all(fr_ctx *ctx, shape s, int most_threads) {
    fr_graph *graph = build(ctx, &s);
    for (int threads = 1; threads <= most_threads; threads++) {
        assert_ok(ctx, fr_ctx_set_threads(ctx, threads));
        fr_strategy_info row = {0};
        for (int i = 0; fr_strategy_get(i, &row); i++)
            if (row.problem == FR_PROBLEM_BFS && row.backend == FR_BACKEND_CPU)
                check_strategy(ctx, graph, row.name, NULL, 7);
        check_strategy(ctx, graph, "direction-optimizing", "alpha=1,beta=1", 8);
        check_strategy(ctx, graph, "direction-optimizing", "alpha=1e9,beta=1e9", 9);
        check_strategy(ctx, graph, "direction-optimizing", "alpha=3,beta=2", 10);
    }
    fr_graph_free(graph);
}

static void thin_shapes(void **state) {
    check_all(*state, path_shape(1, true), 2);
    check_all(*state, path_shape(2, false), 2);
    check_all(*state, path_shape(200, true), 2);
    check_all(*state, path_shape(200, false), 2);
    check_all(*state, grid_shape(24), 3);
}

/* Frontiers of some hundred vertices: auto wakes the team and deals them out, to each member what
 * it found itself. */
static void middling_levels(void **state) {
    fr_ctx *ctx = *state;
    shape s = grid_shape(450);
    fr_graph *graph = build(ctx, &s);
    for (int threads = 2; threads <= 4; threads++) {
        assert_ok(ctx, fr_ctx_set_threads(ctx, threads));
        check_strategy(ctx, graph, "auto", NULL, 11);
    }
    fr_graph_free(graph);
}

static void wide_shapes(void **state) {
    check_all(*state, star_shape(17000, true), 2); /* a row that all members share */
    check_all(*state, star_shape(17000, false), 2);
    check_all(*state, random_shape("sparse", 3000, 3000, true, 1), 2);
    check_all(*state, random_shape("sparse directed", 3000, 5500, false, 2), 2);
    check_all(*state, random_shape("dense", 300, 30000, true, 3), 3);
    check_all(*state, skewed_shape("skewed", 6000, 60000, true, 4), 4);
    check_all(*state, skewed_shape("skewed directed", 6000, 60000, false, 5), 2);
}

static void odd_sizes(void **state) {
    for (int32_t n = 63; n <= 65; n++) {
        check_all(*state, random_shape("odd", n, 2 * n, true, (uint64_t)n), 2);
        check_all(*state, random_shape("odd directed", n, 2 * n, false, (uint64_t)n), 2);
    }
}

static void check_least(fr_ctx *ctx, fr_solver *solver, const fr_csr *g) {
    size_t bytes = (size_t)g->n * sizeof(int32_t);
    int32_t *level = malloc(bytes), *parent = malloc(bytes), sources[] = {3, 4};
    fr_query query = {.sources = sources, .source_count = 2, .min_parents = true};
    fr_result result = {.level = level, .parent = parent};
    assert_ok(ctx, fr_solve(solver, &query, &result));
    check_parents(g, level, parent);
    for (int32_t u = 0; u < g->n; u++)
        for (int64_t e = g->offsets[u]; level[u] >= 0 && e < g->offsets[u + 1]; e++)
            if (level[g->targets[e]] == level[u] + 1)
                assert_true(parent[g->targets[e]] <= u);
    free(level);
    free(parent);
}

static void min_parents(void **state) {
    fr_ctx *ctx = *state;
    for (int directed = 0; directed < 2; directed++) {
        shape s = skewed_shape("skewed", 5000, 40000, !directed, 12);
        fr_graph *graph = build(ctx, &s);
        fr_strategy_info row = {0};
        for (int i = 0; fr_strategy_get(i, &row); i++) {
            if (row.problem != FR_PROBLEM_BFS || row.backend != FR_BACKEND_CPU)
                continue;
            fr_solver_options options = {.strategy = row.name, .backend = FR_BACKEND_CPU};
            fr_solver *solver;
            assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver));
            check_least(ctx, solver, fr_graph_csr(graph));
            fr_solver_free(solver);
        }
        fr_graph_free(graph);
    }
}

static void says_why(void **state) {
    fr_ctx *ctx = *state;
    shape s = skewed_shape("skewed", 50000, 400000, true, 6);
    fr_graph *graph = build(ctx, &s);
    fr_solver_options options = {
        .strategy = "auto", .backend = FR_BACKEND_CPU, .record_levels = true};
    fr_solver *solver;
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver));
    int32_t source = 0;
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {0};
    assert_ok(ctx, fr_solve(solver, &query, &result));
    int64_t count, frontier = 0, edges = 0;
    bool pulled = false;
    const fr_level *line = fr_solver_levels(solver, &count);
    for (int64_t i = 0; i < count; i++) {
        frontier += line[i].frontier;
        edges += line[i].edges;
        pulled |= strcmp(line[i].method, "bottom-up") == 0;
    }
    assert_true(pulled);
    assert_in_range(frontier, 1, result.stats.reached);
    assert_int_equal(edges, result.stats.edges_examined);
    assert_non_null(strstr(fr_solver_explain(solver), "bottom-up"));
    fr_solver_free(solver);
    fr_graph_free(graph);
}

static int stop(void *user, const char *phase, int64_t done, int64_t total) {
    (void)phase, (void)done, (void)total;
    return --*(int *)user < 0;
}

/* Cancelled at any report, the solver still answers the next query. */
static void cancelled(void **state) {
    (void)state;
    int reports = 0;
    fr_ctx_options options = {.threads = 2, .progress = stop, .progress_user = &reports};
    fr_ctx *ctx;
    assert_int_equal(fr_ctx_new(&options, &ctx), FR_OK);
    reports = 1 << 30;
    shape s = skewed_shape("skewed", 50000, 400000, true, 6);
    fr_graph *graph = build(ctx, &s);
    const char *const names[] = {"serial", "direction-optimizing", "auto"};
    for (int i = 0; i < 3; i++) {
        fr_solver_options how = {.strategy = names[i], .backend = FR_BACKEND_CPU};
        fr_solver *solver;
        reports = 1 << 30;
        assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &how, &solver));
        int32_t source = 1;
        fr_query query = {.sources = &source, .source_count = 1};
        fr_result result = {0};
        fr_status status = FR_CANCELLED;
        for (int allowed = 0; status == FR_CANCELLED; allowed++) {
            reports = allowed;
            status = fr_solve(solver, &query, &result);
            assert_true(allowed > 0 || status == FR_CANCELLED);
        }
        assert_int_equal(status, FR_OK);
        reports = 1 << 30;
        check_query(ctx, solver, fr_graph_csr(graph), &query);
        fr_solver_free(solver);
    }
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(thin_shapes, test_ctx_new, test_ctx_free),
        cmocka_unit_test_setup_teardown(middling_levels, test_ctx_new, test_ctx_free),
        cmocka_unit_test_setup_teardown(wide_shapes, test_ctx_new, test_ctx_free),
        cmocka_unit_test_setup_teardown(odd_sizes, test_ctx_new, test_ctx_free),
        cmocka_unit_test_setup_teardown(min_parents, test_ctx_new, test_ctx_free),
        cmocka_unit_test_setup_teardown(says_why, test_ctx_new, test_ctx_free),
        cmocka_unit_test(cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
