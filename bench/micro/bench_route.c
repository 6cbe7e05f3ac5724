/* Queries between random pairs: fr_router against one SSSP from the source.
 *
 * usage: bench_route GRAPH [COORDINATES|- [PAIRS [THREADS]]]
 * Pairs are random vertices of the largest strongly connected component. Prints, per method, the time
 * of preparation, the median time of a query, its ratio to SSSP `auto` and the median number of
 * vertices settled. Exits with 1 if distances differ. SSSP runs without expected_queries, as for many
 * sources; its preparation happens in warm-up queries that are not timed. */
#include "fringe_measures.h"
#include "micro.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct bench {
    fr_ctx *ctx;
    fr_graph *graph;
    int64_t pairs;
    int32_t *from, *to;
    double *want; /* [pairs] */
    double auto_us;
} bench;

static double value(fr_type type, const void *values, int64_t i) {
    if (type == FR_TYPE_F64)
        return ((const double *)values)[i];
    int64_t v = ((const int64_t *)values)[i];
    return v == FR_INF_I64 ? INFINITY : (double)v;
}

static void draw_pairs(bench *b) {
    int32_t n = fr_graph_vertex_count(b->graph), count, largest = 0, members = 0;
    int32_t *label = calloc((size_t)n, sizeof *label), *size = calloc((size_t)n, sizeof *size);
    need(b->ctx, fr_components(b->ctx, b->graph, FR_COMPONENTS_STRONG, FR_BACKEND_CPU, label, size,
                               &count));
    for (int32_t c = 0; c < count; c++)
        largest = size[c] > size[largest] ? c : largest;
    for (int32_t v = 0; v < n; v++)
        if (label[v] == largest)
            size[members++] = v;
    srand48(1);
    for (int64_t i = 0; i < b->pairs; i++) {
        b->from[i] = size[lrand48() % members];
        b->to[i] = size[lrand48() % members];
    }
    free(label);
    free(size);
}

static void print(bench *b, const char *name, double prepared_us, double *us, double *settled) {
    double middle = median(us, b->pairs);
    if (b->auto_us == 0)
        b->auto_us = middle;
    printf("%-14s prepare %9.1f ms  query %9.1f us  %6.1f x  settles %8.0f\n", name,
           prepared_us / 1e3, middle, b->auto_us / middle, median(settled, b->pairs));
    fflush(stdout);
}

static void sssp(bench *b, const char *strategy, fr_type type, double *us, double *settled) {
    fr_solver_options options = {
        .strategy = strategy, .backend = FR_BACKEND_CPU, .dist_type = type};
    fr_solver *solver = NULL;
    double start = now_us();
    need(b->ctx, fr_solver_new(b->ctx, b->graph, FR_PROBLEM_SSSP, &options, &solver));
    double prepared = now_us() - start;
    void *dist = calloc((size_t)fr_graph_vertex_count(b->graph), 8);
    for (int64_t i = -20; i < b->pairs; i++) {
        int64_t at = i < 0 ? 0 : i;
        fr_query query = {.sources = &b->from[at], .source_count = 1};
        fr_result result = {.dist = dist};
        start = now_us();
        need(b->ctx, fr_solve(solver, &query, &result));
        us[at] = now_us() - start;
        settled[at] = (double)result.stats.reached;
        b->want[at] = value(type, dist, b->to[at]);
    }
    print(b, strategy, prepared, us, settled);
    free(dist);
    fr_solver_free(solver);
}

static bool route(bench *b, const char *name, const fr_router_options *options, double *us,
                  double *settled) {
    fr_router *router = NULL;
    double start = now_us();
    need(b->ctx, fr_router_new(b->ctx, b->graph, options, &router));
    double prepared = now_us() - start;
    int64_t wrong = 0, dist;
    for (int64_t i = -20; i < b->pairs; i++) {
        int64_t at = i < 0 ? 0 : i;
        start = now_us();
        need(b->ctx, fr_router_path(router, b->from[at], b->to[at], &dist, NULL, NULL));
        us[at] = now_us() - start;
        settled[at] = (double)fr_router_settled(router);
        double got = value(fr_router_dist_type(router), &dist, 0);
        wrong += i >= 0 && got != b->want[at] && fabs(got - b->want[at]) > 1e-12 * got;
    }
    print(b, name, prepared, us, settled);
    if (wrong)
        printf("%s: %lld distances are wrong\n", name, (long long)wrong);
    fr_router_free(router);
    return !wrong;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: bench_route GRAPH [COORDINATES|- [PAIRS [THREADS]]]\n");
        return 2;
    }
    bench b = {.pairs = argc > 3 ? atoll(argv[3]) : 200};
    need(NULL, fr_ctx_new(&(fr_ctx_options){.threads = argc > 4 ? atoi(argv[4]) : 0}, &b.ctx));
    need(b.ctx, fr_graph_load(b.ctx, argv[1], NULL, &b.graph));
    size_t n = (size_t)fr_graph_vertex_count(b.graph), pairs = (size_t)b.pairs;
    b.from = calloc(pairs, sizeof *b.from), b.to = calloc(pairs, sizeof *b.to);
    b.want = calloc(pairs, sizeof *b.want);
    double *us = calloc(pairs, sizeof *us), *settled = calloc(pairs, sizeof *settled);
    double *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y);
    draw_pairs(&b);
    fr_type weights = fr_graph_weight_type(b.graph);
    fr_type type = weights == FR_TYPE_F32 || weights == FR_TYPE_F64 ? FR_TYPE_F64 : FR_TYPE_I64;
    printf("%s: %zu vertices, %d threads\n", argv[1], n, fr_ctx_threads(b.ctx));
    static const char *const strategies[] = {"auto", "dijkstra"};
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++)
        sssp(&b, strategies[i], type, us, settled);
    bool right = route(&b, "bidirectional", NULL, us, settled);
    right &= route(&b, "alt 8", &(fr_router_options){.landmarks = 8}, us, settled);
    right &= route(&b, "alt 16", &(fr_router_options){.landmarks = 16}, us, settled);
    if (argc > 2 && argv[2][0] != '-') {
        need(b.ctx, fr_coordinates_load(b.ctx, b.graph, argv[2], x, y));
        right &=
            route(&b, "astar", &(fr_router_options){.algorithm = FR_ROUTE_ASTAR, .x = x, .y = y},
                  us, settled);
    }
    free(b.from), free(b.to), free(b.want), free(us), free(settled), free(x), free(y);
    fr_graph_free(b.graph);
    fr_ctx_free(b.ctx);
    return !right;
}
