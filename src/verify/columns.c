/* Checks a row of which only some columns are known.
 *
 * Idea: the missing values are computed by a search of the checker's own (M. Bellman, On a routing
 *   problem, 1958; with a queue, as E. F. Moore, 1959), and this whole row is checked like any other
 *   (verify/sssp.c), so that nothing depends on that search. The known columns must have its values:
 *   integers exactly, floats within the tolerance of the path found. A parent must have an edge that
 *   accounts for the value.
 * Work: at worst n m; typically a few times m. Scratch: 29 n bytes.
 */
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const fri_candidate *known; /* of the columns */
    fri_candidate c;            /* the whole row: dist is `whole` or `real` */
    int64_t *whole;             /* [n] exact distances; NULL: floats */
    double *real;               /* [n] the other ones */
    double *magnitude;          /* [n] floats: sum of the absolute weights of the path */
    int32_t *hops;              /* [n] edges of the path */
    int32_t *queue;             /* [n] a ring */
    uint8_t *queued;            /* [n] */
} search;

/* Lowers v's distance over edge e, if it does; FR_OVERFLOW: the sum does not fit int64. */
static fr_status relax(search *s, int32_t u, int64_t e, int32_t v, bool *lowered) {
    *lowered = false;
    if (s->whole) {
        int64_t sum;
        if (__builtin_add_overflow(s->whole[u], fri_candidate_weight_int(&s->c, e), &sum))
            return fri_fail(s->c.ctx, FR_OVERFLOW, "a distance to check does not fit int64");
        *lowered = sum < s->whole[v];
        s->whole[v] = FRI_MIN(s->whole[v], sum);
    } else {
        double w = fri_candidate_weight(&s->c, e), sum = s->real[u] + w;
        *lowered = sum < s->real[v];
        if (*lowered) {
            s->real[v] = sum;
            s->magnitude[v] = s->magnitude[u] + fabs(w);
        }
    }
    if (*lowered)
        s->hops[v] = s->hops[u] + 1;
    return FR_OK;
}

static fr_status run(search *s, int32_t source) {
    const fr_csr *csr = &s->c.csr;
    const int32_t n = csr->n;
    int32_t head = 0, count = 1;
    fri_pace pace = fri_pace_begin(s->c.ctx, "checking", 0);
    for (int32_t v = 0; v < n; v++) {
        s->queued[v] = 0;
        if (s->whole)
            s->whole[v] = FR_INF_I64;
        else
            s->real[v] = (double)INFINITY;
    }
    s->queue[0] = source;
    s->hops[source] = 0;
    if (s->whole)
        s->whole[source] = 0;
    else
        s->real[source] = s->magnitude[source] = 0;
    while (count) {
        int32_t u = s->queue[head];
        head = head + 1 < n ? head + 1 : 0;
        count--;
        s->queued[u] = 0;
        if (fri_pace_stop(&pace, csr->offsets[u + 1] - csr->offsets[u] + 1, 0))
            return pace.status;
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int32_t v = csr->targets[e];
            bool lowered;
            fr_status status = relax(s, u, e, v, &lowered);
            if (status)
                return status;
            if (s->hops[v] >= n && lowered)
                return fri_fail(s->c.ctx, FR_VERIFY_FAILED,
                                "source %s reaches a negative cycle, where no distance is right",
                                fri_verify_label(s->c.graph, source).text);
            if (!lowered || s->queued[v])
                continue;
            s->queued[v] = 1;
            int64_t place = (int64_t)head + count++;
            s->queue[place < n ? place : place - n] = v;
        }
    }
    return FR_OK;
}

static bool is_limited(const fr_query *q) { return q->max_distance > 0 || q->limit_distance; }

static bool is_within(const search *s, const fr_query *q, int32_t v) {
    if (!is_limited(q))
        return true;
    if (!s->whole)
        return s->real[v] <= q->max_distance;
    return q->max_distance >= 0x1p63 || s->whole[v] <= (int64_t)q->max_distance;
}

static bool is_float_near(const search *s, int32_t v, double value) {
    double slack = fri_candidate_tolerance(s->known, s->hops[v]) * s->magnitude[v];
    return fabs(value - s->real[v]) <= slack;
}

/* A float within rounding of the limit may be cut or kept. */
static bool is_at_limit(const search *s, const fr_query *q, int32_t v) {
    return is_limited(q) && is_float_near(s, v, q->max_distance);
}

/* Column j is vertex v. */
static bool value_is_right(const search *s, int64_t j, int32_t v) {
    const fri_candidate *known = s->known;
    const fr_query *q = known->query;
    bool reached = fri_candidate_reached(known, (int32_t)j);
    if (s->whole) {
        bool kept = s->whole[v] != FR_INF_I64 && is_within(s, q, v);
        return kept ? reached && fri_candidate_int(known, (int32_t)j) == s->whole[v] : !reached;
    }
    bool finite = isfinite(s->real[v]);
    if (!reached)
        return !finite || !is_within(s, q, v) || is_at_limit(s, q, v);
    return finite && is_float_near(s, v, fri_candidate_float(known, (int32_t)j)) &&
           (is_within(s, q, v) || is_at_limit(s, q, v));
}

static bool parent_is_right(const search *s, int64_t j, int32_t v, int32_t source) {
    const fri_candidate *known = s->known;
    int32_t p = known->parent[j];
    if (!fri_candidate_reached(known, (int32_t)j))
        return p == -1;
    if (v == source)
        return p == v;
    int64_t e = p >= 0 && p < s->c.csr.n && p != v ? fri_verify_edge(&s->c.csr, p, v) : -1;
    if (e < 0 || !fri_candidate_reached(&s->c, p))
        return false;
    if (s->whole)
        return fri_candidate_along(&s->c, p, e) == s->whole[v];
    double w = fri_candidate_weight(&s->c, e);
    double slack = fri_candidate_tolerance(s->known, s->hops[p] + 1) * (s->magnitude[p] + fabs(w)) +
                   fri_candidate_tolerance(s->known, s->hops[v]) * s->magnitude[v];
    return fabs(s->real[p] + w - s->real[v]) <= slack;
}

static fr_status compare(const search *s, int32_t source) {
    const fri_candidate *known = s->known;
    const fr_query *q = known->query;
    for (int64_t j = 0; j < q->target_count; j++) {
        int32_t v = q->targets[j];
        fri_label target = fri_verify_label(s->c.graph, v);
        if (!value_is_right(s, j, v)) {
            char right[40] = "unreached";
            if (!is_within(s, q, v))
                snprintf(right, sizeof right, "beyond the limit");
            else if (fri_candidate_reached(&s->c, v) && s->whole)
                snprintf(right, sizeof right, "%lld", (long long)s->whole[v]);
            else if (fri_candidate_reached(&s->c, v))
                snprintf(right, sizeof right, "%.9g", s->real[v]);
            return fri_fail(s->c.ctx, FR_VERIFY_FAILED,
                            "column %lld, target %s: the distance is wrong, it is %s", (long long)j,
                            target.text, right);
        }
        if (known->parent && !parent_is_right(s, j, v, source))
            return fri_fail(s->c.ctx, FR_VERIFY_FAILED,
                            "column %lld, target %s: the parent %s is on no shortest path",
                            (long long)j, target.text,
                            fri_verify_label(s->c.graph, known->parent[j]).text);
    }
    return FR_OK;
}

static fr_status check(search *s, int32_t source, bool unit_weights) {
    fr_status status = run(s, source);
    fr_query one = {.sources = &source, .source_count = 1};
    if (!status)
        status = fr_verify_sssp(s->c.ctx, s->c.graph, &one, unit_weights, s->c.dist, s->c.dist_type,
                                NULL);
    return status ? status : compare(s, source);
}

fr_status fri_verify_columns(const fri_candidate *known, int32_t source, bool unit_weights) {
    fr_ctx *ctx = known->ctx;
    const int64_t n = known->csr.n;
    search s = {
        .known = known, .c = *known, .queue = fri_alloc(ctx, fri_bytes(n, sizeof(int32_t)))};
    s.hops = s.queue ? fri_alloc(ctx, fri_bytes(n, sizeof(int32_t))) : NULL;
    s.queued = s.hops ? fri_alloc(ctx, (size_t)n) : NULL;
    void *dist = s.queued ? fri_alloc(ctx, fri_bytes(n, sizeof(double))) : NULL;
    s.c.dist = dist;
    s.c.parent = NULL;
    s.c.dist_type = known->exact ? FR_TYPE_I64 : FR_TYPE_F64;
    if (known->exact)
        s.whole = dist;
    else
        s.real = dist;
    if (dist && !known->exact)
        s.magnitude = fri_alloc(ctx, fri_bytes(n, sizeof(double)));
    bool enough = dist && (known->exact || s.magnitude);
    fr_status status = enough ? check(&s, source, unit_weights) : FR_NOMEM;
    fri_free(s.queue);
    fri_free(s.hops);
    fri_free(s.queued);
    fri_free(s.magnitude);
    fri_free(dist);
    return status;
}
