/* One BFS over several GPUs (strategy multi-device) compared with `auto` on one of them, and with itself under
 * other knobs: in turns, the same sources, levels compared. Each makes the query twice in a row, and the second
 * counts: before the first the GPUs were idle, while levels were compared on the host.
 *   cmake --build build --target bench_multi_device
 *   build/bench/bench_multi_device DEVICES[,DEVICES]... [SCALE SOURCES]... [KNOBS]... [levels]
 * DEVICES: how many, the first ones; of 2,4 each is compared with one GPU, on a graph that is generated once.
 * By default Kronecker 22, 24 and 26 with 32, 32 and 16 sources. One line of JSON per scale and number of GPUs:
 * medians of traverse_ns, their quartiles, the medians of the first queries ("after_pause"), whether the levels
 * are equal, the parents of the first source right and the goal met; one for each KNOBS, such as list_edges=0, with
 * the median of the ratios to the default's time. With `levels` a line follows per level of the source that takes one
 * GPU longest, of `auto`, the default and the last KNOBS.
 * bench/multi_device.sh and bench/scaling_gpus.sh run it. */
#include "fringe_tune.h"
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

/* The goals of two and four H200s; 0: none. */
static double goal_ms(int devices, int scale) {
    if (devices == 2)
        return scale == 24 ? 0.31 : scale == 26 ? 1.05 : scale == 28 ? 4.2 : 0;
    return devices == 4 && scale == 28 ? 2.3 : 0;
}

static void print_times(const char *name, const double *ms, int count) {
    printf("\"%s\": [", name);
    for (int i = 0; i < count; i++)
        printf("%s%.3f", i ? ", " : "", ms[i]);
    printf("]");
}

typedef struct settings {
    int devices[MAX_DEVICE_COUNTS], device_counts, variants;
    const char *knobs[MAX_VARIANTS]; /* the first: the default */
    bool levels;
} settings;

/* A graph, its sources, and what was measured on one number of GPUs. */
typedef struct run {
    const settings *set;
    fr_graph *graph;
    char description[64];
    int scale, count, devices;
    int32_t sources[MAX_SOURCES];
    side one, all[MAX_VARIANTS];
    bool equal, right;
    double generate_s, prepare_s;
} run;

/* The values stay in the order of the sources. */
static double median_of_copy(const double *values, int count) {
    double sorted[MAX_SOURCES];
    memcpy(sorted, values, (size_t)count * sizeof *sorted);
    return median(sorted, count);
}

static void print_variants(const run *r) {
    for (int k = 1; k < r->set->variants; k++) {
        double ratio[MAX_SOURCES] = {0};
        for (int i = 0; i < r->count; i++)
            ratio[i] = r->all[k].ms[i] / r->all[0].ms[i];
        printf("{\"graph\": \"%s\", \"devices\": %d, \"knobs\": \"%s\", \"all_ms\": %.4f, "
               "\"to_default\": %.3f}\n",
               r->description, r->devices, r->set->knobs[k], median_of_copy(r->all[k].ms, r->count),
               median(ratio, r->count));
    }
}

static void print_default(const run *r, double begin) {
    const side *one = &r->one, *all = &r->all[0];
    double sorted[MAX_SOURCES];
    memcpy(sorted, all->ms, sizeof sorted);
    qsort(sorted, (size_t)r->count, sizeof *sorted, ascending);
    const double middle_one = median_of_copy(one->ms, r->count), middle = sorted[r->count / 2],
                 goal = goal_ms(r->devices, r->scale);
    printf("{\"problem\": \"bfs\", \"graph\": \"%s\", \"devices\": %d, \"sources\": %d, "
           "\"one_after_pause_ms\": %.4f, \"all_after_pause_ms\": %.4f, "
           "\"one_ms\": %.4f, \"all_ms\": %.4f, \"all_quartiles_ms\": [%.4f, %.4f], \"ratio\": "
           "%.3f, \"goal_ms\": %.2f, \"goal_met\": %s, \"equal\": %s, \"parents_right\": %s, "
           "\"generate_s\": %.1f, \"prepare_s\": %.1f, \"all_s\": %.1f, \"why\": \"%s\", ",
           r->description, r->devices, r->count, median_of_copy(one->after_pause, r->count),
           median_of_copy(all->after_pause, r->count), middle_one, middle, sorted[r->count / 4],
           sorted[r->count * 3 / 4], middle_one / middle, goal,
           !goal            ? "null"
           : middle <= goal ? "true"
                            : "false",
           r->equal ? "true" : "false", r->right ? "true" : "false", r->generate_s, r->prepare_s,
           now_s() - begin, all->why);
    print_times("one_by_source_ms", one->ms, r->count);
    printf(", ");
    print_times("all_by_source_ms", all->ms, r->count);
    printf("}\n");
    fflush(stdout); /* a run that is cut off keeps what it has measured */
}

/* In turns; each side begins as often as the others. */
static bool run_turns(run *r) {
    const size_t bytes = (size_t)fr_graph_vertex_count(r->graph) * sizeof(int32_t);
    const int variants = r->set->variants;
    bool equal = true;
    for (int i = -1; i < r->count; i++) { /* the first warms */
        const int at = i < 0 ? 0 : i;
        traverse_twice(&r->one, r->sources[at], at);
        for (int k = 0; k < variants; k++) {
            side *s = &r->all[(k + at) % variants];
            traverse_twice(s, r->sources[at], at);
            equal &= memcmp(r->one.level, s->level, bytes) == 0;
        }
    }
    return equal;
}

static void print_all_levels(run *r) {
    int slowest = 0;
    for (int i = 1; i < r->count; i++)
        slowest = r->one.ms[i] > r->one.ms[slowest] ? i : slowest;
    const int last = r->set->variants > 1 ? r->set->variants - 1 : 1;
    print_levels(&r->one, r->graph, "auto", NULL, r->sources[slowest]);
    for (int k = 0; k < r->set->variants; k += k ? 1 : last)
        print_levels(&r->all[k], r->graph, "multi-device", r->set->knobs[k], r->sources[slowest]);
    fflush(stdout);
}

static void close_side(side *s) {
    fr_solver_free(s->solver);
    free(s->level);
}

/* On r->devices GPUs. Its solvers end before those of the next number: together they would need the memory of
 * several copies on the first GPU. */
static bool measure_devices(run *r) {
    const settings *set = r->set;
    const double begin = now_s();
    for (int k = 0; k < set->variants; k++) {
        r->all[k] = (side){.ctx = open_devices(r->devices)};
        open_side(&r->all[k], r->graph, "multi-device", set->knobs[k], false);
    }
    r->prepare_s = now_s() - begin;
    r->equal = run_turns(r);
    r->right = true;
    for (int k = 0; k < set->variants; k++)
        r->right &= parents_are_right(&r->all[k], r->graph, r->sources[0]);
    print_default(r, begin);
    print_variants(r);
    if (set->levels)
        print_all_levels(r);
    for (int k = 0; k < set->variants; k++) {
        close_side(&r->all[k]);
        fr_ctx_free(r->all[k].ctx);
    }
    return r->equal && r->right;
}

static bool measure(const settings *set, int scale, int count) {
    run *r = calloc(1, sizeof *r);
    const double begin = now_s();
    bool good = true;
    *r = (run){.set = set, .scale = scale, .count = count, .one = {.ctx = open_devices(1)}};
    snprintf(r->description, sizeof r->description, "kronecker:scale=%d,seed=1", scale);
    need(r->one.ctx, fr_graph_generate(r->one.ctx, r->description, NULL, &r->graph));
    r->generate_s = now_s() - begin;
    open_side(&r->one, r->graph, "auto", NULL, false);
    spaced_sources(r->graph, r->sources, count);
    for (int i = 0; i < set->device_counts; i++) {
        r->devices = set->devices[i];
        good &= measure_devices(r);
    }
    close_side(&r->one);
    fr_graph_free(r->graph);
    fr_ctx_free(r->one.ctx);
    free(r);
    return good;
}

int main(int argc, char **argv) {
    static char knobs[MAX_VARIANTS][128] = {"all=1"};
    settings set = {.variants = 1, .knobs = {knobs[0]}};
    int scales[MAX_SCALES] = {22, 24, 26}, counts[MAX_SCALES] = {32, 32, 16}, count = 0;
    set.device_counts = argc > 1 ? parse_device_counts(argv[1], set.devices) : 0;
    bool good = set.device_counts > 0;
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
        fprintf(stderr, "usage: bench_multi_device DEVICES[,DEVICES]... [SCALE SOURCES]... "
                        "[KNOBS]... [levels]\n");
        return 2;
    }
    count = count ? count : 3;
    for (int i = 0; i < count; i++)
        good &= measure(&set, scales[i], counts[i] < MAX_SOURCES ? counts[i] : MAX_SOURCES);
    return good ? 0 : 1;
}
