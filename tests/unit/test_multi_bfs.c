/* All pairs by multi-bfs against the oracle from each source: numbers of sources around a word
 * and a pass, repeated sources, directed and deep graphs, bottom-up steps on and off, rows by array
 * and callback. */
#include "fringe_tune.h"
#include "conformance/oracle.h"
#include "support/support.h"

enum { MAX_SOURCES = 1100 };

static const char *const knobs[] = {NULL,     "sources=1", "sources=64", "sources=65",
                                    "pull=0", "pull=1e9",  NULL};

typedef struct {
    const cf_graph *g;
    const int32_t *sources;
    cf_number *want; /* [n] */
    int64_t *want_int64;
    int64_t rows;
    const char *knobs;
} row_checker;

static void check_row(const row_checker *t, int64_t row, const int32_t *dist,
                      const int32_t *parent) {
    const int32_t *source = &t->sources[row];
    assert_true(cf_solve(t->g, true, source, 1, t->want, NULL));
    cf_as_int64(t->want, t->g->n, t->want_int64);
    for (int32_t v = 0; v < t->g->n; v++) {
        int64_t got = dist[v] == FR_INF_I32 ? FR_INF_I64 : dist[v];
        if (got != t->want_int64[v])
            fail_msg("row %lld, knobs %s: vertex %d at %lld, not %lld", (long long)row,
                     t->knobs ? t->knobs : "default", v, (long long)got,
                     (long long)t->want_int64[v]);
    }
    assert_int_equal(cf_wrong_parent(t->g, true, source, 1, t->want, parent), -1);
}

static int take(void *user, int64_t row, int32_t source, const void *dist, const int32_t *parent) {
    row_checker *t = user;
    assert_int_equal(row, t->rows);
    assert_int_equal(source, t->sources[row]);
    check_row(t, row, dist, parent);
    t->rows++;
    return 0;
}

static void solve(fr_ctx *ctx, row_checker *t, int64_t count, bool by_array) {
    int32_t n = t->g->n;
    fr_solver_options options = {.strategy = "multi-bfs",
                                 .knobs = t->knobs,
                                 .unit_weights = true,
                                 .dist_type = FR_TYPE_I32,
                                 .max_sources = (int32_t)count};
    size_t cells = (size_t)count * (size_t)n + 1;
    int32_t *dist = by_array ? malloc(cells * 4) : NULL,
            *parent = by_array ? malloc(cells * 4) : NULL;
    fr_result result = {.dist = dist, .parent = parent};
    fr_query query = {.sources = t->sources, .source_count = count};
    if (!by_array) {
        query.row = take;
        query.row_user = t;
        query.want_parents = true;
    }
    fr_solver *solver;
    assert_ok(ctx, fr_solver_new(ctx, t->g->graph, FR_PROBLEM_APSP, &options, &solver));
    t->rows = 0;
    assert_ok(ctx, fr_solve(solver, &query, &result));
    for (int64_t r = 0; by_array && r < count; r++)
        check_row(t, r, dist + r * n, parent + r * n);
    if (!by_array)
        assert_int_equal(t->rows, count);
    fr_solver_free(solver);
    free(dist);
    free(parent);
}

/* Frees the graph. */
static void check_graph(fr_ctx *ctx, cf_graph *g, const int64_t *counts) {
    assert_non_null(g);
    row_checker t = {.g = g};
    int32_t *sources = malloc(MAX_SOURCES * sizeof *sources);
    uint64_t random = 7;
    for (int i = 0; i < MAX_SOURCES; i++) /* repeated ones too */
        sources[i] = cf_between(&random, 0, g->n - 1);
    sources[1] = sources[0];
    t.sources = sources;
    t.want = malloc((size_t)g->n * sizeof *t.want);
    t.want_int64 = malloc((size_t)g->n * sizeof *t.want_int64);
    for (int k = 0; k == 0 || knobs[k]; k++)
        for (int c = 0; counts[c]; c++) {
            t.knobs = knobs[k];
            solve(ctx, &t, counts[c], true);
            solve(ctx, &t, counts[c], false);
        }
    free(t.want);
    free(t.want_int64);
    free(sources);
    cf_graph_free(g);
}

/* More sources than vertices, and more than fit one pass (512). */
static void words_and_passes(void **state) {
    const int64_t counts[] = {1, 2, 63, 64, 65, 128, 511, 512, 513, 1030, 0};
    const cf_random_kind kind = {.weights = CF_NONE, .directed = true};
    uint64_t random = 3;
    check_graph(*state, cf_random_graph(*state, 64, 200, &kind, &random), counts);
}

/* A limit of levels is refused, not ignored; columns and a largest distance are in test_apsp_rows.c. */
static void limits_of_levels_are_refused(void **state) {
    fr_graph *graph = test_generated(*state, "path:n=5", 0);
    const fr_query queries[] = {{.max_level = 1}, {.limit_level = true}};
    fr_strategy_info strategy = {0};
    int rows = 0;
    for (int i = 0; fr_strategy_get(i, &strategy); i++) {
        if (strategy.problem != FR_PROBLEM_APSP || strategy.backend != FR_BACKEND_CPU)
            continue;
        fr_solver_options options = {
            .strategy = strategy.name, .backend = FR_BACKEND_CPU, .unit_weights = true};
        fr_solver *solver;
        int32_t dist[25];
        fr_result result = {.dist = dist};
        assert_ok(*state, fr_solver_new(*state, graph, FR_PROBLEM_APSP, &options, &solver));
        for (int q = 0; q < 2; q++) {
            assert_refused(*state, fr_solve(solver, &queries[q], &result), FR_UNSUPPORTED,
                           "set max_distance");
        }
        assert_ok(*state, fr_solve(solver, &(fr_query){0}, &result));
        fr_solver_free(solver);
        rows++;
    }
    assert_true(rows > 0);
    fr_graph_free(graph);
}

TEST_PROGRAM(TEST(words_and_passes), TEST(limits_of_levels_are_refused))
