#include "result_text.h"

#include "json.h"
#include "vertex.h"
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

static void append(text_part *p, const char *text, size_t length) {
    if (p->length + length > p->capacity) {
        p->capacity = 2 * (p->length + length) + 256;
        p->text = cli_realloc(p->text, p->capacity);
    }
    memcpy(p->text + p->length, text, length);
    p->length += length;
}

static void append_text(text_part *p, const char *text) { append(p, text, strlen(text)); }

/* A cell with a comma, a quote or the end of a line is in double quotes, where "" is a quote (RFC 4180). */
static void put_csv(text_part *out, const char *cell) {
    if (!cell[strcspn(cell, ",\"\r\n")]) {
        append_text(out, cell);
        return;
    }
    append(out, "\"", 1);
    for (; *cell; cell++) {
        append(out, cell, 1);
        if (*cell == '"')
            append(out, cell, 1);
    }
    append(out, "\"", 1);
}

static void put_string(text_part *out, const char *cell) {
    json_t *string = json_text(cell);
    char *text = json_dumps(string, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
    if (!text)
        cli_no_memory();
    append_text(out, text);
    free(text);
    json_decref(string);
}

static bool is_one_of(const char *word, const char *const *list) {
    for (; *list; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

/* From the column, as blanks in a name cannot be told from those between names. */
static void put_list(const result_text *t, text_part *out) {
    const int64_t begin = t->lists->offsets[t->rows], end = t->lists->offsets[t->rows + 1];
    append(out, "[", 1);
    for (int64_t i = begin; i < end; i++) {
        const char *text = VERTEX_TEXT(t->graph, ((const int32_t *)t->lists->values)[i]);
        append(out, ",", i > begin);
        if (t->named)
            put_string(out, text);
        else
            append_text(out, text);
    }
    append(out, "]", 1);
}

static void put_json(const result_text *t, text_part *out, const char *column, const char *cell) {
    static const char *const vertices[] = {"vertex", "source", "target", "parent", NULL};
    static const char *const nothing[] = {"inf", "nan", NULL};
    const char *none = strcmp(column, "parent") == 0  ? t->no_vertex
                       : strcmp(column, "level") == 0 ? "-1"
                                                      : NULL;
    const bool vertex = is_one_of(column, vertices);
    if (t->lists && strcmp(column, t->lists->name) == 0)
        put_list(t, out);
    else if ((none && strcmp(cell, none) == 0) || (!vertex && is_one_of(cell, nothing)))
        append_text(out, "null");
    else if ((vertex && t->named) || (!vertex && strcmp(cell, "-inf") == 0))
        put_string(out, cell);
    else
        append_text(out, cell);
}

static void put_header(result_text *t, char *line) {
    for (char *cell; t->column_count < RESULT_TEXT_MAX_COLUMNS && (cell = strsep(&line, "\t"));)
        t->columns[t->column_count++] = cli_format("%s", cell);
    for (int i = 0; t->kind == RESULT_CSV && i < t->column_count; i++) {
        put_csv(&t->out, t->columns[i]);
        append(&t->out, i + 1 < t->column_count ? "," : "\n", 1);
    }
    if (t->kind == RESULT_JSON)
        append(&t->out, "[", 1);
}

static void put_row(result_text *t, char *line) {
    text_part *out = &t->out;
    const bool csv = t->kind == RESULT_CSV;
    if (t->kind == RESULT_JSON)
        append_text(out, t->rows ? ",\n" : "\n");
    for (int i = 0; i < t->column_count; i++) {
        const char *cell = strsep(&line, "\t");
        append(out, csv ? "," : i ? "," : "{", csv && i == 0 ? 0 : 1);
        if (csv) {
            put_csv(out, cell ? cell : "");
            continue;
        }
        append(out, "\"", 1);
        append_text(out, t->columns[i]);
        append(out, "\":", 2);
        put_json(t, out, t->columns[i], cell ? cell : "");
    }
    append_text(out, csv ? "\n" : t->kind == RESULT_NDJSON ? "}\n" : "}");
    t->rows++;
}

static void put_line(result_text *t) {
    append(&t->line, "", 1);
    t->out.length = 0;
    if (t->column_count)
        put_row(t, t->line.text);
    else
        put_header(t, t->line.text);
    output_file_put(t->to, t->out.text, t->out.length);
    t->line.length = 0;
}

void result_text_put(result_text *t, const char *data, size_t bytes) {
    for (const char *end = data + bytes; data < end;) {
        const char *newline = memchr(data, '\n', (size_t)(end - data));
        append(&t->line, data, (size_t)((newline ? newline : end) - data));
        if (newline)
            put_line(t);
        data = newline ? newline + 1 : end;
    }
}

void result_text_finish(result_text *t) {
    if (t->kind == RESULT_JSON)
        output_file_put(t->to, "\n]\n", 3);
}

void result_text_free(result_text *t) {
    for (int i = 0; i < t->column_count; i++)
        free(t->columns[i]);
    free(t->line.text);
    free(t->out.text);
}
