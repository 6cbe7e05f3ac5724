/* fr_estimate_memory against what fr_solver_new takes at its peak, the exchange of rows and columns
 * included.
 */
#include "fringe_tune.h"
#include "support/support.h"

static fr_graph *make(fr_ctx *ctx, const char *description, fr_weights weights) {
    fr_graph *graph;
    fr_load_options o = {.weights = weights, .weight_low = 1, .weight_high = 9};
    assert_ok(ctx, fr_graph_generate(ctx, description, &o, &graph));
    return graph;
}

/* A fresh context, so that its peak is the solver's. */
static void check_row(const fr_graph *graph, const fr_strategy_info *strategy, bool record_levels) {
    fr_ctx *ctx = test_ctx_threads(2);
    /* so many queries that auto prepares at once what it may prepare later */
    fr_solver_options options = {.strategy = strategy->name,
                                 .backend = strategy->backend,
                                 .max_sources = 4,
                                 .record_levels = record_levels,
                                 .expected_queries = 1000000};
    fr_memory_estimate plan = {0};
    assert_ok(ctx, fr_estimate_memory(ctx, graph, strategy->problem, &options, &plan));
    size_t before = fr_ctx_peak_bytes(ctx);
    fr_solver *solver;
    assert_ok(ctx, fr_solver_new(ctx, graph, strategy->problem, &options, &solver));
    size_t took = fr_ctx_peak_bytes(ctx) - before;
    if (took > plan.host + 8192 || plan.host > took + took / 8 + 65536)
        fail_msg("%s %s: took %zu bytes, the plan said %zu", fr_problem_name(strategy->problem),
                 strategy->name, took, plan.host);
    fr_solver_free(solver);
    fr_ctx_free(ctx);
}

static void the_plan_is_what_is_taken(void **state) {
    static const struct {
        const char *graph;
        fr_weights weights;
    } cases[] = {{"rmat:scale=14,seed=2", FR_WEIGHTS_NONE},
                 {"rmat:scale=14,seed=2", FR_WEIGHTS_RANDOM},
                 {"rmat:scale=17,edges=200000,seed=2", FR_WEIGHTS_NONE},
                 {"kronecker:scale=14,seed=2", FR_WEIGHTS_RANDOM},
                 {"grid2d:rows=200,cols=200", FR_WEIGHTS_RANDOM}};
    for (size_t c = 0; c < COUNT(cases); c++) {
        fr_strategy_info strategy = {0};
        for (int i = 0; fr_strategy_get(i, &strategy); i++) {
            if (strategy.backend != FR_BACKEND_CPU || strategy.problem == FR_PROBLEM_APSP)
                continue;
            for (int records = 0; records < 2; records++) {
                /* a new one: solvers use what earlier ones of the graph prepared */
                fr_graph *graph = make(*state, cases[c].graph, cases[c].weights);
                check_row(graph, &strategy, records);
                fr_graph_free(graph);
            }
        }
    }
}

TEST_PROGRAM(TEST(the_plan_is_what_is_taken))
