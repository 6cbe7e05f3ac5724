/* Graphs made from graphs: known results, ids that are kept, refusals. Random graphs: tests/random/operations.c. */
#include "support/cases.h"

#include <math.h>

typedef fr_status (*operation)(fr_ctx *ctx, const fr_graph *graph, fr_graph **out);

static fr_status transposed(fr_ctx *ctx, const fr_graph *graph, fr_graph **out) {
    return fr_graph_transpose(ctx, graph, out);
}
static fr_status bare(fr_ctx *ctx, const fr_graph *graph, fr_graph **out) {
    return fr_graph_set_weights(ctx, graph, NULL, FR_TYPE_NONE, out);
}
static fr_status weighted(fr_ctx *ctx, const fr_graph *graph, fr_graph **out) {
    return fr_graph_set_weights(ctx, graph, (const int32_t[]){7, 8, 9, 10}, FR_TYPE_I32, out);
}
static fr_status from_1_and_3(fr_ctx *ctx, const fr_graph *graph, fr_graph **out) {
    return fr_graph_subgraph(ctx, graph, (const int32_t[]){3, 1, 3}, 3, NULL, out);
}
static fr_status from_0_and_2(fr_ctx *ctx, const fr_graph *graph, fr_graph **out) {
    return fr_graph_subgraph(ctx, graph, (const int32_t[]){2, 0}, 2, NULL, out);
}
static fr_status without_1(fr_ctx *ctx, const fr_graph *graph, fr_graph **out) {
    return fr_graph_filter(ctx, graph, (const uint64_t[]){2}, NULL, out);
}
static fr_status without_edge_0(fr_ctx *ctx, const fr_graph *graph, fr_graph **out) {
    return fr_graph_filter(ctx, graph, NULL, (const uint64_t[]){1}, out);
}
static fr_status without_edge_3_and_1(fr_ctx *ctx, const fr_graph *graph, fr_graph **out) {
    return fr_graph_filter(ctx, graph, (const uint64_t[]){2}, (const uint64_t[]){8}, out);
}

#define LIST  "10 20 1\n20 30 2\n30 10 3\n30 40 4\n" /* ids 10 to 40 */
#define PLAIN "0 1 1\n1 2 2\n2 0 3\n2 3 4\n"

static const struct {
    const char *file; /* its name is not read */
    operation make;
    const char *want;
    bool undirected; /* one without edges is */
} cases[] = {
    {LIST, transposed, "4: 10>30/3 20>10/1 30>20/2 40>30/4"},
    {LIST, bare, "4: 10>20 20>30 30>10 30>40"},
    {LIST, weighted, "4: 10>20/7 20>30/8 30>10/9 30>40/10"},
    {LIST, from_1_and_3, "2:", true},
    {LIST, from_0_and_2, "2: 30>10/3"},
    {PLAIN, from_0_and_2, "2: 2>0/3"},
    {PLAIN, from_0_and_2, "2: 0>2/3 2>0/3", true},
    {PLAIN, transposed, "4: 0>1/1 0>2/3 1>0/1 1>2/2 2>0/3 2>1/2 2>3/4 3>2/4", true},
    {PLAIN, without_1, "4: 2>0/3 2>3/4"},
    {PLAIN, without_edge_0, "4: 1>2/2 2>0/3 2>3/4"},
    {PLAIN, without_edge_0, "4: 0>2/3 1>2/2 2>0/3 2>1/2 2>3/4 3>2/4", true},
    {PLAIN, without_edge_3_and_1, "4: 2>0/3", false},
};

static void known_results(void **state) {
    for (size_t i = 0; i < COUNT(cases); i++) {
        const fr_load_options options = {.direction = cases[i].undirected ? FR_DIRECTION_UNDIRECTED
                                                                          : FR_DIRECTION_DIRECTED};
        fr_graph *graph = NULL, *made = NULL;
        char got[256];
        assert_ok(*state, test_load_text(*state, "a.txt", cases[i].file, &options, &graph));
        assert_ok(*state, cases[i].make(*state, graph, &made));
        test_describe(made, got, sizeof got);
        if (strcmp(got, cases[i].want) != 0 || fr_graph_is_symmetric(made) != cases[i].undirected)
            fail_msg("case %zu: %s, not %s", i, got, cases[i].want);
        fr_graph_free(made);
        fr_graph_free(graph);
    }
}

static void refusals(void **state) {
    fr_ctx *ctx = *state;
    const int32_t bad[] = {0, 3};
    const float weights[] = {1, (float)HUGE_VAL};
    fr_graph *graph = test_graph_of(ctx, "3: 0>1 1>2", FR_TYPE_NONE), *out = graph;
    assert_int_equal(fr_graph_set_weights(ctx, graph, weights, FR_TYPE_F32, &out), FR_RANGE);
    assert_int_equal(fr_graph_set_weights(ctx, graph, weights, FR_TYPE_NONE, &out), FR_INVALID);
    assert_int_equal(fr_graph_set_weights(ctx, graph, NULL, FR_TYPE_F32, &out), FR_INVALID);
    assert_int_equal(fr_graph_set_weights(ctx, graph, weights, (fr_type)9, &out), FR_INVALID);
    assert_int_equal(fr_graph_subgraph(ctx, graph, bad, 2, NULL, &out), FR_NOT_FOUND);
    assert_null(out);
    fr_graph_free(graph);
}

TEST_PROGRAM_IN_FOLDER(TEST(known_results), TEST(refusals))
