/* The graphs of the conformance suite: edge lists that say nothing about how they are traversed. */
#ifndef CONFORMANCE_SHAPES_H
#define CONFORMANCE_SHAPES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cf_edges {
    int32_t n;
    int64_t m, room;
    int32_t *ends; /* [2 * m] */
} cf_edges;

typedef struct cf_shape {
    const char *name;
    void (*build)(cf_edges *edges);
    bool directed;
    bool large; /* 1e5 vertices: fewer combinations */
} cf_shape;

extern const cf_shape cf_shapes[]; /* ended by a NULL name */

void cf_edge(cf_edges *edges, int32_t u, int32_t v);
/* The k-th number of stream `seed`: the suite's own, so that the library's may change. */
uint32_t cf_random(uint64_t seed, uint64_t k);

#endif
