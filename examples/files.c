/* A graph from a stream, results to streams, files and memory: scores of vertices and a shortest
 * path as tables, all distances row by row, and the graph in another format.
 * usage: files < GRAPH, or PROGRAM | files, with a graph in any format */
#include <fringe_measures.h>
#include <stdio.h>
#include <stdlib.h>

static fr_status print_scores(fr_ctx *ctx, const fr_graph *graph) {
    int32_t n = fr_graph_vertex_count(graph);
    double *score = malloc((size_t)n * sizeof *score);
    fr_status status = score ? fr_closeness(ctx, graph, false, FR_BACKEND_CPU, score) : FR_NOMEM;
    const fr_column columns[] = {{.name = "vertex", .kind = FR_COLUMN_VERTEX},
                                 {.name = "closeness", .type = FR_TYPE_F64, .values = score}};
    const fr_output out = {.stream = stdout};
    if (!status)
        status = fr_table_write(ctx, graph, n, columns, 2, &out);
    free(score);
    return status;
}

/* The path from the first vertex to the last: a table of one row. */
static fr_status print_path(fr_ctx *ctx, const fr_graph *graph) {
    int32_t n = fr_graph_vertex_count(graph), length = 0;
    int32_t *path = malloc((size_t)n * sizeof *path);
    int64_t dist; /* the size of a double, too */
    fr_router *router = NULL;
    fr_status status = path ? fr_router_new(ctx, graph, NULL, &router) : FR_NOMEM;
    if (!status)
        status = fr_router_path(router, 0, n - 1, &dist, path, &length);
    if (!status) {
        const int64_t ends[] = {0, length};
        const fr_column columns[] = {
            {.name = "distance",
             .kind = FR_COLUMN_DISTANCE,
             .type = fr_router_dist_type(router),
             .values = &dist},
            {.name = "vertices", .kind = FR_COLUMN_PATH, .values = path, .offsets = ends}};
        const fr_output out = {.stream = stdout};
        status = fr_table_write(ctx, graph, 1, columns, 2, &out);
    }
    fr_router_free(router);
    free(path);
    return status;
}

/* The bytes of the matrix as a .npy file, which another program could get over a network. */
static fr_status print_matrix_size(fr_ctx *ctx, const fr_graph *graph) {
    void *bytes = NULL;
    size_t size = 0;
    const fr_output out = {.bytes = &bytes, .size = &size, .format = "npy"};
    fr_solver *solver = NULL;
    fr_result result = FR_INIT(fr_result);
    fr_status status = fr_solver_new(ctx, graph, FR_PROBLEM_APSP, NULL, &solver);
    if (!status)
        status = fr_apsp_write(solver, NULL, &result, &out);
    if (!status)
        printf("the matrix has %zu bytes\n", size);
    fr_memory_free(bytes);
    fr_solver_free(solver);
    return status;
}

int main(void) {
    fr_ctx *ctx = NULL;
    fr_graph *graph = NULL;
    fr_status status = fr_ctx_new(NULL, &ctx);
    if (!status)
        status = fr_graph_load_stream(ctx, stdin, NULL, &graph);
    if (!status)
        status = print_scores(ctx, graph);
    if (!status)
        status = print_path(ctx, graph);
    if (!status)
        status = print_matrix_size(ctx, graph);
    if (!status)
        status = fr_graph_write_stream(ctx, graph, stdout, "mtx");
    if (status)
        fprintf(stderr, "%s\n", ctx ? fr_ctx_error(ctx) : fr_status_message(status));
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    return status != FR_OK;
}
