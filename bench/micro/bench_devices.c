/* Rows of APSP and BFS from many sources (fr_solve_each) divided among several GPUs of a host, compared
 * with one of them: in turns, the same rows.
 *   cmake --build build --target bench_devices && build/bench/bench_devices DEVICES [CASE]...
 * DEVICES: how many, the first ones. CASE: rows, weighted-rows (APSP of Kronecker 20) and bfs (64 sources of
 * Kronecker 24); all of them by default. One line of JSON per case: milliseconds of fr_solve without results and with distances in host memory,
 * medians of 5, and how many times as fast all are as one. The distances are compared. */
#include "micro.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 5 };

static fr_solver *solver_of(fr_ctx *ctx, const fr_graph *graph, fr_problem problem, int32_t rows) {
    fr_solver_options options = {.backend = FR_BACKEND_CUDA, .max_sources = rows};
    fr_solver *solver;
    need(ctx, fr_solver_new(ctx, graph, problem, &options, &solver));
    return solver;
}

static double timed(fr_ctx *ctx, fr_solver *solver, fr_problem problem, const int32_t *sources,
                    int32_t rows, void *dist) {
    fr_query query = {.sources = sources, .source_count = rows};
    const bool each = problem != FR_PROBLEM_APSP;
    fr_result result = {.dist = each ? NULL : dist, .level = each ? dist : NULL};
    const double begin = now_ms();
    need(ctx,
         each ? fr_solve_each(solver, &query, &result, NULL) : fr_solve(solver, &query, &result));
    return now_ms() - begin;
}

static void measure(int count, fr_problem problem, const char *description, bool weighted,
                    int32_t rows) {
    fr_load_options load = {.weights = weighted ? FR_WEIGHTS_RANDOM : FR_WEIGHTS_NONE,
                            .weight_low = 1,
                            .weight_high = 255};
    fr_ctx *ctx[2] = {open_devices(1), open_devices(count)};
    fr_graph *graph;
    need(ctx[0], fr_graph_generate(ctx[0], description, &load, &graph));
    const int32_t n = fr_graph_vertex_count(graph), used_rows = rows < n ? rows : n;
    const size_t bytes = (size_t)used_rows * (size_t)n * sizeof(int32_t);
    fr_solver *solver[2] = {solver_of(ctx[0], graph, problem, used_rows),
                            solver_of(ctx[1], graph, problem, used_rows)};
    int32_t *sources = malloc((size_t)used_rows * sizeof *sources),
            *dist[2] = {malloc(bytes), malloc(bytes)};
    double ms[2][2][ROUNDS]; /* devices, with distances */
    const int64_t *offsets = fr_graph_csr(graph)->offsets;
    for (int32_t i = 0; i < used_rows; i++) {
        int32_t v = (int32_t)((int64_t)i * n / used_rows);
        while (v < n - 1 && offsets[v] == offsets[v + 1]) /* a source has edges */
            v++;
        sources[i] = v;
    }
    for (int with = 0; with < 2; with++)
        for (int round = -1; round < ROUNDS; round++)
            for (int d = 0; d < 2; d++) {
                double t =
                    timed(ctx[d], solver[d], problem, sources, used_rows, with ? dist[d] : NULL);
                if (round >= 0)
                    ms[d][with][round] = t;
            }
    const double one = median(ms[0][0], ROUNDS), all = median(ms[1][0], ROUNDS),
                 one_with = median(ms[0][1], ROUNDS), all_with = median(ms[1][1], ROUNDS);
    printf("{\"problem\": \"%s\", \"graph\": \"%s\", \"weighted\": %s, \"rows\": %d, \"devices\": "
           "%d, \"one_ms\": %.1f, "
           "\"all_ms\": %.1f, \"ratio\": %.2f, \"one_with_distances_ms\": %.1f, "
           "\"all_with_distances_ms\": %.1f, \"ratio_with_distances\": %.2f, \"equal\": %s}\n",
           fr_problem_name(problem), description, weighted ? "true" : "false", used_rows, count,
           one, all, one / all, one_with, all_with, one_with / all_with,
           memcmp(dist[0], dist[1], bytes) ? "false" : "true");
    fflush(stdout);
    for (int d = 0; d < 2; d++)
        free(dist[d]), fr_solver_free(solver[d]);
    free(sources);
    fr_graph_free(graph);
    fr_ctx_free(ctx[0]), fr_ctx_free(ctx[1]);
}

static const struct {
    const char *name;
    fr_problem problem;
    const char *graph;
    bool weighted;
    int32_t rows;
} cases[] = {
    {"rows", FR_PROBLEM_APSP, "kronecker:scale=20,seed=1", false, 4096},
    {"weighted-rows", FR_PROBLEM_APSP, "kronecker:scale=20,seed=1", true, 512},
    {"bfs", FR_PROBLEM_BFS, "kronecker:scale=24,seed=1", false, 64},
};
enum { CASES = sizeof cases / sizeof *cases };

static bool is_named(int argc, char **argv, const char *name) {
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return true;
    return false;
}

int main(int argc, char **argv) {
    const int count = argc > 1 ? atoi(argv[1]) : 0;
    int known = 0;
    for (int i = 0; i < CASES; i++)
        known += is_named(argc, argv, cases[i].name);
    if (count < 1 || count > MAX_DEVICES || known != argc - 2) {
        fprintf(stderr, "usage: bench_devices DEVICES [rows] [weighted-rows] [bfs]\n");
        return 2;
    }
    for (int i = 0; i < CASES; i++)
        if (argc == 2 || is_named(argc, argv, cases[i].name))
            measure(count, cases[i].problem, cases[i].graph, cases[i].weighted, cases[i].rows);
    return 0;
}
