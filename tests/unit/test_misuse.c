/* Calls with arguments that are NULL, negative or of another problem: refused with a sentence, never
 * a crash or an array that stays unset. */
#include "fringe_measures.h"
#include "fringe_ranks.h"
#include "support/support.h"

static fr_graph *path_graph(fr_ctx *ctx) {
    fr_graph *graph = test_generated(ctx, "path:n=5", 0);
    return graph;
}

static void is_refused(fr_ctx *ctx, fr_status got, fr_status want, const char *sentence) {
    if (got != want || strcmp(fr_ctx_error(ctx), sentence) != 0)
        fail_msg("%s: %s", fr_status_name(got), fr_ctx_error(ctx));
}

static void no_graph(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = NULL;
    is_refused(ctx, fr_graph_check(ctx, NULL), FR_INVALID, "checking needs a graph");
    is_refused(ctx, fr_graph_compute_stats(ctx, NULL, &(fr_graph_stats){0}), FR_INVALID,
               "statistics need a graph");
    is_refused(ctx, fr_graph_from_arrays(ctx, NULL, NULL, &graph), FR_INVALID,
               "a graph from arrays needs arrays, not NULL");
    is_refused(ctx, fr_graph_load(ctx, "", NULL, &graph), FR_INVALID, "no file name is given");
    graph = path_graph(ctx);
    is_refused(ctx, fr_graph_write(ctx, graph, "", "mtx"), FR_INVALID,
               "writing needs a graph and a path");
    fr_graph_free(graph);
}

/* Options that concern a file mean nothing for arrays and generators. */
static void options_of_a_file(void **state) {
    fr_ctx *ctx = *state;
    const int32_t ends[] = {0, 1};
    const struct {
        fr_load_options options;
        const char *sentence;
    } cases[] = {
        {{.format = "mtx"}, "is not read from a file: remove format from the options"},
        {{.cache = true}, "is not read from a file: remove cache from the options"},
        {{.source_column = "a"}, "is not read from a file: remove a column from the options"},
        {{.target_column = "a"}, "is not read from a file: remove a column from the options"},
        {{.weight_column = "3"}, "is not read from a file: remove a column from the options"},
        {{.separator = ','}, "is not read from a file: remove separator from the options"},
        {{.decimal = ','}, "is not read from a file: remove decimal from the options"},
        {{.ids = FR_IDS_STRINGS}, "are numbers: ids must not be strings"},
        {{.id_base = 2}, "numbers its vertices from 0: id_base must be 0 or 1"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const fr_load_options *o = &cases[i].options;
        fr_graph *graph = NULL;
        fr_status status =
            fr_graph_from_edges(ctx, 2, 1, ends, ends + 1, NULL, FR_TYPE_NONE, o, &graph);
        assert_int_equal(status, FR_INVALID);
        assert_non_null(strstr(fr_ctx_error(ctx), cases[i].sentence));
        assert_null(graph);
        if (o->id_base) /* a generated graph has ids, which begin at 1 then */
            continue;
        assert_int_equal(fr_graph_generate(ctx, "path:n=3", o, &graph), FR_INVALID);
        assert_non_null(strstr(fr_ctx_error(ctx), cases[i].sentence));
    }
}

/* The same for the part of a rank, which has further options that it does not support. */
static void options_of_a_part(void **state) {
    fr_ctx *ctx = *state;
    const int64_t ends[] = {0, 1};
    const int32_t weight = 7;
    const struct {
        fr_load_options options;
        const char *sentence;
    } cases[] = {
        {{.format = "mtx"}, "is not read from a file: remove format from the options"},
        {{.cache = true}, "ranks keep no cache"},
        {{.source_column = "a"}, "is not read from a file: remove a column from the options"},
        {{.ids = FR_IDS_STRINGS}, "ranks need ids that are integers"},
        {{.weights = FR_WEIGHTS_POTENTIAL}, "not potentials"},
        {{.id_base = 2}, "numbers its vertices from 0: id_base must be 0 or 1"},
        {{.weight_type = FR_TYPE_F64}, "leave weight_type out of the options"},
    };
    fr_world *world = NULL;
    assert_ok(ctx, fr_world_open(ctx, &(fr_world_options){.transport = "self"}, &world));
    for (size_t i = 0; i < COUNT(cases); i++) {
        const fr_load_options *o = &cases[i].options;
        fr_part *part = NULL;
        assert_int_equal(
            fr_part_from_edges(ctx, world, 2, 1, ends, ends + 1, &weight, FR_TYPE_I32, o, &part),
            FR_INVALID);
        assert_non_null(strstr(fr_ctx_error(ctx), cases[i].sentence));
        assert_null(part);
        if (o->id_base || o->weight_type) /* which a generator has a use for */
            continue;
        assert_int_equal(fr_part_generate(ctx, world, "path:n=3", o, &part), FR_INVALID);
    }
    fr_part *part = NULL;
    assert_refused(
        ctx,
        fr_part_from_edges(ctx, world, 2, 1, ends, ends + 1, &weight, FR_TYPE_NONE, NULL, &part),
        FR_INVALID, "weight_type does not say what the weights are");
    fr_world_close(world);
}

static void counts(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = path_graph(ctx);
    fr_solver *solver = NULL;
    is_refused(ctx,
               fr_solver_new(ctx, graph, FR_PROBLEM_APSP, &(fr_solver_options){.max_sources = -1},
                             &solver),
               FR_INVALID, "max_sources must not be negative");
    is_refused(
        ctx, fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &(fr_solver_options){.backend = 9}, &solver),
        FR_INVALID, "there is no backend 9");
    fr_router *router = NULL;
    assert_ok(ctx, fr_router_new(ctx, graph, NULL, &router));
    const int32_t v = 0;
    int64_t dist = 0;
    is_refused(ctx, fr_router_distances(router, &v, &v, -1, &dist), FR_INVALID,
               "-1 sources: a count must not be negative");
    is_refused(ctx, fr_router_table(router, &v, 1, &v, -2, &dist), FR_INVALID,
               "-2 targets: a count must not be negative");
    fr_router_free(router);
    fr_graph_free(graph);
}

static int take_row(void *user, int64_t row, int32_t source, const void *dist,
                    const int32_t *parent) {
    (void)user, (void)row, (void)source, (void)dist, (void)parent;
    return 0;
}

static void queries(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = path_graph(ctx);
    const int32_t s = 0;
    int32_t values[5];
    fr_result level = {.level = values}, dist = {.dist = values};
    struct {
        fr_problem problem;
        fr_query query;
        fr_result *result;
        fr_status status;
        const char *sentence;
    } cases[] = {
        {FR_PROBLEM_BFS,
         {.target_count = 2},
         &level,
         FR_INVALID,
         "target_count is 2, but targets is NULL"},
        {FR_PROBLEM_BFS,
         {.max_level = -3},
         &level,
         FR_INVALID,
         "max_level (-3), max_distance (0) and target_count (0) must be at least 0"},
        {FR_PROBLEM_BFS, {0}, &dist, FR_UNSUPPORTED, "BFS has levels: set result.level, not dist"},
        {FR_PROBLEM_SSSP,
         {0},
         &level,
         FR_UNSUPPORTED,
         "only BFS has levels: set result.dist, not level"},
        {FR_PROBLEM_BFS,
         {.max_distance = 3},
         &level,
         FR_UNSUPPORTED,
         "BFS has levels: set max_level, not max_distance"},
        {FR_PROBLEM_SSSP,
         {.max_level = 3},
         &dist,
         FR_UNSUPPORTED,
         "SSSP has distances: set max_distance, not max_level"},
        {FR_PROBLEM_SSSP,
         {.row = take_row},
         &dist,
         FR_UNSUPPORTED,
         "only APSP passes rows to a callback (row)"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        fr_solver *solver = NULL;
        assert_ok(ctx, fr_solver_new(ctx, graph, cases[i].problem, NULL, &solver));
        cases[i].query.sources = &s;
        cases[i].query.source_count = 1;
        is_refused(ctx, fr_solve(solver, &cases[i].query, cases[i].result), cases[i].status,
                   cases[i].sentence);
        is_refused(ctx, fr_solve_each(solver, &cases[i].query, cases[i].result, NULL),
                   cases[i].status, cases[i].sentence);
        fr_solver_free(solver);
    }
    fr_graph_free(graph);
}

/* The checks of answers, too, refuse a number of targets without a list. */
static void checks_without_targets(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = path_graph(ctx);
    const int32_t s = 0;
    const int32_t n = fr_graph_vertex_count(graph);
    int32_t values[25] = {0};
    assert_in_range(n, 1, 5);
    const fr_query query = {.sources = &s, .source_count = 1, .target_count = 2};
    assert_int_equal(fr_verify_bfs(ctx, graph, &query, values, NULL), FR_INVALID);
    assert_int_equal(fr_verify_sssp(ctx, graph, &query, true, values, FR_TYPE_I32, NULL),
                     FR_INVALID);
    assert_refused(ctx, fr_verify_apsp(ctx, graph, &query, true, values, FR_TYPE_I32, NULL, 0, 1),
                   FR_INVALID, "target_count is 2, but targets is NULL");
    fr_graph_free(graph);
}

TEST_PROGRAM(TEST(no_graph), TEST(options_of_a_file), TEST(options_of_a_part), TEST(counts),
             TEST(queries), TEST(checks_without_targets))
