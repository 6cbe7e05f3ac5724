/* The vertices and edges that --closed-vertices and --closed-edges name. */
#ifndef CLI_CLOSED_SETS_H
#define CLI_CLOSED_SETS_H

#include "cli.h"

typedef struct closed_sets {
    int64_t vertex_count, edge_count; /* as listed */
    uint64_t *vertices;               /* as in fr_query; NULL: none */
    uint64_t *edges[2];         /* of the graph, of the transposed one (checks of --reverse) */
    int32_t *sources, *targets; /* [edge_count] ends of the edges */
} closed_sets;

/* Reads the files that the options name. Returns an exit code. */
int closed_sets_read(closed_sets *c, const settings *s, fr_ctx *ctx, const fr_graph *graph);
/* Sets the closed vertices and edges of a query on the graph, or on its transpose if that is given. */
void closed_sets_use(closed_sets *c, const fr_graph *transposed, fr_query *query);
void closed_sets_free(closed_sets *c);

#endif
