/* Every APSP strategy for the GPU x small shapes x kinds of weights x queries x knob settings.
 * With FRI_SIMT the kernels run on the host: each case uses the next kind, query and setting. On a
 * GPU the defaults run all kinds and queries (floyd-warshall's defaults, in larger shapes, all kinds
 * and the next query), every other setting the next. Then negative cycles and sums that exceed
 * int32. The first argument is the only strategy to run, further ones the only shapes; --strategies
 * lists the strategies. FRINGE_REDUCED=N, on a GPU: at most N settings per strategy and shape, for
 * runs under a tool. */
#include "conformance/matrix.h"
#include "core/gpu_interface.h"
#include "gpu/cross.h"

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
} weighted;          /* a shape with one kind of weights */

static void make(fr_ctx *ctx, const cf_shape *s, int kind, weighted *p) {
    p->g = cf_graph_new(ctx, s, kinds[kind].weights);
    if (!p->g)
        cf_give_up(ctx, s->name);
    size_t n = (size_t)p->g->n;
    p->want = malloc((n * n + 1) * sizeof *p->want);
    for (int32_t v = 0; v < p->g->n; v++)
        cf_solve(p->g, kinds[kind].unit, &v, 1, p->want + (size_t)v * n, NULL);
}

static void drop(weighted *p) {
    free(p->want);
    cf_graph_free(p->g);
}

/* Kinds of queries. */
enum { ALL, ALL_BY_ROW, LIST, LIST_NO_PARENTS, ONE_BY_ROW, MODES };

typedef struct asked {
    const cf_number *want;
    int mode;
} asked;

static void check(fr_ctx *ctx, const cf_config *c, fr_solver *solver, const void *arg) {
    const asked *a = arg;
    const int mode = a->mode;
    int32_t list[LISTED], n = c->g->n;
    int64_t count = n < LISTED ? n : LISTED;
    if (ON_HOST && c->g->m > 2000 && mode == LIST)
        count = 9; /* many edges: few sources will do */
    for (int64_t i = 0; i < count; i++)
        list[i] = (int32_t)((i * 7919) % n);
    if (mode <= ALL_BY_ROW)
        cf_check_matrix(ctx, c, solver, mode == ALL ? "all" : "all-by-row", a->want, NULL, 0,
                        mode == ALL_BY_ROW, true);
    else if (count)
        cf_check_matrix(ctx, c, solver, "list", a->want, list, mode == ONE_BY_ROW ? 1 : count,
                        mode == ONE_BY_ROW, mode == LIST);
}

static void one(fr_ctx *ctx, const weighted *p, int kind, const fr_strategy_info *strategy,
                int setting, int mode, uint64_t seed) {
    cf_config c = {.g = p->g,
                   .strategy = *strategy,
                   .threads = 1,
                   .unit = kinds[kind].unit,
                   .dist_type = kinds[kind].type,
                   .count = fri_gpu_kernels_count()};
    cross_knobs(&c, setting, seed);
    if (p->g->n > STEPS && strstr(c.knobs, p->g->weights == CF_HUGE ? "delta=" : "delta=0.0"))
        c.knobs[0] = 0; /* a step for each distance: small graphs will do */
    if (!cf_refuses_weights(ctx, &c))
        cross_case(ctx, &c, check, &(asked){p->want, mode});
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
static void in_place(fr_ctx *ctx, const weighted *p, int kind, const fr_strategy_info *strategy) {
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
static bool is_deep(const weighted *p) { return depth_of(p->want, p->g->n) > DEEP; }

/* On the host: shape `number` continues where the previous one ended. */
static void sample(fr_ctx *ctx, const weighted *parts, const fr_strategy_info *strategy,
                   int number) {
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
static bool is_long(const weighted *p, const fr_strategy_info *strategy) {
    return strcmp(strategy->name, "floyd-warshall") == 0 && p->g->n > WHOLE / 2;
}

/* Does setting i run this query? The defaults run every query, others the next one. */
static bool is_asked(const weighted *p, const fr_strategy_info *strategy, int i, int mode,
                     int next) {
    if (i == 0 && !is_long(p, strategy))
        return mode >= LIST || p->g->n <= WHOLE;
    bool any = p->g->n <= (i ? WHOLE / 2 : WHOLE);
    return mode == (any ? next % MODES : LIST + next % (MODES - LIST));
}

/* On a GPU: the defaults run every kind and query (all rows only of small shapes), every other
 * setting the next kind and query, so that the shapes together cross them. */
static void everything(fr_ctx *ctx, const weighted *parts, const fr_strategy_info *strategy,
                       int number) {
    int settings = cf_knob_settings(strategy);
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; takes(strategy, kind) && i < settings; i++)
            for (int mode = 0; mode < MODES && (!i || (i + 3 * number) % KINDS == kind); mode++)
                if (is_asked(&parts[kind], strategy, i, mode, i + kind + number))
                    one(ctx, &parts[kind], kind, strategy, i, mode, 0);
}

/* Under a tool: every kind runs some settings, each with the next query. */
static void reduced(fr_ctx *ctx, const weighted *parts, const fr_strategy_info *strategy) {
    const int settings = cf_knob_settings(strategy);
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; takes(strategy, kind) && i < settings; i += cross_reduced_step(settings))
            one(ctx, &parts[kind], kind, strategy, i, (i + kind) % MODES, 0);
}

static bool is_chosen(const char *name) {
    return !only_strategy || strcmp(only_strategy, name) == 0;
}

static void cross(fr_ctx *ctx, const cf_shape *s, int number) {
    fr_strategy_info strategy = {0};
    weighted parts[KINDS];
    for (int kind = 0; kind < KINDS; kind++)
        make(ctx, s, kind, &parts[kind]);
    for (int r = 0; cf_strategy(FR_PROBLEM_APSP, r, &strategy); r++) {
        if (!is_chosen(strategy.name))
            continue;
        for (int i = 0; i < IN_PLACE && strcmp(strategy.name, "floyd-warshall") == 0; i++)
            if (i == number % IN_PLACE ||
                !(ON_HOST || is_long(&parts[in_place_kinds[i]], &strategy)))
                in_place(ctx, &parts[in_place_kinds[i]], in_place_kinds[i], &strategy);
        if (ON_HOST)
            sample(ctx, parts, &strategy, number + r);
        else if (cf_reduced())
            reduced(ctx, parts, &strategy);
        else
            everything(ctx, parts, &strategy, number);
        cf_report_time(strategy.name, s->name);
    }
    for (int kind = 0; kind < KINDS; kind++)
        drop(&parts[kind]);
}

/* ---- what needs a graph of its own --------------------------------------------------------- */

/* int64 weights: every strategy but `auto` refuses them and names one that accepts them. */
static void refuse_int64(fr_ctx *ctx) {
    cf_graph *g = cf_graph_new(ctx, &cf_shapes[3], CF_I64);
    cf_config c = {.g = g, .threads = 1};
    if (!g)
        cf_give_up(ctx, "int64 weights");
    for (int r = 0; cf_strategy(FR_PROBLEM_APSP, r, &c.strategy); r++) {
        fr_solver_options options = {.strategy = c.strategy.name, .backend = FR_BACKEND_CUDA};
        bool own = strcmp(c.strategy.name, "auto") == 0;
        fr_solver *solver = NULL;
        if (!is_chosen(c.strategy.name) || strcmp(c.strategy.name, "multi-bfs") == 0)
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

/* The smallest parents of floats, by another order of sums, are refused. */
static void refuse_float_parents(fr_ctx *ctx) {
    cf_graph *g = cf_graph_new(ctx, cf_shape_named("grid"), CF_F64);
    if (!g)
        cf_give_up(ctx, "float weights");
    fr_solver *solver = solver_new(ctx, g->graph, FR_PROBLEM_APSP,
                                   (fr_solver_options){.strategy = "floyd-warshall"});
    int32_t *parent = malloc((size_t)g->n * (size_t)g->n * sizeof *parent);
    const fr_query query = {.parent_rule = FR_PARENT_MIN_ID};
    fr_result result = {.parent = parent};
    CHECK_REFUSED(ctx, fr_solve(solver, &query, &result), FR_UNSUPPORTED, "multi-sssp");
    free(parent);
    fr_solver_free(solver);
    cf_graph_free(g);
}

/* A GPU that cannot hold the matrix: floyd-warshall streams it, by itself. */
static void small_gpu(const cf_shape *s) {
    fr_ctx *ctx = context_new((fr_ctx_options){.max_gpu_bytes = 200000});
    weighted p;
    make(ctx, s, 0, &p);
    const cf_config c = {
        .g = p.g, .strategy = strategy_named(FR_PROBLEM_APSP, "floyd-warshall"), .threads = 1};
    cross_case(ctx, &c, check, &(asked){p.want, ALL});
    drop(&p);
    fr_ctx_free(ctx);
}

/* A hub of several runs of edges, of which multi-sssp's warps take one each; no shape on the host has one. */
static void long_hub(fr_ctx *ctx) {
    static const int32_t sources[] = {0, 1};
    const ask a = {.ctx = ctx,
                   .graph = graph_weighted(ctx, "star:n=701", 1, 9),
                   .name = "a long hub",
                   .problem = FR_PROBLEM_APSP,
                   .options = {.strategy = "multi-sssp", .knobs = "hub=32"},
                   .query = {.sources = sources, .source_count = COUNT(sources)}};
    fr_solver *solver = solver_new(ctx, a.graph, a.problem, a.options);
    solve_verified(&a, solver);
    fr_solver_free(solver);
    fr_graph_free(a.graph);
}

static void shape(fr_ctx *ctx, const cf_shape *s, int nth) {
    cf_edges edges = {0};
    s->build(&edges);
    free(edges.ends);
    if (strcmp(s->name, "two-components") == 0 && is_chosen("floyd-warshall"))
        small_gpu(s);
    if (edges.n <= MAX_VERTICES)
        cross(ctx, s, nth);
}

static void traps(fr_ctx *ctx) {
    cross_traps(ctx, FR_PROBLEM_APSP, only_strategy);
    refuse_int64(ctx);
    if (is_chosen("floyd-warshall"))
        refuse_float_parents(ctx);
    if (is_chosen("multi-sssp"))
        long_hub(ctx);
}

static const part parts_of_program[] = {{"traps", traps}, {0}};

int main(int argc, char **argv) {
    const program p = {.what = ON_HOST ? "APSP on the GPU, kernels on the host" : "APSP on the GPU",
                       .problem = FR_PROBLEM_APSP,
                       .by_strategy = true,
                       .shape = shape,
                       .parts = parts_of_program};
    return program_main(&p, argc, argv);
}
