/* The reference of all tests: a serial label-correcting search over an adjacency built here. It
 * shares no code with the library or its verifier. With unit weights it is breadth-first search. */
#ifndef CONFORMANCE_ORACLE_H
#define CONFORMANCE_ORACLE_H

#include "conformance/shapes.h"
#include "fringe.h"

#include <float.h>

/* The number type of the oracle: exact for all sums that int64 holds. Sums of float weights are rounded to
 * their type, as the library's are; those of eighths and of 1/1024ths are exact. */
typedef long double cf_number;
_Static_assert(LDBL_MANT_DIG >= 64, "int64 is exact in a long double");

typedef enum cf_weights {
    CF_NONE,         /* no weights */
    CF_I32,          /* 1 .. 255 */
    CF_ZERO,         /* int32 0 .. 2 */
    CF_F32,          /* float, eighths: sums are exact */
    CF_F64,          /* cf_number, 1/1024ths */
    CF_NEGATIVE,     /* int32, some negative, no negative cycle */
    CF_HUGE,         /* int32 near 2^30: sums do not fit int32 */
    CF_WIDE,         /* int32, 1 .. 2^20 */
    CF_SEVENS,       /* int32, each 7 */
    CF_UNIT_F32,     /* float, uniform in (0, 1] */
    CF_LOGNORMAL,    /* float, median 100, sigma 1.5 */
    CF_TENTHS_F32,   /* float, each 0.1 */
    CF_UNIT_F64,     /* double, uniform in (0, 1] */
    CF_EXPONENTIAL,  /* double, mean 100 */
    CF_TENTHS_F64,   /* double, each 0.1 */
    CF_I64,          /* int64, 1 .. 255 */
    CF_I64_40,       /* int64, 1 .. 2^40 */
    CF_I64_31,       /* int64 about 2^31 */
    CF_I64_53,       /* int64 about 2^53: sums that no double holds */
    CF_I64_62,       /* int64: the longest simple path is about 2^62 */
    CF_I64_OVER,     /* int64 about 2^62: sums do not fit int64 */
    CF_I64_NEGATIVE, /* int64, some negative, up to 2^54, no negative cycle */
    CF_CYCLES,       /* int32, some negative, negative cycles too */
    CF_CYCLES_F,     /* float, the same in eighths */
    CF_I64_CYCLES,   /* int64, the same times an odd number about 2^44 */
    CF_WEIGHTS_COUNT
} cf_weights;
extern const char *const cf_weights_name[CF_WEIGHTS_COUNT];
fr_type cf_weight_type(cf_weights kind);
/* Is some weight below 0, and no cycle? */
bool cf_is_negative(cf_weights kind);

/* A graph twice: as the library has it, and as the oracle's own adjacency. */
typedef struct cf_graph {
    const char *shape;
    cf_weights weights;
    int32_t n;
    int64_t m;
    int64_t *offset;   /* [n+1] */
    int32_t *to;       /* [m] */
    cf_number *weight; /* [m]; 1 without */
    bool directed, large;
    int32_t hub;      /* the vertex of the largest out-degree; -1: n is 0 */
    int32_t isolated; /* a vertex without edges, -1: none */
    fr_graph *graph;
} cf_graph;

/* NULL (with the message on standard output) when the library refuses it. */
cf_graph *cf_graph_new(fr_ctx *ctx, const cf_shape *shape, cf_weights weights);
/* From any edges, with weights of that kind drawn from `seed`. Takes `edges`' storage. */
cf_graph *cf_graph_from(fr_ctx *ctx, const char *name, cf_edges *edges, bool directed,
                        cf_weights weights, uint64_t seed);

/* A random directed or undirected graph of n vertices and m edges. Weights are integers from low to
 * high, stored in the type of `weights`. With `potential` > 0 the weight of u -> v gets h(u) - h(v)
 * added, h from 0 to potential: many weights are then negative, no cycle is (directed graphs). */
typedef struct cf_random_kind {
    cf_weights weights;
    int low, high, potential;
    bool directed;
} cf_random_kind;
cf_graph *cf_random_graph(fr_ctx *ctx, int32_t n, int64_t m, const cf_random_kind *kind,
                          uint64_t *state);
void cf_graph_free(cf_graph *g);

/* dist[n]: INFINITY where unreached; `unit` counts every edge 1. least[n]: the smallest vertex whose
 * edge is tight, a source with distance 0 has itself, -1 where unreached. false: a negative cycle
 * is reachable. */
bool cf_solve(const cf_graph *g, bool unit, const int32_t *sources, int64_t count, cf_number *dist,
              int32_t *min_parents);

/* Distances of cf_solve as integers, FR_INF_I64 where unreached. */
void cf_as_int64(const cf_number *dist, int32_t n, int64_t *out);

/* One valid parent[n] for the distances of cf_solve: a breadth-first forest of tight edges. */
void cf_parents(const cf_graph *g, bool unit, const int32_t *sources, int64_t count,
                const cf_number *dist, int32_t *parent);
/* A vertex whose parent is wrong for these (right) distances: not tight, or on a cycle; -1: none.
 * A source at distance 0 is its own parent, an unreached vertex has -1. */
int32_t cf_wrong_parent(const cf_graph *g, bool unit, const int32_t *sources, int64_t count,
                        const cf_number *dist, const int32_t *parent);

#endif
