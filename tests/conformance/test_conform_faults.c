/* Every strategy under faults: each allocation fails in turn, the memory limit is below the
 * estimate, the user cancels. Nothing may leak, the status must be right, and the solver must work
 * again afterwards. */
#include "conformance/harness.h"
#include "support/allocator.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    test_allocator memory;
    int64_t asked, cancel_at; /* progress calls */
} faults;

static int progress(void *user, const char *phase, int64_t done, int64_t total) {
    faults *f = user;
    (void)phase, (void)done, (void)total;
    return ++f->asked == f->cancel_at;
}

static fr_ctx *new_context(faults *f, size_t limit) {
    fr_ctx_options options = test_allocator_options(&f->memory, 2);
    options.max_memory_bytes = limit;
    options.progress = progress;
    options.progress_user = f;
    fr_ctx *ctx = NULL;
    return fr_ctx_new(&options, &ctx) ? NULL : ctx;
}

/* One source with the arrays of the caller, sized for a single row. */
static fr_status solve(const cf_config *c, fr_solver *s, void *values, int32_t *parent) {
    int32_t source = c->g->hub;
    fr_query q = {.sources = &source, .source_count = 1};
    fr_result r = {.level = c->strategy.problem == FR_PROBLEM_BFS ? values : NULL,
                   .dist = c->strategy.problem == FR_PROBLEM_BFS ? NULL : values,
                   .parent = parent};
    return fr_solve(s, &q, &r);
}

static fr_status make(fr_ctx *ctx, const cf_config *c, fr_solver **out) {
    fr_solver_options options = {.strategy = c->strategy.name,
                                 .backend = c->strategy.backend,
                                 .max_sources = 1,
                                 .unit_weights = c->unit,
                                 .record_levels = true};
    return fr_solver_new(ctx, c->g->graph, c->strategy.problem, &options, out);
}

static bool answers(const cf_config *c, fr_solver *s, const cf_number *want, void *values,
                    int32_t *parent) {
    if (solve(c, s, values, parent))
        return false;
    for (int32_t v = 0; v < c->g->n; v++)
        if (cf_value(c->strategy.problem, fr_solver_dist_type(s), values, v) != want[v])
            return false;
    return true;
}

static void failing_allocations(const cf_config *c, const cf_number *want, void *values,
                                int32_t *parent) {
    for (int64_t k = 1;; k++) {
        faults f = {0};
        fr_ctx *ctx = new_context(&f, 0);
        f.memory.calls = 0;
        f.memory.fail_at = k;
        fr_solver *s = NULL;
        cf_cases++;
        fr_status status = make(ctx, c, &s);
        if (!status)
            status = solve(c, s, values, parent);
        bool done = f.memory.calls < k;
        if (status != (done ? FR_OK : FR_NOMEM) || (status && !fr_ctx_error(ctx)[0]))
            cf_fail(c, NULL, "allocation %lld fails: %s (%s)", (long long)k, fr_status_name(status),
                    fr_ctx_error(ctx));
        f.memory.fail_at = 0;
        if (s && !answers(c, s, want, values, parent))
            cf_fail(c, NULL, "wrong after allocation %lld failed", (long long)k);
        fr_solver_free(s);
        fr_ctx_free(ctx);
        if (f.memory.live)
            cf_fail(c, NULL, "allocation %lld fails: %lld blocks leak", (long long)k,
                    (long long)f.memory.live);
        if (done || k > 200)
            return;
    }
}

static void planned_memory(const cf_config *c, void *values, int32_t *parent) {
    faults f = {0};
    fr_ctx *ctx = new_context(&f, 0);
    fr_solver_options options = {.strategy = c->strategy.name,
                                 .max_sources = 1,
                                 .unit_weights = c->unit,
                                 .expected_queries = 1};
    fr_memory_estimate plan = {0};
    if (fr_estimate_memory(ctx, c->g->graph, c->strategy.problem, &options, &plan))
        cf_fail(c, NULL, "fr_estimate_memory: %s", fr_ctx_error(ctx));
    f.memory.bytes = 0;
    fr_solver *s = NULL;
    cf_cases++;
    if (fr_solver_new(ctx, c->g->graph, c->strategy.problem, &options, &s))
        cf_fail(c, NULL, "fr_solver_new: %s", fr_ctx_error(ctx));
    else if (f.memory.bytes > plan.host + plan.host / 8 + 65536)
        cf_fail(c, NULL, "took %zu bytes, the plan said %zu", f.memory.bytes, plan.host);
    f.memory.calls = 0;
    if (s && (solve(c, s, values, parent) || f.memory.calls))
        cf_fail(c, NULL, "fr_solve took %lld blocks", (long long)f.memory.calls);
    fr_solver_free(s);
    fr_ctx_free(ctx);
    if (plan.host < 4096) /* too little to refuse */
        return;
    ctx = new_context(&f, plan.host / 2);
    fr_status status = ctx ? make(ctx, c, &s) : FR_NOMEM;
    if (status != FR_NOMEM || !fr_ctx_error(ctx)[0])
        cf_fail(c, NULL, "half the plan's memory: %s", fr_status_name(status));
    if (!status)
        fr_solver_free(s);
    fr_ctx_free(ctx);
}

static void cancellation(const cf_config *c, const cf_number *want, void *values, int32_t *parent) {
    for (int64_t k = 1; k <= 12; k++) {
        faults f = {0};
        fr_ctx *ctx = new_context(&f, 0);
        fr_solver *s = NULL;
        cf_cases++;
        fr_status status = make(ctx, c, &s);
        f.asked = 0;
        f.cancel_at = k;
        if (!status)
            status = solve(c, s, values, parent);
        bool asked = f.asked >= k;
        if (status != (asked ? FR_CANCELLED : FR_OK))
            cf_fail(c, NULL, "cancelled at call %lld of %lld: %s", (long long)k, (long long)f.asked,
                    fr_status_name(status));
        if (k == 1 && !asked)
            cf_fail(c, NULL, "the progress callback was never called");
        if (asked && f.asked > k)
            cf_fail(c, NULL, "asked %lld times, though cancelled at %lld", (long long)f.asked,
                    (long long)k);
        f.cancel_at = 0;
        if (s && !answers(c, s, want, values, parent))
            cf_fail(c, NULL, "wrong after being cancelled at call %lld", (long long)k);
        fr_solver_free(s);
        fr_ctx_free(ctx);
        if (f.memory.live)
            cf_fail(c, NULL, "cancelled: %lld blocks leak", (long long)f.memory.live);
        if (!asked)
            return;
    }
}

static void each_strategy(fr_ctx *ctx, const cf_shape *shape, cf_weights weights) {
    cf_config c = {.g = cf_graph_new(ctx, shape, weights), .threads = 2};
    size_t n = (size_t)c.g->n;
    cf_number *levels = malloc(n * sizeof *levels), *dist = malloc(n * sizeof *dist);
    void *values = malloc(n * 8);
    int32_t *parent = malloc(n * sizeof *parent);
    cf_solve(c.g, true, &c.g->hub, 1, levels, NULL);
    cf_solve(c.g, false, &c.g->hub, 1, dist, NULL);
    for (int p = 0; p < FR_PROBLEM_COUNT; p++)
        for (int r = 0; cf_strategy((fr_problem)p, r, &c.strategy); r++) {
            c.unit = p == FR_PROBLEM_APSP && weights == CF_NONE;
            const cf_number *want = p == FR_PROBLEM_BFS || c.unit ? levels : dist;
            failing_allocations(&c, want, values, parent);
            planned_memory(&c, values, parent);
            cancellation(&c, want, values, parent);
        }
    free(levels);
    free(dist);
    free(values);
    free(parent);
    cf_graph_free((cf_graph *)(uintptr_t)c.g);
}

int main(void) {
    fr_ctx *ctx;
    if (fr_ctx_new(NULL, &ctx))
        return 1;
    for (const cf_shape *s = cf_shapes; s->name; s++)
        if (strcmp(s->name, "path-400") == 0 || strcmp(s->name, "kronecker-directed") == 0 ||
            strcmp(s->name, "lollipop") == 0)
            each_strategy(ctx, s, CF_NONE);
    fr_ctx_free(ctx);
    return cf_finish("faults");
}
