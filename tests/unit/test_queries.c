/* Queries beyond what conformance and the random test draw: the order of a large graph, rows that stop early, and
 * fr_solve_each, whose failure leaves the rows before it. Refused queries: test_misuse.c. */
#include "base/base.h"
#include "support/support.h"

#include <float.h>
#include <math.h>

/* Graphs whose vertices threads order in parts, many reached and many not; whose queue is in order; where that ends. */
static void an_order_is_by_level_and_number(void **state) {
    (void)state;
    static const struct {
        const char *graph;
        int threads, max_level;
    } cases[] = {{"kronecker:scale=17,edge_factor=2,seed=5", 3, 0},
                 {"grid2d:rows=150,cols=190", 1, 0},
                 {"grid2d:rows=150,cols=190", 3, 0},
                 {"grid2d:rows=150,cols=190", 1, 40},
                 {"grid3d:x=20,y=20,z=20", 1, 0},
                 {"small-world:n=20000,k=4,seed=1", 1, 0},
                 {"random-geometric:n=20000,seed=1", 1, 0},
                 {"path:n=1000", 1, 0},
                 {"grid2d:rows=150,cols=190,neighbors=3", 1, 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        fr_ctx *ctx = test_ctx_threads(cases[i].threads);
        fr_graph *graph = test_generated(ctx, cases[i].graph, 0);
        int32_t n = fr_graph_vertex_count(graph), source = n / 2 + 95, at = 0;
        while (fr_graph_csr(graph)->offsets[source + 1] == fr_graph_csr(graph)->offsets[source])
            source++;
        int32_t *level = malloc((size_t)n * sizeof *level),
                *order = malloc(((size_t)n + 1) * sizeof *order);
        fr_query query = {.sources = &source, .source_count = 1, .max_level = cases[i].max_level};
        fr_result result = {.level = level, .order = order};
        fr_solver *solver = test_solver(ctx, graph, FR_PROBLEM_BFS, NULL);
        for (int call = 0; call < 2; call++) { /* the second one knows the degrees */
            memset(order, -1, ((size_t)n + 1) * sizeof *order);
            assert_ok(ctx, fr_solve(solver, &query, &result));
            at = 0;
            for (int32_t d = 0; d <= result.stats.levels; d++)
                for (int32_t v = 0; v < n; v++)
                    if (level[v] == d && order[at++] != v)
                        fail_msg("%s: order[%d] is %d", cases[i].graph, at - 1, order[at - 1]);
            assert_int_equal(at, result.stats.reached);
            assert_true(at > n / 10 && (i || at < n));
            assert_int_equal(order[n], -1);
        }
        free(level);
        free(order);
        fr_solver_free(solver);
        fr_graph_free(graph);
        fr_ctx_free(ctx);
    }
}

/* A row ends when its targets are settled, or at the limit. */
static void stops_early(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = test_generated(ctx, "grid2d:rows=60,cols=60", 0);
    const char *const strategies[] = {"multi-sssp", "multi-bfs"};
    int32_t source = 0, target = 61, *dist = malloc(3600 * sizeof *dist);
    for (int k = 0; k < 2; k++) {
        fr_solver_options options = {.strategy = strategies[k], .unit_weights = true};
        fr_solver *solver = test_solver(ctx, graph, FR_PROBLEM_APSP, &options);
        fr_query query = {.sources = &source, .source_count = 1};
        fr_result whole = {.dist = dist}, limited = {.dist = dist}, column = {.dist = dist};
        assert_ok(ctx, fr_solve(solver, &query, &whole));
        query.max_distance = 3;
        assert_ok(ctx, fr_solve(solver, &query, &limited));
        assert_true(limited.stats.edges_examined * 10 < whole.stats.edges_examined);
        query.max_distance = 0;
        query.targets = &target;
        query.target_count = 1;
        assert_ok(ctx, fr_solve(solver, &query, &column));
        assert_int_equal(dist[0], 2);
        if (k == 0)
            assert_true(column.stats.edges_examined * 10 < whole.stats.edges_examined);
        fr_solver_free(solver);
    }
    free(dist);
    fr_graph_free(graph);
}

/* A limit keeps what is as far as itself, beside origins and in columns; beyond it no parent is left, not even where a
 * weight below 0 leads back. */
static void limits_are_inclusive(void **state) {
    static const struct {
        const char *graph;
        int32_t parents[4], columns[3];
    } cases[] = {{"4: 0>1/2 1>2/3 2>3/1", {0, 0, 1, -1}, {-1, 1, 0}},
                 {"4: 0>1/6 1>2/-1 2>3/1", {0, -1, 1, -1}, {-1, 1, -1}}};
    static const int32_t from[] = {0}, targets[] = {3, 2, 1};
    for (int k = 0; k < 8; k++) {
        const int i = k % 2;
        const fr_type type = (fr_type[]){FR_TYPE_I32, FR_TYPE_I64, FR_TYPE_F32, FR_TYPE_F64}[k / 2];
        fr_graph *graph = test_graph_of(*state, cases[i].graph, type);
        int32_t parent[4], origin[4];
        int64_t dist[4];
        fr_query query = {.sources = from, .source_count = 1, .max_distance = 5};
        fr_result result = {.dist = dist, .parent = parent, .origin = origin};
        assert_ok(*state, test_solve(*state, graph, FR_PROBLEM_SSSP, NULL, &query, &result));
        assert_memory_equal(parent, cases[i].parents, sizeof cases[i].parents);
        assert_ok(*state, fr_verify_sssp(*state, graph, &query, false, dist, type, parent));
        query.targets = targets;
        query.target_count = 3;
        result = (fr_result){.dist = dist, .parent = parent};
        fr_solver_options options = {0};
        for (int s = 0; test_strategy(FR_PROBLEM_APSP, s, &options); s++)
            if (!test_solve(*state, graph, FR_PROBLEM_APSP, &options, &query, &result))
                assert_memory_equal(parent, cases[i].columns, sizeof cases[i].columns);
        fr_graph_free(graph);
    }
}

/* The smallest positive number is a limit other than 0, and the weight -0 a distance of 0. */
static void least_numbers(void **state) {
    static const double weights[] = {DBL_TRUE_MIN, -0.0, DBL_TRUE_MIN};
    static const int32_t from[] = {0, 0, 1}, to[] = {1, 2, 3};
    const fr_query query = {
        .sources = from, .source_count = 1, .max_distance = DBL_TRUE_MIN, .limit_distance = true};
    fr_graph *graph = test_of_edges(*state, 4, 3, from, to, weights, FR_TYPE_F64, NULL);
    for (fr_problem problem = FR_PROBLEM_SSSP; problem <= FR_PROBLEM_APSP; problem++) {
        fr_solver_options options = {0};
        for (int s = 0; test_strategy(problem, s, &options); s++) {
            double dist[4] = {0};
            fr_result result = {.dist = dist};
            if (strcmp(options.strategy, "multi-bfs") == 0)
                continue;
            assert_ok(*state, test_solve(*state, graph, problem, &options, &query, &result));
            if (dist[1] != DBL_TRUE_MIN || dist[2] != 0 || signbit(dist[2]) || !isinf(dist[3]))
                fail_msg("%s: %g %g %g", options.strategy, dist[1], dist[2], dist[3]);
        }
    }
    fr_graph_free(graph);
}

/* ---- one query per source ---------------------------------------------------------------------- */

enum { SOURCES = 5 };
static const int32_t sources[SOURCES] = {3, 0, 7, 3, 100};

/* Levels only, and only the counts. */
static void left_out(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = test_generated(ctx, "kronecker:scale=8,seed=1", 0);
    int32_t *level = calloc((size_t)fr_graph_vertex_count(graph) * 2, sizeof *level);
    const fr_query query = {.sources = sources, .source_count = 2};
    fr_result with = {.level = level}, without = {0};
    fr_solver *solver = test_solver(ctx, graph, FR_PROBLEM_BFS, NULL);
    assert_ok(ctx, fr_solve_each(solver, &query, &with, NULL));
    assert_int_equal(level[sources[0]], 0);
    assert_int_equal(level[fr_graph_vertex_count(graph) + sources[1]], 0);
    assert_ok(ctx, fr_solve_each(solver, &query, &without, NULL));
    assert_int_equal(with.stats.reached, without.stats.reached);
    free(level);
    fr_solver_free(solver);
    fr_graph_free(graph);
}

/* The third of four sources is no vertex: two rows are there, the others untouched. */
static void rows_before_a_failure(void **state) {
    const int32_t bad[] = {3, 0, 1 << 20, 7};
    int32_t level[4 * 10];
    int64_t solved;
    fr_graph *graph = test_generated(*state, "path:n=10", 0);
    fr_result result = {.level = level};
    fr_solver *solver = test_solver(*state, graph, FR_PROBLEM_BFS, NULL);
    assert_ok(*state,
              fr_solve_each(solver,
                            &(fr_query){.sources = (const int32_t[]){0, 5}, .source_count = 2},
                            &result, &solved));
    assert_int_equal(result.stats.levels, 9); /* the deepest search's */
    memset(level, 0x5a, sizeof level);
    assert_refused(
        *state,
        fr_solve_each(solver, &(fr_query){.sources = bad, .source_count = 4}, &result, &solved),
        FR_NOT_FOUND, "source vertex 1048576");
    assert_true(solved == 2 && level[3] == 0 && level[10] == 0 && level[30] == 0x5a5a5a5a);
    fr_solver_free(solver);
    solver = test_solver(*state, graph, FR_PROBLEM_APSP, NULL);
    assert_refused(*state,
                   fr_solve_each(solver, &(fr_query){.sources = bad, .source_count = 2},
                                 &(fr_result){0}, &solved),
                   FR_UNSUPPORTED, "row per source");
    fr_solver_free(solver);
    fr_graph_free(graph);
}

/* The second of three sources reaches a negative cycle. */
static void negative_cycle(void **state) {
    fr_ctx *ctx = *state;
    const int32_t three[] = {0, 2, 1};
    const fr_query query = {.sources = three, .source_count = 3, .mark_negative_cycles = true};
    int32_t dist[12];
    fr_result result = {.dist = dist};
    int64_t solved;
    fr_graph *graph = test_graph_of(ctx, "4: 0>1/5 2>3/-2 3>2/1", FR_TYPE_I32);
    fr_solver *solver = test_solver(ctx, graph, FR_PROBLEM_SSSP, NULL);
    assert_int_equal(fr_solve_each(solver, &query, &result, &solved), FR_NEGATIVE_CYCLE);
    assert_int_equal(solved, 1);
    assert_int_equal(dist[1], 5);
    assert_int_equal(dist[4 + 3], FR_NEG_INF_I32);
    assert_int_equal(result.cycle_length, 2);
    assert_true(result.cycle_weight < 0 && result.cycle != NULL);
    fr_solver_free(solver);
    fr_graph_free(graph);
}

static int stop_at_third(void *user, const char *phase, int64_t done, int64_t total) {
    *(int64_t *)user += 1;
    return strcmp(phase, "solving") == 0 && total == SOURCES && done == 2;
}

static void cancelled(void **state) {
    (void)state;
    int64_t calls = 0, solved;
    const fr_ctx_options options = {.progress = stop_at_third, .progress_user = &calls};
    const fr_query query = {.sources = sources, .source_count = SOURCES};
    fr_ctx *ctx = test_ctx(&options);
    fr_graph *graph = test_generated(ctx, "kronecker:scale=8,seed=1", 0);
    int32_t *level = calloc((size_t)fr_graph_vertex_count(graph) * SOURCES, sizeof *level);
    fr_result result = {.level = level};
    fr_solver *solver = test_solver(ctx, graph, FR_PROBLEM_BFS, NULL);
    assert_int_equal(fr_solve_each(solver, &query, &result, &solved), FR_CANCELLED);
    assert_int_equal(solved, 2);
    assert_true(calls >= 3);
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    free(level);
}

/* The threads that searched: those of a team, one of a queue, and a row at most each. */
static void threads_are_counted(void **state) {
    static const struct {
        fr_problem problem;
        const char *strategy, *graph;
        int threads; /* of three, at most */
    } cases[] = {{FR_PROBLEM_BFS, "serial", "kronecker:scale=10,seed=1", 1},
                 {FR_PROBLEM_BFS, "auto", "path:n=5", 1},
                 {FR_PROBLEM_BFS, "direction-optimizing", "kronecker:scale=10,seed=1", 3},
                 {FR_PROBLEM_SSSP, "dijkstra", "kronecker:scale=10,seed=1", 1},
                 {FR_PROBLEM_SSSP, "bellman-ford", "kronecker:scale=10,seed=1", 1},
                 {FR_PROBLEM_SSSP, "delta-step", "kronecker:scale=10,seed=1", 3},
                 {FR_PROBLEM_SSSP, "spira-window", "kronecker:scale=10,seed=1", 3},
                 {FR_PROBLEM_APSP, "multi-bfs", "path:n=5", 3},
                 {FR_PROBLEM_APSP, "multi-sssp", "path:n=5", 2},
                 {FR_PROBLEM_APSP, "floyd-warshall", "path:n=5", 3}};
    (void)state;
    fr_ctx *ctx = test_ctx_threads(3);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const bool unit =
            cases[i].problem == FR_PROBLEM_BFS || !strcmp(cases[i].strategy, "multi-bfs");
        /* with all threads also a path of five vertices gets a team */
        ctx->teams = cases[i].threads > 1 ? FRI_TEAMS_ALL : FRI_TEAMS_FITTED;
        fr_graph *graph = test_generated(ctx, cases[i].graph, unit ? 0 : 9);
        const fr_solver_options options = {.strategy = cases[i].strategy,
                                           .backend = FR_BACKEND_CPU};
        const int32_t two[] = {0, 1};
        const fr_query query = {.sources = two,
                                .source_count = cases[i].problem == FR_PROBLEM_APSP ? 2 : 1};
        void *values = calloc((size_t)fr_graph_vertex_count(graph) * 2, sizeof(double));
        fr_result result = FR_INIT(fr_result);
        result.level = cases[i].problem == FR_PROBLEM_BFS ? values : NULL;
        result.dist = cases[i].problem == FR_PROBLEM_BFS ? NULL : values;
        assert_ok(ctx, test_solve(ctx, graph, cases[i].problem, &options, &query, &result));
        /* the sizes of the teams of a search vary in tests */
        if (result.stats.threads > cases[i].threads ||
            (result.stats.threads == 1) != (cases[i].threads == 1))
            fail_msg("%s: %d threads", cases[i].strategy, (int)result.stats.threads);
        free(values);
        fr_graph_free(graph);
    }
    fr_ctx_free(ctx);
}

TEST_PROGRAM(TEST(threads_are_counted), TEST(an_order_is_by_level_and_number), TEST(stops_early),
             TEST(limits_are_inclusive), TEST(least_numbers), TEST(left_out),
             TEST(rows_before_a_failure), TEST(negative_cycle), TEST(cancelled))
