/* BFS `auto` on the GPU on a large Kronecker graph, level by level.
 *
 *   bench_kronecker [-n SOURCES] SCALE [KNOBS]...   SCALE 20 to 29; KNOBS as for --knobs, "" for the defaults
 *
 * Generates the graph once. For each setting of knobs: what the plan says of its memory; then per source
 * the best of 3 queries without record and without results, in ms and TTEPS, and one line per level of a
 * query with the record: method, vertices and edges of the frontier, time, the cost model's time, and
 * picoseconds per edge of the frontier and per vertex without a level. The first answer of each setting
 * is verified, with parents. Last, a table of the sources by setting. Exits 1 if an answer is wrong.
 */
#include "micro.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_SOURCES = 64, MAX_SETTINGS = 8, RUNS = 3, DEFAULT_SOURCES = 12 };

typedef struct {
    fr_ctx *ctx;
    fr_graph *graph;
    int32_t sources[MAX_SOURCES];
    int count, settings;
    double ms[MAX_SETTINGS][MAX_SOURCES];
} bench;

/* Random vertices with edges. */
static void choose_sources(bench *b) {
    const fr_csr *csr = fr_graph_csr(b->graph);
    uint64_t state = 1;
    for (int i = 0; i < b->count;) {
        int32_t v = (int32_t)(draw(&state) % (uint64_t)csr->n);
        if (csr->offsets[v] < csr->offsets[v + 1])
            b->sources[i++] = v;
    }
}

static fr_solver *solver_of(const bench *b, const char *knobs, bool records) {
    fr_solver *solver;
    fr_solver_options options = {.strategy = "auto",
                                 .backend = FR_BACKEND_CUDA,
                                 .knobs = knobs[0] ? knobs : NULL,
                                 .record_levels = records};
    fr_memory_estimate estimate = {0};
    need(b->ctx, fr_estimate_memory(b->ctx, b->graph, FR_PROBLEM_BFS, &options, &estimate));
    need(b->ctx, fr_solver_new(b->ctx, b->graph, FR_PROBLEM_BFS, &options, &solver));
    if (!records)
        printf("setting '%s': %.2f GB on the GPU beyond what is there\n", knobs,
               (double)estimate.device / 1e9);
    return solver;
}

static fr_stats solve(const bench *b, fr_solver *solver, int32_t source) {
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {0};
    need(b->ctx, fr_solve(solver, &query, &result));
    return result.stats;
}

static void measure(bench *b, fr_solver *solver, int setting) {
    for (int i = 0; i < b->count; i++) {
        fr_stats stats, best = {.traverse_ns = INT64_MAX};
        for (int run = 0; run < RUNS; run++) {
            stats = solve(b, solver, b->sources[i]);
            best = stats.traverse_ns < best.traverse_ns ? stats : best;
        }
        const double ms = b->ms[setting][i] = (double)best.traverse_ns / 1e6;
        printf("source %d: %.3f ms, %.3f TTEPS, %lld reached, %.1f M examined, %d levels\n",
               b->sources[i], ms, (double)best.reached_edges / 2 / ms / 1e9,
               (long long)best.reached, (double)best.edges_examined / 1e6, best.levels);
    }
}

static void print_levels(const bench *b, fr_solver *solver) {
    const fr_csr *csr = fr_graph_csr(b->graph);
    for (int i = 0; i < b->count; i++) {
        int64_t count, left = solve(b, solver, b->sources[i]).reached;
        solve(b, solver, b->sources[i]);
        const fr_level *lines = fr_solver_levels(solver, &count);
        printf("levels from %d, degree %lld\n", b->sources[i],
               (long long)(csr->offsets[b->sources[i] + 1] - csr->offsets[b->sources[i]]));
        for (int64_t k = 0; k < count; k++) {
            const fr_level *line = &lines[k];
            left -= line->frontier;
            printf("  %2lld %-10s %10lld vertices %11lld edges %8.1f us (%8.1f) %8.1f ps/edge "
                   "%8.1f ps/left\n",
                   (long long)k, line->method, (long long)line->frontier, (long long)line->edges,
                   (double)line->ns / 1e3, (double)line->expected_ns / 1e3,
                   (double)line->ns * 1e3 / (double)(line->edges + 1),
                   (double)line->ns * 1e3 / (double)(left + 1));
        }
    }
}

static bool is_right(const bench *b, fr_solver *solver) {
    const size_t bytes = (size_t)fr_graph_csr(b->graph)->n * sizeof(int32_t);
    fr_query query = {.sources = b->sources, .source_count = 1};
    fr_result result = {.level = malloc(bytes), .parent = malloc(bytes)};
    if (!result.level || !result.parent)
        exit(4);
    need(b->ctx, fr_solve(solver, &query, &result));
    const bool right =
        fr_verify_bfs(b->ctx, b->graph, &query, result.level, result.parent) == FR_OK;
    printf("first answer: %s\n", right ? "right" : fr_ctx_error(b->ctx));
    free(result.level);
    free(result.parent);
    return right;
}

static bool one_setting(bench *b, const char *knobs) {
    fr_solver *solver = solver_of(b, knobs, false);
    measure(b, solver, b->settings);
    const bool right = is_right(b, solver);
    fr_solver_free(solver);
    solver = solver_of(b, knobs, true);
    print_levels(b, solver);
    fr_solver_free(solver);
    b->settings++;
    fflush(stdout);
    return right;
}

static void print_table(const bench *b, char **knobs) {
    for (int s = 0; s < b->settings; s++) {
        double sum = 0, maximum = 0;
        for (int i = 0; i < b->count; i++) {
            sum += b->ms[s][i];
            maximum = b->ms[s][i] > maximum ? b->ms[s][i] : maximum;
            printf(" %7.3f", b->ms[s][i]);
        }
        printf("  mean %.3f, max %.3f ms: '%s'\n", sum / b->count, maximum, knobs[s]);
    }
}

int main(int argc, char **argv) {
    static char *const defaults[] = {""};
    bench b = {.count = DEFAULT_SOURCES};
    const fr_load_options how = {.direction = FR_DIRECTION_UNDIRECTED};
    char name[64];
    bool right = true;
    int letter;
    while ((letter = getopt(argc, argv, "n:")) != -1)
        b.count = letter == 'n' ? atoi(optarg) : 0;
    const int scale = optind < argc ? atoi(argv[optind]) : 0;
    const int settings = argc - optind - 1;
    if (scale < 1 || settings > MAX_SETTINGS || b.count < 1 || b.count > MAX_SOURCES ||
        fr_ctx_new(NULL, &b.ctx)) {
        fputs("usage: bench_kronecker [-n SOURCES] SCALE [KNOBS]...\n", stderr);
        return 2;
    }
    snprintf(name, sizeof name, "kronecker:scale=%d,edge_factor=16,seed=1", scale);
    need(b.ctx, fr_graph_generate(b.ctx, name, &how, &b.graph));
    const fr_csr *csr = fr_graph_csr(b.graph);
    printf("%s: %d vertices, %lld stored edges\n", name, csr->n, (long long)csr->m);
    fflush(stdout);
    choose_sources(&b);
    char **knobs = settings ? argv + optind + 1 : (char **)defaults;
    for (int i = 0; i < (settings ? settings : 1); i++)
        right = one_setting(&b, knobs[i]) && right;
    print_table(&b, knobs);
    fr_graph_free(b.graph);
    fr_ctx_free(b.ctx);
    return right ? 0 : 1;
}
