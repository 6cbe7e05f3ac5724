/* Results as files: fringe's TSV, LDBC Graphalytics' "vertex value" lines (specification 1.0.5,
 * section 2.5: not reached is 9223372036854775807 for BFS, infinity for SSSP), and NumPy arrays (NEP 1,
 * version 1.0: magic, header length, a Python dict padded to 64 bytes, the data). */
#include "base/sized.h"
#include "graph/graph.h"
#include "io/atomic_file.h"
#include "io/number_text.h"
#include "io/result_rows.h"

#include <errno.h>
#include <math.h>
#include <string.h>

typedef struct {
    const fr_graph *graph;
    bool levels;
    fr_type type; /* of values */
    const void *values;
    const int32_t *parent;
    bool marks_cycles; /* the minimum integer is minus infinity */
    const char *unreached;
} answer;

/* Numbers of a line: three and their separators. */
enum { ROW_ROOM = 3 * (FR_NUMBER_ROOM + 1) };

/* The bytes of a TSV line at most. */
static size_t tsv_room(const fr_graph *graph) {
    const fri_names *names = graph->ids.names;
    int64_t longest = 0; /* with its NUL, in place of which a separator is written */
    if (!names)
        return ROW_ROOM;
#pragma omp simd reduction(max : longest)
    for (int32_t v = 0; v < names->n; v++)
        longest = FRI_MAX(longest, names->offsets[v + 1] - names->offsets[v]);
    return ROW_ROOM + 2 * (size_t)longest;
}

/* ---- text ------------------------------------------------------------------------------------ */

static inline char *put_whole(const answer *a, int64_t value, int64_t unreached, int64_t least,
                              char *at) {
    if (a->levels ? value < 0 : value == unreached)
        return stpcpy(at, a->unreached);
    return a->marks_cycles && value == least ? stpcpy(at, "-inf") : fri_put_int64(at, value);
}

/* A level, a distance, -inf, or what stands for a vertex that was not reached. */
static inline char *put_value(const answer *a, int64_t v, char *at) {
    switch (a->type) {
    case FR_TYPE_I64:
        return put_whole(a, ((const int64_t *)a->values)[v], FR_INF_I64, FR_NEG_INF_I64, at);
    case FR_TYPE_F32: {
        float d = ((const float *)a->values)[v];
        return d == INFINITY ? stpcpy(at, a->unreached) : fri_put_float(at, d);
    }
    case FR_TYPE_F64: {
        double d = ((const double *)a->values)[v];
        return d == (double)INFINITY ? stpcpy(at, a->unreached) : fri_put_double(at, d);
    }
    default: return put_whole(a, ((const int32_t *)a->values)[v], FR_INF_I32, FR_NEG_INF_I32, at);
    }
}

static inline int64_t parent_id(const answer *a, int64_t v) {
    int32_t p = a->parent[v];
    return p < 0 ? -1 : fr_graph_id(a->graph, p);
}

static inline char *put_name(const answer *a, int32_t v, char *at) {
    return stpcpy(at, fri_names_get(a->graph->ids.names, v));
}

/* Compiled once for names and once for ids, which are written without a call per vertex. */
static inline __attribute__((always_inline)) char *put_lines(const answer *a, int64_t first,
                                                             int64_t last, char *at, bool named) {
    for (int64_t v = first; v < last; v++) {
        at = named ? put_name(a, (int32_t)v, at)
                   : fri_put_int64(at, fr_graph_id(a->graph, (int32_t)v));
        *at++ = '\t';
        at = put_value(a, v, at);
        if (a->parent) {
            *at++ = '\t';
            at = named && a->parent[v] >= 0 ? put_name(a, a->parent[v], at)
                                            : fri_put_int64(at, parent_id(a, v));
        }
        *at++ = '\n';
    }
    return at;
}

/* A fri_put_rows_fn. */
static char *put_tsv(const void *user, int64_t first, int64_t last, char *at) {
    const answer *a = user;
    return a->graph->ids.names ? put_lines(a, first, last, at, true)
                               : put_lines(a, first, last, at, false);
}

static void write_tsv(answer *a, fri_row_output *out) {
    char head[64];
    snprintf(head, sizeof head, "vertex\t%s%s\n", a->levels ? "level" : "distance",
             a->parent ? "\tparent" : "");
    a->unreached = a->levels ? "-1" : "inf";
    fri_row_output_put(out, head, strlen(head));
    fri_write_result_rows(out, &(fri_result_rows){a->graph->csr.n, tsv_room(a->graph), put_tsv, a});
}

/* A fri_put_rows_fn. */
static char *put_graphalytics(const void *user, int64_t first, int64_t last, char *at) {
    const answer *a = user;
    for (int64_t v = first; v < last; v++) {
        at = fri_put_int64(at, fr_graph_id(a->graph, (int32_t)v));
        *at++ = ' ';
        at = put_value(a, v, at);
        *at++ = '\n';
    }
    return at;
}

static void write_graphalytics(answer *a, fri_row_output *out) {
    a->unreached = a->levels ? "9223372036854775807" : "infinity";
    fri_write_result_rows(out, &(fri_result_rows){a->graph->csr.n, ROW_ROOM, put_graphalytics, a});
}

/* ---- NumPy ----------------------------------------------------------------------------------- */

static void put_npy_head(const answer *a, fri_row_output *out) {
    enum { BLOCK = 64, FIXED = 10, ROOM = 256 };
    static const char *const types[] = {"", "<i4", "<i8", "<f4", "<f8"};
    char head[FIXED + ROOM], *text = head + FIXED, shape[64];
    snprintf(shape, sizeof shape, "'fortran_order': False, 'shape': (%d,), }", a->graph->csr.n);
    int length =
        a->parent ? snprintf(text, ROOM - BLOCK,
                             "{'descr': [('vertex', '<i8'), ('%s', '%s'), ('parent', '<i8')], %s",
                             a->levels ? "level" : "distance", types[a->type], shape)
                  : snprintf(text, ROOM - BLOCK, "{'descr': '%s', %s", types[a->type], shape);
    int whole = (FIXED + length + 1 + BLOCK - 1) / BLOCK * BLOCK;
    memset(text + length, ' ', (size_t)(whole - FIXED - length));
    text[whole - FIXED - 1] = '\n';
    memcpy(head, "\x93NUMPY\x01\0", FIXED - 2);
    head[8] = (char)((whole - FIXED) & 255);
    head[9] = (char)((whole - FIXED) >> 8);
    fri_row_output_put(out, head, (size_t)whole);
}

/* A fri_put_rows_fn. */
static char *put_records(const void *user, int64_t first, int64_t last, char *at) {
    const answer *a = user;
    const char *value = a->values;
    bool narrow = fr_type_size(a->type) == sizeof(int32_t);
    for (int64_t v = first; v < last; v++) {
        int64_t id = fr_graph_id(a->graph, (int32_t)v), parent = parent_id(a, v);
        memcpy(at, &id, sizeof id);
        at += sizeof id;
        if (narrow) /* constant sizes: no call of memcpy */
            memcpy(at, value + v * 4, 4);
        else
            memcpy(at, value + v * 8, 8);
        at += narrow ? 4 : 8;
        memcpy(at, &parent, sizeof parent);
        at += sizeof parent;
    }
    return at;
}

static void write_npy(answer *a, fri_row_output *out) {
    size_t size = fr_type_size(a->type);
    put_npy_head(a, out);
    if (a->parent)
        fri_write_result_rows(
            out, &(fri_result_rows){a->graph->csr.n, 2 * sizeof(int64_t) + size, put_records, a});
    else
        fri_row_output_put(out, a->values, (size_t)a->graph->csr.n * size);
}

/* ---- where to ---------------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    void (*write)(answer *a, fri_row_output *out);
    bool holds_names;
} result_format;

static const result_format formats[] = {
    {"tsv", write_tsv, true}, {"graphalytics", write_graphalytics}, {"npy", write_npy}, {0}};

const char *fr_result_format_name(int index) {
    enum { COUNT = sizeof formats / sizeof *formats - 1 };
    return index >= 0 && index < COUNT ? formats[index].name : NULL;
}

/* By name, or by the suffix of path; NULL (recorded): there is none. */
static const result_format *choose(fr_ctx *ctx, const char *path, const char *name) {
    const char *suffix = path ? strrchr(path, '.') : NULL;
    if (!name)
        name = suffix && strcmp(suffix, ".npy") == 0 ? "npy" : "tsv";
    for (const result_format *f = formats; f->name; f++)
        if (strcmp(f->name, name) == 0)
            return f;
    fri_fail(ctx, FR_INVALID, "results are written as tsv, graphalytics or npy, not '%.80s'", name);
    return NULL;
}

/* FR_UNSUPPORTED: the graph has names, which the format cannot hold. They are checked, since rows
 * are written to buffers of their size. */
static fr_status check_names(fr_ctx *ctx, const fr_graph *graph, const result_format *format,
                             const char *path) {
    if (!graph->ids.names)
        return FR_OK;
    if (!format->holds_names)
        return fri_fail(ctx, FR_UNSUPPORTED,
                        "%s: the format %s cannot hold the names of vertices; tsv can",
                        path ? path : graph->name, format->name);
    return fr_graph_check(ctx, graph);
}

static fr_status read_answer(fr_ctx *ctx, const fr_graph *graph, const fr_query *query,
                             fr_type dist_type, const fr_result *result, answer *a) {
    fr_query q;
    fr_result r;
    fr_status status = FRI_SIZED_READ(ctx, fr_query, query, &q);
    if (!status)
        status = FRI_SIZED_READ(ctx, fr_result, result, &r);
    if (status)
        return status;
    if (!graph || !r.level == !r.dist)
        return fri_fail(ctx, FR_INVALID, "writing needs a graph and levels or distances");
    if (!r.level && fr_type_size(dist_type) == 0)
        return fri_fail(ctx, FR_INVALID, "there is no type %d of distances", (int)dist_type);
    *a = (answer){.graph = graph,
                  .levels = r.level,
                  .type = r.level ? FR_TYPE_I32 : dist_type,
                  .values = r.level ? (const void *)r.level : r.dist,
                  .parent = r.parent,
                  .marks_cycles = q.mark_negative_cycles && !r.level};
    return FR_OK;
}

/* Not flushed to disk, as a graph is: a result can be computed again. */
static fr_status write_file(fr_ctx *ctx, answer *a, const result_format *format, const char *path,
                            fri_atomic_file *file) {
    fr_status status = fri_atomic_file_open(ctx, path, file);
    if (status)
        return status;
    fri_row_output out = {.ctx = ctx, .fd = fileno(file->out), .has_room = file->temporary};
    format->write(a, &out);
    errno = out.error;
    if (out.status)
        return out.status == FR_DISK ? fri_atomic_file_error(ctx, path, "writing") : out.status;
    int failed = fclose(file->out);
    file->out = NULL;
    return failed ? fri_atomic_file_error(ctx, path, "writing")
                  : fri_atomic_file_commit(ctx, path, file);
}

fr_status fr_result_write(fr_ctx *ctx, const fr_graph *graph, const fr_query *query,
                          fr_type dist_type, const fr_result *result, const char *path,
                          const char *format_name) {
    fri_begin(ctx);
    answer a;
    if (!path)
        return fri_fail(ctx, FR_INVALID, "writing needs a path");
    fr_status status = read_answer(ctx, graph, query, dist_type, result, &a);
    const result_format *format = status ? NULL : choose(ctx, path, format_name);
    if (!format)
        return FR_INVALID;
    fri_atomic_file file = {0};
    status = check_names(ctx, graph, format, path);
    if (!status)
        status = write_file(ctx, &a, format, path, &file);
    fri_atomic_file_release(&file);
    return status;
}

fr_status fr_result_write_memory(fr_ctx *ctx, const fr_graph *graph, const fr_query *query,
                                 fr_type dist_type, const fr_result *result,
                                 const char *format_name, void **bytes, size_t *size) {
    fri_begin(ctx);
    answer a;
    if (!bytes || !size)
        return fri_fail(ctx, FR_INVALID, "writing to memory needs a place");
    *bytes = NULL;
    *size = 0;
    fr_status status = read_answer(ctx, graph, query, dist_type, result, &a);
    const result_format *format = status ? NULL : choose(ctx, NULL, format_name);
    if (!format)
        return FR_INVALID;
    status = check_names(ctx, graph, format, NULL);
    if (status)
        return status;
    fri_row_output out = {.ctx = ctx, .fd = -1};
    format->write(&a, &out);
    if (out.status) {
        fri_free(out.bytes);
        return out.status;
    }
    fri_trim(out.bytes, out.size);
    *bytes = out.bytes;
    *size = out.size;
    return FR_OK;
}
