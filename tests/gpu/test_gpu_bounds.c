/* Every loop that runs until something stops changing ends, whatever the device reports: drivers of all
 * strategies whose levels and rounds they count, with device sides that find more for ever; all pairs,
 * BFS `multi-device`, components and centrality with reads of the device that say so. And graphs on which
 * a negative cycle hides from the search for it, because another neighbor offers the same sum: on a
 * self-loop, or on a cycle of weight 0. Runs on the host (FRI_SIMT) and on a GPU. */
#include "fringe_measures.h"
#include "core/solver.h"
#include "cuda/multi_device/slices.h"
#include "cuda/device/gpu.h"
#include "gpu/harness.h"

enum { N = 12, WIDE_N = 20, MOST_ROUNDS = 8 * N + 512, HIDDEN = 8 };

static fr_solver *solver_of(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                            const char *strategy, fr_type type) {
    fr_solver_options options = {.strategy = strategy,
                                 .backend = FR_BACKEND_CUDA,
                                 .knobs = strcmp(strategy, "multi-device") ? NULL : "all=1",
                                 .dist_type = type};
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

static void check_failure(fr_ctx *ctx, fr_status status, const char *strategy, const char *steps) {
    char begin[80];
    snprintf(begin, sizeof begin, "strategy %s does not end: ", strategy);
    CHECK(status == FR_DEVICE, "%s, %s: %s", strategy, steps, fr_status_name(status));
    CHECK(strstr(fr_ctx_error(ctx), begin) && strstr(fr_ctx_error(ctx), steps), "%s, %s: %s",
          strategy, steps, fr_ctx_error(ctx));
}

/* The host answers where distances that may be negative fall for ever; otherwise the query fails. */
static void check_end(fr_ctx *ctx, fr_solver *solver, fr_status status, const char *strategy,
                      bool negative) {
    if (negative) {
        CHECK(!status, "%s: %s", strategy, fr_ctx_error(ctx));
        CHECK(strstr(solver->job.told.why, "kept falling"), "%s: %s", strategy,
              solver->job.told.why);
    } else
        check_failure(ctx, status, solver->job.strategy->name,
                      solver->job.in->problem == FR_PROBLEM_BFS ? "levels" : "rounds");
}

static fr_result result_of(fr_problem problem, int32_t *values) {
    return (fr_result){.level = problem == FR_PROBLEM_BFS ? values : NULL,
                       .dist = problem == FR_PROBLEM_BFS ? NULL : values};
}

static const int32_t first_vertex = 0;
static const fr_query from_first = {.sources = &first_vertex, .source_count = 1};

static void endless(fr_ctx *ctx, const fr_graph *graph, fr_problem problem, const char *strategy,
                    bool negative) {
    int32_t values[N];
    fr_result result = result_of(problem, values);
    fr_solver *solver = solver_of(ctx, graph, problem, strategy, FR_TYPE_NONE);
    fri_gpu *gpu = solver ? solver->job.device : NULL;
    if (gpu && (gpu->strategy->run_level || gpu->strategy->run_levels)) {
        wrapped = gpu->strategy;
        fri_gpu_strategy side = *wrapped;
        side.run_level = side.run_level ? endless_level : NULL;
        side.run_levels = side.run_levels ? endless_levels : NULL;
        gpu->strategy = &side;
        calls = 0;
        fr_status status = fr_solve(solver, &from_first, &result);
        gpu->strategy = wrapped;
        check_end(ctx, solver, status, strategy, negative);
        CHECK(calls > 1 && calls <= MOST_ROUNDS + 1, "%s: %lld calls", strategy, (long long)calls);
        CHECK(!fr_solve(solver, &from_first, &result), "%s, afterwards: %s", strategy,
              fr_ctx_error(ctx));
    }
    fr_solver_free(solver);
}

/* ---- reads of the device that say so for ever (the functions are linked in place of the library's) ---- */

typedef struct endless_read {
    const char *strategy, *steps;
    enum {
        AS_THEY_ARE,
        LEVELS,
        NOTHING,
        BOUNDS
    } downloads; /* LEVELS: sizes or ends; NOTHING: no source has ended; BOUNDS: a member is open */
    bool report; /* of BFS `multi-device` */
    int word, words; /* control words that are at least 1 ... */
    int after;       /* ... once this one has been read; -1: at once */
} endless_read;
static endless_read reads;

fr_status __real_fri_gpu_read_control(fri_gpu *g, int first, int count);
fr_status __wrap_fri_gpu_read_control(fri_gpu *g, int first, int count);
fr_status __wrap_fri_gpu_read_control(fri_gpu *g, int first, int count) {
    fr_status status = __real_fri_gpu_read_control(g, first, count);
    if (first <= reads.after && reads.after < first + count)
        reads.after = -1;
    for (int i = first; i < first + count; i++)
        if (reads.after < 0 && i >= reads.word && i < reads.word + reads.words)
            g->host_control[i] = FRI_MAX(g->host_control[i], 1);
    return status;
}

fr_status __real_fri_gpu_download(fri_gpu *g, void *to, const void *from, size_t bytes);
fr_status __wrap_fri_gpu_download(fri_gpu *g, void *to, const void *from, size_t bytes);
fr_status __wrap_fri_gpu_download(fri_gpu *g, void *to, const void *from, size_t bytes) {
    enum { OPEN = 3, CHOSEN = 5, KNOWN = 6 }; /* words of known_bounds, centrality/bounds.cu */
    fr_status status = __real_fri_gpu_download(g, to, from, bytes);
    uint64_t *word = to;
    if (reads.downloads == NOTHING &&
        bytes > N) /* not the classes of N sources, distance_sums.cu */
        memset(to, 0, bytes);
    for (size_t i = 0; reads.downloads == LEVELS && i < bytes / sizeof *word; i++)
        word[i] = FRI_MAX(word[i], i ? word[i - 1] + 1 : 1);
    if (reads.downloads == BOUNDS && bytes == KNOWN * sizeof *word) {
        word[CHOSEN] = word[OPEN] ? word[CHOSEN] : UINT32_MAX; /* the first */
        word[OPEN] = FRI_MAX(word[OPEN], 1);
    }
    return status;
}

fr_status __real_fri_slice_read_report(fri_slice *slice, fri_slice_report *report);
fr_status __wrap_fri_slice_read_report(fri_slice *slice, fri_slice_report *report);
fr_status __wrap_fri_slice_read_report(fri_slice *slice, fri_slice_report *report) {
    fr_status status = __real_fri_slice_read_report(slice, report);
    if (reads.report) {
        report->frontier_vertices = FRI_MAX(report->frontier_vertices, 1);
        report->levels = 0;
    }
    return status;
}

static void endless_query(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                          const endless_read *read) {
    int32_t values[N], parent[N];
    fr_result result = result_of(problem, values);
    fr_solver *solver = solver_of(ctx, graph, problem, read->strategy, FR_TYPE_NONE);
    if (!solver)
        return;
    result.parent = parent;
    reads = *read;
    check_failure(ctx, fr_solve(solver, &from_first, &result), read->strategy, read->steps);
    reads = (endless_read){0};
    CHECK(!fr_solve(solver, &from_first, &result), "%s, afterwards: %s", read->strategy,
          fr_ctx_error(ctx));
    fr_solver_free(solver);
}

static void endless_queries(fr_ctx *ctx, const cf_graph *plain, const cf_graph *weighted) {
    static const endless_read device = {"multi-device", "levels", .report = true},
                              bfs = {"multi-bfs", "launches", NOTHING},
                              sssp = {"multi-sssp", "launches", NOTHING};
    endless_query(ctx, plain->graph, FR_PROBLEM_BFS, &device);
    endless_query(ctx, plain->graph, FR_PROBLEM_APSP, &bfs);
    endless_query(ctx, weighted->graph, FR_PROBLEM_APSP, &sssp);
}

static fr_status strong(fr_ctx *ctx, const fr_graph *graph) {
    int32_t label[N], count;
    return fr_components(ctx, graph, FR_COMPONENTS_STRONG, FR_BACKEND_CUDA, label, NULL, &count);
}
static fr_status closeness(fr_ctx *ctx, const fr_graph *graph) {
    double score[N];
    return fr_closeness(ctx, graph, false, FR_BACKEND_CUDA, score);
}
static fr_status betweenness(fr_ctx *ctx, const fr_graph *graph) {
    double score[N];
    fr_betweenness_options options = {.struct_size = sizeof options, .backend = FR_BACKEND_CUDA};
    return fr_betweenness(ctx, graph, &options, score, NULL);
}
static fr_status eccentricity(fr_ctx *ctx, const fr_graph *graph) {
    double score[WIDE_N];
    return fr_eccentricity(ctx, graph, FR_BACKEND_CUDA, score, NULL, NULL, NULL);
}

/* wide: has a strong component of which bounds are computed. */
static void endless_calls(fr_ctx *ctx, const cf_graph *plain, const cf_graph *weighted,
                          const cf_graph *wide) {
    const struct {
        fr_status (*call)(fr_ctx *ctx, const fr_graph *graph);
        const cf_graph *g;
        endless_read read;
    } calls_of[] = {
        {strong, plain, {"strong-components", "steps", .word = 1, .words = 3, .after = -1}},
        {strong, plain, {"strong-components", "searches", .word = 4, .words = 1, .after = -1}},
        {closeness, plain, {"distance-sums", "launches", NOTHING}},
        {closeness, weighted, {"weighted-distance-sums", "launches", NOTHING}},
        {betweenness, plain, {"betweenness", "levels", LEVELS}},
        {betweenness, weighted, {"weighted-betweenness", "launches", NOTHING}},
        {betweenness, weighted, {"weighted-betweenness", "layers", LEVELS}},
        {eccentricity, plain, {"eccentricities", "launches", NOTHING}},
        {eccentricity, wide, {"eccentricity", "searches", BOUNDS}},
    };
    for (size_t i = 0; i < sizeof calls_of / sizeof *calls_of; i++) {
        reads = calls_of[i].read;
        check_failure(ctx, calls_of[i].call(ctx, calls_of[i].g->graph), reads.strategy,
                      reads.steps);
        reads = (endless_read){0};
        CHECK(!calls_of[i].call(ctx, calls_of[i].g->graph), "%s, afterwards: %s",
              calls_of[i].read.strategy, fr_ctx_error(ctx));
    }
}

/* ---- negative cycles that hide ----------------------------------------------------------- */

typedef struct hidden {
    const char *name;
    int32_t n, m, source;
    edge edges[HIDDEN];
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

/* Against the CPU; distances are compared where they are specified. */
static void check_hidden(fr_ctx *ctx, const hidden *h, fr_type type, const char *strategy) {
    static const fr_type types[][2] = {
        {0}, {FR_TYPE_I32, FR_TYPE_I64}, {FR_TYPE_I64}, {FR_TYPE_F32, FR_TYPE_F64}, {FR_TYPE_F64}};
    ask a = {.ctx = ctx,
             .graph = graph_of_edges(ctx, h->n, h->m, h->edges, type, FR_DIRECTION_FILE),
             .name = h->name,
             .problem = FR_PROBLEM_SSSP,
             .options = {.strategy = strategy},
             .query = {.sources = &h->source, .source_count = 1}};
    for (int i = 0; i < 4 && types[type][i / 2]; i++) { /* of each type with marks and without */
        a.options.dist_type = types[type][i / 2];
        a.query.mark_negative_cycles = i % 2;
        fr_solver *solver = solver_of(ctx, a.graph, a.problem, strategy, a.options.dist_type);
        if (!solver)
            continue;
        answer want = answer_on_cpu(&a),
               got = answer_at(&a, solver, PAGEABLE, i < 2 ? VALUES | PARENTS : VALUES);
        CHECK(want.status == FR_OK || want.status == FR_NEGATIVE_CYCLE, "%s", h->name);
        check_same(&a, &want, &got, VALUES, -1, fr_type_name(type));
        answer_free(&want);
        answer_free(&got);
        fr_solver_free(solver);
    }
    fr_graph_free(a.graph);
}

static uint32_t draw(uint64_t *state, uint32_t end) { return cf_random(5, ++*state) % end; }

/* Small graphs of small weights have many sums that are equal. */
static hidden random_hidden(uint64_t *state) {
    hidden h = {.name = "random", .n = 3 + (int32_t)draw(state, HIDDEN - 2), .m = HIDDEN};
    for (int i = 0; i < h.m; i++) {
        h.edges[i].from = (int32_t)draw(state, (uint32_t)h.n);
        h.edges[i].to = (int32_t)draw(state, (uint32_t)h.n);
        h.edges[i].weight = (int32_t)draw(state, 4) - 1;
    }
    return h;
}

/* On the host without `auto`, which is hbf. */
static bool meets_hidden(const fr_strategy_info *strategy) {
    return cf_takes_negative(strategy) && !(ON_HOST && !strcmp(strategy->name, "auto"));
}

static void all_hidden(fr_ctx *other) {
    fr_ctx *ctx = context_new((fr_ctx_options){.progress = stop_late});
    fr_strategy_info strategy = {0};
    uint64_t state = 0;
    (void)other;
    for (int i = 0; cf_strategy(FR_PROBLEM_SSSP, i, &strategy); i++)
        for (int k = 0; k < COUNT(hiding) && meets_hidden(&strategy); k++)
            for (fr_type type = FR_TYPE_I32; type <= FR_TYPE_F64; type++)
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

static cf_graph *random_graph(fr_ctx *ctx, int32_t n, cf_weights weights, int low) {
    cf_random_kind kind = {.weights = weights, .low = low, .high = 5, .directed = true};
    uint64_t state = 7;
    cf_graph *g = cf_random_graph(ctx, n, 3 * n, &kind, &state);
    if (!g)
        cf_give_up(ctx, "a random graph");
    return g;
}

/* On two GPUs where they are kernels on the host. */
static void all_endless(fr_ctx *other) {
    fr_ctx *ctx = context_on(1 + ON_HOST, (fr_ctx_options){0});
    cf_graph *plain = random_graph(ctx, N, CF_NONE, 1), *weighted = random_graph(ctx, N, CF_I32, 1),
             *zero = random_graph(ctx, N, CF_I32, 0), *wide = random_graph(ctx, WIDE_N, CF_I32, 1);
    fr_graph *negative = graph_of_edges(ctx, hiding[ACYCLIC].n, hiding[ACYCLIC].m,
                                        hiding[ACYCLIC].edges, FR_TYPE_I32, FR_DIRECTION_FILE);
    fr_strategy_info strategy = {0};
    (void)other;
    for (int i = 0; cf_strategy(FR_PROBLEM_BFS, i, &strategy); i++)
        endless(ctx, plain->graph, FR_PROBLEM_BFS, strategy.name, false);
    for (int i = 0; cf_strategy(FR_PROBLEM_SSSP, i, &strategy); i++) {
        endless(ctx, weighted->graph, FR_PROBLEM_SSSP, strategy.name, false);
        if (meets_hidden(&strategy))
            endless(ctx, negative, FR_PROBLEM_SSSP, strategy.name, true);
    }
    endless_queries(ctx, plain, zero);
    endless_calls(ctx, plain, weighted, wide);
    fr_graph_free(negative);
    cf_graph_free(plain);
    cf_graph_free(weighted);
    cf_graph_free(zero);
    cf_graph_free(wide);
    fr_ctx_free(ctx);
}

static const part parts[] = {{"endless", all_endless}, {"hidden", all_hidden}, {0}};

int main(int argc, char **argv) {
    const program p = {.what = "bounds of loops on the GPU",
                       .problem = FR_PROBLEM_APSP,
                       .devices = 2,
                       .parts = parts};
    return program_main(&p, argc, argv);
}
