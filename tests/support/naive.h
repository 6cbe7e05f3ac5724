/* Answers computed the slowest and plainest way, for tests to compare with. Integer distances. */
#ifndef TEST_NAIVE_H
#define TEST_NAIVE_H

#include "fringe.h"

enum { NAIVE_NONE = -1 };
#define NAIVE_INF INT64_MAX

/* A small random graph: up to max_n vertices, weights low .. high. With `potential` > 0 each
 * weight gets potential[u] - potential[v] added, so that many are negative, and no cycle is. */
typedef struct naive_shape {
    int32_t max_n, max_m;
    int low, high, potential;
    bool undirected;
} naive_shape;
fr_graph *naive_random_graph(fr_ctx *ctx, uint64_t *state, const naive_shape *shape);

uint64_t naive_random(uint64_t *state); /* *state starts at any seed */
int naive_between(uint64_t *state, int low, int high);

/* dist[n] by repeated relaxation, NAIVE_INF where unreached; unit: every edge counts 1. parent[n]
 * (may be NULL) makes a forest. False when a negative cycle is reachable. */
bool naive_paths(const fr_csr *csr, const int32_t *sources, int64_t count, bool unit, int64_t *dist,
                 int32_t *parent);

/* Weight of the least edge u -> v; NAIVE_INF: none. */
int64_t naive_weight(const fr_csr *csr, int32_t u, int32_t v, bool unit);

/* Are these allowed parents for those (right) distances: tight, and a forest? */
bool naive_parents_allowed(const fr_csr *csr, const int32_t *sources, int64_t count, bool unit,
                           const int64_t *dist, const int32_t *parent);

#endif
