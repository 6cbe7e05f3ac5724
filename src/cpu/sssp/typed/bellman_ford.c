/* See cpu/sssp/bellman_ford.c. */

#include "cpu/sssp/typed/pair.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    fri_job *job;
    const weight_t *weights;
    sum_t *dist;
    int32_t *parent; /* the caller's array or scratch */
    int32_t *queue;  /* a ring of n: every vertex waits at most once */
    int32_t *mark;   /* of cut_all_cycles; then a stack */
    int32_t *cycle;  /* the first one found */
    uint64_t *waits; /* bitmap: in the queue */
    int64_t head, count;
    int64_t until_walk, interval; /* relaxations */
    sum_t slack;                  /* floats: relative decrease that counts; initially 0 */
    bool stop;                    /* the cycle is the answer, or the user cancelled */
    fri_pace pace;
    int64_t processed; /* vertices taken from the queue */
} bellman_ford;

enum { ON_CYCLE = -2 }; /* parent of a vertex on a negative cycle that was just found */

static inline bool is_lower(const bellman_ford *b, sum_t sum, sum_t old) {
#if DIST_IS_INTEGER
    (void)b;
    return sum < old;
#else
    if (b->slack == 0 || old == DIST_INF)
        return sum < old;
    return sum < old - b->slack * (old < 0 ? -old : old);
#endif
}

/* The weight of the edge u -> v: the first of parallel edges is the smallest. */
static total_t min_weight(const bellman_ford *b, int32_t u, int32_t v) {
    const fr_csr *csr = &b->job->csr;
    int64_t e = csr->offsets[u];
    while (csr->targets[e] != v)
        e++;
    return (total_t)b->weights[e];
}

static total_t cycle_weight(const bellman_ford *b, int32_t start, int32_t *length) {
    total_t weight = 0;
    int32_t v = start;
    *length = 0;
    do {
        weight += min_weight(b, b->parent[v], v);
        v = b->parent[v];
        ++*length;
    } while (v != start);
    return weight;
}

/* Processes a cycle of parents through v. True: its weight is below 0; the first such cycle is
 * recorded, and its vertices lose their parents. False: it comes from rounding. */
static bool cut_cycle(bellman_ford *b, int32_t v) {
    fr_result *out = b->job->out;
    int32_t length;
    total_t weight = cycle_weight(b, v, &length);
    if (!(weight < 0)) {
#if !DIST_IS_INTEGER
        b->slack = sizeof(dist_t) == 4 ? (dist_t)1e-6 : (dist_t)4e-15;
#endif
        return false;
    }
    bool first = !out->cycle;
    if (first) {
        out->cycle = b->cycle;
        out->cycle_length = length;
        out->cycle_weight = (double)weight;
    }
    for (int32_t i = length; i-- > 0;) { /* parents lead backwards */
        int32_t above = b->parent[v];
        if (first)
            b->cycle[i] = v;
        b->parent[v] = ON_CYCLE;
        v = above;
    }
    b->stop = !b->job->query.mark_negative_cycles;
    return true;
}

/* True: there is no reason to continue; b->pace has the status if the user cancelled. */
static inline bool should_stop(bellman_ford *b, int64_t work) {
    b->stop |= fri_pace_stop(&b->pace, work, b->processed);
    return b->stop;
}

/* Cuts all cycles of parents; each walk follows parents up to a mark. Returns whether there were
 * any. */
static bool cut_all_cycles(bellman_ford *b) {
    int32_t n = b->job->csr.n;
    bool found = false;
    memset(b->mark, 0xff, fri_bytes(n, sizeof *b->mark));
    for (int32_t start = 0; start < n && !b->stop && !should_stop(b, 1); start++) {
        int32_t v = start;
        while (b->mark[v] < 0) {
            b->mark[v] = start;
            if (b->parent[v] < 0 || b->parent[v] == v)
                break;
            v = b->parent[v];
            if (b->mark[v] == start)
                found |= cut_cycle(b, v);
        }
    }
    return found;
}

/* Sets the distance of every vertex reached from the cycles just cut to minus infinity, which is
 * final. `mark` is not in use here. */
static void propagate_neg_inf(bellman_ford *b) {
    const fr_csr *csr = &b->job->csr;
    int64_t held = 0;
    for (int32_t v = 0; v < csr->n; v++)
        if (b->parent[v] == ON_CYCLE)
            b->mark[held++] = v;
    for (int64_t i = 0; i < held; i++) {
        b->dist[b->mark[i]] = SUM_NEG_INF;
        b->parent[b->mark[i]] = -1;
    }
    while (held) {
        int32_t u = b->mark[--held];
        if (should_stop(b, csr->offsets[u + 1] - csr->offsets[u]))
            return;
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int32_t v = csr->targets[e];
            if (b->dist[v] == SUM_NEG_INF)
                continue;
            b->dist[v] = SUM_NEG_INF;
            b->parent[v] = -1;
            b->mark[held++] = v;
        }
    }
}

static void check_negative_cycles(bellman_ford *b) {
    b->interval *= 2;
    b->until_walk = b->interval;
    if (cut_all_cycles(b) && !b->stop)
        propagate_neg_inf(b);
}

static inline void enqueue(bellman_ford *b, int32_t v) {
    if (fri_bit_get(b->waits, v))
        return;
    fri_bit_set(b->waits, v);
    int64_t n = b->job->csr.n, at = b->head + b->count++;
    b->queue[at < n ? at : at - n] = v;
}

static void relax_row(bellman_ford *b, int32_t u) {
    const fr_csr *csr = &b->job->csr;
    sum_t d = b->dist[u];
    int64_t relaxed = 0;
    if (d == SUM_NEG_INF) /* became final while in the queue */
        return;
    for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
        int32_t v = csr->targets[e];
        sum_t sum = d + (sum_t)b->weights[e];
        if (!is_lower(b, sum, b->dist[v]))
            continue;
        relaxed++;
        b->dist[v] = sum;
        b->parent[v] = u;
        if (u == v) { /* a self-loop below 0 */
            cut_cycle(b, v);
            if (!b->stop)
                propagate_neg_inf(b);
            break;
        }
        enqueue(b, v);
    }
    b->until_walk -= relaxed;
    b->job->out->stats.relaxations += relaxed;
    b->job->out->stats.edges_examined += csr->offsets[u + 1] - csr->offsets[u];
}

static void start(bellman_ford *b) {
    fri_job *job = b->job;
    int64_t n = job->csr.n;
    char *scratch = job->scratch;
    b->dist = fri_carve(&scratch, fri_bytes(n, sizeof *b->dist));
    b->queue = fri_carve(&scratch, fri_bytes(n, sizeof(int32_t)));
    b->mark = fri_carve(&scratch, fri_bytes(n, sizeof(int32_t)));
    b->parent = fri_carve(&scratch, fri_bytes(n, sizeof(int32_t)));
    b->waits = fri_carve(&scratch, fri_bitmap_bytes(n));
    if (job->weight_min < 0)
        b->cycle = fri_carve(&scratch, fri_bytes(n, sizeof(int32_t)));
    if (job->out->parent)
        b->parent = job->out->parent;
    memset(b->waits, 0, fri_bitmap_bytes(n));
    for (int64_t v = 0; v < n; v++) {
        b->dist[v] = SUM_INF;
        b->parent[v] = -1;
    }
    b->interval = b->until_walk = n / 4 + 64;
    for (int64_t i = 0; i < job->query.source_count; i++) {
        int32_t s = job->query.sources[i];
        b->dist[s] = 0;
        b->parent[s] = s;
        enqueue(b, s);
    }
}

#if DIST_IS_INTEGER
/* The failure for a distance that must be kept but does not fit. */
static fr_status too_wide(const fri_job *job, int32_t v, sum_t d) {
    char text[32] = "";
    if (d == (int64_t)d)
        snprintf(text, sizeof text, " %lld", (long long)d);
    return fri_fail(job->ctx, FR_OVERFLOW, "the distance%s of vertex %lld does not fit %s%s", text,
                    (long long)fri_id_of(&job->ids, v), fr_type_name(job->dist_type),
                    fri_wider_type_hint(job->dist_type));
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
    const fr_query *q = &job->query;
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
#else
        if (d == DIST_NEG_INF && b->parent[v] != -1)
            return fri_fail(job->ctx, FR_OVERFLOW, "the distance of vertex %lld does not fit %s",
                            (long long)fri_id_of(&job->ids, v), fr_type_name(job->dist_type));
#endif
    }
    return FR_OK;
}

fr_status fri_sssp_bellman_ford_run(fri_job *job) {
    bellman_ford b = {
        .job = job, .weights = job->csr.weights, .pace = fri_pace_begin(job->ctx, "traversing", 0)};
    start(&b);
    int64_t n = job->csr.n, round_end = b.count;
    while (b.count && !b.stop) {
        int32_t u = b.queue[b.head];
        b.head = b.head + 1 < n ? b.head + 1 : 0;
        b.count--;
        b.waits[u >> 6] &= ~(UINT64_C(1) << (u & 63));
        relax_row(&b, u);
        if (b.until_walk <= 0 && !b.stop)
            check_negative_cycles(&b);
        b.processed++;
        should_stop(&b, job->csr.offsets[u + 1] - job->csr.offsets[u] + 1);
        if (--round_end == 0) {
            job->out->stats.levels++;
            round_end = b.count;
        }
    }
    if (b.pace.status)
        return b.pace.status;
    if (b.stop)
        return fri_job_negative_cycle(job);
    fr_status status = narrow(&b);
    if (!status)
        status = fri_sssp_finish(job, b.dist);
    return status || !job->out->cycle ? status : fri_job_negative_cycle(job);
}
