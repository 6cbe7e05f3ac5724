/* fr_components: labels in the order of the smallest vertices. */
#include "fringe_measures.h"
#include "core/call_backend.h"
#include "core/gpu_interface.h"
#include "graph/stats.h"

/* Replaces labels, each the smallest vertex of a component, by 0 .. count-1 in their order. */
static int32_t number_by_min(int32_t *label, int32_t n) {
    int32_t count = 0;
    for (int32_t v = 0; v < n; v++) {
        const int32_t min = label[v], known = label[min];
        label[v] = min == v ? count : known; /* without a branch, which would be hard to predict */
        count += min == v;
    }
    return count;
}

/* Replaces labels of 1 to n by 0 .. count-1 in the order of their first vertices. */
static fr_status number_first(fr_ctx *ctx, int32_t *label, int32_t n, int32_t *count) {
    int32_t *fresh = fri_calloc(ctx, fri_bytes((int64_t)n + 1, sizeof *fresh)), used = 0;
    if (!fresh)
        return FR_NOMEM;
    for (int32_t v = 0; v < n; v++) {
        int32_t *number = &fresh[label[v]];
        if (!*number)
            *number = ++used;
        label[v] = *number - 1;
    }
    fri_free(fresh);
    *count = used;
    return FR_OK;
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
    if (!status && strong)
        status = number_first(ctx, label, csr->n, count);
    else if (!status)
        *count = number_by_min(label, csr->n);
    if (!status && size)
        count_sizes(label, csr->n, *count, size);
    return status;
}

/* The CPU skips most edges where most vertices are in one component. 32 threads were 2 to 4 times as
 * fast as one would be, so that 4 count. Constants: fitted to times of one H200 and 32 cores,
 * 2026-11-22. */
static fri_call_work weak_work(const fr_csr *csr) {
    const double n = csr->n, m = (double)csr->m;
    return (fri_call_work){
        .name = "fr_components",
        .cpu_ns = 20 * n + (csr->symmetric ? 0.2 : 3) * m,
        .gpu_ns = 0.1e6 + 0.4 * n + (csr->symmetric ? 0.017 : 0.03) * m,
        .units = 4,
    };
}

/* The GPU runs two steps of trimming, two searches and some rounds of colors, each of at least `levels`
 * launches. Constants are fitted to an H200 and one thread of its host (commit 1246645, 2026-11-22). */
static fri_call_work strong_work(const fr_csr *csr) {
    const double n = csr->n, m = (double)csr->m, levels = FRI_MAX(fri_call_levels(csr), 1);
    return (fri_call_work){
        .name = "fr_components",
        .cpu_ns = 100 * n + 13 * m,
        .gpu_ns = 0.3e6 + 30e3 * levels + 2 * n + 0.12 * m,
        .units = 1,
    };
}

fr_status fr_components(fr_ctx *ctx, const fr_graph *graph, fr_component_kind kind,
                        fr_backend backend, int32_t *label, int32_t *size, int32_t *count) {
    bool gpu;
    if (!fri_begin(ctx))
        return FR_INVALID;
    if (!graph || !label || !count || (unsigned)kind > FR_COMPONENTS_STRONG)
        return fri_fail(ctx, FR_INVALID,
                        "components need a graph, a kind, an array of labels and a count");
    *count = 0;
    fr_status status = fr_graph_check(ctx, graph);
    if (status) /* before any edge is followed */
        return status;
    const bool strong = kind == FR_COMPONENTS_STRONG && !graph->csr.symmetric;
    const fri_call_work work = strong ? strong_work(&graph->csr) : weak_work(&graph->csr);
    status = fri_call_backend(ctx, graph, backend, &work, &gpu);
    if (status)
        return status;
#ifdef FRI_CUDA_ALL
    if (gpu) {
        status = strong ? fri_gpu_strong_components(ctx, graph, label, size, count)
                        : fri_gpu_components(ctx, graph, label, size, count);
        if (!fri_call_falls_back(ctx, backend, status))
            return status;
    }
#endif
    return on_cpu(ctx, graph, strong, label, size, count);
}
