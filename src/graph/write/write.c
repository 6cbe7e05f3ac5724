/* Writes a graph to one or several files: completely or not at all (io/atomic_file.h). */
#include "graph/graph.h"
#include "io/format.h"
#include "io/atomic_file.h"

#include <string.h>
#include <strings.h>

enum { MAX_PARTS = 4 };

fr_status fri_write_file(fr_ctx *ctx, const fri_graph_view *view, const char *path,
                         fri_write_fn write) {
    const fri_format_file files[] = {{"", write}, {NULL, NULL}};
    return fri_write_files(ctx, view, path, files);
}

/* Closes and renames all outputs, or reports the first failure. */
static fr_status finish(fr_ctx *ctx, char *const *paths, fri_atomic_file *outputs, int count) {
    fr_status status = FR_OK;
    for (int i = 0; i < count && !status; i++)
        status = fri_atomic_file_close(ctx, paths[i], &outputs[i]);
    for (int i = 0; i < count && !status; i++)
        status = fri_atomic_file_commit(ctx, paths[i], &outputs[i]);
    return status;
}

fr_status fri_write_files(fr_ctx *ctx, const fri_graph_view *view, const char *stem,
                          const fri_format_file *files) {
    fri_atomic_file outputs[MAX_PARTS] = {0};
    char *paths[MAX_PARTS] = {0};
    fr_status status = FR_OK;
    int count = 0;
    for (; files[count].suffix && !status; count++) {
        size_t path_bytes = strlen(stem) + strlen(files[count].suffix) + 1;
        paths[count] = fri_alloc(ctx, path_bytes);
        if (!paths[count]) {
            status = FR_NOMEM;
            break;
        }
        snprintf(paths[count], path_bytes, "%s%s", stem, files[count].suffix);
        status = fri_atomic_file_open(ctx, paths[count], &outputs[count]);
        if (!status && (status = files[count].write(ctx, view, outputs[count].out)) == FR_DISK)
            fri_atomic_file_error(ctx, paths[count], "writing");
    }
    if (!status)
        status = finish(ctx, paths, outputs, count);
    for (int i = 0; i < MAX_PARTS; i++) {
        fri_atomic_file_release(&outputs[i]);
        fri_free(paths[i]);
    }
    return status;
}

/* The length of path without the suffix that selected this format. */
static size_t stem_length(const fri_format *format, const char *path) {
    size_t length = strlen(path);
    for (const char *const *suffix = format->suffixes; suffix && *suffix; suffix++) {
        size_t s = strlen(*suffix);
        if (length > s && !strcasecmp(path + length - s, *suffix))
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
    fr_status status = fri_write_files(ctx, view, stem, format->files);
    fri_free(stem);
    return status;
}

/* false: "a.mtx.gz", which has the suffix of a format only after decompression. */
static bool suffix_is_last(const fri_format *format, const char *path) {
    return stem_length(format, path) < strlen(path);
}

const fri_format *fri_write_format(fr_ctx *ctx, const char *path, const char *name) {
    const fri_format *format = name ? fri_format_find(name) : fri_format_by_suffix(path);
    if (!format)
        fri_fail(ctx, FR_INVALID,
                 name ? "unknown format '%.80s'; fr_format_name lists all"
                      : "%s: no format has this suffix: name a format; fr_format_name lists all",
                 name ? name : path);
    else if (!format->write) {
        fri_fail(ctx, FR_INVALID,
                 "the format %s is read-only; fr_format_writable tells which can be written",
                 format->name);
        return NULL;
    } else if (!name && !suffix_is_last(format, path)) {
        fri_fail(ctx, FR_INVALID,
                 "%s: compressed files can be read, but not written; write it uncompressed and "
                 "compress it then",
                 path);
        return NULL;
    }
    return format;
}

fr_status fri_write_check_names(fr_ctx *ctx, const fr_graph *graph, const fri_format *format) {
    if (!graph->ids.names || format->holds_names)
        return FR_OK;
    return fri_fail(ctx, FR_UNSUPPORTED,
                    "the format %s cannot hold the names of vertices; snap and fringe can",
                    format->name);
}

fr_status fr_graph_write(fr_ctx *ctx, const fr_graph *graph, const char *path,
                         const char *format_name) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    if (!graph || !path || !*path)
        return fri_fail(ctx, FR_INVALID, "writing needs a graph and a path");
    if (!format_name && !strcmp(path, "-"))
        return fri_fail(ctx, FR_INVALID, "standard output has no suffix: name a format");
    const fri_format *format = fri_write_format(ctx, path, format_name);
    if (!format)
        return FR_INVALID;
    fr_status status = fr_graph_check(ctx, graph);
    if (!status)
        status = fri_write_check_names(ctx, graph, format);
    if (status)
        return status;
    if (format->files && !strcmp(path, "-"))
        return fri_fail(
            ctx, FR_INVALID,
            "the format %s consists of several files, which standard output cannot hold",
            format->name);
    fri_graph_view view = fri_graph_as_view(graph);
    const size_t length = strlen(path);
    view.csv = length > 4 && strcasecmp(path + length - 4, ".csv") == 0;
    return format->files ? write_several(ctx, format, &view, path)
                         : fri_write_file(ctx, &view, path, format->write);
}
