/* Shortest paths from one vertex of a large CSR array as the caller has it, as long as the search reads
 * few edges: rows are checked when they are read, and apart from filling the outputs no step is O(n). */
#include "heap.h"
#include "small.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    pf_small rows;
    const double *weight; /* NULL: each edge has weight 1 */
    double limit, *dist;
    int32_t none, *parent; /* parent: NULL, none wanted */
    pf_entry *heap;        /* an entry per edge that is read, and the source's */
    int32_t *reached;
    int64_t held, count, edges;
} search;

/* Whether all weights are finite, and positive or 0, by their bits: comparisons of floats take four times as
 * long. 0 for a negative zero, too. */
static int are_plain(const double *weight, int64_t m) {
    const uint64_t exponent =
        UINT64_C(1) << 52; /* added once more, it overflows the exponent of infinity and NaN */
    uint64_t signs = 0;
    for (int64_t e = 0; e < m; e++) {
        uint64_t bits;
        memcpy(&bits, &weight[e], sizeof bits);
        signs |= bits | (bits + exponent);
    }
    return !(signs >> 63);
}

static void lower(search *s, int32_t v, double dist, int32_t parent) {
    if (!(dist < s->dist[v]) || dist > s->limit)
        return;
    if (s->dist[v] == INFINITY)
        s->reached[s->count++] = v;
    s->dist[v] = dist;
    if (s->parent)
        s->parent[v] = parent;
    pf_heap_push(s->heap, s->held++, dist, v);
}

/* The row of u; 0: it is not within the arrays. */
static int row_of(const search *s, int32_t u, int64_t *begin, int64_t *end) {
    *begin = pf_small_index(s->rows.offsets, s->rows.width, u);
    *end = pf_small_index(s->rows.offsets, s->rows.width, (int64_t)u + 1);
    return 0 <= *begin && *begin <= *end && *end <= s->rows.capacity;
}

static int relax_row(search *s, pf_entry from) {
    int64_t begin, end;
    if (!row_of(s, from.vertex, &begin, &end))
        return PF_DAMAGED;
    if (end - begin > s->edges)
        return PF_FAR;
    s->edges -= end - begin;
    for (int64_t e = begin; e < end; e++) {
        const int64_t v = pf_small_index(s->rows.targets, s->rows.width, e);
        if (v < 0 || v >= s->rows.n)
            return PF_DAMAGED;
        const double dist = from.dist + (s->weight ? s->weight[e] : 1);
        if (!(dist < INFINITY)) /* it does not fit, which the library reports */
            return PF_FAR;
        lower(s, (int32_t)v, dist, from.vertex);
    }
    return 0;
}

static int visit(search *s, int32_t source) {
    double *dist = s->dist;
    int32_t *parent = s->parent;
    const int32_t n = s->rows.n, none = s->none;
    for (int32_t v = 0; v < n; v++)
        dist[v] = INFINITY;
    for (int32_t v = 0; parent && v < n; v++)
        parent[v] = none;
    lower(s, source, 0, s->none);
    int failed = 0;
    while (s->held && !failed) {
        const pf_entry top = pf_heap_pop(s->heap, s->held--);
        if (top.dist == s->dist[top.vertex])
            failed = relax_row(s, top);
    }
    return failed;
}

/* Chooses, of several parents that give the distance, the one nearest to the source, then the smallest; one
 * at the distance of its child (weight 0) stays only where there is no other. */
static void choose_parents(const search *s) {
    for (int64_t i = 0; i < s->count; i++) {
        const int32_t u = s->reached[i];
        int64_t begin, end;
        if (!row_of(s, u, &begin, &end))
            return; /* the search has read it, so another thread has changed the arrays since */
        for (int64_t e = begin; e < end; e++) {
            const int64_t v = pf_small_index(s->rows.targets, s->rows.width, e);
            if (v < 0 || v >= s->rows.n)
                return;
            const int32_t old = s->parent[v];
            const double weight = s->weight ? s->weight[e] : 1;
            if (old == s->none || !(s->dist[u] < s->dist[v]) || s->dist[u] + weight != s->dist[v])
                continue;
            if (s->dist[u] < s->dist[old] || (s->dist[u] == s->dist[old] && u < old))
                s->parent[v] = u;
        }
    }
}

int pf_near_paths(int32_t n, int width, const void *offsets, const void *targets, int64_t capacity,
                  const void *weights, int flags, double limit, int32_t source, int64_t edges,
                  int32_t none, void *dist, void *parent) {
    search s = {.rows = {n, width, offsets, targets, capacity},
                .weight = flags & PF_UNIT ? NULL : weights,
                .limit = limit,
                .dist = dist,
                .none = none,
                .parent = parent,
                .edges = edges};
    if (!pf_small_aligned(offsets, width) || !pf_small_aligned(targets, width) ||
        !pf_small_aligned(weights, sizeof(double)))
        return PF_DAMAGED;
    const int64_t m = pf_small_index(offsets, width, n);
    if (pf_small_index(offsets, width, 0) != 0 || m < 0 || m > capacity || !are_plain(weights, m))
        return PF_DAMAGED;
    s.heap = malloc((size_t)(edges + 1) * (sizeof *s.heap + sizeof *s.reached));
    if (!s.heap)
        return PF_NO_MEMORY;
    s.reached = (int32_t *)(s.heap + edges + 1);
    const int failed = visit(&s, source);
    if (!failed && parent)
        choose_parents(&s);
    free(s.heap);
    return failed;
}
