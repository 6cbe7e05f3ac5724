/* Matrices of distances as files: a line per pair, or a NumPy array. */
#include "base/sized.h"
#include "graph/write/matrix_rows.h"
#include "io/results/value_text.h"

static const char *const formats[] = {"tsv", "npy", NULL};

typedef struct lines {
    const fri_matrix *m;
    int64_t first;
    fri_values dist;
    const int32_t *parent;
} lines;

/* A fri_put_rows_fn; the rows are the pairs. */
static char *put_lines(const void *user, int64_t first, int64_t last, char *at) {
    const lines *l = user;
    const fri_matrix *m = l->m;
    const char *source = NULL; /* where the source of this row was written last */
    size_t source_bytes = 0;
    int64_t row = first / m->columns, column = first % m->columns;
    for (int64_t i = first; i < last; i++, column++) {
        if (column == m->columns) {
            column = 0;
            row++;
            source = NULL;
        }
        char *begin = at;
        int64_t u = l->first + row;
        at = source
                 ? mempcpy(at, source, source_bytes)
                 : fri_put_vertex(m->graph, m->sources ? m->sources[u] : (int32_t)u, m->none, at);
        source = begin;
        source_bytes = (size_t)(at - begin);
        *at++ = '\t';
        at = fri_put_vertex(m->graph, m->targets ? m->targets[column] : (int32_t)column, m->none,
                            at);
        *at++ = '\t';
        at = fri_put_value(&l->dist, i, at);
        if (l->parent) {
            *at++ = '\t';
            at = fri_put_vertex(m->graph, l->parent[i], m->none, at);
        }
        *at++ = '\n';
    }
    return at;
}

void fri_matrix_head(const fri_matrix *m, fri_row_output *out) {
    char head[FR_NPY_HEADER_CAPACITY];
    size_t bytes;
    if (m->npy)
        bytes = fr_npy_header(head, m->type, m->rows, m->columns);
    else
        bytes = (size_t)snprintf(head, sizeof head, "source\tvertex\tdistance%s\n",
                                 m->with_parents ? "\tparent" : "");
    fri_row_output_put(out, head, bytes);
}

void fri_matrix_put(const fri_matrix *m, int64_t first, int64_t count, const void *dist,
                    const int32_t *parent, fri_row_output *out) {
    lines l = {m, first, fri_distances(m->type, dist), m->with_parents ? parent : NULL};
    int64_t pairs = count * m->columns;
    if (m->npy)
        fri_row_output_put(out, dist, (size_t)pairs * fr_type_size(m->type));
    else
        fri_write_result_rows(out, &(fri_result_rows){pairs, m->line_bytes, put_lines, &l});
}

/* ---- a queue of rows ---------------------------------------------------------------------------- */

fr_status fri_row_queue_open(fr_ctx *ctx, const fri_matrix *m, fri_row_output *out,
                             fri_row_queue *q) {
    size_t bytes = (size_t)(m->rows + 1) * sizeof *q->early;
    *q = (fri_row_queue){.ctx = ctx, .m = m, .out = out, .early = fri_alloc(ctx, bytes)};
    if (!q->early)
        return FR_NOMEM;
    memset(q->early, 0, bytes);
    return FR_OK;
}

void fri_row_queue_close(fri_row_queue *q) {
    for (int64_t i = q->next; q->early && i < q->m->rows; i++)
        fri_free(q->early[i]);
    fri_free(q->early);
    q->early = NULL;
}

static size_t dist_bytes(const fri_row_queue *q) {
    return (size_t)q->m->columns * fr_type_size(q->m->type);
}

static void keep(fri_row_queue *q, int64_t row, const void *dist, const int32_t *parent) {
    size_t bytes = dist_bytes(q), ids = parent ? (size_t)q->m->columns * sizeof *parent : 0;
    char *copy = fri_alloc(q->ctx, bytes + ids);
    if (!copy) {
        q->out->status = FR_NOMEM;
        return;
    }
    memcpy(copy, dist, bytes);
    if (parent)
        memcpy(copy + bytes, parent, ids);
    q->early[row] = copy;
}

static void put_next(fri_row_queue *q, const void *dist, const int32_t *parent) {
    fri_matrix_put(q->m, q->next++, 1, dist, parent, q->out);
}

bool fri_row_queue_take(fri_row_queue *q, int64_t row, const void *dist, const int32_t *parent) {
    if (row == q->next)
        put_next(q, dist, parent);
    else
        keep(q, row, dist, parent);
    while (q->next < q->m->rows && q->early[q->next]) {
        char *copy = q->early[q->next];
        q->early[q->next] = NULL;
        put_next(q, copy, parent ? (const int32_t *)(const void *)(copy + dist_bytes(q)) : NULL);
        fri_free(copy);
    }
    return q->out->status == FR_OK;
}

/* ---- opening --------------------------------------------------------------------------------- */

static fr_status check_list(fr_ctx *ctx, const char *what, const fr_graph *graph,
                            const int32_t *list, int64_t count) {
    if (count < 0 || !list != !count)
        return fri_fail(ctx, FR_INVALID, "a list of %ss and its length do not agree", what);
    for (int64_t i = 0; i < count; i++)
        if (list[i] < 0 || list[i] >= graph->csr.n)
            return fri_fail(ctx, FR_NOT_FOUND, "there is no %s %d", what, list[i]);
    return FR_OK;
}

fr_status fri_matrix_open(fr_ctx *ctx, const fr_output *to, const fr_query *query, fri_matrix *m,
                          fri_output *o) {
    fr_status status = fri_output_read(ctx, to, formats, o);
    if (!status)
        status = check_list(ctx, "source", m->graph, query->sources, query->source_count);
    if (!status)
        status = check_list(ctx, "target", m->graph, query->targets, query->target_count);
    if (status)
        return status;
    m->npy = o->format == formats[1];
    m->sources = query->sources;
    m->targets = query->targets;
    m->rows = query->sources ? query->source_count : m->graph->csr.n;
    m->columns = query->targets ? query->target_count : m->graph->csr.n;
    if (m->npy && m->with_parents)
        return fri_fail(ctx, FR_UNSUPPORTED,
                        "%s: a matrix as npy has the distances alone; tsv can hold parents",
                        o->name);
    if (m->npy) /* it has no names of vertices */
        return FR_OK;
    m->none = fri_no_vertex_text(m->graph);
    status = fri_output_check_names(ctx, m->graph, o);
    if (!status)
        m->line_bytes = FR_NUMBER_CAPACITY + 1 + 3 * fri_vertex_text_bytes(m->graph);
    return status;
}

fr_status fri_matrix_begin(fr_ctx *ctx, const fri_matrix *m, fri_output *o) {
    fr_status status = fri_output_begin(ctx, o);
    if (status || !m->npy)
        return status;
    return fri_atomic_file_fits(ctx, o->name, &o->file,
                                fri_bytes(m->rows * m->columns, fr_type_size(m->type)));
}

fr_status fr_matrix_write(fr_ctx *ctx, const fr_graph *graph, const fr_query *query,
                          fr_type dist_type, const fr_result *result, const fr_output *to) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    fri_output o;
    fr_query q;
    fr_result r;
    fr_status status = FRI_SIZED_READ(ctx, fr_query, query, &q);
    if (!status)
        status = FRI_SIZED_READ(ctx, fr_result, result, &r);
    if (status)
        return status;
    if (!graph || !r.dist || fr_type_size(dist_type) == 0)
        return fri_fail(ctx, FR_INVALID, "writing a matrix needs a graph and distances of a type");
    fri_matrix m = {.graph = graph, .type = dist_type, .with_parents = r.parent};
    status = fri_matrix_open(ctx, to, &q, &m, &o);
    if (!status)
        status = fri_output_check_parents(ctx, graph, r.parent, m.rows * m.columns);
    if (status)
        return status;
    status = fri_matrix_begin(ctx, &m, &o);
    if (!status) {
        fri_matrix_head(&m, &o.rows);
        fri_matrix_put(&m, 0, m.rows, r.dist, r.parent, &o.rows);
    }
    return fri_output_end(ctx, &o, status);
}
