/* What .gr, METIS, GAP binary and LDBC readers must refuse: status and place. */
#include "support/cases.h"

#define TNTP(nodes, links)                                                                         \
    "<NUMBER OF NODES> " nodes "\n<NUMBER OF LINKS> " links "\n<END OF METADATA>\n~ a comment ;\n"

static const test_bad cases[] = {
    {"a.gr", "c only\n", FR_FORMAT, "a.gr:2:1: the line \"p sp"},
    {"a.gr", "a 1 2 3\n", FR_FORMAT, "a.gr:1:"},
    {"a.gr", "p aux 2 1\na 1 2 3\n", FR_FORMAT, "a.gr:1:"},
    {"a.gr", "p sp 2\n", FR_FORMAT, "two counts"},
    {"a.gr", "p sp 2 1 7\na 1 2 3\n", FR_FORMAT, "unexpected text after"},
    {"a.gr", "p sp -2 1\na 1 2 3\n", FR_FORMAT, "two counts"},
    {"a.gr", "p sp 2 2\na 1 2 3\nc 11111111\n", FR_FORMAT, "2 arcs are declared, 1 follows"},
    {"a.gr", "p sp 2 1\na 1 2 3\na 2 1 3\n", FR_FORMAT, "1 arc is declared, 2 follow"},
    {"a.gr", "p sp 2 1\na 0 2 3\n", FR_FORMAT, "a.gr:2:3: tail 0 is outside 1..2"},
    {"a.gr", "p sp 2 1\na 1 3 3\n", FR_FORMAT, "a.gr:2:5: head 3 is outside 1..2"},
    {"a.gr", "p sp 2 1\nc 1234\na 1 2\n", FR_FORMAT, "a.gr:3:6: expected a weight"},
    {"a.gr", "p sp 2 1\na 1 2 x\n", FR_FORMAT, "a.gr:2:7: expected a weight"},
    {"a.gr", "p sp 2 1\na 1 2 nan\n", FR_RANGE, "a.gr:2:"},
    {"a.gr", "p sp 2 1\na 1 2 1e400\n", FR_RANGE, "a.gr:2:"},
    {"a.gr", "p sp 2 1\na 1 2 9223372036854775808\n", FR_RANGE, "a.gr:2:"},
    {"a.gr", "p sp 2 1\na 1 2 3 4\n", FR_FORMAT, "after the edge"},
    {"a.gr", "p sp 2 1\ne 1 2 3\n", FR_FORMAT, "starts with \"e\" instead of \"a\""},
    {"a.gr", "p sp 3000000000 1\na 1 2 3\n", FR_RANGE, "3000000000 vertices"},
    {"a.gr", "p sp 2 2000000000000\na 1 2 3\n", FR_RANGE, "2000000000000 arcs"},
    {"a.gr", "p sp 2 1000000\na 1 2 3\n", FR_FORMAT, "too few"},
    {"a.gr", "p sp 2000000000 0\n", FR_NOMEM, "limit"},
    {"a.graph", "% only\n", FR_FORMAT, "must come first"},
    {"a.graph", "3\n1\n", FR_FORMAT, "a.graph:1:"},
    {"a.graph", "2 1\n2\n1\n1\n", FR_FORMAT, "a.graph:4:1: more lines"},
    {"a.graph", "4 1\n2\n1\n", FR_FORMAT, "4 vertices are declared, 2 lines follow"},
    {"a.graph", "2 2\n2\n1\n", FR_FORMAT, "2 edges are declared"},
    {"a.graph", "2 1\n3\n1\n", FR_FORMAT, "a.graph:2:1: neighbor 3 is outside 1..2"},
    {"a.graph", "2 1\n2\n0\n", FR_FORMAT, "a.graph:3:1: neighbor 0"},
    {"a.graph", "2 1\n1 2\n1\n", FR_FORMAT, "a.graph:2:1: vertex 1 lists itself"},
    {"a.graph", "3 1\n2\n3\n\n", FR_FORMAT, "vertex 2 has no edge 1-2"},
    {"a.graph", "2 1 1\n2 5\n1 6\n", FR_FORMAT, "vertex 2 has no edge 1-2"},
    {"a.graph", "2 1 1\n2 5\n1\n", FR_FORMAT, "a.graph:3:2: a neighbor has no weight"},
    {"a.graph", "2 1 11 3\n1 2\n1 1 1 1 1\n", FR_FORMAT, "a.graph:2:4: the line is shorter"},
    {"a.graph", "2 1 2\n2\n1\n", FR_FORMAT, "fmt 002"},
    {"a.graph", "3 5 100\n1 2 2\n1 1 3\n2\n", FR_FORMAT, "5 edges are declared, the lines list 7"},
    {"a.graph", "3 7 100\n1 2 2\n1 1 3\n1\n", FR_FORMAT, "vertex 3 has no edge 2-3"},
    {"a.graph", "2 1\nx\n1\n", FR_FORMAT, "a.graph:2:1: expected an integer, found \"x\""},
    {"a.graph", "2 1\n2x\n1\n", FR_FORMAT, "a.graph:2:1: expected an integer, found \"2x\""},
    {"a.graph", "2 1 1\n2 0.1\n1 0.1\n", FR_FORMAT, "expected an integer, found \"0.1\""},
    {"a.graph", "2 1 1\n2 9999999999999999999\n1 1\n", FR_RANGE, "a.graph:2:"},
    {"a.graph", "3000000000 1\n2\n1\n", FR_RANGE, "3000000000 vertices"},
    {"a.sg", "x", FR_FORMAT, "byte 1: the file ends within its header"},
    {"a.sg", "2aaaaaaaaaaaaaaaaaaaa", FR_FORMAT, "byte 0: 50 is neither"},
    {"a.fringe",
     "\x89"
     "FRINGE\nshort",
     FR_FORMAT, "byte 0"},
    {"a.fringe", "nothing", FR_FORMAT, "byte 0"},
    {"empty.gr", "", FR_FORMAT, "empty"},
    {"a.net", "*Vertices 3\n*Arcs\n1 2 9007199254740993\n2 3 0.5\n", FR_RANGE,
     "a.net:4:5: an integer beyond 2^53 and a value with a fraction do not fit one type"},
    {"a.net", "*Vertices 2\n*Arcs\n1 2 -\n", FR_FORMAT, "a.net:3:5: expected a value, found \"-\""},
    {"a.net", "*Vertices 2\n*Arcs\n1 2 9223372036854775808\n", FR_RANGE, "does not fit int64"},
    {"a.net", "*Arcs\n1 2\n", FR_FORMAT, "a.net:1:1: the line \"*Vertices count\" must come first"},
    {"a.net", "1 2\n", FR_FORMAT, "a.net:1:1: the line \"*Vertices count\" must come first"},
    {"a.net", "% only\n", FR_FORMAT, "\"*Vertices count\" is missing"},
    {"a.net", "*Vertices\n", FR_FORMAT, "needs a count"},
    {"a.net", "*Vertices -2\n", FR_FORMAT, "needs a count"},
    {"a.net", "*Vertices 2 1 1\n", FR_FORMAT, "needs a count"},
    {"a.net", "*Vertices 3000000000\n", FR_RANGE, "a.net:1:11: more than 2147483647 vertices"},
    {"a.net", "*Vertices 2\n3 \"c\"\n", FR_FORMAT, "a.net:2:1: vertex 3 is outside 1..2"},
    {"a.net", "*Vertices 2\n\"c\"\n", FR_FORMAT, "a.net:2:1: expected a vertex, found \"\"c\"\""},
    {"a.net", "*Vertices 2\n*Arcs\n1\n", FR_FORMAT,
     "a.net:3:2: expected a head, found the end of the line"},
    {"a.net", "*Vertices 2\n*Arcs\n1 2.5\n", FR_FORMAT,
     "a.net:3:3: expected a head, found \"2.5\""},
    {"a.net", "*Vertices 2\n*Arcs\n0 2\n", FR_FORMAT, "a.net:3:1: tail 0 is outside 1..2"},
    {"a.net", "*Vertices 2\n*Arcs\n1 2 1e400\n", FR_RANGE, "a.net:3:5: the value 1e400"},
    {"a.net", "*Vertices 2\n*Arcs\n1 2 nan\n", FR_RANGE, "a.net:3:5: the value nan"},
    {"a.net", "*Vertices 2\n*Arcs\n1 2 3x\n", FR_FORMAT,
     "a.net:3:5: expected a value, found \"3x\""},
    {"a.net", "*Vertices 2\n*Arcslist\n1 2 3\n", FR_FORMAT, "a.net:3:5: head 3 is outside"},
    {"a.net", "*Vertices 2\n*Matrix\n0 1\n1 0\n", FR_UNSUPPORTED, "a.net:2:1: a matrix (dense)"},
    {"a.net", "*Vertices 2\n*Partition x\n", FR_UNSUPPORTED, "a.net:2:1: a project"},
    {"a.net", "*Vertices 2\n*Vertices 2\n", FR_UNSUPPORTED, "a.net:2:1: a second network"},
    {"a.net", "*Vertices 2\n*Arrows\n", FR_FORMAT, "a.net:2:1: \"*Arrows\" is not a section"},
    {"a.gml", "graph [\n node [ id 1 ]\n]\n", FR_UNSUPPORTED,
     "a.gml: the format GML is not supported"},
    {"a.txt", "Creator \"x\"\ngraph\n[\n", FR_UNSUPPORTED,
     "a.txt: the format GML is not supported"},
    {"a.xml", "<?xml version=\"1.0\"?>\n<graphml>", FR_UNSUPPORTED,
     "the format GraphML is not supported"},
    {"a.xml", "<?xml version=\"1.0\"?>\n<gexf>", FR_UNSUPPORTED,
     "the format GEXF is not supported"},
    {"a.xml", "<?xml version=\"1.0\"?>\n<x>", FR_UNSUPPORTED, "the format XML is not supported"},
    {"a.txt", "<!DOCTYPE html>\n<html><title>404", FR_UNSUPPORTED,
     "the format HTML is not supported"},
    {"a.json", "{ \"nodes\": []}", FR_UNSUPPORTED, "the format JSON is not supported"},
    {"a.txt", "[\n{\"source\": 1}]", FR_UNSUPPORTED, "the format JSON is not supported"},
    {"a.dat", "DL N = 2\nformat = edgelist1\n", FR_UNSUPPORTED,
     "the format DL (UCINET) is not supported"},
    {"a.col", "c x\np edge 2 1\ne 1 2\n", FR_UNSUPPORTED,
     "the format DIMACS coloring (.col) is not"},
    {"a.gr", "c x\np max 2 1\n", FR_UNSUPPORTED, "the format DIMACS maximum flow is not supported"},
    {"a.dot", "digraph G {\n1 -> 2\n}\n", FR_UNSUPPORTED,
     "the format Graphviz (DOT) is not supported"},
    {"a.txt",
     "\xff\xfe"
     "1",
     FR_UNSUPPORTED, "the format UTF-16 text is not supported"},
    {"a.xml", "<graphml>", FR_UNSUPPORTED,
     "networkx.read_graphml and pyfringe.Graph.from_networkx"},
    {"a.parquet", "PAR1\x15", FR_UNSUPPORTED,
     "a.parquet: the format Parquet is not supported: read it in Python, by "
     "pyfringe.Graph.from_parquet"},
    {"a.arrow", "ARROW1", FR_UNSUPPORTED, "by pyarrow.ipc and pyfringe.Graph.from_edges"},
    {"a.arrows", "\xff\xff\xff\xff\x78", FR_UNSUPPORTED, "Arrow (stream) is not supported"},
    {"a.adj", "Adjacency\n", FR_FORMAT, "a.adj:1:1: the first word must be AdjacencyGraph or"},
    {"a.adj", "AdjacencyGraph\nx 1\n", FR_FORMAT,
     "a.adj:2:1: expected the number of vertices, found \"x\""},
    {"a.adj", "AdjacencyGraph\n2\n-1\n", FR_FORMAT,
     "a.adj:3:1: expected the number of edges, found \"-1\""},
    {"a.adj", "AdjacencyGraph 2 9 0 0 1", FR_FORMAT, "the remaining 5 bytes are too few"},
    {"a.adj", "AdjacencyGraph 3000000000 1 0", FR_RANGE, "3000000000 vertices"},
    {"a.adj", "AdjacencyGraph 2 1\n0\n1\n1\n7\n", FR_FORMAT,
     "a.adj:1:16: 2 vertices and 1 edges take 3 numbers, 4 follow"},
    {"a.adj", "AdjacencyGraph 2 1\n0\n1 \n 2\n", FR_FORMAT,
     "a.adj:4:2: the target is not below the number of vertices, found \"2\""},
    {"a.adj", "AdjacencyGraph 2 1\n0\n1\n1x\n", FR_FORMAT, "a.adj:4:1: expected a target"},
    {"a.adj", "AdjacencyGraph 2 1\n0\n2\n1\n", FR_FORMAT, "a.adj:3:1: the offset exceeds"},
    {"a.adj", "AdjacencyGraph 2 2\n2\n0\n1\n1\n", FR_FORMAT, "do not ascend from 0"},
    {"a.adj", "WeightedAdjacencyGraph 1 1\n0\n0\nnan\n", FR_RANGE,
     "a.adj:4:1: the weight is not a finite"},
    {"a.adj", "WeightedAdjacencyGraph 1 1\n0\n0\n1,5\n", FR_FORMAT, "a.adj:4:1: expected a weight"},
    {"a.adj", "WeightedAdjacencyGraph 1 1\n0\n0\n9223372036854775808\n", FR_RANGE,
     "a.adj:4:1: the weight does not fit int64"},
    {"a.adj", "WeightedAdjacencyGraph 1 2\n0\n0\n0\n.5\n9007199254740993\n", FR_RANGE,
     "a.adj:6:1: the weight is beyond 2^53, and"},
    {"a.bin", "short", FR_FORMAT, "a.bin: byte 5: the file ends within its header",
     OPTIONS(.format = "bin")},
    {"a.bin", "123456781234567812345678", FR_RANGE, "vertices or", OPTIONS(.format = "bin")},
    {"a.tntp", TNTP("2", "1") "\t1\t2\t3\t4\n", FR_FORMAT, "a.tntp:5:9: the line has no column 5"},
    {"a.tntp", TNTP("2", "2") "\t1\t2\t3\t4\t5\t;\n", FR_FORMAT,
     "a.tntp:2:1: 2 links are declared, 1 follows"},
    {"a.tntp", TNTP("2", "1") "\t1\t3\t3\t4\t5\t;\n", FR_FORMAT,
     "a.tntp:1:1: 2 nodes are declared, a link has node 3"},
    {"a.tntp", TNTP("2", "1") "\t0\t2\t3\t4\t5\t;\n", FR_FORMAT, "a.tntp:5:2: source 0 is outside"},
    {"a.tntp", TNTP("2", "1") "\t1\t2\t3\t4\tx\t;\n", FR_FORMAT, "a.tntp:5:10: "},
    {"a.tntp", TNTP("two", "1"), FR_FORMAT, "a.tntp:1:19: <NUMBER OF NODES> needs a count"},
    {"a.tntp", TNTP("2", "100"), FR_FORMAT, "a.tntp:2:1: 100 links are declared; the remaining"},
    {"a.tntp", "<NUMBER OF NODES> 2\n<NUMBER OF LINKS> 1\n", FR_FORMAT,
     "<END OF METADATA> is missing"},
    {"a.tntp", "1 2\n", FR_FORMAT, "a.tntp:1:1: <NUMBER OF NODES> is missing"},
    {"a.mtx", "%MatrixMarket matrix coordinate pattern symmetric\n%2 2 1\n2 1\n", FR_FORMAT,
     "needs three counts; for an edge list after comments use fr_load_options.format snap"},
};

static void texts(void **state) {
    (void)state;
    fr_ctx *ctx = test_ctx(&(fr_ctx_options){.threads = 2, .max_memory_bytes = (size_t)64 << 20});
    test_all_bad(ctx, cases, COUNT(cases));
    fr_ctx_free(ctx);
}

static void ldbc(void **state) {
    static const struct {
        const char *v, *e, *p;
        fr_status status;
        const char *says;
    } sets[] = {
        {"1\n2\n", "1 2\n", "graph.x.directed = false\n", FR_OK, ""},
        {"1\n2\n", "", "graph.x.directed = false\n", FR_OK, ""},
        {"1\n2\n", "1 3\n", "graph.x.directed = true\n", FR_FORMAT, "x.e:1:3: target 3 is outside"},
        {"1\n9\n", "1 9\n1 3\n", "# none\n", FR_FORMAT,
         "x.e:2:1: vertex 3 is not in the vertex file"},
        {"1\n1\n", "1 1\n", "# none\n", FR_FORMAT, "vertex 1 is listed twice"},
        {"1\ny\n", "1 1\n", "# none\n", FR_FORMAT, "x.v:2:1: expected an id"},
        {"1\n2\n", "1 2\n", "graph.x.directed = maybe\n", FR_FORMAT, "x.properties:1:"},
        {"1\n2\n", "1 2\n", "graph.x.meta.vertices = 3\n", FR_FORMAT, "3 vertices are declared"},
        {"1\n2\n", "1 2\n", "graph.x.meta.edges = 3\n", FR_FORMAT, "3 edges are declared"},
        {"1\n2\n", "1 2\n", "graph.x.meta.edges = x\n", FR_FORMAT, "expected a count"},
        {"1\n2\n", "1 2\n", "graph.x.vertex-file = none.v\n", FR_NOT_FOUND, "none.v"},
        {"1\n2\n", "1 2\n", "what\n", FR_FORMAT, "name = value"},
        {"1\n2\n", "1 2\n2 1 4\n", "# none\n", FR_FORMAT, "x.e:2:5: \"4\" is in excess"},
        {"1\n2\n", "# c\n1 2 4\n2 1\n", "# none\n", FR_FORMAT,
         "x.e:3:4: expected a weight in column 3"},
        {"\xef\xbb\xbf"
         "1\n2\n",
         "\xef\xbb\xbf"
         "1 2\n",
         "\xef\xbb\xbf# none\n", FR_OK, ""},
    };
    for (size_t i = 0; i < COUNT(sets); i++) {
        test_put("x.v", sets[i].v, strlen(sets[i].v));
        test_put("x.e", sets[i].e, strlen(sets[i].e));
        test_put("x.properties", sets[i].p, strlen(sets[i].p));
        fr_graph *graph;
        fr_status status = fr_graph_load(*state, test_path("x.properties"), NULL, &graph);
        if (status != sets[i].status || (status && !strstr(fr_ctx_error(*state), sets[i].says)))
            fail_msg("set %zu: %s: %s", i, fr_status_name(status), fr_ctx_error(*state));
        fr_graph_free(graph);
    }
}

TEST_PROGRAM_IN_FOLDER(TEST(texts), TEST(ldbc))
