/* One rank compared with the ordinary library: the time of `auto` and of a world of one rank for the same
 * queries of the same graph, in turns, with the same number of threads. CPU time of the process, so
 * that other processes count little; medians and the median of the pairs' ratios, as JSON lines.
 * usage: rank_and_auto [THREADS [GRAPH-OF-BFS [GRAPH-OF-SSSP]]] */
#include "ranks/search.h"

#include <time.h>

enum { SOURCES = 16, ROUNDS = 5, PAIRS = SOURCES * ROUNDS };

static double cpu_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

typedef struct sides {
    fr_solver *plain;
    fr_result result;
    search rank;
} sides;

static double one_plain(fr_ctx *ctx, sides *s, int64_t source) {
    int32_t narrow = (int32_t)source;
    const fr_query q = {.sources = &narrow, .source_count = 1};
    double begin = cpu_ms();
    stop_on(ctx, fr_solve(s->plain, &q, &s->result));
    return cpu_ms() - begin;
}

static double one_rank(fr_ctx *ctx, sides *s, int64_t source) {
    double begin = cpu_ms();
    stop_on(ctx, search_solve(&s->rank, source));
    return cpu_ms() - begin;
}

/* Of the calls, and of the traversals in them: a call on ranks also translates parents to int64. */
typedef struct figures {
    double cpu_ms[PAIRS], clock_ms[PAIRS];
} figures;

static void print_side(const char *side, figures *f, int64_t edges) {
    printf("\"%s_cpu_ms\": %.3f, \"%s_clock_ms\": %.3f, \"%s_edges\": %lld, ", side,
           median(f->cpu_ms, PAIRS), side, median(f->clock_ms, PAIRS), side, (long long)edges);
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
        rank.clock_ms[i] = (double)s->rank.own.traverse_ns / 1e6;
        ratio.cpu_ms[i] = rank.cpu_ms[i] / plain.cpu_ms[i];
        ratio.clock_ms[i] = rank.clock_ms[i] / plain.clock_ms[i];
    }
    printf("{\"problem\": \"%s\", \"graph\": \"%s\", \"threads\": %d, ", fr_problem_name(problem),
           description, fr_ctx_threads(ctx));
    print_side("auto", &plain, s->result.stats.edges_examined);
    print_side("rank", &rank, s->rank.own.edges_examined);
    printf("\"cpu_ratio\": %.3f, \"clock_ratio\": %.3f}\n", median(ratio.cpu_ms, PAIRS),
           median(ratio.clock_ms, PAIRS));
    fflush(stdout);
}

static void one_problem(fr_ctx *ctx, fr_world *w, fr_problem problem, const char *description) {
    int64_t sources[SOURCES], count = SOURCES;
    fr_load_options load = {.weight_low = 1, .weight_high = 255};
    load.weights = problem == FR_PROBLEM_SSSP ? FR_WEIGHTS_RANDOM : FR_WEIGHTS_NONE;
    fr_graph *graph;
    sides s = {0};
    const fr_solver_options options = {.expected_queries = PAIRS + 3, .backend = FR_BACKEND_CPU};
    stop_on(ctx, fr_graph_generate(ctx, description, &load, &graph));
    stop_on(ctx, search_load(&s.rank, ctx, w, description, &load));
    stop_on(ctx, fr_solver_new(ctx, graph, problem, &options, &s.plain));
    stop_on(ctx, search_open(&s.rank, ctx, problem));
    stop_on(ctx, fr_part_draw_sources(ctx, s.rank.part, 0, &count, sources));
    const size_t n = (size_t)fr_graph_vertex_count(graph);
    void *values = malloc(n * 8);
    s.result.level = problem == FR_PROBLEM_BFS ? values : NULL;
    s.result.dist = problem == FR_PROBLEM_SSSP ? values : NULL;
    s.result.parent = malloc(n * sizeof *s.result.parent);
    compare(ctx, &s, sources, problem, description);
    free(values);
    free(s.result.parent);
    search_free(&s.rank);
    fr_solver_free(s.plain);
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
