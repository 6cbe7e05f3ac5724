/* Rows of a result, formatted by all threads, to a file, a stream or memory. */
#ifndef FRI_IO_RESULT_ROWS_H
#define FRI_IO_RESULT_ROWS_H

#include "base/base.h"

#include <stdio.h>

/* Where rows go: a file, a stream, or a block of memory that grows. Zeroed but for the first
 * members; fri_row_output_end completes it. */
typedef struct fri_row_output {
    fr_ctx *ctx;
    int fd;          /* a file, used if `stream` is NULL; -1: memory */
    FILE *stream;    /* written by fwrite */
    bool at_offsets; /* rows may be written at offsets: the file was created for them */
    bool quiet;      /* reports no progress: another call does */
    char *bytes;     /* memory: [capacity], to be freed by fri_free */
    size_t size, capacity;
    char *held; /* of files and streams: what is not yet written */
    size_t held_bytes;
    char *pieces; /* buffers of the threads */
    size_t pieces_bytes;
    fr_status status; /* the first failure; further output is discarded */
    int error;        /* FR_DISK: errno */
} fri_row_output;

void fri_row_output_put(fri_row_output *o, const char *data, size_t bytes);
/* Writes what is held, flushes a stream, and frees all but `bytes`. Does nothing more than the
 * latter after a failure or if `keep` is false. */
void fri_row_output_end(fri_row_output *o, bool keep);

/* Writes the rows first .. last-1 at `at` and returns the end. Called by several threads. */
typedef char *(*fri_put_rows_fn)(const void *user, int64_t first, int64_t last, char *at);
typedef struct fri_result_rows {
    int64_t count;
    size_t longest; /* bytes of a row at most */
    fri_put_rows_fn put;
    const void *user;
} fri_result_rows;
/* Writes the rows in order, after what was put before; to memory on one thread. Memory: half a
 * megabyte per thread, or a row if one is longer; kept for the next call. */
void fri_write_result_rows(fri_row_output *o, const fri_result_rows *rows);

#endif
