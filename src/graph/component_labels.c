/* fr_components: labels in the order of the least vertices. */
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

fr_status fr_components(fr_ctx *ctx, const fr_graph *graph, fr_component_kind kind, int32_t *label,
                        int32_t *size, int32_t *count) {
    fri_begin(ctx);
    if (!graph || !label || !count || (unsigned)kind > FR_COMPONENTS_STRONG)
        return fri_fail(ctx, FR_INVALID,
                        "components need a graph, a kind, an array of labels and a count");
    *count = 0;
    fr_status status = fr_graph_check(ctx, graph);
    if (status)
        return status;
    const fr_csr *csr = &graph->csr;
    fri_undirected_view view = {.out = csr};
    status = kind == FR_COMPONENTS_WEAK || csr->symmetric ? fri_components(ctx, &view, label)
                                                          : fri_strong_components(ctx, csr, label);
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
