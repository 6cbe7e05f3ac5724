#include "gpu/multi_device.h"

fr_solver *multi_solver(fr_ctx *ctx, const fr_graph *graph, fr_problem problem, const char *knobs) {
    return solver_new(
        ctx, graph, problem,
        (fr_solver_options){.strategy = "multi-device", .knobs = knobs, .record_levels = true});
}

ask multi_ask(fr_ctx *ctx, fr_graph *graph, fr_problem problem, const char *knobs,
              const int32_t *source) {
    return (ask){.ctx = ctx,
                 .graph = graph,
                 .name = fr_graph_name(graph),
                 .problem = problem,
                 .options = {.strategy = "multi-device", .knobs = knobs},
                 .query = {.sources = source, .source_count = 1}};
}

void multi_check(fr_ctx *ctx, const multi_device *m, const cf_graph *g, const weight_kind *kind,
                 int setting, const cf_task *task, uint64_t seed) {
    int settings = 0;
    while (m->settings[settings])
        settings++;
    cf_config c = {.g = g,
                   .strategy = strategy_named(m->problem, "multi-device"),
                   .threads = 1,
                   .unit = kind->unit,
                   .dist_type = kind->type,
                   .seed = seed};
    snprintf(c.knobs, sizeof c.knobs, "%s", m->settings[setting % settings]);
    simt_seed(seed);
    fr_solver *solver = cf_solver_new(ctx, &c);
    const bool unique = c.unit || g->weights != CF_ZERO;
    if (solver) {
        CHECK(m->count(solver) == ctx->device_count, "%s runs on all GPUs", g->shape);
        cf_check(ctx, &c, solver, &task->query, task->dist, unique ? task->min_parents : NULL);
    }
    fr_solver_free(solver);
}

bool host_skips_part(int devices, int nth_part) {
    return host_is_brief() && devices != 2 + nth_part % 3;
}

static fr_graph *graph_of(fr_ctx *ctx, const multi_device *m, const char *description) {
    return graph_weighted(ctx, description, 1, m->problem == FR_PROBLEM_BFS ? 0 : 9);
}

void multi_explained(const multi_device *m) {
    fr_ctx *ctx = context_on(2, (fr_ctx_options){0});
    fr_graph *graph = graph_of(ctx, m, "grid2d:rows=6,cols=7");
    const int32_t source = 0;
    for (int all = 0; all < 2; all++) {
        const ask a = multi_ask(ctx, graph, m->problem, all ? "all=1" : "", &source);
        fr_solver *solver = multi_solver(ctx, graph, m->problem, a.options.knobs);
        solve_verified(&a, solver);
        CHECK(strstr(fr_solver_explain(solver), all ? "on 2 GPUs" : "on one of 2 GPUs"), "%s",
              fr_solver_explain(solver));
        fr_solver_free(solver);
    }
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

void multi_path(const multi_device *m, int32_t length, const char *knobs, int32_t target) {
    stop when = {"traversing", 1};
    fr_ctx *ctx = context_on(2, (fr_ctx_options){.progress = stop_here, .progress_user = &when});
    char description[64];
    snprintf(description, sizeof description, "grid2d:rows=1,cols=%d", length);
    fr_graph *graph = graph_weighted(ctx, description, 1, m->problem == FR_PROBLEM_BFS ? 0 : 1);
    fr_solver *solver = multi_solver(ctx, graph, m->problem, knobs);
    const int32_t source = 0, last = length - 1;
    ask a = multi_ask(ctx, graph, m->problem, knobs, &source);
    a.query.targets = &last;
    a.query.target_count = target >= 0;
    answer stopped = answer_at(&a, solver, PAGEABLE, VALUES);
    CHECK(stopped.status == FR_CANCELLED, "cancelled between launches");
    answer_free(&stopped);
    when.phase = NULL;
    const fr_stats all = solve_verified(&a, solver);
    a.query.targets = &target;
    if (target >= 0)
        CHECK(solve_verified(&a, solver).levels < all.levels, "to a near target as many rounds");
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* ---- failures ---------------------------------------------------------------------------- */

static void failing_launch(const multi_device *m) {
    enum { DEVICES = 3, FEW_POLLS = 1 << 12, POLLS = 1 << 20 };
    fr_ctx *ctx = context_on(DEVICES, (fr_ctx_options){0});
    fr_graph *graph = graph_of(ctx, m, "kronecker:scale=7,edge_factor=4,seed=1");
    const int32_t source = 1;
    const ask a = multi_ask(ctx, graph, m->problem, "all=1,grid_threads=32", &source);
    fr_solver *solver = multi_solver(ctx, graph, m->problem, a.options.knobs);
    for (int device = 0; device < DEVICES; device++) {
        *m->max_polls(solver) = FEW_POLLS;
        simt_fail_joint_launch(device);
        answer got = answer_at(&a, solver, PAGEABLE, VALUES);
        CHECK_REFUSED(ctx, got.status, FR_DEVICE, "launch");
        answer_free(&got);
        *m->max_polls(solver) = POLLS;
        solve_verified(&a, solver);
    }
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

static fr_status try_solver(const multi_device *m, const char *says) {
    fr_ctx *ctx = context_on(2, (fr_ctx_options){0});
    fr_graph *graph = graph_of(ctx, m, "kronecker:scale=6,edge_factor=4,seed=1");
    fr_solver_options options = {
        .strategy = "multi-device", .backend = FR_BACKEND_CUDA, .knobs = "all=1"};
    fr_solver *solver;
    fr_status status = fr_solver_new(ctx, graph, m->problem, &options, &solver);
    CHECK(!status || strstr(fr_ctx_error(ctx), says), "%s", fr_ctx_error(ctx));
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    return status;
}

void multi_failures(const multi_device *m) {
    if (!ON_HOST)
        return;
    failing_launch(m);
    simt_set_peers(false);
    CHECK(try_solver(m, "cannot access GPU") == FR_UNSUPPORTED, "GPUs without peer access");
    simt_set_peers(true);
    setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
    CHECK(try_solver(m, "CUDA_LAUNCH_BLOCKING") == FR_UNSUPPORTED, "launches that block");
    unsetenv("CUDA_LAUNCH_BLOCKING");
    fr_status status = FR_NOMEM;
    for (int64_t after = 0; status; after++) { /* every allocation on a device fails once */
        simt_fail_allocation(after);
        status = try_solver(m, "memory");
        CHECK(!status || status == FR_NOMEM, "allocation %lld: %s", (long long)after,
              fr_status_name(status));
    }
    simt_fail_allocation(-1);
}
