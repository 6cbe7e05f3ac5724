/* The k-th allocation fails, for every k: each call answers FR_NOMEM or does without, and at the
 * end nothing is left allocated and no file is half-written. After LAGraph's brutal malloc (T.
 * Davis et al.). */
#include "fringe_tune.h"
#include "support/allocator.h"
#include "support/files.h"

#include <stdio.h>

typedef struct {
    const char *input, *output;
    fr_load_options options;
} job;

static fr_status traverse(fr_ctx *ctx, const fr_graph *graph) {
    int32_t level[8], parent[8];
    int64_t dist[8]; /* enough bytes for any type */
    fr_status status = fr_bfs(ctx, graph, 0, level, parent);
    if (status)
        return status;
    assert_int_equal(level[4], 2);
    status = fr_sssp(ctx, graph, 0, dist, parent);
    if (!status)
        assert_int_equal(parent[2], 0);
    return status;
}

static fr_status load_traverse_write(fr_ctx *ctx, const job *j) {
    fr_graph *graph = NULL;
    fr_graph_stats stats = {0};
    fr_status status = fr_graph_load(ctx, j->input, &j->options, &graph);
    if (!status)
        status = fr_graph_compute_stats(ctx, graph, &stats);
    if (!status)
        status = traverse(ctx, graph);
    if (!status && j->output)
        status = fr_graph_write(ctx, graph, j->output, NULL);
    fr_graph_free(graph);
    return status;
}

/* Runs the job with the k-th allocation failing; true: there were fewer than k. */
static bool survive(const job *j, int64_t k) {
    test_allocator c = {.fail_at = k};
    const fr_ctx_options options = test_allocator_options(&c, 1);
    fr_ctx *ctx;
    assert_int_equal(fr_ctx_new(&options, &ctx), FR_OK);
    fr_status status = load_traverse_write(ctx, j);
    bool failed = c.calls >= k;
    if (status && (status != FR_NOMEM || !*fr_ctx_error(ctx) || !failed))
        fail_msg("%s, allocation %lld: %s: %s", j->input, (long long)k, fr_status_name(status),
                 fr_ctx_error(ctx));
    fr_ctx_free(ctx);
    if (c.live)
        fail_msg("%s, allocation %lld: %lld blocks left", j->input, (long long)k,
                 (long long)c.live);
    if (status && j->output)
        assert_true(test_read(j->output, &(size_t){0}) == NULL);
    if (j->output)
        remove(j->output);
    return !failed;
}

static void fail_each(const job *j) {
    int64_t k = 1;
    while (!survive(j, k))
        if (++k > 10000)
            fail_msg("%s: no end of allocations", j->input);
    assert_true(k > 5); /* some were failed */
    assert_true(test_shell("! ls | grep tmp$"));
}

static void every_input(void **state) {
    (void)state;
    static const char *const inputs[] = {
#ifdef FRI_HAVE_ARCHIVE
        "eight.mtx.gz",   "eight.mtx.zst",     "eight.mtx.xz", "eight.mtx.bz2", "eight.tar.gz",
#endif
        "eight.mtx",      "eight-pattern.mtx", "eight.txt",    "eight.el",      "eight.gr",
        "eight.graph",    "eight.wsg",         "eight.e",      "eight.fringe",  "eight.net",
        "eight-lists.net"};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", TEST_DATA, inputs[i]);
        const job j = {.input = path, .output = test_path("out.fringe")};
        fail_each(&j);
    }
}

static void every_output(void **state) {
    (void)state;
    static const char *const outputs[] = {"out.mtx", "out.txt", "out.gr", "out.graph",
                                          "out.wsg", "out.v",   "out.net"};
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        const job j = {.input = TEST_DATA "/eight.wsg", .output = test_path(outputs[i])};
        fail_each(&j);
    }
}

static void every_option(void **state) {
    (void)state;
    const fr_load_options options[] = {
        {.direction = FR_DIRECTION_UNDIRECTED, .drop_loops = true, .drop_parallel = true},
        {.weights = FR_WEIGHTS_RANDOM, .weight_low = 1, .weight_high = 5},
        {.weight_type = FR_TYPE_F64},
        {.weight_type = FR_TYPE_F32},
        {.cache = true},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        for (int file = 0; file < 2; file++) {
            const char *input = file ? TEST_DATA "/eight.fringe" : test_path("eight.mtx");
            assert_true(test_shell("cp '" TEST_DATA "/eight.mtx' ."));
            const job j = {.input = input, .options = options[i]};
            fail_each(&j);
        }
}

/* Ids that are no 0 .. n-1, and weights that are no integers: loaded alone. */
static void sparse_ids(void **state) {
    (void)state;
    static const char text[] = "-7 5000000000 1.5\n5000000000 12 2.5\n12 -7 3\n1 2 3\n4 5 6\n";
    const char *path = test_put("sparse.txt", text, sizeof text - 1);
    fr_status status = FR_NOMEM;
    for (int64_t k = 1; status; k++) {
        test_allocator c = {.fail_at = k};
        const fr_ctx_options o = test_allocator_options(&c, 1);
        fr_ctx *ctx;
        fr_graph *graph;
        assert_int_equal(fr_ctx_new(&o, &ctx), FR_OK);
        status = fr_graph_load(ctx, path, NULL, &graph);
        fr_graph_free(graph);
        fr_ctx_free(ctx);
        assert_int_equal(c.live, 0);
        assert_true(status == FR_NOMEM || (!status && c.calls < k));
    }
}

/* Ids that are strings, in an edge list and in a binary file, and a name that is looked up. */
static fr_status find_name(fr_ctx *ctx, const char *path, const char *output) {
    const fr_load_options options = {.ids = output ? FR_IDS_STRINGS : FR_IDS_INTEGERS,
                                     .drop_loops = !output};
    fr_graph *graph = NULL, *part = NULL;
    int32_t vertex;
    fr_status status = fr_graph_load(ctx, path, &options, &graph);
    if (!status)
        status = fr_graph_find_vertex(ctx, graph, "a longer name than 16 bytes", &vertex);
    if (!status)
        status = fr_graph_subgraph(ctx, graph, &vertex, 1, NULL, &part);
    if (!status && output)
        status = fr_graph_write(ctx, graph, output, NULL);
    fr_graph_free(part);
    fr_graph_free(graph);
    return status;
}

static void names(void **state) {
    (void)state;
    static const char text[] = "a,a longer name than 16 bytes,1\n\"b \"\"c\"\"\",d,2.5\n";
    const char *input = test_put("names.csv", text, sizeof text - 1);
    const char *output = test_path("names.fringe");
    for (int file = 0; file < 2; file++) {
        fr_status status = FR_NOMEM;
        for (int64_t k = 1; status; k++) {
            test_allocator c = {.fail_at = k};
            const fr_ctx_options o = test_allocator_options(&c, 1);
            fr_ctx *ctx;
            assert_int_equal(fr_ctx_new(&o, &ctx), FR_OK);
            status = find_name(ctx, file ? output : input, file ? NULL : output);
            fr_ctx_free(ctx);
            assert_int_equal(c.live, 0);
            assert_true(status == FR_NOMEM || (!status && c.calls < k));
        }
    }
}

/* Tuning leaves out what there is no memory for; the tuning cache is whole or not there. */
static void tuning(void **state) {
    (void)state;
    const char *path = test_path("tuning.tsv");
    for (int64_t k = 1; k <= 60; k++) {
        test_allocator c = {0};
        const fr_ctx_options o = test_allocator_options(&c, 1);
        fr_ctx *ctx;
        fr_graph *graph;
        fr_tuning found = {0};
        int32_t source = 0;
        fr_tune_options tune = {.sources = &source, .source_count = 1, .seconds = 0.002};
        assert_int_equal(fr_ctx_new(&o, &ctx), FR_OK);
        assert_int_equal(fr_graph_load(ctx, TEST_DATA "/eight.wsg", NULL, &graph), FR_OK);
        c.fail_at = c.calls + k;
        fr_status status =
            fr_tune(ctx, graph, k % 2 ? FR_PROBLEM_BFS : FR_PROBLEM_SSSP, &tune, &found);
        assert_true(status == FR_OK || status == FR_NOMEM);
        c.fail_at = c.calls + 1 + k % 8;
        if (!status)
            status = fr_tuning_cache_store(ctx, path, graph, NULL, &found);
        assert_true(status == FR_OK || status == FR_NOMEM);
        bool kept = fr_tuning_cache_find(ctx, path, graph, found.problem, NULL, &found) == FR_OK;
        assert_true(kept == (status == FR_OK));
        remove(path);
        fr_graph_free(graph);
        fr_ctx_free(ctx);
        assert_int_equal(c.live, 0);
    }
    assert_true(test_shell("! ls | grep tmp$"));
}

TEST_PROGRAM_IN_FOLDER(TEST(every_input), TEST(every_output), TEST(every_option), TEST(sparse_ids),
                       TEST(names), TEST(tuning))
