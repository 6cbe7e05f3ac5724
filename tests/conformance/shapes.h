/* The graphs of the conformance suite and of unit tests, as edge lists. */
#ifndef CONFORMANCE_SHAPES_H
#define CONFORMANCE_SHAPES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cf_edges {
    int32_t n;
    int64_t m, capacity;
    int32_t *ends; /* [2 * m] */
} cf_edges;

typedef struct cf_shape {
    const char *name;
    void (*build)(cf_edges *edges);
    bool directed;
    bool large; /* 1e5 vertices: fewer combinations */
} cf_shape;

extern const cf_shape cf_shapes[]; /* ended by a NULL name */

/* The shape of that name; aborts when there is none. */
const cf_shape *cf_shape_named(const char *name);

void cf_edge(cf_edges *edges, int32_t u, int32_t v);
/* An edge from `hub` to every other of n vertices. */
void cf_star(cf_edges *edges, int32_t n, int32_t hub);
/* side * side vertices, each with an edge to its right and lower neighbor. */
void cf_grid(cf_edges *edges, int32_t side);

/* The k-th number of stream `seed`: the tests' own generator, so that the library's may change. */
uint32_t cf_random(uint64_t seed, uint64_t k);
/* A number from low to high, both included. *state starts at any seed and is advanced. */
int cf_between(uint64_t *state, int low, int high);

#endif
