/* Every SSSP strategy for the GPU x every shape x kinds of weights x queries x knob settings.
 * With FRI_SIMT the kernels run on the host, shapes are small, and each of twelve schedules (FRINGE_FULL:
 * twenty) uses the next kind, query and knob setting; on a GPU the defaults run every query with every kind, and
 * every other setting one or two of the ten kinds, others on each shape. Then negative cycles, sums
 * that exceed int32, and mark_negative_cycles. The first argument is the only strategy to run,
 * further ones the only shapes; --strategies lists the strategies. FRINGE_REDUCED=N, on a GPU: one
 * query for each of at most N settings, for runs under a tool. */
#include "conformance/choose.h"
#include "conformance/negative_cycles.h"
#include "conformance/queries.h"
#include "conformance/wide_traps.h"
#include "core/gpu_interface.h"
#include "gpu/gpu_host.h"
#include "gpu/gpu_kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEDULES = 12, FULL_SCHEDULES = 20, DEEP_SCHEDULES = 2, DEEP = 24 }; /* on the host */
enum { MANY_VERTICES = 100, MANY_EDGES = 1000 };
enum { HANDED_ON = 60 /* vertices up to which auto passes negative cycles on, there */ };

typedef struct {
    cf_graph *g;
    cf_task tasks[CF_MAX_QUERIES];
    int count;
} part; /* a shape with one kind of weights */

enum { MIXES = 5, MIXED = -1 }; /* cases with all knobs mixed at random, per strategy and shape */

/* hbf with a child grid for nearly every vertex: on the host one block each, however few edges.
 */
static bool has_many_children(const char *knobs) {
    const char *at = strstr(knobs, "child=");
    double child = at ? atof(at + strlen("child=")) : 0;
    return child > 0 && child < 64;
}

static void one(fr_ctx *ctx, const part *p, int kind, const fr_strategy_info *strategy, int query,
                int setting, uint64_t seed) {
    const cf_task *task = &p->tasks[query % p->count];
    cf_config c = {.g = p->g,
                   .strategy = *strategy,
                   .threads = 1,
                   .unit = kinds[kind].unit,
                   .dist_type = kinds[kind].type,
                   .seed = seed,
                   .count = fri_gpu_kernels_count()};
    bool unique = c.unit || (p->g->weights != CF_ZERO && !cf_is_negative(p->g->weights));
    if (setting == MIXED)
        cf_mix_knobs(strategy, seed, c.knobs);
    else
        cf_knobs(strategy, setting, c.knobs);
    if (ON_HOST && p->g->n > 300 && (strstr(c.knobs, "delta=0.0") || has_many_children(c.knobs)))
        c.knobs[0] = 0; /* a step per distance, a grid per vertex: small graphs are enough */
    simt_seed(seed);
    size_t before = simt_held_bytes(ctx);
    fr_solver *solver = cf_solver_new(ctx, &c);
    if (solver)
        cf_check(ctx, &c, solver, &task->query, task->dist, unique ? task->min_parents : NULL);
    fr_solver_free(solver);
    if (simt_held_bytes(ctx) != before)
        cf_fail(&c, &task->query, "device memory is left behind");
}

static cf_number deepest(const part *p) {
    cf_number depth = 0;
    for (int t = 0; t < p->count; t++)
        for (int32_t v = 0; v < p->g->n; v++)
            if (p->tasks[t].dist[v] > depth && p->tasks[t].dist[v] < p->g->n)
                depth = p->tasks[t].dist[v];
    return depth;
}

/* On the host: schedule i uses the i-th kind and query, and continues with the knob settings
 * where the previous shape ended, so that all are used; the last schedules mix the knobs. */
static void sample(fr_ctx *ctx, const part *parts, const fr_strategy_info *strategy, int number) {
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
static void everything(fr_ctx *ctx, const part *parts, const fr_strategy_info *strategy,
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

static void reduced(fr_ctx *ctx, const part *parts, const fr_strategy_info *strategy,
                    int settings_limit) {
    int settings = cf_knob_settings(strategy),
        step = settings > settings_limit ? (settings + settings_limit - 1) / settings_limit : 1;
    for (int i = 0, k = 0; i < settings; i += step, k++) {
        while (cf_is_negative(kinds[k % KINDS].weights) && !cf_takes_negative(strategy))
            k++;
        one(ctx, &parts[k % KINDS], k % KINDS, strategy, k, i, 0);
    }
}

static void shape(fr_ctx *ctx, const cf_shape *s, const char *only) {
    part parts[KINDS] = {0};
    fr_strategy_info strategy = {0};
    for (int k = 0; k < KINDS; k++) {
        parts[k].g = cf_graph_new(ctx, s, kinds[k].weights);
        if (!parts[k].g)
            cf_give_up(ctx, s->name);
        parts[k].count = cf_tasks_new(parts[k].g, kinds[k].unit, parts[k].tasks);
    }
    for (int r = 0; parts[0].count && cf_strategy(FR_PROBLEM_SSSP, r, &strategy); r++) {
        if (only && strcmp(only, strategy.name) != 0)
            continue;
        if (ON_HOST)
            sample(ctx, parts, &strategy, (int)(s - cf_shapes));
        else if (cf_reduced())
            reduced(ctx, parts, &strategy, cf_reduced());
        else
            everything(ctx, parts, &strategy, (int)(s - cf_shapes));
        cf_report_time(strategy.name, s->name);
    }
    for (int k = 0; k < KINDS; k++) {
        cf_tasks_free(parts[k].tasks, parts[k].count);
        cf_graph_free(parts[k].g);
    }
}

/* ---- traps ------------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    int32_t n;
    int m;
    int32_t edge[8][3]; /* source, target, weight */
    int32_t cycle;      /* so many vertices in a cycle of weight -1 instead */
    int32_t behind;     /* or in one of weight 0, of 1 to this, entered at 1 from 0 by the next */
    bool undirected;
    fr_status status;
    const char *words; /* in the message; NULL: any */
} trap;

#define BIG 2000000000
static const trap traps[] = {
    {"loop", 3, 3, {{0, 1, 1}, {1, 1, -1}, {1, 2, 1}}, 0, 0, false, FR_NEGATIVE_CYCLE, NULL},
    {"loop-at-source", 2, 2, {{0, 0, -5}, {0, 1, 1}}, 0, 0, false, FR_NEGATIVE_CYCLE, NULL},
    {"two", 3, 3, {{0, 1, 4}, {1, 2, 3}, {2, 1, -4}}, 0, 0, false, FR_NEGATIVE_CYCLE, NULL},
    {"parallel", 2, 3, {{0, 1, 5}, {0, 1, 2}, {1, 0, -3}}, 0, 0, false, FR_NEGATIVE_CYCLE, NULL},
    {"zero-then-negative",
     4,
     5,
     {{0, 1, 0}, {1, 0, 0}, {1, 2, 0}, {2, 3, 0}, {3, 1, -1}},
     0,
     0,
     false,
     FR_NEGATIVE_CYCLE,
     NULL},
    {"cycle", 70, 0, {{0}}, 70, 0, false, FR_NEGATIVE_CYCLE, NULL},
    {"cycle-of-zero", 92, 0, {{0}}, 0, 90, false, FR_OK, NULL},
    {"undirected", 3, 2, {{0, 1, 4}, {1, 2, -1}}, 0, 0, true, FR_NEGATIVE_CYCLE, "undirected"},
    {"steep-cycle",
     3,
     3,
     {{0, 1, 1}, {1, 2, -BIG}, {2, 1, 5}},
     0,
     0,
     false,
     FR_NEGATIVE_CYCLE,
     NULL},
    {"unreached-cycle", 4, 3, {{0, 1, 2}, {2, 3, -9}, {3, 2, 1}}, 0, 0, false, FR_OK, NULL},
    {"unreached-loop", 3, 2, {{0, 1, 2}, {2, 2, -9}}, 0, 0, false, FR_OK, NULL},
    {"zero-cycle", 3, 4, {{0, 1, 3}, {1, 2, -3}, {2, 0, 0}, {2, 1, 3}}, 0, 0, false, FR_OK, NULL},
    {"into-source", 4, 4, {{0, 1, 2}, {1, 2, -3}, {2, 0, 1}, {2, 3, 1}}, 0, 0, false, FR_OK, NULL},
    {"too-far", 3, 2, {{0, 1, BIG}, {1, 2, BIG}}, 0, 0, false, FR_OVERFLOW, "int64"},
    {"too-low", 3, 2, {{0, 1, -BIG}, {1, 2, -BIG}}, 0, 0, false, FR_OVERFLOW, "int64"},
    {"detour",
     5,
     5,
     {{0, 1, BIG}, {1, 2, BIG}, {0, 3, -BIG}, {3, 2, 7}, {0, 1, 5}},
     0,
     0,
     false,
     FR_OK,
     NULL},
    {0},
};

static fr_graph *trap_graph(fr_ctx *ctx, const trap *t) {
    int32_t src[128], dst[128], weight[128], m = t->cycle ? t->cycle : t->m;
    for (int32_t i = 0; i < t->behind; i++, m++) {
        src[i] = 1 + i;
        dst[i] = 1 + (i + 1) % t->behind;
        weight[i] = i + 1 < t->behind ? 2 : -2 * (t->behind - 1);
    }
    for (int32_t i = 0; t->behind && i < 2; i++, m++) {
        src[m] = i ? t->n - 1 : 0;
        dst[m] = i ? 1 : t->n - 1;
        weight[m] = 1;
    }
    for (int32_t i = 0; i < m && !t->behind; i++) {
        src[i] = t->cycle ? i : t->edge[i][0];
        dst[i] = t->cycle ? (i + 1) % m : t->edge[i][1];
        weight[i] = !t->cycle ? t->edge[i][2] : i + 1 < m ? 2 : -2 * (m - 1) - 1;
    }
    fr_load_options options = {.direction =
                                   t->undirected ? FR_DIRECTION_UNDIRECTED : FR_DIRECTION_DIRECTED};
    fr_graph *graph = NULL;
    if (fr_graph_from_edges(ctx, t->n, m, src, dst, weight, FR_TYPE_I32, &options, &graph))
        cf_give_up(ctx, t->name);
    return graph;
}

static void run_trap(fr_ctx *ctx, const trap *t, const cf_config *c) {
    int32_t dist[128], parent[128], source = 0;
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.dist = dist, .parent = parent};
    size_t before = simt_held_bytes(ctx);
    fr_solver *solver = cf_solver_new(ctx, c);
    cf_cases++;
    if (!solver)
        return;
    fr_status status = fr_solve(solver, &query, &result);
    if (status != t->status || (t->words && !strstr(fr_ctx_error(ctx), t->words)))
        cf_fail(c, NULL, "%s (%s), should be %s", fr_status_name(status), fr_ctx_error(ctx),
                fr_status_name(t->status));
    else if (status == FR_OK)
        status = fr_verify_sssp(ctx, c->g->graph, &query, false, dist, FR_TYPE_I32, parent);
    else if (status == FR_NEGATIVE_CYCLE)
        status = fr_verify_cycle(ctx, c->g->graph, &query, result.cycle, result.cycle_length,
                                 result.cycle_weight);
    if (status && status != t->status)
        cf_fail(c, NULL, "the verifier fails: %s", fr_ctx_error(ctx));
    fr_solver_free(solver);
    if (simt_held_bytes(ctx) != before)
        cf_fail(c, NULL, "device memory is left behind");
}

static void all_traps(fr_ctx *ctx, const char *only) {
    for (const trap *t = traps; t->name; t++) {
        cf_graph g = {.shape = t->name, .weights = CF_NEGATIVE, .n = t->n};
        cf_config c = {.g = &g, .threads = 1};
        g.graph = trap_graph(ctx, t);
        bool negative = strcmp(t->name, "too-far") != 0;
        for (int r = 0; cf_strategy(FR_PROBLEM_SSSP, r, &c.strategy); r++)
            for (int k = 0;
                 (!only || !strcmp(only, c.strategy.name)) &&
                 (!negative || cf_takes_negative(&c.strategy)) &&
                 cf_knobs(&c.strategy, k, c.knobs) && (k == 0 || !(t->cycle || t->behind));
                 k++) {
                if (ON_HOST && k % 7 != (t - traps) % 7 && k)
                    continue; /* another seventh of the settings for each trap */
                c.seed = (uint64_t)k + 1;
                simt_seed(c.seed);
                run_trap(ctx, t, &c);
                if (t->status != FR_OVERFLOW)
                    cf_past_cycles(ctx, &c, 0);
            }
        cf_report_time("traps", t->name);
        fr_graph_free(g.graph);
    }
}

/* Floats whose sums leave float downwards: no wrong number, and double holds them. */
static void underflow(fr_ctx *ctx, const char *only) {
    static const int32_t src[] = {0, 1}, dst[] = {1, 2};
    static const float weight[] = {-3e38f, -3e38f};
    cf_graph g = {.shape = "underflow", .weights = CF_NEGATIVE, .n = 3};
    cf_config c = {.g = &g, .threads = 1};
    fr_load_options options = {.direction = FR_DIRECTION_DIRECTED};
    if (fr_graph_from_edges(ctx, 3, 2, src, dst, weight, FR_TYPE_F32, &options, &g.graph))
        cf_give_up(ctx, g.shape);
    for (int r = 0; cf_strategy(FR_PROBLEM_SSSP, r, &c.strategy); r++)
        for (int wide = 0; wide < 2; wide++) {
            if (!cf_takes_negative(&c.strategy) || (only && strcmp(only, c.strategy.name) != 0))
                continue;
            double dist[3]; /* or floats */
            fr_query query = {.sources = src, .source_count = 1};
            fr_result result = {.dist = dist};
            c.dist_type = wide ? FR_TYPE_F64 : FR_TYPE_NONE;
            fr_solver *solver = cf_solver_new(ctx, &c);
            fr_status status = solver ? fr_solve(solver, &query, &result) : FR_INVALID;
            cf_cases++;
            if (status != (wide ? FR_OK : FR_OVERFLOW) ||
                (wide && dist[2] != 2 * (double)weight[0]))
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
static void mark_negative_cycles(fr_ctx *ctx, const cf_shape *s, const char *only) {
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
            if (!cf_takes_negative(&c.strategy) || (only && strcmp(only, c.strategy.name) != 0))
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

int main(int argc, char **argv) {
    const char *only = argc > 1 ? argv[1] : NULL;
    fr_ctx *ctx;
    cf_backend = FR_BACKEND_CUDA;
    if (cf_list_strategies(FR_PROBLEM_SSSP, argc, argv))
        return 0;
    ctx = cf_device_context(FR_PROBLEM_SSSP, ON_HOST);
    if (!ctx)
        return 77;
    if (cf_shape_chosen("traps", argc, argv)) {
        all_traps(ctx, only);
        cf_wide_traps(ctx, FR_PROBLEM_SSSP, only);
        underflow(ctx, only);
    }
    for (const cf_shape *s = cf_shapes; s->name; s++)
        if (!(ON_HOST && s->large) && cf_shape_chosen(s->name, argc, argv))
            shape(ctx, s, only);
    for (const cf_shape *s = cf_shapes; s->name; s++)
        if (!s->large && cf_shape_chosen(s->name, argc, argv))
            mark_negative_cycles(ctx, s, only);
    fr_ctx_free(ctx);
    return cf_finish(ON_HOST ? "SSSP on the GPU, kernels on the host" : "SSSP on the GPU");
}
