/* A text table: its separator, its line of column names, the columns that the options choose, and the
 * fields of its lines.
 *
 * Fields: divided by one separator, of which each occurrence ends a field (for blanks, any number of
 *   them); white space around a field and double quotes around it are removed. In quotes a separator is
 *   part of the field and "" is a quote.
 * Source: RFC 4180 (CSV), section 2. Differs: a field cannot contain a newline.
 */
#include "io/table.h"
#include "io/digits.h"
#include "io/number_scan.h"

#include <stdlib.h>

enum { MAX_COLUMN = 1 << 20 };

static const char *const roles[FRI_TABLE_CHOSEN] = {"source", "target", "weight"};

int fri_column_number(const char *column) {
    if (!column)
        return 0;
    char *end;
    long number = strtol(column, &end, 10);
    return fri_is_digit(*column) && !*end && number > 0 && number <= MAX_COLUMN ? (int)number : -1;
}

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

bool fri_table_is_comment(const char *at, const char *end) {
    while (at < end && is_space(*at))
        at++;
    return at == end || *at == '#' || *at == '%';
}

/* ---- the first line ------------------------------------------------------------------------ */

/* Whether c occurs outside of quotes. */
static bool occurs(const char *at, const char *end, char c) {
    bool quoted = false;
    for (; at < end; at++) {
        quoted ^= *at == '"' && (quoted || memchr(at + 1, '"', (size_t)(end - at - 1)));
        if (*at == c && !quoted)
            return true;
    }
    return false;
}

static char separator_of(const char *at, const char *end) {
    static const char separators[] = {',', ';', '\t'};
    for (size_t i = 0; i < sizeof separators; i++)
        if (occurs(at, end, separators[i]))
            return separators[i];
    return ' ';
}

/* The number of the column with that name in the first line; 0: none. */
static int find_name(const fri_table *t, const char *name, const char *end) {
    const char *at = t->body;
    fri_field f;
    for (int column = 1; fri_table_next_field(t, &at, end, &f); column++)
        if (f.length == strlen(name) && memcmp(f.at, name, f.length) == 0)
            return column;
    return 0;
}

static bool find_field(const fri_table *t, int wanted, const char *end, fri_field *out) {
    const char *at = t->body;
    for (int column = 1; column <= wanted; column++)
        if (!fri_table_next_field(t, &at, end, out))
            return false;
    return true;
}

static bool is_integer(fri_field f) {
    int64_t ignored;
    fri_scan scan = {f.at, f.at + f.length};
    return fri_scan_int64(&scan, &ignored) != FRI_SCAN_NONE;
}

static bool is_number(fri_field f) {
    double ignored;
    fri_scan scan = {f.at, f.at + f.length};
    return fri_scan_double(&scan, &ignored) != FRI_SCAN_NONE || is_integer(f);
}

/* Whether the first line has the names of the columns, if no column is chosen by name. */
static bool has_names(const fri_table *t, const char *end, bool strings) {
    fri_field f = {0};
    int column = t->column[strings ? FRI_TABLE_WEIGHT : FRI_TABLE_SOURCE];
    if (column == 0 || !find_field(t, column, end, &f))
        return false;
    return strings ? !is_number(f) : !is_integer(f);
}

static fr_status check_distinct(const fri_table *t) {
    for (int i = 0; i < FRI_TABLE_CHOSEN; i++)
        for (int j = 0; j < i; j++)
            if (t->column[i] == t->column[j])
                return fri_fail(t->ctx, FR_INVALID, "%s and %s are both column %d", roles[j],
                                roles[i], t->column[i]);
    return FR_OK;
}

static fr_status resolve(fri_table *t, const char *const *asked, bool strings, int weight) {
    const char *end = fri_table_line_end(t->body, t->text->data + t->text->size);
    const int usual[FRI_TABLE_CHOSEN] = {1, 2, weight};
    bool named = false;
    for (int i = 0; i < FRI_TABLE_CHOSEN; i++) {
        t->column[i] = asked[i] ? fri_column_number(asked[i]) : usual[i];
        if (t->column[i] < 0) {
            named = true;
            t->column[i] = find_name(t, asked[i], end);
            if (!t->column[i])
                return fri_input_fail(t->ctx, FR_FORMAT, t->text, t->body,
                                      "no column is called \"%.40s\"; the first line is \"%.*s\"",
                                      asked[i], (int)FRI_MIN(end - t->body, 120), t->body);
        }
        t->last = FRI_MAX(t->last, t->column[i]);
    }
    fr_status status = check_distinct(t);
    if (status || (!named && !has_names(t, end, strings)))
        return status;
    t->names = t->body;
    t->body = fri_skip_line(end, t->text->data + t->text->size);
    return FR_OK;
}

fr_status fri_table_open(fri_table *t, const fr_load_options *options, bool strings,
                         bool weight_by_default) {
    const char *end = t->text->data + t->text->size, *first_end;
    const char *const asked[] = {options->source_column, options->target_column,
                                 options->weight_column};
    t->body = t->text->data;
    while (t->body < end && fri_table_is_comment(t->body, fri_table_line_end(t->body, end)))
        t->body = fri_skip_line(t->body, end);
    first_end = fri_table_line_end(t->body, end);
    t->separator = separator_of(t->body, first_end);
    fri_field third;
    bool weighted =
        weight_by_default && !asked[0] && !asked[1] && find_field(t, 3, first_end, &third);
    return resolve(t, asked, strings, weighted ? 3 : 0);
}
