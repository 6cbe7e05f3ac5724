/* Chooses columns of a text table.
 *
 * Idea: the chosen fields of each line are copied to another text of "source target weight" lines,
 *   which the reader of edge lists reads. A line never becomes longer, so each chunk of the text is
 *   copied to its own place in a block as large as the text, in parallel, and the chunks are then
 *   moved together.
 * Fields: see io/table.c. A chosen field is not empty and has no blank or comma inside.
 * Work: one sweep at about 0.5 GB/s per core, in addition to that of the reader. Memory: the size of the text
 *   until the chosen columns are known.
 */
#include "io/columns.h"
#include "io/digits.h"
#include "io/number_scan.h"
#include "io/table.h"

#include <string.h>

typedef struct {
    const char *begin, *end;
    char *to; /* where the lines go */
    size_t size;
    const char *fault;  /* the line that lacks a column; NULL: none */
    int missing_column; /* the column */
    bool empty;         /* it exists, but is empty or has several words */
} chunk;

bool fri_columns_chosen(const fr_load_options *options) {
    int weight = fri_column_number(options->weight_column);
    return options->source_column || options->target_column || weight < 0 ||
           (weight > 0 && weight < 3);
}

static bool is_word(fri_field f) {
    for (size_t i = 0; i < f.length; i++)
        if (fri_is_blank(f.at[i]))
            return false;
    return f.length > 0;
}

/* Appends the chosen fields of a line. False: one is missing. */
static bool copy_line(const fri_table *t, chunk *c, const char *at, const char *end) {
    fri_field chosen[FRI_TABLE_CHOSEN] = {{0}}, f;
    int column = 0;
    while (column < t->last && fri_table_next_field(t, &at, end, &f)) {
        column++;
        for (int i = 0; i < FRI_TABLE_CHOSEN; i++)
            if (t->column[i] == column)
                chosen[i] = f;
    }
    for (int i = 0; i < FRI_TABLE_CHOSEN && t->column[i]; i++) {
        if (!is_word(chosen[i])) {
            c->missing_column = t->column[i];
            c->empty = column >= t->column[i];
            return false;
        }
        memcpy(c->to + c->size, chosen[i].at, chosen[i].length);
        c->size += chosen[i].length;
        c->to[c->size++] = ' ';
    }
    c->size--; /* the last blank makes room for the newline */
    return true;
}

static void copy_chunk(const fri_table *t, chunk *c) {
    for (const char *at = c->begin; at < c->end;) {
        const char *end = fri_table_line_end(at, c->end);
        if (!fri_table_is_comment(at, end) && !copy_line(t, c, at, end)) {
            c->fault = at;
            return;
        }
        if (end < c->end)
            c->to[c->size++] = '\n';
        at = end + (end < c->end);
    }
}

static fr_status report(const fri_table *t, const chunk *c) {
    return fri_input_fail(t->ctx, FR_FORMAT, t->text, c->fault,
                          c->empty ? "column %d is empty or has several words"
                                   : "the line has no column %d",
                          c->missing_column);
}

/* Copies the lines of the body to `block`; *size becomes the length of the result. */
static fr_status copy_body(const fri_table *t, chunk *chunks, int count, const char **cut,
                           char *block, size_t *size) {
    const char *end = t->text->data + t->text->size;
    int stopped = 0;
    fri_scan_cut(t->body, end, count, cut);
#pragma omp parallel for schedule(FRI_DYNAMIC, 1) num_threads(t->ctx->threads)
    for (int i = 0; i < count; i++) {
        /* a last line without a newline may become one byte longer: see the size of the block */
        chunks[i] = (chunk){cut[i], cut[i + 1], block + (cut[i] - t->body), 0, NULL, 0, false};
        copy_chunk(t, &chunks[i]);
    }
    for (int i = 0; i < count; i++) {
        if (chunks[i].fault)
            return report(t, &chunks[i]);
        memmove(block + *size, chunks[i].to, chunks[i].size);
        *size += chunks[i].size;
        stopped = fri_progress(t->ctx, "choosing columns", i, count) != FR_OK;
        if (stopped)
            return FR_CANCELLED;
    }
    return FR_OK;
}

/* Empty lines in place of those before the body keep the numbers of lines. */
static size_t blank_lines(const fri_table *t, char *to) {
    size_t count = 0;
    for (const char *at = t->text->data; at < t->body; at++)
        if (*at == '\n')
            to[count++] = '\n';
    return count;
}

static fr_status fill(const fri_table *t, fri_input *out) {
    enum { PIECE = 1 << 20, EXTRA = 8 };
    size_t head = (size_t)(t->body - t->text->data), size = 0;
    int count = (int)FRI_MIN((t->text->size - head) / PIECE + 1, 4096);
    char *block = fri_alloc(t->ctx, t->text->size + EXTRA);
    chunk *chunks = fri_calloc(t->ctx, fri_bytes(count, sizeof *chunks));
    const char **cut = fri_alloc(t->ctx, fri_bytes((int64_t)count + 1, sizeof *cut));
    fr_status status = block && chunks && cut ? FR_OK : FR_NOMEM;
    size_t lines = status ? 0 : blank_lines(t, block);
    if (!status)
        status = copy_body(t, chunks, count, cut, block + lines, &size);
    fri_free(chunks);
    fri_free(cut);
    if (status) {
        fri_free(block);
        return status;
    }
    fri_trim(block, lines + size + 1);
    out->data = block;
    out->size = lines + size;
    return FR_OK;
}

fr_status fri_columns_choose(fr_ctx *ctx, const fri_input *text, const fr_load_options *options,
                             fri_input *out, fri_edge_list *edges) {
    fri_table t = {.ctx = ctx, .text = text};
    *out = (fri_input){.name = text->name, .path = text->path};
    fr_status status = fri_table_open(&t, options, false, false);
    if (!status)
        status = fill(&t, out);
    if (!status && t.names) {
        const char *end = fri_table_line_end(t.names, text->data + text->size);
        fri_edge_list_note(edges, "line %lld read as column names: %.*s",
                           (long long)fri_input_line(text, t.names),
                           (int)FRI_MIN(end - t.names, 160), t.names);
    }
    return status;
}
