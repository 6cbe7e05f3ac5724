/* Checks a matrix of distances by rows.
 *
 * Idea: rows drawn from the seed are checked completely, as shortest paths from one source. Every
 *   other row j is then compared with one of those, i, by the triangle inequality both ways:
 *     d(i, v) <= d(i, s_j) + d(s_j, v)  finds distances of j that are too small,
 *     d(s_j, v) <= d(s_j, s_i) + d(i, v)  finds those that are too large,
 *   and its own source must be at distance 0 with itself as parent. A row that was not drawn can
 *   still be wrong where no shortest path passes s_i; drawing all rows (rows = 0) checks
 *   everything.
 * Floats: the sides may differ by 1e-4 of the sum of their absolute values (with negative weights
 *   by another 1e-4 of the maximum absolute weight).
 * Work: n + m for a drawn row, n for any other. Scratch: the rows' checker's, and one byte
 *   per row.
 */
#include "base/rng.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

typedef struct {
    fri_candidate candidate; /* describes the distances; dist is the whole matrix */
    int64_t rows;
    bool unit_weights;
    const int32_t *parent;
    uint8_t *drawn; /* [rows] */
} matrix;

static int32_t source_of(const matrix *x, int64_t row) {
    const fr_query *q = x->candidate.query;
    return q && q->sources ? q->sources[row] : (int32_t)row;
}

static bool is_columns(const matrix *x) { return x->candidate.query->target_count > 0; }

static int64_t width(const matrix *x) {
    return is_columns(x) ? x->candidate.query->target_count : x->candidate.csr.n;
}

static const void *row_dist(const matrix *x, int64_t row) {
    size_t bytes = fri_bytes(width(x), fr_type_size(x->candidate.dist_type));
    return (const char *)x->candidate.dist + (size_t)row * bytes;
}

static const int32_t *row_parent(const matrix *x, int64_t row) {
    return x->parent ? x->parent + row * width(x) : NULL;
}

static fr_status check_row(const matrix *x, int64_t row) {
    const fri_candidate *c = &x->candidate;
    int32_t source = source_of(x, row);
    fri_candidate columns = *c;
    columns.dist = row_dist(x, row);
    columns.parent = row_parent(x, row);
    fr_query one = {.sources = &source,
                    .source_count = 1,
                    .max_distance = c->query->max_distance,
                    .limit_distance = c->query->limit_distance,
                    .parent_rule = c->query->parent_rule};
    fr_status status = is_columns(x) ? fri_verify_columns(&columns, source)
                                     : fr_verify_sssp(c->ctx, c->graph, &one, x->unit_weights,
                                                      columns.dist, c->dist_type, columns.parent);
    if (status != FR_VERIFY_FAILED)
        return status;
    char why[sizeof c->ctx->message];
    snprintf(why, sizeof why, "%s", c->ctx->message);
    return fri_fail(c->ctx, FR_VERIFY_FAILED, "row %lld, source %s: %.400s", (long long)row,
                    fri_verify_label(c->graph, source).text, why);
}

/* Whether the limit of the query allows the sum to be missing. */
static bool is_cut(const fr_query *q, double sum) {
    return fri_limits_distance(q) && !(sum <= q->max_distance);
}

/* Whether to > a + b by more than the tolerance of floats. Unreached is greater than everything. */
static bool exceeds(const fri_candidate *c, const fri_candidate *to, int32_t v,
                    const fri_candidate *a, int32_t at_a, const fri_candidate *b, int32_t at_b) {
    if (!fri_candidate_reached(a, at_a) || !fri_candidate_reached(b, at_b))
        return false;
    bool reached = fri_candidate_reached(to, v);
    if (c->exact) { /* the drawn row is correct, the other one arbitrary: 128 bits never overflow */
        __int128 sum = (__int128)fri_candidate_int(a, at_a) + fri_candidate_int(b, at_b);
        return reached ? fri_candidate_int(to, v) > sum : sum <= fri_verify_cap(c->query);
    }
    double p = fri_candidate_float(a, at_a), q = fri_candidate_float(b, at_b),
           d = reached ? fri_candidate_float(to, v) : 0;
    if (!reached)
        return !is_cut(c->query, (p + q) * (1 + 1e-4)); /* may be beyond by rounding */
    double slack = 1e-4 * fabs(p) + 1e-4 * fabs(q) + 1e-4 * fabs(d) +
                   (c->negative ? 1e-4 * c->max_abs_weight : 0); /* is finite */
    return !(d <= p + q + slack);                                /* also true for a NaN */
}

static bool own_source_wrong(const matrix *x, const fri_candidate *row, int64_t j, int32_t s) {
    if (x->parent && row_parent(x, j)[s] != s)
        return true;
    return row->exact ? fri_candidate_int(row, s) != 0 : fri_candidate_float(row, s) != 0;
}

/* Compares row j with the drawn row i. */
static fr_status check_triangles(const matrix *x, int64_t i, int64_t j) {
    const fri_candidate *c = &x->candidate;
    fri_candidate right = *c, other = *c;
    right.dist = row_dist(x, i);
    other.dist = row_dist(x, j);
    int32_t s = source_of(x, i), t = source_of(x, j), first = INT32_MAX;
    if (own_source_wrong(x, &other, j, t))
        return fri_fail(c->ctx, FR_VERIFY_FAILED, "row %lld, source %s: a source has distance 0%s",
                        (long long)j, fri_verify_label(c->graph, t).text,
                        x->parent ? " and is its own parent" : "");
    const int threads = fri_threads_for(c->ctx, c->ctx->threads, 4 * (int64_t)c->csr.n);
#pragma omp parallel for reduction(min : first) num_threads(threads)
    for (int32_t v = 0; v < c->csr.n; v++)
        if (exceeds(c, &right, v, &right, t, &other, v) ||
            exceeds(c, &other, v, &other, s, &right, v))
            first = FRI_MIN(first, v);
    if (first == INT32_MAX)
        return FR_OK;
    return fri_fail(c->ctx, FR_VERIFY_FAILED,
                    "row %lld, source %s: the distance to %s breaks the triangle inequality with "
                    "row %lld, source %s",
                    (long long)j, fri_verify_label(c->graph, t).text,
                    fri_verify_label(c->graph, first).text, (long long)i,
                    fri_verify_label(c->graph, s).text);
}

/* Marks `count` distinct rows; returns the first one. */
static int64_t draw(matrix *x, int64_t count, uint64_t seed) {
    int64_t first = x->rows;
    for (int64_t taken = 0, k = 0; taken < count; k++) {
        int64_t row = (int64_t)fri_random_below(fri_random(seed, (uint64_t)k), (uint64_t)x->rows);
        while (x->drawn[row]) /* the next unmarked one: terminates, since count <= rows */
            row = row + 1 < x->rows ? row + 1 : 0;
        x->drawn[row] = 1;
        first = FRI_MIN(first, row);
        taken++;
    }
    return first;
}

static fr_status check(matrix *x, int64_t count, uint64_t seed) {
    fr_ctx *ctx = x->candidate.ctx;
    int64_t first = draw(x, count, seed);
    fr_status status = FR_OK;
    for (int64_t row = 0; !status && row < x->rows; row++) {
        if (x->drawn[row])
            status = check_row(x, row);
        if (!status && (row & 15) == 0)
            status = fri_progress(ctx, "checking", row, 2 * x->rows);
    }
    if (!status && count < x->rows && !x->candidate.exact)
        fri_verify_weights(&x->candidate);
    /* columns alone have no triangles */
    bool others = count < x->rows && !is_columns(x);
    for (int64_t row = 0; !status && others && row < x->rows; row++) {
        if (!x->drawn[row])
            status = check_triangles(x, first, row);
        if (!status && (row & 15) == 0)
            status = fri_progress(ctx, "checking", x->rows + row, 2 * x->rows);
    }
    return status;
}

/* Checks the matrix on a graph without the closed vertices and edges of the query. */
static fr_status check_open(matrix *x, int64_t rows, uint64_t seed) {
    fr_ctx *ctx = x->candidate.ctx;
    const fr_query *q = x->candidate.query;
    if (q->target_count && !q->targets)
        return fri_fail(ctx, FR_INVALID, "target_count is %lld, but targets is NULL",
                        (long long)q->target_count);
    const int32_t n = x->candidate.csr.n;
    fr_status status = fri_check_vertices(ctx, "target vertex", q->targets, q->target_count, n);
    if (!status && q->sources)
        status = fri_check_vertices(ctx, "source vertex", q->sources, x->rows, n);
    if (status || x->rows < 1)
        return status;
    x->drawn = fri_calloc(ctx, (size_t)x->rows);
    if (!x->drawn)
        return FR_NOMEM;
    status = check(x, rows ? FRI_MIN(rows, x->rows) : x->rows, seed);
    fri_free(x->drawn);
    return status;
}

fr_status fr_verify_apsp(fr_ctx *ctx, const fr_graph *graph, const fr_query *query,
                         bool unit_weights, const void *dist, fr_type dist_type,
                         const int32_t *parent, int64_t rows, uint64_t seed) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    fr_query own;
    fr_graph *filtered;
    fr_status status = FRI_SIZED_READ(ctx, fr_query, query, &own);
    if (status)
        return status;
    query = &own;
    if (!graph || !dist || fr_type_size(dist_type) == 0 || rows < 0)
        return fri_fail(ctx, FR_INVALID, "checking needs a graph and distances of a known type");
    status = fr_graph_check(ctx, graph);
    if (!status)
        status = fri_verify_filter(ctx, query, &graph, &filtered);
    if (status)
        return status;
    matrix x = {.candidate = {.ctx = ctx,
                              .graph = graph,
                              .csr = graph->csr,
                              .query = query,
                              .dist = dist,
                              .dist_type = dist_type,
                              .exact = dist_type == FR_TYPE_I32 || dist_type == FR_TYPE_I64,
                              .single = dist_type == FR_TYPE_F32},
                .rows = query->sources ? query->source_count : graph->csr.n,
                .unit_weights = unit_weights,
                .parent = parent};
    if (unit_weights)
        x.candidate.csr.weights = NULL;
    status = check_open(&x, rows, seed);
    fr_graph_free(filtered);
    return status;
}
