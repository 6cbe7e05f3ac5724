/* The output file: a large buffer and a temporary name; renamed when complete, removed otherwise.
 *
 * The library's io/atomic_file.c does the same for graphs. It is not used here because the command
 * includes no header of the library but fringe.h, and because Ctrl-C must stop a write and remove
 * the temporary file (progress_guard_file). */
#ifndef CLI_OUTPUT_FILE_H
#define CLI_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct output_file {
    int fd;
    const char *path; /* as the user named it */
    char *target;     /* what is renamed onto: path with links followed; NULL: written in place */
    char *temporary;
    char *buffer;
    size_t used;
    int error;    /* errno of the first write that failed */
    bool stopped; /* by Ctrl-C */
} output_file;

/* path "-" is standard output; what is there and no plain file (a pipe, /dev/full) is written in
 * place. Returns an exit code, the sentence printed. */
int output_file_open(output_file *s, const char *path);
/* Room for `bytes` (at most OUTPUT_FILE_RESERVE) at the returned address; output_file_end says how
   far it got. */
enum { OUTPUT_FILE_RESERVE = 1 << 12 };
char *output_file_reserve(output_file *s);
void output_file_end(output_file *s, const char *end);
void output_file_put(output_file *s, const void *data, size_t bytes);
bool output_file_failed(const output_file *s); /* no use to go on */
/* Finishes: keeps the file when `keep` and all went well, else removes it. Returns an exit code. */
int output_file_close(output_file *s, bool keep);

#endif
