/* All pairs written row by row. */
#include "base/sized.h"
#include "core/solver.h"
#include "graph/write/matrix_rows.h"

typedef struct rows {
    fri_row_queue queue;
    fr_apsp_row_fn row; /* the caller's */
    void *row_user;
} rows;

/* An fr_apsp_row_fn. */
static int take_row(void *user, int64_t row, int32_t source, const void *dist,
                    const int32_t *parent) {
    rows *r = user;
    if (r->row && r->row(r->row_user, row, source, dist, parent))
        return 1;
    return !fri_row_queue_take(&r->queue, row, dist, parent);
}

static fr_status solve(fr_solver *solver, const fr_query *query, fr_result *result,
                       const fri_matrix *m, fri_row_output *out) {
    rows r = {.row = query->row, .row_user = query->row_user};
    fr_query by_row = *query;
    by_row.row = take_row;
    by_row.row_user = &r;
    fr_status status = fri_row_queue_open(solver->job.ctx, m, out, &r.queue);
    out->quiet = true; /* the solver reports */
    if (!status) {
        fri_matrix_head(m, out);
        status = fr_solve(solver, &by_row, result);
    }
    fri_row_queue_close(&r.queue);
    return status;
}

fr_status fr_apsp_write(fr_solver *solver, const fr_query *query, fr_result *result,
                        const fr_output *to) {
    if (!solver)
        return FR_INVALID;
    fr_ctx *ctx = solver->job.ctx;
    fri_begin(ctx);
    fr_query q;
    fr_status status = FRI_SIZED_READ(ctx, fr_query, query, &q);
    if (status)
        return status;
    if (solver->job.in->problem != FR_PROBLEM_APSP || solver->job.in->in_place)
        return fri_fail(ctx, FR_UNSUPPORTED, "rows are written for all pairs, and not in place");
    fri_output o;
    fri_matrix m = {.graph = solver->graph,
                    .type = fr_solver_dist_type(solver),
                    .with_parents = q.want_parents};
    status = fri_matrix_open(ctx, to, &q, &m, &o);
    if (status)
        return status;
    status = fri_matrix_begin(ctx, &m, &o);
    if (!status)
        status = solve(solver, &q, result, &m, &o.rows);
    return fri_output_end(ctx, &o, status);
}
