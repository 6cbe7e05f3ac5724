/* Solvers that the one-call functions keep: which call finds one, the order in which context and
 * graph are freed, memory limits, threads. Run under a leak checker this also shows that all are
 * freed. */
#include "core/idle_solvers.h"
#include "support/allocator.h"
#include "support/support.h"

#include <pthread.h>
#include <stdlib.h>

enum { N = 1024 };

static fr_ctx *context(size_t max_memory_bytes) {
    return test_ctx(&(fr_ctx_options){.threads = 1, .max_memory_bytes = max_memory_bytes});
}

static fr_graph *graph_of(fr_ctx *ctx) { return test_generated(ctx, "grid2d:rows=32,cols=32", 9); }

/* The idle solver, which stays idle. */
static const fr_solver *idle_solver_of(fr_ctx *ctx, const fr_graph *graph, fr_problem problem) {
    fr_solver *solver = fri_idle_solver_take(ctx, graph, problem);
    if (solver)
        fri_idle_solver_put(solver);
    return solver;
}

static void the_next_call_finds_it(void **state) {
    fr_ctx *ctx = context(0);
    fr_graph *graph = graph_of(ctx), *other = graph_of(ctx);
    int32_t first[N], second[N], parent[N];
    (void)state;
    assert_null(idle_solver_of(ctx, graph, FR_PROBLEM_BFS));
    assert_ok(ctx, fr_bfs(ctx, graph, 0, first, NULL));
    const fr_solver *idle = idle_solver_of(ctx, graph, FR_PROBLEM_BFS);
    assert_non_null(idle);
    for (int32_t source = 1; source < 5; source++) { /* other sources, other outputs */
        assert_ok(ctx, fr_bfs(ctx, graph, source, second, source % 2 ? parent : NULL));
        assert_int_equal(second[source], 0);
        assert_ptr_equal(idle_solver_of(ctx, graph, FR_PROBLEM_BFS), idle);
    }
    assert_ok(ctx, fr_bfs(ctx, graph, 0, second, NULL));
    assert_memory_equal(first, second, sizeof first);
    assert_null(idle_solver_of(ctx, graph, FR_PROBLEM_SSSP));
    assert_null(idle_solver_of(ctx, other, FR_PROBLEM_BFS));
    assert_ok(ctx, fr_sssp(ctx, graph, 0, second, parent));
    assert_int_equal(fr_bfs(ctx, graph, N, second, NULL), FR_NOT_FOUND); /* frees its solver */
    assert_null(idle_solver_of(ctx, graph, FR_PROBLEM_BFS));
    assert_non_null(idle_solver_of(ctx, graph, FR_PROBLEM_SSSP));
    assert_ok(ctx, fr_bfs(ctx, graph, 0, second, NULL));
    assert_ok(ctx, fr_ctx_set_threads(ctx, 2));
    assert_null(idle_solver_of(ctx, graph, FR_PROBLEM_BFS)); /* it has one thread */
    fr_graph_free(graph);
    fr_graph_free(other);
    fr_ctx_free(ctx);
}

static void each_order_of_freeing(void **state) {
    (void)state;
    for (int context_first = 0; context_first < 2; context_first++) {
        fr_ctx *a = context(0), *b = context(0);
        fr_graph *graph = graph_of(a);
        int32_t level[N];
        assert_ok(a, fr_bfs(a, graph, 0, level, NULL));
        assert_ok(b, fr_bfs(b, graph, 0, level, NULL));
        if (context_first) {
            fr_ctx_free(a);
            assert_non_null(idle_solver_of(b, graph, FR_PROBLEM_BFS));
            fr_ctx_free(b);
            fr_graph_free(graph);
            continue;
        }
        fr_graph_free(graph);
        assert_false(a->free_idle(a)); /* none is left */
        assert_false(b->free_idle(b));
        fr_ctx_free(a);
        fr_ctx_free(b);
    }
}

static void many_graphs_keep_few(void **state) {
    fr_ctx *ctx = context(0);
    fr_graph *graph[2 * FRI_MAX_IDLE_SOLVERS];
    int32_t level[N], idle = 0;
    (void)state;
    for (int i = 0; i < 2 * FRI_MAX_IDLE_SOLVERS; i++) {
        graph[i] = graph_of(ctx);
        assert_ok(ctx, fr_bfs(ctx, graph[i], 0, level, NULL));
    }
    for (int i = 0; i < 2 * FRI_MAX_IDLE_SOLVERS; i++)
        idle += idle_solver_of(ctx, graph[i], FR_PROBLEM_BFS) != NULL;
    assert_int_equal(idle, FRI_MAX_IDLE_SOLVERS);
    for (int i = 0; i < 2 * FRI_MAX_IDLE_SOLVERS; i++)
        fr_graph_free(graph[i]);
    fr_ctx_free(ctx);
}

static void they_give_way_to_a_limit(void **state) {
    enum { LIMIT = 8 << 20, STEP = 512 };
    fr_ctx *ctx = context(LIMIT);
    fr_graph *graph = graph_of(ctx);
    int32_t level[N];
    size_t max_bytes = LIMIT;
    void *block;
    (void)state;
    while (
        !(block = fri_alloc(ctx, max_bytes))) /* the maximum that fits in addition to the graph */
        max_bytes -= STEP;
    fri_free(block);
    assert_ok(ctx, fr_bfs(ctx, graph, 0, level, NULL));
    assert_non_null(idle_solver_of(ctx, graph, FR_PROBLEM_BFS));
    block = fri_alloc(ctx, max_bytes);
    assert_non_null(block);
    assert_null(idle_solver_of(ctx, graph, FR_PROBLEM_BFS));
    fri_free(block);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

static void the_callers_allocator_keeps_none(void **state) {
    test_allocator blocks = {0};
    const fr_ctx_options options = test_allocator_options(&blocks, 1);
    int32_t level[N];
    (void)state;
    fr_ctx *ctx = test_ctx(&options);
    fr_graph *graph = graph_of(ctx);
    const int64_t before = blocks.live;
    assert_ok(ctx, fr_bfs(ctx, graph, 0, level, NULL));
    assert_int_equal(blocks.live, before);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    assert_int_equal(blocks.live, 0);
}

static void *use_and_stop(void *arg) {
    fr_ctx *ctx = context(0);
    int32_t level[N];
    for (int i = 0; i < 50; i++)
        assert_ok(ctx, fr_bfs(ctx, arg, i, level, NULL));
    fr_ctx_free(ctx);
    return NULL;
}
static void *free_graph(void *graph) {
    fr_graph_free(graph);
    return NULL;
}

/* Threads keep solvers of one graph; another frees a graph while its context serves this one. */
static void threads_share_a_graph(void **state) {
    pthread_t thread[3];
    fr_ctx *ctx = context(0);
    fr_graph *graph = graph_of(ctx), *gone = graph_of(ctx);
    int32_t level[N];
    (void)state;
    assert_ok(ctx, fr_bfs(ctx, gone, 0, level, NULL));
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, use_and_stop, graph), 0);
    assert_int_equal(pthread_create(&thread[2], NULL, free_graph, gone), 0);
    for (int i = 0; i < 50; i++)
        assert_ok(ctx, fr_bfs(ctx, graph, i, level, NULL));
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

TEST_PROGRAM(TEST(the_next_call_finds_it), TEST(each_order_of_freeing), TEST(many_graphs_keep_few),
             TEST(they_give_way_to_a_limit), TEST(the_callers_allocator_keeps_none),
             TEST(threads_share_a_graph))
