/* BFS on graphs whose levels are known without an oracle, by every strategy or those named:
 *
 *   gpu_extremes [STRATEGY...]                 degrees of 10^6 and depths beyond 10^5 (fewer where a launch takes one
 *                                              level), with limits, targets, directed edges and vertices without
 *                                              edges; after small graphs of a thousand
 *                                              sizes, in ascending order, because the shared memory of a launch may
 *                                              depend on the number of vertices, and a limit that a kernel was once
 *                                              granted persists
 *   gpu_extremes --large [STRATEGY...]         more edges than 32 bits count
 *   gpu_extremes --stress RUNS [STRATEGY...]   RUNS queries in turn: the order of threads differs from run to run, so a
 *                                              rare race can show
 *
 * The verifier of the library, which shares no code with any strategy, checks the parents. */
#include "cuda/device/gpu_strategy.h"
#include "gpu/harness.h"

static int64_t traversals, wrong;

static void fail(const char *strategy, const fr_graph *graph, int32_t source, const char *why) {
    if (++wrong <= 20)
        printf("FAILED %s on %s, source %d: %s\n", strategy, fr_graph_name(graph), source, why);
}

/* A solver by that strategy; NULL: it has failed, or there is not enough memory. */
static fr_solver *solver_by(fr_ctx *ctx, const fr_graph *graph, const char *strategy) {
    const fr_solver_options options = {.strategy = strategy, .backend = FR_BACKEND_CUDA};
    fr_solver *solver = NULL;
    const fr_status status = fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver);
    if (status == FR_NOMEM)
        printf("skip: %s: %s\n", strategy, fr_ctx_error(ctx));
    else if (status)
        fail(strategy, graph, -1, fr_ctx_error(ctx));
    return solver;
}

/* The right level of a vertex; -1: it is not reached. */
typedef int32_t (*level_fn)(int32_t source, int32_t v, int32_t parameter);

typedef struct question {
    int32_t source, limit, target; /* 0, -1: none */
} question;

/* In a query with a target other vertices may lack a level; beyond the limit all do. `level` NULL, and large graphs: the
 * verifier or the rule decide alone. */
static void check(fr_ctx *ctx, const fr_graph *graph, fr_solver *solver, const char *strategy,
                  const question *q, level_fn level_of, int32_t parameter) {
    const int32_t n = fr_graph_vertex_count(graph);
    int32_t *level = malloc(2 * (size_t)n * sizeof *level), *parent = level + n, errors = 0;
    const fr_query query = {.sources = &q->source,
                            .source_count = 1,
                            .max_level = q->limit,
                            .targets = q->target < 0 ? NULL : &q->target,
                            .target_count = q->target >= 0};
    fr_result result = {.level = level, .parent = parent};
    memset(level, 0x5a, 2 * (size_t)n * sizeof *level);
    fr_status status = fr_solve(solver, &query, &result);
    for (int32_t v = 0; !status && level_of && v < n; v++) {
        int32_t want = level_of(q->source, v, parameter);
        want = q->limit && want > q->limit ? -1 : want;
        errors += level[v] != want && (q->target < 0 || v == q->target || level[v] != -1);
    }
    if (!status && fr_graph_edge_count(graph) < INT32_MAX)
        status = fr_verify_bfs(ctx, graph, &query, level, parent);
    for (int32_t v = 0; fr_graph_edge_count(graph) >= INT32_MAX && !status && v < n; v++) {
        const int32_t p = parent[v]; /* of a band: within its reach */
        errors += v == q->source ? p != v
                                 : p < 0 || p >= n || p == v || abs(p - v) > parameter ||
                                       level[p] != level[v] - 1;
    }
    traversals++;
    if (status || errors)
        fail(strategy, graph, q->source, status ? fr_ctx_error(ctx) : "wrong levels or parents");
    free(level);
}

/* ---- large degrees, great depths ---- */

enum { TAIL = 100 };

/* Vertex 0 is the hub of 1 .. spokes; a path starts at vertex 7; the last vertex is isolated. */
static edge hub_edge(int32_t i, int32_t spokes) {
    return (edge){i < spokes ? 0 : i == spokes ? 7 : i, i + 1, 0};
}
static int32_t hub_depth(int32_t v, int32_t spokes) {
    return v == 0 ? 0 : v <= spokes ? 1 : v - spokes + 1;
}
static int32_t hub_level(int32_t source, int32_t v, int32_t spokes) {
    const int32_t isolated = spokes + TAIL + 1;
    if (v == source || v == isolated || source == isolated)
        return v == source ? 0 : -1;
    const bool on_path = (source == 7 || source > spokes) && (v == 7 || v > spokes);
    const int32_t from = hub_depth(source, spokes), to = hub_depth(v, spokes);
    return on_path ? abs(from - to) : from + to;
}

/* 1 .. spokes lead to vertex 0, which leads to as many others. */
static edge through_edge(int32_t i, int32_t spokes) {
    return (edge){i < spokes ? i + 1 : 0, i < spokes ? 0 : i + 1, 0};
}
static int32_t through_level(int32_t source, int32_t v, int32_t spokes) {
    const bool to_hub = source > 0 && source <= spokes;
    if (v == source)
        return 0;
    if (v == 0)
        return to_hub ? 1 : -1;
    return v <= spokes ? -1 : to_hub ? 2 : source == 0 ? 1 : -1;
}

static edge path_edge(int32_t i, int32_t one_way) {
    (void)one_way;
    return (edge){i, i + 1, 0};
}
static int32_t path_level(int32_t source, int32_t v, int32_t one_way) {
    return v >= source || !one_way ? abs(v - source) : -1;
}

enum { SHAPES = 4, MOST_QUESTIONS = 8 };
typedef struct shape {
    bool directed;
    int32_t n, m, parameter; /* of the functions */
    edge (*edge_of)(int32_t i, int32_t parameter);
    level_fn level;
    int question_count;
    question questions[MOST_QUESTIONS];
} shape;

/* clang-format off */
#define HUB(spokes)                                                                                \
    {false, (spokes) + TAIL + 2, (spokes) + TAIL, spokes, hub_edge, hub_level, 8,                  \
     {{0, 0, -1}, {3, 0, -1}, {(spokes) + TAIL, 0, -1}, {(spokes) + TAIL + 1, 0, -1},              \
      {0, 1, -1}, {9, 2, -1}, {0, 0, (spokes) + 3}, {5, 50, (spokes) + 9}}}
#define THROUGH(spokes)                                                                            \
    {true, 2 * (spokes) + 1, 2 * (spokes), spokes, through_edge, through_level, 5,                 \
     {{1, 0, -1}, {0, 0, -1}, {2 * (spokes), 0, -1}, {spokes, 1, -1}, {4, 0, 2 * (spokes)}}}
#define PATH(m)                                                                                    \
    {false, (m) + 1, m, false, path_edge, path_level, 1, {{0, 0, -1}}}
#define ONE_WAY(m)                                                                                 \
    {true, (m) + 1, m, true, path_edge, path_level, 2, {{0, (m) / 2, (m) / 3}, {(m) / 2, 0, -1}}}
/* clang-format on */

/* Where a launch takes one level, the host waits for each, and some strategies expand a hub by one thread. They get a
 * hub of more edges than a GPU has resident threads and a path of more levels than 16 bits count; the last path is
 * short, since limits and targets are the driver's. */
static const shape shapes[SHAPES] = {HUB(1000000), THROUGH(1000000), PATH(100200), ONE_WAY(100200)};
static const shape shapes_by_level[SHAPES] = {HUB(300000), THROUGH(300000), PATH(66000),
                                              ONE_WAY(3000)};

static const shape *shapes_for(const char *strategy) {
    const fri_strategy *s = fri_strategy_find(FR_PROBLEM_BFS, FR_BACKEND_CUDA, strategy);
    return s->gpu->run_level ? shapes_by_level : shapes;
}

static fr_graph *graph_of(fr_ctx *ctx, const shape *s) {
    edge *edges = malloc((size_t)s->m * sizeof *edges);
    for (int32_t i = 0; i < s->m; i++)
        edges[i] = s->edge_of(i, s->parameter);
    fr_graph *graph = graph_of_edges(ctx, s->n, s->m, edges, FR_TYPE_NONE,
                                     s->directed ? FR_DIRECTION_DIRECTED : FR_DIRECTION_UNDIRECTED);
    free(edges);
    return graph;
}

/* A tree of two edges a vertex; `dense`: of four, to the vertex before, too. */
static void one_size(fr_ctx *ctx, int32_t n, bool dense, const char *strategy) {
    static edge edges[8000];
    int32_t m = 0;
    for (int32_t i = 1; i < n; i++) {
        edges[m++] = (edge){i, (i - 1) / 2, 0};
        edges[m] = (edge){i, i - 1, 0};
        m += dense;
    }
    fr_graph *graph = graph_of_edges(ctx, n, m, edges, FR_TYPE_NONE, FR_DIRECTION_FILE);
    fr_solver *solver = solver_by(ctx, graph, strategy);
    if (solver)
        check(ctx, graph, solver, strategy, &(question){n / 3, 0, -1}, NULL, 0);
    fr_solver_free(solver);
    fr_graph_free(graph);
}

static void sizes(fr_ctx *ctx, const char *strategy) {
    for (int32_t n = 8; n <= 4000; n += 8)
        for (int dense = 0; dense < 2; dense++)
            one_size(ctx, n, dense, strategy);
}

static void one_shape(fr_ctx *ctx, const fr_graph *graph, const shape *s, const char *strategy) {
    fr_solver *solver = solver_by(ctx, graph, strategy);
    for (int i = 0; solver && i < s->question_count; i++)
        check(ctx, graph, solver, strategy, &s->questions[i], s->level, s->parameter);
    fr_solver_free(solver);
}

/* The strategies that are asked on such a shape. */
static void all_by(fr_ctx *ctx, const shape *of, int nth, int argc, char **argv) {
    fr_strategy_info strategy = {0};
    fr_graph *graph = NULL;
    for (int r = 0; cf_strategy(FR_PROBLEM_BFS, r, &strategy); r++) {
        if (shapes_for(strategy.name) != of || !cf_strategy_chosen(strategy.name, argc, argv))
            continue;
        if (!graph)
            graph = graph_of(ctx, &of[nth]);
        one_shape(ctx, graph, &of[nth], strategy.name);
    }
    fr_graph_free(graph);
}

static void extremes(fr_ctx *ctx, int argc, char **argv) {
    fr_strategy_info strategy = {0};
    for (int r = 0; cf_strategy(FR_PROBLEM_BFS, r, &strategy); r++)
        if (cf_strategy_chosen(strategy.name, argc, argv))
            sizes(ctx, strategy.name);
    for (int nth = 0; nth < SHAPES; nth++) {
        all_by(ctx, shapes, nth, argc, argv);
        all_by(ctx, shapes_by_level, nth, argc, argv);
    }
}

/* ---- more edges than 32 bits count ---- */

/* A band of n = 131,072 vertices, each joined to all within `reach` of it. A reach of 9,000 gives 2.28e9 edges, more than
 * int32_t holds; 18,000 gives 4.39e9, more than uint32_t holds, so the device keeps 64-bit offsets. Needs 9 and 18 GB on
 * the host and as much on the device (twice for strategies with an array per edge). */
enum { BAND_N = 131072 };

static int32_t first_of(int32_t v, int32_t reach) { return v < reach ? 0 : v - reach; }
static int32_t last_of(int32_t v, int32_t reach) {
    return v + reach >= BAND_N ? BAND_N - 1 : v + reach;
}
static int32_t band_level(int32_t source, int32_t v, int32_t reach) {
    return (abs(v - source) + reach - 1) / reach;
}

/* The targets, in the arrays that the graph borrows; NULL: not enough memory. */
static int32_t *make_band(int32_t reach, int64_t *offsets) {
    offsets[0] = 0;
    for (int32_t v = 0; v < BAND_N; v++)
        offsets[v + 1] = offsets[v] + last_of(v, reach) - first_of(v, reach);
    int32_t *targets = malloc((size_t)offsets[BAND_N] * sizeof *targets);
#pragma omp parallel for schedule(static)
    for (int32_t v = 0; v < (targets ? BAND_N : 0); v++) {
        int32_t *to = targets + offsets[v];
        for (int32_t u = first_of(v, reach); u <= last_of(v, reach); u++)
            if (u != v)
                *to++ = u;
    }
    return targets;
}

/* From one end, whose last levels read the last offsets, and from near the middle. */
static void one_band(fr_ctx *ctx, int32_t reach, int argc, char **argv) {
    static int64_t offsets[BAND_N + 1];
    static const question ends[] = {{0, 0, -1}, {BAND_N / 2 + 5, 0, -1}};
    fr_strategy_info strategy = {0};
    fr_graph *graph = NULL;
    int32_t *targets = make_band(reach, offsets);
    const fr_csr csr = {.n = BAND_N,
                        .m = offsets[BAND_N],
                        .offsets = offsets,
                        .targets = targets,
                        .symmetric = true};
    if (!targets)
        printf("skip: no memory for a band of reach %d\n", reach);
    else if (fr_graph_from_csr(ctx, &csr, &graph))
        cf_give_up(ctx, "a band");
    for (int r = 0; graph && cf_strategy(FR_PROBLEM_BFS, r, &strategy); r++) {
        fr_solver *solver = cf_strategy_chosen(strategy.name, argc, argv)
                                ? solver_by(ctx, graph, strategy.name)
                                : NULL;
        for (int i = 0; solver && i < COUNT(ends); i++)
            check(ctx, graph, solver, strategy.name, &ends[i], band_level, reach);
        fr_solver_free(solver);
    }
    fr_graph_free(graph);
    free(targets);
}

/* ---- many times the same ---- */

static void stress(fr_ctx *ctx, int64_t runs, int argc, char **argv) {
    static const struct {
        const char *description;
        fr_direction direction;
    } graphs[] = {{"kronecker:scale=14,seed=7", FR_DIRECTION_FILE},
                  {"kronecker:scale=15,seed=8", FR_DIRECTION_DIRECTED},
                  {"grid2d:rows=60,cols=400", FR_DIRECTION_FILE},
                  {"grid2d:rows=300,cols=40", FR_DIRECTION_DIRECTED}};
    enum { SOURCES = 8 };
    fr_strategy_info strategy = {0};
    for (int g = 0; g < COUNT(graphs); g++) {
        fr_graph *graph = graph_generate(ctx, graphs[g].description,
                                         (fr_load_options){.direction = graphs[g].direction});
        const fr_csr *csr = fr_graph_csr(graph);
        question from[SOURCES];
        for (int s = 0; s < SOURCES; s++) {
            int32_t v = (int32_t)((int64_t)s * csr->n / SOURCES);
            while (csr->offsets[v] == csr->offsets[v + 1])
                v = (v + 1) % csr->n;
            from[s] = (question){v, 0, -1};
        }
        for (int r = 0; cf_strategy(FR_PROBLEM_BFS, r, &strategy); r++) {
            fr_solver *solver = cf_strategy_chosen(strategy.name, argc, argv)
                                    ? solver_by(ctx, graph, strategy.name)
                                    : NULL;
            for (int64_t i = 0; solver && i < runs / COUNT(graphs); i++)
                check(ctx, graph, solver, strategy.name, &from[i % SOURCES], NULL, 0);
            fr_solver_free(solver);
        }
        fr_graph_free(graph);
    }
}

int main(int argc, char **argv) {
    const bool large = argc > 1 && strcmp(argv[1], "--large") == 0,
               many = argc > 2 && strcmp(argv[1], "--stress") == 0;
    cf_backend = FR_BACKEND_CUDA;
    fr_ctx *ctx = cf_device_context(FR_PROBLEM_BFS, ON_HOST);
    if (!ctx)
        return 77;
    if (large)
        for (int32_t reach = 9000; reach <= 18000; reach += 9000)
            one_band(ctx, reach, argc - 1, argv + 1);
    else if (many)
        stress(ctx, atoll(argv[2]), argc - 2, argv + 2);
    else
        extremes(ctx, argc, argv);
    fr_ctx_free(ctx);
    printf("%s: %lld traversals, %lld failed\n",
           large  ? "large"
           : many ? "stress"
                  : "extremes",
           (long long)traversals, (long long)wrong);
    return wrong || !traversals;
}
