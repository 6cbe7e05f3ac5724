/* Generator -> graph. */
#include "gen/generator.h"
#include "graph/weights.h"

fr_status fr_graph_generate(fr_ctx *ctx, const char *description, const fr_load_options *options,
                            fr_graph **out) {
    fr_status status = fri_graph_begin(ctx, out);
    fr_load_options own;
    fri_edge_list edges;
    if (!status && !description)
        status = fri_fail(ctx, FR_INVALID,
                          "the description names no generator; fr_generator_name lists all");
    if (!status)
        status = fri_load_options_read(ctx, options, &own);
    if (!status)
        status = fri_load_options_no_file(ctx, &own, "a generated graph");
    if (!status)
        status = fri_generate(ctx, description, &edges);
    if (status)
        return status;
    edges.undirected &= own.direction != FR_DIRECTION_DIRECTED;
    edges.ids.base = own.id_base == 2;
    fr_graph *graph = fri_graph_new(ctx, description);
    if (!graph) {
        fri_edge_list_free(&edges);
        return FR_NOMEM;
    }
    return fri_graph_give(fri_graph_build(ctx, &edges, &own, graph), graph, out);
}
