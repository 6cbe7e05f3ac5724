#include "io/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

fr_status fri_atomic_file_error(fr_ctx *ctx, const char *path, const char *doing) {
    const char *name = strcmp(path, "-") ? path : "standard output";
    return fri_fail(ctx, FR_DISK, "%s: %s: %s", name, doing, strerror(errno));
}

static int create_temporary(fri_atomic_file *o, size_t length) {
    for (int attempt = 0; attempt < 100; attempt++) {
        int at = snprintf(o->temporary, length, "%s.%lld", o->target, (long long)getpid());
        if (attempt) /* another thread writes the same file, or a process of this id crashed */
            at += snprintf(o->temporary + at, length - (size_t)at, ".%d", attempt);
        snprintf(o->temporary + at, length - (size_t)at, ".tmp");
        int fd = open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* The path that a file has or gets which is opened by `path`: of a link its target, even if that does not
 * exist. False: errno. */
static bool follow_links(const char *path, char target[PATH_MAX]) {
    enum { MAX_LINKS = 40 };
    char link[PATH_MAX];
    size_t length = strlen(path);
    errno = ENAMETOOLONG;
    if (length >= PATH_MAX)
        return false;
    memcpy(target, path, length + 1);
    for (int i = 0; i < MAX_LINKS; i++) {
        ssize_t bytes = readlink(target, link, sizeof link);
        if (bytes < 0)
            return true; /* no link */
        const char *slash = strrchr(target, '/');
        size_t folder = link[0] != '/' && slash ? (size_t)(slash + 1 - target) : 0;
        errno = ENAMETOOLONG;
        if (folder + (size_t)bytes >= PATH_MAX)
            return false;
        memcpy(target + folder, link, (size_t)bytes);
        target[folder + (size_t)bytes] = '\0';
    }
    errno = ELOOP;
    return false;
}

fr_status fri_atomic_file_open(fr_ctx *ctx, const char *path, fri_atomic_file *o) {
    struct stat info;
    if (!strcmp(path, "-")) {
        int copy = dup(STDOUT_FILENO);
        o->out = copy < 0 ? NULL : fdopen(copy, "wb");
        if (o->out)
            return FR_OK;
        fri_atomic_file_error(ctx, path, "cannot be written");
        if (copy >= 0)
            close(copy);
        return FR_DISK;
    }
    char target[PATH_MAX];
    if (!follow_links(path, target))
        return fri_atomic_file_error(ctx, path, "cannot be written");
    bool there = stat(path, &info) == 0;
    size_t length = strlen(target) + 40; /* .PID.ATTEMPT.tmp */
    o->target = fri_alloc(ctx, length);
    if (!o->target)
        return FR_NOMEM;
    memcpy(o->target, target, strlen(target) + 1);
    if (there && S_ISDIR(info.st_mode))
        return fri_fail(ctx, FR_DISK, "%s: is a directory", path);
    int fd;
    if (there && !S_ISREG(info.st_mode)) {
        fd = open(o->target, O_WRONLY | O_CLOEXEC);
    } else {
        o->temporary = fri_alloc(ctx, length);
        if (!o->temporary)
            return FR_NOMEM;
        *o->temporary = '\0';
        fd = create_temporary(o, length);
        if (fd < 0)
            *o->temporary = '\0';
        else if (there && fchmod(fd, info.st_mode & 07777))
            errno = 0; /* not fatal: the new file then has default permissions */
    }
    o->out = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!o->out) {
        fri_atomic_file_error(ctx, path, "cannot be written");
        if (fd >= 0)
            close(fd);
        return FR_DISK;
    }
    return FR_OK;
}

fr_status fri_atomic_file_fits(fr_ctx *ctx, const char *path, const fri_atomic_file *o,
                               size_t bytes) {
    struct statvfs info;
    if (!o->temporary || fstatvfs(fileno(o->out), &info) || !info.f_blocks)
        return FR_OK;
    uint64_t block = info.f_frsize, free_bytes = info.f_bavail * block;
    if (bytes / block < info.f_bavail)
        return FR_OK;
    return fri_fail(
        ctx, FR_DISK,
        "%s: takes %s, and the file system has %s free (standard output, \"-\", is not checked)",
        path, fri_size(bytes).text, fri_size(free_bytes).text);
}

fr_status fri_atomic_file_close(fr_ctx *ctx, const char *path, fri_atomic_file *o) {
    bool bad = fflush(o->out) != 0;
    bad = bad || (o->temporary && fsync(fileno(o->out)) != 0);
    int error = errno; /* of the first failure */
    if (fclose(o->out) != 0 && !bad) {
        bad = true;
        error = errno;
    }
    o->out = NULL;
    errno = error;
    return bad ? fri_atomic_file_error(ctx, path, "writing") : FR_OK;
}

void fri_atomic_file_release(fri_atomic_file *o) {
    if (o->out)
        fclose(o->out);
    if (o->temporary && *o->temporary)
        unlink(o->temporary);
    fri_free(o->temporary);
    fri_free(o->target);
    *o = (fri_atomic_file){0};
}

fr_status fri_atomic_file_commit(fr_ctx *ctx, const char *path, fri_atomic_file *o) {
    if (!o->temporary)
        return FR_OK;
    if (rename(o->temporary, o->target))
        return fri_atomic_file_error(ctx, path, "renaming");
    *o->temporary = '\0';
    return FR_OK;
}
