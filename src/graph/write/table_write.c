/* Tables as files: columns of numbers, distances, vertices and paths, as TSV or as a NumPy array of
 * records. */
#include "graph/write/result_output.h"
#include "io/results/npy_header.h"
#include "io/results/value_text.h"
#include "base/text/number.h"

enum { MAX_COLUMNS = 64, NAME_BYTES = 64 };

typedef struct table {
    const fr_graph *graph;
    const fr_column *columns;
    int count;
    int64_t rows;
    const char *none; /* the text and the id of no vertex */
    int64_t none_id;
    fri_values values[MAX_COLUMNS]; /* of numbers and distances */
} table;

/* ---- text ------------------------------------------------------------------------------------ */

static char *put_path(const table *t, const fr_column *c, int64_t row, char *at) {
    const int32_t *vertices = c->values;
    for (int64_t i = c->offsets[row]; i < c->offsets[row + 1]; i++) {
        if (i > c->offsets[row])
            *at++ = ' ';
        at = fri_put_vertex(t->graph, vertices[i], t->none, at);
    }
    return at;
}

static int32_t vertex_of(const fr_column *c, int64_t row) {
    return c->values ? ((const int32_t *)c->values)[row] : (int32_t)row;
}

static char *put_cell(const table *t, int column, int64_t row, char *at) {
    const fr_column *c = &t->columns[column];
    switch (c->kind) {
    case FR_COLUMN_VERTEX: return fri_put_vertex(t->graph, vertex_of(c, row), t->none, at);
    case FR_COLUMN_PATH: return put_path(t, c, row, at);
    default: return fri_put_value(&t->values[column], row, at);
    }
}

/* A fri_put_rows_fn. */
static char *put_lines(const void *user, int64_t first, int64_t last, char *at) {
    const table *t = user;
    for (int64_t row = first; row < last; row++) {
        for (int c = 0; c < t->count; c++) {
            at = put_cell(t, c, row, at);
            *at++ = '\t';
        }
        at[-1] = '\n';
    }
    return at;
}

/* The bytes of a line at most. */
static size_t line_capacity(const table *t) {
    size_t bytes = 0, vertex = fri_vertex_text_bytes(t->graph);
    for (int k = 0; k < t->count; k++) {
        const fr_column *c = &t->columns[k];
        int64_t longest = c->kind == FR_COLUMN_VERTEX;
        for (int64_t i = 0; c->kind == FR_COLUMN_PATH && i < t->rows; i++)
            longest = FRI_MAX(longest, c->offsets[i + 1] - c->offsets[i]);
        bytes += (size_t)longest * vertex + FR_NUMBER_CAPACITY + 1;
    }
    return bytes;
}

static void write_tsv(const table *t, fri_row_output *out) {
    for (int c = 0; c < t->count; c++) {
        const char *name = t->columns[c].name;
        fri_row_output_put(out, name, strlen(name));
        fri_row_output_put(out, c + 1 < t->count ? "\t" : "\n", 1);
    }
    fri_write_result_rows(out, &(fri_result_rows){t->rows, line_capacity(t), put_lines, t});
}

/* ---- NumPy ----------------------------------------------------------------------------------- */

static inline char *put_bytes(const void *from, size_t size, char *at) {
    memcpy(at, from, size == 4 ? 4 : 8); /* constants: a move each, not a call */
    return at + size;
}

/* A fri_put_rows_fn. */
static char *put_records(const void *user, int64_t first, int64_t last, char *at) {
    const table *t = user;
    for (int64_t row = first; row < last; row++)
        for (int k = 0; k < t->count; k++) {
            const fr_column *c = &t->columns[k];
            if (c->kind == FR_COLUMN_VERTEX) {
                int32_t v = vertex_of(c, row);
                int64_t id = v < 0 ? t->none_id : fr_graph_id(t->graph, v);
                at = put_bytes(&id, sizeof id, at);
            } else {
                const size_t size = c->type == FR_TYPE_I32 || c->type == FR_TYPE_F32 ? 4 : 8;
                at = put_bytes((const char *)c->values + (size_t)row * size, size, at);
            }
        }
    return at;
}

void fri_write_npy(const fr_graph *graph, const fr_column *columns, int count, int64_t rows,
                   fri_row_output *out) {
    const table own = {.graph = graph,
                       .columns = columns,
                       .count = count,
                       .rows = rows,
                       .none_id = fri_no_vertex_id(graph)},
                *t = &own;
    char head[FRI_NPY_HEADER_CAPACITY], descr[FRI_NPY_DESCR_CAPACITY] = "";
    size_t length = 0, record = 0;
    for (int k = 0; k < t->count; k++) {
        const fr_column *c = &t->columns[k];
        fr_type type = c->kind == FR_COLUMN_VERTEX ? FR_TYPE_I64 : c->type;
        const char *before = k ? ", " : t->count > 1 ? "[" : "";
        length +=
            (size_t)snprintf(descr + length, sizeof descr - length,
                             t->count > 1 ? "%s('%s', '%s')%s" : "%s%.0s'%s'%s", before, c->name,
                             fri_npy_type(type), t->count > 1 && k + 1 == t->count ? "]" : "");
        record += fr_type_size(type);
    }
    fri_row_output_put(out, head, fri_npy_header(head, descr, t->rows, -1));
    if (count == 1 && columns->kind != FR_COLUMN_VERTEX)
        fri_row_output_put(out, columns->values, (size_t)rows * record);
    else
        fri_write_result_rows(out, &(fri_result_rows){rows, record, put_records, t});
}

/* ---- checks ---------------------------------------------------------------------------------- */

static bool is_name(const char *name) {
    size_t length = name ? strlen(name) : 0;
    for (size_t i = 0; i < length; i++)
        if (name[i] < ' ' || name[i] > '~' || strchr("'\"\\", name[i]))
            return false;
    return length > 0 && length <= NAME_BYTES;
}

static fr_status check_vertices(fr_ctx *ctx, const fr_graph *graph, const fr_column *c,
                                const int32_t *vertices, int64_t count, int32_t min_vertex) {
    for (int64_t i = 0; i < count; i++)
        if (vertices[i] < min_vertex || vertices[i] >= graph->csr.n)
            return fri_fail(ctx, FR_NOT_FOUND, "column %s: there is no vertex %d", c->name,
                            vertices[i]);
    return FR_OK;
}

static fr_status check_path(fr_ctx *ctx, const table *t, const fr_column *c) {
    bool good = c->offsets && c->offsets[0] >= 0;
    for (int64_t i = 0; good && i < t->rows; i++)
        good = c->offsets[i] <= c->offsets[i + 1];
    if (!good || (!c->values && c->offsets[t->rows] > c->offsets[0]))
        return fri_fail(ctx, FR_INVALID, "column %s: paths need offsets that ascend, and vertices",
                        c->name);
    int64_t first = c->offsets[0];
    return c->values ? check_vertices(ctx, t->graph, c, (const int32_t *)c->values + first,
                                      c->offsets[t->rows] - first, 0)
                     : FR_OK;
}

static fr_status check_vertex(fr_ctx *ctx, const table *t, const fr_column *c) {
    if (c->values)
        return check_vertices(ctx, t->graph, c, c->values, t->rows, -1);
    return t->rows <= t->graph->csr.n ? FR_OK
                                      : fri_fail(ctx, FR_INVALID, "column %s: %lld rows of %d %s",
                                                 c->name, (long long)t->rows, t->graph->csr.n,
                                                 fri_words(t->graph->csr.n, "vertex", "vertices"));
}

static fr_status check_column(fr_ctx *ctx, table *t, int k) {
    const fr_column *c = &t->columns[k];
    if (!is_name(c->name))
        return fri_fail(ctx, FR_INVALID,
                        "column %d: a name is 1 to %d printable ASCII characters without quotes "
                        "and backslashes",
                        k, NAME_BYTES);
    for (int i = 0; i < k; i++)
        if (strcmp(t->columns[i].name, c->name) == 0)
            return fri_fail(ctx, FR_INVALID, "two columns have the name %s", c->name);
    switch (c->kind) {
    case FR_COLUMN_VERTEX: return check_vertex(ctx, t, c);
    case FR_COLUMN_PATH: return check_path(ctx, t, c);
    case FR_COLUMN_NUMBER:
    case FR_COLUMN_DISTANCE:
        if (fr_type_size(c->type) == 0 || (!c->values && t->rows))
            return fri_fail(ctx, FR_INVALID, "column %s: values of a type are needed", c->name);
        t->values[k] = fri_distances(c->type, c->values);
        t->values[k].is_number = c->kind == FR_COLUMN_NUMBER;
        return FR_OK;
    default:
        return fri_fail(ctx, FR_INVALID, "column %s: there is no kind %d", c->name, (int)c->kind);
    }
}

static fr_status check_table(fr_ctx *ctx, table *t, const fri_output *o) {
    if (!t->graph || !t->columns || t->rows < 0 || t->count < 1 || t->count > MAX_COLUMNS)
        return fri_fail(ctx, FR_INVALID, "a table needs a graph and 1 to %d columns", MAX_COLUMNS);
    fr_status status = FR_OK;
    bool has_vertices = false;
    for (int k = 0; k < t->count && !status; k++) {
        status = check_column(ctx, t, k);
        has_vertices = has_vertices || t->columns[k].kind == FR_COLUMN_VERTEX;
        if (!status && t->columns[k].kind == FR_COLUMN_PATH && strcmp(o->format, "tsv") != 0)
            status = fri_fail(ctx, FR_UNSUPPORTED, "column %s: npy cannot hold paths; tsv can",
                              t->columns[k].name);
    }
    bool checks_names = has_vertices || strcmp(o->format, "tsv") == 0;
    return status || !checks_names ? status : fri_output_check_names(ctx, t->graph, o);
}

fr_status fr_table_write(fr_ctx *ctx, const fr_graph *graph, int64_t rows, const fr_column *columns,
                         int column_count, const fr_output *to) {
    static const char *const formats[] = {"tsv", "npy", NULL};
    if (!fri_begin(ctx))
        return FR_INVALID;
    fri_output o;
    table t = {.graph = graph, .columns = columns, .count = column_count, .rows = rows};
    fr_status status = fri_output_read(ctx, to, formats, &o);
    if (!status)
        status = check_table(ctx, &t, &o);
    if (status)
        return status;
    status = fri_output_begin(ctx, &o);
    if (!status)
        t.none = fri_no_vertex_text(graph);
    if (!status && o.format == formats[0])
        write_tsv(&t, &o.rows);
    else if (!status)
        fri_write_npy(graph, columns, column_count, rows, &o.rows);
    return fri_output_end(ctx, &o, status);
}

char *fr_put_distance(char *at, fr_type type, const void *dist, int64_t index) {
    fri_values values = fri_distances(type, dist);
    return fri_put_value(&values, index, at);
}
