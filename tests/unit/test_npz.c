/* Sparse matrices of SciPy: what a row, a column and a type become, and what is refused. The files that SciPy wrote
 * (tests/data/eight*.npz) are read by test_formats.c. */
#include "fringe_measures.h"
#include "io/results/npy_header.h"
#include "support/cases.h"

#include <math.h>
#include <stdio.h>

enum { MAX_ITEMS = 8 };

/* An array of a case: numbers are stored in the type that `descr` says. */
typedef struct array {
    const char *name, *descr; /* descr NULL: '<i4' */
    int64_t count;
    double items[MAX_ITEMS];
    const char *text; /* in place of the items */
    int64_t columns;  /* of a matrix with count rows; 0: one dimension */
    bool by_columns;
} array;

static void put_item(char *bytes, size_t *at, const char *descr, double item) {
    const int size = FRI_MIN(descr[3] - '0', 8); /* others are refused */
    const float f = (float)item;
    const int64_t i = descr[2] == 'f' ? 0 : (int64_t)item;
    char word[8];
    if (descr[2] == 'f')
        memcpy(word, size == 4 ? (const void *)&f : (const void *)&item, (size_t)size);
    else
        memcpy(word, &i, sizeof word);
    for (int b = 0; b < size; b++)
        bytes[(*at)++] = word[descr[1] == '>' ? size - 1 - b : b];
}

/* The line with the name, and the array. */
static size_t put_array(char *bytes, const array *a) {
    const char *descr = a->descr ? a->descr : "'<i4'";
    size_t size = (size_t)sprintf(bytes, "%s.npy\n", a->name);
    char *header = bytes + size;
    size += fri_npy_header(header, descr, a->count, a->columns ? a->columns : -1);
    if (a->by_columns)
        memcpy(strstr(header + 10, "False"), "True ", 5);
    const int64_t items = a->columns ? a->count * a->columns : a->count;
    for (int64_t i = 0; !a->text && i < FRI_MIN(items, MAX_ITEMS); i++)
        put_item(bytes, &size, descr, a->items[i]);
    if (a->text)
        size += (size_t)sprintf(bytes + size, "%s", a->text);
    return size;
}

#define FORMAT(name)                                                                               \
    { "format", "'|S3'", 1, {0}, name }
#define SHAPE(rows, columns)                                                                       \
    {                                                                                              \
        "shape", "'<i8'", 2, { rows, columns }                                                     \
    }
/* Entries (0, 1), (0, 1), (2, 0) of a matrix of 3 rows. */
#define CSR                                                                                        \
    FORMAT("csr"), SHAPE(3, 3), {"indptr", NULL, 4, {0, 2, 2, 3}}, {                               \
        "indices", NULL, 3, { 1, 1, 0 }                                                            \
    }

/* A file as decompress.c makes it of an archive. */
static const char *put_case(const array *arrays) {
    static char bytes[FRI_NPY_HEADER_CAPACITY];
    size_t size = 0;
    for (const array *a = arrays; a->name; a++)
        size += put_array(bytes + size, a);
    return test_put("m.npz", bytes, size);
}

static void matrices_are_read(void **state) {
    static const struct {
        array arrays[8];
        const char *want;
        fr_type type;
        fr_load_options options;
    } cases[] = {
        {{CSR, {"data", "'<i2'", 3, {5, 2, 0}}}, "3: 0>1/2 0>1/5 2>0/0", FR_TYPE_I32},
        {{CSR, {"data", "'|i1'", 3, {-5, 2, 0}}}, "3: 0>1/-5 0>1/2 2>0/0", FR_TYPE_I32},
        {{CSR, {"data", "'|u1'", 3, {255, 2, 0}}}, "3: 0>1/2 0>1/255 2>0/0", FR_TYPE_I32},
        {{CSR, {"data", "'|b1'", 3, {1, 1, 0}}}, "3: 0>1 0>1 2>0", FR_TYPE_NONE},
        {{CSR, {"data", "'<u4'", 3, {4e9, 2, 0}}}, "3: 0>1/2 0>1/4000000000 2>0/0", FR_TYPE_I64},
        {{CSR, {"data", "'<i8'", 3, {7, 2, -1}}}, "3: 0>1/2 0>1/7 2>0/-1", FR_TYPE_I32},
        {{CSR, {"data", "'<f4'", 3, {.5, 2, 1}}}, "3: 0>1/0.5 0>1/2 2>0/1", FR_TYPE_F32},
        {{CSR, {"data", "'>f8'", 3, {.5, 2, 1}}}, "3: 0>1/0.5 0>1/2 2>0/1", FR_TYPE_F64},
        {{CSR, {"data", "'<f8'", 3, {5, 2, 1}}},
         "3: 0>1/2 0>1/5 2>0/1",
         FR_TYPE_I32,
         OPTIONS(.weight_type = FR_TYPE_I32)},
        {{CSR, {"data", "'<f8'", 3, {5, 2, 1}}},
         "3: 0>1 2>0",
         FR_TYPE_NONE,
         OPTIONS(.weights = FR_WEIGHTS_NONE, .drop_parallel = true)},
        {{FORMAT("csc"),
          SHAPE(2, 2),
          {"indptr", "'<i8'", 3, {0, 0, 2}},
          {"indices", "'<i8'", 2, {0, 1}},
          {"data", NULL, 2, {3, 4}}},
         "2: 0>1/3 1>1/4",
         FR_TYPE_I32},
        {{FORMAT("coo"),
          SHAPE(4, 4),
          {"row", NULL, 2, {3, 0}},
          {"col", "'>i4'", 2, {0, 2}},
          {"data", NULL, 2, {3, 4}}},
         "4: 1>3/4 4>1/3",
         FR_TYPE_I32,
         OPTIONS(.id_base = 2)},
        {{FORMAT("coo"), SHAPE(2, 2), {"row"}, {"col"}, {"data"}}, "2:", FR_TYPE_I32},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        fr_graph *graph;
        char got[256];
        assert_ok(*state,
                  fr_graph_load(*state, put_case(cases[i].arrays), &cases[i].options, &graph));
        test_describe(graph, got, sizeof got);
        assert_string_equal(got, cases[i].want);
        assert_int_equal(fr_graph_csr(graph)->weight_type, cases[i].type);
        fr_graph_free(graph);
    }
}

/* Each with the beginning of the message after "m.npz: "; none takes more than hostile files may. */
static void others_are_refused(void **state) {
    static const struct {
        array arrays[8];
        fr_status status;
        const char *message;
    } cases[] = {
        {{FORMAT("csr"), SHAPE(2, 3)}, FR_UNSUPPORTED, "a 2 x 3 matrix is not square"},
        {{{"xy", NULL, 2, {1, 2}}}, FR_UNSUPPORTED, "the archive has no shape.npy"},
        {{FORMAT("bsr"), SHAPE(2, 2)},
         FR_UNSUPPORTED,
         "a matrix of the format \"bsr\" is not read"},
        {{FORMAT("dia"), SHAPE(2, 2)},
         FR_UNSUPPORTED,
         "a matrix of the format \"dia\" is not read"},
        {{CSR}, FR_UNSUPPORTED, "the archive has no data.npy"},
        {{CSR, {"data", NULL, 2, {1, 2}}}, FR_FORMAT, "indices.npy has 3 items instead of 2"},
        {{CSR, {"data", "'<f8'", 3, {1, 2, INFINITY}}}, FR_RANGE, "data.npy: item 2, inf, is no"},
        {{CSR, {"data", "'<U1'", 3, {0}, "abcdefghijkl"}},
         FR_UNSUPPORTED,
         "data.npy has the type U4"},
        {{CSR, {"data", "'<u8'", 3, {0}, "\x01\x01\x01\x01\x01\x01\x01\xff________aaaaaaaa"}},
         FR_RANGE,
         "data.npy: item 0, 18374969058471772417, does not fit int64"},
        {{CSR, {"data", "[('a', '<i4')]", 1}}, FR_UNSUPPORTED, "data.npy is no array of numbers"},
        {{CSR, {"data", NULL, INT64_C(1) << 50}}, FR_FORMAT, "data.npy: 1125899906842624 items"},
        {{FORMAT("csr"),
          SHAPE(2, 2),
          {"indptr", NULL, 3, {0, 3, 1}},
          {"indices", NULL, 1, {1}},
          {"data", NULL, 1, {1}}},
         FR_FORMAT,
         "indptr.npy: item 1 is 3, but the items ascend from 0 to 1"},
        {{FORMAT("csr"),
          SHAPE(2, 2),
          {"indptr", NULL, 3, {0, 1, 2}},
          {"indices", NULL, 2, {1, 2}},
          {"data", NULL, 2, {1, 1}}},
         FR_FORMAT,
         "indices.npy: item 1 is 2, outside 0..1"},
        {{FORMAT("csr"),
          SHAPE(2, 2),
          {"indptr", "'<f8'", 3, {0, 1, 2}},
          {"indices", NULL, 2, {1, 0}},
          {"data", NULL, 2, {1, 1}}},
         FR_FORMAT,
         "indptr.npy has no integers"},
        {{FORMAT("coo"),
          SHAPE(2, 2),
          {"row", NULL, 1, {-1}},
          {"col", NULL, 1, {0}},
          {"data", NULL, 1, {1}}},
         FR_FORMAT,
         "row.npy: item 0 is -1, outside 0..1"},
        {{FORMAT("coo"), SHAPE(INT32_MAX, INT32_MAX), {"row"}, {"col"}, {"data"}},
         FR_NOMEM,
         "m.npz: 2147483647 vertices are too many for 0 entries"},
        {{FORMAT("coo"), SHAPE(1e18, 1e18), {"row"}, {"col"}, {"data"}},
         FR_RANGE,
         "m.npz: 1000000000000000000 vertices exceed"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        fr_ctx *ctx = test_ctx(NULL);
        fr_graph *graph;
        assert_refused(ctx, fr_graph_load(ctx, put_case(cases[i].arrays), NULL, &graph),
                       cases[i].status, cases[i].message);
        assert_true(fr_ctx_peak_bytes(ctx) <= (size_t)64 << 20);
        fr_ctx_free(ctx);
    }
}

#define XY(rows, ...)                                                                              \
    {                                                                                              \
        "xy", .count = rows, .columns = 2, .items = { __VA_ARGS__ }                                \
    }

/* The coordinates of the vertices 5, 6 and 7, in their order. */
static void points_are_read(void **state) {
    static const array cases[][3] = {
        {XY(3, 1, -2, 3, -4, 5, -6)},
        {{"xy", "'>f8'", 3, {1, -2, 3, -4, 5, -6}, .columns = 2}, {"speed", NULL, 1, {9}}},
        {{"xy", "'<f4'", 3, {1, 3, 5, -2, -4, -6}, .columns = 2, .by_columns = true}},
        {XY(3, 5, -6, 1, -2, 3, -4), {"ids", "'<i8'", 3, {7, 5, 6}}},
        {{"ids", "'|u1'", 4, {7, 8, 5, 6}}, XY(4, 5, -6, 0, 0, 1, -2, 3, -4)}};
    fr_graph *graph;
    assert_ok(*state, fr_graph_load(*state, test_put("g.txt", "5 6\n6 7\n", 8), NULL, &graph));
    for (size_t i = 0; i < COUNT(cases); i++) {
        double x[3], y[3];
        assert_ok(*state, fr_coordinates_load(*state, graph, put_case(cases[i]), x, y));
        for (int v = 0; v < 3; v++)
            assert_true(x[v] == 2 * v + 1 && y[v] == -2 * v - 2);
    }
    fr_graph_free(graph);
}

static void other_points_are_refused(void **state) {
    static const struct {
        array arrays[3];
        fr_status status;
        const char *message;
    } cases[] = {
        {{XY(2, 1, 2, 3, 4)}, FR_FORMAT, "xy.npy has 2 rows, and the graph has 3 vertices"},
        {{{"xy", NULL, 2, {1}, .columns = 3}}, FR_FORMAT, "coordinates are an array xy"},
        {{{"xy", NULL, 6, {1}}}, FR_FORMAT, "coordinates are an array xy"},
        {{{"xy", "'<c8'", 3, {1}, .columns = 2}}, FR_FORMAT, "coordinates are an array xy"},
        {{{"pos", NULL, 3, {1}, .columns = 2}}, FR_FORMAT, "coordinates are an array xy"},
        {{XY(3, 1), {"ids", NULL, 2, {5, 6}}}, FR_FORMAT, "ids.npy has no integer for each"},
        {{XY(2, 1, 2, 3, 4), {"ids", NULL, 2, {5, 7}}}, FR_FORMAT, "vertex 6 has no coordinates"},
        {{{"xy", "'<f8'", 3, {1, 2, 3, INFINITY, 5, 6}, .columns = 2}},
         FR_FORMAT,
         "vertex 6 has no finite coordinates"}};
    fr_graph *graph;
    double x[3], y[3];
    assert_ok(*state, fr_graph_load(*state, test_put("g.txt", "5 6\n6 7\n", 8), NULL, &graph));
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_refused(*state, fr_coordinates_load(*state, graph, put_case(cases[i].arrays), x, y),
                       cases[i].status, cases[i].message);
    fr_graph_free(graph);
    const fr_load_options named = OPTIONS(.ids = FR_IDS_STRINGS);
    assert_ok(*state, fr_graph_load(*state, test_put("g.txt", "a b\nb c\n", 8), &named, &graph));
    static const array rows[] = {XY(3, 1, 2, 3, 4, 5, 6), {0}};
    assert_ok(*state, fr_coordinates_load(*state, graph, put_case(rows), x, y));
    static const array by_id[] = {XY(3, 1), {"ids", NULL, 3, {5, 6, 7}}, {0}};
    assert_refused(*state, fr_coordinates_load(*state, graph, put_case(by_id), x, y),
                   FR_UNSUPPORTED, "the vertices have names");
    fr_graph_free(graph);
}

#ifdef FRI_HAVE_ARCHIVE
/* A file of numpy.savez_compressed. */
static void points_are_unpacked(void **state) {
    fr_graph *graph;
    double x[8], y[8];
    assert_ok(*state, fr_graph_load(*state, TEST_DATA "/eight.gr", NULL, &graph));
    assert_ok(*state, fr_coordinates_load(*state, graph, TEST_DATA "/eight.xy.npz", x, y));
    for (int v = 0; v < 8; v++)
        assert_true(x[v] == 10 * (v + 1) && y[v] == -(v + 1));
    fr_graph_free(graph);
}

/* A byte of a member is wrong, or half of the archive is missing. */
static void damage_is_noticed(void **state) {
    fr_graph *graph;
    size_t size;
    char *bytes = test_read(TEST_DATA "/eight-csc.npz", &size);
    bytes[200] ^= 1;
    assert_refused(*state, fr_graph_load(*state, test_put("a.npz", bytes, size), NULL, &graph),
                   FR_FORMAT, "a.npz: damaged zip data");
    bytes[200] ^= 1;
    assert_refused(*state, fr_graph_load(*state, test_put("b.npz", bytes, size / 2), NULL, &graph),
                   FR_FORMAT, "b.npz: ");
    free(bytes);
}

/* Several arrays that are larger than what they are packed in: each begins where memory ended for the last. */
static void large_arrays_are_read(void **state) {
    enum { ENTRIES = 5000000 };
    static const array arrays[] = {FORMAT("coo"),
                                   SHAPE(2, 2),
                                   {"row", "'|u1'", ENTRIES, {0}},
                                   {"col", "'|u1'", ENTRIES, {1, 0}},
                                   {"data", "'|u1'", ENTRIES, {3}}};
    for (size_t i = 0; i < COUNT(arrays); i++) {
        char bytes[FRI_NPY_HEADER_CAPACITY], name[20], command[80];
        const size_t skipped = strlen(arrays[i].name) + sizeof ".npy",
                     size = put_array(bytes, &arrays[i]);
        snprintf(name, sizeof name, "%s.npy", arrays[i].name);
        test_put(name, bytes + skipped, size - skipped);
        snprintf(command, sizeof command, "truncate -s +%d %s", ENTRIES - MAX_ITEMS, name);
        assert_true(i < 2 || test_shell(command));
    }
    assert_true(test_shell("python3 -m zipfile -c large.npz "
                           "format.npy shape.npy row.npy col.npy data.npy"));
    fr_graph *graph;
    assert_ok(*state, fr_graph_load(*state, test_path("large.npz"), NULL, &graph));
    const fr_csr *csr = fr_graph_csr(graph);
    assert_int_equal(csr->m, ENTRIES);
    int64_t ones = 0, weight = 0;
    for (int64_t e = 0; e < csr->m; e++) {
        ones += csr->targets[e];
        weight += ((const int32_t *)csr->weights)[e];
    }
    assert_int_equal(ones, 1);
    assert_int_equal(weight, 3);
    fr_graph_free(graph);
}
#else
static void points_are_unpacked(void **state) { (void)state; }
static void damage_is_noticed(void **state) { (void)state; }
static void large_arrays_are_read(void **state) { (void)state; }
#endif

TEST_PROGRAM_IN_FOLDER(TEST(matrices_are_read), TEST(others_are_refused), TEST(points_are_read),
                       TEST(other_points_are_refused), TEST(points_are_unpacked),
                       TEST(damage_is_noticed), TEST(large_arrays_are_read))
