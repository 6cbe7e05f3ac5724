/* BFS `auto` on the GPU with queues that are shorter than a frontier, and with pushes by slices, whose hubs
 * are in the next queue's memory. Every shape x setting, with all queries on a GPU, on the host with one and a
 * third of the settings, others for the next shape; then with limits of memory between its minimum and its maximum;
 * the plans of `auto` against formulas; which levels are pushed by slices; the record of pulls that leave their levels
 * to the next; and SSSP `auto` with more near entries in a round than their queue holds, while far vertices are
 * pending. With FRI_SIMT the kernels run on the host under another schedule for each case. Arguments: the only shapes,
 * "limits", "slices", "deferring" or "near". */
#include "core/strategy.h"
#include "gpu/harness.h"

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

static void shape(fr_ctx *ctx, const cf_shape *s, int nth) {
    const int step = host_is_brief() ? 3 : 1;
    cf_task tasks[CF_MAX_QUERIES];
    cf_graph *g = s->large ? NULL : cf_graph_new(ctx, s, CF_NONE);
    if (s->large)
        return;
    if (!g)
        cf_give_up(ctx, s->name);
    const int count = cf_tasks_new(g, true, tasks);
    cf_config c = {.g = g, .threads = 1, .strategy = strategy_named(FR_PROBLEM_BFS, "auto")};
    settings(ctx, &c, tasks, count, bfs_settings, nth % step, step);
    settings(ctx, &c, tasks, count, sliced_settings, nth % step, step);
    settings(ctx, &c, tasks, count, deferring_settings, nth % step, step);
    cf_tasks_free(tasks, count);
    cf_graph_free(g);
}

static size_t estimate(fr_ctx *ctx, const fr_graph *graph, const char *knobs) {
    const fr_solver_options options = {
        .strategy = "auto", .backend = FR_BACKEND_CUDA, .knobs = knobs};
    fr_memory_estimate bytes = {0};
    CHECK(!fr_estimate_memory(ctx, graph, FR_PROBLEM_BFS, &options, &bytes), "%s",
          fr_ctx_error(ctx));
    return bytes.device;
}

/* From the first target. */
static ask ask_of(fr_ctx *ctx, fr_graph *graph, const char *knobs) {
    return (ask){.ctx = ctx,
                 .graph = graph,
                 .name = "auto",
                 .problem = FR_PROBLEM_BFS,
                 .options = {.strategy = "auto", .knobs = knobs, .record_levels = true},
                 .query = {.sources = fr_graph_csr(graph)->targets, .source_count = 1}};
}

/* With `limit` bytes `auto` itself runs, and answers right. */
static void runs_within(fr_graph *graph, size_t limit, const char *what) {
    fr_ctx *ctx = context_new((fr_ctx_options){.max_gpu_bytes = limit});
    const ask a = ask_of(ctx, graph, NULL);
    CHECK(estimate(ctx, graph, NULL) <= limit, "%s: the estimate exceeds the limit", what);
    fr_solver *solver = solver_new(ctx, graph, a.problem, (fr_solver_options){.strategy = "auto"});
    const char *ran = solver ? solve_verified(&a, solver).strategy : "none";
    CHECK(strcmp(ran, "auto") == 0, "%s: %s ran", what, ran);
    fr_solver_free(solver);
    fr_ctx_free(ctx);
}

/* Each step down needs less, and a limit of what it needs is enough. */
static void limits(fr_ctx *ctx) {
    static const char *const steps[] = {NULL, "queue_divisor=16", "queue_divisor=16,disable=ell",
                                        "queue_divisor=16,disable=ell+hub-parents"};
    enum { STEPS = sizeof steps / sizeof *steps };
    size_t need[STEPS];
    fr_graph *graph =
        graph_generate(ctx, "rmat:scale=12,n=4096,edges=8000,seed=1", (fr_load_options){0});
    for (int i = 0; i < STEPS; i++) { /* before the graph is on the device */
        need[i] = estimate(ctx, graph, steps[i]);
        CHECK(!i || need[i] < need[i - 1], "step %d: %zu bytes after %zu", i, need[i], need[i - 1]);
    }
    for (int i = 0; i < STEPS; i++)
        runs_within(graph, need[i], steps[i] ? steps[i] : "all");
    fr_graph_free(graph);
}

enum { MAX_LEVELS = 32 };
static const char *const kronecker = "kronecker:scale=11,edge_factor=16,seed=1";

/* Solves with these knobs, verifies, and stores the levels' lines. Returns how many there are. */
static int64_t record(fr_ctx *ctx, fr_graph *graph, const char *knobs, fr_level *lines) {
    const ask a = ask_of(ctx, graph, knobs);
    fr_solver *solver = solver_new(ctx, graph, a.problem, a.options);
    int64_t count = 0, vertices = 0;
    if (!solver)
        cf_give_up(ctx, knobs);
    const fr_stats stats = solve_verified(&a, solver);
    const fr_level *levels = fr_solver_levels(solver, &count);
    CHECK(count <= MAX_LEVELS, "%s: %lld levels", knobs, (long long)count);
    for (int64_t i = 0; i < count && i < MAX_LEVELS; i++) {
        lines[i] = levels[i];
        vertices += levels[i].frontier;
    }
    CHECK(vertices == stats.reached, "%s: %lld vertices in frontiers, %lld reached", knobs,
          (long long)vertices, (long long)stats.reached);
    fr_solver_free(solver);
    return count;
}

/* The levels of a query that were pushed by slices. */
static int sliced_levels(fr_ctx *ctx, fr_graph *graph, const char *knobs) {
    fr_level lines[MAX_LEVELS];
    const int64_t count = record(ctx, graph, knobs, lines);
    int sliced = 0;
    for (int64_t i = 0; i < count && i < MAX_LEVELS; i++)
        sliced += strcmp(lines[i].method, "sliced top-down") == 0;
    return sliced;
}

static void slices(fr_ctx *ctx) {
    fr_graph *graph = graph_generate(ctx, kronecker, (fr_load_options){0});
    const int pulls = sliced_levels(ctx, graph, "slices=2,cluster_max=0,persistent_max=0"),
              pushes =
                  sliced_levels(ctx, graph, "slices=2,cluster_max=0,persistent_max=0,direction=1"),
              none = sliced_levels(ctx, graph,
                                   "slices=2,cluster_max=0,persistent_max=0,disable=sliced-push"),
              few = sliced_levels(ctx, graph,
                                  "direction=1,cluster_max=0,persistent_max=0,"
                                  "disable=single-block" /* blocks hold hubs */);
    CHECK(pulls >= 1 && pushes >= 1, "%d and %d levels by slices", pulls, pushes);
    CHECK(none == 0 && few == 0, "%d and %d levels by slices", none, few);
    fr_graph_free(graph);
}

/* A pull that leaves its levels to the next one does not count edges: the record gets them later. */
static void deferring(fr_ctx *ctx) {
    fr_level lines[MAX_LEVELS], deferred[MAX_LEVELS];
    fr_graph *graph = graph_generate(ctx, kronecker, (fr_load_options){0});
    const int64_t count = record(ctx, graph, "direction=2", lines),
                  same = record(ctx, graph, "direction=2,deferring_pull_min=0", deferred);
    CHECK(count > 2 && same == count, "%lld and %lld levels", (long long)count, (long long)same);
    for (int64_t i = 0; i < count && i < same; i++)
        CHECK(lines[i].frontier == deferred[i].frontier && lines[i].edges == deferred[i].edges,
              "level %lld: %lld and %lld edges", (long long)i, (long long)lines[i].edges,
              (long long)deferred[i].edges);
    fr_graph_free(graph);
}

/* One of the persistent blocks finds a whole level, of which the others take their shares from the queue. */
static void sharing(fr_ctx *ctx) {
    enum { DEEP = 24, WIDE = 150 };
    edge edges[DEEP + 2 * WIDE];
    fr_level lines[MAX_LEVELS];
    for (int i = 0; i < COUNT(edges); i++)
        edges[i] = (edge){i < DEEP ? i : i < DEEP + WIDE ? DEEP : i + 1 - WIDE, i + 1, 1};
    fr_graph *graph = graph_of_edges(ctx, COUNT(edges) + 1, COUNT(edges), edges, FR_TYPE_NONE,
                                     FR_DIRECTION_UNDIRECTED);
    const int64_t count =
        record(ctx, graph, "direction=1,cluster_max=0,disable=ell+aggregated-claims", lines);
    CHECK(count == DEEP + 2 && lines[DEEP].frontier == WIDE &&
              strstr(lines[DEEP].method, "persistent"),
          "%lld levels, one by %s", (long long)count, lines[DEEP].method);
    fr_graph_free(graph);
}

/* The plan of `auto` for an undirected graph of that size, of which nothing exists. */
static double planned(fr_ctx *ctx, fr_problem problem, int32_t n, int64_t m, double divisor) {
    static const int32_t weights[1];
    const fri_job_input in = {.problem = problem, .dist_type = FR_TYPE_I32};
    fri_job job = {.ctx = ctx, .in = &in, .weight_max = 1000};
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
 * queues, also for tiles, two piles of a quarter; two lists of chunks. */
static void plans(fr_ctx *ctx) {
    const int32_t n = 1 << 29, half = 1 << 28;
    const int64_t m = INT64_C(17000000000), fewer = INT64_C(8500000000);
    const double v = n, e = (double)m, bfs = 8 * v + 4 * e + 4 * 4 * v + 5 * v / 8;
    is_about(planned(ctx, FR_PROBLEM_BFS, n, m, 1), bfs + 32 * (v + e / 256), "BFS");
    is_about(planned(ctx, FR_PROBLEM_BFS, n, m, 16), bfs + 32 * (v / 16 + e / 256), "BFS, short");
    const double u = half, f = (double)fewer;
    is_about(planned(ctx, FR_PROBLEM_SSSP, half, fewer, 1),
             8 * u + 8 * f + f / 2048 * 8 + (4 + 4 + 4 + 8 + 12) * u + u / 8 +
                 2 * 8 * (u * 1.25 + f / 2048) + 2 * 24 * f / 32,
             "SSSP");
}

static void plans_and_limits(fr_ctx *ctx) {
    plans(ctx);
    limits(ctx);
}

static void more_near_entries(fr_ctx *ctx) {
    static const char *const knobs[] = {
        "", "advance_below=1e9,shrink_above=1e9,adapt=0,delta=5000",
        "advance_below=1e9,shrink_above=1e9,adapt=0,delta=5000,hops=0",
        "advance_below=1e9,delta=5000,hops=0",
        "advance_below=1e9,shrink_above=1e9,adapt=0,delta=50000"};
    fr_graph *graph = graph_clique_and_far(ctx);
    const int32_t source = 0;
    for (int i = 0; i < COUNT(knobs); i++) {
        ask a = ask_of(ctx, graph, knobs[i]);
        a.problem = FR_PROBLEM_SSSP;
        a.query.sources = &source;
        simt_seed((uint64_t)i + 1);
        fr_solver *solver = solver_new(ctx, graph, a.problem, a.options);
        solve_verified(&a, solver);
        fr_solver_free(solver);
    }
    fr_graph_free(graph);
}

static const part parts[] = {{"limits", plans_and_limits}, {"slices", slices},
                             {"deferring", deferring},     {"sharing", sharing},
                             {"near", more_near_entries},  {0}};

int main(int argc, char **argv) {
    const program p = {.what = "queues shorter than the frontier",
                       .problem = FR_PROBLEM_BFS,
                       .shape = shape,
                       .parts = parts};
    return program_main(&p, argc, argv);
}
