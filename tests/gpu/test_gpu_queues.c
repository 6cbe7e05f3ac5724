/* Strategies with less memory than they would take: short queues, whatever the frontier. Every shape x
 * setting, with one query on the host and all on a GPU; then `auto` with limits of memory between its least and its most. With FRI_SIMT the
 * kernels run on the host under another schedule for each case. Arguments: the only shapes, or
 * "limits". */
#include "conformance/choose.h"
#include "conformance/queries.h"
#include "fringe.h"
#include "gpu/gpu_check.h"
#include "gpu/gpu_host.h"

#include <stdio.h>
#include <string.h>

enum { MOST_VERTICES = 1 << 12 };

/* Room for n / queue_divisor vertices; the smallest for one. */
static const char *const bfs_settings[] = {
    "queue_divisor=1",
    "queue_divisor=3",
    "queue_divisor=10",
    "queue_divisor=1e9",
    "queue_divisor=1e9,cluster_max=0,persistent_max=0",
    "queue_divisor=10,cluster_max=0,persistent_max=0",
    "queue_divisor=4,cluster_max=0,persistent_max=0,push_cost_percent=10",
    "queue_divisor=1e9,push_cost_percent=1",
    "queue_divisor=10,push_cost_percent=1,cluster_max=0,persistent_max=0,disable=direct-bitmap",
    "queue_divisor=10,push_cost_percent=1,cluster_max=0,persistent_max=0,disable=lazy-init",
    "queue_divisor=10,push_cost_percent=1,cluster_max=0,persistent_max=0,disable=deferred-levels",
    "queue_divisor=10,push_cost_percent=1,cluster_max=0,persistent_max=0,disable=bitmap-claims",
    "queue_divisor=10,push_cost_percent=1,cluster_max=0,persistent_max=0,disable=pull-queues",
    "queue_divisor=6,cluster_max=0,persistent_max=0,disable=frontier-summary",
    "queue_divisor=6,cluster_max=0,persistent_max=0,direction=1",
    "queue_divisor=6,direction=2",
    NULL};

static void settings(fr_ctx *ctx, cf_config *c, const cf_task *tasks, int count) {
    uint64_t seed = 1;
    for (int i = 0; count && bfs_settings[i]; i++) {
        snprintf(c->knobs, sizeof c->knobs, "%s", bfs_settings[i]);
        simt_seed(c->seed = seed++);
        fr_solver *solver = cf_solver_new(ctx, c);
        const int first = ON_HOST ? i % count : 0, last = ON_HOST ? first + 1 : count;
        for (int t = first; solver && t < last; t++)
            cf_check(ctx, c, solver, &tasks[t].query, tasks[t].dist, tasks[t].least);
        fr_solver_free(solver);
    }
    c->knobs[0] = 0;
}

static void shape(fr_ctx *ctx, const cf_graph *g) {
    cf_task tasks[CF_MAX_QUERIES];
    int count = cf_tasks_new(g, true, tasks);
    cf_config c = {.g = g, .unit = false, .threads = 1};
    for (int r = 0; cf_strategy(FR_PROBLEM_BFS, r, &c.row); r++)
        if (strcmp(c.row.name, "auto") == 0)
            settings(ctx, &c, tasks, count);
    cf_tasks_free(tasks, count);
}

static size_t estimate(fr_ctx *ctx, const fr_graph *graph, const char *knobs) {
    const fr_solver_options options = {
        .strategy = "auto", .backend = FR_BACKEND_CUDA, .knobs = knobs};
    fr_memory_estimate bytes = {0};
    CHECK(!fr_estimate_memory(ctx, graph, FR_PROBLEM_BFS, &options, &bytes), "%s",
          fr_ctx_error(ctx));
    return bytes.device;
}

/* With a limit of so many bytes `auto` itself runs, and answers right. */
static void runs_within(const fr_graph *graph, size_t limit, const char *what) {
    static int32_t level[MOST_VERTICES], parent[MOST_VERTICES];
    const fr_ctx_options tight = {.max_gpu_bytes = limit};
    const fr_solver_options options = {.strategy = "auto", .backend = FR_BACKEND_CUDA};
    const int32_t source = fr_graph_csr(graph)->targets[0];
    const fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.level = level, .parent = parent};
    fr_ctx *ctx;
    fr_solver *solver = NULL;
    CHECK(!fr_ctx_new(&tight, &ctx), "context");
    CHECK(estimate(ctx, graph, NULL) <= limit, "%s: the estimate exceeds the limit", what);
    CHECK(!fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver), "%s: %s", what,
          fr_ctx_error(ctx));
    if (solver) {
        CHECK(!fr_solve(solver, &query, &result), "%s: %s", what, fr_ctx_error(ctx));
        CHECK(strcmp(result.stats.strategy, "auto") == 0, "%s: %s ran", what,
              result.stats.strategy);
        CHECK(!fr_verify_bfs(ctx, graph, &query, level, parent), "%s: %s", what, fr_ctx_error(ctx));
    }
    fr_solver_free(solver);
    fr_ctx_free(ctx);
}

/* Each step down needs less, and a limit of what it needs is enough. */
static void limits(fr_ctx *ctx) {
    static const char *const steps[] = {NULL, "queue_divisor=16", "queue_divisor=16,disable=ell",
                                        "queue_divisor=16,disable=ell+hub-parents"};
    enum { STEPS = sizeof steps / sizeof *steps };
    size_t need[STEPS];
    fr_graph *graph;
    if (fr_graph_generate(ctx, "rmat:scale=12,n=4096,edges=8000,seed=1", NULL, &graph))
        cf_give_up(ctx, "rmat");
    for (int i = 0; i < STEPS; i++) { /* before the graph is on the device */
        need[i] = estimate(ctx, graph, steps[i]);
        CHECK(!i || need[i] < need[i - 1], "step %d: %zu bytes after %zu", i, need[i], need[i - 1]);
    }
    for (int i = 0; i < STEPS; i++)
        runs_within(graph, need[i], steps[i] ? steps[i] : "all");
    fr_graph_free(graph);
}

int main(int argc, char **argv) {
    cf_backend = FR_BACKEND_CUDA;
    fr_ctx *ctx = cf_device_context(FR_PROBLEM_BFS, ON_HOST);
    if (!ctx)
        return 77;
    for (const cf_shape *s = cf_shapes; s->name; s++) {
        bool chosen = argc < 2;
        for (int i = 1; i < argc; i++)
            chosen = chosen || strcmp(argv[i], s->name) == 0;
        if (s->large || !chosen)
            continue;
        cf_graph *g = cf_graph_new(ctx, s, CF_NONE);
        if (!g)
            cf_give_up(ctx, s->name);
        shape(ctx, g);
        cf_graph_free(g);
    }
    if (argc < 2 || strcmp(argv[1], "limits") == 0)
        limits(ctx);
    fr_ctx_free(ctx);
    return cf_finish("queues shorter than the frontier");
}
