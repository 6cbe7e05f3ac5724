/* Edge lists: accepted input, numbering, and the message for each refused input. */
#include "support/cases.h"

#include <stdio.h>

static const test_good edge_lists_are_read_cases[] = {
    {"a.txt", "0 1\n1 2\n", "3: 0>1 1>2"},
    {"a.txt", "# c\n\n% d\n0\t1\r\n2,0\r\n", "3: 0>1 2>0"},
    {"a.txt", "7 1000000\n-3 7", "3: -3>7 7>1000000"},
    {"a.txt", "9223372036854775807 -9223372036854775808\n0 0\n",
     "3: 0>0 9223372036854775807>-9223372036854775808"},
    {"a.txt", "5 6\n6 7\n", "3: 5>6 6>7"},
    {"a.txt", "# Nodes: 5 Edges: 2\n0 1\n1 2\n", "5: 0>1 1>2"},
    {"a.txt", "# Nodes: 5 Edges: 2\n5 1\n1 2\n", "5: 1>2 5>1"},
    {"a.txt", "# Nodes: 3\n10 30\n30 20\n", "3: 10>30 30>20"},
    {"a.txt", "# Nodes: 2 Edges: 1\n0 1\n1 0\n", "2: 0>1 1>0"},
    {"a.txt", "# Nodes: 3 Edges: 0\n", "3:"},
    {"a.csv", "from,to,cost\n1,2,3\n2,1,4\n", "2: 1>2/3 2>1/4", FR_TYPE_I32},
    {"a.csv", "1,2,3\n2,1,4.5\n", "2: 1>2/3 2>1/4.5", FR_TYPE_F64},
    {"a.csv", "1,2,3\n2,1,3000000000\n", "2: 1>2/3 2>1/3000000000", FR_TYPE_I64},
    {"a.csv", "1,2,-9223372036854775808\n2,1,9223372036854775807\n",
     "2: 1>2/-9223372036854775808 2>1/9223372036854775807", FR_TYPE_I64},
    {"a.csv", "1,2,3\n2,1,4\n", "2: 1>2/3 2>1/4", FR_TYPE_I64, OPTIONS(.weight_type = FR_TYPE_I64)},
    {"a.csv", "1,2,3000000000\n2,1,4.5\n1,1,9007199254740992\n",
     "2: 1>1/9.0072e+15 1>2/3e+09 2>1/4.5", FR_TYPE_F64},
    {"a.csv", "1,2,3,1.5\n2,1,4,2.5\n", "2: 1>2/1.5 2>1/2.5", FR_TYPE_F64,
     OPTIONS(.weight_column = "4")},
    {"a.csv", "1,2,3,x,9\n2,1,4,y\n", "2: 1>2/3 2>1/4", FR_TYPE_I32},
    {"a.csv", "1,2,x\n2,1\n", "2: 1>2 2>1", FR_TYPE_NONE, OPTIONS(.weights = FR_WEIGHTS_NONE)},
    {"a.csv", "1,2,3\n", "2: 1>2/3", FR_TYPE_F64, OPTIONS(.weight_type = FR_TYPE_F64)},
    {"a.txt",
     "\xef\xbb\xbf"
     "1 2\n2 3\n",
     "3: 1>2 2>3"},
    {"a.csv", "from node,to node\n1,2\n2,1\n", "2: 1>2 2>1"},
    {"a.csv", "\"from\",\"to\"\r\n1,2\r\n", "2: 1>2"},
    {"a.tsv", "# Nodes: 3\nfrom node\tto node\n0 \t 1\n", "3: 0>1"},
    {"a.txt", "source target\n1 2\n", "2: 1>2"},
    {"a.xyz", "info infinite\n1 2\n", "2: 1>2"},
    {"a.csv", "1 , 2,3,,\n", "2: 1>2/3", FR_TYPE_I32},
    {"a.txt", "1 2 , \n2 3\n", "3: 1>2 2>3"},
    {"a.txt", "1 4\n", "5: 1>4", FR_TYPE_NONE, OPTIONS(.id_base = 1)},
    {"a.txt", "2 4\n", "4: 2>4", FR_TYPE_NONE, OPTIONS(.id_base = 2)},
    {"a.txt", "2 4\n", "2: 2>4 4>2", FR_TYPE_NONE, OPTIONS(.direction = FR_DIRECTION_UNDIRECTED)},
    {"a.el", "2 4\n", "5: 2>4"},
    {"a.wel", "2 4 9\n0 1 1\n", "5: 0>1/1 2>4/9", FR_TYPE_I32},
    {"a.wel", "2 4 .5\n0 1 1\n", "5: 0>1/1 2>4/0.5", FR_TYPE_F64},
    {"a.xyz", "0 1\n1 2\n", "3: 0>1 1>2"},
    {"a.xyz", "0 1 5 6\n1 2 6 7\n3 0 7 8\n", "4: 0>1/5 1>2/6 3>0/7", FR_TYPE_I32},
    {"a.txt", "0 1 2 .5\n1 2 3 .5\n2 3 1 .5\n", "4: 0>1/0.5 1>2/0.5 2>3/0.5", FR_TYPE_F64,
     OPTIONS(.weight_column = "4")},
    {"a.txt", "\"1\" 2\n2 3\n", "3: 1>2 2>3"},
    {"a.csv", "\"1\",\"2\"\n", "2: 1>2"},
    {"a.tsv", "1\t2\t3\n2\t1\t4\n", "2: 1>2/3 2>1/4", FR_TYPE_I32},
    {"a.tsv", "1\t\t2\n2\t\t1\n", "2: 1>2 2>1"},
    /* a multigraph of the 10th DIMACS challenge, and vertex sizes */
    {"a.graph", "3 6 100\n1 2 2\n1 1 3\n2\n", "3: 1>1 1>2 1>2 2>1 2>1 2>3 3>2"},
    {"a.graph", "3 7 100\n1 2 2\n1 1 3\n2\n", "3: 1>1 1>2 1>2 2>1 2>1 2>3 3>2"},
    {"a.xyz", "3 7 100\n1 2 2\n1 1 3\n2\n", "3: 1>1 1>2 1>2 2>1 2>1 2>3 3>2"},
    {"a.graph", "3 2 100\n5 2\n5 1 3\n9 2\n", "3: 1>2 2>1 2>3 3>2"},
    {"a.graph", "3 1\n2\n1", "3: 1>2 2>1"}, /* the last line is not there */
    /* KONECT */
    {"out.a", "% sym weighted\n% 3 4\n1 2 3.5\n2 3 1\n3 4 2\n",
     "4: 1>2/3.5 2>1/3.5 2>3/1 3>2/1 3>4/2 4>3/2", FR_TYPE_F64},
    {"out.a", "% sym unweighted\n1 2 1\n", "2: 1>2 2>1"},
    {"out.a", "% asym signed\n% 2 3 3\n1 2 -1\n2 1 1\n", "3: 1>2/-1 2>1/1", FR_TYPE_I32},
    {"out.a", "% asym positive\n1 2 5\n1 2 3\n", "2: 1>2 1>2"},
    {"out.a", "% asym positive\n1 2 5\n1 2 3\n", "2: 1>2/3 1>2/5", FR_TYPE_I32,
     OPTIONS(.weight_column = "3")},
    {"out.a", "% sym unweighted\n1 2\n", "2: 1>2", FR_TYPE_NONE,
     OPTIONS(.direction = FR_DIRECTION_DIRECTED)},
    {"out.a", "% bip unweighted\n% 3 2 2\n1 1\n1 2\n2 1\n", "4: 1>3 1>4 2>3 3>1 3>2 4>1"},
    {"out.a", "% bip unweighted\n1 1\n3 2\n", "5: 1>4 3>5 4>1 5>3"},
    {"out.a", "% sym weighted\n1 9 2 3.5\n2 9 3 1.5\n", "3: 1>2/3.5 2>1/3.5 2>3/1.5 3>2/1.5",
     FR_TYPE_F64, OPTIONS(.source_column = "1", .target_column = "3", .weight_column = "4")},
};

static void edge_lists_are_read(void **state) {
    test_all_good(*state, edge_lists_are_read_cases, COUNT(edge_lists_are_read_cases));
}

static const test_bad edge_lists_are_refused_cases[] = {
    {"a.cedge", "0 0 1 .5\n1 0 6 .5\n2 1 2 .5\n", FR_FORMAT,
     "a.cedge:1:1: column 1 counts the lines"},
    {"a.txt", "7 0 1 .5\n8 0 6 .5\n9 1 2 .5\n", FR_FORMAT, "a.txt:1:1: column 1 counts the lines"},
    {"a.csv", "n;a;b;w\n0;0;1;.5\n1;0;6;.5\n2;1;2;.5\n", FR_FORMAT,
     "a.csv:2:1: column 1 counts the lines"},
    {"a.csv", "from,to,cost\n5,6,\n6,7,1\n", FR_FORMAT, "a.csv:2:5: column 3 is empty"},
    {"a.tsv", "from\tto\tcost\n5\t6\t\n6\t7\t1\n", FR_FORMAT, "a.tsv:2:5: column 3 is empty"},
    {"a.tsv", "1\t2\t3\t4\n1\t\t3\t4\n", FR_FORMAT, "a.tsv:2:4: the column before \"3\" is empty"},
    {"a.tsv", "1\t2\t1\t7\n2\t3\t2,5\t8\n", FR_FORMAT, "a.tsv:2:7: the line has a comma"},
    {"a.txt", "1 2 1\n2 3 2,5\n", FR_FORMAT, "a.txt:2:7: the line has a comma"},
    {"a.txt", "1 2 1,5\n2 3 2,5\n", FR_FORMAT,
     "a.txt:1:1: blanks and commas both stand between numbers: the field separator says which"},
    {"out.a", "% asym dynamic\n1 2 1 9\n", FR_UNSUPPORTED,
     "out.a:1:1: edges of a dynamic network appear and vanish"},
    {"out.a", "% sym unweighted\n% 3 4\n1 2\n2 3\n", FR_FORMAT,
     "out.a:2:1: 3 edges are declared, 2 follow"},
    {"out.a", "% bip unweighted\n0 1\n", FR_FORMAT, "out.a:2:1: source 0 is outside 1..2147483647"},
    {"out.a", "% bip unweighted\nann bob\n", FR_UNSUPPORTED,
     "out.a:1:1: the two sides of a bipartite network have ids of their own, which",
     OPTIONS(.ids = FR_IDS_STRINGS)},
    {"a.wel", "cost,to,from\n1,2,3\n", FR_FORMAT,
     "a.wel:1:1: by their names the columns are not source, target and weight in this"},
    {"a.wel", "% sym unweighted\n1 2 3\n", FR_FORMAT, NULL, OPTIONS(.format = "wel")},
    {"a.txt", "# nothing\n", FR_FORMAT, "a.txt:2:1: the file contains no edge"},
    {"a.csv", "from,to\n", FR_FORMAT, "a.csv:2:1: the file contains no edge"},
    {"a.csv", "from,to\na,b\n", FR_FORMAT, "a.csv:2:1: expected a source id, found \"a,b\""},
    {"a.txt", "1 2\r3 4\r", FR_FORMAT, "a.txt:1:4: the line ends with a carriage return"},
    {"a.el", "# 4\n1 2\r3 4\r", FR_FORMAT, "a.el:2:4: the line ends with a carriage return"},
    {"a.txt", "x1 2\n2 3\n", FR_FORMAT,
     "a.txt:1:1: column 1: \"x1\" is not a vertex id, and \"2\" is not a column name"},
    {"a.txt", ".5 2\n2 3\n", FR_FORMAT, "a.txt:1:1: column 1: \".5\" is not a vertex id"},
    {"a.txt", "(1,2)\n2 3\n", FR_FORMAT, "a.txt:1:1: column 1: \"(1,2)\" is not a vertex id"},
    {"a.txt", "NaN 1\n2 3\n", FR_FORMAT, "a.txt:1:1: column 1: \"NaN\" is not a vertex id"},
    {"a.txt", "a -inf\n2 3\n", FR_FORMAT},
    {"a.txt", "*1 2\n2 3\n", FR_FORMAT},
    {"a.txt", "e 1 2\ne 2 3\n", FR_FORMAT},
    {"noext", "x1 2\n2 3\n", FR_FORMAT},
    {"a.txt", "one\n1 2\n2 3\n", FR_FORMAT,
     "a.txt:1:1: column 1: \"one\" is not a vertex id, and 1 names do not match the 2 columns that "
     "follow"},
    {"a.csv", "from,to,cost\n1,2\n", FR_FORMAT},
    {"a.csv", "from,to\nfrom,to\n1,2\n", FR_FORMAT,
     "a.csv:2:1: expected a source id, found \"from,to\""},
    {"a.txt", "1 2\n2 3 4\n", FR_FORMAT,
     "a.txt:2:5: \"4\" is in excess of the 2 columns of the first edge"},
    {"a.txt", "1 2 3\n2 3 4\n3 4 5 x\n", FR_FORMAT},
    {"a.txt", "1 2 3 4\n2 3 4 5 6\n", FR_FORMAT, NULL, OPTIONS(.weight_column = "4")},
    {"a.txt", "1 2\n2 3 4\n", FR_FORMAT, NULL, OPTIONS(.weights = FR_WEIGHTS_NONE)},
    {"a.csv", "1,2,3,4\n2,3,,5\n", FR_FORMAT, "a.csv:2:6: the column before \"5\" is empty"},
    {"a.csv", "1,2,3,4\n2,3,4, ,5\n", FR_FORMAT, NULL, OPTIONS(.weight_column = "4")},
    {"a.csv", "1,2\n2,,3\n", FR_FORMAT, "a.csv:2:4: the column before \"3\" is empty"},
    {"a.csv", "1,2\n,2,3\n", FR_FORMAT, "a.csv:2:2: the column before \"2,3\" is empty"},
    {"a.txt", "1.0 2.0\n", FR_FORMAT, "a.txt:1:1: source \"1.0\" is not an integer"},
    {"a.txt", "1 2.0\n", FR_FORMAT, "a.txt:1:3: target \"2.0\" is not an integer"},
    {"a.wel", "1 2 3\n1 2.5 3\n", FR_FORMAT, "a.wel:2:3: target \"2.5\" is not an integer"},
    {"a.txt", "0 1\n1 two\n", FR_FORMAT, "a.txt:2:3: expected a target id, found \"two\""},
    {"a.txt", "0 1\n1\n", FR_FORMAT, "a.txt:2:2: expected a target id, found the end of the line"},
    {"a.txt", "0 1\n1 9223372036854775808\n", FR_RANGE,
     "a.txt:2:3: target 9223372036854775808 does not fit 64 bits"},
    {"a.txt", "# Nodes: 3 Edges: 3\n0 1\n", FR_FORMAT,
     "a.txt:1:1: 3 edges are declared, 1 follows"},
    {"a.txt", "# Nodes: 3 Edges: 2\n0 1\n1 2\n2 0\n", FR_FORMAT,
     "a.txt:1:1: 2 edges are declared, 3 follow"},
    {"a.txt", "# Nodes: 3000000000\n0 1\n", FR_RANGE},
    {"a.txt", "0 1 5\n1 2\n", FR_FORMAT,
     "a.txt:2:4: expected a weight in column 3, found the end of the line"},
    {"a.txt", "0 1 {}\n", FR_FORMAT, "a.txt:1:5: expected a weight in column 3, found \"{}\""},
    {"a.txt", "0 1 nan\n", FR_RANGE, "a.txt:1:5: the weight nan is not a finite number"},
    {"a.txt", "0 1 5\n1 2 1e999\n", FR_RANGE},
    {"a.txt", "0 1 9223372036854775808\n", FR_RANGE},
    {"a.txt", "0 1 9007199254740993\n1 2 .5\n", FR_RANGE,
     "a.txt:1:5: the weight 9007199254740993 is beyond 2^53, and other weights are"},
    {"a.txt", "1 2 .5\n0 1 9007199254740993\n", FR_RANGE,
     "a.txt:2:5: the weight 9007199254740993 is beyond 2^53, and other weights are"},
    {"a.wel", "1 2 .5\n0 1 9007199254740993\n", FR_RANGE},
    {"a.csv", "a,b,w\n1,2,.5\n0,1,9007199254740993\n", FR_RANGE, NULL,
     OPTIONS(.source_column = "a", .target_column = "b", .weight_column = "w")},
    {"a.txt", "0 1 1.0\n1 2 9007199254740993\n", FR_RANGE, NULL,
     OPTIONS(.weight_type = FR_TYPE_I64)},
    {"a.txt", "0 1 5\n", FR_FORMAT, "a.txt:1:1: the line has no column 4",
     OPTIONS(.weight_column = "4")},
    {"a.txt", "0 1 5\n", FR_INVALID, NULL, OPTIONS(.weight_column = "2")},
    {"a.txt", "1 1\n0 1\n", FR_FORMAT, "a.txt:2:1: source 0 is outside 1..2147483647",
     OPTIONS(.id_base = 2)},
    {"a.el", "0 -1\n", FR_FORMAT, "a.el:1:3: target -1 is outside 0..2147483646"},
    {"a.el", "0 1 2\n", FR_FORMAT, "a.el:1:5: unexpected \"2\" after the edge"},
    {"a.wel", "0 1\n", FR_FORMAT},
    {"a.wel", "# nodes: 4294967298\n2 2 9\n", FR_RANGE,
     "a.wel:1:1: 4294967298 vertices exceed the maximum of 2147483647"},
    {"a.el", "# nodes: 49999999999999\n2 2\n", FR_RANGE},
    {"a.el", "\n\n", FR_FORMAT},
};

static void edge_lists_are_refused(void **state) {
    test_all_bad(*state, edge_lists_are_refused_cases, COUNT(edge_lists_are_refused_cases));
}

static void assumptions_are_noted(void **state) {
    static const struct {
        const char *name, *text, *note; /* after '!' it is the warning, too */
    } cases[] = {
        {"a.txt", "1 2\n"},
        {"a.csv", "# c\nfrom, to ,weight\n1,2,3\n", "line 2 read as column names: from,to,weight"},
        {"a.csv", "fr\x1bom,to\n1,2\n", "line 1 read as column names: fr?om,to"},
        {"a.csv", "1,2,3,x,y\n", "!2 of 5 columns are not read"},
        {"a.csv", "a,b,c,d\n1,2,3,x\n",
         "line 1 read as column names: a,b,c,d; names of columns are not known, so that by their "
         "places source is column 1 \"a\", target is column 2 \"b\", weight is column 3 \"c\"; "
         "source_column, target_column and weight_column choose; 1 of 4 columns is not read "
         "(d)"},
        {"a.csv", "source,x,y\n1,2,3\n", /* no name of a weight */
         "line 1 read as column names: source,x,y; the name of the target's column is not known, "
         "so that by their places "
         "source is column 1 \"source\", target is column 2 \"x\"; source_column, target_column "
         "and weight_column choose; "
         "1 of 3 columns is not read (y)"},
        {"a.csv", "x,to,cost\n1,2,3\n",
         "line 1 read as column names: x,to,cost; the name of the source's column is not known, so "
         "that by their places "
         "source is column 1 \"x\", target is column 2 \"to\", weight is column 3 \"cost\"; "
         "source_column, target_column "
         "and weight_column choose"},
        {"a.csv", "id,from,to,cost\n1,2,3,4\n",
         "line 1 read as column names: id,from,to,cost; source is column 2 \"from\", target is "
         "column "
         "3 \"to\", weight is column 4 \"cost\"; 1 of 4 columns is not read (id)"},
        {"a.csv", "from,to,timestamp\n1,2,1082040961\n",
         "line 1 read as column names: from,to,timestamp; 1 of 3 columns is not read (timestamp)"},
        {"a.txt", "1 2 1082040961\n2 3 1082040962\n3 4 1082040970\n",
         "!column 3 is read as the weight, but looks like times (1082040961); weights none "
         "leaves "
         "it out"},
        {"a.txt", "1 2 1082040961\n2 3 782040962\n3 4 1082040970\n"},
        {"a.csv", "from,to,weight\n1,2,1082040961\n2,3,1082040962\n3,4,1082040970\n",
         "line 1 read as column names: from,to,weight"},
        {"a.txt", "# Nodes: 5\n10 20\n", "5 nodes are declared, 2 occur"},
        {"a.txt", "# Undirected graph: a\n1 2\n2 3\n",
         "!a comment calls the graph undirected, but each line is read as one direction; "
         "direction undirected reads both"},
        {"a.txt", "# Undirected graph: a\n1 2\n2 1\n"},
        {"out.a", "% asym positive\n1 2 3\n",
         "line 1 says directed; column 3 counts parallel edges and is no weight; weight_column 3 "
         "reads it"},
        {"out.a", "% bip unweighted\n1 1\n2 1\n",
         "line 1 says bipartite; bipartite: id R of the right side is 2 + R"},
        {"a.mtx", "2 2 1\n1 2\n", "no banner: read as pattern general"},
        {"a.net", "*Vertices 2\n*Arcs :1 \"r\"\n1 2 1 l \"x\"\n",
         "several relations are read as one; attributes of edges are not read"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        fr_graph *graph;
        assert_ok(*state, test_load_text(*state, cases[i].name, cases[i].text, NULL, &graph));
        const char *note = fr_graph_note(graph), *want = cases[i].note;
        const bool warns = want && *want == '!';
        if (warns)
            want++;
        if (!note != !want || (note && strcmp(note, want)))
            fail_msg("%s: note: %s", cases[i].text, note ? note : "none");
        if (warns)
            assert_string_equal(fr_graph_warning(graph), want);
        fr_graph_free(graph);
    }
}

/* Large enough for several pieces; a failure names its line whatever thread meets it. */
static void pieces_join(void **state) {
    fr_ctx *ctx = *state;
    const int lines = 60000;
    char *text = malloc((size_t)lines * 48);
    for (int wide = 0; wide < 3; wide++) {
        size_t at = 0, middle = 0;
        const int64_t step = wide == 2 ? INT64_C(1) << 40 : wide == 1 ? 1000003 : 1;
        for (int i = 0; i < lines; i++) {
            middle = i == lines / 2 ? at : middle;
            at += (size_t)sprintf(text + at, "%lld %lld\n", (long long)(i % 500 * step),
                                  (long long)((i + 1) % 500 * step));
        }
        fr_graph *graph;
        assert_ok(ctx, test_load_text(ctx, "big.txt", text, NULL, &graph));
        const fr_csr *csr = fr_graph_csr(graph);
        assert_int_equal(csr->n, 500);
        assert_int_equal(csr->m, lines);
        for (int32_t u = 0; u < 500; u++) {
            assert_int_equal(fr_graph_id(graph, u), u * step);
            assert_int_equal(fr_graph_vertex(graph, u * step), u);
            assert_int_equal(csr->offsets[u + 1] - csr->offsets[u], lines / 500);
            assert_int_equal(csr->targets[csr->offsets[u]], (u + 1) % 500);
        }
        assert_int_equal(fr_graph_vertex(graph, 500 * step), -1);
        fr_graph_free(graph);
        text[middle] = '!';
        assert_refused(ctx, test_load_text(ctx, "big.txt", text, NULL, &graph), FR_FORMAT,
                       "big.txt:30001:1: expected a source id, found \"!");
    }
    free(text);
}

/* Long comments at the sampled positions hide the number of short lines between them, however
 * the text is divided into four: the estimated capacity is exceeded, and no edge is lost. */
static void room_runs_out(void **state) {
    enum { PIECES = 8, WINDOWS = 15, PIECE = 256 << 10, HIDDEN = 8 << 10 };
    static char text[PIECES * PIECE + 1];
    fr_ctx *ctx = *state;
    int64_t lines = PIECES * PIECE / 4;
    for (size_t i = 0; i < sizeof text - 1; i++)
        text[i] = "1 2\n"[i % 4];
    for (int i = 0; i < PIECES * WINDOWS; i++) {
        char *at = text + (size_t)i * PIECE / WINDOWS / 4 * 4;
        memset(at, '#', HIDDEN - 1);
        lines -= HIDDEN / 4;
    }
    memset(text + PIECES * PIECE - HIDDEN, '#', HIDDEN - 1);
    lines -= HIDDEN / 4;
    fr_graph *graph;
    assert_ok(ctx, test_load_text(ctx, "hidden.txt", text, NULL, &graph));
    assert_int_equal(fr_graph_csr(graph)->m, lines);
    fr_graph_free(graph);
}

static void memory_is_asked_for_first(void **state) {
    (void)state;
    fr_ctx *ctx = test_ctx(&(fr_ctx_options){.max_memory_bytes = 1 << 20});
    fr_graph *graph = NULL;
    assert_int_equal(test_load_text(ctx, "a.txt", "# Nodes: 1000000\n0 1\n", NULL, &graph),
                     FR_NOMEM);
    assert_null(graph);
    fr_ctx_free(ctx);
}

TEST_PROGRAM_IN_FOLDER(TEST(edge_lists_are_read), TEST(edge_lists_are_refused),
                       TEST(assumptions_are_noted), TEST(pieces_join), TEST(room_runs_out),
                       TEST(memory_is_asked_for_first))
