/* Batches: many queries of one call, whose results are copied while the next one runs. Every row is
 * compared with fr_solve on the CPU, in pageable, page-locked and device memory, for small and large
 * rows, values of all widths, with and without parents; after a failure, the rows before it. Runs on
 * the host (FRI_SIMT) and on a GPU. */
#include "conformance/choose.h"
#include "fringe.h"
#include "gpu/gpu_check.h"
#include "gpu/gpu_host.h"
#include "gpu/gpu_places.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

#ifndef FRI_SIMT
static void simt_hold(cudaStream_t stream) { (void)stream; }
static int64_t simt_fail_allocation(int64_t after) { return (void)after, -1; }
#endif

enum { MAX_SOURCES = 5, SHORT = 40 /* edges: with rows that no batch copies */ };

enum { VALUE = 1, PARENT = 2 };

/* ---- rows -------------------------------------------------------------------------------- */

typedef struct task {
    fr_ctx *ctx;
    const fr_graph *graph;
    fr_problem problem;
    fr_solver_options options;
    fr_query query; /* without sources */
    int32_t sources[MAX_SOURCES];
    int count;
    const char *name;
} task;

/* The answers of the CPU, and their sums. */
typedef struct rows {
    char *value;
    int32_t *parent;
    size_t row; /* bytes of a row of values */
    fr_stats stats;
} rows;

static rows expected(const task *t) {
    const size_t n = (size_t)fr_graph_vertex_count(t->graph);
    const bool bfs = t->problem == FR_PROBLEM_BFS;
    fr_solver_options options = t->options;
    fr_solver *solver;
    rows r = {.stats = {.reached = 0}};
    options.strategy = NULL;
    options.backend = FR_BACKEND_CPU;
    if (fr_solver_new(t->ctx, t->graph, t->problem, &options, &solver))
        cf_give_up(t->ctx, t->name);
    r.row = n * (bfs ? 4 : fr_type_size(fr_solver_dist_type(solver)));
    r.value = malloc(r.row * (size_t)t->count);
    r.parent = malloc(n * 4 * (size_t)t->count);
    for (int i = 0; i < t->count; i++) {
        fr_query query = t->query;
        char *value = r.value + r.row * (size_t)i;
        fr_result result = {.level = bfs ? (void *)value : NULL,
                            .dist = bfs ? NULL : value,
                            .parent = r.parent + n * (size_t)i};
        query.sources = &t->sources[i];
        query.source_count = 1;
        if (fr_solve(solver, &query, &result))
            cf_give_up(t->ctx, t->name);
        r.stats.reached += result.stats.reached;
        r.stats.reached_edges += result.stats.reached_edges;
    }
    fr_solver_free(solver);
    return r;
}

static fr_status solve_each(const task *t, fr_solver *solver, place where, cudaStream_t stream,
                            char *value, char *parent, fr_stats *stats, int64_t *solved) {
    const bool bfs = t->problem == FR_PROBLEM_BFS;
    fr_query query = t->query;
    fr_result result = {.level = bfs ? (void *)value : NULL,
                        .dist = bfs ? NULL : value,
                        .parent = (int32_t *)(void *)parent};
    query.sources = t->sources;
    query.source_count = t->count;
    query.result_memory = where == DEVICE ? FR_MEMORY_DEVICE : FR_MEMORY_HOST;
    query.stream = where == DEVICE ? stream : NULL;
    fr_status status = fr_solve_each(solver, &query, &result, solved);
    *stats = result.stats;
    return status;
}

/* On a stream of its own: nothing needs to be waited for. */
static void check_array(const char *at, const void *want, size_t bytes, const char *what) {
    char *got = malloc(bytes);
    cudaStream_t consumer;
    must(cudaStreamCreateWithFlags(&consumer, cudaStreamNonBlocking), "a stream");
    must(cudaMemcpyAsync(got, at, bytes, cudaMemcpyDefault, consumer), "reading back");
    must(cudaStreamSynchronize(consumer), "reading back");
    must(cudaStreamDestroy(consumer), "a stream");
    CHECK(memcmp(got, want, bytes) == 0, "%s", what);
    free(got);
}

/* The first `done` rows of what is asked for. A stream of the caller still writes garbage to arrays on
 * the device when the call begins. */
static void check_place(const task *t, fr_solver *solver, const rows *want, place where,
                        int asked) {
    const size_t n = (size_t)fr_graph_vertex_count(t->graph), count = (size_t)t->count;
    char *value = array_new(where, want->row * count), *parent = array_new(where, n * 4 * count);
    char what[160];
    fr_stats stats;
    int64_t solved = -1;
    cudaStream_t stream;
    must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
    simt_hold(stream);
    for (int i = 0; i < (ON_HOST ? 1 : 50) && where == DEVICE; i++) {
        must(cudaMemsetAsync(value, 0x77 + i % 2, want->row * count, stream), "producing");
        must(cudaMemsetAsync(parent, 0x77 + i % 2, n * 4 * count, stream), "producing");
    }
    snprintf(what, sizeof what, "%s by %s, %s, asked for %d", t->name,
             t->options.strategy ? t->options.strategy : "auto", place_names[where], asked);
    fr_status status = solve_each(t, solver, where, stream, asked & VALUE ? value : NULL,
                                  asked & PARENT ? parent : NULL, &stats, &solved);
    CHECK(!status && solved == t->count, "%s: %lld rows: %s", what, (long long)solved,
          fr_ctx_error(t->ctx));
    if (asked & VALUE)
        check_array(value, want->value, want->row * count, what);
    if (asked & PARENT)
        check_array(parent, want->parent, n * 4 * count, what);
    CHECK(stats.reached == want->stats.reached && stats.reached_edges == want->stats.reached_edges,
          "%s: reached %lld, should be %lld", what, (long long)stats.reached,
          (long long)want->stats.reached);
    CHECK(stats.call_ns > 0 && stats.traverse_ns >= 0 && stats.transfer_ns >= stats.upload_ns,
          "%s: times", what);
    must(cudaStreamSynchronize(stream), "a stream");
    must(cudaStreamDestroy(stream), "a stream");
    array_free(where, value);
    array_free(where, parent);
}

static void check_task(const task *t, const char *const *strategies) {
    static const int threads[] = {1, 4};
    rows want = expected(t);
    for (; *strategies; strategies++)
        for (int i = 0; i < 2; i++) {
            fr_solver_options options = t->options;
            fr_solver *solver = NULL;
            task by = *t;
            options.strategy = by.options.strategy = *strategies;
            options.backend = FR_BACKEND_CUDA;
            fr_ctx_set_threads(t->ctx, threads[i]);
            CHECK(!fr_solver_new(t->ctx, t->graph, t->problem, &options, &solver), "%s: %s",
                  t->name, fr_ctx_error(t->ctx));
            for (int where = 0; where < PLACES && solver; where++)
                for (int asked = i ? VALUE | PARENT : 0; asked <= (VALUE | PARENT); asked++)
                    check_place(&by, solver, &want, (place)where, asked);
            fr_solver_free(solver);
        }
    free(want.value);
    free(want.parent);
}

/* ---- graphs ------------------------------------------------------------------------------ */

enum { UNREACHED = 150 };

/* A directed path of `edges` edges of weight `weight`, and vertices that it does not reach. */
static fr_graph *path(fr_ctx *ctx, int32_t edges, fr_type type, double weight) {
    const int32_t n = edges + 1 + (edges == SHORT ? 0 : UNREACHED);
    int32_t *from = malloc((size_t)edges * 4), *to = malloc((size_t)edges * 4);
    double *reals = malloc((size_t)edges * 8);
    fr_load_options directed = {.direction = FR_DIRECTION_DIRECTED, .weight_type = type};
    fr_graph *graph;
    for (int32_t e = 0; e < edges; e++) {
        from[e] = e;
        to[e] = e + 1;
        reals[e] = weight;
    }
    if (fr_graph_from_edges(ctx, n, edges, from, to, type ? reals : NULL,
                            type ? FR_TYPE_F64 : FR_TYPE_NONE, &directed, &graph))
        cf_give_up(ctx, "a path");
    free(from);
    free(to);
    free(reals);
    return graph;
}

static task task_of(fr_ctx *ctx, const fr_graph *graph, fr_problem problem, const char *name) {
    static const int32_t ends[MAX_SOURCES] = {0, 30, 1, 0, 17};
    task t = {.ctx = ctx,
              .graph = graph,
              .problem = problem,
              .query = {.parent_rule = FR_PARENT_MIN_ID},
              .count = MAX_SOURCES,
              .name = name};
    memcpy(t.sources, ends, sizeof ends);
    return t;
}

/* Levels of one and two bytes on the bus, in one batch: the deepest row has the last level. */
static void levels(fr_ctx *ctx) {
    static const char *const all[] = {"auto", "queue", "xbfs", NULL}, *const one[] = {"auto", NULL};
    static const int32_t lengths[] = {SHORT, 38, 140, 300000};
    for (int i = 0; i < (ON_HOST ? 3 : 4); i++) {
        char name[40];
        snprintf(name, sizeof name, "levels of a path of %d", lengths[i]);
        fr_graph *graph = path(ctx, lengths[i], FR_TYPE_NONE, 0);
        task t = task_of(ctx, graph, FR_PROBLEM_BFS, name);
        t.count = lengths[i] > 1000 ? 3 : MAX_SOURCES; /* a level takes a launch */
        check_task(&t, i == 1 ? all : one);
        fr_graph_free(graph);
    }
}

static void distances(fr_ctx *ctx) {
    static const char *const some[] = {"auto", NULL}, *const hbf[] = {"hbf", NULL},
                             *const two[] = {"auto", "near-far", NULL};
    static const struct {
        fr_type type;
        double weight;
    } cases[] = {{FR_TYPE_I32, 1},    {FR_TYPE_I32, 100}, {FR_TYPE_I32, 1e6},
                 {FR_TYPE_I64, 1e11}, {FR_TYPE_F32, 0.5}, {FR_TYPE_I32, -3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[60];
        snprintf(name, sizeof name, "%s weights %g", fr_type_name(cases[i].type), cases[i].weight);
        fr_graph *graph = path(ctx, 38, cases[i].type, cases[i].weight);
        task t = task_of(ctx, graph, FR_PROBLEM_SSSP, name);
        check_task(&t, cases[i].weight < 0 ? hbf : i == 1 ? two : some);
        fr_graph_free(graph);
    }
}

/* What the host computes afterwards, targets, unit distances as floats: queries in turn. */
static void in_turn(fr_ctx *ctx) {
    static const char *const one[] = {"auto", NULL};
    static const int32_t targets[] = {40, 35};
    fr_graph *graph = path(ctx, 45, FR_TYPE_I32, 7);
    task t = task_of(ctx, graph, FR_PROBLEM_SSSP, "in turn");
    rows want;
    fr_solver *solver;
    t.query.targets = targets;
    t.query.target_count = 2;
    check_task(&t, one);
    t.query = (fr_query){.parent_rule = FR_PARENT_NEAREST};
    t.options = (fr_solver_options){.unit_weights = true, .dist_type = FR_TYPE_F64};
    want = expected(&t);
    t.options.backend = FR_BACKEND_CUDA;
    if (fr_solver_new(ctx, graph, t.problem, &t.options, &solver))
        cf_give_up(ctx, t.name);
    check_place(&t, solver, &want, PAGEABLE, VALUE | PARENT);
    fr_solver_free(solver);
    free(want.value);
    free(want.parent);
    fr_graph_free(graph);
}

static void larger(fr_ctx *ctx) {
    static const char *const one[] = {"auto", NULL};
    const fr_load_options options = {.direction = FR_DIRECTION_UNDIRECTED,
                                     .weights = FR_WEIGHTS_RANDOM,
                                     .weight_low = 1,
                                     .weight_high = 255};
    const char *spec = ON_HOST ? "kronecker:scale=8,seed=1" : "kronecker:scale=20,seed=1";
    fr_graph *graph;
    if (fr_graph_generate(ctx, spec, &options, &graph))
        cf_give_up(ctx, spec);
    task t = task_of(ctx, graph, FR_PROBLEM_BFS, "levels of a kronecker graph");
    check_task(&t, one);
    t.problem = FR_PROBLEM_SSSP;
    t.name = "distances of a kronecker graph";
    check_task(&t, one);
    fr_graph_free(graph);
}

/* ---- failures ---------------------------------------------------------------------------- */

/* A batch of which one row fails: the rows before it are complete, and a further batch is right. */
static void check_failure(task t, fr_solver *solver, const rows *want, fr_status status,
                          int64_t complete) {
    char *value = array_new(PAGEABLE, want->row * MAX_SOURCES);
    fr_stats stats;
    int64_t solved = -1;
    fr_status got = solve_each(&t, solver, PAGEABLE, NULL, value, NULL, &stats, &solved);
    CHECK(got == status && solved == complete, "%s: %s, %lld rows: %s", t.name, fr_status_name(got),
          (long long)solved, fr_ctx_error(t.ctx));
    CHECK(*fr_ctx_error(t.ctx), "%s: no message", t.name);
    check_array(value, want->value, want->row * (size_t)complete, t.name);
    array_free(PAGEABLE, value);
}

static int stop_at_fourth(void *user, const char *phase, int64_t done, int64_t total) {
    (void)total;
    return *(bool *)user && strcmp(phase, "solving") == 0 && done == 3;
}

static void failures_of(void) {
    bool stops = false;
    const fr_ctx_options how = {.progress = stop_at_fourth, .progress_user = &stops};
    fr_ctx *ctx;
    if (fr_ctx_new(&how, &ctx))
        cf_give_up(NULL, "a context");
    fr_graph *graph = path(ctx, 60, FR_TYPE_NONE, 0);
    task t = task_of(ctx, graph, FR_PROBLEM_BFS, "a failure");
    rows want = expected(&t);
    const fr_solver_options options = {.backend = FR_BACKEND_CUDA};
    fr_solver *solver;
    if (fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver))
        cf_give_up(ctx, t.name);
    task bad = t;
    bad.sources[3] = -2;
    bad.name = "a source that does not exist";
    check_failure(bad, solver, &want, FR_NOT_FOUND, 3);
    bad.sources[0] = 1 << 20;
    check_failure(bad, solver, &want, FR_NOT_FOUND, 0);
    stops = true;
    t.name = "cancelled";
    check_failure(t, solver, &want, FR_CANCELLED, 3);
    stops = false;
    t.name = "after a failure";
    check_place(&t, solver, &want, PAGEABLE, VALUE | PARENT);
    fr_solver_free(solver);
    free(want.value);
    free(want.parent);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* The distance of the end does not fit from vertex 0. */
static void overflow(fr_ctx *ctx) {
    fr_graph *graph = path(ctx, 40, FR_TYPE_I32, 5.5e7);
    task t = task_of(ctx, graph, FR_PROBLEM_SSSP, "an overflow");
    const fr_solver_options options = {.backend = FR_BACKEND_CUDA};
    fr_solver *solver;
    t.sources[0] = t.sources[1] = 30;
    t.sources[2] = 17;
    t.sources[3] = 0;
    t.count = 3;
    rows want = expected(&t);
    t.count = MAX_SOURCES;
    if (fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, &options, &solver))
        cf_give_up(ctx, t.name);
    check_failure(t, solver, &want, FR_OVERFLOW, 3);
    fr_solver_free(solver);
    free(want.value);
    free(want.parent);
    fr_graph_free(graph);
}

/* Without memory for the buffers the queries follow one another. */
static void without_memory(fr_ctx *ctx) {
    fr_graph *graph = path(ctx, 60, FR_TYPE_NONE, 0);
    task t = task_of(ctx, graph, FR_PROBLEM_BFS, "without memory");
    rows want = expected(&t);
    const fr_solver_options options = {.backend = FR_BACKEND_CUDA};
    for (int64_t after = 0; after < (ON_HOST ? 4 : 1); after++) {
        fr_solver *solver;
        if (fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver))
            cf_give_up(ctx, t.name);
        simt_fail_allocation(after);
        check_place(&t, solver, &want, PAGEABLE, VALUE | PARENT);
        simt_fail_allocation(-1);
        check_place(&t, solver, &want, PAGEABLE, VALUE | PARENT);
        fr_solver_free(solver);
    }
    free(want.value);
    free(want.parent);
    fr_graph_free(graph);
}

/* Long rows take two sets of buffers, once; short rows none. */
static void buffers(fr_ctx *ctx) {
    for (int is_long = 0; is_long < 2; is_long++) {
        fr_graph *graph = path(ctx, is_long ? 60 : SHORT, FR_TYPE_NONE, 0);
        task t = task_of(ctx, graph, FR_PROBLEM_BFS, "buffers");
        rows want = expected(&t);
        const fr_solver_options options = {.backend = FR_BACKEND_CUDA};
        fr_solver *solver;
        if (fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver))
            cf_give_up(ctx, t.name);
        const size_t before = simt_live_bytes();
        for (int i = 0; i < 2; i++) {
            check_place(&t, solver, &want, PAGEABLE, VALUE);
            const size_t taken = simt_live_bytes() - before;
            CHECK(!ON_HOST || (is_long ? taken >= 2 * want.row && taken < 4 * want.row : !taken),
                  "rows of %zu bytes took %zu", want.row, taken);
        }
        fr_solver_free(solver);
        free(want.value);
        free(want.parent);
        fr_graph_free(graph);
    }
}

int main(void) {
    cf_backend = FR_BACKEND_CUDA;
    fr_ctx *ctx = cf_device_context(FR_PROBLEM_BFS, ON_HOST);
    if (!ctx)
        return 77;
    levels(ctx);
    distances(ctx);
    in_turn(ctx);
    larger(ctx);
    failures_of();
    overflow(ctx);
    without_memory(ctx);
    buffers(ctx);
    fr_ctx_free(ctx);
    CHECK(simt_live_bytes() == 0, "%zu bytes of device memory are kept", simt_live_bytes());
    CHECK(simt_pinned_bytes() == 0, "%zu bytes of pinned memory are kept", simt_pinned_bytes());
    return checks_end("batches");
}
