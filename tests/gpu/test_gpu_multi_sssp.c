/* SSSP `multi-device` on 2, 3 and 4 GPUs: shapes x kinds of weights x queries x knobs, many
 * launches, targets, cancellation, refusals, a device that fails. Runs on the host (FRI_SIMT), which
 * then has four GPUs, and on a machine with several. The arguments name shapes and the parts "devices"
 * and "others". With FRINGE_FULL set every kind runs on every shape, otherwise some of them, others on each. */
#include "cuda/multi_device/slices.h"
#include "gpu/multi_device.h"

enum { SOME = 3, DEEP = 64 };

static const char *const settings[] = {"all=1",
                                       "all=1,pull_divisor=1000",
                                       "all=1,pull_divisor=0,delta=3",
                                       "all=1,pull_divisor=8,pack_weights=0,grid_threads=64",
                                       "all=1,adapt=0,pack_parents=0,delta=1",
                                       "all=1,grid_threads=32,delta=1e9",
                                       "all=1,advance_below=0,shrink_above=4,adapt=1",
                                       "all=1,advance_below=50,pull_divisor=1e9,delta=2",
                                       "all=1,far_divisor=1e9,advance_below=1e9,delta=1",
                                       NULL};

static int count_of(const fr_solver *solver) { return fri_slices_of(&solver->job)->count; }
static uint32_t *max_polls_of(const fr_solver *solver) {
    return &fri_slices_of(&solver->job)->max_polls;
}
static const multi_device sssp = {FR_PROBLEM_SSSP, settings, count_of, max_polls_of};

/* Kinds, each with the next setting, query and schedule. */
static void cross(fr_ctx *ctx, const cf_shape *s, int devices, int nth) {
    const bool full = getenv("FRINGE_FULL") != NULL;
    const int some = host_is_brief() ? (devices > 2 ? 1 : 2) : SOME;
    const int cases = cf_reduced() ? 1 : full ? KINDS : some;
    for (int i = 0, k = nth + devices; i < cases; i++, k++) {
        const weight_kind *kind = &kinds[(full ? i : k * 3) % KINDS];
        if (cf_is_negative(kind->weights))
            continue;
        cf_task tasks[CF_MAX_QUERIES];
        cf_graph *g = cf_graph_new(ctx, s, kind->weights);
        if (!g)
            cf_give_up(ctx, s->name);
        const int count = cf_tasks_new(g, kind->unit, tasks), query = k + i * 2;
        const bool deep_too = i == 0 && !(host_is_brief() && devices > 2);
        if (count && (deep_too || depth_of(tasks[0].dist, g->n) <= DEEP))
            multi_check(ctx, &sssp, g, kind, k + i, &tasks[query % count],
                        (uint64_t)(query + (k + i) * 7 + 1) * MAX_DEVICES + (uint64_t)devices);
        cf_tasks_free(tasks, count);
        cf_graph_free(g);
    }
}

static void shape(fr_ctx *other, const cf_shape *s, int nth) {
    (void)other;
    for (int devices = 2; devices <= devices_there && !s->large; devices = more_devices(devices)) {
        fr_ctx *ctx = context_on(devices, (fr_ctx_options){0});
        printf("%d GPUs: %s\n", devices, s->name);
        cross(ctx, s, devices, nth);
        fr_ctx_free(ctx);
    }
}

/* ---- compared with one GPU ---- */

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
    fr_ctx *ctx = context_on(devices, (fr_ctx_options){0}),
           *alone = context_on(1, (fr_ctx_options){0});
    fr_graph *graph = graph_weighted(ctx, description, low, 255);
    fr_solver *all = multi_solver(ctx, graph, FR_PROBLEM_SSSP, knobs),
              *one = solver_new(alone, graph, FR_PROBLEM_SSSP, (fr_solver_options){0});
    for (int i = 0; all && one && i < SOURCES; i++) {
        const int32_t source = (int32_t)((int64_t)i * fr_graph_vertex_count(graph) / SOURCES);
        const ask a = multi_ask(ctx, graph, FR_PROBLEM_SSSP, knobs, &source);
        simt_seed((uint64_t)i + 1);
        answer got = answer_at(&a, all, PAGEABLE, VALUES | PARENTS),
               want = answer_at(&a, one, PAGEABLE, VALUES);
        check_same(&a, &want, &got, VALUES, -1, "beside one GPU");
        check_verified(&a, &got);
        CHECK(!method || i || levels_by(all, method), "%s: no %s", description, method);
        CHECK(!method || window_waits(all), "%s %s: the window moves twice", description, knobs);
        answer_free(&got);
        answer_free(&want);
    }
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
    for (int i = 0; i < COUNT(cases); i++)
        if (!host_skips_part(devices, i))
            beside_one(kronecker, 1, cases[i][0], devices, cases[i][1]);
}

/* ---- more near entries than a list, or the memory of a block, holds ---- */

static void check_from_first(fr_ctx *ctx, fr_graph *graph, const char *knobs) {
    const int32_t source = 0;
    const ask a = multi_ask(ctx, graph, FR_PROBLEM_SSSP, knobs, &source);
    fr_solver *solver = multi_solver(ctx, graph, FR_PROBLEM_SSSP, knobs);
    solve_verified(&a, solver);
    fr_solver_free(solver);
}

static void more_near_entries(int devices) {
    static const char *const knobs[] = {
        "all=1", "all=1,advance_below=1e9,shrink_above=1e9,adapt=0,delta=5000",
        "all=1,advance_below=1e9,delta=5000",
        "all=1,advance_below=1e9,shrink_above=1e9,adapt=0,delta=50000"};
    fr_ctx *ctx = context_on(devices, (fr_ctx_options){0});
    fr_graph *graph = graph_clique_and_far(ctx);
    for (int i = 0; i < COUNT(knobs); i++) {
        simt_seed((uint64_t)i + 1);
        if (!host_skips_part(devices, i))
            check_from_first(ctx, graph, knobs[i]);
    }
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* From vertex 0 to MIDDLE vertices, and from each to one of another device. */
static void large_blocks(int devices) {
    enum { MIDDLE = 20000 };
    static edge edges[2 * MIDDLE];
    fr_ctx *ctx = context_on(devices, (fr_ctx_options){0});
    for (int32_t i = 0; i < MIDDLE; i++) {
        edges[i] = (edge){0, 1 + i, 1 + i % 5};
        edges[MIDDLE + i] = (edge){1 + i, 2 * MIDDLE - i, 1 + i % 3};
    }
    fr_graph *graph =
        graph_of_edges(ctx, 2 * MIDDLE + 1, 2 * MIDDLE, edges, FR_TYPE_I32, FR_DIRECTION_DIRECTED);
    check_from_first(ctx, graph, "all=1,delta=100,advance_below=1e9");
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

static void on_devices(fr_ctx *ctx) {
    (void)ctx;
    for (int devices = 2; devices <= devices_there; devices = more_devices(devices)) {
        beside_one_on_kronecker(devices);
        more_near_entries(devices);
        if (!host_skips_part(devices, 2))
            large_blocks(devices);
        beside_one("uniform:n=900,edges=2500,directed=1,seed=2", 0, "all=1", devices, NULL);
    }
}

/* ---- negative weights, parents in device memory ---- */

static void negative(void) {
    const edge edges[] = {{0, 1, 3}, {1, 2, -1}};
    fr_ctx *ctx = context_on(2, (fr_ctx_options){0});
    fr_graph *graph = graph_of_edges(ctx, 3, 2, edges, FR_TYPE_I32, FR_DIRECTION_DIRECTED);
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
    fr_ctx *ctx = context_on(2, (fr_ctx_options){0});
    fr_graph *graph = graph_weighted(ctx, "kronecker:scale=6,edge_factor=4,seed=1", 1, 3);
    const int32_t source = 1;
    ask a = multi_ask(ctx, graph, FR_PROBLEM_SSSP, "all=1", &source);
    a.query.parent_rule = FR_PARENT_MIN_ID;
    fr_solver *solver = multi_solver(ctx, graph, FR_PROBLEM_SSSP, "all=1");
    answer want = answer_on_cpu(&a);
    check_place(&a, solver, &want, DEVICE, PARENTS);
    answer_free(&want);
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* With targets a launch has at most 64 rounds, and a path needs a round per vertex. */
static void others(fr_ctx *ctx) {
    (void)ctx;
    multi_explained(&sssp);
    negative();
    smallest_parents_on_the_device();
    if (!cf_reduced()) /* a tool takes too long for it */
        multi_path(&sssp, 200, "all=1,grid_threads=32,delta=1", 70);
    multi_failures(&sssp);
}

static const part parts[] = {{"others", others}, {"devices", on_devices}, {0}};

int main(int argc, char **argv) {
    const program p = {.what = "SSSP on several GPUs",
                       .problem = FR_PROBLEM_SSSP,
                       .devices = MAX_DEVICES,
                       .min_devices = 2,
                       .shape = shape,
                       .parts = parts};
    return program_main(&p, argc, argv);
}
