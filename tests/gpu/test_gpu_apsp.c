/* Every APSP strategy for the GPU x small shapes x kinds of weights x queries x knob settings.
 * With FRI_SIMT the kernels run on the host: each case uses the next kind, query and setting. On a
 * GPU the defaults run all kinds and queries (those of floyd-warshall, in larger shapes, all kinds
 * and the next query), every other setting the next. Then negative cycles and sums that exceed
 * int32. The first argument is the only strategy to run, further ones the only shapes; --strategies
 * lists the strategies. FRINGE_REDUCED=N, on a GPU: at most N settings per strategy and shape, for
 * runs under a tool. */
#include "conformance/choose.h"
#include "conformance/matrix.h"
#include "core/gpu_interface.h"
#include "gpu/gpu_host.h"
#include "gpu/gpu_kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 4 /* per strategy and shape on the host */, DEEP = 24 };
/* Largest n for queries of all rows, for any query, and for strategies with one step per
 * distance. */
enum {
    WHOLE = ON_HOST ? 80 : 600,
    MAX_VERTICES = ON_HOST ? 210 : 1100,
    STEPS = ON_HOST ? 40 : 100
};
/* Sources in a list: more than one word of a bit-parallel search; on the host of lanes. */
enum { LISTED = ON_HOST ? 36 : 70 };

typedef struct {
    cf_graph *g;
    cf_number *want; /* [n][n] */
} part;              /* a shape with one kind of weights */

static void make(fr_ctx *ctx, const cf_shape *s, int kind, part *p) {
    p->g = cf_graph_new(ctx, s, kinds[kind].weights);
    if (!p->g)
        cf_give_up(ctx, s->name);
    size_t n = (size_t)p->g->n;
    p->want = malloc((n * n + 1) * sizeof *p->want);
    for (int32_t v = 0; v < p->g->n; v++)
        cf_solve(p->g, kinds[kind].unit, &v, 1, p->want + (size_t)v * n, NULL);
}

static void drop(part *p) {
    free(p->want);
    cf_graph_free(p->g);
}

/* Kinds of queries. */
enum { ALL, ALL_BY_ROW, LIST, LIST_NO_PARENTS, ONE_BY_ROW, MODES };

static void ask(fr_ctx *ctx, const cf_config *c, fr_solver *solver, const cf_number *want,
                int mode) {
    int32_t list[LISTED], n = c->g->n;
    int64_t count = n < LISTED ? n : LISTED;
    if (ON_HOST && c->g->m > 2000 && mode == LIST)
        count = 9; /* many edges: few sources will do */
    for (int64_t i = 0; i < count; i++)
        list[i] = (int32_t)((i * 7919) % n);
    if (mode <= ALL_BY_ROW)
        cf_check_matrix(ctx, c, solver, mode == ALL ? "all" : "all-by-row", want, NULL, 0,
                        mode == ALL_BY_ROW, true);
    else if (count)
        cf_check_matrix(ctx, c, solver, "list", want, list, mode == ONE_BY_ROW ? 1 : count,
                        mode == ONE_BY_ROW, mode == LIST);
}

static void one(fr_ctx *ctx, const part *p, int kind, const fr_strategy_info *strategy, int setting,
                int mode, uint64_t seed) {
    cf_config c = {.g = p->g,
                   .strategy = *strategy,
                   .threads = 1,
                   .unit = kinds[kind].unit,
                   .dist_type = kinds[kind].type,
                   .seed = seed,
                   .count = fri_gpu_kernels_count()};
    if (setting < 0)
        cf_mix_knobs(strategy, seed, c.knobs);
    else
        cf_knobs(strategy, setting, c.knobs);
    if (p->g->n > STEPS && strstr(c.knobs, p->g->weights == CF_HUGE ? "delta=" : "delta=0.0"))
        c.knobs[0] = 0; /* a step for each distance: small graphs will do */
    if (cf_refuses_weights(ctx, &c))
        return;
    simt_seed(seed);
    size_t before = simt_held_bytes(ctx);
    fr_solver *solver = cf_solver_new(ctx, &c);
    if (solver)
        ask(ctx, &c, solver, p->want, mode);
    fr_solver_free(solver);
    if (simt_held_bytes(ctx) != before)
        cf_fail(&c, NULL, "device memory is left behind");
}

/* ---- in place ---------------------------------------------------------------------------- */

/* An fr_pivot_fn that stops after the first part. */
static int stop_at_once(void *user, int64_t pivots_done, int64_t n) {
    *(int64_t *)user = pivots_done;
    return pivots_done < n;
}

/* Integers, also in an array wider than their sums need. */
static const int in_place_kinds[] = {0, 1, 2, 3, 7};
enum { IN_PLACE = sizeof in_place_kinds / sizeof *in_place_kinds };

/* In the array of the caller, in parts of 64 vertices; interrupted, then continued by another
 * solver. */
static void in_place(fr_ctx *ctx, const part *p, int kind, const fr_strategy_info *strategy) {
    cf_config c = {.g = p->g, .strategy = *strategy, .threads = 1, .knobs = "tile=64,stream=64"};
    size_t n = (size_t)p->g->n;
    fr_solver_options options = {.strategy = strategy->name,
                                 .backend = FR_BACKEND_CUDA,
                                 .knobs = c.knobs,
                                 .dist_type = kinds[kind].type,
                                 .unit_weights = kinds[kind].unit,
                                 .in_place = true};
    void *dist = malloc(n * n * 8 + 1);
    int32_t *parent = malloc(n * n * sizeof *parent + 1);
    int64_t done = 0;
    fr_query query = {.floyd = {.pivot = stop_at_once, .pivot_user = &done}};
    fr_result result = {.dist = dist, .parent = parent};
    fr_status status = FR_CANCELLED;
    memset(dist, 0x5a, n * n * 8 + 1);
    simt_seed(1);
    for (int turn = 0; turn <= p->g->n / 64 + 2 && status == FR_CANCELLED; turn++) {
        fr_solver *solver = NULL;
        query.floyd.pivots_done = done;
        cf_cases++;
        status = fr_solver_new(ctx, p->g->graph, FR_PROBLEM_APSP, &options, &solver);
        if (!status)
            status = fr_solve(solver, &query, &result);
        fr_type type = status ? FR_TYPE_NONE : fr_solver_dist_type(solver);
        for (size_t i = 0; !status && i < n * n; i++)
            if (cf_value(FR_PROBLEM_APSP, type, dist, (int64_t)i) != p->want[i])
                status = FR_VERIFY_FAILED;
        if (!status)
            status = fr_verify_apsp(ctx, p->g->graph, &query, c.unit, dist, type, parent, 0, 1);
        fr_solver_free(solver);
    }
    if (status)
        cf_fail(&c, NULL, "in place: %s (%s)", fr_status_name(status), fr_ctx_error(ctx));
    free(dist);
    free(parent);
}

/* Does the strategy accept the kind? Those that count edges require unit weights; `auto` uses
 * the CPU for int64 weights. */
static bool takes(const fr_strategy_info *strategy, int kind) {
    if (cf_weight_type(kinds[kind].weights) == FR_TYPE_I64 && strcmp(strategy->name, "auto") != 0)
        return false;
    return !cf_is_negative(kinds[kind].weights) || cf_takes_negative(strategy);
}

/* Of the shape with unit weights, from its first vertex. */
static bool is_deep(const part *p) {
    cf_number depth = 0;
    for (int32_t v = 0; v < p->g->n; v++)
        if (p->want[v] < p->g->n && p->want[v] > depth)
            depth = p->want[v];
    return depth > DEEP;
}

/* On the host: shape `number` continues where the previous one ended. */
static void sample(fr_ctx *ctx, const part *parts, const fr_strategy_info *strategy, int number) {
    int settings = cf_knob_settings(strategy);
    bool levels = strcmp(strategy->name, "multi-bfs") == 0;
    /* hundreds of launches each, but of floyd-warshall */
    int cases = is_deep(&parts[KINDS - 1]) && strcmp(strategy->name, "floyd-warshall") ? 1 : CASES;
    for (int i = 0; i < cases; i++) {
        int at = number * CASES + i, kind = levels ? at % 2 ? 1 : KINDS - 1 : at % KINDS;
        int32_t n = parts[kind].g->n;
        while (!takes(strategy, kind))
            kind = (kind + 1) % KINDS;
        one(ctx, &parts[kind], kind, strategy, i == CASES - 1 ? -1 : at % settings,
            n <= WHOLE && parts[kind].g->m < 2000 ? (at + at / MODES) % MODES
                                                  : LIST + at % (MODES - LIST),
            (uint64_t)at + 1);
    }
}

/* floyd-warshall computes the whole matrix for any query: in larger shapes one query is enough.
 */
static bool is_long(const part *p, const fr_strategy_info *strategy) {
    return strcmp(strategy->name, "floyd-warshall") == 0 && p->g->n > WHOLE / 2;
}

/* Does setting i run this query? The defaults run every query, others the next one. */
static bool is_asked(const part *p, const fr_strategy_info *strategy, int i, int mode, int next) {
    if (i == 0 && !is_long(p, strategy))
        return mode >= LIST || p->g->n <= WHOLE;
    bool any = p->g->n <= (i ? WHOLE / 2 : WHOLE);
    return mode == (any ? next % MODES : LIST + next % (MODES - LIST));
}

/* On a GPU: the defaults run every kind and query (all rows only of small shapes), every other
 * setting the next kind and query, so that the shapes together cross them. */
static void everything(fr_ctx *ctx, const part *parts, const fr_strategy_info *strategy,
                       int number) {
    int settings = cf_knob_settings(strategy);
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; takes(strategy, kind) && i < settings; i++)
            for (int mode = 0; mode < MODES && (!i || (i + 3 * number) % KINDS == kind); mode++)
                if (is_asked(&parts[kind], strategy, i, mode, i + kind + number))
                    one(ctx, &parts[kind], kind, strategy, i, mode, 0);
}

/* Under a tool: every kind runs some settings, each with the next query. */
static void reduced(fr_ctx *ctx, const part *parts, const fr_strategy_info *strategy,
                    int settings_limit) {
    int settings = cf_knob_settings(strategy),
        step = settings > settings_limit ? (settings + settings_limit - 1) / settings_limit : 1;
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; takes(strategy, kind) && i < settings; i += step)
            one(ctx, &parts[kind], kind, strategy, i, (i + kind) % MODES, 0);
}

static void shape(fr_ctx *ctx, const cf_shape *s, const char *only, int number) {
    fr_strategy_info strategy = {0};
    part parts[KINDS];
    for (int kind = 0; kind < KINDS; kind++)
        make(ctx, s, kind, &parts[kind]);
    for (int r = 0; cf_strategy(FR_PROBLEM_APSP, r, &strategy); r++) {
        if (only && strcmp(only, strategy.name) != 0)
            continue;
        for (int i = 0; i < IN_PLACE && strcmp(strategy.name, "floyd-warshall") == 0; i++)
            if (i == number % IN_PLACE ||
                !(ON_HOST || is_long(&parts[in_place_kinds[i]], &strategy)))
                in_place(ctx, &parts[in_place_kinds[i]], in_place_kinds[i], &strategy);
        if (ON_HOST)
            sample(ctx, parts, &strategy, number + r);
        else if (cf_reduced())
            reduced(ctx, parts, &strategy, cf_reduced());
        else
            everything(ctx, parts, &strategy, number);
        cf_report_time(strategy.name, s->name);
    }
    for (int kind = 0; kind < KINDS; kind++)
        drop(&parts[kind]);
}

/* ---- traps ------------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    int32_t n;
    int m;
    int32_t edge[6][3]; /* source, target, weight */
    int32_t cycle;      /* so many vertices in a cycle of weight -1 instead */
    int32_t source;     /* -1: all */
    fr_status status;
} trap;

#define BIG 2000000000
static const trap traps[] = {
    {"loop", 3, 3, {{0, 1, 1}, {1, 1, -1}, {1, 2, 1}}, 0, -1, FR_NEGATIVE_CYCLE},
    {"two", 3, 3, {{0, 1, 4}, {1, 2, 3}, {2, 1, -4}}, 0, 0, FR_NEGATIVE_CYCLE},
    {"parallel", 2, 3, {{0, 1, 5}, {0, 1, 2}, {1, 0, -3}}, 0, -1, FR_NEGATIVE_CYCLE},
    {"cycle", 140, 0, {{0}}, 140, -1, FR_NEGATIVE_CYCLE},
    {"steep-cycle", 3, 3, {{0, 1, 1}, {1, 2, -BIG}, {2, 1, 5}}, 0, -1, FR_NEGATIVE_CYCLE},
    {"unreached-cycle", 4, 3, {{0, 1, 2}, {2, 3, -9}, {3, 2, 1}}, 0, 0, FR_OK},
    {"zero-cycle", 3, 4, {{0, 1, 3}, {1, 2, -3}, {2, 0, 0}, {2, 1, 3}}, 0, -1, FR_OK},
    {"too-far", 3, 2, {{0, 1, BIG}, {1, 2, BIG}}, 0, -1, FR_OVERFLOW},
    {"too-low", 3, 2, {{0, 1, -BIG}, {1, 2, -BIG}}, 0, -1, FR_OVERFLOW},
    {"detour", 4, 4, {{0, 1, BIG}, {1, 2, BIG}, {0, 3, 5}, {3, 2, 7}}, 0, 0, FR_OK},
    {0},
};

static fr_graph *trap_graph(fr_ctx *ctx, const trap *t) {
    int32_t src[160], dst[160], weight[160], m = t->cycle ? t->cycle : t->m;
    for (int32_t i = 0; i < m; i++) {
        src[i] = t->cycle ? i : t->edge[i][0];
        dst[i] = t->cycle ? (i + 1) % m : t->edge[i][1];
        weight[i] = !t->cycle ? t->edge[i][2] : i + 1 < m ? 2 : -2 * (m - 1) - 1;
    }
    fr_load_options options = {.direction = FR_DIRECTION_DIRECTED};
    fr_graph *graph = NULL;
    if (fr_graph_from_edges(ctx, t->n, m, src, dst, weight, FR_TYPE_I32, &options, &graph))
        cf_give_up(ctx, t->name);
    return graph;
}

static fr_status verify(fr_ctx *ctx, const cf_config *c, const fr_query *query, const fr_result *r,
                        fr_status status) {
    if (status == FR_OK)
        return fr_verify_apsp(ctx, c->g->graph, query, false, r->dist, FR_TYPE_I32, r->parent, 0,
                              1);
    if (status == FR_NEGATIVE_CYCLE)
        return fr_verify_cycle(ctx, c->g->graph, query, r->cycle, r->cycle_length, r->cycle_weight);
    return FR_OK;
}

static void run_trap(fr_ctx *ctx, const trap *t, const cf_config *c) {
    int32_t *dist = malloc(140 * 140 * sizeof *dist), *parent = malloc(140 * 140 * sizeof *parent);
    fr_query query = {.sources = t->source < 0 ? NULL : &t->source,
                      .source_count = t->source < 0 ? 0 : 1};
    fr_result result = {.dist = dist, .parent = parent};
    size_t before = simt_held_bytes(ctx);
    fr_solver *solver = cf_solver_new(ctx, c);
    cf_cases++;
    if (solver) {
        fr_status status = fr_solve(solver, &query, &result);
        if (status != t->status)
            cf_fail(c, NULL, "%s (%s), should be %s", fr_status_name(status), fr_ctx_error(ctx),
                    fr_status_name(t->status));
        else if (verify(ctx, c, &query, &result, status))
            cf_fail(c, NULL, "the verifier fails: %s", fr_ctx_error(ctx));
    }
    fr_solver_free(solver);
    if (simt_held_bytes(ctx) != before)
        cf_fail(c, NULL, "device memory is left behind");
    free(dist);
    free(parent);
}

static void all_traps(fr_ctx *ctx, const char *only) {
    for (const trap *t = traps; t->name; t++) {
        cf_graph g = {.shape = t->name, .weights = CF_NEGATIVE, .n = t->n};
        cf_config c = {.g = &g, .threads = 1, .seed = 1};
        g.graph = trap_graph(ctx, t);
        bool negative = strcmp(t->name, "too-far") != 0 && strcmp(t->name, "detour") != 0;
        for (int r = 0; cf_strategy(FR_PROBLEM_APSP, r, &c.strategy); r++) {
            if ((only && strcmp(only, c.strategy.name) != 0) ||
                strcmp(c.strategy.name, "multi-bfs") == 0 ||
                (negative && !cf_takes_negative(&c.strategy)))
                continue;
            simt_seed(1);
            run_trap(ctx, t, &c);
        }
        cf_report_time("traps", t->name);
        fr_graph_free(g.graph);
    }
}

/* int64 weights: every strategy but `auto` refuses them and names one that accepts them. */
static void refuse_int64(fr_ctx *ctx, const char *only) {
    cf_graph *g = cf_graph_new(ctx, &cf_shapes[3], CF_I64);
    cf_config c = {.g = g, .threads = 1};
    if (!g)
        cf_give_up(ctx, "int64 weights");
    for (int r = 0; cf_strategy(FR_PROBLEM_APSP, r, &c.strategy); r++) {
        fr_solver_options options = {.strategy = c.strategy.name, .backend = FR_BACKEND_CUDA};
        bool own = strcmp(c.strategy.name, "auto") == 0;
        fr_solver *solver = NULL;
        if ((only && strcmp(only, c.strategy.name) != 0) ||
            strcmp(c.strategy.name, "multi-bfs") == 0)
            continue; /* which takes no weights at all */
        cf_cases++;
        fr_status status = fr_solver_new(ctx, c.g->graph, FR_PROBLEM_APSP, &options, &solver);
        if (status != (own ? FR_OK : FR_UNSUPPORTED) ||
            (!own && !strstr(fr_ctx_error(ctx), "johnson")))
            cf_fail(&c, NULL, "int64 weights: %s (%s)", fr_status_name(status), fr_ctx_error(ctx));
        fr_solver_free(solver);
    }
    cf_graph_free(g);
}

/* A GPU that cannot hold the matrix: floyd-warshall streams it, by itself. */
static void small_gpu(const cf_shape *s) {
    fr_ctx *ctx;
    fr_ctx_options small = {.max_gpu_bytes = 200000};
    part p;
    cf_config c = {.strategy = {.problem = FR_PROBLEM_APSP,
                                .backend = FR_BACKEND_CUDA,
                                .name = "floyd-warshall"}};
    if (fr_ctx_new(&small, &ctx))
        cf_give_up(NULL, "a context of 200000 bytes");
    make(ctx, s, 0, &p);
    c.g = p.g;
    c.threads = 1;
    fr_solver *solver = cf_solver_new(ctx, &c);
    if (solver)
        cf_check_matrix(ctx, &c, solver, "small-gpu", p.want, NULL, 0, false, true);
    fr_solver_free(solver);
    drop(&p);
    fr_ctx_free(ctx);
}

/* A hub of several runs of edges, of which multi-sssp's warps take one each; no shape on the host has one. */
static void long_hub(fr_ctx *ctx) {
    enum { LEAVES = 700, ROWS = 2 };
    static int32_t dist[ROWS * (LEAVES + 1)];
    const int32_t sources[ROWS] = {0, 1};
    const fr_load_options load = {
        .weights = FR_WEIGHTS_RANDOM, .weight_low = 1, .weight_high = 9, .seed = 1};
    cf_graph g = {.shape = "long-hub", .weights = CF_I32, .n = LEAVES + 1};
    cf_config c = {.g = &g, .threads = 1, .knobs = "hub=32"};
    c.strategy = (fr_strategy_info){
        .problem = FR_PROBLEM_APSP, .backend = FR_BACKEND_CUDA, .name = "multi-sssp"};
    if (fr_graph_generate(ctx, "star:n=701", &load, &g.graph))
        cf_give_up(ctx, g.shape);
    fr_solver *solver = cf_solver_new(ctx, &c);
    const fr_query query = {.sources = sources, .source_count = ROWS};
    fr_result result = {.dist = dist};
    cf_cases++;
    if (solver && (fr_solve(solver, &query, &result) ||
                   fr_verify_apsp(ctx, g.graph, &query, false, dist, FR_TYPE_I32, NULL, 0, 1)))
        cf_fail(&c, NULL, "%s", fr_ctx_error(ctx));
    fr_solver_free(solver);
    fr_graph_free(g.graph);
}

int main(int argc, char **argv) {
    const char *only = argc > 1 ? argv[1] : NULL;
    fr_ctx *ctx;
    int number = 0;
    cf_backend = FR_BACKEND_CUDA;
    if (cf_list_strategies(FR_PROBLEM_APSP, argc, argv))
        return 0;
    ctx = cf_device_context(FR_PROBLEM_APSP, ON_HOST);
    if (!ctx)
        return 77;
    if (cf_shape_chosen("traps", argc, argv)) {
        all_traps(ctx, only);
        refuse_int64(ctx, only);
    }
    if (cf_shape_chosen("long-hub", argc, argv) && (!only || strcmp(only, "multi-sssp") == 0))
        long_hub(ctx);
    for (const cf_shape *s = cf_shapes; s->name; s++, number++) {
        cf_edges edges = {0};
        s->build(&edges);
        free(edges.ends);
        if (strcmp(s->name, "two-components") == 0 && cf_shape_chosen(s->name, argc, argv) &&
            (!only || strcmp(only, "floyd-warshall") == 0))
            small_gpu(s);
        if (edges.n <= MAX_VERTICES && cf_shape_chosen(s->name, argc, argv))
            shape(ctx, s, only, number);
    }
    fr_ctx_free(ctx);
    return cf_finish(ON_HOST ? "APSP on the GPU, kernels on the host" : "APSP on the GPU");
}
