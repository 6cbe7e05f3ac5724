/* One rank compared with the ordinary library: the time of `auto` and of a world of one rank for the same
 * queries of the same graph, in turns, with the same number of threads. CPU time of the process, so
 * that other processes count little; medians and the median of the pairs' ratios, as JSON lines.
 * usage: rank_and_auto [THREADS [GRAPH-OF-BFS [GRAPH-OF-SSSP]]] */
#include "ranks/world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SOURCES = 16, ROUNDS = 5, PAIRS = SOURCES * ROUNDS };

static void stop_on(fr_ctx *ctx, fr_status status) {
    if (!status)
        return;
    printf("%s\n", fr_ctx_error(ctx));
    exit(1);
}

static double cpu_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *values) {
    qsort(values, PAIRS, sizeof *values, ascending);
    return values[PAIRS / 2];
}

typedef struct sides {
    fr_solver *plain;
    fr_part_solver *rank;
    fr_result result;
    fr_part_result own;
} sides;

static double one_plain(fr_ctx *ctx, sides *s, int64_t source) {
    int32_t narrow = (int32_t)source;
    fr_query q = FR_INIT(fr_query);
    q.sources = &narrow;
    q.source_count = 1;
    double begin = cpu_ms();
    stop_on(ctx, fr_solve(s->plain, &q, &s->result));
    return cpu_ms() - begin;
}

static double one_rank(fr_ctx *ctx, sides *s, int64_t source) {
    fr_part_query q = {.sources = &source, .source_count = 1};
    double begin = cpu_ms();
    stop_on(ctx, fr_part_solve(s->rank, &q, &s->own));
    return cpu_ms() - begin;
}

/* Of the calls, and of the traversals in them: a call on ranks also translates parents to int64. */
typedef struct figures {
    double cpu_ms[PAIRS], clock_ms[PAIRS];
} figures;

static void print_side(const char *side, figures *f, int64_t edges) {
    printf("\"%s_cpu_ms\": %.3f, \"%s_clock_ms\": %.3f, \"%s_edges\": %lld, ", side,
           median(f->cpu_ms), side, median(f->clock_ms), side, (long long)edges);
}

static void compare(fr_ctx *ctx, sides *s, const int64_t *sources, fr_problem problem,
                    const char *description) {
    static figures plain, rank, ratio;
    for (int i = 0; i < 3; i++) { /* what is prepared late */
        one_plain(ctx, s, sources[i]);
        one_rank(ctx, s, sources[i]);
    }
    for (int i = 0; i < PAIRS; i++) {
        plain.cpu_ms[i] = one_plain(ctx, s, sources[i % SOURCES]);
        plain.clock_ms[i] = (double)s->result.stats.traverse_ns / 1e6;
        rank.cpu_ms[i] = one_rank(ctx, s, sources[i % SOURCES]);
        rank.clock_ms[i] = (double)s->own.traverse_ns / 1e6;
        ratio.cpu_ms[i] = rank.cpu_ms[i] / plain.cpu_ms[i];
        ratio.clock_ms[i] = rank.clock_ms[i] / plain.clock_ms[i];
    }
    printf("{\"problem\": \"%s\", \"graph\": \"%s\", \"threads\": %d, ", fr_problem_name(problem),
           description, fr_ctx_threads(ctx));
    print_side("auto", &plain, s->result.stats.edges_examined);
    print_side("rank", &rank, s->own.edges_examined);
    printf("\"cpu_ratio\": %.3f, \"clock_ratio\": %.3f}\n", median(ratio.cpu_ms),
           median(ratio.clock_ms));
    fflush(stdout);
}

static void one_problem(fr_ctx *ctx, fr_world *w, fr_problem problem, const char *description) {
    int64_t sources[SOURCES], count = SOURCES;
    fr_load_options load = {.weight_low = 1, .weight_high = 255};
    load.weights = problem == FR_PROBLEM_SSSP ? FR_WEIGHTS_RANDOM : FR_WEIGHTS_NONE;
    fr_graph *graph;
    fr_part *part;
    sides s = {.result = FR_INIT(fr_result), .own = FR_INIT(fr_part_result)};
    fr_solver_options options = FR_INIT(fr_solver_options);
    options.expected_queries = PAIRS + 3;
    options.backend = FR_BACKEND_CPU;
    stop_on(ctx, fr_graph_generate(ctx, description, &load, &graph));
    stop_on(ctx, fr_part_generate(ctx, w, description, &load, &part));
    stop_on(ctx, fr_solver_new(ctx, graph, problem, &options, &s.plain));
    stop_on(ctx, fr_part_solver_new(ctx, part, problem, &s.rank));
    stop_on(ctx, fr_part_draw_sources(ctx, part, 0, &count, sources));
    fr_part_stats stats = FR_INIT(fr_part_stats);
    stop_on(ctx, fr_part_get_stats(part, &stats));
    size_t n = (size_t)stats.n;
    void *arrays[] = {malloc(n * 8), malloc(n * 4), malloc(n * 8), malloc(n * 8)};
    s.result.level = problem == FR_PROBLEM_BFS ? arrays[0] : NULL;
    s.result.dist = problem == FR_PROBLEM_SSSP ? arrays[0] : NULL;
    s.result.parent = arrays[1];
    s.own.level = problem == FR_PROBLEM_BFS ? arrays[2] : NULL;
    s.own.dist = problem == FR_PROBLEM_SSSP ? arrays[2] : NULL;
    s.own.parent = arrays[3];
    compare(ctx, &s, sources, problem, description);
    for (int i = 0; i < 4; i++)
        free(arrays[i]);
    fr_part_solver_free(s.rank);
    fr_solver_free(s.plain);
    fr_part_free(part);
    fr_graph_free(graph);
}

int main(int argc, char **argv) {
    fr_ctx_options options = FR_INIT(fr_ctx_options);
    options.threads = argc > 1 ? atoi(argv[1]) : 1;
    fr_ctx *ctx;
    fr_world *w;
    if (fr_ctx_new(&options, &ctx))
        return 1;
    stop_on(ctx, fri_world_open_with(ctx, NULL, fr_version(), &w));
    one_problem(ctx, w, FR_PROBLEM_BFS, argc > 2 ? argv[2] : "kronecker:scale=20,seed=1");
    one_problem(ctx, w, FR_PROBLEM_SSSP, argc > 3 ? argv[3] : "kronecker:scale=18,seed=1");
    fr_world_close(w);
    fr_ctx_free(ctx);
}
