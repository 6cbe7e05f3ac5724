/* Graphs from a CSR in device memory: every type of offsets and weights, arrays that a stream of the caller writes right
 * before the call, what each kind of call then reads (the arrays where they are, or a copy on the host), and every
 * refusal. Answers are compared with answers of the same graph in host memory. Runs on the host (FRI_SIMT), where uploads
 * are counted, and on a GPU. Random graphs in device memory meet all kinds of queries in tests/random. */
#include "gpu/harness.h"

#include <math.h>
#include <pthread.h>

enum { ARRAYS = 3 };

/* A CSR on the device and, as it was sent, on the host. */
typedef struct device_rows {
    fr_device_csr csr;
    char *host[ARRAYS];
    array device[ARRAYS];
    size_t bytes[ARRAYS];
} device_rows;

/* The arrays of a graph, on the host so far. */
static device_rows device_rows_of(const fr_graph *graph, fr_type offset_type) {
    const fr_csr *csr = fr_graph_csr(graph);
    const int64_t count = (int64_t)csr->n + 1;
    const void *const from[ARRAYS] = {csr->offsets, csr->targets, csr->weights};
    device_rows l = {.csr = FR_INIT(fr_device_csr),
                     .bytes = {(size_t)count * 8, (size_t)csr->m * 4,
                               (size_t)csr->m * fr_type_size(csr->weight_type)}};
    l.csr.n = csr->n;
    l.csr.m = csr->m;
    l.csr.offset_type = offset_type;
    l.csr.weight_type = csr->weight_type;
    l.csr.symmetric = csr->symmetric;
    for (int i = 0; i < ARRAYS; i++) {
        l.host[i] = malloc(l.bytes[i] + 1);
        if (l.bytes[i])
            memcpy(l.host[i], from[i], l.bytes[i]);
    }
    if (offset_type == FR_TYPE_I32)
        l.bytes[0] = (size_t)count * 4;
    for (int64_t i = 0; i < count && offset_type == FR_TYPE_I32; i++)
        ((int32_t *)(void *)l.host[0])[i] = (int32_t)csr->offsets[i];
    return l;
}

static void device_rows_free(device_rows *l) {
    for (int i = 0; i < ARRAYS; i++) {
        array_free(&l->device[i]);
        free(l->host[i]);
    }
}

/* Sends them on a stream that first writes garbage, and is still busy when the library is called. */
static fr_status borrow(fr_ctx *ctx, device_rows *l, fr_graph **out) {
    cudaStream_t stream;
    must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
    simt_hold(stream);
    for (int i = 0; i < ARRAYS; i++) {
        l->device[i] = (array){.where = DEVICE};
        if (!l->bytes[i])
            continue;
        l->device[i] = array_new(DEVICE, l->bytes[i], 8);
        array_produce(&l->device[i], stream);
        must(cudaMemcpyAsync(l->device[i].at, l->host[i], l->bytes[i], cudaMemcpyHostToDevice,
                             stream),
             "producing");
    }
    l->csr.offsets = l->device[0].at;
    l->csr.targets = (int32_t *)(void *)l->device[1].at;
    l->csr.weights = l->device[2].at;
    l->csr.stream = stream;
    fr_status status = fr_graph_from_device_csr(ctx, &l->csr, out);
    must(cudaStreamSynchronize(stream), "a stream");
    must(cudaStreamDestroy(stream), "a stream");
    return status;
}

/* The library has written nothing. */
static void check_unchanged(const device_rows *l, const char *name) {
    for (int i = 0; i < ARRAYS; i++) {
        char *now = malloc(l->bytes[i] + 1);
        if (l->bytes[i])
            array_read(&l->device[i], now);
        CHECK(memcmp(now, l->host[i], l->bytes[i]) == 0, "%s: array %d was changed", name, i);
        free(now);
    }
}

/* ---- answers ----------------------------------------------------------------------------- */

static bool is_away(const fr_graph *graph) { return !fr_graph_csr(graph)->offsets; }

/* The question to a graph of its own, twice: the rows are away at first, and stay it if `away`. */
static void check_ask(const ask *a, fr_type offsets, bool away) {
    const bool order = a->problem == FR_PROBLEM_BFS && !away;
    device_rows l = device_rows_of(a->graph, offsets);
    answer want = answer_on_cpu(a);
    ask there = *a;
    fr_status status = borrow(a->ctx, &l, &there.graph);
    CHECK(!status, "%s: %s", a->name, fr_ctx_error(a->ctx));
    for (int turn = 0; !status && turn < 2; turn++) {
        fr_solver *solver = solver_new(a->ctx, there.graph, a->problem, a->options);
        check_place(&there, solver, &want, PAGEABLE, VALUES | PARENTS | (order ? ORDER : 0));
        CHECK(turn || is_away(there.graph) == away, "%s: rows %s on the host", a->name,
              away ? "are" : "are not");
        fr_solver_free(solver);
    }
    check_unchanged(&l, a->name);
    if (!status)
        fr_graph_free(there.graph);
    device_rows_free(&l);
    answer_free(&want);
}

static ask ask_of(fr_ctx *ctx, fr_graph *graph, fr_problem problem, const char *name) {
    static const int32_t first = 0;
    return (ask){.ctx = ctx,
                 .graph = graph,
                 .name = name,
                 .problem = problem,
                 .options = {.backend = FR_BACKEND_CUDA},
                 .query = {.sources = &first, .source_count = 1, .parent_rule = FR_PARENT_MIN_ID}};
}

/* `auto` reads the rows where they are, unless rounding decides between parents. */
static void check_graph(fr_ctx *ctx, fr_graph *graph, const char *name) {
    const bool floats = fr_graph_weight_type(graph) >= FR_TYPE_F32;
    const ask bfs = ask_of(ctx, graph, FR_PROBLEM_BFS, name);
    ask sssp = ask_of(ctx, graph, FR_PROBLEM_SSSP, name);
    sssp.query.parent_rule = floats ? FR_PARENT_NEAREST : FR_PARENT_MIN_ID;
    for (fr_type offsets = FR_TYPE_I32; offsets <= FR_TYPE_I64; offsets++) {
        check_ask(&bfs, offsets, true);
        check_ask(&sssp, offsets, !floats);
    }
}

static fr_graph *generated(fr_ctx *ctx, const char *spec, bool directed, fr_type type) {
    return graph_generate(
        ctx, spec,
        (fr_load_options){.direction = directed ? FR_DIRECTION_DIRECTED : FR_DIRECTION_UNDIRECTED,
                          .weights = type ? FR_WEIGHTS_RANDOM : FR_WEIGHTS_NONE,
                          .weight_low = type >= FR_TYPE_F32 ? 0.5 : 1,
                          .weight_high = 9,
                          .weight_type = type});
}

static void answers(fr_ctx *ctx) {
    const char *spec = ON_HOST ? "kronecker:scale=7,seed=1" : "kronecker:scale=16,seed=1";
    for (int directed = 0; directed < 2; directed++)
        for (fr_type type = FR_TYPE_NONE; type <= FR_TYPE_F64; type++) {
            fr_graph *graph = generated(ctx, spec, directed, type);
            check_graph(ctx, graph, type ? fr_type_name(type) : "unweighted");
            fr_graph_free(graph);
        }
    fr_graph *deep = generated(ctx, "grid2d:rows=9,cols=40", false, FR_TYPE_I32);
    check_graph(ctx, deep, "a grid");
    fr_graph_free(deep);
    for (fr_type type = FR_TYPE_NONE; type <= FR_TYPE_I64; type += FR_TYPE_I64) {
        fr_graph *graph = graph_of_edges(ctx, 3, 0, NULL, type, FR_DIRECTION_FILE);
        check_graph(ctx, graph, "no edges");
        fr_graph_free(graph);
    }
}

/* Other calls copy the rows to the host; a negative weight does, too. */
static void fetched(fr_ctx *ctx) {
    static const struct {
        const char *name;
        fr_problem problem;
        fr_solver_options options;
        fr_parent_rule rule;
        bool away;
    } cases[] = {
        {"on the CPU", FR_PROBLEM_SSSP, {.backend = FR_BACKEND_CPU}, FR_PARENT_MIN_ID, false},
        {"another strategy", FR_PROBLEM_SSSP, {.strategy = "near-far"}, FR_PARENT_MIN_ID, false},
        {"against the edges", FR_PROBLEM_SSSP, {.reverse = true}, FR_PARENT_MIN_ID, false},
        {"nearest parents", FR_PROBLEM_SSSP, {0}, FR_PARENT_NEAREST, false},
        {"queue", FR_PROBLEM_BFS, {.strategy = "queue"}, FR_PARENT_MIN_ID, false},
        {"where the rows are", FR_PROBLEM_SSSP, {0}, FR_PARENT_MIN_ID, true},
    };
    const edge negative[] = {{0, 1, 4}, {1, 2, -2}, {2, 1, 5}, {3, 0, 1}},
               cycle[] = {{0, 1, 4}, {1, 2, -7}, {2, 1, 5}};
    fr_graph *graph = generated(ctx, "kronecker:scale=7,seed=2", true, FR_TYPE_I32),
             *below = graph_of_edges(ctx, 4, 4, negative, FR_TYPE_I32, FR_DIRECTION_DIRECTED),
             *round = graph_of_edges(ctx, 4, 3, cycle, FR_TYPE_I32, FR_DIRECTION_DIRECTED),
             *floats = generated(ctx, "kronecker:scale=7,seed=2", true, FR_TYPE_F32);
    for (int i = 0; i < COUNT(cases); i++)
        for (fr_type offsets = FR_TYPE_I32; offsets <= FR_TYPE_I64; offsets++) {
            ask a = ask_of(ctx, graph, cases[i].problem, cases[i].name);
            a.options = cases[i].options;
            a.query.parent_rule = cases[i].rule;
            check_ask(&a, offsets, cases[i].away);
        }
    ask wide = ask_of(ctx, floats, FR_PROBLEM_SSSP, "wide distances"),
        signs = ask_of(ctx, below, FR_PROBLEM_SSSP, "a negative weight"),
        cycles = ask_of(ctx, round, FR_PROBLEM_SSSP, "a negative cycle");
    wide.options.dist_type = FR_TYPE_F64;
    wide.query.parent_rule = FR_PARENT_NEAREST;
    check_ask(&wide, FR_TYPE_I32, false);
    check_ask(&signs, FR_TYPE_I64, false);
    check_ask(&cycles, FR_TYPE_I64, false);
    fr_graph_free(graph);
    fr_graph_free(below);
    fr_graph_free(round);
    fr_graph_free(floats);
}

/* The check on the device finds whether all weights are whole, so that distances are computed as int32. */
static void whole_weights(fr_ctx *ctx) {
    for (fr_type type = FR_TYPE_I64; type <= FR_TYPE_F64; type++)
        for (int half = 0; half < 2; half++) {
            fr_graph *host = graph_path(ctx, 20, 2, type, 3, half && type != FR_TYPE_I64 ? 2.5 : 2);
            device_rows l = device_rows_of(host, FR_TYPE_I64);
            ask a = ask_of(ctx, NULL, FR_PROBLEM_SSSP, "whole weights on the device");
            if (borrow(ctx, &l, &a.graph))
                cf_give_up(ctx, "a graph on the device");
            fr_solver *solver = solver_new(ctx, a.graph, a.problem, a.options);
            solve_verified(&a, solver);
            CHECK(!strstr(fr_solver_explain(solver), "as int32") == (half && type != FR_TYPE_I64),
                  "%s %d: %s", fr_type_name(type), half, fr_solver_explain(solver));
            fr_solver_free(solver);
            fr_graph_free(a.graph);
            fr_graph_free(host);
            device_rows_free(&l);
        }
}

/* ---- the copy on the host ---------------------------------------------------------------- */

static void *check_in_thread(void *graph) {
    fr_ctx *ctx = context_new((fr_ctx_options){0});
    CHECK_OK(ctx, fr_graph_check(ctx, graph));
    fr_ctx_free(ctx);
    return NULL;
}

/* Two threads at once; then the arrays equal the graph's. */
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

/* Nothing is uploaded; and the first call that reads the rows on the host may be the check of an answer. */
static void counted(fr_ctx *ctx) {
    fr_graph *host = generated(ctx, "kronecker:scale=9,seed=3", false, FR_TYPE_I32);
    device_rows l = device_rows_of(host, FR_TYPE_I64);
    ask a = ask_of(ctx, NULL, FR_PROBLEM_SSSP, "rows on the device");
    if (borrow(ctx, &l, &a.graph))
        cf_give_up(ctx, "a graph on the device");
    simt_uploaded_bytes();
    fr_solver *solver = solver_new(ctx, a.graph, a.problem, a.options);
    answer got = answer_at(&a, solver, PAGEABLE, VALUES | PARENTS);
    CHECK(!ON_HOST || simt_uploaded_bytes() < 1000, "the rows were uploaded");
    CHECK(got.stats.reached > 1, "%lld reached", (long long)got.stats.reached);
    CHECK(is_away(a.graph), "rows before the check");
    check_verified(&a, &got);
    answer_free(&got);
    fr_solver_free(solver);
    fr_graph_free(a.graph);
    fr_graph_free(host);
    device_rows_free(&l);
}

/* ---- refusals ---------------------------------------------------------------------------- */

/* 0 -> 1, 0 -> 1, 0 -> 2, 1 -> 0, 2 -> 0 with ascending weights, and one entry of one array changed. */
static void spoiled(fr_ctx *ctx) {
    static const edge edges[] = {{0, 1, 1}, {0, 1, 2}, {0, 2, 3}, {1, 0, 1}, {2, 0, 3}};
    static const struct {
        fr_type offsets, weights;
        int array, at;
        double to;
        fr_status want;
        const char *words;
    } cases[] = {
        {FR_TYPE_I64, FR_TYPE_I32, 0, 1, 9, FR_INVALID, "they descend after row 1"},
        {FR_TYPE_I32, FR_TYPE_I32, 0, 0, 1, FR_INVALID, "from 0 to m, not from 1 to 5"},
        {FR_TYPE_I64, FR_TYPE_I32, 0, 3, 0x1p40, FR_INVALID,
         "from 0 to m, not from 0 to 1099511627776"},
        {FR_TYPE_I32, FR_TYPE_I32, 1, 4, 3, FR_INVALID, "edge 4 goes to 3; vertices are 0 to 2"},
        {FR_TYPE_I64, FR_TYPE_I32, 1, 1, -7, FR_INVALID, "edge 1 goes to -7"},
        {FR_TYPE_I64, FR_TYPE_I32, 2, 1, 0, FR_INVALID, "edge 1 belongs before"},
        {FR_TYPE_I64, FR_TYPE_I32, 1, 0, 2, FR_INVALID, "edge 1 belongs before"},
        {FR_TYPE_I64, FR_TYPE_F64, 2, 3, (double)NAN, FR_RANGE, "weight of edge 3"},
        {FR_TYPE_I64, FR_TYPE_I32, 2, 0, 1, FR_INVALID, "marked symmetric"},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        const int nth = cases[i].array, at = cases[i].at;
        fr_graph *plain = graph_of_edges(ctx, 3, 5, edges, cases[i].weights, FR_DIRECTION_DIRECTED),
                 *graph = NULL;
        device_rows l = device_rows_of(plain, cases[i].offsets);
        void *const entries = l.host[nth];
        l.csr.symmetric = i == COUNT(cases) - 1; /* there are two edges 0 -> 1 */
        if (nth == 0 && cases[i].offsets == FR_TYPE_I64)
            ((int64_t *)entries)[at] = (int64_t)cases[i].to;
        else if (nth == 2 && cases[i].weights == FR_TYPE_F64)
            ((double *)entries)[at] = cases[i].to;
        else
            ((int32_t *)entries)[at] = (int32_t)cases[i].to;
        CHECK_REFUSED(ctx, borrow(ctx, &l, &graph), cases[i].want, cases[i].words);
        CHECK(!graph, "case %d: a graph", i);
        fr_graph_free(plain);
        device_rows_free(&l);
    }
}

static void refused_shapes(fr_ctx *ctx) {
    static const int64_t offsets[] = {0, 0};
    fr_graph *graph = NULL;
    fr_device_csr csr = {.n = 1, .offsets = offsets};
    CHECK_REFUSED(ctx, fr_graph_from_device_csr(ctx, &csr, &graph), FR_INVALID,
                  "offsets are not in memory of GPU 0");
    csr.offset_type = FR_TYPE_F32;
    CHECK(fr_graph_from_device_csr(ctx, &csr, &graph) == FR_INVALID, "offset_type");
    csr.offset_type = FR_TYPE_I64;
    csr.m = 1;
    CHECK(fr_graph_from_device_csr(ctx, &csr, &graph) == FR_INVALID, "no targets");
    CHECK(fr_graph_from_device_csr(ctx, NULL, &graph) == FR_INVALID, "no CSR");
    csr = (fr_device_csr){.struct_size = 3};
    CHECK(fr_graph_from_device_csr(ctx, &csr, &graph) == FR_INVALID, "struct_size");
}

static const part parts[] = {{"answers", answers},
                             {"fetched", fetched},
                             {"rows", same_rows},
                             {"counted", counted},
                             {"whole weights", whole_weights},
                             {"spoiled", spoiled},
                             {"shapes", refused_shapes},
                             {0}};

int main(int argc, char **argv) {
    const program p = {
        .what = "graphs in device memory", .problem = FR_PROBLEM_BFS, .parts = parts};
    return program_main(&p, argc, argv);
}
