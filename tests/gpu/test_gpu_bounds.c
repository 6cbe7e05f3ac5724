/* Every loop that runs until something stops changing ends, whatever the device reports: drivers of all
 * strategies whose levels and rounds they count, with device sides that find more for ever, and APSP with
 * a control word that says so (on the host). And graphs on which a negative cycle hides from the search
 * for it, because another neighbor offers the same sum: on a self-loop, or on a cycle of weight 0. Runs
 * on the host (FRI_SIMT) and on a GPU. */
#include "conformance/choose.h"
#include "conformance/harness.h"
#include "core/solver.h"
#include "cuda/device/gpu.h"
#include "gpu/gpu_check.h"
#include "gpu/gpu_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 12, M = 36, MOST_ROUNDS = 8 * N + 64, HIDDEN = 8 };

static fr_solver *solver_of(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                            const char *strategy, fr_type type) {
    fr_solver_options options = {
        .strategy = strategy, .backend = FR_BACKEND_CUDA, .dist_type = type};
    fr_solver *solver = NULL;
    fr_status status = fr_solver_new(ctx, graph, problem, &options, &solver);
    CHECK(!status || status == FR_UNSUPPORTED || status == FR_NEGATIVE_WEIGHT, "%s: %s", strategy,
          fr_ctx_error(ctx));
    return solver;
}

/* ---- device sides that find more for ever ------------------------------------------------ */

static const fri_gpu_strategy *wrapped;
static int64_t calls;

static fr_status endless_level(fri_gpu *g, int32_t depth, int64_t *found, int64_t *edges) {
    fr_status status = wrapped->run_level(g, depth, found, edges);
    calls++;
    *found = FRI_MAX(*found, 1);
    return status;
}

static fr_status endless_levels(fri_gpu *g, int32_t depth, int32_t most,
                                fri_gpu_progress *progress) {
    fr_status status = wrapped->run_levels(g, depth, most, progress);
    calls++;
    progress->found = FRI_MAX(progress->found, 1);
    return status;
}

/* The host answers where distances that may be negative fall for ever; otherwise the query fails. */
static void check_end(fr_ctx *ctx, fr_solver *solver, fr_status status, const char *strategy,
                      bool negative) {
    if (negative) {
        CHECK(!status, "%s: %s", strategy, fr_ctx_error(ctx));
        CHECK(strstr(solver->job.told.why, "kept falling"), "%s: %s", strategy,
              solver->job.told.why);
    } else {
        CHECK(status == FR_DEVICE, "%s: %s", strategy, fr_status_name(status));
        CHECK(strstr(fr_ctx_error(ctx), solver->job.strategy->name) &&
                  strstr(fr_ctx_error(ctx), "does not end"),
              "%s: %s", strategy, fr_ctx_error(ctx));
    }
}

static void endless(fr_ctx *ctx, const fr_graph *graph, fr_problem problem, const char *strategy,
                    bool negative) {
    int32_t values[N], source = 0;
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {0};
    fr_solver *solver = solver_of(ctx, graph, problem, strategy, FR_TYPE_NONE);
    fri_gpu *gpu = solver ? solver->job.device : NULL;
    if (problem == FR_PROBLEM_BFS)
        result.level = values;
    else
        result.dist = values;
    if (gpu && (gpu->strategy->run_level || gpu->strategy->run_levels)) {
        wrapped = gpu->strategy;
        fri_gpu_strategy side = *wrapped;
        side.run_level = side.run_level ? endless_level : NULL;
        side.run_levels = side.run_levels ? endless_levels : NULL;
        gpu->strategy = &side;
        calls = 0;
        fr_status status = fr_solve(solver, &query, &result);
        gpu->strategy = wrapped;
        check_end(ctx, solver, status, strategy, negative);
        CHECK(calls > 1 && calls <= MOST_ROUNDS + 1, "%s: %lld calls", strategy, (long long)calls);
        CHECK(!fr_solve(solver, &query, &result), "%s, afterwards: %s", strategy,
              fr_ctx_error(ctx));
    }
    fr_solver_free(solver);
}

#ifdef FRI_SIMT
static int32_t *found_word;
static void find_more(const char *kernel) {
    if (!strcmp(kernel, "publish_kernel"))
        *found_word = 1;
}

/* multi-bfs and multi-sssp read the word 0 after each level or round. */
static void endless_rows(fr_ctx *ctx, const cf_graph *g, const char *strategy) {
    int32_t dist[N], source = 0;
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.dist = dist};
    fr_solver *solver = solver_of(ctx, g->graph, FR_PROBLEM_APSP, strategy, FR_TYPE_NONE);
    if (!solver)
        return;
    found_word = ((fri_gpu *)solver->job.device)->control;
    simt_at_launch(find_more);
    fr_status status = fr_solve(solver, &query, &result);
    simt_at_launch(NULL);
    check_end(ctx, solver, status, strategy, false);
    CHECK(!fr_solve(solver, &query, &result), "%s, afterwards: %s", strategy, fr_ctx_error(ctx));
    fr_solver_free(solver);
}
#else
static void endless_rows(fr_ctx *ctx, const cf_graph *g, const char *strategy) {
    (void)ctx, (void)g, (void)strategy;
}
#endif

/* ---- negative cycles that hide ----------------------------------------------------------- */

typedef struct hidden {
    const char *name;
    int32_t n, m, source;
    struct {
        int32_t from, to, weight;
    } edge[HIDDEN];
} hidden;

/* self-loop: vertex 1 offers 0 what its own loop offers it, in every round. zero-cycle: of the neighbors
 * that offer 1 and 3 the same in every round, those on the cycle of weight 0 have the smaller numbers.
 * acyclic: its distances fall for a while. */
enum { ACYCLIC = 3 };
static const hidden hiding[] = {
    {"self-loop", 2, 3, 1, {{0, 0, -1}, {1, 0, 0}, {1, 1, -1}}},
    {"zero-cycle",
     4,
     7,
     0,
     {{0, 1, -1}, {0, 3, 1}, {1, 3, 0}, {2, 0, -1}, {2, 1, 1}, {3, 1, 0}, {3, 2, 0}}},
    {"two-cycles",
     5,
     8,
     0,
     {{0, 4, 1}, {1, 2, 0}, {2, 0, -1}, {2, 1, 0}, {2, 4, 2}, {3, 1, 1}, {4, 0, 2}, {4, 1, -1}}},
    {"acyclic", 4, 4, 0, {{0, 1, 2}, {1, 2, -3}, {0, 2, 0}, {2, 3, -1}}}};

/* Far more than n: a loop without a bound. */
static int stop_late(void *user, const char *phase, int64_t done, int64_t total) {
    (void)user, (void)total;
    return !strcmp(phase, "traversing") && done > MOST_ROUNDS;
}

static fr_graph *graph_of(fr_ctx *ctx, const hidden *h, fr_type type) {
    int32_t from[HIDDEN], to[HIDDEN], whole[HIDDEN];
    int64_t wide[HIDDEN];
    float real[HIDDEN];
    double exact[HIDDEN];
    for (int i = 0; i < h->m; i++) {
        from[i] = h->edge[i].from;
        to[i] = h->edge[i].to;
        exact[i] = real[i] = (float)(wide[i] = whole[i] = h->edge[i].weight);
    }
    const void *const weights[] = {NULL, whole, wide, real, exact};
    fr_graph *graph;
    if (fr_graph_from_edges(ctx, h->n, h->m, from, to, weights[type], type, NULL, &graph))
        cf_give_up(ctx, h->name);
    return graph;
}

static fr_status solve(fr_ctx *ctx, fr_solver *solver, const hidden *h, bool marks, bool parents,
                       double dist[HIDDEN]) {
    int32_t parent[HIDDEN];
    fr_query query = {.sources = &h->source, .source_count = 1, .mark_negative_cycles = marks};
    fr_result result = {.dist = dist, .parent = parents ? parent : NULL};
    memset(dist, 0, HIDDEN * sizeof *dist);
    fr_status status = fr_solve(solver, &query, &result);
    CHECK(status == FR_OK || status == FR_NEGATIVE_CYCLE, "%s: %s", h->name, fr_ctx_error(ctx));
    CHECK(status != FR_NEGATIVE_CYCLE || result.cycle_weight < 0, "%s: weight %g", h->name,
          result.cycle_weight);
    return status;
}

/* Against the CPU; distances are compared where they are specified. */
static void check_hidden(fr_ctx *ctx, const hidden *h, fr_type type, const char *strategy) {
    static const fr_type types[][2] = {
        {0}, {FR_TYPE_I32, FR_TYPE_I64}, {FR_TYPE_I64}, {FR_TYPE_F32, FR_TYPE_F64}, {FR_TYPE_F64}};
    fr_graph *graph = graph_of(ctx, h, type);
    fr_solver_options options = {.backend = FR_BACKEND_CPU};
    for (int wide = 0; wide < 2 && types[type][wide]; wide++) {
        options.dist_type = types[type][wide];
        fr_solver *gpu = solver_of(ctx, graph, FR_PROBLEM_SSSP, strategy, options.dist_type),
                  *cpu = NULL;
        if (!gpu || fr_solver_new(ctx, graph, FR_PROBLEM_SSSP, &options, &cpu))
            CHECK(!gpu, "%s: %s", h->name, fr_ctx_error(ctx));
        for (int marks = 0; gpu && cpu && marks < 2; marks++) {
            double dist[HIDDEN], others[HIDDEN];
            fr_status status = solve(ctx, gpu, h, marks, !wide, dist),
                      want = solve(ctx, cpu, h, marks, !wide, others);
            CHECK(status == want, "%s, %s, %s, marks %d: %s, should be %s", h->name, strategy,
                  fr_type_name(type), marks, fr_status_name(status), fr_status_name(want));
            CHECK((want && !marks) || !memcmp(dist, others, sizeof dist), "%s, %s: distances",
                  h->name, strategy);
        }
        fr_solver_free(gpu);
        fr_solver_free(cpu);
    }
    fr_graph_free(graph);
}

static uint32_t draw(uint64_t *state, uint32_t end) { return cf_random(5, ++*state) % end; }

/* Small graphs of small weights have many sums that are equal. */
static hidden random_hidden(uint64_t *state) {
    hidden h = {.name = "random", .n = 3 + (int32_t)draw(state, HIDDEN - 2), .m = HIDDEN};
    for (int i = 0; i < h.m; i++) {
        h.edge[i].from = (int32_t)draw(state, (uint32_t)h.n);
        h.edge[i].to = (int32_t)draw(state, (uint32_t)h.n);
        h.edge[i].weight = (int32_t)draw(state, 4) - 1;
    }
    return h;
}

/* On the host without `auto`, which is hbf. */
static bool meets_hidden(const fr_strategy_info *strategy) {
    return cf_takes_negative(strategy) && !(ON_HOST && !strcmp(strategy->name, "auto"));
}

static void all_hidden(void) {
    fr_ctx_options options = {.progress = stop_late};
    fr_strategy_info strategy = {0};
    uint64_t state = 0;
    fr_ctx *ctx;
    if (fr_ctx_new(&options, &ctx))
        cf_give_up(NULL, "a context");
    for (int k = 0; k < (int)(sizeof hiding / sizeof *hiding); k++)
        for (fr_type type = FR_TYPE_I32; type <= FR_TYPE_F64; type++)
            for (int i = 0; cf_strategy(FR_PROBLEM_SSSP, i, &strategy); i++)
                if (meets_hidden(&strategy))
                    check_hidden(ctx, &hiding[k], type, strategy.name);
    for (int k = 0; k < (host_is_brief() ? 4 : ON_HOST ? 100 : 2000); k++) {
        const hidden h = random_hidden(&state);
        for (int i = 0; cf_strategy(FR_PROBLEM_SSSP, i, &strategy); i++)
            if (meets_hidden(&strategy))
                check_hidden(ctx, &h, FR_TYPE_I32, strategy.name);
    }
    fr_ctx_free(ctx);
}

/* ---- all strategies ---------------------------------------------------------------------- */

static cf_graph *random_graph(fr_ctx *ctx, cf_weights weights, int low) {
    cf_random_kind kind = {.weights = weights, .low = low, .high = 5, .directed = true};
    uint64_t state = 7;
    cf_graph *g = cf_random_graph(ctx, N, M, &kind, &state);
    if (!g)
        cf_give_up(ctx, "a random graph");
    return g;
}

static void all_endless(fr_ctx *ctx) {
    cf_graph *plain = random_graph(ctx, CF_NONE, 1), *weighted = random_graph(ctx, CF_I32, 1);
    fr_graph *negative = graph_of(ctx, &hiding[ACYCLIC], FR_TYPE_I32);
    fr_strategy_info strategy = {0};
    for (int i = 0; cf_strategy(FR_PROBLEM_BFS, i, &strategy); i++)
        endless(ctx, plain->graph, FR_PROBLEM_BFS, strategy.name, false);
    for (int i = 0; cf_strategy(FR_PROBLEM_SSSP, i, &strategy); i++) {
        endless(ctx, weighted->graph, FR_PROBLEM_SSSP, strategy.name, false);
        if (meets_hidden(&strategy))
            endless(ctx, negative, FR_PROBLEM_SSSP, strategy.name, true);
    }
    endless_rows(ctx, plain, "multi-bfs");
    endless_rows(ctx, weighted, "multi-sssp");
    fr_graph_free(negative);
    cf_graph_free(plain);
    cf_graph_free(weighted);
}

int main(void) {
    cf_backend = FR_BACKEND_CUDA;
    fr_ctx *ctx = cf_device_context(FR_PROBLEM_APSP, ON_HOST);
    if (!ctx)
        return 77;
    all_endless(ctx);
    all_hidden();
    fr_ctx_free(ctx);
    return checks_end("bounds of loops on the GPU");
}
