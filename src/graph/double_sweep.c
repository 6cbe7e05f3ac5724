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
 * Scratch: two integers per vertex. Work: at most MAX_SWEEPS sweeps. */
#include "base/pace.h"
#include "graph/stats.h"

#include <string.h>

/* ---- one sweep ---------------------------------------------------------------------------------- */

/* A breadth-first sweep for graph statistics: levels only, on the undirected view of a graph.
 *
 * Source: S. Beamer, K. Asanovic, D. Patterson: Direction-optimizing breadth-first search, SC 2012,
 *   for the switch between top-down and bottom-up and its constants.
 * Differs: bottom-up also requires more frontier edges than vertices, since it scans all vertices.
 *   Levels of less than SHARE_EDGES edges, about 2 ms of work, run on one thread: long narrow graphs
 *   have thousands of such levels, and on a shared machine waiting for a second thread costs milliseconds
 *   per level. There is no bitmap: the levels themselves identify the frontier.
 * Scratch: two integers per vertex, provided by the caller. Work: n + m.
 * This is a CPU BFS besides src/cpu/bfs because graph may not include cpu.
 */
typedef struct {
    fr_ctx *ctx;
    const fri_undirected_view *view;
    int32_t *level;               /* [n] -1: not reached */
    int32_t *queue;               /* [n] ordered by level, in any order within a level */
    int32_t depth;                /* of the last sweep: the eccentricity of the start */
    int64_t last_begin, last_end; /* the range of the deepest level in the queue */
    fri_pace pace;
} sweep;

enum { SHARE_EDGES = 1 << 18, ALPHA = 14, BETA = 24, LOCAL = 1024, GRAIN = 1024 };

/* Vertices that one thread has found but not yet appended to the queue. */
typedef struct {
    int32_t vertex[LOCAL];
    int count;
    int64_t edges; /* number of edges that leave them */
} found;

/* The tail is shared: each flush reserves its own range of the queue. */
static void flush(sweep *s, found *f, int64_t *tail) {
    int64_t at = __atomic_fetch_add(tail, f->count, __ATOMIC_RELAXED);
    memcpy(s->queue + at, f->vertex, (size_t)f->count * sizeof *f->vertex);
    f->count = 0;
}

static inline void add(sweep *s, found *f, int32_t v, int64_t *tail) {
    f->vertex[f->count++] = v;
    f->edges += fri_undirected_degree(s->view, v);
    if (f->count == LOCAL)
        flush(s, f, tail);
}

static inline void expand(sweep *s, const fr_csr *csr, int32_t v, int32_t depth, found *f,
                          int64_t *tail) {
    for (int64_t e = csr->offsets[v]; e < csr->offsets[v + 1]; e++) {
        int32_t u = csr->targets[e], free = -1;
        /* several threads may find u: the exchange lets one enqueue it; most are visited already */
        if (__atomic_load_n(&s->level[u], __ATOMIC_RELAXED) < 0 &&
            __atomic_compare_exchange_n(&s->level[u], &free, depth, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            add(s, f, u, tail);
    }
}

/* Both functions return the number of edges that leave the vertices found, at queue[end ..
 * *tail). */
static int64_t top_down(sweep *s, int64_t begin, int64_t end, int32_t depth, int threads,
                        int64_t *tail) {
    int64_t edges = 0;
#pragma omp parallel num_threads(threads) reduction(+ : edges) if (threads > 1)
    {
        found f;
        f.count = 0;
        f.edges = 0;
#pragma omp for schedule(FRI_DYNAMIC, 64) nowait
        for (int64_t i = begin; i < end; i++) {
            if (FRI_PACE_STOP_LOOP(&s->pace, fri_undirected_degree(s->view, s->queue[i]) + 1, end))
                continue;
            expand(s, s->view->out, s->queue[i], depth, &f, tail);
            if (s->view->in)
                expand(s, s->view->in, s->queue[i], depth, &f, tail);
        }
        flush(s, &f, tail);
        edges += f.edges;
    }
    return edges;
}

static inline bool touches(const sweep *s, const fr_csr *csr, int32_t v, int32_t depth) {
    for (int64_t e = csr->offsets[v]; e < csr->offsets[v + 1]; e++)
        if (__atomic_load_n(&s->level[csr->targets[e]], __ATOMIC_RELAXED) == depth)
            return true;
    return false;
}

static int64_t bottom_up(sweep *s, int32_t depth, int64_t *tail) {
    int64_t edges = 0;
    const fri_undirected_view *view = s->view;
#pragma omp parallel num_threads(s->ctx->threads) reduction(+ : edges)
    {
        found f;
        f.count = 0;
        f.edges = 0;
#pragma omp for schedule(FRI_DYNAMIC, GRAIN) nowait
        for (int32_t v = 0; v < view->out->n; v++) {
            if (s->level[v] >= 0 ||
                FRI_PACE_STOP_LOOP(&s->pace, fri_undirected_degree(view, v) + 1,
                                   *tail)) /* only the thread that processes v writes its level */
                continue;
            if (!touches(s, view->out, v, depth - 1) &&
                !(view->in && touches(s, view->in, v, depth - 1)))
                continue;
            __atomic_store_n(&s->level[v], depth, __ATOMIC_RELAXED); /* other threads read it */
            add(s, &f, v, tail);
        }
        flush(s, &f, tail);
        edges += f.edges;
    }
    return edges;
}

static fr_status sweep_from(sweep *s, int32_t start) {
    int32_t n = s->view->out->n;
    int64_t begin = 0, end = 1, edges = fri_undirected_degree(s->view, start);
    int64_t left = s->view->in ? 2 * s->view->out->m : s->view->out->m;
    bool up = false;
    s->pace = fri_pace_begin(s->ctx, "sweeping for the diameter", n);
#pragma omp parallel for num_threads(s->ctx->threads)
    for (int32_t v = 0; v < n; v++)
        s->level[v] = -1;
    s->level[start] = 0;
    s->queue[0] = start;
    for (int32_t depth = 1;; depth++) {
        if (fri_pace_stop(&s->pace, 64, end))
            return s->pace.status;
        left -= edges;
        up = up ? end - begin > n / BETA : edges > left / ALPHA && edges > n;
        int64_t tail = end;
        edges =
            up ? bottom_up(s, depth, &tail)
               : top_down(s, begin, end, depth, edges < SHARE_EDGES ? 1 : s->ctx->threads, &tail);
        if (s->pace.status)
            return s->pace.status;
        if (tail == end) {
            s->depth = depth - 1;
            s->last_begin = begin;
            s->last_end = end;
            return FR_OK;
        }
        begin = end;
        end = tail;
    }
}

/* ---- the bound ---------------------------------------------------------------------------------- */

enum { MAX_SWEEPS = 16 };

static int32_t farthest(const sweep *s) {
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
static int32_t one_level_up(const sweep *s, const fr_csr *csr, int32_t v) {
    for (int64_t e = csr->offsets[v]; e < csr->offsets[v + 1]; e++)
        if (s->level[csr->targets[e]] == s->level[v] - 1)
            return csr->targets[e];
    return -1;
}

/* The vertex half way from the last sweep's start to v. */
static int32_t middle(const sweep *s, int32_t v) {
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

static fr_status sweeps(sweep *s, int32_t start, int32_t *lower_bound) {
    int done = 0;
    int32_t before = -1; /* the bound at the start of the round */
    for (int round = 0; round < 2 || (*lower_bound > before && done < MAX_SWEEPS); round++) {
        int32_t reached = -1;
        before = *lower_bound;
        do { /* from one end to the other while the path gets longer */
            reached = s->depth;
            fr_status status = sweep_from(s, start);
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
    sweep s = {.ctx = ctx, .view = view, .depth = -1};
    s.level = fri_alloc(ctx, fri_bytes(n, sizeof *s.level));
    s.queue = s.level ? fri_alloc(ctx, fri_bytes(n, sizeof *s.queue)) : NULL;
    *lower_bound = 0;
    fr_status status =
        s.queue ? sweeps(&s, max_degree_vertex(ctx, view, label, root), lower_bound) : FR_NOMEM;
    fri_free(s.level);
    fri_free(s.queue);
    return status;
}
