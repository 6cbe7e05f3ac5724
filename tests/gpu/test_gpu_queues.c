/* BFS `auto` on the GPU with queues that are shorter than a frontier, and with pushes by slices, whose hubs
 * are in the next queue's memory. Every shape x setting, with all queries on a GPU, on the host with one and a
 * third of the settings, others for the next shape; then with limits of memory between its minimum and its maximum;
 * the plans of `auto` against formulas; which levels are pushed by slices; the record of pulls that leave their levels
 * to the next; and SSSP `auto` with more near entries in a round than their queue holds, while far vertices are
 * pending. With FRI_SIMT the kernels run on the host under another schedule for each case. Arguments: the only shapes,
 * "limits", "slices", "deferring" or "near". */
#include "conformance/choose.h"
#include "conformance/queries.h"
#include "core/strategy.h"
#include "fringe.h"
#include "gpu/gpu_check.h"
#include "gpu/gpu_clique.h"
#include "gpu/gpu_host.h"

#include <stdio.h>
#include <string.h>

enum { MAX_VERTICES = 1 << 12 };

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
    "queue_divisor=6,cluster_max=0,persistent_max=0",
    "queue_divisor=6,cluster_max=0,persistent_max=0,direction=1",
    "queue_divisor=6,direction=2",
    "queue_divisor=6,cluster_max=0,persistent_max=0,slices=2",
    NULL};
/* Pushes by slices, more than one of them in most graphs: before pulls, before pushes, with hubs alone
 * and without; while the arrays are uninitialized, and initialized. */
static const char *const sliced_settings[] = {
    "slices=1,cluster_max=0,persistent_max=0",
    "slices=2,cluster_max=0,persistent_max=0",
    "slices=2",
    "slices=5,cluster_max=0,persistent_max=0,direction=1",
    "slices=65536,cluster_max=0,persistent_max=0",
    "slices=1,cluster_max=0,persistent_max=0,disable=lazy-init",
    "slices=1,cluster_max=0,persistent_max=0,disable=fused-init,direction=1",
    "slices=3,cluster_max=0,persistent_max=0,disable=pull-queues",
    "slices=3,cluster_max=0,persistent_max=0,disable=ell+hub-parents",
    NULL};

/* Pulls that leave their levels to the next level: a pull or, where the prediction was wrong, a push. */
static const char *const deferring_settings[] = {
    "deferring_pull_min=0,direction=2",
    "deferring_pull_min=0,direction=2,disable=lazy-init",
    "deferring_pull_min=0,direction=2,disable=fused-init",
    "deferring_pull_min=0,direction=2,disable=hub-parents",
    "deferring_pull_min=0,direction=2,queue_divisor=6",
    "deferring_pull_min=0,cluster_max=0,persistent_max=0,push_cost_percent=400",
    "deferring_pull_min=0,cluster_max=0,persistent_max=0,push_cost_percent=10000,disable="
    "aggregated-claims",
    "deferring_pull_min=0,cluster_max=0,persistent_max=0,push_cost_percent=1000,queue_divisor=6",
    "deferring_pull_min=0,cluster_max=0,persistent_max=0,push_cost_percent=1000,slices=2",
    NULL};

/* Settings `begin`, `begin` + `step`, ... of the list. */
static void settings(fr_ctx *ctx, cf_config *c, const cf_task *tasks, int count,
                     const char *const *list, int begin, int step) {
    uint64_t seed = 1;
    for (int i = 0; count && list[i]; i++) {
        if (i % step != begin)
            continue;
        snprintf(c->knobs, sizeof c->knobs, "%s", list[i]);
        simt_seed(c->seed = seed++);
        fr_solver *solver = cf_solver_new(ctx, c);
        const int first = ON_HOST ? i % count : 0, last = ON_HOST ? first + 1 : count;
        for (int t = first; solver && t < last; t++)
            cf_check(ctx, c, solver, &tasks[t].query, tasks[t].dist, tasks[t].min_parents);
        fr_solver_free(solver);
    }
    c->knobs[0] = 0;
}

static void shape(fr_ctx *ctx, const cf_graph *g, int nth) {
    const int step = host_is_brief() ? 3 : 1;
    cf_task tasks[CF_MAX_QUERIES];
    int count = cf_tasks_new(g, true, tasks);
    cf_config c = {.g = g, .unit = false, .threads = 1};
    for (int r = 0; cf_strategy(FR_PROBLEM_BFS, r, &c.strategy); r++)
        if (strcmp(c.strategy.name, "auto") == 0) {
            settings(ctx, &c, tasks, count, bfs_settings, nth % step, step);
            settings(ctx, &c, tasks, count, sliced_settings, nth % step, step);
            settings(ctx, &c, tasks, count, deferring_settings, nth % step, step);
        }
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
    static int32_t level[MAX_VERTICES], parent[MAX_VERTICES];
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

/* The levels of a query that were pushed by slices; its answer is verified. */
static int sliced_levels(fr_ctx *ctx, const fr_graph *graph, const char *knobs) {
    static int32_t level[MAX_VERTICES], parent[MAX_VERTICES];
    const fr_solver_options options = {
        .strategy = "auto", .backend = FR_BACKEND_CUDA, .knobs = knobs, .record_levels = true};
    const int32_t source = fr_graph_csr(graph)->targets[0];
    const fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.level = level, .parent = parent};
    fr_solver *solver;
    int64_t count = 0, vertices = 0;
    int sliced = 0;
    if (fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver))
        cf_give_up(ctx, knobs);
    CHECK(!fr_solve(solver, &query, &result), "%s: %s", knobs, fr_ctx_error(ctx));
    CHECK(!fr_verify_bfs(ctx, graph, &query, level, parent), "%s: %s", knobs, fr_ctx_error(ctx));
    const fr_level *levels = fr_solver_levels(solver, &count);
    for (int64_t i = 0; i < count; i++) {
        sliced += strcmp(levels[i].method, "sliced top-down") == 0;
        vertices += levels[i].frontier;
    }
    CHECK(vertices == result.stats.reached, "%s: %lld vertices in frontiers, %lld reached", knobs,
          (long long)vertices, (long long)result.stats.reached);
    fr_solver_free(solver);
    return sliced;
}

static void slices(fr_ctx *ctx) {
    fr_graph *graph;
    if (fr_graph_generate(ctx, "kronecker:scale=11,edge_factor=16,seed=1", NULL, &graph))
        cf_give_up(ctx, "kronecker");
    const int pulls = sliced_levels(ctx, graph, "slices=2,cluster_max=0,persistent_max=0"),
              pushes =
                  sliced_levels(ctx, graph, "slices=2,cluster_max=0,persistent_max=0,direction=1"),
              none = sliced_levels(ctx, graph,
                                   "slices=2,cluster_max=0,persistent_max=0,disable=sliced-push"),
              few = sliced_levels(ctx, graph, "cluster_max=0,persistent_max=0");
    CHECK(pulls >= 1 && pushes >= 1, "%d and %d levels by slices", pulls, pushes);
    CHECK(none == 0 && few == 0, "%d and %d levels by slices", none, few);
    fr_graph_free(graph);
}

enum { MAX_LEVELS = 16 };

/* Solves with these knobs and stores the levels' lines. Returns how many there are. */
static int64_t record(fr_ctx *ctx, const fr_graph *graph, const char *knobs, fr_level *lines) {
    const fr_solver_options options = {
        .strategy = "auto", .backend = FR_BACKEND_CUDA, .knobs = knobs, .record_levels = true};
    const int32_t source = fr_graph_csr(graph)->targets[0];
    const fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {0};
    fr_solver *solver;
    int64_t count = 0;
    if (fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver))
        cf_give_up(ctx, knobs);
    CHECK(!fr_solve(solver, &query, &result), "%s: %s", knobs, fr_ctx_error(ctx));
    const fr_level *levels = fr_solver_levels(solver, &count);
    CHECK(count <= MAX_LEVELS, "%s: %lld levels", knobs, (long long)count);
    for (int64_t i = 0; i < count && i < MAX_LEVELS; i++)
        lines[i] = levels[i];
    fr_solver_free(solver);
    return count;
}

/* A pull that leaves its levels to the next one does not count edges: the record gets them later. */
static void deferring(fr_ctx *ctx) {
    fr_level lines[MAX_LEVELS], deferred[MAX_LEVELS];
    fr_graph *graph;
    if (fr_graph_generate(ctx, "kronecker:scale=11,edge_factor=16,seed=1", NULL, &graph))
        cf_give_up(ctx, "kronecker");
    const int64_t count = record(ctx, graph, "direction=2", lines),
                  same = record(ctx, graph, "direction=2,deferring_pull_min=0", deferred);
    CHECK(count > 2 && same == count, "%lld and %lld levels", (long long)count, (long long)same);
    for (int64_t i = 0; i < count && i < same; i++)
        CHECK(lines[i].frontier == deferred[i].frontier && lines[i].edges == deferred[i].edges,
              "level %lld: %lld and %lld edges", (long long)i, (long long)lines[i].edges,
              (long long)deferred[i].edges);
    fr_graph_free(graph);
}

/* The plan of `auto` for an undirected graph of that size, of which nothing exists. */
static double planned(fr_ctx *ctx, fr_problem problem, int32_t n, int64_t m, double divisor) {
    static const int32_t weights[1];
    fri_job job = {.ctx = ctx, .problem = problem, .dist_type = FR_TYPE_I32, .weight_max = 1000};
    job.strategy = fri_strategy_find(problem, FR_BACKEND_CUDA, "auto");
    job.csr = (fr_csr){.n = n, .m = m, .symmetric = true};
    if (problem == FR_PROBLEM_SSSP) {
        job.csr.weights = weights;
        job.csr.weight_type = FR_TYPE_I32;
    }
    for (int i = 0; job.strategy->knobs[i].name; i++) {
        const fr_knob *knob = &job.strategy->knobs[i];
        job.knob[i] =
            strcmp(knob->name, "queue_divisor") == 0 && divisor > 1 ? divisor : knob->value;
    }
    return (double)job.strategy->device_bytes(&job);
}

static void is_about(double bytes, double formula, const char *what) {
    CHECK(bytes > formula - 1 && bytes < formula + (1 << 20), "%s: %.0f bytes, by the formula %.0f",
          what, bytes, formula);
}

/* BFS: offsets, targets; level, parent, sources, hub parents; targets of the query, visited, two
 * frontiers, vertices without in-edges; two queues. SSSP: offsets, targets, weights, rows of tiles;
 * distances, parent, sources, packed parents, three arrays of the driver; targets of the query; two
 * queues, two piles of a quarter; two lists of chunks. */
static void plans(fr_ctx *ctx) {
    const int32_t n = 1 << 29, half = 1 << 28;
    const int64_t m = INT64_C(17000000000), fewer = INT64_C(8500000000);
    const double v = n, e = (double)m, bfs = 8 * v + 4 * e + 4 * 4 * v + 5 * v / 8;
    is_about(planned(ctx, FR_PROBLEM_BFS, n, m, 1), bfs + 32 * (v + e / 256), "BFS");
    is_about(planned(ctx, FR_PROBLEM_BFS, n, m, 16), bfs + 32 * (v / 16 + e / 256), "BFS, short");
    const double u = half, f = (double)fewer;
    is_about(planned(ctx, FR_PROBLEM_SSSP, half, fewer, 1),
             8 * u + 8 * f + f / 2048 * 8 + (4 + 4 + 4 + 8 + 12) * u + u / 8 + 2 * 8 * u * 1.25 +
                 2 * 24 * f / 32,
             "SSSP");
}

static void more_near_entries(fr_ctx *ctx) {
    static const char *const knobs[] = {
        "", "advance_below=1e9,shrink_above=1e9,adapt=0,delta=5000",
        "advance_below=1e9,shrink_above=1e9,adapt=0,delta=5000,hops=0",
        "advance_below=1e9,delta=5000,hops=0",
        "advance_below=1e9,shrink_above=1e9,adapt=0,delta=50000"};
    enum { N = CLIQUE + 2 * FAR };
    static int32_t dist[N], parent[N];
    fr_graph *graph = clique_and_far(ctx);
    const int32_t source = 0;
    const fr_query query = {.sources = &source, .source_count = 1};
    for (size_t i = 0; i < sizeof knobs / sizeof *knobs; i++) {
        const fr_solver_options options = {
            .strategy = "auto", .backend = FR_BACKEND_CUDA, .knobs = knobs[i]};
        fr_result result = {.dist = dist, .parent = parent};
        fr_solver *solver = NULL;
        simt_seed(i + 1);
        CHECK(!fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, &options, &solver) &&
                  !fr_solve(solver, &query, &result),
              "%s: %s", knobs[i], fr_ctx_error(ctx));
        CHECK(!fr_verify_sssp(ctx, graph, &query, false, dist, FR_TYPE_I32, parent), "%s: %s",
              knobs[i], fr_ctx_error(ctx));
        fr_solver_free(solver);
    }
    fr_graph_free(graph);
}

int main(int argc, char **argv) {
    cf_backend = FR_BACKEND_CUDA;
    fr_ctx *ctx = cf_device_context(FR_PROBLEM_BFS, ON_HOST);
    bool any_shape = false;
    if (!ctx)
        return 77;
    for (const cf_shape *s = cf_shapes; s->name; s++) {
        if (s->large || !cf_part_chosen(s->name, argc, argv))
            continue;
        cf_graph *g = cf_graph_new(ctx, s, CF_NONE);
        if (!g)
            cf_give_up(ctx, s->name);
        shape(ctx, g, (int)(s - cf_shapes));
        cf_graph_free(g);
        any_shape = true;
    }
    if (cf_part_chosen("limits", argc, argv)) {
        plans(ctx);
        limits(ctx);
    }
    if (cf_part_chosen("slices", argc, argv))
        slices(ctx);
    if (cf_part_chosen("deferring", argc, argv))
        deferring(ctx);
    if (cf_part_chosen("near", argc, argv))
        more_near_entries(ctx);
    fr_ctx_free(ctx);
    const int failed = any_shape && cf_finish("queues shorter than the frontier");
    if (any_shape && !checks) /* only shapes were chosen */
        return failed;
    return checks_end("queues shorter than the frontier") || failed;
}
