/* SSSP `multi-device` on 2, 3 and 4 GPUs: shapes x kinds of weights x queries x knobs, the policy, many
 * launches, targets, cancellation, refusals, a device that fails. Runs on the host (FRI_SIMT), which
 * then has four GPUs, and on a machine with several. The arguments name shapes and the parts "devices"
 * and "others". With FRINGE_FULL set every kind runs on every shape, otherwise some of them, others on each. */
#include "conformance/choose.h"
#include "conformance/queries.h"
#include "core/solver.h"
#include "cuda/multi_device/slices.h"
#include "gpu/gpu_check.h"
#include "gpu/gpu_clique.h"
#include "gpu/gpu_host.h"
#include "gpu/gpu_places.h"
#include "gpu/gpu_kinds.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEVICES = 4, SOME = 3, DEEP = 64 };

/* A context on the first `count` GPUs. */
static fr_ctx *context(int count, fr_progress_fn progress, void *user) {
    const int devices[MAX_DEVICES] = {0, 1, 2, 3};
    fr_ctx *ctx;
    fr_ctx_options options = {.threads = 2,
                              .devices = devices,
                              .device_count = count,
                              .progress = progress,
                              .progress_user = user};
    if (fr_ctx_new(&options, &ctx))
        cf_give_up(NULL, "a context");
    return ctx;
}

/* Weights from `low` to `high`. */
static fr_graph *graph_of(fr_ctx *ctx, const char *description, double low, double high) {
    fr_graph *graph;
    const fr_load_options load = {
        .weights = FR_WEIGHTS_RANDOM, .weight_low = low, .weight_high = high};
    if (fr_graph_generate(ctx, description, &load, &graph))
        cf_give_up(ctx, "a graph");
    return graph;
}

static fr_solver *solver_of(fr_ctx *ctx, const fr_graph *graph, const char *strategy,
                            const char *knobs) {
    fr_solver_options options = {.strategy = strategy, .backend = FR_BACKEND_CUDA, .knobs = knobs};
    fr_solver *solver = NULL;
    CHECK(!fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, &options, &solver), "%s", fr_ctx_error(ctx));
    return solver;
}

/* ---- the suite's shapes ---- */

static const char *const settings[] = {"all=1",
                                       "all=1,pull_divisor=1000",
                                       "all=1,pull_divisor=0,delta=3",
                                       "all=1,pull_divisor=8,pack_weights=0,grid_threads=64",
                                       "all=1,adapt=0,pack_parents=0,delta=1",
                                       "all=1,grid_threads=32,delta=1e9",
                                       "all=1,advance_below=0,shrink_above=4,adapt=1",
                                       "all=1,advance_below=50,pull_divisor=1e9,delta=2",
                                       "all=1,far_divisor=1e9,advance_below=1e9,delta=1"};
enum { SETTINGS = sizeof settings / sizeof *settings };

static bool is_deep(const cf_graph *g, const cf_task *tasks, int count) {
    for (int t = 0; t < count; t++)
        for (int32_t v = 0; v < g->n; v++)
            if (tasks[t].dist[v] > DEEP && tasks[t].dist[v] < g->n)
                return true;
    return false;
}

static void one(fr_ctx *ctx, const cf_graph *g, int kind, int setting, int query, int devices,
                cf_task *tasks, int count) {
    cf_config c = {.g = g, .unit = kinds[kind].unit, .dist_type = kinds[kind].type, .threads = 1};
    const bool unique = c.unit || g->weights != CF_ZERO;
    const cf_task *task = &tasks[query % count];
    for (int i = 0; cf_strategy(FR_PROBLEM_SSSP, i, &c.strategy); i++)
        if (strcmp(c.strategy.name, "multi-device") == 0)
            break;
    snprintf(c.knobs, sizeof c.knobs, "%s", settings[setting % SETTINGS]);
    c.seed = (uint64_t)(query + setting * 7 + 1) * MAX_DEVICES + (uint64_t)devices;
    simt_seed(c.seed);
    fr_solver *solver = cf_solver_new(ctx, &c);
    if (solver) {
        CHECK(fri_slices_of(&solver->job)->count == devices, "%s runs on all GPUs", g->shape);
        cf_check(ctx, &c, solver, &task->query, task->dist, unique ? task->min_parents : NULL);
    }
    fr_solver_free(solver);
}

/* Kinds, each with the next setting, query and schedule. */
static void cross(fr_ctx *ctx, const cf_shape *s, int devices, int nth_shape) {
    const bool full = getenv("FRINGE_FULL") != NULL;
    const int some = host_is_brief() ? (devices > 2 ? 1 : 2) : SOME;
    const int cases = cf_reduced() ? 1 : full ? KINDS : some;
    for (int i = 0, k = nth_shape + devices; i < cases; i++, k++) {
        const int kind = (full ? i : k * 3) % KINDS;
        if (cf_is_negative(kinds[kind].weights))
            continue;
        cf_task tasks[CF_MAX_QUERIES];
        cf_graph *g = cf_graph_new(ctx, s, kinds[kind].weights);
        if (!g)
            cf_give_up(ctx, s->name);
        const int count = cf_tasks_new(g, kinds[kind].unit, tasks);
        const bool deep_too = i == 0 && !(host_is_brief() && devices > 2);
        if (count && (deep_too || !is_deep(g, tasks, count)))
            one(ctx, g, kind, k + i, k + i * 2, devices, tasks, count);
        cf_tasks_free(tasks, count);
        cf_graph_free(g);
    }
}

static void shapes(int devices, int argc, char **argv) {
    fr_ctx *ctx = context(devices, NULL, NULL);
    for (const cf_shape *s = cf_shapes; s->name; s++) {
        if (!cf_part_chosen(s->name, argc, argv) ||
            (argc < 2 && host_skips_shape(devices, (int)(s - cf_shapes))) || s->large)
            continue;
        printf("%d GPUs: %s\n", devices, s->name);
        cross(ctx, s, devices, (int)(s - cf_shapes));
    }
    fr_ctx_free(ctx);
}

/* ---- compared with one GPU ---- */

static bool has_method(const fr_solver *solver, const char *method) {
    int64_t count;
    const fr_level *levels = fr_solver_levels(solver, &count);
    for (int64_t i = 0; i < count; i++)
        if (strcmp(levels[i].method, method) == 0)
            return true;
    return false;
}

/* What the window takes from the piles is relaxed before it moves again. */
static bool window_waits(const fr_solver *solver) {
    const char *const moved = "relax, window moved";
    int64_t count;
    const fr_level *levels = fr_solver_levels(solver, &count);
    for (int64_t i = 1; i < count; i++)
        if (!strcmp(levels[i - 1].method, moved) && !strcmp(levels[i].method, moved) &&
            levels[i].edges > 0)
            return false;
    return true;
}

/* Distances and parents of several sources in turn, with one solver; the rounds that it is to have. */
static void beside_one(const char *description, double low, const char *knobs, int devices,
                       const char *method) {
    enum { SOURCES = ON_HOST ? 2 : 4 };
    fr_ctx *ctx = context(devices, NULL, NULL), *alone = context(1, NULL, NULL);
    fr_graph *graph = graph_of(ctx, description, low, 255);
    fr_solver_options options = {.strategy = "multi-device",
                                 .backend = FR_BACKEND_CUDA,
                                 .knobs = knobs,
                                 .record_levels = method != NULL};
    fr_solver *all = NULL, *one = solver_of(alone, graph, "auto", "");
    CHECK(!fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, &options, &all), "%s", fr_ctx_error(ctx));
    const int32_t n = fr_graph_vertex_count(graph);
    const size_t bytes = (size_t)n * sizeof(int32_t);
    int32_t *dist = malloc(bytes), *right = malloc(bytes), *parent = malloc(bytes);
    for (int i = 0; all && i < SOURCES; i++) {
        const int32_t source = (int32_t)((int64_t)i * n / SOURCES);
        fr_query query = {.sources = &source, .source_count = 1};
        fr_result result = {.dist = dist, .parent = parent}, other = {.dist = right};
        simt_seed((uint64_t)i + 1);
        CHECK(!fr_solve(all, &query, &result), "%s", fr_ctx_error(ctx));
        CHECK(!fr_solve(one, &query, &other), "%s", fr_ctx_error(alone));
        CHECK(memcmp(dist, right, bytes) == 0, "%s %s on %d GPUs, source %d", description, knobs,
              devices, source);
        CHECK(!fr_verify_sssp(ctx, graph, &query, false, dist, FR_TYPE_I32, parent), "%s",
              fr_ctx_error(ctx));
        CHECK(!method || i || has_method(all, method), "%s: no %s", description, method);
        CHECK(!method || window_waits(all), "%s %s: the window moves twice", description, knobs);
    }
    free(parent);
    free(right);
    free(dist);
    fr_solver_free(all);
    fr_solver_free(one);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    fr_ctx_free(alone);
}

static void beside_one_on_kronecker(int devices) {
    static const char *const kronecker =
        ON_HOST ? "kronecker:scale=8,edge_factor=16,seed=3" : "kronecker:scale=18,seed=3";
    static const char *const cases[][2] = {{"all=1", "relax"},
                                           {"all=1,pull_divisor=1000", "pull"},
                                           {"all=1,pull_divisor=0", "relax, window moved"}};
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++)
        if (!host_skips_part(devices, i))
            beside_one(kronecker, 1, cases[i][0], devices, cases[i][1]);
}

/* ---- more near entries than a list holds ---- */

static void more_near_entries(int devices) {
    static const char *const knobs[] = {
        "all=1", "all=1,advance_below=1e9,shrink_above=1e9,adapt=0,delta=5000",
        "all=1,advance_below=1e9,delta=5000",
        "all=1,advance_below=1e9,shrink_above=1e9,adapt=0,delta=50000"};
    enum { N = CLIQUE + 2 * FAR };
    static int32_t dist[N], parent[N];
    fr_ctx *ctx = context(devices, NULL, NULL);
    fr_graph *graph = clique_and_far(ctx);
    const int32_t source = 0;
    const fr_query query = {.sources = &source, .source_count = 1};
    for (int i = 0; i < (int)(sizeof knobs / sizeof *knobs); i++) {
        if (host_skips_part(devices, i))
            continue;
        fr_result result = {.dist = dist, .parent = parent};
        simt_seed((uint64_t)i + 1);
        fr_solver *solver = solver_of(ctx, graph, "multi-device", knobs[i]);
        CHECK(!fr_solve(solver, &query, &result), "%s: %s", knobs[i], fr_ctx_error(ctx));
        CHECK(!fr_verify_sssp(ctx, graph, &query, false, dist, FR_TYPE_I32, parent), "%s: %s",
              knobs[i], fr_ctx_error(ctx));
        fr_solver_free(solver);
    }
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* ---- more near entries than the memory of a block holds ---- */

/* From vertex 0 to MIDDLE vertices, and from each to one of another device. */
static fr_graph *out_and_on(fr_ctx *ctx) {
    enum { MIDDLE = 20000, M = 2 * MIDDLE };
    int32_t *edges = malloc(sizeof *edges * 3 * M), *from = edges, *to = from + M, *weight = to + M;
    for (int32_t i = 0; i < MIDDLE; i++) {
        from[i] = 0, to[i] = 1 + i, weight[i] = 1 + i % 5;
        from[MIDDLE + i] = 1 + i, to[MIDDLE + i] = 2 * MIDDLE - i, weight[MIDDLE + i] = 1 + i % 3;
    }
    fr_graph *graph = NULL;
    const fr_load_options load = {.direction = FR_DIRECTION_DIRECTED};
    if (fr_graph_from_edges(ctx, 2 * MIDDLE + 1, M, from, to, weight, FR_TYPE_I32, &load, &graph))
        cf_give_up(ctx, "a graph");
    free(edges);
    return graph;
}

static void large_blocks(int devices) {
    fr_ctx *ctx = context(devices, NULL, NULL);
    fr_graph *graph = out_and_on(ctx);
    const int32_t source = 0;
    const fr_query query = {.sources = &source, .source_count = 1};
    int32_t *dist = malloc((size_t)fr_graph_vertex_count(graph) * sizeof *dist);
    fr_result result = {.dist = dist};
    fr_solver *solver = solver_of(ctx, graph, "multi-device", "all=1,delta=100,advance_below=1e9");
    CHECK(!fr_solve(solver, &query, &result), "%s", fr_ctx_error(ctx));
    CHECK(!fr_verify_sssp(ctx, graph, &query, false, dist, FR_TYPE_I32, NULL), "%s",
          fr_ctx_error(ctx));
    free(dist);
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* ---- the plan ---- */

static void policy(void) {
    const fri_devices_input kronecker = {1 << 24, 520000000, 400000, 2},
                            medium = {1 << 22, 130000000, 160000, 2},
                            hardly = {1 << 20, 33000000, 70000, 2}, small = {1000, 8000, 99, 2},
                            road = {24000000, 58000000, 9, 8},
                            alone = {1 << 24, 520000000, 400000, 1};
    CHECK(fri_devices_that_pay(&fri_sssp_devices_cost, &kronecker) == 2,
          "a large graph of few rounds");
    CHECK(fri_devices_that_pay(&fri_sssp_devices_cost, &medium) == 2, "Kronecker 22");
    CHECK(fri_devices_that_pay(&fri_sssp_devices_cost, &hardly) == 1, "Kronecker 20");
    CHECK(fri_devices_that_pay(&fri_sssp_devices_cost, &small) == 1, "a small graph");
    CHECK(fri_devices_that_pay(&fri_sssp_devices_cost, &road) == 1, "a deep graph");
    CHECK(fri_devices_that_pay(&fri_sssp_devices_cost, &alone) == 1, "one GPU");
    const fri_devices_input of_four = {1 << 24, 520000000, 400000, 4},
                            too_small = {1 << 20, 33000000, 70000, 4};
    CHECK(fri_devices_that_pay(&fri_sssp_devices_cost, &of_four) == 4, "all of four");
    CHECK(fri_devices_that_pay(&fri_sssp_devices_cost, &too_small) == 1, "Kronecker 20 on four");
}

static void explained(void) {
    fr_ctx *ctx = context(2, NULL, NULL);
    fr_graph *graph = graph_of(ctx, "grid2d:rows=6,cols=7", 1, 9);
    const int32_t source = 0;
    int32_t dist[42];
    for (int all = 0; all < 2; all++) {
        fr_solver *solver = solver_of(ctx, graph, "multi-device", all ? "all=1" : "");
        fr_query query = {.sources = &source, .source_count = 1};
        fr_result result = {.dist = dist};
        CHECK(!fr_solve(solver, &query, &result), "%s", fr_ctx_error(ctx));
        CHECK(strstr(fr_solver_explain(solver), all ? "on 2 GPUs" : "on one of 2 GPUs"), "%s",
              fr_solver_explain(solver));
        fr_solver_free(solver);
    }
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* ---- many launches, cancellation, targets, negative weights ---- */

static int stop_after(void *user, const char *phase, int64_t done, int64_t total) {
    (void)total;
    return strcmp(phase, "traversing") == 0 && done >= *(int64_t *)user;
}

/* With targets a launch has at most 64 rounds, and a path needs a round per vertex: a query that is
 * cancelled between launches leaves the solver usable, and one with a near target ends early. */
static void path_of_launches(void) {
    enum { LENGTH = 200, NEAR = 70 };
    int64_t stop = 1;
    fr_ctx *ctx = context(2, stop_after, &stop);
    char description[64];
    snprintf(description, sizeof description, "grid2d:rows=1,cols=%d", LENGTH);
    fr_graph *graph = graph_of(ctx, description, 1, 1);
    fr_solver *solver = solver_of(ctx, graph, "multi-device", "all=1,grid_threads=32,delta=1");
    const int32_t source = 0;
    int32_t target = LENGTH - 1, dist[LENGTH];
    fr_query query = {.sources = &source, .source_count = 1, .targets = &target, .target_count = 1};
    fr_result result = {.dist = dist};
    CHECK(fr_solve(solver, &query, &result) == FR_CANCELLED, "cancelled between launches");
    stop = INT64_MAX;
    CHECK(!fr_solve(solver, &query, &result), "%s", fr_ctx_error(ctx));
    for (int32_t v = 0; v < LENGTH; v++)
        CHECK(dist[v] == v, "vertex %d has distance %d", v, dist[v]);
    const int32_t rounds = result.stats.levels;
    target = NEAR;
    CHECK(!fr_solve(solver, &query, &result), "%s", fr_ctx_error(ctx));
    CHECK(dist[NEAR] == NEAR, "the target's distance is %d", dist[NEAR]);
    CHECK(result.stats.levels < rounds, "%d rounds to a near target, %d to the last",
          result.stats.levels, rounds);
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

static void negative(void) {
    const int32_t src[] = {0, 1}, dst[] = {1, 2}, weight[] = {3, -1};
    fr_ctx *ctx = context(2, NULL, NULL);
    fr_graph *graph;
    fr_load_options load = {.direction = FR_DIRECTION_DIRECTED};
    if (fr_graph_from_edges(ctx, 3, 2, src, dst, weight, FR_TYPE_I32, &load, &graph))
        cf_give_up(ctx, "a graph");
    fr_solver_options options = {
        .strategy = "multi-device", .backend = FR_BACKEND_CUDA, .knobs = "all=1"};
    fr_solver *solver = NULL;
    CHECK(fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, &options, &solver) == FR_NEGATIVE_WEIGHT,
          "negative weights are refused: %s", fr_ctx_error(ctx));
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* The smallest parents alone, in device memory: no distances are needed on the host. */
static void smallest_parents_on_the_device(void) {
    fr_ctx *ctx = context(2, NULL, NULL);
    fr_graph *graph = graph_of(ctx, "kronecker:scale=6,edge_factor=4,seed=1", 1, 3);
    fr_solver *solver = solver_of(ctx, graph, "multi-device", "all=1");
    const int32_t n = solver->job.csr.n, source = 1;
    const size_t bytes = (size_t)n * sizeof(int32_t);
    int32_t *want = malloc(bytes), *got = malloc(bytes), *there = array_new(DEVICE, bytes);
    fr_query query = {.sources = &source, .source_count = 1, .parent_rule = FR_PARENT_MIN_ID};
    CHECK(!fr_solve(solver, &query, &(fr_result){.parent = want}), "%s", fr_ctx_error(ctx));
    query.result_memory = FR_MEMORY_DEVICE;
    CHECK(!fr_solve(solver, &query, &(fr_result){.parent = there}), "%s", fr_ctx_error(ctx));
    must(cudaMemcpy(got, there, bytes, cudaMemcpyDeviceToHost), "reading parents");
    CHECK(memcmp(got, want, bytes) == 0, "parents differ");
    array_free(DEVICE, there);
    free(got);
    free(want);
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* ---- failures: the executor only ---- */

#ifdef FRI_SIMT
static void failing_device(void) {
    fr_ctx *ctx = context(3, NULL, NULL);
    fr_graph *graph = graph_of(ctx, "kronecker:scale=7,edge_factor=4,seed=1", 1, 9);
    fr_solver *solver = solver_of(ctx, graph, "multi-device", "all=1,grid_threads=32");
    const int32_t n = solver->job.csr.n, source = 1;
    int32_t *dist = malloc((size_t)n * sizeof *dist);
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.dist = dist};
    for (int device = 0; device < 3; device++) {
        fri_slices_of(&solver->job)->max_polls = 1 << 12;
        simt_fail_joint_launch(device);
        CHECK(fr_solve(solver, &query, &result) == FR_DEVICE, "GPU %d fails", device);
        CHECK(strstr(fr_ctx_error(ctx), "launch"), "%s", fr_ctx_error(ctx));
        fri_slices_of(&solver->job)->max_polls = 1 << 20;
        CHECK(!fr_solve(solver, &query, &result), "the next query: %s", fr_ctx_error(ctx));
        CHECK(dist[source] == 0, "its answer");
    }
    free(dist);
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

static fr_status try_solver(const char *says) {
    fr_ctx *ctx = context(2, NULL, NULL);
    fr_graph *graph = graph_of(ctx, "kronecker:scale=6,edge_factor=4,seed=1", 1, 9);
    fr_solver_options options = {
        .strategy = "multi-device", .backend = FR_BACKEND_CUDA, .knobs = "all=1"};
    fr_solver *solver;
    fr_status status = fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, &options, &solver);
    CHECK(!status || strstr(fr_ctx_error(ctx), says), "%s", fr_ctx_error(ctx));
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    return status;
}

static void refused(void) {
    simt_set_peers(false);
    CHECK(try_solver("cannot access GPU") == FR_UNSUPPORTED, "GPUs without peer access");
    simt_set_peers(true);
    setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
    CHECK(try_solver("CUDA_LAUNCH_BLOCKING") == FR_UNSUPPORTED, "launches that block");
    unsetenv("CUDA_LAUNCH_BLOCKING");
    fr_status status = FR_NOMEM;
    for (int64_t after = 0; status; after++) { /* every allocation on a device fails once */
        simt_fail_allocation(after);
        status = try_solver("memory");
        CHECK(!status || status == FR_NOMEM, "allocation %lld: %s", (long long)after,
              fr_status_name(status));
    }
    simt_fail_allocation(-1);
}
#endif

static void on_many_devices(int used_devices) {
    for (int devices = 2; devices <= used_devices; devices++) {
        beside_one_on_kronecker(devices);
        more_near_entries(devices);
        if (!host_skips_part(devices, 2))
            large_blocks(devices);
        beside_one("uniform:n=900,edges=2500,directed=1,seed=2", 0, "all=1", devices, NULL);
    }
}

static void others(void) {
    policy();
    explained();
    negative();
    smallest_parents_on_the_device();
    if (!cf_reduced()) /* a tool takes too long for it */
        path_of_launches();
#ifdef FRI_SIMT
    failing_device();
    refused();
#endif
}

int main(int argc, char **argv) {
    int device_count;
    setvbuf(stdout, NULL, _IOLBF, 0); /* a test that is stopped shows what it found */
#ifdef FRI_SIMT
    simt_set_devices(MAX_DEVICES);
#endif
    fr_ctx *ctx = context(1, NULL, NULL);
    fr_status status = fr_device_count(ctx, &device_count);
    if (status || device_count < 2) {
        printf("skip: %s\n", status ? fr_ctx_error(ctx) : "one GPU");
        fr_ctx_free(ctx);
        return 77;
    }
    fr_ctx_free(ctx);
    cf_backend = FR_BACKEND_CUDA;
    const int used_devices = device_count < MAX_DEVICES ? device_count : MAX_DEVICES;
    if (cf_part_chosen("others", argc, argv))
        others();
    if (cf_part_chosen("devices", argc, argv))
        on_many_devices(used_devices);
    for (int devices = 2; devices <= used_devices; devices++) /* test_gpu_sssp runs on one */
        shapes(devices, argc, argv);
    CHECK(simt_live_bytes() == 0, "%zu bytes are left", simt_live_bytes());
    const int failed = cf_finish("SSSP on several GPUs");
    return checks_end("SSSP on several GPUs") || failed;
}
