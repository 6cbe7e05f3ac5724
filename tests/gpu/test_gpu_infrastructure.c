/* What all GPU strategies depend on: the memory estimate is exact to the byte and enforced, auto
 * falls back, a failing allocation leaks nothing (on the host), counters are right, kernels have
 * names, and two contexts share a device. Runs on the host (FRI_SIMT) and on a GPU. */
#include "base/base.h"
#include "core/gpu_interface.h"
#include "fringe_measures.h"
#include "gpu/harness.h"

#include <pthread.h>

enum { ROUNDS = ON_HOST ? 2 : 20 };

static fr_ctx *context(size_t max_gpu_bytes) {
    return context_new((fr_ctx_options){.threads = 1, .max_gpu_bytes = max_gpu_bytes});
}

static fr_graph *graph_of(fr_ctx *ctx, const char *description) {
    return graph_generate(ctx, description, (fr_load_options){0});
}

static fr_solver_options options_of(fr_problem problem, const fr_strategy_info *strategy) {
    const bool spans_devices = strcmp(strategy->name, "multi-device") == 0;
    return (fr_solver_options){
        .strategy = strategy->name,
        .backend = strategy->backend,
        .knobs = spans_devices ? "all=1" : NULL, /* else `auto` takes its place on one GPU */
        .unit_weights = problem != FR_PROBLEM_BFS,
    };
}

static const char *const graphs[] = {"kronecker:scale=6,seed=1", "directed"};

/* The same edges, also directed: bottom-up strategies then need the in-edges. */
static fr_graph *make(fr_ctx *ctx, int which) {
    return graph_generate(
        ctx, graphs[0],
        (fr_load_options){.direction = which ? FR_DIRECTION_DIRECTED : FR_DIRECTION_FILE});
}

static void solve_one(fr_ctx *ctx, fr_graph *graph, fr_problem problem, fr_solver *solver,
                      const fr_strategy_info *strategy) {
    const int32_t source = 1;
    const ask a = {.ctx = ctx,
                   .graph = graph,
                   .name = strategy->name,
                   .problem = problem,
                   .options = {.unit_weights = problem == FR_PROBLEM_SSSP},
                   .query = {.sources = &source, .source_count = 1}};
    solve_verified(&a, solver);
}

/* Rows that pull through one-way edges let the host make the in-edges then. */
static bool steps_back(fr_problem problem, const fr_strategy_info *strategy, int which) {
    return which == 1 && (fri_strategy_find(problem, FR_BACKEND_CUDA, strategy->name)->needs &
                          FRI_NEEDS_IN_EDGES);
}

/* What the host needs to cut rows for these, O(n + m) bytes for a time, is not planned. */
static bool cuts_rows(const fr_strategy_info *strategy) {
    return strcmp(strategy->name, "multi-device") == 0 || strcmp(strategy->name, "hier-queue") == 0;
}

/* Exactly the planned bytes are enough, one less is refused with the sum, nothing is kept. */
static void plan(fr_problem problem, const fr_strategy_info *strategy, int which) {
    fr_ctx *free_ctx = context(0);
    fr_graph *graph = make(free_ctx, which);
    const fr_solver_options options = options_of(problem, strategy);
    fr_memory_estimate bytes = {0};
    fr_solver *solver;
    CHECK(!fr_estimate_memory(free_ctx, graph, problem, &options, &bytes), "%s",
          fr_ctx_error(free_ctx));
    fr_ctx *enough = context(bytes.device), *less = context(bytes.device - 1);
    simt_peak_bytes();
    fr_status status = fr_solver_new(enough, graph, problem, &options, &solver);
    CHECK(!status, "%s: %s", strategy->name, fr_ctx_error(enough));
    if (!status) {
        solve_one(enough, graph, problem, solver, strategy);
        size_t peak = simt_peak_bytes();
        CHECK(fr_ctx_peak_bytes(enough) <= bytes.host || cuts_rows(strategy),
              "%s on %s: %zu bytes more on the host", strategy->name, graphs[which],
              fr_ctx_peak_bytes(enough) - bytes.host);
        CHECK(!ON_HOST || peak == bytes.device, "%s on %s: %zu bytes taken, %zu planned",
              strategy->name, graphs[which], peak, bytes.device);
    }
    fr_solver_free(status ? NULL : solver);
    if (strcmp(strategy->name, "auto") != 0 && !steps_back(problem, strategy, which)) {
        fri_size_text sum = fri_size(bytes.device);
        simt_peak_bytes();
        status = fr_solver_new(less, graph, problem, &options, &solver);
        CHECK(status == FR_NOMEM && strstr(fr_ctx_error(less), sum.text), "%s: %s: '%s'",
              strategy->name, fr_status_name(status), fr_ctx_error(less));
        CHECK(simt_peak_bytes() == simt_live_bytes(), "%s: refused, but memory was taken",
              strategy->name);
    }
    fr_graph_free(graph);
    fr_ctx_free(enough);
    fr_ctx_free(less);
    fr_ctx_free(free_ctx);
}

/* The bytes planned for a few rows are enough; with fewer there are fewer rows. */
static void plan_rows(const fr_strategy_info *strategy) {
    fr_ctx *free_ctx = context(0);
    fr_graph *graph = graph_generate(free_ctx, "path:n=3", (fr_load_options){0});
    fr_solver_options options = options_of(FR_PROBLEM_APSP, strategy);
    fr_memory_estimate bytes = {0};
    options.max_sources = 3;
    CHECK_OK(free_ctx, fr_estimate_memory(free_ctx, graph, FR_PROBLEM_APSP, &options, &bytes));
    fr_ctx *enough = context(bytes.device);
    fr_solver *solver = NULL;
    fr_status status = fr_solver_new(enough, graph, FR_PROBLEM_APSP, &options, &solver);
    CHECK(!status, "%s: %s", strategy->name, fr_ctx_error(enough));
    CHECK(fr_ctx_peak_bytes(enough) <= bytes.host, "%s: %zu bytes more on the host", strategy->name,
          fr_ctx_peak_bytes(enough) - bytes.host);
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(enough);
    fr_ctx_free(free_ctx);
}

static int64_t host_left = -1, host_blocks; /* allocations before one fails, -1: none does; held */
static void *alloc_block(void *user, size_t bytes) {
    (void)user;
    if (host_left >= 0 && host_left-- == 0)
        return NULL;
    host_blocks++;
    return malloc(bytes);
}
static void free_block(void *user, void *block) {
    (void)user;
    host_blocks -= block != NULL;
    free(block);
}

/* Allocation k of a context's first solver fails, on the device or the host: FR_NOMEM (`auto` may
 * step down instead, and each-sssp free a copy of the graph that SSSP `auto` made for others), and all that was taken before is given back, by the solver or with the
 * context. False: there are fewer than k. */
static bool failing(fr_ctx *other, fr_problem problem, const fr_strategy_info *strategy,
                    bool on_device, int64_t k) {
    const size_t live = simt_live_bytes(), pinned = simt_pinned_bytes();
    const int64_t blocks = host_blocks;
    fr_ctx *ctx =
        context_new((fr_ctx_options){.threads = 1, .alloc = alloc_block, .free = free_block});
    fr_graph *graph = make(other, 1);
    fr_solver_options options = options_of(problem, strategy);
    fr_solver *solver = NULL;
    host_left = on_device ? -1 : k;
    simt_fail_allocation(on_device ? k : -1);
    fr_status status = fr_solver_new(ctx, graph, problem, &options, &solver);
    const bool failed = on_device ? simt_fail_allocation(-1) < 0 : host_left < 0;
    host_left = -1;
    const bool goes_on = strcmp(strategy->name, "auto") == 0 ||
                         (on_device && strcmp(strategy->name, "each-sssp") == 0);
    CHECK(status == (failed ? FR_NOMEM : FR_OK) || (!status && goes_on), "%s: %s: %s",
          strategy->name, fr_status_name(status), fr_ctx_error(ctx));
    fr_solver_free(status ? NULL : solver);
    fr_graph_free(graph);
    CHECK(simt_live_bytes() == live, "%s: memory stays on the device", strategy->name);
    fr_ctx_free(ctx);
    CHECK(simt_pinned_bytes() == pinned && host_blocks == blocks,
          "%s: allocation %lld on the %s failed, and memory is kept", strategy->name, (long long)k,
          on_device ? "device" : "host");
    return failed;
}

/* On the host: a driver's allocations cannot be made to fail. */
static void all_failing(fr_ctx *ctx, fr_problem problem, const fr_strategy_info *strategy) {
    for (int on_device = 0; ON_HOST && on_device < 2; on_device++) {
        int64_t k = 0;
        while (k < 200 && failing(ctx, problem, strategy, on_device, k))
            k++;
        CHECK(k > 2 && k < 200, "%s: %lld allocations", strategy->name, (long long)k);
    }
}

/* auto with decreasing memory: a smaller strategy, then the CPU, always the right result and a
 * reason. Each has a graph of its own: no copy on the device that another strategy made. */
static void fall_back(fr_ctx *ctx, fr_problem problem, const fr_strategy_info *strategy) {
    static const char *const leanest[] = {"virtual-warp", "topology-bf"};
    fr_graph *graph = make(ctx, 0);
    const fr_solver_options options = options_of(problem, strategy);
    fr_solver_options lean = {.strategy = leanest[problem], .unit_weights = options.unit_weights};
    fr_memory_estimate all = {0}, small = {0};
    CHECK_OK(ctx, fr_estimate_memory(ctx, graph, problem, &options, &all));
    CHECK_OK(ctx, fr_estimate_memory(ctx, graph, problem, &lean, &small));
    fr_graph_free(graph);
    const struct {
        size_t bytes;
        const char *reason;
    } cases[] = {{all.device, ""}, {small.device, leanest[problem]}, {1000, "on the CPU: "}};
    for (int i = 0; i < COUNT(cases); i++) {
        fr_ctx *tight = context(cases[i].bytes);
        graph = make(ctx, 0);
        fr_solver *solver = solver_new(tight, graph, problem, options);
        solve_one(tight, graph, problem, solver, strategy);
        const char *why = solver ? fr_solver_explain(solver) : "no solver";
        CHECK(strncmp(why, cases[i].reason, strlen(cases[i].reason)) == 0,
              "auto with %zu bytes says '%s'", cases[i].bytes, why);
        fr_solver_free(solver);
        fr_ctx_free(tight);
        fr_graph_free(graph);
    }
}

static fr_stats counted(fr_ctx *ctx, fr_graph *graph, const char *strategy, const char *knobs,
                        int32_t source) {
    const ask a = {
        .ctx = ctx,
        .graph = graph,
        .name = "counters",
        .problem = FR_PROBLEM_BFS,
        .options = {.strategy = strategy, .knobs = knobs, .counters = true, .record_levels = true},
        .query = {.sources = &source, .source_count = 1}};
    fr_solver *solver = solver_new(ctx, graph, a.problem, a.options);
    const fr_stats stats = solve_verified(&a, solver);
    int kernels = 0;
    const fr_kernel *k = solver ? fr_solver_kernels(solver, &kernels) : NULL;
    bool named = strcmp(strategy, "queue") != 0;
    for (int i = 0; i < kernels; i++) {
        named |= strcmp(k[i].name, "queue_kernel") == 0 && k[i].block == 256 &&
                 k[i].launches == stats.levels + 1;
        CHECK(k[i].occupancy > 0 && k[i].occupancy <= 1, "%s: %g", k[i].name, k[i].occupancy);
    }
    CHECK(named, "queue_kernel is not among %d kernels", kernels);
    fr_solver_free(solver);
    return stats;
}

static void is_count(const fr_stats *s, fr_counter counter, int64_t want) {
    CHECK(s->counters[counter] == want, "%s: %lld, not %lld", fr_counter_name(counter),
          (long long)s->counters[counter], (long long)want);
}

/* Known sums: a path's claims never meet, so every vertex but the source costs two atomics. */
static void counts(fr_ctx *ctx) {
    const uint32_t claims = 1u << FR_COUNTER_EDGES | 1u << FR_COUNTER_ENQUEUES |
                            1u << FR_COUNTER_ATOMICS | 1u << FR_COUNTER_DUPLICATES_FOUND;
    fr_graph *path = graph_of(ctx, "grid2d:rows=1,cols=50");
    const fr_stats queue = counted(ctx, path, "queue", NULL, 0),
                   simple = counted(ctx, path, "simple", NULL, 25),
                   blind = counted(ctx, path, "hier-queue", NULL, 0),
                   after = counted(ctx, path, "hier-queue", "blind_claim_max=0", 0);
    CHECK(queue.counter_mask == claims, "bits %x", queue.counter_mask);
    is_count(&queue, FR_COUNTER_EDGES, 98);
    is_count(&queue, FR_COUNTER_ENQUEUES, 49);
    is_count(&queue, FR_COUNTER_ATOMICS, 98);
    is_count(&queue, FR_COUNTER_DUPLICATES_FOUND, 0);
    is_count(&simple, FR_COUNTER_EDGES, 98);
    CHECK(!(simple.counter_mask >> FR_COUNTER_ENQUEUES & 1), "simple has no queue");
    is_count(&blind, FR_COUNTER_ATOMICS,
             after.counters[FR_COUNTER_ATOMICS] + 49); /* each edge back */
    fr_graph_free(path);
}

/* A build whose kernels do not count refuses, and says how to get one; the CPU counts anyway. */
static void refuse_counts(fr_ctx *ctx) {
    fr_graph *path = graph_of(ctx, "grid2d:rows=1,cols=50");
    for (fr_problem p = FR_PROBLEM_BFS; p <= FR_PROBLEM_APSP; p++) {
        fr_solver_options options = {.backend = FR_BACKEND_CUDA, .counters = true};
        fr_solver *solver = NULL;
        CHECK_REFUSED(ctx, fr_solver_new(ctx, path, p, &options, &solver), FR_UNSUPPORTED,
                      "`make counting`");
        options.backend = FR_BACKEND_CPU;
        fr_solver_free(solver_new(ctx, path, p, options));
    }
    fr_graph_free(path);
}

/* FR_BACKEND_ANY takes the CPU where the GPU would refuse: here for counters. So many queries that
 * the GPU is predicted to be faster. */
static void any_counts_somewhere(fr_ctx *ctx) {
    fr_graph *graph = graph_of(ctx, "grid2d:rows=200,cols=200");
    fr_solver *solver;
    const fr_solver_options options = {.counters = true, .expected_queries = 100000000};
    CHECK_OK(ctx, fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver));
    fr_solver_free(solver);
    fr_graph_free(graph);
}

/* One of two contexts on the device at once, with a graph and two solvers of its own. */
typedef struct user_of_gpu {
    fr_problem problem;
    fr_strategy_info strategy;
    const char *graph;
} user_of_gpu;

static void *visit(void *arg) {
    const user_of_gpu *who = arg;
    fr_ctx *ctx = context(0);
    fr_graph *graph = graph_of(ctx, who->graph);
    const fr_solver_options options = options_of(who->problem, &who->strategy);
    fr_solver *a = solver_new(ctx, graph, who->problem, options),
              *b = solver_new(ctx, graph, who->problem, options);
    for (int i = 0; i < ROUNDS && a && b; i++) {
        solve_one(ctx, graph, who->problem, a, &who->strategy);
        solve_one(ctx, graph, who->problem, b, &who->strategy);
    }
    fr_solver_free(a);
    fr_solver_free(b);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    return NULL;
}

/* Two graphs in two contexts: on a GPU at once, a thread for each; the host's executor runs one
 * launch at a time. */
static void side_by_side(user_of_gpu *first, user_of_gpu *second) {
    pthread_t thread;
    first->graph = ON_HOST ? "kronecker:scale=6,seed=1" : "kronecker:scale=14,seed=1";
    second->graph = ON_HOST ? "grid2d:rows=4,cols=9" : "grid2d:rows=60,cols=200";
    if (ON_HOST)
        visit(first);
    else if (pthread_create(&thread, NULL, visit, first))
        cf_give_up(NULL, "a thread");
    visit(second);
    if (!ON_HOST)
        pthread_join(thread, NULL);
}

/* Each strategy runs concurrently with itself and with the one before it, and BFS with SSSP
 * where their lists meet. */
static void together(fr_ctx *ctx) {
    (void)ctx;
    user_of_gpu last = {.strategy = {.name = NULL}};
    for (int p = FR_PROBLEM_BFS; p <= FR_PROBLEM_SSSP; p++) {
        user_of_gpu first = {.problem = (fr_problem)p};
        for (int r = 0; cf_strategy(first.problem, r, &first.strategy); r++) {
            user_of_gpu same = first;
            side_by_side(&first, &same);
            if (last.strategy.name)
                side_by_side(&first, &last);
            last = first;
        }
    }
}

/* Estimates are exact, and `auto` falls back; every allocation of a first solver may fail. */
static void memory(fr_ctx *ctx) {
    fr_strategy_info strategy = {0};
    for (int p = FR_PROBLEM_BFS; p <= FR_PROBLEM_APSP; p++)
        for (int r = 0; cf_strategy((fr_problem)p, r, &strategy); r++) {
            for (int which = 0; which < 2 && p != FR_PROBLEM_APSP; which++)
                plan((fr_problem)p, &strategy, which);
            if (p == FR_PROBLEM_APSP)
                plan_rows(&strategy);
            if (strcmp(strategy.name, "auto") == 0 && p != FR_PROBLEM_APSP)
                fall_back(ctx, (fr_problem)p, &strategy);
            all_failing(ctx, (fr_problem)p, &strategy);
        }
}

/* Whether the strategy, or closeness if there is none, fits a limit of the GPU's memory. */
static bool fits(const fr_graph *graph, fr_problem problem, const fr_strategy_info *strategy,
                 size_t limit) {
    double score[90];
    fr_ctx *ctx = context(limit);
    fr_solver *solver = NULL;
    const fr_solver_options options =
        strategy ? options_of(problem, strategy) : (fr_solver_options){0};
    const fr_status status = strategy ? fr_solver_new(ctx, graph, problem, &options, &solver)
                                      : fr_closeness(ctx, graph, true, FR_BACKEND_CUDA, score);
    CHECK(!status || status == FR_NOMEM, "%s", fr_ctx_error(ctx));
    fr_solver_free(solver);
    fr_ctx_free(ctx);
    return !status;
}

/* What fits a limit fits a larger one, also where a copy of the graph is on the GPU that no solver uses. */
static void larger_limits(fr_ctx *ctx) {
    for (int p = FR_PROBLEM_BFS; p <= FR_PROBLEM_COUNT; p++)
        for (int r = 0;; r++) {
            fr_strategy_info strategy = {0};
            const bool named = p < FR_PROBLEM_COUNT;
            if (named ? !cf_strategy((fr_problem)p, r, &strategy) : r > 0)
                break;
            fr_graph *graph =
                graph_weighted(ctx, "uniform:n=90,edges=300,seed=3", 0, named ? 9 : 0);
            bool does = false;
            fr_solver_free(solver_new(ctx, graph, FR_PROBLEM_BFS, (fr_solver_options){0}));
            /* closeness: around the bytes of 512 sources at once in place of 64 */
            size_t limit = named ? 3000 : 36000;
            for (; limit < (named ? 300000 : 64000); limit += limit / (named ? 4 : 16)) {
                const bool now = fits(graph, (fr_problem)p, named ? &strategy : NULL, limit);
                CHECK(now || !does, "%s does not fit %zu bytes",
                      named ? strategy.name : "closeness", limit);
                does |= now;
            }
            fr_graph_free(graph);
        }
}

static void counters(fr_ctx *ctx) {
    if (fri_gpu_kernels_count())
        counts(ctx);
    else
        refuse_counts(ctx);
    any_counts_somewhere(ctx);
}

static const part parts[] = {{"memory", memory},
                             {"larger-limits", larger_limits},
                             {"counters", counters},
                             {"together", together},
                             {0}};

int main(int argc, char **argv) {
    const program p = {.what = "the infrastructure of the GPU strategies",
                       .problem = FR_PROBLEM_BFS,
                       .parts = parts};
    return program_main(&p, argc, argv);
}
