/* Predicted times of all pairs on the GPU, by strategy: pure functions of what is known before the first query. The
 * constants are fitted to calls on an H200 (tests/unit/test_apsp_costs.c has them), unless their comment says
 * otherwise. */
#ifndef FRI_CUDA_APSP_COSTS_H
#define FRI_CUDA_APSP_COSTS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct fri_apsp_work {
    double n, m, rows;
    double levels; /* of a breadth-first search, predicted (fri_backend_levels) */
    bool wide;     /* distances of 8 bytes */
    int threads;   /* of the host, for rows at once */
} fri_apsp_work;

/* In nanoseconds: launches, barriers and reads of control words, which small graphs wait for, and the rest. */
typedef struct fri_apsp_cost {
    double waits, work;
} fri_apsp_cost;
static inline double fri_apsp_ns(fri_apsp_cost c) { return c.waits + c.work; }

/* A tiled Floyd-Warshall: by the specification, 64 add-mins per clock and multiprocessor, half of that achieved. */
static inline fri_apsp_cost fri_apsp_matrix_cost(const fri_apsp_work *w) {
    const double cell = w->wide ? 6e-4 : 1.5e-4, tile = 2e4, n = fmax(w->n, 64);
    const fri_apsp_cost cost = {n / 64 * tile, n * n * n * cell};
    return cost;
}

/* multi-bfs, up to FRI_APSP_BFS_PASS sources at once, a word per 64, without rows. */
enum { FRI_APSP_BFS_PASS = 512 };
static inline fri_apsp_cost fri_apsp_multi_bfs_cost(const fri_apsp_work *w) {
    const double pass = 2e5, edge = 1.6e-2, level = 1.3e4, word = 1.3e-2;
    const double passes = ceil(w->rows / FRI_APSP_BFS_PASS), words = ceil(w->rows / 64);
    const fri_apsp_cost cost = {passes * (pass + w->levels * level),
                                passes * w->m * edge + words * w->levels * w->n * word};
    return cost;
}
/* Writing its rows of n: levels of bits become values. */
static inline double fri_apsp_bfs_rows_ns(const fri_apsp_work *w) {
    const double value = 9e-3;
    return w->rows * w->n * value;
}

/* The same with a block per source (bfs/many/blocks.cuh): what a block has in shared memory, of which `shared` bytes are
 * there, and how many are resident. A quarter is the ring of the frontier's vertices; all bits of the visited vertices
 * are kept where that leaves a block or more per multiprocessor; what blocks leave is L1. */
enum { FRI_BLOCK_MOST = 4, FRI_BLOCK_THREADS = 1024, FRI_BLOCK_OWN = 1536 /* bytes of a block */ };
typedef struct fri_block_shape {
    int32_t per_multiprocessor, threads;
    int32_t ring, kept; /* words: entries of the ring, a power of two; bits of vertices */
} fri_block_shape;
static inline fri_block_shape fri_block_shape_with(int64_t n, int64_t shared, int blocks) {
    const int64_t map = n > 0 ? (n - 1) / 32 + 1 : 1, words = (shared / blocks - FRI_BLOCK_OWN) / 4;
    fri_block_shape s = {blocks, FRI_BLOCK_THREADS / blocks / 32 * 32, 1, 0};
    while (8 * s.ring <= words)
        s.ring *= 2;
    s.kept = (int32_t)(map < words - s.ring ? map : words - s.ring);
    return s;
}
/* per_multiprocessor: 0 for as many as keep all bits. */
static inline fri_block_shape fri_block_shape_of(int64_t n, int64_t shared, int blocks) {
    fri_block_shape s = fri_block_shape_with(n, shared, blocks ? blocks : FRI_BLOCK_MOST);
    while (!blocks && s.per_multiprocessor > 1 && (int64_t)s.kept * 32 < n)
        s = fri_block_shape_with(n, shared, s.per_multiprocessor / 2);
    return s;
}
static inline fri_apsp_cost fri_apsp_blocks_cost(const fri_apsp_work *w) {
    const double launch = 5e4, level = 2e3, edge = 1; /* of one block */
    const int64_t shared = 227 << 10, multiprocessors = 132;
    const int resident = fri_block_shape_of((int64_t)w->n, shared, 0).per_multiprocessor;
    const double turns = ceil(w->rows / (double)(resident * multiprocessors));
    const fri_apsp_cost cost = {launch, turns * (w->levels * level + w->m * edge)};
    return cost;
}

/* Whether they take less time than the words of all sources, and the time of the faster. */
static inline bool fri_apsp_blocks_pay(const fri_apsp_work *w) {
    return fri_apsp_ns(fri_apsp_blocks_cost(w)) < fri_apsp_ns(fri_apsp_multi_bfs_cost(w));
}
static inline fri_apsp_cost fri_apsp_bfs_cost(const fri_apsp_work *w) {
    return fri_apsp_blocks_pay(w) ? fri_apsp_blocks_cost(w) : fri_apsp_multi_bfs_cost(w);
}

/* multi-sssp: a block for each source; in a turn each has one, and takes as long for a round as for some levels. */
static inline fri_apsp_cost fri_apsp_multi_sssp_cost(const fri_apsp_work *w) {
    const double launch = 1e5, level = 3e3, edge = 11; /* of one block */
    const double turns = ceil(w->rows / (2 * 132));
    const fri_apsp_cost cost = {launch, turns * (w->levels * level + w->m * edge)};
    return cost;
}

/* each-sssp: rows of SSSP `auto`, one after the other, or several at once on parts of the GPU, which wait at the same
 * time, each for its barriers and its host thread. */
enum { FRI_APSP_SEARCHES = 8 };
static inline int32_t fri_apsp_searches_at_once(double rows, int threads) {
    double most = fmin((double)FRI_APSP_SEARCHES, (double)threads);
#ifdef FRI_SIMT
    most = 2;
#endif
    return (int32_t)fmax(fmin(most, floor(rows / 2)), 1);
}
static inline fri_apsp_cost fri_apsp_each_sssp_cost(const fri_apsp_work *w) {
    const int32_t at_once = fri_apsp_searches_at_once(w->rows, w->threads);
    const double query = 1.9e5, edge = at_once > 1 ? 5e-3 : 6.5e-3, level = 1.3e3;
    const fri_apsp_cost cost = {w->rows * (query + w->levels * level) / at_once,
                                w->rows * w->m * edge};
    return cost;
}

#endif
