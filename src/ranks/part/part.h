/* A rank's part of a graph: the edges into its own vertices, in two forms.
 *
 * Vertex v belongs to rank v mod P as its own index v / P. A slot is rank * share + own index, so
 * that the vertices of a rank are a contiguous range of slots, and a bitmap of all slots is the
 * bitmaps of the ranks one after the other: share is a multiple of 64.
 *
 * Why edges into own vertices: as a rank knows the whole frontier, claims, levels, parents and relaxations are
 * local, and a hub's edges are divided. Division by source has remote claims: 5 times the bytes (simulated,
 * Kronecker 18, 8 ranks). Two dimensions need 1.6 times fewer bytes, but one more exchange per level and no early
 * exit of a pull; they should be faster beyond 64 ranks. Round robin gives the largest of 4 ranks 1.06 times the
 * mean of the edges. */
#ifndef FRI_RANKS_PART_H
#define FRI_RANKS_PART_H

#include "fringe_ranks.h"
#include "base/bitmap.h"
#include "graph/graph.h"
#include "ranks/world/world.h"

struct fr_part {
    fr_world *world;
    int64_t n, m; /* of the whole graph */
    int32_t share, own;
    bool undirected;
    fr_graph *push;        /* row of every slot: own indices of its targets here, with weights */
    int64_t *pull_offsets; /* [own + 1] rows of own indices: the slots of their in-edges */
    int32_t *pull_sources;
    int32_t *input;    /* [own] in-edges of the input, before any was dropped; a loop counts 2 */
    fri_ids ids;       /* list: [n], of all vertices */
    double max_weight; /* over all ranks; 1 without weights */
    bool negative;     /* some rank has a negative weight */
    int64_t max_edges, read_ns, build_ns;
};

static inline int64_t fri_part_slots(const fr_part *p) {
    return (int64_t)p->share * p->world->size;
}
static inline int32_t fri_part_slot(const fr_part *p, int64_t vertex) {
    return (int32_t)(vertex % p->world->size * p->share + vertex / p->world->size);
}
/* The slot of own index 0. */
static inline int32_t fri_part_base(const fr_part *p) { return p->share * p->world->rank; }
static inline int64_t fri_part_words(const fr_part *p) { return p->share / 64; }
/* The vertices of a rank. */
static inline int32_t fri_part_own_of(const fr_part *p, int rank) {
    return (int32_t)((p->n - rank + p->world->size - 1) / p->world->size);
}

static inline int64_t fri_part_in_degree(const fr_part *p, int32_t i) {
    return p->pull_offsets[i + 1] - p->pull_offsets[i];
}

/* Distances are stored as int64. With integer weights or none an entry is the distance; with float
 * weights it is the bits of a double, which compare as the doubles do because no distance is
 * negative. */
static inline bool fri_dist_is_real(fr_type weights) {
    return weights == FR_TYPE_F32 || weights == FR_TYPE_F64;
}
static inline int64_t fri_dist_inf(fr_type weights) {
    return fri_dist_is_real(weights) ? INT64_C(0x7ff0000000000000) : FR_INF_I64;
}
static inline double fri_dist_real(int64_t bits) {
    union {
        int64_t bits;
        double real;
    } u = {.bits = bits};
    return u.real;
}
static inline int64_t fri_dist_bits(double real) {
    union {
        double real;
        int64_t bits;
    } u = {.real = real};
    return u.bits;
}
/* dist + width, which is a distance; infinity when the sum does not fit int64. */
static inline int64_t fri_dist_plus(fr_type weights, int64_t dist, int64_t width) {
    if (fri_dist_is_real(weights))
        return fri_dist_bits(fri_dist_real(dist) + fri_dist_real(width));
    int64_t sum;
    return __builtin_add_overflow(dist, width, &sum) ? FR_INF_I64 : sum;
}
/* dist + the weight of edge e; infinity when the sum does not fit int64. */
static inline int64_t fri_dist_add(const fr_csr *csr, int64_t dist, int64_t e) {
    if (fri_dist_is_real(csr->weight_type))
        return fri_dist_bits(fri_dist_real(dist) + fri_csr_weight(csr, e));
    int64_t sum;
    return __builtin_add_overflow(dist, fri_csr_int_weight(csr, e), &sum) ? FR_INF_I64 : sum;
}

#endif
