/* Rows of a result, formatted by all threads, to a file or to memory. */
#ifndef FRI_IO_RESULT_ROWS_H
#define FRI_IO_RESULT_ROWS_H

#include "base/base.h"

/* Where rows go: a file, or a block of memory that grows. */
typedef struct fri_row_output {
    fr_ctx *ctx;
    int fd;        /* -1: memory */
    bool has_room; /* rows may be written at offsets: the file was created for them */
    char *bytes;   /* memory: [capacity], to be freed by fri_free */
    size_t size, capacity;
    fr_status status; /* the first failure; further output is discarded */
    int error;        /* FR_DISK: errno */
} fri_row_output;

void fri_row_output_put(fri_row_output *o, const char *data, size_t bytes);

/* Writes the rows first .. last-1 at `at` and returns the end. Called by several threads. */
typedef char *(*fri_put_rows_fn)(const void *user, int64_t first, int64_t last, char *at);
typedef struct fri_result_rows {
    int64_t count;
    size_t longest; /* bytes of a row at most */
    fri_put_rows_fn put;
    const void *user;
} fri_result_rows;
/* Writes the rows in order, after what was put before; to memory on one thread. Memory: half a
 * megabyte per thread. */
void fri_write_result_rows(fri_row_output *o, const fri_result_rows *rows);

#endif
