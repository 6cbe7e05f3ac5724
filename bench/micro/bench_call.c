/* What a caller waits for: the time of the call compared with the clock of the traversal, by where the results
 * go and by how many sources a call has.
 *
 *   bench_call [-b cpu|cuda] [-p bfs|sssp] [-u] [-d] [-n SOURCES] [-t THREADS] GRAPH
 *
 * GRAPH: a file or the description of a generated graph; -u undirected, -d without self-loops and parallel
 * edges; weights 1 to 255. Prints one JSON line per problem: ms over sources that reach a tenth of the
 * graph, in turns:
 *
 *   clock    the traversal, by its clock
 *   none     no array asked for
 *   warm     levels or distances in an array that was used before
 *   fresh    levels or distances in an array that was never touched
 *   parents  warm, with parents
 *   pinned   levels or distances in a page-locked array       (GPU)
 *   device   levels or distances in memory of the GPU         (GPU)
 *
 * and each_warm, each_parents, each_pinned, each_device: fr_solve_each of all sources, by source. The first
 * source's answer is verified, and each way must give the same. Exits 1 if one does not. */
#include "turns.h"

#include <sys/mman.h>
#include <unistd.h>
#ifdef BENCH_CUDA
#include <cuda_runtime_api.h>
#endif

enum { MAX_SOURCES = 1024, EACH_ROUNDS = 5 };

typedef struct bench {
    fr_ctx *ctx;
    fr_graph *graph;
    fr_solver *solver;
    fr_backend backend;
    fr_problem problem;
    size_t bytes; /* of the levels or distances from one source */
    char *warm, *pinned, *device, *wanted;
    int32_t *parent;
    int32_t sources[MAX_SOURCES];
    double clock[MAX_SOURCES];
    int count;
} bench;

/* ---- memory -------------------------------------------------------------------------------- */

#ifdef BENCH_CUDA
static void must(cudaError_t error) {
    if (error)
        give_up(cudaGetErrorString(error));
}
static void take_gpu_memory(bench *b) {
    must(cudaMallocHost((void **)&b->pinned, b->bytes * (size_t)b->count));
    must(cudaMalloc((void **)&b->device, b->bytes * (size_t)b->count));
}
static void free_gpu_memory(bench *b) {
    cudaFreeHost(b->pinned);
    cudaFree(b->device);
}
static void copy(void *to, const void *from, size_t bytes) {
    must(cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
}
#else
static void take_gpu_memory(bench *b) { (void)b, give_up("a build without CUDA"); }
static void free_gpu_memory(bench *b) { (void)b; }
static void copy(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }
#endif

static void *fresh_memory(size_t bytes) {
    void *fresh = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == MAP_FAILED)
        give_up("not enough memory");
    return fresh;
}

/* ---- ways ---------------------------------------------------------------------------------- */

typedef enum place { NOWHERE, WARM, FRESH, PINNED, ON_DEVICE } place;

typedef struct way {
    const char *name;
    place to;
    bool parents, each, gpu;
    bench *b;
} way;

static const way all_ways[] = {
    {"none", NOWHERE},
    {"warm", WARM},
    {"fresh", FRESH},
    {"parents", WARM, .parents = true},
    {"pinned", PINNED, .gpu = true},
    {"device", ON_DEVICE, .gpu = true},
    {"each_warm", WARM, .each = true},
    {"each_parents", WARM, .parents = true, .each = true},
    {"each_pinned", PINNED, .each = true, .gpu = true},
    {"each_device", ON_DEVICE, .each = true, .gpu = true},
};
enum { WAYS = sizeof all_ways / sizeof *all_ways };

static char *memory_of(const bench *b, place to) {
    return to == WARM ? b->warm : to == PINNED ? b->pinned : to == ON_DEVICE ? b->device : NULL;
}

static fr_stats solve(const way *w, int32_t source, void *values) {
    const bench *b = w->b;
    const bool bfs = b->problem == FR_PROBLEM_BFS;
    const fr_query query = {.sources = w->each ? b->sources : &source,
                            .source_count = w->each ? b->count : 1,
                            .result_memory =
                                w->to == ON_DEVICE ? FR_MEMORY_DEVICE : FR_MEMORY_HOST};
    fr_result result = {.level = bfs ? values : NULL,
                        .dist = bfs ? NULL : values,
                        .parent = w->parents ? b->parent : NULL};
    need(b->ctx, w->each ? fr_solve_each(b->solver, &query, &result, NULL)
                         : fr_solve(b->solver, &query, &result));
    return result.stats;
}

/* ms by source. */
static double run(void *what, int round) {
    const way *w = what;
    bench *b = w->b;
    const int at = round < 0 || w->each ? 0 : round;
    void *values = w->to == FRESH ? fresh_memory(b->bytes) : memory_of(b, w->to);
    const fr_stats stats = solve(w, b->sources[at], values);
    if (w->to == FRESH)
        munmap(values, b->bytes);
    if (w->to == WARM && !w->each && !w->parents)
        b->clock[at] = 1e-6 * (double)stats.traverse_ns;
    return 1e-6 * (double)stats.call_ns / (w->each ? b->count : 1);
}

/* ---- checks -------------------------------------------------------------------------------- */

static void check(bench *b, way *ways) {
    char *row = need_memory(b->bytes);
    const way answer = {
        .to = WARM, .parents = true, .b = b}; /* verified, and what others must give */
    for (int i = 0; i < b->count; i++) {
        char *values = b->wanted + (size_t)i * b->bytes;
        solve(&answer, b->sources[i], values);
        if (i == 0 &&
            !is_right(b->ctx, b->graph, b->solver, b->problem, b->sources[0], values, b->parent))
            give_up("the first answer is wrong");
    }
    for (int k = 0; k < WAYS; k++) {
        const way *w = &ways[k];
        char *to = memory_of(b, w->to);
        if (!w->b || !to)
            continue;
        solve(w, b->sources[0], to);
        for (int i = 0; i < (w->each ? b->count : 1); i++) {
            copy(row, to + (size_t)i * b->bytes, b->bytes);
            if (memcmp(row, b->wanted + (size_t)i * b->bytes, b->bytes) != 0)
                give_up(w->name);
        }
    }
    free(row);
}

/* ---- a problem ----------------------------------------------------------------------------- */

static void take_memory(bench *b, int wanted) {
    const size_t n = (size_t)fr_graph_vertex_count(b->graph);
    b->bytes = n * (b->problem == FR_PROBLEM_BFS ? sizeof(int32_t)
                                                 : fr_type_size(fr_solver_dist_type(b->solver)));
    b->count = random_sources(b->ctx, b->graph, b->solver, 1, b->sources, wanted);
    if (!b->count)
        give_up("no source reaches a tenth of the graph");
    b->warm = need_memory(b->bytes * (size_t)b->count);
    b->wanted = need_memory(b->bytes * (size_t)b->count);
    b->parent = need_memory(n * sizeof *b->parent * (size_t)b->count);
    if (b->backend == FR_BACKEND_CUDA)
        take_gpu_memory(b);
}

static void measure(bench *b, const char *graph, int wanted) {
    const fr_solver_options options = {.backend = b->backend};
    way ways[WAYS];
    turn turns[WAYS];
    int count = 0, singles = 0;
    need(b->ctx, fr_solver_new(b->ctx, b->graph, b->problem, &options, &b->solver));
    take_memory(b, wanted);
    for (int k = 0; k < WAYS; k++) {
        ways[k] = all_ways[k];
        ways[k].b = ways[k].gpu && b->backend != FR_BACKEND_CUDA ? NULL : b;
        if (ways[k].b) {
            singles += !ways[k].each;
            turns[count++] = (turn){.run = run, .what = &ways[k]};
        }
    }
    check(b, ways);
    take_turns(turns, singles, b->count, 0);
    take_turns(turns + singles, count - singles, EACH_ROUNDS, 0);
    line_begin();
    line_text("problem", fr_problem_name(b->problem));
    line_text("graph", graph);
    line_count("sources", b->count);
    line_count("threads", fr_ctx_threads(b->ctx));
    line_spread("clock_ms", b->clock, b->count);
    for (int k = 0; k < count; k++) {
        char key[32];
        snprintf(key, sizeof key, "%s_ms", ((way *)turns[k].what)->name);
        line_spread(key, turns[k].values, turns[k].count);
    }
    line_end();
    turns_free(turns, count);
    free(b->warm), free(b->wanted), free(b->parent);
    free_gpu_memory(b);
    fr_solver_free(b->solver);
}

int main(int argc, char **argv) {
    static bench b = {.backend = FR_BACKEND_CUDA};
    fr_load_options load = {
        .weights = FR_WEIGHTS_RANDOM, .weight_low = 1, .weight_high = 255, .seed = 1};
    const char *problem = NULL;
    int wanted = 32, threads = 0;
    bool good = true;
    for (int c; (c = getopt(argc, argv, "b:p:udn:t:")) != -1;)
        switch (c) {
        case 'b': b.backend = strcmp(optarg, "cpu") ? FR_BACKEND_CUDA : FR_BACKEND_CPU; break;
        case 'p': problem = optarg; break;
        case 'u': load.direction = FR_DIRECTION_UNDIRECTED; break;
        case 'd': load.drop_loops = load.drop_parallel = true; break;
        case 'n': wanted = atoi(optarg); break;
        case 't': threads = atoi(optarg); break;
        default: good = false;
        }
    if (!good || optind + 1 != argc || wanted < 1 || wanted > MAX_SOURCES) {
        fputs("usage: bench_call [-b cpu|cuda] [-p bfs|sssp] [-u] [-d] [-n SOURCES] [-t THREADS] "
              "GRAPH\n",
              stderr);
        return 2;
    }
    b.ctx = open_threads(threads);
    b.graph = open_graph(b.ctx, argv[optind], &load);
    for (int p = FR_PROBLEM_BFS; p <= FR_PROBLEM_SSSP; p++) {
        b.problem = (fr_problem)p;
        if (!problem || strcmp(problem, fr_problem_name(b.problem)) == 0)
            measure(&b, argv[optind], wanted);
    }
    fr_graph_free(b.graph);
    fr_ctx_free(b.ctx);
    return 0;
}
