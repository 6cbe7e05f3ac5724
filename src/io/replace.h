/* A file that is there as a whole or not at all: written under a temporary name beside its own,
 * flushed to the disk, and renamed only then. What is no regular file (a pipe, /dev/stdout) cannot
 * be replaced and is written through, as is standard output, "-". A symbolic link is followed, so
 * that it stays one. */
#ifndef FRI_REPLACE_H
#define FRI_REPLACE_H

#include "base/base.h"

#include <stdio.h>

typedef struct fri_replace {
    char *target;    /* where it shall stand, links resolved */
    char *temporary; /* NULL: written through */
    FILE *out;
} fri_replace;

fr_status fri_replace_open(fr_ctx *ctx, const char *path, fri_replace *o); /* `o` zeroed before */
fr_status fri_replace_close(fr_ctx *ctx, const char *path,
                            fri_replace *o); /* flushed to the disk */
fr_status fri_replace_rename(fr_ctx *ctx, const char *path, fri_replace *o);
void fri_replace_drop(fri_replace *o); /* always, at the end; removes what was not renamed */
/* FR_DISK: "PATH: DOING: " and what errno says. */
fr_status fri_replace_failed(fr_ctx *ctx, const char *path, const char *doing);

#endif
