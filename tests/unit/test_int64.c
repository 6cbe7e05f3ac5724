/* Weights of 64 bits stay exact, from the array or the file to the distance. tests/conformance
 * tests the strategies with them. */
#include "support/files.h"
#include "support/support.h"

#define B53 (INT64_C(1) << 53)

static const int32_t SRC[] = {0, 1, 0}, DST[] = {1, 2, 3};
static const int64_t WEIGHT[] = {B53 - 1, 2, 5};

static fr_graph *chain(fr_ctx *ctx, fr_direction direction) {
    fr_load_options options = {.direction = direction};
    fr_graph *graph;
    assert_ok(ctx, fr_graph_from_edges(ctx, 4, 3, SRC, DST, WEIGHT, FR_TYPE_I64, &options, &graph));
    return graph;
}

static void a_csr_is_borrowed(void **state) {
    const int64_t offsets[] = {0, 2, 2}, up[] = {B53, B53 + 1}, down[] = {B53 + 1, B53};
    const int32_t targets[] = {1, 1};
    fr_csr csr = {.n = 2, .m = 2, .offsets = offsets, .targets = targets, .weights = up};
    fr_graph *graph;
    csr.weight_type = FR_TYPE_I64;
    assert_ok(*state, fr_graph_from_csr(*state, &csr, &graph));
    assert_ptr_equal(fr_graph_csr(graph)->weights, up);
    fr_graph_free(graph);
    csr.weights = down; /* equal as doubles */
    assert_int_equal(fr_graph_from_csr(*state, &csr, &graph), FR_INVALID);
}

static void parallel_edges_ascend(void **state) {
    const int32_t src[] = {0, 0, 0}, dst[] = {1, 1, 1};
    const int64_t weight[] = {B53 + 1, -B53 - 1, B53};
    fr_load_options options = {.direction = FR_DIRECTION_DIRECTED};
    fr_graph *graph;
    assert_ok(*state,
              fr_graph_from_edges(*state, 2, 3, src, dst, weight, FR_TYPE_I64, &options, &graph));
    const int64_t *kept = fr_graph_csr(graph)->weights;
    assert_true(kept[0] == -B53 - 1 && kept[1] == B53 && kept[2] == B53 + 1);
    fr_graph_free(graph);
    options.drop_parallel = true;
    assert_ok(*state, fr_graph_from_edges(*state, 2, 2, src, dst, (const int64_t[]){B53 + 1, B53},
                                          FR_TYPE_I64, &options, &graph));
    kept = fr_graph_csr(graph)->weights;
    assert_true(fr_graph_csr(graph)->m == 1 && kept[0] == B53);
    fr_graph_free(graph);
}

static void stats_are_exact(void **state) {
    fr_graph *graph = chain(*state, FR_DIRECTION_UNDIRECTED);
    fr_graph_stats stats = {0};
    assert_ok(*state, fr_graph_compute_stats(*state, graph, &stats));
    assert_true(stats.int_weight_min == 2 && stats.int_weight_max == B53 - 1);
    assert_true(stats.weight_max == (double)(B53 - 1) && stats.negative_edges == 0);
    fr_graph_free(graph);
}

/* Each format that holds such weights gives the same graph back; .wsg of GAP refuses them. */
static void every_format_keeps_them(void **state) {
    static const char *const names[] = {"g.mtx",   "g.gr",     "g.txt", "g.wel",
                                        "g.graph", "g.fringe", "g.net"};
    fr_load_options undirected = {.direction = FR_DIRECTION_UNDIRECTED};
    fr_graph *graph = chain(*state, FR_DIRECTION_UNDIRECTED), *back;
    const fr_csr *csr = fr_graph_csr(graph);
    for (size_t i = 0; i < COUNT(names); i++) {
        bool arcs = strstr(".gr.txt.wel", strchr(names[i], '.')) != NULL; /* both of each edge */
        assert_ok(*state, fr_graph_write(*state, graph, test_path(names[i]), NULL));
        assert_ok(*state, fr_graph_load(*state, test_path(names[i]), NULL, &back));
        assert_int_equal(fr_graph_csr(back)->weight_type, FR_TYPE_I64);
        assert_int_equal(fr_graph_csr(back)->m, csr->m);
        assert_memory_equal(fr_graph_csr(back)->weights, csr->weights, (size_t)csr->m * 8);
        fr_graph_free(back);
        fr_load_options real = arcs ? (fr_load_options){0} : undirected;
        real.weight_type = FR_TYPE_F64;
        assert_ok(*state, fr_graph_load(*state, test_path(names[i]), &real, &back));
        assert_int_equal(fr_graph_csr(back)->weight_type, FR_TYPE_F64);
        fr_graph_free(back);
    }
    assert_int_equal(fr_graph_write(*state, graph, test_path("g.wsg"), NULL), FR_UNSUPPORTED);
    fr_graph_free(graph);
}

/* The two directions of an edge differ where no double shows it. */
static void metis_mirrors_are_compared_exactly(void **state) {
    static const char text[] = "2 1 1\n2 9007199254740993\n1 9007199254740992\n";
    fr_graph *graph;
    assert_int_equal(
        fr_graph_load(*state, test_put("bad.graph", text, sizeof text - 1), NULL, &graph),
        FR_FORMAT);
}

static void distances_have_their_type(void **state) {
    fr_graph *graph = chain(*state, FR_DIRECTION_DIRECTED);
    fr_solver *solver;
    static const fr_type others[] = {FR_TYPE_I32, FR_TYPE_F32, FR_TYPE_F64};
    for (int i = 0; i < 3; i++) {
        fr_solver_options options = {.dist_type = others[i]};
        assert_int_equal(fr_solver_new(*state, graph, FR_PROBLEM_SSSP, &options, &solver),
                         FR_INVALID);
    }
    assert_ok(*state, fr_solver_new(*state, graph, FR_PROBLEM_SSSP, NULL, &solver));
    assert_int_equal(fr_solver_dist_type(solver), FR_TYPE_I64);
    fr_solver_free(solver);
    fr_graph_free(graph);
}

/* fr_estimate_memory refuses sums beyond 2^60 as fr_solver_new does. */
static void the_estimate_refuses_what_the_solver_does(void **state) {
    const int32_t from = 0, to = 1;
    const int64_t weight = INT64_C(1) << 59;
    const fr_solver_options options = {.strategy = "floyd-warshall"};
    fr_memory_estimate bytes = {0};
    fr_graph *graph;
    fr_solver *solver;
    assert_ok(*state,
              fr_graph_from_edges(*state, 2, 1, &from, &to, &weight, FR_TYPE_I64, NULL, &graph));
    assert_int_equal(fr_solver_new(*state, graph, FR_PROBLEM_APSP, &options, &solver),
                     FR_UNSUPPORTED);
    assert_refused(*state, fr_estimate_memory(*state, graph, FR_PROBLEM_APSP, &options, &bytes),
                   FR_UNSUPPORTED, "2^60");
    fr_graph_free(graph);
}

TEST_PROGRAM_IN_FOLDER(TEST(a_csr_is_borrowed), TEST(parallel_edges_ascend), TEST(stats_are_exact),
                       TEST(every_format_keeps_them), TEST(metis_mirrors_are_compared_exactly),
                       TEST(distances_have_their_type),
                       TEST(the_estimate_refuses_what_the_solver_does))
