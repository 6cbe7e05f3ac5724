/* Lower bounds of the distance to a target: from coordinates, from landmarks, or from an exact
 * search. */
#include "cpu/path/typed/search.h"

static double length_between(const fr_router *r, int32_t u, int32_t v) {
    double dx = r->x[u] - r->x[v], dy = r->y[u] - r->y[v], square = dx * dx + dy * dy;
    if (square > 1e-280)
        return sqrt(square);
    dx *= 0x1p600; /* smaller squares lose digits; hypot would need glibc 2.35 */
    dy *= 0x1p600;
    return sqrt(dx * dx + dy * dy) * 0x1p-600;
}

static dist_t from_coordinates(const fri_goal *g, int32_t v) {
    double bound = g->router->scale * length_between(g->router, v, g->target);
#if DIST_IS_INTEGER
    return bound < 0x1p62 ? (dist_t)bound : (dist_t)1 << 62;
#else
    return FRI_MIN(bound, LARGEST); /* infinity would say that there is no path */
#endif
}

/* The bound of d(v, t) from `far` = d(L, t) and `near` = d(L, v), or from d(v, L) and d(t, L). If
 * only `near` is finite there is no path from v to t, which would make `far` finite too. */
static dist_t difference(dist_t far, dist_t near, int32_t n) {
    if (near == DIST_INF)
        return 0;
    return far == DIST_INF ? DIST_INF : lower_difference(far, near, n);
}

static dist_t from_landmark(const fr_router *r, int32_t i, int32_t v, int32_t t) {
    int64_t k = r->landmark_count;
    const dist_t *from = r->landmark[0], *to = r->landmark[1] ? r->landmark[1] : from;
    int32_t n = r->csr[0].n;
    dist_t forward = difference(from[t * k + i], from[v * k + i], n);
    dist_t backward = difference(to[v * k + i], to[t * k + i], n);
    return FRI_MAX(forward, backward);
}

static dist_t from_landmarks(const fri_goal *g, int32_t v) {
    dist_t best = 0;
    for (int32_t i = 0; i < g->active_count; i++) {
        dist_t bound = from_landmark(g->router, g->active[i], v, g->target);
        best = FRI_MAX(best, bound);
    }
    return best;
}

static dist_t exactly(const fri_goal *g, int32_t v) {
    const label_t *l = label_of(g->exact, v);
    if (l->place == PLACE_NONE)
        return DIST_INF;
    dist_t bound = lower_difference(FRI_MIN(l->dist, LARGEST), 0, g->router->csr[0].n);
    return FRI_MAX(bound, 0);
}

dist_t fri_goal_bound(const fri_goal *g, int32_t v) {
    switch (g->kind) {
    case GOAL_COORDINATES: return from_coordinates(g, v);
    case GOAL_LANDMARKS: return from_landmarks(g, v);
    case GOAL_EXACT: return exactly(g, v);
    default: return 0;
    }
}

/* Keeps the landmarks with the largest bounds at the source, in descending order. */
static void choose_active(fri_goal *g, int32_t source) {
    dist_t bound[FRI_ACTIVE_LANDMARKS];
    for (int32_t i = 0; i < g->router->landmark_count; i++) {
        dist_t b = from_landmark(g->router, i, source, g->target);
        int32_t at =
            g->active_count < FRI_ACTIVE_LANDMARKS ? g->active_count++ : FRI_ACTIVE_LANDMARKS;
        for (; at > 0 && b > bound[at - 1]; at--)
            if (at < FRI_ACTIVE_LANDMARKS) {
                bound[at] = bound[at - 1];
                g->active[at] = g->active[at - 1];
            }
        if (at < FRI_ACTIVE_LANDMARKS) {
            bound[at] = b;
            g->active[at] = i;
        }
    }
}

fri_goal fri_goal_make(const fr_router *router, int32_t source, int32_t target) {
    fri_goal g = {.router = router, .target = target};
    if (router->algorithm == FR_ROUTE_ASTAR)
        g.kind = GOAL_COORDINATES;
    if (router->algorithm == FR_ROUTE_ALT) {
        g.kind = GOAL_LANDMARKS;
        choose_active(&g, source);
    }
    return g;
}

FRI_ROUTE_FUNCTION(double, fri_route_scale, (const fr_router *r), (r)) {
    const fr_csr *csr = &r->csr[0];
    double min_ratio = INFINITY;
#pragma omp parallel for schedule(FRI_DYNAMIC, 4096) num_threads(r->ctx->threads)                  \
    reduction(min                                                                                  \
              : min_ratio)
    for (int32_t u = 0; u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            double length = length_between(r, u, csr->targets[e]);
            if (length > 0)
                min_ratio = fmin(min_ratio, (double)weight_at(csr, e) / length);
        }
    if (min_ratio == INFINITY || min_ratio < 1e-280) /* a smaller one has lost digits */
        return 0;
    /* lengths, ratios and sums along a path are rounded */
    double kept = 1 - 1e-12 - (double)csr->n * 0x1p-50;
    return min_ratio * FRI_MAX(kept, 0);
}

FRI_ROUTE_FUNCTION(int32_t, fri_route_farthest, (const fr_router *r, int32_t columns),
                   (r, columns)) {
    const dist_t *from = r->landmark[0];
    int32_t best = -1;
    dist_t farthest = -1;
    for (int32_t v = 0; v < r->csr[0].n; v++) {
        dist_t nearest = DIST_INF;
        for (int32_t i = 0; i < columns; i++)
            nearest = FRI_MIN(nearest, from[v * (int64_t)r->landmark_count + i]);
        if (nearest != DIST_INF && nearest > farthest) {
            farthest = nearest;
            best = v;
        }
    }
    return best;
}
