/* A CSR from a file as a graph: in place when the options ask for nothing else, else as a list of
 * edges through the builder. */
#include "graph/graph.h"
#include "io/binary.h"

#include <math.h>
#include <string.h>

static bool fits_in_place(const fr_csr *csr, const fr_load_options *o) {
    return !o->drop_loops && !o->drop_parallel && o->weights != FR_WEIGHTS_RANDOM &&
           (o->direction != FR_UNDIRECTED || csr->symmetric) &&
           (o->weights == FR_WEIGHTS_NONE || !csr->weights || !o->weight_type ||
            o->weight_type == csr->weight_type);
}

static double weight_at(const fr_csr *csr, int64_t e) {
    if (csr->weight_type == FR_I32)
        return ((const int32_t *)csr->weights)[e];
    return csr->weight_type == FR_F32 ? (double)((const float *)csr->weights)[e]
                                      : ((const double *)csr->weights)[e];
}

/* false: it does not fit. */
static bool put_weight(void *weights, fr_type type, int64_t i, double w) {
    if (type == FR_F64)
        ((double *)weights)[i] = w;
    else if (type == FR_F32)
        return isfinite(((float *)weights)[i] = (float)w);
    else if (w >= INT32_MIN && w <= INT32_MAX && w == floor(w))
        ((int32_t *)weights)[i] = (int32_t)w;
    else
        return false;
    return true;
}

/* Row u of the CSR from place `at` of the block on; the next place, or -1: a weight does not fit.
 */
static int64_t copy_row(const fr_csr *csr, bool once, int32_t u, fr_type type, fri_block *block,
                        int64_t at) {
    for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
        if (once && csr->targets[e] < u)
            continue;
        block->ends[2 * at] = u;
        block->ends[2 * at + 1] = csr->targets[e];
        if (type && !put_weight(block->weights, type, at, weight_at(csr, e)))
            return -1;
        at++;
    }
    return at;
}

/* In a symmetric graph the edges u <= v stand for all. */
static int64_t count_once(const fr_csr *csr) {
    int64_t count = 0;
    for (int32_t u = 0; u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            count += csr->targets[e] >= u;
    return count;
}

static fr_status to_edges(fr_ctx *ctx, const char *name, const fr_csr *csr, fr_type type,
                          fri_edges *edges) {
    bool once = csr->symmetric;
    int64_t count = once ? count_once(csr) : csr->m, at = 0;
    edges->n = csr->n;
    edges->weight_type = type;
    edges->undirected = once;
    edges->blocks = fri_calloc(ctx, sizeof *edges->blocks);
    if (!edges->blocks)
        return FR_NOMEM;
    edges->block_count = 1;
    fri_block *block = edges->blocks;
    block->count = count;
    block->ends = fri_alloc(ctx, fri_bytes(count, 2 * sizeof(int32_t)));
    block->weights = type ? fri_alloc(ctx, fri_bytes(count, fr_type_size(type))) : NULL;
    if (!block->ends || (type && !block->weights))
        return FR_NOMEM;
    for (int32_t u = 0; u < csr->n && at >= 0; u++)
        at = copy_row(csr, once, u, type, block, at);
    return at < 0
               ? fri_fail(ctx, FR_RANGE, "%s: a weight does not fit %s", name, fr_type_name(type))
               : FR_OK;
}

static fr_status rebuild(fr_ctx *ctx, const fri_text *text, fri_csr_file *file,
                         const fr_load_options *options, fr_graph *graph) {
    bool keep = file->csr.weights && options->weights == FR_WEIGHTS_FILE;
    fr_type type = !keep                  ? FR_TYPE_NONE
                   : options->weight_type ? options->weight_type
                                          : file->csr.weight_type;
    fri_edges edges = {0};
    fr_status status =
        file->unchecked ? fri_binary_check(ctx, text->name, text->data, text->size) : FR_OK;
    if (!status)
        status = to_edges(ctx, text->name, &file->csr, type, &edges);
    edges.ids.base = file->ids.base;
    if (!status && file->ids.list) {
        size_t bytes = fri_bytes(file->csr.n, sizeof(int64_t));
        edges.ids.list = fri_alloc(ctx, bytes);
        if (edges.ids.list)
            memcpy(edges.ids.list, file->ids.list, bytes);
        else
            status = FR_NOMEM;
    }
    fri_csr_file_free(file);
    if (!status)
        return fri_graph_build(ctx, &edges, options, graph);
    fri_edges_free(&edges);
    return status;
}

static void take(fri_text *text, fri_csr_file *file, const fr_load_options *o, fr_graph *graph) {
    graph->csr = file->csr;
    graph->ids = file->ids;
    graph->ids_borrowed = file->borrowed;
    graph->unchecked = file->unchecked;
    graph->hash = o->id_base ? 0 : file->hash;
    if (file->borrowed) {
        graph->text = *text;
        *text = (fri_text){0};
    } else {
        graph->own_offsets = (int64_t *)(uintptr_t)file->csr.offsets;
        graph->own_targets = (int32_t *)(uintptr_t)file->csr.targets;
        graph->own_weights = (void *)(uintptr_t)file->csr.weights;
    }
    *file = (fri_csr_file){0};
    if (o->weights == FR_WEIGHTS_NONE && graph->csr.weights) {
        graph->hash = 0;
        graph->csr.weights = NULL;
        graph->csr.weight_type = FR_TYPE_NONE;
    }
}

fr_status fri_graph_adopt(fr_ctx *ctx, fri_text *text, fri_csr_file *file,
                          const fr_load_options *options, fr_graph *graph) {
    static const fr_load_options none;
    const fr_load_options *o = options ? options : &none;
    if (o->id_base && file->ids.list) {
        fri_csr_file_free(file);
        return fri_fail(ctx, FR_INVALID, "%s: lists its ids; a base cannot be given", text->name);
    }
    if (o->id_base)
        file->ids.base = o->id_base - 1;
    if (!fits_in_place(&file->csr, o))
        return rebuild(ctx, text, file, o, graph);
    take(text, file, o, graph);
    return FR_OK;
}
