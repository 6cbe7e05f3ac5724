/* Shortest paths between given vertices: the object behind fr_router, and its typed functions.
 *
 * The searches are compiled once per weight type (typed/); distances are int64 for integer weights
 * and for a graph without weights, double for real ones. This header has no such types, so that
 * router.c allocates for all of them.
 */
#ifndef FRI_CPU_PATH_ROUTER_H
#define FRI_CPU_PATH_ROUTER_H

#include "fringe_measures.h"
#include "base/pace.h"
#include "graph/graph.h"

enum { FRI_LABEL_BYTES = 16, FRI_HEAP_NODE_BYTES = 16, FRI_VALUE_BYTES = 8 };
enum { FRI_LANDMARKS = 16, FRI_LANDMARKS_MAX = 64, FRI_ACTIVE_LANDMARKS = 4 };

/* One search: labels of vertices, and a heap of the labeled vertices that are not settled. With unit
 * weights and without bounds (`levels`), `touched` from `taken` on takes the place of the heap. A query ends by
 * clearing the labels of `touched`, so between queries every label is zero. */
typedef struct fri_search {
    void *label;      /* [n] this side's label_t in the pairs of fri_route_space.labels */
    void *heap;       /* [n] of heap_node */
    int32_t *touched; /* [n] vertices with a label */
    int32_t heap_count, touched_count; /* heap_count: of the queue, too */
    int32_t taken;
    bool levels;
} fri_search;

/* The two searches of one thread: side 0 follows edges from the source, side 1 follows them
 * backwards from the target. */
typedef struct fri_route_space {
    fri_search side[2];
    void *labels; /* [n][2]: both sides of a vertex are in one cache line */
    fri_pace *pace;
    bool caller; /* the thread that called the library */
    int64_t settled;
} fri_route_space;

struct fr_router {
    fr_ctx *ctx;
    fr_graph *reversed;
    fr_csr csr[2]; /* out-edges, in-edges */
    fr_route_algorithm algorithm;
    const double *x, *y;    /* A*: [n] */
    double scale;           /* A*: no edge weighs less than scale times its length */
    int32_t landmark_count; /* ALT */
    void *landmark[2];      /* ALT: [n][landmark_count] from and to each landmark; symmetric: one */
    fri_route_space *space; /* [space_count], one per thread */
    int space_count;
    int64_t settled;
};

typedef struct fri_route {
    int32_t source, target;
    void *dist;    /* one value */
    int32_t *path; /* [n] or NULL */
    int32_t length;
} fri_route;

bool fri_route_has_negative(const fr_router *router);
/* Solves one pair. Without a path, and where the distance does not fit (FR_OVERFLOW), the route's
 * dist is infinite and its length 0. */
fr_status fri_route_find(const fr_router *router, fri_route_space *space, fri_route *route);
/* Searches from root (side 1: to root) until the `wanted` vertices in `marks` are settled; marks
 * NULL: until all are. */
fr_status fri_route_tree(const fr_router *router, fri_route_space *space, int side, int32_t root,
                         const uint64_t *marks, int64_t wanted);
/* Sets dist[index * stride] to the distance of vertices[index] (NULL: of all vertices), then clears
 * the labels. FR_OVERFLOW: one of the distances does not fit. */
fr_status fri_route_take(const fr_router *router, fri_route_space *space, int side,
                         const int32_t *vertices, int64_t count, void *dist, int64_t stride);
/* No edge weighs less than this times its length. */
double fri_route_scale(const fr_router *router);
/* The vertex whose minimum over the first `columns` landmarks' distances is largest. */
int32_t fri_route_farthest(const fr_router *router, int32_t columns);
fr_status fri_route_k_paths(const fr_router *router, fri_route_space *space, const fri_route *route,
                            int64_t k, fr_path_fn fn, void *user);

/* ALT: chooses the landmarks and computes their distances. */
fr_status fri_landmarks_prepare(fr_router *router, int32_t count);
/* Allocates spaces for that many threads. */
fr_status fri_router_spaces(fr_router *router, int count);

#endif
