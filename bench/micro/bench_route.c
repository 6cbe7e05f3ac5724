/* Queries between random pairs: fr_router against one SSSP from the source.
 *
 * usage: bench_route GRAPH [COORDINATES|- [PAIRS [THREADS]]]
 * Pairs are random vertices of the largest strongly connected component; each method routes all of them.
 * Prints one JSON line per method: the time of preparation, of a query, its ratio to SSSP `auto` and the
 * number of vertices settled. Exits with 1 if distances differ. SSSP runs without expected_queries, as for
 * many sources; its preparation happens in warm-up queries that are not timed. */
#include "fringe_measures.h"
#include "turns.h"

#include <math.h>

enum { MAX_METHODS = 8, WARM_UPS = 20 };

typedef struct bench {
    fr_ctx *ctx;
    fr_graph *graph;
    int pairs;
    int32_t *from, *to;
    double *want; /* [pairs] by the first method */
} bench;

typedef struct method {
    const char *name;
    bench *b;
    fr_solver *solver; /* of SSSP; else the router */
    fr_router *router;
    fr_type type;
    void *dist; /* [n] of SSSP, else [1] */
    double prepare_ms, *settled;
    int64_t wrong;
} method;

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
    for (int i = 0; i < b->pairs; i++) {
        b->from[i] = size[lrand48() % members];
        b->to[i] = size[lrand48() % members];
    }
    free(label);
    free(size);
}

/* us from from[at] to to[at]. */
static double query(method *m, int at) {
    const bench *b = m->b;
    fr_query query = {.sources = &b->from[at], .source_count = 1};
    fr_result result = {.dist = m->dist};
    const double begin = now_ms();
    need(b->ctx, m->solver
                     ? fr_solve(m->solver, &query, &result)
                     : fr_router_path(m->router, b->from[at], b->to[at], m->dist, NULL, NULL));
    const double us = 1e3 * (now_ms() - begin);
    m->settled[at] = (double)(m->solver ? result.stats.reached : fr_router_settled(m->router));
    return us;
}

static double take_turn(void *what, int round) {
    method *m = what;
    const bench *b = m->b;
    for (int i = 0; round < 0 && i < WARM_UPS; i++)
        query(m, 0);
    if (round < 0)
        return 0;
    const double us = query(m, round);
    const double got = value(m->type, m->dist, m->solver ? b->to[round] : 0);
    if (m->solver)
        b->want[round] = got;
    else /* SSSP has solved all pairs before */
        m->wrong += got != b->want[round] && fabs(got - b->want[round]) > 1e-12 * got;
    return us;
}

static method sssp(bench *b, const char *strategy) {
    const fr_type weights = fr_graph_weight_type(b->graph);
    method m = {.name = strategy, .b = b};
    fr_solver_options options = {
        .strategy = strategy,
        .backend = FR_BACKEND_CPU,
        .dist_type = weights == FR_TYPE_F32 || weights == FR_TYPE_F64 ? FR_TYPE_F64 : FR_TYPE_I64};
    const double begin = now_ms();
    need(b->ctx, fr_solver_new(b->ctx, b->graph, FR_PROBLEM_SSSP, &options, &m.solver));
    m.prepare_ms = now_ms() - begin;
    m.type = options.dist_type;
    m.dist = need_memory((size_t)fr_graph_vertex_count(b->graph) * 8);
    return m;
}

static method route(bench *b, const char *name, const fr_router_options *options) {
    method m = {.name = name, .b = b, .dist = need_memory(8)};
    const double begin = now_ms();
    need(b->ctx, fr_router_new(b->ctx, b->graph, options, &m.router));
    m.prepare_ms = now_ms() - begin;
    m.type = fr_router_dist_type(m.router);
    return m;
}

static bool measure(bench *b, method *methods, int count) {
    turn turns[MAX_METHODS];
    bool right = true;
    for (int i = 0; i < count; i++) {
        methods[i].settled = need_memory((size_t)b->pairs * sizeof(double));
        turns[i] = (turn){.run = take_turn, .what = &methods[i]};
    }
    for (int i = 0; i < count; i++)
        take_turns(&turns[i], 1, b->pairs, 0);
    for (int i = 0; i < count; i++) {
        const method *m = &methods[i];
        line_begin();
        line_text("method", m->name);
        line_number("prepare_ms", m->prepare_ms);
        line_spread("query_us", turns[i].values, b->pairs);
        line_number("times_faster",
                    median(turns[0].values, b->pairs) / median(turns[i].values, b->pairs));
        line_number("settled", median(m->settled, b->pairs));
        line_count("wrong", m->wrong);
        line_end();
        right &= !m->wrong;
        fr_solver_free(m->solver);
        fr_router_free(m->router);
        free(m->dist);
        free(m->settled);
    }
    turns_free(turns, count);
    return right;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: bench_route GRAPH [COORDINATES|- [PAIRS [THREADS]]]\n");
        return 2;
    }
    bench b = {.ctx = open_threads(argc > 4 ? atoi(argv[4]) : 0),
               .pairs = argc > 3 ? atoi(argv[3]) : 200};
    b.graph = open_graph(b.ctx, argv[1], NULL);
    const size_t n = (size_t)fr_graph_vertex_count(b.graph), pairs = (size_t)b.pairs;
    b.from = need_memory(pairs * sizeof *b.from), b.to = need_memory(pairs * sizeof *b.to);
    b.want = need_memory(pairs * sizeof *b.want);
    double *x = need_memory(n * sizeof *x), *y = need_memory(n * sizeof *y);
    draw_pairs(&b);
    method methods[MAX_METHODS] = {sssp(&b, "auto"), sssp(&b, "dijkstra"),
                                   route(&b, "bidirectional", NULL),
                                   route(&b, "alt 8", &(fr_router_options){.landmarks = 8}),
                                   route(&b, "alt 16", &(fr_router_options){.landmarks = 16})};
    int count = 5;
    if (argc > 2 && argv[2][0] != '-') {
        need(b.ctx, fr_coordinates_load(b.ctx, b.graph, argv[2], x, y));
        methods[count++] =
            route(&b, "astar", &(fr_router_options){.algorithm = FR_ROUTE_ASTAR, .x = x, .y = y});
    }
    const bool right = measure(&b, methods, count);
    free(b.from), free(b.to), free(b.want), free(x), free(y);
    fr_graph_free(b.graph);
    fr_ctx_free(b.ctx);
    return !right;
}
