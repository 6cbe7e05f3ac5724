/* A graph that borrows a caller's CSR after checking it. */
#include "base/team.h"
#include "graph/weights.h"

#include <math.h>

enum { ROWS = 1024 }; /* that one thread checks at a time */

/* Names the first such edge, in the order of the caller's array. */
static fr_status not_finite(fr_ctx *ctx, const fr_csr *csr) {
    int64_t e = 0;
    while (e < csr->m - 1 && isfinite(fri_csr_weight(csr, e)))
        e++;
    return fri_fail(ctx, FR_RANGE, "the weight of edge %lld, %g, is not a finite number",
                    (long long)e, fri_csr_weight(csr, e));
}

/* Whether the pass that checks weights tells their statistics, too. */
static bool are_passed(const fr_csr *csr) {
    return csr->weights && csr->m && csr->weight_type != FR_TYPE_I32 &&
           csr->weight_type != FR_TYPE_I64;
}

static fr_status check_weights(fr_ctx *ctx, const fr_csr *csr, fri_weight_stats *stats) {
    const fr_type type = csr->weight_type;
    if (csr->weights && type != FR_TYPE_I32 && type != FR_TYPE_I64 && type != FR_TYPE_F32 &&
        type != FR_TYPE_F64)
        return fri_fail(ctx, FR_INVALID, "weight_type must be int32, int64, float32 or float64");
    return !are_passed(csr) || fri_weights_stats(ctx, csr, ctx->threads, stats)
               ? FR_OK
               : not_finite(ctx, csr);
}

fr_status fri_weights_check(fr_ctx *ctx, const void *weights, fr_type type, int64_t m) {
    fri_weight_stats stats;
    const fr_csr csr = {.m = m, .weights = weights, .weight_type = type};
    return check_weights(ctx, &csr, &stats);
}

static bool weights_ascend(const fr_csr *csr, int64_t e) {
    if (csr->weight_type == FR_TYPE_I32)
        return ((const int32_t *)csr->weights)[e - 1] <= ((const int32_t *)csr->weights)[e];
    if (csr->weight_type == FR_TYPE_I64)
        return ((const int64_t *)csr->weights)[e - 1] <= ((const int64_t *)csr->weights)[e];
    if (csr->weight_type == FR_TYPE_F32)
        return ((const float *)csr->weights)[e - 1] <= ((const float *)csr->weights)[e];
    return ((const double *)csr->weights)[e - 1] <= ((const double *)csr->weights)[e];
}

static bool row_is_valid(const fr_csr *csr, int64_t u) {
    for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
        if ((uint32_t)csr->targets[e] >= (uint32_t)csr->n)
            return false;
        if (e == csr->offsets[u] || csr->targets[e - 1] < csr->targets[e])
            continue;
        if (csr->targets[e - 1] > csr->targets[e] || (csr->weights && !weights_ascend(csr, e)))
            return false;
    }
    return true;
}

/* Whether all targets of rows `first` to `end` are vertices and each row ascends, with weights without
 * equal targets: every place where a target is less than the one before it begins a row. */
static bool rows_ascend(const fr_csr *csr, int64_t first, int64_t end) {
    const int32_t *targets = csr->targets;
    const int64_t from = csr->offsets[first], to = csr->offsets[end];
    const int distinct = csr->weights != NULL;
    int64_t falls = 0, begins = 0;
    int bad = 0;
    for (int64_t e = from + 1; e < to; e++)
        falls += (targets[e - 1] > targets[e]) | (distinct & (targets[e - 1] == targets[e]));
    for (int64_t u = first; u < end; u++) {
        const int64_t at = csr->offsets[u], next = csr->offsets[u + 1];
        if (at == next)
            continue;
        begins += at > from &&
                  ((targets[at - 1] > targets[at]) | (distinct & (targets[at - 1] == targets[at])));
        bad |= targets[at] < 0 || targets[next - 1] >= csr->n;
    }
    return !bad && falls == begins;
}

/* The first row of `first` to `end` that is not valid; `end` if all are. */
static int64_t find_invalid(const fr_csr *csr, int64_t first, int64_t end) {
    if (rows_ascend(csr, first, end))
        return end;
    for (int64_t u = first; u < end; u++)
        if (!row_is_valid(csr, u))
            return u;
    return end;
}

/* By the context's threads: those of OpenMP spin for milliseconds after a loop, on the cores of the first query. */
typedef struct {
    const fr_csr *csr;
    int64_t bad; /* atomic: the first row found that is not valid; n: none */
} row_check;

static void note_bad(row_check *c, int64_t row) {
    int64_t seen = __atomic_load_n(&c->bad, __ATOMIC_RELAXED); /* the team's end publishes it */
    while (row < seen && !__atomic_compare_exchange_n(&c->bad, &seen, row, true, __ATOMIC_RELAXED,
                                                      __ATOMIC_RELAXED))
        ;
}

static void check_piece(fri_member me, void *arg, int64_t begin, int64_t end) {
    row_check *c = arg;
    (void)me;
    for (int64_t u = begin; u < end; u += ROWS) {
        const int64_t last = FRI_MIN(u + ROWS, end), at = find_invalid(c->csr, u, last);
        if (at < last)
            note_bad(c, at);
    }
}

/* The first row that is not valid; n if all are. The offsets ascend from 0 to m. */
static int64_t first_invalid(fr_ctx *ctx, const fr_csr *csr) {
    row_check c = {csr, csr->n};
    fri_team_loop(ctx, fri_threads_for(ctx, ctx->threads, csr->m), csr->n, ROWS, check_piece, &c);
    return c.bad;
}

bool fri_csr_rows_sorted(fr_ctx *ctx, const fr_csr *csr) {
    return first_invalid(ctx, csr) == csr->n;
}

static void descent_piece(fri_member me, void *arg, int64_t begin, int64_t end) {
    row_check *c = arg;
    const int64_t *offsets = c->csr->offsets;
    int64_t bad = end;
    (void)me;
    for (int64_t u = begin; u < end; u++)
        bad = offsets[u] > offsets[u + 1] ? FRI_MIN(bad, u) : bad;
    if (bad < end)
        note_bad(c, bad);
}

/* The row after which the offsets descend; n if they do not. */
static int64_t first_descent(fr_ctx *ctx, const fr_csr *csr) {
    row_check c = {csr, csr->n};
    fri_team_loop(ctx, fri_threads_for(ctx, ctx->threads, csr->n / 2), csr->n, 64 * ROWS,
                  descent_piece, &c);
    return c.bad;
}

static fr_status check_rows(fr_ctx *ctx, const fr_csr *csr) {
    const int64_t n = csr->n, descent = first_descent(ctx, csr);
    if (descent < n) /* before any offset is followed */
        return fri_fail(ctx, FR_INVALID, "the offsets must ascend; they descend after row %lld",
                        (long long)descent);
    if (csr->offsets[0] != 0 || csr->offsets[n] != csr->m)
        return fri_fail(ctx, FR_INVALID, "the offsets must run from 0 to m, not from %lld to %lld",
                        (long long)csr->offsets[0], (long long)csr->offsets[n]);
    const int64_t bad = first_invalid(ctx, csr);
    return bad == n ? FR_OK
                    : fri_fail(ctx, FR_INVALID,
                               "row %lld has a target outside 0 to %d or is not sorted by target, "
                               "then weight",
                               (long long)bad, csr->n - 1);
}

static fr_status check_csr(fr_ctx *ctx, const fr_csr *csr, fri_weight_stats *stats) {
    if (!csr || csr->n < 0 || csr->m < 0 || !csr->offsets || (csr->m && !csr->targets) ||
        (csr->m && !csr->weights != !csr->weight_type))
        return fri_fail(
            ctx, FR_INVALID,
            "a CSR needs n, m, offsets, targets, and a weight_type exactly when it has weights");
    fr_status status = check_weights(ctx, csr, stats);
    if (!status)
        status = check_rows(ctx, csr);
    bool same = true;
    if (!status && csr->symmetric)
        status = fri_csr_is_symmetric(ctx, csr, &same);
    if (!status && !same)
        status =
            fri_fail(ctx, FR_INVALID,
                     "the CSR is marked symmetric, but an edge has no reverse of the same weight");
    return status;
}

/* A graph without edges may have NULL weights, but readers recognize a weighted graph by the
 * pointer. */
static fr_csr with_weights(const fr_csr *csr) {
    fr_csr same = *csr;
    if (csr->m == 0 && csr->weight_type && !csr->weights)
        same.weights = csr->offsets; /* any address is valid: none of the m elements is read */
    return same;
}

fr_status fr_graph_from_csr(fr_ctx *ctx, const fr_csr *csr, fr_graph **out) {
    fr_status status = fri_graph_begin(ctx, out);
    fr_csr own = csr ? with_weights(csr) : (fr_csr){0};
    fri_weight_stats stats;
    if (!status)
        status = check_csr(ctx, csr ? &own : NULL, &stats);
    if (status)
        return status;
    fr_graph *graph = fri_graph_new(ctx, "csr");
    if (!graph)
        return FR_NOMEM;
    graph->csr = own;
    graph->undirected = own.symmetric;
    if (are_passed(&own))
        fri_derived_set_weights(graph->derived, stats);
    *out = graph;
    return FR_OK;
}
