/* Every row of APSP x small shapes x weights x knobs x threads: all rows, some rows, by array and
 * by callback, against one oracle run per source. */
#include "conformance/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED = 70 /* more than one word of a bit-parallel search */ };

/* What the library answered, checked row by row as it comes. */
typedef struct {
    const cf_config *c;
    const cf_query *q;
    const double *want; /* [n][n] */
    fr_type type;
    bool parents;
    int64_t rows;
    bool wrong;
} answer;

static const double *row_of(const answer *a, int32_t source) {
    return a->want + (size_t)source * (size_t)a->c->g->n;
}

static bool tight(const answer *a, const double *want, int32_t p, int32_t v) {
    const cf_graph *g = a->c->g;
    for (int64_t k = g->offset[p]; k < g->offset[p + 1]; k++)
        if (g->to[k] == v && want[p] + (a->c->unit ? 1 : g->weight[k]) == want[v])
            return true;
    return false;
}

static int check_row(void *user, int64_t row, int32_t source, const void *dist,
                     const int32_t *parent) {
    answer *a = user;
    const double *want = row_of(a, source);
    a->rows++;
    for (int32_t v = 0; v < a->c->g->n && !a->wrong; v++) {
        double got = dist ? cf_value(FR_APSP, a->type, dist, v) : want[v];
        bool fine = got == want[v];
        if (!fine)
            cf_fail(a->c, a->q, "row %lld: %d to %d is %g, should be %g", (long long)row, source, v,
                    got, want[v]);
        if (fine && parent) {
            int32_t p = parent[v];
            fine = v == source                   ? p == v
                   : want[v] == (double)INFINITY ? p == -1
                                                 : p >= 0 && p < a->c->g->n && tight(a, want, p, v);
            if (!fine)
                cf_fail(a->c, a->q, "row %lld: vertex %d at %g has parent %d", (long long)row, v,
                        got, p);
        }
        a->wrong = !fine;
    }
    if (!parent && a->parents && !a->wrong) {
        cf_fail(a->c, a->q, "row %lld came without parents", (long long)row);
        a->wrong = true;
    }
    return 0;
}

/* sources NULL: every vertex. */
static void solve(fr_ctx *ctx, const cf_config *c, fr_solver *solver, const char *name,
                  const double *want, const int32_t *sources, int64_t count, bool callback,
                  bool parents) {
    int64_t n = c->g->n, rows = sources ? count : n;
    fr_type type = fr_solver_dist_type(solver);
    size_t size = fr_type_size(type);
    cf_query q = {.name = name};
    answer a = {.c = c, .q = &q, .want = want, .type = type, .parents = parents};
    char *dist = callback ? NULL : malloc((size_t)(rows * n + 1) * size);
    int32_t *parent = callback || !parents ? NULL : malloc((size_t)(rows * n + 1) * sizeof *parent);
    fr_query query = {.sources = sources,
                      .source_count = count,
                      .row = callback ? check_row : NULL,
                      .row_user = &a,
                      .want_parents = callback && parents};
    fr_result result = {.dist = dist, .parent = parent};
    cf_cases++;
    fr_status status = fr_solve(solver, &query, &result);
    if (status)
        cf_fail(c, &q, "fr_solve: %s: %s", fr_status_name(status), fr_ctx_message(ctx));
    for (int64_t r = 0; !status && !callback && r < rows; r++)
        check_row(&a, r, sources ? sources[r] : (int32_t)r, dist + (size_t)(r * n) * size,
                  parent ? parent + r * n : NULL);
    if (!status && a.rows != rows)
        cf_fail(c, &q, "%lld rows came, %lld were asked for", (long long)a.rows, (long long)rows);
    if (!status && !callback && !a.wrong) {
        status = fr_verify_apsp(ctx, c->g->graph, &query, c->unit, dist, type, parent, 0, 1);
        if (status)
            cf_fail(c, &q, "the verifier says %s: %s", fr_status_name(status), fr_ctx_message(ctx));
    }
    free(dist);
    free(parent);
}

static void run(fr_ctx *ctx, const cf_config *c, const double *want) {
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
        solve(ctx, c, solver, "all", want, NULL, 0, false, true);
    if (c->g->n <= 140)
        solve(ctx, c, solver, "all-by-row", want, NULL, 0, true, true);
    if (count) {
        solve(ctx, c, solver, "list", want, list, count, false, true);
        solve(ctx, c, solver, "list-no-parents", want, list, count, false, false);
        solve(ctx, c, solver, "one-by-row", want, list, 1, true, false);
    }
    fr_solver_free(solver);
}

/* Rows that keep all pairs at once are too slow for the larger shapes. */
static bool small_enough(fr_ctx *ctx, const cf_config *c) {
    fr_solver_options options = {.strategy = c->row.name, .max_sources = LISTED};
    fr_plan_bytes bytes = {0, 0};
    return c->g->n <= 600 || (fr_plan(ctx, c->g->graph, FR_APSP, &options, &bytes) == FR_OK &&
                              bytes.host < (size_t)c->g->n * (size_t)c->g->n * 4);
}

static void shape(fr_ctx *ctx, const cf_shape *s, cf_weights weights, bool unit) {
    cf_graph *g = cf_graph_new(ctx, s, weights);
    if (!g) {
        cf_failures++;
        return;
    }
    double *want = malloc(((size_t)g->n * (size_t)g->n + 1) * sizeof *want);
    for (int32_t v = 0; v < g->n; v++)
        cf_solve(g, unit, &v, 1, want + (size_t)v * (size_t)g->n, NULL);
    cf_config c = {.g = g, .unit = unit};
    for (int r = 0; cf_row(FR_APSP, r, &c.row); r++) {
        if ((weights == CF_NEGATIVE && !unit && !cf_takes_negative(&c.row)) ||
            !small_enough(ctx, &c) || cf_refuses_weights(ctx, &c))
            continue;
        for (int k = 0; cf_knobs(&c.row, k, c.knobs); k++)
            for (c.threads = 1; c.threads <= 3; c.threads++)
                if (c.threads == 2 ? g->n <= 140 || k == 0 : g->n <= 140 && k == 0)
                    run(ctx, &c, want);
    }
    cf_tell_time(cf_weights_name[weights], s->name);
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
        static const cf_weights kinds[] = {CF_NONE, CF_I32, CF_ZERO, CF_F32, CF_F64, CF_NEGATIVE};
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (edges.n <= 300 || kinds[k] == CF_I32)
                shape(ctx, s, kinds[k], false);
        shape(ctx, s, CF_I32, true);
    }
    fr_ctx_free(ctx);
    return cf_finish("APSP");
}
