#include "conformance/queries.h"
#include "base/base.h"

#include <math.h>
#include <stdlib.h>

static cf_number median(const cf_graph *g, const cf_number *dist) {
    cf_number sum = 0, count = 0;
    for (int32_t v = 0; v < g->n; v++)
        if (dist[v] < (cf_number)INFINITY) {
            sum += dist[v];
            count++;
        }
    return count ? floorl(sum / count) : 0;
}

static void add(const cf_graph *g, bool unit, cf_task *tasks, int *count, cf_query query) {
    cf_task *t = &tasks[(*count)++];
    t->query = query;
    t->dist = malloc(((size_t)g->n + 1) * sizeof *t->dist);
    t->min_parents = malloc(((size_t)g->n + 1) * sizeof *t->min_parents);
    if (!cf_solve(g, unit, query.sources, query.source_count, t->dist, t->min_parents))
        abort(); /* these graphs have no negative cycle */
}

int cf_tasks_new(const cf_graph *g, bool unit, cf_task *tasks) {
    int count = 0;
    if (g->n == 0)
        return 0;
    int32_t last = g->n - 1, middle = g->n / 2, hub = g->hub;
#define ADD(...) add(g, unit, tasks, &count, (cf_query){__VA_ARGS__})
    ADD(.name = "first", .sources = {0}, .source_count = 1);
    ADD(.name = "last", .sources = {last}, .source_count = 1);
    ADD(.name = "hub-min-parents", .sources = {hub}, .source_count = 1, .min_parents = true);
    ADD(.name = "first-min-parents", .sources = {0}, .source_count = 1, .min_parents = true);
    if (g->isolated >= 0)
        ADD(.name = "isolated", .sources = {g->isolated}, .source_count = 1);
    ADD(.name = "merged", .sources = {last, hub, middle, last}, .source_count = 4);
    ADD(.name = "targets", .sources = {hub}, .source_count = 1, .targets = {middle, last, middle},
        .target_count = 3);
    ADD(.name = "target-is-source", .sources = {0}, .source_count = 1, .targets = {0},
        .target_count = 1);
    double half = (double)median(g, tasks[0].dist);
    if (half > 0 && !cf_is_negative(g->weights)) {
        ADD(.name = "limit", .sources = {0}, .source_count = 1, .limit = half);
        ADD(.name = "limit-min-parents", .sources = {0}, .source_count = 1, .limit = half,
            .min_parents = true);
        ADD(.name = "limit-1", .sources = {hub}, .source_count = 1, .limit = 1);
        ADD(.name = "limit-beyond-int32", .sources = {0}, .source_count = 1, .limit = 5e9);
        ADD(.name = "limit-and-target", .sources = {0}, .source_count = 1, .limit = half,
            .targets = {last}, .target_count = 1);
    }
    ADD(.name = "no-values", .sources = {hub}, .source_count = 1, .no_value = true);
    ADD(.name = "no-parents", .sources = {hub}, .source_count = 1, .no_parent = true);
    ADD(.name = "no-outputs", .sources = {0}, .source_count = 1, .no_value = true,
        .no_parent = true);
#undef ADD
    return count;
}

void cf_tasks_free(cf_task *tasks, int count) {
    for (int i = 0; i < count; i++) {
        free(tasks[i].dist);
        free(tasks[i].min_parents);
    }
}

void cf_run_tasks(fr_ctx *ctx, const cf_config *config, const cf_task *tasks, int count) {
    ctx->teams = FRI_TEAMS_ALL; /* races show also on a busy machine */
    fr_solver *solver = cf_solver_new(ctx, config);
    /* where weights may be 0 or negative, tight edges may form a cycle, and the smallest parents
     * follow a rule of the library about hop counts */
    bool unique =
        config->unit || (config->g->weights != CF_ZERO && !cf_is_negative(config->g->weights));
    const int step = cf_is_brief() && count > 3 ? 3 : 1; /* the next graph meets the next third */
    for (int i = step > 1 ? config->g->n % step : 0; solver && i <= count && count; i += step) {
        const cf_task *t = &tasks[i % count];
        cf_check(ctx, config, solver, &t->query, t->dist, unique ? t->min_parents : NULL);
    }
    fr_solver_free(solver);
}
