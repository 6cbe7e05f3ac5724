/* The fields of the lines of a text table; io/text/table_columns.c decides about its first line.
 *
 * Fields: divided by one separator, of which each occurrence ends a field (for blanks, any number of
 *   them); white space around a field and double quotes around it are removed. In quotes a separator is
 *   part of the field and "" is a quote.
 * Source: RFC 4180 (CSV), section 2. Differs: a field cannot contain a newline.
 */
#include "io/text/table.h"
#include "io/text/digits.h"

#include <strings.h>

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

const char *fri_table_line_end(const char *at, const char *end) {
    const char *newline = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    return newline ? newline : end;
}

/* The position after a quoted field's closing quote, or after its opening one if it has none. */
static const char *skip_quoted(const char *at, const char *end, fri_field *out) {
    const char *quote = at;
    do {
        out->doubled |= quote > at;
        quote += quote > at; /* the second one of a pair */
        quote = memchr(quote + 1, '"', (size_t)(end - quote - 1));
    } while (quote && end - quote > 1 && quote[1] == '"');
    out->broken = !quote;
    return quote ? quote + 1 : at + 1;
}

static bool ends_field(const fri_table *t, char c) {
    return t->separator == ' ' ? is_space(c) : c == t->separator;
}

bool fri_table_next_field(const fri_table *t, const char **at, const char *end, fri_field *out) {
    const char *q = *at;
    while (q < end && is_space(*q) && *q != t->separator)
        q++;
    while (t->separator == ' ' && q < end && is_space(*q))
        q++;
    if (q > end || (q == end && (t->separator == ' ' || *at > end)))
        return false;
    const char *begin = q, *behind = NULL;
    *out = (fri_field){0};
    if (q < end && *q == '"')
        behind = q = skip_quoted(q, end, out);
    while (q < end && !ends_field(t, *q))
        q++;
    *at = q + 1; /* past end: no further field */
    while (q > begin && is_space(q[-1]))
        q--;
    out->broken |= behind && q != behind;
    if (q - begin >= 2 && *begin == '"' && q[-1] == '"')
        begin++, q--;
    out->at = begin;
    out->length = (size_t)(q - begin);
    return true;
}

const char *fri_table_place(const fri_table *t, const char *line, int column) {
    const char *at = line, *end = fri_table_line_end(line, t->text->data + t->text->size);
    fri_field f = {.at = line};
    for (int c = 0; c < column; c++)
        if (!fri_table_next_field(t, &at, end, &f))
            return end;
    return f.at;
}

bool fri_table_is_comment(const char *at, const char *end) {
    while (at < end && is_space(*at))
        at++;
    return at == end || *at == '#' || *at == '%';
}

bool fri_table_type_is(fri_field f, bool undirected) {
    const char *word = undirected ? "undirected" : "directed";
    return f.length == strlen(word) && strncasecmp(f.at, word, f.length) == 0;
}

const char *fri_table_next_content(const char *at, const char *end) {
    while (at < end && fri_table_is_comment(at, fri_table_line_end(at, end)))
        at = fri_skip_line(at, end);
    return at;
}
