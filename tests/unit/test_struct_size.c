/* Public structs of other sizes: callers that were compiled against an older or a newer header. */
#include "base/sized.h"
#include "support/support.h"

#include <string.h>

/* A graph 0 - 1 - 2 - 3 and a BFS solver on it. */
typedef struct fixture {
    fr_graph *graph;
    fr_solver *solver;
} fixture;

static fixture make_fixture(fr_ctx *ctx) {
    fixture f = {.graph = test_graph_of(ctx, "4: 0-1 1-2 2-3", FR_TYPE_NONE)};
    f.solver = test_solver(ctx, f.graph, FR_PROBLEM_BFS, NULL);
    return f;
}

static void free_fixture(fixture *f) {
    fr_solver_free(f->solver);
    fr_graph_free(f->graph);
}

/* Without tail padding a later member cannot fall into bytes that an older caller counts as its
 * own. Only structs at their size of 0.2.0 are compared with it. */
static void no_struct_ends_in_padding(void **state) {
    (void)state;
#define SAME(type) assert_int_equal(FRI_FIRST_SIZE_##type, sizeof(type))
    SAME(fr_ctx_options);
    SAME(fr_load_options);
    SAME(fr_arrays);
    SAME(fr_device_csr);
    SAME(fr_graph_stats);
    SAME(fr_solver_options);
    SAME(fr_memory_estimate);
    SAME(fr_query);
    SAME(fr_device_info);
    assert_int_equal(offsetof(fr_result, stats) + FRI_SIZE_UP_TO(fr_stats, threads), /* 0.3.0 */
                     sizeof(fr_result));
    SAME(fr_output);
    SAME(fr_betweenness_options);
    SAME(fr_distance_centrality_options);
    SAME(fr_strategy_info);
    SAME(fr_tuning);
    SAME(fr_tune_options);
    SAME(fr_world_options);
    SAME(fr_part_query);
#undef SAME
}

static void init_states_the_size(void **state) {
    (void)state;
    fr_query query = FR_INIT(fr_query);
    assert_int_equal(query.struct_size, sizeof query);
    assert_null(query.sources);
    assert_int_equal(query.floyd.pivots_done, 0);
}

/* A newer header's query: the library knows the first part. */
typedef struct newer_query {
    fr_query known;
    int64_t later;
} newer_query;

static void a_larger_input_needs_zeros(void **state) {
    fr_ctx *ctx = *state;
    fixture f = make_fixture(ctx);
    int32_t source = 1, level[4];
    newer_query query = {.known = {.struct_size = sizeof(newer_query)}};
    query.known.sources = &source;
    query.known.source_count = 1;
    fr_result result = {.level = level};
    assert_ok(ctx, fr_solve(f.solver, &query.known, &result));
    assert_int_equal(level[3], 2);
    query.later = 7;
    assert_refused(ctx, fr_solve(f.solver, &query.known, &result), FR_INVALID, "fr_query");
    assert_int_equal(fr_verify_bfs(ctx, f.graph, &query.known, level, NULL), FR_INVALID);
    query.known.struct_size = 0; /* the bytes behind are no longer the caller's query */
    assert_ok(ctx, fr_verify_bfs(ctx, f.graph, &query.known, level, NULL));
    free_fixture(&f);
}

/* An older header's query ends before max_level and what follows; its memory does, too. */
static void a_smaller_input_has_defaults(void **state) {
    fr_ctx *ctx = *state;
    fixture f = make_fixture(ctx);
    int32_t source = 0, level[4];
    fr_query whole = {.sources = &source, .source_count = 1, .max_level = 1};
    fr_result result = {.level = level};
    assert_ok(ctx, fr_solve(f.solver, &whole, &result));
    assert_int_equal(level[3], -1);
    size_t size = offsetof(fr_query, max_level);
    whole.struct_size = size;
    fr_query *older = malloc(size);
    assert_non_null(older);
    memcpy(older, &whole, size);
    assert_ok(ctx, fr_solve(f.solver, older, &result));
    assert_int_equal(level[3], 3);
    free(older);
    free_fixture(&f);
}

static void an_impossible_size_is_refused(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = test_graph_of(ctx, "2: 0-1", FR_TYPE_NONE);
    const size_t sizes[] = {1, sizeof(size_t) - 1, (size_t)1 << 20, SIZE_MAX};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        fr_graph_stats stats = {.struct_size = sizes[i], .m = 77};
        assert_int_equal(fr_graph_compute_stats(ctx, graph, &stats), FR_INVALID);
        assert_int_equal(stats.m, 77);
        fr_strategy_info info = {.struct_size = sizes[i]};
        assert_false(fr_strategy_get(0, &info));
        fr_ctx_options options = {.struct_size = sizes[i]};
        fr_ctx *other;
        assert_int_equal(fr_ctx_new(&options, &other), FR_INVALID);
        fr_solver_options solver = {.struct_size = sizes[i]};
        fr_memory_estimate bytes = {0};
        assert_int_equal(fr_estimate_memory(ctx, graph, FR_PROBLEM_BFS, &solver, &bytes),
                         FR_INVALID);
    }
    assert_int_equal(fr_graph_compute_stats(ctx, graph, NULL), FR_INVALID);
    fr_graph_free(graph);
}

/* The library fills as much of an output as the caller has, and zeroes what it does not know. */
static void outputs_keep_to_the_size(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = test_graph_of(ctx, "3: 0-1 1-2", FR_TYPE_NONE);
    struct {
        fr_graph_stats known;
        int64_t later;
    } newer = {.known = {.struct_size = sizeof newer}, .later = 5};
    assert_ok(ctx, fr_graph_compute_stats(ctx, graph, &newer.known));
    assert_int_equal(newer.known.struct_size, sizeof newer);
    assert_int_equal(newer.known.m, 4);
    assert_int_equal(newer.later, 0);
    fr_graph_stats older = {.struct_size = offsetof(fr_graph_stats, m), .m = 99};
    assert_ok(ctx, fr_graph_compute_stats(ctx, graph, &older));
    assert_int_equal(older.n, 3);
    assert_int_equal(older.m, 99);
    fr_graph_free(graph);
}

/* A result of a caller whose fr_stats ends earlier: the bytes behind stay as they are. */
static void a_smaller_result_is_not_overrun(void **state) {
    fr_ctx *ctx = *state;
    fixture f = make_fixture(ctx);
    int32_t source = 0, level[4];
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.struct_size = offsetof(fr_result, stats.levels), .level = level};
    result.stats.levels = -5;
    assert_ok(ctx, fr_solve(f.solver, &query, &result));
    assert_int_equal(result.stats.reached, 4);
    assert_int_equal(result.stats.levels, -5);
    assert_ptr_equal(result.level, level);
    free_fixture(&f);
}

static void the_tuning_of_options_is_read_by_its_size(void **state) {
    fr_ctx *ctx = *state;
    fixture f = make_fixture(ctx);
    struct {
        fr_tuning known;
        int64_t later;
    } tuning = {.known = {.struct_size = sizeof tuning,
                          .problem = FR_PROBLEM_BFS,
                          .backend = FR_BACKEND_CPU,
                          .strategy = "serial"}};
    fr_solver_options options = {.tuning = &tuning.known};
    fr_solver *solver = test_solver(ctx, f.graph, FR_PROBLEM_BFS, &options);
    fr_solver_free(solver);
    tuning.later = 1;
    assert_int_equal(fr_solver_new(ctx, f.graph, FR_PROBLEM_BFS, &options, &solver), FR_INVALID);
    assert_null(solver);
    assert_non_null(strstr(fr_ctx_error(ctx), "fr_tuning"));
    free_fixture(&f);
}

/* What 0 means once a struct has grown: its size at 0.2.0, not its size now. */
static void zero_means_the_first_size(void **state) {
    fr_ctx *ctx = *state;
    struct {
        size_t struct_size;
        int64_t first, grown;
    } from = {.first = 1, .grown = 2}, to;
    size_t first = offsetof(__typeof__(from), grown);
    assert_ok(ctx, fri_sized_read(ctx, "test", first, &from, &to, sizeof to));
    assert_int_equal(to.first, 1);
    assert_int_equal(to.grown, 0);
    assert_int_equal(to.struct_size, sizeof to);
    to.first = 3;
    to.grown = 4;
    fri_sized_write(first, &to, sizeof to, &from);
    assert_int_equal(from.first, 3);
    assert_int_equal(from.grown, 2);
    assert_int_equal(from.struct_size, 0);
}

TEST_PROGRAM(TEST(no_struct_ends_in_padding), TEST(init_states_the_size),
             TEST(a_larger_input_needs_zeros), TEST(a_smaller_input_has_defaults),
             TEST(an_impossible_size_is_refused), TEST(outputs_keep_to_the_size),
             TEST(a_smaller_result_is_not_overrun), TEST(the_tuning_of_options_is_read_by_its_size),
             TEST(zero_means_the_first_size))
