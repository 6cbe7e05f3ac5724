/* All pairs by multi-bfs beyond the conformance suite: numbers of sources around a word and a pass, repeated
 * sources; limits of levels. */
#include "conformance/matrix.h"
#include "support/support.h"

enum { N = 64, MAX_SOURCES = 1100 };

/* More sources than vertices, and more than fit one pass (512). */
static void words_and_passes(void **state) {
    static const int64_t counts[] = {1, 2, 63, 64, 65, 128, 511, 512, 513, 1030};
    static const char *const knobs[] = {"",           "sources=1", "sources=64",
                                        "sources=65", "pull=0",    "pull=1e9"};
    static cf_number want[N * N];
    static int32_t sources[MAX_SOURCES];
    const cf_random_kind kind = {.weights = CF_NONE, .directed = true};
    uint64_t random = 3;
    cf_config c = {
        .g = cf_random_graph(*state, N, 200, &kind, &random), .unit = true, .threads = 2};
    for (int i = 0; !c.strategy.name || strcmp(c.strategy.name, "multi-bfs") != 0; i++)
        assert_true(cf_strategy(FR_PROBLEM_APSP, i, &c.strategy));
    for (int32_t v = 0; v < N; v++)
        assert_true(cf_solve(c.g, true, &v, 1, want + v * N, NULL));
    for (int i = 0; i < MAX_SOURCES; i++)
        sources[i] = i == 1 ? sources[0] : cf_between(&random, 0, N - 1);
    for (size_t k = 0; k < COUNT(knobs); k++)
        for (size_t i = 0; i < COUNT(counts); i++) {
            fr_solver_options options = {.strategy = "multi-bfs",
                                         .knobs = knobs[k],
                                         .unit_weights = true,
                                         .max_sources = (int32_t)counts[i]};
            fr_solver *solver = test_solver(*state, c.g->graph, FR_PROBLEM_APSP, &options);
            for (int by_row = 0; by_row < 2; by_row++)
                cf_check_matrix(*state, &c, solver, knobs[k], want, sources, counts[i], by_row,
                                true);
            fr_solver_free(solver);
        }
    assert_int_equal(cf_failures, 0);
    cf_graph_free((cf_graph *)(uintptr_t)c.g);
}

/* A limit of levels is refused, not ignored. */
static void limits_of_levels_are_refused(void **state) {
    fr_graph *graph = test_generated(*state, "path:n=5", 0);
    const fr_query queries[] = {{.max_level = 1}, {.limit_level = true}};
    fr_solver_options options = {.unit_weights = true};
    int32_t dist[25];
    fr_result result = {.dist = dist};
    for (int i = 0; test_strategy(FR_PROBLEM_APSP, i, &options); i++)
        for (int q = 0; q < 2; q++)
            assert_refused(
                *state, test_solve(*state, graph, FR_PROBLEM_APSP, &options, &queries[q], &result),
                FR_UNSUPPORTED, "set max_distance");
    fr_graph_free(graph);
}

TEST_PROGRAM(TEST(words_and_passes), TEST(limits_of_levels_are_refused))
