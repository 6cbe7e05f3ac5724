/* A strategy on several threads, for ThreadSanitizer (run.sh): queries of one solver, with and without parents, and the sums of what
 * they find as one thread has them; once with teams as they pay here and now, which may be one thread, and once with teams of all sizes
 * in turn.
 *
 * usage: traversals bfs|sssp|apsp STRATEGY directed|undirected unit|weighted DESCRIPTION */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

enum { QUERIES = 4, STEP = 17, ROWS = 40 };

typedef struct {
    fr_problem problem;
    const char *strategy;
    const fr_graph *graph;
    int32_t n;
    int32_t rows; /* sources of a query */
} trial;

static void need(fr_ctx *ctx, fr_status status) {
    if (!status)
        return;
    fprintf(stderr, "traversals: %s\n", ctx ? fr_ctx_error(ctx) : fr_status_message(status));
    exit(2);
}

static fr_ctx *context(int threads, bool all_sizes) {
    fr_ctx_options options = FR_INIT(fr_ctx_options);
    fr_ctx *ctx;
    options.threads = threads;
    need(NULL, fr_ctx_new(&options, &ctx));
    ctx->teams = all_sizes ? FRI_TEAMS_ALL : FRI_TEAMS_MEASURED;
    return ctx;
}

static fr_graph *generate(fr_ctx *ctx, bool undirected, bool weighted, const char *description) {
    fr_load_options options = FR_INIT(fr_load_options);
    fr_graph *graph;
    options.direction = undirected ? FR_DIRECTION_UNDIRECTED : options.direction;
    options.weights = weighted ? FR_WEIGHTS_RANDOM : options.weights;
    options.weight_low = 1;
    options.weight_high = 255;
    need(ctx, fr_graph_generate(ctx, description, &options, &graph));
    return graph;
}

static fr_solver *solver_of(fr_ctx *ctx, const trial *t) {
    fr_solver_options options = FR_INIT(fr_solver_options);
    fr_solver *solver;
    options.backend = FR_BACKEND_CPU;
    options.strategy = t->strategy;
    options.expected_queries = 1000;
    need(ctx, fr_solver_new(ctx, t->graph, t->problem, &options, &solver));
    return solver;
}

/* The sum of the levels or distances of all queries; *threads: the most that one had. */
static int64_t solve(fr_ctx *ctx, const trial *t, int64_t *threads) {
    fr_solver *solver = solver_of(ctx, t);
    const size_t count = (size_t)t->n * t->rows;
    int32_t *out = malloc(count * sizeof *out), *parent = malloc(count * sizeof *parent);
    int64_t sum = 0;
    for (int32_t i = 0; i < QUERIES; i++) {
        int32_t sources[ROWS];
        fr_query query = FR_INIT(fr_query);
        fr_result result = FR_INIT(fr_result);
        for (int32_t s = 0; s < t->rows; s++)
            sources[s] = (t->n / 3 + STEP * (i + s)) % t->n;
        query.sources = sources;
        query.source_count = t->rows;
        result.level = t->problem == FR_PROBLEM_BFS ? out : NULL;
        result.dist = t->problem == FR_PROBLEM_BFS ? NULL : out;
        result.parent = i % 2 ? parent : NULL;
        need(ctx, fr_solve(solver, &query, &result));
        *threads = result.stats.threads > *threads ? result.stats.threads : *threads;
        for (size_t v = 0; v < count; v++)
            sum += out[v];
    }
    fr_solver_free(solver);
    free(out);
    free(parent);
    return sum;
}

/* Fails where the sum is another one than with one thread, or where a context with teams of all sizes had none. */
static bool agree(const trial *t, int wanted, bool all_sizes, int64_t want) {
    int64_t threads = 0;
    fr_ctx *ctx = context(wanted, all_sizes);
    const int64_t sum = solve(ctx, t, &threads);
    fr_ctx_free(ctx);
    printf("  %d of %d threads%s\n", (int)threads, wanted, all_sizes ? ", all sizes" : "");
    if (sum != want)
        printf("  the sum is %lld, with one thread %lld\n", (long long)sum, (long long)want);
    if (all_sizes && threads < 2)
        printf("  no second thread\n");
    return sum == want && (threads > 1 || !all_sizes);
}

static fr_problem problem_of(const char *name) {
    return !strcmp(name, "bfs")    ? FR_PROBLEM_BFS
           : !strcmp(name, "sssp") ? FR_PROBLEM_SSSP
                                   : FR_PROBLEM_APSP;
}

int main(int count, char **argument) {
    static const int teams[] = {2, 4, 9};
    if (count != 6)
        return 2;
    fr_ctx *alone = context(1, false);
    fr_graph *graph = generate(alone, !strcmp(argument[3], "undirected"),
                               !strcmp(argument[4], "weighted"), argument[5]);
    const fr_problem problem = problem_of(argument[1]);
    const trial t = {problem, argument[2], graph, fr_graph_csr(graph)->n,
                     problem == FR_PROBLEM_APSP ? ROWS : 1};
    int64_t threads = 0;
    const int64_t want = solve(alone, &t, &threads);
    bool right = true;
    printf("%s %s, %s\n", argument[1], argument[2], argument[5]);
    for (size_t i = 0; i < sizeof teams / sizeof *teams; i++)
        for (int all_sizes = 0; all_sizes < 2; all_sizes++)
            right &= agree(&t, teams[i], all_sizes, want);
    fr_graph_free(graph);
    fr_ctx_free(alone);
    return !right;
}
