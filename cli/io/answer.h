/* The answer of a traversal and its output files. */
#ifndef CLI_ANSWER_H
#define CLI_ANSWER_H

#include "cli/session.h"

typedef struct answer {
    fr_problem problem;
    fr_type type;      /* of value: FR_TYPE_I32 for levels */
    void *value;       /* [n] */
    int32_t *parent;   /* [n] or NULL */
    bool marks_cycles; /* the minimum integer is minus infinity */
} answer;

bool answer_reached(const answer *a, int64_t v);
double answer_value(const answer *a, int64_t v);
int64_t answer_whole(const answer *a, int64_t v); /* of FR_TYPE_I32 and FR_TYPE_I64 */

enum { RESULT_TSV, RESULT_GRAPHALYTICS, RESULT_NPY }; /* as fr_result_format_name */

/* The RESULT_* of --format and the suffix of the file; -1 after printing a usage failure. */
int result_format_choose(const settings *s);
/* Writes the answer in `format` to path. Returns an exit code. */
int answer_write(const session *x, const answer *a, const char *path, int format);

/* Writes a table to the file of -o, in the format of its suffix. Returns an exit code. */
int table_write(const session *x, int64_t rows, const fr_column *columns, int count);

#endif
