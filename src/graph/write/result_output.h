/* Where files of results go: fr_output as rows of text or bytes, and the vertices in them. */
#ifndef FRI_GRAPH_RESULT_OUTPUT_H
#define FRI_GRAPH_RESULT_OUTPUT_H

#include "graph/graph.h"
#include "io/atomic_file.h"
#include "io/text/number_text.h"
#include "io/results/result_rows.h"

typedef struct fri_output {
    fr_output to;
    const char *name; /* of messages: the path, "stream" or "memory" */
    const char *format;
    fri_row_output rows;
    fri_atomic_file file;
} fri_output;

/* Reads the caller's struct; *bytes and *size become 0. `formats` are the names allowed, NULL at the
 * end. FR_INVALID: not exactly one destination, or another format. */
fr_status fri_output_read(fr_ctx *ctx, const fr_output *to, const char *const *formats,
                          fri_output *o);
/* Checks the names of the vertices, since rows are written to buffers of their size. FR_UNSUPPORTED:
 * there are names, and the format is not tsv. */
fr_status fri_output_check_names(fr_ctx *ctx, const fr_graph *graph, const fri_output *o);
/* Checks parent: [count], or NULL. FR_NOT_FOUND: an entry is neither a vertex nor -1. */
fr_status fri_output_check_parents(fr_ctx *ctx, const fr_graph *graph, const int32_t *parent,
                                   int64_t count);
/* Opens the destination: o->rows takes the content. Call fri_output_end afterwards, also if this
 * failed. */
fr_status fri_output_begin(fr_ctx *ctx, fri_output *o);
/* Completes the destination if `status` and the status of o->rows are FR_OK, else removes what was written.
 * Returns the failure of o->rows, or `status`. */
fr_status fri_output_end(fr_ctx *ctx, fri_output *o, fr_status status);

/* The most bytes of a vertex as text and a separator. */
size_t fri_vertex_text_bytes(const fr_graph *graph);

/* What stands for "no vertex" among the ids or names of a graph: -1, or, where a vertex is called so,
 * an empty field of a text and the smallest int64. O(n) for names. */
const char *fri_no_vertex_text(const fr_graph *graph);
int64_t fri_no_vertex_id(const fr_graph *graph);

/* Writes a NumPy array: of records, or of numbers if that is the only column (table_write.c). */
void fri_write_npy(const fr_graph *graph, const fr_column *columns, int count, int64_t rows,
                   fri_row_output *out);

/* Writes the name or the id of a vertex; none: the graph's, for -1. */
static inline char *fri_put_vertex(const fr_graph *graph, int32_t v, const char *none, char *at) {
    if (v < 0)
        return stpcpy(at, none);
    return graph->ids.names ? stpcpy(at, fri_names_get(graph->ids.names, v))
                            : fri_put_int64(at, fr_graph_id(graph, v));
}

#endif
