/* The same strategy many times: `gpu_stress RUNS [STRATEGY]` solves RUNS times per strategy,
 * from 8 sources on each of 4 graphs, compares the levels with those of the serial strategy and
 * validates the parents each time. The order of threads differs from run to run, so a rare race can
 * show here. */
#include "conformance/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCES = 8, GRAPHS = 4 };

static const struct {
    const char *description;
    fr_direction direction;
} shapes[GRAPHS] = {{"kronecker:scale=14,seed=7", FR_DIRECTION_FILE},
                    {"kronecker:scale=15,seed=8", FR_DIRECTION_DIRECTED},
                    {"grid2d:rows=60,cols=400", FR_DIRECTION_FILE},
                    {"grid2d:rows=300,cols=40", FR_DIRECTION_DIRECTED}};

typedef struct arena {
    fr_graph *graph;
    int32_t n, source[SOURCES];
    int32_t *level[SOURCES]; /* [n] what is right */
} arena;

static bool solve(fr_ctx *ctx, fr_solver *solver, int32_t source, int32_t *level, int32_t *parent) {
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.level = level, .parent = parent};
    if (!fr_solve(solver, &query, &result))
        return true;
    printf("FAILED: %s\n", fr_ctx_error(ctx));
    return false;
}

static bool open_arena(fr_ctx *ctx, int which, arena *a) {
    fr_solver_options serial = {.strategy = "serial", .backend = FR_BACKEND_CPU};
    fr_load_options load = {.direction = shapes[which].direction};
    fr_solver *solver;
    if (fr_graph_generate(ctx, shapes[which].description, &load, &a->graph) ||
        fr_solver_new(ctx, a->graph, FR_PROBLEM_BFS, &serial, &solver)) {
        printf("FAILED: %s\n", fr_ctx_error(ctx));
        return false;
    }
    const fr_csr *csr = fr_graph_csr(a->graph);
    a->n = csr->n;
    bool right = true;
    for (int s = 0; s < SOURCES; s++) {
        int32_t v = (int32_t)((int64_t)s * a->n / SOURCES);
        while (csr->offsets[v] == csr->offsets[v + 1])
            v = (v + 1) % a->n;
        a->source[s] = v;
        a->level[s] = malloc((size_t)a->n * sizeof(int32_t));
        right = right && solve(ctx, solver, v, a->level[s], NULL);
    }
    fr_solver_free(solver);
    return right;
}

static void close_arena(arena *a) {
    for (int s = 0; s < SOURCES; s++)
        free(a->level[s]);
    fr_graph_free(a->graph);
}

/* Each parent is one level up and has an edge to its child; adjacency lists are sorted. */
static bool parents_fit(const arena *a, int s, const int32_t *parent) {
    const fr_csr *csr = fr_graph_csr(a->graph);
    const int32_t *level = a->level[s];
    for (int32_t v = 0; v < a->n; v++) {
        int32_t p = parent[v];
        if (level[v] <= 0) {
            if (p != (level[v] < 0 ? -1 : v))
                return false;
            continue;
        }
        if (p < 0 || p >= a->n || level[p] != level[v] - 1)
            return false;
        int64_t low = csr->offsets[p], high = csr->offsets[p + 1];
        while (low < high) {
            int64_t middle = (low + high) / 2;
            if (csr->targets[middle] < v)
                low = middle + 1;
            else
                high = middle;
        }
        if (low == csr->offsets[p + 1] || csr->targets[low] != v)
            return false;
    }
    return true;
}

static int64_t run_row(fr_ctx *ctx, const arena *a, const char *strategy, int64_t runs,
                       int *failures) {
    fr_solver_options options = {.strategy = strategy, .backend = FR_BACKEND_CUDA};
    fr_solver *solver;
    if (fr_solver_new(ctx, a->graph, FR_PROBLEM_BFS, &options, &solver)) {
        printf("FAILED %s: %s\n", strategy, fr_ctx_error(ctx));
        ++*failures;
        return 0;
    }
    size_t bytes = (size_t)a->n * sizeof(int32_t);
    int32_t *level = malloc(bytes), *parent = malloc(bytes);
    for (int64_t i = 0; i < runs && *failures < 20; i++) {
        int s = (int)(i % SOURCES);
        bool right = solve(ctx, solver, a->source[s], level, parent) &&
                     memcmp(level, a->level[s], bytes) == 0 && parents_fit(a, s, parent);
        if (!right) {
            printf("FAILED %s on %s, source %d, run %lld\n", strategy, fr_graph_name(a->graph),
                   a->source[s], (long long)i);
            ++*failures;
        }
    }
    free(level);
    free(parent);
    fr_solver_free(solver);
    return runs;
}

int main(int argc, char **argv) {
    fr_ctx *ctx;
    fr_ctx_options options = {.threads = 1};
    fr_strategy_info strategy = {0};
    int64_t runs = argc > 1 ? atoll(argv[1]) : 1000, done = 0;
    int failures = 0;
    if (runs < GRAPHS || fr_ctx_new(&options, &ctx)) {
        printf("usage: gpu_stress RUNS [ROW], RUNS at least %d\n", GRAPHS);
        return 2;
    }
    cf_backend = FR_BACKEND_CUDA;
    for (int g = 0; g < GRAPHS; g++) {
        arena a = {0};
        if (!open_arena(ctx, g, &a))
            return 1;
        for (int r = 0; cf_strategy(FR_PROBLEM_BFS, r, &strategy); r++)
            if (argc < 3 || strcmp(argv[2], strategy.name) == 0)
                done += run_row(ctx, &a, strategy.name, runs / GRAPHS, &failures);
        close_arena(&a);
    }
    fr_ctx_free(ctx);
    printf("stress of %s: %lld runs, %d failed\n", argc > 2 ? argv[2] : "all rows", (long long)done,
           failures);
    return failures || !done;
}
