/* Generator -> graph. */
#include "gen/generator.h"
#include "graph/weights.h"

fr_status fr_graph_generate(fr_ctx *ctx, const char *description, const fr_load_options *options,
                            fr_graph **out) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    if (!out)
        return fri_null_output(ctx);
    *out = NULL;
    if (!description)
        return fri_fail(ctx, FR_INVALID,
                        "the description names no generator; 'fringe list generators' lists all");
    fr_load_options own;
    fr_status status = fri_load_options_read(ctx, options, &own);
    if (!status)
        status = fri_load_options_no_file(ctx, &own, "a generated graph");
    if (status)
        return status;
    fri_edge_list edges;
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
    status = fri_graph_build(ctx, &edges, &own, graph);
    if (status)
        fr_graph_free(graph);
    else
        *out = graph;
    return status;
}
