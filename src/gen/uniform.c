/* Uniform random graphs G(n, m): m edges, each between two uniform vertices.
 *
 * Source: P. Erdos, A. Renyi: On random graphs I, Publ. Math. Debrecen 6, 1959; as in GTgraph's
 *   random generator and GAPBS's -u.
 * Differs: endpoints are drawn with replacement, so that loops (m/n of them expected) and parallel
 *   edges occur; the options can drop them, as for a file.
 * Work: m.
 */
#include "gen/generator.h"

#include "base/rng.h"

typedef struct {
    uint64_t seed, n;
} uniform;

static int64_t emit(const void *state, int64_t begin, int64_t end, int32_t *ends) {
    const uniform *u = state;
    for (int64_t e = begin; ends && e < end; e++, ends += 2) {
        ends[0] = (int32_t)fri_random_below(fri_random(u->seed, 2 * (uint64_t)e), u->n);
        ends[1] = (int32_t)fri_random_below(fri_random(u->seed, 2 * (uint64_t)e + 1), u->n);
    }
    return end - begin;
}

#define UNIFORM(P)                                                                                 \
    P(n, FRI_PARAM_INT, 1048576, 1, 2147483647, "vertices")                                        \
    P(edges, FRI_PARAM_INT, 0, 0, 1099511627776, "edges; 16 per vertex if not given")              \
    P(directed, FRI_PARAM_INT, 0, 0, 1, "1: directed")                                             \
    P(seed, FRI_PARAM_INT, 1, 0, 9e18, "of the random numbers")

static fr_status make(fri_gen_args *args) {
    enum { N, EDGES, DIRECTED, SEED };
    const fri_param_value *v = args->value;
    int64_t m = v[EDGES].given ? v[EDGES].whole : 16 * v[N].whole;
    fr_status status = fri_gen_size(args, v[N].whole, m);
    if (status)
        return status;
    args->edges->undirected = !v[DIRECTED].whole;
    uniform u = {(uint64_t)v[SEED].whole, (uint64_t)v[N].whole};
    return fri_gen_emit_parallel(args, m, 1, true, emit, &u);
}

FRI_GENERATOR(fri_gen_uniform, "uniform", "Erdos-Renyi graph of uniform edges, undirected", UNIFORM,
              make);
