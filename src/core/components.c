/* fr_components: labels in the order of the least vertices. */
#include "core/call_backend.h"
#include "core/gpu_seam.h"
#include "graph/stats.h"

/* Replaces any labels of 0 to n by 0 .. count-1 in the order of their first vertices. */
static int32_t number(int32_t *label, int32_t n, int32_t *fresh) {
    int32_t count = 0;
    for (int32_t i = 0; i <= n; i++)
        fresh[i] = -1;
    for (int32_t v = 0; v < n; v++) {
        if (fresh[label[v]] < 0)
            fresh[label[v]] = count++;
        label[v] = fresh[label[v]];
    }
    return count;
}

static void count_sizes(const int32_t *label, int32_t n, int32_t count, int32_t *size) {
    for (int32_t c = 0; c < count; c++)
        size[c] = 0;
    for (int32_t v = 0; v < n; v++)
        size[label[v]]++;
}

static fr_status on_cpu(fr_ctx *ctx, const fr_graph *graph, bool strong, int32_t *label,
                        int32_t *size, int32_t *count) {
    const fr_csr *csr = &graph->csr;
    fri_undirected_view view = {.out = csr};
    fr_status status =
        strong ? fri_strong_components(ctx, csr, label) : fri_components(ctx, &view, label);
    int32_t *fresh = status ? NULL : fri_alloc(ctx, fri_bytes((int64_t)csr->n + 1, sizeof *fresh));
    if (!status && !fresh)
        status = FR_NOMEM;
    if (!status)
        *count = number(label, csr->n, fresh);
    if (!status && size)
        count_sizes(label, csr->n, *count, size);
    fri_free(fresh);
    return status;
}

/* The CPU skips most edges where most vertices are in one component. 32 threads were 2 to 4 times as
 * fast as one would be, so that 4 count. Constants: fitted to
 * bench/results/2026-11-22-h200-measures.jsonl (one H200, 32 cores). */
static fri_call_work work_of(const fr_graph *graph, bool strong) {
    const fr_csr *csr = &graph->csr;
    const double n = csr->n, m = (double)csr->m;
    return (fri_call_work){
        .name = "fr_components",
        .refused =
            strong ? "strong components of a directed graph are found on the CPU only" : NULL,
        .cpu_ns = 20 * n + (csr->symmetric ? 0.2 : 3) * m,
        .gpu_ns = 0.1e6 + 0.4 * n + (csr->symmetric ? 0.017 : 0.03) * m,
        .units = 4,
    };
}

fr_status fr_components(fr_ctx *ctx, const fr_graph *graph, fr_component_kind kind,
                        fr_backend backend, int32_t *label, int32_t *size, int32_t *count) {
    bool gpu;
    fri_begin(ctx);
    if (!graph || !label || !count || (unsigned)kind > FR_COMPONENTS_STRONG)
        return fri_fail(ctx, FR_INVALID,
                        "components need a graph, a kind, an array of labels and a count");
    *count = 0;
    fr_status status = fr_graph_check(ctx, graph);
    const bool strong = kind == FR_COMPONENTS_STRONG && !graph->csr.symmetric;
    const fri_call_work work = work_of(graph, strong);
    if (!status)
        status = fri_call_backend(ctx, graph, backend, &work, &gpu);
    if (status)
        return status;
#ifdef FRI_CUDA
    if (gpu) {
        status = fri_gpu_components(ctx, graph, label, size, count);
        if (!fri_call_falls_back(ctx, backend, status))
            return status;
    }
#endif
    return on_cpu(ctx, graph, strong, label, size, count);
}
