/* Checks a row of which only some values are known: the columns of a query for all pairs, or, where a
 * weight is negative, the values within a limit.
 *
 * Idea: the missing values are computed by a search of the checker's own (M. Bellman, On a routing
 *   problem, 1958; with a queue, as E. F. Moore, 1959), and this whole row is checked like any other
 *   (floats: verify/sssp.c; integers: check_whole()), so that nothing depends on that search. The known
 *   values must be its values: integers exactly, floats up to the doubt about them. A parent must have an
 *   edge that accounts for the value; in a row of all vertices the parents must not form a cycle.
 * Integers: in 128 bits, since a path may leave 64 where no value is known, and return.
 * Floats: an edge that would close a cycle of parents is not taken, unless the cycle is negative
 *   (base/cycle_weight.h), and after n rounds only rounding lowers a sum. The doubt about a value is the
 *   largest tolerance (verify/sssp.c) of a path that may be the shortest: rounding decides which one a
 *   strategy takes.
 * Work: at worst n m, for floats times the edges of a path; typically a few times m. Scratch: 45 n bytes.
 */
#include "base/cycle_weight.h"
#include "verify/verify.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const fri_candidate *known; /* of the columns */
    fri_candidate c;            /* the whole row; floats: dist is `real` */
    __int128 *whole;            /* [n] exact distances; NULL: floats */
    double *real;               /* [n] the other ones */
    double *magnitude;          /* [n] floats: sum of the absolute weights of the path */
    double *doubt;              /* [n] floats: how far a right value may be away */
    int32_t *parent;            /* [n] floats: of the path */
    const int32_t *sources;
    int64_t source_count;
    bool is_row;     /* column j is vertex j */
    int32_t *hops;   /* [n] edges of the path */
    int32_t *queue;  /* [n] a ring */
    uint8_t *queued; /* [n] */
} search;

static const __int128 UNFOUND = (__int128)1 << 126; /* above every sum of n weights */

static bool is_found(const search *s, int32_t v) {
    return s->whole ? s->whole[v] != UNFOUND : isfinite(s->real[v]);
}

static fr_status fail_cycle(const search *s) {
    return fri_fail(s->c.ctx, FR_VERIFY_FAILED,
                    "source %s reaches a negative cycle, where no distance is right",
                    fri_verify_label(s->c.graph, s->sources[0]).text);
}

/* Whether the edge from u to v closes a cycle of parents; *negative: and the cycle is negative. */
static bool closes_cycle(const search *s, int32_t u, int32_t v, bool *negative) {
    const fri_candidate *c = &s->c;
    fri_cycle_weight sum = {0};
    int32_t at = u;
    *negative = false;
    for (; at != v && s->parent[at] != at; at = s->parent[at])
        ;
    if (at != v)
        return false;
    fri_cycle_weight_add(&sum, fri_candidate_weight(c, fri_verify_edge(&c->csr, u, v)));
    for (at = u; at != v; at = s->parent[at])
        fri_cycle_weight_add(&sum,
                             fri_candidate_weight(c, fri_verify_edge(&c->csr, s->parent[at], at)));
    *negative = fri_cycle_weight_is_negative(&sum, c->single);
    return true;
}

/* Lowers v's distance over edge e, if it does. */
static fr_status relax(search *s, int32_t u, int64_t e, int32_t v, bool *lowered) {
    *lowered = false;
    if (s->whole) {
        __int128 sum = s->whole[u] + fri_candidate_weight_int(&s->c, e);
        *lowered = sum < s->whole[v];
        s->whole[v] = FRI_MIN(s->whole[v], sum);
    } else {
        double w = fri_candidate_weight(&s->c, e), sum = s->real[u] + w;
        bool negative = false;
        *lowered = (sum < s->real[v] || (u == v && w < 0)) &&
                   !(s->c.negative && closes_cycle(s, u, v, &negative));
        if (negative)
            return fail_cycle(s);
        if (*lowered) {
            s->real[v] = sum;
            s->magnitude[v] = FRI_MIN(s->magnitude[u] + fabs(w), DBL_MAX);
            s->parent[v] = u;
        }
    }
    if (*lowered)
        s->hops[v] = s->hops[u] + 1;
    return s->whole && *lowered && s->hops[v] >= s->c.csr.n ? fail_cycle(s) : FR_OK;
}

static void push(search *s, int32_t head, int32_t *count, int32_t v) {
    if (s->queued[v])
        return;
    s->queued[v] = 1;
    int64_t place = (int64_t)head + (*count)++;
    s->queue[place < s->c.csr.n ? place : place - s->c.csr.n] = v;
}

static int32_t pop(search *s, int32_t *head, int32_t *count) {
    int32_t u = s->queue[*head];
    *head = *head + 1 < s->c.csr.n ? *head + 1 : 0;
    --*count;
    s->queued[u] = 0;
    return u;
}

static void start(search *s, int32_t *count) {
    for (int32_t v = 0; v < s->c.csr.n; v++) {
        s->queued[v] = 0;
        s->hops[v] = 0;
        if (s->whole)
            s->whole[v] = UNFOUND;
        else {
            s->real[v] = (double)INFINITY;
            s->magnitude[v] = 0;
            s->parent[v] = v;
        }
    }
    for (int64_t i = 0; i < s->source_count; i++) {
        int32_t source = s->sources[i];
        if (s->is_row && fri_candidate_is_neg_inf(s->known, source))
            continue;
        if (s->whole)
            s->whole[source] = 0;
        else
            s->real[source] = 0;
        push(s, 0, count, source);
    }
}

static fr_status run(search *s) {
    const fr_csr *csr = &s->c.csr;
    int32_t head = 0, count = 0, rounds = 0;
    fri_pace pace = fri_pace_begin(s->c.ctx, "checking", 0);
    start(s, &count);
    for (int32_t round_end = count; count && rounds <= csr->n; round_end--) {
        if (round_end == 0) {
            round_end = count;
            rounds++;
        }
        int32_t u = pop(s, &head, &count);
        if (fri_pace_stop(&pace, csr->offsets[u + 1] - csr->offsets[u] + 1, 0))
            return pace.status;
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int32_t v = csr->targets[e];
            bool lowered;
            if (s->is_row && fri_candidate_is_neg_inf(s->known, v))
                continue; /* final; verify/neg_inf.c has checked it */
            fr_status status = relax(s, u, e, v, &lowered);
            if (status)
                return status;
            if (lowered)
                push(s, head, &count, v);
        }
    }
    return FR_OK;
}

/* Integers: no edge leads to a smaller distance, and edges that account for distances lead from sources at 0 to
 * every vertex that is found, as verify/sssp.c has it. */
static fr_status check_whole(const search *s) {
    const fr_csr *csr = &s->c.csr;
    int32_t count = 0, found = 0;
    fri_pace pace = fri_pace_begin(s->c.ctx, "checking", 0);
    memset(s->queued, 0, (size_t)csr->n);
    for (int64_t i = 0; i < s->source_count; i++)
        if (s->whole[s->sources[i]] == 0 && !s->queued[s->sources[i]]) {
            s->queued[s->sources[i]] = 1;
            s->queue[count++] = s->sources[i];
        }
    for (int32_t head = 0; head < count; head++) {
        int32_t u = s->queue[head];
        if (fri_pace_stop(&pace, csr->offsets[u + 1] - csr->offsets[u] + 1, 0))
            return pace.status;
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int32_t v = csr->targets[e];
            __int128 sum = s->whole[u] + fri_candidate_weight_int(&s->c, e);
            if (s->is_row && fri_candidate_is_neg_inf(s->known, v))
                continue;
            if (sum < s->whole[v])
                return fail_cycle(s);
            if (sum == s->whole[v] && !s->queued[v]) {
                s->queued[v] = 1;
                s->queue[count++] = v;
            }
        }
    }
    for (int32_t v = 0; v < csr->n; v++)
        found += is_found(s, v);
    return found == count ? FR_OK : fail_cycle(s);
}

/* Floats: the doubts, which spread along every edge that may be on a shortest path. Each is one of at most
 * m tolerances, and they only rise. */
static fr_status find_doubts(search *s) {
    const fr_csr *csr = &s->c.csr;
    int32_t head = 0, count = 0; /* the search may have left vertices in the queue */
    fri_pace pace = fri_pace_begin(s->c.ctx, "checking", 0);
    memset(s->queued, 0, (size_t)csr->n);
    for (int32_t v = 0; v < csr->n; v++) {
        s->doubt[v] = fri_candidate_tolerance(s->known, s->hops[v]) * s->magnitude[v];
        if (isfinite(s->real[v]))
            push(s, head, &count, v);
    }
    while (count) {
        int32_t u = pop(s, &head, &count);
        if (fri_pace_stop(&pace, csr->offsets[u + 1] - csr->offsets[u] + 1, 0))
            return pace.status;
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int32_t v = csr->targets[e];
            double w = fri_candidate_weight(&s->c, e);
            double doubt = fri_candidate_tolerance(s->known, s->hops[u] + 1) *
                           FRI_MIN(s->magnitude[u] + fabs(w), DBL_MAX);
            doubt = FRI_MAX(doubt, s->doubt[u]);
            if (!(doubt > s->doubt[v]) || s->real[u] + w - doubt > s->real[v])
                continue;
            s->doubt[v] = doubt;
            push(s, head, &count, v);
        }
    }
    return FR_OK;
}

static bool is_within(const search *s, const fr_query *q, int32_t v) {
    if (s->whole)
        return s->whole[v] <= fri_verify_cap(q);
    return !fri_limits_distance(q) || s->real[v] <= q->max_distance;
}

static bool is_float_near(const search *s, int32_t v, double value) {
    return fabs(value - s->real[v]) <= s->doubt[v];
}

/* A float within rounding of the limit may be cut or kept. */
static bool is_at_limit(const search *s, const fr_query *q, int32_t v) {
    return fri_limits_distance(q) && is_float_near(s, v, q->max_distance);
}

/* Column j is vertex v. */
static bool value_is_right(const search *s, int64_t j, int32_t v) {
    const fri_candidate *known = s->known;
    const fr_query *q = known->query;
    bool reached = fri_candidate_reached(known, (int32_t)j);
    if (s->whole) {
        bool kept = is_found(s, v) && is_within(s, q, v);
        return kept ? reached && fri_candidate_int(known, (int32_t)j) == s->whole[v] : !reached;
    }
    bool finite = is_found(s, v);
    if (!reached)
        return !finite || !is_within(s, q, v) || is_at_limit(s, q, v);
    return finite && is_float_near(s, v, fri_candidate_float(known, (int32_t)j)) &&
           (is_within(s, q, v) || is_at_limit(s, q, v));
}

/* Whether v is a source where paths begin: not one that another reaches at a negative distance. */
static bool is_root(const search *s, int64_t j, int32_t v) {
    bool source = false;
    for (int64_t i = 0; i < s->source_count && !source && !s->is_row; i++)
        source = s->sources[i] == v;
    return s->is_row ? fri_candidate_is_root(s->known, v)
                     : source && (s->whole ? s->whole[v] == 0
                                           : fri_candidate_float(s->known, (int32_t)j) == 0);
}

static bool parent_is_right(const search *s, int64_t j, int32_t v) {
    const fri_candidate *known = s->known;
    int32_t p = known->parent[j];
    if (!fri_candidate_reached(known, (int32_t)j))
        return p == -1;
    if (is_root(s, j, v))
        return p == v;
    int64_t e = p >= 0 && p < s->c.csr.n && p != v ? fri_verify_edge(&s->c.csr, p, v) : -1;
    if (e < 0 || !is_found(s, p))
        return false;
    if (s->whole)
        return s->whole[p] + fri_candidate_weight_int(&s->c, e) == s->whole[v];
    double w = fri_candidate_weight(&s->c, e);
    double slack = fri_candidate_tolerance(s->known, s->hops[p] + 1) *
                   FRI_MIN(s->magnitude[p] + fabs(w), DBL_MAX);
    return fabs(s->real[p] + w - s->real[v]) <= FRI_MAX(slack, s->doubt[p]) + s->doubt[v];
}

/* A vertex of the row whose chain of parents is a cycle; -1: none. Chains may end at a vertex beyond the
 * limit. `hops` is not in use any more. */
static int32_t find_parent_cycle(const search *s) {
    const int32_t *parent = s->known->parent, n = s->c.csr.n;
    int32_t *walk = s->queue;
    for (int32_t v = 0; v < n; v++)
        walk[v] = -1;
    for (int32_t start = 0; start < n; start++) {
        int32_t v = start;
        for (; parent[v] >= 0 && parent[v] != v && walk[v] < 0; v = parent[v])
            walk[v] = start;
        if (parent[v] >= 0 && parent[v] != v && walk[v] == start)
            return v;
    }
    return -1;
}

typedef struct {
    char text[80];
} place;

/* "column 3, target 17" or "vertex 17" */
static place place_of(const search *s, int64_t j, int32_t v) {
    place at;
    fri_label target = fri_verify_label(s->c.graph, v);
    if (s->is_row)
        snprintf(at.text, sizeof at.text, "vertex %s", target.text);
    else
        snprintf(at.text, sizeof at.text, "column %lld, target %s", (long long)j, target.text);
    return at;
}

static fr_status compare(const search *s) {
    const fri_candidate *known = s->known;
    const fr_query *q = known->query;
    const int64_t width = s->is_row ? s->c.csr.n : q->target_count;
    for (int64_t j = 0; j < width; j++) {
        int32_t v = s->is_row ? (int32_t)j : q->targets[j];
        if (s->is_row && fri_candidate_is_neg_inf(known, v)) {
            if (known->parent && known->parent[j] != -1)
                return fri_verify_fail(known, v, "a vertex at minus infinity has a parent");
            continue;
        }
        if (!value_is_right(s, j, v)) {
            char right[40] = "unreached";
            if (!is_within(s, q, v))
                snprintf(right, sizeof right, "beyond the limit");
            else if (is_found(s, v) && s->whole)
                snprintf(right, sizeof right, "%s", fri_verify_sum(s->whole[v]).text);
            else if (is_found(s, v))
                snprintf(right, sizeof right, "%.9g", s->real[v]);
            return fri_fail(s->c.ctx, FR_VERIFY_FAILED, "%s: the distance is wrong, it is %s",
                            place_of(s, j, v).text, right);
        }
        if (known->parent && !parent_is_right(s, j, v))
            return fri_fail(s->c.ctx, FR_VERIFY_FAILED, "%s: the parent %s is on no shortest path",
                            place_of(s, j, v).text,
                            fri_verify_label(s->c.graph, known->parent[j]).text);
    }
    int32_t cyclic = s->is_row && known->parent ? find_parent_cycle(s) : -1;
    return cyclic < 0
               ? FR_OK
               : fri_verify_fail(known, cyclic, "the chain of parents does not end at a source");
}

/* Floats: the whole row by the rules of any other. */
static fr_status check_real(search *s) {
    fr_query one = {.sources = s->sources,
                    .source_count = s->source_count,
                    .mark_negative_cycles = s->is_row && s->known->marks_cycles};
    for (int32_t v = 0; one.mark_negative_cycles && v < s->c.csr.n; v++)
        if (fri_candidate_is_neg_inf(s->known, v))
            s->real[v] = -(double)INFINITY;
    for (int32_t v = 0; v < s->c.csr.n; v++)
        if (!is_found(s, v))
            s->parent[v] = -1;
    s->c.parent = s->parent;
    fr_status status = fri_verify_row(&s->c, &one);
    return status ? status : find_doubts(s);
}

static fr_status check(search *s) {
    fr_status status = run(s);
    if (!status)
        status = s->whole ? check_whole(s) : check_real(s);
    return status ? status : compare(s);
}

static fr_status search_and_check(search *s) {
    const fri_candidate *known = s->known;
    fr_ctx *ctx = known->ctx;
    const int64_t n = known->csr.n;
    const size_t sums = fri_bytes(n, sizeof(double)), ids = fri_bytes(n, sizeof(int32_t));
    fri_verify_weights(&s->c);
    s->queue = fri_alloc(ctx, ids);
    s->hops = s->queue ? fri_alloc(ctx, ids) : NULL;
    s->queued = s->hops ? fri_alloc(ctx, (size_t)n) : NULL;
    void *dist = s->queued ? fri_alloc(ctx, known->exact ? 2 * sums : sums) : NULL;
    if (known->exact)
        s->whole = dist;
    else
        s->c.dist = s->real = dist;
    s->c.dist_type = FR_TYPE_F64;
    s->magnitude = dist && !known->exact ? fri_alloc(ctx, sums) : NULL;
    s->doubt = s->magnitude ? fri_alloc(ctx, sums) : NULL;
    s->parent = s->doubt ? fri_alloc(ctx, ids) : NULL;
    fr_status status = dist && (known->exact || s->parent) ? check(s) : FR_NOMEM;
    fri_free(s->queue);
    fri_free(s->hops);
    fri_free(s->queued);
    fri_free(s->magnitude);
    fri_free(s->doubt);
    fri_free(s->parent);
    fri_free(dist);
    return status;
}

fr_status fri_verify_columns(const fri_candidate *known, int32_t source) {
    search s = {.known = known, .c = *known, .sources = &source, .source_count = 1};
    return search_and_check(&s);
}

fr_status fri_verify_within(const fri_candidate *known) {
    search s = {.known = known,
                .c = *known,
                .sources = known->query->sources,
                .source_count = known->query->source_count,
                .is_row = true};
    return search_and_check(&s);
}
