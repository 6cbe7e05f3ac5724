/* Writes the edges of a graph as text, formatted by all threads.
 *
 * Idea: a member of the team takes a piece of the edges, formats it into its own buffer, and sleeps
 *   until all pieces before it are in the stream. */
#include "base/heap.h"
#include "base/team.h"
#include "io/results/text_writer.h"

#include <errno.h>
#include <pthread.h>

enum { PIECE_EDGES = 2048 };

typedef struct rows_job {
    fri_text_writer *writer; /* takes the pieces in order */
    const fri_graph_view *view;
    fri_write_edges_fn put;
    fri_text_writer *member; /* [threads] */
    char *buffers;           /* of all members */
    int64_t cursor;          /* edges that a member has taken */
    pthread_mutex_t lock;    /* of what follows, and of writer */
    pthread_cond_t passed_on;
    int64_t written, reported; /* edges; lines at the last report */
    int error;                 /* errno of the write that failed, which is the thread's own */
} rows_job;

/* The row of an edge. */
static int32_t find_row(const fr_csr *csr, int64_t edge) {
    int32_t low = 0, high = csr->n - 1;
    while (low < high) {
        int32_t middle = high - (high - low) / 2;
        if (csr->offsets[middle] <= edge)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void put_piece(const rows_job *job, fri_text_writer *writer, int64_t begin, int64_t end) {
    const fr_csr *csr = job->view->csr;
    for (int32_t u = find_row(csr, begin); begin < end; u++) {
        int64_t last = FRI_MIN(end, csr->offsets[u + 1]);
        if (begin < last)
            job->put(writer, job->view, u, begin, last);
        begin = FRI_MAX(begin, last);
    }
}

/* Only member 0 may call the progress function. */
static void report(rows_job *job) {
    fri_text_writer *writer = job->writer;
    if (writer->status || writer->lines - job->reported < FRI_LINES_PER_REPORT)
        return;
    job->reported = writer->lines;
    fr_status status = fri_progress(writer->ctx, "writing", writer->lines, writer->total);
    __atomic_store_n(&writer->status, status, __ATOMIC_RELAXED);
}

static void append_piece(rows_job *job, fri_member me, int64_t begin, int64_t end) {
    fri_text_writer *writer = job->writer, *piece = &job->member[me.index];
    pthread_mutex_lock(&job->lock);
    while (job->written != begin)
        pthread_cond_wait(&job->passed_on, &job->lock);
    if (!writer->status && fwrite(piece->buffer, 1, piece->used, writer->out) != piece->used) {
        job->error = errno;
        __atomic_store_n(&writer->status, FR_DISK, __ATOMIC_RELAXED);
    }
    writer->lines += piece->lines;
    if (me.index == 0)
        report(job);
    job->written = end;
    pthread_cond_broadcast(&job->passed_on);
    pthread_mutex_unlock(&job->lock);
}

static void write_pieces(fri_member me, void *arg) {
    rows_job *job = arg;
    int64_t begin, end;
    while (fri_team_next_chunk(&job->cursor, job->view->csr->m, PIECE_EDGES, &begin, &end)) {
        fri_text_writer *piece = &job->member[me.index];
        piece->used = 0;
        piece->lines = 0;
        if (!__atomic_load_n(&job->writer->status,
                             __ATOMIC_RELAXED)) /* after a failure the piece is empty */
            put_piece(job, piece, begin, end);
        append_piece(job, me, begin, end);
    }
}

/* Buffers of all members in one block; false: out of memory. */
static bool make_members(rows_job *job, int threads) {
    size_t capacity = (size_t)PIECE_EDGES * FRI_EDGE_CAPACITY;
    fr_ctx *ctx = job->writer->ctx;
    job->member = fri_alloc(ctx, (size_t)threads * sizeof *job->member);
    job->buffers = job->member ? fri_alloc(ctx, (size_t)threads * capacity) : NULL;
    for (int i = 0; job->buffers && i < threads; i++) {
        fri_text_writer_start(&job->member[i], NULL, NULL, 0);
        job->member[i].buffer = job->buffers + (size_t)i * capacity;
        job->member[i].capacity = capacity;
    }
    return job->buffers;
}

/* A stream to memory allocates where it is written, and only one thread may call a caller's allocator. */
static bool alone(const fri_text_writer *writer) {
    return fri_heap_is_callers(writer->ctx->heap) && fileno(writer->out) < 0;
}

void fri_write_rows(fri_text_writer *writer, const fri_graph_view *view, fri_write_edges_fn put) {
    int64_t m = view->csr->m, pieces = (m + PIECE_EDGES - 1) / PIECE_EDGES;
    int threads = alone(writer) ? 1 : (int)FRI_MIN(pieces, writer->ctx->threads);
    rows_job job = {.writer = writer,
                    .view = view,
                    .put = put,
                    .lock = PTHREAD_MUTEX_INITIALIZER,
                    .passed_on = PTHREAD_COND_INITIALIZER,
                    .reported = writer->lines};
    if (threads < 2) {
        put_piece(&job, writer, 0, m);
        return;
    }
    fri_text_writer_flush(writer);
    if (!make_members(&job, threads))
        writer->status = FR_NOMEM;
    else
        fri_team_run(threads, write_pieces, &job);
    fri_free(job.buffers);
    fri_free(job.member);
    if (job.error)
        errno = job.error;
}
