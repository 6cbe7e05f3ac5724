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

enum {
    CUBIC = 48,    /* vertices up to which all pairs take less time by Floyd and Warshall */
    TRIAL_ROWS = 4 /* after these a search with PF_BRIEF may end */
};

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
    int32_t
        *reached; /* [n], of the row, in the order of their distances; not with negative weights */
    int64_t reached_count;
    int64_t steps, settled,
        edges;    /* of all rows: levels of the heap at each pop; vertices; their arcs */
    double depth; /* the sum of the largest distances */
    double *dist; /* [n], of the row */
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
        s->steps += s->is_unit ? 1 : 64 - __builtin_clzll((uint64_t)s->held);
        const pf_entry at = pop(s);
        if (at.dist > s->dist[at.vertex])
            continue;
        s->reached[s->reached_count++] = at.vertex;
        s->edges += s->offsets[at.vertex + 1] - s->offsets[at.vertex];
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
 * one at the distance of its child (weight 0) stays only where there is no other. reached: [count] the vertices
 * that are reached, in any order; NULL: all. */
static void choose_parents(const search *s, const double *dist, int32_t *parent,
                           const int32_t *reached, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        const int32_t u = reached ? reached[i] : (int32_t)i;
        for (int64_t e = s->offsets[u]; dist[u] < INFINITY && e < s->offsets[u + 1]; e++) {
            const int32_t v = s->arcs[e].target, old = parent[v];
            if (old == s->none || !(dist[u] < dist[v]) || dist[u] + s->arcs[e].weight != dist[v])
                continue;
            if (dist[u] < dist[old] || (dist[u] == dist[old] && u < old))
                parent[v] = u;
        }
    }
}

static void clear_row(search *s) {
    for (int32_t v = 0; v < s->n; v++)
        s->dist[v] = INFINITY;
    for (int32_t v = 0; s->parent && v < s->n; v++)
        s->parent[v] = s->none;
    for (int32_t v = 0; s->origin && v < s->n; v++)
        s->origin[v] = s->none;
    s->head = s->held = s->reached_count = 0;
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
    s->settled += s->reached_count;
    s->depth += s->reached_count ? s->dist[s->reached[s->reached_count - 1]] : 0;
    if (s->parent && !s->origin)
        choose_parents(s, s->dist, s->parent, s->reached, s->reached_count);
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
        choose_parents(s, s->dist + u * s->n, s->parent + u * s->n, NULL, s->n);
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

/* Whether the first `rows` rows have taken longer than the library's buckets, or bits of many rows, would have:
 * both times in units of 2 ns, which were fitted to random graphs with 1 to 16 edges per vertex and to paths, of 100
 * to 1000 vertices. */
static int is_long(const search *s, int64_t rows) {
    const double n = s->n, count = (double)rows, settled = (double)s->settled;
    if (s->is_unit)
        return 5 * settled > 1000 * count + s->depth * n / 100;
    return 2 * (double)s->steps > 1000 * count + 8 * settled + (double)s->edges;
}

/* 0: a negative cycle, or with PF_BRIEF rows that take long. sources: [rows], NULL for all vertices. */
static int solve(search *s, const int32_t *sources, int64_t rows, int flags) {
    if (!sources && s->n <= CUBIC && !(s->limit < INFINITY))
        return solve_pairs(s);
    if (s->is_negative && (flags & PF_ANYWHERE) && !has_no_cycle(s))
        return 0;
    if (flags & PF_NEAREST)
        return solve_row(s, sources, rows);
    for (int32_t i = 0; i < rows; i++) {
        const int32_t source = sources ? sources[i] : i;
        if (!solve_row(s, &source, 1) ||
            ((flags & PF_BRIEF) && i >= TRIAL_ROWS && is_long(s, i + 1)))
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
    const size_t heap = (size_t)(arcs + sources + 1) * sizeof *s->heap;
    char *block = malloc(starts + ends + heap + (size_t)(sources + s->n) * sizeof(int32_t));
    if (!block)
        return NULL;
    s->offsets = (int64_t *)block;
    s->arcs = (arc *)(block + starts);
    s->heap = (pf_entry *)(block + starts + ends);
    s->reached = (int32_t *)(block + starts + ends + heap);
    return s->reached + s->n;
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
    if ((flags & PF_BRIEF) && s.is_negative)
        return PF_DAMAGED;
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
