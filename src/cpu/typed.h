/* Code that is compiled once per pair of weight type and distance type.
 *
 * The build compiles the files of the folders `typed` once per pair, with FRI_WEIGHT and FRI_DIST
 * defined as I32, I64, F32 or F64 (cmake/typed.cmake lists the pairs of each folder). Such a file is
 * plain C on weight_t and dist_t. FRI_TYPED_FUNCTION defines the function that other files call, which
 * selects the copy by the types of its arguments. FRI_TYPED(name) names a function that is only called
 * within its pair. What FRI_ONCE encloses is compiled once: the constants that describe a strategy.
 *
 * Code that is not worth a copy per type reads a weight with fri_csr_weight (graph/graph.h).
 */
#ifndef FRI_CPU_TYPED_H
#define FRI_CPU_TYPED_H

#include "graph/graph.h"

#include <float.h>
#include <math.h>

/* The pairs: X(weight type, distance type, ...). */
#define FRI_EQUAL_PAIRS(X, ...)                                                                    \
    X(I32, I32, __VA_ARGS__)                                                                       \
    X(I64, I64, __VA_ARGS__) X(F32, F32, __VA_ARGS__) X(F64, F64, __VA_ARGS__)
#define FRI_WIDE_PAIRS(X, ...)                                                                     \
    X(I32, I64, __VA_ARGS__)                                                                       \
    X(I64, I64, __VA_ARGS__) X(F32, F64, __VA_ARGS__) X(F64, F64, __VA_ARGS__)
#define FRI_ALL_PAIRS(X, ...)                                                                      \
    FRI_EQUAL_PAIRS(X, __VA_ARGS__) X(I32, I64, __VA_ARGS__) X(F32, F64, __VA_ARGS__)

enum { FRI_TYPES = FR_TYPE_F64 + 1 };

/* The number of a pair; a graph without weights uses the code of int32. */
static inline int fri_pair(fr_type weights, fr_type dist) {
    return FRI_TYPES * (int)FRI_MAX(weights, FR_TYPE_I32) + (int)dist;
}
static inline bool fri_is_real(fr_type type) { return type == FR_TYPE_F32 || type == FR_TYPE_F64; }
/* The pair whose distances are int64 or double. */
static inline int fri_wide_pair(fr_type weights) {
    return fri_pair(weights, fri_is_real(weights) ? FR_TYPE_F64 : FR_TYPE_I64);
}

#ifdef FRI_WEIGHT

#define FRI_JOINED(a, b) a##b
#define FRI_JOIN(a, b)   FRI_JOINED(a, b)
#define FRI_TYPED(name)  FRI_JOIN(name##_, FRI_JOIN(FRI_WEIGHT, FRI_JOIN(_, FRI_DIST)))

/* FRI_TYPED_FUNCTION(pairs, pair, fr_status, fri_f, (int a, int b), (a, b)) { body }
 * Defines the copy of `fr_status fri_f(int a, int b)`, and once fri_f itself, which calls the copy of
 * number `pair`, an expression. */
#ifdef FRI_ONCE
#define FRI_TYPED_FUNCTION(pairs, pair, result, name, parameters, arguments)                       \
    pairs(FRI_COPY_DECLARATION, result, name, parameters) result name parameters;                  \
    result name parameters {                                                                       \
        static result(*const copies[FRI_TYPES * FRI_TYPES])                                        \
            parameters = {pairs(FRI_COPY_ENTRY, name)};                                            \
        return copies[pair] arguments;                                                             \
    }                                                                                              \
    result FRI_TYPED(name) parameters
#define FRI_COPY_DECLARATION(weight, dist, result, name, parameters)                               \
    result name##_##weight##_##dist parameters;
#define FRI_COPY_ENTRY(weight, dist, name)                                                         \
    [FRI_TYPES * FR_TYPE_##weight + FR_TYPE_##dist] = name##_##weight##_##dist,
#else
#define FRI_TYPED_FUNCTION(pairs, pair, result, name, parameters, arguments)                       \
    result FRI_TYPED(name) parameters;                                                             \
    result FRI_TYPED(name) parameters
#endif

typedef int32_t fri_type_I32;
typedef int64_t fri_type_I64;
typedef float fri_type_F32;
typedef double fri_type_F64;
typedef FRI_JOIN(fri_type_, FRI_WEIGHT) weight_t;
typedef FRI_JOIN(fri_type_, FRI_DIST) dist_t;

/* An edge of rows that are not the graph's; see cpu/sssp/sssp.h. */
typedef struct {
    int32_t v;
    weight_t w;
} edge_t;

/* DIST_INF: not reached; DIST_NEG_INF: beyond a negative cycle where the query sets
 * mark_negative_cycles; unsigned_dist_t: the unsigned integer of the distance's size. */
#define FRI_IS_INTEGER_I32 1
#define FRI_IS_INTEGER_I64 1
#define FRI_IS_INTEGER_F32 0
#define FRI_IS_INTEGER_F64 0
#define DIST_IS_INTEGER    FRI_JOIN(FRI_IS_INTEGER_, FRI_DIST)
#if DIST_IS_INTEGER
typedef uint32_t fri_unsigned_I32;
typedef uint64_t fri_unsigned_I64;
typedef FRI_JOIN(fri_unsigned_, FRI_DIST) unsigned_dist_t;
#define DIST_INF     FRI_JOIN(FR_INF_, FRI_DIST)
#define DIST_NEG_INF FRI_JOIN(FR_NEG_INF_, FRI_DIST)
#else
#define DIST_INF     ((dist_t)INFINITY)
#define DIST_NEG_INF (-DIST_INF)
#define DIST_MAX     (sizeof(dist_t) == sizeof(float) ? (double)FLT_MAX : DBL_MAX)
#endif

/* Integers compare as unsigned numbers: a sum that overflowed is greater than DIST_INF. */
static inline bool dist_less(dist_t a, dist_t b) {
#if DIST_IS_INTEGER
    return (unsigned_dist_t)a < (unsigned_dist_t)b;
#else
    return a < b;
#endif
}

static inline dist_t dist_sum(dist_t d, weight_t w) {
#if DIST_IS_INTEGER
    return (dist_t)((unsigned_dist_t)d + (unsigned_dist_t)w);
#else
    return d + (dist_t)w;
#endif
}

/* The weight of stored edge e; 1 in a graph without weights. */
static inline weight_t weight_at(const fr_csr *csr, int64_t e) {
    return csr->weights ? ((const weight_t *)csr->weights)[e] : (weight_t)1;
}

#endif
#endif
