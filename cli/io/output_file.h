/* The file of a report: a large buffer and a temporary name; renamed when complete, removed otherwise.
 * Results and graphs are written by the library. */
#ifndef CLI_OUTPUT_FILE_H
#define CLI_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct output_file {
    int fd;
    const char *path; /* as given by the user */
    char *target;     /* path with links resolved, the final name; NULL: written in place */
    char *temporary;
    char *buffer;
    size_t used;
    int error;    /* errno of the first write that failed */
    bool stopped; /* by Ctrl-C */
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
