/* The rows of APSP and of fr_solve_each divided among several GPUs: the same answers as on one, row callbacks, failures
 * and cancellation. Runs on the host (FRI_SIMT), which then has three GPUs, and on a machine with several. */
#include "fringe_measures.h"
#include "core/device_team.h"
#include "gpu/harness.h"

static fr_graph *graph_of(fr_ctx *ctx, const char *description, bool weighted) {
    return graph_weighted(ctx, description, 1, weighted ? 9 : 0);
}

/* ---- parts ---- */

/* The parts cover all rows once. If every row takes GPUs the same time, and each takes a part when it has
 * finished one, the last GPU ends `longest` rows of work after the begin. */
static void parts_of_rows(int64_t rows, int64_t at_once, bool batches, int devices, int64_t longest,
                          int64_t count) {
    fri_row_parts parts = batches ? fri_cut_rows_by_batches(rows, at_once, devices)
                                  : fri_cut_rows_evenly(rows, at_once, devices);
    int64_t first, next = 0, nth = 0, of, last = 0, end[8] = {0};
    for (; (of = fri_next_row_part(&parts, &first)) > 0; nth++) {
        CHECK(first == next, "part %lld begins at %lld", (long long)nth, (long long)first);
        next = first + of;
        int idle = 0;
        for (int d = 1; d < devices; d++)
            idle = end[d] < end[idle] ? d : idle;
        end[idle] += of;
    }
    CHECK(next == rows, "%lld of %lld rows", (long long)next, (long long)rows);
    for (int d = 0; d < devices; d++)
        last = end[d] > last ? end[d] : last;
    CHECK(last == longest && nth == count, "%lld rows by %lld on %d GPUs: %lld parts, %lld rows",
          (long long)rows, (long long)at_once, devices, (long long)nth, (long long)last);
}

static void row_parts(fr_ctx *ctx) {
    static const struct {
        int64_t rows, at_once;
        bool batches;
        int devices;
        int64_t longest, count;
    } cases[] = {{4096, 512, true, 2, 2048, 8}, {1000, 1, true, 2, 500, 41},
                 {1536, 512, true, 2, 768, 4}, /* two whole batches and two halves of one */
                 {1000, 512, true, 2, 500, 2},  {60, 512, true, 2, 30, 2},
                 {2, 512, true, 3, 1, 2},       {5, 2, true, 2, 3, 3},
                 {4096, 64, false, 2, 2048, 8}, {512, 64, false, 2, 256, 4},
                 {64, 1, false, 2, 32, 8},      {64, 1, false, 8, 8, 25},
                 {3, 64, false, 2, 2, 2},       {131072, 512, true, 4, 32768, 53}};
    (void)ctx;
    for (int i = 0; i < COUNT(cases); i++)
        parts_of_rows(cases[i].rows, cases[i].at_once, cases[i].batches, cases[i].devices,
                      cases[i].longest, cases[i].count);
}

/* ---- all pairs ---- */

typedef struct seen_rows {
    const answer *want;
    int seen[4096];
    int64_t stop_after; /* 0: never */
    int64_t count;
    bool equal;
} seen_rows;

static int see_row(void *user, int64_t row, int32_t source, const void *dist,
                   const int32_t *parent) {
    seen_rows *s = user;
    s->seen[row]++;
    s->count++;
    s->equal &= !memcmp(dist, s->want->values + (size_t)row * s->want->row, s->want->row);
    s->equal &= parent && parent[source] == source;
    return s->count == s->stop_after;
}

/* A team gives each row once, and a callback that stops it leaves it usable. */
static void by_callback(const ask *a, fr_solver *team, const answer *want) {
    seen_rows rows = {.want = want, .equal = true};
    const fr_query query = {.row = see_row, .row_user = &rows, .want_parents = true};
    CHECK_OK(a->ctx, fr_solve(team, &query, &(fr_result){0}));
    for (int64_t v = 0; v < want->rows; v++)
        CHECK(rows.seen[v] == 1, "row %d came %d times", (int)v, rows.seen[v]);
    CHECK(rows.equal, "a row differs");
    rows.count = 0;
    rows.stop_after = 3;
    CHECK(fr_solve(team, &query, &(fr_result){0}) == FR_CANCELLED, "the callback cancels");
}

/* All rows, some rows, and rows by callback: as on one GPU. */
static void same_answers(const char *description, bool weighted, const char *strategy, int count) {
    fr_ctx *one = context_on(1, (fr_ctx_options){0}), *ctx = context_on(count, (fr_ctx_options){0});
    const ask a = {.ctx = ctx,
                   .graph = graph_of(one, description, weighted),
                   .name = description,
                   .problem = FR_PROBLEM_APSP,
                   .options = {.strategy = strategy}};
    ask some = a;
    const int32_t n = fr_graph_vertex_count(a.graph);
    fr_solver *alone = solver_new(one, a.graph, a.problem, a.options),
              *team = solver_new(ctx, a.graph, a.problem, a.options);
    answer want = answer_at(&a, alone, PAGEABLE, VALUES),
           got = answer_at(&a, team, PAGEABLE, VALUES | PARENTS);
    check_same(&a, &want, &got, VALUES, -1, "divided");
    check_verified(&a, &got);
    CHECK(want.stats.edges_examined > 0 && got.stats.traverse_ns > 0, "no statistics");
    CHECK(strstr(fr_solver_explain(team), "rows divided among"), "%s", fr_solver_explain(team));
    CHECK(!strstr(fr_solver_explain(alone), "rows divided"), "%s", fr_solver_explain(alone));

    int32_t list[60]; /* in no order, with duplicates */
    for (int i = 0; i < COUNT(list); i++)
        list[i] = (i * 37 + 5) % n;
    some.query = (fr_query){.sources = list, .source_count = COUNT(list)};
    answer few = answer_on_cpu(&some);
    check_place(&some, team, &few, PAGEABLE, VALUES);
    by_callback(&a, team, &want);
    list[59] = n;
    answer failed = answer_at(&some, team, PAGEABLE, VALUES);
    CHECK_REFUSED(ctx, failed.status, FR_NOT_FOUND, "source");
    check_place(&a, team, &want, PAGEABLE, VALUES);
    fr_solver_free(alone);
    fr_solver_free(team);
    /* the next solver is prepared in these contexts: no callback may have the freed team */
    for (int i = 1; i < count; i++)
        CHECK(ctx->peers[i] && !ctx->peers[i]->progress, "a callback of a freed solver");
    answer_free(&want);
    answer_free(&got);
    answer_free(&few);
    answer_free(&failed);
    fr_graph_free(a.graph);
    fr_ctx_free(one);
    fr_ctx_free(ctx);
}

/* ---- fr_solve_each ---- */

/* Every row is right; a wrong source ends it, with the rows before it complete; then the sources of fr_solve are merged
 * into one row. */
static void each_query(fr_problem problem, int count) {
    enum { QUERIES = 37, WRONG = 29 };
    fr_ctx *ctx = context_on(count, (fr_ctx_options){0});
    int32_t sources[QUERIES];
    ask a = {.ctx = ctx,
             .graph = graph_of(ctx, "kronecker:scale=7,edge_factor=3,seed=4", true),
             .name = "each",
             .problem = problem,
             .query = {.sources = sources, .source_count = QUERIES},
             .each = true};
    const int32_t n = fr_graph_vertex_count(a.graph);
    fr_solver *solver = solver_new(ctx, a.graph, problem, a.options);
    for (int i = 0; i < QUERIES; i++)
        sources[i] = i * 17 % n;
    answer got = answer_at(&a, solver, PAGEABLE, VALUES | PARENTS);
    CHECK(got.solved == QUERIES && got.stats.reached >= QUERIES && got.stats.traverse_ns > 0,
          "%lld rows are complete", (long long)got.solved);
    check_verified(&a, &got);
    sources[WRONG] = n;
    answer failed = answer_at(&a, solver, PAGEABLE, VALUES);
    CHECK(failed.status == FR_NOT_FOUND && failed.solved == WRONG, "%lld rows are complete",
          (long long)failed.solved);
    check_same(&a, &got, &failed, VALUES, WRONG, "before a wrong source");
    a.each = false;
    a.query.source_count = 2;
    solve_verified(&a, solver);
    answer_free(&got);
    answer_free(&failed);
    fr_solver_free(solver);
    fr_graph_free(a.graph);
    fr_ctx_free(ctx);
}

static void divided(fr_ctx *ctx) {
    (void)ctx;
    for (int devices = 2; devices <= devices_there; devices = more_devices(devices)) {
        same_answers("kronecker:scale=7,edge_factor=4,seed=1", false, "multi-bfs", devices);
        same_answers("kronecker:scale=6,edge_factor=4,seed=2", true, "multi-sssp", devices);
        same_answers("kronecker:scale=6,edge_factor=4,seed=3", true, "each-sssp", devices);
        same_answers("grid2d:rows=12,cols=13", false, "auto", devices);
        each_query(FR_PROBLEM_BFS, devices);
        each_query(FR_PROBLEM_SSSP, devices);
    }
}

/* Closeness and harmonic centrality: the same bits as on one GPU, and with a checkpoint after few vertices. */
static void centrality(const char *description, bool weighted, int count) {
    fr_ctx *ctx[2] = {context_on(1, (fr_ctx_options){0}), context_on(count, (fr_ctx_options){0})};
    fr_graph *graph = graph_of(ctx[0], description, weighted);
    const size_t n = (size_t)fr_graph_vertex_count(graph);
    double *score = calloc(4 * n, sizeof *score);
    for (int i = 0; i < 2; i++) {
        fr_distance_centrality_options o = FR_INIT(fr_distance_centrality_options);
        o.backend = FR_BACKEND_CUDA;
        o.checkpoint = i ? "devices.part" : NULL;
        o.checkpoint_vertices = 50;
        remove("devices.part");
        CHECK_OK(ctx[i], fr_distance_centrality(ctx[i], graph, &o, score + 2 * i * n,
                                                score + (2 * i + 1) * n));
    }
    CHECK(!memcmp(score, score + 2 * n, 2 * n * sizeof *score), "%s: %d GPUs differ", description,
          count);
    for (int i = 1; i < count; i++)
        CHECK(ctx[1]->peers[i], "GPU %d has computed nothing", i);
    remove("devices.part");
    free(score);
    fr_graph_free(graph);
    fr_ctx_free(ctx[0]);
    fr_ctx_free(ctx[1]);
}

static void centralities(fr_ctx *ctx) {
    (void)ctx;
    for (int devices = 2; devices <= devices_there; devices++) {
        centrality("kronecker:scale=7,edge_factor=4,seed=1", false, devices);
        centrality("uniform:n=90,edges=300,directed=1", false, devices);
        centrality("uniform:n=90,edges=300,directed=1", true, devices);
    }
}

/* The allocations of one call on so many GPUs, which have the graph; on a GPU -1. */
static int64_t allocations(const char *description, bool weighted, int count) {
    enum { ENOUGH = 1 << 20 };
    fr_ctx *ctx = context_on(count, (fr_ctx_options){0});
    fr_graph *graph = graph_of(ctx, description, weighted);
    double *score = calloc((size_t)fr_graph_vertex_count(graph), sizeof *score);
    CHECK_OK(ctx, fr_closeness(ctx, graph, false, FR_BACKEND_CUDA, score));
    simt_fail_allocation(ENOUGH);
    CHECK_OK(ctx, fr_closeness(ctx, graph, false, FR_BACKEND_CUDA, score));
    const int64_t left = simt_fail_allocation(-1);
    free(score);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    return left < 0 ? -1 : ENOUGH - left;
}

/* A GPU allocates once for all of the three parts that it takes. */
static void memory_of_parts(fr_ctx *ctx) {
    (void)ctx;
    for (int weighted = 0; weighted < 2; weighted++) {
        const char *graph = "uniform:n=40,edges=60,seed=1";
        const int64_t one = allocations(graph, weighted, 1), two = allocations(graph, weighted, 2);
        CHECK(one != 0 && (one < 0 || two < 3 * one), "%lld allocations on one GPU, %lld on two",
              (long long)one, (long long)two);
    }
}

/* ---- cancellation, and what is not divided ---- */

static int cancel(void *user, const char *phase, int64_t done, int64_t total) {
    (void)phase, (void)done, (void)total;
    return *(bool *)user;
}

static void cancelled(fr_ctx *other) {
    bool now = false;
    fr_ctx *ctx = context_on(2, (fr_ctx_options){.progress = cancel, .progress_user = &now});
    fr_graph *graph = graph_of(ctx, "kronecker:scale=7,seed=3", false);
    fr_solver *team =
        solver_new(ctx, graph, FR_PROBLEM_APSP, (fr_solver_options){.strategy = "multi-bfs"});
    (void)other;
    now = true;
    CHECK(fr_solve(team, &(fr_query){0}, &(fr_result){0}) == FR_CANCELLED, "%s", fr_ctx_error(ctx));
    now = false;
    CHECK_OK(ctx, fr_solve(team, &(fr_query){0}, &(fr_result){0}));
    fr_solver_free(team);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* What is not divided runs on the first GPU. */
static void not_divided(fr_ctx *other) {
    static const char *const strategies[] = {"floyd-warshall", "johnson"};
    fr_ctx *ctx = context_on(2, (fr_ctx_options){0});
    ask a = {.ctx = ctx,
             .graph = graph_of(ctx, "grid2d:rows=6,cols=7", true),
             .name = "not divided",
             .problem = FR_PROBLEM_APSP};
    int32_t dist[42];
    (void)other;
    for (int i = 0; i < COUNT(strategies); i++) {
        a.options.strategy = strategies[i];
        fr_solver *solver = solver_new(ctx, a.graph, a.problem, a.options);
        solve_verified(&a, solver);
        CHECK(!strstr(fr_solver_explain(solver), "divided"), "%s", fr_solver_explain(solver));
        fr_solver_free(solver);
    }
    CHECK_OK(ctx, fr_sssp(ctx, a.graph, 0, dist, NULL));
    fr_graph_free(a.graph);
    fr_ctx_free(ctx);
}

/* `auto` for few rows of a graph needs no memory for a matrix that it would never choose. */
static void few_rows(fr_ctx *ctx) {
    fr_graph *graph = graph_of(ctx, "kronecker:scale=12,seed=1", false);
    const fr_solver_options options = {.backend = FR_BACKEND_CUDA, .max_sources = 64};
    fr_memory_estimate bytes = {0};
    CHECK_OK(ctx, fr_estimate_memory(ctx, graph, FR_PROBLEM_APSP, &options, &bytes));
    CHECK(bytes.host < (size_t)4 << 20, "%zu bytes for 64 rows of 4,096 vertices", bytes.host);
    fr_graph_free(graph);
}

static void wrong_devices(fr_ctx *other) {
    static const int lists[][2] = {{0, 0}, {0, -1}, {0, 9}};
    fr_ctx *ctx = NULL;
    (void)other;
    for (int i = 0; i < COUNT(lists); i++) {
        fr_ctx_options options = {.devices = lists[i], .device_count = 2};
        fr_status status = fr_ctx_new(&options, &ctx);
        CHECK((status == FR_INVALID) == (i < 2), "list %d: %s", i, fr_status_name(status));
    }
    fr_graph *graph = graph_of(ctx, "grid2d:rows=6,cols=7", false);
    const fr_solver_options options = {.strategy = "multi-bfs", .backend = FR_BACKEND_CUDA};
    fr_solver *solver = NULL;
    CHECK_REFUSED(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_APSP, &options, &solver), FR_NO_DEVICE,
                  "GPU 9");
    CHECK(!solver, "a solver on GPU 9");
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

static const part parts[] = {{"parts", row_parts},
                             {"divided", divided},
                             {"centralities", centralities},
                             {"memory", memory_of_parts},
                             {"cancelled", cancelled},
                             {"not-divided", not_divided},
                             {"few-rows", few_rows},
                             {"wrong-devices", wrong_devices},
                             {0}};

int main(int argc, char **argv) {
    const program p = {.what = "queries divided among GPUs",
                       .problem = FR_PROBLEM_APSP,
                       .devices = 3,
                       .min_devices = 2,
                       .parts = parts};
    return program_main(&p, argc, argv);
}
