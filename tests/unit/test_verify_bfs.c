/* The BFS verifier accepts right results and rejects all others. */
#include "conformance/oracle.h"
#include "support/support.h"

#include <math.h>

enum { MAX_N = 12 };

typedef struct {
    fr_graph *graph;
    cf_graph *own; /* of random examples: the graph with the oracle's copy; NULL: `graph` is all */
    int32_t n, sources[2];
    fr_query query;
    int32_t level[MAX_N], parent[MAX_N];
    cf_number dist[MAX_N];
} example;

static fr_status verdict(fr_ctx *ctx, example *x, const int32_t *level, const int32_t *parent) {
    x->query.sources = x->sources;
    fr_status status[2];
    char message[512];
    for (int threads = 1; threads <= 2; threads++) {
        fr_ctx_set_threads(ctx, threads);
        status[threads - 1] = fr_verify_bfs(ctx, x->graph, &x->query, level, parent);
        if (threads == 1)
            strcpy(message, fr_ctx_error(ctx));
    }
    assert_int_equal(status[0], status[1]);
    if (status[0])
        assert_string_equal(message, fr_ctx_error(ctx));
    return status[0];
}

static void min_parents_are_demanded(void **state) {
    const int32_t ends[] = {0, 1, 0, 2, 1, 3, 2, 3};
    example x = {.graph = test_graph(*state, 4, 4, ends, true), .query = {.source_count = 1}};
    const int32_t level[] = {0, 1, 1, 2}, min_ids[] = {0, 0, 0, 1}, other[] = {0, 0, 0, 2};
    assert_ok(*state, verdict(*state, &x, level, other));
    x.query.parent_rule = FR_PARENT_MIN_ID;
    assert_ok(*state, verdict(*state, &x, level, min_ids));
    assert_int_equal(verdict(*state, &x, level, other), FR_VERIFY_FAILED);
    fr_graph_free(x.graph);
}

static void targets_define_what_may_be_missing(void **state) {
    const int32_t ends[] = {0, 1, 1, 2, 2, 3, 3, 4, 0, 5, 5, 6}; /* 0-1-2-3-4 and 0-5-6; 7 alone */
    example x = {.graph = test_graph(*state, 8, 6, ends, true), .query = {.source_count = 1}};
    const int32_t all[] = {0, 1, 2, 3, 4, 1, 2, -1}, two[] = {0, 1, 2, -1, -1, 1, 2, -1};
    const int32_t unfinished[] = {0, 1, 2, -1, -1, 1, -1, -1},
                  none[] = {0, -1, -1, -1, -1, -1, -1, -1};
    const int32_t near[] = {2, 1}, isolated[] = {2, 7}, self[] = {0};
    x.query.targets = near;
    x.query.target_count = 2;
    assert_ok(*state, verdict(*state, &x, two, NULL));
    assert_int_equal(verdict(*state, &x, all, NULL), FR_VERIFY_FAILED);
    assert_int_equal(verdict(*state, &x, unfinished, NULL), FR_VERIFY_FAILED);
    assert_int_equal(verdict(*state, &x, none, NULL), FR_VERIFY_FAILED);
    x.query.targets = isolated; /* never found: nothing may be missing */
    assert_ok(*state, verdict(*state, &x, all, NULL));
    assert_int_equal(verdict(*state, &x, two, NULL), FR_VERIFY_FAILED);
    x.query.targets = self;
    x.query.target_count = 1;
    assert_ok(*state, verdict(*state, &x, none, NULL));
    assert_int_equal(verdict(*state, &x, two, NULL), FR_VERIFY_FAILED);
    fr_graph_free(x.graph);
}

/* Typical faults and their messages. */
static void faults_are_named(void **state) {
    const int32_t ends[] = {0, 1, 1, 2, 2, 3, 3, 2, 4, 5, 5, 4}; /* directed; 4 and 5 apart */
    example x = {.graph = test_graph(*state, 6, 6, ends, false), .query = {.source_count = 1}};
    static const struct {
        int32_t level[6], parent[6];
        const char *message;
    } faults[] = {
        {{0, 1, 2, 3, 10000, 10000},
         {0, 0, 1, 2, -1, -1},
         "vertex 4 (level 10000, parent -1): a "
         "level must be between -1 and n - 1"},
        {{0, 1, 2, -1, -1, -1},
         {0, 0, 1, -1, -1, -1},
         "edge 2 -> 3: from level 2 it must reach "
         "level 3, but it is unreached"},
        {{0, 1, 2, 3, 4, 5},
         {0, 0, 1, 2, 5, 4},
         "vertex 4 (level 4, parent 5): the parent's level "
         "is not one less"},
        {{1, 2, 3, 4, -1, -1},
         {0, 0, 1, 2, -1, -1},
         "vertex 0 (level 1, parent 0): a source must have "
         "level 0"},
        {{0, 1, 2, 3, 0, 1},
         {0, 0, 1, 2, 4, 4},
         "vertex 4 (level 0, parent 4): only a source has "
         "level 0"},
        {{0, 1, 2, 3, -1, -1},
         {0, 0, 3, 2, -1, -1},
         "vertex 2 (level 2, parent 3): the parent's "
         "level is not one less"},
        {{0, 1, 1, 2, -1, -1},
         {0, 0, 0, 2, -1, -1},
         "vertex 2 (level 1, parent 0): the parent has "
         "no edge to it"},
    };
    for (size_t i = 0; i < COUNT(faults); i++) {
        assert_int_equal(verdict(*state, &x, faults[i].level, faults[i].parent), FR_VERIFY_FAILED);
        assert_string_equal(fr_ctx_error(*state), faults[i].message);
    }
    const int32_t cycle[] = {0, 0, 3, 2, -1, -1};
    assert_refused(*state, verdict(*state, &x, NULL, cycle), FR_VERIFY_FAILED,
                   "vertex 2: its chain of parents does not end at a source");
    assert_int_equal(fr_verify_bfs(*state, x.graph, &x.query, NULL, NULL), FR_INVALID);
    assert_int_equal(fr_verify_bfs(*state, x.graph, NULL, cycle, NULL), FR_INVALID);
    fr_graph_free(x.graph);
}

/* Large enough for the parallel parts of the verifier. */
static void large_graphs(void **state) {
    enum { N = 60000, WIDTH = 20000 };
    int32_t *ends = malloc(2 * N * sizeof *ends), *level = malloc(N * sizeof *level);
    int32_t *parent = malloc(N * sizeof *parent);
    for (int32_t v = 1; v < N; v++) { /* a star whose leaves grow into short paths */
        parent[v] = v <= WIDTH ? 0 : v - WIDTH;
        ends[2 * v - 2] = parent[v];
        ends[2 * v - 1] = v;
        level[v] = (v + WIDTH - 1) / WIDTH;
    }
    parent[0] = level[0] = 0;
    example x = {.graph = test_graph(*state, N, N - 1, ends, true), .query = {.source_count = 1}};
    assert_ok(*state, verdict(*state, &x, level, parent));
    assert_ok(*state, verdict(*state, &x, level, NULL));
    assert_ok(*state, verdict(*state, &x, NULL, parent));
    level[N - 1]--;
    assert_int_equal(verdict(*state, &x, level, NULL), FR_VERIFY_FAILED);
    parent[N - 1 - WIDTH] = N - 1;
    assert_int_equal(verdict(*state, &x, NULL, parent), FR_VERIFY_FAILED);
    fr_graph_free(x.graph);
    free(ends);
    free(level);
    free(parent);
}

TEST_PROGRAM(TEST(min_parents_are_demanded), TEST(targets_define_what_may_be_missing),
             TEST(faults_are_named), TEST(large_graphs))
