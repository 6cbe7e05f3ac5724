/* fr_negative_cycle on random graphs against Floyd-Warshall, for every type and strategy. */
#include "support/float_cycles.h"
#include "support/support.h"

#include "base/rng.h"

#include <math.h>

enum { N = 12, M = 40 };

/* Cycles of weight 0 up to rounding, by every strategy of the CPU that takes negative weights. */
static void heights_have_no_negative_cycle(void **state) {
    const char *const sssp[] = {"auto", "bellman-ford"}, *const apsp[] = {"auto", "johnson",
                                                                          "floyd-warshall"};
    heights h;
    int32_t length;
    for (uint64_t seed = 0; seed < 120; seed++) {
        assert_ok(*state, heights_make(*state, seed, &h));
        assert_ok(*state, fr_negative_cycle(*state, h.graph, NULL, NULL, &length, NULL));
        fr_graph_free(h.graph);
        for (size_t i = 0; i < 2; i++)
            if (!heights_check(*state, seed, FR_PROBLEM_SSSP, sssp[i], FR_BACKEND_CPU, &h))
                fail_msg("sssp %s, seed %d: %s", sssp[i], (int)seed, h.why);
        for (size_t i = 0; i < 3; i++)
            if (!heights_check(*state, seed, FR_PROBLEM_APSP, apsp[i], FR_BACKEND_CPU, &h))
                fail_msg("apsp %s, seed %d: %s", apsp[i], (int)seed, h.why);
    }
}

/* What is rounding, and what is a negative cycle. */
static void a_negative_cycle_is_more_than_rounding(void **state) {
    const int32_t src[] = {0, 1, 2}, dst[] = {1, 2, 0};
    const double weight[][3] = {{1, 1, -2 - 0x1p-51}, {1, 1, -2 - 0x1p-48}};
    fr_load_options directed = {.direction = FR_DIRECTION_DIRECTED};
    for (int i = 0; i < 2; i++) {
        fr_graph *graph = NULL;
        int32_t length;
        assert_ok(*state, fr_graph_from_edges(*state, 3, 3, src, dst, weight[i], FR_TYPE_F64,
                                              &directed, &graph));
        assert_int_equal(fr_negative_cycle(*state, graph, NULL, NULL, &length, NULL),
                         i ? FR_NEGATIVE_CYCLE : FR_OK);
        fr_graph_free(graph);
    }
}

static void without_weights(void **state) {
    fr_ctx *ctx = *state;
    const int32_t ends[] = {0, 1, 1, 0};
    int32_t length = 7;
    fr_graph *graph = test_graph(ctx, 2, 2, ends, false),
             *empty = test_graph(ctx, 0, 0, ends, false);
    assert_ok(ctx, fr_negative_cycle(ctx, graph, NULL, NULL, &length, NULL));
    assert_int_equal(length, 0);
    assert_ok(ctx, fr_negative_cycle(ctx, empty, NULL, NULL, &length, NULL));
    assert_int_equal(fr_negative_cycle(ctx, NULL, NULL, NULL, &length, NULL), FR_INVALID);
    fr_graph_free(graph);
    fr_graph_free(empty);
}

/* johnson looks for potentials while the solver is made, and there are none. */
static void no_message_from_johnson(void **state) {
    fr_ctx *ctx = *state;
    const int32_t src[] = {0, 1}, dst[] = {1, 0}, weights[] = {1, -2};
    const fr_solver_options options = {.strategy = "johnson", .backend = FR_BACKEND_CPU};
    fr_graph *graph = NULL;
    fr_solver *solver = NULL;
    assert_ok(ctx, fr_graph_from_edges(ctx, 2, 2, src, dst, weights, FR_TYPE_I32, NULL, &graph));
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_APSP, &options, &solver));
    assert_string_equal(fr_ctx_error(ctx), "");
    fr_solver_free(solver);
    fr_graph_free(graph);
}

TEST_PROGRAM(TEST(heights_have_no_negative_cycle), TEST(a_negative_cycle_is_more_than_rounding),
             TEST(without_weights), TEST(no_message_from_johnson))
