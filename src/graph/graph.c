/* The graph object: ownership, ids, views. */
#include "graph/graph.h"

#include <stdlib.h>
#include <string.h>

fr_graph *fri_graph_new(fr_ctx *ctx, const char *name) {
    fr_graph *graph = fri_calloc(ctx, sizeof *graph);
    if (!graph)
        return NULL;
    size_t bytes = strlen(name) + 1;
    graph->name = fri_alloc(ctx, bytes);
    graph->derived = fri_derived_new(ctx);
    if (!graph->name || !graph->derived) {
        fri_free(graph->name);
        fri_derived_release(graph->derived);
        fri_free(graph);
        return NULL;
    }
    memcpy(graph->name, name, bytes);
    return graph;
}

fr_status fri_graph_set_note(fr_ctx *ctx, fr_graph *graph, const char *note, const char *warning) {
    fri_free(graph->note);
    graph->note = NULL;
    if (!*note)
        return FR_OK;
    size_t first = strlen(note) + 1, second = strlen(warning) + 1;
    graph->note = fri_alloc(ctx, first + second);
    if (!graph->note)
        return FR_NOMEM;
    memcpy(graph->note, note, first);
    memcpy(graph->note + first, warning, second);
    return FR_OK;
}

fr_graph *fri_graph_borrow(fr_ctx *ctx, const fr_graph *graph) {
    fr_graph *same = fri_graph_new(ctx, graph->name);
    if (!same)
        return NULL;
    same->csr = graph->csr;
    same->undirected = graph->undirected;
    same->ids = graph->ids;
    same->ids_borrowed = same->names_borrowed = true;
    const char *note = fr_graph_note(graph), *warning = fr_graph_warning(graph);
    if (fri_graph_set_note(ctx, same, note ? note : "", warning ? warning : "")) {
        fr_graph_free(same);
        return NULL;
    }
    return same;
}

fri_attachment *fri_graph_attach(fri_attachment *const *place, fri_attachment *fresh) {
    /* graphs are const for their users, and what is kept for them is not part of their value */
    fri_attachment **at = (fri_attachment **)(uintptr_t)place, *there = NULL;
    bool first =
        __atomic_compare_exchange_n(at, &there, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return first ? fresh : there;
}

static void detach(fri_attachment *attached, const fr_graph *graph) {
    if (attached)
        attached->free(attached, graph);
}

void fr_graph_free(fr_graph *graph) {
    if (!graph)
        return;
    detach(graph->idle_solvers, graph); /* first: they use the copies */
    detach(graph->resident, graph);
    fri_free(graph->own_offsets);
    fri_free(graph->own_targets);
    fri_free(graph->own_weights);
    if (!graph->ids_borrowed)
        fri_free(graph->ids.list);
    if (!graph->names_borrowed)
        fri_names_free(graph->ids.names);
    fri_free(graph->name);
    fri_free(graph->note);
    fri_derived_release(graph->derived);
    fri_input_close(&graph->text);
    fri_free(graph);
}

void fri_csr_free(fr_csr *csr) {
    fri_free((void *)(uintptr_t)csr->offsets);
    fri_free((void *)(uintptr_t)csr->targets);
    fri_free((void *)(uintptr_t)csr->weights);
    *csr = (fr_csr){0};
}

fr_status fri_graph_begin(fr_ctx *ctx, fr_graph **out) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    if (!out)
        return fri_null_output(ctx);
    *out = NULL;
    return FR_OK;
}

fr_status fri_graph_give(fr_status status, fr_graph *graph, fr_graph **out) {
    if (status)
        fr_graph_free(graph);
    else
        *out = graph;
    return status;
}

fr_csr fri_graph_rows(const fr_graph *graph, bool *away) {
    const fr_csr *csr = &graph->csr;
    *away = graph->fetch && __atomic_load_n(&graph->unchecked, __ATOMIC_ACQUIRE);
    if (!*away)
        return *csr;
    return (fr_csr){.n = csr->n,
                    .m = csr->m,
                    .weights = csr->weight_type ? graph : NULL, /* not NULL: it is weighted */
                    .weight_type = csr->weight_type,
                    .symmetric = csr->symmetric};
}

const fr_csr *fr_graph_csr(const fr_graph *graph) { return graph ? &graph->csr : NULL; }
int32_t fr_graph_vertex_count(const fr_graph *graph) { return graph ? graph->csr.n : 0; }
int64_t fr_graph_edge_count(const fr_graph *graph) { return graph ? graph->csr.m : 0; }
fr_type fr_graph_weight_type(const fr_graph *graph) {
    return graph ? graph->csr.weight_type : FR_TYPE_NONE;
}
bool fr_graph_is_symmetric(const fr_graph *graph) { return graph && graph->csr.symmetric; }
bool fr_graph_is_undirected(const fr_graph *graph) {
    return fr_graph_is_symmetric(graph) && graph->undirected;
}
const char *fr_graph_note(const fr_graph *graph) { return graph ? graph->note : NULL; }

const char *fr_graph_warning(const fr_graph *graph) {
    const char *warning = graph && graph->note ? graph->note + strlen(graph->note) + 1 : "";
    return *warning ? warning : NULL;
}
const char *fr_graph_name(const fr_graph *graph) { return graph ? graph->name : NULL; }

int64_t fr_graph_id(const fr_graph *graph, int32_t vertex) {
    if (!graph)
        return -1;
    return graph->ids.list ? graph->ids.list[vertex] : vertex + graph->ids.base;
}

const char *fr_graph_vertex_name(const fr_graph *graph, int32_t vertex) {
    return graph && graph->ids.names ? fri_names_get(graph->ids.names, vertex) : NULL;
}

fr_status fr_graph_find_vertex(fr_ctx *ctx, const fr_graph *graph, const char *name,
                               int32_t *vertex) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    if (!graph || !name || !vertex)
        return fri_fail(ctx, FR_INVALID, "finding a vertex needs a graph, a name and a result");
    *vertex = -1;
    if (!graph->ids.names)
        return fri_fail(ctx, FR_NOT_FOUND, "%s: its vertices have no names", graph->name);
    fr_status status = fr_graph_check(ctx, graph);
    if (!status)
        status = fri_names_find(ctx, graph->ids.names, name, vertex);
    if (!status && *vertex < 0)
        status =
            fri_fail(ctx, FR_NOT_FOUND, "%s: no vertex is called \"%.80s\"", graph->name, name);
    return status;
}

int32_t fr_graph_vertex(const fr_graph *graph, int64_t id) {
    if (!graph)
        return -1;
    int32_t n = graph->csr.n;
    if (!graph->ids.list) { /* in unsigned arithmetic the difference cannot overflow */
        uint64_t vertex = (uint64_t)id - (uint64_t)graph->ids.base;
        return vertex < (uint64_t)n ? (int32_t)vertex : -1;
    }
    int32_t low = 0, high = n;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (graph->ids.list[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && graph->ids.list[low] == id ? low : -1;
}
