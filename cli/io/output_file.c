#include "output_file.h"

#include "cli/cli.h"
#include "progress.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 1 << 20 };

char *output_file_target(const char *path) {
    enum { MAX_LINKS = 40 };
    char *target = cli_format("%s", path), link[PATH_MAX];
    for (int i = 0; i < MAX_LINKS; i++) {
        const ssize_t bytes = readlink(target, link, sizeof link);
        if (bytes < 0)
            return target; /* no link */
        const char *slash = strrchr(target, '/');
        const int folder = link[0] != '/' && slash ? (int)(slash + 1 - target) : 0;
        char *next = cli_format("%.*s%.*s", folder, target, (int)bytes, link);
        free(target);
        target = next;
    }
    free(target);
    errno = ELOOP;
    return NULL;
}

static int open_temporary(output_file *s) {
    const char *slash = strrchr(s->target, '/');
    int folder = slash ? (int)(slash + 1 - s->target) : 0;
    s->temporary = cli_format("%.*s.%s.XXXXXX", folder, s->target, s->target + folder);
    s->fd = mkstemp(s->temporary);
    if (s->fd < 0)
        return -1;
    progress_guard_file(s->temporary);
    mode_t mask = umask(0);
    umask(mask);
    struct stat old;
    mode_t mode = stat(s->target, &old) == 0 ? old.st_mode & 0777 : 0666 & ~mask;
    return fchmod(s->fd, mode);
}

static void release(output_file *s) {
    if (s->temporary)
        progress_unguard_file(s->temporary);
    free(s->buffer);
    free(s->temporary);
    free(s->target);
    s->buffer = s->temporary = s->target = NULL;
}

int output_file_open(output_file *s, const char *path) {
    *s = (output_file){.fd = -1, .path = path};
    struct stat there;
    bool exists = stat(path, &there) == 0;
    if (strcmp(path, "-") == 0) {
        s->path = "standard output";
        s->fd = STDOUT_FILENO;
    } else if (exists && !S_ISREG(there.st_mode)) {
        s->fd = open(path, O_WRONLY | O_CLOEXEC);
    } else {
        s->target = output_file_target(path);
        if (s->target)
            open_temporary(s);
    }
    if (s->fd < 0) {
        int code = cli_fail(FR_DISK, "%s: cannot be written: %m", path);
        release(s);
        return code;
    }
    s->buffer = cli_alloc(BUFFER);
    return CLI_OK;
}

static bool failed(const output_file *s) { return s->error || s->stopped; }

static void write_all(output_file *s, const char *data, size_t bytes) {
    while (bytes && !failed(s)) {
        if (progress_stopped()) {
            s->stopped = true;
            return;
        }
        ssize_t done = write(s->fd, data, bytes);
        if (done < 0 && errno != EINTR)
            s->error = errno;
        if (done > 0) {
            data += done;
            bytes -= (size_t)done;
        }
    }
}

static void flush(output_file *s) {
    write_all(s, s->buffer, s->used);
    s->used = 0;
}

void output_file_put(output_file *s, const void *data, size_t bytes) {
    if (s->used + bytes > BUFFER)
        flush(s);
    if (bytes > BUFFER) {
        write_all(s, data, bytes);
        return;
    }
    memcpy(s->buffer + s->used, data, bytes);
    s->used += bytes;
}

int output_file_close(output_file *s, bool keep) {
    if (s->fd < 0)
        return CLI_OK;
    if (keep)
        flush(s);
    if (s->fd != STDOUT_FILENO && close(s->fd) != 0 && !s->error)
        s->error = errno;
    s->fd = -1;
    bool good = keep && !failed(s) && !progress_stopped();
    if (good && s->temporary && rename(s->temporary, s->target) != 0) {
        s->error = errno;
        good = false;
    }
    if (!good && s->temporary)
        unlink(s->temporary);
    int code = CLI_OK;
    if (keep && (s->stopped || progress_stopped()) && !s->error)
        code = cli_fail(FR_CANCELLED, "interrupted while writing %s", s->path);
    else if (keep && s->error)
        code = cli_fail(FR_DISK, "%s: %s", s->path, strerror(s->error));
    release(s);
    return code;
}
