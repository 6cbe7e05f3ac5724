/* How results reach the caller: arrays around the sizes of pieces, in every kind of memory, arrays that were not asked
 * for, and the order of a caller's stream, which on a GPU still writes the arrays right before the query. Every answer is
 * compared with the CPU's. FRINGE_REDUCED=N: fewer and smaller graphs, for a tool that slows a kernel down. */
#include "cuda/device/results/pinned.h"
#include "cuda/device/results/results.h"
#include "gpu/harness.h"

/* ---- graphs, strategies and places ------------------------------------------------------- */

static const int32_t first_vertex = 0;
static const fr_query from_first = {
    .sources = &first_vertex, .source_count = 1, .parent_rule = FR_PARENT_MIN_ID};
static const char *const auto_alone[] = {"auto", NULL}, *const hbf[] = {"hbf", NULL};

static ask ask_of(fr_ctx *ctx, fr_graph *graph, fr_problem problem, const char *name) {
    return (ask){.ctx = ctx, .graph = graph, .problem = problem, .query = from_first, .name = name};
}

static fr_solver *solver_for(ask *a, const char *strategy, int threads) {
    a->options.strategy = strategy;
    CHECK_OK(a->ctx, fr_ctx_set_threads(a->ctx, threads));
    return solver_new(a->ctx, a->graph, a->problem, a->options);
}

/* Every place, with values and parents, the value alone, parents alone, and none. */
static void check_ask(ask a, const char *const *strategies) {
    static const int threads[] = {1, 16};
    answer want = answer_on_cpu(&a);
    for (; *strategies; strategies++)
        for (int i = 0; i < 2; i++) {
            fr_solver *solver = solver_for(&a, *strategies, threads[i]);
            for (int where = 0; solver && where < HALF_PINNED; where++)
                check_place(&a, solver, &want, (place)where, i ? PARENTS : VALUES | PARENTS);
            for (int device = 0; solver && device < 2; device++)
                check_place(&a, solver, &want, device ? DEVICE : PAGEABLE, i ? VALUES : 0);
            fr_solver_free(solver);
        }
    answer_free(&want);
}

static void levels(fr_ctx *ctx) {
    static const char *const three[] = {"auto", "queue", "xbfs", NULL};
    /* 1 and 2 bytes a level, and array lengths round a piece and the small size on the host */
    static const int32_t lengths[] = {1, 60, 124, 125, 126, 127, 128, 300, 40000};
    for (int i = 0; i < (ON_HOST ? 8 : 9); i += cf_reduced() ? 6 : 1) {
        fr_graph *graph = graph_path(ctx, lengths[i], 3, FR_TYPE_NONE, 0, 0);
        ask a = ask_of(ctx, graph, FR_PROBLEM_BFS, "levels of a path");
        check_ask(a, i == 3 || i == 6 ? three : auto_alone);
        a.query.max_level = 3;
        check_ask(a, auto_alone);
        fr_graph_free(graph);
    }
}

static void distances(fr_ctx *ctx) {
    static const char *const two[] = {"auto", "near-far", NULL};
    static const struct {
        fr_type type;
        double weight, last;
    } cases[] = {
        {FR_TYPE_I32, 1, 1},        {FR_TYPE_I32, 100, 1},       {FR_TYPE_I32, 100, 1e6},
        {FR_TYPE_I64, 1, 1},        {FR_TYPE_I64, 100, 1},       {FR_TYPE_I64, 100, 1e6},
        {FR_TYPE_I64, 1, 0x1p40},   {FR_TYPE_F32, 0.5, 3},       {FR_TYPE_F64, 0.5, 3e100},
        {FR_TYPE_I32, -1, 5},       {FR_TYPE_I32, -200, 100000}, {FR_TYPE_I64, -1, 5},
        {FR_TYPE_I64, -1, -0x1p40}, {FR_TYPE_F32, -0.5, 1},      {FR_TYPE_I32, 100, 100},
        {FR_TYPE_I64, 1e12, 1e12},  {FR_TYPE_F32, 0.1, 0.1},     {FR_TYPE_F64, 0.1, 0.1},
        {FR_TYPE_F32, 2, 7},        {FR_TYPE_F64, 2, 7},         {FR_TYPE_F32, 1e6 + 1, 7},
        {FR_TYPE_F64, 1e6 + 1, 7},
    };
    for (int i = 0; i < COUNT(cases); i += cf_reduced() ? 7 : 1) {
        char name[60];
        snprintf(name, sizeof name, "%s weights %g, last %g", fr_type_name(cases[i].type),
                 cases[i].weight, cases[i].last);
        fr_graph *graph =
            graph_path(ctx, ON_HOST ? 40 : 100, 3, cases[i].type, cases[i].weight, cases[i].last);
        ask a = ask_of(ctx, graph, FR_PROBLEM_SSSP, name);
        check_ask(a, cases[i].weight < 0 ? hbf : two);
        a.query.max_distance = 20;
        if (!(cases[i].weight < 0))
            check_ask(a, two);
        fr_graph_free(graph);
    }
}

/* What a negative cycle reaches is at minus infinity; sums of int64 leave their type, so that the
 * CPU solves the query again. */
static void negative_cycles(fr_ctx *ctx) {
    for (int wide = 0; wide < 2; wide++) {
        const double down = wide ? -0x1p62 : -3;
        const edge edges[] = {{0, 1, 5}, {1, 2, down}, {2, 1, down}, {2, 3, 7}, {4, 5, 1}};
        fr_graph *graph = graph_of_edges(ctx, 200, 5, edges, wide ? FR_TYPE_I64 : FR_TYPE_I32,
                                         FR_DIRECTION_DIRECTED);
        ask a = ask_of(ctx, graph, FR_PROBLEM_SSSP, wide ? "int64 cycle" : "cycle");
        a.query.mark_negative_cycles = true;
        check_ask(a, hbf);
        fr_graph_free(graph);
    }
}

static void larger(fr_ctx *ctx) {
    static const char *const bfs[] = {"auto", "queue", NULL};
    const char *spec =
        ON_HOST || cf_reduced() ? "kronecker:scale=9,seed=1" : "kronecker:scale=20,seed=1";
    fr_graph *graph = graph_weighted(ctx, spec, 1, 255);
    check_ask(ask_of(ctx, graph, FR_PROBLEM_BFS, "levels of a kronecker graph"), bfs);
    ask a = ask_of(ctx, graph, FR_PROBLEM_SSSP, "distances of a kronecker graph");
    check_ask(a, auto_alone);
    a.options.dist_type = FR_TYPE_I64;
    check_ask(a, auto_alone);
    a.name = "sums of levels";
    a.options.unit_weights = true;
    for (int type = FR_TYPE_I64; type <= FR_TYPE_F64; type++) {
        a.options.dist_type = (fr_type)type;
        check_ask(a, auto_alone);
    }
    fr_graph_free(graph);
}

/* ---- pieces and rounds ------------------------------------------------------------------- */

/* Vertex v is the parent of d v + 1 to d v + d; the last three vertices are not reached. */
static fr_graph *tree(fr_ctx *ctx, int32_t n, int32_t d) {
    const int32_t m = n - 4;
    edge *edges = malloc((size_t)m * sizeof *edges);
    for (int32_t e = 0; e < m; e++)
        edges[e] = (edge){e / d, e + 1, 0};
    fr_graph *graph = graph_of_edges(ctx, n, m, edges, FR_TYPE_NONE, FR_DIRECTION_DIRECTED);
    free(edges);
    return graph;
}

/* Levels with parents, parents alone, and levels alone. A vertex has one parent whatever the rule, and
 * without a rule pieces follow the traversal's last launch. */
static void check_tree(fr_ctx *ctx, int32_t n, int threads) {
    char name[40];
    snprintf(name, sizeof name, "a tree of %d", n);
    fr_graph *graph = tree(ctx, n, 50);
    ask a = ask_of(ctx, graph, FR_PROBLEM_BFS, name);
    a.query.parent_rule = FR_PARENT_ANY;
    answer want = answer_on_cpu(&a);
    fr_solver *solver = solver_for(&a, "auto", threads);
    for (int outputs = VALUES | PARENTS; solver && outputs > 0; outputs--)
        for (int fresh = 0; fresh < 2; fresh++)
            check_place(&a, solver, &want, fresh ? UNTOUCHED : PAGEABLE, outputs);
    fr_solver_free(solver);
    answer_free(&want);
    fr_graph_free(graph);
}

/* Whole units, at most FRI_MAX_PIECE, and no more than the first of FRI_STAGE_WAVES turns, rounded up. */
static void piece_sizes(void) {
    int64_t before = 0;
    for (int64_t values = 1; values < INT64_C(1) << 32; values += values / 3 + 1) {
        const int64_t piece = fri_stage_piece(values), turn = piece * FRI_STAGE_BLOCKS;
        CHECK(piece > 0 && piece % FRI_PIECE_UNIT == 0 && piece <= FRI_MAX_PIECE && piece >= before,
              "%lld values: pieces of %lld", (long long)values, (long long)piece);
        CHECK(turn <= values / FRI_STAGE_WAVES + FRI_PIECE_UNIT * FRI_STAGE_BLOCKS,
              "%lld values: %lld in a turn", (long long)values, (long long)turn);
        before = piece;
    }
    CHECK(before == FRI_MAX_PIECE, "no pieces of %d", FRI_MAX_PIECE);
}

/* A piece has at most 64 values on the host and 16,384 on a GPU. The page-locked memory holds 768 such
 * pieces of one byte a value, or 192 of four; what exceeds it reuses it in quarters. */
static void pieces(fr_ctx *ctx) {
    const int32_t piece = ON_HOST ? 64 : 16384;
    static const int32_t counts[] = {3, 4, 153, 192, 400};
    piece_sizes();
    for (int i = 0; i < (cf_reduced() ? 1 : 5); i++)
        for (int32_t more = -1; more <= (cf_reduced() ? -1 : 1); more++)
            check_tree(ctx, counts[i] * piece + more, i % 2 ? 1 : 16);
}

/* ---- queries that fail ------------------------------------------------------------------- */

static int32_t level[1000], parent[1000];
static fr_result tree_result(void) { return (fr_result){.level = level, .parent = parent}; }

/* The next query of a tree of 1,000 vertices by the same solver is answered. */
static void check_next(fr_ctx *ctx, fr_solver *solver, const fr_query *query, const char *after) {
    fr_result result = tree_result();
    memset(level, 0x5a, sizeof level);
    const fr_status status = fr_solve(solver, query, &result);
    CHECK(!status && level[0] == 0 && level[996] == 2 && parent[996] == 19 && level[997] == -1 &&
              result.stats.reached == 997,
          "after %s: %s", after, fr_ctx_error(ctx));
}

/* The kernel that delivers does not start, or stops without setting a flag: that behind the traversal,
 * or, with the smallest parents, the one that the host launches. */
static void lost_launch(fr_ctx *ctx, simt_failure how, int threads, bool behind) {
    fr_graph *graph = tree(ctx, 1000, 50);
    ask a = ask_of(ctx, graph, FR_PROBLEM_BFS, "a tree");
    fr_solver *solver = solver_for(&a, "auto", threads);
    a.query.parent_rule = behind ? FR_PARENT_ANY : FR_PARENT_MIN_ID;
    memset(parent, 0x5a, sizeof parent); /* arrays without pages go another way */
    for (int again = 0; again < 2; again++) {
        fr_result result = tree_result();
        memset(level, 0x5a, sizeof level);
        simt_fail_launch(behind ? "stage_end_kernel" : "stage_kernel", how);
        CHECK_REFUSED(ctx, fr_solve(solver, &a.query, &result), FR_DEVICE,
                      how == SIMT_LOST ? "downloading" : "launching");
        CHECK(simt_fail_launch(NULL, how), "no launch was lost");
        CHECK(level[0] == 0x5a5a5a5a, "a piece without its flag was delivered: %d", level[0]);
        check_next(ctx, solver, &a.query, "a lost launch");
    }
    fr_solver_free(solver);
    fr_graph_free(graph);
}

static void lost_launches(fr_ctx *ctx) {
    for (int i = 0; ON_HOST && i < 8; i++)
        lost_launch(ctx, i & 1 ? SIMT_LOST : SIMT_REFUSED, i & 2 ? 16 : 1, i & 4);
}

/* Before its first level, whose launch is under way already: the next query has its own arrays. */
static void cancelled(fr_ctx *other) {
    stop when = {"traversing", 0};
    fr_ctx *ctx =
        context_new((fr_ctx_options){.threads = 16, .progress = stop_here, .progress_user = &when});
    fr_graph *graph = tree(ctx, 1000, 50);
    ask a = ask_of(ctx, graph, FR_PROBLEM_BFS, "a tree");
    fr_solver *solver = solver_for(&a, "auto", 16);
    (void)other;
    a.query.parent_rule = FR_PARENT_ANY;
    for (int again = 0; again < 3; again++) {
        fr_result result = tree_result();
        when.phase = "traversing";
        CHECK(fr_solve(solver, &a.query, &result) == FR_CANCELLED, "%s", fr_ctx_error(ctx));
        when.phase = NULL;
        check_next(ctx, solver, &a.query, "a cancelled query");
    }
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* ---- a frontier that leaves shared memory ------------------------------------------------ */

/* The 8,000 vertices of level 3 do not fit into the shared memory of one block, and the edges of the
 * rows that are dropped there are not known: all edges are counted at the end. */
static void overflow(fr_ctx *ctx) {
    const int32_t n = 20000;
    fr_graph *graph = tree(ctx, n, 20);
    ask a = ask_of(ctx, graph, FR_PROBLEM_BFS, "a tree that leaves shared memory");
    a.options.knobs = "cluster=1,disable=aggregated-claims";
    fr_solver *solver = solver_for(&a, "auto", 1);
    const fr_stats stats = solve_verified(&a, solver);
    CHECK(stats.reached == n - 3 && stats.reached_edges == n - 4, "reached %lld and %lld edges",
          (long long)stats.reached, (long long)stats.reached_edges);
    fr_solver_free(solver);
    fr_graph_free(graph);
}

/* ---- refusals ---------------------------------------------------------------------------- */

static void refused(fr_ctx *ctx, const fr_graph *graph, fr_backend backend, fr_memory memory,
                    bool streamed, void *to, const char *words) {
    fr_query query = from_first;
    fr_result result = {.level = to};
    fr_solver *solver =
        solver_new(ctx, graph, FR_PROBLEM_BFS, (fr_solver_options){.backend = backend});
    query.result_memory = memory;
    query.stream = streamed ? &query : NULL;
    CHECK_REFUSED(ctx, fr_solve(solver, &query, &result),
                  backend == FR_BACKEND_CPU ? FR_UNSUPPORTED : FR_INVALID, words);
    fr_solver_free(solver);
}

static void refusals(fr_ctx *ctx) {
    fr_graph *graph = graph_path(ctx, 40, 3, FR_TYPE_NONE, 0, 0);
    array host = array_new(PAGEABLE, 44 * 4, 4), pinned = array_new(PINNED, 44 * 4, 4),
          device = array_new(DEVICE, 44 * 4, 4), shorter = array_new(DEVICE, 20 * 4, 4);
    const struct {
        fr_backend backend;
        fr_memory memory;
        bool streamed;
        const array *to;
        const char *words;
    } cases[] = {
        {FR_BACKEND_CUDA, FR_MEMORY_HOST, false, &device, "is in GPU memory"},
        {FR_BACKEND_CUDA, FR_MEMORY_DEVICE, false, &host, "not in memory of GPU 0"},
        {FR_BACKEND_CUDA, FR_MEMORY_DEVICE, false, &pinned, "not in memory of GPU 0"},
        {FR_BACKEND_CUDA, FR_MEMORY_DEVICE, false, &shorter, "not in memory of GPU 0"},
        {FR_BACKEND_CUDA, (fr_memory)7, false, &host, "result_memory must be"},
        {FR_BACKEND_CUDA, FR_MEMORY_HOST, true, &host, "stream needs"},
        {FR_BACKEND_CPU, FR_MEMORY_DEVICE, false, &device, "runs on the CPU"},
    };
    for (int i = 0; i < COUNT(cases); i++)
        if (ON_HOST || cases[i].to != &shorter) /* a GPU's allocations are larger than asked for */
            refused(ctx, graph, cases[i].backend, cases[i].memory, cases[i].streamed,
                    cases[i].to->at, cases[i].words);
    array_free(&host);
    array_free(&pinned);
    array_free(&device);
    array_free(&shorter);
    fr_graph_free(graph);
}

/* All pairs go to the device without parents and without columns. */
static void all_pairs(fr_ctx *ctx) {
    static const char *const strategies[] = {"floyd-warshall", "multi-bfs"};
    fr_graph *graph = graph_path(ctx, 30, 3, FR_TYPE_NONE, 0, 0);
    array device = array_new(DEVICE, 34 * 34 * 4, 4);
    ask a = ask_of(ctx, graph, FR_PROBLEM_APSP, "all pairs");
    a.query = (fr_query){0};
    answer want = answer_on_cpu(&a);
    for (int i = 0; i < COUNT(strategies); i++) {
        fr_solver *solver = solver_for(&a, strategies[i], 1);
        fr_query query = {.result_memory = FR_MEMORY_DEVICE};
        fr_result result = {.dist = device.at, .parent = parent};
        check_place(&a, solver, &want, DEVICE, VALUES);
        CHECK_REFUSED(ctx, fr_solve(solver, &query, &result), FR_UNSUPPORTED, "parents of APSP");
        query.targets = &first_vertex;
        query.target_count = 1;
        result.parent = NULL;
        CHECK_REFUSED(ctx, fr_solve(solver, &query, &result), FR_UNSUPPORTED, "host memory");
        fr_solver_free(solver);
    }
    answer_free(&want);
    array_free(&device);
    fr_graph_free(graph);
}

/* ---- devices ----------------------------------------------------------------------------- */

static void devices(fr_ctx *ctx) {
    fr_device_info info = FR_INIT(fr_device_info);
    int count = 0, before = 0, after = -1;
    CHECK(!fr_device_count(ctx, &count) && count > 0, "%d: %s", count, fr_ctx_error(ctx));
    must(cudaGetDevice(&before), "the current device");
    for (int i = 0; i < count; i++) {
        CHECK_OK(ctx, fr_device_get(ctx, i, &info));
        CHECK(info.name[0] && info.compute_capability >= 70 && info.multiprocessors > 0 &&
                  info.free_bytes > 0 && info.free_bytes <= info.total_bytes,
              "%s", info.name);
    }
    must(cudaGetDevice(&after), "the current device");
    CHECK(before == after, "the current device changed from %d to %d", before, after);
    CHECK(fr_device_get(ctx, count, &info) == FR_NO_DEVICE, "%s", fr_ctx_error(ctx));
    CHECK(fr_device_get(ctx, -1, &info) == FR_NO_DEVICE, "%s", fr_ctx_error(ctx));
}

static const part parts[] = {{"devices", devices},
                             {"refusals", refusals},
                             {"levels", levels},
                             {"distances", distances},
                             {"negative-cycles", negative_cycles},
                             {"larger", larger},
                             {"overflow", overflow},
                             {"pieces", pieces},
                             {"lost-launches", lost_launches},
                             {"all-pairs", all_pairs},
                             {"cancelled", cancelled},
                             {0}};

int main(int argc, char **argv) {
    const program p = {.what = "results of GPU queries", .problem = FR_PROBLEM_BFS, .parts = parts};
    return program_main(&p, argc, argv);
}
