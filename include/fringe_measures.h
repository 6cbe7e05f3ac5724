/* fringe: what is measured on a graph beside traversals: components, all shortest paths, centrality, paths and
 * routes between two vertices. The conventions of fringe.h apply; docs/memory.md has the formulas of memory. */
#ifndef FRINGE_MEASURES_H
#define FRINGE_MEASURES_H

#include "fringe.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- components -------------------------------------------------------------------------- */

typedef enum fr_component_kind {
    FR_COMPONENTS_WEAK,  /* connected by edges in any direction */
    FR_COMPONENTS_STRONG /* each vertex reaches each other one */
} fr_component_kind;

/* Numbers the components 0 .. *count-1 in the order of their smallest vertices, so the same on every
 * run and on either backend. label: [n], the component of each vertex. size: [n] or NULL; the first
 * *count are set, to the vertices of each.
 * backend: FR_BACKEND_ANY chooses the device on which the call is predicted to end first, opening the
 * GPU and the upload included, and the CPU if the GPU has too little memory. FR_BACKEND_CUDA: FR_NO_DEVICE. FR_CHECKSUM and FR_FORMAT as fr_graph_check. O(n + m): weak ones in
 * parallel; strong ones of a directed graph on one thread on the CPU, and in parallel on
 * a GPU, slowly where thousands of components follow one another or a cycle has thousands of
 * vertices. */
FR_API fr_status fr_components(fr_ctx *ctx, const fr_graph *graph, fr_component_kind kind,
                               fr_backend backend, int32_t *label, int32_t *size, int32_t *count);

/* The same of the context's last call that takes a backend itself: fr_components and centrality. Before
 * the first one FR_BACKEND_ANY. */
FR_API fr_backend fr_ctx_call_backend(const fr_ctx *ctx);

/* Checks the labels and the count of fr_components. On one thread; strong components of a directed
 * graph with the transposed graph in addition. */
FR_API fr_status fr_verify_components(fr_ctx *ctx, const fr_graph *graph, fr_component_kind kind,
                                      const int32_t *label, int32_t count);

/* ---- all shortest paths and centrality ---------------------------------------------------- */

/* These functions run on the CPU unless they take a backend, with which FR_BACKEND_ANY chooses as in
 * fr_components. Parallel edges are different paths (drop_parallel merges them); self-loops are on
 * none. */

/* The edges on shortest paths: u -> v where the value of u plus the weight is the value of v. values:
 * [n], the levels (type FR_TYPE_NONE) or the distances of that type that a traversal of `graph` returned,
 * without marks of negative cycles; after fr_solver_options.reverse pass the transposed graph. bits:
 * [(m + 63) / 64] or NULL, bit e % 64 of word e / 64 for stored edge e. count: their number, or NULL.
 * Together they hold every predecessor of every vertex, and contain a cycle only where one has weight
 * 0. FR_INVALID: integer distances with float weights. O(n + m). */
FR_API fr_status fr_tight_edges(fr_ctx *ctx, const fr_graph *graph, fr_type type,
                                const void *values, uint64_t *bits, int64_t *count);

/* The number of shortest paths from the sources to every vertex, 0 for an unreached one; a source
 * at distance 0 has the path of no edges. type, values: as for fr_tight_edges. sources: of the
 * traversal. count: [n] or NULL. exact: [n] or NULL, the same as integers; with NULL a count beyond
 * 2^53 is rounded. FR_OVERFLOW: a count does not fit int64 (if exact is given) or double. FR_UNSUPPORTED: a
 * cycle of weight 0 is reached, so there are infinitely many shortest walks; an undirected edge of
 * weight 0 is one. FR_NOT_FOUND: no such source. Outputs are unspecified after a failure.
 * O(n + m), 12 n bytes. */
FR_API fr_status fr_path_counts(fr_ctx *ctx, const fr_graph *graph, fr_type type,
                                const void *values, const int32_t *sources, int64_t source_count,
                                double *count, int64_t *exact);

typedef struct fr_betweenness_options {
    size_t struct_size;
    /* divide by the number of pairs: (n-1)(n-2), of an undirected graph half of it */
    bool normalized;
    fr_backend backend;
    int64_t samples; /* the number of random sources; 0, or n and more: every vertex */
    uint64_t seed;   /* of the sources */
} fr_betweenness_options;

/* Betweenness of every vertex: the sum over pairs (s, t) of other vertices of the part of the
 * shortest paths from s to t that lead through it; of an undirected graph (as in fr_graph_filter)
 * over unordered pairs. score: [n]. As networkx.betweenness_centrality(endpoints=False). options may be NULL. With
 * samples the score is an unbiased estimate, and with a probability of 95 % all scores at once are
 * within *error_bound (may be NULL; 0 without samples) of the exact ones: normalized that is
 * n / (n-1) sqrt(ln(40 n) / (2 samples)), by Hoeffding's inequality. Scores are the same bits for any
 * number of threads, and on every run on a GPU (with weights or directed: while path counts are below
 * 2^53); CPU and GPU differ by rounding, mostly below 1e-12 of the score where path counts are
 * below 2^53. FR_NEGATIVE_WEIGHT. FR_UNSUPPORTED: a weight is 0, or too small to change a
 * distance. FR_OVERFLOW: more shortest paths than a double holds, or the weights of fr_closeness.
 * O(samples m), with weights O(samples m log n). Without memory for eight sources in a traversal one is
 * traversed at a time, and scores differ by rounding. */
FR_API fr_status fr_betweenness(fr_ctx *ctx, const fr_graph *graph,
                                const fr_betweenness_options *options, double *score,
                                double *error_bound);

typedef struct fr_distance_centrality_options {
    size_t struct_size;
    fr_backend backend;
    bool reached_only; /* of closeness: without the factor (r-1) / (n-1) */
    /* The vertices first .. first + count - 1 alone, as FR_NOT_FOUND checks; count 0: all from `first` on. Work
     * follows their number. */
    int64_t first, count;
    /* The name of a file that keeps finished scores, or NULL. A later call with the same graph, scores and
     * part continues it; one of others is FR_FORMAT, one that another process has open FR_DISK, as are
     * failures of writing. 8 bytes per vertex and score are appended and flushed to the disk with a
     * checksum after every checkpoint_vertices (0: about a minute's), and a progress function gets the phase
     * "saving" with the vertices so far. What follows damage, or an interruption, is computed again. */
    const char *checkpoint;
    int64_t checkpoint_vertices;
} fr_distance_centrality_options;

/* Closeness and harmonic centrality in one pass, also in parts: scores do not depend on the part in which a
 * vertex is, so that parts, by any machines, together are what one call gives. With r - 1 other vertices that
 * reach it, at a sum of distances f, closeness is (r-1) / f, times (r-1) / (n-1) unless reached_only is set; 0
 * where f is 0. Harmonic centrality is the sum of 1 / distance over them; those at distance 0 count nothing.
 * The same as networkx.closeness_centrality(wf_improved=not reached_only) and harmonic_centrality: distances
 * are *to* the vertex; for distances from it pass the transposed graph. options may be NULL. closeness,
 * harmonic: [count] or one of them NULL. Without weights scores are the same bits for any number of threads
 * and on either backend; with weights the backends differ by rounding. The GPUs of the context divide the
 * vertices. FR_NEGATIVE_WEIGHT; FR_OVERFLOW: n times the largest integer weight is 2^53 or more, or n^2
 * times the largest real weight is beyond double. At most O(count m), with weights O(count m log n); each
 * call prepares O(n + m). With weights a directed graph is transposed for the time. */
FR_API fr_status fr_distance_centrality(fr_ctx *ctx, const fr_graph *graph,
                                        const fr_distance_centrality_options *options,
                                        double *closeness, double *harmonic);

/* One of the two for every vertex; score: [n]. Otherwise as fr_distance_centrality. */
FR_API fr_status fr_closeness(fr_ctx *ctx, const fr_graph *graph, bool reached_only,
                              fr_backend backend, double *score);
FR_API fr_status fr_harmonic(fr_ctx *ctx, const fr_graph *graph, fr_backend backend, double *score);

/* The eccentricity of every vertex, which is the distance to the farthest vertex that it reaches; the
 * diameter, the largest of these, and the radius, the smallest. Pairs without a path do not count: in a
 * graph that is not (strongly) connected each vertex has the eccentricity within what it reaches, an
 * isolated one 0. eccentricity: [n] or NULL, which saves traversals when only diameter and radius are
 * wanted. diameter, radius, passes: or NULL; passes: the traversals that were needed. Exact: bounds
 * from the triangle inequality only save traversals; with float weights there is one per vertex.
 * FR_NEGATIVE_WEIGHT; FR_OVERFLOW as fr_closeness. O(passes m),
 * with weights O(passes m log n); without weights at most about what fr_closeness takes, where bounds
 * save few. backend: FR_BACKEND_CUDA is FR_UNSUPPORTED with float weights only; the values are the same,
 * passes are not. */
FR_API fr_status fr_eccentricity(fr_ctx *ctx, const fr_graph *graph, fr_backend backend,
                                 double *eccentricity, double *diameter, double *radius,
                                 int64_t *passes);

/* ---- paths between vertices -------------------------------------------------------------- */

/* The path to target along the parents of a result: path, [n] or NULL, gets *length vertices from the
 * source to the target; *length is 0 when the target is unreached. FR_NOT_FOUND: no such target.
 * FR_INVALID: the parents lead to no source. O(*length). */
FR_API fr_status fr_path(fr_ctx *ctx, const int32_t *parent, int32_t n, int32_t target,
                         int32_t *path, int32_t *length);

/* A router answers queries between two vertices of a graph without negative weights, on the CPU. A
 * query costs what it settles, not n. */
typedef struct fr_router fr_router;

typedef enum fr_route_algorithm {
    FR_ROUTE_AUTO,          /* ALT if landmarks is not 0, else bidirectional */
    FR_ROUTE_BIDIRECTIONAL, /* Dijkstra from both ends */
    FR_ROUTE_ASTAR,         /* lower bounds from coordinates */
    FR_ROUTE_ALT            /* lower bounds from the distances of landmarks */
} fr_route_algorithm;

typedef struct fr_router_options {
    size_t struct_size;
    fr_route_algorithm algorithm;
    int32_t landmarks; /* ALT: 1 to 64; 0: 16 */
    /* A*: [n], finite and at most 1e150 in size, any unit; borrowed until the router is freed. The
     * bound is the straight length times the smallest ratio of an edge's weight to its length. */
    const double *x, *y;
} fr_router_options;

/* Creates a router; options may be NULL. The graph must outlive it. FR_NEGATIVE_WEIGHT; FR_RANGE: a
 * coordinate; FR_OVERFLOW: a landmark's distance; FR_CHECKSUM and FR_FORMAT as fr_graph_check. O(n +
 * m), for ALT two Dijkstra searches per landmark. */
FR_API fr_status fr_router_new(fr_ctx *ctx, const fr_graph *graph, const fr_router_options *options,
                               fr_router **out);
FR_API void fr_router_free(fr_router *router);

/* FR_TYPE_I64 for integer weights and without weights, FR_TYPE_F64 for real ones. Unreached: FR_INF_I64
 * or infinity. Integer distances are exact. A real distance is the sum of the weights along the path
 * found, from its source on; it is minimal up to the rounding of such sums. */
FR_API fr_type fr_router_dist_type(const fr_router *router);
FR_API fr_route_algorithm fr_router_algorithm(const fr_router *router); /* never FR_ROUTE_AUTO */
FR_API int64_t fr_router_settled(const fr_router *router); /* vertices, in the last query */

/* The distance from source to target, one value, and a shortest path. path: [n] or NULL; length may be
 * NULL, *length is 0 where there is no path. FR_NOT_FOUND: no such vertex. FR_OVERFLOW: there is a path,
 * and no distance that fits; distances of other vertices do not matter. */
FR_API fr_status fr_router_path(fr_router *router, int32_t source, int32_t target, void *dist,
                                int32_t *path, int32_t *length);

/* The distances of `count` pairs; sources, targets, dist: [count]. A pair per thread at a time. Statuses
 * as fr_router_path. */
FR_API fr_status fr_router_distances(fr_router *router, const int32_t *sources,
                                     const int32_t *targets, int64_t count, void *dist);

/* The distances from every source to every target; dist: [source_count][target_count]. One Dijkstra
 * search per source or per target, whichever are fewer, each of which stops at the last vertex asked
 * for; a search per thread at a time. Statuses as fr_router_path. */
FR_API fr_status fr_router_table(fr_router *router, const int32_t *sources, int64_t source_count,
                                 const int32_t *targets, int64_t target_count, void *dist);

/* Gets path number `index` (0, 1, ...) of fr_router_k_paths: one distance, and [length] vertices from
 * the source to the target, valid until it returns. Non-zero cancels. */
typedef int (*fr_path_fn)(void *user, int64_t index, const void *dist, const int32_t *path,
                          int32_t length);

/* The k shortest paths without a repeated vertex, the shortest first; fewer where there are no more.
 * Parallel edges are one edge of the smallest weight. Statuses as fr_router_path; FR_OVERFLOW follows the paths
 * whose distances fit. Distances ascend, also as rounded sums. One Dijkstra search from
 * the target, then a search with exact lower bounds per vertex of each path found. Keeps the paths
 * and their candidates in memory. */
FR_API fr_status fr_router_k_paths(fr_router *router, int32_t source, int32_t target, int64_t k,
                                   fr_path_fn fn, void *user);

/* Reads coordinates in the format of the 9th DIMACS challenge (.co), compressed or not: lines "v ID X
 * Y"; or of an .npz file with the array xy of shape (n, 2), a row per vertex, or per id of its array ids.
 * x, y: [n] of the graph. FR_FORMAT: also a vertex without finite coordinates. FR_UNSUPPORTED: ids are
 * listed, and the vertices have names. FR_NOT_FOUND, FR_IO. */
FR_API fr_status fr_coordinates_load(fr_ctx *ctx, const fr_graph *graph, const char *path,
                                     double *x, double *y);

#ifdef __cplusplus
}
#endif
#endif
