#include "conformance/shapes.h"

#include <stdlib.h>
#include <string.h>

void cf_edge(cf_edges *e, int32_t u, int32_t v) {
    if (e->m == e->capacity) {
        e->capacity = e->capacity ? 2 * e->capacity : 64;
        e->ends = realloc(e->ends, (size_t)e->capacity * 2 * sizeof *e->ends);
        if (!e->ends)
            abort();
    }
    e->ends[2 * e->m] = u;
    e->ends[2 * e->m + 1] = v;
    e->m++;
}

uint32_t cf_random(uint64_t seed, uint64_t k) {
    uint64_t x = seed * 0x9e3779b97f4a7c15u + k * 0xd1342543de82ef95u + 1;
    for (int i = 0; i < 3; i++)
        x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
    return (uint32_t)(x >> 32);
}

int cf_between(uint64_t *state, int low, int high) {
    *state += 0x9e3779b97f4a7c15u;
    return low + (int)(cf_random(*state, 0) % (uint32_t)(high - low + 1));
}

static void empty(cf_edges *e) { e->n = 0; }
static void one_vertex(cf_edges *e) { e->n = 1; }
static void no_edges(cf_edges *e) { e->n = 70; }

static void self_loop(cf_edges *e) {
    e->n = 3;
    cf_edge(e, 0, 0);
    cf_edge(e, 0, 1);
    cf_edge(e, 1, 1);
}

static void parallel_edges(cf_edges *e) {
    e->n = 4;
    for (int i = 0; i < 5; i++) {
        cf_edge(e, 0, 1);
        cf_edge(e, 1, 2);
        cf_edge(e, 2, 1);
    }
    cf_edge(e, 2, 3);
}

static void path_of(cf_edges *e, int32_t n) {
    e->n = n;
    for (int32_t v = 0; v + 1 < n; v++)
        cf_edge(e, v, v + 1);
}
static void path_1e5(cf_edges *e) { path_of(e, 100000); }
static void path_400(cf_edges *e) { path_of(e, 400); }

static void cycle(cf_edges *e) {
    path_of(e, 67);
    cf_edge(e, 66, 0);
}

void cf_star(cf_edges *e, int32_t n, int32_t hub) {
    e->n = n;
    for (int32_t v = 0; v < n; v++)
        if (v != hub)
            cf_edge(e, hub, v);
}
static void star(cf_edges *e) { cf_star(e, 1500, 700); }

static void in_star(cf_edges *e) {
    e->n = 1500;
    for (int32_t v = 0; v + 1 < e->n; v++)
        cf_edge(e, v, e->n - 1);
}

static void clique(cf_edges *e) {
    e->n = 65;
    for (int32_t u = 0; u < e->n; u++)
        for (int32_t v = u + 1; v < e->n; v++)
            cf_edge(e, u, v);
}

void cf_grid(cf_edges *e, int32_t side) {
    e->n = side * side;
    for (int32_t v = 0; v < e->n; v++) {
        if ((v + 1) % side)
            cf_edge(e, v, v + 1);
        if (v + side < e->n)
            cf_edge(e, v, v + side);
    }
}
static void grid(cf_edges *e) { cf_grid(e, 33); }

static void tree(cf_edges *e) {
    e->n = 1023;
    for (int32_t v = 1; v < e->n; v++)
        cf_edge(e, (v - 1) / 2, v);
}

static void two_components(cf_edges *e) {
    e->n = 200;
    for (int32_t v = 0; v + 2 < e->n; v++) /* even and odd vertices */
        cf_edge(e, v, v + 2);
    cf_edge(e, 0, 100);
    cf_edge(e, 1, 151);
}

/* R-MAT, a = .57, b = c = .19, with isolated vertices, loops and parallel edges */
static void rmat(cf_edges *e, int scale, int64_t edges, uint64_t seed) {
    e->n = 1 << scale;
    for (int64_t i = 0; i < edges; i++) {
        int32_t u = 0, v = 0;
        for (int bit = 0; bit < scale; bit++) {
            uint32_t r = cf_random(seed, (uint64_t)(i * scale + bit)) % 100;
            u |= (r >= 76) << bit;
            v |= ((r >= 57 && r < 76) || r >= 95) << bit;
        }
        cf_edge(e, u, v);
    }
}
static void kronecker(cf_edges *e) { rmat(e, 10, 8192, 1); }
static void kronecker_sparse(cf_edges *e) { rmat(e, 11, 3000, 2); }

/* A chain of hubs, each with enough leaves to have exactly the requested degree. */
static void degrees(cf_edges *e, const int32_t *degree, int count) {
    e->n = count;
    for (int i = 0; i < count; i++) {
        int32_t chain = (i > 0) + (i + 1 < count);
        if (i + 1 < count)
            cf_edge(e, i, i + 1);
        for (int32_t k = chain; k < degree[i]; k++)
            cf_edge(e, i, e->n++);
    }
}
static void degrees_32(cf_edges *e) { degrees(e, (const int32_t[]){31, 32, 33, 63, 64, 65}, 6); }
static void degrees_256(cf_edges *e) {
    degrees(e, (const int32_t[]){255, 256, 257, 511, 512, 513}, 6);
}

/* Every vertex is adjacent to some of three hubs: one level holds nearly all vertices. */
static void hubs(cf_edges *e) {
    e->n = 2500;
    for (int32_t v = 3; v < e->n; v++)
        for (int32_t h = 0; h < 3; h++)
            if ((v + h) % 5)
                cf_edge(e, h, v);
}

/* A clique with a long tail: large frontiers, then small ones. */
static void lollipop(cf_edges *e) {
    e->n = 300;
    for (int32_t u = 0; u < 60; u++)
        for (int32_t v = u + 1; v < 60; v++)
            cf_edge(e, u, v);
    for (int32_t v = 59; v + 1 < e->n; v++)
        cf_edge(e, v, v + 1);
}

static void dag(cf_edges *e) {
    e->n = 400;
    for (int32_t u = 0; u + 1 < e->n; u++)
        for (int k = 0; k < 4; k++) {
            int32_t reach = 1 + (int32_t)(cf_random(3, (uint64_t)u * 4 + (uint64_t)k) % 40);
            if (u + reach < e->n)
                cf_edge(e, u, u + reach);
        }
}

/* Rows of a grid with alternating directions, connected by a few one-way edges. */
static void one_way_grid(cf_edges *e) {
    const int32_t side = 24;
    e->n = side * side;
    for (int32_t v = 0; v < e->n; v++) {
        int32_t row = v / side, column = v % side;
        if (row % 2 == 0 && column + 1 < side)
            cf_edge(e, v, v + 1);
        if (row % 2 == 1 && column > 0)
            cf_edge(e, v, v - 1);
        if (row + 1 < side && column % 3 == 0)
            cf_edge(e, v, v + side);
        if (row > 0 && column % 3 == 1)
            cf_edge(e, v, v - side);
    }
}

const cf_shape cf_shapes[] = {
    {"empty", empty, false, false},
    {"one-vertex", one_vertex, false, false},
    {"no-edges", no_edges, false, false},
    {"self-loop", self_loop, false, false},
    {"self-loop-directed", self_loop, true, false},
    {"parallel-edges", parallel_edges, false, false},
    {"parallel-edges-directed", parallel_edges, true, false},
    {"path-400", path_400, false, false},
    {"path-400-directed", path_400, true, false},
    {"cycle-directed", cycle, true, false},
    {"star", star, false, false},
    {"star-directed", star, true, false},
    {"in-star", in_star, true, false},
    {"clique", clique, false, false},
    {"grid", grid, false, false},
    {"tree", tree, false, false},
    {"tree-directed", tree, true, false},
    {"two-components", two_components, false, false},
    {"kronecker", kronecker, false, false},
    {"kronecker-directed", kronecker, true, false},
    {"kronecker-sparse", kronecker_sparse, false, false},
    {"degrees-32", degrees_32, false, false},
    {"degrees-256", degrees_256, false, false},
    {"degrees-256-directed", degrees_256, true, false},
    {"hubs", hubs, false, false},
    {"lollipop", lollipop, false, false},
    {"dag", dag, true, false},
    {"one-way-grid", one_way_grid, true, false},
    {"path-1e5", path_1e5, false, true},
    {0},
};

const cf_shape *cf_shape_named(const char *name) {
    for (const cf_shape *s = cf_shapes; s->name; s++)
        if (strcmp(s->name, name) == 0)
            return s;
    abort();
}
