/* All pairs: runs the cases of a list and prints one JSON line each.
 *
 *   bench_apsp [--backend cpu|cuda] [--runs N] [--seconds S] [CASE...]   a prefix of a name suffices
 *
 * A case is a graph, a strategy with its knobs, and a number of rows, 0 for all. The first answer,
 * from 16 random sources (with parents), is checked by fr_verify_apsp. Then the case runs N times
 * (default 3), without transfers to the host, or until S seconds (default 20) are over. `ops_per_s`: Floyd-Warshall's n^3 add-mins; `edges_per_s`: rows times m.
 */
#include "micro.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHECKED = 16, MAX_RUNS = 64 };

typedef struct {
    const char *name, *graph;
    fr_weights weights;
    bool negative; /* shifted by potentials: Johnson's reweighting in reverse */
    fr_type type;
    const char *strategy, *knobs;
    int32_t rows;
    bool parents; /* also computed in the timed runs */
} bench_case;

#define DENSE(n, edges) "uniform:n=" #n ",edges=" #edges ",directed=1,seed=1"
#define KRON(scale)     "kronecker:scale=" #scale ",edge_factor=16,seed=1"
#define GRID            "grid2d:rows=1000,cols=1000,keep=0.9,seed=1"
#define NONE            FR_WEIGHTS_NONE, false, FR_TYPE_NONE
#define INTS            FR_WEIGHTS_RANDOM, false, FR_TYPE_NONE
#define BELOW           FR_WEIGHTS_RANDOM, true, FR_TYPE_NONE
#define WIDE            FR_WEIGHTS_RANDOM, false, FR_TYPE_I64
#define FW              "floyd-warshall"

static const bench_case cases[] = {
    {"fw-16384", DENSE(16384, 2000000), INTS, FW, NULL, 0, false},
    {"fw-16384-two-ops", DENSE(16384, 2000000), INTS, FW, "fused=0", 0, false},
    {"fw-16384-tile64", DENSE(16384, 2000000), INTS, FW, "tile=64", 0, false},
    {"fw-16384-parents", DENSE(16384, 2000000), INTS, FW, NULL, 0, true},
    {"fw-4096", DENSE(4096, 1000000), INTS, FW, NULL, 0, false},
    {"fw-4096-parents", DENSE(4096, 1000000), INTS, FW, NULL, 0, true},
    {"fw-4096-negative", DENSE(4096, 1000000), BELOW, FW, NULL, 0, false},
    {"fw-4096-int64", DENSE(4096, 1000000), WIDE, FW, NULL, 0, false},
    {"fw-1024", DENSE(1024, 100000), INTS, FW, NULL, 0, false},
    {"fw-1024-tile128", DENSE(1024, 100000), INTS, FW, "tile=128", 0, false},
    {"bfs-kron20-1024", KRON(20), NONE, "multi-bfs", "sources=1024", 1024, false},
    {"bfs-kron20-512", KRON(20), NONE, "multi-bfs", "sources=512", 1024, false},
    {"bfs-kron20-64", KRON(20), NONE, "multi-bfs", "sources=64", 1024, false},
    {"bfs-kron20-push", KRON(20), NONE, "multi-bfs", "pull=0", 512, false},
    {"bfs-kron20-lanes32", KRON(20), NONE, "multi-bfs", "lanes=32", 512, false},
    {"bfs-kron20-parents", KRON(20), NONE, "multi-bfs", NULL, 512, true},
    {"bfs-grid-512", GRID, NONE, "multi-bfs", NULL, 512, false},
    {"sssp-kron18-64", KRON(18), INTS, "multi-sssp", "sources=64", 256, false},
    {"sssp-kron18-256", KRON(18), INTS, "multi-sssp", "sources=256", 256, false},
    {"sssp-kron18-hubs", KRON(18), INTS, "multi-sssp", "sources=256,hub=1e9", 256, false},
    {"sssp-kron18-delta", KRON(18), INTS, "multi-sssp", "sources=256,delta=1e6", 256, false},
    {"sssp-kron18-parents", KRON(18), INTS, "multi-sssp", "sources=256", 256, true},
    {"sssp-grid-64", GRID, INTS, "multi-sssp", "sources=64", 64, false},
    {"sssp-grid-256", GRID, INTS, "multi-sssp", "sources=256", 256, false},
    {"sssp-grid-delta", GRID, INTS, "multi-sssp", "sources=64,delta=2000", 64, false},
    {"johnson-kron18", KRON(18), BELOW, "johnson", "sources=256", 256, false},
    {"johnson-grid", GRID, BELOW, "johnson", "sources=64", 64, false},
    {"auto-dense", DENSE(4096, 1000000), INTS, "auto", NULL, 0, false},
    {"auto-sparse", KRON(16), INTS, "auto", NULL, 1024, false},
    {0}};

typedef struct {
    fr_ctx *ctx;
    fr_backend backend;
    int runs;
    double seconds;
} settings;

static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static int32_t height(int32_t v) { return (int32_t)(mix((uint64_t)(uint32_t)v + 1) % 200); }

/* Weights that may be negative, without negative cycles. *weights lives as long as the graph. */
static fr_status lift(fr_ctx *ctx, fr_graph **graph, int32_t **weights) {
    const fr_csr *from = fr_graph_csr(*graph);
    fr_graph *lifted = NULL;
    fr_csr csr = *from;
    *weights = malloc((size_t)from->m * sizeof **weights + 1);
    if (!*weights)
        return FR_NOMEM;
    for (int32_t u = 0; u < from->n; u++)
        for (int64_t e = from->offsets[u]; e < from->offsets[u + 1]; e++)
            (*weights)[e] =
                ((const int32_t *)from->weights)[e] + height(u) - height(from->targets[e]);
    csr.weights = *weights;
    csr.symmetric = false;
    return fr_graph_from_csr(ctx, &csr, &lifted) ? FR_NOMEM : (*graph = lifted, FR_OK);
}

/* Distinct sources with an edge, the same on every run; returns their number. */
static int32_t choose_sources(const fr_csr *csr, int32_t wanted, int32_t *sources) {
    int32_t count = 0;
    for (uint64_t i = 0; count < wanted && i < 64u * (uint64_t)wanted; i++) {
        int32_t v = (int32_t)(mix(i + 12345) % (uint64_t)csr->n);
        if (csr->offsets[v] < csr->offsets[v + 1])
            sources[count++] = v;
    }
    return count;
}

static fr_status check(fr_ctx *ctx, const bench_case *c, const fr_graph *graph, fr_solver *solver,
                       const int32_t *sources, int32_t count) {
    size_t n = (size_t)fr_graph_csr(graph)->n, rows = count < CHECKED ? (size_t)count : CHECKED;
    fr_type type = fr_solver_dist_type(solver);
    fr_result result = {.dist = malloc(rows * n * fr_type_size(type) + 1),
                        .parent = malloc(rows * n * sizeof(int32_t) + 1)};
    fr_query query = {.sources = sources, .source_count = (int64_t)rows};
    fr_status status = result.dist && result.parent ? fr_solve(solver, &query, &result) : FR_NOMEM;
    if (!status)
        status = fr_verify_apsp(ctx, graph, &query, c->weights == FR_WEIGHTS_NONE, result.dist,
                                type, result.parent, 0, 1);
    free(result.dist);
    free(result.parent);
    return status;
}

static int ignore(void *user, int64_t row, int32_t source, const void *dist,
                  const int32_t *parent) {
    (void)user, (void)row, (void)source, (void)dist, (void)parent;
    return 0;
}

/* Runs the case and prints its line. */
static fr_status measure(const settings *s, const bench_case *c, const fr_csr *csr,
                         fr_solver *solver, const int32_t *sources, int32_t count) {
    fr_query query = {.sources = c->rows ? sources : NULL, .source_count = c->rows ? count : 0};
    fr_result result = {0};
    double ms[MAX_RUNS], begin = now_s(), rows = c->rows ? count : csr->n;
    int runs = 0;
    if (c->parents || s->backend == FR_BACKEND_CPU) { /* a callback asks for parents, and is not
                                                         timed */
        query.row = ignore;
        query.want_parents = c->parents;
    }
    do {
        fr_status status = fr_solve(solver, &query, &result);
        if (status)
            return status;
        ms[runs++] = (double)result.stats.traverse_ns / 1e6;
    } while (runs < s->runs && now_s() - begin < s->seconds);
    qsort(ms, (size_t)runs, sizeof *ms, ascending);
    double middle = ms[runs / 2], n = csr->n;
    printf(
        "{\"kind\":\"apsp\",\"case\":\"%s\",\"graph\":\"%s\",\"n\":%d,\"m\":%" PRId64
        ",\"strategy\":\"%s\",\"knobs\":\"%s\",\"rows\":%.0f,\"parents\":%s,\"dist_type\":\"%s\","
        "\"runs\":%d,\"least_ms\":%.4f,\"median_ms\":%.4f,\"prepare_ms\":%.3f,"
        "\"ops_per_s\":%.4g,\"edges_per_s\":%.4g,\"levels\":%d,\"edges_examined\":%" PRId64
        ",\"why\":\"%s\",\"verification\":\"right\"}\n",
        c->name, c->graph, csr->n, csr->m, result.stats.strategy, c->knobs ? c->knobs : "", rows,
        c->parents ? "true" : "false", fr_type_name(fr_solver_dist_type(solver)), runs, ms[0],
        middle, (double)result.stats.prepare_ns / 1e6,
        strcmp(result.stats.strategy, FW) == 0 ? n * n * n / (middle / 1e3) : 0.0,
        rows * (double)csr->m / (middle / 1e3), result.stats.levels, result.stats.edges_examined,
        fr_solver_explain(solver));
    fflush(stdout);
    return FR_OK;
}

static fr_status one(const settings *s, const bench_case *c, const fr_graph *graph) {
    const fr_csr *csr = fr_graph_csr(graph);
    int32_t wanted = c->rows ? c->rows : CHECKED;
    int32_t *sources = malloc((size_t)wanted * sizeof *sources);
    fr_solver *solver = NULL;
    fr_solver_options options = {.strategy = c->strategy,
                                 .backend = s->backend,
                                 .knobs = s->backend == FR_BACKEND_CUDA ? c->knobs : NULL,
                                 .dist_type = c->type,
                                 .unit_weights = c->weights == FR_WEIGHTS_NONE,
                                 .max_sources = c->rows};
    int32_t count = sources ? choose_sources(csr, wanted, sources) : 0;
    fr_status status = fr_solver_new(s->ctx, graph, FR_PROBLEM_APSP, &options, &solver);
    if (!status)
        status = check(s->ctx, c, graph, solver, sources, count);
    if (!status)
        status = measure(s, c, csr, solver, sources, count);
    fr_solver_free(solver);
    free(sources);
    return status;
}

/* Consecutive cases often share a graph. */
static bool run(const settings *s, const bench_case *c) {
    fr_graph *graph = NULL, *made;
    int32_t *weights = NULL;
    fr_load_options load = {.weights = c->weights,
                            .weight_low = 1,
                            .weight_high = 255,
                            .drop_loops = true,
                            .drop_parallel = true};
    fr_status status = fr_graph_generate(s->ctx, c->graph, &load, &graph);
    made = graph;
    if (!status && c->negative)
        status = lift(s->ctx, &graph, &weights);
    if (!status)
        status = one(s, c, graph);
    if (status)
        printf("{\"kind\":\"apsp\",\"case\":\"%s\",\"skipped\":\"%s: %s\"}\n", c->name,
               fr_status_name(status), fr_ctx_error(s->ctx));
    fflush(stdout);
    if (graph != made)
        fr_graph_free(graph);
    fr_graph_free(made);
    free(weights);
    return status != FR_VERIFY_FAILED;
}

static bool is_wanted(const char *name, int argc, char **argv, int first) {
    for (int i = first; i < argc; i++)
        if (strncmp(name, argv[i], strlen(argv[i])) == 0)
            return true;
    return first >= argc;
}

int main(int argc, char **argv) {
    settings s = {.backend = FR_BACKEND_CUDA, .runs = 3, .seconds = 20};
    int first = 1;
    for (; first + 1 < argc && argv[first][0] == '-'; first += 2) {
        const char *value = argv[first + 1];
        if (strcmp(argv[first], "--backend") == 0)
            s.backend = strcmp(value, "cpu") == 0 ? FR_BACKEND_CPU : FR_BACKEND_CUDA;
        else if (strcmp(argv[first], "--runs") == 0)
            s.runs = atoi(value) < 1 ? 1 : atoi(value) > MAX_RUNS ? MAX_RUNS : atoi(value);
        else if (strcmp(argv[first], "--seconds") == 0)
            s.seconds = atof(value);
        else
            break;
    }
    if (first < argc && argv[first][0] == '-') {
        fprintf(stderr, "bench_apsp: [--backend cpu|cuda] [--runs N] [--seconds S] [CASE...]\n");
        return 2;
    }
    if (fr_ctx_new(NULL, &s.ctx))
        return 4;
    bool right = true;
    for (const bench_case *c = cases; c->name; c++)
        if (is_wanted(c->name, argc, argv, first))
            right &= run(&s, c);
    fr_ctx_free(s.ctx);
    return right ? 0 : 1;
}
