/* A graph without edges still has a weight type, and every strategy writes distances of that
 * type, however the graph was made. */
#include "fringe_tune.h"
#include "support/files.h"

#include <math.h>
#include <stdio.h>

enum { N = 5, SOURCE = 2 };

static const fr_type types[] = {FR_TYPE_NONE, FR_TYPE_I32, FR_TYPE_F32, FR_TYPE_F64};
enum { TYPES = COUNT(types) };

/* The same graph as the caller's CSR, from its binary form, from a cache. */
typedef fr_graph *(*make_fn)(fr_ctx *ctx, fr_type type, bool symmetric);

static fr_graph *from_csr(fr_ctx *ctx, fr_type type, bool symmetric) {
    static const int64_t offsets[N + 1];
    const fr_csr csr = {.n = N, .offsets = offsets, .weight_type = type, .symmetric = symmetric};
    fr_graph *graph;
    assert_ok(ctx, fr_graph_from_csr(ctx, &csr, &graph));
    return graph;
}

static fr_graph *from_binary(fr_ctx *ctx, fr_type type, bool symmetric) {
    fr_graph *made = from_csr(ctx, type, symmetric), *graph;
    assert_ok(ctx, fr_graph_write(ctx, made, test_path("none.fringe"), NULL));
    assert_ok(ctx, fr_graph_load(ctx, test_path("none.fringe"), NULL, &graph));
    fr_graph_free(made);
    return graph;
}

static fr_graph *from_cache(fr_ctx *ctx, fr_type type, bool symmetric) {
    const fr_load_options options = {.cache = true, .weight_type = type};
    char text[128];
    snprintf(text, sizeof text, "%%%%MatrixMarket matrix coordinate %s %s\n%d %d 0\n",
             type ? "real" : "pattern", symmetric ? "symmetric" : "general", N, N);
    const char *path = test_put(type ? "real.mtx" : "pattern.mtx", text, strlen(text));
    fr_graph *graph;
    for (int run = 0; run < 2; run++) { /* the second finds the cache of the first */
        assert_ok(ctx, fr_graph_load(ctx, path, &options, &graph));
        if (!run)
            fr_graph_free(graph);
    }
    return graph;
}

static double value(const void *dist, fr_type type, int64_t i) {
    if (type == FR_TYPE_I32) {
        int32_t d = ((const int32_t *)dist)[i];
        return d == FR_INF_I32 ? INFINITY : d;
    }
    return type == FR_TYPE_F32 ? (double)((const float *)dist)[i] : ((const double *)dist)[i];
}

static fr_type expected(fr_type weights) { return weights ? weights : FR_TYPE_I32; }

static void run(fr_ctx *ctx, const fr_graph *graph, const fr_strategy_info *strategy) {
    static const int32_t source = SOURCE;
    const fr_solver_options options = {.strategy = strategy->name, .backend = FR_BACKEND_CPU};
    const fr_query query = {.sources = &source, .source_count = 1};
    double memory[N * N]; /* enough bytes for any type; NaN wherever nothing is written */
    fr_result result = {.dist = memory};
    fr_solver *solver;
    for (int i = 0; i < N * N; i++)
        memory[i] = NAN;
    assert_ok(ctx, fr_solver_new(ctx, graph, strategy->problem, &options, &solver));
    fr_type type = fr_solver_dist_type(solver);
    assert_int_equal(type, expected(fr_graph_csr(graph)->weight_type));
    assert_ok(ctx, fr_solve(solver, &query, &result));
    for (int i = 0; i < N; i++)
        if (value(memory, type, i) != (i == SOURCE ? 0 : INFINITY))
            fail_msg("%s %s: vertex %d is at %g", fr_type_name(type), strategy->name, i,
                     value(memory, type, i));
    assert_ok(ctx, fr_verify_sssp(ctx, graph, &query, false, memory, type, NULL));
    fr_solver_free(solver);
}

static bool takes(const fr_strategy_info *strategy, fr_type type) {
    return strategy->backend == FR_BACKEND_CPU && strategy->problem != FR_PROBLEM_BFS &&
           (!type || strcmp(strategy->name, "multi-bfs") != 0);
}

static void run_all(fr_ctx *ctx, make_fn make) {
    fr_strategy_info strategy = {0};
    for (int t = 0; t < TYPES; t++)
        for (int symmetric = 0; symmetric < 2; symmetric++) {
            fr_graph *graph = make(ctx, types[t], symmetric);
            const fr_csr *csr = fr_graph_csr(graph);
            assert_int_equal(csr->weight_type, types[t]);
            assert_int_equal(!csr->weights, !types[t]); /* what readers detect weights by */
            for (int i = 0; fr_strategy_get(i, &strategy); i++)
                if (takes(&strategy, types[t]))
                    run(ctx, graph, &strategy);
            fr_graph_free(graph);
        }
}

static void of_a_csr(void **state) { run_all(*state, from_csr); }
static void of_the_binary_form(void **state) { run_all(*state, from_binary); }
static void of_a_cache(void **state) { run_all(*state, from_cache); }

static void unknown_types_are_refused(void **state) {
    static const int64_t offsets[N + 1];
    fr_graph *graph;
    const fr_csr csr = {.n = N, .offsets = offsets, .weight_type = (fr_type)77};
    assert_int_equal(fr_graph_from_csr(*state, &csr, &graph), FR_INVALID);
}

TEST_PROGRAM_IN_FOLDER(TEST(of_a_csr), TEST(of_the_binary_form), TEST(of_a_cache),
                       TEST(unknown_types_are_refused))
