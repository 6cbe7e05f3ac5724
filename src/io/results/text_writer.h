/* Writes numbers into a stream; all text writers use it. */
#ifndef FRI_IO_TEXT_WRITER_H
#define FRI_IO_TEXT_WRITER_H

#include "io/format.h"

enum { FRI_LINES_PER_REPORT = 1 << 20 };

typedef struct fri_text_writer {
    fr_ctx *ctx; /* NULL: a piece of fri_write_edges, which reports no progress */
    FILE *out;
    char *buffer;
    size_t used, capacity;
    int64_t lines, total; /* for progress; total 0: unknown */
    fr_status status;     /* the first failure; later calls do nothing */
    char own[1 << 16];    /* the buffer of a writer that fri_text_writer_start made */
} fri_text_writer;

void fri_text_writer_start(fri_text_writer *writer, fr_ctx *ctx, FILE *out, int64_t total_lines);
void fri_write_text(fri_text_writer *writer, const char *text);
void fri_write_int(fri_text_writer *writer, int64_t value);
/* Writes u, the separator, v. */
void fri_write_edge(fri_text_writer *writer, int64_t u, int64_t v, char between);
/* Writes the shortest decimal that reads back as the same number. */
void fri_write_weight(fri_text_writer *writer, const fr_csr *csr, int64_t edge);
void fri_write_char(fri_text_writer *writer, char c); /* a newline counts as progress */
void fri_write_bytes(fri_text_writer *writer, const void *bytes, size_t count);
extern const fri_ids fri_ids_from_one, fri_ids_from_zero;
/* How a text has its edges: a line each. */
typedef struct fri_edge_style {
    const char *lead;   /* what begins a line; NULL: nothing */
    const fri_ids *ids; /* the vertices */
    char between;
    bool weights; /* the line has the weight; 1 in a graph without */
    bool once;    /* of both directions of an edge only the one that fri_written_once says */
    bool lower;   /* with its ends in the other order: the lower triangle of a matrix */
} fri_edge_style;
/* Writes all edges in order, formatted by all threads of the context. Memory: as fri_write_result_rows. */
void fri_write_edges(fri_text_writer *writer, const fr_csr *csr, const fri_edge_style *style);

void fri_text_writer_flush(fri_text_writer *writer);
/* Flushes the buffer; FR_DISK if a write failed: the caller reports the reason. */
fr_status fri_text_writer_finish(fri_text_writer *writer);

/* Whether the edge e = u -> v represents both directions. */
static inline bool fri_written_once(const fr_csr *csr, int32_t u, int64_t e) {
    return u <= csr->targets[e];
}
/* The number of edges that are written: each once if the graph is undirected. */
int64_t fri_count_written(fr_ctx *ctx, const fri_graph_view *view);

#endif
