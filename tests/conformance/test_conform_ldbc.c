/* The validation graphs of LDBC Graphalytics: every BFS and SSSP strategy, and the component
 * counts, against the expected output. The reader of the library loads `example/`; a small reader
 * here loads the other pairs, which are adjacency lists and no format of the library. */
#include "conformance/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LDBC TEST_DATA "/ldbc/"

enum { MAX_VERTICES = 16 }; /* vertices, numbered from 1, and numbers on a line */

/* Calls line(user, numbers, count) for each line of the file. Infinity and 2^63 - 1 are INFINITY.
 */
static void each_line(const char *path, void (*line)(void *, const double *, int), void *user) {
    FILE *file = fopen(path, "r");
    char text[CF_KNOBS_TEXT];
    if (!file) {
        printf("FAILED %s cannot be read\n", path);
        cf_failures++;
        return;
    }
    while (fgets(text, sizeof text, file)) {
        double numbers[MAX_VERTICES];
        int count = 0;
        for (char *at = text, *end; count < MAX_VERTICES; at = end, count++) {
            numbers[count] = strtod(at, &end);
            if (end == at)
                break;
            if (numbers[count] > 9e18)
                numbers[count] = INFINITY;
        }
        if (count)
            line(user, numbers, count);
    }
    fclose(file);
}

static void expected(void *user, const double *numbers, int count) {
    if (count == 2)
        ((double *)user)[(int)numbers[0]] = numbers[1];
}

typedef struct {
    int32_t src[256], dst[256], m;
    double weight[256];
    bool lists; /* a vertex and its neighbors, else source, target, weight */
} pairs;

static void add_edges(void *user, const double *numbers, int count) {
    pairs *p = user;
    for (int i = 1; i < (p->lists ? count : 2); i++) {
        p->src[p->m] = (int32_t)numbers[0] - 1;
        p->dst[p->m] = (int32_t)numbers[i] - 1;
        p->weight[p->m++] = p->lists ? 1 : numbers[2];
    }
}

/* The pairs as a graph whose vertex v is 1 + v in the files; the expected output has n = 10 or 9
 * lines. */
static fr_graph *load_pairs(fr_ctx *ctx, const char *path, bool lists, bool directed, int32_t n) {
    pairs *p = calloc(1, sizeof *p);
    p->lists = lists;
    each_line(path, add_edges, p);
    fr_load_options options = {.direction = directed || lists ? FR_DIRECTION_DIRECTED
                                                              : FR_DIRECTION_UNDIRECTED};
    fr_graph *graph = NULL;
    if (fr_graph_from_edges(ctx, n, p->m, p->src, p->dst, lists ? NULL : p->weight,
                            lists ? FR_TYPE_NONE : FR_TYPE_F64, &options, &graph)) {
        printf("FAILED %s: %s\n", path, fr_ctx_error(ctx));
        cf_failures++;
    }
    free(p);
    return graph;
}

/* Every strategy of the problem from the vertex `source` of the files; ids of the files are
 * `base` larger than vertices. */
static void check(fr_ctx *ctx, const char *name, fr_graph *graph, fr_problem problem,
                  int32_t source, int base, const double *want) {
    cf_graph g = {.shape = name, .graph = graph, .n = graph ? fr_graph_csr(graph)->n : 0};
    cf_config c = {.g = &g, .threads = 2};
    for (int r = 0; graph && cf_strategy(problem, r, &c.strategy); r++) {
        char values[8 * MAX_VERTICES];
        int32_t start = fr_graph_vertex(graph, source - base);
        fr_query query = {.sources = &start, .source_count = 1};
        fr_result result = {0};
        if (problem == FR_PROBLEM_BFS)
            result.level = (int32_t *)(void *)values;
        else
            result.dist = values;
        fr_solver *s = cf_solver_new(ctx, &c);
        cf_cases++;
        if (s && fr_solve(s, &query, &result))
            cf_fail(&c, NULL, "%s", fr_ctx_error(ctx));
        for (int32_t v = 0; s && v < g.n; v++) {
            double got = cf_value(problem, fr_solver_dist_type(s), values, v),
                   w = want[fr_graph_id(graph, v) + base];
            if (got != w && !(fabs(got - w) <= 1e-9 * fabs(w)))
                cf_fail(&c, NULL, "vertex %d: %g, should be %g", v, got, w);
        }
        fr_solver_free(s);
    }
}

static void bare_pair(fr_ctx *ctx, fr_problem problem, bool directed) {
    char input[512], output[512];
    const char *kind = problem == FR_PROBLEM_BFS ? "bfs" : "sssp",
               *way = directed ? "dir" : "undir";
    snprintf(input, sizeof input, LDBC "%s/%s-input%s", kind, way,
             problem == FR_PROBLEM_BFS ? "" : ".e");
    snprintf(output, sizeof output, LDBC "%s/%s-output", kind, way);
    double want[MAX_VERTICES];
    int32_t n = 0;
    for (int i = 0; i < MAX_VERTICES; i++)
        want[i] = NAN;
    each_line(output, expected, want);
    while (n + 1 < MAX_VERTICES && !isnan(want[n + 1]))
        n++;
    fr_graph *graph = load_pairs(ctx, input, problem == FR_PROBLEM_BFS, directed, n);
    check(ctx, input, graph, problem, 1, 1, want);
    fr_graph_free(graph);
}

static void example(fr_ctx *ctx, const char *name, int32_t source, const char *form) {
    char path[512], output[512];
    double want[MAX_VERTICES];
    snprintf(path, sizeof path, LDBC "example/%s%s", name, form);
    fr_graph *graph = NULL;
    fr_load_options options = {.direction = strstr(name, "undir") ? FR_DIRECTION_UNDIRECTED
                                                                  : FR_DIRECTION_DIRECTED};
    bool tells = strcmp(form, ".properties") == 0; /* its own direction */
    if (fr_graph_load(ctx, path, tells ? NULL : &options, &graph)) {
        printf("FAILED %s: %s\n", path, fr_ctx_error(ctx));
        cf_failures++;
        return;
    }
    snprintf(output, sizeof output, LDBC "example/%s-BFS", name);
    each_line(output, expected, want);
    check(ctx, path, graph, FR_PROBLEM_BFS, source, 0, want);
    snprintf(output, sizeof output, LDBC "example/%s-SSSP", name);
    each_line(output, expected, want);
    check(ctx, path, graph, FR_PROBLEM_SSSP, source, 0, want);
    fr_graph_free(graph);
}

static void components(fr_ctx *ctx, const char *way) {
    char path[512];
    double label[MAX_VERTICES] = {0};
    int32_t different = 0, n = 0;
    snprintf(path, sizeof path, LDBC "wcc/%s-output", way);
    each_line(path, expected, label);
    for (int32_t v = 1; v < MAX_VERTICES; v++) {
        bool fresh = label[v] > 0; /* ids have gaps: those in them stay alone */
        for (int32_t u = 1; u < v; u++)
            fresh &= label[u] != label[v];
        different += fresh;
        n = label[v] > 0 ? v : n;
    }
    for (int32_t v = 1; v < n; v++)
        different += label[v] == 0;
    snprintf(path, sizeof path, LDBC "wcc/%s-input", way);
    fr_graph *graph = load_pairs(ctx, path, true, true, n);
    fr_graph_stats stats = {0};
    cf_cases++;
    if (graph && (fr_graph_compute_stats(ctx, graph, &stats) || stats.components != different)) {
        printf("FAILED %s: %d components, should be %d %s\n", path, stats.components, different,
               fr_ctx_error(ctx));
        cf_failures++;
    }
    fr_graph_free(graph);
}

int main(void) {
    fr_ctx *ctx;
    if (fr_ctx_new(NULL, &ctx))
        return 1;
    for (int directed = 0; directed < 2; directed++) {
        bare_pair(ctx, FR_PROBLEM_BFS, directed);
        bare_pair(ctx, FR_PROBLEM_SSSP, directed);
    }
    example(ctx, "example-directed", 1, ".properties");
    example(ctx, "example-undirected", 2, ".properties");
    example(ctx, "example-directed", 1, ".e");
    example(ctx, "example-undirected", 2, ".v");
    components(ctx, "dir");
    components(ctx, "undir");
    fr_ctx_free(ctx);
    return cf_finish("LDBC");
}
