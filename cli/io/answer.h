/* One answer of a traversal, and the files it is written to. */
#ifndef CLI_ANSWER_H
#define CLI_ANSWER_H

#include "cli/session.h"
#include "output_file.h"

typedef struct answer {
    fr_problem problem;
    fr_type type;      /* of value: FR_TYPE_I32 for levels */
    void *value;       /* [n] */
    int32_t *parent;   /* [n] or NULL */
    bool marks_cycles; /* the least integer is minus infinity */
} answer;

bool answer_reached(const answer *a, int64_t v);
double answer_value(const answer *a, int64_t v);
int64_t answer_whole(const answer *a, int64_t v); /* of FR_TYPE_I32 and FR_TYPE_I64 */
/* Puts the value of v as text: a level, a distance, -inf; `inf` stands for what was not reached. */
char *answer_put(const answer *a, int64_t v, const char *inf, char *at);

enum { RESULT_TSV, RESULT_GRAPHALYTICS, RESULT_NPY };

/* The RESULT_* that --format and the file's name ask for; -1 with a usage failure printed. */
int result_format_choose(const settings *s);
/* Writes the answer as `format` to path; exit code. */
int answer_write(const session *x, const answer *a, const char *path, int format);

void write_tsv(const session *x, const answer *a, output_file *out); /* output_tsv.c */
void write_graphalytics(const session *x, const answer *a, output_file *out);
void write_npy(const session *x, const answer *a, output_file *out); /* output_npy.c */
/* The head of a .npy file: dtype as Python writes it, shape as "(3, 4)". npy_head: into
 * head[NPY_HEAD_ROOM]; returns its bytes. */
enum { NPY_HEAD_ROOM = 576 };
size_t npy_head(char *head, const char *dtype, const char *shape);
void npy_header(output_file *out, const char *dtype, const char *shape);
const char *npy_type(fr_type type); /* "<i4" with its quotes */

#endif
