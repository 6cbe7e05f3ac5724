/* A ring road with a shortcut: distances as long as the shortcut is open, and while it is closed, as
 * the lines of a result file; then the distances between some places, as columns of all pairs. */
#include <fringe.h>
#include <stdio.h>

enum { N = 6 };

static fr_status print_distances(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver,
                                 const char *when, const uint64_t *closed) {
    int32_t source = 0, dist[N];
    fr_query query = {.sources = &source, .source_count = 1, .closed_edges = closed};
    fr_result result = {.dist = dist};
    fr_status status = fr_solve(solver, &query, &result);
    if (!status) {
        const fr_output out = {.stream = stdout};
        printf("%s: from 0 to 3: %d\n", when, dist[3]);
        status = fr_result_write(ctx, graph, &query, fr_solver_dist_type(solver), &result, &out);
    }
    return status;
}

/* Rows of vertices 1 and 5, columns 2 and 4, nothing beyond distance 4. */
static fr_status print_columns(fr_ctx *ctx, const fr_graph *graph) {
    const int32_t sources[] = {1, 5}, targets[] = {2, 4};
    int32_t dist[2][2];
    fr_solver *solver = NULL;
    fr_status status = fr_solver_new(ctx, graph, FR_PROBLEM_APSP, NULL, &solver);
    fr_query query = {.sources = sources,
                      .source_count = 2,
                      .targets = targets,
                      .target_count = 2,
                      .max_distance = 4};
    fr_result result = {.dist = dist};
    if (!status)
        status = fr_solve(solver, &query, &result);
    for (int row = 0; !status && row < 2; row++)
        for (int column = 0; column < 2; column++)
            if (dist[row][column] == FR_INF_I32)
                printf("%d to %d: more than 4\n", sources[row], targets[column]);
            else
                printf("%d to %d: %d\n", sources[row], targets[column], dist[row][column]);
    fr_solver_free(solver);
    return status;
}

int main(void) {
    const int32_t src[] = {0, 1, 2, 3, 4, 5, 0}, dst[] = {1, 2, 3, 4, 5, 0, 3},
                  weights[] = {2, 2, 2, 3, 3, 3, 1};
    const fr_load_options undirected = {.direction = FR_DIRECTION_UNDIRECTED};
    fr_ctx *ctx = NULL;
    fr_graph *graph = NULL;
    fr_solver *solver = NULL;
    fr_status status = fr_ctx_new(NULL, &ctx);
    if (!status)
        status =
            fr_graph_from_edges(ctx, N, 7, src, dst, weights, FR_TYPE_I32, &undirected, &graph);
    if (!status)
        status = fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, NULL, &solver);
    if (!status)
        status = print_distances(ctx, graph, solver, "the shortcut is open", NULL);
    if (!status) {
        int64_t e = fr_graph_edge(graph, 0, 3, NULL);
        const uint64_t closed = UINT64_C(1) << e; /* closes both directions */
        status = print_distances(ctx, graph, solver, "it is closed", &closed);
    }
    if (!status)
        status = print_columns(ctx, graph);
    if (status)
        fprintf(stderr, "%s\n", ctx ? fr_ctx_error(ctx) : fr_status_message(status));
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    return status != FR_OK;
}
