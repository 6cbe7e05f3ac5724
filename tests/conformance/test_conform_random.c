/* Property test: random graphs, weights, strategies, knobs, threads and queries against the
 * oracle. A failure prints its seed; FRINGE_SEED=that FRINGE_CASES=1 repeats it alone,
 * FRINGE_CASES=100000 searches for more. */
#include "conformance/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    uint64_t seed, at;
} dice;

static int32_t roll(dice *d, int32_t sides) {
    return (int32_t)(cf_random(d->seed, d->at++) % (uint32_t)sides);
}

static cf_graph *random_graph(fr_ctx *ctx, dice *d, cf_weights weights) {
    cf_edges e = {.n = 1 + roll(d, roll(d, 4) ? 40 : 600)};
    int64_t m = roll(d, 1 + e.n * (1 + roll(d, 8)));
    int32_t spread = roll(d, 3) ? e.n : 1 + roll(d, 8); /* far ends, or near ones: deep graphs */
    int32_t cluster = 1 + roll(d, e.n); /* some sources are drawn from few vertices */
    bool clustered = roll(d, 2), directed = roll(d, 2) || cf_is_negative(weights);
    for (int64_t i = 0; i < m; i++) {
        int32_t u = roll(d, clustered && roll(d, 3) ? cluster : e.n);
        cf_edge(&e, u, (u + roll(d, spread)) % e.n);
    }
    return cf_graph_from(ctx, "random", &e, directed, weights, d->seed);
}

static cf_query random_query(dice *d, const cf_graph *g) {
    cf_query q = {.name = "random", .source_count = 1};
    if (roll(d, 3) == 0)
        q.source_count = 1 + roll(d, CF_MAX_VERTICES);
    for (int i = 0; i < q.source_count; i++)
        q.sources[i] = roll(d, g->n);
    if (roll(d, 4) == 0)
        q.target_count = 1 + roll(d, CF_MAX_VERTICES);
    for (int i = 0; i < q.target_count; i++)
        q.targets[i] = roll(d, g->n);
    if (roll(d, 4) == 0 && !cf_is_negative(g->weights))
        q.limit = (1 + roll(d, 12)) * (cf_weight_type(g->weights) == FR_TYPE_I64 ? 0x1p52 : 1);
    q.min_parents = roll(d, 4) == 0 && !q.target_count;
    q.no_value = roll(d, 8) == 0 && !q.target_count;
    q.no_parent = roll(d, 8) == 0;
    return q;
}

static void one_row(fr_ctx *ctx, dice *d, cf_config *c) {
    int settings = 0;
    while (cf_knobs(&c->strategy, settings, c->knobs))
        settings++;
    cf_knobs(&c->strategy, roll(d, 2) ? roll(d, settings) : 0, c->knobs);
    c->threads = 1 + roll(d, 4);
    fr_solver *solver = cf_solver_new(ctx, c);
    cf_number *dist = malloc((size_t)c->g->n * sizeof *dist);
    int32_t *min_parents = malloc((size_t)c->g->n * sizeof *min_parents);
    for (int i = 0; solver && i < 3; i++) {
        cf_query q = random_query(d, c->g);
        bool unit = c->strategy.problem == FR_PROBLEM_BFS || c->unit;
        cf_solve(c->g, unit, q.sources, q.source_count, dist, min_parents);
        bool unique = unit || (c->g->weights != CF_ZERO && !cf_is_negative(c->g->weights));
        cf_check(ctx, c, solver, &q, dist, unique ? min_parents : NULL);
    }
    free(dist);
    free(min_parents);
    fr_solver_free(solver);
}

static void one_seed(fr_ctx *ctx, uint64_t seed) {
    dice d = {.seed = seed};
    cf_weights weights = (cf_weights)roll(&d, CF_CYCLES);
    if (weights == CF_HUGE || weights == CF_I64_OVER) /* sums leave the type */
        weights = CF_I64_53;
    cf_graph *g = random_graph(ctx, &d, weights);
    cf_config c = {.g = g, .seed = seed};
    if (!g) {
        printf("seed %llu\n", (unsigned long long)seed);
        cf_failures++;
        return;
    }
    for (int p = FR_PROBLEM_BFS; p <= FR_PROBLEM_SSSP; p++)
        for (int r = 0; cf_strategy((fr_problem)p, r, &c.strategy); r++) {
            c.unit = p == FR_PROBLEM_SSSP && roll(&d, 6) == 0;
            if (p == FR_PROBLEM_BFS || !cf_is_negative(weights) || c.unit ||
                cf_takes_negative(&c.strategy))
                one_row(ctx, &d, &c);
        }
    cf_graph_free(g);
}

int main(void) {
    const char *seed = getenv("FRINGE_SEED"), *cases = getenv("FRINGE_CASES");
    uint64_t first = seed ? strtoull(seed, NULL, 10) : 1;
    uint64_t count = cases           ? strtoull(cases, NULL, 10)
                     : cf_is_brief() ? 300
                     : CF_SANITIZED  ? 500
                                     : 1500;
    fr_ctx *ctx;
    if (fr_ctx_new(NULL, &ctx))
        return 1;
    for (uint64_t i = 0; i < count; i++)
        one_seed(ctx, first + i);
    fr_ctx_free(ctx);
    return cf_finish("random");
}
