/* Whether an answer of a query is right: every value, parent, origin and order, by exact sums. */
#include "solve.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WRONG(...) (snprintf(why, 512, __VA_ARGS__), false)

/* ---- what is expected -------------------------------------------------------------------------------- */

static double slack_of(const so_row *r, int32_t v, double size) {
    return r->d.n * ri_epsilon(r->type) * fmax(size, r->d.size[v]);
}

/* The farthest target; -1: none ends the search. */
static int32_t farthest(const so_row *r) {
    int32_t found = -1;
    if (!r->target_count || (r->negative && !r->bfs))
        return -1;
    for (int64_t i = 0; i < r->target_count; i++) {
        const int32_t t = r->targets[i];
        if (r->d.kind[t] != RI_FINITE)
            return -1;
        if (found < 0 || ri_compare(&r->d, t, found) > 0)
            found = t;
    }
    return found;
}

static unsigned char within(const so_row *r, int32_t v, bool exact) {
    const int order = ri_compare_value(&r->d, v, FR_TYPE_F64, &r->limit);
    if (!exact && fabs(ri_double(&r->d, v) - r->limit) <= 2 * slack_of(r, v, 0))
        return SO_EITHER;
    return order <= 0 ? SO_KEPT : SO_CUT;
}

static unsigned char before(const so_row *r, int32_t v, int32_t target, bool exact) {
    const double apart = fabs(ri_double(&r->d, v) - ri_double(&r->d, target));
    if (!exact && apart <= 2 * (slack_of(r, v, 0) + slack_of(r, target, 0)))
        return SO_EITHER;
    return ri_compare(&r->d, v, target) <= 0 ? SO_KEPT : SO_CUT;
}

static void find_clear(so_row *r) {
    ri_arcs raised = *r->view;
    const double delta = 2.0 * r->d.n * ri_epsilon(r->type) * r->d.largest;
    const unsigned char *kind = r->d.kind;
    r->clear = ri_alloc(r->c, (size_t)r->d.n);
    if (!r->d.cycle || (delta && !isfinite(r->d.largest + delta)))
        return;
    if (!ri_is_exact(&r->d, r->type)) {
        raised.arcs = ri_alloc(r->c, (size_t)raised.m * sizeof *raised.arcs);
        for (int64_t e = 0; e < raised.m; e++) {
            raised.arcs[e] = r->view->arcs[e];
            raised.arcs[e].weight.f += delta;
        }
        kind = ri_shortest(r->c, &raised, r->sources, r->source_count).kind;
    }
    for (int32_t v = 0; v < r->d.n; v++)
        r->clear[v] = kind[v] == RI_MINUS;
}

so_answer so_cycle(const so_row *r) {
    for (int32_t v = 0; v < r->d.n; v++)
        if (r->clear[v])
            return SO_MUST;
    return r->d.cycle ? SO_MAY : SO_NO;
}

void so_expect(so_row *r) {
    r->d = ri_shortest(r->c, r->view, r->sources, r->source_count);
    r->kept = ri_alloc(r->c, (size_t)r->d.n);
    find_clear(r);
    const bool exact = ri_is_exact(&r->d, r->type);
    const int32_t target = farthest(r);
    for (int32_t v = 0; v < r->d.n; v++) {
        unsigned char limit = SO_KEPT, end = SO_KEPT;
        if (r->d.kind[v] != RI_FINITE)
            continue;
        if (r->limited)
            limit = within(r, v, exact);
        if (target >= 0)
            end = before(r, v, target, exact);
        r->kept[v] = limit == SO_CUT || end == SO_CUT         ? SO_CUT
                     : limit == SO_EITHER || end == SO_EITHER ? SO_EITHER
                                                              : SO_KEPT;
    }
}

static double largest_of(fr_type type) { return type == FR_TYPE_F32 ? FLT_MAX : DBL_MAX; }

/* A sum of reals may leave the type on the way although the distance does not. */
static so_answer overflow_of(const so_row *r, int32_t v) {
    const int32_t lowest = INT32_MIN;
    const bool fits = ri_fits(&r->d, v, r->type);
    if (ri_is_real(r->type)) {
        const double high = largest_of(r->type);
        if (r->d.size[v] < high * (1 - 1e-6) && (!r->negative || r->d.largest < high / r->d.n))
            return SO_NO;
        return !fits && fabs(ri_double(&r->d, v)) / 2 > high / 2 * (1 + 1e-6) ? SO_MUST : SO_MAY;
    }
    if (fits && r->mark && r->type == FR_TYPE_I32 &&
        ri_compare_value(&r->d, v, r->type, &lowest) == 0)
        return SO_MUST;
    return fits ? SO_NO : SO_MUST;
}

/* APSP: whether v is one of the columns. */
static bool is_asked(const so_row *r, int32_t v) {
    for (int64_t i = 0; i < r->column_count; i++)
        if (r->columns[i] == v)
            return true;
    return !r->column_count;
}

so_answer so_overflow(const so_row *r) {
    /* a cycle below 0 may leave the reals before it is found */
    so_answer found =
        r->d.cycle && ri_is_real(r->type) && r->d.largest > largest_of(r->type) / (2.0 * r->d.n)
            ? SO_MAY
            : SO_NO;
    for (int32_t v = 0; v < r->d.n && !r->bfs; v++) {
        if (r->d.kind[v] != RI_FINITE)
            continue;
        so_answer one = overflow_of(r, v);
        if (one == SO_MUST && (r->kept[v] != SO_KEPT || !is_asked(r, v)))
            one = SO_MAY;
        found = one > found ? one : found;
    }
    return found;
}

/* ---- values ---------------------------------------------------------------------------------------------- */

static bool is_unreached(const so_row *r, int64_t i) {
    switch (r->type) {
    case FR_TYPE_I64: return ((const int64_t *)r->value)[i] == FR_INF_I64;
    case FR_TYPE_F32:
    case FR_TYPE_F64: return ri_read(r->type, r->value, i) == INFINITY;
    default: return ((const int32_t *)r->value)[i] == (r->bfs ? -1 : FR_INF_I32);
    }
}

static bool is_minus(const so_row *r, int64_t i) {
    switch (r->type) {
    case FR_TYPE_I64: return ((const int64_t *)r->value)[i] == FR_NEG_INF_I64;
    case FR_TYPE_F32:
    case FR_TYPE_F64: return ri_read(r->type, r->value, i) == -INFINITY;
    default: return ((const int32_t *)r->value)[i] == FR_NEG_INF_I32;
    }
}

static const void *at(const so_row *r, int64_t i) {
    return (const char *)r->value + (size_t)i * fr_type_size(r->type);
}

/* Whether v counts as reached in what came. */
static bool is_reached(const so_row *r, int32_t v) {
    if (r->d.kind[v] != RI_FINITE || r->kept[v] == SO_CUT)
        return false;
    if (r->kept[v] == SO_KEPT)
        return true;
    return r->value ? !is_unreached(r, v) : r->parent ? r->parent[v] != -1 : true;
}

static bool check_value(const so_row *r, int64_t i, int32_t v, double size, char *why) {
    const double got = ri_read(r->type, r->value, i);
    if (r->d.kind[v] == RI_MINUS) {
        if (r->mark && r->clear[v] && !is_minus(r, i))
            return WRONG("a negative cycle reaches vertex %d, but its value is %.17g", v, got);
        return true;
    }
    if (r->d.kind[v] == RI_UNREACHED || r->kept[v] == SO_CUT)
        return is_unreached(r, i) ||
               WRONG("vertex %d is not reached%s, but its value is %.17g", v,
                     r->kept[v] == SO_CUT && r->d.kind[v] == RI_FINITE ? " within the limit" : "",
                     got);
    if (r->kept[v] == SO_EITHER && is_unreached(r, i))
        return true;
    return ri_is(&r->d, v, r->type, at(r, i), size) ||
           WRONG("vertex %d has the value %.17g, not %.17g", v, got, ri_double(&r->d, v));
}

/* ---- parents ----------------------------------------------------------------------------------------------- */

typedef struct forest {
    const so_row *r;
    int64_t *arc;       /* [n] the lightest edge from the parent; -1: none */
    double *sum, *size; /* [n] along the path of parents */
    unsigned char *
        state; /* [n] 0: not walked, 1: on this walk, 2: done, 3: done, the path leaves what was kept */
} forest;

static bool is_source(const so_row *r, int32_t v) {
    for (int64_t i = 0; i < r->source_count; i++)
        if (r->sources[i] == v)
            return true;
    return false;
}

static bool is_root(const so_row *r, int32_t v) {
    const int32_t zero = 0;
    if (!is_source(r, v))
        return false;
    if (r->value && !ri_is_exact(&r->d, r->type))
        return ri_read(r->type, r->value, v) == 0;
    return ri_compare_value(&r->d, v, FR_TYPE_I32, &zero) == 0;
}

static double weight_of(const so_row *r, int64_t arc) {
    const ri_weight w = r->view->arcs[arc].weight;
    return ri_is_real(r->view->type) ? w.f : (double)w.i;
}

static void find_arcs(forest *f) {
    const so_row *r = f->r;
    for (int32_t v = 0; v < r->d.n; v++)
        f->arc[v] = -1;
    for (int64_t e = 0; e < r->view->m; e++) {
        const ri_edge *arc = &r->view->arcs[e];
        if (r->parent[arc->to] != arc->from)
            continue;
        int64_t *best = &f->arc[arc->to];
        const bool lighter = *best < 0 || (ri_is_real(r->view->type)
                                               ? arc->weight.f < r->view->arcs[*best].weight.f
                                               : arc->weight.i < r->view->arcs[*best].weight.i);
        if (lighter)
            *best = e;
    }
}

/* The parent of a reached vertex. */
static bool check_parent(const forest *f, int32_t v, char *why) {
    const so_row *r = f->r;
    const int32_t p = r->parent[v];
    if (is_root(r, v))
        return p == v || WRONG("source %d has the parent %d, not itself", v, p);
    if (p < 0 || p >= r->d.n)
        return WRONG("vertex %d has the parent %d", v, p);
    if (p == v || f->arc[v] < 0)
        return WRONG("vertex %d has the parent %d, from which no edge leads there", v, p);
    if (r->d.kind[p] != RI_FINITE || (!is_reached(r, p) && !(r->negative && r->limited)))
        return WRONG("vertex %d has the parent %d, which is not reached", v, p);
    if (ri_is_exact(&r->d, r->type) && ri_compare_edge(&r->d, r->view, f->arc[v]) != 0)
        return WRONG("vertex %d has the parent %d, which is on no shortest path", v, p);
    return true;
}

/* Sums from the root to v. */
static bool walk(forest *f, int32_t start, int32_t *stack, char *why) {
    const so_row *r = f->r;
    int32_t top = 0;
    for (int32_t v = start; !f->state[v]; v = r->parent[v]) {
        f->state[v] = 1;
        stack[top++] = v;
        if (is_root(r, v))
            break;
        if (!is_reached(r, v)) {
            f->state[v] = 3;
            break;
        }
        if (f->state[r->parent[v]] == 1)
            return WRONG("the parents of vertex %d form a cycle", v);
    }
    while (top) {
        const int32_t v = stack[--top], p = r->parent[v];
        if (f->state[v] == 3)
            continue;
        f->state[v] = 2;
        if (is_root(r, v))
            continue;
        f->state[v] = f->state[p];
        f->sum[v] = f->sum[p] + weight_of(r, f->arc[v]);
        f->size[v] = f->size[p] + fabs(weight_of(r, f->arc[v]));
    }
    return true;
}

/* Reals whose sums are rounded: the path of parents has the length of the value. */
static bool check_length(const forest *f, int32_t v, char *why) {
    const so_row *r = f->r;
    if (f->state[v] != 2 || ri_is_exact(&r->d, r->type))
        return true;
    const double tiny = r->d.n * (r->type == FR_TYPE_F32 ? 0x1p-148 : 0x1p-1073);
    const double slack = r->d.n * 2 * ri_epsilon(r->type) * fmax(f->size[v], r->d.size[v]) + tiny;
    const double value = r->value ? ri_read(r->type, r->value, v) : ri_double(&r->d, v);
    return fabs(f->sum[v] - value) <= slack || !isfinite(f->size[v]) ||
           WRONG("vertex %d has the value %.17g, but the path of its parents has the length %.17g",
                 v, value, f->sum[v]);
}

static bool check_parents(forest *f, char *why) {
    const so_row *r = f->r;
    const size_t n = (size_t)r->d.n;
    f->arc = ri_alloc(r->c, n * sizeof *f->arc);
    f->sum = ri_alloc(r->c, n * sizeof *f->sum);
    f->size = ri_alloc(r->c, n * sizeof *f->size);
    f->state = ri_alloc(r->c, n);
    int32_t *stack = ri_alloc(r->c, n * sizeof *stack);
    find_arcs(f);
    for (int32_t v = 0; v < r->d.n; v++)
        if (is_reached(r, v)) {
            if (!check_parent(f, v, why))
                return false;
        } else if (r->parent[v] != -1 && (r->d.kind[v] != RI_MINUS || (r->mark && r->clear[v])))
            return WRONG("vertex %d is not reached, but has the parent %d", v, r->parent[v]);
    for (int32_t v = 0; v < r->d.n; v++)
        if (is_reached(r, v) && !walk(f, v, stack, why))
            return false;
    for (int32_t v = 0; v < r->d.n; v++)
        if (is_reached(r, v) && !check_length(f, v, why))
            return false;
    return true;
}

static bool check_order(const so_row *r, char *why) {
    int64_t count = 0;
    int32_t deepest = 0;
    for (int32_t v = 0; v < r->d.n; v++)
        if (is_reached(r, v)) {
            const int32_t level = (int32_t)ri_double(&r->d, v);
            deepest = level > deepest ? level : deepest;
        }
    for (int32_t level = 0; level <= deepest; level++)
        for (int32_t v = 0; v < r->d.n; v++)
            if (is_reached(r, v) && (int32_t)ri_double(&r->d, v) == level && r->order[count++] != v)
                return WRONG("place %lld of the order has vertex %d, not %d", (long long)count - 1,
                             r->order[count - 1], v);
    return true;
}

bool so_is_right(const so_row *r, char why[512]) {
    forest f = {.r = r};
    const bool parents = r->parent;
    if (parents && !r->value && !check_parents(&f, why))
        return false;
    if (r->value) {
        for (int32_t v = 0; v < r->d.n; v++) /* roughly first: parents are judged by values */
            if (!check_value(r, v, v, r->d.n * r->d.largest, why))
                return false;
        if (parents && !check_parents(&f, why))
            return false;
        for (int32_t v = 0; parents && v < r->d.n; v++)
            if (!check_value(r, v, v, f.state[v] == 3 ? r->d.n * r->d.largest : f.size[v], why))
                return false;
    }
    if (r->parent && r->rule != FR_PARENT_ANY && !so_rule_holds(r, why))
        return false;
    if (r->origin && !so_origins_are_right(r, why))
        return false;
    return !r->order || check_order(r, why);
}

bool so_columns_are_right(const so_row *r, const int32_t *columns, int64_t count, char why[512]) {
    for (int64_t i = 0; i < count; i++) {
        const int32_t v = columns[i];
        if (r->value && !check_value(r, i, v, r->d.n * r->d.largest, why))
            return false;
        if (!r->parent || r->d.kind[v] == RI_MINUS || r->kept[v] == SO_EITHER)
            continue;
        const int32_t p = r->parent[i];
        const bool reached = r->d.kind[v] == RI_FINITE && r->kept[v] == SO_KEPT;
        if (!reached ? p != -1 : p < 0 || p >= r->d.n)
            return WRONG("column %lld, vertex %d, has the parent %d", (long long)i, v, p);
        bool tight = !reached || (p == v && v == r->sources[0]);
        for (int64_t e = 0; e < r->view->m && !tight; e++)
            tight = r->view->arcs[e].from == p && r->view->arcs[e].to == v &&
                    (!ri_is_exact(&r->d, r->type) || ri_compare_edge(&r->d, r->view, e) == 0);
        if (!tight)
            return WRONG("column %lld, vertex %d, has the parent %d, which is on no shortest path",
                         (long long)i, v, p);
    }
    return true;
}

/* ---- cycles -------------------------------------------------------------------------------------------------- */

bool so_cycle_is_right(const so_row *r, const int32_t *cycle, int32_t length, double weight,
                       char why[512]) {
    ri_edge *chain = ri_alloc(r->c, (size_t)(length > 0 ? length : 1) * sizeof *chain);
    if (!cycle || length < 1 || length > r->d.n)
        return WRONG("a cycle of %d vertices", length);
    for (int32_t i = 0; i < length; i++) {
        const int32_t u = cycle[i], v = cycle[(i + 1) % length];
        bool any = false;
        if (u < 0 || u >= r->d.n || r->d.kind[u] != RI_MINUS)
            return WRONG("vertex %d of the cycle is on none that is reached", u);
        for (int64_t e = 0; e < r->view->m; e++) {
            const ri_edge *arc = &r->view->arcs[e];
            if (arc->from != u || arc->to != v)
                continue;
            const bool lighter = ri_is_real(r->view->type) ? arc->weight.f < chain[i].weight.f
                                                           : arc->weight.i < chain[i].weight.i;
            if (!any || lighter)
                chain[i] = (ri_edge){i, i + 1, arc->weight};
            any = true;
        }
        if (!any)
            return WRONG("the cycle has no edge %d -> %d", u, v);
    }
    const ri_arcs path = {.n = length + 1, .m = length, .arcs = chain, .type = r->view->type};
    const int32_t zero = 0;
    ri_distances d = ri_shortest(r->c, &path, &zero, 1);
    if (ri_compare_value(&d, length, FR_TYPE_I32, &zero) >= 0)
        return WRONG("the cycle has the weight %.17g", ri_double(&d, length));
    const double exact = ri_double(&d, length);
    const double slack = ri_is_real(r->view->type) ? 2 * length * DBL_EPSILON * d.size[length] : 0;
    return (weight < 0 && (weight == exact || fabs(weight - exact) <= slack)) ||
           WRONG("cycle_weight is %.17g, not %.17g", weight, exact);
}
