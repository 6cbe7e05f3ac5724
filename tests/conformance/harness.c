#include "conformance/harness.h"
#include "core/strategy.h" /* needs: which strategies accept negative weights */

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int64_t cf_cases, cf_failures;
fr_backend cf_backend = FR_BACKEND_CPU;

void cf_fail(const cf_config *c, const cf_query *q, const char *format, ...) {
    if (++cf_failures > 20)
        return;
    printf("FAILED %s/%s/%s shape=%s weights=%s%s knobs=%s threads=%d query=%s",
           fr_problem_name(c->strategy.problem), fr_backend_name(c->strategy.backend),
           c->strategy.name, c->g->shape, cf_weights_name[c->g->weights], c->unit ? "(unit)" : "",
           c->knobs[0] ? c->knobs : "default", c->threads, q ? q->name : "-");
    if (c->seed)
        printf(" seed=%llu", (unsigned long long)c->seed);
    printf(": ");
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    fflush(stdout);
}

int cf_finish(const char *what) {
    printf("%s: %lld cases, %lld failed\n", what, (long long)cf_cases, (long long)cf_failures);
    return cf_failures || !cf_cases;
}

void cf_report_time(const char *part, const char *detail) {
    static struct timespec last;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (getenv("FRINGE_VERBOSE"))
        printf("%7.3f s %s %s\n",
               (double)(now.tv_sec - last.tv_sec) + (double)(now.tv_nsec - last.tv_nsec) * 1e-9,
               part, detail);
    last = now;
}

bool cf_strategy(fr_problem problem, int index, fr_strategy_info *strategy) {
    for (int i = 0; fr_strategy_get(i, strategy); i++)
        if (strategy->problem == problem && strategy->backend == cf_backend && index-- == 0)
            return true;
    return false;
}

bool cf_takes_negative(const fr_strategy_info *strategy) {
    return !(fri_strategy_find(strategy->problem, strategy->backend, strategy->name)->needs &
             FRI_NEEDS_NON_NEGATIVE);
}

/* A knob at one of its positions: 0 low, 1 high, 2 just above low, 3 a third of the default;
 * threads per block (from 32 to 512 or more): 32, the most, 64, 256. An end that is further than a
 * thousand times from the default is drawn in, so that a case ends while someone waits. Of
 * switches: all, every other one, the others, all but three. */
static double position(const fr_knob *knob, int at) {
    const double threads[] = {32, knob->high, 64, 256};
    if (knob->switches) {
        const int64_t all = (int64_t)knob->high;
        const int64_t bits[] = {all, all & 0x5555555555, all & 0xaaaaaaaaaa, all & ~(int64_t)131};
        return (double)bits[at];
    }
    if (knob->low == 32 && knob->high >= 512 && knob->high <= 1024)
        return threads[at];
    double usual = knob->value > 0 ? knob->value : 16;
    double low = fmax(knob->low, usual / 1000), high = fmin(knob->high, usual * 1000);
    low = low > 1 ? floor(low) : low;
    double third = fmin(high, fmax(low, ceil(usual / 3)));
    return at == 0 ? low : at == 1 ? high : at == 2 ? fmin(high, floor(low) + 1) : third;
}

static void put_knob(char text[CF_KNOBS_TEXT], const fr_knob *knob, int at) {
    size_t used = strlen(text);
    snprintf(text + used, CF_KNOBS_TEXT - used, "%s%s=%.17g", used ? "," : "", knob->name,
             position(knob, at));
}

bool cf_knobs(const fr_strategy_info *strategy, int index, char text[CF_KNOBS_TEXT]) {
    text[0] = 0;
    int count = 0;
    while (strategy->knobs && strategy->knobs[count].name)
        count++;
    if (index == 0)
        return true;
    index--;
    if (index < 4 * count) {
        put_knob(text, &strategy->knobs[index / 4], index % 4);
        return true;
    }
    index -= 4 * count;
    for (int i = 0; i < count && index < 2; i++)
        put_knob(text, &strategy->knobs[i], index);
    return count > 1 && index < 2;
}

bool cf_is_brief(void) { return getenv("FRINGE_BRIEF") != NULL; }

bool cf_runs_setting(const cf_graph *g, int index) {
    if (index == 0 || cf_is_brief())
        return index == 0;
    return !CF_SANITIZED || getenv("FRINGE_FULL") ||
           (g->n + g->m + (int64_t)g->weights + index) % 2 == 0;
}

bool cf_runs_threads(int threads, bool each) {
    return cf_is_brief() ? threads == 3 || (each && threads == 1) : each || threads == 2;
}

void cf_mix_knobs(const fr_strategy_info *strategy, uint64_t seed, char text[CF_KNOBS_TEXT]) {
    text[0] = 0;
    for (int i = 0; strategy->knobs && strategy->knobs[i].name; i++) {
        int at = (int)(cf_random(seed, (uint64_t)i) % 5);
        if (at < 4)
            put_knob(text, &strategy->knobs[i], at);
    }
}

bool cf_refuses_weights(fr_ctx *ctx, const cf_config *c) {
    fr_solver_options options = {
        .strategy = c->strategy.name, .backend = c->strategy.backend, .unit_weights = c->unit};
    fr_solver *solver;
    fr_status status = fr_solver_new(ctx, c->g->graph, c->strategy.problem, &options, &solver);
    fr_solver_free(solver);
    if (c->unit || c->g->weights == CF_NONE || status != FR_UNSUPPORTED)
        return false;
    bool wide = c->strategy.problem == FR_PROBLEM_APSP && strcmp(c->strategy.name, "auto") != 0 &&
                cf_weight_type(c->g->weights) == FR_TYPE_I64;
    const char *words = fr_ctx_error(ctx);
    return strstr(words, "unit") || (wide && strstr(words, "2^60")) ||
           (wide && c->strategy.backend == FR_BACKEND_CUDA && strstr(words, "int64 weights"));
}

fr_solver *cf_solver_new(fr_ctx *ctx, const cf_config *c) {
    /* with no knobs given, `auto` may take its place on one GPU */
    const bool spans_devices = strcmp(c->strategy.name, "multi-device") == 0 && !*c->knobs;
    fr_ctx_set_threads(ctx, c->threads);
    fr_solver_options options = {.strategy = c->strategy.name,
                                 .backend = c->strategy.backend,
                                 .knobs = spans_devices ? "all=1" : c->knobs,
                                 .unit_weights = c->unit,
                                 .counters = c->count,
                                 .dist_type = c->dist_type};
    fr_solver *solver = NULL;
    fr_status status = fr_solver_new(ctx, c->g->graph, c->strategy.problem, &options, &solver);
    if (status)
        cf_fail(c, NULL, "fr_solver_new: %s: %s", fr_status_name(status), fr_ctx_error(ctx));
    return solver;
}

cf_number cf_value(fr_problem problem, fr_type type, const void *values, int64_t at) {
    if (problem == FR_PROBLEM_BFS) {
        int32_t level = ((const int32_t *)values)[at];
        return level < 0 ? (cf_number)INFINITY : level;
    }
    switch (type) {
    case FR_TYPE_I32: {
        int32_t d = ((const int32_t *)values)[at];
        return d == FR_INF_I32 ? (cf_number)INFINITY : d;
    }
    case FR_TYPE_I64: {
        int64_t d = ((const int64_t *)values)[at];
        return d == FR_INF_I64 ? (cf_number)INFINITY : (cf_number)d;
    }
    case FR_TYPE_F32: return ((const float *)values)[at];
    default: return ((const double *)values)[at];
    }
}

static bool is_target(const cf_query *q, int32_t v) {
    for (int i = 0; i < q->target_count; i++)
        if (q->targets[i] == v)
            return true;
    return false;
}

/* Allowed values: the oracle's within the limit. With targets, other vertices may be
 * missing. */
static bool check_values(const cf_config *c, const cf_query *q, const cf_number *dist,
                         const cf_number *got) {
    for (int32_t v = 0; v < c->g->n; v++) {
        cf_number want = q->limit > 0 && dist[v] > q->limit ? (cf_number)INFINITY : dist[v];
        if (got[v] == want)
            continue;
        if (got[v] == (cf_number)INFINITY && q->target_count && !is_target(q, v))
            continue;
        cf_fail(c, q, "vertex %d has %.20Lg, should have %.20Lg", v, got[v], want);
        return false;
    }
    return true;
}

static void check_parents(const cf_config *c, const cf_query *q, const cf_number *got,
                          const int32_t *parent, const int32_t *min_parents) {
    bool unit = c->unit || c->strategy.problem == FR_PROBLEM_BFS;
    int32_t v = cf_wrong_parent(c->g, unit, q->sources, q->source_count, got, parent);
    if (v >= 0) {
        int32_t p = parent[v];
        cf_fail(c, q, "vertex %d at %.20Lg has parent %d (at %.20Lg): not tight, or on a cycle", v,
                got[v], p, p >= 0 && p < c->g->n ? got[p] : (cf_number)NAN);
        return;
    }
    for (v = 0; q->min_parents && min_parents && v < c->g->n; v++)
        if (got[v] < (cf_number)INFINITY && parent[v] != min_parents[v]) {
            cf_fail(c, q, "vertex %d has parent %d, the smallest is %d", v, parent[v],
                    min_parents[v]);
            return;
        }
}

static void check_stats(const cf_config *c, const cf_query *q, const cf_number *got,
                        const fr_stats *s) {
    int64_t reached = 0, edges = 0;
    cf_number deepest = 0;
    for (int32_t v = 0; v < c->g->n; v++)
        if (got[v] < (cf_number)INFINITY) {
            reached++;
            edges += c->g->offset[v + 1] - c->g->offset[v];
            deepest = fmaxl(deepest, got[v]);
        }
    if (s->reached != reached || s->reached_edges != edges)
        cf_fail(c, q, "stats: reached %lld, edges %lld; should be %lld, %lld",
                (long long)s->reached, (long long)s->reached_edges, (long long)reached,
                (long long)edges);
    else if (c->strategy.problem == FR_PROBLEM_BFS && s->levels != (int32_t)deepest)
        cf_fail(c, q, "stats: %d levels, should be %Lg", s->levels, deepest);
    else if (reached > 1 && s->edges_examined < reached - q->source_count)
        cf_fail(c, q, "stats: %lld edges examined for %lld vertices", (long long)s->edges_examined,
                (long long)reached);
    else if (!(s->counter_mask & 1u << FR_COUNTER_EDGES) == c->count ||
             s->counters[FR_COUNTER_EDGES] != (c->count ? s->edges_examined : 0))
        cf_fail(c, q, "stats: %lld edges counted, %lld examined",
                (long long)s->counters[FR_COUNTER_EDGES], (long long)s->edges_examined);
    else if (!s->strategy ||
             (strcmp(c->strategy.name, "auto") && strcmp(s->strategy, c->strategy.name)))
        cf_fail(c, q, "stats: strategy is %s", s->strategy ? s->strategy : "NULL");
}

static void check_verifier(fr_ctx *ctx, const cf_config *c, const cf_query *q,
                           const fr_query *query, const fr_result *r, fr_type type) {
    fr_status status = FR_OK;
    if (c->strategy.problem == FR_PROBLEM_BFS && r->level)
        status = fr_verify_bfs(ctx, c->g->graph, query, r->level, r->parent);
    else if (c->strategy.problem == FR_PROBLEM_SSSP && r->dist)
        status = fr_verify_sssp(ctx, c->g->graph, query, c->unit, r->dist, type, r->parent);
    if (status == FR_UNSUPPORTED && cf_is_negative(c->g->weights) &&
        (q->target_count || q->limit > 0))
        return; /* documented: a vertex that was cut off may lie on a path to one that was kept */
    if (status)
        cf_fail(c, q, "the verifier returns %s: %s", fr_status_name(status), fr_ctx_error(ctx));
}

void cf_check(fr_ctx *ctx, const cf_config *c, fr_solver *solver, const cf_query *q,
              const cf_number *dist, const int32_t *min_parents) {
    size_t n = (size_t)c->g->n + 1;
    bool bfs = c->strategy.problem == FR_PROBLEM_BFS;
    fr_type type = fr_solver_dist_type(solver);
    void *values = malloc(n * 8);
    int32_t *parent = malloc(n * sizeof *parent);
    cf_number *got = malloc(n * sizeof *got);
    memset(values, 0x5a, n * 8); /* so that values which a strategy does not write are noticed */
    memset(parent, 0x5a, n * sizeof *parent);
    fr_query query = {.sources = q->sources,
                      .source_count = q->source_count,
                      .targets = q->target_count ? q->targets : NULL,
                      .target_count = q->target_count,
                      .max_level = bfs ? (int32_t)fmin(q->limit, INT32_MAX) : 0,
                      .max_distance = bfs ? 0 : q->limit,
                      .parent_rule = q->min_parents ? FR_PARENT_MIN_ID : FR_PARENT_ANY};
    fr_result result = {.level = bfs && !q->no_value ? values : NULL,
                        .dist = !bfs && !q->no_value ? values : NULL,
                        .parent = q->no_parent ? NULL : parent};
    cf_cases++;
    fr_status status = fr_solve(solver, &query, &result);
    if (status) {
        cf_fail(c, q, "fr_solve: %s: %s", fr_status_name(status), fr_ctx_error(ctx));
    } else {
        for (int32_t v = 0; v < c->g->n; v++)
            got[v] = q->no_value ? q->limit > 0 && dist[v] > q->limit ? INFINITY : dist[v]
                                 : cf_value(c->strategy.problem, type, values, v);
        if (check_values(c, q, dist, got)) {
            if (!q->no_parent)
                check_parents(c, q, got, parent, min_parents);
            check_stats(c, q, got, &result.stats);
            check_verifier(ctx, c, q, &query, &result, type);
        }
    }
    free(values);
    free(parent);
    free(got);
}
