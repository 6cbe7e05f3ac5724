/* BFS `auto` on the GPU on large Kronecker graphs, level by level.
 *
 *   bench_kronecker [-n SOURCES] [-s SEED] [-e] [-l SLOWEST] [-b MS] SCALE [KNOBS]...
 *
 * SCALE 20 to 29; KNOBS as for --knobs, "" for the defaults. -n: random sources, 12 by default; -s: another
 * seed of them; -e: at even distances instead, as bench_multi_device takes them. -l: levels of only so many
 * sources, the slowest of each setting. -b: a bound in ms: how many sources are within it.
 *
 * Generates the graph once. For each setting of knobs: what the plan says of its memory; then per source
 * the best of 3 queries without record and without results, the first of them, in ms, and TTEPS; then one
 * line per level of a query with the record: method, vertices and edges of the frontier, time, the cost
 * model's time, and picoseconds per edge of the frontier and per vertex without a level. The first answer
 * of each setting is verified, with parents. Last, a table of the sources by setting, and a line per
 * setting: mean, median and slowest, of the best queries and of the first ones. Exits 1 if an answer is
 * wrong.
 */
#include "fringe_tune.h"
#include "micro.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_SOURCES = 4096, MAX_SETTINGS = 12, RUNS = 3, DEFAULT_SOURCES = 12 };

typedef struct {
    fr_ctx *ctx;
    fr_graph *graph;
    int32_t sources[MAX_SOURCES];
    int count, settings;
    int slowest; /* sources of which levels are printed */
    bool even;
    uint64_t seed;
    double bound_ms; /* 0: none */
    double ms[MAX_SETTINGS][MAX_SOURCES], first_ms[MAX_SETTINGS][MAX_SOURCES];
} bench;

/* Random vertices with edges. */
static void choose_random_sources(bench *b) {
    const fr_csr *csr = fr_graph_csr(b->graph);
    uint64_t state = b->seed;
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
            if (run == 0)
                b->first_ms[setting][i] = (double)stats.traverse_ns / 1e6;
            best = stats.traverse_ns < best.traverse_ns ? stats : best;
        }
        const double ms = b->ms[setting][i] = (double)best.traverse_ns / 1e6;
        printf("source %d: %.3f ms, first %.3f ms, %.3f TTEPS, %lld reached, %.1f M examined, %d "
               "levels\n",
               b->sources[i], ms, b->first_ms[setting][i],
               (double)best.reached_edges / 2 / ms / 1e9, (long long)best.reached,
               (double)best.edges_examined / 1e6, best.levels);
    }
}

static void print_levels_of(const bench *b, fr_solver *solver, int32_t source) {
    const fr_csr *csr = fr_graph_csr(b->graph);
    int64_t count, left = solve(b, solver, source).reached;
    solve(b, solver, source);
    const fr_level *lines = fr_solver_levels(solver, &count);
    printf("levels from %d, degree %lld\n", source,
           (long long)(csr->offsets[source + 1] - csr->offsets[source]));
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

/* Whether fewer than `slowest` sources of the setting took longer than source i; of equal ones the first
 * counts as slower. */
static bool is_among_slowest(const bench *b, int setting, int i) {
    const double *ms = b->ms[setting];
    int slower = 0;
    for (int k = 0; k < b->count; k++)
        slower += ms[k] > ms[i] || (k < i && ms[k] == ms[i]);
    return slower < b->slowest;
}

static void print_levels(const bench *b, fr_solver *solver, int setting) {
    for (int i = 0; i < b->count; i++)
        if (is_among_slowest(b, setting, i))
            print_levels_of(b, solver, b->sources[i]);
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
    print_levels(b, solver, b->settings);
    fr_solver_free(solver);
    b->settings++;
    fflush(stdout);
    return right;
}

/* Sorts the values. */
static void print_summary(const bench *b, const char *which, double *ms) {
    double sum = 0;
    int within = 0;
    for (int i = 0; i < b->count; i++) {
        sum += ms[i];
        within += ms[i] <= b->bound_ms;
    }
    const double middle = median(ms, b->count);
    printf(" %s: mean %.3f, median %.3f, max %.3f ms", which, sum / b->count, middle,
           ms[b->count - 1]);
    if (b->bound_ms > 0)
        printf(", %d of %d within %.1f", within, b->count, b->bound_ms);
}

static void print_table(bench *b, char **knobs) {
    for (int i = 0; i < b->count; i++) {
        printf("%10d", b->sources[i]);
        for (int s = 0; s < b->settings; s++)
            printf(" %7.3f", b->ms[s][i]);
        printf("\n");
    }
    for (int s = 0; s < b->settings; s++) {
        print_summary(b, "best of 3", b->ms[s]);
        print_summary(b, "; first", b->first_ms[s]);
        printf(": '%s'\n", knobs[s]);
    }
}

/* Returns false if an option is not known. */
static bool read_options(bench *b, int argc, char **argv) {
    int letter;
    while ((letter = getopt(argc, argv, "n:s:el:b:")) != -1)
        switch (letter) {
        case 'n': b->count = atoi(optarg); break;
        case 's': b->seed = strtoull(optarg, NULL, 10); break;
        case 'e': b->even = true; break;
        case 'l': b->slowest = atoi(optarg); break;
        case 'b': b->bound_ms = atof(optarg); break;
        default: return false;
        }
    return true;
}

int main(int argc, char **argv) {
    static char *const defaults[] = {""};
    static bench b = {.count = DEFAULT_SOURCES, .slowest = MAX_SOURCES, .seed = 1};
    const fr_load_options how = {.direction = FR_DIRECTION_UNDIRECTED};
    char name[64];
    bool right = true;
    const bool understood = read_options(&b, argc, argv);
    const int scale = optind < argc ? atoi(argv[optind]) : 0;
    const int settings = argc - optind - 1;
    if (!understood || scale < 1 || settings > MAX_SETTINGS || b.count < 1 ||
        b.count > MAX_SOURCES || fr_ctx_new(NULL, &b.ctx)) {
        fputs("usage: bench_kronecker [-n SOURCES] [-s SEED] [-e] [-l SLOWEST] [-b MS] SCALE "
              "[KNOBS]...\n",
              stderr);
        return 2;
    }
    snprintf(name, sizeof name, "kronecker:scale=%d,edge_factor=16,seed=1", scale);
    need(b.ctx, fr_graph_generate(b.ctx, name, &how, &b.graph));
    const fr_csr *csr = fr_graph_csr(b.graph);
    printf("%s: %d vertices, %lld stored edges\n", name, csr->n, (long long)csr->m);
    fflush(stdout);
    if (b.even)
        spaced_sources(b.graph, b.sources, b.count);
    else
        choose_random_sources(&b);
    char **knobs = settings ? argv + optind + 1 : (char **)defaults;
    for (int i = 0; i < (settings ? settings : 1); i++)
        right = one_setting(&b, knobs[i]) && right;
    print_table(&b, knobs);
    fr_graph_free(b.graph);
    fr_ctx_free(b.ctx);
    return right ? 0 : 1;
}
