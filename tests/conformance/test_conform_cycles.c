/* Negative cycles: every strategy that accepts negative weights finds those that its sources
 * reach, returns a valid certificate, and ignores the others. With mark_negative_cycles it returns
 * minus infinity for the vertices that a cycle leads to, and right distances elsewhere. */
#include "conformance/negative_cycles.h"
#include "conformance/wide_traps.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *graph; /* NULL: long_cycle */
    bool reachable;           /* from vertex 0 */
} traps[] = {
    {"loop", "3: 0>1/1 1>1/-1 1>2/1", true},
    {"undirected", "3: 0-1/4 1-2/-1", true},
    {"beside", "7: 0>1/2 1>2/3 2>1/-4 0>3/9 3>4/-7 2>5/1 6>0/1", true},
    {"two-cycles", "8: 0>1/2 1>2/3 2>1/-4 0>3/9 3>4/-7 4>5/1 5>4/-2 0>6/1 6>7/2", true},
    {"loop-at-source", "2: 0>0/-5 0>1/1", true},
    {"two", "3: 0>1/4 1>2/3 2>1/-4", true},
    {"parallel", "2: 0>1/5 0>1/2 1>0/-3", true},
    {"zero-then-negative", "4: 0>1/0 1>0/0 1>2/0 2>3/0 3>1/-1", true},
    {"long", NULL, true},
    {"behind-a-component", "6: 0>1/2 1>2/-1 3>4/1 4>5/1 5>3/-9", false},
    {"leads-here", "4: 0>1/2 2>3/-3 3>2/1 3>0/1", false},
    {"zero-cycle", "3: 0>1/3 1>2/-3 2>0/0 2>1/3", false},
};

/* 0 -> 1 -> ... -> 600 -> 0 weighs -1. */
static fr_graph *long_cycle(fr_ctx *ctx) {
    enum { LENGTH = 601 };
    int32_t src[LENGTH], dst[LENGTH], weights[LENGTH];
    for (int32_t v = 0; v < LENGTH; v++) {
        src[v] = v;
        dst[v] = (v + 1) % LENGTH;
        weights[v] = v + 1 < LENGTH ? 2 : -2 * (LENGTH - 1) - 1;
    }
    return test_of_edges(ctx, LENGTH, LENGTH, src, dst, weights, FR_TYPE_I32, NULL);
}

/* The smallest edge weight from u to v, by the public CSR; INFINITY: none. */
static double edge_weight(const cf_graph *g, int32_t u, int32_t v) {
    const fr_csr *csr = fr_graph_csr(g->graph);
    double best = INFINITY;
    for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
        if (csr->targets[e] == v)
            best = fmin(best, ((const int32_t *)csr->weights)[e]);
    return best;
}

static void check_cycle(fr_ctx *ctx, const cf_config *c, const fr_query *query,
                        const fr_result *r) {
    if (!r->cycle || r->cycle_length < 1) {
        cf_fail(c, NULL, "no cycle with FR_NEGATIVE_CYCLE");
        return;
    }
    double sum = 0;
    for (int32_t i = 0; i < r->cycle_length; i++)
        sum += edge_weight(c->g, r->cycle[i], r->cycle[(i + 1) % r->cycle_length]);
    if (!(sum < 0) || sum != r->cycle_weight)
        cf_fail(c, NULL, "the cycle of %d vertices weighs %g, said is %g", r->cycle_length, sum,
                r->cycle_weight);
    fr_status status =
        fr_verify_cycle(ctx, c->g->graph, query, r->cycle, r->cycle_length, r->cycle_weight);
    if (status)
        cf_fail(c, NULL, "the verifier returns %s: %s", fr_status_name(status), fr_ctx_error(ctx));
    status =
        fr_verify_cycle(ctx, c->g->graph, query, r->cycle, r->cycle_length, r->cycle_weight - 1);
    if (status != FR_VERIFY_FAILED)
        cf_fail(c, NULL, "the verifier lets a wrong weight pass");
}

static void run(fr_ctx *ctx, const cf_config *c, bool reachable) {
    fr_solver *solver = cf_solver_new(ctx, c);
    if (!solver)
        return;
    int64_t n = c->g->n;
    bool apsp = c->strategy.problem == FR_PROBLEM_APSP;
    int32_t source = 0, *parent = malloc((size_t)(n * n) * sizeof *parent);
    void *dist = malloc((size_t)(n * n) * 8);
    fr_query query = {.sources = apsp ? NULL : &source, .source_count = apsp ? 0 : 1};
    fr_status want = reachable ? FR_NEGATIVE_CYCLE : FR_OK;
    for (int repeat = 0; repeat < 2; repeat++) {
        fr_result result = {.dist = dist, .parent = repeat ? NULL : parent};
        cf_cases++;
        fr_status status = fr_solve(solver, &query, &result);
        if (status != want)
            cf_fail(c, NULL, "%s (%s), should be %s", fr_status_name(status), fr_ctx_error(ctx),
                    fr_status_name(want));
        else if (status) {
            if (fr_graph_csr(c->g->graph)->symmetric && !apsp &&
                !strstr(fr_ctx_error(ctx), "undirected"))
                cf_fail(c, NULL, "nothing is said of undirected edges: %s", fr_ctx_error(ctx));
            check_cycle(ctx, c, &query, &result);
        } else if (!apsp) {
            status = fr_verify_sssp(ctx, c->g->graph, &query, false, dist,
                                    fr_solver_dist_type(solver), result.parent);
            if (status)
                cf_fail(c, NULL, "the verifier fails: %s", fr_ctx_error(ctx));
        }
    }
    free(parent);
    free(dist);
    fr_solver_free(solver);
}

/* APSP does not support mark_negative_cycles and refuses it. */
static void refuse(fr_ctx *ctx, const cf_config *c) {
    fr_query query = {.mark_negative_cycles = true};
    fr_result result = {0};
    fr_solver *solver = cf_solver_new(ctx, c);
    fr_status status = solver ? fr_solve(solver, &query, &result) : FR_UNSUPPORTED;
    cf_cases++;
    if (status != FR_UNSUPPORTED)
        cf_fail(c, NULL, "past cycles: %s", fr_status_name(status));
    fr_solver_free(solver);
}

/* Every strategy that takes them, with distances of the usual type and of `wide`. */
static void shape(fr_ctx *ctx, const cf_graph *g, int32_t source, fr_type wide) {
    const cf_past want = cf_past_new(g, source);
    cf_config c = {.g = g, .threads = 2};
    for (int r = 0; cf_strategy(FR_PROBLEM_SSSP, r, &c.strategy); r++)
        for (int k = 0; cf_takes_negative(&c.strategy) && k < (wide ? 2 : 1); k++) {
            c.dist_type = k ? wide : FR_TYPE_NONE;
            cf_past_check(ctx, &c, &want);
        }
    free(want.dist);
}

/* Random weights with cycles below 0 here and there, on every shape. */
static void shapes(fr_ctx *ctx, cf_weights weights, fr_type wide) {
    for (const cf_shape *s = cf_shapes; s->name; s++) {
        cf_graph *g = s->large ? NULL : cf_graph_new(ctx, s, weights);
        const int32_t sources[] = {0, g ? g->hub : 0, g ? g->n - 1 : 0};
        for (int i = 0; g && g->n && i < 3; i++)
            shape(ctx, g, sources[i], wide);
        cf_graph_free(g);
    }
}

int main(void) {
    fr_ctx *ctx;
    if (fr_ctx_new(NULL, &ctx))
        return 1;
    for (size_t i = 0; i < COUNT(traps); i++) {
        cf_graph g = {.shape = traps[i].name, .weights = CF_NEGATIVE};
        cf_config c = {.g = &g};
        g.graph =
            traps[i].graph ? test_graph_of(ctx, traps[i].graph, FR_TYPE_I32) : long_cycle(ctx);
        g.n = fr_graph_vertex_count(g.graph);
        /* all pairs meet every cycle */
        const bool reachable[] = {false, traps[i].reachable, strcmp(g.shape, "zero-cycle") != 0};
        for (int p = FR_PROBLEM_SSSP; p <= FR_PROBLEM_APSP; p++)
            for (int r = 0; cf_strategy((fr_problem)p, r, &c.strategy); r++)
                for (int k = 0; cf_takes_negative(&c.strategy) && !cf_refuses_weights(ctx, &c) &&
                                cf_knobs(&c.strategy, k, c.knobs);
                     k++)
                    for (c.threads = 1; c.threads <= 3 && cf_runs_setting(c.g, k); c.threads++) {
                        if (!cf_runs_threads(c.threads, true))
                            continue;
                        run(ctx, &c, reachable[p]);
                        if (p == FR_PROBLEM_SSSP)
                            cf_past_cycles(ctx, &c, 0);
                        else
                            refuse(ctx, &c);
                    }
        fr_graph_free(g.graph);
    }
    shapes(ctx, CF_CYCLES, FR_TYPE_I64);
    shapes(ctx, CF_CYCLES_F, FR_TYPE_F64);
    shapes(ctx, CF_I64_CYCLES, FR_TYPE_NONE);
    cf_wide_traps(ctx, FR_PROBLEM_SSSP, NULL);
    cf_wide_traps(ctx, FR_PROBLEM_APSP, NULL);
    fr_ctx_free(ctx);
    return cf_finish("negative cycles");
}
