/* The shortest path between two vertices: a query with a target stops as soon as it is settled.
 *
 *     sssp_targets GRAPH FROM TO
 *
 * FROM and TO are ids as in the file. */
#include <fringe.h>

#include <stdio.h>
#include <stdlib.h>

/* Prints the path to v from its source, following the parents. A source is its own parent. */
static fr_status print_path(const fr_graph *graph, const int32_t *parent, int32_t v) {
    int32_t n = fr_graph_vertex_count(graph), length = 0;
    int32_t *path = malloc(sizeof *path * (size_t)n);
    if (!path)
        return FR_NOMEM;
    for (path[length++] = v; parent[v] != v; path[length++] = v)
        v = parent[v];
    for (int32_t i = length - 1; i >= 0; i--)
        printf("%lld%s", (long long)fr_graph_id(graph, path[i]), i > 0 ? " " : "\n");
    free(path);
    return FR_OK;
}

/* dist and parent: [n]. Distances are doubles here, whatever type the weights have. */
static fr_status solve(fr_ctx *ctx, const fr_graph *graph, int32_t source, int32_t target,
                       double *dist, int32_t *parent) {
    fr_solver *solver = NULL;
    fr_solver_options options = {.dist_type = FR_TYPE_F64};
    fr_status status = fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, &options, &solver);
    if (status != FR_OK)
        return status;
    fr_query query = {.sources = &source, .source_count = 1, .targets = &target, .target_count = 1};
    fr_result result = {.dist = dist, .parent = parent};
    status = fr_solve(solver, &query, &result);
    fr_solver_free(solver);
    if (status != FR_OK)
        return status;
    if (parent[target] < 0) {
        printf("no path\n");
        return FR_OK;
    }
    printf("distance %g\n", dist[target]);
    return print_path(graph, parent, target);
}

static fr_status run(fr_ctx *ctx, char **argv) {
    fr_graph *graph = NULL;
    fr_load_options options = {.weight_type = FR_TYPE_F64};
    fr_status status = fr_graph_load(ctx, argv[1], &options, &graph);
    if (status != FR_OK)
        return status;
    int32_t source = fr_graph_vertex(graph, strtoll(argv[2], NULL, 10));
    int32_t target = fr_graph_vertex(graph, strtoll(argv[3], NULL, 10));
    size_t n = (size_t)fr_graph_vertex_count(graph);
    double *dist = malloc(sizeof *dist * (n + 1));
    int32_t *parent = malloc(sizeof *parent * (n + 1));
    if (!dist || !parent)
        status = FR_NOMEM;
    else /* an id that no vertex has is -1, which fr_solve refuses as FR_INVALID */
        status = solve(ctx, graph, source, target, dist, parent);
    free(parent);
    free(dist);
    fr_graph_free(graph);
    return status;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: sssp_targets GRAPH FROM TO\n");
        return 2;
    }
    fr_ctx *ctx = NULL;
    if (fr_ctx_new(NULL, &ctx) != FR_OK) {
        fprintf(stderr, "sssp_targets: cannot create a context\n");
        return 1;
    }
    fr_status status = run(ctx, argv);
    if (status != FR_OK)
        fprintf(stderr, "sssp_targets: %s: %s\n", fr_status_message(status), fr_ctx_error(ctx));
    fr_ctx_free(ctx);
    return status == FR_OK ? 0 : 1;
}
