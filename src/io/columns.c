/* Chooses columns of a text table.
 *
 * Idea: the chosen fields of each line are copied to another text of "source target weight" lines,
 *   which the reader of edge lists reads. A line never becomes longer, so each chunk of the text is
 *   copied to its own place in a block as large as the text, in parallel, and the chunks are then
 *   moved together.
 * Fields: divided by one separator, of which each occurrence ends a field (blanks: any number of them
 *   do); white space around a field and double quotes around it are removed. A chosen field is not
 *   empty and has no blank or comma inside.
 * Work: one sweep at about 0.5 GB/s per core, besides that of the reader. Memory: the size of the text
 *   until the chosen columns are known.
 */
#include "io/columns.h"
#include "io/digits.h"
#include "io/number_scan.h"

#include <stdlib.h>
#include <string.h>

enum { CHOSEN = 3, MAX_COLUMN = 1 << 20, NO_FAULT = -1 };

static const char *const roles[CHOSEN] = {"source", "target", "weight"};

typedef struct {
    const char *at;
    size_t length;
} field;

typedef struct {
    const char *begin, *end;
    char *to; /* where the lines go */
    size_t size;
    const char *fault; /* the line that lacks a column; NULL: none */
    int lacks;         /* the column */
    bool empty;        /* it is there, but is empty or no single word */
} chunk;

typedef struct {
    fr_ctx *ctx;
    const fri_input *text;
    char separator;     /* ' ': blanks and tabs */
    int column[CHOSEN]; /* from 1; 0: no weight */
    int last;           /* the greatest of them */
    const char *names;  /* the line of column names; NULL: none */
    const char *body;
} table;

int fri_column_number(const char *column) {
    if (!column)
        return 0;
    char *end;
    long number = strtol(column, &end, 10);
    return fri_is_digit(*column) && !*end && number > 0 && number <= MAX_COLUMN ? (int)number : -1;
}

bool fri_columns_chosen(const fr_load_options *options) {
    int weight = fri_column_number(options->weight_column);
    return options->source_column || options->target_column || weight < 0 ||
           (weight > 0 && weight < 3);
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static const char *line_end(const char *at, const char *end) {
    const char *newline = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    return newline ? newline : end;
}

/* The position after a quoted field's closing quote, or after its opening one if it has none. */
static const char *skip_quoted(const char *at, const char *end) {
    const char *quote = memchr(at + 1, '"', (size_t)(end - at - 1));
    return quote ? quote + 1 : at + 1;
}

/* The next field of the line [*at, end); false: there is none. */
static bool next_field(const table *t, const char **at, const char *end, field *out) {
    const char *q = *at;
    while (q < end && is_space(*q) && *q != t->separator)
        q++;
    while (t->separator == ' ' && q < end && is_space(*q))
        q++;
    if (q > end || (q == end && (t->separator == ' ' || *at > end)))
        return false;
    const char *begin = q;
    if (q < end && *q == '"')
        q = skip_quoted(q, end);
    while (q < end && (t->separator == ' ' ? !is_space(*q) : *q != t->separator))
        q++;
    *at = q + 1; /* past end: no further field */
    while (q > begin && is_space(q[-1]))
        q--;
    if (q - begin >= 2 && *begin == '"' && q[-1] == '"')
        begin++, q--;
    *out = (field){begin, (size_t)(q - begin)};
    return true;
}

static bool is_word(field f) {
    for (size_t i = 0; i < f.length; i++)
        if (fri_is_blank(f.at[i]))
            return false;
    return f.length > 0;
}

/* ---- the first line ------------------------------------------------------------------------ */

static bool is_comment(const char *at, const char *end) {
    while (at < end && is_space(*at))
        at++;
    return at == end || *at == '#' || *at == '%';
}

static char separator_of(const char *at, const char *end) {
    static const char separators[] = {',', ';', '\t'};
    for (size_t i = 0; i < sizeof separators; i++)
        if (memchr(at, separators[i], (size_t)(end - at)))
            return separators[i];
    return ' ';
}

/* The number of the column with that name in the first line; 0: none. */
static int find_name(const table *t, const char *name, const char *end) {
    const char *at = t->body;
    field f;
    for (int column = 1; next_field(t, &at, end, &f); column++)
        if (f.length == strlen(name) && memcmp(f.at, name, f.length) == 0)
            return column;
    return 0;
}

/* A first line in which the source is no number has the names. */
static bool has_names(const table *t, const char *end) {
    const char *at = t->body;
    field f = {0};
    for (int column = 1; column <= t->column[0]; column++)
        if (!next_field(t, &at, end, &f))
            return false;
    int64_t ignored;
    fri_scan scan = {f.at, f.at + f.length};
    return fri_scan_int64(&scan, &ignored) == FRI_SCAN_NONE;
}

static fr_status resolve(table *t, const char *const *asked) {
    const char *end = line_end(t->body, t->text->data + t->text->size);
    bool named = false;
    for (int i = 0; i < CHOSEN; i++) {
        t->column[i] = asked[i] ? fri_column_number(asked[i]) : i < 2 ? i + 1 : 0;
        if (t->column[i] >= 0)
            continue;
        named = true;
        t->column[i] = find_name(t, asked[i], end);
        if (!t->column[i])
            return fri_input_fail(t->ctx, FR_FORMAT, t->text, t->body,
                                  "no column is called \"%.40s\"; the first line is \"%.*s\"",
                                  asked[i], (int)FRI_MIN(end - t->body, 120), t->body);
    }
    for (int i = 0; i < CHOSEN; i++) {
        t->last = FRI_MAX(t->last, t->column[i]);
        for (int j = 0; j < i; j++)
            if (t->column[i] == t->column[j])
                return fri_fail(t->ctx, FR_INVALID, "%s and %s are both column %d", roles[j],
                                roles[i], t->column[i]);
    }
    if (!named && !has_names(t, end))
        return FR_OK;
    t->names = t->body;
    t->body = fri_skip_line(end, t->text->data + t->text->size);
    return FR_OK;
}

static fr_status open_table(table *t, const fr_load_options *options) {
    const char *end = t->text->data + t->text->size;
    const char *const asked[] = {options->source_column, options->target_column,
                                 options->weight_column};
    t->body = t->text->data;
    while (t->body < end && is_comment(t->body, line_end(t->body, end)))
        t->body = fri_skip_line(t->body, end);
    t->separator = separator_of(t->body, line_end(t->body, end));
    return resolve(t, asked);
}

/* ---- the lines ----------------------------------------------------------------------------- */

/* Appends the chosen fields of a line. False: one is missing. */
static bool copy_line(const table *t, chunk *c, const char *at, const char *end) {
    field chosen[CHOSEN] = {{0}}, f;
    int column = 0;
    while (column < t->last && next_field(t, &at, end, &f)) {
        column++;
        for (int i = 0; i < CHOSEN; i++)
            if (t->column[i] == column)
                chosen[i] = f;
    }
    for (int i = 0; i < CHOSEN && t->column[i]; i++) {
        if (!is_word(chosen[i])) {
            c->lacks = t->column[i];
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

static void copy_chunk(const table *t, chunk *c) {
    for (const char *at = c->begin; at < c->end;) {
        const char *end = line_end(at, c->end);
        if (!is_comment(at, end) && !copy_line(t, c, at, end)) {
            c->fault = at;
            return;
        }
        if (end < c->end)
            c->to[c->size++] = '\n';
        at = end + (end < c->end);
    }
}

static fr_status report(const table *t, const chunk *c) {
    return fri_input_fail(t->ctx, FR_FORMAT, t->text, c->fault,
                          c->empty ? "column %d is empty or has several words"
                                   : "the line has no column %d",
                          c->lacks);
}

/* Copies the lines of the body to `block`; *size becomes the length of the result. */
static fr_status copy_body(const table *t, chunk *chunks, int count, const char **cut, char *block,
                           size_t *size) {
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
static size_t blank_lines(const table *t, char *to) {
    size_t count = 0;
    for (const char *at = t->text->data; at < t->body; at++)
        if (*at == '\n')
            to[count++] = '\n';
    return count;
}

static fr_status fill(const table *t, fri_input *out) {
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
    table t = {.ctx = ctx, .text = text};
    *out = (fri_input){.name = text->name, .path = text->path};
    fr_status status = open_table(&t, options);
    if (!status)
        status = fill(&t, out);
    if (!status && t.names) {
        const char *end = line_end(t.names, text->data + text->size);
        fri_edge_list_note(edges, "line %lld read as column names: %.*s",
                           (long long)fri_input_line(text, t.names),
                           (int)FRI_MIN(end - t.names, 160), t.names);
    }
    return status;
}
