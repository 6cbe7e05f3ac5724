/* Measures the work of 1, 2, 4 and 8 ranks, which are threads: the CPU time of the slowest rank in
 * a query, work_ns without and cpu_ns with the kernel's calls by which ranks wait for each other.
 * Ranks sleep while they wait, so neither the wait nor other processes count. The result is the
 * time of a query if every rank had a core and exchanges cost nothing but the copies of their
 * messages. Prints one JSON line per series; for bench/ranks.py.
 * usage: work_of_ranks [bfs|sssp SCALE RANKS] */
#include "ranks/search.h"

enum { SOURCES = 8, ROUNDS = 5, WARM = 2 }; /* WARM: queries before, for what is prepared late */

typedef struct job {
    const char *series, *graph;
    int scale;
    fr_problem problem;
    double work_ns[ROUNDS * SOURCES], cpu_ns[ROUNDS * SOURCES]; /* of the slowest rank */
    int64_t bytes;                                              /* of rank 0 */
} job;

static void on_rank(fr_ctx *ctx, fr_world *w, void *user) {
    job *j = user;
    fr_load_options load = {.weight_low = 1, .weight_high = 255};
    load.weights = j->problem == FR_PROBLEM_SSSP ? FR_WEIGHTS_RANDOM : FR_WEIGHTS_NONE;
    search s = {0};
    fr_part_result r = {0}; /* without arrays */
    int64_t sources[SOURCES], count = SOURCES;
    stop_on(ctx, search_load(&s, ctx, w, j->graph, &load));
    stop_on(ctx, search_open(&s, ctx, j->problem));
    stop_on(ctx, fr_part_draw_sources(ctx, s.part, 0, &count, sources));
    for (int i = -WARM; i < ROUNDS * SOURCES; i++) {
        const fr_part_query q = search_query(&s, sources[(i + WARM) % count]);
        int64_t begin = ranks_cpu_ns(), waited = ranks_waited_ns(w);
        stop_on(ctx, fr_part_solve(s.solver, &q, &r));
        int64_t mine = ranks_cpu_ns() - begin;
        int64_t work[] = {mine, mine - (ranks_waited_ns(w) - waited)};
        stop_on(ctx, fri_world_max(w, work, 2));
        if (fr_world_rank(w) == 0 && i >= 0) {
            j->cpu_ns[i] = (double)work[0];
            j->work_ns[i] = (double)work[1];
            j->bytes = FRI_MAX(j->bytes, r.bytes_received);
        }
    }
    search_free(&s);
}

static void measure(const char *series, fr_problem problem, int scale, int ranks) {
    job j = {.series = series, .problem = problem, .scale = scale};
    char graph[64];
    snprintf(graph, sizeof graph, "kronecker:scale=%d,seed=1", scale);
    j.graph = graph;
    const ranks_run run = {.size = ranks, .timeout_s = 600};
    ranks_start(&run, on_rank, &j);
    printf("{\"series\": \"%s\", \"problem\": \"%s\", \"scale\": %d, \"ranks\": %d, "
           "\"work_ns\": %.0f, \"cpu_ns\": %.0f, \"bytes_received\": %lld}\n",
           series, fr_problem_name(problem), scale, ranks, median(j.work_ns, ROUNDS * SOURCES),
           median(j.cpu_ns, ROUNDS * SOURCES), (long long)j.bytes);
    fflush(stdout);
}

int main(int argc, char **argv) {
    if (argc == 4) {
        fr_problem problem = strcmp(argv[1], "sssp") ? FR_PROBLEM_BFS : FR_PROBLEM_SSSP;
        measure("strong", problem, atoi(argv[2]), atoi(argv[3]));
        return 0;
    }
    for (int ranks = 1, more = 0; ranks <= 8; ranks *= 2, more++) {
        measure("strong", FR_PROBLEM_BFS, 20, ranks);
        measure("weak", FR_PROBLEM_BFS, 17 + more, ranks);
        measure("strong", FR_PROBLEM_SSSP, 17, ranks);
        measure("strong", FR_PROBLEM_SSSP, 20, ranks);
    }
}
