/* The checkers of the library: they take what the judge takes, and refuse an answer with one of ten corruptions, if the
 * judge refuses it. */
#include "solve_run.h"

#include <math.h>
#include <string.h>

typedef struct answer {
    so_query *q;
    so_row *row;
    int64_t index; /* of the row */
    void *values;
    int32_t *parents;
    ri_rng rng;
} answer;

static const fr_graph *graph_of(so_query *q) {
    fr_graph *turned = NULL;
    ri_case *c = q->s->c;
    if (!q->s->reverse)
        return q->s->graph;
    RI_OK(c, fr_graph_transpose(c->ctx, q->s->graph, &turned));
    RI_FREE_AT_END(c, fr_graph_free, turned);
    return turned;
}

/* rows: how many rows of APSP are checked; 0: all. */
static fr_status verify(so_query *q, const fr_graph *graph, const so_row *row, const void *values,
                        const int32_t *parents, int64_t rows) {
    ri_case *c = q->s->c;
    fr_query query = q->query;
    query.result_memory = FR_MEMORY_HOST, query.stream = NULL, query.row = NULL;
    if (q->s->problem == FR_PROBLEM_APSP)
        return RI_DO(c, fr_verify_apsp(c->ctx, graph, &query, q->s->unit, values, q->s->type,
                                       parents, rows, 7));
    query.sources = row->sources, query.source_count = row->source_count;
    if (q->s->problem == FR_PROBLEM_BFS)
        return RI_DO(c, fr_verify_bfs(c->ctx, graph, &query, values, parents));
    return RI_DO(c, fr_verify_sssp(c->ctx, graph, &query, q->s->unit, values, q->s->type, parents));
}

/* ---- corruptions ------------------------------------------------------------------------------------------- */

static void put(const answer *a, int64_t i, double x) {
    switch (a->q->s->type) {
    case FR_TYPE_I64:
        ((int64_t *)a->values)[i] = x >= 0x1p63 ? FR_INF_I64 : x < -0x1p63 ? INT64_MIN : (int64_t)x;
        break;
    case FR_TYPE_F32: ((float *)a->values)[i] = (float)x; break;
    case FR_TYPE_F64: ((double *)a->values)[i] = x; break;
    default:
        ((int32_t *)a->values)[i] = x >= INT32_MAX  ? FR_INF_I32
                                    : x < INT32_MIN ? INT32_MIN
                                                    : (int32_t)x;
    }
}

/* More than rounding can explain. */
static double step(const answer *a) { return a->row->d.largest > 0 ? a->row->d.largest : 1; }

static void unreach(const answer *a, int64_t i) {
    put(a, i, a->row->bfs ? -1 : INFINITY);
    if (a->parents)
        a->parents[i] = -1;
}

static void corrupt(answer *a, int64_t kind) {
    const int32_t n = a->row->d.n;
    const int64_t v = ri_below(&a->rng, n), u = ri_below(&a->rng, n);
    const double old = ri_read(a->q->s->type, a->values, v);
    int32_t *p = a->parents;
    switch (kind) {
    case 1: put(a, v, old + step(a)); break;
    case 2: put(a, v, old - step(a)); break;
    case 3: unreach(a, v); break;
    case 4: put(a, v, old == 0 ? step(a) : 0); break;
    case 5: put(a, v, ri_read(a->q->s->type, a->values, u)); break;
    case 6: put(a, v, 2 * old); break;
    case 7:
        if (p)
            p[v] = (int32_t)u;
        break;
    case 8:
        if (p)
            p[v] = -1;
        break;
    case 9:
        if (p)
            p[v] = n;
        break;
    default:
        if (p) {
            p[v] = (int32_t)u;
            p[u] = (int32_t)v;
        }
    }
}

/* Whether the corruption made a reached vertex an unreached one; all_values: as they were. */
static bool loses_one(const answer *a, const void *all_values) {
    const fr_type type = a->q->s->type;
    const int64_t first = a->index * a->q->width;
    for (int64_t i = 0; i < a->q->width; i++)
        if (isinf(ri_read(type, a->values, i)) && !isinf(ri_read(type, all_values, first + i)))
            return true;
    return false;
}

/* Whether each value is the right one but for what the checkers allow a sum: 1e-12 of it per addend, float32 2^-22
 * (src/verify/verify.h). */
static bool is_as_rounded(const answer *a, const void *all_values) {
    const fr_type type = a->q->s->type;
    const int64_t first = a->index * a->q->width;
    const double grain = type == FR_TYPE_F32 ? 0x1p-22 : 1e-12;
    const double share = fmin(1e-4, grain * (a->row->d.n + 4.0));
    for (int64_t i = 0; i < a->q->width; i++) {
        const double now = ri_read(type, a->values, i), old = ri_read(type, all_values, first + i);
        const double sum = fmax(fmax(fabs(now), fabs(old)), a->row->d.size[i]);
        if (now != old && !(fabs(now - old) <= share * sum))
            return false;
    }
    return true;
}

static void check_corrupted(so_query *q, const fr_graph *graph, answer *a, const void *all_values,
                            const int32_t *all_parents, int64_t rows) {
    ri_case *c = q->s->c;
    char why[512];
    const size_t cells = (size_t)(rows * q->width), size = fr_type_size(q->s->type);
    char *values = ri_alloc(c, cells * size);
    int32_t *parents = all_parents ? ri_alloc(c, cells * sizeof *parents) : NULL;
    memcpy(values, all_values, cells * size);
    if (parents)
        memcpy(parents, all_parents, cells * sizeof *parents);
    a->values = values + (size_t)(a->index * q->width) * size;
    a->parents = parents ? parents + a->index * q->width : NULL;
    const int64_t kind = ri_at(c, q->round, SO_CORRUPT);
    corrupt(a, kind);
    if (ri_is_real(q->s->type) && (q->limited || q->query.target_count) && loses_one(a, all_values))
        return; /* at the limit a real distance may be seen as beyond it */
    so_row row = *a->row;
    row.value = a->values, row.parent = a->parents;
    row.order = row.origin = NULL;
    row.rule = FR_PARENT_ANY; /* the checkers take any valid parents */
    const bool keeps_parents = kind <= 6;
    if (so_is_right(&row, why) ||
        (ri_is_real(q->s->type) && keeps_parents && is_as_rounded(a, all_values)))
        return;
    const fr_status status = verify(q, graph, &row, values, parents, 0);
    if (ri_is_excused(c, status))
        ri_stop(c);
    RI_CHECK(c, status != FR_OK, "query %d: the checker takes corruption %lld: %s", q->round,
             (long long)kind, why);
    RI_CHECK(c, status == FR_VERIFY_FAILED, "query %d: the checker says %s of corruption %lld: %s",
             q->round, fr_status_name(status), (long long)kind, why);
}

static bool is_near_limit(const so_row *row) {
    for (int32_t v = 0; v < row->d.n; v++)
        if (row->kept[v] == SO_EITHER ||
            (row->d.kind[v] == RI_MINUS && !(row->mark && row->clear[v])))
            return true;
    return false;
}

void so_check_checker(so_query *q, so_row *rows, fr_status status, int64_t complete) {
    ri_case *c = q->s->c;
    const bool apsp = q->s->problem == FR_PROBLEM_APSP;
    const void *values =
        q->row ? q->row_values : ri_host(c, q->result.level ? q->result.level : q->result.dist);
    const int32_t *parents =
        q->row ? (q->query.want_parents ? q->row_parents : NULL) : ri_host(c, q->result.parent);
    if (!values || (q->s->reverse && q->query.closed_edges) ||
        (status && !q->query.mark_negative_cycles) || complete < 1)
        return;
    answer a = {.q = q,
                .rng = ri_seeded((uint64_t)ri_at(c, -1, RI_MADE_DETAIL), (uint64_t)q->round)};
    a.index = q->each && status ? complete - 1 : ri_below(&a.rng, complete);
    a.row = &rows[a.index];
    for (int64_t i = 0; i < (q->each ? 0 : q->rows); i++)
        if (so_cycle(&rows[i]) == SO_MAY)
            return; /* a cycle below 0 by less than rounding */
    const fr_graph *graph = graph_of(q);
    const size_t first = (size_t)(a.index * q->width);
    const void *row_values =
        apsp ? values : (const char *)values + first * fr_type_size(q->s->type);
    const int32_t *row_parents = apsp || !parents ? parents : parents + first;
    for (int64_t i = 0; i < (apsp ? q->rows : 1); i++) /* the checker of APSP sees all rows */
        if (is_near_limit(apsp ? &rows[i] : a.row))
            return; /* the checker may see it the other way */
    fr_status said = verify(q, graph, a.row, row_values, row_parents, ri_below(&a.rng, 3));
    if (ri_is_excused(c, said))
        ri_stop(c);
    RI_CHECK(c, !said, "query %d: the checker refuses a right answer: %s: %s", q->round,
             fr_status_name(said), fr_ctx_error(c->ctx));
    if (!ri_at(c, q->round, SO_CORRUPT) || (apsp && q->query.target_count))
        return;
    so_query one = *q; /* no other rows than a BFS's or SSSP's are passed */
    if (!apsp)
        a.index = 0;
    check_corrupted(&one, graph, &a, row_values, row_parents, apsp ? q->rows : 1);
}

void so_check_cycle(so_query *q, const so_row *row) {
    ri_case *c = q->s->c;
    fr_query query = q->query;
    query.result_memory = FR_MEMORY_HOST, query.stream = NULL, query.row = NULL;
    if ((q->s->reverse && q->query.closed_edges) || q->s->unit)
        return;
    query.sources = row->sources, query.source_count = row->source_count;
    const fr_query *passed =
        q->s->problem == FR_PROBLEM_APSP && !q->query.closed_edges && !q->query.closed_vertices
            ? NULL
            : &query;
    if (q->s->problem == FR_PROBLEM_APSP && passed)
        return;
    const fr_graph *graph = graph_of(q);
    const int32_t length = q->result.cycle_length;
    const double weight = q->result.cycle_weight;
    const double other = weight - length * row->d.largest - 1;
    fr_status said =
        RI_DO(c, fr_verify_cycle(c->ctx, graph, passed, q->result.cycle, length, weight));
    if (ri_is_excused(c, said))
        ri_stop(c);
    RI_CHECK(c, !said, "query %d: the checker refuses a right cycle: %s: %s", q->round,
             fr_status_name(said), fr_ctx_error(c->ctx));
    if (!isfinite(other))
        return;
    said = RI_DO(c, fr_verify_cycle(c->ctx, graph, passed, q->result.cycle, length, other));
    RI_CHECK(c, said == FR_VERIFY_FAILED || ri_is_excused(c, said),
             "query %d: the checker takes a cycle of another weight: %s", q->round,
             fr_status_name(said));
}
