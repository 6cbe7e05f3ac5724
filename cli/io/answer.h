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

/* The format of the file of -o; NULL after printing a usage failure. */
const char *result_format(const settings *s);
/* Writes the answer to the file of -o. */
fr_status answer_write(const session *x, const answer *a);

/* Writes a table to the file of -o, in the format of its suffix. Returns an exit code. */
int table_write(const session *x, int64_t rows, const fr_column *columns, int count);

#endif
