/* Parents for distances in floats for which the faster ones of verify/tight_forest.c do not hold: a
 * new shortest path tree.
 *
 * Idea: if weights are lost in rounding (d + w == d), two vertices may each look like the other's
 *   parent, and of several nearly tight edges the one of minimum gap may be on the longer path. No
 *   rule on single edges distinguishes these cases, so the paths themselves are compared:
 *   Dijkstra's search from the roots over all reached vertices, by length in double. A vertex is
 *   settled once, by one that was settled before, so that no cycle can support itself: a vertex
 *   that no root reaches gets no parent.
 * Why a correct answer passes: without negative weights the computed length is the distance, except
 * for the rounding of its own sum, and the candidate may differ from it by the tolerance of that
 * path. With negative weights vertices are ordered by the excess of the length over the candidate:
 * by rule 3 of verify/sssp.c no edge lowers it by more than rounding, so Dijkstra's argument holds.
 * Why a wrong one fails: the lengths belong to real paths, and are later compared with the
 * candidate.
 * Scratch: 16 n bytes. Work: m log n. One thread. */
#include "verify/verify.h"

enum { UNSEEN = -1, SETTLED = -2 };

typedef struct {
    const fri_candidate *c;
    double *length; /* [n] of the best path found */
    int32_t *heap;  /* [n] binary heap, the minimum first */
    int32_t *place; /* [n] position in the heap, or UNSEEN, SETTLED */
    int32_t count;
} search;

static double key(const search *s, int32_t v) {
    return s->c->negative ? s->length[v] - fri_candidate_float(s->c, v) : s->length[v];
}

static void put(search *s, int32_t at, int32_t v) {
    s->heap[at] = v;
    s->place[v] = at;
}

static void sift_up(search *s, int32_t v) {
    int32_t at = s->place[v];
    double mine = key(s, v);
    for (; at > 0 && key(s, s->heap[(at - 1) / 2]) > mine; at = (at - 1) / 2)
        put(s, at, s->heap[(at - 1) / 2]);
    put(s, at, v);
}

static int32_t take_nearest(search *s) {
    int32_t minimum = s->heap[0], last = s->heap[--s->count];
    int64_t at = 0, child = 1;
    double mine = key(s, last);
    for (; child < s->count; at = child, child = 2 * at + 1) {
        if (child + 1 < s->count && key(s, s->heap[child + 1]) < key(s, s->heap[child]))
            child++;
        if (key(s, s->heap[child]) >= mine)
            break;
        put(s, (int32_t)at, s->heap[child]);
    }
    put(s, (int32_t)at, last);
    s->place[minimum] = SETTLED;
    return minimum;
}

static void offer(search *s, int32_t v, double length, int32_t u, int32_t *parent) {
    if (s->place[v] == SETTLED || (s->place[v] != UNSEEN && length >= s->length[v]))
        return;
    if (s->place[v] == UNSEEN)
        s->place[v] = s->count++;
    s->length[v] = length;
    parent[v] = u;
    sift_up(s, v);
}

static fr_status run(search *s, int32_t *parent) {
    const fri_candidate *c = s->c;
    for (int32_t v = 0; v < c->csr.n; v++) {
        parent[v] = -1;
        s->place[v] = UNSEEN;
    }
    for (int32_t v = 0; v < c->csr.n; v++)
        if (fri_candidate_is_root(c, v))
            offer(s, v, 0, v, parent);
    for (int64_t steps = 1; s->count; steps++) {
        int32_t u = take_nearest(s);
        for (int64_t e = c->csr.offsets[u]; e < c->csr.offsets[u + 1]; e++)
            if (fri_candidate_reached(c, c->csr.targets[e]))
                offer(s, c->csr.targets[e], s->length[u] + fri_candidate_weight(c, e), u, parent);
        if ((steps & 0xffff) == 0 && fri_progress(c->ctx, "checking", steps, 0))
            return FR_CANCELLED;
    }
    return FR_OK;
}

fr_status fri_verify_paths(const fri_candidate *c, int32_t *parent, int32_t *lost) {
    int64_t n = c->csr.n;
    search s = {.c = c,
                .length = fri_alloc(c->ctx, fri_bytes(n, sizeof(double))),
                .heap = fri_alloc(c->ctx, fri_bytes(n, sizeof(int32_t))),
                .place = fri_alloc(c->ctx, fri_bytes(n, sizeof(int32_t)))};
    fr_status status = s.length && s.heap && s.place ? run(&s, parent) : FR_NOMEM;
    *lost = -1;
    for (int32_t v = c->csr.n - 1; !status && v >= 0; v--)
        if (parent[v] < 0 && fri_candidate_reached(c, v))
            *lost = v;
    fri_free(s.length);
    fri_free(s.heap);
    fri_free(s.place);
    return status;
}
