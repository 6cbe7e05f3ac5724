#include "result_sink.h"

#include "progress.h"
#include "result_read.h"
#include "vertex.h"

#include <stdlib.h>
#include <string.h>

/* ---- formats ---------------------------------------------------------------------------------- */

static const struct format_row {
    const char *name, *suffix, *other_suffix;
} formats[] = {
    {"tsv", ".tsv", ".txt"},         {"csv", ".csv", NULL}, {"json", ".json", NULL},
    {"ndjson", ".ndjson", ".jsonl"}, {"npy", ".npy", NULL}, {"npz", ".npz", NULL},
    {"graphalytics", NULL, NULL},
};
enum { FORMATS = sizeof formats / sizeof *formats };

static bool lists(const char *words, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == 0 || at[length] == ' '))
            return true;
    return false;
}

/* The suffix of the file with its point, "" if it has none. */
static const char *suffix_of(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *point = strrchr(name, '.');
    return point && point > name && point[1] ? point : "";
}

static const char *by_suffix(const char *suffix) {
    if (!*suffix)
        return formats[0].name;
    for (int i = 0; i < FORMATS; i++)
        if ((formats[i].suffix && strcasecmp(suffix, formats[i].suffix) == 0) ||
            (formats[i].other_suffix && strcasecmp(suffix, formats[i].other_suffix) == 0))
            return formats[i].name;
    return NULL;
}

static const char *by_name(const char *name) {
    for (int i = 0; i < FORMATS; i++)
        if (strcmp(formats[i].name, name) == 0)
            return formats[i].name;
    return NULL;
}

static const char *chosen(const settings *s) {
    return s->format ? by_name(s->format) : by_suffix(s->out ? suffix_of(s->out) : "");
}

static void refuse_suffix(const settings *s, const char *suffix, const char *possible) {
    static const char *const others[] = {".parquet", ".arrow", ".feather"};
    const char *how = "--format NAME writes one of these under any name";
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcasecmp(suffix, others[i]) == 0)
            how = "Parquet and Arrow are written from Python (pyfringe), or from one of these";
    cli_usage("-o %s: '%s' is none of the formats that can be written here: %s; %s", s->out, suffix,
              possible, how);
}

const char *result_format(const settings *s, const char *allowed) {
    if (s->format && !s->out) {
        cli_usage("--format needs -o FILE");
        return NULL;
    }
    const char *name = chosen(s);
    if (name && lists(allowed, name))
        return name;
    char *possible = cli_format("%s", allowed);
    for (char *at = possible; *at; at++)
        if (*at == ' ')
            *at = '|';
    if (s->format)
        cli_usage("--format takes %s here, not '%s'", possible, s->format);
    else
        refuse_suffix(s, suffix_of(s->out), possible);
    free(possible);
    return NULL;
}

bool result_is(const settings *s, const char *format) {
    const char *name = chosen(s);
    return name && strcmp(name, format) == 0;
}

/* ---- the stream ------------------------------------------------------------------------------- */

/* A cookie_write_function_t. */
static ssize_t take(void *user, const char *data, size_t bytes) {
    result_sink *k = user;
    if (k->is_archive)
        zip_put(&k->archive, data, bytes);
    else
        result_text_put(&k->text, data, bytes);
    return k->file.error ? 0 : (ssize_t)bytes;
}

int result_sink_open(result_sink *k, const session *x) {
    const settings *s = x->s;
    *k = (result_sink){.x = x, .is_archive = result_is(s, "npz")};
    if (result_is(s, "tsv") || result_is(s, "npy") || result_is(s, "graphalytics"))
        return CLI_OK;
    int code = output_file_open(&k->file, s->out);
    if (code)
        return code;
    k->stream = fopencookie(k, "w", (cookie_io_functions_t){.write = take});
    if (!k->stream)
        cli_no_memory();
    if (k->is_archive) {
        zip_open(&k->archive, &k->file);
        return CLI_OK;
    }
    k->text = (result_text){.to = &k->file,
                            .kind = result_is(s, "csv")    ? RESULT_CSV
                                    : result_is(s, "json") ? RESULT_JSON
                                                           : RESULT_NDJSON,
                            .graph = x->graph,
                            .named = has_names(x->graph),
                            .no_vertex = result_minus_one(x) ? "" : "-1"};
    return CLI_OK;
}

/* Ends the array that is being written, if there is one. */
static void end_array(result_sink *k) {
    fflush(k->stream);
    if (k->archive.count)
        zip_end(&k->archive);
}

static void begin_array(result_sink *k, const char *array) {
    end_array(k);
    char *name = cli_format("%s.npy", array);
    zip_begin(&k->archive, name);
    free(name);
}

fr_output result_sink_output(result_sink *k, const char *array) {
    if (!k->stream)
        return (fr_output){.path = k->x->s->out, .format = chosen(k->x->s)};
    if (k->is_archive)
        begin_array(k, array);
    return (fr_output){.stream = k->stream, .format = k->is_archive ? "npy" : "tsv"};
}

/* ---- arrays of names: UTF-32, as NumPy keeps strings ------------------------------------------ */

/* The character that begins at *at, which is UTF-8; *at becomes the next. */
static uint32_t decode(const char **at) {
    const unsigned char first = (unsigned char)*(*at)++;
    uint32_t value = first < 0x80   ? first
                     : first < 0xe0 ? first & 31
                     : first < 0xf0 ? first & 15
                                    : first & 7;
    for (; (**at & 0xc0) == 0x80; (*at)++)
        value = value << 6 | (**at & 0x3f);
    return value;
}

static int32_t vertex_at(const int32_t *vertices, int64_t i) {
    return vertices ? vertices[i] : (int32_t)i;
}

static const char *name_at(const result_sink *k, const int32_t *vertices, int64_t i) {
    const int32_t v = vertex_at(vertices, i);
    return v < 0 ? "" : fr_graph_vertex_name(k->x->graph, v);
}

/* columns: of a matrix with `rows` rows; -1: an array of one dimension. */
static void put_names(result_sink *k, const int32_t *vertices, int64_t rows, int64_t columns) {
    const int64_t count = columns < 0 ? rows : rows * columns;
    enum { HEAD = 128, FIXED = 10 };
    size_t longest = 1;
    for (int64_t i = 0; i < count; i++) {
        size_t length = strlen(name_at(k, vertices, i));
        longest = length > longest ? length : longest; /* of bytes: at least its characters */
    }
    char head[HEAD + 1], second[24] = "";
    if (columns >= 0)
        snprintf(second, sizeof second, " %lld", (long long)columns);
    memcpy(head, "\x93NUMPY\x01\x00\x76\x00", FIXED);
    int length = snprintf(head + FIXED, HEAD + 1 - FIXED,
                          "{'descr': '<U%zu', 'fortran_order': False, 'shape': (%lld,%s), }",
                          longest, (long long)rows, second);
    memset(head + FIXED + length, ' ', (size_t)(HEAD - FIXED - length));
    head[HEAD - 1] = '\n';
    zip_put(&k->archive, head, HEAD);
    uint32_t *cell = cli_alloc(longest * sizeof *cell);
    for (int64_t i = 0; i < count; i++) {
        const char *at = name_at(k, vertices, i);
        memset(cell, 0, longest * sizeof *cell);
        for (size_t c = 0; *at && c < longest; c++)
            cell[c] = decode(&at);
        zip_put(&k->archive, cell, longest * sizeof *cell);
    }
    free(cell);
}

fr_status result_sink_vertices(result_sink *k, const char *array, const int32_t *vertices,
                               int64_t count) {
    const session *x = k->x;
    if (!k->is_archive)
        return FR_OK;
    fr_output to = result_sink_output(k, array);
    if (has_names(x->graph)) {
        put_names(k, vertices, count, -1);
        return FR_OK;
    }
    const fr_column column = {.name = array, .kind = FR_COLUMN_VERTEX, .values = vertices};
    return fr_table_write(x->ctx, x->graph, count, &column, 1, &to);
}

fr_status result_sink_vertex_matrix(result_sink *k, const char *array, const int32_t *vertices,
                                    int64_t rows, int64_t columns) {
    const session *x = k->x;
    if (!k->is_archive)
        return FR_OK;
    begin_array(k, array);
    if (has_names(x->graph)) {
        put_names(k, vertices, rows, columns);
        return FR_OK;
    }
    char head[FR_NPY_HEADER_CAPACITY];
    zip_put(&k->archive, head, fr_npy_header(head, FR_TYPE_I64, rows, columns));
    const int64_t none = result_minus_one(x) ? INT64_MIN : -1;
    int64_t *ids = cli_alloc((size_t)(columns + 1) * sizeof *ids);
    for (int64_t r = 0; r < rows; r++) {
        for (int64_t i = 0; i < columns; i++) {
            const int32_t v = vertices[r * columns + i];
            ids[i] = v < 0 ? none : fr_graph_id(x->graph, v);
        }
        zip_put(&k->archive, ids, (size_t)columns * sizeof *ids);
    }
    free(ids);
    return k->file.error ? FR_DISK : FR_OK;
}

int result_sink_close(result_sink *k, fr_status status) {
    if (!k->stream)
        return CLI_OK;
    if (k->is_archive) {
        end_array(k);
        zip_finish(&k->archive);
    }
    fclose(k->stream);
    if (!k->is_archive) {
        result_text_finish(&k->text);
        result_text_free(&k->text);
    }
    k->stream = NULL;
    progress_clear();
    return output_file_close(&k->file, status == FR_OK);
}
