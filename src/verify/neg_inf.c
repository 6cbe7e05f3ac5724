/* Checks minus infinities: a vertex has one if and only if a negative cycle, which a source
 * reaches, reaches it.
 *
 * Source: the condition for shortest paths to exist (Cormen et al.: Introduction to Algorithms,
 *   section 24.1), with a search for cycles on the marked vertices only.
 * Rules: let A be the vertices marked as minus infinity.
 *     1  a source reaches every vertex of A;
 *     2  an edge from A leads into A;
 *     3  within A every vertex is reached from a negative cycle.
 * Why they allow the correct answer only: by 1 and 3 the distances of A have no lower bound. For
 * any other vertex that a reachable negative cycle reaches, 2 implies that the whole path to it and
 * the cycle are outside A, where the finite distances (verify/sssp.c, rule 3) allow no such cycle.
 * How 3 is checked: Bellman-Ford over A, with all vertices starting at 0. An edge that would close a
 * cycle of parents, found by following them, is not taken. If the cycle is negative, what it
 * reaches is proved and leaves the search; for floats by the rule of base/cycle_weight.h. When no distance
 * decreases any more, or after n rounds, no negative cycle reaches the remaining vertices.
 * Scratch: 29 n bytes. Work: n m in the worst case, times the edges of a path. One thread. */
#include "base/cycle_weight.h"
#include "verify/verify.h"

enum { OPEN = 1, WAITS = 2, SEEN = 4 };

typedef union { /* selected by fri_candidate.exact */
    __int128 whole;
    long double real;
} total;

typedef struct {
    const fri_candidate *c;
    total *sum;
    int32_t *parent, *queue, *stack;
    uint8_t
        *state; /* of a vertex: OPEN: in A and not proved; WAITS: in the queue; SEEN: by reach() */
    int64_t head, count;
} proof;

static fr_status fail(const fri_candidate *c, int32_t v, const char *message) {
    return fri_fail(c->ctx, FR_VERIFY_FAILED, "vertex %s (minus infinity): %s",
                    fri_verify_label(c->graph, v).text, message);
}

/* Marks all vertices that v reaches within A as proved, including v. */
static void mark_reachable(proof *p, int32_t v) {
    const fr_csr *csr = &p->c->csr;
    int64_t held = 0;
    p->stack[held++] = v;
    p->state[v] &= (uint8_t)~OPEN;
    p->parent[v] = -1;
    while (held) {
        int32_t u = p->stack[--held];
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int32_t to = csr->targets[e];
            if (!(p->state[to] & OPEN))
                continue;
            p->state[to] &= (uint8_t)~OPEN;
            p->parent[to] = -1;
            p->stack[held++] = to;
        }
    }
}

/* Whether v is u or one of its ancestors. */
static bool is_above(const proof *p, int32_t v, int32_t u) {
    while (u != v && p->parent[u] >= 0)
        u = p->parent[u];
    return u == v;
}

/* Whether the cycle of the edge u -> v and the path from v to u is negative; for integers it is, because
 * the edge lowers v. */
static bool is_negative(const proof *p, int32_t u, int32_t v) {
    const fri_candidate *c = p->c;
    fri_cycle_weight sum = {0};
    if (c->exact)
        return true;
    fri_cycle_weight_add(&sum, fri_candidate_weight(c, fri_verify_edge(&c->csr, u, v)));
    for (; u != v; u = p->parent[u])
        fri_cycle_weight_add(&sum,
                             fri_candidate_weight(c, fri_verify_edge(&c->csr, p->parent[u], u)));
    return fri_cycle_weight_is_negative(&sum, c->single);
}

static void push(proof *p, int32_t v) {
    int64_t at = p->head + p->count++, n = p->c->csr.n;
    p->queue[at < n ? at : at - n] = v;
    p->state[v] |= WAITS;
}

/* Whether edge e from u would lower v. */
static bool lowers(const proof *p, int32_t u, int64_t e, int32_t v) {
    if (u == v)
        return fri_candidate_weight(p->c, e) < 0;
    if (p->c->exact)
        return p->sum[u].whole + fri_candidate_weight_int(p->c, e) < p->sum[v].whole;
    return p->sum[u].real + (long double)fri_candidate_weight(p->c, e) < p->sum[v].real;
}

static void relax(proof *p, int32_t u) {
    const fr_csr *csr = &p->c->csr;
    for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1] && (p->state[u] & OPEN); e++) {
        int32_t v = csr->targets[e];
        if (!(p->state[v] & OPEN) || !lowers(p, u, e, v))
            continue;
        if (is_above(p, v, u)) {
            if (is_negative(p, u, v))
                mark_reachable(p, v);
            continue;
        }
        if (p->c->exact)
            p->sum[v].whole = p->sum[u].whole + fri_candidate_weight_int(p->c, e);
        else
            p->sum[v].real = p->sum[u].real + (long double)fri_candidate_weight(p->c, e);
        p->parent[v] = u;
        if (!(p->state[v] & WAITS))
            push(p, v);
    }
}

/* Rule 3. */
static fr_status find_causes(proof *p) {
    const fri_candidate *c = p->c;
    for (int32_t v = 0; v < c->csr.n; v++) {
        p->parent[v] = -1;
        if (c->exact)
            p->sum[v].whole = 0;
        else
            p->sum[v].real = 0;
        if (p->state[v] & OPEN)
            push(p, v);
    }
    int64_t round_end = p->count, rounds = 0;
    for (int64_t steps = 0; p->count && rounds <= c->csr.n; steps++) {
        int32_t u = p->queue[p->head];
        p->head = p->head + 1 < c->csr.n ? p->head + 1 : 0;
        p->count--;
        p->state[u] &= (uint8_t)~WAITS;
        if (p->state[u] & OPEN)
            relax(p, u);
        if (--round_end == 0) {
            round_end = p->count;
            rounds++;
        }
        if ((steps & 0xffff) == 0xffff && fri_progress(c->ctx, "checking", steps, 0))
            return FR_CANCELLED;
    }
    for (int32_t v = 0; v < c->csr.n; v++)
        if (p->state[v] & OPEN)
            return fail(c, v, "no negative cycle reaches it");
    return FR_OK;
}

/* Rule 1: a plain search from the sources. */
static fr_status reach(proof *p) {
    const fri_candidate *c = p->c;
    int64_t held = 0;
    for (int32_t v = 0; v < c->csr.n; v++)
        if (fri_bit_get(c->source_map, v)) {
            p->state[v] |= SEEN;
            p->stack[held++] = v;
        }
    while (held) {
        int32_t u = p->stack[--held];
        for (int64_t e = c->csr.offsets[u]; e < c->csr.offsets[u + 1]; e++) {
            int32_t v = c->csr.targets[e];
            if (p->state[v] & SEEN)
                continue;
            p->state[v] |= SEEN;
            p->stack[held++] = v;
        }
    }
    for (int32_t v = 0; v < c->csr.n; v++)
        if ((p->state[v] & (OPEN | SEEN)) == OPEN)
            return fail(c, v, "no source reaches it");
    return FR_OK;
}

/* Rule 2. */
static fr_status closed(const proof *p) {
    const fr_csr *csr = &p->c->csr;
    for (int32_t u = 0; u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; (p->state[u] & OPEN) && e < csr->offsets[u + 1]; e++)
            if (!(p->state[csr->targets[e]] & OPEN))
                return fri_fail(p->c->ctx, FR_VERIFY_FAILED,
                                "vertex %s: it is not at minus infinity, but its neighbor %s is",
                                fri_verify_label(p->c->graph, csr->targets[e]).text,
                                fri_verify_label(p->c->graph, u).text);
    return FR_OK;
}

static fr_status check(proof *p) {
    fr_status status = reach(p);
    if (!status)
        status = closed(p);
    return status ? status : find_causes(p);
}

fr_status fri_verify_neg_inf(const fri_candidate *c) {
    int64_t n = c->csr.n, neg_inf = 0;
    for (int32_t v = 0; v < n; v++)
        neg_inf += fri_candidate_is_neg_inf(c, v);
    if (!neg_inf)
        return FR_OK;
    size_t ids = fri_bytes(n, sizeof(int32_t));
    proof p = {.c = c,
               .sum = fri_alloc(c->ctx, fri_bytes(n, sizeof(total))),
               .parent = fri_alloc(c->ctx, ids),
               .queue = fri_alloc(c->ctx, ids),
               .stack = fri_alloc(c->ctx, ids),
               .state = fri_alloc(c->ctx, fri_bytes(n, 1))};
    fr_status status = p.sum && p.parent && p.queue && p.stack && p.state ? FR_OK : FR_NOMEM;
    for (int32_t v = 0; !status && v < n; v++)
        p.state[v] = fri_candidate_is_neg_inf(c, v) ? OPEN : 0;
    if (!status)
        status = check(&p);
    fri_free(p.sum);
    fri_free(p.parent);
    fri_free(p.queue);
    fri_free(p.stack);
    fri_free(p.state);
    return status;
}
