/* Rows of a matrix of distances as a file. */
#ifndef FRI_GRAPH_MATRIX_ROWS_H
#define FRI_GRAPH_MATRIX_ROWS_H

#include "graph/write/result_output.h"

typedef struct fri_matrix {
    const fr_graph *graph;
    fr_type type;
    const int32_t *sources, *targets; /* NULL: every vertex */
    int64_t rows, columns;
    bool npy, with_parents;
    const char *none;  /* tsv: the text of no parent */
    size_t line_bytes; /* tsv, at most */
} fri_matrix;

/* Reads where the matrix goes and its shape. FR_NOT_FOUND: no such source or target. FR_UNSUPPORTED:
 * npy with parents. */
fr_status fri_matrix_open(fr_ctx *ctx, const fr_output *to, const fr_query *query, fri_matrix *m,
                          fri_output *o);
/* As fri_output_begin. FR_DISK: the file system has too little space for a matrix as npy. */
fr_status fri_matrix_begin(fr_ctx *ctx, const fri_matrix *m, fri_output *o);
/* Writes what comes before the rows. */
void fri_matrix_head(const fri_matrix *m, fri_row_output *out);
/* Writes the rows first .. first + count - 1; dist, parent: [count][columns]. */
void fri_matrix_put(const fri_matrix *m, int64_t first, int64_t count, const void *dist,
                    const int32_t *parent, fri_row_output *out);

/* Rows that are finished in any order and written in ascending order: those that are early are copied and wait
 * for the ones before them. */
typedef struct fri_row_queue {
    fr_ctx *ctx;
    const fri_matrix *m;
    fri_row_output *out;
    int64_t next; /* the row to be written next */
    void **early; /* [rows] copies of rows: distances, then parents */
} fri_row_queue;

/* FR_NOMEM. Close it also after a failure. */
fr_status fri_row_queue_open(fr_ctx *ctx, const fri_matrix *m, fri_row_output *out,
                             fri_row_queue *q);
/* Takes a row once; parent: in all rows or in none. False: out->status has a failure. */
bool fri_row_queue_take(fri_row_queue *q, int64_t row, const void *dist, const int32_t *parent);
void fri_row_queue_close(fri_row_queue *q);

#endif
