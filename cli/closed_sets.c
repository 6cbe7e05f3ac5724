#include "session.h"

#include "cli/io/vertex.h"

#include <stdlib.h>

static void set_bit(uint64_t *bits, int64_t i) { bits[i / 64] |= UINT64_C(1) << (i % 64); }

static uint64_t *bits_alloc(int64_t count) {
    return cli_alloc((size_t)((count + 63) / 64 + 1) * sizeof(uint64_t));
}

static int read_vertices(closed_sets *c, const char *path, const session *x) {
    const fr_graph *graph = x->graph;
    id_list list = {0};
    int32_t *vertices = NULL;
    int code = id_file_read(path, graph, "VERTEX", 1, &list);
    if (!code)
        code = id_file_vertices(x, &list, &vertices);
    c->vertices = bits_alloc(fr_graph_vertex_count(graph));
    c->vertex_count = list.count;
    for (int64_t i = 0; !code && i < list.count; i++)
        set_bit(c->vertices, vertices[i]);
    free(vertices);
    id_list_free(&list);
    return code;
}

/* Closes all edges between the ends; the first pair without an edge is returned, else -1. */
static int64_t close_edges(const fr_graph *graph, const int32_t *sources, const int32_t *targets,
                           int64_t count, uint64_t *bits) {
    for (int64_t i = 0; i < count; i++) {
        int64_t parallel, first = fr_graph_edge(graph, sources[i], targets[i], &parallel);
        if (first < 0)
            return i;
        for (int64_t k = 0; k < parallel; k++)
            set_bit(bits, first + k);
    }
    return -1;
}

static int read_edges(closed_sets *c, const char *path, const session *x) {
    const fr_graph *graph = x->graph;
    id_list ends[2] = {{0}};
    int code = id_file_read(path, graph, "SOURCE TARGET", 2, ends);
    if (!code)
        code = id_file_vertices(x, &ends[0], &c->sources);
    if (!code)
        code = id_file_vertices(x, &ends[1], &c->targets);
    c->edges[0] = bits_alloc(fr_graph_edge_count(graph));
    c->edge_count = ends[0].count;
    int64_t lost =
        code ? -1 : close_edges(graph, c->sources, c->targets, c->edge_count, c->edges[0]);
    if (lost >= 0)
        code = cli_fail_at(FR_NOT_FOUND, ends[0].places[lost], "there is no edge from %s to %s",
                           ends[0].words[lost], ends[1].words[lost]);
    id_list_free(&ends[0]);
    id_list_free(&ends[1]);
    return code;
}

int closed_sets_read(closed_sets *c, const session *x) {
    const settings *s = x->s;
    int code = s->closed_vertices ? read_vertices(c, s->closed_vertices, x) : CLI_OK;
    return !code && s->closed_edges ? read_edges(c, s->closed_edges, x) : code;
}

void closed_sets_use(closed_sets *c, const fr_graph *transposed, fr_query *query) {
    query->closed_vertices = c->vertices;
    query->closed_edges = c->edges[0];
    if (!transposed || !c->edges[0])
        return;
    if (!c->edges[1]) {
        c->edges[1] = bits_alloc(fr_graph_edge_count(transposed));
        close_edges(transposed, c->targets, c->sources, c->edge_count, c->edges[1]);
    }
    query->closed_edges = c->edges[1];
}

void closed_sets_free(closed_sets *c) {
    free(c->vertices);
    free(c->edges[0]);
    free(c->edges[1]);
    free(c->sources);
    free(c->targets);
    *c = (closed_sets){0};
}
