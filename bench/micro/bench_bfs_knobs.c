/* Measures the effect of knobs: many configurations of a BFS strategy on the GPU, on one graph from
 * the same sources.
 *
 *   bench_bfs_knobs [-u] [-s] [-n SOURCES] [-l] GRAPH [STRATEGY][:KNOBS]...
 *
 * -u undirected, -s without self-loops and parallel edges, -l also prints a line per level of the
 * first source of each configuration. GRAPH is a file or the description of a generated graph.
 * Prints one line per configuration: medians of the traversal time, with levels and parents, over
 * sources that reach a tenth of the graph, after a warm-up. The first answer of the first
 * configuration is checked; the others must have the same levels, and parents one level up. Exits 1
 * if an answer is wrong.
 */
#include "fringe_tune.h"
#include "micro.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DRAWS = 8, MAX_SOURCES = 1024 };

typedef struct {
    fr_ctx *ctx;
    fr_graph *graph;
    int32_t *level, *parent;
    int32_t *right; /* checked levels from sources[0]; NULL: none yet */
    int32_t sources[MAX_SOURCES];
    int count, wanted;
    bool levels;
} bench;

static fr_status solve(bench *b, fr_solver *solver, int32_t source, fr_result *result) {
    fr_query query = {.sources = &source, .source_count = 1};
    *result = (fr_result){.level = b->level, .parent = b->parent};
    return fr_solve(solver, &query, result);
}

/* Random vertices with edges that reach a tenth of the graph. */
static void choose_sources(bench *b, fr_solver *solver) {
    const fr_csr *csr = fr_graph_csr(b->graph);
    uint64_t state = 1;
    fr_result result;
    for (int i = 0; i < DRAWS * b->wanted && b->count < b->wanted; i++) {
        int32_t v = (int32_t)(draw(&state) % (uint64_t)csr->n);
        if (csr->offsets[v] == csr->offsets[v + 1])
            continue;
        need(b->ctx, solve(b, solver, v, &result));
        if (result.stats.reached >= csr->n / 10)
            b->sources[b->count++] = v;
    }
}

static void print_levels(const fr_solver *solver) {
    int64_t count;
    const fr_level *lines = fr_solver_levels(solver, &count);
    for (int64_t i = 0; i < count; i++)
        printf("  %6lld %-12s %10lld %12lld %9.2f us\n", (long long)i, lines[i].method,
               (long long)lines[i].frontier, (long long)lines[i].edges, (double)lines[i].ns / 1e3);
}

static fr_solver *solver_of(const bench *b, const char *setting, bool levels) {
    char row[32] = "auto";
    const char *knobs = strchr(setting, ':');
    size_t length = knobs ? (size_t)(knobs - setting) : strlen(setting);
    if (length)
        snprintf(row, sizeof row, "%.*s", (int)length, setting);
    fr_solver *solver;
    fr_solver_options options = {.strategy = row,
                                 .backend = FR_BACKEND_CUDA,
                                 .knobs = knobs && knobs[1] ? knobs + 1 : NULL,
                                 .record_levels = levels};
    need(b->ctx, fr_solver_new(b->ctx, b->graph, FR_PROBLEM_BFS, &options, &solver));
    return solver;
}

static void *array_of(const fr_csr *csr) {
    void *array = malloc(((size_t)csr->n + 1) * sizeof(int32_t));
    if (!array)
        exit(4);
    return array;
}

/* Checks the answer from sources[0] in level and parent. */
static bool is_right(bench *b) {
    const fr_csr *csr = fr_graph_csr(b->graph);
    size_t bytes = (size_t)csr->n * sizeof *b->level;
    if (!b->right) {
        fr_query query = {.sources = b->sources, .source_count = 1};
        b->right = array_of(csr);
        memcpy(b->right, b->level, bytes);
        return fr_verify_bfs(b->ctx, b->graph, &query, b->level, b->parent) == FR_OK;
    }
    if (memcmp(b->right, b->level, bytes) != 0)
        return false;
    for (int32_t v = 0; v < csr->n; v++)
        if (b->level[v] > 0 && b->level[b->parent[v]] != b->level[v] - 1)
            return false;
    return true;
}

static bool measure(bench *b, const char *setting) {
    fr_result result;
    double us[MAX_SOURCES];
    fr_solver *solver = solver_of(b, setting, false);
    if (!b->count)
        choose_sources(b, solver);
    if (!b->count)
        return true;
    need(b->ctx, solve(b, solver, b->sources[0], &result));
    bool right = is_right(b);
    for (int i = 0; i < b->count; i++) {
        need(b->ctx, solve(b, solver, b->sources[i], &result));
        us[i] = (double)result.stats.traverse_ns / 1e3;
    }
    qsort(us, (size_t)b->count, sizeof *us, ascending);
    printf("%-36s %-5s min %9.1f median %9.1f max %9.1f us  levels %5d  prepare %7.2f ms\n",
           setting, right ? "right" : "WRONG", us[0], us[b->count / 2], us[b->count - 1],
           result.stats.levels, (double)(result.stats.prepare_ns - result.stats.upload_ns) / 1e6);
    fr_solver_free(solver);
    if (b->levels) {
        solver = solver_of(b, setting, true);
        need(b->ctx, solve(b, solver, b->sources[0], &result));
        need(b->ctx, solve(b, solver, b->sources[0], &result));
        print_levels(solver);
        fr_solver_free(solver);
    }
    fflush(stdout);
    return right;
}

int main(int argc, char **argv) {
    bench b = {.wanted = 16};
    fr_load_options how = {0};
    int letter;
    bool right = true;
    while ((letter = getopt(argc, argv, "usln:")) != -1) {
        how.direction = letter == 'u' ? FR_DIRECTION_UNDIRECTED : how.direction;
        how.drop_loops = how.drop_parallel = how.drop_loops || letter == 's';
        b.levels = b.levels || letter == 'l';
        b.wanted = letter == 'n' ? atoi(optarg) : b.wanted;
    }
    if (optind + 1 >= argc || b.wanted < 1 || b.wanted > MAX_SOURCES || fr_ctx_new(NULL, &b.ctx)) {
        fputs("usage: bench_bfs_knobs [-u] [-s] [-n SOURCES] [-l] GRAPH [STRATEGY][:KNOBS]...\n",
              stderr);
        return 2;
    }
    const char *name = argv[optind];
    need(b.ctx, access(name, R_OK) ? fr_graph_generate(b.ctx, name, &how, &b.graph)
                                   : fr_graph_load(b.ctx, name, &how, &b.graph));
    const fr_csr *csr = fr_graph_csr(b.graph);
    b.level = array_of(csr);
    b.parent = array_of(csr);
    printf("%s: %d vertices, %lld stored edges\n", name, csr->n, (long long)csr->m);
    for (int i = optind + 1; i < argc; i++)
        right = measure(&b, argv[i]) && right;
    free(b.level);
    free(b.parent);
    free(b.right);
    fr_graph_free(b.graph);
    fr_ctx_free(b.ctx);
    return right ? 0 : 1;
}
