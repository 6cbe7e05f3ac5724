#include "conformance/matrix.h"

#include <stdlib.h>

/* The result of the library, checked row by row as it arrives. */
typedef struct {
    const cf_config *c;
    const cf_query *q;
    const cf_number *want; /* [n][n] */
    fr_type type;
    bool parents;
    int64_t rows;
    bool wrong;
} answer;

static const cf_number *row_of(const answer *a, int32_t source) {
    return a->want + (size_t)source * (size_t)a->c->g->n;
}

static bool right_values(const answer *a, int64_t row, int32_t source, const void *dist) {
    const cf_number *want = row_of(a, source);
    for (int32_t v = 0; dist && v < a->c->g->n; v++) {
        cf_number got = cf_value(FR_PROBLEM_APSP, a->type, dist, v);
        if (got != want[v]) {
            cf_fail(a->c, a->q, "row %lld: %d to %d is %.20Lg, should be %.20Lg", (long long)row,
                    source, v, got, want[v]);
            return false;
        }
    }
    return true;
}

static bool right_parents(const answer *a, int64_t row, int32_t source, const int32_t *parent) {
    const cf_number *want = row_of(a, source);
    int32_t v = parent ? cf_wrong_parent(a->c->g, a->c->unit, &source, 1, want, parent) : -1;
    if (v >= 0)
        cf_fail(a->c, a->q, "row %lld: vertex %d at %Lg has parent %d", (long long)row, v, want[v],
                parent[v]);
    if (a->parents && !parent)
        cf_fail(a->c, a->q, "row %lld has no parents", (long long)row);
    return v < 0 && (parent || !a->parents);
}

static int check_row(void *user, int64_t row, int32_t source, const void *dist,
                     const int32_t *parent) {
    answer *a = user;
    a->rows++;
    a->wrong =
        a->wrong || !right_values(a, row, source, dist) || !right_parents(a, row, source, parent);
    return 0;
}

void cf_check_matrix(fr_ctx *ctx, const cf_config *c, fr_solver *solver, const char *name,
                     const cf_number *want, const int32_t *sources, int64_t count, bool callback,
                     bool parents) {
    int64_t n = c->g->n, rows = sources ? count : n;
    fr_type type = fr_solver_dist_type(solver);
    size_t size = fr_type_size(type);
    cf_query q = {.name = name};
    answer a = {.c = c, .q = &q, .want = want, .type = type, .parents = parents};
    char *dist = callback ? NULL : malloc((size_t)(rows * n + 1) * size);
    int32_t *parent = callback || !parents ? NULL : malloc((size_t)(rows * n + 1) * sizeof *parent);
    fr_query query = {.sources = sources,
                      .source_count = count,
                      .row = callback ? check_row : NULL,
                      .row_user = &a,
                      .want_parents = callback && parents};
    fr_result result = {.dist = dist, .parent = parent};
    cf_cases++;
    fr_status status = fr_solve(solver, &query, &result);
    if (status)
        cf_fail(c, &q, "fr_solve: %s: %s", fr_status_name(status), fr_ctx_error(ctx));
    for (int64_t r = 0; !status && !callback && r < rows; r++)
        check_row(&a, r, sources ? sources[r] : (int32_t)r, dist + (size_t)(r * n) * size,
                  parent ? parent + r * n : NULL);
    if (!status && a.rows != rows)
        cf_fail(c, &q, "%lld rows, should be %lld", (long long)a.rows, (long long)rows);
    if (!status && !callback && !a.wrong) {
        status = fr_verify_apsp(ctx, c->g->graph, &query, c->unit, dist, type, parent, 0, 1);
        if (status)
            cf_fail(c, &q, "the verifier returns %s: %s", fr_status_name(status),
                    fr_ctx_error(ctx));
    }
    free(dist);
    free(parent);
}
