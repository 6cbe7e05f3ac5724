#include "core/backend.h"

#include <math.h>
#include <stdio.h>

/* Nanoseconds of one core or of the GPU, fitted on 16 cores of an EPYC and an H200 with the graphs
 * of `fringe bench --suite gpu` (docs/performance.md). A mesh has long shortest paths and narrow
 * frontiers; all other graphs are traversed in few wide levels. */
static const struct {
    double cpu_vertex[2], cpu_edge[2]; /* BFS, SSSP; not a mesh */
    double cpu_directed_edge;          /* SSSP */
    double cpu_mesh_vertex[2];         /* elapsed, since narrow frontiers occupy few cores */
    double cpu_prepare_edge[2];
    double gpu_open, gpu_solver, gpu_launch;
    double gpu_upload_byte, gpu_download_vertex;
    double gpu_level[2]; /* of a mesh */
    double gpu_vertex[2], gpu_edge[2];
} cost = {
    .cpu_vertex = {20, 90},
    .cpu_edge = {0.6, 2.3},
    .cpu_directed_edge = 12,
    .cpu_mesh_vertex = {25, 20},
    .cpu_prepare_edge = {1, 3},
    .gpu_open = 300e6,
    .gpu_solver = 1e6,
    .gpu_launch = 50e3,
    .gpu_upload_byte = 0.025,
    .gpu_download_vertex = 0.1,
    .gpu_level = {1400, 2200},
    .gpu_vertex = {0.02, 0.1},
    .gpu_edge = {0.0005, 0.007},
};

enum { SAMPLE = 512, MESH_DEGREE = 8 };

double fri_backend_edge_degree(const fr_csr *csr) {
    double sum = 0;
    int64_t step = FRI_MAX(csr->m / SAMPLE, 1), edges = 0;
    for (int64_t e = 0; e < csr->m; e += step, edges++) {
        int32_t v = csr->targets[e];
        sum += (double)(csr->offsets[v + 1] - csr->offsets[v]);
    }
    return edges ? sum / (double)edges : 0;
}

static double mean_degree(const fri_backend_input *in) { return in->n ? (double)in->m / in->n : 0; }

static bool is_mesh(const fri_backend_input *in) {
    double mean = mean_degree(in);
    return mean <= MESH_DEGREE && in->edge_degree <= 2 * mean + 2;
}

/* A square lattice below six neighbors per vertex, a cubic one from there on. */
static double mesh_levels(const fri_backend_input *in) {
    return mean_degree(in) < 5.5 ? 1.5 * sqrt(in->n) : 2.2 * cbrt(in->n);
}

static fri_backend_cost predict_cpu(const fri_backend_input *in) {
    const int k = in->weighted;
    double edge = k && !in->symmetric ? cost.cpu_directed_edge : cost.cpu_edge[k];
    double work = cost.cpu_vertex[k] * in->n + edge * (double)in->m;
    fri_backend_cost c = {.prepare = cost.cpu_prepare_edge[k] * (double)in->m / in->threads,
                          .query =
                              is_mesh(in) ? cost.cpu_mesh_vertex[k] * in->n : work / in->threads};
    return c;
}

static fri_backend_cost predict_gpu(const fri_backend_input *in) {
    const int k = in->weighted;
    double work = cost.gpu_vertex[k] * in->n + cost.gpu_edge[k] * (double)in->m;
    double levels = is_mesh(in) ? mesh_levels(in) * cost.gpu_level[k] : 0;
    fri_backend_cost c = {
        .open = in->device_open ? 0 : cost.gpu_open,
        .prepare = cost.gpu_solver + cost.gpu_upload_byte * (double)in->upload_bytes,
        .query = cost.gpu_launch + work + levels + cost.gpu_download_vertex * in->n};
    return c;
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
    double here = on_gpu ? gpu : cpu, there = on_gpu ? cpu : gpu;
    const char *unit = unit_of(&here), *other = unit_of(&there);
    snprintf(text, bytes, "on the %s: %.2g %s expected for %.0f %s, %.2g %s on the %s%s",
             on_gpu ? "GPU" : "CPU", here, unit, in->queries,
             in->problem == FR_PROBLEM_APSP ? "rows"
             : in->queries > 1              ? "queries"
                                            : "query",
             there, other, on_gpu ? "CPU" : "GPU",
             in->device_open ? "" : ", which is not open yet");
}
