/* Checks distances and parents of shortest paths.
 *
 * Source: the optimality conditions of L. R. Ford and R. Bellman (Cormen et al.: Introduction to
 *   Algorithms, section 24.5), with the forest checked for cycles.
 * Rules: let `cap` be the maximum distance that had to be kept (below).
 *     1  a source has a distance of at most 0; a root is a source at 0 and its own parent; any
 *        other reached vertex has a parent with an edge to it that accounts for its distance
 *        exactly (of parallel edges the minimum); an unreached one has parent -1; no distance
 *        exceeds cap.
 *     2  the parents form a forest: from each reached vertex they lead to a root.
 *     3  for every edge u -> v with u reached and c = dist[u] + weight <= cap: dist[v] <= c.
 * Why they allow the correct answer only: by 1 and 2 dist[v] is the length of a path from a source,
 * so at least the true distance. By 3, along a shortest path to v, no distance exceeds the length
 * of the path so far, as long as that is within cap; without negative weights this holds along the
 * whole path if v is within cap. Rule 2 is violated by zero-weight cycles: their vertices account
 * for each other at any distance. It follows if each parent is closer than its child, and is only
 * checked otherwise.
 * Limits: cap is max_distance if one is set; if all targets are reached it is also at most the
 *   maximum of their distances. With negative weights a path may exceed the cap and return below it, which
 *   the kept distances do not show: the missing ones are computed (verify/columns.c).
 * Integers are exact: sums are computed in 128 bits, since 64 might overflow.
 * Floats: sums may have been computed in another order (Floyd-Warshall, Johnson), so the length of
 *   each path along the parents is summed again in double, together with the sum S of absolute
 *   weights and the number of edges k. A candidate distance may differ from that length by t(k) S,
 *   t(k) = min(1e-4, (k + 4) g), g = 2^-22 for float and 1e-12 for double; rule 3 allows t(k + 1)
 *   (S + |weight|) of u and t(k) S of v.
 * Without parents they are computed first (verify/tight_forest.c; for floats, if those do not hold,
 * verify/paths.c). Work: n + m, and n searches in rows.
 * Minus infinities: see verify/neg_inf.c; they have no edge to the rest, where the rules above
 *   hold.
 */
#include "verify/verify.h"

#include <float.h>
#include <math.h>

enum {
    RULE_HOLDS,
    DIST_RANGE,
    SOURCE_DIST,
    TOO_FAR,
    ROOT_PARENT,
    UNREACHED_PARENT,
    NO_PARENT,
    BAD_PARENT,
    OWN_PARENT,
    PARENT_UNREACHED,
    PARENT_EDGE,
    PARENT_TIGHT,
    PATH_LENGTH
};

static const char *const messages[] = {
    [DIST_RANGE] = "this is not a valid distance",
    [SOURCE_DIST] = "a source must have distance 0",
    [TOO_FAR] = "the distance exceeds the limit of the search",
    [ROOT_PARENT] = "a source must be its own parent",
    [UNREACHED_PARENT] = "an unreached vertex must have parent -1",
    [NO_PARENT] = "a reached vertex must have a parent",
    [BAD_PARENT] = "the parent is not a vertex",
    [OWN_PARENT] = "only a source is its own parent",
    [PARENT_UNREACHED] = "the parent is unreached",
    [PARENT_EDGE] = "the parent has no edge to it",
    [PARENT_TIGHT] = "the parent's distance plus the edge's weight is not the distance",
    [PATH_LENGTH] = "the path along the parents has another length",
};

/* The rules on the distance alone. */
static int dist_rule(const fri_candidate *c, int32_t v) {
    bool source = fri_bit_get(c->source_map, v);
    if (!fri_candidate_reached(c, v))
        return source && !fri_candidate_is_neg_inf(c, v) ? SOURCE_DIST : RULE_HOLDS;
    if (c->exact) {
        int64_t d = fri_candidate_int(c, v);
        if (d == FR_NEG_INF_I64 || (d < 0 && !c->negative))
            return DIST_RANGE;
        if (source && d > 0)
            return SOURCE_DIST;
        return d > c->cap ? TOO_FAR : RULE_HOLDS;
    }
    double d = fri_candidate_float(c, v);
    if (!isfinite(d) || (d < 0 && !c->negative))
        return DIST_RANGE;
    if (source && d > 0)
        return SOURCE_DIST;
    return d > c->cap_float ? TOO_FAR : RULE_HOLDS;
}

static int parent_rule(const fri_candidate *c, int32_t v) {
    int32_t p = c->parent[v];
    if (!fri_candidate_reached(c, v))
        return p == -1 ? RULE_HOLDS : UNREACHED_PARENT;
    if (fri_candidate_is_root(c, v))
        return p == v ? RULE_HOLDS : ROOT_PARENT;
    if (p < 0 || p >= c->csr.n)
        return p == -1 ? NO_PARENT : BAD_PARENT;
    if (p == v) /* a self-loop of weight 0 would be tight */
        return OWN_PARENT;
    if (!fri_candidate_reached(c, p))
        return PARENT_UNREACHED;
    int64_t e = fri_verify_edge(&c->csr, p, v);
    if (e < 0)
        return PARENT_EDGE;
    if (c->length) /* for add_up, which turns it into the length of the path */
        c->length[v] = fri_candidate_weight(c, e);
    return !c->exact || fri_candidate_int(c, v) == fri_candidate_along(c, p, e) ? RULE_HOLDS
                                                                                : PARENT_TIGHT;
}

static int length_rule(const fri_candidate *c, int32_t v) {
    if (!fri_candidate_reached(c, v))
        return RULE_HOLDS;
    double difference = fabs(fri_candidate_float(c, v) - c->length[v]);
    return difference <= fri_candidate_tolerance(c, c->hops[v]) * c->magnitude[v] ? RULE_HOLDS
                                                                                  : PATH_LENGTH;
}

/* The first broken rule << 32 | the minimum vertex that breaks it; INT64_MAX: none is broken. */
static int64_t first_broken(const fri_candidate *c,
                            int (*rule_of)(const fri_candidate *, int32_t)) {
    const int threads = fri_threads_for(c->ctx, c->ctx->threads, 4 * (int64_t)c->csr.n);
    int64_t first = INT64_MAX;
#pragma omp parallel for reduction(min : first) schedule(FRI_DYNAMIC, 4096) num_threads(threads)
    for (int32_t v = 0; v < c->csr.n; v++) {
        int rule = rule_of(c, v);
        if (rule)
            first = FRI_MIN(first, (int64_t)rule << 32 | v);
    }
    return first;
}

static fr_status each_vertex(const fri_candidate *c,
                             int (*rule_of)(const fri_candidate *, int32_t)) {
    int64_t first = first_broken(c, rule_of);
    if (first == INT64_MAX)
        return FR_OK;
    return fri_verify_fail(c, (int32_t)(first & INT32_MAX), messages[first >> 32]);
}

/* ---- the forest -------------------------------------------------------------------------- */

/* Called on every vertex of the forest; length[] initially contains the length of the edge from its
 * parent. Floats only. */
static void add_up(void *arg, int32_t v, int32_t p) {
    const fri_candidate *c = arg;
    if (!c->length)
        return;
    if (v == p) {
        c->length[v] = c->magnitude[v] = 0;
        c->hops[v] = 0;
        return;
    }
    double w = c->length[v];
    c->magnitude[v] = FRI_MIN(c->magnitude[p] + fabs(w), DBL_MAX);
    c->length[v] = c->length[p] + w;
    c->hops[v] = c->hops[p] + 1;
}

/* True if every parent is closer than its child, so that there can be no cycle. */
static bool parents_fall(const fri_candidate *c) {
    bool fall = true;
    const int threads = fri_threads_for(c->ctx, c->ctx->threads, 4 * (int64_t)c->csr.n);
#pragma omp parallel for reduction(&& : fall) num_threads(threads)
    for (int32_t v = 0; v < c->csr.n; v++) {
        int32_t p = c->parent[v];
        if (p >= 0 && p != v && fri_candidate_int(c, p) >= fri_candidate_int(c, v))
            fall = false;
    }
    return fall;
}

static fr_status check_forest(fri_candidate *c) {
    if (c->exact && parents_fall(c))
        return FR_OK;
    int32_t detached = -1;
    fr_status status = fri_verify_walk(c->ctx, c->csr.n, c->parent, add_up, c, &detached);
    if (!status && detached >= 0)
        status = fri_verify_fail(c, detached, "the chain of parents does not end at a source");
    return status || c->exact ? status : each_vertex(c, length_rule);
}

/* Whether the checker's own parents, found edge by edge, account for all distances. Records no
 * message. */
static fr_status own_forest_holds(fri_candidate *c, int32_t lost, bool *holds) {
    *holds = lost < 0 && first_broken(c, parent_rule) == INT64_MAX;
    int32_t detached = -1;
    fr_status status = FR_OK;
    if (*holds)
        status = fri_verify_walk(c->ctx, c->csr.n, c->parent, add_up, c, &detached);
    *holds = *holds && !status && detached < 0 && first_broken(c, length_rule) == INT64_MAX;
    return status;
}

/* For an answer without parents: computes the checker's own. *holds: they already satisfy all
 * rules; otherwise they are checked like a candidate's parents. */
static fr_status find_parents(fri_candidate *c, int32_t *own_parent, bool *holds) {
    int32_t lost = -1;
    *holds = false;
    fr_status status = fri_verify_tight_forest(c, own_parent, &lost);
    c->parent = own_parent;
    if (!status && !c->exact) {
        status = own_forest_holds(c, lost, holds);
        if (!status && !*holds)
            status = fri_verify_paths(c, own_parent, &lost);
    }
    if (status || lost < 0)
        return status;
    c->parent = NULL;
    return fri_verify_fail(c, lost, "no path from a source has this length");
}

/* ---- the edges --------------------------------------------------------------------------- */

static bool edge_broken(const fri_candidate *c, int32_t u, int64_t e, int32_t v) {
    if (c->exact) {
        __int128 candidate = fri_candidate_along(c, u, e), claimed = fri_candidate_int(c, v);
        return (claimed == FRI_UNREACHED || claimed > candidate) && candidate <= c->cap &&
               !fri_candidate_is_neg_inf(c, v);
    }
    if (fri_candidate_is_neg_inf(c, v))
        return false;
    double w = fri_candidate_weight(c, e), candidate = fri_candidate_float(c, u) + w;
    double slack =
        fri_candidate_tolerance(c, c->hops[u] + 1) * FRI_MIN(c->magnitude[u] + fabs(w), DBL_MAX);
    bool reached = fri_candidate_reached(c, v);
    if (reached)
        slack += fri_candidate_tolerance(c, c->hops[v]) * c->magnitude[v];
    return candidate + slack <= c->cap_float &&
           (!reached || fri_candidate_float(c, v) > candidate + slack);
}

/* Without negative weights a tight edge from a closer vertex always gives a valid parent. */
static bool parent_not_min(const fri_candidate *c, int32_t u, int64_t e, int32_t v) {
    return fri_candidate_weight_int(c, e) > 0 && fri_candidate_is_tight(c, u, e, v) &&
           u < c->parent[v];
}

static bool parent_not_nearest(const fri_candidate *c, int32_t u, int64_t e, int32_t v) {
    int32_t parent = c->parent[v];
    if (fri_candidate_weight_int(c, e) <= 0 || !fri_candidate_is_tight(c, u, e, v))
        return false;
    int64_t near = fri_candidate_int(c, u), known = fri_candidate_int(c, parent);
    return parent != v &&
           (near < known || (near == known && fri_candidate_int(c, v) > known && u < parent));
}

/* A cheap sufficient condition for rule 3 in both directions; false is inconclusive. */
static inline bool pair_holds(const fri_candidate *c, int32_t u, int64_t e, int32_t v) {
    if (c->exact) {
        int64_t a = fri_candidate_int(c, u), b = fri_candidate_int(c, v),
                w = fri_candidate_weight_int(c, e);
        uint64_t gap = a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
        return a != FRI_UNREACHED && b != FRI_UNREACHED && w >= 0 && gap <= (uint64_t)w;
    }
    double a = fri_candidate_float(c, u), b = fri_candidate_float(c, v),
           w = fri_candidate_weight(c, e);
    return a + w >= b && b + w >= a;
}

/* Rule 3 on half of a symmetric graph's edges: true if it holds everywhere. */
static bool edges_hold(const fri_candidate *c, fri_pace *pace) {
    const int threads = fri_threads_for(c->ctx, c->ctx->threads, 2 * (c->csr.n + c->csr.m));
    bool broken = false;
#pragma omp parallel for reduction(|| : broken) schedule(FRI_DYNAMIC, 1024) num_threads(threads)
    for (int32_t u = 0; u < c->csr.n; u++) {
        if (FRI_PACE_STOP_LOOP(pace, c->csr.offsets[u + 1] - c->csr.offsets[u] + 1, u))
            continue;
        for (int64_t e = c->csr.offsets[u]; e < c->csr.offsets[u + 1]; e++) {
            int32_t v = c->csr.targets[e];
            if (v > u) /* rows are sorted */
                break;
            if (!pair_holds(c, u, e, v))
                broken |= (fri_candidate_reached(c, u) && edge_broken(c, u, e, v)) ||
                          (fri_candidate_reached(c, v) && edge_broken(c, v, e, u));
        }
    }
    return !broken;
}

static fr_status fail_edge(const fri_candidate *c, int32_t u, int64_t e) {
    int32_t v = c->csr.targets[e];
    fri_label from = fri_verify_label(c->graph, u), to = fri_verify_label(c->graph, v);
    const char *rule = fri_candidate_reached(c, v) ? "the distance is too large"
                                                   : "the vertex is marked as unreached";
    if (c->exact)
        return fri_fail(c->ctx, FR_VERIFY_FAILED, "vertex %s: %s, over edge %s -> %s it is %s",
                        to.text, rule, from.text, to.text,
                        fri_verify_sum(fri_candidate_along(c, u, e)).text);
    return fri_fail(c->ctx, FR_VERIFY_FAILED, "vertex %s: %s, over edge %s -> %s it is %.9g",
                    to.text, rule, from.text, to.text,
                    fri_candidate_float(c, u) + fri_candidate_weight(c, e));
}

static fr_status check_parent_rule(const fri_candidate *c, fri_pace *pace) {
    bool nearest = c->query->parent_rule == FR_PARENT_NEAREST;
    if (c->query->parent_rule == FR_PARENT_ANY)
        return FR_OK;
    int32_t u = 0;
    int64_t e = fri_verify_find_edge(c, nearest ? parent_not_nearest : parent_not_min, &u, pace);
    if (e < 0)
        return pace->status;
    int32_t v = c->csr.targets[e];
    return fri_fail(c->ctx, FR_VERIFY_FAILED, "vertex %s: parent %s is not the %s, %s is %s",
                    fri_verify_label(c->graph, v).text,
                    fri_verify_label(c->graph, c->parent[v]).text, nearest ? "nearest" : "minimum",
                    fri_verify_label(c->graph, u).text, nearest ? "nearer" : "smaller");
}

static fr_status check_edges(const fri_candidate *c, const int32_t *claimed_parent) {
    int32_t u = 0;
    fri_pace pace = fri_pace_begin(c->ctx, "checking", c->csr.n);
    bool hold = c->csr.symmetric && !c->marks_cycles && edges_hold(c, &pace);
    int64_t e = hold ? -1 : fri_verify_find_edge(c, edge_broken, &u, &pace);
    if (pace.status)
        return pace.status;
    if (e >= 0)
        return fail_edge(c, u, e);
    return claimed_parent && c->exact && !c->negative ? check_parent_rule(c, &pace) : FR_OK;
}

/* ---- all rules ----------------------------------------------------------------------------- */

static void set_cap(fri_candidate *c) {
    const fr_query *q = c->query;
    c->cap = fri_verify_cap(q);
    c->cap_float = fri_limits_distance(q) ? q->max_distance : c->own ? DBL_MAX : INFINITY;
    if (!q->target_count || c->negative) /* otherwise targets cut nothing off */
        return;
    int64_t farthest = 0;
    double farthest_float = 0;
    for (int64_t i = 0; i < q->target_count; i++) {
        int32_t t = q->targets[i];
        if (!fri_candidate_reached(c, t))
            return;
        if (c->exact)
            farthest = FRI_MAX(farthest, fri_candidate_int(c, t));
        else
            farthest_float = FRI_MAX(farthest_float, fri_candidate_float(c, t));
    }
    c->cap = FRI_MIN(c->cap, farthest);
    c->cap_float = FRI_MIN(c->cap_float, farthest_float);
}

static fr_status check(fri_candidate *c, int32_t *own_parent) {
    const int32_t *claimed = c->parent;
    bool holds = false;
    set_cap(c);
    fr_status status = each_vertex(c, dist_rule);
    if (!status && c->marks_cycles)
        status = fri_verify_neg_inf(c);
    if (!status && c->negative && fri_limits_distance(c->query))
        return fri_verify_within(c);
    if (!status && own_parent)
        status = find_parents(c, own_parent, &holds);
    if (!status && !holds)
        status = each_vertex(c, parent_rule);
    if (!status)
        status = fri_progress(c->ctx, "checking", 1, 2);
    if (!status && !holds)
        status = check_forest(c);
    return status ? status : check_edges(c, claimed);
}

/* For floats: sums the paths again, in one array if no weight is negative. Without parents:
 * computes the checker's own. */
static fr_status check_with_memory(fri_candidate *c) {
    int64_t n = c->csr.n;
    size_t sums = fri_bytes(n, sizeof(double)), ids = fri_bytes(n, sizeof(int32_t));
    int32_t *own_parent = NULL;
    double *absolute = NULL;
    bool enough = true;
    fri_verify_weights(c);
    if (!c->parent)
        enough = (own_parent = fri_alloc(c->ctx, ids));
    if (enough && !c->exact) {
        c->length = fri_alloc(c->ctx, sums);
        c->hops = c->length ? fri_alloc(c->ctx, ids) : NULL;
        absolute = c->hops && c->negative ? fri_alloc(c->ctx, sums) : NULL;
        c->magnitude = c->negative ? absolute : c->length;
        enough = c->hops && c->magnitude;
    }
    fr_status status = enough ? check(c, own_parent) : FR_NOMEM;
    fri_free(own_parent);
    fri_free(c->length);
    fri_free(absolute);
    fri_free(c->hops);
    return status;
}

static fr_status check_from_sources(fri_candidate *c) {
    uint64_t *source_map;
    fr_status status = fri_verify_sources(c->ctx, c->graph, c->query, &source_map);
    c->source_map = source_map;
    if (!status)
        status = check_with_memory(c);
    fri_free(source_map);
    return status;
}

/* Checks the distances on a graph without the closed vertices and edges of the query. */
static fr_status check_open(fr_ctx *ctx, const fr_graph *graph, const fr_query *query,
                            bool unit_weights, const void *dist, fr_type dist_type,
                            const int32_t *parent) {
    fri_candidate c = {.ctx = ctx,
                       .graph = graph,
                       .csr = graph->csr,
                       .query = query,
                       .dist = dist,
                       .dist_type = dist_type,
                       .parent = parent,
                       .marks_cycles = query->mark_negative_cycles,
                       .exact = dist_type == FR_TYPE_I32 || dist_type == FR_TYPE_I64};
    if (unit_weights)
        c.csr.weights = NULL;
    if (c.exact && c.csr.weights && c.csr.weight_type != FR_TYPE_I32 &&
        c.csr.weight_type != FR_TYPE_I64)
        return fri_fail(ctx, FR_INVALID, "distances of type %s cannot hold sums of %s weights",
                        fr_type_name(dist_type), fr_type_name(c.csr.weight_type));
    c.single = dist_type == FR_TYPE_F32;
    return check_from_sources(&c);
}

fr_status fri_verify_row(const fri_candidate *row, const fr_query *query) {
    fri_candidate c = {.ctx = row->ctx,
                       .graph = row->graph,
                       .csr = row->csr,
                       .query = query,
                       .dist = row->dist,
                       .dist_type = row->dist_type,
                       .parent = row->parent,
                       .marks_cycles = query->mark_negative_cycles,
                       .exact = row->exact,
                       .single = row->single,
                       .own = true};
    return check_from_sources(&c);
}

fr_status fr_verify_sssp(fr_ctx *ctx, const fr_graph *graph, const fr_query *query,
                         bool unit_weights, const void *dist, fr_type dist_type,
                         const int32_t *parent) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    fr_query own;
    fr_graph *filtered;
    fr_status status = FRI_SIZED_READ(ctx, fr_query, query, &own);
    if (status)
        return status;
    if (!graph || !dist || fr_type_size(dist_type) == 0)
        return fri_fail(ctx, FR_INVALID, "checking needs a graph and distances of a known type");
    status = fr_graph_check(ctx, graph); /* first: it may copy the rows to the host */
    if (status)
        return status;
    status = fri_verify_filter(ctx, &own, &graph, &filtered);
    if (!status)
        status = check_open(ctx, graph, &own, unit_weights, dist, dist_type, parent);
    fr_graph_free(filtered);
    return status;
}
