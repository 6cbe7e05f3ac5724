/* A graph of the caller's rows and its first answers run on the context's threads alone. Those of OpenMP spin for some
 * milliseconds after each loop, whatever the harness sets here, on the cores that the first answer wants. */
#include "support/support.h"

#include <dirent.h>
#include <stdlib.h>

#include "base/team.h"

/* Threads of this process. */
static int count_threads(void) {
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;
    assert_non_null(tasks);
    for (const struct dirent *d; (d = readdir(tasks));)
        count += d->d_name[0] != '.';
    closedir(tasks);
    return count;
}

static void nothing(fri_member me, void *arg) { (void)me, (void)arg; }

enum { N = 1 << 16, RING = 8 };

/* Vertex v and the RING next ones, both directions; rows ascend. */
static fr_csr make_rings(int64_t *offsets, int32_t *targets, int32_t *weights) {
    int64_t m = 0;
    for (int32_t v = 0; v < N; v++) {
        offsets[v] = m;
        for (int32_t u = FRI_MAX(v - RING, 0); u <= FRI_MIN(v + RING, N - 1); u++)
            if (u != v) {
                weights[m] = (u + v) % 9 ? 5 : 6;
                targets[m++] = u;
            }
    }
    offsets[N] = m;
    return (fr_csr){.n = N,
                    .m = m,
                    .offsets = offsets,
                    .targets = targets,
                    .weights = weights,
                    .weight_type = FR_TYPE_I32,
                    .symmetric = true};
}

static void solve_twice(fr_ctx *ctx, const fr_graph *graph, fr_problem problem, int32_t *level) {
    const int32_t source = 0;
    const fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {0};
    if (problem == FR_PROBLEM_BFS)
        result.level = level;
    else
        result.dist = level;
    fr_solver *solver;
    assert_ok(ctx, fr_solver_new(ctx, graph, problem,
                                 &(fr_solver_options){.backend = FR_BACKEND_CPU}, &solver));
    for (int i = 0; i < 2; i++) /* the second one passes over the offsets first */
        assert_ok(ctx, fr_solve(solver, &query, &result));
    const int32_t levels = (N - 1 + RING - 1) / RING; /* weights are 5 and 6, most often 5 */
    assert_in_range(level[N - 1], problem == FR_PROBLEM_BFS ? levels : 5 * levels,
                    problem == FR_PROBLEM_BFS ? levels : 6 * levels);
    fr_solver_free(solver);
}

static void first_answers_start_no_other_threads(void **state) {
    (void)state;
    fr_ctx *ctx = test_ctx_threads(2);
    int64_t *offsets = malloc((N + 1) * sizeof *offsets);
    const size_t most = (size_t)2 * RING * N * sizeof(int32_t);
    int32_t *targets = malloc(most), *weights = malloc(most), *level = malloc(N * sizeof *level);
    assert_true(offsets && targets && weights && level);
    fr_csr csr = make_rings(offsets, targets, weights);
    fr_graph *graph;
    fri_team_run(ctx, 2, nothing, NULL);
    const int threads = count_threads();
    assert_ok(ctx, fr_graph_from_csr(ctx, &csr, &graph));
    assert_int_equal(count_threads(), threads);
    solve_twice(ctx, graph, FR_PROBLEM_BFS, level);
    solve_twice(ctx, graph, FR_PROBLEM_SSSP, level);
    assert_int_equal(count_threads(), threads);
    fr_graph_free(graph);
    targets[5 * RING] = N; /* of some row; an earlier one is not valid either */
    targets[3] = -1;
    assert_int_equal(fr_graph_from_csr(ctx, &csr, &graph), FR_INVALID);
    assert_non_null(strstr(fr_ctx_error(ctx), "row 0 "));
    free(offsets), free(targets), free(weights), free(level);
    fr_ctx_free(ctx);
}

TEST_PROGRAM(TEST(first_answers_start_no_other_threads))
