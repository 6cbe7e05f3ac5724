/* Trips in a road network: distances of many pairs, and the shortest paths of one pair.
 *
 * usage: routes GRAPH SOURCE TARGET (ids of the file) */
#include <fringe_measures.h>

#include <stdio.h>
#include <stdlib.h>

static int print_path(void *user, int64_t index, const void *dist, const int32_t *path,
                      int32_t length) {
    const fr_graph *graph = user;
    printf("way %lld, distance %lld:", (long long)index + 1, (long long)*(const int64_t *)dist);
    for (int32_t i = 0; i < length; i++)
        printf(" %lld", (long long)fr_graph_id(graph, path[i]));
    putchar('\n');
    return 0;
}

static fr_status print_routes(const fr_graph *graph, fr_router *router, int32_t source,
                              int32_t target) {
    const int32_t from[] = {source, target}, to[] = {target, source};
    int64_t there_and_back[2]; /* integer weights: fr_router_dist_type is FR_TYPE_I64 */
    fr_status status = fr_router_distances(router, from, to, 2, there_and_back);
    if (status != FR_OK)
        return status;
    printf("there %lld, back %lld\n", (long long)there_and_back[0], (long long)there_and_back[1]);
    return fr_router_k_paths(router, source, target, 3, print_path, (void *)(uintptr_t)graph);
}

int main(int argc, char **argv) {
    if (argc != 4)
        return fprintf(stderr, "usage: routes GRAPH SOURCE TARGET\n"), 2;
    fr_ctx *ctx = NULL;
    fr_graph *graph = NULL;
    fr_router *router = NULL;
    fr_router_options options = {.landmarks = 4};
    fr_load_options load = {.weight_type = FR_TYPE_I32};
    fr_status status = fr_ctx_new(NULL, &ctx);
    if (status == FR_OK)
        status = fr_graph_load(ctx, argv[1], &load, &graph);
    if (status == FR_OK)
        status = fr_router_new(ctx, graph, &options, &router);
    if (status == FR_OK)
        status = print_routes(graph, router, fr_graph_vertex(graph, atoll(argv[2])),
                              fr_graph_vertex(graph, atoll(argv[3])));
    if (status != FR_OK)
        fprintf(stderr, "%s\n", ctx ? fr_ctx_error(ctx) : fr_status_message(status));
    fr_router_free(router);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    return status != FR_OK;
}
