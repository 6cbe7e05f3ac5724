/* BFS `multi-device` on 2, 3 and 4 GPUs: every shape x queries x knobs, the bytes that pass between GPUs
 * against the formula, the cut and the policy (also of SSSP), many launches, cancellation, a device that fails. Runs on
 * the host (FRI_SIMT), which then has four GPUs, and on a machine with several. The arguments name
 * shapes and the parts "devices" and "others". With FRINGE_FULL set the host runs every query on every shape, which takes
 * ten minutes, otherwise every ninth. */
#include "cuda/multi_device/slices.h"
#include "gpu/multi_device.h"

enum { SOME = 9, DEEP = 64 };

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
                                       "all=1,sliced_push=0,list_edges=60",
                                       NULL};

static int count_of(const fr_solver *solver) { return fri_slices_of(&solver->job)->count; }
static uint32_t *max_polls_of(const fr_solver *solver) {
    return &fri_slices_of(&solver->job)->max_polls;
}
static const multi_device bfs = {FR_PROBLEM_BFS, settings, count_of, max_polls_of};

static const char *const kronecker = "kronecker:scale=9,edge_factor=8,seed=3",
                         *const uniform = "uniform:n=900,edges=2500,directed=1,seed=2";

/* Every query, each with the next setting and schedule. */
static void cross(const cf_graph *g, int devices, int nth) {
    cf_task tasks[CF_MAX_QUERIES];
    fr_ctx *ctx = context_on(devices, (fr_ctx_options){0});
    const int count = cf_tasks_new(g, true, tasks);
    const bool full = !host_is_brief(), deep = count && depth_of(tasks[0].dist, g->n) > DEEP;
    const int step = full ? 1 : deep ? count : SOME, first = full ? 0 : (nth + devices) % SOME;
    const int end = cf_reduced() ? FRI_MIN(first + cf_reduced() * step, count) : count;
    for (int i = first; i < end; i += step)
        multi_check(ctx, &bfs, g, &(weight_kind){.weights = CF_NONE},
                    i + i / (COUNT(settings) - 1) + nth, &tasks[i],
                    (uint64_t)(i + 1) * MAX_DEVICES + (uint64_t)devices);
    cf_tasks_free(tasks, count);
    fr_ctx_free(ctx);
}

static void shape(fr_ctx *ctx, const cf_shape *s, int nth) {
    cf_graph *g = cf_graph_new(ctx, s, CF_NONE);
    if (!g)
        cf_give_up(ctx, s->name);
    for (int devices = 2; devices <= devices_there;
         devices = more_devices(devices)) /* test_gpu_bfs runs on one */
        cross(g, devices, nth);
    cf_graph_free(g);
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
    fr_ctx *ctx = context_on(devices, (fr_ctx_options){0});
    fr_graph *graph = graph_generate(ctx, description, (fr_load_options){0});
    fr_solver *solver = multi_solver(ctx, graph, FR_PROBLEM_BFS, knobs);
    const int32_t n = solver->job.csr.n, source = n / 3;
    ask a = multi_ask(ctx, graph, FR_PROBLEM_BFS, knobs, &source);
    int64_t expected = 0;
    for (int32_t depth = 1; depth <= 6; depth++) {
        a.query.max_level = depth;
        simt_seed((uint64_t)depth);
        answer got = answer_at(&a, solver, PAGEABLE, VALUES);
        const int32_t *level = (const int32_t *)(const void *)got.values;
        CHECK_OK(ctx, got.status);
        expected += fri_published_bytes(lists ? listed_of_level(&solver->job.csr, level, depth)
                                              : words_of_level(level, n, depth),
                                        devices);
        const int64_t published = fri_slices_of(&solver->job)->bfs.published;
        CHECK(published == expected, "%s %s on %d GPUs, %d levels: %lld bytes instead of %lld",
              description, knobs, devices, depth, (long long)published, (long long)expected);
        answer_free(&got);
    }
    CHECK(devices == 1 || expected > 0, "something is published");
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* ---- pushes by slices ---- */

/* From each of some sources: the same levels with and without, and all edges of the frontiers examined. */
static void pushes_by_slices(const char *description, int devices) {
    fr_ctx *ctx = context_on(devices, (fr_ctx_options){0});
    fr_graph *graph = graph_generate(ctx, description, (fr_load_options){0});
    fr_solver *with = multi_solver(ctx, graph, FR_PROBLEM_BFS,
                                   "all=1,sliced_push=2,direction=1,list_edges=100000"),
              *without = multi_solver(ctx, graph, FR_PROBLEM_BFS,
                                      "all=1,sliced_push=0,direction=1,list_edges=0");
    for (int32_t source = 0; source < with->job.csr.n; source += 149) {
        const ask a = multi_ask(ctx, graph, FR_PROBLEM_BFS, "sliced_push", &source);
        simt_seed((uint64_t)source);
        answer got = answer_at(&a, with, PAGEABLE, VALUES | PARENTS),
               other = answer_at(&a, without, PAGEABLE, VALUES);
        check_same(&a, &other, &got, VALUES, -1, "by slices");
        check_verified(&a, &got);
        CHECK(levels_by(with, "sliced top-down") > 0 || got.stats.levels == 0,
              "from %d none is sliced", source);
        /* vertices whose only edge leads back are not in lists */
        const int64_t all = other.stats.edges_examined, examined = got.stats.edges_examined;
        CHECK(examined <= all && examined >= all - with->job.csr.n,
              "from %d %lld edges examined, of %lld", source, (long long)examined, (long long)all);
        answer_free(&got);
        answer_free(&other);
    }
    fr_solver_free(without);
    fr_solver_free(with);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* A pull follows the first push by cost, so that the push leaves levels and edges to it: the suite's graphs
 * are too small for that. */
static void deferred_levels(int devices) {
    fr_ctx *ctx = context_on(devices, (fr_ctx_options){0});
    char description[64]; /* a share of the edges that is worth a pull */
    snprintf(description, sizeof description, "uniform:n=2000,edges=%d,seed=5",
             100000 * FRI_MAX(devices, 2));
    fr_graph *graph = graph_generate(ctx, description, (fr_load_options){0});
    const int32_t source = 7;
    const ask a =
        multi_ask(ctx, graph, FR_PROBLEM_BFS, "all=1,push_cost_percent=1,list_edges=0", &source);
    fr_solver *solver = multi_solver(ctx, graph, FR_PROBLEM_BFS, a.options.knobs);
    answer got = answer_at(&a, solver, PAGEABLE, VALUES | PARENTS);
    const int32_t *level = (const int32_t *)(const void *)got.values;
    const fr_csr csr = solver->job.csr;
    int64_t count, edges = 0;
    check_verified(&a, &got);
    CHECK(got.stats.reached_edges == csr.m, "%lld edges", (long long)got.stats.reached_edges);
    const fr_level *levels = fr_solver_levels(solver, &count);
    for (int32_t v = 0; v < csr.n; v++)
        edges += level[v] == 1 ? csr.offsets[v + 1] - csr.offsets[v] : 0;
    CHECK(count > 1 && strcmp(levels[0].method, "top-down") == 0 &&
              strcmp(levels[1].method, "bottom-up") == 0,
          "a push, then a pull");
    CHECK(count > 1 && levels[1].edges == edges, "%lld edges of level 1, not %lld",
          (long long)levels[1].edges, (long long)edges);
    answer_free(&got);
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

static void on_devices(fr_ctx *other) {
    const struct {
        const char *description, *knobs;
        bool lists;
    } cases[] = {{kronecker, "all=1,list_edges=0", false},
                 {kronecker, "all=1,direction=1,list_edges=0", false},
                 {uniform, "all=1,direction=2", false},
                 {kronecker, "all=1,list_edges=100000", true},
                 {uniform, "all=1,direction=1,list_edges=100000", true}};
    (void)other;
    for (int devices = 1; devices <= devices_there; devices = more_devices(devices)) {
        for (int i = 0; i < COUNT(cases); i++)
            if (!host_skips_part(devices, i))
                bytes_of_levels(cases[i].description, cases[i].knobs, cases[i].lists, devices);
        if (!host_skips_part(devices, 0))
            deferred_levels(devices);
        pushes_by_slices(kronecker, devices);
        pushes_by_slices("star:n=900", devices);
    }
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
    static const struct {
        fri_devices_input input;
        int bfs, sssp;
        const char *name;
    } cases[] = {{{1 << 24, 520000000, 400000, 2}, 2, 2, "a large graph of few levels"},
                 {{1 << 22, 130000000, 160000, 2}, 1, 2, "Kronecker 22"},
                 {{1 << 20, 33000000, 70000, 2}, 1, 1, "Kronecker 20"},
                 {{1000, 8000, 99, 2}, 1, 1, "a small graph"},
                 {{24000000, 58000000, 9, 8}, 1, 1, "a deep graph"},
                 {{1 << 24, 520000000, 400000, 1}, 1, 1, "one GPU"},
                 {{1 << 24, 520000000, 400000, 4}, 4, 4, "all of four"},
                 {{1 << 20, 33000000, 70000, 4}, 1, 1, "Kronecker 20 on four"}};
    for (int i = 0; i < COUNT(cases); i++) {
        const int bfs_on = fri_devices_that_pay(&fri_bfs_devices_cost, &cases[i].input),
                  sssp_on = fri_devices_that_pay(&fri_sssp_devices_cost, &cases[i].input);
        CHECK(bfs_on == cases[i].bfs && sssp_on == cases[i].sssp, "%s: on %d and %d", cases[i].name,
              bfs_on, sssp_on);
    }
    CHECK(fri_expected_ns(&fri_bfs_devices_cost, &cases[0].input, 2) <
              fri_expected_ns(&fri_bfs_devices_cost, &cases[0].input, 1),
          "why");
}

/* ---- sources one by one, parents in device memory ---- */

static void each_source(void) {
    static const int32_t sources[] = {0, 9, 33, 64, 127};
    fr_ctx *ctx = context_on(2, (fr_ctx_options){0});
    fr_graph *graph =
        graph_generate(ctx, "kronecker:scale=7,edge_factor=4,seed=1", (fr_load_options){0});
    ask a = multi_ask(ctx, graph, FR_PROBLEM_BFS, "all=1", sources);
    a.query.source_count = COUNT(sources);
    a.each = true;
    answer want = answer_on_cpu(&a);
    fr_solver *solver = multi_solver(ctx, graph, FR_PROBLEM_BFS, "all=1");
    check_place(&a, solver, &want, PAGEABLE, VALUES);
    answer_free(&want);
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* The host computes the smallest parents, which therefore cannot be in device memory; levels can. */
static void smallest_parents_are_of_the_host(void) {
    fr_ctx *ctx = context_on(2, (fr_ctx_options){0});
    fr_graph *graph = graph_generate(ctx, "path:n=40", (fr_load_options){0});
    const int32_t source = 1;
    ask a = multi_ask(ctx, graph, FR_PROBLEM_BFS, "all=1", &source);
    a.query.parent_rule = FR_PARENT_MIN_ID;
    fr_solver *solver = multi_solver(ctx, graph, FR_PROBLEM_BFS, "all=1");
    answer want = answer_on_cpu(&a), got = answer_at(&a, solver, DEVICE, PARENTS);
    CHECK_REFUSED(ctx, got.status, FR_UNSUPPORTED, "FR_PARENT_MIN_ID");
    check_place(&a, solver, &want, DEVICE, VALUES);
    answer_free(&got);
    answer_free(&want);
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

static void others(fr_ctx *ctx) {
    (void)ctx;
    cuts();
    policy();
    multi_explained(&bfs);
    smallest_parents_are_of_the_host();
    if (!cf_reduced()) { /* a tool takes too long for it */
        multi_path(&bfs, FRI_GPU_MAX_LEVELS + 200, "all=1,grid_threads=32", -1);
        each_source();
    }
    multi_failures(&bfs);
}

static const part parts[] = {{"others", others}, {"devices", on_devices}, {0}};

int main(int argc, char **argv) {
    const program p = {.what = "BFS on several GPUs",
                       .problem = FR_PROBLEM_BFS,
                       .devices = MAX_DEVICES,
                       .min_devices = 2,
                       .shape = shape,
                       .parts = parts};
    return program_main(&p, argc, argv);
}
