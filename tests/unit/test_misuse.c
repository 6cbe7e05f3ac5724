/* Calls with arguments that are negative, of another problem or without a meaning: refused with a message, never a
 * crash or an array that stays unset. NULL for each pointer: test_null.c. */
#include "fringe_measures.h"
#include "fringe_ranks.h"
#include "fringe_tune.h"
#include "support/support.h"

#include <math.h>

static void no_file_of_a_part(fr_ctx *ctx) {
    const int64_t ends[] = {0, 1};
    int32_t level[2] = {0, 1};
    int64_t parent[2] = {0, 0};
    const fr_part_result result = {.level = level, .parent = parent};
    fr_world *world = NULL;
    fr_part *part = NULL;
    assert_ok(ctx, fr_world_open(ctx, &(fr_world_options){.transport = "self"}, &world));
    assert_ok(
        ctx, fr_part_from_edges(ctx, world, 2, 1, ends, ends + 1, NULL, FR_TYPE_NONE, NULL, &part));
    assert_refused(ctx, fr_part_write(ctx, part, FR_PROBLEM_BFS, &result, "", NULL), FR_INVALID,
                   "no file name");
    fr_part_free(part);
    fr_world_close(world);
}

static void no_file(void **state) {
    fr_ctx *ctx = *state;
    const fr_output nowhere = {.path = ""};
    const fr_distance_centrality_options unnamed = {.checkpoint = ""};
    fr_tuning tuning = {.backend = FR_BACKEND_CPU, .strategy = "serial"};
    int32_t level[5] = {0};
    double score[5];
    fr_graph *graph = NULL;
    assert_refused(ctx, fr_graph_load(ctx, "", NULL, &graph), FR_INVALID, "no file name");
    graph = test_generated(ctx, "path:n=5", 0);
    assert_refused(ctx, fr_graph_write(ctx, graph, "", "mtx"), FR_INVALID,
                   "needs a graph and a path");
    assert_refused(ctx, fr_graph_write(ctx, graph, "x.unknown", NULL), FR_INVALID,
                   "x.unknown: no format has this suffix: name a format; fr_format_name lists all");
    assert_refused(
        ctx,
        fr_result_write(ctx, graph, NULL, FR_TYPE_NONE, &(fr_result){.level = level}, &nowhere),
        FR_INVALID, "the path of an output is empty");
    assert_refused(ctx, fr_distance_centrality(ctx, graph, &unnamed, score, NULL), FR_INVALID,
                   "the name of the checkpoint is empty");
    assert_refused(ctx, fr_tuning_cache_store(ctx, "", graph, NULL, &tuning), FR_INVALID,
                   "needs a path");
    assert_refused(ctx, fr_tuning_cache_find(ctx, "", graph, FR_PROBLEM_BFS, NULL, &tuning),
                   FR_INVALID, "needs a path");
    no_file_of_a_part(ctx);
    fr_graph_free(graph);
}

/* ---- options of a file, for graphs and parts from arrays and generators --------------------------- */

static const struct {
    fr_load_options options;
    const char *words, *of_part; /* NULL: allowed */
} options_of_files[] = {
    {{.format = "mtx"}, "remove format from the options", "remove format from the options"},
    {{.cache = true}, "remove cache from the options", "ranks keep no cache"},
    {{.source_column = "a"}, "remove a column from the options", "remove a column"},
    {{.target_column = "a"}, "remove a column from the options", "remove a column"},
    {{.weight_column = "3"}, "remove a column from the options", "remove a column"},
    {{.separator = ','}, "remove separator from the options", "remove separator"},
    {{.decimal = ','}, "remove decimal from the options", "remove decimal"},
    {{.ids = FR_IDS_STRINGS}, "are numbers: ids must not be strings", "ids that are integers"},
    {{.id_base = 2}, "id_base must be 0 or 1", "id_base must be 0 or 1"},
    {{.weights = FR_WEIGHTS_POTENTIAL}, NULL, "not potentials"},
    {{.weight_type = FR_TYPE_F64}, NULL, "leave weight_type out"},
};

static void options_of_a_file(void **state) {
    fr_ctx *ctx = *state;
    const int32_t ends[] = {0, 1}, weight = 7;
    const int64_t long_ends[] = {0, 1};
    fr_world *world = NULL;
    fr_part *part = NULL;
    assert_ok(ctx, fr_world_open(ctx, &(fr_world_options){.transport = "self"}, &world));
    for (size_t i = 0; i < COUNT(options_of_files); i++) {
        const fr_load_options *o = &options_of_files[i].options;
        const char *words = options_of_files[i].words, *of_part = options_of_files[i].of_part;
        fr_graph *graph = NULL;
        if (words)
            assert_refused(
                ctx, fr_graph_from_edges(ctx, 2, 1, ends, ends + 1, NULL, FR_TYPE_NONE, o, &graph),
                FR_INVALID, words);
        if (words && !o->id_base) /* a generated graph has ids, which begin at 1 then */
            assert_refused(ctx, fr_graph_generate(ctx, "path:n=3", o, &graph), FR_INVALID, words);
        assert_null(graph);
        assert_refused(ctx,
                       fr_part_from_edges(ctx, world, 2, 1, long_ends, long_ends + 1, &weight,
                                          FR_TYPE_I32, o, &part),
                       FR_INVALID, of_part);
        if (!o->id_base && !o->weight_type) /* which a generator has a use for */
            assert_refused(ctx, fr_part_generate(ctx, world, "path:n=3", o, &part), FR_INVALID, "");
        assert_null(part);
    }
    assert_refused(ctx,
                   fr_part_from_edges(ctx, world, 2, 1, long_ends, long_ends + 1, &weight,
                                      FR_TYPE_NONE, NULL, &part),
                   FR_INVALID, "weight_type does not say what the weights are");
    fr_world_close(world);
}

/* ---- counts and choices ------------------------------------------------------------------------ */

static void counts(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = test_generated(ctx, "path:n=5", 0);
    fr_solver *solver = NULL;
    fr_router *router = NULL;
    const fr_solver_options negative = {.max_sources = -1}, backend = {.backend = 9};
    const int32_t v = 0;
    int64_t dist = 0;
    assert_refused(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_APSP, &negative, &solver), FR_INVALID,
                   "max_sources must not be negative");
    assert_refused(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &backend, &solver), FR_INVALID,
                   "there is no backend 9");
    assert_ok(ctx, fr_router_new(ctx, graph, NULL, &router));
    assert_refused(ctx, fr_router_distances(router, &v, &v, -1, &dist), FR_INVALID, "-1 sources");
    assert_refused(ctx, fr_router_table(router, &v, 1, &v, -2, &dist), FR_INVALID, "-2 targets");
    fr_router_free(router);
    fr_graph_free(graph);
}

/* ---- queries ----------------------------------------------------------------------------------- */

static int take_row(void *user, int64_t row, int32_t source, const void *dist,
                    const int32_t *parent) {
    (void)user, (void)row, (void)source, (void)dist, (void)parent;
    return 0;
}

static int32_t space[4][25 * 25 * 2];
#define LEVEL  .level = space[0]
#define DIST   .dist = space[0]
#define PARENT .parent = space[1]
#define BFS    FR_PROBLEM_BFS
#define SSSP   FR_PROBLEM_SSSP
#define APSP   FR_PROBLEM_APSP
#define PATH   "4: 0-1/2 1-2/2 2-3/2"
#define BELOW  "4: 0>1/2 1>2/-1 2>3/2"

static const int32_t from_0[] = {0}, beyond[] = {3, 4};
#define NEAREST .parent_rule = FR_PARENT_NEAREST
#define MIN_ID  .parent_rule = FR_PARENT_MIN_ID
#define BEYOND  .sources = beyond, .source_count = 2
#define FROM_0  .sources = from_0, .source_count = 1

static const struct {
    fr_problem problem;
    const char *strategy, *graph; /* of doubles */
    fr_query query;
    fr_result result;
    fr_status status;
    const char *words;
} queries[] = {
    {BFS, "", PATH, {FROM_0, .target_count = 2}, {LEVEL}, FR_INVALID, "targets is NULL"},
    {BFS, "", PATH, {FROM_0, .max_level = -3}, {LEVEL}, FR_INVALID, "max_level (-3)"},
    {BFS, "", PATH, {FROM_0, .parent_rule = 9}, {LEVEL}, FR_INVALID, "no parent_rule 9"},
    {BFS, "", PATH, {FROM_0, .struct_size = 1}, {LEVEL}, FR_INVALID, "fr_query"},
    {BFS, "", PATH, {FROM_0}, {.struct_size = 1}, FR_INVALID, "fr_result"},
    {BFS, "", PATH, {.source_count = 1}, {LEVEL}, FR_INVALID, "at least one"},
    {BFS, "", PATH, {.sources = from_0}, {LEVEL}, FR_INVALID, "at least one"},
    {BFS, "", PATH, {BEYOND}, {LEVEL}, FR_NOT_FOUND, "vertex 4"},
    {BFS, "", PATH, {FROM_0}, {DIST}, FR_UNSUPPORTED, "set result.level, not dist"},
    {BFS, "", PATH, {FROM_0, .max_distance = 3}, {LEVEL}, FR_UNSUPPORTED, "set max_level"},
    {SSSP, "", PATH, {FROM_0}, {LEVEL}, FR_UNSUPPORTED, "set result.dist, not level"},
    {SSSP, "", PATH, {FROM_0, .max_level = 3}, {DIST}, FR_UNSUPPORTED, "set max_distance"},
    {SSSP, "", PATH, {FROM_0, .row = take_row}, {DIST}, FR_UNSUPPORTED, "only APSP"},
    {SSSP, "", PATH, {FROM_0}, {DIST, .order = space[2]}, FR_UNSUPPORTED, "order"},
    {SSSP, "", PATH, {FROM_0, .max_distance = -1}, {DIST}, FR_INVALID, "max_distance (-1)"},
    {SSSP, "", PATH, {FROM_0, .max_distance = NAN}, {DIST}, FR_INVALID, "max_distance"},
    {APSP, "", PATH, {FROM_0}, {DIST, .origin = space[2]}, FR_UNSUPPORTED, "no origins"},
    {APSP, "", PATH, {FROM_0, .limit_level = true}, {DIST}, FR_UNSUPPORTED, "set max_distance"},
    {APSP, "", PATH, {.max_level = 2}, {DIST}, FR_UNSUPPORTED, "set max_distance"},
    {APSP, "", PATH, {.targets = beyond, .target_count = 2}, {DIST}, FR_NOT_FOUND, "target"},
    {APSP, "", PATH, {FROM_0, .mark_negative_cycles = true}, {DIST}, FR_UNSUPPORTED, "sssp can"},
    /* floats follow a rule only in multi-sssp and, the smallest where no weight is negative, in johnson */
    {APSP, "floyd-warshall", PATH, {NEAREST}, {DIST, PARENT}, FR_UNSUPPORTED, "multi-sssp"},
    {APSP, "floyd-warshall", PATH, {MIN_ID}, {DIST, PARENT}, FR_UNSUPPORTED, "multi-sssp"},
    {APSP, "floyd-warshall", PATH, {MIN_ID}, {DIST}, FR_OK, ""},
    {APSP, "floyd-warshall", BELOW, {MIN_ID}, {DIST, PARENT}, FR_UNSUPPORTED, "fr_solve_each"},
    {APSP, "johnson", BELOW, {MIN_ID}, {DIST, PARENT}, FR_UNSUPPORTED, "fr_solve_each"},
    {APSP, "auto", BELOW, {MIN_ID}, {DIST, PARENT}, FR_UNSUPPORTED, "fr_solve_each"},
    {APSP, "johnson", BELOW, {0}, {DIST, PARENT}, FR_OK, ""},
};

static void queries_are_refused(void **state) {
    for (size_t i = 0; i < COUNT(queries); i++) {
        fr_graph *graph = test_graph_of(*state, queries[i].graph, FR_TYPE_F64);
        const fr_solver_options options = {.strategy =
                                               *queries[i].strategy ? queries[i].strategy : NULL,
                                           .backend = FR_BACKEND_CPU};
        fr_result result = queries[i].result;
        fr_solver *solver = test_solver(*state, graph, queries[i].problem, &options);
        fr_status status = fr_solve(solver, &queries[i].query, &result);
        if (status != queries[i].status || !strstr(fr_ctx_error(*state), queries[i].words))
            fail_msg("query %zu: %s: %s", i, fr_status_name(status), fr_ctx_error(*state));
        result = queries[i].result;
        if (queries[i].problem != FR_PROBLEM_APSP)
            assert_refused(*state, fr_solve_each(solver, &queries[i].query, &result, NULL),
                           queries[i].status, result.order ? "" : queries[i].words);
        fr_solver_free(solver);
        fr_graph_free(graph);
    }
}

static void more_rows_than_max_sources(void **state) {
    fr_graph *graph = test_generated(*state, "path:n=150", 0);
    const fr_solver_options options = {.strategy = "floyd-warshall", .max_sources = 4};
    fr_result result = {0};
    assert_refused(*state,
                   test_solve(*state, graph, FR_PROBLEM_APSP, &options, &(fr_query){0}, &result),
                   FR_INVALID, "150 sources");
    fr_graph_free(graph);
}

/* The checks of answers, too, refuse a number of targets without a list. */
static void checks_without_targets(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = test_generated(ctx, "path:n=5", 0);
    const int32_t values[25] = {0};
    const fr_query query = {FROM_0, .target_count = 2};
    assert_int_equal(fr_verify_bfs(ctx, graph, &query, values, NULL), FR_INVALID);
    assert_int_equal(fr_verify_sssp(ctx, graph, &query, true, values, FR_TYPE_I32, NULL),
                     FR_INVALID);
    assert_refused(ctx, fr_verify_apsp(ctx, graph, &query, true, values, FR_TYPE_I32, NULL, 0, 1),
                   FR_INVALID, "target_count is 2, but targets is NULL");
    fr_graph_free(graph);
}

TEST_PROGRAM(TEST(no_file), TEST(options_of_a_file), TEST(counts), TEST(queries_are_refused),
             TEST(more_rows_than_max_sources), TEST(checks_without_targets))
