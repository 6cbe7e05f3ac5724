/* fr_bfs, fr_sssp and fr_apsp: a solver for one query, which is kept for the next call. */
#include "core/idle_solvers.h"
#include "core/solver.h"

/* source NULL: every vertex. */
static fr_status solve_once(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                            const int32_t *source, fr_result *result) {
    fr_solver *solver = ctx && graph ? fri_idle_solver_take(ctx, graph, problem) : NULL;
    fr_status status = solver ? FR_OK : fr_solver_new(ctx, graph, problem, NULL, &solver);
    if (status)
        return status;
    fr_query query = {.sources = source, .source_count = source ? 1 : 0};
    status = fr_solve(solver, &query, result);
    if (status) /* its device may have failed: the next call makes a new solver */
        fr_solver_free(solver);
    else
        fri_idle_solver_put(solver);
    return status;
}

fr_status fr_bfs(fr_ctx *ctx, const fr_graph *graph, int32_t source, int32_t *level,
                 int32_t *parent) {
    fr_result result = {.level = level, .parent = parent};
    return solve_once(ctx, graph, FR_PROBLEM_BFS, &source, &result);
}

fr_status fr_sssp(fr_ctx *ctx, const fr_graph *graph, int32_t source, void *dist, int32_t *parent) {
    fr_result result = {.dist = dist, .parent = parent};
    return solve_once(ctx, graph, FR_PROBLEM_SSSP, &source, &result);
}

fr_status fr_apsp(fr_ctx *ctx, const fr_graph *graph, void *dist, int32_t *parent) {
    fr_result result = {.dist = dist, .parent = parent};
    return solve_once(ctx, graph, FR_PROBLEM_APSP, NULL, &result);
}
