#include "gpu/cross.h"

#include "conformance/negative_cycles.h"
#include "conformance/wide_traps.h"
#include "support/float_cycles.h"

void cross_knobs(cf_config *c, int setting, uint64_t seed) {
    if (setting == MIXED)
        cf_mix_knobs(&c->strategy, seed, c->knobs);
    else
        cf_knobs(&c->strategy, setting, c->knobs);
    c->seed = seed;
}

void cross_case(fr_ctx *ctx, const cf_config *c, cross_check check, const void *arg) {
    simt_seed(c->seed);
    const size_t before = simt_held_bytes(ctx);
    fr_solver *solver = cf_solver_new(ctx, c);
    if (solver)
        check(ctx, c, solver, arg);
    fr_solver_free(solver);
    if (simt_held_bytes(ctx) != before)
        cf_fail(c, NULL, "device memory is left behind");
}

void cross_task(fr_ctx *ctx, const cf_config *c, fr_solver *solver, const void *arg) {
    const cf_task *task = arg;
    const bool unique = c->unit || (c->g->weights != CF_ZERO && !cf_is_negative(c->g->weights));
    cf_check(ctx, c, solver, &task->query, task->dist, unique ? task->min_parents : NULL);
}

int cross_reduced_step(int settings) {
    const int most = cf_reduced();
    return settings > most ? (settings + most - 1) / most : 1;
}

/* ---- traps ------------------------------------------------------------------------------- */

enum { EDGES = 8, TRAP_N = 140 };

typedef struct trap {
    const char *name;
    int32_t n;
    int m;
    edge edges[EDGES];
    int32_t cycle;  /* vertices in a cycle of weight -1 instead */
    int32_t behind; /* or in one of weight 0, of 1 to this, entered at 1 from 0 by the next */
    bool undirected, first_only; /* all pairs: the row of vertex 0 alone */
    fr_status status;
    const char *words; /* in the message of SSSP; NULL: any */
} trap;

#define BIG  2000000000
#define HALF 1073741824 /* 2^30 */
static const trap traps[] = {
    {"loop", 3, 3, {{0, 1, 1}, {1, 1, -1}, {1, 2, 1}}, .status = FR_NEGATIVE_CYCLE},
    {"loop-at-source", 2, 2, {{0, 0, -5}, {0, 1, 1}}, .status = FR_NEGATIVE_CYCLE},
    {"two", 3, 3, {{0, 1, 4}, {1, 2, 3}, {2, 1, -4}}, .status = FR_NEGATIVE_CYCLE},
    {"parallel", 2, 3, {{0, 1, 5}, {0, 1, 2}, {1, 0, -3}}, .status = FR_NEGATIVE_CYCLE},
    {"zero-then-negative",
     4,
     5,
     {{0, 1, 0}, {1, 0, 0}, {1, 2, 0}, {2, 3, 0}, {3, 1, -1}},
     .status = FR_NEGATIVE_CYCLE},
    {"cycle", TRAP_N, .cycle = TRAP_N, .status = FR_NEGATIVE_CYCLE},
    {"cycle-of-zero", 92, .behind = 90},
    {"undirected",
     3,
     2,
     {{0, 1, 4}, {1, 2, -1}},
     .undirected = true,
     .status = FR_NEGATIVE_CYCLE,
     .words = "undirected"},
    {"steep-cycle", 3, 3, {{0, 1, 1}, {1, 2, -BIG}, {2, 1, 5}}, .status = FR_NEGATIVE_CYCLE},
    {"unreached-cycle", 4, 3, {{0, 1, 2}, {2, 3, -9}, {3, 2, 1}}, .first_only = true},
    {"unreached-loop", 3, 2, {{0, 1, 2}, {2, 2, -9}}, .first_only = true},
    {"zero-cycle", 3, 4, {{0, 1, 3}, {1, 2, -3}, {2, 0, 0}, {2, 1, 3}}},
    {"into-source", 4, 4, {{0, 1, 2}, {1, 2, -3}, {2, 0, 1}, {2, 3, 1}}},
    {"too-far", 3, 2, {{0, 1, BIG}, {1, 2, BIG}}, .status = FR_OVERFLOW, .words = "int64"},
    {"too-low", 3, 2, {{0, 1, -BIG}, {1, 2, -BIG}}, .status = FR_OVERFLOW, .words = "int64"},
    {"half", 3, 2, {{0, 1, HALF / 2}, {1, 2, HALF / 2}}},
    {"largest", 3, 2, {{0, 1, HALF}, {1, 2, HALF - 2}}},
    {"larger", 3, 2, {{0, 1, HALF}, {1, 2, HALF - 1}}, .status = FR_OVERFLOW, .words = "int64"},
    {"largest-among-negative", 4, 3, {{0, 1, HALF}, {1, 2, HALF - 2}, {0, 3, -1}}},
    {"larger-among-negative",
     4,
     3,
     {{0, 1, HALF}, {1, 2, HALF - 1}, {0, 3, -1}},
     .status = FR_OVERFLOW,
     .words = "int64"},
    {"detour",
     5,
     5,
     {{0, 1, BIG}, {1, 2, BIG}, {0, 3, -BIG}, {3, 2, 7}, {0, 1, 5}},
     .first_only = true},
    {"short-detour", 4, 4, {{0, 1, BIG}, {1, 2, BIG}, {0, 3, 5}, {3, 2, 7}}, .first_only = true},
};

static fr_graph *trap_graph(fr_ctx *ctx, const trap *t, bool *negative) {
    edge edges[TRAP_N];
    int32_t m = 0, length = t->cycle ? t->cycle : t->behind, first = t->behind ? 1 : 0;
    for (; m < t->m; m++)
        edges[m] = t->edges[m];
    for (int32_t i = 0; i < length; i++)
        edges[m++] = (edge){first + i, first + (i + 1) % length,
                            i + 1 < length ? 2 : -2 * (length - 1) - !t->behind};
    if (t->behind) {
        edges[m++] = (edge){0, t->n - 1, 1};
        edges[m++] = (edge){t->n - 1, 1, 1};
    }
    *negative = false;
    for (int32_t i = 0; i < m; i++)
        *negative |= edges[i].weight < 0;
    return graph_of_edges(ctx, t->n, m, edges, FR_TYPE_I32,
                          t->undirected ? FR_DIRECTION_UNDIRECTED : FR_DIRECTION_DIRECTED);
}

static void check_trap(fr_ctx *ctx, const cf_config *c, fr_solver *solver, const void *arg) {
    static int32_t dist[TRAP_N * TRAP_N], parent[TRAP_N * TRAP_N];
    const trap *t = arg;
    const bool all = c->strategy.problem == FR_PROBLEM_APSP;
    const int32_t source = 0;
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result r = {.dist = dist, .parent = parent};
    if (all && !t->first_only)
        query = (fr_query){0};
    cf_cases++;
    fr_status status = fr_solve(solver, &query, &r);
    if (status != t->status || (t->words && !all && !strstr(fr_ctx_error(ctx), t->words))) {
        cf_fail(c, NULL, "%s (%s), should be %s", fr_status_name(status), fr_ctx_error(ctx),
                fr_status_name(t->status));
        return;
    }
    if (status == FR_NEGATIVE_CYCLE)
        status = fr_verify_cycle(ctx, c->g->graph, &query, r.cycle, r.cycle_length, r.cycle_weight);
    else if (status == FR_OK && all)
        status = fr_verify_apsp(ctx, c->g->graph, &query, false, dist, FR_TYPE_I32, parent, 0, 1);
    else if (status == FR_OK)
        status = fr_verify_sssp(ctx, c->g->graph, &query, false, dist, FR_TYPE_I32, parent);
    if (status && status != FR_OVERFLOW)
        cf_fail(c, NULL, "the verifier fails: %s", fr_ctx_error(ctx));
}

static bool is_chosen(const fr_strategy_info *strategy, const char *only, bool negative) {
    return (!only || !strcmp(only, strategy->name)) && strcmp(strategy->name, "multi-bfs") &&
           (!negative || cf_takes_negative(strategy));
}

/* SSSP: with every setting of the knobs; on the host another seventh of them for each trap. */
static void one_trap(fr_ctx *ctx, const trap *t, cf_config *c) {
    const bool large = t->cycle || t->behind, all = c->strategy.problem == FR_PROBLEM_APSP;
    for (int k = 0; cf_knobs(&c->strategy, k, c->knobs) && (k == 0 || !(large || all)); k++) {
        if (ON_HOST && k && k % 7 != (t - traps) % 7)
            continue;
        c->seed = (uint64_t)k + 1;
        cross_case(ctx, c, check_trap, t);
        if (!all && t->status != FR_OVERFLOW)
            cf_past_cycles(ctx, c, 0);
    }
}

/* Four graphs of floats whose cycles weigh 0 but for rounding. */
static void float_cycles(fr_ctx *ctx, const fr_strategy_info *strategy) {
    heights h;
    for (uint64_t seed = 0; seed < 4; seed++) {
        const bool right =
            heights_check(ctx, seed, strategy->problem, strategy->name, FR_BACKEND_CUDA, &h);
        CHECK(right, "%s, heights of seed %d: %s", strategy->name, (int)seed, h.why);
    }
}

void cross_traps(fr_ctx *ctx, fr_problem problem, const char *only) {
    fr_strategy_info strategy = {0};
    for (const trap *t = traps; t < traps + COUNT(traps); t++) {
        bool negative;
        cf_graph g = {.shape = t->name, .weights = CF_NEGATIVE, .n = t->n};
        cf_config c = {.g = &g, .threads = 1};
        g.graph = trap_graph(ctx, t, &negative);
        for (int r = 0; cf_strategy(problem, r, &c.strategy); r++)
            if (is_chosen(&c.strategy, only, negative))
                one_trap(ctx, t, &c);
        cf_report_time("traps", t->name);
        fr_graph_free(g.graph);
    }
    cf_wide_traps(ctx, problem, only);
    for (int r = 0; cf_strategy(problem, r, &strategy); r++)
        if (is_chosen(&strategy, only, true))
            float_cycles(ctx, &strategy);
}
