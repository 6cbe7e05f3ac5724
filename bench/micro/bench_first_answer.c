/* What a caller waits for: the first answer of a new solver, and the answers after it.
 *
 *   bench_first_answer [-n QUERIES] [-r ROUNDS] [-j THREADS] [-e EXPECTED] [-s SEED] [-p] [-c] [-m]
 *                      bfs|sssp STRATEGY GRAPH [SOURCE]...
 *
 * Each round loads the graph again, checks it and reads it once, so that nothing prepared remains
 * and no page of it is new. It then makes a solver and solves QUERIES queries from different
 * sources: the given ids, or random vertices with edges. -p asks for parents, -e sets
 * expected_queries, -c checks every answer. Prints one JSON object: for each query the median over
 * the rounds of the caller's wait and of the processor time of all threads (the first includes
 * making the solver), and of the traversal; new_ms, of making the solver alone; faults: the page faults
 * of making the solver, then of each query. With -m also the memory that each of these touches first,
 * in KiB: resident_kib, and huge_kib, the part of it in huge pages. Between the steps -m reads
 * /proc/self/smaps_rollup while the threads fall asleep: the times of such a run are not to be used.
 */
#include "micro.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { MAX_RUNS = 256 };

/* What a process has at a moment, or what a step adds to it. */
typedef struct {
    double faults, resident_kib, huge_kib;
} pages;

typedef struct {
    int64_t queries, rounds, threads, expected, seed;
    bool parents, check, memory;
    fr_problem problem;
    const char *strategy, *path;
    char **ids;
    int id_count;
    int64_t sources[MAX_RUNS];
    /* ms, by query and round; cpu: of all threads */
    double call[MAX_RUNS][MAX_RUNS], clock[MAX_RUNS][MAX_RUNS], cpu[MAX_RUNS][MAX_RUNS],
        made[MAX_RUNS];
    /* by step and round; step 0: making the solver, i + 1: query i */
    double faults[MAX_RUNS + 1][MAX_RUNS], resident[MAX_RUNS + 1][MAX_RUNS],
        huge[MAX_RUNS + 1][MAX_RUNS];
    char why[512];
} bench;

/* Reads every page of the arrays, so that the first query finds them in memory. */
static int64_t read_all(const fr_csr *csr) {
    int64_t sum = 0;
    for (int32_t v = 0; v < csr->n; v++)
        sum += csr->offsets[v];
    for (int64_t e = 0; e < csr->m; e++)
        sum += csr->targets[e];
    const char *weights = csr->weights;
    for (size_t i = 0; i < (size_t)csr->m * fr_type_size(csr->weight_type); i += 64)
        sum += weights[i];
    return sum;
}

static int32_t source_of(bench *b, const fr_graph *graph, int64_t query, uint64_t *state) {
    const fr_csr *csr = fr_graph_csr(graph);
    int32_t v;
    if (b->id_count)
        v = fr_graph_vertex(graph, atoll(b->ids[query % b->id_count]));
    else
        do
            v = (int32_t)(draw(state) % (uint64_t)csr->n);
        while (csr->offsets[v] == csr->offsets[v + 1]);
    b->sources[query] = v < 0 ? -1 : fr_graph_id(graph, v);
    return v;
}

/* resident_kib and huge_kib stay 0 without -m. */
static pages pages_now(const bench *b) {
    pages p = {0};
    struct rusage use;
    char line[256];
    FILE *file = b->memory ? fopen("/proc/self/smaps_rollup", "r") : NULL;
    while (file && fgets(line, sizeof line, file)) {
        double kib;
        if (sscanf(line, "Rss: %lf", &kib) == 1)
            p.resident_kib = kib;
        else if (sscanf(line, "AnonHugePages: %lf", &kib) == 1)
            p.huge_kib = kib;
    }
    if (file)
        fclose(file);
    getrusage(RUSAGE_SELF, &use);
    p.faults = (double)(use.ru_minflt + use.ru_majflt);
    return p;
}

static void record_pages(bench *b, int64_t step, int64_t round, pages before, pages after) {
    b->faults[step][round] = after.faults - before.faults;
    b->resident[step][round] = after.resident_kib - before.resident_kib;
    b->huge[step][round] = after.huge_kib - before.huge_kib;
}

static void check(bench *b, fr_ctx *ctx, const fr_graph *graph, const fr_query *query,
                  const fr_result *r, fr_type type) {
    if (!b->check)
        return;
    need(ctx, b->problem == FR_PROBLEM_BFS
                  ? fr_verify_bfs(ctx, graph, query, r->level, r->parent)
                  : fr_verify_sssp(ctx, graph, query, false, r->dist, type, r->parent));
}

static void one_query(bench *b, fr_ctx *ctx, const fr_graph *graph, fr_solver *solver,
                      int64_t query, int64_t round, int32_t source, void *values, int32_t *parent) {
    fr_query q = {.sources = &source, .source_count = 1};
    fr_result r = {.level = values, .dist = values, .parent = parent};
    const pages before = pages_now(b);
    double begin = now_ms(), cpu_begin = 1e3 * clock_s(CLOCK_PROCESS_CPUTIME_ID);
    need(ctx, fr_solve(solver, &q, &r));
    b->call[query][round] = now_ms() - begin;
    b->cpu[query][round] = 1e3 * clock_s(CLOCK_PROCESS_CPUTIME_ID) - cpu_begin;
    record_pages(b, query + 1, round, before, pages_now(b));
    b->clock[query][round] = 1e-6 * (double)r.stats.traverse_ns;
    check(b, ctx, graph, &q, &r,
          b->problem == FR_PROBLEM_BFS ? FR_TYPE_I32 : fr_solver_dist_type(solver));
}

static void one_round(bench *b, fr_ctx *ctx, int64_t round) {
    fr_graph *graph;
    need(ctx, fr_graph_load(ctx, b->path, NULL, &graph));
    need(ctx, fr_graph_check(ctx, graph));
    if (read_all(fr_graph_csr(graph)) == -1) /* keeps the sum */
        puts("");
    uint64_t state = (uint64_t)b->seed;
    size_t n = (size_t)fr_graph_vertex_count(graph);
    fr_solver_options options = {
        .strategy = b->strategy, .backend = FR_BACKEND_CPU, .expected_queries = b->expected};
    fr_solver *solver;
    const pages before = pages_now(b);
    double begin = now_ms(), cpu_begin = 1e3 * clock_s(CLOCK_PROCESS_CPUTIME_ID);
    need(ctx, fr_solver_new(ctx, graph, b->problem, &options, &solver));
    b->made[round] = now_ms() - begin;
    double cpu_made = 1e3 * clock_s(CLOCK_PROCESS_CPUTIME_ID) - cpu_begin;
    record_pages(b, 0, round, before, pages_now(b));
    void *values = malloc(n * 8 + 1);
    int32_t *parent = b->parents ? malloc(n * sizeof *parent + 1) : NULL;
    if (!values || (b->parents && !parent))
        abort();
    for (int64_t i = 0; i < b->queries; i++)
        one_query(b, ctx, graph, solver, i, round, source_of(b, graph, i, &state), values, parent);
    b->call[0][round] += b->made[round];
    b->cpu[0][round] += cpu_made;
    snprintf(b->why, sizeof b->why, "%s", fr_solver_explain(solver));
    free(values);
    free(parent);
    fr_solver_free(solver);
    fr_graph_free(graph);
}

static void print_medians(const char *name, double values[MAX_RUNS][MAX_RUNS], int64_t queries,
                          int64_t rounds) {
    printf(", \"%s\": [", name);
    for (int64_t i = 0; i < queries; i++)
        printf("%s%.3f", i ? ", " : "", median(values[i], rounds));
    printf("]");
}

static void print(bench *b) {
    printf("{\"graph\": \"%s\", \"problem\": \"%s\", \"strategy\": \"%s\", \"expected\": %lld, "
           "\"sources\": [",
           b->path, fr_problem_name(b->problem), b->strategy, (long long)b->expected);
    for (int64_t i = 0; i < b->queries; i++)
        printf("%s%lld", i ? ", " : "", (long long)b->sources[i]);
    printf("], \"new_ms\": %.3f", median(b->made, b->rounds));
    print_medians("call_ms", b->call, b->queries, b->rounds);
    print_medians("cpu_ms", b->cpu, b->queries, b->rounds);
    print_medians("clock_ms", b->clock, b->queries, b->rounds);
    print_medians("faults", b->faults, b->queries + 1, b->rounds);
    if (b->memory) {
        print_medians("resident_kib", b->resident, b->queries + 1, b->rounds);
        print_medians("huge_kib", b->huge, b->queries + 1, b->rounds);
    }
    printf(", \"explain\": \"%s\"}\n", b->why);
}

static bool read_number(const char *text, int64_t low, int64_t high, int64_t *out) {
    char *end;
    *out = strtoll(text, &end, 10);
    return *text && !*end && *out >= low && *out <= high;
}

static bool read_words(bench *b, int argc, char **argv) {
    bool good = true;
    for (int c; good && (c = getopt(argc, argv, "n:r:j:e:s:pcm")) != -1;)
        switch (c) {
        case 'n': good = read_number(optarg, 1, MAX_RUNS, &b->queries); break;
        case 'r': good = read_number(optarg, 1, MAX_RUNS, &b->rounds); break;
        case 'j': good = read_number(optarg, 0, 4096, &b->threads); break;
        case 'e': good = read_number(optarg, 0, INT64_MAX, &b->expected); break;
        case 's': good = read_number(optarg, 0, INT64_MAX, &b->seed); break;
        case 'p': b->parents = true; break;
        case 'm': b->memory = true; break;
        case 'c': b->check = b->parents = true; break;
        default: good = false;
        }
    if (!good || argc - optind < 3)
        return false;
    b->problem = strcmp(argv[optind], "bfs") == 0 ? FR_PROBLEM_BFS : FR_PROBLEM_SSSP;
    b->strategy = argv[optind + 1];
    b->path = argv[optind + 2];
    b->ids = argv + optind + 3;
    b->id_count = argc - optind - 3;
    return true;
}

int main(int argc, char **argv) {
    static bench b = {.queries = 10, .rounds = 5, .seed = 1};
    if (!read_words(&b, argc, argv)) {
        fputs("usage: bench_first_answer [-n QUERIES] [-r ROUNDS] [-j THREADS] [-e EXPECTED] "
              "[-s SEED] [-p] [-c] [-m] bfs|sssp STRATEGY GRAPH [SOURCE]...\n",
              stderr);
        return 2;
    }
    fr_ctx *ctx;
    fr_ctx_options options = {.threads = (int)b.threads};
    if (fr_ctx_new(&options, &ctx))
        return 4;
    for (int64_t round = 0; round < b.rounds; round++)
        one_round(&b, ctx, round);
    print(&b);
    fr_ctx_free(ctx);
    return 0;
}
