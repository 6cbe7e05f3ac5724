/* A file that is there as a whole or not at all: written under a temporary name beside its own,
 * flushed to the disk, and renamed only then. What is no regular file (a pipe, /dev/stdout) cannot
 * be replaced and is written through, as is standard output, "-". A symbolic link is followed, so
 * that it stays one. */
#ifndef FRI_IO_ATOMIC_FILE_H
#define FRI_IO_ATOMIC_FILE_H

#include "base/base.h"

#include <stdio.h>

typedef struct fri_atomic_file {
    char *target;    /* where it shall stand, links resolved */
    char *temporary; /* NULL: written through */
    FILE *out;
} fri_atomic_file;

fr_status fri_atomic_file_open(fr_ctx *ctx, const char *path, fri_atomic_file *o); /* `o` zeroed
                                                                                      before */
fr_status fri_atomic_file_close(fr_ctx *ctx, const char *path,
                                fri_atomic_file *o); /* flushed to the disk */
fr_status fri_atomic_file_commit(fr_ctx *ctx, const char *path, fri_atomic_file *o);
void fri_atomic_file_release(fri_atomic_file *o); /* always, at the end; removes what was not
                                                     renamed */
/* FR_DISK: "PATH: DOING: " and what errno says. */
fr_status fri_atomic_file_error(fr_ctx *ctx, const char *path, const char *doing);

#endif
