/* Preparing a graph for the GPU: in-edges made on the device equal those of the host, with
 * offsets of either width; with too little device memory the host makes them; large arrays arrive
 * complete through the pinned buffers. Runs on the host (FRI_SIMT) and on a GPU. */
#include "conformance/choose.h"
#include "cuda/device/gpu.h"
#include "cuda/device/memory_plan.h"
#include "cuda/graph/resident.h"
#include "gpu/gpu_check.h"
#include "gpu/gpu_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* On a GPU AHEAD_EDGES is enough for tiles to be transferred ahead. */
enum { MANY_EDGES = ON_HOST ? 60000 : 2000000, AHEAD_EDGES = ON_HOST ? 7001 : 7000001 };

static fr_ctx *context(int threads, size_t max_gpu_bytes) {
    fr_ctx *ctx;
    fr_ctx_options options = {.threads = threads, .max_gpu_bytes = max_gpu_bytes};
    if (fr_ctx_new(&options, &ctx))
        cf_give_up(NULL, "a context");
    return ctx;
}

/* n vertices, edges of which a third are loops and many double; only every `stride`-th vertex has
 * any at either end, and of eight edges `hub` lead to one vertex, or leave it if that is negative.
 */
static const struct {
    int32_t n;
    int64_t m;
    int32_t stride;
    int hub;
} shapes[] = {{1, 0, 1, 0},
              {1, 3, 1, 0},
              {2, 5, 1, 0},
              {300, 0, 1, 0},
              {257, 900, 7, 0},
              {1000, 4097, 1, 0},
              {5000, 6000, 37, 0},
              {70000, 300, 1000, 0},
              {1000, MANY_EDGES, 1, 0},
              {100, MANY_EDGES / 5 + 1, 1, 8},
              {3000, MANY_EDGES / 5, 1, 7},
              {200000, MANY_EDGES / 5 + 77, 1, 4},
              {30000, MANY_EDGES / 6, 1, -8},
              {200000, 5000, 60000, 0},
              {AHEAD_EDGES / 7, AHEAD_EDGES, 1, 1}};

enum { MANY = 8 }; /* edges enough for the sort to take more than xbfs, on many SMs too */

static fr_graph *graph_of(fr_ctx *ctx, int which) {
    int32_t n = shapes[which].n, stride = shapes[which].stride;
    int64_t m = shapes[which].m;
    int32_t *ends = malloc(2 * (size_t)(m + 1) * sizeof *ends);
    uint64_t state = 12345 + (uint64_t)which;
    fr_load_options directed = {.direction = FR_DIRECTION_DIRECTED};
    fr_graph *graph;
    for (int64_t i = 0; i < 2 * m; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        ends[i] = (int32_t)((state >> 33) % (uint64_t)n) / stride * stride;
    }
    for (int64_t i = 0; i < m; i += 3)
        ends[m + i] = ends[i];
    for (int64_t i = 0; i < m; i++)
        if (i % 8 < abs(shapes[which].hub))
            ends[(shapes[which].hub > 0 ? m : 0) + i] = n / 3;
    if (fr_graph_from_edges(ctx, n, m, ends, ends + m, NULL, FR_TYPE_NONE, &directed, &graph))
        cf_give_up(ctx, "a graph");
    free(ends);
    return graph;
}

/* A strategy with in-edges at its default knobs: BFS has 32-bit offsets, APSP 64-bit ones. */
static fri_job job_of(fr_ctx *ctx, const fr_csr *csr, fr_problem problem) {
    fri_job job = {.ctx = ctx, .problem = problem, .csr = *csr, .in = *csr};
    fri_job_give(&job, fri_strategy_find(problem, FR_BACKEND_CUDA,
                                         problem == FR_PROBLEM_BFS ? "spmv" : "multi-bfs"));
    job.threads = fr_ctx_threads(ctx);
    job.row_capacity = 1;
    job.dist_type = FR_TYPE_I32;
    job.weight_mean = job.weight_min = job.weight_max = 1;
    job.makes_in_edges = fri_gpu_makes_in_edges(&job);
    return job;
}

static int64_t offset_at(const fri_gpu *g, const void *offsets, int64_t i) {
    return g->offsets64 ? ((const int64_t *)offsets)[i] : (int64_t)((const uint32_t *)offsets)[i];
}

static int ascending(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Adjacency lists of the host ascend; those of the device may have any order. */
static void compare(fri_gpu *g, const fr_csr *want, int which) {
    size_t offset = g->offsets64 ? 8 : 4;
    char *offsets = malloc(((size_t)g->n + 1) * offset);
    int32_t *targets = malloc((size_t)g->m * sizeof *targets + 1);
    bool right = !fri_gpu_download(g, offsets, g->in.offsets, ((size_t)g->n + 1) * offset) &&
                 !fri_gpu_download(g, targets, g->in.targets, (size_t)g->m * sizeof *targets);
    CHECK(right, "%s", fr_ctx_error(g->job->ctx));
    for (int64_t v = 0; v <= g->n && right; v++)
        right = offset_at(g, offsets, v) == want->offsets[v];
    CHECK(right, "offsets of shape %d, wide %d", which, g->offsets64);
    for (int64_t v = 0; v < g->n && right; v++)
        qsort(targets + want->offsets[v], (size_t)(want->offsets[v + 1] - want->offsets[v]),
              sizeof *targets, ascending);
    right = memcmp(targets, want->targets, (size_t)g->m * sizeof *targets) == 0;
    CHECK(right, "sources of shape %d, wide %d", which, g->offsets64);
    free(targets);
    free(offsets);
}

static void in_edges(int which, fr_problem problem, int threads) {
    fr_ctx *ctx = context(threads, 0);
    fr_graph *graph = graph_of(ctx, which);
    const fr_csr *csr = fr_graph_csr(graph);
    fri_job job = job_of(ctx, csr, problem);
    fr_csr want;
    CHECK(job.makes_in_edges || csr->symmetric, "shape %d", which);
    if (fri_csr_transpose(ctx, csr, &want))
        cf_give_up(ctx, "in-edges");
    CHECK(!fri_gpu_prepare(&job), "%s", fr_ctx_error(ctx));
    fri_gpu *g = job.device;
    CHECK(job.told.upload_ns > 0, "shape %d, uploaded in %lld ns", which,
          (long long)job.told.upload_ns);
    CHECK(g->offsets64 == (problem == FR_PROBLEM_APSP), "shape %d", which);
    CHECK(csr->symmetric || g->in.targets != g->out.targets || !g->m, "shape %d", which);
    compare(g, &want, which);
    fri_gpu_release(&job);
    fri_csr_free(&want);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

static fr_status solve(fr_ctx *ctx, const fr_graph *graph) {
    int32_t source = fr_graph_csr(graph)->targets[0], n = fr_graph_csr(graph)->n;
    fr_solver_options options = {.strategy = "xbfs", .backend = FR_BACKEND_CUDA};
    fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = {.level = malloc((size_t)n * 4), .parent = malloc((size_t)n * 4)};
    fr_solver *solver;
    fr_status status = fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver);
    if (!status) {
        status = fr_solve(solver, &query, &result);
        CHECK(result.stats.prepare_ns > 0 && result.stats.device_init_ns >= 0, "times");
        fr_solver_free(solver);
    }
    if (!status)
        status = fr_verify_bfs(ctx, graph, &query, result.level, result.parent);
    fri_resident_evict(ctx); /* the next solver plans for the whole graph */
    free(result.level);
    free(result.parent);
    return status;
}

/* The sort needs more memory than the strategy: with less the host makes the in-edges, as
 * estimated. */
static void step_back(void) {
    fr_ctx *ctx = context(1, 0);
    fr_graph *graph = graph_of(ctx, MANY);
    fr_solver_options options = {.strategy = "xbfs", .backend = FR_BACKEND_CUDA};
    fr_memory_estimate full = {0}, less = {0};
    CHECK(!fr_estimate_memory(ctx, graph, FR_PROBLEM_BFS, &options, &full), "%s",
          fr_ctx_error(ctx));
    CHECK(!solve(ctx, graph), "%s", fr_ctx_error(ctx));
    fr_ctx *tight = context(1, full.device - 1);
    CHECK(!fr_estimate_memory(tight, graph, FR_PROBLEM_BFS, &options, &less), "%s",
          fr_ctx_error(tight));
    CHECK(less.device < full.device && less.host > full.host, "%zu and %zu bytes, then %zu and %zu",
          full.device, full.host, less.device, less.host);
    CHECK(!solve(tight, graph), "%s", fr_ctx_error(tight));
    fr_ctx *tightest = context(1, less.device);
    CHECK(!solve(tightest, graph), "%s", fr_ctx_error(tightest));
    fr_ctx *none = context(1, less.device - 1);
    CHECK(solve(none, graph) == FR_NOMEM, "%zu bytes were enough", less.device - 1);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    fr_ctx_free(tight);
    fr_ctx_free(tightest);
    fr_ctx_free(none);
}

/* Arrays from a byte to many pieces, plain and narrowed, by one thread and by three. */
static void uploads(int threads) {
    static const int64_t counts[] = {1, 1000, (1 << 20) / 8 + 1, 3333333};
    fr_ctx *ctx = context(threads, 0);
    fr_graph *graph = graph_of(ctx, 1);
    fri_job job = job_of(ctx, fr_graph_csr(graph), FR_PROBLEM_BFS);
    CHECK(!fri_gpu_prepare(&job), "%s", fr_ctx_error(ctx));
    fri_gpu *g = job.device;
    for (int i = 0; i < 4; i++) {
        size_t bytes = (size_t)counts[i] * sizeof(int64_t);
        int64_t *from = malloc(bytes), *back = malloc(bytes);
        const uint32_t *narrow = (const uint32_t *)back;
        void *at;
        for (int64_t k = 0; k < counts[i]; k++)
            from[k] = k * 2654435761 % 4294967291;
        CHECK(!fri_gpu_alloc(g, &at, bytes), "%s", fr_ctx_error(ctx));
        CHECK(!fri_gpu_upload(g, at, from, bytes) && !fri_gpu_download(g, back, at, bytes), "%s",
              fr_ctx_error(ctx));
        CHECK(memcmp(from, back, bytes) == 0, "%zu bytes, %d threads", bytes, threads);
        CHECK(!fri_gpu_upload_narrow(g, at, from, counts[i]) &&
                  !fri_gpu_download(g, back, at, bytes / 2),
              "%s", fr_ctx_error(ctx));
        bool same = true;
        for (int64_t k = 0; k < counts[i]; k++)
            same &= narrow[k] == (uint32_t)from[k];
        CHECK(same, "%zu bytes narrowed, %d threads", bytes, threads);
        fri_gpu_free(g, at, bytes);
        free(from);
        free(back);
    }
    fri_gpu_release(&job);
    CHECK(ctx->gpu_bytes == 0, "%zu bytes are still counted", ctx->gpu_bytes);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

enum { MANY_SOLVERS = 35 }; /* more than a context has pinned words for */

static void many_solvers(void) {
    fr_ctx *ctx = context(1, 0);
    fr_graph *graph = graph_of(ctx, 4);
    fri_job job[MANY_SOLVERS];
    for (int i = 0; i < MANY_SOLVERS; i++) {
        job[i] = job_of(ctx, fr_graph_csr(graph), FR_PROBLEM_BFS);
        CHECK(!fri_gpu_prepare(&job[i]), "%s", fr_ctx_error(ctx));
        for (int k = 0; k < i; k++)
            CHECK(((fri_gpu *)job[i].device)->host_control !=
                      ((fri_gpu *)job[k].device)->host_control,
                  "solvers %d and %d share words", i, k);
    }
    for (int i = 0; i < MANY_SOLVERS; i++)
        fri_gpu_release(&job[i]);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    CHECK(simt_pinned_bytes() == 0, "%zu bytes stay pinned", simt_pinned_bytes());
}

int main(void) {
    fr_ctx *ctx = context(1, 0);
    cf_backend = FR_BACKEND_CUDA;
    bool there = cf_device_there(ctx, FR_PROBLEM_BFS);
    fr_ctx_free(ctx);
    if (!there)
        return 77;
    for (int i = 0; i < (int)(sizeof shapes / sizeof *shapes); i++) {
        in_edges(i, FR_PROBLEM_BFS, 1);
        in_edges(i, FR_PROBLEM_APSP, 1);
        in_edges(i, FR_PROBLEM_BFS, 3);
    }
    step_back();
    uploads(1);
    uploads(3);
    many_solvers();
    return checks_end("preparing for the GPU");
}
