/* BFS and SSSP on several threads, for ThreadSanitizer (run.sh): queries of one solver on each graph, with and without parents,
 * and the sums of what they find as one thread has them. Contexts of one thread make the graphs: gcc's OpenMP is not instrumented, and
 * its loops look like races.
 *
 * usage: traversals directed|undirected DESCRIPTION */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fringe.h"

enum { QUERIES = 6, STEP = 17 };

static void need(fr_ctx *ctx, fr_status status) {
    if (!status)
        return;
    fprintf(stderr, "traversals: %s\n", ctx ? fr_ctx_error(ctx) : fr_status_message(status));
    exit(2);
}

static fr_ctx *context(int threads) {
    fr_ctx_options options = FR_INIT(fr_ctx_options);
    fr_ctx *ctx;
    options.threads = threads;
    need(NULL, fr_ctx_new(&options, &ctx));
    return ctx;
}

static fr_graph *generate(fr_ctx *ctx, bool undirected, const char *description) {
    fr_load_options options = FR_INIT(fr_load_options);
    fr_graph *graph;
    options.direction = undirected ? FR_DIRECTION_UNDIRECTED : options.direction;
    options.weights = FR_WEIGHTS_RANDOM;
    options.weight_low = 1;
    options.weight_high = 255;
    need(ctx, fr_graph_generate(ctx, description, &options, &graph));
    return graph;
}

/* The sum of the levels or distances of all queries; *threads: the most that one had. */
static int64_t solve(int wanted, const fr_graph *graph, fr_problem problem, int64_t *threads) {
    const int32_t n = fr_graph_csr(graph)->n;
    fr_ctx *ctx = context(wanted);
    fr_solver_options options = FR_INIT(fr_solver_options);
    fr_solver *solver;
    int32_t *out = malloc((size_t)n * sizeof *out), *parent = malloc((size_t)n * sizeof *parent);
    int64_t sum = 0;
    options.backend = FR_BACKEND_CPU;
    options.expected_queries = 1000;
    need(ctx, fr_solver_new(ctx, graph, problem, &options, &solver));
    for (int32_t i = 0; i < QUERIES; i++) {
        const int32_t source = (n / 3 + STEP * i) % n;
        fr_query query = FR_INIT(fr_query);
        fr_result result = FR_INIT(fr_result);
        query.sources = &source;
        query.source_count = 1;
        result.level = problem == FR_PROBLEM_BFS ? out : NULL;
        result.dist = problem == FR_PROBLEM_BFS ? NULL : out;
        result.parent = i % 2 ? parent : NULL;
        need(ctx, fr_solve(solver, &query, &result));
        *threads = result.stats.threads > *threads ? result.stats.threads : *threads;
        for (int32_t v = 0; v < n; v++)
            sum += out[v];
    }
    fr_solver_free(solver);
    fr_ctx_free(ctx);
    free(out);
    free(parent);
    return sum;
}

int main(int count, char **argument) {
    static const int teams[] = {2, 4, 9};
    if (count != 3)
        return 2;
    fr_ctx *ctx = context(1);
    fr_graph *graph = generate(ctx, strcmp(argument[1], "undirected") == 0, argument[2]);
    int wrong = 0;
    for (int p = 0; p < 2; p++) {
        const fr_problem problem = p ? FR_PROBLEM_SSSP : FR_PROBLEM_BFS;
        int64_t alone = 0;
        const int64_t want = solve(1, graph, problem, &alone);
        for (size_t i = 0; i < sizeof teams / sizeof *teams; i++) {
            int64_t threads = 0;
            const int64_t sum = solve(teams[i], graph, problem, &threads);
            printf("%s, %s: %d of %d threads\n", argument[2], p ? "SSSP" : "BFS", (int)threads,
                   teams[i]);
            if (sum != want || threads < 2) {
                printf("the sum is %lld, with one thread %lld\n", (long long)sum, (long long)want);
                wrong = 1;
            }
        }
    }
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    return wrong;
}
