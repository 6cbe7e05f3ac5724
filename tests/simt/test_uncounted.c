/* Counting on the GPU in a library whose table has no counting variants is refused with a
 * message, and only there. */
#include <fringe.h>

#include <stdio.h>
#include <string.h>

static int check_row(fr_ctx *ctx, const fr_graph *graph, fr_backend backend, int count,
                     fr_status expected, const char *says) {
    const fr_solver_options options = {.strategy = "queue", .backend = backend, .counters = count};
    const fr_solver_options any = {.backend = backend, .counters = count};
    fr_solver *solver = NULL;
    fr_status status = fr_solver_new(ctx, graph, FR_PROBLEM_BFS,
                                     backend == FR_BACKEND_CUDA ? &options : &any, &solver);
    fr_solver_free(solver);
    const char *message = status ? fr_ctx_error(ctx) : "";
    if (status == expected && strstr(message, says))
        return 0;
    printf("%s, count %d: status %d \"%s\", not %d \"%s\"\n", fr_backend_name(backend), count,
           (int)status, message, (int)expected, says);
    return 1;
}

int main(void) {
    fr_ctx *ctx = NULL;
    fr_graph *graph = NULL;
    if (fr_ctx_new(NULL, &ctx) || fr_graph_generate(ctx, "path:n=10", NULL, &graph)) {
        printf("no graph: %s\n", ctx ? fr_ctx_error(ctx) : "no context");
        return 1;
    }
    int bad = check_row(ctx, graph, FR_BACKEND_CUDA, 1, FR_UNSUPPORTED, "-DFRINGE_COUNTING=ON");
    bad += check_row(ctx, graph, FR_BACKEND_CUDA, 0, FR_OK, "");
    bad += check_row(ctx, graph, FR_BACKEND_CPU, 1, FR_OK, "");
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    printf("3 cases, %d failed\n", bad);
    return bad > 0;
}
