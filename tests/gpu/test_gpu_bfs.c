/* Every BFS strategy for the GPU x every shape x queries x knob settings. With FRI_SIMT the
 * kernels run on the host, shapes are small, and each of twenty schedules uses the next query and
 * the next knob setting; unless FRINGE_FULL is set a shape gets every third schedule, the next shape
 * the next ones. On a GPU the defaults run every query, every other setting some. Then some
 * cases mix all knobs. The first argument is the only strategy to run, further ones the only
 * shapes; --strategies lists the strategies. FRINGE_REDUCED=N, on a GPU: one query for each of at
 * most N settings, for runs under a tool. In a build whose kernels count, every case counts. */
#include "conformance/choose.h"
#include "conformance/queries.h"
#include "core/gpu_interface.h"
#include "gpu/gpu_host.h"

#include <stdio.h>
#include <string.h>

enum { SCHEDULES = ON_HOST ? 20 : 1, DEEP = 64 };

enum { MIXES = 5, MIXED = -1 }; /* cases with all knobs mixed at random, per strategy and shape */

static void one(fr_ctx *ctx, cf_config *c, const cf_task *task, int setting, uint64_t seed) {
    if (setting == MIXED)
        cf_mix_knobs(&c->strategy, seed, c->knobs);
    else
        cf_knobs(&c->strategy, setting, c->knobs);
    c->seed = seed;
    simt_seed(seed);
    size_t before = simt_held_bytes(ctx);
    fr_solver *solver = cf_solver_new(ctx, c);
    if (solver)
        cf_check(ctx, c, solver, &task->query, task->dist, task->min_parents);
    fr_solver_free(solver);
    if (simt_held_bytes(ctx) != before)
        cf_fail(c, &task->query, "device memory is left behind");
}

static void mixed(fr_ctx *ctx, cf_config *c, const cf_task *tasks, int count) {
    uint64_t seed = (uint64_t)c->g->n * 65537 + (uint64_t)c->g->m; /* another one for each shape */
    for (int i = 0; i < MIXES && count && c->strategy.knobs && c->strategy.knobs[1].name; i++)
        one(ctx, c, &tasks[i % count], MIXED, seed * MIXES + (uint64_t)i);
}

static cf_number deepest(const cf_graph *g, const cf_task *tasks, int count) {
    cf_number depth = 0;
    for (int t = 0; t < count; t++)
        for (int32_t v = 0; v < g->n; v++)
            if (tasks[t].dist[v] > depth && tasks[t].dist[v] < g->n)
                depth = tasks[t].dist[v];
    return depth;
}

enum { SOME = 1 }; /* queries that a knob setting meets on a GPU, another one for each */

/* One solver for the queries of a setting, as in a program that lives longer. */
static void on_device(fr_ctx *ctx, cf_config *c, const cf_task *tasks, int count, int settings) {
    int settings_limit = cf_reduced();
    if (settings_limit) {
        int step = settings > settings_limit ? (settings + settings_limit - 1) / settings_limit : 1;
        for (int i = 0; count && i < settings; i += step)
            one(ctx, c, &tasks[i % count], i, 0);
        return;
    }
    for (int i = 0; count && i < (c->g->large ? 1 : settings); i++) {
        int first = i % count, left = count - first;
        int some = i ? (left < SOME ? left : SOME) : c->g->large ? 1 : count;
        cf_knobs(&c->strategy, i, c->knobs);
        cf_run_tasks(ctx, c, tasks + first, some);
    }
    c->knobs[0] = 0;
}

/* The setting of the i-th schedule. On a deep graph the low end of the first knob replaces its
 * high end, which for most strategies is 1,024 threads that idle through hundreds of launches. */
static int setting_of(int i, int settings, bool deep) {
    return deep && i % settings == 2 ? 1 : i % settings;
}

static void cross(fr_ctx *ctx, const cf_graph *g, int nth_shape, const char *only) {
    const int step = host_is_brief() ? 3 : 1;
    cf_task tasks[CF_MAX_QUERIES];
    int count = cf_tasks_new(g, true, tasks);
    cf_config c = {.g = g, .unit = false, .threads = 1, .count = fri_gpu_kernels_count()};
    for (int r = 0; cf_strategy(FR_PROBLEM_BFS, r, &c.strategy); r++) {
        if (only && strcmp(only, c.strategy.name) != 0)
            continue;
        int settings = cf_knob_settings(&c.strategy);
        int rounds = settings > SCHEDULES ? settings : SCHEDULES;
        bool deep = deepest(g, tasks, count) > DEEP;
        if (deep) /* hundreds of launches each */
            rounds = SCHEDULES;
        else if (!g->large)
            mixed(ctx, &c, tasks, count);
        for (int i = nth_shape % step; ON_HOST && i < rounds && count; i += step)
            one(ctx, &c, &tasks[i % count], setting_of(i, settings, deep), (uint64_t)i + 1);
        if (!ON_HOST)
            on_device(ctx, &c, tasks, count, settings);
    }
    cf_tasks_free(tasks, count);
}

int main(int argc, char **argv) {
    fr_ctx *ctx;
    cf_backend = FR_BACKEND_CUDA;
    if (cf_list_strategies(FR_PROBLEM_BFS, argc, argv))
        return 0;
    ctx = cf_device_context(FR_PROBLEM_BFS, ON_HOST);
    if (!ctx)
        return 77;
    for (const cf_shape *s = cf_shapes; s->name; s++) {
        if ((ON_HOST && s->large) || !cf_shape_chosen(s->name, argc, argv))
            continue;
        cf_graph *g = cf_graph_new(ctx, s, CF_NONE);
        if (!g)
            cf_give_up(ctx, s->name);
        cross(ctx, g, (int)(s - cf_shapes), argc > 1 ? argv[1] : NULL);
        cf_graph_free(g);
    }
    fr_ctx_free(ctx);
    return cf_finish(ON_HOST ? "BFS on the GPU, kernels on the host" : "BFS on the GPU");
}
