/* The result file of any program, read back for `fringe verify`. */
#ifndef CLI_RESULT_READ_H
#define CLI_RESULT_READ_H

#include "cli/session.h"

typedef struct result_file {
    int problem;         /* 1 + fr_problem as its header says; 0: it does not say */
    double *value;       /* [n] infinity: not reached; minus infinity: beyond a negative cycle */
    int64_t *whole;      /* [n] the value where it is an integer and reached */
    bool all_whole;      /* every value that was reached is an integer */
    bool marks_bfs;      /* has a -1 or 9223372036854775807: nothing else says "not reached" so */
    bool single;         /* the values are known to be float32 */
    int32_t *parent;     /* [n] vertices, -1: none; NULL: the file has no parents */
    unsigned char *seen; /* [n] */
} result_file;

int result_read(const session *x, const char *path, result_file *out); /* exit code */
void result_free(result_file *r);

/* Both readers put one line or record through here; place: "name:line" for the sentence. */
typedef struct result_entry {
    int64_t id, whole, parent;
    double value;
    bool is_whole;
} result_entry;
int result_put(const session *x, result_file *r, const char *place, const result_entry *e);

int result_read_npy(const session *x, const char *name, const char *data, size_t size,
                    result_file *out); /* result_npy.c */

#endif
