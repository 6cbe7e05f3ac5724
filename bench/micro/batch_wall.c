/* What many queries cost in one call, and a graph that is on the GPU already.
 *
 *   batch_wall [-n SOURCES] [-t THREADS] [-p bfs|sssp] [GRAPH]...
 *
 * -n sources of a batch, default 64; GRAPH: only these of kron21, lj-like, lattice, kron24. Prints ms a
 * query, the median of 5 batches, for results in host arrays that were used before:
 *
 *   clock    the traversal, by its clock
 *   copy     fr_solve after fr_solve: the copy of the results alone
 *   solve    fr_solve after fr_solve: the call
 *   each     fr_solve_each
 *   ratio    each / the larger of clock and copy
 *   pinned   fr_solve_each into page-locked arrays
 *   device   fr_solve_each into memory of the GPU
 *   parents  fr_solve_each into host arrays, with parents
 *
 * and for the graph's rows in device memory: ms of fr_graph_from_device_csr, of a first solver on it,
 * and of a solver that uploads. Every row is compared with fr_solve, the first one is checked. Exits 1
 * if one differs.
 */
#include "micro.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DRAWS = 8, MAX_SOURCES = 256, REPEATS = 5 };

static const struct {
    const char *name, *spec;
    fr_load_options load;
} graphs[] = {
    {"kron21", "kronecker:scale=21,edge_factor=16,seed=1", {.direction = FR_DIRECTION_UNDIRECTED}},
    {"lj-like",
     "rmat:scale=23,edges=72000000,n=4847571,seed=1",
     {.direction = FR_DIRECTION_UNDIRECTED, .drop_loops = true, .drop_parallel = true}},
    {"lattice", "grid2d:rows=1400,cols=1400,keep=0.7,seed=1", {.direction = FR_DIRECTION_FILE}},
    {"kron24", "kronecker:scale=24,edge_factor=16,seed=1", {.direction = FR_DIRECTION_UNDIRECTED}},
};

typedef struct bench {
    fr_ctx *ctx;
    fr_graph *graph;
    fr_solver *solver;
    fr_problem problem;
    size_t n, row; /* bytes of a row of levels or distances */
    char *host, *pinned, *device;
    int32_t *parents;
    int32_t sources[MAX_SOURCES];
    int count, wanted;
} bench;

static _Noreturn void give_up(const char *what) {
    fprintf(stderr, "batch_wall: %s\n", what);
    exit(EXIT_FAILURE);
}

static void must(cudaError_t error) {
    if (error)
        give_up(cudaGetErrorString(error));
}

/* ---- queries ----------------------------------------------------------------------------- */

static fr_result result_of(const bench *b, char *value, int32_t *parent) {
    const bool bfs = b->problem == FR_PROBLEM_BFS;
    return (fr_result){
        .level = bfs ? (void *)value : NULL, .dist = bfs ? NULL : value, .parent = parent};
}

static fr_stats solve(const bench *b, int32_t source, char *value) {
    const fr_query query = {.sources = &source, .source_count = 1};
    fr_result result = result_of(b, value, NULL);
    need(b->ctx, fr_solve(b->solver, &query, &result));
    return result.stats;
}

static fr_stats each(const bench *b, char *value, int32_t *parents, fr_memory memory) {
    const fr_query query = {
        .sources = b->sources, .source_count = b->count, .result_memory = memory};
    fr_result result = result_of(b, value, parents);
    need(b->ctx, fr_solve_each(b->solver, &query, &result, NULL));
    return result.stats;
}

/* Random vertices that reach a tenth of the graph. */
static void choose_sources(bench *b) {
    const fr_csr *csr = fr_graph_csr(b->graph);
    uint64_t state = 1;
    b->count = 0;
    for (int i = 0; i < DRAWS * b->wanted && b->count < b->wanted; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const int32_t v = (int32_t)((state >> 33) % (uint64_t)csr->n);
        if (csr->offsets[v] < csr->offsets[v + 1] && solve(b, v, NULL).reached >= csr->n / 10)
            b->sources[b->count++] = v;
    }
    if (!b->count)
        give_up("no source reaches a tenth of the graph");
}

/* ---- checks ------------------------------------------------------------------------------ */

static void compare(const bench *b, const char *rows, const char *what) {
    char *one = malloc(b->row), *copy = malloc(b->row);
    if (!one || !copy)
        give_up("not enough memory");
    for (int i = 0; i < b->count; i++) {
        must(cudaMemcpy(copy, rows + (size_t)i * b->row, b->row, cudaMemcpyDefault));
        solve(b, b->sources[i], one);
        if (memcmp(one, copy, b->row) != 0)
            give_up(what);
    }
    free(one);
    free(copy);
}

static void check(const bench *b) {
    const fr_query query = {.sources = b->sources, .source_count = 1};
    memset(b->host, 0x77, b->row * (size_t)b->count);
    each(b, b->host, b->parents, FR_MEMORY_HOST);
    need(b->ctx,
         b->problem == FR_PROBLEM_BFS
             ? fr_verify_bfs(b->ctx, b->graph, &query, (int32_t *)(void *)b->host, b->parents)
             : fr_verify_sssp(b->ctx, b->graph, &query, false, b->host,
                              fr_solver_dist_type(b->solver), b->parents));
    compare(b, b->host, "a row in host memory differs");
    memset(b->host, 0x77, b->row * (size_t)b->count);
    each(b, b->host, NULL, FR_MEMORY_HOST);
    compare(b, b->host, "a row in host memory differs without parents");
    each(b, b->pinned, NULL, FR_MEMORY_HOST);
    compare(b, b->pinned, "a row in page-locked memory differs");
    each(b, b->device, NULL, FR_MEMORY_DEVICE);
    compare(b, b->device, "a row in device memory differs");
}

/* ---- times ------------------------------------------------------------------------------- */

static void measure(const bench *b, const char *name) {
    enum { CLOCK, COPY, SOLVE, EACH, PINNED, DEVICE, PARENTS, COLUMNS };
    double ms[COLUMNS][REPEATS], middle[COLUMNS];
    for (int i = 0; i < REPEATS; i++) {
        double clock = 0, copy = 0, call = 0;
        for (int k = 0; k < b->count; k++) {
            const fr_stats s = solve(b, b->sources[k], b->host + (size_t)k * b->row);
            clock += (double)s.traverse_ns;
            copy += (double)(s.transfer_ns - s.upload_ns);
            call += (double)s.call_ns;
        }
        ms[CLOCK][i] = clock;
        ms[COPY][i] = copy;
        ms[SOLVE][i] = call;
        ms[EACH][i] = (double)each(b, b->host, NULL, FR_MEMORY_HOST).call_ns;
        ms[PINNED][i] = (double)each(b, b->pinned, NULL, FR_MEMORY_HOST).call_ns;
        ms[DEVICE][i] = (double)each(b, b->device, NULL, FR_MEMORY_DEVICE).call_ns;
        ms[PARENTS][i] = (double)each(b, b->host, b->parents, FR_MEMORY_HOST).call_ns;
    }
    for (int c = 0; c < COLUMNS; c++)
        middle[c] = median(ms[c], REPEATS) * 1e-6 / b->count;
    const double larger = middle[CLOCK] > middle[COPY] ? middle[CLOCK] : middle[COPY];
    printf("%-4s %-8s %3d %8.3f %8.3f %8.3f %8.3f %8.2f %8.3f %8.3f %8.3f\n",
           fr_problem_name(b->problem), name, b->count, middle[CLOCK], middle[COPY], middle[SOLVE],
           middle[EACH], middle[EACH] / larger, middle[PINNED], middle[DEVICE], middle[PARENTS]);
    fflush(stdout);
}

static void measure_problem(bench *b, const char *name, fr_problem problem) {
    const fr_solver_options options = {.backend = FR_BACKEND_CUDA};
    void *pinned, *device;
    b->problem = problem;
    need(b->ctx, fr_solver_new(b->ctx, b->graph, problem, &options, &b->solver));
    b->n = (size_t)fr_graph_vertex_count(b->graph);
    b->row = b->n * (problem == FR_PROBLEM_BFS ? sizeof(int32_t)
                                               : fr_type_size(fr_solver_dist_type(b->solver)));
    choose_sources(b);
    b->host = malloc(b->row * (size_t)b->count);
    b->parents = malloc(b->n * sizeof *b->parents * (size_t)b->count);
    must(cudaMallocHost(&pinned, b->row * (size_t)b->count));
    must(cudaMalloc(&device, b->row * (size_t)b->count));
    if (!b->host || !b->parents)
        give_up("not enough memory");
    b->pinned = pinned;
    b->device = device;
    check(b);
    measure(b, name);
    free(b->host);
    free(b->parents);
    cudaFreeHost(pinned);
    cudaFree(device);
    fr_solver_free(b->solver);
}

/* ---- a graph on the device --------------------------------------------------------------- */

static void *on_device(const void *from, size_t bytes) {
    void *to = NULL;
    must(cudaMalloc(&to, bytes));
    must(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
    return to;
}

/* The time of a new BFS solver; its levels are those of `b`. */
static double time_solver(bench *b, fr_graph *graph, const int32_t *want) {
    const fr_solver_options options = {.backend = FR_BACKEND_CUDA};
    const double begin = now_ms();
    need(b->ctx, fr_solver_new(b->ctx, graph, FR_PROBLEM_BFS, &options, &b->solver));
    const double ms = now_ms() - begin;
    int32_t *level = malloc(b->n * sizeof *level);
    if (!level)
        give_up("not enough memory");
    b->problem = FR_PROBLEM_BFS;
    solve(b, b->sources[0], (char *)level);
    if (want && memcmp(level, want, b->n * sizeof *level) != 0)
        give_up("the graph on the device gives other levels");
    free(level);
    fr_solver_free(b->solver);
    return ms;
}

static void measure_borrowing(bench *b, const char *name) {
    const fr_csr *csr = fr_graph_csr(b->graph);
    fr_device_csr rows = FR_INIT(fr_device_csr);
    int32_t *want = malloc(b->n * sizeof *want);
    double ms[REPEATS], solver = 0;
    rows.n = csr->n;
    rows.m = csr->m;
    rows.symmetric = csr->symmetric;
    rows.weight_type = csr->weight_type;
    rows.offsets = on_device(csr->offsets, (b->n + 1) * sizeof *csr->offsets);
    rows.targets = on_device(csr->targets, (size_t)csr->m * sizeof *csr->targets);
    rows.weights = on_device(csr->weights, (size_t)csr->m * fr_type_size(csr->weight_type));
    if (!want || fr_bfs(b->ctx, b->graph, b->sources[0], want, NULL))
        give_up("no levels to compare with");
    for (int i = 0; i < REPEATS; i++) {
        fr_graph *graph;
        const double begin = now_ms();
        need(b->ctx, fr_graph_from_device_csr(b->ctx, &rows, &graph));
        ms[i] = now_ms() - begin;
        if (i == 0)
            solver = time_solver(b, graph, want);
        fr_graph_free(graph);
    }
    printf("     %-8s from device CSR %.3f ms, first solver %.3f ms", name, median(ms, REPEATS),
           solver);
    cudaFree((void *)(uintptr_t)rows.offsets);
    cudaFree((void *)(uintptr_t)rows.targets);
    cudaFree((void *)(uintptr_t)rows.weights);
    free(want);
}

/* The rows of a graph whose copy is on the device already are borrowed by another graph. */
static void measure_uploading(bench *b) {
    fr_graph *again;
    need(b->ctx, fr_graph_from_csr(b->ctx, fr_graph_csr(b->graph), &again));
    printf(", a solver that uploads %.3f ms\n", time_solver(b, again, NULL));
    fr_graph_free(again);
}

static bool is_chosen(const char *name, int argc, char **argv) {
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return true;
    return argc == 0;
}

int main(int argc, char **argv) {
    static bench b = {.wanted = 64};
    fr_ctx_options how = {0};
    const char *problem = NULL;
    for (int option; (option = getopt(argc, argv, "n:p:t:h")) != -1;)
        switch (option) {
        case 'n': b.wanted = atoi(optarg); break;
        case 'p': problem = optarg; break;
        case 't': how.threads = atoi(optarg); break;
        default:
            printf("usage: batch_wall [-n SOURCES] [-t THREADS] [-p bfs|sssp] [GRAPH]...\n");
            return option == 'h' ? 0 : 2;
        }
    if (b.wanted < 1 || b.wanted > MAX_SOURCES || fr_ctx_new(&how, &b.ctx))
        give_up("-n takes 1 to 256, -t 0 (all) to 4096");
    printf("%-4s %-8s %3s %8s %8s %8s %8s %8s %8s %8s %8s   ms a query, %d threads\n", "", "graph",
           "n", "clock", "copy", "solve", "each", "ratio", "pinned", "device", "parents",
           fr_ctx_threads(b.ctx));
    for (int i = 0; i < (int)(sizeof graphs / sizeof *graphs); i++) {
        fr_load_options options = graphs[i].load;
        if (!is_chosen(graphs[i].name, argc - optind, argv + optind))
            continue;
        options.weights = FR_WEIGHTS_RANDOM;
        options.weight_low = 1;
        options.weight_high = 255;
        need(b.ctx, fr_graph_generate(b.ctx, graphs[i].spec, &options, &b.graph));
        for (int p = FR_PROBLEM_BFS; p <= FR_PROBLEM_SSSP; p++)
            if (!problem || strcmp(problem, fr_problem_name((fr_problem)p)) == 0)
                measure_problem(&b, graphs[i].name, (fr_problem)p);
        measure_borrowing(&b, graphs[i].name);
        measure_uploading(&b);
        fr_graph_free(b.graph);
    }
    fr_ctx_free(b.ctx);
}
