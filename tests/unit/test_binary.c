/* The binary format: a written graph loads unchanged, and every damage is detected. */
#include "fringe_measures.h"
#include "io/csr_check.h"
#include "graph/graph.h"
#include "support/files.h"

#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

static fr_status open_graph(fr_ctx *ctx, const char *path, const fr_load_options *options,
                            fr_graph **out) {
    fri_input text;
    fri_csr_file file = {0};
    *out = NULL;
    fr_graph *graph = fri_graph_new(ctx, path);
    fr_status status = fri_input_open(ctx, path, &text);
    if (!status)
        status = fri_format_find("fringe")->read_csr(ctx, &text, options, &file);
    if (!status)
        status = fri_graph_from_csr_file(ctx, &text, &file, options, graph);
    fri_input_close(&text);
    if (status)
        fr_graph_free(graph);
    else
        *out = graph;
    return status;
}

static void listed_ids_come_back(void **state) {
    fr_graph *graph = test_generated(*state, "uniform:n=20,edges=40", 255), *back;
    graph->ids.list = fri_alloc(*state, 20 * sizeof(int64_t));
    for (int v = 0; v < 20; v++)
        graph->ids.list[v] = (int64_t)v * v * 1000000000000;
    assert_ok(*state, fr_graph_write(*state, graph, test_path("ids.fringe"), NULL));
    assert_ok(*state, open_graph(*state, test_path("ids.fringe"), NULL, &back));
    assert_same_graph("ids", graph, back);
    assert_int_equal(fr_graph_vertex(back, 9000000000000), 3);
    fr_graph_free(back);
    const fr_load_options base = {.id_base = 2};
    assert_int_equal(open_graph(*state, test_path("ids.fringe"), &base, &back), FR_INVALID);
    fr_graph_free(graph);
}

/* Every bit of damage outside the padding is found at opening. */
static void damage(void **state) {
    fr_graph *graph = test_generated(*state, "uniform:n=9,edges=21,directed=1", 255), *back;
    assert_ok(*state, fr_graph_write(*state, graph, test_path("b.fringe"), NULL));
    size_t size;
    char *bytes = test_read(test_path("b.fringe"), &size);
    int seen = 0;
    for (size_t at = 0; at < size; at++) {
        bytes[at] ^= 1 << at % 8;
        fr_status status = open_graph(*state, test_put("bad.fringe", bytes, size), NULL, &back);
        if (!status) {
            assert_same_graph("damaged padding", graph, back);
            fr_graph_free(back);
        } else if (at >= 256) {
            assert_int_equal(status, FR_CHECKSUM);
            seen++;
        }
        bytes[at] ^= 1 << at % 8;
    }
    assert_int_equal(seen, 10 * 8 + 2 * 21 * 4);
    for (size_t length = 1; length < size; length += 13) {
        fr_status status = open_graph(*state, test_put("bad.fringe", bytes, length), NULL, &back);
        assert_int_equal(status, FR_FORMAT);
    }
    free(bytes);
    fr_graph_free(graph);
}

/* A large file opens by its header; damage is detected at the first use, before any index is
 * read. */
static void large_is_checked_before_use(void **state) {
    fr_graph *graph = test_generated(*state, "uniform:n=100000,edges=4400000,directed=1", 0), *back;
    assert_ok(*state, fr_graph_write(*state, graph, test_path("l.fringe"), NULL));
    assert_ok(*state, open_graph(*state, test_path("l.fringe"), NULL, &back));
    assert_int_equal(back->unchecked, 1);
    assert_ok(*state, fr_graph_check(*state, back));
    assert_int_equal(back->unchecked, 0);
    assert_same_graph("large", graph, back);
    fr_graph_free(back);
    FILE *f = fopen(test_path("l.fringe"), "r+b");
    fseek(f, 17000000, SEEK_SET);
    fputc(1 ^ fgetc(f), (fseek(f, 17000000, SEEK_SET), f));
    fclose(f);
    assert_ok(*state, open_graph(*state, test_path("l.fringe"), NULL, &back));
    assert_refused(*state, fr_graph_check(*state, back), FR_CHECKSUM, "checksum of the targets");
    assert_int_equal(fr_graph_write(*state, back, test_path("copy.fringe"), NULL), FR_CHECKSUM);
    const fr_load_options both = {.direction = FR_DIRECTION_UNDIRECTED};
    fr_graph *none;
    assert_int_equal(open_graph(*state, test_path("l.fringe"), &both, &none), FR_CHECKSUM);
    fr_graph_free(back);
    /* a target that no offset has: the first one, which predictions of costs sample */
    const int32_t wild = INT32_MAX;
    f = fopen(test_path("l.fringe"), "r+b");
    fseek(f, (long)((256 + 100001 * 8 + 63) / 64 * 64), SEEK_SET);
    fwrite(&wild, sizeof wild, 1, f);
    fclose(f);
    assert_ok(*state, open_graph(*state, test_path("l.fringe"), NULL, &back));
    int32_t *label = malloc(100000 * sizeof *label), count;
    assert_int_equal(
        fr_components(*state, back, FR_COMPONENTS_STRONG, FR_BACKEND_ANY, label, NULL, &count),
        FR_CHECKSUM);
    free(label);
    fr_graph_free(back);
    fr_graph_free(graph);
}

/* Structural checks refuse files that have a right checksum and wrong contents. */
static void forged(void **state) {
    static const struct {
        int64_t offsets[3];
        int32_t targets[3];
        float weight;
        int64_t last_id;
        fr_status status;
    } cases[] = {
        {{0, 2, 3}, {0, 1, 0}, 2, 9, FR_OK},      {{0, 4, 3}, {0, 1, 0}, 2, 9, FR_FORMAT},
        {{0, -1, 3}, {0, 1, 0}, 2, 9, FR_FORMAT}, {{1, 2, 3}, {0, 1, 0}, 2, 9, FR_FORMAT},
        {{0, 2, 3}, {0, 2, 0}, 2, 9, FR_FORMAT},  {{0, 2, 3}, {0, -1, 0}, 2, 9, FR_FORMAT},
        {{0, 2, 3}, {1, 1, 0}, 2, 9, FR_OK}, /* no disorder */
        {{0, 2, 3}, {1, 0, 0}, 2, 9, FR_FORMAT},  {{0, 2, 3}, {0, 1, 0}, INFINITY, 9, FR_RANGE},
        {{0, 2, 3}, {0, 1, 0}, 2, 5, FR_FORMAT}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const float weights[] = {1, cases[i].weight, 3};
        fr_csr csr = {2, 3, cases[i].offsets, cases[i].targets, weights, FR_TYPE_F32, false};
        int64_t list[] = {5, cases[i].last_id};
        fri_ids ids = {0, list};
        const fri_graph_view view = {.csr = &csr, .ids = &ids, .name = "forged"};
        fr_graph *back;
        assert_ok(*state, fri_write_file(*state, &view, test_path("f.fringe"),
                                         fri_format_find("fringe")->write));
        assert_int_equal(open_graph(*state, test_path("f.fringe"), NULL, &back), cases[i].status);
        fr_graph_free(back);
    }
}

static void writing_fails_whole(void **state) {
    fr_ctx *ctx = *state;
    fr_graph *graph = test_generated(ctx, "uniform:n=1000,edges=20000,directed=1", 255);
    assert_refused(ctx, fr_graph_write(ctx, graph, "/dev/full", "fringe"), FR_DISK,
                   "/dev/full: writing: No space left");
    assert_int_equal(fr_graph_write(ctx, graph, "/nonexistent/g.fringe", NULL), FR_DISK);
    assert_int_equal(fr_graph_write(ctx, graph, test_path(""), "fringe"), FR_DISK);
    assert_int_equal(fr_graph_write(ctx, graph, test_path("g.unknown"), NULL), FR_INVALID);
    assert_int_equal(fr_graph_write(ctx, graph, test_path("g.fringe.gz"), NULL), FR_INVALID);
    assert_int_equal(fr_graph_write(ctx, graph, test_path("g"), "nothing"), FR_INVALID);
    test_put("kept.fringe", "as it was", 9);
    struct rlimit old, small = {65536, RLIM_INFINITY};
    getrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_IGN);
    small.rlim_max = old.rlim_max;
    setrlimit(RLIMIT_FSIZE, &small);
    fr_status status = fr_graph_write(ctx, graph, test_path("kept.fringe"), NULL);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_int_equal(status, FR_DISK);
    size_t size;
    char *bytes = test_read(test_path("kept.fringe"), &size);
    assert_int_equal(size, 9);
    free(bytes);
    assert_true(test_shell("! ls | grep tmp$"));
    fr_graph_free(graph);
}

/* Searches take the first of parallel edges for the lightest. */
static void parallel_edges_ascend_by_weight(void **state) {
    (void)state;
    const int64_t offsets[] = {0, 3, 3};
    const int32_t targets[] = {0, 1, 1};
    const double weights[][3] = {{5, 1, 2}, {5, 2, 1}, {1, 5, 5}};
    for (int i = 0; i < 3; i++) {
        const fr_csr csr = {.n = 2,
                            .m = 3,
                            .offsets = offsets,
                            .targets = targets,
                            .weights = weights[i],
                            .weight_type = FR_TYPE_F64};
        assert_int_equal(fri_csr_is_sorted(1, &csr, fri_csr_all_rows(&csr)), i != 1);
    }
    int64_t beyond_double[] = {5, (INT64_C(1) << 53) + 1, INT64_C(1) << 53};
    fr_csr csr = {2, 3, offsets, (int32_t[]){0, 1, 1}, beyond_double, FR_TYPE_I64, false};
    fri_csr_sort_rows(1, &csr);
    assert_true(beyond_double[1] < beyond_double[2]);
}

static void links_are_followed(void **state) {
    fr_graph *graph = test_generated(*state, "path:n=10", 255), *back;
    assert_true(
        test_shell("mkdir -p deep && touch deep/real.fringe && ln -sf deep/real.fringe link"));
    assert_ok(*state, fr_graph_write(*state, graph, test_path("link"), "fringe"));
    assert_true(test_shell("test -h link"));
    assert_ok(*state, open_graph(*state, test_path("deep/real.fringe"), NULL, &back));
    fr_graph_free(back);
    fr_graph_free(graph);
}

/* A file with both directions of each edge, read as directed edges: as many, whether the rows are used in place or not. */
static void each_entry_may_be_a_directed_edge(void **state) {
    fr_graph *graph = test_generated(*state, "uniform:n=20,edges=40", 255), *back;
    assert_ok(*state, fr_graph_write(*state, graph, test_path("both.fringe"), NULL));
    const fr_load_options options[] = {
        {.direction = FR_DIRECTION_DIRECTED},
        {.direction = FR_DIRECTION_DIRECTED, .drop_loops = true},
        {.direction = FR_DIRECTION_DIRECTED, .weight_type = FR_TYPE_F64}};
    for (size_t i = 0; i < COUNT(options); i++) {
        assert_ok(*state, open_graph(*state, test_path("both.fringe"), &options[i], &back));
        assert_int_equal(fr_graph_csr(back)->m, fr_graph_csr(graph)->m);
        fr_graph_free(back);
    }
    fr_graph_free(graph);
}

TEST_PROGRAM_IN_FOLDER(TEST(listed_ids_come_back), TEST(each_entry_may_be_a_directed_edge),
                       TEST(damage), TEST(large_is_checked_before_use), TEST(forged),
                       TEST(writing_fails_whole), TEST(links_are_followed),
                       TEST(parallel_edges_ascend_by_weight))
