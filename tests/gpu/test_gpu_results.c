/* How results reach the caller: arrays around the sizes
 * of pieces, new, page-locked and device memory, arrays that were not asked for, and the order of a
 * caller's stream. Every answer is compared with that of the CPU. Runs on the host (FRI_SIMT) and on a
 * GPU, where a producer writes the arrays on the caller's stream right before the query, and a
 * consumer reads them on another one right after. FRINGE_REDUCED=N: fewer and smaller graphs, for a
 * tool that slows a kernel down. */
#include "conformance/choose.h"
#include "cuda/device/results/pinned.h"
#include "cuda/device/results/results.h"
#include "fringe.h"
#include "gpu/gpu_check.h"
#include "gpu/gpu_host.h"
#include "gpu/result_arrays.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef FRI_SIMT
static void simt_hold(cudaStream_t stream) { (void)stream; }
typedef enum simt_failure { SIMT_REFUSED, SIMT_LOST } simt_failure;
static bool simt_fail_launch(const char *kernel, simt_failure how) {
    return (void)kernel, (void)how, true;
}
#endif

/* ---- one query --------------------------------------------------------------------------- */

typedef struct task {
    fr_ctx *ctx;
    const fr_graph *graph;
    fr_problem problem;
    fr_solver_options options;
    fr_query query;
    const char *name;
} task;

static size_t value_size(const task *t, const fr_solver *solver) {
    return t->problem == FR_PROBLEM_BFS ? sizeof(int32_t)
                                        : fr_type_size(fr_solver_dist_type(solver));
}

static fr_status solve(const task *t, fr_solver *solver, const fr_query *query, void *value,
                       int32_t *parent, fr_stats *stats) {
    fr_result result = {.level = t->problem == FR_PROBLEM_BFS ? value : NULL,
                        .dist = t->problem == FR_PROBLEM_BFS ? NULL : value,
                        .parent = parent};
    (void)t;
    fr_status status = fr_solve(solver, query, &result);
    *stats = result.stats;
    return status;
}

/* Copies on a stream of its own: fr_solve has returned, so nothing is waited for. */
static void read_back(const array *a, void *to) {
    cudaStream_t consumer;
    must(cudaStreamCreateWithFlags(&consumer, cudaStreamNonBlocking), "a stream");
    must(cudaMemcpyAsync(to, a->at, a->bytes, cudaMemcpyDefault, consumer), "reading back");
    must(cudaStreamSynchronize(consumer), "reading back");
    must(cudaStreamDestroy(consumer), "a stream");
}

/* Keeps the stream busy writing garbage. */
static void produce(const array *a, cudaStream_t stream) {
    for (int i = 0; i < (ON_HOST ? 1 : 50); i++)
        must(cudaMemsetAsync(a->at, 0x77 + i % 2, a->bytes, stream), "producing");
}

typedef struct answer {
    fr_status status;
    fr_stats stats;
    void *value;
    int32_t *parent;
} answer;

static answer reference(const task *t, size_t *size) {
    fr_solver_options options = t->options;
    answer a = {0};
    int32_t n = fr_graph_vertex_count(t->graph);
    fr_solver *solver;
    options.strategy = NULL;
    options.backend = FR_BACKEND_CPU;
    if (fr_solver_new(t->ctx, t->graph, t->problem, &options, &solver))
        cf_give_up(t->ctx, t->name);
    *size = value_size(t, solver);
    a.value = malloc((size_t)n * *size);
    a.parent = malloc((size_t)n * sizeof *a.parent);
    a.status = solve(t, solver, &t->query, a.value, a.parent, &a.stats);
    fr_solver_free(solver);
    return a;
}

static void check_stats(const task *t, const answer *want, const fr_stats *got, const char *where) {
    CHECK(got->reached == want->stats.reached && got->reached_edges == want->stats.reached_edges,
          "%s, %s, %s: reached %lld and %lld edges, should be %lld and %lld", t->name,
          t->options.strategy, where, (long long)got->reached, (long long)got->reached_edges,
          (long long)want->stats.reached, (long long)want->stats.reached_edges);
    CHECK(got->call_ns > 0, "%s: call_ns", t->name);
}

/* With value and parents, the value alone, parents alone, and none. */
static void check_place(const task *t, fr_solver *solver, const answer *want, size_t size,
                        place where, int asked) {
    const size_t n = (size_t)fr_graph_vertex_count(t->graph);
    array value = array_new(where, n * size, size), parent = array_new(where, n * 4, 4);
    void *got = malloc(n * size);
    int32_t *got_parent = malloc(n * 4);
    cudaStream_t stream = NULL;
    fr_query query = t->query;
    fr_stats stats;
    if (on_device(where)) {
        query.result_memory = FR_MEMORY_DEVICE;
        must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
        simt_hold(stream);
        query.stream = stream;
        produce(&value, stream);
        produce(&parent, stream);
    }
    fr_status status = solve(t, solver, &query, asked & 1 ? value.at : NULL,
                             asked & 2 ? (int32_t *)(void *)parent.at : NULL, &stats);
    CHECK(status == want->status, "%s, %s, %s: %s: %s", t->name, t->options.strategy,
          place_names[where], fr_status_name(status), fr_ctx_error(t->ctx));
    read_back(&value, got);
    read_back(&parent, got_parent);
    if (status == want->status) {
        CHECK(!(asked & 1) || memcmp(got, want->value, n * size) == 0, "%s, %s, %s: values",
              t->name, t->options.strategy, place_names[where]);
        CHECK(!(asked & 2) || memcmp(got_parent, want->parent, n * 4) == 0, "%s, %s, %s: parents",
              t->name, t->options.strategy, place_names[where]);
        check_stats(t, want, &stats, place_names[where]);
    }
    if (stream)
        must(cudaStreamDestroy(stream), "a stream");
    array_free(&value);
    array_free(&parent);
    free(got);
    free(got_parent);
}

static void check_strategy(task *t, const answer *want, size_t size, const char *strategy) {
    static const int threads[] = {1, 16};
    t->options.strategy = strategy;
    t->options.backend = FR_BACKEND_CUDA;
    for (int i = 0; i < 2; i++) {
        fr_solver *solver;
        if (fr_ctx_set_threads(t->ctx, threads[i]) ||
            fr_solver_new(t->ctx, t->graph, t->problem, &t->options, &solver)) {
            CHECK(false, "%s, %s: %s", t->name, strategy, fr_ctx_error(t->ctx));
            continue;
        }
        for (int where = 0; where < PLACES; where++)
            check_place(t, solver, want, size, (place)where, 3 - i);
        check_place(t, solver, want, size, PAGEABLE, i);
        check_place(t, solver, want, size, DEVICE, i);
        fr_solver_free(solver);
    }
}

static void check_task(task t, const char *const *strategies) {
    size_t size;
    answer want = reference(&t, &size);
    for (; *strategies; strategies++)
        check_strategy(&t, &want, size, *strategies);
    free(want.value);
    free(want.parent);
}

/* ---- graphs ------------------------------------------------------------------------------ */

/* A directed path of `edges` edges, then three vertices that it does not reach. The weights, if any,
 * are `weight`; the last edge has `last`. */
static fr_graph *path(fr_ctx *ctx, int32_t edges, fr_type type, double weight, double last) {
    int32_t *from = malloc((size_t)edges * 4), *to = malloc((size_t)edges * 4);
    void *weights = malloc((size_t)edges * 8);
    fr_load_options directed = {.direction = FR_DIRECTION_DIRECTED};
    fr_graph *graph;
    for (int32_t e = 0; e < edges; e++) {
        double w = e + 1 == edges ? last : weight;
        from[e] = e;
        to[e] = e + 1;
        if (type == FR_TYPE_I32)
            ((int32_t *)weights)[e] = (int32_t)w;
        else if (type == FR_TYPE_I64)
            ((int64_t *)weights)[e] = (int64_t)w;
        else if (type == FR_TYPE_F32)
            ((float *)weights)[e] = (float)w;
        else
            ((double *)weights)[e] = w;
    }
    if (fr_graph_from_edges(ctx, edges + 4, edges, from, to, type ? weights : NULL, type, &directed,
                            &graph))
        cf_give_up(ctx, "a path");
    free(from);
    free(to);
    free(weights);
    return graph;
}

static const int32_t first_vertex = 0;
static const fr_query from_first = {
    .sources = &first_vertex, .source_count = 1, .parent_rule = FR_PARENT_MIN_ID};

static void levels(fr_ctx *ctx) {
    static const char *const strategies[] = {"auto", "queue", "xbfs", NULL}, *const one[] = {"auto",
                                                                                             NULL};
    /* 1 and 2 bytes a level, and array lengths round a piece and the small size on the host */
    static const int32_t lengths[] = {1, 60, 124, 125, 126, 127, 128, 300, 40000};
    for (int i = 0; i < (ON_HOST ? 8 : 9); i += cf_reduced() ? 6 : 1) {
        char name[40];
        snprintf(name, sizeof name, "levels of a path of %d", lengths[i]);
        fr_graph *graph = path(ctx, lengths[i], FR_TYPE_NONE, 0, 0);
        task t = {ctx, graph, FR_PROBLEM_BFS, {0}, from_first, name};
        check_task(t, i == 3 || i == 6 ? strategies : one);
        t.query.max_level = 3;
        check_task(t, one);
        fr_graph_free(graph);
    }
}

static void distances(fr_ctx *ctx) {
    static const char *const strategies[] = {"auto", "near-far", NULL}, *const hbf[] = {"hbf",
                                                                                        NULL};
    static const struct {
        fr_type type;
        double weight, last;
    } cases[] = {
        {FR_TYPE_I32, 1, 1},        {FR_TYPE_I32, 100, 1},       {FR_TYPE_I32, 100, 1e6},
        {FR_TYPE_I64, 1, 1},        {FR_TYPE_I64, 100, 1},       {FR_TYPE_I64, 100, 1e6},
        {FR_TYPE_I64, 1, 0x1p40},   {FR_TYPE_F32, 0.5, 3},       {FR_TYPE_F64, 0.5, 3e100},
        {FR_TYPE_I32, -1, 5},       {FR_TYPE_I32, -200, 100000}, {FR_TYPE_I64, -1, 5},
        {FR_TYPE_I64, -1, -0x1p40}, {FR_TYPE_F32, -0.5, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += cf_reduced() ? 7 : 1) {
        char name[60];
        snprintf(name, sizeof name, "%s weights %g, last %g", fr_type_name(cases[i].type),
                 cases[i].weight, cases[i].last);
        fr_graph *graph =
            path(ctx, ON_HOST ? 40 : 100, cases[i].type, cases[i].weight, cases[i].last);
        task t = {ctx, graph, FR_PROBLEM_SSSP, {0}, from_first, name};
        check_task(t, cases[i].weight < 0 ? hbf : strategies);
        t.query.max_distance = 20;
        if (!(cases[i].weight < 0))
            check_task(t, strategies);
        fr_graph_free(graph);
    }
}

/* What a negative cycle reaches is at minus infinity; sums of int64 leave their type, so that the
 * CPU solves the query again. */
static void negative_cycles(fr_ctx *ctx) {
    static const char *const hbf[] = {"hbf", NULL};
    static const int32_t from[] = {0, 1, 2, 2, 4}, to[] = {1, 2, 1, 3, 5};
    static const double weights[] = {5, -0x1p62, -0x1p62, 7, 1};
    fr_load_options directed = {.direction = FR_DIRECTION_DIRECTED};
    for (int wide = 0; wide < 2; wide++) {
        int32_t narrow[5];
        int64_t whole[5];
        fr_graph *graph;
        for (int i = 0; i < 5; i++) {
            whole[i] = (int64_t)weights[i];
            narrow[i] = whole[i] < 0 ? -3 : (int32_t)whole[i];
        }
        if (fr_graph_from_edges(ctx, 200, 5, from, to, wide ? (void *)whole : (void *)narrow,
                                wide ? FR_TYPE_I64 : FR_TYPE_I32, &directed, &graph))
            cf_give_up(ctx, "a graph with a negative cycle");
        task t = {ctx, graph, FR_PROBLEM_SSSP, {0}, from_first, wide ? "int64 cycle" : "cycle"};
        t.query.mark_negative_cycles = true;
        check_task(t, hbf);
        fr_graph_free(graph);
    }
}

static void larger(fr_ctx *ctx) {
    static const char *const bfs[] = {"auto", "queue", NULL}, *const sssp[] = {"auto", NULL};
    fr_load_options weights = {
        .weights = FR_WEIGHTS_RANDOM, .weight_low = 1, .weight_high = 255, .seed = 1};
    const bool small = ON_HOST || cf_reduced();
    const char *spec = small ? "kronecker:scale=9,seed=1" : "kronecker:scale=20,seed=1";
    fr_graph *graph;
    if (fr_graph_generate(ctx, spec, &weights, &graph))
        cf_give_up(ctx, spec);
    task t = {ctx, graph, FR_PROBLEM_BFS, {0}, from_first, "levels of a kronecker graph"};
    check_task(t, bfs);
    t.problem = FR_PROBLEM_SSSP;
    t.name = "distances of a kronecker graph";
    check_task(t, sssp);
    t.options.dist_type = FR_TYPE_I64;
    check_task(t, sssp);
    fr_graph_free(graph);
}

/* ---- pieces and rounds ------------------------------------------------------------------- */

/* Vertex v is the parent of d v + 1 to d v + d; the last three vertices are not reached. */
static fr_graph *tree(fr_ctx *ctx, int32_t n, int32_t d) {
    const int32_t edges = n - 4;
    int32_t *from = malloc((size_t)edges * 4), *to = malloc((size_t)edges * 4);
    fr_load_options directed = {.direction = FR_DIRECTION_DIRECTED};
    fr_graph *graph;
    for (int32_t e = 0; e < edges; e++) {
        from[e] = e / d;
        to[e] = e + 1;
    }
    if (fr_graph_from_edges(ctx, n, edges, from, to, NULL, FR_TYPE_NONE, &directed, &graph))
        cf_give_up(ctx, "a tree");
    free(from);
    free(to);
    return graph;
}

/* Levels with parents, parents alone, and levels alone. A vertex has one parent whatever the rule, and
 * without a rule pieces follow the traversal's last launch. */
static void check_tree(fr_ctx *ctx, int32_t n, int threads) {
    char name[40];
    snprintf(name, sizeof name, "a tree of %d", n);
    fr_graph *graph = tree(ctx, n, 50);
    const fr_query any_parent = {.sources = &first_vertex, .source_count = 1};
    task t = {ctx, graph, FR_PROBLEM_BFS, {0}, any_parent, name};
    size_t size;
    answer want = reference(&t, &size);
    fr_solver *solver;
    t.options.strategy = "auto";
    t.options.backend = FR_BACKEND_CUDA;
    if (fr_ctx_set_threads(ctx, threads) ||
        fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &t.options, &solver))
        cf_give_up(ctx, name);
    for (int asked = 3; asked > 0; asked--)
        for (place where = PAGEABLE; where <= UNTOUCHED; where++)
            check_place(&t, solver, &want, size, where, asked);
    fr_solver_free(solver);
    free(want.value);
    free(want.parent);
    fr_graph_free(graph);
}

/* Whole units, at most FRI_MAX_PIECE, and no more than the first of FRI_STAGE_WAVES turns, rounded up. */
static void piece_sizes(void) {
    int64_t before = 0;
    for (int64_t values = 1; values < INT64_C(1) << 32; values += values / 3 + 1) {
        const int64_t piece = fri_stage_piece(values), turn = piece * FRI_STAGE_BLOCKS;
        CHECK(piece > 0 && piece % FRI_PIECE_UNIT == 0 && piece <= FRI_MAX_PIECE && piece >= before,
              "%lld values: pieces of %lld", (long long)values, (long long)piece);
        CHECK(turn <= values / FRI_STAGE_WAVES + FRI_PIECE_UNIT * FRI_STAGE_BLOCKS,
              "%lld values: %lld in a turn", (long long)values, (long long)turn);
        before = piece;
    }
    CHECK(before == FRI_MAX_PIECE, "no pieces of %d", FRI_MAX_PIECE);
}

/* A piece has at most 64 values on the host and 16,384 on a GPU. The page-locked memory holds 768 such
 * pieces of one byte a value, or 192 of four; what exceeds it reuses it in quarters. */
static void pieces(fr_ctx *ctx) {
    const int32_t piece = ON_HOST ? 64 : 16384;
    static const int32_t counts[] = {3, 4, 153, 192, 400};
    for (int i = 0; i < (cf_reduced() ? 1 : 5); i++)
        for (int32_t more = -1; more <= (cf_reduced() ? -1 : 1); more++)
            check_tree(ctx, counts[i] * piece + more, i % 2 ? 1 : 16);
}

/* The kernel that delivers does not start, or stops without setting a flag: that behind the traversal,
 * or, with the smallest parents, the one that the host launches. */
static void lost_launch(fr_ctx *ctx, simt_failure how, int threads, bool behind) {
    const fr_query query = {.sources = &first_vertex,
                            .source_count = 1,
                            .parent_rule = behind ? FR_PARENT_ANY : FR_PARENT_MIN_ID};
    static int32_t level[1000], parent[1000];
    fr_graph *graph = tree(ctx, 1000, 50);
    fr_solver_options options = {.backend = FR_BACKEND_CUDA};
    fr_result result = {.level = level, .parent = parent};
    fr_solver *solver;
    if (fr_ctx_set_threads(ctx, threads) ||
        fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver))
        cf_give_up(ctx, "a tree");
    memset(parent, 0x5a, sizeof parent); /* arrays without pages go another way */
    for (int again = 0; again < 2; again++) {
        memset(level, 0x5a, sizeof level);
        simt_fail_launch(behind ? "stage_end_kernel" : "stage_kernel", how);
        fr_status status = fr_solve(solver, &query, &result);
        CHECK(status == FR_DEVICE &&
                  strstr(fr_ctx_error(ctx), how == SIMT_LOST ? "downloading" : "launching"),
              "a lost launch: %s: %s", fr_status_name(status), fr_ctx_error(ctx));
        CHECK(simt_fail_launch(NULL, how), "no launch was lost");
        CHECK(level[0] == 0x5a5a5a5a, "a piece without its flag was delivered: %d", level[0]);
        status = fr_solve(solver, &query, &result);
        CHECK(!status && level[996] == 2 && parent[996] == 19 && level[997] == -1,
              "after a lost launch: %s", fr_ctx_error(ctx));
    }
    fr_solver_free(solver);
    fr_graph_free(graph);
}

static void lost_launches(fr_ctx *ctx) {
    for (int how = SIMT_REFUSED; how <= SIMT_LOST; how++) {
        for (int behind = 0; behind < 2; behind++) {
            lost_launch(ctx, (simt_failure)how, 1, behind);
            lost_launch(ctx, (simt_failure)how, 16, behind);
        }
    }
}

/* ---- a query that is cancelled ----------------------------------------------------------- */

static int stop_traversing(void *user, const char *phase, int64_t done, int64_t total) {
    (void)done, (void)total;
    return *(const bool *)user && strcmp(phase, "traversing") == 0;
}

/* Before its first level, whose launch is under way already: the next query has its own arrays. */
static void cancelled(void) {
    static int32_t level[1000];
    bool stops = true;
    const fr_ctx_options how = {
        .threads = 16, .progress = stop_traversing, .progress_user = &stops};
    const fr_solver_options options = {.strategy = "auto", .backend = FR_BACKEND_CUDA};
    const fr_query query = {.sources = &first_vertex, .source_count = 1};
    fr_result result = {.level = level};
    fr_ctx *ctx;
    fr_solver *solver;
    if (fr_ctx_new(&how, &ctx))
        cf_give_up(NULL, "a context");
    fr_graph *graph = tree(ctx, 1000, 50);
    if (fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver))
        cf_give_up(ctx, "a tree");
    for (int again = 0; again < 3; again++) {
        stops = true;
        CHECK(fr_solve(solver, &query, &result) == FR_CANCELLED, "%s", fr_ctx_error(ctx));
        memset(level, 0x5a, sizeof level);
        stops = false;
        fr_status status = fr_solve(solver, &query, &result);
        CHECK(!status && level[0] == 0 && level[996] == 2 && level[997] == -1 &&
                  result.stats.reached == 997,
              "after a cancelled query: %s", fr_ctx_error(ctx));
    }
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

/* ---- a frontier that leaves shared memory ------------------------------------------------ */

/* The 8,000 vertices of level 3 do not fit into the shared memory of one block, and the edges of the
 * rows that are dropped there are not known: all edges are counted at the end. */
static void overflow(fr_ctx *ctx) {
    const int32_t n = 20000;
    fr_graph *graph = tree(ctx, n, 20);
    fr_solver_options options = {.strategy = "auto",
                                 .backend = FR_BACKEND_CUDA,
                                 .knobs = "cluster=1,disable=aggregated-claims"};
    fr_result result = {0};
    fr_solver *solver;
    if (fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver) ||
        fr_solve(solver, &from_first, &result))
        cf_give_up(ctx, "a tree");
    CHECK(result.stats.reached == n - 3 && result.stats.reached_edges == n - 4,
          "a tree of %d: reached %lld and %lld edges", n, (long long)result.stats.reached,
          (long long)result.stats.reached_edges);
    fr_solver_free(solver);
    fr_graph_free(graph);
}

/* ---- refusals ---------------------------------------------------------------------------- */

static void refused(fr_ctx *ctx, const fr_graph *graph, fr_backend backend, fr_query query,
                    int32_t *level, fr_status want, const char *words) {
    fr_solver_options options = {.backend = backend};
    fr_result result = {.level = level};
    fr_solver *solver;
    if (fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver))
        cf_give_up(ctx, words);
    fr_status status = fr_solve(solver, &query, &result);
    CHECK(status == want && strstr(fr_ctx_error(ctx), words), "%s: %s: %s", words,
          fr_status_name(status), fr_ctx_error(ctx));
    fr_solver_free(solver);
}

static void refusals(fr_ctx *ctx) {
    fr_graph *graph = path(ctx, 40, FR_TYPE_NONE, 0, 0);
    array host = array_new(PAGEABLE, 44 * 4, 4), pinned = array_new(PINNED, 44 * 4, 4),
          device = array_new(DEVICE, 44 * 4, 4), shorter = array_new(DEVICE, 20 * 4, 4);
    int32_t *in_host = (int32_t *)(void *)host.at, *on_gpu = (int32_t *)(void *)device.at;
    fr_query plain = from_first, to_gpu = from_first, odd = from_first, streamed = from_first;
    to_gpu.result_memory = FR_MEMORY_DEVICE;
    odd.result_memory = (fr_memory)7;
    streamed.stream = &plain;
    refused(ctx, graph, FR_BACKEND_CUDA, plain, on_gpu, FR_INVALID, "is in GPU memory");
    refused(ctx, graph, FR_BACKEND_CUDA, to_gpu, in_host, FR_INVALID, "not in memory of GPU 0");
    refused(ctx, graph, FR_BACKEND_CUDA, to_gpu, (int32_t *)(void *)pinned.at, FR_INVALID,
            "not in memory of GPU 0");
    if (ON_HOST) /* a GPU's allocations are larger than asked for */
        refused(ctx, graph, FR_BACKEND_CUDA, to_gpu, (int32_t *)(void *)shorter.at, FR_INVALID,
                "not in memory of GPU 0");
    refused(ctx, graph, FR_BACKEND_CUDA, odd, in_host, FR_INVALID, "result_memory must be");
    refused(ctx, graph, FR_BACKEND_CUDA, streamed, in_host, FR_INVALID, "stream needs");
    refused(ctx, graph, FR_BACKEND_CPU, to_gpu, on_gpu, FR_UNSUPPORTED, "runs on the CPU");
    array_free(&host);
    array_free(&pinned);
    array_free(&device);
    array_free(&shorter);
    fr_graph_free(graph);
}

/* ---- all pairs --------------------------------------------------------------------------- */

static fr_status all_pairs(fr_ctx *ctx, const fr_graph *graph, const char *strategy,
                           fr_memory memory, void *dist, int32_t *parent) {
    fr_solver_options options = {.strategy = strategy, .backend = FR_BACKEND_CUDA};
    fr_query query = {.result_memory = memory};
    fr_result result = {.dist = dist, .parent = parent};
    fr_solver *solver;
    if (fr_solver_new(ctx, graph, FR_PROBLEM_APSP, &options, &solver))
        cf_give_up(ctx, strategy);
    fr_status status = fr_solve(solver, &query, &result);
    fr_solver_free(solver);
    return status;
}

static void rows(fr_ctx *ctx) {
    static const char *const strategies[] = {"floyd-warshall", "multi-bfs", NULL};
    fr_graph *graph = path(ctx, 30, FR_TYPE_NONE, 0, 0);
    const size_t bytes = 34 * 34 * 4;
    for (int i = 0; strategies[i]; i++) {
        array device = array_new(DEVICE, bytes, 4), host = array_new(PAGEABLE, bytes, 4);
        int32_t *got = malloc(bytes);
        fr_status status = all_pairs(ctx, graph, strategies[i], FR_MEMORY_DEVICE, device.at, NULL);
        CHECK(!status, "%s: %s", strategies[i], fr_ctx_error(ctx));
        status = all_pairs(ctx, graph, strategies[i], FR_MEMORY_HOST, host.at, NULL);
        CHECK(!status, "%s: %s", strategies[i], fr_ctx_error(ctx));
        read_back(&device, got);
        CHECK(memcmp(got, host.at, bytes) == 0, "%s: rows on the device", strategies[i]);
        CHECK(got[33 * 34 + 33] == 0 && got[3 * 34 + 9] == 6, "%s: rows", strategies[i]);
        status = all_pairs(ctx, graph, strategies[i], FR_MEMORY_DEVICE, device.at, got);
        CHECK(status == FR_UNSUPPORTED && strstr(fr_ctx_error(ctx), "parents of APSP"), "%s: %s",
              strategies[i], fr_ctx_error(ctx));
        array_free(&device);
        array_free(&host);
        free(got);
    }
    fr_graph_free(graph);
}

/* ---- devices ----------------------------------------------------------------------------- */

static void devices(fr_ctx *ctx) {
    fr_device_info info = FR_INIT(fr_device_info);
    int count = 0, before = 0, after = -1;
    CHECK(!fr_device_count(ctx, &count) && count > 0, "%d: %s", count, fr_ctx_error(ctx));
    must(cudaGetDevice(&before), "the current device");
    for (int i = 0; i < count; i++) {
        CHECK(!fr_device_get(ctx, i, &info), "%s", fr_ctx_error(ctx));
        CHECK(info.name[0] && info.compute_capability >= 70 && info.multiprocessors > 0 &&
                  info.free_bytes > 0 && info.free_bytes <= info.total_bytes,
              "%s", info.name);
    }
    must(cudaGetDevice(&after), "the current device");
    CHECK(before == after, "the current device changed from %d to %d", before, after);
    CHECK(fr_device_get(ctx, count, &info) == FR_NO_DEVICE, "%s", fr_ctx_error(ctx));
    CHECK(fr_device_get(ctx, -1, &info) == FR_NO_DEVICE, "%s", fr_ctx_error(ctx));
}

int main(void) {
    fr_ctx *ctx;
    cf_backend = FR_BACKEND_CUDA;
    ctx = cf_device_context(FR_PROBLEM_BFS, ON_HOST);
    if (!ctx)
        return 77;
    devices(ctx);
    refusals(ctx);
    levels(ctx);
    distances(ctx);
    negative_cycles(ctx);
    larger(ctx);
    overflow(ctx);
    piece_sizes();
    pieces(ctx);
    if (ON_HOST)
        lost_launches(ctx);
    rows(ctx);
    cancelled();
    fr_ctx_free(ctx);
    CHECK(simt_live_bytes() == 0, "%zu bytes of device memory are kept", simt_live_bytes());
    CHECK(simt_pinned_bytes() == 0, "%zu bytes of pinned memory are kept", simt_pinned_bytes());
    return checks_end("results of GPU queries");
}
