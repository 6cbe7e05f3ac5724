/* Graphs from a CSR in device memory: every type of offsets and weights, arrays that a stream of the
 * caller writes right before the call, what each kind of call then reads (the arrays where they are,
 * or a copy on the host), and every refusal. Answers are compared with those of the same graph in
 * host memory. Runs on the host (FRI_SIMT), where uploads are counted, and on a GPU. */
#include "conformance/choose.h"
#include "gpu/gpu_check.h"
#include "gpu/gpu_host.h"

#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifndef FRI_SIMT
static void simt_hold(cudaStream_t stream) { (void)stream; }
#endif

enum { ARRAYS = 3 };

/* A CSR on the device and, as it was sent, on the host. */
typedef struct device_rows {
    fr_device_csr csr;
    void *host[ARRAYS], *device[ARRAYS];
    size_t bytes[ARRAYS];
} device_rows;

static void must(cudaError_t error, const char *what) {
    if (error) {
        printf("FAILED %s: %s\n", what, cudaGetErrorString(error));
        exit(1);
    }
}

static void *copy_of(const void *from, size_t bytes) {
    void *to = malloc(bytes + 1);
    if (bytes)
        memcpy(to, from, bytes);
    return to;
}

/* The arrays of a graph, on the host so far. */
static device_rows device_rows_of(const fr_graph *graph, fr_type offset_type) {
    const fr_csr *csr = fr_graph_csr(graph);
    const int64_t count = (int64_t)csr->n + 1;
    device_rows l = {.csr = FR_INIT(fr_device_csr)};
    l.csr.n = csr->n;
    l.csr.m = csr->m;
    l.csr.offset_type = offset_type;
    l.csr.weight_type = csr->weight_type;
    l.csr.symmetric = csr->symmetric;
    l.bytes[0] = (size_t)count * (offset_type == FR_TYPE_I32 ? 4 : 8);
    l.bytes[1] = (size_t)csr->m * 4;
    l.bytes[2] = (size_t)csr->m * fr_type_size(csr->weight_type);
    l.host[0] = copy_of(csr->offsets, (size_t)count * 8);
    l.host[1] = copy_of(csr->targets, l.bytes[1]);
    l.host[2] = copy_of(csr->weights, l.bytes[2]);
    for (int64_t i = 0; i < count && offset_type == FR_TYPE_I32; i++)
        ((int32_t *)l.host[0])[i] = (int32_t)csr->offsets[i];
    return l;
}

/* Sends them on a stream that first writes garbage, and is still busy when this returns. */
static void produce(device_rows *l, cudaStream_t stream) {
    for (int i = 0; i < ARRAYS; i++) {
        l->device[i] = NULL;
        if (!l->bytes[i])
            continue;
        must(cudaMalloc(&l->device[i], l->bytes[i]), "allocating");
        for (int k = 0; k < (ON_HOST ? 1 : 50); k++)
            must(cudaMemsetAsync(l->device[i], 0x77, l->bytes[i], stream), "producing");
        must(cudaMemcpyAsync(l->device[i], l->host[i], l->bytes[i], cudaMemcpyHostToDevice, stream),
             "producing");
    }
    l->csr.offsets = l->device[0];
    l->csr.targets = l->device[1];
    l->csr.weights = l->device[2];
    l->csr.stream = stream;
}

static void device_rows_free(device_rows *l) {
    for (int i = 0; i < ARRAYS; i++) {
        cudaFree(l->device[i]);
        free(l->host[i]);
    }
}

/* The library has written nothing. */
static void check_unchanged(const device_rows *l, const char *name) {
    for (int i = 0; i < ARRAYS; i++) {
        void *now = malloc(l->bytes[i] + 1);
        if (l->bytes[i])
            must(cudaMemcpy(now, l->device[i], l->bytes[i], cudaMemcpyDeviceToHost), "reading");
        CHECK(memcmp(now, l->host[i], l->bytes[i]) == 0, "%s: array %d was changed", name, i);
        free(now);
    }
}

static fr_status borrow(fr_ctx *ctx, device_rows *l, fr_graph **out) {
    cudaStream_t stream;
    must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
    simt_hold(stream);
    produce(l, stream);
    fr_status status = fr_graph_from_device_csr(ctx, &l->csr, out);
    must(cudaStreamSynchronize(stream), "a stream");
    must(cudaStreamDestroy(stream), "a stream");
    return status;
}

/* ---- answers ----------------------------------------------------------------------------- */

typedef struct ask {
    fr_problem problem;
    fr_solver_options options;
    fr_query query;
    bool order;
    bool away; /* the rows need not be on the host */
} ask;

typedef struct answer {
    fr_status status;
    fr_stats stats;
    void *value;
    int32_t *parent, *order;
    size_t bytes;
} answer;

static answer solve(fr_ctx *ctx, const fr_graph *graph, const ask *a, const char *name) {
    const size_t n = (size_t)fr_graph_vertex_count(graph);
    const bool bfs = a->problem == FR_PROBLEM_BFS;
    answer out = {.status = FR_OK};
    fr_solver *solver = NULL;
    out.status = fr_solver_new(ctx, graph, a->problem, &a->options, &solver);
    CHECK(!out.status, "%s: %s", name, fr_ctx_error(ctx));
    out.bytes = n * (bfs || !solver ? 4 : fr_type_size(fr_solver_dist_type(solver)));
    out.value = calloc(out.bytes + 1, 1);
    out.parent = calloc(n + 1, sizeof *out.parent);
    out.order = calloc(n + 1, sizeof *out.order);
    fr_result result = {.level = bfs ? out.value : NULL,
                        .dist = bfs ? NULL : out.value,
                        .parent = out.parent,
                        .order = a->order ? out.order : NULL};
    if (solver)
        out.status = fr_solve(solver, &a->query, &result);
    out.stats = result.stats;
    fr_solver_free(solver);
    return out;
}

static void answer_free(answer *a) {
    free(a->value);
    free(a->parent);
    free(a->order);
}

static void check_answer(fr_ctx *ctx, const fr_graph *host, const fr_graph *graph, const ask *a,
                         const char *name) {
    ask on_cpu = *a;
    on_cpu.options.backend = FR_BACKEND_CPU;
    on_cpu.options.strategy = NULL;
    answer want = solve(ctx, host, &on_cpu, name), got = solve(ctx, graph, a, name);
    const size_t n = (size_t)fr_graph_vertex_count(host);
    CHECK(want.status == got.status, "%s: %s, should be %s: %s", name, fr_status_name(got.status),
          fr_status_name(want.status), fr_ctx_error(ctx));
    if (!want.status) {
        CHECK(memcmp(want.value, got.value, want.bytes) == 0, "%s: values", name);
        CHECK(memcmp(want.parent, got.parent, n * 4) == 0, "%s: parents", name);
        CHECK(memcmp(want.order, got.order, n * 4) == 0, "%s: order", name);
        CHECK(want.stats.reached == got.stats.reached &&
                  want.stats.reached_edges == got.stats.reached_edges,
              "%s: reached", name);
    }
    answer_free(&want);
    answer_free(&got);
}

static bool is_away(const fr_graph *graph) { return !fr_graph_csr(graph)->offsets; }

/* The same question to a graph of its own, so that the rows are away at first. */
static void check_ask(fr_ctx *ctx, const fr_graph *host, const ask *a, fr_type offsets,
                      const char *name) {
    char what[160];
    snprintf(what, sizeof what, "%s, %s offsets, %s by %s", name, fr_type_name(offsets),
             fr_problem_name(a->problem), a->options.strategy ? a->options.strategy : "auto");
    device_rows l = device_rows_of(host, offsets);
    fr_graph *graph = NULL;
    fr_status status = borrow(ctx, &l, &graph);
    CHECK(!status, "%s: %s", what, fr_ctx_error(ctx));
    if (!status) {
        check_answer(ctx, host, graph, a, what);
        CHECK(is_away(graph) == a->away, "%s: rows %s on the host", what,
              a->away ? "are" : "are not");
        check_answer(ctx, host, graph, a, what); /* with a copy on the device, maybe also here */
    }
    check_unchanged(&l, what);
    fr_graph_free(graph);
    device_rows_free(&l);
}

static fr_query from(const int32_t *source) {
    return (fr_query){.sources = source, .source_count = 1, .parent_rule = FR_PARENT_MIN_ID};
}

/* `auto` reads the rows where they are. */
static void check_graph(fr_ctx *ctx, const fr_graph *host, const char *name) {
    static const int32_t first = 0;
    const bool unsorted_floats = fr_graph_weight_type(host) >= FR_TYPE_F32;
    ask bfs = {FR_PROBLEM_BFS, {.backend = FR_BACKEND_CUDA}, from(&first), false, true};
    ask sssp = bfs;
    sssp.problem = FR_PROBLEM_SSSP;
    if (unsorted_floats) /* rounding decides between parents */
        sssp.query.parent_rule = FR_PARENT_NEAREST, sssp.away = false;
    for (fr_type offsets = FR_TYPE_I32; offsets <= FR_TYPE_I64; offsets++) {
        check_ask(ctx, host, &bfs, offsets, name);
        check_ask(ctx, host, &sssp, offsets, name);
    }
}

static fr_graph *generated(fr_ctx *ctx, const char *spec, bool directed, fr_type type) {
    fr_load_options options = {.direction =
                                   directed ? FR_DIRECTION_DIRECTED : FR_DIRECTION_UNDIRECTED,
                               .weights = type ? FR_WEIGHTS_RANDOM : FR_WEIGHTS_NONE,
                               .weight_low = type >= FR_TYPE_F32 ? 0.5 : 1,
                               .weight_high = 9,
                               .weight_type = type};
    fr_graph *graph;
    if (fr_graph_generate(ctx, spec, &options, &graph))
        cf_give_up(ctx, spec);
    return graph;
}

static void answers(fr_ctx *ctx) {
    const char *spec = ON_HOST ? "kronecker:scale=7,seed=1" : "kronecker:scale=16,seed=1";
    for (int directed = 0; directed < 2; directed++)
        for (fr_type type = FR_TYPE_NONE; type <= FR_TYPE_F64; type++) {
            char name[80];
            snprintf(name, sizeof name, "%s, %s", directed ? "directed" : "undirected",
                     type ? fr_type_name(type) : "unweighted");
            fr_graph *graph = generated(ctx, spec, directed, type);
            check_graph(ctx, graph, name);
            fr_graph_free(graph);
        }
    fr_graph *deep = generated(ctx, "grid2d:rows=9,cols=40", false, FR_TYPE_I32);
    check_graph(ctx, deep, "a grid");
    fr_graph_free(deep);
}

static void without_edges(fr_ctx *ctx) {
    static const fr_type types[] = {FR_TYPE_NONE, FR_TYPE_I64};
    for (int i = 0; i < 2; i++) {
        fr_graph *graph;
        if (fr_graph_from_edges(ctx, 3, 0, NULL, NULL, NULL, types[i], NULL, &graph))
            cf_give_up(ctx, "a graph without edges");
        check_graph(ctx, graph, "no edges");
        fr_graph_free(graph);
    }
}

/* Other calls copy the rows to the host. */
static void fetched(fr_ctx *ctx) {
    static const int32_t first = 0;
    fr_graph *host = generated(ctx, "kronecker:scale=7,seed=2", true, FR_TYPE_I32);
    const ask plain = {FR_PROBLEM_SSSP, {.backend = FR_BACKEND_CUDA}, from(&first), false, false};
    ask asks[7];
    for (int i = 0; i < 7; i++)
        asks[i] = plain;
    asks[0].options.backend = FR_BACKEND_CPU;
    asks[1].options.strategy = "near-far";
    asks[2].options.reverse = true;
    asks[3].query.parent_rule = FR_PARENT_NEAREST;
    asks[4].problem = asks[5].problem = FR_PROBLEM_BFS;
    asks[4].order = true;
    asks[5].options.strategy = "queue";
    asks[6].options.backend = FR_BACKEND_ANY; /* the GPU, where the rows are */
    asks[6].away = true;
    for (int i = 0; i < 7; i++)
        for (fr_type offsets = FR_TYPE_I32; offsets <= FR_TYPE_I64; offsets++)
            check_ask(ctx, host, &asks[i], offsets, "copied rows");
    fr_graph_free(host);
    host = generated(ctx, "kronecker:scale=7,seed=2", true, FR_TYPE_F32);
    asks[0] = plain;
    asks[0].options.dist_type = FR_TYPE_F64;
    asks[0].query.parent_rule = FR_PARENT_NEAREST;
    check_ask(ctx, host, &asks[0], FR_TYPE_I32, "wide distances");
    fr_graph_free(host);
}

/* The first call that reads the rows on the host is the check of an answer. */
static void verified(fr_ctx *ctx) {
    static const int32_t first = 0;
    const ask a = {FR_PROBLEM_SSSP, {.backend = FR_BACKEND_CPU}, from(&first), false, false};
    fr_graph *host = generated(ctx, "kronecker:scale=7,seed=2", true, FR_TYPE_I32);
    answer right = solve(ctx, host, &a, "an answer to check");
    device_rows l = device_rows_of(host, FR_TYPE_I64);
    fr_graph *graph = NULL;
    fr_status status = borrow(ctx, &l, &graph);
    if (!status)
        status =
            fr_verify_sssp(ctx, graph, &a.query, false, right.value, FR_TYPE_I32, right.parent);
    CHECK(!status, "%s", fr_ctx_error(ctx));
    fr_graph_free(graph);
    device_rows_free(&l);
    answer_free(&right);
    fr_graph_free(host);
}

static void negative(fr_ctx *ctx) {
    static const int32_t sources[] = {0, 1, 2, 3}, targets[] = {1, 2, 1, 0}, first = 0;
    static const int32_t weights[2][4] = {{4, -2, 5, 1}, {4, -7, 5, 1}}; /* the second: a cycle */
    const fr_load_options directed = {.direction = FR_DIRECTION_DIRECTED};
    const ask a = {FR_PROBLEM_SSSP, {.backend = FR_BACKEND_CUDA}, from(&first), false, false};
    for (int i = 0; i < 2; i++) {
        fr_graph *graph;
        if (fr_graph_from_edges(ctx, 4, 4, sources, targets, weights[i], FR_TYPE_I32, &directed,
                                &graph))
            cf_give_up(ctx, "negative weights");
        check_ask(ctx, graph, &a, FR_TYPE_I64, i ? "a negative cycle" : "a negative weight");
        fr_graph_free(graph);
    }
}

/* ---- the copy on the host ---------------------------------------------------------------- */

static void *check_in_thread(void *graph) {
    fr_ctx *ctx;
    if (fr_ctx_new(NULL, &ctx))
        return graph;
    fr_status status = fr_graph_check(ctx, graph);
    CHECK(!status, "%s", fr_ctx_error(ctx));
    fr_ctx_free(ctx);
    return NULL;
}

/* Two threads at once; then the arrays are those of the graph, and nothing was uploaded. */
static void same_rows(fr_ctx *ctx) {
    fr_graph *host = generated(ctx, "kronecker:scale=8,seed=3", true, FR_TYPE_I64), *graph;
    device_rows l = device_rows_of(host, FR_TYPE_I32);
    pthread_t threads[2];
    if (borrow(ctx, &l, &graph))
        cf_give_up(ctx, "a graph on the device");
    CHECK(fr_graph_hash(graph) == 0, "a hash without rows");
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, check_in_thread, graph);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    const fr_csr *want = fr_graph_csr(host), *got = fr_graph_csr(graph);
    CHECK(!is_away(graph), "no rows after fr_graph_check");
    CHECK(memcmp(got->offsets, want->offsets, (size_t)(want->n + 1) * 8) == 0, "offsets");
    CHECK(memcmp(got->targets, want->targets, (size_t)want->m * 4) == 0, "targets");
    CHECK(memcmp(got->weights, want->weights, (size_t)want->m * 8) == 0, "weights");
    CHECK(fr_graph_hash(graph) == fr_graph_hash(host), "the hash");
    fr_graph_free(graph);
    fr_graph_free(host);
    device_rows_free(&l);
}

static void counted(fr_ctx *ctx) {
    static const int32_t first = 0;
    fr_graph *host = generated(ctx, "kronecker:scale=9,seed=3", false, FR_TYPE_I32), *graph;
    device_rows l = device_rows_of(host, FR_TYPE_I64);
    if (borrow(ctx, &l, &graph))
        cf_give_up(ctx, "a graph on the device");
    fr_solver_options options = {.backend = FR_BACKEND_CUDA};
    fr_solver *solver = NULL;
    simt_uploaded_bytes();
    fr_status status = fr_solver_new(ctx, graph, FR_PROBLEM_BFS, &options, &solver);
    fr_query query = from(&first);
    fr_result result = {.struct_size = 0};
    status = status ? status : fr_solve(solver, &query, &result);
    CHECK(!status, "%s", fr_ctx_error(ctx));
    CHECK(!ON_HOST || simt_uploaded_bytes() < 1000, "the rows were uploaded");
    CHECK(result.stats.reached > 1, "%lld reached", (long long)result.stats.reached);
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_graph_free(host);
    device_rows_free(&l);
}

/* ---- refusals ---------------------------------------------------------------------------- */

static void check_refused(fr_ctx *ctx, device_rows *l, fr_status want, const char *words) {
    fr_graph *graph = NULL;
    fr_status status = borrow(ctx, l, &graph);
    CHECK(status == want && !graph && strstr(fr_ctx_error(ctx), words), "%s: %s: %s", words,
          fr_status_name(status), fr_ctx_error(ctx));
    fr_graph_free(graph);
    device_rows_free(l);
}

/* 0 -> 1, 0 -> 1, 0 -> 2, 1 -> 0, 2 -> 0 with ascending weights. */
static device_rows small(fr_ctx *ctx, fr_type offsets, fr_type type) {
    static const int32_t from[] = {0, 0, 0, 1, 2}, to[] = {1, 1, 2, 0, 0};
    static const int32_t whole[] = {1, 2, 3, 1, 3};
    static const double real[] = {1, 2, 3, 1, 3};
    const fr_load_options directed = {.direction = FR_DIRECTION_DIRECTED};
    fr_graph *graph;
    if (fr_graph_from_edges(ctx, 3, 5, from, to, type == FR_TYPE_F64 ? (void *)real : (void *)whole,
                            type, &directed, &graph))
        cf_give_up(ctx, "a small graph");
    device_rows l = device_rows_of(graph, offsets);
    fr_graph_free(graph);
    return l;
}

static void refusals(fr_ctx *ctx) {
    device_rows l = small(ctx, FR_TYPE_I64, FR_TYPE_I32);
    ((int64_t *)l.host[0])[1] = 9;
    check_refused(ctx, &l, FR_INVALID, "they descend after row 1");
    l = small(ctx, FR_TYPE_I32, FR_TYPE_I32);
    ((int32_t *)l.host[0])[0] = 1;
    check_refused(ctx, &l, FR_INVALID, "from 0 to m, not from 1 to 5");
    l = small(ctx, FR_TYPE_I64, FR_TYPE_I32);
    ((int64_t *)l.host[0])[3] = INT64_C(1) << 40;
    check_refused(ctx, &l, FR_INVALID, "from 0 to m, not from 0 to 1099511627776");
    l = small(ctx, FR_TYPE_I32, FR_TYPE_I32);
    ((int32_t *)l.host[1])[4] = 3;
    check_refused(ctx, &l, FR_INVALID, "edge 4 goes to 3; vertices are 0 to 2");
    l = small(ctx, FR_TYPE_I64, FR_TYPE_I32);
    ((int32_t *)l.host[1])[1] = -7;
    check_refused(ctx, &l, FR_INVALID, "edge 1 goes to -7");
    l = small(ctx, FR_TYPE_I64, FR_TYPE_I32);
    ((int32_t *)l.host[2])[1] = 0;
    check_refused(ctx, &l, FR_INVALID, "edge 1 belongs before");
    l = small(ctx, FR_TYPE_I64, FR_TYPE_I32);
    ((int32_t *)l.host[1])[0] = 2;
    check_refused(ctx, &l, FR_INVALID, "edge 1 belongs before");
    l = small(ctx, FR_TYPE_I64, FR_TYPE_F64);
    ((double *)l.host[2])[3] = __builtin_nan("");
    check_refused(ctx, &l, FR_RANGE, "weight of edge 3");
    l = small(ctx, FR_TYPE_I64, FR_TYPE_I32);
    l.csr.symmetric = true; /* there are two edges 0 -> 1 */
    check_refused(ctx, &l, FR_INVALID, "marked symmetric");
}

static void refused_shapes(fr_ctx *ctx) {
    static const int64_t offsets[] = {0, 0};
    fr_graph *graph = NULL;
    fr_device_csr csr = {.n = 1, .offsets = offsets};
    fr_status status = fr_graph_from_device_csr(ctx, &csr, &graph);
    CHECK(status == FR_INVALID && strstr(fr_ctx_error(ctx), "offsets are not in memory of GPU 0"),
          "%s", fr_ctx_error(ctx));
    csr.offset_type = FR_TYPE_F32;
    CHECK(fr_graph_from_device_csr(ctx, &csr, &graph) == FR_INVALID, "offset_type");
    csr.offset_type = FR_TYPE_I64;
    csr.m = 1;
    CHECK(fr_graph_from_device_csr(ctx, &csr, &graph) == FR_INVALID, "no targets");
    CHECK(fr_graph_from_device_csr(ctx, NULL, &graph) == FR_INVALID, "no CSR");
    csr = (fr_device_csr){.struct_size = 3};
    CHECK(fr_graph_from_device_csr(ctx, &csr, &graph) == FR_INVALID, "struct_size");
}

int main(void) {
    cf_backend = FR_BACKEND_CUDA;
    fr_ctx *ctx = cf_device_context(FR_PROBLEM_BFS, ON_HOST);
    if (!ctx)
        return 77;
    answers(ctx);
    without_edges(ctx);
    fetched(ctx);
    verified(ctx);
    negative(ctx);
    same_rows(ctx);
    counted(ctx);
    refusals(ctx);
    refused_shapes(ctx);
    fr_ctx_free(ctx);
    CHECK(simt_live_bytes() == 0, "%zu bytes of device memory are kept", simt_live_bytes());
    return checks_end("graphs in device memory");
}
