/* A text table: its separator, its line of column names, the columns that the options choose, and the
 * fields of its lines. */
#ifndef FRI_IO_TABLE_H
#define FRI_IO_TABLE_H

#include "io/input.h"

enum { FRI_TABLE_SOURCE, FRI_TABLE_TARGET, FRI_TABLE_WEIGHT, FRI_TABLE_CHOSEN };

typedef struct fri_field {
    const char *at; /* without the quotes around it */
    size_t length;
    bool doubled; /* it was in quotes and has "" in place of each quote inside */
    bool broken;  /* its quote is not closed, or text follows the closing quote */
} fri_field;

typedef struct fri_table {
    fr_ctx *ctx;
    const fri_input *text;
    char separator;               /* ' ': blanks and tabs */
    int column[FRI_TABLE_CHOSEN]; /* from 1; 0: no weight */
    int last;                     /* the largest of them */
    const char *names;            /* the line of column names; NULL: none */
    const char *body;             /* the line after it, or the first that is no comment */
} fri_table;

/* Finds separator and columns of `text` by its first line that is no comment. Without `strings` that
 * line has the names of the columns if a column is chosen by name or its source is no integer; with
 * `strings`, if a column is chosen by name or its weight is no number. `weight_by_default`: the third
 * column has the weights if there is one and no column is chosen. FR_INVALID: a column is chosen
 * twice. FR_FORMAT: no such column. */
fr_status fri_table_open(fri_table *t, const fr_load_options *options, bool strings,
                         bool weight_by_default);

/* The next field of the line [*at, end); false: there is none. */
bool fri_table_next_field(const fri_table *t, const char **at, const char *end, fri_field *out);
/* Whether the line is empty or a comment. */
bool fri_table_is_comment(const char *at, const char *end);
/* The newline after `at`, or end. */
const char *fri_table_line_end(const char *at, const char *end);

/* "3" -> 3; 0 for NULL, -1 for a name. */
int fri_column_number(const char *column);

#endif
