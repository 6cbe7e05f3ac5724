/* Chooses columns of a text table.
 *
 * Idea: the chosen fields of each line are copied to another text of "source target weight" lines,
 *   which the reader of edge lists reads. A line never becomes longer, so each chunk of the text is
 *   copied to its own place in a block as large as the text, in parallel, and the chunks are then
 *   moved together.
 * Fields: see io/text/table.c. A chosen field is not empty and has no blank inside, and a comma only as the
 *   decimal sign of a weight, which becomes a point.
 * Work: one sweep at about 0.5 GB/s per core, in addition to the reader's sweep. Memory: the size of the text
 *   until the chosen columns are known.
 */
#include "io/text/columns.h"
#include "io/text/digits.h"
#include "io/text/number_scan.h"

#include <string.h>

typedef enum {
    FAULT_NONE,
    FAULT_MISSING,
    FAULT_EMPTY, /* or several words */
    FAULT_NAME,
    FAULT_COMMA, /* perhaps a decimal one */
    FAULT_POINT, /* where the decimal sign is a comma */
    FAULT_TYPE
} fri_columns_fault;

typedef struct {
    const char *begin, *end;
    char *to; /* where the lines go */
    size_t size;
    fri_columns_fault fault;
    const char *at; /* the line with the fault */
    int column;
} chunk;

bool fri_columns_chosen(const fr_load_options *options) {
    int weight = fri_column_number(options->weight_column);
    return options->source_column || options->target_column || weight < 0 ||
           (weight > 0 && weight < 3) || options->separator || options->decimal;
}

static bool is_word(fri_field f, bool comma_allowed) {
    for (size_t i = 0; i < f.length; i++)
        if (fri_is_blank(f.at[i]) && !(comma_allowed && f.at[i] == ','))
            return false;
    return f.length > 0;
}

/* Why a chosen field is no word. */
static fri_columns_fault fault_of(fri_field f, int role) {
    bool comma = false, letters = false;
    for (size_t i = 0; i < f.length; i++) {
        comma |= f.at[i] == ',';
        letters |= !fri_is_digit(f.at[i]) && !strchr(" \t\r+-,.eE", f.at[i]);
    }
    return letters && role != FRI_TABLE_WEIGHT ? FAULT_NAME
           : comma && !letters                 ? FAULT_COMMA
                                               : FAULT_EMPTY;
}

/* Copies a number whose decimal sign is a comma; false: it has a point. */
static bool copy_decimal(fri_field f, char *to) {
    for (size_t i = 0; i < f.length; i++) {
        if (f.at[i] == '.')
            return false;
        to[i] = f.at[i] == ',' ? '.' : f.at[i];
    }
    return true;
}

static bool fail(chunk *c, fri_columns_fault fault, int column) {
    c->fault = fault;
    c->column = column;
    return false;
}

/* Appends the chosen fields of a line. False: a fault. */
static bool copy_line(const fri_table *t, chunk *c, const char *at, const char *end) {
    fri_field chosen[FRI_TABLE_CHOSEN] = {{0}}, f;
    int column = 0;
    while (column < t->last && fri_table_next_field(t, &at, end, &f)) {
        column++;
        for (int i = 0; i < FRI_TABLE_CHOSEN; i++)
            if (t->column[i] == column)
                chosen[i] = f;
    }
    if (t->column[FRI_TABLE_TYPE] && !fri_table_type_is(chosen[FRI_TABLE_TYPE], t->undirected))
        return fail(c, FAULT_TYPE, t->column[FRI_TABLE_TYPE]);
    for (int i = 0; i < FRI_TABLE_VALUES && t->column[i]; i++) {
        const bool decimal = i == FRI_TABLE_WEIGHT && t->decimal_comma;
        f = chosen[i];
        if (column < t->column[i])
            return fail(c, FAULT_MISSING, t->column[i]);
        if (!is_word(f, decimal))
            return fail(c, fault_of(f, i), t->column[i]);
        if (decimal && !copy_decimal(f, c->to + c->size))
            return fail(c, FAULT_POINT, t->column[i]);
        if (!decimal)
            memcpy(c->to + c->size, f.at, f.length);
        c->size += f.length;
        c->to[c->size++] = ' ';
    }
    c->size--; /* the last blank makes room for the newline */
    return true;
}

static void copy_chunk(const fri_table *t, chunk *c) {
    for (const char *at = c->begin; at < c->end;) {
        const char *end = fri_table_line_end(at, c->end);
        if (!fri_table_is_comment(at, end) && !copy_line(t, c, at, end)) {
            c->at = at;
            return;
        }
        if (end < c->end)
            c->to[c->size++] = '\n';
        at = end + (end < c->end);
    }
}

static fr_status report(const fri_table *t, const chunk *c) {
    static const char *const texts[] = {
        [FAULT_MISSING] = "the line has no column %d",
        [FAULT_EMPTY] = "column %d is empty or has several words",
        [FAULT_NAME] = "column %d is no vertex id; names are read with ids strings",
        [FAULT_COMMA] = "column %d has a comma; if it is a decimal sign, set decimal comma, and "
                        "if it divides columns, separator comma",
        [FAULT_POINT] = "column %d has a point, but the decimal sign is a comma",
        [FAULT_TYPE] = "column %d says something else than in the first line; direction decides "
                       "for all",
    };
    return fri_input_fail(t->ctx, FR_FORMAT, t->text, fri_table_place(t, c->at, c->column),
                          texts[c->fault], c->column);
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
        chunks[i] = (chunk){.begin = cut[i], .end = cut[i + 1], .to = block + (cut[i] - t->body)};
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

/* The lines before the body: comments, which may declare something, and empty lines in place of others,
 * so that a message about a line has its number. */
static size_t copy_head(const fri_table *t, char *to) {
    size_t size = 0;
    for (const char *at = t->text->data; at < t->body;) {
        const char *end = fri_table_line_end(at, t->body);
        if (fri_table_is_comment(at, end)) {
            memcpy(to + size, at, (size_t)(end - at));
            size += (size_t)(end - at);
        }
        at = end + (end < t->body);
        to[size++] = '\n';
    }
    return size;
}

static fr_status fill(const fri_table *t, fri_input *out) {
    enum { PIECE = 1 << 20, EXTRA = 8 };
    size_t head = (size_t)(t->body - t->text->data), size = 0;
    int count = (int)FRI_MIN((t->text->size - head) / PIECE + 1, 4096);
    char *block = fri_alloc(t->ctx, t->text->size + EXTRA);
    chunk *chunks = fri_calloc(t->ctx, fri_bytes(count, sizeof *chunks));
    const char **cut = fri_alloc(t->ctx, fri_bytes((int64_t)count + 1, sizeof *cut));
    fr_status status = block && chunks && cut ? FR_OK : FR_NOMEM;
    size_t lines = status ? 0 : copy_head(t, block);
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

/* A first line whose names are not known may be an edge in an unknown notation. */
static fr_status check_guess(const fri_table *t) {
    const char *end = t->text->data + t->text->size, *at = t->names;
    const char *line = fri_table_next_content(t->body, end);
    int columns = 0;
    fri_field f;
    while (fri_table_next_field(t, &at, fri_table_line_end(t->names, end), &f))
        if (f.length && fri_is_digit(*f.at))
            return fri_input_fail(
                t->ctx, FR_FORMAT, t->text, t->names,
                "the line is neither an edge nor names of columns: \"%.*s\"; ids strings reads "
                "names of vertices, source_column and target_column choose",
                (int)FRI_MIN(f.length, 40), f.at);
    for (at = line; fri_table_next_field(t, &at, fri_table_line_end(line, end), &f);)
        columns++;
    return line == end || columns == t->columns
               ? FR_OK
               : fri_input_fail(t->ctx, FR_FORMAT, t->text, t->names,
                                "%d names do not match the %d columns that follow; source_column "
                                "and target_column choose",
                                t->columns, columns);
}

/* The field of the table that is the one at `at` of the copy, whose fields are those of an edge. */
static const char *place_in_table(const fri_input *copy, const char *at) {
    const fri_table *t = copy->maker;
    const char *begin = fri_input_begin(copy, at), *end = t->text->data + t->text->size;
    const char *line = fri_input_find_line(t->text, fri_input_line(copy, at));
    if (fri_table_is_comment(line, fri_table_line_end(line, end)))
        return line + (at - begin);
    int field = 0;
    for (; begin < at; begin++)
        field += *begin == ' ';
    return fri_table_place(t, line, field < FRI_TABLE_VALUES ? t->column[field] : 0);
}

fr_status fri_columns_copy(const fri_table *t, fri_input *out, fri_edge_list *edges) {
    *out = (fri_input){.name = t->text->name,
                       .path = t->text->path,
                       .made_from = t->text,
                       .place = place_in_table,
                       .maker = t};
    fr_status status = t->guessed && !t->chosen ? check_guess(t) : FR_OK;
    if (!status)
        status = fill(t, out);
    if (!status && t->names) {
        const char *end = fri_table_line_end(t->names, t->text->data + t->text->size);
        end -= end > t->names && end[-1] == '\r';
        fri_edge_list_note(edges, "line %lld read as column names: %.*s",
                           (long long)fri_input_line(t->text, t->names),
                           (int)FRI_MIN(end - t->names, 160), t->names);
    }
    if (!status)
        fri_table_note_columns(t, edges);
    return status;
}
