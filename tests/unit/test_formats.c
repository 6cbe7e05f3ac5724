/* One graph loads to the same CSR from every format, and writers refuse what a format loses. That a written graph
 * loads unchanged: tests/random/writers.c, make.c. */
#include "support/files.h"

#include <stdio.h>

/* tests/data/eight.*: see the README there. */
static fr_graph *eight(fr_ctx *ctx, bool weighted) {
    const int32_t src[] = {0, 0, 1, 2, 4, 5, 4}, dst[] = {1, 2, 2, 4, 5, 6, 6};
    const int32_t weights[] = {5, 3, 1, 7, 2, 9, 4};
    const fr_load_options options = {.direction = FR_DIRECTION_UNDIRECTED};
    return test_of_edges(ctx, 8, 7, src, dst, weighted ? weights : NULL,
                         weighted ? FR_TYPE_I32 : FR_TYPE_NONE, &options);
}

/* n, rows and weights; formats differ in their ids and in whether they record "undirected". */
static void assert_same_rows(const char *what, const fr_graph *a, const fr_graph *b) {
    const fr_csr *x = fr_graph_csr(a), *y = fr_graph_csr(b);
    if (x->n != y->n || x->m != y->m || x->weight_type != y->weight_type)
        fail_msg("%s: n %d %d, m %lld %lld, weights %s %s", what, x->n, y->n, (long long)x->m,
                 (long long)y->m, fr_type_name(x->weight_type), fr_type_name(y->weight_type));
    assert_memory_equal(x->offsets, y->offsets, ((size_t)x->n + 1) * 8);
    assert_memory_equal(x->targets, y->targets, (size_t)x->m * 4);
    if (x->weights)
        assert_memory_equal(x->weights, y->weights, (size_t)x->m * fr_type_size(x->weight_type));
}

/* false: packed, and this build cannot unpack. */
static bool load_eight(fr_ctx *ctx, const char *name, const fr_load_options *options,
                       fr_graph **out) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", TEST_DATA, name);
    fr_status status = fr_graph_load(ctx, path, options, out);
    if (status == FR_UNSUPPORTED && strstr(fr_ctx_error(ctx), "no libarchive"))
        return false;
    assert_ok(ctx, status);
    return true;
}

static void eight_in_every_format(void **state) {
    static const struct {
        const char *name;
        int first_id;
        bool weighted, undirected;
    } files[] = {
        {"eight.mtx", 1, true, true},        {"eight-pattern.mtx", 1, false, false},
        {"eight.txt", 0, true, false},       {"eight.csv", 0, true, false},
        {"eight.el", 0, false, false},       {"eight.wel", 0, true, false},
        {"eight.gr", 1, true, false},        {"eight.graph", 1, true, true},
        {"eight-000.graph", 1, false, true}, {"eight-010.graph", 1, false, true},
        {"eight-111.graph", 1, true, true},  {"eight.sg", 0, false, true},
        {"eight.wsg", 0, true, true},        {"eight.v", 0, true, true},
        {"eight.e", 0, true, true},          {"eight.properties", 0, true, true},
        {"eight.fringe", 1, true, true},     {"eight.mtx.gz", 1, true, true},
        {"eight.mtx.xz", 1, true, true},     {"eight.mtx.bz2", 1, true, true},
        {"eight.mtx.zst", 1, true, true},    {"eight.tar.gz", 1, true, true},
        {"eight.net", 1, true, true},        {"eight-lists.net", 1, false, true},
        {"eight.npz", 0, true, false},       {"eight-csc.npz", 0, true, false},
        {"eight-coo.npz", 0, true, false},   {"eight.adj", 0, true, false},
        {"eight.bin", 0, false, false},      {"eight.tntp", 1, true, false},
    };
    for (size_t i = 0; i < COUNT(files); i++) {
        fr_graph *expected = eight(*state, files[i].weighted), *graph;
        if (load_eight(*state, files[i].name, NULL, &graph)) {
            assert_same_rows(files[i].name, expected, graph);
            assert_int_equal(fr_graph_id(graph, 0), files[i].first_id);
            if (files[i].undirected && !fr_graph_csr(graph)->symmetric)
                fail_msg("%s is undirected", files[i].name);
            fr_graph_free(graph);
        } else
            print_message("skipped: %s\n", files[i].name);
        fr_graph_free(expected);
    }
}

static void options_reach_every_format(void **state) {
    static const char *const names[] = {"eight.mtx",   "eight.txt", "eight.wel", "eight.gr",
                                        "eight.graph", "eight.wsg", "eight.e",   "eight.fringe",
                                        "eight.net",   "eight.adj", "eight.tntp"};
    const fr_load_options random = {
        .weights = FR_WEIGHTS_RANDOM, .weight_low = 1, .weight_high = 255, .seed = 7};
    const fr_load_options none = {.weights = FR_WEIGHTS_NONE};
    const fr_load_options wide = {.weight_type = FR_TYPE_F64, .drop_parallel = true};
    fr_graph *plain = eight(*state, false), *drawn = NULL;
    for (size_t i = 0; i < COUNT(names); i++) {
        fr_graph *graph;
        assert_true(load_eight(*state, names[i], &none, &graph));
        assert_same_rows(names[i], plain, graph);
        fr_graph_free(graph);
        assert_true(load_eight(*state, names[i], &random, &graph));
        if (drawn)
            assert_same_rows(names[i], drawn, graph);
        assert_int_equal(fr_graph_csr(graph)->weight_type, FR_TYPE_I32);
        fr_graph_free(drawn);
        drawn = graph;
        assert_true(load_eight(*state, names[i], &wide, &graph));
        const fr_csr *csr = fr_graph_csr(graph);
        assert_int_equal(csr->weight_type, FR_TYPE_F64);
        assert_true(((const double *)csr->weights)[0] == 5 && csr->m == 14);
        fr_graph_free(graph);
    }
    fr_graph_free(drawn);
    fr_graph_free(plain);
}

/* ---- writing ------------------------------------------------------------------------------ */

/* LDBC's .e is empty then; each of its files opens the graph all the same. */
static void no_edges_come_back(void **state) {
    fr_graph *graph = test_graph_of(*state, "3:", FR_TYPE_NONE), *back;
    static const char *const names[] = {"none.e", "none.v", "none.properties", "none.mtx",
                                        "none.net"};
    for (size_t i = 0; i < COUNT(names); i++) {
        assert_ok(*state, fr_graph_write(*state, graph, test_path(names[i]), NULL));
        assert_ok(*state, fr_graph_load(*state, test_path(names[i]), NULL, &back));
        assert_int_equal(fr_graph_csr(back)->n, 3);
        assert_int_equal(fr_graph_csr(back)->m, 0);
        fr_graph_free(back);
    }
    fr_graph_free(graph);
}

/* A file that may be missing is no failure, so no message is left. */
static void optional_files_leave_no_message(void **state) {
    fr_graph *graph;
    test_put("plain.v", "1\n2\n", 4);
    test_put("plain.e", "1 2\n", 4);
    assert_ok(*state, fr_graph_load(*state, test_path("plain.v"), NULL, &graph));
    assert_string_equal(fr_ctx_error(*state), "");
    fr_graph_free(graph);
}

/* What a format would lose without a word. */
static void a_loss_is_refused(void **state) {
    static const struct {
        const char *path, *graph;
        fr_type weights;
        const char *message;
    } cases[] = {
        {"lost.el", "2: 0>1/0", FR_TYPE_I32, "the format el holds no weights; wel does, and"},
        {"lost.sg", "2: 0>1/0", FR_TYPE_F64, "the format sg holds no weights; wsg does, and"},
        {"lost.el", "0:", FR_TYPE_NONE, "an edge list cannot represent a graph without vertices"},
        {"lost.wel", "0:", FR_TYPE_NONE, "an edge list cannot represent a graph without vertices"},
        {"lost.csv", "0:", FR_TYPE_NONE, "an edge list cannot represent a graph without vertices"},
        {"lost.csv", "3: 0>1", FR_TYPE_NONE, "vertex 2 has no edge, so an edge list of these ids"},
        {"r.graph", "3: 0>1 1>2", FR_TYPE_NONE, "must be undirected"},
        {"r.graph", "3: 0-1 1-1", FR_TYPE_NONE, "no self-loops"},
        {"r.graph", "3: 0-1/.5 1-2/1", FR_TYPE_F64, "must be integers"},
        {"r.wsg", "3: 0-1/.5 1-2/1", FR_TYPE_F64, ""},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        fr_graph *graph = test_graph_of(*state, cases[i].graph, cases[i].weights);
        assert_refused(*state, fr_graph_write(*state, graph, test_path(cases[i].path), NULL),
                       FR_UNSUPPORTED, cases[i].message);
        fr_graph_free(graph);
    }
    assert_false(test_shell("ls | grep -E '^(r|lost)[.]'"));
}

static void sparse_ids_come_back(void **state) {
    static const char text[] = "-5 1000000000000\n1000000000000 7\n7 7\n";
    fr_graph *graph, *back;
    assert_ok(*state,
              fr_graph_load(*state, test_put("s.txt", text, sizeof text - 1), NULL, &graph));
    assert_int_equal(fr_graph_csr(graph)->n, 3);
    static const char *const names[] = {"back.txt", "back.CSV", "back.fringe", "back.properties"};
    for (size_t i = 0; i < COUNT(names); i++) {
        assert_ok(*state, fr_graph_write(*state, graph, test_path(names[i]), NULL));
        assert_ok(*state, fr_graph_load(*state, test_path(names[i]), NULL, &back));
        assert_same_graph(names[i], graph, back);
        assert_int_equal(fr_graph_vertex(back, 1000000000000), 2);
        assert_true(fr_graph_hash(back) == fr_graph_hash(graph));
        fr_graph_free(back);
    }
    fr_graph_free(graph);
}

static void isolated_vertices_stay_or_are_refused(void **state) {
    fr_graph *graph = eight(*state, true), *back;
    static const char *const names[] = {"i.mtx", "i.txt",    "i.gr", "i.graph",
                                        "i.wsg", "i.fringe", "i.v",  "i.net"};
    for (size_t i = 0; i < COUNT(names); i++) {
        assert_ok(*state, fr_graph_write(*state, graph, test_path(names[i]), NULL));
        assert_ok(*state, fr_graph_load(*state, test_path(names[i]), NULL, &back));
        assert_same_rows(names[i], graph, back);
        fr_graph_free(back);
    }
    assert_refused(*state, fr_graph_write(*state, graph, test_path("i.wel"), NULL), FR_UNSUPPORTED,
                   "vertex 7 has no edge");
    assert_non_null(strstr(fr_ctx_error(*state), "mtx, gr, pajek, metis, ldbc and fringe keep"));
    assert_false(test_shell("ls i.wel"));
    fr_graph_free(graph);
}

static void every_writer_tells_a_full_disk(void **state) {
    fr_graph *graph = test_generated(*state, "path:n=40", 0);
    for (int i = 0; fr_format_name(i); i++) {
        if (!fr_format_writable(i) || !strcmp(fr_format_name(i), "ldbc"))
            continue; /* three files: /dev/full.v is none */
        fr_status status = fr_graph_write(*state, graph, "/dev/full", fr_format_name(i));
        if (status != FR_DISK || !strstr(fr_ctx_error(*state), "No space left"))
            fail_msg("%s: %s: %s", fr_format_name(i), fr_status_name(status), fr_ctx_error(*state));
    }
    fr_graph_free(graph);
}

TEST_PROGRAM_IN_FOLDER(TEST(eight_in_every_format), TEST(options_reach_every_format),
                       TEST(no_edges_come_back), TEST(optional_files_leave_no_message),
                       TEST(a_loss_is_refused), TEST(sparse_ids_come_back),
                       TEST(isolated_vertices_stay_or_are_refused),

                       TEST(every_writer_tells_a_full_disk))
