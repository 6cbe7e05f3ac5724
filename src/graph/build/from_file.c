/* Makes a graph of a CSR from a file: in place if the options require no change, otherwise as a
 * list of edges through the builder. */
#include "graph/weights.h"
#include "io/formats/fringe.h"

#include <string.h>

/* Whether the rows can be used in place. Random weights can still be added to them, and the weights of
 * the file ignored. */
static bool fits_in_place(const fri_csr_file *file, const fr_load_options *o) {
    const fr_csr *csr = &file->csr;
    return !o->drop_loops && !o->drop_parallel &&
           (o->direction != FR_DIRECTION_UNDIRECTED || file->undirected) &&
           (o->weights != FR_WEIGHTS_FILE || !csr->weights || !o->weight_type ||
            o->weight_type == csr->weight_type);
}

/* Copies row u of the CSR to the block, starting at position `at`; returns the next position. */
static int64_t copy_row(const fr_csr *csr, bool once, int32_t u, fri_edge_block *block,
                        int64_t at) {
    size_t size = fr_type_size(csr->weight_type);
    for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
        if (once && csr->targets[e] < u)
            continue;
        block->ends[2 * at] = u;
        block->ends[2 * at + 1] = csr->targets[e];
        if (size)
            memcpy((char *)block->weights + (size_t)at * size,
                   (const char *)csr->weights + (size_t)e * size, size);
        at++;
    }
    return at;
}

/* In a symmetric graph the edges u <= v represent all edges. */
static int64_t count_once(const fr_csr *csr) {
    int64_t count = 0;
    for (int32_t u = 0; u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            count += csr->targets[e] >= u;
    return count;
}

/* All rows where each entry is to be a directed edge, else each edge of an undirected graph once. */
static fr_status to_edges(fr_ctx *ctx, const fri_csr_file *file, const fr_load_options *options,
                          fri_edge_list *edges) {
    const fr_csr *csr = &file->csr;
    const bool once = file->undirected && options->direction != FR_DIRECTION_DIRECTED;
    int64_t count = once ? count_once(csr) : csr->m, at = 0;
    size_t size = fr_type_size(csr->weight_type);
    *edges = (fri_edge_list){.n = csr->n,
                             .weight_type = csr->weight_type,
                             .undirected = once,
                             .ids.base = file->ids.base};
    edges->blocks = fri_calloc(ctx, sizeof *edges->blocks);
    if (!edges->blocks)
        return FR_NOMEM;
    edges->block_count = 1;
    fri_edge_block *block = edges->blocks;
    block->count = count;
    block->ends = fri_alloc(ctx, fri_bytes(count, 2 * sizeof(int32_t)));
    block->weights = size ? fri_alloc(ctx, fri_bytes(count, size)) : NULL;
    size_t id_bytes = fri_bytes(csr->n, sizeof(int64_t));
    edges->ids.list = file->ids.list ? fri_alloc(ctx, id_bytes) : NULL;
    if (!block->ends || (size && !block->weights) || (file->ids.list && !edges->ids.list))
        return FR_NOMEM;
    if (file->ids.list)
        memcpy(edges->ids.list, file->ids.list, id_bytes);
    if (file->ids.names) /* a copy, because the names may be part of the text */
        edges->ids.names = fri_names_copy(ctx, file->ids.names);
    if (file->ids.names && !edges->ids.names)
        return FR_NOMEM;
    for (int32_t u = 0; u < csr->n; u++)
        at = copy_row(csr, once, u, block, at);
    return FR_OK;
}

static fr_status rebuild(fr_ctx *ctx, fri_csr_file *file, const fr_load_options *options,
                         fr_graph *graph) {
    fri_edge_list edges;
    fr_status status = to_edges(ctx, file, options, &edges);
    fri_csr_file_free(file);
    if (!status)
        return fri_graph_build(ctx, &edges, options, graph);
    fri_edge_list_free(&edges);
    return status;
}

static void take(fri_input *text, fri_csr_file *file, const fr_load_options *o, fr_graph *graph) {
    graph->csr = file->csr;
    graph->undirected = file->undirected && o->direction != FR_DIRECTION_DIRECTED;
    graph->ids = file->ids;
    graph->ids_borrowed = file->borrowed;
    graph->unchecked = file->unchecked;
    graph->hash = o->id_base ? 0 : file->hash;
    if (file->borrowed) {
        graph->text = *text;
        *text = (fri_input){0};
    } else {
        graph->own_offsets = (int64_t *)(uintptr_t)file->csr.offsets;
        graph->own_targets = (int32_t *)(uintptr_t)file->csr.targets;
        graph->own_weights = (void *)(uintptr_t)file->csr.weights;
    }
    *file = (fri_csr_file){0};
    if (o->weights != FR_WEIGHTS_FILE && graph->csr.weights) {
        graph->hash = 0;
        graph->csr.weights = NULL;
        graph->csr.weight_type = FR_TYPE_NONE;
    }
}

fr_status fri_graph_from_csr_file(fr_ctx *ctx, fri_input *text, fri_csr_file *file,
                                  const fr_load_options *options, fr_graph *graph) {
    static const fr_load_options none;
    const fr_load_options *o = options ? options : &none;
    if (o->id_base && (file->ids.list || file->ids.names)) {
        fri_csr_file_free(file);
        return fri_fail(ctx, FR_INVALID, "%s: the file lists its ids; remove id_base", text->name);
    }
    if (o->id_base)
        file->ids.base = o->id_base - 1;
    bool in_place = fits_in_place(file, o);
    if (file->unchecked && (!in_place || fri_weights_made(o))) {
        fr_status status = fri_binary_check(ctx, text->name, text->data, text->size);
        if (status) {
            fri_csr_file_free(file);
            return status;
        }
        file->unchecked = false;
    }
    if (!in_place)
        return rebuild(ctx, file, o, graph);
    take(text, file, o, graph);
    return fri_weights_made(o) ? fri_weights_random(ctx, graph, o) : FR_OK;
}
