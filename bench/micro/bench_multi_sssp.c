/* One SSSP over several GPUs (strategy multi-device) compared with `auto` on one of them: in turns, the
 * same sources, distances compared.
 *   cmake --build build --target bench_multi_sssp
 *   build/bench/bench_multi_sssp DEVICES[,DEVICES]... [SCALE SOURCES]... [rounds] [KNOBS]...
 * DEVICES: how many, the first ones; of 2,4 each is compared with one GPU, on a graph that is generated once. 1: that
 * GPU by `auto`, its answer verified. By default Kronecker 20, 22 and 24 with weights 1 to 255 and 16 sources each.
 * KNOBS: of multi-device, such as delta=2,advance_below=20000; several settings take turns, too. One line of JSON per
 * scale, number of GPUs and setting: medians of traverse_ns, their quartiles, and whether the goal is met. The parents
 * of the first source are checked. With `rounds` lines per round follow, of the source that took the first setting
 * longest, by `auto` and by each setting. bench/multi_sssp.sh and bench/scaling_gpus.sh run it. */
#include "fringe_tune.h"
#include "micro.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SOURCES = 256, MAX_SETTINGS = 8 };

typedef struct side {
    fr_ctx *ctx;
    char knobs[256];
    double prepare_s;
    bool equal, right; /* distances are those of `auto`; parents of the first source */
    fr_solver *solver;
    int32_t *dist;
    double ms[MAX_SOURCES];
    char why[256];
} side;

static void open_side(side *s, const fr_graph *graph, const char *strategy, bool records) {
    fr_solver_options options = {.backend = FR_BACKEND_CUDA,
                                 .strategy = strategy,
                                 .knobs = s->knobs,
                                 .record_levels = records};
    const double begin = now_s();
    need(s->ctx, fr_solver_new(s->ctx, graph, FR_PROBLEM_SSSP, &options, &s->solver));
    s->prepare_s = now_s() - begin;
    s->dist = malloc((size_t)fr_graph_vertex_count(graph) * sizeof *s->dist);
}

static void close_side(side *s) {
    fr_solver_free(s->solver);
    free(s->dist);
}

static double traverse(side *s, int32_t source) {
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.dist = s->dist};
    need(s->ctx, fr_solve(s->solver, &query, &result));
    snprintf(s->why, sizeof s->why, "%s", fr_solver_explain(s->solver));
    return (double)result.stats.traverse_ns * 1e-6;
}

static bool parents_are_right(side *s, const fr_graph *graph, int32_t source) {
    const size_t n = (size_t)fr_graph_vertex_count(graph);
    int32_t *parent = malloc(n * sizeof *parent);
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.dist = s->dist, .parent = parent};
    need(s->ctx, fr_solve(s->solver, &query, &result));
    const fr_status status =
        fr_verify_sssp(s->ctx, graph, &query, false, s->dist, FR_TYPE_I32, parent);
    if (status)
        fprintf(stderr, "wrong: %s\n", fr_ctx_error(s->ctx));
    free(parent);
    return !status;
}

/* A query that records its rounds, of a solver of its own: recording takes time. */
static void print_rounds(const side *s, const fr_graph *graph, const char *strategy,
                         int32_t source) {
    side recorded = {.ctx = s->ctx};
    snprintf(recorded.knobs, sizeof recorded.knobs, "%s", s->knobs);
    int64_t count;
    open_side(&recorded, graph, strategy, true);
    traverse(&recorded, source);
    traverse(&recorded, source);
    const fr_level *levels = fr_solver_levels(recorded.solver, &count);
    for (int64_t i = 0; i < count; i++)
        printf("{\"strategy\": \"%s\", \"knobs\": \"%s\", \"round\": %" PRId64
               ", \"method\": \"%s\", \"frontier\": %" PRId64 ", \"edges\": %" PRId64
               ", \"us\": %.1f}\n",
               strategy, s->knobs, i, levels[i].method, levels[i].frontier, levels[i].edges,
               (double)levels[i].ns * 1e-3);
    close_side(&recorded);
}

/* The goal of two H200s; 0: none. */
static double goal_ms(int devices, int scale) { return devices == 2 && scale == 24 ? 2.2 : 0; }

/* All sources in turn, of `auto` and all settings; the index of the source that takes the first longest. */
static int solve_all(side *one, side *all, int settings, const fr_graph *graph,
                     const int32_t *sources, int count) {
    const size_t bytes = (size_t)fr_graph_vertex_count(graph) * sizeof(int32_t);
    int slow = 0;
    traverse(one, sources[0]); /* warm */
    for (int k = 0; k < settings; k++) {
        traverse(&all[k], sources[0]);
        all[k].equal = true;
    }
    for (int i = 0; i < count; i++) {
        one->ms[i] = traverse(one, sources[i]);
        for (int k = 0; k < settings; k++) {
            all[k].ms[i] = traverse(&all[k], sources[i]);
            all[k].equal &= memcmp(one->dist, all[k].dist, bytes) == 0;
        }
        slow = all[0].ms[i] > all[0].ms[slow] ? i : slow;
    }
    return slow;
}

static void print_times(const char *description, int scale, int devices, int count, const side *one,
                        const side *s, double generated) {
    const double middle_one = one->ms[count / 2], middle = s->ms[count / 2],
                 goal = goal_ms(devices, scale);
    printf("{\"problem\": \"sssp\", \"graph\": \"%s\", \"weights\": \"1..255\", \"devices\": %d, "
           "\"sources\": %d, \"one_ms\": %.4f, \"one_quartiles_ms\": [%.4f, %.4f], \"all_ms\": "
           "%.4f, \"all_quartiles_ms\": [%.4f, %.4f], \"ratio\": %.3f, \"goal_ms\": %.2f, "
           "\"goal_met\": %s, \"equal\": %s, \"right\": %s, \"generate_s\": %.1f, \"prepare_s\": "
           "%.1f, \"knobs\": \"%s\", \"why\": \"%s\"}\n",
           description, devices, count, middle_one, one->ms[count / 4], one->ms[count * 3 / 4],
           middle, s->ms[count / 4], s->ms[count * 3 / 4], middle_one / middle, goal,
           !goal            ? "null"
           : middle <= goal ? "true"
                            : "false",
           s->equal ? "true" : "false", s->right ? "true" : "false", generated, s->prepare_s,
           s->knobs, s->why);
}

typedef struct settings {
    int devices[MAX_DEVICE_COUNTS], device_counts, count;
    char *const *knobs;
    bool rounds;
} settings;

/* On that number of GPUs; its solvers end before those of the next number, which need the memory. */
static bool measure_devices(const settings *set, int devices, const char *description, int scale,
                            const fr_graph *graph, side *one, const int32_t *sources, int count,
                            double generated) {
    fr_ctx *ctx = open_devices(devices);
    side *all = calloc(MAX_SETTINGS, sizeof *all);
    bool good = true;
    for (int k = 0; k < set->count; k++) {
        const char *knobs = set->knobs[k];
        all[k].ctx = ctx;
        snprintf(all[k].knobs, sizeof all[k].knobs, "all=1%s%s", *knobs ? "," : "", knobs);
        open_side(&all[k], graph, "multi-device", false);
    }
    const int32_t slow = sources[solve_all(one, all, set->count, graph, sources, count)];
    qsort(one->ms, (size_t)count, sizeof(double), ascending);
    for (int k = 0; k < set->count; k++) {
        all[k].right = parents_are_right(&all[k], graph, sources[0]);
        good &= all[k].equal && all[k].right;
        qsort(all[k].ms, (size_t)count, sizeof(double), ascending);
        print_times(description, scale, devices, count, one, &all[k], generated);
        close_side(&all[k]);
    }
    if (set->rounds)
        print_rounds(one, graph, "auto", slow);
    for (int k = 0; set->rounds && k < set->count; k++)
        print_rounds(&all[k], graph, "multi-device", slow);
    fflush(stdout);
    fr_ctx_free(ctx);
    free(all);
    return good;
}

/* One GPU alone: a graph that fills its memory leaves none for `multi-device`. */
static bool measure_one(const char *description, const fr_graph *graph, side *one,
                        const int32_t *sources, int count, double generated) {
    traverse(one, sources[0]); /* warm */
    for (int i = 0; i < count; i++)
        one->ms[i] = traverse(one, sources[i]);
    const double begin = now_s();
    one->right = parents_are_right(one, graph, sources[0]);
    printf("{\"problem\": \"sssp\", \"graph\": \"%s\", \"weights\": \"1..255\", \"devices\": 1, "
           "\"sources\": %d, \"one_ms\": %.4f, \"right\": %s, \"generate_s\": %.1f, "
           "\"prepare_s\": %.1f, \"verify_s\": %.1f, \"why\": \"%s\"}\n",
           description, count, median(one->ms, count), one->right ? "true" : "false", generated,
           one->prepare_s, now_s() - begin, one->why);
    fflush(stdout);
    return one->right;
}

static bool measure(const settings *set, int scale, int count) {
    char description[64];
    int32_t sources[MAX_SOURCES] = {0};
    side one = {.ctx = open_devices(1)};
    const fr_load_options load = {
        .weights = FR_WEIGHTS_RANDOM, .weight_low = 1, .weight_high = 255};
    fr_graph *graph;
    bool good = true;
    const double begin = now_s();
    snprintf(description, sizeof description, "kronecker:scale=%d,seed=1", scale);
    need(one.ctx, fr_graph_generate(one.ctx, description, &load, &graph));
    const double generated = now_s() - begin;
    open_side(&one, graph, "auto", false);
    spaced_sources(graph, sources, count);
    for (int i = 0; i < set->device_counts; i++)
        good &= set->devices[i] == 1
                    ? measure_one(description, graph, &one, sources, count, generated)
                    : measure_devices(set, set->devices[i], description, scale, graph, &one,
                                      sources, count, generated);
    close_side(&one);
    fr_graph_free(graph);
    fr_ctx_free(one.ctx);
    return good;
}

int main(int argc, char **argv) {
    static char no_knobs[] = "";
    char *none[] = {no_knobs};
    settings set = {.knobs = none};
    const int scales[] = {20, 22, 24};
    bool good = true;
    set.device_counts = argc > 1 ? parse_device_counts(argv[1], set.devices) : 0;
    while (argc > 2 && strchr(argv[argc - 1], '=')) {
        set.knobs = &argv[--argc];
        set.count++;
    }
    set.count = set.count ? set.count : 1;
    if (argc > 2 && !strcmp(argv[argc - 1], "rounds")) {
        set.rounds = true;
        argc--;
    }
    if (!set.device_counts || argc & 1 || set.count > MAX_SETTINGS) {
        fprintf(stderr, "usage: bench_multi_sssp DEVICES[,DEVICES]... [SCALE SOURCES]... [rounds] "
                        "[KNOB=VALUE,...]...\n");
        return 2;
    }
    for (int i = 2; i < argc; i += 2) {
        const int count = atoi(argv[i + 1]);
        good &= measure(&set, atoi(argv[i]), count < MAX_SOURCES ? count : MAX_SOURCES);
    }
    for (int i = 0; argc == 2 && i < 3; i++)
        good &= measure(&set, scales[i], 16);
    return good ? 0 : 1;
}
