/* Plain answers: the stored edges, views of them, levels. */
#include "random.h"

#include <stdlib.h>
#include <string.h>

static int by_weight(const ri_edge *a, const ri_edge *b, fr_type type) {
    if (ri_is_real(type))
        return a->weight.f < b->weight.f ? -1 : a->weight.f > b->weight.f;
    return a->weight.i < b->weight.i ? -1 : a->weight.i > b->weight.i;
}

typedef struct given {
    ri_edge edge;
    int64_t index;
    fr_type type;
} given;

static int in_order(const void *first, const void *second) {
    const given *a = first, *b = second;
    if (a->edge.from != b->edge.from)
        return a->edge.from < b->edge.from ? -1 : 1;
    if (a->edge.to != b->edge.to)
        return a->edge.to < b->edge.to ? -1 : 1;
    int order = by_weight(&a->edge, &b->edge, a->type);
    return order ? order : a->index < b->index ? -1 : a->index > b->index;
}

/* The first stored edge from u to v. */
static int64_t first_of(const ri_arcs *s, const int64_t *row, int32_t u, int32_t v) {
    int64_t low = row[u], high = row[u + 1];
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (s->arcs[middle].to < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Of parallel edges the k-th by weight there belongs to the k-th back. */
int64_t *ri_twins(ri_case *c, const ri_arcs *s) {
    int64_t *twin = ri_alloc(c, (size_t)s->m * sizeof *twin);
    int64_t *row = ri_alloc(c, (size_t)(s->n + 1) * sizeof *row);
    for (int64_t e = 0; e < s->m; e++)
        row[s->arcs[e].from + 1]++;
    for (int32_t v = 0; v < s->n; v++)
        row[v + 1] += row[v];
    for (int64_t e = 0; e < s->m; e++) {
        const ri_edge *arc = &s->arcs[e];
        const int64_t back =
            first_of(s, row, arc->to, arc->from) + (e - first_of(s, row, arc->from, arc->to));
        if (back >= s->m || s->arcs[back].from != arc->to || s->arcs[back].to != arc->from ||
            by_weight(&s->arcs[back], arc, s->type))
            return NULL;
        twin[e] = back;
    }
    return twin;
}

void ri_no_twins(ri_arcs *s) {
    s->undirected = false;
    for (int64_t e = 0; e < s->m; e++)
        s->twin[e] = e;
}

void ri_store(ri_case *c) {
    const ri_graph *g = &c->graph;
    ri_arcs *s = &c->stored;
    given *all = ri_alloc(c, (size_t)g->m * 2 * sizeof *all);
    int64_t m = 0;
    for (int64_t i = 0; i < g->m; i++) {
        ri_edge e = g->edges[i];
        all[m++] = (given){e, i, g->type};
        if (g->undirected && e.from != e.to)
            all[m++] = (given){{e.to, e.from, e.weight}, i, g->type};
    }
    if (m)
        qsort(all, (size_t)m, sizeof *all, in_order);
    *s = (ri_arcs){.n = g->n, .m = m, .type = g->type};
    s->arcs = ri_alloc(c, (size_t)m * sizeof *s->arcs);
    s->twin = ri_alloc(c, (size_t)m * sizeof *s->twin);
    s->given = ri_alloc(c, (size_t)m * sizeof *s->given);
    for (int64_t e = 0; e < m; e++) {
        s->arcs[e] = all[e].edge;
        s->given[e] = all[e].index;
    }
    ri_no_twins(s);
    s->undirected = g->undirected;
    if (g->undirected)
        s->twin = ri_twins(c, s);
}

ri_arcs ri_view(ri_case *c, const ri_arcs *stored, const bool *closed_vertices,
                const bool *closed_arcs, bool reverse, bool unit) {
    ri_arcs view = {.n = stored->n, .type = unit ? FR_TYPE_NONE : stored->type};
    view.arcs = ri_alloc(c, (size_t)stored->m * sizeof *view.arcs);
    view.twin = ri_alloc(c, (size_t)stored->m * sizeof *view.twin);
    view.given = ri_alloc(c, (size_t)stored->m * sizeof *view.given);
    for (int64_t e = 0; e < stored->m; e++) {
        ri_edge arc = stored->arcs[e];
        if (closed_vertices && (closed_vertices[arc.from] || closed_vertices[arc.to]))
            continue;
        if (closed_arcs && (closed_arcs[e] || closed_arcs[stored->twin[e]]))
            continue;
        if (unit)
            arc.weight.i = 1;
        view.given[view.m] = e; /* the stored edge */
        view.twin[view.m] = view.m;
        view.arcs[view.m++] = reverse ? (ri_edge){arc.to, arc.from, arc.weight} : arc;
    }
    return view;
}

int32_t *ri_levels(ri_case *c, const ri_arcs *arcs, const int32_t *sources, int64_t count) {
    const size_t n = (size_t)arcs->n;
    int32_t *level = ri_alloc(c, n * sizeof *level), *queue = ri_alloc(c, n * sizeof *queue);
    int64_t *first = ri_alloc(c, (n + 2) * sizeof *first);
    int32_t *to = ri_alloc(c, (size_t)arcs->m * sizeof *to), tail = 0;
    for (int64_t e = 0; e < arcs->m; e++)
        first[arcs->arcs[e].from + 2]++;
    for (size_t v = 0; v < n; v++)
        first[v + 2] += first[v + 1];
    for (int64_t e = 0; e < arcs->m; e++)
        to[first[arcs->arcs[e].from + 1]++] = arcs->arcs[e].to;
    memset(level, 0xff, n * sizeof *level);
    for (int64_t i = 0; i < count; i++)
        if (level[sources[i]] < 0) {
            level[sources[i]] = 0;
            queue[tail++] = sources[i];
        }
    for (int32_t head = 0; head < tail; head++)
        for (int64_t e = first[queue[head]]; e < first[queue[head] + 1]; e++)
            if (level[to[e]] < 0) {
                level[to[e]] = level[queue[head]] + 1;
                queue[tail++] = to[e];
            }
    return level;
}
