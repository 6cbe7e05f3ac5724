/* fr_negative_cycle on random graphs against Floyd-Warshall, for every type and strategy. */
#include "support/float_cycles.h"
#include "support/support.h"

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

static void known_graphs(void **state) {
    static const struct {
        const char *graph;
        fr_type weights;
        int32_t length; /* of the cycle */
    } cases[] = {{"0:", FR_TYPE_NONE, 0},
                 {"2: 0>1 1>0", FR_TYPE_NONE, 0},
                 {"2: 0>1/1 1>0/-1", FR_TYPE_I32, 0},
                 {"2: 0>1/1 1>0/-2", FR_TYPE_I32, 2},
                 /* what is rounding, and what is not */
                 {"3: 0>1/1 1>2/1 2>0/-2.0000000000000004", FR_TYPE_F64, 0},
                 {"3: 0>1/1 1>2/1 2>0/-2.0000000000000036", FR_TYPE_F64, 3}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        fr_graph *graph = test_graph_of(*state, cases[i].graph, cases[i].weights);
        int32_t length = 7;
        assert_int_equal(fr_negative_cycle(*state, graph, NULL, NULL, &length, NULL),
                         cases[i].length ? FR_NEGATIVE_CYCLE : FR_OK);
        assert_int_equal(length, cases[i].length);
        fr_graph_free(graph);
    }
}

/* johnson looks for potentials while the solver is made, and there are none. */
static void no_message_from_johnson(void **state) {
    const fr_solver_options options = {.strategy = "johnson", .backend = FR_BACKEND_CPU};
    fr_graph *graph = test_graph_of(*state, "2: 0>1/1 1>0/-2", FR_TYPE_I32);
    fr_solver_free(test_solver(*state, graph, FR_PROBLEM_APSP, &options));
    assert_string_equal(fr_ctx_error(*state), "");
    fr_graph_free(graph);
}

TEST_PROGRAM(TEST(heights_have_no_negative_cycle), TEST(known_graphs),
             TEST(no_message_from_johnson))
