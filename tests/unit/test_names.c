/* Ids that are strings: numbering, quotes, refusals, files, and the same graph for any number of
 * threads. */
#include "base/text/names.h"
#include "support/cases.h"

#include <stdio.h>
#include <stdlib.h>

#define STRINGS                                                                                    \
    { .ids = FR_IDS_STRINGS }
#define COLUMNS(s, t, w)                                                                           \
    { .ids = FR_IDS_STRINGS, .source_column = s, .target_column = t, .weight_column = w }

typedef struct {
    const char *text, *names; /* in order, divided by '|' */
    const char *edges;        /* "u>v/weight ..." by number */
    fr_load_options options;
} good_case;

static const good_case good[] = {
    {"ann bob\nbob ann\n", "ann|bob", "0>1 1>0", STRINGS},
    {"bob\tann\nann\tcleo", "bob|ann|cleo", "0>1 1>2", STRINGS},
    {"\xef\xbb\xbf"
     "a,b,2\r\nb,a,3\r\n",
     "a|b", "0>1/2 1>0/3", STRINGS},
    {"a,b\n\"a\",\"b\"\n", "a|b", "0>1 0>1", STRINGS},
    {"\"Doe, \"\"J\"\"\",x\nx,\"Doe, \"\"J\"\"\"\n", "Doe, \"J\"|x", "0>1 1>0", STRINGS},
    /* a name of more than 16 bytes with quotes, once quoted and once plain */
    {"\"a long \"\"quoted\"\" name\";b\na long \"quoted\" name;c\n", "a long \"quoted\" name|b|c",
     "0>1 0>2", STRINGS},
    {"Z\xc3\xbcrich;K\xc3\xb8"
     "benhavn;1.5\n\xe6\x9d\xb1\xe4\xba\xac;Z\xc3\xbcrich;2\n",
     "Z\xc3\xbcrich|K\xc3\xb8"
     "benhavn|\xe6\x9d\xb1\xe4\xba\xac",
     "0>1/1.5 2>0/2", STRINGS},
    {"New York, Boston , 3\n", "New York|Boston", "0>1/3", STRINGS},
    {"# note\n\na b\n% note\n\"#c\" a\n", "a|b|#c", "0>1 2>0", STRINGS},
    {"sixteen_bytes_xx b\nsixteen_bytes_xx sixteen_bytes_xxx\n",
     "sixteen_bytes_xx|b|sixteen_bytes_xxx", "0>1 0>2", STRINGS},
    {"7 07\n", "7|07", "0>1", STRINGS},
    {"a b 1\nb a 2\nb b 5000000000\n", "a|b", "0>1/1 1>0/2 1>1/5000000000", STRINGS},
    {"from,to,cost\na,b,-1\n", "a|b", "0>1/-1", STRINGS},
    {"id,from,to,cost\n1,a,b,2\n2,b,c,3\n", "a|b|c", "0>1/2 1>2/3", COLUMNS("from", "to", "cost")},
    {"x,a,b\ny,b,a\n", "a|b", "0>1 1>0", COLUMNS("2", "3", NULL)},
    {"a b 1\n", "a|b", "0>1", OPTIONS(.ids = FR_IDS_STRINGS, .weights = FR_WEIGHTS_NONE)},
    /* names of columns that are known, and letters that are names of vertices, too */
    {"from to\nx y\n", "x|y", "0>1", OPTIONS(.ids = FR_IDS_AUTO)},
    {"Source,Target\nAnn,Bob\nBob,Cid\n", "Ann|Bob|Cid", "0>1 1>2", STRINGS},
    {"u v\nv w\n", "u|v|w", "0>1 1>2", STRINGS},
    {"start end\nend stop\n", "start|end|stop", "0>1 1>2", STRINGS},
    {"from to\nto x\n", "from|to|x", "0>1 1>2", COLUMNS("1", "2", NULL)},
    {"from_x,to_x,km\na,b,3\n", "a|b", "0>1",
     OPTIONS(.ids = FR_IDS_STRINGS, .weights = FR_WEIGHTS_NONE)},
    {"a,b,friend\nb,c,foe\n", "a|b|c", "0>1 1>2",
     OPTIONS(.ids = FR_IDS_STRINGS, .weights = FR_WEIGHTS_NONE)},
    {"u,v,key,osmid,length\na,b,0,7,2\n", "a|b", "0>1/2", STRINGS},
    {":START_ID(P),:END_ID(P),:TYPE\na,b,KNOWS\nb,c,LIKES\n", "a|b|c", "0>1 1>2", STRINGS},
    {"Source;Target;Type;Weight\na;b;Undirected;1,5\nb;c;Undirected;2\n", "a|b|c",
     "0>1/1.5 1>0/1.5 1>2/2 2>1/2", OPTIONS(.ids = FR_IDS_AUTO, .decimal = ',')},
    {"Koln;Bonn;1,5\nBonn;Trier;2,5\n", "Koln|Bonn|Trier", "0>1/1.5 1>2/2.5",
     OPTIONS(.ids = FR_IDS_STRINGS, .decimal = ',')},
    {"a b|c d|2\n", "a b|c d", "0>1/2", OPTIONS(.ids = FR_IDS_STRINGS, .separator = '|')},
};

static fr_graph *load(fr_ctx *ctx, const char *text, size_t size, const fr_load_options *options) {
    fr_graph *graph = NULL;
    if (fr_graph_load_memory(ctx, text, size, options, &graph))
        fail_msg("%.60s: %s", text, fr_ctx_error(ctx));
    return graph;
}

static void put_names(const fr_graph *graph, char *to) {
    *to = 0;
    for (int32_t v = 0; v < fr_graph_vertex_count(graph); v++)
        to += sprintf(to, "%s%s", v ? "|" : "", fr_graph_vertex_name(graph, v));
}

static void expect(const fr_graph *graph, const char *names, const char *edges) {
    char text[1024];
    put_names(graph, text);
    assert_string_equal(text, names);
    test_describe(graph, text, sizeof text);
    assert_string_equal(strchr(text, ' ') + 1, edges);
}

static void names_are_read(void **state) {
    for (size_t i = 0; i < COUNT(good); i++) {
        fr_graph *graph = load(*state, good[i].text, strlen(good[i].text), &good[i].options);
        expect(graph, good[i].names, good[i].edges);
        fr_graph_free(graph);
    }
}

static const test_bad bad[] = {
    {"empty.csv", "a,b\n,b\n", FR_FORMAT, "empty.csv:2:1: column 1 is empty", STRINGS},
    {"quotes.csv", "a,b\na,\"\"\n", FR_FORMAT, "quotes.csv:2:4: column 2 is empty", STRINGS},
    {"short.csv", "a,b\na\n", FR_FORMAT, "short.csv:2:2: the line has no column 2", STRINGS},
    {"more.txt", "a b\na b c\n", FR_FORMAT,
     "more.txt:2:5: column 3 is in excess of the 2 columns of the first line", STRINGS},
    {"open.csv", "a,b\n\"a,b\n", FR_FORMAT,
     "open.csv:2:1: column 1: a quote is not closed, or text follows it", STRINGS},
    {"after.csv", "a,b\n\"a\"x,b\n", FR_FORMAT,
     "after.csv:2:1: column 1: a quote is not closed, or text follows it", STRINGS},
    {"latin.csv", "a,b\nZ\xfcrich,b\n", FR_FORMAT, "latin.csv:2:1: column 1: the name is not UTF-8",
     STRINGS},
    {"short-form.csv", "a,b\n\xc0\xaf,b\n", FR_FORMAT,
     "short-form.csv:2:1: column 1: the name is not UTF-8", STRINGS},
    {"surrogate.csv", "a,b\nb,\xed\xa0\x80\n", FR_FORMAT,
     "surrogate.csv:2:3: column 2: the name is not UTF-8", STRINGS},
    {"control.csv", "a,b\na,\x01\n", FR_FORMAT,
     "control.csv:2:3: column 2: the name contains a control character", STRINGS},
    {"weight.csv", "a,b,1\na,b,x\n", FR_FORMAT, "weight.csv:2:5: column 3: the weight is no number",
     STRINGS},
    {"comma.csv", "a;b;1,5\n", FR_FORMAT, "comma.csv:1:5: column 3: the weight has a comma",
     STRINGS},
    {"point.csv", "a;b;1,5\na;c;1.5\n", FR_FORMAT,
     "point.csv:2:5: column 3: the weight is no number",
     OPTIONS(.ids = FR_IDS_STRINGS, .decimal = ',')},
    {"types.csv", "Source,Target,Type\na,b,Directed\nb,c,Undirected\n", FR_FORMAT,
     "types.csv:3:5: column 3 says something else than in the first line", STRINGS},
    {"huge.csv", "a,b,1\na,b,1e400\n", FR_RANGE,
     "huge.csv:2:5: column 3: the weight is not a finite number", STRINGS},
    {"nan.csv", "a,b,1\na,b,nan\n", FR_RANGE,
     "nan.csv:2:5: column 3: the weight is not a finite number", STRINGS},
    {"whole.csv", "a,b,1\na,b,9223372036854775808\n", FR_RANGE, NULL, STRINGS},
    {"mixed.csv", "a,b,9007199254740993\na,b,0.5\n", FR_RANGE, NULL, STRINGS},
    {"header.csv", "from,to,cost\n", FR_FORMAT, "header.csv:2:1: the file contains no edge",
     STRINGS},
    {"column.csv", "a,b\nc,d\n", FR_FORMAT, NULL, COLUMNS("from", NULL, NULL)},
    {"base.txt", "a b\n", FR_INVALID, NULL, OPTIONS(.ids = FR_IDS_STRINGS, .id_base = 1)},
    {"graph.gr", "p sp 2 1\na 1 2 3\n", FR_INVALID,
     "ids can be strings in edge lists (format snap), not in the format gr",
     OPTIONS(.ids = FR_IDS_STRINGS, .format = "gr")},
    {"integers.txt", "ann bob\nbob cleo\n", FR_FORMAT, NULL, OPTIONS(.ids = FR_IDS_INTEGERS)},
    {"auto.txt", "1 2\n3 4\nann bob\n", FR_FORMAT, NULL, OPTIONS(.ids = FR_IDS_AUTO)},
};

static void bad_names_are_refused(void **state) {
    fr_graph *graph = NULL;
    fr_load_options options = {.ids = FR_IDS_STRINGS};
    test_all_bad(*state, bad, COUNT(bad));
    assert_int_equal(fr_graph_generate(*state, "grid2d:rows=2,cols=2", &options, &graph),
                     FR_INVALID);
    assert_null(graph);
}

static void long_names(void **state) {
    char text[2 * FRI_NAME_BYTES + 8];
    const fr_load_options options = STRINGS;
    fr_graph *graph;
    for (size_t length = 1; length <= FRI_NAME_BYTES + 1; length += length < 40 ? 1 : 401) {
        length =
            length > FRI_NAME_BYTES - 400 && length <= FRI_NAME_BYTES ? FRI_NAME_BYTES : length;
        memset(text, 'x', length);
        strcpy(text + length, " y\n");
        fr_status status = fr_graph_load_memory(*state, text, strlen(text), &options, &graph);
        assert_int_equal(status, length > FRI_NAME_BYTES ? FR_RANGE : FR_OK);
        if (!status)
            assert_int_equal(strlen(fr_graph_vertex_name(graph, 0)), length);
        fr_graph_free(graph);
    }
}

static void notes_tell_the_rule(void **state) {
    static const struct {
        const char *text, *note;
        fr_ids ids;
    } rows[] = {
        {"a,b\nc,d\n",
         "ids are strings; columns are divided at commas; line 1 read as an edge: a,b",
         FR_IDS_STRINGS},
        {"a,b\n1,d\n",
         "ids are strings, because line 2 has \"d\"; columns are divided at commas; line 1 read as "
         "an edge: a,b",
         FR_IDS_AUTO},
        {"1 2\n3 4\n", "ids are integers, as in line 2", FR_IDS_AUTO},
        {"from to w\na b 1\n",
         "ids are strings; columns are divided at blanks; line 1 read as column names: from to w",
         FR_IDS_STRINGS},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const fr_load_options options = {.ids = rows[i].ids};
        fr_graph *graph = load(*state, rows[i].text, strlen(rows[i].text), &options);
        assert_string_equal(fr_graph_note(graph), rows[i].note);
        fr_graph_free(graph);
    }
}

/* Lines of names of many lengths, some of them in quotes, and a weight. */
static char *make_text(int lines, size_t *size) {
    char *text = malloc((size_t)lines * 160), *at = text;
    uint32_t random = 1;
    for (int i = 0; i < lines; i++) {
        for (int end = 0; end < 2; end++) {
            random = random * 1664525 + 1013904223;
            uint32_t v = (random >> 8) % 9000, kind = v % 4;
            at += kind == 0   ? sprintf(at, "%u,", v)
                  : kind == 1 ? sprintf(at, "vertex_%u_%0*u,", v, (int)(v % 24) + 1, v)
                  : kind == 2 ? sprintf(at, "\"the \"\"%u\"\", of a longer name\",", v)
                              : sprintf(at, "\xc3\xa9t\xc3\xa9 %u,", v);
        }
        at += sprintf(at, "%d\n", i);
    }
    *size = (size_t)(at - text);
    return text;
}

static void threads_agree(void **state) {
    enum { LINES = 20000 };
    const fr_load_options options = STRINGS;
    size_t size;
    char *text = make_text(LINES, &size);
    uint64_t hash = 0;
    for (int threads = 1; threads <= 9; threads += 1 + threads / 3) {
        assert_int_equal(fr_ctx_set_threads(*state, threads), FR_OK);
        fr_graph *graph = load(*state, text, size, &options);
        assert_true(threads == 1 || fr_graph_hash(graph) == hash);
        hash = fr_graph_hash(graph);
        for (int32_t v = 0, found; v < fr_graph_vertex_count(graph); v++) {
            const char *name = fr_graph_vertex_name(graph, v);
            assert_int_equal(fr_graph_find_vertex(*state, graph, name, &found), FR_OK);
            assert_int_equal(found, v);
        }
        fr_graph_free(graph);
    }
    free(text);
    fr_ctx_set_threads(*state, 2);
}

/* Writes to memory and reads again. */
static fr_graph *again(fr_ctx *ctx, const fr_graph *graph, const char *format,
                       const fr_load_options *options, uint32_t *version) {
    void *bytes;
    size_t size;
    assert_int_equal(fr_graph_write_memory(ctx, graph, format, &bytes, &size), FR_OK);
    fr_graph *copy = load(ctx, bytes, size, options);
    memcpy(version, (char *)bytes + 12, sizeof *version);
    fr_memory_free(bytes);
    return copy;
}

static void files_keep_names(void **state) {
    static const char text[] = "\"x, \"\"y\"\"\",#b,2\n\"#b\",a b,3\na b,\"x, \"\"y\"\"\",-1\n";
    const fr_load_options strings = STRINGS, loops = {.drop_loops = true}, none = {0};
    const struct {
        const char *format;
        const fr_load_options *options; /* loops: the graph is built anew */
        uint32_t version;               /* of the binary format */
    } cases[] = {{"fringe", &none, 3}, {"fringe", &loops, 3}, {"snap", &strings, 0}};
    fr_graph *graph = load(*state, text, strlen(text), &strings), *copy;
    uint32_t version;
    void *bytes;
    size_t size;
    for (size_t i = 0; i < COUNT(cases); i++) {
        copy = again(*state, graph, cases[i].format, cases[i].options, &version);
        assert_true(!cases[i].version || version == cases[i].version);
        expect(copy, "x, \"y\"|#b|a b", "0>1/2 1>2/3 2>0/-1");
        fr_graph_free(copy);
    }
    assert_int_equal(fr_graph_write_memory(*state, graph, "mtx", &bytes, &size), FR_UNSUPPORTED);
    fr_graph_free(graph);
    graph = load(*state, "1 2\n", 4, NULL);
    copy = again(*state, graph, "fringe", NULL, &version);
    assert_int_equal(version, 1);
    assert_null(fr_graph_vertex_name(copy, 0));
    fr_graph_free(copy);
    fr_graph_free(graph);
}

static void damage_is_detected(void **state) {
    const fr_load_options options = STRINGS;
    fr_graph *graph = load(*state, "ann bob\nbob cleo\n", 17, &options), *copy;
    char *bytes;
    size_t size;
    assert_int_equal(fr_graph_write_memory(*state, graph, "fringe", (void **)&bytes, &size), FR_OK);
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= 4;
        fr_status status = fr_graph_load_memory(*state, bytes, size, NULL, &copy);
        bool padding = status == FR_OK; /* between sections no byte counts */
        if (padding)
            assert_true(bytes[i] == 4 && fr_graph_hash(copy) == fr_graph_hash(graph));
        fr_graph_free(copy);
        bytes[i] ^= 4;
    }
    fr_memory_free(bytes);
    fr_graph_free(graph);
}

static void invalid_names_are_refused(void **state) {
    static const struct {
        int64_t offsets[3];
        const char *bytes;
        bool valid;
    } rows[] = {
        {{0, 2, 4}, "a\0b", true},     {{0, 2, 4}, "a\0a", false}, {{0, 1, 4}, "\0ab", false},
        {{0, 3, 2}, "ab", false},      {{1, 2, 4}, "a\0b", false}, {{0, 2, 4}, "abc", false},
        {{0, 2, 4}, "\xff\0b", false}, {{0, 2, 3}, "a\0b", false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        fri_names names = {2, rows[i].offsets, rows[i].bytes, 4, true, NULL};
        bool valid;
        const char *why;
        assert_int_equal(fri_names_check(*state, &names, &valid, &why), FR_OK);
        if (valid != rows[i].valid)
            fail_msg("row %zu", i);
        fri_free(names.index);
    }
}

/* The shortest lines that have a new name each. */
static void memory_is_bounded(void **state) {
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-";
    enum { NAMES = 1 << 18, EACH = 4 };
    (void)state;
    char *text = malloc(NAMES * EACH);
    for (int i = 0; i < NAMES; i++) {
        char *at = text + (size_t)i * EACH;
        at[0] = digits[i & 63], at[1] = digits[i >> 6 & 63], at[2] = digits[i >> 12 & 63];
        at[3] = i % 2 ? '\n' : ' ';
    }
    for (int threads = 1; threads <= 4; threads += 3) {
        const fr_load_options options = STRINGS;
        fr_ctx *ctx = test_ctx_threads(threads);
        fr_graph *graph = load(ctx, text, NAMES * EACH, &options);
        assert_int_equal(fr_graph_vertex_count(graph), NAMES);
        if (fr_ctx_peak_bytes(ctx) > 64 * (size_t)NAMES * EACH)
            fail_msg("%zu bytes", fr_ctx_peak_bytes(ctx));
        fr_graph_free(graph);
        fr_ctx_free(ctx);
    }
    free(text);
}

TEST_PROGRAM_IN_FOLDER(TEST(names_are_read), TEST(bad_names_are_refused), TEST(long_names),
                       TEST(notes_tell_the_rule), TEST(threads_agree), TEST(files_keep_names),
                       TEST(damage_is_detected), TEST(invalid_names_are_refused),
                       TEST(memory_is_bounded))
