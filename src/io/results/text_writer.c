/* Writes numbers into a stream with its own formatting: printf would take most of the time. */
#include "base/heap.h"
#include "io/results/result_rows.h"
#include "io/results/text_writer.h"
#include "io/text/number_text.h"

#include <errno.h>
#include <string.h>

void fri_text_writer_start(fri_text_writer *writer, fr_ctx *ctx, FILE *out, int64_t total_lines) {
    writer->ctx = ctx;
    writer->out = out;
    writer->buffer = writer->own;
    writer->capacity = sizeof writer->own;
    writer->used = 0;
    writer->lines = 0;
    writer->total = total_lines;
    writer->status = FR_OK;
}

void fri_text_writer_flush(fri_text_writer *writer) {
    if (!writer->status && fwrite(writer->buffer, 1, writer->used, writer->out) != writer->used)
        writer->status = FR_DISK;
    writer->used = 0;
}

void fri_write_bytes(fri_text_writer *writer, const void *bytes, size_t count) {
    for (size_t chunk; count; bytes = (const char *)bytes + chunk, count -= chunk) {
        if (writer->used == writer->capacity)
            fri_text_writer_flush(writer);
        chunk = FRI_MIN(count, writer->capacity - writer->used);
        memcpy(writer->buffer + writer->used, bytes, chunk);
        writer->used += chunk;
    }
}

void fri_write_text(fri_text_writer *writer, const char *text) {
    fri_write_bytes(writer, text, strlen(text));
}

void fri_write_char(fri_text_writer *writer, char c) {
    if (writer->used == writer->capacity)
        fri_text_writer_flush(writer);
    writer->buffer[writer->used++] = c;
    if (c == '\n' && ++writer->lines % FRI_LINES_PER_REPORT == 0 && writer->ctx && !writer->status)
        writer->status = fri_progress(writer->ctx, "writing", writer->lines, writer->total);
}

/* Writes the digits from the last to the first and copies a constant number of bytes, which takes fewer
 * instructions than fri_put_int64. */
void fri_write_int(fri_text_writer *writer, int64_t value) {
    enum { MAX_DIGITS = 24 }; /* sign and digits */
    char digits[2 * MAX_DIGITS],
        *at = digits + MAX_DIGITS; /* the second half: for a copy of constant size */
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    for (; rest > UINT32_MAX; rest /= 100)
        memcpy(at -= 2, fri_number_pairs + 2 * (rest % 100), 2);
    uint32_t low = (uint32_t)rest; /* is divided faster */
    for (; low >= 100; low /= 100)
        memcpy(at -= 2, fri_number_pairs + 2 * (low % 100), 2);
    if (low >= 10)
        memcpy(at -= 2, fri_number_pairs + 2 * low, 2);
    else
        *--at = (char)('0' + low);
    if (value < 0)
        *--at = '-';
    if (writer->capacity - writer->used < MAX_DIGITS)
        fri_text_writer_flush(writer);
    memcpy(writer->buffer + writer->used, at, MAX_DIGITS);
    writer->used += (size_t)(digits + MAX_DIGITS - at);
}

void fri_write_edge(fri_text_writer *writer, int64_t u, int64_t v, char between) {
    fri_write_int(writer, u);
    fri_write_char(writer, between);
    fri_write_int(writer, v);
}

void fri_write_weight(fri_text_writer *writer, const fr_csr *csr, int64_t edge) {
    char number[FR_NUMBER_CAPACITY];
    if (csr->weight_type == FR_TYPE_F32) {
        char *end = fri_put_float(number, ((const float *)csr->weights)[edge]);
        fri_write_bytes(writer, number, (size_t)(end - number));
    } else if (csr->weight_type == FR_TYPE_F64) {
        char *end = fri_put_double(number, ((const double *)csr->weights)[edge]);
        fri_write_bytes(writer, number, (size_t)(end - number));
    } else if (csr->weight_type == FR_TYPE_I64) {
        fri_write_int(writer, ((const int64_t *)csr->weights)[edge]);
    } else {
        fri_write_int(writer, csr->weight_type ? ((const int32_t *)csr->weights)[edge] : 1);
    }
}

fr_status fri_text_writer_finish(fri_text_writer *writer) {
    fri_text_writer_flush(writer);
    return writer->status;
}

int64_t fri_count_written(fr_ctx *ctx, const fri_graph_view *view) {
    const fr_csr *csr = view->csr;
    if (!view->undirected)
        return csr->m;
    int64_t count = 0;
#pragma omp parallel for num_threads(ctx->threads) reduction(+ : count) schedule(static, 4096)
    for (int32_t u = 0; u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            count += fri_written_once(csr, u, e);
    return count;
}

/* ---- all edges, formatted by all threads ------------------------------------------------------- */

const fri_ids fri_ids_from_one = {.base = 1}, fri_ids_from_zero = {0};

enum { EDGE_CAPACITY = 96 }; /* bytes of a line at most: two ids, a weight, separators */

typedef struct {
    const fr_csr *csr;
    const fri_edge_style *style;
} edges;

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

static void put_row(const edges *all, fri_text_writer *writer, int32_t u, int64_t begin,
                    int64_t end) {
    const fr_csr *csr = all->csr;
    const fri_edge_style *style = all->style;
    const int64_t row = fri_id_of(style->ids, u);
    for (int64_t e = begin; e < end; e++) {
        if (style->once && !fri_written_once(csr, u, e))
            continue;
        const int64_t column = fri_id_of(style->ids, csr->targets[e]);
        if (style->lead)
            fri_write_text(writer, style->lead);
        if (style->lower)
            fri_write_edge(writer, column, row, style->between);
        else
            fri_write_edge(writer, row, column, style->between);
        if (style->weights) {
            fri_write_char(writer, style->between);
            fri_write_weight(writer, csr, e);
        }
        fri_write_char(writer, '\n');
    }
}

static void put_edges(const edges *all, fri_text_writer *writer, int64_t begin, int64_t end) {
    const fr_csr *csr = all->csr;
    for (int32_t u = find_row(csr, begin); begin < end; u++) {
        int64_t last = FRI_MIN(end, csr->offsets[u + 1]);
        if (begin < last)
            put_row(all, writer, u, begin, last);
        begin = FRI_MAX(begin, last);
    }
}

/* A fri_put_rows_fn; the rows are the edges. */
static char *put_piece(const void *user, int64_t begin, int64_t end, char *at) {
    fri_text_writer piece;
    fri_text_writer_start(&piece, NULL, NULL, 0);
    piece.buffer = at;
    piece.capacity = (size_t)(end - begin) * EDGE_CAPACITY;
    put_edges(user, &piece, begin, end);
    return at + piece.used;
}

/* A stream to memory allocates where it is written, and only one thread may call a caller's allocator. */
static bool alone(const fri_text_writer *writer, int64_t count) {
    return fri_threads_for(writer->ctx, writer->ctx->threads, 32 * count) < 2 ||
           (fri_heap_is_callers(writer->ctx->heap) && fileno(writer->out) < 0);
}

void fri_write_edges(fri_text_writer *writer, const fr_csr *csr, const fri_edge_style *style) {
    const edges all = {csr, style};
    if (alone(writer, csr->m)) {
        put_edges(&all, writer, 0, csr->m);
        return;
    }
    fri_text_writer_flush(writer);
    fri_row_output out = {
        .ctx = writer->ctx, .fd = -1, .stream = writer->out, .status = writer->status};
    fri_write_result_rows(&out, &(fri_result_rows){csr->m, EDGE_CAPACITY, put_piece, &all});
    fri_row_output_end(&out, true);
    writer->status = out.status;
    if (out.error)
        errno = out.error;
}
