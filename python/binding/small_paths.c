/* Shortest paths on small CSR arrays as the caller has them, on one thread and by SciPy's rules.
 *
 * Idea: the arcs are copied once, with the opposite ones of an undirected graph. All pairs of a few
 *   vertices: Floyd and Warshall. A row without negative weights: Dijkstra with a binary heap that
 *   keeps outdated entries, or a queue for unit weights. A row with negative weights: Bellman and
 *   Ford, until a round changes nothing.
 */
#include "heap.h"
#include "small.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CUBIC = 48 /* vertices up to which all pairs take less time by Floyd and Warshall */ };

typedef struct {
    int32_t target;
    double weight;
} arc;

typedef struct {
    int32_t n, none;
    int is_unit, is_negative;
    double limit;
    int64_t *offsets; /* [n + 2] */
    arc *arcs;
    pf_entry *heap; /* one for each arc and source */
    int64_t head, held;
    double *dist;             /* [n], of the row */
    int32_t *parent, *origin; /* [n], or NULL */
} search;

/* ---- the heap, or the queue for unit weights ---- */

static void push(search *s, double dist, int32_t vertex) {
    if (s->is_unit)
        s->heap[s->held++] = (pf_entry){dist, vertex};
    else
        pf_heap_push(s->heap, s->held++, dist, vertex);
}

static pf_entry pop(search *s) {
    return s->is_unit ? s->heap[s->head++] : pf_heap_pop(s->heap, s->held--);
}

/* ---- a row ---- */

/* Whether the distance by the arc from u is a new minimum, which is then kept. */
static int improves(search *s, int32_t u, const arc *a) {
    const double dist = s->dist[u] + a->weight;
    if (!(dist < s->dist[a->target]) || dist > s->limit)
        return 0;
    s->dist[a->target] = dist;
    if (s->parent)
        s->parent[a->target] = u;
    if (s->origin)
        s->origin[a->target] = s->origin[u];
    return 1;
}

static void visit_all(search *s) {
    while (s->head < s->held) {
        const pf_entry at = pop(s);
        if (at.dist > s->dist[at.vertex])
            continue;
        for (int64_t e = s->offsets[at.vertex]; e < s->offsets[at.vertex + 1]; e++)
            if (improves(s, at.vertex, &s->arcs[e]))
                push(s, s->dist[s->arcs[e].target], s->arcs[e].target);
    }
}

/* 0: a negative cycle, since a round after n - 1 others changed a distance. */
static int relax_all(search *s) {
    for (int32_t round = 0; round < s->n; round++) {
        int changed = 0;
        for (int32_t u = 0; u < s->n; u++)
            for (int64_t e = s->offsets[u]; s->dist[u] < INFINITY && e < s->offsets[u + 1]; e++)
                changed |= improves(s, u, &s->arcs[e]);
        if (!changed)
            return 1;
    }
    return 0;
}

/* Chooses, of several parents that give the distance, the one nearest to the source, then the smallest;
 * one at the distance of its child (weight 0) stays only where there is no other. */
static void choose_parents(const search *s, const double *dist, int32_t *parent) {
    for (int32_t u = 0; u < s->n; u++)
        for (int64_t e = s->offsets[u]; dist[u] < INFINITY && e < s->offsets[u + 1]; e++) {
            const int32_t v = s->arcs[e].target, old = parent[v];
            if (old == s->none || !(dist[u] < dist[v]) || dist[u] + s->arcs[e].weight != dist[v])
                continue;
            if (dist[u] < dist[old] || (dist[u] == dist[old] && u < old))
                parent[v] = u;
        }
}

static void clear_row(search *s) {
    for (int32_t v = 0; v < s->n; v++)
        s->dist[v] = INFINITY;
    for (int32_t v = 0; s->parent && v < s->n; v++)
        s->parent[v] = s->none;
    for (int32_t v = 0; s->origin && v < s->n; v++)
        s->origin[v] = s->none;
    s->head = s->held = 0;
}

static int solve_row(search *s, const int32_t *sources, int64_t count) {
    clear_row(s);
    for (int64_t i = 0; i < count; i++) {
        const int32_t v = sources[i];
        if (s->dist[v] == 0)
            continue;
        s->dist[v] = 0;
        if (s->origin)
            s->origin[v] = v;
        push(s, 0, v);
    }
    if (s->is_negative)
        return relax_all(s);
    visit_all(s);
    if (s->parent && !s->origin)
        choose_parents(s, s->dist, s->parent);
    return 1;
}

/* Whether no negative cycle exists anywhere: as if a further vertex had an arc of weight 0 to each. */
static int has_no_cycle(search *s) {
    int32_t *parent = s->parent;
    s->parent = NULL;
    for (int32_t v = 0; v < s->n; v++)
        s->dist[v] = 0;
    const int found = relax_all(s);
    s->parent = parent;
    return found;
}

/* ---- all pairs of a few vertices ---- */

static void start_pairs(search *s) {
    const int64_t n = s->n;
    for (int64_t i = 0; i < n * n; i++)
        s->dist[i] = INFINITY;
    for (int64_t i = 0; s->parent && i < n * n; i++)
        s->parent[i] = s->none;
    for (int32_t u = 0; u < n; u++) {
        double *dist = s->dist + u * n;
        dist[u] = 0;
        for (int64_t e = s->offsets[u]; e < s->offsets[u + 1]; e++) {
            const arc *a = &s->arcs[e];
            if (!(a->weight < dist[a->target]))
                continue;
            dist[a->target] = a->weight;
            if (s->parent)
                s->parent[u * n + a->target] = u;
        }
    }
}

static void pass_through(search *s, int32_t k, int32_t u) {
    const double *from = s->dist + (int64_t)k * s->n, to_k = s->dist[(int64_t)u * s->n + k];
    double *dist = s->dist + (int64_t)u * s->n;
    if (!s->parent) {
        for (int32_t v = 0; v < s->n; v++)
            dist[v] = to_k + from[v] < dist[v] ? to_k + from[v] : dist[v];
        return;
    }
    const int32_t *before = s->parent + (int64_t)k * s->n;
    int32_t *parent = s->parent + (int64_t)u * s->n;
    for (int32_t v = 0; v < s->n; v++) {
        const int is_less = to_k + from[v] < dist[v];
        dist[v] = is_less ? to_k + from[v] : dist[v];
        parent[v] = is_less ? before[v] : parent[v];
    }
}

/* 0: a negative cycle. */
static int solve_pairs(search *s) {
    start_pairs(s);
    for (int32_t k = 0; k < s->n; k++)
        for (int32_t u = 0; u < s->n; u++)
            if (u != k && s->dist[(int64_t)u * s->n + k] < INFINITY)
                pass_through(s, k, u);
    for (int32_t u = 0; u < s->n; u++)
        if (s->dist[(int64_t)u * s->n + u] < 0)
            return 0;
    for (int64_t u = 0; s->parent && !s->is_negative && u < s->n; u++)
        choose_parents(s, s->dist + u * s->n, s->parent + u * s->n);
    return 1;
}

/* ---- the call ---- */

static void copy_arcs(search *s, const pf_small *a, const double *weight, int both) {
    const int64_t m = pf_small_index(a->offsets, a->width, a->n);
    memset(s->offsets, 0, (size_t)(a->n + 2) * sizeof *s->offsets);
    for (int32_t u = 0; u < a->n; u++)
        s->offsets[u + 2] =
            pf_small_index(a->offsets, a->width, u + 1) - pf_small_index(a->offsets, a->width, u);
    for (int64_t e = 0; both && e < m; e++)
        s->offsets[pf_small_index(a->targets, a->width, e) + 2]++;
    for (int32_t u = 0; u < a->n; u++)
        s->offsets[u + 2] += s->offsets[u + 1];
    for (int32_t u = 0; u < a->n; u++)
        for (int64_t e = pf_small_index(a->offsets, a->width, u);
             e < pf_small_index(a->offsets, a->width, u + 1); e++) {
            const int32_t v = (int32_t)pf_small_index(a->targets, a->width, e);
            const double w = s->is_unit ? 1 : weight[e];
            s->arcs[s->offsets[u + 1]++] = (arc){v, w};
            if (both)
                s->arcs[s->offsets[v + 1]++] = (arc){u, w};
        }
}

/* 0: a negative cycle. sources: [rows], NULL for all vertices. */
static int solve(search *s, const int32_t *sources, int64_t rows, int flags) {
    if (!sources && s->n <= CUBIC && !(s->limit < INFINITY))
        return solve_pairs(s);
    if (s->is_negative && (flags & PF_ANYWHERE) && !has_no_cycle(s))
        return 0;
    if (flags & PF_NEAREST)
        return solve_row(s, sources, rows);
    for (int32_t i = 0; i < rows; i++) {
        const int32_t source = sources ? sources[i] : i;
        if (!solve_row(s, &source, 1))
            return 0;
        s->dist += s->n;
        s->parent = s->parent ? s->parent + s->n : NULL;
    }
    return 1;
}

/* A copy with negative numbers counted from the end; 0: one is out of range. */
static int copy_sources(int32_t n, const int32_t *from, int64_t count, int32_t *to) {
    int bad = 0;
    for (int64_t i = 0; i < count; i++) {
        to[i] = from[i] < 0 ? from[i] + n : from[i];
        bad |= to[i] < 0 || to[i] >= n;
    }
    return !bad;
}

/* Memory for all of it, in one block that begins with the offsets. Returns the place of the sources,
 * NULL without memory. */
static int32_t *open_search(search *s, int64_t arcs, int64_t sources) {
    const size_t starts = (size_t)(s->n + 2) * sizeof *s->offsets;
    const size_t ends = (size_t)arcs * sizeof *s->arcs;
    char *block = malloc(starts + ends + (size_t)(arcs + sources + 1) * (sizeof *s->heap + 4));
    if (!block)
        return NULL;
    s->offsets = (int64_t *)block;
    s->arcs = (arc *)(block + starts);
    s->heap = (pf_entry *)(block + starts + ends);
    return (int32_t *)(s->heap + arcs + sources + 1);
}

int pf_small_paths(int32_t n, int width, const void *offsets, const void *targets, int64_t capacity,
                   const void *weights, int flags, double limit, const void *sources, int64_t rows,
                   int32_t none, void *dist, void *parent, void *origin) {
    const pf_small a = {n, width, offsets, targets, capacity};
    const int kind = pf_small_weights(n, width, offsets, targets, capacity, weights);
    const int served = PF_ZERO | (flags & (PF_UNIT | PF_SIGNED) ? PF_NEGATIVE : 0);
    if (kind < 0 || kind & ~served)
        return PF_DAMAGED;
    search s = {
        .n = n, .none = none, .limit = limit, .dist = dist, .parent = parent, .origin = origin};
    s.is_unit = (flags & PF_UNIT) != 0;
    s.is_negative = !s.is_unit && (kind & PF_NEGATIVE);
    const int both = (flags & PF_BOTH) != 0;
    int32_t *copy = open_search(&s, pf_small_index(offsets, width, n) << both, sources ? rows : 0);
    if (!copy)
        return PF_NO_MEMORY;
    copy_arcs(&s, &a, weights, both);
    const int known = !sources || copy_sources(n, sources, rows, copy);
    const int solved = known && solve(&s, sources ? copy : NULL, rows, flags);
    free(s.offsets);
    return solved ? 0 : PF_DAMAGED;
}
