/* Point-to-point queries: bidirectional Dijkstra, or A* with the router's lower bounds.
 *
 * Source: I. Pohl: Bi-directional search, Machine Intelligence 6, 1971 (stops when the sum of both
 *   heaps' minima is at least the best path); P. E. Hart, N. J. Nilsson, B. Raphael: A formal basis
 *   for the heuristic determination of minimum cost paths, IEEE Trans. SSC 4, 1968; A. V. Goldberg,
 *   C. Harrelson: Computing the shortest path: A* search meets graph theory, SODA 2005 (ALT).
 * Idea: a query settles only part of the graph. Bidirectional (both_ways): the side whose heap has
 *   the smaller minimum continues; without weights two breadth-first searches, of which the one with the
 *   smaller frontier continues by a level. A* settles vertices by distance plus lower bound until it
 *   settles the target, and prunes a vertex with an infinite bound, from which there is no path to
 *   the target (fri_search_improve); goal.c computes the bounds.
 * Differs: a settled vertex whose distance falls is settled again, so a bound need only be
 *   admissible. Real distances are summed along the path found, from its source. */
#include "cpu/path/typed/search.h"

#include "base/bitmap.h"

static heap_key head(const fri_search *s) {
    return s->levels ? (heap_key)label_of(s, s->touched[s->taken])->dist
                     : ((const heap_node *)s->heap)[0].key;
}

/* Begins a search without bounds: a queue serves where the graph has no weights. */
static void begin(const fr_router *r, fri_search *s, int32_t root) {
    s->levels = !r->csr[0].weights;
    fri_search_improve(s, NULL, root, 0, root);
}

typedef struct meeting {
    int32_t vertex; /* -1: none yet */
    dist_t dist;
} meeting;

/* v has been reached with this sum; the other side may have reached it, too. */
static inline void meet(const fri_search *other, int32_t v, dist_t sum, meeting *best) {
    const label_t *l = label_of(other, v);
    if (l->place == PLACE_NONE)
        return;
    const dist_t all = saturated_sum(sum, l->dist);
    if (best->vertex < 0 || all < best->dist)
        *best = (meeting){v, all};
}

/* Settles the first vertex in the heap of one side. FR_CANCELLED. */
static fr_status step(const fr_router *r, fri_route_space *space, int side, meeting *best) {
    fri_search *s = &space->side[side];
    const fr_csr *csr = &r->csr[side];
    int32_t u = fri_search_pop(s);
    if (space_stop(space, csr, u))
        return FR_CANCELLED;
    dist_t from = label_of(s, u)->dist;
    for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
        int32_t v = csr->targets[e];
        dist_t sum = saturated_sum(from, (dist_t)weight_at(csr, e));
        if (fri_search_improve(s, NULL, v, sum, u))
            meet(&space->side[!side], v, sum, best);
    }
    return FR_OK;
}

/* Settles the first level in the queue of one side, or a part if no path is shorter than the best one. To
 * choose the side for each vertex takes longer than its edges do. FR_CANCELLED. */
static fr_status step_level(const fr_router *r, fri_route_space *space, int side, meeting *best) {
    fri_search *s = &space->side[side], *other = &space->side[!side];
    const fr_csr *csr = &r->csr[side];
    const int32_t end = s->touched_count;
    const dist_t sum = (dist_t)(head(s) + 1), shortest = (dist_t)(sum + (dist_t)head(other));
    while (s->taken < end && (best->vertex < 0 || shortest < best->dist)) {
        const int32_t u = search_take(s);
        if (space_stop(space, csr, u))
            return FR_CANCELLED;
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            const int32_t v = csr->targets[e];
            if (label_of(s, v)->place != PLACE_NONE)
                continue;
            search_append(s, v, sum, u);
            meet(other, v, sum, best);
        }
    }
    return FR_OK;
}

/* Which side continues: the one with the smaller minimum, or with the smaller frontier. */
static int second(const fri_search *f, const fri_search *b) {
    return f->levels ? f->heap_count > b->heap_count : head(f) > head(b);
}

static fr_status both_ways(const fr_router *r, fri_route_space *space, int32_t s, int32_t t,
                           meeting *best) {
    fri_search *f = &space->side[0], *b = &space->side[1];
    *best = s == t ? (meeting){s, 0} : (meeting){-1, DIST_INF};
    begin(r, f, s);
    begin(r, b, t);
    /* all paths of up to head(f) + head(b) edges have met: both ends label a vertex of them */
    const heap_key next = f->levels ? 1 : 0;
    fr_status status = FR_OK;
    while (!status && f->heap_count && b->heap_count &&
           (best->vertex < 0 || head(f) + head(b) + next < (heap_key)best->dist))
        status = (f->levels ? step_level : step)(r, space, second(f, b), best);
    return status;
}

fr_status fri_route_toward(const fr_router *r, fri_route_space *space, const fri_goal *goal) {
    fri_search *s = &space->side[0];
    while (s->heap_count) {
        int32_t v = fri_search_pop(s);
        if (v == goal->target)
            return FR_OK;
        if (space_stop(space, &r->csr[0], v))
            return FR_CANCELLED;
        fri_route_expand(s, &r->csr[0], goal, v);
    }
    return FR_OK;
}

static fr_status goal_directed(const fr_router *r, fri_route_space *space, int32_t s, int32_t t,
                               meeting *best) {
    fri_goal goal = fri_goal_make(r, s, t);
    fri_search_improve(&space->side[0], &goal, s, 0, s);
    fr_status status = fri_route_toward(r, space, &goal);
    const label_t *l = label_of(&space->side[0], t);
    *best = l->place == PLACE_SETTLED ? (meeting){t, l->dist} : (meeting){-1, DIST_INF};
    return status;
}

/* The vertices from the source to the meeting, then to the target. */
static void write_path(const fri_route_space *space, int32_t meeting_vertex, fri_route *route) {
    const fri_search *f = &space->side[0], *b = &space->side[1];
    int32_t count = 1;
    for (int32_t v = meeting_vertex; v != route->source; v = label_of(f, v)->parent)
        count++;
    int32_t v = meeting_vertex;
    for (int32_t i = count; i-- > 0; v = label_of(f, v)->parent)
        if (route->path)
            route->path[i] = v;
    for (v = meeting_vertex; v != route->target;) {
        v = label_of(b, v)->parent;
        if (route->path)
            route->path[count] = v;
        count++;
    }
    route->length = count;
}

/* The sum from the source on, as a search from there computes it. */
static dist_t sum_along(const fr_router *r, const fri_route_space *space, int32_t v,
                        int32_t target) {
    dist_t sum = label_of(&space->side[0], v)->dist;
    while (v != target) {
        int32_t next = label_of(&space->side[1], v)->parent;
        sum = saturated_sum(sum, (dist_t)fri_edge_weight(&r->csr[0], v, next));
        v = next;
    }
    return sum;
}

FRI_ROUTE_FUNCTION(fr_status, fri_route_find,
                   (const fr_router *r, fri_route_space *space, fri_route *route),
                   (r, space, route)) {
    meeting best = {.vertex = -1};
    bool goal = r->algorithm != FR_ROUTE_BIDIRECTIONAL;
    fr_status status =
        (goal ? goal_directed : both_ways)(r, space, route->source, route->target, &best);
    route->length = 0;
    dist_t dist = DIST_INF;
    if (!status && best.vertex >= 0) {
        dist = sum_along(r, space, best.vertex, route->target);
        if (dist == DIST_INF)
            status = FR_OVERFLOW;
        else
            write_path(space, best.vertex, route);
    }
    *(dist_t *)route->dist = dist;
    fri_search_clear(&space->side[0]);
    fri_search_clear(&space->side[1]);
    return status;
}

FRI_ROUTE_FUNCTION(fr_status, fri_route_tree,
                   (const fr_router *r, fri_route_space *space, int side, int32_t root,
                    const uint64_t *marks, int64_t wanted),
                   (r, space, side, root, marks, wanted)) {
    fri_search *s = &space->side[side];
    begin(r, s, root);
    while (s->heap_count) {
        int32_t v = fri_search_pop(s);
        if (space_stop(space, &r->csr[side], v))
            return FR_CANCELLED;
        if (marks && fri_bit_get(marks, v) && --wanted == 0)
            return FR_OK;
        fri_route_expand(s, &r->csr[side], NULL, v);
    }
    return FR_OK;
}

FRI_ROUTE_FUNCTION(fr_status, fri_route_take,
                   (const fr_router *r, fri_route_space *space, int side, const int32_t *vertices,
                    int64_t count, void *dist, int64_t stride),
                   (r, space, side, vertices, count, dist, stride)) {
    (void)r;
    fri_search *s = &space->side[side];
    dist_t *out = dist;
    bool fits = true;
    for (int64_t i = 0; i < count; i++) {
        const label_t *l = label_of(s, vertices ? vertices[i] : (int32_t)i);
        out[i * stride] = l->place == PLACE_NONE ? DIST_INF : l->dist;
        fits &= l->place == PLACE_NONE || l->dist < DIST_INF;
    }
    fri_search_clear(s);
    return fits ? FR_OK : FR_OVERFLOW;
}

FRI_ROUTE_FUNCTION(bool, fri_route_has_negative, (const fr_router *r), (r)) {
    const fr_csr *csr = &r->csr[0];
    bool negative = false;
    if (csr->weights)
        for (int64_t e = 0; e < csr->m; e++)
            negative |= weight_at(csr, e) < 0;
    return negative;
}
