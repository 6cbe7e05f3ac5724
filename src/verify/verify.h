/* What the checkers share. A checker sees the graph, the query and the candidate answer, and
 * nothing of how it was computed. Each rule is checked in parallel, and of all violations the
 * minimum one is reported, so that a message does not depend on the number of threads. */
#ifndef FRI_VERIFY_H
#define FRI_VERIFY_H

#include "base/bitmap.h"
#include "base/pace.h"
#include "base/sized.h"
#include "graph/graph.h"

/* A vertex for a message: its id in the file, or the bare number if it is not a vertex. */
typedef struct fri_label {
    char text[32];
} fri_label;
fri_label fri_verify_label(const fr_graph *graph, int32_t vertex);
/* A sum for a message: the number, or a note that it does not fit int64. */
fri_label fri_verify_sum(__int128 sum);

/* The first edge u -> v of row u, the one of minimum weight among parallel ones, or in a symmetric
 * graph its mirror in row v, which has the same weight; -1: none. */
int64_t fri_verify_edge(const fr_csr *csr, int32_t u, int32_t v);

/* Checks that the query's sources and targets are vertices and allocates the bitmap of the sources
 * (release it by fri_free). Without a query or sources: FR_INVALID. */
fr_status fri_verify_sources(fr_ctx *ctx, const fr_graph *graph, const fr_query *query,
                             uint64_t **map);

/* Replaces *graph by the graph without what the query closes, which is also *own (release it by
 * fr_graph_free, also NULL); leaves it if nothing is closed. */
fr_status fri_verify_filter(fr_ctx *ctx, const fr_query *query, const fr_graph **graph,
                            fr_graph **own);

/* Walks a forest from its roots: parent[v] is v for a root, -1 for an excluded vertex, otherwise
 * within 0 .. n-1. Calls visit for every vertex whose chain of parents ends in a root, once, after
 * its parent's call; calls run in parallel. *detached: the minimum vertex that has a parent but leads
 * on a cycle or on an excluded vertex; -1: none. */
typedef void (*fri_visit_fn)(void *arg, int32_t v, int32_t parent);
fr_status fri_verify_walk(fr_ctx *ctx, int32_t n, const int32_t *parent, fri_visit_fn visit,
                          void *arg, int32_t *detached);

/* ---- distances --------------------------------------------------------------------------- */

/* The limit of the query for integers; without one, more than any sum of weights. */
static inline __int128 fri_verify_cap(const fr_query *q) {
    return fri_limits_distance(q) && q->max_distance < 0x1p126 ? (__int128)q->max_distance
                                                               : (__int128)1 << 126;
}

/* Candidate distances and how to read them. */
typedef struct fri_candidate {
    fr_ctx *ctx;
    const fr_graph *graph;
    fr_csr csr; /* weights NULL: every edge has weight 1 */
    const fr_query *query;
    const uint64_t *source_map;
    const void *dist;
    fr_type dist_type;
    const int32_t *parent; /* the candidate's, or the checker's own */
    bool exact;            /* integers: sums in 128 bits if 64 might overflow */
    bool single;       /* sums are floats: in the row to check, not in a row of the checker's own */
    bool own;          /* a row of the checker's own: a sum beyond all doubles is not reached */
    bool negative;     /* some weight is negative */
    bool marks_cycles; /* minus infinity marks vertices that a negative cycle reaches */
    double max_abs_weight; /* maximum absolute weight */
    __int128 cap;          /* exact: the maximum distance that is kept */
    double cap_float;      /* floats: the same */
    /* of the path along the parents, for floats: its length and the sum of the absolute weights,
     * both in double (one array if no weight is negative), and the number of its edges */
    double *length, *magnitude;
    int32_t *hops;
} fri_candidate;

#define FRI_UNREACHED INT64_MAX /* fri_candidate_int of an unreached vertex */

static inline int64_t fri_candidate_int(const fri_candidate *c, int32_t v) {
    if (c->dist_type == FR_TYPE_I64)
        return ((const int64_t *)c->dist)[v];
    int32_t d = ((const int32_t *)c->dist)[v];
    return d == FR_INF_I32 ? FRI_UNREACHED : d;
}

static inline double fri_candidate_float(const fri_candidate *c, int32_t v) {
    if (c->dist_type == FR_TYPE_F32)
        return ((const float *)c->dist)[v];
    return ((const double *)c->dist)[v];
}

/* Whether v is at minus infinity: neither reached nor unreached. */
static inline bool fri_candidate_is_neg_inf(const fri_candidate *c, int32_t v) {
    if (!c->marks_cycles)
        return false;
    switch (c->dist_type) {
    case FR_TYPE_I32: return ((const int32_t *)c->dist)[v] == FR_NEG_INF_I32;
    case FR_TYPE_I64: return ((const int64_t *)c->dist)[v] == FR_NEG_INF_I64;
    default: return fri_candidate_float(c, v) == -(double)__builtin_inf();
    }
}

/* Whether v is at a finite distance. */
static inline bool fri_candidate_reached(const fri_candidate *c, int32_t v) {
    if (fri_candidate_is_neg_inf(c, v))
        return false;
    return c->exact ? fri_candidate_int(c, v) != FRI_UNREACHED
                    : fri_candidate_float(c, v) != (double)__builtin_inf();
}

static inline int64_t fri_candidate_weight_int(const fri_candidate *c, int64_t e) {
    if (!c->csr.weights)
        return 1;
    return c->csr.weight_type == FR_TYPE_I64 ? ((const int64_t *)c->csr.weights)[e]
                                             : ((const int32_t *)c->csr.weights)[e];
}

/* The length of the path to the end of edge e through u: 128 bits never overflow. */
static inline __int128 fri_candidate_along(const fri_candidate *c, int32_t u, int64_t e) {
    return (__int128)fri_candidate_int(c, u) + fri_candidate_weight_int(c, e);
}

/* Whether the edge e from a reached u ends a path as long as the distance of v claims, for integers.
 * A path of length FRI_UNREACHED does not make an unreached vertex tight. */
static inline bool fri_candidate_is_tight(const fri_candidate *c, int32_t u, int64_t e, int32_t v) {
    return fri_candidate_reached(c, v) && fri_candidate_int(c, v) == fri_candidate_along(c, u, e);
}

static inline double fri_candidate_weight(const fri_candidate *c, int64_t e) {
    if (!c->csr.weights)
        return 1;
    if (c->csr.weight_type == FR_TYPE_I32)
        return ((const int32_t *)c->csr.weights)[e];
    if (c->csr.weight_type == FR_TYPE_I64) /* only its sign and magnitude matter; sums use the
                                              exact integer */
        return (double)((const int64_t *)c->csr.weights)[e];
    if (c->csr.weight_type == FR_TYPE_F32)
        return ((const float *)c->csr.weights)[e];
    return ((const double *)c->csr.weights)[e];
}

/* A source at distance 0, where paths begin. */
static inline bool fri_candidate_is_root(const fri_candidate *c, int32_t v) {
    if (!fri_bit_get(c->source_map, v))
        return false;
    return c->exact ? fri_candidate_int(c, v) == 0 : fri_candidate_float(c, v) == 0;
}

/* The relative error that a sum of `hops` floats of the candidate's type may have in any order, at
 * most 1e-4. A double is allowed 1e-12 per addend: reweighted distances (Johnson) are differences
 * of numbers far larger than themselves. */
static inline double fri_candidate_tolerance(const fri_candidate *c, int32_t hops) {
    double grain = c->single ? 0x1p-22 : 1e-12;
    return FRI_MIN(1e-4, grain * ((double)hops + 4));
}

/* Sets negative and max_abs_weight. */
void fri_verify_weights(fri_candidate *c);

/* FR_VERIFY_FAILED: the message contains vertex v, its candidate distance and parent, then the
 * message. */
fr_status fri_verify_fail(const fri_candidate *c, int32_t v, const char *message);

/* The first edge e: u -> v with u reached that breaks the rule; *from: its u. -1: none, or the user
 * cancelled: *pace has the status. */
typedef bool (*fri_edge_rule)(const fri_candidate *c, int32_t u, int64_t e, int32_t v);
int64_t fri_verify_find_edge(const fri_candidate *c, fri_edge_rule broken, int32_t *from,
                             fri_pace *pace);

/* Finds for each reached vertex a parent whose edge accounts for its distance, into parent[n].
 * *lost: the minimum reached vertex that has none; -1: none. For integers the parents are a forest
 * whose trees grow from roots. For floats they are a first attempt: the caller checks forest
 * and lengths. */
fr_status fri_verify_tight_forest(const fri_candidate *c, int32_t *parent, int32_t *lost);

/* Floats: the same by shortest paths from the roots, in m log n: always a forest whose trees grow
 * from roots, and for a correct answer one whose paths have the candidate's lengths. */
fr_status fri_verify_paths(const fri_candidate *c, int32_t *parent, int32_t *lost);

/* Checks the columns query->targets of one row: known->dist and known->parent are [target_count]. */
fr_status fri_verify_columns(const fri_candidate *known, int32_t source);

/* Checks a row by the rules of verify/sssp.c. Of the candidate it takes graph, types, distances and parents
 * (NULL: none). */
fr_status fri_verify_row(const fri_candidate *row, const fr_query *query);

/* Where a weight is negative: checks a row whose values beyond query->max_distance are cut off. */
fr_status fri_verify_within(const fri_candidate *known);

/* Checks that a negative cycle which a source reaches leads to each vertex at minus infinity, and
 * that edges from these vertices only lead to such vertices. */
fr_status fri_verify_neg_inf(const fri_candidate *c);

#endif
