/* One search of typed/: labels, heap and lower bounds. Distances are int64 or double. */
#ifndef FRI_CPU_PATH_TYPED_SEARCH_H
#define FRI_CPU_PATH_TYPED_SEARCH_H

#include "cpu/path/router.h"
#include "cpu/typed.h"

#define fri_goal_make      FRI_TYPED(fri_goal_make)
#define fri_goal_bound     FRI_TYPED(fri_goal_bound)
#define fri_search_clear   FRI_TYPED(fri_search_clear)
#define fri_search_improve FRI_TYPED(fri_search_improve)
#define fri_search_pop     FRI_TYPED(fri_search_pop)
#define fri_search_exclude FRI_TYPED(fri_search_exclude)
#define fri_edge_weight    FRI_TYPED(fri_edge_weight)
#define fri_route_toward   FRI_TYPED(fri_route_toward)
#define fri_route_expand   FRI_TYPED(fri_route_expand)

/* Defines a function of a router, as FRI_TYPED_FUNCTION does. */
#define FRI_ROUTE_FUNCTION(result, name, parameters, arguments)                                    \
    FRI_TYPED_FUNCTION(FRI_WIDE_PAIRS, fri_wide_pair(r->csr[0].weight_type), result, name,         \
                       parameters, arguments)

#if DIST_IS_INTEGER
typedef uint64_t heap_key; /* the sum of a distance and a bound always fits */
#define LARGEST (DIST_INF - 1)
#else
typedef double heap_key;
#define LARGEST DBL_MAX
#endif

/* label_t.place: the index in the heap + 1, or one of these. */
enum { PLACE_NONE = 0, PLACE_SETTLED = -1, PLACE_EXCLUDED = -2 };

typedef struct label_t {
    dist_t dist; /* DIST_INF: reached, but no sum found so far fits */
    int32_t parent;
    int32_t place;
} label_t;

_Static_assert(sizeof(label_t) == FRI_LABEL_BYTES, "router.c allocates labels");

/* The parameters of the lower bound of the distance from a vertex to the target. */
typedef struct fri_goal {
    const fr_router *router;
    enum { GOAL_NONE, GOAL_COORDINATES, GOAL_LANDMARKS, GOAL_EXACT } kind;
    int32_t target;
    int32_t active[FRI_ACTIVE_LANDMARKS], active_count;
    const fri_search *exact; /* GOAL_EXACT: a full search from the target */
} fri_goal;

static inline label_t *label_of(const fri_search *s, int32_t v) {
    return (label_t *)s->label + 2 * (int64_t)v;
}

#define HEAP_PLACES               fri_search
#define HEAP_MOVED(places, v, at) (label_of(places, v)->place = (int32_t)(at) + 1)
#include "cpu/heap.h"
_Static_assert(sizeof(heap_node) == FRI_HEAP_NODE_BYTES, "router.c allocates heaps");

/* DIST_INF if the sum exceeds the type. Neither term is negative. */
static inline dist_t saturated_sum(dist_t a, dist_t b) {
#if DIST_IS_INTEGER
    return (dist_t)FRI_MIN((uint64_t)a + (uint64_t)b, (uint64_t)DIST_INF);
#else
    return a + b;
#endif
}

/* More than the relative error of a rounded sum of n terms. */
static inline double rounding_of_sums(int32_t n) { return (double)n * 0x1p-51; }

/* far - near, lowered by the error of rounded sums of up to n terms each. Integers are exact. */
static inline dist_t lower_difference(dist_t far, dist_t near, int32_t n) {
#if DIST_IS_INTEGER
    (void)n;
    return far - near;
#else
    return far - near - (far + near) * rounding_of_sums(n);
#endif
}

/* The lower bounds of the router's algorithm for a target. ALT uses the landmarks whose bounds
 * are largest at `source`. */
fri_goal fri_goal_make(const fr_router *router, int32_t source, int32_t target);
dist_t fri_goal_bound(const fri_goal *goal, int32_t v); /* DIST_INF: no path */

/* Labels v, which has no label, and puts it at the end of the queue. */
static inline void search_append(fri_search *s, int32_t v, dist_t dist, int32_t parent) {
    *label_of(s, v) = (label_t){dist, parent, PLACE_SETTLED};
    s->touched[s->touched_count++] = v;
    s->heap_count++;
}

/* The first vertex of the queue. */
static inline int32_t search_take(fri_search *s) {
    s->heap_count--;
    return s->touched[s->taken++];
}

void fri_search_clear(fri_search *s);
/* Lowers the distance of v. Returns false if `dist` is not lower, or if the bound is infinite: v
 * does not reach the target and is pruned. goal NULL: no bounds. */
bool fri_search_improve(fri_search *s, const fri_goal *goal, int32_t v, dist_t dist,
                        int32_t parent);
int32_t fri_search_pop(fri_search *s); /* settles the first vertex of the heap */
void fri_search_exclude(fri_search *s, int32_t v);

/* The weight of the lightest edge u -> v, which must exist. */
weight_t fri_edge_weight(const fr_csr *csr, int32_t u, int32_t v);

/* Relaxes the edges of v, which was settled. */
void fri_route_expand(fri_search *s, const fr_csr *csr, const fri_goal *goal, int32_t v);
/* Continues side 0 until the goal's target is settled or the heap is empty. The target then has the
 * smallest sum that rounding gives any path, computed from the path's first vertex on. */
fr_status fri_route_toward(const fr_router *router, fri_route_space *space, const fri_goal *goal);

static inline bool space_stop(fri_route_space *space, const fr_csr *csr, int32_t v) {
    enum { HEAP_WORK = 16 }; /* cost of a pop, in edges */
    space->settled++;
    return fri_pace_stop_team(space->pace, space->caller,
                              csr->offsets[v + 1] - csr->offsets[v] + HEAP_WORK, 0);
}

#endif
