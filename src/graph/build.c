/* Edge list -> CSR. */
#include "graph/graph.h"

#include <stdlib.h>
#include <string.h>

/* A first, plain form: count, scatter, sort each row by insertion. */
static void scatter(const fri_edges *edges, int64_t *cursor, int32_t *targets, char *weights,
                    size_t size) {
    for (int b = 0; b < edges->block_count; b++) {
        const fri_block *block = &edges->blocks[b];
        for (int64_t i = 0; i < block->count; i++) {
            int32_t u = block->ends[2 * i], v = block->ends[2 * i + 1];
            int64_t at = cursor[u]++;
            targets[at] = v;
            if (size)
                memcpy(weights + at * size, (char *)block->weights + i * size, size);
            if (!edges->undirected || u == v)
                continue;
            at = cursor[v]++;
            targets[at] = u;
            if (size)
                memcpy(weights + at * size, (char *)block->weights + i * size, size);
        }
    }
}

static double key(const char *weights, fr_type type, int64_t at) {
    if (type == FR_I32)
        return ((const int32_t *)(const void *)weights)[at];
    if (type == FR_F32)
        return ((const float *)(const void *)weights)[at];
    return type == FR_F64 ? ((const double *)(const void *)weights)[at] : 0;
}

static void sort_row(int32_t *targets, char *weights, fr_type type, int64_t begin, int64_t end) {
    size_t size = fr_type_size(type);
    for (int64_t i = begin + 1; i < end; i++)
        for (int64_t j = i; j > begin && (targets[j - 1] > targets[j] ||
                                          (targets[j - 1] == targets[j] &&
                                           key(weights, type, j - 1) > key(weights, type, j)));
             j--) {
            int32_t t = targets[j];
            targets[j] = targets[j - 1];
            targets[j - 1] = t;
            char w[8];
            if (size) {
                memcpy(w, weights + j * size, size);
                memcpy(weights + j * size, weights + (j - 1) * size, size);
                memcpy(weights + (j - 1) * size, w, size);
            }
        }
}

fr_status fri_graph_build(fr_ctx *ctx, fri_edges *edges, const fr_load_options *options,
                          fr_graph *graph) {
    if (options && options->direction == FR_UNDIRECTED)
        edges->undirected = true;
    int32_t n = edges->n;
    int64_t *offsets = fri_calloc(ctx, fri_bytes((int64_t)n + 2, sizeof(int64_t)));
    if (!offsets) {
        fri_edges_free(edges);
        return FR_NOMEM;
    }
    for (int b = 0; b < edges->block_count; b++)
        for (int64_t i = 0; i < edges->blocks[b].count; i++) {
            const int32_t *ends = edges->blocks[b].ends + 2 * i;
            offsets[ends[0] + 2]++;
            if (edges->undirected && ends[0] != ends[1])
                offsets[ends[1] + 2]++;
        }
    for (int32_t v = 0; v < n; v++)
        offsets[v + 2] += offsets[v + 1];
    int64_t m = offsets[n + 1];
    size_t size = fr_type_size(edges->weight_type);
    int32_t *targets = fri_alloc(ctx, fri_bytes(m, sizeof(int32_t)));
    char *weights = size ? fri_alloc(ctx, fri_bytes(m, size)) : NULL;
    graph->own_offsets = offsets;
    graph->own_targets = targets;
    graph->own_weights = weights;
    if (!targets || (size && !weights)) {
        fri_edges_free(edges);
        return FR_NOMEM;
    }
    scatter(edges, offsets + 1, targets, weights, size);
    for (int32_t v = 0; v < n; v++)
        sort_row(targets, weights, edges->weight_type, offsets[v], offsets[v + 1]);
    graph->csr = (fr_csr){n, m, offsets, targets, weights, edges->weight_type, edges->undirected};
    graph->ids = edges->ids;
    edges->ids.list = NULL;
    fri_edges_free(edges);
    return FR_OK;
}

fr_status fr_graph_from_edges(fr_ctx *ctx, int32_t n, int64_t m, const int32_t *src,
                              const int32_t *dst, const void *weights, fr_type weight_type,
                              const fr_load_options *options, fr_graph **out) {
    *out = NULL;
    fr_graph *graph = fri_graph_new(ctx, "edges");
    fri_edges edges = {.n = n, .weight_type = weights ? weight_type : FR_TYPE_NONE};
    size_t size = fr_type_size(edges.weight_type);
    edges.blocks = fri_calloc(ctx, sizeof *edges.blocks);
    if (!graph || !edges.blocks)
        return FR_NOMEM;
    edges.block_count = 1;
    fri_block *block = edges.blocks;
    block->count = m;
    block->ends = fri_alloc(ctx, fri_bytes(m, 2 * sizeof(int32_t)));
    block->weights = size ? fri_alloc(ctx, fri_bytes(m, size)) : NULL;
    for (int64_t i = 0; i < m; i++) {
        block->ends[2 * i] = src[i];
        block->ends[2 * i + 1] = dst[i];
    }
    if (size)
        memcpy(block->weights, weights, fri_bytes(m, size));
    fr_status status = fri_graph_build(ctx, &edges, options, graph);
    if (status)
        fr_graph_free(graph);
    else
        *out = graph;
    return status;
}

fr_status fri_csr_transpose(fr_ctx *ctx, const fr_csr *csr, fr_csr *out) {
    int32_t n = csr->n;
    size_t size = fr_type_size(csr->weight_type);
    int64_t *offsets = fri_calloc(ctx, fri_bytes((int64_t)n + 2, sizeof(int64_t)));
    int32_t *targets = fri_alloc(ctx, fri_bytes(csr->m, sizeof(int32_t)));
    char *weights = size ? fri_alloc(ctx, fri_bytes(csr->m, size)) : NULL;
    *out = (fr_csr){n, csr->m, offsets, targets, weights, csr->weight_type, csr->symmetric};
    if (!offsets || !targets || (size && !weights)) {
        fri_csr_free(out);
        return FR_NOMEM;
    }
    for (int64_t e = 0; e < csr->m; e++)
        offsets[csr->targets[e] + 2]++;
    for (int32_t v = 0; v < n; v++)
        offsets[v + 2] += offsets[v + 1];
    for (int32_t u = 0; u < n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int64_t at = offsets[csr->targets[e] + 1]++;
            targets[at] = u;
            if (size)
                memcpy(weights + at * size, (const char *)csr->weights + e * size, size);
        }
    return FR_OK;
}
