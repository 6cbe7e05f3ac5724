/* Results, tables and matrices as files, in memory and in streams: the text of special values, rows that come in any
 * order, what is refused, and what a failure leaves. Values of every kind: tests/random/writers.c. */
#include "graph/write/matrix_rows.h"
#include "support/allocator.h"
#include "support/files.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N = 4 };

static fr_graph *plain_graph(fr_ctx *ctx) {
    return test_graph_of(ctx, "4: 0>1 1>2 0>3", FR_TYPE_NONE);
}

static fr_graph *named_graph(fr_ctx *ctx) {
    static const char edges[] = "a b 3\nb New_York 4\na d 20\n";
    const fr_load_options options = {.ids = FR_IDS_STRINGS};
    fr_graph *graph = NULL;
    assert_ok(ctx, fr_graph_load_memory(ctx, edges, sizeof edges - 1, &options, &graph));
    return graph;
}

/* ---- text -------------------------------------------------------------------------------------- */

static double scores[] = {0.5, (double)INFINITY, -2, 1e300};
static int64_t far[] = {FR_INF_I64, 0, -7, FR_NEG_INF_I64};
static int32_t near[] = {0, FR_INF_I32, 3, FR_NEG_INF_I32}, to[N + 1] = {3, -1, 2, 0};
static float narrow[] = {0.1f, INFINITY, -INFINITY, 2};
static int32_t level[] = {0, 1, -1, 1}, from[] = {0, 0, -1, 0}, over[] = {0, 4, -1, 0},
               below[] = {0, 0, -2, 0};
static const int32_t walk[] = {0, 1, 2, 3}, outside[] = {0, 1, 2, N};
static const int64_t offsets[] = {0, 3, 3, 4, 4}, falling[] = {0, 3, 2, 4, 4};

static const struct {
    fr_type type;
    fr_result result;
    const char *format, *text;
} results[] = {
    {FR_TYPE_NONE,
     {.level = level, .parent = from},
     "tsv",
     "vertex\tlevel\tparent\n0\t0\t0\n1\t1\t0\n2\t-1\t-1\n3\t1\t0\n"},
    {FR_TYPE_NONE, {.level = level}, "graphalytics", "0 0\n1 1\n2 9223372036854775807\n3 1\n"},
    {FR_TYPE_I32,
     {.dist = near, .parent = from},
     NULL,
     "vertex\tdistance\tparent\n0\t0\t0\n1\tinf\t0\n2\t3\t-1\n3\t-inf\t0\n"},
    {FR_TYPE_I64, {.dist = far}, "tsv", "vertex\tdistance\n0\tinf\n1\t0\n2\t-7\n3\t-inf\n"},
    {FR_TYPE_F32, {.dist = narrow}, "graphalytics", "0 0.1\n1 infinity\n2 -inf\n3 2\n"},
    {FR_TYPE_F64, {.dist = scores}, "tsv", "vertex\tdistance\n0\t0.5\n1\tinf\n2\t-2\n3\t1e+300\n"},
};

/* The same in memory and in a file, which keeps its mode when it is replaced. */
static void text_of_results(void **state) {
    const fr_query query = {.mark_negative_cycles = true};
    fr_graph *graph = plain_graph(*state);
    for (size_t i = 0; i < COUNT(results); i++) {
        const char *path = test_put("result", "", 0), *format = results[i].format;
        void *bytes = NULL;
        size_t size = 0, file_size = 0;
        struct stat info;
        const fr_output memory = {.bytes = &bytes, .size = &size, .format = format},
                        file = {.path = path, .format = format};
        assert_int_equal(chmod(path, 0600), 0);
        assert_ok(*state, fr_result_write(*state, graph, &query, results[i].type,
                                          &results[i].result, &memory));
        assert_ok(*state, fr_result_write(*state, graph, &query, results[i].type,
                                          &results[i].result, &file));
        char *content = test_read(path, &file_size);
        assert_int_equal(size, strlen(results[i].text));
        assert_memory_equal(bytes, results[i].text, size);
        assert_int_equal(file_size, size);
        assert_memory_equal(content, bytes, size);
        assert_int_equal(stat(path, &info), 0);
        assert_int_equal(info.st_mode & 07777, 0600);
        free(content);
        fr_memory_free(bytes);
    }
    fr_graph_free(graph);
}

/* The text that the table has in a stream, which stays open, and in memory. */
static void check_table(fr_ctx *ctx, const fr_graph *graph, int64_t rows, const fr_column *columns,
                        int count, const char *want) {
    void *bytes = NULL;
    size_t size = 0;
    char streamed[1024] = {0};
    FILE *stream = fmemopen(streamed, sizeof streamed, "w");
    const fr_output memory = {.bytes = &bytes, .size = &size}, to_stream = {.stream = stream};
    assert_ok(ctx, fr_table_write(ctx, graph, rows, columns, count, &memory));
    assert_int_equal(size, strlen(want));
    assert_memory_equal(bytes, want, size);
    assert_ok(ctx, fr_table_write(ctx, graph, rows, columns, count, &to_stream));
    fputc('.', stream);
    fclose(stream);
    assert_memory_equal(streamed, bytes, size);
    assert_int_equal(streamed[size], '.');
    fr_memory_free(bytes);
}

static void text_of_tables(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = plain_graph(ctx), *named = named_graph(ctx);
    const fr_column columns[] = {
        {.name = "vertex", .kind = FR_COLUMN_VERTEX},
        {.name = "score", .type = FR_TYPE_F64, .values = scores},
        {.name = "label", .type = FR_TYPE_I64, .values = far},
        {.name = "far", .kind = FR_COLUMN_DISTANCE, .type = FR_TYPE_I64, .values = far},
        {.name = "near", .kind = FR_COLUMN_DISTANCE, .type = FR_TYPE_I32, .values = near},
        {.name = "narrow", .kind = FR_COLUMN_DISTANCE, .type = FR_TYPE_F32, .values = narrow},
        {.name = "to", .kind = FR_COLUMN_VERTEX, .values = to},
        {.name = "way", .kind = FR_COLUMN_PATH, .values = walk, .offsets = offsets}};
    const fr_column few[] = {columns[7], columns[6], columns[0]};
    check_table(ctx, graph, N, columns, 8,
                "vertex\tscore\tlabel\tfar\tnear\tnarrow\tto\tway\n"
                "0\t0.5\t9223372036854775807\tinf\t0\t0.1\t3\t0 1 2\n"
                "1\tinf\t0\t0\tinf\tinf\t-1\t\n"
                "2\t-2\t-7\t-7\t3\t-inf\t2\t3\n"
                "3\t1e+300\t-9223372036854775808\t-9223372036854775808\t-2147483648\t2\t0\t\n");
    check_table(ctx, named, 3, few, 3,
                "way\tto\tvertex\na b New_York\td\ta\n\t-1\tb\nd\tNew_York\tNew_York\n");
    check_table(ctx, graph, 0, columns + 1, 2, "score\tlabel\n");
    char number[FR_NUMBER_CAPACITY + 1];
    *fr_put_distance(number, FR_TYPE_I32, near, 1) = 0;
    assert_string_equal(number, "inf");
    *fr_put_distance(number, FR_TYPE_F64, scores, 2) = 0;
    assert_string_equal(number, "-2");
    fr_graph_free(graph);
    fr_graph_free(named);
}

/* ---- what is refused --------------------------------------------------------------------------- */

#define NOWHERE .path = "/dev/null"

static void *no_bytes;
static size_t no_size;

static const struct {
    fr_type type;
    fr_result result;
    fr_output to;
    fr_status status;
    const char *words;
} bad_results[] = {
    {FR_TYPE_I32, {.parent = from}, {NOWHERE}, FR_INVALID, ""},
    {FR_TYPE_I32, {.level = level, .dist = level}, {NOWHERE}, FR_INVALID, ""},
    {FR_TYPE_I32, {.level = level}, {0}, FR_INVALID, "an output needs one of"},
    {FR_TYPE_I32, {.level = level}, {NOWHERE, .format = "csv"}, FR_INVALID, "graphalytics"},
    {FR_TYPE_NONE, {.dist = level}, {NOWHERE}, FR_INVALID, ""},
    {FR_TYPE_I32, {.dist = level}, {.path = "/dev/full"}, FR_DISK, "No space left"},
    {FR_TYPE_I32, {.dist = level}, {.path = "no/such/f.tsv"}, FR_DISK, "no/such/f.tsv"},
    {FR_TYPE_I32, {.dist = level}, {NOWHERE}, FR_OK, ""},
    {FR_TYPE_I32, {.dist = level, .parent = over}, {NOWHERE}, FR_NOT_FOUND, "parent 4"},
    {FR_TYPE_I32, {.dist = level, .parent = below}, {NOWHERE}, FR_NOT_FOUND, ""},
};

static void refuses_results(void **state) {
    fr_graph *graph = plain_graph(*state), *named = named_graph(*state);
    for (size_t i = 0; i < COUNT(bad_results); i++)
        assert_refused(*state,
                       fr_result_write(*state, graph, NULL, bad_results[i].type,
                                       &bad_results[i].result, &bad_results[i].to),
                       bad_results[i].status, bad_results[i].words);
    for (int i = 0; fr_result_format_name(i); i++) {
        const fr_output to_file = {NOWHERE, .format = fr_result_format_name(i)};
        if (strcmp(to_file.format, "tsv") != 0)
            assert_refused(*state,
                           fr_result_write(*state, named, NULL, FR_TYPE_NONE,
                                           &(fr_result){.level = level}, &to_file),
                           FR_UNSUPPORTED, "names");
    }
    assert_null(fr_result_format_name(3));
    assert_string_equal(fr_result_format_choose(NULL, "a.b/x.npy"), "npy");
    assert_string_equal(fr_result_format_choose(NULL, "X.NPY"), "npy");
    assert_string_equal(fr_result_format_choose(NULL, "x.npy.txt"), "tsv");
    assert_string_equal(fr_result_format_choose("graphalytics", "x.npy"), "graphalytics");
    assert_null(fr_result_format_choose("csv", "x.npy"));
    fr_graph_free(graph);
    fr_graph_free(named);
}

#define VERTICES .name = "v", .kind = FR_COLUMN_VERTEX
#define WAYS     .name = "p", .kind = FR_COLUMN_PATH
#define SCORES   .type = FR_TYPE_F64, .values = scores
#define GOOD                                                                                       \
    { .name = "to", .kind = FR_COLUMN_VERTEX, .values = to }

static const struct {
    fr_column column; /* beside a good one */
    int64_t rows;
    fr_output to;
    fr_status status;
} bad_tables[] = {
    {{VERTICES, .values = outside}, N, {NOWHERE}, FR_NOT_FOUND},
    {{VERTICES}, N + 1, {NOWHERE}, FR_INVALID},
    {{WAYS, .values = to, .offsets = offsets}, N, {NOWHERE}, FR_NOT_FOUND},
    {{WAYS, .values = walk, .offsets = falling}, N, {NOWHERE}, FR_INVALID},
    {{WAYS, .values = walk}, N, {NOWHERE}, FR_INVALID},
    {{WAYS, .values = walk, .offsets = offsets}, N, {NOWHERE, .format = "npy"}, FR_UNSUPPORTED},
    {{.name = "a\tb", SCORES}, N, {NOWHERE}, FR_INVALID},
    {{.name = "it's", SCORES}, N, {NOWHERE}, FR_INVALID},
    {{.name = "", SCORES}, N, {NOWHERE}, FR_INVALID},
    {{SCORES}, N, {NOWHERE}, FR_INVALID},
    {{.name = "to", SCORES}, N, {NOWHERE}, FR_INVALID}, /* twice */
    {{.name = "s", .values = scores}, N, {NOWHERE}, FR_INVALID},
    {{.name = "s", .type = FR_TYPE_F64}, N, {NOWHERE}, FR_INVALID},
    {{.name = "s", .kind = (fr_column_kind)9, .values = scores}, N, {NOWHERE}, FR_INVALID},
    {{.name = "s", SCORES}, -1, {NOWHERE}, FR_INVALID},
    {{.name = "s", SCORES}, N, {NOWHERE, .stream = (FILE *)scores}, FR_INVALID},
    {{.name = "s", SCORES}, N, {NOWHERE, .bytes = &no_bytes, .size = &no_size}, FR_INVALID},
    {{.name = "s", SCORES}, N, {.bytes = &no_bytes}, FR_INVALID},
    {{.name = "s", SCORES}, N, {NOWHERE, .size = &no_size}, FR_INVALID},
    {{.name = "s", SCORES}, N, {NOWHERE, .format = "graphalytics"}, FR_INVALID},
    {{.name = "s", SCORES}, N, {0}, FR_INVALID},
};

static void refuses_tables(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = plain_graph(ctx), *named = named_graph(ctx);
    const fr_column good = GOOD;
    const fr_output tsv = {NOWHERE}, array = {NOWHERE, .format = "npy"};
    for (size_t i = 0; i < COUNT(bad_tables); i++) {
        const fr_column columns[] = {GOOD, bad_tables[i].column};
        fr_status status =
            fr_table_write(ctx, graph, bad_tables[i].rows, columns, 2, &bad_tables[i].to);
        if (status != bad_tables[i].status || !*fr_ctx_error(ctx))
            fail_msg("case %zu: %s: %s", i, fr_status_name(status), fr_ctx_error(ctx));
    }
    assert_refused(ctx, fr_table_write(ctx, named, N, &good, 1, &array), FR_UNSUPPORTED, "names");
    assert_int_equal(fr_table_write(ctx, graph, N, &good, 0, &tsv), FR_INVALID);
    assert_int_equal(fr_table_write(ctx, graph, N, &good, 65, &tsv), FR_INVALID);
    fr_graph_free(graph);
    fr_graph_free(named);
}

static void refuses_matrices(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = plain_graph(ctx);
    fr_solver *solver = NULL, *bfs = NULL;
    int32_t dist[N * N] = {0}, parent[N * N] = {0};
    const int32_t beyond = N;
    fr_result result = {.dist = dist}, none = {0};
    const fr_query bad = {.sources = &beyond, .source_count = 1},
                   column = {.targets = &beyond, .target_count = 1},
                   parents = {.want_parents = true};
    const fr_output tsv = {.path = "/dev/null"}, array = {.path = "/dev/null", .format = "npy"},
                    full = {.path = "/dev/full"};
    solver = test_solver(ctx, graph, FR_PROBLEM_APSP, NULL);
    bfs = test_solver(ctx, graph, FR_PROBLEM_BFS, NULL);
    assert_int_equal(fr_apsp_write(bfs, &(fr_query){0}, &none, &tsv), FR_UNSUPPORTED);
    assert_int_equal(fr_apsp_write(solver, &parents, &none, &array), FR_UNSUPPORTED);
    assert_int_equal(fr_apsp_write(solver, &bad, &none, &tsv), FR_NOT_FOUND);
    assert_int_equal(fr_apsp_write(solver, &column, &none, &tsv), FR_NOT_FOUND);
    assert_refused(ctx, fr_apsp_write(solver, NULL, &none, &full), FR_DISK,
                   "/dev/full: writing: No space left on device");
    assert_int_equal(fr_matrix_write(ctx, graph, &bad, FR_TYPE_I32, &result, &tsv), FR_NOT_FOUND);
    assert_int_equal(fr_matrix_write(ctx, graph, NULL, FR_TYPE_NONE, &result, &tsv), FR_INVALID);
    assert_int_equal(fr_matrix_write(ctx, graph, NULL, FR_TYPE_I32, &none, &tsv), FR_INVALID);
    assert_int_equal(fr_matrix_write(ctx, graph, NULL, FR_TYPE_I32, &result, &full), FR_DISK);
    result.parent = parent;
    assert_int_equal(fr_matrix_write(ctx, graph, NULL, FR_TYPE_I32, &result, &array),
                     FR_UNSUPPORTED);
    parent[5] = N;
    assert_int_equal(fr_matrix_write(ctx, graph, NULL, FR_TYPE_I32, &result, &tsv), FR_NOT_FOUND);
    fr_solver_free(bfs);
    fr_solver_free(solver);
    fr_graph_free(graph);
}

/* ---- a full disk, and what is left --------------------------------------------------------------- */

/* A full disk: at once or when the stream is flushed. The stream stays the caller's. */
static void full_stream(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = test_generated(ctx, "path:n=200000", 0);
    const fr_column column = {.name = "vertex", .kind = FR_COLUMN_VERTEX};
    for (int64_t rows = 1; rows <= 200000; rows += 199999) {
        FILE *full = fopen("/dev/full", "w");
        const fr_output out = {.stream = full};
        assert_refused(ctx, fr_table_write(ctx, graph, rows, &column, 1, &out), FR_DISK,
                       "stream: writing: No space left on device");
        assert_refused(ctx, fr_graph_write_stream(ctx, graph, full, "mtx"), FR_DISK,
                       "stream: writing: No space left on device");
        fclose(full);
    }
    const fr_output file = {.path = "/dev/full"};
    assert_int_equal(fr_table_write(ctx, graph, 1, &column, 1, &file), FR_DISK);
    fr_graph_free(graph);
}

static void cancelled_results(void **state) {
    static int32_t levels[300000];
    (void)state;
    test_watch watch = {.phase = "writing"};
    fr_ctx *ctx = test_ctx_watched(&watch, 1);
    fr_graph *graph = test_generated(ctx, "path:n=300000", 0);
    watch.stop_at = 1;
    assert_int_equal(fr_result_write(ctx, graph, NULL, FR_TYPE_NONE, &(fr_result){.level = levels},
                                     &(fr_output){.path = test_path("cancelled.tsv")}),
                     FR_CANCELLED);
    assert_true(test_shell("! ls | grep cancelled"));
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

typedef struct {
    int64_t rows, stop_at;
    char path[96]; /* a file that is there while rows are written */
    bool seen;
} counter;

static int count_row(void *user, int64_t row, int32_t source, const void *dist,
                     const int32_t *parents) {
    counter *c = user;
    (void)row, (void)source, (void)dist, (void)parents;
    c->seen = c->seen || access(c->path, F_OK) == 0;
    return ++c->rows == c->stop_at;
}

/* The temporary file has the name that the header documents; where another's file has it, that file stays. A row
 * function that stops leaves no file. */
static void temporary_files(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = plain_graph(ctx);
    fr_result none = {0};
    counter rows = {0};
    const fr_output out = {.path = test_path("named")};
    const fr_query query = {.row = count_row, .row_user = &rows};
    snprintf(rows.path, sizeof rows.path, "%s.%lld.tmp", out.path, (long long)getpid());
    fr_solver *solver = test_solver(ctx, graph, FR_PROBLEM_APSP, NULL);
    rows.stop_at = 2;
    assert_int_equal(fr_apsp_write(solver, &query, &none, &out), FR_CANCELLED);
    assert_true(rows.rows == 2 && rows.seen && test_shell("! ls | grep named"));
    rows.stop_at = 0;
    assert_ok(ctx, fr_apsp_write(solver, &query, &none, &out));
    assert_int_equal(access(rows.path, F_OK), -1);
    fclose(fopen(rows.path, "w"));
    assert_ok(ctx, fr_apsp_write(solver, &query, &none, &out));
    assert_int_equal(access(rows.path, F_OK), 0);
    fr_solver_free(solver);
    fr_graph_free(graph);
}

/* ---- rows of matrices -------------------------------------------------------------------------- */

/* Rows of several megabytes, by one thread and by several, row by row and at once. */
static void large_matrix(void **state) {
    enum { SIDE = 20 };
    (void)state;
    char *first = NULL;
    size_t first_size = 0;
    for (int threads = 1; threads <= 5; threads += 2) {
        fr_ctx_options options = {.threads = threads};
        fr_ctx *ctx = test_ctx(&options);
        fr_graph *graph = test_generated(ctx, "grid2d:rows=20,cols=20", 0);
        const fr_solver_options strategy = {.strategy = "multi-sssp", .unit_weights = true};
        fr_solver *solver = test_solver(ctx, graph, FR_PROBLEM_APSP, &strategy);
        fr_result result = {.dist = malloc(SIDE * SIDE * SIDE * SIDE * sizeof(int32_t))};
        const fr_output at_once = {.path = test_path("at_once")},
                        rows = {.path = test_path("rows")};
        assert_ok(ctx, fr_apsp_write(solver, &(fr_query){0}, &result, &rows));
        assert_ok(ctx, fr_matrix_write(ctx, graph, NULL, FR_TYPE_I32, &result, &at_once));
        size_t sizes[2];
        char *contents[] = {test_read(rows.path, &sizes[0]), test_read(at_once.path, &sizes[1])};
        assert_int_equal(sizes[0], sizes[1]);
        assert_memory_equal(contents[0], contents[1], sizes[0]);
        if (!first) {
            first = contents[0];
            first_size = sizes[0];
        } else {
            assert_int_equal(first_size, sizes[0]);
            assert_memory_equal(first, contents[0], first_size);
            free(contents[0]);
        }
        free(contents[1]);
        free(result.dist);
        fr_solver_free(solver);
        fr_graph_free(graph);
        fr_ctx_free(ctx);
    }
    free(first);
}

/* Rows in any order, as several GPUs finish them, come out in theirs; without memory for a copy the
 * output fails, and nothing is left allocated. */
static void early_rows(void **state) {
    static const int64_t orders[][N] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}, {1, 3, 0, 2}};
    static const int32_t dist[N][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}},
                         parent[N][2] = {{3, 2}, {1, 0}, {-1, 2}, {0, 0}}, columns[] = {1, 3};
    static const char want[] = "0\t1\t0\t3\n0\t3\t1\t2\n1\t1\t2\t1\n1\t3\t3\t0\n"
                               "2\t1\t4\t-1\n2\t3\t5\t2\n3\t1\t6\t0\n3\t3\t7\t0\n";
    (void)state;
    for (size_t i = 0; i < COUNT(orders); i++)
        for (int64_t fail_at = 0; fail_at < 9; fail_at++) {
            test_allocator a = {0};
            const fr_ctx_options options = test_allocator_options(&a, 1);
            fr_ctx *ctx = test_ctx(&options);
            fr_graph *graph = plain_graph(ctx);
            const fri_matrix m = {graph, FR_TYPE_I32, NULL, columns, N, 2, false, true, "-1", 256};
            fri_row_output out = {.ctx = ctx, .fd = -1};
            fri_row_queue queue;
            a.fail_at = fail_at ? a.calls + fail_at : 0;
            bool good = fri_row_queue_open(ctx, &m, &out, &queue) == FR_OK;
            for (int k = 0; good && k < N; k++)
                good = fri_row_queue_take(&queue, orders[i][k], dist[orders[i][k]],
                                          parent[orders[i][k]]);
            fri_row_queue_close(&queue);
            fri_row_output_end(&out, good);
            assert_int_equal(good, !fail_at || a.calls < a.fail_at);
            if (good) {
                assert_int_equal(out.size, sizeof want - 1);
                assert_memory_equal(out.bytes, want, out.size);
            }
            fri_free(out.bytes);
            fr_graph_free(graph);
            fr_ctx_free(ctx);
            assert_int_equal(a.live, 0);
        }
}

TEST_PROGRAM_IN_FOLDER(TEST(text_of_results), TEST(text_of_tables), TEST(refuses_results),
                       TEST(refuses_tables), TEST(refuses_matrices), TEST(full_stream),
                       TEST(cancelled_results), TEST(temporary_files), TEST(large_matrix),
                       TEST(early_rows))
