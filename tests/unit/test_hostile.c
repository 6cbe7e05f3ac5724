/* Memory for files that declare more than they hold: at most 64 bytes per byte of the unpacked
 * file plus 64 MB, regardless of headers and ids. */
#include "base/checksum.h"
#include "support/files.h"

#include <stdio.h>

enum { FREE = 64 << 20, PER_BYTE = 64 };

static void expect_bounded(const char *name, const void *bytes, size_t size, fr_status expected,
                           const char *says) {
    fr_graph *graph;
    fr_ctx *ctx = test_ctx_threads(4);
    fr_status status = fr_graph_load(ctx, test_put(name, bytes, size), NULL, &graph);
    if (fr_ctx_peak_bytes(ctx) > FREE + PER_BYTE * size)
        fail_msg("%s of %zu bytes takes %zu: %.40s", name, size, fr_ctx_peak_bytes(ctx),
                 (const char *)bytes);
    if (status != expected || (says && !strstr(fr_ctx_error(ctx), says)))
        fail_msg("%s: %.40s: %s: %s", name, (const char *)bytes, fr_status_name(status),
                 fr_ctx_error(ctx));
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

#define MM "%%MatrixMarket matrix coordinate pattern "
#define TNTP(nodes, links)                                                                         \
    "<NUMBER OF NODES> " nodes "\n<NUMBER OF LINKS> " links "\n<END OF METADATA>\n1 2 3 4 5\n"
#define MANY "vertices are too many for"

static const struct {
    const char *name, *text;
    fr_status status;
    const char *says;
} texts[] = {
    {"a.gr", "p sp 50000000 1\na 1 2 3\n", FR_NOMEM, "a.gr:1:1: 50000000 " MANY " 1 entry"},
    {"a.gr", "p sp 2147483647 1\na 1 2 3\n", FR_NOMEM, "max_memory_bytes"},
    {"a.gr", "p sp 2 1099511627776\na 1 2 3\n", FR_FORMAT, NULL},
    {"a.gr", "p sp 4611686018427387904 4611686018427387904\na 1 2 3\n", FR_RANGE, NULL},
    {"a.gr", "p sp 4194304 1\na 1 2 3\n", FR_OK, NULL},
    {"a.mtx", MM "general\n2147483647 2147483647 1\n1 2\n", FR_NOMEM,
     "a.mtx:2:1: 2147483647 " MANY},
    {"a.mtx", MM "symmetric\n2147483647 2147483647 0\n", FR_NOMEM, MANY " 0 entries"},
    {"a.mtx", MM "general\n4611686018427387904 4611686018427387904 1\n1 2\n", FR_RANGE, NULL},
    {"a.mtx", MM "general\n2 2 1099511627776\n1 2\n", FR_FORMAT, NULL},
    {"a.mtx", MM "general\n4000000 4000000 1\n1 2\n", FR_OK, NULL},
    {"a.el", "0 1\n0 99999999\n", FR_NOMEM, "a.el:2:1: 100000000 " MANY " 2 entries"},
    {"a.el", "0 2147483646\n", FR_NOMEM, MANY},
    {"a.el", "# Nodes: 2147483647\n0 1\n", FR_NOMEM, "a.el:1:1: 2147483647 " MANY},
    {"a.wel", "0 2147483646 1.5\n", FR_NOMEM, MANY},
    {"a.txt", "# Nodes: 2147483647 Edges: 1\n0 1\n", FR_NOMEM, "a.txt:1:1: 2147483647 " MANY},
    {"a.txt", "# Nodes: 2147483647\n", FR_NOMEM, MANY " 0 entries"},
    {"a.txt", "# Edges: 1099511627776\n0 1\n", FR_FORMAT, NULL},
    {"a.txt", "0 9223372036854775807\n-9223372036854775808 4\n", FR_OK, NULL},
    {"a.txt", "0 2147483646\n", FR_OK, NULL},
    {"a.graph", "2147483647 0\n", FR_FORMAT, NULL},
    {"a.graph", "2147483647 1099511627776 11 1048576\n1\n", FR_FORMAT, NULL},
    {"a.graph", "2 1099511627776\n2\n1\n", FR_FORMAT, NULL},
    {"a.graph", "4611686018427387904 4611686018427387904\n", FR_RANGE, NULL},
    {"a.adj", "AdjacencyGraph 2147483647 0\n0\n", FR_FORMAT, "too few"},
    {"a.adj", "WeightedAdjacencyGraph 2 1099511627776\n0\n", FR_FORMAT, "too few"},
    {"a.tntp", TNTP("2147483647", "1"), FR_NOMEM, "a.tntp:1:1: 2147483647 " MANY " 1 entry"},
    {"a.tntp", TNTP("2", "1099511627776"), FR_FORMAT, "too few"},
    {"a.tntp", TNTP("4000000", "1"), FR_OK, NULL},
    {"out.a", "% asym unweighted\n% 1 2147483647 2147483647\n1 2\n", FR_NOMEM, MANY " 1 entry"},
    {"out.a", "% bip unweighted\n% 1 2147483646 1\n1 1\n", FR_NOMEM, MANY " 1 entry"},
    {"out.a", "% bip unweighted\n1 2147483646\n", FR_NOMEM, MANY " 1 entry"},
    {"a.net", "*Vertices 2147483647\n*Arcs\n1 2\n", FR_NOMEM, "a.net:1:1: 2147483647 " MANY},
    {"a.net", "*Vertices 4611686018427387904\n", FR_RANGE, NULL},
    {"a.net", "*Vertices 2\n*Arcs\n1 4611686018427387904\n", FR_FORMAT, NULL},
    {"a.net", "*Vertices 2000000\n*Arcs\n1 2 1e300\n", FR_OK, NULL},
};

static void oversized_claims_of_texts(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++)
        expect_bounded(texts[i].name, texts[i].text, strlen(texts[i].text), texts[i].status,
                       texts[i].says);
}

static void with_base(void **state) {
    (void)state;
    fr_graph *graph;
    const fr_load_options base = {.id_base = 1};
    fr_ctx *ctx = test_ctx(NULL);
    const char *path = test_put("b.txt", "0 1\n0 99999999\n", 15);
    assert_int_equal(fr_graph_load(ctx, path, &base, &graph), FR_NOMEM);
    assert_non_null(strstr(fr_ctx_error(ctx), "b.txt:2:1: 100000000 " MANY));
    assert_true(fr_ctx_peak_bytes(ctx) <= FREE);
    fr_ctx_free(ctx);
}

static void a_limit_allows_it(void **state) {
    (void)state;
    fr_graph *graph;
    const fr_ctx_options options = {.threads = 1, .max_memory_bytes = (size_t)256 << 20};
    fr_ctx *ctx = test_ctx(&options);
    const char *path = test_put("l.gr", "p sp 5000000 1\na 1 2 3\n", 23);
    assert_ok(ctx, fr_graph_load(ctx, path, NULL, &graph));
    assert_int_equal(fr_graph_csr(graph)->n, 5000000);
    fr_graph_free(graph);
    path = test_put("l.gr", "p sp 50000000 1\na 1 2 3\n", 24);
    assert_refused(ctx, fr_graph_load(ctx, path, NULL, &graph), FR_NOMEM, "limit");
    fr_ctx_free(ctx);
}

/* One short line, many times: what a line, a number, a byte may cost. */
static void repeated(void **state) {
    (void)state;
    static const struct {
        const char *name, *head, *line, *tail;
        fr_status status;
    } cases[] = {
        {"r.el", "", "1 1\n", "", FR_OK},
        {"r.el", "", "\n", "1 1\n", FR_OK},
        {"r.wel", "", "1 1 1\n", "1 1 .5\n", FR_OK},
        {"r.wel", "", "1 1 1\n", "1 1 9999999999\n", FR_OK},
        {"r.txt", "", "1 1\n", "-1 1\n", FR_OK},
        {"r.txt", "", "1 1 1\n", "-1 1 .5\n", FR_OK},
        {"r.net", "*Vertices 1\n*Edgeslist\n1", " 1", "\n", FR_OK},
        {"r.net", "*Vertices 2\n*Arcs\n1 2 3\n*Edgeslist\n1", " 2", "\n", FR_OK},
        {"r.net", "*Vertices 2\n", "*Arcs\n1 1 1\n*Edges\n1 1\n", "1 1 .5\n", FR_OK},
        {"r.net", "*Vertices 36194304\n*Edgeslist\n1", " 2", "\n", FR_NOMEM},
        {"r.net", "*Vertices 6190000\n*Arcs\n1 2 .5\n*Edgeslist\n1", " 2", "\n", FR_OK},
        {"r.net", "*Vertices 8190000\n*Arcs\n1 2 .5\n*Edges\n", "1 2\n", "\n", FR_OK},
        {"r.adj", "AdjacencyGraph 1000000 0\n", "0\n", "", FR_OK},
        {"r.adj", "WeightedAdjacencyGraph 1 499999 0\n", "0 ", "1 .5\n", FR_FORMAT},
        {"out.r", "% sym unweighted\n", "1 1\n", "", FR_OK},
        {"out.r", "% bip weighted\n", "1 1 1\n", "1 1 .5\n", FR_OK},
        {"r.tntp", "<NUMBER OF NODES> 1\n<NUMBER OF LINKS> 399993\n<END OF METADATA>\n",
         "1 1 1 1 1\n", "", FR_OK},
        {"r.graph", "1 0 11 1\n", "1 ", "\n", FR_FORMAT},
        {"r.graph", "1000000 0\n", "\n", "", FR_OK},
    };
    enum { BYTES = 4000000 };
    char *text = malloc(BYTES + 64);
    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t length = strlen(cases[i].line), size = (size_t)sprintf(text, "%s", cases[i].head);
        for (int k = 0; k < 1000000 && size + length <= BYTES; k++, size += length)
            memcpy(text + size, cases[i].line, length);
        size += (size_t)sprintf(text + size, "%s", cases[i].tail);
        text[size] = '\0';
        expect_bounded(cases[i].name, text, size, cases[i].status, NULL);
    }
    free(text);
}

static void oversized_claims_of_binaries(void **state) {
    (void)state;
    static const int64_t counts[][2] = {/* m, n */
                                        {1, INT32_MAX},
                                        {INT64_C(1) << 40, 2},
                                        {INT64_C(1) << 62, INT64_C(1) << 62}};
    static const char *const names[] = {"b.sg", "b.wsg"};
    for (int i = 0; i < 3; i++)
        for (int f = 0; f < 2; f++) {
            char bytes[64] = {1};
            memcpy(bytes + 1, counts[i], sizeof counts[i]);
            expect_bounded(names[f], bytes, sizeof bytes, i == 2 ? FR_RANGE : FR_FORMAT, NULL);
        }
    /* the counts fill the size that the file has: with weights, and with offsets beyond the edges */
    const int64_t weighted[8] = {2, 2, 64, 0, 1, 2}, beyond[8] = {2, 4, 64, 0, INT64_MAX, 4};
    expect_bounded("b.bin", weighted, sizeof weighted, FR_UNSUPPORTED, "graph with weights");
    expect_bounded("b.bin", beyond, sizeof beyond, FR_FORMAT, "do not ascend");
    for (int i = 0; i < 3; i++) { /* docs/formats.md */
        char bytes[512] = "\x89"
                          "FRINGE\n";
        const uint32_t numbers[] = {0x01020304, 1, 0, 0};
        memcpy(bytes + 8, numbers, sizeof numbers);
        memcpy(bytes + 24, &counts[i][1], 8);
        memcpy(bytes + 32, &counts[i][0], 8);
        uint64_t sum = fri_checksum(1, bytes, 248);
        memcpy(bytes + 248, &sum, sizeof sum);
        expect_bounded("b.fringe", bytes, sizeof bytes, i == 2 ? FR_RANGE : FR_FORMAT, NULL);
    }
}

static void oversized_claims_of_properties(void **state) {
    (void)state;
    static const char declared[] = "graph.p.meta.vertices = 2147483647\n"
                                   "graph.p.meta.edges = 1099511627776\n";
    test_put("p.v", "1\n2\n", 4);
    test_put("p.e", "1 2\n", 4);
    expect_bounded("p.properties", declared, sizeof declared - 1, FR_FORMAT,
                   "vertices are declared");
}

#ifdef FRI_HAVE_ARCHIVE
/* A hole in a sparse archive is a header's word as well. */
static void oversized_claims_of_archives(void **state) {
    (void)state;
    if (!test_shell(
            "(echo 1 2 > h.el; truncate -s 900M h.el; echo 1 2 >> h.el) && tar cSf h.tar h.el"))
        skip();
    size_t size;
    char *bytes = test_read(test_path("h.tar"), &size);
    expect_bounded("hole.tar", bytes, size, FR_NOMEM, "a sparse file with 900 MiB of holes");
    free(bytes);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oversized_claims_of_texts),
        cmocka_unit_test(with_base),
        cmocka_unit_test(a_limit_allows_it),
        cmocka_unit_test(repeated),
        cmocka_unit_test(oversized_claims_of_binaries),
        cmocka_unit_test(oversized_claims_of_properties),
#ifdef FRI_HAVE_ARCHIVE
        cmocka_unit_test(oversized_claims_of_archives),
#endif
    };
    return cmocka_run_group_tests(tests, test_folder_make, test_folder_remove);
}
