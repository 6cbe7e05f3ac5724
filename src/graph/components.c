/* Weakly connected components by a lock-free union-find that skips most edges of dense graphs.
 *
 * Source: Rem's algorithm with splicing: M. Patwary, J. Blair, F. Manne: Experiments on
 *   union-find algorithms for the disjoint-set data structure, SEA 2010; with compare-and-swap: L.
 *   Dhulipala, C. Hong, J. Shun: ConnectIt, VLDB 2020. Sampling: M. Sutton, T. Ben-Nun, A. Barak:
 *   Optimizing parallel graph connectivity computation via subgraph sampling (Afforest), IPDPS 2018.
 * Idea: `label` is a forest in which a parent is smaller than its child. An edge is followed from both ends
 *   towards the roots, and the vertex with the larger parent gets the smaller one: paths shorten while
 *   they are followed. Of a sparse graph each edge is joined once. Otherwise every vertex is joined to its
 *   first two neighbors and then to its root, after which most edges are within one label. Where both
 *   directions of an edge are known, the giant component is found by a sample of labels, and the remaining
 *   edges only of vertices outside it are read, in-edges too (an edge that leaves it is found from its other
 *   end).
 * Differs: one thread writes without compare-and-swap, which takes longer than the rest of a step.
 * Work: n + m in the worst case, about 2 n plus the edges outside the giant component where edges are
 *   skipped. The label is the minimum vertex regardless of the order of threads.
 */
#include "graph/stats.h"

#include "base/pace.h"
#include "base/rng.h"
#include "base/team.h"

/* SAMPLED_DEGREE: at 2 edges per vertex both ways
 * take as long, on random graphs and grids. */
enum {
    FIRST_NEIGHBORS = 2,
    SAMPLED_DEGREE = 2,
    SAMPLES = 256,
    COUNT_BITS = 9, /* twice the samples */
    GRAIN = 4096
};

/* Relaxed: a stale label is a vertex of the same component, too. */
static inline int32_t get(const int32_t *label, int32_t v) {
    return __atomic_load_n(&label[v], __ATOMIC_RELAXED);
}

static inline void set(int32_t *label, int32_t v, int32_t parent) {
    __atomic_store_n(&label[v], parent, __ATOMIC_RELAXED);
}

/* Gives a root a parent; false: another thread has. `alone`: there is none. */
static inline bool link_root(int32_t *label, int32_t root, int32_t parent, bool alone) {
    int32_t expected = root;
    if (alone)
        set(label, root, parent);
    return alone || __atomic_compare_exchange_n(&label[root], &expected, parent, false,
                                                __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Only the link of a root must not be lost. Of two threads that replace a parent, either link may remain: each
 * thread goes on to join the parent that it has read with its other vertex. */
static inline void join(int32_t *label, int32_t u, int32_t v, bool alone) {
    int32_t a = get(label, u), b = get(label, v);
    while (a != b) {
        if (a < b) {
            const int32_t other = u, smaller = a;
            u = v, v = other;
            a = b, b = smaller;
        }
        if (u != a)
            set(label, u, b);
        else if (link_root(label, u, b, alone))
            return;
        u = a;
        a = get(label, u);
    }
}

/* Which edges a pass over all rows joins. */
typedef struct {
    int32_t *label;
    fri_pace *pace;
    int64_t from, to;  /* places in a row of the graph */
    bool once;         /* of both directions of an edge the one to the smaller vertex */
    int32_t skip;      /* no row of a vertex with this label; -1: all rows */
    const fr_csr *out; /* the graph */
    const fr_csr *in;  /* its in-edges, too; NULL: not */
} pass;

/* Edges from..to-1 of a row, those to vertices from `end` on left out. */
static inline void join_row(int32_t *label, const fr_csr *csr, int32_t v, int64_t from, int64_t to,
                            int32_t end, bool alone) {
    const int64_t begin = csr->offsets[v], stop = FRI_MIN(csr->offsets[v + 1], begin + to);
    for (int64_t e = begin + from; e < stop && csr->targets[e] < end; e++)
        join(label, v, csr->targets[e], alone);
}

/* The rows of vertices first .. end-1. */
static inline __attribute__((always_inline)) void join_block(const pass *p, int32_t first,
                                                             int32_t end, bool leads, bool alone) {
    int32_t *const label = p->label;
    const int32_t n = p->out->n;
    int64_t work = 0;
    if (fri_pace_stop_team(p->pace, leads, 0, 1))
        return;
    for (int32_t v = first; v < end; v++) {
        work += p->out->offsets[v + 1] - p->out->offsets[v] + 1;
        if (work >= FRI_PACE_WORK) {
            if (fri_pace_stop_team(p->pace, leads, work, 1))
                return;
            work = 0;
        }
        if (get(label, v) == p->skip) /* the giant component's root may have changed by now: this
                                         only costs extra work */
            continue;
        join_row(label, p->out, v, p->from, p->to, p->once ? v : n, alone);
        if (p->in)
            join_row(label, p->in, v, 0, INT64_MAX / 2, n, alone);
    }
    fri_pace_stop_team(p->pace, leads, work, 1);
}

static void join_piece(fri_member me, void *arg, int64_t begin, int64_t end) {
    const pass *p = arg;
    if (me.count == 1)
        join_block(p, (int32_t)begin, (int32_t)end, true, true);
    else
        join_block(p, (int32_t)begin, (int32_t)end, me.index == 0, false);
}

static fr_status join_rows(pass *p, fr_ctx *ctx, int threads) {
    fri_team_loop(ctx, threads, p->out->n, GRAIN, join_piece, p);
    return p->pace->status;
}

static void flatten_piece(fri_member me, void *arg, int64_t begin, int64_t end) {
    int32_t *label = arg;
    (void)me;
    for (int32_t v = (int32_t)begin; v < end; v++) {
        int32_t root = get(label, get(label, v)); /* on one thread it is the root */
        while (root != get(label, root))
            root = get(label, root);
        set(label, v, root); /* other threads may be reading it */
    }
}

static void begin_piece(fri_member me, void *arg, int64_t begin, int64_t end) {
    int32_t *label = arg;
    (void)me;
    for (int32_t v = (int32_t)begin; v < end; v++)
        label[v] = v;
}

/* The most frequent label among SAMPLES vertices. */
static int32_t most_frequent_label(const int32_t *label, int32_t n) {
    struct {
        int32_t label, count;
    } table[1 << COUNT_BITS] = {{0}}, *best = table;
    for (int i = 0; i < SAMPLES; i++) {
        int32_t one = label[fri_random_below(fri_random(1, (uint64_t)i), (uint64_t)n)];
        uint32_t at = (uint32_t)one * 2654435761u >> (32 - COUNT_BITS);
        while (table[at].count && table[at].label != one)
            at = (at + 1) % (1 << COUNT_BITS);
        table[at].label = one;
        if (++table[at].count > best->count)
            best = &table[at];
    }
    return best->label;
}

fr_status fri_components(fr_ctx *ctx, const fri_undirected_view *view, int32_t *label) {
    const fr_csr *out = view->out;
    const int32_t n = out->n;
    if (n == 0)
        return FR_OK;
    const bool both = out->symmetric || view->in,
               sampled = out->m / (out->symmetric ? 2 : 1) / SAMPLED_DEGREE > n;
    /* a nanosecond for each access, to the edges that are not skipped */
    const int64_t work = 3 * (int64_t)n + (both ? out->m / 8 : out->m);
    const int threads = fri_threads_for(ctx, ctx->threads, work);
    fr_status status = fri_progress(ctx, "finding components", 0, 2);
    if (status)
        return status;
    fri_team_loop(ctx, threads, n, GRAIN, begin_piece, label);
    fri_pace pace = fri_pace_begin(ctx, "finding components", 2);
    pass p = {.label = label,
              .pace = &pace,
              .to = sampled ? FIRST_NEIGHBORS : INT64_MAX / 2,
              .once = !sampled && out->symmetric,
              .skip = -1,
              .out = out};
    status = join_rows(&p, ctx, threads);
    if (!status && sampled) {
        fri_team_loop(ctx, threads, n, GRAIN, flatten_piece, label);
        p.from = FIRST_NEIGHBORS;
        p.to = INT64_MAX / 2;
        p.skip = both ? most_frequent_label(label, n) : -1;
        p.in = view->in;
        status = join_rows(&p, ctx, threads);
    }
    if (status)
        return status;
    fri_team_loop(ctx, threads, n, GRAIN, flatten_piece, label);
    return fri_progress(ctx, "finding components", 2, 2);
}
