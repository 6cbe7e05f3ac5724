/* Preparing a graph for the GPU: in-edges made on the device equal the host's, with
 * offsets of either width; with too little device memory the host makes them; large arrays arrive
 * complete through the pinned buffers. Runs on the host (FRI_SIMT) and on a GPU. */
#include "cuda/device/gpu.h"
#include "cuda/device/memory_plan.h"
#include "cuda/graph/resident.h"
#include "gpu/harness.h"

/* On a GPU AHEAD_EDGES is enough for tiles to be transferred ahead. */
enum { MANY_EDGES = ON_HOST ? 60000 : 2000000, AHEAD_EDGES = ON_HOST ? 7001 : 7000001 };

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
    const int32_t n = shapes[which].n, stride = shapes[which].stride;
    const int64_t m = shapes[which].m;
    edge *edges = malloc((size_t)(m + 1) * sizeof *edges);
    uint64_t state = 12345 + (uint64_t)which;
    for (int64_t i = 0; i < 2 * m; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const int32_t v = (int32_t)((state >> 33) % (uint64_t)n) / stride * stride;
        edges[i % m] = i < m ? (edge){v, v, 0} : (edge){edges[i - m].from, v, 0};
    }
    for (int64_t i = 0; i < m; i++) {
        if (i % 3 == 0)
            edges[i].to = edges[i].from;
        if (i % 8 < abs(shapes[which].hub))
            *(shapes[which].hub > 0 ? &edges[i].to : &edges[i].from) = n / 3;
    }
    fr_graph *graph = graph_of_edges(ctx, n, m, edges, FR_TYPE_NONE, FR_DIRECTION_DIRECTED);
    free(edges);
    return graph;
}

/* A strategy with in-edges at its default knobs: BFS has 32-bit offsets, APSP 64-bit ones. */
static fri_job job_of(fr_ctx *ctx, const fr_csr *csr, fr_problem problem, fri_job_input *in) {
    fri_job job = {.ctx = ctx, .in = in, .csr = *csr, .in_edges = *csr};
    *in = (fri_job_input){.problem = problem,
                          .threads = fr_ctx_threads(ctx),
                          .row_capacity = 1,
                          .dist_type = FR_TYPE_I32};
    fri_job_give(&job, fri_strategy_find(problem, FR_BACKEND_CUDA,
                                         problem == FR_PROBLEM_BFS ? "spmv" : "multi-bfs"));
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

/* Adjacency lists of the host ascend; lists of the device may have any order. */
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
    fr_ctx *ctx = context_new((fr_ctx_options){.threads = threads});
    fr_graph *graph = graph_of(ctx, which);
    const fr_csr *csr = fr_graph_csr(graph);
    fri_job_input in;
    fri_job job = job_of(ctx, csr, problem, &in);
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

/* By a solver of xbfs; the next one plans for the whole graph. */
static fr_status solve(fr_ctx *ctx, fr_graph *graph) {
    const int32_t source = fr_graph_csr(graph)->targets[0];
    const ask a = {.ctx = ctx,
                   .graph = graph,
                   .name = "in-edges",
                   .problem = FR_PROBLEM_BFS,
                   .options = {.strategy = "xbfs", .backend = FR_BACKEND_CUDA},
                   .query = {.sources = &source, .source_count = 1}};
    fr_solver *solver;
    fr_status status = fr_solver_new(ctx, graph, a.problem, &a.options, &solver);
    if (!status) {
        const fr_stats stats = solve_verified(&a, solver);
        CHECK(stats.prepare_ns > 0 && stats.device_init_ns >= 0, "times");
        fr_solver_free(solver);
    }
    fri_resident_evict(ctx);
    return status;
}

/* The sort needs more memory than the strategy: with less the host makes the in-edges, as
 * estimated. */
static void step_back(fr_ctx *ctx) {
    fr_graph *graph = graph_of(ctx, MANY);
    const fr_solver_options options = {.strategy = "xbfs", .backend = FR_BACKEND_CUDA};
    fr_memory_estimate full = {0}, less = {0};
    CHECK_OK(ctx, fr_estimate_memory(ctx, graph, FR_PROBLEM_BFS, &options, &full));
    CHECK_OK(ctx, solve(ctx, graph));
    fr_ctx *tight = context_new((fr_ctx_options){.max_gpu_bytes = full.device - 1});
    CHECK_OK(tight, fr_estimate_memory(tight, graph, FR_PROBLEM_BFS, &options, &less));
    CHECK(less.device < full.device && less.host > full.host, "%zu and %zu bytes, then %zu and %zu",
          full.device, full.host, less.device, less.host);
    CHECK_OK(tight, solve(tight, graph));
    fr_ctx *tightest = context_new((fr_ctx_options){.max_gpu_bytes = less.device}),
           *none = context_new((fr_ctx_options){.max_gpu_bytes = less.device - 1});
    CHECK_OK(tightest, solve(tightest, graph));
    CHECK(solve(none, graph) == FR_NOMEM, "%zu bytes were enough", less.device - 1);
    fr_graph_free(graph);
    fr_ctx_free(tight);
    fr_ctx_free(tightest);
    fr_ctx_free(none);
}

/* Arrays from a byte to many pieces, plain and narrowed, by one thread and by three. */
static void uploads(int threads) {
    static const int64_t counts[] = {1, 1000, (1 << 20) / 8 + 1, 3333333};
    fr_ctx *ctx = context_new((fr_ctx_options){.threads = threads});
    fr_graph *graph = graph_of(ctx, 1);
    fri_job_input in;
    fri_job job = job_of(ctx, fr_graph_csr(graph), FR_PROBLEM_BFS, &in);
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

static void many_solvers(fr_ctx *other) {
    fr_ctx *ctx = context_new((fr_ctx_options){.threads = 1});
    (void)other;
    fr_graph *graph = graph_of(ctx, 4);
    fri_job_input in;
    fri_job job[MANY_SOLVERS];
    for (int i = 0; i < MANY_SOLVERS; i++) {
        job[i] = job_of(ctx, fr_graph_csr(graph), FR_PROBLEM_BFS, &in);
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
}

static void all_in_edges(fr_ctx *ctx) {
    (void)ctx;
    for (int i = 0; i < COUNT(shapes); i++) {
        in_edges(i, FR_PROBLEM_BFS, 1);
        in_edges(i, FR_PROBLEM_APSP, 1);
        in_edges(i, FR_PROBLEM_BFS, 3);
    }
}

static void all_uploads(fr_ctx *ctx) {
    (void)ctx;
    uploads(1);
    uploads(3);
}

static const part parts[] = {{"in-edges", all_in_edges},
                             {"step-back", step_back},
                             {"uploads", all_uploads},
                             {"many-solvers", many_solvers},
                             {0}};

int main(int argc, char **argv) {
    const program p = {.what = "preparing for the GPU", .problem = FR_PROBLEM_BFS, .parts = parts};
    return program_main(&p, argc, argv);
}
