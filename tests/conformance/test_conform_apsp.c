/* Every APSP strategy x small shapes x weights x knobs x threads: all sources and some, by array
 * and by callback, against one oracle run per source. */
#include "conformance/matrix.h"

#include <stdlib.h>

enum { LISTED = 70 /* more than one word of a bit-parallel search */ };

static void run(fr_ctx *ctx, const cf_config *c, const cf_number *want) {
    fr_solver *solver = cf_solver_new(ctx, c);
    if (!solver)
        return;
    int32_t list[LISTED];
    int64_t count = c->g->n ? LISTED : 0;
    for (int64_t i = 0; i < count && i < c->g->n; i++)
        list[i] = (int32_t)((i * 7919) % c->g->n);
    if (count > c->g->n)
        count = c->g->n;
    if (c->g->n <= 140)
        cf_check_matrix(ctx, c, solver, "all", want, NULL, 0, false, true);
    if (c->g->n <= 140)
        cf_check_matrix(ctx, c, solver, "all-by-row", want, NULL, 0, true, true);
    if (count) {
        cf_check_matrix(ctx, c, solver, "list", want, list, count, false, true);
        cf_check_matrix(ctx, c, solver, "list-no-parents", want, list, count, false, false);
        cf_check_matrix(ctx, c, solver, "one-by-row", want, list, 1, true, false);
    }
    fr_solver_free(solver);
}

/* Strategies that keep all pairs at once are too slow for the larger shapes. */
static bool small_enough(fr_ctx *ctx, const cf_config *c) {
    fr_solver_options options = {.strategy = c->strategy.name, .max_sources = LISTED};
    fr_memory_estimate bytes = {0};
    return c->g->n <= 600 ||
           (fr_estimate_memory(ctx, c->g->graph, FR_PROBLEM_APSP, &options, &bytes) == FR_OK &&
            bytes.host < (size_t)c->g->n * (size_t)c->g->n * 4);
}

static void shape(fr_ctx *ctx, const cf_shape *s, cf_weights weights, bool unit) {
    cf_graph *g = cf_graph_new(ctx, s, weights);
    if (!g) {
        cf_failures++;
        return;
    }
    cf_number *want = malloc(((size_t)g->n * (size_t)g->n + 1) * sizeof *want);
    for (int32_t v = 0; v < g->n; v++)
        cf_solve(g, unit, &v, 1, want + (size_t)v * (size_t)g->n, NULL);
    cf_config c = {.g = g, .unit = unit};
    for (int r = 0; cf_strategy(FR_PROBLEM_APSP, r, &c.strategy); r++) {
        if ((cf_is_negative(weights) && !unit && !cf_takes_negative(&c.strategy)) ||
            !small_enough(ctx, &c) || cf_refuses_weights(ctx, &c))
            continue;
        for (int k = 0; cf_knobs(&c.strategy, k, c.knobs); k++)
            for (c.threads = 1; c.threads <= 3; c.threads++)
                if (cf_runs_setting(g, k) && (g->n <= 140 || k == 0) &&
                    cf_runs_threads(c.threads, g->n <= 140 && k == 0))
                    run(ctx, &c, want);
    }
    cf_report_time(cf_weights_name[weights], s->name);
    free(want);
    cf_graph_free(g);
}

int main(void) {
    fr_ctx *ctx;
    if (fr_ctx_new(NULL, &ctx))
        return 1;
    for (const cf_shape *s = cf_shapes; s->name; s++) {
        cf_edges edges = {0};
        s->build(&edges);
        free(edges.ends);
        if (edges.n > 1100)
            continue;
        static const cf_weights kinds[] = {CF_NONE,     CF_I32,          CF_ZERO, CF_F32,
                                           CF_F64,      CF_I64_53,       CF_I64,  CF_I64_62,
                                           CF_NEGATIVE, CF_I64_NEGATIVE, CF_WIDE, CF_I64_40};
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (edges.n <= 300 || kinds[k] == CF_I32)
                shape(ctx, s, kinds[k], false);
        shape(ctx, s, CF_I32, true);
    }
    fr_ctx_free(ctx);
    return cf_finish("APSP");
}
