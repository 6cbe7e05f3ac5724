/* What a caller waits for when a graph is already on the GPU: the first solver and later ones, BFS
 * then SSSP, one-call functions, and the call of fr_solve they are measured against.
 *   cmake --build build --target bench_resident && build/bench/bench_resident [GRAPH ...]
 * GRAPH: a file or a generator's description; by default a graph of 1,000 vertices, kron21 and
 * kron24. One line of JSON per figure, microseconds, the median of the repetitions. Without a GPU,
 * or with --cpu, the CPU is used. */
#include "micro.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 21 };

static void print(const char *graph, const char *what, double *us, int count) {
    qsort(us, (size_t)count, sizeof *us, ascending);
    printf("{\"graph\": \"%s\", \"what\": \"%s\", \"us\": %.1f, \"least_us\": %.1f}\n", graph, what,
           us[count / 2], us[0]);
    fflush(stdout);
}

typedef struct {
    fr_ctx *ctx;
    const fr_graph *graph;
    const char *name;
    fr_backend backend;
    int32_t *level;
    void *dist;
} bench;

static fr_solver *timed_solver(const bench *b, fr_problem problem, double *us) {
    fr_solver_options options = {.backend = b->backend};
    fr_solver *solver;
    double begin = now_us();
    need(b->ctx, fr_solver_new(b->ctx, b->graph, problem, &options, &solver));
    *us = now_us() - begin;
    return solver;
}

static void later_solvers(const bench *b, fr_problem problem, const char *what) {
    double us[REPEATS];
    for (int i = 0; i < REPEATS; i++)
        fr_solver_free(timed_solver(b, problem, &us[i]));
    print(b->name, what, us, REPEATS);
}

static void calls(const bench *b, fr_solver *solver) {
    double us[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        int32_t source = i;
        fr_query query = {.sources = &source, .source_count = 1};
        fr_result result = {.level = b->level};
        double begin = now_us();
        need(b->ctx, fr_solve(solver, &query, &result));
        us[i] = now_us() - begin;
    }
    print(b->name, "fr_solve, BFS", us, REPEATS);
}

static void one_calls(const bench *b) {
    double us[REPEATS], first, begin = now_us();
    need(b->ctx, fr_bfs(b->ctx, b->graph, 0, b->level, NULL));
    first = now_us() - begin;
    for (int i = 0; i < REPEATS; i++) {
        begin = now_us();
        need(b->ctx, fr_bfs(b->ctx, b->graph, i, b->level, NULL));
        us[i] = now_us() - begin;
    }
    print(b->name, "fr_bfs, first call", &first, 1);
    print(b->name, "fr_bfs, later calls", us, REPEATS);
}

static void measure(fr_ctx *ctx, const char *name, fr_backend backend) {
    fr_load_options options = {.weights = FR_WEIGHTS_RANDOM, .weight_low = 1, .weight_high = 255};
    fr_graph *graph;
    FILE *file = fopen(name, "rb");
    need(ctx, file ? fr_graph_load(ctx, name, &options, &graph)
                   : fr_graph_generate(ctx, name, &options, &graph));
    if (file)
        fclose(file);
    size_t n = (size_t)fr_graph_vertex_count(graph);
    bench b = {ctx, graph, name, backend, malloc(n * sizeof(int32_t)), malloc(n * 8)};
    double us;
    fr_solver *bfs = timed_solver(&b, FR_PROBLEM_BFS, &us);
    print(name, "first BFS solver", &us, 1);
    fr_solver *sssp = timed_solver(&b, FR_PROBLEM_SSSP, &us);
    print(name, "SSSP solver after BFS", &us, 1);
    later_solvers(&b, FR_PROBLEM_BFS, "later BFS solvers");
    later_solvers(&b, FR_PROBLEM_SSSP, "later SSSP solvers");
    memset(b.level, 0, n * sizeof(int32_t));
    calls(&b, bfs);
    fr_solver_free(bfs);
    fr_solver_free(sssp);
    one_calls(&b);
    free(b.level);
    free(b.dist);
    fr_graph_free(graph);
}

int main(int argc, char **argv) {
    static char *const usual[] = {"uniform:n=1000,edges=4000,seed=1", "kronecker:scale=21,seed=1",
                                  "kronecker:scale=24,seed=1"};
    fr_backend backend = FR_BACKEND_CUDA;
    fr_ctx *ctx;
    if (fr_ctx_new(NULL, &ctx))
        return 1;
    if (argc > 1 && strcmp(argv[1], "--cpu") == 0) {
        backend = FR_BACKEND_CPU;
        argc--, argv++;
    }
    char *const *names = argc > 1 ? argv + 1 : usual;
    for (int i = 0; i < (argc > 1 ? argc - 1 : 3); i++)
        measure(ctx, names[i], backend);
    fr_ctx_free(ctx);
    return 0;
}
