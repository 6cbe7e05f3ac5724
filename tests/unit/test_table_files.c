/* Tables and matrices as files: every kind of column, row by row and at once, and what is refused. */
#include "graph/write/matrix_rows.h"
#include "support/allocator.h"
#include "support/files.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

enum { N = 4 };
static const char edges[] = "a b 3\nb New_York 4\na d 20\n"; /* d: reached by one edge */

static fr_graph *named_graph(fr_ctx *ctx) {
    const fr_load_options options = {.ids = FR_IDS_STRINGS};
    fr_graph *graph = NULL;
    assert_ok(ctx, fr_graph_load_memory(ctx, edges, sizeof edges - 1, &options, &graph));
    return graph;
}

static fr_graph *plain_graph(fr_ctx *ctx) {
    const int32_t ends[] = {0, 1, 1, 2, 0, 3};
    return test_graph(ctx, N, 3, ends, false);
}

/* The text that the table has in memory; the same through a stream and in a file. */
static void check_table(fr_ctx *ctx, const fr_graph *graph, int64_t rows, const fr_column *columns,
                        int count, const char *format, const char *want, size_t length) {
    void *bytes = NULL;
    size_t size = 0, file_size = 0;
    const fr_output memory = {.bytes = &bytes, .size = &size, .format = format};
    const fr_output file = {.path = test_path("table"), .format = format};
    assert_ok(ctx, fr_table_write(ctx, graph, rows, columns, count, &memory));
    assert_int_equal(size, length);
    assert_memory_equal(bytes, want, length);
    assert_ok(ctx, fr_table_write(ctx, graph, rows, columns, count, &file));
    char *content = test_read(file.path, &file_size);
    assert_int_equal(file_size, size);
    assert_memory_equal(content, bytes, size);
    free(content);
    char streamed[1024] = {0};
    FILE *stream = fmemopen(streamed, sizeof streamed, "w");
    const fr_output to_stream = {.stream = stream, .format = format};
    assert_ok(ctx, fr_table_write(ctx, graph, rows, columns, count, &to_stream));
    fputc('.', stream); /* still open, behind the table */
    fclose(stream);
    assert_memory_equal(streamed, bytes, size);
    assert_int_equal(streamed[size], '.');
    fr_memory_free(bytes);
}

static void check_text(fr_ctx *ctx, const fr_graph *graph, int64_t rows, const fr_column *columns,
                       int count, const char *want) {
    check_table(ctx, graph, rows, columns, count, NULL, want, strlen(want));
}

static const double scores[] = {0.5, (double)INFINITY, -2, 1e300};
static const int64_t labels[] = {FR_INF_I64, 0, -7, FR_NEG_INF_I64};
static const int64_t far[] = {FR_INF_I64, 0, -7, FR_NEG_INF_I64};
static const int32_t near[] = {0, FR_INF_I32, 3, FR_NEG_INF_I32}, to[N + 1] = {3, -1, 2, 0};
static const float narrow[] = {0.1f, INFINITY, -INFINITY, 2};
static const int32_t walk[] = {0, 1, 2, 3};
static const int64_t offsets[] = {0, 3, 3, 4, 4};

static void text(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = plain_graph(ctx), *named = named_graph(ctx);
    const fr_column columns[] = {
        {.name = "vertex", .kind = FR_COLUMN_VERTEX},
        {.name = "score", .type = FR_TYPE_F64, .values = scores},
        {.name = "label", .type = FR_TYPE_I64, .values = labels},
        {.name = "far", .kind = FR_COLUMN_DISTANCE, .type = FR_TYPE_I64, .values = far},
        {.name = "near", .kind = FR_COLUMN_DISTANCE, .type = FR_TYPE_I32, .values = near},
        {.name = "narrow", .kind = FR_COLUMN_DISTANCE, .type = FR_TYPE_F32, .values = narrow},
        {.name = "to", .kind = FR_COLUMN_VERTEX, .values = to},
        {.name = "way", .kind = FR_COLUMN_PATH, .values = walk, .offsets = offsets}};
    check_text(ctx, graph, N, columns, 8,
               "vertex\tscore\tlabel\tfar\tnear\tnarrow\tto\tway\n"
               "0\t0.5\t9223372036854775807\tinf\t0\t0.1\t3\t0 1 2\n"
               "1\tinf\t0\t0\tinf\tinf\t-1\t\n"
               "2\t-2\t-7\t-7\t3\t-inf\t2\t3\n"
               "3\t1e+300\t-9223372036854775808\t-9223372036854775808\t-2147483648\t2\t0\t\n");
    const fr_column few[] = {columns[7], columns[6], columns[0]};
    check_text(ctx, named, 3, few, 3,
               "way\tto\tvertex\na b New_York\td\ta\n\t-1\tb\nd\tNew_York\tNew_York\n");
    check_text(ctx, graph, 0, columns + 1, 2, "score\tlabel\n");
    char number[FR_NUMBER_CAPACITY + 1];
    *fr_put_distance(number, FR_TYPE_I32, near, 1) = 0;
    assert_string_equal(number, "inf");
    *fr_put_distance(number, FR_TYPE_F64, scores, 2) = 0;
    assert_string_equal(number, "-2");
    fr_graph_free(graph);
    fr_graph_free(named);
}

static void refuses_tables(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = plain_graph(ctx), *named = named_graph(ctx);
    const int32_t beyond[] = {0, 1, 2, N};
    const int64_t falling[] = {0, 3, 2, 4, 4};
    const fr_column good = {.name = "to", .kind = FR_COLUMN_VERTEX, .values = to};
    const fr_output tsv = {.path = "/dev/null"}, array = {.path = "/dev/null", .format = "npy"};
    const struct {
        fr_column column;
        int64_t rows;
        const fr_output *to;
        fr_status status;
    } cases[] = {
        {{.name = "v", .kind = FR_COLUMN_VERTEX, .values = beyond}, N, &tsv, FR_NOT_FOUND},
        {{.name = "v", .kind = FR_COLUMN_VERTEX}, N + 1, &tsv, FR_INVALID},
        {{.name = "p", .kind = FR_COLUMN_PATH, .values = to, .offsets = offsets},
         N,
         &tsv,
         FR_NOT_FOUND},
        {{.name = "p", .kind = FR_COLUMN_PATH, .values = walk, .offsets = falling},
         N,
         &tsv,
         FR_INVALID},
        {{.name = "p", .kind = FR_COLUMN_PATH, .values = walk}, N, &tsv, FR_INVALID},
        {{.name = "p", .kind = FR_COLUMN_PATH, .values = walk, .offsets = offsets},
         N,
         &array,
         FR_UNSUPPORTED},
        {{.name = "a\tb", .type = FR_TYPE_F64, .values = scores}, N, &tsv, FR_INVALID},
        {{.name = "it's", .type = FR_TYPE_F64, .values = scores}, N, &tsv, FR_INVALID},
        {{.name = "", .type = FR_TYPE_F64, .values = scores}, N, &tsv, FR_INVALID},
        {{.type = FR_TYPE_F64, .values = scores}, N, &tsv, FR_INVALID},
        {{.name = "to", .type = FR_TYPE_F64, .values = scores}, N, &tsv, FR_INVALID}, /* twice */
        {{.name = "s", .values = scores}, N, &tsv, FR_INVALID},
        {{.name = "s", .type = FR_TYPE_F64}, N, &tsv, FR_INVALID},
        {{.name = "s", .kind = (fr_column_kind)9, .values = scores}, N, &tsv, FR_INVALID},
        {{.name = "s", .type = FR_TYPE_F64, .values = scores}, -1, &tsv, FR_INVALID}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const fr_column columns[] = {good, cases[i].column};
        fr_status status = fr_table_write(ctx, graph, cases[i].rows, columns, 2, cases[i].to);
        if (status != cases[i].status || !*fr_ctx_error(ctx))
            fail_msg("case %zu: %s: %s", i, fr_status_name(status), fr_ctx_error(ctx));
    }
    assert_refused(ctx, fr_table_write(ctx, named, N, &good, 1, &array), FR_UNSUPPORTED, "names");
    assert_int_equal(fr_table_write(ctx, graph, N, &good, 0, &tsv), FR_INVALID);
    assert_int_equal(fr_table_write(ctx, graph, N, &good, 65, &tsv), FR_INVALID);
    assert_int_equal(fr_table_write(ctx, NULL, N, &good, 1, &tsv), FR_INVALID);
    fr_graph_free(graph);
    fr_graph_free(named);
}

/* ---- where to -------------------------------------------------------------------------------- */

static void refuses_outputs(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = plain_graph(ctx);
    const fr_column column = {.name = "vertex", .kind = FR_COLUMN_VERTEX};
    void *bytes = NULL;
    size_t size = 1;
    const fr_output cases[] = {{0},
                               {.path = "/dev/null", .stream = stderr},
                               {.path = "/dev/null", .bytes = &bytes, .size = &size},
                               {.bytes = &bytes},
                               {.path = "/dev/null", .size = &size},
                               {.path = "/dev/null", .format = "graphalytics"}};
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_refused(ctx, fr_table_write(ctx, graph, N, &column, 1, &cases[i]), FR_INVALID, "");
    assert_int_equal(fr_table_write(ctx, graph, N, &column, 1, NULL), FR_INVALID);
    fr_graph_free(graph);
}

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

/* ---- matrices -------------------------------------------------------------------------------- */

typedef struct {
    int64_t rows, stop_at;
} counter;

static int count_row(void *user, int64_t row, int32_t source, const void *dist,
                     const int32_t *parent) {
    counter *c = user;
    (void)row, (void)source, (void)dist, (void)parent;
    return ++c->rows == c->stop_at;
}

/* Rows of several megabytes, by one thread and by several, row by row and at once. */
static void large_matrix(void **state) {
    enum { SIDE = 20 };
    (void)state;
    char *first = NULL;
    size_t first_size = 0;
    for (int threads = 1; threads <= 5; threads += 2) {
        fr_ctx_options options = {.threads = threads};
        fr_graph *graph = NULL;
        fr_solver *solver = NULL;
        fr_ctx *ctx = test_ctx(&options);
        assert_ok(ctx, fr_graph_generate(ctx, "grid2d:rows=20,cols=20", NULL, &graph));
        const fr_solver_options strategy = {.strategy = "multi-sssp", .unit_weights = true};
        assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_APSP, &strategy, &solver));
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
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_APSP, NULL, &solver));
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_BFS, NULL, &bfs));
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

/* A row function that stops: no file, and none of the temporary name that the header has. */
static void stops(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = plain_graph(ctx);
    fr_solver *solver = NULL;
    fr_result none = {0};
    counter rows = {.stop_at = 2};
    char folder[] = "/tmp/fringe-matrix-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/matrix.tsv", folder);
    const fr_query query = {.row = count_row, .row_user = &rows};
    const fr_output out = {.path = path};
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_APSP, NULL, &solver));
    assert_int_equal(fr_apsp_write(solver, &query, &none, &out), FR_CANCELLED);
    assert_int_equal(rows.rows, 2);
    assert_int_equal(rmdir(folder), 0); /* it is empty */
    fr_solver_free(solver);
    fr_graph_free(graph);
}

typedef struct {
    char path[96];
    bool seen;
} temporary;

static int look(void *user, int64_t row, int32_t source, const void *dist, const int32_t *parent) {
    temporary *t = user;
    (void)row, (void)source, (void)dist, (void)parent;
    t->seen = t->seen || access(t->path, F_OK) == 0;
    return 0;
}

static void temporary_name(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = plain_graph(ctx);
    fr_solver *solver = NULL;
    fr_result none = {0};
    temporary t = {0};
    const fr_output out = {.path = test_path("named")};
    snprintf(t.path, sizeof t.path, "%s.%lld.tmp", out.path, (long long)getpid());
    const fr_query query = {.row = look, .row_user = &t};
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_APSP, NULL, &solver));
    assert_ok(ctx, fr_apsp_write(solver, &query, &none, &out));
    assert_true(t.seen);
    assert_int_equal(access(t.path, F_OK), -1);
    /* a file of that name is another's: it stays */
    FILE *other = fopen(t.path, "w");
    fclose(other);
    assert_ok(ctx, fr_apsp_write(solver, &query, &none, &out));
    assert_int_equal(access(t.path, F_OK), 0);
    unlink(t.path);
    fr_solver_free(solver);
    fr_graph_free(graph);
}

TEST_PROGRAM_IN_FOLDER(TEST(text), TEST(refuses_tables), TEST(refuses_outputs), TEST(full_stream),
                       TEST(large_matrix), TEST(refuses_matrices), TEST(early_rows), TEST(stops),
                       TEST(temporary_name))
