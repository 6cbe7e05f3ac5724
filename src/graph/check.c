/* Deferred checks of a graph's content, copies of rows that are elsewhere, the message
 * for vertices that do not exist, and the hash. */
#include "graph/graph.h"
#include "io/formats/fringe.h"

fr_status fr_graph_check(fr_ctx *ctx, const fr_graph *graph) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    if (!graph)
        return fri_fail(ctx, FR_INVALID, "checking needs a graph");
    /* acquire: a thread that reads 0 relies on the check of another thread */
    if (!__atomic_load_n(&graph->unchecked, __ATOMIC_ACQUIRE))
        return FR_OK;
    if (graph->fetch)
        return graph->fetch(ctx, (fr_graph *)(uintptr_t)graph);
    const fri_input *text = &graph->text;
    fr_status status = fri_binary_check(ctx, text->name, text->data, text->size);
    if (!status) /* two threads may both check: they get the same result */
        __atomic_store_n((int *)(uintptr_t)&graph->unchecked, 0, __ATOMIC_RELEASE);
    return status;
}

fr_status fri_check_vertices(fr_ctx *ctx, const char *what, const int32_t *list, int64_t count,
                             int32_t n) {
    if (count < 0)
        return fri_fail(ctx, FR_INVALID, "%lld %ss: a count must not be negative", (long long)count,
                        what);
    for (int64_t i = 0; i < count; i++)
        if (list[i] < 0 || list[i] >= n)
            return n < 1
                       ? fri_fail(ctx, FR_NOT_FOUND,
                                  "%s %d does not exist: the graph has no vertices", what, list[i])
                       : fri_fail(ctx, FR_NOT_FOUND, "%s %d does not exist: vertices are 0 to %d",
                                  what, list[i], n - 1);
    return FR_OK;
}

fri_graph_view fri_graph_as_view(const fr_graph *graph) {
    return (fri_graph_view){.csr = &graph->csr,
                            .undirected = fr_graph_is_undirected(graph),
                            .ids = &graph->ids,
                            .name = graph->name};
}

uint64_t fr_graph_hash(const fr_graph *graph) {
    if (!graph)
        return 0;
    uint64_t hash = __atomic_load_n(&graph->hash, __ATOMIC_RELAXED);
    if (hash)
        return hash;
    if (graph->fetch && __atomic_load_n(&graph->unchecked, __ATOMIC_ACQUIRE))
        return 0;
    fri_graph_view view = fri_graph_as_view(graph);
    hash = fri_graph_view_hash(1, &view);
    /* relaxed: every thread that gets here computes the same number */
    __atomic_store_n((uint64_t *)(uintptr_t)&graph->hash, hash, __ATOMIC_RELAXED);
    return hash;
}
