/* Every BFS strategy x every shape x knobs x threads x queries, against the oracle. All knob
 * settings run with two threads; the defaults and the low ends also with one and three. The long
 * path, with one level per vertex, has the defaults only. */
#include "conformance/queries.h"

#include <string.h>

static void cross(fr_ctx *ctx, const cf_graph *g, const cf_task *tasks, int count) {
    cf_config c = {.g = g, .unit = false};
    for (int r = 0; cf_strategy(FR_PROBLEM_BFS, r, &c.strategy); r++)
        for (int k = 0; cf_knobs(&c.strategy, k, c.knobs); k++)
            for (c.threads = 1; c.threads <= 3; c.threads++)
                if (cf_runs_setting(g, k) && (k == 0 || !g->large) &&
                    cf_runs_threads(c.threads, k == 0 || k % 4 == 1))
                    cf_run_tasks(ctx, &c, tasks, g->large ? (c.threads == 3 ? 1 : 3) : count);
}

int main(void) {
    fr_ctx *ctx;
    if (fr_ctx_new(NULL, &ctx))
        return 1;
    for (const cf_shape *s = cf_shapes; s->name; s++) {
        cf_task tasks[CF_MAX_QUERIES];
        cf_graph *g = cf_graph_new(ctx, s, CF_NONE);
        if (!g) {
            cf_failures++;
            continue;
        }
        int count = cf_tasks_new(g, true, tasks);
        cross(ctx, g, tasks, count);
        cf_report_time("bfs", s->name);
        cf_tasks_free(tasks, count);
        cf_graph_free(g);
    }
    fr_ctx_free(ctx);
    return cf_finish("BFS");
}
