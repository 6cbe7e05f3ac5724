/* Queries of solvers: the options, and how they are drawn, for every strategy of the table on each backend. */
#include "solve.h"

#include "case.h"
#include "device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const ri_call ri_call_solve;
void so_run(ri_case *c); /* solve.c */

enum { STRATEGIES = 96 };
static so_strategy strategies[STRATEGIES];
static char strategy_text[STRATEGIES][64];
static const char *strategy_names[STRATEGIES + 1];

const so_strategy *so_strategies(int *count) {
    static int found;
    fr_strategy_info info = FR_INIT(fr_strategy_info);
    while (!strategies[0].name && found < STRATEGIES - 1 && fr_strategy_get(found, &info))
        found++;
    for (int i = 0; !strategies[found - 1].name && i < found && fr_strategy_get(i, &info); i++) {
        strategies[i] = (so_strategy){info.problem, info.backend, info.name, info.knobs};
        snprintf(strategy_text[i], sizeof strategy_text[i], "%s/%s/%s",
                 fr_problem_name(info.problem), fr_backend_name(info.backend), info.name);
        strategy_names[i] = strategy_text[i];
    }
    *count = found;
    return strategies;
}

static const char *const types[] = {"usual", "int32", "int64", "float32", "float64", NULL};
static const char *const rules[] = {"any", "min-id", "nearest", NULL};
static const char *const tunings[] = {"none", "given", "measured", "found", NULL};
static const char *const places[] = {"host", "pinned", "device", NULL};

#define AT(option) [(option)-RI_FRAME_OPTIONS]
static const ri_option options[] = {
    AT(SO_STRATEGY) = {.name = "strategy", .kind = RI_NAME, .names = strategy_names, .least = 1},
    AT(SO_KNOBS) = {.name = "knobs", .kind = RI_TEXT},
    AT(SO_DIST_TYPE) = {.name = "dist_type", .kind = RI_NAME, .names = types},
    AT(SO_UNIT) = {.name = "unit_weights"},
    AT(SO_REVERSE) = {.name = "reverse"},
    AT(SO_EXPECTED) = {.name = "expected_queries"},
    AT(SO_RECORD) = {.name = "record_levels"},
    AT(SO_ESTIMATE) = {.name = "estimate"},
    AT(SO_ONE_CALL) = {.name = "one_call"},
    AT(SO_NARROW) = {.name = "max_sources"},
    AT(SO_IN_PLACE) = {.name = "in_place"},
    AT(SO_COUNTERS) = {.name = "counters"},
    AT(SO_TUNING) = {.name = "tuning", .kind = RI_NAME, .names = tunings},
    AT(SO_TUNED) = {.name = "tuned", .kind = RI_NAME, .names = strategy_names},
    AT(SO_TUNED_KNOBS) = {.name = "tuned_knobs", .kind = RI_TEXT},
    AT(SO_SET_THREADS) = {.name = "set_threads", .each = true},
    AT(SO_BAD) = {.name = "bad", .each = true},
    AT(SO_SOURCES) = {.name = "sources", .kind = RI_VERTICES, .each = true, .least = 1},
    AT(SO_ALL_ROWS) = {.name = "all_rows", .each = true},
    AT(SO_EACH) = {.name = "each", .each = true},
    AT(SO_TARGETS) = {.name = "targets", .kind = RI_VERTICES, .each = true},
    AT(SO_LIMITED) = {.name = "limited", .each = true},
    AT(SO_MAX_DISTANCE) = {.name = "max_distance", .kind = RI_REAL, .each = true},
    AT(SO_MAX_LEVEL) = {.name = "max_level", .each = true},
    AT(SO_MARK) = {.name = "mark_negative_cycles", .each = true},
    AT(SO_RULE) = {.name = "parents", .kind = RI_NAME, .each = true, .names = rules},
    AT(SO_NO_PARENTS) = {.name = "no_parents", .each = true},
    AT(SO_NO_VALUES) = {.name = "no_values", .each = true},
    AT(SO_ORDER) = {.name = "order", .each = true},
    AT(SO_ORIGIN) = {.name = "origin", .each = true},
    AT(SO_CLOSED_VERTICES) = {.name = "closed_vertices", .kind = RI_VERTICES, .each = true},
    AT(SO_CLOSED_EDGES) = {.name = "closed_edges", .kind = RI_EDGES, .each = true},
    AT(SO_OPEN_BITS) = {.name = "open_bits", .each = true},
    AT(SO_ROW) = {.name = "row", .each = true},
    AT(SO_PLACE) = {.name = "place", .kind = RI_NAME, .each = true, .names = places},
    AT(SO_STREAM) = {.name = "stream", .each = true},
    AT(SO_CORRUPT) = {.name = "corrupt", .each = true},
    {.name = NULL}};

/* ---- the solver -------------------------------------------------------------------------------------- */

/* --only bfs, bfs/cuda, bfs/cuda/xbfs */
static bool is_chosen(int i) {
    const char *only = ri_chosen.only && !ri_call_named(ri_chosen.only) ? ri_chosen.only : NULL;
    if (ri_chosen.backend && strategies[i].backend != ri_chosen.backend)
        return false;
    if (strategies[i].backend == FR_BACKEND_CUDA && !ri_have_gpu())
        return false;
    return !only || (strncmp(strategy_text[i], only, strlen(only)) == 0 &&
                     (strategy_text[i][strlen(only)] == '/' || !strategy_text[i][strlen(only)]));
}

static bool is_possible(const ri_case *c, int i) {
    const bool apsp = strategies[i].problem == FR_PROBLEM_APSP;
    const bool slow = strategies[i].backend == FR_BACKEND_CUDA && ri_kernels_are_on_host();
    return is_chosen(i) && c->graph.n <= (apsp ? slow ? 40 : 300 : slow ? 400 : INT32_MAX);
}

static bool takes(const ri_case *c) {
    int count;
    bool any = false;
    so_strategies(&count);
    for (int i = 0; i < count && !any; i++)
        any = is_possible(c, i);
    return any;
}

static void draw_knob(ri_rng *rng, const fr_knob *knob, char *text, size_t capacity) {
    const size_t at = strlen(text);
    double value = knob->low;
    const double low = knob->low, high = knob->high;
    if (knob->switches)
        value = (double)ri_between(rng, (int64_t)low, (int64_t)high);
    else if (ri_chance(rng, 20))
        value = ri_chance(rng, 50) ? low : high;
    else if (high - low < 1e6 && high - low >= 1)
        value = floor(ri_chance(rng, 50) ? low + ri_unit(rng) * fmin(high - low, 16)
                                         : low + ri_unit(rng) * (high - low));
    else {
        value = exp(log(fmax(low, 1e-12)) +
                    ri_unit(rng) * (log(fmin(high, 1e12)) - log(fmax(low, 1e-12))));
        value = low == floor(low) ? fmax(low, floor(value)) : value;
    }
    snprintf(text + at, capacity - at, "%s%s=%.17g", at ? "," : "", knob->name, value);
}

static void draw_knobs(ri_case *c, ri_rng *rng, const fr_knob *knobs, int option) {
    char text[1024] = "";
    const int percent = (int)RI_PICK(rng, 20, 50, 90);
    for (; knobs && knobs->name && strlen(text) < 800; knobs++)
        if (ri_chance(rng, percent))
            draw_knob(rng, knobs, text, sizeof text);
    ri_set_text(ri_of(c, -1, option), text);
}

/* For `auto` of BFS and SSSP; mostly a strategy of that problem. */
static void draw_tuning(ri_case *c, ri_rng *rng, const so_strategy *s) {
    int count;
    const so_strategy *all = so_strategies(&count);
    ri_setting *of = c->of[0];
    if (strcmp(s->name, "auto") != 0 || s->problem == FR_PROBLEM_APSP || !ri_chance(rng, 30))
        return;
    of[SO_TUNING].number =
        c->graph.n > 80 || ri_chance(rng, 80) ? SO_GIVEN : ri_between(rng, SO_MEASURED, SO_FOUND);
    const bool any = ri_chance(rng, 10);
    do
        of[SO_TUNED].number = ri_below(rng, count);
    while (!any && all[of[SO_TUNED].number].problem != s->problem);
    if (all[of[SO_TUNED].number].knobs && ri_chance(rng, 50))
        draw_knobs(c, rng, all[of[SO_TUNED].number].knobs, SO_TUNED_KNOBS);
}

static void draw_solver(ri_case *c, ri_rng *rng, const so_strategy *s) {
    ri_setting *of = c->of[0];
    const fr_type w = c->graph.type;
    of[SO_UNIT].number = w != FR_TYPE_NONE && ri_chance(rng, 8);
    of[SO_REVERSE].number = ri_chance(rng, 20);
    if (s->problem != FR_PROBLEM_BFS && ri_chance(rng, 25)) {
        if (w == FR_TYPE_NONE || of[SO_UNIT].number)
            of[SO_DIST_TYPE].number = ri_between(rng, FR_TYPE_I32, FR_TYPE_F64);
        else
            of[SO_DIST_TYPE].number = ri_is_real(w) ? FR_TYPE_F64 : FR_TYPE_I64;
    }
    if (ri_chance(rng, 20))
        of[SO_EXPECTED].number = RI_PICK(rng, 1, 2, 100, 1000000);
    of[SO_RECORD].number = ri_chance(rng, 10);
    of[SO_ESTIMATE].number = ri_chance(rng, 5);
    of[SO_COUNTERS].number = ri_chance(rng, 4);
    of[SO_ONE_CALL].number = strcmp(s->name, "auto") == 0 && ri_chance(rng, 15);
    of[SO_NARROW].number = s->problem == FR_PROBLEM_APSP && ri_chance(rng, 30);
    of[SO_IN_PLACE].number = s->problem == FR_PROBLEM_APSP && s->backend == FR_BACKEND_CUDA &&
                             ri_chance(rng, strcmp(s->name, "floyd-warshall") == 0 ? 30 : 2);
    of[RI_BACKEND].number = ri_chance(rng, 15) ? FR_BACKEND_ANY : s->backend;
    if (s->knobs && of[RI_BACKEND].number &&
        ri_chance(rng, 40)) /* another device has other knobs */
        draw_knobs(c, rng, s->knobs, SO_KNOBS);
    else
        draw_tuning(c, rng, s);
}

/* ---- a query ------------------------------------------------------------------------------------------- */

static void draw_vertices(ri_case *c, ri_rng *rng, ri_setting *set, int64_t count) {
    int32_t list[64];
    count = count < 64 ? count : 64;
    for (int64_t i = 0; i < count; i++)
        list[i] = (int32_t)ri_below(rng, c->graph.n);
    if (count > 1 && ri_chance(rng, 20))
        list[1] = list[0];
    ri_set_list(set, list, count);
}

static void draw_some(ri_rng *rng, ri_setting *set, int64_t of, int percent) {
    int32_t *list = ri_need((size_t)of * sizeof *list), count = 0;
    for (int32_t i = 0; i < of; i++)
        if (ri_chance(rng, percent))
            list[count++] = i;
    ri_set_list(set, list, count);
    free(list);
}

static double draw_limit(ri_rng *rng, const ri_graph *g) {
    double sum = 0;
    const int64_t steps = ri_below(rng, 5);
    if (ri_chance(rng, 10))
        return RI_PICK(rng, 1, 1 << 30, INT32_MAX, INT64_C(1) << 53, INT64_MAX);
    for (int64_t i = 0; i < steps && g->m; i++) {
        const ri_weight w = g->edges[ri_below(rng, g->m)].weight;
        sum += ri_is_real(g->type) ? fabs(w.f) : fabs((double)w.i);
    }
    if (ri_chance(rng, 20))
        sum = sum / 2 + 0.5;
    return isfinite(sum) ? sum : 1e300;
}

static void draw_limits(ri_case *c, ri_rng *rng, int round, const so_strategy *s) {
    ri_setting *of = c->of[1 + round];
    if (!ri_chance(rng, 25))
        return;
    of[SO_LIMITED].number = ri_chance(rng, 50);
    if (s->problem == FR_PROBLEM_BFS)
        of[SO_MAX_LEVEL].number = ri_chance(rng, 20) ? 0 : ri_below(rng, 8);
    else
        of[SO_MAX_DISTANCE].real = ri_chance(rng, 20) ? 0 : draw_limit(rng, &c->graph);
}

static void draw_closed(ri_case *c, ri_rng *rng, int round) {
    ri_setting *of = c->of[1 + round];
    if (round && ri_chance(rng, 30)) { /* the same as before */
        ri_set_list(&of[SO_CLOSED_VERTICES], c->of[round][SO_CLOSED_VERTICES].list,
                    c->of[round][SO_CLOSED_VERTICES].count);
        ri_set_list(&of[SO_CLOSED_EDGES], c->of[round][SO_CLOSED_EDGES].list,
                    c->of[round][SO_CLOSED_EDGES].count);
        of[SO_OPEN_BITS] = c->of[round][SO_OPEN_BITS];
        return;
    }
    if (!ri_chance(rng, 25))
        return;
    const int percent = (int)RI_PICK(rng, 3, 15, 50);
    if (ri_chance(rng, 60))
        draw_some(rng, &of[SO_CLOSED_VERTICES], c->graph.n, percent);
    if (ri_chance(rng, 60))
        draw_some(rng, &of[SO_CLOSED_EDGES], c->graph.m, percent);
    of[SO_OPEN_BITS].number = ri_chance(rng, 30);
}

static void draw_outputs(ri_case *c, ri_rng *rng, int round, const so_strategy *s) {
    ri_setting *of = c->of[1 + round];
    const bool apsp = s->problem == FR_PROBLEM_APSP;
    of[SO_RULE].number = ri_chance(rng, 50) ? 0 : ri_below(rng, 3);
    of[SO_NO_PARENTS].number = ri_chance(rng, 20);
    of[SO_NO_VALUES].number = !of[SO_NO_PARENTS].number && ri_chance(rng, 8);
    if (s->problem == FR_PROBLEM_BFS && !of[SO_EACH].number)
        of[SO_ORDER].number = ri_chance(rng, 25);
    if (!apsp && !of[SO_EACH].number)
        of[SO_ORIGIN].number = ri_chance(rng, 25);
    if (apsp && ri_chance(rng, 20))
        of[SO_ROW].number = ri_between(rng, 1, 2);
    if (ri_have_gpu() && ri_chance(rng, 30)) {
        of[SO_PLACE].number = ri_between(rng, RI_PINNED, RI_DEVICE);
        of[SO_STREAM].number = of[SO_PLACE].number == RI_DEVICE && ri_chance(rng, 30);
    }
    of[SO_CORRUPT].number = ri_chance(rng, 40) ? ri_between(rng, 1, 10) : 0;
}

static void draw_query(ri_case *c, ri_rng *rng, int round, const so_strategy *s) {
    ri_setting *of = c->of[1 + round];
    const bool apsp = s->problem == FR_PROBLEM_APSP;
    const int64_t n = c->graph.n;
    draw_vertices(c, rng, &of[SO_SOURCES],
                  apsp ? 1 + ri_below(rng, n < 12 ? n : 12) : RI_PICK(rng, 1, 1, 1, 2, 3, 5));
    of[SO_SET_THREADS].number = ri_chance(rng, 5) ? 1 + ri_below(rng, 4) : 0;
    of[SO_BAD].number = ri_chance(rng, 2) ? 1 + ri_below(rng, 3) : 0;
    of[SO_ALL_ROWS].number = apsp && ri_chance(rng, n <= 40 ? 50 : 20);
    of[SO_EACH].number = !apsp && ri_chance(rng, 15);
    if (ri_chance(rng, 20))
        draw_vertices(c, rng, &of[SO_TARGETS], RI_PICK(rng, 1, 1, 2, 3, 8));
    draw_limits(c, rng, round, s);
    of[SO_MARK].number = s->problem == FR_PROBLEM_SSSP && ri_chance(rng, 15);
    draw_closed(c, rng, round);
    draw_outputs(c, rng, round, s);
}

static void draw(ri_case *c, ri_rng *rng) {
    int count;
    const so_strategy *all = so_strategies(&count);
    int64_t chosen;
    do
        chosen = ri_below(rng, count);
    while (!is_possible(c, (int)chosen));
    c->of[0][SO_STRATEGY].number = chosen;
    draw_solver(c, rng, &all[chosen]);
    c->rounds = (int)RI_PICK(rng, 1, 1, 2, 3, 5);
    for (int round = 0; round < c->rounds; round++)
        draw_query(c, rng, round, &all[chosen]);
}

const ri_call ri_call_solve = {
    .name = "solve", .options = options, .share = 60, .draw = draw, .run = so_run, .takes = takes};
