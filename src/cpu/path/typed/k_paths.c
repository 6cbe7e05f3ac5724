/* The k shortest loopless paths.
 *
 * Source: J. Y. Yen: Finding the k shortest loopless paths in a network, Management Science 17,
 *   1971; E. L. Lawler: A procedure for computing the k best solutions to discrete optimization
 *   problems, Management Science 18, 1972: a path deviates only at or after the vertex where it
 *   deviated itself, so no candidate is found twice.
 * Idea: one backward search from the target computes exact distances in the whole graph. These are
 *   lower bounds when vertices and edges are forbidden, so each search for a deviation is an A*
 *   search that settles few vertices outside its path.
 * Differs: a path is its sequence of vertices; of parallel edges only the lightest counts.
 */
#include "cpu/path/typed/search.h"

#include <string.h>

typedef struct candidate {
    dist_t dist;
    int32_t length, deviation; /* vertices; index of the vertex where it left an earlier path */
    int32_t vertices[];
} candidate;

typedef struct list {
    candidate **item;
    int64_t count, capacity;
} list;

typedef struct ranking {
    const fr_router *router;
    fri_route_space *space;
    fri_goal goal;
    list found, waiting;
    int32_t *excluded; /* next vertices of found paths with the same first vertices */
    int64_t excluded_capacity;
} ranking;

/* The array with room for more than `count` entries; NULL: not enough memory. */
static void *with_room(fr_ctx *ctx, void *array, int64_t count, int64_t *capacity, size_t size) {
    if (count < *capacity)
        return array;
    void *grown = fri_grow(ctx, array, fri_bytes(2 * *capacity + 16, size));
    if (grown)
        *capacity = 2 * *capacity + 16;
    return grown;
}

static fr_status append(fr_ctx *ctx, list *l, candidate *c) {
    candidate **item = with_room(ctx, l->item, l->count, &l->capacity, sizeof *item);
    if (!item)
        return FR_NOMEM;
    l->item = item;
    l->item[l->count++] = c;
    return FR_OK;
}

static candidate *take_shortest(list *l) {
    int64_t best = 0;
    for (int64_t i = 1; i < l->count; i++)
        if (l->item[i]->dist < l->item[best]->dist)
            best = i;
    candidate *c = l->item[best];
    l->item[best] = l->item[--l->count];
    return c;
}

/* Stores the path that side 0 has found: `head` vertices of `base`, then the vertices of the search. */
static fr_status keep(ranking *k, const candidate *base, int32_t head) {
    const fri_search *s = &k->space->side[0];
    int32_t first = base ? base->vertices[head] : -1, t = k->goal.target, tail = 1;
    for (int32_t v = t; label_of(s, v)->parent != v; v = label_of(s, v)->parent)
        tail++;
    size_t bytes = sizeof(candidate) + fri_bytes((int64_t)head + tail, sizeof(int32_t));
    candidate *c = fri_alloc(k->router->ctx, bytes);
    if (!c)
        return FR_NOMEM;
    c->dist = label_of(s, t)->dist;
    c->length = head + tail;
    c->deviation = first < 0 ? 0 : head;
    if (head)
        memcpy(c->vertices, base->vertices, (size_t)head * sizeof(int32_t));
    int32_t v = t;
    for (int32_t i = c->length; i-- > head; v = label_of(s, v)->parent)
        c->vertices[i] = v;
    fr_status status = append(k->router->ctx, &k->waiting, c);
    if (status)
        fri_free(c);
    return status;
}

/* Sets `excluded` to the next vertex of each found path that begins with base[0 .. index]; returns
 * their number. */
static int64_t collect_excluded(ranking *k, const candidate *base, int32_t index) {
    int64_t count = 0;
    size_t bytes = ((size_t)index + 1) * sizeof(int32_t);
    for (int64_t i = 0; i < k->found.count; i++) {
        const candidate *c = k->found.item[i];
        if (c->length > index + 1 && !memcmp(c->vertices, base->vertices, bytes))
            k->excluded[count++] = c->vertices[index + 1];
    }
    return count;
}

static bool is_excluded(const ranking *k, int64_t count, int32_t v) {
    for (int64_t i = 0; i < count; i++)
        if (k->excluded[i] == v)
            return true;
    return false;
}

/* Starts side 0 at base[index] with distance `sum`; its first step avoids excluded vertices. */
static void start(ranking *k, const candidate *base, int32_t index, dist_t sum) {
    fri_search *s = &k->space->side[0];
    const fr_csr *csr = &k->router->csr[0];
    int64_t count = collect_excluded(k, base, index);
    int32_t u = base->vertices[index];
    for (int32_t i = 0; i < index; i++)
        fri_search_exclude(s, base->vertices[i]);
    if (!fri_search_improve(s, &k->goal, u, sum, u))
        return;
    fri_search_pop(s);
    for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
        if (!is_excluded(k, count, csr->targets[e]))
            fri_search_improve(s, &k->goal, csr->targets[e],
                               saturated_sum(sum, (dist_t)weight_at(csr, e)), u);
}

/* Finds the best deviation of `base` at each vertex, beginning where `base` itself deviated. */
static fr_status deviate(ranking *k, const candidate *base) {
    const fri_search *s = &k->space->side[0];
    fr_status status = FR_OK;
    dist_t sum = 0;
    for (int32_t i = 0; !status && i + 1 < base->length; i++) {
        if (i >= base->deviation) {
            start(k, base, i, sum);
            status = fri_route_toward(k->router, k->space, &k->goal);
            if (!status && label_of(s, k->goal.target)->place == PLACE_SETTLED)
                status = keep(k, base, i);
            fri_search_clear(&k->space->side[0]);
        }
        sum +=
            (dist_t)fri_edge_weight(&k->router->csr[0], base->vertices[i], base->vertices[i + 1]);
    }
    return status;
}

static fr_status first_path(ranking *k, int32_t source) {
    fri_search *s = &k->space->side[0];
    fri_search_improve(s, &k->goal, source, 0, source);
    fr_status status = fri_route_toward(k->router, k->space, &k->goal);
    if (!status && label_of(s, k->goal.target)->place == PLACE_SETTLED)
        status = keep(k, NULL, 0);
    fri_search_clear(s);
    return status;
}

/* Moves the shortest candidate to the found paths and reports it. */
static fr_status accept(ranking *k, fr_path_fn fn, void *user) {
    int32_t *excluded = with_room(k->router->ctx, k->excluded, k->found.count,
                                  &k->excluded_capacity, sizeof *excluded);
    if (!excluded)
        return FR_NOMEM;
    k->excluded = excluded;
    candidate *c = take_shortest(&k->waiting);
    fr_status status = c->dist == DIST_INF ? FR_OVERFLOW : append(k->router->ctx, &k->found, c);
    if (status) {
        fri_free(c);
        return status;
    }
    if (fn(user, k->found.count - 1, &c->dist, c->vertices, c->length))
        return fri_fail(k->router->ctx, FR_CANCELLED, "cancelled by the function for paths");
    return FR_OK;
}

static void list_free(list *l) {
    for (int64_t i = 0; i < l->count; i++)
        fri_free(l->item[i]);
    fri_free(l->item);
}

FRI_ROUTE_FUNCTION(fr_status, fri_route_k_paths,
                   (const fr_router *r, fri_route_space *space, const fri_route *route,
                    int64_t count, fr_path_fn fn, void *user),
                   (r, space, route, count, fn, user)) {
    ranking k = {.router = r, .space = space};
    k.goal = (fri_goal){
        .router = r, .kind = GOAL_EXACT, .target = route->target, .exact = &space->side[1]};
    fr_status status = fri_route_tree(r, space, 1, route->target, NULL, 0);
    if (!status)
        status = first_path(&k, route->source);
    while (!status && k.waiting.count && k.found.count < count) {
        status = accept(&k, fn, user);
        if (!status && k.found.count < count)
            status = deviate(&k, k.found.item[k.found.count - 1]);
    }
    fri_search_clear(&space->side[1]);
    list_free(&k.found);
    list_free(&k.waiting);
    fri_free(k.excluded);
    return status;
}
