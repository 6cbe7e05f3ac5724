/* Small worlds: a ring with randomly rewired edges.
 *
 * Source: D. J. Watts, S. H. Strogatz: Collective dynamics of 'small-world' networks, Nature 393,
 *   1998 (k neighbors on the ring, rewiring probability p).
 * Idea: vertex v emits the edges to the k/2 next ones; each keeps its first endpoint and, with
 *   probability p, gets a uniform second one.
 * Differs: vertices are rewired independently, not in laps around the ring, so that blocks are
 *   independent of each other; a rewired edge never becomes a loop but may, with probability k/n,
 *   duplicate another (the option that drops parallel edges removes it).
 * Work: n k / 2.
 */
#include "gen/generator.h"

#include "base/rng.h"

typedef struct {
    uint64_t seed;
    int64_t n, half;
    double p;
} ring;

static int64_t emit(const void *state, int64_t begin, int64_t end, int32_t *ends) {
    const ring *r = state;
    for (int64_t e = begin; ends && e < end; e++, ends += 2) {
        int64_t v = e / r->half, u = (v + 1 + e % r->half) % r->n;
        if (fri_random_unit(fri_random(r->seed, 2 * (uint64_t)e)) < r->p) {
            u = (int64_t)fri_random_below(fri_random(r->seed, 2 * (uint64_t)e + 1),
                                          (uint64_t)r->n - 1);
            u += u >= v; /* any vertex except v itself */
        }
        ends[0] = (int32_t)v;
        ends[1] = (int32_t)u;
    }
    return end - begin;
}

#define SMALL_WORLD(P)                                                                             \
    P(n, FRI_PARAM_INT, 1000000, 1, 2147483647, "vertices")                                        \
    P(k, FRI_PARAM_INT, 10, 0, 1000000, "even: neighbors on the ring")                             \
    P(p, FRI_PARAM_REAL, 0.3, 0, 1, "probability of rewiring an edge")                             \
    P(seed, FRI_PARAM_INT, 1, 0, 9e18, "of the random numbers")

static fr_status make(fri_gen_args *args) {
    enum { N, K, P, SEED };
    const fri_param_value *v = args->value;
    int64_t n = v[N].whole, k = v[K].whole;
    if (k % 2 || k >= n)
        return fri_fail(args->ctx, FR_INVALID,
                        "generator small-world: k=%lld must be even and below n=%lld", (long long)k,
                        (long long)n);
    fr_status status = fri_gen_size(args, n, n * (k / 2));
    if (status)
        return status;
    args->edges->undirected = true;
    ring r = {(uint64_t)v[SEED].whole, n, k / 2, v[P].real};
    return fri_gen_emit_parallel(args, n * (k / 2), 1, true, emit, &r);
}

FRI_GENERATOR(fri_gen_small_world, "small-world", "Watts and Strogatz's rewired ring, undirected",
              SMALL_WORLD, make);
