/* One BFS over several GPUs (strategy multi-device) compared with `auto` on one of them, and with itself under
 * other knobs: in turns, the same sources, levels compared. Each makes the query twice in a row, and the second
 * counts: before the first the GPUs were idle, while levels were compared on the host.
 *   cmake --build build --target bench_multi_device
 *   build/bench/bench_multi_device DEVICES [SCALE SOURCES]... [KNOBS]... [levels]
 * DEVICES: how many, the first ones. By default Kronecker 22, 24 and 26 with 32, 32 and 16 sources. One line of
 * JSON per scale: medians of traverse_ns, their quartiles, the medians of the first queries ("after_pause"), and
 * whether the goal is met; one for each KNOBS, such as list_edges=0, with the median of the ratios to the default's
 * time. The parents of the first source are checked. With `levels` a line follows per level of the source that takes
 * one GPU longest, of `auto`, the default and the last KNOBS.
 * bench/multi_device.sh runs it. */
#include "micro.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SCALES = 16, MAX_SOURCES = 256, MAX_VARIANTS = 12 };

typedef struct side {
    fr_ctx *ctx;
    fr_solver *solver;
    int32_t *level;
    double ms[MAX_SOURCES], after_pause[MAX_SOURCES];
    char why[256];
} side;

static void open_side(side *s, const fr_graph *graph, const char *strategy, const char *knobs,
                      bool records) {
    fr_solver_options options = {
        .backend = FR_BACKEND_CUDA, .strategy = strategy, .knobs = knobs, .record_levels = records};
    need(s->ctx, fr_solver_new(s->ctx, graph, FR_PROBLEM_BFS, &options, &s->solver));
    s->level = malloc((size_t)fr_graph_vertex_count(graph) * sizeof *s->level);
}

static double traverse(side *s, int32_t source) {
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.level = s->level};
    need(s->ctx, fr_solve(s->solver, &query, &result));
    snprintf(s->why, sizeof s->why, "%s", fr_solver_explain(s->solver));
    return (double)result.stats.traverse_ns * 1e-6;
}

static void traverse_twice(side *s, int32_t source, int at) {
    s->after_pause[at] = traverse(s, source);
    s->ms[at] = traverse(s, source);
}

static bool parents_are_right(side *s, const fr_graph *graph, int32_t source) {
    const size_t n = (size_t)fr_graph_vertex_count(graph);
    int32_t *parent = malloc(n * sizeof *parent);
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.level = s->level, .parent = parent};
    need(s->ctx, fr_solve(s->solver, &query, &result));
    const fr_status status = fr_verify_bfs(s->ctx, graph, &query, s->level, parent);
    if (status)
        fprintf(stderr, "wrong: %s\n", fr_ctx_error(s->ctx));
    free(parent);
    return !status;
}

/* A traversal that records its levels, of a solver of its own: recording takes time. */
static void print_levels(side *s, const fr_graph *graph, const char *strategy, const char *knobs,
                         int32_t source) {
    side recorded = {.ctx = s->ctx};
    int64_t count;
    open_side(&recorded, graph, strategy, knobs, true);
    traverse(&recorded, source);
    traverse(&recorded, source);
    const fr_level *levels = fr_solver_levels(recorded.solver, &count);
    for (int64_t i = 0; i < count; i++)
        printf("{\"strategy\": \"%s\", \"knobs\": \"%s\", \"level\": %" PRId64
               ", \"method\": \"%s\", \"frontier\": %" PRId64 ", \"us\": %.1f}\n",
               strategy, knobs ? knobs : "", i, levels[i].method, levels[i].frontier,
               (double)levels[i].ns * 1e-3);
    fr_solver_free(recorded.solver);
    free(recorded.level);
}

/* The goals of two H200s; 0: none. */
static double goal_ms(int scale) {
    return scale == 24 ? 0.31 : scale == 26 ? 1.05 : scale == 28 ? 4.2 : 0;
}

static void print_times(const char *name, const double *ms, int count) {
    printf("\"%s\": [", name);
    for (int i = 0; i < count; i++)
        printf("%s%.3f", i ? ", " : "", ms[i]);
    printf("]");
}

static void choose_sources(const fr_graph *graph, int32_t *sources, int count) {
    const int32_t n = fr_graph_vertex_count(graph);
    const int64_t *offsets = fr_graph_csr(graph)->offsets;
    for (int i = 0; i < count; i++) {
        int32_t v = (int32_t)((int64_t)i * n / count);
        while (v < n - 1 && offsets[v] == offsets[v + 1]) /* a source has edges */
            v++;
        sources[i] = v;
    }
}

typedef struct settings {
    int devices, variants;
    const char *knobs[MAX_VARIANTS]; /* the first: the default */
    bool levels;
} settings;

/* The values stay in the order of the sources. */
static double median_of_copy(const double *values, int count) {
    double sorted[MAX_SOURCES];
    memcpy(sorted, values, (size_t)count * sizeof *sorted);
    return median(sorted, count);
}

static void print_variants(const settings *set, const side *all, const char *graph, int count) {
    for (int k = 1; k < set->variants; k++) {
        double ratio[MAX_SOURCES] = {0};
        for (int i = 0; i < count; i++)
            ratio[i] = all[k].ms[i] / all[0].ms[i];
        printf("{\"graph\": \"%s\", \"knobs\": \"%s\", \"all_ms\": %.4f, \"to_default\": %.3f}\n",
               graph, set->knobs[k], median_of_copy(all[k].ms, count), median(ratio, count));
    }
}

static void print_default(const settings *set, const side *one, const side *all, const char *graph,
                          int scale, int count) {
    double sorted[MAX_SOURCES];
    memcpy(sorted, all->ms, sizeof sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, ascending);
    const double middle_one = median_of_copy(one->ms, count), middle = sorted[count / 2],
                 goal = goal_ms(scale);
    printf("{\"problem\": \"bfs\", \"graph\": \"%s\", \"devices\": %d, \"sources\": %d, "
           "\"one_after_pause_ms\": %.4f, \"all_after_pause_ms\": %.4f, "
           "\"one_ms\": %.4f, \"all_ms\": %.4f, \"all_quartiles_ms\": [%.4f, %.4f], \"ratio\": "
           "%.3f, \"goal_ms\": %.2f, \"goal_met\": %s, \"why\": \"%s\", ",
           graph, set->devices, count, median_of_copy(one->after_pause, count),
           median_of_copy(all->after_pause, count), middle_one, middle, sorted[count / 4],
           sorted[count * 3 / 4], middle_one / middle, goal,
           !goal            ? "null"
           : middle <= goal ? "true"
                            : "false",
           all->why);
    print_times("one_by_source_ms", one->ms, count);
    printf(", ");
    print_times("all_by_source_ms", all->ms, count);
    printf("}\n");
}

/* In turns; each side begins as often as the others. */
static bool run_turns(const settings *set, side *one, side *all, const int32_t *sources, int count,
                      size_t bytes) {
    bool equal = true;
    for (int i = -1; i < count; i++) { /* the first warms */
        const int at = i < 0 ? 0 : i;
        traverse_twice(one, sources[at], at);
        for (int k = 0; k < set->variants; k++) {
            side *s = &all[(k + at) % set->variants];
            traverse_twice(s, sources[at], at);
            equal &= memcmp(one->level, s->level, bytes) == 0;
        }
    }
    return equal;
}

static bool measure(const settings *set, int scale, int count) {
    char description[64];
    int32_t sources[MAX_SOURCES] = {0};
    side one = {.ctx = open_devices(1)}, all[MAX_VARIANTS] = {{0}};
    fr_graph *graph;
    const double begin = now_s();
    snprintf(description, sizeof description, "kronecker:scale=%d,seed=1", scale);
    need(one.ctx, fr_graph_generate(one.ctx, description, NULL, &graph));
    for (int k = 0; k < set->variants; k++) {
        all[k].ctx = open_devices(set->devices);
        open_side(&all[k], graph, "multi-device", set->knobs[k], false);
    }
    open_side(&one, graph, "auto", NULL, false);
    choose_sources(graph, sources, count);
    const double prepared = now_s() - begin;
    const bool equal = run_turns(set, &one, all, sources, count,
                                 (size_t)fr_graph_vertex_count(graph) * sizeof(int32_t));
    bool right = true;
    for (int k = 0; k < set->variants; k++)
        right &= parents_are_right(&all[k], graph, sources[0]);
    print_default(set, &one, all, description, scale, count);
    print_variants(set, all, description, count);
    printf("{\"graph\": \"%s\", \"equal\": %s, \"parents_right\": %s, \"prepare_s\": %.1f, "
           "\"all_s\": %.1f}\n",
           description, equal ? "true" : "false", right ? "true" : "false", prepared,
           now_s() - begin);
    int slowest = 0;
    for (int i = 1; i < count; i++)
        slowest = one.ms[i] > one.ms[slowest] ? i : slowest;
    const int last = set->variants > 1 ? set->variants - 1 : 1;
    if (set->levels)
        print_levels(&one, graph, "auto", NULL, sources[slowest]);
    for (int k = 0; k < set->variants && set->levels; k += k ? 1 : last)
        print_levels(&all[k], graph, "multi-device", set->knobs[k], sources[slowest]);
    fflush(stdout);
    for (int k = 0; k < set->variants; k++) {
        fr_solver_free(all[k].solver);
        free(all[k].level);
    }
    fr_solver_free(one.solver);
    free(one.level);
    fr_graph_free(graph);
    for (int k = 0; k < set->variants; k++)
        fr_ctx_free(all[k].ctx);
    fr_ctx_free(one.ctx);
    return equal && right;
}

int main(int argc, char **argv) {
    static char knobs[MAX_VARIANTS][128] = {"all=1"};
    settings set = {.devices = argc > 1 ? atoi(argv[1]) : 0, .variants = 1, .knobs = {knobs[0]}};
    int scales[MAX_SCALES] = {22, 24, 26}, counts[MAX_SCALES] = {32, 32, 16}, count = 0;
    bool good = set.devices >= 1 && set.devices <= MAX_DEVICES;
    for (int i = 2; i < argc && good; i++) {
        if (!strcmp(argv[i], "levels"))
            set.levels = true;
        else if (strchr(argv[i], '=') && set.variants < MAX_VARIANTS) {
            snprintf(knobs[set.variants], sizeof *knobs, "all=1,%s", argv[i]);
            set.knobs[set.variants] = knobs[set.variants];
            set.variants++;
        } else if (i + 1 < argc && count < MAX_SCALES) {
            scales[count] = atoi(argv[i]);
            counts[count++] = atoi(argv[++i]);
        } else
            good = false;
    }
    if (!good) {
        fprintf(stderr,
                "usage: bench_multi_device DEVICES [SCALE SOURCES]... [KNOBS]... [levels]\n");
        return 2;
    }
    count = count ? count : 3;
    for (int i = 0; i < count; i++)
        good &= measure(&set, scales[i], counts[i] < MAX_SOURCES ? counts[i] : MAX_SOURCES);
    return good ? 0 : 1;
}
