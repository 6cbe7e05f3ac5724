/* What `auto` on the GPU gives a graph to (hbf where a weight is negative, a strategy by costs for all pairs, one GPU
 * of several) is resolved once: every kind of weights and type, on one GPU and several, with what asks for the strategy
 * later: closed vertices, explanations, memory estimates, tunings. Answers equal the CPU's, bit by bit: float weights
 * are multiples of 1/4. Runs on the host (FRI_SIMT), which then has three GPUs, and on a machine with GPUs. Random
 * options and queries meet `auto` in tests/random. */
#include "core/closed.h"
#include "fringe_tune.h"
#include "gpu/harness.h"

enum { GPUS = 3, MAX_N = 64 };

typedef enum sign { UNWEIGHTED, ONES, POSITIVE, NEGATIVE, SIGNS } sign;

/* A graph of those weights, integers or quarters. */
static fr_graph *make_graph(fr_ctx *ctx, sign s, fr_type type) {
    const bool floats = type >= FR_TYPE_F32;
    const fr_load_options options = {.weights = s == NEGATIVE     ? FR_WEIGHTS_POTENTIAL
                                                : s == UNWEIGHTED ? FR_WEIGHTS_NONE
                                                                  : FR_WEIGHTS_RANDOM,
                                     .weight_low = 1,
                                     .weight_high = s == ONES ? 1 : 9,
                                     .potential_max = 40};
    fr_graph *plain = graph_generate(ctx, "kronecker:scale=5,edge_factor=5,seed=3", options);
    const fr_csr *csr = fr_graph_csr(plain);
    edge *edges = malloc((size_t)csr->m * sizeof *edges);
    for (int32_t u = 0; u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            edges[e] =
                (edge){u, csr->targets[e],
                       csr->weights ? ((const int32_t *)csr->weights)[e] / (floats ? 4.0 : 1) : 0};
    fr_graph *graph = graph_of_edges(ctx, csr->n, csr->m, edges, csr->weights ? type : FR_TYPE_NONE,
                                     FR_DIRECTION_DIRECTED);
    free(edges);
    fr_graph_free(plain);
    return graph;
}

/* The strategies that `auto` may resolve to. Of these it is one from the beginning, and stays it. */
static bool expects(fr_problem problem, sign s, fr_type type, const char *name) {
    if (problem == FR_PROBLEM_BFS)
        return !strcmp(name, "auto");
    if (problem == FR_PROBLEM_SSSP)
        return !strcmp(name, s == NEGATIVE ? "hbf" : "auto");
    const bool unit = s == UNWEIGHTED || (s == ONES && type < FR_TYPE_F32),
               negative = s == NEGATIVE;
    return !strcmp(name, "floyd-warshall") ||
           !strcmp(name, unit       ? "multi-bfs"
                         : negative ? "johnson"
                                    : "multi-sssp") ||
           (!unit && !negative && !strcmp(name, "each-sssp"));
}

/* Strategy, explanation and estimate speak of the strategy that fr_solver_new resolved. */
static void check_said(const ask *a, sign s, fr_type type, const fr_solver *solver,
                       const fr_stats *stats) {
    const char *name = solver->job.strategy->name, *why = fr_solver_explain(solver);
    const bool is_auto = expects(a->problem, s, type, "auto");
    fr_memory_estimate bytes = {0};
    CHECK(expects(a->problem, s, type, name), "%s: it is %s", a->name, name);
    CHECK(stats->strategy && !strcmp(stats->strategy, name), "%s: %s ran, not %s", a->name,
          stats->strategy ? stats->strategy : "NULL", name);
    CHECK(is_auto || (why && strstr(why, name)), "%s: no reason for %s in '%s'", a->name, name,
          why);
    CHECK(is_auto || !a->options.knobs || strstr(why, "unused"), "%s: no word of the knobs in '%s'",
          a->name, why);
    CHECK(!fr_estimate_memory(a->ctx, a->graph, a->problem, &a->options, &bytes) &&
              bytes.device > 0,
          "%s: %s", a->name, fr_ctx_error(a->ctx));
    const fr_solver *inner = solver->closed ? solver->closed->solver : NULL;
    CHECK(!inner || (inner->job.strategy == solver->job.strategy &&
                     !memcmp(inner->job.knob, solver->job.knob, sizeof inner->job.knob)),
          "%s: without what is closed it is another", a->name);
}

/* Without and with knobs, closed vertices and many expected queries. */
static void check_problem(fr_ctx *ctx, fr_graph *graph, fr_problem problem, sign s, fr_type type) {
    static const char *const knobs[] = {
        [FR_PROBLEM_BFS] = "direction=1", [FR_PROBLEM_SSSP] = "test=2", [FR_PROBLEM_APSP] = NULL};
    static const uint64_t closed[MAX_N / 64] = {UINT64_C(0x0040200010080402)};
    static const int32_t sources[] = {3, 20, 17};
    char name[100];
    snprintf(name, sizeof name, "%s, %s, weights %d, %d GPUs", fr_problem_name(problem),
             fr_type_name(type), s, ctx->device_count);
    for (int more = 0; more < 2; more++) {
        const ask a = {.ctx = ctx,
                       .graph = graph,
                       .name = name,
                       .problem = problem,
                       .options = {.backend = FR_BACKEND_CUDA,
                                   .knobs = more ? knobs[problem] : NULL,
                                   .expected_queries = more ? 1000 : 0},
                       .query = {.sources = sources,
                                 .source_count = problem == FR_PROBLEM_APSP ? COUNT(sources) : 1,
                                 .closed_vertices = more ? closed : NULL}};
        answer want = answer_on_cpu(&a);
        fr_solver *solver = solver_new(ctx, graph, problem, a.options);
        const fr_stats stats = check_place(&a, solver, &want, PAGEABLE, VALUES);
        check_said(&a, s, type, solver, &stats);
        fr_solver_free(solver);
        answer_free(&want);
    }
}

static void resolved(fr_ctx *loader) {
    for (int devices = 1; devices <= GPUS && devices <= devices_there; devices++) {
        fr_ctx *ctx = context_on(devices, (fr_ctx_options){0});
        for (sign s = 0; s < SIGNS; s++)
            for (fr_type type = FR_TYPE_I32; type <= FR_TYPE_F64; type++) {
                fr_graph *graph = make_graph(loader, s, type);
                if (s != UNWEIGHTED)
                    check_problem(ctx, graph, FR_PROBLEM_SSSP, s, type);
                else if (type == FR_TYPE_I32)
                    check_problem(ctx, graph, FR_PROBLEM_BFS, s, type);
                if ((type != FR_TYPE_I64 || s != NEGATIVE) &&
                    (s != UNWEIGHTED || type == FR_TYPE_I32))
                    check_problem(ctx, graph, FR_PROBLEM_APSP, s, type);
                fr_graph_free(graph); /* all pairs by negative int64 weights are the CPU's */
            }
        fr_ctx_free(ctx);
    }
}

/* Where the edges that are not closed have equal weights, or knobs are given, the copy without what is closed searches
 * as its model does: results go to device memory, and the explanation says each thing once. */
static void closed_to_equal(fr_ctx *ctx) {
    static const struct {
        int weight, last;
        const char *knobs;
    } cases[] = {{2, 3, NULL}, {2, 2, "test=2"}, {0, 0, NULL}, {2, 2, NULL}};
    static const uint64_t last[] = {4}, all[] = {7};
    static const int32_t source = 0;
    for (int i = 0; i < 2 * COUNT(cases); i++) {
        const int weight = cases[i / 2].weight;
        const edge edges[] = {{0, 1, weight}, {1, 2, weight}, {2, 3, cases[i / 2].last}};
        fr_graph *graph = graph_of_edges(ctx, 4, 3, edges, FR_TYPE_I32, FR_DIRECTION_DIRECTED);
        const ask a = {
            .ctx = ctx,
            .graph = graph,
            .name = "closed",
            .problem = FR_PROBLEM_SSSP,
            .options = {.backend = FR_BACKEND_CUDA,
                        .knobs = cases[i / 2].knobs,
                        .dist_type = FR_TYPE_I64},
            .query = {.sources = &source, .source_count = 1, .closed_edges = i % 2 ? all : last}};
        answer want = answer_on_cpu(&a);
        fr_solver *solver = solver_new(ctx, graph, FR_PROBLEM_SSSP, a.options);
        check_place(&a, solver, &want, DEVICE, VALUES);
        const char *why = fr_solver_explain(solver), *said = strstr(why, "every weight");
        CHECK(!said || !strstr(said + 1, "every weight"), "case %d: '%s'", i, why);
        fr_solver_free(solver);
        answer_free(&want);
        fr_graph_free(graph);
    }
}

/* ---- refusals and tuning ---- */

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
    for (int i = 0; i < COUNT(cases); i++) {
        const edge one = {0, 1, cases[i].weight};
        fr_graph *graph =
            graph_of_edges(ctx, cases[i].n, 1, &one, FR_TYPE_I32, FR_DIRECTION_DIRECTED);
        fr_solver_options options = cases[i].options;
        fr_memory_estimate bytes = FR_INIT(fr_memory_estimate);
        fr_solver *solver = NULL;
        options.backend = FR_BACKEND_CUDA;
        const fr_status estimated =
            fr_estimate_memory(ctx, graph, FR_PROBLEM_APSP, &options, &bytes);
        const fr_status status = fr_solver_new(ctx, graph, FR_PROBLEM_APSP, &options, &solver);
        CHECK(status == cases[i].want && estimated == status, "case %d: %s, estimated %s: %s", i,
              fr_status_name(status), fr_status_name(estimated), fr_ctx_error(ctx));
        const fr_backend there = options.in_place ? FR_BACKEND_CUDA : FR_BACKEND_CPU;
        CHECK(status || fr_solver_backend(solver) == there, "case %d: backend", i);
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
    const edge below = {0, 1, -1};
    fr_graph *graph = graph_of_edges(ctx, 2, 1, &below, FR_TYPE_I32, FR_DIRECTION_DIRECTED);
    const int32_t source = 0;
    int counts[2] = {0, 0};
    const fr_tune_options options = {.backend = FR_BACKEND_CUDA,
                                     .sources = &source,
                                     .source_count = 1,
                                     .seconds = 0.5,
                                     .trial = see_trial,
                                     .trial_user = counts};
    fr_tuning found = FR_INIT(fr_tuning);
    CHECK_OK(ctx, fr_tune(ctx, graph, FR_PROBLEM_SSSP, &options, &found));
    CHECK(!counts[0] && counts[1], "%d trials of auto's knobs, %d others", counts[0], counts[1]);
    fr_graph_free(graph);
}

static int stop_at_once(void *user, const char *phase, int64_t done, int64_t total) {
    (void)user, (void)phase, (void)done, (void)total;
    return 1;
}

/* FR_BACKEND_ANY is where `auto` would run: many queries of this graph on the GPU, one on the CPU. */
static void tunes_where_auto_runs(fr_ctx *other) {
    const char *path = "fringe-resolved.tsv";
    fr_ctx *ctx = context_new((fr_ctx_options){.threads = 2}),
           *stopped = context_new((fr_ctx_options){.threads = 2, .progress = stop_at_once}),
           *fresh = context_new((fr_ctx_options){.threads = 2}); /* does not open the device */
    fr_graph *graph = graph_generate(ctx, "kronecker:scale=15,seed=1", (fr_load_options){0});
    const int32_t source = 0;
    const fr_tune_options options = {.sources = &source, .source_count = 1};
    fr_device_info gpu = FR_INIT(fr_device_info);
    fr_tuning found = FR_INIT(fr_tuning);
    const fr_tuning stored = {.problem = FR_PROBLEM_BFS,
                              .backend = FR_BACKEND_CUDA,
                              .ns = 1,
                              .auto_ns = 2,
                              .strategy = "queue"};
    fr_solver_options asked = {.expected_queries = 1000000};
    (void)other;
    CHECK_OK(ctx, fr_device_get(ctx, 0, &gpu));
    CHECK(fr_tune(stopped, graph, FR_PROBLEM_BFS, &options, &found) == FR_CANCELLED, "not stopped");
    CHECK(strcmp(found.device, gpu.name) == 0, "tuned on %s", found.device);
    remove(path);
    CHECK_OK(ctx, fr_tuning_cache_store(ctx, path, graph, NULL, &stored));
    CHECK_OK(ctx, fr_tuning_cache_find(ctx, path, graph, FR_PROBLEM_BFS, &asked, &found));
    CHECK(found.backend == FR_BACKEND_CUDA, "the entry of another backend");
    asked.expected_queries = 1;
    CHECK(fr_tuning_cache_find(fresh, path, graph, FR_PROBLEM_BFS, &asked, &found) == FR_NOT_FOUND,
          "an entry for the GPU, where one query does not pay");
    remove(path);
    fr_graph_free(graph);
    fr_ctx_free(fresh);
    fr_ctx_free(stopped);
    fr_ctx_free(ctx);
}

static const part parts[] = {{"resolved", resolved},
                             {"closed", closed_to_equal},
                             {"refusals", refusals},
                             {"knobs", knobs_of_the_one_that_runs},
                             {"tuning", tunes_where_auto_runs},
                             {0}};

int main(int argc, char **argv) {
    const program p = {.what = "what auto resolves to",
                       .problem = FR_PROBLEM_SSSP,
                       .devices = GPUS,
                       .parts = parts};
    return program_main(&p, argc, argv);
}
