/* The k-th allocation of queries with closed edges, of columns, of
 * result files and of streams fails, for every
 * k: each call answers FR_NOMEM, the next query is right, and nothing is left allocated. */
#include "support/allocator.h"
#include "support/support.h"

#include <stdio.h>

enum { N = 6 };

static const int32_t ends[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 0};
static const uint64_t bridge = 2; /* an edge of vertex 0 in the CSR */

static fr_status closed(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver) {
    int32_t source = 0, level[N];
    fr_query query = {.sources = &source, .source_count = 1, .closed_edges = &bridge};
    fr_result result = {.level = level};
    fr_status status = fr_solve(solver, &query, &result);
    if (!status)
        status = fr_verify_bfs(ctx, graph, &query, level, NULL);
    if (!status)
        assert_int_equal(level[5], 5);
    return status;
}

static fr_status columns(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver) {
    int32_t target = 3, dist[N], parent[N];
    fr_query query = {.targets = &target, .target_count = 1, .parent_rule = FR_PARENT_NEAREST};
    fr_result result = {.dist = dist, .parent = parent};
    fr_status status = fr_solve(solver, &query, &result);
    if (!status)
        status = fr_verify_apsp(ctx, graph, &query, false, dist, FR_TYPE_I32, parent, 0, 0);
    if (!status)
        assert_int_equal(dist[0], 3);
    return status;
}

static fr_status files(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver) {
    int32_t level[N] = {0, 1, 2, 3, 2, 1};
    fr_result result = {.level = level};
    void *bytes = NULL;
    size_t size;
    (void)solver;
    fr_output out = {.bytes = &bytes, .size = &size};
    fr_status status = fr_result_write(ctx, graph, NULL, FR_TYPE_NONE, &result, &out);
    fr_memory_free(bytes);
    return status ? status
                  : fr_result_write(ctx, graph, NULL, FR_TYPE_NONE, &result,
                                    &(fr_output){.path = "/dev/null", .format = "npy"});
}

static fr_status tables(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver) {
    const double score[N] = {0.5, 1, 2, 3, 4, 5};
    const fr_column columns[] = {{.name = "vertex", .kind = FR_COLUMN_VERTEX},
                                 {.name = "score", .type = FR_TYPE_F64, .values = score}};
    const fr_output null = {.path = "/dev/null", .format = "npy"};
    void *bytes = NULL;
    size_t size;
    const fr_output memory = {.bytes = &bytes, .size = &size};
    (void)solver;
    fr_status status = fr_table_write(ctx, graph, N, columns, 2, &memory);
    if (status)
        assert_null(bytes);
    fr_memory_free(bytes);
    return status ? status : fr_table_write(ctx, graph, N, columns, 2, &null);
}

static fr_status matrices(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver) {
    int32_t dist[N * N];
    void *bytes = NULL;
    size_t size;
    const fr_output null = {.path = "/dev/null"}, memory = {.bytes = &bytes, .size = &size};
    fr_result result = {.dist = dist};
    fr_status status = fr_apsp_write(solver, NULL, &result, &null);
    if (!status)
        status = fr_matrix_write(ctx, graph, NULL, FR_TYPE_I32, &result, &memory);
    fr_memory_free(bytes);
    return status;
}

static fr_status streams(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver) {
    FILE *file = tmpfile();
    fr_graph *copy = NULL;
    (void)solver;
    fr_status status = fr_graph_write_stream(ctx, graph, file, "mtx");
    rewind(file);
    if (!status)
        status = fr_graph_load_stream(ctx, file, NULL, &copy);
    if (!status)
        assert_int_equal(fr_graph_edge_count(copy), 2 * N);
    fclose(file);
    fr_graph_free(copy);
    return status;
}

static fr_status filtered(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver) {
    const uint64_t vertices = 4;
    fr_graph *open = NULL;
    (void)solver;
    fr_status status = fr_graph_filter(ctx, graph, &vertices, &bridge, &open);
    if (!status)
        assert_int_equal(fr_graph_edge_count(open), 6);
    fr_graph_free(open);
    return status;
}

typedef struct {
    fr_problem problem;
    fr_status (*run)(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver);
} job;

/* True: the job allocates less often than k times. */
static bool survive(const job *j, int64_t k) {
    test_allocator a = {0};
    const fr_ctx_options options = test_allocator_options(&a, 1);
    fr_ctx *ctx;
    assert_int_equal(fr_ctx_new(&options, &ctx), FR_OK);
    fr_graph *graph = test_graph(ctx, N, N, ends, true);
    fr_solver *solver;
    assert_ok(ctx, fr_solver_new(ctx, graph, j->problem, NULL, &solver));
    a.fail_at = a.calls + k;
    fr_status status = j->run(ctx, graph, solver);
    bool failed = a.calls >= a.fail_at;
    if (status && (status != FR_NOMEM || !failed))
        fail_msg("allocation %lld: %s", (long long)k, fr_ctx_error(ctx));
    a.fail_at = 0;
    assert_ok(ctx, j->run(ctx, graph, solver));
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    assert_int_equal(a.live, 0);
    return !failed;
}

static void every_allocation(void **state) {
    static const job jobs[] = {{FR_PROBLEM_BFS, closed},    {FR_PROBLEM_APSP, columns},
                               {FR_PROBLEM_BFS, files},     {FR_PROBLEM_BFS, tables},
                               {FR_PROBLEM_APSP, matrices}, {FR_PROBLEM_BFS, streams},
                               {FR_PROBLEM_BFS, filtered}};
    (void)state;
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        int64_t k = 1;
        while (!survive(&jobs[i], k))
            k++;
        assert_true(k > 2);
    }
}

TEST_PROGRAM(TEST(every_allocation))
