/* A graph without closed vertices and edges.
 *
 * Idea: as for a subgraph one pass counts each row's open edges and one copies them; the vertices keep
 *   their numbers. Rows stay sorted. In a symmetric graph the mirrors of closed edges are found
 *   first, by a search in their rows: the k-th of parallel edges u - v is the k-th of v - u, since both
 *   are sorted by weight.
 * Differs: a word of the mask of edges covers 64 edges; where it is 0 and no vertices are closed, they
 *   are copied at once.
 */
#include "base/bitmap.h"
#include "graph/graph.h"

#include <string.h>

typedef struct {
    fr_ctx *ctx;
    const fr_csr *csr;
    const uint64_t *vertices, *edges; /* bitmaps of what is closed; NULL: nothing */
} selection;

int64_t fr_graph_edge(const fr_graph *graph, int32_t source, int32_t target, int64_t *count) {
    static const fr_csr empty = {0};
    const fr_csr *csr = graph ? &graph->csr : &empty;
    int64_t first = -1, found = 0;
    if (source >= 0 && source < csr->n && target >= 0 && target < csr->n) {
        first = fri_csr_lower_bound(csr, source, target);
        for (int64_t e = first; e < csr->offsets[source + 1] && csr->targets[e] == target; e++)
            found++;
    }
    if (count)
        *count = found;
    return found ? first : -1;
}

static bool is_open(const selection *s, int64_t e) {
    return !(s->edges && fri_bit_get(s->edges, e)) &&
           !(s->vertices && fri_bit_get(s->vertices, s->csr->targets[e]));
}

/* No edge of a closed vertex is open. */
static bool is_row_open(const selection *s, int32_t u) {
    return !(s->vertices && fri_bit_get(s->vertices, u));
}

/* Whether edges e .. end-1, at most 64 of one word, are all open, without testing each. */
static bool is_word_open(const selection *s, int64_t e) {
    return !s->vertices && s->edges[e >> 6] == 0;
}

/* A fri_take_row_fn: the open edges of u's row. */
static int64_t take_row(const void *user, int32_t u, int64_t at, int32_t *targets, char *weights) {
    const selection *s = user;
    const fr_csr *csr = s->csr;
    const size_t size = fr_type_size(csr->weight_type);
    const char *from = csr->weights;
    const int64_t begin = at;
    for (int64_t e = csr->offsets[u], end = csr->offsets[u + 1]; is_row_open(s, u) && e < end;) {
        int64_t stop = FRI_MIN((e | 63) + 1, end);
        if (is_word_open(s, e)) {
            if (targets)
                memcpy(targets + at, csr->targets + e, (size_t)(stop - e) * sizeof *targets);
            if (weights)
                memcpy(weights + (size_t)at * size, from + (size_t)e * size,
                       (size_t)(stop - e) * size);
            at += stop - e;
            e = stop;
        }
        for (; e < stop; e++) {
            if (!is_open(s, e))
                continue;
            if (weights)
                fri_copy_weight(weights + (size_t)at * size, from + (size_t)e * size, size);
            if (targets)
                targets[at] = csr->targets[e];
            at++;
        }
    }
    return at - begin;
}

/* The other direction of edge e of an undirected graph. */
static int64_t mirror_of(const fr_csr *csr, int64_t e) {
    int32_t u = fri_csr_row_of(csr, e), v = csr->targets[e];
    return fri_csr_lower_bound(csr, v, u) + (e - fri_csr_lower_bound(csr, u, v));
}

/* The closed edges of an undirected graph with their other directions; NULL (recorded): out of memory. */
static uint64_t *with_mirrors(fr_ctx *ctx, const fr_csr *csr, const uint64_t *edges) {
    uint64_t *both = fri_calloc(ctx, fri_bitmap_bytes(csr->m));
    for (int64_t w = 0; both && w < fri_bitmap_words(csr->m); w++)
        for (uint64_t bits = edges[w]; bits; bits &= bits - 1) {
            int64_t e = w * 64 + __builtin_ctzll(bits);
            if (e >= csr->m)
                break;
            fri_bit_set(both, e);
            fri_bit_set(both, mirror_of(csr, e));
        }
    return both;
}

fr_status fr_graph_filter(fr_ctx *ctx, const fr_graph *graph, const uint64_t *closed_vertices,
                          const uint64_t *closed_edges, fr_graph **out) {
    fr_status status = fri_graph_begin(ctx, out);
    if (!status && !graph)
        status = fri_fail(ctx, FR_INVALID, "filtering needs a graph");
    if (!status)
        status = fr_graph_check(ctx, graph);
    if (status)
        return status;
    const fr_csr *csr = &graph->csr;
    bool mirrors = closed_edges && fr_graph_is_undirected(graph);
    uint64_t *both = mirrors ? with_mirrors(ctx, csr, closed_edges) : NULL;
    const selection s = {
        .csr = csr, .vertices = closed_vertices, .edges = mirrors ? both : closed_edges};
    fr_graph *open = mirrors && !both ? NULL : fri_graph_borrow(ctx, graph);
    status = open ? FR_OK : FR_NOMEM;
    if (!status && (closed_vertices || closed_edges))
        status = fri_graph_take_rows(ctx, "filtering", csr, csr->n, NULL, take_row, &s, open);
    if (!status && closed_edges && csr->symmetric && !mirrors)
        status = fri_csr_find_symmetry(ctx, &open->csr, false);
    fri_free(both);
    return fri_graph_give(status, open, out);
}
