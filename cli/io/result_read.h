/* Reads the result file of any program for `fringe verify`. */
#ifndef CLI_RESULT_READ_H
#define CLI_RESULT_READ_H

#include "cli/session.h"

typedef struct result_file {
    int problem;     /* 1 + fr_problem, from the header; 0: unknown */
    double *value;   /* [n] infinity: not reached; minus infinity: reached by a negative cycle */
    int64_t *whole;  /* [n] the value if it is an integer and reached */
    bool all_whole;  /* every reached value is an integer */
    bool marks_bfs;  /* has a -1 or 9223372036854775807, which only BFS results have */
    bool minus_one;  /* a vertex is called -1: see result_minus_one */
    bool single;     /* the values are float32 */
    bool has_places; /* the last two columns of a text are x and y */
    int32_t *parent; /* [n] vertices, -1: none; NULL: the file has no parents */
    unsigned char *seen; /* [n] */
} result_file;

int result_read(const session *x, const char *path, result_file *out); /* exit code */
void result_free(result_file *r);

/* Stores one line or record; both readers call it. */
typedef struct result_entry {
    int64_t id, whole, parent, parent_column;
    double value;
    bool is_whole, no_parent;
} result_entry;

/* Whether a vertex is called -1: an empty field, or the smallest int64, is then "no parent". */
bool result_minus_one(const session *x);
/* place: of the vertex. */
int result_put(const session *x, result_file *r, text_place place, const result_entry *e);

int result_read_npy(const session *x, const char *name, const char *data, size_t size,
                    result_file *out); /* result_npy.c */

#endif
