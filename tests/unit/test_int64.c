/* Weights of 64 bits stay exact, from the array or the file to the graph. Conformance and test_sssp.c test distances
 * with them, test_verify.c the checkers. */
#include "support/files.h"

#define B53   (INT64_C(1) << 53)
#define CHAIN "4: 0-1/9007199254740991 1-2/2 0-3/5"

static void a_csr_is_borrowed(void **state) {
    const int64_t offsets[] = {0, 2, 2}, up[] = {B53, B53 + 1}, down[] = {B53 + 1, B53};
    const int32_t targets[] = {1, 1};
    fr_csr csr = {2, 2, offsets, targets, up, FR_TYPE_I64, false};
    fr_graph *graph;
    assert_ok(*state, fr_graph_from_csr(*state, &csr, &graph));
    assert_ptr_equal(fr_graph_csr(graph)->weights, up);
    fr_graph_free(graph);
    csr.weights = down; /* equal as doubles */
    assert_int_equal(fr_graph_from_csr(*state, &csr, &graph), FR_INVALID);
}

static void parallel_edges_ascend(void **state) {
    static const char text[] = "2: 0>1/9007199254740993 0>1/-9007199254740993 0>1/9007199254740992";
    fr_graph *graph = test_graph_of(*state, text, FR_TYPE_I64);
    const int64_t *kept = fr_graph_csr(graph)->weights;
    assert_true(kept[0] == -B53 - 1 && kept[1] == B53 && kept[2] == B53 + 1);
    fr_graph_free(graph);
    const int32_t src[] = {0, 0}, dst[] = {1, 1};
    const int64_t weights[] = {B53 + 1, B53};
    const fr_load_options lightest = {.drop_parallel = true};
    graph = test_of_edges(*state, 2, 2, src, dst, weights, FR_TYPE_I64, &lightest);
    assert_true(fr_graph_csr(graph)->m == 1);
    assert_true(*(const int64_t *)fr_graph_csr(graph)->weights == B53);
    fr_graph_free(graph);
}

static void stats_are_exact(void **state) {
    fr_graph *graph = test_graph_of(*state, CHAIN, FR_TYPE_I64);
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
    const fr_load_options real = {.weight_type = FR_TYPE_F64};
    fr_graph *graph = test_graph_of(*state, CHAIN, FR_TYPE_I64), *back;
    for (size_t i = 0; i < COUNT(names); i++) {
        assert_ok(*state, fr_graph_write(*state, graph, test_path(names[i]), NULL));
        assert_ok(*state, fr_graph_load(*state, test_path(names[i]), NULL, &back));
        assert_int_equal(fr_graph_weight_type(back), FR_TYPE_I64);
        assert_memory_equal(fr_graph_csr(back)->weights, fr_graph_csr(graph)->weights, 6 * 8);
        fr_graph_free(back);
        assert_ok(*state, fr_graph_load(*state, test_path(names[i]), &real, &back));
        assert_int_equal(fr_graph_weight_type(back), FR_TYPE_F64);
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

/* Distances have the type of such weights; sums beyond 2^60 are refused by the estimate as by the solver. */
static void solvers(void **state) {
    static const struct {
        const char *graph, *strategy;
        fr_problem problem;
        fr_type type;
        fr_status status;
    } cases[] = {{CHAIN, "auto", FR_PROBLEM_SSSP, FR_TYPE_NONE, FR_OK},
                 {CHAIN, "auto", FR_PROBLEM_SSSP, FR_TYPE_I32, FR_INVALID},
                 {CHAIN, "auto", FR_PROBLEM_SSSP, FR_TYPE_F32, FR_INVALID},
                 {CHAIN, "auto", FR_PROBLEM_SSSP, FR_TYPE_F64, FR_INVALID},
                 {"2: 0>1/576460752303423488", "floyd-warshall", FR_PROBLEM_APSP, FR_TYPE_NONE,
                  FR_UNSUPPORTED}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const fr_solver_options options = {.strategy = cases[i].strategy,
                                           .dist_type = cases[i].type};
        fr_graph *graph = test_graph_of(*state, cases[i].graph, FR_TYPE_I64);
        fr_memory_estimate bytes = {0};
        fr_solver *solver;
        assert_int_equal(fr_estimate_memory(*state, graph, cases[i].problem, &options, &bytes),
                         cases[i].status);
        assert_int_equal(fr_solver_new(*state, graph, cases[i].problem, &options, &solver),
                         cases[i].status);
        assert_int_equal(fr_solver_dist_type(solver), cases[i].status ? FR_TYPE_NONE : FR_TYPE_I64);
        fr_solver_free(solver);
        fr_graph_free(graph);
    }
}

static void random_weights(void **state) {
    fr_load_options options = {.weights = FR_WEIGHTS_RANDOM,
                               .weight_type = FR_TYPE_I64,
                               .weight_low = 0x1p40,
                               .weight_high = 0x1p53};
    fr_graph *graph = test_made(*state, "grid2d:rows=9,cols=9", options);
    fr_graph_stats stats = {0};
    assert_ok(*state, fr_graph_compute_stats(*state, graph, &stats));
    assert_true(stats.int_weight_min >= INT64_C(1) << 40 && stats.int_weight_max <= B53);
    fr_graph_free(graph);
    options.weight_type = FR_TYPE_NONE; /* whole bounds, beyond int32 */
    graph = test_made(*state, "grid2d:rows=9,cols=9", options);
    assert_int_equal(fr_graph_csr(graph)->weight_type, FR_TYPE_I64);
    fr_graph_free(graph);
    options.weight_type = FR_TYPE_I64;
    options.weight_high = 0x1p54;
    assert_int_equal(fr_graph_generate(*state, "grid2d:rows=9,cols=9", &options, &graph),
                     FR_INVALID);
}

TEST_PROGRAM_IN_FOLDER(TEST(a_csr_is_borrowed), TEST(parallel_edges_ascend), TEST(stats_are_exact),
                       TEST(every_format_keeps_them), TEST(metis_mirrors_are_compared_exactly),
                       TEST(solvers), TEST(random_weights))
