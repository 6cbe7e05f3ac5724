/* Turns the lines that the library writes, a header and cells divided by tabs, into CSV or JSON. */
#ifndef CLI_RESULT_TEXT_H
#define CLI_RESULT_TEXT_H

#include "output_file.h"

#include "fringe.h"

#include <stdint.h>

typedef enum result_text_kind { RESULT_CSV, RESULT_JSON, RESULT_NDJSON } result_text_kind;

typedef struct text_part {
    char *text;
    size_t length, capacity;
} text_part;

enum { RESULT_TEXT_MAX_COLUMNS = 8 };

typedef struct result_text {
    output_file *to;
    result_text_kind kind;
    bool named; /* vertices are names */
    const fr_graph *graph;
    const fr_column *lists; /* the column of lists of vertices; NULL: none */
    const char *no_vertex;  /* the cell of no parent: "-1", or "" where a vertex is called -1 */
    text_part line, out;
    char *columns[RESULT_TEXT_MAX_COLUMNS];
    int column_count;
    int64_t rows;
} result_text;

/* Takes a part of the text; a line may be divided between two. */
void result_text_put(result_text *t, const char *data, size_t bytes);
void result_text_finish(result_text *t); /* after the last line */
void result_text_free(result_text *t);

#endif
