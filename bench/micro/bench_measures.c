/* Components and centrality on the GPU compared with the CPU: wall time of the calls, in turns, and whether the
 * answers agree.
 *
 *   bench_measures [--cpu] [--extents | --weighted | GRAPH...]
 *
 * GRAPH: a file or a generator's description; by default kronecker graphs of scale 20 and 22, a
 * lattice, a uniform random graph and, for closeness, small ones: under two minutes on 16 cores with an
 * H200. --extents: strong components of directed graphs, eccentricities and diameters alone, of graphs
 * of their own: about a minute. --weighted: betweenness, closeness and harmonic centrality by weights, of
 * graphs of their own: less than a minute. One line of JSON per call: cpu_ms and cuda_ms, and of the first
 * calls; the first one on the GPU uploads the graph. Without a GPU, or with --cpu, only the CPU is timed.
 * Exit status 1: answers differ. */
#include "fringe_measures.h"
#include "turns.h"

#include <math.h>

enum { MAX_REPEATS = 7, SAMPLES = 64, CLOSENESS_VERTICES = 1 << 16 };
/* ms: a longer call is not repeated; time for the calls of a row */
static const double long_call = 3e3, usual_row = 6e3, short_row = 1.5e3;

typedef struct {
    fr_ctx *ctx;
    fr_graph *graph;
    const char *name;
    int32_t n;
    bool gpu, directed, weighted;
    double row_ms;
} bench;

/* One call; its answer is [n] doubles, so that any two can be compared. */
typedef fr_status (*call_fn)(const bench *b, fr_backend backend, double *answer);

/* The labels and the sizes fill the array of doubles. */
static fr_status components(const bench *b, fr_backend backend, double *answer) {
    int32_t *label = (int32_t *)(void *)answer, count;
    return fr_components(b->ctx, b->graph, FR_COMPONENTS_WEAK, backend, label, label + b->n,
                         &count);
}
static fr_status betweenness(const bench *b, fr_backend backend, double *answer) {
    fr_betweenness_options options = {.struct_size = sizeof options,
                                      .normalized = true,
                                      .samples = SAMPLES,
                                      .seed = 1,
                                      .backend = backend};
    return fr_betweenness(b->ctx, b->graph, &options, answer, NULL);
}
static fr_status closeness(const bench *b, fr_backend backend, double *answer) {
    return fr_closeness(b->ctx, b->graph, false, backend, answer);
}

static fr_status exact(const bench *b, fr_backend backend, double *answer) {
    fr_betweenness_options options = {.struct_size = sizeof options, .backend = backend};
    return fr_betweenness(b->ctx, b->graph, &options, answer, NULL);
}
static fr_status harmonic(const bench *b, fr_backend backend, double *answer) {
    return fr_harmonic(b->ctx, b->graph, backend, answer);
}

static fr_status strong(const bench *b, fr_backend backend, double *answer) {
    int32_t *label = (int32_t *)(void *)answer, count;
    return fr_components(b->ctx, b->graph, FR_COMPONENTS_STRONG, backend, label, label + b->n,
                         &count);
}
static fr_status eccentricity(const bench *b, fr_backend backend, double *answer) {
    return fr_eccentricity(b->ctx, b->graph, backend, answer, NULL, NULL, NULL);
}
static fr_status diameter(const bench *b, fr_backend backend, double *answer) {
    int64_t passes;
    fr_status status =
        fr_eccentricity(b->ctx, b->graph, backend, NULL, &answer[0], &answer[1], &passes);
    fprintf(stderr, "%s: %lld traversals, diameter %g, radius %g\n", b->name, (long long)passes,
            answer[0], answer[1]);
    return status;
}

static double difference(const double *a, const double *b, int32_t n) {
    double maximum = 0;
    for (int32_t v = 0; v < n; v++)
        if (a[v] != b[v])
            maximum = fmax(maximum, fabs(a[v] - b[v]) / fmax(fabs(a[v]), 1e-300));
    return maximum;
}

/* One device's turns at a call; the first round warms. */
typedef struct {
    const bench *b;
    call_fn call;
    fr_backend backend;
    double first_ms, *answer;
} device;

static double time_call(void *what, int round) {
    device *d = what;
    const double begin = now_ms();
    if (round >= 0 && d->first_ms >= long_call) /* is not repeated */
        return d->first_ms;
    need(d->b->ctx, d->call(d->b, d->backend, d->answer));
    const double ms = now_ms() - begin;
    if (round < 0)
        d->first_ms = ms;
    return ms;
}

/* Labels must be equal, scores by 12 digits. Returns whether they are. */
static bool compare(const bench *b, const char *what, call_fn call, double allowed) {
    const size_t bytes = (size_t)b->n * sizeof(double);
    const int count = 1 + b->gpu;
    device devices[] = {{b, call, FR_BACKEND_CPU, 0, need_memory(bytes)},
                        {b, call, FR_BACKEND_CUDA, 0, need_memory(bytes)}};
    turn turns[2];
    for (int i = 0; i < count; i++) {
        turns[i] = (turn){.run = time_call, .what = &devices[i]};
        memset(devices[i].answer, 0, bytes); /* takes the page faults */
    }
    take_turns(turns, count, MAX_REPEATS, b->row_ms);
    const double *cpu = devices[0].answer, *gpu = devices[1].answer;
    const bool same = !b->gpu || !memcmp(cpu, gpu, bytes);
    const double by = same || allowed == 0 ? 0 : difference(cpu, gpu, b->n);
    line_begin();
    line_text("graph", b->name);
    line_flag("directed", b->directed);
    line_flag("weighted", b->weighted);
    line_text("what", what);
    line_count("threads", fr_ctx_threads(b->ctx));
    for (int i = 0; i < count; i++) {
        line_number(i ? "cuda_first_ms" : "cpu_first_ms", devices[i].first_ms);
        line_spread(i ? "cuda_ms" : "cpu_ms", turns[i].values, turns[i].count);
    }
    if (b->gpu) {
        line_flag("same", same);
        line_number("relative_difference", by);
    }
    line_end();
    turns_free(turns, count);
    free(devices[0].answer);
    free(devices[1].answer);
    return same || (allowed > 0 && by <= allowed);
}

static void load(bench *b, const char *name) {
    fr_load_options options = {.struct_size = sizeof options,
                               .direction =
                                   b->directed ? FR_DIRECTION_DIRECTED : FR_DIRECTION_UNDIRECTED,
                               .weights = b->weighted ? FR_WEIGHTS_RANDOM : FR_WEIGHTS_NONE,
                               .weight_low = 1,
                               .weight_high = 1000};
    b->name = name;
    b->graph = open_graph(b->ctx, name, &options);
    b->n = fr_graph_vertex_count(b->graph);
}

/* A graph, a call, and how its answers must agree. */
typedef struct {
    const char *graph, *what;
    call_fn call;
    bool directed, weighted;
    double allowed; /* relative difference */
} row;

static bool run_row(bench *b, const row *r) {
    b->directed = r->directed;
    b->weighted = r->weighted;
    load(b, r->graph);
    const bool right = (r->call == closeness && !r->weighted && b->n > CLOSENESS_VERTICES) ||
                       compare(b, r->what, r->call, r->allowed);
    fr_graph_free(b->graph);
    return right;
}

/* The calls of a graph that is named; closeness of small ones alone. */
static bool run_graph(bench *b, const char *graph) {
    const row rows[] = {{graph, "components", components, false, false, 0},
                        {graph, "betweenness, 64 sources", betweenness, false, false, 1e-10},
                        {graph, "closeness", closeness, false, false, 0}};
    bool right = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        right &= run_row(b, &rows[i]);
    return right;
}

static const char *const graphs[] = {
    "kronecker:scale=14,seed=1",  "grid2d:rows=128,cols=128",
    "kronecker:scale=20,seed=1",  "uniform:n=1000000,edges=16000000,seed=1",
    "grid2d:rows=1000,cols=1000", "kronecker:scale=22,seed=1"};
enum { GRAPHS = sizeof graphs / sizeof *graphs };

/* For each graph the calls that end in seconds on the CPU. */
static const row extents[] = {
    {"kronecker:scale=14,seed=1", "strong components", strong, true, false, 0},
    {"kronecker:scale=20,seed=1", "strong components", strong, true, false, 0},
    {"kronecker:scale=22,seed=1", "strong components", strong, true, false, 0},
    {"uniform:n=1000000,edges=1500000,seed=1", "strong components", strong, true, false, 0},
    {"uniform:n=1000000,edges=16000000,seed=1", "strong components", strong, true, false, 0},
    {"kronecker:scale=14,seed=1", "eccentricity", eccentricity, false, false, 0},
    {"kronecker:scale=14,seed=1", "eccentricity", eccentricity, true, false, 0},
    {"grid2d:rows=128,cols=128", "eccentricity", eccentricity, false, false, 0},
    {"grid2d:rows=128,cols=128", "eccentricity", eccentricity, false, true, 0},
    {"uniform:n=20000,edges=200000,seed=1", "eccentricity", eccentricity, false, false, 0},
    {"kronecker:scale=16,seed=1", "diameter", diameter, false, false, 0},
    {"uniform:n=1000000,edges=1500000,seed=1", "diameter", diameter, false, false, 0},
    {"grid2d:rows=1000,cols=1000", "diameter", diameter, false, false, 0},
    {"grid2d:rows=1000,cols=1000", "diameter", diameter, false, true, 0},
    {NULL}};

static const row weighted[] = {
    {"kronecker:scale=12,seed=1", "betweenness", exact, false, true, 1e-10},
    {"kronecker:scale=12,seed=1", "closeness", closeness, false, true, 1e-10},
    {"kronecker:scale=13,seed=1", "closeness", closeness, true, true, 1e-10},
    {"grid2d:rows=64,cols=64", "betweenness", exact, false, true, 1e-10},
    {"grid2d:rows=96,cols=96", "closeness", closeness, false, true, 1e-10},
    {"grid2d:rows=96,cols=96", "harmonic", harmonic, false, true, 1e-10},
    {"uniform:n=8000,edges=80000,seed=1", "closeness", closeness, false, true, 1e-10},
    {"kronecker:scale=18,seed=1", "betweenness, 64 sources", betweenness, false, true, 1e-10},
    {"grid2d:rows=500,cols=500", "betweenness, 64 sources", betweenness, false, true, 1e-10},
    {NULL}};

int main(int argc, char **argv) {
    bench b = {.row_ms = usual_row};
    const row *rows = NULL;
    int at = 1, count = 0;
    bool right = true, cpu = false;
    for (; at < argc && argv[at][0] == '-'; at++) {
        cpu |= strcmp(argv[at], "--cpu") == 0;
        rows = strcmp(argv[at], "--extents") == 0    ? extents
               : strcmp(argv[at], "--weighted") == 0 ? weighted
                                                     : rows;
        if (strcmp(argv[at], "--help") == 0) {
            printf("usage: bench_measures [--cpu] [--extents | --weighted | GRAPH ...]\n");
            return 0;
        }
    }
    const bool usual = !rows && at == argc;
    b.row_ms = rows == weighted ? short_row : usual_row;
    b.ctx = open_threads(0);
    b.gpu = !cpu && !fr_device_count(b.ctx, &count) && count > 0;
    if (!b.gpu)
        fprintf(stderr, "only the CPU is timed%s%s\n", cpu ? "" : ": ",
                cpu ? "" : fr_ctx_error(b.ctx));
    for (; rows && rows->graph; rows++)
        right &= run_row(&b, rows);
    for (int i = at; i < argc; i++)
        right &= run_graph(&b, argv[i]);
    for (int i = 0; usual && i < GRAPHS; i++)
        right &= run_graph(&b, graphs[i]);
    fr_ctx_free(b.ctx);
    return !right;
}
