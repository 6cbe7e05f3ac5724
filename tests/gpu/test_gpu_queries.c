/* Queries that the host completes for every strategy for the GPU: closed vertices and edges, and all
 * pairs with columns, limits and nearest parents. Every answer is compared with that of the CPU, and
 * checked. Runs on the host (FRI_SIMT) and on a GPU. */
#include "conformance/choose.h"
#include "conformance/harness.h"
#include "fringe.h"
#include "gpu/gpu_check.h"
#include "gpu/gpu_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 60, M = 240, COLUMNS = 7, SOURCES = 9, WORDS = 16 };

typedef struct {
    fr_ctx *ctx;
    const cf_graph *g;
    fr_problem problem;
    const char *strategy;
} cell;

static fr_solver *make(const cell *c, const char *strategy, fr_backend backend) {
    fr_solver_options options = {.strategy = strategy, .backend = backend};
    fr_solver *solver = NULL;
    fr_status status = fr_solver_new(c->ctx, c->g->graph, c->problem, &options, &solver);
    CHECK(!status || status == FR_UNSUPPORTED, "%s: %s", strategy, fr_ctx_error(c->ctx));
    return solver;
}

static fr_status check(const cell *c, const fr_query *query, fr_type type, const void *values,
                       const int32_t *parent) {
    const fr_graph *graph = c->g->graph;
    if (c->problem == FR_PROBLEM_BFS)
        return fr_verify_bfs(c->ctx, graph, query, values, parent);
    return c->problem == FR_PROBLEM_SSSP
               ? fr_verify_sssp(c->ctx, graph, query, false, values, type, parent)
               : fr_verify_apsp(c->ctx, graph, query, false, values, type, parent, 0, 1);
}

/* The query on the GPU's solver and the CPU's, which may have had other queries before. */
static void compare(const cell *c, fr_solver *gpu, fr_solver *cpu, const fr_query *query,
                    const char *what) {
    static int32_t parent[N * N], other_parent[N * N], values[N * N], others[N * N];
    bool levels = c->problem == FR_PROBLEM_BFS, rows = c->problem == FR_PROBLEM_APSP;
    size_t count = !rows ? N : (query->sources ? (size_t)query->source_count : N);
    count *= rows ? (query->target_count ? (size_t)query->target_count : N) : 1;
    fr_result here = {.parent = parent}, there = {.parent = other_parent};
    here.level = levels ? values : NULL;
    here.dist = levels ? NULL : values;
    there.level = levels ? others : NULL;
    there.dist = levels ? NULL : others;
    fr_status status = fr_solve(gpu, query, &here);
    CHECK(!status, "%s, %s: %s", c->strategy, what, fr_ctx_error(c->ctx));
    if (status)
        return;
    CHECK(!fr_solve(cpu, query, &there), "%s, %s: %s", c->strategy, what, fr_ctx_error(c->ctx));
    CHECK(memcmp(values, others, count * sizeof *values) == 0, "%s, %s", c->strategy, what);
    if (query->parent_rule)
        CHECK(memcmp(parent, other_parent, count * sizeof *parent) == 0, "%s, %s: parents",
              c->strategy, what);
    CHECK(!check(c, query, FR_TYPE_I32, values, parent), "%s, %s: %s", c->strategy, what,
          fr_ctx_error(c->ctx));
}

static void closed(const cell *c, fr_solver *gpu, fr_solver *cpu) {
    const int32_t sources[] = {3, 40};
    uint64_t vertices[WORDS] = {UINT64_C(0x0040200010080402)}, edges[WORDS] = {0};
    for (int i = 0; i < WORDS; i++)
        edges[i] = UINT64_C(0x8040100204010081) >> i;
    bool rows = c->problem == FR_PROBLEM_APSP;
    fr_query query = {.sources = sources, .source_count = rows ? 1 : 2};
    query.closed_vertices = vertices;
    compare(c, gpu, cpu, &query, "closed vertices");
    query.closed_edges = edges;
    compare(c, gpu, cpu, &query, "closed vertices and edges");
    query.closed_vertices = query.closed_edges = NULL;
    compare(c, gpu, cpu, &query, "nothing closed");
    query.closed_edges = edges;
    compare(c, gpu, cpu, &query, "closed edges");
}

static void columns(const cell *c, fr_solver *gpu, fr_solver *cpu) {
    int32_t sources[SOURCES], targets[COLUMNS];
    for (int i = 0; i < SOURCES; i++)
        sources[i] = (i * 17) % N;
    for (int i = 0; i < COLUMNS; i++)
        targets[i] = (i * 23) % (N / 2);
    fr_query query = {.targets = targets, .target_count = COLUMNS};
    compare(c, gpu, cpu, &query, "columns of all rows");
    query.sources = sources;
    query.source_count = SOURCES;
    query.parent_rule = FR_PARENT_NEAREST;
    compare(c, gpu, cpu, &query, "columns of rows, nearest parents");
    query.targets = NULL;
    query.target_count = 0;
    query.max_distance = 6;
    compare(c, gpu, cpu, &query, "limit, nearest parents");
    query.parent_rule = FR_PARENT_ANY;
    query.sources = NULL;
    compare(c, gpu, cpu, &query, "limit of all rows");
}

static void run(fr_ctx *ctx, const cf_graph *g, fr_problem problem, const char *strategy) {
    cell c = {ctx, g, problem, strategy};
    fr_solver *gpu = make(&c, strategy, FR_BACKEND_CUDA),
              *cpu = gpu ? make(&c, "auto", FR_BACKEND_CPU) : NULL;
    if (gpu && cpu) {
        closed(&c, gpu, cpu);
        if (problem == FR_PROBLEM_APSP)
            columns(&c, gpu, cpu);
    }
    fr_solver_free(gpu);
    fr_solver_free(cpu);
}

/* Results in device memory that the host would complete are refused. */
static void refuses(fr_ctx *ctx, const cf_graph *g) {
    cell c = {ctx, g, FR_PROBLEM_APSP, "auto"};
    fr_solver *gpu = make(&c, "auto", FR_BACKEND_CUDA);
    int32_t target = 1, dist[N];
    fr_query query = {.targets = &target, .target_count = 1, .result_memory = FR_MEMORY_DEVICE};
    fr_result result = {.dist = dist};
    CHECK(fr_solve(gpu, &query, &result) == FR_UNSUPPORTED, "columns in device memory");
    CHECK(strstr(fr_ctx_error(ctx), "host memory"), "%s", fr_ctx_error(ctx));
    fr_solver_free(gpu);
}

int main(void) {
    cf_backend = FR_BACKEND_CUDA;
    fr_ctx *ctx = cf_device_context(FR_PROBLEM_APSP, ON_HOST);
    if (!ctx)
        return 77;
    for (int kind = 0; kind < 4; kind++) { /* directed and not, with weights and without */
        cf_random_kind random = {
            .weights = kind & 1 ? CF_I32 : CF_NONE, .low = 1, .high = 5, .directed = kind >= 2};
        uint64_t state = 7 + (uint64_t)kind;
        cf_graph *g = cf_random_graph(ctx, N, M, &random, &state);
        if (!g || fr_graph_edge_count(g->graph) > 64 * WORDS)
            return 1;
        for (fr_problem p = 0; p < FR_PROBLEM_COUNT; p++) {
            fr_strategy_info strategy = {0};
            for (int i = 0; cf_strategy(p, i, &strategy); i++)
                run(ctx, g, p, strategy.name);
        }
        refuses(ctx, g);
        cf_graph_free(g);
    }
    fr_ctx_free(ctx);
    return checks_end("queries on the GPU");
}
