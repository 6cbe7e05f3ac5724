/* Writing a graph to a file: complete or not at all.
 *
 * Each file is written under a temporary name beside its own, flushed to the disk, and renamed only
 * when all is there. What is no regular file (a pipe, /dev/stdout) cannot be replaced and is
 * written through, as is standard output, "-". A symbolic link is followed, so that it stays one.
 */
#include "graph/graph.h"
#include "base/rng.h"
#include "io/format.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_PARTS = 4 };

typedef struct {
    char *target;    /* where it shall stand, links resolved */
    char *temporary; /* NULL: written through */
    FILE *out;
} output;

static fr_status disk(fr_ctx *ctx, const char *path, const char *doing) {
    return fri_fail(ctx, FR_DISK, "%s: %s: %s", path, doing, strerror(errno));
}

static int create_temporary(output *o, size_t room) {
    for (int attempt = 0; attempt < 100; attempt++) {
        uint64_t r = fri_mix64((uint64_t)fri_now_ns() ^ (uint64_t)getpid() << 32);
        snprintf(o->temporary, room, "%s.%08x.tmp", o->target, (unsigned)r);
        int fd = open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

static fr_status open_output(fr_ctx *ctx, const char *path, output *o) {
    struct stat info;
    if (!strcmp(path, "-")) {
        int copy = dup(STDOUT_FILENO);
        o->out = copy < 0 ? NULL : fdopen(copy, "wb");
        return o->out ? FR_OK : disk(ctx, path, "cannot be written");
    }
    bool there = stat(path, &info) == 0;
    char *resolved = there ? realpath(path, NULL) : NULL;
    const char *target = resolved ? resolved : path;
    size_t room = strlen(target) + 32;
    o->target = fri_alloc(ctx, room);
    if (o->target)
        memcpy(o->target, target, strlen(target) + 1);
    free(resolved);
    if (!o->target)
        return FR_NOMEM;
    if (there && S_ISDIR(info.st_mode))
        return fri_fail(ctx, FR_DISK, "%s: is a directory", path);
    int fd;
    if (there && !S_ISREG(info.st_mode)) {
        fd = open(o->target, O_WRONLY | O_CLOEXEC);
    } else {
        o->temporary = fri_alloc(ctx, room);
        if (!o->temporary)
            return FR_NOMEM;
        *o->temporary = '\0';
        fd = create_temporary(o, room);
        if (fd < 0)
            *o->temporary = '\0';
        else if (there && fchmod(fd, info.st_mode & 07777))
            errno = 0; /* the new file has the usual rights then */
    }
    o->out = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!o->out) {
        disk(ctx, path, "cannot be written");
        if (fd >= 0)
            close(fd);
        return FR_DISK;
    }
    return FR_OK;
}

/* Everything on the disk, or why not. */
static fr_status close_output(fr_ctx *ctx, const char *path, output *o) {
    bool bad = fflush(o->out) != 0;
    bad = bad || (o->temporary && fsync(fileno(o->out)) != 0);
    int error = errno;
    bad = fclose(o->out) != 0 || bad;
    o->out = NULL;
    errno = error;
    return bad ? disk(ctx, path, "writing") : FR_OK;
}

static void drop_output(output *o) {
    if (o->out)
        fclose(o->out);
    if (o->temporary && *o->temporary)
        unlink(o->temporary);
    fri_free(o->temporary);
    fri_free(o->target);
    *o = (output){0};
}

static fr_status rename_output(fr_ctx *ctx, const char *path, output *o) {
    if (!o->temporary)
        return FR_OK;
    if (rename(o->temporary, o->target))
        return disk(ctx, path, "renaming");
    *o->temporary = '\0';
    return FR_OK;
}

fr_status fri_write_file(fr_ctx *ctx, const fri_graph_view *view, const char *path,
                         fri_write_fn write) {
    const fri_part parts[] = {{"", write}, {NULL, NULL}};
    return fri_write_parts(ctx, view, path, parts);
}

/* Closes and renames all outputs, or tells the first failure. */
static fr_status finish(fr_ctx *ctx, char *const *paths, output *outputs, int count) {
    fr_status status = FR_OK;
    for (int i = 0; i < count && !status; i++)
        status = close_output(ctx, paths[i], &outputs[i]);
    for (int i = 0; i < count && !status; i++)
        status = rename_output(ctx, paths[i], &outputs[i]);
    return status;
}

fr_status fri_write_parts(fr_ctx *ctx, const fri_graph_view *view, const char *stem,
                          const fri_part *parts) {
    output outputs[MOST_PARTS] = {0};
    char *paths[MOST_PARTS] = {0};
    fr_status status = FR_OK;
    int count = 0;
    for (; parts[count].suffix && !status; count++) {
        size_t room = strlen(stem) + strlen(parts[count].suffix) + 1;
        paths[count] = fri_alloc(ctx, room);
        if (!paths[count]) {
            status = FR_NOMEM;
            break;
        }
        snprintf(paths[count], room, "%s%s", stem, parts[count].suffix);
        status = open_output(ctx, paths[count], &outputs[count]);
        if (!status && (status = parts[count].write(ctx, view, outputs[count].out)) == FR_DISK)
            disk(ctx, paths[count], "writing");
    }
    if (!status)
        status = finish(ctx, paths, outputs, count);
    for (int i = 0; i < MOST_PARTS; i++) {
        drop_output(&outputs[i]);
        fri_free(paths[i]);
    }
    return status;
}

/* The length of path without the suffix that made it this format. */
static size_t stem_length(const fri_format *format, const char *path) {
    size_t length = strlen(path);
    for (const char *const *suffix = format->suffixes; suffix && *suffix; suffix++) {
        size_t s = strlen(*suffix);
        if (length > s && !strcmp(path + length - s, *suffix))
            return length - s;
    }
    return length;
}

static fr_status write_several(fr_ctx *ctx, const fri_format *format, fri_graph_view *view,
                               const char *path) {
    size_t length = stem_length(format, path);
    char *stem = fri_alloc(ctx, length + 1);
    if (!stem)
        return FR_NOMEM;
    memcpy(stem, path, length);
    stem[length] = '\0';
    const char *slash = strrchr(stem, '/');
    view->name = slash ? slash + 1 : stem;
    fr_status status = fri_write_parts(ctx, view, stem, format->parts);
    fri_free(stem);
    return status;
}

/* false: "a.mtx.gz", which has the suffix of a format only once it is unpacked. */
static bool suffix_is_last(const fri_format *format, const char *path) {
    return stem_length(format, path) < strlen(path);
}

static const fri_format *format_for(fr_ctx *ctx, const char *path, const char *name) {
    const fri_format *format = name ? fri_format_find(name) : fri_format_by_suffix(path);
    if (!format)
        fri_fail(ctx, FR_INVALID, name ? "there is no format %s" : "%s: no format has this suffix",
                 name ? name : path);
    else if (!format->write) {
        fri_fail(ctx, FR_INVALID, "the format %s can be read, but not written", format->name);
        return NULL;
    } else if (!name && !suffix_is_last(format, path)) {
        fri_fail(ctx, FR_INVALID, "%s: packed files can be read, but not written", path);
        return NULL;
    }
    return format;
}

fr_status fr_graph_write(fr_ctx *ctx, const fr_graph *graph, const char *path,
                         const char *format_name) {
    if (!graph || !path)
        return fri_fail(ctx, FR_INVALID, "a graph and a path are needed");
    const fri_format *format = format_for(ctx, path, format_name);
    if (!format)
        return FR_INVALID;
    fr_status status = fr_graph_check(ctx, graph);
    if (status)
        return status;
    if (format->parts && !strcmp(path, "-"))
        return fri_fail(ctx, FR_INVALID,
                        "the format %s has several files, which standard output "
                        "cannot hold",
                        format->name);
    fri_graph_view view = fri_graph_as_view(graph);
    return format->parts ? write_several(ctx, format, &view, path)
                         : fri_write_file(ctx, &view, path, format->write);
}
