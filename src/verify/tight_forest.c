/* Finds parents for distances without parents: each reached vertex gets one that accounts for its
 * distance.
 *
 * Idea: an edge u -> v is tight if dist[u] + weight is dist[v]. Without negative weights, a tight
 *   edge from a smaller distance is a valid parent immediately. Vertices that only have tight edges
 *   from an equal distance (zero weights, or weights lost in a float's rounding) are found by a
 *   breadth-first search from the vertices that have a parent. With negative weights all vertices
 *   are found by this search, from the roots.
 * Integers: any tight edge is valid, and no cycle can support itself: tight edges never lead to a
 *   smaller distance, so a vertex's own parent never depends on vertices found from it.
 * Floats: first only edges without a gap count, which a strategy that adds up paths from the source on leaves
 *   to every vertex; then the minimum gap wins, then the minimum vertex. An edge may count as tight although it
 *   leads to a distance that is smaller by rounding, so cycles of parents are possible, and the
 *   minimum gap may be on a longer path; for floats the caller checks the forest and falls back to
 *   verify/paths.c.
 * Scratch: 8 n bytes of keys, one byte and two ids per vertex. Work: n + m. Barriers: two per
 *   search level. */
#include "verify/verify.h"

#include <math.h>

static const uint64_t NONE = UINT64_MAX;

typedef struct {
    const fri_candidate *c;
    uint64_t *key;     /* [n] gap of the best edge found (a float's bits), then its source */
    uint8_t *settled;  /* [n] whether its key is final */
    int32_t *queue[2]; /* [n] each */
    bool strict;       /* floats: only edges whose sum in the type of the distances has no gap */
    fri_pace pace;
} search;

/* The gap of the edge, as a float to order by; negative: the edge is no candidate. */
static float gap(const search *s, int32_t u, int64_t e, int32_t v) {
    const fri_candidate *c = s->c;
    if (c->exact)
        return fri_candidate_is_tight(c, u, e, v) ? 0.0f : -1.0f;
    double from = fri_candidate_float(c, u), w = fri_candidate_weight(c, e),
           to = fri_candidate_float(c, v);
    double scale = fabs(from) + fabs(w) + (c->negative ? c->max_abs_weight : 0);
    double sum = c->dist_type == FR_TYPE_F32 ? (double)(float)(from + w) : from + w;
    if (sum == to || s->strict)
        return sum == to ? 0.0f : -1.0f;
    double difference = fabs(from + w - to);
    return difference <= 1e-4 * scale ? (float)difference : -1.0f;
}

static bool farther(const fri_candidate *c, int32_t v, int32_t u) {
    return c->exact ? fri_candidate_int(c, v) > fri_candidate_int(c, u)
                    : fri_candidate_float(c, v) > fri_candidate_float(c, u);
}

/* True for the first offer to v. Relaxed: keys are only read after the end of the region. */
static bool offer(search *s, int32_t v, float gap_of_edge, int32_t u) {
    union {
        float f;
        uint32_t bits; /* ordered like the float, which is not negative */
    } g = {gap_of_edge};
    uint64_t mine = (uint64_t)g.bits << 32 | (uint32_t)u;
    uint64_t seen = __atomic_load_n(&s->key[v], __ATOMIC_RELAXED);
    while (mine < seen)
        if (__atomic_compare_exchange_n(&s->key[v], &seen, mine, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return seen == NONE;
    return false;
}

static void support_from_below(search *s) {
    const fri_candidate *c = s->c;
    const int threads = fri_threads_for(c->ctx, c->ctx->threads, 2 * (c->csr.n + c->csr.m));
#pragma omp parallel for schedule(FRI_DYNAMIC, 1024) num_threads(threads)
    for (int32_t u = 0; u < c->csr.n; u++) {
        int64_t work = c->csr.offsets[u + 1] - c->csr.offsets[u] + 1;
        if (!fri_candidate_reached(c, u) || FRI_PACE_STOP_LOOP(&s->pace, work, u))
            continue;
        for (int64_t e = c->csr.offsets[u]; e < c->csr.offsets[u + 1]; e++) {
            int32_t v = c->csr.targets[e];
            float g = farther(c, v, u) ? gap(s, u, e, v) : -1.0f;
            if (g >= 0)
                offer(s, v, g, u);
        }
    }
}

/* Offers u to the unsettled neighbors and queues those that get their first offer. */
static void extend(search *s, int32_t u, int32_t *queue, int64_t *tail) {
    const fri_candidate *c = s->c;
    if (FRI_PACE_STOP_LOOP(&s->pace, c->csr.offsets[u + 1] - c->csr.offsets[u] + 1, u))
        return;
    for (int64_t e = c->csr.offsets[u]; e < c->csr.offsets[u + 1]; e++) {
        int32_t v = c->csr.targets[e];
        if (s->settled[v] || !fri_candidate_reached(c, v))
            continue;
        float g = gap(s, u, e, v);
        if (g >= 0 && offer(s, v, g, u))
            queue[__atomic_fetch_add(tail, 1, __ATOMIC_RELAXED)] = v;
    }
}

static void breadth_first(search *s, int64_t count) {
    fr_ctx *ctx = s->c->ctx;
    const int all = ctx->threads;
    for (int side = 0; count; side ^= 1) {
        int64_t next = 0;
#pragma omp parallel for schedule(FRI_DYNAMIC, 64)                                                 \
    num_threads(fri_threads_for(ctx, all, 32 * count))
        for (int64_t i = 0; i < count; i++)
            extend(s, s->queue[side][i], s->queue[!side], &next);
#pragma omp parallel for num_threads(fri_threads_for(ctx, all, 4 * next))
        for (int64_t i = 0; i < next; i++) /* only now: the keys of a level are final at its end */
            s->settled[s->queue[!side][i]] = 1;
        count = next;
    }
}

/* A search from all vertices that have a parent. */
static void extend_all(search *s) {
    const fri_candidate *c = s->c;
    int64_t start = 0, reached = 0;
    for (int32_t v = 0; v < c->csr.n; v++) {
        s->settled[v] = s->key[v] != NONE;
        if (s->settled[v])
            s->queue[0][start++] = v;
        reached += fri_candidate_reached(c, v);
    }
    if (start < reached)
        breadth_first(s, start);
}

static void run(search *s, int32_t *parent, int32_t *lost) {
    const fri_candidate *c = s->c;
    for (int32_t v = 0; v < c->csr.n; v++)
        s->key[v] = NONE;
    if (!c->negative)
        support_from_below(s);
    for (int32_t v = 0; v < c->csr.n; v++)
        if (fri_candidate_is_root(c, v))
            s->key[v] = (uint32_t)v;
    s->strict = !c->exact;
    extend_all(s);
    s->strict = false;
    if (!c->exact)
        extend_all(s);
    *lost = -1;
    for (int32_t v = c->csr.n - 1; v >= 0; v--) {
        parent[v] = s->settled[v] ? (int32_t)(s->key[v] & INT32_MAX) : -1;
        if (!s->settled[v] && fri_candidate_reached(c, v))
            *lost = v;
    }
}

fr_status fri_verify_tight_forest(const fri_candidate *c, int32_t *parent, int32_t *lost) {
    int64_t n = c->csr.n;
    search s = {.c = c,
                .pace = fri_pace_begin(c->ctx, "checking", c->csr.n),
                .key = fri_alloc(c->ctx, fri_bytes(n, sizeof(uint64_t))),
                .settled = fri_alloc(c->ctx, fri_bytes(n, 1)),
                .queue = {fri_alloc(c->ctx, fri_bytes(n, sizeof(int32_t))),
                          fri_alloc(c->ctx, fri_bytes(n, sizeof(int32_t)))}};
    fr_status status = s.key && s.settled && s.queue[0] && s.queue[1] ? FR_OK : FR_NOMEM;
    if (!status)
        run(&s, parent, lost);
    if (!status)
        status = s.pace.status;
    fri_free(s.key);
    fri_free(s.settled);
    fri_free(s.queue[0]);
    fri_free(s.queue[1]);
    return status;
}
