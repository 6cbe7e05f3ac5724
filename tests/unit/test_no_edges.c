/* A graph without edges still has a weight type, and every strategy writes distances of that type, however the graph
 * was made: by the caller's CSR without weights, from its binary form, from a cache. */
#include "support/files.h"

#include <stdio.h>

enum { N = 5, SOURCE = 2 };

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

static void solve(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                  fr_solver_options options) {
    static const int32_t source = SOURCE;
    const fr_query query = {.sources = &source, .source_count = 1};
    const fr_type weights = fr_graph_weight_type(graph);
    double memory[N]; /* enough bytes for any type */
    fr_result result = {.dist = memory};
    memset(memory, 0x7f, sizeof memory);
    assert_ok(ctx, test_solve(ctx, graph, problem, &options, &query, &result));
    assert_ok(ctx, fr_verify_sssp(ctx, graph, &query, false, memory,
                                  weights ? weights : FR_TYPE_I32, NULL));
}

static void every_type(void **state) {
    static const fr_type types[] = {FR_TYPE_NONE, FR_TYPE_I32, FR_TYPE_F32, FR_TYPE_F64};
    static const make_fn ways[] = {from_csr, from_binary, from_cache};
    for (size_t i = 0; i < 2 * COUNT(types) * COUNT(ways); i++) {
        const fr_type type = types[i / 2 % COUNT(types)];
        fr_graph *graph = ways[i / 2 / COUNT(types)](*state, type, i % 2);
        fr_solver_options options = {0};
        assert_int_equal(fr_graph_weight_type(graph), type);
        assert_int_equal(!fr_graph_csr(graph)->weights, !type); /* what readers detect weights by */
        for (int k = 0; test_strategy(FR_PROBLEM_SSSP, k, &options); k++)
            solve(*state, graph, FR_PROBLEM_SSSP, options);
        for (int k = 0; test_strategy(FR_PROBLEM_APSP, k, &options); k++)
            if (!type || strcmp(options.strategy, "multi-bfs") != 0)
                solve(*state, graph, FR_PROBLEM_APSP, options);
        fr_graph_free(graph);
    }
}

TEST_PROGRAM_IN_FOLDER(TEST(every_type))
