/* Parents by rule and origins, as fringe.h describes them. */
#include "solve.h"

#include <math.h>
#include <string.h>

#define WRONG(...) (snprintf(why, 512, __VA_ARGS__), false)

typedef struct chooser {
    const so_row *r;
    bool exact;
    bool *reached;          /* [n] */
    int32_t *parent;        /* [n] by the rule; -1: none yet */
    int32_t *hops;          /* [n] */
    int64_t *first, *order; /* arcs by origin */
} chooser;

static double value(const chooser *k, int32_t v) { return ri_read(k->r->type, k->r->value, v); }

static bool is_tight(const chooser *k, int64_t e) {
    const ri_edge *arc = &k->r->view->arcs[e];
    if (!k->reached[arc->from] || !k->reached[arc->to])
        return false;
    if (k->exact)
        return ri_compare_edge(&k->r->d, k->r->view, e) == 0;
    if (k->r->type == FR_TYPE_F32) {
        const float sum = (float)value(k, arc->from) + (float)arc->weight.f;
        return sum == (float)value(k, arc->to);
    }
    return value(k, arc->from) + arc->weight.f == value(k, arc->to);
}

/* < 0: u is nearer than v */
static int order_of(const chooser *k, int32_t u, int32_t v) {
    if (k->exact)
        return ri_compare(&k->r->d, u, v);
    return value(k, u) < value(k, v) ? -1 : value(k, u) > value(k, v);
}

static bool is_root(const chooser *k, int32_t v) {
    const int32_t zero = 0;
    return k->exact ? ri_compare_value(&k->r->d, v, FR_TYPE_I32, &zero) == 0 : value(k, v) == 0;
}

static void choose_nearer(chooser *k) {
    const ri_arcs *view = k->r->view;
    for (int64_t e = 0; e < view->m; e++) {
        const int32_t u = view->arcs[e].from, v = view->arcs[e].to;
        if (!is_tight(k, e) || order_of(k, u, v) >= 0)
            continue;
        const int32_t old = k->parent[v];
        const int order = old >= 0 && k->r->rule == FR_PARENT_NEAREST ? order_of(k, u, old) : 0;
        if (old < 0 || order < 0 || (order == 0 && u < old))
            k->parent[v] = u;
    }
}

static void sort_by_origin(chooser *k) {
    const ri_arcs *view = k->r->view;
    k->first = ri_alloc(k->r->c, (size_t)(view->n + 2) * sizeof *k->first);
    k->order = ri_alloc(k->r->c, (size_t)view->m * sizeof *k->order);
    for (int64_t e = 0; e < view->m; e++)
        k->first[view->arcs[e].from + 2]++;
    for (int32_t v = 0; v < view->n; v++)
        k->first[v + 2] += k->first[v + 1];
    for (int64_t e = 0; e < view->m; e++)
        k->order[k->first[view->arcs[e].from + 1]++] = e;
}

static void hop_by_hop(chooser *k) {
    const int32_t n = k->r->d.n;
    int32_t *queue = ri_alloc(k->r->c, (size_t)n * sizeof *queue), tail = 0;
    for (int32_t v = 0; v < n; v++) {
        k->hops[v] = k->parent[v] >= 0 ? 0 : INT32_MAX;
        if (k->parent[v] >= 0)
            queue[tail++] = v;
    }
    for (int32_t head = 0; head < tail; head++) {
        const int32_t u = queue[head];
        for (int64_t i = k->first[u]; i < k->first[u + 1]; i++) {
            const int32_t v = k->r->view->arcs[k->order[i]].to;
            if (k->hops[v] <= k->hops[u] || !is_tight(k, k->order[i]))
                continue;
            if (k->hops[v] == INT32_MAX) {
                k->hops[v] = k->hops[u] + 1;
                k->parent[v] = u;
                queue[tail++] = v;
            } else if (u < k->parent[v])
                k->parent[v] = u;
        }
    }
}

bool so_rule_holds(const so_row *r, char why[512]) {
    chooser k = {.r = r, .exact = ri_is_exact(&r->d, r->type)};
    const int32_t n = r->d.n;
    if (!k.exact && (!r->value || (r->negative && r->limited)))
        return true; /* what the rule speaks of is not known */
    k.reached = ri_alloc(r->c, (size_t)n);
    k.parent = ri_alloc(r->c, (size_t)n * sizeof *k.parent);
    k.hops = ri_alloc(r->c, (size_t)n * sizeof *k.hops);
    memset(k.parent, 0xff, (size_t)n * sizeof *k.parent);
    for (int32_t v = 0; v < n; v++) /* in exact sums also those beyond a limit are candidates */
        k.reached[v] = r->d.kind[v] == RI_FINITE && (k.exact || isfinite(value(&k, v)));
    sort_by_origin(&k);
    if (!r->negative)
        choose_nearer(&k);
    for (int64_t i = 0; i < r->source_count; i++)
        if (k.reached[r->sources[i]] && is_root(&k, r->sources[i]))
            k.parent[r->sources[i]] = r->sources[i];
    hop_by_hop(&k);
    for (int32_t v = 0; v < n; v++)
        if (!k.exact && k.reached[v] && k.parent[v] < 0)
            return true; /* rounded sums leave a vertex without a tight edge */
    for (int32_t v = 0; v < n; v++)
        if (k.reached[v] && r->parent[v] != -1 && r->parent[v] != k.parent[v])
            return WRONG("by the rule %s vertex %d has the parent %d, not %d",
                         r->rule == FR_PARENT_MIN_ID ? "min-id" : "nearest", v, k.parent[v],
                         r->parent[v]);
    return true;
}

/* ---- origins ------------------------------------------------------------------------------------------------- */

static bool is_near(const so_row *r, const ri_distances *one, int32_t v) {
    if (one->kind[v] != RI_FINITE)
        return false;
    if (ri_is_exact(&r->d, r->type))
        return ri_compare_both(one, v, &r->d, v) == 0;
    const double slack =
        2 * r->d.n * ri_epsilon(r->type) * (one->size[v] + r->d.size[v]) + 2 * r->d.n * 0x1p-148;
    return fabs(ri_double(one, v) - ri_double(&r->d, v)) <= slack;
}

bool so_origins_are_right(const so_row *r, char why[512]) {
    ri_distances *each = ri_alloc(r->c, (size_t)r->source_count * sizeof *each);
    for (int64_t i = 0; i < r->source_count; i++)
        each[i] = ri_shortest(r->c, r->view, &r->sources[i], 1);
    for (int32_t v = 0; v < r->d.n; v++) {
        const int32_t got = r->origin[v];
        const bool reached = r->d.kind[v] == RI_FINITE && r->kept[v] != SO_CUT;
        if (!reached && got != -1 && (r->d.kind[v] != RI_MINUS || (r->mark && r->clear[v])))
            return WRONG("vertex %d is not reached, but has the origin %d", v, got);
        if (!reached || (r->kept[v] == SO_EITHER && got == -1))
            continue;
        if (got < 0 || got >= r->source_count || !is_near(r, &each[got], v))
            return WRONG("vertex %d has the origin %d, which is not nearest", v, got);
        for (int32_t i = 0; i < got; i++)
            if ((ri_is_exact(&r->d, r->type) || r->sources[i] == r->sources[got]) &&
                is_near(r, &each[i], v))
                return WRONG("vertex %d has the origin %d, not %d, which is as near", v, got, i);
    }
    return true;
}
