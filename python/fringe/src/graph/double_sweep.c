/* A lower bound of the diameter by repeated double sweeps.
 *
 * Source: C. Magnien, M. Latapy, M. Habib: Fast computation of empirically tight bounds for the
 *   diameter of massive graphs, ACM JEA 13, 2009 (double sweep); P. Crescenzi, R. Grossi, M. Habib,
 *   L. Lanzi, A. Marino: On computing the diameter of real-world undirected graphs, TCS 514, 2013
 *   (the next start is the middle of the path found).
 * Idea: the farthest vertex of a sweep is a good start of the next one; when that no longer
 *   improves the bound, start again from the middle of the last path; stop after a round (at least
 *   the second) without improvement.
 * Differs: of the farthest vertices the one of minimum degree is taken, then of minimum id, so that
 *   the bound does not depend on the number of threads; the first start is the vertex of maximum
 *   degree.
 * Scratch: two integers per vertex. Work: at most MAX_SWEEPS sweeps.
 */
#include "graph/sweep.h"

enum { MAX_SWEEPS = 16 };

static int32_t farthest(const fri_sweep *s) {
    int32_t best = s->queue[s->last_begin];
    for (int64_t i = s->last_begin; i < s->last_end; i++) {
        int32_t v = s->queue[i];
        int64_t more = fri_undirected_degree(s->view, v) - fri_undirected_degree(s->view, best);
        if (more < 0 || (more == 0 && v < best))
            best = v;
    }
    return best;
}

/* The minimum neighbor of v that is one level closer to the start; -1 if csr has none. */
static int32_t one_level_up(const fri_sweep *s, const fr_csr *csr, int32_t v) {
    for (int64_t e = csr->offsets[v]; e < csr->offsets[v + 1]; e++)
        if (s->level[csr->targets[e]] == s->level[v] - 1)
            return csr->targets[e];
    return -1;
}

/* The vertex half way from the last sweep's start to v. */
static int32_t middle(const fri_sweep *s, int32_t v) {
    while (s->level[v] > s->depth / 2) {
        int32_t next = one_level_up(s, s->view->out, v);
        v = next >= 0 ? next : one_level_up(s, s->view->in, v); /* one of the two directions has
                                                                   it */
    }
    return v;
}

/* Within the component: the vertex of maximum degree, then of minimum id. */
static int32_t max_degree_vertex(fr_ctx *ctx, const fri_undirected_view *view, const int32_t *label,
                                 int32_t root) {
    int32_t best = root;
    int64_t maximum = fri_undirected_degree(view, root);
#pragma omp parallel num_threads(ctx->threads)
    {
        int32_t own = root;
        int64_t own_maximum = maximum;
#pragma omp for
        for (int32_t v = 0; v < view->out->n; v++)
            if (label[v] == root && fri_undirected_degree(view, v) > own_maximum) {
                own = v;
                own_maximum = fri_undirected_degree(view, v);
            }
#pragma omp critical
        if (own_maximum > maximum || (own_maximum == maximum && own < best)) {
            best = own;
            maximum = own_maximum;
        }
    }
    return best;
}

static fr_status sweeps(fri_sweep *s, int32_t start, int32_t *lower_bound) {
    int done = 0;
    int32_t before = -1; /* the bound at the start of the round */
    for (int round = 0; round < 2 || (*lower_bound > before && done < MAX_SWEEPS); round++) {
        int32_t reached = -1;
        before = *lower_bound;
        do { /* from one end to the other while the path gets longer */
            reached = s->depth;
            fr_status status = fri_sweep_from(s, start);
            if (status)
                return status;
            start = farthest(s);
            *lower_bound = FRI_MAX(*lower_bound, s->depth);
            done++;
        } while (s->depth > reached && done < MAX_SWEEPS);
        start = middle(s, start);
        s->depth = -1; /* the next round starts without a path */
    }
    return FR_OK;
}

fr_status fri_double_sweep(fr_ctx *ctx, const fri_undirected_view *view, const int32_t *label,
                           int32_t root, int32_t *lower_bound) {
    int32_t n = view->out->n;
    fri_sweep s = {.ctx = ctx, .view = view, .depth = -1};
    s.level = fri_alloc(ctx, fri_bytes(n, sizeof *s.level));
    s.queue = s.level ? fri_alloc(ctx, fri_bytes(n, sizeof *s.queue)) : NULL;
    *lower_bound = 0;
    fr_status status =
        s.queue ? sweeps(&s, max_degree_vertex(ctx, view, label, root), lower_bound) : FR_NOMEM;
    fri_free(s.level);
    fri_free(s.queue);
    return status;
}
