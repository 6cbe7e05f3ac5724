/* See cpu/sssp/spira_window.c. */
#include "cpu/sssp/delta_engine.inc.h"

/* A reached vertex whose row is not used up. */
typedef struct {
    int64_t at;      /* its next edge */
    int32_t v;       /* -1: dead */
    D d, matters_at; /* its distance; when edge `at` matters */
} FN(record);

/* Per thread. A thread writes to a shared array through blocks of its own. */
typedef struct {
    _Alignas(FRI_CACHE_LINE) int64_t record, record_end; /* own block of records */
    int64_t entry, entry_end;                            /* own block of the queue */
    int64_t pushed, reached_edges, relaxed, examined;
    D matters_at; /* least `matters_at` seen in this window's records */
    bool full;    /* something found no room */
} FN(worker);

typedef struct {
    FN(delta_engine) * delta_engine;
    FN(worker) * worker; /* [threads] */
    FN(record) * records;
    FN(entry) * queue[2]; /* of a round: read one, write the other */
    int64_t record_cap, queue_cap;
    D end, width; /* the horizon, and how far it moves */
    double pull;  /* the knob */
    int64_t old;  /* records that were there when the window began */
    int64_t visits;
    int64_t reached, paced; /* edges of what is reached, edges that the pace knows of */
    enum { FN(NEXT_WINDOW), FN(PULL), FN(FLUSH), FN(FINISHED) } next;
    _Alignas(FRI_CACHE_LINE) int64_t record_count;
    _Alignas(FRI_CACHE_LINE) int64_t scanned;
    /* By round modulo 3: read, written, and set to 0 for the round after */
    struct {
        _Alignas(FRI_CACHE_LINE) int64_t count;
        int64_t taken;
    } round[3];
} FN(state);

/* A block of a shared array for one thread; false: it is full. The arrays are longer than their
 * cap by a block per thread, because all may pass the check at once. */
static inline bool FN(grab)(int64_t *at, int64_t *end, int64_t *count, int64_t cap) {
    if (__atomic_load_n(count, __ATOMIC_RELAXED) >= cap)
        return false;
    *at = __atomic_fetch_add(count, BLOCK, __ATOMIC_RELAXED); /* relaxed: barriers order the rest */
    *end = *at + BLOCK;
    return true;
}

static inline void FN(enqueue)(FN(state) * w, FN(worker) * p, int out, int round, int32_t v, D d) {
    if (p->entry == p->entry_end &&
        !FN(grab)(&p->entry, &p->entry_end, &w->round[round].count, w->queue_cap))
        p->full = true;
    else
        w->queue[out][p->entry++] = (FN(entry)){v, d};
}

static inline void FN(add_record)(FN(state) * w, FN(worker) * p, FN(record) r) {
    if (p->record == p->record_end) {
        if (!FN(grab)(&p->record, &p->record_end, &w->record_count, w->record_cap)) {
            p->full = true;
            return;
        }
        for (int64_t i = p->record; i < p->record_end; i++)
            w->records[i] = (FN(record)){0, -1, INF, INF};
    }
    w->records[p->record++] = r;
}

/* Fills up the rest of a block, so that readers need not know where it ends. */
static void FN(close_queue)(FN(worker) * p, FN(entry) * queue) {
    for (; p->entry < p->entry_end; p->entry++)
        queue[p->entry] = (FN(entry)){-1, INF};
}

/* Is there no use in going on with a window? Member 0 asks. */
static inline bool FN(window_halt)(FN(state) * w, const FN(worker) * p) {
    FN(delta_engine) *s = w->delta_engine;
    int64_t work = 0;
    if (p == w->worker) {
        work = p->examined - w->paced + BLOCK;
        w->paced = p->examined;
    }
    return fri_pace_stop_team(&s->pace, p == w->worker, work, w->reached);
}

/* Pushes row v from edge `at` on while it matters; returns where it stopped. */
static inline int64_t FN(push)(FN(state) * w, FN(worker) * p, int out, int round, FN(entry) from,
                               int64_t at, int64_t row_end) {
    FN(delta_engine) *s = w->delta_engine;
    int64_t begin = at;
    for (; at < row_end; at++) {
        D sum = FN(sum)(from.d, s->edges[at].w);
        if (!FN(less)(sum, w->end))
            break;
        __builtin_prefetch(&s->dist[s->edges[at + 8].v]);
        int32_t t = s->edges[at].v;
        if (!FN(lower)(s, t, sum, from.v))
            continue;
        p->relaxed++;
        __builtin_prefetch(&s->offsets[t]);
        FN(enqueue)(w, p, out, round, t, sum);
    }
    p->pushed += at - begin;
    p->examined += at - begin;
    return at;
}

/* When the edge `at` of a row will matter; INF: never. */
static inline D FN(matters_at)(const FN(delta_engine) * s, D d, int64_t at, int64_t row_end) {
    if (at == row_end)
        return INF;
    D sum = FN(sum)(d, s->edges[at].w);
    return FN(less)(sum, INF) ? sum : INF;
}

/* Pushes a vertex reached in this window and makes its record. */
static inline void FN(reach)(FN(state) * w, FN(worker) * p, int out, int round, FN(entry) from) {
    FN(delta_engine) *s = w->delta_engine;
    if (from.v < 0 || FN(load)(s->dist, from.v) != from.d)
        return;
    int64_t begin = s->offsets[from.v], row_end = s->offsets[from.v + 1];
    int64_t at = FN(push)(w, p, out, round, from, begin, row_end);
    p->reached_edges += row_end - begin;
    D matters_at = FN(matters_at)(s, from.d, at, row_end);
    if (matters_at == INF)
        return;
    FN(add_record)(w, p, (FN(record)){at, from.v, from.d, matters_at});
    p->matters_at = FRI_MIN(p->matters_at, matters_at);
}

/* An old record whose time has come. */
static inline void FN(resume)(FN(state) * w, FN(worker) * p, FN(record) * r) {
    FN(delta_engine) *s = w->delta_engine;
    if (FN(load)(s->dist, r->v) != r->d) { /* corrected within its window: a newer one stands */
        *r = (FN(record)){0, -1, INF, INF};
        return;
    }
    int64_t row_end = s->offsets[r->v + 1];
    r->at = FN(push)(w, p, 0, 0, (FN(entry)){r->v, r->d}, r->at, row_end);
    r->matters_at = FN(matters_at)(s, r->d, r->at, row_end);
}

static void FN(scan)(FN(state) * w, FN(worker) * p) {
    int64_t i, end;
    while (!FN(window_halt)(w, p) && fri_team_next_chunk(&w->scanned, w->old, SCAN_GRAIN, &i, &end))
        for (; i < end; i++) {
            FN(record) *r = &w->records[i];
            if (i + 12 < end && FN(less)(r[12].matters_at, w->end))
                __builtin_prefetch(&w->delta_engine->edges[r[12].at]);
            if (FN(less)(r->matters_at, w->end))
                FN(resume)(w, p, r);
            p->matters_at = FRI_MIN(p->matters_at, r->matters_at);
        }
}

static void FN(drain)(FN(state) * w, FN(worker) * p, int in, int round, int64_t count) {
    FN(delta_engine) *s = w->delta_engine;
    const FN(entry) *entry = w->queue[in];
    int64_t i, end;
    while (!FN(window_halt)(w, p) &&
           fri_team_next_chunk(&w->round[round].taken, count, BLOCK, &i, &end))
        for (; i < end; i++) {
            if (i + 6 < end && entry[i + 6].v >= 0)
                __builtin_prefetch(&s->edges[s->offsets[entry[i + 6].v]]);
            FN(reach)(w, p, in ^ 1, (round + 1) % 3, entry[i]);
        }
}

/* All: one window; ends with a barrier after which nobody pushes. */
static void FN(window)(FN(state) * w, fri_member me) {
    FN(worker) *p = &w->worker[me.index];
    p->matters_at = INF;
    p->pushed = 0;
    FN(scan)(w, p);
    FN(close_queue)(p, w->queue[0]);
    for (int in = 0, round = 0;; in ^= 1, round = (round + 1) % 3) {
        fri_team_barrier(me); /* the queue to read is complete */
        int64_t count = w->round[round].count;
        if (count == 0)
            return;
        if (me.index == 0) { /* last read before the barrier, next written after the next one */
            w->round[(round + 2) % 3].count = 0;
            w->round[(round + 2) % 3].taken = 0;
        }
        FN(drain)(w, p, in, round, count);
        FN(close_queue)(p, w->queue[in ^ 1]);
    }
}

/* Moves the horizon on; false: it cannot. */
static bool FN(next_window)(FN(state) * w, D matters_at) {
    D base = FRI_MAX(w->end, matters_at);
    D end = (D)(base < INF - w->width ? base + w->width : INF);
    if (!(end > matters_at))
        return false; /* a float width that is nothing beside the distance */
    w->end = end;
    for (int r = 0; r < 3; r++)
        w->round[r].count = w->round[r].taken = 0;
    w->scanned = 0;
    w->old = w->record_count;
    w->visits += w->record_count;
    return true;
}

/* Member 0, between windows. */
static void FN(plan)(FN(state) * w, int threads) {
    FN(delta_engine) *s = w->delta_engine;
    const fri_job *job = s->job;
    const fr_query *q = &job->query;
    D matters_at = INF;
    int64_t reached = 0, pushed = 0;
    bool full = false;
    for (int t = 0; t < threads; t++) {
        matters_at = FRI_MIN(matters_at, w->worker[t].matters_at);
        reached += w->worker[t].reached_edges;
        pushed += w->worker[t].pushed;
        full |= w->worker[t].full;
    }
    s->rounds++;
    w->reached = reached;
    FN(window_halt)(w, w->worker);
    s->status = s->pace.status;
    int64_t now = fri_now_ns();
    fri_job_level(s->job, "window", w->record_count, pushed, now - s->since);
    s->since = now;
    while (!full && s->next_target < q->target_count &&
           FN(less)(s->dist[q->targets[s->next_target]], w->end))
        s->next_target++;
    double cost = (double)pushed + (double)w->record_count / 8;
    bool settled = matters_at == INF || (q->target_count && s->next_target == q->target_count) ||
                   (q->max_distance > 0 && (double)w->end > q->max_distance);
    if (s->status || (settled && !full)) /* full: what was dropped is not settled */
        w->next = FN(FINISHED);
    else if (full || w->visits > 4 * job->csr.m)
        w->next = FN(FLUSH);
    else if (job->csr.symmetric && (double)(job->csr.m - reached) < w->pull * cost)
        w->next = FN(PULL);
    else if (!FN(next_window)(w, matters_at))
        w->next = FN(FLUSH);
}

/* An unreached vertex looks along its in-edges, which are its out-edges. */
static inline void FN(pull_row)(FN(delta_engine) * s, fri_buckets *buckets, int32_t v) {
    D best = INF;
    int32_t parent = -1;
    int64_t e = s->offsets[v], end = s->offsets[v + 1];
    for (; e < end && FN(less)((D)s->edges[e].w, best); e++) {
        __builtin_prefetch(&s->dist[s->edges[e + 8].v]);
        /* a vertex being pulled itself may give a value that falls later: it then pushes */
        D d = FN(load)(s->dist, s->edges[e].v);
        D sum = d == INF ? INF : FN(sum)(d, s->edges[e].w);
        if (FN(less)(sum, best)) {
            best = sum;
            parent = s->edges[e].v;
        }
    }
    buckets->examined += e - s->offsets[v];
    if (best == INF)
        return;
    buckets->relaxed++;
    if (s->parent)
        s->parent[v] = parent;
    __atomic_store(&s->dist[v], &best, __ATOMIC_RELAXED);
    FN(put)(s, buckets, v, best);
}

/* All: every vertex beyond the horizon pulls. */
static void FN(pull)(FN(state) * w, fri_buckets *buckets) {
    FN(delta_engine) *s = w->delta_engine;
    int64_t v, end;
    while (!FN(halt)(s, buckets) && fri_team_next_chunk(&w->scanned, s->n, 4096, &v, &end))
        for (; v < end; v++)
            if (s->dist[v] == INF)
                FN(pull_row)(s, buckets, (int32_t)v);
}

/* All: every reached vertex enters the engine with its whole row. */
static void FN(flush)(FN(state) * w, fri_buckets *buckets) {
    FN(delta_engine) *s = w->delta_engine;
    int64_t v, end;
    while (!FN(halt)(s, buckets) && fri_team_next_chunk(&w->scanned, s->n, 4096, &v, &end))
        for (; v < end; v++)
            if (s->dist[v] != INF)
                FN(put)(s, buckets, (int32_t)v, s->dist[v]);
}

static void FN(member)(fri_member me, void *arg) {
    FN(state) *w = arg;
    FN(delta_engine) *s = w->delta_engine;
    fri_buckets *buckets = &s->buckets[me.index];
    FN(clear)(s, me);
    fri_team_barrier(me); /* the arrays are written before the sources are */
    for (int64_t i = 0; me.index == 0 && i < s->job->query.source_count; i++) {
        int32_t v = s->job->query.sources[i];
        if (s->dist[v] == 0)
            continue;
        s->dist[v] = 0;
        if (s->parent)
            s->parent[v] = v;
        FN(enqueue)(w, &w->worker[0], 0, 0, v, 0);
    }
    do {
        FN(window)(w, me);
        if (me.index == 0)
            FN(plan)(w, me.count);
        fri_team_barrier(me); /* the plan is made */
    } while (w->next == FN(NEXT_WINDOW));
    if (w->next == FN(FINISHED))
        return;
    if (me.index == 0) {
        w->scanned = 0;
        s->doing = w->next == FN(PULL) ? "pull" : "flush";
        s->pace.total = 0; /* from here on rounds are reported */
    }
    int64_t present = w->next == FN(PULL) ? FN(bucket)(s, w->end) : 0;
    fri_buckets_reset(buckets, present);
    fri_team_barrier(me); /* the cursor is back */
    if (w->next == FN(PULL))
        FN(pull)(w, buckets);
    else
        FN(flush)(w, buckets);
    fri_team_barrier(me); /* distances are written before anyone relaxes */
    FN(engine_member)(s, me, present);
}

static int64_t FN(record_capacity)(const fri_job *job) {
    return job->csr.n + (int64_t)job->csr.n / 2 + BLOCK * ((int64_t)job->threads + 2);
}

static int64_t FN(queue_capacity)(const fri_job *job) {
    return job->csr.n + BLOCK * ((int64_t)job->threads + 2);
}

static size_t FN(window_bytes)(const fri_job *job) {
    return FN(engine_bytes)(job, 2) + fri_align_line(sizeof(FN(state))) +
           fri_align_line(fri_bytes(job->threads, sizeof(FN(worker)))) +
           fri_align_line(fri_bytes(FN(record_capacity)(job), sizeof(FN(record)))) +
           2 * fri_align_line(fri_bytes(FN(queue_capacity)(job), sizeof(FN(entry))));
}

static FN(state) * FN(make_state)(fri_job *job, char *scratch) {
    const header *h = (const header *)(const void *)scratch;
    scratch += fri_align_line(sizeof(header));
    FN(delta_engine) *s = FN(carve)(job, (const EDGE *)job->scratch, &scratch, 2);
    FN(set_width)(s, h->delta);
    s->since = fri_now_ns();
    FN(state) *w = fri_carve(&scratch, sizeof *w);
    *w = (FN(state)){.delta_engine = s, .pull = job->knob[KNOB_PULL]};
    s->pace.total = job->csr.m;
    w->worker = fri_carve(&scratch, fri_bytes(job->threads, sizeof *w->worker));
    memset(w->worker, 0, fri_bytes(job->threads, sizeof *w->worker));
    w->records = fri_carve(&scratch, fri_bytes(FN(record_capacity)(job), sizeof *w->records));
    for (int i = 0; i < 2; i++)
        w->queue[i] = fri_carve(&scratch, fri_bytes(FN(queue_capacity)(job), sizeof(FN(entry))));
    w->record_cap = FN(record_capacity)(job) - BLOCK * ((int64_t)job->threads + 2);
    w->queue_cap = job->csr.n;
    double width = fri_job_knob(job, KNOB_WINDOW, h->width);
#if INTEGER
    const int maximum = 8 * (int)sizeof(D) - 2;
    w->width = width < 1 ? 1 : width < ldexp(1, maximum) ? (D)width : (D)1 << maximum;
#else
    w->width = (D)width > 0 ? (D)width : 1;
#endif
    w->end = w->width;
    return w;
}

static fr_status FN(run)(fri_job *job) {
    FN(state) *w = FN(make_state)(job, (char *)job->scratch + fri_adjacency_bytes(job));
    if (job->csr.n)
        fri_team_run(job->threads, FN(member), w);
    for (int t = 0; t < job->threads; t++) {
        job->out->stats.edges_examined += w->worker[t].examined;
        job->out->stats.relaxations += w->worker[t].relaxed;
    }
    return FN(engine_end)(w->delta_engine);
}
