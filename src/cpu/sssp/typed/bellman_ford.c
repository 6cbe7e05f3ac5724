/* Bellman-Ford with a queue: any weights; a negative cycle is found soon after it closes.
 *
 * Source: R. Sedgewick, K. Wayne: Algorithms, 4th ed., Addison-Wesley 2011, section 4.4
 *   (queue-based Bellman-Ford); E. F. Moore 1957; subtrees: R. E. Tarjan: Shortest paths, AT&T Bell
 *   Laboratories 1981, in B. V. Cherkassky, A. V. Goldberg: Negative-cycle detection algorithms,
 *   Mathematical Programming 85, 1999.
 * Idea: only a vertex whose distance decreased can decrease another one; such vertices wait in a
 *   FIFO queue. The paths so far are a forest. When a vertex gets a nearer place, all below it
 *   lose theirs, because they will get nearer ones, and leave the queue; if the end of its new path is
 *   among them, the path closes a cycle. So a negative cycle is found when it closes, a distance in
 *   the forest is always the length of the path there, and there are at most n rounds.
 *   With `subtrees=0` none leaves: the queue alone, as Sedgewick, Wayne and H-BF (Busato, Bombieri, TPDS 27(8),
 *   2016, section 4) have it. A negative cycle shows in the parents, or after n rounds; then a search with the
 *   forest answers. So does it always where a float is negative, since rounding may close other cycles.
 * Differs: integers are summed in 64 bits, int64 weights in 128, whatever the output type, so that no
 *   sum wraps along a cycle. Floats: a cycle that is not negative by the rule of base/cycle_weight.h
 *   comes from rounding and is not closed; a vertex without a place also takes one that is as near as its
 *   last one, since rounding may hide the decrease. So float distances are lengths of paths without
 *   cycles, each summed from its source on, whatever the cycles of weight 0. With targets the whole
 *   graph is solved and, where a weight is negative, kept: no distance is final early. If the query marks
 *   negative cycles, the distance of the vertices that one reaches is set to minus infinity, which is
 *   final, and the search goes on with the rest. It can also start from the paths of another search,
 *   which were chosen by rounded sums (APSP).
 * Scratch: n sums of 8 bytes, for int64 weights of 16; five times n vertex ids (six where a
 *   weight is negative); n bits.
 * Work: n m in the worst case, usually a few m.
 * Good at: negative weights.
 * Bad at: everything else: one thread, many corrections.
 */
#include "cpu/sssp/typed/pair.h"

#include "base/cycle_weight.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    fri_job *job;
    const weight_t *weights;
    sum_t *dist;
    int32_t *parent; /* the caller's array or scratch */
    int32_t *queue;  /* a ring of n: every vertex waits at most once */
    /* The forest, a list in preorder: the vertices below v follow it, as long as they are deeper. A
     * vertex outside is not reached, or an ancestor became nearer since it was. */
    int32_t *next, *prev, *depth;
    int32_t first;
    int32_t *cycle;  /* the first one found */
    uint64_t *waits; /* bitmap: in the queue */
    int64_t head, count;
    int32_t lost; /* its sum is below all floats; -1: none */
    bool stop;    /* the cycle is the answer, a sum is lost, or the user cancelled */
    bool plain;   /* the queue alone: every depth is 0, no list */
    fri_pace pace;
    int64_t processed; /* vertices taken from the queue */
} bellman_ford;

enum { NONE = -1, OUTSIDE = -1, STACKED = -2 /* depths */ };

/* ---- the forest -------------------------------------------------------------------------- */

/* Inserts v below u, NONE: as a root. */
static void attach(bellman_ford *b, int32_t v, int32_t u) {
    int32_t after = u == NONE ? b->first : b->next[u];
    b->depth[v] = u == NONE ? 0 : b->depth[u] + 1;
    b->prev[v] = u;
    b->next[v] = after;
    if (after != NONE)
        b->prev[after] = v;
    if (u == NONE)
        b->first = v;
    else
        b->next[u] = v;
}

static void join(bellman_ford *b, int32_t before, int32_t after) {
    if (before == NONE)
        b->first = after;
    else
        b->next[before] = after;
    if (after != NONE)
        b->prev[after] = before;
}

/* Removes v and all below it. */
static void detach(bellman_ford *b, int32_t v) {
    int32_t after = b->next[v], depth = b->depth[v];
    b->depth[v] = OUTSIDE;
    for (; after != NONE && b->depth[after] > depth; after = b->next[after])
        b->depth[after] = OUTSIDE;
    join(b, b->prev[v], after);
}

/* Whether v is u or above it. Walks up from u and down from v at the same time, so that it costs no more
 * than detaching v or than the cycle is long. */
static bool is_above(const bellman_ford *b, int32_t v, int32_t u) {
    int32_t below = b->next[v];
    if (b->depth[v] == OUTSIDE)
        return false;
    for (int32_t steps = b->depth[u] - b->depth[v]; steps > 0 && u != v; steps--) {
        if (below == NONE || b->depth[below] <= b->depth[v])
            return false;
        u = b->parent[u];
        below = b->next[below];
    }
    return u == v;
}

/* ---- cycles ------------------------------------------------------------------------------ */

/* The weight of the edge u -> v: the first of parallel edges is the smallest. */
static weight_t min_weight(const bellman_ford *b, int32_t u, int32_t v) {
    return b->weights[fri_csr_lower_bound(&b->job->csr, u, v)];
}

/* Whether the cycle of the edge u -> v and the path from v to u is negative; for integers it always is,
 * because the edge makes v nearer. *length, *weight: of the cycle. */
static bool is_negative(const bellman_ford *b, int32_t u, int32_t v, int32_t *length,
                        double *weight) {
#if DIST_IS_INTEGER
    sum_t sum = min_weight(b, u, v);
    *length = 1;
    for (; u != v; u = b->parent[u], ++*length)
        sum += min_weight(b, b->parent[u], u);
    *weight = (double)sum;
    return true;
#else
    fri_cycle_weight sum = {0};
    fri_cycle_weight_add(&sum, (double)min_weight(b, u, v));
    *length = 1;
    for (; u != v; u = b->parent[u], ++*length)
        fri_cycle_weight_add(&sum, (double)min_weight(b, b->parent[u], u));
    *weight = (double)sum.sum;
    return fri_cycle_weight_is_negative(&sum, sizeof(dist_t) == sizeof(float));
#endif
}

/* Sets the distance of every vertex that v reaches to minus infinity, which is final. Vertices outside the
 * forest do not use `prev`: it is a stack of them. */
static void spread_neg_inf(bellman_ford *b, int32_t v) {
    const fr_csr *csr = &b->job->csr;
    int32_t top = NONE, to = v;
    for (int64_t e = 0, end = 0;; to = csr->targets[e++]) {
        if (b->dist[to] != SUM_NEG_INF) {
            if (b->depth[to] != OUTSIDE)
                join(b, b->prev[to], b->next[to]);
            b->depth[to] = OUTSIDE;
            b->dist[to] = SUM_NEG_INF;
            b->parent[to] = -1;
            b->prev[to] = top;
            top = to;
        }
        while (e == end) {
            if (top == NONE)
                return;
            e = csr->offsets[top];
            end = csr->offsets[top + 1];
            top = b->prev[top];
        }
    }
}

/* Processes the cycle that u -> v closes. False: it comes from rounding, and v is as near as it can be. */
static bool take_cycle(bellman_ford *b, int32_t u, int32_t v) {
    fr_result *out = b->job->out;
    int32_t length;
    double weight;
    if (!is_negative(b, u, v, &length, &weight))
        return false;
    if (!out->cycle) {
        out->cycle = b->cycle;
        out->cycle_length = length;
        out->cycle_weight = weight;
        for (int32_t i = length; i-- > 0; u = b->parent[u]) /* parents lead backwards */
            b->cycle[i] = u;
    }
    b->stop = !b->job->in->query.mark_negative_cycles;
    if (!b->stop)
        spread_neg_inf(b, v);
    return true;
}

/* ---- the search -------------------------------------------------------------------------- */

static inline void enqueue(bellman_ford *b, int32_t v) {
    if (fri_bit_get(b->waits, v))
        return;
    fri_bit_set(b->waits, v);
    int64_t n = b->job->csr.n, at = b->head + b->count++;
    b->queue[at < n ? at : at - n] = v;
}

/* Whether the sum is a reason to place v below the end of the path: it is nearer, or v has lost its path
 * and rounding hides that it is nearer. */
static inline bool improves(const bellman_ford *b, sum_t sum, int32_t v) {
    sum_t old = b->dist[v];
    return sum < old ||
           (sum == old && b->depth[v] == OUTSIDE && old != SUM_INF && old != SUM_NEG_INF);
}

/* Whether the parents of u run into a cycle. */
static bool is_cyclic(const bellman_ford *b, int32_t u) {
    int32_t steps = 0;
    for (; u != b->parent[u] && steps < b->job->csr.n; steps++)
        u = b->parent[u];
    return steps == b->job->csr.n;
}

/* u is in the forest and stays there, unless a negative cycle reaches it. */
static void relax_row(bellman_ford *b, int32_t u) {
    const fr_csr *csr = &b->job->csr;
    sum_t d = b->dist[u];
    for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1] && !b->stop; e++) {
        int32_t v = csr->targets[e];
        sum_t sum = d + (sum_t)b->weights[e];
        bool is_loop = u == v && b->weights[e] < 0; /* rounding may hide the decrease */
        if (!is_loop && !improves(b, sum, v))
            continue;
        b->stop = is_loop && b->plain;
        if (!b->plain && is_above(b, v, u)) {
            if (take_cycle(b, u, v) && b->depth[u] == OUTSIDE)
                break;
            continue;
        }
        if (!b->plain && b->depth[v] != OUTSIDE)
            detach(b, v);
        b->dist[v] = sum;
        b->parent[v] = u;
        if (!b->plain)
            attach(b, v, u);
        enqueue(b, v);
        b->job->out->stats.relaxations++;
        if (sum == SUM_NEG_INF) { /* of floats: integers cannot sum to it */
            b->lost = v;
            b->stop = true;
        }
    }
    b->job->out->stats.edges_examined += csr->offsets[u + 1] - csr->offsets[u];
}

/* Relaxes the vertices in the queue until it is empty, in at most n rounds: a vertex that gets its place
 * in round i is at least i edges deep. */
static void relax_all(bellman_ford *b) {
    const fr_csr *csr = &b->job->csr;
    int64_t n = csr->n, round_end = b->count, rounds = 0;
    while (b->count && !b->stop && rounds < n) {
        int32_t u = b->queue[b->head];
        b->head = b->head + 1 < n ? b->head + 1 : 0;
        b->count--;
        b->waits[u >> 6] &= ~(UINT64_C(1) << (u & 63));
        if (b->depth[u] != OUTSIDE)
            relax_row(b, u);
        b->processed++;
        b->stop |= fri_pace_stop(&b->pace, csr->offsets[u + 1] - csr->offsets[u] + 1, b->processed);
        if (--round_end == 0) {
            rounds++;
            if (b->plain && !(rounds & (rounds - 1))) /* rarely: at powers of two */
                b->stop |= is_cyclic(b, u);
            round_end = b->count;
        }
    }
    b->job->out->stats.levels += (int32_t)rounds;
}

static void carve(bellman_ford *b) {
    fri_job *job = b->job;
    int64_t n = job->csr.n;
    size_t ids = fri_bytes(n, sizeof(int32_t));
    char *scratch = job->scratch;
    b->dist = fri_carve(&scratch, fri_bytes(n, sizeof *b->dist));
    b->queue = fri_carve(&scratch, ids);
    b->next = fri_carve(&scratch, ids);
    b->prev = fri_carve(&scratch, ids);
    b->depth = fri_carve(&scratch, ids);
    b->parent = fri_carve(&scratch, ids);
    b->waits = fri_carve(&scratch, fri_bitmap_bytes(n));
    b->cycle = job->weight_min < 0 ? fri_carve(&scratch, ids) : NULL;
    if (job->out->parent || job->forest)
        b->parent = job->forest ? job->forest : job->out->parent;
    b->first = NONE;
    memset(b->waits, 0, fri_bitmap_bytes(n));
    for (int64_t v = 0; v < n; v++) {
        b->dist[v] = SUM_INF;
        b->depth[v] = b->plain ? 0 : OUTSIDE;
    }
}

static void start_from_sources(bellman_ford *b) {
    const fr_query *q = &b->job->in->query;
    for (int32_t v = 0; v < b->job->csr.n; v++)
        b->parent[v] = -1;
    for (int64_t i = 0; i < q->source_count; i++) {
        int32_t s = q->sources[i];
        if (b->dist[s] == 0)
            continue;
        b->dist[s] = 0;
        b->parent[s] = s;
        attach(b, s, NONE);
        enqueue(b, s);
    }
}

/* Places v below its parent, unless that is not placed or the sum is above all floats. */
static void place(bellman_ford *b, int32_t v) {
    int32_t u = b->parent[v];
    sum_t sum = u == v ? 0 : b->dist[u] + (sum_t)min_weight(b, u, v);
    if ((u != v && b->depth[u] == OUTSIDE) || sum == SUM_INF) {
        b->parent[v] = -1;
        return;
    }
    if (sum == SUM_NEG_INF) {
        b->lost = v;
        b->stop = true;
    }
    b->dist[v] = sum;
    attach(b, v, u == v ? NONE : u);
    enqueue(b, v);
}

/* Starts from the forest in job->forest, with the distances along its paths. Vertices whose chains end on a
 * cycle are not reached yet. `prev` is a stack of the vertices on the way up to one that is placed. */
static void start_from_forest(bellman_ford *b) {
    for (int32_t start = 0; start < b->job->csr.n; start++) {
        int32_t top = NONE, v = start;
        while (b->parent[v] >= 0 && b->depth[v] == OUTSIDE) {
            b->depth[v] = STACKED;
            b->prev[v] = top;
            top = v;
            v = b->parent[v];
        }
        bool placed = b->depth[v] >= 0 || (top != NONE && b->parent[top] == top);
        while (top != NONE) {
            v = top;
            top = b->prev[v];
            b->depth[v] = OUTSIDE;
            if (placed)
                place(b, v);
            else
                b->parent[v] = -1;
        }
    }
}

/* ---- the end ----------------------------------------------------------------------------- */

#if DIST_IS_INTEGER
/* The failure for a distance that must be kept but does not fit. */
static fr_status too_wide(const fri_job *job, int32_t v, sum_t d) {
    char text[32] = "";
    if (d == (int64_t)d)
        snprintf(text, sizeof text, " %lld", (long long)d);
    return fri_sssp_overflow(job, v, text);
}
#endif

/* Whether the distance is within the query's limit. */
static inline bool is_within(sum_t d, limit_t limit) {
    return limit == NO_LIMIT || (DIST_IS_INTEGER ? d <= (sum_t)limit : (limit_t)d <= limit);
}

/* Converts the wide distances to the caller's type; applies the rule of targets and limits first,
 * because only distances that it keeps must fit. */
static fr_status narrow(bellman_ford *b) {
    fri_job *job = b->job;
    const fr_query *q = &job->in->query;
    dist_t *dist = job->out->dist;
    limit_t limit = query_limit(job);
    /* with negative weights a path to a vertex within the bound may lead through one beyond it */
    sum_t bound = q->target_count && job->weight_min >= 0 ? 0 : SUM_INF;
    for (int64_t i = 0; bound != SUM_INF && i < q->target_count; i++)
        bound = FRI_MAX(bound, b->dist[q->targets[i]]);
    for (int32_t v = 0; v < job->csr.n; v++) {
        sum_t d = b->dist[v];
        bool kept = d != SUM_INF && d <= bound && is_within(d, limit);
        dist[v] = kept ? (dist_t)d : DIST_INF;
        if (!kept && job->out->parent)
            job->out->parent[v] = -1;
#if DIST_IS_INTEGER
        if (d == SUM_NEG_INF)
            dist[v] = DIST_NEG_INF;
        else if (kept &&
                 ((sum_t)dist[v] != d || dist[v] == DIST_INF ||
                  (dist[v] == DIST_NEG_INF && (q->mark_negative_cycles || sizeof(dist_t) == 8))))
            return too_wide(job, v, d);
#endif
    }
    return FR_OK;
}

/* Where a weight is negative, a path may lead through vertices beyond the limit: what depends on them is
 * decided before the limit. */
static fr_status finish_paths(bellman_ford *b) {
    fri_job *job = b->job;
    if (!(job->weight_min < 0))
        return FR_OK;
#if !DIST_IS_INTEGER
    sum_t maximum = 0;
    for (int32_t v = 0; v < job->csr.n; v++)
        maximum = b->dist[v] == SUM_INF ? maximum : FRI_MAX(maximum, b->dist[v]);
    fr_status status = fri_sssp_check_sums(job, b->dist, (double)maximum);
    if (status)
        return status;
#endif
    if (job->in->query.parent_rule != FR_PARENT_MIN_ID || !job->out->parent)
        return FR_OK;
    for (int32_t v = 0; v < job->csr.n; v++) {
        bool reached = b->dist[v] != SUM_INF && b->dist[v] != SUM_NEG_INF;
        b->parent[v] = !reached ? -1 : b->parent[v] == v ? v : INT32_MAX;
    }
    return fri_sssp_hop_parents(job, b->dist, true, b->next, b->queue);
}

static fr_status finish(bellman_ford *b) {
    fri_job *job = b->job;
    if (b->pace.status)
        return b->pace.status;
    if (b->lost >= 0)
        return fri_sssp_overflow(job, b->lost, "");
    if (b->stop)
        return fri_job_negative_cycle(job);
    if (b->count)
        return fri_fail(job->ctx, FR_INVALID, "the weights have changed during the query");
    fr_status status = finish_paths(b);
    if (!status)
        status = narrow(b);
    if (!status && job->weight_min >= 0)
        status = fri_sssp_finish(job, b->dist);
    return status || !job->out->cycle ? status : fri_job_negative_cycle(job);
}

FRI_SSSP_FUNCTION(fr_status, fri_sssp_bellman_ford_run, (fri_job * job), (job)) {
    bellman_ford b;
    bool plain = job->strategy == &fri_sssp_bellman_ford && job->knob[0] < 1 && !job->forest &&
                 (DIST_IS_INTEGER || job->weight_min >= 0);
    do {
        b = (bellman_ford){.job = job,
                           .weights = job->csr.weights,
                           .lost = -1,
                           .plain = plain,
                           .pace = fri_pace_begin(job->ctx, "traversing", 0)};
        carve(&b);
        if (job->forest)
            start_from_forest(&b);
        else
            start_from_sources(&b);
        relax_all(&b);
        plain = false;
    } while (b.plain && !b.pace.status && (b.stop || b.count));
    return finish(&b);
}

#ifdef FRI_ONCE

static size_t scratch(const fri_job *job) {
    int64_t n = job->csr.n;
    size_t ids = fri_align_line(fri_bytes(n, sizeof(int32_t)));
    size_t sum = job->csr.weight_type == FR_TYPE_I64 ? sizeof(__int128) : sizeof(int64_t);
    return fri_align_line(fri_bytes(n, sum)) + (job->weight_min < 0 ? 6 : 5) * ids +
           fri_align_line(fri_bitmap_bytes(n));
}

static const fr_knob knobs[] = {
    {"subtrees", 1, 0, 1,
     "1: what is below a vertex that gets nearer leaves the queue; 0: none does, as in the source; "
     "negative floats: always 1"},
    {0}};

const fri_strategy fri_sssp_bellman_ford = {
    .name = "bellman-ford",
    .source = "Sedgewick, Wayne: Algorithms, Addison-Wesley 2011, section 4.4",
    .text = "FIFO queue on one thread; negative weights and cycles",
    .problem = FR_PROBLEM_SSSP,
    .backend = FR_BACKEND_CPU,
    .needs = FRI_NEEDS_WEIGHTS,
    .knobs = knobs,
    .scratch = scratch,
    .run = fri_sssp_bellman_ford_run,
};

#endif
