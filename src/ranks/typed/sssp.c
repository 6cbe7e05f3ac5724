/* SSSP on ranks for non-negative weights: each rank has the in-edges of its own vertices and
 * receives every distance below the bound that another rank lowers.
 *
 * Source: U. Meyer, P. Sanders: Delta-stepping: a parallelizable shortest path algorithm, J.
 *   Algorithms 49(1), 2003; windows: as in cpu/sssp/typed/spira_window.c.
 * Idea: the steps are those of one process, with slots as rows and own indices as vertices that are
 *   lowered; only the owner writes a distance. After a step each rank publishes the vertices that it
 *   lowered in the current bucket or window: all ranks relax the edges that they hold. When no rank
 *   has such a vertex, the next bucket or window begins. On small-world graphs with a wide range of
 *   weights rows are read in windows (cpu/sssp/typed/window.h), from the second query on; otherwise
 *   buckets and whole rows (cpu/sssp/typed/delta_engine.h).
 * Differs: all edges of a vertex are relaxed at once, light and heavy. After a pull, vertices without
 *   an unreached neighbor are final and are not published.
 * Bytes that a rank receives per round: 40 (P - 1), and 12 per distance that others lowered.
 * Good at: graphs of few rounds. Bad at: road networks; a round costs two exchanges. */
#include "cpu/sssp/typed/window.h"
#include "ranks/sssp.h"

#include <string.h>

enum { BATCH = 64, ROWS_AHEAD = 6, GRAIN = 4096 };
/* SCANS_PER_EDGE limits the windows. */
enum { SCANS_PER_EDGE = 4 };
/* In a report: the queue or the records of a rank were full; no next bucket or window. */
enum { FULL = -1 };
static const int64_t NONE = INT64_MAX;

typedef enum step { SOURCE, RELAX, REBUILD, DRAIN, SCAN, PULL, FLUSH, STEPS } step;

typedef struct fri_part_cores {
    fri_job job; /* job.in is `in` */
    fri_job_input in;
    fr_result out;
    fr_part_solver *s;
    const fr_part *p;
    fri_delta_engine *engine;
    fri_window *window; /* NULL: rows are not sorted yet */
    /* [slots] the smallest weight of a row, -1: no edges. With P ranks most rows have no edge, or none to
     * examine now: one access shows it. */
    weight_t *lightest;
    const fr_part_query *query;
    bool windows; /* rows are read up to the bound; else whole */
    bool over, full;
    step step;
    fr_status status;
    int64_t bucket, bucket_end; /* buckets that are published in the next exchange */
    int64_t span;               /* of buckets that are published at once */
    int64_t published;          /* entries that this round relaxes */
    int64_t count, reached;     /* entries of this rank, and the in-edges of their vertices */
    int64_t examined;           /* edges that this rank has reported */
    int64_t pushed, scans;      /* edges examined in this window, by all ranks; windows */
    int64_t exchanges;          /* of reports */
    _Alignas(FRI_CACHE_LINE) int64_t cursor; /* 0 before a step */
} sssp;

/* ---- steps ----------------------------------------------------------------------------------- */

/* A distance as ranks exchange it (ranks/part/part.h). */
static inline int64_t bits_of(dist_t dist) {
    int64_t bits;
    memcpy(&bits, &dist, sizeof bits);
    return bits;
}

static inline dist_t dist_of(int64_t bits) {
    dist_t dist;
    memcpy(&dist, &bits, sizeof dist);
    return dist;
}

static inline fri_bucket_entry entry_of(const fri_lowered *from) {
    const int64_t bits = (int64_t)((uint64_t)from->dist[1] << 32 | from->dist[0]);
    return (fri_bucket_entry){from->slot, dist_of(bits)};
}

/* Relaxes whole rows of published vertices. */
static void relax(sssp *x, fri_member me) {
    fri_delta_engine *e = x->engine;
    const fri_lowered *all = x->s->all;
    int64_t k, end;
    while (fri_team_next_chunk(&x->cursor, x->published, BATCH, &k, &end))
        for (; k < end; k++) {
            if (k + 2 * ROWS_AHEAD < x->published)
                __builtin_prefetch(&e->offsets[all[k + 2 * ROWS_AHEAD].slot]);
            if (k + ROWS_AHEAD < x->published)
                fri_delta_prefetch_row(e, all[k + ROWS_AHEAD].slot);
            fri_bucket_entry from = entry_of(&all[k]);
            fri_delta_relax_row(e, &e->buckets[me.index], from.v, from.d);
        }
}

static void rebuild(sssp *x, fri_member me) { fri_delta_rebuild(x->engine, me, x->bucket); }

/* The distance at which the first edge of a row matters. */
static inline dist_t first_sum(const sssp *x, fri_bucket_entry from) {
    const dist_t sum = dist_sum(from.d, x->lightest[from.v]);
    return dist_less(sum, DIST_INF) ? sum : DIST_INF;
}

/* Stores the distances of published vertices. Collects those with an edge to examine now. */
static inline int publish_rows(sssp *x, fri_window_worker *p, const fri_lowered *from, int count,
                               fri_bucket_entry *due) {
    fri_window *w = x->window;
    const uint32_t base = (uint32_t)fri_part_base(x->p), own = (uint32_t)x->p->own;
    int many = 0, dues = 0;
    for (int k = 0; k < count; k++) {
        const int32_t slot = from[k].slot;
        due[many] = entry_of(&from[k]);
        __builtin_prefetch(&w->row_dist[slot], 1);
        __builtin_prefetch(&x->engine->offsets[slot]);
        many += (x->lightest[slot] >= 0) | ((uint32_t)slot - base < own);
    }
    for (int k = 0; k < many; k++) {
        const fri_bucket_entry e = due[k];
        w->row_dist[e.v] = e.d;
        if (x->lightest[e.v] < 0)
            continue;
        const dist_t sum = first_sum(x, e);
        if (dist_less(sum, w->bound))
            due[dues++] = e;
        else
            fri_window_add(
                w, p, fri_window_record(e.v, x->engine->offsets[e.v], x->engine->offsets[e.v + 1]),
                sum);
    }
    return dues;
}

/* Relaxes sorted rows of the published vertices, up to the bound. */
static void drain(sssp *x, fri_member me) {
    fri_window *w = x->window;
    fri_window_worker *p = &w->worker[me.index];
    const fri_delta_engine *e = x->engine;
    int64_t begin, end;
    while (fri_team_next_chunk(&x->cursor, x->published, BATCH, &begin, &end)) {
        fri_bucket_entry due[BATCH + 1];
        const int count = publish_rows(x, p, &x->s->all[begin], (int)(end - begin), due);
        for (int k = 0; k < count; k++)
            __builtin_prefetch(&e->edges[e->offsets[due[k].v]]);
        for (int k = 0; k < count; k++)
            __builtin_prefetch(&e->dist[e->edges[e->offsets[due[k].v]].v]);
        for (int k = 0; k < count; k++)
            fri_window_reach(w, p, 0, due[k]);
    }
    fri_window_close_queue(w, p, 0);
}

/* Continues these rows after the bound has moved. */
static void scan(sssp *x, fri_member me) {
    fri_window_worker *p = &x->window->worker[me.index];
    p->next_sum = DIST_INF;
    fri_window_scan(x->window, p);
    fri_window_close_queue(x->window, p, 0);
}

/* Whether a source of the in-edges from e on is unreached. */
static inline bool has_unreached(const sssp *x, int64_t e, int64_t end) {
    const edge_t *edges = x->s->pull_edges;
    for (; e < end; e++)
        if (x->window->row_dist[edges[e].v] == DIST_INF)
            return true;
    return false;
}

/* The best distance of own vertex i through a published vertex; all of these are final. */
static inline void pull_vertex(sssp *x, fri_buckets *buckets, int32_t i) {
    const int64_t begin = x->p->pull_offsets[i], end = x->p->pull_offsets[i + 1];
    fri_pulled best = {DIST_INF, -1};
    buckets->examined +=
        fri_window_pull_sorted(x->window->row_dist, x->s->pull_edges, begin, end, &best);
    if (best.d == DIST_INF)
        return;
    x->engine->dist[i] = best.d;
    x->engine->parent[i] = best.parent;
    /* out-edges are in-edges only if undirected */
    if (!x->p->undirected || has_unreached(x, begin, end))
        fri_delta_put(x->engine, buckets, i, best.d);
}

/* Unreached vertices scan their in-edges. */
static void pull(sssp *x, fri_member me) {
    fri_buckets *buckets = &x->engine->buckets[me.index];
    int64_t i, end;
    fri_buckets_reset(buckets, x->bucket);
    while (fri_team_next_chunk(&x->cursor, x->p->own, GRAIN, &i, &end))
        for (; i < end; i++)
            if (x->engine->dist[i] == DIST_INF)
                pull_vertex(x, buckets, (int32_t)i);
}

/* Reached vertices enter the buckets with their whole rows. */
static void flush(sssp *x, fri_member me) { fri_delta_rebuild(x->engine, me, 0); }

/* ---- what a rank sends ----------------------------------------------------------------------- */

/* An entry is valid as long as its vertex still has that distance. */
static inline void keep(sssp *x, fri_bucket_entry entry) {
    if (entry.v < 0 || x->engine->dist[entry.v] != entry.d)
        return;
    const uint64_t bits = (uint64_t)bits_of(entry.d);
    x->s->lowered[x->count++] =
        (fri_lowered){fri_part_base(x->p) + entry.v, {(uint32_t)bits, (uint32_t)(bits >> 32)}};
    if (x->windows && x->window->row_dist[fri_part_base(x->p) + entry.v] == DIST_INF)
        x->reached += fri_part_in_degree(x->p, entry.v);
}

static void keep_queue(sssp *x) {
    fri_window *w = x->window;
    for (int64_t k = 0; k < w->entries[0].count; k++)
        keep(x, w->queue[0][k]);
    w->entries[0].count = 0;
}

static void keep_chunks(sssp *x, fri_buckets *buckets, uint32_t number) {
    while (number) {
        fri_bucket_chunk *chunk = fri_bucket_chunk_at(&x->engine->pool, number);
        const fri_bucket_entry *entry = (const fri_bucket_entry *)(const void *)(chunk + 1);
        const uint32_t next = chunk->next;
        for (uint32_t i = 0; i < chunk->count; i++)
            keep(x, entry[i]);
        fri_bucket_chunk_release(buckets, chunk, number);
        number = next;
    }
}

static void keep_buckets(sssp *x) {
    for (int t = 0; t < x->s->threads; t++) {
        fri_buckets *buckets = &x->engine->buckets[t];
        for (int64_t bucket; (bucket = fri_buckets_min(buckets)) < x->bucket_end;)
            keep_chunks(x, buckets, fri_delta_take(buckets, (uint32_t)(bucket % FRI_BUCKETS)));
    }
}

static void open_bucket(sssp *x, int64_t bucket) {
    x->bucket = bucket;
    x->bucket_end = bucket + x->span;
    for (int t = 0; t < x->s->threads; t++) {
        fri_buckets *buckets = &x->engine->buckets[t];
        buckets->base = bucket;
        if (buckets->far_min < x->bucket_end)
            fri_delta_refill(x->engine, buckets);
    }
}

/* The report that this rank sends after a round. If it publishes distances the others do not need
 * its next bucket or window; it sends the number of in-edges that it has reached instead. */
static fri_level_report report_of(sssp *x) {
    int64_t examined = 0, next = NONE;
    bool full = false;
    x->count = x->reached = 0;
    if (x->windows)
        keep_queue(x);
    else
        keep_buckets(x);
    for (int t = 0; t < x->s->threads; t++) {
        const fri_window_worker *p = x->window ? &x->window->worker[t] : NULL;
        examined += x->engine->buckets[t].examined + (p ? p->examined : 0);
        if (!x->windows)
            next = FRI_MIN(next, fri_buckets_min(&x->engine->buckets[t]));
        else if (p->next_sum < DIST_INF)
            next = FRI_MIN(next, bits_of(p->next_sum));
        full |= x->windows && p->full;
    }
    fri_pace_stop(&x->engine->pace, FRI_PACE_WORK / 32, x->s->rounds);
    fri_level_report mine = {.status = x->engine->pace.status,
                             .count = x->count,
                             .edges = full       ? FULL
                                      : x->count ? x->reached
                                                 : next,
                             .examined = examined - x->examined};
    x->examined = examined;
    return mine;
}

/* Publishes: sends the distances that this rank lowered to all ranks. */
static fr_status publish(sssp *x) {
    fr_part_solver *s = x->s;
    fr_world *w = x->p->world;
    for (int r = 0; r < w->size; r++)
        s->counts[r] = (int)s->reports[r].count;
    return fri_world_allgather(w, s->lowered, s->all, s->counts, sizeof *s->all);
}

/* Exchanges the reports, then the distances to relax. *next: the next bucket or the distance of the
 * next window, if none were published. */
static fr_status end_round(sssp *x, const char *method, int64_t *next) {
    fr_part_solver *s = x->s;
    fri_level_report sum;
    fr_status status = fri_part_exchange_reports(s, report_of(x), &sum);
    if (status)
        return status;
    x->published = sum.count;
    x->pushed += sum.examined;
    *next = NONE;
    for (int r = 0; r < x->p->world->size; r++) {
        const fri_level_report *report = &s->reports[r];
        x->full |= report->edges == FULL;
        if (!report->count)
            *next = FRI_MIN(*next, report->edges);
        else if (x->window)
            x->window->reached += report->edges;
    }
    if (x->published)
        status = publish(x);
    fri_part_record(s, method, false, x->published);
    return status;
}

/* ---- the next step --------------------------------------------------------------------------- */

static double row_width(const fr_part *p) {
    return p->max_weight / FRI_MAX((double)p->m / (double)FRI_MAX(p->n, 1), 1.0);
}

/* What is published at once has this width, wherever it begins. */
static void set_width(sssp *x, double width) {
    enum { BUCKETS = 8 };
    fri_delta_set_width(x->engine, width > 0 ? width / BUCKETS : 1);
    x->span = FRI_MAX(fri_delta_bucket(x->engine, fri_dist_width(width)), 1);
}

/* Chooses the step after a window, the next window or the end of windows, from the reports of all
 * ranks. */
static step end_window(sssp *x, dist_t next_sum) {
    enum { SLOTS_PER_EDGE = 8 }; /* a slot scanned costs less than an edge */
    fri_window *w = x->window;
    const int64_t slots = fri_part_slots(x->p);
    const bool many = x->full || ++x->scans * slots > SCANS_PER_EDGE * x->p->m;
    const bool pulls = !many && x->p->m - w->reached < x->pushed + slots / SLOTS_PER_EDGE;
    x->pushed = 0;
    if (!many && !pulls && fri_window_next(w, next_sum))
        return SCAN;
    x->windows = false;
    /* after a pull few edges join the remaining vertices: few rounds matter more than order */
    set_width(x, pulls ? FRI_MAX(row_width(x->p), x->s->mean_weight) : row_width(x->p));
    x->bucket = x->bucket_end = pulls ? fri_delta_bucket(x->engine, w->bound) : 0;
    return pulls ? PULL : FLUSH;
}

static bool overflows(const sssp *x) {
    bool overflow = false;
    for (int t = 0; t < x->s->threads; t++)
        overflow |= x->engine->buckets[t].overflow;
    return overflow;
}

/* A scan of windows may find nothing to relax. */
static int64_t most_exchanges(const fr_part *p) {
    return fri_part_sssp_most_rounds(p) + SCANS_PER_EDGE * p->m / FRI_MAX(fri_part_slots(p), 1);
}

static const char *const names[STEPS] = {
    [SOURCE] = "source", [RELAX] = "relax", [REBUILD] = "relax", [DRAIN] = "relax",
    [SCAN] = "window",   [PULL] = "pull",   [FLUSH] = "flush",
};

/* Member 0 ends a round and chooses the next step. When a bucket begins, its vertices are published
 * before they are relaxed. Each turn of the loop is an exchange, which all ranks count: beyond
 * most_exchanges the query fails with FR_RANK. */
static void plan(sssp *x) {
    const char *method = names[x->step];
    x->cursor = 0;
    if (overflows(x)) {
        x->step = REBUILD;
        return;
    }
    x->s->rounds += x->published > 0;
    for (;;) {
        int64_t next;
        x->status = end_round(x, method, &next);
        if (!x->status)
            x->status = fri_part_check_steps(x->s, "rounds", ++x->exchanges, most_exchanges(x->p));
        x->over = x->status || (!x->published && next == NONE);
        if (x->over)
            return;
        if (x->windows && (x->full || !x->published)) {
            x->step = end_window(x, dist_of(next));
            return;
        }
        if (x->published) {
            x->step = x->windows ? DRAIN : RELAX;
            return;
        }
        open_bucket(x, next);
        method = "window";
    }
}

/* ---- a query ------------------------------------------------------------------------------- */

static void clear(sssp *x, fri_member me) {
    int64_t begin, end;
    fri_delta_engine_clear(x->engine, me);
    if (!x->windows)
        return;
    fri_team_static_range(me, fri_part_slots(x->p), 1024, &begin, &end);
    for (int64_t slot = begin; slot < end; slot++)
        x->window->row_dist[slot] = DIST_INF;
}

/* Also of threads that will not come: what a query before has left is none of this one. */
static void clear_threads(sssp *x) {
    for (int t = 0; t < x->s->threads; t++) {
        fri_delta_engine_clear_thread(x->engine, t);
        if (x->windows)
            x->window->worker[t] = (fri_window_worker){.next_sum = DIST_INF};
    }
}

static void enter_sources(sssp *x) {
    for (int64_t k = 0; k < x->query->source_count; k++) {
        int32_t slot = fri_part_slot(x->p, x->query->sources[k]), i = slot - fri_part_base(x->p);
        if (i < 0 || i >= x->p->own || x->engine->dist[i] == 0)
            continue;
        x->engine->dist[i] = 0;
        x->engine->parent[i] = slot;
        if (x->windows)
            fri_window_enqueue(x->window, &x->window->worker[0], 0, i, 0);
        else
            fri_delta_put(x->engine, &x->engine->buckets[0], i, 0);
    }
    if (x->windows)
        fri_window_close_queue(x->window, &x->window->worker[0], 0);
}

static void (*const steps[STEPS])(sssp *x, fri_member me) = {
    [RELAX] = relax, [REBUILD] = rebuild, [DRAIN] = drain,
    [SCAN] = scan,   [PULL] = pull,       [FLUSH] = flush,
};

/* Ends with plan: a step is followed by an exchange, or by one REBUILD, after which no bin overflows. */
static void member(fri_member me, void *user) {
    sssp *x = user;
    clear(x, me);
    fri_team_barrier(me); /* distances are cleared */
    if (me.index == 0)
        enter_sources(x);
    for (;;) {
        if (me.index == 0)
            plan(x);
        fri_team_barrier(me); /* member 0 has chosen the step */
        if (x->over)
            return;
        steps[x->step](x, me);
        fri_team_barrier(me); /* all members have finished the step */
    }
}

FRI_TYPED_FUNCTION(FRI_WIDE_PAIRS, fri_wide_pair(s->part->push->csr.weight_type), fr_status,
                   fri_part_sssp_run, (fr_part_solver * s, const fr_part_query *query),
                   (s, query)) {
    sssp *x = s->cores;
    *x = (sssp){.job = x->job,
                .in = x->in,
                .out = x->out,
                .s = s,
                .p = s->part,
                .engine = x->engine,
                .window = s->windows ? x->window : NULL,
                .lightest = x->lightest,
                .query = query,
                .windows = s->windows != NULL,
                .bucket_end = 1};
    x->engine->edges = s->push_edges;
    x->engine->pool.taken = 1;
    x->engine->pace = fri_pace_begin(s->ctx, "traversing", 0);
    set_width(x, row_width(s->part));
    if (x->windows)
        fri_window_begin(x->window);
    clear_threads(x);
    fri_team_run(s->ctx, s->threads, member, x);
    return x->status;
}

/* ---- memory ---------------------------------------------------------------------------------- */

FRI_TYPED_FUNCTION(FRI_WIDE_PAIRS, fri_wide_pair(s->part->push->csr.weight_type), fr_status,
                   fri_part_sssp_make, (fr_part_solver * s), (s)) {
    const fr_part *p = s->part;
    const bool real = fri_dist_is_real(p->push->csr.weight_type);
    const fri_job_input in = {.dist_type = real ? FR_TYPE_F64 : FR_TYPE_I64, .threads = s->threads};
    fri_job job = {.ctx = s->ctx, .in = &in, .csr = p->push->csr};
    job.csr.n = p->own;
    char *scratch =
        fri_alloc(s->ctx, fri_align_line(sizeof(sssp)) + fri_sssp_delta_bytes(&job, FRI_SSSP_POOL));
    if (!scratch)
        return FR_NOMEM;
    sssp *x = fri_carve(&scratch, sizeof *x);
    *x = (sssp){.p = p, .job = job, .in = in, .out = {.dist = s->dist, .parent = s->parent}};
    x->job.in = &x->in;
    x->job.out = &x->out;
    x->engine = fri_delta_engine_create(&x->job, NULL, 1, FRI_SSSP_POOL, NULL, &scratch);
    s->cores = x;
    return FR_OK;
}

static void find_lightest(sssp *x, const edge_t *edges) {
    const int64_t *offsets = x->engine->offsets;
    for (int64_t slot = 0; slot < fri_part_slots(x->p); slot++) {
        const int64_t e = offsets[slot];
        x->lightest[slot] = e < offsets[slot + 1] ? edges[e].w : -1;
    }
}

static int64_t nonempty_rows(const fr_csr *rows) {
    int64_t count = 0;
    for (int32_t slot = 0; slot < rows->n; slot++)
        count += rows->offsets[slot] < rows->offsets[slot + 1];
    return count;
}

FRI_TYPED_FUNCTION(FRI_WIDE_PAIRS, fri_wide_pair(s->part->push->csr.weight_type), fr_status,
                   fri_part_sssp_make_windows, (fr_part_solver * s), (s)) {
    sssp *x = s->cores;
    const fr_part *p = s->part;
    const int64_t rows = nonempty_rows(&p->push->csr);
    const size_t dist = fri_align_line(fri_bytes(fri_part_slots(p), sizeof(dist_t)));
    const size_t weight = fri_align_line(fri_bytes(fri_part_slots(p), sizeof(weight_t)));
    char *scratch =
        fri_alloc(s->ctx, dist + weight + fri_window_bytes(rows, p->own, s->threads, 1));
    s->windows = scratch;
    if (!scratch)
        return FR_NOMEM;
    dist_t *row_dist = fri_carve(&scratch, dist);
    x->lightest = fri_carve(&scratch, weight);
    const double width = fri_sssp_window_width(s->mean_weight, p->n, p->m);
    x->window = fri_window_create(x->engine, rows, 1, width, &scratch);
    x->window->row_dist = row_dist;
    find_lightest(x, s->push_edges);
    return FR_OK;
}
