/* One SSSP over several GPUs (strategy multi-device) compared with `auto` on one of them: in turns, the
 * same sources, distances compared.
 *   cmake --build build --target bench_multi_sssp && build/bench/bench_multi_sssp DEVICES [SCALE SOURCES]... [rounds] [KNOBS]
 * DEVICES: how many, the first ones. By default Kronecker 20, 22 and 24 with weights 1 to 255 and 16 sources
 * each. One line of JSON per scale: medians of traverse_ns, their quartiles, and whether the goal is met. The
 * parents of the first source are checked. With `rounds` a line per round of the second source follows, of both
 * sides. KNOBS: of multi-device, such as delta=2,advance_below=20000. bench/multi_sssp.sh runs it. */
#include "micro.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SOURCES = 256 };

typedef struct side {
    fr_ctx *ctx;
    fr_solver *solver;
    int32_t *dist;
    double ms[MAX_SOURCES];
    char why[256];
} side;

static void open_side(side *s, const fr_graph *graph, const char *strategy, const char *knobs,
                      bool records) {
    fr_solver_options options = {
        .backend = FR_BACKEND_CUDA, .strategy = strategy, .knobs = knobs, .record_levels = records};
    need(s->ctx, fr_solver_new(s->ctx, graph, FR_PROBLEM_SSSP, &options, &s->solver));
    s->dist = malloc((size_t)fr_graph_vertex_count(graph) * sizeof *s->dist);
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
static void print_rounds(side *s, const fr_graph *graph, const char *strategy, const char *knobs,
                         int32_t source) {
    side recorded = {.ctx = s->ctx};
    int64_t count;
    open_side(&recorded, graph, strategy, knobs, true);
    traverse(&recorded, source);
    traverse(&recorded, source);
    const fr_level *levels = fr_solver_levels(recorded.solver, &count);
    for (int64_t i = 0; i < count; i++)
        printf("{\"strategy\": \"%s\", \"round\": %" PRId64
               ", \"method\": \"%s\", \"frontier\": %" PRId64 ", \"edges\": %" PRId64
               ", \"us\": %.1f}\n",
               strategy, i, levels[i].method, levels[i].frontier, levels[i].edges,
               (double)levels[i].ns * 1e-3);
    fr_solver_free(recorded.solver);
    free(recorded.dist);
}

/* The goal of two H200s; 0: none. */
static double goal_ms(int scale) { return scale == 24 ? 2.2 : 0; }

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

static bool measure(int devices, int scale, int count, bool rounds, const char *knobs) {
    char description[64];
    int32_t sources[MAX_SOURCES] = {0};
    side one = {.ctx = open_devices(1)}, all = {.ctx = open_devices(devices)};
    const fr_load_options load = {
        .weights = FR_WEIGHTS_RANDOM, .weight_low = 1, .weight_high = 255};
    fr_graph *graph;
    bool equal = true;
    double begin = now_s();
    snprintf(description, sizeof description, "kronecker:scale=%d,seed=1", scale);
    need(one.ctx, fr_graph_generate(one.ctx, description, &load, &graph));
    const double generated = now_s() - begin;
    begin = now_s();
    open_side(&all, graph, "multi-device", knobs, false);
    const double prepared = now_s() - begin;
    open_side(&one, graph, "auto", NULL, false);
    choose_sources(graph, sources, count);
    traverse(&one, sources[0]); /* warm */
    traverse(&all, sources[0]);
    for (int i = 0; i < count; i++) {
        one.ms[i] = traverse(&one, sources[i]);
        all.ms[i] = traverse(&all, sources[i]);
        equal &=
            memcmp(one.dist, all.dist, (size_t)fr_graph_vertex_count(graph) * sizeof(int32_t)) == 0;
    }
    const bool right = parents_are_right(&all, graph, sources[0]);
    qsort(one.ms, (size_t)count, sizeof(double), ascending);
    qsort(all.ms, (size_t)count, sizeof(double), ascending);
    const double middle_one = one.ms[count / 2], middle = all.ms[count / 2], goal = goal_ms(scale);
    printf("{\"problem\": \"sssp\", \"graph\": \"%s\", \"weights\": \"1..255\", \"devices\": %d, "
           "\"sources\": %d, \"one_ms\": %.4f, \"one_quartiles_ms\": [%.4f, %.4f], \"all_ms\": "
           "%.4f, \"all_quartiles_ms\": [%.4f, %.4f], \"ratio\": %.3f, \"goal_ms\": %.2f, "
           "\"goal_met\": %s, \"equal\": %s, \"right\": %s, \"generate_s\": %.1f, \"prepare_s\": "
           "%.1f, \"knobs\": \"%s\", \"why\": \"%s\"}\n",
           description, devices, count, middle_one, one.ms[count / 4], one.ms[count * 3 / 4],
           middle, all.ms[count / 4], all.ms[count * 3 / 4], middle_one / middle, goal,
           !goal            ? "null"
           : middle <= goal ? "true"
                            : "false",
           equal ? "true" : "false", right ? "true" : "false", generated, prepared, knobs, all.why);
    if (rounds) {
        print_rounds(&one, graph, "auto", NULL, sources[count > 1]);
        print_rounds(&all, graph, "multi-device", knobs, sources[count > 1]);
    }
    fflush(stdout);
    fr_solver_free(one.solver);
    fr_solver_free(all.solver);
    free(one.dist);
    free(all.dist);
    fr_graph_free(graph);
    fr_ctx_free(one.ctx);
    fr_ctx_free(all.ctx);
    return equal && right;
}

int main(int argc, char **argv) {
    const int devices = argc > 1 ? atoi(argv[1]) : 0, scales[] = {20, 22, 24};
    char knobs[256] = "all=1";
    bool good = true, rounds = false;
    if (argc > 2 && strchr(argv[argc - 1], '='))
        snprintf(knobs, sizeof knobs, "all=1,%s", argv[--argc]);
    if (argc > 2 && !strcmp(argv[argc - 1], "rounds")) {
        rounds = true;
        argc--;
    }
    if (devices < 1 || devices > MAX_DEVICES || argc & 1) {
        fprintf(stderr,
                "usage: bench_multi_sssp DEVICES [SCALE SOURCES]... [rounds] [KNOB=VALUE,...]\n");
        return 2;
    }
    for (int i = 2; i < argc; i += 2) {
        const int count = atoi(argv[i + 1]);
        good &= measure(devices, atoi(argv[i]), count < MAX_SOURCES ? count : MAX_SOURCES, rounds,
                        knobs);
    }
    for (int i = 0; argc == 2 && i < 3; i++)
        good &= measure(devices, scales[i], 16, rounds, knobs);
    return good ? 0 : 1;
}
