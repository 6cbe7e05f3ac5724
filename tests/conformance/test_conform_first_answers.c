/* Queries before, at and after the preparation of `auto` on the CPU give the same answers.
 *
 * One solver per graph and expected number of queries solves many queries, with other sources,
 * limits and targets each; a serial strategy of the table solves each of them too. The preparation
 * must take place within the queries where their number is unknown.
 */
#include "support/support.h"

enum { QUERIES = 60 };

typedef struct {
    const char *graph;
    fr_problem problem;
    fr_direction direction;
    fr_type weight_type;
    const char *before, *after; /* in fr_solver_explain; NULL: nothing is prepared */
} setting;

static const setting settings[] = {
    {"kronecker:scale=13,edge_factor=16,seed=1", FR_PROBLEM_BFS, FR_DIRECTION_UNDIRECTED,
     FR_TYPE_NONE, NULL, "with hub parents"},
    {"kronecker:scale=13,edge_factor=16,seed=2", FR_PROBLEM_BFS, FR_DIRECTION_DIRECTED,
     FR_TYPE_NONE, NULL, "with hub parents"},
    {"uniform:n=8192,edges=131072,seed=1", FR_PROBLEM_BFS, FR_DIRECTION_UNDIRECTED, FR_TYPE_NONE,
     NULL, "with hub parents"},
    {"grid2d:rows=90,cols=90", FR_PROBLEM_BFS, FR_DIRECTION_UNDIRECTED, FR_TYPE_NONE, NULL, NULL},
    {"kronecker:scale=13,edge_factor=16,seed=1", FR_PROBLEM_SSSP, FR_DIRECTION_UNDIRECTED,
     FR_TYPE_I32, "until rows sorted by weight pay", "spira-window"},
    {"uniform:n=8192,edges=131072,seed=1", FR_PROBLEM_SSSP, FR_DIRECTION_UNDIRECTED, FR_TYPE_I64,
     "until rows sorted by weight pay", "spira-window"},
    {"kronecker:scale=12,edge_factor=16,seed=4", FR_PROBLEM_SSSP, FR_DIRECTION_UNDIRECTED,
     FR_TYPE_F32, "until rows sorted by weight pay", "spira-window"},
    {"uniform:n=8192,edges=131072,seed=3", FR_PROBLEM_SSSP, FR_DIRECTION_UNDIRECTED, FR_TYPE_F64,
     "until rows sorted by weight pay", "spira-window"},
    {"rmat:scale=13,seed=5", FR_PROBLEM_SSSP, FR_DIRECTION_DIRECTED, FR_TYPE_I32,
     "until rows sorted by weight pay", "spira-window"},
    {"rmat:scale=13,seed=6", FR_PROBLEM_SSSP, FR_DIRECTION_DIRECTED, FR_TYPE_F64,
     "until rows sorted by weight pay", "spira-window"},
    {"grid2d:rows=90,cols=90", FR_PROBLEM_SSSP, FR_DIRECTION_UNDIRECTED, FR_TYPE_I32, NULL, NULL},
};

typedef struct {
    fr_ctx *ctx;
    fr_graph *graph;
    const setting *r;
    fr_solver *solver, *serial;
    char *got, *want;
    int32_t *parent;
} fixture;

static fr_solver *make_solver(fixture *f, const char *strategy, int64_t expected) {
    fr_solver_options o = {
        .strategy = strategy, .backend = FR_BACKEND_CPU, .expected_queries = expected};
    return test_solver(f->ctx, f->graph, f->r->problem, &o);
}

/* The i-th query: every third has a limit, every fourth targets, every fifth several sources. */
static fr_query query_of(const fixture *f, int i, int32_t sources[3], int32_t targets[2]) {
    int32_t n = fr_graph_vertex_count(f->graph);
    for (int k = 0; k < 3; k++)
        sources[k] = (int32_t)((int64_t)(i * 3 + k) * 7919 % n);
    targets[0] = (int32_t)((int64_t)i * 104729 % n);
    targets[1] = sources[1];
    fr_query q = {.sources = sources, .source_count = i % 5 == 4 ? 3 : 1};
    if (i % 3 == 2 && f->r->problem == FR_PROBLEM_BFS)
        q.max_level = 1 + i % 4;
    else if (i % 3 == 2)
        q.max_distance = 40 + i;
    if (i % 4 == 3 && f->r->problem == FR_PROBLEM_SSSP) {
        q.targets = targets;
        q.target_count = 2;
    }
    return q;
}

static fr_status check(fixture *f, const fr_query *q) {
    return f->r->problem == FR_PROBLEM_BFS
               ? fr_verify_bfs(f->ctx, f->graph, q, (const int32_t *)(void *)f->got, f->parent)
               : fr_verify_sssp(f->ctx, f->graph, q, false, f->got, fr_solver_dist_type(f->solver),
                                f->parent);
}

static bool explains(const fixture *f, const char *text) {
    return text && strstr(fr_solver_explain(f->solver), text);
}

static void solve_both(fixture *f, int i) {
    int32_t sources[3], targets[2];
    fr_query q = query_of(f, i, sources, targets);
    fr_result got = {.level = (int32_t *)(void *)f->got, .dist = f->got, .parent = f->parent};
    fr_result want = {.level = (int32_t *)(void *)f->want, .dist = f->want};
    assert_ok(f->ctx, fr_solve(f->solver, &q, &got));
    assert_ok(f->ctx, fr_solve(f->serial, &q, &want));
    size_t size = f->r->problem == FR_PROBLEM_BFS ? sizeof(int32_t)
                                                  : fr_type_size(fr_solver_dist_type(f->solver));
    if (memcmp(f->got, f->want, size * (size_t)fr_graph_vertex_count(f->graph)) != 0)
        fail_msg("%s: query %d differs: %s", f->r->graph, i, fr_solver_explain(f->solver));
    assert_ok(f->ctx, check(f, &q));
    assert_int_equal(got.stats.reached, want.stats.reached);
    assert_int_equal(got.stats.reached_edges, want.stats.reached_edges);
}

/* How many queries were solved by a strategy before the preparation: 0: none, QUERIES: there was none. A
 * search that ends within a few edges uses no strategy and prepares nothing. */
static int run_queries(fixture *f, int64_t expected) {
    int prepared = QUERIES, by_strategy = 0;
    f->solver = make_solver(f, "auto", expected);
    for (int i = 0; i < QUERIES; i++) {
        solve_both(f, i);
        if (explains(f, "the search ended after"))
            continue;
        bool before = f->r->before && explains(f, f->r->before);
        bool after = f->r->after && !before && explains(f, f->r->after);
        if (after && prepared == QUERIES)
            prepared = by_strategy;
        by_strategy++;
        assert_true(!after == (prepared == QUERIES)); /* it stays */
    }
    fr_solver_free(f->solver);
    return prepared;
}

static void run_setting(fr_ctx *ctx, const setting *r) {
    fr_load_options o = {.direction = r->direction, .weight_type = r->weight_type};
    if (r->problem == FR_PROBLEM_SSSP)
        o.weights = FR_WEIGHTS_RANDOM;
    o.weight_low = 1;
    o.weight_high = 255;
    fixture f = {.ctx = ctx, .r = r};
    static const struct {
        int64_t expected;
        int from, to; /* the query with the preparation */
    } runs[] = {{1, QUERIES, QUERIES}, {0, 1, QUERIES - 1}, {1000000, 0, 0}};
    for (size_t i = 0; i < COUNT(runs); i++) {
        /* a new graph each time: what one solver prepares, others use */
        f.graph = test_made(ctx, r->graph, o);
        size_t n = (size_t)fr_graph_vertex_count(f.graph);
        f.got = malloc(8 * n);
        f.want = malloc(8 * n);
        f.parent = malloc(n * sizeof *f.parent);
        f.serial = make_solver(&f, r->problem == FR_PROBLEM_BFS ? "serial" : "dijkstra", 1);
        int at = run_queries(&f, runs[i].expected);
        bool good = r->after ? at >= runs[i].from && at <= runs[i].to : at == QUERIES;
        if (!good)
            fail_msg("%s %s, %lld queries expected: prepared at query %d", r->graph,
                     fr_problem_name(r->problem), (long long)runs[i].expected, at);
        fr_solver_free(f.serial);
        fr_graph_free(f.graph);
        free(f.got);
        free(f.want);
        free(f.parent);
    }
}

static void answers_cross_the_preparation(void **state) {
    for (size_t i = 0; i < COUNT(settings); i++)
        run_setting(*state, &settings[i]);
}

static fixture open_auto(fr_ctx *ctx, const setting *r, int64_t expected) {
    fixture f = {.ctx = ctx, .r = r, .graph = test_generated(ctx, r->graph, 255)};
    const size_t n = (size_t)fr_graph_vertex_count(f.graph);
    f.got = malloc(8 * n);
    f.parent = malloc(n * sizeof *f.parent);
    f.solver = make_solver(&f, "auto", expected);
    return f;
}

static void close_auto(fixture *f) {
    fr_solver_free(f->solver);
    fr_graph_free(f->graph);
    free(f->got);
    free(f->parent);
}

static void solve_and_check(fixture *f, const fr_query *q) {
    fr_result result = {.dist = f->got, .parent = f->parent};
    assert_ok(f->ctx, fr_solve(f->solver, q, &result));
    assert_ok(f->ctx, check(f, q));
}

/* Searches of the same limit: the first one wakes all threads, the others need none. */
static void a_limit_reaches_as_little_again(void **state) {
    const setting r = {.problem = FR_PROBLEM_SSSP, .graph = "grid2d:rows=300,cols=300"};
    fixture f = open_auto(*state, &r, 0);
    for (int i = 0; i < 5; i++) {
        const int32_t source = fr_graph_vertex_count(f.graph) / 2 + 150 + i;
        const fr_query q = {.sources = &source, .source_count = 1, .max_distance = 2000};
        solve_and_check(&f, &q);
        assert_true(explains(&f, "the search ended after") == (i > 0));
    }
    close_auto(&f);
}

/* Points in the plane have the degrees of a small world: the first windows tell. A Kronecker graph keeps them. */
static void windows_that_examine_most_edges_are_left(void **state) {
    static const setting graphs[] = {
        {.graph = "random-geometric:n=4000,degree=12,seed=1", .problem = FR_PROBLEM_SSSP},
        {.graph = "kronecker:scale=12,edge_factor=16,seed=1", .problem = FR_PROBLEM_SSSP}};
    for (int g = 0; g < 2; g++) {
        fixture f = open_auto(*state, &graphs[g], 1000);
        for (int i = 0, windows = 0; i < 8; i++) {
            const int32_t source = 7 * i;
            const fr_query q = {.sources = &source, .source_count = 1};
            solve_and_check(&f, &q);
            if (explains(&f, "the search ended after"))
                continue;
            assert_true(explains(&f, "spira-window: ") == (windows == 0 || g == 1));
            assert_true(explains(&f, ": no small world, windows") == (windows > 0 && g == 0));
            windows++;
        }
        close_auto(&f);
    }
}

TEST_PROGRAM(TEST(answers_cross_the_preparation), TEST(a_limit_reaches_as_little_again),
             TEST(windows_that_examine_most_edges_are_left))
