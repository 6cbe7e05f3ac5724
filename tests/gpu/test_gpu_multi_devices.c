/* BFS `multi-device` on 1, 2, 3 and 4 GPUs: every shape x queries x knobs, the bytes that pass between GPUs
 * against the formula, the cut and the policy, many launches, cancellation, a device that fails. Runs on
 * the host (FRI_SIMT), which then has four GPUs, and on a machine with several. The arguments name
 * shapes and the parts "devices" and "others". With FRINGE_FULL set the host runs every query on every shape, which takes ten minutes, otherwise
 * every ninth. */
#include "conformance/choose.h"
#include "conformance/queries.h"
#include "core/solver.h"
#include "cuda/multi_device/slices.h"
#include "gpu/gpu_check.h"
#include "gpu/gpu_host.h"
#include "gpu/gpu_places.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEVICES = 4, SOME = 9, DEEP = 64 };

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

static fr_graph *graph_of(fr_ctx *ctx, const char *description) {
    fr_graph *graph;
    if (fr_graph_generate(ctx, description, NULL, &graph))
        cf_give_up(ctx, "a graph");
    return graph;
}

static fr_solver *solver_of(fr_ctx *ctx, const fr_graph *graph, const char *knobs) {
    fr_solver_options options = {
        .strategy = "multi-device", .backend = FR_BACKEND_CUDA, .knobs = knobs};
    fr_solver *solver = NULL;
    CHECK(!fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver), "%s", fr_ctx_error(ctx));
    return solver;
}

/* ---- the suite's shapes ---- */

/* list_edges: without it small graphs exchange nearly all levels as lists */
static const char *const settings[] = {"all=1",
                                       "all=1,direction=1,list_edges=0",
                                       "all=1,direction=2",
                                       "all=1,list_edges=20",
                                       "all=1,direction=1,list_edges=9,grid_threads=64",
                                       "all=1,direction=2,hub_parents=0,grid_threads=64",
                                       "all=1,push_cost_percent=1000,list_edges=0",
                                       "all=1,push_cost_percent=1,list_edges=100",
                                       "all=1,grid_threads=32,push_cost_percent=1,list_edges=0",
                                       "all=1,sliced_push=2",
                                       "all=1,sliced_push=2,direction=1,list_edges=1000",
                                       "all=1,sliced_push=2,push_cost_percent=1,grid_threads=64",
                                       "all=1,sliced_push=0,list_edges=60"};
enum { SETTINGS = sizeof settings / sizeof *settings };

static bool is_deep(const cf_graph *g, const cf_task *tasks, int count) {
    for (int t = 0; t < count; t++)
        for (int32_t v = 0; v < g->n; v++)
            if (tasks[t].dist[v] > DEEP && tasks[t].dist[v] < g->n)
                return true;
    return false;
}

/* Every query, each with the next setting and schedule. */
static void cross(fr_ctx *ctx, const cf_graph *g, int devices, int nth_shape) {
    cf_task tasks[CF_MAX_QUERIES];
    const int count = cf_tasks_new(g, true, tasks);
    const bool full = !ON_HOST || getenv("FRINGE_FULL");
    const int step = full ? 1 : is_deep(g, tasks, count) ? count : SOME;
    cf_config c = {.g = g, .unit = false, .threads = 1};
    for (int i = 0; cf_strategy(FR_PROBLEM_BFS, i, &c.strategy); i++)
        if (strcmp(c.strategy.name, "multi-device") == 0)
            break;
    const int begin = full ? 0 : (nth_shape + devices) % SOME, used_devices = cf_reduced() * step;
    const int end = used_devices ? FRI_MIN(begin + used_devices, count) : count;
    for (int i = begin; i < end; i += step) {
        snprintf(c.knobs, sizeof c.knobs, "%s",
                 settings[(i + i / SETTINGS + nth_shape) % SETTINGS]);
        c.seed = (uint64_t)(i + 1) * MAX_DEVICES + (uint64_t)devices;
        simt_seed(c.seed);
        fr_solver *solver = cf_solver_new(ctx, &c);
        if (solver) {
            CHECK(fri_slices_of(&solver->job)->count == devices, "%s runs on all GPUs", g->shape);
            cf_check(ctx, &c, solver, &tasks[i % count].query, tasks[i % count].dist,
                     tasks[i % count].min_parents);
        }
        fr_solver_free(solver);
    }
    cf_tasks_free(tasks, count);
}

static void shapes(int devices, int argc, char **argv) {
    fr_ctx *ctx = context(devices, NULL, NULL);
    for (const cf_shape *s = cf_shapes; s->name; s++) {
        if (!cf_part_chosen(s->name, argc, argv) ||
            (argc < 2 && host_skips_shape(devices, (int)(s - cf_shapes))) || (ON_HOST && s->large))
            continue;
        cf_graph *g = cf_graph_new(ctx, s, CF_NONE);
        if (!g)
            cf_give_up(ctx, s->name);
        cross(ctx, g, devices, (int)(s - cf_shapes));
        cf_graph_free(g);
    }
    fr_ctx_free(ctx);
}

/* ---- bytes between GPUs ---- */

/* Words of 32 vertices with a vertex of that level. */
static int64_t words_of_level(const int32_t *level, int32_t n, int32_t depth) {
    int64_t words = 0;
    for (int32_t first = 0; first < n; first += 32) {
        bool any = false;
        for (int32_t v = first; v < n && v < first + 32; v++)
            any |= level[v] == depth;
        words += any;
    }
    return words;
}

/* Vertices of that level in lists: of an undirected graph those with an edge besides their parent's. */
static int64_t listed_of_level(const fr_csr *csr, const int32_t *level, int32_t depth) {
    int64_t listed = 0;
    for (int32_t v = 0; v < csr->n; v++)
        listed +=
            level[v] == depth && csr->offsets[v + 1] - csr->offsets[v] >= (csr->symmetric ? 2 : 1);
    return listed;
}

/* Compares the bytes of each level: max_level limits a query to each number of levels in turn. */
static void bytes_of_levels(const char *description, const char *knobs, bool lists, int devices) {
    fr_ctx *ctx = context(devices, NULL, NULL);
    fr_graph *graph = graph_of(ctx, description);
    fr_solver *solver = solver_of(ctx, graph, knobs);
    const int32_t n = solver->job.csr.n, source = n / 3;
    int32_t *level = malloc((size_t)n * sizeof *level);
    int64_t expected = 0;
    for (int32_t depth = 1; depth <= 6; depth++) {
        fr_query query = {.sources = &source, .source_count = 1, .max_level = depth};
        fr_result result = {.level = level};
        simt_seed((uint64_t)depth);
        CHECK(!fr_solve(solver, &query, &result), "%s", fr_ctx_error(ctx));
        expected += fri_published_bytes(lists ? listed_of_level(&solver->job.csr, level, depth)
                                              : words_of_level(level, n, depth),
                                        devices);
        const int64_t published = fri_slices_of(&solver->job)->bfs.published;
        CHECK(published == expected, "%s %s on %d GPUs, %d levels: %lld bytes instead of %lld",
              description, knobs, devices, depth, (long long)published, (long long)expected);
    }
    CHECK(devices == 1 || expected > 0, "something is published");
    free(level);
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* ---- pushes by slices ---- */

/* Counts the levels that were pushed by slices. */
static int sliced_levels(const fr_solver *solver) {
    int64_t count;
    int sliced = 0;
    const fr_level *levels = fr_solver_levels(solver, &count);
    for (int64_t i = 0; i < count; i++)
        sliced += strcmp(levels[i].method, "sliced top-down") == 0;
    return sliced;
}

/* From each of some sources: the same levels with and without, and all edges of the frontiers examined. */
static void pushes_by_slices(const char *description, int devices) {
    fr_ctx *ctx = context(devices, NULL, NULL);
    fr_graph *graph = graph_of(ctx, description);
    fr_solver_options options = {.strategy = "multi-device",
                                 .backend = FR_BACKEND_CUDA,
                                 .knobs = "all=1,sliced_push=2,direction=1,list_edges=100000",
                                 .record_levels = true};
    fr_solver *with = NULL,
              *without = solver_of(ctx, graph, "all=1,sliced_push=0,direction=1,list_edges=0");
    CHECK(!fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &with), "%s", fr_ctx_error(ctx));
    const size_t bytes = (size_t)with->job.csr.n * sizeof(int32_t);
    int32_t *level = malloc(bytes), *expected = malloc(bytes), *parent = malloc(bytes);
    for (int32_t source = 0; source < with->job.csr.n; source += 149) {
        fr_query query = {.sources = &source, .source_count = 1};
        fr_result result = {.level = level, .parent = parent}, other = {.level = expected};
        simt_seed((uint64_t)source);
        CHECK(!fr_solve(with, &query, &result), "%s", fr_ctx_error(ctx));
        CHECK(!fr_solve(without, &query, &other), "%s", fr_ctx_error(ctx));
        CHECK(memcmp(level, expected, bytes) == 0, "%s from %d on %d GPUs: other levels",
              description, source, devices);
        CHECK(!fr_verify_bfs(ctx, graph, &query, level, parent), "%s", fr_ctx_error(ctx));
        CHECK(sliced_levels(with) > 0 || result.stats.levels == 0, "from %d none is sliced",
              source);
        /* vertices whose only edge leads back are not in lists */
        const int64_t all = other.stats.edges_examined, examined = result.stats.edges_examined;
        CHECK(examined <= all && examined >= all - with->job.csr.n,
              "from %d %lld edges examined, of %lld", source, (long long)examined, (long long)all);
    }
    free(level);
    free(expected);
    free(parent);
    fr_solver_free(without);
    fr_solver_free(with);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* ---- the plan ---- */

static void cuts(void) {
    enum { N = 10 * FRI_SLICE_UNIT + 7 };
    static int64_t offsets[N + 1];
    int32_t first[FRI_SLICES_MAX + 1];
    for (int devices = 1; devices <= FRI_SLICES_MAX; devices++) {
        for (int32_t v = 0; v < N; v++) /* all edges end at one vertex of the middle */
            offsets[v + 1] = offsets[v] + (v == N / 2 ? 1000000 : 0);
        fri_cut_slices(N, offsets, devices, first);
        CHECK(first[0] == 0 && first[devices] == N, "the slices cover all vertices");
        for (int k = 0; k < devices; k++) {
            CHECK(first[k] <= first[k + 1], "slices are in order");
            CHECK(k == 0 || first[k] == N || first[k] % FRI_SLICE_UNIT == 0, "whole units");
        }
    }
    for (int32_t v = 0; v < N; v++)
        offsets[v + 1] = 4 * (int64_t)(v + 1);
    fri_cut_slices(N, offsets, 2, first);
    CHECK(abs(2 * first[1] - N) <= 2 * FRI_SLICE_UNIT, "even edges are halved");
}

static void policy(void) {
    const fri_devices_input kronecker = {1 << 24, 520000000, 400000, 2},
                            small = {1000, 8000, 99, 2}, road = {24000000, 58000000, 9, 8},
                            alone = {1 << 24, 520000000, 400000, 1};
    CHECK(fri_devices_that_pay(&fri_bfs_devices_cost, &kronecker) == 2,
          "a large graph of few levels");
    CHECK(fri_devices_that_pay(&fri_bfs_devices_cost, &small) == 1, "a small graph");
    CHECK(fri_devices_that_pay(&fri_bfs_devices_cost, &road) == 1, "a deep graph");
    CHECK(fri_devices_that_pay(&fri_bfs_devices_cost, &alone) == 1, "one GPU");
    CHECK(fri_expected_ns(&fri_bfs_devices_cost, &kronecker, 2) <
              fri_expected_ns(&fri_bfs_devices_cost, &kronecker, 1),
          "why");
    const fri_devices_input of_four = {1 << 24, 520000000, 400000, 4},
                            too_small = {1 << 20, 33000000, 70000, 4};
    CHECK(fri_devices_that_pay(&fri_bfs_devices_cost, &of_four) == 4, "all of four");
    CHECK(fri_devices_that_pay(&fri_bfs_devices_cost, &too_small) == 1, "Kronecker 20 on four");
}

static void explained(void) {
    fr_ctx *ctx = context(2, NULL, NULL);
    fr_graph *graph = graph_of(ctx, "grid2d:rows=6,cols=7");
    const int32_t source = 0;
    int32_t level[42];
    for (int all = 0; all < 2; all++) {
        fr_solver *solver = solver_of(ctx, graph, all ? "all=1" : "");
        fr_query query = {.sources = &source, .source_count = 1};
        fr_result result = {.level = level};
        CHECK(!fr_solve(solver, &query, &result), "%s", fr_ctx_error(ctx));
        CHECK(strstr(fr_solver_explain(solver), all ? "on 2 GPUs" : "on one of 2 GPUs"), "%s",
              fr_solver_explain(solver));
        fr_solver_free(solver);
    }
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* ---- many launches, cancellation, sources one by one ---- */

static int stop_after(void *user, const char *phase, int64_t done, int64_t total) {
    (void)total;
    return strcmp(phase, "traversing") == 0 && done >= *(int64_t *)user;
}

/* A path has more levels than a launch; a query that is cancelled between launches leaves the solver
 * usable. */
static void path_of_launches(void) {
    enum { LENGTH = FRI_GPU_MAX_LEVELS + 200 };
    int64_t stop = INT64_MAX;
    fr_ctx *ctx = context(2, stop_after, &stop);
    char description[64];
    snprintf(description, sizeof description, "grid2d:rows=1,cols=%d", LENGTH);
    fr_graph *graph = graph_of(ctx, description);
    fr_solver *solver = solver_of(ctx, graph, "all=1,grid_threads=32");
    const int32_t source = 0;
    int32_t *level = malloc(LENGTH * sizeof *level);
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.level = level};
    stop = 1;
    CHECK(fr_solve(solver, &query, &result) == FR_CANCELLED, "cancelled between launches");
    stop = INT64_MAX;
    CHECK(!fr_solve(solver, &query, &result), "%s", fr_ctx_error(ctx));
    for (int32_t v = 0; v < LENGTH; v++)
        CHECK(level[v] == v, "vertex %d has level %d", v, level[v]);
    free(level);
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* A pull follows the first push by cost, so that the push leaves levels and edges to it: the suite's graphs
 * are too small for that. */
static void deferred_levels(int devices) {
    fr_ctx *ctx = context(devices, NULL, NULL);
    char description[64]; /* a share of the edges that is worth a pull */
    snprintf(description, sizeof description, "uniform:n=2000,edges=%d,seed=5",
             100000 * FRI_MAX(devices, 2));
    fr_graph *graph = graph_of(ctx, description);
    fr_solver_options options = {.strategy = "multi-device",
                                 .backend = FR_BACKEND_CUDA,
                                 .knobs = "all=1,push_cost_percent=1,list_edges=0",
                                 .record_levels = true};
    fr_solver *solver;
    CHECK(!fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver), "%s", fr_ctx_error(ctx));
    const fr_csr csr = solver->job.csr;
    const int32_t source = 7, n = csr.n;
    int32_t *level = malloc(2 * (size_t)n * sizeof *level), *parent = level + n;
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.level = level, .parent = parent};
    int64_t count, edges = 0;
    CHECK(!fr_solve(solver, &query, &result), "%s", fr_ctx_error(ctx));
    CHECK(!fr_verify_bfs(ctx, graph, &query, level, parent), "%s", fr_ctx_error(ctx));
    CHECK(result.stats.reached_edges == csr.m, "%lld edges", (long long)result.stats.reached_edges);
    const fr_level *levels = fr_solver_levels(solver, &count);
    for (int32_t v = 0; v < n; v++)
        edges += level[v] == 1 ? csr.offsets[v + 1] - csr.offsets[v] : 0;
    CHECK(count > 1 && strcmp(levels[0].method, "top-down") == 0 &&
              strcmp(levels[1].method, "bottom-up") == 0,
          "a push, then a pull");
    CHECK(count > 1 && levels[1].edges == edges, "%lld edges of level 1, not %lld",
          (long long)levels[1].edges, (long long)edges);
    free(level);
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

static void each_source(void) {
    enum { SOURCES = 5 };
    fr_ctx *ctx = context(2, NULL, NULL);
    fr_graph *graph = graph_of(ctx, "kronecker:scale=7,edge_factor=4,seed=1");
    fr_solver *solver = solver_of(ctx, graph, "all=1");
    const int32_t n = solver->job.csr.n, sources[SOURCES] = {0, 9, 33, 64, 127};
    int32_t *level = malloc((size_t)n * SOURCES * sizeof *level),
            *one = malloc((size_t)n * sizeof *one);
    fr_query query = {.sources = sources, .source_count = SOURCES};
    fr_result result = {.level = level};
    int64_t solved;
    CHECK(!fr_solve_each(solver, &query, &result, &solved) && solved == SOURCES, "%s",
          fr_ctx_error(ctx));
    for (int i = 0; i < SOURCES; i++) {
        CHECK(!fr_bfs(ctx, graph, sources[i], one, NULL), "%s", fr_ctx_error(ctx));
        CHECK(memcmp(one, level + (int64_t)i * n, (size_t)n * sizeof *one) == 0, "source %d", i);
    }
    free(one);
    free(level);
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* ---- failures: the executor only ---- */

/* The host computes the smallest parents, which therefore cannot be in device memory; levels can. */
static void smallest_parents_are_of_the_host(void) {
    fr_ctx *ctx = context(2, NULL, NULL);
    fr_graph *graph = graph_of(ctx, "path:n=40");
    fr_solver *solver = solver_of(ctx, graph, "all=1");
    const int32_t source = 1;
    int32_t *there = array_new(DEVICE, 40 * sizeof *there);
    fr_query query = {.sources = &source,
                      .source_count = 1,
                      .parent_rule = FR_PARENT_MIN_ID,
                      .result_memory = FR_MEMORY_DEVICE};
    CHECK(fr_solve(solver, &query, &(fr_result){.parent = there}) == FR_UNSUPPORTED &&
              strstr(fr_ctx_error(ctx), "FR_PARENT_MIN_ID"),
          "%s", fr_ctx_error(ctx));
    CHECK(!fr_solve(solver, &query, &(fr_result){.level = there}), "%s", fr_ctx_error(ctx));
    array_free(DEVICE, there);
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

#ifdef FRI_SIMT
static void failing_device(void) {
    fr_ctx *ctx = context(3, NULL, NULL);
    fr_graph *graph = graph_of(ctx, "kronecker:scale=7,edge_factor=4,seed=1");
    fr_solver *solver = solver_of(ctx, graph, "all=1,grid_threads=32");
    const int32_t n = solver->job.csr.n, source = 1;
    int32_t *level = malloc((size_t)n * sizeof *level);
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.level = level};
    fri_slices_of(&solver->job)->max_polls = 1 << 12;
    for (int device = 0; device < 3; device++) {
        simt_fail_joint_launch(device);
        CHECK(fr_solve(solver, &query, &result) == FR_DEVICE, "GPU %d fails", device);
        CHECK(strstr(fr_ctx_error(ctx), "launch"), "%s", fr_ctx_error(ctx));
        fri_slices_of(&solver->job)->max_polls = 1 << 20;
        CHECK(!fr_solve(solver, &query, &result), "the next query: %s", fr_ctx_error(ctx));
        CHECK(level[source] == 0, "its answer");
        fri_slices_of(&solver->job)->max_polls = 1 << 12;
    }
    free(level);
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

static fr_status try_solver(const char *says) {
    fr_ctx *ctx = context(2, NULL, NULL);
    fr_graph *graph = graph_of(ctx, "kronecker:scale=6,edge_factor=4,seed=1");
    fr_solver_options options = {
        .strategy = "multi-device", .backend = FR_BACKEND_CUDA, .knobs = "all=1"};
    fr_solver *solver;
    fr_status status = fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver);
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
    for (int devices = 1; devices <= used_devices; devices++) {
        const char *kronecker = "kronecker:scale=9,edge_factor=8,seed=3",
                   *uniform = "uniform:n=900,edges=2500,directed=1,seed=2";
        const struct {
            const char *description, *knobs;
            bool lists;
        } cases[] = {{kronecker, "all=1,list_edges=0", false},
                     {kronecker, "all=1,direction=1,list_edges=0", false},
                     {uniform, "all=1,direction=2", false},
                     {kronecker, "all=1,list_edges=100000", true},
                     {uniform, "all=1,direction=1,list_edges=100000", true}};
        for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++)
            if (!host_skips_part(devices, i))
                bytes_of_levels(cases[i].description, cases[i].knobs, cases[i].lists, devices);
        if (!host_skips_part(devices, 0))
            deferred_levels(devices);
        pushes_by_slices(kronecker, devices);
        pushes_by_slices("star:n=900", devices);
    }
}

static void others(void) {
    cuts();
    policy();
    explained();
    smallest_parents_are_of_the_host();
    if (!cf_reduced()) { /* a tool takes too long for it */
        path_of_launches();
        each_source();
    }
#ifdef FRI_SIMT
    failing_device();
    refused();
#endif
}

int main(int argc, char **argv) {
    int device_count;
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
    for (int devices = ON_HOST ? 2 : 1; devices <= used_devices;
         devices++) /* test_gpu_bfs runs on one */
        shapes(devices, argc, argv);
    CHECK(simt_live_bytes() == 0, "%zu bytes are left", simt_live_bytes());
    const int failed = cf_finish("BFS on several GPUs");
    return checks_end("BFS on several GPUs") || failed;
}
