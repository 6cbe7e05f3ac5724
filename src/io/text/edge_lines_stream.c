/* Parses lines "id id [columns]" while they are decompressed.
 *
 * Idea: the calling thread decompresses pieces that end after a newline, and the other threads parse them. If no
 *   buffer is idle, the calling thread parses, too; alone it does both in turns, and each piece is still in
 *   the cache. The text as a whole is never in memory. Only the common case is handled: a value that needs a wider
 *   representation, a damaged file or a wrong line stops all, and the caller reads the whole text.
 * Memory: one buffer per thread and three. */
#include "io/text/edge_lines_chunk.h"

#include <omp.h>
#include <pthread.h>
#include <string.h>

enum { BUFFER = 1 << 20, SPARE = 3 };

typedef struct piece {
    struct piece *next; /* in the order of the text */
    fri_edge_lines_chunk chunk;
    fri_edge_block block;
    char *buffer; /* of the chunk; NULL: the head */
} piece;

typedef struct {
    fri_edge_lines_job *job;
    piece *first, **end;
    int count;
    pthread_mutex_t mutex; /* of what follows */
    pthread_cond_t filled;
    piece *waiting; /* the first piece that no thread has taken */
    bool over;      /* no piece follows */
    char **idle;
    int idle_count, buffers; /* buffers: all that exist */
} pipeline;

static void free_piece(piece *p) {
    fri_free(p->block.ends);
    fri_free(p->block.weights);
    fri_free(p);
}

/* The next piece; NULL: none, at the end or if the thread is not to wait. */
static piece *take_piece(pipeline *l, bool wait) {
    pthread_mutex_lock(&l->mutex);
    while (wait && !l->waiting && !l->over)
        pthread_cond_wait(&l->filled, &l->mutex);
    piece *p = l->waiting;
    if (p)
        l->waiting = p->next;
    pthread_mutex_unlock(&l->mutex);
    return p;
}

static bool parse_piece(pipeline *l, bool wait) {
    piece *p = take_piece(l, wait);
    if (!p)
        return false;
    if (!atomic_load(&l->job->stop) &&
        fri_edge_lines_chunk_parse(l->job, &p->chunk) != FRI_PARSE_OK)
        atomic_store(&l->job->stop, true);
    pthread_mutex_lock(&l->mutex);
    if (p->buffer)
        l->idle[l->idle_count++] = p->buffer;
    pthread_mutex_unlock(&l->mutex);
    return true;
}

static char *idle_buffer(pipeline *l) {
    char *buffer = NULL;
    pthread_mutex_lock(&l->mutex);
    if (l->idle_count)
        buffer = l->idle[--l->idle_count];
    pthread_mutex_unlock(&l->mutex);
    return buffer;
}

/* Parses if no buffer is idle: of all one is being filled and each other thread holds one, so that others wait. */
static char *next_buffer(pipeline *l) {
    char *buffer;
    while (!(buffer = idle_buffer(l))) {
        if (l->buffers < l->job->ctx->threads + SPARE) {
            buffer = fri_alloc(l->job->ctx, BUFFER);
            l->buffers += buffer != NULL;
            return buffer;
        }
        parse_piece(l, false);
    }
    return buffer;
}

/* Hands lines over to the threads that parse, and with them their buffer, unless it fails. */
static fr_status put_piece(pipeline *l, const char *begin, const char *end, char *buffer) {
    piece *p = fri_calloc(l->job->ctx, sizeof *p);
    if (!p)
        return FR_NOMEM;
    p->chunk = (fri_edge_lines_chunk){
        .begin = begin, .end = end, .lines = fri_edge_lines_expect(begin, end), .block = &p->block};
    p->buffer = buffer;
    if (fri_edge_lines_allocate(l->job, &p->chunk)) {
        free_piece(p);
        return FR_NOMEM;
    }
    pthread_mutex_lock(&l->mutex);
    *l->end = p;
    l->end = &p->next;
    if (!l->waiting)
        l->waiting = p;
    l->count++;
    pthread_cond_signal(&l->filled);
    pthread_mutex_unlock(&l->mutex);
    return FR_OK;
}

/* Fills `buffer`, which begins with `kept` bytes of a line, and stores where its last line ends. */
static fr_status fill(pipeline *l, char *buffer, size_t kept, size_t *size, size_t *lines) {
    const fri_edge_lines_job *j = l->job;
    size_t got;
    fr_status status = fri_unpacker_read(j->ctx, j->text->rest, buffer + kept, BUFFER - kept, &got);
    if (status)
        return status;
    *lines = *size = kept + got;
    if (*size < BUFFER)
        return FR_OK;
    const char *newline = memrchr(buffer, '\n', BUFFER);
    *lines = newline ? (size_t)(newline + 1 - buffer) : 0;
    return newline ? FR_OK : FR_UNSUPPORTED; /* a line as long as the buffer */
}

static fr_status decompress(pipeline *l, const char *begin) {
    const fri_input *text = l->job->text;
    const char *end = text->data + text->size;
    char *buffer = next_buffer(l);
    fr_status status = buffer ? put_piece(l, begin, end, NULL) : FR_NOMEM;
    size_t size = BUFFER, kept = text->tail, lines = 0;
    if (!status)
        memcpy(buffer, end, kept);
    while (!status && size == BUFFER && !atomic_load(&l->job->stop)) {
        status = fill(l, buffer, kept, &size, &lines);
        char *following = status ? NULL : next_buffer(l);
        if (!status && !following)
            status = FR_NOMEM;
        if (!status) {
            kept = size - lines;
            memcpy(following, buffer + lines, kept);
            status = put_piece(l, buffer, buffer + lines, buffer);
        }
        if (status) {
            fri_free(following);
            break;
        }
        buffer = following;
    }
    fri_free(buffer);
    return status;
}

static fr_status run(pipeline *l, const char *begin) {
    fr_status status = FR_OK;
#pragma omp parallel num_threads(l->job->ctx->threads)
    {
        if (omp_get_thread_num() == 0) {
            status = decompress(l, begin);
            pthread_mutex_lock(&l->mutex);
            l->over = true;
            pthread_cond_broadcast(&l->filled);
            pthread_mutex_unlock(&l->mutex);
        }
        while (parse_piece(l, true))
            ;
    }
    return status ? status : atomic_load(&l->job->stop) ? FR_UNSUPPORTED : FR_OK;
}

/* Moves the blocks to the edges, and the chunks to the job. */
static fr_status collect(pipeline *l, fri_edge_list *edges) {
    fri_edge_lines_job *j = l->job;
    j->chunks = fri_calloc(j->ctx, fri_bytes(l->count, sizeof *j->chunks));
    edges->blocks = fri_calloc(j->ctx, fri_bytes(l->count, sizeof *edges->blocks));
    if (!j->chunks || !edges->blocks)
        return FR_NOMEM;
    edges->block_count = j->count = l->count;
    int i = 0;
    for (piece *p = l->first; p; p = p->next, i++) {
        edges->blocks[i] = p->block;
        p->block = (fri_edge_block){0};
        j->chunks[i] = p->chunk;
        j->chunks[i].block = &edges->blocks[i];
    }
    return FR_OK;
}

static void release(pipeline *l) {
    for (piece *p = l->first, *next; p; p = next) {
        next = p->next;
        free_piece(p);
    }
    while (l->idle_count)
        fri_free(l->idle[--l->idle_count]);
    fri_free(l->idle);
    pthread_cond_destroy(&l->filled);
    pthread_mutex_destroy(&l->mutex);
}

fr_status fri_edge_lines_stream(fri_edge_lines_job *j, const char *begin, fri_edge_list *edges) {
    const char *end = j->text->data + j->text->size;
    if ((size_t)(end - begin) < j->text->size / 2)
        return FR_UNSUPPORTED; /* comments: too few lines for what a reader concludes from the first ones */
    pipeline l = {.job = j,
                  .idle = fri_alloc(j->ctx, fri_bytes(j->ctx->threads + SPARE, sizeof *l.idle))};
    if (!l.idle)
        return FR_NOMEM;
    l.end = &l.first;
    pthread_mutex_init(&l.mutex, NULL); /* default attributes: glibc cannot fail */
    pthread_cond_init(&l.filled, NULL);
    atomic_store(&j->stop, false);
    fr_status status = run(&l, begin);
    if (!status)
        status = collect(&l, edges);
    release(&l);
    return status;
}
