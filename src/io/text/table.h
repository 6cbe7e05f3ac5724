/* A text table: its separator, its line of column names, the columns that are read, and the fields of
 * its lines. */
#ifndef FRI_IO_TABLE_H
#define FRI_IO_TABLE_H

#include "base/edge_list.h"
#include "io/input.h"

enum {
    FRI_TABLE_SOURCE,
    FRI_TABLE_TARGET,
    FRI_TABLE_WEIGHT,
    FRI_TABLE_VALUES, /* those before are parts of an edge */
    FRI_TABLE_TYPE = FRI_TABLE_VALUES,
    FRI_TABLE_CHOSEN
};

typedef struct fri_field {
    const char *at; /* without the quotes around it */
    size_t length;
    bool doubled; /* it was in quotes and has "" in place of each quote inside */
    bool broken;  /* its quote is not closed, or text follows the closing quote */
} fri_field;

/* Ends whose column has no known name. */
enum {
    FRI_TABLE_NO_SOURCE = 1,
    FRI_TABLE_NO_TARGET = 2,
    FRI_TABLE_NO_END = FRI_TABLE_NO_SOURCE | FRI_TABLE_NO_TARGET
};

typedef struct fri_table {
    fr_ctx *ctx;
    const fri_input *text;
    char separator;               /* ' ': blanks and tabs */
    bool decimal_comma;           /* a weight has a comma in place of a point */
    bool divided;                 /* the options choose the separator */
    bool undirected;              /* what the column of types says, if there is one */
    int column[FRI_TABLE_CHOSEN]; /* from 1; 0: no weight, no type */
    int last;                     /* the largest of them */
    int columns;                  /* of the first line */
    const char *names;            /* the line of column names; NULL: none */
    const char *body;             /* the line after it, or the first that is no comment */
    int guessed;     /* there are names, but none known of these ends' columns; 0: no guess */
    bool chosen;     /* the options choose columns */
    bool unweighted; /* they leave out the weights of the file */
    bool textual;    /* the first lines have quotes, or commas that divide no columns */
} fri_table;

/* Finds separator and columns of `text` by its first line that is no comment, and by the next one.
 *
 * The separator is a tab, a semicolon, a comma or blanks, the first of these that the line has, unless
 * the options say which. The line has the names of the columns if a column is chosen by name, if names
 * of source and target are among them (io/text/table_columns.c), or if a field that must be a number is none:
 * the source without `strings`, with them the weight. `strings`: single letters and words like "start" are
 * no such names, since vertices are called so, too, and neither are any if columns are chosen by number.
 *
 * A column that is not chosen is found by its name, else by its place: source, target, and if `weights`
 * is set and no end is chosen, the weight. FR_INVALID: a column is chosen twice. FR_FORMAT: no such
 * column, or it is not clear which it is. */
fr_status fri_table_open(fri_table *t, const fr_load_options *options, bool strings, bool weights);

void fri_table_drop_weight(fri_table *t);

/* Whether the lines form a plain edge list: source, target and perhaps the weight in this order
 * in columns that blanks, tabs or commas divide, and after them nothing that line 1 gives a name. */
bool fri_table_is_plain(const fri_table *t);
/* Notes in `edges` which columns are read, which not, and what was guessed. */
void fri_table_note_columns(const fri_table *t, fri_edge_list *edges);

/* The next field of the line [*at, end); false: there is none. */
bool fri_table_next_field(const fri_table *t, const char **at, const char *end, fri_field *out);
/* Where the field of a column, from 1, of the line at `line` is: its end without such a field, `line` for
 * column 0. For messages. */
const char *fri_table_place(const fri_table *t, const char *line, int column);
/* Whether the field is that value of the column of types. */
bool fri_table_type_is(fri_field f, bool undirected);
/* Whether the line is empty or a comment. */
bool fri_table_is_comment(const char *at, const char *end);
/* The first line from `at` on that is no comment, or end. */
const char *fri_table_next_content(const char *at, const char *end);
/* The newline after `at`, or end. */
const char *fri_table_line_end(const char *at, const char *end);

/* "3" -> 3; 0 for NULL, -1 for a name. */
int fri_column_number(const char *column);

#endif
