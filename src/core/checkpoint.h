/* Finished scores of the vertices of a part, in a file that a later call continues.
 *
 * A file has a text of HEAD bytes, which says whose scores it has, and then blocks: a block_head, and the
 * values of its vertices, those of one score after the other. Finished scores never change, so blocks are
 * only appended, and a checkpoint costs what it adds. A block that an interruption has cut off, or whose
 * checksum is wrong, ends the file: it and what follows is written again; so is a text that is cut off. */
#ifndef FRI_CORE_CHECKPOINT_H
#define FRI_CORE_CHECKPOINT_H

#include "base/base.h"

enum { FRI_CHECKPOINT_HEAD = 256, FRI_CHECKPOINT_SCORES = 2 };

typedef struct fri_checkpoint {
    fr_ctx *ctx;
    const char *path;
    int file;                             /* -1: none */
    double *score[FRI_CHECKPOINT_SCORES]; /* of the caller, [count] each, or NULL */
    int64_t count, done;                  /* vertices; the first `done` have scores */
} fri_checkpoint;

/* Opens or creates c->path for c->ctx, c->score and c->count, and reads what it has. about: the graph and the
 * scores, less than HEAD bytes. FR_FORMAT: the file is about something else. FR_DISK. */
fr_status fri_checkpoint_open(fri_checkpoint *c, const char *about);
/* Appends the scores of the next vertices, done .. done + count - 1. FR_DISK. */
fr_status fri_checkpoint_add(fri_checkpoint *c, int64_t count);
void fri_checkpoint_close(fri_checkpoint *c);

#endif
