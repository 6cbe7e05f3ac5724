/* Copies of graphs on the device: made once for all solvers, contexts and threads, counted, evicted,
 * freed in any order; solvers that the one-call functions keep. Runs on the host (FRI_SIMT), where
 * uploads and memory are counted, and on a GPU. */
#include "core/idle_solvers.h"
#include "cuda/device/context.h"
#include "cuda/device/memory_plan.h"
#include "cuda/graph/resident.h"
#include "gpu/harness.h"

#include <pthread.h>

enum { WHOLE = 1 << 30 }; /* bytes: more than all that is idle */

static fr_ctx *context(void) { return context_new((fr_ctx_options){.threads = 1}); }

static fr_graph *graph_of(fr_ctx *ctx, bool directed) {
    return graph_generate(
        ctx, "kronecker:scale=8,seed=1",
        (fr_load_options){.direction = directed ? FR_DIRECTION_DIRECTED : FR_DIRECTION_UNDIRECTED,
                          .weights = FR_WEIGHTS_RANDOM,
                          .weight_low = 1,
                          .weight_high = 9});
}

static fr_solver *solver_of(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                            const char *strategy) {
    return solver_new(ctx, graph, problem, (fr_solver_options){.strategy = strategy});
}

/* Solves from two sources and verifies. */
static void verify(fr_ctx *ctx, fr_graph *graph, fr_problem problem, fr_solver *solver) {
    for (int32_t source = 1; source < 3; source++) {
        const ask a = {.ctx = ctx,
                       .graph = graph,
                       .name = "a shared graph",
                       .problem = problem,
                       .query = {.sources = &source, .source_count = 1}};
        solve_verified(&a, solver);
    }
}

static void check_uploaded(const char *what, size_t max_bytes) {
    const size_t bytes = simt_uploaded_bytes();
    CHECK(!ON_HOST || bytes <= max_bytes, "%s: %zu bytes are uploaded, not up to %zu", what, bytes,
          max_bytes);
}

/* A slice of the graph is not the copy that solvers share. */
static bool has_own_rows(const fr_strategy_info *strategy) {
    return fri_strategy_find(strategy->problem, strategy->backend, strategy->name)->needs &
           FRI_SPANS_DEVICES;
}

/* Every strategy after every other: what the second uploads, and the right result of both. */
static void share_all(bool directed) {
    static const fr_problem problems[] = {FR_PROBLEM_BFS, FR_PROBLEM_SSSP};
    fr_ctx *ctx = context();
    fr_graph *graph = graph_of(ctx, directed);
    fr_strategy_info strategy = {0};
    for (int p = 0; p < 2; p++)
        for (int r = 0; cf_strategy(problems[p], r, &strategy); r++) {
            fr_solver *first = solver_of(ctx, graph, problems[p], strategy.name);
            verify(ctx, graph, problems[p], first);
            simt_uploaded_bytes();
            fr_solver *second = solver_of(ctx, graph, problems[p], strategy.name);
            /* strategies that split hubs upload arrays of their own */
            if (!has_own_rows(&strategy))
                check_uploaded(strategy.name, 3 * 4 * ((size_t)fr_graph_vertex_count(graph) + 64));
            verify(ctx, graph, problems[p], second);
            verify(ctx, graph, problems[p], first);
            fr_solver_free(first);
            fr_solver_free(second);
        }
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    CHECK(simt_live_bytes() == 0, "%zu bytes are left", simt_live_bytes());
}

/* The graph travels once for BFS and SSSP, in either order. */
static void between_problems(bool sssp_first) {
    fr_ctx *ctx = context();
    fr_graph *graph = graph_of(ctx, false);
    const fr_problem order[] = {sssp_first ? FR_PROBLEM_SSSP : FR_PROBLEM_BFS,
                                sssp_first ? FR_PROBLEM_BFS : FR_PROBLEM_SSSP};
    const size_t m = (size_t)fr_graph_edge_count(graph);
    fr_solver *first = solver_of(ctx, graph, order[0], "auto");
    simt_uploaded_bytes();
    fr_solver *second = solver_of(ctx, graph, order[1], "auto");
    check_uploaded("the second problem", sssp_first ? 0 : 4 * m); /* SSSP adds the weights */
    verify(ctx, graph, order[0], first);
    verify(ctx, graph, order[1], second);
    fr_solver_free(first);
    verify(ctx, graph, order[1], second);
    fr_solver_free(second);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* A copy costs nothing in the estimate, counts once per context, and is freed when it must be. */
static void counting(void) {
    fr_ctx *a = context(), *b = context();
    fr_graph *graph = graph_of(a, false);
    fr_solver_options options = {.strategy = "queue", .backend = FR_BACKEND_CUDA};
    fr_memory_estimate before = {0}, after = {0};
    const size_t m = (size_t)fr_graph_edge_count(graph);
    CHECK_OK(a, fr_estimate_memory(a, graph, FR_PROBLEM_BFS, &options, &before));
    fr_solver *one = solver_of(a, graph, FR_PROBLEM_BFS, "queue");
    CHECK(a->gpu_bytes == before.device, "%zu, not %zu", a->gpu_bytes, before.device);
    CHECK_OK(a, fr_estimate_memory(a, graph, FR_PROBLEM_BFS, &options, &after));
    CHECK(before.device - after.device > 4 * m, "%zu, then %zu", before.device, after.device);
    fr_solver *two = solver_of(a, graph, FR_PROBLEM_BFS, "queue");
    CHECK(a->gpu_bytes == before.device + after.device, "%zu", a->gpu_bytes);
    fr_solver *other = solver_of(b, graph, FR_PROBLEM_BFS, "queue");
    CHECK(b->gpu_bytes == before.device, "%zu, not %zu", b->gpu_bytes, before.device);
    fr_solver_free(one);
    CHECK(a->gpu_bytes == before.device, "%zu", a->gpu_bytes);
    fr_solver_free(two);
    CHECK(a->gpu_bytes == 0 && fri_resident_evictable(a) == 0, "the other context uses it");
    verify(b, graph, FR_PROBLEM_BFS, other);
    fr_solver_free(other);
    CHECK(b->gpu_bytes == 0 && fri_resident_evictable(a) > 4 * m, "unused");
    CHECK(fri_resident_evict(a) > 4 * m && fri_resident_evictable(b) == 0, "evicted");
    fr_solver *again = solver_of(b, graph, FR_PROBLEM_BFS, "queue");
    verify(b, graph, FR_PROBLEM_BFS, again);
    fr_solver_free(again);
    fr_ctx_free(a); /* the context that built the graph and made its first copy */
    again = solver_of(b, graph, FR_PROBLEM_BFS, "queue");
    verify(b, graph, FR_PROBLEM_BFS, again);
    fr_solver_free(again);
    fr_ctx_free(b);
    fr_graph_free(graph); /* after all contexts */
    CHECK(simt_live_bytes() == 0, "%zu bytes are left", simt_live_bytes());
}

/* Copies in no use give way to another graph when the device is full, and on request of a limit. */
static void eviction(void) {
    fr_ctx *ctx = context();
    fr_graph *first = graph_of(ctx, false), *second = graph_of(ctx, true);
    fr_solver_options options = {.strategy = "queue", .backend = FR_BACKEND_CUDA};
    fr_memory_estimate bytes = {0};
    CHECK(!fr_estimate_memory(ctx, first, FR_PROBLEM_BFS, &options, &bytes), "estimate");
    fr_solver *solver = solver_of(ctx, first, FR_PROBLEM_BFS, "queue");
    fr_solver_free(solver);
    simt_set_memory(bytes.device + 4096); /* the second graph fits only without the first's copy */
    solver = solver_of(ctx, second, FR_PROBLEM_BFS, "queue");
    verify(ctx, second, FR_PROBLEM_BFS, solver);
    fr_solver *none = NULL;
    CHECK(!ON_HOST || fr_solver_new(ctx, first, FR_PROBLEM_BFS, &options, &none) == FR_NOMEM,
          "a copy in use was freed");
    fr_solver_free(none);
    fr_solver_free(solver);
    solver = solver_of(ctx, first, FR_PROBLEM_BFS, "queue");
    verify(ctx, first, FR_PROBLEM_BFS, solver);
    fr_solver_free(solver);
    simt_set_memory((size_t)4 << 30);
    fr_graph_free(first);
    fr_graph_free(second);
    fr_ctx_free(ctx);
    CHECK(simt_live_bytes() == 0, "%zu bytes are left", simt_live_bytes());
}

typedef struct {
    fr_graph *graph;
    fr_problem problem;
    pthread_barrier_t *start;
} visitor;

static void *visit(void *arg) {
    const visitor *who = arg;
    fr_ctx *ctx = context();
    pthread_barrier_wait(who->start);
    for (int i = 0; i < 3; i++) {
        fr_solver *solver = solver_of(ctx, who->graph, who->problem, "auto");
        verify(ctx, who->graph, who->problem, solver);
        fr_solver_free(solver);
    }
    fr_ctx_free(ctx);
    return NULL;
}

/* Two threads that make their first solver at once upload the graph once. */
static void two_threads(fr_problem first, fr_problem second) {
    pthread_t thread;
    pthread_barrier_t start;
    fr_ctx *ctx = context();
    fr_graph *graph = graph_of(ctx, false);
    const size_t n = (size_t)fr_graph_vertex_count(graph), m = (size_t)fr_graph_edge_count(graph);
    visitor a = {graph, first, &start}, b = {graph, second, &start};
    pthread_barrier_init(&start, NULL, 2);
    simt_uploaded_bytes();
    if (pthread_create(&thread, NULL, visit, &a))
        cf_give_up(ctx, "a thread");
    visit(&b);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&start);
    /* offsets, targets, at most once the weights, and sources */
    check_uploaded("two threads", 8 * (n + 1) + 8 * m + 256);
    fr_graph_free(graph);
    CHECK(simt_live_bytes() == 0, "%zu bytes are left", simt_live_bytes());
    fr_ctx_free(ctx);
}

/* ---- one-call functions ------------------------------------------------------------------ */

static fr_solver *idle_solver_of(fr_ctx *ctx, const fr_graph *graph, fr_problem problem) {
    fr_solver *solver = fri_idle_solver_take(ctx, graph, problem);
    if (solver)
        fri_idle_solver_put(solver);
    return solver;
}

/* The one-call functions leave the choice of the device to the library; so that they use the GPU, a
 * solver of it is kept first. */
static void one_call(fr_ctx *ctx, const fr_graph *graph, int32_t source) {
    for (fr_problem p = FR_PROBLEM_BFS; p <= FR_PROBLEM_SSSP; p++)
        if (!idle_solver_of(ctx, graph, p))
            fri_idle_solver_put(solver_of(ctx, graph, p, "auto"));
    int32_t n = fr_graph_vertex_count(graph);
    int32_t *value = malloc((size_t)n * sizeof *value), *parent = malloc((size_t)n * sizeof *value);
    fr_query query = {.sources = &source, .source_count = 1};
    CHECK_OK(ctx, fr_bfs(ctx, graph, source, value, NULL));
    CHECK_OK(ctx, fr_bfs(ctx, graph, source, value, parent));
    CHECK_OK(ctx, fr_verify_bfs(ctx, graph, &query, value, parent));
    CHECK_OK(ctx, fr_sssp(ctx, graph, source, value, parent));
    CHECK_OK(ctx, fr_verify_sssp(ctx, graph, &query, false, value, FR_TYPE_I32, parent));
    CHECK(fr_bfs(ctx, graph, n, value, parent) == FR_NOT_FOUND, "no such source");
    CHECK_OK(ctx, fr_bfs(ctx, graph, source, NULL, parent));
    free(value);
    free(parent);
}

/* The order in which context and graph are freed; a graph that another thread frees. */
static void *free_graph(void *graph) {
    fr_graph_free(graph);
    return NULL;
}
static void idle_lifetimes(int order) {
    pthread_t thread;
    fr_ctx *ctx = context(), *other = context();
    fr_graph *graph = graph_of(ctx, false), *another = graph_of(ctx, true);
    for (int32_t source = 0; source < 3; source++) {
        one_call(ctx, graph, source);
        one_call(other, graph, source);
        one_call(ctx, another, source);
    }
    if (order == 0) {
        fr_graph_free(graph);
        one_call(ctx, another, 1);
        fr_ctx_free(ctx);
        fr_graph_free(another);
        fr_ctx_free(other);
    } else if (order == 1) {
        fr_ctx_free(ctx);
        one_call(other, graph, 1);
        fr_ctx_free(other);
        fr_graph_free(graph);
        fr_graph_free(another);
    } else { /* another thread frees one graph while this one uses the other */
        if (pthread_create(&thread, NULL, free_graph, graph))
            cf_give_up(ctx, "a thread");
        for (int32_t source = 0; source < 5; source++)
            one_call(ctx, another, source);
        pthread_join(thread, NULL);
        fr_graph_free(another);
        fr_ctx_free(ctx);
        fr_ctx_free(other);
    }
    CHECK(simt_live_bytes() == 0, "order %d: %zu bytes are left", order, simt_live_bytes());
}

static void idle_solvers(void) {
    fr_ctx *ctx = context();
    fr_graph *graph = graph_of(ctx, false);
    int32_t *level = malloc((size_t)fr_graph_vertex_count(graph) * sizeof *level);
    CHECK(!idle_solver_of(ctx, graph, FR_PROBLEM_BFS), "nothing was kept yet");
    fri_idle_solver_put(solver_of(ctx, graph, FR_PROBLEM_BFS, "auto"));
    CHECK_OK(ctx, fr_bfs(ctx, graph, 0, level, NULL));
    fr_solver *kept = idle_solver_of(ctx, graph, FR_PROBLEM_BFS);
    CHECK(kept && !fr_bfs(ctx, graph, 1, level, NULL), "%s", fr_ctx_error(ctx));
    CHECK(kept == idle_solver_of(ctx, graph, FR_PROBLEM_BFS), "another solver was made");
    CHECK(!idle_solver_of(ctx, graph, FR_PROBLEM_SSSP), "of another problem");
    CHECK(fr_ctx_set_threads(ctx, 2) || !idle_solver_of(ctx, graph, FR_PROBLEM_BFS),
          "other threads");
    fri_idle_solver_put(solver_of(ctx, graph, FR_PROBLEM_BFS, "auto"));
    CHECK(ctx->gpu_bytes > 0 && fri_gpu_make_room(ctx, WHOLE), "an idle solver counts");
    CHECK(!idle_solver_of(ctx, graph, FR_PROBLEM_BFS) && !ctx->gpu_bytes, "idle solvers give way");
    free(level);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

static void shared(fr_ctx *ctx) {
    (void)ctx;
    for (int i = 0; i < 2; i++) {
        share_all(i);
        between_problems(i);
        two_threads(FR_PROBLEM_BFS, i ? FR_PROBLEM_SSSP : FR_PROBLEM_BFS);
    }
    counting();
    eviction();
}

static void idle(fr_ctx *ctx) {
    (void)ctx;
    for (int order = 0; order < 3; order++)
        idle_lifetimes(order);
    idle_solvers();
}

static const part parts[] = {{"shared", shared}, {"idle", idle}, {0}};

int main(int argc, char **argv) {
    const program p = {
        .what = "graphs that stay in GPU memory", .problem = FR_PROBLEM_BFS, .parts = parts};
    return program_main(&p, argc, argv);
}
