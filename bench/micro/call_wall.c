/* What a caller waits for: the wall time of fr_solve compared with the clock of the traversal, by where the
 * results go, for the graphs of `fringe bench --suite gpu`.
 *
 *   call_wall [-g DIR] [-n SOURCES] [-p bfs|sssp] [-t THREADS] [GRAPH]...
 *
 * -g the folder of cnr-2000 and osm-moscow-roads (left out without it), -p only this problem, GRAPH
 * only graphs of these names. Prints medians in ms over sources that reach a tenth of the graph:
 *
 *   clock    stats.traverse_ns
 *   none     no array asked for
 *   device   levels or distances in memory of the GPU
 *   pinned   levels or distances in a page-locked array
 *   warm     levels or distances in an array that was used before
 *   fresh    levels or distances in an array that was never touched
 *   parents  warm, with parents
 *
 * The first source's answer is checked, and all arrays must be equal. Exits 1 if not.
 */
#include "micro.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { DRAWS = 8, MAX_SOURCES = 1024 };

static const struct {
    const char *name, *spec;
    fr_load_options load;
} graphs[] = {
#define UNDIRECTED .direction = FR_DIRECTION_UNDIRECTED
#define SIMPLE     UNDIRECTED, .drop_loops = true, .drop_parallel = true
    {"kron21", "kronecker:scale=21,edge_factor=16,seed=1", {UNDIRECTED}},
    {"uniform", "uniform:n=2000000,edges=64000000,seed=1", {UNDIRECTED}},
    {"lj-like", "rmat:scale=23,edges=72000000,n=4847571,seed=1", {SIMPLE}},
    {"wiki-like", "rmat:scale=22,edges=5400000,n=2394385,seed=1", {SIMPLE}},
    {"lattice", "grid2d:rows=1400,cols=1400,keep=0.7,seed=1", {.direction = FR_DIRECTION_FILE}},
    {"grid3d", "grid3d:x=215,y=215,z=215", {.direction = FR_DIRECTION_FILE}},
    {"cnr-2000", "cnr-2000", {UNDIRECTED}},
    {"moscow", "osm-moscow-roads", {.direction = FR_DIRECTION_FILE}},
    {"kron24", "kronecker:scale=24,edge_factor=16,seed=1", {UNDIRECTED}},
};

typedef enum way { NONE, ON_DEVICE, PINNED, WARM, FRESH, PARENTS, WAYS } way;

typedef struct bench {
    fr_ctx *ctx;
    fr_graph *graph;
    fr_solver *solver;
    fr_problem problem;
    int32_t n;
    size_t bytes; /* of the levels or distances */
    void *value, *pinned, *device;
    int32_t *parent;
    int32_t sources[MAX_SOURCES];
    int count, wanted;
    double ms[WAYS][MAX_SOURCES], clock[MAX_SOURCES];
} bench;

static _Noreturn void give_up(const char *what) {
    fprintf(stderr, "call_wall: %s\n", what);
    exit(EXIT_FAILURE);
}

static void must(cudaError_t error) {
    if (error)
        give_up(cudaGetErrorString(error));
}

static fr_stats solve(const bench *b, int32_t source, void *value, int32_t *parent,
                      fr_memory memory) {
    const bool bfs = b->problem == FR_PROBLEM_BFS;
    fr_query query = {.sources = &source, .source_count = 1, .result_memory = memory};
    fr_result result = {.level = bfs ? value : NULL, .dist = bfs ? NULL : value, .parent = parent};
    need(b->ctx, fr_solve(b->solver, &query, &result));
    return result.stats;
}

/* Random vertices with edges that reach a tenth of the graph. */
static void choose_sources(bench *b) {
    const fr_csr *csr = fr_graph_csr(b->graph);
    uint64_t state = 1;
    b->count = 0;
    for (int i = 0; i < DRAWS * b->wanted && b->count < b->wanted; i++) {
        int32_t v = (int32_t)(draw(&state) % (uint64_t)csr->n);
        if (csr->offsets[v] == csr->offsets[v + 1])
            continue;
        if (solve(b, v, NULL, NULL, FR_MEMORY_HOST).reached >= csr->n / 10)
            b->sources[b->count++] = v;
    }
    if (!b->count)
        give_up("no source reaches a tenth of the graph");
}

static fr_stats into_fresh(const bench *b, int32_t source) {
    void *fresh = mmap(NULL, b->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == MAP_FAILED)
        give_up("not enough memory");
    fr_stats stats = solve(b, source, fresh, NULL, FR_MEMORY_HOST);
    munmap(fresh, b->bytes);
    return stats;
}

static fr_stats run(const bench *b, way how, int32_t source) {
    switch (how) {
    case NONE: return solve(b, source, NULL, NULL, FR_MEMORY_HOST);
    case ON_DEVICE: return solve(b, source, b->device, NULL, FR_MEMORY_DEVICE);
    case PINNED: return solve(b, source, b->pinned, NULL, FR_MEMORY_HOST);
    case WARM: return solve(b, source, b->value, NULL, FR_MEMORY_HOST);
    case FRESH: return into_fresh(b, source);
    default: return solve(b, source, b->value, b->parent, FR_MEMORY_HOST);
    }
}

/* The checked answer, and the same in every array. */
static void check(const bench *b) {
    fr_query query = {.sources = b->sources, .source_count = 1};
    run(b, PARENTS, b->sources[0]);
    need(b->ctx, b->problem == FR_PROBLEM_BFS
                     ? fr_verify_bfs(b->ctx, b->graph, &query, b->value, b->parent)
                     : fr_verify_sssp(b->ctx, b->graph, &query, false, b->value,
                                      fr_solver_dist_type(b->solver), b->parent));
    run(b, PINNED, b->sources[0]);
    if (memcmp(b->value, b->pinned, b->bytes) != 0)
        give_up("the page-locked array differs");
    run(b, ON_DEVICE, b->sources[0]);
    must(cudaMemcpy(b->pinned, b->device, b->bytes, cudaMemcpyDeviceToHost));
    if (memcmp(b->value, b->pinned, b->bytes) != 0)
        give_up("the array on the device differs");
}

static void measure(bench *b) {
    for (int how = 0; how < WAYS; how++) {
        run(b, (way)how, b->sources[0]); /* warm-up */
        for (int i = 0; i < b->count; i++) {
            fr_stats stats = run(b, (way)how, b->sources[i]);
            b->ms[how][i] = (double)stats.call_ns * 1e-6;
            if (how == WARM)
                b->clock[i] = (double)stats.traverse_ns * 1e-6;
        }
    }
}

static void take_arrays(bench *b) {
    void *parent = malloc((size_t)b->n * sizeof *b->parent);
    b->value = malloc(b->bytes);
    b->parent = parent;
    if (!b->value || !parent)
        give_up("not enough memory");
    must(cudaMallocHost(&b->pinned, b->bytes));
    must(cudaMalloc(&b->device, b->bytes));
}

static void free_arrays(bench *b) {
    free(b->value);
    free(b->parent);
    cudaFreeHost(b->pinned);
    cudaFree(b->device);
}

static void measure_problem(bench *b, const char *name, fr_problem problem) {
    fr_solver_options options = {.backend = FR_BACKEND_CUDA};
    b->problem = problem;
    need(b->ctx, fr_solver_new(b->ctx, b->graph, problem, &options, &b->solver));
    size_t size =
        problem == FR_PROBLEM_BFS ? sizeof(int32_t) : fr_type_size(fr_solver_dist_type(b->solver));
    b->n = fr_graph_vertex_count(b->graph);
    b->bytes = (size_t)b->n * size;
    take_arrays(b);
    choose_sources(b);
    check(b);
    measure(b);
    printf("%-4s %-10s %3d %8.3f", fr_problem_name(problem), name, b->count,
           median(b->clock, b->count));
    for (int how = 0; how < WAYS; how++)
        printf(" %8.3f", median(b->ms[how], b->count));
    printf("\n");
    fflush(stdout);
    free_arrays(b);
    fr_solver_free(b->solver);
}

/* False: a file, and no folder is named. */
static bool load(bench *b, int which, const char *folder) {
    fr_load_options options = graphs[which].load;
    char path[4096];
    options.weights = FR_WEIGHTS_RANDOM;
    options.weight_low = 1;
    options.weight_high = 255;
    options.seed = 1;
    if (strchr(graphs[which].spec, ':')) {
        need(b->ctx, fr_graph_generate(b->ctx, graphs[which].spec, &options, &b->graph));
        return true;
    }
    static const char *const suffixes[] = {"",    ".fringe", ".mtx",   ".mtx.zst",  ".mtx.gz",
                                           ".gr", ".gr.zst", ".graph", ".graph.zst"};
    for (size_t i = 0; folder && i < sizeof suffixes / sizeof *suffixes; i++) {
        snprintf(path, sizeof path, "%s/%s%s", folder, graphs[which].spec, suffixes[i]);
        if (access(path, R_OK) == 0) {
            need(b->ctx, fr_graph_load(b->ctx, path, &options, &b->graph));
            return true;
        }
    }
    return false;
}

static bool is_chosen(const char *name, int argc, char **argv) {
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return true;
    return argc == 0;
}

int main(int argc, char **argv) {
    static bench b = {.wanted = 32};
    fr_ctx_options how = {0};
    const char *folder = NULL, *problem = NULL;
    for (int option; (option = getopt(argc, argv, "g:n:p:t:h")) != -1;)
        switch (option) {
        case 'g': folder = optarg; break;
        case 'n': b.wanted = atoi(optarg); break;
        case 'p': problem = optarg; break;
        case 't': how.threads = atoi(optarg); break;
        default:
            printf(
                "usage: call_wall [-g DIR] [-n SOURCES] [-p bfs|sssp] [-t THREADS] [GRAPH]...\n");
            return option == 'h' ? 0 : 2;
        }
    if (b.wanted < 1 || b.wanted > MAX_SOURCES || fr_ctx_new(&how, &b.ctx))
        give_up("-n takes 1 to 1024, -t 0 (all) to 4096");
    printf("%-4s %-10s %3s %8s %8s %8s %8s %8s %8s %8s   ms, %d threads\n", "", "graph", "n",
           "clock", "none", "device", "pinned", "warm", "fresh", "parents", fr_ctx_threads(b.ctx));
    for (int i = 0; i < (int)(sizeof graphs / sizeof *graphs); i++) {
        if (!is_chosen(graphs[i].name, argc - optind, argv + optind))
            continue;
        if (!load(&b, i, folder)) {
            printf("     %-10s left out: a file, which needs -g DIR\n", graphs[i].name);
            continue;
        }
        for (int p = FR_PROBLEM_BFS; p <= FR_PROBLEM_SSSP; p++)
            if (!problem || strcmp(problem, fr_problem_name((fr_problem)p)) == 0)
                measure_problem(&b, graphs[i].name, (fr_problem)p);
        fr_graph_free(b.graph);
    }
    fr_ctx_free(b.ctx);
}
