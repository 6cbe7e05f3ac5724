/* Progress within a long level, row or bucket: every strategy reports as often as its work
 * requires, by time and not by levels; each report may cancel, and the solver works again
 * afterwards. */
#include "fringe_tune.h"
#include "support/support.h"

#include <time.h>

#include "base/pace.h"

typedef struct {
    int64_t calls;
    double last, longest; /* processor time of this thread between two calls, in seconds */
} watcher;

static double seconds_of(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double thread_time(void) { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

static int watch(void *user, const char *phase, int64_t done, int64_t total) {
    watcher *w = user;
    (void)phase, (void)done, (void)total;
    double now = thread_time();
    if (now - w->last > w->longest)
        w->longest = now - w->last;
    w->last = now;
    w->calls++;
    return 0;
}

typedef struct {
    const char *name;
    int64_t max_rows; /* APSP */
    fr_graph *graph;
} shape;

/* A long chain has small frontiers only, a star one level with all vertices, the last graph many
 * edges per level. */
static shape large[] = {
    {"path:n=200000", 0}, {"star:n=200000", 0}, {"uniform:n=20000,edges=500000,seed=1", 0}};
static shape small[] = {{"path:n=900", 900}, {"uniform:n=900,edges=9000,seed=1", 900}};

typedef struct {
    fr_ctx *ctx;
    const fr_graph *graph;
    fr_problem problem;
    fr_solver *solver;
    void *values;
    int32_t *parent;
} run;

static run new_run(fr_ctx *ctx, const fr_graph *graph, const fr_strategy_info *strategy,
                   int64_t rows) {
    run r = {.ctx = ctx, .graph = graph, .problem = strategy->problem};
    fr_solver_options options = {.strategy = strategy->name,
                                 .backend = FR_BACKEND_CPU,
                                 .unit_weights = strcmp(strategy->name, "multi-bfs") == 0};
    r.solver = test_solver(ctx, graph, strategy->problem, &options);
    size_t cells = (size_t)fr_graph_csr(graph)->n * (size_t)(rows ? rows : 1);
    r.values = malloc(cells * sizeof(int64_t));
    r.parent = malloc(cells * sizeof(int32_t));
    return r;
}

static void free_run(run *r) {
    fr_solver_free(r->solver);
    free(r->values);
    free(r->parent);
}

static fr_status solve(run *r) {
    int32_t source = 0;
    bool all = r->problem == FR_PROBLEM_APSP;
    fr_query query = {.sources = all ? NULL : &source, .source_count = all ? 0 : 1};
    fr_result result = {.level = r->problem == FR_PROBLEM_BFS ? r->values : NULL,
                        .dist = r->problem == FR_PROBLEM_BFS ? NULL : r->values,
                        .parent = r->parent};
    return fr_solve(r->solver, &query, &result);
}

static fr_status check(run *r, bool unit) {
    int32_t source = 0;
    fr_query query = {.sources = &source, .source_count = 1};
    fr_type type = fr_solver_dist_type(r->solver);
    if (r->problem == FR_PROBLEM_BFS)
        return fr_verify_bfs(r->ctx, r->graph, &query, r->values, r->parent);
    if (r->problem == FR_PROBLEM_SSSP)
        return fr_verify_sssp(r->ctx, r->graph, &query, unit, r->values, type, r->parent);
    return fr_verify_apsp(r->ctx, r->graph, &(fr_query){0}, unit, r->values, type, r->parent, 20,
                          1);
}

/* The reports that the work is worth at least; a frontier may touch half of the edges only. */
static int64_t min_calls(const run *r, int64_t rows) {
    const fr_csr *csr = fr_graph_csr(r->graph);
    int64_t work = (csr->n + csr->m / 8) * (rows ? rows : 1);
    return rows ? work / (64 * FRI_PACE_WORK) : work / (2 * FRI_PACE_WORK);
}

static void asks_on(const fr_strategy_info *strategy, const shape *s, int threads) {
    test_watch w = {0};
    fr_ctx *ctx = test_ctx_watched(&w, threads);
    run r = new_run(ctx, s->graph, strategy, s->max_rows);
    w.calls = 0;
    assert_ok(ctx, solve(&r));
    int64_t calls = w.calls;
    if (threads == 1 && calls < 1 + min_calls(&r, s->max_rows))
        fail_msg("%s on %s: %d reports, at least %d are due", strategy->name, s->name, (int)calls,
                 1 + (int)min_calls(&r, s->max_rows));
    for (int64_t k = 1; k <= calls; k += calls / 5 + 1) {
        w = (test_watch){.stop_at = k};
        fr_status status = solve(&r);
        if (status != FR_CANCELLED && (threads == 1 || w.calls >= k))
            fail_msg("%s on %s, cancelled by report %d: %s", strategy->name, s->name, (int)k,
                     fr_status_name(status));
        if (status == FR_CANCELLED && !strstr(fr_ctx_error(ctx), "cancelled while "))
            fail_msg("%s: '%s'", strategy->name, fr_ctx_error(ctx));
    }
    w = (test_watch){0};
    assert_ok(ctx, solve(&r));
    assert_ok(ctx, check(&r, strcmp(strategy->name, "multi-bfs") == 0));
    free_run(&r);
    fr_ctx_free(ctx);
}

static void every_strategy_asks(void **state) {
    fr_strategy_info strategy = {0};
    int strategies = 0;
    for (size_t s = 0; s < COUNT(large) + COUNT(small); s++) {
        shape *at = s < COUNT(large) ? &large[s] : &small[s - COUNT(large)];
        at->graph = test_generated(*state, at->name, 255);
    }
    for (int i = 0; fr_strategy_get(i, &strategy); i++) {
        if (strategy.backend != FR_BACKEND_CPU)
            continue;
        strategies++;
        bool all = strategy.problem == FR_PROBLEM_APSP;
        size_t count = all ? COUNT(small) : COUNT(large);
        for (size_t s = 0; s < count; s++)
            asks_on(&strategy, all ? &small[s] : &large[s], 1);
        asks_on(&strategy, all ? &small[count - 1] : &large[count - 1], 3);
    }
    assert_true(strategies > 5);
    for (size_t s = 0; s < COUNT(large) + COUNT(small); s++)
        fr_graph_free(s < COUNT(large) ? large[s].graph : small[s - COUNT(large)].graph);
}

/* With the pace that users have: no two reports are 100 ms of work apart (three times as much is
 * allowed in instrumented builds), and there are not many more of them than needed. */
static void asks_by_the_clock(void **state) {
    (void)state;
    watcher w = {0};
    fr_ctx *ctx = test_ctx(&(fr_ctx_options){.threads = 1, .progress = watch, .progress_user = &w});
    fr_graph *graph = test_generated(ctx, "uniform:n=300000,edges=3000000,seed=2", 255);
    const char *const names[] = {"dijkstra", "bellman-ford", "delta-step"};
    for (int i = 0; i < 3; i++) {
        fr_strategy_info strategy = {.name = names[i], .problem = FR_PROBLEM_SSSP};
        run r = new_run(ctx, graph, &strategy, 0);
        double begin = seconds_of(CLOCK_MONOTONIC);
        w = (watcher){.last = thread_time()};
        assert_ok(ctx, solve(&r));
        watch(&w, "", 0, 0); /* the time since the last one */
        if (w.longest > 0.3)
            fail_msg("%s: %.3f s between two reports", names[i], w.longest);
        assert_true((double)w.calls < 10 + (seconds_of(CLOCK_MONOTONIC) - begin) / 0.02);
        w = (watcher){0};
        assert_ok(ctx, check(&r, false));
        assert_true(w.calls >= 2);
        free_run(&r);
    }
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* Making a graph, its facts, checking an answer: each may be cancelled at each report. */
static fr_status make_and_measure(fr_ctx *ctx, void *level) {
    fr_load_options options = {
        .weights = FR_WEIGHTS_RANDOM, .weight_low = 1, .weight_high = 255, .seed = 7};
    fr_graph *graph = NULL;
    fr_graph_stats graph_stats = {0};
    int32_t source = 0;
    fr_query query = {.sources = &source, .source_count = 1};
    fr_status status =
        fr_graph_generate(ctx, "uniform:n=20000,edges=500000,seed=1", &options, &graph);
    if (!status)
        status = fr_graph_compute_stats(ctx, graph, &graph_stats);
    if (!status)
        status = fr_verify_bfs(ctx, graph, &query, level, NULL);
    fr_graph_free(graph);
    return status;
}

static void graphs_and_checks_ask(void **state) {
    (void)state;
    test_watch watch = {0};
    fr_ctx *ctx = test_ctx_watched(&watch, 2);
    fr_graph *graph = test_generated(ctx, "uniform:n=20000,edges=500000,seed=1", 0);
    int32_t *level = malloc(20000 * sizeof *level);
    assert_ok(ctx, fr_bfs(ctx, graph, 0, level, NULL));
    watch.calls = 0;
    assert_ok(ctx, make_and_measure(ctx, level));
    assert_true(watch.calls >= 20);
    test_each_report(ctx, &watch, watch.calls / 40 + 1, make_and_measure, level);
    free(level);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

TEST_PROGRAM(TEST(every_strategy_asks), TEST(asks_by_the_clock), TEST(graphs_and_checks_ask))
