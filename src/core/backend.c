#include "core/backend.h"

#include "core/gpu_interface.h"

#include <math.h>
#include <stdio.h>

/* Nanoseconds of one core, or of the GPU; BFS, SSSP. Fitted on 16 cores of a host with an H200, with
 * the graphs of `fringe bench --suite gpu` and the roads of Amsterdam. A mesh has long shortest
 * paths and narrow frontiers, which occupy few cores; other graphs are traversed in few wide levels,
 * and where the degrees are skewed most edges are never read. */
static const struct {
    double vertex[2], edge[2]; /* not a mesh */
    double skewed_edge;        /* BFS */
    double directed_edge[2];   /* no bottom-up levels, no sorted rows */
    double rounds[2];          /* barriers of a parallel query */
    double prepare_edge[2];    /* the first query */
    double mesh_vertex[2];     /* one thread */
    double mesh_speedup;       /* for each further thread */
} cpu_cost = {
    .vertex = {15, 22},
    .edge = {0.6, 3.9},
    .skewed_edge = 0.3,
    .directed_edge = {1.2, 15},
    .rounds = {0, 5e6},
    .prepare_edge = {4, 16},
    .mesh_vertex = {24, 42},
    .mesh_speedup = 0.11,
};

static const struct {
    double open, solver, upload_byte;
    double launch, level[2]; /* a level of a mesh */
    double vertex[2], edge[2];
    double download_vertex;
} gpu_cost = {
    .open = 230e6,
    .solver = 1e6,
    .upload_byte = 0.08,
    .launch = 100e3,
    .level = {1400, 2200},
    .vertex = {0.02, 0.1},
    .edge = {0.0005, 0.007},
    .download_vertex = 0.1,
};

enum { SAMPLE = 512, MESH_DEGREE = 8, SKEW = 4, PARALLEL_EDGES = 1 << 18, OBVIOUS = 100 };
enum { WIDE_LEVELS = 10 }; /* of a graph that is not a mesh */

double fri_backend_edge_degree(const fr_csr *csr) {
    double sum = 0;
    int64_t step = FRI_MAX(csr->m / SAMPLE, 1), edges = 0;
    for (int64_t e = 0; e < csr->m; e += step, edges++) {
        int32_t v = csr->targets[e];
        sum += (double)(csr->offsets[v + 1] - csr->offsets[v]);
    }
    return edges ? sum / (double)edges : 0;
}

fri_backend_input fri_backend_input_of(const fr_csr *csr, int threads) {
    const bool weighted = csr->weight_type != FR_TYPE_NONE;
    return (fri_backend_input){.problem = weighted ? FR_PROBLEM_SSSP : FR_PROBLEM_BFS,
                               .weighted = weighted,
                               .threads = threads,
                               .n = csr->n,
                               .m = csr->m,
                               .symmetric = csr->symmetric,
                               .edge_degree = fri_backend_edge_degree(csr),
                               .queries = 1,
                               .upload_bytes = fri_bytes(csr->n, sizeof(int32_t)) +
                                               fri_bytes(csr->m, sizeof(int32_t)) +
                                               fri_bytes(csr->m, fr_type_size(csr->weight_type))};
}

#ifdef FRI_CUDA
void fri_backend_skip_done(fri_backend_input *in, const fr_ctx *ctx, const fr_graph *graph) {
    in->device_open = fri_gpu_is_open(ctx);
    if (in->device_open && graph && __atomic_load_n(&graph->resident, __ATOMIC_ACQUIRE))
        in->upload_bytes = 0;
}
#endif

static double mean_degree(const fri_backend_input *in) { return in->n ? (double)in->m / in->n : 0; }

static bool is_mesh(const fri_backend_input *in) {
    double mean = mean_degree(in);
    return mean <= MESH_DEGREE && in->edge_degree <= 2 * mean + 2;
}

/* A square lattice below six neighbors per vertex, a cubic one from there on. */
static double mesh_levels(const fri_backend_input *in) {
    return mean_degree(in) < 5.5 ? 1.5 * sqrt(in->n) : 2.2 * cbrt(in->n);
}

double fri_backend_levels(const fri_backend_input *in) {
    return is_mesh(in) ? mesh_levels(in) : WIDE_LEVELS;
}

static double cpu_edge(const fri_backend_input *in) {
    const int k = in->weighted;
    if (!in->symmetric)
        return cpu_cost.directed_edge[k];
    bool skewed = in->edge_degree > SKEW * mean_degree(in);
    return !k && skewed ? cpu_cost.skewed_edge : cpu_cost.edge[k];
}

static fri_backend_cost predict_cpu(const fri_backend_input *in) {
    const int k = in->weighted;
    const double threads = in->threads;
    double wide = (cpu_cost.vertex[k] * in->n + cpu_edge(in) * (double)in->m) / threads +
                  (in->m >= PARALLEL_EDGES ? cpu_cost.rounds[k] : 0);
    double narrow = cpu_cost.mesh_vertex[k] * in->n / (1 + cpu_cost.mesh_speedup * (threads - 1));
    return (fri_backend_cost){.prepare = cpu_cost.prepare_edge[k] * (double)in->m / threads,
                              .query = is_mesh(in) ? narrow : wide};
}

static fri_backend_cost predict_gpu(const fri_backend_input *in) {
    const int k = in->weighted;
    double work = gpu_cost.vertex[k] * in->n + gpu_cost.edge[k] * (double)in->m;
    double levels = is_mesh(in) ? mesh_levels(in) * gpu_cost.level[k] : 0;
    return (fri_backend_cost){
        .open = in->device_open ? 0 : gpu_cost.open,
        .prepare = gpu_cost.solver + gpu_cost.upload_byte * (double)in->upload_bytes,
        .query = gpu_cost.launch + work + levels + gpu_cost.download_vertex * in->n};
}

fri_backend_costs fri_backend_predict(const fri_backend_input *in) {
    return (fri_backend_costs){predict_cpu(in), predict_gpu(in)};
}

double fri_backend_total_ns(const fri_backend_input *in, const fri_backend_cost *c) {
    return c->open + c->prepare + in->queries * c->query;
}

fr_backend fri_backend_choose(const fri_backend_input *in) {
    fri_backend_costs costs = fri_backend_predict(in);
    double cpu = fri_backend_total_ns(in, &costs.cpu), gpu = fri_backend_total_ns(in, &costs.gpu);
    return gpu < cpu ? FR_BACKEND_CUDA : FR_BACKEND_CPU;
}

static const char *unit_of(double *ns) {
    static const struct {
        double ns;
        const char *name;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
    size_t i = 0;
    while (i < 3 && *ns < units[i].ns)
        i++;
    *ns /= units[i].ns;
    return units[i].name;
}

void fri_backend_explain(const fri_backend_input *in, char *text, size_t bytes) {
    fri_backend_costs costs = fri_backend_predict(in);
    double cpu = fri_backend_total_ns(in, &costs.cpu), gpu = fri_backend_total_ns(in, &costs.gpu);
    bool on_gpu = gpu < cpu;
    *text = 0;
    if (FRI_MAX(cpu, gpu) > OBVIOUS * FRI_MIN(cpu, gpu))
        return;
    double here = on_gpu ? gpu : cpu, there = on_gpu ? cpu : gpu;
    const char *unit = unit_of(&here), *other = unit_of(&there);
    snprintf(text, bytes, "on the %s: %.3g %s expected for %.0f %s, %.3g %s on the %s%s",
             on_gpu ? "GPU" : "CPU", here, unit, in->queries,
             in->problem == FR_PROBLEM_APSP ? "rows"
             : in->queries > 1              ? "queries"
                                            : "query",
             there, other, on_gpu ? "CPU" : "GPU",
             in->device_open ? "" : ", which is not open yet");
}
