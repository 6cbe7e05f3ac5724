/* The rows of APSP and of fr_solve_each divided among several GPUs: the same answers as on one, row callbacks, failures and
 * cancellation. Runs on the host (FRI_SIMT), which then has three GPUs, and on a machine with several. */
#include "conformance/choose.h"
#include "core/device_team.h"
#include "gpu/gpu_check.h"
#include "gpu/gpu_host.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEVICES = 4 };

static int device_count;

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

static fr_graph *graph_of(fr_ctx *ctx, const char *description, bool weighted) {
    fr_graph *graph;
    fr_load_options options = {.weights = weighted ? FR_WEIGHTS_RANDOM : FR_WEIGHTS_NONE,
                               .weight_low = 1,
                               .weight_high = 9};
    if (fr_graph_generate(ctx, description, &options, &graph))
        cf_give_up(ctx, "a graph");
    return graph;
}

static fr_solver *solver_of(fr_ctx *ctx, const fr_graph *graph, const char *strategy) {
    fr_solver_options options = {.strategy = strategy, .backend = FR_BACKEND_CUDA};
    fr_solver *solver = NULL;
    CHECK(!fr_solver_new(ctx, graph, FR_PROBLEM_APSP, &options, &solver), "%s: %s", strategy,
          fr_ctx_error(ctx));
    return solver;
}

typedef struct seen_rows {
    const int32_t *dist; /* [rows][n] expected */
    int32_t n;
    int seen[4096];
    int64_t stop_after; /* -1: never */
    int64_t count;
    bool equal;
} seen_rows;

static int see_row(void *user, int64_t row, int32_t source, const void *dist,
                   const int32_t *parent) {
    seen_rows *s = user;
    s->seen[row]++;
    s->count++;
    s->equal &= memcmp(dist, s->dist + row * s->n, (size_t)s->n * sizeof(int32_t)) == 0;
    s->equal &= parent && parent[source] == source;
    return s->count == s->stop_after;
}

/* The parts cover all rows once. If every row takes GPUs the same time, and each takes a part when it has
 * finished one, the last GPU ends `longest` rows of work after the begin. */
static void parts_of_rows(int64_t rows, int64_t at_once, bool batches, int devices, int64_t longest,
                          int64_t count) {
    fri_row_parts parts = batches ? fri_cut_rows_by_batches(rows, at_once, devices)
                                  : fri_cut_rows_evenly(rows, at_once, devices);
    int64_t first, next = 0, nth = 0, of, end[8] = {0};
    for (; (of = fri_next_row_part(&parts, &first)) > 0; nth++) {
        CHECK(first == next, "part %lld begins at %lld", (long long)nth, (long long)first);
        next = first + of;
        int idle = 0;
        for (int d = 1; d < devices; d++)
            idle = end[d] < end[idle] ? d : idle;
        end[idle] += of;
    }
    CHECK(next == rows, "%lld of %lld rows", (long long)next, (long long)rows);
    int64_t last = 0;
    for (int d = 0; d < devices; d++)
        last = end[d] > last ? end[d] : last;
    CHECK(last == longest && nth == count, "%lld rows by %lld on %d GPUs: %lld parts, %lld rows",
          (long long)rows, (long long)at_once, devices, (long long)nth, (long long)last);
}

static void parts(void) {
    parts_of_rows(4096, 512, true, 2, 2048, 8);
    parts_of_rows(1000, 1, true, 2, 500, 128);
    parts_of_rows(1536, 512, true, 2, 768, 4); /* two whole batches and two halves of one */
    parts_of_rows(1000, 512, true, 2, 500, 2);
    parts_of_rows(60, 512, true, 2, 30, 2);
    parts_of_rows(2, 512, true, 3, 1, 2);
    parts_of_rows(5, 2, true, 2, 3, 3);
    parts_of_rows(4096, 64, false, 2, 2048, 8);
    parts_of_rows(512, 64, false, 2, 256, 4);
    parts_of_rows(64, 1, false, 2, 32, 8);
    parts_of_rows(64, 1, false, 8, 8, 25);
    parts_of_rows(3, 64, false, 2, 2, 2);
}

/* All rows, some rows, and rows by callback: as on one GPU. */
static void same_answers(const char *description, bool weighted, const char *strategy, int count) {
    fr_ctx *one = context(1, NULL, NULL), *all = context(count, NULL, NULL);
    fr_graph *graph = graph_of(one, description, weighted);
    const int32_t n = fr_graph_vertex_count(graph);
    const size_t bytes = (size_t)n * (size_t)n * sizeof(int32_t);
    int32_t *expected = malloc(bytes), *dist = calloc(1, bytes), *parent = malloc(bytes);
    fr_solver *alone = solver_of(one, graph, strategy), *team = solver_of(all, graph, strategy);
    fr_query every = {0};
    fr_result wanted = {.dist = expected}, result = {.dist = dist, .parent = parent};
    CHECK(!fr_solve(alone, &every, &wanted), "%s", fr_ctx_error(one));
    CHECK(!fr_solve(team, &every, &result), "%s", fr_ctx_error(all));
    CHECK(memcmp(expected, dist, bytes) == 0, "%s, %s: other distances", description, strategy);
    CHECK(!fr_verify_apsp(one, graph, &every, false, dist, FR_TYPE_I32, parent, 0, 1), "%s",
          fr_ctx_error(one));
    CHECK(wanted.stats.edges_examined > 0 && result.stats.traverse_ns > 0, "no statistics");
    CHECK(strstr(fr_solver_explain(team), "rows divided among"), "%s", fr_solver_explain(team));
    CHECK(!strstr(fr_solver_explain(alone), "rows divided"), "%s", fr_solver_explain(alone));

    int32_t some[60]; /* in no order, with duplicates */
    for (int i = 0; i < 60; i++)
        some[i] = (i * 37 + 5) % n;
    fr_query few = {.sources = some, .source_count = 60};
    memset(dist, 0, bytes);
    result.parent = NULL;
    CHECK(!fr_solve(team, &few, &result), "%s", fr_ctx_error(all));
    for (int i = 0; i < 60; i++)
        CHECK(!memcmp(dist + i * n, expected + (int64_t)some[i] * n, (size_t)n * sizeof *dist),
              "row %d of source %d", i, some[i]);

    seen_rows rows = {.dist = expected, .n = n, .stop_after = -1, .equal = true};
    fr_query by_row = {.row = see_row, .row_user = &rows, .want_parents = true};
    fr_result nothing = {0};
    CHECK(!fr_solve(team, &by_row, &nothing), "%s", fr_ctx_error(all));
    for (int32_t v = 0; v < n; v++)
        CHECK(rows.seen[v] == 1, "row %d came %d times", v, rows.seen[v]);
    CHECK(rows.equal, "a row differs");

    rows.count = 0, rows.stop_after = 3;
    CHECK(fr_solve(team, &by_row, &nothing) == FR_CANCELLED, "the callback cancels");
    some[59] = n;
    CHECK(fr_solve(team, &few, &result) == FR_NOT_FOUND && strstr(fr_ctx_error(all), "source"),
          "%s", fr_ctx_error(all));
    CHECK(!fr_solve(team, &every, &result), "after failures: %s", fr_ctx_error(all));
    CHECK(memcmp(expected, dist, bytes) == 0, "after failures: other distances");
    fr_solver_free(alone);
    fr_solver_free(team);
    /* the next solver is prepared in these contexts: no callback may have the freed team */
    for (int i = 1; i < count; i++)
        CHECK(all->peers[i] && !all->peers[i]->progress, "a callback of a freed solver");
    fr_graph_free(graph);
    fr_ctx_free(one);
    fr_ctx_free(all);
    free(expected);
    free(dist);
    free(parent);
}

/* The sources of fr_solve are merged into one row, also after fr_solve_each. value, parent: two rows. */
static void merged_sources(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver, bool bfs,
                           int32_t *value, int32_t *parent) {
    const int32_t n = fr_graph_vertex_count(graph), sources[] = {1, 2};
    fr_query query = {.sources = sources, .source_count = 2};
    fr_result result = {.level = bfs ? value : NULL, .dist = bfs ? NULL : value, .parent = parent};
    value[n] = parent[n] = 77;
    fr_status status = fr_solve(solver, &query, &result);
    if (!status)
        status = bfs ? fr_verify_bfs(ctx, graph, &query, value, parent)
                     : fr_verify_sssp(ctx, graph, &query, false, value, FR_TYPE_I32, parent);
    CHECK(!status, "merged sources: %s", fr_ctx_error(ctx));
    CHECK(value[n] == 77 && parent[n] == 77, "more than one row is written");
}

/* fr_solve_each: every row is right; a wrong source ends it, with the rows before it complete. */
static void each_query(fr_problem problem, int count) {
    enum { QUERIES = 37, WRONG = 29 };
    fr_ctx *ctx = context(count, NULL, NULL);
    fr_graph *graph = graph_of(ctx, "kronecker:scale=7,edge_factor=3,seed=4", true);
    const int32_t n = fr_graph_vertex_count(graph);
    const size_t bytes = (size_t)QUERIES * (size_t)n * sizeof(int32_t);
    int32_t *value = malloc(bytes), *parent = malloc(bytes), sources[QUERIES];
    fr_solver_options options = {.backend = FR_BACKEND_CUDA};
    fr_solver *solver = NULL;
    CHECK(!fr_solver_new(ctx, graph, problem, &options, &solver), "%s", fr_ctx_error(ctx));
    for (int i = 0; i < QUERIES; i++)
        sources[i] = i * 17 % n;
    const bool bfs = problem == FR_PROBLEM_BFS;
    for (int wrong = 0; wrong < 2; wrong++) {
        int64_t solved = -1;
        fr_query all = {.sources = sources, .source_count = QUERIES};
        fr_result result = {
            .level = bfs ? value : NULL, .dist = bfs ? NULL : value, .parent = parent};
        memset(value, 7, bytes);
        if (wrong)
            sources[WRONG] = n;
        fr_status status = fr_solve_each(solver, &all, &result, &solved);
        CHECK(status == (wrong ? FR_NOT_FOUND : FR_OK), "%s", fr_ctx_error(ctx));
        CHECK(solved == (wrong ? WRONG : QUERIES), "%lld rows are complete", (long long)solved);
        CHECK(wrong || (result.stats.reached >= QUERIES && result.stats.traverse_ns > 0), "stats");
        for (int64_t i = 0; i < solved; i++) {
            fr_query one = {.sources = &sources[i], .source_count = 1};
            status = bfs ? fr_verify_bfs(ctx, graph, &one, value + i * n, parent + i * n)
                         : fr_verify_sssp(ctx, graph, &one, false, value + i * n, FR_TYPE_I32,
                                          parent + i * n);
            CHECK(!status, "row %lld: %s", (long long)i, fr_ctx_error(ctx));
        }
    }
    merged_sources(ctx, graph, solver, bfs, value, parent);
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    free(value);
    free(parent);
}

static int cancel(void *user, const char *phase, int64_t done, int64_t total) {
    (void)phase, (void)done, (void)total;
    return *(bool *)user;
}

static void cancelled(void) {
    bool now = false;
    fr_ctx *ctx = context(2, cancel, &now);
    fr_graph *graph = graph_of(ctx, "kronecker:scale=7,seed=3", false);
    fr_solver *team = solver_of(ctx, graph, "multi-bfs");
    fr_query every = {0};
    fr_result nothing = {0};
    now = true;
    CHECK(fr_solve(team, &every, &nothing) == FR_CANCELLED, "%s", fr_ctx_error(ctx));
    now = false;
    CHECK(!fr_solve(team, &every, &nothing), "%s", fr_ctx_error(ctx));
    fr_solver_free(team);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* What is not divided runs on the first GPU. */
static void not_divided(void) {
    fr_ctx *ctx = context(2, NULL, NULL);
    fr_graph *graph = graph_of(ctx, "grid2d:rows=6,cols=7", true);
    int32_t dist[42 * 42];
    const char *const strategies[] = {"floyd-warshall", "johnson"};
    for (int i = 0; i < 2; i++) {
        fr_solver *solver = solver_of(ctx, graph, strategies[i]);
        fr_query every = {0};
        fr_result result = {.dist = dist};
        CHECK(!fr_solve(solver, &every, &result), "%s", fr_ctx_error(ctx));
        CHECK(!fr_verify_apsp(ctx, graph, &every, false, dist, FR_TYPE_I32, NULL, 0, 1), "%s",
              fr_ctx_error(ctx));
        CHECK(!strstr(fr_solver_explain(solver), "divided"), "%s", fr_solver_explain(solver));
        fr_solver_free(solver);
    }
    CHECK(!fr_sssp(ctx, graph, 0, dist, NULL), "%s", fr_ctx_error(ctx));
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* `auto` for few rows of a graph needs no memory for a matrix that it would never choose. */
static void few_rows(void) {
    fr_ctx *ctx = context(1, NULL, NULL);
    fr_graph *graph = graph_of(ctx, "kronecker:scale=12,seed=1", false);
    fr_solver_options options = {.backend = FR_BACKEND_CUDA, .max_sources = 64};
    fr_memory_estimate bytes = {0};
    CHECK(!fr_estimate_memory(ctx, graph, FR_PROBLEM_APSP, &options, &bytes), "%s",
          fr_ctx_error(ctx));
    CHECK(bytes.host < (size_t)4 << 20, "%zu bytes for 64 rows of 4,096 vertices", bytes.host);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

static void wrong_devices(void) {
    const int lists[][2] = {{0, 0}, {0, -1}, {0, 9}};
    fr_ctx *ctx = NULL;
    for (int i = 0; i < 3; i++) {
        fr_ctx_options options = {.devices = lists[i], .device_count = 2};
        fr_status status = fr_ctx_new(&options, &ctx);
        CHECK((status == FR_INVALID) == (i < 2), "list %d: %s", i, fr_status_name(status));
    }
    fr_graph *graph = graph_of(ctx, "grid2d:rows=6,cols=7", false);
    fr_solver *solver = NULL;
    fr_solver_options options = {.strategy = "multi-bfs", .backend = FR_BACKEND_CUDA};
    CHECK(fr_solver_new(ctx, graph, FR_PROBLEM_APSP, &options, &solver) == FR_NO_DEVICE && !solver,
          "GPU 9");
    CHECK(strstr(fr_ctx_error(ctx), "GPU 9"), "%s", fr_ctx_error(ctx));
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

int main(void) {
#ifdef FRI_SIMT
    simt_set_devices(3);
#endif
    fr_ctx *ctx = context(1, NULL, NULL);
    fr_status status = fr_device_count(ctx, &device_count);
    if (status || device_count < 2) {
        printf("skip: %s\n", status ? fr_ctx_error(ctx) : "one GPU");
        fr_ctx_free(ctx);
        return 77;
    }
    fr_ctx_free(ctx);
    parts();
    const int used_devices = device_count < MAX_DEVICES ? device_count : MAX_DEVICES;
    for (int devices = 2; devices <= used_devices; devices++) {
        same_answers("kronecker:scale=7,edge_factor=4,seed=1", false, "multi-bfs", devices);
        same_answers("kronecker:scale=6,edge_factor=4,seed=2", true, "multi-sssp", devices);
        same_answers("grid2d:rows=8,cols=9", false, "auto", devices);
        each_query(FR_PROBLEM_BFS, devices);
        each_query(FR_PROBLEM_SSSP, devices);
    }
    cancelled();
    not_divided();
    few_rows();
    wrong_devices();
    CHECK(simt_live_bytes() == 0, "%zu bytes are left", simt_live_bytes());
    return checks_end("queries divided among GPUs");
}
