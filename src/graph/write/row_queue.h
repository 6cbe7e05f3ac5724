/* Rows of a matrix that are finished in any order and written in ascending order: those that are
 * early are copied and wait for the ones before them.
 * Called by: core/query/apsp_write.c. */
#ifndef FRI_GRAPH_ROW_QUEUE_H
#define FRI_GRAPH_ROW_QUEUE_H

#include "graph/write/matrix_rows.h"

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
