/* Real graphs against tests/data/real/REFERENCE.tsv, which other code computed: vertices reached, depth and
 * sum of levels; least, largest and sum of distances. All strategies on the small graphs, auto on the
 * larger ones; the verifier also checks every result. Sanitizer builds leave out the larger graphs. */
#include "conformance/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGEST_FILE = CF_SANITIZED ? 700000 : INT32_MAX };
enum { SMALL = 70000 }; /* vertices: up to here every strategy, beyond only auto */

typedef struct {
    char file[64], read_as[16];
    long long source, reached, depth, sum;
    char min_dist[32], max_dist[32], total[32]; /* "-": no SSSP */
} reference;

static bool ends(const char *name, const char *suffix) {
    size_t a = strlen(name), b = strlen(suffix);
    return a >= b && strcmp(name + a - b, suffix) == 0;
}

static bool has(const reference *r, const char *suffix) {
    char packed[16];
    snprintf(packed, sizeof packed, "%s.zst", suffix);
    return ends(r->file, suffix) || ends(r->file, packed);
}

static fr_graph *load(fr_ctx *ctx, const reference *r, const char *path) {
    bool both = has(r, ".gr") || has(r, ".graph"); /* the file has each edge twice already */
    fr_load_options options = {.weights = has(r, ".gr") ? FR_WEIGHTS_FILE : FR_WEIGHTS_NONE,
                               .direction = both ? FR_DIRECTION_FILE
                                            : strcmp(r->read_as, "undirected")
                                                ? FR_DIRECTION_DIRECTED
                                                : FR_DIRECTION_UNDIRECTED};
    fr_graph *graph = NULL;
    if (fr_graph_load(ctx, path, &options, &graph)) {
        printf("FAILED %s: %s\n", r->file, fr_ctx_error(ctx));
        cf_failures++;
    }
    return graph;
}

static void expect(const cf_config *c, const char *what, double got, const char *want) {
    if (got != strtod(want, NULL))
        cf_fail(c, NULL, "%s is %.17g, should be %s", what, got, want);
}

static void compare(const cf_config *c, const reference *r, fr_type type, const void *values) {
    double reached = 0, min_dist = INFINITY, max_dist = -INFINITY, sum = 0;
    for (int32_t v = 0; v < c->g->n; v++) {
        double d = cf_value(c->strategy.problem, type, values, v);
        if (d == (double)INFINITY)
            continue;
        reached++;
        sum += d; /* below 2^53: exact */
        min_dist = fmin(min_dist, d);
        max_dist = fmax(max_dist, d);
    }
    char text[32];
    snprintf(text, sizeof text, "%lld", r->reached);
    expect(c, "reached", reached, text);
    if (c->strategy.problem == FR_PROBLEM_SSSP) {
        expect(c, "smallest distance", min_dist, r->min_dist);
        expect(c, "largest distance", max_dist, r->max_dist);
        expect(c, "sum of distances", sum, r->total);
        return;
    }
    snprintf(text, sizeof text, "%lld", r->depth);
    expect(c, "depth", max_dist, text);
    snprintf(text, sizeof text, "%lld", r->sum);
    expect(c, "sum of levels", sum, text);
}

static void solve(fr_ctx *ctx, cf_config *c, const reference *r, int32_t source) {
    void *values = malloc((size_t)c->g->n * 8);
    int32_t *parent = malloc((size_t)c->g->n * sizeof *parent);
    bool bfs = c->strategy.problem == FR_PROBLEM_BFS;
    const fr_csr *csr = fr_graph_csr(c->g->graph);
    if (!bfs && csr->weight_type == FR_TYPE_I32)
        c->dist_type = FR_TYPE_I64;
    fr_solver *s = cf_solver_new(ctx, c);
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.parent = parent};
    if (bfs)
        result.level = values;
    else
        result.dist = values;
    cf_cases++;
    if (s && fr_solve(s, &query, &result)) {
        cf_fail(c, NULL, "%s", fr_ctx_error(ctx));
    } else if (s) {
        fr_type type = fr_solver_dist_type(s);
        compare(c, r, type, values);
        if (bfs ? fr_verify_bfs(ctx, c->g->graph, &query, values, parent)
                : fr_verify_sssp(ctx, c->g->graph, &query, false, values, type, parent))
            cf_fail(c, NULL, "verifier: %s", fr_ctx_error(ctx));
    }
    fr_solver_free(s);
    free(values);
    free(parent);
    c->dist_type = FR_TYPE_NONE;
}

static bool has_negative(const fr_csr *csr) {
    for (int64_t e = 0; e < csr->m; e++)
        if (csr->weight_type == FR_TYPE_I32   ? ((const int32_t *)csr->weights)[e] < 0
            : csr->weight_type == FR_TYPE_F64 ? ((const double *)csr->weights)[e] < 0
                                              : false)
            return true;
    return false;
}

static void each_strategy(fr_ctx *ctx, const reference *r, fr_graph *graph, int32_t source) {
    cf_graph g = {.shape = r->file, .graph = graph, .n = fr_graph_csr(graph)->n};
    cf_config c = {.g = &g, .threads = 2};
    bool negative = has_negative(fr_graph_csr(graph));
    for (int p = FR_PROBLEM_BFS; p <= FR_PROBLEM_SSSP; p++)
        for (int k = 0; cf_strategy((fr_problem)p, k, &c.strategy); k++)
            if ((g.n <= SMALL || strcmp(c.strategy.name, "auto") == 0) &&
                (p == FR_PROBLEM_BFS || strcmp(r->min_dist, "-") != 0) &&
                (p == FR_PROBLEM_BFS || !negative || cf_takes_negative(&c.strategy)))
                solve(ctx, &c, r, source);
}

static void one_graph(fr_ctx *ctx, const reference *r) {
    char path[512];
    struct stat info;
    snprintf(path, sizeof path, TEST_DATA "/real/%s", r->file);
    if (stat(path, &info)) {
        printf("FAILED %s is not there\n", path);
        cf_failures++;
        return;
    }
    if (info.st_size > LARGEST_FILE) {
        printf("left out: %s: too large for a sanitizer build\n", r->file);
        return;
    }
    fr_graph *graph = load(ctx, r, path);
    if (!graph)
        return;
    bool from_one = has(r, ".mtx") || has(r, ".graph") || has(r, ".gr");
    int32_t source = fr_graph_vertex(graph, r->source + from_one);
    if (source < 0) {
        printf("FAILED %s: no vertex has id %lld\n", r->file, r->source + from_one);
        cf_failures++;
    } else {
        each_strategy(ctx, r, graph, source);
    }
    fr_graph_free(graph);
}

int main(void) {
#ifndef FRI_HAVE_ARCHIVE
    printf("skip: the graphs are compressed, and this build has no libarchive\n");
    return 77;
#endif
    FILE *table = fopen(TEST_DATA "/real/REFERENCE.tsv", "r");
    fr_ctx *ctx;
    if (!table || fr_ctx_new(NULL, &ctx)) {
        printf("FAILED %s/real/REFERENCE.tsv cannot be read\n", TEST_DATA);
        return 1;
    }
    char line[512];
    while (fgets(line, sizeof line, table)) {
        reference r;
        if (sscanf(line, "%63s %15s %lld %lld %lld %lld %31s %31s %31s", r.file, r.read_as,
                   &r.source, &r.reached, &r.depth, &r.sum, r.min_dist, r.max_dist, r.total) == 9)
            one_graph(ctx, &r);
    }
    fclose(table);
    fr_ctx_free(ctx);
    return cf_finish("reference");
}
