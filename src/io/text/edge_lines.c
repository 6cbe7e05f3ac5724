/* Parses lines "id id [columns]" in parallel.
 *
 * Idea: the text is cut after newlines into chunks. Samples of each chunk predict its number of
 *   lines, and its block is allocated slightly larger. The sweep starts with the narrowest
 *   representation (ids and weights as int32); a chunk that finds a wider value, or more lines than
 *   predicted, stops all threads, and the sweep is repeated with the wider representation or with
 *   counted lines. The common case therefore has no overhead for the rare one.
 * Work: one sweep at about 1 GB/s per core. Memory: 8 bytes per line plus the weights; 6 % more
 *   until the sweep is over.
 * Called by: the readers of formats/ whose lines are edges. */
#include "io/text/edge_lines_chunk.h"
#include "io/text/number_scan.h"

#include <ctype.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { SMALL_PIECE = 64 << 10, LARGE_PIECE = 16 << 20, PIECES_PER_THREAD = 4 };

enum { SAMPLE_BYTES = 4 << 10, SAMPLES = 16 };

/* Slightly more than the samples predict, since they are few; an exact count if sampling saves no
 * time. */
int64_t fri_edge_lines_expect(const char *begin, const char *end) {
    int64_t bytes = end - begin, seen = 0;
    if (bytes <= 2 * SAMPLES * SAMPLE_BYTES)
        return fri_scan_count_lines(begin, end);
    for (int64_t s = 0; s < SAMPLES; s++) {
        const char *at = begin + (bytes - SAMPLE_BYTES) * s / (SAMPLES - 1);
        seen += fri_scan_count_lines(at, at + SAMPLE_BYTES) - 1;
    }
    double each = (double)(seen + 1) / ((double)SAMPLES * SAMPLE_BYTES);
    return (int64_t)((double)bytes * each * 1.06) + SAMPLES;
}

static int piece_count(const fr_ctx *ctx, int64_t bytes) {
    int64_t wanted = FRI_MAX((int64_t)ctx->threads * PIECES_PER_THREAD, bytes / LARGE_PIECE + 1);
    return (int)FRI_MAX(1, FRI_MIN(wanted, bytes / SMALL_PIECE));
}

static fr_status split_chunks(fri_edge_lines_job *j, const char *begin, fri_edge_list *edges) {
    const char *end = j->text->data + j->text->size;
    j->count = piece_count(j->ctx, end - begin);
    j->chunks = fri_calloc(j->ctx, fri_bytes(j->count, sizeof *j->chunks));
    edges->blocks = fri_calloc(j->ctx, fri_bytes(j->count, sizeof *edges->blocks));
    const char **at = fri_alloc(j->ctx, fri_bytes(j->count + 1, sizeof *at));
    fr_status status = j->chunks && edges->blocks && at ? FR_OK : FR_NOMEM;
    if (!status) {
        edges->block_count = j->count;
        fri_scan_cut(begin, end, j->count, at);
#pragma omp parallel for schedule(FRI_DYNAMIC, 1) num_threads(j->ctx->threads)
        for (int i = 0; i < j->count; i++)
            j->chunks[i] = (fri_edge_lines_chunk){.begin = at[i],
                                                  .end = at[i + 1],
                                                  .lines = fri_edge_lines_expect(at[i], at[i + 1]),
                                                  .block = &edges->blocks[i]};
    }
    fri_free(at);
    return status;
}

static size_t value_bytes(const fri_edge_lines_job *j) {
    if (j->format->ignore_weights || j->value == FRI_WEIGHT_NONE)
        return 0;
    return j->value == FRI_WEIGHT_INT ? sizeof(int32_t) : 8;
}

fr_status fri_edge_lines_allocate(const fri_edge_lines_job *j, const fri_edge_lines_chunk *chunk) {
    size_t id_bytes = 2 * (j->wide_ids ? sizeof(int64_t) : sizeof(int32_t)), size = value_bytes(j);
    fri_edge_block *block = chunk->block;
    block->ends = fri_alloc(j->ctx, fri_bytes(chunk->lines, id_bytes));
    if (block->ends && size)
        block->weights = fri_alloc(j->ctx, fri_bytes(chunk->lines, size));
    return block->ends && (!size || block->weights) ? FR_OK : FR_NOMEM;
}

/* Allocates blocks for the current representation and frees the blocks of a narrower one. */
static fr_status allocate(const fri_edge_lines_job *j) {
    size_t id_bytes = 2 * (j->wide_ids ? sizeof(int64_t) : sizeof(int32_t)), size = value_bytes(j);
    int64_t lines = 0;
    for (int i = 0; i < j->count; i++) {
        fri_edge_block *block = j->chunks[i].block;
        fri_free(block->ends);
        fri_free(block->weights);
        *block = (fri_edge_block){0};
        lines += j->chunks[i].lines;
    }
    fr_status status = fri_reserve_check(j->ctx, "the edges", fri_bytes(lines, id_bytes + size));
    for (int i = 0; i < j->count && !status; i++)
        status = fri_edge_lines_allocate(j, &j->chunks[i]);
    return status;
}

static fr_status parse(fri_edge_lines_job *j) {
    const char *begin = j->chunks[0].begin;
    int64_t size = (int64_t)(j->chunks[j->count - 1].end - begin);
    int cancelled = 0;
    atomic_store(&j->stop, false);
#pragma omp parallel for schedule(FRI_DYNAMIC, 1) num_threads(FRI_MIN(j->ctx->threads, j->count))
    for (int i = 0; i < j->count; i++) {
        fri_edge_lines_chunk *p = &j->chunks[i];
        /* relaxed: noticing it late only wastes one chunk of work */
        if (atomic_load_explicit(&j->stop, memory_order_relaxed)) {
            p->verdict = FRI_PARSE_STOPPED;
            continue;
        }
        fri_parse_result v = fri_edge_lines_chunk_parse(j, p);
        if (v == FRI_PARSE_WIDER_IDS || v == FRI_PARSE_WIDER_WEIGHTS ||
            v == FRI_PARSE_REAL_WEIGHTS || v == FRI_PARSE_BLOCK_FULL)
            atomic_store_explicit(&j->stop, true, memory_order_relaxed);
        if (omp_get_thread_num() == 0 &&
            fri_progress(j->ctx, "reading", (int64_t)(p->end - begin), size)) {
            cancelled = 1; /* written by thread 0 only */
            atomic_store_explicit(&j->stop, true, memory_order_relaxed);
        }
    }
    return cancelled ? FR_CANCELLED : FR_OK;
}

static void count_all(fri_edge_lines_job *j) {
#pragma omp parallel for schedule(FRI_DYNAMIC, 1) num_threads(j->ctx->threads)
    for (int i = 0; i < j->count; i++)
        j->chunks[i].lines = fri_scan_count_lines(j->chunks[i].begin, j->chunks[i].end);
}

/* Changes the representation according to the reason why the sweep stopped; false: it did not
 * stop. */
static bool widen(fri_edge_lines_job *j) {
    bool again = false, count = false;
    for (int i = 0; i < j->count; i++) {
        fri_parse_result v = j->chunks[i].verdict;
        j->wide_ids |= v == FRI_PARSE_WIDER_IDS;
        if (v == FRI_PARSE_WIDER_WEIGHTS && j->value == FRI_WEIGHT_INT)
            j->value = FRI_WEIGHT_LONG;
        if (v == FRI_PARSE_REAL_WEIGHTS) {
            j->value = FRI_WEIGHT_REAL;
            j->forced_real = true;
        }
        count |= v == FRI_PARSE_BLOCK_FULL;
        again |=
            v == FRI_PARSE_WIDER_IDS || v == FRI_PARSE_WIDER_WEIGHTS || v == FRI_PARSE_REAL_WEIGHTS;
    }
    if (count)
        count_all(j);
    again |= count;
    return again;
}

/* Whether a word in quotes may be the name of a vertex. */
static bool is_name(const char *word) {
    const unsigned char first = (unsigned char)word[1];
    return word[0] == '"' && (first >= 0x80 || isalpha(first));
}

static fr_status report(const fri_edge_lines_job *j, const fri_edge_lines_chunk *p) {
    char word[32] = "the end of the line"; /* or the word found, in quotes */
    int length = fri_input_word(j->text, p->at);
    if (length)
        snprintf(word, sizeof word, "\"%.*s\"", length, p->at);
#define FAIL(status, ...) fri_input_fail(j->ctx, status, j->text, p->at, __VA_ARGS__)
    switch (p->fault) {
    case FRI_FAULT_NO_PREFIX:
        return FAIL(FR_FORMAT, "the line starts with %s instead of \"%c\"", word, j->format->lead);
    case FRI_FAULT_NO_ID:
        return FAIL(FR_FORMAT, "expected a %s id, found %s%s", p->which, word,
                    j->format->any_id && is_name(word) ? "; names are read with ids strings" : "");
    case FRI_FAULT_ID_OVERFLOW:
        return FAIL(FR_RANGE, "%s %.*s does not fit 64 bits", p->which, length, p->at);
    case FRI_FAULT_ID_RANGE:
        return FAIL(FR_FORMAT, "%s %lld is outside %lld..%lld", p->which, (long long)p->id,
                    (long long)j->format->base, (long long)(j->format->base + j->format->n - 1));
    case FRI_FAULT_NO_SEPARATOR:
        return p->which ? FAIL(FR_FORMAT, "%s %s is not an integer", p->which, word)
                        : FAIL(FR_FORMAT, "the weight %s is not a number", word);
    case FRI_FAULT_NO_WEIGHT:
        return FAIL(FR_FORMAT, "expected a weight in column %d, found %s", j->format->weight_column,
                    word);
    case FRI_FAULT_WEIGHT_RANGE:
        return FAIL(FR_RANGE, "the weight %.*s is not a finite number", length, p->at);
    case FRI_FAULT_WEIGHT_LARGE:
        return FAIL(FR_RANGE,
                    "the weight %.*s does not fit int64; request float64 weights to round it",
                    length, p->at);
    case FRI_FAULT_WEIGHT_MIXED:
        if (j->format->value == FRI_WEIGHT_REAL && j->format->real_declared)
            return FAIL(
                FR_RANGE,
                "the weight %.*s is beyond 2^53, where a double does not hold every integer; "
                "request int64 weights if all are integers, or float64 weights to round it",
                length, p->at);
        return FAIL(FR_RANGE,
                    "the weight %.*s is beyond 2^53, and other weights are not integers; request "
                    "float64 weights to round it",
                    length, p->at);
    case FRI_FAULT_NOT_INTEGER:
        return FAIL(FR_FORMAT, "the weight %.*s is not an integer", length, p->at);
    case FRI_FAULT_TRAILING: return FAIL(FR_FORMAT, "unexpected %s after the edge", word);
    case FRI_FAULT_COMMA:
        return FAIL(FR_FORMAT, "the line has a comma, and the first edge has none; if it is a "
                               "decimal sign, set decimal comma");
    case FRI_FAULT_EMPTY_COLUMN: return FAIL(FR_FORMAT, "the column before %s is empty", word);
    case FRI_FAULT_MORE_COLUMNS:
        return FAIL(FR_FORMAT, "%s is in excess of the %d columns of the first edge", word,
                    j->format->columns);
    }
#undef FAIL
    return FR_FORMAT;
}

/* Adds up the chunks. Reports the first failure in text order, so that the message does not depend
 * on the number of threads. */
static fr_status combine_chunks(const fri_edge_lines_job *j, fri_edge_list *edges,
                                fri_edge_lines_result *result) {
    size_t id_bytes = 2 * (j->wide_ids ? sizeof(int64_t) : sizeof(int32_t)), size = value_bytes(j);
    *result = (fri_edge_lines_result){0, INT64_MAX, INT64_MIN, j->wide_ids};
    for (int i = 0; i < j->count; i++) {
        const fri_edge_lines_chunk *p = &j->chunks[i];
        if (p->verdict == FRI_PARSE_FAILED)
            return report(j, p);
        result->count += p->block->count;
        result->low = FRI_MIN(result->low, p->low);
        result->high = FRI_MAX(result->high, p->high);
        fri_trim(p->block->ends, fri_bytes(p->block->count, id_bytes));
        if (size)
            fri_trim(p->block->weights, fri_bytes(p->block->count, size));
    }
    edges->weight_type = !size                         ? FR_TYPE_NONE
                         : j->value == FRI_WEIGHT_INT  ? FR_TYPE_I32
                         : j->value == FRI_WEIGHT_LONG ? FR_TYPE_I64
                                                       : FR_TYPE_F64;
    return FR_OK;
}

static fr_status parse_whole(fri_edge_lines_job *j, const char *begin, fri_edge_list *edges) {
    fr_status status = split_chunks(j, begin, edges);
    do {
        if (!status)
            status = allocate(j);
        if (!status)
            status = parse(j);
    } while (!status && widen(j));
    return status;
}

fr_status fri_edge_lines_read(fr_ctx *ctx, const fri_input *text, const char *begin,
                              const fri_edge_line_format *format, fri_edge_list *edges,
                              fri_edge_lines_result *result) {
    fri_edge_lines_job j = {.ctx = ctx,
                            .text = text,
                            .format = format,
                            .value = format->value,
                            .forced_real = format->value == FRI_WEIGHT_REAL &&
                                           (format->real_by_first || format->real_declared)};
    fr_status status =
        text->rest ? fri_edge_lines_stream(&j, begin, edges) : parse_whole(&j, begin, edges);
    if (!status)
        status = combine_chunks(&j, edges, result);
    fri_free(j.chunks);
    return status;
}
