#include "graph/write/result_output.h"

#include "base/sized.h"

#include <errno.h>

/* "tsv, graphalytics or npy" */
static fr_status refuse_format(fr_ctx *ctx, const char *const *formats, const char *name) {
    char list[64] = "";
    for (const char *const *f = formats; *f; f++) {
        size_t at = strlen(list);
        snprintf(list + at, sizeof list - at, "%s%s", f == formats ? "" : f[1] ? ", " : " or ", *f);
    }
    return fri_fail(ctx, FR_INVALID, "results are written as %s, not '%.80s'", list, name);
}

fr_status fri_output_read(fr_ctx *ctx, const fr_output *to, const char *const *formats,
                          fri_output *o) {
    *o = (fri_output){.rows = {.ctx = ctx, .fd = -1}};
    fr_status status = FRI_SIZED_READ(ctx, fr_output, to, &o->to);
    if (status)
        return status;
    if (!o->to.path + !o->to.stream + !o->to.bytes != 2 || !o->to.bytes != !o->to.size)
        return fri_fail(ctx, FR_INVALID,
                        "an output needs one of a path, a stream, and bytes with their size");
    if (o->to.path && !*o->to.path)
        return fri_fail(ctx, FR_INVALID, "the path of an output is empty");
    if (o->to.bytes) {
        *o->to.bytes = NULL;
        *o->to.size = 0;
    }
    o->name = o->to.path ? o->to.path : o->to.stream ? "stream" : "memory";
    const char *name = fr_result_format_choose(o->to.format, o->to.path);
    for (const char *const *f = formats; name && *f && !o->format; f++)
        if (strcmp(*f, name) == 0)
            o->format = *f;
    return o->format ? FR_OK : refuse_format(ctx, formats, name ? name : o->to.format);
}

fr_status fri_output_check_names(fr_ctx *ctx, const fr_graph *graph, const fri_output *o) {
    if (!graph->ids.names)
        return FR_OK;
    if (strcmp(o->format, "tsv") != 0)
        return fri_fail(ctx, FR_UNSUPPORTED,
                        "%s: the format %s cannot hold the names of vertices; tsv can",
                        o->to.path ? o->to.path : graph->name, o->format);
    return fr_graph_check(ctx, graph);
}

fr_status fri_output_check_parents(fr_ctx *ctx, const fr_graph *graph, const int32_t *parent,
                                   int64_t count) {
    for (int64_t i = 0; parent && i < count; i++)
        if (parent[i] < -1 || parent[i] >= graph->csr.n)
            return fri_fail(ctx, FR_NOT_FOUND, "parent %d is not a vertex", parent[i]);
    return FR_OK;
}

fr_status fri_output_begin(fr_ctx *ctx, fri_output *o) {
    o->rows.stream = o->to.stream;
    if (!o->to.path)
        return FR_OK;
    fr_status status = fri_atomic_file_open(ctx, o->to.path, &o->file);
    if (status)
        return status;
    o->rows.fd = fileno(o->file.out);
    o->rows.at_offsets = o->file.temporary;
    return FR_OK;
}

/* Unlike a graph, a result is not flushed to disk: it can be computed again. */
static fr_status close_file(fr_ctx *ctx, fri_output *o) {
    int failed = fclose(o->file.out);
    o->file.out = NULL;
    return failed ? fri_atomic_file_error(ctx, o->name, "writing")
                  : fri_atomic_file_commit(ctx, o->name, &o->file);
}

/* The message of a failure of the rows, which a call that it cancelled may have replaced. */
static fr_status explain(fr_ctx *ctx, const fri_output *o, fr_status status) {
    errno = o->rows.error;
    if (o->rows.status == FR_DISK)
        return fri_atomic_file_error(ctx, o->name, "writing");
    if (status && o->rows.status == FR_NOMEM)
        fri_fail(ctx, FR_NOMEM, "%s: no memory for the text of the rows", o->name);
    return o->rows.status ? o->rows.status : status;
}

fr_status fri_output_end(fr_ctx *ctx, fri_output *o, fr_status status) {
    fri_row_output_end(&o->rows, !status);
    status = explain(ctx, o, status);
    if (!status && o->to.path)
        status = close_file(ctx, o);
    fri_atomic_file_release(&o->file);
    if (status) {
        fri_free(o->rows.bytes);
    } else if (o->to.bytes) {
        fri_trim(o->rows.bytes, o->rows.size);
        *o->to.bytes = o->rows.bytes;
        *o->to.size = o->rows.size;
    }
    return status;
}

static bool is_called_minus_one(const fr_graph *graph) {
    const fri_names *names = graph->ids.names;
    if (!names)
        return fr_graph_vertex(graph, -1) >= 0;
    for (int32_t v = 0; v < names->n; v++)
        if (strcmp(fri_names_get(names, v), "-1") == 0)
            return true;
    return false;
}

const char *fri_no_vertex_text(const fr_graph *graph) {
    return is_called_minus_one(graph) ? "" : "-1";
}

int64_t fri_no_vertex_id(const fr_graph *graph) {
    return is_called_minus_one(graph) ? INT64_MIN : -1;
}

size_t fri_vertex_text_bytes(const fr_graph *graph) {
    const fri_names *names = graph->ids.names;
    int64_t longest = 0; /* with its NUL, in place of which a separator is written */
    if (!names)
        return FR_NUMBER_CAPACITY + 1;
#pragma omp simd reduction(max : longest)
    for (int32_t v = 0; v < names->n; v++)
        longest = FRI_MAX(longest, names->offsets[v + 1] - names->offsets[v]);
    return FRI_MAX((size_t)longest, (size_t)FR_NUMBER_CAPACITY + 1);
}
