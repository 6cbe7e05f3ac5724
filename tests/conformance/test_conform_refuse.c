/* What every strategy must refuse with the right status and a message: bad queries, bad knobs,
 * negative weights where it requires none, sums that exceed the type. */
#include "conformance/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cf_graph *shape_graph(fr_ctx *ctx, const char *name, cf_weights weights) {
    return cf_graph_new(ctx, cf_shape_named(name), weights);
}

static void expect(fr_ctx *ctx, const cf_config *c, const char *what, fr_status got,
                   fr_status want) {
    cf_query q = {.name = what};
    cf_cases++;
    if (got != want)
        cf_fail(c, &q, "%s, should be %s", fr_status_name(got), fr_status_name(want));
    else if (want && !fr_ctx_error(ctx)[0])
        cf_fail(c, &q, "no message with %s", fr_status_name(got));
}

static fr_status make(fr_ctx *ctx, const cf_config *c, const char *strategy, const char *knobs,
                      fr_type type, fr_solver **out) {
    fr_solver_options options = {
        .strategy = strategy, .backend = c->strategy.backend, .knobs = knobs, .dist_type = type};
    return fr_solver_new(ctx, c->g->graph, c->strategy.problem, &options, out);
}

static void bad_options(fr_ctx *ctx, const cf_config *c) {
    fr_solver *s;
    expect(ctx, c, "unknown strategy", make(ctx, c, "no-such", NULL, FR_TYPE_NONE, &s), FR_INVALID);
    expect(ctx, c, "unknown knob", make(ctx, c, c->strategy.name, "no-such=1", FR_TYPE_NONE, &s),
           FR_INVALID);
    bool converts = c->strategy.problem != FR_PROBLEM_BFS && !fr_graph_weight_type(c->g->graph);
    fr_status status = make(ctx, c, c->strategy.name, NULL, FR_TYPE_F64, &s);
    expect(ctx, c, "a double for int32", status, converts ? FR_OK : FR_INVALID);
    fr_solver_free(status ? NULL : s);
    for (const fr_knob *k = c->strategy.knobs; k && k->name; k++) {
        char text[128];
        static const char *const junk[] = {"", "x", "1x", "nan", "1e999", "-1e999"};
        for (size_t j = 0; j < sizeof junk / sizeof *junk; j++) {
            snprintf(text, sizeof text, "%s=%s", k->name, junk[j]);
            expect(ctx, c, text, make(ctx, c, c->strategy.name, text, FR_TYPE_NONE, &s),
                   FR_INVALID);
        }
        snprintf(text, sizeof text, "%s=%.17g", k->name, k->high + fabs(k->high) + 1);
        expect(ctx, c, text, make(ctx, c, c->strategy.name, text, FR_TYPE_NONE, &s), FR_INVALID);
        expect(ctx, c, k->name, make(ctx, c, c->strategy.name, k->name, FR_TYPE_NONE, &s),
               FR_INVALID);
        if (!k->text || !k->text[0])
            cf_fail(c, NULL, "knob %s has no text", k->name);
        if (k->value != FR_KNOB_AUTO && (k->value < k->low || k->value > k->high))
            cf_fail(c, NULL, "knob %s: default outside its range", k->name);
    }
}

static void bad_queries(fr_ctx *ctx, const cf_config *c) {
    fr_solver *s = cf_solver_new(ctx, c);
    if (!s)
        return;
    int32_t n = c->g->n, good = 0, list[] = {0, -1, n, INT32_MAX, INT32_MIN};
    size_t capacity = ((size_t)n * (size_t)n + 1) * 8;
    void *values = malloc(capacity);
    fr_result r = {.level = c->strategy.problem == FR_PROBLEM_BFS ? values : NULL,
                   .dist = c->strategy.problem == FR_PROBLEM_BFS ? NULL : values};
    for (int i = 1; i < 5; i++) {
        fr_query q = {.sources = (const int32_t[]){good, list[i]}, .source_count = 2};
        expect(ctx, c, "bad source", fr_solve(s, &q, &r), FR_NOT_FOUND);
        q = (fr_query){.sources = &good, .source_count = 1, .targets = &list[i], .target_count = 1};
        expect(ctx, c, "bad target", fr_solve(s, &q, &r), FR_NOT_FOUND);
    }
    fr_query q = {.sources = &good, .source_count = 0};
    expect(ctx, c, "no source", fr_solve(s, &q, &r), FR_INVALID);
    if (c->strategy.problem != FR_PROBLEM_APSP) {
        q = (fr_query){0};
        expect(ctx, c, "NULL sources", fr_solve(s, &q, &r), FR_INVALID);
    }
    q = (fr_query){.sources = &good, .source_count = 1, .max_level = -1};
    expect(ctx, c, "max_level", fr_solve(s, &q, &r), FR_INVALID);
    q = (fr_query){.sources = &good, .source_count = 1, .max_distance = NAN};
    expect(ctx, c, "max_distance", fr_solve(s, &q, &r), FR_INVALID);
    q = (fr_query){.sources = &good, .source_count = 1};
    expect(ctx, c, "good after bad", fr_solve(s, &q, &r), FR_OK);
    if (fr_ctx_error(ctx)[0])
        cf_fail(c, NULL, "a message stays after success: %s", fr_ctx_error(ctx));
    free(values);
    fr_solver_free(s);
}

static void empty_graph(fr_ctx *ctx, const cf_config *c) {
    fr_solver *s = cf_solver_new(ctx, c);
    if (!s)
        return;
    int32_t zero = 0, values[2] = {0};
    fr_result r = {.level = c->strategy.problem == FR_PROBLEM_BFS ? values : NULL,
                   .dist = c->strategy.problem == FR_PROBLEM_BFS ? NULL : values};
    fr_query q = {.sources = &zero, .source_count = 1};
    expect(ctx, c, "source in an empty graph", fr_solve(s, &q, &r),
           c->strategy.problem == FR_PROBLEM_APSP ? FR_INVALID : FR_NOT_FOUND);
    q = (fr_query){0};
    expect(ctx, c, "all of an empty graph", fr_solve(s, &q, &r),
           c->strategy.problem == FR_PROBLEM_APSP ? FR_OK : FR_INVALID);
    fr_solver_free(s);
}

static void negative_weights(fr_ctx *ctx, const cf_config *c) {
    fr_solver *s = NULL;
    bool takes = c->strategy.problem == FR_PROBLEM_BFS || cf_takes_negative(&c->strategy);
    fr_status status = make(ctx, c, c->strategy.name, NULL, FR_TYPE_NONE, &s);
    if (takes && status == FR_UNSUPPORTED)
        return; /* counts edges only */
    expect(ctx, c, "negative weights", status, takes ? FR_OK : FR_NEGATIVE_WEIGHT);
    fr_solver_free(s);
}

/* 399 edges of 2^30: int32 must report an overflow, int64 holds the sums (test_conform_sssp). */
static void overflow(fr_ctx *ctx, const cf_config *c) {
    fr_solver *s = NULL;
    if (c->strategy.problem == FR_PROBLEM_BFS ||
        make(ctx, c, c->strategy.name, NULL, FR_TYPE_I32, &s))
        return; /* APSP strategies for unit weights refuse others: test_conform_apsp */
    int32_t source = 0, *dist = malloc((size_t)c->g->n * sizeof *dist);
    fr_query q = {.sources = &source, .source_count = 1};
    fr_result r = {.dist = dist};
    expect(ctx, c, "overflow", fr_solve(s, &q, &r), FR_OVERFLOW);
    free(dist);
    fr_solver_free(s);
}

static void limited(fr_ctx *ctx, const cf_config *c, fr_solver *s, void *dist, double limit,
                    fr_status want) {
    int32_t source = 0;
    fr_query q = {.sources = &source, .source_count = 1, .max_distance = limit};
    fr_result r = {.dist = dist};
    char what[64];
    snprintf(what, sizeof what, "overflow within a limit of %g", limit);
    expect(ctx, c, what, fr_solve(s, &q, &r), want);
}

/* Distances beyond a limit need not fit the type; a limit that the type cannot hold has no
 * effect. */
static void overflow_and_limit(fr_ctx *ctx, const cf_config *c) {
    fr_solver *s = NULL;
    if (c->strategy.problem != FR_PROBLEM_SSSP ||
        make(ctx, c, c->strategy.name, NULL, FR_TYPE_I32, &s))
        return;
    int32_t *dist = malloc((size_t)c->g->n * sizeof *dist);
    limited(ctx, c, s, dist, 0x1p30 + 5000, FR_OK);
    limited(ctx, c, s, dist, 2147483646, FR_OK);
    limited(ctx, c, s, dist, 2147483647, FR_OVERFLOW);
    limited(ctx, c, s, dist, 5e11, FR_OVERFLOW);
    limited(ctx, c, s, dist, 1e300, FR_OVERFLOW);
    free(dist);
    fr_solver_free(s);
}

/* The same with int64: no wider type exists, so every strategy must report it, floyd-warshall at
 * creation. */
static void overflow_int64(fr_ctx *ctx, const cf_config *c) {
    fr_solver *s = NULL;
    fr_status status = make(ctx, c, c->strategy.name, NULL, FR_TYPE_NONE, &s);
    if (c->strategy.problem == FR_PROBLEM_BFS || status) {
        bool may = c->strategy.problem == FR_PROBLEM_APSP && strcmp(c->strategy.name, "auto") != 0;
        if (c->strategy.problem != FR_PROBLEM_BFS)
            expect(ctx, c, "int64 weights", status, may ? FR_UNSUPPORTED : FR_OK);
        fr_solver_free(s);
        return;
    }
    int32_t source = 0;
    int64_t *dist = malloc((size_t)c->g->n * sizeof *dist);
    fr_query q = {.sources = &source, .source_count = 1};
    fr_result r = {.dist = dist};
    expect(ctx, c, "overflow of int64", fr_solve(s, &q, &r), FR_OVERFLOW);
    if (c->strategy.problem == FR_PROBLEM_SSSP) {
        limited(ctx, c, s, dist, 0x1p62 + 4096, FR_OK);
        limited(ctx, c, s, dist, 0x1p63 - 1024, FR_OK);
        limited(ctx, c, s, dist, 0x1p63, FR_OVERFLOW);
        limited(ctx, c, s, dist, 1e300, FR_OVERFLOW);
    }
    free(dist);
    fr_solver_free(s);
}

static void each_strategy(fr_ctx *ctx, cf_graph *g, void (*test)(fr_ctx *, const cf_config *)) {
    cf_config c = {.g = g, .threads = 2};
    for (int p = 0; p < FR_PROBLEM_COUNT; p++)
        for (int r = 0; cf_strategy((fr_problem)p, r, &c.strategy); r++)
            test(ctx, &c);
    cf_graph_free(g);
}

int main(void) {
    fr_ctx *ctx;
    if (fr_ctx_new(NULL, &ctx))
        return 1;
    each_strategy(ctx, shape_graph(ctx, "clique", CF_NONE), bad_options);
    each_strategy(ctx, shape_graph(ctx, "clique", CF_NONE), bad_queries);
    each_strategy(ctx, shape_graph(ctx, "empty", CF_NONE), empty_graph);
    each_strategy(ctx, shape_graph(ctx, "dag", CF_NEGATIVE), negative_weights);
    each_strategy(ctx, shape_graph(ctx, "path-400", CF_HUGE), overflow);
    each_strategy(ctx, shape_graph(ctx, "path-400", CF_HUGE), overflow_and_limit);
    each_strategy(ctx, shape_graph(ctx, "path-400", CF_I64_OVER), overflow_int64);
    fr_ctx_free(ctx);
    return cf_finish("refusals");
}
