/* Degrees of 10^6 and depths beyond 10^5: `gpu_extremes [STRATEGY...]` runs each BFS strategy,
 * or those named, on graphs whose levels are known without an oracle; with limits, targets,
 * directed edges, and vertices without edges. The verifier of the library, which shares no code
 * with any strategy, checks the parents. Small graphs of a thousand sizes run first, in ascending
 * order, because the shared memory of a launch may depend on the number of vertices and a limit
 * that a kernel was once granted persists. */
#include "conformance/choose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MILLION = 1000000, TAIL = 100, DEEP = 100200 };

typedef struct shape {
    const char *name;
    bool directed;
    int32_t n, m;
    void (*edge)(int32_t i, int32_t *u, int32_t *v);
    int32_t (*level)(int32_t source, int32_t v); /* -1: not reached */
} shape;

/* Vertex 0 is the hub of 1 .. 10^6; a path starts at vertex 7; the last vertex is isolated. */
enum { HUB_N = MILLION + TAIL + 2 };
static void hub_edge(int32_t i, int32_t *u, int32_t *v) {
    *u = i < MILLION ? 0 : i == MILLION ? 7 : i;
    *v = i + 1;
}
static int32_t hub_depth(int32_t v) { return v == 0 ? 0 : v <= MILLION ? 1 : v - MILLION + 1; }
static int32_t hub_level(int32_t source, int32_t v) {
    if (v == source || v == HUB_N - 1 || source == HUB_N - 1)
        return v == source ? 0 : -1;
    if (source == 0 || v == 0)
        return hub_depth(source) + hub_depth(v);
    bool source_below = source == 7 || source > MILLION, below = v == 7 || v > MILLION;
    return source_below && below ? abs(hub_depth(source) - hub_depth(v))
                                 : hub_depth(source) + hub_depth(v);
}

/* 1 .. 10^6 lead to vertex 0, which leads to 10^6 others. */
static void through_edge(int32_t i, int32_t *u, int32_t *v) {
    *u = i < MILLION ? i + 1 : 0;
    *v = i < MILLION ? 0 : i + 1;
}
static int32_t through_level(int32_t source, int32_t v) {
    if (v == source)
        return 0;
    bool to_hub = source > 0 && source <= MILLION;
    if (v == 0)
        return to_hub ? 1 : -1;
    return v <= MILLION ? -1 : to_hub ? 2 : source == 0 ? 1 : -1;
}

static void path_edge(int32_t i, int32_t *u, int32_t *v) {
    *u = i;
    *v = i + 1;
}
static int32_t path_level(int32_t source, int32_t v) { return abs(v - source); }
static int32_t one_way_level(int32_t source, int32_t v) { return v >= source ? v - source : -1; }

static const shape shapes[] = {
    {"hub", false, HUB_N, MILLION + TAIL, hub_edge, hub_level},
    {"through", true, 2 * MILLION + 1, 2 * MILLION, through_edge, through_level},
    {"path", false, DEEP + 1, DEEP, path_edge, path_level},
    {"one-way path", true, DEEP + 1, DEEP, path_edge, one_way_level},
};

typedef struct question {
    int shape;
    int32_t source, limit, target; /* 0, -1: none */
} question;
static const question questions[] = {
    {0, 0, 0, -1},          {0, 3, 0, -1}, {0, MILLION + TAIL, 0, -1}, {0, HUB_N - 1, 0, -1},
    {0, 0, 1, -1},          {0, 9, 2, -1}, {0, 0, 0, MILLION + 3},     {0, 5, 50, MILLION + 9},
    {1, 1, 0, -1},          {1, 0, 0, -1}, {1, 2 * MILLION, 0, -1},    {1, MILLION, 1, -1},
    {1, 4, 0, 2 * MILLION}, {2, 0, 0, -1}, {3, 0, DEEP / 2, DEEP / 3}, {3, DEEP / 2, 0, -1},
};
enum { QUESTIONS = sizeof questions / sizeof *questions };

static fr_graph *graph_of(fr_ctx *ctx, const shape *s) {
    int32_t *u = malloc((size_t)s->m * sizeof *u), *v = malloc((size_t)s->m * sizeof *v);
    fr_load_options options = {.direction =
                                   s->directed ? FR_DIRECTION_DIRECTED : FR_DIRECTION_UNDIRECTED};
    fr_graph *graph;
    if (!u || !v)
        cf_give_up(NULL, "memory for edges");
    for (int32_t i = 0; i < s->m; i++)
        s->edge(i, &u[i], &v[i]);
    if (fr_graph_from_edges(ctx, s->n, s->m, u, v, NULL, FR_TYPE_NONE, &options, &graph))
        cf_give_up(ctx, s->name);
    free(u);
    free(v);
    return graph;
}

/* Counts wrong levels. In a query with a target other vertices may lack a level; beyond the limit all do. */
static int32_t wrong_levels(const shape *s, const question *q, const int32_t *level) {
    int32_t wrong = 0;
    for (int32_t v = 0; v < s->n; v++) {
        int32_t want = s->level(q->source, v);
        want = q->limit && want > q->limit ? -1 : want;
        wrong += level[v] != want && (q->target < 0 || v == q->target || level[v] != -1);
    }
    return wrong;
}

static bool is_right(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver, const question *q) {
    static int32_t level[2 * MILLION + 1], parent[2 * MILLION + 1];
    fr_query query = {.sources = &q->source,
                      .source_count = 1,
                      .max_level = q->limit,
                      .targets = q->target < 0 ? NULL : &q->target,
                      .target_count = q->target >= 0};
    fr_result result = {.level = level, .parent = parent};
    memset(level, 0x5a, sizeof level);
    if (fr_solve(solver, &query, &result) || fr_verify_bfs(ctx, graph, &query, level, parent)) {
        printf("%s\n", fr_ctx_error(ctx));
        return false;
    }
    int32_t wrong = wrong_levels(&shapes[q->shape], q, level);
    if (wrong)
        printf("%d wrong levels\n", wrong);
    return !wrong;
}

static int ask(fr_ctx *ctx, const fr_graph *graph, int which, const char *strategy) {
    fr_solver_options options = {.strategy = strategy, .backend = FR_BACKEND_CUDA};
    fr_solver *solver;
    int failures = 0;
    if (fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver)) {
        printf("FAILED %s: %s\n", strategy, fr_ctx_error(ctx));
        return 1;
    }
    for (const question *q = questions; q < questions + QUESTIONS; q++)
        if (q->shape == which && !is_right(ctx, graph, solver, q)) {
            printf("FAILED %s on %s from %d, limit %d, target %d\n", strategy, shapes[which].name,
                   q->source, q->limit, q->target);
            failures++;
        }
    fr_solver_free(solver);
    return failures;
}

enum { MIN_SIZE = 8, MAX_SIZE = 4000, SIZE_STEP = 8, SIZES = MAX_SIZE / SIZE_STEP * 2 };

/* A tree of two edges a vertex; `dense`: of four, to the vertex before, too. */
static fr_graph *tree_of(fr_ctx *ctx, int32_t n, bool dense) {
    static int32_t u[2 * MAX_SIZE], v[2 * MAX_SIZE];
    fr_graph *graph;
    int32_t m = 0;
    for (int32_t i = 1; i < n; i++) {
        u[m] = i;
        v[m++] = (i - 1) / 2;
        u[m] = i;
        v[m] = i - 1;
        m += dense;
    }
    if (fr_graph_from_edges(ctx, n, m, u, v, NULL, FR_TYPE_NONE, NULL, &graph))
        cf_give_up(ctx, "a tree");
    return graph;
}

static bool size_is_right(fr_ctx *ctx, int32_t n, bool dense, const char *strategy) {
    static int32_t level[MAX_SIZE], parent[MAX_SIZE];
    const fr_solver_options options = {.strategy = strategy, .backend = FR_BACKEND_CUDA};
    const int32_t source = n / 3;
    const fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.level = level, .parent = parent};
    fr_solver *solver = NULL;
    fr_graph *graph = tree_of(ctx, n, dense);
    fr_status status = fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver);
    if (!status)
        status = fr_solve(solver, &query, &result);
    if (!status)
        status = fr_verify_bfs(ctx, graph, &query, level, parent);
    if (status)
        printf("FAILED %s on %d vertices, %s edges: %s\n", strategy, n, dense ? "4 n" : "2 n",
               fr_ctx_error(ctx));
    fr_solver_free(solver);
    fr_graph_free(graph);
    return !status;
}

static int ask_sizes(fr_ctx *ctx, const char *row) {
    int failures = 0;
    for (int32_t n = MIN_SIZE; n <= MAX_SIZE; n += SIZE_STEP)
        failures += !size_is_right(ctx, n, false, row) + !size_is_right(ctx, n, true, row);
    return failures;
}

int main(int argc, char **argv) {
    fr_ctx *ctx;
    fr_strategy_info strategy = {0};
    int failures = 0, rows = 0;
    cf_backend = FR_BACKEND_CUDA;
    ctx = cf_device_context(FR_PROBLEM_BFS, false);
    if (!ctx)
        return 77;
    for (int r = 0; cf_strategy(FR_PROBLEM_BFS, r, &strategy); r++)
        failures +=
            cf_strategy_chosen(strategy.name, argc, argv) ? ask_sizes(ctx, strategy.name) : 0;
    for (int s = 0; s < (int)(sizeof shapes / sizeof *shapes); s++) {
        fr_graph *graph = graph_of(ctx, &shapes[s]);
        for (int r = 0; cf_strategy(FR_PROBLEM_BFS, r, &strategy); r++)
            if (cf_strategy_chosen(strategy.name, argc, argv)) {
                failures += ask(ctx, graph, s, strategy.name);
                rows += s == 0;
            }
        fr_graph_free(graph);
    }
    fr_ctx_free(ctx);
    printf("degrees of 10^6, depths beyond 10^5, a thousand sizes: %d traversals, %d failed\n",
           rows * (QUESTIONS + SIZES), failures);
    return failures || !rows;
}
