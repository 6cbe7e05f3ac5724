/* The key of a tuning result: a device, and a graph or similar graphs. */
#include "tune/cache_key.h"

#include "core/options.h"
#ifdef FRI_CUDA
#include "cuda/device/memory_plan.h"
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void cpu_name(char *out, size_t capacity) {
    FILE *file = fopen("/proc/cpuinfo", "re");
    char line[256];
    snprintf(out, capacity, "CPU");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        colon += 1 + strspn(colon + 1, " \t");
        snprintf(out, capacity, "%.*s", (int)strcspn(colon, "\n"), colon);
        break;
    }
    if (file)
        fclose(file);
}

fr_status fri_device_name(fr_ctx *ctx, fr_backend backend, char *out, size_t capacity) {
    char name[96] = "";
    fr_status status = FR_OK;
    if (backend == FR_BACKEND_CUDA) {
#ifdef FRI_CUDA
        status = fri_gpu_name(ctx, name, sizeof name);
#else
        status = fri_fail(ctx, FR_NO_DEVICE, "this build of fringe has no GPU strategies");
#endif
        snprintf(out, capacity, "%s", name);
    } else {
        cpu_name(name, sizeof name);
        snprintf(out, capacity, "%s, %d threads", name, ctx->threads);
    }
    for (char *at = out; *at; at++)
        if ((unsigned char)*at < ' ')
            *at = ' '; /* a tab ends a field of the tuning cache */
    return status;
}

static int64_t degree_max(fr_ctx *ctx, const fr_csr *csr) {
    int64_t maximum = 0;
#pragma omp parallel for reduction(max : maximum) num_threads(ctx->threads)
    for (int32_t v = 0; v < csr->n; v++)
        maximum = FRI_MAX(maximum, csr->offsets[v + 1] - csr->offsets[v]);
    return maximum;
}

static int magnitude(int64_t x) { return x < 1 ? 0 : (int)lround(log2((double)x)); }

/* Type, magnitude and sign of the weights: knobs that are a distance depend on them. */
static void describe_weights(fr_ctx *ctx, const fr_csr *csr, char out[48]) {
    static const fri_strategy any;
    fri_job job = {.ctx = ctx, .strategy = &any, .csr = *csr, .threads = ctx->threads};
    fri_options_weights(&job);
    bool is_unit = job.weight_min >= 1 && job.weight_max <= 1;
    double mean = fabs(job.weight_mean);
    snprintf(out, 48, "%s w%d%s", fr_type_name(csr->weight_type),
             mean > 0 ? (int)lround(log2(mean)) : 0,
             job.weight_min < 0 ? " below-0"
             : is_unit          ? " unit"
                                : "");
}

fr_status fri_tuning_key_of(fr_ctx *ctx, const fr_graph *graph, fr_problem problem,
                            fr_backend backend, bool unit_weights, fri_tuning_key *out) {
    fr_status status = graph ? fr_graph_check(ctx, graph)
                             : fri_fail(ctx, FR_INVALID, "a tuning cache needs a graph");
    if (!status)
        status = fri_device_name(ctx, backend, out->device, sizeof out->device);
    if (status)
        return status;
    const fr_csr *csr = fr_graph_csr(graph);
    bool weighted = problem != FR_PROBLEM_BFS && !unit_weights && csr->weights;
    out->problem = fr_problem_name(problem);
    out->backend = fr_backend_name(backend);
    out->hash[0] = 0;
    char weights[48] = "unweighted";
    if (weighted)
        describe_weights(ctx, csr, weights);
    snprintf(out->similar, sizeof out->similar, "n%d m%d d%d %s %s", magnitude(csr->n),
             magnitude(csr->m), magnitude(degree_max(ctx, csr)),
             csr->symmetric ? "undirected" : "directed", weights);
    return FR_OK;
}

void fri_tuning_key_hash(const fr_graph *graph, fri_tuning_key *key) {
    if (!*key->hash)
        snprintf(key->hash, sizeof key->hash, "%016llx", (unsigned long long)fr_graph_hash(graph));
}
