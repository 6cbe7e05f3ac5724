/* Ids, names and edges of a graph for whole arrays, so that Python makes one call. */
#include "binding.h"

#include <string.h>

void pf_ids(const fr_graph *graph, int64_t *out) {
    for (int32_t v = 0; v < fr_graph_vertex_count(graph); v++)
        out[v] = fr_graph_id(graph, v);
}

int64_t pf_names(const fr_graph *graph, char *out) {
    int64_t size = 0;
    for (int32_t v = 0; v < fr_graph_vertex_count(graph); v++) {
        const char *name = fr_graph_vertex_name(graph, v);
        if (!name)
            return 0;
        size_t length = strlen(name) + 1;
        if (out)
            memcpy(out + size, name, length);
        size += (int64_t)length;
    }
    return size;
}

int64_t pf_close_pairs(const fr_graph *graph, int64_t count, const int32_t *pairs, uint64_t *bits) {
    for (int64_t i = 0; i < count; i++) {
        int64_t parallel;
        int64_t edge = fr_graph_edge(graph, pairs[2 * i], pairs[2 * i + 1], &parallel);
        if (edge < 0)
            return i;
        for (int64_t e = edge; e < edge + parallel; e++)
            bits[e / 64] |= UINT64_C(1) << e % 64;
    }
    return -1;
}
