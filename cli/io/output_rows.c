/* Writes rows formatted by all threads.
 *
 * Idea: each thread formats a piece of the rows into a buffer that it reuses, so that no page of a
 *   fresh buffer or of a mapped file is faulted in. The offset of a piece is the sum of the sizes
 *   before it: the threads add theirs in the order of the pieces and then write in any order. A
 *   file without offsets (a pipe, standard output) is written in order, while other threads format
 *   the next pieces. */
#include "output_file.h"

#include "cli/cli.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { PIECE = 1 << 19 };

typedef struct rows_writer {
    output_file *file;
    const output_rows *rows;
    int64_t rows_per_piece, pieces;
    bool in_order;
    int64_t claimed; /* pieces that a thread has begun */
    /* A thread sleeps until its piece is the next one: waiting for `omp ordered` takes the cores
     * from the threads that format. */
    pthread_mutex_t lock;
    pthread_cond_t passed_on;
    int64_t turn, offset; /* the next piece and where it begins */
} rows_writer;

/* Waits for the turn of `piece` and returns its offset; the file is written here if it has none. */
static int64_t take_offset(rows_writer *w, int64_t piece, const char *data, size_t bytes) {
    pthread_mutex_lock(&w->lock);
    while (w->turn != piece)
        pthread_cond_wait(&w->passed_on, &w->lock);
    int64_t offset = w->offset;
    w->offset += (int64_t)bytes;
    if (w->in_order)
        output_file_write(w->file, data, bytes);
    w->turn++;
    pthread_cond_broadcast(&w->passed_on);
    pthread_mutex_unlock(&w->lock);
    return offset;
}

static void write_piece(rows_writer *w, int64_t piece, char *buffer) {
    const output_rows *rows = w->rows;
    int64_t first = piece * w->rows_per_piece, last = first + w->rows_per_piece;
    if (last > rows->count)
        last = rows->count;
    char *end = output_file_failed(w->file) ? buffer : rows->put(rows->user, first, last, buffer);
    size_t bytes = (size_t)(end - buffer);
    int64_t offset = take_offset(w, piece, buffer, bytes);
    if (!w->in_order)
        output_file_write_at(w->file, buffer, bytes, offset);
}

static void write_pieces(rows_writer *w) {
    char *buffer = cli_alloc((size_t)w->rows_per_piece * w->rows->longest);
    for (;;) {
        int64_t piece = __atomic_fetch_add(&w->claimed, 1, __ATOMIC_RELAXED);
        if (piece >= w->pieces)
            break;
        write_piece(w, piece, buffer);
    }
    free(buffer);
}

void output_file_rows(output_file *s, const output_rows *rows, int threads) {
    output_file_flush(s);
    rows_writer w = {.file = s,
                     .rows = rows,
                     .rows_per_piece = (int64_t)(PIECE / rows->longest) + 1,
                     .lock = PTHREAD_MUTEX_INITIALIZER,
                     .passed_on = PTHREAD_COND_INITIALIZER,
                     /* only a file that this command created is certainly not opened for
                      * appending, which ignores offsets */
                     .offset = s->temporary ? (int64_t)lseek(s->fd, 0, SEEK_CUR) : -1};
    w.pieces = (rows->count + w.rows_per_piece - 1) / w.rows_per_piece;
    w.in_order = w.offset < 0;
    if (threads > w.pieces)
        threads = w.pieces > 1 ? (int)w.pieces : 1;
#pragma omp parallel num_threads(threads)
    write_pieces(&w);
    if (!w.in_order && lseek(s->fd, (off_t)w.offset, SEEK_SET) < 0)
        s->error = errno;
}
