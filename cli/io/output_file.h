/* The file of a report: under a temporary name, renamed when complete, removed otherwise.
 * Results and graphs are written by the library. */
#ifndef CLI_OUTPUT_FILE_H
#define CLI_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct output_file {
    FILE *out;        /* NULL: not open */
    const char *path; /* as given by the user */
    char *target;     /* path with links resolved, the final name; NULL: written in place */
    char *temporary;
    int error; /* errno of the first write that failed */
} output_file;

/* The path of the file that is written: of a link its target, even if that does not exist. NULL: errno.
 * From malloc. */
char *output_file_target(const char *path);
/* Path "-" is standard output. A path that exists and is no regular file (a pipe, /dev/full) is
 * written in place. Returns an exit code; prints a failure. */
int output_file_open(output_file *s, const char *path);
void output_file_put(output_file *s, const void *data, size_t bytes);
/* Keeps the file if `keep` and all writes succeeded, else removes it. Returns an exit code. */
int output_file_close(output_file *s, bool keep);

#endif
