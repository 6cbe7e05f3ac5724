/* Columns of edge lists by name and number. */
#include "support/cases.h"

#include <stdio.h>

#define COLUMNS(s, t, w)                                                                           \
    { .source_column = s, .target_column = t, .weight_column = w }

static const test_good good[] = {
    {"numbered.cedge", "0 0 1 0.5\n1 0 6 0.25\n2 1 2 4\n", "4: 0>1/0.5 0>6/0.25 1>2/4", FR_TYPE_F64,
     COLUMNS("2", "3", "4")},
    {"names.csv", "id,from,to,cost\n7,1,2,10\n8,2,3,20\n", "3: 1>2/10 2>3/20", FR_TYPE_I32,
     COLUMNS("from", "to", "cost")},
    {"order.csv", "cost,to,from\n10,2,1\n20,3,2\n", "3: 1>2/10 2>3/20", FR_TYPE_I32,
     COLUMNS("from", "to", "cost")},
    {"unweighted.csv", "from,to,cost\n1,2,10\n", "2: 1>2", FR_TYPE_NONE,
     COLUMNS("from", "to", NULL)},
    {"only-weight.csv", "from,to,when,cost\n1,2,monday,10\n", "2: 1>2/10", FR_TYPE_I32,
     COLUMNS(NULL, NULL, "cost")},
    {"reversed.txt", "1 2\n2 3\n", "3: 2>1 3>2", FR_TYPE_NONE, COLUMNS("2", "1", NULL)},
    {"text.csv", "a,b,road,km\n1,2,\"Main St, North\",3\n2,3,,4\n", "3: 1>2/3 2>3/4", FR_TYPE_I32,
     COLUMNS("a", "b", "km")},
    {"quoted.csv", "\"a\",\"b\"\n\"1\",\"2\"\n", "2: 1>2", FR_TYPE_NONE, COLUMNS("a", "b", NULL)},
    {"blanks.csv", " a , b \n 1 , 2 \r\n", "2: 1>2", FR_TYPE_NONE, COLUMNS("a", "b", NULL)},
    {"semicolon.csv", "a;b;w\n1;2;0.5\n", "2: 1>2/0.5", FR_TYPE_F64, COLUMNS("a", "b", "w")},
    {"tabs.tsv", "from node\tto node\tlabel\n1\t2\tx y\n", "2: 1>2", FR_TYPE_NONE,
     COLUMNS("from node", "to node", NULL)},
    {"comments.csv", "# made today\n\na,b\n# more\n1,2\n\n2,1", "2: 1>2 2>1", FR_TYPE_NONE,
     COLUMNS("a", "b", NULL)},
    {"header.csv", "a,b\n1,2\n", "2: 1>2", FR_TYPE_NONE, COLUMNS("1", "2", NULL)},
    {"spaces.txt", "  1   2    9\n 2\t3 8\n", "3: 1>2/9 2>3/8", FR_TYPE_I32,
     COLUMNS("1", "2", "3")},
    /* without options: by their names */
    {"id.csv", "id,source,target,weight\n1,10,20,5\n2,20,30,15\n", "3: 10>20/5 20>30/15",
     FR_TYPE_I32},
    {"osmnx.csv", "u,v,key,osmid,highway,length\n1,2,0,7,\"Main St, A\",1.5\n", "2: 1>2/1.5",
     FR_TYPE_F64},
    {"pgrouting.csv", "id,source,target,cost,reverse_cost\n1,10,20,5,6\n", "2: 10>20/5",
     FR_TYPE_I32},
    {"gephi.csv", "Source,Target,Type,Id,Label,Weight\n1,2,Undirected,0,,2.5\n",
     "2: 1>2/2.5 2>1/2.5", FR_TYPE_F64},
    {"gephi.csv", "Source,Target,Type,Weight\n1,2,Directed,2\n", "2: 1>2/2", FR_TYPE_I32},
    {"gephi.csv", "Source,Target,Type,Weight\n1,2,Undirected,2\n2,3,Directed,1\n", "3: 1>2/2 2>3/1",
     FR_TYPE_I32, OPTIONS(.direction = FR_DIRECTION_DIRECTED)},
    {"neo4j.csv", ":START_ID,:END_ID,:TYPE,weight:float\n1,2,KNOWS,2.5\n", "2: 1>2/2.5",
     FR_TYPE_F64},
    {"pandas.csv", ",source,target,weight\n0,10,20,1.5\n", "2: 10>20/1.5", FR_TYPE_F64},
    {"r.csv", "\"\",\"from\",\"to\"\n\"1\",10,20\n", "2: 10>20"},
    {"order.csv", "Weight,To,From\n5,2,1\n", "2: 1>2/5", FR_TYPE_I32},
    {"bom.csv", "\xef\xbb\xbf SRC ; DST ;Length [km]\r\n1;2;3\r\n", "2: 1>2/3", FR_TYPE_I32},
    {"tntp.tsv", "init_node\tterm_node\tcapacity\tlength\n1\t2\t3.5\t6\n", "2: 1>2/6", FR_TYPE_I32},
    {"nodes.csv", "# Nodes: 4\nid,u,v\n0,1,2\n1,4,1\n", "4: 1>2 4>1"},
    {"time.csv", "from,to,time\n1,2,99\n", "2: 1>2"},
    {"time.csv", "a,b,time\n1,2,99\n", "2: 1>2"},
    {"value.csv", "from,to,value,weight\n1,2,99,3\n", "2: 1>2/3", FR_TYPE_I32},
    {"value.csv", "from,to,value\n1,2,99\n", "2: 1>2/99", FR_TYPE_I32},
    {"weight.csv", "id,from,to,cost,length\n0,1,2,99,3\n", "2: 1>2/3", FR_TYPE_I32,
     COLUMNS(NULL, NULL, "length")},
    {"number.csv", "id,from,to,cost,length\n0,1,2,99,3\n", "2: 1>2/3", FR_TYPE_I32,
     COLUMNS(NULL, NULL, "5")},
    {"source.csv", "a,b,to\n0,1,2\n", "2: 1>2", FR_TYPE_NONE, COLUMNS("b", NULL, NULL)},
    /* separators and decimal signs */
    {"semi.csv", "1;2;3\n2;3;4\n", "3: 1>2/3 2>3/4", FR_TYPE_I32},
    {"comma.tsv", "1\t2\t1,5\n2\t3\t-2,5e1\n", "3: 1>2/1.5 2>3/-25", FR_TYPE_F64,
     OPTIONS(.decimal = ',')},
    {"comma.csv", "1;2;1,5\n2;3;2\n", "3: 1>2/1.5 2>3/2", FR_TYPE_F64, OPTIONS(.decimal = ',')},
    {"comma.txt", "1 2 1,5\n2 3 2,5\n", "3: 1>2/1.5 2>3/2.5", FR_TYPE_F64, OPTIONS(.decimal = ',')},
    {"comma.csv", "from;to;km\n1;2;1,5\n", "2: 1>2/1.5", FR_TYPE_F64, OPTIONS(.decimal = ',')},
    {"bar.txt", "1|2|3\n", "2: 1>2/3", FR_TYPE_I32, OPTIONS(.separator = '|')},
    {"colon.txt", "1:2\n2:3\n", "3: 1>2 2>3", FR_TYPE_NONE, OPTIONS(.separator = ':')},
    {"commas.txt", "1 ,2, 3\n", "2: 1>2/3", FR_TYPE_I32, OPTIONS(.separator = ',')},
};

static const test_bad bad[] = {
    {"none.csv", "from,to\n1,2\n", FR_FORMAT, "none.csv:1:1: no column is called \"cost\"",
     COLUMNS("from", "to", "cost")},
    {"short.csv", "a,b,w\n1,2,3\n1,2\n", FR_FORMAT, "short.csv:3:4: the line has no column 3",
     COLUMNS("a", "b", "w")},
    {"empty.csv", "a,b,w\n1,,3\n", FR_FORMAT,
     "empty.csv:2:3: column 2 is empty or has several words", COLUMNS("a", "b", "w")},
    {"words.csv", "a,b\n1,2\n1,2 3\n", FR_FORMAT,
     "words.csv:3:3: column 2 is empty or has several words", COLUMNS("a", "b", NULL)},
    {"twice.csv", "a,b\n1,2\n", FR_INVALID, "source and target are both column 1",
     COLUMNS("1", "a", NULL)},
    {"default.csv", "a,b\n1,2\n", FR_INVALID, "source and target are both column 2",
     COLUMNS("b", NULL, NULL)},
    {"id.csv", "a,b\n1,2\n# x\nx,3\n", FR_FORMAT, "id.csv:4:1: expected a source id, found \"x\"",
     COLUMNS("a", "b", NULL)},
    {"weight.csv", "a,b,w\n1,2,3\n2,3,x\n", FR_FORMAT, NULL, COLUMNS("a", "b", "w")},
    /* the place is that in the file, not in a copy of the chosen columns, and counts characters */
    {"place.csv", "x,w,b,a\n\xc3\xa9,7,1,2\n\xc3\xa9\xc3\xa9,7.x, 1, 2\n", FR_FORMAT,
     "place.csv:3:4: the weight \"7.x\" is not a number", COLUMNS("a", "b", "w")},
    {"place.csv", "a,b,w", FR_FORMAT, "place.csv:1:6: the file contains no edge",
     COLUMNS("b", "a", NULL)},
    {"place.csv", "x,b,a\n# a,b\n\xc3\xa9,1,2\n\xc3\xa9, 1,2x\n", FR_FORMAT,
     "place.csv:4:6: source \"2x\" is not an integer", COLUMNS("a", "b", NULL)},
    {"id.csv", "id,a,b\n1,2,3\n", FR_FORMAT,
     "id.csv:1:1: no column has a name that is known as the source's: source_column"},
    {"half.csv", "from,b,c,sink\n1,2,3,4\n", FR_INVALID, NULL, COLUMNS(NULL, "from", NULL)},
    {"half.csv", "a,from,b\n1,2,3\n", FR_FORMAT,
     "half.csv:1:1: no column has a name that is known as the target's:"},
    {"two.csv", "source,from,to\n1,2,3\n", FR_FORMAT,
     "two.csv:1:1: \"source\" and \"from\" may both be the name of the source's column"},
    {"two.csv", "from,to,cost,length\n1,2,3,4\n", FR_FORMAT,
     "two.csv:1:1: \"cost\" and \"length\" may both be the name of the weight's column"},
    {"guess.csv", "a;b;c\n1;2;3;4\n", FR_FORMAT,
     "guess.csv:1:1: 3 names do not match the 4 columns that follow"},
    {"guess.csv", "x;2;3\n1;2;3\n", FR_FORMAT,
     "guess.csv:1:1: the line is neither an edge nor names of columns: \"2\""},
    {"types.csv", "Source,Target,Type\n1,2,Directed\n2,3,Undirected\n", FR_FORMAT,
     "types.csv:3:5: column 3 says something else than in the first line"},
    {"comma.tsv", "1\t2\t1,5\n2\t3\t2,5\n", FR_FORMAT, "comma.tsv:1:5: column 3 has a comma"},
    {"comma.csv", "1;2;3\n2;3;4,5\n", FR_FORMAT},
    {"point.csv", "1;2;1,5\n2;3;2.5\n", FR_FORMAT,
     "point.csv:2:5: column 3 has a point, but the decimal sign is a comma",
     OPTIONS(.decimal = ',')},
    {"commas.csv", "1,2,3\n", FR_INVALID, NULL, OPTIONS(.separator = ',', .decimal = ',')},
    {"sign.csv", "1,2,3\n", FR_INVALID, NULL, OPTIONS(.separator = '1')},
    {"sign.csv", "1,2,3\n", FR_INVALID, NULL, OPTIONS(.decimal = ';')},
    {"sign.gr", "p sp 2 1\na 1 2 3\n", FR_INVALID, NULL, OPTIONS(.separator = ' ')},
    {"sign.gr", "p sp 2 1\na 1 2 3\n", FR_INVALID, NULL, OPTIONS(.decimal = ',')},
    {"graph.gr", "p sp 2 1\na 1 2 3\n", FR_INVALID, NULL,
     OPTIONS(.source_column = "1", .format = "gr")},
    {"weighted.gr", "p sp 2 1\na 1 2 3\n", FR_INVALID,
     "columns can be chosen in edge lists (format snap), not in the format gr",
     OPTIONS(.weight_column = "3")},
    {"found.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n", FR_INVALID,
     "columns can be chosen in edge lists (format snap), not in the format mtx",
     COLUMNS("1", "2", NULL)},
    {"names.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n", FR_INVALID,
     "ids can be strings in edge lists (format snap), not in the format mtx",
     OPTIONS(.ids = FR_IDS_STRINGS)},
};

static void columns_are_found(void **state) { test_all_good(*state, good, COUNT(good)); }
static void columns_are_missing(void **state) { test_all_bad(*state, bad, COUNT(bad)); }

/* Several megabytes, so that threads copy several pieces: as the plain list. */
static void large(void **state) {
    fr_ctx *ctx = *state;
    enum { LINES = 130000 };
    char *table = malloc(LINES * 60), *plain = malloc(LINES * 40), *t = table, *p = plain;
    t += sprintf(t, "name,to,w,from\n");
    for (int i = 0; i < LINES; i++) {
        int u = i % 50021, v = i * 41 % 50021;
        t += sprintf(t, "\"road %d, %s\",%d,%d.5,%d\n", i, i % 3 ? "x" : "a longer name", v, i, u);
        p += sprintf(p, "%d %d %d.5\n", u, v, i);
    }
    fr_load_options options = COLUMNS("from", "to", "w");
    fr_graph *a = NULL, *b = NULL;
    assert_true(t - table > 3 << 20);
    assert_ok(ctx, test_load_text(ctx, "plain.txt", plain, NULL, &a));
    assert_ok(ctx, test_load_text(ctx, "table.csv", table, &options, &b));
    assert_same_graph("a table", b, a);
    fr_graph_free(a);
    fr_graph_free(b);
    free(table);
    free(plain);
}

TEST_PROGRAM_IN_FOLDER(TEST(columns_are_found), TEST(columns_are_missing), TEST(large))
