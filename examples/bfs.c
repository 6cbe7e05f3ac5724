/* Levels of a graph from one vertex: load, solve, verify, and count the vertices of each level.
 *
 *     bfs GRAPH [VERTEX]
 *
 * GRAPH is a file in any format that fringe reads. VERTEX is an id as in the file; without it the
 * search starts at the vertex with index 0. */
#include <fringe.h>

#include <stdio.h>
#include <stdlib.h>

/* Prints how many vertices each level has. Levels are 0 .. deepest; unreached vertices have -1. */
static void print_levels(const int32_t *level, int32_t n, int32_t deepest) {
    int64_t *count = calloc((size_t)deepest + 1, sizeof *count);
    if (!count)
        return;
    for (int32_t v = 0; v < n; v++)
        if (level[v] >= 0)
            count[level[v]]++;
    for (int32_t d = 0; d <= deepest; d++)
        printf("level %d: %lld\n", d, (long long)count[d]);
    free(count);
}

/* One BFS from `source`, verified. level and parent: [n]. */
static fr_status solve(fr_ctx *ctx, const fr_graph *graph, int32_t source, int32_t *level,
                       int32_t *parent) {
    fr_solver *solver = NULL;
    fr_status status = fr_solver_new(ctx, graph, FR_PROBLEM_BFS, NULL, &solver);
    if (status != FR_OK)
        return status;
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.level = level, .parent = parent};
    status =
        fr_solve(solver, &query, &result); /* repeat it for other sources: it allocates nothing */
    if (status == FR_OK)
        status = fr_verify_bfs(ctx, graph, &query, level, parent);
    if (status == FR_OK) {
        printf("%s reached %lld vertices in %.3f ms\n", result.stats.strategy,
               (long long)result.stats.reached, (double)result.stats.traverse_ns * 1e-6);
        print_levels(level, fr_graph_vertex_count(graph), result.stats.levels);
    }
    fr_solver_free(solver);
    return status;
}

/* Loads the graph, maps the id to an index and provides the result arrays. */
static fr_status run(fr_ctx *ctx, const char *path, const char *id) {
    fr_graph *graph = NULL;
    fr_status status = fr_graph_load(ctx, path, NULL, &graph);
    if (status != FR_OK)
        return status;
    int32_t n = fr_graph_vertex_count(graph);
    int32_t source = id ? fr_graph_vertex(graph, strtoll(id, NULL, 10)) : 0;
    int32_t *level = malloc(sizeof *level * ((size_t)n + 1));
    int32_t *parent = malloc(sizeof *parent * ((size_t)n + 1));
    if (!level || !parent)
        status = FR_NOMEM;
    else
        status = solve(ctx, graph, source, level, parent); /* source -1 is FR_NOT_FOUND */
    free(parent);
    free(level);
    fr_graph_free(graph);
    return status;
}

int main(int argc, char **argv) {
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: bfs GRAPH [VERTEX]\n");
        return 2;
    }
    fr_ctx *ctx = NULL;
    if (fr_ctx_new(NULL, &ctx) != FR_OK) {
        fprintf(stderr, "bfs: cannot create a context\n");
        return 1;
    }
    fr_status status = run(ctx, argv[1], argc == 3 ? argv[2] : NULL);
    if (status != FR_OK)
        fprintf(stderr, "bfs: %s: %s\n", fr_status_message(status), fr_ctx_error(ctx));
    fr_ctx_free(ctx);
    return status == FR_OK ? 0 : 1;
}
