/* Every edge list, Pajek and Matrix Market graph of the shared collection, with the counts that its
 * SOURCES.md gives: vertices where the header or the ids settle them, edges as stored. */
#include "support/support.h"

#include <stdio.h>
#include <unistd.h>

static const struct {
    const char *file;
    int32_t n;
    int64_t m; /* entries of the CSR: twice the edges of a symmetric matrix, the diagonal once */
    fr_type type;
    bool symmetric;
} graphs[] = {
    {"as-caida20070917.txt", 8020, 36406, FR_TYPE_I32, false}, /* 65536 numbers, 8020 of them
                                                                  occur */
    {"ca-GrQc.txt", 5242, 28980, FR_TYPE_NONE, true},
    {"email-Enron.txt.zst", 36692, 367662, FR_TYPE_NONE, true},
    {"email-Eu-core.txt", 1005, 25571, FR_TYPE_NONE, false},
    {"facebook_combined.txt", 4039, 88234, FR_TYPE_NONE, false},
    {"metamath-setmm.txt.zst", 40426, 1213085, FR_TYPE_NONE, false},
    {"npm-deps-2016.txt.zst", 320019, 807759, FR_TYPE_NONE, false},
    {"p2p-Gnutella04.txt", 10876, 39994, FR_TYPE_NONE, false},
    {"p2p-Gnutella08.txt", 6301, 20777, FR_TYPE_NONE, false},
    {"p2p-Gnutella30.txt", 36682, 88328, FR_TYPE_NONE, false},
    {"p2p-Gnutella31.txt.zst", 62586, 147892, FR_TYPE_NONE, false},
    {"reddit-related.txt.zst", 271376, 1444104, FR_TYPE_NONE, false},
    {"web-NotreDame.txt.zst", 325729, 1497134, FR_TYPE_NONE, false},
    {"wiki-Vote.txt", 7115, 103689, FR_TYPE_NONE, false},
    {"soc-sign-bitcoinotc.csv.zst", 5881, 35592, FR_TYPE_I32, false},
    {"3elt.mtx", 4720, 2 * 13722, FR_TYPE_NONE, true},
    {"NotreDame_www.mtx.zst", 325729, 929849, FR_TYPE_NONE, false},
    {"cage10.mtx.zst", 11397, 150645, FR_TYPE_F64, false},
    {"cnr-2000.mtx.zst", 325557, 3216152, FR_TYPE_NONE, false},
    {"delaunay_n16.mtx.zst", 65536, 2 * 196575, FR_TYPE_NONE, true},
    {"ecoli-kmer14.mtx.zst", 4721446, 4814709, FR_TYPE_I32, false},
    {"ice40-8k-routing.mtx.zst", 135174, 1652480, FR_TYPE_NONE, false},
    {"luxembourg_osm.mtx.zst", 114599, 2 * 119666, FR_TYPE_NONE, true},
    {"NDactors.net.zst", 520223, 2 * 1470418, FR_TYPE_NONE, true},
    {"formats/chesapeake.mtx", 39, 2 * 170, FR_TYPE_NONE, true},
    {"formats/GD97_b.mtx", 47, 2 * 132, FR_TYPE_F64, true},
    {"formats/lagraph/west0067_noheader.mtx", 67, 294, FR_TYPE_F64, false},
    {"formats/lagraph/west0067_jumbled.mtx", 67, 294, FR_TYPE_F64, false},
    {"formats/lagraph/ldbc-undirected-example-bool.mtx", 9, 24, FR_TYPE_I32, true},
    {"formats/lagraph/matrix_uint32.mtx", 7, 12, FR_TYPE_I64, false},
    {"formats/lagraph/matrix_int64.mtx", 7, 12, FR_TYPE_I64, false},
    {"formats/lagraph/skew_int8.mtx", 6, 20, FR_TYPE_I32, false},
    {"formats/cugraph/negative-vertex-id.csv", 3, 3, FR_TYPE_F64, false},
    {"formats/cugraph/karate-data.csv", 34, 156, FR_TYPE_NONE, true},
    {"formats/cugraph/dolphins_multi_edge.csv", 62, 325, FR_TYPE_F64, false},
};

/* Files that are malformed or no graphs, and the beginning of the message after the file's name. The files
 * that LAGraph calls mangled because they disagree with its own "%%GraphBLAS type" comment are valid. */
static const struct {
    const char *file;
    fr_status status;
    const char *message;
} refused[] = {
    {"formats/lagraph/mangled1.mtx", FR_FORMAT, ":1: the banner says \"mangled\""},
    {"formats/lagraph/mangled2.mtx", FR_FORMAT, ":1: the banner says \"mangled\""},
    {"formats/lagraph/mangled3.mtx", FR_FORMAT, ":1: \"mangled\" is not a known value type"},
    {"formats/lagraph/mangled4.mtx", FR_FORMAT, ":1: \"mangled\" is not a known symmetry"},
    {"formats/lagraph/mangled5.mtx", FR_UNSUPPORTED, ":1: complex values"},
    {"formats/lagraph/mangled6.mtx", FR_UNSUPPORTED, ":1: complex values"},
    {"formats/lagraph/mangled7.mtx", FR_FORMAT, ":4: 3 entries are declared"},
    {"formats/lagraph/mangled8.mtx", FR_FORMAT, ":4: the line \"rows columns entries\""},
    {"formats/lagraph/mangled9.mtx", FR_UNSUPPORTED, ":4: a 3 x 4 matrix"},
    {"formats/lagraph/mangled14.mtx", FR_UNSUPPORTED, ":5: a 3 x 4 matrix"},
    {"formats/lagraph/mangled15.mtx", FR_UNSUPPORTED, ":1: an array (dense) matrix"},
    {"formats/lagraph/mangled_format.mtx", FR_UNSUPPORTED, ":1: an array (dense) matrix"},
    {"formats/lagraph/matrix_fp32.mtx", FR_FORMAT, ":7: the weight -inf is not an integer"},
    {"formats/lagraph/skew_fp64.mtx", FR_RANGE, ":4: the weight inf is out of range"},
    {"formats/lagraph/comments_west0067.mtx", FR_RANGE, ":6: the weight nan is out of range"},
    {"formats/lagraph/empty.mtx", FR_UNSUPPORTED, ":4: a 3 x 4 matrix"},
    {"formats/cholmod/mangle1.mtx", FR_FORMAT, ":1: the banner says \"junk\""},
    {"formats/cholmod/mangle2.mtx", FR_FORMAT, ":1: the banner says \"junk\""},
    {"formats/cholmod/mangle3.mtx", FR_FORMAT, ":1: \"junk\" is not a known value type"},
    {"formats/cholmod/mangle4.mtx", FR_FORMAT, ":1: \"junk\" is not a known symmetry"},
    {"formats/cholmod/fullcrud1.mtx", FR_FORMAT, ":1: the line \"rows columns entries\""},
    {"formats/cholmod/fullrsa.mtx", FR_UNSUPPORTED, ":1: an array (dense) matrix"},
    {"formats/cholmod/cza.mtx", FR_UNSUPPORTED, ":1: complex values"},
    {"formats/cugraph/karate_str.mtx", FR_FORMAT, ":1: the line \"rows columns entries\""},
    {"formats/spqr/a1.mtx", FR_FORMAT, ":11: row 0 is outside 1..4"},
};

static const char *path_of(const char *file) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", SHARED_GRAPHS, file);
    return path;
}

static bool skipped(void) {
#ifndef FRI_HAVE_ARCHIVE
    print_message("skipped: some are packed, and this build has no libarchive\n");
    return true;
#endif
    if (access(SHARED_GRAPHS "/SOURCES.md", R_OK) == 0)
        return false;
    print_message("skipped: %s is not there\n", SHARED_GRAPHS);
    return true;
}

static void counts_agree(void **state) {
    fr_ctx *ctx = *state;
    if (skipped())
        skip();
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
        fr_graph *graph;
        assert_ok(ctx, fr_graph_load(ctx, path_of(graphs[i].file), NULL, &graph));
        const fr_csr *csr = fr_graph_csr(graph);
        if (csr->n != graphs[i].n || csr->m != graphs[i].m || csr->weight_type != graphs[i].type ||
            csr->symmetric != graphs[i].symmetric)
            fail_msg("%s: n %d, m %lld, weights %s, symmetric %d", graphs[i].file, csr->n,
                     (long long)csr->m, fr_type_name(csr->weight_type), csr->symmetric);
        fr_graph_free(graph);
    }
}

static void the_malformed_are_refused(void **state) {
    fr_ctx *ctx = *state;
    if (skipped())
        skip();
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(counts_agree, test_ctx_new, test_ctx_free),
        cmocka_unit_test_setup_teardown(the_malformed_are_refused, test_ctx_new, test_ctx_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
