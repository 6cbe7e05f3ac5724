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

/* The file descriptor of a temporary file next to the target; -1: errno. */
static int open_temporary(output_file *s) {
    const char *slash = strrchr(s->target, '/');
    int folder = slash ? (int)(slash + 1 - s->target) : 0;
    s->temporary = cli_format("%.*s.%s.XXXXXX", folder, s->target, s->target + folder);
    int fd = mkstemp(s->temporary);
    if (fd < 0)
        return -1;
    progress_guard_file(s->temporary);
    mode_t mask = umask(0);
    umask(mask);
    struct stat old;
    (void)!fchmod(fd, stat(s->target, &old) == 0 ? old.st_mode & 0777 : 0666 & ~mask);
    return fd;
}

static void release(output_file *s) {
    if (s->temporary)
        progress_unguard_file(s->temporary);
    free(s->temporary);
    free(s->target);
    *s = (output_file){0};
}

int output_file_open(output_file *s, const char *path) {
    *s = (output_file){.path = path};
    struct stat there;
    if (strcmp(path, "-") == 0) {
        s->path = "standard output";
        s->out = stdout;
        return CLI_OK;
    }
    int fd = -1;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        fd = open(path, O_WRONLY | O_CLOEXEC);
    else if ((s->target = output_file_target(path)))
        fd = open_temporary(s);
    s->out = fd < 0 ? NULL : fdopen(fd, "w");
    if (s->out)
        return CLI_OK;
    int code = cli_fail(FR_DISK, "%s: cannot be written: %m", path);
    release(s);
    return code;
}

void output_file_put(output_file *s, const void *data, size_t bytes) {
    if (!s->error && fwrite(data, 1, bytes, s->out) != bytes)
        s->error = errno;
}

int output_file_close(output_file *s, bool keep) {
    if (!s->out)
        return CLI_OK;
    const bool stopped = progress_stopped();
    int lost = s->out == stdout ? fflush(stdout) : fclose(s->out);
    if (lost && !s->error)
        s->error = errno;
    bool good = keep && !stopped && !s->error;
    if (good && s->temporary && rename(s->temporary, s->target) != 0) {
        s->error = errno;
        good = false;
    }
    if (!good && s->temporary)
        unlink(s->temporary);
    int code = CLI_OK;
    if (keep && s->error)
        code = cli_fail(FR_DISK, "%s: %s", s->path, strerror(s->error));
    else if (keep && stopped)
        code = cli_fail(FR_CANCELLED, "interrupted while writing %s", s->path);
    release(s);
    return code;
}
