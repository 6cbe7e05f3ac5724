/* The tuned: what a finding is found by, what a broken file is, and what a solver makes of it. */
#include "fringe_tune.h"
#include "support/cases.h"

#include "tune/tune.h"

#include <stdio.h>

static fr_graph *make(fr_ctx *ctx, const char *description, fr_weights weights) {
    return test_made(
        ctx, description,
        (fr_load_options){
            .weights = weights, .weight_low = 2, .weight_high = 9, .potential_max = 50});
}

static fr_tuning finding(fr_problem problem, const char *strategy, const char *knobs) {
    fr_tuning t = {.problem = problem, .backend = FR_BACKEND_CPU, .ns = 1000, .auto_ns = 2000};
    snprintf(t.strategy, sizeof t.strategy, "%s", strategy);
    snprintf(t.knobs, sizeof t.knobs, "%s", knobs);
    return t;
}

static void keys_distinguish_graphs(void **state) {
    static const struct {
        const char *graph;
        fr_weights weights;
        fr_problem problem;
        bool unit;
        const char *similar;
    } cases[] = {
        {"path:n=9", FR_WEIGHTS_NONE, FR_PROBLEM_BFS, false, "n3 m4 d1 undirected unweighted"},
        {"path:n=9", FR_WEIGHTS_RANDOM, FR_PROBLEM_BFS, false, "n3 m4 d1 undirected unweighted"},
        {"path:n=9", FR_WEIGHTS_RANDOM, FR_PROBLEM_SSSP, false, "n3 m4 d1 undirected int32 w2"},
        {"path:n=9", FR_WEIGHTS_RANDOM, FR_PROBLEM_SSSP, true, "n3 m4 d1 undirected unweighted"},
        {"star:n=1000", FR_WEIGHTS_NONE, FR_PROBLEM_BFS, false,
         "n10 m11 d10 undirected unweighted"},
        {"rmat:scale=8,seed=1", FR_WEIGHTS_POTENTIAL, FR_PROBLEM_SSSP, false,
         "n8 m12 d9 directed int32 w3 below-0"},
        {"path:n=0", FR_WEIGHTS_NONE, FR_PROBLEM_BFS, false, "n0 m0 d0 undirected unweighted"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        fr_graph *graph = make(*state, cases[i].graph, cases[i].weights);
        fri_tuning_key key;
        assert_ok(*state, fri_tuning_key_of(*state, graph, cases[i].problem, FR_BACKEND_CPU,
                                            cases[i].unit, &key));
        assert_string_equal(key.similar, cases[i].similar);
        assert_true(strstr(key.device, ", 2 threads") != NULL);
        fr_graph_free(graph);
    }
}

/* What the file has for the graph: a strategy, with knobs after a blank and "~" before what a similar graph was tuned
 * to, or nothing. */
static void expect_found(fr_ctx *ctx, const fr_graph *graph, fr_problem problem, const char *want) {
    fr_tuning found = {0};
    char got[sizeof found.strategy + sizeof found.knobs + 2];
    fr_status status =
        fr_tuning_cache_find(ctx, test_path("tuning.tsv"), graph, problem, NULL, &found);
    assert_int_equal(status, *want ? FR_OK : FR_NOT_FOUND);
    assert_true(status || (found.ns == 1000 && found.auto_ns == 2000));
    snprintf(got, sizeof got, "%s%s%s%s", found.from_similar_graph ? "~" : "", found.strategy,
             *found.knobs ? " " : "", found.knobs);
    assert_string_equal(got, want);
}

/* The same graph, a similar one, another; the latest entry of several similar graphs; a new entry replaces an old
 * one. */
static void a_stored_entry_is_found(void **state) {
    fr_ctx *ctx = *state;
    const char *path = test_path("tuning.tsv");
    const fr_problem bfs = FR_PROBLEM_BFS, sssp = FR_PROBLEM_SSSP;
    fr_graph *a = test_generated(ctx, "grid2d:rows=20,cols=20", 0),
             *b = test_generated(ctx, "grid2d:rows=20,cols=21", 0),
             *c = test_generated(ctx, "grid2d:rows=40,cols=40", 0),
             *d = test_generated(ctx, "grid2d:rows=21,cols=20", 0);
    fr_tuning serial = finding(bfs, "serial", ""), step = finding(sssp, "delta-step", "delta=3"),
              beamer = finding(bfs, "direction-optimizing", "alpha=30,beta=2.5");
    expect_found(ctx, a, bfs, "");
    assert_ok(ctx, fr_tuning_cache_store(ctx, path, a, NULL, &serial));
    assert_ok(ctx, fr_tuning_cache_store(ctx, path, a, NULL, &step));
    expect_found(ctx, b, bfs, "~serial");
    assert_ok(ctx, fr_tuning_cache_store(ctx, path, b, NULL, &beamer));
    expect_found(ctx, b, bfs, "direction-optimizing alpha=30,beta=2.5");
    expect_found(ctx, a, bfs, "serial"); /* its own, though b's is newer */
    expect_found(ctx, d, bfs, "~direction-optimizing alpha=30,beta=2.5"); /* b's, the newer one */
    expect_found(ctx, c, bfs, "");
    assert_ok(ctx, fr_tuning_cache_store(ctx, path, a, NULL, &beamer));
    expect_found(ctx, a, bfs, "direction-optimizing alpha=30,beta=2.5");
    expect_found(ctx, a, sssp, "delta-step delta=3");
    assert_true(test_shell("test $(wc -l <tuning.tsv) = 5")); /* a: bfs and sssp, b: bfs */
    assert_ok(ctx, fr_ctx_set_threads(ctx, 1));               /* another device */
    expect_found(ctx, a, bfs, "");
    assert_ok(ctx, fr_ctx_set_threads(ctx, 2));
    assert_true(test_shell("! ls | grep tmp$"));
    fr_graph_free(a);
    fr_graph_free(b);
    fr_graph_free(c);
    fr_graph_free(d);
}

#define HEAD    "fringe tuning cache 1\n" COLUMNS
#define COLUMNS "problem\tbackend\tdevice\tgraph\talike\tstrategy\tknobs\tns\tauto_ns\tname\n"

/* A line for `graph` that names these. */
static const char *put_line(fr_ctx *ctx, const fr_graph *graph, const char *head,
                            const char *rest) {
    char text[2048];
    fri_tuning_key key;
    assert_ok(ctx, fri_tuning_key_of(ctx, graph, FR_PROBLEM_BFS, FR_BACKEND_CPU, false, &key));
    fri_tuning_key_hash(graph, &key);
    int size = snprintf(text, sizeof text, "%sbfs\tcpu\t%s\t%s\t%s\t%s\n", head, key.device,
                        key.hash, key.similar, rest);
    return test_put("broken.tsv", text, (size_t)size);
}

static void broken_caches_are_refused(void **state) {
    static const struct {
        const char *head, *rest;
        fr_status status;
        const char *message;
    } cases[] = {
        {HEAD, "serial\t\t5\t6\tname", FR_OK, ""},
        {HEAD, "direction-optimizing\talpha=3\t5\t6\tname", FR_OK, ""},
        {HEAD, "quick\t\t5\t6\tname", FR_UNSUPPORTED, ": there is no bfs strategy 'quick' on cpu"},
        {HEAD, "near-far\t\t5\t6\tname", FR_UNSUPPORTED, "no bfs strategy 'near-far'"},
        {HEAD, "serial\talpha=3\t5\t6\tname", FR_UNSUPPORTED, ": strategy serial has no knob"},
        {HEAD, "direction-optimizing\talpha=0\t5\t6\tname", FR_UNSUPPORTED,
         "alpha takes a number from 1"},
        {HEAD, "direction-optimizing\talpha=3\t5\t6", FR_FORMAT,
         ": not a valid line of a tuning cache"},
        {HEAD, "direction-optimizing\talpha=3\t5\t6\tname\tmore", FR_FORMAT,
         ": not a valid line of a tuning cache"},
        {HEAD, "direction-optimizing\talpha=3\tfive\t6\tname", FR_FORMAT,
         ": not a valid line of a tuning cache"},
        {HEAD, "direction-optimizing\talpha=3\t-5\t6\tname", FR_FORMAT,
         ": not a valid line of a tuning cache"},
        {HEAD "garbage\n", "serial\t\t5\t6\tname", FR_FORMAT,
         ":3:8: not a valid line of a tuning cache"},
        {HEAD "a\tb\tc\td\te\tf\tg\t1\t1\tn\tmore\n", "serial\t\t5\t6\tname", FR_FORMAT,
         ":3:21: not a valid line of a tuning cache"},
        {"fringe tuning cache 2\n" COLUMNS, "serial\t\t5\t6\tname", FR_UNSUPPORTED,
         "the tuning cache has version 2; this build reads version 1"},
        {"fringe tuning cache 1\nproblem\n", "serial\t\t5\t6\tname", FR_FORMAT,
         ":2: unexpected column names"},
        {"1 2\n", "serial\t\t5\t6\tname", FR_INVALID, "not a fringe tuning cache"},
        {"\n", "serial\t\t5\t6\tname", FR_INVALID, "not a fringe tuning cache"}};
    fr_ctx *ctx = *state;
    fr_graph *graph = make(ctx, "path:n=9", FR_WEIGHTS_NONE);
    fr_tuning found = {0}, serial = finding(FR_PROBLEM_BFS, "serial", "");
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *path = put_line(ctx, graph, cases[i].head, cases[i].rest);
        fr_status status = fr_tuning_cache_find(ctx, path, graph, FR_PROBLEM_BFS, NULL, &found);
        if (status != cases[i].status || !strstr(fr_ctx_error(ctx), cases[i].message))
            fail_msg("case %zu: %s: %s", i, fr_status_name(status), fr_ctx_error(ctx));
        assert_true((status == FR_OK) == (*found.strategy != 0));
        status =
            fr_tuning_cache_store(ctx, path, graph, NULL, &serial); /* makes it whole, or leaves
                                                                       it */
        assert_int_equal(status, cases[i].status == FR_INVALID ? FR_INVALID : FR_OK);
        assert_int_equal(fr_tuning_cache_find(ctx, path, graph, FR_PROBLEM_BFS, NULL, &found),
                         status);
    }
    assert_int_equal(fr_tuning_cache_find(ctx, test_put("empty.tsv", "", 0), graph, FR_PROBLEM_BFS,
                                          NULL, &found),
                     FR_NOT_FOUND);
    assert_int_equal(fr_tuning_cache_find(ctx, test_path(""), graph, FR_PROBLEM_BFS, NULL, &found),
                     FR_IO);
    assert_int_equal(fr_tuning_cache_store(ctx, test_path("none/p.tsv"), graph, NULL, &serial),
                     FR_DISK);
    serial.strategy[0] = 0;
    assert_int_equal(fr_tuning_cache_store(ctx, test_path("p.tsv"), graph, NULL, &serial),
                     FR_INVALID);
    fr_graph_free(graph);
}

/* Checks which strategy ran and the explanation, with this tuning. */
static void solve_with(fr_ctx *ctx, const fr_graph *graph, const fr_solver_options *options,
                       fr_problem problem, const char *strategy, const char *why) {
    fr_memory_estimate plan = {0};
    fr_result result = {0};
    int32_t source = 0;
    fr_query query = {.sources = &source, .source_count = 1};
    assert_ok(ctx, fr_estimate_memory(ctx, graph, problem, options, &plan));
    fr_solver *solver = test_solver(ctx, graph, problem, options);
    for (int run = 0; run < 2; run++) { /* the note stays */
        assert_ok(ctx, fr_solve(solver, &query, &result));
        if (strcmp(result.stats.strategy, strategy) != 0 ||
            strncmp(fr_solver_explain(solver), why, strlen(why)) != 0)
            fail_msg("%s, not %s: %s", result.stats.strategy, strategy, fr_solver_explain(solver));
    }
    fr_solver_free(solver);
}

static void auto_uses_the_tuning(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *plain = make(ctx, "rmat:scale=8,seed=1", FR_WEIGHTS_NONE),
             *below = make(ctx, "rmat:scale=8,seed=1", FR_WEIGHTS_POTENTIAL);
    fr_tuning beamer = finding(FR_PROBLEM_BFS, "direction-optimizing", "alpha=30"),
              serial = finding(FR_PROBLEM_BFS, "serial", ""),
              as_it_is = finding(FR_PROBLEM_BFS, "auto", ""),
              dijkstra = finding(FR_PROBLEM_SSSP, "dijkstra", ""),
              unknown = finding(FR_PROBLEM_BFS, "direction-optimizing", "gamma=1");
    serial.from_similar_graph = true;
    fr_solver_options o = {.tuning = &beamer};
    solve_with(ctx, plain, &o, FR_PROBLEM_BFS, "direction-optimizing",
               "tuned: direction-optimizing alpha=30, 0.001 ms here, auto 0.002");
    o.strategy = "auto";
    o.backend = FR_BACKEND_CPU;
    o.tuning = &serial;
    solve_with(ctx, plain, &o, FR_PROBLEM_BFS, "serial",
               "tuned: serial, 0.001 ms on a similar graph");
    o.tuning = &as_it_is;
    solve_with(ctx, plain, &o, FR_PROBLEM_BFS, "auto",
               "tuned: nothing measured was faster; cheapest way");
    o.tuning = &unknown;
    solve_with(ctx, plain, &o, FR_PROBLEM_BFS, "auto",
               "tuned: direction-optimizing gamma=1 not used: strategy direction-optimizing has no "
               "knob 'gamma'; cheapest");
    o.tuning = &dijkstra;
    solve_with(ctx, plain, &o, FR_PROBLEM_BFS, "auto",
               "tuned: dijkstra not used: it is for another problem; cheapest");
    solve_with(ctx, below, &o, FR_PROBLEM_SSSP, "bellman-ford",
               "tuned: dijkstra not used: the minimum weight is -");
    o = (fr_solver_options){.strategy = "serial", .tuning = &beamer};
    solve_with(ctx, plain, &o, FR_PROBLEM_BFS, "serial",
               ""); /* an explicit strategy has priority */
    beamer.backend = FR_BACKEND_CUDA;
    o = (fr_solver_options){.backend = FR_BACKEND_CPU, .tuning = &beamer};
    solve_with(
        ctx, plain, &o, FR_PROBLEM_BFS, "auto",
        "tuned: direction-optimizing alpha=30 not used: it is for another backend; cheapest");
    fr_graph_free(plain);
    fr_graph_free(below);
}

/* `beamer` is another name of direction-optimizing: in the options, in an entry and in a file.
 */
static void aliases_are_names(void **state) {
    fr_ctx *ctx = *state;
    const char *path = test_path("alias.tsv");
    fr_graph *graph = make(ctx, "rmat:scale=8,seed=1", FR_WEIGHTS_NONE);
    fr_solver_options o = {.strategy = "beamer", .backend = FR_BACKEND_CPU, .knobs = "alpha=30"};
    solve_with(ctx, graph, &o, FR_PROBLEM_BFS, "direction-optimizing", "");
    fr_tuning alias = finding(FR_PROBLEM_BFS, "beamer", "alpha=30"), found = {0};
    assert_ok(ctx, fr_tuning_cache_store(ctx, path, graph, NULL, &alias));
    assert_ok(ctx, fr_tuning_cache_find(ctx, path, graph, FR_PROBLEM_BFS, NULL, &found));
    assert_string_equal(found.knobs, "alpha=30");
    o = (fr_solver_options){.backend = FR_BACKEND_CPU, .tuning = &found};
    solve_with(ctx, graph, &o, FR_PROBLEM_BFS, "direction-optimizing", "tuned: ");
    fr_solver *solver;
    o = (fr_solver_options){.strategy = "bearer", .backend = FR_BACKEND_CPU};
    assert_true(fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &o, &solver) != FR_OK);
    fr_graph_free(graph);
}

TEST_PROGRAM_IN_FOLDER(TEST(keys_distinguish_graphs), TEST(a_stored_entry_is_found),
                       TEST(broken_caches_are_refused), TEST(auto_uses_the_tuning),
                       TEST(aliases_are_names))
