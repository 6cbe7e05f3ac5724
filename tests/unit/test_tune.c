/* fr_tune: candidate values of knobs, the result, rejection of wrong answers, time limit and cancellation. The link
 * of this program (tests/CMakeLists.txt) turns calls of fr_solve to the function below, which answers for the strategy
 * `serial`, and those of the clock. */
#include "core/options.h"
#include "core/solver.h"
#include "fringe_tune.h"
#include "support/support.h"
#include "tune/tune.h"

#include <math.h>

/* ---- answers at once, right or wrong ----------------------------------------------------------- */

enum { N = 6000 };

static struct {
    enum { AS_IT_IS, RIGHT, WRONG_LEVEL, WRONG_PARENT, SLOW } behavior;
    int32_t level[N], parent[N]; /* right answers from source 0 */
    int runs;
} serial;

/* All times are those of a clock that goes on by a microsecond whenever it is read, so that the rest of the machine's work
 * changes no result. */
int64_t __wrap_fri_now_ns(void);
int64_t __wrap_fri_now_ns(void) {
    static int64_t now = 1;
    return __atomic_add_fetch(&now, 1000, __ATOMIC_RELAXED);
}

fr_status __real_fr_solve(fr_solver *s, const fr_query *query, fr_result *result);
fr_status __wrap_fr_solve(fr_solver *s, const fr_query *query, fr_result *result);

fr_status __wrap_fr_solve(fr_solver *s, const fr_query *query, fr_result *result) {
    if (serial.behavior == AS_IT_IS || strcmp(s->job.strategy->name, "serial") != 0)
        return __real_fr_solve(s, query, result);
    serial.runs++;
    while (serial.behavior == SLOW) { /* never ends by itself */
        fr_status status = fri_progress(s->job.ctx, "waiting", 0, 0);
        if (status)
            return status;
    }
    result->stats.traverse_ns = 1;
    memcpy(result->level, serial.level, sizeof serial.level);
    if (result->parent)
        memcpy(result->parent, serial.parent, sizeof serial.parent);
    if (serial.behavior == WRONG_LEVEL)
        result->level[N - 1]++;
    if (serial.behavior == WRONG_PARENT && result->parent)
        result->parent[N - 1] = 0;
    return FR_OK;
}

typedef struct {
    int count, wrong, given_up, best;
    bool said_serial;
} trial_counts;

static void on_trial(void *user, const fr_tune_trial *t) {
    trial_counts *all = user;
    all->count++;
    all->wrong += t->status == FR_VERIFY_FAILED;
    all->given_up += t->status == FR_CANCELLED;
    all->best += t->best;
    all->said_serial |= strcmp(t->strategy, "serial") == 0;
}

static fr_tuning tune_path(fr_ctx *ctx, int how, double seconds, trial_counts *all) {
    int32_t source = 0;
    int strategies = 0;
    fr_tuning found = {0};
    fr_graph *graph = test_generated(ctx, "path:n=6000", 0);
    fr_tune_options o = {.sources = &source,
                         .source_count = 1,
                         .seconds = seconds,
                         .trial = on_trial,
                         .trial_user = all};
    serial.behavior = AS_IT_IS;
    assert_ok(ctx, fr_bfs(ctx, graph, 0, serial.level, serial.parent));
    serial.behavior = how;
    serial.runs = 0;
    *all = (trial_counts){0};
    assert_ok(ctx, fr_tune(ctx, graph, FR_PROBLEM_BFS, &o, &found));
    serial.behavior = AS_IT_IS;
    assert_string_equal(fr_ctx_error(ctx), ""); /* trials that failed are no failure of the call */
    assert_true(serial.runs > 0 && all->said_serial);
    assert_true(found.ns > 0 && found.auto_ns > 0);
    while (test_strategy(FR_PROBLEM_BFS, strategies, &(fr_solver_options){0}))
        strategies++;
    assert_int_equal(found.strategies_tried, strategies);
    assert_int_equal(found.strategies_skipped, 0);
    assert_int_equal(found.configs_tried, all->count);
    fr_graph_free(graph);
    return found;
}

static void the_fastest_strategy_is_found(void **state) {
    trial_counts all;
    fr_tuning found = tune_path(*state, RIGHT, 4, &all);
    assert_string_equal(found.strategy, "serial");
    assert_string_equal(found.knobs, "");
    assert_true(found.problem == FR_PROBLEM_BFS && found.backend == FR_BACKEND_CPU &&
                *found.device);
    assert_true(found.ns < found.auto_ns && all.best >= 2 && all.wrong == 0);
}

static void wrong_answers_are_never_found(void **state) {
    for (int how = WRONG_LEVEL; how <= WRONG_PARENT; how++) {
        trial_counts all;
        fr_tuning found = tune_path(*state, how, 2, &all);
        assert_string_not_equal(found.strategy, "serial");
        assert_int_equal(all.wrong, 1);
    }
}

static void a_strategy_that_does_not_end_is_given_up(void **state) {
    trial_counts all;
    int64_t begin = fri_now_ns();
    fr_tuning found = tune_path(*state, SLOW, 4, &all);
    assert_string_not_equal(found.strategy, "serial");
    assert_true(all.given_up >= 1);
    assert_true(fri_now_ns() - begin < 20 * (int64_t)1000000000);
}

/* ---- knobs -------------------------------------------------------------------------------- */

static int candidates(double value, double low, double high, double current,
                      double out[FRI_CANDIDATES]) {
    const fr_knob knob = {"k", value, low, high, ""};
    return fri_knob_candidates(&knob, current, 100, out);
}

static void candidates_are_ends_and_neighbors(void **state) {
    (void)state;
    double v[FRI_CANDIDATES];
    assert_int_equal(candidates(16, 1, 1024, 16, v), 4);
    assert_true(v[0] == 1 && v[1] == 1024 && v[2] == 32 && v[3] == 8);
    assert_int_equal(candidates(1, 0, 1, 1, v), 2); /* a switch; a half of 1 is tried as a share */
    assert_true(v[0] == 0 && v[1] == 0.5);
    assert_int_equal(candidates(15, 1, 1e9, 15, v), 4);
    assert_true(v[2] == 30 && v[3] == 8); /* 7.5 */
    assert_int_equal(candidates(FR_KNOB_AUTO, 0, 16, FR_KNOB_AUTO, v), 3);
    assert_true(v[0] == 0 && v[1] == 16 && v[2] == 3);
    assert_int_equal(candidates(FR_KNOB_AUTO, 1e-300, 1e300, FR_KNOB_AUTO, v), 4);
    assert_true(v[0] == 12.5 && v[3] == 800);
    assert_int_equal(candidates(FR_KNOB_AUTO, 1e-300, 1e300, 12.5, v), 2);
    assert_true(v[0] == 25 && v[1] == 6.25);
}

/* A knob's text is a number in its range or, where it has switches, their names. */
static void switches_are_numbers_or_names(void **state) {
    static const char *const names[] = {"first", "second-one", "third", NULL};
    static const fr_knob with = {"disable", 0, 0, 7, "bits", names}, plain = {"n", 1, 0, 7, "n"};
    static const struct {
        const char *text;
        double value; /* -1: refused */
    } cases[] = {
        {"0", 0},        {"5", 5},       {"first", 1},         {"third+first", 5},
        {"7", 7},        {"8", -1},      {"2.5", -1},          {"second-one+second-one", 2},
        {"", -1},        {"second", -1}, {"first+", -1},       {"+first", -1},
        {"first+1", -1}, {"-1", -1},     {"first second", -1}, {"firsts", -1}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        double value = -1;
        bool taken = fr_knob_value(&with, cases[i].text, strlen(cases[i].text), &value);
        assert_true(taken == (cases[i].value >= 0) && value == cases[i].value);
    }
    double value = -1;
    assert_false(fr_knob_value(&plain, "first", 5, &value));
    assert_true(fr_knob_value(&plain, "2.5,x", 3, &value) && value == 2.5);
}

/* Every knob of the table: candidates lie in its range, and their text reads back. */
static void every_knob_has_candidates(void **state) {
    fri_job job = {.ctx = *state};
    int knobs = 0;
    for (const fri_strategy *const *strategy = fri_strategies; *strategy; strategy++)
        for (int i = 0; (*strategy)->knobs && (*strategy)->knobs[i].name; i++, knobs++) {
            const fr_knob *k = &(*strategy)->knobs[i];
            double v[FRI_CANDIDATES];
            int count = fri_knob_candidates(k, k->value, 3.7, v);
            assert_true((count > 0) == !k->switches && count <= FRI_CANDIDATES);
            for (int c = 0; c < count; c++) {
                char text[FRI_KNOBS_CAPACITY];
                fri_config s = fri_config_default(*strategy);
                assert_string_equal(fri_config_text(&s, text), "");
                s.knob[i] = v[c];
                assert_true(v[c] != k->value && v[c] >= k->low && v[c] <= k->high);
                job.strategy = *strategy;
                assert_ok(*state, fri_options_knobs(&job, fri_config_text(&s, text)));
                assert_true(fabs(job.knob[i] - v[c]) <= 1e-9 * v[c]);
            }
        }
    assert_true(knobs >= 6);
}

/* ---- all strategies -------------------------------------------------------------------------
 */

static void tune_and_solve(fr_ctx *ctx, const char *description, fr_weights weights) {
    const fr_load_options load = {
        .weights = weights, .weight_low = 1, .weight_high = 99, .potential_max = 300, .seed = 3};
    fr_graph *graph = test_made(ctx, description, load);
    int32_t sources[] = {1, 2, 3}, n = fr_graph_csr(graph)->n;
    fr_tune_options o = {.sources = sources, .source_count = 3, .seconds = 0.2};
    fr_tuning found = {0};
    assert_ok(ctx, fr_tune(ctx, graph, FR_PROBLEM_SSSP, &o, &found));
    assert_true(found.problem == FR_PROBLEM_SSSP && *found.strategy && found.ns > 0);
    fr_solver_options options = {.tuning = &found};
    fr_query query = {.sources = sources, .source_count = 1};
    fr_solver *solver = test_solver(ctx, graph, FR_PROBLEM_SSSP, &options);
    fr_result result = {.dist = malloc((size_t)n * 8), .parent = malloc((size_t)n * 4)};
    assert_ok(ctx, fr_solve(solver, &query, &result));
    assert_ok(ctx, fr_verify_sssp(ctx, graph, &query, false, result.dist,
                                  fr_solver_dist_type(solver), result.parent));
    assert_true(strncmp(fr_solver_explain(solver), "tuned: ", 7) == 0);
    free(result.dist);
    free(result.parent);
    fr_solver_free(solver);
    fr_graph_free(graph);
}

static void paths_are_tuned(void **state) {
    tune_and_solve(*state, "kronecker:scale=10,seed=1", FR_WEIGHTS_RANDOM);
    tune_and_solve(*state, "grid2d:rows=30,cols=30", FR_WEIGHTS_NONE);
    tune_and_solve(*state, "rmat:scale=9,seed=1", FR_WEIGHTS_POTENTIAL); /* some below 0 */
}

enum { STOP_AFTER = 10 }; /* asked at least so often, however few knobs are tried */

static int stop_soon(void *user, const char *phase, int64_t done, int64_t total) {
    assert_string_equal(phase, "tuning");
    assert_true(done >= 0 && done <= total && total == 60000);
    return ++*(int *)user > STOP_AFTER;
}

static void cancelling_and_bad_options(void **state) {
    int calls = 0;
    fr_tuning found = {0};
    int32_t source = 0;
    (void)state;
    fr_ctx *ctx = test_ctx(NULL);
    fr_graph *graph = test_generated(ctx, "path:n=3000", 9),
             *cycle = test_graph_of(ctx, "2: 0>1/1 1>0/-2", FR_TYPE_I32);
    fr_tune_options o = {.sources = &source, .source_count = 1, .seconds = 60};
    assert_int_equal(fr_tune(ctx, graph, FR_PROBLEM_APSP, &o, &found), FR_UNSUPPORTED);
    assert_int_equal(fr_tune(ctx, cycle, FR_PROBLEM_SSSP, &o, &found), FR_NEGATIVE_CYCLE);
    o.source_count = FR_TUNE_MAX_SOURCES + 1;
    assert_int_equal(fr_tune(ctx, graph, FR_PROBLEM_SSSP, &o, &found), FR_INVALID);
    o.source_count = 0;
    assert_int_equal(fr_tune(ctx, graph, FR_PROBLEM_SSSP, &o, &found), FR_INVALID);
    o.source_count = 1;
    source = 3000;
    assert_int_equal(fr_tune(ctx, graph, FR_PROBLEM_SSSP, &o, &found), FR_NOT_FOUND);
    source = 0;
    fr_ctx_free(ctx);
    ctx = test_ctx(&(fr_ctx_options){.threads = 1, .progress = stop_soon, .progress_user = &calls});
    assert_int_equal(fr_tune(ctx, graph, FR_PROBLEM_SSSP, &o, &found), FR_CANCELLED);
    assert_true(calls > STOP_AFTER && calls < STOP_AFTER + 60);
    if (*found.strategy) /* the best so far is none that was only begun */
        assert_true(found.ns > 0 && found.ns < found.auto_ns);
    fr_ctx_free(ctx);
    fr_graph_free(graph);
    fr_graph_free(cycle);
}

TEST_PROGRAM(TEST(candidates_are_ends_and_neighbors), TEST(switches_are_numbers_or_names),
             TEST(every_knob_has_candidates), TEST(the_fastest_strategy_is_found),
             TEST(wrong_answers_are_never_found), TEST(a_strategy_that_does_not_end_is_given_up),
             TEST(paths_are_tuned), TEST(cancelling_and_bad_options))
