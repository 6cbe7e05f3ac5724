/* Closed vertices and edges: the query runs on a filtered copy of the graph, by a solver of the
 * same strategy, knobs and options.
 *
 * Why a copy: otherwise every strategy on both backends would test the mask in its inner loop. The
 *   copy costs about one pass over the edges when the mask changes; queries without a mask cost
 *   nothing more.
 */
#include "core/closed.h"

#include "base/bitmap.h"
#include "core/device_team.h"

#include <string.h>

static void free_closed(fr_solver *s) {
    struct fri_closed *c = s->closed;
    if (!c)
        return;
    fr_solver_free(c->solver);
    fr_graph_free(c->filtered);
    fri_free(c->vertices);
    fri_free(c->edges);
    fri_free(c);
    s->closed = NULL;
}

static bool same_bits(const uint64_t *a, const uint64_t *b, int64_t bits) {
    return a && b ? memcmp(a, b, fri_bitmap_bytes(bits)) == 0 : a == b;
}

static bool closes_the_same(const fr_solver *s, const fr_query *query) {
    const fr_csr *csr = fr_graph_csr(s->graph);
    return s->closed && same_bits(s->closed->vertices, query->closed_vertices, csr->n) &&
           same_bits(s->closed->edges, query->closed_edges, csr->m);
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

static fr_status make(fr_solver *s, const fr_query *query) {
    fr_ctx *ctx = s->job.ctx;
    const fr_csr *csr = fr_graph_csr(s->graph);
    const int64_t begin = fri_now_ns();
    struct fri_closed *c = s->closed = fri_calloc(ctx, sizeof *c);
    if (!c)
        return FR_NOMEM;
    fr_status status = copy_bits(ctx, query->closed_vertices, csr->n, &c->vertices);
    if (!status)
        status = copy_bits(ctx, query->closed_edges, csr->m, &c->edges);
    if (!status)
        status = fr_graph_filter(ctx, s->graph, query->closed_vertices, query->closed_edges,
                                 &c->filtered);
    const int64_t filter_ns = fri_now_ns() - begin;
    if (!status)
        status = fri_solver_like(s, ctx, c->filtered, &c->solver);
    if (!status && s->job.in->problem == FR_PROBLEM_APSP && fri_device_team_make(c->solver))
        fri_begin(ctx); /* it answers alone */
    if (!status)
        c->solver->prepare_ns += filter_ns;
    return status;
}

static bool takes(const fr_solver *s, const fr_query *query, bool each) {
    (void)s;
    return !each && fri_closes(query); /* the rows of fr_solve_each are queries of their own */
}

/* Keeps the last solver if its masks were the same. */
static fr_status solve(fr_solver *s, const fr_query *query, fr_result *result, int64_t *solved) {
    fr_status status = FR_OK;
    (void)solved;
    if (!closes_the_same(s, query)) {
        free_closed(s);
        status = make(s, query);
    }
    if (status) {
        free_closed(s);
        return status;
    }
    s->last = &s->closed->solver->job;
    fr_query rest = *query;
    rest.closed_vertices = rest.closed_edges = NULL;
    return fr_solve(s->closed->solver, &rest, result);
}

const fri_wrapper fri_without_closed = {takes, solve, free_closed};
