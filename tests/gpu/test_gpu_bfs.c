/* Every BFS strategy for the GPU x every shape x queries x knob settings. With FRI_SIMT the
 * kernels run on the host, shapes are small, and each of twenty schedules uses the next query and
 * the next knob setting; unless FRINGE_FULL is set a shape gets every third schedule, the next shape
 * the next ones. On a GPU the defaults run every query, every other setting some. Then some
 * cases mix all knobs. The first argument is the only strategy to run, further ones the only
 * shapes; --strategies lists the strategies. FRINGE_REDUCED=N, on a GPU: one query for each of at
 * most N settings, for runs under a tool. In a build whose kernels count, every case counts. */
#include "core/gpu_interface.h"
#include "gpu/cross.h"

enum { SCHEDULES = ON_HOST ? 20 : 1, DEEP = 64 };
enum { SOME = 1 }; /* queries that a knob setting meets on a GPU, another one for each */

static void one(fr_ctx *ctx, cf_config *c, const cf_task *task, int setting, uint64_t seed) {
    cross_knobs(c, setting, seed);
    cross_case(ctx, c, cross_task, task);
}

static void mixed(fr_ctx *ctx, cf_config *c, const cf_task *tasks, int count) {
    uint64_t seed = (uint64_t)c->g->n * 65537 + (uint64_t)c->g->m; /* another one for each shape */
    for (int i = 0; i < MIXES && c->strategy.knobs && c->strategy.knobs[1].name; i++)
        one(ctx, c, &tasks[i % count], MIXED, seed * MIXES + (uint64_t)i);
}

/* One solver for the queries of a setting, as in a program that lives longer. */
static void on_gpu(fr_ctx *ctx, cf_config *c, const cf_task *tasks, int count, int settings) {
    if (cf_reduced()) {
        for (int i = 0; i < settings; i += cross_reduced_step(settings))
            one(ctx, c, &tasks[i % count], i, 0);
        return;
    }
    for (int i = 0; i < (c->g->large ? 1 : settings); i++) {
        int first = i % count, left = count - first;
        int some = i ? (left < SOME ? left : SOME) : c->g->large ? 1 : count;
        cross_knobs(c, i, 0);
        cf_run_tasks(ctx, c, tasks + first, some);
    }
    c->knobs[0] = 0;
}

/* The setting of the i-th schedule. On a deep graph the low end of the first knob replaces its
 * high end, which for most strategies is 1,024 threads that idle through hundreds of launches. */
static int setting_of(int i, int settings, bool deep) {
    return deep && i % settings == 2 ? 1 : i % settings;
}

static void by_strategy(fr_ctx *ctx, cf_config *c, const cf_task *tasks, int count, int nth) {
    const int step = host_is_brief() ? 3 : 1, settings = cf_knob_settings(&c->strategy);
    cf_number depth = 0;
    for (int t = 0; t < count; t++)
        depth = depth_of(tasks[t].dist, c->g->n) > depth ? depth_of(tasks[t].dist, c->g->n) : depth;
    const bool deep = depth > DEEP; /* hundreds of launches each */
    const int rounds = settings > SCHEDULES && !deep ? settings : SCHEDULES;
    if (!deep && !c->g->large)
        mixed(ctx, c, tasks, count);
    for (int i = nth % step; ON_HOST && i < rounds; i += step)
        one(ctx, c, &tasks[i % count], setting_of(i, settings, deep), (uint64_t)i + 1);
    if (!ON_HOST)
        on_gpu(ctx, c, tasks, count, settings);
}

static void shape(fr_ctx *ctx, const cf_shape *s, int nth) {
    cf_task tasks[CF_MAX_QUERIES];
    cf_graph *g = cf_graph_new(ctx, s, CF_NONE);
    if (!g)
        cf_give_up(ctx, s->name);
    const int count = cf_tasks_new(g, true, tasks);
    cf_config c = {.g = g, .threads = 1, .count = fri_gpu_kernels_count()};
    for (int r = 0; count && cf_strategy(FR_PROBLEM_BFS, r, &c.strategy); r++)
        if (!only_strategy || strcmp(only_strategy, c.strategy.name) == 0)
            by_strategy(ctx, &c, tasks, count, nth);
    cf_tasks_free(tasks, count);
    cf_graph_free(g);
}

int main(int argc, char **argv) {
    const program p = {.what = ON_HOST ? "BFS on the GPU, kernels on the host" : "BFS on the GPU",
                       .problem = FR_PROBLEM_BFS,
                       .by_strategy = true,
                       .shape = shape};
    return program_main(&p, argc, argv);
}
