/* Every SSSP strategy for the GPU x every shape x kinds of weights x queries x knob settings.
 * With FRI_SIMT the kernels run on the host, shapes are small, and each of twelve schedules (FRINGE_FULL:
 * twenty) uses the next kind, query and knob setting; on a GPU the defaults run every query with every kind, and
 * every other setting one or two of the ten kinds, others on each shape. Then negative cycles, sums
 * that exceed int32, and mark_negative_cycles. The first argument is the only strategy to run,
 * further ones the only shapes; --strategies lists the strategies. FRINGE_REDUCED=N, on a GPU: one
 * query for each of at most N settings, for runs under a tool. */
#include "conformance/negative_cycles.h"
#include "core/gpu_interface.h"
#include "gpu/cross.h"

enum { SCHEDULES = 12, FULL_SCHEDULES = 20, DEEP_SCHEDULES = 2, DEEP = 24 }; /* on the host */
enum { MANY_VERTICES = 100, MANY_EDGES = 1000 };
enum { HANDED_ON = 60 /* vertices up to which auto passes negative cycles on, there */ };

typedef struct {
    cf_graph *g;
    cf_task tasks[CF_MAX_QUERIES];
    int count;
} weighted; /* a shape with one kind of weights */

/* hbf with a child grid for nearly every vertex: on the host one block each, however few edges.
 */
static bool has_many_children(const char *knobs) {
    const char *at = strstr(knobs, "child=");
    double child = at ? atof(at + strlen("child=")) : 0;
    return child > 0 && child < 64;
}

static void one(fr_ctx *ctx, const weighted *p, int kind, const fr_strategy_info *strategy,
                int query, int setting, uint64_t seed) {
    cf_config c = {.g = p->g,
                   .strategy = *strategy,
                   .threads = 1,
                   .unit = kinds[kind].unit,
                   .dist_type = kinds[kind].type,
                   .count = fri_gpu_kernels_count()};
    cross_knobs(&c, setting, seed);
    if (ON_HOST && p->g->n > 300 && (strstr(c.knobs, "delta=0.0") || has_many_children(c.knobs)))
        c.knobs[0] = 0; /* a step per distance, a grid per vertex: small graphs are enough */
    cross_case(ctx, &c, cross_task, &p->tasks[query % p->count]);
}

static cf_number deepest(const weighted *p) {
    cf_number depth = 0;
    for (int t = 0; t < p->count; t++)
        depth = depth_of(p->tasks[t].dist, p->g->n) > depth ? depth_of(p->tasks[t].dist, p->g->n)
                                                            : depth;
    return depth;
}

/* On the host: schedule i uses the i-th kind and query, and continues with the knob settings
 * where the previous shape ended, so that all are used; the last schedules mix the knobs. */
static void sample(fr_ctx *ctx, const weighted *parts, const fr_strategy_info *strategy,
                   int number) {
    bool deep = deepest(&parts[KINDS - 1]) > DEEP; /* hundreds of launches each */
    const int schedules = host_is_brief() ? SCHEDULES : FULL_SCHEDULES;
    int settings = cf_knob_settings(strategy), first = number * (schedules - MIXES);
    int cases = deep ? DEEP_SCHEDULES : schedules;
    for (int i = 0, k = number; i < cases; i++, k++) {
        bool mixed = i >= schedules - MIXES && strategy->knobs[1].name;
        while (cf_is_negative(kinds[k % KINDS].weights) && !cf_takes_negative(strategy))
            k++;
        one(ctx, &parts[k % KINDS], k % KINDS, strategy, i + i / 7,
            mixed ? MIXED : (first + i) % settings,
            (uint64_t)i + 1 + (mixed ? (uint64_t)parts[0].g->m * MIXES : 0));
    }
}

/* On a GPU: the defaults with all queries, every other setting with a sixth of the kinds. */
static void everything(fr_ctx *ctx, const weighted *parts, const fr_strategy_info *strategy,
                       int number) {
    bool large = cf_shapes[number].large;
    int settings = large ? 1 : cf_knob_settings(strategy);
    for (int k = 0; k < KINDS; k++)
        for (int i = 0; i < settings; i++)
            for (int q = 0; q < (i ? (i + k + number) % 6 == 0 : large ? 2 : parts[k].count); q++)
                if ((kinds[k].weights == CF_I32 || !large) &&
                    (!cf_is_negative(kinds[k].weights) || cf_takes_negative(strategy)))
                    one(ctx, &parts[k], k, strategy, i + k + q, i, 0);
}

static void reduced(fr_ctx *ctx, const weighted *parts, const fr_strategy_info *strategy) {
    const int settings = cf_knob_settings(strategy);
    for (int i = 0, k = 0; i < settings; i += cross_reduced_step(settings), k++) {
        while (cf_is_negative(kinds[k % KINDS].weights) && !cf_takes_negative(strategy))
            k++;
        one(ctx, &parts[k % KINDS], k % KINDS, strategy, k, i, 0);
    }
}

static void cross(fr_ctx *ctx, const cf_shape *s) {
    weighted parts[KINDS] = {0};
    fr_strategy_info strategy = {0};
    for (int k = 0; k < KINDS; k++) {
        parts[k].g = cf_graph_new(ctx, s, kinds[k].weights);
        if (!parts[k].g)
            cf_give_up(ctx, s->name);
        parts[k].count = cf_tasks_new(parts[k].g, kinds[k].unit, parts[k].tasks);
    }
    for (int r = 0; parts[0].count && cf_strategy(FR_PROBLEM_SSSP, r, &strategy); r++) {
        if (only_strategy && strcmp(only_strategy, strategy.name) != 0)
            continue;
        if (ON_HOST)
            sample(ctx, parts, &strategy, (int)(s - cf_shapes));
        else if (cf_reduced())
            reduced(ctx, parts, &strategy);
        else
            everything(ctx, parts, &strategy, (int)(s - cf_shapes));
        cf_report_time(strategy.name, s->name);
    }
    for (int k = 0; k < KINDS; k++) {
        cf_tasks_free(parts[k].tasks, parts[k].count);
        cf_graph_free(parts[k].g);
    }
}

/* ---- negative cycles --------------------------------------------------------------------- */

/* Floats whose sums leave float downwards: no wrong number, and double holds them. */
static void underflow(fr_ctx *ctx) {
    static const edge edges[] = {{0, 1, -3e38f}, {1, 2, -3e38f}};
    const int32_t source = 0;
    cf_graph g = {.shape = "underflow", .weights = CF_NEGATIVE, .n = 3};
    cf_config c = {.g = &g, .threads = 1};
    g.graph = graph_of_edges(ctx, 3, 2, edges, FR_TYPE_F32, FR_DIRECTION_DIRECTED);
    for (int r = 0; cf_strategy(FR_PROBLEM_SSSP, r, &c.strategy); r++)
        for (int wide = 0; wide < 2; wide++) {
            if (!cf_takes_negative(&c.strategy) ||
                (only_strategy && strcmp(only_strategy, c.strategy.name) != 0))
                continue;
            double dist[3]; /* or floats */
            const fr_query query = {.sources = &source, .source_count = 1};
            fr_result result = {.dist = dist};
            c.dist_type = wide ? FR_TYPE_F64 : FR_TYPE_NONE;
            fr_solver *solver = cf_solver_new(ctx, &c);
            fr_status status = solver ? fr_solve(solver, &query, &result) : FR_INVALID;
            cf_cases++;
            if (status != (wide ? FR_OK : FR_OVERFLOW) || (wide && dist[2] != 2 * edges[0].weight))
                cf_fail(&c, NULL, "underflow: %s (%s)", fr_status_name(status), fr_ctx_error(ctx));
            fr_solver_free(solver);
        }
    fr_graph_free(g.graph);
}

/* FRINGE_FULL: by its vertices alone. */
static bool takes_long(const cf_graph *g) {
    return g->n > MANY_VERTICES || (host_is_brief() && g->m > MANY_EDGES);
}

/* On the host one of the five kinds of weights for a graph that takes long (FRINGE_FULL: two), another for the next
 * shape. */
static bool is_left_out(const cf_graph *g, int kind, int number) {
    return ON_HOST && takes_long(g) && (kind + number) % 5 > !host_is_brief();
}

/* Graphs with negative cycles and mark_negative_cycles; a quarter of the settings for each kind,
 * on the host one, or, if the graph does not take long, a thirteenth with FRINGE_FULL and half of that without. */
static void mark_negative_cycles(fr_ctx *ctx, const cf_shape *s) {
    static const cf_weights signed_kinds[] = {CF_CYCLES, CF_CYCLES_F, CF_CYCLES, CF_CYCLES_F,
                                              CF_I64_CYCLES};
    static const fr_type types[] = {FR_TYPE_NONE, FR_TYPE_NONE, FR_TYPE_I64, FR_TYPE_F64,
                                    FR_TYPE_NONE};
    const int number = (int)(s - cf_shapes), share = host_is_brief() ? 26 : 13;
    for (int k = 0; k < 5; k++) {
        cf_graph *g = cf_graph_new(ctx, s, signed_kinds[k]);
        cf_config c = {.g = g, .threads = 1, .dist_type = types[k]};
        bool skip = !g || !g->n || is_left_out(g, k, number);
        for (int r = 0; !skip && cf_strategy(FR_PROBLEM_SSSP, r, &c.strategy); r++) {
            if (!cf_takes_negative(&c.strategy) ||
                (only_strategy && strcmp(only_strategy, c.strategy.name) != 0))
                continue;
            if (ON_HOST && g->n > HANDED_ON && !strcmp(c.strategy.name, "auto"))
                continue; /* it hands these to hbf, which meets them itself */
            int settings = cf_knob_settings(&c.strategy);
            int cases = (settings + 3) / 4;
            if (ON_HOST || cf_reduced())
                cases = takes_long(g) || cf_reduced() ? 1 : (settings + share - 1) / share;
            for (int i = 0; i < cases; i++) {
                cf_knobs(&c.strategy, (4 * i + 7 * number + k) % settings, c.knobs);
                if (ON_HOST && g->n > 300 && has_many_children(c.knobs))
                    c.knobs[0] = 0; /* small graphs will do */
                c.seed = (uint64_t)number + 1;
                simt_seed(c.seed);
                cf_past_cycles(ctx, &c, i % 2 ? g->hub : 0);
            }
        }
        cf_graph_free(g);
        cf_report_time("negative cycles", s->name);
    }
}

static void shape(fr_ctx *ctx, const cf_shape *s, int nth) {
    (void)nth;
    cross(ctx, s);
    if (!s->large)
        mark_negative_cycles(ctx, s);
}

/* Windows over sorted rows on graphs whose rounds leave entries to the pull, with weights of 0, equal and distinct. The
 * explanation has these words, if any. */
static void solve_small_world(fr_ctx *ctx, fr_graph *g, const char *knobs, int32_t source,
                              const char *words) {
    const ask a = {.ctx = ctx,
                   .graph = g,
                   .name = fr_graph_name(g),
                   .problem = FR_PROBLEM_SSSP,
                   .options = {.knobs = knobs},
                   .query = {.sources = &source, .source_count = 1}};
    fr_solver *solver = solver_new(ctx, g, a.problem, a.options);
    solve_verified(&a, solver);
    CHECK(!words || (solver && strstr(fr_solver_explain(solver), words)), "not %s: %s", words,
          solver ? fr_solver_explain(solver) : fr_ctx_error(ctx));
    fr_solver_free(solver);
}

/* A row of in-edges that continues in the next tiles of sorted rows: every other vertex has a heavy edge to HUB, and the
 * shortest path to it is over one of the last. */
static fr_graph *long_in_row(fr_ctx *ctx, fr_type type) {
    enum { N = 4500, HUB = 700 };
    edge *edges = malloc(2 * N * sizeof *edges);
    int64_t m = 0;
    for (int32_t v = 1; v < N; v++) {
        edges[m++] = (edge){0, v == HUB ? 1 : v, 1 + v % 5};
        if (v != HUB)
            edges[m++] = (edge){v, HUB, v == N - 9 ? 30 : 40 + v * 37 % 101};
    }
    fr_graph *graph = graph_of_edges(ctx, N, m, edges, type, FR_DIRECTION_DIRECTED);
    free(edges);
    return graph;
}

static void long_in_rows(fr_ctx *ctx) {
    for (fr_type type = FR_TYPE_I32; type <= FR_TYPE_F64; type++) {
        fr_graph *graph = long_in_row(ctx, type);
        solve_small_world(ctx, graph, "windows=64", 0, NULL);
        solve_small_world(ctx, graph, "windows=64,pull=1e9,pack_weights=0", 0, NULL);
        fr_graph_free(graph);
    }
}

static void with_memory(fr_graph *graph, size_t bytes, const char *words) {
    fr_ctx *limited = context_new((fr_ctx_options){.max_gpu_bytes = bytes});
    solve_small_world(limited, graph, "windows=64", 0, words);
    fr_ctx_free(limited);
}

/* Where in-edges do not fit a directed graph has no windows, as estimated. */
static void in_edges_that_do_not_fit(fr_ctx *ctx) {
    const fr_load_options load = {.weights = FR_WEIGHTS_RANDOM, .weight_low = 1, .weight_high = 99};
    const fr_solver_options options = {.backend = FR_BACKEND_CUDA, .knobs = "windows=64"},
                            without = {.backend = FR_BACKEND_CUDA, .knobs = "windows=0"};
    fr_graph *graph = graph_generate(ctx, "uniform:n=3000,edges=20000,directed=1,seed=4", load);
    fr_memory_estimate full = {0}, less = {0};
    CHECK_OK(ctx, fr_estimate_memory(ctx, graph, FR_PROBLEM_SSSP, &options, &full));
    CHECK_OK(ctx, fr_estimate_memory(ctx, graph, FR_PROBLEM_SSSP, &without, &less));
    CHECK(full.device > less.device + 20000 * 8, "%zu and %zu bytes", full.device, less.device);
    with_memory(graph, full.device, "over in-edges");
    with_memory(graph, full.device - 1, "with less memory");
    fr_graph_free(graph);
}

static void small_worlds(fr_ctx *ctx) {
    static const char *const knobs[] = {"windows=64", "windows=64,pull=1e9", "windows=64,window=1",
                                        "windows=2,window=0.01", "windows=0,pull_divisor=1000"};
    static const struct {
        fr_type type;
        double high;
    } weights[] = {{FR_TYPE_I32, 9}, {FR_TYPE_I64, 3e9}, {FR_TYPE_F32, 9.5}, {FR_TYPE_F64, 1}};
    for (int i = 0; i < 32; i++) {
        char text[80];
        const fr_load_options load = {.direction = i / 4 % 2 ? FR_DIRECTION_DIRECTED
                                                             : FR_DIRECTION_UNDIRECTED,
                                      .weights = FR_WEIGHTS_RANDOM,
                                      .weight_type = weights[i % 4].type,
                                      .weight_high = weights[i % 4].high};
        snprintf(text, sizeof text, "uniform:n=150,edges=%d,seed=%d", 200 + 25 * i, i);
        fr_graph *g = graph_generate(ctx, text, load);
        for (int k = 0; k < COUNT(knobs); k++)
            solve_small_world(ctx, g, knobs[k], (31 * i + k) % 150, NULL);
        fr_graph_free(g);
    }
}

/* Rows of up to four edges and longer ones; 64 vertices leave no bit above their numbers. */
static void short_rows(fr_ctx *ctx) {
    static const char *const knobs[] = {"slots=1", "slots=2,pack_weights=0", "slots=0",
                                        "slots=1,hops=0"};
    static const char *const graphs[] = {"grid2d:rows=8,cols=8", "uniform:n=64,edges=140,seed=3",
                                         "uniform:n=64,edges=90,directed=1,seed=3"};
    for (int i = 0; i < 4 * COUNT(graphs); i++) {
        const fr_load_options load = {.weights = FR_WEIGHTS_RANDOM,
                                      .weight_type = (fr_type)(FR_TYPE_I32 + i % 4),
                                      .weight_high = 9};
        fr_graph *graph = graph_generate(ctx, graphs[i / 4], load);
        for (int k = 0; graph && k < COUNT(knobs); k++)
            solve_small_world(ctx, graph, knobs[k], 7 * i % 64, NULL);
        fr_graph_free(graph);
    }
}

/* A path of whole weights, whose distances end below, at and beyond what int32 and float32 hold exactly: whether all
 * queries are computed as int32. The CPU adds in the job's type. */
static void path_as_int32(fr_ctx *ctx, fr_type type, double weight, double last, bool exact) {
    const double limits[] = {0, 3 * weight, 0x1p24 - 1, 0x1p24 + 1, 0x1p31 + 1};
    const int32_t target = 30;
    char name[80];
    snprintf(name, sizeof name, "a path of %s, %.17g and %.17g", fr_type_name(type), weight, last);
    fr_graph *graph = graph_path(ctx, 60, 2, type, weight, last);
    ask a = {.ctx = ctx, .graph = graph, .name = name, .problem = FR_PROBLEM_SSSP};
    fr_solver *solver =
        solver_new(ctx, graph, a.problem, (fr_solver_options){.backend = FR_BACKEND_CUDA});
    for (int i = 0; solver && i < 2 * COUNT(limits); i++) {
        const int32_t source = 0;
        a.query = (fr_query){.sources = &source,
                             .source_count = 1,
                             .max_distance = limits[i / 2],
                             .targets = &target,
                             .target_count = i % 2};
        answer want = answer_on_cpu(&a);
        check_place(&a, solver, &want, PAGEABLE, VALUES | PARENTS);
        answer_free(&want);
    }
    const char *why = solver ? fr_solver_explain(solver) : "";
    CHECK(exact == (strstr(why, "computed as int32") != NULL) &&
              exact != (strstr(why, "int32 does not hold all") != NULL),
          "%s: %s", name, why);
    fr_solver_free(solver);
    fr_graph_free(graph);
}

static void as_int32(fr_ctx *ctx) {
    static const struct {
        fr_type type;
        double weight, last;
        bool exact;
    } paths[] = {
        {FR_TYPE_I64, 3, 0, true},
        {FR_TYPE_F64, 3, 0, true},
        {FR_TYPE_F32, 3, 0, true},
        {FR_TYPE_F32, 1 << 18, (1 << 24) - 59 * (1 << 18) - 1, true}, /* 2^24 - 1 in the end */
        {FR_TYPE_F32, 1 << 18, (1 << 24) - 59 * (1 << 18), false},
        {FR_TYPE_F32, 1000001, 3, false},       /* sums are rounded */
        {FR_TYPE_F64, 36394999, 178705, true},  /* 2^31 - 2 */
        {FR_TYPE_F64, 36394999, 178706, false}, /* 2^31 - 1, which means unreached */
        {FR_TYPE_I64, 36394999, 178706, false},
        {FR_TYPE_I64, 60000000, 1, false},
    };
    for (int i = 0; i < COUNT(paths); i++)
        path_as_int32(ctx, paths[i].type, paths[i].weight, paths[i].last, paths[i].exact);
}

static void traps(fr_ctx *ctx) {
    cross_traps(ctx, FR_PROBLEM_SSSP, only_strategy);
    underflow(ctx);
}

static void windows(fr_ctx *ctx) {
    if (only_strategy && strcmp(only_strategy, "auto") != 0)
        return;
    as_int32(ctx);
    small_worlds(ctx);
    short_rows(ctx);
    long_in_rows(ctx);
    in_edges_that_do_not_fit(ctx);
}

static const part parts_of_program[] = {{"traps", traps}, {"windows", windows}, {0}};

int main(int argc, char **argv) {
    const program p = {.what = ON_HOST ? "SSSP on the GPU, kernels on the host" : "SSSP on the GPU",
                       .problem = FR_PROBLEM_SSSP,
                       .by_strategy = true,
                       .shape = shape,
                       .parts = parts_of_program};
    return program_main(&p, argc, argv);
}
