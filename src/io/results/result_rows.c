/* Writes rows formatted by all threads.
 *
 * Idea: each thread formats a piece of the rows into a buffer that it reuses, so that no page of a
 *   fresh buffer or of a mapped file is faulted in. The offset of a piece is the sum of the sizes
 *   before it: the threads add theirs in the order of the pieces and then write in any order. A
 *   file without offsets (a pipe, standard output) is written in order, while other threads format
 *   the next pieces. */
#include "io/results/result_rows.h"

#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 1 << 19, HELD = 1 << 20 };

typedef struct rows_writer {
    fri_row_output *out;
    const fri_result_rows *rows;
    int64_t rows_per_piece, pieces;
    bool in_order;
    int64_t claimed; /* pieces that a thread has begun */
    /* A thread sleeps until its piece is the next one: waiting for `omp ordered` takes the cores
     * from the threads that format. */
    pthread_mutex_t lock;
    pthread_cond_t passed_on;
    int64_t next_piece, offset; /* the offset is where it begins */
} rows_writer;

static bool is_over(const fri_row_output *o) {
    return __atomic_load_n(&o->status, __ATOMIC_RELAXED) != FR_OK;
}

static void stop(fri_row_output *o, fr_status status, int error) {
    fr_status none = FR_OK;
    if (__atomic_compare_exchange_n(&o->status, &none, status, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
        o->error = error;
}

static bool to_memory(const fri_row_output *o) { return o->fd < 0 && !o->stream; }

/* offset -1: at the position of the file. */
static void write_at(fri_row_output *o, const char *data, size_t bytes, int64_t offset) {
    while (bytes && !is_over(o)) {
        ssize_t done =
            offset < 0 ? write(o->fd, data, bytes) : pwrite(o->fd, data, bytes, (off_t)offset);
        if (done < 0 && errno != EINTR)
            stop(o, FR_DISK, errno);
        if (done > 0) {
            data += done;
            bytes -= (size_t)done;
            offset += offset < 0 ? 0 : done;
        }
    }
}

static void write_next(fri_row_output *o, const char *data, size_t bytes) {
    if (!o->stream)
        write_at(o, data, bytes, -1);
    else if (bytes && !is_over(o) && fwrite(data, 1, bytes, o->stream) != bytes)
        stop(o, FR_DISK, errno);
}

static void append(fri_row_output *o, const char *data, size_t bytes) {
    if (o->size + bytes > o->capacity) {
        size_t capacity = FRI_MAX(o->size + bytes, o->capacity + o->capacity / 2);
        char *grown = fri_grow(o->ctx, o->bytes, capacity);
        if (!grown) {
            stop(o, FR_NOMEM, 0);
            return;
        }
        o->bytes = grown;
        o->capacity = capacity;
    }
    memcpy(o->bytes + o->size, data, bytes);
    o->size += bytes;
}

static void write_held(fri_row_output *o) {
    write_next(o, o->held, o->held_bytes);
    o->held_bytes = 0;
}

static bool make_held(fri_row_output *o) {
    if (!o->held)
        o->held = fri_alloc(o->ctx, HELD);
    if (!o->held)
        stop(o, FR_NOMEM, 0);
    return o->held;
}

/* Small pieces, such as rows of a matrix, are held until there is a megabyte of them. */
static void hold(fri_row_output *o, const char *data, size_t bytes) {
    if (o->held_bytes + bytes > HELD)
        write_held(o);
    if (bytes > HELD / 2) {
        write_held(o);
        write_next(o, data, bytes);
        return;
    }
    if (!make_held(o))
        return;
    memcpy(o->held + o->held_bytes, data, bytes);
    o->held_bytes += bytes;
}

void fri_row_output_put(fri_row_output *o, const char *data, size_t bytes) {
    if (is_over(o))
        return;
    if (to_memory(o))
        append(o, data, bytes);
    else
        hold(o, data, bytes);
}

void fri_row_output_end(fri_row_output *o, bool keep) {
    if (keep && !is_over(o) && !to_memory(o)) {
        write_held(o);
        if (o->stream && fflush(o->stream) != 0)
            stop(o, FR_DISK, errno);
    }
    fri_free(o->held);
    fri_free(o->pieces);
    o->held = o->pieces = NULL;
    o->held_bytes = o->pieces_bytes = 0;
}

/* Waits until `piece` is the next one and returns its offset; the piece is written here if the file has no
 * offsets. */
static int64_t take_offset(rows_writer *w, int64_t piece, const char *data, size_t bytes) {
    pthread_mutex_lock(&w->lock);
    while (w->next_piece != piece)
        pthread_cond_wait(&w->passed_on, &w->lock);
    int64_t offset = w->offset;
    w->offset += (int64_t)bytes;
    if (w->in_order)
        fri_row_output_put(w->out, data, bytes);
    w->next_piece++;
    pthread_cond_broadcast(&w->passed_on);
    pthread_mutex_unlock(&w->lock);
    return offset;
}

static void write_piece(rows_writer *w, int64_t piece, char *buffer) {
    const fri_result_rows *rows = w->rows;
    int64_t first = piece * w->rows_per_piece;
    int64_t last = FRI_MIN(first + w->rows_per_piece, rows->count);
    char *end = is_over(w->out) ? buffer : rows->put(rows->user, first, last, buffer);
    size_t bytes = (size_t)(end - buffer);
    int64_t offset = take_offset(w, piece, buffer, bytes);
    if (!w->in_order)
        write_at(w->out, buffer, bytes, offset);
}

/* Only the calling thread reports progress. */
static void write_pieces(rows_writer *w) {
    const int thread = omp_get_thread_num();
    char *buffer = w->out->pieces + (size_t)thread * (size_t)w->rows_per_piece * w->rows->longest;
    for (;;) {
        int64_t piece = __atomic_fetch_add(&w->claimed, 1, __ATOMIC_RELAXED);
        if (piece >= w->pieces)
            break;
        write_piece(w, piece, buffer);
        if (thread == 0 && !w->out->quiet && fri_progress(w->out->ctx, "writing", piece, w->pieces))
            stop(w->out, FR_CANCELLED, 0);
    }
}

/* Other threads than the calling one may not allocate. */
static bool make_buffers(fri_row_output *o, size_t bytes) {
    if (!to_memory(o) && !make_held(o))
        return false;
    if (o->pieces_bytes >= bytes)
        return true;
    fri_free(o->pieces);
    o->pieces = fri_alloc(o->ctx, bytes);
    o->pieces_bytes = o->pieces ? bytes : 0;
    return o->pieces;
}

void fri_write_result_rows(fri_row_output *o, const fri_result_rows *rows) {
    int64_t max_rows = (int64_t)(PIECE / rows->longest) + 1;
    rows_writer w = {.out = o,
                     .rows = rows,
                     .rows_per_piece = FRI_MAX(FRI_MIN(max_rows, rows->count), 1),
                     .lock = PTHREAD_MUTEX_INITIALIZER,
                     .passed_on = PTHREAD_COND_INITIALIZER};
    w.pieces = (rows->count + w.rows_per_piece - 1) / w.rows_per_piece;
    bool alone = to_memory(o) || omp_in_parallel();
    int threads = alone ? 1 : (int)FRI_MAX(FRI_MIN(o->ctx->threads, w.pieces), 1);
    /* only a file created for the rows is certainly not opened for appending, which ignores
     * offsets */
    w.in_order = threads == 1 || !o->at_offsets;
    if (!w.in_order) {
        write_held(o);
        w.offset = (int64_t)lseek(o->fd, 0, SEEK_CUR);
        w.in_order = w.offset < 0;
    }
    if (!make_buffers(o, (size_t)threads * (size_t)w.rows_per_piece * rows->longest)) {
        stop(o, FR_NOMEM, 0);
        return;
    }
#pragma omp parallel num_threads(threads)
    write_pieces(&w);
    if (!w.in_order && lseek(o->fd, (off_t)w.offset, SEEK_SET) < 0)
        stop(o, FR_DISK, errno);
}
