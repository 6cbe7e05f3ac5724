/* Pushes edges sorted by weight up to a moving bound, then pulls the remaining vertices.
 *
 * Source: P. M. Spira: A new algorithm for finding all shortest paths in a graph of positive arcs,
 *   SIAM J. Computing 2(1), 1973 (rows sorted by weight; a row is read only as far as it matters);
 *   R. Hassin, E. Zemel: On shortest paths in graphs with random weights, Math. OR 10(4), 1985 (few
 *   of the edges matter); V. Chakaravarthy, F. Checconi, F. Petrini, Y. Sabharwal: Scalable single
 *   source shortest path algorithms for massively parallel systems, IPDPS 2014 (push or pull).
 * Idea: an edge u -> v is only examined once dist[u] + w is below the bound, and the bound
 *   advances by one window at a time. Vertices reached within a window are corrected there and
 *   final at its end, so there are no buckets, and nothing beyond the window is stored. Each
 *   reached vertex keeps a record {its next edge, the distance at which that edge matters}; a
 *   window is one scan of the records. In small-world graphs most vertices are reached while most
 *   edges still lie beyond the bound. When the unreached vertices have fewer in-edges than the
 *   next window would cost, every unreached vertex pulls from its in-edges, lightest first, until
 *   the weight alone exceeds the best sum; the bucket engine then finishes among these vertices.
 * Differs: windows instead of Spira's priority queue, all cores; unreached vertices pull once. If
 *   the array of records is full, or windows cost more than they save, all reached vertices enter
 *   the bucket engine with their whole rows: correct, and rare. Of a directed graph the pull reads
 *   the transposed CSR, whose rows are not sorted by weight.
 * Scratch: about 1.5 n records of 24 bytes and n queue entries; the bucket engine's scratch.
 * Prepare: one sort of all rows, 8 bytes per edge (16 for int64 and double), which belong to the
 *   graph. A CSR that is not marked symmetric is tested, as a matrix often stores both directions of
 *   every edge; only if it does not, the transposed CSR is made, which also belongs to the graph.
 * Work: the edges that matter, about a sixth of all in Kronecker and uniform graphs with weights
 *   1..255; some tens of windows, each with a scan of the records and two barriers per round.
 * Good at: small-world graphs with spread weights.
 * Bad at: graphs of large diameter, equal weights.
 */
#include "cpu/sssp/typed/delta_engine.h"

#include "core/query/in_edges.h"

#include <string.h>

enum { BLOCK = 64, SCAN_GRAIN = 1024 };
enum { KNOB_WINDOW, KNOB_PULL };

typedef struct {
    double width; /* of a window */
    double delta; /* of the bucket engine's buckets */
    const void *rows;
} header;

/* A reached vertex with unexamined edges. */
typedef struct {
    int64_t at;         /* its next edge */
    int32_t v;          /* -1: unused */
    dist_t d, next_sum; /* its distance; the distance through edge `at` */
} row_record;

/* Per thread. A thread reserves blocks of a shared array and writes to its own block. */
typedef struct {
    _Alignas(FRI_CACHE_LINE) int64_t record, record_end; /* own block of records */
    int64_t entry, entry_end;                            /* own block of the queue */
    int64_t pushed, relaxed, examined;
    int64_t reached_edges; /* in-edges of reached vertices */
    dist_t next_sum;       /* smallest `next_sum` of this window's records */
    bool full;             /* an entry or record was dropped */
} window_worker;

typedef struct {
    fri_delta_engine *delta_engine;
    window_worker *worker; /* [threads] */
    row_record *records;
    fri_bucket_entry *queue[2]; /* a round reads one and writes the other */
    int64_t record_cap, queue_cap;
    dist_t bound, width; /* the bound and its step */
    double pull;         /* the knob */
    int64_t old;         /* records at the start of the window */
    int64_t visits;
    int64_t reached, paced; /* in-edges of reached vertices; edges reported to the pace */
    enum { NEXT_WINDOW, PULL, FLUSH, FINISHED } next;
    _Alignas(FRI_CACHE_LINE) int64_t record_count;
    _Alignas(FRI_CACHE_LINE) int64_t scanned;
    /* By round modulo 3: one is read, one written, one set to 0 for the next round. */
    struct {
        _Alignas(FRI_CACHE_LINE) int64_t count;
        int64_t taken;
    } round[3];
} window_state;

/* Reserves a block of a shared array for one thread; false: the array is full. Arrays are longer
 * than their cap by a block per thread, because all threads may pass the check at once. */
static inline bool reserve_block(int64_t *at, int64_t *end, int64_t *count, int64_t cap) {
    if (__atomic_load_n(count, __ATOMIC_RELAXED) >= cap)
        return false;
    *at = __atomic_fetch_add(count, BLOCK, __ATOMIC_RELAXED); /* relaxed: barriers order the rest */
    *end = *at + BLOCK;
    return true;
}

static inline void enqueue(window_state *w, window_worker *p, int out, int round, int32_t v,
                           dist_t d) {
    if (p->entry == p->entry_end &&
        !reserve_block(&p->entry, &p->entry_end, &w->round[round].count, w->queue_cap))
        p->full = true;
    else
        w->queue[out][p->entry++] = (fri_bucket_entry){v, d};
}

static inline void add_record(window_state *w, window_worker *p, row_record r) {
    if (p->record == p->record_end) {
        if (!reserve_block(&p->record, &p->record_end, &w->record_count, w->record_cap)) {
            p->full = true;
            return;
        }
        for (int64_t i = p->record; i < p->record_end; i++)
            w->records[i] = (row_record){0, -1, DIST_INF, DIST_INF};
    }
    w->records[p->record++] = r;
}

/* Fills the rest of a block with unused entries, so that readers need no end of it. */
static void close_queue(window_worker *p, fri_bucket_entry *queue) {
    for (; p->entry < p->entry_end; p->entry++)
        queue[p->entry] = (fri_bucket_entry){-1, DIST_INF};
}

/* Whether the window should end early. Member 0 checks for cancellation. */
static inline bool window_halt(window_state *w, const window_worker *p) {
    fri_delta_engine *s = w->delta_engine;
    int64_t work = 0;
    if (p == w->worker) {
        work = p->examined - w->paced + BLOCK;
        w->paced = p->examined;
    }
    return fri_pace_stop_team(&s->pace, p == w->worker, work, w->reached);
}

/* Relaxes the edges of a row from `at` up to the bound; returns the first edge beyond it. */
static inline int64_t push(window_state *w, window_worker *p, int out, int round,
                           fri_bucket_entry from, int64_t at, int64_t row_end) {
    fri_delta_engine *s = w->delta_engine;
    int64_t begin = at;
    for (; at < row_end; at++) {
        dist_t sum = dist_sum(from.d, s->edges[at].w);
        if (!dist_less(sum, w->bound))
            break;
        __builtin_prefetch(&s->dist[s->edges[at + 8].v]);
        int32_t t = s->edges[at].v;
        if (!fri_delta_lower(s, t, sum, from.v))
            continue;
        p->relaxed++;
        __builtin_prefetch(&s->offsets[t]);
        enqueue(w, p, out, round, t, sum);
    }
    p->pushed += at - begin;
    p->examined += at - begin;
    return at;
}

/* The distance through edge `at` of a row, at which the edge matters; DIST_INF: never. */
static inline dist_t edge_distance(const fri_delta_engine *s, dist_t d, int64_t at,
                                   int64_t row_end) {
    if (at == row_end)
        return DIST_INF;
    dist_t sum = dist_sum(d, s->edges[at].w);
    return dist_less(sum, DIST_INF) ? sum : DIST_INF;
}

/* Pushes from a vertex reached in this window and adds its record. */
static inline void reach(window_state *w, window_worker *p, int out, int round,
                         fri_bucket_entry from) {
    fri_delta_engine *s = w->delta_engine;
    if (from.v < 0 || fri_delta_load(s->dist, from.v) != from.d)
        return;
    int64_t begin = s->offsets[from.v], row_end = s->offsets[from.v + 1];
    int64_t at = push(w, p, out, round, from, begin, row_end);
    const int64_t *in = s->job->in_edges.offsets;
    p->reached_edges += in[from.v + 1] - in[from.v];
    dist_t next_sum = edge_distance(s, from.d, at, row_end);
    if (next_sum == DIST_INF)
        return;
    add_record(w, p, (row_record){at, from.v, from.d, next_sum});
    p->next_sum = FRI_MIN(p->next_sum, next_sum);
}

/* Continues an old record whose next edge is below the bound. */
static inline void resume(window_state *w, window_worker *p, row_record *r) {
    fri_delta_engine *s = w->delta_engine;
    if (fri_delta_load(s->dist, r->v) != r->d) {
        /* corrected within its window: a newer record exists */
        *r = (row_record){0, -1, DIST_INF, DIST_INF};
        return;
    }
    int64_t row_end = s->offsets[r->v + 1];
    r->at = push(w, p, 0, 0, (fri_bucket_entry){r->v, r->d}, r->at, row_end);
    r->next_sum = edge_distance(s, r->d, r->at, row_end);
}

static void scan(window_state *w, window_worker *p) {
    int64_t i, end;
    while (!window_halt(w, p) && fri_team_next_chunk(&w->scanned, w->old, SCAN_GRAIN, &i, &end))
        for (; i < end; i++) {
            row_record *r = &w->records[i];
            if (i + 12 < end && dist_less(r[12].next_sum, w->bound))
                __builtin_prefetch(&w->delta_engine->edges[r[12].at]);
            if (dist_less(r->next_sum, w->bound))
                resume(w, p, r);
            p->next_sum = FRI_MIN(p->next_sum, r->next_sum);
        }
}

static void drain(window_state *w, window_worker *p, int in, int round, int64_t count) {
    fri_delta_engine *s = w->delta_engine;
    const fri_bucket_entry *entry = w->queue[in];
    int64_t i, end;
    while (!window_halt(w, p) &&
           fri_team_next_chunk(&w->round[round].taken, count, BLOCK, &i, &end))
        for (; i < end; i++) {
            if (i + 6 < end && entry[i + 6].v >= 0)
                __builtin_prefetch(&s->edges[s->offsets[entry[i + 6].v]]);
            reach(w, p, in ^ 1, (round + 1) % 3, entry[i]);
        }
}

/* All threads: one window; ends with a barrier after which no thread pushes. */
static void run_window(window_state *w, fri_member me) {
    window_worker *p = &w->worker[me.index];
    p->next_sum = DIST_INF;
    p->pushed = 0;
    scan(w, p);
    close_queue(p, w->queue[0]);
    for (int in = 0, round = 0;; in ^= 1, round = (round + 1) % 3) {
        fri_team_barrier(me); /* the queue to read is complete */
        int64_t count = __atomic_load_n(&w->round[round].count, __ATOMIC_RELAXED);
        if (count == 0)
            return;
        if (me.index == 0) { /* last read before the barrier, next written after the next one */
            w->round[(round + 2) % 3].count = 0;
            w->round[(round + 2) % 3].taken = 0;
        }
        drain(w, p, in, round, count);
        close_queue(p, w->queue[in ^ 1]);
    }
}

/* Advances the bound; false: it cannot advance. */
static bool next_window(window_state *w, dist_t next_sum) {
    dist_t base = FRI_MAX(w->bound, next_sum);
    dist_t end = (dist_t)(base < DIST_INF - w->width ? base + w->width : DIST_INF);
    if (!(end > next_sum))
        return false; /* a float width that vanishes when added to the distance */
    w->bound = end;
    for (int r = 0; r < 3; r++) {
        w->round[r].taken = 0;
        /* atomic: other threads may still read the 0 that ended the window */
        __atomic_store_n(&w->round[r].count, 0, __ATOMIC_RELAXED);
    }
    w->scanned = 0;
    w->old = w->record_count;
    w->visits += w->record_count;
    return true;
}

/* Member 0, between windows. */
static void plan(window_state *w, int threads) {
    fri_delta_engine *s = w->delta_engine;
    const fri_job *job = s->job;
    const fr_query *q = &job->in->query;
    dist_t next_sum = DIST_INF;
    int64_t reached = 0, pushed = 0;
    bool full = false;
    for (int t = 0; t < threads; t++) {
        next_sum = FRI_MIN(next_sum, w->worker[t].next_sum);
        reached += w->worker[t].reached_edges;
        pushed += w->worker[t].pushed;
        full |= w->worker[t].full;
    }
    s->rounds++;
    w->reached = reached;
    window_halt(w, w->worker);
    s->status = s->pace.status;
    int64_t now = fri_now_ns();
    fri_job_level(s->job, "window", w->record_count, pushed, now - s->since);
    s->since = now;
    while (!full && s->next_target < q->target_count &&
           dist_less(s->dist[q->targets[s->next_target]], w->bound))
        s->next_target++;
    double cost = (double)pushed + (double)w->record_count / 8;
    bool settled = next_sum == DIST_INF || (q->target_count && s->next_target == q->target_count) ||
                   (q->max_distance > 0 && (double)w->bound > q->max_distance);
    if (s->status || (settled && !full)) /* full: dropped vertices are not settled */
        w->next = FINISHED;
    else if (full || w->visits > 4 * job->csr.m)
        w->next = FLUSH;
    else if ((double)(job->csr.m - reached) < w->pull * cost)
        w->next = PULL;
    else if (!next_window(w, next_sum))
        w->next = FLUSH;
}

/* The smallest distance of an unreached vertex through its in-edges, and its parent there. */
typedef struct {
    dist_t d;
    int32_t parent;
} pulled;

/* A vertex that pulls at the same time may give a value that decreases later: it then pushes. */
static inline void pull_edge(const fri_delta_engine *s, pulled *best, int32_t from, weight_t w) {
    dist_t d = fri_delta_load(s->dist, from);
    dist_t sum = d == DIST_INF ? DIST_INF : dist_sum(d, w);
    if (dist_less(sum, best->d))
        *best = (pulled){sum, from};
}

/* Rows sorted by weight that hold both directions; returns the edges examined. */
static inline int64_t pull_sorted(const fri_delta_engine *s, pulled *best, int32_t v) {
    int64_t e = s->offsets[v], end = s->offsets[v + 1];
    for (; e < end && dist_less((dist_t)s->edges[e].w, best->d); e++) {
        __builtin_prefetch(&s->dist[s->edges[e + 8].v]);
        pull_edge(s, best, s->edges[e].v, s->edges[e].w);
    }
    return e - s->offsets[v];
}

/* The transposed CSR of a directed graph. */
static inline int64_t pull_transposed(const fri_delta_engine *s, pulled *best, int32_t v) {
    const fr_csr *in = &s->job->in_edges;
    int64_t begin = in->offsets[v], end = in->offsets[v + 1];
    for (int64_t e = begin; e < end; e++)
        pull_edge(s, best, in->targets[e], weight_at(in, e));
    return end - begin;
}

static inline void pull_row(fri_delta_engine *s, fri_buckets *buckets, int32_t v) {
    pulled best = {DIST_INF, -1};
    buckets->examined +=
        s->job->in_edges.symmetric ? pull_sorted(s, &best, v) : pull_transposed(s, &best, v);
    if (best.d == DIST_INF)
        return;
    buckets->relaxed++;
    if (s->parent)
        s->parent[v] = best.parent;
    __atomic_store(&s->dist[v], &best.d, __ATOMIC_RELAXED);
    fri_delta_put(s, buckets, v, best.d);
}

/* All threads: every unreached vertex pulls. */
static void pull(window_state *w, fri_buckets *buckets) {
    fri_delta_engine *s = w->delta_engine;
    int64_t v, end;
    while (!fri_delta_halt(s, buckets) && fri_team_next_chunk(&w->scanned, s->n, 4096, &v, &end))
        for (; v < end; v++)
            if (s->dist[v] == DIST_INF)
                pull_row(s, buckets, (int32_t)v);
}

/* All threads: every reached vertex enters the engine with its whole row. */
static void flush(window_state *w, fri_buckets *buckets) {
    fri_delta_engine *s = w->delta_engine;
    int64_t v, end;
    while (!fri_delta_halt(s, buckets) && fri_team_next_chunk(&w->scanned, s->n, 4096, &v, &end))
        for (; v < end; v++)
            if (s->dist[v] != DIST_INF)
                fri_delta_put(s, buckets, (int32_t)v, s->dist[v]);
}

static void member(fri_member me, void *arg) {
    window_state *w = arg;
    fri_delta_engine *s = w->delta_engine;
    fri_buckets *buckets = &s->buckets[me.index];
    fri_delta_engine_clear(s, me);
    fri_team_barrier(me); /* the arrays are written before the sources are */
    for (int64_t i = 0; me.index == 0 && i < s->job->in->query.source_count; i++) {
        int32_t v = s->job->in->query.sources[i];
        if (s->dist[v] == 0)
            continue;
        s->dist[v] = 0;
        if (s->parent)
            s->parent[v] = v;
        enqueue(w, &w->worker[0], 0, 0, v, 0);
    }
    do {
        run_window(w, me);
        if (me.index == 0)
            plan(w, me.count);
        fri_team_barrier(me); /* the plan is complete */
    } while (w->next == NEXT_WINDOW);
    if (w->next == FINISHED)
        return;
    if (me.index == 0) {
        w->scanned = 0;
        s->doing = w->next == PULL ? "pull" : "flush";
        s->pace.total = 0; /* rounds are reported from here on */
    }
    int64_t present = w->next == PULL ? fri_delta_bucket(s, w->bound) : 0;
    fri_buckets_reset(buckets, present);
    fri_team_barrier(me); /* the cursor is reset */
    if (w->next == PULL)
        pull(w, buckets);
    else
        flush(w, buckets);
    fri_team_barrier(me); /* distances are written before any thread relaxes */
    fri_delta_engine_run(s, me, present);
}

static int64_t record_capacity(const fri_job *job) {
    return job->csr.n + (int64_t)job->csr.n / 2 + BLOCK * ((int64_t)job->in->threads + 2);
}

static int64_t queue_capacity(const fri_job *job) {
    return job->csr.n + BLOCK * ((int64_t)job->in->threads + 2);
}

FRI_SSSP_FUNCTION(size_t, fri_sssp_spira_window_bytes, (const fri_job *job), (job)) {
    return fri_align_line(sizeof(header)) + fri_sssp_delta_bytes(job, FRI_SSSP_POOL) +
           fri_align_line(sizeof(window_state)) +
           fri_align_line(fri_bytes(job->in->threads, sizeof(window_worker))) +
           fri_align_line(fri_bytes(record_capacity(job), sizeof(row_record))) +
           2 * fri_align_line(fri_bytes(queue_capacity(job), sizeof(fri_bucket_entry)));
}

static window_state *make_state(fri_job *job) {
    char *scratch = job->scratch;
    const header *h = fri_carve(&scratch, sizeof *h);
    const double width = fri_job_knob(job, KNOB_WINDOW, h->width);
    fri_delta_engine *s = fri_delta_engine_create(job, h->rows, h->delta, FRI_SSSP_POOL, &scratch);
    s->since = fri_now_ns();
    window_state *w = fri_carve(&scratch, sizeof *w);
    *w = (window_state){.delta_engine = s, .pull = job->knob[KNOB_PULL]};
    s->pace.total = job->csr.m;
    w->worker = fri_carve(&scratch, fri_bytes(job->in->threads, sizeof *w->worker));
    memset(w->worker, 0, fri_bytes(job->in->threads, sizeof *w->worker));
    w->records = fri_carve(&scratch, fri_bytes(record_capacity(job), sizeof *w->records));
    for (int i = 0; i < 2; i++)
        w->queue[i] = fri_carve(&scratch, fri_bytes(queue_capacity(job), sizeof(fri_bucket_entry)));
    w->record_cap = record_capacity(job) - BLOCK * ((int64_t)job->in->threads + 2);
    w->queue_cap = job->csr.n;
#if DIST_IS_INTEGER
    const int maximum = 8 * (int)sizeof(dist_t) - 2;
    w->width = width < 1 ? 1 : width < ldexp(1, maximum) ? (dist_t)width : (dist_t)1 << maximum;
#else
    w->width = (dist_t)width > 0 ? (dist_t)width : 1;
#endif
    w->bound = w->width;
    return w;
}

FRI_SSSP_FUNCTION(fr_status, fri_sssp_spira_window_run, (fri_job * job), (job)) {
    window_state *w = make_state(job);
    if (job->csr.n)
        fri_team_run(job->in->threads, member, w);
    for (int t = 0; t < job->in->threads; t++) {
        job->out->stats.edges_examined += w->worker[t].examined;
        job->out->stats.relaxations += w->worker[t].relaxed;
    }
    return fri_delta_engine_finish(w->delta_engine);
}

#ifdef FRI_ONCE

/* A solver that reverses the graph has its in-edges. */
static bool has_in_edges(const fri_job *job) {
    return job->csr.symmetric || job->in_edges.offsets != job->csr.offsets;
}

static size_t shared(const fri_job *job) {
    size_t bytes = fri_adjacency_share_bytes(job);
    if (job->csr.symmetric || fri_in_edges_found(job, job->derived))
        return bytes;
    return bytes + fri_csr_bytes(&job->csr) + fri_csr_transpose_bytes(job->ctx, &job->csr);
}

/* Sets job->in_edges; in.symmetric: the rows serve as in-edges. */
static fr_status make_in_edges(fri_job *job) {
    if (has_in_edges(job))
        return FR_OK;
    fr_csr own; /* stays zero: the weights are the graph's */
    if (!fri_in_edges_found(job, job->derived)) {
        fr_status status = fri_csr_is_symmetric(job->ctx, &job->csr, &job->in_edges.symmetric);
        if (status || job->in_edges.symmetric)
            return status;
    }
    return fri_in_edges_take(job, job->derived, &own);
}

static fr_status prepare(fri_job *job) {
    header *h = job->scratch;
    fr_status status = fri_adjacency_share(job, &h->rows);
    if (!status)
        status = make_in_edges(job);
    /* few edges join the vertices left after the pull: few rounds matter more than order */
    h->delta = FRI_MAX(fri_sssp_bucket_width(job), job->weight_mean / 4);
    h->width = fri_sssp_window_width(job->weight_mean, job->csr.n, job->csr.m);
    return status;
}

static const fr_knob knobs[] = {
    {"window", FR_KNOB_AUTO, 1e-300, 1e300,
     "how far the bound moves at a time; default: a vertex has two edges within it on average"},
    {"pull", 1, 0, 1e9,
     "pull once the edges of unreached vertices are fewer than this times a window's cost"},
    {0}};

const fri_strategy fri_sssp_spira_window = {
    .name = "spira-window",
    .source = "Spira, SIAM J. Comput. 2(1), 1973; Chakaravarthy et al., IPDPS 2014",
    .text = "rows sorted by weight, pushed up to a moving bound; the rest is pulled",
    .problem = FR_PROBLEM_SSSP,
    .backend = FR_BACKEND_CPU,
    .needs = FRI_NEEDS_NON_NEGATIVE,
    .knobs = knobs,
    .scratch = fri_sssp_spira_window_bytes,
    .shared = shared,
    .prepare = prepare,
    .run = fri_sssp_spira_window_run,
};

#endif
