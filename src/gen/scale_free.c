/* Luo's scale-free graphs: few hubs among vertices of nearly equal degree.
 *
 * Source: L. Luo, M. Wong, W. Hwu: An effective GPU implementation of breadth-first search, DAC
 *   2010, section 4: 0.1 % of the vertices have degree 1000, the others 6 on average, at most 7.
 * Idea: a configuration model. Of each 1000 vertices one, at a random position, is a hub with 1000
 *   half-edges, the others have 5, 6 or 7 in equal proportions; they are paired by a keyed bijection
 *   of all half-edges, so that neither a shuffled array nor a degree array is needed.
 * Differs: the paper does not say how endpoints were drawn. Degrees count a loop twice; the CSR
 *   stores it once, and some hubs have one. The last n mod 1000 vertices have degree 6.
 * Work: m.
 */
#include "gen/generator.h"

#include "base/rng.h"

enum { GROUP = 1000, HUB = 1000, TRIPLE = 18, HALVES = HUB + (GROUP - 1) / 3 * TRIPLE };

typedef struct {
    uint64_t seed, halves;
    fri_permutation pairing;
} half_edges;

/* The index, among ordinary vertices, of the vertex that owns ordinary half-edge s. */
static inline int64_t ordinary(uint64_t s) {
    uint64_t in = s % TRIPLE;
    return (int64_t)(s / TRIPLE * 3 + (in >= 5) + (in >= 11)); /* 5, 6, 7 */
}

static inline int32_t owner(const half_edges *g, uint64_t half) {
    uint64_t group = half / HALVES, s = half % HALVES;
    int64_t first = (int64_t)group * GROUP;
    if (group == g->halves / HALVES) /* the last n mod 1000 vertices: degree 6 */
        return (int32_t)(first + (int64_t)(s / 6));
    int64_t hub = (int64_t)fri_random_below(fri_random(~g->seed, group), GROUP);
    if (s < HUB)
        return (int32_t)(first + hub);
    int64_t place = ordinary(s - HUB);
    return (int32_t)(first + place + (place >= hub));
}

static int64_t emit(const void *state, int64_t begin, int64_t end, int32_t *ends) {
    const half_edges *g = state;
    for (int64_t e = 2 * begin; ends && e < 2 * end; e++)
        *ends++ = owner(g, fri_permute_below(&g->pairing, (uint64_t)e, g->halves));
    return end - begin;
}

#define SCALE_FREE(P)                                                                              \
    P(n, FRI_PARAM_INT, 1000000, 1, 2147483647, "vertices")                                        \
    P(seed, FRI_PARAM_INT, 1, 0, 9e18, "of the random numbers")

static fr_status make(fri_gen_args *args) {
    enum { N, SEED };
    int64_t n = args->value[N].whole;
    half_edges g = {.seed = (uint64_t)args->value[SEED].whole};
    g.halves = (uint64_t)(n / GROUP * HALVES + n % GROUP * 6);
    g.pairing = fri_permutation_of(g.seed, fri_bits_of(g.halves - 1));
    int64_t edges = (int64_t)(g.halves / 2); /* the number of half-edges is even */
    fr_status status = fri_gen_size(args, n, edges);
    if (status)
        return status;
    args->edges->undirected = true;
    return fri_gen_emit_parallel(args, edges, 1, true, emit, &g);
}

FRI_GENERATOR(fri_gen_scale_free, "scale-free",
              "Luo's graph: 0.1 % of the vertices of degree 1000, the rest 5 to 7, undirected",
              SCALE_FREE, make);
