/* The graph object and the functions that build it. */
#ifndef FRI_GRAPH_H
#define FRI_GRAPH_H

#include "base/edge_list.h"
#include "graph/derived.h"
#include "io/format.h"

#include <string.h>

/* What other parts of the library keep for a graph, freed with it: the first member of a struct. */
typedef struct fri_attachment {
    void (*free)(struct fri_attachment *self, const fr_graph *graph);
} fri_attachment;

struct fr_graph {
    fr_csr csr;
    bool undirected; /* as declared; csr.symmetric is what the rows hold */
    fri_ids ids;
    char *name;
    char *note; /* assumptions of the reader, and after its NUL the warning; NULL: neither */
    /* owned arrays of csr, freed by fri_free; NULL: borrowed or part of a mapping */
    int64_t *own_offsets;
    int32_t *own_targets;
    void *own_weights;
    fri_input text;      /* the binary file that contains the arrays; otherwise zeroed */
    bool ids_borrowed;   /* ids.list is part of text too */
    bool names_borrowed; /* ids.names belongs to another graph */
    uint64_t hash;       /* atomic: 0 until fr_graph_hash has computed it */
    /* atomic: 1 while only the header of `text` has been checked, or `fetch` is to be called */
    int unchecked;
    /* For a graph in device memory: copies its rows to the host and sets `unchecked` to 0, the first
     * time. Until then csr has neither offsets nor targets, and weights that are not NULL must not
     * be read. NULL: the rows are on the host */
    fr_status (*fetch)(fr_ctx *ctx, fr_graph *graph);
    int device;           /* with `fetch`: the GPU */
    double edge_degree;   /* with `fetch`: the mean degree of edges' sources */
    fri_derived *derived; /* what the CPU derives, shared by the graph's solvers */
    /* atomic, set once by whichever thread needs it first; NULL: not needed yet */
    fri_attachment *idle_solvers; /* the contexts that keep solvers of it: core/idle_solvers.h */
    fri_attachment *resident;     /* its copies on devices: cuda/graph/resident.h */
};

/* Publishes `fresh` at *place of a graph that threads share; returns what is there now, which is
 * not `fresh` if another thread was first. */
fri_attachment *fri_graph_attach(fri_attachment *const *place, fri_attachment *fresh);

/* The CSR, also while another thread fetches its rows. *away: they are in device memory only. */
fr_csr fri_graph_rows(const fr_graph *graph, bool *away);

/* Keeps the reader's note and warning, which may be empty. FR_NOMEM. */
fr_status fri_graph_set_note(fr_ctx *ctx, fr_graph *graph, const char *note, const char *warning);

/* Begins a call that makes a graph; *out becomes NULL. FR_INVALID: out is NULL. */
fr_status fri_graph_begin(fr_ctx *ctx, fr_graph **out);
/* Ends it: *out takes the graph, which after a failure is freed. Returns `status`. */
fr_status fri_graph_give(fr_status status, fr_graph *graph, fr_graph **out);

/* An empty graph object with a copy of `name`; NULL (recorded) if out of memory. */
fr_graph *fri_graph_new(fr_ctx *ctx, const char *name);
/* An object that borrows all of `graph`, which must outlive it; NULL (recorded) if out of memory. */
fr_graph *fri_graph_borrow(fr_ctx *ctx, const fr_graph *graph);

/* Consumes `edges` (also on failure) and fills graph->csr, sorted, according to the options. */
fr_status fri_graph_build(fr_ctx *ctx, fri_edge_list *edges, const fr_load_options *options,
                          fr_graph *graph);

/* The part of it that sorts the edges into rows: consumes the blocks; options: drop_loops and
 * drop_parallel. */
fr_status fri_graph_build_rows(fr_ctx *ctx, fri_edge_list *edges, const fr_load_options *options,
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
/* Writes one file, or all of `files` (stem and suffix each) or none. */
fr_status fri_write_file(fr_ctx *ctx, const fri_graph_view *view, const char *path,
                         fri_write_fn write);
fr_status fri_write_files(fr_ctx *ctx, const fri_graph_view *view, const char *stem,
                          const fri_format_file *files);

/* The format to write to path: by name, or by the suffix of path if it is NULL. NULL (recorded as
 * FR_INVALID): there is none, or it cannot be written. */
const fri_format *fri_write_format(fr_ctx *ctx, const char *path, const char *name);

/* FR_UNSUPPORTED: the graph has names, which the format cannot hold. */
fr_status fri_write_check_names(fr_ctx *ctx, const fr_graph *graph, const fri_format *format);

/* FR_NOT_FOUND, with the numbers that a vertex can have: a listed one is not in 0 .. n-1. FR_INVALID: a
 * negative count. what: "source vertex", "vertex", ... */
fr_status fri_check_vertices(fr_ctx *ctx, const char *what, const int32_t *list, int64_t count,
                             int32_t n);

/* Whether the query has a limit, which may be 0. */
static inline bool fri_limits_distance(const fr_query *q) {
    return q->max_distance > 0 || q->limit_distance;
}
static inline bool fri_limits_level(const fr_query *q) {
    return q->max_level > 0 || q->limit_level;
}

/* Parallel: whether every edge exists in both directions with the same weight. *same is false if
 * that could not be determined. */
fr_status fri_csr_is_symmetric(fr_ctx *ctx, const fr_csr *csr, bool *same);

/* False: an edge of a sample has no reverse. */
bool fri_csr_may_be_symmetric(const fr_csr *csr);

/* Whether all targets are vertices and every row ascends by target, then by weight. Parallel. */
bool fri_csr_rows_sorted(fr_ctx *ctx, const fr_csr *csr);

/* Sets csr->symmetric: `known`, or by a test. If there is not enough memory for the test, the graph
 * counts as directed. */
fr_status fri_csr_find_symmetry(fr_ctx *ctx, fr_csr *csr, bool known);

/* The first edge of u's sorted row whose target is at least v; the end of the row if there is none. */
static inline int64_t fri_csr_lower_bound(const fr_csr *csr, int32_t u, int32_t v) {
    int64_t low = csr->offsets[u], high = csr->offsets[u + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (csr->targets[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The vertex whose row holds edge e. */
static inline int32_t fri_csr_row_of(const fr_csr *csr, int64_t e) {
    int32_t low = 0, high = csr->n - 1;
    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;
        if (csr->offsets[middle] <= e)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

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

/* Makes the rows of `out` in two passes. `take` returns the number of edges of row u, and copies them to position `at`
 * of the arrays, if there are arrays. old: the row of csr that row u is made of; NULL: u. doing: for
 * the progress. */
typedef int64_t (*fri_take_row_fn)(const void *user, int32_t u, int64_t at, int32_t *targets,
                                   char *weights);
fr_status fri_graph_take_rows(fr_ctx *ctx, const char *doing, const fr_csr *csr, int32_t n,
                              const int32_t *old, fri_take_row_fn take, const void *user,
                              fr_graph *out);

/* Copies a weight of `size` bytes. */
static inline void fri_copy_weight(char *to, const char *from, size_t size) {
    memcpy(to, from, size == 4 ? 4 : 8); /* constants: a move each, not a call */
}

#endif
