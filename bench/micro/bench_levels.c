/* How well the cost model of CPU BFS `auto` predicts its levels on this host.
 *
 *   bench_levels [-j THREADS] [-n QUERIES] [-s STRATEGY] GRAPH...
 *
 * GRAPH is a file or a generator as the command accepts it. -j is a list (default: 1, 4 and all
 * processors). For each graph and number of threads one solver answers QUERIES queries (default 8)
 * without record of its levels, and prints the median time; then as many with the record, and prints by
 * method the levels, their vertices and edges, and the measured and expected time.
 */
#include "fringe_tune.h"
#include "micro.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_RUNS = 64, METHODS = 8 };

typedef struct {
    const char *name;
    int64_t levels, vertices, edges;
    double ms, expected_ms;
} method;

typedef struct {
    int threads[MAX_RUNS], thread_count, queries;
    const char *strategy;
} bench;

static void add_level(method *methods, const fr_level *level) {
    int i = 0;
    while (i < METHODS - 1 && methods[i].name && strcmp(methods[i].name, level->method) != 0)
        i++;
    methods[i].name = level->method;
    methods[i].levels++;
    methods[i].vertices += level->frontier;
    methods[i].edges += level->edges;
    methods[i].ms += 1e-6 * (double)level->ns;
    methods[i].expected_ms += 1e-6 * (double)level->expected_ns;
}

static void print_methods(const method *methods) {
    for (int i = 0; i < METHODS && methods[i].name; i++)
        printf("    %-16s levels %7lld vertices %10lld edges %11lld ms %9.3f expected %9.3f\n",
               methods[i].name, (long long)methods[i].levels, (long long)methods[i].vertices,
               (long long)methods[i].edges, methods[i].ms, methods[i].expected_ms);
}

static int32_t source_of(const fr_csr *csr, int i) {
    int32_t v = (int32_t)(((int64_t)csr->n / 2 + INT64_C(977) * i) % csr->n);
    for (int32_t tries = 0; tries < csr->n && csr->offsets[v + 1] == csr->offsets[v]; tries++)
        v = v + 1 == csr->n ? 0 : v + 1;
    return v;
}

/* Solves the queries, prints their median time, and, if levels are recorded, the methods. */
static void solve(fr_ctx *ctx, const fr_graph *graph, const bench *b, int threads, bool records) {
    const fr_csr *csr = fr_graph_csr(graph);
    fr_solver_options options = {.struct_size = sizeof options,
                                 .backend = FR_BACKEND_CPU,
                                 .strategy = b->strategy,
                                 .record_levels = records};
    fr_solver *solver;
    need(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver));
    int32_t *level = malloc((size_t)csr->n * sizeof *level);
    method methods[METHODS] = {{0}};
    double ms[MAX_RUNS];
    for (int i = 0; level && i < b->queries; i++) {
        int32_t source = source_of(csr, i);
        fr_query query = {.struct_size = sizeof query, .sources = &source, .source_count = 1};
        fr_result result = {.struct_size = sizeof result, .level = level};
        need(ctx, fr_solve(solver, &query, &result));
        ms[i] = 1e-6 * (double)result.stats.traverse_ns;
        int64_t count = 0;
        const fr_level *levels = fr_solver_levels(solver, &count);
        for (int64_t j = 0; j < count; j++)
            add_level(methods, &levels[j]);
    }
    if (!records) {
        double first = ms[0];
        qsort(ms, (size_t)b->queries, sizeof *ms, ascending);
        printf("  threads %d: first %.3f min %.3f median %.3f max %.3f ms; last: %s\n", threads,
               first, ms[0], ms[b->queries / 2], ms[b->queries - 1], fr_solver_explain(solver));
    }
    print_methods(methods);
    free(level);
    fr_solver_free(solver);
}

static void measure(const char *path, const bench *b, int threads) {
    fr_ctx_options options = {.struct_size = sizeof options, .threads = threads};
    fr_ctx *ctx;
    fr_graph *graph;
    if (fr_ctx_new(&options, &ctx)) {
        fputs("bench_levels: no context\n", stderr);
        exit(EXIT_FAILURE);
    }
    need(ctx, strchr(path, ':') ? fr_graph_generate(ctx, path, NULL, &graph)
                                : fr_graph_load(ctx, path, NULL, &graph));
    for (int records = 0; records < 2; records++)
        solve(ctx, graph, b, threads, records);
    fflush(stdout);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

static void read_threads(bench *b, char *list) {
    char *rest;
    b->thread_count = 0;
    for (char *at = strtok_r(list, ",", &rest); at && b->thread_count < MAX_RUNS;
         at = strtok_r(NULL, ",", &rest))
        b->threads[b->thread_count++] = atoi(at);
}

int main(int argc, char **argv) {
    int all = (int)sysconf(_SC_NPROCESSORS_ONLN);
    bench b = {.threads = {1, 4, all}, .thread_count = 3, .queries = 8};
    for (int option; (option = getopt(argc, argv, "j:n:s:")) != -1;)
        if (option == 'j')
            read_threads(&b, optarg);
        else if (option == 'n')
            b.queries = atoi(optarg);
        else if (option == 's')
            b.strategy = optarg;
        else
            optind = argc;
    if (optind >= argc || b.queries < 1 || b.queries > MAX_RUNS) {
        fputs("usage: bench_levels [-j THREADS,...] [-n QUERIES] [-s STRATEGY] GRAPH...\n", stderr);
        return EXIT_FAILURE;
    }
    for (int i = optind; i < argc; i++) {
        printf("%s\n", argv[i]);
        for (int t = 0; t < b.thread_count; t++)
            measure(argv[i], &b, b.threads[t]);
    }
    return EXIT_SUCCESS;
}
