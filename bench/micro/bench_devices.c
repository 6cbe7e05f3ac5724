/* Rows of APSP and BFS from many sources (fr_solve_each) divided among several GPUs of a host, compared
 * with one of them: in turns, the same rows.
 *   cmake --build build --target bench_devices && build/bench/bench_devices DEVICES[,DEVICES]... [CASE]...
 * DEVICES: how many, the first ones; of 2,4 each is compared with one GPU. CASE: rows, weighted-rows (APSP of
 * Kronecker 20) and bfs (64 sources of Kronecker 24); all of them by default. One line of JSON per case and number
 * of GPUs: milliseconds of fr_solve without results and with distances in host memory, medians of 5, and how many
 * times as fast all are as one. The distances are compared. */
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

/* A number of GPUs. */
typedef struct side {
    fr_ctx *ctx;
    fr_solver *solver;
    int32_t *dist;
    double ms[2][ROUNDS]; /* without, with distances */
} side;

static void print_side(const side *one, const side *all, fr_problem problem,
                       const char *description, bool weighted, int32_t rows, int devices,
                       size_t bytes) {
    printf("{\"problem\": \"%s\", \"graph\": \"%s\", \"weighted\": %s, \"rows\": %d, \"devices\": "
           "%d, \"one_ms\": %.1f, "
           "\"all_ms\": %.1f, \"ratio\": %.2f, \"one_with_distances_ms\": %.1f, "
           "\"all_with_distances_ms\": %.1f, \"ratio_with_distances\": %.2f, \"equal\": %s}\n",
           fr_problem_name(problem), description, weighted ? "true" : "false", rows, devices,
           one->ms[0][ROUNDS / 2], all->ms[0][ROUNDS / 2],
           one->ms[0][ROUNDS / 2] / all->ms[0][ROUNDS / 2], one->ms[1][ROUNDS / 2],
           all->ms[1][ROUNDS / 2], one->ms[1][ROUNDS / 2] / all->ms[1][ROUNDS / 2],
           memcmp(one->dist, all->dist, bytes) ? "false" : "true");
    fflush(stdout);
}

/* Side 0 has one GPU, the others devices[0], devices[1], ... */
static void measure(const int *devices, int counts, fr_problem problem, const char *description,
                    bool weighted, int32_t rows) {
    fr_load_options load = {.weights = weighted ? FR_WEIGHTS_RANDOM : FR_WEIGHTS_NONE,
                            .weight_low = 1,
                            .weight_high = 255};
    side sides[1 + MAX_DEVICE_COUNTS] = {{.ctx = open_devices(1)}};
    fr_graph *graph;
    need(sides[0].ctx, fr_graph_generate(sides[0].ctx, description, &load, &graph));
    const int32_t n = fr_graph_vertex_count(graph), used_rows = rows < n ? rows : n;
    const size_t bytes = (size_t)used_rows * (size_t)n * sizeof(int32_t);
    int32_t *sources = malloc((size_t)used_rows * sizeof *sources);
    spaced_sources(graph, sources, used_rows);
    for (int i = 0; i <= counts; i++) {
        side *s = &sides[i];
        s->ctx = i ? open_devices(devices[i - 1]) : s->ctx;
        s->solver = solver_of(s->ctx, graph, problem, used_rows);
        s->dist = malloc(bytes);
    }
    for (int with = 0; with < 2; with++)
        for (int round = -1; round < ROUNDS; round++) /* the first warms */
            for (int i = 0; i <= counts; i++) {
                side *s = &sides[i];
                const double t =
                    timed(s->ctx, s->solver, problem, sources, used_rows, with ? s->dist : NULL);
                if (round >= 0)
                    s->ms[with][round] = t;
            }
    for (int i = 0; i <= counts; i++) {
        median(sides[i].ms[0], ROUNDS);
        median(sides[i].ms[1], ROUNDS); /* sorted */
        if (i)
            print_side(&sides[0], &sides[i], problem, description, weighted, used_rows,
                       devices[i - 1], bytes);
    }
    for (int i = 0; i <= counts; i++)
        free(sides[i].dist), fr_solver_free(sides[i].solver);
    free(sources);
    fr_graph_free(graph);
    for (int i = 0; i <= counts; i++)
        fr_ctx_free(sides[i].ctx);
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
    int devices[MAX_DEVICE_COUNTS], known = 0;
    const int counts = argc > 1 ? parse_device_counts(argv[1], devices) : 0;
    for (int i = 0; i < CASES; i++)
        known += is_named(argc, argv, cases[i].name);
    if (!counts || known != argc - 2) {
        fprintf(stderr, "usage: bench_devices DEVICES[,DEVICES]... [rows] [weighted-rows] [bfs]\n");
        return 2;
    }
    for (int i = 0; i < CASES; i++)
        if (argc == 2 || is_named(argc, argv, cases[i].name))
            measure(devices, counts, cases[i].problem, cases[i].graph, cases[i].weighted,
                    cases[i].rows);
    return 0;
}
