/* All pairs written row by row. The solver finishes rows in any order: those that are early are
 * copied and wait. */
#include "base/sized.h"
#include "core/solver.h"
#include "graph/matrix_rows.h"

typedef struct rows {
    fr_ctx *ctx;
    fri_matrix m;
    fri_output o;
    fr_apsp_row_fn row; /* the caller's */
    void *row_user;
    int64_t next; /* the row to be written next */
    void **held;  /* [rows] copies: distances, then parents */
} rows;

static size_t dist_bytes(const rows *r) { return (size_t)r->m.columns * fr_type_size(r->m.type); }

static bool hold(rows *r, int64_t row, const void *dist, const int32_t *parent) {
    size_t bytes = dist_bytes(r), ids = parent ? (size_t)r->m.columns * sizeof *parent : 0;
    char *copy = fri_alloc(r->ctx, bytes + ids);
    if (!copy)
        return false;
    memcpy(copy, dist, bytes);
    if (parent)
        memcpy(copy + bytes, parent, ids);
    r->held[row] = copy;
    return true;
}

static void put(rows *r, const void *dist, const int32_t *parent) {
    fri_matrix_put(&r->m, r->next++, 1, dist, parent, &r->o.rows);
}

/* An fr_apsp_row_fn. */
static int take_row(void *user, int64_t row, int32_t source, const void *dist,
                    const int32_t *parent) {
    rows *r = user;
    if (r->row && r->row(r->row_user, row, source, dist, parent))
        return 1;
    if (row != r->next) {
        if (!hold(r, row, dist, parent))
            r->o.rows.status = FR_NOMEM;
        return r->o.rows.status != FR_OK;
    }
    put(r, dist, parent);
    while (r->next < r->m.rows && r->held[r->next]) {
        char *copy = r->held[r->next];
        r->held[r->next] = NULL;
        put(r, copy, parent ? (const int32_t *)(const void *)(copy + dist_bytes(r)) : NULL);
        fri_free(copy);
    }
    return r->o.rows.status != FR_OK;
}

static fr_status solve(fr_solver *solver, fr_query *query, fr_result *result, rows *r) {
    r->o.rows.quiet = true; /* the solver reports */
    r->row = query->row;
    r->row_user = query->row_user;
    query->row = take_row;
    query->row_user = r;
    fri_matrix_head(&r->m, &r->o.rows);
    return fr_solve(solver, query, result);
}

fr_status fr_apsp_write(fr_solver *solver, const fr_query *query, fr_result *result,
                        const fr_output *to) {
    fr_ctx *ctx = solver->job.ctx;
    fri_begin(ctx);
    fr_query q;
    fr_status status = FRI_SIZED_READ(ctx, fr_query, query, &q);
    if (!status && solver->job.problem != FR_PROBLEM_APSP)
        status = fri_fail(ctx, FR_UNSUPPORTED, "rows are written for all pairs only");
    rows r = {.ctx = ctx,
              .m = {.graph = solver->graph,
                    .type = fr_solver_dist_type(solver),
                    .with_parents = q.want_parents}};
    if (!status)
        status = fri_matrix_open(ctx, to, &q, &r.m, &r.o);
    if (status)
        return status;
    size_t bytes = (size_t)(r.m.rows + 1) * sizeof *r.held;
    r.held = fri_alloc(ctx, bytes);
    status = r.held ? fri_output_begin(ctx, &r.o) : FR_NOMEM;
    if (!status) {
        memset(r.held, 0, bytes);
        status = solve(solver, &q, result, &r);
        for (int64_t i = r.next; i < r.m.rows; i++)
            fri_free(r.held[i]);
    }
    fri_free(r.held);
    return fri_output_end(ctx, &r.o, status);
}
