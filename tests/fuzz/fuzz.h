/* What the fuzzers share. */
#ifndef FUZZ_H
#define FUZZ_H

#include "graph/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A context of one thread that may hold 1 MB: inputs have 4 KB, and clearing arrays for vertices
 * that a large id implies takes time that finds nothing. */
static inline fr_ctx *fuzz_ctx(void) {
    const fr_ctx_options options = {.threads = 1, .max_memory_bytes = (size_t)1 << 20};
    fr_ctx *ctx;
    if (fr_ctx_new(&options, &ctx))
        abort();
    return ctx;
}

/* Options chosen by one number: 0 is the default. */
static inline fr_load_options fuzz_options(uint64_t choice) {
    if (choice % 4 == 0)
        return (fr_load_options){0};
    return (fr_load_options){.direction = choice / 4 % 3,
                             .drop_loops = choice / 12 % 2,
                             .drop_parallel = choice / 24 % 2,
                             .id_base = (int)(choice / 48 % 3),
                             .weights = choice / 144 % 3,
                             .weight_low = 1,
                             .weight_high = 100,
                             .weight_type = choice % 4 == 1 ? FR_TYPE_NONE : FR_TYPE_F32};
}

/* Aborts when the names are invalid or a vertex is not found by its name. */
static inline void fuzz_check_names(fr_ctx *ctx, const fr_graph *graph) {
    bool valid = true;
    const char *why;
    int32_t found;
    if (!graph->ids.names || fri_names_check(ctx, graph->ids.names, &valid, &why))
        return;
    for (int32_t v = 0; v < FRI_MIN(graph->csr.n, 100); v++)
        if (!valid || fr_graph_find_vertex(ctx, graph, fr_graph_vertex_name(graph, v), &found) ||
            found != v)
            abort();
}

/* Aborts when the library made a graph that it would not accept from a caller. */
static inline void fuzz_check(fr_ctx *ctx, const fr_graph *graph) {
    fr_graph *again;
    if (fr_graph_check(ctx, graph))
        return; /* a damaged binary graph is reported and not used */
    if (graph->text.data)
        return; /* used in place: what fr_graph_check promises is less than from_csr asks for */
    const fr_status status = fr_graph_from_csr(ctx, fr_graph_csr(graph), &again);
    if (status == FR_NOMEM)
        return; /* comparing both directions takes 8 bytes per vertex of the limited memory */
    if (status) {
        fprintf(stderr, "an invalid graph was loaded: %s\n", fr_ctx_error(ctx));
        abort();
    }
    fr_graph_free(again);
    for (int32_t v = 0; v < FRI_MIN(graph->csr.n, 100); v++)
        if (fr_graph_vertex(graph, fr_graph_id(graph, v)) != v)
            abort();
    fuzz_check_names(ctx, graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
