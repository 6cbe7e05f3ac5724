/* Pajek networks: sections, values, directions. What is refused: test_bad_formats.c. */
#include "support/cases.h"

#include <stdio.h>

#define V3 "*Vertices 3\n"

static const test_good cases[] = {
    {"a.net", V3, "3:"},
    {"a.net", V3 "*Arcs\n1 2\n2 3\n", "3: 1>2 2>3"},
    {"a.net", V3 "*Edges\n1 2\n3 3\n", "3: 1>2 2>1 3>3"},
    {"a.net", V3 "*Arcs\n1 2\n*Edges\n2 3\n1 1\n", "3: 1>1 1>2 2>3 3>2"},
    {"a.net", V3 "*Edges\n2 3 7\n*Arcs\n1 2\n", "3: 1>2/1 2>3/7 3>2/7", FR_TYPE_I32},
    {"a.net", V3 "*Arcs\n1 2\n1 3\n2 3 .5\n", "3: 1>2/1 1>3/1 2>3/0.5", FR_TYPE_F64},
    {"a.net", V3 "*Arcs\n1 2 3000000000\n", "3: 1>2/3000000000", FR_TYPE_I64},
    {"a.net", V3 "*Arcs\n1 2 -4\n*Arcslist\n2 3 1\n", "3: 1>2/-4 2>1/1 2>3/1", FR_TYPE_I32},
    {"a.net", V3 "*Edgeslist\n1 2 3\n2\n", "3: 1>2 1>3 2>1 3>1"},
    {"a.net", V3 "*Arcs\n1 2 5\n", "3: 1>2", FR_TYPE_NONE, OPTIONS(.weights = FR_WEIGHTS_NONE)},
    {"a.net", V3 "*Arcs\n1 2 5\n", "3: 1>2/5", FR_TYPE_F64, OPTIONS(.weight_type = FR_TYPE_F64)},
    {"a.net", V3 "*Arcs\n0 2\n", "3: 0>2", FR_TYPE_NONE, OPTIONS(.id_base = 1)},
    {"a.net", V3 "*Arcs\n1 2\n*Edges\n2 3\n", "3: 1>2 2>1 2>3 3>2", FR_TYPE_NONE,
     OPTIONS(.direction = FR_DIRECTION_UNDIRECTED)},
    {"a.net", V3 "*Arcs\n1 2\n*Edges\n2 3\n", "3: 1>2 2>3", FR_TYPE_NONE,
     OPTIONS(.direction = FR_DIRECTION_DIRECTED)},
    {"a.txt", "% c\n\n*NETWORK x y\n*vertices 2 1\r\n*ARCS\r\n1 2\r\n", "2: 1>2"},
    {"a", "*Vertices 2\n1 \"*Arcs 2 1\" 0.5\n% 2\n*Arcs :1 \"x\"\n1 2 l \"3 4\"", "2: 1>2"},
};

static void networks_are_read(void **state) { test_all_good(*state, cases, COUNT(cases)); }

/* More than one block of each kind, values that begin late. */
static void blocks_join(void **state) {
    enum { N = 1000, LINES = 100000 };
    char *text = malloc((size_t)LINES * 24 + 64), *at = text;
    at += sprintf(at, "*Vertices %d\n", N);
    for (int i = 0; i < LINES; i++) {
        if (i % 1000 == 0)
            at += sprintf(at, i / 1000 % 2 ? "*Edges\n" : "*Arcs\n");
        at += sprintf(at, "%d %d%s\n", i % N + 1, i / N + 1, i > LINES / 2 ? " 2" : "");
    }
    fr_graph *graph;
    assert_ok(*state, test_load_text(*state, "big.net", text, NULL, &graph));
    const fr_csr *csr = fr_graph_csr(graph);
    int64_t sum = 0, loops = LINES / 1000 / 2;
    assert_int_equal(csr->n, N);
    assert_int_equal(csr->m, LINES + LINES / 2 - loops);
    for (int64_t e = 0; e < csr->m; e++)
        sum += ((const int32_t *)csr->weights)[e];
    /* values are 1 up to line LINES / 2, an arc, then 2; of each 1000 edges one is a loop */
    int64_t arcs = 25000 + 1 + 999 * 2 + 24 * 2000, edges = 25 * (2 * 1000 - 1) * (1 + 2);
    assert_int_equal(sum, arcs + edges);
    fr_graph_free(graph);
    free(text);
}

TEST_PROGRAM_IN_FOLDER(TEST(networks_are_read), TEST(blocks_join))
