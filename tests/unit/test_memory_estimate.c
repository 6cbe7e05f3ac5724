/* fr_estimate_memory against what fr_solver_new takes at its peak, the exchange of rows and columns
 * included.
 */
#include "fringe_tune.h"
#include "support/support.h"

/* A fresh context, so that its peak is the solver's. */
static void check_strategy(const fr_graph *graph, const fr_strategy_info *strategy,
                           bool record_levels) {
    fr_ctx *ctx = test_ctx_threads(2);
    /* enough queries that auto prepares at once what it may prepare later */
    fr_solver_options options = {.strategy = strategy->name,
                                 .backend = strategy->backend,
                                 .max_sources = 4,
                                 .record_levels = record_levels,
                                 .expected_queries = 1000000};
    fr_memory_estimate plan = {0};
    assert_ok(ctx, fr_estimate_memory(ctx, graph, strategy->problem, &options, &plan));
    size_t before = fr_ctx_peak_bytes(ctx);
    fr_solver *solver = test_solver(ctx, graph, strategy->problem, &options);
    size_t took = fr_ctx_peak_bytes(ctx) - before;
    if (took > plan.host || plan.host > took + took / 8 + 65536)
        fail_msg("%s %s: took %zu bytes, the plan said %zu", fr_problem_name(strategy->problem),
                 strategy->name, took, plan.host);
    fr_solver_free(solver);
    fr_ctx_free(ctx);
}

static void the_plan_is_what_is_taken(void **state) {
    static const struct {
        const char *graph;
        double weight_high;
    } cases[] = {{"rmat:scale=14,seed=2", 0},
                 {"rmat:scale=14,seed=2", 9},
                 {"rmat:scale=17,edges=200000,seed=2", 0},
                 {"kronecker:scale=14,seed=2", 9},
                 {"grid2d:rows=200,cols=200", 9},
                 {"path:n=1", 0},
                 {"scale-free:n=300", 0}};
    enum { SMALL = 5 }; /* from here on all pairs, too */
    for (size_t c = 0; c < COUNT(cases); c++) {
        fr_strategy_info strategy = {0};
        for (int i = 0; fr_strategy_get(i, &strategy); i++) {
            if (strategy.backend != FR_BACKEND_CPU ||
                (strategy.problem == FR_PROBLEM_APSP && c < SMALL))
                continue;
            for (int records = 0; records < 2; records++) {
                /* a new one: solvers use what earlier ones of the graph prepared */
                fr_graph *graph = test_generated(*state, cases[c].graph, cases[c].weight_high);
                check_strategy(graph, &strategy, records);
                fr_graph_free(graph);
            }
        }
    }
}

TEST_PROGRAM(TEST(the_plan_is_what_is_taken))
