/* All pairs by multi-bfs against a search from each source: numbers of sources around a word and a
 * pass, repeated sources, directed and deep graphs, pulls on and off, rows by array and callback.
 */
#include "support/naive.h"
#include "support/support.h"

enum { MOST = 1100 };

static const char *const knobs[] = {NULL,     "sources=1", "sources=64", "sources=65",
                                    "pull=0", "pull=1e9",  NULL};

typedef struct {
    const fr_csr *csr;
    const int32_t *sources;
    int64_t *want;
    int64_t rows;
    const char *knobs;
} taker;

static void check_row(const taker *t, int64_t row, const int32_t *dist, const int32_t *parent) {
    const fr_csr *csr = t->csr;
    assert_true(naive_paths(csr, &t->sources[row], 1, true, t->want, NULL));
    for (int32_t v = 0; v < csr->n; v++) {
        int64_t got = dist[v] == FR_INF_I32 ? NAIVE_INF : dist[v];
        if (got != t->want[v])
            fail_msg("row %lld, knobs %s: vertex %d at %lld, not %lld", (long long)row,
                     t->knobs ? t->knobs : "default", v, (long long)got, (long long)t->want[v]);
    }
    assert_true(naive_parents_allowed(csr, &t->sources[row], 1, true, t->want, parent));
}

static int take(void *user, int64_t row, int32_t source, const void *dist, const int32_t *parent) {
    taker *t = user;
    assert_int_equal(row, t->rows);
    assert_int_equal(source, t->sources[row]);
    check_row(t, row, dist, parent);
    t->rows++;
    return 0;
}

static void solve(fr_ctx *ctx, const fr_graph *graph, taker *t, int64_t count, bool by_array) {
    int32_t n = t->csr->n;
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
    assert_ok(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_APSP, &options, &solver));
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

static void check_graph(fr_ctx *ctx, const char *description, const int64_t *counts) {
    fr_graph *graph;
    assert_ok(ctx, fr_graph_generate(ctx, description, NULL, &graph));
    taker t = {.csr = fr_graph_csr(graph)};
    int32_t *sources = malloc(MOST * sizeof *sources);
    uint64_t random = 7;
    for (int i = 0; i < MOST; i++) /* repeated ones too */
        sources[i] = naive_between(&random, 0, t.csr->n - 1);
    sources[1] = sources[0];
    t.sources = sources;
    t.want = malloc((size_t)t.csr->n * sizeof *t.want);
    for (int k = 0; k == 0 || knobs[k]; k++)
        for (int c = 0; counts[c]; c++) {
            t.knobs = knobs[k];
            solve(ctx, graph, &t, counts[c], true);
            solve(ctx, graph, &t, counts[c], false);
        }
    free(t.want);
    free(sources);
    fr_graph_free(graph);
}

static void words_and_passes(void **state) {
    const int64_t counts[] = {1, 2, 63, 64, 65, 128, 511, 512, 513, 1030, 0};
    check_graph(*state, "rmat:scale=6,edges=200,seed=3", counts);
}

static void shapes(void **state) {
    const int64_t counts[] = {3, 70, 0};
    const char *const graphs[] = {"kronecker:scale=8,edge_factor=8,seed=2", "path:n=400",
                                  "star:n=300", "grid2d:rows=12,cols=17,keep=0.7,seed=4",
                                  "rmat:scale=8,edges=900,seed=5"};
    for (size_t g = 0; g < sizeof graphs / sizeof *graphs; g++)
        check_graph(*state, graphs[g], counts);
}

/* Rows are whole: what would cut them is refused, not ignored. */
static void limits_are_refused(void **state) {
    fr_graph *graph;
    assert_ok(*state, fr_graph_generate(*state, "path:n=5", NULL, &graph));
    const int32_t target = 2;
    const fr_query queries[] = {
        {.targets = &target, .target_count = 1}, {.max_level = 1}, {.max_distance = 1}};
    fr_strategy_info row = {0};
    int rows = 0;
    for (int i = 0; fr_strategy_get(i, &row); i++) {
        if (row.problem != FR_PROBLEM_APSP || row.backend != FR_BACKEND_CPU)
            continue;
        fr_solver_options options = {
            .strategy = row.name, .backend = FR_BACKEND_CPU, .unit_weights = true};
        fr_solver *solver;
        int32_t dist[25];
        fr_result result = {.dist = dist};
        assert_ok(*state, fr_solver_new(*state, graph, FR_PROBLEM_APSP, &options, &solver));
        for (int q = 0; q < 3; q++) {
            assert_int_equal(fr_solve(solver, &queries[q], &result), FR_UNSUPPORTED);
            assert_non_null(strstr(fr_ctx_error(*state), "no targets and no limits"));
        }
        assert_ok(*state, fr_solve(solver, &(fr_query){0}, &result));
        fr_solver_free(solver);
        rows++;
    }
    assert_true(rows > 0);
    fr_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(words_and_passes, test_ctx_new, test_ctx_free),
        cmocka_unit_test_setup_teardown(shapes, test_ctx_new, test_ctx_free),
        cmocka_unit_test_setup_teardown(limits_are_refused, test_ctx_new, test_ctx_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
