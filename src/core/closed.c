/* Closed vertices and edges: the query runs on a filtered copy of the graph, by a solver of the
 * same strategy, knobs and options.
 *
 * Why a copy: otherwise every strategy on both backends would test the mask in its inner loop. The
 *   copy costs about one pass over the edges when the mask changes; queries without a mask cost
 *   nothing more.
 */
#include "core/closed.h"

#include "base/bitmap.h"

#include <string.h>

void fri_closed_free(fr_solver *s) {
    fr_solver_free(s->on_filtered);
    fr_graph_free(s->filtered);
    fri_free(s->closed_vertices);
    fri_free(s->closed_edges);
    s->on_filtered = NULL;
    s->filtered = NULL;
    s->closed_vertices = s->closed_edges = NULL;
}

static bool same_bits(const uint64_t *a, const uint64_t *b, int64_t bits) {
    return a && b ? memcmp(a, b, fri_bitmap_bytes(bits)) == 0 : a == b;
}

static bool closes_the_same(const fr_solver *s, const fr_query *query) {
    const fr_csr *csr = fr_graph_csr(s->graph);
    return s->on_filtered && same_bits(s->closed_vertices, query->closed_vertices, csr->n) &&
           same_bits(s->closed_edges, query->closed_edges, csr->m);
}

static fr_status copy_bits(fr_ctx *ctx, const uint64_t *bits, int64_t count, uint64_t **out) {
    if (!bits)
        return FR_OK;
    *out = fri_alloc(ctx, fri_bitmap_bytes(count));
    if (!*out)
        return FR_NOMEM;
    memcpy(*out, bits, fri_bitmap_bytes(count));
    return FR_OK;
}

fr_status fri_closed_prepare(fr_solver *s, const fr_query *query) {
    fr_ctx *ctx = s->job.ctx;
    const fr_csr *csr = fr_graph_csr(s->graph);
    const int64_t begin = fri_now_ns();
    if (closes_the_same(s, query))
        return FR_OK;
    fri_closed_free(s);
    fr_status status = copy_bits(ctx, query->closed_vertices, csr->n, &s->closed_vertices);
    if (!status)
        status = copy_bits(ctx, query->closed_edges, csr->m, &s->closed_edges);
    if (!status)
        status = fr_graph_filter(ctx, s->graph, query->closed_vertices, query->closed_edges,
                                 &s->filtered);
    const int64_t filter_ns = fri_now_ns() - begin;
    if (!status)
        status = fri_solver_like(s, ctx, s->filtered, &s->on_filtered);
    if (!status)
        s->on_filtered->prepare_ns += filter_ns;
    else
        fri_closed_free(s);
    return status;
}
