/* Known formats that are not supported, recognized by their first words.
 *
 * Read as edge lists they would fail at some line with an unhelpful message. Each format is
 * identified by a first word, and by a word further on if the first one is not sufficient.
 */
#include "io/formats/unreadable.h"

#include <string.h>
#include <strings.h>

enum { SEARCHED_BYTES = 4096 }; /* bytes searched for the second word */

/* clang-format off */
static const struct {
    const char *first, *then; /* then: NULL, or a word that follows within SEARCHED_BYTES */
    bool next;                /* it must follow immediately */
    char comment;             /* lines that start with it are skipped first; 0: none */
    const char *name;
} rows[] = {
    {"<?xml", "<graphml", false, 0, "GraphML"},
    {"<graphml", NULL, false, 0, "GraphML"},
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

const char *fri_unreadable_format_name(const fri_input *text) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (opens_like(text, i))
            return rows[i].name;
    return NULL;
}
