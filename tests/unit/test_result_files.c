/* Results as files and in memory: every format, type and special value; what is refused. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const int32_t level[] = {0, 1, -1}, parent[] = {0, 0, -1};
static const int32_t whole[] = {0, FR_NEG_INF_I32, FR_INF_I32};
static const int64_t large[] = {FR_NEG_INF_I64, 5000000000, FR_INF_I64};

static fr_graph *three_vertices(fr_ctx *ctx) {
    const int32_t ends[] = {0, 1};
    return test_graph(ctx, 3, 1, ends, false);
}

/* The bytes in memory are those expected, and those of a file, which keeps its mode when it is replaced. */
static void check(fr_ctx *ctx, const fr_graph *graph, fr_type type, const fr_result *result,
                  const char *format, const char *want, size_t length) {
    void *bytes = NULL;
    size_t size = 0;
    char path[] = "/tmp/fringe-result-XXXXXX", file[1024]; /* mkstemp: mode 0600 */
    struct stat info;
    fr_query query = {.mark_negative_cycles = true};
    assert_ok(ctx, fr_result_write(ctx, graph, &query, type, result,
                                   &(fr_output){.bytes = &bytes, .size = &size, .format = format}));
    assert_int_equal(size, length);
    assert_memory_equal(bytes, want, length);
    close(mkstemp(path));
    assert_ok(ctx, fr_result_write(ctx, graph, &query, type, result,
                                   &(fr_output){.path = path, .format = format}));
    FILE *in = fopen(path, "rb");
    assert_int_equal(fread(file, 1, sizeof file, in), length);
    assert_memory_equal(file, want, length);
    assert_int_equal(fstat(fileno(in), &info), 0);
    assert_int_equal(info.st_mode & 07777, 0600);
    fclose(in);
    unlink(path);
    fr_memory_free(bytes);
}

static void check_text(fr_ctx *ctx, fr_type type, const fr_result *result, const char *format,
                       const char *want) {
    fr_graph *graph = three_vertices(ctx);
    check(ctx, graph, type, result, format, want, strlen(want));
    fr_graph_free(graph);
}

static void text(void **state) {
    fr_ctx *ctx = *state;
    int32_t *parents = (int32_t *)(uintptr_t)parent;
    fr_result levels = {.level = (int32_t *)(uintptr_t)level, .parent = parents};
    check_text(ctx, FR_TYPE_NONE, &levels, "tsv",
               "vertex\tlevel\tparent\n0\t0\t0\n1\t1\t0\n2\t-1\t-1\n");
    check_text(ctx, FR_TYPE_NONE, &levels, "graphalytics", "0 0\n1 1\n2 9223372036854775807\n");
    fr_result distances = {.dist = (void *)(uintptr_t)whole, .parent = parents};
    check_text(ctx, FR_TYPE_I32, &distances, NULL,
               "vertex\tdistance\tparent\n0\t0\t0\n1\t-inf\t0\n2\tinf\t-1\n");
    distances = (fr_result){.dist = (void *)(uintptr_t)large};
    check_text(ctx, FR_TYPE_I64, &distances, "tsv",
               "vertex\tdistance\n0\t-inf\n1\t5000000000\n2\tinf\n");
    float narrow[] = {0.1f, -INFINITY, INFINITY};
    distances.dist = narrow;
    check_text(ctx, FR_TYPE_F32, &distances, "graphalytics", "0 0.1\n1 -inf\n2 infinity\n");
    double wide[] = {0.1, 1e300, (double)INFINITY};
    distances.dist = wide;
    check_text(ctx, FR_TYPE_F64, &distances, "tsv",
               "vertex\tdistance\n0\t0.1\n1\t1e+300\n2\tinf\n");
}

static void refuses(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = three_vertices(ctx);
    int32_t *levels = (int32_t *)(uintptr_t)level;
    fr_result good = {.level = levels}, none = {.parent = levels}, both = {.level = levels};
    both.dist = levels;
    const char *path = "/dev/null";
    assert_int_equal(
        fr_result_write(ctx, graph, NULL, FR_TYPE_I32, &none, &(fr_output){.path = path}),
        FR_INVALID);
    assert_int_equal(
        fr_result_write(ctx, graph, NULL, FR_TYPE_I32, &both, &(fr_output){.path = path}),
        FR_INVALID);
    assert_int_equal(fr_result_write(ctx, graph, NULL, FR_TYPE_I32, &good, &(fr_output){0}),
                     FR_INVALID);
    assert_refused(ctx,
                   fr_result_write(ctx, graph, NULL, FR_TYPE_I32, &good,
                                   &(fr_output){.path = path, .format = "csv"}),
                   FR_INVALID, "graphalytics");
    good = (fr_result){.dist = levels};
    assert_int_equal(
        fr_result_write(ctx, graph, NULL, FR_TYPE_NONE, &good, &(fr_output){.path = path}),
        FR_INVALID);
    assert_int_equal(
        fr_result_write(ctx, graph, NULL, FR_TYPE_I32, &good, &(fr_output){.path = "/dev/full"}),
        FR_DISK);
    assert_int_equal(fr_result_write(ctx, graph, NULL, FR_TYPE_I32, &good,
                                     &(fr_output){.path = "no/such/f.tsv"}),
                     FR_DISK);
    assert_ok(ctx,
              fr_result_write(ctx, graph, NULL, FR_TYPE_I32, &good, &(fr_output){.path = path}));
    const int32_t beyond[] = {0, 3, -1}, below[] = {0, 0, -2};
    good.parent = (int32_t *)(uintptr_t)beyond;
    assert_refused(
        ctx, fr_result_write(ctx, graph, NULL, FR_TYPE_I32, &good, &(fr_output){.path = path}),
        FR_NOT_FOUND, "parent 3 is not a vertex");
    good.parent = (int32_t *)(uintptr_t)below;
    assert_int_equal(
        fr_result_write(ctx, graph, NULL, FR_TYPE_I32, &good, &(fr_output){.path = path}),
        FR_NOT_FOUND);
    assert_null(fr_result_format_name(3));
    assert_null(fr_result_format_name(-1));
    assert_string_equal(fr_result_format_choose(NULL, "a.b/x.npy"), "npy");
    assert_string_equal(fr_result_format_choose(NULL, "x.npy.txt"), "tsv");
    assert_string_equal(fr_result_format_choose("graphalytics", "x.npy"), "graphalytics");
    assert_null(fr_result_format_choose("csv", "x.npy"));
    fr_graph_free(graph);
}

static int stop(void *user, const char *phase, int64_t done, int64_t total) {
    (void)user, (void)done, (void)total;
    return strcmp(phase, "writing") == 0;
}

/* A cancelled file is removed. */
static void cancels(void **state) {
    enum { N = 300000 };
    (void)state;
    fr_ctx_options options = {.threads = 1, .progress = stop};
    fr_graph *graph;
    fr_ctx *ctx = test_ctx(&options);
    assert_ok(ctx, fr_graph_generate(ctx, "path:n=300000", NULL, &graph));
    fr_result result = {.level = calloc(N, sizeof(int32_t))};
    char folder[] = "/tmp/fringe-result-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/levels.tsv", folder);
    assert_int_equal(
        fr_result_write(ctx, graph, NULL, FR_TYPE_NONE, &result, &(fr_output){.path = path}),
        FR_CANCELLED);
    assert_int_equal(rmdir(folder), 0); /* it is empty */
    free(result.level);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

TEST_PROGRAM(TEST(text), TEST(refuses), TEST(cancels))
