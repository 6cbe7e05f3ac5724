/* Uniform random graphs G(n, m): m edges, each between two uniform vertices.
 *
 * Source: P. Erdos, A. Renyi: On random graphs I, Publ. Math. Debrecen 6, 1959; as GTgraph's
 *   random generator and GAPBS's -u make them.
 * Differs: ends are drawn with replacement, so that loops (m/n of them expected) and parallel
 *   edges occur; drop them with the options, as for a file.
 * Work: m.
 */
#include "gen/generators.h"

#include "base/rng.h"

typedef struct {
    uint64_t seed, n;
} uniform;

static int64_t emit(const void *state, int64_t begin, int64_t end, int32_t *ends) {
    const uniform *u = state;
    for (int64_t e = begin; ends && e < end; e++, ends += 2) {
        ends[0] = (int32_t)fri_below(fri_random(u->seed, 2 * (uint64_t)e), u->n);
        ends[1] = (int32_t)fri_below(fri_random(u->seed, 2 * (uint64_t)e + 1), u->n);
    }
    return end - begin;
}

#define UNIFORM(P)                                                                                 \
    P(n, FRI_WHOLE, 1048576, 1, 2147483647, "vertices")                                            \
    P(edges, FRI_WHOLE, 0, 0, 1099511627776, "edges; when not given 16 per vertex")                \
    P(directed, FRI_WHOLE, 0, 0, 1, "1: directed")                                                 \
    P(seed, FRI_WHOLE, 1, 0, 9e18, "of the random numbers")

static fr_status make(fri_recipe *recipe) {
    enum { N, EDGES, DIRECTED, SEED };
    const fri_value *v = recipe->value;
    int64_t m = v[EDGES].given ? v[EDGES].whole : 16 * v[N].whole;
    fr_status status = fri_gen_size(recipe, v[N].whole, m);
    if (status)
        return status;
    recipe->edges->undirected = !v[DIRECTED].whole;
    uniform u = {(uint64_t)v[SEED].whole, (uint64_t)v[N].whole};
    return fri_emit_all(recipe, m, 1, true, emit, &u);
}

static const fri_parameter parameters[] = {UNIFORM(FRI_PARAMETER_ROW){0}};
const fri_generator fri_gen_uniform = {
    "uniform", "Erdos-Renyi graph of uniform edges, undirected;" UNIFORM(FRI_PARAMETER_TEXT),
    parameters, make};
