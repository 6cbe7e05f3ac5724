/* All shortest paths between two corners of a grid, and the vertex with the largest betweenness. */
#include <fringe_measures.h>

#include <stdio.h>

enum { N = 9 };

int main(void) {
    /* 0 1 2
     * 3 4 5
     * 6 7 8 */
    const int32_t src[] = {0, 1, 3, 4, 6, 7, 0, 1, 2, 3, 4, 5}, source = 0;
    const int32_t dst[] = {1, 2, 4, 5, 7, 8, 3, 4, 5, 6, 7, 8};
    fr_load_options both = {.direction = FR_DIRECTION_UNDIRECTED};
    int32_t level[N], best = 0;
    int64_t paths[N] = {0}, tight = 0;
    double score[N] = {0};
    fr_ctx *ctx = NULL;
    fr_graph *graph = NULL;
    fr_status s = fr_ctx_new(NULL, &ctx);
    s = s ? s : fr_graph_from_edges(ctx, N, 12, src, dst, NULL, FR_TYPE_NONE, &both, &graph);
    s = s ? s : fr_bfs(ctx, graph, source, level, NULL);
    s = s ? s : fr_tight_edges(ctx, graph, FR_TYPE_NONE, level, NULL, &tight);
    s = s ? s : fr_path_counts(ctx, graph, FR_TYPE_NONE, level, &source, 1, NULL, paths);
    s = s ? s : fr_betweenness(ctx, graph, NULL, score, NULL);
    for (int32_t v = 1; v < N; v++)
        best = score[v] > score[best] ? v : best;
    printf("%s: %d paths to the far corner over %d edges; vertex %d is between %.4g pairs\n",
           fr_status_message(s), (int)paths[N - 1], (int)tight, best, score[best]);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    return s == FR_OK && paths[N - 1] == 6 && tight == 12 && best == 4 ? 0 : 1;
}
