/* Every APSP strategy for the GPU on graphs, queries and knobs drawn from a seed: numbers of vertices and of sources around
 * a warp, a word, a tile and a batch, sources repeated and in any order, parallel edges and loops, weights and distances
 * of every type, closed vertices and edges, reversed edges, targets, limits, parents by either rule, rows by arrays and
 * by callback. Compared with the CPU and verified. Then degrees, batches and blocks that meet a knob, the matrix in place
 * and larger than the GPU's memory, refusals, negative cycles, sums at the ends of int32. The first argument is the only
 * strategy to run, further ones the only parts; --strategies lists the strategies. FRINGE_REDUCED=N: N cases per strategy. */
#include "core/gpu_interface.h"
#include "gpu/cross.h"

enum { MAX_SOURCES = 140, MAX_TARGETS = 9, MAX_N = 1025 };
enum {
    CASES = ON_HOST ? 28 : 1000,
    FULL_CASES = 300,
    MATRIX = ON_HOST ? 65 : 600 /* n of all rows */
};
/* Vertices, sources, sources at once. */
static const int32_t bounds[] = {1, 2, 31, 32, 33, 63, 64, 65, 128, 129, 255, 257, 1023, MAX_N};
enum { MEDIUM = 10, BOUNDS = ON_HOST ? MEDIUM : COUNT(bounds) };

/* Integers from `low` to `high`, stored as `type`, with potentials up to `potential`, by which some fall below 0. */
typedef struct weights {
    fr_type type, dist;
    int low, high, potential;
    bool unit;
} weights;
static const weights all_weights[] = {
    {.type = FR_TYPE_NONE},
    {.type = FR_TYPE_NONE, .dist = FR_TYPE_I64},
    {.type = FR_TYPE_I32, .low = 1, .high = 9, .unit = true},
    {.type = FR_TYPE_I32, .low = 1, .high = 9},
    {.type = FR_TYPE_I32, .low = 0, .high = 2},
    {.type = FR_TYPE_I32, .low = 0, .high = 9, .potential = 40},
    {.type = FR_TYPE_I32, .low = 0, .high = 1, .potential = 3, .dist = FR_TYPE_I64},
    {.type = FR_TYPE_I32, .low = -1, .high = 99}, /* negative cycles, in some graphs */
    {.type = FR_TYPE_I32, .low = 1 << 27, .high = 1 << 28, .dist = FR_TYPE_I64},
    {.type = FR_TYPE_I32, .low = 1 << 28, .high = 1 << 29}, /* some sums do not fit */
    {.type = FR_TYPE_I64, .low = 0, .high = 9},
    {.type = FR_TYPE_F32, .low = 0, .high = 2},
    {.type = FR_TYPE_F32, .low = 8000001, .high = 8000009, .dist = FR_TYPE_F64},
    {.type = FR_TYPE_F32, .low = 0, .high = 2, .potential = 7, .dist = FR_TYPE_F64},
    {.type = FR_TYPE_F64, .low = 100000001, .high = 100000009},
};

typedef struct drawn {
    uint64_t state;
    ask a;
    int32_t sources[MAX_SOURCES], targets[MAX_TARGETS];
    uint64_t *closed_vertices, *closed_edges;
    char knobs[CF_KNOBS_TEXT];
} drawn;

static int below(drawn *d, int count) { return cf_between(&d->state, 0, count - 1); }

/* A path, or edges between any vertices: few, some, or so many that a vertex has several runs of them. */
static fr_graph *draw_graph(fr_ctx *ctx, drawn *d, const weights *w, int32_t n) {
    const int32_t many[] = {n - 1, n, 3 * n, 3 * n, n <= 65 ? n * n / 4 : n, n <= 2 ? 3000 : n};
    const int how = below(d, COUNT(many));
    const bool path = !how && n <= 33, directed = w->potential || w->low < 0 || below(d, 2);
    edge *edges = malloc(((size_t)many[how] + 1) * sizeof *edges);
    int32_t height[MAX_N];
    for (int32_t v = 0; v < n; v++)
        height[v] = below(d, w->potential + 1);
    for (int32_t e = 0; e < many[how]; e++) {
        const int32_t u = path ? e : below(d, n), v = path ? e + 1 : below(d, n);
        edges[e] = (edge){u, v, cf_between(&d->state, w->low, w->high) + height[u] - height[v]};
    }
    fr_graph *graph = graph_of_edges(ctx, n, many[how], edges, w->type,
                                     directed ? FR_DIRECTION_DIRECTED : FR_DIRECTION_UNDIRECTED);
    free(edges);
    return graph;
}

static uint64_t *draw_bits(drawn *d, int64_t count) {
    uint64_t *bits = calloc((size_t)count / 64 + 1, sizeof *bits);
    for (int64_t i = 0; i < count; i++)
        bits[i / 64] |= (uint64_t)!below(d, 8) << i % 64;
    return bits;
}

/* The second is the first again. */
static const int32_t *draw_vertices(drawn *d, int32_t *list, int64_t count, int32_t n) {
    for (int64_t i = 0; i < count; i++)
        list[i] = i == 1 ? list[0] : below(d, n);
    return list;
}

static void draw_query(drawn *d, const weights *w, const fr_csr *csr) {
    fr_query *q = &d->a.query;
    if (csr->n > MATRIX || below(d, 2)) {
        q->source_count = bounds[below(d, MEDIUM)];
        q->sources = draw_vertices(d, d->sources, q->source_count, csr->n);
    }
    q->parent_rule = w->type >= FR_TYPE_F32 || !below(d, 3) ? FR_PARENT_ANY : FR_PARENT_MIN_ID;
    d->a.options.reverse = !below(d, 4);
    if (!below(d, 4))
        q->closed_vertices = d->closed_vertices = draw_bits(d, csr->n);
    if (!below(d, 4) && !d->a.options.reverse)
        q->closed_edges = d->closed_edges = draw_bits(d, csr->m);
    if (!below(d, 4)) {
        q->target_count = 1 + below(d, MAX_TARGETS);
        q->targets = draw_vertices(d, d->targets, q->target_count, csr->n);
    }
    q->limit_distance = w->high <= 99 && !below(d, 3);
    q->max_distance = q->limit_distance ? below(d, 2 * w->high + 3) : 0;
}

/* Knobs in any combination, or the defaults with so many sources at once; few batches, few steps. */
static void draw_knobs(drawn *d, const weights *w, const fr_strategy_info *strategy) {
    const int at_once = bounds[below(d, 8)];
    const int64_t rows = d->a.query.sources ? d->a.query.source_count : 65;
    if (strcmp(strategy->name, "auto") == 0)
        return;
    if (!below(d, 3) && strcmp(strategy->name, "floyd-warshall") &&
        strcmp(strategy->name, "each-sssp"))
        snprintf(d->knobs, sizeof d->knobs, "sources=%d", at_once);
    else if (below(d, 6) && w->high <= 99)
        cf_mix_knobs(strategy, d->state, d->knobs);
    if (strstr(d->knobs, "delta=0.0") ||
        (rows > 9 &&
         (at_once <= 2 || strstr(d->knobs, "sources=1,") || strstr(d->knobs, "sources=2,"))))
        d->knobs[0] = 0;
}

static bool takes(const fr_strategy_info *strategy, const weights *w) {
    if (w->type == FR_TYPE_I64)
        return strcmp(strategy->name, "auto") == 0 || strcmp(strategy->name, "each-sssp") == 0 ||
               strcmp(strategy->name, "multi-sssp") == 0;
    return (!w->type || w->unit || strcmp(strategy->name, "multi-bfs")) &&
           ((w->low >= 0 && !w->potential) || cf_takes_negative(strategy));
}

/* The n-th case takes the next weights that the strategy takes. */
static void draw(fr_ctx *ctx, drawn *d, const fr_strategy_info *strategy, int nth) {
    const weights *w = &all_weights[nth % COUNT(all_weights)];
    while (!takes(strategy, w))
        w = w + 1 == all_weights + COUNT(all_weights) ? all_weights : w + 1;
    d->state = (uint64_t)nth * 256 + (uint8_t)strategy->name[0];
    d->a = (ask){
        .ctx = ctx,
        .name = strategy->name,
        .graph = draw_graph(ctx, d, w, bounds[below(d, BOUNDS)]),
        .problem = FR_PROBLEM_APSP,
        .options = {.strategy = strategy->name, .dist_type = w->dist, .unit_weights = w->unit}};
    draw_query(d, w, fr_graph_csr(d->a.graph));
    draw_knobs(d, w, strategy);
}

/* What the checkers take: the graph reversed before. */
static void check_drawn(ask a, const answer *got) {
    fr_graph *graph = a.graph;
    if (a.options.reverse && fr_graph_transpose(a.ctx, graph, &a.graph))
        cf_give_up(a.ctx, "the transposed graph");
    check_verified(&a, got);
    if (a.graph != graph)
        fr_graph_free(a.graph);
}

static void one(fr_ctx *ctx, const fr_strategy_info *strategy, int nth) {
    const int before = failures;
    drawn d = {0};
    draw(ctx, &d, strategy, nth);
    const int outputs = below(&d, 4) ? VALUES | PARENTS : VALUES;
    const bool by_row = !below(&d, 3), rule = d.a.query.parent_rule == FR_PARENT_MIN_ID;
    simt_seed((uint64_t)nth + 1);
    const size_t held = simt_held_bytes(ctx);
    answer want = answer_on_cpu(&d.a);
    d.a.options.knobs = d.knobs;
    d.a.options.counters = fri_gpu_kernels_count();
    fr_solver *solver = solver_new(ctx, d.a.graph, FR_PROBLEM_APSP, d.a.options);
    if (solver) {
        answer got = by_row ? answer_by_row(d.a, solver, outputs)
                            : answer_at(&d.a, solver, PAGEABLE, outputs);
        check_same(&d.a, &want, &got, rule ? outputs : VALUES, -1, by_row ? "by row" : "whole");
        if (!got.status && outputs & PARENTS)
            check_drawn(d.a, &got);
        answer_free(&got);
    }
    fr_solver_free(solver);
    CHECK(simt_held_bytes(ctx) == held, "device memory is left behind");
    if (failures > before)
        printf("  case %d of %s: %d vertices\n", nth, strategy->name,
               fr_graph_vertex_count(d.a.graph));
    answer_free(&want);
    fr_graph_free(d.a.graph);
    free(d.closed_vertices);
    free(d.closed_edges);
}

static bool is_chosen(const char *name) {
    return !only_strategy || strcmp(only_strategy, name) == 0;
}

static void drawn_cases(fr_ctx *ctx) {
    const int count = cf_reduced()                  ? cf_reduced()
                      : ON_HOST && !host_is_brief() ? FULL_CASES
                                                    : CASES;
    fr_strategy_info strategy = {0};
    for (int r = 0; cf_strategy(FR_PROBLEM_APSP, r, &strategy); r++)
        for (int i = 0; i < count && is_chosen(strategy.name); i += strategy.knobs ? 1 : 4)
            one(ctx, &strategy, i);
}

/* What meets a knob or the memory, with the smallest parents, and what is refused: `words` of the message. */
static const struct special {
    const char *strategy, *graph, *knobs;
    double high; /* weights from 0 to this; 0: none */
    fr_type type;
    int64_t sources;
    size_t bytes;
    const char *words;
    bool any; /* parents by any rule */
} specials[] = {
    {"floyd-warshall", "uniform:n=66,edges=200,seed=1", "", 9, .bytes = 100000 /* streams */},
    {"floyd-warshall", "uniform:n=129,edges=900,seed=2", "tile=64", 1, .any = true},
    {"multi-sssp", "star:n=701", "hub=32", 9, .sources = 2 /* several runs of a hub's edges */},
    {"multi-sssp", "star:n=33", "hub=32", 9},
    {"multi-sssp", "uniform:n=130,edges=8000,seed=1", "hub=32,delta=1000", 9,
     .sources = 2 /* more hubs than a block lists */},
    {"multi-sssp", "uniform:n=65,edges=200,seed=1", "delta=1,sources=33", 3},
    {"multi-sssp", "kronecker:scale=11,edge_factor=4,seed=1", "hub=32,block=64,delta=1", 9,
     .sources = 2 /* two warps have bits, and hubs are left to both, in hops, too */},
    {"each-sssp", "uniform:n=65,edges=900,seed=3", "windows=0", 9, .sources = 2},
    {"each-sssp", "kronecker:scale=6,seed=2", "windows=64", 99, FR_TYPE_F64},
    {"each-sssp", "path:n=70", "", 5, FR_TYPE_I64, .sources = 2},
    {"multi-bfs", "path:n=5", "pull=0", .any = true},
    {"multi-bfs", "uniform:n=65,edges=2500,seed=1", "chunk=40,pull=1e9" /* parts of two hubs */},
    {"multi-bfs", "uniform:n=66,edges=80,seed=1",
     "chunk=2,pull=1e9,block=32" /* 16 vertices in a block */},
    {"multi-bfs", "uniform:n=65,edges=2500,seed=1", "chunk=40,pull=0", .any = true},
    {"multi-bfs", "kronecker:scale=7,seed=1", "chunk=9,sources=128", .any = true},
    {"multi-bfs", "uniform:n=300,edges=700,seed=1", "" /* eight words a vertex */},
    {"multi-bfs", "uniform:n=300,edges=1100,seed=2", "pull=0.5,chunk=5"},
    {"multi-bfs", "uniform:n=520,edges=900,seed=1", "sources=1024" /* sixteen words */},
    {"multi-bfs", "rmat:scale=7,seed=3", "chunk=9"},
    {"multi-bfs", "star:n=301", "chunk=32"},
    {"multi-bfs", "path:n=1100", "", .sources = 2 /* more levels than a launch */},
    {"multi-bfs", "path:n=1100", "pull=1e9,sources=1", .sources = 2},
    {"floyd-warshall", "path:n=4", "", 5, FR_TYPE_I64, .words = "johnson"},
    {"multi-sssp", "path:n=70", "", 5, FR_TYPE_I64, .sources = 2},
    {"johnson", "path:n=4", "", 5, FR_TYPE_I64, .words = "johnson"},
    {"floyd-warshall", "path:n=4", "", 5, FR_TYPE_F64, .words = "multi-sssp"},
};

static void special_case(const struct special *c) {
    static const int32_t sources[] = {1, 0};
    fr_ctx *ctx = context_new((fr_ctx_options){.max_gpu_bytes = c->bytes});
    const ask a = {
        .ctx = ctx,
        .graph = graph_generate(
            ctx, c->graph,
            (fr_load_options){.weights = c->high > 0 ? FR_WEIGHTS_RANDOM : FR_WEIGHTS_NONE,
                              .weight_high = c->high,
                              .weight_type = c->type,
                              .seed = 1}),
        .name = c->graph,
        .problem = FR_PROBLEM_APSP,
        .options = {.strategy = c->strategy, .knobs = c->knobs, .backend = FR_BACKEND_CUDA},
        .query = {.sources = c->sources ? sources : NULL,
                  .source_count = c->sources,
                  .parent_rule = c->any ? FR_PARENT_ANY : FR_PARENT_MIN_ID}};
    fr_solver *solver = NULL;
    answer got = {.status = fr_solver_new(ctx, a.graph, a.problem, &a.options, &solver)};
    if (solver)
        got = answer_at(&a, solver, PAGEABLE, VALUES | PARENTS);
    if (c->words)
        CHECK_REFUSED(ctx, got.status, FR_UNSUPPORTED, c->words);
    else
        check_verified(&a, &got);
    if (!c->words && !c->type) { /* floats: sums in another order differ */
        answer want = answer_on_cpu(&a);
        check_same(&a, &want, &got, c->any ? VALUES : VALUES | PARENTS, -1, "special");
        answer_free(&want);
    }
    answer_free(&got);
    fr_solver_free(solver);
    fr_graph_free(a.graph);
    fr_ctx_free(ctx);
}

static void special_cases(fr_ctx *other) {
    (void)other;
    for (int i = 0; i < COUNT(specials); i++)
        if (is_chosen(specials[i].strategy))
            special_case(&specials[i]);
}

/* An fr_pivot_fn that stops after a part. */
static int stop_at_once(void *user, int64_t pivots_done, int64_t n) {
    *(int64_t *)user = pivots_done;
    return pivots_done < n;
}

/* In the array of the caller, in parts of one tile or of two; after each another solver continues. */
static void in_place_of(fr_ctx *ctx, const weights *w) {
    enum { N = 129, PARTS = 3 };
    const int32_t n = w->dist ? 65 : N;
    static int64_t dist[N * N];
    static int32_t parent[N * N];
    drawn d = {.state = (uint64_t)(w - all_weights) + 1};
    const ask a = {.ctx = ctx,
                   .graph = draw_graph(ctx, &d, w, n),
                   .name = "in place",
                   .problem = FR_PROBLEM_APSP,
                   .options = {.strategy = "floyd-warshall",
                               .knobs = w->dist ? "tile=64,stream=64" : "tile=64,stream=128",
                               .dist_type = w->dist,
                               .unit_weights = w->unit,
                               .in_place = true}};
    answer got = {.status = FR_CANCELLED,
                  .rows = n,
                  .width = (size_t)n,
                  .values = (char *)dist,
                  .parent = parent};
    int64_t done = 0;
    memset(dist, 0x5a, sizeof dist);
    for (int turn = 0; turn < PARTS && got.status == FR_CANCELLED; turn++) {
        fr_solver *solver = solver_new(ctx, a.graph, a.problem, a.options);
        const fr_query query = {
            .floyd = {.pivots_done = done, .pivot = stop_at_once, .pivot_user = &done}};
        fr_result result = {.dist = dist, .parent = parent};
        got.status = fr_solve(solver, &query, &result);
        got.row = got.width * fr_type_size(fr_solver_dist_type(solver));
        fr_solver_free(solver);
    }
    check_verified(&a, &got);
    fr_graph_free(a.graph);
}

static void in_place(fr_ctx *ctx) {
    for (int i = 0; i < 7 && is_chosen("floyd-warshall"); i += ON_HOST ? 6 : 1)
        in_place_of(ctx, &all_weights[i]);
}

static void traps(fr_ctx *ctx) { cross_traps(ctx, FR_PROBLEM_APSP, only_strategy); }

static const part parts[] = {{"drawn", drawn_cases},
                             {"special", special_cases},
                             {"in-place", in_place},
                             {"traps", traps},
                             {0}};

int main(int argc, char **argv) {
    const program p = {.what = ON_HOST ? "APSP on the GPU, kernels on the host" : "APSP on the GPU",
                       .problem = FR_PROBLEM_APSP,
                       .by_strategy = true,
                       .parts = parts};
    return program_main(&p, argc, argv);
}
