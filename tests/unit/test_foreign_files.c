/* Files that other projects wrote (tests/data/README.md names them), with the counts that they give: vertices
 * where the header or the ids settle them, edges as stored. */
#include "support/support.h"

#include <stdio.h>

static const struct {
    const char *file;
    int32_t n;
    int64_t m; /* entries of the CSR: twice the edges of a symmetric matrix, the diagonal once */
    fr_type type;
    bool symmetric;
    int32_t components, largest, diameter; /* 0: not compared; of the largest: exact or */
    bool bound;                            /* the largest that sweeps found there */
} graphs[] = {
    {"real/airfoil1.graph.zst", 4253, 2 * 12289, FR_TYPE_NONE, true, 1, 4253, 65},
    {"real/3elt.mtx.zst", 4720, 2 * 13722, FR_TYPE_NONE, true, 1, 4720, 65},
    {"real/cage10.mtx.zst", 11397, 150645, FR_TYPE_F64, false, 1, 11397, 20},
    {"real/petsc-commits-neg.gr.zst", 94682, 114257, FR_TYPE_I32, false, 1, 94682, 17467, true},
    {"../../data/notredame-www.mtx.zst", 325729, 929849, FR_TYPE_NONE, false, 73051, 245529, 46,
     true},
    {"../../data/amsterdam-roads.gr.zst", 68213, 153424, FR_TYPE_I32, true, 58, 58600, 602, true},
    {"others/chesapeake.mtx", 39, 2 * 170, FR_TYPE_NONE, true},
    {"others/GD97_b.mtx", 47, 2 * 132, FR_TYPE_F64, true},
    {"others/west0067_noheader.mtx", 67, 294, FR_TYPE_F64, false},
    {"others/ldbc-undirected-example-bool.mtx", 9, 24, FR_TYPE_I32, true},
    {"others/matrix_uint32.mtx", 7, 12, FR_TYPE_I64, false},
    {"others/matrix_int64.mtx", 7, 12, FR_TYPE_I64, false},
    {"others/skew_int8.mtx", 6, 20, FR_TYPE_I32, false},
    {"others/negative-vertex-id.csv", 3, 3, FR_TYPE_F64, false},
    {"others/karate-data.csv", 34, 156, FR_TYPE_NONE, true},
    {"others/dolphins_multi_edge.csv", 62, 325, FR_TYPE_F64, false},
};

/* Files that are malformed or no graphs, and the beginning of the message after the file's name. The files
 * that LAGraph calls mangled because they disagree with its own "%%GraphBLAS type" comment are valid. */
static const struct {
    const char *file;
    fr_status status;
    const char *message;
} refused[] = {
    {"others/mangled1.mtx", FR_FORMAT, ":1:16: the banner says \"mangled\""},
    {"others/mangled2.mtx", FR_FORMAT, ":1:23: the banner says \"mangled\""},
    {"others/mangled3.mtx", FR_FORMAT, ":1:34: \"mangled\" is not a known value type"},
    {"others/mangled4.mtx", FR_FORMAT, ":1:39: \"mangled\" is not a known symmetry"},
    {"others/mangled5.mtx", FR_UNSUPPORTED, ":1:42: complex values"},
    {"others/mangled6.mtx", FR_UNSUPPORTED, ":1:39: complex values"},
    {"others/mangled7.mtx", FR_FORMAT, ":4:1: 3 entries are declared"},
    {"others/mangled8.mtx", FR_FORMAT, ":4:2: the line \"rows columns entries\""},
    {"others/mangled9.mtx", FR_UNSUPPORTED, ":4:1: a 3 x 4 matrix"},
    {"others/mangled14.mtx", FR_UNSUPPORTED, ":5:1: a 3 x 4 matrix"},
    {"others/mangled15.mtx", FR_UNSUPPORTED, ":1:23: an array (dense) matrix"},
    {"others/mangled_format.mtx", FR_UNSUPPORTED, ":1:23: an array (dense) matrix"},
    {"others/matrix_fp32.mtx", FR_FORMAT, ":7:5: the weight -inf is not an integer"},
    {"others/skew_fp64.mtx", FR_RANGE, ":4:5: the weight inf is not a finite number"},
    {"others/comments_west0067.mtx", FR_RANGE, ":6:5: the weight nan is not a finite number"},
    {"others/empty.mtx", FR_UNSUPPORTED, ":4:1: a 3 x 4 matrix"},
    {"others/karate_str.mtx", FR_FORMAT, ":1:2: the line \"rows columns entries\""},
    {"others/a1.mtx", FR_FORMAT, ":11:1: row 0 is outside 1..4"},
};

static const char *path_of(const char *file) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", TEST_DATA, file);
    return path;
}

static void check_components(fr_ctx *ctx, const fr_graph *graph, int i) {
    fr_graph_stats f = {0};
    const int32_t diameter = graphs[i].diameter;
    assert_ok(ctx, fr_graph_compute_stats(ctx, graph, &f));
    assert_int_equal(f.components, graphs[i].components);
    assert_int_equal(f.largest_component, graphs[i].largest);
    assert_true(f.diameter_lower_bound >= diameter - diameter / 20 - 1);
    assert_true(graphs[i].bound || f.diameter_lower_bound <= diameter);
}

static void counts_agree(void **state) {
    fr_ctx *ctx = *state;
    for (size_t i = 0; i < COUNT(graphs); i++) {
        fr_graph *graph;
#ifndef FRI_HAVE_ARCHIVE
        if (strstr(graphs[i].file, ".zst"))
            continue;
#endif
        assert_ok(ctx, fr_graph_load(ctx, path_of(graphs[i].file), NULL, &graph));
        const fr_csr *csr = fr_graph_csr(graph);
        if (csr->n != graphs[i].n || csr->m != graphs[i].m || csr->weight_type != graphs[i].type ||
            csr->symmetric != graphs[i].symmetric)
            fail_msg("%s: n %d, m %lld, weights %s, symmetric %d", graphs[i].file, csr->n,
                     (long long)csr->m, fr_type_name(csr->weight_type), csr->symmetric);
        if (graphs[i].components)
            check_components(ctx, graph, (int)i);
        fr_graph_free(graph);
    }
}

static void the_malformed_are_refused(void **state) {
    fr_ctx *ctx = *state;
    for (size_t i = 0; i < COUNT(refused); i++) {
        fr_graph *graph = NULL;
        const char *path = path_of(refused[i].file);
        fr_status status = fr_graph_load(ctx, path, NULL, &graph);
        size_t length = strlen(path);
        const char *message = fr_ctx_error(ctx);
        if (graph || status != refused[i].status || strncmp(message, path, length) ||
            strncmp(message + length, refused[i].message, strlen(refused[i].message)))
            fail_msg("%s: %s: %s", refused[i].file, fr_status_name(status), message);
    }
}

TEST_PROGRAM(TEST(counts_agree), TEST(the_malformed_are_refused))
