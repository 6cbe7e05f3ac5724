/* What `auto` on the GPU gives a graph to (hbf where a weight is negative, a strategy by costs for all pairs, one GPU
 * of several) is resolved once: every kind of weights, type and option with everything that asks for the strategy
 * later (closed vertices and edges, batches, several GPUs, results in device memory, memory estimates, explanations).
 * Answers are those of the CPU, bit by bit: float weights are multiples of 1/4. Runs on the host (FRI_SIMT), which
 * then has three GPUs, and on a machine with GPUs. */
#include "conformance/choose.h"
#include "core/closed.h"
#include "fringe_tune.h"
#include "gpu/gpu_check.h"
#include "gpu/gpu_host.h"
#include "gpu/gpu_places.h"

#include <string.h>

enum { MAX_DEVICES = 3, MAX_N = 64, MAX_M = 1024, SOURCES = 3 };

typedef enum kind { UNWEIGHTED, ONES, POSITIVE, NEGATIVE, KINDS } kind;

/* A graph and what its queries close. */
typedef struct input {
    kind kind;
    fr_type type;
    fr_graph *plain, *graph; /* `graph` has weights of `type` and borrows from `plain` */
    uint64_t vertices[MAX_N / 64], edges[MAX_M / 64];
} input;

/* A solver's options, and the query that it gets. */
typedef struct trial {
    const input *in;
    fr_problem problem;
    fr_solver_options options;
    bool closes_vertices, closes_edges, each, on_device;
    int devices;
    char name[160];
} trial;

static fr_ctx *context(int count) {
    const int devices[MAX_DEVICES] = {0, 1, 2};
    fr_ctx *ctx;
    fr_ctx_options options = {.threads = 2, .devices = devices, .device_count = count};
    if (fr_ctx_new(&options, &ctx))
        cf_give_up(NULL, "a context");
    return ctx;
}

/* Integer weights as weights of `type`; floats are a quarter of them. */
static void convert(const int32_t *from, int64_t m, fr_type type, void *to) {
    for (int64_t e = 0; e < m; e++)
        if (type == FR_TYPE_I32)
            ((int32_t *)to)[e] = from[e];
        else if (type == FR_TYPE_I64)
            ((int64_t *)to)[e] = from[e];
        else if (type == FR_TYPE_F32)
            ((float *)to)[e] = (float)from[e] / 4;
        else
            ((double *)to)[e] = from[e] / 4.0;
}

static void make_input(fr_ctx *ctx, kind k, fr_type type, input *in) {
    static double weights[MAX_M];
    const fr_load_options options = {.weights = k == NEGATIVE     ? FR_WEIGHTS_POTENTIAL
                                                : k == UNWEIGHTED ? FR_WEIGHTS_NONE
                                                                  : FR_WEIGHTS_RANDOM,
                                     .weight_low = 1,
                                     .weight_high = k == ONES ? 1 : 9,
                                     .potential_max = 40};
    *in = (input){.kind = k, .type = type};
    if (fr_graph_generate(ctx, "kronecker:scale=5,edge_factor=5,seed=3", &options, &in->plain))
        cf_give_up(ctx, "a graph");
    const fr_csr *csr = fr_graph_csr(in->plain);
    if (csr->n > MAX_N || csr->m > MAX_M)
        cf_give_up(ctx, "a small graph");
    if (csr->weights)
        convert(csr->weights, csr->m, type, weights);
    if (fr_graph_set_weights(ctx, in->plain, csr->weights ? weights : NULL,
                             csr->weights ? type : FR_TYPE_NONE, &in->graph))
        cf_give_up(ctx, "weights");
    in->vertices[0] = UINT64_C(0x0040200010080402);
    for (int i = 0; i < MAX_M / 64; i++)
        in->edges[i] = UINT64_C(0x8040100204010081) >> i % 64;
}

/* The strategies that `auto` may resolve to. Of these it is one from the beginning, and stays it. */
static bool expects(const trial *t, const char *name) {
    const kind k = t->in->kind;
    if (t->options.strategy && !strcmp(name, t->options.strategy))
        return true;
    if (t->problem == FR_PROBLEM_BFS)
        return !strcmp(name, "auto");
    if (t->problem == FR_PROBLEM_SSSP)
        return !strcmp(name, k == NEGATIVE ? "hbf" : "auto");
    const bool floats = t->in->type == FR_TYPE_F32 || t->in->type == FR_TYPE_F64;
    return !strcmp(name, "floyd-warshall") ||
           !strcmp(name, k == UNWEIGHTED || (k == ONES && !floats) ? "multi-bfs"
                         : k == NEGATIVE                           ? "johnson"
                                                                   : "multi-sssp");
}

static fr_query query_of(const trial *t, const int32_t *sources) {
    const bool single = t->problem != FR_PROBLEM_APSP && !t->each;
    fr_query query = {.sources = sources, .source_count = single ? 1 : SOURCES};
    query.closed_vertices = t->closes_vertices ? t->in->vertices : NULL;
    query.closed_edges = t->closes_edges ? t->in->edges : NULL;
    return query;
}

static fr_status solve(const trial *t, fr_solver *s, const fr_query *query, fr_result *result) {
    int64_t solved = 0;
    return t->each ? fr_solve_each(s, query, result, &solved) : fr_solve(s, query, result);
}

/* Levels or distances of the query, in host memory. */
static fr_status answer(const trial *t, fr_solver *s, const int32_t *sources, void *values,
                        size_t bytes, fr_stats *stats) {
    fr_query query = query_of(t, sources);
    const bool on_device = t->on_device && fr_solver_backend(s) == FR_BACKEND_CUDA;
    void *array = on_device ? array_new(DEVICE, bytes) : values;
    query.result_memory = on_device ? FR_MEMORY_DEVICE : FR_MEMORY_HOST;
    fr_result result = {.level = t->problem == FR_PROBLEM_BFS ? array : NULL,
                        .dist = t->problem == FR_PROBLEM_BFS ? NULL : array};
    fr_status status = solve(t, s, &query, &result);
    if (on_device) {
        must(cudaMemcpy(values, array, bytes, cudaMemcpyDeviceToHost), "reading results");
        array_free(DEVICE, array);
    }
    *stats = result.stats;
    return status;
}

/* Strategy, explanation and estimate speak of the strategy that fr_solver_new resolved. */
static void check_said(fr_ctx *ctx, const trial *t, fr_solver *s, const fr_stats *stats) {
    const char *name = s->job.strategy->name, *why = fr_solver_explain(s);
    fr_memory_estimate bytes = {0};
    CHECK(expects(t, name), "%s: it is %s", t->name, name);
    CHECK(stats->strategy && !strcmp(stats->strategy, name), "%s: %s ran, not %s", t->name,
          stats->strategy ? stats->strategy : "NULL", name);
    if (!expects(t, "auto"))
        CHECK(why && strstr(why, name), "%s: no reason for %s in '%s'", t->name, name, why);
    if (t->options.knobs && !expects(t, "auto"))
        CHECK(strstr(why, "unused"), "%s: not a word of the knobs in '%s'", t->name, why);
    CHECK(!fr_estimate_memory(ctx, t->in->graph, t->problem, &t->options, &bytes) &&
              bytes.device > 0,
          "%s: %s", t->name, fr_ctx_error(ctx));
    const fr_solver *inner = s->closed ? s->closed->solver : NULL;
    if (inner)
        CHECK(inner->job.strategy == s->job.strategy &&
                  !memcmp(inner->job.knob, s->job.knob, sizeof s->job.knob),
              "%s: without what is closed it is %s", t->name, inner->job.strategy->name);
}

static void run(fr_ctx *ctx, fr_ctx *cpu_ctx, const trial *t) {
    static char here[8 * MAX_N * SOURCES], there[8 * MAX_N * SOURCES];
    const int32_t sources[SOURCES] = {3, 20, 17};
    fr_solver *gpu = NULL, *cpu = NULL;
    fr_solver_options options = t->options;
    fr_stats stats = {0}, ignored;
    CHECK(!fr_solver_new(ctx, t->in->graph, t->problem, &options, &gpu), "%s: %s", t->name,
          fr_ctx_error(ctx));
    options.backend = FR_BACKEND_CPU;
    options.strategy = options.knobs = NULL;
    if (fr_solver_new(cpu_ctx, t->in->graph, t->problem, &options, &cpu))
        cf_give_up(cpu_ctx, "a solver on the CPU");
    const size_t size = t->problem == FR_PROBLEM_BFS ? 4 : fr_type_size(fr_solver_dist_type(cpu));
    const size_t rows = t->problem == FR_PROBLEM_APSP || t->each ? SOURCES : 1;
    const size_t bytes = rows * size * (size_t)fr_graph_vertex_count(t->in->graph);
    if (gpu) {
        CHECK(!answer(t, gpu, sources, here, bytes, &stats), "%s: %s", t->name, fr_ctx_error(ctx));
        if (answer(t, cpu, sources, there, bytes, &ignored))
            cf_give_up(cpu_ctx, "an answer of the CPU");
        CHECK(!memcmp(here, there, bytes), "%s: another answer than the CPU's", t->name);
        check_said(ctx, t, gpu, &stats);
    }
    fr_solver_free(gpu);
    fr_solver_free(cpu);
}

/* Each bit is a choice. False: nothing to try. */
static bool choose(const input *in, fr_problem problem, int devices, unsigned bits, trial *t) {
    static const char *const knobs[] = {
        [FR_PROBLEM_BFS] = "direction=1", [FR_PROBLEM_SSSP] = "test=2"};
    const bool rows = problem == FR_PROBLEM_APSP;
    *t = (trial){.in = in, .problem = problem, .devices = devices};
    t->closes_vertices = bits & 1;
    t->closes_edges = bits & 2;
    t->options = (fr_solver_options){.backend = FR_BACKEND_CUDA,
                                     .reverse = bits & 4,
                                     .record_levels = bits & 8,
                                     .knobs = bits & 16 && !rows ? knobs[problem] : NULL,
                                     .expected_queries = bits & 32 ? 1000 : 0};
    if (bits & 32 && devices > 1 && in->kind != NEGATIVE && !rows) {
        t->options.strategy =
            "multi-device"; /* which one GPU may replace, unless knobs are given */
        t->options.knobs = bits & 16 ? "all=1" : NULL;
    }
    t->each = bits & 64 && !rows;
    t->on_device = bits & 128 && !rows;
    if (bits & 256 && problem != FR_PROBLEM_BFS)
        t->options.dist_type = in->type == FR_TYPE_I32   ? FR_TYPE_I64
                               : in->type == FR_TYPE_F32 ? FR_TYPE_F64
                                                         : in->type;
    if (in->kind == UNWEIGHTED)
        t->options.dist_type = FR_TYPE_NONE;
    snprintf(t->name, sizeof t->name, "%s, %s of kind %d, %d GPUs, choice %u",
             fr_problem_name(problem), fr_type_name(in->type), in->kind, devices, bits);
    return !(rows && in->type == FR_TYPE_I64); /* these are the CPU's */
}

static void cross(fr_ctx *ctx, fr_ctx *cpu, int devices, kind k, fr_type type) {
    static unsigned nth;
    input in;
    make_input(cpu, k, type, &in);
    const unsigned count = !host_is_brief() ? 128 : k == NEGATIVE ? 2 : (devices + k) % 2;
    for (fr_problem p = k == UNWEIGHTED ? FR_PROBLEM_BFS : FR_PROBLEM_SSSP; p < FR_PROBLEM_COUNT;
         p++)
        for (unsigned i = 0; i < count; i++) {
            trial t;
            if (choose(&in, p, devices, nth++ * 181 % 512,
                       &t)) /* all 512 in turn, neighbors differ much */
                run(ctx, cpu, &t);
        }
    fr_graph_free(in.graph);
    fr_graph_free(in.plain);
}

/* ---- refusals and tuning ---- */

static fr_graph *edge_graph(fr_ctx *ctx, int32_t n, int32_t weight) {
    const int32_t from = 0, to = 1;
    const fr_load_options options = {.direction = FR_DIRECTION_DIRECTED};
    fr_graph *graph;
    if (fr_graph_from_edges(ctx, n, 1, &from, &to, &weight, FR_TYPE_I32, &options, &graph))
        cf_give_up(ctx, "a graph");
    return graph;
}

/* fr_estimate_memory refuses as fr_solver_new does. `auto` leaves to the CPU what the strategy that it chooses
 * refuses. */
static void refusals(fr_ctx *ctx) {
    static const struct {
        int32_t n, weight;
        fr_solver_options options;
        fr_status want;
    } cases[] = {
        {1 << 20, INT32_MIN, {.strategy = "johnson", .max_sources = 1}, FR_UNSUPPORTED},
        {1 << 20, INT32_MIN, {.max_sources = 1}, FR_OK},
        {2, 1 << 30, {.strategy = "floyd-warshall", .in_place = true}, FR_OVERFLOW},
        {2, 1 << 30, {.in_place = true}, FR_OVERFLOW},
        {2, 1 << 30, {.in_place = true, .dist_type = FR_TYPE_I64}, FR_OK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fr_graph *graph = edge_graph(ctx, cases[i].n, cases[i].weight);
        fr_solver_options options = cases[i].options;
        fr_memory_estimate bytes = FR_INIT(fr_memory_estimate);
        fr_solver *solver = NULL;
        options.backend = FR_BACKEND_CUDA;
        const fr_status estimated =
            fr_estimate_memory(ctx, graph, FR_PROBLEM_APSP, &options, &bytes);
        const fr_status status = fr_solver_new(ctx, graph, FR_PROBLEM_APSP, &options, &solver);
        CHECK(status == cases[i].want && estimated == status, "case %zu: %s, estimated %s: %s", i,
              fr_status_name(status), fr_status_name(estimated), fr_ctx_error(ctx));
        const fr_backend there = options.in_place ? FR_BACKEND_CUDA : FR_BACKEND_CPU;
        CHECK(status || fr_solver_backend(solver) == there, "case %zu: backend", i);
        fr_solver_free(solver);
        fr_graph_free(graph);
    }
}

static void see_trial(void *user, const fr_tune_trial *t) {
    int *counts = user; /* of `auto` with knobs; of others */
    const bool is_auto = strcmp(t->strategy, "auto") == 0;
    counts[0] += is_auto && *t->knobs;
    counts[1] += !is_auto;
}

/* Knobs of `auto` mean nothing to the strategy that takes its place where a weight is negative. */
static void knobs_of_the_one_that_runs(fr_ctx *ctx) {
    fr_graph *graph = edge_graph(ctx, 2, -1);
    const int32_t source = 0;
    int counts[2] = {0, 0};
    const fr_tune_options options = {.backend = FR_BACKEND_CUDA,
                                     .sources = &source,
                                     .source_count = 1,
                                     .seconds = 0.5,
                                     .trial = see_trial,
                                     .trial_user = counts};
    fr_tuning found = FR_INIT(fr_tuning);
    CHECK(!fr_tune(ctx, graph, FR_PROBLEM_SSSP, &options, &found), "%s", fr_ctx_error(ctx));
    CHECK(!counts[0] && counts[1], "%d trials of auto's knobs, %d others", counts[0], counts[1]);
    fr_graph_free(graph);
}

static int cancel(void *user, const char *phase, int64_t done, int64_t total) {
    (void)user, (void)phase, (void)done, (void)total;
    return 1;
}

/* FR_BACKEND_ANY is where `auto` would run: many queries of this graph on the GPU, one on the CPU. */
static void tunes_where_auto_runs(void) {
    const char *path = "fringe-resolved.tsv";
    const fr_ctx_options impatient = {.threads = 2, .progress = cancel};
    fr_ctx *ctx, *stopped;
    if (fr_ctx_new(&(fr_ctx_options){.threads = 2}, &ctx) || fr_ctx_new(&impatient, &stopped))
        cf_give_up(NULL, "a context");
    fr_graph *graph;
    if (fr_graph_generate(ctx, "kronecker:scale=15,seed=1", NULL, &graph))
        cf_give_up(ctx, "a graph");
    const int32_t source = 0;
    const fr_tune_options options = {.sources = &source, .source_count = 1};
    fr_device_info gpu = FR_INIT(fr_device_info);
    fr_tuning found = FR_INIT(fr_tuning);
    CHECK(!fr_device_get(ctx, 0, &gpu), "%s", fr_ctx_error(ctx));
    CHECK(fr_tune(stopped, graph, FR_PROBLEM_BFS, &options, &found) == FR_CANCELLED, "not stopped");
    CHECK(strcmp(found.device, gpu.name) == 0, "tuned on %s", found.device);
    fr_tuning stored = {.problem = FR_PROBLEM_BFS,
                        .backend = FR_BACKEND_CUDA,
                        .ns = 1,
                        .auto_ns = 2,
                        .strategy = "queue"};
    remove(path);
    CHECK(!fr_tuning_cache_store(ctx, path, graph, NULL, &stored), "%s", fr_ctx_error(ctx));
    fr_solver_options asked = {.expected_queries = 1000000};
    CHECK(!fr_tuning_cache_find(ctx, path, graph, FR_PROBLEM_BFS, &asked, &found), "%s",
          fr_ctx_error(ctx));
    CHECK(found.backend == FR_BACKEND_CUDA, "the entry of another backend");
    fr_ctx *fresh; /* has not opened the device */
    if (fr_ctx_new(&(fr_ctx_options){.threads = 2}, &fresh))
        cf_give_up(NULL, "a context");
    asked.expected_queries = 1;
    CHECK(fr_tuning_cache_find(fresh, path, graph, FR_PROBLEM_BFS, &asked, &found) == FR_NOT_FOUND,
          "an entry for the GPU, where one query does not pay");
    remove(path);
    fr_graph_free(graph);
    fr_ctx_free(fresh);
    fr_ctx_free(stopped);
    fr_ctx_free(ctx);
}

int main(void) {
    static const fr_type types[] = {FR_TYPE_I32, FR_TYPE_I64, FR_TYPE_F32, FR_TYPE_F64};
    cf_backend = FR_BACKEND_CUDA;
    fr_ctx *ctx = cf_device_context(FR_PROBLEM_SSSP, ON_HOST), *cpu;
    int there = 0;
#ifdef FRI_SIMT
    simt_set_devices(MAX_DEVICES);
#endif
    if (!ctx)
        return 77;
    if (fr_device_count(ctx, &there) || fr_ctx_new(NULL, &cpu))
        cf_give_up(ctx, "a device");
    fr_ctx_free(ctx);
    for (int devices = 1; devices <= MAX_DEVICES && devices <= there; devices++) {
        ctx = context(devices);
        for (kind k = 0; k < KINDS; k++)
            for (int i = 0; i < (k == UNWEIGHTED ? 1 : 4); i++)
                cross(ctx, cpu, devices, k, types[i]);
        if (devices == 1) {
            refusals(ctx);
            knobs_of_the_one_that_runs(ctx);
        }
        fr_ctx_free(ctx);
    }
    tunes_where_auto_runs();
    fr_ctx_free(cpu);
    return checks_end("what auto resolves to");
}
