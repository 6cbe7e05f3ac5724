/* Generator -> graph. */
#include "graph/graph.h"

#include "gen/generator.h"

fr_status fr_graph_generate(fr_ctx *ctx, const char *description, const fr_load_options *options,
                            fr_graph **out) {
    *out = NULL;
    fri_edges edges;
    fr_status status = fri_generate(ctx, description, &edges);
    if (status)
        return status;
    if (options && options->direction == FR_DIRECTED)
        edges.undirected = false;
    edges.ids.base = options && options->id_base == 2;
    fr_graph *graph = fri_graph_new(ctx, description);
    if (!graph) {
        fri_edges_free(&edges);
        return FR_NOMEM;
    }
    status = fri_graph_build(ctx, &edges, options, graph);
    if (status)
        fr_graph_free(graph);
    else
        *out = graph;
    return status;
}
