/* A file that is written completely or not at all: the data goes to the temporary name
 * TARGET.PID.tmp, is flushed to disk, and only then renamed. A target that is not a regular file (a pipe,
 * /dev/stdout) cannot be replaced and is written directly, as is standard output, "-". A symbolic
 * link is followed, also if its target does not exist, and stays a link. */
#ifndef FRI_IO_ATOMIC_FILE_H
#define FRI_IO_ATOMIC_FILE_H

#include "base/base.h"

#include <stdio.h>

typedef struct fri_atomic_file {
    char *target;    /* the final path, with links resolved */
    char *temporary; /* NULL: the target is written directly */
    FILE *out;
} fri_atomic_file;

/* `o` must be zeroed. */
fr_status fri_atomic_file_open(fr_ctx *ctx, const char *path, fri_atomic_file *o);
/* FR_DISK: the file system has fewer bytes free, so that writing them would fail in the end. Says nothing of a target that
 * is written directly. */
fr_status fri_atomic_file_fits(fr_ctx *ctx, const char *path, const fri_atomic_file *o,
                               size_t bytes);
/* Flushes the data to disk and closes the file. */
fr_status fri_atomic_file_close(fr_ctx *ctx, const char *path, fri_atomic_file *o);
/* Renames the file to its target. */
fr_status fri_atomic_file_commit(fr_ctx *ctx, const char *path, fri_atomic_file *o);
/* Call it at the end in any case: it removes a file that was not renamed. */
void fri_atomic_file_release(fri_atomic_file *o);
/* FR_DISK: "PATH: DOING: " and the text of errno. */
fr_status fri_atomic_file_error(fr_ctx *ctx, const char *path, const char *doing);

#endif
