/* One search of typed/: labels, heap and lower bounds. Included by the files of this folder, which
 * the build compiles once per weight type, with one FRI_ROUTE_* defined (cmake/typed.cmake). */
#ifndef FRI_CPU_PATH_TYPED_SEARCH_H
#define FRI_CPU_PATH_TYPED_SEARCH_H

#if defined FRI_ROUTE_I32
#define FRI_TYPED(name) name##_i32
#elif defined FRI_ROUTE_I64
#define FRI_TYPED(name) name##_i64
#elif defined FRI_ROUTE_F32
#define FRI_TYPED(name) name##_f32
#elif defined FRI_ROUTE_F64
#define FRI_TYPED(name) name##_f64
#else
#error "define one FRI_ROUTE_*; see cmake/typed.cmake"
#endif
#define fri_goal_make      FRI_TYPED(fri_goal_make)
#define fri_goal_bound     FRI_TYPED(fri_goal_bound)
#define fri_search_clear   FRI_TYPED(fri_search_clear)
#define fri_search_improve FRI_TYPED(fri_search_improve)
#define fri_search_pop     FRI_TYPED(fri_search_pop)
#define fri_search_exclude FRI_TYPED(fri_search_exclude)
#define fri_edge_weight    FRI_TYPED(fri_edge_weight)
#define fri_route_scale    FRI_TYPED(fri_route_scale)
#define fri_route_farthest FRI_TYPED(fri_route_farthest)
#define fri_route_k_paths  FRI_TYPED(fri_route_k_paths)
#define fri_route_tree     FRI_TYPED(fri_route_tree)
#define fri_route_toward   FRI_TYPED(fri_route_toward)
#define fri_route_expand   FRI_TYPED(fri_route_expand)

#include "cpu/path/router.h"

#include <float.h>
#include <math.h>

#if defined FRI_ROUTE_I32 || defined FRI_ROUTE_I64
#define VALUE_IS_INTEGER 1
typedef int64_t value_t;
typedef uint64_t heap_key; /* the sum of a distance and a bound always fits */
#define VALUE_INF FR_INF_I64
#define VALUE_MAX (FR_INF_I64 - 1)
#else
#define VALUE_IS_INTEGER 0
typedef double value_t;
typedef double heap_key;
#define VALUE_INF        ((double)INFINITY)
#define VALUE_MAX        DBL_MAX
#endif
#if defined FRI_ROUTE_I32
typedef int32_t weight_t;
#elif defined FRI_ROUTE_I64
typedef int64_t weight_t;
#elif defined FRI_ROUTE_F32
typedef float weight_t;
#else
typedef double weight_t;
#endif

/* label_t.place: the index in the heap, or one of these. */
enum { PLACE_NONE = 0, PLACE_SETTLED = -1, PLACE_EXCLUDED = -2 };

typedef struct label_t {
    value_t dist; /* VALUE_INF: reached, but no sum found so far fits */
    int32_t parent;
    int32_t place;
} label_t;

typedef struct heap_node {
    heap_key key;
    int32_t v;
} heap_node;

_Static_assert(sizeof(label_t) == FRI_LABEL_BYTES, "router.c allocates labels");
_Static_assert(sizeof(heap_node) == FRI_HEAP_NODE_BYTES, "router.c allocates heaps");

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

static inline weight_t weight_at(const fr_csr *csr, int64_t e) {
    return csr->weights ? ((const weight_t *)csr->weights)[e] : (weight_t)1;
}

/* VALUE_INF if the sum exceeds the type. Neither term is negative. */
static inline value_t value_sum(value_t a, value_t b) {
#if VALUE_IS_INTEGER
    return (value_t)FRI_MIN((uint64_t)a + (uint64_t)b, (uint64_t)VALUE_INF);
#else
    return a + b;
#endif
}

/* More than the relative error of a rounded sum of n terms. */
static inline double rounding_of_sums(int32_t n) { return (double)n * 0x1p-51; }

/* far - near, lowered by the error of rounded sums of up to n terms each. Integers are exact. */
static inline value_t lower_difference(value_t far, value_t near, int32_t n) {
#if VALUE_IS_INTEGER
    (void)n;
    return far - near;
#else
    return far - near - (far + near) * rounding_of_sums(n);
#endif
}

/* The lower bounds of the router's algorithm for a target. ALT uses the landmarks whose bounds
 * are largest at `source`. */
fri_goal fri_goal_make(const fr_router *router, int32_t source, int32_t target);
value_t fri_goal_bound(const fri_goal *goal, int32_t v); /* VALUE_INF: no path */

void fri_search_clear(fri_search *s);
/* Lowers the distance of v. Returns false if `dist` is not lower, or if the bound is infinite: v
 * does not reach the target and is pruned. goal NULL: no bounds. */
bool fri_search_improve(fri_search *s, const fri_goal *goal, int32_t v, value_t dist,
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

fr_status fri_route_tree(const fr_router *router, fri_route_space *space, int side, int32_t root,
                         const uint64_t *marks, int64_t wanted);
double fri_route_scale(const fr_router *router);
int32_t fri_route_farthest(const fr_router *router, int32_t columns);
fr_status fri_route_k_paths(const fr_router *router, fri_route_space *space, const fri_route *route,
                            int64_t k, fr_path_fn fn, void *user);

#endif
