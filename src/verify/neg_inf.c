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
 * How 3 is checked: Bellman-Ford over A, with all vertices starting at 0. Negative cycles of
 * parents are searched for after |A| / 4 relaxations and then at doubling intervals; what they
 * reach is proved and leaves the search. When no distance decreases any more, no negative cycle
 * reaches the remaining vertices.
 * Scratch: 33 n bytes. Work: n m in the worst case. One thread.
 */
#include "verify/verify.h"

enum { OPEN = 1, WAITS = 2 };

typedef union { /* selected by fri_candidate.exact */
    __int128 whole;
    long double real;
} total;

typedef struct {
    const fri_candidate *c;
    total *sum;
    int32_t *parent, *queue, *stack, *mark;
    uint8_t *state; /* of a vertex: OPEN: in A and not proved; WAITS: in the queue */
    int64_t head, count, until_walk, interval;
    long double slack; /* floats: the minimum relative decrease that counts; 0 until rounding
                          closes a cycle */
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

static void judge_cycle(proof *p, int32_t start) {
    long double real = 0;
    __int128 whole = 0;
    int32_t v = start;
    do {
        int64_t e = fri_verify_edge(&p->c->csr, p->parent[v], v);
        if (p->c->exact)
            whole += fri_candidate_weight_int(p->c, e);
        else
            real += (long double)fri_candidate_weight(p->c, e);
        v = p->parent[v];
    } while (v != start);
    if (p->c->exact ? whole < 0 : real < 0)
        mark_reachable(p, start);
    else
        p->slack = 1e-14L;
}

static void walk(proof *p) {
    int32_t n = p->c->csr.n;
    for (int32_t v = 0; v < n; v++)
        p->mark[v] = -1;
    for (int32_t start = 0; start < n; start++) {
        int32_t v = start;
        while (p->mark[v] < 0) {
            p->mark[v] = start;
            if (p->parent[v] < 0)
                break;
            v = p->parent[v];
            if (p->mark[v] == start)
                judge_cycle(p, v);
        }
    }
    p->interval *= 2;
    p->until_walk = p->interval;
}

static void push(proof *p, int32_t v) {
    int64_t at = p->head + p->count++, n = p->c->csr.n;
    p->queue[at < n ? at : at - n] = v;
    p->state[v] |= WAITS;
}

/* Lowers v through edge e from u; false: v is already as low. */
static bool lower(proof *p, int32_t u, int64_t e, int32_t v) {
    if (p->c->exact) {
        __int128 s = p->sum[u].whole + fri_candidate_weight_int(p->c, e);
        if (s >= p->sum[v].whole)
            return false;
        p->sum[v].whole = s;
        return true;
    }
    long double s = p->sum[u].real + (long double)fri_candidate_weight(p->c, e),
                old = p->sum[v].real;
    if (!(s < old - p->slack * (old < 0 ? -old : old)))
        return false;
    p->sum[v].real = s;
    return true;
}

static void relax(proof *p, int32_t u) {
    const fr_csr *csr = &p->c->csr;
    for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
        int32_t v = csr->targets[e];
        if (!(p->state[v] & OPEN))
            continue;
        if (!lower(p, u, e, v))
            continue;
        p->parent[v] = u;
        p->until_walk--;
        if (!(p->state[v] & WAITS))
            push(p, v);
        if (u == v)
            return; /* a negative self-loop: left to the cycle search */
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
    p->interval = p->until_walk = p->count / 4 + 64;
    for (int64_t steps = 0; p->count; steps++) {
        int32_t u = p->queue[p->head];
        p->head = p->head + 1 < c->csr.n ? p->head + 1 : 0;
        p->count--;
        p->state[u] &= (uint8_t)~WAITS;
        if (p->state[u] & OPEN)
            relax(p, u);
        if (p->until_walk <= 0)
            walk(p);
        if ((steps & 0xffff) == 0xffff && fri_progress(c->ctx, "checking", steps, 0))
            return FR_CANCELLED;
    }
    for (int32_t v = 0; v < c->csr.n; v++)
        if (p->state[v] & OPEN)
            return fail(c, v, "no negative cycle reaches it");
    return FR_OK;
}

/* Rule 1: a plain search from the sources; `mark` contains the visited vertices. */
static fr_status reach(proof *p) {
    const fri_candidate *c = p->c;
    int64_t held = 0;
    for (int32_t v = 0; v < c->csr.n; v++) {
        p->mark[v] = fri_bit_get(c->source_map, v);
        if (p->mark[v])
            p->stack[held++] = v;
    }
    while (held) {
        int32_t u = p->stack[--held];
        for (int64_t e = c->csr.offsets[u]; e < c->csr.offsets[u + 1]; e++) {
            int32_t v = c->csr.targets[e];
            if (p->mark[v])
                continue;
            p->mark[v] = 1;
            p->stack[held++] = v;
        }
    }
    for (int32_t v = 0; v < c->csr.n; v++)
        if ((p->state[v] & OPEN) && !p->mark[v])
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
               .mark = fri_alloc(c->ctx, ids),
               .state = fri_alloc(c->ctx, fri_bytes(n, 1))};
    fr_status status =
        p.sum && p.parent && p.queue && p.stack && p.mark && p.state ? FR_OK : FR_NOMEM;
    for (int32_t v = 0; !status && v < n; v++)
        p.state[v] = fri_candidate_is_neg_inf(c, v) ? OPEN : 0;
    if (!status)
        status = check(&p);
    fri_free(p.sum);
    fri_free(p.parent);
    fri_free(p.queue);
    fri_free(p.stack);
    fri_free(p.mark);
    fri_free(p.state);
    return status;
}
