/* The table of file formats and format detection. A format listed here can be selected by
 * --input-format, is listed by `fringe list` and is tested; formats are listed explicitly because
 * the linker drops unreferenced objects. Formats with the most certain sniff come first. How to add
 * one: docs/architecture.md, "Add a format". */
#include "io/format.h"

#include <string.h>
#include <strings.h>

/* clang-format off */
#define FORMATS(X) \
    X(fri_format_fringe) \
    X(fri_format_matrix_market) \
    X(fri_format_dimacs9) \
    X(fri_format_pajek) \
    X(fri_format_npz) \
    X(fri_format_tntp) \
    X(fri_format_adj) \
    X(fri_format_bin) \
    X(fri_format_snap) \
    X(fri_format_el) \
    X(fri_format_wel) \
    X(fri_format_sg) \
    X(fri_format_wsg) \
    X(fri_format_metis) \
    X(fri_format_ldbc)
/* clang-format on */

#define DECLARE(format) extern const fri_format format;
FORMATS(DECLARE)
#undef DECLARE

const fri_format *const fri_formats[] = {
#define ADDRESS(format) &format,
    FORMATS(ADDRESS)
#undef ADDRESS
        NULL};

static const fri_format *format_at(int index) {
    const int count = (int)(sizeof fri_formats / sizeof *fri_formats) - 1;
    return index >= 0 && index < count ? fri_formats[index] : NULL;
}

const char *fr_format_name(int index) { return format_at(index) ? format_at(index)->name : NULL; }
const char *fr_format_description(int index) {
    return format_at(index) ? format_at(index)->text : NULL;
}
bool fr_format_writable(int index) { return format_at(index) && format_at(index)->write; }

const fri_format *fri_format_find(const char *name) {
    for (const fri_format *const *entry = fri_formats; *entry; entry++)
        if (strcmp((*entry)->name, name) == 0)
            return *entry;
    return NULL;
}

static bool ends_in(const char *name, size_t length, const char *suffix) {
    size_t s = strlen(suffix);
    return length >= s && strncasecmp(name + length - s, suffix, s) == 0;
}

/* The length of name without compression suffixes, so that "a.mtx.gz" is treated as "a.mtx". */
static size_t decompressed_length(const char *name) {
    static const char *const compressed[] = {".gz", ".zst", ".xz", ".bz2", ".tar", NULL};
    size_t length = strlen(name);
    for (int i = 0; compressed[i]; i++)
        if (ends_in(name, length, compressed[i])) {
            length -= strlen(compressed[i]);
            i = -1; /* restart: .tar.gz has two suffixes */
        }
    return length;
}

const fri_format *fri_format_by_suffix(const char *name) {
    size_t length = decompressed_length(name);
    for (const fri_format *const *entry = fri_formats; *entry; entry++)
        for (const char *const *suffix = (*entry)->suffixes; suffix && *suffix; suffix++)
            if (ends_in(name, length, *suffix))
                return *entry;
    return NULL;
}

const fri_format *fri_format_by_magic(const fri_input *text) {
    for (const fri_format *const *entry = fri_formats; *entry; entry++)
        if ((*entry)->sniff && (*entry)->sniff(text) == 2)
            return *entry;
    return NULL;
}

/* ---- known formats that are not supported ------------------------------------------------------
 * Read as edge lists they would fail at some line with an unhelpful message. Each is identified by a first word, and
 * by a word further on if the first one is not sufficient. */

enum { SEARCHED_BYTES = 4096 }; /* bytes searched for the second word */

#define GRAPHML "read it in Python, by networkx.read_graphml and pyfringe.Graph.from_networkx"
#define ARROW   "read it in Python, by pyarrow.ipc and pyfringe.Graph.from_edges"

/* clang-format off */
static const struct {
    const char *first, *then; /* then: NULL, or a word that follows within SEARCHED_BYTES */
    bool next;                /* it must follow immediately */
    char comment;             /* lines that start with it are skipped first; 0: none */
    const char *name;
    const char *advice; /* NULL: convert it */
} rows[] = {
    {"<?xml", "<graphml", false, 0, "GraphML", GRAPHML},
    {"<graphml", NULL, false, 0, "GraphML", GRAPHML},
    {"PAR1", NULL, false, 0, "Parquet", "read it in Python, by pyfringe.Graph.from_parquet"},
    {"ARROW1", NULL, false, 0, "Arrow", ARROW},
    {"\xff\xff\xff\xff", NULL, false, 0, "Arrow (stream)", ARROW},
    {"<?xml", "<gexf", false, 0, "GEXF"},
    {"<gexf", NULL, false, 0, "GEXF"},
    {"<!doctype", "<html", false, 0, "HTML"},
    {"<html", NULL, false, 0, "HTML"},
    {"<?xml", NULL, false, 0, "XML"},
    {"{", "\"", true, 0, "JSON"},
    {"[", "{", true, 0, "JSON"},
    {"graph", "[", true, '#', "GML"},
    {"creator", "graph", false, '#', "GML"},
    {"dl", "=", false, 0, "DL (UCINET)"},
    {"p edge", NULL, false, 'c', "DIMACS coloring (.col)"},
    {"p col", NULL, false, 'c', "DIMACS coloring (.col)"},
    {"p max", NULL, false, 'c', "DIMACS maximum flow"},
    {"p min", NULL, false, 'c', "DIMACS minimum-cost flow"},
    {"graph", "{", false, '/', "Graphviz (DOT)"},
    {"digraph", "{", false, '/', "Graphviz (DOT)"},
    {"strict", "{", false, '/', "Graphviz (DOT)"},
    {"\xff\xfe", NULL, false, 0, "UTF-16 text"},
    {"\xfe\xff", NULL, false, 0, "UTF-16 text"},
};
/* clang-format on */

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
static bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

static const char *skip_spaces(const char *at, const char *end) {
    while (at < end && is_space(*at))
        at++;
    return at;
}

/* Moves to the first byte that is neither white space nor part of a comment line. */
static const char *first_word(const char *at, const char *end, char comment) {
    while ((at = skip_spaces(at, end)) < end && comment && *at == comment) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline : end;
    }
    return at;
}

static bool begins(const char *at, const char *end, const char *word) {
    size_t length = strlen(word);
    return (size_t)(end - at) >= length && !strncasecmp(at, word, length);
}

static bool holds(const char *at, const char *end, const char *word) {
    for (; at < end; at++)
        if (begins(at, end, word))
            return true;
    return false;
}

static bool opens_like(const fri_input *text, size_t i) {
    const char *end = text->data + text->size;
    const char *at = first_word(text->data, end, rows[i].comment);
    size_t length = strlen(rows[i].first);
    if (!begins(at, end, rows[i].first))
        return false;
    at += length;
    if (at < end && is_letter(at[-1]) && is_letter(*at))
        return false; /* only a prefix of a longer word */
    if (!rows[i].then)
        return true;
    return rows[i].next ? begins(skip_spaces(at, end), end, rows[i].then)
                        : holds(at, at + FRI_MIN(end - at, SEARCHED_BYTES), rows[i].then);
}

/* FR_UNSUPPORTED if the text starts like one of them. */
static fr_status refuse_unreadable(fr_ctx *ctx, const fri_input *text) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (opens_like(text, i))
            return fri_fail(ctx, FR_UNSUPPORTED, "%s: the format %s is not supported: %s",
                            text->name, rows[i].name,
                            rows[i].advice ? rows[i].advice
                                           : "convert it, for example to Matrix Market or an edge "
                                             "list");
    return FR_OK;
}

/* ---- detection ---------------------------------------------------------------------------------- */

fr_status fri_format_detect(fr_ctx *ctx, const fri_input *text, const fri_format **format) {
    const fri_format *likely = NULL, *named = fri_format_by_suffix(text->name);
    *format = fri_format_by_magic(text);
    if (*format)
        return FR_OK;
    for (const fri_format *const *entry = fri_formats; *entry && !named; entry++)
        if ((*entry)->sniff && (*entry)->sniff(text) == 1)
            likely = *entry; /* the last one: almost any text of numbers is an edge list */
    if (refuse_unreadable(ctx, text))
        return FR_UNSUPPORTED;
    *format = named ? named : likely;
    return *format
               ? FR_OK
               : fri_fail(
                     ctx, FR_FORMAT,
                     "%s: unknown format: neither content nor suffix matches; choose one "
                     "with fr_load_options.format (fr_format_name lists all), or the columns of "
                     "a table with source_column and target_column",
                     text->name);
}

void fri_csr_file_free(fri_csr_file *file) {
    if (!file->borrowed) {
        fri_free((void *)(uintptr_t)file->csr.offsets);
        fri_free((void *)(uintptr_t)file->csr.targets);
        fri_free((void *)(uintptr_t)file->csr.weights);
        fri_free(file->ids.list);
    }
    fri_names_free(file->ids.names);
    *file = (fri_csr_file){0};
}
