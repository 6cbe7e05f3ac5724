/* Graphs from and to memory and streams: every format there and back, compressed bytes, wrong bytes, a limit. */
#include "support/allocator.h"
#include "support/files.h"

#include <stdio.h>

static const char *const files[] = {"eight.mtx",   "eight.mtx.gz", "eight.gr",
                                    "eight.graph", "eight.txt",    "eight.net",
                                    "eight.sg",    "eight.wsg",    "eight.fringe"};

/* The same as from the file, although the bytes are gone. */
static void loads_like_the_file(void **state) {
    fr_ctx *ctx = *state;
    for (size_t i = 0; i < COUNT(files); i++) {
        char path[512];
        size_t size;
        fr_graph *want = NULL, *got = NULL;
        snprintf(path, sizeof path, "%s/%s", TEST_DATA, files[i]);
        char *bytes = test_read(path, &size), *moved = bytes ? malloc(size + 1) : NULL;
        assert_non_null(moved);
        memcpy(moved + 1, bytes, size); /* not aligned */
        const char *suffix = strchr(files[i], '.') + 1;
        const char *by_suffix = strstr(suffix, "sg") ? suffix : NULL; /* no content tells these */
        fr_load_options options = {.format = strcmp(suffix, "graph") ? by_suffix : "metis"};
        fr_status status = fr_graph_load(ctx, path, &options, &want);
        if (status == FR_UNSUPPORTED) { /* a build without libarchive */
            free(bytes);
            free(moved);
            continue;
        }
        assert_ok(ctx, status);
        assert_ok(ctx, fr_graph_load_memory(ctx, moved + 1, size, &options, &got));
        memset(moved, 0xff, size + 1);
        free(moved);
        assert_same_graph(files[i], got, want);
        fr_graph_free(got);
        fr_graph_free(want);
        free(bytes);
    }
}

static void refusals(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = NULL;
    void *bytes = &graph;
    size_t size = 1;
    fr_load_options cache = {.cache = true}, several = {.format = "ldbc"};
    assert_int_equal(fr_graph_load_memory(ctx, "1 2\n", 4, &cache, &graph), FR_INVALID);
    assert_int_equal(fr_graph_load_memory(ctx, "1 2\n", 4, &several, &graph), FR_UNSUPPORTED);
    assert_int_equal(fr_graph_load_memory(ctx, NULL, 4, NULL, &graph), FR_INVALID);
    assert_int_equal(fr_graph_load_memory(ctx, "", 0, NULL, &graph), FR_FORMAT);
    assert_refused(ctx, fr_graph_load_memory(ctx, "1 2\n3 x\n", 8, NULL, &graph), FR_FORMAT,
                   "memory:2");
    assert_int_equal(fr_graph_load_memory(ctx, "\x1f\x8b\x08zzz", 6, NULL, &graph), FR_FORMAT);
    assert_null(graph);
    assert_ok(ctx, fr_graph_load_memory(ctx, "1 2\n", 4, NULL, &graph));
    assert_int_equal(fr_graph_write_memory(ctx, graph, "nonsense", &bytes, &size), FR_INVALID);
    assert_true(!bytes && !size);
    assert_int_equal(fr_graph_write_memory(ctx, graph, NULL, &bytes, &size), FR_INVALID);
    fr_graph_free(graph);
}

/* Too little memory for the text is FR_NOMEM, and nothing is kept. */
static void little_memory(void **state) {
    (void)state;
    fr_ctx_options options = {.threads = 1, .max_memory_bytes = 3 << 20};
    void *bytes = NULL;
    size_t size = 0;
    fr_ctx *ctx = test_ctx(&options);
    fr_graph *graph = test_generated(ctx, "path:n=100000", 0);
    assert_int_equal(fr_graph_write_memory(ctx, graph, "snap", &bytes, &size), FR_NOMEM);
    assert_true(!bytes && *fr_ctx_error(ctx));
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* Text that several threads format grows in memory of the caller's allocator. */
static void callers_allocator(void **state) {
    (void)state;
    test_allocator a = {0};
    fr_ctx_options options = test_allocator_options(&a, 4);
    void *bytes = NULL;
    size_t size = 0;
    fr_ctx *ctx = test_ctx(&options);
    fr_graph *graph = test_generated(ctx, "path:n=50000", 0);
    assert_ok(ctx, fr_graph_write_memory(ctx, graph, "snap", &bytes, &size));
    fr_memory_free(bytes);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    assert_int_equal(a.live, 0);
}

static void stream_refusals(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = NULL;
    const fr_load_options cached = {.cache = true}, several = {.format = "ldbc"};
    FILE *none = fopen("/dev/null", "r"), *written = fopen(test_path("written"), "w");
    assert_int_equal(fr_graph_load_stream(ctx, NULL, NULL, &graph), FR_INVALID);
    assert_int_equal(fr_graph_load_stream(ctx, none, &cached, &graph), FR_INVALID);
    assert_int_equal(fr_graph_load_stream(ctx, none, &several, &graph), FR_UNSUPPORTED);
    assert_refused(ctx, fr_graph_load_stream(ctx, none, NULL, &graph), FR_FORMAT,
                   "stream: the file is empty");
    assert_refused(ctx, fr_graph_load_stream(ctx, written, NULL, &graph), FR_IO,
                   "stream: Bad file descriptor");
    assert_null(graph);
    graph = test_generated(ctx, "path:n=4", 0);
    assert_int_equal(fr_graph_write_stream(ctx, graph, NULL, "mtx"), FR_INVALID);
    assert_int_equal(fr_graph_write_stream(ctx, graph, written, NULL), FR_INVALID);
    assert_int_equal(fr_graph_write_stream(ctx, graph, written, "csv"), FR_INVALID);
    assert_int_equal(fr_graph_write_stream(ctx, graph, none, "mtx"), FR_DISK);
    fr_graph_free(graph);
    fclose(none);
    fclose(written);
}

TEST_PROGRAM_IN_FOLDER(TEST(loads_like_the_file), TEST(refusals), TEST(little_memory),
                       TEST(callers_allocator), TEST(stream_refusals))
