/* The graph object and the functions that build it. */
#ifndef FRI_GRAPH_H
#define FRI_GRAPH_H

#include "base/edge_list.h"
#include "graph/derived.h"
#include "io/format.h"

struct fr_graph {
    fr_csr csr;
    fri_ids ids;
    char *name;
    char note[FRI_NOTE_BYTES]; /* assumptions of the reader; empty: none */
    /* owned arrays of csr, freed by fri_free; NULL: borrowed or part of a mapping */
    int64_t *own_offsets;
    int32_t *own_targets;
    void *own_weights;
    fri_input text;       /* the binary file that contains the arrays; otherwise zeroed */
    bool ids_borrowed;    /* ids.list is part of text too */
    uint64_t hash;        /* atomic: 0 until fr_graph_hash has computed it */
    int unchecked;        /* atomic: 1 while only the header of `text` has been checked */
    fri_derived *derived; /* shared by the graph's solvers */
};

/* An empty graph object with a copy of `name`; NULL (recorded) if out of memory. */
fr_graph *fri_graph_new(fr_ctx *ctx, const char *name);

/* Consumes `edges` (also on failure) and fills graph->csr, sorted, according to the options. */
fr_status fri_graph_build(fr_ctx *ctx, fri_edge_list *edges, const fr_load_options *options,
                          fr_graph *graph);

/* The in-edges of a CSR as a separate CSR: row v holds the sources of v's in-edges, ascending. Free
 * offsets, targets and weights with fri_csr_free. */
fr_status fri_csr_transpose(fr_ctx *ctx, const fr_csr *csr, fr_csr *out);
/* The bytes that fri_csr_transpose needs temporarily in addition to its result. */
size_t fri_csr_transpose_bytes(fr_ctx *ctx, const fr_csr *csr);
void fri_csr_free(fr_csr *csr);

/* Moves the CSR that a format's read_csr found in `text` to the graph: in place if the arrays lie
 * in `text` (the graph then owns `text`, and the argument is zeroed), or rebuilt according to the
 * options. Consumes `file`, also on failure. */
fr_status fri_graph_from_csr_file(fr_ctx *ctx, fri_input *text, fri_csr_file *file,
                                  const fr_load_options *options, fr_graph *graph);

/* The graph as the view that writers and the hash use. */
fri_graph_view fri_graph_as_view(const fr_graph *graph);
/* Writes one file, or those of `files` (stem and suffix each): all of them or none. */
fr_status fri_write_file(fr_ctx *ctx, const fri_graph_view *view, const char *path,
                         fri_write_fn write);
fr_status fri_write_files(fr_ctx *ctx, const fri_graph_view *view, const char *stem,
                          const fri_format_file *files);

/* Parallel: whether every edge exists in both directions with the same weight. *same is false if
 * that could not be determined. */
fr_status fri_csr_is_symmetric(fr_ctx *ctx, const fr_csr *csr, bool *same);

/* The weight of an edge; an int64 weight is converted to the nearest double. */
static inline double fri_csr_weight(const fr_csr *csr, int64_t e) {
    switch (csr->weight_type) {
    case FR_TYPE_I32: return ((const int32_t *)csr->weights)[e];
    case FR_TYPE_I64: return (double)((const int64_t *)csr->weights)[e];
    case FR_TYPE_F32: return (double)((const float *)csr->weights)[e];
    case FR_TYPE_F64: return ((const double *)csr->weights)[e];
    default: return 1;
    }
}

/* The same for integer weights or a graph without weights. */
static inline int64_t fri_csr_int_weight(const fr_csr *csr, int64_t e) {
    if (csr->weight_type == FR_TYPE_I32)
        return ((const int32_t *)csr->weights)[e];
    return csr->weight_type == FR_TYPE_I64 ? ((const int64_t *)csr->weights)[e] : 1;
}

#endif
