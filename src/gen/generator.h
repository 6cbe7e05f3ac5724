/* The table of generators, its entries, and what generators share. */
#ifndef FRI_GENERATOR_H
#define FRI_GENERATOR_H

#include "base/edge_list.h"

enum { FRI_MAX_PARAMETERS = 12 };

/* Integer parameters accept integers ("1e6" too); the others any finite number. */
typedef enum fri_param_kind { FRI_PARAM_REAL, FRI_PARAM_INT } fri_param_kind;

typedef struct fri_parameter {
    const char *name;
    fri_param_kind kind;
    double value, low, high; /* default and accepted range */
} fri_parameter;

/* A generator lists its parameters once, as a macro: NAME(P) P(name, kind, default, low, high,
 * text). FRI_GENERATOR generates the array, its printed line and the generator. */
#define FRI_PARAMETER_ROW(name, kind, value, low, high, text)  {#name, kind, value, low, high},
#define FRI_PARAMETER_TEXT(name, kind, value, low, high, text) " " #name "=" #value " (" text ");"

#define FRI_GENERATOR(symbol, name, text, PARAMETERS, make)                                        \
    static const fri_parameter symbol##_parameters[] = {PARAMETERS(FRI_PARAMETER_ROW){0}};         \
    const fri_generator symbol = {name, text ";" PARAMETERS(FRI_PARAMETER_TEXT),                   \
                                  symbol##_parameters, make}

typedef struct fri_param_value {
    double real;
    int64_t whole; /* value of an integer parameter */
    bool given;    /* false: the default applies */
} fri_param_value;

/* One call of a generator: the generator, the values of its parameters in order, and the output. */
typedef struct fri_gen_args {
    fr_ctx *ctx;
    const char *name;
    fri_param_value value[FRI_MAX_PARAMETERS];
    fri_edge_list *edges; /* zeroed; the generator sets n, undirected and the blocks */
    int share, shares;    /* of the units; fri_gen_emit_parallel makes only this share */
    bool divided;         /* it has */
} fri_gen_args;

typedef struct fri_generator {
    const char *name;
    const char *text;                /* one line with every parameter */
    const fri_parameter *parameters; /* terminated by a NULL name */
    fr_status (*make)(fri_gen_args *args);
} fri_generator;

extern const fri_generator *const fri_generators[]; /* terminated by NULL */

/* Generates the edges of "name:key=value,key=value". After a failure *edges is empty. */
fr_status fri_generate(fr_ctx *ctx, const char *description, fri_edge_list *edges);

/* The same, but only share number `share` of `shares`; together the shares have all edges. A
 * generator that does not work by units makes all, which are then the first share. */
fr_status fri_generate_share(fr_ctx *ctx, const char *description, int share, int shares,
                             fri_edge_list *edges);

/* Writes the edges of units begin .. end-1 to ends and returns their number; with ends NULL it only
 * counts. A pure function of the unit and the seed, so that the result does not depend on blocks
 * and threads. */
typedef int64_t (*fri_gen_emit_fn)(const void *state, int64_t begin, int64_t end, int32_t *ends);

/* Fills edges->blocks from units 0 .. units-1 (vertices, or edges), in parallel. exact: every unit
 * gives one edge, so that no counting pass is needed. max_edges: the maximum number of edges per unit,
 * for the size of blocks. Fails before any allocation if memory cannot hold the edges. */
fr_status fri_gen_emit_parallel(fri_gen_args *args, int64_t units, int64_t max_edges, bool exact,
                                fri_gen_emit_fn emit, const void *state);

/* Sets edges->n; fails for more than 2^31-1 vertices, more than 2^40 edges, and if memory cannot
 * hold offsets and edges (at least). */
fr_status fri_gen_size(fri_gen_args *args, int64_t n, int64_t m);

/* A keyed bijection of 0 .. 2^bits-1: replaces a random permutation without its array. */
typedef struct fri_permutation {
    uint64_t mask, add, odd[2];
    int shift;
} fri_permutation;
fri_permutation fri_permutation_of(uint64_t seed, int bits);

static inline uint64_t fri_permute(const fri_permutation *s, uint64_t x) {
    /* each step is a bijection of the low bits: add, multiply by an odd number, xor-shift right */
    x = ((x + s->add) * s->odd[0]) & s->mask;
    x ^= x >> s->shift;
    x = (x * s->odd[1]) & s->mask;
    x ^= x >> s->shift;
    x = (x * s->odd[0]) & s->mask;
    return x ^ x >> s->shift;
}

/* The same for 0 .. bound-1: iterates until the value is below bound (fewer than two steps on
 * average). `s` must have been made for the bits of bound - 1. */
static inline uint64_t fri_permute_below(const fri_permutation *s, uint64_t x, uint64_t bound) {
    do
        x = fri_permute(s, x);
    while (x >= bound);
    return x;
}

static inline int fri_bits_of(uint64_t x) { return x ? 64 - __builtin_clzll(x) : 0; }

#endif
