/* The context: its message belongs to the last call; its reports of memory and threads. */
#include "support/support.h"

#include <stdio.h>

#include "base/base.h"

/* A failure to be forgotten. */
static void set_error(fr_ctx *ctx) {
    assert_int_equal(fr_ctx_set_threads(ctx, -1), FR_INVALID);
    assert_string_not_equal(fr_ctx_error(ctx), "");
}

#define assert_clears(ctx, expression)                                                             \
    do {                                                                                           \
        set_error(ctx);                                                                            \
        assert_ok(ctx, expression);                                                                \
        if (*fr_ctx_error(ctx))                                                                    \
            fail_msg("%s leaves '%s'", #expression, fr_ctx_error(ctx));                            \
    } while (0)

/* Every public call that takes a context, or a solver of it. */
static void calls_clear_the_message(void **state) {
    fr_ctx *ctx = *state;
    const int32_t src[] = {0, 1}, dst[] = {1, 2};
    fr_graph *graph, *other;
    fr_solver *solver;
    fr_graph_stats graph_stats = {0};
    fr_memory_estimate plan = {0};
    int32_t source = 0, level[3], parent[3], dist[9];
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.level = level, .parent = parent};
    char path[] = "/tmp/fringe-context-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_clears(ctx, fr_ctx_set_threads(ctx, 1));
    assert_clears(ctx, fr_graph_from_edges(ctx, 3, 2, src, dst, NULL, FR_TYPE_NONE, NULL, &graph));
    assert_clears(ctx, fr_graph_from_csr(ctx, fr_graph_csr(graph), &other));
    fr_graph_free(other);
    assert_clears(ctx, fr_graph_generate(ctx, "path:n=3", NULL, &other));
    fr_graph_free(other);
    assert_clears(ctx, fr_graph_check(ctx, graph));
    assert_clears(ctx, fr_graph_write(ctx, graph, path, "el"));
    assert_clears(ctx, fr_graph_load(ctx, path, &(fr_load_options){.format = "el"}, &other));
    fr_graph_free(other);
    assert_clears(ctx, fr_graph_compute_stats(ctx, graph, &graph_stats));
    assert_clears(ctx, fr_estimate_memory(ctx, graph, FR_PROBLEM_BFS, NULL, &plan));
    assert_clears(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_BFS, NULL, &solver));
    assert_clears(ctx, fr_solve(solver, &query, &result));
    fr_solver_free(solver);
    assert_clears(ctx, fr_verify_bfs(ctx, graph, &query, level, parent));
    assert_clears(ctx, fr_bfs(ctx, graph, 0, level, parent));
    assert_clears(ctx, fr_sssp(ctx, graph, 0, dist, parent));
    assert_clears(ctx, fr_verify_sssp(ctx, graph, &query, true, dist, FR_TYPE_I32, parent));
    assert_int_equal(remove(path), 0);
    fr_graph_free(graph);
}

static void sizes_have_their_unit(void **state) {
    (void)state;
    static const struct {
        size_t bytes;
        const char *text;
    } rows[] = {{0, "0 B"},
                {1023, "1023 B"},
                {1024, "1.00 KiB"},
                {4096, "4.00 KiB"},
                {12345, "12.1 KiB"},
                {1023 << 10, "1023 KiB"},
                {(1 << 20) - 1, "1.00 MiB"},
                {2500000, "2.38 MiB"},
                {(size_t)96 << 30, "96.0 GiB"},
                {SIZE_MAX, "16.0 EiB"}};
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_string_equal(fri_size(rows[i].bytes).text, rows[i].text);
}

static void memory_names_its_option(void **state) {
    (void)state;
    fr_ctx *ctx = test_ctx(&(fr_ctx_options){.max_memory_bytes = 1000});
    fr_graph *graph;
    assert_refused(ctx, fr_graph_generate(ctx, "path:n=1000", NULL, &graph), FR_NOMEM,
                   "max_memory_bytes sets");
    assert_non_null(strstr(fr_ctx_error(ctx), "1000 B"));
    fr_ctx_free(ctx);
}

/* What a block gives back counts against the limit no longer. */
static void trimmed_memory_is_free(void **state) {
    enum { LIMIT = 64 << 20, LARGE = 48 << 20 };
    (void)state;
    fr_ctx *ctx = test_ctx(&(fr_ctx_options){.max_memory_bytes = LIMIT});
    void *block = fri_alloc(ctx, LARGE), *other;
    assert_null(fri_alloc(ctx, LARGE));
    fri_trim(block, 4096);
    other = fri_alloc(ctx, LARGE);
    assert_non_null(other);
    fri_free(block);
    fri_free(other);
    fr_ctx_free(ctx);
}

static void threads_are_checked(void **state) {
    (void)state;
    fr_ctx *ctx = NULL;
    assert_int_equal(fr_ctx_new(&(fr_ctx_options){.threads = 4097}, &ctx), FR_INVALID);
    assert_null(ctx);
    assert_int_equal(fri_startable_threads(1), 1);
    assert_int_equal(fri_startable_threads(3), 3);
}

/* With or without a GPU: the devices counted are those described; the CPU writes no device memory. */
static void devices_are_described(void **state) {
    fr_ctx *ctx = *state;
    int count = -1;
    fr_status status = fr_device_count(ctx, &count);
    assert_int_equal(status, count > 0 ? FR_OK : FR_NO_DEVICE);
    assert_true(count >= 0);
    assert_int_equal(fr_ctx_error(ctx)[0] != 0, count == 0);
    fr_device_info info = FR_INIT(fr_device_info);
    for (int i = 0; i < count; i++)
        assert_int_equal(fr_device_get(ctx, i, &info), FR_OK);
    assert_int_equal(fr_device_get(ctx, count, &info), FR_NO_DEVICE);
    assert_int_not_equal(fr_ctx_error(ctx)[0], 0);
    assert_int_equal(fr_device_get(ctx, 0, NULL), FR_INVALID);
    assert_int_equal(fr_device_count(ctx, NULL), FR_INVALID);
}

static fr_status solve_into(fr_ctx *ctx, fr_query query, fr_stats *stats) {
    int32_t source = 0, level[9];
    fr_result result = {.level = level};
    fr_solver_options options = {.backend = FR_BACKEND_CPU};
    fr_graph *graph = test_generated(ctx, "path:n=9", 0);
    query.sources = &source;
    query.source_count = 1;
    fr_status status = test_solve(ctx, graph, FR_PROBLEM_BFS, &options, &query, &result);
    *stats = result.stats;
    assert_int_equal(stats->threads, 0); /* struct_size 0 excludes it */
    fr_graph_free(graph);
    return status;
}

static void cpu_writes_host_memory(void **state) {
    fr_ctx *ctx = *state;
    fr_stats stats;
    assert_int_equal(solve_into(ctx, (fr_query){0}, &stats), FR_OK);
    assert_true(stats.call_ns >= stats.traverse_ns && stats.call_ns > 0);
    fr_query device = {.result_memory = FR_MEMORY_DEVICE}, streamed = {.stream = &stats};
    assert_int_equal(solve_into(ctx, device, &stats), FR_UNSUPPORTED);
    assert_int_equal(solve_into(ctx, streamed, &stats), FR_INVALID);
    assert_int_equal(solve_into(ctx, (fr_query){.result_memory = (fr_memory)2}, &stats),
                     FR_INVALID);
}

TEST_PROGRAM(TEST(calls_clear_the_message), TEST(sizes_have_their_unit),
             TEST(memory_names_its_option), TEST(trimmed_memory_is_free), TEST(threads_are_checked),
             TEST(devices_are_described), TEST(cpu_writes_host_memory))
