/* Districts of a road network: the nearest of several hospitals, and the way to it.
 *
 * Roads are pairs of 64 bit numbers, as other programs hold them, some of them one-way. The search
 * runs backwards from the hospitals, so distances are of the way there. */
#include <fringe_measures.h>

#include <stdio.h>

enum { N = 7 };

/* Keeps the largest part in which every place is reached from every other one. */
static fr_status largest_part(fr_ctx *ctx, const fr_graph *roads, fr_graph **out) {
    int32_t label[N], size[N], count, largest = 0, kept[N], length = 0;
    fr_status status =
        fr_components(ctx, roads, FR_COMPONENTS_STRONG, FR_BACKEND_ANY, label, size, &count);
    if (status != FR_OK)
        return status;
    for (int32_t c = 1; c < count; c++)
        largest = size[c] > size[largest] ? c : largest;
    for (int32_t v = 0; v < N; v++)
        if (label[v] == largest)
            kept[length++] = v;
    printf("%d of %d places are connected both ways\n", length, N);
    return fr_graph_subgraph(ctx, roads, kept, length, NULL, out);
}

static fr_status print_ways(fr_ctx *ctx, const fr_graph *part) {
    const int64_t hospitals[] = {0, 4};
    int32_t sources[2], dist[N], next[N], nearest[N];
    fr_solver *solver = NULL;
    fr_solver_options options = {.reverse = true};
    for (int i = 0; i < 2; i++) /* places keep their numbers as ids */
        sources[i] = fr_graph_vertex(part, hospitals[i]);
    fr_status status = fr_solver_new(ctx, part, FR_PROBLEM_SSSP, &options, &solver);
    if (status != FR_OK)
        return status;
    fr_query query = {.sources = sources, .source_count = 2, .parent_rule = FR_PARENT_NEAREST};
    fr_result result = {.dist = dist, .parent = next, .origin = nearest};
    status = fr_solve(solver, &query, &result);
    for (int32_t v = 0; status == FR_OK && v < fr_graph_vertex_count(part); v++)
        printf("from %lld: hospital %lld, distance %d, by %lld\n", (long long)fr_graph_id(part, v),
               (long long)hospitals[nearest[v]], dist[v], (long long)fr_graph_id(part, next[v]));
    fr_solver_free(solver);
    return status;
}

int main(void) {
    const int64_t from[] = {0, 1, 2, 3, 4, 5, 1, 3, 6}, to[] = {1, 2, 3, 4, 5, 0, 0, 2, 3};
    const double km[] = {4, 3, 2, 5, 1, 2, 4, 2, 1};
    fr_arrays arrays = {.n = N,
                        .m = 9,
                        .sources = from,
                        .targets = to,
                        .vertex_type = FR_TYPE_I64,
                        .weights = km,
                        .weight_type = FR_TYPE_F64};
    fr_load_options load = {.weight_type = FR_TYPE_I32};
    fr_ctx *ctx = NULL;
    fr_graph *roads = NULL, *part = NULL;
    fr_status status = fr_ctx_new(NULL, &ctx);
    if (status == FR_OK)
        status = fr_graph_from_arrays(ctx, &arrays, &load, &roads);
    if (status == FR_OK)
        status = largest_part(ctx, roads, &part);
    if (status == FR_OK)
        status = print_ways(ctx, part);
    if (status != FR_OK)
        fprintf(stderr, "%s\n", ctx ? fr_ctx_error(ctx) : fr_status_message(status));
    fr_graph_free(part);
    fr_graph_free(roads);
    fr_ctx_free(ctx);
    return status != FR_OK;
}
