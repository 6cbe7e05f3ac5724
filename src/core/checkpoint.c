#include "core/checkpoint.h"

#include "base/checksum.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    int64_t first, count;
    uint64_t sum; /* of both numbers and of the values */
} block_head;

static fr_status fails(const fri_checkpoint *c, const char *what) {
    return fri_fail(c->ctx, FR_DISK, "%s: %s: %s", c->path, what, strerror(errno));
}

/* All bytes, or false: errno is 0 at the end of the file. */
static bool move(int file, void *bytes, size_t count, bool writes) {
    for (char *at = bytes; count;) {
        const ssize_t moved = writes ? write(file, at, count) : read(file, at, count);
        if (moved > 0) {
            at += moved;
            count -= (size_t)moved;
        } else if (moved == 0 || errno != EINTR) {
            errno = moved ? errno : writes ? ENOSPC : 0;
            return false;
        }
    }
    return true;
}

static uint64_t sum_of(const fri_checkpoint *c, const block_head *b) {
    uint64_t sum = fri_checksum_add((uint64_t)b->first, (uint64_t)b->count);
    for (int i = 0; i < FRI_CHECKPOINT_SCORES; i++)
        if (c->score[i])
            sum = fri_checksum_add(sum, fri_checksum(c->ctx->threads, c->score[i] + b->first,
                                                     fri_bytes(b->count, sizeof(double))));
    return sum;
}

static bool move_block(const fri_checkpoint *c, const block_head *b, bool writes) {
    bool fine = true;
    for (int i = 0; i < FRI_CHECKPOINT_SCORES && fine; i++)
        fine = !c->score[i] ||
               move(c->file, c->score[i] + b->first, fri_bytes(b->count, sizeof(double)), writes);
    return fine;
}

/* Each block has a vertex at least. */
static fr_status read_blocks(fri_checkpoint *c) {
    off_t end = FRI_CHECKPOINT_HEAD;
    block_head b;
    errno = 0;
    while (c->done < c->count && move(c->file, &b, sizeof b, false) && b.first == c->done &&
           b.count > 0 && b.count <= c->count - c->done && move_block(c, &b, false) &&
           b.sum == sum_of(c, &b)) {
        c->done += b.count;
        end = lseek(c->file, 0, SEEK_CUR);
    }
    if (errno || ftruncate(c->file, end) || lseek(c->file, end, SEEK_SET) != end)
        return fails(c, "cannot be read");
    return FR_OK;
}

fr_status fri_checkpoint_open(fri_checkpoint *c, const char *about) {
    char want[FRI_CHECKPOINT_HEAD] = {0}, got[FRI_CHECKPOINT_HEAD];
    struct stat info;
    snprintf(want, sizeof want, "%s", about);
    c->file = open(c->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (c->file < 0 || fstat(c->file, &info))
        return fails(c, "cannot be opened");
    if (!S_ISREG(info.st_mode))
        return fri_fail(c->ctx, FR_DISK, "%s: is no regular file", c->path);
    if (flock(c->file, LOCK_EX | LOCK_NB))
        return fails(c, "is in use by another process");
    if (fstat(c->file, &info)) /* again: a process may have written to it before the lock */
        return fails(c, "cannot be read");
    const size_t have = FRI_MIN((size_t)info.st_size, sizeof want);
    if (!move(c->file, got, have, false) || memcmp(want, got, have) != 0)
        return fri_fail(c->ctx, FR_FORMAT,
                        "%s is no checkpoint of this graph, these scores and this part; remove it "
                        "to start again",
                        c->path);
    if (have == sizeof want)
        return read_blocks(c);
    if (lseek(c->file, 0, SEEK_SET) || !move(c->file, want, sizeof want, true))
        return fails(c, "cannot be written");
    return FR_OK;
}

fr_status fri_checkpoint_add(fri_checkpoint *c, int64_t count) {
    block_head b = {c->done, count, 0};
    if (c->file >= 0) {
        b.sum = sum_of(c, &b);
        if (!move(c->file, &b, sizeof b, true) || !move_block(c, &b, true) || fdatasync(c->file))
            return fails(c, "cannot be written");
    }
    c->done += count;
    return FR_OK;
}

void fri_checkpoint_close(fri_checkpoint *c) {
    if (c->file >= 0)
        close(c->file);
    c->file = -1;
}
