/* Graphs from a caller's arrays of pairs or rows.
 *
 * Idea: rows that a graph can hold as they are get borrowed; whether they are sorted is one pass.
 *   Anything else becomes an edge list in one parallel pass and goes through the builder that files go
 *   through.
 */
#include "base/sized.h"
#include "graph/weights.h"

#include <string.h>

static inline int64_t element(const void *array, fr_type type, int64_t i) {
    return type == FR_TYPE_I64 ? ((const int64_t *)array)[i] : ((const int32_t *)array)[i];
}

static bool is_integer(fr_type type) { return type == FR_TYPE_I32 || type == FR_TYPE_I64; }

static fr_status check_shape(fr_ctx *ctx, const fr_arrays *a) {
    if (a->n < 0 || a->n > INT32_MAX || a->m < 0 || a->m > INT64_C(1) << 40 ||
        (a->m && !a->targets))
        return fri_fail(
            ctx, FR_INVALID,
            "a graph from arrays needs n from 0 to 2^31 - 1, m from 0 to 2^40, and targets");
    if (a->sources ? a->offsets != NULL : a->m && !a->offsets)
        return fri_fail(ctx, FR_INVALID,
                        "a graph from arrays needs either sources or offsets, not %s",
                        a->sources ? "both" : "neither");
    if (!is_integer(a->vertex_type) || !is_integer(a->offset_type))
        return fri_fail(ctx, FR_INVALID, "vertex_type and offset_type must be int32 or int64");
    if ((a->m && !a->weights != !a->weight_type) ||
        (a->weight_type && !fr_type_size(a->weight_type)))
        return fri_fail(ctx, FR_INVALID,
                        "arrays need a known weight_type exactly when they have weights");
    return FR_OK;
}

static fr_status check_offsets(fr_ctx *ctx, const fr_arrays *a) {
    if (!a->offsets)
        return FR_OK;
    for (int64_t u = 0; u < a->n; u++) /* before any offset is followed */
        if (element(a->offsets, a->offset_type, u) > element(a->offsets, a->offset_type, u + 1))
            return fri_fail(ctx, FR_INVALID, "the offsets must ascend; they descend after row %lld",
                            (long long)u);
    int64_t first = element(a->offsets, a->offset_type, 0),
            last = element(a->offsets, a->offset_type, a->n);
    return first == 0 && last == a->m
               ? FR_OK
               : fri_fail(ctx, FR_INVALID,
                          "the offsets must run from 0 to m, not from %lld to %lld",
                          (long long)first, (long long)last);
}

static fr_status check_vertices(fr_ctx *ctx, const fr_arrays *a) {
    int64_t bad = a->m;
    uint64_t n = (uint64_t)a->n;
#pragma omp parallel for reduction(min : bad) num_threads(fri_threads_for(ctx, ctx->threads, a->m))
    for (int64_t i = 0; i < a->m; i++)
        if ((uint64_t)element(a->targets, a->vertex_type, i) >= n ||
            (a->sources && (uint64_t)element(a->sources, a->vertex_type, i) >= n))
            bad = FRI_MIN(bad, i);
    if (bad == a->m)
        return FR_OK;
    long long target = element(a->targets, a->vertex_type, bad);
    if (a->sources)
        return fri_fail(ctx, FR_INVALID, "edge %lld goes from %lld to %lld; vertices are 0 to %lld",
                        (long long)bad, (long long)element(a->sources, a->vertex_type, bad), target,
                        (long long)a->n - 1);
    return fri_fail(ctx, FR_INVALID, "edge %lld goes to %lld; vertices are 0 to %lld",
                    (long long)bad, target, (long long)a->n - 1);
}

/* ---- borrowing ---- */

/* Whether the options leave every edge and weight as it is, or only replace the weights. */
static bool may_borrow(const fr_arrays *a, const fr_load_options *o) {
    return !a->copy && a->offsets && a->vertex_type == FR_TYPE_I32 &&
           a->offset_type == FR_TYPE_I64 && !o->drop_loops && !o->drop_parallel &&
           o->direction != FR_DIRECTION_UNDIRECTED &&
           (o->weights != FR_WEIGHTS_FILE || !a->weights || !o->weight_type ||
            o->weight_type == a->weight_type);
}

/* Drops weights that the options replace; weights of a graph without edges may be NULL. */
static fr_csr view_of(const fr_arrays *a, const fr_load_options *o) {
    fr_csr csr = {.n = (int32_t)a->n, .m = a->m, .offsets = a->offsets, .targets = a->targets};
    if (o->weights != FR_WEIGHTS_FILE || !a->weight_type)
        return csr;
    csr.weights = a->weights ? a->weights : a->offsets;
    csr.weight_type = a->weight_type;
    return csr;
}

static fr_status borrow(fr_ctx *ctx, const fr_csr *csr, const fr_load_options *o, fr_graph *graph) {
    graph->csr = *csr;
    fr_status status = fri_csr_find_symmetry(ctx, &graph->csr, false);
    return status || !fri_weights_made(o) ? status : fri_weights_random(ctx, graph, o);
}

/* ---- copying ---- */

/* The last row that begins at or before edge e. */
static int64_t row_of(const fr_arrays *a, int64_t e) {
    int64_t low = 0, high = a->n - 1;
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        if (element(a->offsets, a->offset_type, middle) <= e)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void fill_part(const fr_arrays *a, int64_t begin, int64_t end, int32_t *ends) {
    int64_t u = a->sources ? 0 : row_of(a, begin);
    for (int64_t i = begin; i < end; i++) {
        if (a->sources)
            u = element(a->sources, a->vertex_type, i);
        else
            while (element(a->offsets, a->offset_type, u + 1) <= i)
                u++;
        ends[2 * i] = (int32_t)u;
        ends[2 * i + 1] = (int32_t)element(a->targets, a->vertex_type, i);
    }
}

static fr_status copy_edges(fr_ctx *ctx, const fr_arrays *a, fri_edge_list *edges) {
    enum { PART = 1 << 16 };
    size_t size = fr_type_size(edges->weight_type);
    edges->blocks = fri_calloc(ctx, sizeof *edges->blocks);
    if (!edges->blocks)
        return FR_NOMEM;
    edges->block_count = 1;
    fri_edge_block *block = edges->blocks;
    block->ends = fri_alloc(ctx, fri_bytes(a->m, 2 * sizeof(int32_t)));
    if (block->ends && size)
        block->weights = fri_alloc(ctx, fri_bytes(a->m, size));
    if (!block->ends || (size && !block->weights))
        return FR_NOMEM;
    block->count = a->m;
#pragma omp parallel for schedule(FRI_DYNAMIC, 1)                                                  \
    num_threads(fri_threads_for(ctx, ctx->threads, a->m))
    for (int64_t p = 0; p < (a->m + PART - 1) / PART; p++)
        fill_part(a, p * PART, FRI_MIN(a->m, (p + 1) * PART), block->ends);
    if (size && a->m)
        memcpy(block->weights, a->weights, fri_bytes(a->m, size));
    return FR_OK;
}

static fr_status build(fr_ctx *ctx, const fr_arrays *a, const fr_load_options *o, fr_graph *graph) {
    fri_edge_list edges = {.n = (int32_t)a->n, .weight_type = a->weight_type};
    fr_status status = copy_edges(ctx, a, &edges);
    if (!status)
        status = fri_graph_build(ctx, &edges, o, graph);
    fri_edge_list_free(&edges);
    return status;
}

static fr_status from_arrays(fr_ctx *ctx, const char *name, const fr_arrays *a,
                             const fr_load_options *options, fr_graph **out) {
    fr_load_options own;
    fr_status status = fri_load_options_read(ctx, options, &own);
    if (!status)
        status = fri_load_options_arrays(ctx, &own);
    if (!status)
        status = check_shape(ctx, a);
    if (!status)
        status = check_offsets(ctx, a);
    if (!status)
        status = check_vertices(ctx, a);
    if (!status)
        status = fri_weights_check(ctx, a->weights, a->weight_type, a->m);
    if (status)
        return status;
    fr_graph *graph = fri_graph_new(ctx, name);
    if (!graph)
        return FR_NOMEM;
    fr_csr csr = view_of(a, &own);
    status = may_borrow(a, &own) && fri_csr_rows_sorted(ctx, &csr) ? borrow(ctx, &csr, &own, graph)
                                                                   : build(ctx, a, &own, graph);
    return fri_graph_give(status, graph, out);
}

fr_status fr_graph_from_arrays(fr_ctx *ctx, const fr_arrays *arrays, const fr_load_options *options,
                               fr_graph **out) {
    fr_status status = fri_graph_begin(ctx, out);
    fr_arrays own;
    if (!status && !arrays)
        status = fri_fail(ctx, FR_INVALID, "a graph from arrays needs arrays, not NULL");
    if (!status)
        status = FRI_SIZED_READ(ctx, fr_arrays, arrays, &own);
    if (status)
        return status;
    own.vertex_type = own.vertex_type ? own.vertex_type : FR_TYPE_I32;
    own.offset_type = own.offset_type ? own.offset_type : FR_TYPE_I64;
    return from_arrays(ctx, "arrays", &own, options, out);
}

fr_status fr_graph_from_edges(fr_ctx *ctx, int32_t n, int64_t m, const int32_t *src,
                              const int32_t *dst, const void *weights, fr_type weight_type,
                              const fr_load_options *options, fr_graph **out) {
    fr_status status = fri_graph_begin(ctx, out);
    if (!status && m && !src)
        status = fri_fail(ctx, FR_INVALID, "a graph from edges needs src and dst");
    if (status)
        return status;
    fr_arrays arrays = {.n = n,
                        .m = m,
                        .sources = src,
                        .targets = dst,
                        .weights = weights,
                        .weight_type = weights ? weight_type : FR_TYPE_NONE,
                        .vertex_type = FR_TYPE_I32,
                        .offset_type = FR_TYPE_I64};
    return from_arrays(ctx, "edges", &arrays, options, out);
}
